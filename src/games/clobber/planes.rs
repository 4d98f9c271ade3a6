//! What a network sees of Clobber for two: encoding `clobber-1`.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a stone of the side to move |
//! | 1 | a stone of its opponent |
//!
//! Points without stones are as good as points beyond the edge. A policy has four numbers for each point: those of the
//! steps to the north from all points, then to the east, south and west.

use super::position::{Move, Position};
use crate::game::{Game, Planes, Side};
use crate::games::Stepping;

const PLANES: usize = 2;

/// A point as a symmetry shows it: columns reversed (1), rows reversed (2), and on square boards exchanged (4).
fn seen(position: &Position, point: usize, symmetry: usize) -> usize {
    let size = position.size();
    let (x, y) = size.xy(point);
    let x = if symmetry & 1 == 0 { x } else { size.width - 1 - x };
    let y = if symmetry & 2 == 0 { y } else { size.height - 1 - y };
    if symmetry & 4 == 0 { size.index(x, y) } else { size.index(y, x) }
}

impl Planes for Position {
    const NAME: &'static str = "clobber";
    const ENCODING: &'static str = "clobber-1";

    fn board(&self) -> [usize; 2] {
        [self.size().height, self.size().width]
    }

    fn shape(&self) -> [usize; 3] {
        let [rows, columns] = self.board();
        [PLANES, rows, columns]
    }

    fn symmetries(&self) -> usize {
        if self.size().width == self.size().height { 8 } else { 4 }
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        let area = self.points();
        let begin = planes.len();
        planes.resize(begin + PLANES * area, 0.0);
        for point in 0..area {
            if let Some(side) = self.owner(point) {
                let plane = usize::from(side != self.to_move());
                planes[begin + plane * area + seen(self, point, symmetry)] = 1.0;
            }
        }
    }

    fn pieces(&self) -> Option<[u16; 2]> {
        let owned = |side| (0..self.points()).filter(|&point| self.owner(point) == Some(side)).count() as u16;
        Some(Side::BOTH.map(owned))
    }

    fn action_count(&self) -> usize {
        self.move_count()
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        let (from, to) = self.ends(mv);
        let index = self.index(self.between(seen(self, from, symmetry), seen(self, to, symmetry))?);
        Some(index % 4 * self.points() + index / 4)
    }

    fn point_index(&self, point: usize, symmetry: usize) -> usize {
        seen(self, point, symmetry)
    }
}
