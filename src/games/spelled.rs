//! Moves as points of a board and as words: how a game is written down, clicked, drawn and set up.

use std::fmt;
use std::ops::Deref;

use super::occupant::{self, Occupant, Piece};
use super::{Boards, Grid, Size};
use crate::game::{Game, Side};

/// Written form of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// The points that the move touches, in order: where a stone is placed; or where a piece comes from and goes to, and
    /// what it does from there.
    Points(Points),
    /// A move without points: `pass` or `swap-pieces`.
    Word(&'static str),
}

/// One to three points of a move, as numbers of the board ([`Size`]).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Points {
    list: [usize; Self::MOST],
    count: usize,
}

/// End of a game, for people and for `final_score`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The end of a game for two.
    Two {
        /// The winner; `None` is a draw.
        winner: Option<Side>,
        /// Points by which the winner leads; 0 in games without points.
        lead: u32,
        /// Text beside it, with the comma or space before it; may be empty.
        detail: String,
    },
    /// Both sides have passed, and have to agree on what their pieces are worth.
    Passed,
    /// The end of a game for one: pieces that are left.
    One {
        /// Their number.
        left: u32,
    },
}

impl Points {
    /// Most points of a move.
    pub const MOST: usize = 3;

    /// These points; `None` unless there are one to three.
    pub fn new(points: &[usize]) -> Option<Self> {
        let mut list = [0; Self::MOST];
        list.get_mut(..points.len()).filter(|list| !list.is_empty())?.copy_from_slice(points);
        Some(Self { list, count: points.len() })
    }
}

impl Deref for Points {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.list[..self.count]
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}

impl Spelling {
    /// The spelling of a move that passes the turn.
    pub const PASS: Self = Self::Word("pass");
    /// The spelling of a swap of the first stone.
    pub const SWAP: Self = Self::Word("swap-pieces");
    /// Rules with such a swap, as records name them.
    pub const SWAP_RULE: &'static str = "swap";

    /// The word, in any case, that a move can be.
    pub fn of_word(text: &str) -> Option<Self> {
        // People write the short one.
        let words = [("pass", Self::PASS), ("swap-pieces", Self::SWAP), ("swap", Self::SWAP)];
        words.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, spelling)| spelling)
    }

    /// The points of the move; none for a word.
    pub fn points(&self) -> &[usize] {
        match self {
            Self::Points(points) => points,
            Self::Word(_) => &[],
        }
    }
}

impl<const N: usize> From<[usize; N]> for Spelling {
    fn from(points: [usize; N]) -> Self {
        const { assert!(N > 0 && N <= Points::MOST) };
        let mut list = [0; Points::MOST];
        list[..N].copy_from_slice(&points);
        Self::Points(Points { list, count: N })
    }
}

/// A game whose moves have a spelling.
///
/// No legal move's points begin with all points of another one, so that moves can be clicked point by point.
pub trait Spelled: Game {
    /// Boards that it is played on.
    const BOARDS: Boards;

    /// Points of a move, words aside.
    const POINTS: usize;

    /// The game's number in SGF (`GM`), for games that SGF numbers.
    const SGF: Option<u32> = None;

    /// How its board is drawn.
    const GRID: Grid = Grid::Cells;

    /// Most pieces that stand on each other.
    const TALLEST: usize = 1;

    /// Most levels that are built on a point.
    const LEVELS: usize = 0;

    /// Whether points of the board go out of play.
    const BURNS: bool = false;

    /// The board.
    fn size(&self) -> Size;

    /// Spells a move on a board of that size.
    fn spell(size: Size, mv: Self::Move) -> Spelling;

    /// The move of that spelling on a board of that size, if the game has it; it need not be legal.
    fn unspell(size: Size, spelling: &Spelling) -> Option<Self::Move>;

    /// Piece on a point.
    fn piece(&self, point: usize) -> Option<Piece>;

    /// Levels that are built on a point, in games that build.
    fn levels(&self, _point: usize) -> usize {
        0
    }

    /// Whether pieces can stand on a point at all.
    fn is_cell(&self, _point: usize) -> bool {
        true
    }

    /// Start of a new game under the usual rules on one of [`Spelled::BOARDS`].
    fn on(size: Size) -> Self;

    /// Start of a new game under the same rules on a board of that size; `None` if the game is not played on it.
    fn fresh(&self, size: Size) -> Option<Self> {
        Self::BOARDS.contains(size).then(|| Self::on(size))
    }

    /// Position under the same rules on the same board with those pieces and no others, `First` to move unless the rules
    /// say otherwise.
    ///
    /// # Errors
    /// Why there is no such position.
    fn with_pieces(&self, _pieces: &[(Side, usize)]) -> Result<Self, String> {
        Err("there is no such position".to_owned())
    }

    /// Position as [`Spelled::with_pieces`], with towers, levels and burnt points too.
    ///
    /// # Errors
    /// Why there is no such position.
    fn with_occupants(&self, occupants: &[(Occupant, usize)]) -> Result<Self, String> {
        Self::check_occupants(occupants)?;
        self.with_pieces(&occupant::pieces(occupants))
    }

    /// Checks that the game has such occupants.
    ///
    /// # Errors
    /// The first that it has not.
    fn check_occupants(occupants: &[(Occupant, usize)]) -> Result<(), String> {
        let wrong = |occupant: Occupant| match occupant {
            Occupant::Piece(piece) if Self::TALLEST == 1 => {
                (piece.height != 1).then(|| "this game has no towers".to_owned())
            }
            Occupant::Piece(piece) => {
                let fits = (1..=Self::TALLEST).contains(&piece.height);
                (!fits).then(|| format!("a tower has 1 to {} pieces", Self::TALLEST))
            }
            Occupant::Levels(_) if Self::LEVELS == 0 => Some("this game has no buildings".to_owned()),
            Occupant::Levels(count) => {
                let fits = (1..=Self::LEVELS).contains(&count);
                (!fits).then(|| format!("a building has 1 to {} levels", Self::LEVELS))
            }
            Occupant::Burnt => (!Self::BURNS).then(|| "this game has no burnt squares".to_owned()),
        };
        occupants.iter().find_map(|&(occupant, _)| wrong(occupant)).map_or(Ok(()), Err)
    }

    /// All that stands on the points, in their order; what is built before what stands on it.
    fn occupants(&self) -> Vec<(Occupant, usize)> {
        let at = |point: usize| {
            let burnt = (Self::BURNS && !self.is_cell(point)).then_some(Occupant::Burnt);
            let levels = Some(self.levels(point)).filter(|&levels| levels > 0).map(Occupant::Levels);
            let all = [burnt, levels, self.piece(point).map(Occupant::Piece)];
            all.into_iter().flatten().map(move |occupant| (occupant, point))
        };
        (0..self.points()).flat_map(at).collect()
    }

    /// Why the side to move may not play `mv`; `None` if it may.
    fn objection(&self, mv: Self::Move) -> Option<String> {
        if self.outcome().is_some() {
            Some("the game is over".to_owned())
        } else {
            (!self.is_legal(mv)).then(|| "no such move".to_owned())
        }
    }

    /// Move that is meant by one whose points stand in another order, where that makes no difference.
    fn in_order(&self, mv: Self::Move) -> Self::Move {
        mv
    }

    /// Whether a controller or a record may play `mv` though the rules forbid it here: the game is over and `mv` changes the board
    /// alone, or the game is played by other rules elsewhere.
    fn tolerates(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Position after an illegal move is executed as it was drawn, which SGF demands: a single point receives a stone, a
    /// piece is carried from the first of two points to the second. `None` if nothing can be drawn.
    fn forced(&self, mv: Self::Move) -> Option<Self> {
        let side = self.to_move();
        let (from, to, side) = match *Self::spell(self.size(), mv).points() {
            [to] => (None, to, side),
            [from, to] => (Some(from), to, self.owner(from)?),
            _ => return None,
        };
        let stays = |point: &usize| Some(*point) != from && *point != to;
        let pieces = (0..self.points()).filter(stays).filter_map(|point| Some((self.owner(point)?, point)));
        let mut position = self.with_pieces(&pieces.chain([(side, to)]).collect::<Vec<_>>()).ok()?;
        position.set_to_move(Self::after(self.to_move()));
        Some(position)
    }

    /// Root properties of the game's record in SGF beside size, pieces and turn, such as komi.
    fn properties(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// This start under the rules that a record's root properties name.
    ///
    /// # Errors
    /// The property that cannot be read.
    fn with_properties<'a>(self, _property: &dyn Fn(&str) -> Option<&'a str>) -> Result<Self, String> {
        Ok(self)
    }

    /// How the game ended; `None` before the end.
    fn ending(&self) -> Option<Ending> {
        self.outcome().map(|end| Ending::Two { winner: end.winner, lead: 0, detail: String::new() })
    }

    /// Owner of what stands on a point.
    fn owner(&self, point: usize) -> Option<Side> {
        self.piece(point).map(|piece| piece.side)
    }

    /// Pieces that stand on each other on a point.
    fn height(&self, point: usize) -> usize {
        self.piece(point).map_or(0, |piece| piece.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{amazons, avalam, clobber, santorini};

    #[test]
    fn a_move_has_one_to_three_points() {
        assert_eq!(Points::new(&[]), None);
        assert_eq!(Points::new(&[1, 2, 3, 4]), None);
        assert_eq!(Points::new(&[7, 8]).map(Spelling::Points), Some(Spelling::from([7, 8])));
        assert_eq!(Spelling::from([7, 8, 9]).points(), [7, 8, 9]);
        assert_ne!(Spelling::from([7]), Spelling::from([7, 0]));
        assert!(Spelling::PASS.points().is_empty());
    }

    /// Which of some occupants a game has.
    fn had<G: Spelled>() -> [bool; 8] {
        let tower = |height| Occupant::Piece(Piece { side: Side::First, height });
        let levels = Occupant::Levels;
        [tower(1), tower(0), tower(2), tower(6), levels(0), levels(4), levels(5), Occupant::Burnt]
            .map(|occupant| G::check_occupants(&[(occupant, 0)]).is_ok())
    }

    #[test]
    fn games_have_their_own_occupants() {
        let only = |numbers: &[usize]| std::array::from_fn(|number| numbers.contains(&number));
        assert_eq!(had::<clobber::Position>(), only(&[0]));
        assert_eq!(had::<avalam::Position>(), only(&[0, 2]));
        assert_eq!(had::<santorini::Position>(), only(&[0, 5]));
        assert_eq!(had::<amazons::Position>(), only(&[0, 7]));
    }
}
