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
    /// Weight of the exploration term.
    pub(crate) exploration: f32,
    /// Whether an iteration goes on to the end of the game.
    pub(crate) to_the_end: bool,
}

impl Variant {
    /// The variant that the parameters name.
    pub(crate) fn of(params: &Params) -> Self {
        Self {
            completion: params.completion > 0,
            safe: params.search != Method::Ubfm,
            exploration: if params.search == Method::UbfmUct { params.ubfm_uct_constant } else { 0.0 },
            to_the_end: params.search == Method::Descent,
        }
    }

    /// Applies [`back`]; without completion no state is resolved.
    pub(crate) fn back(self, side: Side, actions: &[Action]) -> Backed {
        let backed = back(side, actions);
        Backed { resolution: backed.resolution.filter(|_| self.completion), ..backed }
    }
}
