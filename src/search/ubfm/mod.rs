//! Unbounded best-first minimax in all its variants, UBFM_s with safe decision and completion among them, for any game and any evaluator.
//!
//! The algorithm is that of Cohen-Solal (2019, 2020): every iteration follows the best action by the completed value
//! (resolution, then value) from the root to a state that was never expanded, values all of its children in one batch,
//! and takes the minimax value back up. It plays a proven win if there is one, else the action selected most often.
//! Start reading at `iteration`.

mod deepening;
pub(crate) mod expansion;
pub(crate) mod iteration;
mod report;
mod run;
pub(crate) mod stepwise;
pub(crate) mod table;
pub(crate) mod variant;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use self::expansion::{Buffers, Knowledge, make};
use self::iteration::TableSearch;
use self::run::{TableRun, proof_share};
use self::table::{Action, State, StateTable};
use self::variant::Variant;
use super::crew::RunLimits;
use super::watch::{Timer, Watch, stand};
use super::{Decision, Params, Report, Searcher, Share, Task};
use crate::eval::{Evaluator, Wanted};
use crate::game::{Bounded, Game};

/// Time in which a KiB of the table is swept (3.3 µs were measured).
const SWEEPING: Duration = Duration::from_micros(4);

/// Best-first minimax in one of its variants, with its table kept from move to move.
pub struct Ubfm<G: Game> {
    share: Arc<Share>,
    table: StateTable,
    findings: G::Findings,
    evaluator: Arc<dyn Evaluator<G>>,
}

impl<G: Game> Ubfm<G> {
    /// A search with at most `memory_mib` MiB of table and findings, allocated as they grow.
    pub fn new(share: Arc<Share>, memory_mib: usize, evaluator: Arc<dyn Evaluator<G>>) -> Self {
        let (table, findings) = Self::memory(memory_mib);
        Self { share, table, findings, evaluator }
    }

    fn memory(mib: usize) -> (StateTable, G::Findings) {
        let findings = G::Findings::within(mib);
        (StateTable::new(mib - findings.mib()), findings)
    }

    /// The root's state is made before any thread starts, so that there is a move however soon the stop comes. Says
    /// whether it came so soon that the state knows nothing and must not stay in the table.
    fn prepare(&self, position: &G, params: &Params, clock: Timer, wanted: Wanted<'_>) -> bool {
        let sweeping = SWEEPING * (self.table.bytes() >> 10) as u32;
        // Where there is no time for it, the table makes room as it fills.
        if self.table.is_crowded() && clock.affords(sweeping) {
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
                let made = make(match knowledge(params) {
                    0 => Knowledge::Glance(&self.table),
                    _ => Knowledge::Root(&self.table, &self.findings),
                });
                let Ok(whole) = made else {
                    let even = |&mv| {
                        let mut child = position.clone();
                        child.play(mv);
                        Action::valued(position.index(mv) as u32, child.key(), 0.0)
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

/// Knowledge that the parameters want: none where it may prove nothing.
pub(crate) fn knowledge(params: &Params) -> u32 {
    params.knowledge * params.proofs
}

impl<G: Game> Searcher<G> for Ubfm<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let mut watch = Watch::new(task.budget, task.report_every).among(&self.share);
        let knowledge_visits = match knowledge(task.params) {
            0 => u32::MAX,
            // Where each child is valued by itself, knowledge pays at once: it leaves fewer of them.
            _ if self.evaluator.values_moves(task.position) => task.params.knowledge_visits,
            _ => 0,
        };
        let provisional = self.prepare(task.position, task.params, watch.clock(), &|| !task.stop.is_set());
        let in_flight = Mutex::new(HashSet::new());
        let run = TableRun {
            search: TableSearch {
                variant: Variant::of(task.params),
                table: &self.table,
                findings: &self.findings,
                knowledge_visits,
                root: task.position,
                restrictions: task.restrictions,
                in_flight: &in_flight,
            },
            evaluator: self.evaluator.as_ref(),
            seed: task.seed,
            proof_share: proof_share(task),
            limits: RunLimits::of(task, &self.share),
            clock: watch.clock(),
        };
        run.search(task.threads, &mut watch, on_report);
        let report = report::make(&run.search, run.limits.quota.begun(), run.clock.elapsed());
        stand(task, &report, on_report);
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
