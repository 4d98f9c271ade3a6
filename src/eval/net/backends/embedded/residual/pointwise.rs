//! Layers that look at each point by itself, and what comes after the sums of the processor's matrix unit.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::super::aligned::LANES;
use super::super::instructions::Instructions;
use super::super::tiled::{Rows, Tiled, TiledRoom};
use super::activation::silu;
use super::product::{Finish, Panel, Product, Weights};

/// At each point all outputs are weighted sums of all inputs.
#[derive(Clone, Debug)]
pub(super) struct Pointwise {
    inputs: usize,
    weights: PointWeights,
    instructions: Instructions,
}

#[derive(Clone, Debug)]
enum PointWeights {
    Vectors(Weights),
    Tiles(Tiled),
}

/// Numbers of some points: one block of channels after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointBlocks<'a> {
    pub(super) numbers: &'a [f32],
    /// Numbers from one block to the next.
    pub(super) stride: usize,
    pub(super) count: usize,
}

impl Pointwise {
    /// From the weight of an input and an output.
    pub(super) fn new(
        inputs: usize,
        outputs: usize,
        instructions: Instructions,
        weight: impl Fn(usize, usize) -> f32,
    ) -> Self {
        let weights = if instructions.has_tiles() {
            PointWeights::Tiles(Tiled::new(outputs, inputs, [1, 1], |_, _, input, output| weight(input, output)))
        } else {
            PointWeights::Vectors(Weights::new(inputs, outputs, Panel::of(instructions), weight))
        };
        Self { inputs, weights, instructions }
    }

    /// Packs two matrices with as many outputs each, for [`Finish::Gate`].
    pub(super) fn paired(
        inputs: usize,
        outputs: usize,
        instructions: Instructions,
        weight: impl Fn(bool, usize, usize) -> f32,
    ) -> Self {
        if instructions.has_tiles() {
            return Self::new(inputs, 2 * outputs.next_multiple_of(LANES), instructions, |input, place| {
                let (output, gate) = (place / LANES / 2 * LANES + place % LANES, place / LANES % 2 == 1);
                if output < outputs { weight(gate, input, output) } else { 0.0 }
            });
        }
        let weights = PointWeights::Vectors(Weights::paired(inputs, outputs, Panel::of(instructions), weight));
        Self { inputs, weights, instructions }
    }

    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Blocks of outputs, of both matrices of a pair.
    pub(super) fn blocks(&self) -> usize {
        match &self.weights {
            PointWeights::Vectors(weights) => weights.blocks(),
            PointWeights::Tiles(tiled) => tiled.blocks(),
        }
    }

    /// Calculates all points of `to`, whose blocks are `to_stride` numbers apart.
    pub(super) fn run(
        &self,
        from: PointBlocks<'_>,
        to: &mut [f32],
        to_stride: usize,
        finish: Finish<'_>,
        room: &mut TiledRoom,
    ) {
        let PointBlocks { numbers, stride, count: points } = from;
        match &self.weights {
            PointWeights::Vectors(weights) => {
                let weights = weights.all();
                self.instructions.run(Product {
                    weights,
                    from: numbers,
                    from_stride: stride,
                    points,
                    to,
                    to_stride,
                    finish,
                });
            }
            PointWeights::Tiles(by) => {
                let boards = [1, 1, points];
                by.run(&Rows { boards, numbers, stride, start: |_, _| 0 }, room);
                let blocks = by.blocks();
                self.instructions.run(AfterTiles { room, boards, blocks, to, to_stride, finish });
            }
        }
    }
}

/// Use of the sums of boards whose points follow one another.
pub(super) struct AfterTiles<'a> {
    pub(super) room: &'a TiledRoom,
    /// Positions, rows and columns.
    pub(super) boards: [usize; 3],
    pub(super) blocks: usize,
    pub(super) to: &'a mut [f32],
    pub(super) to_stride: usize,
    pub(super) finish: Finish<'a>,
}

impl SimdOp for AfterTiles<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Self { room, boards: [positions, rows, columns], blocks, to, to_stride, finish } = self;
        let paired = usize::from(matches!(finish, Finish::Gate(_)));
        for (block, row) in (0..blocks >> paired).flat_map(|block| (0..positions * rows).map(move |row| (block, row))) {
            let [sums, gates] = [0, paired].map(|other| room.row((block << paired) + other, row / rows, row % rows));
            let first = row * columns;
            let to = &mut to[block * to_stride + first * LANES..][..columns * LANES];
            for (point, to) in to.chunks_exact_mut(LANES).enumerate() {
                for vector in (0..LANES).step_by(lanes) {
                    let sum = ops.load(&sums[point][vector..]);
                    let to = &mut to[vector..][..lanes];
                    let number = match finish {
                        Finish::Store => sum,
                        Finish::Add => ops.add(sum, ops.load(to)),
                        Finish::Scale(by) => ops.mul(sum, ops.splat(by[first + point])),
                        Finish::Gate(by) => {
                            let by = ops.splat(by[first + point]);
                            let gate = ops.load(&gates[point][vector..]);
                            ops.mul(silu(isa, ops.mul(sum, by)), ops.mul(gate, by))
                        }
                    };
                    ops.store(number, to);
                }
            }
        }
    }
}
