//! Planes of Clobber for networks: encoding `clobber-1` for two players, `solitaire-1` for one.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a stone of the side to move; of Black for one player |
//! | 1 | a stone of its opponent; of White for one player |
//!
//! Points without stones are as good as points beyond the edge. A policy has four numbers for each point: those of the
//! steps to the north from all points, then to the east, south and west.

use super::position::{Move, Position};
use super::solitaire::Solitaire;
use crate::game::{Game, Planes, Side};
use crate::games::{Size, Spelled};

const PLANES: usize = 2;

/// Appends the planes of stones, given by point: those of `own` first.
fn write(size: Size, owner: impl Fn(usize) -> Option<Side>, own: Side, symmetry: usize, planes: &mut Vec<f32>) {
    let (begin, area) = (planes.len(), size.points());
    planes.resize(begin + PLANES * area, 0.0);
    for (point, side) in (0..area).filter_map(|point| Some((point, owner(point)?))) {
        planes[begin + usize::from(side != own) * area + size.seen(point, symmetry)] = 1.0;
    }
}

/// Number of the action for a move, as a symmetry shows it; `None` of a move that would leave the board.
fn action(size: Size, mv: Move, symmetry: usize) -> Option<usize> {
    let [from, to] = mv.ends(size);
    Move::between(size, from, to)?;
    let index = usize::from(Move::between(size, size.seen(from, symmetry), size.seen(to, symmetry))?.0);
    Some(index % 4 * size.points() + index / 4)
}

impl Planes for Position {
    const NAME: &'static str = "clobber";
    const ENCODING: &'static str = "clobber-1";

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        write(self.size(), |point| self.owner(point), self.to_move(), symmetry, planes);
    }

    fn pieces(&self) -> Option<[u16; 2]> {
        let owned = |side| (0..self.points()).filter(|&point| self.owner(point) == Some(side)).count() as u16;
        Some(Side::BOTH.map(owned))
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        action(self.size(), mv, symmetry)
    }
}

impl Planes for Solitaire {
    const NAME: &'static str = "solitaire";
    const ENCODING: &'static str = "solitaire-1";

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        write(self.size(), |point| self.owner(point), Side::First, symmetry, planes);
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        action(self.size(), mv, symmetry)
    }
}
