//! Cache of a model's outputs for positions that come again: a bounded table, the newer entry wins.

use parking_lot::Mutex;

/// Bytes of a slot and of the allocation behind it, besides the numbers themselves.
const OVERHEAD: usize = 64;

/// A position's input as a hash, and the model's row of numbers for it.
type Entry = Option<(u64, Box<[f32]>)>;

/// Rows by the hash of the input that they belong to. One cache serves one model, or several that are run on different boards.
pub(super) struct Cache {
    slots: Box<[Mutex<Entry>]>,
}

impl Cache {
    /// At most so many bytes of rows of at most `longest` numbers.
    pub(super) fn new(bytes: usize, longest: usize) -> Self {
        let slots = (bytes / (OVERHEAD + longest * size_of::<f32>())).max(1);
        Self { slots: (0..slots).map(|_| Mutex::default()).collect() }
    }

    fn slot(&self, key: u64) -> &Mutex<Entry> {
        &self.slots[(key % self.slots.len() as u64) as usize]
    }

    /// Copies the row of that input into `row`, if it is known.
    pub(super) fn get(&self, key: u64, row: &mut [f32]) -> bool {
        match &*self.slot(key).lock() {
            Some((known, numbers)) if *known == key && numbers.len() == row.len() => {
                row.copy_from_slice(numbers);
                true
            }
            _ => false,
        }
    }

    /// Forgets all rows.
    pub(super) fn clear(&self) {
        self.slots.iter().for_each(|slot| *slot.lock() = None);
    }

    pub(super) fn insert(&self, key: u64, row: &[f32]) {
        *self.slot(key).lock() = Some((key, row.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_rows_take_the_place_of_older_ones() {
        let cache = Cache::new(10 * (OVERHEAD + 8), 2);
        assert_eq!(cache.slots.len(), 10);
        let mut row = [0.0; 2];
        assert!(!cache.get(3, &mut row));
        cache.insert(3, &[1.0, 2.0]);
        assert!(cache.get(3, &mut row) && row == [1.0, 2.0]);
        assert!(!cache.get(13, &mut row) && !cache.get(3, &mut [0.0]));
        cache.insert(13, &[3.0, 4.0]);
        assert!(cache.get(13, &mut row) && row == [3.0, 4.0]);
        assert!(!cache.get(3, &mut row));
        cache.clear();
        assert!(!cache.get(13, &mut row));
    }
}
