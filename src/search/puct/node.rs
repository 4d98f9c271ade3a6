//! Nodes of the graph: what was evaluated, what the visits below say, and the edges that were followed.
//!
//! Two locks a node: `body` for edges, `stats` for the numbers. Who holds a body may take stats, its own and those of children, and
//! nothing else; so no two threads wait for each other.

use std::sync::Arc;

use parking_lot::Mutex;

use super::bias::BiasShare;
use super::utility::Utility;
use crate::eval::Evaluation;
use crate::game::Outcome;

/// Most that an evaluation counts, and what it counts for a certain one (a game that is over).
const MOST_WEIGHT: f32 = 8.0;
/// Error at which an evaluation counts little less than once.
const USUAL_ERROR: f32 = 0.25;

/// A position that was reached, on any way.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) stats: Mutex<NodeMeans>,
    pub(super) body: Mutex<Body>,
}

/// How far a node has come.
#[derive(Debug, Default)]
pub(super) enum Body {
    /// Nobody has been here.
    #[default]
    Fresh,
    /// A thread evaluates it.
    Claimed,
    /// It has moves.
    Expanded(Box<Expanded>),
    /// The game ends here.
    Over(Own),
}

/// Moves of a position, and those that were followed.
#[derive(Debug)]
pub(super) struct Expanded {
    pub(super) own: Own,
    /// +1 where `First` moves, else -1.
    pub(super) sign: f32,
    /// Indices of the moves, likeliest first.
    pub(super) moves: Box<[u32]>,
    pub(super) priors: Box<[f32]>,
    pub(super) edges: Vec<Edge>,
    /// First move that has no edge.
    next: usize,
    pub(super) bias: Option<BiasShare>,
}

/// A move that was followed.
#[derive(Debug)]
pub(super) struct Edge {
    /// Its place among the moves.
    pub(super) slot: usize,
    pub(super) visits: u32,
    /// Simulations now below it.
    pub(super) in_flight: u32,
    pub(super) child: Arc<Node>,
}

/// The evaluation of a position by itself, for `First`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Own {
    pub(super) value: f32,
    pub(super) score: f32,
    pub(super) deviation: f32,
    pub(super) lead: f32,
    /// Number of usual evaluations that it counts as.
    pub(super) weight: f32,
    pub(super) utility: f32,
    pub(super) no_result: f32,
    /// Whether score and lead are known.
    pub(super) scored: bool,
    /// Expected errors of result and score, and whether they tell the weight.
    errors: Option<[f32; 2]>,
    weighed: bool,
    time_left: Option<f32>,
}

/// Means over the visits of a node, its own evaluation among them, for `First`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct NodeMeans {
    pub(super) visits: u32,
    pub(super) weight: f32,
    /// Sum of the squares of the weights.
    pub(super) weight_squares: f32,
    pub(super) value: f32,
    pub(super) score: f32,
    pub(super) score_square: f32,
    pub(super) lead: f32,
    pub(super) utility: f32,
    pub(super) utility_square: f32,
    pub(super) no_result: f32,
}

impl NodeMeans {
    /// Weight of a child for an edge of so many visits: a part of it, where there are other ways to the child.
    pub(super) fn weight_of_edge(&self, visits: u32) -> f32 {
        self.weight * (visits as f32 / self.visits.max(1) as f32).min(1.0)
    }

    /// Adds to the sums, which become means by [`NodeMeans::divide`]: a mean with a weight.
    pub(super) fn add(&mut self, it: &Self, weight: f32) {
        self.weight += weight;
        self.value += weight * it.value;
        self.score += weight * it.score;
        self.score_square += weight * it.score_square;
        self.lead += weight * it.lead;
        self.utility += weight * it.utility;
        self.utility_square += weight * it.utility_square;
        self.no_result += weight * it.no_result;
    }

    /// Turns sums into means.
    pub(super) fn divide(&mut self) {
        let share = 1.0 / self.weight.max(f32::MIN_POSITIVE);
        let numbers = [
            &mut self.value,
            &mut self.score,
            &mut self.score_square,
            &mut self.lead,
            &mut self.utility,
            &mut self.utility_square,
            &mut self.no_result,
        ];
        numbers.into_iter().for_each(|number| *number *= share);
    }
}

impl Own {
    /// An evaluation that was given; its weight is less the less sure it is, if `weighed`.
    pub(super) fn judged(evaluation: &Evaluation, weighed: bool) -> Self {
        let forecast = evaluation.forecast;
        let lead = evaluation.score.unwrap_or(0.0);
        Self {
            value: evaluation.value,
            score: forecast.map_or(lead, |forecast| forecast.score),
            deviation: forecast.map_or(0.0, |forecast| forecast.deviation),
            lead,
            weight: 1.0,
            utility: 0.0,
            no_result: forecast.map_or(0.0, |forecast| forecast.no_result),
            scored: evaluation.score.is_some(),
            errors: forecast.and_then(|forecast| forecast.errors),
            weighed,
            time_left: forecast.and_then(|forecast| forecast.time_left),
        }
    }

    /// The end of a game.
    pub(super) fn over(outcome: Outcome) -> Self {
        let (value, score) = (outcome.value, outcome.score);
        Self { value, score, lead: score, weight: 1.0, ..Self::default() }
    }

    /// Calculates what it is worth, and how much it counts.
    pub(super) fn value_by(&mut self, utility: &Utility) {
        self.utility = utility.of(self.value, self.score, self.deviation);
        if let Some([result, score]) = self.errors.filter(|_| self.weighed) {
            let error = result + score * utility.slope(self.score, self.deviation);
            self.weight = USUAL_ERROR / (error + USUAL_ERROR / MOST_WEIGHT);
        }
    }

    /// Expected errors of result and score, and turns until the result is clear, where the network says them.
    pub(super) fn raw(&self) -> Option<[f32; 3]> {
        self.errors.zip(self.time_left).map(|([result, score], time_left)| [result, score, time_left])
    }

    /// The stats of one visit, with a correction of the utility.
    pub(super) fn stats(&self, correction: f32) -> NodeMeans {
        let utility = self.utility + correction;
        NodeMeans {
            visits: 1,
            weight: self.weight,
            weight_squares: self.weight * self.weight,
            value: self.value,
            score: self.score,
            score_square: self.score * self.score + self.deviation * self.deviation,
            lead: self.lead,
            utility,
            utility_square: utility * utility,
            no_result: self.no_result,
        }
    }
}

impl Expanded {
    /// A position with moves by their indices, and their priors.
    pub(super) fn new(own: Own, sign: f32, moves: &[usize], priors: &[f32], bias: Option<BiasShare>) -> Self {
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by(|&a, &b| priors[b].total_cmp(&priors[a]).then(moves[a].cmp(&moves[b])));
        Self {
            own,
            sign,
            moves: order.iter().map(|&place| moves[place] as u32).collect(),
            priors: order.iter().map(|&place| priors[place]).collect(),
            edges: Vec::new(),
            next: 0,
            bias,
        }
    }

    /// The likeliest move without an edge that is allowed.
    pub(super) fn fresh(&self, allowed: impl Fn(usize) -> bool) -> Option<usize> {
        let followed = |slot: usize| self.edges.iter().any(|edge| edge.slot == slot);
        (self.next..self.moves.len()).find(|&slot| !followed(slot) && allowed(self.moves[slot] as usize))
    }

    /// Makes an edge; says its number.
    pub(super) fn follow(&mut self, slot: usize, child: Arc<Node>) -> usize {
        self.edges.push(Edge { slot, visits: 0, in_flight: 0, child });
        while self.edges.iter().any(|edge| edge.slot == self.next) {
            self.next += 1;
        }
        self.edges.len() - 1
    }

    /// Forgets which moves were followed.
    pub(super) fn forget_edges(&mut self) {
        self.edges = Vec::new();
        self.next = 0;
    }

    /// Gives the moves other priors, and their order.
    pub(super) fn reprioritise(&mut self, priors: impl Fn(usize) -> f32) {
        let given: Vec<f32> = self.moves.iter().map(|&mv| priors(mv as usize)).collect();
        let moves: Vec<usize> = self.moves.iter().map(|&mv| mv as usize).collect();
        let mut fresh = Self::new(self.own, self.sign, &moves, &given, self.bias.take());
        for edge in self.edges.drain(..) {
            let mv = self.moves[edge.slot];
            let slot = fresh.moves.iter().position(|&other| other == mv).unwrap_or(edge.slot);
            fresh.edges.push(Edge { slot, ..edge });
        }
        while fresh.edges.iter().any(|edge| edge.slot == fresh.next) {
            fresh.next += 1;
        }
        *self = fresh;
    }

    /// Bytes that it takes.
    pub(super) fn bytes(moves: usize) -> usize {
        size_of::<Node>() + size_of::<Self>() + moves * (size_of::<u32>() + size_of::<f32>()) + 64
    }
}

/// Bytes of an edge, with the room that the list of edges keeps for more.
pub(super) const EDGE_BYTES: usize = 2 * size_of::<Edge>();
