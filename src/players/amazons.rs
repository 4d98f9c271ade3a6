//! Amazons: unbounded best-first minimax over territory, or the values of a model.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Reaches;
use crate::games::amazons::Position;
use crate::games::{Size, Spelled};

/// Share of the free points that a usual game fills before it is decided.
const FILLED: f64 = 0.6;

impl Played for Position {
    const KIND: Kind = Kind::Amazons;
    const USUAL: Size = Size::square(10);
    const MEASURED: Size = Size::square(6);
    const BENCH: &'static [(usize, u64)] = &[(6, 300)];
    const RANDOM_MOVES: usize = 2;

    /// Each move fills a point.
    fn moves_left(&self) -> MovesLeft {
        let free = (0..self.size().points()).filter(|&point| self.is_cell(point) && self.owner(point).is_none());
        MovesLeft::about(FILLED * free.count() as f64 / 2.0)
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Reaches)
    }
}
