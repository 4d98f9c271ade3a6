//! Surakarta by pieces, by what can be taken, and by how far pieces come along the tracks.

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::Game;
use crate::games::surakarta::Position;

/// Steepness from the lead in pieces to a value in (-1, 1).
const STEEPNESS: f32 = 0.22;
/// Worth of a capture for the side to move, and of one more than the first.
const CAPTURE: f32 = 0.7;
const MORE_CAPTURES: f32 = 0.15;
/// Cost of a piece that the opponent threatens, once the side to move has taken or moved one.
const THREATENED: f32 = 0.25;
/// Worth of all places behind arcs, as the share by which one side comes to more of them.
const SWEPT: f32 = 1.2;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arcs;

fn value(position: &Position) -> f32 {
    let side = position.to_move();
    let [own, other] = [side, side.opponent()].map(|side| (position.count(side) as f32, position.reach(side)));
    let (pieces, [captures, swept]) = own;
    let (other_pieces, [threats, other_swept]) = other;
    let captures = CAPTURE * captures.min(1) as f32 + MORE_CAPTURES * captures.saturating_sub(1) as f32;
    let threats = THREATENED * threats.saturating_sub(1) as f32;
    let swept = SWEPT * (swept as f32 - other_swept as f32) / (swept + other_swept + 1) as f32;
    (STEEPNESS * side.sign() * (pieces - other_pieces + captures - threats + swept)).tanh()
}

impl Evaluator<Position> for Arcs {
    fn attributes(&self) -> Attributes {
        Attributes { name: "arcs".to_owned(), batch: usize::MAX, lines: 1 }
    }

    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        for position in positions {
            if !wanted() {
                return Err(Cancelled);
            }
            values.push(value(position));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::games::Spelled;

    fn position(first: &[usize], second: &[usize], to_move: Side) -> Position {
        let both = [(Side::First, first), (Side::Second, second)];
        let pieces: Vec<_> =
            both.iter().flat_map(|(side, points)| points.iter().map(move |&point| (*side, point))).collect();
        let mut position = Position::new().with_pieces(&pieces).unwrap();
        position.set_to_move(to_move);
        position
    }

    /// Points by sixes from the top left.
    #[test]
    fn pieces_captures_and_ways_count_and_colours_are_alike() {
        let [a, b] = Side::BOTH;
        assert!(value(&position(&[14, 15], &[0], a)) > value(&position(&[14], &[0], a)));
        let sides = [value(&position(&[14, 35], &[1, 21], a)), value(&position(&[1, 21], &[14, 35], b))];
        assert!((sides[0] + sides[1]).abs() < 1e-6, "{sides:?}");
        // The piece on e6 comes around the corner to f5 and takes it; in its own corner it does not.
        assert!(value(&position(&[4], &[11], a)) > value(&position(&[0], &[11], a)) + 0.1);
        // A piece on a track is worth more than one in a corner.
        assert!(value(&position(&[14], &[0], a)) > 0.0 && value(&position(&[0], &[14], a)) < 0.0);
    }
}
