//! One searcher for every search that a game of two evaluators can have: the parameters say which one works.

use std::sync::Arc;

use super::alphabeta::AlphaBeta;
use super::mcts::Mcts;
use super::params::{Method, Params};
use super::ubfm::Ubfm;
use super::{Decision, Report, Searcher, Share, Task};
use crate::eval::Evaluator;
use crate::game::MonteCarlo;

/// The search that [`Params::search`] names, with its memory; another one takes its place when the name changes.
pub struct Methods<G: MonteCarlo> {
    share: Arc<Share>,
    mib: usize,
    evaluator: Arc<dyn Evaluator<G>>,
    current: Option<(Kind, Box<dyn Searcher<G>>)>,
}

/// What the memory of a search depends on.
type Kind = (Method, u32);

impl<G: MonteCarlo> Methods<G> {
    /// Searches with at most `memory_mib` MiB of tree or table, allocated as it grows.
    pub fn new(share: Arc<Share>, memory_mib: usize, evaluator: Arc<dyn Evaluator<G>>) -> Self {
        Self { share, mib: memory_mib, evaluator, current: None }
    }

    fn make(&self, method: Method) -> Box<dyn Searcher<G>> {
        let (share, evaluator) = (Arc::clone(&self.share), Arc::clone(&self.evaluator));
        match method {
            Method::Ubfm | Method::UbfmS | Method::UbfmUct | Method::Descent => {
                Box::new(Ubfm::new(share, self.mib, evaluator))
            }
            Method::AlphaBeta => Box::new(AlphaBeta::new(share, self.mib, evaluator)),
            Method::Yopt => Box::new(Mcts::new(share, self.mib)),
        }
    }
}

impl<G: MonteCarlo> Searcher<G> for Methods<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let method = task.params.search;
        let kind = (method, task.params.completion);
        if self.current.as_ref().is_some_and(|current| current.0 != kind) {
            self.current = None;
        }
        let (_, mut searcher) = self.current.take().unwrap_or_else(|| (kind, self.make(method)));
        let params = match method {
            Method::Yopt => &Params {
                rave_equivalence: task.params.yopt_equivalence,
                rave_schedule: 1,
                uct_constant: task.params.yopt_uct_constant,
                ..task.params.clone()
            },
            _ => task.params,
        };
        let decision = searcher.run(&Task { params, ..*task }, on_report);
        self.current = Some((kind, searcher));
        decision
    }

    fn advance(&mut self, mv: G::Move) {
        if let Some((_, searcher)) = &mut self.current {
            searcher.advance(mv);
        }
    }

    fn clear(&mut self) {
        if let Some((_, searcher)) = &mut self.current {
            searcher.clear();
        }
    }

    fn set_memory(&mut self, mib: usize) {
        self.mib = mib;
        if let Some((_, searcher)) = &mut self.current {
            searcher.set_memory(mib);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::heuristic::Resistance;
    use crate::game::{Game, Side};
    use crate::games::Size;
    use crate::games::hex::{Move, Position};
    use crate::search::solver::Solver;
    use crate::search::{Budget, Stop};

    fn run(position: &Position, search: Method) -> Decision<Move> {
        let params = Params { search, ..Params::default() };
        let task = Task {
            position,
            budget: Budget { nodes: Some(2_000), ..Budget::default() },
            threads: 2,
            seed: 1,
            params: &params,
            restrictions: &[],
            report_every: None,
            ownership: false,
            stop: &Stop::new(),
        };
        Methods::new(Arc::new(Share::new(2)), 64, Arc::new(Resistance)).run(&task, &mut |_| ())
    }

    /// On small boards every search finds a winning move where there is one, and claims no winner who does not win.
    #[test]
    fn every_search_wins_what_is_won() {
        let solver = Solver::new(64);
        let winner = |position: &Position| match position.winner() {
            Some(winner) => winner,
            None => solver.solve(position, 2, None, None, &Stop::new(), &mut |_| ()).0.unwrap().winner,
        };
        for opening in 0..16 {
            let mut position = Position::new(Size::square(4));
            position.play(Move::at(opening));
            let expected = winner(&position);
            for &(search, _) in Method::ALL {
                let decision = run(&position, search);
                if let Some(claimed) = decision.report.resolution {
                    assert_eq!(claimed, expected, "{search} after {opening}");
                }
                if expected == Side::Second {
                    let mut child = position.clone();
                    child.play(decision.mv);
                    assert_eq!(winner(&child), expected, "{search} after {opening}: {:?}", decision.mv);
                }
            }
        }
    }
}
