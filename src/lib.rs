//! Losange, a game engine for Hex and Go, and for ten smaller games: Clobber for two and for one, Avalam, Breakthrough, Lines of Action,
//! Amazons, Santorini, Othello, Gomoku and Surakarta.
//!
//! The map, lowest floor first. A room may use what lies below it, never what lies above
//! (`tests/architecture.rs` holds this):
//!
//! | room | what it owns |
//! | --- | --- |
//! | [`rng`] | the one source of randomness, always passed in |
//! | [`game`] | the traits that every search sees: a game, its moves, its end, its playouts |
//! | [`games`] | the rules of each game, pure |
//! | [`eval`] | positions in, values out |
//! | [`search`] | the algorithms, their budget, stop and report |
//! | [`players`] | the list of games, and how each is played: boards, openings, recipe of its search |
//! | [`learn`] | self-play and what is learned from it |
//! | [`session`] | one game being played or analysed: history, clock, running search; many positions analysed at once |
//! | [`protocol`] | text to meaning and back: GTP, HTP, SGF, analysis formats |
//! | [`any`] | positions, models and searches of games that are chosen while the program runs, for bindings |
//! | [`server`] | where commands and queries come from and answers go: stdio, TCP, WebSocket |
//! | `commands` | the command line, one file a subcommand; [`main`] is the program |
//!
//! Data flows one way and back the same way: bytes, command, session call, search and evaluator,
//! [`search::Report`], analysis text, bytes. A search never prints; a protocol never searches.

#![deny(unsafe_code)]

pub mod any;
mod commands;
pub mod eval;
pub mod game;
pub mod games;
pub mod learn;
pub mod players;
pub mod protocol;
pub mod rng;
pub mod search;
pub mod server;
pub mod session;

pub use commands::main;
