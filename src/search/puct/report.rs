//! Reports of the root, at any moment of a search.

use std::sync::Arc;

use super::choice::{Ranked, rank};
use super::node::{Body, Expanded, Node, NodeMeans};
use super::walk::PuctSearch;
use crate::game::MonteCarlo;
use crate::search::mcts::Tally;
use crate::search::report::{self, Detail, LONGEST_VARIATION};
use crate::search::watch::{Lead, Timer, Watched};
use crate::search::{MoveReport, Report, keep_permitted};

/// A run with its clock, as the watch asks about it.
pub(super) struct Run<'a, G: MonteCarlo> {
    pub(super) search: &'a PuctSearch<'a, G>,
    pub(super) clock: Timer,
}

impl<G: MonteCarlo> Watched for Run<'_, G> {
    type Report = Report<G::Move>;

    /// No move has a visit yet: send no report.
    fn report(&self) -> Option<Report<G::Move>> {
        Some(make(self)).filter(|report| report.moves.iter().any(|mv| mv.visits > 0))
    }

    /// The lead in weight, which visits stand for; none while another move may be chosen by its bound.
    fn lead(&self) -> Option<Lead> {
        let done = self.search.tallies.iter().map(|tally| tally.lock().count).sum();
        let Body::Expanded(root) = &*self.search.graph.root.body.lock() else { return None };
        let ranked = ranked(self.search, root);
        let most = root.edges.iter().max_by_key(|edge| edge.visits)?;
        (ranked.first()?.slot == most.slot).then(|| Lead::among(done, root.edges.iter().map(|edge| edge.visits)))
    }

    fn is_paused(&self) -> bool {
        self.search.graph.is_full()
    }
}

/// Moves of the root that were tried and are permitted, best first.
fn ranked<G: MonteCarlo>(search: &PuctSearch<'_, G>, root: &Expanded) -> Vec<Ranked> {
    let stats = *search.graph.root.stats.lock();
    let mut ranked = rank(root, &stats, search.utility.radius(), &search.settings);
    keep_permitted(search.restrictions, &search.graph.position, &mut ranked, |it| root.moves[it.slot] as usize);
    best_first(&mut ranked);
    ranked
}

/// Orders moves by their weights, the best first.
fn best_first(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.slot.cmp(&b.slot)));
}

/// The report of a run as it is now.
pub(super) fn make<G: MonteCarlo>(run: &Run<'_, G>) -> Report<G::Move> {
    let search = run.search;
    let position = &search.graph.position;
    let to_move = position.to_move();
    let mut total = Tally::default();
    search.tallies.iter().for_each(|tally| total.merge(&tally.lock()));
    let body = search.graph.root.body.lock();
    let stats = *search.graph.root.stats.lock();
    let (moves, raw, scored) = match &*body {
        Body::Expanded(root) => (moves(search, root, &stats, &total), root.own.raw(), root.own.scored),
        _ => (Vec::new(), None, false),
    };
    drop(body);
    let sign = to_move.sign();
    let owned = search.ownership && total.owned > 0;
    let ownership_stdev = owned.then(|| deviations(&total.owners, &total.owner_squares, total.owned));
    let detail = Detail { ownership_stdev, raw, ..detail(&stats, sign) };
    Report {
        to_move,
        visits: u64::from(stats.visits),
        nodes: total.count,
        elapsed: run.clock.elapsed(),
        winrate: report::winrate(stats.value * sign),
        score: scored.then_some(stats.lead * sign),
        score_stdev: scored.then_some(detail.score_stdev),
        resolution: None,
        moves,
        ownership: owned.then(|| owners(&total.owners, total.owned, sign)),
        memory: search.graph.bytes(),
        detail: Some(detail),
    }
}

/// Numbers that the means of a node say, for the side of that sign.
fn detail(means: &NodeMeans, sign: f32) -> Detail {
    Detail {
        visits: u64::from(means.visits),
        weight: means.weight,
        utility: means.utility * sign,
        utility_bound: means.utility * sign,
        score: means.score * sign,
        score_stdev: (means.score_square - means.score * means.score).max(0.0).sqrt(),
        no_result: means.no_result,
        ..Detail::default()
    }
}

/// Standard deviations of owners over so many evaluations.
fn deviations(sums: &[f32], squares: &[f32], count: u64) -> Vec<f32> {
    let of = |(sum, square): (&f32, &f32)| (square - sum * sum / count as f32).max(0.0) / count as f32;
    sums.iter().zip(squares).map(of).map(f32::sqrt).collect()
}

/// Means of owners over so many evaluations, by the sign of a side.
fn owners(sums: &[f32], count: u64, sign: f32) -> Vec<f32> {
    sums.iter().map(|sum| (sum / count as f32 * sign).clamp(-1.0, 1.0)).collect()
}

/// Reports of the root's moves: those with visits by rank, then the others by their priors.
fn moves<G: MonteCarlo>(
    search: &PuctSearch<'_, G>,
    root: &Expanded,
    stats: &NodeMeans,
    total: &Tally,
) -> Vec<MoveReport<G::Move>> {
    let position = &search.graph.position;
    let ranked = ranked(search, root);
    let mut slots: Vec<usize> = (0..root.moves.len()).collect();
    keep_permitted(search.restrictions, position, &mut slots, |&slot| root.moves[slot] as usize);
    let sum: f32 = slots.iter().map(|&slot| root.priors[slot]).sum::<f32>().max(f32::MIN_POSITIVE);
    let mut moves: Vec<MoveReport<G::Move>> = Vec::new();
    for it in &ranked {
        let Some(edge) = root.edges.iter().find(|edge| edge.slot == it.slot) else { continue };
        let child = *edge.child.stats.lock();
        if child.visits == 0 {
            continue;
        }
        let winrate = report::winrate(child.value * root.sign);
        let error = (child.utility * root.sign - it.bound) / search.utility.radius();
        let index = root.moves[it.slot] as usize;
        let mv = position.move_at(index);
        let followed = followed(&edge.child, &search.graph.root);
        let mut pv = vec![mv];
        pv.extend(followed.iter().map(|step| position.move_at(step.index)));
        let owned = total.owners_by_move.get(index).filter(|owners| owners.count > 0);
        moves.push(MoveReport {
            mv,
            visits: u64::from(edge.visits),
            winrate,
            mean: winrate,
            lcb: (winrate - 0.5 * error).clamp(0.0, 1.0),
            prior: root.priors[it.slot] / sum,
            score: root.own.scored.then_some(child.lead * root.sign),
            resolution: None,
            pv,
            pv_visits: along(edge.visits, &followed, |step| step.by_edge),
            ownership: owned.map(|it| owners(&it.sums, it.count, root.sign)),
            detail: Some(Detail {
                utility_bound: it.bound,
                pv_visits: along(child.visits, &followed, |step| step.at_all),
                ownership_stdev: owned.map(|it| deviations(&it.sums, &it.squares, it.count)),
                ..detail(&child, root.sign)
            }),
        });
    }
    let winrate = report::winrate(stats.value * root.sign);
    for slot in slots.into_iter().filter(|slot| !root.edges.iter().any(|edge| edge.slot == *slot)) {
        let plain = MoveReport::plain(position.move_at(root.moves[slot] as usize), 0, winrate);
        moves.push(MoveReport { lcb: 0.0, prior: root.priors[slot] / sum, ..plain });
    }
    moves
}

/// A reply, and the visits of its position by the move that leads to it, and by all ways.
struct Followed {
    index: usize,
    by_edge: u64,
    at_all: u64,
}

/// The most visited replies below a node. They end at the root, to which ways may lead back, and whose body the caller holds.
fn followed(child: &Arc<Node>, root: &Arc<Node>) -> Vec<Followed> {
    let mut line = Vec::new();
    let mut node = Arc::clone(child);
    while line.len() + 1 < LONGEST_VARIATION && !Arc::ptr_eq(&node, root) {
        let next = match &*node.body.lock() {
            Body::Expanded(it) => {
                let best = it.edges.iter().filter(|edge| edge.visits > 0).max_by_key(|edge| edge.visits);
                best.map(|edge| (it.moves[edge.slot], edge.visits, Arc::clone(&edge.child)))
            }
            _ => None,
        };
        let Some((index, count, child)) = next else { break };
        let at_all = child.stats.lock().visits;
        line.push(Followed { index: index as usize, by_edge: u64::from(count), at_all: u64::from(at_all) });
        node = child;
    }
    line
}

/// The visits of a move, and one of the two numbers of each reply.
fn along(visits: u32, followed: &[Followed], of: fn(&Followed) -> u64) -> Vec<u64> {
    [u64::from(visits)].into_iter().chain(followed.iter().map(of)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::node::Own;
    use super::*;

    #[test]
    fn a_line_ends_where_it_is_back_at_the_root() {
        let (root, child) = (Arc::<Node>::default(), Arc::<Node>::default());
        let one_move = |next: &Arc<Node>| {
            let mut expanded = Expanded::new(Own::default(), 1.0, &[7], &[1.0], None);
            let edge = expanded.follow(0, Arc::clone(next));
            expanded.edges[edge].visits = 1;
            Body::Expanded(Box::new(expanded))
        };
        *root.body.lock() = one_move(&child);
        *child.body.lock() = one_move(&root);
        let mut held = root.body.lock();
        let line: Vec<usize> = followed(&child, &root).iter().map(|step| step.index).collect();
        *held = Body::Fresh;
        assert_eq!(line, [7]);
    }
}
