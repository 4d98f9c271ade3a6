//! Breakthrough by pieces and how far they have come: the nearer to the end, the more each step is worth.

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::Side;
use crate::games::breakthrough::Position;

/// Steepness from the lead to a value in (-1, 1).
const STEEPNESS: f32 = 0.08;

/// Worth of a piece that has so many steps to go, and more of those that are further away.
const WORTH: [f32; 7] = [20.0, 12.0, 6.5, 4.0, 3.0, 2.5, 2.5];

/// Worth of a piece that nothing can stop any more.
const FREE_RUN: f32 = 15.0;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Race;

impl Evaluator<Position> for Race {
    fn attributes(&self) -> Attributes {
        Attributes { name: "race".to_owned(), batch: usize::MAX, lines: 1 }
    }

    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        for position in positions {
            if !wanted() {
                return Err(Cancelled);
            }
            let [first, second] = Side::BOTH.map(|side| {
                let pieces = position.distances(side).map(|steps| WORTH[(steps as usize).min(WORTH.len() - 1)]);
                let free = position.free_run(side).map_or(0.0, |steps| FREE_RUN / steps.max(1) as f32);
                pieces.sum::<f32>() + free
            });
            values.push((STEEPNESS * (first - second)).tanh());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Size, Spelled};

    fn value(first: &[usize], second: &[usize]) -> f32 {
        let both = [(Side::First, first), (Side::Second, second)];
        let pieces: Vec<_> =
            both.iter().flat_map(|(side, points)| points.iter().map(move |&point| (*side, point))).collect();
        let position = Position::new(Size::square(5)).with_pieces(&pieces).unwrap();
        let mut values = Vec::new();
        Race.evaluate(&[position], &mut values, &|| true).unwrap();
        values[0]
    }

    #[test]
    fn pieces_and_steps_count_and_colours_are_alike() {
        // Points from the top left: the last row of the one is the first of the other.
        assert!(value(&[20, 21], &[0]) > 0.0);
        assert!(value(&[10, 21], &[0, 1]) > value(&[15, 21], &[0, 1]));
        assert!((value(&[10, 21], &[0, 1]) + value(&[20, 21], &[10, 1])).abs() < 1e-6);
        // Nothing stops the piece on the left; the one on the right has somebody before it.
        assert!(value(&[10, 24], &[4, 3]) > value(&[12, 24], &[4, 3]));
    }
}
