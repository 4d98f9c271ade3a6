//! A session that is spoken to in command lines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::call::{Call, Command, Desk, Dialect, Output, StatusLine};
use super::line::{LONGEST, Line};
use super::reply::{Refusal, format};
use super::vertex::Notation;
use super::{administration, play};
use crate::players::{Kind, Played, Visitor};
use crate::session::{Control, GoSession, HexSession, PointsSession, Settings};

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More lines are welcome.
    Continue,
    /// The session was asked to end, and has answered.
    Quit,
}

/// A session of any game in its dialect.
pub(super) trait Talk: Send {
    /// How points are written at first.
    fn notation(&self) -> Notation;

    /// Executes and answers a line, the `number`th that the control was told of.
    fn execute(&mut self, desk: &mut Desk, line: &Line, number: u64, out: &mut dyn Output);

    /// Thinks on the opponent's time if that was asked for, until the next line of input.
    fn idle(&mut self);

    /// Wall time of the session's searches so far.
    fn search_time(&self) -> Duration;
}

/// A session and the commands of its game.
struct Talker<S: Dialect> {
    session: S,
    table: Vec<Command<S>>,
}

/// All commands of a game.
pub(super) fn table<S: Dialect>() -> Vec<Command<S>> {
    let mut table = administration::commands();
    table.extend(play::commands());
    table.extend(S::commands());
    table
}

fn begin(kind: Kind, settings: &Settings, control: &Arc<Control>) -> Box<dyn Talk> {
    let (settings, control) = (settings.clone(), Arc::clone(control));
    match kind {
        Kind::Go => talker(GoSession::new(settings, control)),
        Kind::Hex => talker(HexSession::new(settings, control)),
        _ => kind.visit(Points { settings, control }),
    }
}

/// A session of a game without a dialect of its own.
struct Points {
    settings: Settings,
    control: Arc<Control>,
}

impl Visitor for Points {
    type Output = Box<dyn Talk>;

    fn visit<G: Played>(self) -> Box<dyn Talk> {
        talker(PointsSession::<G>::new(self.settings, self.control))
    }
}

/// A session with the commands of its game.
pub(super) fn talker<S: Dialect>(session: S) -> Box<dyn Talk> {
    Box::new(Talker { session, table: table() })
}

/// What a client is told, and what it may do.
#[derive(Clone)]
pub struct Identity {
    /// Answer to `name`.
    pub name: String,
    /// Whether commands may read and write files.
    pub files: bool,
    /// Answer to `losange-status`.
    pub status: StatusLine,
}

/// Executes command lines for one client. Whatever a line holds, it is answered and the session goes on.
pub struct Engine {
    talk: Box<dyn Talk>,
    desk: Desk,
    settings: Settings,
    control: Arc<Control>,
}

impl Engine {
    /// A session of that game for the client that `identity` describes.
    pub fn new(kind: Kind, settings: Settings, control: Arc<Control>, identity: Identity) -> Self {
        let Identity { name, files, status } = identity;
        let talk = begin(kind, &settings, &control);
        let notation = talk.notation();
        let desk = Desk { name, files, status, notation, live_graphics: false, quit: false, switch: None };
        Self { talk, desk, settings, control }
    }

    /// Executes one line of input, which was the `number`th that the control was told of.
    pub fn execute(&mut self, line: &[u8], number: u64, out: &mut dyn Output) -> Flow {
        let Some(line) = Line::parse(line) else { return Flow::Continue };
        self.talk.execute(&mut self.desk, &line, number, out);
        if let Some(kind) = self.desk.switch.take() {
            self.talk = begin(kind, &self.settings, &self.control);
            self.desk.notation = self.talk.notation();
        }
        if self.desk.quit { Flow::Quit } else { Flow::Continue }
    }

    /// Wall time of the game's searches so far. A fresh game begins at 0.
    pub fn search_time(&self) -> Duration {
        self.talk.search_time()
    }

    /// Answers a line that was too long to be read.
    pub fn refuse_long_line(&mut self, out: &mut dyn Output) {
        let refusal = Refusal::new(format_args!("line too long: more than {LONGEST} bytes"));
        out.send(&format(None, &Err(refusal)));
    }

    /// Nothing is to be done: think on the opponent's time if that was asked for. Returns at the next line of input.
    pub fn idle(&mut self) {
        self.talk.idle();
    }
}

impl<S: Dialect> Talk for Talker<S> {
    fn notation(&self) -> Notation {
        S::NOTATION
    }

    fn execute(&mut self, desk: &mut Desk, line: &Line, number: u64, out: &mut dyn Output) {
        self.session.core_mut().begin_line(number);
        let mut call = Call { session: &mut self.session, desk, table: &self.table, line, out, streaming: false };
        let command = call.table.iter().find(|c| c.name == line.name);
        let answer = match command {
            None if line.name.is_empty() => Err(Refusal::new("syntax error: there is no command")),
            None => Err(Refusal::new(format_args!("unknown command: {}", shortened(&line.name)))),
            Some(command) => match catch_unwind(AssertUnwindSafe(|| (command.run)(&mut call))) {
                Ok(answer) => answer,
                Err(_) => {
                    tracing::error!(
                        command = line.name,
                        "a fault inside the engine; the session goes on from its last position"
                    );
                    call.session.recover();
                    Err(Refusal::new("internal error"))
                }
            },
        };
        if call.streaming {
            // The head has gone out before; what remains is the last line, and the empty one.
            let text = match &answer {
                Ok(text) | Err(Refusal(text)) => text,
            };
            let last = if text.is_empty() { String::new() } else { format!("{text}\n") };
            call.out.send(&(last + "\n"));
        } else {
            call.out.send(&format(line.id.as_deref(), &answer));
        }
    }

    fn idle(&mut self) {
        if catch_unwind(AssertUnwindSafe(|| self.session.ponder())).is_err() {
            tracing::error!("a fault while thinking on the opponent's time; the session goes on");
            self.session.recover();
        }
    }

    fn search_time(&self) -> Duration {
        self.session.core().search_time()
    }
}

/// A word from outside, short enough to be repeated.
fn shortened(word: &str) -> &str {
    &word[..word.len().min(80)]
}
