//! A search by evaluations that stops where a position must be evaluated, so that one batch serves many searches: self-play.

use super::backup::Reward;
use super::evaluated::PriorPolicy;
use super::iteration::{Reached, descend};
use super::pool::Room;
use super::simulation::Simulation;
use super::tree::Tree;
use crate::game::{Bounded, MonteCarlo, Side};
use crate::rng::Rng;
use crate::search::Params;

/// Statistics of a root move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RootMove {
    /// Index of the move.
    pub(crate) index: usize,
    /// Simulations through it.
    pub(crate) visits: u32,
    /// Sum of their results in 0..=1 for the side that plays it.
    pub(crate) value: f32,
}

/// Orders moves by their indices.
fn in_order(moves: &mut [RootMove]) {
    moves.sort_unstable_by_key(|mv| mv.index);
}

/// One search. [`TreeStepper::descend`] takes a simulation down, and [`TreeStepper::supply`] takes it up again.
#[derive(Debug)]
pub(crate) struct TreeStepper<G: MonteCarlo> {
    tree: Tree<G>,
    mib: usize,
    /// The simulation that waits at its leaf: the plies to it, the position there and its moves.
    plies: Vec<(Side, u32)>,
    position: G,
    moves: Vec<G::Move>,
}

impl<G: MonteCarlo> TreeStepper<G> {
    /// A search from a position in at most `mib` MiB. When those are used up it goes on without new nodes.
    pub(crate) fn new(root: G, mib: usize) -> Self {
        let tree = Self::tree(&root, mib);
        Self { tree, mib, plies: Vec::new(), position: root, moves: Vec::new() }
    }

    fn tree(root: &G, mib: usize) -> Tree<G> {
        Tree::new(root, &Room::new(mib, 1), G::Findings::within(0))
    }

    /// The position at the root.
    pub(crate) fn root(&self) -> &G {
        self.tree.position()
    }

    /// Whether the root has its children.
    pub(crate) fn is_begun(&self) -> bool {
        self.tree.root().is_expanded()
    }

    /// The leaf that waits for its evaluation, and its moves that matter.
    pub(crate) fn leaf(&self) -> (&G, &[G::Move]) {
        (&self.position, &self.moves)
    }

    /// Goes down once. Says whether the simulation waits at a leaf; if not, it has come to the end of the game and was backed up.
    pub(crate) fn descend(&mut self, params: &Params, rng: &mut Rng) -> bool {
        let mut simulation = Simulation::new(&self.tree);
        simulation.begin(&self.tree);
        let mut policy = PriorPolicy { tree: &self.tree, params, restrictions: &[] };
        match descend(&mut policy, &mut simulation, rng, &|| true) {
            Reached::Leaf => {
                let Simulation { plies, position, moves, .. } = simulation;
                (self.plies, self.position, self.moves) = (plies, position, moves);
                true
            }
            Reached::End(reward) => {
                simulation.back_up(&reward, params);
                false
            }
            // One simulation is under way at a time, so none meets another.
            Reached::Busy => {
                simulation.give_up();
                false
            }
        }
    }

    /// Takes the evaluation of the leaf: what `First` expects in -1..=1, and the prior of each of its moves.
    pub(crate) fn supply(&mut self, value: f32, priors: &[f32], params: &Params) {
        let simulation = Simulation::resume(&self.tree, &self.plies, &self.position);
        if self.moves.is_empty() {
            simulation.node().release();
        } else {
            self.tree.grow_by_prior(simulation.node(), &self.position, &self.moves, priors);
        }
        simulation.back_up(&Reward { value, score: None }, params);
    }

    /// The moves of the root, in ascending index order.
    pub(crate) fn root_moves(&self) -> Vec<RootMove> {
        self.tree.complete(self.tree.root());
        let children = self.tree.children(self.tree.root()).iter();
        let mut moves: Vec<RootMove> = children
            .map(|child| RootMove { index: child.index(), visits: child.visits(), value: child.stats().value })
            .collect();
        in_order(&mut moves);
        moves
    }

    /// Plays a move and begins anew from there.
    pub(crate) fn play(&mut self, index: usize) {
        let mut root = self.root().clone();
        root.play(root.move_at(index));
        self.tree = Self::tree(&root, self.mib);
    }
}
