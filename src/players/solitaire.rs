//! Clobber for one player: beam search.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::games::Size;
use crate::games::clobber::Solitaire;

impl Played for Solitaire {
    const KIND: Kind = Kind::Solitaire;
    const USUAL: Size = Size::square(8);
    const BENCH: &'static [(usize, u64)] = &[(8, 20_000)];
    const RANDOM_MOVES: usize = 0;

    /// The search plans the whole game at its first move.
    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about(self.stones() as f64 / 8.0)
    }

    fn recipe() -> Recipe<Self> {
        Recipe::alone()
    }
}
