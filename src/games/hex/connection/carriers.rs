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

/// Where the connections of the same two ends lie in a [`Store`]: the smallest first, none within another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct List {
    start: u32,
    len: u8,
    /// Entries that it can hold before it has to move.
    room: u8,
}

impl List {
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(super) fn len(self) -> usize {
        usize::from(self.len)
    }

    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len()
    }
}

/// The connections of many pairs of ends side by side: what takes the time is to come to them, and a search that goes on
/// from another begins with a copy of them all.
#[derive(Debug, Default)]
pub(super) struct Store<const W: usize> {
    all: Vec<Connection<W>>,
    /// Starts of the pieces that no list has any more, by the logarithm of their room, rounded down.
    free: [Vec<u32>; LARGEST_ROOM.ilog2() as usize + 1],
}

/// Room of the first and of the largest piece of a list.
const FIRST_ROOM: u8 = 2;
const LARGEST_ROOM: u8 = MOST as u8;

impl<const W: usize> Store<W> {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// Bytes of the connections, and of those that no list has any more.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.all)
    }

    /// Takes those over, instead of what it has; [`Store::piece`] makes lists of them.
    pub(super) fn fill(&mut self, all: &[Connection<W>]) {
        self.clear();
        self.all.extend_from_slice(all);
    }

    /// A list of the connections from there on.
    pub(super) fn piece(start: usize, len: u8) -> List {
        List { start: start as u32, len, room: len }
    }

    #[inline]
    pub(super) fn get(&self, list: List) -> &[Connection<W>] {
        &self.all[list.range()]
    }

    /// Empties a list and leaves its room to others.
    pub(super) fn release(&mut self, list: &mut List) {
        if list.room > 0 {
            self.free[list.room.ilog2() as usize].push(list.start);
        }
        *list = List::default();
    }

    /// Gives the one with that carrier a mark, and says whether there is one.
    pub(super) fn mark(&mut self, list: List, carrier: &Cells<W>, mark: u16) -> bool {
        let known = self.all[list.range()].iter_mut().find(|known| known.carrier == *carrier);
        known.map(|known| known.mark = mark).is_some()
    }

    /// Takes those out that are not wanted, from that place on.
    pub(super) fn retain(&mut self, list: &mut List, start: usize, mut wanted: impl FnMut(&Connection<W>) -> bool) {
        let all = &mut self.all[list.range()];
        let mut kept = start;
        for i in start..all.len() {
            if wanted(&all[i]) {
                all[kept] = all[i];
                kept += 1;
            }
        }
        list.len = kept as u8;
    }

    fn insert(&mut self, list: &mut List, place: usize, fresh: Connection<W>) {
        if list.len == list.room {
            let room = (list.room + 1).next_power_of_two().max(FIRST_ROOM);
            let start = self.free[room.ilog2() as usize].pop().unwrap_or_else(|| {
                let start = self.all.len();
                self.all.resize(start + usize::from(room), fresh);
                start as u32
            });
            self.all.copy_within(list.range(), start as usize);
            let len = list.len;
            self.release(list);
            *list = List { start, len, room };
        }
        let start = list.start as usize;
        self.all.copy_within(start + place..start + list.len(), start + place + 1);
        self.all[start + place] = fresh;
        list.len += 1;
    }

    /// Adds one, if no other is within it. Of more than `limit` the largest goes without which no more cells are common to
    /// all, since connections join by having nothing in common, or the largest; says whether the new one stays.
    pub(super) fn add(&mut self, list: &mut List, carrier: Cells<W>, mark: u16, limit: usize) -> bool {
        let fresh = Connection::new(carrier, mark);
        let known = self.get(*list);
        let place = known.partition_point(|known| known.size <= fresh.size);
        if any_within(&known[..place], &carrier) {
            return false;
        }
        self.retain(list, place, |known| !carrier.within(&known.carrier));
        if place >= limit && common(self.get(*list)).within(&carrier) {
            return false;
        }
        self.insert(list, place, fresh);
        let length = list.len();
        if length <= limit {
            return true;
        }
        let needless = needless(self.get(*list));
        if needless.is_none() && length <= limit + NEEDED {
            return true;
        }
        let gone = needless.unwrap_or(length - 1);
        let all = &mut self.all[list.range()];
        all.copy_within(gone + 1.., gone);
        list.len -= 1;
        gone != place
    }
}

/// Whether there is one within that carrier.
#[inline]
pub(super) fn any_within<const W: usize>(connections: &[Connection<W>], carrier: &Cells<W>) -> bool {
    connections.iter().any(|known| known.carrier.within(carrier))
}

/// Cells common to all.
fn common<const W: usize>(connections: &[Connection<W>]) -> Cells<W> {
    connections.iter().fold(Cells::all(), |common, known| common.and(known.carrier))
}

/// The last one without which no more cells are common to the others.
fn needless<const W: usize>(connections: &[Connection<W>]) -> Option<usize> {
    // What all before each of them have in common, and then all after it.
    let mut before = [Cells::all(); MOST];
    for number in 1..connections.len() {
        before[number] = before[number - 1].and(connections[number - 1].carrier);
    }
    let common = common(connections);
    let mut after = Cells::all();
    (0..connections.len()).rev().find(|&number| {
        let others = before[number].and(after);
        after = after.and(connections[number].carrier);
        others == common
    })
}

/// Unions of semi connections, at most `depth` of them beside those in `union`, which have the cells `common` in common,
/// such that no cell is common to all; none with one of `known` within. Not all of them, but one within each.
pub(super) fn unions<const W: usize>(
    semis: &[Connection<W>],
    known: &[Connection<W>],
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
        } else if depth > 1 && !any_within(known, &union) {
            unions(semis, known, left, union, depth - 1, found);
        }
    }
}
