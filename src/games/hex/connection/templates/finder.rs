//! Finds shapes in front of an edge by playing them out: a search of its own, which shares nothing with the connections.

use std::collections::{BTreeSet, HashMap};

use super::Spot;
use crate::rng::Rng;

/// Columns and rows of the window in which shapes lie, a bit for each cell.
const COLUMNS: i32 = 12;
const ROWS: i32 = 5;
const FIRST_ROW: u64 = (1 << COLUMNS) - 1;
/// Own stones that a proof may take.
const DEEPEST: u32 = 9;
/// How far from the end its shape goes to the left and right, in halves of a cell.
const LEFT: i32 = -7;
const RIGHT: i32 = 6;

fn bit((column, row): Spot) -> u64 {
    1 << (row * COLUMNS + column)
}

fn spots(set: u64) -> impl Iterator<Item = Spot> {
    (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row))).filter(move |&spot| set & bit(spot) != 0)
}

/// Each cell of a set, as a set.
fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Neighbours of the cells of a set.
fn around(set: u64) -> u64 {
    let (left, right) = (column(0), column(COLUMNS - 1));
    let (to_left, to_right) = ((set & !left) >> 1, (set & !right) << 1);
    let all = (1u64 << (COLUMNS * ROWS)) - 1;
    (to_left | to_right | set << COLUMNS | to_right << COLUMNS | set >> COLUMNS | to_left >> COLUMNS) & all
}

fn column(number: i32) -> u64 {
    (0..ROWS).map(|row| bit((number, row))).sum()
}

fn flood(from: u64, within: u64) -> u64 {
    let mut all = from;
    loop {
        let more = all | around(all) & within;
        if more == all {
            return all;
        }
        all = more;
    }
}

/// A search for the proof that an end is joined to the edge: positions, and whether the owner moves, with the cells that the
/// proof needs, or the depth to which there is none.
struct Proof {
    end: u64,
    known: HashMap<(u64, u64, bool), Result<u64, u32>>,
    /// Positions that it may still look at.
    left: u32,
}

impl Proof {
    /// The fewest stones that join the end to the edge if the opponent passes; `None` if nothing does.
    fn need(&self, own: u64, empty: u64) -> Option<u32> {
        let mut all = flood(self.end, own);
        for stones in 0.. {
            if all & FIRST_ROW != 0 {
                return Some(stones);
            }
            let more = around(all) & empty & !all;
            if more == 0 {
                return None;
            }
            all = flood(all | more, own);
        }
        None
    }

    /// Cells needed to join the end with at most so many stones, if the opponent moves.
    fn holds(&mut self, own: u64, empty: u64, depth: u32) -> Option<u64> {
        let need = self.need(own, empty)?;
        if need == 0 {
            return Some(0);
        }
        self.remembered(own, empty, false, depth, need, |proof| {
            let near = around(flood(proof.end, own));
            let mut needed = proof.wins(own, empty, depth)?;
            let mut open = needed;
            while open != 0 {
                let reply = each(if open & near != 0 { open & near } else { open }).next()?;
                let other = proof.wins(own, empty & !reply, depth)?;
                needed |= other;
                open &= other;
            }
            Some(needed)
        })
    }

    /// Cells needed to join the end with at most so many stones, if the owner moves.
    fn wins(&mut self, own: u64, empty: u64, depth: u32) -> Option<u64> {
        let need = self.need(own, empty)?;
        if need == 0 {
            return Some(0);
        }
        self.remembered(own, empty, true, depth, need, |proof| {
            let reached = flood(proof.end, own | empty) & empty;
            let after = |cell: u64| Some((proof.need(own | cell, empty & !cell)?, cell));
            let mut moves: Vec<(u32, u64)> =
                each(reached).filter_map(after).filter(|&(need, _)| need < depth).collect();
            moves.sort_unstable();
            moves.into_iter().find_map(|(_, cell)| Some(proof.holds(own | cell, empty & !cell, depth - 1)? | cell))
        })
    }

    fn remembered(
        &mut self,
        own: u64,
        empty: u64,
        owner_moves: bool,
        depth: u32,
        need: u32,
        search: impl FnOnce(&mut Self) -> Option<u64>,
    ) -> Option<u64> {
        if need > depth {
            return None;
        }
        match self.known.get(&(own, empty, owner_moves)) {
            Some(&Ok(needed)) => return Some(needed),
            Some(&Err(to)) if to >= depth => return None,
            _ => {}
        }
        self.left = self.left.checked_sub(1)?;
        let needed = search(self);
        // A search that was given up says nothing of what does not hold.
        if self.left > 0 || needed.is_some() {
            self.known.insert((own, empty, owner_moves), needed.ok_or(depth));
        }
        needed
    }
}

/// The cells among `empty` that join the end to the edge if the opponent moves; `None` if nothing was found while looking at
/// so many positions.
fn joined(end: u64, own: u64, empty: u64, positions: u32) -> Option<u64> {
    let mut proof = Proof { end, known: HashMap::new(), left: positions };
    (1..=DEEPEST).find_map(|depth| proof.holds(own | end, empty, depth))
}

/// A shape: its end, own stones and needed cells.
pub(super) type Found = (Spot, Vec<Spot>, Vec<Spot>);

/// Whether the end is joined to the edge.
pub(super) fn holds((end, stones, needed): &Found, positions: u32) -> bool {
    // Into the window, with no column on its left.
    let first = stones.iter().chain(needed).map(|spot| spot.0).fold(end.0, i32::min);
    let set = |spots: &[Spot]| spots.iter().map(|&(column, row)| bit((column - first, row))).sum();
    joined(set(&[*end]), set(stones), set(needed), positions).is_some()
}

/// Shapes whose end is in one of those rows (the first is 0), with at most so many stones: what came of so many beginnings for
/// each set of stones. None of the stones can be left out, nor a cell, as far as so many positions show it.
pub(super) fn find(rows: std::ops::RangeInclusive<i32>, stones: usize, beginnings: u32, positions: u32) -> Vec<Found> {
    let mut found = BTreeSet::new();
    for row in rows {
        let mut rng = Rng::new(1);
        let end = (COLUMNS / 2, row);
        let from_end = |(column, other): Spot| 2 * (column - end.0) - (other - row);
        let all: Vec<Spot> = (0..ROWS.min(row + 2))
            .flat_map(|row| (0..COLUMNS).map(move |column| (column, row)))
            .filter(|&spot| spot != end && (LEFT..=RIGHT).contains(&from_end(spot)))
            .collect();
        // Mirrored shapes have their stones on the left.
        let places: Vec<Spot> = all.iter().copied().filter(|&spot| from_end(spot) >= -1).collect();
        for own in sets(&places, stones) {
            let mut carriers = BTreeSet::new();
            for _ in 0..beginnings {
                let mut between = |low: i32, high: i32| low + rng.below((high - low + 1) as u32) as i32;
                let (left, top) = (between(-6, 0), if between(0, 2) == 0 { row + 1 } else { row });
                let last = spots(own).map(from_end).max().unwrap_or(0);
                let right = between(last - 1, last + 2).max(between(0, 5));
                let mut empty = 0;
                for &spot in all.iter().filter(|&&spot| (left..=right).contains(&from_end(spot)) && spot.1 <= top) {
                    if between(0, 11) > 0 {
                        empty |= bit(spot) & !own;
                    }
                }
                carriers.extend(least(bit(end), own, empty, positions, &mut rng));
            }
            // Nor can it do without a stone, if its cell is left empty.
            let needs = |carrier: u64| {
                each(own).all(|stone| joined(bit(end), own & !stone, carrier | stone, positions).is_none())
            };
            found
                .extend(carriers.into_iter().filter(|&carrier| needs(carrier)).map(|carrier| (bit(end), own, carrier)));
        }
    }
    let shape = |(end, own, carrier): (u64, u64, u64)| {
        let end = spots(end).next().unwrap();
        (end, spots(own).collect(), spots(carrier).collect())
    };
    found.into_iter().map(shape).collect()
}

/// All sets of at most so many places.
fn sets(places: &[Spot], most: usize) -> Vec<u64> {
    let mut sets = vec![0];
    for _ in 0..most {
        let more = |&set: &u64| places.iter().map(move |&place| set | bit(place)).collect::<Vec<u64>>();
        sets = sets.iter().flat_map(more).chain([0]).collect::<BTreeSet<u64>>().into_iter().collect();
    }
    sets
}

/// A carrier that joins the end to the edge, without the cells of which so many positions show that they are not needed.
fn least(end: u64, own: u64, empty: u64, positions: u32, rng: &mut Rng) -> Option<u64> {
    let mut carrier = joined(end, own, empty, positions)?;
    let mut order: Vec<u64> = each(carrier).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last as u32 + 1) as usize);
    }
    for cell in order {
        if carrier & cell != 0 {
            carrier = joined(end, own, carrier & !cell, positions).unwrap_or(carrier);
        }
    }
    Some(carrier)
}
