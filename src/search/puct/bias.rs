//! How far evaluations of positions that look alike around the last move go wrong, by what the search has found below them (subtree
//! value bias correction, as in KataGo).

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// Parts of the table that are locked by themselves.
const PARTS: u64 = 64;
/// How much more a node counts that was visited more.
const EXPONENT: f32 = 0.85;
/// Part of a node's share that is taken back when it is freed.
const TAKEN_BACK: f32 = 0.8;

/// Sums over positions that look alike.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    difference: f32,
    weight: f32,
}

type Entry = Arc<Mutex<Sums>>;

/// Sums by what positions look like.
#[derive(Debug)]
pub(super) struct Biases(Vec<Mutex<HashMap<u64, Entry>>>);

/// A node's share in the sums.
#[derive(Debug)]
pub(super) struct BiasShare {
    entry: Entry,
    own: Sums,
}

impl Default for Biases {
    fn default() -> Self {
        Self((0..PARTS).map(|_| Mutex::default()).collect())
    }
}

impl Biases {
    /// A share for a node that looks so, still empty.
    pub(super) fn share(&self, key: u64) -> BiasShare {
        let entry = Arc::clone(self.0[(key % PARTS) as usize].lock().entry(key).or_default());
        BiasShare { entry, own: Sums::default() }
    }

    /// Forgets what no node has a share in.
    pub(super) fn sweep(&self) {
        self.0.iter().for_each(|part| part.lock().retain(|_, entry| Arc::strong_count(entry) > 1));
    }
}

impl BiasShare {
    /// Difference that is to be expected between what the search finds and the evaluation.
    pub(super) fn expected(&self) -> f32 {
        let sums = *self.entry.lock();
        if sums.weight > 1e-3 { sums.difference / sums.weight } else { 0.0 }
    }

    /// The search has found that difference, by children of that weight.
    pub(super) fn learn(&mut self, difference: f32, weight: f32) {
        let weight = weight.powf(EXPONENT);
        let own = Sums { difference: difference * weight, weight };
        let mut sums = self.entry.lock();
        sums.difference += own.difference - self.own.difference;
        sums.weight += own.weight - self.own.weight;
        self.own = own;
    }
}

impl Drop for BiasShare {
    fn drop(&mut self) {
        let mut sums = self.entry.lock();
        sums.difference -= TAKEN_BACK * self.own.difference;
        sums.weight -= TAKEN_BACK * self.own.weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exchanged_and_partly_taken_back() {
        let biases = Biases::default();
        let (mut one, mut other) = (biases.share(7), biases.share(7));
        assert_eq!(one.expected(), 0.0);
        one.learn(0.5, 1.0);
        one.learn(0.25, 1.0);
        assert_eq!(other.expected(), 0.25);
        other.learn(-0.25, 1.0);
        assert_eq!(one.expected(), 0.0);
        drop(other);
        // A fifth of it stays: (0.25 - 0.05) / 1.2.
        assert!((one.expected() - 1.0 / 6.0).abs() < 1e-6);
        assert_eq!(biases.share(8).expected(), 0.0);
        drop(one);
        biases.sweep();
        assert_eq!(biases.share(7).expected(), 0.0);
    }
}
