//! Length of games, which clocks are spread over.

/// Least number of own moves that are still expected, as a share of the points and at least.
const TAIL: f64 = 1.0 / 16.0;
const SHORTEST_TAIL: f64 = 5.0;
/// Length of a very long game, in usual ones.
const LONGEST: f64 = 1.8;

/// Moves that the side to move may still have to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovesLeft {
    /// Expected number, at least 2.
    pub expected: f64,
    /// Number that a clock must last for, with answers at once.
    pub longest: f64,
}

impl MovesLeft {
    /// Moves on a board of so many points, of which games usually fill `filled`, after `plies` moves of both sides.
    pub fn on_board(points: usize, filled: f64, plies: usize) -> Self {
        let (points, plies) = (points as f64, plies as f64);
        let left = |filled: f64, tail: f64| ((points * filled - plies) / 2.0).max(points * tail);
        let expected = left(filled, TAIL).max(SHORTEST_TAIL);
        Self { expected, longest: left(LONGEST * filled, 2.0 * TAIL).max(expected) }
    }

    /// Expected number of moves, in a game that is rarely twice as long.
    pub fn about(moves: f64) -> Self {
        let expected = moves.max(2.0);
        Self { expected, longest: 2.0 * expected }
    }
}
