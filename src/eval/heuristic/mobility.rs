//! Clobber by the stones that can still move: whoever has more of them has more to wait with.

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::{Game, Side};
use crate::games::clobber::Position;

/// Steepness from the lead in stones that can move to a value in (-1, 1).
const STEEPNESS: f32 = 0.25;

/// Value of the turn where an odd number of moves is left, in stones that can move; if it is even, it costs as much.
const TURN: f32 = 0.5;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl Evaluator<Position> for Mobility {
    fn attributes(&self) -> Attributes {
        Attributes { name: "mobility".to_owned(), batch: usize::MAX, lines: 1 }
    }

    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        for position in positions {
            if !wanted() {
                return Err(Cancelled);
            }
            let [first, second] = Side::BOTH.map(|side| position.mobile(side) as f32);
            let turn = position.to_move().sign() * if position.moves() % 2 == 1 { 1.0 } else { -1.0 };
            values.push((STEEPNESS * (first - second + TURN * turn)).tanh());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Size, Spelled};

    fn value(first: &[usize], second: &[usize], to_move: Side) -> f32 {
        let stones = [(Side::First, first), (Side::Second, second)];
        let stones: Vec<_> =
            stones.iter().flat_map(|(side, all)| all.iter().map(move |&point| (*side, point))).collect();
        let mut position = Position::new(Size { width: 5, height: 2 }).with_pieces(&stones).unwrap();
        position.set_to_move(to_move);
        let mut values = Vec::new();
        Mobility.evaluate(&[position], &mut values, &|| true).unwrap();
        values[0]
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
