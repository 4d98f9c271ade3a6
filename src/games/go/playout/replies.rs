//! Replies to the last moves: chains in atari, eye spaces, fights, 3x3 patterns.

use super::{Playout, Style};
use crate::games::go::board::{NOWHERE, Point, Stone};
use crate::games::go::patterns;
use crate::games::go::tactics::{after, breathes, saving_capture};
use crate::rng::Rng;

/// Chances of each kind of move being looked for, out of 256 (MoGo and its heirs look nearly always; a little chance
/// keeps every line of play possible).
const SAVE_CHANCE: u64 = 230;
const CAPTURE_CHANCE: u64 = 230;
const PATTERN_CHANCE: u64 = 243;
const NAKADE_CHANCE: u64 = 230;
const FIGHT_CHANCE: u64 = 150;
/// Chains with more sides towards liberties than that are taken to have more than two of them.
const FEW_SIDES: usize = 4;
/// Points of the largest eye space that one move inside can spoil.
const LARGEST_EYE: usize = 6;

impl Playout {
    /// A reply to the last moves, if there is one that the policy likes.
    #[inline]
    pub(super) fn reply(&mut self, rng: &mut Rng) -> Option<Point> {
        let last = self.last[0];
        let (side, chances) = (self.to_move, rng.next_u64());
        if last != NOWHERE && self.board.stone(last) == Stone::of(side.opponent()) {
            if chances & 255 < CAPTURE_CHANCE && self.board.in_atari(last) {
                let liberty = self.board.last_liberty(last);
                if self.board.is_playable(liberty, side) && self.worth_taking(last, liberty) {
                    return Some(liberty);
                }
            }
            if let Some(point) = self.chase(last) {
                return Some(point);
            }
            if chances >> 8 & 255 < SAVE_CHANCE
                && let Some(point) = self.save(last)
            {
                return Some(point);
            }
            if self.style >= Style::Nakade
                && chances >> 24 & 255 < NAKADE_CHANCE
                && let Some(point) = self.nakade(last)
            {
                return Some(point);
            }
            if self.style >= Style::Fighter
                && chances >> 32 & 255 < FIGHT_CHANCE
                && let Some(point) = self.fight(last)
            {
                return Some(point);
            }
        }
        if chances >> 16 & 255 < PATTERN_CHANCE {
            return self.pattern(rng);
        }
        None
    }

    /// Taking a single stone that could be taken back at once is left to chance.
    #[inline]
    fn worth_taking(&self, chain: Point, liberty: Point) -> bool {
        self.board.chain_stones(chain) > 1 || breathes(&self.board, liberty, self.to_move)
    }

    /// Saves an own chain beside the last move that stands in atari: by taking an attacker or by running.
    #[inline]
    fn save(&mut self, last: Point) -> Option<Point> {
        let side = self.to_move;
        let own = Stone::of(side);
        for n in self.board.neighbours(last) {
            if self.board.stone(n) == own && self.board.in_atari(n) {
                if let Some(capture) = saving_capture(&self.board, n, side) {
                    return Some(capture);
                }
                let exit = self.board.last_liberty(n);
                if self.board.is_playable(exit, side) && breathes(&self.board, exit, side) && !self.is_hopeless(n, exit)
                {
                    return Some(exit);
                }
            }
        }
        None
    }

    /// Whether the own chain in atari, which has nothing to take, is caught in a ladder if it runs to its last liberty, as far as ladders
    /// are read.
    #[inline]
    pub(super) fn is_hopeless(&mut self, chain: Point, exit: Point) -> bool {
        if self.ladders == 0 || self.board.empty_around(exit) > 2 {
            return false;
        }
        self.ladders -= 1;
        let caught = self.ladder.catches(&self.board, chain, self.to_move);
        if caught {
            self.left = chain;
        }
        caught
    }

    /// A move that catches the chain that the opponent had just run with when the playout began, or takes one that it has just left in a
    /// ladder.
    #[inline]
    fn chase(&mut self, last: Point) -> Option<Point> {
        let left = std::mem::replace(&mut self.left, NOWHERE);
        if left != NOWHERE
            && self.board.stone(left) == Stone::of(self.to_move.opponent())
            && self.board.in_atari(left)
            && self.board.is_playable(self.board.last_liberty(left), self.to_move)
        {
            return Some(self.board.last_liberty(left));
        }
        if self.length == 0 && self.board.chain_stones(last) > 1 && self.board.liberty_sides(last) <= FEW_SIDES {
            return self.ladder.atari(&self.board, last, self.to_move.opponent());
        }
        None
    }

    /// The point inside of a small eye space beside the last move that keeps it from becoming two eyes.
    #[inline]
    fn nakade(&self, last: Point) -> Option<Point> {
        self.board.neighbours(last).into_iter().filter(|&n| self.board.is_empty(n)).find_map(|n| {
            let vital = self.vital_point(n)?;
            self.board.is_playable(vital, self.to_move).then_some(vital)
        })
    }

    /// The vital point of the eye space around an empty point, if only the opponent's stones surround it and its shape has
    /// one: three in a row or bent, a pyramid or bulky four to six (the middle has that many neighbours).
    pub(super) fn vital_point(&self, from: Point) -> Option<Point> {
        let own = Stone::of(self.to_move);
        let mut space = [NOWHERE; LARGEST_EYE];
        space[0] = from;
        let (mut size, mut done) = (1, 0);
        while done < size {
            for n in self.board.neighbours(space[done]) {
                let stone = self.board.stone(n);
                if stone == own {
                    return None;
                }
                if stone == Stone::Empty && !space[..size].contains(&n) {
                    if size == LARGEST_EYE {
                        return None;
                    }
                    space[size] = n;
                    size += 1;
                }
            }
            done += 1;
        }
        if size < 3 {
            return None;
        }
        let degree = |p: Point| self.board.empty_around(p);
        let middle = space[..size].iter().copied().max_by_key(|&p| degree(p))?;
        let joints = space[..size].iter().map(|&p| degree(p)).sum::<usize>() / 2;
        let dies = match size {
            3 => true,
            4 => degree(middle) == 3,
            5 => degree(middle) == 4 || degree(middle) == 3 && joints == 5,
            _ => degree(middle) == 4 && joints == 6,
        };
        dies.then_some(middle)
    }

    /// A move in a fight of chains with two liberties beside the last move: run with an own one, or take a liberty of the
    /// opponent's.
    #[inline]
    fn fight(&self, last: Point) -> Option<Point> {
        let side = self.to_move;
        let own = Stone::of(side);
        let most = |liberties: &[Point], least: usize| {
            let after = |l: Point| after(&self.board, l, side).liberties;
            let playable = liberties.iter().copied().filter(|&l| self.board.is_playable(l, side));
            playable.map(|l| (after(l), l)).filter(|&(count, _)| count >= least).max_by_key(|&(count, _)| count)
        };
        for n in self.board.neighbours(last) {
            if self.board.stone(n) == own && self.board.liberty_sides(n) <= FEW_SIDES && !self.board.in_atari(n) {
                let (liberties, count) = self.board.liberties::<3>(n);
                if count == 2
                    && let Some((_, point)) = most(&liberties[..2], 3)
                {
                    return Some(point);
                }
            }
        }
        if self.board.chain_stones(last) == 1 || self.board.liberty_sides(last) > FEW_SIDES {
            return None;
        }
        let (liberties, count) = self.board.liberties::<3>(last);
        if count == 2 {
            // The liberty that leaves the chain with fewer ways out, by a stone that cannot be taken at once.
            let exits = |l: Point| after(&self.board, l, side.opponent()).liberties;
            let [a, b] = [liberties[0], liberties[1]];
            let (first, second) = if exits(a) >= exits(b) { (a, b) } else { (b, a) };
            return most(&[first], 2).or_else(|| most(&[second], 2)).map(|(_, point)| point);
        }
        None
    }

    /// A 3x3 pattern around one of the last two moves, any of them with equal chance.
    #[inline]
    fn pattern(&self, rng: &mut Rng) -> Option<Point> {
        let mut found = [NOWHERE; 16];
        let mut count = 0;
        for last in self.last {
            if last == NOWHERE {
                break;
            }
            let (near, far) = (self.board.neighbours(last), self.board.diagonals(last));
            for p in near.into_iter().chain(far) {
                if self.board.is_empty(p)
                    && patterns::matches(&self.board, &self.table, p)
                    && self.board.is_playable(p, self.to_move)
                    && !self.throws_away(p)
                {
                    found[count] = p;
                    count += 1;
                }
            }
            // The second-to-last move's surroundings only where the last has none.
            if count > 0 {
                break;
            }
        }
        (count > 0).then(|| found[rng.below(count as u32) as usize])
    }
}
