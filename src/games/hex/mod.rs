//! Hex: positions, connection, playouts.
//!
//! `First` (Black) joins the top and bottom rows, `Second` (White) the left and right columns. The neighbours of column
//! x, row y are (x±1, y), (x, y±1), (x+1, y-1) and (x-1, y+1), so the point (0, 0) is an acute corner.

mod board;
mod bridges;
pub(crate) mod circuit;
mod connection;
mod inferior;
mod insight;
mod knowledge;
mod moves;
mod planes;
mod playout;
mod position;
mod recall;
mod spelling;
mod survey;
pub mod symmetry;
mod wins;

pub use connection::{Chart, ConnectionEnd, Strength, VirtualConnection};
pub use inferior::FillIn;
pub use moves::{Illegal, Move};
pub use playout::{Playout, Style};
pub use position::{Position, SetUpError};
pub use survey::{Inferior, InferiorCells, NoChart};
