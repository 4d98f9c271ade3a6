//! Arrangements of stones that may not come back (ko and superko).

use super::super::board::Point;
use super::{Illegal, Ko, Move, NOWHERE, Position, Side, turn_key};

/// A set of hashes, of which it may have more than were put in.
struct Sieve([u64; Self::WORDS]);

impl Sieve {
    const WORDS: usize = 64;

    fn of(hashes: &[u64]) -> Self {
        let mut sieve = Self([0; Self::WORDS]);
        for &hash in hashes {
            let (word, bit) = Self::place(hash);
            sieve.0[word] |= bit;
        }
        sieve
    }

    fn place(hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize % Self::WORDS, 1 << (hash % 64))
    }

    fn may_hold(&self, hash: u64) -> bool {
        let (word, bit) = Self::place(hash);
        self.0[word] & bit != 0
    }
}

impl Position {
    pub(super) fn repeats(&self, point: Point, side: Side) -> bool {
        self.may_repeat(point, side) && self.past.contains(&self.hash_after(point, side))
    }

    /// Without a capture behind it or in it, a move can only add stones.
    fn may_repeat(&self, point: Point, side: Side) -> bool {
        let suicide = self.rules.suicide && self.board.empty_around(point) == 0;
        self.rules.ko != Ko::Simple && (self.taken || suicide || self.board.captures_at(point, side))
    }

    fn hash_after(&self, point: Point, side: Side) -> u64 {
        self.repetition_hash(self.board.hash_after(point, side), side.opponent())
    }

    fn repetition_hash(&self, stones: u64, to_move: Side) -> u64 {
        match self.rules.ko {
            Ko::Situational => stones ^ turn_key(to_move),
            Ko::Simple | Ko::Positional => stones,
        }
    }

    pub(super) fn remember(&mut self) {
        if self.rules.ko != Ko::Simple {
            self.past.push(self.repetition_hash(self.board.hash(), self.to_move));
        }
    }

    /// Points where nothing but ko or superko forbids the side to move to play.
    pub(in super::super) fn forbidden(&self) -> Vec<usize> {
        let mut points = Vec::new();
        if self.rules.ko == Ko::Simple {
            points.extend((self.board.ko() != NOWHERE).then(|| self.board.index(self.board.ko())));
            return points;
        }
        let sieve = Sieve::of(&self.past);
        for &point in self.board.empty_points() {
            let side = self.to_move;
            if self.may_repeat(point, side) && sieve.may_hold(self.hash_after(point, side)) {
                let index = self.board.index(point);
                if matches!(self.check(side, Move::at(index)), Err(Illegal::Ko | Illegal::Superko)) {
                    points.push(index);
                }
            }
        }
        points
    }
}
