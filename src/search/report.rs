//! A snapshot of the root, made by a search at the interval asked for and formatted by the protocol alone.

use std::borrow::Cow;
use std::time::Duration;

use crate::game::Side;

/// Most moves of a variation that is shown.
pub(crate) const LONGEST_VARIATION: usize = 20;

/// Numbers of a move or a position that only searches by a network's outcomes and scores know, seen by the side to move at the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// Times that the position was searched, by whatever way it was reached.
    pub visits: u64,
    /// Number of usual evaluations that those count as.
    pub weight: f32,
    /// Worth of result and score together, in the units of the search.
    pub utility: f32,
    /// Lower confidence bound of `utility`.
    pub utility_bound: f32,
    /// Expected score at the end, where the lead is what would make the game fair.
    pub score: f32,
    /// Standard deviation of that score.
    pub score_stdev: f32,
    /// Chance that the game has no result, in 0..=1.
    pub no_result: f32,
    /// Times that each position of the principal variation was searched.
    pub pv_visits: Vec<u64>,
    /// Standard deviation of each point's owner over the evaluations, if owners are asked for and known.
    pub ownership_stdev: Option<Vec<f32>>,
    /// Expected errors of result and score and turns until the result is clear, as the network says of the position alone, if it does.
    pub raw: Option<[f32; 3]>,
}

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
    /// More numbers, where the search knows them.
    pub detail: Option<Detail>,
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
    /// More numbers, where the search knows them.
    pub detail: Option<Detail>,
}

/// Value in -1..=1 as an expected result in 0..=1.
pub(crate) fn winrate(value: f32) -> f32 {
    (0.5 + 0.5 * value).clamp(0.0, 1.0)
}

/// Standard deviations of owners, each of which is 1 or -1 at the end, so that the mean tells the deviation.
fn deviations(owners: &[f32]) -> Vec<f32> {
    owners.iter().map(|mean| (1.0 - mean * mean).max(0.0).sqrt()).collect()
}

impl<M: Copy> MoveReport<M> {
    /// The report of a move of which no more is known than its visits and their mean; it is the only move and the whole variation.
    pub fn plain(mv: M, visits: u64, winrate: f32) -> Self {
        Self {
            mv,
            visits,
            winrate,
            mean: winrate,
            lcb: winrate,
            prior: 1.0,
            score: None,
            resolution: None,
            pv: vec![mv],
            pv_visits: vec![visits],
            ownership: None,
            detail: None,
        }
    }
}

impl<M> MoveReport<M> {
    /// This report in another form of moves.
    fn map<N>(self, form: &impl Fn(M) -> N) -> MoveReport<N> {
        let Self { mv, visits, winrate, mean, lcb, prior, score, resolution, pv, pv_visits, ownership, detail } = self;
        let (mv, pv) = (form(mv), pv.into_iter().map(form).collect());
        MoveReport { mv, visits, winrate, mean, lcb, prior, score, resolution, pv, pv_visits, ownership, detail }
    }

    /// All numbers of the move. Where its search knows no more, visits count once each, the worth is the result alone, the score is the
    /// lead with that standard deviation, and owners are those of finished games.
    pub fn full(&self, spread: Option<f32>) -> Cow<'_, Detail> {
        let plain = || Detail {
            visits: self.visits,
            weight: self.visits as f32,
            utility: 2.0 * self.winrate - 1.0,
            utility_bound: 2.0 * self.lcb - 1.0,
            score: self.score.unwrap_or(0.0),
            score_stdev: spread.unwrap_or(0.0),
            pv_visits: self.pv_visits.clone(),
            ownership_stdev: self.ownership.as_deref().map(deviations),
            ..Detail::default()
        };
        self.detail.as_ref().map_or_else(|| Cow::Owned(plain()), Cow::Borrowed)
    }
}

impl<M> Report<M> {
    /// The report of a search that knows its iterations, which are its visits, the expected result and the moves.
    pub fn plain(to_move: Side, nodes: u64, elapsed: Duration, winrate: f32, moves: Vec<MoveReport<M>>) -> Self {
        Self {
            to_move,
            visits: nodes,
            nodes,
            elapsed,
            winrate,
            score: None,
            score_stdev: None,
            resolution: None,
            moves,
            ownership: None,
            memory: 0,
            detail: None,
        }
    }

    /// This report in another form of moves.
    #[must_use]
    pub fn map<N>(self, form: impl Fn(M) -> N) -> Report<N> {
        let Self { to_move, visits, nodes, elapsed, winrate, score, score_stdev, resolution, moves, .. } = self;
        let Self { ownership, memory, detail, .. } = self;
        let moves = moves.into_iter().map(|mv| mv.map(&form)).collect();
        Report {
            to_move,
            visits,
            nodes,
            elapsed,
            winrate,
            score,
            score_stdev,
            resolution,
            moves,
            ownership,
            memory,
            detail,
        }
    }

    /// All numbers of the position, as [`MoveReport::full`].
    pub fn full(&self) -> Cow<'_, Detail> {
        let plain = || Detail {
            visits: self.visits,
            weight: self.visits as f32,
            utility: 2.0 * self.winrate - 1.0,
            score: self.score.unwrap_or(0.0),
            score_stdev: self.score_stdev.unwrap_or(0.0),
            ownership_stdev: self.ownership.as_deref().map(deviations),
            ..Detail::default()
        };
        self.detail.as_ref().map_or_else(|| Cow::Owned(plain()), Cow::Borrowed)
    }
}
