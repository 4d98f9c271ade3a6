//! Hex: unbounded best-first minimax over a model or electrical resistance, with a solver before it.

use super::openings::{one_of, random};
use super::{Kind, MovesLeft, Played, Recipe};
use crate::eval::heuristic::Resistance;
use crate::game::Game;
use crate::games::Size;
use crate::games::hex::Position;
use crate::rng::Rng;
use crate::search::params::Method;

/// Share of the cells that games rarely go beyond.
pub(crate) const FILLED: f64 = 0.5;

/// Numbers of random moves before a game of self-play, so that every opening is learned.
const OPENINGS: [usize; 5] = [0, 1, 1, 2, 3];

impl Played for Position {
    const KIND: Kind = Kind::Hex;
    const USUAL: Size = Size::square(11);
    const BENCH: &'static [(usize, u64)] = &[(7, 3_000), (11, 500)];
    const BENCH_WITH_MODEL: &'static [(usize, u64)] = &[(11, 200)];
    const RANDOM_MOVES: usize = 1;
    const ADJUDICATED: bool = true;

    const SWAPS: bool = true;
    const OWN_OPTIONS: &'static [&'static str] = &["swap"];

    fn allow_swap(&mut self) {
        self.set_swap_allowed(true);
    }

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::on_board(self.points(), FILLED, self.stones())
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_minimax(Resistance).with_any_model_by(Method::UbfmS).solved_by_states()
    }

    fn opening(size: Size, rng: &mut Rng) -> Self {
        let count = one_of(&OPENINGS, rng);
        random(&Self::new(size), count, rng)
    }
}
