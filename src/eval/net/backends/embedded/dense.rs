//! Fully connected layers.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::aligned::{Aligned, LANES};
use super::graph::{Graph, Node};
use super::instructions::{Instructions, SUMS};

/// Every output is a weighted sum of all inputs.
#[derive(Debug)]
pub(super) struct Dense {
    inputs: usize,
    outputs: usize,
    /// By block of outputs, input, output; what is missing of the last block is zeros.
    weights: Aligned,
    bias: Aligned,
    instructions: Instructions,
}

impl Dense {
    /// The layer that a `Gemm` of constants stands for; `None` where it stands for something else.
    pub(super) fn new(graph: &Graph, node: &Node, instructions: Instructions) -> Option<Self> {
        let tensor = |input: usize| graph.tensors.get(node.inputs.get(input)?);
        let (weights, bias) = (tensor(1)?, tensor(2)?);
        let &[rows, columns] = weights.shape.as_slice() else { return None };
        let by_output = node.integers("transB") == [1];
        let (inputs, outputs) = if by_output { (columns, rows) } else { (rows, columns) };
        let numbers = rows.saturating_mul(columns);
        let whole = numbers > 0 && weights.floats.len() == numbers && bias.floats.len() == outputs;
        let once = ["alpha", "beta"].into_iter().all(|name| node.number(name).is_none_or(|number| number == 1.0));
        (node.kind == "Gemm" && whole && once && node.integers("transA").iter().all(|&t| t == 0)).then_some(())?;
        let mut dense = Self {
            inputs,
            outputs,
            weights: Aligned::zeros(inputs * outputs.next_multiple_of(LANES)),
            bias: Aligned::zeros(outputs.next_multiple_of(LANES)),
            instructions,
        };
        dense.bias[..outputs].copy_from_slice(&bias.floats);
        for (input, output) in (0..inputs).flat_map(|input| (0..outputs).map(move |output| (input, output))) {
            let from = if by_output { output * inputs + input } else { input * outputs + output };
            dense.weights[(output / LANES * inputs + input) * LANES + output % LANES] = weights.floats[from];
        }
        Some(dense)
    }

    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Calculates all of `to` from as many inputs as the layer has.
    pub(super) fn run(&self, from: &[f32], to: &mut [f32]) {
        self.instructions.run(Run { by: self, from: &from[..self.inputs], to: &mut to[..self.outputs] });
    }
}

struct Run<'a> {
    by: &'a Dense,
    from: &'a [f32],
    to: &'a mut [f32],
}

impl SimdOp for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Self { by, from, to } = self;
        for (block, to) in to.chunks_mut(LANES).enumerate() {
            let weights = by.weights[block * by.inputs * LANES..].as_chunks::<LANES>().0;
            let mut all = [0.0; LANES];
            for vector in (0..LANES).step_by(lanes) {
                let mut sums = [ops.zero(); SUMS];
                sums[0] = ops.load(&by.bias[block * LANES + vector..]);
                for (place, (&number, weights)) in from.iter().zip(weights).enumerate() {
                    let sum = &mut sums[place % SUMS];
                    *sum = ops.mul_add(ops.splat(number), ops.load(&weights[vector..]), *sum);
                }
                let [a, b, c, d] = sums;
                ops.store(ops.add(ops.add(a, b), ops.add(c, d)), &mut all[vector..][..lanes]);
            }
            to.copy_from_slice(&all[..to.len()]);
        }
    }
}
