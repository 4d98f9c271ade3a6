//! Planes of Surakarta for networks: encoding `surakarta-1`.
//!
//! | plane | value |
//! | --- | --- |
//! | 0 | 1 where a piece of the side to move stands |
//! | 1 | 1 where a piece of its opponent stands |
//! | 2 | everywhere the plies since the last capture, as a share of those that end the game |
//!
//! The positions that must not come again are not shown. A policy has 36 numbers for each point: for each point of the board, where
//! moves go, those of the moves there from all points.

use super::position::{Move, Position, QUIET};
use super::tracks::{LINES, POINTS};
use crate::game::{Planes, Side};
use crate::games::planes::write_pieces;

const PLANES: usize = 3;

impl Planes for Position {
    const NAME: &'static str = "surakarta";
    const ENCODING: &'static str = "surakarta-1";
    const SCORED: bool = true;

    fn shape(&self) -> [usize; 3] {
        [PLANES, LINES, LINES]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        write_pieces(self, PLANES - 1, symmetry, planes, |_| None);
        planes.resize(planes.len() + POINTS, self.quiet() as f32 / QUIET as f32);
    }

    fn pieces(&self) -> Option<[u16; 2]> {
        Some(Side::BOTH.map(|side| self.count(side) as u16))
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        let [from, to] = mv.ends();
        Move::between(from, to)?;
        let [from, to] = [from, to].map(|point| self.point_index(point, symmetry));
        Some(to * POINTS + from)
    }
}
