use proptest::prelude::*;

use super::*;
use crate::players::{go, hex};
use crate::rng::Rng;

const LAG: Duration = Duration::from_millis(100);

fn secs(s: f64) -> Duration {
    Duration::from_secs_f64(s)
}

fn absolute(main: f64) -> System {
    System::Absolute { main: secs(main) }
}

fn canadian(main: f64, period: f64, stones: u32) -> System {
    System::Canadian { main: secs(main), period: secs(period), stones }
}

fn byo_yomi(main: f64, period: f64, periods: u32) -> System {
    System::ByoYomi { main: secs(main), period: secs(period), periods }
}

fn fischer(main: f64, increment: f64, caps: Option<(f64, f64)>) -> System {
    let (fullest, longest) = caps.map(|(fullest, longest)| (secs(fullest), secs(longest))).unzip();
    System::Fischer { main: secs(main), increment: secs(increment), fullest, longest }
}

/// Boards of the tables: name, points, share that is usually filled.
const BOARDS: [(&str, usize, f64); 6] = [
    ("Go 9x9", 81, go::FILLED),
    ("Go 13x13", 169, go::FILLED),
    ("Go 19x19", 361, go::FILLED),
    ("Hex 7x7", 49, hex::FILLED),
    ("Hex 11x11", 121, hex::FILLED),
    ("Hex 19x19", 361, hex::FILLED),
];

/// A clock in the middle of a game, and what a move of it may get.
struct Row {
    name: &'static str,
    system: System,
    /// Seconds and count that the controller tells at that stage.
    left: (f64, u32),
    /// Seconds that a move has in any case, once main time is over.
    free: f64,
    /// Seconds that all moves share.
    bank: f64,
    /// Least time to search with lag 0.1 and lag 1, and most, as multiples of `free + bank / moves`.
    bounds: (f64, f64, f64),
}

/// Stages of a game, by the share of the usual length that was played.
const STAGES: [(&str, f64); 4] = [("opening", 0.0), ("middle", 0.4), ("end", 0.9), ("very long", 1.6)];

fn rows() -> Vec<Row> {
    let row = |name, system, left, free, bank, bounds| Row { name, system, left, free, bank, bounds };
    vec![
        row("absolute 120", absolute(120.0), (120.0, 0), 0.0, 120.0, (0.79, 0.36, 1.00)),
        row("absolute 1800", absolute(1800.0), (1800.0, 0), 0.0, 1800.0, (0.98, 0.86, 1.00)),
        row("absolute 1800, 20 left", absolute(1800.0), (20.0, 0), 0.0, 20.0, (0.36, 0.31, 0.95)),
        row("fischer 30+10", fischer(30.0, 10.0, None), (30.0, 0), 10.0, 30.0, (0.86, 0.81, 1.00)),
        row("fischer 30+10, 11 left", fischer(30.0, 10.0, None), (11.0, 0), 10.0, 11.0, (0.81, 0.74, 1.00)),
        row("fischer 60+5, most 20", fischer(60.0, 5.0, Some((80.0, 20.0))), (60.0, 0), 5.0, 60.0, (0.93, 0.80, 1.00)),
        row("canadian 10+60/10", canadian(10.0, 60.0, 10), (10.0, 0), 6.0, 10.0, (1.40, 1.20, 2.00)),
        row("canadian 10+60/10, overtime", canadian(10.0, 60.0, 10), (60.0, 10), 6.0, 0.0, (0.98, 0.83, 1.00)),
        row("canadian 10+60/10, last stone", canadian(10.0, 60.0, 10), (7.0, 1), 7.0, 0.0, (0.91, 0.78, 1.00)),
        row("canadian 600+25/10", canadian(600.0, 25.0, 10), (600.0, 0), 2.5, 600.0, (0.98, 0.85, 1.00)),
        row("byo-yomi 60+5x10", byo_yomi(60.0, 10.0, 5), (60.0, 0), 10.0, 90.0, (0.99, 0.95, 2.00)),
        row("byo-yomi 60+5x10, overtime", byo_yomi(60.0, 10.0, 5), (10.0, 5), 20.0, 0.0, (0.99, 0.94, 1.00)),
        row("byo-yomi 60+5x10, last period", byo_yomi(60.0, 10.0, 5), (10.0, 1), 10.0, 0.0, (0.98, 0.89, 1.00)),
        row("byo-yomi 1200+1x30", byo_yomi(1200.0, 30.0, 1), (1200.0, 0), 30.0, 1200.0, (0.99, 0.98, 1.60)),
    ]
}

/// Every system, on every board, with either lag, at every stage. `cargo test clock::tests::table -- --nocapture` prints it.
#[test]
fn table_of_allotments() {
    println!("{:32} {:10} {:9} {:>4} {:>6} {:>8} {:>8}", "clock", "board", "stage", "lag", "moves", "time", "limit");
    for Row { name, system, left, free, bank, bounds } in rows() {
        for (board, points, filled) in BOARDS {
            for (stage, played) in STAGES {
                for lag in [0.1, 1.0] {
                    let plies = (points as f64 * filled * played) as usize;
                    let moves = MovesLeft::on_board(points, filled, plies);
                    let mut clock = Clock::new(system, secs(lag));
                    clock.set(Side::First, secs(left.0), left.1);
                    let Allotment { time, limit, .. } = clock.allot(Side::First, moves).unwrap();
                    println!("{name:32} {board:10} {stage:9} {lag:4} {:6.1} {time:8.2?} {limit:8.2?}", moves.expected);
                    let fair = free + bank / moves.expected;
                    let share = time.as_secs_f64() / fair;
                    let least = if lag < 1.0 { bounds.0 } else { bounds.1 };
                    assert!(
                        (least..=bounds.2).contains(&share),
                        "{name}, {board}, {stage}, lag {lag}: {share} of {fair}"
                    );
                    assert!(limit >= time && limit <= time.mul_f64(LIMIT) + Duration::from_micros(1));
                }
            }
        }
    }
}

#[test]
fn main_time_is_used_though_the_lag_of_all_moves_to_come_would_be_longer() {
    // Before any move of 19x19, where 135 moves are expected.
    for (system, lag, least) in [
        (canadian(10.0, 60.0, 10), 0.1, 10.0),
        (canadian(10.0, 60.0, 10), 1.0, 8.0),
        (fischer(30.0, 10.0, None), 1.0, 8.5),
        (absolute(120.0), 1.0, 0.25),
        (byo_yomi(60.0, 10.0, 5), 1.0, 15.0),
    ] {
        let clock = Clock::new(system, secs(lag));
        let Allotment { time, .. } = clock.allot(Side::First, MovesLeft::on_board(361, go::FILLED, 0)).unwrap();
        assert!(time >= secs(least), "{system:?} with lag {lag}: {time:?}");
    }
}

#[test]
fn what_the_controller_tells_replaces_the_lag_that_was_feared() {
    let mut clock = Clock::new(absolute(120.0), secs(1.0));
    let before = clock.allot(Side::First, MovesLeft::about(100.0)).unwrap().time;
    for _ in 0..10 {
        let left = clock.time_left(Side::First).unwrap().max(clock.sides[0].known.time) - secs(0.52);
        clock.spend(Side::First, secs(0.5), Duration::MAX);
        clock.set(Side::First, left.min(clock.sides[0].known.time - secs(0.52)), 0);
    }
    assert!(clock.lag.is_learned() && clock.lag.mean() < 0.15, "{}", clock.lag.mean());
    let after = clock.allot(Side::First, MovesLeft::about(90.0)).unwrap().time;
    assert!(after > before + secs(0.3), "{before:?}, {after:?}");
    // A game that follows knows it too.
    clock.set_system(fischer(30.0, 10.0, None));
    assert!(clock.lag.is_learned() && clock.lag.mean() < 0.15);
}

#[test]
fn lag_is_read_from_every_system() {
    // Told before and after one move of 2 s with 0.3 s of lag.
    for (system, before, after, known) in [
        (absolute(60.5), (50.5, 0), (48.2, 0), true),
        (fischer(60.5, 5.0, None), (50.5, 0), (53.2, 0), true),
        (fischer(60.5, 5.0, Some((70.0, 9.0))), (50.5, 0), (53.2, 0), true),
        (fischer(60.5, 5.0, Some((53.2, 9.0))), (50.5, 0), (53.2, 0), false),
        (canadian(60.5, 25.5, 10), (50.5, 0), (48.2, 0), true),
        (canadian(60.5, 25.5, 10), (0.5, 0), (23.7, 9), true),
        (canadian(60.5, 25.5, 10), (22.5, 7), (20.2, 6), true),
        (canadian(60.5, 25.5, 10), (3.5, 1), (25.5, 10), false),
        (byo_yomi(60.5, 10.5, 3), (50.5, 0), (48.2, 0), true),
        (byo_yomi(60.5, 10.5, 3), (10.5, 3), (10.5, 3), false),
        (System::None, (50.5, 0), (48.2, 0), true),
        (System::None, (22.5, 7), (20.2, 6), true),
    ] {
        // Some controllers say the system again before every move.
        let mut clock = Clock::new(system, LAG);
        clock.set(Side::First, secs(before.0), before.1);
        clock.spend(Side::First, secs(2.0), Duration::MAX);
        let mut told_again = clock.clone();
        told_again.set_system(system);
        clock.set(Side::First, secs(after.0), after.1);
        told_again.set(Side::First, secs(after.0), after.1);
        assert_eq!(told_again, clock, "{system:?}");
        assert_eq!(clock.lag.is_learned(), known, "{system:?}");
        assert!(!known || (clock.lag.mean() - 0.2).abs() < 0.01, "{system:?}: {}", clock.lag.mean());
        assert!(!known || (clock.lag.margin() - 1.35).abs() < 1e-6, "{system:?}: {}", clock.lag.margin());
    }
}

#[test]
fn a_period_that_was_lost_tells_of_the_lag() {
    let mut clock = Clock::new(byo_yomi(0.0, 10.0, 3), LAG);
    clock.spend(Side::First, secs(9.9), Duration::MAX);
    clock.set(Side::First, secs(10.0), 2);
    assert!((clock.lag.margin() - 0.45).abs() < 0.01);
    clock.spend(Side::First, secs(9.0), Duration::MAX);
    clock.set(Side::First, secs(10.0), 1);
    assert!(clock.lag.margin() > 1.0);
    assert!(clock.allot(Side::First, MovesLeft::about(20.0)).unwrap().time < secs(9.0));
}

#[test]
fn a_search_that_ends_late_is_lag() {
    let mut clock = Clock::new(absolute(100.5), LAG);
    clock.spend(Side::First, secs(1.3), secs(1.0));
    clock.set(Side::First, secs(99.1), 0);
    assert!((clock.lag.margin() - 4.5 * 0.4).abs() < 1e-6, "{}", clock.lag.margin());
    // One that ends early is not.
    clock.spend(Side::First, secs(0.3), secs(1.0));
    clock.set(Side::First, secs(98.7), 0);
    assert!((clock.lag.margin() - 3.0 * 0.4).abs() < 1e-6, "{}", clock.lag.margin());
}

#[test]
fn what_was_no_move_of_the_engine_is_no_lag() {
    let mut clock = Clock::new(absolute(100.5), LAG);
    clock.spend(Side::First, secs(1.0), Duration::MAX);
    clock.disturb();
    clock.set(Side::First, secs(94.5), 0);
    // No move at all.
    clock.set(Side::First, secs(93.5), 0);
    assert!(!clock.lag.is_learned());
}

#[test]
fn overtime_follows_main_time() {
    let mut clock = Clock::new(canadian(5.0, 20.0, 4), Duration::ZERO);
    clock.spend(Side::First, secs(5.0), Duration::MAX);
    assert_eq!(clock.time_left(Side::First), Some(secs(20.0)));
    assert_eq!(clock.allot(Side::First, MovesLeft::about(10.0)).unwrap().time, secs(5.0));
    clock.spend(Side::First, secs(4.0), Duration::MAX);
    // What was saved is for the last three stones once the controller has said where it stands.
    assert_eq!(clock.allot(Side::First, MovesLeft::about(10.0)).unwrap().time, secs(5.0));
    clock.set(Side::First, secs(16.2), 3);
    assert_eq!(clock.allot(Side::First, MovesLeft::about(10.0)).unwrap().time, secs(5.4));
    // The other side's clock has not moved.
    assert_eq!(clock.time_left(Side::Second), Some(secs(5.0)));
}

#[test]
fn what_would_be_lost_is_used_and_said_to_be() {
    for (system, left, time, lost) in [
        (canadian(5.0, 20.0, 4), (8.3, 2), 4.1, false),
        (canadian(5.0, 20.0, 4), (8.3, 1), 8.2, true),
        (byo_yomi(5.0, 20.0, 4), (20.0, 2), 19.9, true),
        (byo_yomi(5.0, 20.0, 4), (20.0, 4), 39.9, true),
        // No move may take more than 3 s.
        (fischer(30.0, 5.0, Some((30.0, 3.0))), (30.0, 0), 2.9, false),
    ] {
        let mut clock = Clock::new(system, LAG);
        clock.set(Side::First, secs(left.0), left.1);
        let allotment = clock.allot(Side::First, MovesLeft::about(100.0)).unwrap();
        assert!((allotment.time.as_secs_f64() - time).abs() < 0.06, "{system:?}: {allotment:?}");
        assert_eq!(allotment.lost_if_unused, lost, "{system:?}");
    }
}

#[test]
fn without_a_system_the_controllers_word_counts() {
    let mut clock = Clock::new(System::None, Duration::ZERO);
    assert_eq!(clock.allot(Side::First, MovesLeft::about(20.0)), None);
    clock.set(Side::First, secs(10.5), 5);
    assert_eq!(clock.allot(Side::First, MovesLeft::about(20.0)).unwrap().time, secs(2.1));
    assert_eq!(clock.allot(Side::Second, MovesLeft::about(20.0)), None);
}

#[test]
fn a_clock_in_whole_seconds_may_be_half_a_second_behind() {
    let mut clock = Clock::new(canadian(30.0, 20.0, 4), LAG);
    let time = |clock: &Clock| clock.allot(Side::First, MovesLeft::about(20.0)).unwrap().time;
    clock.set(Side::First, secs(10.0), 1);
    assert_eq!(time(&clock), secs(9.4));
    clock.set(Side::First, secs(10.01), 1);
    assert_eq!(time(&clock), secs(9.91));
    // A full period is exact.
    clock.set(Side::First, secs(20.0), 1);
    assert_eq!(time(&clock), secs(19.9));
}

#[test]
fn periods_are_used_up_one_by_one_and_at_once() {
    let mut clock = Clock::new(byo_yomi(0.0, 2.0, 5), Duration::ZERO);
    for (spent, left) in [(2.0, 5), (2.1, 4), (0.0, 4), (4.0, 3), (100.0, 1)] {
        clock.spend(Side::First, secs(spent), Duration::MAX);
        assert_eq!(clock.sides[0].left, Left { time: secs(2.0), count: left }, "{spent}");
    }
    let mut clock = Clock::new(byo_yomi(0.0, 0.0, u32::MAX), LAG);
    assert_eq!(clock.allot(Side::First, MovesLeft::about(20.0)).unwrap().time, Duration::ZERO);
    clock.spend(Side::First, secs(1.0), Duration::MAX);
    assert_eq!(clock.sides[0].left.count, 1);
}

#[test]
fn nothing_left_means_no_time_and_no_panic() {
    let mut clock = Clock::new(absolute(1.0), LAG);
    clock.spend(Side::First, secs(100.0), Duration::MAX);
    let nothing = Some(Allotment { time: Duration::ZERO, limit: Duration::ZERO, lost_if_unused: false });
    assert_eq!(clock.allot(Side::First, MovesLeft::about(0.0)), nothing);
    clock.set(Side::First, Duration::ZERO, 0);
    assert_eq!(clock.allot(Side::First, MovesLeft::about(1.0)), nothing);
    clock.set(Side::First, Duration::MAX, 0);
    assert!(clock.allot(Side::First, MovesLeft::about(2.0)).unwrap().time > secs(1e9));
}

/// A clock of any system with anything left on it; the last number stretches the time.
fn any_clock() -> impl Strategy<Value = (System, f64, u32)> {
    let (main, period, count) = (0.0..2000.0_f64, 0.01..100.0_f64, 1..30_u32);
    let system = prop_oneof![
        main.clone().prop_map(absolute),
        (main.clone(), period.clone(), count.clone()).prop_map(|(m, p, c)| canadian(m, p, c)),
        (main.clone(), period.clone(), count.clone()).prop_map(|(m, p, c)| byo_yomi(m, p, c)),
        (main.clone(), period.clone()).prop_map(|(m, i)| fischer(m, i, None)),
        (main.clone(), period.clone(), main.clone()).prop_map(|(m, i, c)| fischer(m, i, Some((m + c, 10.0 * i)))),
    ];
    (system, 0.0..2000.0_f64, 0..30_u32).prop_map(|(system, time, count)| {
        let count = if matches!(system, System::Absolute { .. } | System::Fischer { .. }) { 0 } else { count };
        // Main time of nothing is the first period, and no whole second: those are read as rounded.
        (system, time.max(0.001) + 1e-7, count)
    })
}

fn allotted(system: System, lag: f64, (time, count): (f64, u32), moves: f64, measured: &[f64]) -> Allotment {
    let mut clock = Clock::new(system, secs(lag));
    measured.iter().for_each(|&lag| clock.lag.record(lag, 0.0));
    clock.set(Side::First, secs(time), count);
    clock.allot(Side::First, MovesLeft::about(moves)).unwrap()
}

proptest! {
    #[test]
    fn allotments_are_monotone(
        (system, time, count) in any_clock(),
        lag in 0.0..2.0_f64,
        measured in prop::collection::vec(0.0..2.0_f64, 0..3),
        moves in 2.0..200.0_f64,
        more in 1.0..3.0_f64,
    ) {
        let slack = Duration::from_micros(1);
        let one = allotted(system, lag, (time, count), moves, &measured);
        prop_assert!(one.time <= one.limit + slack);
        // Main time and the periods after it, or a spare period.
        let periods = match system {
            System::ByoYomi { period, periods, .. } => period * count.max(periods),
            System::Canadian { period, .. } if count == 0 => period,
            _ => Duration::ZERO,
        };
        prop_assert!(one.limit <= secs(time) + periods);
        let with = |time, lag, moves| allotted(system, lag, (time, count), moves, &measured).time;
        prop_assert!(with(time * more, lag, moves) + slack >= one.time, "more time");
        prop_assert!(with(time, lag * more, moves) <= one.time + slack, "more lag");
        prop_assert!(with(time, lag, moves * more) <= one.time + slack, "more moves");
        match system {
            System::Canadian { .. } if count > 0 => {
                let fewer = allotted(system, lag, (time, count + 1), moves, &measured);
                prop_assert!(fewer.time <= one.time + slack, "more stones");
            }
            System::ByoYomi { .. } if count > 0 => {
                let longer = allotted(system, lag, (time, count + 1), moves, &measured);
                prop_assert!(longer.time + slack >= one.time, "more periods");
            }
            System::Fischer { main, increment, fullest: None, longest: None } => {
                let increment = increment.mul_f64(more);
                let faster = System::Fischer { main, increment, fullest: None, longest: None };
                let longer = allotted(faster, lag, (time, count), moves, &measured);
                prop_assert!(longer.time + slack >= one.time, "more increment");
            }
            _ => {}
        }
    }
}

/// Games against a controller with a clock of its own, lag and jitter.
mod simulation {
    use super::*;

    /// How the controller tells the clock before each move.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Telling {
        Exactly,
        WholeSeconds,
        Never,
    }

    /// The controller's clock, in seconds; written without a look at the engine's.
    struct Referee {
        system: System,
        /// Main time, or what is left of the period.
        time: f64,
        /// Stones or periods left; 0 in main time.
        count: u32,
        /// Time that the game gave, as far as it came.
        given: f64,
        used: f64,
        lost: bool,
    }

    impl Referee {
        fn new(system: System) -> Self {
            let main = match system {
                System::None => f64::INFINITY,
                System::Absolute { main }
                | System::Canadian { main, .. }
                | System::ByoYomi { main, .. }
                | System::Fischer { main, .. } => main.as_secs_f64(),
            };
            let mut referee = Self { system, time: main, count: 0, given: main, used: 0.0, lost: false };
            if main == 0.0 {
                referee.enter_overtime();
            }
            referee
        }

        fn enter_overtime(&mut self) {
            match self.system {
                System::Canadian { period, stones, .. } => (self.time, self.count) = (period.as_secs_f64(), stones),
                System::ByoYomi { period, periods, .. } => (self.time, self.count) = (period.as_secs_f64(), periods),
                _ => self.lost = true,
            }
        }

        /// A move that took `spent` in all.
        fn charge(&mut self, mut spent: f64) {
            self.used += spent;
            if self.count == 0 {
                if let System::Fischer { longest: Some(longest), .. } = self.system {
                    self.lost |= spent > longest.as_secs_f64();
                }
                if spent <= self.time {
                    self.time -= spent;
                    if let System::Fischer { increment, fullest, .. } = self.system {
                        let full = fullest.map_or(f64::INFINITY, |fullest| fullest.as_secs_f64());
                        let before = self.time;
                        self.time = (self.time + increment.as_secs_f64()).min(full);
                        self.given += self.time - before;
                    }
                    return;
                }
                spent -= self.time;
                self.enter_overtime();
            }
            match self.system {
                System::Canadian { period, stones, .. } => {
                    self.lost |= spent > self.time;
                    self.time -= spent;
                    self.count -= 1;
                    self.given += period.as_secs_f64() / f64::from(stones);
                    if self.count == 0 {
                        self.enter_overtime();
                    }
                }
                System::ByoYomi { period, .. } => {
                    self.given += period.as_secs_f64();
                    while spent > period.as_secs_f64() {
                        spent -= period.as_secs_f64();
                        self.count -= 1;
                        self.given += period.as_secs_f64();
                        if self.count == 0 {
                            self.lost = true;
                            return;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A game in which the engine makes `moves` moves.
    #[derive(Clone, Debug)]
    struct Game {
        system: System,
        board: (&'static str, usize, f64),
        moves: usize,
        /// The `--lag` of the engine.
        start: f64,
        /// Mean of the true lag; each move's is 0.5 to 1.5 times that.
        lag: f64,
        telling: Telling,
        /// Share of moves that are answered before their time is over.
        early: f32,
    }

    fn play(game: &Game, rng: &mut Rng) -> Referee {
        let Game { system, board: (_, points, filled), moves, start, lag, telling, early } = *game;
        let mut clock = Clock::new(system, secs(start));
        let mut referee = Referee::new(system);
        for number in 0..moves {
            match telling {
                Telling::Exactly => clock.set(Side::First, secs(referee.time), referee.count),
                Telling::WholeSeconds => clock.set(Side::First, secs(referee.time.floor()), referee.count),
                Telling::Never => {}
            }
            let Allotment { time, .. } =
                clock.allot(Side::First, MovesLeft::on_board(points, filled, 2 * number)).unwrap();
            let share = if rng.unit() < early { f64::from(rng.unit()) } else { 1.0 };
            // Searches end a little late.
            let own = time.as_secs_f64() * share + 0.002 * f64::from(rng.unit());
            clock.spend(Side::First, secs(own), time);
            referee.charge(own + lag * (0.5 + f64::from(rng.unit())));
            if referee.lost {
                break;
            }
        }
        referee
    }

    fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
        low * (high / low).powf(f64::from(rng.unit()))
    }

    fn one_of<T: Copy, const N: usize>(rng: &mut Rng, values: [T; N]) -> T {
        values[rng.below(N as u32) as usize]
    }

    fn any_game(rng: &mut Rng) -> Game {
        let board = one_of(rng, BOARDS);
        let usual = board.1 as f64 * board.2 / 2.0;
        let moves = (usual * between(rng, 0.3, 1.6)).ceil() as usize;
        let telling = one_of(rng, [Telling::Exactly, Telling::WholeSeconds, Telling::Never]);
        let start = one_of(rng, [0.1, 1.0]);
        let kind = rng.below(5);
        // What nobody tells cannot be learned, nor what loses the first move: the option must cover it.
        let most: f64 = if telling == Telling::Never || kind == 4 { (start - 0.01) / 1.5 } else { 1.0 };
        let lag = between(rng, 0.002, most);
        let worst = 1.5 * lag;
        // Clocks that an instant answer would not lose either, and that are no jest beside the lag.
        let system = match kind {
            0 => absolute(between(rng, 10.0, 1800.0).max(2.0 * usual * lag * 1.6)),
            1 => {
                let period = between(rng, 20.0 * start, 60.0).max(100.0 * worst);
                let stones = 1 + rng.below(25);
                // Some moves in main time tell the lag before all of a period depends on it.
                let least = if stones == 1 { 8.0 * period } else { 0.1 };
                canadian(between(rng, least, 10.0 * period), period, stones)
            }
            2 => {
                let period = between(rng, 2.0, 30.0).max(10.0 * worst).max(10.0 * start);
                byo_yomi(period * between(rng, 8.0, 60.0), period, 1 + rng.below(6))
            }
            _ => {
                let increment = between(rng, 0.1, 15.0).max(1.5 * worst);
                // The first move does not take all of it.
                let main = between(rng, 5.0, 300.0).max(10.0 * worst).max(3.0 * increment);
                let longest = (increment * 4.0).max(10.0 * start);
                fischer(main, increment, (kind == 4).then(|| (main * between(rng, 1.0, 2.0), longest)))
            }
        };
        Game { system, board, moves, start, lag, telling, early: one_of(rng, [0.0, 0.2]) }
    }

    fn name(system: System) -> &'static str {
        match system {
            System::None => "none",
            System::Absolute { .. } => "absolute",
            System::Canadian { .. } => "canadian",
            System::ByoYomi { .. } => "byo-yomi",
            System::Fischer { longest: None, .. } => "fischer",
            System::Fischer { .. } => "fischer, capped",
        }
    }

    /// Ten thousand games of every system: none is lost on time, and those that are decided late use what there was.
    #[test]
    fn no_game_is_lost_on_time_and_the_time_is_used() {
        let mut rng = Rng::new(7);
        let mut late: Vec<(&str, Telling, f64, Game)> = Vec::new();
        for _ in 0..10_000 {
            let game = any_game(&mut rng);
            let referee = play(&game, &mut rng);
            assert!(!referee.lost, "{game:?}: {:.2} left, {}", referee.time, referee.count);
            let usual = game.board.1 as f64 * game.board.2 / 2.0;
            if game.moves as f64 >= usual && game.early == 0.0 {
                let usable = match game.system {
                    System::Fischer { longest: Some(longest), .. } => longest.as_secs_f64() * game.moves as f64,
                    _ => f64::INFINITY,
                };
                late.push((name(game.system), game.telling, referee.used / referee.given.min(usable), game));
            }
        }
        for system in ["absolute", "canadian", "byo-yomi", "fischer", "fischer, capped"] {
            for telling in [Telling::Exactly, Telling::WholeSeconds, Telling::Never] {
                let mut shares: Vec<_> =
                    late.iter().filter(|l| (l.0, l.1) == (system, telling)).map(|l| (l.2, &l.3)).collect();
                shares.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mean = shares.iter().map(|s| s.0).sum::<f64>() / shares.len() as f64;
                println!(
                    "{system:16} {telling:?}: {} late games, mean {mean:.3}, least {:.3} in {:?}",
                    shares.len(),
                    shares[0].0,
                    shares[0].1
                );
                // Where nobody tells the lag, what the option says of it is kept.
                let least = if telling == Telling::Never { 0.75 } else { 0.9 };
                assert!(mean >= least, "{system}, {telling:?}: {mean}");
            }
        }
    }
}

/// Some controllers send a number of stones or periods where there are none.
#[test]
fn a_count_means_nothing_where_the_system_has_none() {
    for system in [absolute(8.0), fischer(8.0, 1.0, None)] {
        let allotted = |count| {
            let mut clock = Clock::new(system, Duration::ZERO);
            clock.set(Side::First, secs(8.0), count);
            clock.allot(Side::First, MovesLeft::about(30.0)).map(|it| (it.time, it.limit, it.lost_if_unused))
        };
        assert_eq!(allotted(1), allotted(0));
    }
}

/// Days on a clock are no reason to think for days.
#[test]
fn a_move_takes_no_longer_than_it_may() {
    let [day, minutes] = [86_400, 300].map(Duration::from_secs);
    let allotment = Allotment { time: day, limit: 2 * day, lost_if_unused: true };
    let shorter = Allotment { time: minutes, limit: minutes.mul_f64(LIMIT), lost_if_unused: true };
    assert_eq!(allotment.within(minutes), shorter);
    assert_eq!(shorter.within(day), shorter);
}
