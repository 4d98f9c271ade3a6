//! Simulation of the server: clock, sockets and scheduler are made up, a seed is a run.
//!
//! The real admission, links, queues and controls run on one thread under a clock that jumps to the next event. Sockets are
//! pipes in memory, sessions are models that answer at once, think for a given time, or stream until the next line. Clients
//! behave well or badly, as the seed says. `LOSANGE_TEST_SEED=7 cargo test --lib simulation` shows the course of one run that fails.

mod client;
mod model;
mod plan;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::limits::Limits;
use super::link::House;
use crate::rng::Rng;
use client::Client;
use model::Models;
use plan::Plan;

/// Runs of the short form, and of the long one.
const RUNS: u64 = 10_000;
const RUNS_LONG: u64 = 300_000;
/// Seed that the short form runs too: a client that is cut off, and reads so slowly what is left that it outlived the shutdown.
const SLOW_READER: u64 = 22_097;
/// Time by which every run is over, whatever its clients do.
const HANG: Duration = Duration::from_secs(600);
/// Time that a server may take for shutting down.
const DRAIN: Duration = Duration::from_secs(5);

/// Trace of a run: a line for each event, and the faults.
#[derive(Default)]
pub(super) struct Trace(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    start: Option<Instant>,
    events: Vec<(Duration, String)>,
    faults: Vec<String>,
}

impl Trace {
    /// Notes an event.
    pub(super) fn note(&self, event: String) {
        let mut seen = self.0.lock();
        let start = *seen.start.get_or_insert_with(Instant::now);
        seen.events.push((start.elapsed(), event));
    }

    /// Notes what must not be.
    pub(super) fn fault(&self, fault: String) {
        self.note(format!("FAULT {fault}"));
        self.0.lock().faults.push(fault);
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.lock().events.hash(&mut hasher);
        hasher.finish()
    }
}

/// Limits that clients of a run can come up against.
fn limits(rng: &mut Rng) -> Limits {
    Limits {
        sessions: 1 + rng.below(4) as usize,
        per_address: 1 + rng.below(2) as usize,
        connections_per_second: 5,
        connection_burst: 2 + rng.below(4),
        idle: Duration::from_millis(300 + u64::from(rng.below(700))),
        lines_per_second: 50,
        burst: 40,
        write: Duration::from_millis(200 + u64::from(rng.below(800))),
        report_every: Duration::ZERO,
    }
}

/// One of a machine's own clients, or of two others.
fn address(rng: &mut Rng, port: u16) -> SocketAddr {
    let host = [[127, 0, 0, 1], [192, 0, 2, 1], [192, 0, 2, 2]][rng.below(3) as usize];
    SocketAddr::from((host, port))
}

/// Runs a seed; what it has seen.
fn run(seed: u64) -> Arc<Trace> {
    let trace = Arc::new(Trace::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        if timeout(HANG, world(seed, &trace)).await.is_err() {
            trace.fault("the run does not end".to_owned());
        }
    });
    trace
}

async fn world(seed: u64, trace: &Arc<Trace>) {
    let mut rng = Rng::new(seed);
    let limits = limits(&mut rng);
    trace.note(format!("{limits:?}"));
    let models = Models::new(Arc::clone(trace), limits.sessions);
    let house = Arc::new(House::new(models.clone(), limits));
    let (stop, stopped) = watch::channel(false);
    let mut clients = Vec::new();
    for number in 0..3 + rng.below(5) {
        let peer = address(&mut rng, 1000 + number as u16);
        let client = Client::new(number, Plan::new(number, &mut rng), &mut rng, Arc::clone(trace));
        let (here, there) = tokio::io::duplex(1 + rng.below(3000) as usize);
        let begin = Duration::from_millis(u64::from(rng.below(1500)));
        let (house, stopped, trace) = (Arc::clone(&house), stopped.clone(), Arc::clone(trace));
        clients.push(tokio::spawn(async move {
            sleep(begin).await;
            trace.note(format!("client {number} of {peer}: {:?}", client.plan()));
            let served = tokio::spawn(Arc::clone(&house).receive(there, peer, stopped));
            let heard = client.run(here, &house).await;
            let end = served.await.expect("the server does not panic");
            trace.note(format!("client {number}: {end:?}, {} bytes", heard.bytes()));
            (heard, end)
        }));
    }
    let orders = rng.below(3) == 0;
    let stop_at = orders.then(|| Duration::from_millis(u64::from(rng.below(3000))));
    let mut stopped_at = None;
    if let Some(at) = stop_at {
        sleep(at).await;
        trace.note("shutdown".to_owned());
        stopped_at = Some(Instant::now());
        let _ = stop.send(true);
    }
    for client in clients {
        let (heard, end) = client.await.expect("a client does not panic");
        heard.check(end, &models, stopped_at, trace);
    }
    if let Some(at) = stopped_at
        && models.last_end().is_some_and(|end| end > at + DRAIN)
    {
        trace.fault("a session outlives the shutdown".to_owned());
    }
    if !house.admission().lock().is_empty() || models.alive() > 0 {
        trace.fault(format!("places that are not given back: {:?}", house.admission().lock()));
    }
}

/// Runs seeds on as many threads as there are; the first that is wrong, by its number.
fn first_fault(runs: u64) -> Option<(u64, Vec<String>)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let check = |seed| {
        let faults = run(seed).0.lock().faults.clone();
        (!faults.is_empty()).then_some((seed, faults))
    };
    std::thread::scope(|scope| {
        let work = |first| move || (first..runs).step_by(threads as usize).find_map(check);
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(work(first))).collect();
        workers.into_iter().filter_map(|worker| worker.join().expect("no panic")).min()
    })
}

#[test]
fn no_seed_breaks_the_server() {
    if let Some(seed) = std::env::var("LOSANGE_TEST_SEED").ok().and_then(|text| text.parse().ok()) {
        let trace = run(seed);
        let seen = trace.0.lock();
        let course: String =
            seen.events.iter().map(|(at, event)| format!("{:8.3} {event}\n", at.as_secs_f64())).collect();
        assert!(seen.faults.is_empty(), "seed {seed}:\n{course}");
        return;
    }
    let runs = if std::env::var_os("LOSANGE_LONG").is_some() { RUNS_LONG } else { RUNS };
    assert_eq!(run(SLOW_READER).0.lock().faults, [""; 0]);
    if let Some((seed, faults)) = first_fault(runs) {
        panic!("LOSANGE_TEST_SEED={seed} shows it: {faults:#?}");
    }
}

#[test]
fn a_seed_replays_exactly() {
    let mut hashes: Vec<u64> = (0..50).map(|seed| run(seed).hash()).collect();
    assert!((0..50).all(|seed| run(seed).hash() == hashes[seed as usize]));
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 50, "each seed is a run of its own");
}

/// Every kind of client and of end occurs, so that the runs look at what they are meant for.
#[test]
fn runs_come_to_every_end() {
    let all: String = (0..2000)
        .flat_map(|seed| run(seed).0.lock().events.iter().map(|(_, event)| event.clone() + "\n").collect::<Vec<_>>())
        .collect();
    for end in [
        "Some(Quit)",
        "Some(Disconnected)",
        "Some(Shutdown)",
        "Some(LineTooLong)",
        "Some(TooManyLines)",
        "Some(Idle)",
        "Some(NotReading)",
        "Some(Foreign(\"HTTP\"))",
        "Some(Foreign(\"TLS\"))",
        "Some(Died)",
        ": None",
        " stopped",
        " done",
        " watched",
        "status heard",
        "refused",
        "reset",
    ] {
        assert!(all.contains(end), "no run has {end}");
    }
}
