//! The rules of each game. Pure: no I/O, no clock, no globals but scratch memory of a thread, no randomness but a generator
//! passed in.

use std::fmt;

pub mod avalam;
pub mod clobber;
pub mod go;
pub mod hex;
mod stepping;

pub use stepping::Stepping;

/// The games that this engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Go.
    Go,
    /// Hex.
    Hex,
    /// Clobber for two.
    Clobber,
    /// Clobber for one player.
    Solitaire,
    /// Avalam.
    Avalam,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Go, Self::Hex, Self::Clobber, Self::Solitaire, Self::Avalam];

    /// The word that commands have for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Hex => "hex",
            Self::Clobber => "clobber",
            Self::Solitaire => "solitaire",
            Self::Avalam => "avalam",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Go => "Go",
            Self::Hex => "Hex",
            Self::Clobber => "Clobber",
            Self::Solitaire => "Solitaire",
            Self::Avalam => "Avalam",
        })
    }
}

/// Width and height of a board. Points are numbered `y * width + x`, `x` from the left and `y` from the **top**, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Size {
    /// A square board.
    pub const fn square(n: usize) -> Self {
        Self { width: n, height: n }
    }

    /// Number of points.
    pub const fn points(self) -> usize {
        self.width * self.height
    }

    /// Column and row (from the top) of point number `index`.
    pub const fn xy(self, index: usize) -> (usize, usize) {
        (index % self.width, index / self.width)
    }

    /// Number of the point in column `x`, row `y` from the top.
    pub const fn index(self, x: usize, y: usize) -> usize {
        y * self.width + x
    }
}
