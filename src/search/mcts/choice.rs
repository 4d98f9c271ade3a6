//! The child that a simulation follows. Formulas are in `formulas`.

use super::formulas::{Widening, child_value, exploration, log_of_visits, prior_value, puct_value, unvisited_value};
use super::node::Node;
use super::simulation::Simulation;
use super::strategies::Pursuit;
use crate::game::MonteCarlo;
use crate::rng::Rng;
use crate::search::{Params, Restriction, permitted};

/// An order of preference among the children of a node.
pub(crate) trait Formula {
    /// Whether children stand in the order of their priors, so that of those without visits only the first can be chosen, and others
    /// need no node.
    const BY_PRIOR: bool;

    /// The best child; `None` if there is none.
    fn best<'a>(&self, children: impl Iterator<Item = &'a Node>, rng: &mut Rng) -> Option<&'a Node>;
}

/// The best child that the restrictions permit, or the best of all if they permit none; `None` if there is none.
#[inline]
pub(crate) fn select<'a, G: MonteCarlo, F: Formula>(
    simulation: &Simulation<'a, G>,
    restrictions: &[Restriction<G::Move>],
    formula: &F,
    rng: &mut Rng,
) -> Option<&'a Node> {
    let (tree, node, position, depth) = (simulation.tree, simulation.node(), &simulation.position, simulation.depth());
    let side = position.to_move();
    let restricted = restrictions.iter().any(|r| r.side == side && depth < r.depth);
    // Without an order, or with some of them forbidden, any move may be the next one.
    if restricted || !F::BY_PRIOR {
        tree.complete(node);
    }
    let children = tree.children(node);
    if restricted {
        let permitted: Vec<&Node> =
            children.iter().filter(|child| permitted(restrictions, position, side, child.index(), depth)).collect();
        if !permitted.is_empty() {
            node.mark_restricted();
            let open = permitted.iter().copied().filter(|child| !child.is_closed());
            return formula.best(open, rng).or_else(|| formula.best(permitted.into_iter(), rng));
        }
    }
    if !G::SOLVES {
        let chosen = formula.best(children.iter().chain(children.link), rng);
        if chosen.is_none_or(|chosen| children.link.is_none_or(|link| !std::ptr::eq(link, chosen))) {
            return chosen;
        }
        tree.complete(node);
        let rest = tree.children(node).first_of_rest();
        return rest.or_else(|| formula.best(children.iter(), rng));
    }
    if let Some(won) = children.iter().find(|child| child.proof() == Some(true)) {
        return Some(won);
    }
    let open = children.iter().filter(|child| !child.is_closed());
    formula.best(open, rng).or_else(|| formula.best(children.iter(), rng))
}

/// Changes of the priors where a simulation has come to.
#[inline]
fn widening<G: MonteCarlo>(simulation: &Simulation<'_, G>, params: &Params) -> Widening {
    let wide = Widening::at(params, simulation.depth());
    if !wide.has_temperature() {
        return wide;
    }
    // Without one of them the others would not sum to 1.
    simulation.tree.complete(simulation.node());
    wide.over(simulation.tree.children(simulation.node()).iter().map(|child| child.puct_stats().prior))
}

/// Means of visits, knowledge and all-moves-as-first, with UCT's exploration and that by learned priors.
pub(crate) struct ByMeans<'p> {
    params: &'p Params,
    log_parent: f32,
    root_of_visits: f32,
    wide: Widening,
}

impl<'p> ByMeans<'p> {
    /// The formula for the children of the node that a simulation has come to.
    #[inline]
    pub(crate) fn of<G: MonteCarlo>(simulation: &Simulation<'_, G>, params: &'p Params) -> Self {
        let node = simulation.node();
        let root_of_visits = if node.has_learned_priors() { ((node.visits() + 1) as f32).sqrt() } else { 0.0 };
        let log_parent = log_of_visits(node.visits(), params);
        Self { params, log_parent, root_of_visits, wide: widening(simulation, params) }
    }

    #[inline]
    fn value(&self, child: &Node) -> f32 {
        let mut stats = child.stats();
        stats.prior = self.wide.prior(stats.prior);
        child_value(&stats, self.log_parent, self.params) + prior_value(&stats, self.root_of_visits, self.params)
    }
}

impl Formula for ByMeans<'_> {
    const BY_PRIOR: bool = false;

    #[inline]
    fn best<'a>(&self, children: impl Iterator<Item = &'a Node>, rng: &mut Rng) -> Option<&'a Node> {
        best(children, |child, rng| self.value(child) + self.wide.bonus(rng), rng)
    }
}

/// [`ByMeans`], mixed with the values of an intermediate goal.
pub(crate) struct ByGoal<'p, 's> {
    pub(crate) means: ByMeans<'p>,
    pub(crate) pursuit: &'p Pursuit<'s>,
}

impl Formula for ByGoal<'_, '_> {
    const BY_PRIOR: bool = false;

    fn best<'a>(&self, children: impl Iterator<Item = &'a Node>, rng: &mut Rng) -> Option<&'a Node> {
        let Self { means, pursuit } = self;
        let value = |child: &Node, _: &mut Rng| {
            let more = exploration(&child.stats(), means.log_parent, means.params);
            pursuit.blend(child.index(), means.value(child) - more, child.visits() > 0) + more
        };
        best(children, value, rng)
    }
}

/// Means, with exploration in proportion to priors (PUCT).
pub(crate) struct ByPrior<'p> {
    params: &'p Params,
    root_of_visits: f32,
    /// Value of the node itself for the side that chooses.
    mean: f32,
    /// Whether no child was ever left out, so that after the first one without visits none has any.
    whole: bool,
    wide: Widening,
    /// First-play urgency's reduction here.
    reduction: f32,
}

impl<'p> ByPrior<'p> {
    /// The formula for the children of the node that a simulation has come to.
    #[inline]
    pub(crate) fn of<G: MonteCarlo>(simulation: &Simulation<'_, G>, params: &'p Params) -> Self {
        let (node, depth) = (simulation.node(), simulation.depth());
        let own = node.puct_stats();
        let mean = if own.visits > 0 { own.value / own.visits as f32 } else { 0.5 };
        let mean = if G::PLAYERS == 1 { mean } else { 1.0 - mean };
        let even = params.unvisited_even == 1;
        let mean = if even { 0.5 } else { mean };
        // In the published form the visits of the children alone, without the evaluation of the node itself.
        let visits = if even { own.visits.saturating_sub(u32::from(depth > 0)) } else { own.all.max(1) };
        let (root_of_visits, whole) = ((visits as f32).sqrt(), !node.was_restricted());
        let own = depth == 0 && params.root_fpu_reduction >= 0.0;
        let reduction = if even {
            0.0
        } else if own {
            params.root_fpu_reduction
        } else {
            params.fpu_reduction
        };
        Self { params, root_of_visits, mean, whole, wide: widening(simulation, params), reduction }
    }
}

impl Formula for ByPrior<'_> {
    const BY_PRIOR: bool = true;

    #[inline]
    fn best<'a>(&self, children: impl Iterator<Item = &'a Node>, rng: &mut Rng) -> Option<&'a Node> {
        let (mut seen, mut visited, mut fresh) = (0.0, None::<(f32, &Node)>, None);
        for child in children {
            let mut it = child.puct_stats();
            it.prior = self.wide.prior(it.prior);
            if it.visits > 0 {
                seen += it.prior;
            }
            if it.all > 0 {
                let value = puct_value(&it, 0.0, self.root_of_visits, self.params) + self.wide.bonus(rng);
                if visited.is_none_or(|best| value > best.0) {
                    visited = Some((value, child));
                }
            } else if fresh.is_none() {
                fresh = Some((it, child));
                if self.whole {
                    break;
                }
            }
        }
        let unvisited = unvisited_value(self.mean, seen, self.reduction);
        let fresh = fresh.map(|(it, child)| (puct_value(&it, unvisited, self.root_of_visits, self.params), child));
        let better = |a: (f32, &'a Node), b: (f32, &'a Node)| if b.0 > a.0 { b } else { a };
        visited.into_iter().chain(fresh).reduce(better).map(|(_, child)| child)
    }
}

/// The child of highest value; equal ones by chance.
#[inline]
fn best<'a>(
    children: impl Iterator<Item = &'a Node>,
    value: impl Fn(&Node, &mut Rng) -> f32,
    rng: &mut Rng,
) -> Option<&'a Node> {
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    let mut equal = 0;
    for child in children {
        let value = value(child, rng);
        if value < best_value {
            continue;
        }
        equal = if value > best_value { 1 } else { equal + 1 };
        if equal == 1 || rng.below(equal) == 0 {
            best_value = value;
            best = Some(child);
        }
    }
    best
}
