//! The states that have been expanded, by key: a DAG, since equal states merge. Bounded: of a full table the states go that
//! the search came through least often.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use parking_lot::Mutex;

use crate::game::{Game, Side};
use crate::search::map::KeyMap;

/// Locks are per shard and held for a look-up only.
const SHARDS: usize = 64;

/// An action of a state: `v(s,a)`, `c(s,a)` and `n(s,a)` of the papers, values seen by `First`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Action {
    /// Index of the move.
    pub(crate) index: u32,
    /// Proven result: +1 `First` wins, -1 `Second`, 0 a draw.
    pub(crate) resolution: Option<i8>,
    /// Times it was selected.
    pub(crate) visits: u32,
    /// Learned or searched value in -1..=1; the exact one once resolved.
    pub(crate) value: f32,
    /// Plies from the child to the end, once resolved, and until then to the end of the best line that was searched; no more than can be
    /// told here.
    pub(crate) length: u16,
    /// Key of the state it leads to.
    pub(crate) child: u64,
    /// Proof numbers: how much is still to be searched to prove that `First`, or `Second`, wins.
    pub(crate) effort: [f32; 2],
}

impl Action {
    /// A new action with a learned value.
    pub(crate) fn valued(index: u32, child: u64, value: f32) -> Self {
        Self {
            index,
            resolution: None,
            visits: 0,
            value,
            length: 0,
            child,
            effort: Side::BOTH.map(|side| expected_effort(value, side)),
        }
    }

    /// Takes what is known of the child.
    pub(crate) fn take(&mut self, child: Backed) {
        let length = child.length.min(u16::MAX.into()) as u16;
        (self.value, self.resolution, self.length) = (child.value, child.resolution, length);
        self.effort = child.effort;
    }

    /// Takes what the rules say of the child, or with `proofs` cheap knowledge, if they say how it ends.
    pub(crate) fn ends_with<G: Game>(&mut self, child: &G, proofs: bool) -> bool {
        let certain = match child.proven().filter(|_| proofs) {
            Some((winner, length)) => Some((Some(winner), length)),
            None => child.outcome().map(|outcome| (outcome.winner, 0)),
        };
        if let Some((winner, length)) = certain {
            self.resolve(winner, length);
        }
        certain.is_some()
    }

    /// Takes the certain end of the game: its winner, or a draw.
    pub(crate) fn resolve(&mut self, winner: Option<Side>, length: u32) {
        self.take(Backed::over(winner, length));
    }
}

/// How much the proof numbers of a new leaf differ with its value: a lost looking one needs so much more than one state.
const EFFORT_OF_DOUBT: f32 = 8.0;

fn expected_effort(value: f32, winner: Side) -> f32 {
    1.0 + EFFORT_OF_DOUBT * (0.5 - 0.5 * value * winner.sign())
}

/// An expanded state. The mutex is held for a pass over the actions, never over an evaluation.
#[derive(Debug)]
pub(crate) struct State {
    /// The side to move.
    pub(crate) side: Side,
    /// All legal actions, or those that knowledge leaves. No room is left for more, since states fill the memory.
    pub(crate) actions: Mutex<Box<[Action]>>,
    /// Whether the game's knowledge was asked of it.
    pub(crate) asked: bool,
    /// Times that an iteration came through it; a number only.
    pub(crate) reached: AtomicU32,
}

impl State {
    /// A state that nothing has come through yet.
    pub(crate) fn new(side: Side, actions: Vec<Action>, asked: bool) -> Self {
        Self { side, actions: Mutex::new(actions.into()), asked, reached: AtomicU32::new(0) }
    }

    /// Keeps what was found of the actions that another form of the same state has.
    pub(crate) fn take_over(&self, known: &Self) {
        let actions = known.actions.lock();
        for action in self.actions.lock().iter_mut() {
            if let Some(same) = actions.iter().find(|other| other.index == action.index) {
                *action = *same;
            }
        }
        self.reached.store(known.reached.load(Relaxed), Relaxed);
    }

    /// Bytes that it takes, its place in the map included.
    fn size(&self) -> usize {
        self.actions.lock().len() * size_of::<Action>() + size_of::<Self>() + 64
    }

    /// A resolved state with its best action alone.
    fn shrunk(&self) -> Option<Self> {
        let actions = self.actions.lock();
        let resolved = actions.len() > 1 && is_resolved(self.side, actions.iter());
        let best = resolved.then(|| actions.iter().max_by(|a, b| compare(self.side, a, b))).flatten()?;
        // Knowledge of its moves has nothing to say any more.
        let shrunk = Self::new(self.side, vec![*best], true);
        shrunk.reached.store(self.reached.load(Relaxed), Relaxed);
        Some(shrunk)
    }
}

/// A state's value, resolution and distance to the end, as its parent sees them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Backed {
    /// Value of the best action.
    pub(crate) value: f32,
    /// Proven result, as in [`Action::resolution`].
    pub(crate) resolution: Option<i8>,
    /// Plies to the end, as in [`Action::length`].
    pub(crate) length: u32,
    /// Proof numbers, see [`Action::effort`].
    pub(crate) effort: [f32; 2],
}

impl Backed {
    fn over(winner: Option<Side>, length: u32) -> Self {
        let effort = Side::BOTH.map(|side| if Some(side) == winner { 0.0 } else { f32::INFINITY });
        let value = winner.map_or(0.0, Side::sign);
        Self { value, resolution: Some(value as i8), length, effort }
    }
}

/// Order of preference for `side` by the completed value: resolution, then value.
///
/// Among resolved actions the shorter win and the longer loss come first: the value of a resolved action is its exact
/// one, so this only orders what the pair `(c, v)` leaves equal.
pub(crate) fn compare(side: Side, a: &Action, b: &Action) -> std::cmp::Ordering {
    let sign = side.sign();
    let resolution = |x: &Action| i32::from(x.resolution.unwrap_or(0)) * sign as i32;
    let pace = |x: &Action| match resolution(x) {
        0 => 0,
        r => -i64::from(r) * i64::from(x.length),
    };
    resolution(a)
        .cmp(&resolution(b))
        .then_with(|| (a.value * sign).total_cmp(&(b.value * sign)))
        .then_with(|| pace(a).cmp(&pace(b)))
}

/// Orders actions by [`compare`], the best first.
pub(crate) fn best_first(side: Side, actions: &mut [Action]) {
    actions.sort_by(|a, b| compare(side, b, a));
}

/// Whether [`back`] says so.
pub(crate) fn is_resolved<'a>(side: Side, actions: impl IntoIterator<Item = &'a Action>) -> bool {
    let mut open = false;
    for action in actions {
        match action.resolution {
            None => open = true,
            Some(result) if f32::from(result) * side.sign() > 0.0 => return true,
            Some(_) => {}
        }
    }
    !open
}

/// The value of a state from its actions by the completion rule: resolved if its best action is a resolved win for the
/// side to move, or if all its actions are resolved. There is at least one action.
///
/// A win needs the easiest action, a loss all of them (proof-number search, Allis 1994).
pub(crate) fn back(side: Side, actions: &[Action]) -> Backed {
    let (me, opponent) = (side.index(), side.opponent().index());
    let mut best = actions[0];
    let (mut open, mut easiest, mut all) = (false, f32::INFINITY, 0.0);
    for action in actions {
        open |= action.resolution.is_none();
        easiest = easiest.min(action.effort[me]);
        all += action.effort[opponent];
        if compare(side, action, &best).is_gt() {
            best = *action;
        }
    }
    let won = best.resolution.is_some_and(|result| f32::from(result) * side.sign() > 0.0);
    let resolution = if won || !open { best.resolution } else { None };
    let mut effort = [0.0; 2];
    effort[me] = easiest;
    effort[opponent] = all;
    Backed { value: best.value, resolution, length: u32::from(best.length) + 1, effort }
}

/// The table.
#[derive(Debug)]
pub(crate) struct StateTable {
    shards: Vec<Mutex<KeyMap<u64, Arc<State>>>>,
    bytes: AtomicUsize,
    capacity: usize,
    /// Key of the state that never goes.
    root: AtomicU64,
}

impl StateTable {
    /// At most `mib` MiB.
    pub(crate) fn new(mib: usize) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            bytes: AtomicUsize::new(0),
            capacity: mib << 20,
            root: AtomicU64::new(0),
        }
    }

    fn shard(&self, key: u64) -> &Mutex<KeyMap<u64, Arc<State>>> {
        &self.shards[Self::number(key)]
    }

    /// Number of the shard that a key belongs to.
    fn number(key: u64) -> usize {
        (key >> 58) as usize % SHARDS
    }

    /// Keeps that state from now on, however full the table is, and no other one.
    pub(crate) fn set_root(&self, key: u64) {
        self.root.store(key, Relaxed);
    }

    /// The state with that key.
    pub(crate) fn get(&self, key: u64) -> Option<Arc<State>> {
        self.shard(key).lock().get(&key).cloned()
    }

    /// Adds a state, in the place of others when the table is full. When another thread was first, that one's is kept.
    pub(crate) fn insert(&self, key: u64, state: State) -> Arc<State> {
        let bytes = state.size();
        let state = Arc::new(state);
        self.make_room(Self::number(key), bytes);
        if self.bytes.load(Relaxed) + bytes > self.capacity {
            return state;
        }
        let mut shard = self.shard(key).lock();
        let kept = shard.entry(key).or_insert_with(|| {
            self.bytes.fetch_add(bytes, Relaxed);
            state
        });
        Arc::clone(kept)
    }

    /// Halves shards, that one first, until so many bytes are free.
    fn make_room(&self, shard: usize, bytes: usize) {
        for number in 0..SHARDS {
            if self.bytes.load(Relaxed) + bytes <= self.capacity {
                return;
            }
            self.halve((shard + number) % SHARDS);
        }
    }

    /// Resolved states of a shard shrink, and if half of its bytes are not free then, those go that were come through least
    /// often. Their parents keep the values; a search that comes back expands them again.
    fn halve(&self, number: usize) {
        let root = self.root.load(Relaxed);
        let mut shard = self.shards[number].lock();
        let before: usize = shard.values().map(|state| state.size()).sum();
        let mut order = Vec::with_capacity(shard.len());
        let mut after = 0;
        for (&key, state) in shard.iter_mut().filter(|(key, _)| **key != root) {
            if let Some(shrunk) = state.shrunk() {
                // Threads that are below it hold the old one by the numbers of its actions.
                *state = Arc::new(shrunk);
            }
            after += state.size();
            order.push((state.reached.load(Relaxed), key));
        }
        order.sort_unstable();
        for (_, key) in order {
            if after <= before / 2 {
                break;
            }
            after -= shard.remove(&key).map_or(0, |state| state.size());
        }
        after += shard.get(&root).map_or(0, |state| state.size());
        self.bytes.fetch_sub(before - after, Relaxed);
    }

    /// Adds a state in the place of the one that may be there, also when the table is full: for the root.
    pub(crate) fn replace(&self, key: u64, state: State) -> Arc<State> {
        let state = Arc::new(state);
        self.bytes.fetch_add(state.size(), Relaxed);
        if let Some(old) = self.shard(key).lock().insert(key, Arc::clone(&state)) {
            self.bytes.fetch_sub(old.size(), Relaxed);
        }
        state
    }

    /// Forgets a state.
    pub(crate) fn remove(&self, key: u64) {
        if let Some(old) = self.shard(key).lock().remove(&key) {
            self.bytes.fetch_sub(old.size(), Relaxed);
        }
    }

    /// Most it may hold, in MiB.
    pub(crate) fn mib(&self) -> usize {
        self.capacity >> 20
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Whether so much is in use that what cannot be reached any more should go.
    pub(crate) fn is_crowded(&self) -> bool {
        self.bytes() > self.capacity / 4 * 3
    }

    /// Adds the resolved states of another table, each with its best action alone, which was not selected yet.
    pub(crate) fn take_resolved(&self, other: &Self) {
        for shard in &other.shards {
            for (&key, state) in &*shard.lock() {
                let best = {
                    let actions = state.actions.lock();
                    let best = actions.iter().max_by(|a, b| compare(state.side, a, b)).copied();
                    best.filter(|_| is_resolved(state.side, actions.iter()))
                };
                if let Some(best) = best {
                    self.insert(key, State::new(state.side, vec![Action { visits: 0, ..best }], true));
                }
            }
        }
    }

    /// Keeps only the states that can be reached from `root`.
    pub(crate) fn keep_below(&self, root: u64) {
        let mut reached = HashSet::new();
        let mut open = vec![root];
        while let Some(key) = open.pop() {
            if let Some(state) = self.get(key)
                && reached.insert(key)
            {
                open.extend(state.actions.lock().iter().map(|a| a.child));
            }
        }
        let mut bytes = 0;
        for shard in &self.shards {
            let mut shard = shard.lock();
            shard.retain(|key, _| reached.contains(key));
            shard.shrink_to_fit();
            bytes += shard.values().map(|state| state.size()).sum::<usize>();
        }
        self.bytes.store(bytes, Relaxed);
    }
}
