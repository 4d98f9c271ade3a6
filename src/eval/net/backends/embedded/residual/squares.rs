//! Convolutions of three by three points by fewer multiplications, as in [`winograd`](super::super::winograd), for several boards at once.

use std::sync::OnceLock;

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::super::aligned::{Aligned, LANES};
use super::super::instructions::Instructions;
use super::super::map::tile_of;
use super::super::winograd::{results, spread, sums};
use super::product::{Finish, Panel, Panels, Product};
use super::sheet::{Sheet, SheetShape};
use crate::eval::net::katago::net::Convolution;

/// Tiles that are gone through at once, about: what is kept of them stays near the processor.
const STRIP: usize = 28;

/// A convolution with its weights in the order in which they are used.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    inputs: usize,
    outputs: usize,
    /// Row, column, input, output.
    weights: Vec<f32>,
    /// For tiles of two, three and four results, once a board wants them: sum, panel of outputs, input, output.
    spread: [OnceLock<Aligned>; 3],
    panel: Panel,
}

impl Squares {
    /// `None` where it is no such convolution.
    pub(super) fn new(convolution: &Convolution, instructions: Instructions) -> Option<Self> {
        let Convolution { inputs, outputs, ref weights, .. } = *convolution;
        let suits = convolution.window == [3, 3] && convolution.dilation == [1, 1];
        let (weights, panel) = (weights.clone(), Panel::of(instructions));
        suits.then(|| Self { inputs, outputs, weights, spread: Default::default(), panel })
    }

    /// The weights of tiles with so many rows and columns of results.
    fn weights(&self, tile: usize) -> &[f32] {
        self.spread[tile - 2].get_or_init(|| {
            let (side, outputs) = (tile + 2, self.outputs.next_multiple_of(LANES));
            let width = self.panel.width();
            let mut ordered = Aligned::zeros(side * side * self.inputs * outputs);
            let size = self.inputs * self.outputs;
            for place in 0..size {
                let (input, output) = (place / self.outputs, place % self.outputs);
                let first = output / width * width;
                let width = width.min(outputs - first);
                let weight = |row: usize, column: usize| self.weights[(row * 3 + column) * size + place];
                let rows: [[f32; 6]; 3] =
                    std::array::from_fn(|row| spread(tile, std::array::from_fn(|column| weight(row, column))));
                for column in 0..side {
                    let all = spread(tile, rows.map(|row| row[column]));
                    for (row, &weight) in all[..side].iter().enumerate() {
                        let sum = row * side + column;
                        ordered[(sum * outputs + first) * self.inputs + input * width + output - first] = weight;
                    }
                }
            }
            ordered
        })
    }
}

/// Calculates `to`, or adds to it.
pub(super) struct Convolve<'a> {
    pub(super) by: &'a Squares,
    pub(super) boards: SheetShape,
    pub(super) from: &'a Sheet,
    pub(super) add: bool,
    pub(super) to: &'a mut Sheet,
}

/// Where the sums of a strip are, or their products: block, sum, tile, channel of the block.
#[derive(Clone, Copy)]
struct Strip {
    boards: SheetShape,
    /// Rows and columns of results of a tile.
    tile: usize,
    /// Tiles of a row of a board, and rows of tiles of it.
    columns: usize,
    rows: usize,
    /// The first row of tiles of the strip among those of all boards, and the one after its last.
    own: [usize; 2],
    /// From one sum of a tile to the next: an odd number of lines of the processor's cache, so that they do not share few places of it.
    line: usize,
}

impl Strip {
    fn tiles(&self) -> usize {
        (self.own[1] - self.own[0]) * self.columns
    }

    /// Numbers of a block.
    fn size(&self) -> usize {
        (self.tile + 2).pow(2) * self.line
    }
}

impl Convolve<'_> {
    /// Calculates strip by strip.
    pub(super) fn run(self, instructions: Instructions, scratch: &mut Aligned) {
        let Self { by, boards, from, add, to } = self;
        let tile = tile_of(boards.rows, boards.columns);
        let (side, weights) = (tile + 2, by.weights(tile));
        let [rows, columns] = [boards.rows, boards.columns].map(|side| side.div_ceil(tile));
        let all = rows * boards.positions;
        let strips = all.div_ceil((STRIP / columns).max(1));
        for number in 0..strips {
            let own = [number * all / strips, (number + 1) * all / strips];
            let line = (((own[1] - own[0]) * columns) | 1) * LANES;
            let strip = Strip { boards, tile, columns, rows, own, line };
            let (size, edged) = (strip.size(), side * (columns * tile + 2) * LANES);
            scratch.resize(scratch.len().max(size * (from.blocks + to.blocks) + edged));
            let (edged, rest) = scratch.split_at_mut(edged);
            let (sums, products) = rest.split_at_mut(size * from.blocks);
            edged.fill(0.0);
            instructions.run(Read { strip, from, edged, to: &mut *sums });
            for (sum, weights) in weights.chunks_exact(by.inputs * to.blocks * LANES).enumerate() {
                instructions.run(Product {
                    weights: Panels::new(by.inputs, to.blocks, weights),
                    from: &sums[sum * line..],
                    from_stride: size,
                    points: strip.tiles(),
                    to: &mut products[sum * line..],
                    to_stride: size,
                    finish: Finish::Store,
                });
            }
            instructions.run(Write { strip, from: products, add, to: &mut *to });
        }
    }
}

/// Calculates the sums of all tiles of a strip.
struct Read<'a> {
    strip: Strip,
    from: &'a Sheet,
    /// The rows that a row of tiles needs; zeros where a board has no column.
    edged: &'a mut [f32],
    to: &'a mut [f32],
}

impl SimdOp for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        match self.strip.tile {
            2 => self.all::<I, 2, 4>(isa),
            3 => self.all::<I, 3, 5>(isa),
            _ => self.all::<I, 4, 6>(isa),
        }
    }
}

impl Read<'_> {
    #[inline(always)]
    fn all<I: Isa, const TILE: usize, const SIDE: usize>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Self { strip, from, edged, to } = self;
        let width = (strip.columns * TILE + 2) * LANES;
        for (block, to) in to.chunks_exact_mut(strip.size()).take(from.blocks).enumerate() {
            for row in strip.own[0]..strip.own[1] {
                edge(from, block, row, strip, edged);
                for column in 0..strip.columns {
                    let tile = (row - strip.own[0]) * strip.columns + column;
                    let first = TILE * column * LANES;
                    for vector in (0..LANES).step_by(lanes) {
                        let mut numbers = [[ops.zero(); SIDE]; SIDE];
                        for (i, numbers) in numbers.iter_mut().enumerate() {
                            let line = &edged[i * width + first..][..SIDE * LANES];
                            let mut d = [ops.zero(); SIDE];
                            for (j, d) in d.iter_mut().enumerate() {
                                *d = ops.load(&line[j * LANES + vector..]);
                            }
                            *numbers = sums::<I, SIDE>(isa, d);
                        }
                        for j in 0..SIDE {
                            let mut d = [ops.zero(); SIDE];
                            for (d, numbers) in d.iter_mut().zip(&numbers) {
                                *d = numbers[j];
                            }
                            for (i, sum) in sums::<I, SIDE>(isa, d).into_iter().enumerate() {
                                let at = (i * SIDE + j) * strip.line + tile * LANES + vector;
                                ops.store(sum, &mut to[at..][..lanes]);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Copies the rows that a row of tiles needs, between borders of zeros.
fn edge(from: &Sheet, block: usize, row: usize, strip: Strip, edged: &mut [f32]) {
    let SheetShape { rows, columns, .. } = strip.boards;
    let width = (strip.columns * strip.tile + 2) * LANES;
    let (position, row) = (row / strip.rows, row % strip.rows);
    for (i, line) in edged.chunks_exact_mut(width).enumerate() {
        let line = &mut line[LANES..(columns + 1) * LANES];
        match (strip.tile * row + i).checked_sub(1).filter(|&row| row < rows) {
            Some(row) => {
                let point = position * strip.boards.area() + row * columns;
                line.copy_from_slice(from.part(block, point..point + columns));
            }
            None => line.fill(0.0),
        }
    }
}

/// Calculates the results of a strip.
struct Write<'a> {
    strip: Strip,
    from: &'a [f32],
    add: bool,
    to: &'a mut Sheet,
}

impl SimdOp for Write<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        match self.strip.tile {
            2 => self.all::<I, 2, 4>(isa),
            3 => self.all::<I, 3, 5>(isa),
            _ => self.all::<I, 4, 6>(isa),
        }
    }
}

impl Write<'_> {
    #[inline(always)]
    fn all<I: Isa, const TILE: usize, const SIDE: usize>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Self { strip, from, add, to } = self;
        let SheetShape { rows, columns, .. } = strip.boards;
        for (block, from) in from.chunks_exact(strip.size()).take(to.blocks).enumerate() {
            for tile in 0..strip.tiles() {
                let (row, column) = (strip.own[0] + tile / strip.columns, tile % strip.columns * TILE);
                let (position, row) = (row / strip.rows, row % strip.rows * TILE);
                // Few boards have points for all of their last tiles.
                let (height, width) = (TILE.min(rows - row), TILE.min(columns - column));
                let first = block * to.points + (position * rows + row) * columns + column;
                for vector in (0..LANES).step_by(lanes) {
                    let mut across = [[ops.zero(); TILE]; SIDE];
                    for (i, across) in across.iter_mut().enumerate() {
                        let mut m = [ops.zero(); SIDE];
                        for (j, m) in m.iter_mut().enumerate() {
                            let at = (i * SIDE + j) * strip.line + tile * LANES + vector;
                            *m = ops.load(&from[at..][..lanes]);
                        }
                        *across = results::<I, TILE, SIDE>(isa, m);
                    }
                    let mut all = [[ops.zero(); TILE]; TILE];
                    for j in 0..TILE {
                        let mut m = [ops.zero(); SIDE];
                        for (m, across) in m.iter_mut().zip(&across) {
                            *m = across[j];
                        }
                        for (all, result) in all.iter_mut().zip(results::<I, TILE, SIDE>(isa, m)) {
                            all[j] = result;
                        }
                    }
                    for (i, results) in all.iter().enumerate().take(height) {
                        let to = &mut to.numbers[(first + i * columns) * LANES..][..width * LANES];
                        for (to, &result) in to.chunks_exact_mut(LANES).zip(results) {
                            let to = &mut to[vector..][..lanes];
                            let sum = if add { ops.add(result, ops.load(to)) } else { result };
                            ops.store(sum, to);
                        }
                    }
                }
            }
        }
    }
}
