//! Boards that a game is played on.

use std::fmt;

use super::Size;

/// Boards with sides in a range, rectangles included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boards {
    /// Fewest lines of a side.
    pub fewest: usize,
    /// Most lines of a side.
    pub most: usize,
}

impl Boards {
    /// Boards with sides from `fewest` to `most` lines.
    pub const fn from_to(fewest: usize, most: usize) -> Self {
        Self { fewest, most }
    }

    /// One square board.
    pub const fn only(lines: usize) -> Self {
        Self { fewest: lines, most: lines }
    }

    /// Whether a board is one of them.
    pub fn contains(self, size: Size) -> bool {
        let fits = |lines| (self.fewest..=self.most).contains(&lines);
        fits(size.width) && fits(size.height)
    }

    /// Lines of the square board that is nearest to one with that many.
    pub fn nearest(self, lines: usize) -> usize {
        lines.clamp(self.fewest, self.most)
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fewest, most } = self;
        match fewest == most {
            true => write!(f, "its own board of {most}x{most}"),
            false => write!(f, "boards from {fewest}x{fewest} to {most}x{most}"),
        }
    }
}
