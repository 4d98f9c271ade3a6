//! One iteration of unbounded best-first minimax: descend by the completed value, expand one state, back up.
//!
//! With one thread this is the papers' recursion, written as a loop. With several, a thread that expands a leaf marks
//! the leaf's key as in flight, and others that come to it take the next best line instead. The loop can also be driven from
//! outside, state by state: see `stepwise`.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use parking_lot::Mutex;

use super::expansion::{Buffers, Knowledge, Needed, make};
use super::table::{Action, State, StateTable, compare, is_resolved};
use super::variant::Variant;
use crate::eval::{Cancelled, Evaluator, Wanted};
use crate::game::{Game, Verdict};
use crate::rng::Rng;
use crate::search::{Restriction, permitted};

/// The search as its threads and reports see it.
pub(crate) struct TableSearch<'a, G: Game> {
    pub(crate) variant: Variant,
    pub(crate) table: &'a StateTable,
    pub(crate) findings: &'a G::Findings,
    /// Iterations that come through a state before the game's knowledge is asked of it.
    pub(crate) knowledge_visits: u32,
    pub(crate) root: &'a G,
    pub(crate) restrictions: &'a [Restriction<G::Move>],
    /// Keys of states that are being expanded now.
    pub(crate) in_flight: &'a Mutex<HashSet<u64>>,
}

/// Where one thread stands in the tree, and its buffers.
pub(crate) struct Walker<G: Game> {
    pub(super) position: G,
    pub(super) buffers: Buffers<G>,
    /// States on the way down and the action taken in each.
    pub(super) path: Vec<(Arc<State>, usize)>,
    /// Value of the action that the iteration ended with.
    reached: f32,
}

/// The aim of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// The best line by the completed value: unbounded best-first minimax.
    Value,
    /// The state that is nearest to a proof, for one side or the other: proof-number search (Allis 1994) in the same
    /// table. It counts as no selection.
    Proof,
}

/// How an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Iteration {
    /// A state was expanded or a resolved one backed up.
    Done,
    /// Every line leads to a state that another thread is expanding.
    Busy,
    /// Nobody waits for the result any more.
    Cancelled,
    /// The root is resolved: there is nothing left to search.
    Resolved,
}

/// Where a descent has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A state that is not in the table: the thread has marked it as in flight and must expand it.
    Expand,
    /// The iteration is over.
    Over(Iteration),
}

impl<G: Game> Walker<G> {
    pub(crate) fn new(position: &G) -> Self {
        Self { position: position.clone(), buffers: Buffers::default(), path: Vec::new(), reached: 0.0 }
    }

    /// Runs one iteration from the root.
    pub(crate) fn iterate(
        &mut self,
        search: &TableSearch<'_, G>,
        evaluator: &dyn Evaluator<G>,
        aim: Aim,
        rng: &mut Rng,
        wanted: Wanted<'_>,
    ) -> Iteration {
        self.begin(search);
        loop {
            match self.advance(search, aim, rng) {
                Step::Over(iteration) => return iteration,
                Step::Expand => {
                    let expanded = self.expand(search, evaluator, wanted);
                    search.in_flight.lock().remove(&self.position.key());
                    let Ok(state) = expanded else { return Iteration::Cancelled };
                    if !self.go_on(search, aim, &state, rng) {
                        return Iteration::Done;
                    }
                }
            }
        }
    }

    /// Stands at the root.
    pub(crate) fn begin(&mut self, search: &TableSearch<'_, G>) {
        self.position.clone_from(search.root);
        self.path.clear();
    }

    /// Goes down to a state that must be expanded, or to where something is known and backed up.
    pub(crate) fn advance(&mut self, search: &TableSearch<'_, G>, aim: Aim, rng: &mut Rng) -> Step {
        loop {
            let key = self.position.key();
            let Some(state) = search.table.get(key) else {
                if search.in_flight.lock().insert(key) {
                    return Step::Expand;
                }
                // Another thread expands this state: whoever sent us here tries another action.
                if !self.retreat(search, aim, rng) {
                    return Step::Over(Iteration::Busy);
                }
                continue;
            };
            let state = self.ask(search, key, state);
            if let Some(action) = self.choose(search, aim, &state, &HashSet::new(), rng) {
                if self.descend(search, &state, action, aim) {
                    continue;
                }
            } else if self.path.is_empty() {
                return Step::Over(Iteration::Resolved);
            }
            // The game ends here, or another line has resolved the state since its parent was looked at.
            self.back_up(search, &state, aim);
            return Step::Over(Iteration::Done);
        }
    }

    /// Goes on from a state that was just expanded, if the variant goes to the end of the game and this is not it, which it says;
    /// or backs the state up, or of means one of its actions.
    pub(crate) fn go_on(&mut self, search: &TableSearch<'_, G>, aim: Aim, state: &Arc<State>, rng: &mut Rng) -> bool {
        if (search.variant.to_the_end || search.variant.means)
            && let Some(action) = self.choose(search, aim, state, &HashSet::new(), rng)
            && self.descend(search, state, action, aim)
        {
            return true;
        }
        self.back_up(search, state, aim);
        false
    }

    /// Asks the game's knowledge of a state that is come through often enough: a state with the actions that are left
    /// takes its place.
    fn ask(&mut self, search: &TableSearch<'_, G>, key: u64, state: Arc<State>) -> Arc<State> {
        let reached = state.reached.fetch_add(1, Relaxed);
        // Restrictions name moves, so every move of a restricted root stays.
        if state.asked || reached != search.knowledge_visits || self.path.is_empty() {
            return state;
        }
        let Buffers { moves, verdicts, .. } = &mut self.buffers;
        self.position.legal_moves(moves);
        self.position.solved(search.findings, moves, verdicts);
        let needed = Needed::of(state.side, verdicts);
        // A state that was not asked has an action for every move, in the same order.
        let known = state.actions.lock().clone();
        debug_assert_eq!(known.len(), verdicts.len());
        let mut actions = Vec::new();
        for (mut action, verdict) in
            known.into_iter().zip(verdicts.iter()).filter(|(_, verdict)| needed.includes(verdict))
        {
            if let (None, Verdict::Decided(winner, length)) = (action.resolution, *verdict) {
                action.resolve(Some(winner), length);
            }
            actions.push(action);
        }
        if actions.is_empty() {
            return state;
        }
        let asked = State::new(state.side, actions, true);
        asked.reached.store(reached, Relaxed);
        search.table.replace(key, asked)
    }

    /// Takes an action, unless its result is known, or of means its value is new: then it is only counted as selected. Says whether it
    /// was taken.
    fn descend(&mut self, search: &TableSearch<'_, G>, state: &Arc<State>, action: usize, aim: Aim) -> bool {
        let mut actions = state.actions.lock();
        let taken = &mut actions[action];
        if taken.resolution.is_some() || search.variant.means && taken.visits == 0 {
            taken.visits += u32::from(aim == Aim::Value);
            self.reached = taken.value;
            return false;
        }
        self.position.play(self.position.move_at(taken.index as usize));
        drop(actions);
        self.path.push((Arc::clone(state), action));
        true
    }

    /// Goes back up to the nearest state that has another way, and takes it.
    fn retreat(&mut self, search: &TableSearch<'_, G>, aim: Aim, rng: &mut Rng) -> bool {
        let mut blocked = HashSet::new();
        blocked.insert(self.position.key());
        while let Some((state, action)) = self.path.pop() {
            blocked.insert(state.actions.lock()[action].child);
            // The position before that action: replayed, since games are not undone.
            self.position.clone_from(search.root);
            for (state, action) in &self.path {
                let index = state.actions.lock()[*action].index;
                self.position.play(self.position.move_at(index as usize));
            }
            blocked.extend(search.in_flight.lock().iter().copied());
            if let Some(other) = self.choose(search, aim, &state, &blocked, rng)
                && self.descend(search, &state, other, aim)
            {
                return true;
            }
            blocked.insert(self.position.key());
        }
        false
    }

    /// The best unresolved action that leads to none of the `blocked` states; equal ones by chance.
    fn choose(
        &self,
        search: &TableSearch<'_, G>,
        aim: Aim,
        state: &State,
        blocked: &HashSet<u64>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let depth = self.path.len();
        let actions = state.actions.lock();
        let variant = search.variant;
        let permits = |a: &Action| permitted(search.restrictions, &self.position, state.side, a.index as usize, depth);
        // Restrictions that leave nothing are no restrictions.
        let restricted = search.restrictions.iter().any(|r| r.side == state.side && depth < r.depth);
        let limited = restricted && actions.iter().any(permits);
        if variant.completion && is_resolved(state.side, actions.iter().filter(|a| !limited || permits(a))) {
            return None;
        }
        let open = |a: &Action| a.resolution.is_none() || !variant.completion;
        let usable = |a: &Action| open(a) && !blocked.contains(&a.child) && (!limited || permits(a));
        let me = state.side.index();
        match aim {
            Aim::Value if variant.exploration > 0.0 => {
                let all: u32 = actions.iter().map(|a| a.visits).sum();
                // What was valued with its siblings counts as visited once; means begin with a visit of their own.
                let first = u32::from(!variant.means);
                let log = ((all + first).max(1) as f32).ln();
                let term = |a: &Action| match a.visits + first {
                    0 => f32::INFINITY,
                    visits => (log / visits as f32).sqrt(),
                };
                // Values are in -1..=1.
                let urgency = |a: &Action| a.value * state.side.sign() + 2.0 * variant.exploration * term(a);
                best(&actions, usable, |a, b| urgency(a).total_cmp(&urgency(b)), rng)
            }
            Aim::Value if variant.deepest => {
                let order = |a: &Action, b: &Action| compare(state.side, a, b).then_with(|| a.length.cmp(&b.length));
                best(&actions, usable, order, rng)
            }
            Aim::Value => best(&actions, usable, |a, b| compare(state.side, a, b), rng),
            Aim::Proof => best(&actions, usable, |a, b| b.effort[me].total_cmp(&a.effort[me]), rng),
        }
    }

    /// Makes the state of the current position: every child exact, or valued in one batch.
    fn expand(
        &mut self,
        search: &TableSearch<'_, G>,
        evaluator: &dyn Evaluator<G>,
        wanted: Wanted<'_>,
    ) -> Result<Arc<State>, Cancelled> {
        let at_once = search.knowledge_visits == 0;
        let knowledge = match at_once {
            true => Knowledge::Inner(search.table, search.findings),
            false => Knowledge::Glance(search.table),
        };
        let (variant, buffers) = (search.variant, &mut self.buffers);
        let state = make(&self.position, variant, knowledge, evaluator, buffers, wanted)?;
        Ok(search.table.insert(self.position.key(), state))
    }

    /// Takes the value of the state at the end of the path up to the root.
    fn back_up(&mut self, search: &TableSearch<'_, G>, last: &State, aim: Aim) {
        let mut backed = search.variant.back(last.side, &last.actions.lock());
        while let Some((state, action)) = self.path.pop() {
            let mut actions = state.actions.lock();
            let taken = &mut actions[action];
            taken.visits += u32::from(aim == Aim::Value);
            if search.variant.means {
                taken.value += (self.reached - taken.value) / taken.visits as f32;
            } else if taken.resolution.is_none() {
                // Never unlearn: another thread may have resolved it meanwhile.
                taken.take(backed);
            }
            backed = search.variant.back(state.side, &actions);
        }
    }
}

/// The usable action that comes last in the `order`, equal ones by chance.
fn best(
    actions: &[Action],
    usable: impl Fn(&Action) -> bool,
    order: impl Fn(&Action, &Action) -> Ordering,
    rng: &mut Rng,
) -> Option<usize> {
    let mut best: Option<usize> = None;
    let mut equal = 0;
    for (number, action) in actions.iter().enumerate().filter(|(_, a)| usable(a)) {
        equal = match best.map_or(Ordering::Greater, |b| order(action, &actions[b])) {
            Ordering::Less => continue,
            Ordering::Equal => equal + 1,
            Ordering::Greater => 1,
        };
        if equal == 1 || rng.below(equal) == 0 {
            best = Some(number);
        }
    }
    best
}
