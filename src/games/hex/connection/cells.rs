//! Sets of cells as bits, as wide as the board needs.

/// A set of cells with numbers below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells<const W: usize>([u64; W]);

impl<const W: usize> Default for Cells<W> {
    fn default() -> Self {
        Self([0; W])
    }
}

impl<const W: usize> Cells<W> {
    #[inline]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    /// Common cells.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// Cells of either.
    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// Cells of this set that are not in the other.
    #[inline]
    pub(crate) fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// This set and one more cell.
    #[inline]
    pub(crate) fn with(mut self, cell: usize) -> Self {
        self.0[cell / 64] |= 1 << (cell % 64);
        self
    }

    /// This set but for one cell.
    #[inline]
    pub(super) fn without(mut self, cell: usize) -> Self {
        self.0[cell / 64] &= !(1 << (cell % 64));
        self
    }

    /// Whether the cell is in.
    #[inline]
    pub(crate) fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Those of 64 cells as bits; nothing beyond the last.
    #[inline]
    pub(super) fn word(&self, number: usize) -> u64 {
        self.0.get(number).copied().unwrap_or(0)
    }

    /// Every number that it can hold.
    #[inline]
    pub(super) fn all() -> Self {
        Self([u64::MAX; W])
    }

    /// The lowest number in it.
    #[inline]
    pub(super) fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    /// Whether there is no common cell.
    #[inline]
    pub(crate) fn disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |acc, (a, b)| acc | (a & b)) == 0
    }

    /// Whether all cells of this set are in the other.
    #[inline]
    pub(crate) fn within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |acc, (a, b)| acc | (a & !b)) == 0
    }

    /// Whether it has no cell.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |acc, a| acc | a) == 0
    }

    /// Number of cells.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// The same cells in a set of another width, which must be able to hold them.
    pub(super) fn widen<const V: usize>(&self) -> Cells<V> {
        Cells(std::array::from_fn(|i| self.0.get(i).copied().unwrap_or(0)))
    }
}
