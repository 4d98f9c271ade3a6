//! Bridges and ziggurats: what joins chains and edges although the opponent moves first.

use super::board::{Board, Cell, MOST_LINES};
use crate::game::Side;

impl Board {
    /// Whether the lines that a side has stones in let [`Self::bridge_chains`] join its edges: a bridge leaves out one line, a
    /// ziggurat the two at an edge.
    pub(super) fn may_be_bridged(&self, side: Side) -> bool {
        self.may_be_bridged_with(side, 0)
    }

    /// As [`Self::may_be_bridged`], with stones in `more` lines, a bit for each.
    pub(super) fn may_be_bridged_with(&self, side: Side, more: u32) -> bool {
        let lines = if side == Side::First { self.size().height } else { self.size().width };
        let empty = !(self.crossed(side) | more) & (u32::MAX >> (32 - lines));
        let at_edges = 1 | 1 << lines.saturating_sub(2);
        empty & (empty >> 1) & !at_edges == 0
    }

    /// Joins the chains of `side` by bridges, and to the edges by ziggurats, none of which share a cell. `roots[place]`
    /// becomes the name of the joined chain at each stone and edge of that side, and the place's own number elsewhere.
    ///
    /// Says whether the two edges are joined: then the opponent cannot keep them apart, since each intrusion is
    /// answered within the same bridge or ziggurat.
    pub(crate) fn bridge_chains(&self, side: Side, roots: &mut Vec<Cell>) -> bool {
        self.bridge(side, true, roots)
    }

    /// As [`Self::bridge_chains`]; if they are not `disjoint`, bridges and ziggurats may share cells.
    pub(super) fn bridge(&self, side: Side, disjoint: bool, roots: &mut Vec<Cell>) -> bool {
        roots.clear();
        roots.extend(
            (0..self.places() as Cell).map(
                |cell| {
                    if self.side_at(cell) == Some(side) { self.chain(cell) } else { cell }
                },
            ),
        );
        let mut used: PlaceSet = NO_PLACES;
        // A bridge leads from a stone over a pair of empty cells side by side to a stone or edge beyond both.
        for cell in (self.stride() + 1..self.places() - self.stride() - 1).map(|cell| cell as Cell) {
            if self.side_at(cell) != Some(side) {
                continue;
            }
            let around = self.neighbours(cell);
            for k in 0..6 {
                let (a, b) = (around[k], around[(k + 1) % 6]);
                if self.side_at(a).is_some() || self.side_at(b).is_some() {
                    continue;
                }
                // Beyond both: the other neighbour that two cells side by side have in common.
                let beyond = a + b - cell;
                if self.side_at(beyond) != Some(side) || taken(&used, a) || taken(&used, b) {
                    continue;
                }
                let (x, y) = (root(roots, cell), root(roots, beyond));
                if x != y {
                    roots[usize::from(x)] = y;
                    if disjoint {
                        take(&mut used, a);
                        take(&mut used, b);
                    }
                }
            }
        }
        self.join_to_edges(side, disjoint, roots, &mut used);
        for cell in 0..roots.len() as Cell {
            roots[usize::from(cell)] = root(roots, cell);
        }
        let (one, other) = self.edges(side);
        roots[usize::from(one)] == roots[usize::from(other)]
    }

    /// Each edge of a side, the line (row or column) on which ziggurats towards it have their stones, and the steps down it:
    /// down and to the left, down, and along the line. `None` where the board has too few lines for any.
    fn slopes(&self, side: Side) -> Option<[(Cell, usize, [isize; 3]); 2]> {
        let s = self.stride() as isize;
        // Towards the bottom edge; the other edges by symmetry.
        let (steps, lines) = match side {
            Side::First => ([s - 1, s, 1], self.size().height),
            Side::Second => ([1 - s, 1, s], self.size().width),
        };
        let (one, other) = self.edges(side);
        (lines >= 3).then(|| [(one, 2, steps.map(|step| -step)), (other, lines - 3, steps)])
    }

    /// Joins stones on the third row to their edge where all cells of a ziggurat are empty and not used yet.
    fn join_to_edges(&self, side: Side, disjoint: bool, roots: &mut [Cell], used: &mut PlaceSet) {
        let along = if side == Side::First { self.size().width } else { self.size().height };
        for (edge, row, steps) in self.slopes(side).into_iter().flatten() {
            for at in 0..along {
                let (x, y) = if side == Side::First { (at, row) } else { (row, at) };
                let stone = self.place(self.size().index(x, y));
                let (a, b) = (root(roots, stone), root(roots, edge));
                if self.side_at(stone) != Some(side) || a == b {
                    continue;
                }
                if let Some(cells) = self.ziggurat(stone, steps, used) {
                    roots[usize::from(a)] = b;
                    if disjoint {
                        used.iter_mut().zip(cells).for_each(|(used, cells)| *used |= cells);
                    }
                }
            }
        }
    }

    /// Whether a stone of `side` in an empty cell would touch both edges, or what is joined to them by `roots`
    /// ([`Self::bridge`]), or reach them by a bridge or ziggurat of its own.
    pub(super) fn would_join(&self, cell: usize, side: Side, roots: &[Cell]) -> bool {
        let (place, (one, other)) = (self.place(cell), self.edges(side));
        let ends = [roots[usize::from(one)], roots[usize::from(other)]];
        let mut reached = [false; 2];
        let mut reach = |from: Cell| {
            if self.side_at(from) == Some(side) {
                reached.iter_mut().zip(ends).for_each(|(reached, end)| *reached |= roots[usize::from(from)] == end);
            }
        };
        let around = self.neighbours(place);
        for k in 0..6 {
            let (a, b) = (around[k], around[(k + 1) % 6]);
            reach(a);
            if self.side_at(a).is_none() && self.side_at(b).is_none() {
                reach(a + b - place);
            }
        }
        let line = self.line(cell, side);
        for (number, (_, row, steps)) in self.slopes(side).into_iter().flatten().enumerate() {
            reached[number] |= row == line && self.ziggurat(place, steps, &NO_PLACES).is_some();
        }
        reached == [true; 2]
    }

    /// The eight cells of a ziggurat below a stone on the third row, to either side, if all of them are free: whoever
    /// owns the stone joins it to the edge within them, also if the opponent begins there.
    fn ziggurat(&self, stone: Cell, [left, down, along]: [isize; 3], used: &PlaceSet) -> Option<PlaceSet> {
        let right = [along, left, down, down + along, 2 * left, left + down, 2 * down, 2 * down + along];
        let mirrored = [-along, left - along, left, down, 2 * left - along, 2 * left, left + down, 2 * down];
        [right, mirrored].into_iter().find_map(|shape| {
            let mut cells = NO_PLACES;
            for step in shape {
                // The cells of each row lie side by side, so that one beyond the border has the border before it.
                let cell = usize::from(stone).checked_add_signed(step).filter(|&c| c < self.places())? as Cell;
                if self.side_at(cell).is_some() || taken(used, cell) {
                    return None;
                }
                take(&mut cells, cell);
            }
            Some(cells)
        })
    }
}

/// A set of places.
type PlaceSet = [u64; ((MOST_LINES + 2) * (MOST_LINES + 2)).div_ceil(64)];
const NO_PLACES: PlaceSet = [0; ((MOST_LINES + 2) * (MOST_LINES + 2)).div_ceil(64)];

fn root(roots: &[Cell], mut cell: Cell) -> Cell {
    while roots[usize::from(cell)] != cell {
        cell = roots[usize::from(cell)];
    }
    cell
}

#[inline]
fn taken(used: &PlaceSet, cell: Cell) -> bool {
    used[usize::from(cell) / 64] >> (cell % 64) & 1 != 0
}

#[inline]
fn take(used: &mut PlaceSet, cell: Cell) {
    used[usize::from(cell) / 64] |= 1 << (cell % 64);
}
