//! The move that is played: the most visited one, without the visits that turned out vain, unless another is surely better.

use super::node::{Edge, Expanded, NodeMeans};
use super::select::{Preference, seen, totals};
use super::settings::PuctConstants;

/// Share of the most visited move's weight from which on another one may be chosen by its bound.
const ENOUGH: f32 = 0.15;
/// Weights count with their prior so much where there are few visits.
const PRIOR: f32 = 2.0;
/// Part of the excess that widens a radius: no weight grows by more than the square of its inverse.
const TAME: f32 = 0.2;

/// A move of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ranked {
    /// Place among the moves.
    pub(super) slot: usize,
    /// Weight by which the move is chosen.
    pub(super) weight: f32,
    /// Lower bound of the utility, for the side to move, if it has visits.
    pub(super) bound: f32,
}

/// Utility of an edge for the side that moves, less so many of its standard errors, and those.
fn lower_bound(edge: &Edge, sign: f32, radius: f32, deviations: f32) -> (f32, f32) {
    let stats = *edge.child.stats.lock();
    let share = (edge.visits as f32 / stats.visits.max(1) as f32).min(1.0);
    let (weight, squares) = (stats.weight * share, stats.weight_squares * share);
    if stats.visits == 0 || weight <= 0.0 {
        return (f32::MIN, f32::MAX);
    }
    let effective = weight * weight / squares;
    // Where there are few visits the largest spread that there is counts too.
    let prior = weight / effective.powi(3);
    let square = stats.utility * stats.utility;
    let seen = stats.utility_square.max(square);
    let mixed = (seen * weight + (square + radius * radius) * prior) / (weight + prior);
    let effective = (weight + prior).powi(2) / (squares + prior * prior);
    let error = deviations * ((mixed - square).max(0.0) / effective).sqrt();
    (stats.utility * sign - error, error)
}

/// All moves that were tried, in the order of the edges.
pub(super) fn rank(expanded: &Expanded, stats: &NodeMeans, radius: f32, settings: &PuctConstants) -> Vec<Ranked> {
    let view = Preference::new(expanded, stats, totals(expanded), true, radius, settings);
    let edges = &expanded.edges;
    let all: Vec<_> = edges.iter().map(|edge| seen(expanded, edge)).collect();
    let steady = |number: usize| {
        let visits = edges[number].visits as f32;
        all[number].weight * (visits - 1.0).max(0.0) / visits.max(1.0) + PRIOR * all[number].prior
    };
    let Some(first) = (0..edges.len()).reduce(|a, b| if steady(b) > steady(a) { b } else { a }) else {
        return Vec::new();
    };
    let wanted = view.value(all[first], 0);
    let mut ranked: Vec<Ranked> = Vec::new();
    let mut errors = Vec::new();
    for (number, edge) in edges.iter().enumerate() {
        let it = all[number];
        let weight = if number == first { it.weight } else { it.weight.min(view.weight_for(wanted, it)).ceil() };
        let (bound, error) = lower_bound(edge, expanded.sign, radius, settings.bound.max(1e-3));
        ranked.push(Ranked { slot: edge.slot, weight: if it.weight > 0.0 { weight } else { 0.0 }, bound });
        errors.push(error);
    }
    if settings.bound > 0.0 {
        prefer_bound(&mut ranked, &errors, all[first].weight);
    }
    ranked
}

/// Gives the move of the best bound weight enough to be chosen before all whose bounds are lower.
fn prefer_bound(ranked: &mut [Ranked], errors: &[f32], most: f32) {
    let able = |it: &Ranked| it.weight > 0.0 && it.weight >= ENOUGH * most;
    let candidates = (0..ranked.len()).filter(|&number| able(&ranked[number]));
    let Some(best) = candidates.reduce(|a, b| if ranked[b].bound > ranked[a].bound { b } else { a }) else { return };
    let needed = ranked.iter().zip(errors).enumerate().filter(|&(number, _)| number != best).map(|(_, (it, error))| {
        let excess = ranked[best].bound - it.bound;
        if excess < 0.0 {
            return 0.0;
        }
        let factor = (error + excess) / (error + TAME * excess);
        factor * factor * it.weight
    });
    let weight = needed.fold(ranked[best].weight, f32::max);
    // Equal weights would leave the choice to chance.
    ranked[best].weight = weight * (1.0 + 1e-4);
}
