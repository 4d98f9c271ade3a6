//! The recipe of a game's search: evaluator, searches, solver and model put together in one place, so that play, matches,
//! self-play and measurements run the same.

use std::sync::Arc;

use super::{Models, Played, levels};
use crate::eval::net::{ModelFile, Network, NetworkEvaluator, Output};
use crate::eval::{Evaluator, PlayoutMean, PolicyEvaluator};
use crate::game::filling::{Appraiser, Endgame};
use crate::game::{Game, MonteCarlo, Solitary, Solvable, Sum};
use crate::search::alphabeta::AlphaBeta;
use crate::search::beam::Beam;
use crate::search::endgame::EndgameSolver;
use crate::search::level::Levelled;
use crate::search::mcts::Mcts;
use crate::search::methods::{FOR_ONE, FOR_PATTERNS, FOR_TWO, Methods};
use crate::search::middle::Pvs;
use crate::search::params::{Component, Method};
use crate::search::prover::Prover;
use crate::search::puct::Puct;
use crate::search::random::Random;
use crate::search::solver::Solver;
use crate::search::sums::SumSolver;
use crate::search::ubfm::Ubfm;
use crate::search::{Searcher, Share};

/// Playouts that a position is valued by where a search wants values and the game has no evaluator.
const PLAYOUTS: u32 = 8;

/// Threads, memory and models that a search may use.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The process's search threads.
    pub share: Arc<Share>,
    /// Memory of tree or table and solver, in MiB.
    pub memory: usize,
    /// Models to play with.
    pub models: Models,
}

/// Makes a search that has that many MiB.
type MakeSearch<'a, G> = &'a dyn Fn(usize) -> Box<dyn Searcher<G>>;
/// Puts a solver before a search; both together have that many MiB.
type MakeSolver<G> = fn(Arc<Share>, usize, MakeSearch<'_, G>) -> Box<dyn Searcher<G>>;
/// Makes a search over patterns from the search that plays where they say nothing; both together have that many MiB.
type MakePvs<G> = Arc<dyn Fn(Arc<Share>, usize, MakeSearch<'_, G>) -> Box<dyn Searcher<G>> + Send + Sync>;
/// Makes a beam search that has that many MiB.
type MakeBeam<G> = fn(Arc<Share>, usize) -> Box<dyn Searcher<G>>;

/// Searches, evaluators and solver of a game.
pub struct Recipe<G: Game> {
    /// Searches that can be asked for by name.
    methods: &'static [Method],
    /// The search without a model.
    usual: Method,
    /// The search with a model that gives a policy, and with one that gives values only.
    with_policy: Method,
    with_values: Method,
    needs_policy: bool,
    /// Whether searches prove results by the game's knowledge.
    proves: bool,
    /// Values of positions without a model.
    evaluator: Arc<dyn Evaluator<G>>,
    /// Values that a teacher has of moves at a glance.
    lessons: Option<Arc<dyn Evaluator<G>>>,
    solver: Option<MakeSolver<G>>,
    beam: Option<MakeBeam<G>>,
    pvs: Option<MakePvs<G>>,
}

impl<G: MonteCarlo> Recipe<G> {
    fn new(methods: &'static [Method], usual: Method, evaluator: Arc<dyn Evaluator<G>>) -> Self {
        Self {
            methods,
            usual,
            with_policy: Method::Mcts,
            with_values: Method::UbfmS,
            needs_policy: false,
            proves: G::SOLVES,
            evaluator,
            lessons: None,
            solver: None,
            beam: None,
            pvs: None,
        }
    }

    /// Unbounded best-first minimax over an evaluator; with a policy Monte-Carlo tree search.
    pub fn by_minimax(evaluator: impl Evaluator<G> + 'static) -> Self {
        let evaluator: Arc<dyn Evaluator<G>> = Arc::new(evaluator);
        Self { lessons: Some(Arc::clone(&evaluator)), ..Self::new(FOR_TWO, Method::UbfmS, evaluator) }
    }

    /// Monte-Carlo tree search with playouts; with a policy by the policy. `methods` can be asked for by name.
    pub fn by_playouts(methods: &'static [Method]) -> Self {
        Self::new(methods, Method::Mcts, Arc::new(PlayoutMean { count: PLAYOUTS }))
    }

    /// With an evaluator for teachers.
    #[must_use]
    pub fn taught_by(self, evaluator: impl Evaluator<G> + 'static) -> Self {
        Self { lessons: Some(Arc::new(evaluator)), ..self }
    }

    /// With that search by every model.
    #[must_use]
    pub fn with_any_model_by(self, method: Method) -> Self {
        Self { with_policy: method, with_values: method, ..self }
    }

    /// With that search by models that give a policy.
    #[must_use]
    pub fn with_policy_by(self, method: Method) -> Self {
        Self { with_policy: method, ..self }
    }

    /// Without models that give no policy.
    #[must_use]
    pub fn that_needs_a_policy(self) -> Self {
        Self { needs_policy: true, ..self }
    }
}

impl<G: Solvable> Recipe<G> {
    /// With a solver of positions before the search.
    #[must_use]
    pub fn solved_by_states(self) -> Self {
        let solver: MakeSolver<G> =
            |share, memory, search| Box::new(Prover::new(share, memory, Solver::<G>::new, search));
        Self { solver: Some(solver), ..self }
    }
}

impl<G: Sum> Recipe<G> {
    /// With a solver of sums before the search.
    #[must_use]
    pub fn solved_by_sums(self) -> Self {
        let solver: MakeSolver<G> =
            |share, memory, search| Box::new(Prover::new(share, memory, SumSolver::new, search));
        Self { solver: Some(solver), ..self }
    }
}

impl<G: Endgame> Recipe<G> {
    /// With a search of late positions to the end before the search.
    #[must_use]
    pub fn solved_at_the_end(self) -> Self {
        let solver: MakeSolver<G> =
            |share, memory, search| Box::new(Prover::new(share, memory, EndgameSolver::new, search));
        Self { solver: Some(solver), ..self }
    }

    /// With principal variation search over what boards look like; the search before plays where that says nothing.
    #[must_use]
    pub fn by_looks<A: Appraiser<G::Board>>(self, appraiser: fn() -> Arc<A>) -> Self {
        let pvs: MakePvs<G> =
            Arc::new(move |share, memory, other| Box::new(Pvs::new(share, memory, appraiser(), other)));
        Self { methods: FOR_PATTERNS, usual: Method::Pvs, pvs: Some(pvs), ..self }
    }
}

impl<G: MonteCarlo + Solitary> Recipe<G> {
    /// Beam search, for one player.
    pub fn alone() -> Self {
        let beam: MakeBeam<G> = |share, memory| Box::new(Beam::new(share, memory));
        let recipe = Self::new(FOR_ONE, Method::Beam, Arc::new(PlayoutMean { count: PLAYOUTS }));
        Self { with_values: Method::Beam, beam: Some(beam), ..recipe }
    }
}

impl<G: Game> Recipe<G> {
    /// Whether the game can be played with a model.
    pub fn plays_with(&self, model: &ModelFile) -> bool {
        !self.needs_policy || model.gives(Output::Policy)
    }

    /// Evaluator that a teacher values moves by at a glance, if the game has one.
    pub fn lessons(&self) -> Option<&Arc<dyn Evaluator<G>>> {
        self.lessons.as_ref()
    }

    /// The search that plays with that model, or without one.
    pub fn usual(&self, model: Option<&ModelFile>) -> Method {
        match model {
            None => self.usual,
            Some(model) if model.gives(Output::Outcomes) && self.has_method(Method::Puct) => Method::Puct,
            // A model that only advises is asked in a search by playouts.
            Some(model) if model.gives(Output::Policy) && model.advice > 0 => Method::Mcts,
            Some(model) if model.gives(Output::Policy) => self.with_policy,
            Some(_) => self.with_values,
        }
    }

    /// Whether the game has that search.
    pub fn has_method(&self, method: Method) -> bool {
        method == Method::Usual || self.methods.contains(&method)
    }

    /// Whether a search of the game, or its solver, has parameters of that part.
    pub fn has(&self, part: Component) -> bool {
        let any = |methods: &[Method]| methods.iter().any(|method| self.methods.contains(method));
        match part {
            Component::All => true,
            Component::Ubfm => any(&[Method::Ubfm, Method::UbfmS, Method::UbfmUct, Method::Descent]),
            Component::AlphaBeta => any(&[Method::AlphaBeta]),
            Component::Yopt => any(&[Method::Yopt]),
            Component::Mcts => any(&[Method::Mcts, Method::Yopt]),
            Component::Puct => any(&[Method::Puct]),
            Component::Solver => self.solver.is_some(),
            Component::Proofs => self.proves,
        }
    }
}

impl<G: Played> Recipe<G> {
    /// The searcher that plays the game: the searches, with the solver before them.
    pub fn searcher(&self, resources: &Resources) -> Box<dyn Searcher<G>> {
        let network = resources.models.of::<G>();
        let search = |memory| -> Box<dyn Searcher<G>> {
            let usual = self.usual(network.map(|network| network.model()));
            Box::new(Methods::new(self.methods, usual, memory, self.methods_of(&resources.share, network)))
        };
        let full = match self.solver {
            Some(solver) => solver(Arc::clone(&resources.share), resources.memory, &search),
            None => search(resources.memory),
        };
        // A move without points, such as a pass, ends or turns the game: it is none to be drawn.
        let is_free = |position: &G, mv| !G::spell(position.size(), mv).points().is_empty();
        let usual = self.usual(network.map(|network| network.model()));
        Box::new(Levelled::new(full, levels::of::<G>(), usual, is_free))
    }

    /// Evaluator of positions: the model's values where there is one that serves, the game's own elsewhere.
    pub fn evaluator(&self, network: Option<&Arc<Network>>) -> Arc<dyn Evaluator<G>> {
        match network {
            Some(network) => Arc::new(NetworkEvaluator::new(Arc::clone(network), Arc::clone(&self.evaluator))),
            None => Arc::clone(&self.evaluator),
        }
    }

    /// Makes searches by name, over the model's values and policy where there is one.
    fn methods_of(
        &self,
        share: &Arc<Share>,
        network: Option<&Arc<Network>>,
    ) -> Box<dyn Fn(Method, usize) -> Box<dyn Searcher<G>> + Send> {
        let (share, beam, pvs) = (Arc::clone(share), self.beam, self.pvs.clone());
        let evaluator = self.evaluator(network);
        let policy = network.filter(|network| network.model().gives(Output::Policy));
        let policy = policy
            .map(|network| -> Arc<dyn PolicyEvaluator<G>> { Arc::new(NetworkEvaluator::new(Arc::clone(network), ())) });
        let is_katago = network.is_some_and(|network| network.model().gives(Output::Outcomes));
        let puct = move |share, memory, policy: &Arc<dyn PolicyEvaluator<G>>| {
            let puct = Puct::new(share, memory, Arc::clone(policy));
            if is_katago { puct } else { puct.by_means() }
        };
        Box::new(move |method, memory| {
            let ubfm = |memory| -> Box<dyn Searcher<G>> {
                Box::new(Ubfm::new(Arc::clone(&share), memory, Arc::clone(&evaluator)))
            };
            if let (Method::Pvs, Some(pvs)) = (method, &pvs) {
                return pvs(Arc::clone(&share), memory, &ubfm);
            }
            let share = Arc::clone(&share);
            match (method, &policy, beam) {
                (Method::Random, ..) => Box::new(Random),
                (Method::Beam, _, Some(beam)) => beam(share, memory),
                (Method::AlphaBeta, ..) => Box::new(AlphaBeta::new(share, memory, Arc::clone(&evaluator))),
                (Method::Mcts, Some(policy), _) => Box::new(Mcts::with_evaluator(share, memory, Arc::clone(policy))),
                (Method::Puct, Some(policy), _) => Box::new(puct(share, memory, policy)),
                (Method::Mcts | Method::Puct | Method::Yopt, ..) => Box::new(Mcts::new(share, memory)),
                _ => ubfm(memory),
            }
        })
    }
}
