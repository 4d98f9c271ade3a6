//! Clobber for two: Monte-Carlo tree search with playouts, with a solver of sums before it.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Mobility;
use crate::games::Size;
use crate::games::clobber::Position;
use crate::search::methods::FOR_TWO;

impl Played for Position {
    const KIND: Kind = Kind::Clobber;
    const USUAL: Size = Size { width: 6, height: 5 };
    const BENCH: &'static [(usize, u64)] = &[(6, 20_000)];
    const RANDOM_MOVES: usize = 2;

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about((self.moves() as f64 * 0.2).max(3.0))
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_playouts(FOR_TWO).taught_by(Mobility).solved_by_sums()
    }
}
