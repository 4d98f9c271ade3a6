//! The numbers of a board between two layers.

use std::ops::Range;

use super::aligned::{Aligned, LANES};

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

    /// The mean of each channel over the board.
    pub(super) fn mean(&self, means: &mut [f32]) {
        let share = 1.0 / (self.rows * self.columns) as f32;
        for (block, means) in means.chunks_mut(LANES).enumerate() {
            let mut sums = [0.0; LANES];
            for range in self.ranges(block) {
                for point in self.numbers[range].as_chunks::<LANES>().0 {
                    sums.iter_mut().zip(point).for_each(|(sum, number)| *sum += number);
                }
            }
            means.iter_mut().zip(sums).for_each(|(mean, sum)| *mean = sum * share);
        }
    }

    /// Takes another map, with a number of its channel added to each point.
    pub(super) fn shift(&mut self, from: &Self, by: &[f32]) {
        for (block, by) in by.chunks(LANES).enumerate() {
            let mut shift = [0.0; LANES];
            shift[..by.len()].copy_from_slice(by);
            for range in from.ranges(block) {
                let points = self.numbers[range.clone()].as_chunks_mut::<LANES>().0;
                for (to, point) in points.iter_mut().zip(from.numbers[range].as_chunks::<LANES>().0) {
                    *to = std::array::from_fn(|lane| point[lane] + shift[lane]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
    fn means_and_shifts_are_of_channels() {
        let (rows, columns, channels) = (3, 5, 18);
        let mut rng = Rng::new(1);
        let numbers: Vec<f32> = (0..rows * columns * channels).map(|_| rng.unit() - 0.5).collect();
        let mut map = Map::new(rows, columns, channels);
        map.read(&numbers);
        let mut means = vec![0.0; channels];
        map.mean(&mut means);
        let mut shifted = Map::new(rows, columns, channels);
        shifted.shift(&map, &means);
        let mut written = Vec::new();
        shifted.write(channels, &mut written);
        for (channel, plane) in numbers.chunks_exact(rows * columns).enumerate() {
            let mean = plane.iter().sum::<f32>() / (rows * columns) as f32;
            assert!((means[channel] - mean).abs() < 1e-6);
            let own = &written[channel * rows * columns..][..rows * columns];
            assert!(own.iter().zip(plane).all(|(found, number)| (found - number - mean).abs() < 1e-5));
        }
    }
}
