//! KataGo's JSON analysis protocol: one object a line, answers in any order. Fields are told in docs/analysis.md.
//!
//! Start reading at [`JsonEngine::take`]: a line comes in; errors and actions are answered at once, queries become jobs of a
//! [`Schedule`], whose answers go to an [`Outlet`].

mod action;
mod answer;
mod course;
mod fields;
mod go;
mod query;
pub mod settings;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use serde_json::{Map, Value, json};

use self::fields::Fault;
use self::query::Query;
use self::settings::Tuning;
use super::dialects::notation;
use super::line::LONGEST;
use crate::players::{Kind, Played, Setup, Visitor};
use crate::search::{Report, Stop};
use crate::session::analysis::schedule::{Job, Schedule};
use crate::session::analysis::{Analyst, Inquiry};

pub use self::go::usual_game;

/// Error of a query for which there is no memory.
const FULL: &str = "Too many queries are waiting, ask again when some are answered";

/// Way of answers to the client.
pub trait Outlet: Send + Sync {
    /// Sends a line, which comes without its end.
    fn send(&self, line: String);

    /// Sends a report of a search that goes on; it may be left out where nobody reads.
    fn send_report(&self, line: String);
}

/// Takes queries of one client and has them answered.
pub struct JsonEngine {
    defaults: JsonDefaults,
    setup: Setup,
    /// Bytes of queries that are not done.
    held: Arc<AtomicUsize>,
    analyst: Arc<Analyst>,
    schedule: Arc<Schedule>,
    out: Arc<dyn Outlet>,
}

/// Settings of queries.
#[derive(Clone, Debug)]
pub struct JsonDefaults {
    /// The game of queries that name none.
    pub game: Kind,
    /// Settings that queries may override.
    pub tuning: Tuning,
    /// Limits of a client that is not trusted.
    pub limits: Option<QueryLimits>,
}

/// Limits of one client.
#[derive(Clone, Copy, Debug)]
pub struct QueryLimits {
    /// Shortest interval between the reports of a search.
    pub report_every: Duration,
    /// Most bytes of queries that are not done, about.
    pub waiting: usize,
}

/// Bytes that a query and its turns take, about, beside its line.
const QUERY: usize = 4096;
const TURN: usize = 512;

/// Memory of a query until its last turn is done.
struct Held {
    bytes: usize,
    all: Arc<AtomicUsize>,
}

impl Held {
    fn new(bytes: usize, all: Arc<AtomicUsize>) -> Self {
        all.fetch_add(bytes, Relaxed);
        Self { bytes, all }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Relaxed);
    }
}

impl JsonEngine {
    /// An engine whose answers go to `out`, and whose jobs others work on.
    pub fn new(defaults: JsonDefaults, analyst: Arc<Analyst>, schedule: Arc<Schedule>, out: Arc<dyn Outlet>) -> Self {
        Self { defaults, setup: Setup::default(), held: Arc::default(), analyst, schedule, out }
    }

    /// Takes a line.
    pub fn take(&self, line: &[u8]) {
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        let taken = catch_unwind(AssertUnwindSafe(|| match serde_json::from_slice(line) {
            Ok(Value::Object(object)) => self.take_object(&object, line.len()),
            Ok(other) => self.refuse(&format!("Request line was valid json but was not an object, ignoring: {other}")),
            Err(error) => {
                let line = String::from_utf8_lossy(line);
                self.refuse(&format!("{error} - could not parse input line as json request: {line}"));
            }
        }));
        if taken.is_err() {
            tracing::error!("a fault inside the engine while it read a query");
            self.refuse("internal error");
        }
    }

    /// Answers a line that was too long to be read.
    pub fn refuse_long_line(&self) {
        self.refuse(&format!("Request line is longer than {LONGEST} bytes, ignoring it"));
    }

    fn refuse(&self, text: &str) {
        self.out.send(json!({ "error": text }).to_string());
    }

    fn take_object(&self, object: &Map<String, Value>, length: usize) {
        let Some(id) = object.get("id").and_then(Value::as_str) else {
            return self.refuse("Request must have a string \"id\" field");
        };
        if let Some(action) = object.get("action") {
            return self.act(id, action, object);
        }
        let known = match object.get("game") {
            None => Some(self.defaults.game),
            Some(game) => game.as_str().and_then(Kind::of_word),
        };
        match known {
            Some(kind) => kind.visit(Ask { engine: self, id, object, length }),
            None => {
                let text = format!("Must be one of {}", Kind::words());
                self.out.send(Fault::new("game", text).line("error", id));
            }
        }
    }
}

/// Reads a query of a game and adds its jobs.
struct Ask<'a> {
    engine: &'a JsonEngine,
    id: &'a str,
    object: &'a Map<String, Value>,
    /// Bytes of its line.
    length: usize,
}

impl Visitor for Ask<'_> {
    type Output = ();

    fn visit<G: Played>(self) {
        let Self { engine, id, object, length } = self;
        let JsonDefaults { tuning, limits, .. } = &engine.defaults;
        let mut tuning = tuning.clone();
        tuning.params = G::recipe().own(&tuning.params);
        let mut query = match Query::<G>::read(id, object, notation(G::KIND), tuning, engine.setup) {
            Ok(query) => query,
            Err(fault) => return engine.out.send(fault.line("error", id)),
        };
        let people = engine.analyst.resources().models.people();
        query.expect_people(people.is_some_and(|people| people.network().model().game == G::NAME));
        let bytes = QUERY + size_of::<Query<G>>() + 2 * length + TURN * query.turns.len();
        if let Some(limits) = limits {
            if engine.held.load(Relaxed) + bytes > limits.waiting {
                return engine.out.send(Fault::new("id", FULL).line("error", id));
            }
            query.slow_down(limits.report_every);
        }
        query.warnings.iter().for_each(|warning| engine.out.send(warning.line("warning", id)));
        let query = Arc::new((query, Held::new(bytes, Arc::clone(&engine.held))));
        let job = |&(turn, priority): &(usize, i64)| -> (i64, Box<dyn Job>) {
            let (query, analyst, out) = (Arc::clone(&query), Arc::clone(&engine.analyst), Arc::clone(&engine.out));
            (priority, Box::new(Turn { query, turn, analyst, out }))
        };
        engine.schedule.add(query.0.turns.iter().map(job));
    }
}

/// A turn of a query, to be analysed.
struct Turn<G: Played> {
    query: Arc<(Query<G>, Held)>,
    turn: usize,
    analyst: Arc<Analyst>,
    out: Arc<dyn Outlet>,
}

impl<G: Played> Turn<G> {
    /// The last answer.
    fn answer(&self, stop: &Stop, threads: usize) -> String {
        let Query { id, course, form, budget, options, first_report, params, people, threads: most, .. } =
            &self.query.0;
        if stop.is_set() {
            return answer::without_results(id, self.turn);
        }
        let position = course.after(self.turn).resumed();
        let inquiry = Inquiry {
            position: position.clone(),
            budget: *budget,
            options: options.clone(),
            first_report: *first_report,
            params: params.clone(),
            threads: threads.min(*most),
        };
        let models = &self.analyst.resources().models;
        let running = position.outcome().is_none();
        let imitator = models.people().zip(people.as_ref()).filter(|_| running);
        let imitation = imitator.and_then(|(imitator, profile)| imitator.look(&position, profile, 0));
        let line = |during, report: &Report<G::Move>| {
            form.line((id, self.turn, during), &position, report, imitation.as_ref())
        };
        let report = self.analyst.analyse(&inquiry, stop, &mut |report| self.out.send_report(line(true, report)));
        let searched = report.moves.is_empty() || report.moves.iter().any(|mv| mv.visits > 0);
        if stop.is_set() && !searched {
            return answer::without_results(id, self.turn);
        }
        line(false, &report)
    }
}

impl<G: Played> Job for Turn<G> {
    fn id(&self) -> &str {
        &self.query.0.id
    }

    fn turn(&self) -> usize {
        self.turn
    }

    fn run(&self, stop: &Stop, threads: usize) {
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(stop, threads)));
        let line = answered.unwrap_or_else(|_| {
            tracing::error!(id = self.query.0.id, turn = self.turn, "a fault inside the engine during a search");
            answer::without_results(&self.query.0.id, self.turn)
        });
        self.out.send(line);
    }
}

#[cfg(test)]
mod tests;
