//! Connected groups of stones: the parts of a position.

use std::sync::OnceLock;

use super::position::{STRIDE, around, joined, movable, pairs, stepped};
use crate::game::{Part, PartOptions, Side};
use crate::games::bits::wide_bits;
use crate::rng::mix;

/// Longest side of a group's box.
const MOST: usize = STRIDE - 1;
const SYMMETRIES: usize = 8;

/// Connected stones, of both colours. Groups of the same form, wherever they lie and however they are turned, have the same
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    stones: [u128; 2],
}

/// For the boxes of one width and height, what the cells from the top left one on are to a name.
struct Codes {
    /// After each of the eight symmetries, for a stone of each side.
    stones: [Vec<[u64; SYMMETRIES]>; 2],
    /// The cells that they come to.
    cells: Vec<[usize; SYMMETRIES]>,
}

/// Half of what a stone on a cell adds to a name.
fn code(cell: usize, side: usize, half: u64) -> u64 {
    mix((4 * cell + 2 * side) as u64 + half + 1)
}

impl Codes {
    fn new(width: usize, height: usize) -> Self {
        let turned = |cell: usize, symmetry: usize| {
            let (x, y) = (cell % STRIDE, cell / STRIDE);
            let x = if symmetry & 1 == 0 { x } else { (width - 1).saturating_sub(x) };
            let y = if symmetry & 2 == 0 { y } else { height - 1 - y };
            if symmetry & 4 == 0 { y * STRIDE + x } else { x * STRIDE + y }
        };
        let cells: Vec<_> =
            (0..height * STRIDE).map(|cell| std::array::from_fn(|symmetry| turned(cell, symmetry))).collect();
        let stones = |side| cells.iter().map(|cells| cells.map(|cell| code(cell, side, 0))).collect();
        Self { stones: [stones(0), stones(1)], cells }
    }

    fn of(width: usize, height: usize) -> &'static Self {
        static ALL: [OnceLock<Codes>; MOST * MOST] = [const { OnceLock::new() }; MOST * MOST];
        ALL[(height - 1) * MOST + width - 1].get_or_init(|| Self::new(width, height))
    }
}

impl Group {
    /// The groups that stones are, without those that cannot move again.
    pub(super) fn split(stones: [u128; 2]) -> impl Iterator<Item = Self> {
        let all = stones[0] | stones[1];
        // From the stones that touch one of the other colour, all that count are reached.
        let mut left = joined(around(stones[0]) & stones[1], all);
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let group = joined(left & left.wrapping_neg(), all);
                left &= !group;
                Self { stones: stones.map(|own| own & group) }
            })
        })
    }

    /// Columns and rows of its box, and its stones with the box in the corner.
    fn boxed(&self) -> (usize, usize, [u128; 2]) {
        const COLUMNS: u128 = (1 << STRIDE) - 1;
        let all = self.stones[0] | self.stones[1];
        let (top, bottom) = (all.trailing_zeros() as usize / STRIDE, all.ilog2() as usize / STRIDE);
        let columns = (top..=bottom).fold(0, |columns, row| columns | all >> (row * STRIDE) & COLUMNS);
        let (left, right) = (columns.trailing_zeros() as usize, columns.ilog2() as usize);
        (right - left + 1, bottom - top + 1, self.stones.map(|own| own >> (top * STRIDE + left)))
    }
}

impl Part for Group {
    /// The least among the symmetries' names.
    fn names(&self) -> [u128; 2] {
        let (width, height, stones) = self.boxed();
        let codes = Codes::of(width, height);
        let mut names = [[0_u64; SYMMETRIES]; 2];
        for (side, set) in stones.into_iter().enumerate() {
            for cell in wide_bits(set) {
                for (exchanged, name) in names.iter_mut().enumerate() {
                    let stone = &codes.stones[side ^ exchanged][cell];
                    name.iter_mut().zip(stone).for_each(|(name, code)| *name = name.wrapping_add(*code));
                }
            }
        }
        // The other half is needed of the least one only.
        let mut exchanged = 0;
        names.map(|halves| {
            let symmetry = (0..SYMMETRIES).min_by_key(|&symmetry| halves[symmetry]).unwrap_or_default();
            let half = stones.into_iter().enumerate().flat_map(|(side, set)| {
                wide_bits(set).map(move |cell| code(codes.cells[cell][symmetry], side ^ exchanged, 1))
            });
            let half = half.fold(0, u64::wrapping_add);
            exchanged = 1;
            u128::from(halves[symmetry]) << 64 | u128::from(half)
        })
    }

    /// Each move takes one stone away, and the last stone has none.
    fn length(&self) -> usize {
        (self.stones[0] | self.stones[1]).count_ones() as usize - 1
    }

    fn moves(&self, _side: Side) -> u32 {
        pairs(self.stones)
    }

    fn options(&self, side: Side, options: &mut PartOptions<Self>) {
        for direction in 0..4 {
            for from in wide_bits(movable(self.stones, side, direction)) {
                options.push(Self::split(stepped(self.stones, side, 1 << from, direction)));
            }
        }
    }
}
