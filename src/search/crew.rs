//! The threads of a search.

use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Starts one. Where the system has no more threads the search goes on with those that it has; `None`, and the log says so.
pub(crate) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    let started = Builder::new().spawn_scoped(scope, work);
    started.inspect_err(|error| tracing::warn!(%error, "a search has fewer threads than it was given")).ok()
}
