//! The trees of a search: one of the game, and one of each intermediate goal where they have their own. All share one memory.

use std::iter::once;

use super::pool::Room;
use super::tree::Tree;
use crate::game::{Bounded, Game, MonteCarlo};
use crate::search::Task;
use crate::search::watch::Timer;

/// The trees.
#[derive(Debug)]
pub(crate) struct Trees<G: Game> {
    pub(crate) game: Tree<G>,
    pub(crate) goals: Vec<Tree<G>>,
}

impl<G: MonteCarlo> Trees<G> {
    /// Trees for a task, with one for each of so many goals: those of an earlier search where they stand at its position, others
    /// afresh. New ones have so many MiB together, and the findings beside them what they take of `total`.
    pub(crate) fn adopt(old: Option<Self>, task: &Task<'_, G>, goals: usize, mib: usize, total: usize) -> Self {
        let old = old.filter(|old| old.goals.len() == goals);
        let room = old.as_ref().map_or_else(|| Room::new(mib, goals + 1), |old| old.game.room().clone());
        let (game, old_goals) = old.map_or((None, Vec::new()), |old| (Some(old.game), old.goals));
        let mut old_goals = old_goals.into_iter();
        let adopt = |tree: Option<Tree<G>>| {
            let known = tree.filter(|tree| tree.position().key() == task.position.key());
            known.unwrap_or_else(|| Tree::new(task.position, &room, G::Findings::within(total)))
        };
        let mut trees = Self { game: adopt(game), goals: (0..goals).map(|_| adopt(old_goals.next())).collect() };
        for tree in trees.iter_mut() {
            if !tree.collect(task.budget.time) {
                tree.restart();
            }
        }
        trees
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tree<G>> {
        once(&self.game).chain(&self.goals)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Tree<G>> {
        once(&mut self.game).chain(&mut self.goals)
    }

    /// Makes room where memory is full, or has the search go on without new nodes if there is no time for that.
    pub(crate) fn make_room(&mut self, clock: Timer) {
        if clock.affords(self.iter().map(Tree::pruning).sum()) {
            Tree::prune_all(self.iter_mut());
        } else {
            self.iter_mut().for_each(Tree::stop_growing);
        }
    }

    /// The game goes on with `mv`. Says whether its tree knows the move; a goal's tree that does not stands at a position that
    /// no run asks for again.
    pub(crate) fn advance(&mut self, mv: G::Move) -> bool {
        self.goals.iter_mut().for_each(|tree| _ = tree.advance(mv));
        self.game.advance(mv)
    }
}
