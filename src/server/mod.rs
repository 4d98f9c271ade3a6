//! Where commands and queries come from and answers go: standard input and output, TCP, or WebSocket. Limits and shutdown. The
//! asynchronous runtime lives here and nowhere below.
//!
//! A session has one thread that executes commands (`worker`). Whoever reads its input never waits for it (`queue`), and
//! tells its [`crate::session::Control`] of every line, so that a line ends an analysis at once.
//!
//! `admission` decides who may come in, `intake` how a connection may behave, `account` what its commands cost:
//! three books without sockets or clocks. `link` connects them with whatever carries lines (`wire`, `http`), and `simulation` runs it
//! in a made-up world.

mod account;
mod admission;
pub mod engines;
mod foreign;
pub mod http;
pub mod input;
mod inquiries;
mod intake;
pub mod limits;
mod link;
pub mod queries;
mod queue;
pub mod replay;
mod signals;
#[cfg(test)]
mod simulation;
pub mod stdio;
pub mod tcp;
mod throttle;
mod wire;
mod worker;

pub use limits::Limits;
pub use signals::on_termination;
