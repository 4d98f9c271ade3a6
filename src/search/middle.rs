//! Searches the middle game of games whose boards fill up: principal variation search, deeper and deeper, over values at a glance.
//!
//! All threads search the root, and help each other by one table.

mod table;
mod worker;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use parking_lot::Mutex;

use super::crew::{self, Crew};
use super::depth_first::{DepthRun, NodeCount, UNKNOWN};
use super::report::{LONGEST_VARIATION, winrate};
use super::watch::{Watch, Watched, stand};
use super::{Decision, MoveReport, Report, Searcher, Share, Stop, Task, permitted};
use crate::game::Side;
use crate::game::filling::{Appraiser, Endgame, Filling, points, to_play};
use table::DepthTable;
use worker::{INFINITE, MiddleWorker};

/// Points by which a move is shown to be worse at most, where all moves of the root are asked for.
const SHOWN: i32 = 12;

/// The search with its table, which is kept from move to move.
pub struct Pvs<G: Endgame, A> {
    share: Arc<Share>,
    table: DepthTable,
    appraiser: Arc<A>,
    /// The search of positions whose boards are of another kind.
    other: Box<dyn Searcher<G>>,
}

/// Searches of boards to a fixed depth, by this thread, one after the other.
#[derive(Debug)]
pub(crate) struct Plies(DepthTable);

impl Plies {
    /// With at most `mib` MiB of table.
    pub(crate) fn new(mib: usize) -> Self {
        Self(DepthTable::new(mib))
    }

    /// The best point by so many plies, at least 2, on a board where the side to move can play.
    pub(crate) fn best<B: Filling, A: Appraiser<B>>(&mut self, appraiser: &A, board: &B, plies: u32) -> Option<u64> {
        self.0.begin();
        let stop = Stop::new();
        let run = DepthRun::alone(&stop);
        let mut worker = MiddleWorker::new(&self.0, appraiser, NodeCount::new(&run, 0), u64::MAX);
        worker.search(board, plies.max(2), -INFINITE, INFINITE)?;
        self.0.get(board.key()).filter(|reached| reached.best != UNKNOWN).map(|reached| 1 << reached.best)
    }
}

/// A move of the root, as far as it was searched.
#[derive(Clone, Copy, Debug)]
struct RootMove<B> {
    bit: u32,
    after: B,
    /// Seen by the side to move at the root; a bound from above where it is not exact.
    value: i32,
    is_exact: bool,
    /// Whether it ends the game: its value is that of the end, and no search is needed.
    is_over: bool,
    nodes: u64,
}

/// The root, as far as it was searched.
#[derive(Clone, Debug)]
struct Root<B> {
    /// The best first.
    moves: Vec<RootMove<B>>,
    /// Whether values are those of the end of the game.
    is_solved: bool,
}

/// A board and the moves that may be played there.
type Choice<B> = (B, Vec<RootMove<B>>);

/// A run.
struct MiddleRun<'a, G: Endgame, A> {
    position: &'a G,
    board: G::Board,
    table: &'a DepthTable,
    threads: DepthRun<'a>,
    appraiser: &'a A,
    root: Mutex<Root<G::Board>>,
    /// Whether moves other than the best are valued too: in analysis, and where a weaker one may be drawn at a level.
    is_wide: bool,
}

impl<G: Endgame, A: Appraiser<G::Board>> Pvs<G, A> {
    /// With at most `memory_mib` MiB, of which `other`, which plays where the appraiser has nothing to say, has a part.
    pub fn new(
        share: Arc<Share>,
        memory_mib: usize,
        appraiser: Arc<A>,
        other: impl FnOnce(usize) -> Box<dyn Searcher<G>>,
    ) -> Self {
        let mib = part_of(memory_mib);
        Self { share, table: DepthTable::new(mib), appraiser, other: other(memory_mib - mib) }
    }

    /// The board to search, and the moves that may be played.
    fn root(&self, task: &Task<'_, G>) -> Option<Choice<G::Board>> {
        let board = task.position.filling().filter(|board| self.appraiser.knows(board))?;
        if task.restrictions.iter().any(|restriction| restriction.depth > 1) {
            return None;
        }
        let side = task.position.to_move();
        let tried = |at: u64| {
            let (bit, after) = (at.trailing_zeros(), board.placed(at)?);
            let index = task.position.index(task.position.move_to(Some(bit)));
            let is_permitted = permitted(task.restrictions, task.position, side, index, 0);
            let is_over = after.placements() == 0 && after.passed().placements() == 0;
            let seen = if is_over { after.lead() * A::UNIT } else { worker::glance(&*self.appraiser, &after) };
            is_permitted.then_some(RootMove { bit, after, value: -seen, is_exact: true, is_over, nodes: 0 })
        };
        let mut moves: Vec<_> = points(board.placements()).filter_map(tried).collect();
        best_first(&mut moves);
        (!moves.is_empty()).then_some((board, moves))
    }
}

/// MiB of the `total` that the table has.
const fn part_of(total: usize) -> usize {
    total / 2
}

/// Orders moves by their values; those of the same value stay as they are.
fn best_first<B>(moves: &mut [RootMove<B>]) {
    moves.sort_by_key(|tried| -tried.value);
}

impl<G: Endgame, A: Appraiser<G::Board>> MiddleRun<'_, G, A> {
    /// Searches the root deeper and deeper, until the game is at its end or the search was stopped.
    fn deepen(&self, worker: &mut MiddleWorker<'_, G::Board, A>) {
        let deepest = self.board.empty().count_ones();
        for depth in 1..=deepest {
            let mut moves = self.root.lock().moves.clone();
            for number in 0..moves.len() {
                let nodes = worker.count.own();
                let Some((value, is_exact)) = self.value(worker, &moves[..=number], depth) else { return };
                let tried = &mut moves[number];
                tried.nodes += worker.count.own() - nodes;
                (tried.value, tried.is_exact) = (value, is_exact);
                // The one that looked best has gone down as well: without it there is nothing to compare with.
                let mut seen = moves.clone();
                best_first(&mut seen[..=number]);
                self.root.lock().moves = seen;
            }
            best_first(&mut moves);
            *self.root.lock() = Root { moves, is_solved: depth == deepest };
        }
    }

    /// Value of the last of those moves beside the others, and whether it is exact.
    fn value(
        &self,
        worker: &mut MiddleWorker<'_, G::Board, A>,
        moves: &[RootMove<G::Board>],
        depth: u32,
    ) -> Option<(i32, bool)> {
        let (tried, before) = moves.split_last()?;
        if tried.is_over {
            worker.count.add();
            return Some((tried.value, true));
        }
        let best = before.iter().map(|tried| tried.value).max();
        let Some(best) = best else {
            return Some((-worker.search(&tried.after, depth - 1, -INFINITE, INFINITE)?, true));
        };
        if self.is_wide {
            let low = best - SHOWN * A::UNIT;
            let value = -worker.search(&tried.after, depth - 1, -INFINITE, -low)?;
            return Some((value, value > low));
        }
        let value = -worker.search(&tried.after, depth - 1, -best - 1, -best)?;
        if value <= best {
            return Some((value, false));
        }
        Some((-worker.search(&tried.after, depth - 1, -INFINITE, -best)?, true))
    }

    /// Helps by searching the whole root, each thread in an order of its own.
    fn help(&self, worker: &mut MiddleWorker<'_, G::Board, A>, number: u32) {
        let deepest = self.board.empty().count_ones();
        for depth in 1..=deepest {
            if worker.search(&self.board, (depth + number % 2).min(deepest), -INFINITE, INFINITE).is_none() {
                return;
            }
        }
    }

    /// The move to a board, and the best replies as the table has them.
    fn variation(&self, tried: &RootMove<G::Board>) -> Vec<G::Move> {
        let mut line = vec![self.position.move_to(Some(tried.bit))];
        let mut after = tried.after;
        while line.len() < LONGEST_VARIATION {
            let (board, passes) = to_play(after);
            let best = self.table.get(board.key()).map(|reached| reached.best).filter(|&best| best != UNKNOWN);
            let Some((best, next)) = best.and_then(|best| Some((best, board.placed(1 << best)?))) else { break };
            line.extend(passes.then(|| self.position.move_to(None)));
            line.push(self.position.move_to(Some(best)));
            after = next;
        }
        line
    }
}

impl<G: Endgame, A: Appraiser<G::Board>> Watched for MiddleRun<'_, G, A> {
    type Report = Report<G::Move>;

    fn report(&self) -> Option<Report<G::Move>> {
        let Root { moves, is_solved } = self.root.lock().clone();
        let to_move = self.position.to_move();
        let even = 1.0 / moves.len().max(1) as f32;
        let score = |value: i32| value as f32 / A::UNIT as f32;
        let winrate = |tried: &RootMove<G::Board>| match score(tried.value) {
            lead if is_solved || tried.is_over => winrate(lead),
            lead => self.appraiser.chance(&self.board, lead),
        };
        let winner = |tried: &RootMove<G::Board>| -> Option<Side> {
            let known = (is_solved || tried.is_over) && (tried.is_exact || tried.value < 0) && tried.value != 0;
            known.then(|| if tried.value > 0 { to_move } else { to_move.opponent() })
        };
        let first = moves.first()?;
        let known = |tried: &RootMove<G::Board>| {
            let pv = self.variation(tried);
            let plain = MoveReport::plain(pv[0], tried.nodes, winrate(tried));
            MoveReport {
                prior: even,
                score: Some(score(tried.value)),
                resolution: winner(tried),
                // How often the replies were searched is not kept.
                pv_visits: (0..pv.len()).map(|ply| if ply == 0 { tried.nodes } else { 1 }).collect(),
                pv,
                ..plain
            }
        };
        let (nodes, elapsed) = (self.threads.nodes.load(Relaxed), self.threads.clock.elapsed());
        Some(Report {
            score: Some(score(first.value)),
            // Other moves may be better than an end that is lost.
            resolution: winner(first).filter(|&winner| is_solved || winner == to_move),
            memory: self.table.bytes(),
            ..Report::plain(to_move, nodes, elapsed, winrate(first), moves.iter().map(known).collect())
        })
    }
}

impl<G: Endgame, A: Appraiser<G::Board>> Searcher<G> for Pvs<G, A> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let Some((board, moves)) = self.root(task) else { return self.other.run(task, on_report) };
        self.table.begin();
        let mut watch = Watch::new(task.budget, task.report_every).among(&self.share);
        let share = Arc::clone(&self.share);
        let ticket = share.enter();
        let limit = task.budget.nodes.unwrap_or(u64::MAX);
        let is_forced = task.budget.early_stop && moves.len() == 1;
        let run = &MiddleRun {
            position: task.position,
            board,
            table: &self.table,
            threads: DepthRun::new(task.stop, Crew::sharing(task.threads, &ticket), watch.clock()),
            appraiser: &*self.appraiser,
            root: Mutex::new(Root { moves, is_solved: false }),
            is_wide: task.budget.time.is_none() || task.budget.nodes.is_some(),
        };
        let DepthRun { halt, crew, .. } = &run.threads;
        let work = |number: usize| {
            let mut worker = MiddleWorker::new(run.table, run.appraiser, NodeCount::new(&run.threads, number), limit);
            match number {
                0 => run.deepen(&mut worker),
                number => run.help(&mut worker, number as u32),
            }
            worker.count.tell();
            if number == 0 {
                halt.end();
            }
        };
        if !is_forced {
            crew::run(halt, crew.most(), &work, || _ = watch.wait(halt, run, on_report));
        }
        let report = run.report().unwrap_or_else(|| unreachable!("there are moves"));
        stand(task, &report, on_report);
        Decision { mv: report.moves[0].mv, report }
    }

    fn advance(&mut self, mv: G::Move) {
        self.other.advance(mv);
    }

    fn clear(&mut self) {
        self.table = DepthTable::new(self.table.bytes() >> 20);
        self.other.clear();
    }

    fn set_memory(&mut self, mib: usize) {
        self.table = DepthTable::new(part_of(mib));
        self.other.set_memory(mib - part_of(mib));
    }
}

#[cfg(test)]
mod tests;
