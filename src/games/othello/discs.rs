//! Discs as sets of bits: where one can be placed, which it turns, which can never be turned again.
//!
//! Boards up to 8×8 lie in 64 bits, larger ones in 128. A row wraps into the next one, so that runs to the side and diagonal ones pass
//! over discs that are in no outer column only.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// A set of points.
pub trait Bits:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Bits of a row: as many as the largest board has columns.
    const STRIDE: u32;
    /// The empty set.
    const NONE: Self;
    /// The first column.
    const FIRST: Self;

    /// The set of the lowest bits of a wide one.
    fn of_wide(set: u128) -> Self;

    /// Set of the same bits among 128.
    fn wide(self) -> u128;
}

impl Bits for u64 {
    const STRIDE: u32 = 8;
    const NONE: Self = 0;
    const FIRST: Self = u64::MAX / 0xff;

    fn of_wide(set: u128) -> Self {
        set as Self
    }

    fn wide(self) -> u128 {
        self.into()
    }
}

impl Bits for u128 {
    const STRIDE: u32 = 10;
    const NONE: Self = 0;
    const FIRST: Self = ((1 << 100) - 1) / ((1 << 10) - 1);

    fn of_wide(set: u128) -> Self {
        set
    }

    fn wide(self) -> u128 {
        self
    }
}

/// A board as one side sees it.
#[derive(Clone, Copy, Debug)]
pub struct Discs<B> {
    /// Discs of that side, and of its opponent.
    pub(super) own: B,
    pub(super) other: B,
    /// All points.
    pub(super) board: B,
    /// Points that are neither in the first nor in the last column.
    pub(super) inner: B,
    /// Points that are neither in the first nor in the last row.
    pub(super) middle: B,
}

/// Bits from a point to its neighbours to the right and below; the others are as far in the other direction.
const fn steps<B: Bits>() -> [u32; 4] {
    [1, B::STRIDE, B::STRIDE - 1, B::STRIDE + 1]
}

impl<B: Bits> Discs<B> {
    /// Points without a disc.
    pub(super) fn empty(&self) -> B {
        self.board & !(self.own | self.other)
    }

    /// Discs of the opponent that a run with that step can pass over.
    fn passed(&self, step: u32) -> B {
        if step == B::STRIDE { self.other } else { self.other & self.inner }
    }

    /// The opponent's discs that lie behind those points in a row, down and up with that step. A run grows by itself, then by two discs at
    /// a time, without a branch: the longest has two less than a line has points.
    fn runs(&self, from: B, step: u32) -> [B; 2] {
        let passed = self.passed(step);
        let (mut down, mut up) = (from << step & passed, from >> step & passed);
        (down, up) = (down | down << step & passed, up | up >> step & passed);
        let (pairs_down, pairs_up) = (passed & passed << step, passed & passed >> step);
        for _ in 0..(B::STRIDE - 4) / 2 {
            (down, up) = (down | down << (2 * step) & pairs_down, up | up >> (2 * step) & pairs_up);
        }
        [down, up]
    }

    /// Points where the side can place a disc.
    pub(super) fn placements(&self) -> B {
        let mut reached = B::NONE;
        for step in steps::<B>() {
            let [down, up] = self.runs(self.own, step);
            reached = reached | down << step | up >> step;
        }
        reached & self.empty()
    }

    /// Discs that are turned when the side places one there.
    pub(super) fn turned(&self, at: B) -> B {
        let mut turned = B::NONE;
        for step in steps::<B>() {
            let [down, up] = self.runs(at, step);
            if down << step & self.own != B::NONE {
                turned = turned | down;
            }
            if up >> step & self.own != B::NONE {
                turned = turned | up;
            }
        }
        turned
    }

    /// The board as the opponent sees it.
    pub(super) fn turned_round(&self) -> Self {
        Self { own: self.other, other: self.own, ..*self }
    }

    /// Points of the corners.
    pub(super) fn corners(&self) -> B {
        self.board & !self.inner & !self.middle
    }

    /// Discs of the side with an empty point beside them.
    pub(super) fn frontier(&self) -> B {
        let (empty, row) = (self.empty(), B::STRIDE);
        // Nothing is to the left of the first column and to the right of the last one.
        let last = B::FIRST << (row - 1);
        let right = (empty << 1 | empty << (row + 1) | empty >> (row - 1)) & !B::FIRST;
        let left = (empty >> 1 | empty >> (row + 1) | empty << (row - 1)) & !last;
        let beside = empty << row | empty >> row | right | left;
        beside & self.own
    }

    /// Discs of the side that can never be turned, as far as corners and edges show it: along each of the four lines through them they
    /// stand at an edge or beside another such disc.
    pub(super) fn stable(&self) -> B {
        let (columns, rows) = (self.board & !self.inner, self.board & !self.middle);
        let mut stable = B::NONE;
        loop {
            let mut more = self.own;
            for step in steps::<B>() {
                let edge = match step {
                    1 => columns,
                    step if step == B::STRIDE => rows,
                    _ => columns | rows,
                };
                more = more & (edge | stable << step | stable >> step);
            }
            if more == stable {
                return stable;
            }
            stable = more;
        }
    }
}
