//! Go: Monte-Carlo tree search, by the policy of a model or with playouts.

use super::openings::{one_of, random_of};
use super::{Kind, MovesLeft, Played, Recipe, Setup};
use crate::game::Game;
use crate::games::Size;
use crate::games::go::{Position, Rules};
use crate::rng::Rng;
use crate::search::params::Method;

/// Searches that play it. A table of positions would join those that differ in what superko forbids, so that minimax over such a
/// table is not among them.
const METHODS: &[Method] = &[Method::Mcts, Method::Puct, Method::Yopt, Method::Random];

/// Moves of a usual game as a share of the points.
pub(crate) const FILLED: f64 = 0.75;

/// Rules of self-play: those that count areas, however they see repetitions and suicide.
const RULES: [&str; 4] = ["chinese", "tromp-taylor", "aga", "chinese-kgs"];
/// Komi of most games of self-play; that of the others lies anywhere around 0.
const KOMI: [f32; 4] = [7.5, 7.5, 6.5, 5.5];
/// Numbers of random moves before a game of self-play.
const OPENINGS: [usize; 5] = [0, 0, 1, 2, 4];

impl Played for Position {
    const KIND: Kind = Kind::Go;
    const USUAL: Size = Size::square(19);
    const MEASURED: Size = Size::square(9);
    const BENCH: &'static [(usize, u64)] = &[(9, 20_000), (13, 8_000), (19, 4_000)];
    const BENCH_WITH_MODEL: &'static [(usize, u64)] = &[(9, 400)];
    const DRAWS: bool = true;
    const RANDOM_MOVES: usize = 2;
    const ADJUDICATED: bool = true;
    const RANKS: bool = true;
    const OWN_OPTIONS: &'static [&'static str] = &["rules", "komi", "human_model", "human_profile"];

    fn start_on(size: Size, setup: &Setup) -> Self {
        Self::new(size, setup.rules, setup.komi)
    }

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::on_board(self.points(), FILLED, self.plies())
    }

    /// Where the board is counted as it stands, a pass after another one ends the game, and is worth what it is.
    fn resumed(mut self) -> Self {
        if self.passes() >= 2 || self.rules().agrees_on_dead() {
            self.resume();
        }
        self
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_playouts(METHODS).with_policy_by(Method::Puct).that_needs_a_policy()
    }

    /// After up to four moves, by different rules and komi.
    fn opening(size: Size, rng: &mut Rng) -> Self {
        let rules = Rules::by_name(one_of(&RULES, rng)).unwrap_or(Rules::CHINESE);
        let komi = match rng.below(4) {
            0 => rng.below(31) as f32 - 7.5,
            _ => one_of(&KOMI, rng),
        };
        let count = one_of(&OPENINGS, rng);
        random_of(&Self::new(size, rules, komi), count, rng, |_, mv| mv.point().is_some())
    }

    fn match_opening(start: &Self, rng: &mut Rng) -> Self {
        random_of(start, Self::RANDOM_MOVES, rng, |_, mv| mv.point().is_some())
    }
}
