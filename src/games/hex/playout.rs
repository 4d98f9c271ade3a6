//! Hex playouts: the board is filled by chance, a broken bridge may be answered, and the winner is read off once.

use super::board::MOST_LINES;
use super::circuit::{Circuit, FIRST_SWEEPS};
use super::connection::with_words;
use super::inferior;
use super::moves::Move;
use super::position::Position;
use crate::game::{Game, MonteCarlo, Outcome, PlayoutEnd, PlayoutPolicy, Prior, Side};
use crate::games::Size;
use crate::rng::Rng;

/// How much the policy knows; each knows what those before it know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// Any empty cell.
    Uniform,
    /// An intrusion into an own bridge is answered first.
    Bridges,
    /// So is one between a stone on the second row and its edge (edge template II).
    Edges,
    /// So is one into a ziggurat, which joins a stone on the third row to its edge (edge template III-a).
    Ziggurats,
}

impl Style {
    /// The style of that number, from 1: what [`MonteCarlo::playout_policy`] is given.
    fn numbered(number: u32) -> Self {
        match number {
            0 | 1 => Self::Uniform,
            2 => Self::Bridges,
            3 => Self::Edges,
            _ => Self::Ziggurats,
        }
    }
}

/// Row words with a free row above and below.
type Rows = [u32; MOST_LINES + 2];
/// Content of a place beside 0 `First` and 1 `Second`: nothing, or the edge of either.
const EMPTY: u8 = 2;
const EDGES: [u8; 2] = [3, 4];

/// Equivalent visits of what the circuits say of a move, and its expected result where no current flows and where the
/// most does.
const PRIOR_WEIGHT: f32 = 20.0;
const LEAST_PRIOR: f32 = 0.35;
const PRIOR_RANGE: f32 = 0.3;

/// A playout in progress.
///
/// A row of a side's stones is a word: bit `x` of word `y + 1` is the cell (x, y). Beside them stands a bordered array,
/// for looking at neighbours.
#[derive(Debug)]
pub struct Playout {
    size: Size,
    style: Style,
    stride: usize,
    places: Vec<u8>,
    /// Row, column and place of each cell.
    cells: Vec<(u8, u8, u16)>,
    rows: [Rows; 2],
    /// Empty cells, those still to fill first, and where each stands in the list.
    empty: Vec<u16>,
    place: Vec<u16>,
    left: usize,
    to_move: Side,
    last: Option<usize>,
    length: u32,
    over: Option<Side>,
}

impl Playout {
    /// A policy for boards like that of `position`.
    pub fn new(position: &Position, style: Style) -> Self {
        let mut playout = Self {
            size: position.size(),
            style,
            stride: 0,
            places: Vec::new(),
            cells: Vec::new(),
            rows: [[0; MOST_LINES + 2]; 2],
            empty: Vec::with_capacity(position.points()),
            place: Vec::new(),
            left: 0,
            to_move: Side::First,
            last: None,
            length: 0,
            over: None,
        };
        playout.lay_out(position.size());
        playout
    }

    /// Makes the tables of that size.
    fn lay_out(&mut self, size: Size) {
        self.size = size;
        self.stride = size.width + 2;
        let edge = |index: usize| match (index % self.stride, index / self.stride) {
            (_, y) if y == 0 || y == size.height + 1 => EDGES[0],
            (x, _) if x == 0 || x == size.width + 1 => EDGES[1],
            _ => EMPTY,
        };
        self.places = (0..self.stride * (size.height + 2)).map(edge).collect();
        self.place = vec![0; size.points()];
        self.cells = (0..size.points())
            .map(|index| {
                let (x, y) = size.xy(index);
                (y as u8, x as u8, ((y + 1) * self.stride + x + 1) as u16)
            })
            .collect();
    }

    /// Places around a place and their contents, clockwise from the upper neighbour; each borders on the next.
    #[inline]
    fn around(&self, place: usize) -> [(usize, u8); 6] {
        let s = self.stride;
        [place - s, place - s + 1, place + 1, place + s, place + s - 1, place - 1].map(|p| (p, self.places[p]))
    }

    /// The cell that keeps together what the last move intrudes on, if the style knows it.
    #[inline]
    fn reply(&self, rng: &mut Rng) -> Option<usize> {
        let last = self.last?;
        if self.style == Style::Uniform {
            return None;
        }
        let bridge = self.saved_bridge(last, rng);
        if bridge.is_none() && self.style >= Style::Ziggurats {
            return self.saved_ziggurat(last);
        }
        bridge
    }

    /// The empty cell between two own stones beside the last move, any of them with equal chance to be looked at first.
    #[inline]
    fn saved_bridge(&self, last: usize, rng: &mut Rng) -> Option<usize> {
        let around = self.around(usize::from(self.cells[last].2));
        let me = self.to_move.index();
        let edge = if self.style >= Style::Edges { EDGES[me] } else { me as u8 };
        let (mut own, mut open) = (0u32, 0u32);
        for (k, (_, stone)) in around.into_iter().enumerate() {
            own |= u32::from(stone == me as u8 || stone == edge) << k;
            open |= u32::from(stone == EMPTY) << k;
        }
        let turned = |by: u32| (own << by | own >> (6 - by)) & 63;
        let saving = open & turned(1) & turned(5);
        if saving == 0 {
            return None;
        }
        let start = rng.below(6);
        let later = saving >> start << start;
        let first = if later != 0 { later } else { saving }.trailing_zeros();
        Some(self.number(around[first as usize].0))
    }

    #[inline]
    fn number(&self, place: usize) -> usize {
        self.size.index(place % self.stride - 1, place / self.stride - 1)
    }

    /// The reply to an intrusion into a ziggurat of the side to move.
    fn saved_ziggurat(&self, last: usize) -> Option<usize> {
        let (row, column, _) = self.cells[last];
        let (across, along) = match self.to_move {
            Side::First => (usize::from(row), usize::from(column)),
            Side::Second => (usize::from(column), usize::from(row)),
        };
        let (depth, length) = match self.to_move {
            Side::First => (self.size.height, self.size.width),
            Side::Second => (self.size.width, self.size.height),
        };
        if depth < 3 {
            return None;
        }
        // Seen from an edge: the distance to it, and along it so that the cells below one are below and before it.
        if across < 3
            && let Some(reply) = self.ziggurat(across as i32, (length - 1 - along) as i32, depth, length, true)
        {
            return Some(reply);
        }
        if across + 3 >= depth {
            return self.ziggurat((depth - 1 - across) as i32, along as i32, depth, length, false);
        }
        None
    }

    /// The place of a cell seen from an edge; `None` beyond the ends of its row.
    #[inline]
    fn seen(&self, (row, at): (i32, i32), depth: usize, length: usize, near: bool) -> Option<usize> {
        if at < 0 || at >= length as i32 {
            return None;
        }
        let (across, along) =
            if near { (row as usize, length - 1 - at as usize) } else { (depth - 1 - row as usize, at as usize) };
        let (x, y) = if self.to_move == Side::First { (along, across) } else { (across, along) };
        Some((y + 1) * self.stride + x + 1)
    }

    /// The reply to an intrusion at `(row, at)` into a ziggurat below a stone on the third row from the edge.
    fn ziggurat(&self, row: i32, at: i32, depth: usize, length: usize, near: bool) -> Option<usize> {
        // (row, step along) from the stone, which is at (2, 0): the upper right, the three below, the four at the edge.
        const CELLS: [(i32, i32); 8] = [(2, 1), (1, -1), (1, 0), (1, 1), (0, -2), (0, -1), (0, 0), (0, 1)];
        // Which of the cells below the stone still joins it: the left one with (0, -2) and (0, -1), or the right one.
        const REPLY: [usize; 8] = [1, 3, 1, 1, 3, 3, 1, 1];
        // Mirrored, what is below and beside the stone changes places: steps along become -step - (2 - row).
        for mirrored in [false, true] {
            let turn = |(r, step): (i32, i32)| if mirrored { (r, -step - (2 - r)) } else { (r, step) };
            for (number, &cell) in CELLS.iter().enumerate() {
                let (r, step) = turn(cell);
                if r != row {
                    continue;
                }
                let stone = at - step;
                let place = |(r, step): (i32, i32)| self.seen((r, stone + step), depth, length, near);
                if place((2, 0)).is_none_or(|p| self.places[p] != self.to_move.index() as u8) {
                    continue;
                }
                let free = |(other, &cell): (usize, &(i32, i32))| {
                    other == number || place(turn(cell)).is_some_and(|p| self.places[p] == EMPTY)
                };
                if CELLS.iter().enumerate().all(free) {
                    return place(turn(CELLS[REPLY[number]])).map(|p| self.number(p));
                }
            }
        }
        None
    }

    #[inline]
    fn put(&mut self, index: usize) {
        let (row, column, place) = self.cells[index];
        self.rows[self.to_move.index()][usize::from(row) + 1] |= 1 << column;
        self.places[usize::from(place)] = self.to_move.index() as u8;
        let place = usize::from(self.place[index]);
        self.left -= 1;
        let other = self.empty[self.left];
        self.empty.swap(place, self.left);
        self.place[usize::from(other)] = place as u16;
        self.place[index] = self.left as u16;
        self.last = Some(index);
        self.length += 1;
        self.to_move = self.to_move.opponent();
    }

    /// Whether `First` joins top and bottom; on a full board the other side has won if not.
    fn first_wins(&self) -> bool {
        let stones = &self.rows[Side::First.index()];
        let height = self.size.height;
        let mut reached: Rows = [0; MOST_LINES + 2];
        reached[1] = fill(stones[1], stones[1]);
        let mut row = 2;
        // Down row by row, and back up where a row below has opened something new above.
        while row <= height {
            let from_above = reached[row - 1] | reached[row - 1] >> 1;
            let now = fill(stones[row], reached[row] | from_above);
            if now == 0 {
                return false;
            }
            reached[row] = now;
            let above = fill(stones[row - 1], reached[row - 1] | now | now << 1);
            if above != reached[row - 1] {
                reached[row - 1] = above;
                row = (row - 1).max(2);
                // The row above may in turn open one above it.
                let mut up = row;
                while up > 1 {
                    let wider = fill(stones[up - 1], reached[up - 1] | reached[up] | reached[up] << 1);
                    if wider == reached[up - 1] {
                        break;
                    }
                    reached[up - 1] = wider;
                    up -= 1;
                }
                row = up.max(2);
            } else {
                row += 1;
            }
        }
        reached[height] != 0
    }
}

/// All stones of a row that are joined within the row to those of `seed`.
#[inline]
fn fill(stones: u32, seed: u32) -> u32 {
    let seed = seed & stones;
    // A carry runs through a block of ones from its lowest seed upwards; the mirror image does the other half.
    let up = stones & !(stones.wrapping_add(seed)) | seed;
    let (mirrored, seeds) = (stones.reverse_bits(), (up & stones).reverse_bits());
    let down = mirrored & !(mirrored.wrapping_add(seeds)) | seeds;
    (down.reverse_bits() | up) & stones
}

impl PlayoutPolicy<Position> for Playout {
    fn start(&mut self, position: &Position) {
        if self.size != position.size() {
            self.lay_out(position.size());
        }
        self.rows = [[0; MOST_LINES + 2]; 2];
        self.empty.clear();
        for (index, &(row, column, place)) in self.cells.iter().enumerate() {
            let stone = position.board.side_at(place);
            self.places[usize::from(place)] = stone.map_or(EMPTY, |side| side.index() as u8);
            match stone {
                Some(side) => self.rows[side.index()][usize::from(row) + 1] |= 1 << column,
                None => {
                    self.place[index] = self.empty.len() as u16;
                    self.empty.push(index as u16);
                }
            }
        }
        self.left = self.empty.len();
        self.to_move = position.to_move();
        self.last = None;
        self.length = 0;
        self.over = position.winner();
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn step(&mut self, rng: &mut Rng) -> Option<Move> {
        if self.over.is_some() {
            return None;
        }
        if self.left == 0 {
            self.over = Some(if self.first_wins() { Side::First } else { Side::Second });
            return None;
        }
        let index = self.reply(rng).unwrap_or_else(|| usize::from(self.empty[rng.below(self.left as u32) as usize]));
        self.put(index);
        Some(Move::at(index))
    }

    #[inline]
    fn suits(&self, mv: Move) -> bool {
        let place = mv.cell().and_then(|index| self.cells.get(index)).map(|cell| cell.2);
        self.over.is_none() && place.is_some_and(|place| self.places[usize::from(place)] == EMPTY)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        if let Some(index) = mv.cell() {
            self.put(index);
        }
    }

    fn end(&self) -> PlayoutEnd {
        PlayoutEnd { outcome: Outcome::of(self.over, 0.0), length: self.length }
    }

    fn add_ownership(&self, owners: &mut [f32]) {
        for (index, owner) in owners.iter_mut().enumerate() {
            let (x, y) = self.size.xy(index);
            for side in [Side::First, Side::Second] {
                if self.rows[side.index()][y + 1] >> x & 1 != 0 {
                    *owner += side.sign();
                }
            }
        }
    }
}

impl MonteCarlo for Position {
    const SOLVES: bool = true;

    type Playout = Playout;

    fn point_of(&self, mv: Move) -> Option<usize> {
        Some(self.index(mv))
    }

    fn playout_policy(&self, knowledge: u32) -> Playout {
        Playout::new(self, Style::numbered(knowledge))
    }

    fn priors(&self, moves: &[Move], priors: &mut Vec<Prior>) {
        let mut circuits = [Circuit::default(), Circuit::default()];
        let currents = Side::BOTH.map(|side| circuits[side.index()].current(self, side, true, FIRST_SWEEPS).max(1e-6));
        let power = |mv: &Move| {
            let Some(cell) = mv.cell() else { return 0.0 };
            let place = self.place(cell);
            circuits.iter().zip(currents).map(|(circuit, current)| circuit.power(place) / current).sum::<f32>()
        };
        let most = moves.iter().map(power).fold(1e-6, f32::max);
        priors.clear();
        let mean = |mv| LEAST_PRIOR + PRIOR_RANGE * power(mv) / most;
        let prior = |mv| Prior { weight: PRIOR_WEIGHT, mean: mean(mv), ..Prior::default() };
        priors.extend(moves.iter().map(prior));
    }

    fn is_sensible(&self, _: Move) -> bool {
        true
    }

    /// Dead, captured and dominated cells are left out, where others are left.
    fn sensible_moves(&self, moves: &mut Vec<Move>) {
        self.legal_moves(moves);
        if self.may_be_swapped() || self.winner().is_some() {
            return;
        }
        with_words!(self.points(), W => self.leave_out_inferior::<W>(moves));
    }
}

impl Position {
    /// Takes the moves in dead, captured and dominated cells out, where others are left.
    fn leave_out_inferior<const W: usize>(&self, moves: &mut Vec<Move>) {
        let mut board = self.board.clone();
        let filled = inferior::fill_in::<W>(&mut board);
        if board.winner().is_some() {
            return;
        }
        let dominated = inferior::dominated::<W>(&board, self.to_move());
        let useful = |mv: &Move| mv.cell().is_some_and(|cell| !filled.has(cell) && !dominated.has(cell));
        if moves.iter().any(useful) {
            moves.retain(useful);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fill_from_any_seed() {
        for (stones, seed, expected) in [
            (0b1110111, 0b0100000, 0b1110000),
            (0b1110111, 0b0000100, 0b0000111),
            (0b1110111, 0b1000001, 0b1110111),
            (0b1011, 0b0100, 0),
            (u32::MAX >> 7, 1 << 12, u32::MAX >> 7),
        ] {
            assert_eq!(fill(stones, seed), expected, "{stones:b} {seed:b}");
        }
    }

    #[test]
    fn the_winner_of_a_full_board_is_the_one_that_connects() {
        let mut rng = Rng::new(5);
        for n in 1..=11 {
            for width in [n, n + 2] {
                let position = Position::new(Size { width, height: n });
                for style in [Style::Uniform, Style::Bridges] {
                    let mut playout = Playout::new(&position, style);
                    for _ in 0..50 {
                        let mut trace = Vec::new();
                        let end = playout.run(&position, &mut rng, &mut trace);
                        let mut check = position.clone();
                        for mv in trace {
                            if check.outcome().is_none() {
                                check.play(mv);
                            }
                        }
                        assert_eq!(check.outcome(), Some(end.outcome));
                    }
                }
            }
        }
    }

    /// Answer of the policy when `Second` plays at `intrusion`.
    fn answer(position: &Position, style: Style, intrusion: usize) -> Option<usize> {
        let mut playout = Playout::new(position, style);
        playout.start(position);
        playout.to_move = Side::Second;
        assert!(playout.suits(Move::at(intrusion)));
        playout.play(Move::at(intrusion));
        playout.reply(&mut Rng::new(1))
    }

    #[test]
    fn bridges_are_answered() {
        let mut position = Position::new(Size::square(5));
        position.set_up(&[(Side::First, 7), (Side::First, 16)]).unwrap();
        // (2,1) and (1,3) are joined by (2,2) and (1,2), and to their edges by two cells each.
        for style in [Style::Bridges, Style::Edges, Style::Ziggurats] {
            assert_eq!(answer(&position, style, 12), Some(11));
            assert_eq!(answer(&position, style, 2), (style >= Style::Edges).then_some(3));
            assert_eq!(answer(&position, style, 21), (style >= Style::Edges).then_some(20));
        }
        assert_eq!(answer(&position, Style::Uniform, 12), None);
    }

    /// On every edge and for both colours, wherever the opponent intrudes: the reply leaves the stone joined to its edge
    /// by bridges alone, which the policy then keeps.
    #[test]
    fn ziggurats_hold() {
        let size = Size::square(9);
        let mut held = 0;
        for side in Side::BOTH {
            for cell in 0..size.points() {
                let mut position = Position::new(size);
                position.set_up(&[(side, cell)]).unwrap();
                position.set_to_move(side.opponent());
                for intrusion in (0..size.points()).filter(|&i| i != cell) {
                    held += u32::from(holds(&position, side, cell, intrusion));
                }
            }
        }
        // At each of four edges, stones on the third row that have room to both sides (11 cells in both forms) or to one
        // (8 cells), and on the second row the two cells of the edge template below eight stones.
        assert_eq!(held, 4 * (5 * 11 + 8 + 8) + 4 * (8 * 2));
    }

    /// Whether the policy answers an intrusion and then keeps the stone joined to its edge against everything.
    fn holds(position: &Position, side: Side, stone: usize, intrusion: usize) -> bool {
        let mut playout = Playout::new(position, Style::Ziggurats);
        playout.start(position);
        assert!(playout.suits(Move::at(intrusion)));
        playout.play(Move::at(intrusion));
        let Some(reply) = playout.reply(&mut Rng::new(1)) else { return false };
        let mut position = position.clone();
        position.play(Move::at(intrusion));
        position.play(Move::at(reply));
        let (one, other) = position.board.edges(side);
        let joined = |p: &Position| {
            let mut roots = Vec::new();
            p.board.bridge_chains(side, &mut roots);
            let at = |place: u16| roots[usize::from(place)];
            [one, other].into_iter().any(|edge| at(p.place(stone)) == at(edge))
        };
        assert!(joined(&position), "{side:?} {stone}: {intrusion} was answered at {reply}");
        true
    }
}
