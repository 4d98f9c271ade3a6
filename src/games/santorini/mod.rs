//! Santorini without gods (Gordon Hamilton 2004): who climbs to the third level wins.
//!
//! Each side puts down its two workers, `First` both of its own first. In a turn a worker moves to one of eight neighbouring points
//! without worker or dome, at most one level up and any number down. Then the same worker builds one level on a neighbouring point
//! without worker or dome; the fourth is a dome. Moving up to the third level wins at once, without building. Who cannot move loses.
//! Whoever moves can build, since the point that was left is free.
//!
//! Both workers are put down in one move: the points in the order of their numbers, from the top left. A turn is one move of three
//! points: where the worker comes from, goes to and builds.

mod planes;
mod position;

pub use position::{Move, Position};

#[cfg(test)]
mod tests;
