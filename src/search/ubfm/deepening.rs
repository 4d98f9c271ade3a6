//! Alpha-beta by iterative deepening over a table, begun again from the root after each new state: for self-play, where a state
//! waits for its values.

use std::sync::Arc;

use super::table::{Action, State, StateTable, compare};
use super::variant::Variant;
use crate::game::{Game, Side};

/// Places of the actions, the best first.
fn order(side: Side, actions: &[Action]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..actions.len()).collect();
    order.sort_by(|&a, &b| compare(side, &actions[b], &actions[a]));
    order
}

/// One look to a fixed depth.
pub(super) struct Pass<'a> {
    pub(super) table: &'a StateTable,
    pub(super) variant: Variant,
    /// Whether what is found is written into the states: of a look that found all of them.
    pub(super) writes: bool,
    /// States on the way to the one that is missing and the action taken in each.
    pub(super) path: Vec<(Arc<State>, usize)>,
}

impl Pass<'_> {
    /// Value of a position for its side to move to a depth of at least 1, exact between `alpha` and `beta` and a bound outside.
    ///
    /// # Errors
    /// The position whose state is missing, to which the path leads.
    pub(super) fn value<G: Game>(&mut self, position: &G, depth: u32, mut alpha: f32, beta: f32) -> Result<f32, G> {
        let Some(state) = self.table.get(position.key()) else { return Err(position.clone()) };
        let (actions, sign) = (state.actions.lock().to_vec(), state.side.sign());
        let mut best = f32::NEG_INFINITY;
        for number in order(state.side, &actions) {
            let action = &actions[number];
            let value = if depth <= 1 || action.resolution.is_some() {
                action.value * sign
            } else {
                let mut child = position.clone();
                child.play(position.move_at(action.index as usize));
                self.path.push((Arc::clone(&state), number));
                let value = -self.value(&child, depth - 1, -beta, -alpha)?;
                self.path.pop();
                value
            };
            if self.writes {
                self.write(&mut state.actions.lock()[number], value * sign, depth);
            }
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Takes the value of an action, seen by `First`. One that the window has cut off is no better than a better one beside it, so that
    /// the best of all stays right.
    fn write(&self, action: &mut Action, value: f32, depth: u32) {
        action.visits += 1;
        if depth > 1 && action.resolution.is_none() {
            action.value = value;
            if let Some(child) = self.table.get(action.child) {
                let backed = self.variant.back(child.side, &child.actions.lock());
                if backed.resolution.is_some() {
                    action.take(backed);
                }
            }
        }
    }
}
