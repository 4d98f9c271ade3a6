//! The vector instructions that layers calculate with.

use rten_simd::isa::GenericIsa;
use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

/// A set of instructions. Sums depend on it in their last bits: it decides whether a product is rounded before it is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::eval::net) enum Instructions {
    /// The fastest of this processor.
    #[default]
    Fastest,
    /// The same, and products of 16 bits by the processor's matrix unit.
    Tiles,
    /// Instructions that every processor has: the same results everywhere, slowly.
    Portable,
}

/// Numbers of a vector. In a `const` block it keeps code from being made that a set of instructions has no use for.
pub(super) const fn lanes<I: Isa>() -> usize {
    size_of::<I::F32>() / size_of::<f32>()
}

/// Sums of the same numbers that grow side by side, since each addition waits for the one before it.
pub(super) const SUMS: usize = 4;

/// Zero instead of what is negative. In this order what is no number stays none, but by the portable instructions.
#[inline(always)]
pub(super) fn rectified<I: Isa>(isa: I, number: I::F32) -> I::F32 {
    let ops = isa.f32();
    ops.max(ops.zero(), number)
}

impl Instructions {
    /// Back end that calculates with them.
    pub(super) const fn backend(self) -> &'static str {
        match self {
            Self::Fastest => "embedded",
            Self::Tiles => "bfloat16",
            Self::Portable => "portable",
        }
    }

    /// Whether products may be of 16 bits.
    pub(super) const fn has_tiles(self) -> bool {
        matches!(self, Self::Tiles)
    }

    /// Instructions that do without products of 16 bits.
    pub(super) const fn precise(self) -> Self {
        match self {
            Self::Tiles => Self::Fastest,
            other => other,
        }
    }

    /// Runs an operation with them.
    pub(super) fn run<Op: SimdOp>(self, operation: Op) -> Op::Output {
        match self {
            Self::Fastest | Self::Tiles => operation.dispatch(),
            Self::Portable => operation.eval(GenericIsa::new()),
        }
    }
}
