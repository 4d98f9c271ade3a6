//! Sessions of queries in JSON: each with positions of its own, which together have what a session has.
//!
//! Positions are searched by threads that come as they are needed and stay until the session ends. What is asked by a client who
//! leaves is given up.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use tokio::sync::mpsc;

use super::account::Account;
use super::link::Seat;
use super::queue::{Input, Queue};
use crate::players::{Kind, Resources};
use crate::protocol::json::settings::Tuning;
use crate::protocol::json::{JsonDefaults, JsonEngine, Outlet, QueryLimits};
use crate::search::Share;
use crate::session::analysis::Analyst;
use crate::session::analysis::schedule::Schedule;
use crate::session::{Control, Settings};

/// MiB that a position has at least.
const LEAST_OF_POSITION: usize = 4;
/// Bytes of queries that may wait for a session in any case.
const LEAST_WAITING: usize = 8 << 20;

/// Answers on their way to a client.
struct Replies {
    answers: mpsc::Sender<String>,
    control: Arc<Control>,
}

impl Outlet for Replies {
    /// Waits until there is room for it: a client that does not read stops its own positions only.
    fn send(&self, line: String) {
        if self.answers.blocking_send(line).is_err() {
            self.control.close();
        }
    }

    fn send_report(&self, line: String) {
        // Of a search that goes on there will be a newer one.
        let _ = self.answers.try_send(line);
    }
}

/// Positions of one session.
struct Positions {
    schedule: Arc<Schedule>,
    workers: Vec<JoinHandle<()>>,
    /// Most at once.
    most: usize,
}

impl Positions {
    /// Lets as many threads work as there is work for.
    ///
    /// # Errors
    /// If there is work and the system refuses the first thread.
    fn staff(&mut self) -> io::Result<()> {
        while self.workers.len() < self.most.min(self.schedule.jobs()) {
            let schedule = Arc::clone(&self.schedule);
            let name = format!("analysis {}", self.workers.len());
            match thread::Builder::new().name(name).spawn(move || schedule.work()) {
                Ok(worker) => self.workers.push(worker),
                Err(error) if self.workers.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Stops everything, and waits until nothing works any more.
    fn close(self) {
        self.schedule.close();
        self.workers.into_iter().for_each(|worker| _ = worker.join());
    }
}

/// Begins a session whose queries have these settings where they say nothing, and that game where they name none.
///
/// # Errors
/// If the system refuses a thread.
pub(crate) fn begin(seat: Seat, settings: &Settings, game: Kind, tuning: Tuning) -> io::Result<()> {
    let Seat { number, control, lines, answers, ended, .. } = seat;
    let Settings { memory, seed, report_every, .. } = *settings;
    let share = Arc::new(settings.share.joint());
    let most = share.threads().min(memory / LEAST_OF_POSITION).max(1);
    let resources =
        Resources { share: Arc::clone(&share), memory: (memory / most).max(1), models: settings.models.clone() };
    let limits = QueryLimits { report_every, waiting: (memory << 20).max(LEAST_WAITING) };
    let defaults = JsonDefaults { game, tuning, limits: Some(limits) };
    let machine = Arc::clone(&settings.share);
    let schedule = Arc::new(Schedule::sharing(share, lines.unfinished()));
    let out = Replies { answers, control: Arc::clone(&control) };
    let analyst = Arc::new(Analyst::new(resources, seed));
    thread::Builder::new().name(format!("session {number}")).spawn(move || {
        let engine = JsonEngine::new(defaults, analyst, Arc::clone(&schedule), Arc::new(out));
        let mut positions = Positions { schedule, workers: Vec::new(), most };
        take(&engine, lines, &mut positions, &control, &machine);
        positions.close();
        drop(engine);
        // Nobody waits any more if the server is ending.
        let _ = ended.send(());
    })?;
    Ok(())
}

/// Takes queries until the session ends.
fn take(engine: &JsonEngine, mut lines: Queue, positions: &mut Positions, control: &Control, share: &Share) {
    let mut account = Account::new(Instant::now());
    while let Some(input) = lines.next().filter(|_| !control.is_closing()) {
        let start = Instant::now();
        match input {
            Input::Line(bytes, _) => engine.take(&bytes),
            Input::TooLong => engine.refuse_long_line(),
            Input::End => return,
        }
        if let Err(error) = positions.staff() {
            return tracing::error!(%error, "there is no thread for a position");
        }
        account.settle(start.elapsed(), share.running() > 0, control);
    }
}
