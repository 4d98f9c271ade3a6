//! Games that a solver can prove, and what their proofs rest on.

use std::fmt::Debug;

use super::{Game, Side};

/// A set of move indices.
pub trait Zone: Clone + Default + Debug + Send + Sync + 'static {
    /// These and that one.
    #[must_use]
    fn with(self, index: usize) -> Self;

    /// The union of both.
    #[must_use]
    fn union(self, other: &Self) -> Self;

    /// Whether that one is in.
    fn contains(&self, index: usize) -> bool;

    /// Bytes that it takes beside its own size.
    fn bytes(&self) -> usize;
}

/// Knowledge of a position that a solver looks at.
///
/// The zone of a win is what it rests on: with the same side to move, the winner still wins if the opponent is given
/// everything outside of it. So a move outside the zone of the win that refutes one move is refuted by the same win.
#[derive(Clone, Debug)]
pub enum Insight<M, Z> {
    /// Win of that side, by that move if it is to move.
    Decided(Side, Z, Option<M>),
    /// Open position. If no move wins, the opponent wins by the zones of what refutes the moves, and `rest`.
    Open {
        /// Cells that the win of the opponent rests on beside the refutations of `moves`.
        rest: Z,
        /// Moves of which one wins if any move does, the most promising first, with what is still to be done for each side
        /// to win after it: about so many positions.
        moves: Vec<(M, [f32; 2])>,
    },
}

/// Knowledge of a position by earlier wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recalled<M, Z> {
    /// Win of that side with its zone, by that move if the side is to move.
    Decided(Side, Z, Option<M>),
    /// Zones of wins of the opponent that hold unless the side to move plays there.
    Threats(Vec<Z>),
}

/// A game that a solver can prove, with knowledge of what proofs rest on.
pub trait Solvable: Game {
    /// A set of moves.
    type Zone: Zone;
    /// Wins that were proved, of all positions that a solver came to.
    type Wins: Default + Debug + Send + Sync;

    /// Whether what [`Solvable::insight`] says holds for it: not while there is, or may come, a move that it knows nothing of.
    fn is_solvable(&self) -> bool;

    /// Looks at a position that is not over.
    fn insight(&self, findings: &Self::Findings) -> Insight<Self::Move, Self::Zone>;

    /// Keeps a win in this position, by that move if the winner is to move, for others in which it holds as well.
    fn keep(&self, wins: &Self::Wins, winner: Side, zone: &Self::Zone, mv: Option<Self::Move>);

    /// Looks for wins that are kept and hold in a position that is not over.
    fn recall(&self, wins: &Self::Wins) -> Recalled<Self::Move, Self::Zone>;
}
