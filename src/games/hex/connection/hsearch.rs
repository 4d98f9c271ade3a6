//! The search itself: a queue of new connections, each combined with what is there by the AND and the OR rule.

use std::collections::VecDeque;

use super::carriers::{Connection, Connections, MOST, NEEDED, unions};
use super::cells::Cells;
use super::{CellSet, Edges, Links};
use crate::game::{Game, Side};
use crate::games::hex::position::Position;

/// Most connections that are kept for one pair of nodes, the smallest first.
const FULLS: usize = 3;
const SEMIS: usize = 16;
const _: () = assert!(FULLS + NEEDED < MOST && SEMIS + NEEDED < MOST);
/// Most semi connections that the OR rule puts together.
const OR_DEPTH: usize = 6;
/// The first nodes after the cells are the two edges.
const EDGES: usize = 2;
const NONE: u16 = u16::MAX;
/// Marks of full connections: whether the AND rule was applied to it and all others of which this was true before.
const NEW: u16 = 0;
const COMBINED: u16 = 1;

/// What joins two ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Pair<const W: usize> {
    pub(super) fulls: Connections<W>,
    pub(super) semis: Connections<W>,
}

/// One search at a time; its memory is used again. Nodes are the cells by number, then the two edges, then the other chains.
#[derive(Debug, Default)]
pub(super) struct Search<const W: usize> {
    points: usize,
    /// Number of nodes.
    pub(super) nodes: usize,
    /// For each two nodes, the smaller number first.
    pub(super) pairs: Vec<Pair<W>>,
    /// Pairs that are not empty.
    used: Vec<u32>,
    /// Bits of a row of the next two.
    words: usize,
    /// Nodes that each node has a full connection to, and those to which it needs no cells.
    reach: Vec<u64>,
    adjacent: Vec<u64>,
    /// Connections that have not been combined yet: nodes and carrier.
    new_fulls: VecDeque<(u16, u16, Cells<W>)>,
    new_semis: VecDeque<(u16, u16, Cells<W>)>,
    found: Vec<Cells<W>>,
}

/// The names in the position of the two edges of `side` and of its other chains, in the order of their nodes.
pub(super) fn chains(position: &Position, side: Side) -> Vec<u16> {
    let (one, other) = position.edges(side);
    let mut chains = vec![position.chain(one), position.chain(other)];
    // A chain has the name of one of its own places.
    let own = (0..position.places() as u16).filter(|&place| position.side_at(place) == Some(side));
    let edges = [chains[0], chains[1]];
    chains.extend(own.filter(|&place| position.chain(place) == place && !edges.contains(&place)));
    chains
}

impl<const W: usize> Search<W> {
    /// Runs to the end and keeps what it says of the edges.
    pub(super) fn run(&mut self, position: &Position, side: Side, any_threat: bool) -> Edges {
        self.begin(position, side);
        self.complete(any_threat);
        let Pair { fulls, semis } = &self.pairs[self.pair(self.points, self.points + 1)];
        Edges {
            joined: fulls.first().map(|full| full.carrier.widen()),
            links: self.links(),
            threats: semis
                .iter()
                .map(|semi| (usize::from(semi.mark), semi.carrier.widen()))
                .collect::<Vec<(usize, CellSet)>>(),
        }
    }

    /// The neighbourhoods.
    pub(super) fn begin(&mut self, position: &Position, side: Side) {
        let points = position.points();
        let chains = chains(position, side);
        let mut node_at = vec![NONE; position.places()];
        for (number, &name) in chains.iter().enumerate() {
            node_at[usize::from(name)] = (points + number) as u16;
        }
        for place in 0..position.places() as u16 {
            match position.side_at(place) {
                Some(owner) if owner == side => {
                    node_at[usize::from(place)] = node_at[usize::from(position.chain(place))];
                }
                None => node_at[usize::from(place)] = position.number(place) as u16,
                _ => {}
            }
        }
        for pair in self.used.drain(..) {
            let Pair { fulls, semis } = &mut self.pairs[pair as usize];
            fulls.clear();
            semis.clear();
        }
        self.new_fulls.clear();
        self.new_semis.clear();
        self.points = points;
        self.nodes = points + chains.len();
        self.words = self.nodes.div_ceil(64).max(W);
        if self.pairs.len() < self.nodes * self.nodes {
            self.pairs.resize_with(self.nodes * self.nodes, Pair::default);
        }
        for bits in [&mut self.reach, &mut self.adjacent] {
            bits.clear();
            bits.resize(self.nodes * self.words, 0);
        }
        for cell in 0..points {
            let place = position.place(cell);
            if position.side_at(place).is_some() {
                continue;
            }
            for n in position.neighbours(place) {
                let node = node_at[usize::from(n)];
                if node != NONE {
                    self.add_full(cell, usize::from(node), Cells::default());
                }
            }
        }
    }

    /// Pairs of nodes that are fully connected.
    fn links(&self) -> Links {
        let mut links = Links::new(self.points, self.nodes);
        for node in 0..self.nodes {
            let row = &self.reach[node * self.words..(node + 1) * self.words];
            ones(row).filter(|&other| node < other).for_each(|other| links.add(node, other));
        }
        links
    }

    /// Index of the pair of two nodes.
    #[inline]
    pub(super) fn pair(&self, a: usize, b: usize) -> usize {
        a.min(b) * self.nodes + a.max(b)
    }

    /// Combines until nothing new comes up, the edges are joined, or, with `any_threat`, nearly so.
    pub(super) fn complete(&mut self, any_threat: bool) {
        let goal = self.pair(self.points, self.points + 1);
        loop {
            let edges = &self.pairs[goal];
            if !edges.fulls.is_empty() || any_threat && !edges.semis.is_empty() {
                return;
            }
            if let Some((a, b, carrier)) = self.new_fulls.pop_front() {
                let (a, b) = (usize::from(a), usize::from(b));
                let pair = self.pair(a, b);
                if self.pairs[pair].fulls.mark(&carrier, COMBINED) {
                    self.and_rule(a, b, carrier);
                    self.and_rule(b, a, carrier);
                }
            } else if let Some((a, b, carrier)) = self.new_semis.pop_front() {
                let (a, b) = (usize::from(a), usize::from(b));
                if self.pairs[self.pair(a, b)].semis.iter().any(|semi| semi.carrier == carrier) {
                    self.or_rule(a, b, carrier);
                }
            } else {
                return;
            }
        }
    }

    /// The AND rule for a full connection of `from` and `middle`, and all of `middle` and any other node.
    fn and_rule(&mut self, from: usize, middle: usize, carrier: Cells<W>) {
        let empty = middle < self.points;
        if !empty && middle - self.points < EDGES {
            return;
        }
        // What the second connection must not use, and nodes that it must not lead to.
        let blocked = if from < self.points { carrier.with(from) } else { carrier };
        for word in 0..self.words {
            // Neighbours need no other connection.
            let mut ends = self.reach[middle * self.words + word] & !self.adjacent[from * self.words + word];
            ends &= !blocked.word(word);
            while ends != 0 {
                let to = word * 64 + ends.trailing_zeros() as usize;
                ends &= ends - 1;
                if to == from {
                    continue;
                }
                // All that can come of it has the carrier within.
                if self.pairs[self.pair(from, to)].fulls.any_within(&carrier) {
                    continue;
                }
                let second = self.pair(middle, to);
                for number in 0..self.pairs[second].fulls.len() {
                    let Connection { carrier: other, mark, .. } = self.pairs[second].fulls[number];
                    if mark == COMBINED && other.disjoint(&blocked) {
                        if empty {
                            self.add_semi(from, to, middle, carrier.or(other).with(middle));
                        } else {
                            self.add_full(from, to, carrier.or(other));
                        }
                    }
                }
            }
        }
    }

    fn add_full(&mut self, a: usize, b: usize, carrier: Cells<W>) {
        let pair = self.pair(a, b);
        let Pair { fulls, semis } = &mut self.pairs[pair];
        let (first, nothing) = (fulls.is_empty(), semis.is_empty());
        if !fulls.add(carrier, NEW, FULLS) {
            return;
        }
        semis.drop_from(0, &carrier);
        if first {
            if nothing {
                self.used.push(pair as u32);
            }
            self.reach[a * self.words + b / 64] |= 1 << (b % 64);
            self.reach[b * self.words + a / 64] |= 1 << (a % 64);
        }
        if carrier.is_empty() {
            self.adjacent[a * self.words + b / 64] |= 1 << (b % 64);
            self.adjacent[b * self.words + a / 64] |= 1 << (a % 64);
        }
        self.new_fulls.push_back((a as u16, b as u16, carrier));
    }

    fn add_semi(&mut self, a: usize, b: usize, key: usize, carrier: Cells<W>) {
        let pair = self.pair(a, b);
        let Pair { fulls, semis } = &mut self.pairs[pair];
        if fulls.any_within(&carrier) {
            return;
        }
        let nothing = fulls.is_empty() && semis.is_empty();
        if semis.add(carrier, key as u16, SEMIS) {
            if nothing {
                self.used.push(pair as u32);
            }
            self.new_semis.push_back((a as u16, b as u16, carrier));
        }
    }

    /// The OR rule for one semi connection and the others of its pair.
    fn or_rule(&mut self, a: usize, b: usize, carrier: Cells<W>) {
        let Pair { fulls, semis } = &self.pairs[self.pair(a, b)];
        if !semis.iter().fold(carrier, |common, semi| common.and(semi.carrier)).is_empty() {
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        unions(semis, fulls, carrier, carrier, OR_DEPTH - 1, &mut found);
        for &union in &found {
            self.add_full(a, b, union);
        }
        self.found = found;
    }
}

/// The numbers of the bits that are set.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words
        .iter()
        .enumerate()
        .flat_map(|(word, &bits)| (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| word * 64 + bit))
}
