//! `losange learn-patterns`: weights of Othello's patterns, from games of the engine against itself.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::game::filling::{Appraiser, Endgame, Patterned};
use crate::games::Size;
use crate::games::othello::{Patterns, Position};
use crate::learn::patterns::{PatternFit, PatternLesson, PatternPlayer};
use crate::protocol::files::{check_writable, write_whole};
use crate::rng::Rng;
use crate::search::endgame::EndgameSolver;
use anyhow::{Context, bail};
use clap::Args;

use super::options::{at_least_one, threads};
use super::out::mention;

type Board = <Position as Endgame>::Board;

/// Parts of errors that are taken back, one time through the lessons after the other.
const RATES: [f32; 4] = [0.3, 0.15, 0.06, 0.02];
/// Rounds that are played with few plies, as their patterns know little.
const FIRST_ROUNDS: usize = 2;
const FIRST_PLIES: u32 = 2;
/// Table of solved boards, in MiB.
const TABLE: usize = 64;
/// Stream of random numbers of the order of lessons, beside those of the players.
const ORDER: u64 = u64::MAX;

/// Games to learn from.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  losange learn-patterns --out models/othello-patterns.bin --rounds 35 --seconds 60")]
pub(crate) struct LearnPatterns {
    /// File for the weights, written after each round; to be compiled in as models/othello-patterns.bin.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Times that games are played and then learned from.
    #[arg(long, default_value_t = 30, value_parser = at_least_one)]
    rounds: usize,
    /// Seconds of play in a round.
    #[arg(long, default_value_t = 60, value_parser = at_least_one)]
    seconds: usize,
    /// Plies of the searches that play.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=12))]
    plies: u32,
    /// Threads that play.
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Most lessons that are kept, the latest ones; each takes 48 bytes.
    #[arg(long, default_value_t = 4_000_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    window: u32,
    /// Seed of all randomness but the number of games, which goes by time.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Lessons of so many seconds of play by all threads, and the number of games.
fn play(
    options: &LearnPatterns,
    patterns: &Patterns,
    solver: &EndgameSolver,
    round: usize,
) -> (Vec<PatternLesson<Board>>, usize) {
    let plies = if round < FIRST_ROUNDS { FIRST_PLIES } else { options.plies };
    let end = Instant::now() + Duration::from_secs(options.seconds as u64);
    let work = |number: usize| {
        let stream = (round * options.threads + number) as u64;
        let mut player = PatternPlayer::<Position>::new(patterns, solver, plies, Rng::stream(options.seed, stream));
        let (mut lessons, mut games) = (Vec::new(), 0);
        if let Some(start) = Position::new(Size::square(8)).filling() {
            while Instant::now() < end {
                player.play(&start, &mut lessons);
                games += 1;
            }
        }
        (lessons, games)
    };
    thread::scope(|scope| {
        let players: Vec<_> = (0..options.threads).map(|number| scope.spawn(move || work(number))).collect();
        let mut all = (Vec::new(), 0);
        for player in players {
            let (lessons, games) = player.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault));
            all.0.extend(lessons);
            all.1 += games;
        }
        all
    })
}

/// Root of the mean squared error, in points.
fn error(fit: &PatternFit, lessons: &[PatternLesson<Board>]) -> f32 {
    let squares: f64 = lessons.iter().map(|lesson| f64::from(fit.error::<Position>(lesson)).powi(2)).sum();
    (squares / lessons.len().max(1) as f64).sqrt() as f32
}

fn write(path: &Path, weights: &[i8]) -> std::io::Result<()> {
    write_whole(path, Position::file(weights)?)
}

/// Plays, learns, and writes, round after round.
pub(crate) fn run(options: &LearnPatterns) -> anyhow::Result<()> {
    check_writable(&options.out).with_context(|| format!("{} cannot be written", options.out.display()))?;
    let mut fit = PatternFit::new(Position::weights(), <Patterns as Appraiser<Board>>::UNIT);
    let (solver, mut rng) = (EndgameSolver::new(TABLE), Rng::stream(options.seed, ORDER));
    let (mut lessons, mut all_games) = (Vec::new(), 0);
    for round in 0..options.rounds {
        let Some(patterns) = Position::patterns(&fit.rounded()) else { bail!("the patterns want other weights") };
        let (fresh, games) = play(options, &patterns, &solver, round);
        all_games += games;
        // What was played without any knowledge is learned from once.
        if round == 1 {
            lessons.clear();
        }
        let before = error(&fit, &fresh);
        let count = fresh.len();
        lessons.extend(fresh);
        lessons.drain(..lessons.len().saturating_sub(options.window as usize));
        let mut order: Vec<usize> = (0..lessons.len()).collect();
        for rate in RATES {
            for last in (1..order.len()).rev() {
                order.swap(last, rng.below(last as u32 + 1) as usize);
            }
            order.iter().for_each(|&number| fit.learn::<Position>(&lessons[number], rate));
        }
        write(&options.out, &fit.rounded()).with_context(|| format!("{} cannot be written", options.out.display()))?;
        mention!(
            "round {}: {all_games} games, {count} new lessons, off by {before:.1} points before and {:.1} after",
            round + 1,
            error(&fit, &lessons[lessons.len().saturating_sub(count)..])
        );
    }
    Ok(())
}
