//! Moves of Hex, and the rules that one may break.

use thiserror::Error;

/// A move: a cell by its number `y * width + x`, or the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// `swap-pieces`: the only stone is mirrored across the long diagonal and changes its colour.
    pub const SWAP: Self = Self(u16::MAX);

    /// The move at cell number `index`.
    pub const fn at(index: usize) -> Self {
        Self(index as u16)
    }

    /// The number of the cell, unless it is the swap.
    pub const fn cell(self) -> Option<usize> {
        if self.0 == u16::MAX { None } else { Some(self.0 as usize) }
    }
}

/// Which rule a move breaks.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Illegal {
    /// There is no such cell.
    #[error("invalid, outside the board")]
    Outside,
    /// A stone stands there.
    #[error("occupied")]
    Occupied,
    /// One side has connected its edges.
    #[error("the game is over")]
    GameOver,
    /// A swap in a game without the swap rule.
    #[error("the swap rule is off; --swap or 'param_game allow_swap 1' switches it on")]
    NoSwap,
    /// A swap that is not the second move, or on a board that is not square.
    #[error("swap is not allowed here")]
    Swap,
}
