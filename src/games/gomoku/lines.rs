//! The lines of a board in four directions as sets of bits, so that a row of stones is found by shifts.
//!
//! Rows come first, then columns, diagonals that fall to the right, and those that rise. A bit is the column, or on columns the row.

use crate::game::Side;
use crate::games::Size;
use crate::games::bits::bits;

/// Most lines of a side.
pub(super) const MOST: usize = 20;
/// Stones in a row that win.
pub(super) const ROW: usize = 5;
const DIAGONALS: usize = 2 * MOST - 1;
const COLUMNS: usize = MOST;
const FALLING: usize = COLUMNS + MOST;
const RISING: usize = FALLING + DIAGONALS;
/// Number of lines in all directions.
pub(super) const LINES: usize = RISING + DIAGONALS;

/// The lines through a point and its bit on each.
pub(super) fn lines_through(size: Size, point: usize) -> [(usize, u32); 4] {
    let (x, y) = size.xy(point);
    [(y, 1 << x), (COLUMNS + x, 1 << y), (FALLING + MOST - 1 + x - y, 1 << x), (RISING + x + y, 1 << x)]
}

/// The point of a bit on a line.
pub(super) fn point_on(size: Size, line: usize, bit: usize) -> usize {
    match line {
        ..COLUMNS => size.index(bit, line),
        COLUMNS..FALLING => size.index(line - COLUMNS, bit),
        FALLING..RISING => size.index(bit, bit + FALLING + MOST - 1 - line),
        _ => size.index(bit, line - RISING - bit),
    }
}

/// Bits of a line that are points of the board.
pub(super) fn cells(size: Size, line: usize) -> u32 {
    let (right, lower) = (size.width as isize - 1, size.height as isize - 1);
    let (first, last) = match line {
        ..COLUMNS => (0, if line as isize <= lower { right } else { -1 }),
        COLUMNS..FALLING => (0, if (line - COLUMNS) as isize <= right { lower } else { -1 }),
        FALLING..RISING => {
            let shift = line as isize - (FALLING + MOST - 1) as isize;
            (shift.max(0), right.min(lower + shift))
        }
        _ => {
            let sum = (line - RISING) as isize;
            ((sum - lower).max(0), right.min(sum))
        }
    };
    if last < first { 0 } else { ((1 << (last - first + 1)) - 1) << first }
}

/// First bits of the windows of five that lie in a set.
const fn rows(set: u32) -> u32 {
    set & set >> 1 & set >> 2 & set >> 3 & set >> 4
}

/// Whether a set has five bits in a row.
pub(super) const fn has_row(set: u32) -> bool {
    rows(set) != 0
}

/// Empty points that make five in a row of a set.
const fn completing(own: u32, empty: u32) -> u32 {
    let (a, b, c, d, e) = (own, own >> 1, own >> 2, own >> 3, own >> 4);
    let found =
        b & c & d & e | (a & c & d & e) << 1 | (a & b & d & e) << 2 | (a & b & c & e) << 3 | (a & b & c & d) << 4;
    found & empty
}

/// A line with its stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Stones of both sides, `First`'s first.
    pub(super) stones: [u32; 2],
    /// Points of the board.
    pub(super) cells: u32,
}

impl Lane {
    fn empty(&self) -> u32 {
        self.cells & !(self.stones[0] | self.stones[1])
    }

    /// Points, as bits, that make five in a row for a side.
    pub fn completions(&self, side: Side) -> u32 {
        let own = self.stones[side.index()];
        // Rows are completed by the fifth stone.
        if own.count_ones() + 1 < ROW as u32 { 0 } else { completing(own, self.empty()) }
    }

    /// Points of the line, by their bits, from which a side could go on to five in a row on it, with the number of points that would
    /// complete it then.
    pub fn fours(&self, side: Side) -> impl Iterator<Item = (usize, u32)> + use<> {
        let (own, empty) = (self.stones[side.index()], self.empty());
        let among = if own.count_ones() + 2 < ROW as u32 { 0 } else { empty };
        let count = move |bit: usize| completing(own | 1 << bit, empty & !(1 << bit)).count_ones();
        bits(among.into()).map(move |bit| (bit, count(bit))).filter(|&(_, count)| count > 0)
    }

    /// Windows of five without a stone of the opponent, by the number of stones of a side in them.
    pub fn windows(&self, side: Side) -> [u32; ROW + 1] {
        let (own, other) = (self.stones[side.index()], self.stones[side.opponent().index()]);
        let mut counts = [0; ROW + 1];
        for first in bits(rows(self.cells & !other).into()) {
            counts[(own >> first & ((1 << ROW) - 1)).count_ones() as usize] += 1;
        }
        counts
    }

    /// Windows as [`Lane::windows`] counts them, those that a bit lies in.
    pub(super) fn windows_around(&self, side: Side, bit: usize) -> [u32; ROW + 1] {
        let near = ((1_u64 << (2 * ROW - 1)) - 1) << bit >> (ROW - 1);
        Self { cells: self.cells & near as u32, ..*self }.windows(side)
    }
}
