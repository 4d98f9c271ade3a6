//! A position at a glance: what the model, or the evaluator in its place, says of it without a search.

use std::sync::Arc;

use super::HexSession;
use crate::eval::net::{NetworkEvaluator, Output};
use crate::eval::{Evaluation, PolicyQuery};
use crate::game::{Game, Side, softmax};
use crate::games::hex::{Move, Position};
use crate::session::Session;

/// Difference of two moves' results, in -1..=1, at which the better one has e times the share of the other.
const TEMPERATURE: f32 = 0.1;

impl HexSession {
    /// Evaluation of the position without a search, and the empty cells, whose shares its policy has: those of the model's policy, with
    /// the board shown in that symmetry; where no policy serves the board, shares by the results that are expected after each move.
    pub fn glance(&self, side: Option<Side>, symmetry: usize) -> (Vec<usize>, Evaluation) {
        let mut position = side.map_or_else(|| self.core().position().clone(), |side| self.meant_by(side));
        position.set_swap_allowed(false);
        let cells: Vec<usize> = (0..position.points()).filter(|&cell| position.stone(cell).is_none()).collect();
        let moves: Vec<Move> = cells.iter().map(|&cell| Move::at(cell)).collect();
        let models = self.core().settings().resources().models;
        let network = models.of::<Position>().filter(|network| network.model().gives(Output::Policy));
        let by_policy = network.and_then(|network| {
            let evaluator = NetworkEvaluator::<Position, ()>::new(Arc::clone(network), ());
            evaluator.look(&PolicyQuery::new(&position, &moves), symmetry)
        });
        (cells, by_policy.unwrap_or_else(|| self.by_values(&position, &moves)))
    }

    /// Evaluation by the results after each of the moves, which are all empty cells. The best of them is that of the position.
    fn by_values(&self, position: &Position, moves: &[Move]) -> Evaluation {
        if let Some(winner) = position.winner() {
            let share = 1.0 / moves.len().max(1) as f32;
            return Evaluation { value: winner.sign(), policy: vec![share; moves.len()], ..Evaluation::default() };
        }
        let (mut policy, mut open, mut children) =
            (vec![position.to_move().sign(); moves.len()], Vec::new(), Vec::new());
        for (number, &mv) in moves.iter().enumerate() {
            let mut child = position.clone();
            child.play(mv);
            if child.winner().is_none() {
                open.push(number);
                children.push(child);
            }
        }
        let indices: Vec<usize> = open.iter().map(|&number| position.index(moves[number])).collect();
        let models = self.core().settings().resources().models;
        let evaluator = self.core().recipe().evaluator(models.of::<Position>());
        let mut values = Vec::new();
        // Somebody waits for it: it is never given up.
        _ = evaluator.evaluate_children(position, &indices, &children, &mut values, &|| true);
        open.into_iter().zip(values).for_each(|(number, value)| policy[number] = value);
        let sign = position.to_move().sign();
        policy.iter_mut().for_each(|value| *value *= sign);
        let best = policy.iter().copied().fold(-1.0, f32::max);
        policy.iter_mut().for_each(|value| *value /= TEMPERATURE);
        softmax(&mut policy);
        Evaluation { value: best * sign, policy, ..Evaluation::default() }
    }
}
