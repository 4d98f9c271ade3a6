//! Iterations with a judge: descend by policy to several leaves, have them judged in one batch, back up.

use parking_lot::Mutex;

use super::iteration::{Return, Shared, Tally, Worker, back_up, select};
use super::node::Node;
use super::tree::attention;
use crate::eval::{Judge, Judgement, NoJudgement, Wanted};
use crate::game::{Game, MonteCarlo, Outcome, PlayoutPolicy, Side};

/// A simulation that has come to its leaf.
pub(crate) struct Leaf<'a, G: Game> {
    path: Vec<&'a Node>,
    sequence: Vec<(Side, u32)>,
    position: G,
    moves: Vec<G::Move>,
}

impl<G: Game> Leaf<'_, G> {
    pub(crate) fn new(position: &G) -> Self {
        Self { path: Vec::new(), sequence: Vec::new(), position: position.clone(), moves: Vec::new() }
    }

    /// The node that will get children.
    fn node(&self) -> &Node {
        self.path[self.path.len() - 1]
    }
}

/// A policy in the place of a judge's: by the game's knowledge alone.
pub(crate) fn knowledge_policy<G: MonteCarlo>(position: &G, moves: &[G::Move]) -> Vec<f32> {
    let mut priors = Vec::new();
    position.priors(moves, &mut priors);
    attention(&priors).collect()
}

/// What a descent came to.
enum Reached {
    /// A node without children, claimed by this descent; at the end of the game, one whose worth is for the judge to say.
    Leaf,
    /// The end of the game.
    End,
    /// A node that another descent has claimed.
    Busy,
}

impl<G: MonteCarlo> Worker<'_, G> {
    /// Descends at most `most` times and backs up what was reached. Returns the number of simulations that were counted:
    /// fewer if lines meet, none if they were given up.
    pub(crate) fn iterate_judged<'a>(
        &mut self,
        shared: &Shared<'a, G>,
        judge: &dyn Judge<G>,
        most: usize,
        leaves: &mut Vec<Leaf<'a, G>>,
        tally: &Mutex<Tally>,
        wanted: Wanted<'_>,
    ) -> usize {
        let (mut open, mut counted) = (0, 0);
        while open + counted < most {
            if open == leaves.len() {
                leaves.push(Leaf::new(shared.tree.position()));
            }
            let leaf = &mut leaves[open];
            match self.descend(shared, leaf) {
                Reached::Leaf => open += 1,
                Reached::End => {
                    let outcome = leaf.position.outcome().unwrap_or(Outcome::DRAW);
                    let back = Return::from(outcome);
                    back_up(shared, &leaf.path, &leaf.sequence, &back);
                    let mut tally = tally.lock();
                    tally.add(&back);
                    if shared.ownership {
                        self.playout.run(&leaf.position, &mut self.rng, &mut self.trace);
                        self.playout.add_ownership(tally.owners(leaf.position.points()));
                    }
                    counted += 1;
                }
                Reached::Busy => {
                    leaf.path.iter().for_each(|node| node.leave());
                    break;
                }
            }
        }
        if open == 0 {
            return counted;
        }
        let leaves = &leaves[..open];
        let mut judgements = Vec::new();
        let queries: Vec<_> = leaves.iter().map(|leaf| (&leaf.position, leaf.moves.as_slice())).collect();
        match judge.judge(&queries, &mut judgements, wanted) {
            Err(NoJudgement::Cancelled) => {
                for leaf in leaves {
                    leaf.node().release();
                    leaf.path.iter().for_each(|node| node.leave());
                }
                counted
            }
            result => {
                for (number, leaf) in leaves.iter().enumerate() {
                    let judgement = result.ok().and_then(|()| judgements.get(number));
                    self.finish(shared, leaf, judgement, tally);
                }
                counted + open
            }
        }
    }

    fn descend<'a>(&mut self, shared: &Shared<'a, G>, leaf: &mut Leaf<'a, G>) -> Reached {
        leaf.position.clone_from(shared.tree.position());
        leaf.sequence.clear();
        leaf.path.clear();
        let mut node = shared.tree.root();
        loop {
            node.enter();
            leaf.path.push(node);
            if !node.is_expanded() && node.claim() {
                leaf.position.sensible_moves(&mut leaf.moves);
                if !leaf.moves.is_empty() || leaf.position.ends_by_agreement() {
                    return Reached::Leaf;
                }
                shared.tree.grow_by_policy(node, &leaf.position, &[], &[]);
                return Reached::End;
            }
            if !node.is_expanded() {
                return Reached::Busy;
            }
            let Some(child) = select(shared, node, &leaf.position, leaf.path.len() - 1, None, &mut self.rng) else {
                return Reached::End;
            };
            leaf.sequence.push((leaf.position.to_move(), child.index() as u32));
            leaf.position.play(leaf.position.move_at(child.index()));
            node = child;
        }
    }

    /// Expands a leaf and backs it up: by what the judge said, and a playout where that is wanted or nothing was said.
    fn finish<'a>(
        &mut self,
        shared: &Shared<'a, G>,
        leaf: &Leaf<'a, G>,
        judgement: Option<&Judgement>,
        tally: &Mutex<Tally>,
    ) {
        let params = shared.params;
        let share = if judgement.is_some() { params.playout_share } else { 1.0 };
        let played = (share > 0.0).then(|| self.playout.run(&leaf.position, &mut self.rng, &mut self.trace).outcome);
        let judged = judgement.map_or(0.0, |j| j.value);
        let back = Return {
            value: (1.0 - share) * judged + share * played.map_or(0.0, |outcome| outcome.value),
            score: judgement.and_then(|j| j.score).or(played.map(|outcome| outcome.score)),
        };
        let known = judgement.is_none().then(|| knowledge_policy(&leaf.position, &leaf.moves));
        let policy = judgement.map(|j| &j.policy).or(known.as_ref()).map_or(&[][..], Vec::as_slice);
        if leaf.moves.is_empty() {
            // It stays a leaf: its worth is asked for each time.
            leaf.node().release();
        } else {
            shared.tree.grow_by_policy(leaf.node(), &leaf.position, &leaf.moves, policy);
        }
        back_up(shared, &leaf.path, &leaf.sequence, &back);
        let mut tally = tally.lock();
        tally.add(&back);
        if shared.ownership {
            match judgement {
                Some(Judgement { ownership, .. }) if !ownership.is_empty() => {
                    let owners = tally.owners(ownership.len());
                    owners.iter_mut().zip(ownership).for_each(|(sum, owner)| *sum += owner);
                }
                _ if played.is_some() => self.playout.add_ownership(tally.owners(leaf.position.points())),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
