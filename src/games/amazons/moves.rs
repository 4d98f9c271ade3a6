//! Moves of Amazons and their numbers, and lines of boards up to 10×10 as sets of bits: eleven bits to a row, of which the last is
//! beside the board, so that no line comes back on the other side.

use std::sync::OnceLock;

use crate::games::Size;
use crate::games::bits::wide_bits;

/// Bits of a row.
pub(super) const STRIDE: usize = 11;
/// Lines of a side that games have.
pub(super) const FEWEST: usize = 4;
pub(super) const MOST: usize = 10;
/// Directions of a queen: those that lead to higher bits first.
const STEPS: [(isize, isize); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
/// Distances of bits to the neighbours of a point.
const SHIFTS: [usize; 4] = [1, STRIDE - 1, STRIDE, STRIDE + 1];
/// Number of directions that lead to higher bits.
const UPWARD: usize = 4;
/// Points from a point in each direction to the edge of the largest board.
static RAYS: [[u128; STRIDE * MOST]; STEPS.len()] = rays();

const fn rays() -> [[u128; STRIDE * MOST]; STEPS.len()] {
    let mut rays = [[0; STRIDE * MOST]; STEPS.len()];
    let mut number = 0;
    while number < STRIDE * MOST * STEPS.len() {
        let (from, direction) = (number / STEPS.len(), number % STEPS.len());
        let (right, down) = STEPS[direction];
        let (mut x, mut y) = ((from % STRIDE) as isize + right, (from / STRIDE) as isize + down);
        while x >= 0 && y >= 0 && x < MOST as isize && y < MOST as isize {
            rays[direction][from] |= 1 << (y as usize * STRIDE + x as usize);
            (x, y) = (x + right, y + down);
        }
        number += 1;
    }
    rays
}

/// Points that a queen on a point can move to, up to what is blocked.
pub(super) fn queen_moves(from: usize, blocked: u128) -> u128 {
    let mut moves = 0;
    for (direction, rays) in RAYS.iter().enumerate() {
        let ray = rays[from];
        let met = ray & blocked;
        moves |= if met == 0 {
            ray
        } else {
            let first = if direction < UPWARD { met.trailing_zeros() } else { u128::BITS - 1 - met.leading_zeros() };
            ray & !rays[first as usize] & !(1 << first)
        };
    }
    moves
}

/// Points that queens on a set reach in a move over free points.
pub(super) fn queens(set: u128, free: u128) -> u128 {
    let mut reached = 0;
    for shift in SHIFTS {
        let (mut up, mut down) = (set << shift & free, set >> shift & free);
        while up | down != 0 {
            reached |= up | down;
            (up, down) = (up << shift & free, down >> shift & free);
        }
    }
    reached
}

/// Points that kings on a set reach in a step over free points.
pub(super) fn kings(set: u128, free: u128) -> u128 {
    SHIFTS.into_iter().fold(0, |reached, shift| reached | set << shift | set >> shift) & free
}

/// All points of a board.
pub(super) fn board(size: Size) -> u128 {
    let row: u128 = (1 << size.width) - 1;
    (0..size.height).fold(0, |board, y| board | row << (STRIDE * y))
}

/// The bit of a point.
pub(super) fn bit(size: Size, point: usize) -> usize {
    let (x, y) = size.xy(point);
    y * STRIDE + x
}

/// The point of a bit.
pub(super) fn point(size: Size, bit: usize) -> usize {
    size.index(bit % STRIDE, bit / STRIDE)
}

/// A turn: the points that an amazon leaves, comes to and shoots at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) arrow: u8,
}

impl Move {
    pub(super) fn new(from: usize, to: usize, arrow: usize) -> Self {
        Self { from: from as u8, to: to as u8, arrow: arrow as u8 }
    }

    pub(super) fn points(self) -> [usize; 3] {
        [self.from, self.to, self.arrow].map(usize::from)
    }
}

/// Numbers of the turns that an empty board has room for, in ascending order.
pub(super) struct Numbering {
    /// For each point those on its lines.
    lines: Vec<Vec<u8>>,
    /// For each point, and each one on its lines in that order, the number of the first turn between them; and one past the last.
    first: Vec<u32>,
    /// For each point the place of its first line's point in that list.
    places: Vec<usize>,
}

impl Numbering {
    /// Numbering of a board, made once.
    pub(super) fn of(size: Size) -> &'static Self {
        const SIDES: usize = MOST - FEWEST + 1;
        static ALL: [OnceLock<Numbering>; SIDES * SIDES] = [const { OnceLock::new() }; SIDES * SIDES];
        ALL[(size.width - FEWEST) * SIDES + size.height - FEWEST].get_or_init(|| Self::make(size))
    }

    fn make(size: Size) -> Self {
        let beside = !board(size);
        let lines: Vec<Vec<u8>> = (0..size.points())
            .map(|from| wide_bits(queen_moves(bit(size, from), beside)).map(|to| point(size, to) as u8).collect())
            .collect();
        let (mut first, mut places, mut next) = (Vec::new(), Vec::new(), 0);
        for line in &lines {
            places.push(first.len());
            for &to in line {
                first.push(next);
                next += lines[usize::from(to)].len() as u32;
            }
        }
        first.push(next);
        Self { lines, first, places }
    }

    /// Number of turns.
    pub(super) fn count(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    fn rank(&self, from: usize, to: usize) -> Option<usize> {
        self.lines.get(from)?.iter().position(|&point| usize::from(point) == to)
    }

    /// Number of a turn; `None` if its points do not lie on lines.
    pub(super) fn number(&self, mv: Move) -> Option<usize> {
        let [from, to, arrow] = mv.points();
        let place = self.places.get(from)? + self.rank(from, to)?;
        Some(self.first[place] as usize + self.rank(to, arrow)?)
    }

    /// The turn of that number.
    pub(super) fn turn(&self, number: usize) -> Move {
        let place = self.first.partition_point(|&first| first as usize <= number) - 1;
        let from = self.places.partition_point(|&begin| begin <= place) - 1;
        let to = usize::from(self.lines[from][place - self.places[from]]);
        Move::new(from, to, usize::from(self.lines[to][number - self.first[place] as usize]))
    }
}
