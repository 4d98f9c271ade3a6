//! The threads of a search.

use std::thread::{Builder, Scope, ScopedJoinHandle, panicking};

use super::share::Ticket;
use super::watch::Halt;

/// Threads of a search: how many at most, and the part that they take in the machine's. Made from a number, they have all of these
/// however many searches run.
#[derive(Clone, Copy, Debug)]
pub struct Crew<'a> {
    most: usize,
    ticket: Option<&'a Ticket<'a>>,
}

impl From<usize> for Crew<'_> {
    fn from(most: usize) -> Self {
        Self { most, ticket: None }
    }
}

impl<'a> Crew<'a> {
    /// So many threads, of which those rest that other searches need.
    pub fn sharing(most: usize, ticket: &'a Ticket<'a>) -> Self {
        Self { most, ticket: Some(ticket) }
    }

    /// Number of threads to start, at least 1.
    pub(crate) fn most(self) -> usize {
        self.most.max(1)
    }

    /// Waits while worker `number` has no thread, at most until the run is over.
    pub(crate) fn rest(self, number: usize, halt: &Halt<'_>) {
        let Some(ticket) = self.ticket else { return };
        while !halt.is_over() && ticket.rests(number) {}
    }
}

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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::search::{Share, Stop};

    #[test]
    fn a_worker_rests_while_another_search_needs_its_thread() {
        let (share, stop) = (Share::new(2), Stop::new());
        let ticket = share.enter();
        let (halt, crew) = (Halt::new(&stop), Crew::sharing(2, &ticket));
        let rounds = [AtomicU64::new(0), AtomicU64::new(0)];
        let work = |number: usize| {
            while !halt.is_over() {
                crew.rest(number, &halt);
                rounds[number].fetch_add(1, Relaxed);
                thread::yield_now();
            }
        };
        let goes_on = |number: usize| {
            let before = rounds[number].load(Relaxed);
            while rounds[number].load(Relaxed) < before + 2 {
                thread::yield_now();
            }
        };
        thread::scope(|scope| {
            let workers = start(scope, &halt, crew.most(), &work);
            goes_on(1);
            let other = share.enter();
            // The round that it is in may end yet.
            thread::sleep(Duration::from_millis(20));
            let resting = rounds[1].load(Relaxed);
            goes_on(0);
            thread::sleep(Duration::from_millis(20));
            assert!(rounds[1].load(Relaxed) <= resting + 1);
            drop(other);
            goes_on(1);
            halt.end();
            workers.into_iter().for_each(|worker| worker.join().unwrap());
        });
        let alone = Crew::from(3);
        alone.rest(2, &Halt::new(&stop));
        assert_eq!(alone.most(), 3);
    }
}
