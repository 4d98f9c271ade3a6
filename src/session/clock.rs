//! Time left, and the share of it that the next move gets. Pure arithmetic: never reads a clock itself.
//!
//! Main time before overtime is there to be used up, for a period follows: while it lasts, moves take about twice what
//! overtime gives. A period is used whole. Time that nothing follows is spread over the moves that are expected, less
//! their lag, which is learned from the controller's clock ([`Clock::set`]).

use std::time::Duration;

use self::lag::Lag;
use crate::game::Side;
use crate::players::MovesLeft;

mod lag;

/// Periods of byo-yomi that are not used for longer thinking: the last, and one for a move that takes too long.
const KEPT_PERIODS: u32 = 2;
/// Largest share of the time left that is kept for the lag of moves that are not expected: before one was measured, and then.
const LAG_SHARE: [f64; 2] = [0.25, 0.9];
/// Largest share of a time that is kept for the lag of the move that uses it: before one was measured, and then.
const MARGIN_SHARE: [f64; 2] = [0.5, 0.9];
/// A move's wall time at most, as a multiple of its time to search.
const LIMIT: f64 = 1.5;
/// Seconds by which a clock that is told in whole seconds may be behind.
const ROUNDING: f64 = 0.5;

/// A way of timing games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum System {
    /// No limit.
    #[default]
    None,
    /// All moves within `main`.
    Absolute {
        /// Time for the game.
        main: Duration,
    },
    /// After `main`, `stones` moves within each `period`.
    Canadian {
        /// Time before the first period.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Moves to be made in it, at least 1.
        stones: u32,
    },
    /// After `main`, each move within `period`; going over uses up one of `periods`.
    ByoYomi {
        /// Time before the first period.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Number of periods, at least 1.
        periods: u32,
    },
    /// Every move adds `increment`.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Time added after each move.
        increment: Duration,
        /// Most time on the clock, where capped.
        fullest: Option<Duration>,
        /// Most time for one move, where capped.
        longest: Option<Duration>,
    },
}

/// Time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// Time to search.
    pub time: Duration,
    /// Upper bound on the move's wall time, questions around the search included.
    pub limit: Duration,
    /// Whether what the move does not use is lost, as the rest of a period is.
    pub lost_if_unused: bool,
}

impl Allotment {
    /// An allotment with at most so much time to search.
    pub fn within(self, longest: Duration) -> Self {
        let most = Duration::try_from_secs_f64(LIMIT * longest.as_secs_f64()).unwrap_or(Duration::MAX);
        Self { time: self.time.min(longest), limit: self.limit.min(most), ..self }
    }
}

/// Time and overtime count of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Left {
    time: Duration,
    /// Stones (Canadian) or periods (byo-yomi) left in overtime; 0 in main time.
    count: u32,
}

/// One side's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SideClock {
    left: Left,
    /// Whether the controller has said what is left in this game.
    told: bool,
    /// State that the controller told last, or the start of the game.
    known: Left,
    /// Whether `known` is in whole seconds, so that a fraction may be missing.
    rounded: bool,
    /// Engine's planned time and moves since `known`; `None` once something else happened on this clock.
    since: Option<(Duration, u32)>,
}

/// Both sides' clocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    system: System,
    sides: [SideClock; 2],
    lag: Lag,
}

impl Clock {
    /// Clocks at the start of a game. `lag` is the expected lag of a move until the controller's clock tells it, and
    /// the least that is kept back.
    pub fn new(system: System, lag: Duration) -> Self {
        Self { system, sides: [Self::full(system); 2], lag: Lag::new(lag.as_secs_f64()) }
    }

    /// A side's clock at the start of a game.
    fn full(system: System) -> SideClock {
        let main = match system {
            System::None => Duration::ZERO,
            System::Absolute { main }
            | System::Canadian { main, .. }
            | System::ByoYomi { main, .. }
            | System::Fischer { main, .. } => main,
        };
        let left = overtime(system, Left { time: main, count: 0 });
        SideClock { left, told: false, known: left, rounded: false, since: Some((Duration::ZERO, 0)) }
    }

    /// The timing in use.
    pub fn system(&self) -> System {
        self.system
    }

    /// Sets the timing, and both clocks to their start. The lag stays known. Where the same timing is said again, as some controllers do
    /// before every move, it is learned from what they told before.
    pub fn set_system(&mut self, system: System) {
        let again = system == self.system;
        self.system = system;
        let full = Self::full(system);
        for clock in &mut self.sides {
            let learns = again && clock.told;
            *clock = if learns { SideClock { left: full.left, told: false, ..*clock } } else { full };
        }
    }

    /// Starts both clocks again, by the same system.
    pub fn restart(&mut self) {
        self.sides = [Self::full(self.system); 2];
    }

    /// The controller's word on a side's clock, from which the lag of its moves is learned. `count` is stones or
    /// periods left, 0 in main time.
    pub fn set(&mut self, side: Side, time: Duration, count: u32) {
        let (system, clock) = (self.system, &mut self.sides[side.index()]);
        // Where there are neither stones nor periods, some controllers send another number than 0.
        let count = if matches!(system, System::Absolute { .. } | System::Fischer { .. }) { 0 } else { count };
        let now = Left { time, count };
        let rounded = time.subsec_nanos() == 0 && now != Self::full(system).left && Some(time) != period(system);
        if let Some((own, moves @ 1..)) = clock.since
            && let Some(taken) = taken(system, clock.known, now, own, moves)
        {
            let error = if rounded || clock.rounded { 1.0 } else { 0.0 };
            self.lag.record((taken - own.as_secs_f64()) / f64::from(moves), error / f64::from(moves));
        }
        let left = overtime(system, now);
        *clock = SideClock { left, told: true, known: left, rounded, since: Some((Duration::ZERO, 0)) };
    }

    /// Notes that something else than the engine's moves may have taken time, or set the clocks back.
    pub fn disturb(&mut self) {
        self.sides.iter_mut().for_each(|clock| clock.since = None);
    }

    /// Time on a side's clock; `None` without a limit.
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let clock = &self.sides[side.index()];
        (self.system != System::None || clock.told).then_some(clock.left.time)
    }

    /// Takes the engine's own time for a move off a side's clock, and the expected lag. Of `own` at most `planned` was
    /// wanted: what a busy machine added to it counts as lag.
    pub fn spend(&mut self, side: Side, own: Duration, planned: Duration) {
        let lag = seconds(self.lag.mean());
        // A lag that was never measured is not believed to be longer than the move.
        let lag = if self.lag.is_learned() { lag } else { lag.min(own) };
        let clock = &mut self.sides[side.index()];
        clock.left = after(self.system, clock.left, own.saturating_add(lag));
        clock.since = clock.since.map(|(time, moves)| (time.saturating_add(own.min(planned)), moves + 1));
    }

    /// Time for the next move of `side`, who may have to make `moves`; `None` without a limit.
    pub fn allot(&self, side: Side, moves: MovesLeft) -> Option<Allotment> {
        self.time_left(side)?;
        let (think, most) = self.seconds_for(side, moves);
        let think = think.clamp(0.0, most.max(0.0));
        let count = self.sides[side.index()].left.count;
        let lost_if_unused = match self.system {
            System::ByoYomi { .. } => count > 0,
            _ => count == 1,
        };
        Some(Allotment { time: seconds(think), limit: seconds(most.min(LIMIT * think)), lost_if_unused })
    }

    /// All time of `side` that can be taken at once; `None` without a limit.
    pub fn most(&self, side: Side) -> Option<Duration> {
        self.time_left(side).map(|_| seconds(self.seconds_for(side, MovesLeft::about(2.0)).1))
    }

    /// Seconds for the next move, and all that there are before the game or more than a spare period is lost.
    fn seconds_for(&self, side: Side, moves: MovesLeft) -> (f64, f64) {
        let SideClock { left: Left { time, count }, rounded, told, .. } = self.sides[side.index()];
        let time = time.as_secs_f64();
        let time = if rounded { time - ROUNDING.min(time / 4.0) } else { time };
        match (self.system, count) {
            (System::ByoYomi { period, periods, .. }, _) => {
                let period = period.as_secs_f64();
                let spare = period * f64::from(if count > 0 { count } else { periods }.saturating_sub(KEPT_PERIODS));
                if count > 0 {
                    (self.usable(time) + spare.min(period), self.usable(time) + spare)
                } else {
                    let free = self.usable(period);
                    (beside(free, period, time + spare, moves.expected), free + time + spare)
                }
            }
            (System::Canadian { period, stones, .. }, 0) => {
                let free = self.spread(period.as_secs_f64(), f64::from(stones.max(1)), 0.0);
                (beside(free, free, time, moves.expected), free + time)
            }
            (System::Canadian { period, stones, .. }, _) if !told => {
                // The controller's period may have begun a move earlier or later: none may rest on what others have saved.
                let each = self.spread(period.as_secs_f64(), f64::from(stones.max(1)), 0.0);
                (self.spread(time, f64::from(count), 0.0).min(each), self.usable(time))
            }
            // Also where only the controller knows the system.
            (_, 1..) => (self.spread(time, f64::from(count), 0.0), self.usable(time)),
            (System::Fischer { increment, longest, .. }, 0) => {
                let increment = increment.as_secs_f64();
                let most = longest.map_or(f64::INFINITY, |longest| self.usable(longest.as_secs_f64()));
                (self.share(time, increment, moves), most.min(self.usable(time)))
            }
            _ => (self.share(time, 0.0, moves), self.usable(time)),
        }
    }

    /// Seconds of `time` that are kept for the lag of one move.
    fn margin(&self, time: f64) -> f64 {
        self.lag.margin().min(time * MARGIN_SHARE[usize::from(self.lag.is_learned())])
    }

    /// Seconds of `time` that one move may think.
    fn usable(&self, time: f64) -> f64 {
        time - self.margin(time)
    }

    /// Expected lag in seconds of moves that have `share` each. One that was never measured takes half of it at most.
    fn lag_within(&self, share: f64) -> f64 {
        let lag = self.lag.mean();
        if self.lag.is_learned() { lag } else { lag.min(share / 2.0) }
    }

    /// Seconds for each of `moves` that share `time` equally and have `extra` seconds besides.
    fn spread(&self, time: f64, moves: f64, extra: f64) -> f64 {
        let lag = self.lag_within(time / moves + extra);
        // The last of them leaves the margin, and no more.
        let kept = (self.margin(time) - lag).max(0.0);
        (time - kept) / moves + extra - lag
    }

    /// Seconds for a move where each adds `increment` and nothing follows.
    fn share(&self, time: f64, increment: f64, MovesLeft { expected, longest }: MovesLeft) -> f64 {
        let extra = increment * (expected - 1.0) / expected;
        // What moves beyond those that are expected cost without any thinking.
        let drain = (self.lag_within(time / expected + extra) - increment).max(0.0);
        let kept = (drain * (longest - expected)).min(time * LAG_SHARE[usize::from(self.lag.is_learned())]);
        self.spread(time - kept, expected, extra)
    }
}

/// Seconds for a move while a bank of `bank` seconds lasts, each of the `moves` expected having `free` seconds besides
/// once it is empty. Before that `free` comes out of the bank, so that the sooner it is empty the more there is in all:
/// up to `more` from the bank for each move.
fn beside(free: f64, more: f64, bank: f64, moves: f64) -> f64 {
    free + (bank / moves).max(bank.min(more))
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

/// The length of a period, where the system has periods.
fn period(system: System) -> Option<Duration> {
    match system {
        System::Canadian { period, .. } | System::ByoYomi { period, .. } => Some(period),
        _ => None,
    }
}

/// Main time that is used up turns into the first period.
fn overtime(system: System, left: Left) -> Left {
    if left.count > 0 || !left.time.is_zero() {
        return left;
    }
    match system {
        System::Canadian { period, stones, .. } => Left { time: period, count: stones },
        System::ByoYomi { period, periods, .. } => Left { time: period, count: periods },
        _ => left,
    }
}

/// Time that is left after a move that took `spent`.
fn after(system: System, mut left: Left, mut spent: Duration) -> Left {
    if left.count == 0 {
        let over = spent.saturating_sub(left.time);
        left.time = left.time.saturating_sub(spent);
        if let System::Fischer { increment, fullest, .. } = system {
            left.time = left.time.saturating_add(increment).min(fullest.unwrap_or(Duration::MAX));
        }
        left = overtime(system, left);
        spent = over;
        if left.count == 0 || over.is_zero() {
            return left;
        }
    }
    match system {
        System::ByoYomi { period, .. } => {
            // A period is used up once it is gone over.
            let used = match period.as_nanos() {
                0 => u128::MAX,
                period => spent.as_nanos().saturating_sub(1) / period,
            };
            let count = left.count.saturating_sub(u32::try_from(used).unwrap_or(u32::MAX)).max(1);
            Left { time: period, count }
        }
        System::Canadian { period, stones, .. } if left.count == 1 => Left { time: period, count: stones },
        System::Canadian { .. } => Left { time: left.time.saturating_sub(spent), count: left.count - 1 },
        _ => Left { time: left.time.saturating_sub(spent), ..left },
    }
}

/// Seconds that went from a clock between two statements of the controller, over `moves` moves that took the engine `own`;
/// `None` where a period that began anew hides them.
fn taken(system: System, from: Left, to: Left, own: Duration, moves: u32) -> Option<f64> {
    let (before, now) = (from.time.as_secs_f64(), to.time.as_secs_f64());
    match (system, from.count, to.count) {
        (System::Fischer { fullest: Some(fullest), .. }, ..) if to.time >= fullest => None,
        (System::Fischer { increment, .. }, 0, 0) => Some(before - now + increment.as_secs_f64() * f64::from(moves)),
        (_, 0, 0) => Some(before - now),
        (System::ByoYomi { period, .. }, 1.., count) if moves == 1 && count < from.count => {
            // At least so much, if periods were gone over.
            let least = period.as_secs_f64() * f64::from(from.count - count);
            (least > own.as_secs_f64()).then_some(least)
        }
        (System::ByoYomi { .. }, ..) => None,
        (System::Canadian { period, stones, .. }, 0, count)
            if count < stones && (stones - count..=stones).contains(&moves) =>
        {
            Some(before + period.as_secs_f64() - now)
        }
        (_, 1.., count) if count > 0 && from.count.checked_sub(moves) == Some(count) => Some(before - now),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
