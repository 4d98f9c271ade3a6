//! Rules and playouts of Amazons on boards up to 10×10, as sets of bits.

use super::moves::{FEWEST, MOST, Move, Numbering, bit, board, kings, point, queen_moves};
use crate::game::{Game, MonteCarlo, Outcome, Side};
use crate::games::bits::wide_bits;
use crate::games::occupant::{self, Occupant, check_pieces};
use crate::games::{Boards, Ending, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

/// Moves of a playout after which territory decides.
const PLAYED_OUT: u32 = 6;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    size: Size,
    /// Points of the board without arrows.
    open: u128,
    amazons: [u128; 2],
    to_move: Side,
    plies: u32,
}

impl Position {
    /// The start: four amazons of each side, a third of the way along the edges. Boards have 4 to 10 lines on each side.
    pub fn new(size: Size) -> Self {
        debug_assert!(Self::BOARDS.contains(size));
        let (x, y) = ((size.width - 1) / 3, (size.height - 1) / 3);
        let (right, bottom) = (size.width - 1, size.height - 1);
        let places = |edge: usize, line: usize| [(x, edge), (right - x, edge), (0, line), (right, line)];
        let set =
            |places: [(usize, usize); 4]| places.iter().fold(0, |set, &(x, y)| set | 1 << bit(size, size.index(x, y)));
        let amazons = [set(places(bottom, bottom - y)), set(places(0, y))];
        Self { size, open: board(size), amazons, to_move: Side::First, plies: 0 }
    }

    fn bit(&self, point: usize) -> usize {
        bit(self.size, point)
    }

    fn own(&self) -> u128 {
        self.amazons[self.to_move.index()]
    }

    /// Amazons of a side.
    pub(super) fn amazons(&self, side: Side) -> u128 {
        self.amazons[side.index()]
    }

    /// Points without amazon or arrow.
    pub(super) fn free(&self) -> u128 {
        self.open & !self.amazons[0] & !self.amazons[1]
    }

    /// Points that can be shot at after an amazon has gone from a point to another one.
    fn shots(&self, from: usize, to: usize) -> u128 {
        queen_moves(to, !self.free() & !(1 << from))
    }

    fn loser(&self) -> Option<Side> {
        (kings(self.own(), self.free()) == 0).then_some(self.to_move)
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
        let (size, blocked) = (self.size, !self.free());
        for from in wide_bits(self.own()) {
            for to in wide_bits(queen_moves(from, blocked)) {
                let [from_point, to_point] = [from, to].map(|bit| point(size, bit));
                let shots = wide_bits(self.shots(from, to));
                moves.extend(shots.map(|arrow| Move::new(from_point, to_point, point(size, arrow))));
            }
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if mv.points().iter().any(|&point| point >= self.points()) {
            return false;
        }
        let [from, to, arrow] = mv.points().map(|point| self.bit(point));
        self.own() >> from & 1 == 1
            && queen_moves(from, !self.free()) >> to & 1 == 1
            && self.shots(from, to) >> arrow & 1 == 1
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let [from, to, arrow] = mv.points().map(|point| 1_u128 << self.bit(point));
        let own = &mut self.amazons[self.to_move.index()];
        *own = *own & !from | to;
        self.open &= !arrow;
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = self.loser()?.opponent();
        // Without territory it is 0, and not -0.
        Some(Outcome::of(Some(winner), self.reach(winner) as f32 * winner.sign() + 0.0))
    }

    fn proven(&self) -> Option<(Side, u32)> {
        self.loser().map(|loser| (loser.opponent(), 0))
    }

    fn key(&self) -> u64 {
        let board = (self.size.width * 16 + self.size.height) as u64;
        let start = mix(2 * board + self.to_move.index() as u64);
        let [first, second] = self.amazons;
        let halves = [self.open, first, second].into_iter().flat_map(|set| [set as u64, (set >> 64) as u64]);
        halves.fold(start, |key, half| mix(key ^ half))
    }

    fn move_count(&self) -> usize {
        Numbering::of(self.size).count()
    }

    /// # Panics
    /// If the points of the move do not lie on lines: neither the rules nor [`Spelled::unspell`] make such a move.
    fn index(&self, mv: Move) -> usize {
        Numbering::of(self.size).number(mv).expect("points on lines")
    }

    fn move_at(&self, index: usize) -> Move {
        Numbering::of(self.size).turn(index)
    }

    fn points(&self) -> usize {
        self.size.points()
    }

    fn plies(&self) -> usize {
        self.plies as usize
    }
}

impl Spelled for Position {
    const BOARDS: Boards = Boards::from_to(FEWEST, MOST);
    const POINTS: usize = 3;
    const BURNS: bool = true;

    fn size(&self) -> Size {
        self.size
    }

    fn spell(_size: Size, mv: Move) -> Spelling {
        mv.points().into()
    }

    fn unspell(size: Size, spelling: &Spelling) -> Option<Move> {
        let &[from, to, arrow] = spelling.points() else { return None };
        let mv = [from, to, arrow].iter().all(|&point| point < size.points()).then(|| Move::new(from, to, arrow))?;
        Numbering::of(size).number(mv).map(|_| mv)
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        let bit = self.bit(point);
        Side::BOTH.into_iter().find(|side| self.amazons[side.index()] >> bit & 1 == 1).map(Piece::of)
    }

    /// An arrow closes a point for ever.
    fn is_cell(&self, point: usize) -> bool {
        self.open >> self.bit(point) & 1 == 1
    }

    fn on(size: Size) -> Self {
        Self::new(size)
    }

    /// The board has no arrows.
    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        check_pieces(self.size, pieces)?;
        let mut position = Self { open: board(self.size), amazons: [0; 2], to_move: Side::First, plies: 0, ..*self };
        for &(side, point) in pieces {
            position.amazons[side.index()] |= 1 << position.bit(point);
        }
        if position.amazons.contains(&0) {
            return Err("a side without amazons".to_owned());
        }
        Ok(position)
    }

    fn with_occupants(&self, occupants: &[(Occupant, usize)]) -> Result<Self, String> {
        Self::check_occupants(occupants)?;
        let mut position = self.with_pieces(&occupant::pieces(occupants))?;
        for &(_, point) in occupants.iter().filter(|(occupant, _)| *occupant == Occupant::Burnt) {
            if point >= self.points() {
                return Err("a burnt square is not on the board".to_owned());
            }
            if position.piece(point).is_some() {
                return Err("an amazon on a burnt square".to_owned());
            }
            position.open &= !(1 << position.bit(point));
        }
        Ok(position)
    }

    fn ending(&self) -> Option<Ending> {
        let winner = self.loser()?.opponent();
        Some(Ending::Two { winner: Some(winner), lead: self.reach(winner), detail: String::new() })
    }
}

/// One of the bits of a set, by chance; `None` of an empty one.
fn one_of(set: u128, rng: &mut Rng) -> Option<usize> {
    let count = set.count_ones();
    if count == 0 { None } else { wide_bits(set).nth(rng.below(count) as usize) }
}

impl Position {
    /// The end of a playout of so many moves, if it goes no further. One that knows something ends after some moves, and the side with
    /// more territory by moves of a queen has won.
    fn judged(&self, knows: bool, length: u32) -> Option<Outcome> {
        if let Some(outcome) = self.outcome() {
            return Some(outcome);
        }
        if !knows || length < PLAYED_OUT {
            return None;
        }
        let [first, second] = self.by_queens().own;
        let winner = match first.cmp(&second) {
            // Who moves next makes a point of those that both reach.
            std::cmp::Ordering::Equal => self.to_move,
            std::cmp::Ordering::Greater => Side::First,
            std::cmp::Ordering::Less => Side::Second,
        };
        Some(Outcome::of(Some(winner), first.max(second) as f32 * winner.sign()))
    }
}

impl PlayedOut for Position {
    /// Moves any amazon that can move, anywhere.
    fn advance(&mut self, knows: bool, length: u32, _: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        if self.judged(knows, length).is_some() {
            return None;
        }
        let blocked = !self.free();
        // The way of each amazon that can move, so that all moves of a queen are equally likely.
        let ways = || wide_bits(self.own()).map(|from| (from, queen_moves(from, blocked)));
        let mut chosen = rng.below(ways().map(|(_, targets)| targets.count_ones()).sum());
        let (from, targets) = ways().find(|(_, targets)| {
            let is_it = chosen < targets.count_ones();
            chosen -= if is_it { 0 } else { targets.count_ones() };
            is_it
        })?;
        let to = wide_bits(targets).nth(chosen as usize)?;
        let arrow = one_of(self.shots(from, to), rng)?;
        let mv = Move::new(point(self.size, from), point(self.size, to), point(self.size, arrow));
        self.play(mv);
        Some(mv)
    }

    fn counted(&self, knows: bool, length: u32) -> Outcome {
        self.judged(knows, length).unwrap_or(Outcome::DRAW)
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
