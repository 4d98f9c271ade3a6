//! Beginning of a new game.

use thiserror::Error;

use super::Kind;
use crate::games::{Boards, Size, go};

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
