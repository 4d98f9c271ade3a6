//! Convolutions, each in the way that is fastest for it.

use super::super::aligned::{Aligned, LANES};
use super::super::instructions::Instructions;
use super::super::tiled::{Rows, Tiled, TiledRoom};
use super::pointwise::{AfterTiles, PointBlocks, Pointwise};
use super::product::Finish;
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
    Point(Pointwise),
    Tiles(Tiled),
    Squares(Squares),
    Window(Window),
}

/// Memory of convolutions between their steps. What stands there means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct ConvolutionRoom {
    numbers: Aligned,
    sparse: Sparse,
    pub(super) tiled: TiledRoom,
}

impl SheetConvolution {
    pub(super) fn new(convolution: &net::Convolution, instructions: Instructions) -> Self {
        let net::Convolution { inputs, outputs, window, ref weights, .. } = *convolution;
        let way = if window == [1, 1] {
            let weight = |input, output| weights[input * outputs + output];
            Way::Point(Pointwise::new(inputs, outputs, instructions, weight))
        } else if instructions.has_tiles() && window.iter().all(|side| side % 2 == 1) && convolution.dilation == [1, 1]
        {
            let weight =
                |row, column, input, output| weights[((row * window[1] + column) * inputs + input) * outputs + output];
            Way::Tiles(Tiled::new(outputs, inputs, window, weight))
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
        let finish = if add { Finish::Add } else { Finish::Store };
        match &self.way {
            Way::Point(by) => {
                let points = PointBlocks { numbers: &from.numbers, stride: from.stride(), count: boards.points() };
                let to_stride = to.stride();
                by.run(points, &mut to.numbers, to_stride, finish, &mut scratch.tiled);
            }
            Way::Tiles(by) => {
                let SheetShape { positions, rows, columns } = boards;
                let (boards, stride) = ([positions, rows, columns], from.stride());
                let start = |position, row| (position * rows + row) * columns * LANES;
                by.run(&Rows { boards, numbers: &from.numbers, stride, start }, &mut scratch.tiled);
                let (room, blocks, to_stride) = (&scratch.tiled, by.blocks(), to.stride());
                self.instructions.run(AfterTiles { room, boards, blocks, to: &mut to.numbers, to_stride, finish });
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
