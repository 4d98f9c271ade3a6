//! Limits of a server, and the buckets that rates are counted with.

use std::time::{Duration, Instant};

/// Limits of a server; each ends the session that passes it, with the reason in the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Sessions at once. One more is told so and let go.
    pub sessions: usize,
    /// Sessions at once from one address. Not on loopback, where all clients share one.
    pub per_address: usize,
    /// Connections a second from one address, in the long run.
    pub connections_per_second: u32,
    /// Connections that one address may make at once.
    pub connection_burst: u32,
    /// Time without a whole line of input.
    pub idle: Duration,
    /// Lines a second, in the long run; each KiB of a line counts as a line.
    pub lines_per_second: u32,
    /// Lines at once: a client may send a whole game in one burst.
    pub burst: u32,
    /// Time for a peer to read an answer.
    pub write: Duration,
    /// Shortest interval between the reports of an analysis.
    pub report_every: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sessions: 64,
            per_address: 16,
            connections_per_second: 50,
            connection_burst: 500,
            idle: Duration::from_secs(1800),
            lines_per_second: 1000,
            burst: 5000,
            write: Duration::from_secs(10),
            report_every: Duration::from_millis(50),
        }
    }
}

/// Token bucket: fills at a rate, holds a burst.
#[derive(Debug)]
pub struct Bucket {
    rate: f64,
    burst: f64,
    left: f64,
    since: Instant,
}

impl Bucket {
    /// A full bucket of `burst` tokens that gains `per_second`.
    pub fn new(per_second: u32, burst: u32, now: Instant) -> Self {
        let burst = f64::from(burst);
        Self { rate: f64::from(per_second), burst, left: burst, since: now }
    }

    fn fill(&mut self, now: Instant) {
        let gained = now.saturating_duration_since(self.since).as_secs_f64() * self.rate;
        self.left = (self.left + gained).min(self.burst);
        self.since = now;
    }

    /// Takes tokens; `false`, and nothing is taken, if there are too few.
    pub fn take(&mut self, tokens: f64, now: Instant) -> bool {
        self.fill(now);
        let enough = self.left >= tokens;
        self.left -= if enough { tokens } else { 0.0 };
        enough
    }

    /// Whether it holds all it can.
    pub fn is_full(&mut self, now: Instant) -> bool {
        self.fill(now);
        self.left >= self.burst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_pass_and_floods_do_not() {
        let start = Instant::now();
        let mut bucket = Bucket::new(10, 5, start);
        assert!((0..5).all(|_| bucket.take(1.0, start)));
        assert!(!bucket.take(1.0, start) && !bucket.is_full(start));
        // After a second it is full again, and no fuller.
        let later = start + Duration::from_secs(1);
        assert!(bucket.is_full(later));
        assert!((0..5).all(|_| bucket.take(1.0, later)));
        assert!(!bucket.take(1.0, later));
        // A request for too much takes nothing.
        let half = later + Duration::from_millis(150);
        assert!(!bucket.take(2.0, half) && bucket.take(1.0, half));
    }
}
