//! The move that a simulation follows, by PUCT as KataGo has it.

use super::node::{Edge, Expanded, NodeMeans};
use super::settings::PuctConstants;
use crate::rng::Rng;

/// Weight of children at which exploration has grown by its logarithm's first part.
const LOG_BASE: f32 = 500.0;
/// Weight that children have at least, so that priors decide before any visit.
const LEAST: f32 = 0.01;
/// Standard deviation of utilities that is expected, and the weight of that expectation.
const USUAL_DEVIATION: (f32, f32) = (0.4, 2.0);

/// A child to go on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// That of the edge with this number.
    Edge(usize),
    /// A new one, of the move in that place.
    Fresh(usize),
}

impl Expanded {
    /// Index of the move of a child.
    pub(super) fn index_of(&self, pick: Pick) -> usize {
        let slot = match pick {
            Pick::Edge(number) => self.edges[number].slot,
            Pick::Fresh(slot) => slot,
        };
        self.moves[slot] as usize
    }
}

/// An edge and the numbers of its child, seen by the side that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) prior: f32,
    pub(super) weight: f32,
    pub(super) utility: f32,
}

/// The children of a node as the formula sees them.
pub(super) struct Preference {
    /// Factor of exploration.
    scale: f32,
    /// Utility of a move that was never tried.
    untried: f32,
    radius: f32,
}

/// Spread of the utilities below a node, in units of the usual one, as a factor.
fn volatility(stats: &NodeMeans, scale: f32) -> f32 {
    let (usual, weight) = USUAL_DEVIATION;
    let deviation = if stats.weight <= 1.0 {
        usual
    } else {
        let square = stats.utility * stats.utility;
        let seen = stats.utility_square.max(square);
        let mixed = ((square + usual * usual) * weight + seen * stats.weight) / (weight + stats.weight - 1.0);
        (mixed - square).max(0.0).sqrt()
    };
    1.0 + scale * (deviation / usual - 1.0)
}

/// An edge as it is now.
pub(super) fn seen(expanded: &Expanded, edge: &Edge) -> Seen {
    let stats = *edge.child.stats.lock();
    let weight = if stats.visits > 0 { stats.weight_of_edge(edge.visits) } else { 0.0 };
    Seen { prior: expanded.priors[edge.slot], weight, utility: stats.utility * expanded.sign }
}

impl Preference {
    /// The view of a node with these stats; `total` is the weight of its children, `visited` the sum of the priors of those that
    /// were tried.
    pub(super) fn new(
        expanded: &Expanded,
        stats: &NodeMeans,
        (total, visited): (f32, f32),
        is_root: bool,
        radius: f32,
        settings: &PuctConstants,
    ) -> Self {
        let growth = settings.exploration + settings.exploration_log * ((total + LOG_BASE) / LOG_BASE).ln();
        let share = if settings.unvisited_mean { 1.0 } else { (visited * visited).min(1.0) };
        let parent = share * stats.utility + (1.0 - share) * expanded.own.utility;
        let reduction = if is_root { settings.root_reduction } else { settings.reduction };
        Self {
            scale: growth * (total + LEAST).sqrt() * volatility(stats, settings.volatility),
            untried: parent * expanded.sign - reduction * visited.sqrt(),
            radius,
        }
    }

    /// Utility and exploration together, of a child that was tried.
    pub(super) fn value(&self, it: Seen, in_flight: u32) -> f32 {
        let (mut weight, mut utility) = (it.weight, if it.weight > 0.0 { it.utility } else { self.untried });
        if in_flight > 0 {
            let lost = in_flight as f32;
            utility += (-self.radius - utility) * lost / (lost + weight.max(0.25));
            weight += lost;
        }
        utility + self.scale * it.prior / (1.0 + weight)
    }

    /// Utility and exploration of one that was not.
    fn untried(&self, prior: f32) -> f32 {
        self.untried + self.scale * prior
    }

    /// Weight at which a child of that utility would have had that value, 0 at least.
    pub(super) fn weight_for(&self, value: f32, it: Seen) -> f32 {
        let exploration = value - it.utility;
        if exploration <= 0.0 { f32::MAX } else { (self.scale * it.prior / exploration - 1.0).max(0.0) }
    }
}

/// Sum of the weights of a node's children, and of the priors of those that were tried.
pub(super) fn totals(expanded: &Expanded) -> (f32, f32) {
    expanded.edges.iter().fold((0.0, 0.0), |(total, visited), edge| {
        let it = seen(expanded, edge);
        (total + it.weight, visited + it.prior)
    })
}

/// The best child by the formula among the moves that are allowed; `None` if none is.
pub(super) fn select(
    expanded: &Expanded,
    stats: &NodeMeans,
    is_root: bool,
    radius: f32,
    settings: &PuctConstants,
    allowed: impl Fn(usize) -> bool,
    rng: &mut Rng,
) -> Option<Pick> {
    let view = Preference::new(expanded, stats, totals(expanded), is_root, radius, settings);
    let open = |edge: &Edge| allowed(expanded.moves[edge.slot] as usize);
    let wide = settings.widening.filter(|_| is_root).map(|wide| wide.over(expanded.priors.iter().copied()));
    let prior = |prior: f32| wide.map_or(prior, |wide| wide.prior(prior));
    let mut best: Option<(f32, Pick)> = None;
    let mut consider = |value: f32, pick| {
        // Utilities are in twice the range of the values that the noise is made for.
        let value = value + wide.map_or(0.0, |wide| 2.0 * wide.bonus(rng));
        if best.is_none_or(|best| value > best.0) {
            best = Some((value, pick));
        }
    };
    for (number, edge) in expanded.edges.iter().enumerate().filter(|(_, edge)| open(edge)) {
        let it = seen(expanded, edge);
        let it = Seen { prior: prior(it.prior), ..it };
        consider(view.value(it, edge.in_flight), Pick::Edge(number));
    }
    if let Some(slot) = expanded.fresh(&allowed) {
        consider(view.untried(prior(expanded.priors[slot])), Pick::Fresh(slot));
    }
    best.map(|best| best.1)
}
