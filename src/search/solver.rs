//! Proof-number search (Allis 1994) for games that say what their proofs rest on: who wins, and how.
//!
//! Best first, in one table of states, so that states that lines share are searched once. What each side still has to do to
//! prove its win is the least over the moves of the side to move, and the sum over those of the opponent. Two things keep
//! that sum small: only the most promising open moves count (widening, as in the programs of Hayward's group), and a move
//! outside the zone of the win that refuted another one is refuted by the same win.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use super::crew::{self, Crew};
use super::map::KeyMap;
use super::watch::{Halt, Timer, Watch, Watched};
use super::{Budget, Stop};
use crate::game::{Bounded, Game, Insight, Recalled, Side, Solvable, Zone};

/// Open moves that count at first, and the share of the others that counts as well.
const WIDTH: usize = 1;
const WIDTH_SHARE: f32 = 0.4;
/// Locks are per shard and held for a look-up only.
const SHARDS: usize = 64;
/// How often the caller is told how far it is.
const REPORT_EVERY: Duration = Duration::from_millis(500);
/// Longest line that is shown.
const LONGEST_LINE: usize = 60;

/// A win that is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<M, Z> {
    /// The winner.
    pub winner: Side,
    /// Move indices that the win rests on: see [`Insight`].
    pub zone: Z,
    /// A move that wins, where the winner is to move.
    pub mv: Option<M>,
}

/// How far a search for a proof has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofProgress {
    /// States looked at.
    pub nodes: u64,
    /// Since the start.
    pub elapsed: Duration,
    /// Proof numbers of the root: states still to be solved to prove a win of `First` and of `Second`, about.
    pub effort: [f32; 2],
}

/// Knowledge in the table of a position that is not solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook<M> {
    /// Proof numbers of a win of `First` and of `Second`.
    pub effort: [f32; 2],
    /// Moves that may still win for the side to move, and their proof numbers.
    pub open: Vec<(M, [f32; 2])>,
    /// The line in which least is to be done, as far as the table goes.
    pub line: Vec<M>,
}

/// An open move.
#[derive(Clone, Copy, Debug)]
struct Child {
    index: u16,
    /// Threads below it now.
    busy: u16,
    effort: [f32; 2],
}

/// A state.
#[derive(Debug)]
enum State<Z> {
    Solved { winner: Side, zone: Z, mv: Option<u16> },
    Open { children: Vec<Child>, rest: Z, visits: u32 },
}

/// A child's report to its parent: solved, or its proof numbers.
#[derive(Clone, Debug)]
enum Backup<Z> {
    Solved(Side, Z),
    Open([f32; 2]),
}

/// The proof, if one was found, and the number of states looked at.
pub type Solution<G> = (Option<Proof<<G as Game>::Move, <G as Solvable>::Zone>>, u64);
/// States on the way down, who moves in them, and the move taken.
type Path<Z> = Vec<(Arc<Mutex<State<Z>>>, Side, u16)>;

type Shard<Z> = Mutex<KeyMap<u64, Arc<Mutex<State<Z>>>>>;

/// A solver with its table, which is kept from position to position.
pub struct Solver<G: Solvable> {
    shards: Vec<Shard<G::Zone>>,
    bytes: AtomicUsize,
    capacity: usize,
    findings: G::Findings,
    wins: G::Wins,
}

/// A run, shared by its threads.
struct ProofRun<'a, G: Solvable> {
    solver: &'a Solver<G>,
    root: &'a G,
    nodes: AtomicU64,
    limit: u64,
    halt: Halt<'a>,
    crew: Crew<'a>,
    clock: Timer,
}

impl<Z: Zone> State<Z> {
    fn bytes(&self) -> usize {
        let beside = match self {
            Self::Solved { zone, .. } => zone.bytes(),
            Self::Open { children, rest, .. } => children.capacity() * size_of::<Child>() + rest.bytes(),
        };
        beside + size_of::<Self>() + 64
    }

    /// Number of open moves that count.
    fn width(children: &[Child]) -> usize {
        let width = WIDTH + (children.len() as f32 * WIDTH_SHARE) as usize;
        width.min(children.len())
    }

    fn backup(&self, side: Side) -> Backup<Z> {
        match self {
            Self::Solved { winner, zone, .. } => Backup::Solved(*winner, zone.clone()),
            Self::Open { children, .. } => {
                let counted = &children[..Self::width(children)];
                let (me, other) = (side.index(), side.opponent().index());
                let mut effort = [0.0; 2];
                effort[me] = counted.iter().map(|child| child.effort[me]).fold(f32::INFINITY, f32::min);
                effort[other] = counted.iter().map(|child| child.effort[other]).sum();
                Backup::Open(effort)
            }
        }
    }

    /// The open move after which least is to be done for the side to move, threads that are there counting as more.
    fn choose(&mut self, side: Side) -> Option<u16> {
        let Self::Open { children, visits, .. } = self else { return None };
        *visits += 1;
        let width = Self::width(children);
        let cost = |child: &Child| child.effort[side.index()] * f32::from(1 + child.busy);
        let child = children[..width].iter_mut().min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
        child.busy += 1;
        Some(child.index)
    }

    /// Takes what was found of a move; says by how many bytes the state shrinks.
    fn take(&mut self, side: Side, index: u16, found: Backup<Z>) -> usize {
        let before = self.bytes();
        let Self::Open { children, .. } = self else { return 0 };
        let Some(place) = children.iter().position(|child| child.index == index) else { return 0 };
        children[place].busy = children[place].busy.saturating_sub(1);
        match found {
            Backup::Open(effort) => children[place].effort = effort,
            Backup::Solved(winner, zone) if winner == side => {
                let zone = zone.with(usize::from(index));
                *self = Self::Solved { winner, zone, mv: Some(index) };
            }
            Backup::Solved(winner, zone) => {
                children.remove(place);
                self.refute(winner, &zone);
            }
        }
        before - self.bytes().min(before)
    }

    /// Takes the moves outside of that zone out, which are refuted by a win within.
    fn refute(&mut self, winner: Side, zone: &Z) {
        let Self::Open { children, rest, .. } = self else { return };
        *rest = std::mem::take(rest).union(zone);
        children.retain(|child| zone.contains(usize::from(child.index)));
        if children.is_empty() {
            let zone = std::mem::take(rest);
            *self = Self::Solved { winner, zone, mv: None };
        }
    }
}

impl<G: Solvable> Solver<G> {
    /// A solver with at most `mib` MiB of table and findings, allocated as it grows.
    pub fn new(mib: usize) -> Self {
        let findings = G::Findings::within(mib);
        Self {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            bytes: AtomicUsize::new(0),
            capacity: (mib - findings.mib()) << 20,
            findings,
            wins: G::Wins::default(),
        }
    }

    fn shard(&self, key: u64) -> &Shard<G::Zone> {
        &self.shards[(key >> 58) as usize % SHARDS]
    }

    fn get(&self, key: u64) -> Option<Arc<Mutex<State<G::Zone>>>> {
        self.shard(key).lock().get(&key).cloned()
    }

    fn insert(&self, key: u64, state: State<G::Zone>) {
        let bytes = state.bytes();
        // Another thread may have been first, and have found more since.
        self.shard(key).lock().entry(key).or_insert_with(|| {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            Arc::new(Mutex::new(state))
        });
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Makes room: the states least looked at go, until half is free. What is solved stays longest.
    fn shrink(&self) {
        let mut least = 2;
        while self.bytes() > self.capacity / 2 && least < u32::MAX / 4 {
            let mut bytes = 0;
            for shard in &self.shards {
                let mut shard = shard.lock();
                shard.retain(|_, state| match &*state.lock() {
                    State::Open { visits, .. } => *visits >= least,
                    State::Solved { .. } => least < 1 << 20,
                });
                shard.shrink_to_fit();
                bytes += shard.values().map(|state| state.lock().bytes()).sum::<usize>();
            }
            self.bytes.store(bytes, Ordering::Relaxed);
            least *= 4;
        }
    }

    /// Searches until the position, which is not over, is solved, or stopped, or out of time or of that many states to
    /// look at. `None` if it is not solved.
    pub fn solve<'a>(
        &self,
        root: &G,
        crew: impl Into<Crew<'a>>,
        time: Option<Duration>,
        nodes: Option<u64>,
        stop: &Stop,
        on_progress: &mut dyn FnMut(ProofProgress),
    ) -> Solution<G> {
        let mut watch = Watch::new(Budget { time, ..Budget::default() }, Some(REPORT_EVERY));
        let run = &ProofRun {
            solver: self,
            root,
            nodes: AtomicU64::new(0),
            limit: nodes.unwrap_or(u64::MAX),
            halt: Halt::new(stop),
            crew: crew.into(),
            clock: watch.clock(),
        };
        let work = |number| run.work(number);
        let report = &mut |progress: &ProofProgress| on_progress(*progress);
        crew::run(&run.halt, run.crew.most(), &work, || _ = watch.wait(&run.halt, run, report));
        (self.proof(root), run.nodes.load(Ordering::Relaxed))
    }

    /// The proof of a position, as far as the table knows one.
    pub fn proof(&self, position: &G) -> Option<Proof<G::Move, G::Zone>> {
        let state = self.get(position.key())?;
        let state = state.lock();
        let State::Solved { winner, zone, mv } = &*state else { return None };
        let mv = mv.map(|index| position.move_at(usize::from(index)));
        Some(Proof { winner: *winner, zone: zone.clone(), mv })
    }

    /// The moves of a position that is not solved, as far as the table knows it, which may still win for the side to move: the
    /// others are refuted, or no better than one of these.
    pub fn open_moves(&self, position: &G) -> Option<Vec<G::Move>> {
        let state = self.get(position.key())?;
        let state = state.lock();
        let State::Open { children, .. } = &*state else { return None };
        Some(children.iter().map(|child| position.move_at(usize::from(child.index))).collect())
    }

    /// Knowledge of a position that is not solved; `None` if there is none.
    pub fn outlook(&self, root: &G) -> Option<Outlook<G::Move>> {
        let state = self.get(root.key())?;
        let state = state.lock();
        let (State::Open { children, .. }, Backup::Open(effort)) = (&*state, state.backup(root.to_move())) else {
            return None;
        };
        let open = children.iter().map(|child| (root.move_at(usize::from(child.index)), child.effort)).collect();
        drop(state);
        let (mut position, mut line) = (root.clone(), Vec::new());
        while let Some(mv) = self.promising(&position).filter(|_| line.len() < LONGEST_LINE) {
            line.push(mv);
            position.play(mv);
        }
        Some(Outlook { effort, open, line })
    }

    /// The open move after which least is to be done for the side to move.
    fn promising(&self, position: &G) -> Option<G::Move> {
        let state = self.get(position.key())?;
        let state = state.lock();
        let State::Open { children, .. } = &*state else { return None };
        let me = position.to_move().index();
        let counted = children[..State::<G::Zone>::width(children)].iter();
        let child = counted.min_by(|a, b| a.effort[me].total_cmp(&b.effort[me]))?;
        Some(position.move_at(usize::from(child.index)))
    }

    /// The winning moves that were found and, between them, replies of the loser that lead on within the table.
    pub fn line(&self, root: &G) -> Vec<G::Move> {
        let (mut position, mut line) = (root.clone(), Vec::new());
        while let Some(proof) = self.proof(&position).filter(|_| line.len() < LONGEST_LINE) {
            let known = |mv: &G::Move| {
                let mut child = position.clone();
                child.play(*mv);
                self.proof(&child).is_some_and(|below| below.mv.is_some())
            };
            let reply = || match position.insight(&self.findings) {
                Insight::Open { moves, .. } => moves.into_iter().map(|(mv, _)| mv).find(known),
                Insight::Decided(..) => None,
            };
            let next = if proof.winner == position.to_move() { proof.mv } else { reply() };
            let Some(mv) = next else { break };
            line.push(mv);
            position.play(mv);
        }
        line
    }
}

impl<G: Solvable> Watched for ProofRun<'_, G> {
    type Report = ProofProgress;

    fn report(&self) -> Option<ProofProgress> {
        let root = self.solver.get(self.root.key()).map(|state| state.lock().backup(self.root.to_move()));
        let effort = match root {
            Some(Backup::Open(effort)) => effort,
            _ => [0.0; 2],
        };
        Some(ProofProgress { nodes: self.nodes.load(Ordering::Relaxed), elapsed: self.clock.elapsed(), effort })
    }
}

impl<G: Solvable> ProofRun<'_, G> {
    fn work(&self, number: usize) {
        let mut position = self.root.clone();
        let mut path = Vec::new();
        while !self.halt.is_over() {
            self.crew.rest(number, &self.halt);
            if self.nodes.load(Ordering::Relaxed) >= self.limit || self.iterate(&mut position, &mut path) {
                break;
            }
        }
        self.halt.end();
    }

    /// Goes down to a state that is not in the table, looks at it, and takes what it says up. Says whether the root is solved.
    fn iterate(&self, position: &mut G, path: &mut Path<G::Zone>) -> bool {
        position.clone_from(self.root);
        path.clear();
        let mut found = loop {
            let (key, side) = (position.key(), position.to_move());
            let Some(state) = self.solver.get(key) else {
                break self.look(position, key);
            };
            let mut inner = state.lock();
            let Some(index) = inner.choose(side) else {
                break inner.backup(side);
            };
            drop(inner);
            position.play(position.move_at(usize::from(index)));
            path.push((state, side, index));
        };
        while let Some((state, side, index)) = path.pop() {
            let mut state = state.lock();
            let was_open = matches!(*state, State::Open { .. });
            let freed = state.take(side, index, found);
            // A state that has gone to make room meanwhile is not counted any more.
            let less = |bytes: usize| Some(bytes.saturating_sub(freed));
            let _ = self.solver.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
            found = state.backup(side);
            if was_open && matches!(*state, State::Solved { .. }) {
                position.clone_from(self.root);
                path.iter().for_each(|(_, _, index)| position.play(position.move_at(usize::from(*index))));
                self.keep(position, &state);
            }
        }
        if self.solver.bytes() > self.solver.capacity {
            self.solver.shrink();
        }
        matches!(found, Backup::Solved(..))
    }

    /// Keeps the win of a state that is solved.
    fn keep(&self, position: &G, state: &State<G::Zone>) {
        if let State::Solved { winner, zone, mv } = state {
            let mv = mv.map(|index| position.move_at(usize::from(index)));
            position.keep(&self.solver.wins, *winner, zone, mv);
        }
    }

    /// Adds a state to the table.
    fn look(&self, position: &G, key: u64) -> Backup<G::Zone> {
        self.nodes.fetch_add(1, Ordering::Relaxed);
        let solved = |winner, zone, mv: Option<G::Move>| {
            let mv = mv.map(|mv| position.index(mv) as u16);
            State::Solved { winner, zone, mv }
        };
        let state = match position.recall(&self.solver.wins) {
            Recalled::Decided(winner, zone, mv) => solved(winner, zone, mv),
            Recalled::Threats(threats) => match position.insight(&self.solver.findings) {
                Insight::Decided(winner, zone, mv) => solved(winner, zone, mv),
                Insight::Open { rest, moves } => {
                    let child = |(mv, effort)| Child { index: position.index(mv) as u16, busy: 0, effort };
                    let children = moves.into_iter().map(child).collect();
                    let mut state = State::Open { children, rest, visits: 0 };
                    threats.iter().for_each(|zone| state.refute(position.to_move().opponent(), zone));
                    self.keep(position, &state);
                    state
                }
            },
        };
        let backup = state.backup(position.to_move());
        self.solver.insert(key, state);
        backup
    }
}

#[cfg(test)]
mod tests;
