//! Games against a controller with a clock of its own, lag and jitter.

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
            if let System::Fischer { caps: Some((_, longest)), .. } = self.system {
                self.lost |= spent > longest.as_secs_f64();
            }
            if spent <= self.time {
                self.time -= spent;
                if let System::Fischer { increment, caps, .. } = self.system {
                    let full = caps.map_or(f64::INFINITY, |(fullest, _)| fullest.as_secs_f64());
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
        let Allotment { time, .. } = clock.allot(Side::First, MovesLeft::on_board(points, filled, 2 * number)).unwrap();
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
        System::Fischer { caps: None, .. } => "fischer",
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
                System::Fischer { caps: Some((_, longest)), .. } => longest.as_secs_f64() * game.moves as f64,
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
