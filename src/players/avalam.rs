//! Avalam: the policy of a model, or unbounded best-first minimax over the towers.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Towers;
use crate::game::Game;
use crate::games::Size;
use crate::games::avalam::Position;

/// Moves of both sides in a long game.
const LONG_GAME: f64 = 36.0;

impl Played for Position {
    const KIND: Kind = Kind::Avalam;
    const USUAL: Size = Size::square(9);
    const BENCH: &'static [(usize, u64)] = &[(9, 500)];
    const BENCH_WITH_MODEL: &'static [(usize, u64)] = &[(9, 400)];
    const DRAWS: bool = true;
    const RANDOM_MOVES: usize = 4;

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about(((LONG_GAME - self.plies() as f64) / 2.0).max(3.0))
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Towers)
    }
}
