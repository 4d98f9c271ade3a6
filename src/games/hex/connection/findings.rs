//! Connections of positions that were searched not long ago: a position with a few more stones goes on from there.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::cells::Cells;
use super::web::{Packed, Web};
use crate::game::{Bounded, Side};
use crate::games::Size;

/// Most MiB that are kept, and the share of all memory. On 11×11 a position takes some 120 KB for each side.
const MOST: usize = 64;
const SHARE: usize = 8;
/// Share of what is kept that nobody has come back to yet. Most positions lead nowhere, and those from which many others are
/// reached must outlast them.
const FRESH: f32 = 0.25;
/// Most stones more that a search goes on by: own ones make connections, and those of the opponent only break them.
const GAINED: u32 = 3;
const LOST: u32 = 8;
/// How much more work an own stone is.
const WORK_OF_GAIN: u32 = 8;

/// Connections by positions, for a search and all of its threads. Boards of so many times 64 cells have one each.
#[derive(Debug)]
pub struct Findings(
    pub(super) WebCache<1>,
    pub(super) WebCache<2>,
    pub(super) WebCache<3>,
    pub(super) WebCache<4>,
    pub(super) WebCache<6>,
    pub(super) WebCache<16>,
    usize,
);

impl Bounded for Findings {
    fn within(mib: usize) -> Self {
        let mib = MOST.min(mib / SHARE);
        Self(
            WebCache::new(mib),
            WebCache::new(mib),
            WebCache::new(mib),
            WebCache::new(mib),
            WebCache::new(mib),
            WebCache::new(mib),
            mib,
        )
    }

    fn mib(&self) -> usize {
        self.6
    }
}

#[derive(Debug)]
struct Kept<const W: usize> {
    size: Size,
    side: Side,
    web: Arc<Packed<W>>,
    /// Whether it was ever asked for, and when last.
    asked: bool,
    used: u64,
}

#[derive(Debug, Default)]
struct Inner<const W: usize> {
    kept: Vec<Kept<W>>,
    /// The stones of each, own and the opponent's. They are also in the webs, but all are looked at for each position.
    stones: Vec<(Cells<W>, Cells<W>)>,
    /// Numbers of those that nobody has asked for, and of the others, by the time of use.
    by_use: [BTreeMap<u64, usize>; 2],
    bytes: usize,
    clock: u64,
}

impl<const W: usize> Inner<W> {
    fn add(&mut self, size: Size, side: Side, stones: (Cells<W>, Cells<W>), web: Packed<W>) {
        self.clock += 1;
        self.bytes += web.bytes();
        self.by_use[usize::from(false)].insert(self.clock, self.kept.len());
        self.stones.push(stones);
        self.kept.push(Kept { size, side, web: Arc::new(web), asked: false, used: self.clock });
    }

    /// Notes that it was asked for.
    fn touch(&mut self, number: usize) {
        self.clock += 1;
        let kept = &mut self.kept[number];
        self.by_use[usize::from(kept.asked)].remove(&kept.used);
        (kept.asked, kept.used) = (true, self.clock);
        self.by_use[usize::from(true)].insert(self.clock, number);
    }

    /// Takes out the oldest of those nobody has asked for, or of the others if those are few.
    fn remove_oldest(&mut self) -> Option<Arc<Packed<W>>> {
        let fresh = self.by_use[usize::from(false)].len();
        let asked = (fresh as f32) < FRESH * self.kept.len() as f32;
        let (_, number) = self.by_use[usize::from(asked)].pop_first()?;
        self.stones.swap_remove(number);
        let old = self.kept.swap_remove(number);
        if let Some(moved) = self.kept.get(number) {
            self.by_use[usize::from(moved.asked)].insert(moved.used, number);
        }
        self.bytes -= old.web.bytes();
        Some(old.web)
    }
}

/// Positions of boards of one width of sets.
#[derive(Debug)]
pub(super) struct WebCache<const W: usize> {
    /// Most bytes that are kept.
    capacity: usize,
    inner: Mutex<Inner<W>>,
}

impl<const W: usize> WebCache<W> {
    fn new(mib: usize) -> Self {
        Self { capacity: mib << 20, inner: Mutex::default() }
    }

    /// Connections of `side` in the position with the fewest of these stones less, and no others.
    pub(super) fn nearest(
        &self,
        size: Size,
        side: Side,
        (own, theirs): (Cells<W>, Cells<W>),
    ) -> Option<Arc<Packed<W>>> {
        let mut inner = self.inner.lock();
        let Inner { kept, stones, .. } = &*inner;
        let work = |number: usize| {
            let known = stones[number];
            if !known.0.within(&own)
                || !known.1.within(&theirs)
                || (kept[number].size, kept[number].side) != (size, side)
            {
                return None;
            }
            let (gained, lost) = (own.minus(known.0).len(), theirs.minus(known.1).len());
            (gained <= GAINED && lost <= LOST).then_some(gained * WORK_OF_GAIN + lost)
        };
        let nearest = (0..stones.len()).filter_map(|number| Some((work(number)?, number))).min()?.1;
        inner.touch(nearest);
        Some(Arc::clone(&inner.kept[nearest].web))
    }

    /// Keeps what was found, in place of what nobody has asked for the longest.
    pub(super) fn keep(&self, size: Size, side: Side, web: &Web<W>) {
        let mut packed = self.spare();
        web.pack(&mut packed);
        self.inner.lock().add(size, side, web.stones(), packed);
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.inner.lock().bytes
    }

    /// Makes room for one more, and gives back memory to use again.
    fn spare(&self) -> Packed<W> {
        let mut inner = self.inner.lock();
        let mut spare = Packed::default();
        while inner.bytes > self.capacity {
            let Some(old) = inner.remove_oldest() else { break };
            spare = Arc::into_inner(old).unwrap_or_default();
        }
        spare
    }
}
