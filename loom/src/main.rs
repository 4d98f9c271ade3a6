//! Every interleaving of two or three threads over the steps that matter: expansion of a node, its counters, the share of threads,
//! stop flags, and the control of a session.
//!
//!     cargo run --manifest-path loom/Cargo.toml
//!
//! The program's own files are compiled here with loom's atomics, locks and threads in the place of those of `std` and `parking_lot`:
//! `std` is this crate, so that the files stay as they are. Loom runs each model until it has seen all orders of its steps, and all
//! values that a weak memory order lets a thread read. No bound on preemptions leaves some out.
#![no_std]

extern crate self as parking_lot;
extern crate self as std;
extern crate std as real;

#[path = "../../src/search/budget.rs"]
#[allow(dead_code, reason = "models need a part of it")]
mod budget;
#[path = "../../src/session/control.rs"]
#[allow(dead_code, reason = "models need a part of it")]
mod control;
mod locks;
mod models;
#[path = "../../src/search/mcts/node.rs"]
#[allow(dead_code, reason = "models need a part of it")]
mod node;
#[path = "../../src/search/share.rs"]
#[allow(dead_code, reason = "models need a part of it")]
mod share;

pub use locks::{Condvar, Mutex};

/// The room that the program's files name.
mod search {
    pub(crate) use crate::budget::Stop;
}

/// Reference counts of loom in the place of `std::sync`.
pub mod sync {
    pub use loom::sync::Arc;

    /// Atomics of loom in the place of `std::sync::atomic`.
    pub mod atomic {
        pub use loom::sync::atomic::*;
    }
}

/// Threads of loom in the place of `std::thread`.
pub mod thread {
    use crate::time::Duration;

    /// Lets the others go on.
    pub fn sleep(_: Duration) {
        loom::thread::yield_now();
    }
}

/// The clock of `std::time` itself.
pub mod time {
    pub use real::time::*;
}

fn main() {
    for &(name, model) in models::ALL {
        let begun = time::Instant::now();
        let runs = real::sync::Arc::new(real::sync::atomic::AtomicUsize::new(0));
        let count = runs.clone();
        loom::model(move || {
            count.fetch_add(1, real::sync::atomic::Ordering::Relaxed);
            model();
        });
        let runs = runs.load(real::sync::atomic::Ordering::Relaxed);
        real::println!("{name}: {runs} interleavings, {:.1} s", begun.elapsed().as_secs_f32());
    }
    real::println!("{} passed, 0 failed", models::ALL.len());
}
