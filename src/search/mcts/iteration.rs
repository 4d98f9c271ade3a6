//! One iteration of Monte-Carlo tree search: descend, expand, play out, back up. Formulas are in `select`, memory in `tree`.

use parking_lot::Mutex;

use super::node::Node;
use super::select::child_value;
use super::tree::{Scratch, Tree};
use crate::game::{Game, MonteCarlo, Outcome, PlayoutPolicy, Side};
use crate::rng::Rng;
use crate::search::{Params, Restriction, permitted};

/// What playouts of one thread told about the end of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Number of simulations.
    pub(crate) count: u64,
    /// Sum of scores and of their squares, seen by `First`.
    pub(crate) score: f64,
    /// See `score`.
    pub(crate) score_squares: f64,
    /// Sum over playouts of each point's owner, +1 for `First`.
    pub(crate) owners: Vec<i32>,
}

/// What is common to all threads of a run.
pub(crate) struct Shared<'a, G: Game> {
    pub(crate) tree: &'a Tree<G>,
    pub(crate) params: &'a Params,
    pub(crate) restrictions: &'a [Restriction<G::Move>],
    pub(crate) ownership: bool,
}

/// Buffers and generator of one thread.
pub(crate) struct Worker<G: MonteCarlo> {
    rng: Rng,
    position: G,
    playout: G::Playout,
    trace: Vec<G::Move>,
    /// Sides and move indices of the simulation, tree part first.
    sequence: Vec<(Side, u32)>,
    /// For each move index the side that plays it first in the part of the sequence looked at, plus 1; 0 for nobody.
    first_by: Vec<u8>,
    scratch: Scratch<G>,
}

impl<G: MonteCarlo> Worker<G> {
    pub(crate) fn new(position: &G, rng: Rng) -> Self {
        Self {
            rng,
            position: position.clone(),
            playout: position.playout_policy(),
            trace: Vec::new(),
            sequence: Vec::new(),
            first_by: vec![0; position.move_count()],
            scratch: Scratch::default(),
        }
    }

    /// Runs one simulation from the root and backs it up.
    pub(crate) fn iterate<'a>(&mut self, shared: &Shared<'a, G>, path: &mut Vec<&'a Node>, tally: &Mutex<Tally>) {
        self.position.clone_from(shared.tree.position());
        self.sequence.clear();
        path.clear();

        let mut node = shared.tree.root();
        node.enter();
        path.push(node);
        let outcome = loop {
            if node.children().is_none() {
                let ripe = node.visits() >= shared.params.expand_visits;
                if !ripe || !shared.tree.expand(node, &self.position, shared.params.prior_weight, &mut self.scratch) {
                    break self.play_out();
                }
            }
            let Some(child) = self.select(shared, node, path.len() - 1) else {
                // Expanded and without children: the game is over, its value exact.
                if shared.ownership {
                    self.playout.run(&self.position, &mut self.rng, &mut self.trace);
                }
                break self.position.outcome().unwrap_or(Outcome { winner: None, score: 0.0 });
            };
            let side = self.position.to_move();
            self.sequence.push((side, child.index() as u32));
            self.position.play(self.position.move_at(child.index()));
            node = child;
            node.enter();
            path.push(node);
        };

        self.back_up(shared, path, &outcome);
        let mut tally = tally.lock();
        tally.count += 1;
        tally.score += f64::from(outcome.score);
        tally.score_squares += f64::from(outcome.score) * f64::from(outcome.score);
        if shared.ownership {
            tally.owners.resize(self.position.points(), 0);
            self.playout.add_ownership(&mut tally.owners);
        }
    }

    fn play_out(&mut self) -> Outcome {
        let end = self.playout.run(&self.position, &mut self.rng, &mut self.trace);
        let mut side = self.position.to_move();
        for &mv in &self.trace {
            self.sequence.push((side, self.position.index(mv) as u32));
            side = side.opponent();
        }
        end.outcome
    }

    /// The best child that the restrictions permit, or the best of all if they permit none; `None` if there is none.
    fn select<'a>(&mut self, shared: &Shared<'a, G>, node: &'a Node, depth: usize) -> Option<&'a Node> {
        let children = shared.tree.children(node);
        let log_parent = ((node.visits() + 1) as f32).ln();
        let side = self.position.to_move();
        if shared.restrictions.iter().any(|r| r.side == side && depth < r.depth) {
            let permitted: Vec<&Node> = children
                .iter()
                .filter(|child| permitted(shared.restrictions, &self.position, side, child.index(), depth))
                .collect();
            if !permitted.is_empty() {
                return self.best(permitted.into_iter(), log_parent, shared.params);
            }
        }
        self.best(children.iter(), log_parent, shared.params)
    }

    /// The child of highest value; equal ones by chance.
    #[inline]
    fn best<'a>(
        &mut self,
        children: impl Iterator<Item = &'a Node>,
        log_parent: f32,
        params: &Params,
    ) -> Option<&'a Node> {
        let mut best = None;
        let mut best_value = f32::NEG_INFINITY;
        let mut equal = 0;
        for child in children {
            let value = child_value(&child.stats(), log_parent, params);
            if value < best_value {
                continue;
            }
            equal = if value > best_value { 1 } else { equal + 1 };
            if equal == 1 || self.rng.below(equal) == 0 {
                best_value = value;
                best = Some(child);
            }
        }
        best
    }

    fn back_up<'a>(&mut self, shared: &Shared<'a, G>, path: &[&'a Node], outcome: &Outcome) {
        let root_side = shared.tree.position().to_move();
        let points = shared.tree.position().points() as f32;
        for (depth, node) in path.iter().enumerate() {
            // A node belongs to the side that moved into it; the root to the one that is not to move.
            let side = match depth {
                0 => root_side.opponent(),
                _ => self.sequence[depth - 1].0,
            };
            node.visit(value_for(outcome, side, points, shared.params), outcome.score * side.sign());
        }
        if shared.params.rave_equivalence <= 0.0 {
            return;
        }
        // From the end of the game backwards, so that at each depth the table says who plays a move first from there on.
        self.first_by.fill(0);
        for depth in (0..self.sequence.len()).rev() {
            let (side, index) = self.sequence[depth];
            self.first_by[index as usize] = side.index() as u8 + 1;
            if depth < path.len() {
                let value = value_for(outcome, side, points, shared.params);
                for child in shared.tree.children(path[depth]) {
                    if self.first_by[child.index()] == side.index() as u8 + 1 {
                        child.visit_rave(value);
                    }
                }
            }
        }
    }
}

/// Result of a simulation for a side, in 0..=1: the winner, with a small part for the margin.
fn value_for(outcome: &Outcome, side: Side, points: f32, params: &Params) -> f32 {
    let win = 0.5 + 0.5 * outcome.value() * side.sign();
    let margin = 0.5 + 0.5 * (outcome.score * side.sign() / (points * 0.25)).clamp(-1.0, 1.0);
    win * (1.0 - params.score_weight) + margin * params.score_weight
}
