//! Owners of points where a playout has come to.

use super::Playout;
use crate::game::Side;
use crate::games::go::board::{NOWHERE, Point, Stone};

/// Places of the largest board with its border.
const PLACES: usize = 26 * 27 + 1;

impl Playout {
    /// Adds the owners of all points where large parts of the board are empty: each belongs to the one side around it.
    #[cold]
    pub(super) fn add_surrounded(&self, owners: &mut [f32]) {
        // Empty points whose area is known already, and those of one area.
        let (mut seen, mut area) = ([false; PLACES], [NOWHERE; PLACES]);
        // By place: what `First` owns less what `Second` does.
        let mut owned = [0.0; PLACES];
        for &start in self.board.empty_points().iter() {
            if std::mem::replace(&mut seen[usize::from(start)], true) {
                continue;
            }
            let (mut done, mut length, mut beside) = (0, 1, [false; 2]);
            area[0] = start;
            while done < length {
                for n in self.board.neighbours(area[done]) {
                    match self.board.stone(n) {
                        Stone::Empty if !std::mem::replace(&mut seen[usize::from(n)], true) => {
                            area[length] = n;
                            length += 1;
                        }
                        Stone::First => beside[0] = true,
                        Stone::Second => beside[1] = true,
                        _ => {}
                    }
                }
                done += 1;
            }
            let owner = f32::from(beside[0]) - f32::from(beside[1]);
            area[..length].iter().for_each(|&point| owned[usize::from(point)] = owner);
        }
        for (index, owner) in owners.iter_mut().enumerate() {
            let point = self.board.point(index);
            *owner += self.board.stone(point).side().map_or(owned[usize::from(point)], Side::sign);
        }
    }

    /// Owner of a point of the final board: its stone, or the side that has it surrounded.
    #[inline]
    pub(super) fn owner(&self, point: Point) -> Option<Side> {
        match self.board.stone(point) {
            Stone::Empty if self.board.around(point, Side::First) == 4 => Some(Side::First),
            Stone::Empty if self.board.around(point, Side::Second) == 4 => Some(Side::Second),
            stone => stone.side(),
        }
    }
}
