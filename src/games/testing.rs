//! Tools for the tests of games.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;

use super::Spelled;
use crate::game::{Game, MonteCarlo, Outcome, PlayoutPolicy, Side};
use crate::rng::Rng;

/// The legal moves.
pub(crate) fn legal<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The position after a move.
pub(crate) fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut child = position.clone();
    child.play(mv);
    child
}

/// Sequences of so many moves; games that are over have none.
pub(crate) fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => legal(position).len() as u64,
        _ => legal(position).iter().map(|&mv| perft(&after(position, mv), depth - 1)).sum(),
    }
}

/// Plays a random game to its end, which it returns, and checks each of its positions.
pub(crate) fn random_game<G: Game>(mut position: G, seed: u64, mut check: impl FnMut(&G)) -> G {
    let mut rng = Rng::new(seed);
    loop {
        check(&position);
        let moves = legal(&position);
        if moves.is_empty() {
            return position;
        }
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
}

/// Plays a playout, and checks that its moves are legal and counted, and by `check` before each of them. Returns the outcome that it gives
/// and the position at its end.
pub(crate) fn playout<G: MonteCarlo>(
    start: &G,
    knowledge: u32,
    seed: u64,
    mut check: impl FnMut(&G, G::Move),
) -> (Outcome, G) {
    let (mut policy, mut trace) = (start.playout_policy(knowledge), Vec::new());
    let end = policy.run(start, &mut Rng::new(seed), &mut trace);
    let mut position = start.clone();
    for &mv in &trace {
        assert!(position.is_legal(mv));
        check(&position, mv);
        position.play(mv);
    }
    assert_eq!(end.length as usize, trace.len());
    (end.outcome, position)
}

/// Plays random games and checks that positions of one key show the same.
pub(crate) fn keys_tell_apart<G: Game, S: Debug + PartialEq>(start: &G, seed: u64, seen: impl Fn(&G) -> S) {
    let mut known = HashMap::new();
    for game in 0..5 {
        random_game(start.clone(), seed.wrapping_add(game), |position| {
            let seen = (seen(position), position.to_move());
            match known.entry(position.key()) {
                Entry::Occupied(entry) => assert_eq!(entry.get(), &seen),
                Entry::Vacant(entry) => _ = entry.insert(seen),
            }
        });
    }
}

/// The position with the pieces of each side on those points, on the board of `start`.
pub(crate) fn set_up<G: Spelled>(start: &G, pieces: [&[usize]; 2], to_move: Side) -> G {
    let both = Side::BOTH.into_iter().zip(pieces);
    let pieces: Vec<_> = both.flat_map(|(side, points)| points.iter().map(move |&point| (side, point))).collect();
    let mut position = start.with_pieces(&pieces).unwrap();
    position.set_to_move(to_move);
    position
}
