//! What the table says of the root, and which action is the safe decision.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use super::iteration::{Shared, Variant};
use super::table::{Action, State, compare};
use crate::game::{Game, Side};
use crate::search::{MoveReport, Report, permitted};

/// Longest variation that is shown.
const LONGEST_VARIATION: usize = 20;

/// Order of the safe decision for `side`, better first: a proven win (the shortest), then what was selected most often
/// (ties by value), last the proven losses (most searched first: they were the hardest to refute; then the longest).
fn safe_order(side: Side, a: &Action, b: &Action) -> Ordering {
    let class = |x: &Action| i32::from(x.resolution.unwrap_or(0)) * side.sign() as i32;
    class(b).cmp(&class(a)).then_with(|| match class(a) {
        1 => a.length.cmp(&b.length).then_with(|| b.visits.cmp(&a.visits)),
        0 => b.visits.cmp(&a.visits).then_with(|| compare(side, b, a)),
        _ => b.visits.cmp(&a.visits).then_with(|| b.length.cmp(&a.length)),
    })
}

/// Order of the plain decision for `side`, better first: the completed value, then what was selected most often.
fn value_order(side: Side, a: &Action, b: &Action) -> Ordering {
    compare(side, b, a).then_with(|| b.visits.cmp(&a.visits))
}

/// Order of the decision that the variant makes.
fn order(variant: Variant, side: Side, a: &Action, b: &Action) -> Ordering {
    if variant.safe { safe_order(side, a, b) } else { value_order(side, a, b) }
}

/// Puts a proven draw before a first action that promises less. What is resolved is selected no more, so that the visits of a
/// draw stand still while those of others grow.
fn prefer_draw(side: Side, actions: &mut [Action]) {
    let less = actions.first().is_some_and(|first| first.resolution.is_none() && first.value * side.sign() < 0.0);
    let draw = actions.iter().position(|action| action.resolution == Some(0));
    if let Some(draw) = draw.filter(|_| less) {
        actions[..=draw].rotate_right(1);
    }
}

/// A value seen by `First` in -1..=1 as expected result for a side in 0..=1.
fn winrate(value: f32, side: Side) -> f32 {
    (0.5 + 0.5 * value * side.sign()).clamp(0.0, 1.0)
}

fn winner(resolution: Option<i8>) -> Option<Side> {
    match resolution {
        Some(1) => Some(Side::First),
        Some(-1) => Some(Side::Second),
        _ => None,
    }
}

/// The report of a search that has run `nodes` iterations.
pub(crate) fn make<G: Game>(shared: &Shared<'_, G>, nodes: u64, elapsed: Duration) -> Report<G::Move> {
    let root = shared.root;
    let side = root.to_move();
    let state = shared.table.get(root.key());
    let mut actions: Vec<Action> = state.as_ref().map(|s| s.actions.lock().to_vec()).unwrap_or_default();
    let backed = (!actions.is_empty()).then(|| shared.variant.back(side, &actions));
    let visits = 1 + actions.iter().map(|a| u64::from(a.visits)).sum::<u64>();
    let allowed = |a: &Action| permitted(shared.restrictions, root, side, usize::from(a.index), 0);
    if actions.iter().any(allowed) {
        actions.retain(allowed);
    }
    actions.sort_by(|a, b| order(shared.variant, side, a, b).then_with(|| a.index.cmp(&b.index)));
    if shared.variant.safe {
        prefer_draw(side, &mut actions);
    }
    // The share of attention that the values would give by themselves.
    let attention = |a: &Action| (4.0 * winrate(a.value, side)).exp();
    let sum: f32 = actions.iter().map(attention).sum();
    let moves = actions
        .iter()
        .map(|action| MoveReport {
            mv: root.move_at(usize::from(action.index)),
            visits: u64::from(action.visits),
            winrate: winrate(action.value, side),
            lcb: winrate(action.value, side),
            prior: attention(action) / sum,
            score: None,
            resolution: winner(action.resolution),
            pv: variation(shared, action),
        })
        .collect();
    Report {
        to_move: side,
        visits,
        nodes,
        elapsed,
        winrate: backed.map_or(0.5, |b| winrate(b.value, side)),
        score: None,
        score_stdev: None,
        resolution: backed.and_then(|b| winner(b.resolution)),
        moves,
        ownership: None,
        memory: shared.table.bytes(),
    }
}

/// The action and the safe decisions below it.
fn variation<G: Game>(shared: &Shared<'_, G>, action: &Action) -> Vec<G::Move> {
    let mut position = shared.root.clone();
    let mut line = Vec::new();
    let mut next = Some(*action);
    while let Some(action) = next {
        let mv = position.move_at(usize::from(action.index));
        line.push(mv);
        position.play(mv);
        if line.len() == LONGEST_VARIATION {
            break;
        }
        next = shared.table.get(position.key()).and_then(|state| first(shared.variant, &state));
    }
    line
}

fn first(variant: Variant, state: &State) -> Option<Action> {
    let actions = state.actions.lock();
    actions.iter().copied().min_by(|a, b| order(variant, state.side, a, b))
}

/// Whether the action selected most often cannot be caught up with in the time that is left, at the pace until now.
pub(crate) fn decided<G: Game>(shared: &Shared<'_, G>, done: u64, start: Instant, deadline: Instant) -> bool {
    let now = Instant::now();
    let left = done as f64 * (deadline - now).as_secs_f64() / (now - start).as_secs_f64().max(1e-3);
    let Some(state) = shared.table.get(shared.root.key()).filter(|_| shared.variant.safe) else { return false };
    let (mut first, mut second) = (0, 0);
    let allowed =
        |a: &&Action| permitted(shared.restrictions, shared.root, shared.root.to_move(), usize::from(a.index), 0);
    let actions = state.actions.lock();
    let open = |a: &&Action| a.resolution.is_none();
    let any = actions.iter().any(|a| allowed(&a));
    for action in actions.iter().filter(|a| open(a) && (!any || allowed(a))) {
        if action.visits > first {
            (first, second) = (action.visits, first);
        } else if action.visits > second {
            second = action.visits;
        }
    }
    done > 0 && f64::from(first - second) > left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_in_hand_is_better_than_less() {
        let action =
            |index, visits, value, resolution| Action { visits, resolution, ..Action::valued(index, 0, value) };
        for side in Side::BOTH {
            let order = |promise: f32| {
                let mut actions = [
                    action(0, 400, promise * side.sign(), None),
                    action(1, 50, -0.5 * side.sign(), None),
                    action(2, 30, 0.0, Some(0)),
                ];
                prefer_draw(side, &mut actions);
                actions.map(|action| action.index)
            };
            assert_eq!((order(-0.2), order(0.2)), ([2, 0, 1], [0, 1, 2]));
        }
    }
}
