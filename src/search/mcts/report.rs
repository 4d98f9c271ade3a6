//! Reports of the root, at any moment of a search.

use std::cmp::Ordering;

use parking_lot::Mutex;

use super::formulas::{log_of_visits, lower_bound, uct_value};
use super::node::Node;
use super::tally::Tally;
use super::tree::Tree;
use super::tree_search::TreeSearch;
use crate::game::{MonteCarlo, Side};
use crate::search::params::{FinalChoice, Params};
use crate::search::report::LONGEST_VARIATION;
use crate::search::watch::{Lead, Watched};
use crate::search::{MoveReport, Report, keep_permitted};

impl<G: MonteCarlo> Watched for TreeSearch<'_, G> {
    type Report = Report<G::Move>;

    /// No move has a visit yet: send no report.
    fn report(&self) -> Option<Report<G::Move>> {
        Some(make(self)).filter(|report| report.moves.iter().any(|mv| mv.visits > 0))
    }

    /// The lead of the most visited move that is permitted and not lost.
    fn lead(&self) -> Option<Lead> {
        // Where goals have trees of their own another one may lead in the end, and so may a move that is chosen by its value.
        if !self.goal_trees.is_empty() || self.params.final_choice != FinalChoice::Visits {
            return None;
        }
        let leaves: u64 = self.tallies.iter().map(|tally| tally.lock().count).sum();
        // Each playout of a leaf is a visit, where they are not one together.
        let done = leaves * u64::from(if self.params.leaf_mean == 1 { 1 } else { self.params.leaf_playouts });
        let open = permitted_at_root(self, self.tree).into_iter().filter(|child| child.proof() != Some(false));
        Some(Lead::among(done, open.map(Node::visits)))
    }

    fn is_paused(&self) -> bool {
        self.lacks_room()
    }
}

/// Order of preference among the children of a node: those that win, then by the final choice, visits, value and prior, last those
/// that lose.
fn order(params: &Params, parent: &Node, a: &Node, b: &Node) -> Ordering {
    let (x, y) = (a.stats(), b.stats());
    let class = |node: &Node| node.proof().map_or(1, |won| if won { 0 } else { 2 });
    let chosen = || match params.final_choice {
        FinalChoice::Visits => Ordering::Equal,
        FinalChoice::Uct => {
            let log = log_of_visits(parent.visits(), params);
            uct_value(&y, log, params).total_cmp(&uct_value(&x, log, params))
        }
    };
    class(a)
        .cmp(&class(b))
        .then_with(chosen)
        .then(y.visits.cmp(&x.visits).then_with(|| mean(b).total_cmp(&mean(a))))
        .then_with(|| y.prior.total_cmp(&x.prior))
        .then_with(|| a.index().cmp(&b.index()))
}

/// Mean of the visits, or of the game's knowledge where there are none, or the exact result.
fn mean(node: &Node) -> f32 {
    if let Some(won) = node.proof() {
        return f32::from(won);
    }
    let stats = node.stats();
    if stats.visits > 0 {
        stats.value / stats.visits as f32
    } else if stats.knowledge_weight > 0.0 {
        stats.knowledge_mean
    } else {
        0.5
    }
}

/// A mean over so many visits, mixed with that of the position, which counts as so many more.
fn drawn(mean: f32, visits: u32, position: f32, by: f32) -> f32 {
    let visits = visits as f32;
    if visits + by > 0.0 { (visits * mean + by * position) / (visits + by) } else { mean }
}

/// The report of a search as it is now.
pub(crate) fn make<G: MonteCarlo>(search: &TreeSearch<'_, G>) -> Report<G::Move> {
    let tree = search.leading();
    let position = tree.position();
    let to_move = position.to_move();
    let mut total = Tally::default();
    search.tallies.iter().for_each(|tally| total.merge(&tally.lock()));

    let mut children = permitted_at_root(search, tree);
    best_first(search.params, tree.root(), &mut children);

    // Among the moves that are permitted, shares sum to 1 again.
    let sum = children.iter().map(|child| child.stats().prior).sum::<f32>().max(f32::MIN_POSITIVE);
    // A mean over simulations of which some know no score means nothing.
    let scored = total.scored == total.count;
    let root = tree.root();
    let root_mean = mean(root).clamp(0.0, 1.0);
    let own = if G::PLAYERS == 1 { root_mean } else { 1.0 - root_mean };
    let turn = if G::PLAYERS == 1 { 1.0 } else { -1.0 };
    let own_score = root.mean_score().map_or(0.0, |score| turn * score);
    let lead = (total.count > 0 && scored).then(|| total.score / total.count as f64);
    let moves: Vec<MoveReport<G::Move>> = children
        .iter()
        .map(|child| {
            let mean = mean(child).clamp(0.0, 1.0);
            let draw = |value: f32, own: f32| drawn(value, child.visits(), own, search.drawn_by);
            let winrate = if child.proof().is_some() { mean } else { draw(mean, own) };
            let line = variation(search.params, tree, child);
            let owned = total.owners_by_move.get(child.index()).filter(|owners| owners.count > 0);
            MoveReport {
                mv: position.move_at(child.index()),
                visits: u64::from(child.visits()),
                winrate,
                mean,
                lcb: lower_bound(winrate, child.visits()),
                prior: child.stats().prior / sum,
                score: child.mean_score().filter(|_| scored).map(|score| draw(score, own_score)),
                resolution: child.proof().map(|won| if won { to_move } else { to_move.opponent() }),
                pv: line.iter().map(|node| position.move_at(node.index())).collect(),
                pv_visits: line.iter().map(|node| u64::from(node.visits())).collect(),
                ownership: owned.map(|owners| means(&owners.sums, owners.count, to_move)),
                detail: None,
            }
        })
        .collect();

    // Of restricted moves the root's own proof says nothing: it may rest on others.
    let restricted = !search.restrictions.is_empty();
    let won = |side: Side| move |mv: &MoveReport<G::Move>| mv.resolution == Some(side);
    let resolution = match root.proof() {
        _ if restricted && moves.iter().any(won(to_move)) => Some(to_move),
        _ if restricted && !moves.is_empty() && moves.iter().all(won(to_move.opponent())) => Some(to_move.opponent()),
        _ if restricted => None,
        proof => proof.map(|won| if won { to_move.opponent() } else { to_move }),
    };
    let visited = moves.iter().map(|mv| mv.visits as f32).sum::<f32>();
    let winrate = match resolution {
        Some(winner) if restricted && G::PLAYERS > 1 => f32::from(u8::from(winner == to_move)),
        None if restricted && root.proof().is_some() && visited > 0.0 => {
            moves.iter().map(|mv| mv.visits as f32 * mv.winrate).sum::<f32>() / visited
        }
        _ => own,
    };
    let variance = lead.map(|lead| total.score_squares / total.count as f64 - lead * lead);
    Report {
        to_move,
        visits: u64::from(root.visits()),
        nodes: total.count,
        elapsed: search.clock.elapsed(),
        winrate,
        score: lead.map(|lead| lead as f32 * to_move.sign()),
        score_stdev: variance.map(|v| v.max(0.0).sqrt() as f32),
        resolution,
        moves,
        ownership: (search.ownership && total.owned > 0).then(|| means(&total.owners, total.owned, to_move)),
        memory: search.goal_trees.iter().map(Tree::bytes).sum::<usize>() + search.tree.bytes(),
        detail: None,
    }
}

/// Orders the root's children, the best first.
fn best_first(params: &Params, parent: &Node, children: &mut [&Node]) {
    children.sort_by(|a, b| order(params, parent, a, b));
}

/// The root's children that the restrictions permit, or all of them if they permit none.
fn permitted_at_root<'a, G: MonteCarlo>(search: &TreeSearch<'_, G>, tree: &'a Tree<G>) -> Vec<&'a Node> {
    let mut children: Vec<&Node> = tree.children(tree.root()).iter().collect();
    keep_permitted(search.restrictions, tree.position(), &mut children, |child| child.index());
    children
}

/// Means of owners over so many simulations, seen by a side.
fn means(sums: &[f32], count: u64, side: Side) -> Vec<f32> {
    sums.iter().map(|sum| (sum / count as f32 * side.sign()).clamp(-1.0, 1.0)).collect()
}

/// Says in the log where playouts moved, and how many of their moves were learned.
pub(crate) fn log_profile(tallies: &[Mutex<Tally>]) {
    let (mut moves, mut local, mut learned) = (0, 0, 0);
    for tally in tallies {
        let profile = tally.lock().profile;
        (moves, local, learned) = (moves + profile.moves, local + profile.local, learned + profile.learned);
    }
    if moves > 0 {
        let share = |count: u64| (1000.0 * count as f64 / moves as f64).round() / 10.0;
        tracing::debug!(moves, local_percent = share(local), learned_percent = share(learned), "playouts");
    }
}

/// The move and the most visited replies below it.
fn variation<'a, G: MonteCarlo>(params: &Params, tree: &'a Tree<G>, child: &'a Node) -> Vec<&'a Node> {
    let mut line = vec![child];
    let mut node = child;
    while line.len() < LONGEST_VARIATION {
        let Some(best) = tree.children(node).iter().min_by(|a, b| order(params, node, a, b)) else { break };
        if best.visits() == 0 {
            break;
        }
        line.push(best);
        node = best;
    }
    line
}
