//! Clobber (Albert, Grossman, Nowakowski, 2001): a stone moves onto a neighbouring stone of the other colour and takes it away.
//!
//! For two players who each move their own colour until one of them cannot, and has lost; and for one player, who moves
//! both colours and wants few stones to be left.
//!
//! Our convention for two: at the start every point has a stone, `First` (Black) in the top-left corner and on each point
//! with an even sum of column and row counted from there, `Second` on the others. `First` begins. (OpenSpiel's White owns
//! the bottom-left corner and begins.)

mod group;
mod planes;
mod position;
mod solitaire;

pub use group::Group;
pub use position::{Move, Position};
pub use solitaire::Solitaire;

/// Steps in a direction: north, east, south, west.
const STEPS: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Whether the start has a stone of `First` in column `x`, row `y`.
const fn is_first(x: usize, y: usize) -> bool {
    (x + y).is_multiple_of(2)
}

#[cfg(test)]
mod tests;
