//! Rules and playouts of Breakthrough on boards up to 8×8, as two sets of bits.

use crate::game::{Game, MonteCarlo, Outcome, Side};
use crate::games::bits::{self, STRIDE, bits};
use crate::games::occupant::check_pieces;
use crate::games::{Boards, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

/// Fewest rows: two of each side. Games have as many columns at least; narrower boards are for proofs.
const FEWEST_ROWS: usize = 4;
/// Directions of a step: north-west, north, north-east, and the same to the south.
pub(super) const STEPS: [(isize, isize); 6] = [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)];
/// Points that could stop a piece of each side on each point: those that are no further to the side than they are ahead.
static CONES: [[u64; 64]; 2] = cones();

const fn cones() -> [[u64; 64]; 2] {
    let mut cones = [[0; 64]; 2];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (from, to) = (pair / 64, pair % 64);
        let (row, other) = (from / STRIDE, to / STRIDE);
        if (from % STRIDE).abs_diff(to % STRIDE) <= row.abs_diff(other) && row != other {
            cones[(other > row) as usize][from] |= 1 << to;
        }
        pair += 1;
    }
    cones
}

/// A step from a point in a direction: `6 * point + direction`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub(super) u16);

impl Move {
    /// The point that it comes from, and its direction.
    pub(super) fn parts(self) -> (usize, usize) {
        (usize::from(self.0) / STEPS.len(), usize::from(self.0) % STEPS.len())
    }

    /// The step from a point in a direction.
    pub(super) fn new(point: usize, direction: usize) -> Self {
        Self((STEPS.len() * point + direction) as u16)
    }

    /// The point that it goes to; `None` where it would leave the board.
    pub(super) fn target(self, size: Size) -> Option<usize> {
        let (point, direction) = self.parts();
        size.step(point, STEPS[direction])
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    size: Size,
    /// Points of the board.
    board: u64,
    pieces: [u64; 2],
    to_move: Side,
    plies: u32,
}

/// The points that lie one step in a direction from those of a set; they may lie beside the board.
fn step(set: u64, direction: usize) -> u64 {
    let (right, down) = STEPS[direction];
    let row = if down < 0 { set >> STRIDE } else { set << STRIDE };
    match right {
        -1 => bits::left(row),
        1 => bits::right(row),
        _ => row,
    }
}

impl Position {
    /// The start: two rows of each side. Boards have 2 to 8 columns and 4 to 8 rows.
    pub fn new(size: Size) -> Self {
        debug_assert!((2..=STRIDE).contains(&size.width) && (FEWEST_ROWS..=STRIDE).contains(&size.height));
        let row: u64 = (1 << size.width) - 1;
        let two = row | row << STRIDE;
        Self {
            size,
            board: bits::board(size),
            pieces: [two << (STRIDE * (size.height - 2)), two],
            to_move: Side::First,
            plies: 0,
        }
    }

    fn bit(&self, point: usize) -> usize {
        bits::bit(self.size, point)
    }

    fn point(&self, bit: usize) -> usize {
        bits::point(self.size, bit)
    }

    /// The row that a side wants to reach.
    fn goal(&self, side: Side) -> u64 {
        match side {
            Side::First => 0xff,
            Side::Second => 0xff << (STRIDE * (self.size.height - 1)),
        }
    }

    /// The first of the three directions of the side to move.
    fn first_direction(&self) -> usize {
        3 * self.to_move.index()
    }

    /// For each of its three directions the pieces of the side to move that can step in it.
    fn movable(&self) -> [u64; 3] {
        let [own, other] = [self.to_move, self.to_move.opponent()].map(|side| self.pieces[side.index()]);
        std::array::from_fn(|ahead| {
            let kept = if ahead == 1 { own | other } else { own };
            own & step(self.board & !kept, STEPS.len() - 1 - self.first_direction() - ahead)
        })
    }

    fn winner(&self) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.pieces[side.index()] & self.goal(side) != 0 || self.pieces[side.opponent().index()] == 0)
    }

    /// Pieces of a side.
    pub fn count(&self, side: Side) -> u32 {
        self.pieces[side.index()].count_ones()
    }

    /// For each piece of a side the steps that it has to go.
    pub fn distances(&self, side: Side) -> impl Iterator<Item = u32> + use<> {
        let last = self.size.height - 1;
        bits(self.pieces[side.index()]).map(move |bit| {
            let row = bit / STRIDE;
            (if side == Side::First { row } else { last - row }) as u32
        })
    }

    /// The fewest steps of a piece of a side that nothing can stop on its way, if there is such a piece.
    ///
    /// Pieces outside its cone never enter it: it goes straight, and whoever comes nearer by a column comes nearer by
    /// a row too. A piece of its own side in its way is itself free, and nearer.
    pub fn free_run(&self, side: Side) -> Option<u32> {
        let others = self.pieces[side.opponent().index()];
        let free = bits(self.pieces[side.index()]).map(|bit| CONES[side.index()][bit] & others == 0);
        self.distances(side).zip(free).filter(|&(_, free)| free).map(|(steps, _)| steps).min()
    }

    /// The step of the side to move from a point, the left one of its three (0), straight ahead (1) or the right one (2), as `First`
    /// sees the board.
    fn step_from(&self, bit: usize, ahead: usize) -> Move {
        Move::new(self.point(bit), self.first_direction() + ahead)
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
        if self.winner().is_some() {
            return;
        }
        let movable = self.movable();
        for bit in bits(movable[0] | movable[1] | movable[2]) {
            let able = (0..3).filter(|&ahead| movable[ahead] >> bit & 1 == 1);
            moves.extend(able.map(|ahead| self.step_from(bit, ahead)));
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let (point, direction) = mv.parts();
        let Some(ahead) = direction.checked_sub(self.first_direction()).filter(|&ahead| ahead < 3) else {
            return false;
        };
        point < self.points() && self.movable()[ahead] >> self.bit(point) & 1 == 1 && self.winner().is_none()
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let (point, direction) = mv.parts();
        let from = 1 << self.bit(point);
        let to = step(from, direction);
        let (own, other) = (self.to_move.index(), self.to_move.opponent().index());
        self.pieces[own] = self.pieces[own] & !from | to;
        self.pieces[other] &= !to;
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner().map(|winner| Outcome::of(Some(winner), 0.0))
    }

    /// A side whose free run is shorter than the way of every other piece has won.
    fn proven(&self) -> Option<(Side, u32)> {
        if let Some(winner) = self.winner() {
            return Some((winner, 0));
        }
        Side::BOTH.into_iter().find_map(|side| {
            let steps = self.free_run(side)?;
            let nearest = self.distances(side.opponent()).min()?;
            (steps < nearest).then_some((side, 2 * steps))
        })
    }

    fn key(&self) -> u64 {
        let board = (self.size.width * 16 + self.size.height) as u64;
        let [first, second] = self.pieces;
        mix(first ^ mix(second ^ mix(2 * board + self.to_move.index() as u64)))
    }

    fn move_count(&self) -> usize {
        STEPS.len() * self.points()
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
    const BOARDS: Boards = Boards::from_to(FEWEST_ROWS, STRIDE);
    const POINTS: usize = 2;

    fn size(&self) -> Size {
        self.size
    }

    /// A step that would leave the board ends where it begins, which is no spelling of a move.
    fn spell(size: Size, mv: Move) -> Spelling {
        let (from, _) = mv.parts();
        [from, mv.target(size).unwrap_or(from)].into()
    }

    fn unspell(size: Size, spelling: &Spelling) -> Option<Move> {
        match *spelling.points() {
            [from, to] if from < size.points() => {
                (0..STEPS.len()).map(|direction| Move::new(from, direction)).find(|mv| mv.target(size) == Some(to))
            }
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
        let mut position = Self { pieces: [0; 2], to_move: Side::First, plies: 0, ..*self };
        for &(side, point) in pieces {
            position.pieces[side.index()] |= 1 << position.bit(point);
        }
        let reached = |side: Side| position.pieces[side.index()] & position.goal(side) != 0;
        let gone = |side: Side| position.pieces[side.index()] == 0;
        if Side::BOTH.into_iter().all(|side| reached(side) || gone(side.opponent())) {
            return Err("both sides have won".to_owned());
        }
        Ok(position)
    }
}

impl PlayedOut for Position {
    /// Steps onto the last row where it can.
    fn advance(&mut self, knows: bool, _: u32, _: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        if self.winner().is_some() {
            return None;
        }
        let mut movable = self.movable();
        if knows {
            let goal = self.goal(self.to_move);
            let winning: [u64; 3] = std::array::from_fn(|ahead| {
                movable[ahead] & step(goal, STEPS.len() - 1 - self.first_direction() - ahead)
            });
            if winning.iter().any(|&set| set != 0) {
                movable = winning;
            }
        }
        let counts = movable.map(u64::count_ones);
        let (mut chosen, mut ahead) = (rng.below(counts.iter().sum()), 0);
        while chosen >= counts[ahead] {
            chosen -= counts[ahead];
            ahead += 1;
        }
        let mv = self.step_from(bits(movable[ahead]).nth(chosen as usize)?, ahead);
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
