//! The reward of a simulation, and how it is counted in the nodes of its path.

use super::node::{MOST_RAVE, Node};
use super::simulation::Simulation;
use crate::game::{MonteCarlo, Outcome, Side};
use crate::search::Params;

/// The result of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reward {
    /// The result that `First` expects, in -1..=1.
    pub(crate) value: f32,
    /// Points by which `First` leads, if that is known.
    pub(crate) score: Option<f32>,
}

impl From<Outcome> for Reward {
    fn from(outcome: Outcome) -> Self {
        Self { value: outcome.value, score: Some(outcome.score) }
    }
}

impl Reward {
    /// A win of that side.
    pub(crate) fn won_by(winner: Side) -> Self {
        Self { value: winner.sign(), score: None }
    }

    /// Takes another one, the one of that number, into a mean.
    pub(crate) fn mix(&mut self, other: &Self, number: u32) {
        let part = 1.0 / number as f32;
        self.value += (other.value - self.value) * part;
        self.score = self.score.zip(other.score).map(|(mean, score)| mean + (score - mean) * part);
    }

    /// The result alone for a side, in 0..=1.
    pub(crate) fn result(&self, side: Side) -> f32 {
        0.5 + 0.5 * self.value * side.sign()
    }

    /// Value for a side in 0..=1 on a board of so many points: the winner, with a small part for the margin where that is known.
    fn value_for(&self, side: Side, points: f32, params: &Params) -> f32 {
        let win = self.result(side);
        let Some(score) = self.score else { return win };
        let margin = 0.5 + 0.5 * (score * side.sign() / (points * 0.25)).clamp(-1.0, 1.0);
        win * (1.0 - params.score_weight) + margin * params.score_weight
    }

    /// The side that has won, if one has.
    pub(crate) fn winner(&self) -> Option<Side> {
        match self.value {
            0.0 => None,
            value => Some(if value > 0.0 { Side::First } else { Side::Second }),
        }
    }
}

impl<'a, G: MonteCarlo> Simulation<'a, G> {
    /// The nodes of the path, and whose moves they are: the root is that of the side that is not to move, where there are two.
    fn sides(&self) -> impl Iterator<Item = (&'a Node, Side)> {
        let to_move = self.tree.position().to_move();
        let root = if G::PLAYERS == 1 { to_move } else { to_move.opponent() };
        let sides = std::iter::once(root).chain(self.plies.iter().map(|ply| ply.0));
        self.path.iter().copied().zip(sides)
    }

    /// Counts its reward in all nodes of its path; it is in flight no more.
    pub(crate) fn back_up(&self, reward: &Reward, params: &Params) {
        let points = self.tree.position().points() as f32;
        for (node, side) in self.sides() {
            node.visit(reward.value_for(side, points, params), reward.score.unwrap_or(0.0) * side.sign());
        }
    }

    /// Adds a reward to all nodes of its path, which counts as so many visits.
    pub(crate) fn credit(&self, reward: &Reward, visits: u32, params: &Params) {
        let points = self.tree.position().points() as f32;
        for (node, side) in self.sides() {
            // Who knows no score leaves the mean as it is.
            let score = reward.score.map(|score| score * side.sign()).or(node.mean_score()).unwrap_or(0.0);
            node.credit(reward.value_for(side, points, params), score, visits);
        }
    }
}

/// No place among the plies of a simulation.
const NEVER: u32 = u32::MAX;

/// Counts moves as all-moves-as-first (RAVE).
#[derive(Debug)]
pub(crate) struct Rave {
    /// For each move index who plays it first, and at which ply, in the part of the simulation looked at; nobody between
    /// simulations.
    first: Vec<(Side, u32)>,
}

impl Rave {
    /// A counter for so many move indices.
    pub(crate) fn new(moves: usize) -> Self {
        Self { first: vec![(Side::First, NEVER); moves] }
    }

    /// Counts the reward of a simulation in all children along its path whose moves were played later.
    pub(crate) fn back_up<G: MonteCarlo>(&mut self, simulation: &Simulation<'_, G>, reward: &Reward, params: &Params) {
        if params.rave_equivalence <= 0.0 {
            return;
        }
        let Simulation { tree, path, plies, .. } = simulation;
        let points = tree.position().points() as f32;
        let (weighted, any_side) = (params.rave_weighting == 1, params.rave_colour == 0);
        let length = plies.len();
        // From the end of the game backwards, so that at each depth the table says who plays a move first from there on.
        for depth in (0..length).rev() {
            let (side, index) = plies[depth];
            self.first[index as usize] = (side, depth as u32);
            if depth < path.len() && path[depth].visits() < MOST_RAVE {
                let value = reward.value_for(side, points, params);
                for child in tree.children(path[depth]).iter() {
                    let (by, at) = self.first[child.index()];
                    if at != NEVER && (by == side || any_side) {
                        let later = (at as usize - depth) as f32 / (length - depth) as f32;
                        child.visit_rave(value, if weighted { 2.0 - later } else { 1.0 });
                    }
                }
            }
        }
        plies.iter().for_each(|&(_, index)| self.first[index as usize] = (Side::First, NEVER));
    }
}
