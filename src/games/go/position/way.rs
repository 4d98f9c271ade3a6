//! Ways that come back to where they were, by rules that do not forbid it: then a game ends without a result, as KataGo has it.

use super::super::board::Board;
use super::{Ko, Move, Position, turn_key};
use crate::rng::mix;

/// Most stones, and most liberties, of a chain that is put and taken within a short cycle.
const SMALL: usize = 2;

/// Positions since the last move that is part of no short cycle. What is put on the board in a cycle is taken off again in it. A pass
/// breaks cycles.
#[derive(Debug, Default)]
pub(super) struct Way {
    /// Stones and sides to move of those positions, none unless a stone was taken among them.
    passed: Vec<u64>,
    /// Hash of them all, in their order.
    key: u64,
    /// Whether the last one was there before.
    is_round: bool,
}

impl Clone for Way {
    fn clone(&self) -> Self {
        Self { passed: self.passed.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        (self.key, self.is_round) = (source.key, source.is_round);
        if !(self.passed.is_empty() && source.passed.is_empty()) {
            self.passed.clone_from(&source.passed);
        }
    }
}

impl Way {
    /// Begins anew.
    #[inline]
    pub(super) fn end(&mut self) {
        if !self.passed.is_empty() {
            *self = Self::default();
        }
    }

    fn add(&mut self, position: u64) {
        self.is_round = self.passed.contains(&position);
        self.key = mix(self.key ^ position);
        self.passed.push(position);
    }
}

/// Whether the chain that a move has put or joined may be taken soon.
#[inline]
fn is_small(board: &Board, mv: Move) -> bool {
    mv.point().is_some_and(|index| {
        let point = board.point(index);
        !board.is_empty(point) && board.chain_stones(point) <= SMALL && board.liberty_sides(point) <= SMALL
    })
}

impl Position {
    /// Stones and side to move, whatever the last moves were.
    #[inline]
    pub(crate) fn arrangement(&self) -> u64 {
        self.board.hash() ^ turn_key(self.to_move)
    }

    /// Adds the move that was just made, with the arrangement before it and the number of stones that it took.
    #[inline]
    pub(super) fn go_on(&mut self, mv: Move, before: u64, removed: u32) {
        if self.rules.ko != Ko::Simple || !is_small(&self.board, mv) {
            return self.way.end();
        }
        if self.way.passed.is_empty() {
            if removed == 0 {
                return;
            }
            self.way.add(before);
        }
        self.way.add(self.arrangement());
    }

    /// Hash of the way here, as far as it could go round.
    #[inline]
    pub(super) fn way_hash(&self) -> u64 {
        self.way.key
    }

    /// Whether the way here has gone round. A question about one point is none of how a game ends.
    #[inline]
    pub(super) fn way_is_round(&self) -> bool {
        self.way.is_round && self.stake.is_none()
    }
}
