//! Whether to bring a position about again: the rule alone. Knows no search but its report.

use super::history::History;
use crate::game::Game;
use crate::games::go::rules::Ko;
use crate::games::go::{Move, Position};
use crate::search::{MoveReport, Report};

/// Times that a position was there before a game has no result by rules with simple ko.
const TWICE: usize = 2;
/// A move that costs less than this of the expected result is as good as one that repeats.
const LIKE: f32 = 0.05;
/// A move is known with one in so many of the position's visits.
const LEAST_SHARE: u64 = 64;
/// An expected result below this is a lost game, in which a pass is as good as anything.
const LOST: f32 = 0.1;

/// The arrangements of a game so far, by rules that let them come back; none where they do not.
pub(super) struct Arrangements(Vec<u64>);

impl Arrangements {
    pub(super) fn of(history: &History<Position>) -> Self {
        if history.position().rules().ko != Ko::Simple {
            return Self(Vec::new());
        }
        let mut position = history.start().clone();
        let mut all = vec![position.arrangement()];
        for &(side, mv) in history.moves() {
            position.set_to_move(side);
            position.play(mv);
            all.push(position.arrangement());
        }
        Self(all)
    }

    /// How often the position after a move was there.
    fn times(&self, position: &Position, mv: Move) -> usize {
        if self.0.is_empty() || !position.is_legal(mv) {
            return 0;
        }
        let mut next = position.clone();
        next.play(mv);
        self.0.iter().filter(|&&arrangement| arrangement == next.arrangement()).count()
    }

    /// The move in the place of one that brings a position about for the third time: another one of like value, or a pass. If there is
    /// none, the repetition saves the game, but only once: who goes on after that plays by rules that give nothing for it.
    pub(super) fn instead(
        &self,
        position: &Position,
        mv: Move,
        report: &Report<Move>,
        allowed: impl Fn(Move) -> bool,
    ) -> Move {
        let times = if mv == Move::PASS { 0 } else { self.times(position, mv) };
        if times < TWICE {
            return mv;
        }
        let value = report.moves.iter().find(|m| m.mv == mv).map_or(report.winrate, |m| m.mean);
        let known = |other: &MoveReport<Move>| other.visits > 0 && LEAST_SHARE * other.visits >= report.visits;
        let repeats = |other: Move| other != Move::PASS && self.times(position, other) >= TWICE;
        let others = report.moves.iter().filter(|other| known(other) && allowed(other.mv) && !repeats(other.mv));
        let like = others.into_iter().find(|other| other.mean >= value - LIKE || times > TWICE);
        match like {
            Some(other) => other.mv,
            None if (value < LOST || times > TWICE) && allowed(Move::PASS) => Move::PASS,
            None => mv,
        }
    }
}

#[cfg(test)]
mod tests;
