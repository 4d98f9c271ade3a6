//! The members of the family of searches.

use super::table::{Action, Backed, back};
use crate::game::Side;
use crate::search::params::{Method, Params};

/// Which member of the family searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Variant {
    /// Whether proven results are kept apart from values and proven states left alone.
    pub(crate) completion: bool,
    /// Whether the action selected most often is played, and not the one of the best value.
    pub(crate) safe: bool,
    /// Weight of the exploration term beside values in 0..=1.
    pub(crate) exploration: f32,
    /// Whether an iteration goes on to the end of the game.
    pub(crate) to_the_end: bool,
    /// Whether knowledge of the game ends it at a glance, and not the rules alone.
    pub(crate) proofs: bool,
    /// Whether of equal actions the one is followed whose line is the longest.
    pub(crate) deepest: bool,
    /// Whether values are means over the iterations that came through and each action is tried once before it is gone into (UCT), in the
    /// place of minimax.
    pub(crate) means: bool,
}

impl Variant {
    /// The variant that the parameters name.
    pub(crate) fn of(params: &Params) -> Self {
        Self {
            completion: params.completion > 0,
            safe: params.search != Method::Ubfm,
            exploration: if params.search == Method::UbfmUct { params.ubfm_uct_constant } else { 0.0 },
            to_the_end: params.search == Method::Descent,
            proofs: params.proofs > 0,
            deepest: params.deepest_ties > 0,
            means: false,
        }
    }

    /// Applies [`back`], or takes the mean of what was tried; without completion no state is resolved.
    pub(crate) fn back(self, side: Side, actions: &[Action]) -> Backed {
        let backed = back(side, actions);
        let visits: u32 = actions.iter().map(|action| action.visits).sum();
        let value = match self.means && visits > 0 {
            true => actions.iter().map(|action| action.value * action.visits as f32).sum::<f32>() / visits as f32,
            false => backed.value,
        };
        Backed { value, resolution: backed.resolution.filter(|_| self.completion), ..backed }
    }
}
