//! Results of a match: rate, Elo, intervals and the sequential test.

use std::fmt;

use crate::game::Side;

/// Error rates of the sequential test.
const ERROR: f64 = 0.05;

/// Points of the first player, a draw counting half for each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Score {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
}

impl Score {
    pub(crate) fn games(self) -> f64 {
        f64::from(self.wins + self.draws + self.losses)
    }

    pub(crate) fn rate(self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / self.games().max(1.0)
    }

    /// Counts a game that `winner` has won, the first player playing `first`.
    pub(crate) fn count(&mut self, winner: Option<Side>, first: Side) {
        match winner {
            None => self.draws += 1,
            Some(side) if side == first => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }

    /// The decision of the sequential test between two leads in Elo, if there is one: whether the higher one is accepted.
    pub(crate) fn decision(self, low: f64, high: f64) -> Option<bool> {
        let (likelihood, bound) = (self.log_likelihood(low, high), ((1.0 - ERROR) / ERROR).ln());
        (likelihood.abs() >= bound).then_some(likelihood > 0.0)
    }

    /// 95 % interval of the rate (Wilson).
    fn interval(self) -> (f64, f64) {
        let (n, p, z) = (self.games().max(1.0), self.rate(), 1.96);
        let centre = p + z * z / (2.0 * n);
        let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let whole = 1.0 + z * z / n;
        (((centre - spread) / whole).max(0.0), ((centre + spread) / whole).min(1.0))
    }

    /// Logarithm of how much likelier these results are with the second lead than with the first.
    fn log_likelihood(self, low: f64, high: f64) -> f64 {
        let (p, q) = (expected(low), expected(high));
        let points = self.rate() * self.games();
        points * (q / p).ln() + (self.games() - points) * ((1.0 - q) / (1.0 - p)).ln()
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval();
        write!(
            f,
            "{} won, {} drawn, {} lost of {}: {:.1} % [{:.1}, {:.1}], {:+.0} Elo [{:+.0}, {:+.0}]",
            self.wins,
            self.draws,
            self.losses,
            self.games(),
            100.0 * self.rate(),
            100.0 * low,
            100.0 * high,
            elo(self.rate()),
            elo(low),
            elo(high)
        )
    }
}

/// The share of points that a lead in Elo lets expect.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The lead in Elo that a share of points shows.
fn elo(rate: f64) -> f64 {
    // Of an even match it is 0, and not -0.
    -400.0 * (1.0 / rate - 1.0).log10() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_and_elo_are_the_usual_ones() {
        let score = Score { wins: 60, draws: 0, losses: 40 };
        let (low, high) = score.interval();
        assert!((low - 0.502).abs() < 1e-3 && (high - 0.691).abs() < 1e-3, "{low} {high}");
        assert!((elo(0.75) - 190.85).abs() < 0.01 && elo(0.5) == 0.0);
        assert!((expected(190.85) - 0.75).abs() < 1e-4);
    }

    #[test]
    fn the_sequential_test_decides_both_ways() {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        let of = |wins, losses| Score { wins, draws: 0, losses }.log_likelihood(0.0, 100.0);
        assert!(of(70, 30) > bound && of(40, 60) < -bound && of(12, 10).abs() < bound);
        assert_eq!(of(0, 0), 0.0);
    }
}
