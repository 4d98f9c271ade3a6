//! Planes of Breakthrough for networks: encoding `breakthrough-1`.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a piece of the side to move |
//! | 1 | a piece of its opponent |
//!
//! The side to move sees itself below. A policy has three numbers for each point: those of the steps ahead to the left from all
//! points, then straight ahead and to the right.

use super::position::{Move, Position};
use crate::game::{Game, Planes, Side};
use crate::games::planes::write_pieces;
use crate::games::{Size, Spelled};

const PLANES: usize = 2;

/// A point as a side sees it, with columns reversed in symmetry 1.
fn seen(size: Size, side: Side, point: usize, symmetry: usize) -> usize {
    let (x, y) = size.xy(point);
    let x = if symmetry == 0 { x } else { size.width - 1 - x };
    let y = if side == Side::First { y } else { size.height - 1 - y };
    size.index(x, y)
}

impl Planes for Position {
    const NAME: &'static str = "breakthrough";
    const ENCODING: &'static str = "breakthrough-1";

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    /// As it is, and left and right exchanged.
    fn symmetries(&self) -> usize {
        2
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        write_pieces(self, PLANES, symmetry, planes, |_| None);
    }

    fn pieces(&self) -> Option<[u16; 2]> {
        Some(Side::BOTH.map(|side| self.count(side) as u16))
    }

    fn action_count(&self) -> usize {
        3 * self.points()
    }

    /// Only moves of the side to move have a place.
    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        let (point, direction) = mv.parts();
        mv.target(self.size()).filter(|_| direction / 3 == self.to_move().index())?;
        let plane = if symmetry == 0 { direction % 3 } else { 2 - direction % 3 };
        Some(plane * self.points() + self.point_index(point, symmetry))
    }

    fn point_index(&self, point: usize, symmetry: usize) -> usize {
        seen(self.size(), self.to_move(), point, symmetry)
    }
}
