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

/// Whether `side` captures the two neighbouring empty cells, with one stone more on the board.
fn captured(board: &Board, side: Side, [a, b]: [Cell; 2], more: Option<Cell>) -> bool {
    let with = |other: Cell| [(other, side), (more.unwrap_or(other), side)];
    dead(board, a, &with(b)) && dead(board, b, &with(a))
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
    loop {
        let mut done = true;
        for cell in 0..board.points() {
            let place = board.place(cell);
            if board.side_at(place).is_some() {
                continue;
            }
            if dead(board, place, &[]) {
                board.put(cell, Side::First);
                tell(cell, FillIn::Dead);
                done = false;
                continue;
            }
            // Each pair once: from the cell on the left or above.
            'pairs: for other in &board.neighbours(place)[2..5] {
                if board.side_at(*other).is_some() {
                    continue;
                }
                for side in Side::BOTH {
                    if captured(board, side, [place, *other], None) {
                        let number = board.number(*other);
                        for cell in [cell, number] {
                            board.put(cell, side);
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
    let mut dominated = Cells::default();
    for cell in 0..board.points() {
        let place = board.place(cell);
        if board.side_at(place).is_some() {
            continue;
        }
        let around = board.neighbours(place);
        let empty = |n: &&Cell| board.side_at(**n).is_none();
        let as_good =
            |better: Cell| board.side_at(better).is_none() && better != place && !dominated.has(board.number(better));
        let captured_by = |better: Cell, n: Cell| n != better && captured(board, side, [place, n], Some(better));
        let neighbour = around.iter().copied().find(|&better| {
            as_good(better)
                && (dead(board, place, &[(better, side)])
                    || around.iter().filter(empty).any(|&n| captured_by(better, n)))
        });
        let second_neighbour = || {
            around.iter().filter(empty).find_map(|&n| {
                let further = board.neighbours(n).into_iter().filter(|better| !around.contains(better));
                further.into_iter().find(|&better| as_good(better) && captured_by(better, n))
            })
        };
        if let Some(better) = neighbour.or_else(second_neighbour) {
            tell(cell, board.number(better));
            dominated = dominated.with(cell);
        }
    }
    dominated
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
