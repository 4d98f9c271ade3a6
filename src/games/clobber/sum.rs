//! Clobber for the solver: a sum of groups, without what changes no result.

use crate::game::{Everything, Game, Insight, Outcome, Side, Solvable};
use crate::rng::mix;

use super::position::{Move, Position, places};

/// A position without stones that cannot move again, and without pairs of groups that are the same with colours
/// exchanged: what a player does in one of those the opponent answers in the other (Conway 1976, G - G = 0).
///
/// The same side wins as in the position it was made of, by the same move. Its moves are a part of that one's.
#[derive(Clone, Debug)]
pub struct Sum(Position);

impl Sum {
    /// The sum that a position is.
    pub fn new(position: Position) -> Self {
        let mut sum = Self(position);
        sum.reduce();
        sum
    }

    fn reduce(&mut self) {
        self.0.clear_dead();
        let groups: Vec<[u128; 2]> = self.0.groups().collect();
        if groups.len() < 2 {
            return;
        }
        // Groups that wait for one that cancels them, by their own name.
        let mut open: Vec<(u64, [u128; 2])> = Vec::new();
        for group in groups {
            let [name, opposite] = names(group);
            match open.iter().position(|(other, _)| *other == opposite) {
                Some(place) => {
                    let (_, other) = open.swap_remove(place);
                    self.0.remove(other);
                    self.0.remove(group);
                }
                None => open.push((name, group)),
            }
        }
    }
}

/// Hashes that groups have in common which are the same after a symmetry or a shift, and that of the group with colours
/// exchanged.
fn names(group: [u128; 2]) -> [u64; 2] {
    let places: Vec<(i32, i32, Side)> = places(group).map(|(x, y, side)| (x as i32, y as i32, side)).collect();
    let of = |exchanged: bool| {
        let hash = |symmetry: u32| {
            let turned = places.iter().map(|&(x, y, side)| {
                let x = if symmetry & 1 == 0 { x } else { -x };
                let y = if symmetry & 2 == 0 { y } else { -y };
                let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
                (x, y, if exchanged { side.opponent() } else { side })
            });
            let (left, top) = turned.clone().fold((i32::MAX, i32::MAX), |(a, b), (x, y, _)| (a.min(x), b.min(y)));
            turned.fold(0_u64, |sum, (x, y, side)| {
                let place = (x - left) as u64 | ((y - top) as u64) << 8 | (side.index() as u64) << 16;
                sum.wrapping_add(mix(place + 1))
            })
        };
        (0..8).map(hash).min().unwrap_or(0)
    };
    [of(false), of(true)]
}

impl Game for Sum {
    type Move = Move;

    fn to_move(&self) -> Side {
        self.0.to_move()
    }

    fn set_to_move(&mut self, side: Side) {
        self.0.set_to_move(side);
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.0.legal_moves(moves);
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.0.is_legal(mv)
    }

    fn play(&mut self, mv: Move) {
        self.0.play(mv);
        self.reduce();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn move_count(&self) -> usize {
        self.0.move_count()
    }

    fn index(&self, mv: Move) -> usize {
        self.0.index(mv)
    }

    fn move_at(&self, index: usize) -> Move {
        self.0.move_at(index)
    }

    fn points(&self) -> usize {
        self.0.points()
    }

    fn plies(&self) -> usize {
        self.0.plies()
    }
}

impl Solvable for Sum {
    type Zone = Everything;

    /// A move that leaves nothing wins. Of the others, the fewer replies are left the less is to be done.
    fn insight(&self) -> Insight<Move, Everything> {
        let (me, mut moves) = (self.to_move(), Vec::new());
        self.legal_moves(&mut moves);
        let mut open = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut child = self.clone();
            child.play(mv);
            let replies = child.0.moves();
            if replies == 0 {
                return Insight::Decided(me, Everything, Some(mv));
            }
            let mut effort = [1.0; 2];
            effort[me.index()] = replies as f32;
            open.push((mv, effort));
        }
        if open.is_empty() {
            return Insight::Decided(me.opponent(), Everything, None);
        }
        open.sort_by(|a, b| a.1[me.index()].total_cmp(&b.1[me.index()]));
        Insight::Open { rest: Everything, moves: open }
    }
}
