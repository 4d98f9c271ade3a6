//! Monte-Carlo tree search with UCT, RAVE and the game's own playouts and prior knowledge, or with PUCT and a judge that
//! values leaves and deals out attention. Any game that has them.
//!
//! Start reading at `iteration`: one simulation on one page. Threads share one tree without locks.

mod arena;
mod history;
mod iteration;
mod judged;
mod mean;
mod node;
mod replies;
mod report;
mod select;
mod strategies;
mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use self::arena::Room;
use self::history::History;
use self::iteration::{Shared, Tally, Worker, ask, settled};
use self::judged::{Leaf, knowledge_policy};
use self::replies::Memory;
use self::strategies::Strategies;
use self::tree::{Scratch, Tree};
use super::params::{Params, Replies};
use super::share::Ticket;
use super::{Decision, Report, Searcher, Share, Stop, Task, crew};
use crate::eval::{Judge, NoJudgement, Wanted};
use crate::game::{Bounded, MonteCarlo};
use crate::rng::Rng;

/// How often a run with a clock asks whether its choice can still change.
const EARLY_STOP_INTERVAL: Duration = Duration::from_millis(20);
/// How long a thread that has given its place to another search sleeps before it asks again: short naps of many sessions
/// cost the others a good part of a core.
const REST: Duration = Duration::from_millis(5);
/// Far enough away to be no deadline.
const NEVER: Duration = Duration::from_secs(1 << 30);
/// Visits of the root that no search goes beyond, so that no counter runs over.
const MOST_VISITS: u32 = 1 << 31;
/// How long a thread sleeps all of whose lines met those of others.
const MEETING: Duration = Duration::from_micros(50);

/// Monte-Carlo tree search, with its tree kept from move to move.
pub struct Mcts<G: MonteCarlo> {
    share: Arc<Share>,
    mib: usize,
    tree: Option<Tree<G>>,
    /// The trees of intermediate goals, where each has one of its own.
    grove: Vec<Tree<G>>,
    judge: Option<Arc<dyn Judge<G>>>,
    /// What was learned for playouts: of all threads together or of each one, and by which parameters.
    replies: Vec<Memory>,
    replies_by: Option<Learning>,
    /// What was learned of intermediate goals, if they are pursued.
    strategies: Option<Strategies>,
    /// What was learned for nodes that are grown, if anything is.
    history: Option<History>,
}

/// The parameters that what is learned for playouts depends on, and the number of moves and of memories.
type Learning = (Replies, u32, usize, usize);

/// What ends a run from within.
struct Limits<'a> {
    /// Iterations that may still begin.
    left: Option<AtomicU64>,
    /// Set when the workers shall end.
    halt: AtomicBool,
    /// Set when they shall not even finish what is under way.
    late: AtomicBool,
    stop: &'a Stop,
}

impl Limits<'_> {
    /// Takes one iteration from the budget.
    fn take(&self) -> bool {
        match &self.left {
            None => true,
            Some(left) => left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok(),
        }
    }

    /// Gives back what was taken in vain.
    fn give_back(&self, count: usize) {
        if let Some(left) = &self.left {
            left.fetch_add(count as u64, Ordering::Relaxed);
        }
    }

    /// There is nothing left to do.
    fn end(&self) {
        self.halt.store(true, Ordering::Relaxed);
        self.stop.wake();
    }

    fn wanted(&self) -> bool {
        !self.late.load(Ordering::Relaxed) && !self.stop.is_set()
    }

    fn halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed) || self.stop.is_set()
    }
}

/// The parameters with what the game and the model make of them.
fn effective<G: MonteCarlo>(params: &Params, position: &G, judge: Option<&dyn Judge<G>>) -> Params {
    let advice_visits = match (judge, params.advice_visits) {
        (None, _) => 0,
        (Some(judge), -1) => i32::try_from(judge.advice()).unwrap_or(i32::MAX),
        (Some(_), visits) => visits,
    };
    // Where a judge values leaves no playout asks for replies.
    let playouts = judge.is_none() || advice_visits > 0;
    let replies = match params.replies {
        Replies::Usual if playouts && position.learns_replies() => Replies::BhrfVolatile,
        Replies::Usual => Replies::None,
        named => named,
    };
    Params {
        replies,
        uct_constant: params.uct_constant + G::EXPLORATION,
        history_weight: if params.history_weight < 0.0 { position.history() } else { params.history_weight },
        advice_visits,
        ..params.clone()
    }
}

impl<G: MonteCarlo> Mcts<G> {
    /// A search with at most `memory_mib` MiB of tree. Nothing is allocated before the first run.
    pub fn new(share: Arc<Share>, memory_mib: usize) -> Self {
        Self {
            share,
            mib: memory_mib,
            tree: None,
            grove: Vec::new(),
            judge: None,
            replies: Vec::new(),
            replies_by: None,
            strategies: None,
            history: None,
        }
    }

    /// The same, by the judgement of a model on the boards that it serves.
    pub fn with_judge(share: Arc<Share>, memory_mib: usize, judge: Arc<dyn Judge<G>>) -> Self {
        Self { judge: Some(judge), ..Self::new(share, memory_mib) }
    }

    /// Gives the root its children before any thread starts, so that there is a move however soon the stop comes. Says
    /// whether it came so soon that the judge was not heard and the tree must not stay.
    fn prepare(tree: &Tree<G>, judge: Option<&dyn Judge<G>>, prior_weight: f32, wanted: Wanted<'_>) -> bool {
        let (root, position) = (tree.root(), tree.position());
        let Some(judge) = judge else {
            tree.expand(root, position, prior_weight, None, &mut Scratch::default());
            if G::SOLVES && root.claim_asking() {
                ask(tree, root, position, &mut Vec::new(), &mut Vec::new(), true);
            }
            return false;
        };
        let (mut moves, mut judgements) = (Vec::new(), Vec::new());
        position.sensible_moves(&mut moves);
        if moves.is_empty() || !root.claim() {
            return false;
        }
        let judged = judge.judge(&[(position, &moves)], &mut judgements, wanted);
        let policy = match judgements.pop() {
            Some(judgement) if judged.is_ok() => judgement.policy,
            _ => knowledge_policy(position, &moves),
        };
        tree.grow_by_policy(root, position, &moves, &policy);
        judged == Err(NoJudgement::Cancelled)
    }

    /// What is left of the memory for the tree.
    fn tree_mib(&self) -> usize {
        let replies = if self.replies.is_empty() { 0 } else { self.mib / replies::SHARE };
        let strategies = if self.strategies.is_none() { 0 } else { self.mib / strategies::SHARE };
        self.mib - replies - strategies - G::Findings::within(self.mib).mib()
    }

    /// Keeps what was learned for playouts, or begins anew if the parameters have changed, which it says.
    fn remember(replies: &mut Vec<Memory>, by: &mut Option<Learning>, task: &Task<'_, G>, mib: usize) -> bool {
        let (params, moves) = (task.params, task.position.move_count());
        let memories = if params.reply_shared == 1 { 1 } else { task.threads.max(1) };
        let learns = params.replies != Replies::None;
        let wanted = learns.then_some((params.replies, params.reply_depth, moves, memories));
        let changed = *by != wanted;
        if changed {
            *by = wanted;
            *replies = (0..memories).filter_map(|_| Memory::new(params, moves, mib / memories)).collect();
        }
        changed
    }

    /// Forgets what was learned beside the tree.
    fn forget(&mut self) {
        self.replies.clear();
        self.replies_by = None;
        self.strategies = None;
        self.history = None;
    }

    /// The loop of one search thread.
    fn work(
        shared: &Shared<'_, G>,
        limits: &Limits<'_>,
        ticket: &Ticket<'_>,
        number: usize,
        mut worker: Worker<'_, G>,
        tally: &Mutex<Tally>,
    ) {
        let mut path = Vec::new();
        let mut leaves: Vec<Leaf<'_, G>> = Vec::new();
        let lines = shared.judge.map_or(1, |judge| judge.attributes().lines.max(1));
        let wanted = || limits.wanted();
        while !limits.halted() && !shared.wants_pruning() {
            if number > 0 && number >= ticket.threads() {
                thread::sleep(REST);
                continue;
            }
            let taken = (0..lines).take_while(|_| limits.take()).count();
            if taken == 0 {
                limits.end();
                break;
            }
            let Some(judge) = shared.judge else {
                worker.iterate(shared, &mut path, tally, &wanted);
                if shared.tree.root().visits() > MOST_VISITS || G::SOLVES && settled(shared.tree) {
                    limits.end();
                }
                continue;
            };
            let done = worker.iterate_judged(shared, judge, taken, &mut leaves, tally, &wanted);
            limits.give_back(taken - done);
            if done == 0 {
                thread::sleep(MEETING);
            }
        }
        if shared.wants_pruning() {
            limits.stop.wake();
        }
    }
}

impl<G: MonteCarlo> Searcher<G> for Mcts<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let start = Instant::now();
        let judge = self.judge.clone().filter(|judge| judge.serves(task.position));
        let params = effective(task.params, task.position, judge.as_deref());
        let task = &Task { params: &params, ..*task };
        if Self::remember(&mut self.replies, &mut self.replies_by, task, self.mib) {
            self.tree = None;
        }
        let goals = if task.params.strategy_weight > 0.0 { task.position.goals() } else { 0 };
        if self.strategies.as_ref().map_or(0, Strategies::goals) != goals {
            self.strategies = (goals > 0).then(|| Strategies::new(goals, self.mib));
        }
        let (moves, points) = (task.position.move_count(), task.position.points());
        // It goes with the tree: what was learned elsewhere is forgotten.
        let goes_on = self.tree.as_ref().is_some_and(|tree| tree.position().key() == task.position.key());
        let kept = self.history.take().filter(|history| goes_on && history.suits(task.params, moves, points));
        self.history = kept.or_else(|| History::new(task.params, moves, points));
        if !goes_on {
            self.strategies.iter_mut().for_each(Strategies::choose_anew);
        }
        let trees = if task.params.strategy_trees == 1 { goals } else { 0 };
        // All trees are in one room.
        if self.tree.is_none() || self.grove.len() != trees {
            self.grove.clear();
            self.tree = None;
        }
        let room = self.tree.as_ref().map(|tree| tree.room().clone());
        let room = room.unwrap_or_else(|| Room::new(self.tree_mib() / 2, trees + 1));
        let mib = self.mib;
        let kept = |tree: Option<Tree<G>>| {
            let known = tree.filter(|tree| tree.position().key() == task.position.key());
            known.unwrap_or_else(|| Tree::new(task.position, &room, G::Findings::within(mib)))
        };
        let mut tree = kept(self.tree.take());
        let mut old = std::mem::take(&mut self.grove).into_iter();
        let mut grove: Vec<Tree<G>> = (0..trees).map(|_| kept(old.next())).collect();
        for tree in std::iter::once(&mut tree).chain(&mut grove) {
            if !tree.collect(task.budget.time) {
                tree.restart();
            }
        }
        let judge = judge.as_deref();
        let limits = Limits {
            left: task.budget.nodes.map(AtomicU64::new),
            halt: AtomicBool::new(false),
            late: AtomicBool::new(false),
            stop: task.stop,
        };
        let tallies: Vec<Mutex<Tally>> = (0..task.threads.max(1)).map(|_| Mutex::default()).collect();
        let ticket = self.share.enter();
        let deadline = start + task.budget.time.unwrap_or(NEVER);
        let mut next_report = task.report_every.map(|every| start + every);
        let first_judge = judge.filter(|_| params.advice_visits <= 0);
        let begin = |tree: &mut Tree<G>, judge: Option<&dyn Judge<G>>| {
            let prepare =
                |tree: &Tree<G>| Self::prepare(tree, judge, task.params.prior_weight, &|| !task.stop.is_set());
            let provisional = prepare(tree);
            if tree.root().is_expanded() {
                return provisional;
            }
            // Without room for its root's children it is of no use.
            tree.restart();
            prepare(tree)
        };
        let provisional = begin(&mut tree, first_judge);
        grove.iter_mut().for_each(|tree| _ = begin(tree, None));
        if G::SOLVES && settled(&tree) {
            limits.end();
        }
        for round in 0.. {
            if round > 0 {
                let trees = || std::iter::once(&tree).chain(&grove);
                if Instant::now() + trees().map(Tree::pruning).sum() < deadline {
                    Tree::prune_all(std::iter::once(&mut tree).chain(&mut grove));
                } else {
                    std::iter::once(&mut tree).chain(&mut grove).for_each(Tree::stop_growing);
                }
            }
            // People ask about each of the root's moves.
            tree.complete(tree.root());
            let shared = Shared::new(&tree, task, judge, self.strategies.as_ref(), self.history.as_ref(), &grove);
            let snapshot = || report::make(&shared, &tallies, start.elapsed());
            thread::scope(|scope| {
                for (number, tally) in tallies.iter().enumerate() {
                    let (shared, limits, ticket) = (&shared, &limits, &ticket);
                    let memory = (!self.replies.is_empty()).then(|| &self.replies[number % self.replies.len()]);
                    let rng = Rng::stream(task.seed.wrapping_add(round), number as u64);
                    let started = crew::start(scope, move || {
                        let worker = Worker::new(shared.tree.position(), shared.params, memory, rng);
                        Self::work(shared, limits, ticket, number, worker, tally);
                    });
                    if number == 0 && started.is_none() {
                        limits.end();
                    }
                }
                loop {
                    let now = Instant::now();
                    let early = task.budget.early_stop && task.budget.time.is_some();
                    let mut wake = deadline;
                    if let Some(at) = next_report {
                        wake = wake.min(at);
                    }
                    if early {
                        wake = wake.min(now + EARLY_STOP_INTERVAL);
                    }
                    let running = || !limits.halt.load(Ordering::Relaxed);
                    let full = || shared.wants_pruning();
                    let stopped = task.stop.wait_while(wake, || running() && !full());
                    if !stopped && running() && full() && Instant::now() < deadline {
                        // The workers leave too, and go on in a tree with room, or without if there is no time to make some.
                        return;
                    }
                    if stopped || !running() || Instant::now() >= deadline {
                        break;
                    }
                    if early && report::decided(&shared, &tallies, start, deadline) {
                        break;
                    }
                    if let (Some(at), Some(every)) = (next_report, task.report_every)
                        && Instant::now() >= at
                    {
                        let report = snapshot();
                        // Nothing to say yet is said by saying nothing.
                        if report.moves.iter().any(|m| m.visits > 0) {
                            on_report(&report);
                        }
                        next_report = Some((at + every).max(Instant::now()));
                    }
                }
                limits.late.store(!limits.halt.swap(true, Ordering::Relaxed), Ordering::Relaxed);
            });
            if limits.halted() {
                break;
            }
        }

        report::log_profile(&tallies);
        let shared = Shared::new(&tree, task, judge, self.strategies.as_ref(), self.history.as_ref(), &grove);
        let snapshot = || report::make(&shared, &tallies, start.elapsed());
        let mut report = snapshot();
        // What has ended by itself, such as a root that is proved, may not have reported yet; an analysis wants to hear of
        // it all the same, and goes on standing there until it is stopped.
        if task.report_every.is_some() && task.budget == super::Budget::default() && !task.stop.is_set() {
            on_report(&report);
            task.stop.wait_while(deadline, || true);
            report = snapshot();
        }
        self.tree = (!provisional).then_some(tree);
        self.grove = grove;
        let mv = report.moves.first().map(|m| m.mv);
        // Only a game that is over has no move; callers do not ask then, and a Go pass is a move too.
        let mv = mv.unwrap_or_else(|| task.position.move_at(task.position.move_count() - 1));
        Decision { mv, report }
    }

    fn advance(&mut self, mv: G::Move) {
        self.replies.iter_mut().for_each(Memory::age);
        self.strategies.iter_mut().for_each(Strategies::age);
        self.history.iter_mut().for_each(History::age);
        // One that does not know the move stands at a position that no run asks for again.
        self.grove.iter_mut().for_each(|tree| _ = tree.advance(mv));
        if let Some(tree) = &mut self.tree
            && !tree.advance(mv)
        {
            self.tree = None;
        }
    }

    fn clear(&mut self) {
        self.tree = None;
        self.grove.clear();
        self.forget();
    }

    fn set_memory(&mut self, mib: usize) {
        self.mib = mib;
        self.clear();
    }
}

#[cfg(test)]
mod tests;
