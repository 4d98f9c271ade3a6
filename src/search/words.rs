//! A table of fixed size for all threads of a search, without locks: a word of knowledge for a key.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries that lie on one cache line: where a key may be.
const WAYS: usize = 4;

/// Key, mixed with its word so that half of an entry is none, and the word.
type Entry = [AtomicU64; 2];

/// Words that are found by keys. A word is never 0.
#[derive(Debug)]
pub(crate) struct WordTable {
    words: Vec<AtomicU64>,
}

impl WordTable {
    /// With at most `mib` MiB, or one. The system gives the memory as it is written to.
    pub(crate) fn new(mib: usize) -> Self {
        // The words of zeroed memory taken over as they are.
        Self { words: vec![0; (mib.max(1) << 20) / size_of::<u64>()].into_iter().map(AtomicU64::new).collect() }
    }

    /// Bytes that it may take.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    fn places(&self, key: u64) -> &[Entry] {
        let (entries, _) = self.words.as_chunks::<2>();
        let bucket = ((u128::from(key) * (entries.len() / WAYS) as u128) >> 64) as usize;
        &entries[bucket * WAYS..][..WAYS]
    }

    /// The word of a key, if there is one.
    pub(crate) fn get(&self, key: u64) -> Option<u64> {
        let words = self.places(key).iter().map(|[mixed, word]| (mixed.load(Relaxed), word.load(Relaxed)));
        words.filter(|&(mixed, word)| word != 0 && mixed ^ word == key).map(|(_, word)| word).next()
    }

    /// Keeps a word: in the place of the key, in a free one, or in that of the word that is worth least.
    pub(crate) fn put(&self, key: u64, word: u64, worth: impl Fn(u64) -> u64) {
        let worth = |[mixed, word]: &&Entry| {
            let (mixed, word) = (mixed.load(Relaxed), word.load(Relaxed));
            if mixed ^ word == key || word == 0 { (mixed ^ word != key, 0) } else { (true, 1 + worth(word)) }
        };
        if let Some([mixed, place]) = self.places(key).iter().min_by_key(worth) {
            mixed.store(key ^ word, Relaxed);
            place.store(word, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_as_long_as_there_is_room() {
        let table = WordTable::new(1);
        let put = |key, word| table.put(key, word, |word| word);
        (1..=64).for_each(|word| put(u64::MAX / (3 + word), word));
        for word in 1..=64 {
            assert_eq!(table.get(u64::MAX / (3 + word)), Some(word));
        }
        assert_eq!(table.get(12345), None);
        put(u64::MAX / 10, 1);
        assert_eq!(table.get(u64::MAX / 10), Some(1));
        // All in one bucket: those that are worth most stay.
        (1..=9).for_each(|key| put(key, key));
        assert!((1..=9).filter(|&key| table.get(key).is_some()).eq(6..=9));
    }
}
