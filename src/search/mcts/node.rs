//! One move of the tree with its statistics, in atomics behind a small type.
//!
//! All statistics are independent counters, read and written `Relaxed`: a reader may see a visit without its value or
//! a value without its visit, which shifts a mean by less than one visit and is gone at the next update. The one
//! ordering that matters is expansion: children are written first and then published by a `Release` store of
//! [`Node::state`], which readers `Acquire`. The state only ever moves forward: leaf, expanding, expanded (or leaf
//! again when the pool is full), so whoever sees `EXPANDED` or what comes after it sees all of the children.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

/// Place of a node in the pool.
pub(crate) type NodeId = u32;

/// Values are sums of fixed-point numbers, so that an addition is one instruction: 2^-20 is the unit.
const UNIT: f64 = 1_048_576.0;
/// Visits as all-moves-as-first are counted in sixteenths.
const RAVE_UNIT: f32 = 16.0;
/// Visits of a node from which on its children are no longer visited as all-moves-as-first, at most twice for each, before
/// the counters run over: so many say all that they can.
pub(crate) const MOST_RAVE: u32 = 1 << 26;
/// Scores are counted in sixteenths of a point.
const SCORE_UNIT: f64 = 16.0;

const LEAF: u32 = 0;
const EXPANDING: u32 = 1;
const EXPANDED: u32 = 2;
/// Expanded, and a restriction once hid some of its children.
const RESTRICTED: u32 = 3;

/// A move and what is known of it, seen by the side that plays it. 64 bytes, one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Node {
    /// Sum of results in 0..=1, and of scores in points.
    value: AtomicU64,
    score: AtomicI64,
    /// Sum of results of all simulations in which this side played this move later.
    rave_value: AtomicU64,
    rave_visits: AtomicU32,
    visits: AtomicU32,
    /// Simulations now below this node; each counts as a lost visit (virtual loss).
    in_flight: AtomicU32,
    /// Index of the move ([`crate::game::Game::index`]), constant once published, and what is proved of it.
    index: AtomicU32,
    /// The game's knowledge of the move as bits of `f32`: equivalent visits and mean; constant once published.
    knowledge_weight: AtomicU32,
    knowledge_mean: AtomicU32,
    /// Prior probability of the move among its siblings, as bits of `f32`: by the game's knowledge, or by a model.
    prior: AtomicU32,
    /// First child, and the numbers of children and of moves noted behind them; valid once the state is `EXPANDED`.
    children: AtomicU32,
    counts: AtomicU32,
    state: AtomicU32,
}

/// Where the children of a node are. Moves that have no node yet are noted behind those that have one: there a link comes
/// first, whose children those moves become, and then the notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Family {
    /// The first child.
    pub(crate) first: NodeId,
    /// Number of children.
    pub(crate) count: u32,
    /// Number of moves that are noted.
    pub(crate) noted: u32,
}

impl Family {
    /// Nodes that so many children and noted moves take.
    pub(crate) fn size(count: u32, noted: u32) -> u32 {
        count + if noted > 0 { 1 + noted.div_ceil(NOTES as u32) } else { 0 }
    }
}

/// Moves that are noted in the place of one node.
pub(crate) const NOTES: usize = 12;

/// The bits of [`Node::index`] that hold the index, and marks above them that are only ever set.
const INDEX: u32 = 0xf_ffff;
/// The side that plays the move wins, or loses.
const WON: u32 = 1 << 31;
const LOST: u32 = 1 << 30;
/// If any of its siblings wins, one does that is not marked so.
const NEEDLESS: u32 = 1 << 29;
/// The game's knowledge was asked of the position after the move.
const ASKED: u32 = 1 << 28;
/// A thread asks, or has asked, a model about the position after the move.
const ADVICE_CLAIMED: u32 = 1 << 27;
/// The priors of its children were learned, by the game or by a model, and are explored by.
const LEARNED_PRIORS: u32 = 1 << 26;

/// A plain copy of a node's statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stats {
    /// Finished visits.
    pub(crate) visits: u32,
    /// Unfinished ones.
    pub(crate) in_flight: u32,
    /// Sum of results.
    pub(crate) value: f32,
    /// Visits by their weights and sum of results as all-moves-as-first.
    pub(crate) rave_visits: f32,
    /// See `rave_visits`.
    pub(crate) rave_value: f32,
    /// Equivalent visits of the game's knowledge and their mean.
    pub(crate) knowledge_weight: f32,
    /// See `knowledge_weight`.
    pub(crate) knowledge_mean: f32,
    /// Prior probability.
    pub(crate) prior: f32,
}

/// The part of the statistics that PUCT looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PuctStats {
    /// Finished visits.
    pub(crate) visits: u32,
    /// Finished and unfinished ones.
    pub(crate) all: u32,
    /// Sum of results.
    pub(crate) value: f32,
    /// Prior probability.
    pub(crate) prior: f32,
}

/// Knowledge that a node begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Expected {
    /// Equivalent visits of the game's knowledge.
    pub(crate) weight: f32,
    /// Mean of those, in 0..=1.
    pub(crate) mean: f32,
    /// Prior probability among its siblings.
    pub(crate) prior: f32,
}

impl Expected {
    /// A move of which the prior alone is known.
    pub(crate) fn by_prior(prior: f32) -> Self {
        Self { weight: 0.0, mean: 0.5, prior }
    }
}

impl Node {
    /// Makes this a fresh leaf for a move. The caller publishes it.
    pub(crate) fn reset(&self, index: usize, expected: Expected) {
        self.value.store(0, Relaxed);
        self.score.store(0, Relaxed);
        self.rave_value.store(0, Relaxed);
        self.rave_visits.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.in_flight.store(0, Relaxed);
        self.index.store(index as u32, Relaxed);
        self.knowledge_weight.store(expected.weight.to_bits(), Relaxed);
        self.knowledge_mean.store(expected.mean.to_bits(), Relaxed);
        self.prior.store(expected.prior.to_bits(), Relaxed);
        self.state.store(LEAF, Relaxed);
    }

    /// Takes over another node's statistics, not its children. The caller publishes it.
    pub(crate) fn copy_from(&self, other: &Self) {
        self.value.store(other.value.load(Relaxed), Relaxed);
        self.score.store(other.score.load(Relaxed), Relaxed);
        self.rave_value.store(other.rave_value.load(Relaxed), Relaxed);
        self.rave_visits.store(other.rave_visits.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.in_flight.store(0, Relaxed);
        self.index.store(other.index.load(Relaxed), Relaxed);
        self.knowledge_weight.store(other.knowledge_weight.load(Relaxed), Relaxed);
        self.knowledge_mean.store(other.knowledge_mean.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.state.store(LEAF, Relaxed);
    }

    /// Index of the move.
    #[inline]
    pub(crate) fn index(&self) -> usize {
        (self.index.load(Relaxed) & INDEX) as usize
    }

    /// Whether it is proved that the side that plays the move wins, or loses.
    #[inline]
    pub(crate) fn proof(&self) -> Option<bool> {
        match self.index.load(Relaxed) & (WON | LOST) {
            0 => None,
            marks => Some(marks & WON != 0),
        }
    }

    /// Whether there is nothing to gain from the move: it loses, or it need not be looked at.
    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        self.index.load(Relaxed) & (LOST | NEEDLESS) != 0
    }

    /// Records a proof that the side that plays the move wins, or loses.
    pub(crate) fn prove(&self, won: bool) {
        self.index.fetch_or(if won { WON } else { LOST }, Relaxed);
    }

    /// The move need not be looked at.
    pub(crate) fn close(&self) {
        self.index.fetch_or(NEEDLESS, Relaxed);
    }

    /// Takes the right to ask the game's knowledge; there is one for each node.
    #[inline]
    pub(crate) fn claim_knowledge(&self) -> bool {
        self.index.load(Relaxed) & ASKED == 0 && self.index.fetch_or(ASKED, Relaxed) & ASKED == 0
    }

    /// Takes the right to ask a model, which one thread has at a time.
    #[inline]
    pub(crate) fn claim_advice(&self) -> bool {
        self.index.load(Relaxed) & ADVICE_CLAIMED == 0
            && self.index.fetch_or(ADVICE_CLAIMED, Relaxed) & ADVICE_CLAIMED == 0
    }

    /// Gives that right back: the model was not heard.
    pub(crate) fn release_advice(&self) {
        self.index.fetch_and(!ADVICE_CLAIMED, Relaxed);
    }

    /// Records that the priors of its children were learned.
    pub(crate) fn mark_learned_priors(&self) {
        self.index.fetch_or(LEARNED_PRIORS, Relaxed);
    }

    /// Whether they were.
    #[inline]
    pub(crate) fn has_learned_priors(&self) -> bool {
        self.index.load(Relaxed) & LEARNED_PRIORS != 0
    }

    /// Records that its children are gone, and with them what was asked of it and told to them.
    pub(crate) fn lose_children(&self) {
        self.index.fetch_and(!(ASKED | ADVICE_CLAIMED | LEARNED_PRIORS), Relaxed);
    }

    /// Takes a model's prior for this move.
    pub(crate) fn set_prior(&self, prior: f32) {
        self.prior.store(prior.to_bits(), Relaxed);
    }

    /// A model expects a result in 0..=1 and a score in points, which counts as so many visits.
    pub(crate) fn credit(&self, value: f32, score: f32, visits: u32) {
        let count = f64::from(visits);
        self.value.fetch_add((f64::from(value) * count * UNIT) as u64, Relaxed);
        self.score.fetch_add((f64::from(score) * count * SCORE_UNIT) as i64, Relaxed);
        self.visits.fetch_add(visits, Relaxed);
    }

    /// Finished visits.
    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Statistics for selection.
    #[inline]
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            visits: self.visits.load(Relaxed),
            in_flight: self.in_flight.load(Relaxed),
            value: (self.value.load(Relaxed) as f64 / UNIT) as f32,
            rave_visits: self.rave_visits.load(Relaxed) as f32 / RAVE_UNIT,
            rave_value: (self.rave_value.load(Relaxed) as f64 / UNIT) as f32,
            knowledge_weight: f32::from_bits(self.knowledge_weight.load(Relaxed)),
            knowledge_mean: f32::from_bits(self.knowledge_mean.load(Relaxed)),
            prior: f32::from_bits(self.prior.load(Relaxed)),
        }
    }

    /// Statistics for PUCT.
    #[inline]
    pub(crate) fn puct_stats(&self) -> PuctStats {
        let visits = self.visits.load(Relaxed);
        PuctStats {
            visits,
            all: visits + self.in_flight.load(Relaxed),
            value: (self.value.load(Relaxed) as f64 / UNIT) as f32,
            prior: f32::from_bits(self.prior.load(Relaxed)),
        }
    }

    /// Mean score in points, if it was visited.
    pub(crate) fn mean_score(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| (self.score.load(Relaxed) as f64 / SCORE_UNIT / f64::from(visits)) as f32)
    }

    /// A simulation goes through this node: until [`Node::visit`] it counts as lost (virtual loss).
    #[inline]
    pub(crate) fn enter(&self) {
        self.in_flight.fetch_add(1, Relaxed);
    }

    /// The simulation was given up.
    #[inline]
    pub(crate) fn leave(&self) {
        self.in_flight.fetch_sub(1, Relaxed);
    }

    /// Makes it a node of so many visits.
    #[cfg(test)]
    pub(crate) fn set_visits(&self, visits: u32) {
        self.visits.store(visits, Relaxed);
    }

    /// The simulation came back with a result in 0..=1 and a score in points.
    #[inline]
    pub(crate) fn visit(&self, value: f32, score: f32) {
        self.value.fetch_add((f64::from(value) * UNIT) as u64, Relaxed);
        self.score.fetch_add((f64::from(score) * SCORE_UNIT) as i64, Relaxed);
        self.visits.fetch_add(1, Relaxed);
        self.in_flight.fetch_sub(1, Relaxed);
    }

    /// The move was played later in a simulation with that result, which counts so much.
    #[inline]
    pub(crate) fn visit_rave(&self, value: f32, weight: f32) {
        let units = (weight * RAVE_UNIT).round();
        self.rave_value.fetch_add((f64::from(value * units / RAVE_UNIT) * UNIT) as u64, Relaxed);
        self.rave_visits.fetch_add(units as u32, Relaxed);
    }

    /// Its children, once there are any. An expanded node without children is the end of the game.
    #[inline]
    pub(crate) fn family(&self) -> Option<Family> {
        (self.state.load(Acquire) >= EXPANDED).then(|| {
            let counts = self.counts.load(Relaxed);
            Family { first: self.children.load(Relaxed), count: counts & 0xffff, noted: counts >> 16 }
        })
    }

    /// Whether it has been expanded.
    #[inline]
    pub(crate) fn is_expanded(&self) -> bool {
        self.state.load(Acquire) >= EXPANDED
    }

    /// Takes the right to expand this node; at most one thread has it.
    #[inline]
    pub(crate) fn claim(&self) -> bool {
        self.state.compare_exchange(LEAF, EXPANDING, Relaxed, Relaxed).is_ok()
    }

    /// Publishes the children and what is noted behind them, which are written already.
    pub(crate) fn publish(&self, family: Family) {
        debug_assert!(family.count <= 0xffff && family.noted <= 0xffff);
        self.children.store(family.first, Relaxed);
        self.counts.store(family.count | family.noted << 16, Relaxed);
        self.state.store(EXPANDED, Release);
    }

    /// Notes moves with their priors in the place of statistics. Priors keep eight bits of their fraction. The caller publishes it.
    pub(crate) fn note(&self, moves: &[(usize, f32)]) {
        let word = |place: usize| {
            moves.get(place).map_or(0, |&(index, policy)| index as u32 | (policy.to_bits() + 0x8000) & !0xffff)
        };
        let words = |place: usize| u64::from(word(place)) | u64::from(word(place + 1)) << 32;
        self.value.store(words(0), Relaxed);
        self.score.store(words(2) as i64, Relaxed);
        self.rave_value.store(words(4), Relaxed);
        let singles =
            [&self.rave_visits, &self.visits, &self.index, &self.knowledge_weight, &self.knowledge_mean, &self.prior];
        singles.iter().enumerate().for_each(|(number, single)| single.store(word(6 + number), Relaxed));
    }

    /// The moves that are noted here, with their priors; past the last one there is nothing of meaning.
    pub(crate) fn notes(&self) -> [(usize, f32); NOTES] {
        let pair = |words: u64| [words as u32, (words >> 32) as u32];
        let pairs = [&self.value, &self.rave_value].map(|words| pair(words.load(Relaxed)));
        let ([a, b], [c, d], [e, f]) = (pairs[0], pair(self.score.load(Relaxed) as u64), pairs[1]);
        let [g, h, i] = [&self.rave_visits, &self.visits, &self.index].map(|single| single.load(Relaxed));
        let [j, k, l] = [&self.knowledge_weight, &self.knowledge_mean, &self.prior].map(|single| single.load(Relaxed));
        [a, b, c, d, e, f, g, h, i, j, k, l].map(|word| ((word & 0xffff) as usize, f32::from_bits(word & !0xffff)))
    }

    /// Records that a restriction once hid children of this expanded node, so that unvisited ones need not be last.
    pub(crate) fn mark_restricted(&self) {
        self.state.store(RESTRICTED, Release);
    }

    /// Whether that was ever recorded.
    #[inline]
    pub(crate) fn was_restricted(&self) -> bool {
        self.state.load(Relaxed) == RESTRICTED
    }

    /// Gives the right to expand back.
    pub(crate) fn release(&self) {
        self.state.store(LEAF, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_they_were_written() {
        let (node, copy) = (Node::default(), Node::default());
        let moves: Vec<_> = (0..NOTES).map(|place| (625 - 50 * place, 0.3 / (place + 1) as f32)).collect();
        node.note(&moves);
        copy.copy_from(&node);
        for ((index, policy), (noted, rounded)) in moves.iter().zip(copy.notes()) {
            assert_eq!(*index, noted);
            assert!((policy / rounded - 1.0).abs() <= 1.0 / 256.0, "{policy} {rounded}");
        }
        node.note(&moves[..5]);
        assert_eq!(node.notes()[..5], copy.notes()[..5]);
    }

    /// Results count by their weight, in sixteenths, and no weight makes a mean of results in 0..=1 leave that range.
    #[test]
    fn results_as_first_count_by_their_weight() {
        let node = Node::default();
        node.visit_rave(1.0, 2.0);
        node.visit_rave(0.0, 1.0);
        let stats = node.stats();
        assert_eq!((stats.rave_visits, stats.rave_value), (3.0, 2.0));
        for step in 0..100 {
            let node = Node::default();
            node.visit_rave(1.0, 2.0 - step as f32 / 100.0);
            assert_eq!(node.stats().rave_visits, node.stats().rave_value, "{step}");
        }
    }

    /// Twice for each visit of the parent, until there are [`MOST_RAVE`] of those.
    #[test]
    fn visits_as_first_do_not_run_over() {
        let node = Node::default();
        let most = f64::from(MOST_RAVE) * 2.0 * f64::from(RAVE_UNIT);
        assert!(most <= f64::from(u32::MAX) * 0.75);
        node.rave_visits.store(most as u32, Relaxed);
        node.visit_rave(1.0, 2.0);
        assert_eq!(node.rave_visits.load(Relaxed), most as u32 + 2 * RAVE_UNIT as u32);
    }
}
