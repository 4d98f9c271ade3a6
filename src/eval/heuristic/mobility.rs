//! Clobber by the stones that can still move: whoever has more of them has more to wait with.

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::{Game, Side};
use crate::games::clobber::Position;

/// Steepness from the lead in stones that can move to a value in (-1, 1).
const STEEPNESS: f32 = 0.25;

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
            let waiting = position.to_move().sign() * if position.moves() % 2 == 1 { 1.0 } else { -1.0 };
            values.push((STEEPNESS * (first - second + 0.5 * waiting)).tanh());
        }
        Ok(())
    }
}
