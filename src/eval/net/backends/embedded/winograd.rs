//! Convolutions of three by three points by fewer multiplications: sums of the numbers of a tile, each times a sum of weights, give results
//! for several points at once. A tile of four by four numbers gives two by two results by 16 products, for which the definition takes 36;
//! one of five by five gives nine by 25 instead of 81; one of six by six sixteen by 36 instead of 144. Larger tiles take more that no board
//! has a place for, so the board decides. (A. Lavin and S. Gray, *Fast algorithms for convolutional neural networks*, 2016: F(2×2, 3×3) and
//! F(4×4, 3×3); F(3×3, 3×3) in the same way, by the points 0, 1, -1, 2 and infinity.)

use std::ops::Range;
use std::sync::OnceLock;

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::aligned::{Aligned, LANES};
use super::instructions::{Instructions, lanes, rectified};
use super::map::Map;

/// Tiles that are gone through at once, about: what is kept of them stays near the processor.
const STRIP: usize = 28;

/// A convolution with its weights in the order in which they are used.
#[derive(Clone, Debug)]
pub(super) struct Winograd {
    inputs: usize,
    outputs: usize,
    /// In the order of ONNX: output, input, row, column.
    weights: Vec<f32>,
    /// For tiles of two, three and four results, once a board wants them.
    spread: [OnceLock<Aligned>; 3],
    bias: Vec<f32>,
    /// Whether the last block of outputs is not more than half full.
    half: bool,
    instructions: Instructions,
}

/// One dimension of a window: what its three weights are worth for each of the sums of a tile.
pub(super) fn spread(tile: usize, w: [f32; 3]) -> [f32; 6] {
    let [a, b, c] = w;
    match tile {
        2 => [a, (a + b + c) / 2.0, (a - b + c) / 2.0, c, 0.0, 0.0],
        3 => [a / 2.0, -(a + b + c) / 2.0, -(a - b + c) / 6.0, (a + 2.0 * b + 4.0 * c) / 6.0, c, 0.0],
        _ => {
            let (even, odd) = (a + 4.0 * c, 2.0 * b);
            [a / 4.0, -(a + b + c) / 6.0, -(a - b + c) / 6.0, (even + odd) / 24.0, (even - odd) / 24.0, c]
        }
    }
}

impl Winograd {
    /// From weights in the order of ONNX: output, input, row, column.
    pub(super) fn new(
        outputs: usize,
        inputs: usize,
        weights: &[f32],
        bias: &[f32],
        instructions: Instructions,
    ) -> Self {
        let mut bias = bias.to_vec();
        bias.resize(outputs.div_ceil(LANES) * LANES, 0.0);
        let half = (1..=LANES / 2).contains(&(outputs % LANES));
        Self { inputs, outputs, weights: weights.to_vec(), spread: Default::default(), bias, half, instructions }
    }

    /// The weights of tiles with so many rows and columns of results: of each sum, of each block of outputs: input, output.
    fn weights(&self, tile: usize) -> &[f32] {
        self.spread[tile - 2].get_or_init(|| {
            let (side, blocks) = (tile + 2, self.outputs.div_ceil(LANES));
            let mut ordered = Aligned::zeros(side * side * blocks * self.inputs * LANES);
            for (number, window) in self.weights.as_chunks::<9>().0.iter().enumerate() {
                let (output, input) = (number / self.inputs, number % self.inputs);
                let rows: [[f32; 6]; 3] =
                    std::array::from_fn(|row| spread(tile, std::array::from_fn(|column| window[row * 3 + column])));
                for column in 0..side {
                    let sums = spread(tile, rows.map(|row| row[column]));
                    for (row, &weight) in sums[..side].iter().enumerate() {
                        let block = (row * side + column) * blocks + output / LANES;
                        ordered[(block * self.inputs + input) * LANES + output % LANES] = weight;
                    }
                }
            }
            ordered
        })
    }

    /// Calculates `to`, which has the same size as `from`. `plus` is added before what is negative becomes zero.
    pub(super) fn run(&self, from: &Map, plus: Option<&Map>, rectify: bool, to: &mut Map, scratch: &mut Aligned) {
        let weights = self.weights(to.tile);
        self.instructions.run(Run { by: self, weights, from, plus, rectify, to, scratch });
    }
}

struct Run<'a> {
    by: &'a Winograd,
    weights: &'a [f32],
    from: &'a Map,
    plus: Option<&'a Map>,
    rectify: bool,
    to: &'a mut Map,
    scratch: &'a mut Aligned,
}

/// Where the sums of a strip are, or their products: block, sum, tile, channel of the block.
#[derive(Clone, Copy)]
struct Strip {
    tiles: usize,
    /// Sums of a tile.
    sums: usize,
    /// From one sum of a tile to the next: an odd number of lines of the processor's cache, so that they do not share few places of it.
    line: usize,
}

impl SimdOp for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        // Vectors of a block, and tiles whose sums leave registers for weights and a number; the same for half a block.
        match const { lanes::<I>() } {
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
        let tile = self.to.tile;
        let (rows, columns) = (self.to.rows.div_ceil(tile), self.to.columns.div_ceil(tile));
        let strips = rows.div_ceil((STRIP / columns).max(1));
        let blocks = self.to.blocks;
        let whole = if self.by.half { blocks - 1 } else { blocks };
        for strip in 0..strips {
            let rows = strip * rows / strips..(strip + 1) * rows / strips;
            let tiles = rows.len() * columns;
            let strip = Strip { tiles, sums: (tile + 2).pow(2), line: (tiles | 1) * LANES };
            let size = strip.sums * strip.line;
            let mut scratch = std::mem::take(self.scratch);
            scratch.resize(scratch.len().max(size * (self.from.blocks + blocks)));
            let (sums, products) = scratch.split_at_mut(size * self.from.blocks);
            match tile {
                2 => self.read::<I, VECTORS, HALF, 2, 4>(isa, rows.clone(), strip, sums),
                3 => self.read::<I, VECTORS, HALF, 3, 5>(isa, rows.clone(), strip, sums),
                _ => self.read::<I, VECTORS, HALF, 4, 6>(isa, rows.clone(), strip, sums),
            }
            for sum in 0..strip.sums {
                for block in 0..whole {
                    self.multiply::<I, VECTORS, MOST>(isa, strip, sum, block, sums, products);
                }
                for block in whole..blocks {
                    self.multiply::<I, HALF, MOST_OF_HALF>(isa, strip, sum, block, sums, products);
                }
            }
            match tile {
                2 => self.write::<I, VECTORS, HALF, 2, 4>(isa, rows, strip, products),
                3 => self.write::<I, VECTORS, HALF, 3, 5>(isa, rows, strip, products),
                _ => self.write::<I, VECTORS, HALF, 4, 6>(isa, rows, strip, products),
            }
            *self.scratch = scratch;
        }
    }

    /// The sums of all tiles of those rows.
    #[inline(always)]
    fn read<I: Isa, const VECTORS: usize, const HALF: usize, const TILE: usize, const SIDE: usize>(
        &self,
        isa: I,
        rows: Range<usize>,
        strip: Strip,
        to: &mut [f32],
    ) {
        let ops = isa.f32();
        let lanes = ops.len();
        let columns = self.to.columns.div_ceil(TILE);
        for (block, to) in to.chunks_exact_mut(strip.sums * strip.line).enumerate() {
            let vectors = if self.by.inputs - block * LANES > LANES / 2 { VECTORS } else { HALF };
            let mut tile = 0;
            for row in rows.clone() {
                let mut lines = [&self.from.numbers[..0]; SIDE];
                for (i, line) in lines.iter_mut().enumerate() {
                    *line = &self.from.numbers[self.from.at(TILE * row + i, block, 0)..];
                }
                for column in 0..columns {
                    let first = TILE * column * LANES;
                    for vector in 0..vectors {
                        let mut numbers = [[ops.zero(); SIDE]; SIDE];
                        for (numbers, line) in numbers.iter_mut().zip(lines) {
                            let line = &line[first..][..SIDE * LANES];
                            let mut d = [ops.zero(); SIDE];
                            for (j, d) in d.iter_mut().enumerate() {
                                *d = ops.load(&line[j * LANES + vector * lanes..]);
                            }
                            *numbers = sums::<I, SIDE>(isa, d);
                        }
                        for j in 0..SIDE {
                            let mut d = [ops.zero(); SIDE];
                            for (d, numbers) in d.iter_mut().zip(&numbers) {
                                *d = numbers[j];
                            }
                            for (i, sum) in sums::<I, SIDE>(isa, d).into_iter().enumerate() {
                                let at = (i * SIDE + j) * strip.line + tile * LANES + vector * lanes;
                                ops.store(sum, &mut to[at..][..lanes]);
                            }
                        }
                    }
                    tile += 1;
                }
            }
        }
    }

    /// The products of one sum of all tiles, for a block of outputs. Cuts the tiles into parts of one length or one more.
    #[inline(always)]
    fn multiply<I: Isa, const VECTORS: usize, const MOST: usize>(
        &self,
        isa: I,
        strip: Strip,
        sum: usize,
        block: usize,
        from: &[f32],
        to: &mut [f32],
    ) {
        let size = self.by.inputs * LANES;
        let weights = &self.weights[(sum * self.to.blocks + block) * size..][..size];
        let (from, to) = (&from[sum * strip.line..], &mut to[(block * strip.sums + sum) * strip.line..]);
        let parts = strip.tiles.div_ceil(MOST);
        match strip.tiles / parts {
            1 => parts_of::<I, VECTORS, 1, 2>(isa, strip, parts, weights, from, to),
            2 => parts_of::<I, VECTORS, 2, 3>(isa, strip, parts, weights, from, to),
            3 if const { MOST > 3 } => parts_of::<I, VECTORS, 3, 4>(isa, strip, parts, weights, from, to),
            4 if const { MOST > 4 } => parts_of::<I, VECTORS, 4, 5>(isa, strip, parts, weights, from, to),
            5 if const { MOST > 5 } => parts_of::<I, VECTORS, 5, 6>(isa, strip, parts, weights, from, to),
            6 if const { MOST > 6 } => parts_of::<I, VECTORS, 6, 7>(isa, strip, parts, weights, from, to),
            7 if const { MOST > 7 } => parts_of::<I, VECTORS, 7, 8>(isa, strip, parts, weights, from, to),
            8 if const { MOST > 8 } => parts_of::<I, VECTORS, 8, 9>(isa, strip, parts, weights, from, to),
            9 if const { MOST > 9 } => parts_of::<I, VECTORS, 9, 10>(isa, strip, parts, weights, from, to),
            10 if const { MOST > 10 } => parts_of::<I, VECTORS, 10, 11>(isa, strip, parts, weights, from, to),
            11 if const { MOST > 11 } => parts_of::<I, VECTORS, 11, 12>(isa, strip, parts, weights, from, to),
            12 if const { MOST > 12 } => parts_of::<I, VECTORS, 12, 13>(isa, strip, parts, weights, from, to),
            _ => parts_of::<I, VECTORS, MOST, MOST>(isa, strip, parts, weights, from, to),
        }
    }

    /// The results of those rows of tiles.
    #[inline(always)]
    fn write<I: Isa, const VECTORS: usize, const HALF: usize, const TILE: usize, const SIDE: usize>(
        &mut self,
        isa: I,
        rows: Range<usize>,
        strip: Strip,
        from: &[f32],
    ) {
        let ops = isa.f32();
        let lanes = ops.len();
        let columns = self.to.columns.div_ceil(TILE);
        for block in 0..self.to.blocks {
            let from = &from[block * strip.sums * strip.line..][..strip.sums * strip.line];
            let vectors = if self.by.half && block + 1 == self.to.blocks { HALF } else { VECTORS };
            let mut tile = 0;
            for row in rows.clone() {
                for column in 0..columns {
                    // Few boards have points for all of their last tiles.
                    let height = TILE.min(self.to.rows - TILE * row);
                    let width = TILE.min(self.to.columns - TILE * column);
                    for vector in 0..vectors {
                        let mut across = [[ops.zero(); TILE]; SIDE];
                        for (i, across) in across.iter_mut().enumerate() {
                            let mut m = [ops.zero(); SIDE];
                            for (j, m) in m.iter_mut().enumerate() {
                                let at = (i * SIDE + j) * strip.line + tile * LANES + vector * lanes;
                                *m = ops.load(&from[at..][..lanes]);
                            }
                            *across = results::<I, TILE, SIDE>(isa, m);
                        }
                        let bias = ops.load(&self.by.bias[block * LANES + vector * lanes..]);
                        let mut all = [[bias; TILE]; TILE];
                        for j in 0..TILE {
                            let mut m = [ops.zero(); SIDE];
                            for (m, across) in m.iter_mut().zip(&across) {
                                *m = across[j];
                            }
                            for (all, result) in all.iter_mut().zip(results::<I, TILE, SIDE>(isa, m)) {
                                all[j] = ops.add(all[j], result);
                            }
                        }
                        for (i, results) in all.iter_mut().enumerate().take(height) {
                            let at = self.to.at(TILE * row + i + 1, block, TILE * column + 1);
                            let to = &mut self.to.numbers[at..][..TILE * LANES];
                            if let Some(plus) = self.plus {
                                let plus = &plus.numbers[at..][..TILE * LANES];
                                for (j, result) in results.iter_mut().enumerate() {
                                    *result = ops.add(*result, ops.load(&plus[j * LANES + vector * lanes..]));
                                }
                            }
                            if self.rectify {
                                for result in results.iter_mut() {
                                    *result = rectified(isa, *result);
                                }
                            }
                            for (j, result) in results.iter().enumerate().take(width) {
                                ops.store(*result, &mut to[j * LANES + vector * lanes..][..lanes]);
                            }
                        }
                    }
                    tile += 1;
                }
            }
        }
    }
}

/// One dimension of a tile: its numbers as the sums that are multiplied.
#[inline(always)]
pub(super) fn sums<I: Isa, const SIDE: usize>(isa: I, d: [I::F32; SIDE]) -> [I::F32; SIDE] {
    let ops = isa.f32();
    let mut s = d;
    match SIDE {
        4 => {
            s[0] = ops.sub(d[0], d[2]);
            s[1] = ops.add(d[1], d[2]);
            s[2] = ops.sub(d[2], d[1]);
            s[3] = ops.sub(d[1], d[3]);
        }
        5 => {
            let (two, less) = (ops.splat(2.0), ops.splat(-2.0));
            let (far, near) = (ops.sub(d[3], d[1]), ops.sub(d[3], d[2]));
            s[0] = ops.mul_add(two, ops.sub(d[0], d[2]), far);
            s[1] = ops.mul_add(less, d[1], near);
            s[2] = ops.mul_add(two, ops.sub(d[1], d[2]), near);
            s[3] = far;
            s[4] = ops.mul_add(less, far, ops.sub(d[4], d[2]));
        }
        _ => {
            let (two, less_two) = (ops.splat(2.0), ops.splat(-2.0));
            let (four, less_four, less_five) = (ops.splat(4.0), ops.splat(-4.0), ops.splat(-5.0));
            let (even, odd) = (ops.sub(d[4], d[2]), ops.sub(d[3], d[1]));
            s[0] = ops.mul_add(four, d[0], ops.mul_add(less_five, d[2], d[4]));
            s[1] = ops.mul_add(less_four, ops.add(d[1], d[2]), ops.add(d[3], d[4]));
            s[2] = ops.mul_add(four, ops.sub(d[1], d[2]), ops.sub(d[4], d[3]));
            s[3] = ops.mul_add(two, odd, even);
            s[4] = ops.mul_add(less_two, odd, even);
            s[5] = ops.mul_add(four, d[1], ops.mul_add(less_five, d[3], d[5]));
        }
    }
    s
}

/// One dimension of a tile: its products as results.
#[inline(always)]
pub(super) fn results<I: Isa, const TILE: usize, const SIDE: usize>(isa: I, m: [I::F32; SIDE]) -> [I::F32; TILE] {
    let ops = isa.f32();
    let mut r = [ops.zero(); TILE];
    let (sum, difference) = (ops.add(m[1], m[2]), ops.sub(m[1], m[2]));
    match TILE {
        2 => {
            r[0] = ops.add(m[0], sum);
            r[1] = ops.sub(difference, m[3]);
        }
        3 => {
            r[0] = ops.add(ops.add(m[0], sum), m[3]);
            r[1] = ops.mul_add(ops.splat(2.0), m[3], difference);
            r[2] = ops.add(ops.mul_add(ops.splat(4.0), m[3], sum), m[4]);
        }
        _ => {
            let (far, opposed) = (ops.add(m[3], m[4]), ops.sub(m[3], m[4]));
            r[0] = ops.add(ops.add(m[0], sum), far);
            r[1] = ops.mul_add(ops.splat(2.0), opposed, difference);
            r[2] = ops.mul_add(ops.splat(4.0), far, sum);
            r[3] = ops.add(ops.mul_add(ops.splat(8.0), opposed, difference), m[5]);
        }
    }
    r
}

#[inline(always)]
fn parts_of<I: Isa, const VECTORS: usize, const SHORT: usize, const LONG: usize>(
    isa: I,
    strip: Strip,
    parts: usize,
    weights: &[f32],
    from: &[f32],
    to: &mut [f32],
) {
    let long = strip.tiles - parts * SHORT;
    for part in 0..long {
        part_of::<I, VECTORS, LONG>(isa, strip, part * LONG, weights, from, to);
    }
    for part in long..parts {
        part_of::<I, VECTORS, SHORT>(isa, strip, part * SHORT + long, weights, from, to);
    }
}

/// The products of some tiles with the weights of a block of outputs.
#[inline(always)]
fn part_of<I: Isa, const VECTORS: usize, const WIDTH: usize>(
    isa: I,
    strip: Strip,
    first: usize,
    weights: &[f32],
    from: &[f32],
    to: &mut [f32],
) {
    let ops = isa.f32();
    let lanes = ops.len();
    let mut sums = [[ops.zero(); VECTORS]; WIDTH];
    for (block, weights) in weights.chunks(LANES * LANES).enumerate() {
        let numbers = &from[block * strip.sums * strip.line + first * LANES..][..WIDTH * LANES];
        for (input, weights) in (0..LANES).zip(weights.chunks_exact(LANES)) {
            let mut own = [ops.zero(); VECTORS];
            for vector in 0..VECTORS {
                own[vector] = ops.load(&weights[vector * lanes..]);
            }
            for tile in 0..WIDTH {
                let number = ops.splat(numbers[tile * LANES + input]);
                for vector in 0..VECTORS {
                    sums[tile][vector] = ops.mul_add(number, own[vector], sums[tile][vector]);
                }
            }
        }
    }
    let to = &mut to[first * LANES..][..WIDTH * LANES];
    for tile in 0..WIDTH {
        for vector in 0..VECTORS {
            ops.store(sums[tile][vector], &mut to[tile * LANES + vector * lanes..][..lanes]);
        }
    }
}

#[cfg(test)]
mod tests {
    use rten_simd::isa::GenericIsa;

    use super::*;
    use crate::rng::Rng;

    fn run_by<I: Isa>(isa: I, by: &Winograd, from: &Map, plus: &Map) -> Aligned {
        let mut to = Map::new(from.rows, from.columns, by.outputs);
        let (weights, mut scratch) = (by.weights(to.tile), Aligned::default());
        Run { by, weights, from, plus: Some(plus), rectify: true, to: &mut to, scratch: &mut scratch }.eval(isa);
        to.numbers
    }

    /// The instructions of other processors are tried here too, as far as this one has them.
    #[test]
    fn vectors_of_all_lengths_give_the_same() {
        let mut rng = Rng::new(2);
        let mut random = |count: usize| (0..count).map(|_| rng.unit() - 0.5).collect::<Vec<f32>>();
        // Boards for tiles of each kind, in one strip and in several.
        for (rows, columns) in [(2, 2), (10, 7), (9, 9), (13, 13), (11, 11), (19, 19), (25, 25)] {
            for (inputs, outputs) in [(16, 16), (17, 40), (24, 24), (32, 32)] {
                let by = Winograd::new(
                    outputs,
                    inputs,
                    &random(9 * inputs * outputs),
                    &random(outputs),
                    Instructions::Fastest,
                );
                let mut map = |channels: usize| {
                    let mut map = Map::new(rows, columns, channels);
                    map.read(&random(channels * rows * columns));
                    map
                };
                let (from, plus) = (map(inputs), map(outputs));
                let mut to = Map::new(rows, columns, outputs);
                by.run(&from, Some(&plus), true, &mut to, &mut Aligned::default());
                let mut others = vec![run_by(GenericIsa::new(), &by, &from, &plus)];
                #[cfg(target_arch = "x86_64")]
                {
                    others.extend(rten_simd::isa::Avx2Isa::new().map(|isa| run_by(isa, &by, &from, &plus)));
                    others.extend(rten_simd::isa::Avx512Isa::new().map(|isa| run_by(isa, &by, &from, &plus)));
                }
                for other in others {
                    let far = other.iter().zip(to.numbers.iter()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                    assert!(far < 1e-4, "{rows}x{columns}, {inputs} to {outputs}: {far}");
                }
            }
        }
    }
}
