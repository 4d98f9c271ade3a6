//! Clobber for two on boards up to 10×10, as two sets of bits.

use crate::game::{Game, MonteCarlo, Outcome, Side, Sum};
use crate::games::occupant::check_pieces;
use crate::games::{Boards, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

use super::{Group, STEPS, is_first};

/// Longest side of a board.
const MOST_LINES: usize = 10;
/// Bits of a row: one column stays empty, so that no step leads around the edge.
pub(super) const STRIDE: usize = MOST_LINES + 1;

/// A step of the stone on a point in a direction: `4 * point + direction`, north, east, south, west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub(super) u16);

impl Move {
    /// Where it comes from and goes to.
    pub(super) fn ends(self, size: Size) -> [usize; 2] {
        let (point, (right, down)) = (usize::from(self.0) / 4, STEPS[usize::from(self.0) % 4]);
        [point, point.wrapping_add_signed(down * size.width as isize + right)]
    }

    /// The step of that spelling.
    pub(super) fn unspell(size: Size, spelling: &Spelling) -> Option<Self> {
        match *spelling.points() {
            [from, to] => Self::between(size, from, to),
            _ => None,
        }
    }

    /// The step from a point to its neighbour; `None` where one of them is not on the board, or they are no neighbours.
    pub(super) fn between(size: Size, from: usize, to: usize) -> Option<Self> {
        if from.max(to) >= size.points() {
            return None;
        }
        let direction = STEPS.iter().position(|&step| size.step(from, step) == Some(to));
        direction.map(|direction| Self((4 * from + direction) as u16))
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    size: Size,
    stones: [u128; 2],
    to_move: Side,
    plies: u32,
}

/// The points that lie one step in a direction from those of a set.
pub(super) fn step(set: u128, direction: usize) -> u128 {
    match direction {
        0 => set >> STRIDE,
        1 => set << 1,
        2 => set << STRIDE,
        _ => set >> 1,
    }
}

/// These points and their neighbours.
pub(super) fn around(set: u128) -> u128 {
    (0..4).fold(set, |all, direction| all | step(set, direction))
}

/// The points of `within` that are joined to `seeds`, which lie in it.
pub(super) fn joined(seeds: u128, within: u128) -> u128 {
    let mut set = seeds;
    loop {
        let more = around(set) & within;
        if more == set {
            return set;
        }
        set = more;
    }
}

/// Stones of a side that can step in a direction.
pub(super) fn movable(stones: [u128; 2], side: Side, direction: usize) -> u128 {
    stones[side.index()] & step(stones[side.opponent().index()], (direction + 2) % 4)
}

/// The stones after a side's stone on a cell, a set of one, has stepped.
pub(super) fn stepped(mut stones: [u128; 2], side: Side, from: u128, direction: usize) -> [u128; 2] {
    let to = step(from, direction);
    let (me, opponent) = (side.index(), side.opponent().index());
    stones[me] = stones[me] & !from | to;
    stones[opponent] &= !to;
    stones
}

/// Pairs of neighbours of different colours: each is a move for either side.
pub(super) fn pairs(stones: [u128; 2]) -> u32 {
    (0..4).map(|direction| movable(stones, Side::First, direction).count_ones()).sum()
}

/// The number of the lowest bit once `skip` lower ones are taken away.
fn nth(mut set: u128, skip: u32) -> usize {
    for _ in 0..skip {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}

impl Position {
    /// The chequered start. Sides go up to 10.
    pub fn new(size: Size) -> Self {
        let mut position = Self::empty(size);
        for index in 0..size.points() {
            let (x, y) = size.xy(index);
            position.stones[usize::from(!is_first(x, y))] |= 1 << position.bit(index);
        }
        position
    }

    fn empty(size: Size) -> Self {
        debug_assert!(Self::BOARDS.contains(size));
        Self { size, stones: [0; 2], to_move: Side::First, plies: 0 }
    }

    fn bit(&self, index: usize) -> usize {
        let (x, y) = self.size.xy(index);
        y * STRIDE + x
    }

    fn point(&self, bit: usize) -> usize {
        self.size.index(bit % STRIDE, bit / STRIDE)
    }

    fn movable(&self, side: Side, direction: usize) -> u128 {
        movable(self.stones, side, direction)
    }

    /// Number of moves that each side has if it is its turn: the same for both, since each pair of neighbours of different
    /// colours is a move for either.
    pub fn moves(&self) -> u32 {
        pairs(self.stones)
    }

    /// Stones of a side that can move.
    pub fn mobile(&self, side: Side) -> u32 {
        (0..4).fold(0, |all, direction| all | self.movable(side, direction)).count_ones()
    }

    /// The stones from which one of the other colour can be reached over stones: all others can never move again nor be
    /// taken.
    fn live(&self) -> u128 {
        let [first, second] = self.stones;
        joined(around(first) & second, first | second)
    }

    fn step_from(&self, from: usize, direction: usize) -> Move {
        Move((4 * self.point(from) + direction) as u16)
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
        let movable: [u128; 4] = std::array::from_fn(|direction| self.movable(self.to_move, direction));
        let mut left = movable.iter().fold(0, |all, set| all | set);
        while left != 0 {
            let from = left.trailing_zeros() as usize;
            left &= left - 1;
            let able = (0..4).filter(|&direction| movable[direction] >> from & 1 == 1);
            moves.extend(able.map(|direction| self.step_from(from, direction)));
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let (point, direction) = (usize::from(mv.0) / 4, usize::from(mv.0) % 4);
        point < self.points() && self.movable(self.to_move, direction) >> self.bit(point) & 1 == 1
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let from = 1 << self.bit(usize::from(mv.0) / 4);
        self.stones = stepped(self.stones, self.to_move, from, usize::from(mv.0) % 4);
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.moves() == 0).then(|| Outcome::of(Some(self.to_move.opponent()), 0.0))
    }

    /// Hash of the stones that still count.
    fn key(&self) -> u64 {
        let live = self.live();
        let half = |set: u128| mix(set as u64 ^ mix((set >> 64) as u64));
        let board = (self.size.width * 16 + self.size.height) as u64;
        let [first, second] = self.stones.map(|stones| half(stones & live));
        mix(first ^ mix(second ^ mix(2 * board + self.to_move.index() as u64)))
    }

    fn move_count(&self) -> usize {
        4 * self.points()
    }

    fn index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }

    fn move_at(&self, index: usize) -> Move {
        Move(index as u16)
    }

    fn points(&self) -> usize {
        self.size.points()
    }

    fn plies(&self) -> usize {
        self.plies as usize
    }
}

impl Sum for Position {
    type Part = Group;

    fn parts(&self) -> Vec<Group> {
        Group::split(self.stones).collect()
    }
}

impl Spelled for Position {
    const BOARDS: Boards = Boards::from_to(1, MOST_LINES);
    const POINTS: usize = 2;

    fn size(&self) -> Size {
        self.size
    }

    fn spell(size: Size, mv: Move) -> Spelling {
        mv.ends(size).into()
    }

    fn unspell(size: Size, spelling: &Spelling) -> Option<Move> {
        Move::unspell(size, spelling)
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        let bit = self.bit(point);
        Side::BOTH.into_iter().find(|side| self.stones[side.index()] >> bit & 1 == 1).map(Piece::of)
    }

    fn on(size: Size) -> Self {
        Self::new(size)
    }

    fn with_pieces(&self, stones: &[(Side, usize)]) -> Result<Self, String> {
        check_pieces(self.size, stones)?;
        let mut position = Self::empty(self.size);
        for &(side, point) in stones {
            position.stones[side.index()] |= 1 << position.bit(point);
        }
        Ok(position)
    }
}

impl PlayedOut for Position {
    fn advance(&mut self, _: bool, _: u32, _: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        let movable: [u128; 4] = std::array::from_fn(|direction| self.movable(self.to_move, direction));
        let counts = movable.map(u128::count_ones);
        let all: u32 = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let (mut chosen, mut direction) = (rng.below(all), 0);
        while chosen >= counts[direction] {
            chosen -= counts[direction];
            direction += 1;
        }
        let mv = self.step_from(nth(movable[direction], chosen), direction);
        self.play(mv);
        Some(mv)
    }

    fn counted(&self, _: bool, _: u32) -> Outcome {
        Outcome::of(Some(self.to_move.opponent()), 0.0)
    }
}

impl MonteCarlo for Position {
    const SOLVES: bool = true;
    const EXPLORATION: f32 = 0.3;

    type Playout = RandomPlayout<Self>;

    fn playout_policy(&self, knowledge: u32) -> Self::Playout {
        RandomPlayout::new(self, knowledge)
    }
}
