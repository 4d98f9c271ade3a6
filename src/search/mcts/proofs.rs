//! Proofs within the tree, in games where they count: who wins below a node, and how far up that reaches.

use super::node::Node;
use super::simulation::Simulation;
use super::tree::Tree;
use crate::game::{MonteCarlo, Side, Verdict};
use crate::search::{Params, Restriction, keep_permitted};

/// Asks the game's knowledge; buffers of one thread.
#[derive(Debug)]
pub(crate) struct Proofs<G: MonteCarlo> {
    moves: Vec<G::Move>,
    verdicts: Vec<Verdict>,
}

impl<G: MonteCarlo> Default for Proofs<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), verdicts: Vec::new() }
    }
}

impl<G: MonteCarlo> Proofs<G> {
    /// The winner of the position that a simulation has come to, if that is proved or the game knows it.
    #[inline]
    pub(crate) fn winner(&mut self, simulation: &Simulation<'_, G>, params: &Params) -> Option<Side> {
        // The root is searched for a move, whoever wins.
        if !G::SOLVES || params.proofs == 0 || simulation.depth() == 0 {
            return None;
        }
        let (node, position) = (simulation.node(), &simulation.position);
        let side = position.to_move();
        if node.proof().is_none() {
            if !node.is_expanded() {
                if node.visits() == 0
                    && let Some((winner, _)) = position.proven()
                {
                    node.prove(winner != side);
                }
            } else if node.visits() >= params.solved_visits && node.claim_knowledge() {
                self.ask(simulation.tree, node, position, false);
            }
        }
        node.proof().map(|won| if won { side.opponent() } else { side })
    }

    /// Marks what the game's knowledge says of a node and its children. At the root no move is closed that is not lost, since
    /// people ask about the others too.
    pub(crate) fn ask(&mut self, tree: &Tree<G>, node: &Node, position: &G, at_root: bool) {
        let Self { moves, verdicts } = self;
        let side = position.to_move();
        position.legal_moves(moves);
        if moves.is_empty() {
            // A draw.
            return;
        }
        position.solved(tree.findings(), moves, verdicts);
        let children = tree.children(node);
        let mut open = false;
        for (&mv, verdict) in moves.iter().zip(verdicts.iter()) {
            let index = position.index(mv);
            let child = children.iter().find(|child| child.index() == index);
            match *verdict {
                Verdict::Open => open = true,
                Verdict::Needless if at_root => {}
                Verdict::Needless => child.into_iter().for_each(Node::close),
                // Another move is as good as one that was left out; the search will find it.
                Verdict::Decided(winner, _) if winner == side && child.is_none() => open = true,
                Verdict::Decided(winner, _) => {
                    child.into_iter().for_each(|child| child.prove(winner == side));
                    if winner == side {
                        node.prove(false);
                    }
                }
            }
        }
        if !open && node.proof().is_none() {
            node.prove(true);
        }
    }
}

/// Takes a proof at the end of a path up as far as it reaches: a move that wins refutes the one before it, and one whose
/// replies are all closed wins.
pub(crate) fn spread<G: MonteCarlo>(tree: &Tree<G>, path: &[&Node]) {
    for pair in path.windows(2).rev() {
        let (parent, node) = (pair[0], pair[1]);
        match node.proof() {
            Some(true) => parent.prove(false),
            Some(false) if tree.children(parent).iter().all(Node::is_closed) => parent.prove(true),
            _ => return,
        }
    }
}

/// Whether there is nothing left to search for: a move of the root wins, or all of them lose, of those that are permitted.
pub(crate) fn settled<G: MonteCarlo>(tree: &Tree<G>, restrictions: &[Restriction<G::Move>]) -> bool {
    if !G::SOLVES || tree.root().proof().is_none() && restrictions.is_empty() {
        return false;
    }
    let mut children: Vec<&Node> = tree.children(tree.root()).iter().collect();
    keep_permitted(restrictions, tree.position(), &mut children, |child| child.index());
    let lost = |child: &&Node| child.proof() == Some(false);
    children.iter().any(|child| child.proof() == Some(true)) || !children.is_empty() && children.iter().all(lost)
}
