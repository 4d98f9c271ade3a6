//! Hex playouts: the board is filled by chance, a broken bridge may be answered, and the winner is read off once.

use super::position::{Move, Position};
use crate::game::{Game, MonteCarlo, Outcome, PlayoutEnd, PlayoutPolicy, Prior, Side};
use crate::games::Size;
use crate::rng::Rng;

/// How much the policy knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Any empty cell.
    Uniform,
    /// An intrusion into an own bridge is answered first.
    Bridges,
}

/// Most rows and columns.
const LIMIT: usize = 25;
/// Row words with a free row above and below.
type Rows = [u32; LIMIT + 2];

/// A playout in progress.
///
/// A row of a side's stones is a word: bit `x` of word `y + 1` is the cell (x, y).
#[derive(Debug)]
pub struct Playout {
    size: Size,
    style: Style,
    rows: [Rows; 2],
    /// Empty cells, those still to fill first, and where each stands in the list.
    empty: Vec<u16>,
    place: Vec<u16>,
    left: usize,
    to_move: Side,
    last: Option<usize>,
    length: u32,
    over: Option<Side>,
}

impl Playout {
    /// A policy for boards like that of `position`.
    pub fn new(position: &Position, style: Style) -> Self {
        let points = position.points();
        Self {
            size: position.size(),
            style,
            rows: [[0; LIMIT + 2]; 2],
            empty: Vec::with_capacity(points),
            place: vec![0; points],
            left: 0,
            to_move: Side::First,
            last: None,
            length: 0,
            over: None,
        }
    }

    #[inline]
    fn has(&self, side: Side, x: i32, y: i32) -> bool {
        let (w, h) = (self.size.width as i32, self.size.height as i32);
        match side {
            Side::First if y < 0 || y >= h => true,
            Side::Second if x < 0 || x >= w => true,
            _ if x < 0 || y < 0 || x >= w || y >= h => false,
            _ => self.rows[side.index()][y as usize + 1] >> x & 1 != 0,
        }
    }

    #[inline]
    fn is_empty(&self, x: i32, y: i32) -> bool {
        let (w, h) = (self.size.width as i32, self.size.height as i32);
        x >= 0 && y >= 0 && x < w && y < h && !self.has(Side::First, x, y) && !self.has(Side::Second, x, y)
    }

    /// The cell that restores a bridge of the side to move into which the last move intruded.
    fn saved_bridge(&self, rng: &mut Rng) -> Option<usize> {
        let (x, y) = self.size.xy(self.last?);
        let (x, y) = (x as i32, y as i32);
        const AROUND: [(i32, i32); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
        let start = rng.below(6) as usize;
        (0..6).map(|k| (start + k) % 6).find_map(|k| {
            let at = |k: usize| (x + AROUND[k % 6].0, y + AROUND[k % 6].1);
            let ((ax, ay), (ox, oy), (bx, by)) = (at(k + 5), at(k), at(k + 1));
            (self.is_empty(ox, oy) && self.has(self.to_move, ax, ay) && self.has(self.to_move, bx, by))
                .then(|| self.size.index(ox as usize, oy as usize))
        })
    }

    #[inline]
    fn put(&mut self, index: usize) {
        let (x, y) = self.size.xy(index);
        self.rows[self.to_move.index()][y + 1] |= 1 << x;
        let place = usize::from(self.place[index]);
        self.left -= 1;
        let other = self.empty[self.left];
        self.empty.swap(place, self.left);
        self.place[usize::from(other)] = place as u16;
        self.place[index] = self.left as u16;
        self.last = Some(index);
        self.length += 1;
        self.to_move = self.to_move.opponent();
    }

    /// Whether `First` joins top and bottom; on a full board the other side has won if not.
    fn first_wins(&self) -> bool {
        let stones = &self.rows[Side::First.index()];
        let height = self.size.height;
        let mut reached: Rows = [0; LIMIT + 2];
        reached[1] = fill(stones[1], stones[1]);
        let mut row = 2;
        // Down row by row, and back up where a row below has opened something new above.
        while row <= height {
            let from_above = reached[row - 1] | reached[row - 1] >> 1;
            let now = fill(stones[row], reached[row] | from_above);
            if now == 0 {
                return false;
            }
            reached[row] = now;
            let above = fill(stones[row - 1], reached[row - 1] | now | now << 1);
            if above != reached[row - 1] {
                reached[row - 1] = above;
                row = (row - 1).max(2);
                // The row above may in turn open one above it.
                let mut up = row;
                while up > 1 {
                    let wider = fill(stones[up - 1], reached[up - 1] | reached[up] | reached[up] << 1);
                    if wider == reached[up - 1] {
                        break;
                    }
                    reached[up - 1] = wider;
                    up -= 1;
                }
                row = up.max(2);
            } else {
                row += 1;
            }
        }
        reached[height] != 0
    }
}

/// All stones of a row that are joined within the row to those of `seed`.
#[inline]
fn fill(stones: u32, seed: u32) -> u32 {
    let seed = seed & stones;
    // A carry runs through a block of ones from its lowest seed upwards; the mirror image does the other half.
    let up = stones & !(stones.wrapping_add(seed)) | seed;
    let (mirrored, seeds) = (stones.reverse_bits(), (up & stones).reverse_bits());
    let down = mirrored & !(mirrored.wrapping_add(seeds)) | seeds;
    (down.reverse_bits() | up) & stones
}

impl PlayoutPolicy<Position> for Playout {
    fn start(&mut self, position: &Position) {
        self.size = position.size();
        self.rows = [[0; LIMIT + 2]; 2];
        self.empty.clear();
        for index in 0..position.points() {
            let (x, y) = self.size.xy(index);
            match position.stone(index) {
                Some(side) => self.rows[side.index()][y + 1] |= 1 << x,
                None => {
                    self.place[index] = self.empty.len() as u16;
                    self.empty.push(index as u16);
                }
            }
        }
        self.left = self.empty.len();
        self.to_move = position.to_move();
        self.last = None;
        self.length = 0;
        self.over = position.winner();
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn step(&mut self, rng: &mut Rng) -> Option<Move> {
        if self.over.is_some() {
            return None;
        }
        if self.left == 0 {
            self.over = Some(if self.first_wins() { Side::First } else { Side::Second });
            return None;
        }
        let saved = if self.style == Style::Bridges { self.saved_bridge(rng) } else { None };
        let index = saved.unwrap_or_else(|| usize::from(self.empty[rng.below(self.left as u32) as usize]));
        self.put(index);
        Some(Move::at(index))
    }

    fn try_play(&mut self, mv: Move) -> bool {
        let free = self.over.is_none()
            && mv.cell().is_some_and(|index| {
                let (x, y) = self.size.xy(index);
                index < self.size.points() && self.is_empty(x as i32, y as i32)
            });
        if let (true, Some(index)) = (free, mv.cell()) {
            self.put(index);
        }
        free
    }

    fn end(&self) -> PlayoutEnd {
        PlayoutEnd { outcome: Outcome { winner: self.over, score: 0.0 }, length: self.length }
    }

    fn add_ownership(&self, owners: &mut [f32]) {
        for (index, owner) in owners.iter_mut().enumerate() {
            let (x, y) = self.size.xy(index);
            for side in [Side::First, Side::Second] {
                if self.rows[side.index()][y + 1] >> x & 1 != 0 {
                    *owner += side.sign();
                }
            }
        }
    }
}

impl MonteCarlo for Position {
    type Playout = Playout;

    fn playout_policy(&self) -> Playout {
        Playout::new(self, Style::Bridges)
    }

    fn priors(&self, moves: &[Move], priors: &mut Vec<Prior>) {
        priors.clear();
        priors.resize(moves.len(), Prior::default());
    }

    fn is_sensible(&self, _: Move) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fill_from_any_seed() {
        for (stones, seed, expected) in [
            (0b1110111, 0b0100000, 0b1110000),
            (0b1110111, 0b0000100, 0b0000111),
            (0b1110111, 0b1000001, 0b1110111),
            (0b1011, 0b0100, 0),
            (u32::MAX >> 7, 1 << 12, u32::MAX >> 7),
        ] {
            assert_eq!(fill(stones, seed), expected, "{stones:b} {seed:b}");
        }
    }

    #[test]
    fn the_winner_of_a_full_board_is_the_one_that_connects() {
        let mut rng = Rng::new(5);
        for n in 1..=11 {
            for width in [n, n + 2] {
                let position = Position::new(Size { width, height: n });
                for style in [Style::Uniform, Style::Bridges] {
                    let mut playout = Playout::new(&position, style);
                    for _ in 0..50 {
                        let mut trace = Vec::new();
                        let end = playout.run(&position, &mut rng, &mut trace);
                        let mut check = position.clone();
                        for mv in trace {
                            if check.outcome().is_none() {
                                check.play(mv);
                            }
                        }
                        assert_eq!(check.outcome(), Some(end.outcome));
                    }
                }
            }
        }
    }

    #[test]
    fn bridges_are_answered() {
        let mut position = Position::new(Size::square(5));
        position.set_up(&[(Side::First, 7), (Side::First, 16)]).unwrap();
        // (2,1) and (1,3) are joined by (2,2) and (1,2).
        let mut playout = Playout::new(&position, Style::Bridges);
        playout.start(&position);
        playout.to_move = Side::Second;
        assert!(playout.try_play(Move::at(12)));
        assert_eq!(playout.step(&mut Rng::new(1)), Some(Move::at(11)));
    }
}
