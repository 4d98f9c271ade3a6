//! The search as its threads and reports see it.

use parking_lot::Mutex;

use super::learned::Learned;
use super::proofs::settled;
use super::tally::Tally;
use super::tree::Tree;
use crate::game::MonteCarlo;
use crate::search::watch::Timer;
use crate::search::{Params, Restriction};

/// Trees, parameters and sums of a search, until room is made in its trees.
pub(crate) struct TreeSearch<'a, G: MonteCarlo> {
    pub(crate) tree: &'a Tree<G>,
    /// The trees of intermediate goals, where each has one of its own.
    pub(crate) goal_trees: &'a [Tree<G>],
    pub(crate) params: &'a Params,
    pub(crate) restrictions: &'a [Restriction<G::Move>],
    pub(crate) ownership: bool,
    /// Whether owners are summed for each move of the root too.
    pub(crate) moves_ownership: bool,
    /// Visits as which the root's means count beside those of a move where they are shown.
    pub(crate) drawn_by: f32,
    pub(crate) learned: &'a Learned,
    /// Sums over simulations, by thread.
    pub(crate) tallies: &'a [Mutex<Tally>],
    /// Whether the moves of playouts are counted.
    pub(crate) profiled: bool,
    pub(crate) clock: Timer,
}

impl<'a, G: MonteCarlo> TreeSearch<'a, G> {
    /// The tree that says which move is the best one: that of the goal, or of the game, that was pursued most.
    pub(crate) fn leading(&self) -> &'a Tree<G> {
        if self.goal_trees.is_empty() || settled(self.tree, self.restrictions) {
            return self.tree;
        }
        let strategies = self.learned.strategies.as_ref();
        let leading = strategies.and_then(|all| all.leading().filter(|&goal| !all.met(goal, self.tree.position())));
        leading.and_then(|goal| self.goal_trees.get(goal)).unwrap_or(self.tree)
    }

    /// Whether children find no room in a tree: the workers leave then.
    pub(crate) fn lacks_room(&self) -> bool {
        self.tree.wants_pruning() || self.goal_trees.iter().any(Tree::wants_pruning)
    }
}
