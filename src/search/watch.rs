//! The caller's side of a run, one for all searches: waits for the workers, sends reports, ends the run in time, and lets a
//! finished analysis stand until it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{Budget, Report, Share, Stop, Task};
use crate::game::Game;

/// Interval at which a run with a clock asks whether its choice can still change.
const EARLY_STOP_INTERVAL: Duration = Duration::from_millis(20);
/// Least time between two reports, as a multiple of the time that the earlier one took: whoever asks for many takes no more than a
/// twentieth of a thread beside the search. Where searches share a thread they share that too ([`Share::crowd`]).
const REPORTS_REST: u32 = 19;

/// Signals that end a run. Its workers look at them; its [`Watch`] and the workers give them.
#[derive(Debug)]
pub(crate) struct Halt<'a> {
    /// Set when the workers shall end.
    ended: AtomicBool,
    /// Set when they shall give up what is under way.
    late: AtomicBool,
    stop: &'a Stop,
}

impl<'a> Halt<'a> {
    /// Signals of a run that is also ended by `stop`.
    pub(crate) fn new(stop: &'a Stop) -> Self {
        Self { ended: AtomicBool::new(false), late: AtomicBool::new(false), stop }
    }

    /// Whether the workers shall end.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.ended.load(Relaxed) || self.stop.is_set()
    }

    /// Whether what is under way shall be finished. At the end of a node budget it is; at the end of the time it is given up.
    pub(crate) fn wanted(&self) -> bool {
        !self.late.load(Relaxed) && !self.stop.is_set()
    }

    /// Ends the run: nothing is left to do.
    pub(crate) fn end(&self) {
        self.ended.store(true, Relaxed);
        self.stop.wake();
    }

    /// Has the watch look at [`Watched::is_paused`] again.
    pub(crate) fn wake(&self) {
        self.stop.wake();
    }
}

/// Iterations that a run may still begin.
#[derive(Debug)]
pub(crate) struct Quota {
    limit: u64,
    begun: AtomicU64,
}

impl Quota {
    /// Iterations of a budget.
    pub(crate) fn of(budget: Budget) -> Self {
        Self { limit: budget.nodes.unwrap_or(u64::MAX), begun: AtomicU64::new(0) }
    }

    /// Takes one iteration; `false` if none is left.
    pub(crate) fn take(&self) -> bool {
        self.begun.fetch_update(Relaxed, Relaxed, |begun| (begun < self.limit).then_some(begun + 1)).is_ok()
    }

    /// Gives back iterations that came to nothing.
    pub(crate) fn give_back(&self, count: usize) {
        if count > 0 {
            self.begun.fetch_sub(count as u64, Relaxed);
        }
    }

    /// Iterations begun.
    pub(crate) fn begun(&self) -> u64 {
        self.begun.load(Relaxed)
    }
}

/// The root's most visited move against its rivals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    /// Visits of this run.
    pub(crate) done: u64,
    /// Visits by which the most visited move is ahead of the second.
    pub(crate) ahead: u32,
}

impl Lead {
    /// The lead among moves with these visits.
    pub(crate) fn among(done: u64, visits: impl Iterator<Item = u32>) -> Self {
        let (mut first, mut second) = (0, 0);
        for visits in visits {
            if visits > first {
                (first, second) = (visits, first);
            } else if visits > second {
                second = visits;
            }
        }
        Self { done, ahead: first - second }
    }
}

/// A run, as its watch asks about it.
pub(crate) trait Watched {
    /// A snapshot for the caller.
    type Report;

    /// A report of now; `None` if there is nothing to tell yet.
    fn report(&self) -> Option<Self::Report>;

    /// The lead of the best move; `None` where visits do not decide.
    fn lead(&self) -> Option<Lead> {
        None
    }

    /// Whether the workers leave for a pause, after which the run goes on.
    fn is_paused(&self) -> bool {
        false
    }
}

/// Why [`Watch::wait`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// The run is over.
    Over,
    /// The workers pause.
    Paused,
}

/// When a run began, and when its time is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    start: Instant,
    /// `None` without a limit of time.
    deadline: Option<Instant>,
}

impl Timer {
    /// Time since the run began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// Whether so much time is left.
    pub(crate) fn affords(&self, time: Duration) -> bool {
        self.deadline.is_none_or(|at| Instant::now() + time < at)
    }
}

/// Time and reports of a run.
#[derive(Debug)]
pub(crate) struct Watch {
    clock: Timer,
    /// Interval between reports, and when the next one is due.
    reports: Option<(Duration, Instant)>,
    early_stop: bool,
    /// Threads that other searches want too; `None` where nobody else searches.
    share: Option<Arc<Share>>,
}

impl Watch {
    /// Starts the clock of a run.
    pub(crate) fn new(budget: Budget, report_every: Option<Duration>) -> Self {
        let start = Instant::now();
        Self {
            clock: Timer { start, deadline: budget.time.map(|time| start + time) },
            reports: report_every.map(|every| (every, start + every)),
            early_stop: budget.early_stop && budget.time.is_some(),
            share: None,
        }
    }

    /// A watch whose reports leave the searches of `share` their time.
    pub(crate) fn among(self, share: &Arc<Share>) -> Self {
        Self { share: Some(Arc::clone(share)), ..self }
    }

    /// The clock of the run.
    pub(crate) fn clock(&self) -> Timer {
        self.clock
    }

    /// Makes and sends a report if one is due. The next one is due after the interval, or later where this one took long.
    pub(crate) fn report(&mut self, send: impl FnOnce()) {
        let begun = Instant::now();
        if let Some((every, at)) = &mut self.reports
            && begun >= *at
        {
            send();
            let taken = begun.elapsed();
            let crowd = self.share.as_ref().map_or(1, |share| share.crowd());
            *at = (*at + *every).max(begun + taken + REPORTS_REST * crowd * taken);
        }
    }

    /// Blocks until the workers end or pause, the time is over, or the choice cannot change any more; reports meanwhile. At the
    /// end it tells the workers.
    pub(crate) fn wait<W: Watched>(
        &mut self,
        halt: &Halt<'_>,
        run: &W,
        on_report: &mut dyn FnMut(&W::Report),
    ) -> Waited {
        let running = || !halt.ended.load(Relaxed);
        loop {
            let early = self.early_stop.then(|| Instant::now() + EARLY_STOP_INTERVAL);
            let due = self.reports.map(|(_, at)| at);
            let wake = [self.clock.deadline, early, due].into_iter().flatten().min();
            let stopped = halt.stop.wait_while(wake, || running() && !run.is_paused());
            let over = stopped || !running() || self.clock.is_over();
            if !over && run.is_paused() {
                return Waited::Paused;
            }
            if over || self.early_stop && self.is_decided(run.lead()) {
                halt.late.store(!halt.ended.swap(true, Relaxed), Relaxed);
                return Waited::Over;
            }
            self.report(|| {
                if let Some(report) = run.report() {
                    on_report(&report);
                }
            });
        }
    }

    /// Whether the lead cannot be caught up with in the time that is left, at the pace until now.
    fn is_decided(&self, lead: Option<Lead>) -> bool {
        let (Some(Lead { done, ahead }), Some(deadline)) = (lead, self.clock.deadline) else { return false };
        let now = Instant::now();
        let left = deadline.saturating_duration_since(now).as_secs_f64();
        let pace = done as f64 / (now - self.clock.start).as_secs_f64().max(1e-3);
        done > 0 && f64::from(ahead) > pace * left
    }
}

/// Reports an analysis without limits that has ended by itself, such as of a root that is proved, and lets it stand until it is
/// stopped. Other searches return at once.
pub(crate) fn stand<G: Game>(
    task: &Task<'_, G>,
    report: &Report<G::Move>,
    on_report: &mut dyn FnMut(&Report<G::Move>),
) {
    if task.report_every.is_some() && task.budget == Budget::default() && !task.stop.is_set() {
        on_report(report);
        task.stop.wait_while(None, || true);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A run that counts its reports, leads by so much, and pauses after so many reports.
    struct Counted {
        reports: Cell<u32>,
        lead: Option<Lead>,
        pauses_after: u32,
    }

    impl Watched for Counted {
        type Report = u32;

        fn report(&self) -> Option<u32> {
            self.reports.set(self.reports.get() + 1);
            (self.reports.get() > 1).then(|| self.reports.get())
        }

        fn lead(&self) -> Option<Lead> {
            self.lead
        }

        fn is_paused(&self) -> bool {
            self.reports.get() >= self.pauses_after
        }
    }

    fn counted() -> Counted {
        Counted { reports: Cell::new(0), lead: None, pauses_after: u32::MAX }
    }

    const TICK: Option<Duration> = Some(Duration::from_millis(1));

    #[test]
    fn reports_take_a_small_part_of_the_time() {
        const TAKEN: Duration = Duration::from_millis(5);
        let reports_among = |searches| {
            let share = Arc::new(Share::new(1));
            let _tickets: Vec<_> = (0..searches).map(|_| share.enter()).collect();
            let mut watch = Watch::new(Budget::default(), TICK).among(&share);
            let (start, mut reports) = (Instant::now(), 0);
            while start.elapsed() < 50 * TAKEN {
                watch.report(|| {
                    reports += 1;
                    std::thread::sleep(TAKEN);
                });
            }
            reports
        };
        // Each takes a twentieth of the time, and of a third of it where three searches have one thread.
        assert!((1..=3).contains(&reports_among(1)));
        assert_eq!(reports_among(3), 1);
    }

    #[test]
    fn a_stop_ends_a_run_and_what_is_under_way() {
        let stop = Stop::new();
        let (halt, mut told) = (Halt::new(&stop), Vec::new());
        let waited = Watch::new(Budget::default(), TICK).wait(&halt, &counted(), &mut |&number| {
            told.push(number);
            if number == 4 {
                stop.set();
            }
        });
        // The first report had nothing to tell.
        assert_eq!((waited, told), (Waited::Over, vec![2, 3, 4]));
        assert!(halt.is_over() && !halt.wanted());
    }

    #[test]
    fn a_wait_is_not_filled_by_reports() {
        let stop = Stop::new();
        let budget = Budget { time: Some(Duration::from_millis(180)), ..Budget::default() };
        let mut told = 0;
        Watch::new(budget, TICK).wait(&Halt::new(&stop), &counted(), &mut |_| {
            std::thread::sleep(Duration::from_millis(10));
            told += 1;
        });
        assert_eq!(told, 1);
    }

    #[test]
    fn workers_that_end_finish_what_is_under_way() {
        let stop = Stop::new();
        let halt = Halt::new(&stop);
        halt.end();
        assert_eq!(Watch::new(Budget::default(), None).wait(&halt, &counted(), &mut |_| ()), Waited::Over);
        assert!(halt.is_over() && halt.wanted());
    }

    #[test]
    fn a_pause_ends_no_run() {
        let stop = Stop::new();
        let halt = Halt::new(&stop);
        let run = Counted { pauses_after: 3, ..counted() };
        let mut watch = Watch::new(Budget::default(), TICK);
        assert_eq!(watch.wait(&halt, &run, &mut |_| ()), Waited::Paused);
        assert!(!halt.is_over() && halt.wanted());
    }

    #[test]
    fn time_ends_a_run_unless_the_choice_is_made_before() {
        let budget = Budget { time: Some(Duration::from_millis(100)), early_stop: true, nodes: None };
        let stop = Stop::new();
        let wait = |lead| {
            let (mut watch, halt) = (Watch::new(budget, None), Halt::new(&stop));
            watch.wait(&halt, &Counted { lead, ..counted() }, &mut |_| ());
            (watch.clock.is_over(), halt.wanted())
        };
        assert_eq!(wait(None), (true, false));
        // Nothing done yet decides nothing.
        assert_eq!(wait(Some(Lead { done: 0, ahead: 0 })), (true, false));
        let time = Duration::from_secs(3600);
        let (mut watch, halt) = (Watch::new(Budget { time: Some(time), ..budget }, None), Halt::new(&stop));
        watch.wait(&halt, &Counted { lead: Some(Lead { done: 10, ahead: u32::MAX }), ..counted() }, &mut |_| ());
        let clock = watch.clock();
        assert!(!clock.is_over() && halt.is_over() && clock.affords(time / 2) && !clock.affords(time));
    }

    #[test]
    fn the_lead_is_of_the_first_over_the_second() {
        let ahead = |visits: &[u32]| Lead::among(1, visits.iter().copied()).ahead;
        assert_eq!([ahead(&[]), ahead(&[5]), ahead(&[3, 9, 4]), ahead(&[9, 9])], [0, 5, 5, 0]);
    }

    #[test]
    fn a_quota_is_exact() {
        let quota = Quota::of(Budget { nodes: Some(3), ..Budget::default() });
        assert_eq!((0..5).filter(|_| quota.take()).count(), 3);
        quota.give_back(2);
        assert_eq!((quota.begun(), quota.take(), quota.take(), quota.take()), (1, true, true, false));
    }
}
