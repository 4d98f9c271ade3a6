//! Wins by fours alone: each stone threatens five in a row, so that each reply is forced, until two such threats come at once.

use super::lines::{LINES, point_on};
use super::position::Position;
use crate::game::Side;
use crate::games::Spelled;

/// Positions that a search for such a win may look at, and most fours one after the other.
const POSITIONS: u32 = 200;
const DEEPEST: usize = 12;

/// A win by fours: stones of the attacker and forced replies in turn, from the attacker to the attacker, whose last stone threatens five in
/// a row at two points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fours(Vec<usize>);

impl Fours {
    /// The shortest win for a side that is given the turn and cannot make five in a row at once, as far as it is looked for.
    pub(super) fn find(position: &Position, side: Side) -> Option<Self> {
        let mut search = Search { side, left: POSITIONS, most: 0, cut: true, line: Vec::new() };
        while search.cut && search.left > 0 && search.most < DEEPEST {
            (search.most, search.cut) = (search.most + 1, false);
            if search.wins(position) {
                return Some(Self(search.line));
            }
        }
        None
    }

    /// The attacker's first stone.
    pub(super) fn first(&self) -> usize {
        self.0[0]
    }

    /// Plies until five in a row, if the other side replies as it must.
    pub(super) fn plies(&self) -> u32 {
        self.0.len() as u32 + 2
    }

    /// Whether the line wins in a position too, with the attacker, `side`, to move.
    pub(super) fn holds(&self, position: &Position, side: Side) -> bool {
        let mut now = *position;
        for (number, &point) in self.0.iter().enumerate() {
            if !now.is_empty(point) {
                return false;
            }
            let attacks = number % 2 == 0;
            if attacks && !now.completions(side.opponent()).iter().all(|&other| other == point) {
                return false;
            }
            now.put(if attacks { side } else { side.opponent() }, point);
            let threats = || now.completions_at(side, point);
            let forced = match self.0.get(number + 1) {
                // A reply that makes five in a row itself ends the game.
                _ if !attacks => !now.is_over(),
                Some(&reply) => threats().any(|threat| threat == reply),
                None => threats().any(|threat| threats().next() != Some(threat)),
            };
            if !forced {
                return false;
            }
        }
        true
    }
}

struct Search {
    side: Side,
    left: u32,
    /// Fours that the line may have, and whether there was a line that would have had more.
    most: usize,
    cut: bool,
    line: Vec<usize>,
}

impl Search {
    /// Whether the side wins by fours with the turn; then `line` goes on with how.
    fn wins(&mut self, position: &Position) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let other = self.side.opponent();
        // What the other side threatens must be taken, and only a four has the time to.
        let threatened = position.completions(other);
        let may = |point: usize| threatened.iter().all(|&threat| threat == point);
        let mut fours: Vec<(usize, u32)> = Vec::new();
        for line in (0..LINES).filter(|&line| position.may_have_four(self.side, line)) {
            for (bit, count) in position.line(line).fours(self.side) {
                let point = point_on(position.size(), line, bit);
                match fours.iter_mut().find(|four| four.0 == point) {
                    Some(four) => four.1 += count,
                    None => fours.push((point, count)),
                }
            }
        }
        fours.retain(|&(point, _)| may(point));
        if let Some(&(point, _)) = fours.iter().find(|four| four.1 > 1) {
            self.line.push(point);
            return true;
        }
        if self.line.len() / 2 + 1 >= self.most {
            self.cut |= !fours.is_empty();
            return false;
        }
        fours.into_iter().any(|(point, _)| {
            let mut next = *position;
            next.put(self.side, point);
            let Some(reply) = next.completions_at(self.side, point).next() else { return false };
            next.put(other, reply);
            if next.is_over() {
                return false;
            }
            self.line.extend([point, reply]);
            let wins = self.wins(&next);
            if !wins {
                self.line.truncate(self.line.len() - 2);
            }
            wins
        })
    }
}
