//! Hex by electrical resistance (Anshelevich's Hexy, 2000): whose circuit carries the larger current is ahead.

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::{Game, Side};
use crate::games::hex::Position;
use crate::games::hex::circuit::{Circuit, FIRST_SWEEPS};

/// Sweeps for those positions of a batch that start from their neighbour's potentials.
const NEXT_SWEEPS: usize = 8;
/// Steepness from the logarithm of the currents' ratio to a value in (-1, 1).
const STEEPNESS: f32 = 1.5;
/// Value of having the move: this share of the power that the best cell takes, in both circuits together.
const TEMPO: f32 = 0.5;
/// Values stay inside (-1, 1): only the rules say who has won.
const CERTAIN: f32 = 0.999;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resistance;

impl Evaluator<Position> for Resistance {
    fn attributes(&self) -> Attributes {
        Attributes { name: "resistance".to_owned(), batch: usize::MAX, lines: 1 }
    }

    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        let mut circuits = [Circuit::default(), Circuit::default()];
        for (number, position) in positions.iter().enumerate() {
            if !wanted() {
                return Err(Cancelled);
            }
            let sweeps = if number == 0 { FIRST_SWEEPS } else { NEXT_SWEEPS };
            let [first, second] = [Side::First, Side::Second]
                .map(|side| circuits[side.index()].current(position, side, number == 0, sweeps).max(1e-6));
            let best_cell = (0..position.points())
                .filter(|&index| position.stone(index).is_none())
                .map(|index| position.place(index))
                .map(|cell| circuits[0].power(cell) / first + circuits[1].power(cell) / second)
                .fold(0.0, f32::max);
            let balance = (first / second).ln() + TEMPO * best_cell * position.to_move().sign();
            values.push((STEEPNESS * balance).tanh().clamp(-CERTAIN, CERTAIN));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::hex::Move;
    use crate::games::hex::symmetry::{reflect, rotate};

    fn values(positions: &[Position]) -> Vec<f32> {
        let mut values = Vec::new();
        Resistance.evaluate(positions, &mut values, &|| true).unwrap();
        values
    }

    fn value(position: &Position) -> f32 {
        values(std::slice::from_ref(position))[0]
    }

    fn after(n: usize, moves: &[usize]) -> Position {
        let mut position = Position::new(Size::square(n));
        moves.iter().for_each(|&m| position.play(Move::at(m)));
        position
    }

    #[test]
    fn the_centre_is_better_than_the_corner() {
        let corner = value(&after(7, &[0]));
        let centre = value(&after(7, &[24]));
        assert!(centre > corner + 0.03, "{centre} {corner}");
        // Having the move in the empty position is an advantage.
        assert!(value(&after(7, &[])) > 0.0);
    }

    #[test]
    fn symmetric_positions_have_symmetric_values() {
        let position = after(6, &[8, 20, 14, 3]);
        let size = position.size();
        let turned = after(6, &[8, 20, 14, 3].map(|m| rotate(size, m)));
        assert!((value(&position) - value(&turned)).abs() < 0.02);
        let mut mirrored = Position::new(size);
        let stones = [(Side::Second, 8), (Side::First, 20), (Side::Second, 14), (Side::First, 3)];
        mirrored.set_up(&stones.map(|(s, m)| (s, reflect(size, m)))).unwrap();
        mirrored.set_to_move(Side::Second);
        assert!((value(&position) + value(&mirrored)).abs() < 0.02);
    }

    /// The side is joined by bridges in the first position of the batch, so that there are no potentials to go on from.
    #[test]
    fn a_batch_may_begin_with_a_joined_side() {
        let joined = after(3, &[1, 0, 4, 8]);
        let values = values(&[joined, after(3, &[0, 8]), after(3, &[8, 0])]);
        assert!(values[0] > 0.9 && values.iter().all(|value| value.abs() < 1.0), "{values:?}");
    }

    #[test]
    fn a_batch_gives_nearly_the_values_of_single_positions() {
        let children: Vec<Position> = (0..49).filter(|&m| m != 24).map(|m| after(7, &[24, m])).collect();
        for (batch, child) in values(&children).into_iter().zip(&children) {
            let single = value(child);
            assert!((batch - single).abs() < 0.08, "{batch} {single}");
            assert!(batch.abs() < 1.0);
        }
    }
}
