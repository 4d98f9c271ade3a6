//! Lessons from another model: it plays itself by its bare policy, and the policy, value, lead and owners that it gives to each
//! position are learned (distillation, G. Hinton and others 2015). One evaluation a position, in batches of many games.

use super::puct::LONGEST;
use super::selfplay::{End, Lesson, Machine, Wants};
use crate::eval::net::{Answers, Network};
use crate::eval::{Evaluation, PolicyQuery};
use crate::game::Planes;
use crate::rng::Rng;

/// How games are played, and which of their positions are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelSettings {
    /// Temperature of the draw of the first move from the policy. It halves each time that as many plies are played as the board
    /// has columns and rows together, down to a quarter.
    pub temperature: f32,
    /// Share of the moves that are drawn evenly from all, so that positions come up that good play avoids.
    pub chance: f32,
    /// Share of the positions that is learned.
    pub keep: f32,
}

/// Least temperature of the draw.
const COOLEST: f32 = 0.25;

/// A game of the teacher with itself.
pub struct Labelled<G: Planes> {
    position: G,
    /// Moves of the position, and the evaluation once there is one.
    moves: Vec<G::Move>,
    said: Option<Evaluation>,
    lessons: Vec<Lesson<G>>,
}

impl LabelSettings {
    /// The temperature at a position.
    fn temperature<G: Planes>(&self, position: &G) -> f32 {
        let sides: usize = position.board().iter().sum();
        (self.temperature * 0.5_f32.powf(position.plies() as f32 / sides as f32)).max(COOLEST.min(self.temperature))
    }

    /// Draws the number of a move.
    fn draw<G: Planes>(&self, position: &G, policy: &[f32], rng: &mut Rng) -> usize {
        if rng.unit() < self.chance {
            return rng.below(policy.len() as u32) as usize;
        }
        let power = 1.0 / self.temperature(position).max(f32::MIN_POSITIVE);
        let best = policy.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let shares: Vec<f32> = policy.iter().map(|prior| (prior / best).powf(power)).collect();
        rng.weighted(&shares).unwrap_or(policy.len() - 1)
    }
}

impl<G: Planes> Labelled<G> {
    /// The lesson of the position.
    fn lesson(&self, said: &Evaluation) -> Lesson<G> {
        let place = |(&mv, &share): (&G::Move, &f32)| Some((self.position.action_index(mv, 0)?, share, 1.0));
        let end = said.score.filter(|_| !said.ownership.is_empty());
        Lesson {
            position: self.position.clone(),
            actions: self.moves.iter().zip(&said.policy).filter_map(place).collect(),
            value: Some(said.value * self.position.to_move().sign()),
            weight: None,
            end: end.map(|score| End { score, owners: said.ownership.clone() }),
        }
    }
}

impl<G: Planes> Machine for Labelled<G> {
    type G = G;
    type Settings = LabelSettings;

    fn new(start: G) -> Self {
        Self { position: start, moves: Vec::new(), said: None, lessons: Vec::new() }
    }

    fn positions(&self) -> &[G] {
        std::slice::from_ref(&self.position)
    }

    fn advance(&mut self, settings: &LabelSettings, rng: &mut Rng) -> Wants {
        let Some(said) = self.said.take() else { return Wants::Values };
        if rng.unit() < settings.keep {
            self.lessons.push(self.lesson(&said));
        }
        let number = settings.draw(&self.position, &said.policy, rng);
        self.position.play(self.moves[number]);
        let position = &self.position;
        let over = position.outcome().is_some() || position.plies() > LONGEST * position.move_count();
        if over { Wants::Nothing } else { Wants::Values }
    }

    fn supply(&mut self, _: &LabelSettings, network: &Network, answers: &Answers, number: usize) {
        self.position.legal_moves(&mut self.moves);
        self.said = Some(network.evaluation(&PolicyQuery::new(&self.position, &self.moves), answers, number));
    }

    /// Where the model says nothing of scores and owners, the end of the game does; a game that was given up teaches nothing then.
    fn lessons(mut self, _: &LabelSettings, _: &mut Rng) -> Vec<Lesson<G>> {
        let end = End::of(&self.position);
        self.lessons.iter_mut().filter(|lesson| lesson.end.is_none()).for_each(|lesson| lesson.end.clone_from(&end));
        let scored = !self.position.owners().is_empty();
        self.lessons.retain(|lesson| !scored || lesson.end.is_some());
        self.lessons
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::eval::net::{Backend, Options};
    use crate::game::Game;
    use crate::games::Size;
    use crate::games::go::{Move, Position, Rules};
    use crate::learn::selfplay::Player;

    const SETTINGS: LabelSettings = LabelSettings { temperature: 1.0, chance: 0.05, keep: 1.0 };

    fn start() -> Position {
        Position::new(Size::square(5), Rules::CHINESE, 7.5)
    }

    fn network(name: &str) -> Network {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
        let options = Options { backend: Backend::Embedded, cache: 0, ..Options::default() };
        Network::load(&path, &options, &|n| Position::new(Size::square(n), Rules::CHINESE, 7.5)).unwrap()
    }

    /// Lessons are the model's own words on the positions: shown to it again, they give what was learned.
    #[test]
    fn lessons_hold_what_the_model_says() {
        let network = network("go-all.onnx");
        let mut game = Labelled::new(start());
        let mut rng = Rng::new(3);
        let mut answers = Answers::default();
        while game.lessons.len() < 8 && game.advance(&SETTINGS, &mut rng) == Wants::Values {
            network.compute(&[&game.positions()[0]], &mut answers, &|| true).unwrap();
            game.supply(&SETTINGS, &network, &answers, 0);
        }
        let lessons = game.lessons(&SETTINGS, &mut rng);
        assert_eq!(lessons.len(), 8);
        for (ply, lesson) in lessons.iter().enumerate() {
            assert_eq!(lesson.position.plies(), ply);
            let mut moves = Vec::new();
            lesson.position.legal_moves(&mut moves);
            network.compute(&[&lesson.position], &mut answers, &|| true).unwrap();
            let said = network.evaluation(&PolicyQuery::new(&lesson.position, &moves), &answers, 0);
            let shares: Vec<f32> = lesson.actions.iter().map(|action| action.1).collect();
            assert_eq!(shares, said.policy);
            assert_eq!(lesson.value, Some(said.value * lesson.position.to_move().sign()));
            let end = lesson.end.as_ref().unwrap();
            assert_eq!((Some(end.score), &end.owners), (said.score, &said.ownership));
        }
    }

    #[test]
    fn games_end_and_leave_shards() {
        let network = network("go-all.onnx");
        let mut player = Player::<Labelled<Position>>::new(Rng::new(2));
        let settings = LabelSettings { keep: 0.5, ..SETTINGS };
        let mut valued = 0;
        while player.finished() < 4 {
            valued += player.step(&network, 4, &settings, &mut |_| start()).unwrap();
        }
        let [shard] = &player.take()[..] else { panic!("one board") };
        assert!(shard.len() > valued / 10 && shard.len() < valued, "{} of {valued}", shard.len());
        assert_eq!((shard.scores.len(), shard.owners.len()), (shard.len(), 25 * shard.len()));
        for targets in shard.targets.chunks(26) {
            assert!((targets.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }

    /// A model of policy and value alone leaves scores and owners to the end of the game, which one that goes round does not have.
    #[test]
    fn ends_tell_what_the_model_does_not() {
        let said = |position: &Position| {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let policy = vec![1.0 / moves.len() as f32; moves.len()];
            (moves, Evaluation { policy, ..Evaluation::default() })
        };
        let mut rng = Rng::new(7);
        for passes in [1, 2] {
            let mut game = Labelled::new(start());
            for _ in 0..passes {
                let (moves, evaluation) = said(&game.position);
                game.moves = moves;
                game.lessons.push(game.lesson(&evaluation));
                game.position.play(Move::PASS);
            }
            let over = game.position.outcome().is_some();
            let lessons = game.lessons(&SETTINGS, &mut rng);
            assert_eq!((over, lessons.len()), if passes == 2 { (true, 2) } else { (false, 0) });
            assert!(lessons.iter().all(|lesson| lesson.end.as_ref().is_some_and(|end| end.score == -7.5)));
        }
    }

    /// The draw follows the policy to the power of the inverse temperature, and cools down.
    #[test]
    fn moves_are_drawn_from_the_policy() {
        let mut rng = Rng::new(5);
        let settings = LabelSettings { chance: 0.0, ..SETTINGS };
        let count = |settings: &LabelSettings, position: &Position, rng: &mut Rng| {
            (0..4000).filter(|_| settings.draw(position, &[0.2, 0.5, 0.3], rng) == 1).count() as f32 / 4000.0
        };
        assert!((count(&settings, &start(), &mut rng) - 0.5).abs() < 0.03);
        let (mut late, mut moves) = (start(), Vec::new());
        for _ in 0..20 {
            late.legal_moves(&mut moves);
            late.play(moves[0]);
        }
        assert_eq!(settings.temperature(&late), COOLEST);
        // 0.5 to the fourth of the sum of fourth powers.
        assert!((count(&settings, &late, &mut rng) - 0.866).abs() < 0.03);
        let even = LabelSettings { chance: 1.0, ..SETTINGS };
        assert!((count(&even, &start(), &mut rng) - 1.0 / 3.0).abs() < 0.03);
    }
}
