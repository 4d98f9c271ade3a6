//! Norms by the mean of squares.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::super::aligned::LANES;
use super::super::instructions::Instructions;
use super::sheet::Sheet;

/// Adds up the squares of each point.
struct Squares<'a> {
    from: &'a Sheet,
    to: &'a mut [f32],
}

impl SimdOp for Squares<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        for (point, to) in self.to.iter_mut().enumerate() {
            let mut sum = ops.zero();
            for block in self.from.numbers[point * LANES..].chunks(self.from.stride()) {
                for vector in (0..LANES).step_by(ops.len()) {
                    let number = ops.load(&block[vector..]);
                    sum = ops.mul_add(number, number, sum);
                }
            }
            *to = ops.sum(sum);
        }
    }
}

/// The sum of the squares of each point.
pub(super) fn squares(from: &Sheet, to: &mut Vec<f32>, instructions: Instructions) {
    to.resize(from.points, 0.0);
    instructions.run(Squares { from, to });
}

/// Factors of each point so that the mean of its squares is 1.
pub(super) fn scales(from: &Sheet, epsilon: f32, channels: usize, to: &mut Vec<f32>, instructions: Instructions) {
    squares(from, to, instructions);
    to.iter_mut().for_each(|sum| *sum = 1.0 / (*sum / channels as f32 + epsilon).sqrt());
}
