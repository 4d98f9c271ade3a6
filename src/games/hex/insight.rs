//! Knowledge of a Hex position for a solver: inferior cells, connections and must-play regions, with the cells that each
//! rests on, and moves in the order of the currents through them.

use super::board::Board;
use super::connection::{self, CellZone, Cells, Findings, Links, Until, with_words};
use super::inferior;
use super::moves::Move;
use super::position::Position;
use super::symmetry::rotate;
use super::wins::Wins;
use crate::game::{Game, Insight, Recalled, Side, Solvable};

/// How much more is to be done after a move through which no current flows than after that with the most.
const EFFORT_OF_DOUBT: f32 = 2.0;

impl Solvable for Position {
    type Zone = CellZone;
    type Wins = Wins;

    /// Not while the first stone, on the board or still to be put there, may be swapped.
    fn is_solvable(&self) -> bool {
        !self.may_be_swapped()
    }

    fn insight(&self, findings: &Findings) -> Insight<Move, CellZone> {
        with_words!(self.points(), W => self.insight_within::<W>(findings))
    }

    fn keep(&self, wins: &Wins, winner: Side, zone: &CellZone, mv: Option<Move>) {
        with_words!(self.points(), W => self.keep_win::<W>(wins, winner, &zone.cells(), mv));
    }

    fn recall(&self, wins: &Wins) -> Recalled<Move, CellZone> {
        with_words!(self.points(), W => self.recalled::<W>(wins))
    }
}

impl Position {
    /// [`Solvable::insight`] with sets of `W` words.
    fn insight_within<const W: usize>(&self, findings: &Findings) -> Insight<Move, CellZone> {
        let side = self.to_move();
        if let Some(winner) = self.winner() {
            return Insight::Decided(winner, CellZone::default(), None);
        }
        let opponent = side.opponent();
        let mut board = self.board.clone();
        let (theirs, links) = loop {
            inferior::fill_in::<W>(&mut board);
            let decided = |winner, carrier, key| self.decided(&board, winner, carrier, key);
            if let Some(winner) = board.winner() {
                return decided(winner, Cells::<W>::default(), None);
            }
            let (own, beside_own) = connection::linked_edges::<W>(findings, &board, side, Until::Threat);
            if let Some(carrier) = own.joined {
                return decided(side, carrier, None);
            }
            if let Some(&(key, carrier)) = own.threats.first() {
                return decided(side, carrier, Some(key));
            }
            let (theirs, beside_theirs) = connection::linked_edges::<W>(findings, &board, opponent, Until::Joined);
            if let Some(carrier) = theirs.joined {
                return decided(opponent, carrier, None);
            }
            let (owner, cells) = match (beside_own.enclosed, beside_theirs.enclosed) {
                (Some(cells), _) => (side, cells),
                (None, Some(cells)) => (opponent, cells),
                (None, None) => break (theirs, [beside_own.links, beside_theirs.links]),
            };
            (0..self.points()).filter(|&cell| cells.has(cell)).for_each(|cell| board.put(cell, owner));
        };
        // Threats that leave fewer cells to play in than those before them; the others add nothing but cells to rest on.
        let mut must_play = None::<Cells<W>>;
        let mut carriers = Cells::default();
        for (_, carrier) in &theirs.threats {
            let left = must_play.map_or(*carrier, |cells| cells.and(*carrier));
            if must_play != Some(left) {
                (must_play, carriers) = (Some(left), carriers.or(*carrier));
            }
        }
        if must_play.is_some_and(|cells| cells.is_empty()) {
            return self.decided(&board, opponent, carriers, None);
        }
        let dominated = inferior::dominated::<W>(&board, side);
        let open = |cell: &usize| {
            board.stone(*cell).is_none()
                && !dominated.has(*cell)
                && must_play.is_none_or(|must_play| must_play.has(*cell))
        };
        let mut cells: Vec<usize> = (0..self.points()).filter(open).collect();
        let even = self.is_its_own_half_turn();
        if even {
            let left_out = |cell: usize| rotate(self.size(), cell) < cell && cells.contains(&rotate(self.size(), cell));
            cells = cells.iter().copied().filter(|&cell| !left_out(cell)).collect();
        }
        if cells.is_empty() {
            // What is left is no better than a move outside of the must-play region.
            return self.decided(&board, opponent, carriers, None);
        }
        Insight::Open {
            // What refutes a move that was left out is the half turn of what refutes the other.
            rest: match even {
                true => (0..self.points()).fold(Cells::<W>::default(), Cells::with).into(),
                false => carriers.or(self.given(&board, opponent)).into(),
            },
            moves: self.promising(&cells, links.each_ref()),
        }
    }

    /// Cells without a stone that were filled in for a side: a win of his may rest on them. Those of the loser he would be given
    /// anyway.
    fn given<const W: usize>(&self, filled: &Board, side: Side) -> Cells<W> {
        let owned = (0..self.points()).filter(|&cell| self.stone(cell).is_none() && filled.stone(cell) == Some(side));
        owned.fold(Cells::default(), Cells::with)
    }

    /// The win that was found once cells had been filled in. Where the winner wins whoever moves, any of his moves that the win
    /// rests on will do.
    fn decided<const W: usize>(
        &self,
        filled: &Board,
        winner: Side,
        carrier: Cells<W>,
        key: Option<usize>,
    ) -> Insight<Move, CellZone> {
        let zone = carrier.or(self.given(filled, winner));
        let mv = (winner == self.to_move()).then(|| key.or_else(|| self.any_empty(&zone))).flatten().map(Move::at);
        Insight::Decided(winner, zone.into(), mv)
    }

    /// Whether half a turn makes the same position of it, as it does of the empty board.
    fn is_its_own_half_turn(&self) -> bool {
        (0..self.points() / 2).all(|cell| self.stone(cell) == self.stone(rotate(self.size(), cell)))
    }

    /// The moves in those cells, in the order of the currents through them.
    fn promising(&self, cells: &[usize], links: [&Links; 2]) -> Vec<(Move, [f32; 2])> {
        let powers = links.map(Links::powers);
        let power = |cell: usize| powers[0][cell] + powers[1][cell];
        let mut ranked: Vec<(f32, usize)> = cells.iter().map(|&cell| (power(cell), cell)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let most = ranked.first().map_or(1.0, |first| first.0.max(1e-6));
        let me = self.to_move().index();
        let effort = |power: f32| {
            let mut effort = [1.0; 2];
            effort[me] += EFFORT_OF_DOUBT * (1.0 - power / most);
            effort
        };
        ranked.into_iter().map(|(power, cell)| (Move::at(cell), effort(power))).collect()
    }
}

#[cfg(test)]
mod tests;
