//! Boards that a game is played on, and how a new game begins.

use std::fmt;

use thiserror::Error;

use super::Kind;
use crate::games::{Size, go};

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

/// A game is not played on a board.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{kind} is played on {boards}")]
pub struct BoardError {
    /// The game.
    pub kind: Kind,
    /// Its boards.
    pub boards: Boards,
}

/// Beginning of new games: each game takes what concerns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Board; the usual one of the game where none is given.
    pub size: Option<Size>,
    /// Rules of Go.
    pub rules: go::Rules,
    /// Komi of Go, in points.
    pub komi: f32,
    /// Whether sessions of Hex play with the swap rule.
    pub swap: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self { size: None, rules: go::Rules::CHINESE, komi: go::Rules::CHINESE.usual_komi(), swap: false }
    }
}
