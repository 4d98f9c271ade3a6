//! A board of Gomoku and what is nearly five in a row on it.

use super::lines::{LINES, Lane, MOST, ROW, cells, has_row, lines_through, point_on};
use crate::game::{Game, Side};
use crate::games::bits::bits;
use crate::games::occupant::check_pieces;
use crate::games::{Boards, Grid, Piece, Size, Spelled, Spelling};
use crate::rng::mix;

/// Worth of a move for each window of five around it that has so many stones of one side and none of the other.
const GAIN: [f32; ROW + 1] = [1.0, 6.0, 30.0, 150.0, 1_000.0, 0.0];
/// Worth of such a window of the opponent's.
const DENIED: f32 = 0.8;

/// The point on which a stone is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// A stone on that point.
    pub(super) fn at(point: usize) -> Self {
        Self(point as u16)
    }

    /// The point of the stone.
    pub(super) fn point(self) -> usize {
        usize::from(self.0)
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) size: Size,
    /// Stones of each side on each line.
    stones: [[u32; LINES]; 2],
    pub(super) count: u32,
    pub(super) stones_key: u64,
    pub(super) winner: Option<Side>,
    pub(super) to_move: Side,
    pub(super) plies: u32,
}

impl Position {
    /// The empty board. Boards have 5 to 20 columns and rows.
    pub fn new(size: Size) -> Self {
        debug_assert!(Self::BOARDS.contains(size));
        let stones = [[0; LINES]; 2];
        Self { size, stones, count: 0, stones_key: 0, winner: None, to_move: Side::First, plies: 0 }
    }

    /// Whether no stone lies on a point.
    pub(super) fn is_empty(&self, point: usize) -> bool {
        let (x, y) = self.size.xy(point);
        (self.stones[0][y] | self.stones[1][y]) >> x & 1 == 0
    }

    /// Whether the board is empty, so that the next stone must lie on an outer line.
    pub(super) fn is_bare(&self) -> bool {
        self.count == 0
    }

    /// Places a stone on an empty point.
    pub(super) fn put(&mut self, side: Side, point: usize) {
        let mut row = false;
        for (line, bit) in lines_through(self.size, point) {
            let stones = &mut self.stones[side.index()][line];
            *stones |= bit;
            row |= has_row(*stones);
        }
        if row {
            self.winner = Some(side);
        }
        self.count += 1;
        self.stones_key ^= mix(2 * point as u64 + side.index() as u64 + 1);
    }

    /// Whether a side has five in a row.
    pub(super) fn is_over(&self) -> bool {
        self.winner.is_some()
    }

    /// Whether a side has stones enough on a line for one more to make four in a row.
    pub(super) fn may_have_four(&self, side: Side, line: usize) -> bool {
        self.stones[side.index()][line].count_ones() + 2 >= ROW as u32
    }

    pub(super) fn line(&self, line: usize) -> Lane {
        Lane { stones: [self.stones[0][line], self.stones[1][line]], cells: cells(self.size, line) }
    }

    /// The lines of the board on which five stones have room, always in the same order.
    pub fn lines(&self) -> impl Iterator<Item = Lane> {
        (0..LINES).map(|line| self.line(line)).filter(|line| line.cells.count_ones() >= ROW as u32)
    }

    /// Points that make five in a row for a side on a line through that point.
    pub(super) fn completions_at(&self, side: Side, point: usize) -> impl Iterator<Item = usize> {
        lines_through(self.size, point).into_iter().flat_map(move |(line, _)| {
            bits(self.line(line).completions(side).into()).map(move |bit| point_on(self.size, line, bit))
        })
    }

    /// Points that make five in a row for a side, in ascending order.
    pub(super) fn completions(&self, side: Side) -> Vec<usize> {
        let lines = (0..LINES).filter(|&line| self.stones[side.index()][line] != 0);
        let mut points: Vec<usize> = lines
            .flat_map(|line| {
                bits(self.line(line).completions(side).into()).map(move |bit| point_on(self.size, line, bit))
            })
            .collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Points after which a side could make five in a row in two ways: the opponent can only take one of them.
    pub(super) fn double_threats(&self, side: Side) -> Vec<usize> {
        let mut ways = [0_u32; MOST * MOST];
        for line in (0..LINES).filter(|&line| self.stones[side.index()][line] != 0) {
            for (bit, count) in self.line(line).fours(side) {
                ways[point_on(self.size, line, bit)] += count;
            }
        }
        (0..self.points()).filter(|&point| ways[point] > 1).collect()
    }

    /// Worth of a move for the side to move by the windows of five that it lies in.
    pub(super) fn gain(&self, point: usize) -> f32 {
        let worth =
            |counts: [u32; ROW + 1]| counts.iter().zip(GAIN).map(|(&count, gain)| count as f32 * gain).sum::<f32>();
        let of_line = |(line, bit): (usize, u32)| {
            let (line, bit) = (self.line(line), bit.trailing_zeros() as usize);
            let [own, other] =
                [self.to_move, self.to_move.opponent()].map(|side| worth(line.windows_around(side, bit)));
            own + DENIED * other
        };
        lines_through(self.size, point).map(of_line).iter().sum()
    }
}

impl Spelled for Position {
    const BOARDS: Boards = Boards::from_to(ROW, MOST);
    const POINTS: usize = 1;
    const SGF: Option<u32> = Some(4);
    const GRID: Grid = Grid::Lines;

    fn size(&self) -> Size {
        self.size
    }

    fn spell(_size: Size, mv: Move) -> Spelling {
        [mv.point()].into()
    }

    fn unspell(size: Size, spelling: &Spelling) -> Option<Move> {
        match *spelling.points() {
            [point] if point < size.points() => Some(Move::at(point)),
            _ => None,
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        let (x, y) = self.size.xy(point);
        Side::BOTH.into_iter().find(|side| self.stones[side.index()][y] >> x & 1 == 1).map(Piece::of)
    }

    fn on(size: Size) -> Self {
        Self::new(size)
    }

    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        check_pieces(self.size, pieces)?;
        let mut position = Self::new(self.size);
        for &(side, point) in pieces {
            let won = position.winner;
            position.put(side, point);
            if won.is_some_and(|won| position.winner != Some(won)) {
                return Err("both sides have won".to_owned());
            }
        }
        Ok(position)
    }

    fn objection(&self, mv: Move) -> Option<String> {
        let why = match self.outcome() {
            Some(_) => "the game is over",
            None if self.is_legal(mv) => return None,
            None if mv.point() < self.points() && self.is_empty(mv.point()) => "the first stone lies on an outer line",
            None => "the point is not empty",
        };
        Some(why.to_owned())
    }
}
