//! Clobber by the stones that can still move: whoever has more of them has more to wait with.

use super::Glance;
use crate::game::{Game, Side};
use crate::games::clobber::Position;

/// Steepness from the lead in stones that can move to a value in (-1, 1).
const STEEPNESS: f32 = 0.25;

/// Value of the turn where an odd number of moves is left, in stones that can move; if it is even, it costs as much.
const TURN: f32 = 0.5;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl Glance for Mobility {
    type Game = Position;

    const NAME: &'static str = "mobility";

    fn value(&self, position: &Position) -> f32 {
        let [first, second] = Side::BOTH.map(|side| position.mobile(side) as f32);
        let turn = position.to_move().sign() * if position.moves() % 2 == 1 { 1.0 } else { -1.0 };
        (STEEPNESS * (first - second + TURN * turn)).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::testing::set_up;

    fn value(first: &[usize], second: &[usize], to_move: Side) -> f32 {
        Mobility.value(&set_up(&Position::new(Size { width: 5, height: 2 }), [first, second], to_move))
    }

    #[test]
    fn who_can_wait_is_ahead_and_colours_are_alike() {
        // One stone of the one among three of the other.
        let ahead = value(&[0, 2, 6], &[1], Side::First);
        assert!(ahead > 0.2 && ahead < 1.0, "{ahead}");
        assert_eq!(ahead, -value(&[1], &[0, 2, 6], Side::Second));
        // A single move is good for whoever has the turn.
        assert!(value(&[0], &[1], Side::First) > 0.0 && value(&[0], &[1], Side::Second) < 0.0);
    }
}
