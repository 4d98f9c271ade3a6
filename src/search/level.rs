//! Weaker play that looks like a person's: a small search, and a move drawn from those that it holds for good enough.

use super::params::Method;
use super::{Budget, Decision, MoveReport, Params, Report, Searcher, Task};
use crate::game::Game;
use crate::rng::{Rng, mix};

/// Way to play at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelPlay {
    /// Most iterations of the search.
    pub visits: u64,
    /// Temperature of the draw: weights are shares of priors and visits to the power of its inverse.
    pub temperature: f32,
    /// Greatest loss of win rate, in 0..=1, of a move that may be drawn.
    pub greatest_loss: f32,
    /// Greatest loss in points, where the search knows them.
    pub greatest_points: f32,
}

/// The table: how each quarter of the way from the lowest level to the highest is played. Levels between are interpolated, visits by
/// their logarithm.
const TABLE: [LevelPlay; 5] = [
    LevelPlay { visits: 32, temperature: 1.5, greatest_loss: 0.40, greatest_points: 20.0 },
    LevelPlay { visits: 64, temperature: 1.1, greatest_loss: 0.28, greatest_points: 12.0 },
    LevelPlay { visits: 128, temperature: 0.8, greatest_loss: 0.18, greatest_points: 7.0 },
    LevelPlay { visits: 256, temperature: 0.5, greatest_loss: 0.10, greatest_points: 4.0 },
    LevelPlay { visits: 512, temperature: 0.2, greatest_loss: 0.03, greatest_points: 1.5 },
];
/// Loss of win rate that divides a move's weight by e at temperature 1.
const LOSS: f32 = 0.1;

impl LevelPlay {
    /// Play at a level from 1 to `levels`; levels beyond are played as the highest.
    pub fn of(level: u32, levels: u32) -> Self {
        let way = (level.max(1) - 1) as f32 / (levels.max(2) - 1) as f32;
        let place = way.min(1.0) * (TABLE.len() - 1) as f32;
        let row = (place as usize).min(TABLE.len() - 2);
        let (low, high, part) = (TABLE[row], TABLE[row + 1], place - row as f32);
        let between = |low: f32, high: f32| (1.0 - part) * low + part * high;
        let visits = between((low.visits as f32).ln(), (high.visits as f32).ln()).exp().round() as u64;
        Self {
            visits,
            temperature: between(low.temperature, high.temperature),
            greatest_loss: between(low.greatest_loss, high.greatest_loss),
            greatest_points: between(low.greatest_points, high.greatest_points),
        }
    }

    /// Place of the move to play among those of a report, which has some. Moves of which `is_free` says no are played where they are
    /// best, and drawn never; a proven win is played. `values_all` says that moves without visits are valued too.
    fn draw<M: Copy>(self, report: &Report<M>, values_all: bool, is_free: impl Fn(M) -> bool, rng: &mut Rng) -> usize {
        let Some(best) = report.moves.first() else { return 0 };
        if best.resolution == Some(report.to_move) || !is_free(best.mv) {
            return 0;
        }
        let all: u64 = report.moves.iter().map(|mv| mv.visits).sum();
        let weights: Vec<f32> = report
            .moves
            .iter()
            .enumerate()
            .map(|(place, mv)| {
                let may = place == 0 || self.allows(best, mv, report, values_all) && is_free(mv.mv);
                if may { self.weight(best, mv, all) } else { 0.0 }
            })
            .collect();
        let mut left = rng.unit() * weights.iter().sum::<f32>();
        let drawn = weights.iter().position(|&weight| {
            left -= weight;
            weight > 0.0 && left < 0.0
        });
        drawn.unwrap_or(0)
    }

    /// Whether a move was valued and loses no more than the level allows.
    fn allows<M>(self, best: &MoveReport<M>, mv: &MoveReport<M>, report: &Report<M>, values_all: bool) -> bool {
        let points = best.score.zip(mv.score).map_or(0.0, |(best, score)| best - score);
        let lost = mv.resolution.is_some_and(|winner| winner != report.to_move);
        let valued = mv.visits > 0 || values_all;
        valued && !lost && best.winrate - mv.winrate <= self.greatest_loss && points <= self.greatest_points
    }

    fn weight<M>(self, best: &MoveReport<M>, mv: &MoveReport<M>, all: u64) -> f32 {
        let share = 0.5 * (mv.prior + mv.visits as f32 / all.max(1) as f32);
        let loss = (best.winrate - mv.winrate).max(0.0);
        (share.max(1e-6).ln() / self.temperature - loss / (LOSS * self.temperature)).exp()
    }
}

/// A search that plays at the level of its parameters, and at full strength where that is 0.
pub struct Levelled<G: Game> {
    search: Box<dyn Searcher<G>>,
    levels: u32,
    /// The search that runs where none is named.
    usual: Method,
    /// Whether a move may be drawn.
    is_free: fn(&G, G::Move) -> bool,
}

impl<G: Game> Levelled<G> {
    /// A search with so many levels, which is that one where none is named.
    pub fn new(search: Box<dyn Searcher<G>>, levels: u32, usual: Method, is_free: fn(&G, G::Move) -> bool) -> Self {
        Self { search, levels, usual, is_free }
    }
}

impl<G: Game> Searcher<G> for Levelled<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let level = task.params.level;
        if level == 0 {
            return self.search.run(task, on_report);
        }
        // Knowledge of former searches would make it stronger from move to move.
        self.search.clear();
        let strength = LevelPlay::of(level, self.levels);
        let nodes = task.budget.nodes.map_or(strength.visits, |nodes| nodes.min(strength.visits));
        let budget = Budget { nodes: Some(nodes), ..task.budget };
        let wide = task.params.root_temperature.max(1.0 + strength.temperature);
        let params = Params { root_temperature: wide, solver_share: 0.0, ..task.params.clone() };
        let mut decision = self.search.run(&Task { budget, params: &params, ..*task }, on_report);
        let moves = &mut decision.report.moves;
        if moves.first().is_some_and(|first| first.mv == decision.mv) {
            let mut rng = Rng::new(mix(task.seed ^ task.position.key()));
            let method = if task.params.search == Method::Usual { self.usual } else { task.params.search };
            let is_free = |mv| (self.is_free)(task.position, mv);
            let place = strength.draw(&decision.report, method.values_all(), is_free, &mut rng);
            let drawn = decision.report.moves.remove(place);
            decision.mv = drawn.mv;
            decision.report.moves.insert(0, drawn);
        }
        decision
    }

    fn advance(&mut self, mv: G::Move) {
        self.search.advance(mv);
    }

    fn clear(&mut self) {
        self.search.clear();
    }

    fn set_memory(&mut self, mib: usize) {
        self.search.set_memory(mib);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Side;

    fn report(moves: &[(u8, f32, u64, f32)]) -> Report<u8> {
        let entry = |&(mv, winrate, visits, score): &(u8, f32, u64, f32)| MoveReport {
            mv,
            visits,
            winrate,
            mean: winrate,
            lcb: winrate,
            prior: 0.2,
            score: Some(score),
            resolution: None,
            pv: vec![mv],
            pv_visits: vec![visits],
            ownership: None,
            detail: None,
        };
        Report {
            to_move: Side::First,
            visits: 100,
            nodes: 100,
            elapsed: Duration::ZERO,
            winrate: 0.5,
            score: None,
            score_stdev: None,
            resolution: None,
            moves: moves.iter().map(entry).collect(),
            ownership: None,
            memory: 0,
            detail: None,
        }
    }

    /// How often each move is drawn in a thousand times.
    fn drawn(level: u32, report: &Report<u8>, is_free: impl Fn(u8) -> bool) -> Vec<u32> {
        let (mut counts, mut rng) = (vec![0; report.moves.len()], Rng::new(1));
        (0..1000).for_each(|_| counts[LevelPlay::of(level, 39).draw(report, false, &is_free, &mut rng)] += 1);
        counts
    }

    #[test]
    fn levels_grow_from_the_first_row_to_the_last() {
        assert_eq!((LevelPlay::of(1, 39), LevelPlay::of(39, 39)), (TABLE[0], TABLE[4]));
        assert_eq!((LevelPlay::of(0, 20), LevelPlay::of(99, 20)), (TABLE[0], TABLE[4]));
        for levels in [20, 39] {
            for level in 1..levels {
                let (low, high) = (LevelPlay::of(level, levels), LevelPlay::of(level + 1, levels));
                assert!(low.visits < high.visits && low.temperature > high.temperature, "{level}");
                assert!(low.greatest_loss > high.greatest_loss && low.greatest_points > high.greatest_points);
            }
        }
        let middle = LevelPlay::of(20, 39);
        assert!((middle.temperature - TABLE[2].temperature).abs() < 1e-5 && middle.visits == 128);
    }

    #[test]
    fn no_move_is_drawn_that_loses_more_than_the_level_allows() {
        let report = report(&[
            (0, 0.6, 60, 5.0),
            (1, 0.55, 20, 4.5),
            (2, 0.45, 10, 0.0),
            (3, 0.1, 5, 4.0),
            (4, 0.6, 0, 5.0),
            (5, 0.6, 5, -30.0),
        ]);
        let low = drawn(1, &report, |_| true);
        assert!(low[..3].iter().all(|&count| count > 20) && low[3..] == [0, 0, 0], "{low:?}");
        let middle = drawn(20, &report, |_| true);
        assert!(middle[0] > low[0] && middle[2] < low[2] && middle[2] > 0, "{middle:?}");
        let high = drawn(39, &report, |_| true);
        assert_eq!(high, [1000, 0, 0, 0, 0, 0]);
        assert_eq!(drawn(1, &report, |mv| mv != 1)[1], 0);
        let mut rng = Rng::new(2);
        let places: Vec<usize> =
            (0..1000).map(|_| LevelPlay::of(1, 39).draw(&report, true, |_| true, &mut rng)).collect();
        assert!(places.contains(&4) && !places.contains(&3), "a value without visits counts where all moves have one");
        assert_eq!(drawn(1, &report, |mv| mv != 0)[0], 1000);
    }

    #[test]
    fn proven_wins_are_played_and_proven_losses_are_not() {
        let mut report = report(&[(0, 0.9, 60, 1.0), (1, 0.9, 60, 1.0)]);
        report.moves[1].resolution = Some(Side::Second);
        assert_eq!(drawn(1, &report, |_| true), [1000, 0]);
        report.moves[1].resolution = None;
        assert!(drawn(1, &report, |_| true)[1] > 300);
        report.moves[0].resolution = Some(Side::First);
        assert_eq!(drawn(1, &report, |_| true), [1000, 0]);
    }
}
