//! How whoever reads the input reaches into the search that the session's thread is running.
//!
//! The reader numbers input lines and the session's thread says which line it is working on, so that
//! "stop what you are doing" can neither be lost (command still queued) nor hit the next command.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::search::Stop;

/// How long searches that are still queued may go on once the input has closed, all together.
pub const CLOSING_GRACE: Duration = Duration::from_millis(40);

/// What ends a running search besides its budget, `# interrupt` and closing.
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
    /// When closing began.
    closing: Option<Instant>,
    /// The search that runs now.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    line: u64,
    ends_on: EndsOn,
    stop: Stop,
}

impl State {
    fn check(&mut self) {
        if let Some(running) = &self.running {
            let next_line = running.ends_on == EndsOn::NextLine && (self.read > running.line || self.closing.is_some());
            let closed = self.closing.is_some_and(|since| since.elapsed() >= CLOSING_GRACE);
            if next_line || closed || self.interrupted >= running.line {
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

    /// Reader: `quit`, end of input or shutdown. Analyses end now, other searches within [`CLOSING_GRACE`] altogether:
    /// the caller calls `close` again after that time.
    pub fn close(&self) {
        let mut state = self.0.lock();
        state.closing.get_or_insert_with(Instant::now);
        state.check();
    }

    /// Whether an analysis runs, which the next line ends.
    pub fn is_analysing(&self) -> bool {
        self.0.lock().running.as_ref().is_some_and(|running| running.ends_on == EndsOn::NextLine)
    }

    /// Whether [`Control::close`] was called.
    pub fn is_closing(&self) -> bool {
        self.0.lock().closing.is_some()
    }

    /// Session: a search for line number `line` begins. Dropping the guard says that it ended.
    pub fn begin(&self, line: u64, ends_on: EndsOn) -> Guard<'_> {
        let stop = Stop::new();
        let mut state = self.0.lock();
        state.running = Some(Running { line, ends_on, stop: stop.clone() });
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
        control.interrupt();
        let third = control.line_read();
        assert!(control.begin(first, EndsOn::Interrupt).stop().is_set());
        assert!(control.begin(second, EndsOn::Interrupt).stop().is_set());
        assert!(!control.begin(third, EndsOn::Interrupt).stop().is_set());
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
