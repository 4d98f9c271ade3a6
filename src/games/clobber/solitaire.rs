//! Solitaire impartial Clobber: one player moves stones of both colours until no move is left, and wants as few stones as
//! possible to be left then.

use std::ops::Range;

use crate::game::{Game, MonteCarlo, Outcome, Promise, Side, Solitary};
use crate::games::occupant::check_pieces;
use crate::games::{Boards, Ending, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

use super::{Move, STEPS, is_first};

/// Longest side of a board.
const MOST_LINES: usize = 20;
/// Cells of a row, with one on each side that is never taken.
const STRIDE: usize = MOST_LINES + 2;
const CELLS: usize = STRIDE * STRIDE;
const NORTH: usize = STRIDE;
/// No place in the list of pairs.
const NOWHERE: u16 = u16::MAX;
/// Side of the parts of the board that are intermediate goals (Fabbri 2015, section 6.3.3).
const ZONE: usize = 4;

const EMPTY: u8 = 0;

/// A position. Cells are numbered with a border; a pair is a cell and its neighbour to the east (`2 * cell`) or south
/// (`2 * cell + 1`).
#[derive(Clone)]
pub struct Solitaire {
    size: Size,
    /// 0 empty, 1 and 2 the colours.
    cells: [u8; CELLS],
    /// Pairs of neighbours of different colours, in any order.
    pairs: [u16; 2 * CELLS],
    /// Where each pair stands in that list.
    places: [u16; 2 * CELLS],
    count: u16,
    stones: u16,
    plies: u32,
    key: u64,
}

impl std::fmt::Debug for Solitaire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Solitaire {}x{}, {} stones", self.size.width, self.size.height, self.stones)
    }
}

impl Solitaire {
    /// The chequered start. Sides go up to 20.
    pub fn new(size: Size) -> Self {
        let stones = (0..size.points()).map(|point| {
            let (x, y) = size.xy(point);
            (if is_first(x, y) { Side::First } else { Side::Second }, point)
        });
        Self::with(size, stones)
    }

    fn with(size: Size, stones: impl Iterator<Item = (Side, usize)>) -> Self {
        debug_assert!(Self::BOARDS.contains(size));
        let mut position = Self {
            size,
            cells: [EMPTY; CELLS],
            pairs: [0; 2 * CELLS],
            places: [NOWHERE; 2 * CELLS],
            count: 0,
            stones: 0,
            plies: 0,
            key: mix((size.width * 32 + size.height) as u64),
        };
        for (side, point) in stones {
            position.put(position.cell(point), side.index() as u8 + 1);
        }
        position
    }

    fn cell(&self, point: usize) -> usize {
        let (x, y) = self.size.xy(point);
        (y + 1) * STRIDE + x + 1
    }

    fn point(&self, cell: usize) -> usize {
        self.size.index(cell % STRIDE - 1, cell / STRIDE - 1)
    }

    /// The four pairs that a cell is part of, and its neighbour in each.
    fn pairs_of(cell: usize) -> [(usize, usize); 4] {
        [
            (2 * cell, cell + 1),
            (2 * cell + 1, cell + NORTH),
            (2 * (cell - 1), cell - 1),
            (2 * (cell - NORTH) + 1, cell - NORTH),
        ]
    }

    /// Changes what stands on a cell.
    fn put(&mut self, cell: usize, colour: u8) {
        let before = std::mem::replace(&mut self.cells[cell], colour);
        let name = |colour: u8| if colour == EMPTY { 0 } else { mix((4 * cell) as u64 + u64::from(colour)) };
        self.key ^= name(before) ^ name(colour);
        self.stones += u16::from(colour != EMPTY);
        self.stones -= u16::from(before != EMPTY);
        for (pair, other) in Self::pairs_of(cell) {
            let other = self.cells[other];
            let differ = colour != EMPTY && other != EMPTY && other != colour;
            let listed = self.places[pair] != NOWHERE;
            if differ && !listed {
                self.places[pair] = self.count;
                self.pairs[usize::from(self.count)] = pair as u16;
                self.count += 1;
            } else if !differ && listed {
                self.count -= 1;
                let last = self.pairs[usize::from(self.count)];
                let place = std::mem::replace(&mut self.places[pair], NOWHERE);
                if usize::from(last) != pair {
                    self.pairs[usize::from(place)] = last;
                    self.places[usize::from(last)] = place;
                }
            }
        }
    }

    /// Stones on the board.
    pub fn stones(&self) -> usize {
        usize::from(self.stones)
    }

    /// The cells that a move leaves and takes.
    fn cells_of(&self, mv: Move) -> (usize, usize) {
        let (from, (right, down)) = (self.cell(usize::from(mv.0) / 4), STEPS[usize::from(mv.0) % 4]);
        (from, from.wrapping_add_signed(down * STRIDE as isize + right))
    }

    fn step_from(&self, cell: usize, direction: usize) -> Move {
        Move((4 * self.point(cell) + direction) as u16)
    }

    fn carry(&mut self, from: usize, to: usize) {
        let colour = self.cells[from];
        self.put(from, EMPTY);
        self.put(to, colour);
        self.plies += 1;
    }

    /// Columns and rows of goals.
    fn zones(&self) -> (usize, usize) {
        ((self.size.width / ZONE).max(1), (self.size.height / ZONE).max(1))
    }

    /// Columns and rows of a goal.
    fn zone(&self, zone: usize) -> (Range<usize>, Range<usize>) {
        let (across, down) = self.zones();
        let range = |number: usize, of: usize, lines: usize| {
            number * ZONE..if number + 1 == of { lines } else { (number + 1) * ZONE }
        };
        (range(zone % across, across, self.size.width), range(zone / across, down, self.size.height))
    }

    /// The share of a part's points that are empty.
    fn cleared(&self, zone: usize) -> f32 {
        let (columns, rows) = self.zone(zone);
        let points = columns.len() * rows.len();
        let stones = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        let stones = stones.filter(|&(x, y)| self.cells[(y + 1) * STRIDE + x + 1] != EMPTY).count();
        1.0 - stones as f32 / points as f32
    }
}

impl Game for Solitaire {
    type Move = Move;
    type Findings = ();

    const PLAYERS: u32 = 1;

    fn to_move(&self) -> Side {
        Side::First
    }

    /// Controllers may give the turn to a second player; it changes nothing.
    fn set_to_move(&mut self, _side: Side) {}

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        for point in 0..self.points() {
            let cell = self.cell(point);
            let own = self.cells[cell];
            if own == EMPTY {
                continue;
            }
            for (direction, other) in [cell - NORTH, cell + 1, cell + NORTH, cell - 1].into_iter().enumerate() {
                if self.cells[other] == 3 - own {
                    moves.push(Move((4 * point + direction) as u16));
                }
            }
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if usize::from(mv.0) / 4 >= self.points() {
            return false;
        }
        let (from, to) = self.cells_of(mv);
        self.cells[from] != EMPTY && self.cells[to] == 3 - self.cells[from]
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let (from, to) = self.cells_of(mv);
        self.carry(from, to);
    }

    /// The share of the points that are empty, from -1 to nearly 1.
    fn outcome(&self) -> Option<Outcome> {
        let left = f32::from(self.stones);
        (self.count == 0).then(|| Outcome::alone(1.0 - 2.0 * left / self.points() as f32, 0.0 - left))
    }

    fn key(&self) -> u64 {
        self.key
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

/// Weight of neighbours in the features of a position.
const NEIGHBOURS: f32 = 1.0;
const PAIRS: f32 = 0.5;
const LEAVES: f32 = 1.0;

impl Solitary for Solitaire {
    /// A group of one colour stays as it is, and of any other at least one stone is left; two where its stones and those that
    /// stand on the other colour's points are a multiple of three in all, which no move changes (Demaine, Demaine and
    /// Fleischer 2004).
    fn promise(&self) -> Promise {
        let mut seen = [false; CELLS];
        let mut stack = [0_u16; CELLS];
        let (mut least, mut neighbours, mut leaves) = (0, 0, 0);
        for y in 1..=self.size.height {
            for start in y * STRIDE + 1..=y * STRIDE + self.size.width {
                if self.cells[start] == EMPTY || seen[start] {
                    continue;
                }
                let (mut stones, mut displaced, mut colours, mut waiting) = (0, 0, 0, 1);
                (stack[0], seen[start]) = (start as u16, true);
                while waiting > 0 {
                    waiting -= 1;
                    let cell = usize::from(stack[waiting]);
                    let own = self.cells[cell];
                    stones += 1;
                    colours |= own;
                    displaced += usize::from((cell / STRIDE + cell % STRIDE) % 2 == usize::from(own - 1));
                    let mut beside = 0;
                    for other in [cell - NORTH, cell + 1, cell + NORTH, cell - 1] {
                        if self.cells[other] != EMPTY {
                            beside += 1;
                            if !seen[other] {
                                (stack[waiting], seen[other]) = (other as u16, true);
                                waiting += 1;
                            }
                        }
                    }
                    neighbours += beside;
                    leaves += usize::from(beside == 1);
                }
                least += match (colours, (stones + displaced) % 3) {
                    (3, 0) => 2,
                    (3, _) => 1,
                    _ => stones,
                };
            }
        }
        let hope = NEIGHBOURS * neighbours as f32 + PAIRS * f32::from(self.count) - LEAVES * leaves as f32;
        Promise { bound: 1.0 - 2.0 * least as f32 / self.points() as f32, hope }
    }
}

impl Spelled for Solitaire {
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
        match self.cells[self.cell(point)] {
            1 => Some(Piece::of(Side::First)),
            2 => Some(Piece::of(Side::Second)),
            _ => None,
        }
    }

    fn on(size: Size) -> Self {
        Self::new(size)
    }

    fn with_pieces(&self, stones: &[(Side, usize)]) -> Result<Self, String> {
        check_pieces(self.size, stones)?;
        Ok(Self::with(self.size, stones.iter().copied()))
    }

    fn ending(&self) -> Option<Ending> {
        self.outcome().map(|_| Ending::One { left: u32::from(self.stones) })
    }
}

impl PlayedOut for Solitaire {
    fn advance(&mut self, _: bool, _: u32, _: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        if self.count == 0 {
            return None;
        }
        let chosen = rng.below(2 * u32::from(self.count)) as usize;
        let pair = usize::from(self.pairs[chosen / 2]);
        let (cell, south) = (pair / 2, pair % 2 == 1);
        let other = if south { cell + NORTH } else { cell + 1 };
        let (from, to, direction) = match (chosen % 2, south) {
            (0, false) => (cell, other, 1),
            (0, true) => (cell, other, 2),
            (_, false) => (other, cell, 3),
            (_, true) => (other, cell, 0),
        };
        let mv = self.step_from(from, direction);
        self.carry(from, to);
        Some(mv)
    }

    fn progress(&self, goal: usize) -> f32 {
        self.cleared(goal)
    }
}

impl MonteCarlo for Solitaire {
    const SOLVES: bool = false;
    /// As in the thesis (Fabbri 2015, section 6.3.3).
    const EXPLORATION: f32 = 0.05;

    type Playout = RandomPlayout<Self>;

    fn playout_policy(&self, knowledge: u32) -> Self::Playout {
        RandomPlayout::new(self, knowledge)
    }

    fn goals(&self) -> usize {
        let (across, down) = self.zones();
        across * down
    }

    /// Once playouts leave the part as it is: to less than half a stone, however large the part is.
    fn goal_met(&self, goal: usize, _side: Side, mean: f32) -> bool {
        let (columns, rows) = self.zone(goal);
        (mean - self.cleared(goal)).abs() * ((columns.len() * rows.len()) as f32) < 0.5
    }
}
