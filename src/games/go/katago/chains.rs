//! Stones in chains with their liberties counted, on a board where moves can be taken back.

use super::super::board::{NOWHERE, Point, Stone};
use crate::game::Side;
use crate::games::Size;

/// A place of the bordered array. What belongs to a chain stands at its head.
#[derive(Clone, Copy, Debug)]
struct Cell {
    stone: Stone,
    head: Point,
    /// Next stone of the chain, the first one after the last.
    next: Point,
    liberties: u16,
    stones: u16,
}

const BORDER: Cell = Cell { stone: Stone::Border, head: NOWHERE, next: NOWHERE, liberties: 0, stones: 0 };

/// The board.
#[derive(Debug)]
pub(super) struct Chains {
    stride: usize,
    /// Place of each point.
    points: Vec<Point>,
    cells: Vec<Cell>,
    ko: Point,
    /// Cells as they were before each change since the board was set.
    trail: Vec<(Point, Cell)>,
    /// Places counted already hold the number of the count.
    counted: Vec<u32>,
    count: u32,
}

/// A state of the board, to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    changes: usize,
    ko: Point,
}

impl Chains {
    /// An empty board.
    pub(super) fn new(size: Size) -> Self {
        let stride = size.width + 1;
        let places = stride * (size.height + 2) + 1;
        let place = |x, y| ((y + 1) * stride + x + 1) as Point;
        let points: Vec<_> = (0..size.height).flat_map(|y| (0..size.width).map(move |x| place(x, y))).collect();
        Self {
            stride,
            points,
            cells: vec![BORDER; places],
            ko: NOWHERE,
            trail: Vec::new(),
            counted: vec![0; places],
            count: 0,
        }
    }

    /// Puts stones on all points, in their order, in place of what was there. Each chain must have a liberty.
    pub(super) fn set(&mut self, stones: &[Stone], ko: Point) {
        self.ko = ko;
        self.trail.clear();
        for (&point, &stone) in self.points.iter().zip(stones) {
            self.cells[usize::from(point)] = Cell { stone, ..BORDER };
        }
        for number in 0..self.points.len() {
            let point = self.points[number];
            let cell = self.cells[usize::from(point)];
            if cell.stone != Stone::Empty && cell.head == NOWHERE {
                self.join(point, cell.stone);
            }
        }
    }

    /// Makes a chain of all stones that are connected with that one.
    fn join(&mut self, head: Point, own: Stone) {
        self.count += 1;
        self.cells[usize::from(head)].head = head;
        let (mut stones, mut liberties) = (1, 0);
        let (mut stone, mut last) = (head, head);
        loop {
            for n in self.neighbours(stone) {
                let cell = &mut self.cells[usize::from(n)];
                if cell.stone == own && cell.head == NOWHERE {
                    cell.head = head;
                    stones += 1;
                    self.cells[usize::from(last)].next = n;
                    last = n;
                } else if cell.stone == Stone::Empty && self.counted[usize::from(n)] != self.count {
                    self.counted[usize::from(n)] = self.count;
                    liberties += 1;
                }
            }
            if stone == last {
                break;
            }
            stone = self.cells[usize::from(stone)].next;
        }
        self.cells[usize::from(last)].next = head;
        let chain = &mut self.cells[usize::from(head)];
        (chain.stones, chain.liberties) = (stones, liberties);
    }

    /// Places of the points, in their order.
    pub(super) fn points(&self) -> &[Point] {
        &self.points
    }

    /// Number of places, border included.
    pub(super) fn places(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    pub(super) fn neighbours(&self, point: Point) -> [Point; 4] {
        let s = self.stride as Point;
        [point - s, point - 1, point + 1, point + s]
    }

    #[inline]
    pub(super) fn stone(&self, point: Point) -> Stone {
        self.cells[usize::from(point)].stone
    }

    /// The point forbidden by simple ko, or [`NOWHERE`].
    #[inline]
    pub(super) fn ko(&self) -> Point {
        self.ko
    }

    #[inline]
    pub(super) fn clear_ko(&mut self) {
        self.ko = NOWHERE;
    }

    /// The chain's name: one of its stones.
    #[inline]
    pub(super) fn head(&self, stone: Point) -> Point {
        self.cells[usize::from(stone)].head
    }

    /// The stone after that one in its chain.
    #[inline]
    pub(super) fn next(&self, stone: Point) -> Point {
        self.cells[usize::from(stone)].next
    }

    /// Calls `visit` for each stone of the chain at `point`.
    #[inline]
    pub(super) fn for_each_stone(&self, point: Point, mut visit: impl FnMut(Point)) {
        let mut stone = point;
        loop {
            visit(stone);
            stone = self.next(stone);
            if stone == point {
                break;
            }
        }
    }

    /// Number of liberties of the chain of a stone.
    #[inline]
    pub(super) fn liberties(&self, stone: Point) -> usize {
        usize::from(self.cells[usize::from(self.head(stone))].liberties)
    }

    /// Number of stones of the chain of a stone.
    #[inline]
    pub(super) fn stones(&self, stone: Point) -> usize {
        usize::from(self.cells[usize::from(self.head(stone))].stones)
    }

    /// Empty neighbours of a point.
    #[inline]
    pub(super) fn room(&self, point: Point) -> usize {
        self.neighbours(point).iter().filter(|&&n| self.stone(n) == Stone::Empty).count()
    }

    /// The first two liberties of a chain that has no more, met on the way from that stone; [`NOWHERE`] for those that it has not.
    pub(super) fn last_liberties(&self, from: Point) -> [Point; 2] {
        let number = self.liberties(from).min(2);
        let mut found = [NOWHERE; 2];
        let mut count = 0;
        let mut stone = from;
        while count < number {
            for n in self.neighbours(stone) {
                if self.stone(n) == Stone::Empty && n != found[0] && count < number {
                    found[count] = n;
                    count += 1;
                }
            }
            stone = self.next(stone);
        }
        found
    }

    /// Whether `side` may play there: no suicide, no ko.
    pub(super) fn is_legal(&self, point: Point, side: Side) -> bool {
        let own = Stone::of(side);
        point != self.ko
            && self.neighbours(point).iter().any(|&n| match self.stone(n) {
                Stone::Empty => true,
                Stone::Border => false,
                stone => (stone == own) == (self.liberties(n) > 1),
            })
    }

    /// The state to come back to.
    pub(super) fn mark(&self) -> Mark {
        Mark { changes: self.trail.len(), ko: self.ko }
    }

    /// Takes all moves since then back.
    pub(super) fn take_back(&mut self, mark: Mark) {
        while self.trail.len() > mark.changes {
            if let Some((point, cell)) = self.trail.pop() {
                self.cells[usize::from(point)] = cell;
            }
        }
        self.ko = mark.ko;
    }

    /// A cell that is about to change.
    #[inline]
    fn change(&mut self, point: Point) -> &mut Cell {
        let cell = &mut self.cells[usize::from(point)];
        self.trail.push((point, *cell));
        cell
    }

    /// Names of the chains beside a point, each once, and how many they are.
    #[inline]
    fn chains_around(&self, point: Point) -> ([Point; 4], usize) {
        let mut heads = [NOWHERE; 4];
        let mut count = 0;
        for n in self.neighbours(point) {
            let head = match self.stone(n) {
                Stone::First | Stone::Second => self.head(n),
                Stone::Empty | Stone::Border => continue,
            };
            if !heads[..count].contains(&head) {
                heads[count] = head;
                count += 1;
            }
        }
        (heads, count)
    }

    /// Plays at an empty point and takes what has no liberty then, but for the stone's own chain.
    pub(super) fn play(&mut self, point: Point, side: Side) {
        let own = Stone::of(side);
        let liberties = self.room(point) as u16;
        *self.change(point) = Cell { stone: own, head: point, next: point, liberties, stones: 1 };
        self.ko = NOWHERE;
        let (heads, count) = self.chains_around(point);
        let mut taken = NOWHERE;
        let mut number = 0;
        for &head in &heads[..count] {
            let chain = self.change(head);
            chain.liberties -= 1;
            let (stone, liberties) = (chain.stone, chain.liberties);
            if stone == own {
                self.merge(point, head);
            } else if liberties == 0 {
                taken = head;
                number += self.stones(head);
                self.remove(head);
            }
        }
        if number == 1 && self.stones(point) == 1 && self.liberties(point) == 1 {
            self.ko = taken;
        }
    }

    /// Joins the chains of two neighbouring stones of one colour.
    fn merge(&mut self, a: Point, b: Point) {
        let (mut into, mut from) = (self.head(a), self.head(b));
        if self.stones(into) < self.stones(from) {
            std::mem::swap(&mut into, &mut from);
        }
        let more = self.liberties_beyond(from, into);
        let joined = self.cells[usize::from(from)].stones;
        let chain = self.change(into);
        chain.liberties += more;
        chain.stones += joined;
        let after = chain.next;
        let mut stone = from;
        loop {
            let cell = self.change(stone);
            cell.head = into;
            let next = cell.next;
            if next == from {
                cell.next = after;
                break;
            }
            stone = next;
        }
        self.cells[usize::from(into)].next = from;
    }

    /// Number of liberties of one chain that the other has not.
    fn liberties_beyond(&mut self, chain: Point, other: Point) -> u16 {
        self.count += 1;
        let own = self.stone(other);
        let mut more = 0;
        let mut stone = chain;
        loop {
            for n in self.neighbours(stone) {
                if self.stone(n) != Stone::Empty || self.counted[usize::from(n)] == self.count {
                    continue;
                }
                self.counted[usize::from(n)] = self.count;
                let shared = self.neighbours(n).iter().any(|&m| self.stone(m) == own && self.head(m) == other);
                more += u16::from(!shared);
            }
            stone = self.next(stone);
            if stone == chain {
                break;
            }
        }
        more
    }

    /// Takes a chain off the board.
    fn remove(&mut self, head: Point) {
        let mut stone = head;
        loop {
            let cell = self.change(stone);
            cell.stone = Stone::Empty;
            stone = cell.next;
            if stone == head {
                break;
            }
        }
        loop {
            let (heads, count) = self.chains_around(stone);
            for &chain in &heads[..count] {
                self.change(chain).liberties += 1;
            }
            stone = self.next(stone);
            if stone == head {
                break;
            }
        }
    }
}
