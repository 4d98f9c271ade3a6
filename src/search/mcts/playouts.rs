//! Simulations whose leaves are valued by playouts: UCT with RAVE and the game's own knowledge, and what is put beside it by
//! the parameters: advice of a model, intermediate goals, learned replies, history.

use parking_lot::Mutex;

use super::advice::Advice;
use super::backup::{Rave, Reward};
use super::choice::{ByGoal, ByMeans, select};
use super::iteration::{Policy, Reached, TreePolicy};
use super::node::Node;
use super::proofs::{Proofs, spread};
use super::replies::{Guide, Memory};
use super::simulation::Simulation;
use super::strategies::Pursuit;
use super::tally::{Profile, Tally};
use super::tree::{Scratch, Tree};
use super::tree_search::TreeSearch;
use crate::eval::{Cancelled, PolicyEvaluator, Wanted};
use crate::game::{MonteCarlo, Outcome, PlayoutPolicy};
use crate::rng::Rng;
use crate::search::Params;

/// Steps to the last move of a move that counts as local (Fabbri 2015, section 5.5.3).
const LOCAL: usize = 3;

/// The policy of searches by playouts.
pub(crate) struct Playouts<'a, G: MonteCarlo> {
    search: &'a TreeSearch<'a, G>,
    advice: Option<Advice<'a, G>>,
    /// The intermediate goal of the simulation under way, if it has one.
    pursuit: Option<Pursuit<'a>>,
    playout: Playout<'a, G>,
    rave: Rave,
    proofs: Proofs<G>,
    scratch: Scratch<G>,
    owners: Vec<f32>,
    tally: &'a Mutex<Tally>,
}

impl<'a, G: MonteCarlo> Playouts<'a, G> {
    /// The policy of thread `number`, which asks an evaluator for advice if there is one.
    pub(crate) fn new(
        search: &'a TreeSearch<'a, G>,
        adviser: Option<&'a dyn PolicyEvaluator<G>>,
        number: usize,
    ) -> Self {
        let (position, params) = (search.tree.position(), search.params);
        Self {
            search,
            advice: adviser.map(|evaluator| Advice::new(evaluator, params)),
            pursuit: None,
            playout: Playout::new(position, params, search.learned.replies(number)),
            rave: Rave::new(position.move_count()),
            proofs: Proofs::default(),
            scratch: Scratch::default(),
            owners: Vec::new(),
            tally: &search.tallies[number],
        }
    }

    /// Gives the node its children once it was visited often enough. Says whether it has them.
    fn expand(&mut self, simulation: &Simulation<'_, G>) -> bool {
        let (node, params) = (simulation.node(), self.search.params);
        if node.is_expanded() {
            return true;
        }
        let history = self.search.learned.history.as_ref();
        let ripe = node.visits() >= params.expand_visits;
        ripe && simulation.tree.expand((node, &simulation.position), &[], params, history, &mut self.scratch)
    }

    /// Counts a reward as a visit of the nodes of a simulation.
    fn visit(&self, simulation: &Simulation<'a, G>, reward: &Reward) {
        simulation.back_up(reward, self.search.params);
        self.tally.lock().add(reward);
    }

    /// Counts the moves of a simulation, whose part in the tree is its first `depth` plies, as all-moves-as-first, and teaches what lies
    /// beside the tree.
    fn teach(&mut self, simulation: &Simulation<'a, G>, depth: usize, reward: &Reward, played_out: bool) {
        let search = self.search;
        self.rave.back_up(simulation, reward, search.params);
        self.learn(simulation, depth, reward, played_out);
        let mut tally = self.tally.lock();
        if search.profiled {
            self.playout.profile(simulation, depth, &mut tally.profile);
        }
        if search.ownership {
            let points = simulation.position.points();
            self.playout.policy.add_ownership(tally.owners(points));
            if let Some(&(_, first)) = simulation.plies.first().filter(|_| search.moves_ownership) {
                self.owners.clear();
                self.owners.resize(points, 0.0);
                self.playout.policy.add_ownership(&mut self.owners);
                tally.add_owners_after(first as usize, &self.owners);
            }
        }
    }

    /// Teaches goals, history and replies.
    fn learn(&mut self, simulation: &Simulation<'_, G>, depth: usize, reward: &Reward, played_out: bool) {
        let learned = self.search.learned;
        let player = simulation.tree.position().to_move();
        if let Some(strategies) = &learned.strategies {
            strategies.learn(self.pursuit.as_ref().map(|pursuit| pursuit.goal), reward.result(player));
        }
        if let Some(pursuit) = &self.pursuit {
            pursuit.learn(self.playout.policy.goal(pursuit.goal));
        }
        if let Some(history) = &learned.history {
            history.learn(&simulation.plies[..depth], reward.value);
            if let Some(winner) = reward.winner().filter(|_| played_out && history.counts_owners()) {
                self.owners.clear();
                self.owners.resize(simulation.position.points(), 0.0);
                self.playout.policy.add_ownership(&mut self.owners);
                history.learn_owners(winner, &self.owners);
            }
        }
        if let Some(memory) = self.playout.replies {
            memory.learn(&simulation.plies, depth, 0.5 + 0.5 * reward.value);
        }
    }
}

impl<'a, G: MonteCarlo> TreePolicy<'a, G> for Playouts<'a, G> {
    fn begin(&mut self, rng: &mut Rng) -> &'a Tree<G> {
        let TreeSearch { tree, params, .. } = *self.search;
        let strategies = self.search.learned.strategies.as_ref();
        self.pursuit = strategies.and_then(|strategies| strategies.pursue(tree.position(), params, rng));
        let goal = self.pursuit.as_ref().filter(|pursuit| pursuit.is_open()).map(|pursuit| pursuit.goal);
        goal.and_then(|goal| self.search.goal_trees.get(goal)).unwrap_or(tree)
    }

    fn arrive(&mut self, simulation: &mut Simulation<'a, G>, wanted: Wanted<'_>) -> Option<Reached> {
        if let Some(pursuit) = &mut self.pursuit {
            pursuit.arrive(&simulation.position);
        }
        if let Some(winner) = self.proofs.winner(simulation, self.search.params) {
            return Some(Reached::End(Reward::won_by(winner)));
        }
        if !self.expand(simulation) {
            return Some(Reached::Leaf);
        }
        if let Some(advice) = &mut self.advice
            && advice.claims(simulation.node())
        {
            advice.ask(simulation, wanted);
        }
        None
    }

    fn choose(&mut self, simulation: &Simulation<'a, G>, rng: &mut Rng) -> Option<&'a Node> {
        let TreeSearch { params, restrictions, .. } = *self.search;
        let means = ByMeans::of(simulation, params);
        let Some(pursuit) = self.pursuit.as_mut().filter(|pursuit| pursuit.is_open()) else {
            return select(simulation, restrictions, &means, rng);
        };
        let (position, player) = (&simulation.position, simulation.tree.position().to_move());
        pursuit.stand_at(position.key());
        let chosen = if position.to_move() == player {
            select(simulation, restrictions, &ByGoal { means, pursuit: &*pursuit }, rng)
        } else {
            select(simulation, restrictions, &means, rng)
        };
        if let Some(child) = chosen {
            pursuit.follow(child.index());
        }
        chosen
    }
}

impl<'a, G: MonteCarlo> Policy<'a, G> for Playouts<'a, G> {
    fn end(&mut self, simulation: &mut Simulation<'a, G>, reward: Reward, rng: &mut Rng) {
        if G::SOLVES {
            spread(simulation.tree, &simulation.path);
        }
        // Owners and goals are known at the end of a playout only.
        if self.search.ownership || self.pursuit.is_some() {
            self.playout.policy.run(&simulation.position, rng, &mut self.playout.trace);
        }
        self.visit(simulation, &reward);
        self.teach(simulation, simulation.plies.len(), &reward, false);
    }

    fn value(&mut self, leaves: &mut [Simulation<'a, G>], rng: &mut Rng, _: Wanted<'_>) -> Result<(), Cancelled> {
        let params = self.search.params;
        let by_mean = params.leaf_mean == 1;
        for leaf in leaves {
            let depth = leaf.plies.len();
            let mut mean = Reward::from(Outcome::DRAW);
            for number in 0..params.leaf_playouts {
                leaf.plies.truncate(depth);
                if number > 0 && !by_mean {
                    leaf.path.iter().for_each(|node| node.enter());
                }
                let reward = Reward::from(self.playout.run(leaf, params, rng));
                mean.mix(&reward, number + 1);
                if !by_mean {
                    self.visit(leaf, &reward);
                }
                self.teach(leaf, depth, &reward, true);
            }
            if by_mean {
                self.visit(leaf, &mean);
            }
        }
        Ok(())
    }
}

/// Plays games out, by learned replies where there are some, and the game's own policy.
struct Playout<'a, G: MonteCarlo> {
    policy: G::Playout,
    trace: Vec<G::Move>,
    replies: Option<&'a Memory>,
    guide: Guide,
    /// Moves that were learned replies, since they were last counted.
    learned: u64,
}

impl<'a, G: MonteCarlo> Playout<'a, G> {
    fn new(position: &G, params: &Params, replies: Option<&'a Memory>) -> Self {
        let policy = position.playout_policy(params.playout_knowledge);
        Self { policy, trace: Vec::new(), replies, guide: Guide::default(), learned: 0 }
    }

    /// Plays out from where a simulation is, and adds the moves to its plies.
    fn run(&mut self, simulation: &mut Simulation<'a, G>, params: &Params, rng: &mut Rng) -> Outcome {
        let Simulation { tree, path, plies, position, .. } = simulation;
        let Some(memory) = self.replies else {
            let end = self.policy.run(position, rng, &mut self.trace);
            let mut side = position.to_move();
            for &mv in &self.trace {
                plies.push((side, position.index(mv) as u32));
                side = G::after(side);
            }
            return end.outcome;
        };
        memory.begin(&mut self.guide, path, plies, |node| tree.children(node));
        self.policy.start(position);
        loop {
            let side = self.policy.to_move();
            let learned = if rng.unit() < params.reply_share {
                let suits = |index| self.policy.suits(position.move_at(index));
                memory.reply(&mut self.guide, side, params, rng, suits)
            } else {
                None
            };
            let index = match learned {
                Some(index) => {
                    self.learned += 1;
                    self.policy.play(position.move_at(index));
                    index as u32
                }
                None => match self.policy.step(rng) {
                    Some(mv) => position.index(mv) as u32,
                    None => return self.policy.end().outcome,
                },
            };
            plies.push((side, index));
            memory.played(&mut self.guide, side, index);
        }
    }

    /// Counts the moves of the last playout, which stand in the plies from `depth` on.
    fn profile(&mut self, simulation: &Simulation<'_, G>, depth: usize, profile: &mut Profile) {
        let Simulation { plies, position, .. } = simulation;
        profile.learned += std::mem::take(&mut self.learned);
        profile.moves += (plies.len() - depth) as u64;
        for pair in plies[depth.saturating_sub(1)..].windows(2) {
            let steps = position.steps(pair[0].1 as usize, pair[1].1 as usize);
            profile.local += u64::from(steps.is_some_and(|steps| steps <= LOCAL));
        }
    }
}
