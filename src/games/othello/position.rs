//! Rules and playouts of Othello.

use super::discs::{Bits, Discs};
use crate::game::{Game, MonteCarlo, Outcome, Side};
use crate::games::bits::wide_bits;
use crate::games::occupant::{check_pieces, counted};
use crate::games::{Boards, Ending, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

/// Most lines of a side.
const MOST: usize = <u128 as Bits>::STRIDE as usize;

/// A point on which a disc is placed, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    /// The pass of a side that cannot place a disc.
    pub const PASS: Self = Self(u8::MAX);

    /// A disc on that point.
    pub(super) fn at(point: usize) -> Self {
        Self(point as u8)
    }

    /// The point of the disc.
    pub(super) fn point(self) -> Option<usize> {
        (self != Self::PASS).then_some(usize::from(self.0))
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    size: Size,
    /// Points of the board, those outside of its outer columns and of its outer rows.
    board: u128,
    inner: u128,
    middle: u128,
    discs: [u128; 2],
    to_move: Side,
    plies: u32,
}

/// Bits of a row on a board of that size.
const fn stride(size: Size) -> usize {
    let small = <u64 as Bits>::STRIDE as usize;
    if size.width <= small && size.height <= small { small } else { MOST }
}

impl Position {
    /// The start: two discs of each side in the middle. Boards have 4 to 10 columns and rows.
    pub fn new(size: Size) -> Self {
        let mut start = Self::empty(size);
        let (right, lower) = (size.width / 2, size.height / 2);
        for (side, x, y) in [
            (Side::Second, right - 1, lower - 1),
            (Side::First, right, lower - 1),
            (Side::First, right - 1, lower),
            (Side::Second, right, lower),
        ] {
            start.discs[side.index()] |= 1 << start.bit(size.index(x, y));
        }
        start
    }

    fn empty(size: Size) -> Self {
        debug_assert!(Self::BOARDS.contains(size));
        let stride = stride(size);
        let block = |columns: std::ops::Range<usize>, rows: std::ops::Range<usize>| -> u128 {
            rows.flat_map(|y| columns.clone().map(move |x| 1 << (y * stride + x))).sum()
        };
        let (width, height) = (size.width, size.height);
        Self {
            size,
            board: block(0..width, 0..height),
            inner: block(1..width - 1, 0..height),
            middle: block(0..width, 1..height - 1),
            discs: [0; 2],
            to_move: Side::First,
            plies: 0,
        }
    }

    fn bit(&self, point: usize) -> usize {
        let (x, y) = self.size.xy(point);
        y * stride(self.size) + x
    }

    pub(super) fn point(&self, bit: usize) -> usize {
        let stride = stride(self.size);
        self.size.index(bit % stride, bit / stride)
    }

    /// Whether the board lies in 64 bits.
    pub(super) fn is_small(&self) -> bool {
        stride(self.size) < MOST
    }

    pub(super) fn seen_by<B: Bits>(&self, side: Side) -> Discs<B> {
        Discs {
            own: B::of_wide(self.discs[side.index()]),
            other: B::of_wide(self.discs[side.opponent().index()]),
            board: B::of_wide(self.board),
            inner: B::of_wide(self.inner),
            middle: B::of_wide(self.middle),
        }
    }

    /// Bits of the points where a side can place a disc.
    fn placements(&self, side: Side) -> u128 {
        if self.is_small() {
            self.seen_by::<u64>(side).placements().wide()
        } else {
            self.seen_by::<u128>(side).placements()
        }
    }

    /// Bits of the discs that are turned when the side to move places one there.
    fn turned(&self, at: u128) -> u128 {
        if self.is_small() {
            self.seen_by::<u64>(self.to_move).turned(u64::of_wide(at)).wide()
        } else {
            self.seen_by::<u128>(self.to_move).turned(at)
        }
    }

    /// Discs of a side.
    pub fn count(&self, side: Side) -> u32 {
        self.discs[side.index()].count_ones()
    }

    /// Points without a disc.
    pub fn empties(&self) -> u32 {
        self.board.count_ones() - self.count(Side::First) - self.count(Side::Second)
    }

    /// Points where a side can place a disc.
    pub fn mobility(&self, side: Side) -> u32 {
        self.placements(side).count_ones()
    }

    /// Discs of a side with an empty point beside them, which the opponent may come to turn.
    pub fn frontier(&self, side: Side) -> u32 {
        let set = if self.is_small() {
            self.seen_by::<u64>(side).frontier().wide()
        } else {
            self.seen_by::<u128>(side).frontier()
        };
        set.count_ones()
    }

    /// Discs of a side that can never be turned, as far as corners and edges show it.
    pub fn stable(&self, side: Side) -> u32 {
        let set = if self.is_small() {
            self.seen_by::<u64>(side).stable().wide()
        } else {
            self.seen_by::<u128>(side).stable()
        };
        set.count_ones()
    }

    /// For each corner its owner, and that of the point diagonally beside it.
    pub fn corners(&self) -> [[Option<Side>; 2]; 4] {
        let (right, lower) = (self.size.width - 1, self.size.height - 1);
        [
            [(0, 0), (1, 1)],
            [(right, 0), (right - 1, 1)],
            [(0, lower), (1, lower - 1)],
            [(right, lower), (right - 1, lower - 1)],
        ]
        .map(|pair| pair.map(|(x, y)| self.owner(self.size.index(x, y))))
    }

    /// Bits of the corners.
    fn corner_bits(&self) -> u128 {
        self.board & !self.inner & !self.middle
    }

    fn end(&self) -> Outcome {
        let [first, second] = Side::BOTH.map(|side| self.count(side));
        let winner = match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        Outcome::of(winner, first as f32 - second as f32)
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
        moves.extend(wide_bits(self.placements(self.to_move)).map(|bit| Move::at(self.point(bit))));
        if moves.is_empty() && self.placements(self.to_move.opponent()) != 0 {
            moves.push(Move::PASS);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let placements = self.placements(self.to_move);
        match mv.point() {
            Some(point) => point < self.points() && placements >> self.bit(point) & 1 == 1,
            None => placements == 0 && self.placements(self.to_move.opponent()) != 0,
        }
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        if let Some(point) = mv.point() {
            let at = 1 << self.bit(point);
            let turned = self.turned(at);
            self.discs[self.to_move.index()] |= at | turned;
            self.discs[self.to_move.opponent().index()] &= !turned;
        }
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        Side::BOTH.into_iter().all(|side| self.placements(side) == 0).then(|| self.end())
    }

    fn key(&self) -> u64 {
        let board = (self.size.width * 16 + self.size.height) as u64;
        let halves = self.discs.iter().flat_map(|&discs| [discs as u64, (discs >> 64) as u64]);
        halves.fold(2 * board + self.to_move.index() as u64, |key, half| mix(key) ^ half)
    }

    fn move_count(&self) -> usize {
        self.points() + 1
    }

    fn index(&self, mv: Move) -> usize {
        mv.point().unwrap_or(self.points())
    }

    fn move_at(&self, index: usize) -> Move {
        if index == self.points() { Move::PASS } else { Move::at(index) }
    }

    fn points(&self) -> usize {
        self.size.points()
    }

    fn plies(&self) -> usize {
        self.plies as usize
    }
}

impl Spelled for Position {
    const BOARDS: Boards = Boards::from_to(4, MOST);
    const POINTS: usize = 1;
    const SGF: Option<u32> = Some(2);

    fn size(&self) -> Size {
        self.size
    }

    fn spell(_size: Size, mv: Move) -> Spelling {
        mv.point().map_or(Spelling::PASS, |point| [point].into())
    }

    fn unspell(size: Size, spelling: &Spelling) -> Option<Move> {
        match *spelling {
            Spelling::PASS => Some(Move::PASS),
            Spelling::Word(_) => None,
            Spelling::Points(points) => match *points {
                [point] if point < size.points() => Some(Move::at(point)),
                _ => None,
            },
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        let bit = self.bit(point);
        Side::BOTH.into_iter().find(|side| self.discs[side.index()] >> bit & 1 == 1).map(Piece::of)
    }

    fn on(size: Size) -> Self {
        Self::new(size)
    }

    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        check_pieces(self.size, pieces)?;
        let mut position = Self::empty(self.size);
        for &(side, point) in pieces {
            position.discs[side.index()] |= 1 << position.bit(point);
        }
        Ok(position)
    }

    fn objection(&self, mv: Move) -> Option<String> {
        let why = match (self.outcome(), mv.point()) {
            (Some(_), _) => "the game is over",
            _ if self.is_legal(mv) => return None,
            (_, None) => "there is a disc to place",
            (_, Some(_)) => "it flanks no disc",
        };
        Some(why.to_owned())
    }

    fn ending(&self) -> Option<Ending> {
        let end = self.outcome()?;
        let mut counts = Side::BOTH.map(|side| self.count(side));
        counts.sort_unstable();
        let [fewer, more] = counts;
        Some(Ending::Two {
            winner: end.winner,
            lead: more - fewer,
            detail: format!(", {} to {fewer}", counted(more, "disc")),
        })
    }
}

impl PlayedOut for Position {
    /// Takes a corner where it can.
    fn advance(&mut self, knows: bool, _: u32, _: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        let placements = self.placements(self.to_move);
        let corners = if knows { placements & self.corner_bits() } else { 0 };
        let among = if corners == 0 { placements } else { corners };
        let mv = if among == 0 {
            (self.placements(self.to_move.opponent()) != 0).then_some(Move::PASS)?
        } else {
            let bit = wide_bits(among).nth(rng.below(among.count_ones()) as usize)?;
            Move::at(self.point(bit))
        };
        self.play(mv);
        Some(mv)
    }

    fn counted(&self, _: bool, _: u32) -> Outcome {
        self.end()
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
