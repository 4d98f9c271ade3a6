//! Late positions, for searches to the end of the game.

use super::discs::{Bits, Discs};
use super::position::{Move, Position};
use crate::game::Game;
use crate::game::filling::{Endgame, Filling};
use crate::rng::mix;

/// Quarters of the board.
const QUARTERS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
/// Promise of a move by what it leaves the opponent: moves, and empty points beside discs that he may come to turn.
const MOVE: i32 = -16;
const OPEN: i32 = -4;
/// Promise of a move into a corner, and into a quarter with an odd number of empty points, where the side to move comes last.
const CORNER: i32 = 24;
const ODD: i32 = 6;

/// Number of empty points beside the side's discs. Discs in outer columns count up and down only.
fn open(board: &Discs<u64>) -> u32 {
    let (row, discs) = (<u64 as Bits>::STRIDE, board.own);
    let inner = discs & board.inner;
    let [above_below, beside, falling, rising] = [(discs, row), (inner, 1), (inner, row + 1), (inner, row - 1)]
        .map(|(discs, step)| discs << step | discs >> step);
    ((above_below | beside | falling | rising) & board.empty()).count_ones()
}

impl Filling for Discs<u64> {
    fn empty(&self) -> u64 {
        Self::empty(self)
    }

    fn placements(&self) -> u64 {
        Self::placements(self)
    }

    fn placed(&self, at: u64) -> Option<Self> {
        let turned = self.turned(at);
        (turned != 0).then_some(Self { own: self.other & !turned, other: self.own | at | turned, ..*self })
    }

    fn passed(&self) -> Self {
        self.turned_round()
    }

    fn lead(&self) -> i32 {
        self.own.count_ones() as i32 - self.other.count_ones() as i32
    }

    fn points(&self) -> i32 {
        self.board.count_ones() as i32
    }

    fn is_limited_to(&self, lead: i32) -> bool {
        // Discs of the opponent that stay count against the side.
        let limit = |discs: u64| self.points() - 2 * discs.count_ones() as i32;
        limit(self.other) <= lead && limit(self.turned_round().stable()) <= lead
    }

    fn early(&self) -> u64 {
        let empty = self.empty();
        QUARTERS.into_iter().filter(|quarter| (quarter & empty).count_ones() % 2 == 1).sum()
    }

    fn promise(&self, at: u64, after: &Self) -> i32 {
        let (moves, corners) = (after.placements(), self.corners());
        let left = MOVE * (moves.count_ones() + (moves & corners).count_ones()) as i32;
        let exposed = OPEN * open(&after.turned_round()) as i32;
        let into = |set: u64, worth| if at & set == 0 { 0 } else { worth };
        left + exposed + into(corners, CORNER) + into(self.early(), ODD)
    }

    fn key(&self) -> u64 {
        // An odd factor makes boards of different sides differ.
        mix(mix(self.own) ^ self.other ^ self.board.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Endgame for Position {
    type Board = Discs<u64>;

    fn filling(&self) -> Option<Discs<u64>> {
        self.is_small().then(|| self.seen_by(self.to_move()))
    }

    fn move_to(&self, bit: Option<u32>) -> Move {
        bit.map_or(Move::PASS, |bit| Move::at(self.point(bit as usize)))
    }
}
