//! Results of moves and of points of the board over all simulations of a run, wherever in the tree they were: knowledge
//! for nodes that are only just grown.
//!
//! A move's history is the mean result of the simulations in whose tree part it was played (J. Schaeffer, *The history heuristic*,
//! 1989; J. Nijssen and M. Winands, *Enhancements for multi-player Monte-Carlo tree search*, 2010). A point is critical if who
//! owns it in the end wins: by how much more often the winner has it than if the two had nothing to do with each other
//! (R. Coulom, *Criticality: a Monte-Carlo heuristic for Go programs*, 2009).

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::mean::Mean;
use crate::game::{Prior, Side};
use crate::search::Params;

/// Nothing is said before so many simulations.
const SEEN: u32 = 64;
/// Counts are halved at so many simulations, long before they run over. A race loses a few.
const MOST: u32 = 1 << 30;

/// How often a point was whose, over all simulations with a winner.
#[derive(Debug, Default)]
struct Owned {
    by_first: AtomicU32,
    by_second: AtomicU32,
    by_winner: AtomicU32,
}

/// Means of moves and counts of points.
#[derive(Debug)]
pub(crate) struct HistoryHeuristic {
    history_weight: f32,
    criticality_weight: f32,
    count: usize,
    /// By side and index of the move.
    moves: Box<[Mean]>,
    points: Box<[Owned]>,
    won_by_first: AtomicU32,
    won_by_second: AtomicU32,
}

impl HistoryHeuristic {
    /// Nothing known yet of so many move indices and points, if the parameters want to know anything.
    pub(crate) fn new(params: &Params, moves: usize, points: usize) -> Option<Self> {
        (params.history_weight > 0.0 || params.criticality_weight > 0.0).then(|| Self {
            history_weight: params.history_weight,
            criticality_weight: params.criticality_weight,
            count: moves,
            moves: (0..2 * moves).map(|_| Mean::default()).collect(),
            points: (0..points).map(|_| Owned::default()).collect(),
            won_by_first: AtomicU32::new(0),
            won_by_second: AtomicU32::new(0),
        })
    }

    /// Whether this is what [`HistoryHeuristic::new`] would make, but for what was learned.
    pub(crate) fn suits(&self, params: &Params, moves: usize, points: usize) -> bool {
        (self.history_weight, self.criticality_weight) == (params.history_weight, params.criticality_weight)
            && (self.count, self.points.len()) == (moves, points)
    }

    /// Whether it wants to know the owners of points.
    pub(crate) fn counts_owners(&self) -> bool {
        self.criticality_weight > 0.0
    }

    /// A simulation has come back with a result in -1..=1 for `First`, `moves` being those in the tree.
    pub(crate) fn learn(&self, moves: &[(Side, u32)], result: f32) {
        if self.history_weight > 0.0 {
            for &(side, index) in moves {
                self.moves[side.index() * self.count + index as usize].add(0.5 + 0.5 * result * side.sign());
            }
        }
    }

    /// A simulation was won by that side, with these owners at its end: +1 for `First`, -1 for `Second`.
    pub(crate) fn learn_owners(&self, winner: Side, owners: &[f32]) {
        let wins = if winner == Side::First { &self.won_by_first } else { &self.won_by_second };
        wins.fetch_add(1, Relaxed);
        for (point, &owner) in self.points.iter().zip(owners) {
            if owner == 0.0 {
                continue;
            }
            let by = if owner > 0.0 { &point.by_first } else { &point.by_second };
            by.fetch_add(1, Relaxed);
            if owner * winner.sign() > 0.0 {
                point.by_winner.fetch_add(1, Relaxed);
            }
        }
        if self.simulations() >= MOST {
            self.halve();
        }
    }

    fn simulations(&self) -> u32 {
        self.won_by_first.load(Relaxed) + self.won_by_second.load(Relaxed)
    }

    /// By how much more often the winner owns a point than by chance, in -1..=1; 0 while too little is known.
    fn criticality(&self, point: usize) -> f32 {
        let (Some(point), all) = (self.points.get(point), self.simulations()) else { return 0.0 };
        if all < SEEN {
            return 0.0;
        }
        let share = |count: &AtomicU32| count.load(Relaxed) as f32 / all as f32;
        let by_chance =
            share(&point.by_first) * share(&self.won_by_first) + share(&point.by_second) * share(&self.won_by_second);
        share(&point.by_winner) - by_chance
    }

    /// Knowledge of a move of `side` that is played on `point`, in visits.
    pub(crate) fn knows(&self, side: Side, index: usize, point: Option<usize>) -> Prior {
        let (mean, visits) = self.moves[side.index() * self.count + index].get();
        let history = if visits > 0 { self.history_weight.min(visits as f32) } else { 0.0 };
        let critical = point.map_or(0.0, |point| self.criticality_weight * self.criticality(point).max(0.0));
        let weight = history + critical;
        let mean = if weight > 0.0 { (mean * history + critical) / weight } else { 0.5 };
        Prior { weight, mean, ..Prior::default() }
    }

    /// The game goes on: what was learned counts half.
    pub(crate) fn age(&mut self) {
        self.moves.iter_mut().for_each(Mean::halve);
        self.halve();
    }

    fn halve(&self) {
        let halve = |count: &AtomicU32| count.store(count.load(Relaxed) / 2, Relaxed);
        for point in &self.points {
            [&point.by_first, &point.by_second, &point.by_winner].into_iter().for_each(halve);
        }
        [&self.won_by_first, &self.won_by_second].into_iter().for_each(halve);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(history_weight: f32, criticality_weight: f32) -> Params {
        Params { history_weight, criticality_weight, ..Params::default() }
    }

    #[test]
    fn nothing_is_kept_that_nobody_asks_for() {
        assert!(HistoryHeuristic::new(&params(0.0, 0.0), 3, 2).is_none());
        let history = HistoryHeuristic::new(&params(5.0, 0.0), 3, 2).unwrap();
        assert!(history.suits(&params(5.0, 0.0), 3, 2) && !history.counts_owners());
        assert!(!history.suits(&params(5.0, 1.0), 3, 2) && !history.suits(&params(5.0, 0.0), 4, 2));
    }

    #[test]
    fn a_move_has_the_mean_of_its_side() {
        let history = HistoryHeuristic::new(&params(5.0, 0.0), 3, 2).unwrap();
        assert_eq!(history.knows(Side::First, 1, Some(1)).weight, 0.0);
        history.learn(&[(Side::First, 1), (Side::Second, 1)], 1.0);
        history.learn(&[(Side::First, 1)], 0.0);
        // Two visits count as two, however many the weight allows.
        assert_eq!(history.knows(Side::First, 1, None), Prior { weight: 2.0, mean: 0.75, ..Prior::default() });
        assert_eq!(history.knows(Side::Second, 1, None), Prior { weight: 1.0, mean: 0.0, ..Prior::default() });
        (0..20).for_each(|_| history.learn(&[(Side::Second, 2)], -1.0));
        assert_eq!(history.knows(Side::Second, 2, None), Prior { weight: 5.0, mean: 1.0, ..Prior::default() });
        let mut history = history;
        (0..10).for_each(|_| history.age());
        assert_eq!(history.knows(Side::Second, 2, None).weight, 0.0);
    }

    /// Among four points, one decides the game, one is always `First`'s, one is nobody's friend, and one is the loser's.
    #[test]
    fn a_point_is_critical_whose_owner_wins() {
        let history = HistoryHeuristic::new(&params(0.0, 100.0), 5, 4).unwrap();
        assert!(history.counts_owners());
        let play = |times: u32| {
            for i in 0..times {
                let (winner, won) = if i % 2 == 0 { (Side::First, 1.0) } else { (Side::Second, -1.0) };
                let chance = if i / 2 % 2 == 0 { 1.0 } else { -1.0 };
                history.learn_owners(winner, &[won, 1.0, chance, -won]);
            }
        };
        play(SEEN - 1);
        assert_eq!(history.knows(Side::First, 0, Some(0)).weight, 0.0);
        play(1 + SEEN * 3);
        let weights = [0, 1, 2, 3].map(|point| history.knows(Side::Second, point, Some(point)).weight);
        assert!((weights[0] - 50.0).abs() < 1.0, "{weights:?}");
        assert!(weights[1..].iter().all(|&weight| weight < 1.0), "{weights:?}");
        assert_eq!(history.knows(Side::First, 0, Some(0)).mean, 1.0);
        // A move that is on no point, such as a pass, is not.
        assert_eq!(history.knows(Side::First, 4, None).weight, 0.0);
        assert_eq!(history.knows(Side::First, 4, Some(4)).weight, 0.0);
    }
}
