//! Solves sums of parts in games that are lost by who cannot move: depth first, with one table for all threads.
//!
//! Small parts are replaced by their values, of which equal ones are the same part and the opposite ones leave nothing;
//! a value has the moves only that matter (Conway 1976). A sum of values that all favour one side is decided at sight. So is
//! one with a move to a sum that the table says the opponent loses: this is asked of all moves before any is searched.

mod key;
mod table;
mod values;

use std::mem;
use std::time::Duration;

use super::Stop;
use super::crew::Crew;
use super::depth_first::{self, DepthRun, NodeCount, Progress};
use super::map::KeyMap;
use crate::game::{self, Part, PartOptions, Side};
use key::Key;
use table::OutcomeTable;
use values::{Class, Id, Values, ZERO};

/// Parts with so many moves at most, one after the other, are replaced by their values. More leave fewer states, and values take
/// longer: of Clobber on 5×5, 7 leave 2.4 million, 9 leave 1.6 million, and 11 a million in three times the time.
const VALUED: usize = 9;
/// Noise in the order of moves, in replies, by which threads differ.
const NOISE: u64 = 4;

/// A solver with its table, which is kept from sum to sum.
#[derive(Debug)]
pub struct SumSolver {
    table: OutcomeTable,
}

/// One of a sum's parts.
#[derive(Clone, Copy, Debug)]
enum Term<P> {
    Value(Id),
    Part(P, [u128; 2]),
}

/// A position: its parts that are too large for their values to be known, and values in order of their numbers.
#[derive(Clone, Debug)]
struct Sum<P> {
    parts: Vec<(P, [u128; 2])>,
    values: Vec<Id>,
    key: Key,
}

/// A move that is not decided.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// Key of the sum that it leaves.
    key: Key,
    seen: u128,
    /// Replies that it leaves, about: the fewer, the sooner it is tried.
    order: u32,
    /// Where it is made, and where among all moves' terms those are that it leaves there.
    place: Place,
    left: (usize, usize),
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Value(usize),
    Part(usize),
}

/// Buffers of one depth.
#[derive(Debug)]
struct Level<P> {
    sum: Sum<P>,
    moves: Vec<Move>,
    left: Vec<Term<P>>,
    options: PartOptions<P>,
}

/// A thread.
struct Worker<'a, P> {
    table: &'a OutcomeTable,
    count: NodeCount<'a>,
    values: Values,
    /// Values of small parts, by name.
    known: KeyMap<u128, Id>,
    levels: Vec<Level<P>>,
}

impl<P> Default for Sum<P> {
    fn default() -> Self {
        Self { parts: Vec::new(), values: Vec::new(), key: Key::default() }
    }
}

impl<P> Default for Level<P> {
    fn default() -> Self {
        Self { sum: Sum::default(), moves: Vec::new(), left: Vec::new(), options: PartOptions::default() }
    }
}

impl<P: Part> Sum<P> {
    fn add(&mut self, term: Term<P>, values: &Values) {
        match term {
            Term::Value(id) => match self.values.binary_search(&values.get(id).opposite) {
                Ok(place) => _ = self.values.remove(place),
                Err(_) => self.values.insert(self.values.partition_point(|&other| other < id), id),
            },
            Term::Part(part, names) => match self.parts.iter().position(|(_, [name, _])| *name == names[1]) {
                Some(place) => _ = self.parts.swap_remove(place),
                None => self.parts.push((part, names)),
            },
        }
    }
}

impl SumSolver {
    /// A solver with at most `mib` MiB of table. Values take some hundred bytes a small part beside it, for
    /// each thread.
    pub fn new(mib: usize) -> Self {
        Self { table: OutcomeTable::new(mib) }
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Whether that side wins the sum of the parts if it is to move, or `None` if this was stopped or took too long; and the
    /// number of sums that were looked at.
    pub fn solve<'a, P: Part>(
        &self,
        parts: &[P],
        to_move: Side,
        crew: impl Into<Crew<'a>>,
        time: Option<Duration>,
        stop: &Stop,
        on_progress: &mut dyn FnMut(Progress),
    ) -> (Option<bool>, u64) {
        let work = |count: NodeCount<'_>| Worker::new(&self.table, count).solve(parts, to_move);
        let (won, nodes) = depth_first::solve(crew.into(), time, stop, on_progress, &work);
        (won.into_iter().fold(None, Option::or), nodes)
    }

    /// Whether that side wins the sum if it is to move, as far as the table knows.
    pub fn known<P: Part>(&self, parts: &[P], to_move: Side) -> Option<bool> {
        let stop = Stop::new();
        let run = DepthRun::alone(&stop);
        let mut worker = Worker::new(&self.table, NodeCount::new(&run, 0));
        let sum = worker.sum(parts);
        worker.at_sight(&sum, to_move)
    }

    /// A move after which the opponent loses, as far as the table knows.
    pub fn winning_move<G: game::Sum>(&self, position: &G) -> Option<G::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().find(|&mv| {
            let mut child = position.clone();
            child.play(mv);
            self.known(&child.parts(), child.to_move()) == Some(false)
        })
    }
}

impl<'a, P: Part> Worker<'a, P> {
    fn new(table: &'a OutcomeTable, count: NodeCount<'a>) -> Self {
        Self { table, count, values: Values::new(), known: KeyMap::default(), levels: Vec::new() }
    }

    fn solve(&mut self, parts: &[P], side: Side) -> Option<bool> {
        let sum = self.sum(parts);
        self.level(0).sum = sum;
        let won = self.wins(0, side);
        self.count.tell();
        won
    }

    fn level(&mut self, depth: usize) -> &mut Level<P> {
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Level::default);
        }
        &mut self.levels[depth]
    }

    fn sum(&mut self, parts: &[P]) -> Sum<P> {
        let mut sum = Sum::default();
        for part in parts {
            if let Some(term) = self.term(part) {
                sum.key = sum.key.plus(self.key(&term));
                sum.add(term, &self.values);
            }
        }
        sum
    }

    /// The term for a part, unless its value is zero.
    fn term(&mut self, part: &P) -> Option<Term<P>> {
        let names = part.names();
        if part.length() > VALUED {
            return Some(Term::Part(part.clone(), names));
        }
        let value = self.value(part, names);
        (value != ZERO).then_some(Term::Value(value))
    }

    /// The value of a part.
    fn value(&mut self, part: &P, [name, opposite]: [u128; 2]) -> Id {
        if let Some(&value) = self.known.get(&name) {
            return value;
        }
        let form = Side::BOTH.map(|side| {
            let mut options = PartOptions::default();
            part.options(side, &mut options);
            let sum = |parts: &[P]| {
                parts.iter().fold(ZERO, |sum, part| {
                    let value = self.value(part, part.names());
                    self.values.sum(sum, value)
                })
            };
            options.iter().map(sum).collect()
        });
        let value = self.values.of(form);
        self.known.insert(name, value);
        self.known.insert(opposite, self.values.get(value).opposite);
        value
    }

    fn key(&self, term: &Term<P>) -> Key {
        match term {
            Term::Value(id) => self.values.get(*id).key,
            Term::Part(_, names) => Key::new(*names),
        }
    }

    /// Number of a side's moves in a term.
    fn moves(&self, term: &Term<P>, side: Side) -> u32 {
        match term {
            Term::Value(id) => self.values.get(*id).options[side.index()].len() as u32,
            Term::Part(part, _) => part.moves(side),
        }
    }

    /// Whether the side to move wins, if that needs no search.
    fn at_sight(&self, sum: &Sum<P>, side: Side) -> Option<bool> {
        let favours = |wanted| sum.values.iter().filter(|&&id| self.values.get(id).class == wanted).count();
        if sum.parts.is_empty() {
            let (own, other) = (favours(Class::For(side)), favours(Class::For(side.opponent())));
            match (own, other, sum.values.len() - own - other) {
                // It moves to what favours it, or to nothing, where that is open, and is ahead then with the opponent to move.
                (1.., 0, 0) | (_, 0, 1) => return Some(true),
                (0, _, 0) => return Some(false),
                _ => {}
            }
        }
        self.table.get(sum.key.to_move(side))
    }

    /// Whether the side to move wins the sum at that depth; `None` if the search was stopped.
    fn wins(&mut self, depth: usize, side: Side) -> Option<bool> {
        let mut level = mem::take(self.level(depth));
        let won = self.at_sight(&level.sum, side).or_else(|| {
            let won = self.search(depth, side, &mut level)?;
            self.table.put(level.sum.key.to_move(side), won);
            Some(won)
        });
        self.levels[depth] = level;
        won
    }

    fn search(&mut self, depth: usize, side: Side, level: &mut Level<P>) -> Option<bool> {
        if self.count.is_over() {
            return None;
        }
        if self.look(side, level) {
            return Some(true);
        }
        level.moves.sort_unstable_by_key(|mv| mv.order);
        for &mv in &level.moves {
            // Made of this one, in the room that there is.
            let mut below = mem::take(&mut self.level(depth + 1).sum);
            below.parts.clone_from(&level.sum.parts);
            below.values.clone_from(&level.sum.values);
            below.key = mv.key;
            match mv.place {
                Place::Value(place) => _ = below.values.remove(place),
                Place::Part(place) => _ = below.parts.swap_remove(place),
            }
            for term in &level.left[mv.left.0..mv.left.1] {
                below.add(term.clone(), &self.values);
            }
            self.levels[depth + 1].sum = below;
            if !self.wins(depth + 1, side.opponent())? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Writes down the moves that are not known to lose. Says whether one is known to win.
    fn look(&mut self, side: Side, level: &mut Level<P>) -> bool {
        let Level { sum, moves, left, options } = level;
        moves.clear();
        left.clear();
        let opponent = side.opponent();
        let values = sum.values.iter().map(|&id| self.moves(&Term::Value(id), opponent));
        let replies = values.chain(sum.parts.iter().map(|(part, _)| part.moves(opponent))).sum::<u32>();
        for (place, &id) in sum.values.iter().enumerate() {
            if place > 0 && sum.values[place - 1] == id {
                continue;
            }
            let term = Term::Value(id);
            let rest = (sum.key.minus(self.key(&term)), replies - self.moves(&term, opponent));
            for number in 0..self.values.get(id).options[side.index()].len() {
                let option = self.values.get(id).options[side.index()][number];
                let from = left.len();
                left.extend((option != ZERO).then_some(Term::Value(option)));
                if self.consider(rest, Place::Value(place), from, opponent, left, moves) {
                    return true;
                }
            }
        }
        for (place, (part, names)) in sum.parts.iter().enumerate() {
            let rest = (sum.key.minus(Key::new(*names)), replies - part.moves(opponent));
            options.clear();
            part.options(side, options);
            for parts in options.iter() {
                let from = left.len();
                left.extend(parts.iter().filter_map(|part| self.term(part)));
                if self.consider(rest, Place::Part(place), from, opponent, left, moves) {
                    return true;
                }
            }
        }
        false
    }

    /// Takes a move that leaves the terms from there on, beside the rest of the sum with its key and replies, if it is a new
    /// one that is not known to lose. Says whether it is known to win.
    fn consider(
        &self,
        (rest, replies): (Key, u32),
        place: Place,
        from: usize,
        opponent: Side,
        left: &mut Vec<Term<P>>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let terms = &left[from..];
        let key = terms.iter().fold(rest, |key, term| key.plus(self.key(term)));
        let seen = key.to_move(opponent);
        let known = if key == Key::default() { Some(false) } else { self.table.get(seen) };
        if known.is_none() && moves.iter().all(|other| other.seen != seen) {
            let replies = replies + terms.iter().map(|term| self.moves(term, opponent)).sum::<u32>();
            let order = replies + self.count.noise(|| seen as u64, NOISE) as u32;
            moves.push(Move { key, seen, order, place, left: (from, left.len()) });
        } else {
            left.truncate(from);
        }
        known == Some(false)
    }
}

#[cfg(test)]
mod tests;
