//! A thread of a search to the end: alpha-beta in which all moves but the first are only shown to be no better (principal variation
//! search). The most promising moves come first, which are those that leave the opponent few.

use super::table::{Bounds, BoundsTable};
use crate::game::filling::{Filling, points};
use crate::search::depth_first::{self, FOUND, NodeCount, Tried, UNKNOWN};

/// Fewest empty points with which moves are put in order and bounds are kept: with fewer that costs more than it saves.
const ORDERED: u32 = 7;
/// Noise in the order of moves, by which threads differ.
const NOISE: u64 = 16;

/// A thread.
#[derive(Debug)]
pub(super) struct EndgameWorker<'a, B> {
    table: &'a BoundsTable,
    count: NodeCount<'a>,
    /// Moves of all boards on the way to this one.
    moves: Vec<Tried<B>>,
}

impl<'a, B: Filling> EndgameWorker<'a, B> {
    pub(super) fn new(table: &'a BoundsTable, count: NodeCount<'a>) -> Self {
        Self { table, count, moves: Vec::new() }
    }

    /// Searches a board on which the side to move can play until its exact lead is known, which the table keeps with the best move:
    /// first who wins, then by how much. `None` if the search was stopped.
    pub(super) fn solve(&mut self, board: &B) -> Option<i32> {
        let sign = self.ordered(board, -1, 1);
        let lead = sign.and_then(|sign| match sign.signum() {
            1 => self.ordered(board, sign - 1, board.points()),
            -1 => self.ordered(board, -board.points(), sign + 1),
            _ => sign.into(),
        });
        self.count.tell();
        lead
    }

    /// The lead of the side to move in the end: exact between the two, and at most `low` or at least `high` where it is no more or no less.
    /// `None` if the search was stopped.
    fn search(&mut self, board: &B, low: i32, high: i32) -> Option<i32> {
        if board.empty().count_ones() < ORDERED {
            return Some(self.shallow(board, low, high));
        }
        if board.placements() != 0 {
            return self.ordered(board, low, high);
        }
        let passed = board.passed();
        if passed.placements() == 0 {
            return Some(board.lead());
        }
        Some(-self.ordered(&passed, -high, -low)?)
    }

    /// [`EndgameWorker::search`] of a board on which the side to move can play.
    fn ordered(&mut self, board: &B, low: i32, high: i32) -> Option<i32> {
        if self.count.is_over() {
            return None;
        }
        if board.is_limited_to(low) {
            return Some(low);
        }
        let key = board.key();
        let known = self.table.get(key);
        let mut bounds = known.unwrap_or(Bounds { least: -board.points(), most: board.points(), best: UNKNOWN });
        if bounds.least >= high || bounds.least == bounds.most {
            return Some(bounds.least);
        }
        if bounds.most <= low {
            return Some(bounds.most);
        }
        let (low, high) = (low.max(bounds.least), high.min(bounds.most));
        let from = self.moves.len();
        let lead = self.write_down(board, high, bounds.best).or_else(|| self.best(from, low, high));
        self.moves.truncate(from);
        let (lead, best) = lead?;
        if lead > low {
            bounds.least = lead;
        }
        if lead > low || bounds.best == UNKNOWN {
            bounds.best = best;
        }
        if lead < high {
            bounds.most = lead;
        }
        self.table.put(key, board.empty().count_ones(), bounds);
        Some(lead)
    }

    /// Writes down the moves of a board, of which `found` was the best before. A lead of at least `high`, and the bit
    /// of the move to it, if the table knows of one.
    fn write_down(&mut self, board: &B, high: i32, found: u32) -> Option<(i32, u32)> {
        let is_deep = board.empty().count_ones() > ORDERED;
        for at in points(board.placements()) {
            let Some(after) = board.placed(at) else { continue };
            let (bit, key) = (at.trailing_zeros(), after.key());
            if is_deep
                && let Some(bounds) = self.table.get(key)
                && -bounds.most >= high
            {
                return Some((-bounds.most, bit));
            }
            let noise = || self.count.noise(|| key, NOISE) as i32;
            let promise = if bit == found { FOUND } else { board.promise(at, &after) + noise() };
            self.moves.push(Tried { promise, bit, after });
        }
        None
    }

    /// The best lead by the moves from there on, as [`EndgameWorker::search`] says, and the bit of its move.
    fn best(&mut self, from: usize, low: i32, high: i32) -> Option<(i32, u32)> {
        let search = |worker: &mut Self, after: &B, low, high| worker.search(after, low, high);
        depth_first::best(self, |worker| &mut worker.moves, from, (low, high), search)
    }

    /// [`EndgameWorker::search`] where few points are empty: without an order and without the table.
    fn shallow(&mut self, board: &B, low: i32, high: i32) -> i32 {
        self.count.add();
        let empty = board.empty();
        if empty.is_power_of_two() {
            let after = |board: &B| board.placed(empty).map(|after| -after.lead());
            return after(board).or_else(|| after(&board.passed()).map(|lead| -lead)).unwrap_or_else(|| board.lead());
        }
        if let Some(lead) = self.unordered(board, empty, low, high) {
            return lead;
        }
        let passed = board.passed();
        match self.unordered(&passed, empty, -high, -low) {
            Some(lead) => -lead,
            None => board.lead(),
        }
    }

    /// The best lead by the moves to those points; `None` where there is none.
    fn unordered(&mut self, board: &B, empty: u64, mut low: i32, high: i32) -> Option<i32> {
        let (early, mut best) = (board.early(), None);
        for at in points(empty & early).chain(points(empty & !early)) {
            let Some(after) = board.placed(at) else { continue };
            let lead = -self.shallow(&after, -high, -low);
            if best.is_none_or(|best| lead > best) {
                best = Some(lead);
            }
            if lead >= high {
                break;
            }
            low = low.max(lead);
        }
        best
    }
}
