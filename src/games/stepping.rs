//! Games whose moves carry what stands on one point to a neighbouring one, and that have no rules beside the board.

use super::Size;
use crate::game::{MonteCarlo, Side};

/// What sessions, protocols and matches ask of such a game.
pub trait Stepping: MonteCarlo {
    /// The start on the board that the game has where none is asked for.
    fn usual() -> Self;

    /// The start on such a board; `None` if the game is not played on it.
    fn start(size: Size) -> Option<Self>;

    /// A position with those pieces and no others, `First` to move; `None` if there is none.
    fn set_up(_size: Size, _pieces: &[(Side, usize)]) -> Option<Self> {
        None
    }

    /// The board.
    fn size(&self) -> Size;

    /// Points that a move on such a board comes from and goes to.
    fn ends_on(size: Size, mv: Self::Move) -> (usize, usize);

    /// The move between two points of such a board, if it has one; it need not be legal.
    fn between_on(size: Size, from: usize, to: usize) -> Option<Self::Move>;

    /// As [`Stepping::ends_on`], on this board.
    fn ends(&self, mv: Self::Move) -> (usize, usize) {
        Self::ends_on(self.size(), mv)
    }

    /// As [`Stepping::between_on`], on this board.
    fn between(&self, from: usize, to: usize) -> Option<Self::Move> {
        Self::between_on(self.size(), from, to)
    }

    /// Whose the piece on that point is.
    fn owner(&self, point: usize) -> Option<Side>;

    /// Pieces that stand on each other there.
    fn height(&self, point: usize) -> usize {
        usize::from(self.owner(point).is_some())
    }

    /// Whether pieces can stand there at all.
    fn is_cell(&self, _point: usize) -> bool {
        true
    }
}
