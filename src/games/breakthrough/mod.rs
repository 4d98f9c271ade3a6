//! Breakthrough: two rows of pieces each; whoever reaches the other side's last row, or takes everything, has won.
//!
//! A piece goes one step straight or diagonally ahead onto an empty point. Diagonally it may take what stands there. Nobody need
//! take, nobody passes, and whoever is to move always can: the foremost piece has a diagonal without a piece of its own side.
//! `First` begins below.

mod planes;
mod position;

pub use position::{Move, Position};

#[cfg(test)]
mod tests;
