//! Areas as KataGo counts them at once, nothing agreed on: what is alive by Benson's rule, what one side surrounds, and stones.

use super::super::board::{NOWHERE, Point, Stone};
use super::chains::Chains;
use crate::game::Side;

/// Owner of each place: [`Stone::First`], [`Stone::Second`], or [`Stone::Empty`] for nobody. With `suicide`, what is alive must
/// be so where chains may be given up; with `tax`, points in seki are nobody's.
pub(super) fn areas(chains: &Chains, suicide: bool, tax: bool) -> Vec<Stone> {
    let mut owners = vec![Stone::Empty; chains.places()];
    for side in Side::BOTH {
        Regions::of(chains, side, suicide).claim(chains, Stone::of(side), &mut owners);
    }
    for &point in chains.points() {
        if owners[usize::from(point)] == Stone::Empty {
            owners[usize::from(point)] = chains.stone(point);
        }
    }
    if tax {
        leave_out_seki(chains, &mut owners);
    }
    owners
}

/// A connected part of the board without stones of a side.
struct Region {
    /// Where its points begin and end in the list of all.
    points: std::ops::Range<usize>,
    /// Chains of the side that have all (empty) points of it for liberties, and how many they are.
    vital: [Point; 4],
    vitals: usize,
    /// Points that are not beside a stone of the side.
    inner: usize,
    /// Whether there are stones of the opponent in it.
    invaded: bool,
    /// Whether it borders a chain that is not alive by itself.
    open: bool,
}

/// All such parts that have an empty point.
struct Regions {
    regions: Vec<Region>,
    points: Vec<Point>,
    /// Region of each place.
    region: Vec<u16>,
    /// Chains of the side, those first that are not alive by themselves.
    heads: Vec<Point>,
    dead: usize,
}

const NO_REGION: u16 = u16::MAX;

impl Regions {
    fn of(chains: &Chains, side: Side, suicide: bool) -> Self {
        let own = Stone::of(side);
        let is_head = |&point: &Point| chains.stone(point) == own && chains.head(point) == point;
        let heads = chains.points().iter().copied().filter(is_head).collect();
        let region = vec![NO_REGION; chains.places()];
        let mut all =
            Self { regions: Vec::new(), points: Vec::with_capacity(chains.points().len()), region, heads, dead: 0 };
        for &point in chains.points() {
            if chains.stone(point) == Stone::Empty && all.region[usize::from(point)] == NO_REGION {
                all.grow(chains, own, suicide, point);
            }
        }
        all.sort_out(chains, own);
        all
    }

    /// Adds the region of an empty point.
    fn grow(&mut self, chains: &Chains, own: Stone, suicide: bool, start: Point) {
        let number = self.regions.len() as u16;
        let begin = self.points.len();
        self.points.push(start);
        self.region[usize::from(start)] = number;
        let (mut vital, mut vitals) = chains_beside(chains, own, start);
        let (mut inner, mut invaded) = (0, false);
        let mut done = begin;
        while let Some(&point) = self.points.get(done) {
            done += 1;
            let mut bordered = false;
            for n in chains.neighbours(point) {
                match chains.stone(n) {
                    Stone::Border => {}
                    stone if stone == own => bordered = true,
                    _ if self.region[usize::from(n)] == NO_REGION => {
                        self.region[usize::from(n)] = number;
                        self.points.push(n);
                    }
                    _ => {}
                }
            }
            let empty = chains.stone(point) == Stone::Empty;
            inner += usize::from(!bordered);
            invaded |= !empty;
            if vitals > 0 && (suicide || empty) {
                let (beside, count) = chains_beside(chains, own, point);
                let mut kept = 0;
                for i in 0..vitals {
                    if beside[..count].contains(&vital[i]) {
                        vital[kept] = vital[i];
                        kept += 1;
                    }
                }
                vitals = kept;
            }
        }
        let points = begin..self.points.len();
        self.regions.push(Region { points, vital, vitals, inner, invaded, open: false });
    }

    /// Finds the chains that have no two vital regions of which no other chain is such a one (Benson).
    fn sort_out(&mut self, chains: &Chains, own: Stone) {
        let mut eyes = vec![0u16; chains.places()];
        for region in &self.regions {
            for &head in &region.vital[..region.vitals] {
                eyes[usize::from(head)] += 1;
            }
        }
        loop {
            let before = self.dead;
            for number in before..self.heads.len() {
                let head = self.heads[number];
                if eyes[usize::from(head)] >= 2 {
                    continue;
                }
                self.heads.swap(number, self.dead);
                self.dead += 1;
                chains.for_each_stone(head, |stone| {
                    for n in chains.neighbours(stone) {
                        if chains.stone(n) == own || self.region[usize::from(n)] == NO_REGION {
                            continue;
                        }
                        let region = &mut self.regions[usize::from(self.region[usize::from(n)])];
                        if !std::mem::replace(&mut region.open, true) {
                            for &vital in &region.vital[..region.vitals] {
                                eyes[usize::from(vital)] -= 1;
                            }
                        }
                    }
                });
            }
            if self.dead == before {
                break;
            }
        }
    }

    /// Gives the side what is its own: what is alive for good even if the other side owned it.
    fn claim(&self, chains: &Chains, own: Stone, owners: &mut [Stone]) {
        for &head in &self.heads[self.dead..] {
            chains.for_each_stone(head, |stone| owners[usize::from(stone)] = own);
        }
        if self.heads.is_empty() {
            return;
        }
        for region in &self.regions {
            let safe = !region.open && (region.inner <= 1 || !region.invaded);
            if safe || !region.invaded {
                for &point in &self.points[region.points.clone()] {
                    let owner = &mut owners[usize::from(point)];
                    if safe || *owner == Stone::Empty {
                        *owner = own;
                    }
                }
            }
        }
    }
}

/// Chains of one colour beside a point, each once, and how many they are.
#[inline]
fn chains_beside(chains: &Chains, own: Stone, point: Point) -> ([Point; 4], usize) {
    let mut heads = [NOWHERE; 4];
    let mut count = 0;
    for n in chains.neighbours(point) {
        if chains.stone(n) == own && !heads[..count].contains(&chains.head(n)) {
            heads[count] = chains.head(n);
            count += 1;
        }
    }
    (heads, count)
}

/// Takes the points that are not stones away from areas that are not independent: beside a point of nobody, or with a stone in atari.
fn leave_out_seki(chains: &Chains, owners: &mut [Stone]) {
    let mut dependent = vec![false; owners.len()];
    let mut found = Vec::new();
    for &point in chains.points() {
        let owner = owners[usize::from(point)];
        if owner == Stone::Empty || dependent[usize::from(point)] {
            continue;
        }
        let in_atari = chains.stone(point) == owner && chains.liberties(point) == 1;
        let neutral = |n: Point| chains.stone(n) == Stone::Empty && owners[usize::from(n)] == Stone::Empty;
        if !in_atari && !chains.neighbours(point).into_iter().any(neutral) {
            continue;
        }
        dependent[usize::from(point)] = true;
        found.push(point);
        while let Some(point) = found.pop() {
            for n in chains.neighbours(point) {
                if owners[usize::from(n)] == owner && !dependent[usize::from(n)] {
                    dependent[usize::from(n)] = true;
                    found.push(n);
                }
            }
        }
    }
    for &point in chains.points() {
        let place = usize::from(point);
        if dependent[place] && chains.stone(point) != owners[place] {
            owners[place] = Stone::Empty;
        }
    }
}
