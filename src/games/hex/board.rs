//! The board of Hex: stones in a bordered array whose border is made of the two players' edges, chains by union-find.

use crate::game::Side;
use crate::games::Size;
use crate::rng::mix;

/// A place in the bordered array.
pub(crate) type Cell = u16;

/// Most rows and columns: rows of stones are words of 32 bits, and sets of cells hold 1024 at most.
pub(super) const MOST_LINES: usize = 32;
const _: () = assert!(MOST_LINES <= u32::BITS as usize && MOST_LINES * MOST_LINES <= 1024);

/// Content of an empty place. A stone or an edge is the index of its side.
const EMPTY: u8 = 2;

/// Stones, chains and edges, and the side that has joined its own. Knows nothing of turns.
#[derive(Debug)]
pub(crate) struct Board {
    size: Size,
    stride: usize,
    stones: Vec<u8>,
    /// Union-find over stones and border; border places stand for the edges.
    parent: Vec<Cell>,
    winner: Option<Side>,
    count: usize,
    hash: u64,
    /// Rows with stones of `First` and columns with stones of `Second`: the lines that each side has to cross.
    crossed: [u32; 2],
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self { stones: self.stones.clone(), parent: self.parent.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { size, stride, stones, parent, winner, count, hash, crossed } = self;
        stones.clone_from(&source.stones);
        parent.clone_from(&source.parent);
        (*size, *stride, *winner, *count) = (source.size, source.stride, source.winner, source.count);
        (*hash, *crossed) = (source.hash, source.crossed);
    }
}

/// Zobrist key of a stone.
#[inline]
fn stone_key(index: usize, side: Side) -> u64 {
    mix(index as u64 * 2 + side.index() as u64 + 0x7a3d_11c5)
}

impl Board {
    /// Without stones. The sides must be from 1 to [`MOST_LINES`].
    pub(super) fn new(size: Size) -> Self {
        let stride = size.width + 2;
        let places = stride * (size.height + 2);
        let mut board = Self {
            size,
            stride,
            stones: vec![EMPTY; places],
            parent: (0..places as Cell).collect(),
            winner: None,
            count: 0,
            hash: 0,
            crossed: [0; 2],
        };
        for x in 0..stride {
            for (y, name) in [(0, board.top()), (size.height + 1, board.bottom())] {
                board.stones[y * stride + x] = Side::First.index() as u8;
                board.parent[y * stride + x] = name;
            }
        }
        for y in 1..=size.height {
            for (x, name) in [(0, board.left()), (size.width + 1, board.right())] {
                board.stones[y * stride + x] = Side::Second.index() as u8;
                board.parent[y * stride + x] = name;
            }
        }
        board
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
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Number of cells.
    #[inline]
    pub(crate) fn points(&self) -> usize {
        self.size.points()
    }

    /// The side that has connected its edges.
    #[inline]
    pub(crate) fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// The stone at a cell.
    #[inline]
    pub(crate) fn stone(&self, index: usize) -> Option<Side> {
        self.side_at(self.place(index))
    }

    /// Number of stones.
    pub(crate) fn stones(&self) -> usize {
        self.count
    }

    /// Hash of the stones.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Places from one row to the next.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The lines (rows or columns, a bit for each) in which a side has stones, of those that it has to cross.
    #[inline]
    pub(super) fn crossed(&self, side: Side) -> u32 {
        self.crossed[side.index()]
    }

    /// The place of cell number `index`.
    #[inline]
    pub(crate) fn place(&self, index: usize) -> Cell {
        let (x, y) = self.size.xy(index);
        ((y + 1) * self.stride + x + 1) as Cell
    }

    /// The number of the cell at a place that is not border.
    #[inline]
    pub(crate) fn number(&self, place: Cell) -> usize {
        let place = usize::from(place);
        self.size.index(place % self.stride - 1, place / self.stride - 1)
    }

    /// Whether a place belongs to an edge.
    #[cfg(test)]
    pub(crate) fn is_border(&self, place: Cell) -> bool {
        let (x, y) = (usize::from(place) % self.stride, usize::from(place) / self.stride);
        x == 0 || y == 0 || x == self.size.width + 1 || y == self.size.height + 1
    }

    /// Number of places, border included.
    pub(crate) fn places(&self) -> usize {
        self.stones.len()
    }

    /// The side of the stone at a place; the border belongs to the side whose edge it is.
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

    /// Adds a stone to an empty cell.
    pub(crate) fn put(&mut self, index: usize, side: Side) {
        let cell = self.place(index);
        self.stones[usize::from(cell)] = side.index() as u8;
        self.count += 1;
        self.hash ^= stone_key(index, side);
        self.crossed[side.index()] |= 1 << self.line(index, side);
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

    /// Whether a stone of `side` in an empty cell joins its edges.
    pub(super) fn connects(&self, cell: usize, side: Side) -> bool {
        let (one, other) = self.edges(side);
        let around = self.neighbours(self.place(cell));
        let touches = |chain: Cell| around.iter().any(|&n| self.side_at(n) == Some(side) && self.chain(n) == chain);
        touches(self.chain(one)) && touches(self.chain(other))
    }

    /// The line of a cell that counts for a side on its way from edge to edge: the row, or the column.
    pub(super) fn line(&self, cell: usize, side: Side) -> usize {
        let (x, y) = self.size.xy(cell);
        if side == Side::First { y } else { x }
    }
}
