//! `losange selfplay`: plays games for training, for as long as it is let.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use losange::eval::Evaluator;
use losange::eval::heuristic::{Mobility, Resistance, Towers};
use losange::eval::net::{Network, Output, read};
use losange::game::{Game, Planes};
use losange::games::{Kind, Size, Stepping, avalam, clobber, hex};
use losange::learn::selfplay::{Descent, DescentSettings, Machine, Player, Puct, PuctSettings, keep};
use losange::learn::shard::Shard;
use losange::learn::teacher;
use losange::rng::{Rng, mix};
use parking_lot::{Mutex, RwLock};

use crate::cli::{GameName, at_least_one, cores, seconds};
use crate::model::{BackendName, RuntimeOptions, game_of, hex_board, stepping_board};

/// How often the model file is looked at, and progress is shown.
const LOOK: Duration = Duration::from_secs(1);
/// Longest time until lessons are written, however few there are.
const LONGEST: Duration = Duration::from_secs(20);

/// Plies of a game by policy in which moves are drawn in proportion to their visits.
const VARIED: u32 = 12;
/// Its weight of exploration, in -1..=1 (Bruneau and others take 1).
const EXPLORATION: f32 = 1.0;

/// What to play.
#[derive(Debug, Args)]
pub(crate) struct SelfPlay {
    /// Folder of the run: `model.onnx` is read from it, again whenever it changes, and `shards/` filled.
    dir: PathBuf,
    /// Board sizes, such as 5 or 7,9,11; each game takes one of them. Avalam has its own.
    #[arg(long, value_delimiter = ',', default_value = "11", value_parser = at_least_one)]
    sizes: Vec<usize>,
    /// Threads, each with games of its own.
    #[arg(long, default_value_t = cores(), value_parser = at_least_one)]
    threads: usize,
    /// Games at once in each thread.
    #[arg(long, default_value_t = 32, value_parser = at_least_one)]
    games: usize,
    /// Models of actions: descents before each move.
    #[arg(long, default_value_t = 20)]
    descents: u32,
    /// Models of actions: share of the states that is kept for training, for each time that the search came through them.
    #[arg(long, default_value_t = 0.1)]
    keep: f32,
    /// Models with a policy: searches before each move that is learned from; others have a fifth.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    searches: u32,
    /// Models with a policy: share of the moves that is learned from.
    #[arg(long, default_value_t = 0.25)]
    learned: f32,
    /// Models of actions: games of the whole run, over which play turns from chance to the best move.
    #[arg(long, default_value_t = 10_000)]
    run: u64,
    /// Positions of a shard.
    #[arg(long, default_value_t = 5_000, value_parser = at_least_one)]
    shard: usize,
    /// Play by the engine's own knowledge of that game instead of a model, to begin with: lessons for models of actions.
    #[arg(long, value_enum, value_name = "GAME")]
    teacher: Option<GameName>,
    /// Seconds after which it ends.
    #[arg(long, value_parser = seconds)]
    time: Option<f64>,
    /// Name of this process among several that fill one folder.
    #[arg(long, default_value = "0")]
    worker: String,
    /// What runs the model.
    #[arg(long, value_enum, default_value_t = BackendName::Auto)]
    backend: BackendName,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Seed of all randomness; another one at each start where it is not given.
    #[arg(long)]
    seed: Option<u64>,
}

/// The model as it is now, and when its file was written.
type Current = (Arc<Network>, SystemTime);

/// What differs between games.
struct Way<M: Machine> {
    /// The game that a model must be for, and what it must give.
    kind: Kind,
    needs: Output,
    board: fn(usize) -> M::G,
    /// The position that a game begins with.
    opening: fn(&[usize], &mut Rng) -> M::G,
    /// How games are played, by the share of the run that is over.
    settings: fn(&SelfPlay, f32) -> M::Settings,
}

/// What the threads have in common.
struct Run<'a, M: Machine> {
    options: &'a SelfPlay,
    way: &'a Way<M>,
    model: RwLock<Current>,
    /// Games of earlier processes, all workers together.
    before: u64,
    games: AtomicU64,
    evaluations: AtomicU64,
    positions: AtomicU64,
    over: AtomicBool,
    /// Why a thread ended.
    fault: Mutex<Option<anyhow::Error>>,
}

fn load<M: Machine>(options: &SelfPlay, way: &Way<M>) -> anyhow::Result<Current> {
    let path = options.dir.join("model.onnx");
    let written = fs::metadata(&path)
        .and_then(|file| file.modified())
        .with_context(|| format!("{} cannot be read; scripts/train/train.py makes the first one", path.display()))?;
    let game = game_of(&path)?;
    if game != way.kind {
        bail!("the run is for {}, and the model {} for {game}", way.kind, path.display());
    }
    let runtime = losange::eval::net::Options { cache: 0, ..options.runtime.options(options.backend.into()) };
    let network = Network::load(&path, &runtime, &way.board)?;
    if !network.model().gives(way.needs) {
        bail!("the model {} gives no {}, which {} is learned by", path.display(), way.needs.name(), way.kind);
    }
    let sizes: &[usize] = if way.kind == Kind::Avalam { &[] } else { &options.sizes };
    if let Some(size) = sizes.iter().find(|&&size| !network.model().serves(size, size)) {
        bail!("the model {} does not serve {size}x{size}", path.display());
    }
    Ok((Arc::new(network), written))
}

/// Games that workers of this run have finished before: each keeps its own count.
fn games_before(dir: &Path) -> anyhow::Result<u64> {
    let mut games = 0;
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "games") {
            games += fs::read_to_string(&path)?.trim().parse::<u64>().unwrap_or(0);
        }
    }
    Ok(games)
}

/// A board that a game begins with: empty, or after one to three moves of chance, so that every opening is learned.
fn opening(sizes: &[usize], rng: &mut Rng) -> hex::Position {
    let size = sizes[rng.below(sizes.len() as u32) as usize];
    let mut position = hex::Position::new(Size::square(size));
    let mut moves = Vec::new();
    for _ in 0..[0, 1, 1, 2, 3][rng.below(5) as usize] {
        position.legal_moves(&mut moves);
        let mut next = position.clone();
        next.play(moves[rng.below(moves.len() as u32) as usize]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Writes under another name first, so that whoever reads finds all of it.
fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let partial = path.with_extension("part");
    fs::write(&partial, text).and_then(|()| fs::rename(&partial, path)).with_context(|| path.display().to_string())
}

/// As [`opening`], after up to four moves of chance.
fn stepping_opening<G: Stepping>(sizes: &[usize], rng: &mut Rng) -> G {
    let start: G = stepping_board(sizes[rng.below(sizes.len() as u32) as usize]);
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for _ in 0..rng.below(5) {
        position.legal_moves(&mut moves);
        let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
        position.play(mv);
    }
    if position.outcome().is_some() { start } else { position }
}

/// By search with a policy.
fn by_policy<G: Stepping + Planes>() -> Way<Puct<G>> {
    Way {
        kind: G::KIND,
        needs: Output::Policy,
        board: stepping_board,
        opening: stepping_opening,
        settings: |options, _| PuctSettings {
            searches: options.searches,
            learned: options.learned,
            varied: VARIED,
            exploration: EXPLORATION,
        },
    }
}

impl<M: Machine> Run<'_, M> {
    fn exploitation(&self) -> f32 {
        let games = self.before + self.games.load(Ordering::Relaxed);
        (games as f32 / self.options.run.max(1) as f32).min(1.0)
    }

    /// The loop of one thread.
    fn work(&self, number: usize, seed: u64) -> anyhow::Result<()> {
        let options = self.options;
        let mut player = Player::<M>::new(Rng::stream(seed, number as u64));
        let (mut written, mut reported, mut shards) = (Instant::now(), 0, 0);
        while !self.over.load(Ordering::Relaxed) {
            let network = Arc::clone(&self.model.read().0);
            let settings = (self.way.settings)(options, self.exploitation());
            let mut opening = |rng: &mut Rng| (self.way.opening)(&options.sizes, rng);
            let valued = player.step(&network, options.games, &settings, &mut opening)?;
            self.evaluations.fetch_add(valued as u64, Ordering::Relaxed);
            let finished = player.finished();
            self.games.fetch_add(finished - reported, Ordering::Relaxed);
            reported = finished;
            let learned = player.learned();
            if learned >= options.shard || learned > 0 && written.elapsed() >= LONGEST {
                for shard in player.take() {
                    self.positions.fetch_add(shard.len() as u64, Ordering::Relaxed);
                    let path = shard_path(options, &number.to_string(), shards)?;
                    shard.write(&path).with_context(|| path.display().to_string())?;
                    shards += 1;
                }
                written = Instant::now();
            }
        }
        Ok(())
    }

    /// Takes a new model as soon as there is one.
    fn refresh(&self) {
        let changed = fs::metadata(self.options.dir.join("model.onnx")).and_then(|file| file.modified());
        let known = self.model.read().1;
        if changed.is_ok_and(|changed| changed != known) {
            match load(self.options, self.way) {
                Ok(current) => {
                    *self.model.write() = current;
                    tracing::info!("a new model");
                }
                Err(error) => tracing::warn!(%error, "the new model is not taken"),
            }
        }
    }
}

/// Plays until the time is over.
pub(crate) fn run(options: &SelfPlay) -> anyhow::Result<()> {
    let model = options.dir.join("model.onnx");
    let first = || format!("{} cannot be read; scripts/train/train.py makes the first one", model.display());
    match options.teacher.map(Kind::from) {
        None => {}
        Some(Kind::Hex) => return taught(options, &Resistance, opening),
        Some(Kind::Clobber) => return taught::<clobber::Position>(options, &Mobility, stepping_opening),
        Some(Kind::Avalam) => return taught::<avalam::Position>(options, &Towers, stepping_opening),
        Some(game) => bail!("there is no teacher of {game}"),
    }
    match game_of(&model).with_context(first)? {
        Kind::Hex => play(options, &by_descent(Kind::Hex, hex_board, opening)),
        Kind::Clobber => stepping::<clobber::Position>(options, &model),
        Kind::Avalam => stepping::<avalam::Position>(options, &model),
        game => bail!("{game} is not learned by self-play"),
    }
}

/// Plays by a classical evaluator in one thread.
fn taught<G: Planes>(
    options: &SelfPlay,
    evaluator: &dyn Evaluator<G>,
    opening: fn(&[usize], &mut Rng) -> G,
) -> anyhow::Result<()> {
    fs::create_dir_all(options.dir.join("shards")).with_context(|| options.dir.display().to_string())?;
    let (start, mut rng) = (Instant::now(), Rng::new(options.seed.unwrap_or_else(fresh_seed)));
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
    let (mut games, mut positions, mut shards, mut written) = (0, 0, Vec::new(), 0);
    let over = |start: Instant| options.time.is_some_and(|time| start.elapsed().as_secs_f64() >= time);
    loop {
        let lessons = teacher::game(evaluator, opening(&options.sizes, &mut rng), &mut rng);
        let Ok(lessons) = lessons else { bail!("the game was broken off") };
        lessons.iter().for_each(|lesson| keep(&mut shards, lesson));
        games += 1;
        if over(start) || shards.iter().any(|shard: &Shard| shard.len() >= options.shard) {
            for shard in std::mem::take(&mut shards) {
                positions += shard.len();
                let path = shard_path(options, "teacher", written)?;
                shard.write(&path).with_context(|| path.display().to_string())?;
                written += 1;
            }
            bar.set_message(format!("{games} games  {positions} positions"));
            bar.tick();
        }
        if over(start) {
            bar.finish();
            eprintln!("losange: {games} games, {positions} positions in {:.0} s", start.elapsed().as_secs_f64());
            return Ok(());
        }
    }
}

/// A seed that is another one at each start.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64);
    mix(now ^ u64::from(std::process::id()))
}

/// Where the next shard of a thread goes; names sort by time.
fn shard_path(options: &SelfPlay, thread: &str, number: usize) -> anyhow::Result<PathBuf> {
    let stamp = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    Ok(options.dir.join("shards").join(format!("{stamp:015}-{}-{thread}-{number}.npz", options.worker)))
}

/// In the way that the model can be taught by.
fn stepping<G: Stepping + Planes>(options: &SelfPlay, model: &Path) -> anyhow::Result<()> {
    let (_, file) = read(model)?;
    if file.gives(Output::Policy) {
        play(options, &by_policy::<G>())
    } else {
        play(options, &by_descent(G::KIND, stepping_board::<G>, stepping_opening))
    }
}

/// By descent.
fn by_descent<G: Planes>(kind: Kind, board: fn(usize) -> G, opening: fn(&[usize], &mut Rng) -> G) -> Way<Descent<G>> {
    Way {
        kind,
        needs: Output::Actions,
        board,
        opening,
        settings: |options, exploitation| DescentSettings {
            descents: options.descents,
            exploitation,
            keep: options.keep,
        },
    }
}

fn play<M: Machine + Send>(options: &SelfPlay, way: &Way<M>) -> anyhow::Result<()> {
    let start = Instant::now();
    fs::create_dir_all(options.dir.join("shards")).with_context(|| options.dir.display().to_string())?;
    let seed = options.seed.unwrap_or_else(fresh_seed);
    let counter = options.dir.join(format!("{}.games", options.worker));
    let own: u64 = fs::read_to_string(&counter).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let run = Run {
        options,
        way,
        model: RwLock::new(load(options, way)?),
        before: games_before(&options.dir)?,
        games: AtomicU64::new(0),
        evaluations: AtomicU64::new(0),
        positions: AtomicU64::new(0),
        over: AtomicBool::new(false),
        fault: Mutex::new(None),
    };
    eprintln!("losange: playing with {} on {}", run.model.read().0.path().display(), run.model.read().0.runtime());
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
    thread::scope(|scope| -> anyhow::Result<()> {
        for number in 0..options.threads {
            let run = &run;
            scope.spawn(move || {
                if let Err(error) = run.work(number, seed) {
                    *run.fault.lock() = Some(error);
                    run.over.store(true, Ordering::Relaxed);
                }
            });
        }
        let end = options.time.map(Duration::from_secs_f64);
        let result = (|| {
            while !run.over.load(Ordering::Relaxed) && end.is_none_or(|end| start.elapsed() < end) {
                thread::sleep(LOOK.min(end.map_or(LOOK, |end| end.saturating_sub(start.elapsed()))));
                run.refresh();
                let (games, elapsed) = (run.games.load(Ordering::Relaxed), start.elapsed().as_secs_f64());
                write_whole(&counter, &format!("{}\n", own + games))?;
                let evaluations = run.evaluations.load(Ordering::Relaxed);
                bar.set_message(format!(
                    "{} games ({:.1}/s)  {} positions  {:.0} evaluations/s  exploitation {:.2}",
                    run.before + games,
                    games as f64 / elapsed,
                    run.positions.load(Ordering::Relaxed),
                    evaluations as f64 / elapsed,
                    run.exploitation()
                ));
                bar.tick();
            }
            anyhow::Ok(())
        })();
        run.over.store(true, Ordering::Relaxed);
        result
    })?;
    bar.finish();
    let games = run.games.load(Ordering::Relaxed);
    eprintln!(
        "losange: {games} games, {} positions, {} evaluations in {:.0} s",
        run.positions.load(Ordering::Relaxed),
        run.evaluations.load(Ordering::Relaxed),
        start.elapsed().as_secs_f64()
    );
    match run.fault.lock().take() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_not_over_and_differ() {
        let mut rng = Rng::stream(1, 0);
        let openings: Vec<_> = (0..200).map(|_| opening(&[3, 5], &mut rng)).collect();
        assert!(openings.iter().all(|position| position.outcome().is_none() && position.stones() <= 3));
        for stones in 0..=3 {
            assert!(openings.iter().any(|position| position.stones() == stones));
        }
        assert!(openings.iter().any(|p| p.size().width == 3) && openings.iter().any(|p| p.size().width == 5));
    }
}
