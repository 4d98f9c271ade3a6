//! Sums over the simulations of one thread: scores, owners, moves of playouts.

use super::backup::Reward;

/// Sums over simulations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Number of simulations, and of those that know a score.
    pub(crate) count: u64,
    /// See `count`.
    pub(crate) scored: u64,
    /// Sum of scores and of their squares, seen by `First`.
    pub(crate) score: f64,
    /// See `score`.
    pub(crate) score_squares: f64,
    /// Number of simulations that know owners, the last ones in the main, and the sum of each point's, +1 for `First`.
    pub(crate) owned: u64,
    /// See `owned`.
    pub(crate) owners: Vec<f32>,
    /// Sum of the squares of each point's owners, where they are not -1 or 1.
    pub(crate) owner_squares: Vec<f32>,
    /// Sums over the simulations that began with each move, by its index, if they are asked for.
    pub(crate) owners_by_move: Vec<Owners>,
    /// Moves of playouts, if they are profiled.
    pub(crate) profile: Profile,
}

/// Sums of owners over some simulations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Owners {
    /// Number of simulations.
    pub(crate) count: u64,
    /// Sum of each point's owner, +1 for `First`.
    pub(crate) sums: Vec<f32>,
    /// Sum of the squares of those.
    pub(crate) squares: Vec<f32>,
}

/// Simulations whose owners are summed before all sums are halved with their number: of 32 bits larger ones would take in less and less
/// of what is added, and means would fade.
const MOST_SUMMED: u64 = 1 << 18;

/// Halves the sums and their number where there are that many.
fn halve(count: &mut u64, sums: [&mut Vec<f32>; 2]) {
    if *count >= MOST_SUMMED {
        *count /= 2;
        sums.into_iter().flatten().for_each(|sum| *sum /= 2.0);
    }
}

/// Adds numbers to the sums in their places.
fn add_to(sums: &mut Vec<f32>, numbers: impl ExactSizeIterator<Item = f32>) {
    sums.resize(numbers.len().max(sums.len()), 0.0);
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
}

impl Owners {
    fn add(&mut self, owners: &[f32]) {
        halve(&mut self.count, [&mut self.sums, &mut self.squares]);
        self.count += 1;
        add_to(&mut self.sums, owners.iter().copied());
        add_to(&mut self.squares, owners.iter().map(|owner| owner * owner));
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        add_to(&mut self.sums, other.sums.iter().copied());
        add_to(&mut self.squares, other.squares.iter().copied());
    }
}

/// Where playouts move, and on whose advice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Profile {
    /// All moves of playouts.
    pub(crate) moves: u64,
    /// Moves near the one before.
    pub(crate) local: u64,
    /// Moves that were learned replies.
    pub(crate) learned: u64,
}

impl Tally {
    /// Counts a simulation.
    pub(crate) fn add(&mut self, reward: &Reward) {
        self.count += 1;
        if let Some(score) = reward.score.map(f64::from) {
            self.scored += 1;
            self.score += score;
            self.score_squares += score * score;
        }
    }

    /// The sums of owners of so many points, to be added to once.
    pub(crate) fn owners(&mut self, points: usize) -> &mut [f32] {
        halve(&mut self.owned, [&mut self.owners, &mut self.owner_squares]);
        self.owned += 1;
        self.owners.resize(points, 0.0);
        &mut self.owners
    }

    /// Adds the owners that an evaluation expects.
    pub(crate) fn add_expected_owners(&mut self, owners: &[f32]) {
        halve(&mut self.owned, [&mut self.owners, &mut self.owner_squares]);
        self.owned += 1;
        add_to(&mut self.owners, owners.iter().copied());
        add_to(&mut self.owner_squares, owners.iter().map(|owner| owner * owner));
    }

    /// Adds the owners of a simulation that began with the move of that index.
    pub(crate) fn add_owners_after(&mut self, index: usize, owners: &[f32]) {
        if self.owners_by_move.len() <= index {
            self.owners_by_move.resize_with(index + 1, Owners::default);
        }
        self.owners_by_move[index].add(owners);
    }

    /// Adds the sums of another thread, but for its profile.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.scored += other.scored;
        self.owned += other.owned;
        self.score += other.score;
        self.score_squares += other.score_squares;
        add_to(&mut self.owners, other.owners.iter().copied());
        add_to(&mut self.owner_squares, other.owner_squares.iter().copied());
        let moves = other.owners_by_move.len().max(self.owners_by_move.len());
        self.owners_by_move.resize_with(moves, Owners::default);
        for (own, more) in self.owners_by_move.iter_mut().zip(&other.owners_by_move) {
            own.merge(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point that is always owned stays so, however many simulations there are.
    #[test]
    fn owners_do_not_fade() {
        let mut tally = Tally::default();
        for _ in 0..20_000_000 {
            tally.owners(1)[0] += 1.0;
        }
        assert_eq!(tally.owners[0], tally.owned as f32);
        let mut owners = Owners::default();
        for _ in 0..3 * MOST_SUMMED {
            owners.add(&[-0.25]);
        }
        assert!((owners.sums[0] / owners.count as f32 + 0.25).abs() < 1e-3);
    }
}
