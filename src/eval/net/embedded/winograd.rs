//! Convolutions of three by three points by less than half of the multiplications: sixteen sums of four by four numbers of a channel,
//! each times a sum of weights, give two by two results, for which the definition takes thirty-six. (A. Lavin and S. Gray,
//! *Fast algorithms for convolutional neural networks*, 2016: F(2×2, 3×3).)

use std::ops::Range;

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::map::{LANES, Map};

/// Rows and columns of the numbers that a tile is made of.
const SIDE: usize = 4;
const SUMS: usize = SIDE * SIDE;
/// Tiles that are gone through at once, about: what is kept of them stays near the processor.
const STRIP: usize = 28;
/// What is kept of a tile for a block of channels: its sums one after the other, and room that keeps tiles from sharing few places of the
/// processor's cache.
const TILE: usize = (SUMS + 1) * LANES;

/// A convolution with its weights in the order in which they are used.
#[derive(Clone, Debug)]
pub(super) struct Winograd {
    inputs: usize,
    /// Of each sum, of each block of outputs: input, output.
    weights: Vec<f32>,
    bias: Vec<f32>,
    /// Whether the last block of outputs is not more than half full.
    half: bool,
}

impl Winograd {
    /// From weights in the order of ONNX: output, input, row, column.
    pub(super) fn new(outputs: usize, inputs: usize, weights: &[f32], bias: &[f32]) -> Self {
        // One dimension of a window: what its three weights are worth for each of four sums.
        let spread = |w: [f32; 3]| [w[0], (w[0] + w[1] + w[2]) / 2.0, (w[0] - w[1] + w[2]) / 2.0, w[2]];
        let blocks = outputs.div_ceil(LANES);
        let mut ordered = vec![0.0; SUMS * blocks * inputs * LANES];
        for (number, window) in weights.as_chunks::<9>().0.iter().enumerate() {
            let (output, input) = (number / inputs, number % inputs);
            let rows: [[f32; 4]; 3] =
                std::array::from_fn(|row| spread(std::array::from_fn(|column| window[row * 3 + column])));
            let sums: [[f32; 4]; 4] = std::array::from_fn(|column| spread(rows.map(|row| row[column])));
            for (number, weight) in (0..SUMS).map(|number| (number, sums[number % SIDE][number / SIDE])) {
                let block = number * blocks + output / LANES;
                ordered[(block * inputs + input) * LANES + output % LANES] = weight;
            }
        }
        let mut bias = bias.to_vec();
        bias.resize(blocks * LANES, 0.0);
        Self { inputs, weights: ordered, bias, half: (1..=LANES / 2).contains(&(outputs % LANES)) }
    }

    /// Calculates `to`, which has the same size as `from`. `plus` is added before what is negative becomes zero.
    pub(super) fn run(&self, from: &Map, plus: Option<&Map>, rectify: bool, to: &mut Map, scratch: &mut Vec<f32>) {
        Run { by: self, from, plus, rectify, to, scratch }.dispatch();
    }
}

struct Run<'a> {
    by: &'a Winograd,
    from: &'a Map,
    plus: Option<&'a Map>,
    rectify: bool,
    to: &'a mut Map,
    scratch: &'a mut Vec<f32>,
}

impl SimdOp for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        // Vectors of a block, and tiles whose sums leave registers for weights and a number; the same for half a block.
        match isa.f32().len() {
            16 => self.all::<I, 1, 13, 1, 13>(isa),
            8 => self.all::<I, 2, 6, 1, 13>(isa),
            _ => self.all::<I, 4, 3, 2, 6>(isa),
        }
    }
}

impl Run<'_> {
    /// Strip by strip.
    #[inline(always)]
    fn all<I: Isa, const VECTORS: usize, const MOST: usize, const HALF: usize, const MOST_OF_HALF: usize>(
        &mut self,
        isa: I,
    ) {
        let (rows, columns) = (self.to.rows.div_ceil(2), self.to.columns.div_ceil(2));
        let strips = rows.div_ceil((STRIP / columns).max(1));
        let blocks = self.to.blocks;
        let whole = if self.by.half { blocks - 1 } else { blocks };
        for strip in 0..strips {
            let rows = strip * rows / strips..(strip + 1) * rows / strips;
            let tiles = rows.len() * columns;
            let size = tiles * TILE;
            let mut scratch = std::mem::take(self.scratch);
            scratch.resize(scratch.len().max(size * (self.from.blocks + blocks)), 0.0);
            let (sums, products) = scratch.split_at_mut(size * self.from.blocks);
            self.read::<I, VECTORS, HALF>(isa, rows.clone(), sums);
            for sum in 0..SUMS {
                for block in 0..whole {
                    self.multiply::<I, VECTORS, MOST>(isa, tiles, sum, block, sums, products);
                }
                for block in whole..blocks {
                    self.multiply::<I, HALF, MOST_OF_HALF>(isa, tiles, sum, block, sums, products);
                }
            }
            self.write::<I, VECTORS, HALF>(isa, rows, products);
            *self.scratch = scratch;
        }
    }

    /// The sums of all tiles of those rows: block, tile, sum, channel of the block.
    #[inline(always)]
    fn read<I: Isa, const VECTORS: usize, const HALF: usize>(&self, isa: I, rows: Range<usize>, to: &mut [f32]) {
        let ops = isa.f32();
        let lanes = ops.len();
        let columns = self.to.columns.div_ceil(2);
        let mut tiles = to.chunks_exact_mut(TILE);
        for block in 0..self.from.blocks {
            let vectors = if self.by.inputs - block * LANES > LANES / 2 { VECTORS } else { HALF };
            for row in rows.clone() {
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| &self.from.numbers[self.from.at(2 * row + i, block, 0)..]);
                for column in 0..columns {
                    let Some(to) = tiles.next() else { return };
                    let first = 2 * column * LANES;
                    let lines = [&a[first..], &b[first..], &c[first..], &d[first..]];
                    for vector in 0..vectors {
                        let mut numbers = [[ops.zero(); SIDE]; SIDE];
                        for i in 0..SIDE {
                            let line = &lines[i][..SIDE * LANES];
                            let mut d = [ops.zero(); SIDE];
                            for j in 0..SIDE {
                                d[j] = ops.load(&line[j * LANES + vector * lanes..]);
                            }
                            numbers[i] =
                                [ops.sub(d[0], d[2]), ops.add(d[1], d[2]), ops.sub(d[2], d[1]), ops.sub(d[1], d[3])];
                        }
                        for j in 0..SIDE {
                            let d = [numbers[0][j], numbers[1][j], numbers[2][j], numbers[3][j]];
                            let sums =
                                [ops.sub(d[0], d[2]), ops.add(d[1], d[2]), ops.sub(d[2], d[1]), ops.sub(d[1], d[3])];
                            for i in 0..SIDE {
                                ops.store(sums[i], &mut to[(i * SIDE + j) * LANES + vector * lanes..][..lanes]);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The products of one sum of all tiles, for a block of outputs. Cuts the tiles into parts of one length or one more.
    #[inline(always)]
    fn multiply<I: Isa, const VECTORS: usize, const MOST: usize>(
        &self,
        isa: I,
        tiles: usize,
        sum: usize,
        block: usize,
        from: &[f32],
        to: &mut [f32],
    ) {
        let size = self.by.inputs * LANES;
        let weights = &self.by.weights[(sum * self.to.blocks + block) * size..][..size];
        let (from, to) = (&from[sum * LANES..], &mut to[block * tiles * TILE + sum * LANES..]);
        let parts = tiles.div_ceil(MOST);
        match tiles / parts {
            1 => parts_of::<I, VECTORS, 1, 2>(isa, tiles, parts, weights, from, to),
            2 => parts_of::<I, VECTORS, 2, 3>(isa, tiles, parts, weights, from, to),
            3 if MOST > 3 => parts_of::<I, VECTORS, 3, 4>(isa, tiles, parts, weights, from, to),
            4 if MOST > 4 => parts_of::<I, VECTORS, 4, 5>(isa, tiles, parts, weights, from, to),
            5 if MOST > 5 => parts_of::<I, VECTORS, 5, 6>(isa, tiles, parts, weights, from, to),
            6 if MOST > 6 => parts_of::<I, VECTORS, 6, 7>(isa, tiles, parts, weights, from, to),
            7 if MOST > 7 => parts_of::<I, VECTORS, 7, 8>(isa, tiles, parts, weights, from, to),
            8 if MOST > 8 => parts_of::<I, VECTORS, 8, 9>(isa, tiles, parts, weights, from, to),
            9 if MOST > 9 => parts_of::<I, VECTORS, 9, 10>(isa, tiles, parts, weights, from, to),
            10 if MOST > 10 => parts_of::<I, VECTORS, 10, 11>(isa, tiles, parts, weights, from, to),
            11 if MOST > 11 => parts_of::<I, VECTORS, 11, 12>(isa, tiles, parts, weights, from, to),
            12 if MOST > 12 => parts_of::<I, VECTORS, 12, 13>(isa, tiles, parts, weights, from, to),
            _ => parts_of::<I, VECTORS, MOST, MOST>(isa, tiles, parts, weights, from, to),
        }
    }

    /// The results of those rows of tiles.
    #[inline(always)]
    fn write<I: Isa, const VECTORS: usize, const HALF: usize>(&mut self, isa: I, rows: Range<usize>, from: &[f32]) {
        let ops = isa.f32();
        let lanes = ops.len();
        let columns = self.to.columns.div_ceil(2);
        let mut tiles = from.chunks_exact(TILE);
        for block in 0..self.to.blocks {
            let vectors = if self.by.half && block + 1 == self.to.blocks { HALF } else { VECTORS };
            for row in rows.clone() {
                for column in 0..columns {
                    let Some(from) = tiles.next() else { return };
                    // Odd boards have no points for all of their last tiles.
                    let (height, width) = (2.min(self.to.rows - 2 * row), 2.min(self.to.columns - 2 * column));
                    for vector in 0..vectors {
                        let bias = ops.load(&self.by.bias[block * LANES + vector * lanes..]);
                        let mut halves = [[ops.zero(); 2]; SIDE];
                        for i in 0..SIDE {
                            let mut m = [ops.zero(); SIDE];
                            for j in 0..SIDE {
                                m[j] = ops.load(&from[(i * SIDE + j) * LANES + vector * lanes..]);
                            }
                            halves[i] = [ops.add(ops.add(m[0], m[1]), m[2]), ops.sub(ops.sub(m[1], m[2]), m[3])];
                        }
                        let mut results = [[bias; 2]; 2];
                        for j in 0..2 {
                            let m = [halves[0][j], halves[1][j], halves[2][j], halves[3][j]];
                            results[0][j] = ops.add(results[0][j], ops.add(ops.add(m[0], m[1]), m[2]));
                            results[1][j] = ops.add(results[1][j], ops.sub(ops.sub(m[1], m[2]), m[3]));
                        }
                        for (i, results) in results.iter_mut().enumerate().take(height) {
                            let at = self.to.at(2 * row + i + 1, block, 2 * column + 1);
                            let to = &mut self.to.numbers[at..][..2 * LANES];
                            if let Some(plus) = self.plus {
                                let plus = &plus.numbers[at..][..2 * LANES];
                                for (j, result) in results.iter_mut().enumerate() {
                                    *result = ops.add(*result, ops.load(&plus[j * LANES + vector * lanes..]));
                                }
                            }
                            if self.rectify {
                                for result in results.iter_mut() {
                                    // In this order what is no number stays none.
                                    *result = ops.max(ops.zero(), *result);
                                }
                            }
                            for (j, result) in results.iter().enumerate().take(width) {
                                ops.store(*result, &mut to[j * LANES + vector * lanes..][..lanes]);
                            }
                        }
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn parts_of<I: Isa, const VECTORS: usize, const SHORT: usize, const LONG: usize>(
    isa: I,
    tiles: usize,
    parts: usize,
    weights: &[f32],
    from: &[f32],
    to: &mut [f32],
) {
    let long = tiles - parts * SHORT;
    for part in 0..long {
        part_of::<I, VECTORS, LONG>(isa, tiles, part * LONG, weights, from, to);
    }
    for part in long..parts {
        part_of::<I, VECTORS, SHORT>(isa, tiles, part * SHORT + long, weights, from, to);
    }
}

/// The products of some tiles with the weights of a block of outputs.
#[inline(always)]
fn part_of<I: Isa, const VECTORS: usize, const WIDTH: usize>(
    isa: I,
    tiles: usize,
    first: usize,
    weights: &[f32],
    from: &[f32],
    to: &mut [f32],
) {
    let ops = isa.f32();
    let lanes = ops.len();
    let mut sums = [[ops.zero(); VECTORS]; WIDTH];
    for (block, weights) in weights.chunks(LANES * LANES).enumerate() {
        let numbers = &from[(block * tiles + first) * TILE..][..(WIDTH - 1) * TILE + LANES];
        for (input, weights) in (0..LANES).zip(weights.chunks_exact(LANES)) {
            let mut own = [ops.zero(); VECTORS];
            for vector in 0..VECTORS {
                own[vector] = ops.load(&weights[vector * lanes..]);
            }
            for tile in 0..WIDTH {
                let number = ops.splat(numbers[tile * TILE + input]);
                for vector in 0..VECTORS {
                    sums[tile][vector] = ops.mul_add(number, own[vector], sums[tile][vector]);
                }
            }
        }
    }
    let to = &mut to[first * TILE..][..(WIDTH - 1) * TILE + LANES];
    for tile in 0..WIDTH {
        for vector in 0..VECTORS {
            ops.store(sums[tile][vector], &mut to[tile * TILE + vector * lanes..][..lanes]);
        }
    }
}
