//! A game for the tests of the search.

use crate::game::{Game, MonteCarlo, Outcome, PlayoutEnd, PlayoutPolicy, Prior, Side};
use crate::rng::Rng;

/// Nim with one heap: take one to three, whoever takes the last wins. Multiples of four are lost for the side to move.
pub(in crate::search) type Nim = Heap<true>;

#[derive(Clone, Debug)]
pub(in crate::search) struct Heap<const SOLVES: bool> {
    pub(in crate::search) heap: u64,
    to_move: Side,
    plies: usize,
}

impl<const SOLVES: bool> Heap<SOLVES> {
    pub(in crate::search) fn new(heap: u64) -> Self {
        Self { heap, to_move: Side::First, plies: 0 }
    }
}

impl<const SOLVES: bool> Game for Heap<SOLVES> {
    type Move = u64;
    type Findings = ();

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn set_to_move(&mut self, side: Side) {
        self.to_move = side;
    }

    fn legal_moves(&self, moves: &mut Vec<u64>) {
        moves.clear();
        moves.extend(1..=self.heap.min(3));
    }

    fn is_legal(&self, mv: u64) -> bool {
        (1..=self.heap.min(3)).contains(&mv)
    }

    fn play(&mut self, mv: u64) {
        self.heap -= mv;
        self.to_move = self.to_move.opponent();
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heap == 0).then(|| Outcome::of(Some(self.to_move.opponent()), 0.0))
    }

    fn key(&self) -> u64 {
        self.heap * 2 + self.to_move.index() as u64
    }

    fn move_count(&self) -> usize {
        3
    }

    fn index(&self, mv: u64) -> usize {
        mv as usize - 1
    }

    fn move_at(&self, index: usize) -> u64 {
        index as u64 + 1
    }

    fn points(&self) -> usize {
        1
    }

    fn plies(&self) -> usize {
        self.plies
    }
}

pub(in crate::search) struct NimPlayout<const SOLVES: bool>(Heap<SOLVES>, u32);

impl<const SOLVES: bool> PlayoutPolicy<Heap<SOLVES>> for NimPlayout<SOLVES> {
    fn start(&mut self, position: &Heap<SOLVES>) {
        (self.0, self.1) = (position.clone(), 0);
    }

    fn to_move(&self) -> Side {
        self.0.to_move
    }

    fn step(&mut self, rng: &mut Rng) -> Option<u64> {
        if self.0.heap == 0 {
            return None;
        }
        let mv = 1 + u64::from(rng.below(self.0.heap.min(3) as u32));
        self.0.play(mv);
        self.1 += 1;
        Some(mv)
    }

    fn suits(&self, mv: u64) -> bool {
        self.0.is_legal(mv)
    }

    fn play(&mut self, mv: u64) {
        self.0.play(mv);
        self.1 += 1;
    }

    fn end(&self) -> PlayoutEnd {
        PlayoutEnd { outcome: self.0.outcome().unwrap(), length: self.1 }
    }

    /// Two goals: that `First` wins, and that it loses.
    fn goal(&self, goal: usize) -> f32 {
        let won = self.0.to_move == Side::Second;
        f32::from(u8::from(won == (goal == 0)))
    }

    fn add_ownership(&self, owners: &mut [f32]) {
        owners[0] += self.0.to_move.opponent().sign();
    }
}

impl<const SOLVES: bool> MonteCarlo for Heap<SOLVES> {
    const SOLVES: bool = SOLVES;

    type Playout = NimPlayout<SOLVES>;

    fn playout_policy(&self, _: u32) -> NimPlayout<SOLVES> {
        NimPlayout(self.clone(), 0)
    }

    fn priors(&self, moves: &[u64], priors: &mut Vec<Prior>) {
        priors.clear();
        priors.resize(moves.len(), Prior { weight: 2.0, mean: 0.5, ..Prior::default() });
    }

    fn is_sensible(&self, _: u64) -> bool {
        true
    }

    /// Taking one stone pretends to be played on the point that the winner owns.
    fn point_of(&self, mv: u64) -> Option<usize> {
        (mv == 1).then_some(0)
    }

    fn goals(&self) -> usize {
        2
    }

    fn goal_met(&self, _: usize, _: Side, mean: f32) -> bool {
        mean > 0.9
    }
}
