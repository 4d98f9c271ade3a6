//! Boards that fill up, for searches to the end of the game.

use std::fmt::Debug;

use super::Game;

/// Board of at most 64 points that fills up, as the side to move sees it: no more than a search to the end of the game needs. A set
/// of points is the bits of a number.
pub trait Filling: Copy + Debug + Send + Sync + 'static {
    /// Points without a piece.
    fn empty(&self) -> u64;

    /// Points where the side to move can play.
    fn placements(&self) -> u64;

    /// The board after a move to that empty point, as the opponent sees it; `None` where nobody may play there now.
    fn placed(&self, at: u64) -> Option<Self>;

    /// The board as the opponent sees it, who is to move where the side to move has to pass.
    fn passed(&self) -> Self;

    /// Points by which the side to move is ahead where the game ends here.
    fn lead(&self) -> i32;

    /// Points of the board: nobody can be ahead by more.
    fn points(&self) -> i32;

    /// Whether something shows that the side to move ends ahead by no more than that.
    fn is_limited_to(&self, lead: i32) -> bool;

    /// Empty points that are tried first where few are left.
    fn early(&self) -> u64;

    /// How good a move to `at` looks, which leaves the board `after`. Only the order among the moves of a board counts.
    fn promise(&self, at: u64, after: &Self) -> i32;

    /// A hash of all that the rest of the game depends on.
    fn key(&self) -> u64;
}

/// Game whose late positions are searched to their end, for the exact lead.
pub trait Endgame: Game {
    /// Board to search.
    type Board: Filling;

    /// The board as the side to move sees it; `None` where it is too large.
    fn filling(&self) -> Option<Self::Board>;

    /// The move to the point of that bit; without one the pass.
    fn move_to(&self, bit: Option<u32>) -> Self::Move;
}
