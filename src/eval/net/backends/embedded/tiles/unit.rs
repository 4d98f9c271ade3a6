//! The matrix unit itself, on systems where its use is known.

use std::arch::asm;
use std::arch::x86_64::{
    __cpuid, __cpuid_count, __m256bh, __m256i, _mm256_storeu_si256, _mm512_cvtneps_pbh, _mm512_loadu_ps, _xgetbv,
};
use std::sync::LazyLock;

use super::super::aligned::{LANES as TILE, Sixteen};

/// Bytes of a row of a tile.
const LINE: usize = 64;

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

/// Gives all tiles their shape.
///
/// # Safety
///
/// The unit is available.
pub(super) unsafe fn configure() {
    // SAFETY: as promised by the caller. Nothing else in this process relies on tiles that it has not loaded itself.
    unsafe { asm!("ldtilecfg [{}]", in(reg) &WHOLE, options(nostack, readonly, preserves_flags)) }
}

/// Tells the processor that tiles are not needed any more.
///
/// # Safety
///
/// The unit is available.
pub(super) unsafe fn release() {
    // SAFETY: as promised by the caller.
    unsafe { asm!("tilerelease", options(nomem, nostack, preserves_flags)) }
}

/// Where points lie, in bytes.
pub(super) struct TileRows {
    pub(super) from: *const u8,
    pub(super) stride: usize,
    /// From behind a line of inputs to the next line.
    pub(super) jump: usize,
}

/// A function that calculates one block of outputs for some tiles of points, each with its sum and what it is loaded to.
macro_rules! products {
    ($name:ident, [$($a:ident $tile:literal $sum:literal $from:literal $at:literal),*]) => {
        /// # Safety
        ///
        /// The unit is available and its tiles are shaped; all that is read and written is there.
        pub(super) unsafe fn $name(points: TileRows, weights: *const u8, lines: usize, steps: usize, to: *mut Sixteen) {
            let TileRows { from, stride, jump } = points;
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
                    line = in(reg) LINE,
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
