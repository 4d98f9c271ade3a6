//! The vector instructions that layers calculate with.

use rten_simd::isa::GenericIsa;
use rten_simd::{Isa, SimdOp};

/// A set of instructions. Sums depend on it in their last bits: it decides whether a product is rounded before it is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::eval::net) enum Instructions {
    /// The fastest of this processor.
    #[default]
    Fastest,
    /// Instructions that every processor has: the same results everywhere, slowly.
    Portable,
}

/// Numbers of a vector. In a `const` block it keeps code from being made that a set of instructions has no use for.
pub(super) const fn lanes<I: Isa>() -> usize {
    size_of::<I::F32>() / size_of::<f32>()
}

impl Instructions {
    /// Back end that calculates with them.
    pub(super) const fn backend(self) -> &'static str {
        match self {
            Self::Fastest => "embedded",
            Self::Portable => "portable",
        }
    }

    /// Runs an operation with them.
    pub(super) fn run<Op: SimdOp>(self, operation: Op) -> Op::Output {
        match self {
            Self::Fastest => operation.dispatch(),
            Self::Portable => operation.eval(GenericIsa::new()),
        }
    }
}
