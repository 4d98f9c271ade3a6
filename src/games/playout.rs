//! Playouts of games that choose the next move by chance from the position alone.

use super::Spelled;
use crate::game::{Game, Outcome, PlayoutEnd, PlayoutPolicy, Side};
use crate::rng::Rng;

/// A game whose playouts need nothing but the position.
pub trait PlayedOut: Spelled {
    /// Chooses a move by chance, plays it and returns it; `None` when the playout is over, which has had `length` moves. One that `knows`
    /// follows the game's knowledge, another one takes any legal move. `moves` is scratch memory.
    fn advance(&mut self, knows: bool, length: u32, moves: &mut Vec<Self::Move>, rng: &mut Rng) -> Option<Self::Move>;

    /// The result of a playout that is over here: see [`PlayedOut::advance`].
    fn counted(&self, _knows: bool, _length: u32) -> Outcome {
        self.outcome().unwrap_or(Outcome::DRAW)
    }

    /// How far a playout that is over here has come with an intermediate goal: see [`PlayoutPolicy::goal`].
    fn progress(&self, _goal: usize) -> f32 {
        0.5
    }
}

/// The playout policy of such a game.
#[derive(Clone, Debug)]
pub struct RandomPlayout<G: Game> {
    position: G,
    moves: Vec<G::Move>,
    length: u32,
    knows: bool,
}

impl<G: PlayedOut> RandomPlayout<G> {
    /// A policy that takes any legal move where `knowledge` is 1, and else follows all that the game has.
    pub fn new(position: &G, knowledge: u32) -> Self {
        Self { position: position.clone(), moves: Vec::new(), length: 0, knows: knowledge > 1 }
    }
}

impl<G: PlayedOut> PlayoutPolicy<G> for RandomPlayout<G> {
    fn start(&mut self, position: &G) {
        self.position.clone_from(position);
        self.length = 0;
    }

    fn to_move(&self) -> Side {
        self.position.to_move()
    }

    fn step(&mut self, rng: &mut Rng) -> Option<G::Move> {
        let mv = self.position.advance(self.knows, self.length, &mut self.moves, rng)?;
        self.length += 1;
        Some(mv)
    }

    fn suits(&self, mv: G::Move) -> bool {
        self.position.is_legal(mv)
    }

    fn play(&mut self, mv: G::Move) {
        self.position.play(mv);
        self.length += 1;
    }

    fn end(&self) -> PlayoutEnd {
        PlayoutEnd { outcome: self.position.counted(self.knows, self.length), length: self.length }
    }

    fn add_ownership(&self, owners: &mut [f32]) {
        for (point, owner) in owners.iter_mut().enumerate() {
            *owner += self.position.owner(point).map_or(0.0, Side::sign);
        }
    }

    fn goal(&self, goal: usize) -> f32 {
        self.position.progress(goal)
    }
}
