//! Iterations that stop where a state must be valued, so that one batch serves many searches: self-play.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

use super::deepening::Pass;
use super::expansion::{Draft, Knowledge, look};
use super::iteration::{Aim, Iteration, Step, TableSearch, Walker};
use super::table::{Action, Backed, State, StateTable};
use super::variant::Variant;
use crate::game::{Bounded, Game, Side};
use crate::rng::Rng;

/// A search without knowledge of the game, driven from outside: [`TableStepper::advance`] goes down to a new state, which
/// [`TableStepper::look`] lists and [`TableStepper::supply`] takes the values of.
pub(crate) struct TableStepper<G: Game> {
    table: StateTable,
    findings: G::Findings,
    in_flight: Mutex<HashSet<u64>>,
    root: G,
    variant: Variant,
    worker: Walker<G>,
    /// The state that waits for its values.
    draft: Option<Draft>,
    /// The state that was made last, if the iteration is to go on from it.
    made: Option<Arc<State>>,
    /// Plies that alpha-beta looks from the root now.
    depth: u32,
}

impl<G: Game> TableStepper<G> {
    /// A search from a position with at most `mib` MiB of states.
    pub(crate) fn new(root: G, variant: Variant, mib: usize) -> Self {
        Self {
            table: StateTable::new(mib),
            findings: G::Findings::within(0),
            in_flight: Mutex::default(),
            worker: Walker::new(&root),
            root,
            variant,
            draft: None,
            made: None,
            depth: 1,
        }
    }

    /// The search as a worker sees it, and the worker.
    fn split(&mut self) -> (TableSearch<'_, G>, &mut Walker<G>) {
        let search = TableSearch {
            variant: self.variant,
            table: &self.table,
            findings: &self.findings,
            knowledge_visits: u32::MAX,
            root: &self.root,
            restrictions: &[],
            in_flight: &self.in_flight,
        };
        (search, &mut self.worker)
    }

    /// The position at the root.
    pub(crate) fn root(&self) -> &G {
        &self.root
    }

    /// The position that the iteration under way has come to.
    pub(crate) fn position(&self) -> &G {
        &self.worker.position
    }

    /// Positions after the open actions of the state that waits, and the indices of their moves.
    pub(crate) fn open(&self) -> (&[G], &[usize]) {
        (self.worker.buffers.open(), self.worker.buffers.indices())
    }

    /// Sides to move and numbers of actions of the states on the way to the position.
    pub(crate) fn choices(&self) -> impl Iterator<Item = (Side, usize)> {
        self.worker.path.iter().map(|(state, _)| (state.side, state.actions.lock().len()))
    }

    /// A state that was made.
    pub(crate) fn state(&self, position: &G) -> Option<Arc<State>> {
        self.table.get(position.key())
    }

    /// Value and resolution of a state, as its parent sees them.
    pub(crate) fn backed(&self, state: &State) -> Backed {
        self.variant.back(state.side, &state.actions.lock())
    }

    /// Value and resolution of a state with those actions.
    pub(crate) fn backed_by(&self, side: Side, actions: &[Action]) -> Backed {
        self.variant.back(side, actions)
    }

    /// Knows from now on what another search has resolved.
    pub(crate) fn take_resolved(&self, other: &Self) {
        self.table.take_resolved(&other.table);
    }

    /// Begins an iteration at the root.
    pub(crate) fn begin(&mut self) {
        self.made = None;
        let (search, worker) = self.split();
        worker.begin(&search);
    }

    /// Goes on until a state must be valued or something was backed up.
    pub(crate) fn advance(&mut self, variant: Variant, rng: &mut Rng) -> Step {
        self.variant = variant;
        let made = self.made.take();
        let (search, worker) = self.split();
        match made {
            Some(state) if !worker.go_on(&search, Aim::Value, &state, rng) => Step::Over(Iteration::Done),
            _ => worker.advance(&search, Aim::Value, rng),
        }
    }

    /// Goes on by alpha-beta, deeper and deeper, until a state must be valued, or is over once one was.
    pub(crate) fn deepen(&mut self, variant: Variant) -> Step {
        self.variant = variant;
        if self.made.take().is_some() {
            return Step::Over(Iteration::Done);
        }
        // No game is longer than twice its board.
        while self.depth <= 2 * self.root.points() as u32 {
            let mut pass = Pass { table: &self.table, variant, writes: false, path: Vec::new() };
            if let Err(missing) = pass.value(&self.root, self.depth, f32::NEG_INFINITY, f32::INFINITY) {
                self.in_flight.lock().insert(missing.key());
                (self.worker.position, self.worker.path) = (missing, pass.path);
                return Step::Expand;
            }
            let mut pass = Pass { writes: true, ..pass };
            // Nothing is missing any more.
            let _ = pass.value(&self.root, self.depth, f32::NEG_INFINITY, f32::INFINITY);
            self.depth += 1;
            let resolved = self.state(&self.root).is_some_and(|state| self.backed(&state).resolution.is_some());
            if resolved {
                break;
            }
        }
        Step::Over(Iteration::Resolved)
    }

    /// Lists the actions of the state that must be valued. `ends` gives an action its exact value, if the rules or cheap knowledge
    /// of the position after it tell that. Says whether some are open.
    pub(crate) fn look(&mut self, ends: impl Fn(&G, &mut Action) -> bool) -> bool {
        let mut buffers = std::mem::take(&mut self.worker.buffers);
        let knowledge = Knowledge::Glance(&self.table);
        let draft = look(&self.worker.position, self.variant, knowledge, &mut buffers, ends);
        self.worker.buffers = buffers;
        self.draft = Some(draft);
        !self.worker.buffers.open().is_empty()
    }

    /// Takes the values of the open actions, seen by `First`.
    pub(crate) fn supply(&mut self, values: impl Iterator<Item = f32>) {
        let Some(draft) = self.draft.take() else { return };
        let buffers = &mut self.worker.buffers;
        buffers.values.clear();
        buffers.values.extend(values);
        let key = self.worker.position.key();
        self.made = Some(self.table.insert(key, draft.complete(buffers)));
        self.in_flight.lock().remove(&key);
    }

    /// Plays a move.
    pub(crate) fn play(&mut self, index: usize) {
        self.root.play(self.root.move_at(index));
        self.depth = 1;
    }
}
