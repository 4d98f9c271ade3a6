//! Outer Open Gomoku: unbounded best-first minimax over rows of stones, or the policy of a model.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Threats;
use crate::game::Game;
use crate::games::Size;
use crate::games::gomoku::Position;

/// Stones of a usual game on 15×15, as a share of the points.
const FILLED: f64 = 0.25;

impl Played for Position {
    const KIND: Kind = Kind::Gomoku;
    const USUAL: Size = Size::square(15);
    const BENCH: &'static [(usize, u64)] = &[(9, 500)];
    const DRAWS: bool = true;
    const RANDOM_MOVES: usize = 2;

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::on_board(self.points(), FILLED, self.plies())
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Threats)
    }
}
