//! Pseudo-liberties of a chain: an empty point counts once for each stone of the chain beside it.
//!
//! A chain is in atari if and only if all its pseudo-liberties are one point, that is if `number * squares == sum * sum`
//! (Cauchy-Schwarz), and that point is then `sum / number`.

use super::Point;

/// Statistics of a chain, kept at its head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) stones: u16,
    pub(super) liberties: u16,
    sum: u32,
    squares: u32,
}

impl Chain {
    /// A stone without its liberties.
    #[inline]
    pub(super) fn of_a_stone() -> Self {
        Self { stones: 1, ..Self::default() }
    }

    #[inline]
    pub(super) fn add(&mut self, point: Point) {
        self.liberties += 1;
        self.sum += u32::from(point);
        self.squares += u32::from(point) * u32::from(point);
    }

    #[inline]
    pub(super) fn remove(&mut self, point: Point) {
        self.liberties -= 1;
        self.sum -= u32::from(point);
        self.squares -= u32::from(point) * u32::from(point);
    }

    #[inline]
    pub(super) fn one_liberty(&self) -> bool {
        u64::from(self.liberties) * u64::from(self.squares) == u64::from(self.sum) * u64::from(self.sum)
    }

    /// The liberty of a chain that has one.
    #[inline]
    pub(super) fn last_liberty(&self) -> Point {
        (self.sum / u32::from(self.liberties)) as Point
    }

    /// Takes the stones and pseudo-liberties of another chain in.
    #[inline]
    pub(super) fn join(&mut self, other: Self) {
        self.stones += other.stones;
        self.liberties += other.liberties;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}
