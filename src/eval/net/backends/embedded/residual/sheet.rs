//! The numbers of some boards between two layers.

use std::ops::Range;

use rten_simd::Isa;
use rten_simd::SimdOp;
use rten_simd::ops::{BitOps, NumOps};

use super::super::aligned::{Aligned, LANES};
use super::activation::activated;
use crate::eval::net::katago::net::{Activation, Affine};

/// SheetShape of one shape that are calculated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SheetShape {
    pub(super) positions: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl SheetShape {
    /// Points of a board.
    pub(super) fn area(self) -> usize {
        self.rows * self.columns
    }

    /// Points of all of them.
    pub(super) fn points(self) -> usize {
        self.positions * self.area()
    }

    /// The points of a board.
    pub(super) fn range(self, position: usize) -> Range<usize> {
        position * self.area()..(position + 1) * self.area()
    }
}

/// Channels of the points of all boards: blocks of channels, points, channels of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    pub(super) points: usize,
    pub(super) blocks: usize,
    pub(super) numbers: Aligned,
}

impl Sheet {
    pub(super) fn new(points: usize, channels: usize) -> Self {
        let blocks = channels.div_ceil(LANES);
        Self { points, blocks, numbers: Aligned::zeros(points * blocks * LANES) }
    }

    /// Makes room for so many points and blocks. What stands there means nothing.
    pub(super) fn reshape(&mut self, points: usize, blocks: usize) {
        (self.points, self.blocks) = (points, blocks);
        self.numbers.resize(points * blocks * LANES);
    }

    /// Numbers from one block to the next.
    pub(super) fn stride(&self) -> usize {
        self.points * LANES
    }

    /// Some points of a block.
    pub(super) fn part(&self, block: usize, points: Range<usize>) -> &[f32] {
        &self.numbers[(block * self.points + points.start) * LANES..(block * self.points + points.end) * LANES]
    }

    /// One number of a channel for each point of a board.
    pub(super) fn plane(&self, channel: usize, points: Range<usize>) -> impl Iterator<Item = f32> {
        let points = self.part(channel / LANES, points).as_chunks::<LANES>().0;
        points.iter().map(move |point| point[channel % LANES])
    }

    /// Adds numbers of a board's channels to each of its points.
    pub(super) fn shift(&mut self, points: Range<usize>, by: &[f32]) {
        for (block, by) in by.chunks(LANES).enumerate() {
            let first = block * self.points;
            let own = &mut self.numbers[(first + points.start) * LANES..(first + points.end) * LANES];
            for point in own.as_chunks_mut::<LANES>().0 {
                point.iter_mut().zip(by).for_each(|(number, by)| *number += by);
            }
        }
    }
}

/// `activation(number · factor + bias)`, by channels.
#[derive(Clone, Debug)]
pub(super) struct Norm {
    /// Sheets of whole blocks; what is no channel is zero and stays so.
    factor: Vec<f32>,
    bias: Vec<f32>,
    activation: Activation,
}

impl Norm {
    pub(super) fn new(norm: &Affine, activation: Activation) -> Self {
        let padded = |numbers: &[f32]| {
            let mut padded = numbers.to_vec();
            padded.resize(numbers.len().next_multiple_of(LANES), 0.0);
            padded
        };
        Self { factor: padded(&norm.factor), bias: padded(&norm.bias), activation }
    }
}

/// Takes that of another sheet of the same shape.
pub(super) struct Activate<'a> {
    pub(super) from: &'a Sheet,
    pub(super) norm: &'a Norm,
    /// Factors of the points, if there are any.
    pub(super) scales: Option<&'a [f32]>,
    pub(super) to: &'a mut Sheet,
}

impl SimdOp for Activate<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Norm { factor, bias, activation } = self.norm;
        let stride = self.from.stride();
        let blocks = self.from.numbers.chunks_exact(stride).zip(self.to.numbers.chunks_exact_mut(stride));
        for (block, (from, to)) in blocks.enumerate() {
            for vector in (0..LANES).step_by(lanes) {
                let factor = ops.load(&factor[block * LANES + vector..]);
                let bias = ops.load(&bias[block * LANES + vector..]);
                for (point, (from, to)) in from.chunks_exact(LANES).zip(to.chunks_exact_mut(LANES)).enumerate() {
                    let mut number = ops.load(&from[vector..]);
                    if let Some(scales) = self.scales {
                        number = ops.mul(number, ops.splat(scales[point]));
                    }
                    let number = ops.mul_add(number, factor, bias);
                    ops.store(activated(isa, *activation, number), &mut to[vector..][..lanes]);
                }
            }
        }
    }
}
