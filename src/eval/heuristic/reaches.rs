//! Amazons by territory: who is nearer to which points, by moves of a queen and by steps of a king (after Lieberum 2005).

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::Game;
use crate::games::amazons::Position;

/// Steepness from the lead in points to a value in (-1, 1).
const STEEPNESS: f32 = 0.12;
/// Share of the territory by moves of a queen; the rest is that by steps of a king.
const QUEENS: f32 = 0.65;
/// Part of a shared point that the side to move makes of it, and most points that the turn is worth.
const TURN: f32 = 0.15;
const MOST_OF_TURN: f32 = 1.5;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reaches;

impl Evaluator<Position> for Reaches {
    fn attributes(&self) -> Attributes {
        Attributes { name: "reaches".to_owned(), batch: usize::MAX, lines: 1 }
    }

    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        for position in positions {
            if !wanted() {
                return Err(Cancelled);
            }
            let (queens, kings) = (position.by_queens(), position.by_kings());
            let lead = |[first, second]: [u32; 2]| first as f32 - second as f32;
            let turn = (TURN * queens.shared as f32).min(MOST_OF_TURN) * position.to_move().sign();
            let points = QUEENS * lead(queens.own) + (1.0 - QUEENS) * lead(kings.own) + turn;
            values.push((STEEPNESS * points).tanh());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::games::{Size, Spelled};

    fn value(first: &[usize], second: &[usize], to_move: Side) -> f32 {
        let both = [(Side::First, first), (Side::Second, second)];
        let amazons: Vec<_> =
            both.iter().flat_map(|(side, points)| points.iter().map(move |&point| (*side, point))).collect();
        let mut position = Position::new(Size::square(5)).with_pieces(&amazons).unwrap();
        position.set_to_move(to_move);
        let mut values = Vec::new();
        Reaches.evaluate(&[position], &mut values, &|| true).unwrap();
        values[0]
    }

    #[test]
    fn who_is_near_to_more_points_is_ahead_and_colours_are_alike() {
        let centre = value(&[12], &[0], Side::First);
        assert!(centre > 0.3 && centre < 1.0, "{centre}");
        assert!((centre + value(&[0], &[12], Side::Second)).abs() < 1e-6);
        // The turn is worth something.
        assert!(value(&[0], &[24], Side::First) > 0.0);
    }
}
