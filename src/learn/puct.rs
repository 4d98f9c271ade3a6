//! Self-play by a policy: searches with PUCT from each position of a game, whose visits are learned as the policy and whose
//! end as the value (Silver and others 2017). Most moves are searched a little and some a lot, and only the latter are
//! learned from (playout cap randomisation, Wu 2019).
//!
//! Written as a machine that stops whenever a position must be judged, so that one batch can serve many games.

use super::selfplay::{End, Lesson, Machine, Wants};
use crate::eval::net::{Answers, Network, Output};
use crate::game::{Game, MonteCarlo, Outcome, Planes, Side};
use crate::rng::Rng;

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Searches before a move that is learned from.
    pub searches: u32,
    /// Share of the moves that are learned from; the others have a fifth of the searches and no noise.
    pub learned: f32,
    /// Plies of a game in which moves are drawn in proportion to their visits; later ones mostly are the most visited.
    pub varied: u32,
    /// Weight of exploration by the policy.
    pub exploration: f32,
}

impl Settings {
    /// Draws a move of a position by the shares of the visits.
    pub(super) fn draw<G: Game>(&self, position: &G, policy: &[(usize, f32)], rng: &mut Rng) -> usize {
        let power = if position.plies() < self.varied as usize { 1.0 } else { GREED };
        let mut left = rng.unit() * policy.iter().map(|(_, share)| share.powf(power)).sum::<f32>();
        let mut chosen = policy.iter().filter(|(_, share)| *share > 0.0);
        let mut mv = policy[0].0;
        while left >= 0.0
            && let Some(&(index, share)) = chosen.next()
        {
            mv = index;
            left -= share.powf(power);
        }
        mv
    }
}

/// Searches of a move that is not learned from, as a part of the others.
pub(super) const FEWER: u32 = 5;
/// Weight of noise in the policy of a root, and number of moves that the noise favours.
const NOISE: f32 = 0.25;
const FAVOURED: f32 = 10.0;
/// Inverse temperature of the draw of a move after the varied part of a game.
const GREED: f32 = 4.0;
/// Share of the game's end in a position's value; the rest is what the search expected.
const END: f32 = 0.5;
/// What a move without visits counts as: its parent's value, less this times the root of the policy of visited ones.
const REDUCTION: f32 = 0.2;
/// A move that is this certain to win or to lose is searched as little as those that are not learned from.
pub(super) const CERTAIN: f32 = 0.95;
/// Plies of a game for each of its moves; a longer one goes in circles, and is given up.
pub(super) const LONGEST: usize = 3;

/// A move of a position that was judged.
#[derive(Clone, Debug)]
struct Edge {
    index: usize,
    policy: f32,
    visits: u32,
    /// Sum of results for the side that moves.
    value: f32,
    /// The node it leads to, once there is one.
    child: Option<usize>,
}

/// A position of the tree.
#[derive(Clone, Debug)]
struct Node {
    side: Side,
    /// What the model expects for that side.
    value: f32,
    edges: Vec<Edge>,
    /// The result for `First`, where the game is over.
    over: Option<f32>,
}

/// A position that was searched for what is learned.
pub(super) struct Searched<G> {
    pub(super) position: G,
    /// Share of the visits of each move, by its index.
    pub(super) policy: Vec<(usize, f32)>,
    /// The result that the search expected, for the side to move.
    pub(super) expected: f32,
}

impl<G: Planes> Searched<G> {
    /// What is learned of it after the game has come to that end.
    pub(super) fn lesson(self, outcome: Outcome, end: Option<&End>) -> Lesson<G> {
        let Self { position, policy, expected } = self;
        let value = END * outcome.value * position.to_move().sign() + (1.0 - END) * expected;
        let actions = policy
            .into_iter()
            .filter_map(|(index, share)| Some((position.action_index(position.move_at(index), 0)?, share, 1.0)));
        Lesson { actions: actions.collect(), value: Some(value), weight: None, end: end.cloned(), position }
    }
}

/// One game.
pub struct Puct<G: Planes + MonteCarlo> {
    root: G,
    nodes: Vec<Node>,
    /// Where the search that is under way has come to, and by which edges.
    position: G,
    path: Vec<(usize, usize)>,
    /// Searches before the next move, and whether it is learned from.
    left: u32,
    learns: bool,
    /// Whether the last search left no doubt who wins.
    certain: bool,
    searched: Vec<Searched<G>>,
    moves: Vec<G::Move>,
}

impl<G: Planes + MonteCarlo> Puct<G> {
    /// Goes down to a leaf; `false` if it is the end of the game, which is backed up.
    fn descend(&mut self, exploration: f32) -> bool {
        self.position.clone_from(&self.root);
        self.path.clear();
        let mut at = 0;
        loop {
            let Some(node) = self.nodes.get(at) else { return true };
            if let Some(value) = node.over {
                self.back_up(value);
                return false;
            }
            let visits: u32 = node.edges.iter().map(|edge| edge.visits).sum();
            let scale = exploration * (visits.max(1) as f32).sqrt();
            let seen: f32 = node.edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.policy).sum();
            let unvisited = (node.value - REDUCTION * seen.sqrt()).max(-1.0);
            let mean = |edge: &Edge| if edge.visits > 0 { edge.value / edge.visits as f32 } else { unvisited };
            let urgency = |edge: &Edge| mean(edge) + scale * edge.policy / (1 + edge.visits) as f32;
            let best =
                (0..node.edges.len()).max_by(|&a, &b| urgency(&node.edges[a]).total_cmp(&urgency(&node.edges[b])));
            let Some(best) = best else { return true };
            let edge = &node.edges[best];
            self.position.play(self.position.move_at(edge.index));
            self.path.push((at, best));
            match edge.child {
                Some(child) => at = child,
                None => {
                    let Some(outcome) = self.position.outcome() else { return true };
                    let (side, value) = (self.position.to_move(), outcome.value);
                    self.attach(Node { side, value: value * side.sign(), edges: Vec::new(), over: Some(value) });
                    self.back_up(outcome.value);
                    return false;
                }
            }
        }
    }

    /// Adds a node where the search has come to.
    fn attach(&mut self, node: Node) {
        let place = self.nodes.len();
        self.nodes.push(node);
        if let Some(&(parent, edge)) = self.path.last() {
            self.nodes[parent].edges[edge].child = Some(place);
        }
    }

    /// Counts a result for `First`.
    fn back_up(&mut self, value: f32) {
        while let Some((node, edge)) = self.path.pop() {
            let sign = self.nodes[node].side.sign();
            let edge = &mut self.nodes[node].edges[edge];
            edge.visits += 1;
            edge.value += value * sign;
        }
    }

    /// Mixes noise into the policy of the root.
    fn disturb(&mut self, rng: &mut Rng) {
        let Some(root) = self.nodes.first_mut() else { return };
        let alpha = FAVOURED / root.edges.len().max(1) as f32;
        let noise: Vec<f32> = root.edges.iter().map(|_| gamma(alpha.min(1.0), rng)).collect();
        let sum = noise.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for (edge, noise) in root.edges.iter_mut().zip(noise) {
            edge.policy = (1.0 - NOISE) * edge.policy + NOISE * noise / sum;
        }
    }

    /// Plays a move by the visits of the root; `false` if there is nothing to choose from.
    fn play(&mut self, settings: &Settings, rng: &mut Rng) -> bool {
        let Some(root) = self.nodes.first() else { return false };
        let visits: u32 = root.edges.iter().map(|edge| edge.visits).sum();
        if visits == 0 {
            return false;
        }
        let expected = root.edges.iter().map(|edge| edge.value).sum::<f32>() / visits as f32;
        self.certain = expected.abs() > CERTAIN;
        let policy: Vec<(usize, f32)> =
            root.edges.iter().map(|edge| (edge.index, edge.visits as f32 / visits as f32)).collect();
        let mv = settings.draw(&self.root, &policy, rng);
        if self.learns {
            self.searched.push(Searched { position: self.root.clone(), policy, expected });
        }
        self.root.play(self.root.move_at(mv));
        self.nodes.clear();
        true
    }
}

/// A number by the gamma distribution of that shape, at most 1 (Ahrens and Dieter 1974).
fn gamma(shape: f32, rng: &mut Rng) -> f32 {
    let bound = 1.0 + shape / std::f32::consts::E;
    loop {
        let p = bound * rng.unit();
        let again = 1.0 - rng.unit();
        if p <= 1.0 {
            let x = p.powf(1.0 / shape);
            if again <= (-x).exp() {
                return x;
            }
        } else {
            let x = -((bound - p) / shape).max(f32::MIN_POSITIVE).ln();
            if again <= x.powf(shape - 1.0) {
                return x;
            }
        }
    }
}

impl<G: Planes + MonteCarlo> Machine for Puct<G> {
    type G = G;
    type Settings = Settings;

    fn new(start: G) -> Self {
        let position = start.clone();
        let (path, moves) = (Vec::new(), Vec::new());
        let (nodes, searched) = (Vec::new(), Vec::new());
        Self { root: start, nodes, position, path, left: 0, learns: false, certain: false, searched, moves }
    }

    fn positions(&self) -> &[G] {
        std::slice::from_ref(&self.position)
    }

    fn advance(&mut self, settings: &Settings, rng: &mut Rng) -> Wants {
        loop {
            if self.left == 0 {
                if !self.nodes.is_empty() && !self.play(settings, rng)
                    || self.root.outcome().is_some()
                    || self.root.plies() > LONGEST * self.root.move_count()
                {
                    return Wants::Nothing;
                }
                self.learns = rng.unit() < settings.learned;
                let all = self.learns && !self.certain;
                self.left = if all { settings.searches } else { settings.searches / FEWER }.max(2);
                self.position.clone_from(&self.root);
                self.path.clear();
                return Wants::Values;
            }
            self.left -= 1;
            if self.nodes.len() == 1 && self.learns {
                self.disturb(rng);
            }
            if self.descend(settings.exploration) {
                return Wants::Values;
            }
        }
    }

    fn supply(&mut self, _: &Settings, network: &Network, answers: &Answers, number: usize) {
        let position = &self.position;
        position.sensible_moves(&mut self.moves);
        let (side, policy) = (position.to_move(), answers.get(number, Output::Policy));
        let logits = self.moves.iter().map(|&mv| {
            let place = position.action_index(mv, 0);
            (position.index(mv), place.map_or(0.0, |place| policy[place]))
        });
        let logits: Vec<(usize, f32)> = logits.collect();
        let largest = logits.iter().map(|logit| logit.1).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = logits.iter().map(|logit| (logit.1 - largest).exp()).sum();
        let edges = logits.into_iter().map(|(index, logit)| Edge {
            index,
            policy: (logit - largest).exp() / sum,
            visits: 0,
            value: 0.0,
            child: None,
        });
        let edges = edges.collect();
        let value = answers.get(number, Output::Value).first().map_or(0.0, |&value| network.centred(value));
        self.attach(Node { side, value, edges, over: None });
        self.back_up(value * side.sign());
    }

    fn lessons(self, _settings: &Settings, _rng: &mut Rng) -> Vec<Lesson<G>> {
        let Some(outcome) = self.root.outcome() else { return Vec::new() };
        let end = End::of(&self.root);
        self.searched.into_iter().map(|searched| searched.lesson(outcome, end.as_ref())).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::eval::net::{Backend, Options};
    use crate::games::Size;
    use crate::games::hex::Position;
    use crate::learn::selfplay::Player;

    fn network() -> Network {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hex-policy.onnx");
        let options = Options { backend: Backend::Embedded, cache: 0, ..Options::default() };
        Network::load(&path, &options, &|n| Position::new(Size::square(n))).unwrap()
    }

    const SETTINGS: Settings = Settings { searches: 20, learned: 0.5, varied: 6, exploration: 1.0 };

    #[test]
    fn games_end_and_leave_policies_and_values() {
        let network = network();
        let mut player = Player::<Puct<Position>>::new(Rng::new(2));
        while player.finished() < 12 {
            player.step(&network, 4, &SETTINGS, &mut |_| Position::new(Size::square(5))).unwrap();
        }
        let [shard] = &player.take()[..] else { panic!("one board") };
        assert!(shard.len() > 30 && shard.values.len() == shard.len());
        assert!(shard.values.iter().all(|value| (-1.0..=1.0).contains(value)));
        for (targets, weights) in shard.targets.chunks(25).zip(shard.weights.chunks(25)) {
            let sum: f32 = targets.iter().sum();
            assert!((sum - 1.0).abs() < 1e-4);
            // Visits are of legal moves only.
            assert!(targets.iter().zip(weights).all(|(&share, &weight)| share == 0.0 || weight == 1.0));
        }
        // Half of what a position is worth is how its game ended: one is as good as the other side's is bad.
        assert!(shard.values.iter().any(|&value| value > 0.3) && shard.values.iter().any(|&value| value < -0.3));
    }

    /// A move that wins at once gets nearly all visits, whatever the model says.
    #[test]
    fn a_win_is_found() {
        let network = network();
        let mut start = Position::new(Size::square(5));
        let first = [2, 7, 17, 22].map(|cell| (Side::First, cell));
        start.set_up(&[&first[..], &[(Side::Second, 0), (Side::Second, 4)]].concat()).unwrap();
        let (mut game, mut rng) = (Puct::new(start), Rng::new(1));
        let settings = Settings { searches: 200, learned: 1.0, ..SETTINGS };
        while game.advance(&settings, &mut rng) == Wants::Values {
            let mut answers = Answers::default();
            network.compute(&[&game.positions()[0]], &mut answers, &|| true).unwrap();
            game.supply(&settings, &network, &answers, 0);
        }
        let (best, share) = game.searched[0].policy.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!(best == 12 && share > 0.5 && game.searched[0].expected > 0.3, "{best} {share}");
    }

    #[test]
    fn gamma_has_its_mean() {
        let mut rng = Rng::new(1);
        for shape in [0.05_f32, 0.3, 1.0] {
            let count = 20_000;
            let mean = (0..count).map(|_| f64::from(gamma(shape, &mut rng))).sum::<f64>() / f64::from(count);
            assert!((mean - f64::from(shape)).abs() < 0.05 * f64::from(shape).max(0.2), "{shape}: {mean}");
        }
    }
}
