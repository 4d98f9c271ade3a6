//! Formulas of selection, apart from trees and threads.

use super::node::{PuctStats, Stats};
use crate::rng::Rng;
use crate::search::Params;

/// Value of a child for selection, by the side that chooses. In 0..=1 but for the exploration term.
///
/// The mean of the visits and of the equivalent visits of knowledge, with UCT's exploration, and the all-moves-as-first mean,
/// which counts `beta`. With k = `rave_equivalence` that is `r / (r + n + n r / k)` (Silver's minimum-MSE schedule), with
/// the exploration a part of the mean, or `sqrt(k / (3 n + k))` (Gelly and Silver's hand-selected one), with the exploration
/// added to both as in their UCT-RAVE: within what `beta` leaves it would be next to nothing while k is large. That other form is the
/// one printed by Cazenave and Saffidine (2009). Unfinished visits count as lost.
#[inline]
pub(crate) fn child_value(stats: &Stats, log_parent: f32, params: &Params) -> f32 {
    let visits = (stats.visits + stats.in_flight) as f32;
    if params.every_child == 1 && visits == 0.0 {
        return f32::INFINITY;
    }
    let weight = visits + stats.knowledge_weight;
    // Without visits or prior a child is worth a look before any other.
    let mean = if weight > 0.0 { (stats.value + stats.knowledge_weight * stats.knowledge_mean) / weight } else { 1.0 };
    let explored = exploration(stats, log_parent, params);
    let mut value = mean + explored;
    if stats.rave_visits > 0.0 && params.rave_equivalence > 0.0 {
        let (rave, k) = (stats.rave_visits, params.rave_equivalence);
        let as_first = stats.rave_value / rave;
        let beta = match params.rave_schedule {
            0 => rave / (rave + weight + weight * rave / k),
            _ => (k / (3.0 * weight + k)).sqrt(),
        };
        value = match params.rave_schedule {
            1 => beta * as_first + (1.0 - beta) * mean + explored,
            _ => beta * as_first + (1.0 - beta) * value,
        };
    }
    // Progressive bias (Chaslot and others, 2008).
    value + params.bias_constant * stats.knowledge_mean / (visits + 1.0)
}

/// UCT's exploration term.
#[inline]
pub(crate) fn exploration(stats: &Stats, log_parent: f32, params: &Params) -> f32 {
    if params.uct_constant == 0.0 {
        return 0.0;
    }
    let visits = (stats.visits + stats.in_flight) as f32;
    params.uct_constant * (log_parent / if params.every_child == 1 { visits.max(1.0) } else { visits + 1.0 }).sqrt()
}

/// Logarithm of the visits of a parent, as [`exploration`] takes it.
#[inline]
pub(crate) fn log_of_visits(visits: u32, params: &Params) -> f32 {
    (if params.every_child == 1 { visits.max(1) } else { visits + 1 } as f32).ln()
}

/// Value of a child by UCT alone, without knowledge and all-moves-as-first; below all others without visits.
pub(crate) fn uct_value(stats: &Stats, log_parent: f32, params: &Params) -> f32 {
    match stats.visits {
        0 => f32::NEG_INFINITY,
        visits => stats.value / visits as f32 + exploration(stats, log_parent, params),
    }
}

/// Exploration in proportion to a learned prior, of the game or of a model, where playouts and all-moves-as-first value moves: as in
/// PUCT.
#[inline]
pub(crate) fn prior_value(stats: &Stats, root_of_visits: f32, params: &Params) -> f32 {
    params.advice_constant * stats.prior * root_of_visits / (1 + stats.visits + stats.in_flight) as f32
}

/// Value of a child by PUCT: its mean, and exploration in proportion to the prior. Unfinished visits
/// count as lost. `unvisited` is what a child without visits counts as, `root_of_visits` the square root of the parent's visits.
#[inline]
pub(crate) fn puct_value(child: &PuctStats, unvisited: f32, root_of_visits: f32, params: &Params) -> f32 {
    let visits = child.all as f32;
    let mean = if child.all > 0 { child.value / visits } else { unvisited };
    mean + params.puct_constant * child.prior * root_of_visits / (1.0 + visits)
}

/// First-play urgency, the value of a child without visits: the parent's mean for the side to move, less the larger the sum of the
/// priors of the visited children.
#[inline]
pub(crate) fn unvisited_value(mean: f32, seen: f32, reduction: f32) -> f32 {
    (mean - reduction * seen.sqrt()).max(0.0)
}

/// Changes by which a search looks at more moves of the root, as KataGo has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Widening {
    /// Power of priors: below 1 they are flatter.
    power: f32,
    /// Power by the temperature alone.
    cooled: f32,
    /// Factor of priors, by which they sum to 1 at that temperature before the noise makes them flatter still.
    factor: f32,
    noise: f32,
}

impl Widening {
    /// Changes so many plies below the root: none but at the root.
    #[inline]
    pub(crate) fn at(params: &Params, depth: usize) -> Self {
        if depth > 0 {
            return Self { power: 1.0, cooled: 1.0, factor: 1.0, noise: 0.0 };
        }
        let (cooled, noise) = (1.0 / params.root_temperature, params.wide_root_noise);
        Self { power: cooled / (4.0 * noise + 1.0), cooled, factor: 1.0, noise }
    }

    /// Whether a temperature is among them.
    #[inline]
    pub(crate) fn has_temperature(self) -> bool {
        self.cooled != 1.0
    }

    /// Changes for a node with those priors, by which they sum to 1 at any temperature.
    #[inline]
    pub(crate) fn over(self, priors: impl Iterator<Item = f32>) -> Self {
        if !self.has_temperature() {
            return self;
        }
        let sum: f32 = priors.map(|prior| prior.powf(self.cooled)).sum();
        let factor = if sum > 0.0 { sum.powf(-self.power / self.cooled) } else { 1.0 };
        Self { factor, ..self }
    }

    /// Prior of a child.
    #[inline]
    pub(crate) fn prior(self, prior: f32) -> f32 {
        self.factor * if self.power == 1.0 { prior } else { prior.powf(self.power) }
    }

    /// Addition to a child's value: half of the time the size of a normal number, in units of half of the noise, since values are
    /// in 0..=1.
    #[inline]
    pub(crate) fn bonus(self, rng: &mut Rng) -> f32 {
        if self.noise == 0.0 || rng.below(2) == 0 {
            return 0.0;
        }
        // Box and Muller's way.
        let (radius, angle) = ((-2.0 * (1.0 - rng.unit()).ln()).sqrt(), std::f32::consts::TAU * rng.unit());
        0.5 * self.noise * (radius * angle.cos()).abs()
    }
}

/// 95 % lower confidence bound of a mean of `visits` results in 0..=1.
pub(crate) fn lower_bound(mean: f32, visits: u32) -> f32 {
    let n = visits as f32 + 1.0;
    (mean - 1.96 * (mean * (1.0 - mean) / n).max(0.25 / (n * n)).sqrt()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Stats = Stats {
        visits: 0,
        in_flight: 0,
        value: 0.0,
        rave_visits: 0.0,
        rave_value: 0.0,
        knowledge_weight: 10.0,
        knowledge_mean: 0.5,
        prior: 0.5,
    };

    fn value(stats: Stats) -> f32 {
        child_value(&stats, 5.0, &Params::default())
    }

    #[test]
    fn knowledge_counts_until_visits_outweigh_it() {
        assert_eq!(value(BASE), 0.5);
        assert!((value(Stats { visits: 990, value: 990.0, ..BASE }) - 0.995).abs() < 1e-6);
    }

    #[test]
    fn rave_counts_early_and_fades() {
        let early = value(Stats { rave_visits: 1000.0, rave_value: 900.0, ..BASE });
        assert!(early > 0.85, "{early}");
        let late = value(Stats {
            visits: 1_000_000,
            value: 100_000.0,
            rave_visits: 1_000_000.0,
            rave_value: 900_000.0,
            ..BASE
        });
        assert!(late < 0.11, "{late}");
        let seen = Stats { rave_visits: 9.0, rave_value: 9.0, ..BASE };
        let params = Params { rave_equivalence: 0.0, ..Params::default() };
        assert_eq!(child_value(&seen, 5.0, &params), 0.5);
        let params = Params { bias_constant: 2.0, rave_equivalence: 0.0, ..Params::default() };
        assert_eq!(child_value(&seen, 5.0, &params), 0.5 + 2.0 * 0.5);
        // sqrt(10 / (3 * 10 + 10)) = 1/2 of each.
        let params = Params { rave_equivalence: 10.0, rave_schedule: 1, ..Params::default() };
        assert_eq!(child_value(&seen, 5.0, &params), 0.75);
        // Exploration of sqrt(4 / 1): added whole by the second schedule, and by the first what RAVE leaves.
        let params = Params { uct_constant: 0.5, ..params };
        assert_eq!(child_value(&seen, 4.0, &params), 1.75);
        // As printed, it is a quarter of that less: what RAVE leaves.
        let params = Params { rave_schedule: 2, ..params };
        assert_eq!(child_value(&seen, 4.0, &params), 0.75 + 0.5);
        let params = Params { rave_schedule: 0, ..params };
        let beta = 9.0 / (9.0 + 10.0 + 9.0);
        assert!((child_value(&seen, 4.0, &params) - (beta + (1.0 - beta) * 1.5)).abs() < 1e-6);
    }

    #[test]
    fn unfinished_visits_count_as_lost() {
        let rested = Stats { visits: 10, value: 10.0, ..BASE };
        assert!(value(Stats { in_flight: 5, ..rested }) < value(rested));
    }

    #[test]
    fn policy_leads_until_visits_tell() {
        let params = Params::default();
        let of = |prior, all, value| puct_value(&PuctStats { visits: all, all, value, prior }, 0.5, 10.0, &params);
        assert!(of(0.6, 0, 0.0) > of(0.4, 0, 0.0));
        assert!(of(0.6, 80, 40.0) < of(0.4, 20, 12.0));
        // Visits that are under way count as lost.
        assert!(of(0.5, 14, 8.0) < of(0.5, 10, 8.0));
        // Of what was not visited, less is expected the more was.
        assert!(unvisited_value(0.5, 0.9, params.fpu_reduction) < unvisited_value(0.5, 0.1, params.fpu_reduction));
        assert_eq!(unvisited_value(0.0, 1.0, params.fpu_reduction), 0.0);
    }

    #[test]
    fn noise_makes_priors_flat_and_lifts_half_of_the_values() {
        let mut rng = Rng::new(3);
        let at = |wide_root_noise, root_temperature, depth| {
            Widening::at(&Params { wide_root_noise, root_temperature, ..Params::default() }, depth)
        };
        for none in [at(0.0, 1.0, 0), at(0.2, 2.0, 1)] {
            assert_eq!((none.prior(0.3), none.bonus(&mut rng)), (0.3, 0.0));
        }
        assert!((at(0.25, 1.0, 0).prior(0.25) - 0.5).abs() < 1e-6 && (at(0.0, 2.0, 0).prior(0.25) - 0.5).abs() < 1e-6);
        let priors = [0.6, 0.3, 0.08, 0.02];
        for (temperature, noise) in [(0.5, 0.0), (2.0, 0.0), (2.0, 0.25)] {
            let wide = at(noise, temperature, 0).over(priors.into_iter());
            // Before the noise takes a root of them.
            let sum: f32 = priors.iter().map(|&prior| wide.prior(prior).powf(4.0 * noise + 1.0)).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{temperature} {noise}: {sum}");
        }
        let bonuses: Vec<f32> = (0..10_000).map(|_| at(0.2, 1.0, 0).bonus(&mut rng)).collect();
        let none = bonuses.iter().filter(|bonus| **bonus == 0.0).count();
        let mean = bonuses.iter().sum::<f32>() / bonuses.len() as f32;
        // The mean size of a normal number is 0.798, and half of these are none; five standard deviations.
        assert!(none.abs_diff(5000) < 250 && (mean - 0.0399).abs() < 0.003, "{none} {mean}");
    }

    #[test]
    fn lower_bounds_rise_with_visits() {
        assert!(lower_bound(0.5, 10) < lower_bound(0.5, 1000));
        assert!(lower_bound(1.0, 10) < 1.0);
        assert_eq!(lower_bound(0.0, 3), 0.0);
    }
}
