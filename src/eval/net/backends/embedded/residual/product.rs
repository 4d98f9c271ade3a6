//! Products of matrices: at each point all outputs are weighted sums of all inputs.
//!
//! A tile of points and outputs stays in registers while all inputs are gone through. Its outputs are a panel of weights that lie in the
//! order in which they are used.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::super::aligned::LANES;
use super::super::instructions::{Instructions, lanes};
use super::activation::silu;

/// Points that are gone through for all panels before the next ones are, about: what they need stays near the processor.
const CHUNK: usize = 104;

/// Vectors of a panel, and numbers of a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    vectors: usize,
    lanes: usize,
}

impl SimdOp for Panel {
    type Output = Self;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> Self {
        let lanes = isa.f32().len();
        Self { vectors: if lanes == 4 { 4 } else { 2 }, lanes }
    }
}

impl Panel {
    /// The panels that these instructions work with.
    pub(super) fn of(instructions: Instructions) -> Self {
        instructions.run(Self { vectors: 0, lanes: 0 })
    }

    /// Outputs of a panel.
    pub(super) fn width(self) -> usize {
        self.vectors * self.lanes
    }
}

/// Inputs whose weights are fetched before they are needed.
const AHEAD: usize = 96;

/// Weights in the order in which they are used: panel, input, output. The last panel has only one block of outputs where that is what is
/// left.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    inputs: usize,
    /// Blocks of outputs.
    blocks: usize,
    numbers: Vec<f32>,
}

/// Weights, or some panels of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panels<'a> {
    inputs: usize,
    blocks: usize,
    numbers: &'a [f32],
}

impl<'a> Panels<'a> {
    /// Packs weights in the order of [`Weights`].
    pub(super) fn new(inputs: usize, blocks: usize, numbers: &'a [f32]) -> Self {
        Self { inputs, blocks, numbers }
    }
}

impl Weights {
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    pub(super) fn all(&self) -> Panels<'_> {
        Panels { inputs: self.inputs, blocks: self.blocks, numbers: &self.numbers }
    }

    pub(super) fn new(inputs: usize, outputs: usize, panel: Panel, weight: impl Fn(usize, usize) -> f32) -> Self {
        let blocks = outputs.div_ceil(LANES);
        let mut numbers = Vec::with_capacity(inputs * blocks * LANES);
        for first in (0..blocks * LANES).step_by(panel.width()) {
            for input in 0..inputs {
                let own = first..(first + panel.width()).min(blocks * LANES);
                numbers.extend(own.map(|output| if output < outputs { weight(input, output) } else { 0.0 }));
            }
        }
        Self { inputs, blocks, numbers }
    }

    /// Takes channels of some points as inputs, and the points as outputs: the channels are those of blocks with so many numbers from one
    /// to the next.
    pub(super) fn turn(&mut self, blocks: usize, from: &[f32], stride: usize, points: usize, panel: Panel) {
        self.inputs = blocks * LANES;
        self.blocks = points.div_ceil(LANES);
        self.numbers.resize(self.inputs * self.blocks * LANES, 0.0);
        for block in 0..self.blocks {
            let first = block * LANES / panel.width() * panel.width();
            let width = panel.width().min(self.blocks * LANES - first);
            let queries = LANES.min(points - block * LANES);
            for input in 0..blocks {
                let own = &from[input * stride + block * LANES * LANES..][..queries * LANES];
                let start = first * self.inputs + input * LANES * width + block * LANES - first;
                for (place, point) in own.as_chunks::<LANES>().0.iter().enumerate() {
                    let to = self.numbers[start + place..].iter_mut().step_by(width);
                    to.zip(point).for_each(|(to, number)| *to = *number);
                }
            }
        }
    }

    /// Some of the panels: those of a number of outputs.
    pub(super) fn panel(&self, number: usize, panel: Panel) -> Panels<'_> {
        let first = number * panel.width();
        let width = panel.width().min(self.blocks * LANES - first);
        let numbers = &self.numbers[first * self.inputs..][..width * self.inputs];
        Panels { inputs: self.inputs, blocks: width / LANES, numbers }
    }

    /// Packs two matrices with as many outputs each: one half of each panel's vectors is the first one's, the other half the second one's.
    pub(super) fn paired(
        inputs: usize,
        outputs: usize,
        panel: Panel,
        weight: impl Fn(bool, usize, usize) -> f32,
    ) -> Self {
        let half = panel.width() / 2;
        Self::new(inputs, 2 * outputs.next_multiple_of(LANES), panel, |input, output| {
            let (pair, place) = (output / panel.width(), output % panel.width());
            let output = pair * half + place % half;
            if output < outputs { weight(place >= half, input, output) } else { 0.0 }
        })
    }
}

/// Use of the sums.
#[derive(Clone, Copy, Debug)]
pub(super) enum Finish<'a> {
    Store,
    /// Added to what is there.
    Add,
    /// Stored, each times the number of its point.
    Scale(&'a [f32]),
    /// Products by [`Weights::paired`]: `silu(a) · b`, both times the number of their point.
    Gate(&'a [f32]),
}

/// A product of the points of a sheet.
pub(super) struct Product<'a> {
    pub(super) weights: Panels<'a>,
    pub(super) from: &'a [f32],
    /// Numbers from one block to the next.
    pub(super) from_stride: usize,
    pub(super) points: usize,
    pub(super) to: &'a mut [f32],
    pub(super) to_stride: usize,
    pub(super) finish: Finish<'a>,
}

impl SimdOp for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        // Vectors of a panel, and points whose sums leave registers for weights and a number.
        match const { lanes::<I>() } {
            16 => by_width::<I, 2, 13>(isa, self),
            8 => by_width::<I, 2, 6>(isa, self),
            _ => by_width::<I, 4, 3>(isa, self),
        }
    }
}

/// Cuts the points into as few tiles as possible, of one length or one more.
#[inline(always)]
fn by_width<I: Isa, const VECTORS: usize, const MOST: usize>(isa: I, product: Product<'_>) {
    let tiles = product.points.div_ceil(MOST);
    match product.points / tiles.max(1) {
        0 => {}
        1 => all::<I, VECTORS, 1, 2>(isa, product, tiles),
        2 => all::<I, VECTORS, 2, 3>(isa, product, tiles),
        3 if const { MOST > 3 } => all::<I, VECTORS, 3, 4>(isa, product, tiles),
        4 if const { MOST > 4 } => all::<I, VECTORS, 4, 5>(isa, product, tiles),
        5 if const { MOST > 5 } => all::<I, VECTORS, 5, 6>(isa, product, tiles),
        6 if const { MOST > 6 } => all::<I, VECTORS, 6, 7>(isa, product, tiles),
        7 if const { MOST > 7 } => all::<I, VECTORS, 7, 8>(isa, product, tiles),
        8 if const { MOST > 8 } => all::<I, VECTORS, 8, 9>(isa, product, tiles),
        9 if const { MOST > 9 } => all::<I, VECTORS, 9, 10>(isa, product, tiles),
        10 if const { MOST > 10 } => all::<I, VECTORS, 10, 11>(isa, product, tiles),
        11 if const { MOST > 11 } => all::<I, VECTORS, 11, 12>(isa, product, tiles),
        12 if const { MOST > 12 } => all::<I, VECTORS, 12, 13>(isa, product, tiles),
        _ => all::<I, VECTORS, MOST, MOST>(isa, product, tiles),
    }
}

#[inline(always)]
fn all<I: Isa, const VECTORS: usize, const SHORT: usize, const LONG: usize>(
    isa: I,
    mut product: Product<'_>,
    tiles: usize,
) {
    let long = product.points - tiles * SHORT;
    let width = VECTORS * isa.f32().len();
    let outputs = product.weights.blocks * LANES;
    let at_once = (CHUNK / LONG).max(1);
    for from in (0..tiles).step_by(at_once) {
        let chunk = from..tiles.min(from + at_once);
        for first in (0..outputs).step_by(width) {
            let whole = first + width <= outputs;
            for tile in chunk.clone() {
                let point = tile * SHORT + tile.min(long);
                match (tile < long, whole) {
                    (true, true) => self::tile::<I, VECTORS, LONG>(isa, &mut product, first, point),
                    (false, true) => self::tile::<I, VECTORS, SHORT>(isa, &mut product, first, point),
                    // Only vectors of a block have a panel of two.
                    (true, false) => self::tile::<I, 1, LONG>(isa, &mut product, first, point),
                    (false, false) => self::tile::<I, 1, SHORT>(isa, &mut product, first, point),
                }
            }
        }
    }
}

/// Some points, and a panel of outputs.
#[inline(always)]
fn tile<I: Isa, const VECTORS: usize, const WIDTH: usize>(
    isa: I,
    product: &mut Product<'_>,
    first: usize,
    point: usize,
) {
    let ops = isa.f32();
    let lanes = ops.len();
    let inputs = product.weights.inputs;
    let weights = &product.weights.numbers[first * inputs..][..inputs * VECTORS * lanes];
    let mut sums = [[ops.zero(); VECTORS]; WIDTH];
    for (block, weights) in weights.chunks(LANES * VECTORS * lanes).enumerate() {
        let numbers = &product.from[block * product.from_stride + point * LANES..][..WIDTH * LANES];
        for (input, weights) in (0..LANES).zip(weights.chunks_exact(VECTORS * lanes)) {
            for line in (0..VECTORS * lanes).step_by(LANES) {
                ops.prefetch(weights.as_ptr().wrapping_add(AHEAD * VECTORS * lanes + line));
            }
            let mut own = [ops.zero(); VECTORS];
            for vector in 0..VECTORS {
                own[vector] = ops.load(&weights[vector * lanes..]);
            }
            for point in 0..WIDTH {
                let number = ops.splat(numbers[point * LANES + input]);
                for vector in 0..VECTORS {
                    sums[point][vector] = ops.mul_add(number, own[vector], sums[point][vector]);
                }
            }
        }
    }
    // Out of the registers at once: the compiler would keep a copy in memory up to date all along.
    let mut done = [[ops.zero(); VECTORS]; WIDTH];
    for point in 0..WIDTH {
        for vector in 0..VECTORS {
            done[point][vector] = sums[point][vector];
        }
    }
    let stride = product.to_stride;
    let place = |output: usize, number: usize| output / LANES * stride + (point + number) * LANES + output % LANES;
    match product.finish {
        Finish::Store => {
            for (number, sums) in done.iter().enumerate() {
                for (vector, &sum) in sums.iter().enumerate() {
                    ops.store(sum, &mut product.to[place(first + vector * lanes, number)..][..lanes]);
                }
            }
        }
        Finish::Add => {
            for (number, sums) in done.iter().enumerate() {
                for (vector, &sum) in sums.iter().enumerate() {
                    let to = &mut product.to[place(first + vector * lanes, number)..][..lanes];
                    ops.store(ops.add(sum, ops.load(to)), to);
                }
            }
        }
        Finish::Scale(by) => {
            for (number, sums) in done.iter().enumerate() {
                let by = ops.splat(by[point + number]);
                for (vector, &sum) in sums.iter().enumerate() {
                    ops.store(ops.mul(sum, by), &mut product.to[place(first + vector * lanes, number)..][..lanes]);
                }
            }
        }
        Finish::Gate(by) => {
            for (number, sums) in done.iter().enumerate() {
                let by = ops.splat(by[point + number]);
                for vector in 0..VECTORS / 2 {
                    let (a, gate) = (ops.mul(sums[vector], by), ops.mul(sums[VECTORS / 2 + vector], by));
                    let output = first / 2 + vector * lanes;
                    ops.store(ops.mul(silu(isa, a), gate), &mut product.to[place(output, number)..][..lanes]);
                }
            }
        }
    }
}
