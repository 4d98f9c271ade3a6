//! A thread of a search of the middle game: alpha-beta in which all moves but the first are only shown to be no better (principal
//! variation search), deeper and deeper.

use super::table::{DepthBounds, DepthTable};
use crate::game::filling::{Appraiser, Filling, points};
use crate::search::depth_first::{self, FOUND, NodeCount, Tried, UNKNOWN};

/// Fewest plies with which bounds are kept and moves put in order.
const ORDERED: u32 = 2;
/// Noise in the order of moves, by which threads differ.
const NOISE: u64 = 16;
/// More than any value.
pub(super) const INFINITE: i32 = 30_000;
/// Plies from which a shallow search may stand for the whole one, and how far its value must be beyond the bound, in standard deviations.
const PROBED: u32 = 5;
const BEYOND: f32 = 1.1;

/// A thread.
#[derive(Debug)]
pub(super) struct MiddleWorker<'a, B, A> {
    table: &'a DepthTable,
    appraiser: &'a A,
    pub(super) count: NodeCount<'a>,
    /// Most boards that all threads may look at.
    limit: u64,
    /// Moves of all boards on the way to this one.
    moves: Vec<Tried<B>>,
}

/// Value of a board without a search: exact where it is full.
pub(super) fn glance<B: Filling, A: Appraiser<B>>(appraiser: &A, board: &B) -> i32 {
    if board.empty() == 0 { board.lead() * A::UNIT } else { appraiser.value(board) }
}

impl<'a, B: Filling, A: Appraiser<B>> MiddleWorker<'a, B, A> {
    pub(super) fn new(table: &'a DepthTable, appraiser: &'a A, count: NodeCount<'a>, limit: u64) -> Self {
        Self { table, appraiser, count, limit, moves: Vec::new() }
    }

    /// Value of a board to the side to move by so many plies: exact between the two, and at most `low` or at least `high` where it is no more
    /// or no less. `None` if the search was stopped.
    pub(super) fn search(&mut self, board: &B, depth: u32, low: i32, high: i32) -> Option<i32> {
        if depth == 0 {
            self.count.add();
            return Some(glance(self.appraiser, board));
        }
        if self.count.is_over() || self.count.all() > self.limit {
            return None;
        }
        let moves = board.placements();
        if moves == 0 {
            let passed = board.passed();
            if passed.placements() == 0 {
                return Some(board.lead() * A::UNIT);
            }
            return Some(-self.search(&passed, depth, -high, -low)?);
        }
        if depth < ORDERED {
            return Some(self.leaves(board, moves, high));
        }
        self.ordered(board, moves, depth, low, high)
    }

    /// The best of the boards after those moves, at a glance.
    fn leaves(&mut self, board: &B, moves: u64, high: i32) -> i32 {
        let mut best = -INFINITE;
        for after in points(moves).filter_map(|at| board.placed(at)) {
            self.count.add();
            best = best.max(-glance(self.appraiser, &after));
            if best >= high {
                break;
            }
        }
        best
    }

    /// [`MiddleWorker::search`] with the table, and with moves in order.
    fn ordered(&mut self, board: &B, moves: u64, depth: u32, low: i32, high: i32) -> Option<i32> {
        let key = board.key();
        let known = self.table.get(key);
        let mut found = known.map_or(UNKNOWN, |known| known.best);
        if let Some(known) = known.filter(|known| known.depth >= depth) {
            if known.least >= high || known.least == known.most {
                return Some(known.least);
            }
            if known.most <= low {
                return Some(known.most);
            }
        }
        if let Some(value) = self.probe(board, depth, low, high)? {
            return Some(value);
        }
        if found == UNKNOWN && depth > 3 && high - low > 1 {
            self.ordered(board, moves, depth - 2, low, high)?;
            found = self.table.get(key).map_or(UNKNOWN, |known| known.best);
        }
        let from = self.moves.len();
        self.write_down(board, moves, depth, found);
        let result = self.best(from, depth, low, high);
        self.moves.truncate(from);
        let (value, best) = result?;
        let least = if value > low { value } else { -INFINITE };
        let most = if value < high { value } else { INFINITE };
        let best = if value > low || found == UNKNOWN { best } else { found };
        self.table.put(key, DepthBounds { depth, least, most, best });
        Some(value)
    }

    /// A bound of the value, if a shallow search is so far beyond it that the whole one would hardly come back. Only bounds are asked for.
    fn probe(&mut self, board: &B, depth: u32, low: i32, high: i32) -> Option<Option<i32>> {
        if depth < PROBED || high - low > 1 || board.empty().count_ones() <= depth {
            return Some(None);
        }
        let shallow = depth / 2 - (depth / 2 + depth) % 2;
        let margin = (BEYOND * self.appraiser.spread(board, shallow, depth) * A::UNIT as f32) as i32;
        let glance = glance(self.appraiser, board);
        if glance >= high {
            let bound = high + margin;
            if self.search(board, shallow, bound - 1, bound)? >= bound {
                return Some(Some(high));
            }
        }
        if glance <= low {
            let bound = low - margin;
            if self.search(board, shallow, bound, bound + 1)? <= bound {
                return Some(Some(low));
            }
        }
        Some(None)
    }

    /// Writes down the moves of a board, of which `found` was the best before.
    fn write_down(&mut self, board: &B, moves: u64, depth: u32, found: u32) {
        for at in points(moves) {
            let Some(after) = board.placed(at) else { continue };
            let bit = at.trailing_zeros();
            let promise = if bit == found {
                FOUND
            } else if depth > 2 {
                let noise = self.count.noise(|| after.key(), NOISE) as i32;
                self.count.add();
                board.promise(at, &after) - 4 * glance(self.appraiser, &after) + noise
            } else {
                board.promise(at, &after)
            };
            self.moves.push(Tried { promise, bit, after });
        }
    }

    /// The best value by the moves from there on, as [`MiddleWorker::search`] says, and the bit of its move.
    fn best(&mut self, from: usize, depth: u32, low: i32, high: i32) -> Option<(i32, u32)> {
        let search = |worker: &mut Self, after: &B, low, high| worker.search(after, depth - 1, low, high);
        depth_first::best(self, |worker| &mut worker.moves, from, (low, high), search)
    }
}
