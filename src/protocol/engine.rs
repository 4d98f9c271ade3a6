//! A session that is spoken to in command lines.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::call::{Desk, Output, StatusLine};
use super::dialects::begin;
use super::line::{LONGEST, Line, is_interrupt, is_quit};
use super::reply::{Refusal, format};
use super::talk::Talk;
use crate::players::{Kind, Models};
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
    /// Answer to `version`.
    pub version: String,
    /// Whether moves are remarked upon as OGS's bridge reads it.
    pub remarks: bool,
    /// Whether commands may read and write files.
    pub files: bool,
    /// Answer to `losange-status`.
    pub status: StatusLine,
}

/// Models of a session, and the memory in MiB that they leave to its searches.
#[derive(Clone, Debug)]
pub struct Provision {
    /// The models.
    pub models: Models,
    /// The memory.
    pub memory: usize,
}

/// Models that are still being read, or why they cannot be used.
pub type Delivery = Receiver<Result<Provision, String>>;

/// Commands that need no model: a controller that is not told a name in time takes the engine for dead.
const EARLY: [&str; 9] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "help",
    "quit",
    "gogui-interrupt",
    "losange-status",
];
/// How often a session that waits for its models looks whether it is to end.
const LOOK: Duration = Duration::from_millis(20);

/// One client's partner: lines go in, answers come out.
pub trait Listener: Send {
    /// Executes one line of input, which was the `number`th that the control was told of.
    fn execute(&mut self, line: &[u8], number: u64, out: &mut dyn Output) -> Flow;

    /// Wall time of the game's searches so far. A fresh game begins at 0.
    fn search_time(&self) -> Duration;

    /// Answers a line that was too long to be read.
    fn refuse_long_line(&mut self, out: &mut dyn Output);

    /// Nothing is to be done: think on the opponent's time if that was asked for. Returns at the next line of input.
    fn idle(&mut self);

    /// No line will come any more: waits for models that are still being read, which may be found faulty.
    fn end_of_input(&mut self);

    /// Its reflexes to lines that are read.
    fn reflexes(&self) -> Reflexes;
}

/// Acts of a protocol on a line as soon as it is read, before its turn comes.
#[derive(Clone, Copy, Debug)]
pub struct Reflexes {
    /// Whether it ends the search in the middle of which it comes.
    pub interrupts: fn(&[u8]) -> bool,
    /// Whether it ends the session, and with it a search that is under way.
    pub quits: fn(&[u8]) -> bool,
    /// Whether it begins a search.
    pub searches: fn(&[u8]) -> bool,
    /// The answer that it has before the end of such a search, which goes on; an empty one is not sent.
    pub answers: fn(&[u8]) -> Option<&'static str>,
}

impl Reflexes {
    /// GTP's: `# interrupt` and `quit`.
    pub const GTP: Self = Self { interrupts: is_interrupt, quits: is_quit, searches: |_| false, answers: |_| None };
}

/// Executes command lines for one client. Whatever a line holds, it is answered and the session goes on.
pub struct Engine {
    talk: Box<dyn Talk>,
    desk: Desk,
    settings: Settings,
    control: Arc<Control>,
    /// Game that the session begins with.
    kind: Kind,
    /// Models that the session waits for as soon as a command needs them.
    awaited: Option<Delivery>,
}

impl Engine {
    /// A session of that game for the client that `identity` describes.
    pub fn new(kind: Kind, settings: Settings, control: Arc<Control>, identity: Identity) -> Self {
        let Identity { name, version, remarks, files, status } = identity;
        let talk = begin(kind, settings.clone(), Arc::clone(&control));
        let notation = talk.notation();
        let desk =
            Desk { name, version, remarks, files, status, notation, live_graphics: false, quit: false, switch: None };
        Self { talk, desk, settings, control, kind, awaited: None }
    }

    /// A session whose models have not been read yet. Commands that need no position are answered at once, the first other one
    /// waits for them. Where they cannot be used it is refused with the reason, and the session ends.
    #[must_use]
    pub fn awaiting(self, delivery: Delivery) -> Self {
        Self { awaited: Some(delivery), ..self }
    }

    /// Waits for the models.
    fn provide(&mut self) -> Result<(), Refusal> {
        let Some(delivery) = self.awaited.take() else { return Ok(()) };
        let Provision { models, memory } = loop {
            match delivery.recv_timeout(LOOK) {
                Ok(delivered) => break delivered.map_err(Refusal)?,
                Err(RecvTimeoutError::Timeout) if !self.control.is_closing() => {}
                Err(_) => return Err("the model has not been read".into()),
            }
        };
        (self.settings.models, self.settings.memory) = (models, memory);
        self.begin(self.kind);
        Ok(())
    }

    fn begin(&mut self, kind: Kind) {
        let mut settings = self.settings.clone();
        if kind != self.kind {
            // A level is one of its game.
            settings.params.level = 0;
        }
        self.talk = begin(kind, settings, Arc::clone(&self.control));
        self.desk.notation = self.talk.notation();
    }
}

impl Listener for Engine {
    fn execute(&mut self, line: &[u8], number: u64, out: &mut dyn Output) -> Flow {
        let Some(line) = Line::parse(line) else { return Flow::Continue };
        if !EARLY.contains(&line.name.as_str())
            && let Err(refusal) = self.provide()
        {
            out.send(&format(line.id.as_deref(), &Err(refusal)));
            return Flow::Quit;
        }
        self.talk.execute(&mut self.desk, &line, number, out);
        if let Some(kind) = self.desk.switch.take() {
            self.begin(kind);
        }
        if self.desk.quit { Flow::Quit } else { Flow::Continue }
    }

    fn search_time(&self) -> Duration {
        self.talk.search_time()
    }

    fn refuse_long_line(&mut self, out: &mut dyn Output) {
        let refusal = Refusal::new(format_args!("line too long: more than {LONGEST} bytes"));
        out.send(&format(None, &Err(refusal)));
    }

    fn idle(&mut self) {
        self.talk.idle();
    }

    fn end_of_input(&mut self) {
        // Nobody is left to be told.
        let _ = self.provide();
    }

    fn reflexes(&self) -> Reflexes {
        Reflexes::GTP
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    use super::*;
    use crate::search::Share;

    #[derive(Default)]
    struct Sent(String);

    impl Output for Sent {
        fn send(&mut self, text: &str) {
            self.0.push_str(text);
        }

        fn graphics(&mut self, _: &str) {}

        fn remark(&mut self, _: &str) {}
    }

    fn ask(engine: &mut Engine, line: &str) -> (String, Flow) {
        let mut sent = Sent::default();
        let flow = engine.execute(line.as_bytes(), 1, &mut sent);
        (sent.0, flow)
    }

    fn awaiting() -> (Engine, Sender<Result<Provision, String>>) {
        let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
        settings.memory = 1;
        let (name, version, status) = ("Losange".to_owned(), "1.2".to_owned(), Arc::new(String::new));
        let identity = Identity { name, version, remarks: false, files: false, status };
        let (sender, delivery) = channel();
        (Engine::new(Kind::Go, settings, Arc::new(Control::new()), identity).awaiting(delivery), sender)
    }

    #[test]
    fn who_is_there_is_said_before_the_model_has_been_read() {
        let (mut engine, sender) = awaiting();
        for (line, answer) in [("1 name", "=1 Losange"), ("version", "= 1.2"), ("protocol_version", "= 2")] {
            assert_eq!(ask(&mut engine, line).0, format!("{answer}\n\n"));
        }
        assert!(ask(&mut engine, "list_commands").0.contains("\nkata-analyze\n"));
        assert_eq!(ask(&mut engine, "known_command genmove").0, "= true\n\n");
        assert!(engine.awaited.is_some());
        let reading = thread::spawn(move || {
            thread::sleep(3 * LOOK);
            sender.send(Ok(Provision { models: Models::default(), memory: 17 })).unwrap();
        });
        assert_eq!(ask(&mut engine, "play b D4").0, "= \n\n");
        assert_eq!((engine.settings.memory, engine.awaited.is_none()), (17, true));
        assert_eq!(ask(&mut engine, "undo").0, "= \n\n");
        reading.join().unwrap();
    }

    #[test]
    fn a_model_that_cannot_be_read_is_told_where_it_is_needed_and_ends_the_session() {
        let (mut engine, sender) = awaiting();
        sender.send(Err("the model x cannot be read".to_owned())).unwrap();
        assert_eq!(ask(&mut engine, "name"), ("= Losange\n\n".to_owned(), Flow::Continue));
        assert_eq!(ask(&mut engine, "3 boardsize 9"), ("?3 the model x cannot be read\n\n".to_owned(), Flow::Quit));
    }

    #[test]
    fn a_session_that_is_to_end_does_not_wait_for_its_model() {
        let (mut engine, _sender) = awaiting();
        engine.control.close();
        assert_eq!(ask(&mut engine, "genmove b").1, Flow::Quit);
        engine.end_of_input();
    }
}
