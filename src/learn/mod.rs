//! Learning from the engine's own games: descent self-play, what is learned from it, and the files that carry it.
//!
//! Start reading at [`selfplay`], then `descent` and `puct`. Training itself is `scripts/train/train.py`.

mod descent;
mod puct;
pub mod selfplay;
pub mod shard;
pub mod teacher;
