//! One searcher for every search that a game can have: the parameters say which one works.

use std::sync::Arc;

use super::alphabeta::AlphaBeta;
use super::beam::Beam;
use super::mcts::Mcts;
use super::params::{Method, Params};
use super::random::Random;
use super::ubfm::Ubfm;
use super::{Decision, Report, Searcher, Share, Task};
use crate::eval::{Evaluator, Judge};
use crate::game::{Game, MonteCarlo, Solitary};

/// Makes the search of that name, one of those that the game has, with so many MiB of memory.
type Make<G> = Box<dyn Fn(Method, usize) -> Box<dyn Searcher<G>> + Send>;

/// The search that [`Params::search`] names, with its memory; another one takes its place when the name changes.
pub struct Methods<G: Game> {
    has: &'static [Method],
    usual: Method,
    mib: usize,
    make: Make<G>,
    current: Option<(Kind, Box<dyn Searcher<G>>)>,
}

/// What the memory of a search depends on.
type Kind = (Method, u32);

/// The searches of games for two.
const FOR_TWO: &[Method] = &[
    Method::Ubfm,
    Method::UbfmS,
    Method::UbfmUct,
    Method::Descent,
    Method::AlphaBeta,
    Method::Yopt,
    Method::Mcts,
    Method::Random,
];
/// The searches of games for one.
const FOR_ONE: &[Method] = &[Method::Beam, Method::Yopt, Method::Mcts, Method::Random];

impl<G: MonteCarlo> Methods<G> {
    /// Searches with at most `memory_mib` MiB of tree or table, allocated as it grows. Monte-Carlo tree search follows the
    /// judge, if there is one, instead of playouts.
    pub fn new(
        usual: Method,
        share: Arc<Share>,
        memory_mib: usize,
        evaluator: Arc<dyn Evaluator<G>>,
        judge: Option<Arc<dyn Judge<G>>>,
    ) -> Self {
        let make = move |method, mib| -> Box<dyn Searcher<G>> {
            let share = Arc::clone(&share);
            match (method, &judge) {
                (Method::AlphaBeta, _) => Box::new(AlphaBeta::new(share, mib, Arc::clone(&evaluator))),
                (Method::Mcts, Some(judge)) => Box::new(Mcts::with_judge(share, mib, Arc::clone(judge))),
                (Method::Yopt | Method::Mcts, _) => Box::new(Mcts::new(share, mib)),
                (Method::Random, _) => Box::new(Random),
                _ => Box::new(Ubfm::new(share, mib, Arc::clone(&evaluator))),
            }
        };
        Self { has: FOR_TWO, usual, mib: memory_mib, make: Box::new(make), current: None }
    }
}

impl<G: MonteCarlo + Solitary> Methods<G> {
    /// The searches of a game for one player.
    pub fn alone(share: Arc<Share>, memory_mib: usize) -> Self {
        let make = move |method, mib| -> Box<dyn Searcher<G>> {
            match method {
                Method::Mcts | Method::Yopt => Box::new(Mcts::new(Arc::clone(&share), mib)),
                Method::Random => Box::new(Random),
                _ => Box::new(Beam::new(Arc::clone(&share), mib)),
            }
        };
        Self { has: FOR_ONE, usual: Method::Beam, mib: memory_mib, make: Box::new(make), current: None }
    }
}

impl<G: Game> Methods<G> {
    fn method(&self, asked: Method) -> Method {
        if self.has.contains(&asked) {
            return asked;
        }
        if asked != Method::Usual {
            tracing::warn!(search = %asked, instead = %self.usual, "this game has no such search");
        }
        self.usual
    }
}

impl<G: Game> Searcher<G> for Methods<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let method = self.method(task.params.search);
        let kind = (method, task.params.completion);
        if self.current.as_ref().is_some_and(|current| current.0 != kind) {
            self.current = None;
        }
        let (_, mut searcher) = self.current.take().unwrap_or_else(|| (kind, (self.make)(method, self.mib)));
        let mut params = Params { search: method, ..task.params.clone() };
        if method == Method::Yopt {
            params.rave_equivalence = params.yopt_equivalence;
            params.rave_schedule = 1;
            params.uct_constant = params.yopt_uct_constant;
        }
        let decision = searcher.run(&Task { params: &params, ..*task }, on_report);
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
        let (budget, stop) = (Budget { nodes: Some(2_000), ..Budget::default() }, Stop::new());
        let task = Task { threads: 2, ..Task::new(position, budget, &params, &stop) };
        Methods::new(Method::UbfmS, Arc::new(Share::new(2)), 64, Arc::new(Resistance), None).run(&task, &mut |_| ())
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
            for &search in FOR_TWO.iter().filter(|&&search| search != Method::Random) {
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
