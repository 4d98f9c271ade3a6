//! Outer Open Gomoku: stones are placed in turn, and whoever has five or more in a row, in any of four directions, has won.
//!
//! The first stone of an empty board must lie on one of the two outer lines; all others go anywhere. Nothing else is forbidden to
//! either side, and a full board is drawn. Boards have 5 to 20 lines a side. `First` is Black, who begins.

mod fours;
mod lines;
mod planes;
mod playout;
mod position;
mod rules;

pub use lines::Lane;
pub use playout::Playout;
pub use position::{Move, Position};

#[cfg(test)]
mod tests;
