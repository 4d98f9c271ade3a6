//! Surakarta by pieces, by what can be taken, and by how far pieces come along the tracks.

use super::Glance;
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

impl Glance for Arcs {
    type Game = Position;

    const NAME: &'static str = "arcs";

    fn value(&self, position: &Position) -> f32 {
        let side = position.to_move();
        let [own, other] = [side, side.opponent()].map(|side| (position.count(side) as f32, position.reach(side)));
        let (pieces, [captures, swept]) = own;
        let (other_pieces, [threats, other_swept]) = other;
        let captures = CAPTURE * captures.min(1) as f32 + MORE_CAPTURES * captures.saturating_sub(1) as f32;
        let threats = THREATENED * threats.saturating_sub(1) as f32;
        let swept = SWEPT * (swept as f32 - other_swept as f32) / (swept + other_swept + 1) as f32;
        (STEEPNESS * side.sign() * (pieces - other_pieces + captures - threats + swept)).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::games::testing::set_up;

    fn value(first: &[usize], second: &[usize], to_move: Side) -> f32 {
        Arcs.value(&set_up(&Position::new(), [first, second], to_move))
    }

    /// Points by sixes from the top left.
    #[test]
    fn pieces_captures_and_ways_count_and_colours_are_alike() {
        let [a, b] = Side::BOTH;
        assert!(value(&[14, 15], &[0], a) > value(&[14], &[0], a));
        let sides = [value(&[14, 35], &[1, 21], a), value(&[1, 21], &[14, 35], b)];
        assert!((sides[0] + sides[1]).abs() < 1e-6, "{sides:?}");
        // The piece on e6 comes around the corner to f5 and takes it; in its own corner it does not.
        assert!(value(&[4], &[11], a) > value(&[0], &[11], a) + 0.1);
        // A piece on a track is worth more than one in a corner.
        assert!(value(&[14], &[0], a) > 0.0 && value(&[0], &[14], a) < 0.0);
    }
}
