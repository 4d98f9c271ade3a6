//! A client of the simulation, and what it must have heard.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf, split};
use tokio::time::{Instant, sleep};

use super::Trace;
use super::model::{Models, STEP};
use super::plan::{Kind, Plan, What};
use crate::rng::Rng;
use crate::server::intake::SessionEnd;
use crate::server::link::House;

/// An event's way through the server costs no time, but for the step in which searches look at their stop.
const SLACK: Duration = Duration::from_millis(2 * STEP.as_millis() as u64 + 2);
/// Time within which the status is told.
const STATUS_TIME: Duration = Duration::from_millis(1500);
/// Time of a client that waits to be let go.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client before it connects.
pub(super) struct Client {
    number: u32,
    plan: Plan,
    trace: Arc<Trace>,
    /// Whether it closes its side behind the last line.
    closes: bool,
}

/// Record of a client: lines sent and answers heard.
pub(super) struct Heard {
    client: Client,
    bytes: Vec<u8>,
    /// When each line began to be written and was written.
    times: Vec<(Instant, Option<Instant>)>,
    /// When its side was closed.
    closed: Option<Instant>,
    /// Whether it hung up.
    reset: bool,
    begun: Instant,
    ended: Instant,
}

impl Client {
    /// A client that behaves as planned.
    pub(super) fn new(number: u32, plan: Plan, rng: &mut Rng, trace: Arc<Trace>) -> Self {
        let closes = plan.kind != Kind::Silent && rng.below(2) == 0;
        Self { number, plan, trace, closes }
    }

    /// Its plan.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Talks to the server until one side hangs up.
    pub(super) async fn run(self, stream: DuplexStream, house: &House<Models>) -> Heard {
        let begun = Instant::now();
        let (mut from, mut to) = split(stream);
        let (mut bytes, mut times, mut closed) = (Vec::new(), Vec::new(), None);
        let reset = {
            let talk = async {
                let write = self.write(&mut to, &mut times, &mut closed, house);
                tokio::join!(write, self.read(&mut from, &mut bytes))
            };
            tokio::select! {
                biased;
                () = sleep(self.plan.reset.unwrap_or(PATIENCE)) => true,
                _ = talk => false,
            }
        };
        if reset {
            self.trace.note(format!("client {}: reset", self.number));
        }
        drop((from, to));
        Heard { client: self, bytes, times, closed, reset, begun, ended: Instant::now() }
    }

    async fn write(
        &self,
        to: &mut WriteHalf<DuplexStream>,
        times: &mut Vec<(Instant, Option<Instant>)>,
        closed: &mut Option<Instant>,
        house: &House<Models>,
    ) {
        for line in &self.plan.lines {
            sleep(line.pause).await;
            times.push((Instant::now(), None));
            for chunk in line.text.chunks(self.plan.chunk) {
                if to.write_all(chunk).await.is_err() {
                    return;
                }
                if !self.plan.drip.is_zero() {
                    sleep(self.plan.drip).await;
                }
            }
            if let Some(last) = times.last_mut() {
                last.1 = Some(Instant::now());
            }
            if let Some(fault) = house.admission().lock().faults() {
                self.trace.fault(fault);
            }
        }
        if self.closes {
            *closed = Some(Instant::now());
            let _ = to.shutdown().await;
        }
    }

    async fn read(&self, from: &mut ReadHalf<DuplexStream>, bytes: &mut Vec<u8>) {
        let mut buffer = [0; 700];
        loop {
            match self.plan.reading {
                None => sleep(PATIENCE).await,
                Some(pause) if !pause.is_zero() => sleep(pause).await,
                Some(_) => {}
            }
            match from.read(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            }
        }
    }
}

impl Heard {
    /// Number of bytes that were heard.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Checks what was heard, given how the session ended.
    pub(super) fn check(&self, end: Option<SessionEnd>, models: &Models, stopped: Option<Instant>, trace: &Trace) {
        let complain = |what: String| trace.fault(format!("client {}: {what}", self.client.number));
        let text = String::from_utf8_lossy(&self.bytes);
        if self.client.plan.kind == Kind::Status && end != Some(SessionEnd::Shutdown) && stopped.is_none() {
            self.check_status(&text, end, trace);
        }
        let Some(end) = end else {
            // Turned away: at most one answer, that says why or how busy the server is.
            if text.matches("\n\n").count() > 1 || !(text.is_empty() || text.starts_with(['=', '?'])) {
                complain(format!("heard {text:?} without a session"));
            }
            trace.note(format!("client {}: refused", self.client.number));
            return;
        };
        let expected: Vec<(u64, &What)> = self
            .client
            .plan
            .lines
            .iter()
            .filter(|line| self.is_answered(&line.what))
            .map(|l| (l.id, &l.what))
            .collect();
        let mut answers: Vec<&str> = text.split("\n\n").collect();
        let torn = answers.pop().unwrap_or_default();
        for (place, answer) in answers.iter().enumerate() {
            let good = match expected.get(place) {
                Some((id, What::Command(text))) if text == "losange-status" => answer.starts_with(&format!("={id} ")),
                Some((id, What::Command(text))) => *answer == format!("={id} {text}"),
                Some((id, _)) => answer.starts_with(&format!("={id} ")),
                None => answer.starts_with("? line too long") && end == SessionEnd::LineTooLong,
            };
            if !good {
                complain(format!("answer {place} is {answer:?}, expected {:?}", expected.get(place)));
            }
        }
        let whole = match end {
            SessionEnd::Quit => !self.reset,
            SessionEnd::Disconnected => self.closed.is_some() && !self.reset,
            _ => false,
        };
        if whole && (answers.len() != expected.len() || !torn.is_empty()) {
            complain(format!("{} answers of {}, then {torn:?}", answers.len(), expected.len()));
        }
        self.check_searches(end, models, stopped, trace);
        self.check_end(end, trace);
    }

    fn is_answered(&self, what: &What) -> bool {
        matches!(what, What::Command(_) | What::Work | What::Watch)
    }

    /// The status is told whether or not the server is full.
    fn check_status(&self, text: &str, end: Option<SessionEnd>, trace: &Trace) {
        // By the server, or by the model of a session.
        let told = text.starts_with('=') && [" sessions ", " losange-status"].iter().any(|word| text.contains(word));
        let turned_away = end.is_none() && text.is_empty();
        if told {
            trace.note("status heard".to_owned());
        }
        if !told && !turned_away && !self.reset || self.ended - self.begun > STATUS_TIME {
            trace.fault(format!("status: {text:?} after {:?}", self.ended - self.begun));
        }
    }

    /// Orders to stop are neither lost nor do they hit another command.
    fn check_searches(&self, end: SessionEnd, models: &Models, stopped: Option<Instant>, trace: &Trace) {
        let lines = &self.client.plan.lines;
        let complain = |what: String| trace.fault(format!("client {}: {what}", self.client.number));
        // From here on the server may end everything.
        let cut_off = end.reason().is_some() || self.reset;
        for (place, line) in lines.iter().enumerate() {
            let Some(search) = models.search(line.id).filter(|_| line.id > 0) else { continue };
            let ends = |other: &What| match line.what {
                What::Watch => true,
                _ => *other == What::Interrupt,
            };
            let orders = || (place + 1..self.times.len()).filter(|&later| ends(&lines[later].what));
            let quits = (place + 1..self.times.len()).find(|&later| lines[later].text.ends_with(b" quit\n"));
            let begun = orders().next().map(|later| self.times[later].0);
            let written = orders().filter_map(|later| self.times[later].1).min();
            let closing = [self.closed, stopped, quits.map(|later| self.times[later].0)].into_iter().flatten().min();
            let ordered = [begun, closing].into_iter().flatten().any(|at| at <= search.ended);
            if search.stopped && !ordered && !cut_off {
                complain(format!("{} was stopped by nobody's order: {search:?}", line.id));
            }
            if let Some(written) = written
                && !cut_off
                && end != SessionEnd::Shutdown
                && search.ended > written.max(search.begun) + SLACK
            {
                complain(format!("{} ignores the order of {written:?}: {search:?}", line.id));
            }
        }
    }

    /// Each way to behave has its end.
    fn check_end(&self, end: SessionEnd, trace: &Trace) {
        let ordinary = matches!(end, SessionEnd::Quit | SessionEnd::Disconnected | SessionEnd::Shutdown);
        let good = match self.client.plan.kind {
            Kind::Trickle => matches!(end, SessionEnd::Idle) || self.reset && end == SessionEnd::Disconnected,
            Kind::Flood => end == SessionEnd::TooManyLines || end == SessionEnd::NotReading || self.reset,
            Kind::Deaf => matches!(end, SessionEnd::NotReading | SessionEnd::Idle | SessionEnd::TooManyLines),
            Kind::Http => matches!(end, SessionEnd::Foreign("HTTP") | SessionEnd::Idle),
            Kind::Tls => end == SessionEnd::Foreign("TLS"),
            Kind::Endless => end == SessionEnd::LineTooLong || end == SessionEnd::NotReading,
            Kind::Status => ordinary,
            Kind::Polite | Kind::Silent => ordinary || matches!(end, SessionEnd::Idle | SessionEnd::NotReading),
            Kind::Deadly => ordinary || matches!(end, SessionEnd::Idle | SessionEnd::NotReading | SessionEnd::Died),
        };
        if !good && end != SessionEnd::Shutdown {
            trace.fault(format!("client {} ({:?}) ended by {end:?}", self.client.number, self.client.plan.kind));
        }
    }
}
