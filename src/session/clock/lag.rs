//! The lag of a move: what the controller's clock takes for it beyond the engine's own time.

use std::collections::VecDeque;

/// Moves that the estimate rests on.
const WINDOW: usize = 20;
/// Longest lag that is believed, in seconds; a larger difference means that the clock was set anew.
const LONGEST: f64 = 10.0;
/// Error of a lag that is not due to whole seconds, in seconds.
const NOISE: f64 = 0.1;

/// One measured lag, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    /// Difference between the controller's clock and the engine's; below 0 by rounding only.
    lag: f64,
    /// Largest error by which rounding may have made it larger.
    error: f64,
}

/// An estimate of the lag from the differences seen in the last moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lag {
    /// Estimate before anything was measured, and least margin, in seconds.
    start: f64,
    samples: VecDeque<Sample>,
}

impl Lag {
    /// Nothing measured yet. `start` in seconds.
    pub(super) fn new(start: f64) -> Self {
        Self { start, samples: VecDeque::new() }
    }

    /// Whether a lag has been measured.
    pub(super) fn is_learned(&self) -> bool {
        !self.samples.is_empty()
    }

    /// Records the lag of a move in seconds, with the error that whole seconds may have put into it. A lag that no
    /// move can have is ignored.
    pub(super) fn record(&mut self, lag: f64, error: f64) {
        if !(-error - NOISE..=LONGEST).contains(&lag) {
            return;
        }
        if self.samples.len() == WINDOW {
            self.samples.pop_front();
        }
        self.samples.push_back(Sample { lag, error });
    }

    /// Expected lag of a move in seconds. The start value weighs less than one measurement, and nothing beside a full window.
    pub(super) fn mean(&self) -> f64 {
        let weight = 1.0 - self.count() / WINDOW as f64;
        ((weight * self.start + self.sum()) / (weight + self.count())).max(0.0)
    }

    /// Time in seconds that covers the lag of one move: the start value at least, twice the mean, and half as much again
    /// as the longest lag of the last moves, or more if these are few.
    pub(super) fn margin(&self) -> f64 {
        let factor = 1.5 + 3.0 / self.count();
        let longest = self.samples.iter().map(|sample| sample.lag - sample.error).fold(0.0, f64::max);
        self.start.max(2.0 * self.sum() / self.count().max(1.0)).max(if longest > 0.0 { factor * longest } else { 0.0 })
    }

    /// Sum of the measured lags in seconds.
    fn sum(&self) -> f64 {
        self.samples.iter().map(|sample| sample.lag).sum()
    }

    /// Number of measured lags.
    fn count(&self) -> f64 {
        self.samples.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_value_fades_and_stays_the_least_margin() {
        let mut lag = Lag::new(1.0);
        assert_eq!((lag.mean(), lag.margin(), lag.is_learned()), (1.0, 1.0, false));
        for _ in 0..WINDOW {
            lag.record(0.02, 0.0);
        }
        assert!((lag.mean() - 0.02).abs() < 1e-6 && lag.is_learned(), "{}", lag.mean());
        assert_eq!(lag.margin(), 1.0);
    }

    #[test]
    fn the_margin_covers_more_than_what_was_seen_and_forgets() {
        let mut lag = Lag::new(0.1);
        (0..10).for_each(|n| lag.record(0.5 + 0.05 * f64::from(n), 0.0));
        assert!((lag.margin() - 1.8 * 0.95).abs() < 1e-6, "{}", lag.margin());
        (0..WINDOW).for_each(|_| lag.record(0.1, 0.0));
        assert_eq!(lag.samples.len(), WINDOW);
        assert!((lag.margin() - 0.2).abs() < 1e-6, "{}", lag.margin());
    }

    #[test]
    fn whole_seconds_leave_the_mean_right_and_the_margin_small() {
        let mut lag = Lag::new(0.1);
        // True lag 0.2 on moves of 2.7 s, by a clock that drops fractions.
        let told = |n: u32| (100.0 - 2.9 * f64::from(n)).floor();
        (0..WINDOW as u32).for_each(|n| lag.record(told(n) - told(n + 1) - 2.7, 1.0));
        assert!((lag.mean() - 0.2).abs() < 0.06, "{}", lag.mean());
        assert!(lag.margin() < 0.55, "{}", lag.margin());
    }

    #[test]
    fn a_clock_that_was_set_anew_is_no_lag() {
        let mut lag = Lag::new(0.1);
        for difference in [60.0, -5.0, f64::NAN] {
            lag.record(difference, 0.0);
        }
        assert!(!lag.is_learned());
    }
}
