//! Santorini by height and mobility: how high workers stand, and how high they can go next.

use super::Glance;
use crate::game::{Game, Side};
use crate::games::santorini::Position;

/// Steepness from the lead to a value in (-1, 1).
const STEEPNESS: f32 = 0.15;
/// Worth of a worker on so many levels.
const STANDING: [f32; 4] = [0.0, 1.5, 4.0, 4.0];
/// Worth of each neighbour with so many levels that a worker can move to.
const REACHED: [f32; 4] = [0.2, 0.4, 0.8, 3.0];
/// Worth of the turn.
const TURN: f32 = 0.8;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ascent;

impl Ascent {
    fn worth(position: &Position, side: Side) -> f32 {
        let worker = |(level, neighbours): (usize, [u32; 4])| {
            let reached: f32 = neighbours.iter().zip(REACHED).map(|(&count, worth)| count as f32 * worth).sum();
            STANDING[level.min(STANDING.len() - 1)] + reached
        };
        position.prospects(side).map(worker).sum()
    }
}

impl Glance for Ascent {
    type Game = Position;

    const NAME: &'static str = "ascent";

    fn value(&self, position: &Position) -> f32 {
        let [first, second] = Side::BOTH.map(|side| Self::worth(position, side));
        (STEEPNESS * (first - second + TURN * position.to_move().sign())).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Size, Spelled, Spelling};

    #[test]
    fn height_and_mobility_count_and_colours_are_alike() {
        let [a, b] = Side::BOTH;
        let set_up = |pieces: &[(Side, usize)]| Position::new(Size::square(5)).with_pieces(pieces).unwrap();
        // Workers in the middle can go to more points than those in corners.
        let middle = set_up(&[(a, 12), (a, 11), (b, 0), (b, 24)]);
        assert!(Ascent.value(&middle) > 0.1 && Ascent.value(&middle) < 1.0);
        let mut twin = set_up(&[(b, 12), (b, 11), (a, 0), (a, 24)]);
        twin.set_to_move(b);
        assert!((Ascent.value(&middle) + Ascent.value(&twin)).abs() < 1e-6);
        // A worker builds, and climbs there in its next turn.
        let mut climbed = middle;
        for points in [[12, 7, 12], [0, 1, 0], [7, 12, 17], [24, 23, 24]] {
            climbed.play(Position::unspell(climbed.size(), &Spelling::from(points)).unwrap());
        }
        assert!(Ascent.value(&climbed) > Ascent.value(&middle));
    }
}
