//! Attention of each point of a board to all of its points.

use std::ops::Range;

use rten_simd::ops::{BitOps, FloatOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::super::aligned::LANES;
use super::super::instructions::{Instructions, lanes};
use super::super::tiled::TiledRoom;
use super::activation::exponential;
use super::norm::scales;
use super::pointwise::{PointBlocks, Pointwise};
use super::product::{Finish, Panel, Product, Weights};
use super::sheet::{Sheet, SheetShape};
use super::tile_attention::{HeadShape, TileAttention};
use crate::eval::net::katago::net;

/// A layer of attention, the addition to its input included.
///
/// A head's channels of queries and keys are in another order here: the first ones of all pairs, filled up to whole blocks, then the
/// second ones. So pairs are turned by whole vectors.
#[derive(Clone, Debug)]
pub(super) struct Attention {
    epsilon: f32,
    heads: usize,
    key_heads: usize,
    /// Pairs of channels of a query.
    pairs: usize,
    /// Blocks of half of a query's channels, and of values.
    halves: usize,
    value_blocks: usize,
    /// To all queries, all keys, all values; the norm's factors are in it.
    into: Pointwise,
    out: Pointwise,
    turn: Option<net::Turn>,
    instructions: Instructions,
}

/// Cosines and sines of the angles of a layer: column or row, key head, pair.
#[derive(Clone, Debug)]
pub(super) struct Angles {
    columns: [Vec<f32>; 2],
    rows: [Vec<f32>; 2],
}

/// Memory of attention between its steps. What stands there means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct AttentionRoom {
    scales: Vec<f32>,
    into: Sheet,
    out: Sheet,
    queries: Weights,
    scores: Vec<f32>,
    tiled: TiledRoom,
    tiles: TileAttention,
}

impl Attention {
    pub(super) fn new(layer: &net::Attention, instructions: Instructions) -> Self {
        let (channels, values) = (layer.query_channels, layer.value_channels);
        let pairs = channels.div_ceil(2);
        let (halves, value_blocks) = (pairs.div_ceil(LANES), values.div_ceil(LANES));
        let (query, value) = (2 * halves * LANES, value_blocks * LANES);
        let keys = layer.heads * query;
        let first_value = keys + layer.key_heads * query;
        let scale = 1.0 / (channels as f32).sqrt();
        // Where a place within a head's channels comes from.
        let channel = |place: usize| {
            let (half, pair) = (place / (query / 2), place % (query / 2));
            Some(2 * pair + half).filter(|&channel| pair < pairs && channel < channels)
        };
        let of = |matrix: &net::Matrix, input: usize, head: usize, size: usize, channel: Option<usize>| {
            channel.map_or(0.0, |channel| matrix.weights[input * matrix.outputs + head * size + channel])
        };
        let weight = |input: usize, output: usize| {
            let factor = layer.norm.factor[input];
            if let Some(place) = output.checked_sub(first_value) {
                factor * of(&layer.values, input, place / value, values, Some(place % value).filter(|&c| c < values))
            } else if let Some(place) = output.checked_sub(keys) {
                factor * of(&layer.keys, input, place / query, channels, channel(place % query))
            } else {
                factor * scale * of(&layer.queries, input, output / query, channels, channel(output % query))
            }
        };
        let outputs = layer.out.outputs;
        let out = |input: usize, output: usize| {
            let (head, place) = (input / value, input % value);
            if place < values { layer.out.weights[(head * values + place) * outputs + output] } else { 0.0 }
        };
        Self {
            epsilon: layer.norm.epsilon,
            heads: layer.heads,
            key_heads: layer.key_heads,
            pairs,
            halves,
            value_blocks,
            into: Pointwise::new(layer.queries.inputs, first_value + layer.key_heads * value, instructions, weight),
            out: Pointwise::new(layer.heads * value, outputs, instructions, out),
            turn: layer.turn.clone(),
            instructions,
        }
    }

    /// The angles of boards of a shape.
    pub(super) fn angles(&self, rows: usize, columns: usize) -> Option<Angles> {
        let turn = self.turn.as_ref()?;
        let table = |side: usize, by_row: bool| {
            let mut table = [Vec::new(), Vec::new()];
            for (place, head) in (0..side).flat_map(|place| (0..self.key_heads).map(move |head| (place, head))) {
                for pair in 0..self.halves * LANES {
                    let frequency = if pair < self.pairs { self.frequency(turn, head, pair, by_row) } else { 0.0 };
                    let angle = place as f32 * frequency;
                    table[0].push(angle.cos());
                    table[1].push(angle.sin());
                }
            }
            table
        };
        Some(Angles { columns: table(columns, false), rows: table(rows, true) })
    }

    fn frequency(&self, turn: &net::Turn, head: usize, pair: usize, by_row: bool) -> f32 {
        match turn {
            net::Turn::Learned(frequencies) => frequencies[head * self.pairs + pair][usize::from(by_row)],
            net::Turn::Fixed(theta) => {
                let half = self.pairs / 2;
                let (row, number) = if pair < half { (true, pair) } else { (false, pair - half) };
                if row == by_row { theta.powf(-2.0 * number as f32 / self.pairs as f32) } else { 0.0 }
            }
        }
    }

    /// Adds to the channels of all boards.
    pub(super) fn run(
        &self,
        boards: SheetShape,
        angles: Option<&Angles>,
        trunk: &mut Sheet,
        scratch: &mut AttentionRoom,
    ) {
        let points = boards.points();
        scales(trunk, self.epsilon, self.into.inputs(), &mut scratch.scales, self.instructions);
        scratch.into.reshape(points, self.into.blocks());
        scratch.out.reshape(points, self.heads * self.value_blocks);
        let stride = trunk.stride();
        let from = PointBlocks { numbers: &trunk.numbers, stride, count: points };
        let finish = Finish::Scale(&scratch.scales);
        self.into.run(from, &mut scratch.into.numbers, stride, finish, &mut scratch.tiled);
        if let Some(angles) = angles {
            self.instructions.run(Turn { by: self, boards, angles, sheet: &mut scratch.into });
        }
        for position in 0..boards.positions {
            if self.instructions.has_tiles() {
                scratch.tiles.run(
                    self.shape(),
                    boards.range(position),
                    &scratch.into,
                    &mut scratch.out,
                    self.instructions,
                );
                continue;
            }
            for head in 0..self.heads {
                self.attend(boards.range(position), head, scratch);
            }
        }
        let from = PointBlocks { numbers: &scratch.out.numbers, stride, count: points };
        self.out.run(from, &mut trunk.numbers, stride, Finish::Add, &mut scratch.tiled);
    }

    fn shape(&self) -> HeadShape {
        let (heads, key_heads) = (self.heads, self.key_heads);
        HeadShape { heads, key_heads, query_blocks: 2 * self.halves, value_blocks: self.value_blocks }
    }

    /// One head on one board.
    fn attend(&self, points: Range<usize>, head: usize, scratch: &mut AttentionRoom) {
        let panel = Panel::of(self.instructions);
        let (stride, count, blocks) = (scratch.into.stride(), points.len(), 2 * self.halves);
        let key_head = head * self.key_heads / self.heads;
        let from = |block: usize| block * stride + points.start * LANES;
        let queries = &scratch.into.numbers[from(head * blocks)..];
        scratch.queries.turn(blocks, queries, stride, count, panel);
        let keys = from((self.heads + key_head) * blocks);
        let values = (self.heads + self.key_heads) * blocks + key_head * self.value_blocks;
        let line = count * LANES;
        scratch.scores.resize(panel.width() / LANES * line, 0.0);
        for (number, first) in (0..count).step_by(panel.width()).enumerate() {
            self.instructions.run(Product {
                weights: scratch.queries.panel(number, panel),
                from: &scratch.into.numbers[keys..],
                from_stride: stride,
                points: count,
                to: &mut scratch.scores,
                to_stride: line,
                finish: Finish::Store,
            });
            for (block, scores) in scratch.scores.chunks_exact_mut(line).enumerate() {
                let first = first + block * LANES;
                if first < count {
                    let first = points.start + first;
                    let values = &scratch.into.numbers[from(values)..];
                    let queries = first..points.end.min(first + LANES);
                    let (blocks, out) = (self.value_blocks, &mut scratch.out);
                    self.instructions.run(Weigh { scores, values, stride, blocks, queries, first: head * blocks, out });
                }
            }
        }
    }
}

/// Turns queries and keys.
struct Turn<'a> {
    by: &'a Attention,
    boards: SheetShape,
    angles: &'a Angles,
    sheet: &'a mut Sheet,
}

impl SimdOp for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Attention { heads, key_heads, halves, .. } = *self.by;
        let (stride, area) = (self.sheet.stride(), self.boards.area());
        let [cosines, sines] = &self.angles.columns;
        let [row_cosines, row_sines] = &self.angles.rows;
        for head in 0..heads + key_heads {
            let key_head = if head < heads { head * key_heads / heads } else { head - heads };
            for half in 0..halves {
                let first = (head * 2 * halves + half) * stride;
                let (a, b) = self.sheet.numbers[first..].split_at_mut(halves * stride);
                for vector in (0..LANES).step_by(lanes) {
                    let place = |side: usize| ((side * key_heads + key_head) * halves + half) * LANES + vector;
                    for point in 0..self.sheet.points {
                        let (row, column) = (point % area / self.boards.columns, point % self.boards.columns);
                        let (column, row) = (place(column), place(row));
                        let (cx, sx) = (ops.load(&cosines[column..]), ops.load(&sines[column..]));
                        let (cy, sy) = (ops.load(&row_cosines[row..]), ops.load(&row_sines[row..]));
                        let cosine = ops.sub(ops.mul(cx, cy), ops.mul(sx, sy));
                        let sine = ops.mul_add(sx, cy, ops.mul(cx, sy));
                        let at = point * LANES + vector;
                        let (first, second) = (ops.load(&a[at..]), ops.load(&b[at..]));
                        ops.store(ops.sub(ops.mul(first, cosine), ops.mul(second, sine)), &mut a[at..][..lanes]);
                        ops.store(ops.mul_add(first, sine, ops.mul(second, cosine)), &mut b[at..][..lanes]);
                    }
                }
            }
        }
    }
}

/// Weighs values by the exponentials of scores of a block of queries.
struct Weigh<'a> {
    /// Key, query.
    scores: &'a mut [f32],
    /// The first block of values, and those after it.
    values: &'a [f32],
    stride: usize,
    blocks: usize,
    queries: Range<usize>,
    /// The first block of results.
    first: usize,
    out: &'a mut Sheet,
}

impl SimdOp for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        let shares = exponentials(isa, self.scores);
        match const { lanes::<I>() } {
            16 => {
                let pairs = self.blocks / 2 * 2;
                for block in (0..pairs).step_by(2) {
                    self.sums::<I, 2, 1, 8>(isa, block, &shares);
                }
                for block in pairs..self.blocks {
                    self.sums::<I, 1, 1, 8>(isa, block, &shares);
                }
            }
            8 => (0..self.blocks).for_each(|block| self.sums::<I, 1, 2, 4>(isa, block, &shares)),
            _ => (0..self.blocks).for_each(|block| self.sums::<I, 1, 4, 2>(isa, block, &shares)),
        }
    }
}

/// Replaces scores by exponentials; gives for each query what makes their sum 1.
#[inline(always)]
fn exponentials<I: Isa>(isa: I, scores: &mut [f32]) -> [f32; LANES] {
    let ops = isa.f32();
    let lanes = ops.len();
    let mut shares = [0.0; LANES];
    for vector in (0..LANES).step_by(lanes) {
        let mut most = ops.splat(f32::NEG_INFINITY);
        for scores in scores.chunks_exact(LANES) {
            most = ops.max(most, ops.load(&scores[vector..]));
        }
        let mut sum = ops.zero();
        for scores in scores.chunks_exact_mut(LANES) {
            let scores = &mut scores[vector..][..lanes];
            let power = exponential(isa, ops.sub(ops.load(scores), most));
            sum = ops.add(sum, power);
            ops.store(power, scores);
        }
        ops.store(ops.reciprocal(sum), &mut shares[vector..][..lanes]);
    }
    shares
}

impl Weigh<'_> {
    /// The results of some blocks.
    #[inline(always)]
    fn sums<I: Isa, const BLOCKS: usize, const VECTORS: usize, const QUERIES: usize>(
        &mut self,
        isa: I,
        block: usize,
        shares: &[f32; LANES],
    ) {
        let ops = isa.f32();
        let lanes = ops.len();
        let keys = self.scores.len();
        let mut values = [&self.values[..0]; BLOCKS];
        for (number, values) in values.iter_mut().enumerate() {
            *values = &self.values[(block + number) * self.stride..][..keys];
        }
        for first in (0..self.queries.len()).step_by(QUERIES) {
            let mut sums = [[[ops.zero(); VECTORS]; BLOCKS]; QUERIES];
            for (key, weights) in self.scores.chunks_exact(LANES).enumerate() {
                let weights = &weights[first..][..QUERIES];
                let mut own = [[ops.zero(); VECTORS]; BLOCKS];
                for block in 0..BLOCKS {
                    let values = &values[block][key * LANES..][..LANES];
                    for vector in 0..VECTORS {
                        own[block][vector] = ops.load(&values[vector * lanes..]);
                    }
                }
                for query in 0..QUERIES {
                    let weight = ops.splat(weights[query]);
                    for block in 0..BLOCKS {
                        for vector in 0..VECTORS {
                            let sum = &mut sums[query][block][vector];
                            *sum = ops.mul_add(weight, own[block][vector], *sum);
                        }
                    }
                }
            }
            let mut done = [[[ops.zero(); VECTORS]; BLOCKS]; QUERIES];
            for query in 0..QUERIES {
                for block in 0..BLOCKS {
                    for vector in 0..VECTORS {
                        done[query][block][vector] = sums[query][block][vector];
                    }
                }
            }
            for (query, done) in done.iter().enumerate().take(self.queries.len() - first) {
                let share = ops.splat(shares[first + query]);
                for (number, done) in done.iter().enumerate() {
                    let point = (self.first + block + number) * self.out.points + self.queries.start + first + query;
                    for (vector, &sum) in done.iter().enumerate() {
                        let at = point * LANES + vector * lanes;
                        ops.store(ops.mul(sum, share), &mut self.out.numbers[at..][..lanes]);
                    }
                }
            }
        }
    }
}
