//! Lines of Action by how near together the pieces are and how few groups they make (after Winands' MIA, 2004).

use super::Glance;
use crate::game::{Game, Side};
use crate::games::Spelled;
use crate::games::loa::Position;

/// Steepness from the lead to a value in (-1, 1).
const STEEPNESS: f32 = 0.3;
/// Worth of a group that is still to be joined.
const GROUP: f32 = 0.35;
/// Worth of a step that a piece is nearer to the middle of its side, on average.
const STEP: f32 = 1.5;
/// Worth of a step that the middle of a side is nearer to that of the board: there it cannot be passed by.
const CENTRE: f32 = 0.25;
/// Worth of a move.
const MOBILITY: f32 = 0.04;
/// Worth of the turn.
const TURN: f32 = 0.3;

/// Steps of so many pieces from their middle where they lie as near together as they can, on average.
fn least_spread(count: usize) -> f32 {
    // One in the middle, eight around it, sixteen around them.
    let steps = (1..count).map(|number| if number < 9 { 1.0 } else { 2.0 });
    steps.sum::<f32>() / count.max(1) as f32
}

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gathering;

impl Gathering {
    fn worth(position: &Position, side: Side) -> f32 {
        let count = position.count(side) as f32;
        let sums = position.places(side).fold([0.0; 2], |[x, y], at| [x + at[0] as f32, y + at[1] as f32]);
        let middle = sums.map(|sum| sum / count);
        let far = |[x, y]: [f32; 2]| (x - middle[0]).abs().max((y - middle[1]).abs());
        let spread = position.places(side).map(|at| far(at.map(|line| line as f32))).sum::<f32>() / count;
        let size = position.size();
        let aside = far([size.width, size.height].map(|lines| (lines - 1) as f32 / 2.0));
        MOBILITY * position.mobility(side) as f32
            - STEP * (spread - least_spread(count as usize)).max(0.0)
            - CENTRE * aside
            - GROUP * position.groups(side) as f32
    }
}

impl Glance for Gathering {
    type Game = Position;

    const NAME: &'static str = "gathering";

    fn value(&self, position: &Position) -> f32 {
        let [first, second] = Side::BOTH.map(|side| Self::worth(position, side));
        (STEEPNESS * (first - second + TURN * position.to_move().sign())).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::testing::set_up;

    fn value(first: &[usize], second: &[usize], to_move: Side) -> f32 {
        Gathering.value(&set_up(&Position::new(Size::square(5)), [first, second], to_move))
    }

    #[test]
    fn who_is_near_together_is_ahead_and_colours_are_alike() {
        let near = value(&[6, 7, 13], &[20, 4, 24], Side::First);
        assert!(near > value(&[6, 7, 14], &[20, 4, 24], Side::First) && near < 1.0, "{near}");
        assert!(near > 0.1 && value(&[6, 7, 13], &[20, 4, 24], Side::Second) < near);
        assert!((near + value(&[20, 4, 24], &[6, 7, 13], Side::Second)).abs() < 1e-6);
    }
}
