//! Tools for the tests of games.

use super::Spelled;
use crate::game::{Game, Side};
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

/// The position with the pieces of each side on those points, on the board of `start`.
pub(crate) fn set_up<G: Spelled>(start: &G, pieces: [&[usize]; 2], to_move: Side) -> G {
    let both = Side::BOTH.into_iter().zip(pieces);
    let pieces: Vec<_> = both.flat_map(|(side, points)| points.iter().map(move |&point| (side, point))).collect();
    let mut position = start.with_pieces(&pieces).unwrap();
    position.set_to_move(to_move);
    position
}
