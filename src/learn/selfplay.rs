//! Many games of descent at once, each waiting for the others' states to be valued in one batch.

use super::descent::{Descent, Lesson, Wants};
use super::shard::Shard;
use crate::eval::net::{Answers, ModelError, Network, Output};
use crate::game::Planes;
use crate::rng::Rng;

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Games at once.
    pub games: usize,
    /// Descents before each move.
    pub descents: u32,
    /// 0: moves are equally likely; 1: the best one is played.
    pub exploitation: f32,
    /// Share of the lessons that is kept, for each time that the state was updated: of 0.1, a fifth of those with two updates
    /// and all of those with ten. What was searched most is known best.
    pub keep: f32,
}

/// A game that is being played.
struct Game<G: Planes> {
    descent: Descent<G>,
    /// Descents before the next move.
    left: u32,
}

/// Plays games in one thread.
pub struct Player<G: Planes> {
    games: Vec<Game<G>>,
    rng: Rng,
    finished: u64,
    /// Lessons by the shape of their board.
    shards: Vec<Shard>,
}

impl<G: Planes> Player<G> {
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

    /// Takes the lessons since the last time, those of each board by themselves.
    pub fn take(&mut self) -> Vec<Shard> {
        std::mem::take(&mut self.shards)
    }

    /// Brings every game to its next state that must be valued, has them valued, and says how many they were. `opening`
    /// makes the position that a new game begins with, which is not over.
    ///
    /// # Errors
    /// [`ModelError`]; the games can go on with another model.
    pub fn step(
        &mut self,
        network: &Network,
        settings: &Settings,
        opening: &mut dyn FnMut(&mut Rng) -> G,
    ) -> Result<usize, ModelError> {
        while self.games.len() < settings.games.max(1) {
            let descent = Descent::new(opening(&mut self.rng));
            self.games.push(Game { descent, left: 0 });
        }
        for number in 0..self.games.len() {
            while self.games[number].advance(settings, &mut self.rng) == Wants::Nothing {
                let fresh = Game { descent: Descent::new(opening(&mut self.rng)), left: 0 };
                let game = std::mem::replace(&mut self.games[number], fresh);
                self.finished += 1;
                for lesson in game.descent.lessons() {
                    if self.rng.unit() < settings.keep * lesson.updates.max(1) as f32 {
                        self.learn(&lesson);
                    }
                }
            }
        }
        // Games on boards of different sizes are valued one size after the other.
        self.games.sort_by_key(|game| game.descent.position().shape());
        let mut answers = Answers::default();
        for games in self.games.chunk_by_mut(|a, b| a.descent.position().shape() == b.descent.position().shape()) {
            let positions: Vec<&G> = games.iter().map(|game| game.descent.position()).collect();
            network.compute(&positions, &mut answers, &|| true)?;
            for (number, game) in games.iter_mut().enumerate() {
                let values = answers.get(number, Output::Actions);
                let position = game.descent.position().clone();
                let sign = position.to_move().sign();
                game.descent.supply(|index| {
                    let place = position.action_index(position.move_at(index), 0);
                    place.map_or(0.0, |place| network.centred(values[place]) * sign)
                });
            }
        }
        Ok(self.games.len())
    }

    fn learn(&mut self, lesson: &Lesson<G>) {
        let (shape, actions) = (lesson.position.shape(), lesson.position.action_count());
        let known = self.shards.iter().position(|shard| shard.shape == shape && shard.actions == actions);
        let number = known.unwrap_or_else(|| {
            self.shards.push(Shard { shape, actions, ..Shard::default() });
            self.shards.len() - 1
        });
        let shard = &mut self.shards[number];
        lesson.position.write_planes(0, &mut shard.planes);
        let begin = shard.targets.len();
        shard.targets.resize(begin + actions, 0.0);
        shard.weights.resize(begin + actions, 0.0);
        for &(index, value, weight) in &lesson.actions {
            shard.targets[begin + index] = value;
            shard.weights[begin + index] = weight;
        }
    }
}

impl<G: Planes> Game<G> {
    /// Goes on until a state must be valued; [`Wants::Nothing`] if the game has come to its end.
    fn advance(&mut self, settings: &Settings, rng: &mut Rng) -> Wants {
        loop {
            if self.left > 0 && self.descent.advance(rng) == Wants::Values {
                return Wants::Values;
            }
            self.left = self.left.saturating_sub(1);
            // A game that is resolved has nothing left to learn from.
            if self.descent.resolution().is_some() {
                return Wants::Nothing;
            }
            if self.left == 0 {
                self.descent.play(settings.exploitation, rng);
                if self.descent.root().outcome().is_some() {
                    return Wants::Nothing;
                }
                self.left = settings.descents.max(1);
            }
            self.descent.begin();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::eval::net::{Backend, Options};
    use crate::games::Size;
    use crate::games::hex::Position;

    fn network() -> Network {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hex-actions.onnx");
        let options = Options { backend: Backend::Embedded, cache: 0, ..Options::default() };
        Network::load(&path, &options, &|n| Position::new(Size::square(n))).unwrap()
    }

    #[test]
    fn games_end_and_leave_lessons_of_each_board() {
        let network = network();
        let mut player = Player::new(Rng::stream(1, 1));
        let settings = Settings { games: 8, descents: 5, exploitation: 0.5, keep: 1.0 };
        let mut size = 5;
        let mut opening = |_: &mut Rng| {
            size = 11 - size;
            Position::new(Size::square(size))
        };
        let mut valued = 0;
        while player.finished() < 20 {
            valued += player.step(&network, &settings, &mut opening).unwrap();
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

    #[test]
    fn the_same_seed_gives_the_same_games() {
        let network = network();
        let play = || {
            let mut player = Player::new(Rng::stream(7, 0));
            let settings = Settings { games: 4, descents: 4, exploitation: 0.3, keep: 0.5 };
            while player.finished() < 6 {
                player.step(&network, &settings, &mut |_| Position::new(Size::square(4))).unwrap();
            }
            player.take()
        };
        assert_eq!(play(), play());
    }
}
