//! Connections of the same two ends: which of them are kept, and which are made of those that are nearly there.

use super::cells::Cells;

/// So many more than the limit are kept, as long as each leaves fewer cells common to all.
pub(super) const NEEDED: usize = 6;
const NOBODY: usize = usize::MAX;

/// Connections of the same ends, the smallest first, none within another; the ends are not in the carriers.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections<const W: usize> {
    /// The key included.
    pub(super) carriers: Vec<Cells<W>>,
    sizes: Vec<u32>,
    /// Keys of semi connections.
    pub(super) marks: Vec<u16>,
}

impl<const W: usize> Connections<W> {
    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    fn truncate(&mut self, length: usize) {
        self.carriers.truncate(length);
        self.sizes.truncate(length);
        self.marks.truncate(length);
    }

    /// Whether there is one within that carrier.
    #[inline]
    pub(super) fn any_within(&self, carrier: &Cells<W>) -> bool {
        self.carriers.iter().any(|known| known.within(carrier))
    }

    /// Takes those out of which that carrier is a part, from that place on.
    pub(super) fn drop_from(&mut self, start: usize, carrier: &Cells<W>) {
        let mut kept = start;
        for i in start..self.carriers.len() {
            if !carrier.within(&self.carriers[i]) {
                self.carriers[kept] = self.carriers[i];
                self.sizes[kept] = self.sizes[i];
                self.marks[kept] = self.marks[i];
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Cells common to all but that one.
    fn common(&self, but: usize) -> Cells<W> {
        let others = self.carriers.iter().enumerate().filter(|&(number, _)| number != but);
        others.fold(Cells::all(), |common, (_, &carrier)| common.and(carrier))
    }

    /// Adds one, if no other is within it. Of more than `limit` the largest goes without which no more cells are common to
    /// all, since connections join by having nothing in common, or the largest; says whether the new one stays.
    pub(super) fn add(&mut self, carrier: Cells<W>, mark: u16, limit: usize) -> bool {
        let size = carrier.len();
        let place = self.sizes.partition_point(|&known| known <= size);
        if self.carriers[..place].iter().any(|known| known.within(&carrier)) {
            return false;
        }
        self.drop_from(place, &carrier);
        if place >= limit && self.common(NOBODY).within(&carrier) {
            return false;
        }
        self.carriers.insert(place, carrier);
        self.sizes.insert(place, size);
        self.marks.insert(place, mark);
        let length = self.carriers.len();
        if length <= limit {
            return true;
        }
        let common = self.common(NOBODY);
        let needless = (0..length).rev().find(|&number| self.common(number) == common);
        if needless.is_none() && length <= limit + NEEDED {
            return true;
        }
        let gone = needless.unwrap_or(length - 1);
        self.carriers.remove(gone);
        self.sizes.remove(gone);
        self.marks.remove(gone);
        gone != place
    }
}

/// Unions of semi connections, at most `depth` of them beside those in `union`, which have the cells `common` in common,
/// such that no cell is common to all; none with one of `known` within. Not all of them, but one within each.
pub(super) fn unions<const W: usize>(
    semis: &[Cells<W>],
    known: &Connections<W>,
    common: Cells<W>,
    union: Cells<W>,
    depth: usize,
    found: &mut Vec<Cells<W>>,
) {
    // One of them has to leave out this cell.
    let Some(cell) = common.first() else { return };
    for &semi in semis.iter().filter(|semi| !semi.has(cell)) {
        let (left, union) = (common.and(semi), union.or(semi));
        if left.is_empty() {
            found.push(union);
        } else if depth > 1 && !known.any_within(&union) {
            unions(semis, known, left, union, depth - 1, found);
        }
    }
}
