//! Layers that look at each point by itself.

use super::super::instructions::Instructions;
use super::norm::scales;
use super::product::{Finish, Panel, Product, Weights};
use super::sheet::Sheet;
use crate::eval::net::katago::net;

/// Two products with a gate between, the addition to their input included.
#[derive(Clone, Debug)]
pub(super) struct FeedForward {
    epsilon: f32,
    /// The first matrix and the gate; the norm's factors are in it.
    first: Weights,
    second: Weights,
    instructions: Instructions,
}

impl FeedForward {
    pub(super) fn new(layer: &net::FeedForward, instructions: Instructions) -> Self {
        let panel = Panel::of(instructions);
        let net::Matrix { inputs, outputs, .. } = layer.first;
        let weight = |gate: bool, input: usize, output: usize| {
            let matrix = if gate { &layer.gate } else { &layer.first };
            layer.norm.factor[input] * matrix.weights[input * outputs + output]
        };
        let channels = layer.second.outputs;
        let second = |input: usize, output: usize| layer.second.weights[input * channels + output];
        let first = Weights::paired(inputs, outputs, panel, weight);
        let second = Weights::new(outputs, channels, panel, second);
        Self { epsilon: layer.norm.epsilon, first, second, instructions }
    }

    /// Adds to the channels of all points. What stands in the scratch memory means nothing.
    pub(super) fn run(&self, trunk: &mut Sheet, scales_of: &mut Vec<f32>, hidden: &mut Sheet) {
        scales(trunk, self.epsilon, self.first.inputs(), scales_of, self.instructions);
        let (points, stride) = (trunk.points, trunk.stride());
        hidden.reshape(points, self.first.blocks() / 2);
        self.instructions.run(Product {
            weights: self.first.all(),
            from: &trunk.numbers,
            from_stride: stride,
            points,
            to: &mut hidden.numbers,
            to_stride: stride,
            finish: Finish::Gate(scales_of),
        });
        self.instructions.run(Product {
            weights: self.second.all(),
            from: &hidden.numbers,
            from_stride: stride,
            points,
            to: &mut trunk.numbers,
            to_stride: stride,
            finish: Finish::Add,
        });
    }
}
