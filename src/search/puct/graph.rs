//! All nodes: their root, those that several ways lead to, and the memory that they take.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::bias::Biases;
use super::node::{Body, Expanded, Node, NodeMeans};
use super::settings::PuctConstants;
use super::update;
use super::utility::Utility;
use crate::game::Game;

/// Parts of the table that are locked by themselves.
const PARTS: u64 = 64;
/// Bytes of a node's entry in the table.
const ENTRY: usize = 32;

/// Nodes from a root on.
pub(super) struct PositionGraph<G: Game> {
    pub(super) root: Arc<Node>,
    pub(super) position: G,
    /// Nodes by their positions, where ways may meet.
    table: Vec<Mutex<HashMap<u64, Weak<Node>>>>,
    pub(super) biases: Biases,
    bytes: AtomicUsize,
    limit: usize,
}

/// Ways that lead back to themselves would keep their nodes for ever.
impl<G: Game> Drop for PositionGraph<G> {
    fn drop(&mut self) {
        for part in &self.table {
            let nodes: Vec<Arc<Node>> = part.lock().values().filter_map(Weak::upgrade).collect();
            nodes.iter().for_each(|node| *node.body.lock() = Body::Fresh);
        }
    }
}

/// All nodes that can be reached from one, by their addresses.
type Reached = HashSet<*const Node>;

impl<G: Game> PositionGraph<G> {
    /// A graph of a root alone, which may take so many bytes.
    pub(super) fn new(position: G, limit: usize) -> Self {
        Self {
            root: Arc::default(),
            position,
            table: (0..PARTS).map(|_| Mutex::default()).collect(),
            biases: Biases::default(),
            bytes: AtomicUsize::new(0),
            limit,
        }
    }

    /// The node of a position; a new one where none is known, or where ways do not meet.
    pub(super) fn node(&self, key: u64, meet: bool) -> Arc<Node> {
        if !meet {
            return Arc::default();
        }
        let mut part = self.table[(key % PARTS) as usize].lock();
        if let Some(known) = part.get(&key).and_then(Weak::upgrade) {
            return known;
        }
        let node = Arc::default();
        part.insert(key, Arc::downgrade(&node));
        self.take(ENTRY);
        node
    }

    /// Counts bytes that are taken.
    pub(super) fn take(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Relaxed);
    }

    /// Bytes that the nodes take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Whether the limit is reached.
    pub(super) fn is_full(&self) -> bool {
        self.bytes() >= self.limit
    }

    /// Makes the position after a move the root, if its node is known.
    pub(super) fn advance(&mut self, mv: G::Move) -> bool {
        if !self.position.is_legal(mv) {
            return false;
        }
        let index = self.position.index(mv);
        let child = match &*self.root.body.lock() {
            Body::Expanded(it) => {
                let edge = it.edges.iter().find(|edge| it.moves[edge.slot] as usize == index);
                edge.map(|edge| Arc::clone(&edge.child))
            }
            _ => None,
        };
        let Some(child) = child else { return false };
        self.root = child;
        self.position.play(mv);
        true
    }

    /// Frees what cannot be reached from the root any more.
    pub(super) fn sweep(&mut self) {
        let (mut reached, mut bytes) = (Reached::new(), 0);
        let mut open = vec![Arc::clone(&self.root)];
        while let Some(node) = open.pop() {
            if !reached.insert(Arc::as_ptr(&node)) {
                continue;
            }
            bytes += ENTRY;
            if let Body::Expanded(it) = &*node.body.lock() {
                bytes += Expanded::bytes(it.moves.len()) + it.edges.len() * super::node::EDGE_BYTES;
                open.extend(it.edges.iter().map(|edge| Arc::clone(&edge.child)));
            }
        }
        for part in &self.table {
            let mut lost = Vec::new();
            part.lock().retain(|_, node| {
                let Some(node) = node.upgrade() else { return false };
                let kept = reached.contains(&Arc::as_ptr(&node));
                if !kept {
                    lost.push(node);
                }
                kept
            });
            // Ways that lead back to themselves would keep their nodes for ever.
            for node in lost {
                *node.body.lock() = Body::Fresh;
            }
        }
        self.bytes.store(bytes, Relaxed);
        self.biases.sweep();
    }

    /// Takes the children away from the nodes that were visited least, until half of the memory is free. Says whether that
    /// freed enough to go on.
    pub(super) fn prune(&mut self, settings: &PuctConstants) -> bool {
        let mut least = 2;
        while self.bytes() > self.limit / 2 && least < 1 << 30 {
            for node in self.nodes() {
                if Arc::ptr_eq(&node, &self.root) {
                    continue;
                }
                let visits = node.stats.lock().visits;
                if let Body::Expanded(it) = &mut *node.body.lock()
                    && visits <= least
                    && !it.edges.is_empty()
                {
                    it.forget_edges();
                    let correction = it.bias.as_ref().map_or(0.0, |bias| settings.bias * bias.expected());
                    *node.stats.lock() = it.own.stats(correction);
                }
            }
            self.sweep();
            least *= 2;
        }
        self.bytes() <= self.limit / 4 * 3
    }

    /// Values all nodes anew: what scores are worth depends on the root.
    pub(super) fn revalue(&self, utility: &Utility, settings: &PuctConstants) {
        let mut parts = Vec::new();
        for node in self.nodes() {
            let mut body = node.body.lock();
            let before = *node.stats.lock();
            let stats = match &mut *body {
                Body::Expanded(it) => {
                    it.own.value_by(utility);
                    update::stats(it, settings, &mut parts)
                }
                Body::Over(own) => {
                    own.value_by(utility);
                    NodeMeans { weight: before.weight, weight_squares: before.weight_squares, ..own.stats(0.0) }
                }
                Body::Fresh | Body::Claimed => continue,
            };
            *node.stats.lock() = NodeMeans { visits: before.visits, ..stats };
        }
    }

    /// All nodes, children before their parents as far as ways do not go round.
    fn nodes(&self) -> Vec<Arc<Node>> {
        let (mut done, mut order) = (Reached::new(), Vec::new());
        let mut open = vec![(Arc::clone(&self.root), false)];
        while let Some((node, is_left)) = open.pop() {
            if is_left {
                order.push(node);
                continue;
            }
            if !done.insert(Arc::as_ptr(&node)) {
                continue;
            }
            open.push((Arc::clone(&node), true));
            if let Body::Expanded(it) = &*node.body.lock() {
                open.extend(it.edges.iter().map(|edge| (Arc::clone(&edge.child), false)));
            }
        }
        order
    }
}
