//! Lines of Action (Sackson 1969): whoever joins all of its pieces in one group wins.
//!
//! A piece moves in any of eight directions, as many points as there are pieces of both sides on that line. It may pass over its own
//! side's pieces but not over others, and takes a piece of the other side that it lands on. `First` has the upper and the lower edge
//! and begins. A single piece is a group.
//!
//! Where rules differ, those of the Computer Olympiad hold as far as they are known: who joins both sides at once draws, and who
//! cannot move loses (Winands 2000). A position that is there a second time with the same side to move is a draw, so that games end.
//!
//! **Repetition.** Between captures a position remembers the keys of those that it came from. Its own key has their set in it.
//! So positions are merged by searches only where the same repetitions lie ahead, and what is proved of one holds for the other.
//! A capture cannot be taken back, so it empties the set, and positions merge again.

mod planes;
mod position;

pub use position::{Move, Position};

#[cfg(test)]
mod tests;
