//! The tree on the arena: a root position, expansion, and keeping the part below the move that was played.

use super::arena::Arena;
use super::node::{Expectation, Node, NodeId};
use crate::game::{Game, MonteCarlo, Prior};

/// A tree of moves from a position.
#[derive(Debug)]
pub(crate) struct Tree<G: Game> {
    arena: Arena,
    root: NodeId,
    position: G,
    mib: usize,
}

/// Buffers of one thread for making children.
#[derive(Debug)]
pub(crate) struct Scratch<G: Game> {
    moves: Vec<G::Move>,
    priors: Vec<Prior>,
}

impl<G: Game> Default for Scratch<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), priors: Vec::new() }
    }
}

impl<G: MonteCarlo> Tree<G> {
    /// A tree of one leaf, using at most `mib` MiB, of which half is kept for [`Tree::advance`].
    pub(crate) fn new(position: &G, mib: usize) -> Self {
        let arena = Arena::new(mib / 2);
        // A fresh arena has room for one node.
        let root = arena.allocate(1).unwrap_or_default();
        arena.get(root).reset(0, Expectation { mean: 0.5, ..Expectation::default() });
        Self { arena, root, position: position.clone(), mib }
    }

    /// The position at the root.
    pub(crate) fn position(&self) -> &G {
        &self.position
    }

    /// The root's node.
    pub(crate) fn root(&self) -> &Node {
        self.arena.get(self.root)
    }

    /// The children of a node; empty for a leaf and at the end of the game.
    #[inline]
    pub(crate) fn children(&self, node: &Node) -> &[Node] {
        match node.children() {
            Some((first, count)) => self.arena.block(first, count),
            None => &[],
        }
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    /// Gives a leaf its children with what the game knows of them, unless another thread is at it or memory is full. Says
    /// whether it has them now.
    pub(crate) fn expand(&self, node: &Node, position: &G, prior_weight: f32, scratch: &mut Scratch<G>) -> bool {
        if !node.claim() {
            return node.children().is_some();
        }
        position.sensible_moves(&mut scratch.moves);
        position.priors(&scratch.moves, &mut scratch.priors);
        let policy = attention(&scratch.priors);
        let expected = scratch.priors.iter().zip(policy).map(|(prior, policy)| Expectation {
            weight: prior.weight * prior_weight,
            mean: prior.mean,
            policy,
        });
        self.grow(node, position, scratch.moves.iter().copied().zip(expected))
    }

    /// Gives a leaf that the caller has claimed its children in the order of a policy, the most promising first, or gives
    /// the leaf back if memory is full.
    pub(crate) fn grow_by_policy(&self, node: &Node, position: &G, moves: &[G::Move], policy: &[f32]) -> bool {
        let mut order: Vec<_> = moves.iter().copied().zip(policy.iter().copied()).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let expected = |(mv, policy)| (mv, Expectation { weight: 0.0, mean: 0.5, policy });
        self.grow(node, position, order.into_iter().map(expected))
    }

    /// Gives a leaf that the caller has claimed its children, or gives it back if memory is full. Says whether it has them.
    fn grow(&self, node: &Node, position: &G, children: impl ExactSizeIterator<Item = (G::Move, Expectation)>) -> bool {
        let count = children.len();
        let Some(first) = self.arena.allocate(count) else {
            node.release();
            return false;
        };
        let block = self.arena.block(first, count as u32);
        for (child, (mv, expected)) in block.iter().zip(children) {
            child.reset(position.index(mv), expected);
        }
        node.publish(first, count as u32);
        true
    }

    /// The game goes on with `mv`. Says whether the tree knows the move; if not, it is of no use any more.
    pub(crate) fn advance(&mut self, mv: G::Move) -> bool {
        if !self.position.is_legal(mv) {
            return false;
        }
        let index = self.position.index(mv);
        let (first, count) = self.root().children().unwrap_or((0, 0));
        let Some(place) = self.arena.block(first, count).iter().position(|child| child.index() == index) else {
            return false;
        };
        self.position.play(mv);
        self.root = first + place as NodeId;
        let (used, capacity) = self.arena.usage();
        // What lies beside the move played is garbage: with much in use, copy the rest and free all at once.
        if used > capacity / 4 {
            let fresh = Arena::new(self.mib / 2);
            if let Some(root) = fresh.allocate(1) {
                fresh.get(root).copy_from(self.root());
                copy_children(&self.arena, self.root, &fresh, root);
                self.arena = fresh;
                self.root = root;
            }
        }
        true
    }
}

/// Shares of attention by the game's knowledge alone.
pub(crate) fn attention(priors: &[Prior]) -> impl ExactSizeIterator<Item = f32> {
    let attention = |prior: &Prior| prior.mean.max(0.001).powi(4);
    let sum: f32 = priors.iter().map(attention).sum();
    priors.iter().map(move |prior| attention(prior) / sum)
}

/// Copies everything below `from`, level by level, so that a lack of room cuts the deepest nodes.
fn copy_children(old: &Arena, from: NodeId, new: &Arena, to: NodeId) {
    let mut level = vec![(from, to)];
    while !level.is_empty() {
        let mut below = Vec::new();
        for (from, to) in level {
            let Some((first, count)) = old.get(from).children() else { continue };
            let Some(copy) = new.allocate(count as usize) else { continue };
            for (source, target) in old.block(first, count).iter().zip(new.block(copy, count)) {
                target.copy_from(source);
            }
            new.get(to).publish(copy, count);
            if old.get(from).has_left_out() {
                new.get(to).leave_out();
            }
            below.extend((0..count).map(|i| (first + i, copy + i)));
        }
        level = below;
    }
}
