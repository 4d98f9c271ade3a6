//! Go as a [`Game`]: a board with its past, as far as the rules need it.

mod former;
mod repetition;
mod way;

use thiserror::Error;

use self::former::Former;
use self::way::Way;
use super::board::{Board, NOWHERE, Point, Stone};
use super::rules::{Ko, Rules, Scoring};
use super::{handicap, score};
use crate::game::{Game, Outcome, Side};
use crate::games::Size;
use crate::rng::mix;

/// A move: a point by its number `y * width + x`, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// The pass.
    pub const PASS: Self = Self(u16::MAX);

    /// The move at point number `index`.
    pub const fn at(index: usize) -> Self {
        Self(index as u16)
    }

    /// The number of the point, unless it is a pass.
    pub const fn point(self) -> Option<usize> {
        if self.0 == u16::MAX { None } else { Some(self.0 as usize) }
    }
}

/// Which rule a move breaks.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Illegal {
    /// There is no such point.
    #[error("outside the board")]
    Outside,
    /// A stone stands there.
    #[error("occupied")]
    Occupied,
    /// The stone would have no liberty and take nothing.
    #[error("suicide")]
    Suicide,
    /// It would take back the stone that has just taken one.
    #[error("ko")]
    Ko,
    /// It would bring back an earlier arrangement of the board.
    #[error("superko, it repeats an earlier position")]
    Superko,
}

/// Number of moves that a position remembers.
pub(super) const RECENT: usize = 5;

/// Why stones cannot be set up.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SetUpError {
    /// There is no such point.
    #[error("point {0} is outside the board")]
    Outside(usize),
    /// Two stones on one point.
    #[error("point {0} is named twice")]
    Twice(usize),
    /// A chain would stand without liberties.
    #[error("the chain at point {0} has no liberty")]
    NoLiberty(usize),
}

/// A position of Go with its past.
///
/// The game is over after two passes in a row. Playing on from there is allowed ([`Position::resume`]).
#[derive(Debug)]
pub struct Position {
    board: Board,
    rules: Rules,
    komi: f32,
    handicap: usize,
    to_move: Side,
    passes: u8,
    plies: usize,
    /// The last moves, latest first: [`Move::PASS`] also where there was none.
    last: [Move; RECENT],
    /// Number of those that the sides made in turn since the game began on this board or ended.
    in_turn: usize,
    former: Former,
    /// Repetition hashes of all earlier positions and this one; by rules with superko only.
    past: Vec<u64>,
    /// The last positions, as far as the game may come back to them; by rules without superko only.
    way: Way,
    /// Whether a stone was ever taken: before that nothing can repeat.
    taken: bool,
    /// The point that alone decides the game, where a search asks about one.
    stake: Option<u16>,
    /// Whether playouts go on however far a side leads, where a search asks about owners.
    to_the_end: bool,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        let Self { board, former, past, way, .. } = self;
        Self { board: board.clone(), former: former.clone(), past: past.clone(), way: way.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { board, former, past, way, rules, komi, handicap, .. } = self;
        board.clone_from(&source.board);
        former.clone_from(&source.former);
        past.clone_from(&source.past);
        way.clone_from(&source.way);
        (*rules, *komi, *handicap) = (source.rules, source.komi, source.handicap);
        let Self { to_move, passes, plies, last, in_turn, taken, stake, to_the_end, .. } = self;
        (*to_move, *passes, *plies, *last) = (source.to_move, source.passes, source.plies, source.last);
        (*in_turn, *taken, *stake, *to_the_end) = (source.in_turn, source.taken, source.stake, source.to_the_end);
    }
}

impl Position {
    /// Smallest and largest number of rows and columns.
    pub const SIZES: std::ops::RangeInclusive<usize> = 1..=25;

    /// The empty board, Black (`First`) to move.
    ///
    /// # Panics
    /// If a side is not in [`Position::SIZES`].
    pub fn new(size: Size, rules: Rules, komi: f32) -> Self {
        assert!(Self::SIZES.contains(&size.width) && Self::SIZES.contains(&size.height), "no such board: {size:?}");
        let mut position = Self {
            board: Board::new(size),
            rules,
            komi,
            handicap: 0,
            to_move: Side::First,
            passes: 0,
            plies: 0,
            last: [Move::PASS; RECENT],
            in_turn: 0,
            former: Former::default(),
            past: Vec::new(),
            way: Way::default(),
            taken: false,
            stake: None,
            to_the_end: false,
        };
        position.remember();
        position
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Changes the rule set; repetition counts from this position on.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.way.end();
        self.past.clear();
        self.remember();
    }

    /// Points that White gets.
    pub fn komi(&self) -> f32 {
        self.komi
    }

    /// Changes komi.
    pub fn set_komi(&mut self, komi: f32) {
        // There is no negative 0 in any protocol.
        self.komi = komi + 0.0;
    }

    /// Number of handicap stones, for White's compensation.
    pub fn handicap(&self) -> usize {
        self.handicap
    }

    /// Says how many of Black's stones are handicap.
    pub fn set_handicap(&mut self, stones: usize) {
        self.handicap = stones;
    }

    /// Points more than the rules say that playouts take from Black, so that who leads by a handicap plays on as in an even
    /// game and not to keep the lead (linear dynamic komi, as in Pachi): all of the handicap's worth at first, nothing once
    /// the board is half full.
    pub(super) fn virtual_komi(&self) -> f32 {
        const STONE: f32 = 7.0;
        const UNTIL: f32 = 0.55;
        if self.handicap < 2 || self.stake.is_some() {
            return 0.0;
        }
        let left = 1.0 - self.plies as f32 / (UNTIL * self.points() as f32);
        STONE * self.handicap as f32 * left.max(0.0)
    }

    /// Counts in the other way from now on, with a komi by which the lead is the same: area is territory and prisoners, and
    /// what one side has placed more than the other, but for what a [`Tax`](super::rules::Tax) leaves out. Passes are taken back.
    pub(super) fn recount(&mut self, scoring: Scoring) {
        let more = self.placed_more();
        self.komi += if scoring == Scoring::Area { more } else { -more };
        self.rules.scoring = scoring;
        self.resume();
    }

    /// Stones that `First` has placed more than `Second`: by so much the lead by area is larger than that by territory and
    /// prisoners.
    pub(super) fn placed_more(&self) -> f32 {
        let placed = |side: Side| self.stones(side) as f32 + self.lost(side) as f32;
        placed(Side::First) - placed(Side::Second)
    }

    /// Komi and handicap compensation together: what is taken from Black's points.
    pub fn compensation(&self) -> f32 {
        self.komi + self.rules.handicap_compensation(self.handicap)
    }

    /// The stone at a point.
    pub fn stone(&self, index: usize) -> Option<Side> {
        self.board.stone(self.board.point(index)).side()
    }

    /// Stones of `side` that were taken.
    pub fn lost(&self, side: Side) -> u32 {
        self.board.lost(side)
    }

    /// Passes in a row until now.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The last move, and the one before: [`Move::PASS`] also where there was none.
    pub fn last_moves(&self) -> [Move; 2] {
        [self.last[0], self.last[1]]
    }

    /// As [`Position::last_moves`], further back.
    pub(super) fn recent_moves(&self) -> [Move; RECENT] {
        self.last
    }

    /// Number of [`Position::recent_moves`] that the sides made in turn, none left out, since the game began on this board; of
    /// those before its end the last one only.
    pub(super) fn moves_in_turn(&self) -> usize {
        if self.passes >= 2 { self.in_turn.min(1) } else { self.in_turn }
    }

    /// Number of stones of a side on the board.
    pub fn stones(&self, side: Side) -> usize {
        self.board.on_board(side)
    }

    /// Takes the passes back, as it were: the game goes on from this board.
    pub fn resume(&mut self) {
        self.in_turn = self.moves_in_turn();
        self.passes = 0;
    }

    /// Makes this a game about one point: whoever owns it at the end wins, whatever the rest is worth. For questions of
    /// life and death.
    pub fn set_stake(&mut self, point: usize) {
        self.stake = Some(point as u16);
    }

    /// The point that alone decides the game, if there is one.
    pub(super) fn stake(&self) -> Option<usize> {
        self.stake.map(usize::from)
    }

    /// Makes playouts go on however far a side leads, so that they tell what lives. For questions about owners.
    pub fn play_to_the_end(&mut self) {
        self.to_the_end = true;
    }

    /// Whether playouts go on so.
    pub(super) fn is_played_to_the_end(&self) -> bool {
        self.to_the_end
    }

    /// Takes these for the last moves, latest first; `passed` if the very last was a pass.
    pub(super) fn remember_moves(&mut self, last: [Move; RECENT], passed: bool) {
        self.last = last;
        self.in_turn = 0;
        self.passes = u8::from(passed);
        self.plies = last.iter().rposition(|&mv| mv != Move::PASS).map_or(0, |age| age + 1).max(usize::from(passed));
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// Why `side` may not play `mv` here, if it may not. Says nothing of whose turn it is or whether the game is over.
    ///
    /// # Errors
    /// The rule that the move breaks.
    pub fn check(&self, side: Side, mv: Move) -> Result<(), Illegal> {
        let Some(index) = mv.point() else { return Ok(()) };
        if index >= self.points() {
            return Err(Illegal::Outside);
        }
        let point = self.board.point(index);
        if !self.board.is_empty(point) {
            return Err(Illegal::Occupied);
        }
        if self.board.empty_around(point) == 0 {
            if self.rules.ko == Ko::Simple && point == self.board.ko() {
                return Err(Illegal::Ko);
            }
            let alone = || self.stands_alone(side, index);
            if self.board.is_suicide(point, side) && (!self.rules.suicide || alone()) {
                return Err(Illegal::Suicide);
            }
        }
        if self.repeats(point, side) {
            return Err(if point == self.board.ko() { Illegal::Ko } else { Illegal::Superko });
        }
        Ok(())
    }

    /// Whether a stone there would join no chain where no point beside it is empty.
    pub(super) fn stands_alone(&self, side: Side, index: usize) -> bool {
        let point = self.board.point(index);
        self.board.around(point, side) == self.borders(point)
    }

    /// Border places beside a point.
    fn borders(&self, point: Point) -> usize {
        self.board.neighbours(point).iter().filter(|&&n| self.board.stone(n) == Stone::Border).count()
    }

    /// Puts stones on a board that is cleared first, and begins the game there with `First` to move.
    /// Komi, rules and handicap stay.
    ///
    /// # Errors
    /// [`SetUpError`], and nothing is changed.
    pub fn set_up(&mut self, stones: &[(Side, usize)]) -> Result<(), SetUpError> {
        let mut fresh = Self::new(self.size(), self.rules, self.komi);
        fresh.handicap = self.handicap;
        for (number, &(_, index)) in stones.iter().enumerate() {
            if index >= self.points() {
                return Err(SetUpError::Outside(index));
            }
            if stones[..number].iter().any(|s| s.1 == index) {
                return Err(SetUpError::Twice(index));
            }
        }
        // No chain may be without liberty once all stand; where all have one, any order of placing takes nothing.
        let mut owners: Vec<Option<Side>> = vec![None; self.points()];
        for &(side, index) in stones {
            owners[index] = Some(side);
        }
        let chains = score::chains(self.size(), &owners);
        for &(_, index) in stones {
            if !chains.has_liberty(index) {
                return Err(SetUpError::NoLiberty(index));
            }
        }
        for &(side, index) in stones {
            fresh.board.play(fresh.board.point(index), side);
        }
        fresh.board.clear_ko();
        fresh.past.clear();
        fresh.remember();
        *self = fresh;
        Ok(())
    }

    /// The points of a fixed handicap of `stones` on this board (`None` where the board or the number does not allow one).
    pub fn fixed_handicap(&self, stones: usize) -> Option<Vec<usize>> {
        handicap::fixed(self.size(), stones)
    }
}

/// Hash of whose turn it is.
#[inline]
fn turn_key(side: Side) -> u64 {
    match side {
        Side::First => 0,
        Side::Second => 0x6a09_e667_f3bc_c908,
    }
}

impl Game for Position {
    type Move = Move;
    type Findings = ();

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn set_to_move(&mut self, side: Side) {
        if side != self.to_move {
            self.to_move = side;
            self.in_turn = 0;
            self.board.clear_ko();
            self.way.end();
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.passes >= 2 {
            return;
        }
        moves.extend((0..self.points()).map(Move::at).filter(|&mv| self.check(self.to_move, mv).is_ok()));
        moves.push(Move::PASS);
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.passes < 2 && self.check(self.to_move, mv).is_ok()
    }

    fn play(&mut self, mv: Move) {
        self.in_turn = RECENT.min(self.moves_in_turn() + 1);
        let (ko, arrangement) = (self.board.ko(), self.arrangement());
        let removed = match mv.point() {
            None => {
                self.passes = self.passes.saturating_add(1);
                self.board.clear_ko();
                self.former.add(ko, &[]);
                0
            }
            Some(index) => {
                self.passes = 0;
                let before = self.board.lost(Side::First) + self.board.lost(Side::Second);
                self.board.play(self.board.point(index), self.to_move);
                let removed = self.board.lost(Side::First) + self.board.lost(Side::Second) - before;
                self.taken |= removed != 0;
                self.former.add(ko, self.board.last_removed(removed as usize));
                removed
            }
        };
        self.to_move = self.to_move.opponent();
        self.go_on(mv, arrangement, removed);
        self.plies += 1;
        self.last.rotate_right(1);
        self.last[0] = mv;
        self.remember();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.passes >= 2).then(|| {
            let score = score::score(self, &[]);
            let winner = match self.stake() {
                Some(point) => score::owners(self, &[])[point],
                None => score::winner(score),
            };
            Outcome::of(winner, score)
        })
    }

    #[inline]
    fn key(&self) -> u64 {
        let ko = if self.board.ko() == NOWHERE { 0 } else { mix(u64::from(self.board.ko()) + 0x1_0000) };
        let stake = self.stake.map_or(0, |point| mix(u64::from(point) + 0x3_0000));
        let to_the_end = if self.to_the_end { mix(0x4_0000) } else { 0 };
        let question = stake ^ to_the_end;
        self.board.hash() ^ turn_key(self.to_move) ^ ko ^ question ^ mix(u64::from(self.passes) + 0x2_0000)
    }

    fn way_key(&self) -> u64 {
        self.key() ^ self.way_hash()
    }

    fn is_round(&self) -> bool {
        self.way_is_round()
    }

    fn move_count(&self) -> usize {
        self.points() + 1
    }

    fn index(&self, mv: Move) -> usize {
        mv.point().unwrap_or(self.points())
    }

    fn move_at(&self, index: usize) -> Move {
        if index == self.points() { Move::PASS } else { Move::at(index) }
    }

    fn points(&self) -> usize {
        self.board.size().points()
    }

    fn plies(&self) -> usize {
        self.plies
    }
}

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;
