//! What a client over the network may use.

use std::time::{Duration, Instant};

/// Limits of a server; each ends the session that passes it, with the reason in the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Sessions at once. One more is told so and let go.
    pub sessions: usize,
    /// Time without a line of input.
    pub idle: Duration,
    /// Lines a second, in the long run.
    pub lines_per_second: u32,
    /// Lines at once: a client may send a whole game in one burst.
    pub burst: u32,
    /// Time for a peer to read an answer.
    pub write: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sessions: 64,
            idle: Duration::from_secs(1800),
            lines_per_second: 1000,
            burst: 5000,
            write: Duration::from_secs(10),
        }
    }
}

/// Counts lines against a rate: a bucket that fills at the rate and holds a burst.
#[derive(Debug)]
pub struct Rate {
    limits: Limits,
    left: f64,
    since: Instant,
}

impl Rate {
    /// A full bucket.
    pub fn new(limits: Limits, now: Instant) -> Self {
        Self { limits, left: f64::from(limits.burst), since: now }
    }

    /// Takes one line; `false` if there were too many.
    pub fn take(&mut self, now: Instant) -> bool {
        let gained = (now - self.since).as_secs_f64() * f64::from(self.limits.lines_per_second);
        self.left = (self.left + gained).min(f64::from(self.limits.burst));
        self.since = now;
        self.left -= 1.0;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_pass_and_floods_do_not() {
        let limits = Limits { lines_per_second: 10, burst: 5, ..Limits::default() };
        let start = Instant::now();
        let mut rate = Rate::new(limits, start);
        assert!((0..5).all(|_| rate.take(start)));
        assert!(!rate.take(start));
        // After a second the bucket is full again, and no fuller.
        let later = start + Duration::from_secs(1);
        assert!((0..5).all(|_| rate.take(later)));
        assert!(!rate.take(later));
    }
}
