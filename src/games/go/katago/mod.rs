//! Planes of a Go position for KataGo's networks: encoding `katago-7`, the program's inputs version 7.
//!
//! "Own" is the side to move. Planes 22 to 40 are numbers of the whole position that fill a plane each.
//!
//! | plane | holds |
//! | --- | --- |
//! | 0 | 1 on the board |
//! | 1, 2 | 1 for an own stone, a stone of the opponent |
//! | 3, 4, 5 | 1 for a stone whose chain has 1, 2, 3 liberties |
//! | 6 | 1 where a ko or superko forbids the side to move to play |
//! | 9 to 13 | 1 for the last move, the one before it, and so on, as long as the sides moved in turn |
//! | 14 | 1 for a stone that a ladder catches, or can catch if the opponent of the stone begins |
//! | 15, 16 | the same on the boards one and two moves ago |
//! | 17 | 1 for an own move that begins to catch a chain of two liberties |
//! | 18, 19 | 1 for an own point, a point of the opponent, if area is counted ([`areas`]) |
//! | 22 to 26 | 1 if the last move, the one before it, and so on, was a pass |
//! | 27 | points that the rules give to the side to move, divided by 20 |
//! | 28, 29 | 1 and 0.5 by positional superko, 1 and -0.5 by situational superko |
//! | 30 | 1 if a chain of several stones may be given up by suicide |
//! | 31 | 1 if territory is counted and not area |
//! | 32, 33 | 1 if points in seki are not counted; 1 if living groups pay a tax, too |
//! | 36 | 1 if a pass now ends the game |
//! | 40 | how much half a point of komi is worth, by whether the board can be divided evenly |
//!
//! Planes 7, 8, 12 and 13 of the numbers, and others that are not named, stay 0: they tell of phases after the end of ordinary
//! play, of a button and of unequal players.

mod areas;
mod chains;
mod ladders;
#[cfg(test)]
mod tests;

use self::chains::Chains;
use self::ladders::{Caught, ladders};
use super::board::{Board, Stone};
use super::position::{Position, RECENT};
use super::rules::{Ko, Scoring, Tax};
use crate::game::{Foreign, Game, Planes};

/// The encoding's name and size.
pub(super) const ENCODING: Foreign = Foreign { name: "katago-7", planes: SPATIAL + NUMBERS, other_moves: 0 };
/// The same, with areas that are alive as if suicide were legal, whatever the rules say of it.
pub(super) const UNDER_SUICIDE: Foreign = Foreign { name: "katago-7-suicide", ..ENCODING };

const SPATIAL: usize = 22;
const NUMBERS: usize = 19;
/// Komi is told in this unit, and not beyond so many points more than the board has.
const KOMI_UNIT: f32 = 20.0;
const KOMI_BEYOND: f32 = 20.0;

/// Appends the planes of the board after that symmetry, row by row, with areas as if suicide were legal if so wanted.
pub(super) fn write(position: &Position, symmetry: usize, under_suicide: bool, planes: &mut Vec<f32>) {
    let mut page = Page::new(position, symmetry, ENCODING.planes, planes);
    page.fill(0, 1.0);
    let shown = moves_shown(position);
    for index in position.forbidden() {
        page.set(6, index);
    }
    for (age, mv) in position.recent_moves().into_iter().enumerate().take(shown) {
        match mv.point() {
            Some(index) => page.set(9 + age, index),
            None => page.fill(SPATIAL + age, 1.0),
        }
    }
    write_boards(position, shown, under_suicide, &mut page);
    write_rules(position, &mut page);
}

/// Number of the last moves that are shown. A pass that the opponent, by rules of friendly passes, need not take for the wish to
/// end the game hides them all.
fn moves_shown(position: &Position) -> usize {
    if is_friendly_pass(position) { 0 } else { position.moves_in_turn().min(RECENT) }
}

fn is_friendly_pass(position: &Position) -> bool {
    let rules = position.rules();
    position.passes() == 1 && rules.friendly_pass && rules.scoring == Scoring::Area
}

/// Planes as they are written.
pub(super) struct Page<'a> {
    planes: &'a mut [f32],
    area: usize,
    /// Where each point is seen.
    seen: Vec<u16>,
}

impl<'a> Page<'a> {
    /// Appends so many planes of zeros, which show the board after that symmetry.
    pub(super) fn new(position: &Position, symmetry: usize, count: usize, planes: &'a mut Vec<f32>) -> Self {
        let area = position.points();
        let begin = planes.len();
        planes.resize(begin + count * area, 0.0);
        let seen = (0..area).map(|index| position.point_index(index, symmetry) as u16).collect();
        Page { planes: &mut planes[begin..], area, seen }
    }

    /// Writes a 1 at a point.
    pub(super) fn set(&mut self, plane: usize, index: usize) {
        self.planes[plane * self.area + usize::from(self.seen[index])] = 1.0;
    }

    /// Writes the same number everywhere.
    pub(super) fn fill(&mut self, plane: usize, value: f32) {
        self.planes[plane * self.area..(plane + 1) * self.area].fill(value);
    }

    fn copy(&mut self, from: usize, to: usize) {
        self.planes.copy_within(from * self.area..(from + 1) * self.area, to * self.area);
    }
}

/// Planes of what is read of a board. Stones stand in the planes 1 and 2, liberties in 3 to 5.
pub(super) struct ReadPlanes {
    /// Stones that a ladder catches, or can catch.
    pub(super) caught: usize,
    /// Own moves that begin to catch a chain of two liberties.
    pub(super) catching: usize,
    /// Own area; the opponent's is next. `None` to leave them out.
    pub(super) areas: Option<usize>,
    /// Whether areas are alive as if suicide were legal.
    pub(super) under_suicide: bool,
}

/// A board with its chains, for the reading of it.
pub(super) struct Reading {
    stones: Vec<Stone>,
    chains: Chains,
    caught: Vec<Caught>,
}

impl Reading {
    pub(super) fn of(position: &Position) -> Self {
        let board = position.board();
        let stones: Vec<Stone> = (0..position.points()).map(|index| board.stone(board.point(index))).collect();
        let mut chains = Chains::new(position.size());
        chains.set(&stones, board.ko());
        Self { stones, chains, caught: Vec::new() }
    }

    /// Writes stones, liberties, ladders and areas.
    pub(super) fn write(&mut self, position: &Position, planes: &ReadPlanes, page: &mut Page<'_>) {
        let own = Stone::of(position.to_move());
        for (index, (&point, &stone)) in self.chains.points().iter().zip(&self.stones).enumerate() {
            if stone != Stone::Empty {
                page.set(if stone == own { 1 } else { 2 }, index);
                let liberties = self.chains.liberties(point);
                if liberties <= 3 {
                    page.set(2 + liberties, index);
                }
            }
        }
        if let Some(plane) = planes.areas {
            let rules = position.rules();
            let owners = areas::areas(&self.chains, rules.suicide || planes.under_suicide, rules.tax != Tax::None);
            for (index, &point) in self.chains.points().iter().enumerate() {
                match owners[usize::from(point)] {
                    Stone::Empty => {}
                    owner => page.set(if owner == own { plane } else { plane + 1 }, index),
                }
            }
        }
        let board = position.board();
        self.write_ladders(board, planes.caught, page);
        for ladder in &self.caught {
            if self.chains.stone(ladder.chain) != own {
                for mv in ladder.moves.into_iter().flatten() {
                    page.set(planes.catching, board.index(mv));
                }
            }
        }
    }

    /// Marks the chains that ladders catch.
    fn write_ladders(&mut self, board: &Board, plane: usize, page: &mut Page<'_>) {
        ladders(&mut self.chains, &mut self.caught);
        for ladder in &self.caught {
            self.chains.for_each_stone(ladder.chain, |stone| page.set(plane, board.index(stone)));
        }
    }
}

/// Writes what is on the board and was on those before it: stones, liberties, ladders, areas.
fn write_boards(position: &Position, shown: usize, under_suicide: bool, page: &mut Page<'_>) {
    let mut reading = Reading::of(position);
    let areas = Some(18).filter(|_| position.rules().scoring == Scoring::Area);
    reading.write(position, &ReadPlanes { caught: 14, catching: 17, areas, under_suicide }, page);
    for age in 0..2 {
        if age < shown {
            let ko = position.take_back(age, &mut reading.stones);
            reading.chains.set(&reading.stones, ko);
            reading.write_ladders(position.board(), 15 + age, page);
        } else {
            page.copy(14 + age, 15 + age);
        }
    }
}

/// Writes the rules, komi, and whether a pass ends the game.
fn write_rules(position: &Position, page: &mut Page<'_>) {
    let rules = position.rules();
    let most = page.area as f32 + KOMI_BEYOND;
    let komi = white_points(position) * -position.to_move().sign();
    page.fill(SPATIAL + 5, komi.clamp(-most, most) / KOMI_UNIT);
    match rules.ko {
        Ko::Simple => {}
        Ko::Positional => {
            [(6, 1.0), (7, 0.5)].into_iter().for_each(|(number, value)| page.fill(SPATIAL + number, value))
        }
        Ko::Situational => {
            [(6, 1.0), (7, -0.5)].into_iter().for_each(|(number, value)| page.fill(SPATIAL + number, value))
        }
    }
    let ends = position.passes() > 0 && !is_friendly_pass(position);
    let facts = [
        (8, rules.suicide),
        (9, rules.scoring == Scoring::Territory),
        (10, rules.tax != Tax::None),
        (11, rules.tax == Tax::All),
        (14, ends),
    ];
    for (number, _) in facts.into_iter().filter(|&(_, holds)| holds) {
        page.fill(SPATIAL + number, 1.0);
    }
    if rules.scoring == Scoring::Area {
        page.fill(SPATIAL + 18, wave(komi.clamp(-most, most), page.area));
    }
}

/// Points that White gets. Where territory is counted, each stone that was played costs a point, so that area makes up for it.
fn white_points(position: &Position) -> f32 {
    let territory = position.rules().scoring == Scoring::Territory;
    position.compensation() + if territory { position.placed_more() } else { 0.0 }
}

/// Worth of the last half point of that komi: by area, results go in steps of two where all points are somebody's.
fn wave(komi: f32, area: usize) -> f32 {
    let odd = (area % 2) as f32;
    let above = komi - (((komi - odd) / 2.0).floor() * 2.0 + odd);
    match above {
        d if d < 0.5 => d,
        d if d < 1.5 => 1.0 - d,
        d => d - 2.0,
    }
}
