//! A simulation on its way down a tree: nodes, plies and the position that it has come to.

use super::node::Node;
use super::tree::Tree;
use crate::game::{MonteCarlo, Side};

/// A simulation on its way. Its buffers are kept from one to the next.
pub(crate) struct Simulation<'a, G: MonteCarlo> {
    /// The tree that it goes down.
    pub(crate) tree: &'a Tree<G>,
    /// Nodes from the root on. Each counts a visit in flight.
    pub(crate) path: Vec<&'a Node>,
    /// Sides and move indices: those between the nodes of the path, then those of a playout.
    pub(crate) plies: Vec<(Side, u32)>,
    /// The position at the last node.
    pub(crate) position: G,
    /// The moves there that matter, if it is a leaf for an evaluator.
    pub(crate) moves: Vec<G::Move>,
}

impl<'a, G: MonteCarlo> Simulation<'a, G> {
    /// A simulation that has not begun.
    pub(crate) fn new(tree: &'a Tree<G>) -> Self {
        Self { tree, path: Vec::new(), plies: Vec::new(), position: tree.position().clone(), moves: Vec::new() }
    }

    /// A simulation of a tree that waits at the leaf to which so many plies lead; see [`super::stepwise`].
    pub(crate) fn resume(tree: &'a Tree<G>, plies: &[(Side, u32)], leaf: &G) -> Self {
        let mut path = vec![tree.root()];
        for &(_, index) in plies {
            let child = tree.children(path[path.len() - 1]).iter().find(|child| child.index() == index as usize);
            path.extend(child);
        }
        Self { path, plies: plies.to_vec(), position: leaf.clone(), ..Self::new(tree) }
    }

    /// Stands at the root of a tree.
    pub(crate) fn begin(&mut self, tree: &'a Tree<G>) {
        self.tree = tree;
        self.position.clone_from(tree.position());
        self.plies.clear();
        self.path.clear();
        self.enter(tree.root());
    }

    /// Counts a visit in flight and adds the node to the path.
    fn enter(&mut self, node: &'a Node) {
        node.enter();
        self.path.push(node);
    }

    /// Plays the move of a child and enters it.
    pub(crate) fn follow(&mut self, child: &'a Node) {
        self.plies.push((self.position.to_move(), child.index() as u32));
        self.position.play(self.position.move_at(child.index()));
        self.enter(child);
    }

    /// The node that it has come to.
    #[inline]
    pub(crate) fn node(&self) -> &'a Node {
        self.path[self.path.len() - 1]
    }

    /// Plies from the root to that node.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.path.len() - 1
    }

    /// Gives it up: no node of its path counts it any more.
    pub(crate) fn give_up(&self) {
        self.path.iter().for_each(|node| node.leave());
    }
}
