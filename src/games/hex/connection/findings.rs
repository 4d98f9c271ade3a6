//! Connections of positions that were searched not long ago: a position with a few more stones goes on from there.

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
    /// Also in the web, but all of them are looked at for each position.
    stones: (Cells<W>, Cells<W>),
    web: Arc<Packed<W>>,
    /// When it was asked for last, and whether it ever was.
    used: u64,
    asked: bool,
}

#[derive(Debug, Default)]
struct Inner<const W: usize> {
    kept: Vec<Kept<W>>,
    bytes: usize,
    clock: u64,
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
        let Inner { kept, clock, .. } = &mut *inner;
        let work = |kept: &Kept<W>| {
            let known = kept.stones;
            if !known.0.within(&own) || !known.1.within(&theirs) || (kept.size, kept.side) != (size, side) {
                return None;
            }
            let (gained, lost) = (own.minus(known.0).len(), theirs.minus(known.1).len());
            (gained <= GAINED && lost <= LOST).then_some(gained * WORK_OF_GAIN + lost)
        };
        let nearest = (0..kept.len()).filter_map(|number| Some((work(&kept[number])?, number))).min()?.1;
        *clock += 1;
        (kept[nearest].used, kept[nearest].asked) = (*clock, true);
        Some(Arc::clone(&kept[nearest].web))
    }

    /// Keeps what was found, in place of what nobody has asked for the longest.
    pub(super) fn keep(&self, size: Size, side: Side, web: &Web<W>) {
        let mut packed = self.spare();
        web.pack(&mut packed);
        let stones = web.stones();
        let mut inner = self.inner.lock();
        let Inner { kept, bytes, clock } = &mut *inner;
        let same = |kept: &Kept<W>| (kept.size, kept.side, kept.stones) == (size, side, stones);
        // Another thread may have been first.
        if !kept.iter().any(same) {
            *clock += 1;
            *bytes += packed.bytes();
            kept.push(Kept { size, side, stones, web: Arc::new(packed), used: *clock, asked: false });
        }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.inner.lock().bytes
    }

    /// Makes room for one more, and gives back memory to use again.
    fn spare(&self) -> Packed<W> {
        let mut inner = self.inner.lock();
        let Inner { kept, bytes, .. } = &mut *inner;
        let mut spare = Packed::default();
        while *bytes > self.capacity && !kept.is_empty() {
            let fresh = kept.iter().filter(|kept| !kept.asked).count();
            let asked = (fresh as f32) < FRESH * kept.len() as f32;
            let choice = (0..kept.len()).filter(|&number| kept[number].asked == asked);
            let oldest = choice.min_by_key(|&number| kept[number].used).unwrap_or(0);
            let old = kept.swap_remove(oldest).web;
            *bytes -= old.bytes();
            spare = Arc::into_inner(old).unwrap_or_default();
        }
        spare
    }
}
