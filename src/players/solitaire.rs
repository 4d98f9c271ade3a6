//! Clobber for one player: beam search.

use super::{Boards, Kind, MovesLeft, Played, Recipe, Setup};
use crate::games::clobber::{Move, Solitaire};
use crate::games::{Size, Stepping};

impl Played for Solitaire {
    const KIND: Kind = Kind::Solitaire;
    const BOARDS: Boards = Boards::from_to(1, 20);
    const USUAL: Size = Size::square(8);
    const BENCH: &'static [(usize, u64)] = &[(8, 20_000)];
    const RANDOM_MOVES: usize = 0;

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

    /// The search plans the whole game at its first move.
    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about(self.stones() as f64 / 8.0)
    }

    fn recipe() -> Recipe<Self> {
        Recipe::alone()
    }
}
