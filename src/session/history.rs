//! A game's moves from its start, and undo to any depth by replay.

use crate::game::{Game, Side};

/// The start of a game, the moves since, and where they led.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    start: G,
    moves: Vec<(Side, G::Move)>,
    now: G,
}

impl<G: Game> History<G> {
    /// A game that begins with `start`.
    pub fn new(start: G) -> Self {
        Self { now: start.clone(), start, moves: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &G {
        &self.now
    }

    /// The position before the first move.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The moves so far.
    pub fn moves(&self) -> &[(Side, G::Move)] {
        &self.moves
    }

    /// Plays a move for `side`, whoever's turn it is. It must be legal for that side.
    pub fn play(&mut self, side: Side, mv: G::Move) {
        self.now.set_to_move(side);
        self.now.play(mv);
        self.moves.push((side, mv));
    }

    /// Takes `count` moves back; `false`, and nothing changes, if there are not so many.
    pub fn undo(&mut self, count: usize) -> bool {
        let Some(kept) = self.moves.len().checked_sub(count) else { return false };
        self.moves.truncate(kept);
        self.replay();
        true
    }

    /// Changes something that holds for the whole game (komi, rules, who is to move at the start).
    pub fn change(&mut self, change: impl Fn(&mut G)) {
        change(&mut self.start);
        change(&mut self.now);
    }

    /// As [`History::change`], where the memory of the position depends on the change: the moves are played again.
    pub fn change_past(&mut self, change: impl Fn(&mut G)) {
        let side = self.now.to_move();
        change(&mut self.start);
        self.replay();
        if self.now.to_move() != side {
            self.now.set_to_move(side);
        }
    }

    /// The position now, made again from the start.
    pub fn replay(&mut self) {
        self.now.clone_from(&self.start);
        for &(side, mv) in &self.moves {
            self.now.set_to_move(side);
            self.now.play(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::go::{Move, Position, Rules};

    #[test]
    fn undo_goes_back_through_captures_and_double_moves() {
        let mut history = History::new(Position::new(Size::square(3), Rules::CHINESE, 0.0));
        let mut keys = vec![history.position().key()];
        let plays = [(Side::Second, 0), (Side::First, 1), (Side::First, 3), (Side::Second, 8)];
        for (side, point) in plays {
            history.play(side, Move::at(point));
            keys.push(history.position().key());
        }
        assert_eq!(history.position().lost(Side::Second), 1);
        for &key in keys[..4].iter().rev() {
            assert!(history.undo(1));
            assert_eq!(history.position().key(), key);
        }
        assert!(!history.undo(1));
        assert!(history.undo(0));
    }
}
