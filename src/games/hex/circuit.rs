//! A position of Hex as an electrical circuit (Anshelevich's Hexy, 2000): a side's stones conduct, empty cells resist,
//! the opponent's stones insulate, and a voltage lies between the side's edges.
//!
//! Bridges conduct like stones. Potentials are found by relaxation (Gauss-Seidel with over-relaxation), each position
//! of a batch starting from the one before it, since the children of a node differ by two cells.

use super::board::Board;
use super::position::Position;
use crate::game::Side;

/// Sweeps for a position by itself.
pub(crate) const FIRST_SWEEPS: usize = 40;
/// Over-relaxation: between 1 (none) and 2 (unstable).
const RELAXATION: f32 = 1.6;

/// One side's circuit on a position.
#[derive(Debug, Default)]
pub(crate) struct Circuit {
    /// Name of the joined chain at each place of the side; its own number elsewhere.
    roots: Vec<u16>,
    /// Potential at each place, 1 at one edge and 0 at the other; kept from position to position.
    potential: Vec<f32>,
    /// Number of each node (empty cell or chain) at its place.
    node: Vec<u16>,
    /// Place of each node.
    places: Vec<u16>,
    /// Neighbours of the nodes, one after the other, with their conductances.
    wires: Vec<(u16, f32)>,
    /// Where each node's wires end, and one over the sum of their conductances.
    ends: Vec<u32>,
    inverse: Vec<f32>,
    /// Wires between nodes, unsorted.
    pairs: Vec<(u16, u16, f32)>,
    value: Vec<f32>,
}

/// Current of a side whose edges are joined by bridges, where the real one is infinite.
const SUPERCONDUCTING: f32 = 1e3;
const NO_NODE: u16 = u16::MAX;

impl Circuit {
    /// Current between the side's edges at voltage 1: larger is better connected.
    pub(crate) fn current(&mut self, position: &Position, side: Side, afresh: bool, sweeps: usize) -> f32 {
        let board = &position.board;
        if board.bridge_chains(side, &mut self.roots) {
            self.value.clear();
            return SUPERCONDUCTING;
        }
        let places = board.places();
        // The position before may have been joined, and have left nothing to start from.
        if afresh || self.potential.is_empty() {
            self.start(board, side);
        }
        self.node.clear();
        self.node.resize(places, NO_NODE);
        self.places.clear();
        let (high, low) = board.edges(side);
        let (high, low) = (self.roots[usize::from(high)], self.roots[usize::from(low)]);
        // The edges are nodes 0 and 1.
        for edge in [high, low] {
            self.node[usize::from(edge)] = self.places.len() as u16;
            self.places.push(edge);
        }
        self.potential[usize::from(high)] = 1.0;
        self.potential[usize::from(low)] = 0.0;
        self.pairs.clear();
        for index in 0..board.points() {
            let cell = board.place(index);
            if board.side_at(cell).is_some() {
                continue;
            }
            let own = self.number(cell);
            // Each pair of empty cells once, from the cell on the left or above; each chain once from every empty cell.
            let begin = self.pairs.len();
            for (direction, n) in board.neighbours(cell).into_iter().enumerate() {
                match board.side_at(n) {
                    None if (2..5).contains(&direction) => {
                        let other = self.number(n);
                        self.pairs.push((own, other, 1.0));
                    }
                    Some(s) if s == side => {
                        let other = self.number(self.roots[usize::from(n)]);
                        if !self.pairs[begin..].iter().any(|pair| pair.1 == other) {
                            self.pairs.push((own, other, 2.0));
                        }
                    }
                    _ => {}
                }
            }
        }
        self.connect();
        self.relax(sweeps);
        for (node, &place) in self.places.iter().enumerate() {
            self.potential[usize::from(place)] = self.value[node];
        }
        self.wires[..self.ends[0] as usize].iter().map(|&(n, g)| g * (1.0 - self.value[usize::from(n)])).sum()
    }

    /// Power taken by an empty cell, its half of each wire; 0 at stones. The powers of all cells sum to the current.
    pub(crate) fn power(&self, cell: u16) -> f32 {
        let node = usize::from(self.node.get(usize::from(cell)).copied().unwrap_or(NO_NODE));
        if node < 2 || node >= self.value.len() {
            return 0.0;
        }
        let here = self.value[node];
        let (begin, end) = (self.ends[node - 1] as usize, self.ends[node] as usize);
        // A wire to a chain (conductance 2) has its whole resistance in this cell, one to a cell half of it.
        self.wires[begin..end].iter().map(|&(n, g)| g * g / 2.0 * (here - self.value[usize::from(n)]).powi(2)).sum()
    }

    /// A first guess: the potential falls evenly from edge to edge.
    fn start(&mut self, board: &Board, side: Side) {
        self.potential.clear();
        self.potential.resize(board.places(), 0.5);
        let size = board.size();
        for index in 0..board.points() {
            let (x, y) = size.xy(index);
            let (step, steps) = if side == Side::First { (y, size.height) } else { (x, size.width) };
            self.potential[usize::from(board.place(index))] = 1.0 - (step + 1) as f32 / (steps + 1) as f32;
        }
    }

    fn number(&mut self, place: u16) -> u16 {
        let node = &mut self.node[usize::from(place)];
        if *node == NO_NODE {
            *node = self.places.len() as u16;
            self.places.push(place);
        }
        *node
    }

    /// Sorts the wires by node.
    fn connect(&mut self) {
        let nodes = self.places.len();
        self.ends.clear();
        self.ends.resize(nodes, 0);
        self.inverse.clear();
        self.inverse.resize(nodes, 0.0);
        for &(a, b, g) in &self.pairs {
            for n in [a, b] {
                self.ends[usize::from(n)] += 1;
                self.inverse[usize::from(n)] += g;
            }
        }
        let mut sum = 0;
        for end in &mut self.ends {
            // For now the beginning of each node's wires; filling moves it to their end.
            (sum, *end) = (sum + *end, sum);
        }
        self.wires.clear();
        self.wires.resize(sum as usize, (0, 0.0));
        for &(a, b, g) in &self.pairs {
            for (n, other) in [(a, b), (b, a)] {
                let end = &mut self.ends[usize::from(n)];
                self.wires[*end as usize] = (other, g);
                *end += 1;
            }
        }
        for inverse in &mut self.inverse {
            *inverse = if *inverse > 0.0 { RELAXATION / *inverse } else { 0.0 };
        }
        self.value.clear();
        self.value.extend(self.places.iter().map(|&p| self.potential[usize::from(p)]));
    }

    fn relax(&mut self, sweeps: usize) {
        let nodes = self.places.len();
        for _ in 0..sweeps {
            let mut begin = self.ends[1] as usize;
            for node in 2..nodes {
                let end = self.ends[node] as usize;
                let inflow: f32 = self.wires[begin..end].iter().map(|&(n, g)| g * self.value[usize::from(n)]).sum();
                let old = self.value[node];
                self.value[node] = (1.0 - RELAXATION) * old + inflow * self.inverse[node];
                begin = end;
            }
        }
    }
}
