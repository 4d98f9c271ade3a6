//! Planes of pieces, with which the encodings of most games begin.

use super::Spelled;
use crate::game::Planes;

/// Appends `count` planes of the board. Plane 0 is 1 where the side to move has a piece, plane 1 where its opponent has one, and another
/// one where `other` names it for a point without a piece.
pub(super) fn write_pieces<G: Planes + Spelled>(
    position: &G,
    count: usize,
    symmetry: usize,
    planes: &mut Vec<f32>,
    other: impl Fn(usize) -> Option<usize>,
) {
    let (begin, area) = (planes.len(), position.points());
    planes.resize(begin + count * area, 0.0);
    for point in 0..area {
        let owned = position.owner(point).map(|side| usize::from(side != position.to_move()));
        if let Some(plane) = owned.or_else(|| other(point)) {
            planes[begin + plane * area + position.point_index(point, symmetry)] = 1.0;
        }
    }
}
