//! Surakarta: pieces step to neighbouring points, and take along two closed tracks that run around the corners of the board.
//!
//! A step goes to any of the eight neighbours, if it is empty. A capture goes along a track in either direction, over empty points and
//! at least one arc, onto the first piece met, if it is the opponent's; the point that it comes from counts as empty. It is never
//! forced. Who has lost all pieces has lost. The game also ends when a position comes again, with the same side to move, and after 50
//! plies in a row without a capture: then more pieces win, as in the Computer Olympiad, and as many are a draw. Who cannot move at all,
//! which hardly ever happens, has lost. The score is the difference in pieces. `First` begins below.
//!
//! A repetition makes a position more than its board. So a position carries those since the last capture, and its key tells them
//! apart: positions are merged only if the same pieces stand on the same points, the same side is to move, and the same positions lie
//! behind them, in whichever order. What is merged has the same moves, the same ends and the same plies left.

mod planes;
mod position;
mod tracks;

pub use position::{Move, Position};

#[cfg(test)]
mod tests;
