//! Territory: who is nearer to which empty points, in moves of a queen and in steps of a king.

use super::moves::{kings, queens};
use super::position::Position;
use crate::game::Side;

/// Points that a side is nearer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Territory {
    /// Number of points of each side.
    pub own: [u32; 2],
    /// Number of points that both sides reach in as many moves.
    pub shared: u32,
}

impl Position {
    fn race(&self, step: fn(u128, u128) -> u128) -> Territory {
        let free = self.free();
        let mut front = Side::BOTH.map(|side| self.amazons(side));
        let (mut reached, mut own, mut shared) = ([0_u128; 2], [0_u128; 2], 0_u128);
        while front != [0; 2] {
            let next: [u128; 2] = std::array::from_fn(|side| step(front[side], free) & !reached[side]);
            for side in 0..2 {
                own[side] |= next[side] & !reached[1 - side] & !next[1 - side];
            }
            shared |= next[0] & next[1];
            reached = [reached[0] | next[0], reached[1] | next[1]];
            front = next;
        }
        Territory { own: own.map(u128::count_ones), shared: shared.count_ones() }
    }

    /// Territory by moves of a queen.
    pub fn by_queens(&self) -> Territory {
        self.race(queens)
    }

    /// Territory by steps of a king.
    pub fn by_kings(&self) -> Territory {
        self.race(kings)
    }

    /// Number of points that a side can still reach.
    pub fn reach(&self, side: Side) -> u32 {
        let (free, mut reached) = (self.free(), self.amazons(side));
        loop {
            let next = reached | kings(reached, free);
            if next == reached {
                return (reached & free).count_ones();
            }
            reached = next;
        }
    }
}
