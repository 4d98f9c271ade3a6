//! Evaluators that value one position after another, each by itself.

use crate::eval::{Attributes, Cancelled, Evaluator, Wanted};
use crate::game::Game;

/// An evaluator that needs a glance at a position, and remembers nothing of those before.
pub trait Glance: Send + Sync {
    /// The game.
    type Game: Game;

    /// One word for reports and logs.
    const NAME: &'static str;

    /// The value of a position: see [`Evaluator::evaluate`].
    fn value(&self, position: &Self::Game) -> f32;
}

impl<E: Glance> Evaluator<E::Game> for E {
    fn attributes(&self) -> Attributes {
        Attributes { name: E::NAME.to_owned(), batch: usize::MAX, lines: 1 }
    }

    fn evaluate(&self, positions: &[E::Game], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        for position in positions {
            if !wanted() {
                return Err(Cancelled);
            }
            values.push(self.value(position));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::toys::Placing;

    struct Plies;

    impl Glance for Plies {
        type Game = Placing;

        const NAME: &'static str = "plies";

        fn value(&self, position: &Placing) -> f32 {
            position.plies() as f32 / 10.0
        }
    }

    #[test]
    fn a_batch_gives_the_values_in_order_while_they_are_wanted() {
        let start = Placing::new(Size::square(3));
        let mut next = start;
        next.play([0; 3]);
        let mut values = vec![1.0];
        assert_eq!(Plies.evaluate(&[next, start, next], &mut values, &|| true), Ok(()));
        assert_eq!(values, [0.1, 0.0, 0.1]);
        assert_eq!(Plies.evaluate(&[next, start], &mut values, &|| false), Err(Cancelled));
    }
}
