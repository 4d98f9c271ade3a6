//! Descent (Cohen-Solal 2020): unbounded best-first minimax whose iterations go on to the end of the game, with
//! completion, so that the tree of a game is full of exact and of searched values to learn from.
//!
//! Written as a machine that stops whenever a state must be valued, so that one batch can serve many games.

use std::collections::HashMap;

use super::selfplay::{Lesson, Machine, Wants};
use crate::eval::net::{Answers, Network, Output};
use crate::game::{Planes, Side};
use crate::rng::Rng;
use crate::search::params::choices;
use crate::search::ubfm::table::{Action, Backed, back, compare};

choices! {
    /// What fills the tree.
    Maker;
    /// Iterations that go on to the end of the game.
    #[default]
    Descent = "descent",
    /// Those of unbounded best-first minimax, which end at the first new state.
    Ubfm = "ubfm",
}

choices! {
    /// What is learned of a game.
    Targets;
    /// All states of the tree, weighted by the logarithm of their updates (coefficiented tree learning).
    #[default]
    Weighted = "weighted",
    /// All states of the tree.
    Tree = "tree",
    /// The states of the game itself, with what was searched.
    Root = "root",
    /// The states of the game itself, with how it ended.
    Terminal = "terminal",
}

choices! {
    /// What a won game is worth, at most 1 (reinforcement heuristic); a lost one is worth as much less than nothing.
    Worth;
    /// 1.
    #[default]
    Classic = "classic",
    /// The share of a longest game's plies that are left (additive depth heuristic).
    Depth = "depth",
    /// How many times as long a longest game is, of which a quarter is taken (multiplicative depth heuristic).
    Multiplicative = "multiplicative",
    /// By how many more moves the winner could choose among in the course of the game, as a share of both sides' (cumulative mobility).
    Mobility = "mobility",
    /// By how many more pieces the winner has left, as a share of the points (presence).
    Presence = "presence",
}

choices! {
    /// How moves of a game are chosen.
    Selection;
    /// In the order of value, each with a probability between its equal share and certainty.
    #[default]
    Ordinal = "ordinal",
    /// The best one, or any.
    Greedy = "greedy",
    /// In proportion to an exponential of the value.
    Softmax = "softmax",
}

/// A state that was valued.
struct Known<G> {
    position: G,
    actions: Vec<Action>,
}

impl<G: Planes> Known<G> {
    fn side(&self) -> Side {
        self.position.to_move()
    }
}

/// How games are played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// Descents before each move.
    pub descents: u32,
    /// 0: moves are equally likely; 1: the best one is played.
    pub exploitation: f32,
    /// What fills the tree.
    pub maker: Maker,
    /// What is learned of a game.
    pub targets: Targets,
    /// What its end is worth.
    pub worth: Worth,
    /// How moves are chosen.
    pub selection: Selection,
    /// Share of the lessons that is kept, for each time that the state was updated: of 0.1, a fifth of those with two updates
    /// and all of those with ten. What was searched most is known best.
    pub keep: f32,
    /// Whether the model values states, as in the paper: all children of a new one are asked about. Otherwise it values actions.
    pub states: bool,
}

/// A game by descent: one tree for both players, until it is resolved or over.
pub struct Descent<G: Planes> {
    tree: Tree<G>,
    /// Descents before the next move.
    left: u32,
}

/// The tree of one game.
struct Tree<G: Planes> {
    states: HashMap<u64, Known<G>>,
    root: G,
    /// Where the descent that is under way has come to.
    position: G,
    /// States on the way there, and the action taken in each.
    path: Vec<(u64, usize)>,
    /// The actions there, if it is new, and the numbers of those whose values only the model can tell.
    actions: Vec<Action>,
    unknown: Vec<usize>,
    /// The positions that those lead to, for a model that values states.
    children: Vec<G>,
    /// Whether the state that the descent has come to is new.
    fresh: bool,
    /// States of the game itself, and the action played in each.
    line: Vec<(u64, usize)>,
    moves: Vec<G::Move>,
    decisive: Vec<bool>,
}

impl<G: Planes> Tree<G> {
    fn new(root: G) -> Self {
        let (position, line) = (root.clone(), Vec::new());
        Self {
            states: HashMap::new(),
            root,
            position,
            path: Vec::new(),
            actions: Vec::new(),
            unknown: Vec::new(),
            children: Vec::new(),
            fresh: false,
            line,
            moves: Vec::new(),
            decisive: Vec::new(),
        }
    }

    /// The game's position.
    fn root(&self) -> &G {
        &self.root
    }

    /// Where the descent that is under way has come to.
    fn position(&self) -> &G {
        &self.position
    }

    /// Begins a descent from the root.
    fn begin(&mut self) {
        self.position.clone_from(&self.root);
        self.path.clear();
        self.fresh = false;
    }

    /// Goes on until a state must be valued or something is backed up: the end of the game, or of UBFM the first new state.
    fn advance(&mut self, maker: Maker, rng: &mut Rng) -> Wants {
        loop {
            let key = self.position.key();
            let Some(state) = self.states.get(&key) else { return Wants::Values };
            let side = state.side();
            let backed = back(side, &state.actions);
            if backed.resolution.is_some() || self.fresh && maker == Maker::Ubfm {
                self.back_up(backed);
                return Wants::Nothing;
            }
            let open: Vec<usize> =
                (0..state.actions.len()).filter(|&i| state.actions[i].resolution.is_none()).collect();
            let best = best(&state.actions, &open, side, rng);
            let index = usize::from(state.actions[best].index);
            self.path.push((key, best));
            self.position.play(self.position.move_at(index));
        }
    }

    /// Lists the actions of the new state that the descent has come to, with what is known of them, and keeps the positions that
    /// the others lead to, where states are asked about.
    fn look(&mut self, worth: Worth, states: bool) {
        self.position.legal_moves(&mut self.moves);
        self.position.decisive(&self.moves, &mut self.decisive);
        self.unknown.clear();
        self.children.clear();
        let mut child = self.position.clone();
        let mut actions = Vec::with_capacity(self.moves.len());
        for (number, (&mv, &decisive)) in self.moves.iter().zip(&self.decisive).enumerate() {
            child.clone_from(&self.position);
            child.play(mv);
            let index = self.position.index(mv);
            let mut action = Action::valued(index as u16, child.key(), 0.0);
            if decisive && action.ends_with(&child) {
                // Exact, and here is the end as far as learning goes, though what is certain may still have to be played.
                action.length = 0;
                action.value *= self.worth(worth, &child, action.value);
            } else if let Some(known) = self.states.get(&action.child) {
                action.take(back(known.side(), &known.actions));
            } else {
                self.unknown.push(number);
                if states {
                    self.children.push(child.clone());
                }
            }
            actions.push(action);
        }
        self.actions = actions;
    }

    /// Takes the values of the actions that are unknown, seen by `First`: what is told of each by the index of its move, and by the
    /// number of its child among those that were asked about.
    fn supply(&mut self, value: impl Fn(usize, usize) -> f32) {
        for (number, &unknown) in self.unknown.iter().enumerate() {
            let action = &mut self.actions[unknown];
            action.value = value(usize::from(action.index), number);
        }
        self.fresh = true;
        let actions = std::mem::take(&mut self.actions);
        self.states.insert(self.position.key(), Known { position: self.position.clone(), actions });
    }

    /// What the end of the game at a child of the position that was asked about is worth to the winner.
    fn worth(&self, worth: Worth, end: &G, winner: f32) -> f32 {
        let plies = end.plies() as f32;
        // More plies than any game has, so that every end is worth something.
        let longest = (end.points() + 1) as f32;
        match worth {
            Worth::Classic => 1.0,
            Worth::Depth => (longest - plies).max(1.0) / longest,
            Worth::Multiplicative => (longest / (4.0 * plies)).min(1.0),
            Worth::Mobility => {
                let before = self.line.iter().chain(&self.path).filter_map(|(key, _)| self.states.get(key));
                let counts = before.map(|state| (state.side(), state.actions.len()));
                let [mut all, mut lead] = [0.0; 2];
                for (side, moves) in counts.chain([(self.position.to_move(), self.moves.len())]) {
                    all += moves as f32;
                    lead += moves as f32 * side.sign() * winner;
                }
                lead.max(1.0) / all
            }
            Worth::Presence => {
                let [first, second] = end.pieces().unwrap_or_default();
                ((f32::from(first) - f32::from(second)) * winner).max(1.0) / end.points() as f32
            }
        }
    }

    fn back_up(&mut self, mut backed: Backed) {
        while let Some((key, action)) = self.path.pop() {
            let Some(state) = self.states.get_mut(&key) else { return };
            let taken = &mut state.actions[action];
            taken.visits += 1;
            if taken.resolution.is_none() {
                taken.take(backed);
            }
            backed = back(state.side(), &state.actions);
        }
    }

    /// The certain end of the game from here, if that is known.
    fn resolved(&self) -> Option<Backed> {
        let state = self.states.get(&self.root.key())?;
        Some(back(state.side(), &state.actions)).filter(|backed| backed.resolution.is_some())
    }

    /// Plays a move by a selection in its completed form: between equal shares (`exploitation` 0) and the best one for certain
    /// (1); a resolved win always, a resolved loss only where there is nothing else.
    fn play(&mut self, selection: Selection, exploitation: f32, rng: &mut Rng) {
        let Some(state) = self.states.get(&self.root.key()) else { return };
        let (side, sign) = (state.side(), state.side().sign());
        let mut order: Vec<usize> = (0..state.actions.len()).collect();
        order.sort_by(|&a, &b| compare(side, &state.actions[b], &state.actions[a]));
        let outcome = |number: usize| f32::from(state.actions[number].resolution.unwrap_or(0)) * sign;
        let open = order.iter().filter(|&&number| outcome(number) >= 0.0).count();
        let mut chosen = order[0];
        if outcome(chosen) <= 0.0 && open > 0 {
            let values: Vec<f32> = order[..open].iter().map(|&number| state.actions[number].value * sign).collect();
            chosen = order[place(&values, selection, exploitation, rng)];
        }
        self.line.push((self.root.key(), chosen));
        self.root.play(self.root.move_at(usize::from(state.actions[chosen].index)));
    }

    /// What is to be learned of the whole tree or of the game, and how often each state was updated: what the states are worth, or
    /// else the moves whose value is exact or was searched.
    fn lessons(self, targets: Targets, of_states: bool) -> Vec<(u32, Lesson<G>)> {
        // A game that is played to its end went there by an action that the state before it knows.
        let last = self.line.last().and_then(|&(key, action)| Some(self.states.get(&key)?.actions[action].value));
        let end = self.resolved().map(|backed| backed.value).or(last).unwrap_or(0.0);
        let mut states = self.states;
        let mut keys: Vec<(u64, Option<usize>)> = match targets {
            Targets::Weighted | Targets::Tree => states.keys().map(|&key| (key, None)).collect(),
            Targets::Root => self.line.iter().map(|&(key, _)| (key, None)).collect(),
            Targets::Terminal => self.line.iter().map(|&(key, action)| (key, Some(action))).collect(),
        };
        keys.sort_unstable();
        let mut lessons = Vec::with_capacity(keys.len());
        for (key, played) in keys {
            let Some(state) = states.remove(&key) else { continue };
            let (side, sign) = (state.side(), state.side().sign());
            let updates = state.actions.iter().map(|action| action.visits).sum();
            if of_states {
                let value = if played.is_some() { end } else { back(side, &state.actions).value };
                let weight = if targets == Targets::Weighted { weight(updates) } else { 1.0 };
                let (value, weight) = (Some(value * sign), Some(weight));
                let (position, actions) = (state.position, Vec::new());
                lessons.push((updates, Lesson { position, actions, value, weight, end: None }));
                continue;
            }
            let mut actions = Vec::new();
            for (number, action) in state.actions.iter().enumerate() {
                let value = match played {
                    Some(played) => (played == number).then_some(end),
                    None => (action.resolution.is_some() || action.visits > 0).then_some(action.value),
                };
                let place = state.position.action_index(state.position.move_at(usize::from(action.index)), 0);
                let weight = if targets == Targets::Weighted { weight(action.visits) } else { 1.0 };
                if let (Some(value), Some(place)) = (value, place) {
                    actions.push((place, value * sign, weight));
                }
            }
            if !actions.is_empty() {
                let position = state.position;
                lessons.push((updates, Lesson { position, actions, value: None, weight: None, end: None }));
            }
        }
        lessons
    }
}

/// What a game is worth that goes on by chance from there: nothing is known as well as how it ends.
fn ended<G: Planes>(mut position: G, rng: &mut Rng) -> Lesson<G> {
    let (mut moves, mut outcome) = (Vec::new(), position.outcome());
    while outcome.is_none() {
        position.legal_moves(&mut moves);
        position.play(moves[rng.below(moves.len() as u32) as usize]);
        outcome = position.outcome();
    }
    let value = outcome.map(|outcome| outcome.value * position.to_move().sign());
    Lesson { position, actions: Vec::new(), value, weight: Some(1.0), end: None }
}

/// Chooses among values in falling order, of which none is certain to win or to lose.
fn place(values: &[f32], selection: Selection, exploitation: f32, rng: &mut Rng) -> usize {
    match selection {
        Selection::Ordinal => {
            let count = values.len();
            let taken =
                |place: usize, rng: &mut Rng| rng.unit() < exploitation + (1.0 - exploitation) / (count - place) as f32;
            (0..count).find(|&place| taken(place, rng)).unwrap_or(count - 1)
        }
        Selection::Greedy => {
            if rng.unit() < exploitation {
                0
            } else {
                rng.below(values.len() as u32) as usize
            }
        }
        Selection::Softmax => {
            // From equal shares to the best one: the inverse temperature grows without bound.
            let inverse = exploitation / (1.0 - exploitation).max(1e-3);
            let shares = values.iter().map(|value| ((value - values[0]) * inverse).exp());
            let mut left = rng.unit() * shares.clone().sum::<f32>();
            let stop = |share: f32| {
                left -= share;
                left < 0.0
            };
            shares.map(stop).position(|stop| stop).unwrap_or(0)
        }
    }
}

impl<G: Planes> Machine for Descent<G> {
    type G = G;
    type Settings = Settings;

    fn new(start: G) -> Self {
        Self { tree: Tree::new(start), left: 0 }
    }

    fn positions(&self) -> &[G] {
        if self.tree.children.is_empty() { std::slice::from_ref(&self.tree.position) } else { &self.tree.children }
    }

    fn advance(&mut self, settings: &Settings, rng: &mut Rng) -> Wants {
        loop {
            while self.left > 0 && self.tree.advance(settings.maker, rng) == Wants::Values {
                self.tree.look(settings.worth, settings.states);
                if !self.tree.unknown.is_empty() {
                    return Wants::Values;
                }
                self.tree.supply(|_, _| 0.0);
            }
            self.left = self.left.saturating_sub(1);
            // A game that is resolved has nothing left to learn from.
            if self.tree.resolved().is_some() {
                return Wants::Nothing;
            }
            if self.left == 0 {
                self.tree.play(settings.selection, settings.exploitation, rng);
                if self.tree.root().outcome().is_some() {
                    return Wants::Nothing;
                }
                self.left = settings.descents.max(1);
            }
            self.tree.begin();
        }
    }

    fn supply(&mut self, settings: &Settings, network: &Network, answers: &Answers, first: usize) {
        let position = self.tree.position().clone();
        let sign = position.to_move().sign();
        if settings.states {
            let mut values: Vec<f32> = Vec::with_capacity(self.tree.children.len());
            for (number, child) in self.tree.children.iter().enumerate() {
                let value = network.centred(answers.get(first + number, Output::Value)[0]);
                values.push((value * child.to_move().sign()).clamp(-1.0, 1.0));
            }
            self.tree.supply(|_, number| values[number]);
        } else {
            let values = answers.get(first, Output::Actions);
            self.tree.supply(|index, _| {
                let place = position.action_index(position.move_at(index), 0);
                place.map_or(0.0, |place| network.centred(values[place]) * sign)
            });
        }
    }

    fn lessons(self, settings: &Settings, rng: &mut Rng) -> Vec<Lesson<G>> {
        // The few states of the game itself are all kept.
        let all = matches!(settings.targets, Targets::Root | Targets::Terminal);
        let mut lessons = self.tree.lessons(settings.targets, settings.states);
        lessons.retain(|(updates, _)| all || rng.unit() < settings.keep * (*updates).max(1) as f32);
        let mut lessons: Vec<Lesson<G>> = lessons.into_iter().map(|(_, lesson)| lesson).collect();
        if settings.states && settings.worth == Worth::Classic {
            // A model of states is never asked about an end of the tree: every second state has one by chance (Cohen-Solal 2019, 4.1).
            let ends: Vec<Lesson<G>> = lessons.iter().step_by(2).map(|l| ended(l.position.clone(), rng)).collect();
            lessons.extend(ends);
        }
        lessons
    }
}

/// How much a value counts that was updated so often.
fn weight(updates: u32) -> f32 {
    1.0 + ((updates + 1) as f32).log2().floor()
}

/// The best of the open actions; equal ones by chance.
fn best(actions: &[Action], open: &[usize], side: Side, rng: &mut Rng) -> usize {
    let (mut best, mut equal) = (open[0], 1);
    for &number in &open[1..] {
        match compare(side, &actions[number], &actions[best]) {
            std::cmp::Ordering::Less => continue,
            std::cmp::Ordering::Equal => equal += 1,
            std::cmp::Ordering::Greater => equal = 1,
        }
        if equal == 1 || rng.below(equal) == 0 {
            best = number;
        }
    }
    best
}

#[cfg(test)]
mod tests;
