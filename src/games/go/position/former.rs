//! The boards one and two moves ago: kept as what the moves since have changed.

use super::super::board::{NOWHERE, Point, Stone};
use super::Position;

/// Stones that the last two moves took off, and the ko points before them; the latest first.
#[derive(Debug)]
pub(super) struct Former {
    kos: [Point; 2],
    /// Numbers of stones that they took off.
    removed: [u16; 2],
    /// Places of these stones, those of the earlier move first.
    stones: Vec<Point>,
}

impl Default for Former {
    fn default() -> Self {
        Self { kos: [NOWHERE; 2], removed: [0; 2], stones: Vec::new() }
    }
}

impl Clone for Former {
    fn clone(&self) -> Self {
        Self { stones: self.stones.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        (self.kos, self.removed) = (source.kos, source.removed);
        if !(self.stones.is_empty() && source.stones.is_empty()) {
            self.stones.clone_from(&source.stones);
        }
    }
}

impl Former {
    /// Adds a move before which that was the ko point, and that took those stones off.
    #[inline]
    pub(super) fn add(&mut self, ko: Point, removed: &[Point]) {
        self.kos = [ko, self.kos[0]];
        if !(removed.is_empty() && self.removed == [0; 2]) {
            self.replace(removed);
        }
    }

    fn replace(&mut self, removed: &[Point]) {
        self.stones.drain(..usize::from(self.removed[1]));
        self.stones.extend_from_slice(removed);
        self.removed = [removed.len() as u16, self.removed[0]];
    }

    /// Stones that the move so long ago (0 is the last one) took off.
    fn removed_by(&self, age: usize) -> &[Point] {
        let (earlier, last) = self.stones.split_at(usize::from(self.removed[1]));
        if age == 0 { last } else { earlier }
    }
}

impl Position {
    /// Turns the stones of all points after the move that was made so long ago (0 is the last one, 1 the one before it) into
    /// those before it, and returns the ko point of that board. There must be so many [`Position::moves_in_turn`].
    pub(in super::super) fn take_back(&self, age: usize, stones: &mut [Stone]) -> Point {
        if let Some(played) = self.last[age].point() {
            let mover = if age == 0 { self.to_move.opponent() } else { self.to_move };
            let removed = self.former.removed_by(age).iter().map(|&point| self.board.index(point));
            let suicide = removed.clone().any(|index| index == played);
            let owner = if suicide { mover } else { mover.opponent() };
            removed.for_each(|index| stones[index] = Stone::of(owner));
            stones[played] = Stone::Empty;
        }
        self.former.kos[age]
    }
}
