//! Bounds of the leads of boards that were searched, and the best move found on each.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries that lie on one cache line: where a board may be.
const WAYS: usize = 4;
/// Bits of an entry's parts.
const BITS: u32 = 8;
const MASK: u64 = (1 << BITS) - 1;

/// Best move where none has been found.
pub(super) const UNKNOWN: u32 = MASK as u32;

/// Knowledge of a board, seen by its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The lead in the end is at least that, and at most that.
    pub(super) least: i32,
    pub(super) most: i32,
    /// Bit of the best move found.
    pub(super) best: u32,
}

impl Bounds {
    fn pack(self, empties: u32) -> u64 {
        let byte = |lead: i32| u64::from(lead as i8 as u8);
        u64::from(empties) << (3 * BITS)
            | u64::from(self.best) << (2 * BITS)
            | byte(self.most) << BITS
            | byte(self.least)
    }

    fn unpack(word: u64) -> Self {
        let lead = |word: u64| i32::from((word & MASK) as u8 as i8);
        Self { least: lead(word), most: lead(word >> BITS), best: (word >> (2 * BITS) & MASK) as u32 }
    }
}

/// Key, mixed with what it is the key of so that half of an entry is none, and that.
type Entry = [AtomicU64; 2];

/// Table of fixed size, for all threads, without locks.
#[derive(Debug)]
pub(super) struct BoundsTable {
    words: Vec<AtomicU64>,
}

impl BoundsTable {
    /// With at most `mib` MiB, or one. The system gives the memory as it is written to.
    pub(super) fn new(mib: usize) -> Self {
        // The words of zeroed memory taken over as they are.
        Self { words: vec![0; (mib.max(1) << 20) / size_of::<u64>()].into_iter().map(AtomicU64::new).collect() }
    }

    /// Bytes that it may take.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    fn places(&self, key: u64) -> &[Entry] {
        let (entries, _) = self.words.as_chunks::<2>();
        let bucket = ((u128::from(key) * (entries.len() / WAYS) as u128) >> 64) as usize;
        &entries[bucket * WAYS..][..WAYS]
    }

    /// Knowledge of a board, if there is any.
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        let words = self.places(key).iter().map(|[key, word]| (key.load(Relaxed), word.load(Relaxed)));
        words.filter(|&(mixed, word)| word != 0 && mixed ^ word == key).map(|(_, word)| Bounds::unpack(word)).next()
    }

    /// Keeps what is known of a board with so many empty points, at least 1: in its own place, in a free one, or in that of the board
    /// with the fewest.
    pub(super) fn put(&self, key: u64, empties: u32, bounds: Bounds) {
        let worth = |[mixed, word]: &&Entry| {
            let (mixed, word) = (mixed.load(Relaxed), word.load(Relaxed));
            if mixed ^ word == key { 0 } else { word >> (3 * BITS) }
        };
        if let Some([mixed, word]) = self.places(key).iter().min_by_key(worth) {
            let bounds = bounds.pack(empties);
            mixed.store(key ^ bounds, Relaxed);
            word.store(bounds, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_as_long_as_there_is_room() {
        let table = BoundsTable::new(1);
        let bounds = |lead: i32| Bounds { least: -lead, most: lead, best: lead as u32 };
        for lead in 0..=64 {
            table.put(u64::MAX / (3 + lead as u64), 7, bounds(lead));
        }
        for lead in 0..=64 {
            assert_eq!(table.get(u64::MAX / (3 + lead as u64)), Some(bounds(lead)));
        }
        assert_eq!(table.get(12345), None);
        // All in one bucket: those with the most empty points stay.
        (1..=9).for_each(|empties| table.put(empties, empties as u32, bounds(empties as i32)));
        assert!((1..=9).filter(|&key| table.get(key).is_some()).eq(6..=9));
    }
}
