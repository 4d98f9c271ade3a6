//! Any legal move: what every player has to beat.

use std::time::Duration;

use super::{Decision, MoveReport, Report, Searcher, Task, any_move, keep_permitted};
use crate::game::Game;
use crate::rng::Rng;

/// The player; remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Searcher<G> for Random {
    fn run(&mut self, task: &Task<'_, G>, _: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let (position, mut moves) = (task.position, Vec::new());
        position.legal_moves(&mut moves);
        keep_permitted(task.restrictions, position, &mut moves, |&mv| position.index(mv));
        let chosen = Rng::new(task.seed).below(moves.len().max(1) as u32) as usize;
        let mv = moves.get(chosen).copied().unwrap_or_else(|| any_move(task));
        let known = MoveReport { lcb: 0.0, ..MoveReport::plain(mv, 1, 0.5) };
        Decision { mv, report: Report::plain(position.to_move(), 1, Duration::ZERO, 0.5, vec![known]) }
    }

    fn advance(&mut self, _mv: G::Move) {}

    fn clear(&mut self) {}

    fn set_memory(&mut self, _mib: usize) {}
}
