//! Boards that fill up, for searches to the end of the game.

use std::fmt::Debug;
use std::io;

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

/// Values boards at a glance.
pub trait Appraiser<B>: Debug + Send + Sync + 'static {
    /// Parts of a point that values count.
    const UNIT: i32;

    /// Whether boards of those points can be valued.
    fn knows(&self, board: &B) -> bool;

    /// The lead of the side to move in the end, as it seems.
    fn value(&self, board: &B) -> i32;

    /// Standard deviation, in points, between the values of searches to both depths.
    fn spread(&self, board: &B, shallow: u32, deep: u32) -> f32;

    /// The expected result to the side to move, in 0..=1, where it seems ahead by so many points.
    fn chance(&self, board: &B, lead: f32) -> f32;
}

/// Game whose boards are valued by patterns that can be learned.
pub trait Patterned: Endgame {
    /// Values by weights.
    type Patterns: Appraiser<Self::Board>;

    /// Number of weights.
    fn weights() -> usize;

    /// Weights of a board that is known to the patterns: its value is their sum.
    fn numbers(board: &Self::Board) -> impl AsRef<[u32]>;

    /// Values by those weights, a byte with a sign each; `None` if there are more or fewer.
    fn patterns(weights: &[i8]) -> Option<Self::Patterns>;

    /// The file of those weights.
    ///
    /// # Errors
    /// Errors of compression.
    fn file(weights: &[i8]) -> io::Result<Vec<u8>>;
}

/// The single points of a set.
pub(crate) fn points(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let at = set & set.wrapping_neg();
        set ^= at;
        (at != 0).then_some(at)
    })
}

/// The board as the side sees it that can play, and whether the side to move has to pass first. Where nobody can play it is as it was.
pub(crate) fn to_play<B: Filling>(board: B) -> (B, bool) {
    let passes = board.placements() == 0 && board.passed().placements() != 0;
    (if passes { board.passed() } else { board }, passes)
}
