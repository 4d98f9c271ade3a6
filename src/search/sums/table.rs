//! Winners of the sums that were searched: one bit each, beside 63 of the key.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words that lie on one cache line: where a sum may be.
const WAYS: usize = 8;

/// A table of fixed size, for all threads, without locks: a word is written whole or not at all.
#[derive(Debug)]
pub(super) struct OutcomeTable {
    words: Vec<AtomicU64>,
}

/// The bits of a key that a word has; the lowest one is the result's.
fn tag(key: u128) -> u64 {
    (key >> 64) as u64 & !1
}

impl OutcomeTable {
    /// With at most `mib` MiB. The system gives the memory as it is written to.
    pub(super) fn new(mib: usize) -> Self {
        // The words of zeroed memory taken over as they are.
        Self { words: vec![0; (mib << 20) / size_of::<u64>()].into_iter().map(AtomicU64::new).collect() }
    }

    /// Bytes that it may take.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    fn places(&self, key: u128) -> &[AtomicU64] {
        let buckets = self.words.len() / WAYS;
        let bucket = ((u128::from(key as u64) * buckets as u128) >> 64) as usize;
        &self.words[bucket * WAYS..][..WAYS]
    }

    /// Whether the side to move wins.
    pub(super) fn get(&self, key: u128) -> Option<bool> {
        let words = self.places(key).iter().map(|place| place.load(Relaxed));
        words.filter(|&word| word != 0 && word & !1 == tag(key)).map(|word| word & 1 == 1).next()
    }

    /// Keeps a result, in the place of any other one where there is no room.
    pub(super) fn put(&self, key: u128, won: bool) {
        let places = self.places(key);
        let free = places.iter().find(|place| place.load(Relaxed) == 0);
        free.unwrap_or(&places[key as usize % WAYS]).store(tag(key) | u64::from(won), Relaxed);
    }
}
