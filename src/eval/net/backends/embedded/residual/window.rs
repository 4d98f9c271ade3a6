//! Convolutions of any window, which leave out what is zero: most planes of a position are, at most points.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::super::aligned::LANES;
use super::sheet::{Sheet, SheetShape};
use crate::eval::net::katago::net::Convolution;

/// Vectors of outputs that are calculated together.
const TOGETHER: usize = 6;

/// A convolution; its outputs are filled up to whole blocks.
#[derive(Clone, Debug)]
pub(super) struct Window {
    window: [usize; 2],
    dilation: [usize; 2],
    inputs: usize,
    outputs: usize,
    /// Row, column, input, output.
    weights: Vec<f32>,
}

impl Window {
    pub(super) fn new(convolution: &Convolution) -> Self {
        let Convolution { window, dilation, inputs, .. } = *convolution;
        let outputs = convolution.outputs.next_multiple_of(LANES);
        let mut weights = vec![0.0; window[0] * window[1] * inputs * outputs];
        for (to, from) in weights.chunks_exact_mut(outputs).zip(convolution.weights.chunks_exact(convolution.outputs)) {
            to[..from.len()].copy_from_slice(from);
        }
        Self { window, dilation, inputs, outputs, weights }
    }
}

/// The numbers of each point that are not zero, with their channels.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    /// Where the numbers of each point end.
    ends: Vec<usize>,
    numbers: Vec<(u32, f32)>,
}

impl Sparse {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.numbers.clear();
    }

    /// Appends a point.
    fn point(&mut self, numbers: impl Iterator<Item = f32>) {
        self.numbers.extend((0..).zip(numbers).filter(|&(_, number)| number != 0.0));
        self.ends.push(self.numbers.len());
    }

    /// Appends a board: channels in the order of ONNX.
    pub(super) fn planes(&mut self, planes: &[f32], area: usize) {
        for point in 0..area {
            self.point(planes[point..].iter().step_by(area).copied());
        }
    }

    /// Appends all points of a sheet, so many channels.
    pub(super) fn sheet(&mut self, sheet: &Sheet, channels: usize) {
        for point in 0..sheet.points {
            self.point(
                (0..channels)
                    .map(|channel| sheet.numbers[(channel / LANES * sheet.points + point) * LANES + channel % LANES]),
            );
        }
    }

    fn at(&self, point: usize) -> &[(u32, f32)] {
        let start = point.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[start..self.ends[point]]
    }
}

/// Calculates `to`, or adds to it.
pub(super) struct Gather<'a> {
    pub(super) by: &'a Window,
    pub(super) boards: SheetShape,
    pub(super) from: &'a Sparse,
    pub(super) add: bool,
    pub(super) to: &'a mut Sheet,
}

impl SimdOp for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        let lanes = isa.f32().len();
        let (outputs, width) = (self.by.outputs, TOGETHER * lanes);
        let whole = outputs / width * width;
        for first in (0..whole).step_by(width) {
            self.all::<I, TOGETHER>(isa, first);
        }
        for first in (whole..outputs).step_by(lanes) {
            self.all::<I, 1>(isa, first);
        }
    }
}

impl Gather<'_> {
    /// Some outputs of all points.
    #[inline(always)]
    fn all<I: Isa, const VECTORS: usize>(&mut self, isa: I, first: usize) {
        let ops = isa.f32();
        let lanes = ops.len();
        let SheetShape { positions, rows, columns } = self.boards;
        let Window { window, dilation, inputs, outputs, ref weights } = *self.by;
        for (position, row, column) in (0..positions * rows * columns)
            .map(|point| (point / columns / rows, point / columns % rows, point % columns))
        {
            let mut sums = [ops.zero(); VECTORS];
            for i in 0..window[0] {
                let Some(other_row) = (row + i * dilation[0]).checked_sub(window[0] / 2 * dilation[0]) else {
                    continue;
                };
                for j in 0..window[1] {
                    let other = (column + j * dilation[1]).checked_sub(window[1] / 2 * dilation[1]);
                    let Some(other) = other.filter(|&other| other < columns && other_row < rows) else { continue };
                    let weights = &weights[(i * window[1] + j) * inputs * outputs + first..];
                    for &(input, number) in self.from.at((position * rows + other_row) * columns + other) {
                        let (number, weights) =
                            (ops.splat(number), &weights[input as usize * outputs..][..VECTORS * lanes]);
                        for vector in 0..VECTORS {
                            sums[vector] = ops.mul_add(number, ops.load(&weights[vector * lanes..]), sums[vector]);
                        }
                    }
                }
            }
            let point = (position * rows + row) * columns + column;
            for (vector, &sum) in sums.iter().enumerate() {
                let output = first + vector * lanes;
                let at = (output / LANES * self.to.points + point) * LANES + output % LANES;
                let to = &mut self.to.numbers[at..][..lanes];
                let sum = if self.add { ops.add(sum, ops.load(to)) } else { sum };
                ops.store(sum, to);
            }
        }
    }
}
