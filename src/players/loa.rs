//! Lines of Action: unbounded best-first minimax over distances and groups, or the policy of a model.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Gathering;
use crate::game::Game;
use crate::games::Size;
use crate::games::loa::Position;

/// Moves of both sides in a usual game on 8×8.
const USUAL_GAME: f64 = 50.0;

impl Played for Position {
    const KIND: Kind = Kind::Loa;
    const USUAL: Size = Size::square(8);
    const BENCH: &'static [(usize, u64)] = &[(8, 1_000)];
    const DRAWS: bool = true;
    const RANDOM_MOVES: usize = 4;

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about(((USUAL_GAME - self.plies() as f64) / 2.0).max(8.0))
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Gathering)
    }
}
