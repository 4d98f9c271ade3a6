//! The numbers of a board between two layers.

use std::ops::Range;

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::aligned::{Aligned, LANES};
use super::instructions::{SUMS, rectified};

/// Rows and columns of results that a tile has on a board: what takes the fewest products, of which those of larger tiles count for a little
/// more (measured on boards from 9×9 to 16×16), since they take more additions.
pub(super) fn tile_of(rows: usize, columns: usize) -> usize {
    let cost = |tile: usize| rows.div_ceil(tile) * columns.div_ceil(tile) * [16, 26, 41][tile - 2];
    [2, 3, 4].into_iter().min_by_key(|&tile| cost(tile)).unwrap_or(2)
}

/// Channels of the points of a board, with a border of zeros: rows, blocks of channels, columns, channels of a block. The border is
/// wider at its end where that fills the last tiles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Map {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) blocks: usize,
    /// Rows and columns of a tile of results, in [`super::winograd`].
    pub(super) tile: usize,
    /// Columns with the border.
    width: usize,
    pub(super) numbers: Aligned,
}

impl Map {
    pub(super) fn new(rows: usize, columns: usize, channels: usize) -> Self {
        let (blocks, tile) = (channels.div_ceil(LANES), tile_of(rows, columns));
        let [height, width] = [rows, columns].map(|side| side.next_multiple_of(tile) + 2);
        Self { rows, columns, blocks, tile, width, numbers: Aligned::zeros(height * width * blocks * LANES) }
    }

    /// Where a block of a point starts; row and column count from the border on.
    pub(super) fn at(&self, row: usize, block: usize, column: usize) -> usize {
        ((row * self.blocks + block) * self.width + column) * LANES
    }

    /// The points of a block inside the border, row by row.
    fn ranges(&self, block: usize) -> impl Iterator<Item = Range<usize>> {
        (1..=self.rows).map(move |row| self.at(row, block, 1)..self.at(row, block, self.columns + 1))
    }

    /// Takes channels in the order of ONNX: channel, row, column.
    pub(super) fn read(&mut self, channels: &[f32]) {
        for (channel, plane) in channels.chunks_exact(self.rows * self.columns).enumerate() {
            for (row, line) in plane.chunks_exact(self.columns).enumerate() {
                let from = self.at(row + 1, channel / LANES, 1);
                let points = self.numbers[from..].as_chunks_mut::<LANES>().0;
                points.iter_mut().zip(line).for_each(|(point, number)| point[channel % LANES] = *number);
            }
        }
    }

    /// Appends so many channels in that order.
    pub(super) fn write(&self, channels: usize, to: &mut Vec<f32>) {
        for channel in 0..channels {
            for range in self.ranges(channel / LANES) {
                let points = self.numbers[range].as_chunks::<LANES>().0;
                to.extend(points.iter().map(|point| point[channel % LANES]));
            }
        }
    }
}

/// Statistic of a channel over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    Most,
}

/// Takes a statistic of each channel, of whole blocks.
pub(super) struct TakePool<'a> {
    pub(super) pool: Pooling,
    pub(super) from: &'a Map,
    pub(super) to: &'a mut [f32],
}

/// The larger of two numbers. If one is no number, neither is the result.
#[inline(always)]
fn most<I: Isa>(isa: I, a: I::F32, b: I::F32) -> I::F32 {
    let ops = isa.f32();
    let larger = ops.select(a, b, ops.le(b, a));
    ops.select(larger, a, ops.eq(a, a))
}

impl SimdOp for TakePool<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Self { pool, from, to } = self;
        let share = ops.splat(1.0 / (from.rows * from.columns) as f32);
        for (block, to) in to.chunks_exact_mut(LANES).enumerate() {
            for vector in (0..LANES).step_by(lanes) {
                let start = match pool {
                    Pooling::Mean => ops.zero(),
                    Pooling::Most => ops.splat(f32::NEG_INFINITY),
                };
                let mut found = [start; SUMS];
                for range in from.ranges(block) {
                    for (point, numbers) in from.numbers[range].as_chunks::<LANES>().0.iter().enumerate() {
                        let (own, number) = (&mut found[point % SUMS], ops.load(&numbers[vector..]));
                        *own = match pool {
                            Pooling::Mean => ops.add(*own, number),
                            Pooling::Most => most(isa, *own, number),
                        };
                    }
                }
                let [a, b, c, d] = found;
                let all = match pool {
                    Pooling::Mean => ops.mul(ops.add(ops.add(a, b), ops.add(c, d)), share),
                    Pooling::Most => most(isa, most(isa, a, b), most(isa, c, d)),
                };
                ops.store(all, &mut to[vector..][..lanes]);
            }
        }
    }
}

/// Takes another map, with a number of its channel added to each point.
pub(super) struct Shift<'a> {
    pub(super) from: &'a Map,
    /// A number for each channel, of whole blocks.
    pub(super) by: &'a [f32],
    /// Whether what is negative becomes zero.
    pub(super) rectify: bool,
    pub(super) to: &'a mut Map,
}

impl SimdOp for Shift<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Self { from, by, rectify, to } = self;
        for (block, by) in by.chunks_exact(LANES).enumerate() {
            for range in from.ranges(block) {
                let points = to.numbers[range.clone()].as_chunks_mut::<LANES>().0;
                for (to, point) in points.iter_mut().zip(from.numbers[range].as_chunks::<LANES>().0) {
                    for vector in (0..LANES).step_by(lanes) {
                        let mut number = ops.add(ops.load(&point[vector..]), ops.load(&by[vector..]));
                        if rectify {
                            number = rectified(isa, number);
                        }
                        ops.store(number, &mut to[vector..][..lanes]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::instructions::Instructions;
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_board_decides_on_the_tiles() {
        // 9x9: 25 tiles of 16 products, 9 of 25, 9 of 36.
        assert_eq!(tile_of(9, 9), 3);
        // 11x11: 36 of 16, 16 of 25, 9 of 36.
        assert_eq!(tile_of(11, 11), 4);
        // 13x13: 49 of 16, 25 of 25, 16 of 36, which is hardly less.
        assert_eq!(tile_of(13, 13), 3);
        // 2x2: one tile of any kind.
        assert_eq!(tile_of(2, 2), 2);
        // 19x19: 100 of 16, 49 of 25, 25 of 36.
        assert_eq!(tile_of(19, 19), 4);
    }

    #[test]
    fn pools_and_shifts_are_of_channels() {
        let (rows, columns, channels) = (3, 5, 18);
        let mut rng = Rng::new(1);
        let mut numbers: Vec<f32> = (0..rows * columns * channels).map(|_| rng.unit() - 0.5).collect();
        // One channel has a point that is no number.
        numbers[rows * columns + 7] = f32::NAN;
        let mut map = Map::new(rows, columns, channels);
        map.read(&numbers);
        for by in [Instructions::Fastest, Instructions::Portable] {
            let [means, largest] = [Pooling::Mean, Pooling::Most].map(|pool| {
                let mut to = vec![0.0; 2 * LANES];
                by.run(TakePool { pool, from: &map, to: &mut to });
                to
            });
            for rectify in [false, true] {
                let mut shifted = Map::new(rows, columns, channels);
                by.run(Shift { from: &map, by: &means, rectify, to: &mut shifted });
                let mut written = Vec::new();
                shifted.write(channels, &mut written);
                for (channel, plane) in numbers.chunks_exact(rows * columns).enumerate() {
                    let (mean, most) = (means[channel], largest[channel]);
                    let own = &written[channel * rows * columns..][..rows * columns];
                    if channel == 1 {
                        let kept = rectify && by == Instructions::Portable || own.iter().all(|number| number.is_nan());
                        assert!(mean.is_nan() && most.is_nan() && kept);
                        continue;
                    }
                    assert!((mean - plane.iter().sum::<f32>() / plane.len() as f32).abs() < 1e-6);
                    assert_eq!(most, plane.iter().copied().fold(f32::NEG_INFINITY, f32::max));
                    for (found, number) in own.iter().zip(plane) {
                        let wanted = if rectify { (number + mean).max(0.0) } else { number + mean };
                        assert!((found - wanted).abs() < 1e-6);
                    }
                }
            }
        }
    }
}
