//! Positions valued by playing them out a few times: for games without anything better.

use super::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::{MonteCarlo, PlayoutPolicy};
use crate::rng::Rng;

/// Values stay inside (-1, 1): only the rules say who has won.
const CERTAIN: f32 = 0.999;

/// Mean result of `count` playouts. Equal positions have equal values.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutMean {
    /// Playouts of each position.
    pub count: u32,
}

impl<G: MonteCarlo> Evaluator<G> for PlayoutMean {
    fn attributes(&self) -> Attributes {
        Attributes { name: format!("{} playouts", self.count), batch: usize::MAX, lines: 1 }
    }

    fn evaluate(&self, positions: &[G], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        let Some(first) = positions.first() else { return Ok(()) };
        let (mut policy, mut trace) = (first.playout_policy(u32::MAX), Vec::new());
        for position in positions {
            if !wanted() {
                return Err(Cancelled);
            }
            let mut rng = Rng::new(position.key());
            let sum: f32 = (0..self.count).map(|_| policy.run(position, &mut rng, &mut trace).outcome.value).sum();
            values.push((sum / self.count as f32).clamp(-CERTAIN, CERTAIN));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::Size;
    use crate::games::hex::{Move, Position};

    #[test]
    fn the_centre_is_better_than_the_corner_and_equal_positions_are_worth_the_same() {
        let after = |cell| {
            let mut position = Position::new(Size::square(5));
            position.play(Move::at(cell));
            position
        };
        let mut values = Vec::new();
        PlayoutMean { count: 400 }.evaluate(&[after(0), after(12), after(0)], &mut values, &|| true).unwrap();
        assert!(values[1] > values[0] + 0.1 && values[0] == values[2] && values.iter().all(|v| v.abs() < 1.0));
        assert_eq!(PlayoutMean { count: 4 }.evaluate(&[after(0)], &mut values, &|| false), Err(Cancelled));
    }
}
