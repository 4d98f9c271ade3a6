//! Ladders as KataGo reads them: which chains are caught, and which moves begin to catch them.
//!
//! The chaser must win by one atari after the other. A ko that the chaser leaves open counts for the runner.

use super::super::board::{NOWHERE, Point, Stone};
use super::chains::Chains;
use crate::game::Side;

/// Moves that are tried for one chain; where they do not suffice, it is not caught.
const MOST_MOVES: usize = 25_000;

/// A chain that is caught: in atari for good, or to be put into such an atari.
pub(super) struct Caught {
    /// A stone of it.
    pub(super) chain: Point,
    /// Moves of the opponent that catch it; none for a chain in atari.
    pub(super) moves: [Option<Point>; 2],
}

/// Replaces `caught` by all such chains.
pub(super) fn ladders(chains: &mut Chains, caught: &mut Vec<Caught>) {
    caught.clear();
    for number in 0..chains.points().len() {
        let chain = chains.points()[number];
        let Some(runner) = chains.stone(chain).side() else { continue };
        if chains.head(chain) != chain {
            continue;
        }
        let mut moves = [None; 2];
        let is_caught = match chains.liberties(chain) {
            1 => is_caught(chains, chain, runner),
            2 => {
                for (found, liberty) in moves.iter_mut().zip(chains.last_liberties(chain)) {
                    *found = Some(liberty).filter(|_| is_caught_by(chains, chain, runner, liberty));
                }
                moves != [None; 2]
            }
            _ => false,
        };
        if is_caught {
            caught.push(Caught { chain, moves });
        }
    }
}

/// Whether a chain of two liberties is caught once the chaser plays at one of them.
fn is_caught_by(chains: &mut Chains, chain: Point, runner: Side, liberty: Point) -> bool {
    let chaser = runner.opponent();
    if !chains.is_legal(liberty, chaser) {
        return false;
    }
    let before = chains.mark();
    chains.play(liberty, chaser);
    let caught = is_caught(chains, chain, runner);
    chains.take_back(before);
    caught
}

/// Whether a chain in atari is caught, the runner to move, whom no ko hinders.
fn is_caught(chains: &mut Chains, chain: Point, runner: Side) -> bool {
    let before = chains.mark();
    chains.clear_ko();
    let deepest = chains.points().len() * 3 / 2;
    let mut chase = Chase { chains, chain, runner, deepest, moves: Vec::new(), tried: 0 };
    let caught = chase.runs(chain, 0);
    chains.take_back(before);
    caught == Some(true)
}

/// The reading of one ladder. Results are `None` once too many moves were tried.
struct Chase<'a> {
    chains: &'a mut Chains,
    /// A stone of the chain that is chased.
    chain: Point,
    runner: Side,
    deepest: usize,
    /// Moves of all nodes from the root to the one that is looked at.
    moves: Vec<Point>,
    tried: usize,
}

impl Chase<'_> {
    /// Whether the chain is caught, the runner to move. `from` is one of its stones, best one near its liberties.
    fn runs(&mut self, from: Point, depth: usize) -> Option<bool> {
        if self.tried >= MOST_MOVES {
            return None;
        }
        if depth >= self.deepest {
            return Some(true);
        }
        if self.chains.liberties(from) > 1 || self.chains.ko() != NOWHERE {
            return Some(false);
        }
        let begin = self.moves.len();
        self.find_captures(begin);
        let [liberty, _] = self.chains.last_liberties(from);
        let (least, most) = self.bounds(liberty);
        if least >= 3 {
            self.moves.truncate(begin);
            return Some(false);
        }
        if self.moves.len() == begin && most <= 1 {
            return Some(true);
        }
        if !self.moves[begin..].contains(&liberty) {
            self.moves.push(liberty);
        }
        let mut caught = Some(true);
        for number in begin..self.moves.len() {
            let mv = self.moves[number];
            if self.chains.is_legal(mv, self.runner) {
                let before = self.chains.mark();
                self.chains.play(mv, self.runner);
                self.tried += 1;
                let from = if self.chains.head(mv) == self.chains.head(self.chain) { mv } else { from };
                caught = self.chases(from, depth + 1);
                self.chains.take_back(before);
                if caught != Some(true) {
                    break;
                }
            }
        }
        self.moves.truncate(begin);
        caught
    }

    /// Whether the chain is caught, the chaser to move.
    fn chases(&mut self, from: Point, depth: usize) -> Option<bool> {
        if self.tried >= MOST_MOVES {
            return None;
        }
        if depth >= self.deepest {
            return Some(true);
        }
        match self.chains.liberties(from) {
            0 | 1 => return Some(true),
            2 => {}
            _ => return Some(false),
        }
        let mut liberties = self.chains.last_liberties(from);
        let mut room = liberties.map(|liberty| self.chains.room(liberty));
        if room == [0, 0] && self.dies_between_kos(liberties) {
            return Some(true);
        }
        let mut number = 2;
        // Where the runner gets three liberties, the chaser must play; unless that takes one of them.
        if !self.chains.neighbours(liberties[0]).contains(&liberties[1]) {
            match room.map(|empty| empty >= 3) {
                [true, true] => return Some(false),
                [true, false] => number = 1,
                [false, true] => {
                    liberties.swap(0, 1);
                    number = 1;
                }
                [false, false] => {}
            }
        }
        if number == 2 {
            room = [0, 1].map(|i| 2 * room[i] + self.connections(liberties[i]));
            if room[1] > room[0] {
                liberties.swap(0, 1);
            }
        }
        let chaser = self.runner.opponent();
        for &mv in &liberties[..number] {
            if self.chains.is_legal(mv, chaser) {
                let before = self.chains.mark();
                self.chains.play(mv, chaser);
                self.tried += 1;
                let caught = self.runs(from, depth + 1);
                self.chains.take_back(before);
                if caught != Some(false) {
                    return caught;
                }
            }
        }
        Some(false)
    }

    /// Appends the moves that take a chaser's chain beside the runner's, those from `begin` on each once.
    fn find_captures(&mut self, begin: usize) {
        let enemy = Stone::of(self.runner.opponent());
        let Self { chains, moves, .. } = self;
        chains.for_each_stone(self.chain, |stone| {
            for n in chains.neighbours(stone) {
                if chains.stone(n) == enemy && chains.liberties(n) == 1 {
                    let [mv, _] = chains.last_liberties(n);
                    if !moves[begin..].contains(&mv) {
                        moves.push(mv);
                    }
                }
            }
        });
    }

    /// Bounds on the liberties of the runner's chain after a move at an empty point.
    fn bounds(&self, point: Point) -> (usize, usize) {
        let own = Stone::of(self.runner);
        let (mut room, mut captures, mut prisoners, mut kept, mut most_kept) = (0, 0, 0, 0, 0);
        for n in self.chains.neighbours(point) {
            match self.chains.stone(n) {
                Stone::Empty => room += 1,
                Stone::Border => {}
                stone if stone == own => {
                    let others = self.chains.liberties(n) - 1;
                    kept += others;
                    most_kept = others.max(most_kept);
                }
                _ if self.chains.liberties(n) == 1 => {
                    captures += 1;
                    prisoners += self.chains.stones(n);
                }
                _ => {}
            }
        }
        (captures + room.max(most_kept), room + prisoners + kept)
    }

    /// Weight of what the runner would connect with at a point, to try the better liberty first.
    fn connections(&self, point: Point) -> usize {
        let own = Stone::of(self.runner);
        let around = self.chains.neighbours(point);
        let liberties = around.iter().filter(|&&n| self.chains.stone(n) == own).map(|&n| self.chains.liberties(n));
        liberties.filter(|&number| number > 1).map(|number| 2 * number - 3).sum()
    }

    /// Whether the runner has no more than two kos, of which the chaser can take either: then one is always left open.
    fn dies_between_kos(&mut self, liberties: [Point; 2]) -> bool {
        liberties.iter().all(|&liberty| self.is_ko(liberty))
            && liberties.iter().all(|&liberty| self.liberties_after(liberty) <= 2)
            && self.chains_in_atari() == 0
    }

    /// Whether the chaser would take a single stone at that point, and nothing else, with a stone that stands alone.
    fn is_ko(&self, point: Point) -> bool {
        let own = Stone::of(self.runner);
        let mut taken = None;
        for n in self.chains.neighbours(point) {
            match self.chains.stone(n) {
                Stone::Border => {}
                stone if stone == own => {
                    if self.chains.liberties(n) == 1 && taken.replace(n).is_some() {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        taken.is_some_and(|stone| self.chains.stones(stone) == 1)
    }

    /// Liberties of the runner's chain after a move at an empty point between its stones.
    fn liberties_after(&mut self, point: Point) -> usize {
        let before = self.chains.mark();
        self.chains.play(point, self.runner);
        let liberties = self.chains.liberties(point);
        self.chains.take_back(before);
        liberties
    }

    /// Number of moves that take a chaser's chain beside the runner's.
    fn chains_in_atari(&mut self) -> usize {
        let begin = self.moves.len();
        self.find_captures(begin);
        let number = self.moves.len() - begin;
        self.moves.truncate(begin);
        number
    }
}
