//! Rules of each game, written as plainly as can be: boards are copied, chains are found by walking, edges are joined by
//! flood filling.

use std::collections::BTreeSet;

/// Lengths of both sides of a board.
type Size = (usize, usize);

/// A position of a game. Sides are 0 for Black and 1 for White; points are counted row by row from the top.
pub(crate) trait Rules: Clone {
    /// A move.
    type Move: Clone;
    /// The program's word for it.
    const GAME: &'static str;
    /// Boards that are tried.
    const SIZES: &'static [Size];
    /// The command that sets stones up.
    const SET_UP: Option<&'static str>;
    /// The command that lists legal moves.
    const LEGAL: &'static str;

    fn start(size: Size) -> Self;
    /// The start of a game on a cleared board, with the rules of the game before.
    fn cleared(size: Size, _before: &Self) -> Self {
        Self::start(size)
    }
    /// Whether the program has such boards, beside those that are tried.
    fn may_have(size: Size) -> bool;
    /// The position with those stones, Black to move.
    fn set_up(_size: Size, _stones: &[(usize, usize)], _before: &Self) -> Option<Self> {
        None
    }
    fn to_move(&self) -> usize;
    /// The position after the move, if it is legal.
    fn after(&self, side: usize, mv: &Self::Move) -> Option<Self>;
    fn legal(&self, side: usize) -> Vec<Self::Move>;
    /// A move that need not be legal.
    fn any_move(&self, below: &mut dyn FnMut(usize) -> usize) -> Self::Move;
    fn name(&self, mv: &Self::Move) -> String;
    fn point(&self, point: usize) -> String;
    /// Rows of the board from the top, as the program shows them.
    fn rows(&self) -> Vec<String>;
    /// A command that changes the rules, by a number.
    fn change(&mut self, _number: usize) -> Option<String> {
        None
    }
    /// Whether the program lists no moves, since the game has ended, though moves can be played.
    fn is_over(&self) -> bool {
        false
    }
    /// Something else to ask, and its answer.
    fn question(&self) -> Option<(&'static str, String)> {
        None
    }
}

/// Content of a point.
type Cell = Option<usize>;

fn rows(cells: &[Cell], width: usize) -> Vec<String> {
    let mark = |cell: &Cell| ["X", "O", "."][cell.unwrap_or(2)];
    cells.chunks(width).map(|row| row.iter().map(mark).collect::<Vec<_>>().join(" ")).collect()
}

/// A point in the letters of Go: no I, rows from the bottom.
fn go_point((width, height): Size, point: usize) -> String {
    let letter = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[point % width] as char;
    format!("{letter}{}", height - point / width)
}

/// Points beside a point, by steps to columns and rows.
fn beside((width, height): Size, point: usize, steps: &[(isize, isize)]) -> Vec<usize> {
    let (x, y) = ((point % width) as isize, (point / width) as isize);
    let inside = |&(x, y): &(isize, isize)| (0..width as isize).contains(&x) && (0..height as isize).contains(&y);
    let all = steps.iter().map(|(dx, dy)| (x + dx, y + dy));
    all.filter(inside).map(|(x, y)| y as usize * width + x as usize).collect()
}

const CROSS: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const AROUND: [(isize, isize); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const HEXAGON: [(isize, isize); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// All points of the same content that hang together with this one.
fn chain(size: Size, cells: &[Cell], from: usize, steps: &[(isize, isize)]) -> BTreeSet<usize> {
    let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(point) = open.pop() {
        for next in beside(size, point, steps) {
            if cells[next] == cells[from] && found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

/// Which positions may not come again.
#[derive(Clone, Copy, PartialEq)]
enum Repetition {
    Ko,
    Superko,
}

/// Rule sets by their names: repetition, and whether a chain of several stones may be taken by its own side.
const RULE_SETS: [(&str, Repetition, bool); 4] = [
    ("chinese", Repetition::Ko, false),
    ("tromp-taylor", Repetition::Superko, true),
    ("japanese", Repetition::Ko, false),
    ("cgos", Repetition::Superko, false),
];

/// Go.
#[derive(Clone)]
pub(crate) struct Go {
    size: Size,
    cells: Vec<Cell>,
    to_move: usize,
    /// Boards of before, and who made the move that left each.
    past: Vec<(Vec<Cell>, usize)>,
    /// Passes since the last stone.
    passes: usize,
    rules: usize,
}

impl Go {
    /// The board after a stone. Where others may be the referees (`tolerant`), chains may be given up and positions come back.
    fn placed(&self, side: usize, point: usize, tolerant: bool) -> Option<Vec<Cell>> {
        if self.cells.get(point)?.is_some() {
            return None;
        }
        let mut cells = self.cells.clone();
        cells[point] = Some(side);
        let free = |cells: &[Cell], chain: &BTreeSet<usize>| {
            chain.iter().any(|&p| beside(self.size, p, &CROSS).iter().any(|&n| cells[n].is_none()))
        };
        for next in beside(self.size, point, &CROSS) {
            if cells[next] == Some(1 - side) {
                let chain = chain(self.size, &cells, next, &CROSS);
                if !free(&cells, &chain) {
                    chain.iter().for_each(|&p| cells[p] = None);
                }
            }
        }
        let own = chain(self.size, &cells, point, &CROSS);
        if !free(&cells, &own) {
            if own.len() == 1 || !(tolerant || RULE_SETS[self.rules].2) {
                return None;
            }
            own.iter().for_each(|&p| cells[p] = None);
        }
        let repeated = match RULE_SETS[self.rules].1 {
            Repetition::Superko if !tolerant => {
                cells == self.cells || self.past.iter().any(|(board, _)| *board == cells)
            }
            // Taking back at once: the board before the opponent's last move.
            _ => self.past.last().is_some_and(|(board, mover)| *mover != side && *board == cells),
        };
        (!repeated).then_some(cells)
    }
}

impl Rules for Go {
    /// A point, or a pass.
    type Move = Option<usize>;
    const GAME: &'static str = "go";
    const SIZES: &'static [Size] = &[(5, 5), (2, 2), (3, 3), (4, 2), (3, 7), (9, 9), (25, 2), (19, 19)];
    const SET_UP: Option<&'static str> = Some("gogui-setup");
    const LEGAL: &'static str = "gogui-rules_legal_moves";

    fn start(size: Size) -> Self {
        Self { size, cells: vec![None; size.0 * size.1], to_move: 0, past: Vec::new(), passes: 0, rules: 0 }
    }

    fn cleared(size: Size, before: &Self) -> Self {
        Self { rules: before.rules, ..Self::start(size) }
    }

    fn may_have(size: Size) -> bool {
        (2..=25).contains(&size.0) && (2..=25).contains(&size.1)
    }

    fn set_up(size: Size, stones: &[(usize, usize)], before: &Self) -> Option<Self> {
        let mut start = Self::cleared(size, before);
        for &(side, point) in stones {
            if start.cells[point].replace(side).is_some() {
                return None;
            }
        }
        let free = |point: usize| {
            let chain = chain(size, &start.cells, point, &CROSS);
            chain.iter().any(|&p| beside(size, p, &CROSS).iter().any(|&n| start.cells[n].is_none()))
        };
        (0..start.cells.len()).all(|point| start.cells[point].is_none() || free(point)).then_some(start)
    }

    fn to_move(&self) -> usize {
        self.to_move
    }

    fn after(&self, side: usize, mv: &Option<usize>) -> Option<Self> {
        let cells = match mv {
            Some(point) => self.placed(side, *point, true)?,
            None => self.cells.clone(),
        };
        let mut next = self.clone();
        next.past.push((std::mem::replace(&mut next.cells, cells), side));
        next.to_move = 1 - side;
        next.passes = if mv.is_none() { self.passes + 1 } else { 0 };
        Some(next)
    }

    fn legal(&self, side: usize) -> Vec<Option<usize>> {
        (0..self.cells.len())
            .filter(|&point| self.placed(side, point, false).is_some())
            .map(Some)
            .chain([None])
            .collect()
    }

    fn any_move(&self, below: &mut dyn FnMut(usize) -> usize) -> Option<usize> {
        Some(below(self.cells.len()))
    }

    fn name(&self, mv: &Option<usize>) -> String {
        mv.map_or("pass".to_owned(), |point| self.point(point))
    }

    fn point(&self, point: usize) -> String {
        go_point(self.size, point)
    }

    fn rows(&self) -> Vec<String> {
        rows(&self.cells, self.size.0)
    }

    fn is_over(&self) -> bool {
        self.passes >= 2
    }

    fn change(&mut self, number: usize) -> Option<String> {
        self.rules = number % RULE_SETS.len();
        Some(format!("kata-set-rules {}", RULE_SETS[self.rules].0))
    }
}

/// Hex, without the swap.
#[derive(Clone)]
pub(crate) struct Hex {
    size: Size,
    cells: Vec<Cell>,
    to_move: usize,
}

impl Hex {
    /// Black joins top and bottom, White left and right.
    fn winner(&self) -> Option<usize> {
        let (width, height) = self.size;
        let joins = |side: usize, begins: &dyn Fn(usize) -> bool, ends: &dyn Fn(usize) -> bool| {
            (0..self.cells.len()).any(|point| {
                self.cells[point] == Some(side)
                    && begins(point)
                    && chain(self.size, &self.cells, point, &HEXAGON).into_iter().any(ends)
            })
        };
        if joins(0, &|p| p < width, &|p| p / width == height - 1) {
            Some(0)
        } else {
            joins(1, &|p| p % width == 0, &|p| p % width == width - 1).then_some(1)
        }
    }
}

impl Rules for Hex {
    type Move = usize;
    const GAME: &'static str = "hex";
    const SIZES: &'static [Size] = &[(4, 4), (1, 1), (2, 2), (5, 3), (3, 7), (11, 11), (17, 17), (25, 25), (1, 25)];
    const SET_UP: Option<&'static str> = None;
    const LEGAL: &'static str = "all_legal_moves";

    fn start(size: Size) -> Self {
        Self { size, cells: vec![None; size.0 * size.1], to_move: 0 }
    }

    fn may_have(_size: Size) -> bool {
        // Boards grow; what is beyond the largest is for other tests.
        true
    }

    fn to_move(&self) -> usize {
        self.to_move
    }

    fn after(&self, side: usize, &point: &usize) -> Option<Self> {
        // Also where a side has won: no stone changes that.
        if self.cells.get(point)?.is_some() {
            return None;
        }
        let mut next = Self { to_move: 1 - side, ..self.clone() };
        next.cells[point] = Some(side);
        Some(next)
    }

    fn legal(&self, _side: usize) -> Vec<usize> {
        if self.winner().is_some() {
            return Vec::new();
        }
        (0..self.cells.len()).filter(|&point| self.cells[point].is_none()).collect()
    }

    fn any_move(&self, below: &mut dyn FnMut(usize) -> usize) -> usize {
        below(self.cells.len())
    }

    fn name(&self, &mv: &usize) -> String {
        self.point(mv)
    }

    fn point(&self, point: usize) -> String {
        format!("{}{}", (b'a' + (point % self.size.0) as u8) as char, point / self.size.0 + 1)
    }

    fn rows(&self) -> Vec<String> {
        rows(&self.cells, self.size.0)
    }

    fn question(&self) -> Option<(&'static str, String)> {
        self.winner().map(|winner| ("final_score", ["B+", "W+"][winner].to_owned()))
    }
}

/// Clobber for so many players.
#[derive(Clone)]
pub(crate) struct Clobber<const PLAYERS: usize> {
    size: Size,
    cells: Vec<Cell>,
    to_move: usize,
}

impl<const PLAYERS: usize> Rules for Clobber<PLAYERS> {
    /// From and to.
    type Move = (usize, usize);
    const GAME: &'static str = if PLAYERS == 1 { "solitaire" } else { "clobber" };
    const SIZES: &'static [Size] = &[(6, 5), (1, 1), (2, 1), (3, 3), (4, 2), (10, 10)];
    const SET_UP: Option<&'static str> = Some("set_position");
    const LEGAL: &'static str = "all_legal_moves";

    fn start(size: Size) -> Self {
        let colour = |point: usize| Some((point % size.0 + point / size.0) % 2);
        Self { size, cells: (0..size.0 * size.1).map(colour).collect(), to_move: 0 }
    }

    fn may_have(size: Size) -> bool {
        let most = if PLAYERS == 1 { 20 } else { 10 };
        (1..=most).contains(&size.0) && (1..=most).contains(&size.1)
    }

    fn set_up(size: Size, stones: &[(usize, usize)], _before: &Self) -> Option<Self> {
        let mut start = Self { cells: vec![None; size.0 * size.1], ..Self::start(size) };
        for &(side, point) in stones {
            if start.cells[point].replace(side).is_some() {
                return None;
            }
        }
        Some(start)
    }

    fn to_move(&self) -> usize {
        self.to_move
    }

    fn after(&self, side: usize, &(from, to): &(usize, usize)) -> Option<Self> {
        let mover = (*self.cells.get(from)?)?;
        let own = PLAYERS == 1 || mover == side;
        let near = beside(self.size, from, &CROSS).contains(&to);
        if !own || !near || self.cells[to] != Some(1 - mover) {
            return None;
        }
        let mut next = Self { to_move: if PLAYERS == 1 { 0 } else { 1 - side }, ..self.clone() };
        next.cells[to] = next.cells[from].take();
        Some(next)
    }

    fn legal(&self, side: usize) -> Vec<(usize, usize)> {
        let points = 0..self.cells.len();
        let moves = points.flat_map(|from| beside(self.size, from, &CROSS).into_iter().map(move |to| (from, to)));
        moves.filter(|mv| self.after(side, mv).is_some()).collect()
    }

    fn any_move(&self, below: &mut dyn FnMut(usize) -> usize) -> (usize, usize) {
        let from = below(self.cells.len());
        let near = beside(self.size, from, &CROSS);
        if near.is_empty() { (from, from) } else { (from, near[below(near.len())]) }
    }

    fn name(&self, &(from, to): &(usize, usize)) -> String {
        format!("{}-{}", self.point(from), self.point(to))
    }

    fn point(&self, point: usize) -> String {
        go_point(self.size, point)
    }

    fn rows(&self) -> Vec<String> {
        // The program shows square boards, with the smaller ones at the bottom left.
        let (width, height) = self.size;
        let square = width.max(height);
        let wide = rows(&self.cells, width).into_iter().map(|row| row + &" ?".repeat(square - width));
        (height..square).map(|_| vec!["?"; square].join(" ")).chain(wide).collect()
    }

    fn question(&self) -> Option<(&'static str, String)> {
        if !self.legal(self.to_move).is_empty() {
            return None;
        }
        let left = self.cells.iter().flatten().count();
        let score = if PLAYERS == 1 { left.to_string() } else { ["W+", "B+"][self.to_move].to_owned() };
        Some(("final_score", score))
    }
}

/// Avalam: towers with their height and the colour of the uppermost piece.
#[derive(Clone)]
pub(crate) struct Avalam {
    towers: Vec<Option<(usize, usize)>>,
    to_move: usize,
}

const AVALAM: Size = (9, 9);
/// Places of Avalam's board: columns of each row that have a piece at the start, and the colour of the first.
const AVALAM_ROWS: [&str; 9] = [
    "??XO?????",
    "?XOXO????",
    "?OXOXOX??",
    "?XOXOXOXO",
    "XOXO?OXOX",
    "OXOXOXOX?",
    "??XOXOXO?",
    "????OXOX?",
    "?????OX??",
];

impl Rules for Avalam {
    type Move = (usize, usize);
    const GAME: &'static str = "avalam";
    const SIZES: &'static [Size] = &[AVALAM];
    const SET_UP: Option<&'static str> = None;
    const LEGAL: &'static str = "all_legal_moves";

    fn start(_size: Size) -> Self {
        let tower = |mark: char| "XO".find(mark).map(|side| (1, side));
        Self { towers: AVALAM_ROWS.iter().flat_map(|row| row.chars().map(tower)).collect(), to_move: 0 }
    }

    fn may_have(size: Size) -> bool {
        size == AVALAM
    }

    fn to_move(&self) -> usize {
        self.to_move
    }

    fn after(&self, side: usize, &(from, to): &(usize, usize)) -> Option<Self> {
        let ((height, top), (below, _)) = ((*self.towers.get(from)?)?, (*self.towers.get(to)?)?);
        if !beside(AVALAM, from, &AROUND).contains(&to) || height + below > 5 {
            return None;
        }
        let mut next = Self { to_move: 1 - side, ..self.clone() };
        next.towers[from] = None;
        next.towers[to] = Some((height + below, top));
        Some(next)
    }

    fn legal(&self, side: usize) -> Vec<(usize, usize)> {
        let points = 0..self.towers.len();
        let moves = points.flat_map(|from| beside(AVALAM, from, &AROUND).into_iter().map(move |to| (from, to)));
        moves.filter(|mv| self.after(side, mv).is_some()).collect()
    }

    fn any_move(&self, below: &mut dyn FnMut(usize) -> usize) -> (usize, usize) {
        // Only places of the board have names.
        let places: Vec<usize> = (0..81).filter(|&p| AVALAM_ROWS[p / 9].as_bytes()[p % 9] != b'?').collect();
        (places[below(places.len())], places[below(places.len())])
    }

    fn name(&self, &(from, to): &(usize, usize)) -> String {
        format!("{}-{}", self.point(from), self.point(to))
    }

    fn point(&self, point: usize) -> String {
        go_point(AVALAM, point)
    }

    fn rows(&self) -> Vec<String> {
        let mark = |point: usize| match self.towers[point] {
            Some((_, side)) => ["X", "O"][side],
            None if AVALAM_ROWS[point / 9].as_bytes()[point % 9] == b'?' => "?",
            None => ".",
        };
        (0..9).map(|y| (0..9).map(|x| mark(y * 9 + x)).collect::<Vec<_>>().join(" ")).collect()
    }

    fn question(&self) -> Option<(&'static str, String)> {
        if self.legal(0).is_empty() {
            let count = |side: usize, high: bool| {
                self.towers.iter().flatten().filter(|tower| tower.1 == side && (!high || tower.0 == 5)).count() as isize
            };
            let (lead, fives) = (count(0, false) - count(1, false), count(0, true) - count(1, true));
            let letter = |lead: isize| if lead > 0 { "B+" } else { "W+" };
            let score = match (lead, fives) {
                (0, 0) => "0".to_owned(),
                (0, fives) => letter(fives).to_owned(),
                (lead, _) => format!("{}{}", letter(lead), lead.abs()),
            };
            return Some(("final_score", score));
        }
        let points = 0..self.towers.len();
        let high =
            points.filter_map(|p| self.towers[p].filter(|t| t.0 > 1).map(|t| format!(" {} {}", self.point(p), t.0)));
        let labels: String = high.collect();
        Some(("gogui-rules_board_gfx", if labels.is_empty() { labels } else { format!("LABEL{labels}") }))
    }
}
