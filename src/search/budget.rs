//! When a search ends: of itself ([`Budget`]) or because somebody says so ([`Stop`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// Limits of one search; whichever comes first. With none set, only a stop or a proof ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall time from the call of `run`.
    pub time: Option<Duration>,
    /// Iterations (playouts or expansions) of this run, the reused tree not counted.
    pub nodes: Option<u64>,
    /// May the search end before `time` when its choice cannot change any more? Never for analysis.
    pub early_stop: bool,
}

/// A flag that ends a search from another thread. Cheap to look at, wakes a waiting thread at once.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    flag: AtomicBool,
    mutex: Mutex<()>,
    wake: Condvar,
}

impl Stop {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the flag, for good, and wakes every waiting thread.
    pub fn set(&self) {
        // Release pairs with the Acquire in `is_set`. The mutex closes the gap between a waiter's check and its sleep.
        let _guard = self.0.mutex.lock();
        self.0.flag.store(true, Ordering::Release);
        self.0.wake.notify_all();
    }

    /// Whether the flag is set.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.flag.load(Ordering::Acquire)
    }

    /// Wakes every waiting thread without setting the flag, so that it looks at its own condition again.
    pub fn wake(&self) {
        let _guard = self.0.mutex.lock();
        self.0.wake.notify_all();
    }

    /// Sleeps while `running` says so, until the flag is set or the `deadline` has come, if there is one; says whether the flag is
    /// set. Whoever changes what `running` looks at calls [`Stop::wake`] afterwards.
    pub fn wait_while(&self, deadline: Option<Instant>, running: impl Fn() -> bool) -> bool {
        let mut guard = self.0.mutex.lock();
        while !self.is_set() && running() {
            match deadline {
                None => self.0.wake.wait(&mut guard),
                Some(deadline) if self.0.wake.wait_until(&mut guard, deadline).timed_out() => break,
                Some(_) => {}
            }
        }
        self.is_set()
    }
}
