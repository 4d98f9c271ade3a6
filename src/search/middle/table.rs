//! Bounds of the values of boards that were searched to some depth, and the best move found on each.

use crate::search::words::WordTable;

/// Bits of an entry's parts: two bounds of sixteen, the move, the depth, and the search that wrote it.
const BOUND: u32 = 16;
const BYTE: u32 = 8;
const MASK: u64 = (1 << BYTE) - 1;
const DEPTH: u32 = 2 * BOUND + BYTE;
const SEARCH: u32 = DEPTH + BYTE;

/// Knowledge of a board, seen by its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DepthBounds {
    /// Plies that were searched.
    pub(super) depth: u32,
    /// The value is at least that, and at most that.
    pub(super) least: i32,
    pub(super) most: i32,
    /// Bit of the best move found, or `UNKNOWN`.
    pub(super) best: u32,
}

impl DepthBounds {
    fn pack(self, search: u64) -> u64 {
        let bound = |value: i32| u64::from(value as i16 as u16);
        search << SEARCH
            | u64::from(self.depth) << DEPTH
            | u64::from(self.best) << (2 * BOUND)
            | bound(self.most) << BOUND
            | bound(self.least)
    }

    fn unpack(word: u64) -> Self {
        let bound = |word: u64| i32::from(word as u16 as i16);
        let byte = |word: u64| (word & MASK) as u32;
        Self {
            depth: byte(word >> DEPTH),
            least: bound(word),
            most: bound(word >> BOUND),
            best: byte(word >> (2 * BOUND)),
        }
    }
}

/// Table of what was reached, for all threads.
#[derive(Debug)]
pub(super) struct DepthTable {
    words: WordTable,
    /// Number of the search, from 1 to 255.
    search: u64,
}

impl DepthTable {
    /// With at most `mib` MiB, or one.
    pub(super) fn new(mib: usize) -> Self {
        Self { words: WordTable::new(mib), search: 1 }
    }

    /// Bytes that it may take.
    pub(super) fn bytes(&self) -> usize {
        self.words.bytes()
    }

    /// Begins a search: words of earlier ones make room first.
    pub(super) fn begin(&mut self) {
        self.search = self.search % MASK + 1;
    }

    /// Knowledge of a board, if there is any.
    pub(super) fn get(&self, key: u64) -> Option<DepthBounds> {
        self.words.get(key).map(DepthBounds::unpack)
    }

    /// Keeps what is known of a board: those that were searched least deep make room.
    pub(super) fn put(&self, key: u64, reached: DepthBounds) {
        let worth = |word: u64| if word >> SEARCH == self.search { 1 + (word >> DEPTH & MASK) } else { 0 };
        self.words.put(key, reached.pack(self.search), worth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::depth_first::UNKNOWN;

    #[test]
    fn what_was_reached_comes_back_as_it_was() {
        let mut table = DepthTable::new(1);
        for value in -700_i32..700 {
            let reached = DepthBounds { depth: value.unsigned_abs() % 64, least: -value, most: 30_000, best: 63 };
            table.put(5, reached);
            assert_eq!(table.get(5), Some(reached));
        }
        // The other places of that bucket; another search takes them, however deep they are.
        let deep = DepthBounds { depth: 60, least: 1, most: 1, best: UNKNOWN };
        (1..=4).for_each(|key| table.put(key, deep));
        table.put(6, DepthBounds { depth: 3, ..deep });
        assert!((1..=4).filter(|&key| table.get(key) == Some(deep)).count() == 3);
        table.begin();
        (7..=10).for_each(|key| table.put(key, DepthBounds { depth: 2, ..deep }));
        assert!((7..=10).all(|key| table.get(key).is_some()) && (1..=6).all(|key| table.get(key).is_none()));
    }
}
