//! Classical evaluators: numbers from the rules of one game, without learning.

mod arcs;
mod ascent;
mod flanks;
mod gathering;
mod glance;
mod mobility;
mod race;
mod reaches;
mod resistance;
mod threats;
mod towers;

pub use arcs::Arcs;
pub use ascent::Ascent;
pub use flanks::Flanks;
pub use gathering::Gathering;
pub use glance::Glance;
pub use mobility::Mobility;
pub use race::Race;
pub use reaches::Reaches;
pub use resistance::Resistance;
pub use threats::Threats;
pub use towers::Towers;
