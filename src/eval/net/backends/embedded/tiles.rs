//! Products of matrices by the processor's matrix unit (Intel AMX): numbers of 16 bits (bfloat16, the upper half of a float), sums of 32.
//!
//! A tile of the unit is sixteen points, or sixteen outputs, by two times sixteen inputs. Points and weights are packed so that each tile is
//! read as it lies: of points an input lies beside the next one, of weights two inputs of an output lie side by side.

#![allow(unsafe_code, reason = "the matrix unit has instructions, but no safe functions")]

use super::aligned::{Aligned, Sixteen};

/// Points of a tile, and its outputs.
pub(super) const TILE: usize = 16;
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

/// Multiplies points by weights: block of outputs, point, output; the points are filled up to whole tiles. A point's first line begins
/// `stride` numbers behind that of the point before, its next line `pitch` numbers behind its first. Processors without the unit calculate
/// the same, slowly.
pub(super) fn multiply(
    weights: &TileWeights,
    from: &Shortened,
    [stride, pitch]: [usize; 2],
    points: usize,
    to: &mut Aligned,
) {
    assert!(weights.blocks == 0 || weights.lines * weights.steps > 0, "outputs have inputs");
    let rows = points.next_multiple_of(TILE);
    let size = weights.blocks * rows;
    to.resize(to.len().max(size * TILE));
    let needed = (rows.max(1) - 1) * stride + (weights.lines.max(1) - 1) * pitch + weights.steps * STEP;
    assert!(from.numbers.len() * STEP >= needed, "all points that are read are there");
    let to = &mut to.lines_mut()[..size];
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if unit::available() {
        // SAFETY: the unit is there, and all that is read and written lies within the slices, as was made sure above.
        unsafe { unit::multiply(weights, &from.numbers, [stride, pitch], to) };
        return;
    }
    plain(weights, &from.numbers, [stride, pitch], to);
}

/// The definition of the products.
fn plain(weights: &TileWeights, from: &[Line], [stride, pitch]: [usize; 2], to: &mut [Sixteen]) {
    let rows = to.len() / weights.blocks.max(1);
    let size = weights.lines * weights.steps * TILE;
    let float = |bits: u16| f32::from_bits(u32::from(bits) << 16);
    let number = |place: usize| float(from[place / STEP].0[place % STEP]);
    for (place, to) in to.iter_mut().enumerate() {
        let (block, point) = (place / rows, place % rows);
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

/// The unit itself, on systems where its use is known.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod unit {
    use std::arch::asm;
    use std::arch::x86_64::{
        __cpuid, __cpuid_count, __m256bh, __m256i, _mm256_storeu_si256, _mm512_cvtneps_pbh, _mm512_loadu_ps, _xgetbv,
    };
    use std::sync::LazyLock;

    use super::{Line, Sixteen, TILE, TileWeights};

    /// Shapes of all tiles.
    #[repr(C, align(64))]
    struct Shapes([u8; 64]);

    /// All eight tiles whole: sixteen rows of 64 bytes.
    static WHOLE: Shapes = {
        let mut shapes = [0; 64];
        shapes[0] = 1;
        let mut tile = 0;
        while tile < 8 {
            shapes[16 + 2 * tile] = 64;
            shapes[48 + tile] = TILE as u8;
            tile += 1;
        }
        Shapes(shapes)
    };

    pub(super) fn available() -> bool {
        static AVAILABLE: LazyLock<bool> =
            LazyLock::new(|| is_x86_feature_detected!("avx512bf16") && has_tiles() && permitted());
        *AVAILABLE
    }

    /// Whether the processor has tiles with products of 16 bits, and the system keeps their state.
    fn has_tiles() -> bool {
        const BF16_AND_TILES: u32 = 1 << 22 | 1 << 24;
        const STATES: u64 = 1 << 17 | 1 << 18;
        if __cpuid(0).eax < 7 || __cpuid_count(7, 0).edx & BF16_AND_TILES != BF16_AND_TILES {
            return false;
        }
        // SAFETY: whoever has AVX-512 has this instruction.
        unsafe { xgetbv() & STATES == STATES }
    }

    #[target_feature(enable = "xsave")]
    fn xgetbv() -> u64 {
        // SAFETY: register 0 is always there.
        unsafe { _xgetbv(0) }
    }

    /// Asks the system for the use of tiles by this process, which it grants once and for all threads.
    fn permitted() -> bool {
        const ARCH_PRCTL: i64 = 158;
        const REQUEST_STATE: u64 = 0x1023;
        const TILE_DATA: u64 = 18;
        let result: i64;
        // SAFETY: this call reads and writes no memory of ours.
        unsafe {
            asm!(
                "syscall",
                inlateout("rax") ARCH_PRCTL => result,
                in("rdi") REQUEST_STATE,
                in("rsi") TILE_DATA,
                out("rcx") _,
                out("r11") _,
                options(nostack),
            );
        }
        result == 0
    }

    /// Rounds a block of points; the same block of the next point lies `blocks` blocks behind.
    #[target_feature(enable = "avx512f,avx512bf16")]
    pub(super) fn round(from: &[f32], blocks: usize, to: &mut [u16]) {
        let points = from.as_chunks::<TILE>().0;
        assert!(points.is_empty() || to.len() >= ((points.len() - 1) * blocks + 1) * TILE, "room for all points");
        for (point, numbers) in points.iter().enumerate() {
            // SAFETY: both lie within the slices, as was made sure above.
            unsafe {
                let short = _mm512_cvtneps_pbh(_mm512_loadu_ps(numbers.as_ptr()));
                let short = std::mem::transmute::<__m256bh, __m256i>(short);
                _mm256_storeu_si256(to.as_mut_ptr().add(point * blocks * TILE).cast(), short);
            }
        }
    }

    /// # Safety
    ///
    /// The unit is available, and all lines of all points lie within `from`.
    pub(super) unsafe fn multiply(
        weights: &TileWeights,
        from: &[Line],
        [stride, pitch]: [usize; 2],
        to: &mut [Sixteen],
    ) {
        // Of each block of outputs; groups of at most four are as even as can be.
        let tiles = to.len() / TILE / weights.blocks.max(1);
        let groups = tiles.div_ceil(4);
        let size = weights.lines * weights.steps * TILE;
        // SAFETY: as promised by the caller. Nothing else in this process relies on tiles that it has not loaded itself.
        unsafe {
            asm!("ldtilecfg [{}]", in(reg) &WHOLE, options(nostack, readonly, preserves_flags));
            for block in 0..weights.blocks {
                let weights_of = weights.numbers.as_ptr().add(block * size);
                for group in 0..groups {
                    let [first, end] = [group, group + 1].map(|group| group * tiles / groups);
                    let points = Rows {
                        from: from.as_ptr().cast::<u8>().add(2 * first * TILE * stride),
                        stride: 2 * stride,
                        jump: (2 * pitch).wrapping_sub(weights.steps * size_of::<Line>()),
                    };
                    let to = to.as_mut_ptr().add((block * tiles + first) * TILE);
                    let (lines, steps) = (weights.lines, weights.steps);
                    match end - first {
                        1 => one(points, weights_of, lines, steps, to),
                        2 => two(points, weights_of, lines, steps, to),
                        3 => three(points, weights_of, lines, steps, to),
                        _ => four(points, weights_of, lines, steps, to),
                    }
                }
            }
            asm!("tilerelease", options(nomem, nostack, preserves_flags));
        }
    }

    /// Where points lie, in bytes.
    struct Rows {
        from: *const u8,
        stride: usize,
        /// From behind a line of inputs to the next line.
        jump: usize,
    }

    /// A function that calculates one block of outputs for some tiles of points, each with its sum and what it is loaded to.
    macro_rules! products {
        ($name:ident, [$($a:ident $tile:literal $sum:literal $from:literal $at:literal),*]) => {
            /// # Safety
            ///
            /// The unit is available and its tiles are shaped; all that is read and written is there.
            unsafe fn $name(points: Rows, weights: *const Line, lines: usize, steps: usize, to: *mut Sixteen) {
                let Rows { from, stride, jump } = points;
                // SAFETY: as promised by the caller. The compiler itself uses no tiles.
                unsafe {
                    asm!(
                        $(concat!("tilezero ", $sum),)*
                        "2:",
                        "mov {step}, {steps}",
                        "3:",
                        "tileloadd tmm4, [{weights} + {line}*1]",
                        $(
                            concat!("tileloadd ", $from, ", [{", stringify!($a), "} + {stride}*1]"),
                            concat!("tdpbf16ps ", $sum, ", ", $from, ", tmm4"),
                        )*
                        "add {weights}, 1024",
                        $(concat!("add {", stringify!($a), "}, 64"),)*
                        "dec {step}",
                        "jnz 3b",
                        $(concat!("add {", stringify!($a), "}, {jump}"),)*
                        "dec {lines}",
                        "jnz 2b",
                        $(concat!("tilestored [{to} + {line}*1 + ", $at, "], ", $sum),)*
                        $($a = inout(reg) from.wrapping_add($tile * TILE * stride) => _,)*
                        weights = inout(reg) weights => _,
                        line = in(reg) size_of::<Line>(),
                        stride = in(reg) stride,
                        jump = in(reg) jump,
                        lines = inout(reg) lines => _,
                        steps = in(reg) steps,
                        step = out(reg) _,
                        to = in(reg) to,
                        options(nostack),
                    );
                }
            }
        };
    }
    products!(one, [a 0 "tmm0" "tmm5" "0"]);
    products!(two, [a 0 "tmm0" "tmm5" "0", b 1 "tmm1" "tmm6" "1024"]);
    products!(three, [a 0 "tmm0" "tmm5" "0", b 1 "tmm1" "tmm6" "1024", c 2 "tmm2" "tmm7" "2048"]);
    products!(four, [a 0 "tmm0" "tmm5" "0", b 1 "tmm1" "tmm6" "1024", c 2 "tmm2" "tmm7" "2048", d 3 "tmm3" "tmm5" "3072"]);
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
            let mut wanted = found.clone();
            plain(&packed, &from.numbers, [stride, pitch], wanted.lines_mut());
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
