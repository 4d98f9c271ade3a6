//! Planes of Lines of Action for networks: encoding `loa-1`.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a piece of the side to move |
//! | 1 | a piece of its opponent |
//!
//! Earlier boards are not shown. A policy has a number for each point, direction and distance that the board has: those of the
//! moves from all points by one step to the north, then by two and more; then the same to the north-east and so on, clockwise.
//! On 8×8 these are 56 layers.

use super::position::{Move, Position, way};
use crate::game::{Game, Planes, Side};
use crate::games::bits::DIRECTIONS;
use crate::games::planes::write_pieces;
use crate::games::{Size, Spelled};

const PLANES: usize = 2;

/// Most steps of a move in a direction.
fn farthest(size: Size, direction: usize) -> usize {
    let (right, down) = DIRECTIONS[direction];
    let lines = [(right, size.width), (down, size.height)];
    lines.into_iter().filter(|line| line.0 != 0).map(|line| line.1 - 1).min().unwrap_or(0)
}

/// Layers of a policy before those of a direction.
fn layers_before(size: Size, direction: usize) -> usize {
    (0..direction).map(|direction| farthest(size, direction)).sum()
}

impl Planes for Position {
    const NAME: &'static str = "loa";
    const ENCODING: &'static str = "loa-1";

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        write_pieces(self, PLANES, symmetry, planes, |_| None);
    }

    fn pieces(&self) -> Option<[u16; 2]> {
        Some(Side::BOTH.map(|side| self.count(side) as u16))
    }

    fn action_count(&self) -> usize {
        layers_before(self.size(), DIRECTIONS.len()) * self.points()
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        let [from, to] = mv.ends(self.size()).map(|point| self.size().seen(point, symmetry));
        let (direction, steps) = way(self.size(), from, to)?;
        Some((layers_before(self.size(), direction) + steps - 1) * self.points() + from)
    }
}
