//! Hex as a [`Game`]: cells in a bordered array whose border is made of the two players' edges, connection by union-find.

use thiserror::Error;

use crate::game::{Game, Outcome, Side};
use crate::games::Size;
use crate::rng::mix;

/// A place in the bordered array.
pub(crate) type Cell = u16;

/// A move: a cell by its number `y * width + x`, or the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// `swap-pieces`: the only stone is mirrored across the long diagonal and changes its colour.
    pub const SWAP: Self = Self(u16::MAX);

    /// The move at cell number `index`.
    pub const fn at(index: usize) -> Self {
        Self(index as u16)
    }

    /// The number of the cell, unless it is the swap.
    pub const fn cell(self) -> Option<usize> {
        if self.0 == u16::MAX { None } else { Some(self.0 as usize) }
    }
}

/// Which rule a move breaks.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Illegal {
    /// There is no such cell.
    #[error("invalid, outside the board")]
    Outside,
    /// A stone stands there.
    #[error("occupied")]
    Occupied,
    /// One side has connected its edges.
    #[error("the game is over")]
    GameOver,
    /// Swapping is switched off, or it is not the second move, or the board is not square.
    #[error("swap is not allowed here")]
    Swap,
}

/// Why stones cannot be set up.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SetUpError {
    /// There is no such cell.
    #[error("cell {0} is outside the board")]
    Outside(usize),
    /// Two stones on one cell.
    #[error("cell {0} is named twice")]
    Twice(usize),
}

/// What stands on a place: 0 `First`, 1 `Second`, 2 nothing.
const EMPTY: u8 = 2;

/// A position of Hex.
#[derive(Debug)]
pub struct Position {
    size: Size,
    stride: usize,
    stones: Vec<u8>,
    /// Union-find over stones and border; border places stand for the edges.
    parent: Vec<Cell>,
    to_move: Side,
    winner: Option<Side>,
    swap_allowed: bool,
    plies: usize,
    count: usize,
    hash: u64,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { stones: self.stones.clone(), parent: self.parent.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { size, stride, stones, parent, to_move, winner, swap_allowed, plies, count, hash } = self;
        stones.clone_from(&source.stones);
        parent.clone_from(&source.parent);
        (*size, *stride, *to_move, *winner) = (source.size, source.stride, source.to_move, source.winner);
        (*swap_allowed, *plies, *count, *hash) = (source.swap_allowed, source.plies, source.count, source.hash);
    }
}

/// Zobrist key of a stone.
#[inline]
fn stone_key(index: usize, side: Side) -> u64 {
    mix(index as u64 * 2 + side.index() as u64 + 0x7a3d_11c5)
}

const TURN_KEY: u64 = 0xbb67_ae85_84ca_a73b;
/// Distinguishes the position after one move in which the swap is still possible.
const SWAP_KEY: u64 = 0x3c6e_f372_fe94_f82b;

impl Position {
    /// Smallest and largest number of rows and columns.
    pub const SIZES: std::ops::RangeInclusive<usize> = 1..=25;

    /// The empty board, `First` to move, no swap.
    ///
    /// # Panics
    /// If a side is not in [`Position::SIZES`].
    pub fn new(size: Size) -> Self {
        assert!(Self::SIZES.contains(&size.width) && Self::SIZES.contains(&size.height), "no such board: {size:?}");
        let stride = size.width + 2;
        let places = stride * (size.height + 2);
        let mut position = Self {
            size,
            stride,
            stones: vec![EMPTY; places],
            parent: (0..places as Cell).collect(),
            to_move: Side::First,
            winner: None,
            swap_allowed: false,
            plies: 0,
            count: 0,
            hash: 0,
        };
        for x in 0..stride {
            for (y, name) in [(0, position.top()), (size.height + 1, position.bottom())] {
                position.stones[y * stride + x] = Side::First.index() as u8;
                position.parent[y * stride + x] = name;
            }
        }
        for y in 1..=size.height {
            for (x, name) in [(0, position.left()), (size.width + 1, position.right())] {
                position.stones[y * stride + x] = Side::Second.index() as u8;
                position.parent[y * stride + x] = name;
            }
        }
        position
    }

    fn top(&self) -> Cell {
        1
    }

    fn bottom(&self) -> Cell {
        ((self.size.height + 1) * self.stride + 1) as Cell
    }

    fn left(&self) -> Cell {
        self.stride as Cell
    }

    fn right(&self) -> Cell {
        (2 * self.stride - 1) as Cell
    }

    /// The places that stand for the two edges of a side.
    pub(crate) fn edges(&self, side: Side) -> (Cell, Cell) {
        match side {
            Side::First => (self.top(), self.bottom()),
            Side::Second => (self.left(), self.right()),
        }
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether the second move may be a swap.
    pub fn swap_allowed(&self) -> bool {
        self.swap_allowed
    }

    /// Switches the swap rule on or off.
    pub fn set_swap_allowed(&mut self, allowed: bool) {
        self.swap_allowed = allowed;
    }

    /// The side that has connected its edges.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// The stone at a cell.
    pub fn stone(&self, index: usize) -> Option<Side> {
        self.side_at(self.place(index))
    }

    /// Number of stones on the board.
    pub fn stones(&self) -> usize {
        self.count
    }

    /// The place of cell number `index`.
    #[inline]
    pub(crate) fn place(&self, index: usize) -> Cell {
        let (x, y) = self.size.xy(index);
        ((y + 1) * self.stride + x + 1) as Cell
    }

    /// Number of places, border included.
    pub(crate) fn places(&self) -> usize {
        self.stones.len()
    }

    /// What stands at a place; the border belongs to the side whose edge it is.
    #[inline]
    pub(crate) fn side_at(&self, cell: Cell) -> Option<Side> {
        match self.stones[usize::from(cell)] {
            0 => Some(Side::First),
            1 => Some(Side::Second),
            _ => None,
        }
    }

    /// The six neighbours, clockwise from the upper one; each borders on the next.
    #[inline]
    pub(crate) fn neighbours(&self, cell: Cell) -> [Cell; 6] {
        let s = self.stride as Cell;
        [cell - s, cell - s + 1, cell + 1, cell + s, cell + s - 1, cell - 1]
    }

    /// The name of the chain of stones (or edge) at a place.
    #[inline]
    pub(crate) fn chain(&self, mut cell: Cell) -> Cell {
        while self.parent[usize::from(cell)] != cell {
            cell = self.parent[usize::from(cell)];
        }
        cell
    }

    /// As [`Self::chain`], shortening the way for the next time.
    fn find(&mut self, mut cell: Cell) -> Cell {
        while self.parent[usize::from(cell)] != cell {
            let above = self.parent[usize::from(self.parent[usize::from(cell)])];
            self.parent[usize::from(cell)] = above;
            cell = above;
        }
        cell
    }

    /// Whether the swap is possible now.
    fn can_swap(&self) -> bool {
        self.swap_allowed
            && self.count == 1
            && self.plies == 1
            && self.winner.is_none()
            && self.size.width == self.size.height
    }

    /// Why `side` may not play `mv` here, if it may not. Says nothing of whose turn it is.
    ///
    /// # Errors
    /// The rule that the move breaks.
    pub fn check(&self, side: Side, mv: Move) -> Result<(), Illegal> {
        match mv.cell() {
            None if self.can_swap() && side == self.to_move => Ok(()),
            None => Err(Illegal::Swap),
            Some(index) if index >= self.points() => Err(Illegal::Outside),
            Some(index) if self.stone(index).is_some() => Err(Illegal::Occupied),
            Some(_) if self.winner.is_some() => Err(Illegal::GameOver),
            Some(_) => Ok(()),
        }
    }

    /// Puts stones on a board that is cleared first, and begins the game there with `First` to move. The swap rule stays.
    ///
    /// # Errors
    /// [`SetUpError`], and nothing is changed.
    pub fn set_up(&mut self, stones: &[(Side, usize)]) -> Result<(), SetUpError> {
        let mut fresh = Self::new(self.size);
        fresh.swap_allowed = self.swap_allowed;
        for &(side, index) in stones {
            if index >= self.points() {
                return Err(SetUpError::Outside(index));
            }
            if fresh.stone(index).is_some() {
                return Err(SetUpError::Twice(index));
            }
            fresh.put(index, side);
        }
        *self = fresh;
        Ok(())
    }

    fn put(&mut self, index: usize, side: Side) {
        let cell = self.place(index);
        self.stones[usize::from(cell)] = side.index() as u8;
        self.count += 1;
        self.hash ^= stone_key(index, side);
        for n in self.neighbours(cell) {
            if self.side_at(n) == Some(side) {
                let (a, b) = (self.find(cell), self.find(n));
                self.parent[usize::from(a)] = b;
            }
        }
        let (one, other) = self.edges(side);
        if self.winner.is_none() && self.find(one) == self.find(other) {
            self.winner = Some(side);
        }
    }

    /// Takes the only stone off and puts it back mirrored, in the other colour.
    fn swap(&mut self) {
        let stone = (0..self.points()).find_map(|i| self.stone(i).map(|side| (side, i)));
        if let Some((side, index)) = stone {
            let (x, y) = self.size.xy(index);
            let mut fresh = Self::new(self.size);
            fresh.swap_allowed = self.swap_allowed;
            fresh.put(self.size.index(y, x), side.opponent());
            fresh.plies = self.plies;
            *self = fresh;
        }
    }

    /// Joins the chains of `side` by bridges, and to the edges by ziggurats, whose cells nobody shares. `roots[place]` becomes the name of the joined
    /// chain at each stone and edge of that side, and the place's own number elsewhere.
    ///
    /// Says whether the two edges are joined: then the opponent cannot keep them apart, since each intrusion is
    /// answered within the same bridge or ziggurat.
    pub(crate) fn bridge_chains(&self, side: Side, roots: &mut Vec<Cell>) -> bool {
        self.join_by_bridges(side, roots, |_| ())
    }

    /// As [`Self::bridge_chains`], telling `joined` of each bridge.
    fn join_by_bridges(&self, side: Side, roots: &mut Vec<Cell>, mut joined: impl FnMut(Link)) -> bool {
        roots.clear();
        roots.extend(
            (0..self.places() as Cell).map(
                |cell| {
                    if self.side_at(cell) == Some(side) { self.chain(cell) } else { cell }
                },
            ),
        );
        let mut used: CellSet = [0; 12];
        for index in 0..self.points() {
            let cell = self.place(index);
            // A bridge is a pair of empty cells side by side with own chains at both ends of their common border.
            if self.side_at(cell).is_some() || taken(&used, cell) {
                continue;
            }
            let around = self.neighbours(cell);
            for k in 0..6 {
                let other = around[k];
                if self.side_at(other).is_some() || taken(&used, other) {
                    continue;
                }
                // The two places that border on both cells.
                let (a, b) = (around[(k + 1) % 6], around[(k + 5) % 6]);
                if self.side_at(a) == Some(side) && self.side_at(b) == Some(side) {
                    let (x, y) = (root(roots, a), root(roots, b));
                    if x != y {
                        roots[usize::from(x)] = y;
                        take(&mut used, cell);
                        take(&mut used, other);
                        let mut cells = [0; 12];
                        take(&mut cells, cell);
                        take(&mut cells, other);
                        joined(Link { ends: [self.chain(a), self.chain(b)], cells });
                        break;
                    }
                }
            }
        }
        self.join_to_edges(side, roots, &mut used, joined);
        for cell in 0..roots.len() as Cell {
            roots[usize::from(cell)] = root(roots, cell);
        }
        let (one, other) = self.edges(side);
        roots[usize::from(one)] == roots[usize::from(other)]
    }
}

impl Position {
    /// Joins stones on the third row to their edge where all cells of a ziggurat are empty and not used yet.
    fn join_to_edges(&self, side: Side, roots: &mut [Cell], used: &mut CellSet, mut joined: impl FnMut(Link)) {
        let (width, height) = (self.size.width, self.size.height);
        let (one, other) = self.edges(side);
        for (edge, near) in [(one, true), (other, false)] {
            let s = self.stride as isize;
            // Towards the bottom edge: down and to the left, down, and along the row. The other edges by symmetry.
            let (mut steps, along) = match side {
                Side::First => ([s - 1, s, 1], width),
                Side::Second => ([1 - s, 1, s], height),
            };
            if near {
                steps = steps.map(|step| -step);
            }
            let across = if side == Side::First { height } else { width };
            if across < 3 {
                return;
            }
            let row = if near { 2 } else { across - 3 };
            for at in 0..along {
                let (x, y) = if side == Side::First { (at, row) } else { (row, at) };
                let stone = self.place(self.size.index(x, y));
                let (a, b) = (root(roots, stone), root(roots, edge));
                if self.side_at(stone) != Some(side) || a == b {
                    continue;
                }
                if let Some(cells) = self.ziggurat(stone, steps, used) {
                    roots[usize::from(a)] = b;
                    used.iter_mut().zip(cells).for_each(|(used, cells)| *used |= cells);
                    joined(Link { ends: [self.chain(stone), self.chain(edge)], cells });
                }
            }
        }
    }

    /// The eight cells of a ziggurat below a stone on the third row, to either side, if all of them are free: whoever
    /// owns the stone joins it to the edge within them, also if the opponent begins there.
    fn ziggurat(&self, stone: Cell, [left, down, along]: [isize; 3], used: &CellSet) -> Option<CellSet> {
        let right = [along, left, down, down + along, 2 * left, left + down, 2 * down, 2 * down + along];
        let mirrored = [-along, left - along, left, down, 2 * left - along, 2 * left, left + down, 2 * down];
        [right, mirrored].into_iter().find_map(|shape| {
            let mut cells = [0; 12];
            for step in shape {
                // The cells of each row lie side by side, so that one beyond the border has the border before it.
                let cell = usize::from(stone).checked_add_signed(step).filter(|&c| c < self.places())? as Cell;
                if self.side_at(cell).is_some() || taken(used, cell) {
                    return None;
                }
                take(&mut cells, cell);
            }
            Some(cells)
        })
    }

    /// The cells that `side` needs to join its edges by bridges if it is given the cell `first` as well: `first` and the
    /// bridges on the way from edge to edge. `None` if it cannot.
    fn threat(&self, side: Side, first: usize, scratch: &mut Scratch) -> Option<CellSet> {
        let Scratch { position, roots, links } = scratch;
        position.clone_from(self);
        position.put(first, side);
        links.clear();
        if !position.join_by_bridges(side, roots, |link| links.push(link)) {
            return None;
        }
        let mut carrier = [0; 12];
        take(&mut carrier, self.place(first));
        // The links make a forest of chains: walk from one edge until the other is found. `roots` is free now; it holds
        // for each chain the number of the link that led there, counted from 1.
        let (start, end) = position.edges(side);
        let (start, end) = (position.chain(start), position.chain(end));
        roots.clear();
        roots.resize(position.places(), 0);
        let mut reached = vec![start];
        let mut done = 0;
        while let Some(&chain) = reached.get(done) {
            done += 1;
            for (number, link) in links.iter().enumerate() {
                let [a, b] = link.ends;
                let next = if a == chain { b } else { a };
                if (a == chain || b == chain) && next != start && roots[usize::from(next)] == 0 {
                    roots[usize::from(next)] = number as Cell + 1;
                    reached.push(next);
                }
            }
        }
        let mut chain = end;
        while chain != start {
            // Joined edges have a way between them.
            let link = &links[usize::from(roots[usize::from(chain)]).checked_sub(1)?];
            carrier.iter_mut().zip(link.cells).for_each(|(carrier, cells)| *carrier |= cells);
            chain = if link.ends[0] == chain { link.ends[1] } else { link.ends[0] };
        }
        Some(carrier)
    }
}

/// A bridge between two chains of one side, or a ziggurat between a chain and its edge, with the cells that it needs.
#[derive(Clone, Copy, Debug)]
struct Link {
    ends: [Cell; 2],
    cells: CellSet,
}

/// A set of places; the largest board has 27 x 27.
type CellSet = [u64; 12];

/// Buffers for finding threats.
struct Scratch {
    position: Position,
    roots: Vec<Cell>,
    links: Vec<Link>,
}

fn root(roots: &[Cell], mut cell: Cell) -> Cell {
    while roots[usize::from(cell)] != cell {
        cell = roots[usize::from(cell)];
    }
    cell
}

#[inline]
fn taken(used: &CellSet, cell: Cell) -> bool {
    used[usize::from(cell) / 64] >> (cell % 64) & 1 != 0
}

#[inline]
fn take(used: &mut CellSet, cell: Cell) {
    used[usize::from(cell) / 64] |= 1 << (cell % 64);
}

impl Game for Position {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn set_to_move(&mut self, side: Side) {
        self.to_move = side;
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.winner.is_some() {
            return;
        }
        moves.extend((0..self.points()).filter(|&i| self.stone(i).is_none()).map(Move::at));
        if self.can_swap() {
            moves.push(Move::SWAP);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.check(self.to_move, mv).is_ok()
    }

    fn play(&mut self, mv: Move) {
        let side = self.to_move;
        match mv.cell() {
            Some(index) => self.put(index, side),
            None => self.swap(),
        }
        self.to_move = side.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(|winner| Outcome { winner: Some(winner), score: 0.0 })
    }

    /// A chain of bridges from edge to edge wins for its owner whoever moves; it takes at most the empty cells.
    fn proven(&self) -> Option<(Side, u32)> {
        if let Some(winner) = self.winner {
            return Some((winner, 0));
        }
        if self.can_swap() {
            return None;
        }
        let mut roots = Vec::new();
        [self.to_move.opponent(), self.to_move]
            .into_iter()
            .find(|&side| self.bridge_chains(side, &mut roots))
            .map(|side| (side, (self.points() - self.count) as u32))
    }

    /// The opponent threatens to join its edges with one more stone and bridges; a move that touches not all of these
    /// threats loses to one of them.
    fn refuted(&self, moves: &[Move], lost: &mut Vec<Option<u32>>) {
        lost.clear();
        lost.resize(moves.len(), None);
        let opponent = self.to_move.opponent();
        if self.can_swap() || self.winner.is_some() {
            return;
        }
        let mut scratch = Scratch { position: self.clone(), roots: Vec::new(), links: Vec::new() };
        let threats = moves.iter().filter_map(|mv| self.threat(opponent, mv.cell()?, &mut scratch));
        for threat in threats {
            // The threatening stone, then an answer to each intrusion.
            let length = 1 + threat.iter().map(|w| w.count_ones()).sum::<u32>();
            for (mv, lost) in moves.iter().zip(lost.iter_mut()) {
                if mv.cell().is_some_and(|cell| !taken(&threat, self.place(cell))) {
                    *lost = Some(lost.map_or(length, |l| l.min(length)));
                }
            }
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        let turn = if self.to_move == Side::First { 0 } else { TURN_KEY };
        self.hash ^ turn ^ if self.can_swap() { SWAP_KEY } else { 0 }
    }

    fn move_count(&self) -> usize {
        self.points() + 1
    }

    fn index(&self, mv: Move) -> usize {
        mv.cell().unwrap_or(self.points())
    }

    fn move_at(&self, index: usize) -> Move {
        if index == self.points() { Move::SWAP } else { Move::at(index) }
    }

    fn points(&self) -> usize {
        self.size.points()
    }

    fn plies(&self) -> usize {
        self.plies
    }
}

#[cfg(test)]
mod tests;
