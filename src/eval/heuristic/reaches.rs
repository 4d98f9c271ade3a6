//! Amazons by territory: who is nearer to which points, by moves of a queen and by steps of a king (after Lieberum 2005).

use super::Glance;
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

impl Glance for Reaches {
    type Game = Position;

    const NAME: &'static str = "reaches";

    fn value(&self, position: &Position) -> f32 {
        let (queens, kings) = (position.by_queens(), position.by_kings());
        let lead = |[first, second]: [u32; 2]| first as f32 - second as f32;
        let turn = (TURN * queens.shared as f32).min(MOST_OF_TURN) * position.to_move().sign();
        let points = QUEENS * lead(queens.own) + (1.0 - QUEENS) * lead(kings.own) + turn;
        (STEEPNESS * points).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::games::Size;
    use crate::games::testing::set_up;

    fn value(first: &[usize], second: &[usize], to_move: Side) -> f32 {
        Reaches.value(&set_up(&Position::new(Size::square(5)), [first, second], to_move))
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
