//! One command being executed: its session, its arguments, where its lines go. And the table that commands stand in.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::line::Line;
use super::reply::{Answer, Refusal, head};
use super::vertex::{self, Notation};
use crate::game::{Game, Side};
use crate::games::{Size, Spelled};
use crate::players::Kind;
use crate::session::Session;

/// Where answers go. Whoever implements it notices by itself that nobody reads any more.
pub trait Output {
    /// Sends text, at once.
    fn send(&mut self, text: &str);

    /// Sends GoGui's live graphics, which do not travel with the answers.
    fn graphics(&mut self, text: &str);

    /// Sends a line that does not travel with the answers and is there before the next one.
    fn remark(&mut self, text: &str);
}

/// Says how busy the process is.
pub type StatusLine = Arc<dyn Fn() -> String + Send + Sync>;

/// State of a client that does not belong to one game: name, permissions, notation.
#[derive(Clone)]
pub struct Desk {
    /// Answer to `name`.
    pub name: String,
    /// Answer to `version`.
    pub version: String,
    /// Whether moves are remarked upon as OGS's bridge reads it.
    pub remarks: bool,
    /// Whether commands may read and write files.
    pub files: bool,
    /// How points are written; GoGui wants Go letters for Hex too.
    pub notation: Notation,
    /// Whether GoGui's live graphics are sent.
    pub live_graphics: bool,
    /// Answer of `losange-status`.
    pub status: StatusLine,
    /// The session is to end.
    pub quit: bool,
    /// The session is to go on with a fresh game of this kind.
    pub switch: Option<Kind>,
}

/// How a session's game is spoken of, beside what [`Spelled`] says.
pub trait Dialect: Session + Send + Sized + 'static {
    /// The game.
    const KIND: Kind;
    /// How points are written unless the client is GoGui.
    const NOTATION: Notation = Notation::on(<Self::G as Spelled>::GRID);
    /// Whether GoGui has the rules of the game built in.
    const KNOWN_TO_GOGUI: bool = false;

    /// A move that was chosen, as the client shall read it.
    fn show_chosen(&self, notation: Notation, mv: MoveOf<Self>) -> String {
        notation.show_move::<Self::G>(Spelled::size(self.core().position()), mv)
    }

    /// Takes a word that is no move and yet may be played: a part of a move, or that there is none. `None` if it is neither.
    fn play_other(&mut self, _notation: Notation, _side: Side, _word: &str) -> Option<Result<(), String>> {
        None
    }

    /// The board as GoGui is told: it draws only square ones of games that it does not know. Points that are too many lie
    /// above and to the right, and are none.
    fn gogui_size(&self) -> Size {
        Spelled::size(self.core().position())
    }

    /// The client is GoGui: only it asks for the rules, and says its version.
    fn meet_gogui(&mut self) {}

    /// The commands that other games do not have, or have differently.
    fn commands() -> Vec<Command<Self>>;
}

/// The moves of a session's game.
pub type MoveOf<S> = <<S as Session>::G as Game>::Move;

/// One row of a command table.
pub struct Command<S: Session> {
    /// Its name, as it is sent.
    pub name: &'static str,
    /// Its arguments, for people.
    pub args: &'static str,
    /// Effect, in one sentence.
    pub doc: &'static str,
    /// Executes it.
    pub run: fn(&mut Call<'_, S>) -> Answer,
}

/// A command table: of each row name, arguments, effect and function.
macro_rules! rows {
    ($($name:literal $args:literal $doc:literal $run:expr;)*) => {
        vec![$($crate::protocol::call::Command { name: $name, args: $args, doc: $doc, run: $run },)*]
    };
}
pub(super) use rows;

/// A command being executed.
pub struct Call<'a, S: Session> {
    /// The session.
    pub session: &'a mut S,
    /// The rest.
    pub desk: &'a mut Desk,
    /// All commands of the game.
    pub table: &'a [Command<S>],
    /// The command as it was sent.
    pub line: &'a Line,
    /// Where lines go before the answer.
    pub out: &'a mut dyn Output,
    /// Whether the head of the answer has been sent and lines follow.
    pub streaming: bool,
}

impl<S: Session> Call<'_, S> {
    /// Sends the head of an answer whose lines follow one by one.
    pub fn begin_stream(&mut self) {
        let head = head(true, self.line.id.as_deref());
        self.out.send(&format!("{head}\n"));
        self.streaming = true;
    }

    /// Number of arguments.
    pub fn count(&self) -> usize {
        self.line.args.len()
    }

    /// An argument.
    ///
    /// # Errors
    /// Says what it should have been.
    pub fn arg(&self, number: usize, what: &str) -> Result<&str, Refusal> {
        let missing = || Refusal::new(format_args!("syntax error: {} is missing its argument: {what}", self.line.name));
        self.line.args.get(number).map(String::as_str).ok_or_else(missing)
    }

    /// A colour argument.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn side(&self, number: usize) -> Result<Side, Refusal> {
        vertex::colour(self.arg(number, "a colour, b or w")?)
    }

    /// A whole number, not negative.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn number(&self, number: usize, what: &str) -> Result<usize, Refusal> {
        let word = self.arg(number, what)?;
        word.parse().map_err(|_| expected(what, word))
    }

    /// A finite number.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn float(&self, number: usize, what: &str) -> Result<f64, Refusal> {
        let word = self.arg(number, what)?;
        word.parse().ok().filter(|f: &f64| f.is_finite()).ok_or_else(|| expected(what, word))
    }

    /// A time in seconds.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn seconds(&self, number: usize, what: &str) -> Result<Duration, Refusal> {
        let seconds = self.float(number, what)?;
        // A year is as good as for ever, and sums of such times stay far from overflow.
        const LONGEST: f64 = 365.0 * 24.0 * 3600.0;
        Duration::try_from_secs_f64(seconds.min(LONGEST)).map_err(|_| expected(what, &seconds.to_string()))
    }
}

impl<S: Dialect> Call<'_, S> {
    /// Width and height of the board now.
    pub fn size(&self) -> Size {
        Spelled::size(self.session.core().position())
    }

    /// A move as text, as this client writes it.
    pub fn show(&self, mv: MoveOf<S>) -> String {
        self.desk.notation.show_move::<S::G>(self.size(), mv)
    }

    /// A point as text, as this client writes it.
    pub fn show_point(&self, index: usize) -> String {
        self.desk.notation.show(self.size(), index)
    }

    /// A point argument.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn point(&self, number: usize) -> Result<usize, Refusal> {
        let word = self.arg(number, "a point of the board")?;
        self.desk.notation.read(self.size(), word).ok_or_else(|| off_board(word))
    }

    /// Whether a legal move is written by so many points: in some games those at the beginning are by fewer than later ones.
    fn has_moves_of(&self, points: usize) -> bool {
        let (position, mut moves) = (self.session.core().position(), Vec::new());
        position.legal_moves(&mut moves);
        moves.into_iter().any(|mv| S::G::spell(self.size(), mv).points().len() == points)
    }

    /// A move as this client writes it.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(&self, word: &str) -> Result<MoveOf<S>, Refusal> {
        let (notation, size, wanted) = (self.desk.notation, self.size(), S::G::POINTS);
        notation.read_move::<S::G>(size, word).ok_or_else(|| {
            match notation.read_points(size, word).map(|it| it.len()) {
                None => off_board(word),
                Some(named) if named == wanted || named < wanted && self.has_moves_of(named) => {
                    no_move(format_args!("'{word}' is no move of this game"))
                }
                Some(named) => no_move(format_args!("a move has {wanted} points, and '{word}' {named}")),
            }
        })
    }
}

/// "Expected this, found that."
pub fn expected(what: &str, found: &str) -> Refusal {
    Refusal::new(format_args!("syntax error: expected {what}, found '{found}'"))
}

/// The word names no point.
pub fn off_board(word: &str) -> Refusal {
    no_move(format_args!("'{word}' is no point of this board"))
}

fn no_move(why: fmt::Arguments<'_>) -> Refusal {
    Refusal::new(format_args!("illegal move: {why} (invalid)"))
}
