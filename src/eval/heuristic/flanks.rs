//! Othello by where discs can be placed and where they are safe: early on the choice of moves, later the discs.
//!
//! Moves and frontiers count as the share by which one side has more than the other. Discs alone say little until few points are left.

use super::Glance;
use crate::game::Side;
use crate::games::othello::Position;

/// Steepness from the lead to a value in (-1, 1).
const STEEPNESS: f32 = 0.45;
/// Weight of a lead in moves, as a share of both sides' moves.
const MOBILITY: f32 = 2.6;
/// Weight of a lead in discs that have no empty point beside them, as a share of both sides' frontiers.
const FRONTIER: f32 = 1.2;
/// Worth of a disc that can never be turned.
const STABLE: f32 = 0.22;
/// Worth of a corner, and cost of a disc diagonally beside one that is empty.
const CORNER: f32 = 0.8;
const BESIDE_CORNER: f32 = 0.5;
/// Worth of a disc at the end, which falls with the points that are left: by half at so many.
const DISC: f32 = 0.4;
const HALF: f32 = 6.0;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flanks;

/// The share by which the first number leads the second.
fn lead([first, second]: [u32; 2]) -> f32 {
    (first as f32 - second as f32) / (first + second + 1) as f32
}

fn corners(position: &Position) -> f32 {
    let worth = |[corner, beside]: [Option<Side>; 2]| match (corner, beside) {
        (Some(side), _) => CORNER * side.sign(),
        (None, Some(side)) => -BESIDE_CORNER * side.sign(),
        (None, None) => 0.0,
    };
    position.corners().into_iter().map(worth).sum()
}

impl Glance for Flanks {
    type Game = Position;

    const NAME: &'static str = "flanks";

    fn value(&self, position: &Position) -> f32 {
        let both = |count: fn(&Position, Side) -> u32| Side::BOTH.map(|side| count(position, side));
        let difference = |[first, second]: [u32; 2]| first as f32 - second as f32;
        let late = HALF / (HALF + position.empties() as f32);
        let moves = MOBILITY * lead(both(Position::mobility)) - FRONTIER * lead(both(Position::frontier));
        let safe = STABLE * difference(both(Position::stable)) + corners(position);
        let discs = DISC * difference(both(Position::count));
        (STEEPNESS * (moves * (1.0 - late) + safe + discs * late * late)).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::testing::set_up;

    fn value(first: &[usize], second: &[usize]) -> f32 {
        Flanks.value(&set_up(&Position::new(Size::square(6)), [first, second], Side::First))
    }

    #[test]
    fn corners_and_moves_count_and_colours_are_alike() {
        assert_eq!(Flanks.value(&Position::new(Size::square(8))), 0.0);
        // A corner with an edge along it, against the same discs further in.
        let (corner, inside) = (value(&[0, 1, 2], &[14, 15, 20]), value(&[7, 8, 9], &[14, 15, 20]));
        assert!(corner > inside + 0.1, "{corner} {inside}");
        assert!((corner + value(&[14, 15, 20], &[0, 1, 2])).abs() < 1e-6);
        // A disc diagonally beside an empty corner is a gift.
        assert!(value(&[7], &[14, 21]) < value(&[13], &[14, 21]));
    }

    #[test]
    fn discs_count_at_the_end() {
        let full = |second: usize| {
            let points: Vec<usize> = (0..36).collect();
            value(&points[..36 - second], &points[36 - second..])
        };
        assert!(full(17) > 0.0 && full(19) < 0.0);
    }
}
