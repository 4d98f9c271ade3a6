//! One iteration of Monte-Carlo tree search: descend, expand, play out, back up. Formulas are in `select`, memory in `tree`.
//! With a judge in the place of playouts, `judged` goes on from here.

use parking_lot::Mutex;

use super::history::History;
use super::node::{MOST_RAVE, Node};
use super::replies::{Guide, Memory};
use super::select::{advice_value, child_value, exploration, puct_value, unvisited_value};
use super::strategies::{Pursuit, Strategies};
use super::tree::{Scratch, Tree};
use crate::eval::{Judge, NoJudgement, Wanted};
use crate::game::{Game, MonteCarlo, Outcome, PlayoutPolicy, Side, Verdict};
use crate::rng::Rng;
use crate::search::{Params, Restriction, Task, permitted};

/// What playouts of one thread told about the end of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Number of simulations, and of those that know a score.
    pub(crate) count: u64,
    /// See `count`.
    pub(crate) scored: u64,
    /// Sum of scores and of their squares, seen by `First`.
    pub(crate) score: f64,
    /// See `score`.
    pub(crate) score_squares: f64,
    /// Number of simulations that know owners, and the sum of each point's, +1 for `First`.
    pub(crate) owned: u64,
    /// See `owned`.
    pub(crate) owners: Vec<f32>,
    /// Moves of playouts, if they are profiled.
    pub(crate) profile: Profile,
}

/// Where playouts move, and on whose advice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Profile {
    /// All moves of playouts.
    pub(crate) moves: u64,
    /// Those at most [`LOCAL`] steps from the move before.
    pub(crate) local: u64,
    /// Those that were learned replies.
    pub(crate) learned: u64,
}

/// No place in a sequence.
const NEVER: u32 = u32::MAX;
/// Steps to the last move of a move that counts as local (Fabbri 2015, section 5.5.3).
const LOCAL: usize = 3;

/// What a simulation brings back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Return {
    /// The result that `First` expects, in -1..=1.
    pub(crate) value: f32,
    /// Points by which `First` leads, if it is known.
    pub(crate) score: Option<f32>,
}

impl From<Outcome> for Return {
    fn from(outcome: Outcome) -> Self {
        Self { value: outcome.value, score: Some(outcome.score) }
    }
}

impl Tally {
    /// Counts a simulation.
    pub(crate) fn add(&mut self, back: &Return) {
        self.count += 1;
        if let Some(score) = back.score.map(f64::from) {
            self.scored += 1;
            self.score += score;
            self.score_squares += score * score;
        }
    }

    /// The sums of owners of so many points, to be added to once.
    pub(crate) fn owners(&mut self, points: usize) -> &mut [f32] {
        self.owned += 1;
        self.owners.resize(points, 0.0);
        &mut self.owners
    }
}

/// What is common to all threads of a run.
pub(crate) struct Shared<'a, G: Game> {
    pub(crate) tree: &'a Tree<G>,
    pub(crate) params: &'a Params,
    pub(crate) restrictions: &'a [Restriction<G::Move>],
    pub(crate) ownership: bool,
    /// What values leaves and deals out attention in the place of playouts and knowledge.
    pub(crate) judge: Option<&'a dyn Judge<G>>,
    /// What is asked of nodes that have earned it, beside playouts and knowledge.
    pub(crate) adviser: Option<&'a dyn Judge<G>>,
    /// Intermediate goals that simulations pursue.
    pub(crate) strategies: Option<&'a Strategies>,
    /// What simulations say of moves and points for nodes that are grown.
    history: Option<&'a History>,
    /// The trees of the goals, where each has one of its own.
    pub(crate) grove: &'a [Tree<G>],
    /// Whether the moves of playouts are counted.
    profiled: bool,
}

impl<'a, G: MonteCarlo> Shared<'a, G> {
    pub(crate) fn new(
        tree: &'a Tree<G>,
        task: &Task<'a, G>,
        judge: Option<&'a dyn Judge<G>>,
        strategies: Option<&'a Strategies>,
        history: Option<&'a History>,
        grove: &'a [Tree<G>],
    ) -> Self {
        let (judge, adviser) = if task.params.advice_visits > 0 { (None, judge) } else { (judge, None) };
        let Task { params, restrictions, ownership, .. } = *task;
        let profiled = tracing::enabled!(tracing::Level::DEBUG);
        Self { tree, params, restrictions, ownership, judge, adviser, strategies, history, grove, profiled }
    }

    /// The goal, unless it needs no more moves from the root on.
    fn unmet(&self, goal: Option<usize>) -> Option<usize> {
        goal.filter(|&goal| self.strategies.is_some_and(|all| !all.met(goal, self.tree.position())))
    }

    /// The same in the tree of a goal.
    fn within(&self, goal: usize) -> Option<Self> {
        Some(Self { tree: self.grove.get(goal)?, ..*self })
    }

    /// The tree that says which move is the best one: that of the goal, or of the game, that was pursued most.
    pub(crate) fn leading(&self) -> &'a Tree<G> {
        if self.grove.is_empty() || G::SOLVES && settled(self.tree) {
            return self.tree;
        }
        let goal = self.unmet(self.strategies.and_then(Strategies::leading));
        goal.and_then(|goal| self.grove.get(goal)).unwrap_or(self.tree)
    }

    /// Whether one of the trees has no room.
    pub(crate) fn wants_pruning(&self) -> bool {
        self.tree.wants_pruning() || self.grove.iter().any(Tree::wants_pruning)
    }
}

/// Buffers and generator of one thread.
pub(crate) struct Worker<'s, G: MonteCarlo> {
    pub(super) rng: Rng,
    position: G,
    pub(super) playout: G::Playout,
    pub(super) trace: Vec<G::Move>,
    guide: Guide,
    memory: Option<&'s Memory>,
    /// Moves of playouts that were learned, since they were last counted.
    learned: u64,
    /// Sides and move indices of the simulation, tree part first.
    sequence: Vec<(Side, u32)>,
    /// For each move index who plays it first, and where, in the part of the sequence looked at.
    first: Vec<(Side, u32)>,
    pub(super) scratch: Scratch<G>,
    verdicts: Vec<Verdict>,
    moves: Vec<G::Move>,
    owners: Vec<f32>,
}

impl<'s, G: MonteCarlo> Worker<'s, G> {
    pub(crate) fn new(position: &G, params: &Params, memory: Option<&'s Memory>, rng: Rng) -> Self {
        Self {
            rng,
            position: position.clone(),
            playout: position.playout_policy(params.playout_knowledge),
            trace: Vec::new(),
            guide: Guide::default(),
            memory,
            learned: 0,
            sequence: Vec::new(),
            first: vec![(Side::First, NEVER); position.move_count()],
            scratch: Scratch::default(),
            verdicts: Vec::new(),
            moves: Vec::new(),
            owners: Vec::new(),
        }
    }

    /// Goes down from the root once, plays out from there as often as the parameters say, and backs each playout up.
    pub(crate) fn iterate<'a>(
        &mut self,
        shared: &Shared<'a, G>,
        path: &mut Vec<&'a Node>,
        tally: &Mutex<Tally>,
        wanted: Wanted<'_>,
    ) {
        let exploration = shared.params.strategy_exploration;
        let goal = shared.strategies.and_then(|all| all.choose(exploration, &mut self.rng));
        let root = shared.tree.position();
        let mut pursuit =
            shared.strategies.zip(goal).map(|(all, goal)| Pursuit::new(all, goal, root.key(), shared.params));
        let pursued = shared.unmet(goal);
        let within = pursued.and_then(|goal| shared.within(goal));
        let shared = within.as_ref().unwrap_or(shared);
        let over = self.go_down(shared, path, pursuit.as_mut().filter(|_| pursued.is_some()), wanted);
        if over.is_some() && G::SOLVES {
            spread(shared.tree, path);
        }
        if over.is_some() && (shared.ownership || pursuit.is_some()) {
            self.playout.run(&self.position, &mut self.rng, &mut self.trace);
        }

        let depth = self.sequence.len();
        let times = if over.is_some() { 1 } else { shared.params.leaf_playouts };
        for number in 0..times {
            if number > 0 {
                self.sequence.truncate(depth);
                path.iter().for_each(|node| node.enter());
            }
            let back = over.unwrap_or_else(|| Return::from(self.play_out(shared, path)));
            back_up(shared, path, &self.sequence, &back);
            self.back_up_rave(shared, path, &back);
            self.learn(shared, depth, &back, pursuit.as_ref(), over.is_none());
            let mut tally = tally.lock();
            tally.add(&back);
            if shared.profiled {
                self.profile(depth, &mut tally.profile);
            }
            if shared.ownership {
                self.playout.add_ownership(tally.owners(self.position.points()));
            }
        }
    }

    /// Goes down to a leaf, by the values of a goal as well as long as one is pursued. Returns what the position there is
    /// worth, if that is certain.
    fn go_down<'a>(
        &mut self,
        shared: &Shared<'a, G>,
        path: &mut Vec<&'a Node>,
        mut pursuit: Option<&mut Pursuit<'_>>,
        wanted: Wanted<'_>,
    ) -> Option<Return> {
        self.position.clone_from(shared.tree.position());
        self.sequence.clear();
        path.clear();
        let player = self.position.to_move();
        let mut node = shared.tree.root();
        loop {
            node.enter();
            path.push(node);
            if let Some(outcome) = self.proved(shared, node, path.len() - 1) {
                return Some(Return { value: outcome.sign(), score: None });
            }
            if !node.is_expanded() {
                let ripe = node.visits() >= shared.params.expand_visits;
                let (weight, history) = (shared.params.prior_weight, shared.history);
                if !ripe || !shared.tree.expand(node, &self.position, weight, history, &mut self.scratch) {
                    return None;
                }
            }
            if let Some(adviser) = shared.adviser
                && node.visits() >= shared.params.advice_visits as u32
                && node.claim_advice()
            {
                self.take_advice(shared, adviser, path, wanted);
            }
            let side = self.position.to_move();
            if let Some(pursuit) = &mut pursuit {
                pursuit.stand_at(self.position.key());
            }
            let blend = pursuit.as_deref().filter(|_| side == player);
            let Some(child) = select(shared, node, &self.position, path.len() - 1, blend, &mut self.rng) else {
                // Expanded and without children: the game is over, its value exact.
                return Some(Return::from(self.position.outcome().unwrap_or(Outcome::DRAW)));
            };
            self.sequence.push((side, child.index() as u32));
            self.position.play(self.position.move_at(child.index()));
            if let Some((known, mean)) = pursuit.as_mut().map(|pursuit| (pursuit.goal, pursuit.made(child.index())))
                && mean.is_some_and(|mean| self.position.goal_met(known, player, mean))
            {
                pursuit = None;
            }
            node = child;
        }
    }

    /// Asks a judge about the node that the simulation has come to: its children get the judge's policy, and all nodes of the
    /// path its value.
    fn take_advice(&mut self, shared: &Shared<'_, G>, adviser: &dyn Judge<G>, path: &[&Node], wanted: Wanted<'_>) {
        let node = path[path.len() - 1];
        shared.tree.complete(node);
        let children = shared.tree.children(node);
        self.moves.clear();
        self.moves.extend(children.iter().map(|child| self.position.move_at(child.index())));
        if self.moves.is_empty() {
            return;
        }
        let mut judgements = Vec::new();
        match adviser.judge(&[(&self.position, &self.moves)], &mut judgements, wanted) {
            Err(NoJudgement::Cancelled) => node.release_advice(),
            Err(NoJudgement::Failed) => {}
            Ok(()) => {
                let Some(judgement) = judgements.pop() else { return };
                children.iter().zip(&judgement.policy).for_each(|(child, &policy)| child.set_policy(policy));
                node.advised();
                let back = Return { value: judgement.value, score: judgement.score };
                let (points, weight) = (self.position.points() as f32, shared.params.advice_weight);
                for (node, side) in sides(shared, path, &self.sequence) {
                    // Who knows no score leaves the mean as it is.
                    let score = back.score.map(|score| score * side.sign()).or(node.mean_score()).unwrap_or(0.0);
                    node.credit(value_for(&back, side, points, shared.params), score, weight);
                }
            }
        }
    }

    /// Teaches what lies beside the tree: replies of playouts, goals and the moves that were made for them.
    fn learn(
        &mut self,
        shared: &Shared<'_, G>,
        depth: usize,
        back: &Return,
        pursuit: Option<&Pursuit<'_>>,
        played_out: bool,
    ) {
        let player = shared.tree.position().to_move();
        if let Some(strategies) = shared.strategies {
            strategies.learn(pursuit.map(|pursuit| pursuit.goal), 0.5 + 0.5 * back.value * player.sign());
        }
        if let Some(pursuit) = pursuit {
            let progress = self.playout.goal(pursuit.goal);
            pursuit.learn(if player == Side::First { progress } else { 1.0 - progress });
        }
        if let Some(history) = shared.history {
            history.learn(&self.sequence[..depth], back.value);
            if let Some(winner) = winner(back.value).filter(|_| played_out && history.counts_owners()) {
                self.owners.clear();
                self.owners.resize(self.position.points(), 0.0);
                self.playout.add_ownership(&mut self.owners);
                history.learn_owners(winner, &self.owners);
            }
        }
        if let Some(memory) = self.memory {
            memory.learn(&self.sequence, depth, 0.5 + 0.5 * back.value);
        }
    }

    /// Counts the moves of the playout, which stand in the sequence from `depth` on.
    fn profile(&mut self, depth: usize, profile: &mut Profile) {
        profile.learned += std::mem::take(&mut self.learned);
        profile.moves += (self.sequence.len() - depth) as u64;
        for plies in self.sequence[depth.saturating_sub(1)..].windows(2) {
            let steps = self.position.steps(plies[0].1 as usize, plies[1].1 as usize);
            profile.local += u64::from(steps.is_some_and(|steps| steps <= LOCAL));
        }
    }

    /// Who wins the position that the simulation has come to, if that is proved or the game knows it.
    fn proved(&mut self, shared: &Shared<'_, G>, node: &Node, depth: usize) -> Option<Side> {
        // The root is searched for a move, whoever wins.
        if !G::SOLVES || depth == 0 {
            return None;
        }
        let side = self.position.to_move();
        if node.proof().is_none() {
            if !node.is_expanded() {
                if node.visits() == 0
                    && let Some((winner, _)) = self.position.proven()
                {
                    node.prove(winner != side);
                }
            } else if node.visits() >= shared.params.solved_visits && node.claim_asking() {
                ask(shared.tree, node, &self.position, &mut self.moves, &mut self.verdicts, false);
            }
        }
        node.proof().map(|won| if won { side.opponent() } else { side })
    }

    /// Plays out from where the simulation is, by learned replies and the game's policy.
    fn play_out<'a>(&mut self, shared: &Shared<'a, G>, path: &[&'a Node]) -> Outcome {
        let Some(memory) = self.memory else {
            let end = self.playout.run(&self.position, &mut self.rng, &mut self.trace);
            let mut side = self.position.to_move();
            for &mv in &self.trace {
                self.sequence.push((side, self.position.index(mv) as u32));
                side = G::after(side);
            }
            return end.outcome;
        };
        let (params, position) = (shared.params, &self.position);
        memory.begin(&mut self.guide, path, &self.sequence, |node| shared.tree.children(node));
        self.playout.start(position);
        loop {
            let side = self.playout.to_move();
            let learned = if self.rng.unit() < params.reply_share {
                let suits = |index| self.playout.suits(position.move_at(index));
                memory.reply(&mut self.guide, side, params, &mut self.rng, suits)
            } else {
                None
            };
            let index = match learned {
                Some(index) => {
                    self.learned += 1;
                    self.playout.play(position.move_at(index));
                    index as u32
                }
                None => match self.playout.step(&mut self.rng) {
                    Some(mv) => position.index(mv) as u32,
                    None => return self.playout.end().outcome,
                },
            };
            self.sequence.push((side, index));
            memory.played(&mut self.guide, side, index);
        }
    }

    fn back_up_rave<'a>(&mut self, shared: &Shared<'a, G>, path: &[&'a Node], back: &Return) {
        if shared.params.rave_equivalence <= 0.0 {
            return;
        }
        let points = shared.tree.position().points() as f32;
        let (weighted, any_side) = (shared.params.rave_weighting == 1, shared.params.rave_colour == 0);
        let length = self.sequence.len();
        // From the end of the game backwards, so that at each depth the table says who plays a move first from there on.
        self.first.fill((Side::First, NEVER));
        for depth in (0..length).rev() {
            let (side, index) = self.sequence[depth];
            self.first[index as usize] = (side, depth as u32);
            if depth < path.len() && path[depth].visits() < MOST_RAVE {
                let value = value_for(back, side, points, shared.params);
                for child in shared.tree.children(path[depth]).iter() {
                    let (by, at) = self.first[child.index()];
                    if at != NEVER && (by == side || any_side) {
                        let later = (at as usize - depth) as f32 / (length - depth) as f32;
                        child.visit_rave(value, if weighted { 2.0 - later } else { 1.0 });
                    }
                }
            }
        }
    }
}

/// Marks what the game's knowledge says of a node and its children. At the root no move is closed that is not lost, since
/// people ask about the others too.
pub(super) fn ask<G: MonteCarlo>(
    tree: &Tree<G>,
    node: &Node,
    position: &G,
    moves: &mut Vec<G::Move>,
    verdicts: &mut Vec<Verdict>,
    at_root: bool,
) {
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

/// Takes a proof at the end of a path up as far as it reaches: a move that wins refutes the one before it, and one whose
/// replies are all closed wins.
fn spread<G: MonteCarlo>(tree: &Tree<G>, path: &[&Node]) {
    for pair in path.windows(2).rev() {
        let (parent, node) = (pair[0], pair[1]);
        match node.proof() {
            Some(true) => parent.prove(false),
            Some(false) if tree.children(parent).iter().all(Node::is_closed) => parent.prove(true),
            _ => return,
        }
    }
}

/// Whether there is nothing left to search for: a move of the root wins, or all of them lose.
pub(super) fn settled<G: MonteCarlo>(tree: &Tree<G>) -> bool {
    let children = tree.children(tree.root());
    match tree.root().proof() {
        None => false,
        Some(false) => children.iter().any(|child| child.proof() == Some(true)),
        Some(true) => children.iter().all(|child| child.proof() == Some(false)),
    }
}

/// The best child that the restrictions permit, or the best of all if they permit none; `None` if there is none.
pub(super) fn select<'a, G: MonteCarlo>(
    shared: &Shared<'a, G>,
    node: &'a Node,
    position: &G,
    depth: usize,
    pursuit: Option<&Pursuit<'_>>,
    rng: &mut Rng,
) -> Option<&'a Node> {
    let side = position.to_move();
    let restricted = shared.restrictions.iter().any(|r| r.side == side && depth < r.depth);
    // Without a policy, or with some of them forbidden, any move may be the next one.
    if restricted || shared.judge.is_none() {
        shared.tree.complete(node);
    }
    let children = shared.tree.children(node);
    if restricted {
        let permitted: Vec<&Node> = children
            .iter()
            .filter(|child| permitted(shared.restrictions, position, side, child.index(), depth))
            .collect();
        if !permitted.is_empty() {
            node.leave_out();
            let open = permitted.iter().copied().filter(|child| !child.is_closed());
            return choose(shared, node, open, pursuit, rng)
                .or_else(|| choose(shared, node, permitted.into_iter(), pursuit, rng));
        }
    }
    if !G::SOLVES {
        let chosen = choose(shared, node, children.iter().chain(children.link), pursuit, rng);
        if chosen.is_none_or(|chosen| children.link.is_none_or(|link| !std::ptr::eq(link, chosen))) {
            return chosen;
        }
        shared.tree.complete(node);
        let rest = shared.tree.children(node).first_of_rest();
        return rest.or_else(|| choose(shared, node, children.iter(), pursuit, rng));
    }
    if let Some(won) = children.iter().find(|child| child.proof() == Some(true)) {
        return Some(won);
    }
    let open = children.iter().filter(|child| !child.is_closed());
    choose(shared, node, open, pursuit, rng).or_else(|| choose(shared, node, children.iter(), pursuit, rng))
}

/// The child of highest value by the formula of the search.
#[inline]
fn choose<'a, G: MonteCarlo>(
    shared: &Shared<'a, G>,
    node: &'a Node,
    children: impl Iterator<Item = &'a Node>,
    pursuit: Option<&Pursuit<'_>>,
    rng: &mut Rng,
) -> Option<&'a Node> {
    let params = shared.params;
    if shared.judge.is_none() {
        let visits = (node.visits() + 1) as f32;
        let (log_parent, root_of_visits) = (visits.ln(), if node.is_advised() { visits.sqrt() } else { 0.0 });
        let value = |child: &Node| {
            let stats = child.stats();
            child_value(&stats, log_parent, params) + advice_value(&stats, root_of_visits, params)
        };
        return match pursuit {
            None => best(children, value, rng),
            Some(pursuit) => {
                let blended = |child: &Node| {
                    let more = exploration(&child.stats(), log_parent, params);
                    pursuit.blend(child.index(), value(child) - more, child.visits() > 0) + more
                };
                best(children, blended, rng)
            }
        };
    }
    let own = node.attention();
    let root_of_visits = (own.all.max(1) as f32).sqrt();
    // One pass: of the children without visits only the one with the largest policy can be chosen, which is the first
    // since they stand in that order. Where none was ever left out, none after it has visits.
    let whole = !node.has_left_out();
    let (mut seen, mut visited, mut fresh) = (0.0, None::<(f32, &Node)>, None);
    for child in children {
        let it = child.attention();
        if it.visits > 0 {
            seen += it.policy;
        }
        if it.all > 0 {
            let value = puct_value(&it, 0.0, root_of_visits, params);
            if visited.is_none_or(|best| value > best.0) {
                visited = Some((value, child));
            }
        } else if fresh.is_none() {
            fresh = Some((it, child));
            if whole {
                break;
            }
        }
    }
    let mean = if own.visits > 0 { own.value / own.visits as f32 } else { 0.5 };
    let mean = if G::PLAYERS == 1 { mean } else { 1.0 - mean };
    let unvisited = unvisited_value(mean, seen, params);
    let fresh = fresh.map(|(it, child)| (puct_value(&it, unvisited, root_of_visits, params), child));
    let better = |a: (f32, &'a Node), b: (f32, &'a Node)| if b.0 > a.0 { b } else { a };
    visited.into_iter().chain(fresh).reduce(better).map(|(_, child)| child)
}

/// The child of highest value; equal ones by chance.
#[inline]
fn best<'a>(children: impl Iterator<Item = &'a Node>, value: impl Fn(&Node) -> f32, rng: &mut Rng) -> Option<&'a Node> {
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    let mut equal = 0;
    for child in children {
        let value = value(child);
        if value < best_value {
            continue;
        }
        equal = if value > best_value { 1 } else { equal + 1 };
        if equal == 1 || rng.below(equal) == 0 {
            best_value = value;
            best = Some(child);
        }
    }
    best
}

/// Counts a simulation in all nodes of its path. `sequence` begins with the moves of the path.
pub(super) fn back_up<'a, G: MonteCarlo>(
    shared: &Shared<'a, G>,
    path: &[&'a Node],
    sequence: &[(Side, u32)],
    back: &Return,
) {
    let points = shared.tree.position().points() as f32;
    for (node, side) in sides(shared, path, sequence) {
        node.visit(value_for(back, side, points, shared.params), back.score.unwrap_or(0.0) * side.sign());
    }
}

/// The nodes of a path, and whose moves they are: the root is that of the side that is not to move, where there are two.
fn sides<'a, G: MonteCarlo>(
    shared: &Shared<'_, G>,
    path: &[&'a Node],
    sequence: &[(Side, u32)],
) -> impl Iterator<Item = (&'a Node, Side)> {
    let to_move = shared.tree.position().to_move();
    let root = if G::PLAYERS == 1 { to_move } else { to_move.opponent() };
    let sides = std::iter::once(root).chain(sequence.iter().map(|ply| ply.0));
    path.iter().copied().zip(sides)
}

/// Who has won a simulation.
fn winner(value: f32) -> Option<Side> {
    match value {
        0.0 => None,
        value => Some(if value > 0.0 { Side::First } else { Side::Second }),
    }
}

/// Result of a simulation for a side, in 0..=1: the winner, with a small part for the margin where that is known.
fn value_for(back: &Return, side: Side, points: f32, params: &Params) -> f32 {
    let win = 0.5 + 0.5 * back.value * side.sign();
    let Some(score) = back.score else { return win };
    let margin = 0.5 + 0.5 * (score * side.sign() / (points * 0.25)).clamp(-1.0, 1.0);
    win * (1.0 - params.score_weight) + margin * params.score_weight
}
