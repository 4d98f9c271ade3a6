//! Othello: principal variation search over learned patterns on 8×8, unbounded best-first minimax over corners, mobility and stable
//! discs on other boards, or the policy of a model.

use super::{Boards, Kind, MovesLeft, Played, Recipe, Setup};
use crate::eval::heuristic::Flanks;
use crate::games::Size;
use crate::games::othello::{Patterns, Position};

impl Played for Position {
    const KIND: Kind = Kind::Othello;
    const BOARDS: Boards = Boards::from_to(4, 10);
    const USUAL: Size = Size::square(8);
    const BENCH: &'static [(usize, u64)] = &[(8, 200_000)];
    const DRAWS: bool = true;
    const RANDOM_MOVES: usize = 4;

    fn start_on(size: Size, _setup: &Setup) -> Self {
        Self::new(size)
    }

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about((f64::from(self.empties()) / 2.0).ceil())
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Flanks).by_looks(Patterns::learned).solved_at_the_end()
    }
}
