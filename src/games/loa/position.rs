//! Rules and playouts of Lines of Action on boards up to 8×8, as two sets of bits.

use crate::game::{Game, MonteCarlo, Outcome, Side};
use crate::games::bits::{self, DIRECTIONS, STRIDE, bits, grown};
use crate::games::occupant::check_pieces;
use crate::games::{Boards, Ending, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

/// Lines through a point.
const LINES: usize = 4;
/// Moves of a playout after which it is a draw.
const LONGEST_PLAYOUT: u32 = 400;
/// Points from a point in each direction to the edge.
static RAYS: [[u64; 64]; DIRECTIONS.len()] = rays();

const fn rays() -> [[u64; 64]; DIRECTIONS.len()] {
    let mut rays = [[0; 64]; DIRECTIONS.len()];
    let mut number = 0;
    while number < 64 * DIRECTIONS.len() {
        let (from, direction) = (number / DIRECTIONS.len(), number % DIRECTIONS.len());
        let (right, down) = DIRECTIONS[direction];
        let (mut x, mut y) = ((from % STRIDE) as isize + right, (from / STRIDE) as isize + down);
        while x >= 0 && y >= 0 && x < STRIDE as isize && y < STRIDE as isize {
            rays[direction][from] |= 1 << (y as usize * STRIDE + x as usize);
            (x, y) = (x + right, y + down);
        }
        number += 1;
    }
    rays
}

/// A move from a point to another one: `from * points + to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// The points that it leaves and comes to.
    pub(super) fn ends(self, size: Size) -> [usize; 2] {
        let (index, points) = (usize::from(self.0), size.points());
        [index / points, index % points]
    }

    /// The move between two points, if they lie on one line.
    pub(super) fn between(size: Size, from: usize, to: usize) -> Option<Self> {
        way(size, from, to).map(|_| Self((from * size.points() + to) as u16))
    }
}

/// Direction and number of steps from a point to another one on the same line.
pub(super) fn way(size: Size, from: usize, to: usize) -> Option<(usize, usize)> {
    let points = size.points();
    let ((x, y), (to_x, to_y)) = (from < points && to < points).then(|| (size.xy(from), size.xy(to)))?;
    let (right, down) = (to_x as isize - x as isize, to_y as isize - y as isize);
    let far = right.abs().max(down.abs());
    let direction = DIRECTIONS.iter().position(|&(x, y)| (x * far, y * far) == (right, down));
    direction.filter(|_| far > 0).map(|direction| (direction, far as usize))
}

/// A position, with what the rule of repetition needs of its past.
#[derive(Debug, PartialEq, Eq)]
pub struct Position {
    size: Size,
    /// Points of the board.
    board: u64,
    pieces: [u64; 2],
    to_move: Side,
    plies: u32,
    /// Whether the pieces of each side are one group.
    joined: [bool; 2],
    /// Whether it was there before.
    repeated: bool,
    /// Keys of the arrangements since the last capture.
    past: Vec<u64>,
    /// Hash of their set.
    way: u64,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { past: self.past.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let mut past = std::mem::take(&mut self.past);
        past.clone_from(&source.past);
        *self = Self { past, ..*source };
    }
}

/// Whether a set is one group.
fn is_joined(set: u64) -> bool {
    group(set) == set
}

/// The group of the first piece of a set.
fn group(set: u64) -> u64 {
    let mut group = set & set.wrapping_neg();
    loop {
        let larger = grown(group) & set;
        if larger == group {
            return group;
        }
        group = larger;
    }
}

impl Position {
    /// The start. Boards have 4 to 8 lines on each side.
    pub fn new(size: Size) -> Self {
        debug_assert!(Self::BOARDS.contains(size));
        let row = ((1 << size.width) - 1) & !1 & !(1 << (size.width - 1));
        let rows = row | row << (STRIDE * (size.height - 1));
        let column = (1..size.height - 1).fold(0, |column, y| column | 1 << (STRIDE * y));
        Self::with(size, [rows, column | column << (size.width - 1)])
    }

    fn with(size: Size, pieces: [u64; 2]) -> Self {
        Self {
            size,
            board: bits::board(size),
            pieces,
            to_move: Side::First,
            plies: 0,
            joined: pieces.map(is_joined),
            repeated: false,
            past: Vec::new(),
            way: 0,
        }
    }

    fn bit(&self, point: usize) -> usize {
        bits::bit(self.size, point)
    }

    fn own(&self) -> u64 {
        self.pieces[self.to_move.index()]
    }

    /// Points that a piece of a side on a point can move to.
    fn targets(&self, side: Side, from: usize) -> u64 {
        let (own, others) = (self.pieces[side.index()], self.pieces[side.opponent().index()]);
        let (x, y) = ((from % STRIDE) as isize, (from / STRIDE) as isize);
        let mut targets = 0;
        for line in 0..LINES {
            let [ahead, behind] = [RAYS[line][from], RAYS[line + LINES][from]];
            let steps = 1 + ((own | others) & (ahead | behind)).count_ones() as isize;
            for (direction, ray) in [(line, ahead), (line + LINES, behind)] {
                let (right, down) = DIRECTIONS[direction];
                let (to_x, to_y) = (x + right * steps, y + down * steps);
                if !(0..self.size.width as isize).contains(&to_x) || !(0..self.size.height as isize).contains(&to_y) {
                    continue;
                }
                let to = to_y as usize * STRIDE + to_x as usize;
                let passed = ray & !RAYS[direction][to] & !(1 << to);
                if passed & others == 0 {
                    targets |= 1 << to;
                }
            }
        }
        targets & !own
    }

    fn can_move(&self) -> bool {
        bits(self.own()).any(|from| self.targets(self.to_move, from) != 0)
    }

    /// Hash of pieces and side to move.
    fn arrangement(&self) -> u64 {
        let board = (self.size.width * 16 + self.size.height) as u64;
        let [first, second] = self.pieces;
        mix(first ^ mix(second ^ mix(2 * board + self.to_move.index() as u64)))
    }

    /// Whether a rule ends the game here whoever can move.
    fn is_decided(&self) -> bool {
        self.joined != [false; 2] || self.repeated
    }

    /// Number of pieces of a side.
    pub fn count(&self, side: Side) -> u32 {
        self.pieces[side.index()].count_ones()
    }

    /// Columns and rows of the pieces of a side.
    pub fn places(&self, side: Side) -> impl Iterator<Item = [usize; 2]> + use<> {
        bits(self.pieces[side.index()]).map(|bit| [bit % STRIDE, bit / STRIDE])
    }

    /// Number of groups of a side.
    pub fn groups(&self, side: Side) -> u32 {
        let (mut left, mut groups) = (self.pieces[side.index()], 0);
        while left != 0 {
            left &= !group(left);
            groups += 1;
        }
        groups
    }

    /// Number of moves that a side would have.
    pub fn mobility(&self, side: Side) -> u32 {
        bits(self.pieces[side.index()]).map(|from| self.targets(side, from).count_ones()).sum()
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
        self.repeated = self.past.contains(&self.arrangement());
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.is_decided() {
            return;
        }
        for bit in bits(self.own()) {
            let first = bits::point(self.size, bit) * self.points();
            let targets = bits(self.targets(self.to_move, bit));
            moves.extend(targets.map(|to| Move((first + bits::point(self.size, to)) as u16)));
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let [from, to] = mv.ends(self.size);
        if from >= self.points() || self.is_decided() {
            return false;
        }
        let from = self.bit(from);
        self.own() >> from & 1 == 1 && self.targets(self.to_move, from) >> self.bit(to) & 1 == 1
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let [from, to] = mv.ends(self.size).map(|point| 1_u64 << self.bit(point));
        let (own, other) = (self.to_move.index(), self.to_move.opponent().index());
        if self.pieces[other] & to == 0 {
            let before = self.arrangement();
            self.past.push(before);
            self.way ^= mix(before);
        } else {
            self.past.clear();
            self.way = 0;
            self.pieces[other] &= !to;
            self.joined[other] = is_joined(self.pieces[other]);
        }
        self.pieces[own] = self.pieces[own] & !from | to;
        self.joined[own] = is_joined(self.pieces[own]);
        self.to_move = self.to_move.opponent();
        self.plies += 1;
        self.repeated = self.past.contains(&self.arrangement());
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = match self.joined {
            [true, true] => None,
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            [false, false] if self.repeated => None,
            [false, false] if self.can_move() => return None,
            [false, false] => Some(self.to_move.opponent()),
        };
        Some(Outcome::of(winner, 0.0))
    }

    /// Pieces, side to move, and the set of what came before since the last capture.
    fn key(&self) -> u64 {
        self.arrangement() ^ self.way
    }

    fn move_count(&self) -> usize {
        self.points() * self.points()
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

impl Spelled for Position {
    const BOARDS: Boards = Boards::from_to(4, STRIDE);
    const POINTS: usize = 2;

    fn size(&self) -> Size {
        self.size
    }

    fn spell(size: Size, mv: Move) -> Spelling {
        mv.ends(size).into()
    }

    fn unspell(size: Size, spelling: &Spelling) -> Option<Move> {
        match *spelling.points() {
            [from, to] => Move::between(size, from, to),
            _ => None,
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        let bit = self.bit(point);
        Side::BOTH.into_iter().find(|side| self.pieces[side.index()] >> bit & 1 == 1).map(Piece::of)
    }

    fn on(size: Size) -> Self {
        Self::new(size)
    }

    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        check_pieces(self.size, pieces)?;
        let mut sets = [0_u64; 2];
        for &(side, point) in pieces {
            sets[side.index()] |= 1 << self.bit(point);
        }
        if sets.contains(&0) {
            return Err("a side without pieces".to_owned());
        }
        Ok(Self::with(self.size, sets))
    }

    fn ending(&self) -> Option<Ending> {
        let winner = self.outcome()?.winner;
        let detail = match self.joined {
            [true, true] => ", both sides are joined",
            [false, false] if self.repeated => ", the position was there before",
            [false, false] => ", there is no move",
            _ => "",
        };
        Some(Ending::Two { winner, lead: 0, detail: detail.to_owned() })
    }
}

impl Position {
    /// Steps by which a move brings a piece of the side to move nearer to the middle of all of them, times their number.
    fn gain(&self, mv: Move) -> i32 {
        let count = self.own().count_ones() as i32;
        let sums = self.places(self.to_move).fold([0, 0], |[x, y], at| [x + at[0] as i32, y + at[1] as i32]);
        let [from, to] = mv.ends(self.size).map(|point| {
            let (x, y) = self.size.xy(point);
            (x as i32 * count - sums[0]).abs().max((y as i32 * count - sums[1]).abs())
        });
        from - to
    }
}

/// A playout that was broken off is a draw.
impl PlayedOut for Position {
    /// Plays the one of two moves that brings pieces nearer together.
    fn advance(&mut self, knows: bool, length: u32, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        if length >= LONGEST_PLAYOUT {
            return None;
        }
        self.legal_moves(moves);
        let count = moves.len() as u32;
        if count == 0 {
            return None;
        }
        let mut mv = moves[rng.below(count) as usize];
        if knows {
            let other = moves[rng.below(count) as usize];
            if self.gain(other) > self.gain(mv) {
                mv = other;
            }
        }
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
