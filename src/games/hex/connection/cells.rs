//! Sets of cells as bits, as wide as the board needs.

/// Evaluates an expression with the constant `$words`: the width of sets for a board of `$points` cells, at most 1024.
macro_rules! with_words {
    ($points:expr, $words:ident => $then:expr) => {
        match $points {
            0..=64 => with_words!(@ $words 1 $then),
            65..=128 => with_words!(@ $words 2 $then),
            129..=192 => with_words!(@ $words 3 $then),
            193..=256 => with_words!(@ $words 4 $then),
            257..=384 => with_words!(@ $words 6 $then),
            _ => with_words!(@ $words 16 $then),
        }
    };
    (@ $words:ident $number:literal $then:expr) => {{
        const $words: usize = $number;
        $then
    }};
}
pub(crate) use with_words;

use crate::game;

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
    pub(crate) fn without(mut self, cell: usize) -> Self {
        self.0[cell / 64] &= !(1 << (cell % 64));
        self
    }

    /// Whether the cell is in.
    #[inline]
    pub(crate) fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Members among 64 cells as bits; nothing beyond the last.
    #[inline]
    pub(crate) fn word(&self, number: usize) -> u64 {
        self.0.get(number).copied().unwrap_or(0)
    }

    /// Every number that it can hold.
    #[inline]
    pub(crate) fn all() -> Self {
        Self([u64::MAX; W])
    }

    /// The lowest number in it.
    #[inline]
    pub(crate) fn first(&self) -> Option<usize> {
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

    /// The set of these words, which it must be able to hold.
    pub(crate) fn of_words(words: &[u64]) -> Self {
        Self(std::array::from_fn(|i| words.get(i).copied().unwrap_or(0)))
    }

    /// These cells in a set of another width, which must be able to hold them.
    pub(super) fn widen<const V: usize>(&self) -> Cells<V> {
        Cells::of_words(&self.0)
    }
}

/// A set of cells of any board, up to the word of its highest cell: what a solver keeps of many states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellZone(Box<[u64]>);

impl<const W: usize> From<Cells<W>> for CellZone {
    fn from(cells: Cells<W>) -> Self {
        let words = cells.0.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        Self(cells.0[..words].into())
    }
}

impl CellZone {
    /// These cells in a set that can hold them.
    pub(crate) fn cells<const W: usize>(&self) -> Cells<W> {
        Cells::of_words(&self.0)
    }
}

impl game::Zone for CellZone {
    fn with(mut self, index: usize) -> Self {
        if index / 64 >= self.0.len() {
            let mut words = self.0.into_vec();
            words.resize(index / 64 + 1, 0);
            self.0 = words.into();
        }
        self.0[index / 64] |= 1 << (index % 64);
        self
    }

    fn union(self, other: &Self) -> Self {
        let (mut longer, shorter) = if self.0.len() < other.0.len() { (other.clone(), &self) } else { (self, other) };
        longer.0.iter_mut().zip(&shorter.0).for_each(|(word, more)| *word |= more);
        longer
    }

    fn contains(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}
