//! Classical evaluators: numbers from the rules of one game, without learning.

mod resistance;

pub use resistance::Resistance;
