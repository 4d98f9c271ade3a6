//! Layers that look at each point by itself.

use super::super::instructions::Instructions;
use super::super::tiled::TiledRoom;
use super::norm::scales;
use super::pointwise::{PointBlocks, Pointwise};
use super::product::Finish;
use super::sheet::Sheet;
use crate::eval::net::katago::net;

/// Two products with a gate between, the addition to their input included.
#[derive(Clone, Debug)]
pub(super) struct FeedForward {
    epsilon: f32,
    /// The first matrix and the gate; the norm's factors are in it.
    first: Pointwise,
    second: Pointwise,
    instructions: Instructions,
}

impl FeedForward {
    pub(super) fn new(layer: &net::FeedForward, instructions: Instructions) -> Self {
        let net::Matrix { inputs, outputs, .. } = layer.first;
        let weight = |gate: bool, input: usize, output: usize| {
            let matrix = if gate { &layer.gate } else { &layer.first };
            layer.norm.factor[input] * matrix.weights[input * outputs + output]
        };
        let channels = layer.second.outputs;
        let second = |input: usize, output: usize| layer.second.weights[input * channels + output];
        let first = Pointwise::paired(inputs, outputs, instructions, weight);
        let second = Pointwise::new(outputs, channels, instructions, second);
        Self { epsilon: layer.norm.epsilon, first, second, instructions }
    }

    /// Adds to the channels of all points. What stands in the scratch memory means nothing.
    pub(super) fn run(&self, trunk: &mut Sheet, scales_of: &mut Vec<f32>, hidden: &mut Sheet, room: &mut TiledRoom) {
        scales(trunk, self.epsilon, self.first.inputs(), scales_of, self.instructions);
        let (count, stride) = (trunk.points, trunk.stride());
        hidden.reshape(count, self.first.blocks() / 2);
        let points = PointBlocks { numbers: &trunk.numbers, stride, count };
        self.first.run(points, &mut hidden.numbers, stride, Finish::Gate(scales_of), room);
        let points = PointBlocks { numbers: &hidden.numbers, stride, count };
        self.second.run(points, &mut trunk.numbers, stride, Finish::Add, room);
    }
}
