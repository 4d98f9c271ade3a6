//! Queries in JSON on standard input, answers on standard output.
//!
//! Input is read by a thread of its own that never waits for a search or for whoever reads the answers: these wait in a queue, and
//! reports of searches that go on are left out while many wait. After the end of input what was asked is finished. Signals and an
//! output that nobody reads end the program.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::input::{RawLine, Splitter};
use super::signals::on_termination;
use crate::protocol::json::{JsonDefaults, JsonEngine, Outlet};
use crate::session::analysis::Analyst;
use crate::session::analysis::schedule::Schedule;

/// How long answers that are already there may take to be written once a signal has come.
const DRAIN: Duration = Duration::from_secs(2);
/// Bytes of answers that may wait before reports of searches that go on are left out.
const MOST_REPORTS: usize = 256 << 10;
/// Bytes of answers that may wait before the work waits too.
const MOST_WAITING: usize = 256 << 20;
/// Interval at which a limit is looked at again.
const NAP: Duration = Duration::from_millis(10);
/// Positions that may wait to be analysed; then no more lines are read until some are done.
const MOST_POSITIONS: usize = 200_000;

/// Queries and how they are worked on.
#[derive(Debug)]
pub struct QueryOptions {
    /// Settings of queries.
    pub defaults: JsonDefaults,
    /// Searches positions, each with what it gives them.
    pub analyst: Analyst,
    /// Positions at once.
    pub positions: usize,
    /// Whether the end of input ends everything.
    pub quit_without_waiting: bool,
}

/// Answers on their way to standard output.
struct Outgoing {
    lines: Sender<String>,
    /// Bytes that wait.
    waiting: Arc<AtomicUsize>,
}

impl Outlet for Outgoing {
    fn send(&self, line: String) {
        while self.waiting.load(Relaxed) > MOST_WAITING {
            thread::sleep(NAP);
        }
        self.waiting.fetch_add(line.len(), Relaxed);
        // Nobody takes lines any more only if the program is ending.
        _ = self.lines.send(line);
    }

    fn send_report(&self, line: String) {
        if self.waiting.load(Relaxed) < MOST_REPORTS {
            self.send(line);
        }
    }
}

/// Event that the program waits for.
enum Event {
    /// All that was asked has been answered.
    Done,
    /// Standard output cannot be written to.
    Closed(io::Error),
    /// A signal has come.
    Signal(&'static str),
}

/// Answers queries until the input ends and all is done.
///
/// # Errors
/// If answers could not be written, other than because the reader has gone; if the system refuses threads or signals.
pub fn run(options: QueryOptions) -> io::Result<()> {
    let QueryOptions { defaults, analyst, positions, quit_without_waiting } = options;
    let (events, happened) = channel();
    let signalled = events.clone();
    on_termination(move |signal| _ = signalled.send(Event::Signal(signal)))?;
    let schedule = Arc::new(Schedule::new(analyst.resources().share.threads()));
    let (lines, written) = channel();
    let waiting = Arc::<AtomicUsize>::default();
    let out = Arc::new(Outgoing { lines, waiting: Arc::clone(&waiting) });
    let engine = JsonEngine::new(defaults, Arc::new(analyst), Arc::clone(&schedule), out);

    let counted = Arc::clone(&waiting);
    thread::Builder::new().name("answers".to_owned()).spawn(move || {
        // The queue ends when everybody who could answer has gone.
        let end = match write(&written, &counted) {
            Ok(()) => Event::Done,
            Err(error) => Event::Closed(error),
        };
        _ = events.send(end);
    })?;
    let mut workers = Vec::new();
    for number in 0..positions.max(1) {
        let schedule = Arc::clone(&schedule);
        workers.push(thread::Builder::new().name(format!("analysis {number}")).spawn(move || schedule.work())?);
    }
    let reading = Arc::clone(&schedule);
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        read(&engine, &reading);
        if quit_without_waiting { reading.close() } else { reading.finish() }
    })?;

    let event = happened.recv().unwrap_or(Event::Done);
    schedule.close();
    match event {
        Event::Done => Ok(()),
        Event::Closed(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Event::Closed(error) => Err(io::Error::new(error.kind(), format!("answers cannot be written: {error}"))),
        Event::Signal(signal) => {
            tracing::info!(signal, "ending");
            let until = Instant::now() + DRAIN;
            let busy = || waiting.load(Relaxed) > 0 || workers.iter().any(|worker| !worker.is_finished());
            while busy() && Instant::now() < until {
                thread::sleep(NAP);
            }
            Ok(())
        }
    }
}

/// Writes lines until there will be no more.
fn write(lines: &Receiver<String>, waiting: &AtomicUsize) -> io::Result<()> {
    for line in lines {
        let bytes = line.len();
        let mut stdout = io::stdout().lock();
        stdout.write_all((line + "\n").as_bytes())?;
        stdout.flush()?;
        waiting.fetch_sub(bytes, Relaxed);
    }
    Ok(())
}

/// Reads lines until the input ends.
fn read(engine: &JsonEngine, schedule: &Schedule) {
    let mut stdin = io::stdin().lock();
    let mut splitter = Splitter::default();
    let mut buffer = vec![0; 64 * 1024];
    let take = |piece| match piece {
        RawLine::Line(line) => engine.take(&line),
        RawLine::TooLong => engine.refuse_long_line(),
    };
    while !schedule.is_closed() {
        match stdin.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => splitter.feed(&buffer[..count], take),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                tracing::warn!(%error, "standard input cannot be read");
                break;
            }
        }
        while schedule.waiting() > MOST_POSITIONS && !schedule.is_closed() {
            thread::sleep(NAP);
        }
    }
    splitter.finish(take);
}
