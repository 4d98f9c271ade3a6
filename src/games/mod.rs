//! The rules of each game. Pure: no I/O, no clock, no globals but scratch memory of a thread, no randomness but a generator
//! passed in.

pub mod amazons;
pub mod avalam;
mod bits;
mod boards;
pub mod breakthrough;
pub mod clobber;
pub mod go;
pub mod gomoku;
pub mod hex;
pub mod loa;
pub mod occupant;
pub mod othello;
mod planes;
mod playout;
pub mod santorini;
mod spelled;
pub mod surakarta;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
pub(crate) mod toys;

pub use boards::Boards;
pub use occupant::{Occupant, Piece};
pub use playout::{PlayedOut, RandomPlayout};
pub use spelled::{Ending, Points, Spelled, Spelling};

use crate::game;

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Points where lines cross.
    Lines,
    /// Square cells.
    Cells,
    /// Hexagons, each row half a cell further to the right than the one above; the first player's edges are top and bottom.
    Hexagons,
}

impl Grid {
    /// Word of the grid for programs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Cells => "cells",
            Self::Hexagons => "hexagons",
        }
    }
}

/// Most lines of a side of any game's board.
pub const MOST_LINES: usize = 32;

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

    /// Its lines as one number, or as two, the width first, where they are not as many.
    pub fn lines(self, separator: char) -> String {
        let Self { width, height } = self;
        if width == height { width.to_string() } else { format!("{width}{separator}{height}") }
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

    /// The point that lies so many columns to the right of another one and so many rows below it, if the board has it.
    #[inline]
    pub fn step(self, point: usize, (right, down): (isize, isize)) -> Option<usize> {
        let (x, y) = self.xy(point);
        let place = x.checked_add_signed(right).zip(y.checked_add_signed(down));
        place.filter(|&(x, y)| x < self.width && y < self.height).map(|(x, y)| self.index(x, y))
    }

    /// A point as a symmetry shows it: see [`game::seen`].
    pub const fn seen(self, point: usize, symmetry: usize) -> usize {
        game::seen([self.height, self.width], point, symmetry)
    }
}
