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

    /// Gives the turn to `side`, until the next move or the last one is taken back. Before the first move that is who begins.
    pub fn give_turn(&mut self, side: Side) {
        self.now.set_to_move(side);
        if self.moves.is_empty() {
            self.start.set_to_move(side);
        }
    }

    /// Takes `count` moves back; `false`, and nothing changes, if there are not so many.
    pub fn undo(&mut self, count: usize) -> bool {
        let Some(kept) = self.moves.len().checked_sub(count) else { return false };
        if count > 0 {
            self.moves.truncate(kept);
            self.play_again();
        }
        true
    }

    /// Changes something that holds for the whole game (komi, rules).
    pub fn change(&mut self, change: impl Fn(&mut G)) {
        change(&mut self.start);
        change(&mut self.now);
    }

    /// As [`History::change`], where the memory of the position depends on the change: the moves are played again.
    pub fn change_past(&mut self, change: impl Fn(&mut G)) {
        change(&mut self.start);
        self.replay();
    }

    /// The position now, made again from the start. The turn stays where it is.
    pub fn replay(&mut self) {
        let side = self.now.to_move();
        self.play_again();
        if self.now.to_move() != side {
            self.now.set_to_move(side);
        }
    }

    fn play_again(&mut self) {
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

    #[test]
    fn a_turn_that_is_given_is_not_who_began() {
        let mut history = History::new(Position::new(Size::square(3), Rules::CHINESE, 0.0));
        history.play(Side::First, Move::at(0));
        history.give_turn(Side::First);
        assert!(history.undo(0));
        history.change(|position| position.set_komi(1.0));
        history.change_past(|position| position.set_komi(2.0));
        history.replay();
        assert_eq!((history.start().to_move(), history.position().to_move()), (Side::First, Side::First));
        history.play(Side::First, Move::at(1));
        assert!(history.undo(1));
        assert_eq!(history.position().to_move(), Side::Second);
        assert!(history.undo(1));
        history.give_turn(Side::Second);
        assert_eq!((history.start().to_move(), history.position().to_move()), (Side::Second, Side::Second));
    }
}
