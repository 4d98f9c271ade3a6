//! Learning from the engine's own games: descent self-play, what is learned from it, and the files that carry it.
//!
//! Start reading at [`selfplay`], then `descent`. Training itself is `scripts/train/train.py`.

mod descent;
pub mod selfplay;
pub mod shard;
