//! Values of games under normal play in canonical form (Conway 1976; Siegel 2013, chapter II): equal games have the same number.

use std::rc::Rc;

use super::key::{Key, scramble};
use crate::game::Side;
use crate::search::map::KeyMap;

/// Number of a value; [`ZERO`] is that of zero.
pub(super) type Id = u32;
/// Nobody can move, or the same as if: whoever is to move loses.
pub(super) const ZERO: Id = 0;

/// The options of each side, in order of numbers.
type Form = [Rc<[Id]>; 2];

/// The winner of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// The side that is not to move wins: it is zero.
    Zero,
    /// This side, whoever begins.
    For(Side),
    /// The side to move wins.
    Fuzzy,
}

/// A game in canonical form.
#[derive(Debug)]
pub(super) struct Canonical {
    pub(super) options: Form,
    /// The value with sides exchanged.
    pub(super) opposite: Id,
    pub(super) class: Class,
    /// A key that all threads agree on, whatever numbers they give.
    pub(super) key: Key,
    name: u128,
}

/// All values that have come up, and what is known of them.
#[derive(Debug)]
pub(super) struct Values {
    all: Vec<Canonical>,
    ids: KeyMap<Form, Id>,
    at_most: KeyMap<(Id, Id), bool>,
    sums: KeyMap<(Id, Id), Id>,
}

impl Values {
    pub(super) fn new() -> Self {
        let mut values =
            Self { all: Vec::new(), ids: KeyMap::default(), at_most: KeyMap::default(), sums: KeyMap::default() };
        values.number([Rc::default(), Rc::default()]);
        values
    }

    pub(super) fn get(&self, id: Id) -> &Canonical {
        &self.all[id as usize]
    }

    fn options(&self, id: Id, side: Side) -> Rc<[Id]> {
        Rc::clone(&self.get(id).options[side.index()])
    }

    /// Whether `a` is not better than `b` for a side.
    pub(super) fn at_most(&mut self, a: Id, b: Id, side: Side) -> bool {
        let (a, b) = if side == Side::First { (a, b) } else { (b, a) };
        if a == b {
            return true;
        }
        if let Some(&known) = self.at_most.get(&(a, b)) {
            return known;
        }
        // Unless `First` has a move in `a` to what `b` is at most, or `Second` one in `b` to what is at most `a`.
        let better = self.options(a, Side::First).iter().any(|&option| self.at_most(b, option, Side::First))
            || self.options(b, Side::Second).iter().any(|&option| self.at_most(option, a, Side::First));
        self.at_most.insert((a, b), !better);
        !better
    }

    /// Whether a value is not better for a side than a game with these options.
    fn at_most_form(&mut self, id: Id, form: &[Vec<Id>; 2], side: Side) -> bool {
        let other = side.opponent();
        !form[other.index()].iter().any(|&option| self.at_most(option, id, side))
            && !self.options(id, side).iter().any(|&option| self.at_least_form(option, form, side))
    }

    /// Whether a game with these options is not better for a side than a value.
    fn at_least_form(&mut self, id: Id, form: &[Vec<Id>; 2], side: Side) -> bool {
        let other = side.opponent();
        !form[side.index()].iter().any(|&option| self.at_most(id, option, side))
            && !self.options(id, other).iter().any(|&option| self.at_most_form(option, form, side))
    }

    /// The value of a game with these options.
    pub(super) fn of(&mut self, mut form: [Vec<Id>; 2]) -> Id {
        loop {
            for side in Side::BOTH {
                self.drop_dominated(&mut form[side.index()], side);
            }
            if !Side::BOTH.into_iter().any(|side| self.bypass(&mut form, side)) {
                break;
            }
        }
        self.number(form.map(Rc::from))
    }

    /// Leaves out options that are not better than another one.
    fn drop_dominated(&mut self, options: &mut Vec<Id>, side: Side) {
        options.sort_unstable();
        options.dedup();
        let mut kept: Vec<Id> = Vec::with_capacity(options.len());
        for &option in options.iter() {
            if !kept.iter().any(|&other| self.at_most(option, other, side)) {
                kept.retain(|&other| !self.at_most(other, option, side));
                kept.push(option);
            }
        }
        *options = kept;
    }

    /// Puts in place of an option to which the opponent has an answer that leaves it no worse off than before what follows
    /// that answer. Says whether there was one.
    fn bypass(&mut self, form: &mut [Vec<Id>; 2], side: Side) -> bool {
        for place in 0..form[side.index()].len() {
            let answers = self.options(form[side.index()][place], side.opponent());
            let answer = answers.iter().find(|&&answer| self.at_most_form(answer, form, side));
            if let Some(&answer) = answer {
                form[side.index()].swap_remove(place);
                form[side.index()].extend_from_slice(&self.get(answer).options[side.index()]);
                return true;
            }
        }
        false
    }

    /// The number of a canonical form; a new one gets two, one for its opposite.
    fn number(&mut self, form: Form) -> Id {
        if let Some(&id) = self.ids.get(&form) {
            return id;
        }
        let exchanged = |options: &[Id]| {
            let mut opposites: Vec<Id> = options.iter().map(|&id| self.get(id).opposite).collect();
            opposites.sort_unstable();
            Rc::from(opposites)
        };
        let opposite = [exchanged(&form[1]), exchanged(&form[0])];
        let names = [self.name(&form), self.name(&opposite)];
        let id = self.all.len() as Id;
        if form == opposite {
            self.add(form, names, id);
        } else {
            self.add(form, names, id + 1);
            self.add(opposite, [names[1], names[0]], id);
        }
        id
    }

    fn add(&mut self, form: Form, names: [u128; 2], opposite: Id) {
        let id = self.all.len() as Id;
        let (key, name) = (if id == ZERO { Key::default() } else { Key::new(names) }, names[0]);
        self.ids.insert(form.clone(), id);
        self.all.push(Canonical { options: form, opposite, class: Class::Zero, key, name });
        let [low, high] = Side::BOTH.map(|side| self.at_most(id, ZERO, side));
        self.all[id as usize].class = match (low, high) {
            (true, true) => Class::Zero,
            (false, true) => Class::For(Side::First),
            (true, false) => Class::For(Side::Second),
            (false, false) => Class::Fuzzy,
        };
    }

    /// A name that tells a form from all others.
    fn name(&self, form: &Form) -> u128 {
        let sum = |side: Side| {
            let names = form[side.index()].iter().map(|&id| scramble(self.get(id).name));
            // Not from 0, which is its own image.
            names.fold(1_u128 + side.index() as u128, u128::wrapping_add)
        };
        scramble(sum(Side::First) ^ scramble(sum(Side::Second)))
    }

    /// The value of two games beside each other.
    pub(super) fn sum(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        if a == ZERO || self.get(a).opposite == b {
            return if a == ZERO { b } else { ZERO };
        }
        if let Some(&known) = self.sums.get(&(a, b)) {
            return known;
        }
        let form = Side::BOTH.map(|side| {
            let mut options = Vec::new();
            for (moved, other) in [(a, b), (b, a)] {
                options.extend(self.options(moved, side).iter().map(|&option| self.sum(option, other)));
            }
            options
        });
        let sum = self.of(form);
        self.sums.insert((a, b), sum);
        sum
    }
}
