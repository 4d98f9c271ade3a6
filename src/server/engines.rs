//! The host of a server's sessions: threads that execute commands, their memory, and the account of what they cost.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use super::account::Account;
use super::inquiries;
use super::limits::Limits;
use super::link::{Host, House, Seat, Service};
use super::worker::{self, Sink};
use crate::players::Kind;
use crate::protocol::json::settings::Tuning;
use crate::protocol::{Engine, Identity, Output};
use crate::rng::mix;
use crate::search::Share;
use crate::session::{Control, Settings};

/// Sessions of a server.
#[derive(Clone, Debug)]
pub struct Sessions {
    /// The game of a session that does not choose one, and of queries that name none.
    pub kind: Kind,
    /// Settings of each session.
    pub settings: Settings,
    /// Answer to `name`.
    pub name: String,
    /// Answer to `version`.
    pub version: String,
    /// Settings of queries.
    pub tuning: Tuning,
}

/// Sessions of the engine, each in a thread of its own.
pub(crate) struct Engines {
    sessions: Sessions,
    house: Weak<House<Engines>>,
    /// Sessions that execute a command now.
    working: Arc<AtomicUsize>,
}

impl Engines {
    /// Each session gets its part of the memory, so that all of them together stay below what was allowed.
    pub(crate) fn new(mut sessions: Sessions, limits: Limits, house: Weak<House<Engines>>) -> Self {
        let settings = &mut sessions.settings;
        settings.memory = (settings.memory / limits.sessions.max(1)).max(1);
        settings.report_every = limits.report_every;
        Self { sessions, house, working: Arc::default() }
    }

    /// Begins a session of commands.
    fn commands(&self, seat: Seat, settings: Settings) -> io::Result<()> {
        let Seat { number, control, lines, answers, ended, .. } = seat;
        let Sessions { kind, name, version, .. } = &self.sessions;
        let (kind, name, version, house) = (*kind, name.clone(), version.clone(), self.house.clone());
        let status = Arc::new(move || house.upgrade().map_or_else(String::new, |house| house.status()));
        let mut out = Answers {
            answers,
            control: Arc::clone(&control),
            waited: Duration::ZERO,
            account: Account::new(Instant::now()),
            working: Arc::clone(&self.working),
            share: Arc::clone(&settings.share),
        };
        // The system shows 15 letters of a thread's name; threads of a search have that of their session.
        thread::Builder::new().name(format!("session {number}")).spawn(move || {
            let identity = Identity { name, version, remarks: false, files: false, status };
            let mut engine = Engine::new(kind, settings, control, identity);
            worker::run(&mut engine, lines, &mut out);
            drop(out);
            // Nobody waits any more if the server is ending.
            let _ = ended.send(());
        })?;
        Ok(())
    }
}

impl Host for Engines {
    fn seat(&self, seat: Seat) -> io::Result<()> {
        let Sessions { kind, settings, tuning, .. } = &self.sessions;
        let settings = Settings { seed: mix(settings.seed ^ seat.number), ..settings.clone() };
        match seat.service {
            Service::Commands => self.commands(seat, settings),
            Service::Queries => inquiries::begin(seat, &settings, *kind, tuning.clone()),
        }
    }

    fn load(&self) -> String {
        let share = &self.sessions.settings.share;
        format!("searches {}\nthreads {}", share.running(), share.threads())
    }
}

/// The session's end of its answers, and its account.
struct Answers {
    answers: mpsc::Sender<String>,
    control: Arc<Control>,
    /// Time that the client let the session wait since the command began.
    waited: Duration,
    account: Account,
    working: Arc<AtomicUsize>,
    share: Arc<Share>,
}

impl Output for Answers {
    fn send(&mut self, text: &str) {
        let start = Instant::now();
        if self.answers.blocking_send(text.to_owned()).is_err() {
            self.control.close();
        }
        self.waited += start.elapsed();
    }

    /// They travel on standard error, which a connection has not.
    fn graphics(&mut self, _: &str) {}

    fn remark(&mut self, _: &str) {}
}

impl Sink for Answers {
    fn is_closed(&self) -> bool {
        self.answers.is_closed()
    }

    fn begin(&mut self) {
        self.waited = Duration::ZERO;
        self.working.fetch_add(1, Relaxed);
    }

    fn end(&mut self, work: Duration) {
        let others = self.working.fetch_sub(1, Relaxed) > 1 || self.share.running() > 0;
        self.account.settle(work.saturating_sub(self.waited), others, &self.control);
    }
}
