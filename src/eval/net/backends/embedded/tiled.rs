//! Convolutions by the processor's matrix unit, on boards that lie one below the other with zeros between.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::aligned::{Aligned, LANES, Sixteen};
use super::instructions::{Instructions, rectified};
use super::map::Map;
use super::tiles::{Shortened, TILE, TileWeights, multiply, multiply_each, round};

/// A convolution with a window of odd sides, its weights in 16 bits.
#[derive(Clone, Debug)]
pub(super) struct Tiled {
    window: [usize; 2],
    /// Blocks of inputs.
    inputs: usize,
    weights: TileWeights,
}

/// Numbers of some boards: blocks of channels of the points of a row.
pub(super) struct Rows<'a, F> {
    /// Positions, rows and columns.
    pub(super) boards: [usize; 3],
    pub(super) numbers: &'a [f32],
    /// Numbers from one block to the next.
    pub(super) stride: usize,
    /// Where the first block of a row of a position starts.
    pub(super) start: F,
}

/// Memory of a convolution, kept between runs: its input in 16 bits, and its sums.
#[derive(Clone, Debug, Default)]
pub(super) struct TiledRoom {
    packed: Shortened,
    sums: Aligned,
    /// Points of a row with the zeros behind it, rows of a board with those below it, points of all of it with what fills tiles.
    pitch: usize,
    height: usize,
    points: usize,
    columns: usize,
}

impl Tiled {
    /// From the weight of a row and a column of the window, an input and an output.
    pub(super) fn new(
        outputs: usize,
        inputs: usize,
        window: [usize; 2],
        weight: impl Fn(usize, usize, usize, usize) -> f32,
    ) -> Self {
        let blocks = inputs.div_ceil(LANES);
        let channels = blocks * LANES;
        let weights = TileWeights::new(window[0], window[1] * channels, outputs, |row, place, output| {
            let (column, input) = (place / channels, place % channels);
            if input < inputs { weight(row, column, input, output) } else { 0.0 }
        });
        Self { window, inputs: blocks, weights }
    }

    /// Blocks of outputs.
    pub(super) fn blocks(&self) -> usize {
        self.weights.blocks()
    }

    /// Calculates the sums of all points.
    pub(super) fn run<F: Fn(usize, usize) -> usize>(&self, from: &Rows<'_, F>, room: &mut TiledRoom) {
        let strides = self.pack(from, room);
        multiply(&self.weights, &room.packed, strides, room.points, &mut room.sums);
    }

    /// Hands the sums that [`Tiled::run`] keeps to `each`, part by part: points of a row with the zeros behind it, block of outputs, first
    /// point, sums of the points from it on. Those of the zeros mean nothing.
    fn run_each<F: Fn(usize, usize) -> usize>(
        &self,
        from: &Rows<'_, F>,
        room: &mut TiledRoom,
        mut each: impl FnMut(usize, usize, usize, &[Sixteen]),
    ) {
        let strides = self.pack(from, room);
        let pitch = room.pitch;
        multiply_each(&self.weights, &room.packed, strides, room.points, |block, first, sums| {
            each(pitch, block, first, sums);
        });
    }

    /// Rounds all points. Gives the numbers from one point to the next, and from one line of a window to the next.
    fn pack<F: Fn(usize, usize) -> usize>(&self, from: &Rows<'_, F>, room: &mut TiledRoom) -> [usize; 2] {
        let [positions, rows, columns] = from.boards;
        let [above, before] = self.window.map(|side| side / 2);
        let channels = self.inputs * LANES;
        let (pitch, height) = (columns + before, rows + above);
        // From the first point to the last one; the points between rows and boards are calculated too, and mean nothing.
        let points = (positions * height - above) * pitch - before;
        let whole = points.next_multiple_of(TILE);
        let all = (whole + 2 * above * pitch + self.window[1]) * channels + TILE;
        let (first, lines) = room.packed.reserve(all).split_at_mut(before * channels);
        first.fill(0);
        for (number, line) in lines.chunks_mut(pitch * channels).enumerate() {
            let (position, row) = (number / height, (number % height).checked_sub(above));
            match row.filter(|_| position < positions) {
                Some(row) => {
                    let (own, edge) = line.split_at_mut(columns * channels);
                    round(&from.numbers[(from.start)(position, row)..], from.stride, columns, own);
                    edge.fill(0);
                }
                None => line.fill(0),
            }
        }
        (room.pitch, room.height, room.points, room.columns) = (pitch, height, whole, columns);
        [channels, pitch * channels]
    }
}

impl TiledRoom {
    /// The sums of a row's points, of a block of outputs.
    pub(super) fn row(&self, block: usize, position: usize, row: usize) -> &[[f32; LANES]] {
        let first = block * self.points + (position * self.height + row) * self.pitch;
        &self.sums.as_chunks().0[first..][..self.columns]
    }
}

/// Such a convolution between two maps, with a number to add for each output.
#[derive(Clone, Debug)]
pub(super) struct MapTiled {
    by: Tiled,
    bias: Vec<f32>,
    instructions: Instructions,
}

impl MapTiled {
    /// From weights in the order of ONNX: output, input, row and column of a window of so many rows.
    pub(super) fn new(
        outputs: usize,
        inputs: usize,
        window: usize,
        weights: &[f32],
        bias: &[f32],
        instructions: Instructions,
    ) -> Self {
        let by = Tiled::new(outputs, inputs, [window; 2], |row, column, input, output| {
            weights[((output * inputs + input) * window + row) * window + column]
        });
        let mut bias = bias.to_vec();
        bias.resize(by.blocks() * LANES, 0.0);
        Self { by, bias, instructions }
    }

    /// Calculates `to`, which has the same size as `from`. `plus` is added before what is negative becomes zero.
    pub(super) fn run(&self, from: &Map, plus: Option<&Map>, rectify: bool, to: &mut Map, room: &mut TiledRoom) {
        let (boards, stride) = ([1, from.rows, from.columns], from.at(0, 1, 0));
        let rows = Rows { boards, numbers: &from.numbers, stride, start: |_, row| from.at(row + 1, 0, 1) };
        self.by.run_each(&rows, room, |pitch, block, first, sums| {
            let bias = &self.bias[block * LANES..][..LANES];
            self.instructions.run(Write { sums, pitch, first, bias, block, plus, rectify, to: &mut *to });
        });
    }
}

/// Writes sums of points to a block of a map.
struct Write<'a> {
    sums: &'a [Sixteen],
    /// Points of a row, and number of the first one that there are sums of.
    pitch: usize,
    first: usize,
    bias: &'a [f32],
    block: usize,
    plus: Option<&'a Map>,
    rectify: bool,
    to: &'a mut Map,
}

impl SimdOp for Write<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Self { mut sums, pitch, first, bias, block, plus, rectify, to } = self;
        let (mut row, mut column) = (first / pitch, first % pitch);
        while !sums.is_empty() && row < to.rows {
            let (own, rest) = sums.split_at((pitch - column).min(sums.len()));
            let range = to.at(row + 1, block, column + 1)..to.at(row + 1, block, to.columns + 1);
            let plus = plus.map(|plus| &plus.numbers[range.clone()]);
            let points = to.numbers[range].as_chunks_mut::<LANES>().0;
            for (point, (to, sums)) in points.iter_mut().zip(own).enumerate() {
                for vector in (0..LANES).step_by(lanes) {
                    let mut sum = ops.add(ops.load(&sums.0[vector..]), ops.load(&bias[vector..]));
                    if let Some(plus) = plus {
                        sum = ops.add(sum, ops.load(&plus[point * LANES + vector..]));
                    }
                    if rectify {
                        sum = rectified(isa, sum);
                    }
                    ops.store(sum, &mut to[vector..][..lanes]);
                }
            }
            (sums, row, column) = (rest, row + 1, 0);
        }
    }
}
