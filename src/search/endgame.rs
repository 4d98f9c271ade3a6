//! Searches late positions of games whose boards fill up to their end, for the exact lead: alpha-beta, with one table of bounds for all
//! threads.

mod table;
mod worker;

use std::time::Duration;

use super::Stop;
use super::crew::Crew;
use super::depth_first::{self, DepthRun, NodeCount, Progress};
use crate::game::filling::{Endgame, Filling, to_play};
use table::{Bounds, BoundsTable};
use worker::EndgameWorker;

/// Empty points with which the rest of a line is searched anew where the table has forgotten it.
const AT_ONCE: u32 = 12;

/// Lead of the side to move in the end, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalLead<M> {
    /// Points by which it is ahead at least.
    pub least: i32,
    /// Points by which it is ahead at most.
    pub most: i32,
    /// Best play of both sides. Where only the winner is known, a move that wins; empty where there is none.
    pub line: Vec<M>,
}

/// A search to the end with its table, which is kept from position to position.
#[derive(Debug)]
pub struct EndgameSolver {
    table: BoundsTable,
}

impl EndgameSolver {
    /// With at most `mib` MiB of table.
    pub fn new(mib: usize) -> Self {
        Self { table: BoundsTable::new(mib) }
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// The lead in the end of a position that is not over: `None` if not even its winner was found before the search was stopped or took
    /// too long; and the number of boards looked at.
    pub fn solve<'a, G: Endgame>(
        &self,
        position: &G,
        crew: impl Into<Crew<'a>>,
        time: Option<Duration>,
        stop: &Stop,
        on_progress: &mut dyn FnMut(Progress),
    ) -> (Option<FinalLead<G::Move>>, u64) {
        let Some(board) = position.filling() else { return (None, 0) };
        let (board, _) = to_play(board);
        let work = |count: NodeCount<'_>| EndgameWorker::new(&self.table, count).solve(&board);
        let (_, nodes) = depth_first::solve(crew.into(), time, stop, on_progress, &work);
        (self.known(position), nodes)
    }

    /// The lead in the end of a position, as far as the table knows it; `None` where not even the winner is known.
    fn known<G: Endgame>(&self, position: &G) -> Option<FinalLead<G::Move>> {
        let (board, passes) = to_play(position.filling()?);
        let Bounds { least, most, best } = self.table.get(board.key())?;
        if least <= 0 && most >= 0 && least < most {
            return None;
        }
        let mut line = vec![position.move_to(None); usize::from(passes)];
        if least == most {
            self.append_line(position, board, &mut line);
        } else if least > 0 {
            line.push(position.move_to(Some(best)));
        }
        let (least, most) = if passes { (-most, -least) } else { (least, most) };
        Some(FinalLead { least, most, line })
    }

    /// The best point and the lead in the end of a board on which the side to move can play, by this thread, however long it takes.
    pub(crate) fn best<B: Filling>(&self, board: &B) -> Option<(u64, i32)> {
        let stop = Stop::new();
        let run = DepthRun::alone(&stop);
        let lead = EndgameWorker::new(&self.table, NodeCount::new(&run, 0)).solve(board)?;
        Some((1 << self.table.get(board.key())?.best, lead))
    }

    /// Appends best play from a board whose exact lead is known.
    fn append_line<G: Endgame>(&self, position: &G, mut board: G::Board, line: &mut Vec<G::Move>) {
        while board.placements() != 0 {
            let is_exact = |bounds: &Bounds| bounds.least == bounds.most;
            if self.table.get(board.key()).as_ref().is_none_or(|bounds| !is_exact(bounds))
                && board.empty().count_ones() <= AT_ONCE
            {
                self.best(&board);
            }
            let Some(bounds) = self.table.get(board.key()).filter(is_exact) else { return };
            let Some(after) = board.placed(1 << bounds.best) else { return };
            line.push(position.move_to(Some(bounds.best)));
            let passes;
            (board, passes) = to_play(after);
            line.extend(passes.then(|| position.move_to(None)));
        }
    }
}

#[cfg(test)]
mod tests;
