//! Hex as a [`Game`]: a board, whose turn it is, and the swap.

use thiserror::Error;

use super::board::{Board, Cell};
use super::connection::Findings;
use super::knowledge;
use super::moves::{Illegal, Move};
use crate::game::{Game, Outcome, Side, Verdict};
use crate::games::{Size, Spelled};

/// Why stones cannot be set up.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SetUpError {
    /// There is no such cell.
    #[error("cell {0} is outside the board")]
    Outside(usize),
    /// Two stones on one cell.
    #[error("cell {0} is named twice")]
    Twice(usize),
}

/// A position of Hex.
#[derive(Debug)]
pub struct Position {
    pub(super) board: Board,
    to_move: Side,
    swap_allowed: bool,
    /// Whether no swap comes any more in a game that is played with the rule.
    swap_over: bool,
    plies: usize,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { board: self.board.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { board, to_move, swap_allowed, swap_over, plies } = self;
        board.clone_from(&source.board);
        (*to_move, *plies) = (source.to_move, source.plies);
        (*swap_allowed, *swap_over) = (source.swap_allowed, source.swap_over);
    }
}

const TURN_KEY: u64 = 0xbb67_ae85_84ca_a73b;
/// Distinguishes the position after one move in which the swap is still possible.
const SWAP_KEY: u64 = 0x3c6e_f372_fe94_f82b;

impl Position {
    /// The empty board, `First` to move, no swap.
    ///
    /// # Panics
    /// If the board is not in [`Spelled::BOARDS`].
    pub fn new(size: Size) -> Self {
        assert!(Self::BOARDS.contains(size), "no such board: {size:?}");
        Self { board: Board::new(size), to_move: Side::First, swap_allowed: false, swap_over: false, plies: 0 }
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// Whether the game is played with the swap rule.
    pub fn swap_allowed(&self) -> bool {
        self.swap_allowed
    }

    /// Switches the swap rule on or off.
    pub fn set_swap_allowed(&mut self, allowed: bool) {
        (self.swap_allowed, self.swap_over) = (allowed, false);
    }

    /// The game goes on without a swap: the sides have exchanged colours.
    pub fn end_swap(&mut self) {
        self.swap_over = true;
    }

    /// The side that has connected its edges.
    pub fn winner(&self) -> Option<Side> {
        self.board.winner()
    }

    /// The stone at a cell.
    pub fn stone(&self, index: usize) -> Option<Side> {
        self.board.stone(index)
    }

    /// Number of stones on the board.
    pub fn stones(&self) -> usize {
        self.board.stones()
    }

    /// The place of cell number `index` in the bordered array.
    #[inline]
    pub(crate) fn place(&self, index: usize) -> Cell {
        self.board.place(index)
    }

    fn is_square(&self) -> bool {
        self.size().width == self.size().height
    }

    /// Whether the swap is possible now: `Second` answers `First`'s only stone. A game that `Second` begins has none: HexGui tells of a
    /// swap by a person as White's stone on an empty board, already mirrored, and Black moves next.
    pub(crate) fn can_swap(&self) -> bool {
        let comes = self.swap_allowed && !self.swap_over && self.stones() == 1 && self.plies == 1;
        comes && self.to_move == Side::Second && self.winner().is_none() && self.is_square() && self.is_firsts_stone()
    }

    /// Whether a stone on the board is `First`'s.
    fn is_firsts_stone(&self) -> bool {
        (0..self.points()).any(|cell| self.stone(cell) == Some(Side::First))
    }

    /// Whether the swap is possible now or after the next move, so that a first stone is not the first player's yet.
    pub(crate) fn may_be_swapped(&self) -> bool {
        let comes = self.swap_allowed && !self.swap_over && self.plies == 0 && self.stones() == 0;
        comes && self.to_move == Side::First && self.is_square() || self.can_swap()
    }

    /// Why `side` may not play `mv` here, if it may not. Says nothing of whose turn it is.
    ///
    /// # Errors
    /// The rule that the move breaks.
    pub fn check(&self, side: Side, mv: Move) -> Result<(), Illegal> {
        match mv.cell() {
            None if self.can_swap() && side == self.to_move => Ok(()),
            None if !self.swap_allowed => Err(Illegal::NoSwap),
            None => Err(Illegal::Swap),
            Some(index) if index >= self.points() => Err(Illegal::Outside),
            Some(index) if self.stone(index).is_some() => Err(Illegal::Occupied),
            Some(_) if self.winner().is_some() => Err(Illegal::GameOver),
            Some(_) => Ok(()),
        }
    }

    /// Puts stones on a board that is cleared first, and begins the game there with `First` to move. The swap rule stays.
    ///
    /// # Errors
    /// [`SetUpError`], and nothing is changed.
    pub fn set_up(&mut self, stones: &[(Side, usize)]) -> Result<(), SetUpError> {
        let mut fresh = Self::new(self.size());
        fresh.swap_allowed = self.swap_allowed;
        for &(side, index) in stones {
            if index >= self.points() {
                return Err(SetUpError::Outside(index));
            }
            if fresh.stone(index).is_some() {
                return Err(SetUpError::Twice(index));
            }
            fresh.board.put(index, side);
        }
        *self = fresh;
        Ok(())
    }

    /// Takes the only stone off and puts it back mirrored, in the other colour.
    fn swap(&mut self) {
        let stone = (0..self.points()).find_map(|i| self.stone(i).map(|side| (side, i)));
        if let Some((side, index)) = stone {
            let (x, y) = self.size().xy(index);
            let mut fresh = Self::new(self.size());
            fresh.swap_allowed = self.swap_allowed;
            fresh.board.put(self.size().index(y, x), side.opponent());
            fresh.plies = self.plies;
            *self = fresh;
        }
    }
}

impl Game for Position {
    type Move = Move;
    type Findings = Findings;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn set_to_move(&mut self, side: Side) {
        self.to_move = side;
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.winner().is_some() {
            return;
        }
        moves.extend((0..self.points()).filter(|&i| self.stone(i).is_none()).map(Move::at));
        if self.can_swap() {
            moves.push(Move::SWAP);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.check(self.to_move, mv).is_ok()
    }

    fn play(&mut self, mv: Move) {
        let side = self.to_move;
        match mv.cell() {
            Some(index) => self.board.put(index, side),
            None => self.swap(),
        }
        self.to_move = side.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner().map(|winner| Outcome::of(Some(winner), 0.0))
    }

    fn proven(&self) -> Option<(Side, u32)> {
        if self.can_swap() { None } else { knowledge::proven(&self.board, self.to_move) }
    }

    fn decisive(&self, moves: &[Move], decisive: &mut Vec<bool>) {
        if self.can_swap() {
            decisive.clear();
            decisive.resize(moves.len(), true);
        } else {
            knowledge::decisive(&self.board, self.to_move, moves, decisive);
        }
    }

    fn solved(&self, findings: &Findings, moves: &[Move], verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        verdicts.resize(moves.len(), Verdict::Open);
        if !self.may_be_swapped() && self.winner().is_none() {
            knowledge::solved(&self.board, self.to_move, findings, moves, verdicts);
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        let turn = if self.to_move == Side::First { 0 } else { TURN_KEY };
        self.board.hash() ^ turn ^ if self.can_swap() { SWAP_KEY } else { 0 }
    }

    fn move_count(&self) -> usize {
        self.points() + 1
    }

    fn index(&self, mv: Move) -> usize {
        mv.cell().unwrap_or(self.points())
    }

    fn move_at(&self, index: usize) -> Move {
        if index == self.points() { Move::SWAP } else { Move::at(index) }
    }

    fn points(&self) -> usize {
        self.board.points()
    }

    fn plies(&self) -> usize {
        self.plies
    }
}

#[cfg(test)]
pub(crate) mod tests;
