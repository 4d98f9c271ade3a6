//! Unbounded best-first minimax with safe decision and completion (UBFM_s), for any game and any evaluator.
//!
//! The algorithm is that of Cohen-Solal (2019, 2020): every iteration follows the best action by the completed value
//! (resolution, then value) from the root to a state that was never expanded, values all of its children in one batch,
//! and takes the minimax value back up. It plays a proven win if there is one, else the action selected most often.
//! Start reading at `iteration`.

pub(crate) mod iteration;
mod report;
pub(crate) mod table;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use self::iteration::{Aim, Buffers, Iteration, Knowledge, Shared, Variant, Worker, make};
use self::table::{Action, State, Table};
use super::{Decision, Params, Report, Searcher, Share, Task, crew};
use crate::eval::{Evaluator, Wanted};
use crate::game::{Bounded, Game};
use crate::rng::Rng;

/// How often a run with a clock asks whether its choice can still change.
const EARLY_STOP_INTERVAL: Duration = Duration::from_millis(20);
/// How long a thread sleeps whose every line leads to states that others expand.
const NAP: Duration = Duration::from_micros(100);
/// How long a thread that has given its place to another search sleeps before it asks again: short naps of many sessions
/// cost the others a good part of a core.
const REST: Duration = Duration::from_millis(5);
/// Far enough away to be no deadline.
const NEVER: Duration = Duration::from_secs(1 << 30);

/// Number of moves up to which the whole share of iterations looks for proofs; with more, it falls with their square.
const MOVES_IN_REACH: f32 = 50.0;

fn proof_share<G: Game>(task: &Task<'_, G>) -> f32 {
    if task.params.completion == 0 {
        return 0.0;
    }
    let mut moves = Vec::new();
    task.position.legal_moves(&mut moves);
    task.params.proof_share * (MOVES_IN_REACH / moves.len().max(1) as f32).min(1.0).powi(2)
}

/// UBFM_s with its table kept from move to move.
pub struct Ubfm<G: Game> {
    share: Arc<Share>,
    table: Table,
    findings: G::Findings,
    evaluator: Arc<dyn Evaluator<G>>,
}

impl<G: Game> Ubfm<G> {
    /// A search with at most `memory_mib` MiB of table and findings, allocated as they grow.
    pub fn new(share: Arc<Share>, memory_mib: usize, evaluator: Arc<dyn Evaluator<G>>) -> Self {
        let (table, findings) = Self::memory(memory_mib);
        Self { share, table, findings, evaluator }
    }

    fn memory(mib: usize) -> (Table, G::Findings) {
        let findings = G::Findings::within(mib);
        (Table::new(mib - findings.mib()), findings)
    }

    /// The root's state is made before any thread starts, so that there is a move however soon the stop comes. Says
    /// whether it came so soon that the state knows nothing and must not stay in the table.
    fn prepare(&self, position: &G, params: &Params, wanted: Wanted<'_>) -> bool {
        if self.table.is_crowded() {
            self.table.keep_below(position.key());
        }
        let key = position.key();
        self.table.set_root(key);
        let evaluator = self.evaluator.as_ref();
        let variant = Variant::of(params);
        let make = |knowledge| make(position, variant, knowledge, evaluator, &mut Buffers::default(), wanted);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        // A state made further down may have left out what does not matter there.
        let root = match self.table.get(key) {
            Some(state) if state.actions.lock().len() == moves.len() => state,
            partial => {
                let made = make(match params.knowledge {
                    0 => Knowledge::Glance(&self.table),
                    _ => Knowledge::Root(&self.table, &self.findings),
                });
                let Ok(whole) = made else {
                    let even = |&mv| {
                        let mut child = position.clone();
                        child.play(mv);
                        Action::valued(position.index(mv) as u16, child.key(), 0.0)
                    };
                    let actions = moves.iter().map(even).collect();
                    self.table.replace(key, State::new(position.to_move(), actions, false));
                    return true;
                };
                if let Some(partial) = partial {
                    whole.take_over(&partial);
                }
                self.table.replace(key, whole)
            }
        };
        let result = variant.back(root.side, &root.actions.lock()).resolution;
        let lost = result.is_some_and(|result| f32::from(result) * root.side.sign() < 0.0);
        // Which moves lose slowest is not known yet.
        if lost && let Ok(open) = make(Knowledge::LostRoot) {
            self.table.replace(key, open);
        }
        false
    }
}

impl<G: Game> Searcher<G> for Ubfm<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let start = Instant::now();
        let knowledge_visits = match task.params.knowledge {
            0 => u32::MAX,
            // Where each child is valued by itself, knowledge pays at once: it leaves fewer of them.
            _ if self.evaluator.values_moves(task.position) => task.params.knowledge_visits,
            _ => 0,
        };
        let provisional = self.prepare(task.position, task.params, &|| !task.stop.is_set());
        let in_flight = Mutex::new(HashSet::new());
        let shared = Shared {
            variant: Variant::of(task.params),
            table: &self.table,
            findings: &self.findings,
            evaluator: self.evaluator.as_ref(),
            knowledge_visits,
            root: task.position,
            restrictions: task.restrictions,
            in_flight: &in_flight,
        };
        let share = proof_share(task);
        let begun = AtomicU64::new(0);
        let halt = AtomicBool::new(false);
        // An evaluator that works through batches has several threads waiting for each one that calculates.
        let lines = self.evaluator.attributes().lines.max(1);
        // At the end of a node budget what is under way is finished; at the end of the time it is given up.
        let late = AtomicBool::new(false);
        let wanted = || !late.load(Ordering::Relaxed) && !task.stop.is_set();
        let ticket = self.share.enter();
        let deadline = start + task.budget.time.unwrap_or(NEVER);
        let snapshot = || report::make(&shared, begun.load(Ordering::Relaxed), start.elapsed());

        let work = |number: usize| {
            let mut worker = Worker::new(task.position, Rng::stream(task.seed, number as u64));
            let mut proofs = 0.0;
            let end = || {
                halt.store(true, Ordering::Relaxed);
                task.stop.wake();
            };
            while !halt.load(Ordering::Relaxed) && wanted() {
                if number >= lines && number / lines >= ticket.threads() {
                    thread::sleep(REST);
                    continue;
                }
                let limit = task.budget.nodes.unwrap_or(u64::MAX);
                if begun.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < limit).then_some(n + 1)).is_err() {
                    return end();
                }
                proofs += share;
                let aim = if proofs >= 1.0 { Aim::Proof } else { Aim::Value };
                proofs -= proofs.floor();
                match worker.iterate(&shared, aim, &wanted) {
                    Iteration::Done => {}
                    Iteration::Cancelled => {
                        begun.fetch_sub(1, Ordering::Relaxed);
                    }
                    Iteration::Busy => {
                        begun.fetch_sub(1, Ordering::Relaxed);
                        thread::sleep(NAP);
                    }
                    Iteration::Resolved => {
                        begun.fetch_sub(1, Ordering::Relaxed);
                        return end();
                    }
                }
            }
        };

        thread::scope(|scope| {
            for number in 0..task.threads.max(1) * lines {
                let work = &work;
                if crew::start(scope, move || work(number)).is_none() && number == 0 {
                    halt.store(true, Ordering::Relaxed);
                }
            }
            let mut next_report = task.report_every.map(|every| start + every);
            let early = task.budget.early_stop && task.budget.time.is_some();
            loop {
                let now = Instant::now();
                let mut wake = next_report.map_or(deadline, |at| deadline.min(at));
                if early {
                    wake = wake.min(now + EARLY_STOP_INTERVAL);
                }
                let running = || !halt.load(Ordering::Relaxed);
                if task.stop.wait_while(wake, running) || !running() || Instant::now() >= deadline {
                    break;
                }
                if early && report::decided(&shared, begun.load(Ordering::Relaxed), start, deadline) {
                    break;
                }
                if let (Some(at), Some(every)) = (next_report, task.report_every)
                    && Instant::now() >= at
                {
                    on_report(&snapshot());
                    next_report = Some((at + every).max(Instant::now()));
                }
            }
            late.store(!halt.swap(true, Ordering::Relaxed), Ordering::Relaxed);
        });

        let mut report = snapshot();
        // A root that resolves at once has not reported yet; an analysis wants to hear of it all the same, and goes on
        // standing there until it is stopped.
        if task.report_every.is_some() && task.budget == super::Budget::default() {
            on_report(&report);
            task.stop.wait_while(deadline, || true);
            report = snapshot();
        }
        if provisional {
            self.table.remove(task.position.key());
        }
        let mv = report.moves.first().map(|m| m.mv).unwrap_or_else(|| task.position.move_at(0));
        Decision { mv, report }
    }

    /// The table holds states, not a line: nothing to do.
    fn advance(&mut self, _: G::Move) {}

    fn clear(&mut self) {
        self.set_memory(self.table.mib() + self.findings.mib());
    }

    fn set_memory(&mut self, mib: usize) {
        (self.table, self.findings) = Self::memory(mib);
    }
}

#[cfg(test)]
mod tests;
