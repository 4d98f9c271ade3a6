//! Alpha-beta by iterative deepening or to a fixed depth, over the same states and evaluators as unbounded best-first
//! minimax: what that is compared with. One thread.
//!
//! A search to depth 1 values the moves, one to depth 2 the replies to them. Exact results count as exact at any depth.

use std::sync::Arc;
use std::time::Duration;

use super::map::KeyMap;
use super::report::{LONGEST_VARIATION, winrate};
use super::ubfm::expansion::{Buffers, Knowledge, make};
use super::ubfm::knowledge;
use super::ubfm::table::{self, Action, State, StateTable};
use super::ubfm::variant::Variant;
use super::watch::{Watch, stand};
use super::{Decision, MoveReport, Report, Searcher, Share, Task, any_move, keep_permitted};
use crate::eval::{Cancelled, Evaluator, Wanted};
use crate::game::{Bounded, Game, Side};

/// Least value of a won game: more than any value of an evaluator.
const WON: f32 = 2.0;
/// Loss of that value with each ply until the end.
const PLY: f32 = 1e-4;

/// The search with its states, which are kept from move to move.
pub struct AlphaBeta<G: Game> {
    share: Arc<Share>,
    evaluator: Arc<dyn Evaluator<G>>,
    table: StateTable,
    findings: G::Findings,
    /// The best action of each state by the last look at it, so that the next one begins with it.
    best: KeyMap<u64, u32>,
}

/// One root move as far as it was searched.
#[derive(Clone, Copy, Debug)]
struct Searched {
    action: Action,
    /// Seen by the side to move, as [`worth`] counts.
    value: f32,
    /// Whether it is worth no more than that, and perhaps less: no better than the best move before it.
    is_bound: bool,
    nodes: u64,
}

impl Searched {
    /// The winner after it, where that is certain.
    fn resolution(&self, side: Side) -> Option<Side> {
        winner(side, self.value).filter(|&winner| !self.is_bound || winner != side)
    }
}

/// Orders moves by their values, the best first.
fn best_first(moves: &mut [Searched]) {
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
}

/// A run.
struct AlphaBetaRun<'a, G: Game> {
    search: &'a mut AlphaBeta<G>,
    variant: Variant,
    /// Whether the game's knowledge is asked.
    knowledge: bool,
    buffers: Buffers<G>,
    wanted: Wanted<'a>,
    nodes: u64,
    limit: u64,
    /// Whether a line of this pass ended by its depth: without one, deeper passes find the same.
    is_cut: bool,
}

/// Value of an action for `side`: exact results beyond all others, the quicker the better.
fn worth(side: Side, action: &Action) -> f32 {
    let value = match action.resolution {
        None | Some(0) => action.value,
        Some(winner) => f32::from(winner) * (WON - PLY * action.length as f32).max(1.0 + PLY),
    };
    value * side.sign()
}

/// A move as its state knows it.
fn known(side: Side, action: Action) -> Searched {
    Searched { action, value: worth(side, &action), is_bound: false, nodes: 0 }
}

/// The winner by a value of `side`, if it is exact.
fn winner(side: Side, value: f32) -> Option<Side> {
    (value.abs() > 1.0).then(|| if value > 0.0 { side } else { side.opponent() })
}

impl<G: Game> AlphaBeta<G> {
    /// A search with at most `memory_mib` MiB of states and findings, allocated as they grow.
    pub fn new(share: Arc<Share>, memory_mib: usize, evaluator: Arc<dyn Evaluator<G>>) -> Self {
        let findings = G::Findings::within(memory_mib);
        Self {
            share,
            evaluator,
            table: StateTable::new(memory_mib - findings.mib()),
            findings,
            best: KeyMap::default(),
        }
    }
}

impl<G: Game> AlphaBetaRun<'_, G> {
    fn state(&mut self, position: &G, at_root: bool) -> Result<Arc<State>, Cancelled> {
        let key = position.key();
        // The time passes with known states too.
        if !(self.wanted)() {
            return Err(Cancelled);
        }
        if let Some(state) = self.search.table.get(key) {
            return Ok(state);
        }
        if self.nodes >= self.limit {
            return Err(Cancelled);
        }
        self.nodes += 1;
        // What other lines have found does not belong into a value of this depth.
        let none = StateTable::new(0);
        let knowledge = match (self.knowledge, at_root) {
            (false, _) => Knowledge::Glance(&none),
            (true, false) => Knowledge::Inner(&none, &self.search.findings),
            (true, true) => Knowledge::Root(&none, &self.search.findings),
        };
        let evaluator = self.search.evaluator.as_ref();
        let state = make(position, self.variant, knowledge, evaluator, &mut self.buffers, self.wanted)?;
        Ok(self.search.table.insert(key, state))
    }

    /// The state's actions, the best of the last look first, then by value.
    fn ordered(&self, key: u64, state: &State) -> Vec<Action> {
        let mut actions = state.actions.lock().to_vec();
        let first = self.search.best.get(&key).copied();
        table::best_first(state.side, &mut actions);
        if let Some(place) = actions.iter().position(|action| Some(action.index) == first) {
            actions[..=place].rotate_right(1);
        }
        actions
    }

    /// Value of a position for its side to move to a depth of at least 1, exact within `alpha..beta` and a bound outside.
    fn value(&mut self, position: &G, depth: u32, mut alpha: f32, beta: f32) -> Result<f32, Cancelled> {
        let state = self.state(position, false)?;
        let actions = self.ordered(position.key(), &state);
        let mut best = f32::NEG_INFINITY;
        for action in &actions {
            let value = self.below(position, state.side, action, depth, alpha, beta)?;
            if value > best {
                best = value;
                // Bounded as the states are.
                if !self.search.table.is_crowded() {
                    self.search.best.insert(position.key(), action.index);
                }
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Value of an action for the side that takes it.
    fn below(
        &mut self,
        position: &G,
        side: Side,
        action: &Action,
        depth: u32,
        alpha: f32,
        beta: f32,
    ) -> Result<f32, Cancelled> {
        if depth <= 1 || action.resolution.is_some() {
            self.is_cut |= action.resolution.is_none();
            return Ok(worth(side, action));
        }
        let mut child = position.clone();
        child.play(position.move_at(action.index as usize));
        // A ply further from the end than the child is.
        let sooner = |value: f32| if value.abs() > 1.0 { value + PLY * value.signum() } else { value };
        let value = -self.value(&child, depth - 1, sooner(-beta), sooner(-alpha))?;
        Ok(if value.abs() > 1.0 { value - PLY * value.signum() } else { value })
    }

    /// One pass over the root's moves; those that could not be looked at keep what they had.
    fn pass(&mut self, position: &G, side: Side, moves: &mut [Searched], depth: u32) -> Result<(), Cancelled> {
        let mut alpha = f32::NEG_INFINITY;
        for number in 0..moves.len() {
            let (before, action) = (self.nodes, moves[number].action);
            let value = self.below(position, side, &action, depth, alpha, f32::INFINITY);
            moves[number].nodes += self.nodes - before;
            match value {
                Ok(value) => (moves[number].value, moves[number].is_bound) = (value, number > 0 && value <= alpha),
                Err(Cancelled) => {
                    // The first move was the best so far: without it there is nothing to compare with.
                    if number > 0 {
                        best_first(&mut moves[..number]);
                        // A move that is proved to lose stands behind those that were not looked at.
                        moves.sort_by_key(|mv| mv.resolution(side) == Some(side.opponent()));
                    }
                    return Err(Cancelled);
                }
            }
            alpha = alpha.max(moves[number].value);
        }
        best_first(moves);
        Ok(())
    }
}

impl<G: Game> Searcher<G> for AlphaBeta<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let mut watch = Watch::new(task.budget, task.report_every).among(&self.share);
        let share = Arc::clone(&self.share);
        let _ticket = share.enter();
        let (position, side) = (task.position, task.position.to_move());
        if self.table.is_crowded() {
            self.clear();
        }
        let clock = watch.clock();
        let wanted = || !task.stop.is_set() && !clock.is_over();
        // The root has all of its moves and is made however soon the time is over.
        self.table.remove(position.key());
        let unstopped = || !task.stop.is_set();
        let mut run = AlphaBetaRun {
            search: self,
            variant: Variant::of(task.params),
            knowledge: knowledge(task.params) > 0,
            buffers: Buffers::default(),
            wanted: &unstopped,
            nodes: 0,
            limit: task.budget.nodes.unwrap_or(u64::MAX).max(1),
            is_cut: false,
        };
        let mut moves: Vec<Searched> = match run.state(position, true) {
            Ok(state) => {
                let mut actions = run.ordered(position.key(), &state);
                keep_permitted(task.restrictions, position, &mut actions, |action| action.index as usize);
                actions.iter().map(|&action| known(side, action)).collect()
            }
            Err(Cancelled) => Vec::new(),
        };
        run.wanted = &wanted;
        best_first(&mut moves);
        let deepest = match task.params.depth {
            0 => 3 * position.points() as u32,
            depth => depth,
        };
        let mut depth = 1;
        while depth < deepest && moves.first().is_some_and(|best| winner(side, best.value).is_none()) {
            depth += 1;
            run.is_cut = false;
            if run.pass(position, side, &mut moves, depth).is_err() {
                break;
            }
            watch.report(|| on_report(&report(&run, position, &moves, clock.elapsed())));
            if !run.is_cut {
                break;
            }
        }
        let made = report(&run, position, &moves, clock.elapsed());
        stand(task, &made, on_report);
        let mv = made.moves.first().map_or_else(|| any_move(task), |m| m.mv);
        Decision { mv, report: made }
    }

    /// The states are those of any position.
    fn advance(&mut self, _: G::Move) {}

    fn clear(&mut self) {
        self.set_memory(self.table.mib() + self.findings.mib());
    }

    fn set_memory(&mut self, mib: usize) {
        self.findings = G::Findings::within(mib);
        self.table = StateTable::new(mib - self.findings.mib());
        self.best = KeyMap::default();
    }
}

fn report<G: Game>(run: &AlphaBetaRun<'_, G>, position: &G, moves: &[Searched], elapsed: Duration) -> Report<G::Move> {
    let side = position.to_move();
    let even = 1.0 / moves.len().max(1) as f32;
    let best = moves.first().map_or(0.0, |m| m.value);
    let known = |m: &Searched| {
        let pv = variation(run, position, m.action.index);
        MoveReport {
            prior: even,
            resolution: m.resolution(side),
            // How often the replies were searched is not kept.
            pv_visits: (0..pv.len()).map(|ply| if ply == 0 { m.nodes } else { 1 }).collect(),
            pv,
            ..MoveReport::plain(position.move_at(m.action.index as usize), m.nodes, winrate(m.value))
        }
    };
    let plain = Report::plain(side, run.nodes, elapsed, winrate(best), moves.iter().map(known).collect());
    // A loss is one where all moves lose.
    let loses = || moves.iter().all(|mv| mv.resolution(side) == Some(side.opponent()));
    let resolution = winner(side, best).filter(|&winner| winner == side || loses());
    Report { resolution, memory: run.search.table.bytes(), ..plain }
}

/// A move and the best replies by the last look at them.
fn variation<G: Game>(run: &AlphaBetaRun<'_, G>, position: &G, first: u32) -> Vec<G::Move> {
    let mut position = position.clone();
    let (mut line, mut next) = (Vec::new(), Some(first));
    while let Some(index) = next.filter(|_| line.len() < LONGEST_VARIATION) {
        let mv = position.move_at(index as usize);
        line.push(mv);
        position.play(mv);
        next = run.search.best.get(&position.key()).copied();
    }
    line
}

#[cfg(test)]
mod tests;
