//! Connections of the same two ends: which of them are kept, and which are made of those that are nearly there.

use super::cells::Cells;

/// So many more than the limit are kept, as long as each leaves fewer cells common to all.
pub(super) const NEEDED: usize = 6;
/// The most that are ever there: the limit, those, and the one that is being added.
pub(super) const MOST: usize = 32;

/// A connection of two ends, which are not in the carrier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connection<const W: usize> {
    /// The key included.
    pub(super) carrier: Cells<W>,
    size: u16,
    /// The key of a semi connection.
    pub(super) mark: u16,
}

impl<const W: usize> Connection<W> {
    pub(super) fn new(carrier: Cells<W>, mark: u16) -> Self {
        Self { carrier, size: carrier.len() as u16, mark }
    }
}

/// Connections of the same ends, the smallest first, none within another. One list, since what takes the time is to come
/// to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections<const W: usize>(Vec<Connection<W>>);

impl<const W: usize> std::ops::Deref for Connections<W> {
    type Target = [Connection<W>];

    #[inline]
    fn deref(&self) -> &[Connection<W>] {
        &self.0
    }
}

impl<const W: usize> Connections<W> {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Gives the one with that carrier a mark, and says whether there is one.
    pub(super) fn mark(&mut self, carrier: &Cells<W>, mark: u16) -> bool {
        let known = self.0.iter_mut().find(|known| known.carrier == *carrier);
        known.map(|known| known.mark = mark).is_some()
    }

    /// Whether there is one within that carrier.
    #[inline]
    pub(super) fn any_within(&self, carrier: &Cells<W>) -> bool {
        self.0.iter().any(|known| known.carrier.within(carrier))
    }

    /// Takes those out of which that carrier is a part, from that place on.
    pub(super) fn drop_from(&mut self, start: usize, carrier: &Cells<W>) {
        let mut kept = start;
        for i in start..self.0.len() {
            if !carrier.within(&self.0[i].carrier) {
                self.0[kept] = self.0[i];
                kept += 1;
            }
        }
        self.0.truncate(kept);
    }

    /// Cells common to all.
    fn common(&self) -> Cells<W> {
        self.0.iter().fold(Cells::all(), |common, known| common.and(known.carrier))
    }

    /// The last one without which no more cells are common to the others.
    fn needless(&self) -> Option<usize> {
        // What all before each of them have in common, and then all after it.
        let mut before = [Cells::all(); MOST];
        for number in 1..self.0.len() {
            before[number] = before[number - 1].and(self.0[number - 1].carrier);
        }
        let common = self.common();
        let mut after = Cells::all();
        (0..self.0.len()).rev().find(|&number| {
            let others = before[number].and(after);
            after = after.and(self.0[number].carrier);
            others == common
        })
    }

    /// Adds one, if no other is within it. Of more than `limit` the largest goes without which no more cells are common to
    /// all, since connections join by having nothing in common, or the largest; says whether the new one stays.
    pub(super) fn add(&mut self, carrier: Cells<W>, mark: u16, limit: usize) -> bool {
        let fresh = Connection::new(carrier, mark);
        let place = self.0.partition_point(|known| known.size <= fresh.size);
        if self.0[..place].iter().any(|known| known.carrier.within(&carrier)) {
            return false;
        }
        self.drop_from(place, &carrier);
        if place >= limit && self.common().within(&carrier) {
            return false;
        }
        self.0.insert(place, fresh);
        let length = self.0.len();
        if length <= limit {
            return true;
        }
        let needless = self.needless();
        if needless.is_none() && length <= limit + NEEDED {
            return true;
        }
        let gone = needless.unwrap_or(length - 1);
        self.0.remove(gone);
        gone != place
    }
}

/// Unions of semi connections, at most `depth` of them beside those in `union`, which have the cells `common` in common,
/// such that no cell is common to all; none with one of `known` within. Not all of them, but one within each.
pub(super) fn unions<const W: usize>(
    semis: &[Connection<W>],
    known: &Connections<W>,
    common: Cells<W>,
    union: Cells<W>,
    depth: usize,
    found: &mut Vec<Cells<W>>,
) {
    // One of them has to leave out this cell.
    let Some(cell) = common.first() else { return };
    for semi in semis.iter().map(|semi| semi.carrier).filter(|semi| !semi.has(cell)) {
        let (left, union) = (common.and(semi), union.or(semi));
        if left.is_empty() {
            found.push(union);
        } else if depth > 1 && !known.any_within(&union) {
            unions(semis, known, left, union, depth - 1, found);
        }
    }
}
