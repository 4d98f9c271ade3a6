//! One run of the search: the root is expanded, threads iterate, and where memory is full they leave for a moment while room is
//! made.

use std::sync::Arc;

use parking_lot::Mutex;

use super::evaluated::{Evaluated, priors_by_knowledge};
use super::iteration::{Policy, Worker};
use super::learned::Learned;
use super::playouts::Playouts;
use super::proofs::{Proofs, settled};
use super::tally::Tally;
use super::tree::{Scratch, Tree};
use super::tree_search::TreeSearch;
use super::trees::Trees;
use crate::eval::{NoEvaluation, PolicyEvaluator, PolicyQuery, Wanted};
use crate::game::MonteCarlo;
use crate::rng::Rng;
use crate::search::crew::{self, RunLimits};
use crate::search::watch::{Timer, Watch};
use crate::search::{Report, Task, root_moves};

/// Visits of the root that no search goes beyond, so that no counter runs over.
const MOST_VISITS: u32 = 1 << 31;

/// Visits as which the means of a position count beside those of its moves where playouts value them. A few playouts say next to
/// nothing: of a dozen moves that were looked at twice some have won both.
const DRAWN_BY: f32 = 50.0;

/// A run, from one making of room to the next.
pub(crate) struct TreeRun<'r, G: MonteCarlo> {
    pub(crate) task: &'r Task<'r, G>,
    pub(crate) learned: &'r Learned,
    /// Values leaves in the place of playouts, or advises them.
    pub(crate) evaluator: Option<Arc<dyn PolicyEvaluator<G>>>,
    pub(crate) tallies: Vec<Mutex<Tally>>,
    pub(crate) limits: RunLimits<'r>,
    pub(crate) clock: Timer,
}

impl<G: MonteCarlo> TreeRun<'_, G> {
    /// The search in these trees.
    pub(crate) fn within<'a>(&'a self, trees: &'a Trees<G>) -> TreeSearch<'a, G> {
        TreeSearch {
            tree: &trees.game,
            goal_trees: &trees.goals,
            params: self.task.params,
            restrictions: self.task.restrictions,
            ownership: self.task.ownership || self.task.moves_ownership,
            moves_ownership: self.task.moves_ownership,
            drawn_by: if self.evaluator.is_none() || self.advises() { DRAWN_BY } else { 0.0 },
            learned: self.learned,
            tallies: &self.tallies,
            profiled: tracing::enabled!(tracing::Level::DEBUG),
            clock: self.clock,
        }
    }

    /// Whether the evaluator advises playouts, and does not take their place.
    fn advises(&self) -> bool {
        self.task.params.advice_visits > 0
    }

    /// Gives the roots their children before any thread starts, so that there is a move however soon the stop comes. Says
    /// whether it came so soon that the evaluator was not heard and the trees must not stay.
    pub(crate) fn begin(&self, trees: &mut Trees<G>) -> bool {
        let evaluator = self.evaluator.as_deref().filter(|_| !self.advises());
        let provisional = self.begin_tree(&mut trees.game, evaluator);
        trees.goals.iter_mut().for_each(|tree| _ = self.begin_tree(tree, None));
        provisional
    }

    fn begin_tree(&self, tree: &mut Tree<G>, evaluator: Option<&dyn PolicyEvaluator<G>>) -> bool {
        let provisional = self.expand_root(tree, evaluator);
        if tree.root().is_expanded() {
            return provisional;
        }
        // Without room for its root's children it is of no use.
        tree.restart();
        self.expand_root(tree, evaluator)
    }

    fn expand_root(&self, tree: &Tree<G>, evaluator: Option<&dyn PolicyEvaluator<G>>) -> bool {
        let (root, position) = (tree.root(), tree.position());
        let Some(evaluator) = evaluator else {
            tree.expand((root, position), self.task.restrictions, self.task.params, None, &mut Scratch::default());
            if G::SOLVES && self.task.params.proofs > 0 && root.claim_knowledge() {
                Proofs::default().ask(tree, root, position, true);
            }
            return false;
        };
        let (mut moves, mut evaluations) = (Vec::new(), Vec::new());
        root_moves(self.task.restrictions, position, self.task.params, &mut moves);
        if moves.is_empty() || !root.claim() {
            return false;
        }
        let answer = evaluator.evaluate_with_policy(&[PolicyQuery::new(position, &moves)], &mut evaluations, &|| {
            !self.task.stop.is_set()
        });
        let priors = match evaluations.pop() {
            Some(evaluation) if answer.is_ok() => evaluation.policy,
            _ => priors_by_knowledge(position, &moves),
        };
        tree.grow_by_prior(root, position, &moves, &priors);
        answer == Err(NoEvaluation::Cancelled)
    }

    /// Searches until the run is over.
    pub(crate) fn search(&self, trees: &mut Trees<G>, watch: &mut Watch, on_report: &mut dyn FnMut(&Report<G::Move>)) {
        let halt = &self.limits.halt;
        if settled(&trees.game, self.task.restrictions) {
            halt.end();
        }
        for round in 0.. {
            if round > 0 {
                trees.make_room(self.clock);
            }
            // People ask about each of the root's moves.
            trees.game.complete(trees.game.root());
            let search = &self.within(trees);
            let work = |number| self.work(search, number, round);
            crew::run(halt, self.tallies.len(), &work, || _ = watch.wait(halt, search, on_report));
            if halt.is_over() {
                return;
            }
        }
    }

    /// Iterates as thread `number`, by the policy of the search.
    fn work(&self, search: &TreeSearch<'_, G>, number: usize, round: u64) {
        let rng = Rng::stream(self.task.seed.wrapping_add(round), number as u64);
        match self.evaluator.as_deref() {
            Some(evaluator) if !self.advises() => {
                let lines = evaluator.attributes().lines.max(1);
                self.iterate(search, number, lines, Worker::new(Evaluated::new(search, evaluator, number), rng));
            }
            adviser => self.iterate(search, number, 1, Worker::new(Playouts::new(search, adviser, number), rng)),
        }
    }

    /// The loop of one thread, with so many simulations under way at once.
    fn iterate<'a, P: Policy<'a, G>>(
        &self,
        search: &TreeSearch<'a, G>,
        number: usize,
        lines: usize,
        mut worker: Worker<'a, G, P>,
    ) {
        let is_settled = || search.tree.root().visits() > MOST_VISITS || settled(search.tree, search.restrictions);
        let iterate = |most: usize, wanted: Wanted<'_>| worker.iterate(most, wanted);
        self.limits.simulate(number, lines, || search.lacks_room(), is_settled, iterate);
    }
}
