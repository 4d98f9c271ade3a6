//! A session that is spoken to in command lines.

use std::sync::Arc;
use std::time::Duration;

use super::call::{Desk, Output, StatusLine};
use super::dialects::begin;
use super::line::{LONGEST, Line};
use super::reply::{Refusal, format};
use super::talk::Talk;
use crate::players::Kind;
use crate::session::{Control, Settings};

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More lines are welcome.
    Continue,
    /// The session was asked to end, and has answered.
    Quit,
}

/// Name that a client is told, and its permissions.
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
        let talk = begin(kind, settings.clone(), Arc::clone(&control));
        let notation = talk.notation();
        let desk = Desk { name, files, status, notation, live_graphics: false, quit: false, switch: None };
        Self { talk, desk, settings, control }
    }

    /// Executes one line of input, which was the `number`th that the control was told of.
    pub fn execute(&mut self, line: &[u8], number: u64, out: &mut dyn Output) -> Flow {
        let Some(line) = Line::parse(line) else { return Flow::Continue };
        self.talk.execute(&mut self.desk, &line, number, out);
        if let Some(kind) = self.desk.switch.take() {
            self.talk = begin(kind, self.settings.clone(), Arc::clone(&self.control));
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
