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
    /// Loss of win rate that divides a move's weight by e at temperature 1.
    pub unit_loss: f32,
    /// Greatest loss of win rate, in 0..=1, of a move that may be drawn.
    pub greatest_loss: f32,
    /// Greatest loss in points, where the search knows them.
    pub greatest_points: f32,
    /// Least prior of a move without visits that may be drawn; above 1 there is none.
    pub least_prior: f32,
}

/// Some levels with their ratings, from the lowest, which is 1, to the highest. Between two of them all lie at even distances.
pub type Ratings = &'static [(u32, f32)];

/// Levels of a game, which has as many on all boards: their ratings on boards of so many points, in ascending order. Between two boards
/// all is interpolated by the root of the points; smaller and larger ones are as the first and the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels(pub &'static [(usize, Ratings)]);

/// Ways to play with their ratings: differences in Elo, as games of Go on 9×9 with the model found them (`docs/log/levels.md`). Between two
/// rows all is interpolated; visits, losses that divide and priors by their logarithms.
const TABLE: [(f32, LevelPlay); 13] = [
    (-1951.0, row(2, [10.0, 10.0, 1.0, 400.0, 1e-7])),
    (-1669.0, row(3, [7.0, 4.0, 1.0, 200.0, 2e-5])),
    (-1315.0, row(4, [5.0, 2.0, 1.0, 100.0, 1e-4])),
    (-1046.0, row(6, [4.0, 1.5, 1.0, 100.0, 3e-4])),
    (-832.0, row(8, [3.0, 1.0, 1.0, 100.0, 1e-3])),
    (-655.0, row(12, [2.6, 0.4, 0.8, 50.0, 2e-3])),
    (-340.0, row(16, [2.0, 0.2, 0.6, 30.0, 2.0])),
    (-79.0, row(32, [1.5, 0.1, 0.4, 20.0, 2.0])),
    (131.0, row(62, [1.12, 0.1, 0.286, 12.4, 2.0])),
    (332.0, row(128, [0.8, 0.1, 0.18, 7.0, 2.0])),
    (539.0, row(265, [0.48, 0.1, 0.096, 3.9, 2.0])),
    (638.0, row(512, [0.2, 0.1, 0.03, 1.5, 2.0])),
    (829.0, row(2048, [0.1, 0.1, 0.02, 1.0, 2.0])),
];
/// A move without visits counts as one that loses this part of what may be lost.
const UNKNOWN_LOSS: f32 = 0.5;

const fn row(
    visits: u64,
    [temperature, unit_loss, greatest_loss, greatest_points, least_prior]: [f32; 5],
) -> LevelPlay {
    LevelPlay { visits, temperature, unit_loss, greatest_loss, greatest_points, least_prior }
}

impl Levels {
    /// Number of levels.
    pub const fn count(self) -> u32 {
        let ratings = self.0[0].1;
        ratings[ratings.len() - 1].0
    }

    /// Play at a level from 1 on, on a board of so many points; levels beyond the last are played as that one.
    pub fn play(self, level: u32, points: usize) -> LevelPlay {
        LevelPlay::rated(self.rating(level.clamp(1, self.count()), points))
    }

    fn rating(self, level: u32, points: usize) -> f32 {
        let lines = |points: usize| (points as f32).sqrt();
        between(
            self.0,
            |row| lines(row.0),
            lines(points),
            |row| between(row.1, |row| row.0 as f32, level as f32, |row| row.1),
        )
    }
}

/// The value at `at`, interpolated between the rows around it, which lie at ascending places.
fn between<R>(rows: &[R], place: impl Fn(&R) -> f32, at: f32, value: impl Fn(&R) -> f32) -> f32 {
    let above = rows.iter().position(|row| place(row) >= at).unwrap_or(rows.len() - 1);
    let [before, after] = [&rows[above.saturating_sub(1)], &rows[above]];
    let (from, to) = (place(before), place(after));
    let part = if to > from { ((at - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
    value(before) + part * (value(after) - value(before))
}

impl LevelPlay {
    /// Play of that rating, as in the table.
    fn rated(rating: f32) -> Self {
        let row = TABLE.iter().rposition(|row| row.0 <= rating).unwrap_or(0).min(TABLE.len() - 2);
        let [(from, low), (to, high)] = [TABLE[row], TABLE[row + 1]];
        let part = ((rating - from) / (to - from)).clamp(0.0, 1.0);
        let between = |low: f32, high: f32| low + part * (high - low);
        let by_logarithm = |low: f32, high: f32| between(low.ln(), high.ln()).exp();
        Self {
            visits: by_logarithm(low.visits as f32, high.visits as f32).round() as u64,
            temperature: between(low.temperature, high.temperature),
            unit_loss: by_logarithm(low.unit_loss, high.unit_loss),
            greatest_loss: between(low.greatest_loss, high.greatest_loss),
            greatest_points: between(low.greatest_points, high.greatest_points),
            least_prior: by_logarithm(low.least_prior, high.least_prior),
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
                if may { self.weight(best, mv, all, values_all) } else { 0.0 }
            })
            .collect();
        rng.weighted(&weights).unwrap_or(0)
    }

    /// Whether a move loses no more than the level allows; one that was not valued, whether it is likely enough.
    fn allows<M>(self, best: &MoveReport<M>, mv: &MoveReport<M>, report: &Report<M>, values_all: bool) -> bool {
        let points = best.score.zip(mv.score).map_or(0.0, |(best, score)| best - score);
        let lost = mv.resolution.is_some_and(|winner| winner != report.to_move);
        if mv.visits == 0 && !values_all {
            return !lost && mv.prior >= self.least_prior;
        }
        !lost && best.winrate - mv.winrate <= self.greatest_loss && points <= self.greatest_points
    }

    fn weight<M>(self, best: &MoveReport<M>, mv: &MoveReport<M>, all: u64, values_all: bool) -> f32 {
        let share = 0.5 * (mv.prior + mv.visits as f32 / all.max(1) as f32);
        let valued = mv.visits > 0 || values_all;
        let loss = if valued { (best.winrate - mv.winrate).max(0.0) } else { UNKNOWN_LOSS * self.greatest_loss };
        (share.max(1e-6).ln() / self.temperature - loss / (self.unit_loss * self.temperature)).exp()
    }
}

/// A search that plays at the level of its parameters, and at full strength where that is 0.
pub struct Levelled<G: Game> {
    search: Box<dyn Searcher<G>>,
    levels: Levels,
    /// The search that runs where none is named.
    usual: Method,
    /// Whether a move may be drawn.
    is_free: fn(&G, G::Move) -> bool,
}

impl<G: Game> Levelled<G> {
    /// A search with those levels, which is that one where none is named.
    pub fn new(search: Box<dyn Searcher<G>>, levels: Levels, usual: Method, is_free: fn(&G, G::Move) -> bool) -> Self {
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
        let strength = self.levels.play(level, task.position.points());
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
            prior: 0.2,
            score: Some(score),
            ..MoveReport::plain(mv, visits, winrate)
        };
        Report::plain(Side::First, 100, Duration::ZERO, 0.5, moves.iter().map(entry).collect())
    }

    const GO: Levels = Levels(&[(81, &[(1, -1869.0), (39, 829.0)])]);

    /// How often each move is drawn in a thousand times.
    fn drawn(play: LevelPlay, report: &Report<u8>, is_free: impl Fn(u8) -> bool) -> Vec<u32> {
        let (mut counts, mut rng) = (vec![0; report.moves.len()], Rng::new(1));
        (0..1000).for_each(|_| counts[play.draw(report, false, &is_free, &mut rng)] += 1);
        counts
    }

    #[test]
    fn levels_grow_from_the_lowest_to_the_highest() {
        let highest = GO.play(39, 81);
        assert!(highest.visits == 2048 && (highest.temperature - 0.1).abs() < 1e-6, "{highest:?}");
        assert_eq!((GO.play(0, 81), GO.play(99, 81)), (GO.play(1, 81), GO.play(39, 81)));
        let bent = Levels(&[(81, &[(1, -1030.0), (6, -345.0), (20, 829.0)])]);
        assert_eq!([1, 4, 6, 13, 20].map(|level| bent.rating(level, 9)), [-1030.0, -619.0, -345.0, 242.0, 829.0]);
        let boards = Levels(&[(81, &[(1, -200.0), (3, 0.0)]), (361, &[(1, -100.0), (2, -90.0), (3, 100.0)])]);
        let rated = |level| [4, 81, 196, 361, 625].map(|points| boards.rating(level, points));
        assert_eq!(rated(1), [-200.0, -200.0, -150.0, -100.0, -100.0]);
        assert_eq!(rated(2), [-100.0, -100.0, -95.0, -90.0, -90.0]);
        for levels in [GO, bent] {
            for level in 1..levels.count() {
                let (low, high) = (levels.play(level, 81), levels.play(level + 1, 81));
                assert!(low.visits <= high.visits && low.temperature > high.temperature, "{level}");
                assert!(low.greatest_loss >= high.greatest_loss && low.greatest_points >= high.greatest_points);
            }
        }
        for (rating, play) in TABLE {
            assert_eq!(LevelPlay::rated(rating).visits, play.visits);
        }
        let between = LevelPlay::rated(-209.5);
        assert!((between.temperature - 1.75).abs() < 1e-5 && between.visits == 23, "{between:?}");
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
        let low = drawn(LevelPlay::rated(-79.0), &report, |_| true);
        assert!(low[..3].iter().all(|&count| count > 20) && low[3..] == [0, 0, 0], "{low:?}");
        let middle = drawn(LevelPlay::rated(332.0), &report, |_| true);
        assert!(middle[0] > low[0] && middle[2] < low[2] && middle[2] > 0, "{middle:?}");
        let high = drawn(GO.play(39, 81), &report, |_| true);
        assert_eq!(high, [1000, 0, 0, 0, 0, 0]);
        assert_eq!(drawn(LevelPlay::rated(-79.0), &report, |mv| mv != 1)[1], 0);
        let mut rng = Rng::new(2);
        let valued: Vec<usize> =
            (0..1000).map(|_| LevelPlay::rated(-79.0).draw(&report, true, |_| true, &mut rng)).collect();
        assert!(valued.contains(&4) && !valued.contains(&3), "a value without visits counts where all moves have one");
        assert_eq!(drawn(LevelPlay::rated(-79.0), &report, |mv| mv != 0)[0], 1000);
        // A beginner sees little of what a move loses, and plays what was not looked at.
        assert!(drawn(GO.play(1, 81), &report, |_| true).iter().all(|&count| count > 20));
    }

    #[test]
    fn proven_wins_are_played_and_proven_losses_are_not() {
        let mut report = report(&[(0, 0.9, 60, 1.0), (1, 0.9, 60, 1.0)]);
        report.moves[1].resolution = Some(Side::Second);
        assert_eq!(drawn(LevelPlay::rated(-79.0), &report, |_| true), [1000, 0]);
        report.moves[1].resolution = None;
        assert!(drawn(LevelPlay::rated(-79.0), &report, |_| true)[1] > 300);
        report.moves[0].resolution = Some(Side::First);
        assert_eq!(drawn(LevelPlay::rated(-79.0), &report, |_| true), [1000, 0]);
    }
}
