//! Jobs in the order of their priorities, on so many threads.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::search::{Share, Stop};

/// Interval at which a job that waits for threads looks for them again.
const NAP: Duration = Duration::from_millis(20);

/// A position of somebody's game that waits to be analysed.
pub trait Job: Send {
    /// Name of the whole order.
    fn id(&self) -> &str;

    /// Turn of the game.
    fn turn(&self) -> usize;

    /// Does the work, with so many search threads at most, until it is done or stopped.
    fn run(&self, stop: &Stop, threads: usize);
}

/// Jobs that wait and that run.
pub struct Schedule {
    state: Mutex<State>,
    changed: Condvar,
    /// Threads of a job that runs alone.
    threads: usize,
    /// Share of the machine, where others use it too.
    share: Option<Arc<Share>>,
    /// Jobs that are not done, beside what else is counted there.
    unfinished: Arc<AtomicUsize>,
}

#[derive(Default)]
struct State {
    /// By priority, the highest first, and number.
    waiting: BTreeMap<(Reverse<i64>, u64), Box<dyn Job>>,
    running: Vec<Running>,
    /// Number of the last job.
    count: u64,
    finishing: bool,
    closed: bool,
}

struct Running {
    number: u64,
    id: String,
    turn: usize,
    stop: Stop,
}

impl Schedule {
    /// Nothing to do yet. A job that others do not wait behind may use so many search threads.
    pub fn new(threads: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), threads, share: None, unfinished: Arc::default() }
    }

    /// Makes a schedule whose jobs have a joint share of the machine: no more of them begin than have threads there. Jobs that are not
    /// done are added to `unfinished`.
    pub fn sharing(share: Arc<Share>, unfinished: Arc<AtomicUsize>) -> Self {
        Self { share: Some(Arc::clone(&share)), unfinished, ..Self::new(share.threads()) }
    }

    /// Adds jobs of that priority each; those of equal priority run in order.
    pub fn add(&self, jobs: impl IntoIterator<Item = (i64, Box<dyn Job>)>) {
        let mut state = self.state.lock();
        for (priority, job) in jobs {
            state.count += 1;
            let key = (Reverse(priority), state.count);
            state.waiting.insert(key, job);
            self.unfinished.fetch_add(1, Relaxed);
        }
        self.changed.notify_all();
    }

    /// Stops the jobs with such an id and turn. Those that had not begun come back and will not.
    pub fn terminate(&self, meant: impl Fn(&str, usize) -> bool) -> Vec<Box<dyn Job>> {
        let mut state = self.state.lock();
        state.running.iter().filter(|job| meant(&job.id, job.turn)).for_each(|job| job.stop.set());
        let keys: Vec<_> =
            state.waiting.iter().filter(|(_, job)| meant(job.id(), job.turn())).map(|(k, _)| *k).collect();
        self.unfinished.fetch_sub(keys.len(), Relaxed);
        keys.iter().filter_map(|key| state.waiting.remove(key)).collect()
    }

    /// No more jobs will come: whoever works ends when all are done.
    pub fn finish(&self) {
        self.state.lock().finishing = true;
        self.changed.notify_all();
    }

    /// Stops everything; jobs that have not begun are forgotten.
    pub fn close(&self) {
        let mut state = self.state.lock();
        state.closed = true;
        self.unfinished.fetch_sub(std::mem::take(&mut state.waiting).len(), Relaxed);
        state.running.iter().for_each(|job| job.stop.set());
        self.changed.notify_all();
    }

    /// Whether [`Schedule::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.state.lock().closed
    }

    /// Number of jobs that have not begun.
    pub fn waiting(&self) -> usize {
        self.state.lock().waiting.len()
    }

    /// Number of jobs that wait or run.
    pub fn jobs(&self) -> usize {
        let state = self.state.lock();
        state.waiting.len() + state.running.len()
    }

    /// Works on one job after the other until there will be no more. As many threads as call this work at once.
    pub fn work(&self) {
        while let Some((job, number, stop, threads)) = self.next() {
            job.run(&stop, threads);
            self.state.lock().running.retain(|running| running.number != number);
            self.unfinished.fetch_sub(1, Relaxed);
        }
    }

    fn next(&self) -> Option<(Box<dyn Job>, u64, Stop, usize)> {
        let mut state = self.state.lock();
        loop {
            if state.closed {
                return None;
            }
            let begins = self.share.as_ref().is_none_or(|share| state.running.len() < share.part());
            if !begins && !state.waiting.is_empty() {
                self.changed.wait_for(&mut state, NAP);
                continue;
            }
            if let Some(((_, number), job)) = state.waiting.pop_first() {
                let stop = Stop::new();
                let (id, turn) = (job.id().to_owned(), job.turn());
                state.running.push(Running { number, id, turn, stop: stop.clone() });
                // Where others wait, threads are better used for them.
                let threads = if state.waiting.is_empty() { self.threads } else { 1 };
                return Some((job, number, stop, threads));
            }
            if state.finishing {
                return None;
            }
            self.changed.wait(&mut state);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    type Log = Arc<Mutex<Vec<(String, usize, usize)>>>;

    /// A job that notes when it runs; that of turn 99 waits to be stopped.
    struct Noted(String, usize, Log);

    impl Job for Noted {
        fn id(&self) -> &str {
            &self.0
        }

        fn turn(&self) -> usize {
            self.1
        }

        fn run(&self, stop: &Stop, threads: usize) {
            self.2.lock().push((self.0.clone(), self.1, threads));
            if self.1 == 99 {
                stop.wait_while(None, || true);
            }
        }
    }

    fn job(id: &str, turn: usize, log: &Log) -> Box<dyn Job> {
        Box::new(Noted(id.to_owned(), turn, Arc::clone(log)))
    }

    #[test]
    fn the_highest_priority_comes_first_and_then_the_oldest() {
        let (schedule, log) = (Schedule::new(4), Log::default());
        schedule.add([(0, job("a", 1, &log)), (5, job("a", 2, &log)), (-1, job("a", 3, &log))]);
        schedule.add([(5, job("b", 1, &log)), (0, job("b", 2, &log))]);
        assert_eq!(schedule.waiting(), 5);
        schedule.finish();
        schedule.work();
        let order: Vec<_> = log.lock().iter().map(|(id, turn, threads)| (format!("{id}{turn}"), *threads)).collect();
        let expected = [("a2", 1), ("b1", 1), ("a1", 1), ("b2", 1), ("a3", 4)];
        assert_eq!(order, expected.map(|(name, threads)| (name.to_owned(), threads)));
    }

    #[test]
    fn termination_reaches_jobs_that_wait_and_that_run() {
        let (schedule, log) = (Arc::new(Schedule::new(1)), Log::default());
        schedule.add([
            (1, job("long", 99, &log)),
            (0, job("x", 1, &log)),
            (0, job("x", 2, &log)),
            (0, job("y", 1, &log)),
        ]);
        let worker = thread::spawn({
            let schedule = Arc::clone(&schedule);
            move || schedule.work()
        });
        while log.lock().is_empty() {
            thread::yield_now();
        }
        let cancelled = schedule.terminate(|id, turn| id == "x" && turn == 2);
        assert_eq!(cancelled.iter().map(|job| job.turn()).collect::<Vec<_>>(), [2]);
        assert!(schedule.terminate(|id, _| id == "long").is_empty());
        schedule.finish();
        worker.join().unwrap();
        assert_eq!(log.lock().iter().map(|entry| entry.0.as_str()).collect::<Vec<_>>(), ["long", "x", "y"]);
    }

    #[test]
    fn jobs_begin_where_others_leave_threads() {
        let share = Share::new(2);
        let unfinished = Arc::<AtomicUsize>::default();
        let schedule = Arc::new(Schedule::sharing(Arc::new(share.joint()), Arc::clone(&unfinished)));
        let log = Log::default();
        let other = share.enter();
        schedule.add([(0, job("a", 99, &log)), (0, job("b", 99, &log)), (0, job("c", 99, &log))]);
        assert_eq!(unfinished.load(Relaxed), 3);
        let workers = [(); 2].map(|()| {
            let schedule = Arc::clone(&schedule);
            thread::spawn(move || schedule.work())
        });
        thread::sleep(5 * NAP);
        assert_eq!(log.lock().len(), 1, "the other search has one of the two threads");
        drop(other);
        while log.lock().len() < 2 {
            thread::yield_now();
        }
        schedule.close();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        assert_eq!((log.lock().len(), unfinished.load(Relaxed)), (2, 0));
    }

    #[test]
    fn closing_stops_all() {
        let (schedule, log) = (Arc::new(Schedule::new(1)), Log::default());
        schedule.add([(1, job("long", 99, &log)), (0, job("x", 1, &log))]);
        let worker = thread::spawn({
            let schedule = Arc::clone(&schedule);
            move || schedule.work()
        });
        while log.lock().is_empty() {
            thread::yield_now();
        }
        schedule.close();
        worker.join().unwrap();
        assert!(schedule.is_closed() && schedule.waiting() == 0 && log.lock().len() == 1);
    }
}
