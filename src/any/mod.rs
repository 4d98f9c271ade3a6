//! Games that are chosen while the program runs: positions, models and searches whose types name no game. Bindings to other languages
//! stand on it.
//!
//! A move is an **action** here: its number in `0..action_count()`, which depends on game and board alone.

mod model;
mod search;
mod state;

pub use model::{AnyModel, Valuation, ValuationError};
pub use search::{AnySearch, SearchError, Terms};
pub use state::{AnyState, Begin, GameState, StateError};
