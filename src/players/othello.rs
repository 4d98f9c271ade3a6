//! Othello: principal variation search over learned patterns on 8×8, unbounded best-first minimax over corners, mobility and stable
//! discs on other boards, or the policy of a model.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Flanks;
use crate::games::Size;
use crate::games::othello::{Patterns, Position};

impl Played for Position {
    const KIND: Kind = Kind::Othello;
    const USUAL: Size = Size::square(8);
    const BENCH: &'static [(usize, u64)] = &[(8, 200_000)];
    const DRAWS: bool = true;
    const RANDOM_MOVES: usize = 4;

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about((f64::from(self.empties()) / 2.0).ceil())
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Flanks).by_looks(Patterns::learned).solved_at_the_end()
    }
}
