//! The threads of a search.

use std::thread::{Builder, Scope, ScopedJoinHandle, panicking};

use super::watch::Halt;

/// Ends the run if its thread fails: the others and the caller must not wait for it.
struct Guard<'a>(&'a Halt<'a>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.end();
        }
    }
}

/// Starts so many workers of a run. Where the system has no more threads the search goes on with those that it has, and the log
/// says so; without any the run ends.
pub(crate) fn start<'scope, 'env: 'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    halt: &'scope Halt<'_>,
    count: usize,
    work: &'scope (dyn Fn(usize) -> T + Sync),
) -> Vec<ScopedJoinHandle<'scope, T>> {
    let start = |number| {
        let guarded = move || {
            let _guard = Guard(halt);
            work(number)
        };
        let started = Builder::new().spawn_scoped(scope, guarded);
        started.inspect_err(|error| tracing::warn!(%error, "a search has fewer threads than it was given")).ok()
    };
    let workers: Vec<_> = (0..count).filter_map(start).collect();
    if workers.is_empty() {
        halt.end();
    }
    workers
}
