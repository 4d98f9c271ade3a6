//! Rules of Outer Open Gomoku, and what is forced by stones that are nearly five in a row.

use super::fours::Fours;
use super::position::{Move, Position};
use crate::game::{Game, Outcome, Side, Verdict};
use crate::games::Size;
use crate::rng::mix;

/// Lines at the edge on which the first stone must lie.
const OUTER: usize = 2;

/// Whether a point lies on one of the outer lines.
fn is_outer(size: Size, point: usize) -> bool {
    let (x, y) = size.xy(point);
    x.min(y).min(size.width - 1 - x).min(size.height - 1 - y) < OUTER
}

impl Position {
    /// Verdicts where no side has four in a row: a win by fours of the side to move, and else the moves that let the other side have one.
    fn solve_by_fours(&self, moves: &[Move], verdicts: &mut [Verdict]) {
        let (side, other) = (self.to_move, self.to_move.opponent());
        let known = moves.iter().zip(verdicts);
        if let Some(won) = Fours::find(self, side) {
            let win = Verdict::Decided(side, won.plies() - 1);
            known.filter(|(mv, _)| mv.point() == won.first()).for_each(|(_, verdict)| *verdict = win);
        } else if let Some(threat) = Fours::find(self, other) {
            for (mv, verdict) in known {
                let mut after = *self;
                after.put(side, mv.point());
                if threat.holds(&after, other) {
                    *verdict = Verdict::Decided(other, threat.plies());
                }
            }
        }
    }
}

impl Game for Position {
    type Move = Move;
    type Findings = ();

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn set_to_move(&mut self, side: Side) {
        self.to_move = side;
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.winner.is_none() {
            let open = (0..self.points()).filter(|&point| self.is_empty(point));
            moves.extend(open.filter(|&point| !self.is_bare() || is_outer(self.size, point)).map(Move::at));
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let point = mv.point();
        point < self.points()
            && self.winner.is_none()
            && self.is_empty(point)
            && (!self.is_bare() || is_outer(self.size, point))
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        self.put(self.to_move, mv.point());
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.winner {
            Some(winner) => Some(Outcome::of(Some(winner), 0.0)),
            None => (self.count as usize == self.points()).then_some(Outcome::DRAW),
        }
    }

    /// Rows decide: whoever can complete one wins. Who cannot must take the only point that completes one of the opponent's. Where
    /// there is none, a move that makes two such points wins, and so does one that comes to that by fours alone; moves that leave such a
    /// win to the opponent lose.
    fn solved(&self, (): &(), moves: &[Move], verdicts: &mut Vec<Verdict>) {
        let (side, other) = (self.to_move, self.to_move.opponent());
        verdicts.clear();
        verdicts.resize(moves.len(), Verdict::Open);
        let mut decide = |points: &[usize], among: bool, verdict: Verdict| {
            for (mv, known) in moves.iter().zip(verdicts.iter_mut()) {
                if points.contains(&mv.point()) == among {
                    *known = verdict;
                }
            }
        };
        let own = self.completions(side);
        if !own.is_empty() {
            return decide(&own, true, Verdict::Decided(side, 0));
        }
        match self.completions(other)[..] {
            [] => match self.double_threats(side)[..] {
                [] => self.solve_by_fours(moves, verdicts),
                ref points => decide(points, true, Verdict::Decided(side, 2)),
            },
            [only] => {
                decide(&[only], false, Verdict::Decided(other, 1));
                if let Some(won) = Fours::find(self, side) {
                    decide(&[won.first()], true, Verdict::Decided(side, won.plies() - 1));
                }
            }
            _ => decide(&[], false, Verdict::Decided(other, 1)),
        }
    }

    fn key(&self) -> u64 {
        let board = (self.size.width * 32 + self.size.height) as u64;
        mix(self.stones_key ^ mix(2 * board + self.to_move.index() as u64))
    }

    fn move_count(&self) -> usize {
        self.points()
    }

    fn index(&self, mv: Move) -> usize {
        mv.point()
    }

    fn move_at(&self, index: usize) -> Move {
        Move::at(index)
    }

    fn points(&self) -> usize {
        self.size.points()
    }

    fn plies(&self) -> usize {
        self.plies as usize
    }
}
