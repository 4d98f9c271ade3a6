//! Hex written down: cells and the swap.

use super::board::MOST_LINES;
use super::{Illegal, Move, Position};
use crate::game::{Game, Side};
use crate::games::{Boards, Grid, Piece, Size, Spelled, Spelling};

impl Spelled for Position {
    const BOARDS: Boards = Boards::from_to(1, MOST_LINES);
    const POINTS: usize = 1;
    const SGF: Option<u32> = Some(11);
    const GRID: Grid = Grid::Hexagons;

    fn size(&self) -> Size {
        self.size()
    }

    fn spell(_: Size, mv: Move) -> Spelling {
        mv.cell().map_or(Spelling::SWAP, |cell| [cell].into())
    }

    fn unspell(_: Size, spelling: &Spelling) -> Option<Move> {
        match *spelling.points() {
            [cell] => Some(Move::at(cell)),
            _ => (*spelling == Spelling::SWAP).then_some(Move::SWAP),
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        self.stone(point).map(Piece::of)
    }

    /// Without the swap rule.
    fn on(size: Size) -> Self {
        Self::new(size)
    }

    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        let mut position = self.clone();
        position.set_up(pieces).map_err(|why| why.to_string())?;
        Ok(position)
    }

    fn objection(&self, mv: Move) -> Option<String> {
        self.check(self.to_move(), mv).err().map(|why| why.to_string())
    }

    /// Programs of Hex put stones on a board on which the edges are joined already.
    fn tolerates(&self, mv: Move) -> bool {
        self.check(self.to_move(), mv) == Err(Illegal::GameOver)
    }

    fn properties(&self) -> Vec<(&'static str, String)> {
        if self.swap_allowed() { vec![("RU", Spelling::SWAP_RULE.to_owned())] } else { Vec::new() }
    }

    fn with_properties<'a>(mut self, property: &dyn Fn(&str) -> Option<&'a str>) -> Result<Self, String> {
        self.set_swap_allowed(
            property("RU").is_some_and(|rules| rules.trim().eq_ignore_ascii_case(Spelling::SWAP_RULE)),
        );
        Ok(self)
    }
}
