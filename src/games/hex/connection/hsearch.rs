//! The search itself: a queue of new connections, each combined with what is there by the AND and the OR rule.

use std::collections::VecDeque;

use super::carriers::{Connection, any_within, unions};
use super::cells::Cells;
use super::findings::WebCache;
use super::templates::Templates;
use super::web::{Change, Moved, Web, stones};
use super::{Edges, Until};
use crate::game::Side;
use crate::games::hex::board::Board;

/// Most semi connections that the OR rule puts together.
const OR_DEPTH: usize = 6;
/// Pairs of connections that a search looks at, at the most: on large boards with many stones there is no end of them.
const MOST_PAIRS: u64 = 1 << 21;
/// Bytes of connections that a search holds, at the most: each thread has a search, beside the memory of what is kept.
pub(super) const MOST_BYTES: usize = 16 << 20;
/// Bytes that a search of all connections holds, which somebody has asked for.
const MOST_BYTES_OF_ALL: usize = 128 << 20;
/// Marks of full connections: whether the AND rule was applied to it and all others of which this was true before.
const NEW: u16 = 0;
const COMBINED: u16 = 1;

/// Which ends of a full connection the AND rule has still to be applied at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Both,
    Second,
}

/// One search at a time; its memory is used again.
#[derive(Debug, Default)]
pub(super) struct Search<const W: usize> {
    pub(super) web: Web<W>,
    pub(super) templates: Templates<W>,
    /// Connections that have not been combined yet: nodes and carrier.
    new_fulls: VecDeque<(u16, u16, Cells<W>, At)>,
    new_semis: VecDeque<(u16, u16, Cells<W>)>,
    found: Vec<Cells<W>>,
    moved: Vec<Moved<W>>,
    /// Pairs of connections that were looked at.
    pub(super) pairs: u64,
}

impl<const W: usize> Search<W> {
    /// Runs to the end, from what is kept of the position with the fewest stones less if there is one, and keeps what it
    /// found.
    pub(super) fn run<const V: usize>(
        &mut self,
        kept: &WebCache<W>,
        board: &Board,
        side: Side,
        until: Until,
    ) -> Edges<V> {
        let size = board.size();
        let now = stones(board, side);
        let nearest = kept.nearest(size, side, now);
        let is_kept = nearest.as_ref().is_some_and(|web| web.stones() == now);
        match nearest {
            Some(web) => {
                self.web.unpack(&web);
                self.advance(board, side);
            }
            None => self.begin(board, side),
        }
        self.complete(until);
        let edges: Edges<V> = self.edges();
        if !is_kept && edges.joined.is_none() && self.new_fulls.is_empty() && self.new_semis.is_empty() {
            kept.keep(size, side, &self.web);
        }
        edges
    }

    /// The connections found between the edges.
    pub(super) fn edges<const V: usize>(&self) -> Edges<V> {
        let (one, other) = self.web.goal();
        Edges {
            joined: self.web.fulls(one, other).first().map(|full| full.carrier.widen()),
            threats: self
                .web
                .semis(one, other)
                .iter()
                .map(|semi| (usize::from(semi.mark), semi.carrier.widen()))
                .collect(),
        }
    }

    /// The neighbourhoods, and what is joined to an edge at sight.
    pub(super) fn begin(&mut self, board: &Board, side: Side) {
        self.new_fulls.clear();
        self.new_semis.clear();
        self.web.begin(board, side);
        for cell in (0..board.points()).filter(|&cell| board.stone(cell).is_none()) {
            for place in board.neighbours(board.place(cell)) {
                if let Some(node) = self.web.node(place) {
                    self.add_full(cell, node, Cells::default(), At::Both);
                }
            }
        }
        self.add_templates(board, side, None);
    }

    /// Adds the connections of the table that are there, or only those that rest on new stones.
    fn add_templates(&mut self, board: &Board, side: Side, gained: Option<&Cells<W>>) {
        let (own, theirs) = self.web.stones();
        let mut templates = std::mem::take(&mut self.templates);
        for template in templates.of(board, side).iter().filter(|one| gained.is_none_or(|new| one.rests_on(new))) {
            let Some(carrier) = template.carrier(&own, &theirs) else { continue };
            let end = self.web.node(board.place(template.end)).filter(|&end| !self.web.is_edge(end));
            if let Some(end) = end {
                self.add_full(end, template.edge, carrier, At::Both);
            }
        }
        self.templates = templates;
    }

    /// Goes on from an earlier board, whose search was complete, to one with more stones.
    pub(super) fn advance(&mut self, board: &Board, side: Side) {
        self.new_fulls.clear();
        self.new_semis.clear();
        let (own, theirs) = stones(board, side);
        let before = self.web.stones();
        debug_assert!(before.0.within(&own) && before.1.within(&theirs));
        let (gained, lost) = (own.minus(before.0), theirs.minus(before.1));
        if !lost.is_empty() {
            self.web.lose(lost, board);
        }
        for cell in (0..board.points()).filter(|&cell| gained.has(cell)) {
            self.gain(cell, board);
        }
        if !gained.is_empty() {
            self.add_templates(board, side, Some(&gained));
        }
    }

    fn gain(&mut self, cell: usize, board: &Board) {
        let mut moved = std::mem::take(&mut self.moved);
        moved.clear();
        self.web.gain(cell, board, &mut moved);
        for &Moved { ends: (a, b), connection: Connection { carrier, mark, .. }, change } in &moved {
            match change {
                Change::Semi => self.add_semi(a, b, usize::from(mark), carrier),
                // Nothing goes on from an edge.
                Change::Joined if mark == COMBINED && self.web.is_edge(b) => {
                    self.web.add_full(a, b, carrier, COMBINED);
                }
                Change::Joined if mark == COMBINED => self.add_full(a, b, carrier, At::Second),
                Change::Joined | Change::Full => self.add_full(a, b, carrier, At::Both),
            }
        }
        self.moved = moved;
    }

    /// Combines until nothing new comes up, the edges are joined, or as far as wanted.
    pub(super) fn complete(&mut self, until: Until) {
        let goal = self.web.goal();
        self.pairs = 0;
        loop {
            let joined = !self.web.fulls(goal.0, goal.1).is_empty();
            if joined
                || self.pairs > MOST_PAIRS
                || self.held() > MOST_BYTES
                || until == Until::Threat && !self.web.semis(goal.0, goal.1).is_empty()
                || !self.step()
            {
                return;
            }
        }
    }

    /// Combines until nothing new comes up, beyond a win of the edges too; `false` if it is halted before, or holds too much.
    pub(super) fn exhaust(&mut self, halted: &dyn Fn() -> bool) -> bool {
        while !halted() && self.held() <= MOST_BYTES_OF_ALL {
            if !self.step() {
                return true;
            }
        }
        false
    }

    /// Bytes of connections, those that are still to be combined among them.
    fn held(&self) -> usize {
        let (fulls, semis) = (self.new_fulls.as_slices(), self.new_semis.as_slices());
        self.web.held() + size_of_val(fulls.0) + size_of_val(fulls.1) + size_of_val(semis.0) + size_of_val(semis.1)
    }

    /// Combines one new connection with the others; `false` if there is none.
    fn step(&mut self) -> bool {
        if let Some((a, b, carrier, at)) = self.new_fulls.pop_front() {
            let (a, b) = (usize::from(a), usize::from(b));
            if self.web.mark(a, b, &carrier, COMBINED) {
                self.and_rule(a, b, carrier);
                if at == At::Both {
                    self.and_rule(b, a, carrier);
                }
            }
            return true;
        }
        let Some((a, b, carrier)) = self.new_semis.pop_front() else { return false };
        let (a, b) = (usize::from(a), usize::from(b));
        if self.web.semis(a, b).iter().any(|semi| semi.carrier == carrier) {
            self.or_rule(a, b, carrier);
        }
        true
    }

    /// The AND rule for a full connection of `from` and `middle`, and all of `middle` and any other node.
    fn and_rule(&mut self, from: usize, middle: usize, carrier: Cells<W>) {
        if self.web.is_edge(middle) {
            return;
        }
        let empty = self.web.is_empty_cell(middle);
        // What the second connection must not use, and nodes that it must not lead to.
        let blocked = if self.web.is_empty_cell(from) { carrier.with(from) } else { carrier };
        for word in 0..self.web.words() {
            // Neighbours need no other connection.
            let mut ends = self.web.ends(middle, from, word) & !blocked.word(word);
            while ends != 0 {
                let to = word * 64 + ends.trailing_zeros() as usize;
                ends &= ends - 1;
                // All that can come of it has the carrier within.
                if to == from || any_within(self.web.fulls(from, to), &carrier) {
                    continue;
                }
                self.pairs += self.web.fulls(middle, to).len() as u64;
                for number in 0..self.web.fulls(middle, to).len() {
                    let Connection { carrier: other, mark, .. } = self.web.fulls(middle, to)[number];
                    if mark == COMBINED && other.disjoint(&blocked) {
                        if empty {
                            self.add_semi(from, to, middle, carrier.or(other).with(middle));
                        } else {
                            self.add_full(from, to, carrier.or(other), At::Both);
                        }
                    }
                }
            }
        }
    }

    fn add_full(&mut self, a: usize, b: usize, carrier: Cells<W>, at: At) {
        if self.web.add_full(a, b, carrier, NEW) {
            self.new_fulls.push_back((a as u16, b as u16, carrier, at));
        }
    }

    fn add_semi(&mut self, a: usize, b: usize, key: usize, carrier: Cells<W>) {
        if self.web.add_semi(a, b, key as u16, carrier) {
            self.new_semis.push_back((a as u16, b as u16, carrier));
        }
    }

    /// The OR rule for one semi connection and the others of its pair.
    fn or_rule(&mut self, a: usize, b: usize, carrier: Cells<W>) {
        let semis = self.web.semis(a, b);
        self.pairs += semis.len() as u64;
        if !semis.iter().fold(carrier, |common, semi| common.and(semi.carrier)).is_empty() {
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        unions(semis, self.web.fulls(a, b), carrier, carrier, OR_DEPTH - 1, &mut found);
        for &union in &found {
            self.add_full(a, b, union, At::Both);
        }
        self.found = found;
    }
}
