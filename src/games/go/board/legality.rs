//! Consequences of a move that is not played: captures, suicide, eyes, and the hash after it.

use super::{Board, NOWHERE, Point, Stone, stone_key};
use crate::game::Side;

impl Board {
    /// Whether `side` would capture something at the empty point `point`.
    #[inline]
    pub(crate) fn captures_at(&self, point: Point, side: Side) -> bool {
        let enemy = Stone::of(side.opponent());
        self.around(point, side.opponent()) > 0
            && self.neighbours(point).iter().any(|&n| self.stone(n) == enemy && self.in_atari(n))
    }

    /// Whether a stone of `side` at the empty point would leave its chain without liberty, nothing being captured.
    #[inline]
    pub(crate) fn is_suicide(&self, point: Point, side: Side) -> bool {
        if self.empty_around(point) > 0 {
            return false;
        }
        let own = Stone::of(side);
        self.neighbours(point).iter().all(|&n| match self.stone(n) {
            Stone::Border => true,
            stone => (stone == own) == self.in_atari(n),
        })
    }

    /// Legal by simple ko and without suicide: what playouts want.
    #[inline]
    pub(crate) fn is_playable(&self, point: Point, side: Side) -> bool {
        self.empty_around(point) > 0 || (point != self.ko && !self.is_suicide(point, side))
    }

    /// Whether the empty point is a real eye of `side`: surrounded by its stones, and the corners cannot be broken.
    #[inline]
    pub(crate) fn is_eye(&self, point: Point, side: Side) -> bool {
        if self.around(point, side) < 4 {
            return false;
        }
        let enemy = Stone::of(side.opponent());
        let mut enemies = 0;
        let mut border = false;
        for d in self.diagonals(point) {
            match self.stone(d) {
                Stone::Border => border = true,
                stone => enemies += usize::from(stone == enemy),
            }
        }
        enemies + usize::from(border) < 2
    }

    /// The hash after a move at an empty point (suicide included).
    pub(crate) fn hash_after(&self, point: Point, side: Side) -> u64 {
        let mut hash = self.hash ^ stone_key(point, side);
        let enemy = Stone::of(side.opponent());
        let mut taken = [NOWHERE; 4];
        let mut count = 0;
        for n in self.neighbours(point) {
            if self.stone(n) == enemy && self.in_atari(n) && !taken[..count].contains(&self.chain(n)) {
                taken[count] = self.chain(n);
                count += 1;
                self.for_each_stone(n, |s| hash ^= stone_key(s, side.opponent()));
            }
        }
        if count == 0 && self.is_suicide(point, side) {
            hash ^= stone_key(point, side);
            for n in self.neighbours(point) {
                if self.stone(n) == Stone::of(side) && !taken[..count].contains(&self.chain(n)) {
                    taken[count] = self.chain(n);
                    count += 1;
                    self.for_each_stone(n, |s| hash ^= stone_key(s, side));
                }
            }
        }
        hash
    }
}
