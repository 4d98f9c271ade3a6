//! Text to meaning and back: command lines, replies, points, analysis formats, SGF, and the command tables of GTP and
//! HTP. Knows a session, not a search.
//!
//! Start reading at [`Engine`]: a line goes in, an answer comes out. Commands stand in one table per game
//! ([`call::Command`]), from which listings, help and the documentation come.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod administration;
pub mod analysis;
pub mod board;
pub mod call;
mod dialects;
pub mod engine;
pub(crate) mod files;
pub mod go;
pub mod hex;
pub mod json;
mod katago;
pub mod line;
mod models;
mod occupants;
pub mod openings;
pub mod play;
pub mod points;
mod raw;
pub mod record;
pub mod replay;
pub mod reply;
pub mod review;
pub mod sgf;
mod state;
mod talk;
mod time;
pub mod tongues;
pub mod vertex;

pub use call::Output;
pub use dialects::{commands_as_markdown, notation};
pub use engine::{Delivery, Engine, Flow, Identity, Listener, Provision, Reflexes};
pub use hex::linked_sgf;
pub(crate) use state::games;
pub use tongues::{Interpreter, Protocol};
