//! All connections of a side in one position, to be looked at: what a search ends at, it goes on beyond here.

use super::Edges;
use super::cells::{Cells, with_words};
use super::hsearch::Search;
use super::links::Links;
use crate::game::Side;
use crate::games::hex::board::Board;

/// End of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConnectionEnd {
    /// An empty cell, or the chain of the stone there.
    Cell(usize),
    /// The upper edge of `First`, the left one of `Second`.
    FirstEdge,
    /// The lower edge, or the right one.
    LastEdge,
}

/// Strength of a connection: who has to move first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Connected whoever moves first.
    Full,
    /// Connected if the owner moves first.
    Semi,
}

/// A connection between two ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualConnection {
    /// Cells that it needs, in ascending order, with the key.
    pub carrier: Vec<usize>,
    /// The cell that its owner has to play in, of a semi connection.
    pub key: Option<usize>,
}

/// The connections of a side.
pub trait Chart {
    /// The connections of two ends, the smallest first; `None` if one of them is not the side's.
    fn between(&self, strength: Strength, ends: [ConnectionEnd; 2]) -> Option<Vec<VirtualConnection>>;

    /// The ends that have a connection with this one, chains by one of their cells; `None` if it is not the side's.
    fn connected(&self, strength: Strength, end: ConnectionEnd) -> Option<Vec<ConnectionEnd>>;

    /// For each cell its share of the power when a voltage lies between the edges, in 0..=1.
    fn powers(&self) -> Vec<f32>;

    /// Whether the edges are joined whoever moves.
    fn joined(&self) -> bool;

    /// The cells in which the opponent has to move, common to all threats to join the edges; `None` if there is no threat.
    fn must_play(&self) -> Option<Vec<usize>>;
}

/// Searches for all connections of `side`; `None` if it is halted before they are found.
pub(crate) fn chart(board: &Board, side: Side, halted: &dyn Fn() -> bool) -> Option<Box<dyn Chart>> {
    with_words!(board.points(), W => {
        let mut search = Search::<W>::default();
        search.begin(board, side);
        search.exhaust(halted).then(|| Box::new(Charted { board: board.clone(), search }) as Box<dyn Chart>)
    })
}

struct Charted<const W: usize> {
    board: Board,
    search: Search<W>,
}

impl<const W: usize> Charted<W> {
    fn node(&self, end: ConnectionEnd) -> Option<usize> {
        let (first, last) = self.search.web.goal();
        match end {
            ConnectionEnd::Cell(cell) => self.search.web.node(self.board.place(cell)),
            ConnectionEnd::FirstEdge => Some(first),
            ConnectionEnd::LastEdge => Some(last),
        }
    }

    fn end(&self, node: usize) -> ConnectionEnd {
        match self.search.web.goal() {
            (first, _) if node == first => ConnectionEnd::FirstEdge,
            (_, last) if node == last => ConnectionEnd::LastEdge,
            _ => ConnectionEnd::Cell(node),
        }
    }

    /// Numbers of the cells in a set.
    fn numbers(&self, cells: Cells<W>) -> Vec<usize> {
        (0..self.board.points()).filter(|&cell| cells.has(cell)).collect()
    }
}

impl<const W: usize> Chart for Charted<W> {
    fn between(&self, strength: Strength, ends: [ConnectionEnd; 2]) -> Option<Vec<VirtualConnection>> {
        let (one, other) = (self.node(ends[0])?, self.node(ends[1])?);
        if one == other {
            return Some(Vec::new());
        }
        let web = &self.search.web;
        let (found, semi) = match strength {
            Strength::Full => (web.fulls(one, other), false),
            Strength::Semi => (web.semis(one, other), true),
        };
        let shown = found.iter().map(|connection| VirtualConnection {
            carrier: self.numbers(connection.carrier),
            key: semi.then_some(usize::from(connection.mark)),
        });
        Some(shown.collect())
    }

    fn connected(&self, strength: Strength, end: ConnectionEnd) -> Option<Vec<ConnectionEnd>> {
        let (web, from) = (&self.search.web, self.node(end)?);
        let has = |&node: &usize| {
            node != from
                && match strength {
                    Strength::Full => !web.fulls(from, node).is_empty(),
                    Strength::Semi => !web.semis(from, node).is_empty(),
                }
        };
        Some((0..web.nodes()).filter(has).map(|node| self.end(node)).collect())
    }

    fn powers(&self) -> Vec<f32> {
        Links::powers(&self.search.web.links())
    }

    fn joined(&self) -> bool {
        let (first, last) = self.search.web.goal();
        !self.search.web.fulls(first, last).is_empty()
    }

    fn must_play(&self) -> Option<Vec<usize>> {
        let edges: Edges<W> = self.search.edges();
        edges.must_play().map(|cells| self.numbers(cells))
    }
}
