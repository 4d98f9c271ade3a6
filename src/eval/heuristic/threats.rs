//! Gomoku by rows of stones that can still grow to five, and by who is forced.
//!
//! Each window of five points without a stone of the opponent counts by the stones in it. Beyond that the turn decides: a row that lacks
//! one stone wins for the side to move and forces the other one; a row that can be made to lack one at two places wins a move later.

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::{Game, Side};
use crate::games::gomoku::{Lane, Position};

/// Steepness from the lead to a value in (-1, 1).
const STEEPNESS: f32 = 0.004;
/// Worth of a window by its stones.
const WORTH: [f32; 6] = [0.0, 1.0, 8.0, 40.0, 120.0, 0.0];
/// Share of the worth that the side to move has more.
const TURN: f32 = 0.25;
/// Lead of a side that completes a row with the next move; of one that does so whatever the other plays; of one that comes to such a
/// threat first; and of one that has two such threats coming, of which the other can meet one.
const ROW: f32 = 900.0;
const TWO_ROWS: f32 = 800.0;
const FOUR: f32 = 600.0;
const TWO_THREES: f32 = 300.0;

/// The evaluator; holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

/// Rows of both sides on a line, or on all of them.
#[derive(Clone, Copy, Debug, Default)]
struct Rows {
    worth: [f32; 2],
    /// Points that complete a row.
    completions: [u32; 2],
    /// Lines on which a stone makes two such points.
    threes: [u32; 2],
}

impl Rows {
    fn of(line: &Lane) -> Self {
        let worth = |side| line.windows(side).iter().zip(WORTH).map(|(&count, worth)| count as f32 * worth).sum();
        Self {
            worth: Side::BOTH.map(worth),
            completions: Side::BOTH.map(|side| line.completions(side).count_ones()),
            threes: Side::BOTH.map(|side| u32::from(line.fours(side).any(|(_, count)| count > 1))),
        }
    }

    fn add(&mut self, other: &Self) {
        for side in 0..2 {
            self.worth[side] += other.worth[side];
            self.completions[side] += other.completions[side];
            self.threes[side] += other.threes[side];
        }
    }

    /// Lead of the side to move.
    fn lead(&self, side: Side) -> f32 {
        let (own, other) = (side.index(), side.opponent().index());
        let lead = (1.0 + TURN) * self.worth[own] - self.worth[other];
        let forced = match (self.completions[own], self.completions[other], self.threes[own], self.threes[other]) {
            (1.., ..) => ROW,
            (_, 2.., ..) => -TWO_ROWS,
            // The answer to a row is forced, and then it is the other's turn.
            (_, 1, _, 1..) => -FOUR,
            (_, 1, ..) => 0.0,
            (_, _, 1.., _) => FOUR,
            (_, _, _, 2..) => -TWO_THREES,
            _ => 0.0,
        };
        lead + forced
    }
}

impl Evaluator<Position> for Threats {
    fn attributes(&self) -> Attributes {
        Attributes { name: "threats".to_owned(), batch: usize::MAX, lines: 1 }
    }

    /// Positions of a batch are mostly alike: lines that are as in the position before keep their rows.
    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        let mut known: Vec<(Lane, Rows)> = Vec::new();
        for position in positions {
            if !wanted() {
                return Err(Cancelled);
            }
            let mut all = Rows::default();
            for (number, line) in position.lines().enumerate() {
                match known.get_mut(number) {
                    Some((last, _)) if *last == line => {}
                    Some(last) => *last = (line, Rows::of(&line)),
                    None => known.push((line, Rows::of(&line))),
                }
                all.add(&known[number].1);
            }
            let side = position.to_move();
            values.push((STEEPNESS * side.sign() * all.lead(side)).tanh());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::testing::set_up;

    fn position(first: &[usize], second: &[usize], to_move: Side) -> Position {
        set_up(&Position::new(Size::square(10)), [first, second], to_move)
    }

    fn values(positions: &[Position]) -> Vec<f32> {
        let mut values = Vec::new();
        Threats.evaluate(positions, &mut values, &|| true).unwrap();
        values
    }

    /// Points are numbered by tens: 42 to 44 are three in a row, open on both sides.
    #[test]
    fn rows_count_by_whose_turn_it_is_and_colours_are_alike() {
        let (three, split) = ([42, 43, 44], [2, 5, 8]);
        let both = |side| values(&[position(&three, &split, side), position(&split, &three, side)]);
        let (first, second) = (both(Side::First), both(Side::Second));
        // Whoever has the open three wins with the turn, and is ahead without it.
        assert!(first[0] > 0.9 && second[1] < -0.9, "{first:?} {second:?}");
        assert!(second[0] > 0.1 && second[0] < 0.9, "{second:?}");
        assert!((first[0] + second[1]).abs() < 1e-6 && (first[1] + second[0]).abs() < 1e-6);
        // Four in a row, closed on one side: with the turn won, without it forced; open on both sides won.
        let four = |others: &[usize], side| values(&[position(&[42, 43, 44, 45], others, side)])[0];
        assert!(four(&[41, 2, 88], Side::First) > 0.95);
        assert!(four(&[41, 2, 88], Side::Second) < 0.9 && four(&[2, 88, 8], Side::Second) > 0.95);
    }

    #[test]
    fn a_batch_gives_the_values_of_single_positions() {
        let batch = [
            position(&[42, 43], &[2], Side::First),
            position(&[42, 43], &[2, 45], Side::First),
            position(&[11, 22, 33], &[2, 45], Side::Second),
        ];
        let single: Vec<f32> = batch.iter().flat_map(|position| values(&[*position])).collect();
        assert_eq!(values(&batch), single);
    }
}
