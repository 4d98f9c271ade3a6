//! A position as its solver sees it, for people to look at: connections, inferior cells, and where a side has to move.

use super::connection::{Chart, chart, with_words};
use super::inferior::{FillIn, dominated_telling, fill_in_telling, killers};
use super::position::Position;
use crate::game::{Game, Side};

/// Why a side need not move in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inferior {
    /// Cell that is filled in for that side, and the reason.
    Filled(FillIn, Side),
    /// Cell that is no better than another one, which is named.
    Dominated(usize),
    /// Cell outside the must-play region: a threat of the opponent to win is left.
    OutsideMustPlay,
}

/// Cells, each with the reason.
pub type InferiorCells = Vec<(usize, Inferior)>;

/// Why there is no chart of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoChart {
    /// One side's edges are joined, by stones or by cells that are filled in.
    Decided,
    /// Halted before all connections were found.
    Halted,
}

impl Position {
    /// The position with dead and captured cells filled in, and those cells.
    fn filled(&self) -> (Self, InferiorCells) {
        let (mut position, mut cells) = (self.clone(), Vec::new());
        if self.winner().is_some() {
            return (position, cells);
        }
        let mut filled = Vec::new();
        fill_in_telling(&mut position.board, &mut |cell, why| filled.push((cell, why)));
        for (cell, why) in filled {
            cells.extend(position.stone(cell).map(|owner| (cell, Inferior::Filled(why, owner))));
        }
        (position, cells)
    }

    /// Cells that can be filled in without changing who wins.
    pub fn fill_ins(&self) -> InferiorCells {
        self.filled().1
    }

    /// Cells that can be filled in, and then those where `side`, which is to move, need not play.
    pub fn inferior_cells(&self, side: Side) -> InferiorCells {
        let (filled, mut cells) = self.filled();
        cells.extend(filled.dominations(side));
        cells
    }

    /// Cells where `side`, which is to move, need not play, each with the one that is as good; nothing is filled in.
    pub fn dominations(&self, side: Side) -> InferiorCells {
        let mut cells = Vec::new();
        if self.winner().is_none() {
            let mut tell = |cell, better| cells.push((cell, Inferior::Dominated(better)));
            with_words!(self.points(), W => _ = dominated_telling::<W>(&self.board, side, &mut tell));
        }
        cells
    }

    /// Cells that are vulnerable for `side`, each with the cells where the opponent kills a stone there; nothing is
    /// filled in.
    pub fn vulnerable_cells(&self, side: Side) -> Vec<(usize, Vec<usize>)> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let with_killers = (0..self.points()).map(|cell| (cell, killers(&self.board, cell, side)));
        with_killers.filter(|(_, killers)| !killers.is_empty()).collect()
    }

    /// All connections of `side` with inferior cells filled in.
    ///
    /// # Errors
    /// [`NoChart`].
    pub fn connections(&self, side: Side, halted: &dyn Fn() -> bool) -> Result<Box<dyn Chart>, NoChart> {
        let filled = self.filled().0;
        match filled.winner() {
            Some(_) => Err(NoChart::Decided),
            None => chart(&filled.board, side, halted).ok_or(NoChart::Halted),
        }
    }

    /// Cells that `side`, which is to move, need not think about: those filled in, those outside of its must-play region
    /// and, with `dominated`, those where another one is as good. In a decided position no region is left out. `None` if it
    /// is halted before.
    pub fn needless_cells(&self, side: Side, dominated: bool, halted: &dyn Fn() -> bool) -> Option<InferiorCells> {
        let (filled, mut cells) = self.filled();
        if dominated {
            cells.extend(filled.dominations(side));
        }
        if filled.winner().is_some() {
            return Some(cells);
        }
        // One after the other, since connections of large boards take memory.
        let wins = |chart: Box<dyn Chart>| chart.joined() || chart.must_play().is_some();
        let won = wins(chart(&filled.board, side, halted)?);
        let theirs = chart(&filled.board, side.opponent(), halted)?;
        let open = !won && !theirs.joined();
        if let Some(region) = theirs.must_play().filter(|region| open && !region.is_empty()) {
            let known = |cell: usize| cells.iter().any(|&(other, _)| other == cell);
            let outside = |&cell: &usize| filled.stone(cell).is_none() && !region.contains(&cell) && !known(cell);
            let outside: Vec<usize> = (0..self.points()).filter(outside).collect();
            cells.extend(outside.into_iter().map(|cell| (cell, Inferior::OutsideMustPlay)));
        }
        Some(cells)
    }

    /// The cells of the chain of stones at a cell, that one first; none if it is empty.
    pub fn chain(&self, cell: usize) -> Vec<usize> {
        let Some(owner) = self.stone(cell) else { return Vec::new() };
        let name = |cell: usize| self.board.chain(self.board.place(cell));
        let member = |&other: &usize| other != cell && self.stone(other) == Some(owner) && name(other) == name(cell);
        [cell].into_iter().chain((0..self.points()).filter(member)).collect()
    }
}

#[cfg(test)]
mod tests;
