//! N-gram selection technique: mean results of moves, and of moves after the move before them, over whole simulations.
//! (M. Tak, M. Winands and Y. Björnsson, *N-grams and the last-good-reply policy applied in general game playing*, 2012.)

use super::super::mean::Mean;
use super::lgrf::{Ply, pairs};
use crate::game::Side;

/// A pair of moves counts once it was seen so often.
const SEEN: u32 = 7;

/// Visits and results of single moves and of pairs.
#[derive(Debug)]
pub(crate) struct NGrams {
    moves: usize,
    one: Box<[Mean]>,
    two: Box<[Mean]>,
}

impl NGrams {
    /// Nothing known yet, of a game with so many move indices, in at most about so many bytes.
    pub(crate) fn new(moves: usize, bytes: usize) -> Self {
        let empty = |count| (0..count).map(|_| Mean::default()).collect();
        Self { moves, one: empty(2 * moves), two: empty(pairs::<Mean>(moves, bytes)) }
    }

    fn of_one(&self, (side, index): Ply) -> &Mean {
        &self.one[side.index() * self.moves + index as usize]
    }

    fn of_two(&self, before: Ply, index: u32) -> Option<&Mean> {
        self.two.get((before.0.index() * self.moves + before.1 as usize) * self.moves + index as usize)
    }

    /// The move of highest mean that suits. One that was never played is worth a try before all others.
    pub(crate) fn best(&self, last: Option<Ply>, side: Side, suits: impl Fn(usize) -> bool) -> Option<usize> {
        let mut best = (f32::NEG_INFINITY, None);
        for index in 0..self.moves {
            let Some(mean) = known(self.of_one((side, index as u32)), 1) else {
                if suits(index) {
                    return Some(index);
                }
                continue;
            };
            let after = last.and_then(|last| known(self.of_two(last, index as u32)?, SEEN));
            let value = after.map_or(mean, |after| (mean + after) / 2.0);
            if value > best.0 && suits(index) {
                best = (value, Some(index));
            }
        }
        best.1
    }

    /// A simulation that came back with a result in 0..=1 for `First`.
    pub(crate) fn learn(&self, simulation: &[Ply], result: f32) {
        let add = |entry: &Mean, side: Side| {
            let value = if side == Side::First { result } else { 1.0 - result };
            entry.add(value);
        };
        for &ply in simulation {
            add(self.of_one(ply), ply.0);
        }
        for plies in simulation.windows(2) {
            self.of_two(plies[0], plies[1].1).into_iter().for_each(|entry| add(entry, plies[1].0));
        }
    }

    /// Makes what was learned count half.
    pub(crate) fn age(&mut self) {
        self.one.iter_mut().chain(&mut self.two).for_each(Mean::halve);
    }
}

/// The mean of what was seen so often at least.
fn known(entry: &Mean, least: u32) -> Option<f32> {
    let (mean, visits) = entry.get();
    (visits >= least).then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_move_and_of_a_pair_decide() {
        const FIRST: Ply = (Side::First, 0);
        let grams = NGrams::new(3, 1 << 20);
        let best = |last, suits: fn(usize) -> bool| grams.best(last, Side::Second, suits);
        // What was never played comes first.
        assert_eq!(best(None, |_| true), Some(0));
        grams.learn(&[(Side::Second, 0)], 1.0);
        assert_eq!(best(None, |_| true), Some(1));
        grams.learn(&[(Side::Second, 1)], 0.0);
        grams.learn(&[(Side::Second, 2)], 0.25);
        assert_eq!(best(None, |_| true), Some(1));
        assert_eq!(best(None, |index| index != 1), Some(2));
        assert_eq!(best(None, |_| false), None);
        // Six times are not enough for a pair, seven are.
        for wins in [6, 1] {
            for _ in 0..wins {
                grams.learn(&[FIRST, (Side::Second, 2)], 0.25);
                grams.learn(&[FIRST, (Side::Second, 1)], 1.0);
                grams.learn(&[(Side::Second, 1)], 0.0);
            }
        }
        assert_eq!(best(Some(FIRST), |_| true), Some(2));
        let mut grams = grams;
        grams.age();
        assert_eq!(grams.best(None, Side::Second, |index| index != 0), Some(2));
    }
}
