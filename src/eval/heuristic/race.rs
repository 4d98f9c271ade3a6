//! Breakthrough by pieces and how far they have come: the nearer to the end, the more each step is worth.

use super::Glance;
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

impl Glance for Race {
    type Game = Position;

    const NAME: &'static str = "race";

    fn value(&self, position: &Position) -> f32 {
        let [first, second] = Side::BOTH.map(|side| {
            let pieces = position.distances(side).map(|steps| WORTH[(steps as usize).min(WORTH.len() - 1)]);
            let free = position.free_run(side).map_or(0.0, |steps| FREE_RUN / steps.max(1) as f32);
            pieces.sum::<f32>() + free
        });
        (STEEPNESS * (first - second)).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::testing::set_up;

    fn value(first: &[usize], second: &[usize]) -> f32 {
        Race.value(&set_up(&Position::new(Size::square(5)), [first, second], Side::First))
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
