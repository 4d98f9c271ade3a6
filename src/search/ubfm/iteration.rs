//! One iteration of unbounded best-first minimax: descend by the completed value, expand one state, back up.
//!
//! With one thread this is the papers' recursion, written as a loop. With several, a thread that expands a leaf marks
//! the leaf's key as in flight, and others that come to it take the next best line instead.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

use super::table::{Action, Backed, State, Table, back, compare};
use crate::eval::Evaluator;
use crate::game::{Game, Side};
use crate::rng::Rng;
use crate::search::{Restriction, permitted};

/// What is common to all threads of a run.
pub(crate) struct Shared<'a, G: Game> {
    pub(crate) table: &'a Table,
    pub(crate) evaluator: &'a dyn Evaluator<G>,
    pub(crate) root: &'a G,
    pub(crate) restrictions: &'a [Restriction<G::Move>],
    /// Keys of states that are being expanded now.
    pub(crate) in_flight: &'a Mutex<HashSet<u64>>,
}

/// Buffers and generator of one thread.
pub(crate) struct Worker<G: Game> {
    rng: Rng,
    position: G,
    moves: Vec<G::Move>,
    children: Vec<G>,
    /// Which of the actions the evaluated children belong to.
    asked: Vec<usize>,
    values: Vec<f32>,
    /// States on the way down and the action taken in each.
    path: Vec<(Arc<State>, usize)>,
}

/// How an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Iteration {
    /// A state was expanded or a resolved one backed up.
    Done,
    /// Every line leads to a state that another thread is expanding.
    Busy,
    /// The root is resolved: there is nothing left to search.
    Resolved,
}

impl<G: Game> Worker<G> {
    pub(crate) fn new(position: &G, rng: Rng) -> Self {
        Self {
            rng,
            position: position.clone(),
            moves: Vec::new(),
            children: Vec::new(),
            asked: Vec::new(),
            values: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Runs one iteration from the root.
    pub(crate) fn iterate(&mut self, shared: &Shared<'_, G>) -> Iteration {
        self.position.clone_from(shared.root);
        self.path.clear();
        loop {
            let key = self.position.key();
            let Some(state) = shared.table.get(key) else {
                if !shared.in_flight.lock().insert(key) {
                    // Somebody expands this state: whoever sent us here tries another action.
                    if !self.retreat(shared) {
                        return Iteration::Busy;
                    }
                    continue;
                }
                let state = self.expand(shared);
                shared.in_flight.lock().remove(&key);
                let backed = back(state.side, &state.actions.lock());
                self.back_up(backed);
                return Iteration::Done;
            };
            match self.choose(shared, &state, &HashSet::new()) {
                Some(action) => self.descend(state, action),
                None => {
                    // Resolved by another line since its father was looked at.
                    if self.path.is_empty() {
                        return Iteration::Resolved;
                    }
                    let backed = back(state.side, &state.actions.lock());
                    self.back_up(backed);
                    return Iteration::Done;
                }
            }
        }
    }

    fn descend(&mut self, state: Arc<State>, action: usize) {
        let index = state.actions.lock()[action].index;
        self.position.play(self.position.move_at(usize::from(index)));
        self.path.push((state, action));
    }

    /// Goes back up to the nearest state that has another way, and takes it.
    fn retreat(&mut self, shared: &Shared<'_, G>) -> bool {
        let mut blocked = HashSet::new();
        blocked.insert(self.position.key());
        while let Some((state, action)) = self.path.pop() {
            blocked.insert(state.actions.lock()[action].child);
            // The position before that action: replayed, since games are not undone.
            self.position.clone_from(shared.root);
            for (state, action) in &self.path {
                let index = state.actions.lock()[*action].index;
                self.position.play(self.position.move_at(usize::from(index)));
            }
            blocked.extend(shared.in_flight.lock().iter().copied());
            if let Some(other) = self.choose(shared, &state, &blocked) {
                self.descend(state, other);
                return true;
            }
            blocked.insert(self.position.key());
        }
        false
    }

    /// The best unresolved action that leads to none of the `blocked` states; equal ones by chance.
    fn choose(&mut self, shared: &Shared<'_, G>, state: &State, blocked: &HashSet<u64>) -> Option<usize> {
        let depth = self.path.len();
        let actions = state.actions.lock();
        if back(state.side, &actions).resolution != 0 {
            return None;
        }
        let permits =
            |a: &Action| permitted(shared.restrictions, &self.position, state.side, usize::from(a.index), depth);
        // Restrictions that leave nothing are no restrictions.
        let restricted = shared.restrictions.iter().any(|r| r.side == state.side && depth < r.depth);
        let limited = restricted && actions.iter().any(permits);
        let usable = |a: &Action| a.resolution == 0 && !blocked.contains(&a.child) && (!limited || permits(a));
        best(state.side, &actions, usable, &mut self.rng)
    }

    /// Makes the state of the current position: every child exact, or valued in one batch.
    fn expand(&mut self, shared: &Shared<'_, G>) -> Arc<State> {
        let state = make(
            &self.position,
            Some(shared.table),
            shared.evaluator,
            &mut self.moves,
            &mut self.children,
            &mut self.asked,
            &mut self.values,
        );
        shared.table.insert(self.position.key(), state)
    }

    /// Takes the value of the last state on the path up to the root.
    fn back_up(&mut self, mut backed: Backed) {
        while let Some((state, action)) = self.path.pop() {
            let mut actions = state.actions.lock();
            let taken = &mut actions[action];
            taken.visits += 1;
            // Never unlearn: another thread may have resolved it meanwhile.
            if taken.resolution == 0 {
                (taken.value, taken.resolution, taken.length) = (backed.value, backed.resolution, backed.length);
            }
            backed = back(state.side, &actions);
        }
    }
}

/// A fresh state: terminal and proven children with their exact value, those that another line has led to with what was
/// found there, the others by the evaluator.
///
/// Without a `table` no line is known and no move is refuted: what is lost anyway is worth a search for the move that is
/// hardest to refute.
pub(crate) fn make<G: Game>(
    position: &G,
    table: Option<&Table>,
    evaluator: &dyn Evaluator<G>,
    moves: &mut Vec<G::Move>,
    children: &mut Vec<G>,
    asked: &mut Vec<usize>,
    values: &mut Vec<f32>,
) -> State {
    position.legal_moves(moves);
    asked.clear();
    let mut actions = Vec::with_capacity(moves.len());
    let mut lost = Vec::new();
    match table {
        Some(_) => position.refuted(moves, &mut lost),
        None => lost.resize(moves.len(), None),
    }
    let opponent = position.to_move().opponent();
    let mut used = 0;
    for (number, &mv) in moves.iter().enumerate() {
        if used == children.len() {
            children.push(position.clone());
        } else {
            children[used].clone_from(position);
        }
        let child = &mut children[used];
        child.play(mv);
        let mut action = Action {
            index: position.index(mv) as u16,
            resolution: 0,
            visits: 0,
            value: 0.0,
            length: 0,
            child: child.key(),
        };
        if let Some((winner, length)) = lost[number].map(|length| (opponent, length)).or_else(|| child.proven()) {
            action.resolution = winner.sign() as i8;
            action.value = winner.sign();
            action.length = length;
        } else if let Some(known) = table.and_then(|table| table.get(action.child)) {
            let known = back(known.side, &known.actions.lock());
            (action.value, action.resolution, action.length) = (known.value, known.resolution, known.length);
        } else {
            asked.push(number);
            used += 1;
        }
        actions.push(action);
    }
    let most = evaluator.attributes().largest_batch;
    let mut done = 0;
    let mut valued = Vec::with_capacity(used);
    while done < used {
        let batch = (used - done).min(most);
        evaluator.evaluate(&children[done..done + batch], values);
        valued.extend_from_slice(values);
        done += batch;
    }
    for (&number, &value) in asked.iter().zip(&valued) {
        actions[number].value = value;
    }
    State { side: position.to_move(), actions: Mutex::new(actions) }
}

fn best(side: Side, actions: &[Action], usable: impl Fn(&Action) -> bool, rng: &mut Rng) -> Option<usize> {
    let mut best: Option<usize> = None;
    let mut equal = 0;
    for (number, action) in actions.iter().enumerate().filter(|(_, a)| usable(a)) {
        let order = best.map_or(std::cmp::Ordering::Greater, |b| compare(side, action, &actions[b]));
        equal = match order {
            std::cmp::Ordering::Less => continue,
            std::cmp::Ordering::Equal => equal + 1,
            std::cmp::Ordering::Greater => 1,
        };
        if equal == 1 || rng.below(equal) == 0 {
            best = Some(number);
        }
    }
    best
}
