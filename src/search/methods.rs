//! One searcher for every search that a game can have: the parameters say which one works.

use super::params::{Method, Params};
use super::{Decision, Report, Searcher, Task};
use crate::game::Game;

/// Makes the search of that name, one of those that the game has, with that many MiB.
pub type Make<G> = Box<dyn Fn(Method, usize) -> Box<dyn Searcher<G>> + Send>;

/// The search that [`Params::search`] names, with its memory; another one takes its place when the name changes.
pub struct Methods<G: Game> {
    has: &'static [Method],
    usual: Method,
    mib: usize,
    make: Make<G>,
    current: Option<(MemoryKey, Box<dyn Searcher<G>>)>,
}

/// Settings that the memory of a search depends on.
type MemoryKey = (Method, [u32; 3]);

/// The searches of games for two.
pub const FOR_TWO: &[Method] = &[
    Method::Ubfm,
    Method::UbfmS,
    Method::UbfmUct,
    Method::Descent,
    Method::AlphaBeta,
    Method::Yopt,
    Method::Mcts,
    Method::Puct,
    Method::Random,
];
/// The searches of games for two whose boards fill up and have learned patterns.
pub const FOR_PATTERNS: &[Method] = &[
    Method::Ubfm,
    Method::UbfmS,
    Method::UbfmUct,
    Method::Descent,
    Method::AlphaBeta,
    Method::Pvs,
    Method::Yopt,
    Method::Mcts,
    Method::Puct,
    Method::Random,
];
/// The searches of games for one.
pub const FOR_ONE: &[Method] = &[Method::Beam, Method::Yopt, Method::Mcts, Method::Random];

impl<G: Game> Methods<G> {
    /// Searches with at most `memory_mib` MiB of tree or table, made when their name is first asked for: one of `has`, or `usual`.
    pub fn new(has: &'static [Method], usual: Method, memory_mib: usize, make: Make<G>) -> Self {
        Self { has, usual, mib: memory_mib, make, current: None }
    }

    /// The search that runs where `asked` is named: the usual one where the game does not have it.
    fn method(&self, asked: Method) -> Method {
        if self.has.contains(&asked) { asked } else { self.usual }
    }
}

impl<G: Game> Searcher<G> for Methods<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let method = self.method(task.params.search);
        let Params { completion, proofs, knowledge, .. } = *task.params;
        let kind = (method, [completion, proofs, knowledge]);
        if self.current.as_ref().is_some_and(|current| current.0 != kind) {
            self.current = None;
        }
        let (_, mut searcher) = self.current.take().unwrap_or_else(|| (kind, (self.make)(method, self.mib)));
        let mut params = Params { search: method, ..task.params.clone() };
        if method == Method::Yopt {
            params.rave_equivalence = params.yopt_equivalence;
            params.rave_schedule = params.yopt_schedule;
            // Results are in 0..=1 here.
            params.uct_constant = params.yopt_uct_constant / 2.0;
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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::games::Size;
    use crate::games::hex::Position;
    use crate::search::random::Random;
    use crate::search::{Budget, Stop};

    #[test]
    fn memory_is_kept_as_long_as_it_would_be_made_again_the_same() {
        let made = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&made);
        let make: Make<Position> = Box::new(move |_, _| {
            counted.fetch_add(1, Relaxed);
            Box::new(Random)
        });
        let (mut methods, stop) = (Methods::new(FOR_TWO, Method::UbfmS, 1, make), Stop::new());
        let position = Position::new(Size::square(3));
        let mut search = |params: Params| {
            methods.run(&Task::new(&position, Budget::default(), &params, &stop), &mut |_| ());
            made.load(Relaxed)
        };
        let usual = Params::default;
        assert_eq!((search(usual()), search(usual())), (1, 1));
        assert_eq!(search(Params { proofs: 1 - usual().proofs.min(1), ..usual() }), 2);
        assert_eq!(search(usual()), 3);
        assert_eq!(search(Params { knowledge: 1 - usual().knowledge.min(1), ..usual() }), 4);
        assert_eq!(search(Params { search: Method::Random, ..usual() }), 5);
        // What decides how a search goes on does not count.
        assert_eq!(search(Params { search: Method::Random, solver_share: 0.1, ..usual() }), 5);
    }
}
