//! Fully connected layers, and what they read of a board.

use std::ops::Range;

use super::super::aligned::LANES;
use super::activation::activate_one;
use super::sheet::Sheet;
use crate::eval::net::katago::net::{Activation, Matrix};

/// Every output is a function of a weighted sum of all inputs.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    /// By input, then output: all sums grow at once, which the compiler makes vectors of.
    weights: Vec<f32>,
    bias: Vec<f32>,
    activation: Activation,
}

impl Linear {
    pub(super) fn new(matrix: &Matrix, bias: Option<&[f32]>, activation: Activation) -> Self {
        let bias = bias.map_or_else(|| vec![0.0; matrix.outputs], <[f32]>::to_vec);
        Self { weights: matrix.weights.clone(), bias, activation }
    }

    pub(super) fn run(&self, from: &[f32]) -> Vec<f32> {
        let mut sums = self.bias.clone();
        for (number, weights) in from.iter().zip(self.weights.chunks_exact(sums.len())) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += number * weight);
        }
        sums.iter_mut().for_each(|sum| *sum = activate_one(self.activation, *sum));
        sums
    }
}

/// The last third of the numbers that a board is summed up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Third {
    Maximum,
    /// The mean times a square of the board's side.
    Square,
}

/// Three numbers of each channel: the mean, the mean by the board's side, and the third.
pub(super) fn pool(from: &Sheet, points: Range<usize>, channels: usize, third: Third) -> Vec<f32> {
    let (mut means, mut most) = (Vec::new(), Vec::new());
    for block in 0..channels.div_ceil(LANES) {
        let (mut sums, mut largest) = ([0.0_f32; LANES], [f32::NEG_INFINITY; LANES]);
        for point in from.part(block, points.clone()).as_chunks::<LANES>().0 {
            for lane in 0..LANES {
                sums[lane] += point[lane];
                largest[lane] = if largest[lane] > point[lane] { largest[lane] } else { point[lane] };
            }
        }
        means.extend(sums.map(|sum| sum / points.len() as f32));
        most.extend(largest);
    }
    let side = (points.len() as f32).sqrt() - 14.0;
    let means = &means[..channels];
    let mut all = means.to_vec();
    all.extend(means.iter().map(|mean| mean * (side / 10.0)));
    match third {
        Third::Maximum => all.extend(&most[..channels]),
        Third::Square => all.extend(means.iter().map(|mean| mean * (side * side / 100.0 - 0.1))),
    }
    all
}
