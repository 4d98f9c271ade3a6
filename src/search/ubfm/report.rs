//! Reports of the root, and the safe decision.

use std::cmp::Ordering;
use std::time::Duration;

use super::iteration::TableSearch;
use super::table::{Action, State, compare};
use super::variant::Variant;
use crate::game::{Game, Side};
use crate::search::report::{self, LONGEST_VARIATION};
use crate::search::watch::Lead;
use crate::search::{MoveReport, Report, keep_permitted};

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

/// Orders actions, the best first.
fn rank(variant: Variant, side: Side, actions: &mut [Action]) {
    actions.sort_by(|a, b| order(variant, side, a, b).then_with(|| a.index.cmp(&b.index)));
    if variant.safe {
        prefer_draw(side, actions);
    }
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
    report::winrate(value * side.sign())
}

fn winner(resolution: Option<i8>) -> Option<Side> {
    match resolution {
        Some(1) => Some(Side::First),
        Some(-1) => Some(Side::Second),
        _ => None,
    }
}

/// The report of a search that has run `nodes` iterations.
pub(crate) fn make<G: Game>(search: &TableSearch<'_, G>, nodes: u64, elapsed: Duration) -> Report<G::Move> {
    let root = search.root;
    let side = root.to_move();
    let state = search.table.get(root.key());
    let mut actions: Vec<Action> = state.as_ref().map(|s| s.actions.lock().to_vec()).unwrap_or_default();
    let visits = 1 + actions.iter().map(|a| u64::from(a.visits)).sum::<u64>();
    keep_permitted(search.restrictions, root, &mut actions, |action| action.index as usize);
    let backed = (!actions.is_empty()).then(|| search.variant.back(side, &actions));
    rank(search.variant, side, &mut actions);
    // The prior that the values would give by themselves.
    let prior = |a: &Action| (4.0 * winrate(a.value, side)).exp();
    let sum: f32 = actions.iter().map(prior).sum();
    let moves = actions
        .iter()
        .map(|action| {
            let (pv, pv_visits) = variation(search, action);
            let (mv, resolution) = (root.move_at(action.index as usize), winner(action.resolution));
            let plain = MoveReport::plain(mv, u64::from(action.visits), winrate(action.value, side));
            MoveReport { prior: prior(action) / sum, resolution, pv, pv_visits, ..plain }
        })
        .collect();
    let plain = Report::plain(side, nodes, elapsed, backed.map_or(0.5, |b| winrate(b.value, side)), moves);
    Report { visits, resolution: backed.and_then(|b| winner(b.resolution)), memory: search.table.bytes(), ..plain }
}

/// The action and the safe decisions below it, each with its visits.
fn variation<G: Game>(search: &TableSearch<'_, G>, action: &Action) -> (Vec<G::Move>, Vec<u64>) {
    let mut position = search.root.clone();
    let mut line = Vec::new();
    let mut next = Some(*action);
    while let Some(action) = next {
        let mv = position.move_at(action.index as usize);
        line.push((mv, u64::from(action.visits)));
        position.play(mv);
        if line.len() == LONGEST_VARIATION {
            break;
        }
        next = search.table.get(position.key()).and_then(|state| first(search.variant, &state));
    }
    line.into_iter().unzip()
}

fn first(variant: Variant, state: &State) -> Option<Action> {
    let actions = state.actions.lock();
    actions.iter().copied().min_by(|a, b| order(variant, state.side, a, b))
}

/// The lead of the action selected most often, among those that are permitted and open.
pub(crate) fn lead<G: Game>(search: &TableSearch<'_, G>, done: u64) -> Option<Lead> {
    let state = search.table.get(search.root.key()).filter(|_| search.variant.safe)?;
    let mut actions = state.actions.lock().to_vec();
    keep_permitted(search.restrictions, search.root, &mut actions, |action| action.index as usize);
    let open = actions.iter().filter(|a| a.resolution.is_none());
    Some(Lead::among(done, open.map(|a| a.visits)))
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
