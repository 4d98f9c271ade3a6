//! Many games at once, each waiting for the others' positions to be valued in one batch.

use super::shard::Shard;
use crate::eval::net::{Answers, ModelError, Network};
use crate::game::Planes;
use crate::rng::Rng;

/// Next step of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Outputs of the model for [`Machine::positions`].
    Values,
    /// Nothing: it has come to its end.
    Nothing,
}

/// Targets that are learned of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson<G> {
    /// The position.
    pub position: G,
    /// Known moves: the place of each in the outputs of a model, its target, and how much that counts.
    pub actions: Vec<(usize, f32, f32)>,
    /// The value of the position itself, where that is learned.
    pub value: Option<f32>,
    /// How much that value counts, where values count more or less.
    pub weight: Option<f32>,
    /// How the game ended, in games of points.
    pub end: Option<End>,
}

/// The end of a game of points, seen by `First`.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Lead in points.
    pub score: f32,
    /// Owner of each point: +1, -1, or 0 for neither.
    pub owners: Vec<f32>,
}

impl End {
    /// The end of a game that is over, if it is one of points.
    pub(super) fn of<G: Planes>(position: &G) -> Option<Self> {
        let (outcome, owners) = (position.outcome()?, position.owners());
        (!owners.is_empty()).then_some(Self { score: outcome.score, owners })
    }
}

/// A game that plays itself and stops wherever it needs a model.
pub trait Machine: Sized {
    /// The game.
    type G: Planes;
    /// How it is played.
    type Settings;

    /// Begins with a position that is not over.
    fn new(start: Self::G) -> Self;

    /// Takes over from the game before it what is to be kept.
    fn follow(&mut self, _before: &Self, _settings: &Self::Settings) {}

    /// The positions that are to be valued, of boards of one shape.
    fn positions(&self) -> &[Self::G];

    /// Goes on until a position must be valued, or to the end of the game.
    fn advance(&mut self, settings: &Self::Settings, rng: &mut Rng) -> Wants;

    /// Takes what the model says of the positions, the answers from that number on.
    fn supply(&mut self, settings: &Self::Settings, network: &Network, answers: &Answers, first: usize);

    /// Lessons of a game that has come to its end.
    fn lessons(self, settings: &Self::Settings, rng: &mut Rng) -> Vec<Lesson<Self::G>>;
}

/// Most positions of a batch, but for those of one game.
const BATCH: usize = 512;

/// Most games that one takes the place of another before any position is valued.
const AT_ONCE: usize = 100;

/// Plays games in one thread.
pub struct Player<M: Machine> {
    games: Vec<M>,
    rng: Rng,
    finished: u64,
    /// Lessons by the shape of their board.
    shards: Vec<Shard>,
}

impl<M: Machine> Player<M> {
    /// Begins nothing yet.
    pub fn new(rng: Rng) -> Self {
        Self { games: Vec::new(), rng, finished: 0, shards: Vec::new() }
    }

    /// Games that have come to their end.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// Positions whose lessons wait to be taken.
    pub fn learned(&self) -> usize {
        self.shards.iter().map(Shard::len).sum()
    }

    /// Whether they take so much memory that they should be taken.
    pub fn is_loaded(&self) -> bool {
        self.shards.iter().any(Shard::is_large)
    }

    /// Takes the lessons since the last time, those of each board by themselves.
    pub fn take(&mut self) -> Vec<Shard> {
        std::mem::take(&mut self.shards)
    }

    /// Brings each of so many games to its next positions that must be valued, has them valued, and says how many they were.
    /// `opening` makes the position that a new game begins with, which is not over.
    ///
    /// # Errors
    /// [`ModelError`]; the games can go on with another model.
    pub fn step(
        &mut self,
        network: &Network,
        games: usize,
        settings: &M::Settings,
        opening: &mut dyn FnMut(&mut Rng) -> M::G,
    ) -> Result<usize, ModelError> {
        while self.games.len() < games.max(1) {
            self.games.push(M::new(opening(&mut self.rng)));
        }
        let mut number = 0;
        while number < self.games.len() {
            let mut wants = Wants::Nothing;
            for _ in 0..AT_ONCE {
                wants = self.games[number].advance(settings, &mut self.rng);
                if wants == Wants::Values {
                    break;
                }
                let mut fresh = M::new(opening(&mut self.rng));
                fresh.follow(&self.games[number], settings);
                let game = std::mem::replace(&mut self.games[number], fresh);
                self.finished += 1;
                for lesson in game.lessons(settings, &mut self.rng) {
                    self.learn(&lesson);
                }
            }
            // Where all is known no game ever wants a value.
            if wants == Wants::Values {
                number += 1;
            } else {
                self.games.swap_remove(number);
            }
        }
        // Games on boards of different sizes are valued one size after the other, and not too many positions at once.
        let shapes: Vec<[usize; 3]> = self.games.iter().map(|game| game.positions()[0].shape()).collect();
        let places = by_shape(&shapes);
        let (mut answers, mut valued, mut places) = (Answers::default(), 0, &places[..]);
        while let Some(&first) = places.first() {
            let (mut positions, mut count) = (Vec::new(), 0);
            while let Some(&place) = places.get(count).filter(|&&place| shapes[place] == shapes[first])
                && (count == 0 || positions.len() + self.games[place].positions().len() <= BATCH)
            {
                positions.extend(self.games[place].positions());
                count += 1;
            }
            network.run(&positions, &mut answers, &|| true)?;
            valued += positions.len();
            let (batch, rest) = places.split_at(count);
            let mut answer = 0;
            for &place in batch {
                let asked = self.games[place].positions().len();
                self.games[place].supply(settings, network, &answers, answer);
                answer += asked;
            }
            places = rest;
        }
        Ok(valued)
    }

    fn learn(&mut self, lesson: &Lesson<M::G>) {
        keep(&mut self.shards, lesson);
    }
}

/// Places of games with planes of those shapes, the games of a shape beside each other.
fn by_shape(shapes: &[[usize; 3]]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..shapes.len()).collect();
    places.sort_by_key(|&place| shapes[place]);
    places
}

/// Adds a lesson to the shard of its board.
pub fn keep<G: Planes>(shards: &mut Vec<Shard>, lesson: &Lesson<G>) {
    let shape = lesson.position.shape();
    let actions = if lesson.actions.is_empty() { 0 } else { lesson.position.action_count() };
    let known = shards.iter().position(|shard| shard.shape == shape && shard.actions == actions);
    let number = known.unwrap_or_else(|| {
        shards.push(Shard { shape, actions, ..Shard::default() });
        shards.len() - 1
    });
    let shard = &mut shards[number];
    lesson.position.write_planes(0, &mut shard.planes);
    let begin = shard.targets.len();
    shard.targets.resize(begin + actions, 0.0);
    shard.weights.resize(begin + actions, 0.0);
    for &(index, value, weight) in &lesson.actions {
        shard.targets[begin + index] = value;
        shard.weights[begin + index] = weight;
    }
    shard.values.extend(lesson.value);
    shard.counts.extend(lesson.weight);
    if let Some(end) = &lesson.end {
        let sign = lesson.position.to_move().sign();
        shard.scores.push(end.score * sign);
        let begin = shard.owners.len();
        shard.owners.resize(begin + end.owners.len(), 0.0);
        for (point, owner) in end.owners.iter().enumerate() {
            shard.owners[begin + lesson.position.point_index(point, 0)] = owner * sign;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::eval::net::{Backend, Options};
    use crate::game::Game as _;
    use crate::games::Size;
    use crate::games::hex::{Move, Position};
    use crate::learn::{Descent, DescentSettings};

    fn network(name: &str) -> Network {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
        let options = Options { backend: Backend::Embedded, cache: 0, ..Options::default() };
        Network::load(&path, &options, &|n| Position::new(Size::square(n))).unwrap()
    }

    #[test]
    fn games_end_and_leave_lessons_of_each_board() {
        let network = network("hex-actions.onnx");
        let mut player = Player::<Descent<Position>>::new(Rng::stream(1, 1));
        let settings = DescentSettings { descents: 5, exploitation: 0.5, keep: 1.0, ..DescentSettings::default() };
        let mut size = 5;
        let mut opening = |_: &mut Rng| {
            size = 11 - size;
            Position::new(Size::square(size))
        };
        let mut valued = 0;
        while player.finished() < 20 {
            valued += player.step(&network, 8, &settings, &mut opening).unwrap();
        }
        let learned = player.learned();
        let shards = player.take();
        assert_eq!((player.learned(), shards.len()), (0, 2));
        assert_eq!(shards.iter().map(Shard::len).sum::<usize>(), learned);
        assert!(learned > 50 && learned <= valued, "{learned} of {valued}");
        for shard in &shards {
            let [planes, rows, columns] = shard.shape;
            assert_eq!((planes, shard.actions), (4, (rows - 2) * (columns - 2)));
            assert_eq!(shard.planes.len(), shard.len() * planes * rows * columns);
            assert!(shard.targets.iter().all(|t| (-1.0..=1.0).contains(t)));
            // Each position teaches something, and exact values are among it.
            for weights in shard.weights.chunks(shard.actions) {
                assert!(weights.iter().any(|&w| w >= 1.0));
            }
            let exact = shard.targets.iter().zip(&shard.weights).filter(|(t, w)| t.abs() == 1.0 && **w > 0.0).count();
            assert!(exact > shard.len() / 4, "{exact} of {}", shard.len());
        }
    }

    /// With a model of states all children of a new state are valued, and what is learned are the values of states.
    #[test]
    fn states_are_learned_too() {
        let network = network("hex-value.onnx");
        let mut player = Player::<Descent<Position>>::new(Rng::stream(3, 1));
        let settings = DescentSettings {
            descents: 3,
            exploitation: 0.5,
            keep: 1.0,
            states: true,
            random_ends: true,
            ..DescentSettings::default()
        };
        let (mut valued, mut steps) = (0, 0);
        let mut start = Position::new(Size::square(6));
        start.play(Move::at(0));
        while player.finished() < 20 {
            valued += player.step(&network, 8, &settings, &mut |_| start.clone()).unwrap();
            steps += 1;
        }
        // More children than games.
        assert!(valued > 3 * 8 * steps, "{valued} in {steps} steps");
        let [shard] = &player.take()[..] else { panic!("one board") };
        assert!(shard.actions == 0 && shard.targets.is_empty() && shard.weights.is_empty());
        assert!(shard.len() > 50, "{}", shard.len());
        assert!(shard.values.len() == shard.len() && shard.counts.len() == shard.len());
        assert!(shard.counts.iter().all(|&count| count >= 1.0) && shard.counts.iter().any(|&count| count > 1.0));
        assert!(shard.values.iter().all(|value| (-1.0..=1.0).contains(value)));
        // A third of the lessons are ends, where whoever is to move has lost.
        let lost = shard.values.iter().filter(|&&value| value == -1.0).count();
        assert!(3 * lost >= shard.len() - 2, "{lost} of {}", shard.len());
    }

    /// Where the second move may be a swap, it is an action of the tree, and the lesson of that position has its plane.
    #[test]
    fn the_swap_is_learned() {
        let network = network("hex-value.onnx");
        let mut start = Position::new(Size::square(4));
        start.set_swap_allowed(true);
        start.play(Move::at(5));
        let settings = DescentSettings { descents: 8, keep: 1.0, states: true, ..DescentSettings::default() };
        for allowed in [true, false] {
            start.set_swap_allowed(allowed);
            let mut player = Player::<Descent<Position>>::new(Rng::stream(5, 1));
            while player.finished() < 4 {
                player.step(&network, 2, &settings, &mut |_| start.clone()).unwrap();
            }
            let [shard] = &player.take()[..] else { panic!("one board") };
            let area = 36;
            let swaps = shard.planes.chunks(4 * area).filter(|planes| planes[3 * area..].iter().all(|&v| v == 1.0));
            // One position of each game.
            assert_eq!(swaps.count(), if allowed { 4 } else { 0 });
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_games() {
        let network = network("hex-actions.onnx");
        let play = || {
            let mut player = Player::<Descent<Position>>::new(Rng::stream(7, 0));
            let settings = DescentSettings { descents: 4, exploitation: 0.3, keep: 0.5, ..DescentSettings::default() };
            while player.finished() < 6 {
                player.step(&network, 4, &settings, &mut |_| Position::new(Size::square(4))).unwrap();
            }
            player.take()
        };
        assert_eq!(play(), play());
    }
}
