//! Sessions of the simulation: what a line says is done, and nothing is calculated.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use super::Trace;
use crate::protocol::line::{LONGEST, Line};
use crate::server::intake::MOST_WAITING;
use crate::server::link::{Host, Seat};
use crate::server::queue::Input;
use crate::session::control::EndsOn;

/// How often a search looks at its stop.
pub(super) const STEP: Duration = Duration::from_millis(5);
/// Bytes that a queue may hold beside the lines themselves.
const QUEUE: usize = MOST_WAITING + 2 * LONGEST;

/// A search of a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    pub(super) begun: Instant,
    pub(super) ended: Instant,
    pub(super) stopped: bool,
}

#[derive(Default)]
struct State {
    alive: usize,
    last_end: Option<Instant>,
    searches: HashMap<u64, Search>,
}

/// Sessions of a run.
#[derive(Clone)]
pub(super) struct Models {
    trace: Arc<Trace>,
    most: usize,
    state: Arc<Mutex<State>>,
}

impl Models {
    /// None yet; no more than `most` may live at once.
    pub(super) fn new(trace: Arc<Trace>, most: usize) -> Self {
        Self { trace, most, state: Arc::default() }
    }

    /// Sessions that have not ended.
    pub(super) fn alive(&self) -> usize {
        self.state.lock().alive
    }

    /// When the last session ended.
    pub(super) fn last_end(&self) -> Option<Instant> {
        self.state.lock().last_end
    }

    /// The search of the command with that number, if it was executed.
    pub(super) fn search(&self, id: u64) -> Option<Search> {
        self.state.lock().searches.get(&id).copied()
    }

    /// Executes lines until the session ends; whether it says so.
    async fn execute(&self, seat: &mut Seat) -> bool {
        while let Some(input) = seat.lines.next_async().await {
            if seat.lines.waiting() > QUEUE {
                self.trace.fault(format!("{} bytes wait in a queue", seat.lines.waiting()));
            }
            let Input::Line(bytes, number) = input else {
                if matches!(input, Input::End) || seat.answers.send("? line too long\n\n".to_owned()).await.is_err() {
                    return true;
                }
                continue;
            };
            let Some(line) = Line::parse(&bytes) else { continue };
            let id = line.id.as_deref().and_then(|id| id.parse().ok()).unwrap_or(0);
            let amount = line.args.first().and_then(|arg| arg.parse().ok()).unwrap_or(0);
            let text = match line.name.as_str() {
                "work" => self.think(seat, id, number, EndsOn::Interrupt, amount).await,
                "watch" => self.think(seat, id, number, EndsOn::NextLine, amount).await,
                "long" => "x".repeat(amount as usize),
                "die" => return false,
                _ => line.name.clone(),
            };
            let quit = line.name == "quit";
            if seat.answers.send(format!("={id} {text}\n\n")).await.is_err() || quit {
                return true;
            }
        }
        true
    }

    /// Searches for so many milliseconds, or streams in that interval.
    async fn think(&self, seat: &Seat, id: u64, number: u64, ends_on: EndsOn, amount: u64) -> String {
        let begun = Instant::now();
        let (guard, time) = (seat.control.begin(number, ends_on), Duration::from_millis(amount));
        let mut lines = String::new();
        let mut stopped = true;
        while !guard.stop().is_set() && guard.time_left().is_none() {
            if ends_on == EndsOn::Interrupt && begun.elapsed() >= time {
                stopped = false;
                break;
            }
            sleep(STEP).await;
            if ends_on == EndsOn::NextLine && lines.len() < 200 {
                lines += "info\n";
            }
        }
        self.state.lock().searches.insert(id, Search { begun, ended: Instant::now(), stopped });
        let word = match (ends_on, stopped) {
            (EndsOn::NextLine, _) => "watched",
            (_, true) => "stopped",
            _ => "done",
        };
        self.trace.note(format!("{id} {word}"));
        format!("{word}\n{lines}").trim_end().to_owned()
    }
}

impl Host for Models {
    fn seat(&self, mut seat: Seat) -> io::Result<()> {
        let models = self.clone();
        let alive = {
            let mut state = self.state.lock();
            state.alive += 1;
            state.alive
        };
        if alive > self.most {
            self.trace.fault(format!("{alive} sessions, and {} are allowed", self.most));
        }
        tokio::spawn(async move {
            let said = models.execute(&mut seat).await;
            {
                let mut state = models.state.lock();
                state.alive -= 1;
                state.last_end = Some(Instant::now());
            }
            let Seat { answers, ended, .. } = seat;
            drop(answers);
            if said {
                let _ = ended.send(());
            }
        });
        Ok(())
    }

    fn load(&self) -> String {
        "model".to_owned()
    }
}
