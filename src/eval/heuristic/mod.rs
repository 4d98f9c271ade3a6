//! Classical evaluators: numbers from the rules of one game, without learning.

mod ascent;
mod gathering;
mod arcs;
mod flanks;
mod mobility;
mod race;
mod reaches;
mod resistance;
mod threats;
mod towers;

pub use ascent::Ascent;
pub use gathering::Gathering;
pub use arcs::Arcs;
pub use flanks::Flanks;
pub use mobility::Mobility;
pub use race::Race;
pub use reaches::Reaches;
pub use resistance::Resistance;
pub use threats::Threats;
pub use towers::Towers;
