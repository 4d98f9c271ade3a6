//! Descent (Cohen-Solal 2020): unbounded best-first minimax whose iterations go on to the end of the game, with
//! completion, so that the tree of a game is full of exact and of searched values to learn from.
//!
//! Written as a machine that stops whenever a state must be valued, so that one batch can serve many games.

use std::collections::HashMap;
use std::f32::consts::SQRT_2;
use std::sync::Arc;

use super::selfplay::{Lesson, Machine, Wants};
use crate::eval::net::{Answers, Network, Output};
use crate::game::{Planes, Side};
use crate::rng::Rng;
use crate::search::params::choices;
use crate::search::ubfm::iteration::Step;
use crate::search::ubfm::stepwise::TableStepper;
use crate::search::ubfm::table::{Action, Backed, State, best_first};
use crate::search::ubfm::variant::Variant;

choices! {
    /// Iterations that fill the tree.
    Maker;
    /// Iterations that go on to the end of the game.
    #[default]
    Descent = "descent",
    /// Iterations of unbounded best-first minimax, which end at the first new state.
    Ubfm = "ubfm",
    /// Iterations of Monte-Carlo tree search by UCT over the model's values, without completion.
    Mcts = "mcts",
    /// Alpha-beta by iterative deepening, whose iterations are its new states.
    Deepening = "deepening",
}

choices! {
    /// Lessons of a game.
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
    /// Value of a won game, at most 1 (reinforcement heuristic); a lost one has its negative.
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
    /// By how many points the winner leads, as a share of the board's (scoring).
    Scoring = "scoring",
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

/// How games are played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DescentSettings {
    /// Descents before each move.
    pub descents: u32,
    /// 0: moves are equally likely; 1: the best one is played.
    pub exploitation: f32,
    /// Iterations that fill the tree.
    pub maker: Maker,
    /// Lessons of a game.
    pub targets: Targets,
    /// Value of its end.
    pub worth: Worth,
    /// How moves are chosen.
    pub selection: Selection,
    /// Share of the lessons that is kept, for each time that the state was updated: of 0.1, a fifth of those with two updates
    /// and all of those with ten. What was searched most is known best.
    pub keep: f32,
    /// Plies before which positions are not learned.
    pub from: usize,
    /// Whether the model values states, as in the paper: all children of a new one are asked about. Otherwise it values actions.
    pub states: bool,
    /// Whether the rules alone end games, as in the paper, and not what is certain at a glance.
    pub by_rules: bool,
    /// Whether games are played to their end that are resolved, as those always are whose own states alone are learned.
    pub play_on: bool,
    /// Whether models of states learn ends by chance: one for every second state (Cohen-Solal 2019, 4.1).
    pub random_ends: bool,
    /// Whether states that one game has resolved are known in the next one.
    pub keep_resolved: bool,
}

impl DescentSettings {
    /// Whether a game that is resolved goes on.
    fn plays_on(&self) -> bool {
        self.play_on || matches!(self.targets, Targets::Root | Targets::Terminal)
    }
}

/// A game by descent: one tree for both players, until it is resolved or over.
pub struct Descent<G: Planes> {
    tree: GameTree<G>,
    /// Descents before the next move.
    left: u32,
}

/// The tree of one game, by the search of play ([`crate::search::ubfm`]), step by step.
struct GameTree<G: Planes> {
    search: TableStepper<G>,
    /// The positions of its states.
    positions: HashMap<u64, G>,
    /// Whether the positions after the open actions are asked about, and not the state itself.
    states: bool,
    /// States of the game itself, and the index of the move played in each.
    line: Vec<(u64, usize)>,
    /// Sides to move and numbers of actions in those states.
    choices: Vec<(Side, usize)>,
    /// Choices of both sides on the way to each state, where ends are worth what they tell.
    mobility: HashMap<u64, ChoiceCount>,
}

/// Actions that sides could choose among in the course of a game.
#[derive(Clone, Copy, Debug, Default)]
struct ChoiceCount {
    all: f32,
    /// Actions of `First` less those of `Second`.
    lead: f32,
}

impl ChoiceCount {
    fn add(&mut self, side: Side, actions: usize) {
        self.all += actions as f32;
        self.lead += actions as f32 * side.sign();
    }
}

/// Memory of a game's tree in MiB, allocated as it grows.
const MEMORY: usize = 256;

/// Unbounded best-first minimax with completion.
const VARIANT: Variant = Variant {
    completion: true,
    safe: true,
    exploration: 0.0,
    to_the_end: false,
    proofs: true,
    deepest: false,
    means: false,
};

/// UCT with the constant of its theory.
const BY_MEANS: Variant = Variant { completion: false, exploration: SQRT_2, means: true, ..VARIANT };

impl<G: Planes> GameTree<G> {
    fn new(root: G) -> Self {
        let search = TableStepper::new(root, VARIANT, MEMORY);
        Self {
            search,
            positions: HashMap::new(),
            states: false,
            line: Vec::new(),
            choices: Vec::new(),
            mobility: HashMap::new(),
        }
    }

    /// The game's position.
    fn root(&self) -> &G {
        self.search.root()
    }

    /// Positions that are to be valued.
    fn asked(&self) -> &[G] {
        if self.states { self.search.open().0 } else { std::slice::from_ref(self.search.position()) }
    }

    /// Begins a descent from the root.
    fn begin(&mut self) {
        self.search.begin();
    }

    /// Goes on until a state must be valued or something is backed up: the end of the game, or of UBFM the first new state.
    fn advance(&mut self, maker: Maker, rng: &mut Rng) -> Wants {
        let step = match maker {
            Maker::Descent => self.search.advance(Variant { to_the_end: true, ..VARIANT }, rng),
            Maker::Ubfm => self.search.advance(VARIANT, rng),
            Maker::Mcts => self.search.advance(BY_MEANS, rng),
            Maker::Deepening => self.search.deepen(VARIANT),
        };
        match step {
            Step::Expand => Wants::Values,
            Step::Over(_) => Wants::Nothing,
        }
    }

    /// Lists the actions of the new state that the descent has come to, with what is known of them. Says whether values are
    /// wanted: of the positions after the other ones, if the model values states.
    fn look(&mut self, settings: &DescentSettings) -> bool {
        let (worth, position) = (settings.worth, self.search.position());
        let mut mobility = ChoiceCount::default();
        if worth == Worth::Mobility {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let here = (position.to_move(), moves.len());
            let choices = self.choices.iter().copied().chain(self.search.choices()).chain([here]);
            choices.for_each(|(side, actions)| mobility.add(side, actions));
            self.mobility.insert(position.key(), mobility);
        }
        let open = self.search.look(|child, action| {
            let ends = action.ends_with(child, !settings.by_rules);
            if ends {
                // Here is the end as far as learning goes, though what is certain may still have to be played.
                action.length = 0;
                action.value *= end_worth(worth, child, mobility, action.value);
            }
            ends
        });
        self.states = settings.states && open;
        open
    }

    /// Takes the values of the open actions, seen by `First`: what is told of each by the index of its move, and by its number
    /// among them.
    fn supply(&mut self, value: impl Fn(usize, usize) -> f32) {
        let position = self.search.position().clone();
        let values: Vec<f32> =
            self.search.open().1.iter().enumerate().map(|(number, &index)| value(index, number)).collect();
        self.search.supply(values.into_iter());
        self.positions.insert(position.key(), position);
        self.states = false;
    }

    /// The state of a position.
    fn state(&self, position: &G) -> Option<Arc<State>> {
        self.search.state(position)
    }

    /// The certain end of the game from here, if that is known.
    fn resolved(&self) -> Option<Backed> {
        let state = self.state(self.root())?;
        Some(self.search.backed(&state)).filter(|backed| backed.resolution.is_some())
    }

    /// Plays a move by a selection in its completed form: between equal shares (`exploitation` 0) and the best one for certain
    /// (1); a resolved win always, a resolved loss only where there is nothing else.
    fn play(&mut self, selection: Selection, exploitation: f32, rng: &mut Rng) {
        let Some(state) = self.state(self.root()) else { return };
        let (side, sign) = (state.side, state.side.sign());
        let mut order = state.actions.lock().to_vec();
        self.choices.push((side, order.len()));
        best_first(side, &mut order);
        let outcome = |action: &Action| f32::from(action.resolution.unwrap_or(0)) * sign;
        let open = order.iter().filter(|action| outcome(action) >= 0.0).count();
        let mut chosen = order[0];
        if outcome(&chosen) <= 0.0 && open > 0 {
            let values: Vec<f32> = order[..open].iter().map(|action| action.value * sign).collect();
            chosen = order[place(&values, selection, exploitation, rng)];
        }
        self.line.push((self.root().key(), chosen.index as usize));
        self.search.play(chosen.index as usize);
    }

    /// Lessons of the whole tree or of the game, and how often each state was updated: the values of states, or
    /// else the moves whose value is exact or was searched.
    fn lessons(mut self, targets: Targets, of_states: bool) -> Vec<(u32, Lesson<G>)> {
        // A game that is played to its end went there by an action that the state before it knows.
        let last = self.line.last().and_then(|&(key, index)| {
            let state = self.state(self.positions.get(&key)?)?;
            let actions = state.actions.lock();
            actions.iter().find(|action| action.index as usize == index).map(|action| action.value)
        });
        let end = self.resolved().map(|backed| backed.value).or(last).unwrap_or(0.0);
        let mut keys: Vec<(u64, Option<usize>)> = match targets {
            Targets::Weighted | Targets::Tree => self.positions.keys().map(|&key| (key, None)).collect(),
            Targets::Root => self.line.iter().map(|&(key, _)| (key, None)).collect(),
            Targets::Terminal => self.line.iter().map(|&(key, index)| (key, Some(index))).collect(),
        };
        keys.sort_unstable();
        let mut lessons = Vec::with_capacity(keys.len());
        for (key, played) in keys {
            let Some(position) = self.positions.remove(&key) else { continue };
            let Some(state) = self.state(&position) else { continue };
            let known = state.actions.lock();
            let sign = state.side.sign();
            let updates = known.iter().map(|action| action.visits).sum();
            let weight = |updates| if targets == Targets::Weighted { weight(updates) } else { 1.0 };
            if of_states {
                let value = if played.is_some() { end } else { self.search.backed_by(state.side, &known).value };
                let (value, weight) = (Some(value * sign), Some(weight(updates)));
                lessons.push((updates, Lesson { position, actions: Vec::new(), value, weight, end: None }));
                continue;
            }
            let mut actions = Vec::new();
            for action in known.iter() {
                let value = match played {
                    Some(index) => (action.index as usize == index).then_some(end),
                    None => (action.resolution.is_some() || action.visits > 0).then_some(action.value),
                };
                let place = position.action_index(position.move_at(action.index as usize), 0);
                if let (Some(value), Some(place)) = (value, place) {
                    actions.push((place, value * sign, weight(action.visits)));
                }
            }
            if !actions.is_empty() {
                lessons.push((updates, Lesson { position, actions, value: None, weight: None, end: None }));
            }
        }
        lessons
    }
}

/// Value of the end of a game for the winner, after so many choices of either side.
fn end_worth<G: Planes>(worth: Worth, end: &G, mobility: ChoiceCount, winner: f32) -> f32 {
    let plies = end.plies() as f32;
    // More plies than any game has, so that every end is worth something.
    let longest = (end.points() + 1) as f32;
    let share = |lead: f32| ((lead * winner).max(1.0) / end.points() as f32).min(1.0);
    match worth {
        Worth::Classic => 1.0,
        Worth::Depth => (longest - plies).max(1.0) / longest,
        Worth::Multiplicative => (longest / (4.0 * plies)).min(1.0),
        Worth::Mobility => (mobility.lead * winner).max(1.0) / mobility.all.max(1.0),
        Worth::Presence => {
            let [first, second] = end.pieces().unwrap_or_default();
            share(f32::from(first) - f32::from(second))
        }
        Worth::Scoring => share(end.outcome().map_or(0.0, |outcome| outcome.score)),
    }
}

/// A lesson from a game that goes on by chance from a position, after so much mobility: nothing is known as well as how it ends.
fn ended<G: Planes>(mut position: G, worth: Worth, mut mobility: ChoiceCount, rng: &mut Rng) -> Lesson<G> {
    let (mut moves, mut outcome) = (Vec::new(), position.outcome());
    while outcome.is_none() {
        position.legal_moves(&mut moves);
        mobility.add(position.to_move(), moves.len());
        position.play(moves[rng.below(moves.len() as u32) as usize]);
        outcome = position.outcome();
    }
    let won = outcome.map_or(0.0, |outcome| outcome.value);
    let value = if won == 0.0 { 0.0 } else { won * end_worth(worth, &position, mobility, won) };
    let value = Some(value * position.to_move().sign());
    Lesson { position, actions: Vec::new(), value, weight: Some(1.0), end: None }
}

/// The end of a game from its start by chance, as models of states learn it before any other game.
pub fn random_end<G: Planes>(start: G, worth: Worth, rng: &mut Rng) -> Lesson<G> {
    ended(start, worth, ChoiceCount::default(), rng)
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
            let shares: Vec<f32> = values.iter().map(|value| ((value - values[0]) * inverse).exp()).collect();
            rng.weighted(&shares).unwrap_or(0)
        }
    }
}

impl<G: Planes> Machine for Descent<G> {
    type G = G;
    type Settings = DescentSettings;

    fn new(start: G) -> Self {
        Self { tree: GameTree::new(start), left: 0 }
    }

    fn positions(&self) -> &[G] {
        self.tree.asked()
    }

    fn advance(&mut self, settings: &DescentSettings, rng: &mut Rng) -> Wants {
        loop {
            while self.left > 0 && self.tree.advance(settings.maker, rng) == Wants::Values {
                if self.tree.look(settings) {
                    return Wants::Values;
                }
                self.tree.supply(|_, _| 0.0);
            }
            self.left = self.left.saturating_sub(1);
            // A game that is resolved has nothing left to learn from but how it ends.
            if !settings.plays_on() && self.tree.resolved().is_some() {
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

    fn supply(&mut self, settings: &DescentSettings, network: &Network, answers: &Answers, first: usize) {
        if settings.states {
            let value = |(number, child): (usize, &G)| {
                let value = network.centred(answers.get(first + number, Output::Value)[0]);
                (value * child.to_move().sign()).clamp(-1.0, 1.0)
            };
            let values: Vec<f32> = self.tree.asked().iter().enumerate().map(value).collect();
            self.tree.supply(|_, number| values[number]);
        } else {
            let position = self.tree.search.position().clone();
            let (sign, values) = (position.to_move().sign(), answers.get(first, Output::Actions));
            self.tree.supply(|index, _| {
                let place = position.action_index(position.move_at(index), 0);
                place.map_or(0.0, |place| network.centred(values[place]) * sign)
            });
        }
    }

    fn lessons(self, settings: &DescentSettings, rng: &mut Rng) -> Vec<Lesson<G>> {
        // The few states of the game itself are all kept.
        let all = matches!(settings.targets, Targets::Root | Targets::Terminal);
        let mobility = self.tree.mobility.clone();
        let mut lessons = self.tree.lessons(settings.targets, settings.states);
        lessons.retain(|(_, lesson)| lesson.position.plies() >= settings.from);
        lessons.retain(|(updates, _)| all || rng.unit() < settings.keep * (*updates).max(1) as f32);
        let lessons: Vec<Lesson<G>> = lessons.into_iter().map(|(_, lesson)| lesson).collect();
        if settings.states && settings.random_ends {
            // A model of states is never asked about an end of the tree.
            let mut end = |lesson: &Lesson<G>| {
                let before = mobility.get(&lesson.position.key()).copied().unwrap_or_default();
                ended(lesson.position.clone(), settings.worth, before, rng)
            };
            // Each stands behind its own lesson: what is held out of a shard is a piece of it.
            let ends: Vec<Lesson<G>> = lessons.iter().step_by(2).map(&mut end).collect();
            let (mut ends, mut mixed) = (ends.into_iter(), Vec::new());
            for (number, lesson) in lessons.into_iter().enumerate() {
                mixed.push(lesson);
                mixed.extend(if number % 2 == 0 { ends.next() } else { None });
            }
            return mixed;
        }
        lessons
    }

    fn follow(&mut self, before: &Self, settings: &DescentSettings) {
        if settings.keep_resolved {
            self.tree.search.take_resolved(&before.tree.search);
        }
    }
}

/// How much a value counts that was updated so often.
fn weight(updates: u32) -> f32 {
    1.0 + ((updates + 1) as f32).log2().floor()
}

#[cfg(test)]
mod tests;
