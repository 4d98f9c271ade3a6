//! Earlier wins in a position.

use super::connection::{CellZone, Cells};
use super::moves::Move;
use super::position::Position;
use super::wins::{Facing, Win, Wins, joining};
use crate::game::{Game, Recalled, Side};

impl Position {
    /// Looks for earlier wins that hold in a position that is not over.
    pub(super) fn recalled<const W: usize>(&self, wins: &Wins) -> Recalled<Move, CellZone> {
        let side = self.to_move();
        let (mut decided, mut threats, mut must_play) = (None, Vec::new(), Cells::<W>::all());
        for (winner, turned) in [(side, false), (side, true), (side.opponent(), false), (side.opponent(), true)] {
            let facing = Facing::new(self.size(), winner, turned);
            let (own, theirs) = self.seen_stones::<W>(facing);
            wins.find(facing, own, theirs, &mut |win, missing| {
                let carrier = || self.empty_among((0..self.points()).filter(|&cell| win.free.has(facing.seen(cell))));
                if winner == side && (missing.is_none() || win.mv.is_none()) {
                    let carrier = carrier();
                    let best = missing.or(win.mv.map(usize::from)).map(|cell| facing.unseen(cell));
                    let mv = best.filter(|&cell| self.stone(cell).is_none()).or_else(|| self.any_empty(&carrier));
                    decided = Some((side, mv.map_or(carrier, |mv| carrier.with(mv)), mv.map(Move::at)));
                } else if winner != side && missing.is_none() {
                    let carrier = carrier();
                    if win.mv.is_none() {
                        decided = Some((winner, carrier, None));
                    } else if !must_play.within(&carrier) {
                        must_play = must_play.and(carrier);
                        threats.push(carrier);
                    }
                }
                decided.is_some()
            });
            if let Some((winner, zone, mv)) = decided {
                return Recalled::Decided(winner, zone.into(), mv);
            }
        }
        Recalled::Threats(threats.into_iter().map(CellZone::from).collect())
    }

    /// Keeps a win for other positions: its move if the winner is to move.
    pub(super) fn keep_win<const W: usize>(&self, wins: &Wins, winner: Side, zone: &Cells<W>, mv: Option<Move>) {
        let facing = Facing::new(self.size(), winner, false);
        let inside =
            (0..self.points()).filter(|&cell| self.stone(cell).map_or(zone.has(cell), |owner| owner == winner));
        // His chain from edge to edge will lie within these.
        let within = joining(facing, inside.map(|cell| facing.seen(cell)).fold(Cells::<W>::default(), Cells::with));
        let (own, _) = self.seen_stones(facing);
        let mv = mv.and_then(Move::cell).map(|cell| facing.seen(cell) as u16);
        wins.keep(facing, &Win { stones: within.and(own), free: within.minus(own), mv });
    }

    /// Stones of the side of a facing and of its opponent, as it sees them.
    fn seen_stones<const W: usize>(&self, facing: Facing) -> (Cells<W>, Cells<W>) {
        let of = |is_own: bool| {
            let cells = (0..self.points())
                .filter(|&cell| self.stone(cell).is_some_and(|side| (side == facing.side()) == is_own));
            cells.map(|cell| facing.seen(cell)).fold(Cells::default(), Cells::with)
        };
        (of(true), of(false))
    }

    /// The empty ones of the cells.
    fn empty_among<const W: usize>(&self, cells: impl Iterator<Item = usize>) -> Cells<W> {
        cells.filter(|&cell| self.stone(cell).is_none()).fold(Cells::default(), Cells::with)
    }

    /// An empty cell, one of those if there is any.
    pub(super) fn any_empty<const W: usize>(&self, cells: &Cells<W>) -> Option<usize> {
        let mut empty = (0..self.points()).filter(|&cell| self.stone(cell).is_none());
        empty.clone().find(|&cell| cells.has(cell)).or_else(|| empty.next())
    }
}
