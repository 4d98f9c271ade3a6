//! A mean that threads add to without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Results in 0..=1 are counted in such parts; visits stand above the bits of their sum.
const UNIT: f32 = 65_536.0;
const SUM_BITS: u32 = 40;
const SUM: u64 = (1 << SUM_BITS) - 1;
/// After so many visits the sums are halved, long before they run over. A race loses a few visits.
const MOST: u64 = 1 << 22;

/// Number and sum of results in 0..=1.
#[derive(Debug, Default)]
pub(super) struct Mean(AtomicU64);

impl Mean {
    /// Counts a result.
    #[inline]
    pub(super) fn add(&self, result: f32) {
        let one = (1 << SUM_BITS) + (result * UNIT) as u64;
        let sum = self.0.fetch_add(one, Relaxed) + one;
        if sum >> SUM_BITS >= MOST {
            self.0.store(halved(sum), Relaxed);
        }
    }

    /// The mean of the results, and their number.
    #[inline]
    pub(super) fn get(&self) -> (f32, u32) {
        let sum = self.0.load(Relaxed);
        let visits = (sum >> SUM_BITS) as u32;
        ((sum & SUM) as f32 / (UNIT * visits.max(1) as f32), visits)
    }

    /// Makes the results count half; a single one is forgotten.
    pub(super) fn halve(&mut self) {
        *self.0.get_mut() = halved(*self.0.get_mut());
    }

    /// Takes over what another one knows.
    pub(super) fn set(&self, other: &Self) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }
}

fn halved(sum: u64) -> u64 {
    match sum >> SUM_BITS {
        0 | 1 => 0,
        visits => {
            let half = visits / 2;
            (half << SUM_BITS) | ((sum & SUM) as f64 * half as f64 / visits as f64) as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_keep_the_mean() {
        let mut mean = Mean::default();
        assert_eq!(mean.get().1, 0);
        for i in 0..5 * MOST {
            mean.add(if i % 4 == 0 { 1.0 } else { 0.5 });
        }
        let (value, visits) = mean.get();
        assert!(
            (value - 0.625).abs() < 1e-3 && u64::from(visits) < MOST && u64::from(visits) >= MOST / 2,
            "{value} {visits}"
        );
        mean.halve();
        assert!((mean.get().0 - value).abs() < 1e-3 && mean.get().1 == visits / 2);
        while mean.get().1 > 0 {
            mean.halve();
        }
    }
}
