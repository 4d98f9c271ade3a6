//! Floats that lie as memory is read: a vector of sixteen is one line of the processor's cache, where it would be parts of two.

#![allow(unsafe_code, reason = "lines of sixteen floats are shown as floats")]

use std::ops::{Deref, DerefMut};

/// Channels that lie side by side.
pub(super) const LANES: usize = 16;

/// Sixteen floats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Sixteen(pub(super) [f32; LANES]);

/// Floats, so many that they fill lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Aligned(Vec<Sixteen>);

impl Aligned {
    /// So many zeros.
    pub(super) fn zeros(count: usize) -> Self {
        Self(vec![Sixteen::default(); count.div_ceil(LANES)])
    }

    /// Makes them so many; new ones are zeros.
    pub(super) fn resize(&mut self, count: usize) {
        self.0.resize(count.div_ceil(LANES), Sixteen::default());
    }

    /// All lines.
    pub(super) fn lines_mut(&mut self) -> &mut [Sixteen] {
        &mut self.0
    }
}

impl Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        // SAFETY: a line is sixteen floats and nothing else.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * LANES) }
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len() * LANES) }
    }
}
