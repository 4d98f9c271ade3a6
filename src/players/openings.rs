//! Random openings, so that games differ.

use crate::game::Game;
use crate::rng::Rng;

/// `start` after `count` random moves of those that `suits` allows; fewer where none is left, none where the game would be over.
pub(super) fn random_of<G: Game>(start: &G, count: usize, rng: &mut Rng, suits: impl Fn(&G, G::Move) -> bool) -> G {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for _ in 0..count {
        position.legal_moves(&mut moves);
        moves.retain(|&mv| suits(&position, mv));
        let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
        position.play(mv);
    }
    if position.outcome().is_some() { start.clone() } else { position }
}

/// `start` after `count` random moves; fewer where none is left, none where the game would be over.
pub(super) fn random<G: Game>(start: &G, count: usize, rng: &mut Rng) -> G {
    random_of(start, count, rng, |_, _| true)
}

/// One of the numbers, by chance.
pub(super) fn one_of<T: Copy>(choices: &[T], rng: &mut Rng) -> T {
    choices[rng.below(choices.len() as u32) as usize]
}
