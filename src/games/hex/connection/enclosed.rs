//! Cells between two chains of a side that it may take for its own, whoever moves.
//!
//! Two chains that are fully connected stay so if their owner answers each stone within the carrier. Where all of his ways
//! from the carrier to the rest of the board lead past one of the two chains, stones in the carrier would join nothing more
//! than that. So it can be filled in with them (combinatorial decompositions, in Henderson's thesis).

use super::cells::Cells;
use super::web::Web;
use crate::games::hex::board::Board;

/// A chain, or an edge with the stones that touch it, and the empty cells beside it.
struct Chain<const W: usize> {
    node: usize,
    beside: Cells<W>,
}

impl<const W: usize> Web<W> {
    /// The carrier of a connection that its side can be given; none if there is no such, or its edges are joined.
    pub(super) fn enclosed(&self, board: &Board) -> Option<Cells<W>> {
        let chains = self.chains(board);
        let edge = |chain: &Chain<W>| self.is_edge(chain.node);
        for (number, one) in chains.iter().enumerate() {
            for other in chains[..number].iter().filter(|other| !edge(one) || !edge(other)) {
                let fulls = self.fulls(one.node, other.node);
                if fulls.iter().all(|full| full.carrier.is_empty()) {
                    continue;
                }
                let outside = self.outside(board, &chains, [one, other]);
                let within = |carrier: &Cells<W>| !carrier.is_empty() && carrier.disjoint(&outside);
                if let Some(carrier) = fulls.iter().map(|full| full.carrier).find(within) {
                    return Some(carrier);
                }
            }
        }
        None
    }

    /// The chains of the side, with its edges.
    fn chains(&self, board: &Board) -> Vec<Chain<W>> {
        let (first, last) = self.goal();
        let mut chains: Vec<Chain<W>> =
            [first, last].into_iter().map(|node| Chain { node, beside: Cells::default() }).collect();
        for cell in (0..board.points()).filter(|&cell| self.is_empty_cell(cell)) {
            for place in board.neighbours(board.place(cell)) {
                let Some(node) = self.node(place).filter(|&node| !self.is_empty_cell(node)) else { continue };
                let number = chains.iter().position(|chain| chain.node == node).unwrap_or_else(|| {
                    chains.push(Chain { node, beside: Cells::default() });
                    chains.len() - 1
                });
                chains[number].beside = chains[number].beside.with(cell);
            }
        }
        chains
    }

    /// Empty cells that the side reaches from its other edges without going past one of these chains: those beside them are
    /// where it ends.
    fn outside(&self, board: &Board, chains: &[Chain<W>], ends: [&Chain<W>; 2]) -> Cells<W> {
        let stops = ends[0].beside.or(ends[1].beside);
        let is_end = |node: usize| ends.iter().any(|end| end.node == node);
        let mut reached = Cells::default();
        let mut passed: Vec<usize> = Vec::new();
        for chain in chains.iter().filter(|chain| self.is_edge(chain.node) && !is_end(chain.node)) {
            passed.push(chain.node);
            reached = reached.or(chain.beside);
        }
        let mut done = stops;
        while let Some(cell) = reached.minus(done).first() {
            done = done.with(cell);
            for node in board.neighbours(board.place(cell)).into_iter().filter_map(|place| self.node(place)) {
                if self.is_empty_cell(node) {
                    reached = reached.with(node);
                } else if !is_end(node) && !passed.contains(&node) {
                    passed.push(node);
                    let beside = chains.iter().find(|chain| chain.node == node).map(|chain| chain.beside);
                    reached = reached.or(beside.unwrap_or_default());
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests;
