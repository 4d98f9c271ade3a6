//! Convolutions, each in the way that is fastest for it.

use super::super::instructions::Instructions;
use super::super::map::LANES;
use super::product::{Finish, Panel, Product, Weights};
use super::sheet::{Sheet, SheetShape};
use super::squares::{Convolve, Squares};
use super::window::{Gather, Sparse, Window};
use crate::eval::net::katago::net;

/// A convolution without bias.
#[derive(Clone, Debug)]
pub(super) struct SheetConvolution {
    inputs: usize,
    outputs: usize,
    way: Way,
    instructions: Instructions,
}

#[derive(Clone, Debug)]
enum Way {
    /// Each point by itself.
    Point(Weights),
    Squares(Squares),
    Window(Window),
}

/// Memory of convolutions between their steps. What stands there means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct ConvolutionRoom {
    numbers: Vec<f32>,
    sparse: Sparse,
}

impl SheetConvolution {
    pub(super) fn new(convolution: &net::Convolution, instructions: Instructions) -> Self {
        let net::Convolution { inputs, outputs, window, ref weights, .. } = *convolution;
        let way = if window == [1, 1] {
            let weight = |input, output| weights[input * outputs + output];
            Way::Point(Weights::new(inputs, outputs, Panel::of(instructions), weight))
        } else if let Some(squares) = Squares::new(convolution, instructions) {
            Way::Squares(squares)
        } else {
            Way::Window(Window::new(convolution))
        };
        Self { inputs, outputs, way, instructions }
    }

    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Blocks of outputs.
    pub(super) fn blocks(&self) -> usize {
        self.outputs.div_ceil(LANES)
    }

    /// Calculates `to`, or adds to it.
    pub(super) fn run(
        &self,
        boards: SheetShape,
        from: &Sheet,
        add: bool,
        to: &mut Sheet,
        scratch: &mut ConvolutionRoom,
    ) {
        match &self.way {
            Way::Point(weights) => {
                let finish = if add { Finish::Add } else { Finish::Store };
                let (points, from_stride, to_stride) = (boards.points(), from.stride(), to.stride());
                let (from, to) = (&from.numbers, &mut to.numbers);
                let weights = weights.all();
                self.instructions.run(Product { weights, from, from_stride, points, to, to_stride, finish });
            }
            Way::Squares(by) => {
                Convolve { by, boards, from, add, to }.run(self.instructions, &mut scratch.numbers);
            }
            Way::Window(by) => {
                scratch.sparse.clear();
                scratch.sparse.sheet(from, self.inputs);
                self.instructions.run(Gather { by, boards, from: &scratch.sparse, add, to });
            }
        }
    }
}
