//! Small games for tests of what is the same in all games: one whose moves are a point or a pass, and one whose moves are three
//! points.

use super::occupant::{self, Occupant};
use super::{Boards, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::game::{Game, MonteCarlo, Outcome, Planes, Side};
use crate::rng::{Rng, mix};

/// Most cells.
const CELLS: usize = 16;
const EMPTY: u8 = 0;
const BURNT: u8 = 3;
const PASS: [u8; 3] = [u8::MAX; 3];

/// With one point a move: a stone is placed on an empty cell that no stone of the other side is beside; who cannot passes, and
/// when nobody can, more stones win. With three: a piece steps to an empty cell around it and burns one around that; who
/// cannot has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Toy<const POINTS: usize> {
    size: Size,
    cells: [u8; CELLS],
    to_move: Side,
    plies: usize,
}

/// A game of placing stones.
pub(crate) type Placing = Toy<1>;
/// A game of stepping and burning.
pub(crate) type Burning = Toy<3>;

impl<const POINTS: usize> Toy<POINTS> {
    /// An empty board, with a piece of each side in opposite corners where pieces move. At most 16 points.
    pub(crate) fn new(size: Size) -> Self {
        assert!((2..=CELLS).contains(&size.points()));
        let mut toy = Self { size, cells: [EMPTY; CELLS], to_move: Side::First, plies: 0 };
        if POINTS == 3 {
            (toy.cells[0], toy.cells[size.points() - 1]) = (1, 2);
        }
        toy
    }

    fn around(&self, cell: usize, reach: usize) -> impl Iterator<Item = usize> + use<POINTS> {
        let size = self.size;
        let (x, y) = size.xy(cell);
        (0..size.points()).filter(move |&other| {
            let (dx, dy) = (size.xy(other).0.abs_diff(x), size.xy(other).1.abs_diff(y));
            other != cell && dx <= 1 && dy <= 1 && dx + dy <= reach
        })
    }

    fn placements(&self, side: Side) -> Vec<[u8; 3]> {
        let other = side.opponent().index() as u8 + 1;
        let free =
            |&cell: &usize| self.cells[cell] == EMPTY && self.around(cell, 1).all(|beside| self.cells[beside] != other);
        (0..self.size.points()).filter(free).map(|cell| [cell as u8, 0, 0]).collect()
    }

    fn burnings(&self) -> Vec<[u8; 3]> {
        let mut moves = Vec::new();
        for from in (0..self.size.points()).filter(|&cell| self.cells[cell] == self.to_move.index() as u8 + 1) {
            for to in self.around(from, 2).filter(|&to| self.cells[to] == EMPTY) {
                let burnt = self.around(to, 2).filter(|&burnt| self.cells[burnt] == EMPTY || burnt == from);
                moves.extend(burnt.map(|burnt| [from as u8, to as u8, burnt as u8]));
            }
        }
        moves
    }

    fn stones(&self, side: Side) -> usize {
        self.cells.iter().filter(|&&cell| cell == side.index() as u8 + 1).count()
    }
}

impl<const POINTS: usize> Game for Toy<POINTS> {
    type Move = [u8; 3];
    type Findings = ();

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn set_to_move(&mut self, side: Side) {
        self.to_move = side;
    }

    fn legal_moves(&self, moves: &mut Vec<[u8; 3]>) {
        *moves = if POINTS == 3 { self.burnings() } else { self.placements(self.to_move) };
        if POINTS == 1 && moves.is_empty() && !self.placements(self.to_move.opponent()).is_empty() {
            moves.push(PASS);
        }
    }

    fn is_legal(&self, mv: [u8; 3]) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.contains(&mv)
    }

    fn play(&mut self, mv: [u8; 3]) {
        let [first, to, burnt] = mv.map(usize::from);
        let own = self.to_move.index() as u8 + 1;
        match POINTS {
            3 => {
                self.cells[first] = EMPTY;
                self.cells[to] = own;
                self.cells[burnt] = BURNT;
            }
            _ if mv == PASS => {}
            _ => self.cells[first] = own,
        }
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let winner = match self.stones(Side::First).cmp(&self.stones(Side::Second)) {
            _ if POINTS == 3 => Some(self.to_move.opponent()),
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        moves.is_empty().then(|| Outcome::of(winner, 0.0))
    }

    fn key(&self) -> u64 {
        let board = self.cells.iter().fold(0, |key, &cell| key << 2 | u64::from(cell));
        mix(mix(board) ^ (2 * self.size.width + self.to_move.index()) as u64)
    }

    fn move_count(&self) -> usize {
        CELLS * CELLS * CELLS + 1
    }

    fn index(&self, mv: [u8; 3]) -> usize {
        if mv == PASS {
            CELLS * CELLS * CELLS
        } else {
            mv.iter().fold(0, |all, &point| CELLS * all + usize::from(point))
        }
    }

    fn move_at(&self, index: usize) -> [u8; 3] {
        let point = |unit: usize| (index / unit % CELLS) as u8;
        if index == CELLS * CELLS * CELLS { PASS } else { [point(CELLS * CELLS), point(CELLS), point(1)] }
    }

    fn points(&self) -> usize {
        self.size.points()
    }

    fn plies(&self) -> usize {
        self.plies
    }
}

impl<const POINTS: usize> Spelled for Toy<POINTS> {
    const BOARDS: Boards = Boards::from_to(1, 8);
    const POINTS: usize = POINTS;
    const BURNS: bool = POINTS == 3;

    fn size(&self) -> Size {
        self.size
    }

    fn spell(_: Size, mv: [u8; 3]) -> Spelling {
        let points = mv.map(usize::from);
        if POINTS == 3 {
            points.into()
        } else if mv == PASS {
            Spelling::PASS
        } else {
            [points[0]].into()
        }
    }

    fn unspell(_: Size, spelling: &Spelling) -> Option<[u8; 3]> {
        match *spelling.points() {
            [cell] if POINTS == 1 => Some([cell as u8, 0, 0]),
            [from, to, burnt] if POINTS == 3 => Some([from as u8, to as u8, burnt as u8]),
            _ => (POINTS == 1 && *spelling == Spelling::PASS).then_some(PASS),
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        Side::BOTH.into_iter().find(|side| self.cells[point] == side.index() as u8 + 1).map(Piece::of)
    }

    fn is_cell(&self, point: usize) -> bool {
        self.cells[point] != BURNT
    }

    fn on(size: Size) -> Self {
        Self::new(size)
    }

    fn fresh(&self, size: Size) -> Option<Self> {
        (2..=CELLS).contains(&size.points()).then(|| Self::new(size))
    }

    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        let mut toy = Self { cells: [EMPTY; CELLS], to_move: Side::First, plies: 0, ..*self };
        pieces.iter().for_each(|&(side, point)| toy.cells[point] = side.index() as u8 + 1);
        Ok(toy)
    }

    fn with_occupants(&self, occupants: &[(Occupant, usize)]) -> Result<Self, String> {
        let mut toy = self.with_pieces(&occupant::pieces(occupants))?;
        let burnt = occupants.iter().filter(|(occupant, _)| *occupant == Occupant::Burnt);
        burnt.for_each(|&(_, point)| toy.cells[point] = BURNT);
        Ok(toy)
    }
}

/// One plane for each side.
impl<const POINTS: usize> Planes for Toy<POINTS> {
    const NAME: &'static str = "toy";
    const ENCODING: &'static str = "toy-1";

    fn shape(&self) -> [usize; 3] {
        [2, self.size.height, self.size.width]
    }

    fn symmetries(&self) -> usize {
        1
    }

    fn write_planes(&self, _: usize, planes: &mut Vec<f32>) {
        for side in [self.to_move, self.to_move.opponent()] {
            planes.extend((0..self.size.points()).map(|point| f32::from(u8::from(self.owner(point) == Some(side)))));
        }
    }

    fn action_index(&self, mv: [u8; 3], _: usize) -> Option<usize> {
        Some(self.index(mv))
    }
}

impl<const POINTS: usize> PlayedOut for Toy<POINTS> {
    fn advance(&mut self, _: bool, _: u32, moves: &mut Vec<[u8; 3]>, rng: &mut Rng) -> Option<[u8; 3]> {
        self.legal_moves(moves);
        let mv = *moves.get(rng.below(moves.len().max(1) as u32) as usize)?;
        self.play(mv);
        Some(mv)
    }
}

impl<const POINTS: usize> MonteCarlo for Toy<POINTS> {
    const SOLVES: bool = true;

    type Playout = RandomPlayout<Self>;

    fn playout_policy(&self, knowledge: u32) -> Self::Playout {
        RandomPlayout::new(self, knowledge)
    }
}
