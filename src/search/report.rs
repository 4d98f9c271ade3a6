//! A snapshot of the root, made by a search at the interval asked for and formatted by the protocol alone.

use std::time::Duration;

use crate::game::Side;

/// One root move. Values are seen by the side to move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// Times it was searched.
    pub visits: u64,
    /// Expected result in 0..=1, 1 = win, as it is shown: where playouts value moves, drawn to that of the position while visits are few.
    pub winrate: f32,
    /// Mean result of the visits alone, in 0..=1, for decisions.
    pub mean: f32,
    /// Lower confidence bound of `winrate`, in 0..=1.
    pub lcb: f32,
    /// Prior probability of the move, in 0..=1; they sum to 1.
    pub prior: f32,
    /// Expected lead in points, where the game has points; drawn as `winrate` is.
    pub score: Option<f32>,
    /// The proven winner after this move.
    pub resolution: Option<Side>,
    /// Principal variation, beginning with `mv`; never empty.
    pub pv: Vec<M>,
    /// Times that each move of `pv` was searched.
    pub pv_visits: Vec<u64>,
    /// Expected owner of each point after this move, as in [`Report::ownership`]; if asked for and known.
    pub ownership: Option<Vec<f32>>,
}

/// The root of a search. Values are seen by [`Report::to_move`].
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// Side from whose view all values are.
    pub to_move: Side,
    /// Visits of the root, the reused tree included.
    pub visits: u64,
    /// Iterations of this run alone.
    pub nodes: u64,
    /// Time since the run began.
    pub elapsed: Duration,
    /// Expected result in 0..=1.
    pub winrate: f32,
    /// Expected lead in points, where the game has points.
    pub score: Option<f32>,
    /// Standard deviation of the score over playouts, where the game has points.
    pub score_stdev: Option<f32>,
    /// The proven winner, if any.
    pub resolution: Option<Side>,
    /// Root moves, best first: the first is the one that would be played. Moves never visited may be left out.
    pub moves: Vec<MoveReport<M>>,
    /// Expected owner of each point in -1..=1, +1 = **side to move**; row-major from the top-left; if asked for and known.
    pub ownership: Option<Vec<f32>>,
    /// Bytes that the tree or table holds now.
    pub memory: usize,
}
