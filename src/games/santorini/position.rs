//! Rules and playouts of Santorini on boards up to 5×5, as sets of bits.

use crate::game::{Game, MonteCarlo, Outcome, Side};
use crate::games::bits::{self, DIRECTIONS, bits, grown};
use crate::games::occupant::{self, Occupant, check_pieces};
use crate::games::{Boards, Ending, Piece, PlayedOut, RandomPlayout, Size, Spelled, Spelling};
use crate::rng::{Rng, mix};

/// Turns of a worker on one point.
const TURNS: usize = DIRECTIONS.len() * DIRECTIONS.len();
/// Level whose ascent wins.
const GOAL: usize = 3;
/// Levels of a building with its dome.
pub(super) const DOMED: usize = 4;

/// A move: `64 * point + 8 * step + building step` for a turn, or two points for both workers or an ascent to the third level,
/// `64 * points + first * points + second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

/// Parts of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// A worker's point, the direction that it moves in, and the one that it builds in.
    Turn(usize, [usize; 2]),
    /// Points of both workers, the lower one first; or from where a worker climbs to the third level, and where to.
    Pair([usize; 2]),
}

impl Move {
    pub(super) fn parts(self, size: Size) -> Parts {
        let (index, points) = (usize::from(self.0), size.points());
        match index.checked_sub(TURNS * points) {
            None => Parts::Turn(index / TURNS, [index / DIRECTIONS.len() % DIRECTIONS.len(), index % DIRECTIONS.len()]),
            Some(pair) => Parts::Pair([pair / points, pair % points]),
        }
    }

    pub(super) fn of(size: Size, parts: Parts) -> Self {
        let points = size.points();
        let index = match parts {
            Parts::Turn(from, [step, building]) => TURNS * from + DIRECTIONS.len() * step + building,
            Parts::Pair([first, second]) => TURNS * points + first * points + second,
        };
        Self(index as u16)
    }
}

/// The neighbour of a point in a direction; `None` where it would lie beside the board.
fn neighbour(size: Size, point: usize, direction: usize) -> Option<usize> {
    size.step(point, DIRECTIONS[direction])
}

/// The direction from a point to a neighbour.
pub(super) fn direction(size: Size, from: usize, to: usize) -> Option<usize> {
    (0..DIRECTIONS.len()).find(|&direction| neighbour(size, from, direction) == Some(to))
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    size: Size,
    /// Points of the board.
    board: u64,
    workers: [u64; 2],
    /// Points with so many levels at least, from the first level on; the fourth one is the dome.
    built: [u64; DOMED],
    to_move: Side,
    plies: u32,
}

impl Position {
    /// The empty board, of 3 to 5 lines on each side.
    pub fn new(size: Size) -> Self {
        debug_assert!(Self::BOARDS.contains(size));
        Self { size, board: bits::board(size), workers: [0; 2], built: [0; DOMED], to_move: Side::First, plies: 0 }
    }

    fn bit(&self, point: usize) -> usize {
        bits::bit(self.size, point)
    }

    /// Levels on the point of a bit.
    fn level_at(&self, bit: usize) -> usize {
        self.built.iter().filter(|set| *set >> bit & 1 == 1).count()
    }

    fn own(&self) -> u64 {
        self.workers[self.to_move.index()]
    }

    /// Points without worker or dome.
    fn free(&self) -> u64 {
        self.board & !self.workers[0] & !self.workers[1] & !self.built[DOMED - 1]
    }

    /// Whether the side to move still has to put down its workers.
    fn is_placing(&self) -> bool {
        self.own() == 0
    }

    /// Points with at most so many levels.
    fn up_to(&self, level: usize) -> u64 {
        self.built.get(level).map_or(u64::MAX, |higher| !higher)
    }

    /// Points that a worker on a point of that many levels, who stands there, can move to.
    fn targets(&self, bit: usize) -> u64 {
        grown(1 << bit) & self.free() & self.up_to(self.level_at(bit) + 1)
    }

    /// Points where a worker that is not there yet would win.
    fn summits(&self) -> u64 {
        self.built[GOAL - 1]
    }

    /// Whether a worker on that many levels wins by moving up to the third one.
    fn climbs(&self, bit: usize) -> u64 {
        if self.level_at(bit) < GOAL { self.targets(bit) & self.summits() } else { 0 }
    }

    /// Whether the side to move can win at once.
    fn wins_at_once(&self) -> bool {
        let near = self.own() & self.built[GOAL - 2];
        near != 0 && bits(near).any(|bit| self.climbs(bit) != 0)
    }

    /// Points where workers are put down. Nothing is built by then, unless a side has moved more often than in turn.
    fn sites(&self) -> u64 {
        self.free() & !self.summits()
    }

    fn winner(&self) -> Option<Side> {
        // Workers reach that level by climbing only.
        if let Some(side) = Side::BOTH.into_iter().find(|side| self.workers[side.index()] & self.summits() != 0) {
            return Some(side);
        }
        let can_move = if self.is_placing() {
            self.sites().count_ones() > 1
        } else {
            bits(self.own()).any(|bit| self.targets(bit) != 0)
        };
        (!can_move).then(|| self.to_move.opponent())
    }

    /// For each worker of a side its levels, and for each number of levels the neighbours with so many that it can move to.
    pub fn prospects(&self, side: Side) -> impl Iterator<Item = (usize, [u32; DOMED])> + use<> {
        let position = *self;
        bits(self.workers[side.index()]).map(move |bit| {
            let targets = position.targets(bit);
            let of_level = |level: usize| {
                let lower = if level == 0 { 0 } else { position.up_to(level - 1) };
                (targets & position.up_to(level) & !lower).count_ones()
            };
            (position.level_at(bit), std::array::from_fn(of_level))
        })
    }

    fn put_workers(&self, moves: &mut Vec<Move>) {
        for first in bits(self.sites()).map(|bit| bits::point(self.size, bit)) {
            let others = bits(self.sites()).map(|bit| bits::point(self.size, bit)).filter(|&second| second > first);
            moves.extend(others.map(|second| Move::of(self.size, Parts::Pair([first, second]))));
        }
    }

    /// Whether a worker of the side to move may go from a point in a direction, and win by that.
    fn step(&self, from: usize, direction: usize) -> Option<(usize, bool)> {
        let to = neighbour(self.size, from, direction)?;
        let (bit, target) = (self.bit(from), 1 << self.bit(to));
        (self.targets(bit) & target != 0).then(|| (to, self.climbs(bit) & target != 0))
    }

    /// The directions that a worker may build in after it has come from a point to another one.
    fn building(&self, from: usize, to: usize) -> impl Iterator<Item = usize> + use<> {
        let (size, free) = (self.size, self.free() | 1 << self.bit(from));
        (0..DIRECTIONS.len()).filter(move |&direction| {
            neighbour(size, to, direction).is_some_and(|point| free >> bits::bit(size, point) & 1 == 1)
        })
    }
}

impl Game for Position {
    type Move = Move;
    type Findings = ();

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn set_to_move(&mut self, side: Side) {
        self.to_move = side;
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.winner().is_some() {
            return;
        }
        if self.is_placing() {
            self.put_workers(moves);
            return;
        }
        let workers = bits(self.own()).map(|bit| bits::point(self.size, bit));
        let steps = workers
            .flat_map(|from| (0..DIRECTIONS.len()).filter_map(move |step| Some((from, step, self.step(from, step)?))));
        let (mut wins, size) = (Vec::new(), self.size);
        for (from, step, (to, wins_there)) in steps {
            if wins_there {
                wins.push(Move::of(size, Parts::Pair([from, to])));
            } else {
                moves.extend(
                    self.building(from, to).map(|building| Move::of(size, Parts::Turn(from, [step, building]))),
                );
            }
        }
        wins.sort_unstable();
        moves.extend(wins);
    }

    fn is_legal(&self, mv: Move) -> bool {
        if usize::from(mv.0) >= self.move_count() || self.winner().is_some() {
            return false;
        }
        let is_own = |point: usize| self.own() >> self.bit(point) & 1 == 1;
        match mv.parts(self.size) {
            Parts::Pair([first, second]) if self.is_placing() => {
                first < second && [first, second].iter().all(|&point| self.sites() >> self.bit(point) & 1 == 1)
            }
            Parts::Pair([from, to]) => is_own(from) && self.climbs(self.bit(from)) >> self.bit(to) & 1 == 1,
            Parts::Turn(from, [step, building]) => {
                is_own(from)
                    && self.step(from, step).is_some_and(|(to, wins)| {
                        !wins && self.building(from, to).any(|direction| direction == building)
                    })
            }
        }
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let (size, own) = (self.size, self.to_move.index());
        match mv.parts(size) {
            Parts::Pair(points) => {
                let [first, second] = points.map(|point| 1_u64 << self.bit(point));
                // Who climbs leaves the first point.
                self.workers[own] =
                    if self.is_placing() { first | second } else { self.workers[own] & !first | second };
            }
            Parts::Turn(from, [step, building]) => {
                let to = neighbour(size, from, step).unwrap_or(from);
                self.workers[own] = self.workers[own] & !(1 << self.bit(from)) | 1 << self.bit(to);
                if let Some(site) = neighbour(size, to, building) {
                    let site = 1 << self.bit(site);
                    if let Some(level) = self.built.iter_mut().find(|level| **level & site == 0) {
                        *level |= site;
                    }
                }
            }
        }
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner().map(|winner| Outcome::of(Some(winner), 0.0))
    }

    /// A side that can climb to the third level now has won.
    fn proven(&self) -> Option<(Side, u32)> {
        match self.winner() {
            Some(winner) => Some((winner, 0)),
            None => self.wins_at_once().then_some((self.to_move, 1)),
        }
    }

    fn key(&self) -> u64 {
        let board = (self.size.width * 16 + self.size.height) as u64;
        let start = mix(2 * board + self.to_move.index() as u64);
        self.workers.iter().chain(&self.built).fold(start, |key, &set| mix(key ^ set))
    }

    fn move_count(&self) -> usize {
        (TURNS + self.points()) * self.points()
    }

    fn index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }

    fn move_at(&self, index: usize) -> Move {
        Move(index as u16)
    }

    fn points(&self) -> usize {
        self.size.points()
    }

    fn plies(&self) -> usize {
        self.plies as usize
    }
}

impl Spelled for Position {
    const BOARDS: Boards = Boards::from_to(3, 5);
    const POINTS: usize = 3;
    const LEVELS: usize = DOMED;

    fn size(&self) -> Size {
        self.size
    }

    /// A turn that would leave the board is spelled by its first point alone, which is no spelling of a move.
    fn spell(size: Size, mv: Move) -> Spelling {
        match mv.parts(size) {
            Parts::Pair(points) => points.into(),
            Parts::Turn(from, [step, building]) => {
                let to = neighbour(size, from, step);
                let site = to.and_then(|to| neighbour(size, to, building));
                to.zip(site).map_or([from].into(), |(to, site)| [from, to, site].into())
            }
        }
    }

    fn unspell(size: Size, spelling: &Spelling) -> Option<Move> {
        let points = spelling.points();
        if points.iter().any(|&point| point >= size.points()) {
            return None;
        }
        let parts = match *points {
            [first, second] if first != second => Parts::Pair([first, second]),
            [from, to, site] => Parts::Turn(from, [direction(size, from, to)?, direction(size, to, site)?]),
            _ => return None,
        };
        Some(Move::of(size, parts))
    }

    /// Both workers are put down at once.
    fn in_order(&self, mv: Move) -> Move {
        match mv.parts(self.size) {
            Parts::Pair([first, second]) if self.is_placing() && second < first => {
                Move::of(self.size, Parts::Pair([second, first]))
            }
            _ => mv,
        }
    }

    fn piece(&self, point: usize) -> Option<Piece> {
        let bit = self.bit(point);
        Side::BOTH.into_iter().find(|side| self.workers[side.index()] >> bit & 1 == 1).map(Piece::of)
    }

    fn levels(&self, point: usize) -> usize {
        self.level_at(self.bit(point))
    }

    fn on(size: Size) -> Self {
        Self::new(size)
    }

    fn with_pieces(&self, pieces: &[(Side, usize)]) -> Result<Self, String> {
        check_pieces(self.size, pieces)?;
        let mut position = Self::new(self.size);
        for &(side, point) in pieces {
            position.workers[side.index()] |= 1 << self.bit(point);
        }
        if !position.workers.iter().all(|set| [0, 2].contains(&set.count_ones())) {
            return Err("a side has two workers, or none yet".to_owned());
        }
        Ok(position)
    }

    /// Nothing is built before all workers stand, and the first of them on the third level ends the game.
    fn with_occupants(&self, occupants: &[(Occupant, usize)]) -> Result<Self, String> {
        Self::check_occupants(occupants)?;
        let mut position = self.with_pieces(&occupant::pieces(occupants))?;
        for &(occupant, point) in occupants {
            let Occupant::Levels(count) = occupant else { continue };
            if point >= self.points() {
                return Err("a building is not on the board".to_owned());
            }
            if position.levels(point) > 0 {
                return Err("two buildings on one point".to_owned());
            }
            let bit = 1 << self.bit(point);
            position.built.iter_mut().take(count).for_each(|level| *level |= bit);
        }
        let workers = position.workers[0] | position.workers[1];
        if position.built[0] != 0 && position.workers.contains(&0) {
            return Err("a building before all workers stand".to_owned());
        }
        if workers & position.built[DOMED - 1] != 0 {
            return Err("a worker on a dome".to_owned());
        }
        if (workers & position.summits()).count_ones() > 1 {
            return Err("two workers on the third level".to_owned());
        }
        Ok(position)
    }

    /// Nothing: a turn is more than a piece that is carried.
    fn forced(&self, _mv: Move) -> Option<Self> {
        None
    }

    fn ending(&self) -> Option<Ending> {
        let winner = self.winner()?;
        let climbed = self.workers[winner.index()] & self.summits() != 0;
        let detail = if climbed { "" } else { ", there is no move" };
        Some(Ending::Two { winner: Some(winner), lead: 0, detail: detail.to_owned() })
    }
}

impl PlayedOut for Position {
    /// Wins at once where it can.
    fn advance(&mut self, knows: bool, _: u32, moves: &mut Vec<Move>, rng: &mut Rng) -> Option<Move> {
        self.legal_moves(moves);
        // Moves that win stand behind all others.
        let last = *moves.last()?;
        let mv = if knows && self.wins_at_once() { last } else { moves[rng.below(moves.len() as u32) as usize] };
        self.play(mv);
        Some(mv)
    }
}

impl MonteCarlo for Position {
    const SOLVES: bool = true;
    const EXPLORATION: f32 = 0.3;

    type Playout = RandomPlayout<Self>;

    fn playout_policy(&self, knowledge: u32) -> Self::Playout {
        RandomPlayout::new(self, knowledge)
    }
}
