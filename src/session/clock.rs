//! How much time is left and how much of it the next move gets. Pure arithmetic: never reads a clock itself.

use std::time::Duration;

use crate::game::Side;

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
        /// Most time on the clock, and most time for one move, where capped.
        caps: Option<(Duration, Duration)>,
    },
}

/// What one side has left.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Left {
    time: Duration,
    /// Stones (Canadian) or periods (byo-yomi) left in overtime; 0 in main time.
    count: u32,
}

/// Both sides' clocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    system: System,
    left: [Left; 2],
    /// Whether the controller has said what a side has left though no system was set.
    told: [bool; 2],
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(System::None)
    }
}

impl Clock {
    /// Clocks at the start of a game.
    pub fn new(system: System) -> Self {
        let main = match system {
            System::None => Duration::ZERO,
            System::Absolute { main }
            | System::Canadian { main, .. }
            | System::ByoYomi { main, .. }
            | System::Fischer { main, .. } => main,
        };
        let mut clock = Self { system, left: [Left { time: main, count: 0 }; 2], told: [false; 2] };
        for side in [Side::First, Side::Second] {
            clock.enter_overtime(side);
        }
        clock
    }

    /// The timing in use.
    pub fn system(&self) -> System {
        self.system
    }

    /// Starts both clocks again, by the same system.
    pub fn restart(&mut self) {
        *self = Self::new(self.system);
    }

    /// The controller's word on a side's clock. `count` is stones or periods left, 0 in main time.
    pub fn set(&mut self, side: Side, time: Duration, count: u32) {
        self.left[side.index()] = Left { time, count };
        self.told[side.index()] = true;
        self.enter_overtime(side);
    }

    /// Time on a side's clock; `None` without a limit.
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        (self.system != System::None || self.told[side.index()]).then(|| self.left[side.index()].time)
    }

    /// Main time that is used up turns into the first period.
    fn enter_overtime(&mut self, side: Side) {
        let left = &mut self.left[side.index()];
        if left.count > 0 || !left.time.is_zero() {
            return;
        }
        match self.system {
            System::Canadian { period, stones, .. } => *left = Left { time: period, count: stones },
            System::ByoYomi { period, periods, .. } => *left = Left { time: period, count: periods },
            _ => {}
        }
    }

    /// Takes the time of a move off a side's clock.
    pub fn spend(&mut self, side: Side, mut spent: Duration) {
        let left = &mut self.left[side.index()];
        if left.count == 0 {
            let over = spent.saturating_sub(left.time);
            left.time = left.time.saturating_sub(spent);
            if let System::Fischer { increment, caps, .. } = self.system {
                left.time = left.time.saturating_add(increment);
                if let Some((most, _)) = caps {
                    left.time = left.time.min(most);
                }
            }
            self.enter_overtime(side);
            spent = over;
            if self.left[side.index()].count == 0 || over.is_zero() {
                return;
            }
        }
        let left = &mut self.left[side.index()];
        match self.system {
            System::ByoYomi { period, .. } => {
                // A period is used up once it is gone over.
                let used = match period.as_nanos() {
                    0 => u128::MAX,
                    period => spent.as_nanos().saturating_sub(1) / period,
                };
                left.count = left.count.saturating_sub(u32::try_from(used).unwrap_or(u32::MAX)).max(1);
                left.time = period;
            }
            System::Canadian { period, stones, .. } => {
                left.time = left.time.saturating_sub(spent);
                left.count -= 1;
                if left.count == 0 {
                    *left = Left { time: period, count: stones };
                }
            }
            _ => left.time = left.time.saturating_sub(spent),
        }
    }

    /// What the next move of `side` may take at the very most without a loss of more than main time, with `lag` kept back;
    /// `None` without a limit.
    pub fn most(&self, side: Side, lag: Duration) -> Option<Duration> {
        self.time_left(side)?;
        let Left { time, count } = self.left[side.index()];
        let most = match (self.system, count) {
            (System::ByoYomi { period, .. }, 0) => time.saturating_add(period),
            (System::Canadian { period, stones, .. }, 0) => time.saturating_add(period / stones.max(1)),
            (System::Fischer { caps: Some((_, longest)), .. }, 0) => time.min(longest),
            _ => time,
        };
        Some(most.saturating_sub(lag))
    }

    /// Time for the next move of `side`, who expects to make `moves` more (at least 1), with `lag` kept back;
    /// `None` without a limit.
    pub fn allot(&self, side: Side, moves: f32, lag: Duration) -> Option<Duration> {
        self.time_left(side)?;
        let Left { time, count } = self.left[side.index()];
        let moves = if count > 0 { 1.0 } else { moves.max(2.0) };
        // Every move to come has its lag, which must be there when it is needed.
        let usable = time.saturating_sub(lag.mul_f32(moves));
        let spread = usable.div_f32(moves);
        let most = usable.mul_f32(0.5);
        Some(match (self.system, count) {
            // Overtime: the period is all there is, and what is not used of it is lost.
            (System::ByoYomi { .. }, 1..) => usable,
            (_, 1..) => time.div_f32(count as f32).saturating_sub(lag),
            // Main time before overtime may be used up, for a period follows.
            (System::ByoYomi { period, .. }, 0) => {
                let period = period.saturating_sub(lag);
                if usable < period { usable.saturating_add(period) } else { spread.max(period.min(most)) }
            }
            (System::Canadian { period, stones, .. }, 0) => {
                spread.max(period.saturating_sub(lag).div_f32(stones.max(1) as f32).min(most))
            }
            (System::Fischer { increment, caps, .. }, 0) => {
                let share = spread.saturating_add(increment.mul_f32(0.9)).min(most.max(increment.min(usable)));
                caps.map_or(share, |(_, longest)| share.min(longest.saturating_sub(lag)))
            }
            _ => spread.min(most),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    const LAG: Duration = Duration::from_millis(100);

    fn seconds(s: f64) -> Duration {
        Duration::from_secs_f64(s)
    }

    /// A referee of its own: plays `moves` moves, each taking the allotment and some lag, and says how often time ran out.
    fn flags_fallen(system: System, moves: usize) -> usize {
        let mut rng = Rng::new(7);
        let mut clock = Clock::new(system);
        let mut fallen = 0;
        let (mut main, mut stones, mut periods) = match system {
            System::None => (0.0, 0, 0),
            System::Absolute { main } | System::Fischer { main, .. } => (main.as_secs_f64(), 0, 0),
            System::Canadian { main, .. } => (main.as_secs_f64(), 0, 0),
            System::ByoYomi { main, periods, .. } => (main.as_secs_f64(), 0, periods),
        };
        let mut overtime = 0.0;
        for number in 0..moves {
            let expected = (40.0 - number as f32).max(8.0);
            let Some(allotted) = clock.allot(Side::First, expected, LAG) else { return 0 };
            let spent = allotted.as_secs_f64() + f64::from(rng.unit()) * LAG.as_secs_f64() * 0.9;
            // An instant answer has next to no lag once nothing is left to spend.
            let spent = if allotted < seconds(0.002) { 0.001 } else { spent };
            clock.spend(Side::First, seconds(spent));
            match system {
                System::None => {}
                System::Absolute { .. } => {
                    main -= spent;
                    fallen += usize::from(main < 0.0);
                }
                System::Fischer { increment, caps, .. } => {
                    main -= spent;
                    fallen += usize::from(main < 0.0 || caps.is_some_and(|(_, most)| spent > most.as_secs_f64()));
                    main += increment.as_secs_f64();
                    if let Some((most, _)) = caps {
                        main = main.min(most.as_secs_f64());
                    }
                }
                System::Canadian { period, stones: each, .. } => {
                    if main > 0.0 && spent <= main {
                        main -= spent;
                        continue;
                    }
                    if stones == 0 {
                        (stones, overtime) = (each, period.as_secs_f64());
                    }
                    overtime -= spent - main.max(0.0);
                    main = 0.0;
                    fallen += usize::from(overtime < 0.0);
                    stones -= 1;
                }
                System::ByoYomi { period, .. } => {
                    let mut over = spent - main.max(0.0);
                    main = (main - spent).max(0.0);
                    while over > period.as_secs_f64() {
                        over -= period.as_secs_f64();
                        periods = periods.saturating_sub(1);
                        fallen += usize::from(periods == 0);
                    }
                }
            }
        }
        fallen
    }

    #[test]
    fn no_system_loses_on_time() {
        let main = seconds(30.0);
        let systems = [
            System::Absolute { main },
            System::Absolute { main: seconds(1.0) },
            System::Canadian { main, period: seconds(10.0), stones: 5 },
            System::Canadian { main: Duration::ZERO, period: seconds(5.0), stones: 1 },
            System::ByoYomi { main, period: seconds(2.0), periods: 3 },
            System::ByoYomi { main: Duration::ZERO, period: seconds(1.0), periods: 1 },
            System::Fischer { main, increment: seconds(1.0), caps: None },
            System::Fischer { main, increment: seconds(2.0), caps: Some((seconds(40.0), seconds(5.0))) },
        ];
        for system in systems {
            assert_eq!(flags_fallen(system, 300), 0, "{system:?}");
        }
    }

    #[test]
    fn time_is_used_and_not_only_saved() {
        let mut clock = Clock::new(System::Absolute { main: seconds(60.0) });
        for moves in (1..=30).rev() {
            let time = clock.allot(Side::First, moves as f32, LAG).unwrap();
            clock.spend(Side::First, time);
        }
        assert!(clock.time_left(Side::First).unwrap() < seconds(6.0));
    }

    #[test]
    fn overtime_follows_main_time() {
        let mut clock = Clock::new(System::Canadian { main: seconds(5.0), period: seconds(20.0), stones: 4 });
        clock.spend(Side::First, seconds(5.0));
        assert_eq!(clock.time_left(Side::First), Some(seconds(20.0)));
        assert_eq!(clock.allot(Side::First, 10.0, Duration::ZERO), Some(seconds(5.0)));
        clock.spend(Side::First, seconds(4.0));
        assert_eq!(clock.allot(Side::First, 10.0, Duration::ZERO), Some(seconds(16.0).div_f32(3.0)));
        // The other side's clock has not moved.
        assert_eq!(clock.time_left(Side::Second), Some(seconds(5.0)));
    }

    #[test]
    fn without_a_system_the_controllers_word_counts() {
        let mut clock = Clock::default();
        assert_eq!(clock.allot(Side::First, 20.0, LAG), None);
        clock.set(Side::First, seconds(10.0), 5);
        assert_eq!(clock.allot(Side::First, 20.0, Duration::ZERO), Some(seconds(2.0)));
        assert_eq!(clock.allot(Side::Second, 20.0, LAG), None);
    }

    #[test]
    fn periods_are_used_up_one_by_one_and_at_once() {
        let mut clock = Clock::new(System::ByoYomi { main: Duration::ZERO, period: seconds(2.0), periods: 5 });
        for (spent, left) in [(2.0, 5), (2.1, 4), (0.0, 4), (4.0, 3), (100.0, 1)] {
            clock.spend(Side::First, seconds(spent));
            assert_eq!(clock.left[0], Left { time: seconds(2.0), count: left }, "{spent}");
        }
        let mut clock = Clock::new(System::ByoYomi { main: Duration::ZERO, period: Duration::ZERO, periods: u32::MAX });
        clock.spend(Side::First, seconds(1.0));
        assert_eq!(clock.left[0].count, 1);
    }

    #[test]
    fn the_most_is_never_less_than_the_allotment() {
        for system in [
            System::Absolute { main: seconds(30.0) },
            System::Canadian { main: seconds(1.0), period: seconds(10.0), stones: 5 },
            System::Canadian { main: Duration::ZERO, period: seconds(10.0), stones: 5 },
            System::ByoYomi { main: seconds(1.0), period: seconds(2.0), periods: 3 },
            System::ByoYomi { main: Duration::ZERO, period: seconds(2.0), periods: 1 },
            System::Fischer { main: seconds(30.0), increment: seconds(1.0), caps: Some((seconds(40.0), seconds(5.0))) },
        ] {
            let mut clock = Clock::new(system);
            for moves in (1..40).rev() {
                let allotted = clock.allot(Side::First, moves as f32, LAG).unwrap();
                let most = clock.most(Side::First, LAG).unwrap();
                assert!(allotted <= most + Duration::from_micros(1), "{system:?}: {allotted:?} of {most:?}");
                clock.spend(Side::First, allotted);
            }
        }
        assert_eq!(Clock::default().most(Side::First, LAG), None);
    }

    #[test]
    fn nothing_left_means_no_time_and_no_panic() {
        let mut clock = Clock::new(System::Absolute { main: seconds(1.0) });
        clock.spend(Side::First, seconds(100.0));
        assert_eq!(clock.allot(Side::First, 0.0, LAG), Some(Duration::ZERO));
        clock.set(Side::First, Duration::ZERO, 0);
        assert_eq!(clock.allot(Side::First, 1.0, LAG), Some(Duration::ZERO));
    }
}
