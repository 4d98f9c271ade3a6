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
    /// Number of simulations that know owners, and the sum of each point's, +1 for `First`.
    pub(crate) owned: u64,
    /// See `owned`.
    pub(crate) owners: Vec<f32>,
    /// Moves of playouts, if they are profiled.
    pub(crate) profile: Profile,
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
        self.owned += 1;
        self.owners.resize(points, 0.0);
        &mut self.owners
    }

    /// Adds the sums of another thread, but for its profile.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.scored += other.scored;
        self.owned += other.owned;
        self.score += other.score;
        self.score_squares += other.score_squares;
        self.owners.resize(other.owners.len().max(self.owners.len()), 0.0);
        self.owners.iter_mut().zip(&other.owners).for_each(|(sum, own)| *sum += own);
    }
}
