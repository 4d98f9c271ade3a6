//! Account of the work that a session does outside its searches. Searches share the machine's threads; a flood of other
//! commands would go past that, so what they cost is paid back by rest where others want the machine.

use std::thread;
use std::time::{Duration, Instant};

use crate::session::Control;

/// Work that costs no rest: commands of a game are far below it.
const CREDIT: Duration = Duration::from_millis(200);
/// Longest rest for one command.
const LONGEST_REST: Duration = Duration::from_secs(10);
/// Steps in which a session rests, between looks at whether it is closing.
const NAP: Duration = Duration::from_millis(10);

/// Rest that a session owes for its work outside searches.
#[derive(Debug)]
pub(crate) struct Account {
    credit: Duration,
    /// When the work or the rest before it ended.
    since: Instant,
}

impl Account {
    /// An account with all of its credit.
    pub(crate) fn new(now: Instant) -> Self {
        Self { credit: CREDIT, since: now }
    }

    /// Charges work that ended `now`; says how long the session must rest for it. Where nobody else wants the machine no rest
    /// is due. Credit comes back as fast as time passes without work.
    fn charge(&mut self, work: Duration, now: Instant, contended: bool) -> Duration {
        let passed = now.saturating_duration_since(self.since);
        self.credit = (self.credit + passed.saturating_sub(work)).min(CREDIT);
        self.since = now;
        if !contended {
            return Duration::ZERO;
        }
        let rest = work.saturating_sub(self.credit).min(LONGEST_REST);
        self.credit = self.credit.saturating_sub(work);
        self.since = now + rest;
        rest
    }

    /// Charges work that ends now, and rests for it, at most until the session closes.
    pub(crate) fn settle(&mut self, work: Duration, contended: bool, control: &Control) {
        let now = Instant::now();
        let rested = now + self.charge(work, now, contended);
        while Instant::now() < rested && !control.is_closing() {
            thread::sleep(NAP.min(rested.saturating_duration_since(Instant::now())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Time that a client who never pauses works and rests, of `total`.
    fn flood(work: Duration, total: Duration, contended: bool) -> (Duration, Duration) {
        let start = Instant::now();
        let (mut account, mut now) = (Account::new(start), start);
        let (mut worked, mut rested) = (Duration::ZERO, Duration::ZERO);
        while now < start + total {
            now += work;
            worked += work;
            let rest = account.charge(work, now, contended);
            now += rest;
            rested += rest;
        }
        (worked, rested)
    }

    #[test]
    fn a_flood_works_half_of_the_time_where_others_want_the_machine() {
        for work in [MS / 10, MS, 50 * MS, 500 * MS] {
            let (worked, rested) = flood(work, Duration::from_secs(20), true);
            assert!(worked <= rested + CREDIT + work, "{work:?}: {worked:?} worked, {rested:?} rested");
            assert!(rested <= worked);
            assert_eq!(flood(work, Duration::from_secs(20), false).1, Duration::ZERO);
        }
    }

    #[test]
    fn commands_of_a_game_cost_no_rest() {
        let mut now = Instant::now();
        let mut account = Account::new(now);
        for _ in 0..1000 {
            now += 200 * MS;
            assert_eq!(account.charge(20 * MS, now, true), Duration::ZERO);
        }
        // After a pause a burst is free.
        now += Duration::from_secs(5);
        assert_eq!(account.charge(CREDIT, now, true), Duration::ZERO);
        assert_eq!(account.charge(MS, now, true), MS);
    }

    #[test]
    fn one_rest_has_an_end() {
        let now = Instant::now();
        assert_eq!(Account::new(now).charge(Duration::from_secs(3600), now, true), LONGEST_REST);
    }
}
