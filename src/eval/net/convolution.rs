//! Convolutions of three by three points, and of one, with the processor's vectors.
//!
//! Sixteen channels of a point lie side by side, so that what is multiplied with the same weights is found at distances known
//! to the compiler, and a tile of points and output channels stays in registers while all inputs are gone through: as oneDNN
//! does it (layout nChw16c). With few channels to lay out a matrix first, as libraries do that have no such code, takes twice
//! as long.

use std::ops::Range;

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

/// Channels that lie side by side.
pub(super) const LANES: usize = 16;

/// Channels of the points of a board, with a border of zeros: rows, blocks of channels, columns, channels of a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Map {
    rows: usize,
    columns: usize,
    blocks: usize,
    numbers: Vec<f32>,
}

impl Map {
    pub(super) fn new(rows: usize, columns: usize, channels: usize) -> Self {
        let blocks = channels.div_ceil(LANES);
        Self { rows, columns, blocks, numbers: vec![0.0; (rows + 2) * (columns + 2) * blocks * LANES] }
    }

    /// Where a block of a point starts; row and column count from the border on.
    fn at(&self, row: usize, block: usize, column: usize) -> usize {
        ((row * self.blocks + block) * (self.columns + 2) + column) * LANES
    }

    /// The points of a block inside the border, row by row.
    fn ranges(&self, block: usize) -> impl Iterator<Item = Range<usize>> {
        (1..=self.rows).map(move |row| self.at(row, block, 1)..self.at(row, block, self.columns + 1))
    }

    /// Takes channels in the order of ONNX: channel, row, column.
    pub(super) fn read(&mut self, channels: &[f32]) {
        for (channel, plane) in channels.chunks_exact(self.rows * self.columns).enumerate() {
            for (row, line) in plane.chunks_exact(self.columns).enumerate() {
                let from = self.at(row + 1, channel / LANES, 1) + channel % LANES;
                self.numbers[from..].iter_mut().step_by(LANES).zip(line).for_each(|(to, number)| *to = *number);
            }
        }
    }

    /// Appends so many channels in that order.
    pub(super) fn write(&self, channels: usize, to: &mut Vec<f32>) {
        for channel in 0..channels {
            for row in 1..=self.rows {
                let from = self.at(row, channel / LANES, 1) + channel % LANES;
                to.extend(self.numbers[from..].iter().step_by(LANES).take(self.columns));
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

    /// What another map has, with a number of its channel added to each point.
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

/// A convolution with its weights in the order in which they are used.
#[derive(Clone, Debug)]
pub(super) struct Convolution {
    inputs: usize,
    /// Rows and columns of the window, three or one.
    window: usize,
    /// Of each group of output blocks: row and column of the window, input, output.
    weights: Vec<f32>,
    bias: Vec<f32>,
    group: usize,
    /// Whether the last block of outputs is not more than half full.
    half: bool,
}

/// Output blocks that are calculated together: two vectors of sixteen, or what one register file holds of narrower ones.
struct Group;

impl SimdOp for Group {
    type Output = usize;

    fn eval<I: Isa>(self, isa: I) -> usize {
        if isa.f32().len() == LANES { 2 } else { 1 }
    }
}

impl Convolution {
    /// From weights in the order of ONNX: output, input, row, column.
    pub(super) fn new(outputs: usize, inputs: usize, window: usize, weights: &[f32], bias: &[f32]) -> Self {
        let group = if outputs > LANES { Group.dispatch() } else { 1 };
        let width = group * LANES;
        let groups = outputs.div_ceil(width);
        let mut ordered = Vec::with_capacity(groups * window * window * inputs * width);
        for first in (0..groups).map(|number| number * width) {
            for row in 0..window {
                for block in (0..inputs).step_by(LANES) {
                    for column in 0..window {
                        for input in block..inputs.min(block + LANES) {
                            let weight =
                                |output: usize| weights[((output * inputs + input) * window + row) * window + column];
                            ordered.extend((first..first + width).map(|o| if o < outputs { weight(o) } else { 0.0 }));
                        }
                    }
                }
            }
        }
        let mut bias = bias.to_vec();
        bias.resize(groups * width, 0.0);
        let half = (1..=LANES / 2).contains(&(outputs % LANES));
        Self { inputs, window, weights: ordered, bias, group, half }
    }

    /// Calculates `to`, which has the same size as `from`. `plus` is added before what is negative becomes zero.
    pub(super) fn run(&self, from: &Map, plus: Option<&Map>, rectify: bool, to: &mut Map) {
        Run { convolution: self, from, plus, rectify, to }.dispatch();
    }
}

struct Run<'a> {
    convolution: &'a Convolution,
    from: &'a Map,
    plus: Option<&'a Map>,
    rectify: bool,
    to: &'a mut Map,
}

impl SimdOp for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        // Vectors of a block, blocks of a group, and points whose sums leave registers for weights and an input.
        let Convolution { group, half, .. } = *self.convolution;
        let groups = self.to.blocks.div_ceil(group);
        // Of half a block narrower vectors are half of the work.
        let whole = if half { groups - 1 } else { groups };
        match (isa.f32().len(), group) {
            (16, 2) => self.by_width::<I, 1, 2, 13>(isa, 0..groups),
            (16, _) => self.by_width::<I, 1, 1, 13>(isa, 0..groups),
            (8, _) => {
                self.by_width::<I, 2, 1, 6>(isa, 0..whole);
                self.by_width::<I, 1, 1, 13>(isa, whole..groups);
            }
            _ => {
                self.by_width::<I, 4, 1, 3>(isa, 0..whole);
                self.by_width::<I, 2, 1, 6>(isa, whole..groups);
            }
        }
    }
}

impl Run<'_> {
    /// Cuts rows into as few tiles as possible, of one length or one more.
    #[inline(always)]
    fn by_width<I: Isa, const VECTORS: usize, const GROUP: usize, const MOST: usize>(
        &mut self,
        isa: I,
        groups: Range<usize>,
    ) {
        let tiles = self.to.columns.div_ceil(MOST);
        match self.to.columns / tiles {
            1 => self.all::<I, VECTORS, GROUP, 1, 2>(isa, groups, tiles),
            2 => self.all::<I, VECTORS, GROUP, 2, 3>(isa, groups, tiles),
            3 if MOST > 3 => self.all::<I, VECTORS, GROUP, 3, 4>(isa, groups, tiles),
            4 if MOST > 4 => self.all::<I, VECTORS, GROUP, 4, 5>(isa, groups, tiles),
            5 if MOST > 5 => self.all::<I, VECTORS, GROUP, 5, 6>(isa, groups, tiles),
            6 if MOST > 6 => self.all::<I, VECTORS, GROUP, 6, 7>(isa, groups, tiles),
            7 if MOST > 7 => self.all::<I, VECTORS, GROUP, 7, 8>(isa, groups, tiles),
            8 if MOST > 8 => self.all::<I, VECTORS, GROUP, 8, 9>(isa, groups, tiles),
            9 if MOST > 9 => self.all::<I, VECTORS, GROUP, 9, 10>(isa, groups, tiles),
            10 if MOST > 10 => self.all::<I, VECTORS, GROUP, 10, 11>(isa, groups, tiles),
            11 if MOST > 11 => self.all::<I, VECTORS, GROUP, 11, 12>(isa, groups, tiles),
            12 if MOST > 12 => self.all::<I, VECTORS, GROUP, 12, 13>(isa, groups, tiles),
            _ => self.all::<I, VECTORS, GROUP, MOST, MOST>(isa, groups, tiles),
        }
    }

    #[inline(always)]
    fn all<I: Isa, const VECTORS: usize, const GROUP: usize, const SHORT: usize, const LONG: usize>(
        &mut self,
        isa: I,
        groups: Range<usize>,
        tiles: usize,
    ) {
        let long = self.to.columns - tiles * SHORT;
        for group in groups {
            for row in 0..self.to.rows {
                for tile in 0..long {
                    self.tile::<I, VECTORS, GROUP, LONG>(isa, group, row, tile * LONG);
                }
                for tile in long..tiles {
                    self.tile::<I, VECTORS, GROUP, SHORT>(isa, group, row, tile * SHORT + long);
                }
            }
        }
    }

    /// Points of a row, all outputs of a group.
    #[inline(always)]
    fn tile<I: Isa, const VECTORS: usize, const GROUP: usize, const WIDTH: usize>(
        &mut self,
        isa: I,
        group: usize,
        row: usize,
        column: usize,
    ) {
        let ops = isa.f32();
        let lanes = ops.len();
        let convolution = self.convolution;
        let mut sums = [[[ops.zero(); VECTORS]; GROUP]; WIDTH];
        for block in 0..GROUP {
            for vector in 0..VECTORS {
                let bias = &convolution.bias[(group * GROUP + block) * LANES + vector * lanes..];
                sums.iter_mut().for_each(|sums| sums[block][vector] = ops.load(bias));
            }
        }
        let window = convolution.window;
        let size = window * window * convolution.inputs * GROUP * LANES;
        let mut weights = &convolution.weights[group * size..][..size];
        // A window of one point stands where the middle of a larger one would.
        let (row_above, column_before) = (row + usize::from(window == 1), column + usize::from(window == 1));
        for window_row in 0..window {
            for block in 0..self.from.blocks {
                let inputs = (convolution.inputs - block * LANES).min(LANES);
                for window_column in 0..window {
                    let from = self.from.at(row_above + window_row, block, column_before + window_column);
                    let points = &self.from.numbers[from..][..WIDTH * LANES];
                    let (own, rest) = weights.split_at(inputs * GROUP * LANES);
                    weights = rest;
                    for (input, own) in (0..LANES).zip(own.chunks_exact(GROUP * LANES)) {
                        let mut weights = [[ops.zero(); VECTORS]; GROUP];
                        for block in 0..GROUP {
                            for vector in 0..VECTORS {
                                weights[block][vector] = ops.load(&own[block * LANES + vector * lanes..]);
                            }
                        }
                        for point in 0..WIDTH {
                            let number = ops.splat(points[point * LANES + input]);
                            for block in 0..GROUP {
                                for vector in 0..VECTORS {
                                    let sum = &mut sums[point][block][vector];
                                    *sum = ops.mul_add(number, weights[block][vector], *sum);
                                }
                            }
                        }
                    }
                }
            }
        }
        // Out of the registers at once: the compiler would keep a copy in memory up to date all along.
        let mut done = [[[ops.zero(); VECTORS]; GROUP]; WIDTH];
        for point in 0..WIDTH {
            for block in 0..GROUP {
                for vector in 0..VECTORS {
                    done[point][block][vector] = sums[point][block][vector];
                }
            }
        }
        for block in (0..GROUP).filter(|block| group * GROUP + block < self.to.blocks) {
            let from = self.to.at(row + 1, group * GROUP + block, column + 1);
            for (point, done) in done.iter().enumerate() {
                for (vector, &sum) in done[block].iter().enumerate() {
                    let at = from + point * LANES + vector * lanes;
                    let sum = self.plus.map_or(sum, |plus| ops.add(sum, ops.load(&plus.numbers[at..])));
                    // In this order what is no number stays none.
                    let sum = if self.rectify { ops.max(ops.zero(), sum) } else { sum };
                    ops.store(sum, &mut self.to.numbers[at..][..lanes]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::Rng;

    fn random(count: usize, rng: &mut Rng) -> Vec<f32> {
        (0..count).map(|_| rng.unit() - 0.5).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        /// As by the definition, for all widths of a board and numbers of channels.
        #[test]
        fn convolutions_are_as_defined(
            seed: u64, rows in 1..6_usize, columns in 1..28_usize, inputs in 1..40_usize, outputs in 1..70_usize,
            rectify: bool, residual: bool, point: bool,
        ) {
            let mut rng = Rng::new(seed);
            let window = if point { 1 } else { 3 };
            let size = window * window;
            let (weights, bias) = (random(outputs * inputs * size, &mut rng), random(outputs, &mut rng));
            let (input, plus) = (random(inputs * rows * columns, &mut rng), random(outputs * rows * columns, &mut rng));
            let map = |channels, numbers: &[f32]| {
                let mut map = Map::new(rows, columns, channels);
                map.read(numbers);
                map
            };
            let (from, plus_map, mut to) = (map(inputs, &input), map(outputs, &plus), Map::new(rows, columns, outputs));
            let convolution = Convolution::new(outputs, inputs, window, &weights, &bias);
            convolution.run(&from, residual.then_some(&plus_map), rectify, &mut to);
            let mut found = Vec::new();
            to.write(outputs, &mut found);
            let number = |channel: usize, row: isize, column: isize| {
                let inside = (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column);
                if inside { input[(channel * rows + row as usize) * columns + column as usize] } else { 0.0 }
            };
            for (index, &found) in found.iter().enumerate() {
                let (output, row, column) = (index / columns / rows, index / columns % rows, index % columns);
                let mut sum = bias[output] + if residual { plus[index] } else { 0.0 };
                for (index, weight) in weights[output * inputs * size..][..inputs * size].iter().enumerate() {
                    let (input, place) = (index / size, index % size);
                    let at = |point: usize, offset: usize| (point + offset) as isize - (window / 2) as isize;
                    sum += weight * number(input, at(row, place / window), at(column, place % window));
                }
                let wanted = if rectify { sum.max(0.0) } else { sum };
                prop_assert!((found - wanted).abs() < 1e-4, "{found} for {wanted}");
            }
            // The border is still one of zeros.
            let inside: f32 = found.iter().map(|number| number.abs()).sum();
            let all: f32 = to.numbers.iter().map(|number| number.abs()).sum();
            prop_assert!((inside - all).abs() < 1e-3 * (1.0 + all));
        }
    }

    #[test]
    fn means_and_shifts_are_of_channels() {
        let (rows, columns, channels) = (3, 5, 18);
        let numbers = random(rows * columns * channels, &mut Rng::new(1));
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
