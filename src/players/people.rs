//! Networks that imitate people, and moves as people play them.

use std::path::Path;
use std::sync::Arc;

use super::{LoadError, Played};
use crate::eval::net::{HumanProfile, Network, NetworkEvaluator, Options};
use crate::eval::{Evaluation, PolicyQuery};
use crate::rng::Rng;

/// Least prior that is drawn as it is; those below are drawn more seldom than they come.
const COMMON: f32 = 0.01;
/// Temperatures of those at the start of a game and at its end, and the moves on 19×19 after which half of the difference is left.
const TEMPERATURES: [f32; 2] = [0.85, 0.70];
const HALF: f32 = 80.0;

/// A network that imitates people.
#[derive(Clone, Debug)]
pub struct Imitator(Arc<Network>);

/// Moves that people would play, by a network that imitates them.
#[derive(Clone, Debug)]
pub struct Imitation<M> {
    /// All legal moves.
    pub moves: Vec<M>,
    /// Their priors, and how such a game ends.
    pub evaluation: Evaluation,
}

impl Imitator {
    /// Loads a network that imitates players of a game.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load<G: Played>(path: &Path, options: &Options) -> Result<Self, LoadError> {
        let network = Network::load(path, options, &G::square)?;
        if !network.model().imitates {
            return Err(LoadError::NoPeople { path: path.to_owned() });
        }
        Ok(Self(Arc::new(network)))
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.0
    }

    /// Moves of such people in a position that is not over, which the network sees in that symmetry. `None` if it is for
    /// another game or board.
    pub fn look<G: Played>(&self, position: &G, profile: &HumanProfile, symmetry: usize) -> Option<Imitation<G::Move>> {
        if self.0.model().game != G::NAME {
            return None;
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let query = PolicyQuery::new(position, &moves);
        let evaluation = NetworkEvaluator::<G, ()>::new(Arc::clone(&self.0), ()).imitate(&query, profile, symmetry)?;
        Some(Imitation { moves, evaluation })
    }
}

impl<M: Copy + PartialEq> Imitation<M> {
    /// Prior of a move; `None` if it is not legal.
    pub fn prior(&self, mv: M) -> Option<f32> {
        let place = self.moves.iter().position(|&other| other == mv)?;
        self.evaluation.policy.get(place).copied()
    }

    /// A move drawn among those that may be played, after so many moves on a board of so many points; `None` if there is none.
    pub fn draw(&self, plies: usize, points: usize, may: impl Fn(M) -> bool, rng: &mut Rng) -> Option<M> {
        let way = 0.5_f32.powf(plies as f32 / HALF * 19.0 / (points.max(1) as f32).sqrt());
        let temperature = TEMPERATURES[1] + (TEMPERATURES[0] - TEMPERATURES[1]) * way;
        let weight = |(&mv, &prior): (&M, &f32)| {
            let rare = COMMON * (prior / COMMON).powf(1.0 / temperature);
            if !may(mv) {
                0.0
            } else if prior < COMMON {
                rare
            } else {
                prior
            }
        };
        let weights: Vec<f32> = self.moves.iter().zip(&self.evaluation.policy).map(weight).collect();
        // Sums are rounded: the last move may be due and not found.
        let drawn = rng.weighted(&weights).or_else(|| weights.iter().rposition(|&weight| weight > 0.0));
        drawn.map(|place| self.moves[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_drawn_as_often_as_people_play_them() {
        let evaluation = Evaluation { policy: vec![0.6, 0.3, 0.098, 0.002], ..Evaluation::default() };
        let imitation = Imitation { moves: vec![0, 1, 2, 3], evaluation };
        assert_eq!((imitation.prior(1), imitation.prior(4)), (Some(0.3), None));
        let mut rng = Rng::stream(1, 0);
        let mut counts = [0; 4];
        for _ in 0..20_000 {
            counts[imitation.draw(0, 361, |_| true, &mut rng).unwrap()] += 1;
        }
        for (count, share) in counts[..3].iter().zip([0.6, 0.3, 0.098]) {
            assert!((*count as f32 / 20_000.0 - share).abs() < 0.02, "{counts:?}");
        }
        assert!((5..40).contains(&counts[3]), "{counts:?}");
        assert_eq!(imitation.draw(0, 361, |mv| mv == 3, &mut rng), Some(3));
        assert_eq!(imitation.draw(0, 361, |_| false, &mut rng), None);
    }
}
