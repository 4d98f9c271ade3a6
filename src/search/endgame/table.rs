//! Bounds of the leads of boards that were searched, and the best move found on each.

use crate::search::words::WordTable;

/// Bits of an entry's parts.
const BITS: u32 = 8;
const MASK: u64 = (1 << BITS) - 1;

/// Knowledge of a board, seen by its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The lead in the end is at least that, and at most that.
    pub(super) least: i32,
    pub(super) most: i32,
    /// Bit of the best move found, or `UNKNOWN`.
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

/// Table of bounds, for all threads.
#[derive(Debug)]
pub(super) struct BoundsTable(WordTable);

impl BoundsTable {
    /// With at most `mib` MiB, or one.
    pub(super) fn new(mib: usize) -> Self {
        Self(WordTable::new(mib))
    }

    /// Bytes that it may take.
    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Knowledge of a board, if there is any.
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        self.0.get(key).map(Bounds::unpack)
    }

    /// Keeps what is known of a board with so many empty points, at least 1: those with the fewest make room.
    pub(super) fn put(&self, key: u64, empties: u32, bounds: Bounds) {
        self.0.put(key, bounds.pack(empties), |word| word >> (3 * BITS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_come_back_as_they_were() {
        for lead in 0..=64 {
            let bounds = Bounds { least: -lead, most: lead, best: lead as u32 };
            assert_eq!(Bounds::unpack(bounds.pack(7)), bounds);
        }
    }
}
