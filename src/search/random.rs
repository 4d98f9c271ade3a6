//! Any legal move: what every player has to beat.

use std::time::Duration;

use super::{Decision, MoveReport, Report, Searcher, Task};
use crate::game::Game;
use crate::rng::Rng;
use crate::search::permitted;

/// The player; remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Searcher<G> for Random {
    fn run(&mut self, task: &Task<'_, G>, _: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let (position, mut moves) = (task.position, Vec::new());
        position.legal_moves(&mut moves);
        let side = position.to_move();
        if moves.iter().any(|&mv| permitted(task.restrictions, position, side, position.index(mv), 0)) {
            moves.retain(|&mv| permitted(task.restrictions, position, side, position.index(mv), 0));
        }
        let chosen = Rng::new(task.seed).below(moves.len().max(1) as u32) as usize;
        let mv = moves.get(chosen).copied().unwrap_or_else(|| position.move_at(position.move_count() - 1));
        let known = MoveReport {
            mv,
            visits: 1,
            winrate: 0.5,
            mean: 0.5,
            lcb: 0.0,
            prior: 1.0,
            score: None,
            resolution: None,
            pv: vec![mv],
            pv_visits: vec![1],
            ownership: None,
            detail: None,
        };
        let report = Report {
            to_move: side,
            visits: 1,
            nodes: 1,
            elapsed: Duration::ZERO,
            winrate: 0.5,
            score: None,
            score_stdev: None,
            resolution: None,
            moves: vec![known],
            ownership: None,
            memory: 0,
            detail: None,
        };
        Decision { mv, report }
    }

    fn advance(&mut self, _mv: G::Move) {}

    fn clear(&mut self) {}

    fn set_memory(&mut self, _mib: usize) {}
}
