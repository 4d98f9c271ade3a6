//! Virtual connections: what a side can join whatever the opponent does, and within which cells (H-search, Anshelevich
//! 2002, in the form of Arneson, Hayward and Henderson's programs).
//!
//! A *full* connection between two ends holds although the opponent moves first within its carrier, a *semi*
//! connection if its owner moves first. Adjacent ends have a full one with an empty carrier; two rules make the rest:
//!
//! * AND: two full connections with disjoint carriers that meet in a stone make a full one of their outer ends; if
//!   they meet in an empty cell, a semi connection, whose key is that cell.
//! * OR: semi connections of the same ends with no cell common to all of them make a full one.
//!
//! Shapes in front of an edge that these rules do not join come from a table (`templates.txt`).
//!
//! A position with a few stones more than one that was searched before goes on from what was found there: a stone of the
//! opponent only breaks connections, an own one shortens those that it lies in and joins chains.

mod carriers;
mod cells;
mod chart;
mod distance;
mod enclosed;
mod findings;
mod hsearch;
mod links;
mod templates;
mod web;

use std::cell::RefCell;

use self::hsearch::Search;
use self::web::Web;
use super::board::Board;
use crate::game::Side;

pub(super) use cells::{CellZone, Cells, with_words};
pub(super) use chart::chart;
pub use chart::{Chart, ConnectionEnd, Strength, VirtualConnection};
pub(crate) use distance::distance;
pub(super) use findings::Findings;
pub(crate) use links::Links;

/// Known connections of a side between its edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges<const W: usize> {
    /// Carrier of a full connection: the side wins, also if the opponent moves.
    pub(crate) joined: Option<Cells<W>>,
    /// Key and carrier, key included, of semi connections: the side wins if it moves.
    pub(crate) threats: Vec<(usize, Cells<W>)>,
}

/// End of a search before nothing new is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// The edges are joined.
    Joined,
    /// They are, or there is a threat to.
    Threat,
}

impl<const W: usize> Edges<W> {
    /// The cells common to all threats, in which the opponent has to move; `None` if there is no threat.
    pub(crate) fn must_play(&self) -> Option<Cells<W>> {
        self.threats.iter().map(|threat| threat.1).reduce(Cells::and)
    }
}

/// Searches for connections between the edges of `side`. Sets of `W` words must be able to hold all cells of the board.
pub(crate) fn edges<const W: usize>(findings: &Findings, board: &Board, side: Side, until: Until) -> Edges<W> {
    SEARCHES.with_borrow_mut(|searches| match board.size().points() {
        0..=64 => searches.0.run(&findings.0, board, side, until),
        65..=128 => searches.1.run(&findings.1, board, side, until),
        129..=192 => searches.2.run(&findings.2, board, side, until),
        193..=256 => searches.3.run(&findings.3, board, side, until),
        257..=384 => searches.4.run(&findings.4, board, side, until),
        _ => searches.5.run(&findings.5, board, side, until),
    })
}

/// Finds of a search for connections beside those between the edges.
#[derive(Debug)]
pub(crate) struct Beside<const W: usize> {
    /// Everything that is fully connected.
    pub(crate) links: Links,
    /// Cells that the side can be given.
    pub(crate) enclosed: Option<Cells<W>>,
}

/// Searches as [`edges`] does, and also says what is linked and enclosed.
pub(crate) fn linked_edges<const W: usize>(
    findings: &Findings,
    board: &Board,
    side: Side,
    until: Until,
) -> (Edges<W>, Beside<W>) {
    fn beside<const V: usize, const W: usize>(web: &Web<V>, board: &Board) -> Beside<W> {
        Beside { links: web.links(), enclosed: web.enclosed(board).map(|cells| cells.widen()) }
    }
    let edges = edges(findings, board, side, until);
    let beside = SEARCHES.with_borrow(|searches| match board.size().points() {
        0..=64 => beside(&searches.0.web, board),
        65..=128 => beside(&searches.1.web, board),
        129..=192 => beside(&searches.2.web, board),
        193..=256 => beside(&searches.3.web, board),
        257..=384 => beside(&searches.4.web, board),
        _ => beside(&searches.5.web, board),
    });
    (edges, beside)
}

thread_local! {
    /// The memory of searches on boards of so many times 64 cells.
    static SEARCHES: RefCell<(Search<1>, Search<2>, Search<3>, Search<4>, Search<6>, Search<16>)> = RefCell::default();
}

#[cfg(test)]
mod tests;
