//! Othello: a disc is placed so that it flanks discs of the opponent, which are all turned; whoever has more discs at the end has won.
//!
//! A side that can flank must, and one that cannot passes; once neither can, the game is over. The score is the difference in discs,
//! whether or not points are left empty. Boards have any sides from 4 to 10 lines: the four discs of the start stand in the middle, on sides of odd
//! length one up and one to the left of it. `First` is Black, who begins.

mod discs;
mod endgame;
mod patterns;
mod planes;
mod position;

pub use patterns::Patterns;
pub use position::{Move, Position};

#[cfg(test)]
mod tests;
