//! Search by a model's values and policy as KataGo does it (PUCT): results and scores as one utility, nodes shared by all ways to a
//! position, means that count better moves more, and evaluations corrected by what was found below ones that look alike.
//!
//! Start reading at `walk`: a simulation goes down, its leaf is evaluated, and the nodes of its path are calculated anew.

mod bias;
mod choice;
mod graph;
mod node;
mod report;
mod select;
mod settings;
#[cfg(test)]
mod tests;
mod update;
mod utility;
mod walk;

use std::sync::Arc;

use parking_lot::Mutex;

use self::graph::PositionGraph;
use self::node::Body;
use self::report::{Run, make};
use self::settings::PuctConstants;
use self::utility::Utility;
use self::walk::{GraphWalker, PuctSearch};
use super::crew::{self, RunLimits};
use super::mcts::{Mcts, Tally};
use super::watch::{Watch, stand};
use super::{Decision, Report, Searcher, Share, Task, any_move};
use crate::eval::{PolicyEvaluator, PolicyQuery, Wanted};
use crate::game::MonteCarlo;
use crate::rng::Rng;

/// Visits of the root that no search goes beyond, so that no counter runs over.
const MOST_VISITS: u32 = 1 << 30;

/// Search by an evaluator with a policy, with its graph kept from move to move.
pub struct Puct<G: MonteCarlo> {
    share: Arc<Share>,
    mib: usize,
    evaluator: Arc<dyn PolicyEvaluator<G>>,
    graph: Option<PositionGraph<G>>,
    /// Whether moves without visits count by the mean of their parent's visits alone, where the parameters leave it open.
    by_means: bool,
    /// Plays by playouts on boards that the evaluator does not serve.
    otherwise: Mcts<G>,
}

impl<G: MonteCarlo> Puct<G> {
    /// A search with at most `memory_mib` MiB of graph. Nothing is allocated before the first run.
    pub fn new(share: Arc<Share>, memory_mib: usize, evaluator: Arc<dyn PolicyEvaluator<G>>) -> Self {
        let otherwise = Mcts::new(Arc::clone(&share), memory_mib);
        Self { share, mib: memory_mib, evaluator, graph: None, by_means: false, otherwise }
    }

    /// For an evaluator whose single evaluations are less sure than KataGo's: a move without visits counts as the mean of its
    /// parent's visits, unless the parameters say otherwise. By evaluations too high for their nodes all moves would be tried.
    pub fn by_means(self) -> Self {
        Self { by_means: true, ..self }
    }

    /// The graph for a task: that of the last run if it suits.
    fn adopt(&mut self, task: &Task<'_, G>) -> PositionGraph<G> {
        // A game goes on, and wants a move, though lines of the search ended there: it has come back to where it was, or its winner was known.
        let suits = |graph: &PositionGraph<G>| {
            let over = matches!(*graph.root.body.lock(), Body::Over(_));
            let ends = task.position.outcome().is_some() && !task.position.is_round();
            graph.position.key() == task.position.key() && (!over || ends)
        };
        let kept = self.graph.take().filter(suits);
        match kept {
            Some(mut graph) => {
                graph.position.clone_from(task.position);
                graph.sweep();
                graph
            }
            None => PositionGraph::new(task.position.clone(), self.mib << 20),
        }
    }
}

/// Parts of a run that outlive its pauses.
struct Frame<'r, 't, G: MonteCarlo> {
    task: &'r Task<'t, G>,
    settings: PuctConstants,
    evaluator: &'r dyn PolicyEvaluator<G>,
    limits: RunLimits<'r>,
    tallies: Vec<Mutex<Tally>>,
}

impl<G: MonteCarlo> Frame<'_, '_, G> {
    /// The run in this graph, by this worth of results and scores.
    fn within<'a>(&'a self, graph: &'a PositionGraph<G>, utility: Utility) -> PuctSearch<'a, G> {
        PuctSearch {
            graph,
            utility,
            settings: self.settings,
            params: self.task.params,
            restrictions: self.task.restrictions,
            evaluator: self.evaluator,
            ownership: self.task.ownership || self.task.moves_ownership,
            moves_ownership: self.task.moves_ownership,
            tallies: &self.tallies,
        }
    }

    /// Evaluates a new root before any thread starts, and values the graph by what it says. Says whether that was cut short.
    fn begin(&self, graph: &PositionGraph<G>, utility: &mut Utility, stopped: &dyn Fn() -> bool) -> bool {
        let search = self.within(graph, *utility);
        let fresh = graph.root.stats.lock().visits == 0;
        let mut provisional = false;
        if fresh {
            let mut walker = GraphWalker::new(&search, 0, Rng::stream(self.task.seed, u64::MAX));
            provisional = walker.begin(&|| !stopped()).is_err();
            // It is the first iteration, as with KataGo.
            if !provisional && self.limits.quota.take() {
                self.tallies[0].lock().count += 1;
            }
        } else {
            refresh_root(&search, stopped);
        }
        *utility = self.utility(graph.root.stats.lock().score);
        graph.revalue(utility, &self.settings);
        provisional
    }

    /// Worth of results and scores where `First` expects that score.
    fn utility(&self, expected: f32) -> Utility {
        Utility::new(&self.settings, self.task.position.points(), expected)
    }

    /// The loop of one thread.
    fn work(&self, search: &PuctSearch<'_, G>, number: usize, round: u64) {
        let rng = Rng::stream(self.task.seed.wrapping_add(round), number as u64);
        let lines = search.evaluator.attributes().lines.max(1);
        let mut walker = GraphWalker::new(search, number, rng);
        let is_settled = || search.graph.root.stats.lock().visits > MOST_VISITS;
        let iterate = |most: usize, wanted: Wanted<'_>| walker.iterate(most, wanted);
        self.limits.simulate(number, lines, || search.graph.is_full(), is_settled, iterate);
    }
}

/// Asks for the root's priors anew where the policy of a root is another one than that of other positions.
fn refresh_root<G: MonteCarlo>(search: &PuctSearch<'_, G>, stopped: &dyn Fn() -> bool) {
    let (settings, position) = (&search.settings, &search.graph.position);
    if settings.optimism == settings.root_optimism {
        return;
    }
    let Body::Expanded(root) = &mut *search.graph.root.body.lock() else { return };
    let moves: Vec<G::Move> = root.moves.iter().map(|&mv| position.move_at(mv as usize)).collect();
    let query = PolicyQuery { position, moves: &moves, optimism: settings.root_optimism };
    let mut evaluations = Vec::new();
    let answer = search.evaluator.evaluate_with_policy(&[query], &mut evaluations, &|| !stopped());
    if let (Ok(()), Some(evaluation)) = (answer, evaluations.pop()) {
        let mut priors = settings.priors(&evaluation.policy);
        position.correct_policy(&moves, &mut priors);
        let prior = |index: usize| {
            let place = moves.iter().position(|&mv| position.index(mv) == index);
            place.map_or(0.0, |place| priors[place])
        };
        root.reprioritise(prior);
    }
}

impl<G: MonteCarlo> Searcher<G> for Puct<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        if !self.evaluator.serves(task.position) {
            return self.otherwise.run(task, on_report);
        }
        let mut watch = Watch::new(task.budget, task.report_every).among(&self.share);
        let mut graph = self.adopt(task);
        let frame = &Frame {
            task,
            settings: PuctConstants::of(task.params, self.by_means),
            evaluator: &*self.evaluator,
            limits: RunLimits::of(task, &self.share),
            tallies: (0..task.threads.max(1)).map(|_| Mutex::default()).collect(),
        };
        let (halt, clock) = (&frame.limits.halt, watch.clock());
        let stopped = || task.stop.is_set() || clock.is_over();
        let mut utility = frame.utility(0.0);
        let mut provisional = frame.begin(&graph, &mut utility, &stopped);
        for round in 0.. {
            if round > 0 && !graph.prune(&frame.settings) {
                // Too little is left of it: it begins anew.
                graph = PositionGraph::new(task.position.clone(), self.mib << 20);
                provisional = frame.begin(&graph, &mut utility, &stopped);
                if graph.is_full() {
                    // There is no room for more than the root.
                    halt.end();
                    break;
                }
            }
            let search = &frame.within(&graph, utility);
            let run = &Run { search, clock };
            let work = |number| frame.work(search, number, round);
            crew::run(halt, frame.tallies.len(), &work, || _ = watch.wait(halt, run, on_report));
            if halt.is_over() {
                break;
            }
        }
        let search = frame.within(&graph, utility);
        let report = make(&Run { search: &search, clock });
        stand(task, &report, on_report);
        self.graph = (!provisional).then_some(graph);
        let mv = report.moves.first().map(|m| m.mv);
        let mv = mv.unwrap_or_else(|| any_move(task));
        Decision { mv, report }
    }

    fn advance(&mut self, mv: G::Move) {
        self.graph = self.graph.take().and_then(|mut graph| graph.advance(mv).then_some(graph));
        self.otherwise.advance(mv);
    }

    fn clear(&mut self) {
        self.graph = None;
        self.otherwise.clear();
    }

    fn set_memory(&mut self, mib: usize) {
        self.mib = mib;
        self.graph = None;
        self.otherwise.set_memory(mib);
    }
}
