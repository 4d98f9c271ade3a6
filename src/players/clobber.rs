//! Clobber for two: Monte-Carlo tree search with playouts, with a solver of sums before it.

use super::{Boards, Kind, MovesLeft, Played, Recipe, Setup};
use crate::eval::heuristic::Mobility;
use crate::games::clobber::{Move, Position};
use crate::games::{Size, Stepping};
use crate::search::methods::FOR_TWO;

impl Played for Position {
    const KIND: Kind = Kind::Clobber;
    const BOARDS: Boards = Boards::from_to(1, 10);
    const USUAL: Size = Size { width: 6, height: 5 };
    const BENCH: &'static [(usize, u64)] = &[(6, 20_000)];
    const RANDOM_MOVES: usize = 2;

    fn start_on(size: Size, _setup: &Setup) -> Self {
        Self::new(size)
    }

    fn board_size(&self) -> Size {
        self.size()
    }

    fn move_of(size: Size, points: &[usize]) -> Option<Move> {
        match *points {
            [from, to] => Self::between_on(size, from, to),
            _ => None,
        }
    }

    fn points_of(size: Size, mv: Move) -> Vec<usize> {
        let points = <[usize; 2]>::from(Self::ends_on(size, mv));
        Self::move_of(size, &points).map_or(Vec::new(), |_| points.to_vec())
    }

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about((self.moves() as f64 * 0.2).max(3.0))
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_playouts(FOR_TWO).taught_by(Mobility).solved_by_sums()
    }
}
