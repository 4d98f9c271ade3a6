//! Descent (Cohen-Solal 2020): unbounded best-first minimax whose iterations go on to the end of the game, with
//! completion, so that the tree of a game is full of exact and of searched values to learn from.
//!
//! Written as a machine that stops whenever a state must be valued, so that one batch can serve many games.

use std::collections::HashMap;

use super::selfplay::{Lesson, Machine, Wants};
use crate::eval::net::{Answers, Network, Output};
use crate::game::{Planes, Side};
use crate::rng::Rng;
use crate::search::ubfm::table::{Action, Backed, back, compare};

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Descents before each move.
    pub descents: u32,
    /// 0: moves are equally likely; 1: the best one is played.
    pub exploitation: f32,
    /// Share of the lessons that is kept, for each time that the state was updated: of 0.1, a fifth of those with two updates
    /// and all of those with ten. What was searched most is known best.
    pub keep: f32,
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
    moves: Vec<G::Move>,
}

impl<G: Planes> Tree<G> {
    fn new(root: G) -> Self {
        Self { states: HashMap::new(), position: root.clone(), root, path: Vec::new(), moves: Vec::new() }
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
    }

    /// Goes on until a state must be valued or the end is backed up.
    fn advance(&mut self, rng: &mut Rng) -> Wants {
        loop {
            let key = self.position.key();
            let Some(state) = self.states.get(&key) else { return Wants::Values };
            let side = state.side();
            let backed = back(side, &state.actions);
            if backed.resolution.is_some() {
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

    /// Takes the values of the moves with those indices, seen by `First`, for the state that was asked about.
    fn supply(&mut self, value: impl Fn(usize) -> f32) {
        self.position.legal_moves(&mut self.moves);
        let mut child = self.position.clone();
        let mut actions = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            child.clone_from(&self.position);
            child.play(mv);
            let index = self.position.index(mv);
            let mut action = Action::valued(index as u16, child.key(), 0.0);
            if action.ends_with(&child) {
                // Exact.
            } else if let Some(known) = self.states.get(&action.child) {
                action.take(back(known.side(), &known.actions));
            } else {
                action.value = value(index);
            }
            actions.push(action);
        }
        self.states.insert(self.position.key(), Known { position: self.position.clone(), actions });
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

    /// The certain result of the game from here, if that is known: +1 `First` wins, -1 `Second`, 0 a draw.
    fn resolution(&self) -> Option<i8> {
        let state = self.states.get(&self.root.key())?;
        back(state.side(), &state.actions).resolution
    }

    /// Plays a move by ordinal selection in its completed form: in the order of value, each action is taken with a
    /// probability between its equal share (`exploitation` 0) and certainty (1); a resolved win always, a resolved loss
    /// only where there is nothing else.
    fn play(&mut self, exploitation: f32, rng: &mut Rng) {
        let Some(state) = self.states.get(&self.root.key()) else { return };
        let (side, sign) = (state.side(), state.side().sign());
        let mut order: Vec<&Action> = state.actions.iter().collect();
        order.sort_by(|a, b| compare(side, b, a));
        let outcome = |action: &Action| f32::from(action.resolution.unwrap_or(0)) * sign;
        let open = order.iter().filter(|action| outcome(action) >= 0.0).count();
        let mut chosen = order[0];
        if outcome(chosen) <= 0.0 && open > 0 {
            for (number, action) in order[..open].iter().enumerate() {
                chosen = action;
                let share = 1.0 / (open - number) as f32;
                if rng.unit() < exploitation + (1.0 - exploitation) * share {
                    break;
                }
            }
        }
        let mv = self.root.move_at(usize::from(chosen.index));
        self.root.play(mv);
    }

    /// What is to be learned of the whole tree: of each state the moves whose value is exact or was searched, weighted by
    /// the logarithm of the number of updates (coefficiented tree learning).
    fn lessons(self) -> Vec<(u32, Lesson<G>)> {
        let mut keys: Vec<u64> = self.states.keys().copied().collect();
        keys.sort_unstable();
        let mut states = self.states;
        let lessons = keys.iter().filter_map(|key| states.remove(key)).map(|state| {
            let sign = state.side().sign();
            let learned = state.actions.iter().filter(|action| action.resolution.is_some() || action.visits > 0);
            let actions = learned
                .filter_map(|action| {
                    let mv = state.position.move_at(usize::from(action.index));
                    let index = state.position.action_index(mv, 0)?;
                    Some((index, action.value * sign, weight(action.visits)))
                })
                .collect();
            let updates = state.actions.iter().map(|action| action.visits).sum();
            (updates, Lesson { position: state.position, actions, value: None, end: None })
        });
        lessons.filter(|(_, lesson)| !lesson.actions.is_empty()).collect()
    }
}

impl<G: Planes> Machine for Descent<G> {
    type G = G;
    type Settings = Settings;

    fn new(start: G) -> Self {
        Self { tree: Tree::new(start), left: 0 }
    }

    fn position(&self) -> &G {
        self.tree.position()
    }

    fn advance(&mut self, settings: &Settings, rng: &mut Rng) -> Wants {
        loop {
            if self.left > 0 && self.tree.advance(rng) == Wants::Values {
                return Wants::Values;
            }
            self.left = self.left.saturating_sub(1);
            // A game that is resolved has nothing left to learn from.
            if self.tree.resolution().is_some() {
                return Wants::Nothing;
            }
            if self.left == 0 {
                self.tree.play(settings.exploitation, rng);
                if self.tree.root().outcome().is_some() {
                    return Wants::Nothing;
                }
                self.left = settings.descents.max(1);
            }
            self.tree.begin();
        }
    }

    fn supply(&mut self, network: &Network, answers: &Answers, number: usize) {
        let values = answers.get(number, Output::Actions);
        let position = self.tree.position().clone();
        let sign = position.to_move().sign();
        self.tree.supply(|index| {
            let place = position.action_index(position.move_at(index), 0);
            place.map_or(0.0, |place| network.centred(values[place]) * sign)
        });
    }

    fn lessons(self, settings: &Settings, rng: &mut Rng) -> Vec<Lesson<G>> {
        let lessons = self.tree.lessons().into_iter();
        let kept = lessons.filter(|(updates, _)| rng.unit() < settings.keep * (*updates).max(1) as f32);
        kept.map(|(_, lesson)| lesson).collect()
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

    /// Values without sense, so that what is right was found by the descents.
    fn descend(descent: &mut Tree<Position>, count: usize, rng: &mut Rng) {
        for _ in 0..count {
            descent.begin();
            while descent.advance(rng) == Wants::Values {
                let key = descent.position().key();
                descent.supply(|index| (mix(key ^ index as u64) >> 40) as f32 / 8_400_000.0 - 0.99);
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
            assert_eq!(descent.resolution(), Some(expected.sign() as i8), "{opening}");
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
        let lessons: Vec<_> = descent.lessons().into_iter().map(|(_, lesson)| lesson).collect();
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
            assert_eq!(descent.resolution(), Some(1));
            descent.play(0.0, &mut rng);
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
            descent.play(0.0, &mut rng);
            counts[(0..36).find(|&i| descent.root().stone(i).is_some()).unwrap()] += 1;
        }
        assert!(counts.iter().all(|&n| (60..=145).contains(&n)), "{counts:?}");
    }
}
