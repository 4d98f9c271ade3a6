//! One iteration of Monte-Carlo tree search on one page: go down from the root, value what was reached, take the value up.
//!
//! Where a simulation ends, which child it follows and what a leaf is worth are decided by a [`Policy`], put together once for a
//! run: [`super::playouts`] or [`super::evaluated`].

use super::backup::Reward;
use super::node::Node;
use super::simulation::Simulation;
use super::tree::Tree;
use crate::eval::{Cancelled, Wanted};
use crate::game::{MonteCarlo, Outcome};
use crate::rng::Rng;

/// Where a descent ended.
pub(crate) enum Reached {
    /// At a leaf whose value is to be found.
    Leaf,
    /// Where the reward is certain.
    End(Reward),
    /// At a leaf that another simulation is at.
    Busy,
}

/// Guides simulations down a tree.
pub(crate) trait TreePolicy<'a, G: MonteCarlo> {
    /// Begins a simulation: names its tree.
    fn begin(&mut self, rng: &mut Rng) -> &'a Tree<G>;

    /// Comes to a node; says where the descent ends, if it does so here. The node is expanded if not.
    fn arrive(&mut self, simulation: &mut Simulation<'a, G>, wanted: Wanted<'_>) -> Option<Reached>;

    /// Chooses the child to follow; `None` where there is none, since the game is over.
    fn choose(&mut self, simulation: &Simulation<'a, G>, rng: &mut Rng) -> Option<&'a Node>;
}

/// Guides simulations and values their leaves. Each thread has one.
pub(crate) trait Policy<'a, G: MonteCarlo>: TreePolicy<'a, G> {
    /// Backs up a simulation whose reward is certain.
    fn end(&mut self, simulation: &mut Simulation<'a, G>, reward: Reward, rng: &mut Rng);

    /// Values leaves and backs them up.
    ///
    /// # Errors
    /// [`Cancelled`]; all of them are given up then.
    fn value(&mut self, leaves: &mut [Simulation<'a, G>], rng: &mut Rng, wanted: Wanted<'_>) -> Result<(), Cancelled>;
}

/// Simulations of one thread, its policy, and its generator.
pub(crate) struct Worker<'a, G: MonteCarlo, P> {
    policy: P,
    simulations: Vec<Simulation<'a, G>>,
    rng: Rng,
}

impl<'a, G: MonteCarlo, P: Policy<'a, G>> Worker<'a, G, P> {
    pub(crate) fn new(policy: P, rng: Rng) -> Self {
        Self { policy, simulations: Vec::new(), rng }
    }

    /// Goes down at most `most` times, values the leaves together and backs up what was reached. Returns the number of
    /// simulations that count: fewer if they meet, none if they were given up.
    pub(crate) fn iterate(&mut self, most: usize, wanted: Wanted<'_>) -> usize {
        let (mut leaves, mut ended) = (0, 0);
        while leaves + ended < most {
            match self.descend(leaves, wanted) {
                Reached::Leaf => leaves += 1,
                Reached::End(reward) => {
                    self.policy.end(&mut self.simulations[leaves], reward, &mut self.rng);
                    ended += 1;
                }
                Reached::Busy => {
                    self.simulations[leaves].give_up();
                    break;
                }
            }
        }
        let open = &mut self.simulations[..leaves];
        if open.is_empty() || self.policy.value(open, &mut self.rng, wanted).is_err() { ended } else { ended + leaves }
    }

    /// Takes simulation `number` from the root to a leaf or an end.
    fn descend(&mut self, number: usize, wanted: Wanted<'_>) -> Reached {
        let tree = self.policy.begin(&mut self.rng);
        if number == self.simulations.len() {
            self.simulations.push(Simulation::new(tree));
        }
        self.simulations[number].begin(tree);
        descend(&mut self.policy, &mut self.simulations[number], &mut self.rng, wanted)
    }
}

/// Takes a simulation that stands at its root to a leaf or an end.
#[inline]
pub(crate) fn descend<'a, G: MonteCarlo>(
    policy: &mut impl TreePolicy<'a, G>,
    simulation: &mut Simulation<'a, G>,
    rng: &mut Rng,
    wanted: Wanted<'_>,
) -> Reached {
    loop {
        if simulation.position.is_round() && simulation.depth() > 0 {
            return Reached::End(Outcome::DRAW.into());
        }
        if let Some(reached) = policy.arrive(simulation, wanted) {
            return reached;
        }
        let Some(child) = policy.choose(simulation, rng) else {
            return Reached::End(simulation.position.outcome().unwrap_or(Outcome::DRAW).into());
        };
        simulation.follow(child);
    }
}
