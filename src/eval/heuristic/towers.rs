//! Avalam by the towers that are on the board: whoever has more is ahead, and settled ones count most.

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::Side;
use crate::games::avalam::Position;

/// Steepness from the lead in towers to a value in (-1, 1).
const STEEPNESS: f32 = 0.1;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Towers;

impl Evaluator<Position> for Towers {
    fn attributes(&self) -> Attributes {
        Attributes { name: "towers".to_owned(), batch: usize::MAX, lines: 1 }
    }

    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        for position in positions {
            if !wanted() {
                return Err(Cancelled);
            }
            let [first, second] =
                Side::BOTH.map(|side| position.points_of(side) as f32 + 0.5 * position.settled_of(side) as f32);
            values.push((STEEPNESS * (first - second)).tanh());
        }
        Ok(())
    }
}
