//! Rules and playouts of Avalam.

use std::sync::LazyLock;

use crate::game::{Game, MonteCarlo, Outcome, Side};
use crate::games::bits::DIRECTIONS;
use crate::games::{Boards, Ending, Occupant, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

/// The towers at the start, `First` has `X` (Figure 3 of Maestrati's report; the centre is empty).
const START: [&str; LINES] = [
    "??XO?????",
    "?XOXO????",
    "?OXOXOX??",
    "?XOXOXOXO",
    "XOXO?OXOX",
    "OXOXOXOX?",
    "??XOXOXO?",
    "????OXOX?",
    "?????OX??",
];
/// Sides of the square that the board lies in.
pub(super) const LINES: usize = 9;
/// Number of cells.
pub(super) const CELLS: usize = 48;
/// Pieces that may stand on each other.
pub(super) const HIGHEST: u8 = 5;
/// No cell.
const NONE: u8 = u8::MAX;

/// The board's shape.
pub(super) struct Shape {
    /// Point of each cell, in the square of 9×9.
    pub(super) points: [u8; CELLS],
    /// Cell of each point, or [`NONE`].
    cells: [u8; LINES * LINES],
    /// Neighbours of each cell.
    neighbours: [u64; CELLS],
    /// From and to of each move that can exist, in order.
    pub(super) moves: Vec<(u8, u8)>,
    /// Index of the first move from each cell, and beyond the last.
    first: [u16; CELLS + 1],
}

pub(super) static SHAPE: LazyLock<Shape> = LazyLock::new(|| {
    let mut shape = Shape {
        points: [0; CELLS],
        cells: [NONE; LINES * LINES],
        neighbours: [0; CELLS],
        moves: Vec::new(),
        first: [0; CELLS + 1],
    };
    let letters = START.iter().flat_map(|row| row.bytes());
    for (cell, (point, _)) in letters.enumerate().filter(|(_, letter)| *letter != b'?').enumerate() {
        shape.points[cell] = point as u8;
        shape.cells[point] = cell as u8;
    }
    for cell in 0..CELLS {
        let point = usize::from(shape.points[cell]);
        let neighbours = DIRECTIONS.iter().filter_map(|&step| Size::square(LINES).step(point, step));
        let neighbours = neighbours.map(|point| shape.cells[point]).filter(|&cell| cell != NONE);
        shape.neighbours[cell] = neighbours.fold(0, |set, cell| set | 1 << cell);
        shape
            .moves
            .extend((0..CELLS as u8).filter(|to| shape.neighbours[cell] >> to & 1 == 1).map(|to| (cell as u8, to)));
        shape.first[cell + 1] = shape.moves.len() as u16;
    }
    shape
});

/// A tower carried from one cell onto a neighbouring one, by the number of the pair among those that the board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    fn cells(self) -> (usize, usize) {
        let (from, to) = SHAPE.moves[usize::from(self.0)];
        (usize::from(from), usize::from(to))
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Cells where a piece of each side is on top.
    tops: [u64; 2],
    /// Cells with at most so many pieces, at least one: of one, two, three, four.
    low: [u64; HIGHEST as usize],
    heights: [u8; CELLS],
    to_move: Side,
    plies: u32,
}

impl Position {
    /// The start.
    pub fn new() -> Self {
        let letters = START.iter().flat_map(|row| row.bytes()).filter(|letter| *letter != b'?');
        Self::with(
            letters
                .enumerate()
                .map(|(cell, letter)| (if letter == b'X' { Side::First } else { Side::Second }, cell, 1)),
        )
    }

    /// Towers on cells: who is on top, where, and how high; `First` to move.
    pub(super) fn with(towers: impl Iterator<Item = (Side, usize, u8)>) -> Self {
        let mut position =
            Self { tops: [0; 2], low: [0; HIGHEST as usize], heights: [0; CELLS], to_move: Side::First, plies: 0 };
        for (side, cell, height) in towers {
            position.put(cell, Some(side), height);
        }
        position
    }

    /// Sets what stands on a cell.
    fn put(&mut self, cell: usize, side: Option<Side>, height: u8) {
        let bit = 1 << cell;
        for owner in Side::BOTH {
            let top = &mut self.tops[owner.index()];
            *top = if side == Some(owner) { *top | bit } else { *top & !bit };
        }
        self.heights[cell] = height;
        for (most, low) in (1..).zip(&mut self.low) {
            *low = if (1..=most).contains(&height) { *low | bit } else { *low & !bit };
        }
    }

    /// Cells that the tower on a cell can be carried to.
    fn targets(&self, from: usize) -> u64 {
        match self.heights[from] {
            0 | HIGHEST => 0,
            height => self.low[usize::from(HIGHEST - height) - 1] & SHAPE.neighbours[from],
        }
    }

    /// Cells with towers.
    fn towers(&self) -> u64 {
        self.tops[0] | self.tops[1]
    }

    /// Towers with a piece of that side on top.
    pub fn points_of(&self, side: Side) -> u32 {
        self.tops[side.index()].count_ones()
    }

    /// Towers of five.
    pub fn fives_of(&self, side: Side) -> u32 {
        (self.tops[side.index()] & self.low[4] & !self.low[3]).count_ones()
    }

    /// Towers that stay as they are to the end.
    pub fn settled_of(&self, side: Side) -> u32 {
        let own = self.tops[side.index()];
        (0..CELLS).filter(|&cell| own >> cell & 1 == 1 && self.is_settled(cell)).count() as u32
    }

    /// The height of the tower on a cell, and who is on top.
    pub(super) fn tower(&self, cell: usize) -> Option<(u8, Side)> {
        let side = Side::BOTH.into_iter().find(|side| self.tops[side.index()] >> cell & 1 == 1)?;
        Some((self.heights[cell], side))
    }

    /// Whether the tower on a cell stays as it is to the end.
    pub(super) fn is_settled(&self, cell: usize) -> bool {
        self.targets(cell) == 0
    }

    /// Whether no tower can be moved.
    fn is_over(&self) -> bool {
        (0..CELLS).all(|cell| self.targets(cell) == 0)
    }

    fn result(&self) -> Outcome {
        let of = |count: &dyn Fn(Side) -> u32| count(Side::First) as i32 - count(Side::Second) as i32;
        let lead = of(&|side| self.points_of(side));
        let winner = match (lead, of(&|side| self.fives_of(side))) {
            (0, 0) => None,
            (0, fives) => Some(fives),
            (lead, _) => Some(lead),
        };
        Outcome::of(winner.map(|lead| if lead > 0 { Side::First } else { Side::Second }), lead as f32)
    }

    fn carry(&mut self, from: usize, to: usize) {
        let (side, height) = (self.tower(from).map(|(_, side)| side), self.heights[from] + self.heights[to]);
        self.put(from, None, 0);
        self.put(to, side, height);
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::new()
    }
}

/// The cell of a point.
fn cell_at(point: usize) -> Option<usize> {
    Some(SHAPE.cells[point]).filter(|&cell| cell != NONE).map(usize::from)
}

/// The points that a move comes from and goes to.
pub(super) fn ends(mv: Move) -> [usize; 2] {
    let (from, to) = mv.cells();
    [from, to].map(|cell| usize::from(SHAPE.points[cell]))
}

/// The move between two neighbouring cells.
fn between(from: usize, to: usize) -> Option<Move> {
    let below = SHAPE.neighbours[from] & ((1 << to) - 1);
    let known = SHAPE.neighbours[from] >> to & 1 == 1;
    known.then(|| Move(SHAPE.first[from] + below.count_ones() as u16))
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
        for from in 0..CELLS {
            let mut targets = self.targets(from);
            while targets != 0 {
                moves.extend(between(from, targets.trailing_zeros() as usize));
                targets &= targets - 1;
            }
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if usize::from(mv.0) >= SHAPE.moves.len() {
            return false;
        }
        let (from, to) = mv.cells();
        self.targets(from) >> to & 1 == 1
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let (from, to) = mv.cells();
        self.carry(from, to);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.result())
    }

    fn key(&self) -> u64 {
        let heights = self.heights.chunks_exact(8).fold(0, |key, eight| {
            let eight = eight.iter().fold(0, |all, &height| all << 8 | u64::from(height));
            mix(key ^ eight)
        });
        mix(heights ^ mix(self.tops[0] << 1 | self.to_move.index() as u64))
    }

    fn move_count(&self) -> usize {
        SHAPE.moves.len()
    }

    fn index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }

    fn move_at(&self, index: usize) -> Move {
        Move(index as u16)
    }

    fn points(&self) -> usize {
        LINES * LINES
    }

    fn plies(&self) -> usize {
        self.plies as usize
    }
}

impl Spelled for Position {
    const BOARDS: Boards = Boards::only(LINES);
    const POINTS: usize = 2;
    const TALLEST: usize = HIGHEST as usize;

    fn size(&self) -> Size {
        Size::square(LINES)
    }

    fn spell(_: Size, mv: Move) -> Spelling {
        ends(mv).into()
    }

    fn unspell(_: Size, spelling: &Spelling) -> Option<Move> {
        match *spelling.points() {
            [from, to] => between(cell_at(from)?, cell_at(to)?),
            _ => None,
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        let (height, side) = self.tower(cell_at(point)?)?;
        Some(Piece { side, height: usize::from(height) })
    }

    fn is_cell(&self, point: usize) -> bool {
        cell_at(point).is_some()
    }

    fn on(_: Size) -> Self {
        Self::new()
    }

    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        self.with_occupants(&pieces.iter().map(|&(side, point)| (side.into(), point)).collect::<Vec<_>>())
    }

    /// Each tower has a piece of its owner, of the 24 that a side has.
    fn with_occupants(&self, occupants: &[(Occupant, usize)]) -> Result<Self, String> {
        Self::check_occupants(occupants)?;
        let mut position = Self::with(std::iter::empty());
        for &(occupant, point) in occupants {
            let Occupant::Piece(Piece { side, height }) = occupant else { continue };
            let cell = Some(point).filter(|&point| point < self.points()).and_then(cell_at);
            let cell = cell.ok_or("a tower is not on the board")?;
            if position.tower(cell).is_some() {
                return Err("two towers on one point".to_owned());
            }
            position.put(cell, Some(side), height as u8);
        }
        if position.heights.iter().map(|&height| usize::from(height)).sum::<usize>() > CELLS {
            return Err(format!("more than {CELLS} pieces"));
        }
        if Side::BOTH.into_iter().any(|side| position.points_of(side) as usize > CELLS / 2) {
            return Err(format!("more than {} towers of one colour", CELLS / 2));
        }
        Ok(position)
    }

    /// Nothing: a tower that is carried stands on another one.
    fn forced(&self, _mv: Move) -> Option<Self> {
        None
    }

    fn ending(&self) -> Option<Ending> {
        let winner = self.outcome()?.winner;
        let [first, second] = Side::BOTH.map(|side| self.points_of(side));
        let fives = Side::BOTH.map(|side| self.fives_of(side));
        let detail = format!(", {first} towers to {second}, of five {} to {}", fives[0], fives[1]);
        Some(Ending::Two { winner, lead: first.abs_diff(second), detail })
    }
}

impl PlayedOut for Position {
    fn advance(&mut self, _: bool, _: u32, _: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        let mut counts = [0_u32; CELLS];
        let mut all = 0;
        let mut left = self.towers();
        while left != 0 {
            let cell = left.trailing_zeros() as usize;
            left &= left - 1;
            counts[cell] = self.targets(cell).count_ones();
            all += counts[cell];
        }
        if all == 0 {
            return None;
        }
        let (mut chosen, mut from) = (rng.below(all), 0);
        while chosen >= counts[from] {
            chosen -= counts[from];
            from += 1;
        }
        let mut targets = self.targets(from);
        for _ in 0..chosen {
            targets &= targets - 1;
        }
        let to = targets.trailing_zeros() as usize;
        self.carry(from, to);
        between(from, to)
    }

    fn counted(&self, _: bool, _: u32) -> Outcome {
        self.result()
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
