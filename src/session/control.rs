//! How whoever reads the input reaches into the search that the session's thread is running.
//!
//! The reader numbers input lines and the session's thread says which line it is working on, so that
//! "stop what you are doing" can neither be lost (command still queued) nor hit the next command.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::search::Stop;

/// How long searches that are still queued may go on once the input has closed, all together.
pub const CLOSING_GRACE: Duration = Duration::from_millis(40);

/// A search that began so shortly before the end of input was asked for by a script, which has already written its end.
const SCRIPT_PAUSE: Duration = Duration::from_millis(200);

/// Event that ends a running search besides its budget, `# interrupt` and closing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndsOn {
    /// Any further input line (analysis).
    NextLine,
    /// Nothing else (genmove).
    Interrupt,
}

/// Shared by the reader of one connection and the thread that executes its commands.
#[derive(Debug, Default)]
pub struct Control(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Number of the last line read; lines count from 1.
    read: u64,
    /// Lines up to this one have been interrupted.
    interrupted: u64,
    /// When the input ended.
    finished: Option<Instant>,
    /// When closing began.
    closing: Option<Instant>,
    /// The search that runs now.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    line: u64,
    since: Instant,
    ends_on: EndsOn,
    stop: Stop,
}

impl State {
    fn check(&mut self) {
        self.check_at(Instant::now());
    }

    fn check_at(&mut self, now: Instant) {
        if let Some(running) = &self.running {
            let over = self.finished.is_some() || self.closing.is_some();
            let next_line = running.ends_on == EndsOn::NextLine && (self.read > running.line || over);
            let abandoned = self.finished.is_some_and(|at| at > running.since + SCRIPT_PAUSE);
            let closed = self.closing.is_some_and(|since| now.saturating_duration_since(since) >= CLOSING_GRACE);
            if next_line || abandoned || closed || self.interrupted >= running.line {
                running.stop.set();
            }
        }
    }
}

impl Control {
    /// A control with nothing read and nothing running.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reader: a complete line (blank ones too) has arrived. Returns its number; ends an analysis of an earlier line.
    pub fn line_read(&self) -> u64 {
        let mut state = self.0.lock();
        state.read += 1;
        state.check();
        state.read
    }

    /// Reader: `# interrupt` has arrived. Cuts short every search of the lines read so far, also of those still queued.
    pub fn interrupt(&self) {
        let mut state = self.0.lock();
        state.interrupted = state.read;
        state.check();
    }

    /// Reader: `quit` or the end of input. Analyses end now, and so does a search that was under way. One that is still
    /// queued, or began just before, is a script's and goes on as long as its budget allows.
    pub fn finish(&self) {
        let mut state = self.0.lock();
        state.finished.get_or_insert_with(Instant::now);
        state.check();
    }

    /// Shutdown, or nobody listens any more. Analyses end now, other searches within [`CLOSING_GRACE`] altogether:
    /// the caller calls `close` again after that time.
    pub fn close(&self) {
        self.close_at(Instant::now());
    }

    /// As [`Control::close`], by the caller's clock.
    pub fn close_at(&self, now: Instant) {
        let mut state = self.0.lock();
        state.closing.get_or_insert(now);
        state.check_at(now);
    }

    /// Whether an analysis runs, which the next line ends.
    pub fn is_analysing(&self) -> bool {
        self.0.lock().running.as_ref().is_some_and(|running| running.ends_on == EndsOn::NextLine)
    }

    /// Whether something came after line number `line`: another line, an interruption, or the end.
    pub fn is_superseded(&self, line: u64) -> bool {
        let state = self.0.lock();
        state.read > line || state.interrupted >= line || state.finished.is_some() || state.closing.is_some()
    }

    /// Whether [`Control::close`] was called.
    pub fn is_closing(&self) -> bool {
        self.0.lock().closing.is_some()
    }

    /// Session: a search for line number `line` begins. Dropping the guard says that it ended.
    pub fn begin(&self, line: u64, ends_on: EndsOn) -> Guard<'_> {
        let stop = Stop::new();
        let mut state = self.0.lock();
        state.running = Some(Running { line, since: Instant::now(), ends_on, stop: stop.clone() });
        state.check();
        let time_left = state.closing.map(|since| CLOSING_GRACE.saturating_sub(since.elapsed()));
        Guard { control: self, stop, time_left }
    }
}

/// A running search as [`Control`] sees it.
#[derive(Debug)]
pub struct Guard<'a> {
    control: &'a Control,
    stop: Stop,
    time_left: Option<Duration>,
}

impl Guard<'_> {
    /// The flag to give to the search.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The most time the search may take, once closing has begun.
    pub fn time_left(&self) -> Option<Duration> {
        self.time_left
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.control.0.lock().running = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_an_analysis_but_not_a_genmove() {
        let control = Control::new();
        let line = control.line_read();
        let analysis = control.begin(line, EndsOn::NextLine);
        assert!(!analysis.stop().is_set());
        control.line_read();
        assert!(analysis.stop().is_set());
        drop(analysis);
        let genmove = control.begin(2, EndsOn::Interrupt);
        control.line_read();
        assert!(!genmove.stop().is_set());
    }

    #[test]
    fn an_analysis_ends_at_once_when_the_next_line_was_already_read() {
        let control = Control::new();
        let line = control.line_read();
        control.line_read();
        assert!(control.begin(line, EndsOn::NextLine).stop().is_set());
    }

    #[test]
    fn interrupt_reaches_queued_lines_and_no_later_ones() {
        let control = Control::new();
        let (first, second) = (control.line_read(), control.line_read());
        assert!(!control.is_superseded(second));
        control.interrupt();
        assert!(control.is_superseded(second));
        let third = control.line_read();
        assert!(control.begin(first, EndsOn::Interrupt).stop().is_set());
        assert!(control.begin(second, EndsOn::Interrupt).stop().is_set());
        assert!(!control.begin(third, EndsOn::Interrupt).stop().is_set());
    }

    #[test]
    fn the_end_of_input_ends_what_was_under_way_and_leaves_what_a_script_asked_for() {
        let control = Control::new();
        let line = control.line_read();
        let under_way = control.begin(line, EndsOn::Interrupt);
        control.0.lock().running.as_mut().unwrap().since -= 2 * SCRIPT_PAUSE;
        control.finish();
        assert!(under_way.stop().is_set());
        drop(under_way);
        let queued = control.begin(line, EndsOn::Interrupt);
        assert!(!queued.stop().is_set() && queued.time_left().is_none());
        control.finish();
        assert!(!queued.stop().is_set());
        drop(queued);
        assert!(control.begin(line, EndsOn::NextLine).stop().is_set());
        // A signal leaves nobody any time.
        control.close();
        assert!(control.begin(line, EndsOn::Interrupt).time_left().is_some());
    }

    #[test]
    fn a_search_that_began_just_before_the_end_of_input_goes_on() {
        let control = Control::new();
        let line = control.line_read();
        let search = control.begin(line, EndsOn::Interrupt);
        control.finish();
        assert!(!search.stop().is_set());
        control.interrupt();
        assert!(search.stop().is_set());
    }

    #[test]
    fn closing_leaves_queued_searches_a_little_time() {
        let control = Control::new();
        let line = control.line_read();
        control.close();
        let guard = control.begin(line, EndsOn::Interrupt);
        assert!(guard.time_left().is_some_and(|t| t <= CLOSING_GRACE));
        drop(guard);
        assert!(control.begin(line, EndsOn::NextLine).stop().is_set());
    }
}
