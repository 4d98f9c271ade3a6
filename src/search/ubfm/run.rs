//! One run: threads iterate, some of the iterations for proofs.

use std::thread;
use std::time::Duration;

use super::iteration::{Aim, Iteration, TableSearch, Walker};
use super::report;
use crate::eval::Evaluator;
use crate::game::Game;
use crate::rng::Rng;
use crate::search::crew::{self, RunLimits};
use crate::search::watch::{Lead, Timer, Watch, Watched};
use crate::search::{Report, Task};

/// How long a thread sleeps whose every line leads to states that others expand.
const NAP: Duration = Duration::from_micros(100);
/// Number of moves up to which the whole share of iterations looks for proofs; with more, it falls with their square.
const MOVES_IN_REACH: f32 = 50.0;

/// Share of the iterations that look for a proof.
pub(crate) fn proof_share<G: Game>(task: &Task<'_, G>) -> f32 {
    if task.params.completion == 0 {
        return 0.0;
    }
    let mut moves = Vec::new();
    task.position.legal_moves(&mut moves);
    task.params.proof_share * (MOVES_IN_REACH / moves.len().max(1) as f32).min(1.0).powi(2)
}

/// A run, shared by its threads.
pub(crate) struct TableRun<'r, G: Game> {
    pub(crate) search: TableSearch<'r, G>,
    pub(crate) evaluator: &'r dyn Evaluator<G>,
    pub(crate) seed: u64,
    /// See [`proof_share`].
    pub(crate) proof_share: f32,
    pub(crate) limits: RunLimits<'r>,
    pub(crate) clock: Timer,
}

impl<G: Game> Watched for TableRun<'_, G> {
    type Report = Report<G::Move>;

    fn report(&self) -> Option<Report<G::Move>> {
        Some(report::make(&self.search, self.limits.quota.begun(), self.clock.elapsed()))
    }

    fn lead(&self) -> Option<Lead> {
        report::lead(&self.search, self.limits.quota.begun())
    }
}

impl<G: Game> TableRun<'_, G> {
    /// Searches by so many threads until the run is over.
    pub(crate) fn search(&self, threads: usize, watch: &mut Watch, on_report: &mut dyn FnMut(&Report<G::Move>)) {
        // An evaluator that works through batches has several threads waiting for each one that calculates.
        let lines = self.evaluator.attributes().lines.max(1);
        let work = |number| self.work(number, lines);
        let halt = &self.limits.halt;
        crew::run(halt, threads.max(1) * lines, &work, || _ = watch.wait(halt, self, on_report));
    }

    /// The loop of one thread.
    fn work(&self, number: usize, lines: usize) {
        let (mut worker, mut rng) = (Walker::new(self.search.root), Rng::stream(self.seed, number as u64));
        let RunLimits { halt, quota, ticket } = &self.limits;
        let wanted = || halt.wanted();
        let mut proofs = 0.0;
        while !halt.is_over() {
            if ticket.rests(number / lines) {
                continue;
            }
            if !quota.take() {
                return halt.end();
            }
            proofs += self.proof_share;
            let aim = if proofs >= 1.0 { Aim::Proof } else { Aim::Value };
            proofs -= proofs.floor();
            let iteration = worker.iterate(&self.search, self.evaluator, aim, &mut rng, &wanted);
            if iteration != Iteration::Done {
                quota.give_back(1);
            }
            match iteration {
                Iteration::Done | Iteration::Cancelled => {}
                Iteration::Busy => thread::sleep(NAP),
                Iteration::Resolved => return halt.end(),
            }
        }
    }
}
