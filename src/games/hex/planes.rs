//! Planes of a Hex position: encoding `hex-1`, and `katahex-7` for networks of KataHex.
//!
//! `hex-1`:
//!
//! The board with a border of one cell on each side, in which the edges' owners have their stones (Cohen-Solal 2019). The
//! side to move always joins top and bottom: with `Second` to move, the position is reflected and the colours exchanged.
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a stone or an edge of the side to move |
//! | 1 | a stone or an edge of its opponent |
//! | 2 | a cell of the board |
//! | 3 | anywhere, if the stone on the board may be swapped |
//!
//! `katahex-7` has the 22 planes and 19 numbers of KataGo's inputs, each number filling a plane, on the board without a border, seen in
//! the same way. Few of them say anything:
//!
//! | plane | 1 where |
//! | --- | --- |
//! | 0 | a cell of the board |
//! | 1, 2 | a stone of the side to move, of its opponent |
//! | 22 | anywhere, if `Second` is to move |

use super::moves::Move;
use super::position::Position;
use super::symmetry::{reflect, reflected, rotate};
use crate::game::{Foreign, Game, Planes, Side};

const PLANES: usize = 4;
/// Encoding of KataHex's networks; behind the cells their policy has a pass.
const KATAHEX: Foreign = Foreign { name: "katahex-7", planes: 41, other_moves: 1 };
/// The plane of [`KATAHEX`] that says whose turn it is.
const SECOND_TO_MOVE: usize = 22;

impl Planes for Position {
    const NAME: &'static str = "hex";
    const ENCODING: &'static str = "hex-1";
    const FOREIGN: &'static [Foreign] = &[KATAHEX];

    fn board(&self) -> [usize; 2] {
        let size = if self.to_move() == Side::First { self.size() } else { reflected(self.size()) };
        [size.height, size.width]
    }

    fn shape(&self) -> [usize; 3] {
        let [rows, columns] = self.board();
        [PLANES, rows + 2, columns + 2]
    }

    fn symmetries(&self) -> usize {
        2
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        let [_, rows, columns] = self.shape();
        let area = rows * columns;
        let begin = planes.len();
        planes.resize(begin + PLANES * area, 0.0);
        let planes = &mut planes[begin..];
        for x in 1..columns - 1 {
            planes[x] = 1.0;
            planes[(rows - 1) * columns + x] = 1.0;
        }
        for y in 1..rows - 1 {
            planes[area + y * columns] = 1.0;
            planes[area + y * columns + columns - 1] = 1.0;
        }
        for index in 0..self.points() {
            let seen = self.point_index(index, symmetry);
            let (x, y) = (seen % (columns - 2), seen / (columns - 2));
            let place = (y + 1) * columns + x + 1;
            planes[2 * area + place] = 1.0;
            if let Some(side) = self.stone(index) {
                planes[usize::from(side != self.to_move()) * area + place] = 1.0;
            }
        }
        if self.can_swap() {
            planes[3 * area..].fill(1.0);
        }
    }

    fn write_foreign(&self, number: usize, symmetry: usize, planes: &mut Vec<f32>) {
        assert_eq!(number, 0, "no such encoding");
        let area = self.points();
        let begin = planes.len();
        planes.resize(begin + KATAHEX.planes * area, 0.0);
        let planes = &mut planes[begin..];
        planes[..area].fill(1.0);
        for index in 0..area {
            if let Some(side) = self.stone(index) {
                let plane = if side == self.to_move() { 1 } else { 2 };
                planes[plane * area + self.point_index(index, symmetry)] = 1.0;
            }
        }
        if self.to_move() == Side::Second {
            planes[SECOND_TO_MOVE * area..(SECOND_TO_MOVE + 1) * area].fill(1.0);
        }
    }

    fn action_count(&self) -> usize {
        self.points()
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        mv.cell().map(|cell| self.point_index(cell, symmetry))
    }

    fn point_index(&self, point: usize, symmetry: usize) -> usize {
        let turned = if symmetry == 0 { point } else { rotate(self.size(), point) };
        match self.to_move() {
            Side::First => turned,
            Side::Second => reflect(self.size(), turned),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::Size;

    fn planes(position: &Position) -> Vec<f32> {
        let mut planes = Vec::new();
        position.write_planes(0, &mut planes);
        planes
    }

    #[test]
    fn a_position_written_out() {
        let mut position = Position::new(Size { width: 3, height: 2 });
        position.play(Move::at(1));
        position.play(Move::at(3));
        assert_eq!(position.shape(), [4, 4, 5]);
        #[rustfmt::skip]
        let expected: [u8; 80] = [
            0, 1, 1, 1, 0,
            0, 0, 1, 0, 0,
            0, 0, 0, 0, 0,
            0, 1, 1, 1, 0,

            0, 0, 0, 0, 0,
            1, 0, 0, 0, 1,
            1, 1, 0, 0, 1,
            0, 0, 0, 0, 0,

            0, 0, 0, 0, 0,
            0, 1, 1, 1, 0,
            0, 1, 1, 1, 0,
            0, 0, 0, 0, 0,

            0, 0, 0, 0, 0,
            0, 0, 0, 0, 0,
            0, 0, 0, 0, 0,
            0, 0, 0, 0, 0,
        ];
        assert_eq!(planes(&position), expected.map(f32::from));
    }

    #[test]
    fn the_swap_is_seen() {
        let mut position = Position::new(Size::square(3));
        position.set_swap_allowed(true);
        position.play(Move::at(1));
        assert!(planes(&position)[3 * 25..].iter().all(|&v| v == 1.0));
        assert_eq!(position.action_index(Move::SWAP, 0), None);
        position.play(Move::at(0));
        assert!(planes(&position)[3 * 25..].iter().all(|&v| v == 0.0));
    }

    #[test]
    fn katahex_sees_the_side_to_move_from_top_to_bottom() {
        let mut position = Position::new(Size { width: 3, height: 2 });
        position.play(Move::at(2));
        let mut planes = Vec::new();
        position.write_foreign(0, 0, &mut planes);
        assert_eq!(planes.len(), 41 * 6);
        // Two columns and three rows: the last cell of the first row is the first one of the last.
        let filled = |plane: usize| planes[6 * plane..6 * (plane + 1)].iter().map(|&v| v as u8).collect::<Vec<_>>();
        assert_eq!(filled(0), [1; 6]);
        assert_eq!(filled(1), [0; 6]);
        assert_eq!(filled(2), [0, 0, 0, 0, 1, 0]);
        assert_eq!(filled(22), [1; 6]);
        assert_eq!(planes.iter().sum::<f32>(), 13.0);
        position.play(Move::at(0));
        planes.clear();
        position.write_foreign(0, 1, &mut planes);
        // After half a turn.
        assert_eq!(planes[6..12], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(planes[12..18], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(planes[18..].iter().all(|&v| v == 0.0));
    }

    proptest! {
        /// A position and its reflection with the colours exchanged look the same, and so do their moves.
        #[test]
        fn both_colours_see_the_same(
            width in 1usize..=7, height in 1usize..=7, stones in prop::collection::hash_map(0usize..49, any::<bool>(), 0..12)
        ) {
            let size = Size { width, height };
            let side = |black: bool| if black { Side::First } else { Side::Second };
            let stones: Vec<_> =
                stones.into_iter().filter(|s| s.0 < size.points()).map(|(at, black)| (side(black), at)).collect();
            let mut position = Position::new(size);
            position.set_up(&stones).unwrap();
            let mut mirrored = Position::new(reflected(size));
            mirrored.set_up(&stones.iter().map(|&(s, at)| (s.opponent(), reflect(size, at))).collect::<Vec<_>>()).unwrap();
            mirrored.set_to_move(Side::Second);
            prop_assert_eq!(position.shape(), mirrored.shape());
            prop_assert_eq!(planes(&position), planes(&mirrored));
            for cell in 0..size.points() {
                let there = Move::at(reflect(size, cell));
                prop_assert_eq!(position.action_index(Move::at(cell), 0), mirrored.action_index(there, 0));
            }
        }

        /// The second symmetry shows the position after half a turn, and its cells there.
        #[test]
        fn symmetries_are_those_of_the_board(
            stones in prop::collection::hash_map(0usize..30, any::<bool>(), 0..12), second in any::<bool>()
        ) {
            let size = Size { width: 6, height: 5 };
            let side = |black: bool| if black { Side::First } else { Side::Second };
            let stones: Vec<_> = stones.into_iter().map(|(at, black)| (side(black), at)).collect();
            let (mut position, mut turned) = (Position::new(size), Position::new(size));
            position.set_up(&stones).unwrap();
            turned.set_up(&stones.iter().map(|&(s, at)| (s, rotate(size, at))).collect::<Vec<_>>()).unwrap();
            for position in [&mut position, &mut turned] {
                position.set_to_move(side(!second));
            }
            let mut seen = Vec::new();
            position.write_planes(1, &mut seen);
            prop_assert_eq!(seen, planes(&turned));
            for cell in 0..size.points() {
                prop_assert_eq!(position.point_index(cell, 1), turned.point_index(rotate(size, cell), 0));
            }
        }
    }
}
