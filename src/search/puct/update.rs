//! The numbers of a node, calculated anew from its own evaluation and its children.

use std::f32::consts::FRAC_1_PI;

use super::node::{Expanded, NodeMeans};
use super::settings::PuctConstants;

/// Gap of utilities over which visits that a prior did not deserve are cut by all but a third.
const GAP: f32 = 0.15;
/// Least variance of a child's mean.
const LEAST_VARIANCE: f32 = 1e-8;
/// Least share that a child's weight keeps.
const LEAST_SHARE: f32 = 1e-4;

/// A child with visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildPart {
    stats: NodeMeans,
    /// Seen by the side that moves.
    utility: f32,
    prior: f32,
    weight: f32,
}

/// Cuts visits of moves that turned out worse than those before them and had more than twice the share of their prior.
fn prune_noise(parts: &mut [ChildPart]) {
    let (mut utility, mut weight, mut priors) = (0.0, 0.0, 0.0);
    for part in parts {
        if weight > 0.0 && priors > 0.0 {
            let gap = utility / weight - part.utility;
            let deserved = 2.0 * weight * part.prior / priors;
            if gap > 0.0 && part.weight > deserved {
                part.weight -= (part.weight - deserved) * (1.0 - (-gap / GAP).exp());
            }
        }
        utility += part.utility * part.weight;
        weight += part.weight;
        priors += part.prior;
    }
}

/// Distribution function of Student's t with three degrees of freedom.
fn student(t: f32) -> f32 {
    let scaled = t / 3.0_f32.sqrt();
    0.5 + FRAC_1_PI * (scaled / (1.0 + scaled * scaled) + scaled.atan())
}

/// A power; the usual exponents are roots, which take a fraction of the time.
fn power(number: f32, exponent: f32) -> f32 {
    match exponent {
        0.25 => number.sqrt().sqrt(),
        0.5 => number.sqrt(),
        _ => number.powf(exponent),
    }
}

/// Lets children count less the worse they are; the sum of the weights stays.
fn favour_values(parts: &mut [ChildPart], exponent: f32) {
    let total: f32 = parts.iter().map(|part| part.weight).sum();
    if exponent == 0.0 || total <= 0.0 {
        return;
    }
    let mean = parts.iter().map(|part| part.utility * part.weight).sum::<f32>() / total;
    for part in &mut *parts {
        let deviation = (LEAST_VARIANCE + 1.0 / (1.5 * part.weight.sqrt())).sqrt();
        part.weight *= power(student((part.utility - mean) / deviation) + LEAST_SHARE, exponent);
    }
    let factor = total / parts.iter().map(|part| part.weight).sum::<f32>().max(f32::MIN_POSITIVE);
    parts.iter_mut().for_each(|part| part.weight *= factor);
}

/// The stats of a node; `parts` is room that it writes to.
pub(super) fn stats(expanded: &mut Expanded, settings: &PuctConstants, parts: &mut Vec<ChildPart>) -> NodeMeans {
    parts.clear();
    let mut visits = 1;
    for edge in &expanded.edges {
        let stats = *edge.child.stats.lock();
        if edge.visits == 0 || stats.visits == 0 || stats.weight <= 0.0 {
            continue;
        }
        visits += edge.visits;
        let (utility, weight) = (stats.utility * expanded.sign, stats.weight_of_edge(edge.visits));
        parts.push(ChildPart { stats, utility, prior: expanded.priors[edge.slot].max(f32::MIN_POSITIVE), weight });
    }
    let total: f32 = parts.iter().map(|part| part.weight).sum();
    if settings.noise_pruning {
        parts.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        prune_noise(parts);
    }
    favour_values(parts, settings.value_exponent);
    let mut sums = NodeMeans { visits, ..NodeMeans::default() };
    for part in &*parts {
        sums.add(&part.stats, part.weight);
        let share = part.weight / part.stats.weight;
        sums.weight_squares += share * share * part.stats.weight_squares;
    }
    let own = expanded.own;
    let correction = match &mut expanded.bias {
        Some(bias) => {
            if sums.weight > 0.0 {
                bias.learn(sums.utility / sums.weight - own.utility, total);
            }
            settings.bias * bias.expected()
        }
        None => 0.0,
    };
    sums.add(&own.stats(correction), own.weight);
    sums.weight_squares += own.weight * own.weight;
    sums.divide();
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(utility: f32, prior: f32, weight: f32) -> ChildPart {
        ChildPart { stats: NodeMeans::default(), utility, prior, weight }
    }

    fn weights(parts: &[ChildPart]) -> Vec<f32> {
        parts.iter().map(|part| part.weight).collect()
    }

    #[test]
    fn the_distribution_is_students() {
        // Tables: P(t < 0.765) = 0.75, P(t < 2.353) = 0.95, P(t < 5.841) = 0.995.
        for (t, share) in [(0.0, 0.5), (0.765, 0.75), (2.353, 0.95), (5.841, 0.995), (-2.353, 0.05)] {
            assert!((student(t) - share).abs() < 1e-3, "{t}");
        }
    }

    #[test]
    fn visits_beyond_the_prior_are_cut_if_they_were_in_vain() {
        let mut parts = [part(0.5, 0.6, 60.0), part(0.2, 0.1, 40.0), part(0.6, 0.1, 30.0)];
        prune_noise(&mut parts);
        // 20 is twice the share of the prior; of the 20 above it 1 - exp(-2) are cut.
        let cut = 20.0 * (1.0 - (-2.0_f32).exp());
        assert!((parts[1].weight - (40.0 - cut)).abs() < 1e-3);
        assert_eq!([parts[0].weight, parts[2].weight], [60.0, 30.0]);
    }

    #[test]
    fn better_children_count_more_and_the_sum_stays() {
        let mut parts = [part(0.5, 0.5, 50.0), part(-0.5, 0.5, 50.0)];
        favour_values(&mut parts, 0.25);
        assert!(parts[0].weight > 60.0);
        assert!((weights(&parts).iter().sum::<f32>() - 100.0).abs() < 1e-3);
        let mut parts = [part(0.5, 0.5, 50.0), part(-0.5, 0.5, 50.0)];
        favour_values(&mut parts, 0.0);
        assert_eq!(weights(&parts), [50.0, 50.0]);
    }
}
