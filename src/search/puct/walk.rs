//! Simulations of one thread: down to a leaf, which is evaluated, and the numbers up again.

use std::sync::Arc;

use parking_lot::Mutex;

use super::graph::PositionGraph;
use super::node::{Body, EDGE_BYTES, Expanded, Node, Own};
use super::select::{Pick, select};
use super::settings::PuctConstants;
use super::update::{self, ChildPart};
use super::utility::Utility;
use crate::eval::{Cancelled, Evaluation, NoEvaluation, PolicyEvaluator, PolicyQuery, Wanted};
use crate::game::{MonteCarlo, Outcome, PlayoutPolicy};
use crate::rng::Rng;
use crate::search::mcts::{Tally, priors_by_knowledge};
use crate::search::{Params, Restriction, moves_of, permitted, root_moves};

/// Longest way down: no game is as long, but ways may go round.
const LONGEST: usize = 1000;

/// A run as its threads see it.
pub(super) struct PuctSearch<'a, G: MonteCarlo> {
    pub(super) graph: &'a PositionGraph<G>,
    pub(super) utility: Utility,
    pub(super) settings: PuctConstants,
    pub(super) params: &'a Params,
    pub(super) restrictions: &'a [Restriction<G::Move>],
    pub(super) evaluator: &'a dyn PolicyEvaluator<G>,
    /// Whether owners of points are wanted.
    pub(super) ownership: bool,
    /// Whether they are wanted after each move of the root too.
    pub(super) moves_ownership: bool,
    /// Sums of each thread.
    pub(super) tallies: &'a [Mutex<Tally>],
}

/// Where a simulation ended.
enum Reached {
    /// At a node that is to be evaluated.
    Leaf,
    /// It is backed up.
    Done,
    /// At a node that another thread evaluates.
    Busy,
}

/// A simulation on its way.
struct Simulation<G: MonteCarlo> {
    position: G,
    /// Nodes from the root on, each with the number of the edge that was followed.
    path: Vec<(Arc<Node>, usize)>,
    node: Arc<Node>,
    /// Index of the first move.
    first: Option<usize>,
    moves: Vec<G::Move>,
}

/// Simulations of one thread.
pub(super) struct GraphWalker<'a, G: MonteCarlo> {
    search: &'a PuctSearch<'a, G>,
    number: usize,
    simulations: Vec<Simulation<G>>,
    parts: Vec<ChildPart>,
    rng: Rng,
}

impl<'a, G: MonteCarlo> GraphWalker<'a, G> {
    /// The walker of thread `number`.
    pub(super) fn new(search: &'a PuctSearch<'a, G>, number: usize, rng: Rng) -> Self {
        Self { search, number, simulations: Vec::new(), parts: Vec::new(), rng }
    }

    /// Goes down at most `most` times and evaluates the leaves together. Returns the number of simulations that count.
    pub(super) fn iterate(&mut self, most: usize, wanted: Wanted<'_>) -> usize {
        let (mut leaves, mut ended) = (0, 0);
        while leaves + ended < most {
            match self.descend(leaves) {
                Reached::Leaf => leaves += 1,
                Reached::Done => ended += 1,
                Reached::Busy => break,
            }
        }
        let counted = if self.evaluate(leaves, wanted).is_ok() { leaves + ended } else { ended };
        self.search.tallies[self.number].lock().count += counted as u64;
        counted
    }

    /// Evaluates the root before any thread starts.
    ///
    /// # Errors
    /// [`Cancelled`]: its moves have priors by the game's knowledge then.
    pub(super) fn begin(&mut self, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        match self.descend(0) {
            Reached::Leaf if self.evaluate(1, wanted).is_ok() => Ok(()),
            Reached::Leaf => {
                self.descend(0);
                self.finish(0, None);
                Err(Cancelled)
            }
            Reached::Done | Reached::Busy => Ok(()),
        }
    }

    /// Takes simulation `number` from the root to its end.
    fn descend(&mut self, number: usize) -> Reached {
        let search = self.search;
        if number == self.simulations.len() {
            let (position, node) = (search.graph.position.clone(), Arc::clone(&search.graph.root));
            self.simulations.push(Simulation { position, path: Vec::new(), node, first: None, moves: Vec::new() });
        }
        let it = &mut self.simulations[number];
        it.position.clone_from(&search.graph.position);
        it.path.clear();
        it.node = Arc::clone(&search.graph.root);
        loop {
            let node = Arc::clone(&it.node);
            let mut body = node.body.lock();
            match &mut *body {
                Body::Claimed => {
                    drop(body);
                    self.give_up(number);
                    return Reached::Busy;
                }
                Body::Over(own) => {
                    let (once, mut stats) = (own.stats(0.0), node.stats.lock());
                    let weight = stats.weight + once.weight;
                    let squares = stats.weight_squares + once.weight_squares;
                    let visits = stats.visits + 1;
                    *stats = super::node::NodeMeans { visits, weight, weight_squares: squares, ..once };
                    drop(stats);
                    drop(body);
                    self.back_up(number);
                    return Reached::Done;
                }
                Body::Fresh => {
                    // The root needs a move whatever is known of it.
                    let below = !it.path.is_empty();
                    let round = below && it.position.is_round();
                    let is_known = G::SOLVES && search.params.proofs > 0 && below;
                    let known = if is_known { it.position.proven() } else { None };
                    match below {
                        true => moves_of(&it.position, search.params, &mut it.moves),
                        false => root_moves(search.restrictions, &it.position, search.params, &mut it.moves),
                    }
                    if round || known.is_some() || it.moves.is_empty() && !it.position.ends_by_agreement() {
                        let known = known.map(|(winner, _)| Outcome::of(Some(winner), 0.0));
                        let end = it.position.outcome().or(known).filter(|_| !round);
                        let mut own = Own::over(end.unwrap_or(Outcome::DRAW));
                        own.value_by(&search.utility);
                        *node.stats.lock() = own.stats(0.0);
                        *body = Body::Over(own);
                        drop(body);
                        self.back_up(number);
                        return Reached::Done;
                    }
                    *body = Body::Claimed;
                    return Reached::Leaf;
                }
                Body::Expanded(expanded) => match search.follow(it, expanded, &mut self.rng) {
                    Some(child) => it.node = child,
                    None => {
                        drop(body);
                        self.back_up(number);
                        return Reached::Done;
                    }
                },
            }
        }
    }

    /// Evaluates the first so many simulations and backs them up.
    fn evaluate(&mut self, count: usize, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        if count == 0 {
            return Ok(());
        }
        let settings = &self.search.settings;
        let queries: Vec<_> = self.simulations[..count].iter().map(|it| it.query(settings)).collect();
        let mut evaluations = Vec::new();
        let answer = self.search.evaluator.evaluate_with_policy(&queries, &mut evaluations, wanted);
        if answer == Err(NoEvaluation::Cancelled) {
            for number in 0..count {
                *self.simulations[number].node.body.lock() = Body::Fresh;
                self.give_up(number);
            }
            return Err(Cancelled);
        }
        for number in 0..count {
            self.finish(number, evaluations.get(number).filter(|_| answer.is_ok()));
        }
        Ok(())
    }

    /// Expands the leaf of a simulation and backs it up: by what was said of it, or by a playout.
    fn finish(&mut self, number: usize, evaluation: Option<&Evaluation>) {
        let search = self.search;
        let it = &mut self.simulations[number];
        let (mut own, priors) = match evaluation {
            Some(evaluation) => {
                let mut priors = search.settings.priors(&evaluation.policy);
                it.position.correct_policy(&it.moves, &mut priors);
                (Own::judged(evaluation, search.settings.uncertainty), priors)
            }
            None => {
                let mut playout = it.position.playout_policy(search.params.playout_knowledge);
                let end = playout.run(&it.position, &mut self.rng, &mut Vec::new());
                (Own::over(end.outcome), priors_by_knowledge(&it.position, &it.moves))
            }
        };
        own.value_by(&search.utility);
        let indices: Vec<usize> = it.moves.iter().map(|&mv| it.position.index(mv)).collect();
        let wants_bias = search.settings.bias > 0.0 && !it.path.is_empty();
        let bias = wants_bias.then(|| it.position.local_shape()).flatten().map(|key| search.graph.biases.share(key));
        let correction = bias.as_ref().map_or(0.0, |bias| search.settings.bias * bias.expected());
        let stats = own.stats(correction);
        let mut body = it.node.body.lock();
        *body = if indices.is_empty() {
            Body::Over(own)
        } else {
            search.graph.take(Expanded::bytes(indices.len()));
            Body::Expanded(Box::new(Expanded::new(own, it.position.to_move().sign(), &indices, &priors, bias)))
        };
        *it.node.stats.lock() = stats;
        drop(body);
        if search.ownership
            && let Some(Evaluation { ownership, .. }) = evaluation
            && !ownership.is_empty()
        {
            let mut tally = search.tallies[self.number].lock();
            tally.add_expected_owners(ownership);
            if let Some(first) = it.first.filter(|_| search.moves_ownership) {
                tally.add_owners_after(first, ownership);
            }
        }
        self.back_up(number);
    }

    /// Calculates the nodes of a simulation's path anew, from its end to the root.
    fn back_up(&mut self, number: usize) {
        for (node, edge) in self.simulations[number].path.iter().rev() {
            if let Body::Expanded(expanded) = &mut *node.body.lock() {
                let followed = &mut expanded.edges[*edge];
                followed.visits += 1;
                followed.in_flight -= 1;
                *node.stats.lock() = update::stats(expanded, &self.search.settings, &mut self.parts);
            }
        }
    }

    /// Takes a simulation back.
    fn give_up(&mut self, number: usize) {
        for (node, edge) in &self.simulations[number].path {
            if let Body::Expanded(expanded) = &mut *node.body.lock() {
                expanded.edges[*edge].in_flight -= 1;
            }
        }
    }
}

impl<G: MonteCarlo> Simulation<G> {
    fn query(&self, settings: &PuctConstants) -> PolicyQuery<'_, G> {
        let optimism = if self.path.is_empty() { settings.root_optimism } else { settings.optimism };
        PolicyQuery { position: &self.position, moves: &self.moves, optimism }
    }
}

impl<G: MonteCarlo> PuctSearch<'_, G> {
    /// Follows the best move of a node: its child, or nothing where the simulation ends here, since the child knows more visits
    /// than came by this way, or the way goes round, or no move is left.
    fn follow(&self, it: &mut Simulation<G>, expanded: &mut Expanded, rng: &mut Rng) -> Option<Arc<Node>> {
        let depth = it.path.len();
        let side = it.position.to_move();
        let restricted = self.restrictions.iter().any(|r| r.side == side && depth < r.depth);
        let permits = |index: usize| permitted(self.restrictions, &it.position, side, index, depth);
        let binds = restricted && expanded.moves.iter().any(|&mv| permits(mv as usize));
        let allowed = |index: usize| !binds || permits(index);
        let legal = |index: usize| it.position.is_legal(it.position.move_at(index));
        let stats = *it.node.stats.lock();
        let (is_root, radius) = (depth == 0, self.utility.radius());
        let mut pick = select(expanded, &stats, is_root, radius, &self.settings, allowed, rng)?;
        // Ways that meet may have pasts that forbid different moves, which is seldom: the others are looked at only then.
        if self.settings.graph && !legal(expanded.index_of(pick)) {
            let allowed = |index: usize| allowed(index) && legal(index);
            pick = select(expanded, &stats, is_root, radius, &self.settings, allowed, rng)?;
        }
        let index = expanded.index_of(pick);
        if depth == 0 {
            it.first = Some(index);
        }
        it.position.play(it.position.move_at(index));
        let number = match pick {
            Pick::Edge(number) => number,
            Pick::Fresh(slot) => {
                self.graph.take(EDGE_BYTES);
                expanded.follow(slot, self.graph.node(it.position.way_key(), self.settings.graph))
            }
        };
        let edge = &mut expanded.edges[number];
        edge.in_flight += 1;
        it.path.push((Arc::clone(&it.node), number));
        let child = Arc::clone(&edge.child);
        let round = it.path.iter().any(|(node, _)| Arc::ptr_eq(node, &child));
        // The node itself is locked, so a way to itself is one that goes round.
        let known = !round && child.stats.lock().visits > edge.visits + edge.in_flight - 1;
        (!round && !known && depth < LONGEST).then_some(child)
    }
}
