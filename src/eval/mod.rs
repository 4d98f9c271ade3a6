//! Positions in, values out, in batches. Knows games, not trees.

pub mod heuristic;
pub mod net;

use crate::game::Game;

/// What an evaluator says of itself, so that a search can size its batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// One word for reports and logs, such as `resistance`.
    pub name: String,
    /// Batch size at which it is most efficient.
    pub preferred_batch: usize,
    /// Largest batch it accepts in one call.
    pub largest_batch: usize,
}

/// Values positions. Shared by all threads of a search.
pub trait Evaluator<G: Game>: Send + Sync {
    /// Batch sizes and name.
    fn attributes(&self) -> Attributes;

    /// Replaces `values` by one value per position, in order: what `Side::First` expects, strictly inside (-1, 1).
    /// Positions that are over are never asked about.
    fn evaluate(&self, positions: &[G], values: &mut Vec<f32>);

    /// As [`Evaluator::evaluate`], for `children[i]`, each of them `position` after the move with index `moves[i]`. An
    /// evaluator that values moves needs to look at `position` only.
    fn evaluate_children(&self, _position: &G, _moves: &[usize], children: &[G], values: &mut Vec<f32>) {
        self.evaluate(children, values);
    }
}
