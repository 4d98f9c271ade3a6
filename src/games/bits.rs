//! Boards up to 8×8 as sets of bits, eight bits to a row from the top, and the bits of any set.

use super::Size;

/// Bits of a row, which is also the most rows.
pub(super) const STRIDE: usize = 8;
/// Directions, clockwise from the north; the opposite one stands four further on.
pub(super) const DIRECTIONS: [(isize, isize); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
/// All columns but the first.
const NOT_FIRST: u64 = 0xfefe_fefe_fefe_fefe;
/// All columns but the last.
const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// All points of a board.
pub(super) fn board(size: Size) -> u64 {
    debug_assert!(size.width <= STRIDE && size.height <= STRIDE);
    let row: u64 = (1 << size.width) - 1;
    (0..size.height).fold(0, |board, y| board | row << (STRIDE * y))
}

/// The bit of a point.
pub(super) const fn bit(size: Size, point: usize) -> usize {
    let (x, y) = size.xy(point);
    y * STRIDE + x
}

/// The point of a bit.
pub(super) const fn point(size: Size, bit: usize) -> usize {
    size.index(bit % STRIDE, bit / STRIDE)
}

/// The numbers of the bits of a set, in ascending order.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

/// The numbers of the bits of a wide set: see [`bits`].
pub(super) fn wide_bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}

/// Points of a set moved to the left; none comes back on the other side.
pub(super) const fn left(set: u64) -> u64 {
    set >> 1 & NOT_LAST
}

/// Points of a set moved to the right: see [`left`].
pub(super) const fn right(set: u64) -> u64 {
    set << 1 & NOT_FIRST
}

/// A set and all that touches it, in eight directions; some may lie beside a smaller board.
pub(super) const fn grown(set: u64) -> u64 {
    let row = set | left(set) | right(set);
    row | row << STRIDE | row >> STRIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_grow_by_a_point_in_eight_directions() {
        let size = Size { width: 7, height: 5 };
        for from in 0..size.points() {
            let set = grown(1 << bit(size, from)) & board(size);
            let near = |to: usize| {
                let ((x, y), (to_x, to_y)) = (size.xy(from), size.xy(to));
                x.abs_diff(to_x) <= 1 && y.abs_diff(to_y) <= 1
            };
            let found: Vec<usize> = bits(set).map(|bit| point(size, bit)).collect();
            assert_eq!(found, (0..size.points()).filter(|&to| near(to)).collect::<Vec<_>>());
        }
        assert_eq!(board(Size::square(8)), u64::MAX);
    }
}
