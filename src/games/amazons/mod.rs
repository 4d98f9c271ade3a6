//! Amazons (Walter Zamkauskas 1988): whoever cannot move loses.
//!
//! In a turn an amazon moves as a queen of chess over empty points. Then it shoots an arrow from there, as a queen moves, and the arrow
//! closes its point for ever. The point that the amazon has left may be shot at or through. `First` begins below.
//!
//! A turn is one move of three points. Each side's turn follows the other's in all searches and protocols, so that two moves of one
//! side, the amazon's and the arrow's, would be a game of another kind. The price is many moves: 2176 of the start on 10×10, which
//! has 87 thousand in all. They are numbered without gaps.
//!
//! The score is the territory of the winner: points that its amazons can still reach.

mod moves;
mod planes;
mod position;
mod territory;

pub use moves::Move;
pub use position::Position;
pub use territory::Territory;

#[cfg(test)]
mod tests;
