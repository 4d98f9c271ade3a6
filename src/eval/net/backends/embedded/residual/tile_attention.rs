//! Attention by the processor's matrix unit.

use std::ops::Range;

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

use super::super::aligned::{Aligned, LANES};
use super::super::instructions::Instructions;
use super::super::tiles::{Shortened, TileWeights, multiply, round};
use super::activation::exponential;
use super::sheet::Sheet;

/// Queries that are gone through at once: their scores stay near the processor.
const QUERIES: usize = 64;
/// Added to the scores of what is no key.
const NO_KEY: f32 = -1e30;

/// Heads, and blocks of channels of a head.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadShape {
    pub(super) heads: usize,
    pub(super) key_heads: usize,
    pub(super) query_blocks: usize,
    pub(super) value_blocks: usize,
}

/// Memory between the steps. What stands there means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct TileAttention {
    packed: Shortened,
    keys: TileWeights,
    values: TileWeights,
    scores: Aligned,
    results: Aligned,
    shares: Vec<f32>,
}

impl TileAttention {
    /// All heads on one board: `from` holds the blocks of all queries, all keys, all values, `to` takes those of the results.
    pub(super) fn run(
        &mut self,
        shape: HeadShape,
        points: Range<usize>,
        from: &Sheet,
        to: &mut Sheet,
        instructions: Instructions,
    ) {
        let HeadShape { heads, key_heads, query_blocks, value_blocks } = shape;
        let (stride, count) = (from.stride(), points.len());
        let [channels, values] = [query_blocks, value_blocks].map(|blocks| blocks * LANES);
        let key_blocks = count.div_ceil(LANES);
        for head in 0..heads {
            let key_head = head * key_heads / heads;
            let is_first = head == 0 || key_head != (head - 1) * key_heads / heads;
            if is_first {
                let own = (heads + key_head) * query_blocks;
                let packed = self.packed.reserve(count * channels);
                round(
                    &from.numbers[own * stride + points.start * LANES..],
                    stride,
                    count,
                    &mut packed[..count * channels],
                );
                self.keys.of_channels(packed, channels, count);
                let own = (heads + key_heads) * query_blocks + key_head * value_blocks;
                let packed = self.packed.reserve(count * values);
                round(
                    &from.numbers[own * stride + points.start * LANES..],
                    stride,
                    count,
                    &mut packed[..count * values],
                );
                self.values.of_points(packed, values, count);
            }
            for first in (0..count).step_by(QUERIES) {
                let queries = QUERIES.min(count - first);
                let rows = queries.next_multiple_of(LANES);
                // Tiles are read whole, also behind the last query and the last key.
                let packed = self.packed.reserve((rows + 1) * channels + 2 * LANES);
                let (own, rest) = packed.split_at_mut(queries * channels);
                let start = head * query_blocks * stride + (points.start + first) * LANES;
                round(&from.numbers[start..], stride, queries, own);
                rest.fill(0);
                multiply(&self.keys, &self.packed, [channels, 0], queries, &mut self.scores);
                let scores = &mut self.scores[..key_blocks * rows * LANES];
                self.shares.resize(queries, 0.0);
                instructions.run(Exponentials { scores, rows, keys: count, shares: &mut self.shares });
                let packed = self.packed.reserve((rows + 1) * key_blocks * LANES + 2 * LANES);
                let (own, rest) = packed.split_at_mut(queries * key_blocks * LANES);
                round(scores, rows * LANES, queries, own);
                rest.fill(0);
                multiply(&self.values, &self.packed, [key_blocks * LANES, 0], queries, &mut self.results);
                let results = &self.results[..value_blocks * rows * LANES];
                let shares = &self.shares;
                for (block, results) in results.chunks_exact(rows * LANES).enumerate() {
                    let point = (head * value_blocks + block) * to.points + points.start + first;
                    let to = &mut to.numbers[point * LANES..][..queries * LANES];
                    instructions.run(Scaled { from: results, shares, to });
                }
            }
        }
    }
}

/// Replaces scores (block of keys, query, key) by exponentials.
struct Exponentials<'a> {
    scores: &'a mut [f32],
    /// Queries of a block, with what fills a tile.
    rows: usize,
    keys: usize,
    /// Takes for each query what makes the sum 1.
    shares: &'a mut [f32],
}

impl SimdOp for Exponentials<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Self { scores, rows, keys, shares } = self;
        let size = rows * LANES;
        if keys % LANES > 0 {
            let last = scores.len() - size;
            for scores in scores[last..].chunks_exact_mut(LANES) {
                scores[keys % LANES..].fill(NO_KEY);
            }
        }
        for (query, share) in shares.iter_mut().enumerate() {
            let own = query * LANES..(query + 1) * LANES;
            let mut most = ops.splat(f32::NEG_INFINITY);
            for scores in scores.chunks_exact(size) {
                for scores in scores[own.clone()].chunks_exact(lanes) {
                    most = ops.max(most, ops.load(scores));
                }
            }
            let mut numbers = [f32::NEG_INFINITY; LANES];
            ops.store(most, &mut numbers[..lanes]);
            let most = ops.splat(numbers.into_iter().fold(f32::NEG_INFINITY, f32::max));
            let mut sum = ops.zero();
            for scores in scores.chunks_exact_mut(size) {
                for scores in scores[own.clone()].chunks_exact_mut(lanes) {
                    let power = exponential(isa, ops.sub(ops.load(scores), most));
                    sum = ops.add(sum, power);
                    ops.store(power, scores);
                }
            }
            *share = 1.0 / ops.sum(sum);
        }
    }
}

/// Multiplies each point by a number of its own.
struct Scaled<'a> {
    from: &'a [f32],
    shares: &'a [f32],
    to: &'a mut [f32],
}

impl SimdOp for Scaled<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let points = self.from.chunks_exact(LANES).zip(self.to.chunks_exact_mut(LANES));
        for ((from, to), &share) in points.zip(self.shares) {
            let share = ops.splat(share);
            for (from, to) in from.chunks_exact(lanes).zip(to.chunks_exact_mut(lanes)) {
                ops.store(ops.mul(ops.load(from), share), to);
            }
        }
    }
}
