//! Self-play by a policy: searches with PUCT from each position of a game, whose visits are learned as the policy and whose
//! end as the value (Silver and others 2017). Most moves are searched a little and some a lot, and only the latter are
//! learned from (playout cap randomisation, Wu 2019).
//!
//! Written as a machine that stops whenever a position must be valued, so that one batch can serve many games.

use super::selfplay::{End, Lesson, Machine, Wants};
use crate::eval::net::{Answers, Network, Output, logit};
use crate::game::{Game, MonteCarlo, Outcome, Planes, softmax};
use crate::rng::Rng;
use crate::search::Params;
use crate::search::mcts::stepwise::{RootMove, TreeStepper};

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuctSettings {
    /// Searches before a move that is learned from.
    pub searches: u32,
    /// Share of the moves that are learned from; the others have a fifth of the searches and no noise.
    pub learned: f32,
    /// Plies of a game in which moves are drawn in proportion to their visits; later ones mostly are the most visited.
    pub varied: u32,
    /// Weight of exploration by the policy, where results are in -1..=1.
    pub exploration: f32,
}

impl PuctSettings {
    /// Draws a move of a position by the shares of the visits.
    pub(super) fn draw<G: Game>(&self, position: &G, policy: &[(usize, f32)], rng: &mut Rng) -> usize {
        let power = if position.plies() < self.varied as usize { 1.0 } else { GREED };
        let weights: Vec<f32> = policy.iter().map(|(_, share)| share.powf(power)).collect();
        let drawn = rng.weighted(&weights).or_else(|| policy.iter().rposition(|(_, share)| *share > 0.0));
        policy[drawn.unwrap_or(0)].0
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
/// Memory of a game's tree in MiB, allocated as it grows.
const MEMORY: usize = 256;
/// A move that is this certain to win or to lose is searched as little as those that are not learned from.
pub(super) const CERTAIN: f32 = 0.95;
/// Plies of a game for each of its moves; a longer one goes in circles, and is given up.
pub(super) const LONGEST: usize = 3;

/// A position that was searched for what is learned.
pub(super) struct Searched<G> {
    pub(super) position: G,
    /// Share of the visits of each move, by its index.
    pub(super) policy: Vec<(usize, f32)>,
    /// The result that the search expected, for the side to move.
    pub(super) expected: f32,
}

impl<G: Planes> Searched<G> {
    /// The lesson once the game has come to that end.
    pub(super) fn lesson(self, outcome: Outcome, end: Option<&End>) -> Lesson<G> {
        let Self { position, policy, expected } = self;
        let value = END * outcome.value * position.to_move().sign() + (1.0 - END) * expected;
        let actions = policy
            .into_iter()
            .filter_map(|(index, share)| Some((position.action_index(position.move_at(index), 0)?, share, 1.0)));
        Lesson { actions: actions.collect(), value: Some(value), weight: None, end: end.cloned(), position }
    }
}

/// One game. Its searches are those of play ([`crate::search::mcts`]), step by step.
pub struct PolicyGame<G: Planes + MonteCarlo> {
    search: TreeStepper<G>,
    params: Params,
    /// Searches before the next move, and whether it is learned from.
    left: u32,
    learns: bool,
    /// Noise for the priors of the root that waits for its evaluation, if it is to have some.
    noise: Vec<f32>,
    /// Whether the last search left no doubt who wins.
    certain: bool,
    searched: Vec<Searched<G>>,
}

impl PuctSettings {
    /// Parameters of the searches. Results count, not margins; values of searches are in 0..=1, where exploration weighs half as
    /// much.
    fn params(&self) -> Params {
        Params { puct_constant: self.exploration / 2.0, score_weight: 0.0, ..Params::default() }
    }
}

impl<G: Planes + MonteCarlo> PolicyGame<G> {
    /// Plays a move by the visits of the root; `false` if there is nothing to choose from.
    fn play(&mut self, settings: &PuctSettings, rng: &mut Rng) -> bool {
        let moves = self.search.root_moves();
        let visits: u32 = moves.iter().map(|mv| mv.visits).sum();
        if visits == 0 {
            return false;
        }
        let mean = moves.iter().map(|mv| mv.value).sum::<f32>() / visits as f32;
        let expected = 2.0 * mean - 1.0;
        self.certain = expected.abs() > CERTAIN;
        let share = |mv: &RootMove| (mv.index, mv.visits as f32 / visits as f32);
        let policy: Vec<(usize, f32)> = moves.iter().map(share).collect();
        let mv = settings.draw(self.search.root(), &policy, rng);
        if self.learns {
            self.searched.push(Searched { position: self.search.root().clone(), policy, expected });
        }
        self.search.play(mv);
        true
    }

    /// Whether the game goes on.
    fn goes_on(&self) -> bool {
        let root = self.search.root();
        root.outcome().is_none() && root.plies() <= LONGEST * root.move_count()
    }
}

/// Dirichlet noise over so many moves.
fn noise(moves: usize, rng: &mut Rng) -> Vec<f32> {
    let alpha = FAVOURED / moves.max(1) as f32;
    let mut noise: Vec<f32> = (0..moves).map(|_| gamma(alpha.min(1.0), rng)).collect();
    let sum = noise.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    noise.iter_mut().for_each(|share| *share /= sum);
    noise
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

impl<G: Planes + MonteCarlo> Machine for PolicyGame<G> {
    type G = G;
    type Settings = PuctSettings;

    fn new(start: G) -> Self {
        Self {
            search: TreeStepper::new(start, MEMORY),
            params: Params::default(),
            left: 0,
            learns: false,
            noise: Vec::new(),
            certain: false,
            searched: Vec::new(),
        }
    }

    fn positions(&self) -> &[G] {
        std::slice::from_ref(self.search.leaf().0)
    }

    fn advance(&mut self, settings: &PuctSettings, rng: &mut Rng) -> Wants {
        self.params = settings.params();
        loop {
            let begins = self.left == 0;
            if begins {
                if self.search.is_begun() && !self.play(settings, rng) || !self.goes_on() {
                    return Wants::Nothing;
                }
                self.learns = rng.unit() < settings.learned;
                let all = self.learns && !self.certain;
                self.left = if all { settings.searches } else { settings.searches / FEWER }.max(2);
            } else {
                self.left -= 1;
            }
            if self.search.descend(&self.params, rng) {
                // The first leaf is the root.
                let disturbed = begins && self.learns;
                self.noise = if disturbed { noise(self.search.leaf().1.len(), rng) } else { Vec::new() };
                return Wants::Values;
            }
        }
    }

    fn supply(&mut self, _: &PuctSettings, network: &Network, answers: &Answers, number: usize) {
        let (position, moves) = self.search.leaf();
        let policy = answers.get(number, Output::Policy);
        let prior = |&mv| logit(position, policy, mv, 0).unwrap_or(0.0);
        let mut priors: Vec<f32> = moves.iter().map(prior).collect();
        softmax(&mut priors);
        for (prior, noise) in priors.iter_mut().zip(&self.noise) {
            *prior = (1.0 - NOISE) * *prior + NOISE * noise;
        }
        let value = answers.get(number, Output::Value).first().map_or(0.0, |&value| network.centred(value));
        let value = value * position.to_move().sign();
        self.search.supply(value, &priors, &self.params);
    }

    fn lessons(self, _settings: &PuctSettings, _rng: &mut Rng) -> Vec<Lesson<G>> {
        let root = self.search.root();
        let Some(outcome) = root.outcome() else { return Vec::new() };
        let end = End::of(root);
        self.searched.into_iter().map(|searched| searched.lesson(outcome, end.as_ref())).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::eval::net::{Backend, Options};
    use crate::game::Side;
    use crate::games::Size;
    use crate::games::hex::Position;
    use crate::learn::selfplay::Player;

    fn network() -> Network {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hex-policy.onnx");
        let options = Options { backend: Backend::Embedded, cache: 0, ..Options::default() };
        Network::load(&path, &options, &|n| Position::new(Size::square(n))).unwrap()
    }

    const SETTINGS: PuctSettings = PuctSettings { searches: 20, learned: 0.5, varied: 6, exploration: 1.0 };

    #[test]
    fn games_end_and_leave_policies_and_values() {
        let network = network();
        let mut player = Player::<PolicyGame<Position>>::new(Rng::new(2));
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
        let (mut game, mut rng) = (PolicyGame::new(start), Rng::new(1));
        let settings = PuctSettings { searches: 200, learned: 1.0, ..SETTINGS };
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
