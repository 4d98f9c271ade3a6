//! Go: rule sets, positions, scoring, and the knowledge that Monte-Carlo search wants.
//!
//! Start reading at [`Position`]. Below it: the board (no memory), above it: scoring, playouts, priors
//! and what moves look like.

pub mod benson;
mod board;
pub mod handicap;
mod katago;
mod patterns;
mod planes;
mod playout;
mod position;
mod prior;
pub mod rules;
pub mod score;
mod shapes;
mod spelling;
mod tactics;

pub use playout::{Playout, Style};
pub use position::{Illegal, Move, Position, SetUpError};
pub use rules::Rules;
pub use spelling::LARGEST_KOMI;
