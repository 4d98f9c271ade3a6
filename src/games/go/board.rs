//! Stones, chains, liberties, captures and the hash of one arrangement. No memory of the past but the simple-ko point.
//!
//! Made for playouts: points live in one array with a border, `stride = width + 1`, so that neighbours are additions;
//! a chain keeps the number, sum and sum of squares of its pseudo-liberties (`chain`).

mod chain;
mod legality;

use self::chain::Chain;
use crate::game::Side;
use crate::games::Size;
use crate::rng::mix;

/// A place in the bordered array. Places of the border exist and are never empty.
pub(crate) type Point = u16;

/// No point.
pub(crate) const NOWHERE: Point = 0;

/// Content of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Stone {
    First = 0,
    Second = 1,
    Empty = 2,
    Border = 3,
}

impl Stone {
    #[inline]
    pub(crate) const fn of(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }

    #[inline]
    pub(crate) const fn side(self) -> Option<Side> {
        match self {
            Self::First => Some(Side::First),
            Self::Second => Some(Side::Second),
            _ => None,
        }
    }
}

/// Liberties of a chain, as far as they are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// There is none.
    None,
    /// That one.
    One(Point),
    /// Two or more.
    More,
}

/// Neighbour counts of a point: stones of `First` (and border) in bits 0-3, of `Second` (and border) in bits 4-7,
/// empty points in bits 8-11.
type Around = u16;
const EMPTY_AROUND: Around = 1 << 8;
const AROUND: [Around; 2] = [1, 1 << 4];

/// The board. Every chain on it has a liberty.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Board {
    size: Size,
    stride: usize,
    /// Inverses of the width and of the stride, to divide by.
    inverses: [u32; 2],
    stones: Vec<Stone>,
    around: Vec<Around>,
    head: Vec<Point>,
    next: Vec<Point>,
    chains: Vec<Chain>,
    /// All empty points, in no particular order, and where each stands in that list.
    empty: Vec<Point>,
    place: Vec<u16>,
    ko: Point,
    hash: u64,
    captures: [u32; 2],
    on_board: [u16; 2],
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self {
            size: self.size,
            stride: self.stride,
            inverses: self.inverses,
            stones: self.stones.clone(),
            around: self.around.clone(),
            head: self.head.clone(),
            next: self.next.clone(),
            chains: self.chains.clone(),
            empty: self.empty.clone(),
            place: self.place.clone(),
            ko: self.ko,
            hash: self.hash,
            captures: self.captures,
            on_board: self.on_board,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.size = source.size;
        self.stride = source.stride;
        self.inverses = source.inverses;
        self.stones.clone_from(&source.stones);
        self.around.clone_from(&source.around);
        self.head.clone_from(&source.head);
        self.next.clone_from(&source.next);
        self.chains.clone_from(&source.chains);
        self.empty.clone_from(&source.empty);
        self.place.clone_from(&source.place);
        self.ko = source.ko;
        self.hash = source.hash;
        self.captures = source.captures;
        self.on_board = source.on_board;
    }
}

/// Factor of numbers of places that replaces their division by a width, which takes several times as long.
const fn inverse(divisor: usize) -> u32 {
    (1 << 16) / divisor as u32 + 1
}

/// A number of a place, divided.
#[inline]
const fn divided(number: usize, inverse: u32) -> usize {
    ((number as u32 * inverse) >> 16) as usize
}

/// Zobrist key of a stone.
#[inline]
fn stone_key(point: Point, side: Side) -> u64 {
    mix(u64::from(point) * 2 + side.index() as u64 + 0x5851_f42d)
}

impl Board {
    pub(crate) fn new(size: Size) -> Self {
        let stride = size.width + 1;
        let places = stride * (size.height + 2) + 1;
        let mut board = Self {
            size,
            stride,
            inverses: [size.width, stride].map(inverse),
            stones: vec![Stone::Border; places],
            around: vec![0; places],
            head: vec![NOWHERE; places],
            next: vec![NOWHERE; places],
            chains: vec![Chain::default(); places],
            empty: Vec::with_capacity(size.points()),
            place: vec![0; places],
            ko: NOWHERE,
            hash: 0,
            captures: [0; 2],
            on_board: [0; 2],
        };
        for index in 0..size.points() {
            let point = board.point(index);
            board.stones[usize::from(point)] = Stone::Empty;
            board.place[usize::from(point)] = index as u16;
            board.empty.push(point);
        }
        for index in 0..size.points() {
            let point = board.point(index);
            let mut around = 0;
            for n in board.neighbours(point) {
                around += match board.stone(n) {
                    Stone::Empty => EMPTY_AROUND,
                    _ => AROUND[0] + AROUND[1],
                };
            }
            board.around[usize::from(point)] = around;
        }
        board
    }

    #[inline]
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// The place of point number `index`.
    #[inline]
    pub(crate) fn point(&self, index: usize) -> Point {
        // A border column for each row above, and a row of border above them and a column at the left.
        (index + self.stride + 1 + divided(index, self.inverses[0])) as Point
    }

    /// Number of a place on the board (inverse of [`Board::point`]).
    #[inline]
    pub(crate) fn index(&self, point: Point) -> usize {
        // As many border columns as rows, the row of border above among them.
        let place = usize::from(point);
        place - self.stride - divided(place, self.inverses[1])
    }

    /// The four neighbours, border included.
    #[inline]
    pub(crate) fn neighbours(&self, point: Point) -> [Point; 4] {
        let s = self.stride as Point;
        [point - s, point - 1, point + 1, point + s]
    }

    /// The four diagonal neighbours, border included. The border at the right of a row is the one at the left of the next.
    #[inline]
    pub(crate) fn diagonals(&self, point: Point) -> [Point; 4] {
        let s = self.stride as Point;
        [point - s - 1, point - s + 1, point + s - 1, point + s + 1]
    }

    #[inline]
    pub(crate) fn stone(&self, point: Point) -> Stone {
        self.stones[usize::from(point)]
    }

    /// Number of places, border included.
    pub(crate) fn places(&self) -> usize {
        self.stones.len()
    }

    #[inline]
    pub(crate) fn is_empty(&self, point: Point) -> bool {
        self.stone(point) == Stone::Empty
    }

    /// The empty points, in no particular order.
    #[inline]
    pub(crate) fn empty_points(&self) -> &[Point] {
        &self.empty
    }

    /// The stones that the last [`Board::play`] took off, so many: the last ones on the list of empty points.
    #[inline]
    pub(crate) fn last_removed(&self, number: usize) -> &[Point] {
        &self.empty[self.empty.len() - number..]
    }

    /// Exchanges two places of the list of empty points.
    #[inline]
    pub(crate) fn swap_empty(&mut self, i: usize, j: usize) {
        self.empty.swap(i, j);
        self.place[usize::from(self.empty[i])] = i as u16;
        self.place[usize::from(self.empty[j])] = j as u16;
    }

    /// The point forbidden by simple ko, or [`NOWHERE`].
    #[inline]
    pub(crate) fn ko(&self) -> Point {
        self.ko
    }

    /// Zobrist hash of the stones alone.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Stones that `side` has lost.
    #[inline]
    pub(crate) fn lost(&self, side: Side) -> u32 {
        self.captures[side.index()]
    }

    /// Stones that `side` has on the board.
    #[inline]
    pub(crate) fn on_board(&self, side: Side) -> usize {
        usize::from(self.on_board[side.index()])
    }

    /// The chain's name: its head.
    #[inline]
    pub(crate) fn chain(&self, point: Point) -> Point {
        self.head[usize::from(point)]
    }

    #[inline]
    fn stats(&self, point: Point) -> &Chain {
        &self.chains[usize::from(self.head[usize::from(point)])]
    }

    /// Whether the chain at `point` has exactly one liberty.
    #[inline]
    pub(crate) fn in_atari(&self, point: Point) -> bool {
        self.stats(point).one_liberty()
    }

    /// The liberty of a chain in atari.
    #[inline]
    pub(crate) fn last_liberty(&self, point: Point) -> Point {
        self.stats(point).last_liberty()
    }

    /// Sides of the stones of the chain at `point` that have liberties: each liberty once for every stone beside it.
    #[inline]
    pub(crate) fn liberty_sides(&self, point: Point) -> usize {
        usize::from(self.stats(point).liberties)
    }

    /// Number of stones of the chain at `point`.
    #[inline]
    pub(crate) fn chain_stones(&self, point: Point) -> usize {
        usize::from(self.stats(point).stones)
    }

    /// Empty neighbours of a point.
    #[inline]
    pub(crate) fn empty_around(&self, point: Point) -> usize {
        usize::from(self.around[usize::from(point)] >> 8)
    }

    /// Stones of `side` beside a point, border included.
    #[inline]
    pub(crate) fn around(&self, point: Point, side: Side) -> usize {
        usize::from(self.around[usize::from(point)] >> (4 * side.index()) & 15)
    }

    /// Liberties that the chain at `point` keeps when the empty point `taken` is no liberty any more.
    #[inline]
    pub(crate) fn liberties_without(&self, point: Point, taken: Point) -> Rest {
        let head = self.chain(point);
        let mut rest = self.chains[usize::from(head)];
        for n in self.neighbours(taken) {
            if self.stone(n) == self.stone(point) && self.chain(n) == head {
                rest.remove(taken);
            }
        }
        match rest.liberties {
            0 => Rest::None,
            _ if rest.one_liberty() => Rest::One(rest.last_liberty()),
            _ => Rest::More,
        }
    }

    /// Calls `visit` for each stone of the chain at `point`.
    #[inline]
    pub(crate) fn for_each_stone(&self, point: Point, mut visit: impl FnMut(Point)) {
        let mut stone = point;
        loop {
            visit(stone);
            stone = self.next[usize::from(stone)];
            if stone == point {
                break;
            }
        }
    }

    /// The liberties of the chain at `point`, up to `N` of them, and how many were found.
    pub(crate) fn liberties<const N: usize>(&self, point: Point) -> ([Point; N], usize) {
        let mut found = [NOWHERE; N];
        let mut count = 0;
        let mut stone = point;
        'stones: loop {
            if self.empty_around(stone) > 0 {
                for n in self.neighbours(stone) {
                    if self.is_empty(n) && !found[..count].contains(&n) {
                        found[count] = n;
                        count += 1;
                        if count == N {
                            break 'stones;
                        }
                    }
                }
            }
            stone = self.next[usize::from(stone)];
            if stone == point {
                break;
            }
        }
        (found, count)
    }

    /// Forgets the simple-ko point, as a pass does.
    #[inline]
    pub(crate) fn clear_ko(&mut self) {
        self.ko = NOWHERE;
    }

    /// Plays at an empty point; captures, and removes its own chain if that is left without liberties.
    /// Returns the number of enemy stones taken.
    pub(crate) fn play(&mut self, point: Point, side: Side) -> usize {
        debug_assert!(self.is_empty(point));
        let p = usize::from(point);
        let own = Stone::of(side);

        self.stones[p] = own;
        self.on_board[side.index()] += 1;
        self.hash ^= stone_key(point, side);
        self.ko = NOWHERE;
        let place = usize::from(self.place[p]);
        // The list holds every empty point, so it holds this one.
        let last = self.empty.len() - 1;
        self.swap_empty(place, last);
        self.empty.truncate(last);

        self.head[p] = point;
        self.next[p] = point;
        let mut chain = Chain::of_a_stone();
        let change = AROUND[side.index()].wrapping_sub(EMPTY_AROUND);
        let neighbours = self.neighbours(point);
        for n in neighbours {
            let a = &mut self.around[usize::from(n)];
            *a = a.wrapping_add(change);
            match self.stones[usize::from(n)] {
                Stone::Empty => chain.add(n),
                Stone::Border => {}
                _ => self.chains[usize::from(self.head[usize::from(n)])].remove(point),
            }
        }
        self.chains[p] = chain;

        let mut taken = 0;
        let mut last_taken = NOWHERE;
        for n in neighbours {
            let stone = self.stones[usize::from(n)];
            if stone == own {
                self.merge(point, n);
            } else if stone == Stone::of(side.opponent()) && self.stats(n).liberties == 0 {
                last_taken = n;
                taken += self.remove_chain(n, side.opponent());
            }
        }
        let own_chain = *self.stats(point);
        if own_chain.liberties == 0 {
            self.remove_chain(point, side);
        } else if taken == 1 && own_chain.stones == 1 && own_chain.liberties == 1 {
            self.ko = last_taken;
        }
        taken
    }

    /// Joins the chains of two neighbouring stones of one colour.
    #[inline]
    fn merge(&mut self, a: Point, b: Point) {
        let (mut into, mut from) = (self.chain(a), self.chain(b));
        if into == from {
            return;
        }
        if self.chains[usize::from(into)].stones < self.chains[usize::from(from)].stones {
            std::mem::swap(&mut into, &mut from);
        }
        let other = self.chains[usize::from(from)];
        self.chains[usize::from(into)].join(other);
        let mut stone = from;
        loop {
            self.head[usize::from(stone)] = into;
            stone = self.next[usize::from(stone)];
            if stone == from {
                break;
            }
        }
        self.next.swap(usize::from(into), usize::from(from));
    }

    /// Takes a chain of `side` off the board; returns its number of stones.
    fn remove_chain(&mut self, point: Point, side: Side) -> usize {
        let change = EMPTY_AROUND.wrapping_sub(AROUND[side.index()]);
        let mut removed = 0;
        let mut stone = point;
        // First off the board, then liberties: a stone's neighbours of its own chain get none.
        loop {
            self.stones[usize::from(stone)] = Stone::Empty;
            self.hash ^= stone_key(stone, side);
            self.place[usize::from(stone)] = self.empty.len() as u16;
            self.empty.push(stone);
            removed += 1;
            stone = self.next[usize::from(stone)];
            if stone == point {
                break;
            }
        }
        loop {
            for n in self.neighbours(stone) {
                let a = &mut self.around[usize::from(n)];
                *a = a.wrapping_add(change);
                if matches!(self.stones[usize::from(n)], Stone::First | Stone::Second) {
                    self.chains[usize::from(self.head[usize::from(n)])].add(stone);
                }
            }
            stone = self.next[usize::from(stone)];
            if stone == point {
                break;
            }
        }
        self.captures[side.index()] += removed as u32;
        self.on_board[side.index()] -= removed as u16;
        removed
    }
}

#[cfg(test)]
mod tests;
