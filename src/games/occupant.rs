//! Occupants of points, of which positions are set up: pieces, towers, buildings, squares out of play.

use super::Size;
use crate::game::Side;

/// One piece, or a tower of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The owner: of a tower, whose piece is on top.
    pub side: Side,
    /// Pieces that stand on each other, 1 without towers.
    pub height: usize,
}

impl Piece {
    /// A single piece.
    pub const fn of(side: Side) -> Self {
        Self { side, height: 1 }
    }
}

/// Something on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// A piece, or a tower of them.
    Piece(Piece),
    /// So many levels that are built there, at least one; a piece can stand on them.
    Levels(usize),
    /// A square out of play.
    Burnt,
}

impl From<Side> for Occupant {
    fn from(side: Side) -> Self {
        Self::Piece(Piece::of(side))
    }
}

impl Occupant {
    /// Whether a point holds one of the two at most.
    pub const fn excludes(self, other: Self) -> bool {
        !matches!((self, other), (Self::Piece(_), Self::Levels(_)) | (Self::Levels(_), Self::Piece(_)))
    }
}

/// Puts an occupant on a point, in the place of what it excludes; `None` empties the point.
pub fn put(occupants: &mut Vec<(Occupant, usize)>, occupant: Option<Occupant>, point: usize) {
    occupants.retain(|&(other, at)| at != point || occupant.is_some_and(|occupant| !occupant.excludes(other)));
    occupants.extend(occupant.map(|occupant| (occupant, point)));
}

/// Owners and points of the pieces among occupants; heights of towers are left out.
pub fn pieces(occupants: &[(Occupant, usize)]) -> Vec<(Side, usize)> {
    let piece = |&(occupant, point): &(Occupant, usize)| match occupant {
        Occupant::Piece(piece) => Some((piece.side, point)),
        Occupant::Levels(_) | Occupant::Burnt => None,
    };
    occupants.iter().filter_map(piece).collect()
}

/// A number of things, by the word for one of them.
pub(super) fn counted(count: u32, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Refuses pieces that stand on no point of the board, or on the same one.
pub(super) fn check_pieces(size: Size, pieces: &[(Side, usize)]) -> Result<(), String> {
    let mut taken = vec![false; size.points()];
    for &(_, point) in pieces {
        let taken = taken.get_mut(point).ok_or("a piece is not on the board")?;
        if std::mem::replace(taken, true) {
            return Err("two pieces on one point".to_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_on_points_of_their_own() {
        let check = |points: &[usize]| {
            let pieces: Vec<_> = points.iter().map(|&point| (Side::First, point)).collect();
            check_pieces(Size { width: 3, height: 2 }, &pieces)
        };
        assert_eq!((check(&[]), check(&[5, 0])), (Ok(()), Ok(())));
        assert_eq!(check(&[6]), Err("a piece is not on the board".to_owned()));
        assert_eq!(check(&[4, 0, 4]), Err("two pieces on one point".to_owned()));
    }

    #[test]
    fn a_point_holds_a_piece_and_what_is_under_it() {
        let [a, b] = Side::BOTH.map(Occupant::from);
        let mut occupants = Vec::new();
        let all = [(a, 1), (Occupant::Levels(1), 1), (a, 2), (b, 1), (Occupant::Levels(3), 1), (Occupant::Burnt, 2)];
        for (occupant, point) in all {
            put(&mut occupants, Some(occupant), point);
        }
        assert_eq!(occupants, [(b, 1), (Occupant::Levels(3), 1), (Occupant::Burnt, 2)]);
        assert_eq!(pieces(&occupants), [(Side::Second, 1)]);
        put(&mut occupants, Some(a), 2);
        put(&mut occupants, None, 1);
        assert_eq!(occupants, [(a, 2)]);
    }
}
