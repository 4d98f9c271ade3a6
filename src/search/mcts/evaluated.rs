//! Simulations whose leaves are valued by an evaluator: PUCT. Several go down before it is asked, so that it works on a batch.

use parking_lot::Mutex;

use super::backup::Reward;
use super::choice::{ByPrior, select};
use super::iteration::{Policy, Reached, TreePolicy};
use super::node::Node;
use super::simulation::Simulation;
use super::tally::Tally;
use super::tree::{Tree, normalized};
use super::tree_search::TreeSearch;
use crate::eval::{Cancelled, Evaluation, NoEvaluation, PolicyEvaluator, PolicyQuery, Wanted};
use crate::game::{MonteCarlo, Outcome, PlayoutPolicy};
use crate::rng::Rng;
use crate::search::{Params, Restriction, moves_of};

/// Guides simulations by priors and means. A node without children is claimed by the simulation that comes to it.
pub(crate) struct PriorPolicy<'a, 'p, G: MonteCarlo> {
    pub(crate) tree: &'a Tree<G>,
    pub(crate) params: &'p Params,
    pub(crate) restrictions: &'p [Restriction<G::Move>],
}

impl<'a, G: MonteCarlo> TreePolicy<'a, G> for PriorPolicy<'a, '_, G> {
    fn begin(&mut self, _: &mut Rng) -> &'a Tree<G> {
        self.tree
    }

    fn arrive(&mut self, simulation: &mut Simulation<'a, G>, _: Wanted<'_>) -> Option<Reached> {
        let node = simulation.node();
        if node.is_expanded() {
            return None;
        }
        if !node.claim() {
            return if node.is_expanded() { None } else { Some(Reached::Busy) };
        }
        moves_of(&simulation.position, self.params, &mut simulation.moves);
        // Where players agree on what is dead, what the end is worth is for the evaluator to say.
        if !simulation.moves.is_empty() || simulation.position.ends_by_agreement() {
            return Some(Reached::Leaf);
        }
        simulation.tree.grow_by_prior(node, &simulation.position, &[], &[]);
        None
    }

    fn choose(&mut self, simulation: &Simulation<'a, G>, rng: &mut Rng) -> Option<&'a Node> {
        let formula = ByPrior::of(simulation, self.params);
        select(simulation, self.restrictions, &formula, rng)
    }
}

/// The policy of searches by an evaluator.
pub(crate) struct Evaluated<'a, G: MonteCarlo> {
    search: &'a TreeSearch<'a, G>,
    puct: PriorPolicy<'a, 'a, G>,
    evaluator: &'a dyn PolicyEvaluator<G>,
    playout: G::Playout,
    trace: Vec<G::Move>,
    tally: &'a Mutex<Tally>,
}

impl<'a, G: MonteCarlo> Evaluated<'a, G> {
    /// The policy of thread `number`.
    pub(crate) fn new(search: &'a TreeSearch<'a, G>, evaluator: &'a dyn PolicyEvaluator<G>, number: usize) -> Self {
        let playout = search.tree.position().playout_policy(search.params.playout_knowledge);
        let puct = PriorPolicy { tree: search.tree, params: search.params, restrictions: search.restrictions };
        Self { search, puct, evaluator, playout, trace: Vec::new(), tally: &search.tallies[number] }
    }

    /// Owners at the end of the last playout, which began at that leaf.
    fn owners_of(&self, leaf: &Simulation<'a, G>) -> Vec<f32> {
        let mut owners = vec![0.0; leaf.position.points()];
        self.playout.add_ownership(&mut owners);
        owners
    }

    /// Counts the owners that a simulation came to.
    fn count(&self, tally: &mut Tally, simulation: &Simulation<'a, G>, owners: &[f32]) {
        tally.owners(owners.len()).iter_mut().zip(owners).for_each(|(sum, owner)| *sum += owner);
        if let Some(&(_, first)) = simulation.plies.first().filter(|_| self.search.moves_ownership) {
            tally.add_owners_after(first as usize, owners);
        }
    }

    fn play_out(&mut self, position: &G, rng: &mut Rng) -> Outcome {
        self.playout.run(position, rng, &mut self.trace).outcome
    }

    /// Expands a leaf and backs it up: by what the evaluator said, and a playout where that is wanted or nothing was said.
    fn finish(&mut self, leaf: &Simulation<'a, G>, evaluation: Option<&Evaluation>, rng: &mut Rng) {
        let params = self.search.params;
        let share = if evaluation.is_some() { params.playout_share } else { 1.0 };
        let played = (share > 0.0).then(|| self.play_out(&leaf.position, rng));
        let expected = evaluation.map_or(0.0, |evaluation| evaluation.value);
        let reward = Reward {
            value: (1.0 - share) * expected + share * played.map_or(0.0, |outcome| outcome.value),
            score: evaluation.and_then(|evaluation| evaluation.score).or(played.map(|outcome| outcome.score)),
        };
        if leaf.moves.is_empty() {
            // It stays a leaf: its value is asked for each time.
            leaf.node().release();
        } else {
            let known = evaluation.is_none().then(|| priors_by_knowledge(&leaf.position, &leaf.moves));
            let priors = evaluation.map(|evaluation| &evaluation.policy).or(known.as_ref());
            leaf.tree.grow_by_prior(leaf.node(), &leaf.position, &leaf.moves, priors.map_or(&[], Vec::as_slice));
        }
        leaf.back_up(&reward, params);
        let mut tally = self.tally.lock();
        tally.add(&reward);
        if self.search.ownership {
            match evaluation {
                Some(Evaluation { ownership, .. }) if !ownership.is_empty() => self.count(&mut tally, leaf, ownership),
                _ if played.is_some() => self.count(&mut tally, leaf, &self.owners_of(leaf)),
                _ => {}
            }
        }
    }
}

impl<'a, G: MonteCarlo> TreePolicy<'a, G> for Evaluated<'a, G> {
    fn begin(&mut self, rng: &mut Rng) -> &'a Tree<G> {
        self.puct.begin(rng)
    }

    fn arrive(&mut self, simulation: &mut Simulation<'a, G>, wanted: Wanted<'_>) -> Option<Reached> {
        self.puct.arrive(simulation, wanted)
    }

    fn choose(&mut self, simulation: &Simulation<'a, G>, rng: &mut Rng) -> Option<&'a Node> {
        self.puct.choose(simulation, rng)
    }
}

impl<'a, G: MonteCarlo> Policy<'a, G> for Evaluated<'a, G> {
    fn end(&mut self, simulation: &mut Simulation<'a, G>, reward: Reward, rng: &mut Rng) {
        simulation.back_up(&reward, self.search.params);
        self.tally.lock().add(&reward);
        if self.search.ownership {
            self.play_out(&simulation.position, rng);
            self.count(&mut self.tally.lock(), simulation, &self.owners_of(simulation));
        }
    }

    fn value(&mut self, leaves: &mut [Simulation<'a, G>], rng: &mut Rng, wanted: Wanted<'_>) -> Result<(), Cancelled> {
        let mut evaluations = Vec::new();
        let queries: Vec<_> = leaves.iter().map(|leaf| PolicyQuery::new(&leaf.position, &leaf.moves)).collect();
        let answer = self.evaluator.evaluate_with_policy(&queries, &mut evaluations, wanted);
        if answer == Err(NoEvaluation::Cancelled) {
            for leaf in leaves {
                leaf.node().release();
                leaf.give_up();
            }
            return Err(Cancelled);
        }
        for (number, leaf) in leaves.iter().enumerate() {
            let evaluation = answer.ok().and_then(|()| evaluations.get(number));
            self.finish(leaf, evaluation, rng);
        }
        Ok(())
    }
}

/// Priors in the place of an evaluator's: by the game's knowledge alone.
pub(crate) fn priors_by_knowledge<G: MonteCarlo>(position: &G, moves: &[G::Move]) -> Vec<f32> {
    let mut known = Vec::new();
    position.priors(moves, &mut known);
    normalized(&known).collect()
}

#[cfg(test)]
mod tests;
