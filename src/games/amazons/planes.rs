//! Planes of Amazons for networks: encoding `amazons-1`.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | an amazon of the side to move |
//! | 1 | an amazon of its opponent |
//! | 2 | an arrow |
//!
//! Values of actions are one for each move that the board can have, in the order of their indices: 87 thousand on 10×10. A policy has
//! 14 400 numbers there, and the logarithm of a move's prior is the sum of two: that of the amazon's step and that of the arrow from
//! where it has come to. Either kind has a layer of the board for each direction and distance, and its number lies where it begins.

use super::moves::Move;
use super::position::Position;
use crate::game::{Game, Planes};
use crate::games::planes::write_pieces;
use crate::games::{Size, Spelled};

const PLANES: usize = 3;

/// Directions of a queen, by the signs of its steps to the right and down, of which (0, 0) is none.
const DIRECTIONS: usize = 8;

/// Layers of a policy for the steps that a board has room for, and again for its arrows.
fn layers(size: Size) -> usize {
    DIRECTIONS * (size.width.max(size.height) - 1)
}

/// Layer of a step between two points of one line.
fn layer(size: Size, from: usize, to: usize) -> usize {
    let ((x, y), (there, below)) = (size.xy(from), size.xy(to));
    let sign = |from: usize, to: usize| usize::from(to > from) + usize::from(to >= from);
    let signs = 3 * sign(y, below) + sign(x, there);
    let direction = signs - usize::from(signs > DIRECTIONS / 2);
    let distance = x.abs_diff(there).max(y.abs_diff(below));
    direction * (size.width.max(size.height) - 1) + distance - 1
}

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

    fn policy_count(&self) -> usize {
        2 * layers(self.size()) * self.size().points()
    }

    fn policy_entries(&self, mv: Move, symmetry: usize) -> Option<(usize, Option<usize>)> {
        let size = self.size();
        let [from, to, arrow] = mv.points().map(|point| size.seen(point, symmetry));
        let entry = |layer: usize, from: usize| layer * size.points() + from;
        let shot = layers(size) + layer(size, to, arrow);
        Some((entry(layer(size, from, to), from), Some(entry(shot, to))))
    }
}
