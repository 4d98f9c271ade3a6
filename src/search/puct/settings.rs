//! Parameters of the search in the form that it works with.

use crate::search::Params;
use crate::search::mcts::Widening;

/// Constants of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PuctConstants {
    pub(super) static_score: f32,
    pub(super) dynamic_score: f32,
    pub(super) exploration: f32,
    pub(super) exploration_log: f32,
    pub(super) volatility: f32,
    pub(super) reduction: f32,
    pub(super) root_reduction: f32,
    pub(super) unvisited_mean: bool,
    pub(super) temperature: f32,
    pub(super) noise_pruning: bool,
    pub(super) value_exponent: f32,
    pub(super) bias: f32,
    pub(super) uncertainty: bool,
    pub(super) bound: f32,
    pub(super) graph: bool,
    pub(super) optimism: f32,
    pub(super) root_optimism: f32,
    /// Changes by which more moves of the root are looked at, if there are any.
    pub(super) widening: Option<Widening>,
}

impl PuctConstants {
    /// Constants that the parameters say; `by_means` is what they leave open.
    pub(super) fn of(params: &Params, by_means: bool) -> Self {
        let widening = Widening::at(params, 0);
        // That parameter is for values in 0..=1, half as wide as utilities.
        let asked = params.root_fpu_reduction;
        Self {
            static_score: params.static_score_utility,
            dynamic_score: params.dynamic_score_utility,
            exploration: params.exploration,
            exploration_log: params.exploration_log,
            volatility: params.volatility_scale,
            reduction: params.unvisited_reduction,
            root_reduction: if asked < 0.0 { params.root_unvisited_reduction } else { 2.0 * asked },
            unvisited_mean: if params.unvisited_mean < 0 { by_means } else { params.unvisited_mean == 1 },
            temperature: params.policy_temperature,
            noise_pruning: params.noise_pruning == 1,
            value_exponent: params.value_weight_exponent,
            bias: params.subtree_bias,
            uncertainty: params.uncertainty_weights == 1,
            bound: params.bound_deviations,
            graph: params.graph_search == 1,
            optimism: params.policy_optimism,
            root_optimism: params.root_policy_optimism,
            widening: Some(widening).filter(|widening| *widening != Widening::at(params, 1)),
        }
    }

    /// Priors by a policy: as flat as the temperature says; they sum to 1.
    pub(super) fn priors(&self, policy: &[f32]) -> Vec<f32> {
        if self.temperature == 1.0 {
            return policy.to_vec();
        }
        let bent: Vec<f32> = policy.iter().map(|share| share.powf(1.0 / self.temperature)).collect();
        let sum = bent.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        bent.iter().map(|share| share / sum).collect()
    }
}

impl Default for PuctConstants {
    fn default() -> Self {
        Self::of(&Params::default(), false)
    }
}
