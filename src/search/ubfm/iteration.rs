//! One iteration of unbounded best-first minimax: descend by the completed value, expand one state, back up.
//!
//! With one thread this is the papers' recursion, written as a loop. With several, a thread that expands a leaf marks
//! the leaf's key as in flight, and others that come to it take the next best line instead.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use parking_lot::Mutex;

use super::table::{Action, Backed, State, Table, back, compare, is_resolved};
use crate::eval::{Cancelled, Evaluator, Wanted};
use crate::game::{Game, Side, Verdict};
use crate::rng::Rng;
use crate::search::params::{Method, Params};
use crate::search::{Restriction, permitted};

/// Which member of the family searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Variant {
    /// Whether proven results are kept apart from values and proven states left alone.
    pub(crate) completion: bool,
    /// Whether the action selected most often is played, and not the one of the best value.
    pub(crate) safe: bool,
    /// Weight of the exploration term.
    pub(crate) exploration: f32,
    /// Whether an iteration goes on to the end of the game.
    pub(crate) to_the_end: bool,
}

impl Variant {
    pub(crate) fn of(params: &Params) -> Self {
        Self {
            completion: params.completion > 0,
            safe: params.search != Method::Ubfm,
            exploration: if params.search == Method::UbfmUct { params.ubfm_uct_constant } else { 0.0 },
            to_the_end: params.search == Method::Descent,
        }
    }

    /// As [`back`]; without completion no state is resolved.
    pub(crate) fn back(self, side: Side, actions: &[Action]) -> Backed {
        let backed = back(side, actions);
        Backed { resolution: backed.resolution.filter(|_| self.completion), ..backed }
    }
}

/// What is common to all threads of a run.
pub(crate) struct Shared<'a, G: Game> {
    pub(crate) variant: Variant,
    pub(crate) table: &'a Table,
    pub(crate) findings: &'a G::Findings,
    pub(crate) evaluator: &'a dyn Evaluator<G>,
    /// Iterations that come through a state before the game's knowledge is asked of it.
    pub(crate) knowledge_visits: u32,
    pub(crate) root: &'a G,
    pub(crate) restrictions: &'a [Restriction<G::Move>],
    /// Keys of states that are being expanded now.
    pub(crate) in_flight: &'a Mutex<HashSet<u64>>,
}

/// Buffers and generator of one thread.
pub(crate) struct Worker<G: Game> {
    rng: Rng,
    position: G,
    buffers: Buffers<G>,
    /// States on the way down and the action taken in each.
    path: Vec<(Arc<State>, usize)>,
}

/// What making a state needs, kept from one to the next.
pub(crate) struct Buffers<G: Game> {
    moves: Vec<G::Move>,
    verdicts: Vec<Verdict>,
    decisive: Vec<bool>,
    children: Vec<G>,
    /// Which of the actions the evaluated children belong to.
    asked: Vec<usize>,
    /// Indices of their moves.
    indices: Vec<usize>,
    values: Vec<f32>,
}

impl<G: Game> Default for Buffers<G> {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            verdicts: Vec::new(),
            decisive: Vec::new(),
            children: Vec::new(),
            asked: Vec::new(),
            indices: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// What an iteration looks for.
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

impl<G: Game> Worker<G> {
    pub(crate) fn new(position: &G, rng: Rng) -> Self {
        Self { rng, position: position.clone(), buffers: Buffers::default(), path: Vec::new() }
    }

    /// Runs one iteration from the root.
    pub(crate) fn iterate(&mut self, shared: &Shared<'_, G>, aim: Aim, wanted: Wanted<'_>) -> Iteration {
        self.position.clone_from(shared.root);
        self.path.clear();
        loop {
            let key = self.position.key();
            let Some(state) = shared.table.get(key) else {
                if !shared.in_flight.lock().insert(key) {
                    // Somebody expands this state: whoever sent us here tries another action.
                    if !self.retreat(shared, aim) {
                        return Iteration::Busy;
                    }
                    continue;
                }
                let expanded = self.expand(shared, wanted);
                shared.in_flight.lock().remove(&key);
                let Ok(state) = expanded else { return Iteration::Cancelled };
                if shared.variant.to_the_end
                    && let Some(action) = self.choose(shared, aim, &state, &HashSet::new())
                    && self.descend(&state, action, aim)
                {
                    continue;
                }
                let backed = shared.variant.back(state.side, &state.actions.lock());
                self.back_up(shared, backed, aim);
                return Iteration::Done;
            };
            let state = self.ask(shared, key, state);
            if let Some(action) = self.choose(shared, aim, &state, &HashSet::new()) {
                if self.descend(&state, action, aim) {
                    continue;
                }
            } else if self.path.is_empty() {
                return Iteration::Resolved;
            }
            // The game ends here, or another line has resolved the state since its father was looked at.
            let backed = shared.variant.back(state.side, &state.actions.lock());
            self.back_up(shared, backed, aim);
            return Iteration::Done;
        }
    }

    /// Asks the game's knowledge of a state that is come through often enough: a state with the actions that are left
    /// takes its place.
    fn ask(&mut self, shared: &Shared<'_, G>, key: u64, state: Arc<State>) -> Arc<State> {
        let reached = state.reached.fetch_add(1, Relaxed);
        // Restrictions name moves, so every move of a restricted root stays.
        if state.asked || reached != shared.knowledge_visits || self.path.is_empty() {
            return state;
        }
        let Buffers { moves, verdicts, .. } = &mut self.buffers;
        self.position.legal_moves(moves);
        self.position.solved(shared.findings, moves, verdicts);
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
        shared.table.replace(key, asked)
    }

    /// Takes an action, unless its result is known: then it is only counted as selected. Says whether it was taken.
    fn descend(&mut self, state: &Arc<State>, action: usize, aim: Aim) -> bool {
        let mut actions = state.actions.lock();
        let taken = &mut actions[action];
        if taken.resolution.is_some() {
            taken.visits += u32::from(aim == Aim::Value);
            return false;
        }
        self.position.play(self.position.move_at(usize::from(taken.index)));
        drop(actions);
        self.path.push((Arc::clone(state), action));
        true
    }

    /// Goes back up to the nearest state that has another way, and takes it.
    fn retreat(&mut self, shared: &Shared<'_, G>, aim: Aim) -> bool {
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
            if let Some(other) = self.choose(shared, aim, &state, &blocked)
                && self.descend(&state, other, aim)
            {
                return true;
            }
            blocked.insert(self.position.key());
        }
        false
    }

    /// The best unresolved action that leads to none of the `blocked` states; equal ones by chance.
    fn choose(&mut self, shared: &Shared<'_, G>, aim: Aim, state: &State, blocked: &HashSet<u64>) -> Option<usize> {
        let depth = self.path.len();
        let actions = state.actions.lock();
        let variant = shared.variant;
        if variant.completion && is_resolved(state.side, &actions) {
            return None;
        }
        let permits =
            |a: &Action| permitted(shared.restrictions, &self.position, state.side, usize::from(a.index), depth);
        // Restrictions that leave nothing are no restrictions.
        let restricted = shared.restrictions.iter().any(|r| r.side == state.side && depth < r.depth);
        let limited = restricted && actions.iter().any(permits);
        let open = |a: &Action| a.resolution.is_none() || !variant.completion;
        let usable = |a: &Action| open(a) && !blocked.contains(&a.child) && (!limited || permits(a));
        let me = state.side.index();
        match aim {
            Aim::Value if variant.exploration > 0.0 => {
                let all: u32 = actions.iter().map(|a| a.visits).sum();
                let log = ((all + 1) as f32).ln();
                let term = |a: &Action| (log / (a.visits + 1) as f32).sqrt();
                let urgency = |a: &Action| a.value * state.side.sign() + variant.exploration * term(a);
                best(&actions, usable, |a, b| urgency(a).total_cmp(&urgency(b)), &mut self.rng)
            }
            Aim::Value => best(&actions, usable, |a, b| compare(state.side, a, b), &mut self.rng),
            Aim::Proof => best(&actions, usable, |a, b| b.effort[me].total_cmp(&a.effort[me]), &mut self.rng),
        }
    }

    /// Makes the state of the current position: every child exact, or valued in one batch.
    fn expand(&mut self, shared: &Shared<'_, G>, wanted: Wanted<'_>) -> Result<Arc<State>, Cancelled> {
        let at_once = shared.knowledge_visits == 0;
        let knowledge = match at_once {
            true => Knowledge::Inner(shared.table, shared.findings),
            false => Knowledge::Glance(shared.table),
        };
        let (variant, buffers) = (shared.variant, &mut self.buffers);
        let state = make(&self.position, variant, knowledge, shared.evaluator, buffers, wanted)?;
        Ok(shared.table.insert(self.position.key(), state))
    }

    /// Takes the value of the last state on the path up to the root.
    fn back_up(&mut self, shared: &Shared<'_, G>, mut backed: Backed, aim: Aim) {
        while let Some((state, action)) = self.path.pop() {
            let mut actions = state.actions.lock();
            let taken = &mut actions[action];
            taken.visits += u32::from(aim == Aim::Value);
            // Never unlearn: another thread may have resolved it meanwhile.
            if taken.resolution.is_none() {
                taken.take(backed);
            }
            backed = shared.variant.back(state.side, &actions);
        }
    }
}

/// What a new state takes from knowledge.
pub(crate) enum Knowledge<'a, G: Game> {
    /// All there is, and only the actions that are needed.
    Inner(&'a Table, &'a G::Findings),
    /// All there is, and every action, since people ask about the others too.
    Root(&'a Table, &'a G::Findings),
    /// What is seen at a glance of each child.
    Glance(&'a Table),
    /// None: what is lost anyway is worth a search for the move that is hardest to refute.
    LostRoot,
}

/// Which actions a state needs.
#[derive(Clone, Copy)]
enum Needed {
    All,
    /// Those that are not needless.
    Useful,
    /// One that wins is enough: those that win for that side.
    Wins(Side),
}

impl Needed {
    fn of(side: Side, verdicts: &[Verdict]) -> Self {
        let wins = Self::Wins(side);
        if verdicts.iter().any(|verdict| wins.includes(verdict)) { wins } else { Self::Useful }
    }

    fn includes(self, verdict: &Verdict) -> bool {
        match self {
            Self::All => true,
            Self::Useful => *verdict != Verdict::Needless,
            Self::Wins(side) => matches!(verdict, Verdict::Decided(winner, _) if *winner == side),
        }
    }
}

/// A fresh state: terminal and proven children with their exact value, those that another line has led to with what was
/// found there, the others by the evaluator.
pub(crate) fn make<G: Game>(
    position: &G,
    variant: Variant,
    knowledge: Knowledge<'_, G>,
    evaluator: &dyn Evaluator<G>,
    Buffers { moves, verdicts, decisive, children, asked, indices, values }: &mut Buffers<G>,
    wanted: Wanted<'_>,
) -> Result<State, Cancelled> {
    let side = position.to_move();
    position.legal_moves(moves);
    asked.clear();
    verdicts.clear();
    verdicts.resize(moves.len(), Verdict::Open);
    let table = match knowledge {
        Knowledge::Inner(table, findings) | Knowledge::Root(table, findings) => {
            position.solved(findings, moves, verdicts);
            Some(table)
        }
        Knowledge::Glance(table) => Some(table),
        Knowledge::LostRoot => None,
    };
    position.decisive(moves, decisive);
    let asked_of = matches!(knowledge, Knowledge::Inner(..) | Knowledge::Root(..));
    let needed = if matches!(knowledge, Knowledge::Inner(..)) { Needed::of(side, verdicts) } else { Needed::All };
    let mut actions = Vec::with_capacity(verdicts.iter().filter(|v| needed.includes(v)).count());
    let mut used = 0;
    let looked_at = moves.iter().zip(verdicts.iter()).zip(decisive.iter());
    for ((&mv, verdict), &decisive) in looked_at.filter(|((_, verdict), _)| needed.includes(verdict)) {
        if used == children.len() {
            children.push(position.clone());
        } else {
            children[used].clone_from(position);
        }
        let child = &mut children[used];
        child.play(mv);
        let mut action = Action::valued(position.index(mv) as u16, child.key(), 0.0);
        let decided = match *verdict {
            Verdict::Decided(winner, length) => {
                action.resolve(Some(winner), length);
                true
            }
            _ => decisive && action.ends_with(child),
        };
        if decided {
            // Exact.
        } else if let Some(known) = table.and_then(|table| table.get(action.child)) {
            action.take(variant.back(known.side, &known.actions.lock()));
        } else {
            asked.push(actions.len());
            used += 1;
        }
        actions.push(action);
    }
    indices.clear();
    indices.extend(asked.iter().map(|&number| usize::from(actions[number].index)));
    if used > 0 {
        evaluator.evaluate_children(position, indices, &children[..used], values, wanted)?;
    }
    for (&number, &value) in asked.iter().zip(values.iter()) {
        let action = &mut actions[number];
        *action = Action::valued(action.index, action.child, value);
    }
    Ok(State::new(side, actions, asked_of))
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
