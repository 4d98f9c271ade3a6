//! Positions in, values out, in batches. Knows games, not trees.

pub mod heuristic;
pub mod net;
pub mod playouts;

pub use playouts::PlayoutMean;

use std::sync::Arc;

use crate::game::Game;

/// Attributes of an evaluator, so that a search knows how many to ask at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// One word for reports and logs, such as `resistance`.
    pub name: String,
    /// Positions that it works on at once, at most; it divides larger requests itself.
    pub batch: usize,
    /// Evaluations that each search thread should have under way at once to keep it busy: 1 on a processor, more where
    /// a device works through batches.
    pub lines: usize,
}

/// An evaluation was given up, because nobody wanted its result any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// Asks whether a result is still wanted; looked at while an evaluator waits and between its batches.
pub type Wanted<'a> = &'a dyn Fn() -> bool;

/// Values positions. Shared by all threads of a search.
pub trait Evaluator<G: Game>: Send + Sync {
    /// Name and batches.
    fn attributes(&self) -> Attributes;

    /// Whether all moves of that position are valued by one evaluation, and not each position that they lead to.
    fn values_moves(&self, _position: &G) -> bool {
        false
    }

    /// Replaces `values` by one value per position, in order: what `Side::First` expects, strictly inside (-1, 1).
    /// Positions that are over are never asked about.
    ///
    /// # Errors
    /// [`Cancelled`].
    fn evaluate(&self, positions: &[G], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled>;

    /// As [`Evaluator::evaluate`], for `children[i]`, each of them `position` after the move with index `moves[i]`. An
    /// evaluator that values moves needs to look at `position` only.
    ///
    /// # Errors
    /// [`Cancelled`].
    fn evaluate_children(
        &self,
        _position: &G,
        _moves: &[usize],
        children: &[G],
        values: &mut Vec<f32>,
        wanted: Wanted<'_>,
    ) -> Result<(), Cancelled> {
        self.evaluate(children, values, wanted)
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Arc<E> {
    fn attributes(&self) -> Attributes {
        E::attributes(self)
    }

    fn values_moves(&self, position: &G) -> bool {
        E::values_moves(self, position)
    }

    fn evaluate(&self, positions: &[G], values: &mut Vec<f32>, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        E::evaluate(self, positions, values, wanted)
    }

    fn evaluate_children(
        &self,
        position: &G,
        moves: &[usize],
        children: &[G],
        values: &mut Vec<f32>,
        wanted: Wanted<'_>,
    ) -> Result<(), Cancelled> {
        E::evaluate_children(self, position, moves, children, values, wanted)
    }
}

/// Value, policy and more of a position, by a [`PolicyEvaluator`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Result that `Side::First` expects, in -1..=1.
    pub value: f32,
    /// Prior of each of the moves asked about; they sum to 1.
    pub policy: Vec<f32>,
    /// Prior of what the game does not have and the evaluator knows, such as a pass; the moves would share what it leaves. 0 where it
    /// knows nothing of the kind.
    pub elsewhere: f32,
    /// Points by which `Side::First` is expected to lead, if it knows.
    pub score: Option<f32>,
    /// Expected owner of each point, +1 for `Side::First`; empty if it does not know.
    pub ownership: Vec<f32>,
    /// More of how the game ends, if it knows.
    pub forecast: Option<Forecast>,
}

/// Distribution of a game's end, and how far the evaluation itself may be wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Expected score of `Side::First` at the end. The lead ([`Evaluation::score`]) is what would make the game fair.
    pub score: f32,
    /// Standard deviation of that score.
    pub deviation: f32,
    /// Chance that the game has no result, in 0..=1; it counts as a draw in [`Evaluation::value`].
    pub no_result: f32,
    /// Expected errors of the value (as a difference of two values) and of the score within some turns, if it knows.
    pub errors: Option<[f32; 2]>,
    /// Turns until the result is clear, if it knows.
    pub time_left: Option<f32>,
}

/// A position for a [`PolicyEvaluator`]: not over, and seen as a search sees it.
#[derive(Debug)]
pub struct PolicyQuery<'a, G: Game> {
    /// The position.
    pub position: &'a G,
    /// Its moves that matter.
    pub moves: &'a [G::Move],
    /// Share of the optimistic policy in the priors, where a model has one.
    pub optimism: f32,
}

impl<'a, G: Game> PolicyQuery<'a, G> {
    /// A query for the usual policy.
    pub fn new(position: &'a G, moves: &'a [G::Move]) -> Self {
        Self { position, moves, optimism: 0.0 }
    }
}

/// Why there is no evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEvaluation {
    /// Nobody wanted it any more.
    Cancelled,
    /// A failure of the evaluator, which has logged why.
    Failed,
}

/// Values positions and gives priors of their moves, for searches that follow a policy. Shared by all threads of a search.
pub trait PolicyEvaluator<G: Game>: Send + Sync {
    /// Name and batches.
    fn attributes(&self) -> Attributes;

    /// Whether it was made for the board of that position and for its rules.
    fn serves(&self, position: &G) -> bool;

    /// Visits of a position before a search by playouts should ask for advice; 0: it should value all leaves in the place of
    /// playouts.
    fn advice(&self) -> u32 {
        0
    }

    /// Replaces `evaluations` by one for each query.
    ///
    /// # Errors
    /// [`NoEvaluation`], for all of them.
    fn evaluate_with_policy(
        &self,
        queries: &[PolicyQuery<'_, G>],
        evaluations: &mut Vec<Evaluation>,
        wanted: Wanted<'_>,
    ) -> Result<(), NoEvaluation>;
}
