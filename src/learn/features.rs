//! Fitting the weights of what moves look like ([`Featured`]) to the choices of searches: cross entropy by stochastic gradient
//! descent with a step of its own for each weight (J. Duchi, E. Hazan and Y. Singer, *Adaptive subgradient methods*, 2011).

use std::marker::PhantomData;

use super::shard::Shard;
use crate::game::{Featured, softmax};

/// First sum of squared gradients, which keeps the first steps short.
const FIRST_SQUARES: f32 = 1e-2;
/// Pull of every weight towards 0.
const DECAY: f32 = 2e-5;
/// Differences between share and target that are not worth a step.
const NEGLIGIBLE: f32 = 1e-4;

/// Features of the moves of a position, and the share of a search's visits that each had.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureSample<G: Featured> {
    features: Vec<G::Features>,
    shares: Vec<f32>,
}

/// The samples of a shard of positions that were searched by policy.
///
/// # Errors
/// A sentence that says what the shard is not.
pub fn samples<G: Featured>(shard: &Shard) -> Result<Vec<FeatureSample<G>>, String> {
    if shard.values.len() != shard.len() {
        return Err("it holds no shares of moves".to_owned());
    }
    let each = |number: usize, of: usize| number * of..(number + 1) * of;
    let seen: usize = shard.shape.iter().product();
    let (mut samples, mut moves) = (Vec::new(), Vec::new());
    for number in 0..shard.len() {
        let position = G::from_planes(shard.shape, &shard.planes[each(number, seen)])
            .filter(|position| position.action_count() == shard.actions)
            .ok_or_else(|| format!("position {number} is none of this game"))?;
        let [targets, weights] = [&shard.targets, &shard.weights].map(|numbers| &numbers[each(number, shard.actions)]);
        position.sensible_moves(&mut moves);
        let action = |mv: &G::Move| position.action_index(*mv, 0);
        // What may be played is as it was then: a ko is not known here.
        moves.retain(|mv| action(mv).is_some_and(|action| weights[action] > 0.0));
        let mut shares: Vec<f32> = moves.iter().filter_map(action).map(|action| targets[action]).collect();
        let sum: f32 = shares.iter().sum();
        if sum > 0.0 && moves.len() > 1 {
            shares.iter_mut().for_each(|share| *share /= sum);
            let mut features = Vec::new();
            position.features(&moves, &mut features);
            samples.push(FeatureSample { features, shares });
        }
    }
    Ok(samples)
}

/// Weights that are being fitted.
#[derive(Debug)]
pub struct Fit<G> {
    weights: Vec<f32>,
    squares: Vec<f32>,
    policy: Vec<f32>,
    game: PhantomData<G>,
}

/// How well weights predict what searches choose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Mean cross entropy, in nats.
    pub loss: f32,
    /// The least that it can be: the entropy of the choices.
    pub least: f32,
    /// Share of the positions whose likeliest move is the one chosen most.
    pub first: f32,
}

impl<G: Featured> Default for Fit<G> {
    fn default() -> Self {
        Self {
            weights: vec![0.0; G::WEIGHTS],
            squares: vec![FIRST_SQUARES; G::WEIGHTS],
            policy: Vec::new(),
            game: PhantomData,
        }
    }
}

impl<G: Featured> Fit<G> {
    fn predict(&mut self, sample: &FeatureSample<G>) {
        let weight = |&number: &u32| self.weights[number as usize];
        self.policy.clear();
        self.policy.extend(sample.features.iter().map(|of| of.as_ref().iter().map(weight).sum::<f32>()));
        softmax(&mut self.policy);
    }

    /// Takes a step by one sample.
    pub fn learn(&mut self, sample: &FeatureSample<G>, rate: f32) {
        self.predict(sample);
        for ((features, share), policy) in sample.features.iter().zip(&sample.shares).zip(&self.policy) {
            let difference = policy - share;
            if difference.abs() < NEGLIGIBLE {
                continue;
            }
            for &number in features.as_ref().iter().filter(|&&number| number > 0) {
                let (weight, squares) = (&mut self.weights[number as usize], &mut self.squares[number as usize]);
                let gradient = difference + DECAY * *weight;
                *squares += gradient * gradient;
                *weight -= rate * gradient / squares.sqrt();
            }
        }
    }

    /// How well it predicts those samples.
    pub fn quality(&mut self, samples: &[FeatureSample<G>]) -> Quality {
        let likeliest = |shares: &[f32]| (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
        let mut quality = Quality::default();
        for sample in samples {
            self.predict(sample);
            for (share, policy) in sample.shares.iter().zip(&self.policy).filter(|(share, _)| **share > 0.0) {
                quality.loss -= share * policy.max(1e-9).ln();
                quality.least -= share * share.ln();
            }
            quality.first += f32::from(u8::from(likeliest(&self.policy) == likeliest(&sample.shares)));
        }
        let count = samples.len().max(1) as f32;
        Quality { loss: quality.loss / count, least: quality.least / count, first: quality.first / count }
    }

    /// The weights as they are compiled in: a byte with a sign for each, in units of [`Featured::UNIT`].
    pub fn bytes(&self) -> Vec<u8> {
        self.weights.iter().map(|weight| (weight / G::UNIT).round() as i8 as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MonteCarlo, Planes, Side};
    use crate::games::Size;
    use crate::games::go::{Move, Position, Rules};
    use crate::rng::Rng;

    /// Positions after random moves in which one move takes something, with all visits on that.
    fn shard(count: usize, seed: u64) -> Shard {
        let mut shard = Shard {
            shape: Position::new(Size::square(5), Rules::CHINESE, 7.5).shape(),
            actions: 26,
            ..Shard::default()
        };
        let (mut rng, mut moves) = (Rng::new(seed), Vec::new());
        while shard.len() < count {
            let mut position = Position::new(Size::square(5), Rules::CHINESE, 7.5);
            for _ in 0..rng.below(20) {
                position.legal_moves(&mut moves);
                position.play(moves[rng.below(moves.len() as u32 - 1) as usize]);
            }
            position.sensible_moves(&mut moves);
            let lost = |mv: &Move| {
                let mut after = position.clone();
                after.play(*mv);
                after.lost(position.to_move().opponent()) > position.lost(position.to_move().opponent())
            };
            let taking: Vec<Move> = moves.iter().copied().filter(lost).collect();
            if taking.len() != 1 {
                continue;
            }
            position.write_planes(0, &mut shard.planes);
            let (mut targets, mut weights) = (vec![0.0; 26], vec![0.0; 26]);
            moves.iter().for_each(|mv| weights[mv.point().unwrap_or(25)] = 1.0);
            taking.iter().for_each(|mv| targets[mv.point().unwrap_or(25)] = 1.0);
            shard.targets.extend(targets);
            shard.weights.extend(weights);
            shard.values.push(position.to_move().sign());
        }
        shard
    }

    #[test]
    fn what_searches_choose_is_learned() {
        let (learned, others) = (samples(&shard(400, 1)).unwrap(), samples(&shard(100, 2)).unwrap());
        let mut fit = Fit::<Position>::default();
        let before = fit.quality(&others);
        (0..10).for_each(|_| learned.iter().for_each(|sample| fit.learn(sample, 0.1)));
        let after = fit.quality(&others);
        assert!(after.first > 0.9 && before.first < 0.5, "{before:?} {after:?}");
        assert!(after.loss < 0.5 && before.loss > 2.0 && after.least == 0.0, "{before:?} {after:?}");
        let bytes = fit.bytes();
        assert_eq!((bytes.len(), bytes[0]), (Position::WEIGHTS, 0));
        assert!(bytes.iter().any(|&byte| byte as i8 > 8) && bytes.iter().any(|&byte| (byte as i8) < -8));
    }

    #[test]
    fn a_lesson_is_as_the_position_was() {
        let mut position = Position::new(Size::square(9), Rules::CHINESE, 7.5);
        let mut rng = Rng::new(3);
        let (mut moves, mut seen, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..60 {
            position.legal_moves(&mut moves);
            // One move in eight is a pass, though never the second in a row.
            let pass = position.passes() == 0 && rng.below(8) == 0;
            position.play(if pass { Move::PASS } else { moves[rng.below(moves.len() as u32 - 1) as usize] });
            let mut planes = Vec::new();
            position.write_planes(0, &mut planes);
            let read = Position::from_planes(position.shape(), &planes).unwrap();
            assert_eq!(read.to_move(), Side::First);
            position.legal_moves(&mut moves);
            position.features(&moves, &mut seen);
            read.features(&moves, &mut again);
            // Of two ladders that work, the one that is named depends on how the chain came about.
            seen.iter_mut().chain(&mut again).for_each(|features| features[11] = 0);
            assert_eq!(seen, again);
        }
        assert_eq!(position.plies(), 60);
    }

    #[test]
    fn other_shards_are_refused() {
        let of_go = samples::<Position>;
        let good = shard(2, 5);
        assert!(of_go(&good).is_ok_and(|samples| samples.len() == 2));
        for shape in [[3, 5, 5], [21, 5, 99], [21, 0, 5]] {
            let numbers = 2 * shape.iter().product::<usize>();
            let other = Shard { shape, planes: vec![0.0; numbers], ..good.clone() };
            assert!(of_go(&other).unwrap_err().contains("position 0 is none of this game"), "{shape:?}");
        }
        assert!(of_go(&Shard { values: Vec::new(), ..good.clone() }).unwrap_err().contains("no shares"));
        // All points black is no position.
        let mut full = good;
        full.planes[25..50].fill(1.0);
        assert!(of_go(&full).unwrap_err().contains("position 0"));
    }
}
