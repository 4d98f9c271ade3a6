//! The tree on the pool: a root position, expansion, and keeping the part below the move that was played.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::history::HistoryHeuristic;
use super::node::{Expected, Family, NOTES, Node, NodeId};
use super::pool::{Pool, Room};
use crate::game::{Game, MonteCarlo, Prior};
use crate::search::{Params, Restriction, root_moves};

/// In so much time a node is copied, with some to spare: 57 ns were measured.
const COPYING: Duration = Duration::from_nanos(100);
/// Children that a node begins with where priors say which are promising: most of the others are never visited.
const PROMISING: usize = 8;

/// A tree of moves from a position.
#[derive(Debug)]
pub(crate) struct Tree<G: Game> {
    pool: Pool,
    root: NodeId,
    position: G,
    room: Room,
    /// There was no room for children, and [`Tree::prune_all`] may make some.
    full: AtomicBool,
    prunable: bool,
    /// About how many of its nodes lie beside the moves that were played.
    garbage: usize,
    /// Whether all children have nodes from the beginning.
    whole: bool,
    /// Findings of the game's knowledge in its positions.
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
        let (pool, root) = new_root(room);
        let (position, room) = (position.clone(), room.clone());
        let full = AtomicBool::new(false);
        let (prunable, garbage, whole) = (true, 0, G::SOLVES);
        Self { pool, root, position, room, full, prunable, garbage, whole, findings }
    }

    /// Forgets all but the position.
    pub(crate) fn restart(&mut self) {
        // The old nodes give their place up first.
        self.pool = Pool::beside(&self.room);
        (self.pool, self.root) = new_root(&self.room);
        (self.full, self.prunable, self.garbage) = (AtomicBool::new(false), true, 0);
    }

    /// A tree whose children all have nodes from the beginning.
    #[cfg(test)]
    pub(crate) fn new_whole(position: &G, room: &Room, findings: G::Findings) -> Self {
        Self { whole: true, ..Self::new(position, room, findings) }
    }

    /// Where its nodes are.
    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    /// Findings of the game's knowledge in its positions.
    pub(crate) fn findings(&self) -> &G::Findings {
        &self.findings
    }

    /// The position at the root.
    pub(crate) fn position(&self) -> &G {
        &self.position
    }

    /// The root's node.
    pub(crate) fn root(&self) -> &Node {
        self.pool.get(self.root)
    }

    /// The children of a node; none for a leaf and at the end of the game.
    #[inline]
    pub(crate) fn children(&self, node: &Node) -> Children<'_> {
        let Some(Family { first, count, noted }) = node.family() else { return Children::default() };
        let children = self.pool.block(first, count);
        if noted == 0 {
            return Children { first: children, ..Children::default() };
        }
        let link = self.pool.get(first + count);
        match link.family() {
            None => Children { first: children, rest: &[], link: Some(link) },
            Some(more) => Children { first: children, rest: self.pool.block(more.first, more.count), link: None },
        }
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.pool.bytes()
    }

    /// Gives a leaf its children with what the game and earlier simulations know of them, unless another thread is at it or
    /// memory is full. The root has moves that the restrictions permit if there are any. Says whether it has them now.
    pub(crate) fn expand(
        &self,
        (node, position): (&Node, &G),
        restrictions: &[Restriction<G::Move>],
        params: &Params,
        history: Option<&HistoryHeuristic>,
        scratch: &mut Scratch<G>,
    ) -> bool {
        if !node.claim() {
            return node.is_expanded();
        }
        root_moves(restrictions, position, params, &mut scratch.moves);
        // Knowledge that nothing asks for costs more than a playout.
        if [params.prior_weight, params.bias_constant, params.advice_constant] == [0.0; 3] {
            scratch.priors.clear();
            scratch.priors.resize(scratch.moves.len(), Prior::default());
        } else {
            position.priors(&scratch.moves, &mut scratch.priors);
        }
        let learned = scratch.priors.iter().any(|prior| prior.policy > 0.0);
        let probabilities = normalized(&scratch.priors);
        let side = position.to_move();
        let expected = scratch.moves.iter().zip(&scratch.priors).zip(probabilities).map(|((&mv, known), prior)| {
            let seen = history.map(|history| history.knows(side, position.index(mv), position.point_of(mv)));
            let (seen, own) = (seen.unwrap_or_default(), known.weight * params.prior_weight);
            let weight = own + seen.weight;
            let mean =
                if seen.weight > 0.0 { (own * known.mean + seen.weight * seen.mean) / weight } else { known.mean };
            Expected { weight, mean, prior }
        });
        let grown = self.grow(node, scratch.moves.iter().map(|&mv| position.index(mv)).zip(expected), &[]);
        if grown && learned {
            node.mark_learned_priors();
        }
        grown
    }

    /// Gives a leaf that the caller has claimed its children in the order of their priors, the most promising first, or gives
    /// the leaf back if memory is full. Where nothing can be proved of children, many have no node before they are chosen.
    pub(crate) fn grow_by_prior(&self, node: &Node, position: &G, moves: &[G::Move], priors: &[f32]) -> bool {
        let mut priors = priors.to_vec();
        position.correct_policy(moves, &mut priors);
        let mut order: Vec<_> = moves.iter().map(|&mv| position.index(mv)).zip(priors).collect();
        likeliest_first(&mut order);
        let at_once = if self.whole || order.len() <= 2 * PROMISING { order.len() } else { PROMISING };
        let (promising, others) = order.split_at(at_once);
        self.grow(node, promising.iter().map(|&(index, prior)| (index, Expected::by_prior(prior))), others)
    }

    /// Gives a leaf that the caller has claimed its children, each the index of a move and what is known of it, with other
    /// moves noted behind them; or gives the leaf back if memory is full. Says whether it has them.
    fn grow(
        &self,
        node: &Node,
        children: impl ExactSizeIterator<Item = (usize, Expected)>,
        others: &[(usize, f32)],
    ) -> bool {
        let (count, noted) = (children.len() as u32, others.len() as u32);
        let size = Family::size(count, noted);
        let grows = self.prunable || !self.full.load(Relaxed);
        let Some(first) = grows.then(|| self.pool.allocate(size as usize)).flatten() else {
            node.release();
            self.full.store(true, Relaxed);
            return false;
        };
        let (block, behind) = self.pool.block(first, size).split_at(count as usize);
        for (child, (index, expected)) in block.iter().zip(children) {
            child.reset(index, expected);
        }
        if let Some((link, notes)) = behind.split_first() {
            // It stands for the best of them.
            link.reset(others[0].0, Expected::by_prior(others[0].1));
            notes.iter().zip(others.chunks(NOTES)).for_each(|(note, moves)| note.note(moves));
        }
        node.publish(Family { first, count, noted });
        true
    }

    /// Gives the moves that are noted behind a node's children their nodes, unless another thread is at it or memory is full.
    /// Says whether all moves have one now.
    pub(crate) fn complete(&self, node: &Node) -> bool {
        let Some(Family { first, count, noted }) = node.family().filter(|family| family.noted > 0) else {
            return true;
        };
        let behind = self.pool.block(first, Family::size(count, noted));
        let (link, notes) = (&behind[count as usize], &behind[count as usize + 1..]);
        if !link.claim() {
            return link.is_expanded();
        }
        let mut moves: Vec<_> = notes.iter().flat_map(Node::notes).collect();
        moves.truncate(noted as usize);
        self.grow(link, moves.iter().map(|&(index, prior)| (index, Expected::by_prior(prior))), &[])
    }

    /// The game goes on with `mv`. Says whether the tree knows the move; if not, it is of no use any more. What lies beside
    /// the move is garbage until [`Tree::collect`].
    pub(crate) fn advance(&mut self, mv: G::Move) -> bool {
        if !self.position.is_legal(mv) {
            return false;
        }
        let index = self.position.index(mv);
        self.complete(self.root());
        let Some(root) = self.family_of(self.root).find(|&id| self.pool.get(id).index() == index) else {
            return false;
        };
        let visits = [self.pool.get(root), self.root()].map(|node| node.visits().max(1) as f32);
        let beside = self.live() as f32 * (1.0 - (visits[0] / visits[1]).min(1.0));
        self.garbage += beside as usize;
        self.position.play(mv);
        self.root = root;
        (self.full, self.prunable) = (AtomicBool::new(false), true);
        true
    }

    /// About how many nodes lie below the root.
    fn live(&self) -> usize {
        self.pool.usage().0.saturating_sub(self.garbage)
    }

    /// Before a search that has so much time: frees garbage where much is in use, by copying what is none. Says whether the
    /// search is better off here than in a fresh tree: not if hardly anything is left of this one, no room for more, and no time
    /// to make some.
    pub(crate) fn collect(&mut self, time: Option<Duration>) -> bool {
        let ((used, capacity), live) = (self.pool.usage(), self.live());
        self.prunable = true;
        if self.garbage > 0 && used > capacity / 4 {
            if time.is_none_or(|time| time / 4 >= COPYING * live as u32) {
                self.keep(0);
            } else {
                return used <= capacity / 16 * 15 || live > used / 4;
            }
        }
        true
    }

    /// Time that making room may take.
    pub(crate) fn pruning(&self) -> Duration {
        COPYING * self.pool.usage().0 as u32
    }

    /// The search goes on without new nodes where there is no room.
    pub(crate) fn stop_growing(&mut self) {
        self.prunable = false;
    }

    /// The children of a node that have nodes.
    fn family_of(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let (mut blocks, mut at) = ([0..0, 0..0], Some(id));
        for block in &mut blocks {
            let Some(family) = at.and_then(|id| self.pool.get(id).family()) else { break };
            *block = family.first..family.first + family.count;
            // A link lies right behind the children.
            at = (family.noted > 0).then_some(block.end);
        }
        blocks.into_iter().flatten()
    }

    /// Keeps what lies below the root's nodes with so many visits at least, in memory of its own.
    fn keep(&mut self, least: u32) {
        let fresh = Pool::beside(&self.room);
        if let Some(root) = fresh.allocate(1) {
            fresh.get(root).copy_from(self.root());
            copy_children(&self.pool, self.root, &fresh, root, least);
            (self.pool, self.root, self.garbage) = (fresh, root, 0);
            self.pool.charge();
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
        let used: usize = pruned.iter().map(|tree| tree.pool.usage().0).sum();
        for tree in pruned {
            let (_, capacity) = tree.pool.usage();
            tree.prunable = used <= capacity * 3 / 4 && tree.root().is_expanded();
        }
    }

    fn prune(&mut self) {
        self.full = AtomicBool::new(false);
        let (used, _) = self.pool.usage();
        let mut families = Vec::new();
        let mut level = vec![self.root];
        while let Some(id) = level.pop() {
            let node = self.pool.get(id);
            if let Some(Family { count, noted, .. }) = node.family() {
                let own = level.len();
                level.extend(self.family_of(id));
                let rest = level.len() - own - count as usize;
                families.push((node.visits(), Family::size(count, noted) as usize + rest));
            }
        }
        self.keep(least_visits(families, used / 2).min(self.root().visits()));
    }
}

/// Orders moves by their priors, the likeliest first.
fn likeliest_first(order: &mut [(usize, f32)]) {
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
}

/// Visits from which on nodes keep their families, each of so many visits and so many nodes, where so many nodes have room.
fn least_visits(mut families: Vec<(u32, usize)>, room: usize) -> u32 {
    families.sort_unstable_by(|a, b| b.cmp(a));
    let mut kept = 0;
    let least = families.iter().find(|&&(_, count)| {
        kept += count;
        kept > room
    });
    least.map_or(0, |&(visits, _)| visits + 1)
}

/// Allocates the root in a fresh pool of that room, outside the room if it is exhausted.
fn new_root(room: &Room) -> (Pool, NodeId) {
    // There is a chunk for each; a tree that others have left none has one beside the room.
    let mut pool = Pool::new(room);
    let root = pool.allocate(1).unwrap_or_else(|| {
        pool = Pool::beside(room);
        let root = pool.allocate(1).unwrap_or_default();
        pool.charge();
        root
    });
    pool.get(root).reset(0, Expected { mean: 0.5, ..Expected::default() });
    (pool, root)
}

/// Prior probabilities by the game's knowledge alone: those that it has learned, or the more the better the mean is.
pub(crate) fn normalized(known: &[Prior]) -> impl ExactSizeIterator<Item = f32> {
    let learned = known.iter().any(|prior| prior.policy > 0.0);
    let share = move |prior: &Prior| if learned { prior.policy } else { prior.mean.max(0.001).powi(4) };
    let sum: f32 = known.iter().map(share).sum();
    known.iter().map(move |prior| share(prior) / sum)
}

/// The children of a node. Where their order is that of their priors, what lies further on has a smaller one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Children<'t> {
    first: &'t [Node],
    rest: &'t [Node],
    /// Stands for the best of the moves that have no node yet, if there are such; see [`Tree::complete`].
    pub(crate) link: Option<&'t Node>,
}

impl<'t> Children<'t> {
    /// Children that have nodes.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = &'t Node> + Clone {
        self.first.iter().chain(self.rest)
    }

    /// The best of those whose move was noted before.
    pub(crate) fn first_of_rest(self) -> Option<&'t Node> {
        self.rest.first()
    }
}

/// Copies the children of all nodes below `from` that have so many visits at least, level by level, so that a lack of room
/// cuts the deepest nodes.
fn copy_children(old: &Pool, from: NodeId, new: &Pool, to: NodeId, least: u32) {
    let mut level = vec![(from, to)];
    while !level.is_empty() {
        let mut below = Vec::new();
        for (from, to) in level {
            if old.get(from).visits() < least {
                new.get(to).lose_children();
                continue;
            }
            // What hangs on a link is a part of the family.
            let mut next = Some((from, to));
            while let Some((from, to)) = next.take() {
                let Some(family) = old.get(from).family() else { break };
                let size = Family::size(family.count, family.noted);
                let Some(copy) = new.allocate(size as usize) else {
                    new.get(to).lose_children();
                    break;
                };
                for (source, target) in old.block(family.first, size).iter().zip(new.block(copy, size)) {
                    target.copy_from(source);
                }
                new.get(to).publish(Family { first: copy, ..family });
                if old.get(from).was_restricted() {
                    new.get(to).mark_restricted();
                }
                below.extend((0..family.count).map(|i| (family.first + i, copy + i)));
                next = (family.noted > 0).then_some((family.first + family.count, copy + family.count));
            }
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
            assert!(tree.expand((tree.root(), position), &[], &Params::default(), None, &mut Scratch::default()));
            let shares = tree.children(tree.root()).iter().map(|child| child.stats().prior);
            (tree.root().has_learned_priors(), shares.sum())
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
            let node = tree.pool.get(line[depth]);
            (0..100 - depth).for_each(|_| {
                node.enter();
                node.visit(0.5, 0.0);
            });
            assert!(tree.expand((node, &state), &[], &Params::default(), None, &mut scratch));
            let Family { first, .. } = node.family().unwrap();
            state.play(state.move_at(tree.pool.get(first).index()));
            line.push(first);
        }
        let mut others: Vec<NodeId> = Vec::new();
        let Family { first, count, .. } = tree.root().family().unwrap();
        others.extend(first + 1..first + count);
        let mut next = 0;
        while !tree.wants_pruning() {
            let id = others[next];
            next += 1;
            let node = tree.pool.get(id);
            node.enter();
            node.visit(0.5, 0.0);
            if tree.expand((node, &position), &[], &Params::default(), None, &mut scratch) {
                let Family { first, count, .. } = node.family().unwrap();
                others.extend(first..first + count);
            }
        }
        // What was told to children that go is told to the next ones again.
        let pruned = tree.pool.get(others[0]);
        assert!(pruned.is_expanded() && pruned.claim_advice() && !pruned.claim_advice());
        pruned.mark_learned_priors();
        let pruned = pruned.index();
        Tree::prune_all(std::iter::once(&mut tree));
        let pruned = tree.children(tree.root()).iter().find(|child| child.index() == pruned).unwrap();
        assert!(!pruned.is_expanded() && !pruned.has_learned_priors() && pruned.claim_advice());
        let (used, capacity) = tree.pool.usage();
        assert!(used <= capacity / 2 + 1, "{used} of {capacity}");
        let mut node = tree.root();
        for depth in 0..5 {
            assert_eq!(node.visits(), 100 - depth);
            node = tree.children(node).iter().next().unwrap();
        }
        assert!(!tree.wants_pruning());
    }

    /// A full tree is worth its place while much of it lies below the move that was played.
    #[test]
    fn what_is_left_of_a_full_tree_decides_whether_it_stays() {
        let position = Position::new(Size::square(7));
        for (played, stays) in [(0, true), (1, false)] {
            let mut tree = Tree::new(&position, &Room::new(1, 1), <Position as Game>::Findings::within(8));
            let mut scratch = Scratch::default();
            assert!(tree.expand((tree.root(), &position), &[], &Params::default(), None, &mut scratch));
            let family = tree.root().family().unwrap();
            for (node, visits) in [(tree.root, 100), (family.first, 90), (family.first + 1, 1)] {
                let node = tree.pool.get(node);
                (0..visits).for_each(|_| {
                    node.enter();
                    node.visit(0.5, 0.0);
                });
            }
            let mut others: Vec<NodeId> = (family.first + 2..family.first + family.count).collect();
            while !tree.wants_pruning() {
                let node = tree.pool.get(others.remove(0));
                if tree.expand((node, &position), &[], &Params::default(), None, &mut scratch) {
                    let Family { first, count, .. } = node.family().unwrap();
                    others.extend(first..first + count);
                }
            }
            let mv = position.move_at(tree.pool.get(family.first + played).index());
            assert!(tree.advance(mv));
            assert_eq!(tree.collect(Some(Duration::ZERO)), stays);
            // With time enough nothing is lost.
            assert!(tree.collect(Some(Duration::from_secs(1))) && tree.live() < 100);
        }
    }
}
