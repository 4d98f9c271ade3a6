//! Node memory: bounded, allocated as it grows, freed without walking it. "Full" is an ordinary answer.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::node::{Node, NodeId};

/// Nodes of one allocation: 512 KiB, so that a server's many small trees stay small. A block of children never crosses
/// from one into the next.
const CHUNK: usize = 1 << 13;

/// A bump allocator of nodes, shared by the threads of a search.
#[derive(Debug)]
pub(crate) struct Arena {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    // A number only: chunks are published by their `OnceLock`, nodes by their parents.
    next: AtomicU64,
}

impl Arena {
    /// At most `mib` MiB of nodes, at least one chunk.
    pub(crate) fn new(mib: usize) -> Self {
        let chunks = (mib * (1 << 20) / (CHUNK * size_of::<Node>())).clamp(1, (1 << 32) / CHUNK - 1);
        Self { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), next: AtomicU64::new(0) }
    }

    /// A block of `count` nodes that nobody else has, or `None` when the arena is full.
    pub(crate) fn allocate(&self, count: usize) -> Option<NodeId> {
        debug_assert!(count <= CHUNK);
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
                self.chunks[chunk].get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect());
                return Some(first as NodeId);
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
        self.chunks.iter().filter(|c| c.get().is_some()).count() * CHUNK * size_of::<Node>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_overlap_nor_cross_chunks() {
        let arena = Arena::new(8);
        let mut end = 0;
        let mut blocks = 0;
        while let Some(first) = arena.allocate(361) {
            assert!(first >= end);
            assert_eq!(arena.block(first, 361).len(), 361);
            end = first + 361;
            blocks += 1;
        }
        // What is left at the end of a chunk is lost, and so is what the next block had already taken of the next.
        let chunks = (8 << 20) / (CHUNK * size_of::<Node>());
        assert!((chunks * (CHUNK / 361 - 1)..=chunks * (CHUNK / 361)).contains(&blocks), "{blocks}");
        assert_eq!(arena.bytes(), 8 << 20);
    }

    #[test]
    fn memory_grows_with_use() {
        let arena = Arena::new(1024);
        assert_eq!(arena.bytes(), 0);
        arena.allocate(1);
        assert_eq!(arena.bytes(), CHUNK * size_of::<Node>());
    }
}
