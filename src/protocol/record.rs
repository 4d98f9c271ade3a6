//! Game records: SGF properties of every game, both ways.
//!
//! A game that SGF numbers has its `GM`, and its moves stand in `B` and `W`. Any other game is named by the private property
//! `LG`, and its moves stand in `LB` and `LW`, so that no program takes the record for one of Go.

use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use encoding_rs::{Encoding, ISO_2022_JP, WINDOWS_1252};

use super::occupants;
use super::reply::Refusal;
use super::sgf::{self, SgfNode};
use super::vertex::{self, Notation};
use crate::game::{Game, Side};
use crate::games::occupant::{self, Occupant};
use crate::games::{MOST_LINES, Points, Size, Spelled, Spelling};
use crate::players::{Kind, Played, Visitor};
use crate::session::history::History;

/// A game read from a file: a start and legal moves.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    /// The position before the first move.
    pub start: G,
    /// The moves, each with its side.
    pub moves: Vec<(Side, G::Move)>,
    /// Side to move then, where a pass that is no move of the game has changed that.
    pub turn: Option<Side>,
}

/// A node of a record's main line, as it is played.
#[derive(Clone, Debug)]
pub struct Stage<G: Game> {
    /// The position after it; the side to move is that which moves next in the record, where one does.
    pub position: G,
    /// Its move, where it has one legal move and sets nothing up.
    pub played: Option<(Side, G::Move)>,
    /// Whether it is the first one, or the position differs from the one before.
    pub is_new: bool,
    /// Whether the record calls the first player White.
    pub turned: bool,
}

/// The text of a record's file, in the character set that it names where it is not in UTF-8.
///
/// # Errors
/// `cannot load file: ...` with the reason.
pub fn text(path: &str) -> Result<String, Refusal> {
    text_of(path.as_ref()).map_err(|why| Refusal::new(format_args!("cannot load file: {path}: {why}")))
}

/// Text of a file, one that is no larger than records are.
///
/// # Errors
/// The reason why it cannot be read.
pub fn text_of(path: &Path) -> Result<String, String> {
    // A pipe or a device could keep the session waiting for ever.
    let metadata = path.metadata().map_err(|e| e.to_string())?;
    if !metadata.is_file() {
        return Err("it is no ordinary file".to_owned());
    }
    File::open(path).map_err(|e| e.to_string()).and_then(text_from)
}

/// Text of something that is read to its end, as [`text_of`].
///
/// # Errors
/// As there.
pub fn text_from(source: impl Read) -> Result<String, String> {
    let (mut bytes, limit) = (Vec::new(), sgf::LARGEST as u64 + 1);
    source.take(limit).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() > sgf::LARGEST {
        return Err(format!("it is larger than {} MiB", sgf::LARGEST >> 20));
    }
    let named = character_set(&bytes);
    match String::from_utf8(bytes) {
        // In seven bits, all of it is ASCII.
        Ok(text) if named != Some(ISO_2022_JP) => Ok(text),
        Ok(text) => Ok(ISO_2022_JP.decode(text.as_bytes()).0.into_owned()),
        // Latin letters where no set is named. Bytes that mean nothing are replaced.
        Err(fault) => Ok(named.unwrap_or(WINDOWS_1252).decode(fault.as_bytes()).0.into_owned()),
    }
}

/// Character set that a record names by its property `CA`.
fn character_set(bytes: &[u8]) -> Option<&'static Encoding> {
    let is_name = |at: usize| at == 0 || !bytes[at - 1].is_ascii_alphabetic();
    let names = bytes.windows(3).enumerate().filter(|(at, three)| *three == b"CA[" && is_name(*at));
    let mut labels = names.map(|(at, _)| bytes[at + 3..].split(|&byte| byte == b']').next().unwrap_or_default());
    labels.find_map(Encoding::for_label)
}

/// Name of the game, for games that SGF does not number.
const GAME: &str = "LG";
/// Words that stand where a move would and change nothing on the board: ends of a game, and players who exchange colours.
const NO_MOVES: [&str; 3] = ["resign", "forfeit", SIDES];
/// Exchange of the players' colours; HexGui's files have the short word too.
const SIDES: &str = "swap-sides";
const SWAP: &str = "swap";
const PASS: &str = "pass";
/// Number of Hex in SGF.
const HEX: u32 = 11;
/// Board of the largest side on which Go's old word `tt` is a pass.
const OLD_LINES: usize = 19;

/// Properties of moves, `First`'s and `Second`'s.
fn move_keys<G: Spelled>() -> [&'static str; 2] {
    if G::SGF.is_some() { ["B", "W"] } else { ["LB", "LW"] }
}

/// Text of points and moves.
#[derive(Clone, Copy)]
enum Script {
    /// Two letters for each point, column and row from the top.
    Letters,
    /// Points as a notation writes them, with hyphens between.
    Names(Notation),
}

impl Script {
    /// Names in Hex (GM 11, HexGui's) and in games that SGF does not number; letters in the others.
    fn of_moves<G: Spelled>() -> Self {
        match G::SGF {
            Some(HEX) => Self::Names(Notation::Htp),
            None => Self::Names(Notation::Gtp),
            Some(_) => Self::Letters,
        }
    }

    /// As of moves, but letters in games that SGF does not number: their points stand in ordinary properties.
    fn of_points<G: Spelled>() -> Self {
        if G::SGF.is_some() { Self::of_moves::<G>() } else { Self::Letters }
    }

    fn show(self, size: Size, point: usize) -> String {
        match self {
            Self::Names(notation) => notation.show(size, point),
            Self::Letters => {
                let (x, y) = size.xy(point);
                format!("{}{}", (b'a' + x as u8) as char, (b'a' + y as u8) as char)
            }
        }
    }

    fn read(self, size: Size, text: &str) -> Option<usize> {
        match self {
            // LittleGolem's records of Hex have two letters.
            Self::Names(Notation::Htp) => {
                Notation::Htp.read(size, text.trim()).or_else(|| Self::Letters.read(size, text))
            }
            Self::Names(notation) => notation.read(size, text.trim()),
            Self::Letters => {
                let &[x, y] = text.trim().as_bytes() else { return None };
                let (x, y) = (usize::from(x.wrapping_sub(b'a')), usize::from(y.wrapping_sub(b'a')));
                (x < size.width && y < size.height).then(|| size.index(x, y))
            }
        }
    }

    /// One point, or a rectangle of points `aa:cc`.
    fn read_points(self, size: Size, text: &str) -> Result<Vec<usize>, String> {
        let (from, to) = text.split_once(':').unwrap_or((text, text));
        let corners = self.read(size, from).zip(self.read(size, to));
        let (from, to) = corners.ok_or_else(|| format!("'{text}' is no point of the board"))?;
        let ((x0, y0), (x1, y1)) = (size.xy(from), size.xy(to));
        Ok((y0..=y1).flat_map(|y| (x0..=x1).map(move |x| size.index(x, y))).collect())
    }

    fn show_move<G: Spelled>(self, size: Size, mv: G::Move) -> String {
        match (self, G::spell(size, mv)) {
            (Self::Names(notation), _) => notation.show_move::<G>(size, mv),
            (Self::Letters, Spelling::Points(points)) => points.iter().map(|&point| self.show(size, point)).collect(),
            (Self::Letters, Spelling::PASS) => String::new(),
            (Self::Letters, Spelling::Word(word)) => word.to_owned(),
        }
    }

    fn read_move<G: Spelled>(self, size: Size, text: &str) -> Option<G::Move> {
        match self {
            Self::Names(notation) => {
                let letters = || G::unspell(size, &[self.read(size, text)?].into());
                notation.read_move::<G>(size, text).or_else(letters)
            }
            Self::Letters => G::unspell(size, &self.letters(size, text)?),
        }
    }

    /// A move as what its letters name.
    fn letters(self, size: Size, text: &str) -> Option<Spelling> {
        let letters = text.as_bytes().chunks(2).map(|two| str::from_utf8(two).ok());
        let points: Option<Vec<_>> = letters.map(|two| self.read(size, two?)).collect();
        let points = points.and_then(|points| Points::new(&points)).map(Spelling::Points);
        points.or_else(|| Spelling::of_word(text))
    }
}

/// Width and height from `SZ`.
fn board(node: &SgfNode, usual: Size) -> Option<Size> {
    let Some(text) = node.value("SZ") else { return Some(usual) };
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    let parse = |s: &str| s.trim().parse().ok().filter(|n| (1..=MOST_LINES).contains(n));
    Some(Size { width: parse(width)?, height: parse(height)? })
}

/// Whether a record of Hex or of Go, read as one of Hex, is in LittleGolem's form: it names no game and has no rules of Go's.
fn is_littlegolems(root: &SgfNode) -> bool {
    ["GM", GAME, "KM", "RU"].iter().all(|key| root.value(key).is_none())
}

/// How words and colours of a record are meant.
#[derive(Clone, Copy, Debug, Default)]
struct Habits {
    /// Colours are exchanged: LittleGolem calls the first player White, who is Black in other programs.
    turned: bool,
    /// The word `swap` means that the stone is mirrored, and not that the players exchange colours.
    swap_is_of_pieces: bool,
    /// `swap-pieces` means an exchange of colours.
    pieces_are_sides: bool,
    is_hex: bool,
}

impl Habits {
    fn of<G: Spelled>(nodes: &[SgfNode]) -> Self {
        let Some(root) = nodes.first().filter(|_| G::SGF == Some(HEX)) else { return Self::default() };
        let littlegolems = is_littlegolems(root);
        let first = nodes.iter().flat_map(plays::<G>).next().map(|(side, _)| side);
        let set_up = ["AB", "AW", "PL"].iter().any(|key| root.value(key).is_some());
        // HexGui up to 0.9 wrote so.
        let minor = root.value("AP").and_then(|program| program.strip_prefix("HexGui:0."));
        let old = minor.is_some_and(|minor| minor.chars().take_while(char::is_ascii_digit).count() == 1);
        Self {
            turned: littlegolems && first == Some(Side::Second) && !set_up,
            swap_is_of_pieces: littlegolems,
            pieces_are_sides: old,
            is_hex: true,
        }
    }

    /// The side that is meant.
    fn side(self, side: Side) -> Side {
        if self.turned { side.opponent() } else { side }
    }

    /// Whether a move is a swap of the pieces in Hex.
    fn is_swap(self, text: &str) -> bool {
        self.is_hex
            && matches!(Spelling::SWAP, Spelling::Word(pieces) if self.word(text.trim()).eq_ignore_ascii_case(pieces))
    }

    /// The word that is meant.
    fn word(self, word: &str) -> &str {
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        let Spelling::Word(pieces) = Spelling::SWAP else { return word };
        match (is(SWAP), is(pieces)) {
            (true, _) if self.swap_is_of_pieces => pieces,
            (true, _) => SIDES,
            (_, true) if self.pieces_are_sides => SIDES,
            _ => word,
        }
    }
}

fn check_game<G: Spelled>(node: &SgfNode, kind: Kind) -> Result<(), String> {
    let number = node.value("GM").unwrap_or("1").trim();
    let name = node.value(GAME).map(str::trim);
    match G::SGF {
        Some(own) if name.is_none() && number == own.to_string() => Ok(()),
        Some(HEX) if is_littlegolems(node) => Ok(()),
        None if name == Some(kind.word()) => Ok(()),
        _ => {
            let found = name.map_or_else(|| format!("its GM is {number}"), |name| format!("its {GAME} is {name}"));
            Err(format!("it is no game of {kind}, {found}"))
        }
    }
}

/// The game that a record is of, among those of the engine.
pub fn kind_of(root: &SgfNode) -> Option<Kind> {
    struct IsOf<'a>(&'a SgfNode, bool);
    impl Visitor for IsOf<'_> {
        type Output = bool;

        fn visit<G: Played>(self) -> bool {
            let Self(root, is_hex) = self;
            if is_hex { G::SGF == Some(HEX) } else { check_game::<G>(root, G::KIND).is_ok() }
        }
    }
    let is_hex = is_littlegolems(root) && root.value("EV").is_some_and(is_event_of_hex);
    Kind::ALL.iter().copied().find(|kind| kind.visit(IsOf(root, is_hex)))
}

/// Whether an event is called as LittleGolem calls those of Hex, which is all that it says of the game: `hex.ch.32.2.1`, `hex13.mc`.
fn is_event_of_hex(event: &str) -> bool {
    let end = event.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(event.len());
    let (name, rest) = event.split_at(end);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    name.eq_ignore_ascii_case("hex") && (rest.is_empty() || rest.starts_with('.'))
}

/// Property and value of a move.
pub fn move_property<G: Spelled>(size: Size, side: Side, mv: G::Move) -> (&'static str, String) {
    (move_keys::<G>()[side.index()], Script::of_moves::<G>().show_move::<G>(size, mv))
}

/// Moves of a node, in its order.
fn plays<G: Spelled>(node: &SgfNode) -> impl Iterator<Item = (Side, &str)> {
    let keys = move_keys::<G>();
    node.properties().filter_map(move |(key, values)| {
        let side = Side::BOTH.into_iter().find(|side| keys[side.index()] == key)?;
        Some((side, values.first()?.as_str()))
    })
}

/// Adds an occupant that has no property in SGF to a point: `aa:B3`.
const ADD: &str = "LA";
/// Properties that set something up.
const SET_UP: [&str; 5] = ["AB", "AW", "AE", "PL", ADD];

/// The occupants after a node's `AE`, `AB`, `AW` and [`ADD`]; `None` if it has none of them.
fn occupants_after<G: Spelled>(
    node: &SgfNode,
    size: Size,
    mut occupants: Vec<(Occupant, usize)>,
) -> Result<Option<Vec<(Occupant, usize)>>, String> {
    let script = Script::of_points::<G>();
    let mut changed = false;
    for (key, side) in [("AE", None), ("AB", Some(Side::First)), ("AW", Some(Side::Second))] {
        for value in node.values(key) {
            for point in script.read_points(size, value)? {
                occupant::put(&mut occupants, side.map(Occupant::from), point);
            }
            changed = true;
        }
    }
    // In records of other programs it could mean anything.
    for value in node.values(ADD).iter().filter(|_| G::SGF.is_none()) {
        let wrong = || format!("'{value}' is nothing that stands on a point");
        let (point, word) = value.split_once(':').ok_or_else(wrong)?;
        let added = script.read(size, point).zip(occupants::read(word.trim()));
        let (point, occupant) = added.ok_or_else(wrong)?;
        occupant::put(&mut occupants, Some(occupant), point);
        changed = true;
    }
    occupants.sort_by_key(|&(_, point)| point);
    Ok(changed.then_some(occupants))
}

fn to_move(node: &SgfNode) -> Option<Side> {
    node.value("PL").and_then(|v| vertex::colour(v.trim()).ok())
}

/// A reader of records of one game.
#[derive(Clone, Copy)]
pub struct Reader<'a, G> {
    /// Which game it is.
    pub kind: Kind,
    /// Board of a record that names none.
    pub usual: Size,
    /// A position whose rules hold where the record is silent.
    pub current: &'a G,
}

/// A game as far as it has been read.
struct Reading<G: Game> {
    record: Record<G>,
    now: G,
    habits: Habits,
    /// Moves so far, those before a set-up among them.
    moves: usize,
    /// The first illegal move, and the number of all.
    illegal: Option<(String, usize)>,
}

impl<G: Spelled> Reader<'_, G> {
    /// Reads at most so many moves of a game. An illegal move is executed, as SGF demands, and what is on the board then is the
    /// start of the game; a warning is logged.
    ///
    /// # Errors
    /// What the record has that the game has not.
    pub fn read(&self, nodes: &[SgfNode], most: Option<usize>) -> Result<Record<G>, String> {
        let (root, mut reading) = self.begin(nodes)?;
        let most = most.unwrap_or(usize::MAX);
        for (number, node) in nodes.iter().enumerate() {
            if !reading.set_up(node, number == 0, most)? {
                break;
            }
            for (side, text) in plays::<G>(node) {
                if reading.moves >= most {
                    return Ok(reading.end(root));
                }
                reading.play(side, text)?;
            }
        }
        Ok(reading.end(root))
    }

    /// Reads a game node by node, and tells what each led to.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn stages(&self, nodes: &[SgfNode]) -> Result<Vec<Stage<G>>, String> {
        let (root, mut reading) = self.begin(nodes)?;
        let mut stages: Vec<Stage<G>> = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            let before = reading.record.moves.len();
            reading.set_up(node, number == 0, usize::MAX)?;
            for (side, text) in plays::<G>(node) {
                reading.play(side, text)?;
            }
            let sets_up = SET_UP.iter().any(|key| node.value(key).is_some());
            let single = !sets_up && reading.record.moves.len() == before + 1 && plays::<G>(node).count() == 1;
            stages.push(Stage {
                position: reading.now.clone(),
                played: reading.record.moves.last().copied().filter(|_| single),
                is_new: number == 0 || sets_up || plays::<G>(node).next().is_some(),
                turned: reading.habits.turned,
            });
        }
        let mut next = None;
        for (stage, node) in stages.iter_mut().zip(nodes).rev() {
            if let Some(side) = next.filter(|&side| side != stage.position.to_move()) {
                stage.position.set_to_move(side);
            }
            next = plays::<G>(node).next().map(|(side, _)| reading.habits.side(side)).or(next);
        }
        reading.end(root);
        Ok(stages)
    }

    /// The root, and the start that it tells of.
    fn begin<'n>(&self, nodes: &'n [SgfNode]) -> Result<(&'n SgfNode, Reading<G>), String> {
        let root = nodes.first().ok_or("it has no nodes")?;
        check_game::<G>(root, self.kind)?;
        let size = board(root, self.usual).filter(|&size| self.current.fresh(size).is_some());
        let bad = || format!("board size '{}' is not supported", root.value("SZ").unwrap_or_default());
        let start = size.and_then(|size| self.current.fresh(size)).ok_or_else(bad)?;
        let habits = Habits::of::<G>(nodes);
        // A swap tells that it was allowed.
        let swaps = nodes.iter().flat_map(plays::<G>).any(|(_, text)| habits.is_swap(text));
        let property = |key: &str| if swaps && key == "RU" { Some(Spelling::SWAP_RULE) } else { root.value(key) };
        let start = start.with_properties(&property)?;
        let now = start.clone();
        let record = Record { start, moves: Vec::new(), turn: None };
        Ok((root, Reading { record, now, habits, moves: 0, illegal: None }))
    }
}

impl<G: Spelled> Reading<G> {
    /// Sets up what a node says; `false`, and nothing is changed, if it stands behind the last move that is wanted.
    fn set_up(&mut self, node: &SgfNode, is_root: bool, most: usize) -> Result<bool, String> {
        let Record { start, moves, turn } = &mut self.record;
        // What the root sets up stands on an empty board.
        let before = if is_root { Vec::new() } else { self.now.occupants() };
        if let Some(occupants) = occupants_after::<G>(node, start.size(), before)? {
            if self.moves > 0 && self.moves >= most {
                return Ok(false);
            }
            *start = start.with_occupants(&occupants)?;
            self.now = start.clone();
            moves.clear();
            *turn = None;
        }
        if let Some(side) = to_move(node) {
            self.now.set_to_move(side);
            *turn = (!moves.is_empty()).then_some(side);
            if moves.is_empty() {
                start.set_to_move(side);
            }
        }
        Ok(true)
    }

    fn play(&mut self, side: Side, text: &str) -> Result<(), String> {
        let side = self.habits.side(side);
        let (number, size) = (self.moves + 1, self.now.size());
        let word = self.habits.word(text.trim());
        if NO_MOVES.iter().any(|other| word.eq_ignore_ascii_case(other)) {
            return Ok(());
        }
        let old_pass = word == "tt" && size.width <= OLD_LINES && size.height <= OLD_LINES;
        let passes = word.is_empty() || word.eq_ignore_ascii_case(PASS) || old_pass;
        let read =
            if passes { G::unspell(size, &Spelling::PASS) } else { Script::of_moves::<G>().read_move::<G>(size, word) };
        let mv = match read {
            Some(mv) => mv,
            // Where there is no passing it is no move, and takes a turn.
            None if passes && !old_pass => {
                self.record.turn = Some(side.opponent());
                return Ok(());
            }
            None => return Err(format!("move {number}, {text}, is no move on this board")),
        };
        self.moves = number;
        self.record.turn = None;
        self.now.set_to_move(side);
        let mv = self.now.in_order(mv);
        match self.now.objection(mv).filter(|_| !self.now.tolerates(mv)) {
            None => {
                self.now.play(mv);
                self.record.moves.push((side, mv));
            }
            Some(why) => {
                let illegal = format!("move {number}, {text}, is illegal: {why}");
                let Some(forced) = self.now.forced(mv) else { return Err(illegal) };
                self.now = forced;
                self.record.start = self.now.clone();
                self.record.moves.clear();
                self.illegal.get_or_insert((illegal, 0)).1 += 1;
            }
        }
        Ok(())
    }

    fn end(self, root: &SgfNode) -> Record<G> {
        let Self { mut record, illegal, .. } = self;
        // Before the first move it is the turn of whoever makes it.
        if let (Some(&(side, _)), None) = (record.moves.first(), to_move(root)) {
            record.start.set_to_move(side);
        }
        if let Some((first, count)) = illegal {
            tracing::warn!("the record has {count} illegal moves, which are set up as drawn; {first}");
        }
        record
    }
}

/// A game as SGF.
pub fn write<G: Spelled>(kind: Kind, history: &History<G>, version: &str) -> String {
    let start = history.start();
    let size = start.size();
    let lines = size.lines(':');
    let game = G::SGF.map_or_else(|| format!("{GAME}[{}]", kind.word()), |number| format!("GM[{number}]"));
    let mut text = format!("(;FF[4]{game}CA[UTF-8]AP[Losange:{version}]SZ[{lines}]");
    for (key, value) in start.properties() {
        let _ = write!(text, "{key}[{}]", sgf::escape(&value));
    }
    write_occupants(&mut text, start);
    let _ = write!(text, "PL[{}]", vertex::letter(start.to_move()));
    let mut add = |side: Side, word: &str| _ = write!(text, "\n;{}[{word}]", move_keys::<G>()[side.index()]);
    // Hex has no pass; its programs write one where a side moves twice.
    let passes = G::SGF == Some(HEX);
    let mut turn = start.to_move();
    for &(side, mv) in history.moves() {
        if passes && side != turn {
            add(turn, PASS);
        }
        add(side, &Script::of_moves::<G>().show_move::<G>(size, mv));
        turn = side.opponent();
    }
    let now = history.position();
    if passes && now.outcome().is_none() && now.to_move() != turn {
        add(turn, PASS);
    }
    text + ")"
}

/// All occupants, if they are not those that a new game begins with.
fn write_occupants<G: Spelled>(text: &mut String, start: &G) {
    let (size, script, occupants) = (start.size(), Script::of_points::<G>(), start.occupants());
    if start.fresh(size).is_some_and(|fresh| fresh.occupants() == occupants) {
        return;
    }
    for (key, side) in [("AB", Some(Side::First)), ("AW", Some(Side::Second)), (ADD, None)] {
        let mut list = String::new();
        for &(occupant, point) in &occupants {
            let single = Side::BOTH.into_iter().find(|&side| Occupant::from(side) == occupant);
            if single == side {
                let word = if side.is_some() { String::new() } else { format!(":{}", occupants::show(occupant)) };
                let _ = write!(list, "[{}{word}]", script.show(size, point));
            }
        }
        if !list.is_empty() {
            let _ = write!(text, "{key}{list}");
        }
    }
    // A board without pieces is a set-up too.
    if occupants.is_empty() {
        let _ = write!(text, "AE[{}]", script.show(size, 0));
    }
}

#[cfg(test)]
mod tests;
