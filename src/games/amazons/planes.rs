//! Planes of Amazons for networks: encoding `amazons-1`.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | an amazon of the side to move |
//! | 1 | an amazon of its opponent |
//! | 2 | an arrow |
//!
//! A policy has one number for each move that the board can have, in the order of their indices: 87 thousand on 10×10, where a model
//! of values alone is the smaller one.

use super::moves::Move;
use super::position::Position;
use crate::game::{Game, Planes};
use crate::games::Spelled;
use crate::games::planes::write_pieces;

const PLANES: usize = 3;

impl Planes for Position {
    const NAME: &'static str = "amazons";
    const ENCODING: &'static str = "amazons-1";
    const SCORED: bool = true;

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        write_pieces(self, PLANES, symmetry, planes, |point| (!self.is_cell(point)).then_some(2));
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        let [from, to, arrow] = mv.points().map(|point| self.size().seen(point, symmetry));
        Some(self.index(Move::new(from, to, arrow)))
    }
}
