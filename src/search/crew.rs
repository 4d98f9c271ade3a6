//! The threads of a search.

use std::panic::resume_unwind;
use std::thread::{self, Builder, panicking};
use std::time::Duration;

use super::Task;
use super::share::{Share, Ticket};
use super::watch::{Halt, Quota};
use crate::eval::Wanted;
use crate::game::Game;

/// How long a thread sleeps all of whose simulations met those of others.
const MEETING: Duration = Duration::from_micros(50);

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

/// Runs so many workers, and returns what they found. The caller does something else meanwhile, and hears of a worker that fails.
/// Where the system has no more threads the search goes on with those that it has, and the log says so; without any the run ends.
pub(crate) fn run<T: Send>(
    halt: &Halt<'_>,
    count: usize,
    work: &(dyn Fn(usize) -> T + Sync),
    meanwhile: impl FnOnce(),
) -> Vec<T> {
    thread::scope(|scope| {
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
        meanwhile();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|fault| resume_unwind(fault))).collect()
    })
}

/// Limits of a run by iterations: when it ends, how many may begin, and its part in the machine's threads.
#[derive(Debug)]
pub(crate) struct RunLimits<'a> {
    pub(crate) halt: Halt<'a>,
    pub(crate) quota: Quota,
    pub(crate) ticket: Ticket<'a>,
}

impl<'a> RunLimits<'a> {
    /// Limits of a task among the searches of a share.
    pub(crate) fn of<G: Game>(task: &Task<'a, G>, share: &'a Share) -> Self {
        Self { halt: Halt::new(task.stop), quota: Quota::of(task.budget), ticket: share.enter() }
    }

    /// The loop of thread `number`, with so many simulations under way at once, until the run is over or has no more room.
    /// `iterate` begins at most so many of them, gives them up when they are not wanted any more, and says how many count.
    pub(crate) fn simulate(
        &self,
        number: usize,
        lines: usize,
        lacks_room: impl Fn() -> bool,
        is_settled: impl Fn() -> bool,
        mut iterate: impl FnMut(usize, Wanted<'_>) -> usize,
    ) {
        let wanted = || self.halt.wanted();
        while !self.halt.is_over() && !lacks_room() {
            if self.ticket.rests(number) {
                continue;
            }
            let taken = (0..lines).take_while(|_| self.quota.take()).count();
            if taken == 0 {
                self.halt.end();
                break;
            }
            let done = iterate(taken, &wanted);
            self.quota.give_back(taken - done);
            if done == 0 {
                thread::sleep(MEETING);
            }
            if is_settled() {
                self.halt.end();
            }
        }
        if lacks_room() {
            self.halt.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::time::Instant;

    use super::*;
    use crate::search::Stop;

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
            let start = Instant::now();
            while rounds[number].load(Relaxed) < before + 2 {
                assert!(start.elapsed() < Duration::from_secs(60), "worker {number} rests");
                thread::yield_now();
            }
        };
        run(&halt, crew.most(), &work, || {
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
        });
        let alone = Crew::from(3);
        alone.rest(2, &Halt::new(&stop));
        assert_eq!(alone.most(), 3);
    }
}
