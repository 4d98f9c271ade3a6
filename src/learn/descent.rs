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
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::Size;
    use crate::games::hex::{Move, Position};
    use crate::rng::mix;

    fn board(n: usize, moves: &[usize]) -> Position {
        let mut position = Position::new(Size::square(n));
        moves.iter().for_each(|&m| position.play(Move::at(m)));
        position
    }

    fn resolution(tree: &Tree<Position>) -> Option<i8> {
        tree.resolved()?.resolution
    }

    /// Values without sense, so that what is right was found by the descents.
    fn supply(tree: &mut Tree<Position>, worth: Worth) {
        let key = tree.position().key();
        tree.look(worth, false);
        tree.supply(|index, _| (mix(key ^ index as u64) >> 40) as f32 / 8_400_000.0 - 0.99);
    }

    fn descend(descent: &mut Tree<Position>, count: usize, rng: &mut Rng) {
        for _ in 0..count {
            descent.begin();
            while descent.advance(Maker::Descent, rng) == Wants::Values {
                supply(descent, Worth::Classic);
            }
        }
    }

    #[test]
    fn weights_grow_with_the_logarithm() {
        // The worked example of the paper: 0, 1 and 3 updates count once, twice and three times.
        assert_eq!([0, 1, 3].map(weight), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn descents_resolve_small_boards() {
        let mut rng = Rng::stream(1, 0);
        // Winning first moves of 3x3, published.
        for opening in 0..9 {
            let mut descent = Tree::new(board(3, &[opening]));
            descend(&mut descent, 200, &mut rng);
            let expected = if (2..=6).contains(&opening) { Side::First } else { Side::Second };
            assert_eq!(resolution(&descent), Some(expected.sign() as i8), "{opening}");
        }
    }

    #[test]
    fn a_descent_goes_to_the_end_of_the_game() {
        let mut rng = Rng::stream(2, 0);
        let mut descent = Tree::new(board(7, &[]));
        descend(&mut descent, 1, &mut rng);
        let depth = descent.states.values().map(|state| state.position.plies()).max().unwrap();
        assert!(depth >= 1);
        // One state at each depth, and the action that led to each of them was updated once. The last one is resolved.
        assert_eq!(descent.states.len(), depth + 1);
        let visits: Vec<_> = descent.states.values().flat_map(|s| &s.actions).map(|a| a.visits).collect();
        assert_eq!((visits.iter().sum::<u32>() as usize, visits.iter().max()), (depth, Some(&1)));
    }

    #[test]
    fn lessons_are_exact_where_the_game_is_resolved() {
        let mut rng = Rng::stream(3, 0);
        let mut descent = Tree::new(board(3, &[4]));
        descend(&mut descent, 300, &mut rng);
        let lessons: Vec<_> = descent.lessons(Targets::Weighted, false).into_iter().map(|(_, lesson)| lesson).collect();
        let root = lessons.iter().find(|lesson| lesson.position.plies() == 1).unwrap();
        // White has lost in the middle of 3x3 whatever it plays.
        assert_eq!(root.actions.len(), 8);
        assert!(root.actions.iter().all(|&(_, value, _)| value == -1.0), "{root:?}");
        for lesson in &lessons {
            assert!(lesson.actions.iter().all(|a| a.0 < 9 && (-1.0..=1.0).contains(&a.1) && a.2 >= 1.0));
        }
    }

    #[test]
    fn wins_are_played_and_losses_avoided() {
        for seed in 0..20 {
            let mut rng = Rng::stream(4, seed);
            let mut descent = Tree::new(board(3, &[]));
            descend(&mut descent, 400, &mut rng);
            assert_eq!(resolution(&descent), Some(1));
            descent.play(Selection::Ordinal, 0.0, &mut rng);
            let cell = (0..9).find(|&i| descent.root().stone(i).is_some()).unwrap();
            assert!((2..=6).contains(&cell), "{cell}");
        }
    }

    #[test]
    fn without_exploitation_open_moves_are_equally_likely() {
        let mut counts = [0; 36];
        for seed in 0..3600 {
            let mut rng = Rng::stream(5, seed);
            let mut descent = Tree::new(board(6, &[]));
            descend(&mut descent, 1, &mut rng);
            descent.play(Selection::Ordinal, 0.0, &mut rng);
            counts[(0..36).find(|&i| descent.root().stone(i).is_some()).unwrap()] += 1;
        }
        assert!(counts.iter().all(|&n| (60..=145).contains(&n)), "{counts:?}");
    }

    #[test]
    fn iterations_of_ubfm_end_at_a_new_state() {
        let mut rng = Rng::stream(6, 0);
        let mut tree = Tree::new(board(7, &[]));
        for count in 1..20 {
            tree.begin();
            while tree.advance(Maker::Ubfm, &mut rng) == Wants::Values {
                supply(&mut tree, Worth::Classic);
            }
            assert_eq!(tree.states.len(), count);
        }
    }

    /// A game on 4x4 from the middle of it, played by descents to its end.
    fn played(seed: u64) -> Tree<Position> {
        let mut rng = Rng::stream(7, seed);
        let mut tree = Tree::new(board(4, &[0, 3]));
        while resolution(&tree).is_none() {
            descend(&mut tree, 1, &mut rng);
            if resolution(&tree).is_none() {
                tree.play(Selection::Ordinal, 0.5, &mut rng);
            }
        }
        tree
    }

    #[test]
    fn targets_are_of_the_tree_or_of_the_game() {
        let mut moves = 0;
        for seed in 0..10 {
            let (all, line) = (played(seed).states.len(), played(seed).line.len());
            moves += line;
            let lessons = |targets| played(seed).lessons(targets, false);
            let (tree, weighted) = (lessons(Targets::Tree), lessons(Targets::Weighted));
            assert!(tree.len() == weighted.len() && tree.len() <= all && tree.len() > line);
            assert!(tree.iter().all(|(_, lesson)| lesson.actions.iter().all(|action| action.2 == 1.0)));
            assert!(weighted.iter().any(|(_, lesson)| lesson.actions.iter().any(|action| action.2 > 1.0)));
            assert!(lessons(Targets::Root).len() <= line);
            // Of each state the move that was played, as the game ended.
            let end = f32::from(resolution(&played(seed)).unwrap());
            let terminal = lessons(Targets::Terminal);
            assert_eq!(terminal.len(), line);
            for (_, lesson) in terminal {
                let [(_, value, _)] = lesson.actions[..] else { panic!("{lesson:?}") };
                assert_eq!(value, end * lesson.position.to_move().sign());
            }
        }
        assert!(moves > 10);
    }

    /// What a game's end is worth in a tree that knows all of it: of each resolved action, with its position.
    fn ends<G: Planes>(start: G, worth: Worth) -> Vec<(Lesson<G>, f32)> {
        let mut rng = Rng::stream(3, 0);
        let mut tree = Tree::new(start);
        for _ in 0..400 {
            tree.begin();
            while tree.advance(Maker::Descent, &mut rng) == Wants::Values {
                tree.look(worth, false);
                tree.supply(|_, _| 0.0);
            }
        }
        assert!(tree.resolved().is_some());
        let lessons = tree.lessons(Targets::Tree, false).into_iter().map(|(_, lesson)| lesson);
        lessons
            .flat_map(|lesson| lesson.actions.clone().into_iter().map(move |action| (lesson.clone(), action.1)))
            .collect()
    }

    /// The better of two results is never worth less than the worse one, whatever an end is worth.
    #[test]
    fn whatever_an_end_is_worth_who_wins_is_the_same() {
        let classic = ends(board(3, &[4]), Worth::Classic);
        assert!(classic.iter().all(|(_, value)| value.abs() == 1.0));
        for worth in [Worth::Depth, Worth::Multiplicative, Worth::Mobility, Worth::Presence] {
            for (lesson, value) in ends(board(3, &[4]), worth) {
                assert!(value != 0.0 && value.abs() <= 1.0, "{worth}: {value}");
                let known = classic.iter().filter(|(other, _)| other.position.key() == lesson.position.key());
                let best = |best: f32, (_, value): &(Lesson<Position>, f32)| best.max(*value);
                // Where the side to move can win it can, and its best move is among those that win.
                let can_win = known.fold(-1.0, best) == 1.0;
                assert!(can_win || value < 0.0, "{worth}: {value}");
            }
        }
    }

    #[test]
    fn sooner_ends_are_worth_more_by_depth() {
        // Of ten plies, one more than the longest game has: what is left of them, and by what part of them they are more.
        let depth = |plies: usize| (10 - plies) as f32 / 10.0;
        let multiplicative = |plies: usize| (10.0 / (4.0 * plies as f32)).min(1.0);
        for (worth, of) in [(Worth::Depth, &depth as &dyn Fn(usize) -> f32), (Worth::Multiplicative, &multiplicative)] {
            let mut values = Vec::new();
            for (lesson, value) in ends(board(3, &[4]), worth) {
                // The end is known one ply later at the soonest, and after nine at the latest.
                let (soonest, plies) = (lesson.position.plies() + 1, 1..=9);
                assert!(plies.clone().any(|plies| (of(plies) - value.abs()).abs() < 1e-6), "{worth} {value}");
                assert!(value.abs() <= of(soonest) + 1e-6, "{worth} {value}");
                values.push(value.abs());
            }
            values.sort_by(f32::total_cmp);
            values.dedup();
            assert!(values.len() >= 2, "{values:?}");
        }
    }

    /// Four stones in a row: the first to move takes either neighbour and has won, or goes on with two pairs.
    #[test]
    fn mobility_and_presence_are_counted_at_the_end() {
        let start = crate::games::clobber::Position::new(Size { width: 4, height: 1 });
        let mut moves = Vec::new();
        start.legal_moves(&mut moves);
        assert_eq!(start.pieces(), Some([2, 2]));
        let root = |worth| {
            let ends = ends(start, worth);
            let of_root = ends.into_iter().filter(|(lesson, _)| lesson.position.key() == start.key());
            of_root.map(|(_, value)| value).collect::<Vec<_>>()
        };
        // Won at once: all moves of the game are the winner's, and it has one stone more of four points.
        let ends_at_once = |&&mv: &&crate::games::clobber::Move| {
            let mut after = start;
            after.play(mv);
            after.outcome().is_some()
        };
        let at_once = moves.iter().filter(ends_at_once).count();
        let (mobility, presence) = (root(Worth::Mobility), root(Worth::Presence));
        assert!(at_once > 0);
        assert_eq!(mobility.iter().filter(|&&value| value == 1.0).count(), at_once);
        assert_eq!(presence.iter().filter(|&&value| value == 0.25).count(), at_once);
    }

    /// A tree that is told the values of children learns from each state the better of them.
    #[test]
    fn states_are_worth_their_best_action() {
        let mut rng = Rng::stream(8, 0);
        let mut tree = Tree::new(board(6, &[5]));
        let told = |child: &Position| (mix(child.key()) >> 40) as f32 / 8_400_000.0 - 0.99;
        for _ in 0..10 {
            tree.begin();
            while tree.advance(Maker::Descent, &mut rng) == Wants::Values {
                tree.look(Worth::Classic, true);
                assert_eq!(tree.children.len(), tree.unknown.len());
                let values: Vec<f32> = tree.children.iter().map(told).collect();
                tree.supply(|_, number| values[number]);
            }
        }
        let states = tree.states.len();
        for state in tree.states.values() {
            for action in state.actions.iter().filter(|action| action.visits == 0 && action.resolution.is_none()) {
                let mut child = state.position.clone();
                child.play(child.move_at(usize::from(action.index)));
                // Unless it was reached in another way, and searched.
                assert!(action.value == told(&child) || tree.states.contains_key(&child.key()));
            }
        }
        let best: HashMap<u64, f32> =
            tree.states.iter().map(|(&key, state)| (key, back(state.side(), &state.actions).value)).collect();
        let lessons = tree.lessons(Targets::Weighted, true);
        assert!(lessons.len() == states && states > 20, "{} of {states}", lessons.len());
        for (updates, lesson) in lessons {
            let value = best[&lesson.position.key()] * lesson.position.to_move().sign();
            assert_eq!((lesson.value, lesson.weight), (Some(value), Some(weight(updates))));
            assert!(lesson.actions.is_empty());
        }
    }

    #[test]
    fn ends_by_chance_are_ends() {
        let mut rng = Rng::stream(9, 0);
        let ends: Vec<_> = (0..50).map(|_| ended(board(4, &[5, 6]), &mut rng)).collect();
        for end in &ends {
            let winner = end.position.outcome().unwrap().value;
            assert_eq!(end.value, Some(winner * end.position.to_move().sign()));
        }
        let won = ends.iter().filter(|end| end.position.to_move() == Side::Second).count();
        assert!((5..45).contains(&won), "{won}");
    }

    #[test]
    fn selections_go_from_equal_shares_to_the_best() {
        let values = [0.9, 0.5, 0.5, -0.8];
        let mut rng = Rng::new(3);
        for selection in [Selection::Ordinal, Selection::Greedy, Selection::Softmax] {
            let mut counts = |exploitation| {
                let mut counts = [0; 4];
                (0..4000).for_each(|_| counts[place(&values, selection, exploitation, &mut rng)] += 1);
                counts
            };
            assert!(counts(0.0).iter().all(|count| (850..1150).contains(count)), "{selection}");
            assert_eq!(counts(1.0)[0], 4000, "{selection}");
            let half = counts(0.5);
            assert!(half[0] > 1300 && half[0] < 3500 && half[3] > 100, "{selection} {half:?}");
        }
    }
}
