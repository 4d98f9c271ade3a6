//! Handicaps: usual ones, the engine's, the controller's, and those that servers send as plays.

use std::time::Instant;

use super::GoSession;
use crate::game::{Game, Side};
use crate::games::go::Move;
use crate::search::Budget;
use crate::session::{SearchOptions, Session};

/// Playouts behind each free handicap stone that has no usual place.
const HANDICAP_PLAYOUTS: u64 = 300;

/// Moves behind a handicap by which it is told from a position that is set up.
const SET_UP: usize = 8;

/// Why a handicap is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapError {
    /// Stones have been played.
    BoardNotEmpty,
    /// So many stones cannot be placed.
    Number,
    /// A point is named twice or does not exist.
    Points,
}

impl GoSession {
    /// Says how many stones of the set-up are handicap.
    pub fn set_handicap(&mut self, stones: usize) {
        self.core.change(|position| position.set_handicap(stones));
    }

    /// Places the usual handicap.
    ///
    /// # Errors
    /// [`HandicapError`], and nothing is changed.
    pub fn fixed_handicap(&mut self, stones: usize) -> Result<Vec<usize>, HandicapError> {
        self.check_empty()?;
        let points = self.core.position().fixed_handicap(stones).ok_or(HandicapError::Number)?;
        self.set_free_handicap(&points)?;
        Ok(points)
    }

    /// Places a handicap of the engine's choice.
    ///
    /// # Errors
    /// [`HandicapError`], and nothing is changed.
    pub fn place_free_handicap(&mut self, stones: usize) -> Result<Vec<usize>, HandicapError> {
        self.check_empty()?;
        let position = self.core.position().clone();
        if stones < 2 || stones >= position.points() / 2 {
            return Err(HandicapError::Number);
        }
        let deadline = Instant::now() + self.core.answer_time();
        let usual = (2..=stones).rev().find_map(|n| position.fixed_handicap(n)).unwrap_or_default();
        let mut points = usual;
        while points.len() < stones {
            let mut now = position.clone();
            let placed: Vec<_> = points.iter().map(|&p| (Side::First, p)).collect();
            now.set_up(&placed).map_err(|_| HandicapError::Number)?;
            let left = deadline.saturating_duration_since(Instant::now()) / (stones - points.len()) as u32;
            let budget = Budget { nodes: Some(HANDICAP_PLAYOUTS), time: Some(left), early_stop: false };
            let decision = self.play_out(&now, budget, &SearchOptions::default());
            let next = decision.report.moves.iter().find_map(|m| m.mv.point());
            points.push(next.ok_or(HandicapError::Number)?);
        }
        self.set_free_handicap(&points)?;
        Ok(points)
    }

    /// Places a handicap of the controller's choice.
    ///
    /// # Errors
    /// [`HandicapError`], and nothing is changed.
    pub fn set_free_handicap(&mut self, points: &[usize]) -> Result<(), HandicapError> {
        self.check_empty()?;
        if points.len() < 2 {
            return Err(HandicapError::Number);
        }
        let stones: Vec<_> = points.iter().map(|&p| (Side::First, p)).collect();
        self.set_up(&stones).map_err(|_| HandicapError::Points)?;
        self.set_handicap(points.len());
        self.set_to_move(Side::Second);
        self.free_handicap = points.len();
        Ok(())
    }

    /// Counts as a handicap what Black plays on an empty board before White's first move, where that is more than one stone: servers
    /// send handicaps so. Where the turns do not change at once behind it, or behind a free handicap, a position is set up, as Sabaki
    /// does it.
    pub(super) fn count_handicap(&mut self) {
        let history = self.core.history();
        let is_bare = Side::BOTH.iter().all(|&side| history.start().stones(side) == 0);
        let moves = history.moves();
        let plays = moves.iter().take_while(|&&(side, mv)| side == Side::First && mv != Move::PASS).count();
        let plays = if self.free_handicap > 0 { 0 } else { plays };
        let behind = &moves[plays..moves.len().min(plays + SET_UP)];
        let sets_up = behind.windows(2).any(|pair| pair[0].0 == pair[1].0);
        if self.free_handicap > 0 {
            let stones = if sets_up { 0 } else { self.free_handicap };
            if self.core.position().handicap() != stones {
                self.set_handicap(stones);
            }
            return;
        }
        let stones = if is_bare && plays > 1 && !sets_up { plays } else { 0 };
        if stones != self.played_handicap {
            self.played_handicap = stones;
            self.set_handicap(stones);
        }
    }

    fn check_empty(&self) -> Result<(), HandicapError> {
        let position = self.core.position();
        let empty = [Side::First, Side::Second].into_iter().all(|side| position.stones(side) == 0);
        if empty && self.core.history().moves().is_empty() { Ok(()) } else { Err(HandicapError::BoardNotEmpty) }
    }
}

#[cfg(test)]
mod tests;
