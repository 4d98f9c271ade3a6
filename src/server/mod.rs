//! Where commands come from and answers go: standard input and output, or TCP. Limits and shutdown. The asynchronous
//! runtime lives here and nowhere below.
//!
//! A session has one thread that executes commands (`worker`). Whoever reads its input never waits for it (`queue`), and
//! tells its [`crate::session::Control`] of every line, so that a line ends an analysis at once.

pub mod input;
pub mod limits;
mod queue;
pub mod stdio;
pub mod tcp;
mod worker;

pub use limits::Limits;
pub use tcp::on_termination;
