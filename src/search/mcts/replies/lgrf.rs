//! Last good replies with forgetting: what the winner of the last playout answered to one and to two moves.
//! (H. Baier and P. Drake, *The power of forgetting*, 2010.)

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::game::Side;

/// A move by a side.
pub(super) type Ply = (Side, u32);

/// Most move indices of games whose pairs of moves have a place each: beyond, and where memory is too small, single moves alone have one.
pub(super) const MOST_OF_PAIRS: usize = 2_048;

/// Places for pairs of moves, each of type `T`: 0 where there are too many of them.
pub(super) const fn pairs<T>(moves: usize, bytes: usize) -> usize {
    let pairs = 2 * moves * moves;
    if moves > MOST_OF_PAIRS || pairs * size_of::<T>() > bytes { 0 } else { pairs }
}

/// Replies as index + 1, by the last move and by the last two.
#[derive(Debug)]
pub(crate) struct LastGoodReplies {
    moves: usize,
    one: Box<[AtomicU32]>,
    two: Box<[AtomicU32]>,
}

impl LastGoodReplies {
    /// None yet, of a game with so many move indices, in at most about so many bytes.
    pub(crate) fn new(moves: usize, bytes: usize) -> Self {
        let empty = |count| (0..count).map(|_| AtomicU32::new(0)).collect();
        Self { moves, one: empty(2 * moves), two: empty(pairs::<AtomicU32>(moves, bytes)) }
    }

    fn of_one(&self, last: Ply) -> &AtomicU32 {
        &self.one[last.0.index() * self.moves + last.1 as usize]
    }

    fn of_two(&self, before: Ply, last: Ply) -> Option<&AtomicU32> {
        self.two.get((before.0.index() * self.moves + before.1 as usize) * self.moves + last.1 as usize)
    }

    /// The reply to the last two moves that suits, or to the last one.
    #[inline]
    pub(crate) fn reply(&self, last: [Option<Ply>; 2], suits: impl Fn(usize) -> bool) -> Option<usize> {
        let known = |reply: &AtomicU32| (reply.load(Relaxed) as usize).checked_sub(1);
        let after = last[0]?;
        let to_two = last[1].and_then(|before| known(self.of_two(before, after)?)).filter(|&index| suits(index));
        to_two.or_else(|| known(self.of_one(after)).filter(|&index| suits(index)))
    }

    /// A simulation that ended so: the winner's replies are remembered, the loser's forgotten.
    pub(crate) fn learn(&self, simulation: &[Ply], winner: Side) {
        for plies in simulation.windows(2) {
            update(self.of_one(plies[0]), plies[1], winner);
        }
        for plies in simulation.windows(3) {
            self.of_two(plies[0], plies[1]).into_iter().for_each(|entry| update(entry, plies[2], winner));
        }
    }
}

fn update(entry: &AtomicU32, (side, index): Ply, winner: Side) {
    let reply = index + 1;
    if side == winner {
        entry.store(reply, Relaxed);
    } else if entry.load(Relaxed) == reply {
        entry.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_replies_are_kept_until_they_lose() {
        const LINE: [Ply; 4] = [(Side::First, 1), (Side::Second, 2), (Side::First, 3), (Side::Second, 4)];
        let replies = LastGoodReplies::new(9, 1 << 20);
        replies.learn(&LINE, Side::Second);
        let after = |plies: &[Ply]| {
            let last = [plies.last().copied(), plies.len().checked_sub(2).map(|i| plies[i])];
            replies.reply(last, |_| true)
        };
        assert_eq!([after(&LINE[..1]), after(&LINE[..2]), after(&LINE[..3])], [Some(2), None, Some(4)]);
        assert_eq!(after(&[(Side::First, 3)]), Some(4));
        assert_eq!(after(&[(Side::Second, 3)]), None);
        // Another reply to the last two goes before that to the last one, if it suits.
        replies.learn(&[(Side::Second, 5), (Side::First, 3), (Side::Second, 6)], Side::Second);
        assert_eq!(after(&LINE[..3]), Some(4));
        assert_eq!(after(&[(Side::First, 3)]), Some(6));
        assert_eq!(replies.reply([Some(LINE[2]), Some(LINE[1])], |index| index != 4), Some(6));
        // Lost with it, so forgotten; what others answered stays.
        replies.learn(&LINE, Side::First);
        assert_eq!(after(&LINE[..3]), Some(6));
        assert_eq!(after(&LINE[..2]), Some(3));
    }
}
