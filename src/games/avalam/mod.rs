//! Avalam: towers of two colours on 48 cells; whoever has more of them on top in the end has won.
//!
//! A move carries a whole tower of either colour onto a neighbouring tower, in any of the eight directions, if no more
//! than five pieces stand on each other then. There is no passing. When nothing can be moved any more, each player has a
//! point for every tower with a piece of his colour on top; if both have as many, more towers of five win, and
//! otherwise it is a draw.

mod planes;
mod position;

pub use position::{Move, Position};

#[cfg(test)]
mod tests;
