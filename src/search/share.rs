//! Fair sharing of the machine's search threads among the searches that run at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// How long a worker sleeps that has given its place to another search, before it asks again: short naps of many sessions cost
/// the others a good part of a core.
const REST: Duration = Duration::from_millis(5);

/// How many threads the process may search with, and how many searches share them now.
///
/// Every search takes part through a [`Ticket`]; worker `i` of a search works while `i < ticket.threads()`
/// and naps otherwise, so a long analysis gives threads back as soon as another session begins to think.
#[derive(Debug)]
pub struct Share {
    machine: Arc<Machine>,
    /// Searches of this share that run now, where all of them together count as one.
    joint: Option<AtomicUsize>,
}

/// Threads of the process, and what runs on them.
#[derive(Debug)]
struct Machine {
    threads: usize,
    // A count only: no other memory is published through it, hence Relaxed.
    running: AtomicUsize,
}

/// Presence of one running search; leaving is dropping it.
#[derive(Debug)]
pub struct Ticket<'a>(&'a Share);

impl Share {
    /// `threads` search threads for the whole process, at least 1.
    pub fn new(threads: usize) -> Self {
        let machine = Machine { threads: threads.max(1), running: AtomicUsize::new(0) };
        Self { machine: Arc::new(machine), joint: None }
    }

    /// A share of the same threads, whose searches have together what one search has elsewhere.
    pub fn joint(&self) -> Self {
        Self { machine: Arc::clone(&self.machine), joint: Some(AtomicUsize::new(0)) }
    }

    /// Enters a search.
    pub fn enter(&self) -> Ticket<'_> {
        if self.joint.as_ref().is_none_or(|joint| joint.fetch_add(1, Ordering::Relaxed) == 0) {
            self.machine.running.fetch_add(1, Ordering::Relaxed);
        }
        Ticket(self)
    }

    /// Threads of the whole process.
    pub fn threads(&self) -> usize {
        self.machine.threads
    }

    /// Number of searches running now; joint ones count as one.
    pub fn running(&self) -> usize {
        self.machine.running.load(Ordering::Relaxed)
    }

    /// Searches to a thread now, rounded up; at least 1.
    pub fn crowd(&self) -> u32 {
        u32::try_from(self.running().div_ceil(self.threads()).max(1)).unwrap_or(u32::MAX)
    }

    /// Threads that the searches of a joint share may use together now, at least 1.
    pub fn part(&self) -> usize {
        let own = self.joint.as_ref().is_some_and(|joint| joint.load(Ordering::Relaxed) > 0);
        (self.threads() / (self.running().saturating_sub(usize::from(own)) + 1)).max(1)
    }
}

impl Ticket<'_> {
    /// Threads that each running search may use now: an equal part, at least 1.
    #[inline]
    pub fn threads(&self) -> usize {
        let part = self.0.threads() / self.0.running().max(1);
        let joint = self.0.joint.as_ref().map_or(1, |joint| joint.load(Ordering::Relaxed));
        (part / joint.max(1)).max(1)
    }

    /// Whether worker `number` has no thread now; it has slept a little then. Worker 0 always has one.
    pub fn rests(&self, number: usize) -> bool {
        let rests = number > 0 && number >= self.threads();
        if rests {
            thread::sleep(REST);
        }
        rests
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if self.0.joint.as_ref().is_none_or(|joint| joint.fetch_sub(1, Ordering::Relaxed) == 1) {
            self.0.machine.running.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_divided_and_given_back() {
        let share = Share::new(8);
        let one = share.enter();
        assert_eq!(one.threads(), 8);
        let two = share.enter();
        assert_eq!((one.threads(), two.threads()), (4, 4));
        drop(one);
        assert_eq!(two.threads(), 8);
    }

    #[test]
    fn nobody_starves() {
        let share = Share::new(2);
        assert_eq!(share.crowd(), 1);
        let tickets: Vec<_> = (0..5).map(|_| share.enter()).collect();
        assert!(tickets.iter().all(|t| t.threads() == 1));
        assert_eq!(share.crowd(), 3);
    }

    #[test]
    fn joint_searches_have_the_part_of_one() {
        let share = Share::new(8);
        let joint = share.joint();
        assert_eq!(joint.part(), 8);
        let tickets: Vec<_> = (0..4).map(|_| joint.enter()).collect();
        assert_eq!((share.running(), tickets[0].threads(), joint.part()), (1, 2, 8));
        let alone = share.enter();
        assert_eq!((share.running(), tickets[0].threads(), alone.threads(), joint.part()), (2, 1, 4, 4));
        drop(tickets);
        assert_eq!((share.running(), alone.threads(), joint.part()), (1, 8, 4));
    }
}
