//! Playouts and priors of Gomoku: rows are completed, and the opponent is kept from it; other moves are random.

use super::position::{Move, Position};
use crate::game::{Game, MonteCarlo, Outcome, PlayoutEnd, PlayoutPolicy, Prior, Side};
use crate::games::Spelled;
use crate::rng::Rng;

/// Completes a row or hinders one where there is one, and else places any stone; knowing nothing, any.
#[derive(Clone, Debug)]
pub struct Playout {
    position: Position,
    length: u32,
    rows: bool,
    /// Points in no order, all empty ones among them.
    open: Vec<u16>,
    /// Points that complete a row of each side, or did so before they were taken.
    completions: [Vec<usize>; 2],
}

impl Playout {
    pub(super) fn new(position: Position, rows: bool) -> Self {
        Self { position, length: 0, rows, open: Vec::new(), completions: [Vec::new(), Vec::new()] }
    }

    /// The point that must be taken, if there is one.
    fn forced(&mut self) -> Option<usize> {
        let side = self.position.to_move();
        [side, side.opponent()].into_iter().find_map(|side| {
            let points = &mut self.completions[side.index()];
            while points.last().is_some_and(|&point| !self.position.is_empty(point)) {
                points.pop();
            }
            points.last().copied()
        })
    }

    /// A random point where a stone can be placed.
    fn any(&mut self, rng: &mut Rng) -> Option<usize> {
        if self.position.is_bare() {
            let mut moves = Vec::new();
            self.position.legal_moves(&mut moves);
            return Some(moves[rng.below(moves.len() as u32) as usize].point());
        }
        loop {
            let count = self.open.len() as u32;
            let number = (count > 0).then(|| rng.below(count) as usize)?;
            let point = usize::from(self.open.swap_remove(number));
            if self.position.is_empty(point) {
                return Some(point);
            }
        }
    }
}

impl PlayoutPolicy<Position> for Playout {
    fn start(&mut self, position: &Position) {
        self.position = *position;
        self.length = 0;
        self.open.clear();
        self.open.extend((0..position.points()).filter(|&point| position.is_empty(point)).map(|point| point as u16));
        if self.rows {
            self.completions = Side::BOTH.map(|side| position.completions(side));
        }
    }

    fn to_move(&self) -> Side {
        self.position.to_move()
    }

    fn step(&mut self, rng: &mut Rng) -> Option<Move> {
        if self.position.outcome().is_some() {
            return None;
        }
        let point = self.forced().or_else(|| self.any(rng))?;
        self.play(Move::at(point));
        Some(Move::at(point))
    }

    fn suits(&self, mv: Move) -> bool {
        self.position.is_legal(mv)
    }

    fn play(&mut self, mv: Move) {
        let side = self.position.to_move();
        self.position.play(mv);
        self.length += 1;
        if self.rows {
            self.completions[side.index()].extend(self.position.completions_at(side, mv.point()));
        }
    }

    fn end(&self) -> PlayoutEnd {
        PlayoutEnd { outcome: self.position.outcome().unwrap_or(Outcome::DRAW), length: self.length }
    }

    fn add_ownership(&self, owners: &mut [f32]) {
        for (point, owner) in owners.iter_mut().enumerate() {
            *owner += self.position.owner(point).map_or(0.0, Side::sign);
        }
    }
}

/// Visits that this counts as, and the expected result of the best move and of one that is worth nothing.
const WEIGHT: f32 = 10.0;
const BEST: f32 = 0.65;
const WORST: f32 = 0.3;

impl MonteCarlo for Position {
    const SOLVES: bool = true;

    type Playout = Playout;

    fn playout_policy(&self, knowledge: u32) -> Playout {
        Playout::new(*self, knowledge > 1)
    }

    /// The more stones of one side alone there are around a move, the likelier it is good.
    fn priors(&self, moves: &[Move], priors: &mut Vec<Prior>) {
        let gains: Vec<f32> = moves.iter().map(|mv| self.gain(mv.point())).collect();
        let most = gains.iter().copied().fold(1.0, f32::max);
        let mean = |gain: f32| WORST + (BEST - WORST) * (gain / most).sqrt();
        priors.clear();
        priors.extend(gains.into_iter().map(|gain| Prior { weight: WEIGHT, mean: mean(gain), policy: 0.0 }));
    }

    fn point_of(&self, mv: Move) -> Option<usize> {
        Some(mv.point())
    }

    /// Moves that complete a row, and else those that keep the opponent from it: all others change no result.
    fn sensible_moves(&self, moves: &mut Vec<Move>) {
        self.legal_moves(moves);
        let forced = [self.to_move(), self.to_move().opponent()].map(|side| self.completions(side));
        if let Some(points) = forced.iter().find(|points| !points.is_empty()) {
            moves.retain(|mv| points.contains(&mv.point()));
        }
    }
}
