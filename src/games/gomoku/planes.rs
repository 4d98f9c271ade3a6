//! Planes of Gomoku for networks: encoding `gomoku-1`.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a stone of the side to move |
//! | 1 | a stone of its opponent |
//! | 2 | a point where the next stone may lie: of an empty board the outer lines alone |
//!
//! A policy has one number for each point.

use super::position::{Move, Position};
use crate::game::{Game, Planes};
use crate::games::Spelled;
use crate::games::planes::write_pieces;

const PLANES: usize = 3;

impl Planes for Position {
    const NAME: &'static str = "gomoku";
    const ENCODING: &'static str = "gomoku-1";

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        write_pieces(self, PLANES, symmetry, planes, |point| self.is_legal(Move::at(point)).then_some(2));
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        Some(self.point_index(mv.point(), symmetry))
    }
}
