//! Memory that runs write to, kept for the next ones on such boards.

use parking_lot::Mutex;

/// Most kinds of boards of which memory is kept. Clients of a server could ask for hundreds.
const MOST_KINDS: usize = 8;

/// Rooms with what they are for, those that were used last behind the others.
#[derive(Debug)]
pub(super) struct Rooms<K, R>(Mutex<Vec<(K, R)>>);

impl<K, R> Default for Rooms<K, R> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Copy + PartialEq, R> Rooms<K, R> {
    /// A room of that kind which nobody uses now.
    pub(super) fn take(&self, kind: K) -> Option<R> {
        let mut rooms = self.0.lock();
        let number = rooms.iter().rposition(|(other, _)| *other == kind)?;
        Some(rooms.remove(number).1)
    }

    /// Keeps a room for the next run; those of the kind that was not used for the longest go where there are too many.
    pub(super) fn keep(&self, kind: K, room: R) {
        let mut rooms = self.0.lock();
        rooms.push((kind, room));
        let mut kinds: Vec<K> = Vec::new();
        for (kind, _) in rooms.iter().rev() {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        if let Some(&oldest) = kinds.get(MOST_KINDS) {
            rooms.retain(|(kind, _)| *kind != oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_kinds_are_kept() {
        let rooms = Rooms::default();
        for kind in 0..3 * MOST_KINDS {
            rooms.keep(kind, "one");
            rooms.keep(kind, "two");
            // Used again and again.
            let first = rooms.take(0).unwrap();
            rooms.keep(0, first);
        }
        assert!((1..=2 * MOST_KINDS).all(|kind| rooms.take(kind).is_none()));
        let kept: Vec<usize> = (0..3 * MOST_KINDS).filter(|&kind| rooms.take(kind).is_some()).collect();
        assert_eq!((kept[0], kept.len()), (0, MOST_KINDS));
    }
}
