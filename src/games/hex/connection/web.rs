//! Known connections of a side in one position: a list of them for each two nodes.

use super::carriers::{Connection, List, MOST, NEEDED, Store, any_within};
use super::cells::Cells;
use super::links::Links;
use crate::game::Side;
use crate::games::hex::board::{Board, Cell};

/// Most connections that are kept for one pair of nodes, the smallest first.
const FULLS: usize = 3;
const SEMIS: usize = 16;
const _: () = assert!(FULLS + NEEDED < MOST && SEMIS + NEEDED < MOST);
const EDGES: usize = 2;
/// No node: a stone or edge of the opponent.
const NONE: u16 = u16::MAX;
/// Most pairs that [`Packed`] goes on by at once.
const FURTHEST: usize = u16::MAX as usize;

/// The connections of two nodes.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    fulls: List,
    semis: List,
}

/// Nodes are the empty cells by number, chains by the number of one of their cells, and the two edges after them, with the
/// stones that touch them.
#[derive(Debug, Default)]
pub(super) struct Web<const W: usize> {
    points: usize,
    /// Cells with stones of the side and of its opponent, and without.
    own: Cells<W>,
    theirs: Cells<W>,
    empty: Cells<W>,
    /// The node at each place.
    node_at: Vec<u16>,
    /// For each two nodes, as [`Web::pair`] counts them.
    pairs: Vec<Pair>,
    store: Store<W>,
    /// Bits of a row of the next two.
    words: usize,
    /// Nodes that each node has a full connection to, and those to which it needs no cells.
    reach: Vec<u64>,
    adjacent: Vec<u64>,
}

/// A web that is kept.
#[derive(Debug, Default)]
pub(super) struct Packed<const W: usize> {
    points: usize,
    stones: (Cells<W>, Cells<W>),
    node_at: Vec<u16>,
    /// Pairs that have any: how far their index is from that of the one before, and how many, full ones and semi
    /// connections, one after the other in `all`. Where it is further than the number can say there are pairs without any
    /// between.
    pairs: Vec<(u16, u8, u8)>,
    all: Vec<Connection<W>>,
    reach: Vec<u64>,
    adjacent: Vec<u64>,
}

impl<const W: usize> Packed<W> {
    /// The stones of its board, as [`stones`] gives them.
    pub(super) fn stones(&self) -> (Cells<W>, Cells<W>) {
        self.stones
    }

    /// About so many bytes.
    pub(super) fn bytes(&self) -> usize {
        let words = self.reach.capacity() + self.adjacent.capacity();
        size_of::<Self>()
            + size_of_val(&self.node_at[..])
            + self.pairs.capacity() * size_of::<(u16, u8, u8)>()
            + self.all.capacity() * size_of::<Connection<W>>()
            + words * size_of::<u64>()
    }
}

/// A connection on its way from one list to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved<const W: usize> {
    pub(super) ends: (usize, usize),
    pub(super) connection: Connection<W>,
    pub(super) change: Change,
}

/// Change of a connection by a stone of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A full one with fewer cells, or a semi connection whose key was played.
    Full,
    /// A full one whose second end is part of a larger chain.
    Joined,
    /// A semi connection with fewer cells or another end.
    Semi,
}

/// The cells with stones of `side` and of its opponent.
pub(super) fn stones<const W: usize>(board: &Board, side: Side) -> (Cells<W>, Cells<W>) {
    let (mut own, mut theirs) = (Cells::default(), Cells::default());
    for cell in 0..board.points() {
        match board.stone(cell) {
            Some(owner) if owner == side => own = own.with(cell),
            Some(_) => theirs = theirs.with(cell),
            None => {}
        }
    }
    (own, theirs)
}

impl<const W: usize> Web<W> {
    /// Number of nodes, whether there is anything at them or not.
    pub(super) fn nodes(&self) -> usize {
        self.points + EDGES
    }

    /// The two edges.
    pub(super) fn goal(&self) -> (usize, usize) {
        (self.points, self.points + 1)
    }

    pub(super) fn is_edge(&self, node: usize) -> bool {
        node >= self.points
    }

    /// Bytes of its connections.
    pub(super) fn held(&self) -> usize {
        self.store.bytes()
    }

    #[inline]
    pub(super) fn is_empty_cell(&self, node: usize) -> bool {
        node < self.points && self.empty.has(node)
    }

    /// The stones of its board, as [`stones`] gives them.
    pub(super) fn stones(&self) -> (Cells<W>, Cells<W>) {
        (self.own, self.theirs)
    }

    /// Index of the pair of two nodes.
    #[inline]
    fn pair(a: usize, b: usize) -> usize {
        let (low, high) = (a.min(b), a.max(b));
        high * (high - 1) / 2 + low
    }

    #[inline]
    pub(super) fn fulls(&self, a: usize, b: usize) -> &[Connection<W>] {
        self.store.get(self.pairs[Self::pair(a, b)].fulls)
    }

    #[inline]
    pub(super) fn semis(&self, a: usize, b: usize) -> &[Connection<W>] {
        self.store.get(self.pairs[Self::pair(a, b)].semis)
    }

    /// Number of 64 nodes each that [`Web::ends`] knows.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Nodes, 64 of them as bits, to which `middle` has a full connection, and `from` none that needs no cells.
    #[inline]
    pub(super) fn ends(&self, middle: usize, from: usize, word: usize) -> u64 {
        self.reach[middle * self.words + word] & !self.adjacent[from * self.words + word]
    }

    /// Marks a full connection, and says whether it is there.
    pub(super) fn mark(&mut self, a: usize, b: usize, carrier: &Cells<W>, mark: u16) -> bool {
        self.store.mark(self.pairs[Self::pair(a, b)].fulls, carrier, mark)
    }

    /// Empties it for a board, with its nodes and no connection.
    pub(super) fn begin(&mut self, board: &Board, side: Side) {
        let points = board.points();
        self.clear(points, stones(board, side));
        let (one, other) = board.edges(side);
        let mut named = vec![NONE; board.places()];
        named[usize::from(board.chain(one))] = points as u16;
        named[usize::from(board.chain(other))] = points as u16 + 1;
        self.node_at.clear();
        self.node_at.resize(board.places(), NONE);
        for place in 0..board.places() as Cell {
            self.node_at[usize::from(place)] = match board.side_at(place) {
                Some(owner) if owner == side => {
                    let name = &mut named[usize::from(board.chain(place))];
                    // The edges have names, so this is a cell.
                    if *name == NONE {
                        *name = board.number(place) as u16;
                    }
                    *name
                }
                None => board.number(place) as u16,
                _ => NONE,
            };
        }
    }

    /// All that is in it, into as little memory as it takes.
    pub(super) fn pack(&self, packed: &mut Packed<W>) {
        let Packed { points, stones, node_at, pairs, all, reach, adjacent } = packed;
        (*points, *stones) = (self.points, self.stones());
        node_at.clone_from(&self.node_at);
        reach.clone_from(&self.reach);
        adjacent.clone_from(&self.adjacent);
        pairs.clear();
        all.clear();
        let mut before = 0;
        for (number, pair) in self.pairs.iter().enumerate() {
            if !pair.fulls.is_empty() || !pair.semis.is_empty() {
                let [fulls, semis] = [pair.fulls, pair.semis].map(|list| self.store.get(list));
                while number - before > FURTHEST {
                    pairs.push((FURTHEST as u16, 0, 0));
                    before += FURTHEST;
                }
                pairs.push(((number - before) as u16, fulls.len() as u8, semis.len() as u8));
                before = number;
                all.extend_from_slice(fulls);
                all.extend_from_slice(semis);
            }
        }
    }

    /// Takes what was packed in the place of what it has.
    pub(super) fn unpack(&mut self, packed: &Packed<W>) {
        let Packed { points, stones, node_at, pairs, all, reach, adjacent } = packed;
        self.clear(*points, *stones);
        self.node_at.clone_from(node_at);
        self.reach.clone_from(reach);
        self.adjacent.clone_from(adjacent);
        self.store.fill(all);
        let (mut number, mut start) = (0, 0);
        for &(steps, fulls, semis) in pairs {
            number += usize::from(steps);
            let next = start + usize::from(fulls);
            self.pairs[number] = Pair { fulls: Store::<W>::piece(start, fulls), semis: Store::<W>::piece(next, semis) };
            start = next + usize::from(semis);
        }
    }

    /// Empties it for a position with so many cells and those stones.
    fn clear(&mut self, points: usize, (own, theirs): (Cells<W>, Cells<W>)) {
        let nodes = points + EDGES;
        self.points = points;
        (self.own, self.theirs) = (own, theirs);
        self.empty = (0..points).fold(Cells::default(), Cells::with).minus(own).minus(theirs);
        self.pairs.clear();
        self.pairs.resize(nodes * (nodes - 1) / 2, Pair::default());
        self.store.clear();
        self.words = nodes.div_ceil(64).max(W);
        for bits in [&mut self.reach, &mut self.adjacent] {
            bits.clear();
            bits.resize(nodes * self.words, 0);
        }
    }

    /// The node at a place, if it is not the opponent's.
    pub(super) fn node(&self, place: Cell) -> Option<usize> {
        let node = self.node_at[usize::from(place)];
        (node != NONE).then_some(usize::from(node))
    }

    fn set(&mut self, a: usize, b: usize, carrier: &Cells<W>) {
        let words = self.words;
        for (a, b) in [(a, b), (b, a)] {
            self.reach[a * words + b / 64] |= 1 << (b % 64);
            if carrier.is_empty() {
                self.adjacent[a * words + b / 64] |= 1 << (b % 64);
            }
        }
    }

    fn unset(&mut self, a: usize, b: usize) {
        let words = self.words;
        for (a, b) in [(a, b), (b, a)] {
            self.reach[a * words + b / 64] &= !(1 << (b % 64));
            self.adjacent[a * words + b / 64] &= !(1 << (b % 64));
        }
    }

    /// Adds a full connection, and says whether it stays.
    pub(super) fn add_full(&mut self, a: usize, b: usize, carrier: Cells<W>, mark: u16) -> bool {
        let Pair { fulls, semis } = &mut self.pairs[Self::pair(a, b)];
        if !self.store.add(fulls, carrier, mark, FULLS) {
            return false;
        }
        self.store.retain(semis, 0, |semi| !carrier.within(&semi.carrier));
        self.set(a, b, &carrier);
        true
    }

    /// Adds a semi connection, and says whether it stays.
    pub(super) fn add_semi(&mut self, a: usize, b: usize, key: u16, carrier: Cells<W>) -> bool {
        let Pair { fulls, semis } = &mut self.pairs[Self::pair(a, b)];
        !any_within(self.store.get(*fulls), &carrier) && self.store.add(semis, carrier, key, SEMIS)
    }

    /// Takes everything out that those stones of the opponent break.
    pub(super) fn lose(&mut self, cells: Cells<W>, board: &Board) {
        self.theirs = self.theirs.or(cells);
        self.empty = self.empty.minus(cells);
        let gone = |web: &Self, node: usize| !web.is_edge(node) && cells.has(node);
        let mut at = 0;
        for high in 1..self.nodes() {
            for low in 0..high {
                let Pair { fulls, semis } = &mut self.pairs[at];
                at += 1;
                if fulls.is_empty() && semis.is_empty() {
                    continue;
                }
                self.store.retain(fulls, 0, |full| full.carrier.disjoint(&cells));
                self.store.retain(semis, 0, |semi| semi.carrier.disjoint(&cells));
                let none = fulls.is_empty();
                if gone(self, low) || gone(self, high) {
                    self.release(low, high);
                } else if none {
                    self.unset(low, high);
                }
            }
        }
        for cell in (0..self.points).filter(|&cell| cells.has(cell)) {
            self.node_at[usize::from(board.place(cell))] = NONE;
        }
    }

    fn release(&mut self, a: usize, b: usize) {
        let Pair { fulls, semis } = &mut self.pairs[Self::pair(a, b)];
        self.store.release(fulls);
        self.store.release(semis);
        self.unset(a, b);
    }

    /// Makes a cell a stone of the side, which may join chains. Connections that this changes are taken out and come into
    /// `moved`.
    pub(super) fn gain(&mut self, cell: usize, board: &Board, moved: &mut Vec<Moved<W>>) {
        let place = board.place(cell);
        self.own = self.own.with(cell);
        self.empty = self.empty.without(cell);
        let mut chains: Vec<usize> = Vec::with_capacity(6);
        for node in board.neighbours(place).into_iter().filter_map(|place| self.node(place)) {
            if !self.is_empty_cell(node) && !chains.contains(&node) {
                chains.push(node);
            }
        }
        // Edges keep their numbers.
        chains.sort_unstable();
        let into = chains.pop().unwrap_or(cell);
        if into != cell {
            chains.push(cell);
        }
        for &part in &chains {
            for other in (0..self.nodes()).filter(|&other| other != part) {
                let Pair { fulls, semis } = self.pairs[Self::pair(part, other)];
                if fulls.is_empty() && semis.is_empty() {
                    continue;
                }
                if other != into && !chains.contains(&other) {
                    let ends = (other, into);
                    let fulls = self.store.get(fulls).iter().map(|&full| (full, Change::Joined));
                    let semis = self.store.get(semis).iter().map(|&semi| (semi, Change::Semi));
                    moved.extend(fulls.chain(semis).map(|(connection, change)| {
                        let mut moved = Moved { ends, connection, change };
                        moved.shrink(cell);
                        moved
                    }));
                }
                self.release(part, other);
            }
        }
        for node in self.node_at.iter_mut().filter(|node| **node != NONE) {
            if chains.contains(&usize::from(*node)) {
                *node = into as u16;
            }
        }
        let mut at = 0;
        for high in 1..self.nodes() {
            for low in 0..high {
                let Pair { fulls, semis } = &mut self.pairs[at];
                at += 1;
                if fulls.is_empty() && semis.is_empty() {
                    continue;
                }
                let mut stays = |connection: &Connection<W>, change| {
                    let stays = !connection.carrier.has(cell);
                    if !stays {
                        let mut changed = Moved { ends: (low, high), connection: *connection, change };
                        changed.shrink(cell);
                        moved.push(changed);
                    }
                    stays
                };
                self.store.retain(fulls, 0, |full| stays(full, Change::Full));
                self.store.retain(semis, 0, |semi| stays(semi, Change::Semi));
                if fulls.is_empty() {
                    self.unset(low, high);
                }
            }
        }
    }

    /// Pairs of nodes that are fully connected.
    pub(super) fn links(&self) -> Links {
        let mut links = Links::new((0..self.nodes()).map(|node| self.is_empty_cell(node)).collect());
        for (node, row) in self.reach.chunks(self.words).enumerate() {
            for (word, &bits) in row.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let other = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if node < other {
                        links.add(node, other);
                    }
                }
            }
        }
        links
    }
}

impl<const W: usize> Moved<W> {
    /// A cell of the carrier, if it is there, becomes a stone of the side.
    fn shrink(&mut self, cell: usize) {
        let Connection { carrier, mark, .. } = self.connection;
        if carrier.has(cell) {
            self.connection = Connection::new(carrier.without(cell), mark);
            if self.change != Change::Semi || usize::from(mark) == cell {
                self.change = Change::Full;
            }
        }
    }
}
