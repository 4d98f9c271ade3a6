//! Planes of Avalam: encoding `avalam-1`, on the square of 9×9 that the board lies in.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 to 4 | a tower of so many pieces, less one, with a piece of the side to move on top |
//! | 5 to 9 | the same of its opponent |
//! | 10 | a tower that can neither be moved nor be built upon any more |
//!
//! A policy has one number for each move that the board can have, in the order of their indices.

use super::position::{CELLS, HIGHEST, LINES, Move, Position, SHAPE, ends};
use crate::game::{Game, Planes, Side};
use crate::games::Spelled;

const PLANES: usize = 2 * HIGHEST as usize + 1;

/// A point, or the one opposite.
fn seen(point: usize, symmetry: usize) -> usize {
    if symmetry == 0 { point } else { LINES * LINES - 1 - point }
}

impl Planes for Position {
    const NAME: &'static str = "avalam";
    const ENCODING: &'static str = "avalam-1";
    const SCORED: bool = true;

    fn shape(&self) -> [usize; 3] {
        [PLANES, LINES, LINES]
    }

    /// As it is, and turned by half a turn, which leaves the colours.
    fn symmetries(&self) -> usize {
        2
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        let area = LINES * LINES;
        let begin = planes.len();
        planes.resize(begin + PLANES * area, 0.0);
        let planes = &mut planes[begin..];
        for cell in 0..CELLS {
            let Some((height, side)) = self.tower(cell) else { continue };
            let place = seen(usize::from(SHAPE.points[cell]), symmetry);
            let own = if side == self.to_move() { 0 } else { usize::from(HIGHEST) };
            planes[(own + usize::from(height) - 1) * area + place] = 1.0;
            if self.is_settled(cell) {
                planes[(PLANES - 1) * area + place] = 1.0;
            }
        }
    }

    /// Towers, which are the points of the game: presence is its score.
    fn pieces(&self) -> Option<[u16; 2]> {
        Some(Side::BOTH.map(|side| self.points_of(side) as u16))
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        let turned = ends(mv).map(|point| seen(point, symmetry));
        Self::unspell(self.size(), &turned.into()).map(|mv| self.index(mv))
    }

    fn point_index(&self, point: usize, symmetry: usize) -> usize {
        seen(point, symmetry)
    }
}
