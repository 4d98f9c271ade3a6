//! The tree on the arena: a root position, expansion, and keeping the part below the move that was played.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::arena::{Arena, Room};
use super::history::History;
use super::node::{Expectation, Node, NodeId};
use crate::game::{Game, MonteCarlo, Prior};

/// A tree of moves from a position.
#[derive(Debug)]
pub(crate) struct Tree<G: Game> {
    arena: Arena,
    root: NodeId,
    position: G,
    room: Room,
    /// There was no room for children, and [`Tree::prune_all`] may make some.
    full: AtomicBool,
    prunable: bool,
    /// What the game's knowledge found in its positions.
    findings: G::Findings,
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
    /// A tree of one leaf.
    pub(crate) fn new(position: &G, room: &Room, findings: G::Findings) -> Self {
        // There is a chunk for each; a tree that others have left none has one beside the room.
        let mut arena = Arena::new(room);
        let root = arena.allocate(1).unwrap_or_else(|| {
            arena = Arena::beside(room);
            let root = arena.allocate(1).unwrap_or_default();
            arena.charge();
            root
        });
        arena.get(root).reset(0, Expectation { mean: 0.5, ..Expectation::default() });
        let (position, room) = (position.clone(), room.clone());
        Self { arena, root, position, room, full: AtomicBool::new(false), prunable: true, findings }
    }

    /// Where its nodes are.
    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    /// What the game's knowledge found in its positions.
    pub(crate) fn findings(&self) -> &G::Findings {
        &self.findings
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

    /// Gives a leaf its children with what the game and earlier simulations know of them, unless another thread is at it or
    /// memory is full. Says whether it has them now.
    pub(crate) fn expand(
        &self,
        node: &Node,
        position: &G,
        prior_weight: f32,
        history: Option<&History>,
        scratch: &mut Scratch<G>,
    ) -> bool {
        if !node.claim() {
            return node.children().is_some();
        }
        position.sensible_moves(&mut scratch.moves);
        position.priors(&scratch.moves, &mut scratch.priors);
        let learned = scratch.priors.iter().any(|prior| prior.policy > 0.0);
        let policy = attention(&scratch.priors);
        let side = position.to_move();
        let expected = scratch.moves.iter().zip(&scratch.priors).zip(policy).map(|((&mv, prior), policy)| {
            let known = history.map(|history| history.knows(side, position.index(mv), position.point_of(mv)));
            let (known, own) = (known.unwrap_or_default(), prior.weight * prior_weight);
            let weight = own + known.weight;
            let mean =
                if known.weight > 0.0 { (own * prior.mean + known.weight * known.mean) / weight } else { prior.mean };
            Expectation { weight, mean, policy }
        });
        let grown = self.grow(node, position, scratch.moves.iter().copied().zip(expected));
        if grown && learned {
            node.advised();
        }
        grown
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
            self.full.store(true, Relaxed);
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
            self.keep(0);
        }
        (self.full, self.prunable) = (AtomicBool::new(false), true);
        true
    }

    /// Keeps what lies below the root's nodes with so many visits at least, in memory of its own.
    fn keep(&mut self, least: u32) {
        let fresh = Arena::beside(&self.room);
        if let Some(root) = fresh.allocate(1) {
            fresh.get(root).copy_from(self.root());
            copy_children(&self.arena, self.root, &fresh, root, least);
            (self.arena, self.root) = (fresh, root);
            self.arena.charge();
        }
    }

    /// Whether children found no room, and [`Tree::prune_all`] would make some.
    pub(crate) fn wants_pruning(&self) -> bool {
        self.prunable && self.full.load(Relaxed)
    }

    /// Makes room in trees that share some: the children of the nodes with the fewest visits go, so that each tree uses at most
    /// half of what it did.
    pub(crate) fn prune_all<'t>(trees: impl Iterator<Item = &'t mut Self>) {
        let mut pruned: Vec<&mut Self> = trees.collect();
        pruned.iter_mut().for_each(|tree| tree.prune());
        // Where even that leaves no room, the search goes on without new nodes.
        let used: usize = pruned.iter().map(|tree| tree.arena.usage().0).sum();
        for tree in pruned {
            let (_, capacity) = tree.arena.usage();
            tree.prunable = used <= capacity * 3 / 4 && tree.root().children().is_some();
        }
    }

    fn prune(&mut self) {
        self.full = AtomicBool::new(false);
        let (used, _) = self.arena.usage();
        let mut families = Vec::new();
        let mut level = vec![self.root];
        while let Some(id) = level.pop() {
            let node = self.arena.get(id);
            if let Some((first, count)) = node.children() {
                families.push((node.visits(), count as usize));
                level.extend(first..first + count);
            }
        }
        families.sort_unstable_by(|a, b| b.cmp(a));
        let mut kept = 0;
        let least = families.iter().find(|&&(_, count)| {
            kept += count;
            kept > used / 2
        });
        let least = least.map_or(0, |&(visits, _)| visits + 1).min(self.root().visits());
        self.keep(least);
    }
}

/// Shares of attention by the game's knowledge alone: what it has learned, or the more the better the mean is.
pub(crate) fn attention(priors: &[Prior]) -> impl ExactSizeIterator<Item = f32> {
    let learned = priors.iter().any(|prior| prior.policy > 0.0);
    let attention = move |prior: &Prior| if learned { prior.policy } else { prior.mean.max(0.001).powi(4) };
    let sum: f32 = priors.iter().map(attention).sum();
    priors.iter().map(move |prior| attention(prior) / sum)
}

/// Copies the children of all nodes below `from` that have so many visits at least, level by level, so that a lack of room
/// cuts the deepest nodes.
fn copy_children(old: &Arena, from: NodeId, new: &Arena, to: NodeId, least: u32) {
    let mut level = vec![(from, to)];
    while !level.is_empty() {
        let mut below = Vec::new();
        for (from, to) in level {
            let Some((first, count)) = old.get(from).children().filter(|_| old.get(from).visits() >= least) else {
                continue;
            };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Bounded;
    use crate::games::Size;
    use crate::games::hex::Position;

    #[test]
    fn what_a_game_has_learned_is_explored_by() {
        fn expanded<G: MonteCarlo>(position: &G) -> (bool, f32) {
            let tree = Tree::new(position, &Room::new(1, 1), G::Findings::within(8));
            assert!(tree.expand(tree.root(), position, 1.0, None, &mut Scratch::default()));
            let shares = tree.children(tree.root()).iter().map(|child| child.stats().policy);
            (tree.root().is_advised(), shares.sum())
        }
        let go = crate::games::go::Position::new(Size::square(9), crate::games::go::Rules::CHINESE, 7.5);
        let (learned, of_go) = expanded(&go);
        let (not_learned, of_hex) = expanded(&Position::new(Size::square(7)));
        assert!(learned && !not_learned && (of_go - 1.0).abs() < 1e-4 && (of_hex - 1.0).abs() < 1e-4);
    }

    #[test]
    fn pruning_keeps_what_was_visited_most() {
        let position = Position::new(Size::square(11));
        let mut tree = Tree::new(&position, &Room::new(1, 1), <Position as Game>::Findings::within(8));
        let mut scratch = Scratch::default();
        // One line of play is visited more than all others, which fill the memory.
        let mut line = vec![tree.root];
        let mut state = position.clone();
        for depth in 0..5 {
            let node = tree.arena.get(line[depth]);
            (0..100 - depth).for_each(|_| {
                node.enter();
                node.visit(0.5, 0.0);
            });
            assert!(tree.expand(node, &state, 1.0, None, &mut scratch));
            let (first, _) = node.children().unwrap();
            state.play(state.move_at(tree.arena.get(first).index()));
            line.push(first);
        }
        let mut others: Vec<NodeId> = Vec::new();
        let (first, count) = tree.root().children().unwrap();
        others.extend(first + 1..first + count);
        let mut next = 0;
        while !tree.wants_pruning() {
            let id = others[next];
            next += 1;
            let node = tree.arena.get(id);
            node.enter();
            node.visit(0.5, 0.0);
            if tree.expand(node, &position, 1.0, None, &mut scratch) {
                let (first, count) = node.children().unwrap();
                others.extend(first..first + count);
            }
        }
        Tree::prune_all(std::iter::once(&mut tree));
        let (used, capacity) = tree.arena.usage();
        assert!(used <= capacity / 2 + 1, "{used} of {capacity}");
        let mut node = tree.root();
        for depth in 0..5 {
            assert_eq!(node.visits(), 100 - depth);
            node = &tree.children(node)[0];
        }
        assert!(!tree.wants_pruning());
    }
}
