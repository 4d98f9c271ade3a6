//! Wins that were proved, for other positions in which they hold as well.
//!
//! A win rests on stones of the winner and on cells that the opponent does not have: it holds wherever the winner has these
//! stones and the opponent none of these cells. Half a turn, and the reflection that exchanges the colours, make four of each.

use std::collections::HashMap;

use parking_lot::RwLock;

use super::connection::Cells;
use super::symmetry::{reflect, reflected, rotate};
use crate::game::Side;
use crate::games::Size;

/// Bytes of the wins that are kept of a size; then the older half goes. A win on 7×7 takes 24 of them, and 8 in lists.
const MOST_BYTES: usize = 1 << 20;
/// Sizes that are kept.
const MOST_SIZES: usize = 4;

/// A win of the side whose edges are above and below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win<const W: usize> {
    /// Stones that it needs.
    pub(super) stones: Cells<W>,
    /// Cells that its opponent must not have, beside them.
    pub(super) free: Cells<W>,
    /// The winning move, if its side has to move.
    pub(super) mv: Option<u16>,
}

/// A position as one side sees it, with its edges above and below, and turned by half or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facing {
    board: Size,
    side: Side,
    turned: bool,
}

impl Facing {
    pub(super) fn new(board: Size, side: Side, turned: bool) -> Self {
        Self { board, side, turned }
    }

    pub(super) fn side(self) -> Side {
        self.side
    }

    /// The size of the board that it sees.
    fn size(self) -> Size {
        if self.side == Side::First { self.board } else { reflected(self.board) }
    }

    /// The cell that it sees a cell as.
    pub(super) fn seen(self, cell: usize) -> usize {
        let cell = if self.side == Side::First { cell } else { reflect(self.board, cell) };
        if self.turned { rotate(self.size(), cell) } else { cell }
    }

    /// The cell that it sees as that one.
    pub(super) fn unseen(self, cell: usize) -> usize {
        let cell = if self.turned { rotate(self.size(), cell) } else { cell };
        if self.side == Side::First { cell } else { reflect(self.size(), cell) }
    }
}

/// Wins on boards of one size.
#[derive(Debug)]
struct Shelf {
    size: Size,
    /// Stones, other cells, both as bits, and the move or [`NO_MOVE`] of each win, in the order in which they came.
    wins: Vec<u64>,
    /// For each cell, numbers of wins that need a stone there: each is with two of its stones. After them those that need fewer.
    by_stone: Vec<Vec<u32>>,
}

const NO_MOVE: u64 = u64::MAX;

impl Shelf {
    fn new(size: Size) -> Self {
        Self { size, wins: Vec::new(), by_stone: vec![Vec::new(); size.points() + 1] }
    }

    /// Numbers that a win takes.
    fn length(&self) -> usize {
        2 * self.size.points().div_ceil(64) + 1
    }

    /// Number of wins.
    fn len(&self) -> usize {
        self.wins.len() / self.length()
    }

    fn get<const W: usize>(&self, number: usize) -> Win<W> {
        let words = self.size.points().div_ceil(64);
        let win = &self.wins[number * self.length()..];
        let mv = win[2 * words];
        Win {
            stones: Cells::of_words(&win[..words]),
            free: Cells::of_words(&win[words..2 * words]),
            mv: (mv != NO_MOVE).then_some(mv as u16),
        }
    }

    fn add<const W: usize>(&mut self, win: &Win<W>) {
        let points = self.size.points();
        if size_of_val(&self.wins[..]) >= MOST_BYTES {
            let old = std::mem::replace(self, Self::new(self.size));
            (old.len() / 2..old.len()).for_each(|number| self.add(&old.get::<W>(number)));
        }
        let number = self.len();
        let mut cells: Vec<usize> = (0..points).filter(|&cell| win.stones.has(cell)).collect();
        cells.sort_by_key(|&cell| self.by_stone[cell].len());
        match cells[..] {
            [one, other, ..] => [one, other].iter().for_each(|&cell| self.by_stone[cell].push(number as u32)),
            _ => self.by_stone[points].push(number as u32),
        }
        for cells in [win.stones, win.free] {
            self.wins.extend((0..points.div_ceil(64)).map(|word| cells.word(word)));
        }
        self.wins.push(win.mv.map_or(NO_MOVE, u64::from));
    }
}

/// Wins by the size of the board as the winner sees it.
#[derive(Debug, Default)]
pub struct Wins(RwLock<HashMap<Size, Shelf>>);

impl Wins {
    /// Keeps a win in that facing.
    pub(super) fn keep<const W: usize>(&self, facing: Facing, win: &Win<W>) {
        let mut shelves = self.0.write();
        if shelves.len() >= MOST_SIZES && !shelves.contains_key(&facing.size()) {
            shelves.clear();
        }
        shelves.entry(facing.size()).or_insert_with(|| Shelf::new(facing.size())).add(win);
    }

    /// Tells of wins that hold with these stones of the winner and his opponent, once he has at most one stone more, which is
    /// told as well, until it is told enough.
    pub(super) fn find<const W: usize>(
        &self,
        facing: Facing,
        own: Cells<W>,
        theirs: Cells<W>,
        tell: &mut impl FnMut(&Win<W>, Option<usize>) -> bool,
    ) {
        let shelves = self.0.read();
        let Some(shelf) = shelves.get(&facing.size()) else { return };
        let points = facing.size().points();
        for (_, numbers) in shelf.by_stone.iter().enumerate().filter(|&(cell, _)| cell == points || own.has(cell)) {
            for &number in numbers {
                let win = shelf.get::<W>(number as usize);
                let missing = win.stones.minus(own);
                if win.free.disjoint(&theirs)
                    && missing.disjoint(&theirs)
                    && missing.len() < 2
                    && tell(&win, missing.first())
                {
                    return;
                }
            }
        }
    }
}

/// Cells of a set from which a way within it leads to the edge above, and one to the edge below.
pub(super) fn joining<const W: usize>(facing: Facing, cells: Cells<W>) -> Cells<W> {
    let size = facing.size();
    let (mut joining, mut left) = (Cells::default(), cells);
    while let Some(first) = left.first() {
        let (mut part, mut stack, mut touched) = (Cells::<W>::default(), vec![first], [false; 2]);
        left = left.without(first);
        while let Some(cell) = stack.pop() {
            part = part.with(cell);
            let (x, y) = size.xy(cell);
            touched = [touched[0] || y == 0, touched[1] || y + 1 == size.height];
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
                let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else { continue };
                if x < size.width && y < size.height && left.has(size.index(x, y)) {
                    left = left.without(size.index(x, y));
                    stack.push(size.index(x, y));
                }
            }
        }
        if touched == [true; 2] {
            joining = joining.or(part);
        }
    }
    joining
}

#[cfg(test)]
mod tests;
