//! Products of matrices by the processor's matrix unit (Intel AMX): numbers of 16 bits (bfloat16, the upper half of a float), sums of 32.
//!
//! A tile of the unit is sixteen points, or sixteen outputs, by two times sixteen inputs. Points and weights are packed so that each tile is
//! read as it lies: of points an input lies beside the next one, of weights two inputs of an output lie side by side.

#![allow(unsafe_code, reason = "the matrix unit has instructions, but no safe functions")]

use std::ops::Range;

use super::aligned::{Aligned, LANES, Sixteen};

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod unit;

/// Points of a tile, and its outputs.
pub(super) const TILE: usize = LANES;
/// Inputs of a tile.
const STEP: usize = 2 * TILE;

/// Numbers of 16 bits that lie as the processor's memory is read: sixteen pairs.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u16; STEP]);

/// A float in 16 bits: the nearest such number, the even one of two.
fn rounded(number: f32) -> u16 {
    let bits = number.to_bits();
    let nearest = bits.wrapping_add(0x7fff + (bits >> 16 & 1));
    let bits = if number.is_nan() { bits | 1 << 22 } else { nearest };
    (bits >> 16) as u16
}

/// Weights in 16 bits, in the order in which they are used: block of outputs, line of inputs, step, pair of inputs, output.
#[derive(Clone, Debug, Default)]
pub(super) struct TileWeights {
    /// A point's inputs are so many lines, as of a window's rows.
    lines: usize,
    /// Tiles of a line; what is missing of the last one counts as zeros.
    steps: usize,
    /// Blocks of outputs.
    blocks: usize,
    numbers: Vec<Line>,
}

impl TileWeights {
    /// Packs weights of so many lines of `length` inputs; `weight` is asked for a line, a place in it and an output.
    pub(super) fn new(
        lines: usize,
        length: usize,
        outputs: usize,
        weight: impl Fn(usize, usize, usize) -> f32,
    ) -> Self {
        let (steps, blocks) = (length.div_ceil(STEP), outputs.div_ceil(TILE));
        let mut numbers = Vec::with_capacity(blocks * lines * steps * TILE);
        for block in 0..blocks {
            for line in 0..lines {
                for pair in 0..steps * TILE {
                    numbers.push(Line(std::array::from_fn(|place| {
                        let (input, output) = (2 * pair + place % 2, block * TILE + place / 2);
                        let known = input < length && output < outputs;
                        if known { rounded(weight(line, input, output)) } else { 0 }
                    })));
                }
            }
        }
        Self { lines, steps, blocks, numbers }
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Takes points as outputs and their channels as inputs; `from` holds the channels of one point after the other.
    pub(super) fn of_channels(&mut self, from: &[u16], channels: usize, points: usize) {
        self.shape(channels, points);
        for (place, line) in self.numbers.iter_mut().enumerate() {
            let (block, pair) = (place / TILE / self.steps, place % (TILE * self.steps));
            for (output, to) in (block * TILE..).zip(line.0.as_chunks_mut::<2>().0) {
                let known = 2 * pair < channels && output < points;
                *to = if known { [0, 1].map(|input| from[output * channels + 2 * pair + input]) } else { [0; 2] };
            }
        }
    }

    /// Takes channels as outputs and points as inputs, in the same order.
    pub(super) fn of_points(&mut self, from: &[u16], channels: usize, points: usize) {
        self.shape(points, channels);
        for (place, line) in self.numbers.iter_mut().enumerate() {
            let (block, pair) = (place / TILE / self.steps, place % (TILE * self.steps));
            let of = |point: usize| (point < points).then(|| &from[point * channels + block * TILE..][..TILE]);
            let [even, odd] = [2 * pair, 2 * pair + 1].map(|point| of(point).unwrap_or(&[0; TILE]));
            for (to, (&even, &odd)) in line.0.as_chunks_mut::<2>().0.iter_mut().zip(even.iter().zip(odd)) {
                *to = [even, odd];
            }
        }
    }

    /// Makes room for one line of inputs. What stands there means nothing.
    fn shape(&mut self, length: usize, outputs: usize) {
        (self.lines, self.steps, self.blocks) = (1, length.div_ceil(STEP), outputs.div_ceil(TILE));
        self.numbers.resize(self.blocks * self.steps * TILE, Line([0; STEP]));
    }
}

/// Numbers of points in 16 bits, one point after the other. What stands there means nothing between runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Shortened {
    numbers: Vec<Line>,
}

impl Shortened {
    /// Makes room for so many numbers.
    pub(super) fn reserve(&mut self, count: usize) -> &mut [u16] {
        let lines = count.div_ceil(STEP);
        if self.numbers.len() < lines {
            self.numbers.resize(lines, Line([0; STEP]));
        }
        let room = &mut self.numbers[..lines];
        // SAFETY: a line is `STEP` numbers and nothing else.
        unsafe { std::slice::from_raw_parts_mut(room.as_mut_ptr().cast(), lines * STEP) }
    }
}

/// Rounds points of a row: `from` has one block of channels after the other, each `stride` numbers behind the one before; in `to` all
/// channels of a point lie side by side.
pub(super) fn round(from: &[f32], stride: usize, points: usize, to: &mut [u16]) {
    let blocks = to.len() / TILE / points.max(1);
    assert!(to.len() == blocks * TILE * points, "whole points");
    for block in 0..blocks {
        let own = &from[block * stride..][..points * TILE];
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        if unit::available() {
            // SAFETY: a processor with the unit has the instructions too.
            unsafe { unit::round(own, blocks, &mut to[block * TILE..]) };
            continue;
        }
        for (point, numbers) in own.as_chunks::<TILE>().0.iter().enumerate() {
            let to = &mut to[(point * blocks + block) * TILE..][..TILE];
            to.iter_mut().zip(numbers).for_each(|(to, &number)| *to = rounded(number));
        }
    }
}

/// Whether this processor has the unit and the system lets this process use it.
pub(in crate::eval::net) fn available() -> bool {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    return unit::available();
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    false
}

/// Tiles of points that are multiplied together, at most.
const GROUP: usize = 4;

/// Receiver of sums: block of outputs, tiles of points.
trait Sums {
    /// Place of the next sums.
    fn place(&mut self, block: usize, tiles: &Range<usize>) -> &mut [Sixteen];

    /// The sums are in their place.
    fn filled(&mut self, block: usize, tiles: &Range<usize>);
}

/// Keeps all sums: block of outputs, point, output.
struct Keep<'a> {
    tiles: usize,
    to: &'a mut [Sixteen],
}

impl Sums for Keep<'_> {
    fn place(&mut self, block: usize, tiles: &Range<usize>) -> &mut [Sixteen] {
        let first = block * self.tiles;
        &mut self.to[(first + tiles.start) * TILE..(first + tiles.end) * TILE]
    }

    fn filled(&mut self, _: usize, _: &Range<usize>) {}
}

/// Hands sums on while they are in the processor's nearest memory.
struct Pass<F> {
    sums: [Sixteen; GROUP * TILE],
    each: F,
}

impl<F: FnMut(usize, usize, &[Sixteen])> Sums for Pass<F> {
    fn place(&mut self, _: usize, tiles: &Range<usize>) -> &mut [Sixteen] {
        &mut self.sums[..tiles.len() * TILE]
    }

    fn filled(&mut self, block: usize, tiles: &Range<usize>) {
        (self.each)(block, tiles.start * TILE, &self.sums[..tiles.len() * TILE]);
    }
}

/// Multiplies points by weights: block of outputs, point, output; the points are filled up to whole tiles. A point's first line begins
/// `stride` numbers behind that of the point before, its next line `pitch` numbers behind its first. Processors without the unit calculate
/// the same, slowly.
pub(super) fn multiply(weights: &TileWeights, from: &Shortened, strides: [usize; 2], points: usize, to: &mut Aligned) {
    let tiles = points.div_ceil(TILE);
    let size = weights.blocks * tiles * TILE;
    to.resize(to.len().max(size * TILE));
    products(weights, from, strides, tiles, &mut Keep { tiles, to: &mut to.lines_mut()[..size] });
}

/// Hands the sums that [`multiply`] keeps to `each`, part by part: block of outputs, first point, sums of the points from it on.
pub(super) fn multiply_each(
    weights: &TileWeights,
    from: &Shortened,
    strides: [usize; 2],
    points: usize,
    each: impl FnMut(usize, usize, &[Sixteen]),
) {
    let sums = [Sixteen::default(); GROUP * TILE];
    products(weights, from, strides, points.div_ceil(TILE), &mut Pass { sums, each });
}

fn products(weights: &TileWeights, from: &Shortened, [stride, pitch]: [usize; 2], tiles: usize, sums: &mut impl Sums) {
    assert!(weights.blocks == 0 || weights.lines * weights.steps > 0, "outputs have inputs");
    let rows = tiles * TILE;
    let needed = (rows.max(1) - 1) * stride + (weights.lines.max(1) - 1) * pitch + weights.steps * STEP;
    assert!(from.numbers.len() * STEP >= needed, "all points that are read are there");
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if unit::available() {
        // SAFETY: the unit is there, and all that is read lies within the numbers, as was made sure above.
        unsafe { by_unit(weights, &from.numbers, [stride, pitch], tiles, sums) };
        return;
    }
    for block in 0..weights.blocks {
        for group in groups(tiles) {
            let to = sums.place(block, &group);
            plain(weights, &from.numbers, [stride, pitch], block, group.start * TILE, to);
            sums.filled(block, &group);
        }
    }
}

/// # Safety
///
/// The unit is available, and all lines of all points lie within `from`.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
unsafe fn by_unit(
    weights: &TileWeights,
    from: &[Line],
    [stride, pitch]: [usize; 2],
    tiles: usize,
    sums: &mut impl Sums,
) {
    let (lines, steps) = (weights.lines, weights.steps);
    let size = lines * steps * TILE;
    let points = |first: usize| unit::TileRows {
        from: from.as_ptr().cast::<u8>().wrapping_add(2 * first * TILE * stride),
        stride: 2 * stride,
        jump: (2 * pitch).wrapping_sub(steps * size_of::<Line>()),
    };
    let weights_of = |block: usize| weights.numbers[block * size..].as_ptr().cast::<u8>();
    // SAFETY: as promised by the caller; there is room for all sums.
    unsafe {
        unit::configure();
        for block in 0..weights.blocks {
            for group in groups(tiles) {
                let to = sums.place(block, &group);
                assert!(to.len() >= group.len() * TILE, "room for all sums");
                let (from, own, to) = (points(group.start), weights_of(block), to.as_mut_ptr());
                match group.len() {
                    1 => unit::one(from, own, lines, steps, to),
                    2 => unit::two(from, own, lines, steps, to),
                    3 => unit::three(from, own, lines, steps, to),
                    _ => unit::four(from, own, lines, steps, to),
                }
                sums.filled(block, &group);
            }
        }
        unit::release();
    }
}

/// Tiles in groups that are as even as can be.
fn groups(tiles: usize) -> impl Iterator<Item = Range<usize>> {
    let count = tiles.div_ceil(GROUP);
    (0..count).map(move |group| group * tiles / count..(group + 1) * tiles / count)
}

/// The definition of the products, of points from the first one on.
fn plain(
    weights: &TileWeights,
    from: &[Line],
    [stride, pitch]: [usize; 2],
    block: usize,
    first: usize,
    to: &mut [Sixteen],
) {
    let size = weights.lines * weights.steps * TILE;
    let float = |bits: u16| f32::from_bits(u32::from(bits) << 16);
    let number = |place: usize| float(from[place / STEP].0[place % STEP]);
    for (point, to) in (first..).zip(to) {
        to.0 = [0.0; TILE];
        for (pair, own) in weights.numbers[block * size..][..size].iter().enumerate() {
            let (line, pair) = (pair / (weights.steps * TILE), pair % (weights.steps * TILE));
            let first = point * stride + line * pitch + 2 * pair;
            let (even, odd) = (number(first), number(first + 1));
            for (sum, own) in to.0.iter_mut().zip(own.0.as_chunks::<2>().0) {
                *sum += even * float(own[0]) + odd * float(own[1]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        let float = |bits: u16| f32::from_bits(u32::from(bits) << 16);
        for (number, wanted) in [(256.0, 256.0), (256.9, 256.0), (257.0, 256.0), (-257.1, -258.0), (259.0, 260.0)] {
            assert_eq!(float(rounded(number)), wanted, "{number}");
        }
        assert!(float(rounded(f32::NAN)).is_nan());
        assert!(float(rounded(f32::from_bits(0x7f80_0001))).is_nan());
        assert_eq!(float(rounded(f32::MAX)), f32::INFINITY);
        let mut rng = Rng::new(1);
        let numbers: Vec<f32> = (0..5 * 3 * TILE).map(|_| (rng.unit() - 0.5) * 100.0).collect();
        let mut to = vec![0; numbers.len()];
        round(&numbers, 5 * TILE, 5, &mut to);
        for (place, &number) in numbers.iter().enumerate() {
            let (block, point, lane) = (place / TILE / 5, place / TILE % 5, place % TILE);
            assert_eq!(to[(point * 3 + block) * TILE + lane], rounded(number));
        }
    }

    /// The unit, where there is one, gives what the definition gives.
    #[test]
    fn products_are_as_defined() {
        let mut rng = Rng::new(2);
        for (lines, length, outputs, stride, points) in [
            (1, 16, 16, 16, 1_usize),
            (1, 40, 3, 48, 17),
            (3, 96, 33, 32, 64),
            (3, 144, 48, 48, 133),
            (2, 5, 1, 16, 50),
            (1, 32, 16, 32, 0),
        ] {
            let pitch = stride * 7;
            let weights: Vec<f32> = (0..lines * length * outputs).map(|_| rng.unit() - 0.5).collect();
            let packed = TileWeights::new(lines, length, outputs, |line, place, output| {
                weights[(line * length + place) * outputs + output]
            });
            let mut from = Shortened::default();
            let count = points.next_multiple_of(TILE) * stride + lines * pitch + length.next_multiple_of(STEP);
            from.reserve(count).iter_mut().for_each(|number| *number = rounded(rng.unit() - 0.5));
            let mut found = Aligned::default();
            multiply(&packed, &from, [stride, pitch], points, &mut found);
            assert_eq!(found.len(), outputs.div_ceil(TILE) * points.next_multiple_of(TILE) * TILE);
            let (mut wanted, mut parts) = (found.clone(), found.clone());
            let rows = points.next_multiple_of(TILE);
            for block in 0..packed.blocks {
                let to = &mut wanted.lines_mut()[block * rows..][..rows];
                plain(&packed, &from.numbers, [stride, pitch], block, 0, to);
            }
            parts.lines_mut().fill(Sixteen([f32::NAN; TILE]));
            multiply_each(&packed, &from, [stride, pitch], points, |block, first, sums| {
                parts.lines_mut()[block * rows + first..][..sums.len()].copy_from_slice(sums);
            });
            assert_eq!(parts, found);
            let float = |bits: u16| f32::from_bits(u32::from(bits) << 16);
            for (place, (found, wanted)) in found.lines_mut().iter().zip(wanted.lines_mut()).enumerate() {
                for (lane, (found, wanted)) in found.0.iter().zip(wanted.0).enumerate() {
                    assert!((found - wanted).abs() < 1e-4, "{found} for {wanted}");
                    // And the definition those of the weights as they were given.
                    let (block, point) = (place / points.next_multiple_of(TILE), place % points.next_multiple_of(TILE));
                    let output = block * TILE + lane;
                    let mut sum = 0.0;
                    for (line, input) in (0..lines).flat_map(|line| (0..length).map(move |input| (line, input))) {
                        let place = point * stride + line * pitch + input;
                        let number = float(from.numbers[place / STEP].0[place % STEP]);
                        let known = output < outputs;
                        sum += if known { number * weights[(line * length + input) * outputs + output] } else { 0.0 };
                    }
                    assert!((sum - wanted).abs() < 2e-2 * (1.0 + sum.abs()), "{wanted} for {sum}");
                }
            }
        }
    }
}
