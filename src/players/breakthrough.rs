//! Breakthrough: unbounded best-first minimax over races and pieces, or the policy of a model.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Race;
use crate::game::Game;
use crate::games::Size;
use crate::games::breakthrough::Position;

/// Moves of both sides in a usual game on 8×8.
const USUAL_GAME: f64 = 60.0;

impl Played for Position {
    const KIND: Kind = Kind::Breakthrough;
    const USUAL: Size = Size::square(8);
    const BENCH: &'static [(usize, u64)] = &[(8, 2_000)];
    const RANDOM_MOVES: usize = 4;

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about(((USUAL_GAME - self.plies() as f64) / 2.0).max(6.0))
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Race)
    }
}
