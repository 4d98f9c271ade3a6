//! One game being played or analysed: history, rules, clock, pondering, running search. And many positions analysed at once.
//! Knows no wire format.

pub mod analysis;
pub mod choice;
pub mod clock;
pub mod control;
pub mod core;
pub mod go;
pub mod hex;
pub mod history;
pub mod options;
mod passing;
pub mod points;
mod repetition;
pub mod settings;
pub mod verdict;

pub use self::choice::{Asked, Choice, Chosen, SearchOptions};
pub use self::control::Control;
pub use self::core::{Core, Session};
pub use self::go::GoSession;
pub use self::hex::HexSession;
pub use self::points::PointsSession;
pub use self::settings::{Resign, Settings};
