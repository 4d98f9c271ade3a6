//! Protocols of other worlds than GTP's: Gomocup, NBoard, UCI. Each is a tongue that turns what it hears into command lines for
//! the engine, and its answers back.

mod ggf;
mod gomocup;
mod nboard;
mod uci;

use std::str::SplitWhitespace;
use std::time::Duration;

use super::call::Output;
use super::engine::{Engine, Flow, Listener, Reflexes};
use super::line::LONGEST;
use crate::players::Kind;

/// Share of the time for a move that is used, less seconds for the way; the least that a move is given where that is half of the time at
/// most, and the least at all.
const USED: (f64, f64) = (0.95, 0.03);
const LEAST: f64 = 0.02;
const SHORTEST: f64 = 0.001;
/// Expansions of depth 0, each further depth twice as many; and the greatest depth.
const EXPANSIONS: u64 = 16;
const DEEPEST: u32 = 18;

/// Seconds to think, of those that a client gives for a move.
fn thinking_time(given: f64) -> f64 {
    (given * USED.0 - USED.1).max(LEAST.min(given / 2.0)).max(SHORTEST)
}

/// Expansions of a search to a depth, where clients count in depths.
fn expansions(depth: u32) -> u64 {
    EXPANSIONS << depth.min(DEEPEST)
}

/// A protocol beside GTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Gomocup's, of managers and tournaments of Gomoku.
    Gomocup,
    /// NBoard's, of a GUI of Othello.
    NBoard,
    /// UCI, with moves as Fairy-Stockfish writes them.
    Uci,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Gomocup, Self::NBoard, Self::Uci];

    /// Its word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gomocup => "gomocup",
            Self::NBoard => "nboard",
            Self::Uci => "uci",
        }
    }

    /// The protocol of that word.
    ///
    /// # Errors
    /// Any other word: the message names those that there are.
    pub fn of_word(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|protocol| protocol.word() == word);
        found.ok_or_else(|| format!("protocols are {}", Self::ALL.map(Self::word).join(", ")))
    }

    /// Games that are played in it.
    pub const fn games(self) -> &'static [Kind] {
        match self {
            Self::Gomocup => &[Kind::Gomoku],
            Self::NBoard => &[Kind::Othello],
            Self::Uci => &[Kind::Breakthrough, Kind::Amazons],
        }
    }

    fn tongue(self, name: &str, kind: Kind, threads: usize) -> Box<dyn Tongue> {
        let name = name.to_owned();
        match self {
            Self::Gomocup => Box::new(gomocup::Gomocup::new(name)),
            Self::NBoard => Box::new(nboard::NBoard::new(name)),
            Self::Uci => Box::new(uci::Uci::new(name, kind, threads)),
        }
    }

    /// Its reflexes to lines that are read.
    fn reflexes(self) -> Reflexes {
        match self {
            Self::Gomocup => Reflexes { quits: |line| line.trim_ascii().eq_ignore_ascii_case(b"END"), ..Reflexes::GTP },
            Self::NBoard => Reflexes { interrupts: |line| line.trim_ascii().starts_with(b"ping"), ..Reflexes::GTP },
            Self::Uci => Reflexes {
                interrupts: |line| line.trim_ascii() == b"stop",
                searches: |line| uci::first_word(line) == b"go",
                answers: uci::answer_beside_search,
                ..Reflexes::GTP
            },
        }
    }
}

/// A protocol as a client speaks it, with what was said so far.
trait Tongue: Send {
    /// Answers a line.
    fn hear(&mut self, line: &str, talk: &mut Translation<'_>) -> Flow;
}

/// The engine that a tongue asks, and the client that it answers.
struct Translation<'a> {
    engine: &'a mut Engine,
    /// Number of the line at the control.
    number: u64,
    out: &'a mut dyn Output,
    /// Whether the engine has ended its session.
    over: bool,
}

impl Translation<'_> {
    /// Sends a line.
    fn say(&mut self, line: &str) {
        self.out.send(&format!("{line}\n"));
    }

    /// The answer to a command.
    ///
    /// # Errors
    /// The engine's reason to refuse the command.
    fn ask(&mut self, command: &str) -> Result<String, String> {
        self.ask_with_reports(command, &mut |_| None)
    }

    /// The answer to a search. The client is sent what `report` makes of each report on the way: its moves, best first.
    ///
    /// # Errors
    /// The engine's reason to refuse the command.
    fn ask_with_reports(
        &mut self,
        command: &str,
        report: &mut dyn FnMut(&[Candidate]) -> Option<String>,
    ) -> Result<String, String> {
        let mut answer = Answered { out: self.out, report, text: String::new() };
        let flow = self.engine.execute(command.as_bytes(), self.number, &mut answer);
        self.over |= flow == Flow::Quit;
        let text = answer.text;
        match text.split_at_checked(1) {
            Some(("=", told)) => Ok(told.trim().to_owned()),
            Some((_, told)) => Err(told.trim().to_owned()),
            None => Err("no answer".to_owned()),
        }
    }
}

/// The engine's answer, as it comes.
struct Answered<'a> {
    out: &'a mut dyn Output,
    report: &'a mut dyn FnMut(&[Candidate]) -> Option<String>,
    text: String,
}

impl Output for Answered<'_> {
    fn send(&mut self, text: &str) {
        for line in text.lines().filter(|line| line.starts_with("info ")) {
            if let Some(told) = (self.report)(&Candidate::all(line)) {
                self.out.send(&told);
            }
        }
        self.text.push_str(text);
    }

    fn graphics(&mut self, _text: &str) {}

    fn remark(&mut self, text: &str) {
        self.out.remark(text);
    }
}

/// An engine that is spoken to in another protocol than GTP.
pub struct Interpreter {
    engine: Engine,
    tongue: Box<dyn Tongue>,
    protocol: Protocol,
}

impl Interpreter {
    /// The engine in that protocol, under that name. Its session is of that game, which should be one of [`Protocol::games`], and its
    /// searches may have so many threads.
    pub fn new(engine: Engine, protocol: Protocol, name: &str, kind: Kind, threads: usize) -> Self {
        Self { engine, tongue: protocol.tongue(name, kind, threads), protocol }
    }
}

impl Listener for Interpreter {
    fn execute(&mut self, line: &[u8], number: u64, out: &mut dyn Output) -> Flow {
        let line = String::from_utf8_lossy(line);
        let mut talk = Translation { engine: &mut self.engine, number, out, over: false };
        match self.tongue.hear(line.trim(), &mut talk) {
            Flow::Continue if !talk.over => Flow::Continue,
            _ => Flow::Quit,
        }
    }

    fn search_time(&self) -> Duration {
        self.engine.search_time()
    }

    fn refuse_long_line(&mut self, _out: &mut dyn Output) {
        tracing::warn!(longest = LONGEST, "a line was too long to be read");
    }

    fn idle(&mut self) {
        self.engine.idle();
    }

    fn end_of_input(&mut self) {
        self.engine.end_of_input();
    }

    fn reflexes(&self) -> Reflexes {
        self.protocol.reflexes()
    }
}

/// A move of a report, with its numbers.
#[derive(Clone, Debug, Default, PartialEq)]
struct Candidate {
    /// The move in GTP's words.
    mv: String,
    visits: u64,
    /// Share of the games that the side to move wins.
    win_rate: f32,
    /// Moves that would follow, the move itself first.
    line: Vec<String>,
}

impl Candidate {
    /// The moves of a report, best first.
    fn all(report: &str) -> Vec<Self> {
        report.split("info ").skip(1).map(|part| Self::read(part.split_whitespace())).collect()
    }

    fn read(mut words: SplitWhitespace<'_>) -> Self {
        let mut read = Self::default();
        while let Some(key) = words.next() {
            match key {
                "pv" => {
                    read.line = words.map(str::to_owned).collect();
                    return read;
                }
                "move" => words.next().unwrap_or_default().clone_into(&mut read.mv),
                "visits" => read.visits = number(words.next()),
                "winrate" => read.win_rate = number(words.next()),
                _ => {}
            }
        }
        read
    }

    /// The expected result for the side to move, from -1 to 1.
    fn value(&self) -> f32 {
        2.0 * self.win_rate - 1.0
    }
}

/// A number in a report of the engine's own.
fn number<T: std::str::FromStr + Default>(word: Option<&str>) -> T {
    word.and_then(|word| word.parse().ok()).unwrap_or_default()
}

/// The move that the engine chose, behind the reports of `kata-search_analyze`.
fn chosen(answer: &str) -> Option<&str> {
    answer.lines().rev().find_map(|line| line.strip_prefix("play "))
}
