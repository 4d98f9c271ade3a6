//! A session that is spoken to in command lines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::call::{Call, Desk, Dialect, Output, Status};
use super::line::{LONGEST, Line};
use super::reply::{Refusal, format};
use super::vertex::Notation;
use crate::games::{avalam, clobber};
use crate::players::Kind;
use crate::session::{Control, GoSession, HexSession, Session, Settings, SteppingSession};

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More lines are welcome.
    Continue,
    /// The session was asked to end, and has answered.
    Quit,
}

enum Game {
    Go(Box<GoSession>),
    Hex(Box<HexSession>),
    Clobber(Box<SteppingSession<clobber::Position>>),
    Solitaire(Box<SteppingSession<clobber::Solitaire>>),
    Avalam(Box<SteppingSession<avalam::Position>>),
}

/// Does something with the session, whatever its game.
macro_rules! with_session {
    ($game:expr, $session:ident => $do:expr) => {
        match $game {
            Game::Go($session) => $do,
            Game::Hex($session) => $do,
            Game::Clobber($session) => $do,
            Game::Solitaire($session) => $do,
            Game::Avalam($session) => $do,
        }
    };
}

fn begin(kind: Kind, settings: &Settings, control: &Arc<Control>) -> (Game, Notation) {
    let (settings, control) = (settings.clone(), Arc::clone(control));
    match kind {
        Kind::Go => (Game::Go(Box::new(GoSession::new(settings, control))), Notation::Gtp),
        Kind::Hex => (Game::Hex(Box::new(HexSession::new(settings, control))), Notation::Htp),
        Kind::Clobber => (Game::Clobber(Box::new(SteppingSession::new(settings, control))), Notation::Gtp),
        Kind::Solitaire => (Game::Solitaire(Box::new(SteppingSession::new(settings, control))), Notation::Gtp),
        Kind::Avalam => (Game::Avalam(Box::new(SteppingSession::new(settings, control))), Notation::Gtp),
    }
}

/// What a client is told, and what it may do.
#[derive(Clone)]
pub struct Identity {
    /// Answer to `name`.
    pub name: String,
    /// Whether commands may read and write files.
    pub files: bool,
    /// Answer to `losange-status`.
    pub status: Status,
}

/// Executes command lines for one client. Whatever a line holds, it is answered and the session goes on.
pub struct Engine {
    game: Game,
    desk: Desk,
    settings: Settings,
    control: Arc<Control>,
}

impl Engine {
    /// A session of that game for the client that `identity` describes.
    pub fn new(kind: Kind, settings: Settings, control: Arc<Control>, identity: Identity) -> Self {
        let Identity { name, files, status } = identity;
        let (game, notation) = begin(kind, &settings, &control);
        let desk = Desk { name, files, status, notation, live_graphics: false, quit: false, switch: None };
        Self { game, desk, settings, control }
    }

    /// Executes one line of input, which was the `number`th that the control was told of.
    pub fn execute(&mut self, line: &[u8], number: u64, out: &mut dyn Output) -> Flow {
        let Some(line) = Line::parse(line) else { return Flow::Continue };
        with_session!(&mut self.game, session => execute(session.as_mut(), &mut self.desk, &line, number, out));
        if let Some(kind) = self.desk.switch.take() {
            (self.game, self.desk.notation) = begin(kind, &self.settings, &self.control);
        }
        if self.desk.quit { Flow::Quit } else { Flow::Continue }
    }

    /// Answers a line that was too long to be read.
    pub fn refuse_long_line(&mut self, out: &mut dyn Output) {
        let refusal = Refusal::new(format_args!("line too long: more than {LONGEST} bytes"));
        out.send(&format(None, &Err(refusal)));
    }

    /// Nothing is to be done: think on the opponent's time if that was asked for. Returns at the next line of input.
    pub fn idle(&mut self) {
        with_session!(&mut self.game, session => {
            if catch_unwind(AssertUnwindSafe(|| session.ponder())).is_err() {
                tracing::error!("a fault while thinking on the opponent's time; the session goes on");
                session.recover();
            }
        });
    }
}

fn execute<S: Dialect>(session: &mut S, desk: &mut Desk, line: &Line, number: u64, out: &mut dyn Output) {
    session.core_mut().begin_line(number);
    let mut call = Call { session, desk, line, out, streaming: false };
    let command = S::table().iter().find(|c| c.name == line.name);
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

/// A word from outside, short enough to be repeated.
fn shortened(word: &str) -> &str {
    &word[..word.len().min(80)]
}
