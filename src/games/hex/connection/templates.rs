//! Connections to an edge that the rules do not make: shapes of own stones and empty cells in front of it, which were
//! found, and each proved, by a search that plays them out.

use std::ops::Range;

use super::cells::Cells;
use crate::game::Side;
use crate::games::Size;
use crate::games::hex::board::Board;

/// The shapes, each with its rows from the highest to that at the edge: `E` the end that is joined to the edge, `O` an own
/// stone, `+` a cell that has to be empty or own, `.` any. Rows lean as on the board.
const SHAPES: &str = include_str!("templates.txt");

/// Column along the edge and row above it. The cell above one is in the same column or the next.
pub(super) type Spot = (i32, i32);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    end: Spot,
    stones: Vec<Spot>,
    needed: Vec<Spot>,
}

impl Shape {
    /// The shapes of a text as [`SHAPES`].
    fn all(text: &str) -> Vec<Self> {
        text.split("\n\n").filter(|block| !block.trim().is_empty()).map(Self::read).collect()
    }

    fn read(block: &str) -> Self {
        let rows: Vec<&str> = block.lines().filter(|line| !line.trim().is_empty()).collect();
        let mut shape = Self { end: (0, 0), stones: Vec::new(), needed: Vec::new() };
        for (row, line) in rows.iter().rev().enumerate() {
            for (column, content) in line.split_whitespace().enumerate() {
                let spot = (column as i32, row as i32);
                match content {
                    "E" => shape.end = spot,
                    "O" => shape.stones.push(spot),
                    "+" => shape.needed.push(spot),
                    _ => {}
                }
            }
        }
        shape
    }

    /// Changes each of its cells.
    fn map(&self, to: impl Fn(Spot) -> Spot) -> Self {
        let all = |spots: &[Spot]| spots.iter().map(|&spot| to(spot)).collect();
        Self { end: to(self.end), stones: all(&self.stones), needed: all(&self.needed) }
    }

    fn mirrored(&self) -> Self {
        self.map(|(column, row)| (row - column, row))
    }

    fn moved(&self, by: i32) -> Self {
        self.map(|(column, row)| (column + by, row))
    }

    fn spots(&self) -> impl Iterator<Item = Spot> {
        self.stones.iter().chain(&self.needed).copied().chain([self.end])
    }

    /// Ways to move it for which it lies within so many columns.
    fn moves(&self, columns: usize) -> Range<i32> {
        let (first, last) = self.spots().fold((i32::MAX, i32::MIN), |(a, b), (c, _)| (a.min(c), b.max(c)));
        -first..columns as i32 - last
    }
}

/// A shape somewhere on a board.
#[derive(Debug)]
pub(super) struct Template<const W: usize> {
    /// The cell that is joined, and the node of the edge.
    pub(super) end: usize,
    pub(super) edge: usize,
    stones: Cells<W>,
    /// Cells that must not be the opponent's, the end among them.
    needed: Cells<W>,
}

impl<const W: usize> Template<W> {
    /// The carrier of the connection in a position with those stones, if the shape is there.
    pub(super) fn carrier(&self, own: &Cells<W>, theirs: &Cells<W>) -> Option<Cells<W>> {
        let there = self.stones.within(own) && self.needed.disjoint(theirs);
        there.then(|| self.needed.minus(*own).without(self.end))
    }

    /// Whether one of these stones is part of it.
    pub(super) fn rests_on(&self, stones: &Cells<W>) -> bool {
        !self.stones.disjoint(stones)
    }
}

/// All shapes at all places of a board, for each side.
#[derive(Debug, Default)]
pub(super) struct Templates<const W: usize> {
    size: Option<Size>,
    of: [Vec<Template<W>>; 2],
}

impl<const W: usize> Templates<W> {
    /// None on boards of that size.
    #[cfg(test)]
    pub(super) fn none(size: Size) -> Self {
        Self { size: Some(size), of: Default::default() }
    }

    /// All that a side has on boards of that size.
    pub(super) fn of(&mut self, board: &Board, side: Side) -> &[Template<W>] {
        if self.size != Some(board.size()) {
            let shapes = Shape::all(SHAPES);
            self.of = Side::BOTH.map(|side| placed(&shapes, board.size(), side));
            self.size = Some(board.size());
        }
        &self.of[side.index()]
    }
}

fn placed<const W: usize>(shapes: &[Shape], size: Size, side: Side) -> Vec<Template<W>> {
    let (columns, rows) = if side == Side::First { (size.width, size.height) } else { (size.height, size.width) };
    let mut placed = Vec::new();
    for shape in shapes.iter().filter(|shape| shape.spots().all(|(_, row)| row < rows as i32)) {
        for shape in [shape.clone(), shape.mirrored()] {
            for shape in shape.moves(columns).map(|by| shape.moved(by)) {
                for last in [true, false] {
                    let cell = |(column, row): Spot| {
                        let (along, above) = (column as usize, row as usize);
                        // Half a turn leads from the last edge to the first.
                        let (along, deep) = if last { (along, rows - 1 - above) } else { (columns - 1 - along, above) };
                        if side == Side::First { size.index(along, deep) } else { size.index(deep, along) }
                    };
                    let set = |spots: &[Spot]| spots.iter().fold(Cells::default(), |set, &spot| set.with(cell(spot)));
                    let end = cell(shape.end);
                    let edge = size.points() + usize::from(last);
                    placed.push(Template {
                        end,
                        edge,
                        stones: set(&shape.stones),
                        needed: set(&shape.needed).with(end),
                    });
                }
            }
        }
    }
    placed
}

#[cfg(test)]
mod finder;
#[cfg(test)]
mod tests;
