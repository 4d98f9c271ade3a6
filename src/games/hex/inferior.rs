//! Inferior cells: those that need not be considered, and those that can be filled in, without changing who wins
//! (Hayward, Björnsson and others; Henderson's thesis has the proofs).
//!
//! * A *dead* cell lies on no shortest winning path, whoever takes it: whatever stands there, nothing changes.
//! * Two cells are *captured* by a side if its answer on either makes the opponent's stone on the other dead: they
//!   might as well be its own.
//! * A cell is *vulnerable* for a side if one stone of the opponent, its *killer*, makes the side's stone there dead.
//! * A cell is *dominated* by another if the side's stone there makes the first dead or captured.
//!
//! Everything is read from the six neighbours of a cell, where each borders on the next.

use super::board::{Board, Cell};
use super::connection::Cells;
use crate::game::Side;

/// Colours around a cell, in base 3: 0 `First`, 1 `Second`, 2 nothing.
const RINGS: usize = 729;

/// Whether a cell with such a ring is dead: however the ring is filled, each colour's part of it is in one piece, so
/// that a stone inside joins nothing that is not joined.
static DEAD: [bool; RINGS] = dead_rings();

const fn dead_rings() -> [bool; RINGS] {
    let mut dead = [false; RINGS];
    let mut ring = 0;
    while ring < RINGS {
        let mut fill = 0;
        let mut useful = false;
        while fill < 64 {
            let (mut rest, mut at, mut fits, mut colours) = (ring, 0, true, 0);
            while at < 6 {
                let colour = rest % 3;
                let bit = fill >> at & 1;
                fits &= colour == 2 || colour == bit;
                colours |= bit << at;
                rest /= 3;
                at += 1;
            }
            let turned: usize = colours >> 1 | (colours & 1) << 5;
            useful |= fits && (colours ^ turned).count_ones() >= 4;
            fill += 1;
        }
        dead[ring] = !useful;
        ring += 1;
    }
    dead
}

const POWERS: [usize; 6] = [1, 3, 9, 27, 81, 243];

/// Rings around all empty cells, as [`DEAD`] is asked: read from the board once, since cells are asked about many times.
struct Rings(Vec<u16>);

/// The direction back.
const fn opposite(direction: usize) -> usize {
    (direction + 3) % 6
}

/// How much less a ring is once a side has a stone in that direction, where there was none.
const fn less(side: Side, direction: usize) -> usize {
    (2 - side.index()) * POWERS[direction]
}

impl Rings {
    fn of(board: &Board) -> Self {
        let mut rings = vec![RINGS as u16 - 1; board.places()];
        for place in (0..board.points()).map(|cell| board.place(cell)) {
            let stones = board.neighbours(place).into_iter().map(|n| board.side_at(n));
            rings[usize::from(place)] =
                stones.zip(POWERS).map(|(stone, power)| power * stone.map_or(2, Side::index)).sum::<usize>() as u16;
        }
        Self(rings)
    }

    /// Takes a stone in that was put on an empty cell.
    fn put(&mut self, board: &Board, place: Cell, side: Side) {
        for (direction, n) in board.neighbours(place).into_iter().enumerate() {
            self.0[usize::from(n)] -= less(side, opposite(direction)) as u16;
        }
    }

    fn at(&self, place: Cell) -> usize {
        usize::from(self.0[usize::from(place)])
    }

    /// Whether `side` captures an empty cell and its empty neighbour in that direction.
    fn captured(&self, side: Side, [place, other]: [Cell; 2], direction: usize) -> bool {
        DEAD[self.at(place) - less(side, direction)] && DEAD[self.at(other) - less(side, opposite(direction))]
    }
}

/// Whether the cell is dead with the given stones as well as those on the board.
fn dead(board: &Board, cell: Cell, more: &[(Cell, Side)]) -> bool {
    let around = board.neighbours(cell);
    let ring: usize = around
        .into_iter()
        .zip(POWERS)
        .map(|(n, power)| {
            let stone = more.iter().find(|m| m.0 == n).map(|m| m.1).or_else(|| board.side_at(n));
            power * stone.map_or(2, Side::index)
        })
        .sum();
    DEAD[ring]
}

/// How a cell came to be filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillIn {
    /// On no shortest winning path.
    Dead,
    /// One of two that its owner answers with the other.
    Captured,
}

/// Fills dead and captured cells in until there are none. The cells that were filled.
pub(crate) fn fill_in<const W: usize>(board: &mut Board) -> Cells<W> {
    let mut filled = Cells::default();
    fill_in_telling(board, &mut |cell, _| filled = filled.with(cell));
    filled
}

/// Fills cells in as [`fill_in`] does, and tells of each.
pub(super) fn fill_in_telling(board: &mut Board, tell: &mut impl FnMut(usize, FillIn)) {
    let mut rings = Rings::of(board);
    loop {
        let mut done = true;
        for cell in 0..board.points() {
            let place = board.place(cell);
            if board.side_at(place).is_some() {
                continue;
            }
            if DEAD[rings.at(place)] {
                board.put(cell, Side::First);
                rings.put(board, place, Side::First);
                tell(cell, FillIn::Dead);
                done = false;
                continue;
            }
            // Each pair once: from the cell on the left or above.
            'pairs: for (direction, other) in board.neighbours(place).into_iter().enumerate().take(5).skip(2) {
                if board.side_at(other).is_some() {
                    continue;
                }
                for side in Side::BOTH {
                    if rings.captured(side, [place, other], direction) {
                        for (cell, place) in [(cell, place), (board.number(other), other)] {
                            board.put(cell, side);
                            rings.put(board, place, side);
                            tell(cell, FillIn::Captured);
                        }
                        done = false;
                        break 'pairs;
                    }
                }
            }
        }
        if done {
            return;
        }
    }
}

/// Cells where `side`, which is to move, need not play, since another one is as good that is not among them.
pub(crate) fn dominated<const W: usize>(board: &Board, side: Side) -> Cells<W> {
    dominated_telling(board, side, &mut |_, _| ())
}

/// Finds the cells that [`dominated`] does, and tells of each and of the cell that is as good.
pub(super) fn dominated_telling<const W: usize>(
    board: &Board,
    side: Side,
    tell: &mut impl FnMut(usize, usize),
) -> Cells<W> {
    let (rings, mut dominated) = (Rings::of(board), Cells::default());
    for cell in 0..board.points() {
        let place = board.place(cell);
        if board.side_at(place).is_none()
            && let Some(better) = as_good_as(board, &rings, side, place, &dominated)
        {
            tell(cell, board.number(better));
            dominated = dominated.with(cell);
        }
    }
    dominated
}

/// A cell that is as good for `side` as the empty one at `place`, and none of those that are `dominated` already.
fn as_good_as<const W: usize>(
    board: &Board,
    rings: &Rings,
    side: Side,
    place: Cell,
    dominated: &Cells<W>,
) -> Option<Cell> {
    let (around, ring) = (board.neighbours(place), rings.at(place));
    let is_empty = |cell: Cell| board.side_at(cell).is_none();
    let is_open = |cell: Cell| is_empty(cell) && cell != place && !dominated.has(board.number(cell));
    // A stone on a neighbour makes the cell dead, or captured with another neighbour.
    for (towards, &better) in around.iter().enumerate().filter(|&(_, &better)| is_open(better)) {
        let ring = ring - less(side, towards);
        let captured = |(direction, &n): (usize, &Cell)| {
            if n == better || !is_empty(n) || !DEAD[ring - less(side, direction)] {
                return false;
            }
            // The better cell is a neighbour of this one too where it is the next around.
            let beside = match (towards + 6 - direction) % 6 {
                1 => less(side, (direction + 2) % 6),
                5 => less(side, (direction + 4) % 6),
                _ => 0,
            };
            DEAD[rings.at(n) - less(side, opposite(direction)) - beside]
        };
        if DEAD[ring] || around.iter().enumerate().any(captured) {
            return Some(better);
        }
    }
    // One on a neighbour's neighbour makes both captured.
    around.iter().enumerate().filter(|&(_, &n)| is_empty(n)).find_map(|(direction, &n)| {
        if !DEAD[ring - less(side, direction)] {
            return None;
        }
        let ring = rings.at(n) - less(side, opposite(direction));
        let further = board.neighbours(n).into_iter().enumerate();
        let mut captured = further.filter(|(towards, better)| {
            !around.contains(better) && is_open(*better) && DEAD[ring - less(side, *towards)]
        });
        captured.next().map(|(_, better)| better)
    })
}

/// Empty cells where a stone of the opponent makes a stone of `side` in an empty cell dead. None if it is dead already.
pub(super) fn killers(board: &Board, cell: usize, side: Side) -> Vec<usize> {
    let place = board.place(cell);
    if board.side_at(place).is_some() || dead(board, place, &[]) {
        return Vec::new();
    }
    let kills = |&other: &Cell| board.side_at(other).is_none() && dead(board, place, &[(other, side.opponent())]);
    board.neighbours(place).into_iter().filter(kills).map(|other| board.number(other)).collect()
}

#[cfg(test)]
mod tests;
