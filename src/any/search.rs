//! The search that plays any game, as the programs run it: with its solver, and with a model where one is given.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::{AnyModel, AnyState};
use crate::players::{Kind, Models, Played, Recipe, Resources, SettingError, Visitor};
use crate::search::{Budget, Decision, Params, Report, Searcher, Share, Stop, Task};

/// Why a state is not searched.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SearchError {
    /// The state is of another game.
    #[error("the search is for {search}, and the state is of {state}")]
    Game {
        /// Game of the search.
        search: Kind,
        /// Game of the state.
        state: Kind,
    },
    /// The game of the state is over.
    #[error("the game is over")]
    Over,
}

/// When a search ends, and what it tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// When it ends of itself.
    pub budget: Budget,
    /// Seed of all randomness.
    pub seed: u64,
    /// Interval between reports; none before the end if it is not given.
    pub report_every: Option<Duration>,
    /// Whether reports carry owners of points.
    pub ownership: bool,
}

/// The search of one game, with its tree or table, which lives on from state to state.
pub struct AnySearch {
    kind: Kind,
    threads: usize,
    inner: Box<dyn Erased>,
}

/// Receives the reports of a search.
type OnReport<'a> = &'a mut dyn FnMut(&Report<usize>);

/// A searcher whose game is known to itself only.
trait Erased: Send {
    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError>;
    fn run(
        &mut self,
        state: &AnyState,
        terms: &Terms,
        threads: usize,
        stop: &Stop,
        on_report: OnReport<'_>,
    ) -> Option<Decision<usize>>;
    fn clear(&mut self);
}

/// A searcher, and the game as it has last seen it.
struct Seeker<G: Played> {
    recipe: Recipe<G>,
    searcher: Box<dyn Searcher<G>>,
    params: Params,
    /// The start in all that it has, since keys leave out rules and komi, and the moves from there.
    seen: Option<(String, Vec<G::Move>)>,
}

impl AnySearch {
    /// A search by so many threads and MiB of memory; the model must be of that game, or is not used.
    pub fn new(kind: Kind, model: Option<&AnyModel>, threads: usize, memory: usize) -> Self {
        struct Make(Resources);
        impl Visitor for Make {
            type Output = Box<dyn Erased>;

            fn visit<G: Played>(self) -> Self::Output {
                let recipe = G::recipe();
                let searcher = recipe.searcher(&self.0);
                Box::new(Seeker::<G> { recipe, searcher, params: Params::default(), seen: None })
            }
        }
        let models = model.map_or_else(Models::default, AnyModel::alone);
        let resources = Resources { share: Arc::new(Share::new(threads)), memory, models };
        Self { kind, threads, inner: kind.visit(Make(resources)) }
    }

    /// Its game.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Sets a parameter from text.
    ///
    /// # Errors
    /// [`SettingError`], and nothing is changed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        self.inner.set(name, value)
    }

    /// Searches a state. What was found before is used where the state's game goes on from the one that was searched last.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn run(
        &mut self,
        state: &AnyState,
        terms: &Terms,
        stop: &Stop,
        on_report: OnReport<'_>,
    ) -> Result<Decision<usize>, SearchError> {
        if state.kind() != self.kind {
            return Err(SearchError::Game { search: self.kind, state: state.kind() });
        }
        if state.outcome().is_some() {
            return Err(SearchError::Over);
        }
        self.inner.run(state, terms, self.threads, stop, on_report).ok_or(SearchError::Over)
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.inner.clear();
    }
}

impl std::fmt::Debug for AnySearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnySearch").field("kind", &self.kind).field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl<G: Played> Erased for Seeker<G> {
    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        self.recipe.set(&mut self.params, name, value)
    }

    fn run(
        &mut self,
        state: &AnyState,
        terms: &Terms,
        threads: usize,
        stop: &Stop,
        on_report: OnReport<'_>,
    ) -> Option<Decision<usize>> {
        let history = state.history::<G>()?;
        let position = history.position();
        let moves: Vec<G::Move> = history.moves().iter().map(|&(_, mv)| mv).collect();
        let start = format!("{:?}", history.start());
        match &self.seen {
            Some((begun, before)) if *begun == start && moves.starts_with(before) => {
                moves[before.len()..].iter().for_each(|&mv| self.searcher.advance(mv));
            }
            _ => self.searcher.clear(),
        }
        let task = Task {
            threads,
            seed: terms.seed,
            report_every: terms.report_every,
            ownership: terms.ownership,
            ..Task::new(position, terms.budget, &self.params, stop)
        };
        let number = |mv: G::Move| position.index(mv);
        let decision = self.searcher.run(&task, &mut |report| on_report(&report.clone().map(number)));
        self.seen = Some((start, moves));
        Some(Decision { mv: number(decision.mv), report: decision.report.map(number) })
    }

    fn clear(&mut self) {
        self.searcher.clear();
        self.seen = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Begin;
    use super::*;

    fn terms(nodes: u64) -> Terms {
        Terms { budget: Budget { nodes: Some(nodes), ..Budget::default() }, seed: 1, ..Terms::default() }
    }

    #[test]
    fn each_game_is_searched() {
        for &kind in Kind::ALL {
            let state = AnyState::new(kind, &Begin::default()).unwrap();
            let mut search = AnySearch::new(kind, None, 1, 64);
            let decision = search.run(&state, &terms(20), &Stop::new(), &mut |_| ()).unwrap();
            assert!(state.legal_actions().contains(&decision.mv), "{kind}");
            assert_eq!(decision.report.moves[0].pv[0], decision.report.moves[0].mv);
        }
    }

    #[test]
    fn the_tree_goes_on_with_the_game() {
        let mut state = AnyState::new(Kind::Go, &Begin::default()).unwrap();
        let mut search = AnySearch::new(Kind::Go, None, 1, 64);
        let visits = |search: &mut AnySearch, state: &AnyState| {
            search.run(state, &terms(400), &Stop::new(), &mut |_| ()).unwrap()
        };
        let first = visits(&mut search, &state);
        state.play(first.mv).unwrap();
        assert!(visits(&mut search, &state).report.visits > 400);
        // Another game.
        let other = AnyState::new(
            Kind::Go,
            &Begin { setup: crate::players::Setup { komi: 0.5, ..Default::default() }, swap: false },
        );
        let afresh = visits(&mut search, &other.unwrap());
        assert!(afresh.report.visits <= 401, "{}", afresh.report.visits);
        search.clear();
        assert!(visits(&mut search, &state).report.visits <= 401);
    }

    #[test]
    fn the_same_stones_with_another_komi_are_another_game() {
        let mut search = AnySearch::new(Kind::Go, None, 1, 64);
        for komi in [7.5, 0.5] {
            let setup = crate::players::Setup { komi, size: Some(crate::games::Size::square(5)), ..Default::default() };
            let state = AnyState::new(Kind::Go, &Begin { setup, swap: false }).unwrap();
            let report = search.run(&state, &terms(100), &Stop::new(), &mut |_| ()).unwrap().report;
            assert!(report.visits <= 101, "{komi}: {}", report.visits);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut search = AnySearch::new(Kind::Hex, None, 1, 64);
        let state = AnyState::new(Kind::Go, &Begin::default()).unwrap();
        let game = search.run(&state, &terms(1), &Stop::new(), &mut |_| ()).unwrap_err();
        assert_eq!(game, SearchError::Game { search: Kind::Hex, state: Kind::Go });
        assert!(search.set("nonsense", "1").is_err() && search.set("search", "ubfm").is_ok());
        let mut over = AnyState::new(Kind::Go, &Begin::default()).unwrap();
        let pass = over.named("pass").unwrap();
        over.play(pass).and_then(|()| over.play(pass)).unwrap();
        let mut go = AnySearch::new(Kind::Go, None, 1, 64);
        assert_eq!(go.run(&over, &terms(1), &Stop::new(), &mut |_| ()).unwrap_err(), SearchError::Over);
    }
}
