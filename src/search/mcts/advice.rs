//! A model's advice in a search by playouts: asked of nodes that have earned it, beside playouts and knowledge.

use super::backup::Reward;
use super::node::Node;
use super::simulation::Simulation;
use crate::eval::{NoEvaluation, PolicyEvaluator, PolicyQuery, Wanted};
use crate::game::MonteCarlo;
use crate::search::Params;

/// Asks an evaluator about single nodes.
pub(crate) struct Advice<'a, G: MonteCarlo> {
    evaluator: &'a dyn PolicyEvaluator<G>,
    params: &'a Params,
    moves: Vec<G::Move>,
}

impl<'a, G: MonteCarlo> Advice<'a, G> {
    pub(crate) fn new(evaluator: &'a dyn PolicyEvaluator<G>, params: &'a Params) -> Self {
        Self { evaluator, params, moves: Vec::new() }
    }

    /// Takes the right to ask about a node that was visited often enough.
    #[inline]
    pub(crate) fn claims(&self, node: &Node) -> bool {
        node.visits() >= self.params.advice_visits as u32 && node.claim_advice()
    }

    /// Asks about the node that the simulation has come to: its children get the evaluator's priors, and all nodes of the path its
    /// value.
    pub(crate) fn ask(&mut self, simulation: &Simulation<'_, G>, wanted: Wanted<'_>) {
        let (tree, node, position) = (simulation.tree, simulation.node(), &simulation.position);
        tree.complete(node);
        let children = tree.children(node);
        self.moves.clear();
        self.moves.extend(children.iter().map(|child| position.move_at(child.index())));
        if self.moves.is_empty() {
            return;
        }
        let mut evaluations = Vec::new();
        match self.evaluator.evaluate_with_policy(&[PolicyQuery::new(position, &self.moves)], &mut evaluations, wanted)
        {
            Err(NoEvaluation::Cancelled) => node.release_advice(),
            Err(NoEvaluation::Failed) => {}
            Ok(()) => {
                let Some(evaluation) = evaluations.pop() else { return };
                children.iter().zip(&evaluation.policy).for_each(|(child, &prior)| child.set_prior(prior));
                node.mark_learned_priors();
                let reward = Reward { value: evaluation.value, score: evaluation.score };
                simulation.credit(&reward, self.params.advice_weight, self.params);
            }
        }
    }
}
