//! Background History Reply Forest: temporal patterns, learned from the descents of the search tree and played by playouts.
//!
//! A pattern is a context (the last moves, in order) and the reply to it. Patterns form a tree in the order of time: a child
//! has one more move at its end. The *back* of a pattern is the same without its first move, so that the longest context
//! that is stored is followed move by move, like the suffix links of a suffix tree. Threads share it without locks: what
//! races lose is a visit here and there, or a pattern that the next descent makes again.
//!
//! A. Fabbri, *Dynamique d'apprentissage pour Monte Carlo Tree Search* (2015), sections 5.2 to 5.4 and annex A.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

use super::super::mean::Mean;
use crate::game::Side;
use crate::rng::Rng;

/// Place of a pattern.
pub(crate) type PatternId = u32;
/// The empty context.
pub(crate) const ROOT: PatternId = 0;
/// No pattern: the root is nobody's child.
const NONE: PatternId = 0;

/// Draws among all moves before those that suit are listed.
const TRIES: usize = 64;

/// The bit of a move among those of a pattern's children.
#[inline]
fn bit(code: Code) -> u32 {
    1 << (code.wrapping_mul(0x9e37_79b9) >> 27)
}

/// Bytes of a pattern with its two slots of the table.
const BYTES: usize = size_of::<Pattern>() + 2 * size_of::<u64>();

/// How a reply is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Draw {
    /// Weight of the exploration term.
    pub(crate) exploration: f32,
    /// Whether the empty context has replies too.
    pub(crate) from_root: bool,
    /// Whether a reply is accepted by what it was estimated as, and not by its share.
    pub(crate) by_estimate: bool,
}

/// A move by a side: `side * moves + index`.
type Code = u32;
/// Its bits in what a pattern says of its last move.
const CODE: u32 = 0xffff;

#[derive(Debug, Default)]
struct Pattern {
    /// Results for the side that plays the last move.
    results: Mean,
    /// For each move that a child has at its end the bit of that move, so that most moves that no child has are seen without
    /// the table.
    replies: AtomicU32,
    back: AtomicU32,
    first_child: AtomicU32,
    next: AtomicU32,
    /// The move that descents chose last in this context, plus 1.
    reply: AtomicU32,
    /// Number of moves, and the last of them: `size << 16 | code`.
    last: AtomicU32,
}

const _: () = assert!(size_of::<Pattern>() == 32);

impl Pattern {
    #[inline]
    fn code(&self) -> Code {
        self.last.load(Relaxed) & CODE
    }

    #[inline]
    fn size(&self) -> u32 {
        self.last.load(Relaxed) >> 16
    }
}

/// The patterns of a game.
#[derive(Debug)]
pub(crate) struct Forest {
    patterns: Box<[Pattern]>,
    /// Children by parent and move: `parent << 40 | code << 24 | child`, 0 where there is none.
    table: Box<[AtomicU64]>,
    /// Patterns of single moves, which are asked for most: by the parent's move and their own.
    pairs: Box<[AtomicU32]>,
    used: AtomicU32,
    moves: u32,
    volatile: bool,
    longest: u32,
}

impl Forest {
    /// At most so many patterns of a game with so many move indices, in at most about so many bytes, with contexts of at most
    /// `longest` moves; `None` where they leave no room for patterns. `volatile` ones remember one reply for each context, others the mean
    /// result of each reply.
    pub(crate) fn new(moves: usize, bytes: usize, most: usize, longest: u32, volatile: bool) -> Option<Self> {
        let singles = 2 * moves;
        let left = bytes.checked_sub(singles * singles * size_of::<AtomicU32>())?;
        let least = 2 * (singles + 1);
        let most = (left / BYTES).min(most.max(least));
        (most >= least).then(|| Self::of(moves, most, longest, volatile))
    }

    /// So many patterns at most.
    fn of(moves: usize, most: usize, longest: u32, volatile: bool) -> Self {
        let singles = 2 * moves;
        let forest = Self {
            patterns: (0..most).map(|_| Pattern::default()).collect(),
            table: (0..(2 * most).next_power_of_two()).map(|_| AtomicU64::new(0)).collect(),
            pairs: (0..singles * singles).map(|_| AtomicU32::new(NONE)).collect(),
            used: AtomicU32::new(singles as u32 + 1),
            moves: moves as u32,
            volatile,
            longest,
        };
        for code in 0..singles as u32 {
            forest.get(1 + code).last.store(1 << 16 | code, Relaxed);
        }
        forest
    }

    #[inline]
    fn get(&self, id: PatternId) -> &Pattern {
        &self.patterns[id as usize]
    }

    #[inline]
    fn back(&self, id: PatternId) -> PatternId {
        self.get(id).back.load(Relaxed)
    }

    #[inline]
    fn code(&self, side: Side, index: u32) -> Code {
        side.index() as u32 * self.moves + index
    }

    #[inline]
    fn slot(&self, parent: PatternId, code: Code) -> usize {
        let key = u64::from(parent) << 16 | u64::from(code);
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & (self.table.len() - 1)
    }

    /// Where the child of a single move stands among the pairs.
    #[inline]
    fn pair(&self, parent: PatternId, code: Code) -> Option<&AtomicU32> {
        let singles = 2 * self.moves;
        (parent <= singles).then(|| &self.pairs[((parent - 1) * singles + code) as usize])
    }

    #[inline]
    fn child(&self, parent: PatternId, code: Code) -> Option<PatternId> {
        if parent == ROOT {
            return Some(1 + code);
        }
        if let Some(pair) = self.pair(parent, code) {
            return Some(pair.load(Acquire)).filter(|&id| id != NONE);
        }
        if self.get(parent).replies.load(Relaxed) & bit(code) == 0 {
            return None;
        }
        let key = u64::from(parent) << 16 | u64::from(code);
        let mut slot = self.slot(parent, code);
        loop {
            let entry = self.table[slot].load(Acquire);
            if entry == 0 {
                return None;
            }
            if entry >> 24 == key {
                return Some(entry as PatternId & 0xff_ffff);
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
    }

    /// The longest pattern that is stored and ends with the moves of `id` and that one.
    #[inline]
    pub(crate) fn progress(&self, mut id: PatternId, side: Side, index: u32) -> PatternId {
        let code = self.code(side, index);
        loop {
            if let Some(child) = self.child(id, code) {
                return child;
            }
            id = self.back(id);
        }
    }

    /// Makes a pattern of `father` and a move that it has not, at the longest context that allows it: the one whose back
    /// has the move already. Returns that context and the pattern, or where memory or `longest` end, the longest there is.
    fn create(&self, mut father: PatternId, code: Code) -> (PatternId, PatternId) {
        loop {
            let shorter = self.back(father);
            if let Some(back) = self.child(shorter, code) {
                let size = self.get(father).size();
                let made = if size <= self.longest { self.insert(father, code, back, size + 1) } else { None };
                return made.map_or((shorter, back), |id| (father, id));
            }
            father = shorter;
        }
    }

    fn insert(&self, father: PatternId, code: Code, back: PatternId, size: u32) -> Option<PatternId> {
        if self.used.load(Relaxed) as usize >= self.patterns.len() {
            return None;
        }
        let id = self.used.fetch_add(1, Relaxed);
        let pattern = self.patterns.get(id as usize)?;
        pattern.last.store(size << 16 | code, Relaxed);
        pattern.back.store(back, Relaxed);
        // Another thread may be here first.
        if let Some(pair) = self.pair(father, code) {
            if let Err(first) = pair.compare_exchange(NONE, id, Release, Acquire) {
                return Some(first);
            }
        } else {
            let key = u64::from(father) << 16 | u64::from(code);
            let mut slot = self.slot(father, code);
            loop {
                match self.table[slot].compare_exchange(0, key << 24 | u64::from(id), Release, Acquire) {
                    Ok(_) => break,
                    Err(entry) if entry >> 24 == key => return Some(entry as PatternId & 0xff_ffff),
                    Err(_) => slot = (slot + 1) & (self.table.len() - 1),
                }
            }
            self.get(father).replies.fetch_or(bit(code), Release);
        }
        let first = &self.get(father).first_child;
        let mut next = first.load(Relaxed);
        loop {
            pattern.next.store(next, Relaxed);
            match first.compare_exchange_weak(next, id, Release, Relaxed) {
                Ok(_) => return Some(id),
                Err(now) => next = now,
            }
        }
    }

    /// A descent that came back with a result, in 0..=1 for `First`.
    pub(crate) fn learn(&self, descent: &[(Side, u32)], result: f32) {
        let mut id = ROOT;
        for &(side, index) in descent {
            let code = self.code(side, index);
            let (father, next) = self.child(id, code).map_or_else(|| self.create(id, code), |child| (id, child));
            if self.volatile {
                let mut context = father;
                while context != ROOT {
                    let pattern = self.get(context);
                    pattern.reply.store(index + 1, Relaxed);
                    pattern.results.add(0.0);
                    context = pattern.back.load(Relaxed);
                }
            } else {
                let value = if side == Side::First { result } else { 1.0 - result };
                let mut context = next;
                while context != ROOT {
                    let pattern = self.get(context);
                    pattern.results.add(value);
                    context = pattern.back.load(Relaxed);
                }
            }
            id = next;
        }
    }

    /// The reply that descents chose last in the longest context that has one.
    #[inline]
    pub(crate) fn last_reply(&self, mut context: PatternId) -> Option<usize> {
        while context != ROOT {
            let pattern = self.get(context);
            match pattern.reply.load(Relaxed) {
                0 => context = pattern.back.load(Relaxed),
                reply => return Some(reply as usize - 1),
            }
        }
        None
    }

    /// Draws one of a side's replies that suit in the longest context that has any, in proportion to their mean and an exploration
    /// term, and accepts it by its share, or by what it was estimated as.
    ///
    /// By its share a reply to the empty context is left out: of some dozens of replies one would be played in some dozens of times.
    #[inline]
    pub(crate) fn draw(
        &self,
        mut context: PatternId,
        side: Side,
        how: Draw,
        candidates: &mut Vec<(u32, f32, u32)>,
        rng: &mut Rng,
        suits: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        candidates.clear();
        while context != ROOT {
            let pattern = self.get(context);
            let mut child = pattern.first_child.load(Acquire);
            let mut last = self.get(child).last.load(Relaxed);
            while child != NONE {
                let reply = self.get(child);
                // The next one is fetched while this one is looked at: they lie anywhere in memory.
                let next = reply.next.load(Relaxed);
                let upcoming = self.get(next).last.load(Relaxed);
                let code = last & CODE;
                let index = if code >= self.moves { code - self.moves } else { code };
                if suits(index as usize) {
                    let (mean, visits) = reply.results.get();
                    if visits > 0 {
                        candidates.push((index, mean, visits));
                    }
                }
                (child, last) = (next, upcoming);
            }
            if !candidates.is_empty() {
                break;
            }
            context = pattern.back.load(Relaxed);
        }
        if context == ROOT && how.from_root {
            if how.exploration == 0.0 && how.by_estimate {
                return self.draw_any(side, candidates, rng, suits);
            }
            self.list_moves(side, candidates, suits);
        }
        if how.exploration > 0.0 {
            let log = (candidates.iter().map(|c| c.2 as f32).sum::<f32>()).ln();
            candidates.iter_mut().for_each(|c| c.1 += how.exploration * (log / c.2 as f32).sqrt());
        }
        drawn(candidates, how.by_estimate, rng)
    }

    /// Replies of a side to the empty context that suit.
    fn list_moves(&self, side: Side, candidates: &mut Vec<(u32, f32, u32)>, suits: impl Fn(usize) -> bool) {
        for index in 0..self.moves {
            let (mean, visits) = self.get(1 + self.code(side, index)).results.get();
            if visits > 0 && suits(index as usize) {
                candidates.push((index, mean, visits));
            }
        }
    }

    /// Draws and accepts a reply of a side to the empty context by its mean. Moves are drawn until one suits and its mean, which is
    /// at most 1, takes it: that is in proportion to the means, and most moves need not be looked at.
    fn draw_any(
        &self,
        side: Side,
        candidates: &mut Vec<(u32, f32, u32)>,
        rng: &mut Rng,
        suits: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        for _ in 0..TRIES {
            let index = rng.below(self.moves);
            let (mean, visits) = self.get(1 + self.code(side, index)).results.get();
            if visits > 0 && rng.unit() < mean && suits(index as usize) {
                return (rng.unit() < mean).then_some(index as usize);
            }
        }
        self.list_moves(side, candidates, suits);
        drawn(candidates, true, rng)
    }

    /// A new move of the game makes what was learned before it old: results count half, and if memory is half used,
    /// patterns that have none left are forgotten.
    pub(crate) fn age(&mut self) {
        let used = (*self.used.get_mut() as usize).min(self.patterns.len());
        self.patterns[..used].iter_mut().for_each(|pattern| pattern.results.halve());
        if used <= self.patterns.len() / 2 {
            return;
        }
        let fresh = Self::of(self.moves as usize, self.patterns.len(), self.longest, self.volatile);
        let mut fathers = vec![NONE; used];
        for (place, child) in self.pairs.iter_mut().enumerate() {
            fathers[*child.get_mut() as usize] = place as PatternId / (2 * self.moves) + 1;
        }
        for entry in self.table.iter_mut().map(|entry| *entry.get_mut()).filter(|&entry| entry != 0) {
            fathers[entry as usize & 0xff_ffff] = (entry >> 40) as PatternId;
        }
        // Fathers and backs stand before their patterns, and have at least as many visits.
        let mut places = vec![NONE; used];
        for (id, old) in self.patterns[..used].iter().enumerate().skip(1) {
            let single = id <= 2 * self.moves as usize;
            let place = if single { Some(id as PatternId) } else { moved(old, fathers[id], &places, &fresh) };
            if let Some(place) = place {
                places[id] = place;
                let new = fresh.get(place);
                new.results.set(&old.results);
                new.reply.store(old.reply.load(Relaxed), Relaxed);
            }
        }
        *self = fresh;
    }
}

/// One of the candidates in proportion to their estimates, if it is accepted by its own, or by its share.
#[inline]
fn drawn(candidates: &[(u32, f32, u32)], by_estimate: bool, rng: &mut Rng) -> Option<usize> {
    let sum: f32 = candidates.iter().map(|c| c.1).sum();
    let mut left = rng.unit() * sum;
    let drawn = candidates.iter().find(|c| {
        left -= c.1;
        left < 0.0
    })?;
    let whole = if by_estimate { 1.0 } else { sum };
    (rng.unit() * whole < drawn.1).then_some(drawn.0 as usize)
}

/// Makes an old pattern anew, if it still has visits.
fn moved(old: &Pattern, father: PatternId, places: &[PatternId], fresh: &Forest) -> Option<PatternId> {
    let back = places[old.back.load(Relaxed) as usize];
    let father = places[father as usize];
    (old.results.get().1 > 0 && back != NONE && father != NONE)
        .then(|| fresh.insert(father, old.code(), back, old.size()))
        .flatten()
}

#[cfg(test)]
mod tests;
