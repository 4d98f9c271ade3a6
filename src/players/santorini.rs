//! Santorini: unbounded best-first minimax over height and mobility, or the policy of a model.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Ascent;
use crate::game::Game;
use crate::games::Size;
use crate::games::santorini::Position;

/// Moves of both sides in a usual game on 5×5.
const USUAL_GAME: f64 = 40.0;

impl Played for Position {
    const KIND: Kind = Kind::Santorini;
    const USUAL: Size = Size::square(5);
    const BENCH: &'static [(usize, u64)] = &[(5, 1_000)];
    const RANDOM_MOVES: usize = 4;

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about(((USUAL_GAME - self.plies() as f64) / 2.0).max(5.0))
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Ascent)
    }
}
