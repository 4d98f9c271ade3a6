//! Surakarta: unbounded best-first minimax over pieces and ways along the tracks, or the policy of a model.

use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Arcs;
use crate::game::Side;
use crate::games::Size;
use crate::games::surakarta::Position;

/// Own moves that a game still lasts for each piece on the board.
const MOVES_A_PIECE: f64 = 1.5;

impl Played for Position {
    const KIND: Kind = Kind::Surakarta;
    const USUAL: Size = Size::square(6);
    const BENCH: &'static [(usize, u64)] = &[(6, 1_000)];
    const DRAWS: bool = true;
    const RANDOM_MOVES: usize = 4;

    fn moves_left(&self) -> MovesLeft {
        let pieces = Side::BOTH.map(|side| self.count(side)).iter().sum::<u32>();
        MovesLeft::about((MOVES_A_PIECE * f64::from(pieces)).max(8.0))
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Arcs)
    }
}
