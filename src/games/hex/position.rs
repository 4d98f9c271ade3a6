//! Hex as a [`Game`]: cells in a bordered array whose border is made of the two players' edges, connection by union-find.

use thiserror::Error;

use super::connection::{self, Cells, Edges, Findings, Until, with_words};
use super::inferior;
use crate::game::{Game, Outcome, Side, Verdict};
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

/// Most rows and columns.
pub(super) const MOST_LINES: usize = 25;
// Rows of stones are words of 32 bits, and sets of cells hold 1024 at most.
const _: () = assert!(MOST_LINES <= 32);

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
    /// Rows with stones of `First` and columns with stones of `Second`: the lines that each side has to cross.
    crossed: [u32; 2],
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { stones: self.stones.clone(), parent: self.parent.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { size, stride, stones, parent, to_move, winner, swap_allowed, plies, count, hash, crossed } = self;
        stones.clone_from(&source.stones);
        parent.clone_from(&source.parent);
        (*size, *stride, *to_move, *winner) = (source.size, source.stride, source.to_move, source.winner);
        (*swap_allowed, *plies, *count, *hash) = (source.swap_allowed, source.plies, source.count, source.hash);
        *crossed = source.crossed;
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

/// Most stones that a side may be short of joining its edges for its connections to be searched, if it is to move and if
/// it is not: with more, hardly one search in a thousand finds that it can, and one in twenty-five that it threatens to
/// (docs/log/solving.md).
const NEAR_TO_MOVE: u32 = 3;
const NEAR: u32 = 4;

impl Position {
    /// Smallest and largest number of rows and columns.
    pub const SIZES: std::ops::RangeInclusive<usize> = 1..=MOST_LINES;

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
            crossed: [0; 2],
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
    pub(crate) fn can_swap(&self) -> bool {
        self.swap_allowed
            && self.count == 1
            && self.plies == 1
            && self.winner.is_none()
            && self.size.width == self.size.height
    }

    /// Whether the swap is possible now or after the next move, so that a first stone is not the first player's yet.
    pub(crate) fn may_be_swapped(&self) -> bool {
        let comes = self.swap_allowed && self.plies == 0 && self.count == 0 && self.size.width == self.size.height;
        comes || self.can_swap()
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

    /// Adds a stone to an empty cell; whose turn it is stays as it is.
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
    fn connects(&self, cell: usize, side: Side) -> bool {
        let (one, other) = self.edges(side);
        let around = self.neighbours(self.place(cell));
        let touches = |chain: Cell| around.iter().any(|&n| self.side_at(n) == Some(side) && self.chain(n) == chain);
        touches(self.chain(one)) && touches(self.chain(other))
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

    /// Whether the lines that a side has stones in let [`Self::bridge_chains`] join its edges: a bridge leaves out one line, a
    /// ziggurat the two at an edge.
    fn may_be_bridged(&self, side: Side) -> bool {
        self.may_be_bridged_with(side, 0)
    }

    /// The same with stones in `more` lines, a bit for each.
    fn may_be_bridged_with(&self, side: Side, more: u32) -> bool {
        let lines = if side == Side::First { self.size.height } else { self.size.width };
        let empty = !(self.crossed[side.index()] | more) & (u32::MAX >> (32 - lines));
        let at_edges = 1 | 1 << lines.saturating_sub(2);
        empty & (empty >> 1) & !at_edges == 0
    }

    /// The line of a cell that counts for a side on its way from edge to edge: the row, or the column.
    fn line(&self, cell: usize, side: Side) -> usize {
        let (x, y) = self.size.xy(cell);
        if side == Side::First { y } else { x }
    }

    /// Joins the chains of `side` by bridges, and to the edges by ziggurats, none of which share a cell. `roots[place]`
    /// becomes the name of the joined chain at each stone and edge of that side, and the place's own number elsewhere.
    ///
    /// Says whether the two edges are joined: then the opponent cannot keep them apart, since each intrusion is
    /// answered within the same bridge or ziggurat.
    pub(crate) fn bridge_chains(&self, side: Side, roots: &mut Vec<Cell>) -> bool {
        self.bridge(side, true, roots)
    }

    /// As [`Self::bridge_chains`]; if they are not `disjoint`, bridges and ziggurats may share cells.
    fn bridge(&self, side: Side, disjoint: bool, roots: &mut Vec<Cell>) -> bool {
        roots.clear();
        roots.extend(
            (0..self.places() as Cell).map(
                |cell| {
                    if self.side_at(cell) == Some(side) { self.chain(cell) } else { cell }
                },
            ),
        );
        let mut used: PlaceSet = NO_PLACES;
        // A bridge leads from a stone over a pair of empty cells side by side to a stone or edge beyond both.
        for cell in (self.stride + 1..self.places() - self.stride - 1).map(|cell| cell as Cell) {
            if self.side_at(cell) != Some(side) {
                continue;
            }
            let around = self.neighbours(cell);
            for k in 0..6 {
                let (a, b) = (around[k], around[(k + 1) % 6]);
                if self.side_at(a).is_some() || self.side_at(b).is_some() {
                    continue;
                }
                // Beyond both: the other neighbour that two cells side by side have in common.
                let beyond = a + b - cell;
                if self.side_at(beyond) != Some(side) || taken(&used, a) || taken(&used, b) {
                    continue;
                }
                let (x, y) = (root(roots, cell), root(roots, beyond));
                if x != y {
                    roots[usize::from(x)] = y;
                    if disjoint {
                        take(&mut used, a);
                        take(&mut used, b);
                    }
                }
            }
        }
        self.join_to_edges(side, disjoint, roots, &mut used);
        for cell in 0..roots.len() as Cell {
            roots[usize::from(cell)] = root(roots, cell);
        }
        let (one, other) = self.edges(side);
        roots[usize::from(one)] == roots[usize::from(other)]
    }
}

impl Position {
    /// Each edge of a side, the line (row or column) on which ziggurats towards it have their stones, and the steps down it:
    /// down and to the left, down, and along the line. `None` where the board has too few lines for any.
    fn slopes(&self, side: Side) -> Option<[(Cell, usize, [isize; 3]); 2]> {
        let s = self.stride as isize;
        // Towards the bottom edge; the other edges by symmetry.
        let (steps, lines) = match side {
            Side::First => ([s - 1, s, 1], self.size.height),
            Side::Second => ([1 - s, 1, s], self.size.width),
        };
        let (one, other) = self.edges(side);
        (lines >= 3).then(|| [(one, 2, steps.map(|step| -step)), (other, lines - 3, steps)])
    }

    /// Joins stones on the third row to their edge where all cells of a ziggurat are empty and not used yet.
    fn join_to_edges(&self, side: Side, disjoint: bool, roots: &mut [Cell], used: &mut PlaceSet) {
        let along = if side == Side::First { self.size.width } else { self.size.height };
        for (edge, row, steps) in self.slopes(side).into_iter().flatten() {
            for at in 0..along {
                let (x, y) = if side == Side::First { (at, row) } else { (row, at) };
                let stone = self.place(self.size.index(x, y));
                let (a, b) = (root(roots, stone), root(roots, edge));
                if self.side_at(stone) != Some(side) || a == b {
                    continue;
                }
                if let Some(cells) = self.ziggurat(stone, steps, used) {
                    roots[usize::from(a)] = b;
                    if disjoint {
                        used.iter_mut().zip(cells).for_each(|(used, cells)| *used |= cells);
                    }
                }
            }
        }
    }

    /// Whether a stone of `side` in an empty cell would touch both edges, or what is joined to them by `roots`
    /// ([`Self::bridge`]), or reach them by a bridge or ziggurat of its own.
    fn would_join(&self, cell: usize, side: Side, roots: &[Cell]) -> bool {
        let (place, (one, other)) = (self.place(cell), self.edges(side));
        let ends = [roots[usize::from(one)], roots[usize::from(other)]];
        let mut reached = [false; 2];
        let mut reach = |from: Cell| {
            if self.side_at(from) == Some(side) {
                reached.iter_mut().zip(ends).for_each(|(reached, end)| *reached |= roots[usize::from(from)] == end);
            }
        };
        let around = self.neighbours(place);
        for k in 0..6 {
            let (a, b) = (around[k], around[(k + 1) % 6]);
            reach(a);
            if self.side_at(a).is_none() && self.side_at(b).is_none() {
                reach(a + b - place);
            }
        }
        let line = self.line(cell, side);
        for (number, (_, row, steps)) in self.slopes(side).into_iter().flatten().enumerate() {
            reached[number] |= row == line && self.ziggurat(place, steps, &NO_PLACES).is_some();
        }
        reached == [true; 2]
    }

    /// The eight cells of a ziggurat below a stone on the third row, to either side, if all of them are free: whoever
    /// owns the stone joins it to the edge within them, also if the opponent begins there.
    fn ziggurat(&self, stone: Cell, [left, down, along]: [isize; 3], used: &PlaceSet) -> Option<PlaceSet> {
        let right = [along, left, down, down + along, 2 * left, left + down, 2 * down, 2 * down + along];
        let mirrored = [-along, left - along, left, down, 2 * left - along, 2 * left, left + down, 2 * down];
        [right, mirrored].into_iter().find_map(|shape| {
            let mut cells = NO_PLACES;
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

    /// [`Game::solved`] with sets of `W` words, where no single move ends the game.
    fn solved_within<const W: usize>(&self, findings: &Findings, moves: &[Move], verdicts: &mut [Verdict]) {
        let side = self.to_move;
        let mut position = self.clone();
        let filled = inferior::fill_in::<W>(&mut position);
        if let Some(winner) = position.winner {
            let length = filled.len();
            verdicts.fill(Verdict::Decided(winner, length));
            return;
        }
        let search = |side, until, most| {
            let near = connection::distance(&position, side).is_some_and(|stones| stones <= most);
            if near { connection::edges::<W>(findings, &position, side, until) } else { Edges::default() }
        };
        let own = search(side, Until::Threat, NEAR_TO_MOVE);
        if let Some(carrier) = own.joined {
            // Every move wins; those within the carrier get on with it.
            for (mv, verdict) in moves.iter().zip(verdicts.iter_mut()) {
                let aside = mv.cell().is_none_or(|cell| !carrier.has(cell));
                *verdict = Verdict::Decided(side, carrier.len() + filled.len() + u32::from(aside));
            }
            return;
        }
        if let Some((key, carrier)) = own.threats.first() {
            if let Some(number) = moves.iter().position(|mv| mv.cell() == Some(*key)) {
                verdicts[number] = Verdict::Decided(side, carrier.len() + filled.len() - 1);
            }
            return;
        }
        let theirs = search(side.opponent(), Until::Joined, NEAR);
        let dominated = if theirs.joined.is_some() { Cells::default() } else { inferior::dominated::<W>(&position) };
        let must_play = theirs.joined.map(|_| Cells::default()).or_else(|| theirs.must_play());
        for (mv, verdict) in moves.iter().zip(verdicts.iter_mut()) {
            let Some(cell) = mv.cell() else { continue };
            // A stone in a filled cell may still take two moves to answer, so that it only wins if another does.
            let aside = theirs.joined.is_none() && filled.has(cell);
            if aside || must_play.is_none_or(|must_play| must_play.has(cell)) {
                if aside || dominated.has(cell) {
                    *verdict = Verdict::Needless;
                }
                continue;
            }
            let threats = theirs.threats.iter().filter(|threat| !threat.1.has(cell)).map(|threat| threat.1.len());
            let joined = theirs.joined.map(|carrier| carrier.len());
            if let Some(length) = threats.chain(joined).min() {
                *verdict = Verdict::Decided(side.opponent(), length + filled.len());
            }
        }
    }
}

/// A set of places.
type PlaceSet = [u64; ((MOST_LINES + 2) * (MOST_LINES + 2)).div_ceil(64)];
const NO_PLACES: PlaceSet = [0; ((MOST_LINES + 2) * (MOST_LINES + 2)).div_ceil(64)];

fn root(roots: &[Cell], mut cell: Cell) -> Cell {
    while roots[usize::from(cell)] != cell {
        cell = roots[usize::from(cell)];
    }
    cell
}

#[inline]
fn taken(used: &PlaceSet, cell: Cell) -> bool {
    used[usize::from(cell) / 64] >> (cell % 64) & 1 != 0
}

#[inline]
fn take(used: &mut PlaceSet, cell: Cell) {
    used[usize::from(cell) / 64] |= 1 << (cell % 64);
}

impl Game for Position {
    type Move = Move;
    type Findings = Findings;

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
        self.winner.map(|winner| Outcome::of(Some(winner), 0.0))
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
            .find(|&side| self.may_be_bridged(side) && self.bridge_chains(side, &mut roots))
            .map(|side| (side, (self.points() - self.count) as u32))
    }

    /// With bridges and ziggurats that may share cells, more is joined than with those that may not. The move adds those of its
    /// own stone, and takes some of the opponent's away.
    fn decisive(&self, moves: &[Move], decisive: &mut Vec<bool>) {
        decisive.clear();
        let (side, mut roots) = (self.to_move, Vec::new());
        let suffices = |cell| self.may_be_bridged_with(side, 1 << self.line(cell, side));
        let other = side.opponent();
        if self.can_swap() || self.may_be_bridged(other) && self.bridge(other, false, &mut roots) {
            decisive.resize(moves.len(), true);
        } else if moves.iter().all(|mv| mv.cell().is_some_and(|cell| !suffices(cell))) {
            decisive.resize(moves.len(), false);
        } else {
            let any = self.bridge(side, false, &mut roots);
            let may = |cell| suffices(cell) && (any || self.would_join(cell, side, &roots));
            decisive.extend(moves.iter().map(|mv| mv.cell().is_none_or(may)));
        }
    }

    /// What inferior cells and virtual connections say: the side to move wins with a threat of its own, and loses
    /// outside the cells that all of its opponent's threats have in common.
    fn solved(&self, findings: &Findings, moves: &[Move], verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        verdicts.resize(moves.len(), Verdict::Open);
        if self.may_be_swapped() || self.winner.is_some() {
            return;
        }
        let side = self.to_move;
        if let Some(number) = moves.iter().position(|mv| mv.cell().is_some_and(|cell| self.connects(cell, side))) {
            verdicts[number] = Verdict::Decided(side, 0);
            return;
        }
        with_words!(self.points(), W => self.solved_within::<W>(findings, moves, verdicts));
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
pub(crate) mod tests;
