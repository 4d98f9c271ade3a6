//! Analysis of positions that have nothing to do with each other: each is searched for itself and afresh, many at a time.

pub mod schedule;

use std::time::{Duration, Instant};

use super::choice::{OnReport, SearchOptions};
use crate::game::{Game, Side};
use crate::players::{Played, Resources};
use crate::rng::mix;
use crate::search::{Budget, Params, Report, Stop, Task};

/// Longest interval at which a search with reports is looked at.
const TICK: Duration = Duration::from_millis(100);

/// A position to be analysed, and how.
#[derive(Clone, Debug)]
pub struct Inquiry<G: Game> {
    /// The position, which may be over.
    pub position: G,
    /// When to stop of itself.
    pub budget: Budget,
    /// Reports wanted, and moves excluded near the root.
    pub options: SearchOptions<G::Move>,
    /// Time until the first report, where it is not the interval between reports.
    pub first_report: Option<Duration>,
    /// Tunables of the search.
    pub params: Params,
    /// Search threads.
    pub threads: usize,
}

/// Searches positions, each with so much memory, by one model for all.
#[derive(Clone, Debug)]
pub struct Analyst {
    resources: Resources,
    seed: u64,
}

impl Analyst {
    /// With what each search may use, and the seed of all randomness.
    pub fn new(resources: Resources, seed: u64) -> Self {
        Self { resources, seed }
    }

    /// Threads, memory and models of a search.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Searches a position until its budget is used up or somebody stops it. A game that is over for good has a report of its
    /// result, without moves.
    pub fn analyse<G: Played>(
        &self,
        inquiry: &Inquiry<G>,
        stop: &Stop,
        on_report: OnReport<'_, G::Move>,
    ) -> Report<G::Move> {
        let Inquiry { budget, options, threads, .. } = inquiry;
        // A solver tells one move, and people ask about all of them, of the strongest engine.
        let params = &Params { solver_share: 0.0, level: 0, ..inquiry.params.clone() };
        let position = inquiry.position.clone().resumed();
        if let Some(outcome) = position.outcome() {
            return ended(position.to_move(), outcome.value * position.to_move().sign(), outcome.winner);
        }
        let mut pace = Pace::new(inquiry.first_report, options.report_every);
        let task = Task {
            threads: *threads,
            seed: mix(self.seed ^ position.plies() as u64),
            restrictions: &options.restrictions,
            report_every: pace.tick(),
            ownership: options.ownership,
            moves_ownership: options.moves_ownership,
            ..Task::new(&position, *budget, params, stop)
        };
        let mut searcher = G::recipe().searcher(&self.resources);
        let send = &mut |report: &Report<G::Move>| {
            if pace.is_due() && !stop.is_set() {
                on_report(report);
            }
        };
        searcher.run(&task, send).report
    }
}

/// The report of a game that is over, with its value for that side in -1..=1.
fn ended<M>(to_move: Side, value: f32, winner: Option<Side>) -> Report<M> {
    let plain = Report::plain(to_move, 0, Duration::ZERO, 0.5 + 0.5 * value, Vec::new());
    Report { visits: 1, resolution: winner, ..plain }
}

/// Times at which reports are due, of which the first may come sooner or later than the interval.
struct Pace {
    next: Instant,
    first: Option<Duration>,
    every: Option<Duration>,
}

impl Pace {
    fn new(first: Option<Duration>, every: Option<Duration>) -> Self {
        let first = first.or(every);
        Self { next: Instant::now() + first.unwrap_or_default(), first, every }
    }

    /// The interval at which the search is to report, so that every report is there when it is due.
    fn tick(&self) -> Option<Duration> {
        let first = self.first?;
        Some(if self.every == self.first { first } else { first.min(self.every.unwrap_or(first)).min(TICK) })
    }

    /// Whether a report is due; counts it as sent.
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = self.first.is_some() && now >= self.next;
        if due {
            // Without an interval the first one is the only one.
            match self.every {
                Some(every) => self.next = (self.next + every).max(now),
                None => self.first = None,
            }
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread::sleep;

    use super::*;
    use crate::games::Size;
    use crate::games::go::{Move, Position, Rules};
    use crate::games::hex;
    use crate::players::Models;
    use crate::search::Share;

    const MS: Duration = Duration::from_millis(1);

    fn analyst() -> Analyst {
        Analyst::new(Resources { share: Arc::new(Share::new(1)), memory: 16, models: Models::default() }, 1)
    }

    fn inquiry<G: Played>(position: G, nodes: u64) -> Inquiry<G> {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let (options, params) = (SearchOptions::default(), Params::default());
        Inquiry { position, budget, options, first_report: None, params, threads: 1 }
    }

    #[test]
    fn two_passes_are_no_end_and_owners_come_with_each_move() {
        let mut position = Position::new(Size::square(5), Rules::CHINESE, 7.5);
        [Move::PASS; 2].into_iter().for_each(|mv| position.play(mv));
        let mut inquiry = inquiry(position, 200);
        (inquiry.options.ownership, inquiry.options.moves_ownership) = (true, true);
        let report = analyst().analyse(&inquiry, &Stop::new(), &mut |_| ());
        assert!(report.visits >= 200 && report.ownership.is_some_and(|owners| owners.len() == 25));
        let best = &report.moves[0];
        assert_eq!(best.pv_visits.len(), best.pv.len());
        assert_eq!(best.pv_visits[0], best.visits);
        assert!(best.ownership.as_ref().is_some_and(|owners| owners.iter().any(|owner| owner.abs() > 0.1)));
    }

    #[test]
    fn a_game_that_is_over_has_its_result() {
        let mut position = hex::Position::new(Size::square(1));
        position.play(hex::Move::at(0));
        let report = analyst().analyse(&inquiry(position, 10), &Stop::new(), &mut |_| ());
        assert_eq!((report.winrate, report.resolution), (0.0, Some(Side::First)));
        assert!(report.moves.is_empty());
    }

    #[test]
    fn reports_are_due_at_first_and_then_at_intervals() {
        let mut pace = Pace::new(Some(3 * MS), None);
        assert!(!pace.is_due());
        sleep(4 * MS);
        assert!(pace.is_due() && !pace.is_due());
        let mut pace = Pace::new(Some(2 * MS), Some(1000 * MS));
        sleep(3 * MS);
        assert!(pace.is_due() && !pace.is_due());
        assert_eq!((pace.tick(), Pace::new(None, Some(MS)).tick()), (Some(2 * MS), Some(MS)));
        assert_eq!(Pace::new(None, None).tick(), None);
    }
}
