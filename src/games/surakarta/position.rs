//! Rules and playouts of Surakarta, as two sets of bits and the positions since the last capture.

use std::cmp::Ordering;

use super::tracks::{LINES, NEIGHBOURS, POINTS, Rings, share_track};
use crate::game::{Game, MonteCarlo, Outcome, Side};
use crate::games::bits::bits;
use crate::games::occupant::{check_pieces, counted};
use crate::games::{Boards, Ending, Grid, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

/// Plies in a row without a capture that end the game.
pub(super) const QUIET: usize = 50;
/// The board.
const BOARD: Size = Size::square(LINES);
const ALL: u64 = (1 << POINTS) - 1;
/// Pieces of a side at the start: two rows.
const TWO_ROWS: u64 = (1 << (2 * LINES)) - 1;

/// From one point to another: `36 * from + to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// The points that it comes from and goes to.
    pub(super) fn ends(self) -> [usize; 2] {
        [usize::from(self.0) / POINTS, usize::from(self.0) % POINTS]
    }

    fn new(from: usize, to: usize) -> Self {
        Self((POINTS * from + to) as u16)
    }

    /// The move between two points, if it can be a step or a capture.
    pub(super) fn between(from: usize, to: usize) -> Option<Self> {
        let near = NEIGHBOURS[from] >> to & 1 == 1;
        (near || from != to && share_track(from, to)).then(|| Self::new(from, to))
    }
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pieces: [u64; 2],
    to_move: Side,
    plies: u32,
    /// Plies since the last capture, and the positions before each of them.
    quiet: usize,
    past: [u64; QUIET],
    /// Hash of those positions, in any order.
    past_key: u64,
    /// Whether the position is one of those.
    repeated: bool,
}

impl Default for Position {
    fn default() -> Self {
        Self::new()
    }
}

impl Position {
    /// The start: two rows of each side.
    pub fn new() -> Self {
        Self::of([TWO_ROWS << (POINTS - 2 * LINES), TWO_ROWS])
    }

    fn of(pieces: [u64; 2]) -> Self {
        let past = [0; QUIET];
        Self { pieces, to_move: Side::First, plies: 0, quiet: 0, past, past_key: 0, repeated: false }
    }

    /// Hash of pieces and side to move, whatever was before.
    fn here(&self) -> u64 {
        let [first, second] = self.pieces;
        mix(first ^ mix(second ^ mix(self.to_move.index() as u64)))
    }

    /// Pieces of a side.
    pub fn count(&self, side: Side) -> u32 {
        self.pieces[side.index()].count_ones()
    }

    /// Plies since the last capture.
    pub fn quiet(&self) -> usize {
        self.quiet
    }

    fn rings(&self) -> Rings {
        Rings::of(self.pieces[0] | self.pieces[1])
    }

    /// Points that the piece of the side to move on a point can go to.
    fn targets(&self, rings: &Rings, from: usize) -> u64 {
        let [own, other] = [self.to_move, self.to_move.opponent()].map(|side| self.pieces[side.index()]);
        NEIGHBOURS[from] & ALL & !(own | other) | rings.ways(from).met & other
    }

    /// Pieces of the opponent that a side could take if it were its turn, and places behind arcs that its pieces come to.
    pub fn reach(&self, side: Side) -> [u32; 2] {
        let (rings, mut taken, mut swept) = (self.rings(), 0, 0);
        for from in bits(self.pieces[side.index()]) {
            let ways = rings.ways(from);
            taken |= ways.met & self.pieces[side.opponent().index()];
            swept += ways.swept;
        }
        [taken.count_ones(), swept]
    }

    /// Whether the side to move has a move.
    fn can_move(&self) -> bool {
        let own = self.pieces[self.to_move.index()];
        let empty = ALL & !(self.pieces[0] | self.pieces[1]);
        bits(own).any(|from| NEIGHBOURS[from] & empty != 0) || {
            let rings = self.rings();
            bits(own).any(|from| self.targets(&rings, from) != 0)
        }
    }

    /// The side with more pieces.
    fn leader(&self) -> Option<Side> {
        match self.count(Side::First).cmp(&self.count(Side::Second)) {
            Ordering::Greater => Some(Side::First),
            Ordering::Less => Some(Side::Second),
            Ordering::Equal => None,
        }
    }

    fn end(&self) -> Option<Outcome> {
        let winner = if self.pieces.contains(&0) || self.repeated || self.quiet == QUIET {
            self.leader()
        } else if self.can_move() {
            return None;
        } else {
            Some(self.to_move.opponent())
        };
        Some(Outcome::of(winner, self.count(Side::First) as f32 - self.count(Side::Second) as f32))
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
        self.repeated = self.past[..self.quiet].contains(&self.here());
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.end().is_some() {
            return;
        }
        let rings = self.rings();
        for from in bits(self.pieces[self.to_move.index()]) {
            moves.extend(bits(self.targets(&rings, from)).map(|to| Move::new(from, to)));
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let [from, to] = mv.ends();
        from < POINTS
            && self.pieces[self.to_move.index()] >> from & 1 == 1
            && self.targets(&self.rings(), from) >> to & 1 == 1
            && self.end().is_none()
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let ([from, to], before) = (mv.ends(), self.here());
        let (own, other) = (self.to_move.index(), self.to_move.opponent().index());
        let takes = self.pieces[other] >> to & 1 == 1;
        self.pieces[own] = self.pieces[own] & !(1 << from) | 1 << to;
        self.pieces[other] &= !(1 << to);
        self.to_move = self.to_move.opponent();
        self.plies += 1;
        if takes {
            (self.quiet, self.past_key, self.repeated) = (0, 0, false);
        } else {
            self.past[self.quiet] = before;
            self.quiet += 1;
            self.past_key ^= mix(before);
            self.repeated = self.past[..self.quiet].contains(&self.here());
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end()
    }

    fn key(&self) -> u64 {
        mix(self.here() ^ mix(self.past_key))
    }

    fn move_count(&self) -> usize {
        POINTS * POINTS
    }

    fn index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }

    fn move_at(&self, index: usize) -> Move {
        Move(index as u16)
    }

    fn points(&self) -> usize {
        POINTS
    }

    fn plies(&self) -> usize {
        self.plies as usize
    }
}

impl Spelled for Position {
    const BOARDS: Boards = Boards::only(LINES);
    const POINTS: usize = 2;
    const GRID: Grid = Grid::Lines;

    fn size(&self) -> Size {
        BOARD
    }

    fn spell(_size: Size, mv: Move) -> Spelling {
        mv.ends().into()
    }

    fn unspell(_size: Size, spelling: &Spelling) -> Option<Move> {
        match *spelling.points() {
            [from, to] if from < POINTS && to < POINTS => Move::between(from, to),
            _ => None,
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        Side::BOTH.into_iter().find(|side| self.pieces[side.index()] >> point & 1 == 1).map(Piece::of)
    }

    fn on(_: Size) -> Self {
        Self::new()
    }

    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        check_pieces(self.size(), pieces)?;
        let mut position = Self::of([0; 2]);
        for &(side, point) in pieces {
            position.pieces[side.index()] |= 1 << point;
        }
        Ok(position)
    }

    fn ending(&self) -> Option<Ending> {
        let end = self.end()?;
        let counts = Side::BOTH.map(|side| self.count(side));
        let (more, fewer) = (counts[0].max(counts[1]), counts[0].min(counts[1]));
        // Who cannot move has lost whatever stands on the board.
        let lead = if end.winner == self.leader() { more - fewer } else { 0 };
        Some(Ending::Two { winner: end.winner, lead, detail: format!(", {} to {fewer}", counted(more, "piece")) })
    }
}

impl PlayedOut for Position {
    /// Takes where it can.
    fn advance(&mut self, knows: bool, _: u32, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        self.legal_moves(moves);
        if knows {
            let others = self.pieces[self.to_move.opponent().index()];
            let takes = |mv: &Move| others >> mv.ends()[1] & 1 == 1;
            if moves.iter().any(takes) {
                moves.retain(takes);
            }
        }
        let count = moves.len() as u32;
        let mv = (count > 0).then(|| moves[rng.below(count) as usize])?;
        self.play(mv);
        Some(mv)
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
