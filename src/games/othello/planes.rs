//! Planes of Othello for networks: encoding `othello-1`.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a disc of the side to move |
//! | 1 | a disc of its opponent |
//! | 2 | a point where the side to move can place a disc |
//!
//! A policy has one number for each point, and the last one for the pass.

use super::position::{Move, Position};
use crate::game::{Game, Planes, Side};
use crate::games::Spelled;
use crate::games::planes::write_pieces;

const PLANES: usize = 3;

impl Planes for Position {
    const NAME: &'static str = "othello";
    const ENCODING: &'static str = "othello-1";
    const SCORED: bool = true;

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        write_pieces(self, PLANES, symmetry, planes, |point| self.is_legal(Move::at(point)).then_some(2));
    }

    fn pieces(&self) -> Option<[u16; 2]> {
        Some(Side::BOTH.map(|side| self.count(side) as u16))
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        Some(mv.point().map_or(self.points(), |point| self.point_index(point, symmetry)))
    }

    fn owners(&self) -> Vec<f32> {
        (0..self.points()).map(|point| self.owner(point).map_or(0.0, Side::sign)).collect()
    }
}
