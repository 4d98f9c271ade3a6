//! The search itself: a queue of new connections, each combined with what is there by the AND and the OR rule.

use std::collections::VecDeque;

use super::cells::Cells;
use super::{CellSet, Edges, Links};
use crate::game::{Game, Side};
use crate::games::hex::position::Position;

/// Most connections that are kept for one pair of nodes, the smallest first.
const FULLS: usize = 8;
const SEMIS: usize = 20;
/// Most semi connections that the OR rule puts together.
const OR_DEPTH: usize = 4;
/// The first nodes after the cells are the two edges.
const EDGES: usize = 2;
const NONE: u16 = u16::MAX;

/// A semi connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Semi<const W: usize> {
    pub(super) key: u16,
    /// The key included.
    pub(super) carrier: Cells<W>,
}

/// A full connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Full<const W: usize> {
    pub(super) carrier: Cells<W>,
    /// Whether the AND rule was applied to it and all others of which this was true before.
    combined: bool,
}

/// What joins two ends; the ends are not in the carriers.
#[derive(Clone, Debug)]
pub(super) struct Pair<const W: usize> {
    pub(super) fulls: Vec<Full<W>>,
    pub(super) semis: Vec<Semi<W>>,
}

/// One search. Nodes are the cells by number, then the two edges, then the other chains.
pub(super) struct Search<const W: usize> {
    points: usize,
    /// Number of nodes.
    pub(super) nodes: usize,
    /// For each two nodes, the smaller number first.
    pub(super) pairs: Vec<Pair<W>>,
    /// Nodes that each node has a full connection to.
    reach: Vec<Vec<u16>>,
    /// Connections that have not been combined yet: nodes and carrier.
    new_fulls: VecDeque<(u16, u16, Cells<W>)>,
    new_semis: VecDeque<(u16, u16, Cells<W>)>,
    found: Vec<Cells<W>>,
}

/// The names in the position of the two edges of `side` and of its other chains, in the order of their nodes.
pub(super) fn chains(position: &Position, side: Side) -> Vec<u16> {
    let (one, other) = position.edges(side);
    let mut chains = vec![position.chain(one), position.chain(other)];
    for place in (0..position.places() as u16).filter(|&place| position.side_at(place) == Some(side)) {
        let name = position.chain(place);
        if !chains.contains(&name) {
            chains.push(name);
        }
    }
    chains
}

/// Runs a search to its end and keeps what it says of the edges.
pub(super) fn run<const W: usize>(position: &Position, side: Side, any_threat: bool) -> Edges {
    let mut search = Search::<W>::new(position, side);
    search.complete(any_threat);
    let pair = &search.pairs[search.pair(search.points, search.points + 1)];
    Edges {
        joined: pair.fulls.first().map(|full| full.carrier.widen()),
        links: search.links(),
        threats: pair.semis.iter().map(|s| (usize::from(s.key), s.carrier.widen())).collect::<Vec<(usize, CellSet)>>(),
    }
}

impl<const W: usize> Search<W> {
    /// The neighbourhoods.
    pub(super) fn new(position: &Position, side: Side) -> Self {
        let points = position.points();
        let chains = chains(position, side);
        let mut node_at = vec![NONE; position.places()];
        for place in 0..position.places() as u16 {
            match position.side_at(place) {
                Some(owner) if owner == side => {
                    let name = position.chain(place);
                    let number = chains.iter().position(|&n| n == name).unwrap_or_default();
                    node_at[usize::from(place)] = (points + number) as u16;
                }
                None => node_at[usize::from(place)] = position.number(place) as u16,
                _ => {}
            }
        }
        let nodes = points + chains.len();
        let mut search = Self {
            points,
            nodes,
            pairs: vec![Pair { fulls: Vec::new(), semis: Vec::new() }; nodes * nodes],
            reach: vec![Vec::new(); nodes],
            new_fulls: VecDeque::new(),
            new_semis: VecDeque::new(),
            found: Vec::new(),
        };
        for cell in 0..points {
            let place = position.place(cell);
            if position.side_at(place).is_some() {
                continue;
            }
            for n in position.neighbours(place) {
                let node = node_at[usize::from(n)];
                if node != NONE {
                    search.add_full(cell, usize::from(node), Cells::default());
                }
            }
        }
        search
    }

    /// Pairs of nodes that are fully connected.
    fn links(&self) -> Links {
        let mut links = Links::new(self.points, self.nodes);
        for (node, reach) in self.reach.iter().enumerate() {
            for &other in reach.iter().filter(|&&other| node < usize::from(other)) {
                links.add(node, usize::from(other));
            }
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
                if let Some(full) = self.pairs[pair].fulls.iter_mut().find(|full| full.carrier == carrier) {
                    full.combined = true;
                    self.and_rule(a, b, carrier);
                    self.and_rule(b, a, carrier);
                }
            } else if let Some((a, b, carrier)) = self.new_semis.pop_front() {
                let (a, b) = (usize::from(a), usize::from(b));
                if self.pairs[self.pair(a, b)].semis.iter().any(|s| s.carrier == carrier) {
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
        for number in 0..self.reach[middle].len() {
            let to = usize::from(self.reach[middle][number]);
            if to == from || to < self.points && carrier.has(to) {
                continue;
            }
            let pair = self.pair(middle, to);
            // Neighbours need no other connection.
            if self.pairs[self.pair(from, to)].fulls.first().is_some_and(|full| full.carrier.is_empty()) {
                continue;
            }
            for number in 0..self.pairs[pair].fulls.len() {
                let Full { carrier: second, combined } = self.pairs[pair].fulls[number];
                if combined && carrier.disjoint(&second) && (from >= self.points || !second.has(from)) {
                    if empty {
                        self.add_semi(from, to, middle, carrier.or(second).with(middle));
                    } else {
                        self.add_full(from, to, carrier.or(second));
                    }
                }
            }
        }
    }

    fn add_full(&mut self, a: usize, b: usize, carrier: Cells<W>) {
        let pair = self.pair(a, b);
        let Pair { fulls, semis } = &mut self.pairs[pair];
        if fulls.iter().any(|full| full.carrier.within(&carrier)) {
            return;
        }
        if fulls.is_empty() {
            self.reach[a].push(b as u16);
            self.reach[b].push(a as u16);
        }
        fulls.retain(|full| !carrier.within(&full.carrier));
        semis.retain(|semi| !carrier.within(&semi.carrier));
        let full = Full { carrier, combined: false };
        if keep(fulls, full, FULLS, |full| full.carrier.len()) {
            self.new_fulls.push_back((a as u16, b as u16, carrier));
        }
    }

    fn add_semi(&mut self, a: usize, b: usize, key: usize, carrier: Cells<W>) {
        let pair = self.pair(a, b);
        let Pair { fulls, semis } = &mut self.pairs[pair];
        if fulls.iter().any(|full| full.carrier.within(&carrier))
            || semis.iter().any(|semi| semi.carrier.within(&carrier))
        {
            return;
        }
        semis.retain(|semi| !carrier.within(&semi.carrier));
        if keep(semis, Semi { key: key as u16, carrier }, SEMIS, |semi| semi.carrier.len()) {
            self.new_semis.push_back((a as u16, b as u16, carrier));
        }
    }

    /// The OR rule for one semi connection and the others of its pair.
    fn or_rule(&mut self, a: usize, b: usize, carrier: Cells<W>) {
        let semis = &self.pairs[self.pair(a, b)].semis;
        if !semis.iter().fold(carrier, |common, semi| common.and(semi.carrier)).is_empty() {
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        unions(semis, carrier, carrier, OR_DEPTH - 1, &mut found);
        for &union in &found {
            self.add_full(a, b, union);
        }
        self.found = found;
    }
}

/// Unions of semi connections, at most `depth` of them beside those in `union`, which have the cells `common` in common,
/// such that no cell is common to all.
fn unions<const W: usize>(
    semis: &[Semi<W>],
    common: Cells<W>,
    union: Cells<W>,
    depth: usize,
    found: &mut Vec<Cells<W>>,
) {
    for (number, semi) in semis.iter().enumerate() {
        let left = common.and(semi.carrier);
        if left == common {
            continue;
        }
        let union = union.or(semi.carrier);
        if left.is_empty() {
            found.push(union);
        } else if depth > 1 {
            unions(&semis[number + 1..], left, union, depth - 1, found);
        }
    }
}

/// Puts `item` into a list in order of size. Of more than `limit` the largest goes; says whether the new one stays.
fn keep<T>(list: &mut Vec<T>, item: T, limit: usize, size: impl Fn(&T) -> u32) -> bool {
    let place = list.partition_point(|other| size(other) <= size(&item));
    if place >= limit {
        return false;
    }
    list.insert(place, item);
    list.truncate(limit);
    true
}
