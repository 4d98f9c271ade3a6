//! Go's playout policy. Near the last move first: take or save chains in atari, then 3x3 patterns, then a uniform
//! move that fills no eye of its own and does not throw away stones. Knows no tree.

mod owners;
mod replies;
mod zones;

use self::zones::zone;
use super::board::{Board, NOWHERE, Point, Stone};
use super::patterns::PatternTable;
use super::position::{Move, Position};
use super::rules::Scoring;
use super::score;
use super::tactics::{LadderReader, after, breathes, saving_capture};
use crate::game::{Game, Outcome, PlayoutEnd, PlayoutPolicy, Side};
use crate::rng::Rng;

pub(super) use self::zones::zones;

/// How much the policy knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// Any legal move that does not fill an own eye.
    Uniform,
    /// Answers to the last moves: chains in atari and 3x3 patterns.
    Sequence,
    /// Also the vital points of small eye spaces.
    Nakade,
    /// Also fights of chains with two liberties.
    Fighter,
}

/// Own chains of at least so many stones are not put into atari by a random move.
const LOST_STONES: usize = 3;
/// A playout is given up as decided once one side has so many stones more, as a share of the board.
const MERCY: f32 = 0.4;
/// Ladders that are read in a playout: the first ones, since later ones have little to do with the position that is asked about.
const LADDERS: u32 = 3;
/// Longest playout, in moves per point of the board: only repeated captures come near it.
const LONGEST: usize = 3;

/// A playout in progress. Kept by a thread and used again and again.
#[derive(Debug)]
pub struct Playout {
    board: Board,
    style: Style,
    table: PatternTable,
    ladder: LadderReader,
    /// Ladders that may still be read.
    ladders: u32,
    /// A chain in atari that its owner has just not saved because of a ladder.
    left: Point,
    to_move: Side,
    passes: u8,
    length: u32,
    last: [Point; 2],
    compensation: f32,
    virtual_komi: f32,
    /// The point that alone decides the game, if there is one.
    stake: Point,
    mercy: i32,
    longest: u32,
    over: bool,
}

impl Playout {
    /// A policy for boards like that of `position`.
    pub fn new(position: &Position, style: Style) -> Self {
        let mut playout = Self {
            board: position.board().clone(),
            style,
            table: PatternTable::get(),
            ladder: LadderReader::new(position.board()),
            ladders: LADDERS,
            left: NOWHERE,
            to_move: Side::First,
            passes: 0,
            length: 0,
            last: [NOWHERE; 2],
            compensation: 0.0,
            virtual_komi: 0.0,
            stake: NOWHERE,
            mercy: 0,
            longest: 0,
            over: false,
        };
        playout.start(position);
        playout
    }

    fn place(&self, mv: Move) -> Point {
        mv.point().map_or(NOWHERE, |index| self.board.point(index))
    }

    /// Whether the move puts several own stones into atari.
    #[inline]
    fn throws_away(&self, point: Point) -> bool {
        !breathes(&self.board, point, self.to_move)
            && (self.board.empty_around(point) == 1 || after(&self.board, point, self.to_move).stones >= LOST_STONES)
    }

    /// A uniform choice among the sensible moves.
    #[inline]
    fn uniform(&mut self, rng: &mut Rng) -> Option<Point> {
        let side = self.to_move;
        let mut left = self.board.empty_points().len();
        while left > 0 {
            let i = rng.below(left as u32) as usize;
            let point = self.board.empty_points()[i];
            let sensible = self.board.is_playable(point, side)
                && !self.board.is_eye(point, side)
                && (self.style == Style::Uniform || !self.throws_away_many(point) && !self.runs_in_vain(point));
            if sensible {
                return Some(point);
            }
            left -= 1;
            self.board.swap_empty(i, left);
        }
        None
    }

    /// As [`Self::throws_away`], but lone stones may be thrown in.
    #[inline]
    fn throws_away_many(&self, point: Point) -> bool {
        self.board.around(point, self.to_move) > 0
            && !breathes(&self.board, point, self.to_move)
            && after(&self.board, point, self.to_move).stones >= LOST_STONES
    }

    /// Whether the move runs with several own stones that a ladder catches.
    #[inline]
    fn runs_in_vain(&mut self, point: Point) -> bool {
        let own = Stone::of(self.to_move);
        self.ladders > 0
            && self.board.around(point, self.to_move) > 0
            && self.board.neighbours(point).into_iter().any(|n| {
                self.board.stone(n) == own
                    && self.board.in_atari(n)
                    && self.board.chain_stones(n) > 1
                    && saving_capture(&self.board, n, self.to_move).is_none()
                    && self.is_hopeless(n, point)
            })
    }

    #[inline]
    fn put(&mut self, point: Point) {
        self.length += 1;
        if point == NOWHERE {
            self.passes += 1;
            self.board.clear_ko();
            self.over = self.passes >= 2;
        } else {
            self.passes = 0;
            self.board.play(point, self.to_move);
            self.over = self.is_overwhelmed();
        }
        self.over |= self.length >= self.longest;
        self.last = [point, self.last[0]];
        self.to_move = self.to_move.opponent();
    }

    /// Whether one side has so many stones more that nothing else is played.
    #[inline]
    fn is_overwhelmed(&self) -> bool {
        let lead = self.board.on_board(Side::First) as i32 - self.board.on_board(Side::Second) as i32;
        lead.abs() > self.mercy
    }
}

impl PlayoutPolicy<Position> for Playout {
    fn start(&mut self, position: &Position) {
        self.board.clone_from(position.board());
        self.to_move = position.to_move();
        self.passes = position.passes() % 2;
        self.length = 0;
        self.last = position.last_moves().map(|mv| self.place(mv));
        self.compensation = position.compensation();
        if position.rules().scoring == Scoring::Territory {
            self.compensation += position.placed_more();
        }
        self.virtual_komi = position.virtual_komi();
        let points = self.board.size().points();
        self.stake = position.stake().map_or(NOWHERE, |index| self.board.point(index));
        // On the smallest boards a few stones decide nothing, and where one point decides no lead does.
        let asks = self.stake != NOWHERE || position.is_played_to_the_end();
        self.mercy = if asks { i32::MAX } else { ((points as f32 * MERCY) as i32).max(12) };
        self.longest = (points * LONGEST) as u32 + 20;
        self.over = false;
        (self.ladders, self.left) = (LADDERS, NOWHERE);
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn step(&mut self, rng: &mut Rng) -> Option<Move> {
        if self.over {
            return None;
        }
        let reply = if self.style == Style::Uniform { None } else { self.reply(rng) };
        let point = reply.or_else(|| self.uniform(rng)).unwrap_or(NOWHERE);
        self.put(point);
        Some(if point == NOWHERE { Move::PASS } else { Move::at(self.board.index(point)) })
    }

    #[inline]
    fn suits(&self, mv: Move) -> bool {
        let point = self.place(mv);
        !self.over
            && point != NOWHERE
            && self.board.is_empty(point)
            && self.board.is_playable(point, self.to_move)
            && !self.board.is_eye(point, self.to_move)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.put(self.place(mv));
    }

    /// By area, which territory rules nearly equal once everything is played out, but for the stones that one side had placed
    /// more; `step` fills all but eyes.
    fn end(&self) -> PlayoutEnd {
        let mut lead = self.board.on_board(Side::First) as i32 - self.board.on_board(Side::Second) as i32;
        for &point in self.board.empty_points() {
            lead += self.owner(point).map_or(0, |side| side.sign() as i32);
        }
        let score = lead as f32 - self.compensation;
        let winner = match self.stake {
            NOWHERE => score::winner(score - self.virtual_komi),
            stake => self.owner(stake),
        };
        PlayoutEnd { outcome: Outcome::of(winner, score), length: self.length }
    }

    /// The share of a part of the board that `First` owns, an empty point counting half.
    fn goal(&self, goal: usize) -> f32 {
        let (mut owned, mut points) = (0.0, 0);
        for index in zone(self.board.size(), goal) {
            points += 1;
            owned += self.owner(self.board.point(index)).map_or(0.5, |owner| 0.5 + 0.5 * owner.sign());
        }
        owned / points as f32
    }

    fn add_ownership(&self, owners: &mut [f32]) {
        if self.is_overwhelmed() {
            return self.add_surrounded(owners);
        }
        for (index, owner) in owners.iter_mut().enumerate() {
            if let Some(side) = self.owner(self.board.point(index)) {
                *owner += side.sign();
            }
        }
    }
}

#[cfg(test)]
mod tests;
