//! One iteration of Monte-Carlo tree search on one page: go down from the root, value what was reached, take the value up.
//!
//! Where a simulation ends, which child it follows and what a leaf is worth are decided by a [`Policy`], put together once for a
//! run: [`super::playouts`] or [`super::evaluated`].

use super::backup::Reward;
use super::node::Node;
use super::tree::Tree;
use crate::eval::{Cancelled, Wanted};
use crate::game::{MonteCarlo, Outcome, Side};
use crate::rng::Rng;

/// A simulation on its way. Its buffers are kept from one to the next.
pub(crate) struct Simulation<'a, G: MonteCarlo> {
    /// The tree that it goes down.
    pub(crate) tree: &'a Tree<G>,
    /// Nodes from the root on. Each counts a visit in flight.
    pub(crate) path: Vec<&'a Node>,
    /// Sides and move indices: those between the nodes of the path, then those of a playout.
    pub(crate) plies: Vec<(Side, u32)>,
    /// The position at the last node.
    pub(crate) position: G,
    /// The moves there that matter, if it is a leaf for an evaluator.
    pub(crate) moves: Vec<G::Move>,
}

impl<'a, G: MonteCarlo> Simulation<'a, G> {
    pub(crate) fn new(tree: &'a Tree<G>) -> Self {
        Self { tree, path: Vec::new(), plies: Vec::new(), position: tree.position().clone(), moves: Vec::new() }
    }

    /// A simulation of a tree that waits at the leaf to which so many plies lead; see [`super::stepwise`].
    pub(crate) fn resume(tree: &'a Tree<G>, plies: &[(Side, u32)], leaf: &G) -> Self {
        let mut path = vec![tree.root()];
        for &(_, index) in plies {
            let child = tree.children(path[path.len() - 1]).iter().find(|child| child.index() == index as usize);
            path.extend(child);
        }
        Self { path, plies: plies.to_vec(), position: leaf.clone(), ..Self::new(tree) }
    }

    /// Stands at the root of a tree.
    pub(crate) fn begin(&mut self, tree: &'a Tree<G>) {
        self.tree = tree;
        self.position.clone_from(tree.position());
        self.plies.clear();
        self.path.clear();
        self.enter(tree.root());
    }

    fn enter(&mut self, node: &'a Node) {
        node.enter();
        self.path.push(node);
    }

    fn follow(&mut self, child: &'a Node) {
        self.plies.push((self.position.to_move(), child.index() as u32));
        self.position.play(self.position.move_at(child.index()));
        self.enter(child);
    }

    /// The node that it has come to.
    #[inline]
    pub(crate) fn node(&self) -> &'a Node {
        self.path[self.path.len() - 1]
    }

    /// Plies from the root to that node.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.path.len() - 1
    }

    /// Gives it up: no node of its path counts it any more.
    pub(crate) fn give_up(&self) {
        self.path.iter().for_each(|node| node.leave());
    }
}

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
        if let Some(reached) = policy.arrive(simulation, wanted) {
            return reached;
        }
        let Some(child) = policy.choose(simulation, rng) else {
            return Reached::End(simulation.position.outcome().unwrap_or(Outcome::DRAW).into());
        };
        simulation.follow(child);
    }
}
