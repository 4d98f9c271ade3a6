//! Monte-Carlo tree search with UCT, RAVE and the game's own playouts and prior knowledge, or with PUCT and an evaluator that
//! values leaves and gives priors. Any game that has them.
//!
//! Start reading at `iteration`: one simulation on one page. Threads share one tree without locks.

mod advice;
mod backup;
mod choice;
mod evaluated;
mod formulas;
mod history;
mod iteration;
mod learned;
mod mean;
mod node;
mod playouts;
mod pool;
mod proofs;
mod replies;
mod report;
mod run;
mod simulation;
pub(crate) mod stepwise;
mod strategies;
mod tally;
mod tree;
mod tree_search;
mod trees;

use std::sync::Arc;

use parking_lot::Mutex;

pub(crate) use self::evaluated::priors_by_knowledge;
pub(crate) use self::formulas::Widening;
use self::learned::Learned;
use self::run::TreeRun;
pub(crate) use self::tally::Tally;
use self::trees::Trees;
use super::crew::RunLimits;
use super::params::{Params, Replies};
use super::watch::{Watch, stand};
use super::{Decision, Report, Searcher, Share, Task, any_move};
use crate::eval::PolicyEvaluator;
use crate::game::{Bounded, MonteCarlo};

/// Monte-Carlo tree search, with its tree kept from move to move.
pub struct Mcts<G: MonteCarlo> {
    share: Arc<Share>,
    mib: usize,
    trees: Option<Trees<G>>,
    evaluator: Option<Arc<dyn PolicyEvaluator<G>>>,
    learned: Learned,
}

/// The number of visits that stands for a model that is never asked.
const UNASKED: i32 = -2;

/// The parameters with what the game and the model make of them.
fn effective<G: MonteCarlo>(params: &Params, position: &G, evaluator: Option<&dyn PolicyEvaluator<G>>) -> Params {
    let advice_visits = match (evaluator, params.advice_visits) {
        (None, _) => 0,
        (Some(evaluator), -1) => i32::try_from(evaluator.advice()).unwrap_or(i32::MAX),
        (Some(_), visits) => visits,
    };
    // Where an evaluator values leaves no playout asks for replies.
    let playouts = evaluator.is_none() || advice_visits > 0;
    let replies = match params.replies {
        Replies::Usual if playouts && position.learns_replies() => Replies::BhrfVolatile,
        Replies::Usual => Replies::None,
        named => named,
    };
    Params {
        replies,
        uct_constant: params.uct_constant + G::EXPLORATION,
        history_weight: if params.history_weight < 0.0 { position.history() } else { params.history_weight },
        advice_visits,
        ..params.clone()
    }
}

impl<G: MonteCarlo> Mcts<G> {
    /// A search by playouts with at most `memory_mib` MiB of tree. Nothing is allocated before the first run.
    pub fn new(share: Arc<Share>, memory_mib: usize) -> Self {
        Self { share, mib: memory_mib, trees: None, evaluator: None, learned: Learned::default() }
    }

    /// A search by the evaluations of a model on the boards that it serves, and by playouts on others.
    pub fn with_evaluator(share: Arc<Share>, memory_mib: usize, evaluator: Arc<dyn PolicyEvaluator<G>>) -> Self {
        Self { evaluator: Some(evaluator), ..Self::new(share, memory_mib) }
    }

    /// Trees and memories for a task: those of the last run as far as they suit.
    fn adopt(&mut self, task: &Task<'_, G>) -> Trees<G> {
        let known = self.trees.as_ref().is_some_and(|trees| trees.game.position().key() == task.position.key());
        if !self.learned.adopt(task, self.mib, known) {
            self.trees = None;
        }
        let goals = self.learned.strategies.as_ref().filter(|_| task.params.strategy_trees == 1);
        let goals = goals.map_or(0, |strategies| strategies.goals());
        // Making room copies a tree, so each has half of what is left.
        let left = self.mib - self.learned.memory_share(self.mib) - G::Findings::within(self.mib).mib();
        Trees::adopt(self.trees.take(), task, goals, left / 2, self.mib)
    }
}

impl<G: MonteCarlo> Searcher<G> for Mcts<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let mut watch = Watch::new(task.budget, task.report_every).among(&self.share);
        let asked = task.params.advice_visits != UNASKED;
        let evaluator = self.evaluator.clone().filter(|evaluator| asked && evaluator.serves(task.position));
        let params = effective(task.params, task.position, evaluator.as_deref());
        let task = &Task { params: &params, ..*task };
        let mut trees = self.adopt(task);
        let run = TreeRun {
            task,
            learned: &self.learned,
            evaluator,
            tallies: (0..task.threads.max(1)).map(|_| Mutex::default()).collect(),
            limits: RunLimits::of(task, &self.share),
            clock: watch.clock(),
        };
        let provisional = run.begin(&mut trees);
        run.search(&mut trees, &mut watch, on_report);
        report::log_profile(&run.tallies);
        let report = report::make(&run.within(&trees));
        stand(task, &report, on_report);
        self.trees = (!provisional).then_some(trees);
        let mv = report.moves.first().map(|m| m.mv);
        let mv = mv.unwrap_or_else(|| any_move(task));
        Decision { mv, report }
    }

    fn advance(&mut self, mv: G::Move) {
        self.learned.age();
        self.trees = self.trees.take().and_then(|mut trees| trees.advance(mv).then_some(trees));
    }

    fn clear(&mut self) {
        self.trees = None;
        self.learned = Learned::default();
    }

    fn set_memory(&mut self, mib: usize) {
        self.mib = mib;
        self.clear();
    }
}

#[cfg(test)]
pub(super) mod tests;
