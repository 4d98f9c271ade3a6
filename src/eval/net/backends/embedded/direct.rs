//! Convolutions of three by three points, and of one, as they are defined.
//!
//! Sixteen channels of a point lie side by side, so that what is multiplied with the same weights is found at distances known
//! to the compiler, and a tile of points and output channels stays in registers while all inputs are gone through: as oneDNN
//! does it (layout nChw16c). With few channels to lay out a matrix first, as libraries do that have no such code, takes twice
//! as long.

use std::ops::Range;

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::aligned::LANES;
use super::instructions::{Instructions, lanes, rectified};
use super::map::Map;

/// A convolution with its weights in the order in which they are used.
#[derive(Clone, Debug)]
pub(super) struct Direct {
    inputs: usize,
    /// Rows and columns of the window, three or one.
    window: usize,
    /// Weights by group of output blocks, row and column of the window, input, output.
    weights: Vec<f32>,
    bias: Vec<f32>,
    group: usize,
    /// Whether the last block of outputs is not more than half full.
    half: bool,
    instructions: Instructions,
}

/// Output blocks that are calculated together: two vectors of sixteen, or what one register file holds of narrower ones.
struct Group;

impl SimdOp for Group {
    type Output = usize;

    fn eval<I: Isa>(self, isa: I) -> usize {
        if isa.f32().len() == LANES { 2 } else { 1 }
    }
}

impl Direct {
    /// From weights in the order of ONNX: output, input, row, column.
    pub(super) fn new(
        outputs: usize,
        inputs: usize,
        window: usize,
        weights: &[f32],
        bias: &[f32],
        instructions: Instructions,
    ) -> Self {
        let group = if outputs > LANES { instructions.run(Group) } else { 1 };
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
        Self { inputs, window, weights: ordered, bias, group, half, instructions }
    }

    /// Calculates `to`, which has the same size as `from`. `plus` is added before what is negative becomes zero.
    pub(super) fn run(&self, from: &Map, plus: Option<&Map>, rectify: bool, to: &mut Map) {
        self.instructions.run(Run { by: self, from, plus, rectify, to });
    }
}

struct Run<'a> {
    by: &'a Direct,
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
        let Direct { group, half, .. } = *self.by;
        let groups = self.to.blocks.div_ceil(group);
        // Of half a block narrower vectors are half of the work.
        let whole = if half { groups - 1 } else { groups };
        match const { lanes::<I>() } {
            16 if group == 2 => self.by_width::<I, 1, 2, 13>(isa, 0..groups),
            16 => self.by_width::<I, 1, 1, 13>(isa, 0..groups),
            8 => {
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
            3 if const { MOST > 3 } => self.all::<I, VECTORS, GROUP, 3, 4>(isa, groups, tiles),
            4 if const { MOST > 4 } => self.all::<I, VECTORS, GROUP, 4, 5>(isa, groups, tiles),
            5 if const { MOST > 5 } => self.all::<I, VECTORS, GROUP, 5, 6>(isa, groups, tiles),
            6 if const { MOST > 6 } => self.all::<I, VECTORS, GROUP, 6, 7>(isa, groups, tiles),
            7 if const { MOST > 7 } => self.all::<I, VECTORS, GROUP, 7, 8>(isa, groups, tiles),
            8 if const { MOST > 8 } => self.all::<I, VECTORS, GROUP, 8, 9>(isa, groups, tiles),
            9 if const { MOST > 9 } => self.all::<I, VECTORS, GROUP, 9, 10>(isa, groups, tiles),
            10 if const { MOST > 10 } => self.all::<I, VECTORS, GROUP, 10, 11>(isa, groups, tiles),
            11 if const { MOST > 11 } => self.all::<I, VECTORS, GROUP, 11, 12>(isa, groups, tiles),
            12 if const { MOST > 12 } => self.all::<I, VECTORS, GROUP, 12, 13>(isa, groups, tiles),
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
        let mut sums = [[[ops.zero(); VECTORS]; GROUP]; WIDTH];
        for block in 0..GROUP {
            for vector in 0..VECTORS {
                let bias = &self.by.bias[(group * GROUP + block) * LANES + vector * lanes..];
                sums.iter_mut().for_each(|sums| sums[block][vector] = ops.load(bias));
            }
        }
        let window = self.by.window;
        let size = window * window * self.by.inputs * GROUP * LANES;
        let mut weights = &self.by.weights[group * size..][..size];
        // A window of one point stands where the middle of a larger one would.
        let (row_above, column_before) = (row + usize::from(window == 1), column + usize::from(window == 1));
        for window_row in 0..window {
            for block in 0..self.from.blocks {
                let inputs = (self.by.inputs - block * LANES).min(LANES);
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
                    let mut sum = sum;
                    if let Some(plus) = self.plus {
                        sum = ops.add(sum, ops.load(&plus.numbers[at..]));
                    }
                    if self.rectify {
                        sum = rectified(isa, sum);
                    }
                    ops.store(sum, &mut self.to.numbers[at..][..lanes]);
                }
            }
        }
    }
}
