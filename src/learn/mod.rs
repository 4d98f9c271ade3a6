//! Learning from the engine's own games: self-play by descent, by the bare model and by policy, teachers, labels by other models, what is
//! learned from them, and the files that carry it.
//!
//! Start reading at [`selfplay`], then `descent`, `outcome`, `puct`, `labels` and [`teacher`]. Training itself is
//! `scripts/train/train.py`, but for the weights of what moves and boards look like, which are fitted in [`features`] and [`patterns`].

mod descent;
pub mod features;
mod labels;
mod outcome;
pub mod patterns;
mod puct;
pub mod selfplay;
pub mod shard;
pub mod teacher;

pub use descent::{Descent, DescentSettings, Maker, Selection, Targets, Worth, random_end};
pub use labels::{LabelSettings, Labelled};
pub use outcome::{OutcomeSettings, Outcomes};
pub use puct::{PolicyGame, PuctSettings};
