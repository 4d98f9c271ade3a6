//! Runs any bytes through the parsers and through whole sessions, and checks what must always hold. For fuzzing, and for
//! replaying what fuzzing has found.

mod queries;

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::line::Line;
use super::record::Reader;
use super::{Engine, Flow, Identity, Listener, Output, sgf};
use crate::eval::net::{Answers as Numbers, Backend, ModelFile, Network, Options, as_onnx, describe};
use crate::game::{Game, Side};
use crate::games::{self, Size};
use crate::learn::shard::Shard;
use crate::players::{Kind, Played, Setup, Visitor};
use crate::search::params::Method;
use crate::search::{Params, Share};
use crate::session::{Control, Settings};

pub use self::queries::queries;

/// Lines of a session that are executed; more say nothing new.
const MOST_LINES: usize = 100;
/// Boards in whole sessions are small, so that many are played.
const BOARD: Size = Size::square(5);

/// Reads a command line and checks that it keeps to its form.
///
/// # Panics
/// If it does not.
pub fn line(bytes: &[u8]) {
    if let Some(line) = Line::parse(bytes) {
        assert!(line.id.as_ref().is_none_or(|id| id.bytes().all(|b| b.is_ascii_digit())));
        let printable = |text: &String| text.bytes().all(|b| (b' '..=b'~').contains(&b));
        assert!(printable(&line.name) && printable(&line.rest) && line.args.iter().all(printable));
        assert!(!line.name.contains(' '));
    }
}

/// Reads a game record as one of each game, and checks that its moves are legal.
///
/// # Panics
/// If one is not.
pub fn sgf(bytes: &[u8]) {
    let Ok(nodes) = sgf::main_line(&String::from_utf8_lossy(bytes)) else { return };
    Kind::ALL.iter().for_each(|kind| kind.visit(Record(&nodes)));
}

/// Reads a model file, runs it on the embedded runtime if it is not refused, and writes it as ONNX if it is a network of KataGo's. Says
/// whether it ran.
///
/// # Panics
/// If a runtime does, if it gives another number of numbers than it says, or if the written file is not read as the same model.
pub fn model(bytes: &[u8]) -> bool {
    let Ok(model) = describe(bytes) else { return false };
    let ran = Kind::of_models(&model.game).is_some_and(|kind| kind.visit(Run(bytes)));
    if let Ok(Ok(written)) = as_onnx(bytes, &model.game, None) {
        let again = describe(&written);
        let same = |again: &ModelFile| {
            again.game == model.game && again.encoding == model.encoding && again.outputs == model.outputs
        };
        assert!(again.as_ref().is_ok_and(same), "{again:?}");
    }
    ran
}

/// A model file to be run.
struct Run<'a>(&'a [u8]);

impl Visitor for Run<'_> {
    type Output = bool;

    fn visit<G: Played>(self) -> bool {
        let options = Options { backend: Backend::Embedded, cache: 0, ..Options::default() };
        let Ok(network) = Network::from_bytes(Path::new("bytes"), self.0, &options, &G::square) else { return false };
        let (position, mut numbers) = (G::square(network.model().largest_size()), Numbers::default());
        let ran = network.run(&[&position, &position], &mut numbers, &|| true).is_ok();
        assert!(!ran || numbers.len() == 2, "{}", numbers.len());
        ran
    }
}

/// Reads a shard of lessons.
///
/// # Panics
/// If its arrays do not go together.
pub fn shard(bytes: &[u8]) {
    if let Ok(shard) = Shard::read_from(Cursor::new(bytes)) {
        assert_eq!(shard.planes.len(), shard.len() * shard.shape.iter().product::<usize>());
        assert_eq!(shard.targets.len(), shard.weights.len());
    }
}

/// A record to be read.
struct Record<'a>(&'a [sgf::SgfNode]);

impl Visitor for Record<'_> {
    type Output = ();

    fn visit<G: Played>(self) {
        let current = &G::first_game(&Setup { size: Some(BOARD), ..Setup::default() });
        let read = Reader { kind: G::KIND, usual: BOARD, current }.read(self.0, None);
        if let Ok(game) = read {
            check_game(game.start, &game.moves);
        }
    }
}

fn check_game<G: Game>(mut position: G, moves: &[(Side, G::Move)]) {
    for &(side, mv) in moves {
        position.set_to_move(side);
        let over = position.outcome().is_some();
        assert!(over || position.is_legal(mv), "{mv:?} in {position:?}");
        position.play(mv);
    }
}

/// Collects answers.
#[derive(Default)]
struct Answers(String);

impl Output for Answers {
    fn send(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn graphics(&mut self, _: &str) {}

    fn remark(&mut self, _: &str) {}
}

/// Runs a session on a small board and checks that every line has its answer in the right form. The first byte chooses the game.
///
/// # Panics
/// If one has not, or if anything inside panics.
pub fn session(bytes: &[u8]) {
    let Some((&first, input)) = bytes.split_first() else { return };
    let mut settings = settings();
    (settings.playouts, settings.setup.size) = (Some(5), Some(BOARD));
    run(game(first), settings, input);
}

/// Runs a session as its first six bytes say: game, columns, rows, search, limit of a move (an odd number: milliseconds, an even
/// one: playouts), and threads. Lines `NAME VALUE` up to an empty one set parameters, the rest is input.
///
/// # Panics
/// As [`session`].
pub fn set_up_session(bytes: &[u8]) {
    let Some((&[first, width, height, search, limit, threads], text)) = bytes.split_first_chunk() else { return };
    let kind = game(first);
    let lines = |byte: u8| 1 + usize::from(byte) % games::MOST_LINES;
    let size = Size { width: lines(width), height: lines(height) };
    let mut settings = Settings { threads: 1 + usize::from(threads) % 2, ..settings() };
    settings.setup.size = Some(size).filter(|&size| kind.boards().contains(size));
    match limit % 2 {
        0 => settings.playouts = Some(1 + u64::from(limit) / 8),
        _ => settings.time_per_move = Duration::from_millis(u64::from(limit) / 16),
    }
    let mut input = text;
    kind.visit(Set { params: &mut settings.params, search, input: &mut input });
    run(kind, settings, input);
}

/// The game of a byte: most sessions are of Go and Hex.
fn game(byte: u8) -> Kind {
    let others = &Kind::ALL[2..];
    match byte {
        0xC0.. => others[usize::from(byte) % others.len()],
        _ => Kind::ALL[usize::from(byte) % 2],
    }
}

fn settings() -> Settings {
    Settings {
        memory: 1,
        lag: Duration::ZERO,
        answer_time: Duration::from_millis(50),
        ..Settings::new(Arc::new(Share::new(2)), 1)
    }
}

/// Sets the search and what the first lines of the input name, as far as the game has it.
struct Set<'a, 'b> {
    params: &'a mut Params,
    search: u8,
    input: &'a mut &'b [u8],
}

impl Visitor for Set<'_, '_> {
    type Output = ();

    fn visit<G: Played>(self) {
        let recipe = G::recipe();
        let (_, name) = Method::ALL[usize::from(self.search) % Method::ALL.len()];
        _ = recipe.set(self.params, "search", name);
        while let Some(end) = self.input.iter().position(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(&self.input[..end]).into_owned();
            *self.input = &self.input[end + 1..];
            match line.split_once(' ') {
                Some((name, value)) => _ = recipe.set(self.params, name, value),
                None => return,
            }
        }
    }
}

fn run(kind: Kind, settings: Settings, input: &[u8]) {
    let control = Arc::new(Control::new());
    let (name, version, status) = ("Losange".to_owned(), "1.0".to_owned(), Arc::new(String::new));
    let identity = Identity { name, version, remarks: false, files: false, status };
    let mut engine = Engine::new(kind, settings, Arc::clone(&control), identity);
    for line in input.split(|&b| b == b'\n').take(MOST_LINES) {
        let number = control.line_read();
        // The next line has come already: an analysis ends at once.
        control.line_read();
        let mut answers = Answers::default();
        let flow = engine.execute(line, number, &mut answers);
        check_answer(line, &answers.0);
        if flow == Flow::Quit {
            return;
        }
    }
}

fn check_answer(line: &[u8], text: &str) {
    let Some(line) = Line::parse(line) else {
        assert!(text.is_empty(), "a blank line is answered by {text:?}");
        return;
    };
    // HexGui's graphics come in blocks of their own before the answer.
    let answer = text.split_inclusive("\n\n").find(|block| !block.starts_with("gogui-gfx:")).unwrap_or_default();
    let id = line.id.unwrap_or_default();
    let good = answer.starts_with(&format!("={id} ")) || answer.starts_with(&format!("?{id} "));
    assert!(good, "{:?} is answered by {text:?}", line.name);
    assert!(text.ends_with("\n\n") && !answer.trim_end_matches('\n').contains("\n\n"), "{text:?}");
    assert!(!answer.contains("internal error"), "{:?} {:?}", line.name, line.rest);
    assert!(text.is_ascii());
}
