//! Memories that a search has beside its trees, and keeps from move to move.

use super::history::HistoryHeuristic;
use super::replies::{self, Memory};
use super::strategies::{self, Strategies};
use crate::game::MonteCarlo;
use crate::search::Task;
use crate::search::params::Replies;

/// Parameters that what is learned for playouts depends on, and the number of moves and of memories.
type RepliesBy = (Replies, [u32; 2], usize, usize);

/// Everything learned beside the trees. Threads share it.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    /// Replies for playouts: of all threads together or of each one, and by which parameters.
    replies: Vec<Memory>,
    replies_by: Option<RepliesBy>,
    /// Values of intermediate goals, if they are pursued.
    pub(crate) strategies: Option<Strategies>,
    /// Means of moves for nodes that are grown, if the parameters want them.
    pub(crate) history: Option<HistoryHeuristic>,
}

impl Learned {
    /// Keeps what suits a task with so many MiB, and begins the rest anew. Says whether a tree for that position, of which
    /// `known` tells whether there is one, may be kept.
    pub(crate) fn adopt<G: MonteCarlo>(&mut self, task: &Task<'_, G>, mib: usize, known: bool) -> bool {
        let kept = self.adopt_replies(task, mib);
        let goals = if task.params.strategy_weight > 0.0 { task.position.goals() } else { 0 };
        if self.strategies.as_ref().map_or(0, Strategies::goals) != goals {
            self.strategies = (goals > 0).then(|| Strategies::new(goals, mib));
        }
        // The history goes with the tree: what was learned elsewhere is forgotten.
        let goes_on = kept && known;
        let (moves, points) = (task.position.move_count(), task.position.points());
        let history = self.history.take().filter(|history| goes_on && history.suits(task.params, moves, points));
        self.history = history.or_else(|| HistoryHeuristic::new(task.params, moves, points));
        if !goes_on {
            self.strategies.iter_mut().for_each(Strategies::choose_anew);
        }
        kept
    }

    /// Keeps replies, or begins anew if their parameters have changed; says whether they were kept.
    fn adopt_replies<G: MonteCarlo>(&mut self, task: &Task<'_, G>, mib: usize) -> bool {
        let (params, moves) = (task.params, task.position.move_count());
        let memories = if params.reply_shared == 1 { 1 } else { task.threads.max(1) };
        let learns = params.replies != Replies::None;
        let wanted = learns.then_some((params.replies, [params.reply_depth, params.reply_patterns], moves, memories));
        let kept = self.replies_by == wanted;
        if !kept {
            self.replies_by = wanted;
            let bytes = (mib << 20) / memories;
            self.replies = (0..memories).filter_map(|_| Memory::new(params, moves, bytes)).collect();
        }
        kept
    }

    /// MiB that it takes of so many for the search.
    pub(crate) fn memory_share(&self, mib: usize) -> usize {
        let replies = if self.replies.is_empty() { 0 } else { mib / replies::SHARE };
        let strategies = if self.strategies.is_none() { 0 } else { mib / strategies::SHARE };
        replies + strategies
    }

    /// The replies of a thread, if playouts learn some.
    pub(crate) fn replies(&self, number: usize) -> Option<&Memory> {
        (!self.replies.is_empty()).then(|| &self.replies[number % self.replies.len()])
    }

    /// The game goes on: what was learned before counts less.
    pub(crate) fn age(&mut self) {
        self.replies.iter_mut().for_each(Memory::age);
        self.strategies.iter_mut().for_each(Strategies::age);
        self.history.iter_mut().for_each(HistoryHeuristic::age);
    }
}
