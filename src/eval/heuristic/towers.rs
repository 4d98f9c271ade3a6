//! Avalam by the towers that are on the board: whoever has more is ahead, and settled ones count most.

use super::Glance;
use crate::game::Side;
use crate::games::avalam::Position;

/// Steepness from the lead in towers to a value in (-1, 1).
const STEEPNESS: f32 = 0.1;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Towers;

impl Glance for Towers {
    type Game = Position;

    const NAME: &'static str = "towers";

    fn value(&self, position: &Position) -> f32 {
        let [first, second] =
            Side::BOTH.map(|side| position.points_of(side) as f32 + 0.5 * position.settled_of(side) as f32);
        (STEEPNESS * (first - second)).tanh()
    }
}
