//! Planes of Santorini for networks: encoding `santorini-1`.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a worker of the side to move |
//! | 1 | a worker of its opponent |
//! | 2 to 4 | one, two, three levels at least |
//! | 5 | a dome |
//!
//! A policy has 64 numbers for each point: those of the turns from all points to the north that build to the north, then to
//! the north-east and so on, clockwise; then the same of steps to the north-east. Behind them are the pairs of points, for both workers
//! that are put down and for ascents to the third level: from all points to the one that lies as far to the left and above as the
//! board has room for, then row by row. A symmetry may exchange the workers of a pair: both orders are the same move, of which play
//! looks at one.

use super::position::{DOMED, Move, Parts, Position, direction};
use crate::game::{Game, Planes};
use crate::games::{Size, Spelled};

const PLANES: usize = 2 + DOMED;
/// Numbers of a policy for the turns of a point.
const TURNS: usize = 64;

/// Layers of a policy for pairs: a place beside a point, itself left out.
fn pairs(size: Size) -> usize {
    (2 * size.width - 1) * (2 * size.height - 1) - 1
}

/// The layer for a pair of different points.
fn pair(size: Size, first: usize, second: usize) -> usize {
    let ((x, y), (to_x, to_y)) = (size.xy(first), size.xy(second));
    let place = (to_y + size.height - 1 - y) * (2 * size.width - 1) + to_x + size.width - 1 - x;
    // The middle one would be the point itself.
    if place > pairs(size) / 2 { place - 1 } else { place }
}

impl Planes for Position {
    const NAME: &'static str = "santorini";
    const ENCODING: &'static str = "santorini-1";

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        let (begin, area) = (planes.len(), self.points());
        planes.resize(begin + PLANES * area, 0.0);
        for point in 0..area {
            let place = begin + self.point_index(point, symmetry);
            if let Some(side) = self.owner(point) {
                planes[place + usize::from(side != self.to_move()) * area] = 1.0;
            }
            (0..self.levels(point)).for_each(|level| planes[place + (2 + level) * area] = 1.0);
        }
    }

    fn action_count(&self) -> usize {
        (TURNS + pairs(self.size())) * self.points()
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        let (size, spelling) = (self.size(), Self::spell(self.size(), mv));
        let mut points = [0; 3];
        let points = &mut points[..spelling.points().len()];
        points.copy_from_slice(spelling.points());
        points.iter_mut().for_each(|point| *point = size.seen(*point, symmetry));
        match (mv.parts(size), &*points) {
            (Parts::Turn(..), &[from, to, site]) => {
                let plane = 8 * direction(size, from, to)? + direction(size, to, site)?;
                Some(plane * self.points() + from)
            }
            (Parts::Pair(_), &[first, second]) if first != second => {
                Some((TURNS + pair(size, first, second)) * self.points() + first)
            }
            _ => None,
        }
    }
}
