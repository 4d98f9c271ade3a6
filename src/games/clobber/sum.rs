//! Clobber for the solver: a sum of groups, without what changes no result.

use super::position::{Position, STRIDE, around, joined, movable, pairs, stepped};
use crate::game::{Everything, Game, Insight, Outcome, Side, Solvable};
use crate::rng::mix;

/// A connected group of stones of both colours, shifted and turned the way that all groups of its form are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    stones: [u128; 2],
    /// What groups of this form are called, and those of this form with colours exchanged.
    names: [u64; 2],
}

/// The sum of a position's groups: all that counts for who wins. Stones that cannot move again are left out, and pairs of
/// groups that are the same with colours exchanged: what a player does in one of those the opponent answers in the other
/// (Conway 1976, G - G = 0). Positions that are equal but for the place and direction of their groups are the same sum.
///
/// Moves are numbered through the groups, so that a move of a sum is none of the position that it was made of.
#[derive(Clone, Debug)]
pub struct Sum {
    /// In the order of their names.
    groups: Vec<Group>,
    to_move: Side,
    plies: usize,
}

/// The bits of a set, one by one.
fn bits(set: u128) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            bit
        })
    })
}

impl Group {
    fn new(stones: [u128; 2]) -> Self {
        // Columns, rows and owners.
        let mut places = [(0_i8, 0_i8, 0_u8); STRIDE * STRIDE];
        let mut count = 0;
        for (side, set) in stones.into_iter().enumerate() {
            for bit in bits(set) {
                places[count] = ((bit % STRIDE) as i8, (bit / STRIDE) as i8, side as u8);
                count += 1;
            }
        }
        let places = &places[..count];
        let (left, right) = places.iter().fold((i8::MAX, 0), |(a, b), p| (a.min(p.0), b.max(p.0)));
        let (top, bottom) = places.iter().fold((i8::MAX, 0), |(a, b), p| (a.min(p.1), b.max(p.1)));
        let turned = |&(x, y, side): &(i8, i8, u8), symmetry: u32| {
            let x = if symmetry & 1 == 0 { x - left } else { right - x };
            let y = if symmetry & 2 == 0 { y - top } else { bottom - y };
            let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
            (y as usize * STRIDE + x as usize, usize::from(side))
        };
        let hash = |symmetry, exchanged| {
            places
                .iter()
                .map(|place| turned(place, symmetry))
                .fold(0_u64, |sum, (cell, side)| sum.wrapping_add(mix((2 * cell + (side ^ exchanged) + 1) as u64)))
        };
        let (name, symmetry) = (0..8).map(|symmetry| (hash(symmetry, 0), symmetry)).min().unwrap_or_default();
        let opposite = (0..8).map(|symmetry| hash(symmetry, 1)).min().unwrap_or_default();
        let mut stones = [0; 2];
        for (cell, side) in places.iter().map(|place| turned(place, symmetry)) {
            stones[side] |= 1 << cell;
        }
        Self { stones, names: [name, opposite] }
    }

    /// The moves of a side, with the stones that they leave.
    fn moves(&self, side: Side) -> impl Iterator<Item = [u128; 2]> {
        let stones = self.stones;
        (0..4).flat_map(move |direction| {
            bits(movable(stones, side, direction)).map(move |from| stepped(stones, side, 1 << from, direction))
        })
    }
}

impl Sum {
    /// The sum that a position is.
    pub fn new(position: Position) -> Self {
        let mut sum = Self { groups: Vec::new(), to_move: position.to_move(), plies: position.plies() };
        sum.add(position.stones());
        sum
    }

    /// Adds the groups that stones are.
    fn add(&mut self, stones: [u128; 2]) {
        let all = stones[0] | stones[1];
        // From the stones that touch one of the other colour, all that count are reached.
        let mut left = joined(around(stones[0]) & stones[1], all);
        while left != 0 {
            let group = joined(left & left.wrapping_neg(), all);
            left &= !group;
            let group = Group::new(stones.map(|own| own & group));
            let cancels = |other: &Group| other.names[0] == group.names[1];
            match self.groups.iter().position(cancels) {
                Some(place) => {
                    self.groups.remove(place);
                }
                None => {
                    let place = self.groups.partition_point(|other| other.names < group.names);
                    self.groups.insert(place, group);
                }
            }
        }
    }

    /// The group that a move is made in, and the stones that it leaves there.
    fn find(&self, mv: u16) -> Option<(usize, [u128; 2])> {
        let mut number = usize::from(mv);
        for (place, group) in self.groups.iter().enumerate() {
            let count = pairs(group.stones) as usize;
            if number < count {
                return group.moves(self.to_move).nth(number).map(|left| (place, left));
            }
            number -= count;
        }
        None
    }

    fn count(&self) -> u32 {
        self.groups.iter().map(|group| pairs(group.stones)).sum()
    }
}

impl Game for Sum {
    type Move = u16;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn set_to_move(&mut self, side: Side) {
        self.to_move = side;
    }

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.clear();
        moves.extend(0..self.count() as u16);
    }

    fn is_legal(&self, mv: u16) -> bool {
        u32::from(mv) < self.count()
    }

    fn play(&mut self, mv: u16) {
        if let Some((place, left)) = self.find(mv) {
            self.groups.remove(place);
            self.add(left);
        }
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.groups.is_empty().then(|| Outcome::of(Some(self.to_move.opponent()), 0.0))
    }

    fn key(&self) -> u64 {
        let names = self.groups.iter().map(|group| mix(group.names[0]));
        mix(names.fold(0_u64, u64::wrapping_add) ^ self.to_move.index() as u64)
    }

    fn move_count(&self) -> usize {
        self.count() as usize
    }

    fn index(&self, mv: u16) -> usize {
        usize::from(mv)
    }

    fn move_at(&self, index: usize) -> u16 {
        index as u16
    }

    fn points(&self) -> usize {
        self.groups.len()
    }

    fn plies(&self) -> usize {
        self.plies
    }
}

impl Solvable for Sum {
    type Zone = Everything;

    /// A move that leaves nothing wins. Of the others, the fewer replies are left the less is to be done.
    fn insight(&self) -> Insight<u16, Everything> {
        let (me, all) = (self.to_move, self.count());
        let mut open = Vec::with_capacity(all as usize);
        for group in &self.groups {
            let rest = all - pairs(group.stones);
            for left in group.moves(me) {
                let (mv, replies) = (open.len() as u16, rest + pairs(left));
                if replies == 0 {
                    return Insight::Decided(me, Everything, Some(mv));
                }
                let mut effort = [1.0; 2];
                effort[me.index()] = replies as f32;
                open.push((mv, effort));
            }
        }
        if open.is_empty() {
            return Insight::Decided(me.opponent(), Everything, None);
        }
        open.sort_by(|a, b| a.1[me.index()].total_cmp(&b.1[me.index()]));
        Insight::Open { rest: Everything, moves: open }
    }
}
