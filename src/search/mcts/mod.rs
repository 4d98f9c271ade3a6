//! Monte-Carlo tree search with UCT, RAVE and the game's own playouts and prior knowledge. Any game that has them.
//!
//! Start reading at `iteration`: one simulation on one page. Threads share one tree without locks.

mod arena;
mod iteration;
mod node;
mod report;
mod select;
mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use self::iteration::{Shared, Tally, Worker};
use self::tree::{Scratch, Tree};
use super::share::Ticket;
use super::{Decision, Report, Searcher, Share, Stop, Task};
use crate::game::MonteCarlo;
use crate::rng::Rng;

/// How often a run with a clock asks whether its choice can still change.
const EARLY_STOP_INTERVAL: Duration = Duration::from_millis(20);
/// How long a thread that has given its place to another search sleeps before it asks again.
const NAP: Duration = Duration::from_millis(1);
/// Far enough away to be no deadline.
const NEVER: Duration = Duration::from_secs(1 << 30);

/// Monte-Carlo tree search, with its tree kept from move to move.
#[derive(Debug)]
pub struct Mcts<G: MonteCarlo> {
    share: Arc<Share>,
    mib: usize,
    tree: Option<Tree<G>>,
}

/// What ends a run from within.
struct Limits<'a> {
    /// Iterations that may still begin.
    left: Option<AtomicU64>,
    /// Set when the workers shall end.
    halt: AtomicBool,
    stop: &'a Stop,
}

impl Limits<'_> {
    /// Takes one iteration from the budget.
    fn take(&self) -> bool {
        match &self.left {
            None => true,
            Some(left) => left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok(),
        }
    }

    fn halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed) || self.stop.is_set()
    }
}

impl<G: MonteCarlo> Mcts<G> {
    /// A search with at most `memory_mib` MiB of tree. Nothing is allocated before the first run.
    pub fn new(share: Arc<Share>, memory_mib: usize) -> Self {
        Self { share, mib: memory_mib, tree: None }
    }

    /// The loop of one search thread.
    fn work(
        shared: &Shared<'_, G>,
        limits: &Limits<'_>,
        ticket: &Ticket<'_>,
        number: usize,
        seed: u64,
        tally: &Mutex<Tally>,
    ) {
        let mut worker = Worker::new(shared.tree.position(), Rng::stream(seed, number as u64));
        let mut path = Vec::new();
        while !limits.halted() {
            if number > 0 && number >= ticket.threads() {
                thread::sleep(NAP);
                continue;
            }
            if !limits.take() {
                limits.halt.store(true, Ordering::Relaxed);
                limits.stop.wake();
                break;
            }
            worker.iterate(shared, &mut path, tally);
        }
    }
}

impl<G: MonteCarlo> Searcher<G> for Mcts<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let start = Instant::now();
        if self.tree.as_ref().is_none_or(|tree| tree.position().key() != task.position.key()) {
            self.tree = None;
        }
        let tree = &*self.tree.get_or_insert_with(|| Tree::new(task.position, self.mib));
        // The root has children before any thread starts, so that there is a move however soon the stop comes.
        tree.expand(tree.root(), tree.position(), task.params.prior_weight, &mut Scratch::default());

        let shared = Shared { tree, params: task.params, restrictions: task.restrictions, ownership: task.ownership };
        let limits =
            Limits { left: task.budget.nodes.map(AtomicU64::new), halt: AtomicBool::new(false), stop: task.stop };
        let tallies: Vec<Mutex<Tally>> = (0..task.threads.max(1)).map(|_| Mutex::default()).collect();
        let ticket = self.share.enter();
        let deadline = start + task.budget.time.unwrap_or(NEVER);
        let snapshot = || report::make(&shared, &tallies, start.elapsed());

        thread::scope(|scope| {
            for (number, tally) in tallies.iter().enumerate() {
                let (shared, limits, ticket) = (&shared, &limits, &ticket);
                scope.spawn(move || Self::work(shared, limits, ticket, number, task.seed, tally));
            }
            let mut next_report = task.report_every.map(|every| start + every);
            loop {
                let now = Instant::now();
                let early = task.budget.early_stop && task.budget.time.is_some();
                let mut wake = deadline;
                if let Some(at) = next_report {
                    wake = wake.min(at);
                }
                if early {
                    wake = wake.min(now + EARLY_STOP_INTERVAL);
                }
                let running = || !limits.halt.load(Ordering::Relaxed);
                if task.stop.wait_while(wake, running) || !running() || Instant::now() >= deadline {
                    break;
                }
                if early && report::decided(&shared, &tallies, start, deadline) {
                    break;
                }
                if let (Some(at), Some(every)) = (next_report, task.report_every)
                    && Instant::now() >= at
                {
                    let report = snapshot();
                    // Nothing to say yet is said by saying nothing.
                    if report.moves.iter().any(|m| m.visits > 0) {
                        on_report(&report);
                    }
                    next_report = Some((at + every).max(Instant::now()));
                }
            }
            limits.halt.store(true, Ordering::Relaxed);
        });

        let report = snapshot();
        let mv = report.moves.first().map(|m| m.mv);
        // Only a game that is over has no move; callers do not ask then, and a Go pass is a move too.
        let mv = mv.unwrap_or_else(|| task.position.move_at(task.position.move_count() - 1));
        Decision { mv, report }
    }

    fn advance(&mut self, mv: G::Move) {
        if let Some(tree) = &mut self.tree
            && !tree.advance(mv)
        {
            self.tree = None;
        }
    }

    fn clear(&mut self) {
        self.tree = None;
    }

    fn set_memory(&mut self, mib: usize) {
        self.mib = mib;
        self.tree = None;
    }
}

#[cfg(test)]
mod tests;
