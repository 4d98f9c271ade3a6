//! Node memory: bounded, allocated as it grows, freed without walking it. "Full" is an ordinary answer.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::node::{Node, NodeId};

/// Nodes of one allocation: 512 KiB, so that a server's many small trees stay small. A block of children never crosses
/// from one into the next.
const CHUNK: usize = 1 << 13;

const _: () = assert!(size_of::<Node>() == 64, "one cache line");

/// Memory of one pool, or of several: chunks that they may still open between them.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    most: usize,
    left: Arc<AtomicUsize>,
}

impl Room {
    /// So many MiB, and one chunk for each of so many pools at least.
    pub(crate) fn new(mib: usize, pools: usize) -> Self {
        let most = (mib * (1 << 20) / (CHUNK * size_of::<Node>())).clamp(pools.max(1), (1 << 32) / CHUNK - 1);
        Self { most, left: Arc::new(AtomicUsize::new(most)) }
    }

    fn take(&self) -> bool {
        self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    fn give_back(&self, chunks: usize) {
        self.left.fetch_add(chunks, Relaxed);
    }
}

/// A bump allocator of nodes, shared by the threads of a search.
#[derive(Debug)]
pub(crate) struct Pool {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    // A number only: chunks are published by their `OnceLock`, nodes by their parents.
    next: AtomicU64,
    room: Room,
    /// Whether chunks must be taken from the room, and how many are.
    charged: bool,
    taken: AtomicUsize,
}

impl Pool {
    /// A pool of nodes in that room.
    pub(crate) fn new(room: &Room) -> Self {
        let mut pool = Self::beside(room);
        pool.charged = true;
        pool
    }

    /// To copy another one of the same room to, which stays in memory meanwhile: it is beside the room until
    /// [`Pool::charge`].
    pub(crate) fn beside(room: &Room) -> Self {
        let chunks = (0..room.most).map(|_| OnceLock::new()).collect();
        Self { chunks, next: AtomicU64::new(0), room: room.clone(), charged: false, taken: AtomicUsize::new(0) }
    }

    /// The other one is gone, and this one is in its place: it takes what it has, as far as there is room, and no more
    /// without asking.
    pub(crate) fn charge(&mut self) {
        let opened = self.opened();
        while *self.taken.get_mut() < opened && self.room.take() {
            *self.taken.get_mut() += 1;
        }
        self.charged = true;
    }

    fn opened(&self) -> usize {
        self.chunks.iter().filter(|chunk| chunk.get().is_some()).count()
    }

    /// Allocates a chunk unless it is there or the room is full. Says whether it is there now.
    fn open(&self, chunk: usize) -> bool {
        if self.chunks[chunk].get().is_some() {
            return true;
        }
        if self.charged && !self.room.take() {
            return false;
        }
        let mut opened = false;
        self.chunks[chunk].get_or_init(|| {
            opened = true;
            (0..CHUNK).map(|_| Node::default()).collect()
        });
        match (self.charged, opened) {
            (true, true) => _ = self.taken.fetch_add(1, Relaxed),
            // Another thread was first.
            (true, false) => self.room.give_back(1),
            (false, _) => {}
        }
        true
    }

    /// A block of `count` nodes that nobody else has, or `None` when the pool or its room is full.
    pub(crate) fn allocate(&self, count: usize) -> Option<NodeId> {
        // A position with more moves has no children: its block would fit nowhere.
        if count > CHUNK {
            return None;
        }
        let capacity = (self.chunks.len() * CHUNK) as u64;
        loop {
            if self.next.load(Relaxed) + count as u64 > capacity {
                return None;
            }
            let first = self.next.fetch_add(count as u64, Relaxed);
            let last = first + count.max(1) as u64 - 1;
            if last >= capacity {
                return None;
            }
            let chunk = first as usize / CHUNK;
            if chunk == last as usize / CHUNK {
                return self.open(chunk).then_some(first as NodeId);
            }
            // The block would cross into the next chunk: leave the rest of this one unused and ask again.
        }
    }

    /// A node that was allocated.
    #[inline]
    pub(crate) fn get(&self, id: NodeId) -> &Node {
        &self.block(id, 1)[0]
    }

    /// A block of nodes that was allocated in one piece.
    #[inline]
    pub(crate) fn block(&self, first: NodeId, count: u32) -> &[Node] {
        let (chunk, place) = (first as usize / CHUNK, first as usize % CHUNK);
        match self.chunks[chunk].get() {
            Some(nodes) => &nodes[place..place + count as usize],
            None => &[],
        }
    }

    /// Nodes in use, and nodes that there can be.
    pub(crate) fn usage(&self) -> (usize, usize) {
        let capacity = self.chunks.len() * CHUNK;
        (self.next.load(Relaxed).min(capacity as u64) as usize, capacity)
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.opened() * CHUNK * size_of::<Node>()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.room.give_back(*self.taken.get_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_overlap_nor_cross_chunks() {
        let pool = Pool::new(&Room::new(8, 1));
        let mut end = 0;
        let mut blocks = 0;
        while let Some(first) = pool.allocate(361) {
            assert!(first >= end);
            assert_eq!(pool.block(first, 361).len(), 361);
            end = first + 361;
            blocks += 1;
        }
        // What is left at the end of a chunk is lost, and so is what the next block had already taken of the next.
        let chunks = (8 << 20) / (CHUNK * size_of::<Node>());
        assert!((chunks * (CHUNK / 361 - 1)..=chunks * (CHUNK / 361)).contains(&blocks), "{blocks}");
        assert_eq!(pool.bytes(), 8 << 20);
    }

    #[test]
    fn memory_grows_with_use() {
        let pool = Pool::new(&Room::new(1024, 1));
        assert_eq!(pool.bytes(), 0);
        pool.allocate(1);
        assert!(pool.allocate(CHUNK + 1).is_none());
        assert_eq!(pool.bytes(), CHUNK * size_of::<Node>());
    }

    #[test]
    fn pools_share_a_room() {
        let room = Room::new(1, 3);
        let (mut first, second) = (Pool::new(&room), Pool::new(&room));
        let fill = |pool: &Pool| std::iter::from_fn(|| pool.allocate(CHUNK / 2)).count();
        assert!(second.allocate(1).is_some());
        // Three chunks in all, of which the second pool has one.
        assert_eq!((fill(&first), room.left.load(Relaxed)), (4, 0));
        let mut copy = Pool::beside(&room);
        assert!(copy.allocate(1).is_some());
        std::mem::swap(&mut first, &mut copy);
        drop(copy);
        first.charge();
        assert_eq!(room.left.load(Relaxed), 1);
        assert_eq!(second.bytes() + first.bytes(), 2 * CHUNK * size_of::<Node>());
        // One in the chunk that it has and one in the new one: a block never crosses.
        assert_eq!(fill(&second), 2);
        // A third one finds no room, has what it needs all the same, and no more.
        let mut third = Pool::beside(&room);
        assert!(third.allocate(1).is_some());
        third.charge();
        assert_eq!((fill(&third), room.left.load(Relaxed)), (1, 0));
        drop((first, second, third));
        assert_eq!(room.left.load(Relaxed), 3);
    }
}
