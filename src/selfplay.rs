//! `losange selfplay`: plays games for training, for as long as it is let.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressStyle};
use losange::eval::heuristic::{Mobility, Resistance, Towers};
use losange::eval::net::{Network, NetworkEvaluator, Output, read};
use losange::eval::{Cancelled, Evaluator};
use losange::game::{Game, MonteCarlo, Planes};
use losange::games::{Kind, Size, Stepping, avalam, clobber, go, hex};
use losange::learn::selfplay::{
    Descent, DescentSettings, Lesson, Machine, Maker, Player, Puct, PuctSettings, Selection, Targets, Worth, keep,
};
use losange::learn::shard::Shard;
use losange::learn::teacher;
use losange::rng::{Rng, mix};
use losange::search::mcts::Mcts;
use losange::search::ubfm::Ubfm;
use losange::search::{Searcher, Share};
use parking_lot::{Mutex, RwLock};

use crate::cli::{GameName, at_least_one, cores, seconds};
use crate::model::{BackendName, RuntimeOptions, game_of, go_board, hex_board, stepping_board};

/// How often the model file is looked at, and progress is shown.
const LOOK: Duration = Duration::from_secs(1);
/// Longest time until lessons are written, however few there are.
const LONGEST: Duration = Duration::from_secs(20);

/// Plies of a game by policy in which moves are drawn in proportion to their visits.
const VARIED: u32 = 12;
/// Its weight of exploration, in -1..=1 (Bruneau and others take 1).
const EXPLORATION: f32 = 1.0;
/// Memory of a teacher's tree, in MiB.
const TEACHER_MEMORY: usize = 64;

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
    /// Models of actions or states: descents before each move.
    #[arg(long, default_value_t = 20)]
    descents: u32,
    /// Models of actions or states: share of the states that is kept for training, for each time that the search came through
    /// them.
    #[arg(long, default_value_t = 0.1)]
    keep: f32,
    /// Models of actions or states: what fills the tree, iterations to the end of the game or those of UBFM.
    #[arg(long, default_value_t, value_parser = one_of(Maker::ALL))]
    maker: Maker,
    /// Models of actions or states: what is learned, all of the tree (weighted by updates or not) or the game's own states, with
    /// what was searched or how it ended.
    #[arg(long, default_value_t, value_parser = one_of(Targets::ALL))]
    targets: Targets,
    /// Models of actions or states: what a won game is worth, the same always, more the sooner it ends (two ways), or by the moves
    /// that its winner could choose among or the pieces that it has left.
    #[arg(long, default_value_t, value_parser = one_of(Worth::ALL))]
    worth: Worth,
    /// Models of actions or states: how moves are chosen.
    #[arg(long, default_value_t, value_parser = one_of(Selection::ALL))]
    selection: Selection,
    /// Models with a policy: searches before each move that is learned from; others have a fifth.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    searches: u32,
    /// Models with a policy: share of the moves that is learned from.
    #[arg(long, default_value_t = 0.25)]
    learned: f32,
    /// Models of actions or states: games of the whole run, over which play turns from chance to the best move, instead of the
    /// trainer's time.
    #[arg(long)]
    run: Option<u64>,
    /// Positions of a shard.
    #[arg(long, default_value_t = 5_000, value_parser = at_least_one)]
    shard: usize,
    /// Play by the engine's own knowledge of that game instead of a model, to begin with: lessons for models of actions, or
    /// with a policy for Go, by so many playouts.
    #[arg(long, value_enum, value_name = "GAME")]
    teacher: Option<GameName>,
    /// With --teacher, Clobber and Avalam: lessons for models with a policy, by minimax with so many expansions as --searches.
    #[arg(long, requires = "teacher")]
    policy: bool,
    /// With --teacher go: a model that the searches ask, for advice or in the place of playouts as its metadata say.
    #[arg(long, value_name = "PATH", requires = "teacher")]
    adviser: Option<PathBuf>,
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

/// Reads one of those names.
fn one_of<T: Copy + Send + Sync + 'static>(all: &'static [(T, &'static str)]) -> impl TypedValueParser<Value = T> {
    let chosen = |name: String| all.iter().find(|(_, other)| *other == name).map(|(choice, _)| *choice);
    PossibleValuesParser::new(all.iter().map(|(_, name)| *name)).try_map(move |name| chosen(name).ok_or("unknown"))
}

/// The model as it is now, and when its file was written.
type Current = (Arc<Network>, SystemTime);

/// What differs between games.
struct Way<M: Machine> {
    /// The game that a model must be for, and what it must give, one or another.
    kind: Kind,
    needs: &'static [Output],
    board: fn(usize) -> M::G,
    /// The position that a game begins with.
    opening: fn(&[usize], &mut Rng) -> M::G,
    /// How games are played with a model, by the share of the run that is over.
    settings: fn(&SelfPlay, &Network, f32) -> M::Settings,
}

/// What the threads have in common.
struct Run<'a, M: Machine> {
    options: &'a SelfPlay,
    way: &'a Way<M>,
    model: RwLock<Current>,
    /// Games of earlier processes, all workers together.
    before: u64,
    /// How much of its time the trainer says is over.
    trained: Mutex<f32>,
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
    let network = network(options, &path, way.kind, way.needs, &way.board)?;
    Ok((Arc::new(network), written))
}

/// A model for that game that gives what is needed on all boards of the run.
fn network<G: Planes>(
    options: &SelfPlay,
    path: &Path,
    kind: Kind,
    needs: &[Output],
    board: &dyn Fn(usize) -> G,
) -> anyhow::Result<Network> {
    let game = game_of(path)?;
    if game != kind {
        bail!("the run is for {kind}, and the model {} for {game}", path.display());
    }
    let runtime = losange::eval::net::Options { cache: 0, ..options.runtime.options(options.backend.into()) };
    let network = Network::load(path, &runtime, board)?;
    if !needs.iter().any(|&output| network.model().gives(output)) {
        let needs: Vec<&str> = needs.iter().map(|output| output.name()).collect();
        bail!("the model {} gives no {}, which {kind} is learned by", path.display(), needs.join(" and no "));
    }
    let sizes: &[usize] = if kind == Kind::Avalam { &[] } else { &options.sizes };
    if let Some(size) = sizes.iter().find(|&&size| !network.model().serves(size, size)) {
        bail!("the model {} does not serve {size}x{size}", path.display());
    }
    Ok(network)
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

/// The share of the run that is over, as the trainer writes it beside the model; 0 where none does.
fn trained(dir: &Path) -> f32 {
    let told = fs::read_to_string(dir.join("share")).ok().and_then(|text| text.trim().parse().ok());
    told.filter(|share: &f32| share.is_finite()).unwrap_or(0.0).clamp(0.0, 1.0)
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

/// The rules that games of Go are learned by: those that count areas, however they see repetitions and suicide.
const RULES: [&str; 4] = ["chinese", "tromp-taylor", "aga", "chinese-kgs"];

/// As [`opening`], after up to four moves, by different rules and komi.
fn go_opening(sizes: &[usize], rng: &mut Rng) -> go::Position {
    const KOMI: [f32; 4] = [7.5, 7.5, 6.5, 5.5];
    let size = Size::square(sizes[rng.below(sizes.len() as u32) as usize]);
    let rules = go::Rules::by_name(RULES[rng.below(RULES.len() as u32) as usize]).unwrap_or(go::Rules::CHINESE);
    let komi = match rng.below(4) {
        0 => rng.below(31) as f32 - 7.5,
        _ => KOMI[rng.below(KOMI.len() as u32) as usize],
    };
    let (mut position, mut moves) = (go::Position::new(size, rules, komi), Vec::new());
    for _ in 0..[0, 0, 1, 2, 4][rng.below(5) as usize] {
        position.legal_moves(&mut moves);
        moves.retain(|mv| mv.point().is_some());
        let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
        position.play(mv);
    }
    position
}

fn policy_settings(options: &SelfPlay) -> PuctSettings {
    PuctSettings { searches: options.searches, learned: options.learned, varied: VARIED, exploration: EXPLORATION }
}

/// By search with a policy.
fn by_policy<G: Planes + MonteCarlo>(
    kind: Kind,
    board: fn(usize) -> G,
    opening: fn(&[usize], &mut Rng) -> G,
) -> Way<Puct<G>> {
    Way { kind, needs: &[Output::Policy], board, opening, settings: |options, _, _| policy_settings(options) }
}

impl<M: Machine> Run<'_, M> {
    fn exploitation(&self) -> f32 {
        let Some(run) = self.options.run else { return *self.trained.lock() };
        let games = self.before + self.games.load(Ordering::Relaxed);
        (games as f32 / run.max(1) as f32).min(1.0)
    }

    /// The loop of one thread.
    fn work(&self, number: usize, seed: u64) -> anyhow::Result<()> {
        let options = self.options;
        let mut player = Player::<M>::new(Rng::stream(seed, number as u64));
        let (mut written, mut reported, mut shards) = (Instant::now(), 0, 0);
        while !self.over.load(Ordering::Relaxed) {
            let network = Arc::clone(&self.model.read().0);
            let settings = (self.way.settings)(options, &network, self.exploitation());
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
        Some(Kind::Go) => {
            let adviser = options.adviser.as_ref();
            let adviser =
                adviser.map(|path| network(options, path, Kind::Go, &[Output::Policy], &go_board)).transpose()?;
            let adviser = adviser.map(Arc::new);
            return taught(options, &|| by_playouts(options, adviser.as_ref()));
        }
        Some(game) if options.adviser.is_some() => bail!("only searches of go ask an adviser, and the game is {game}"),
        Some(Kind::Clobber) if options.policy => {
            return taught::<clobber::Position>(options, &|| by_minimax(options, Mobility));
        }
        Some(Kind::Avalam) if options.policy => {
            return taught::<avalam::Position>(options, &|| by_minimax(options, Towers));
        }
        Some(game) if options.policy => bail!("{game} has no lessons with a policy by minimax"),
        Some(Kind::Hex) => return taught(options, &|| by_evaluator(options, &Resistance, opening)),
        Some(Kind::Clobber) => {
            return taught::<clobber::Position>(options, &|| by_evaluator(options, &Mobility, stepping_opening));
        }
        Some(Kind::Avalam) => {
            return taught::<avalam::Position>(options, &|| by_evaluator(options, &Towers, stepping_opening));
        }
        Some(game) => bail!("there is no teacher of {game}"),
    }
    match game_of(&model).with_context(first)? {
        Kind::Go => play(options, &by_policy(Kind::Go, go_board, go_opening)),
        Kind::Hex if options.worth == Worth::Presence => {
            bail!("in Hex the winner has no more pieces than the loser: choose another --worth than presence")
        }
        Kind::Hex => play(options, &by_descent(Kind::Hex, hex_board, opening)),
        Kind::Clobber => stepping::<clobber::Position>(options, &model),
        Kind::Avalam => stepping::<avalam::Position>(options, &model),
        Kind::Solitaire => bail!("Solitaire is played without models"),
    }
}

/// Plays one game and says what is learned of it.
type Teacher<'a, G> = Box<dyn FnMut(&mut Rng) -> anyhow::Result<Vec<Lesson<G>>> + 'a>;

/// Plays by a classical evaluator.
fn by_evaluator<'a, G: Planes>(
    options: &'a SelfPlay,
    evaluator: &'a dyn Evaluator<G>,
    opening: fn(&[usize], &mut Rng) -> G,
) -> Teacher<'a, G> {
    Box::new(move |rng| match teacher::game(evaluator, opening(&options.sizes, rng), rng) {
        Ok(lessons) => Ok(lessons),
        Err(Cancelled) => bail!("the game was broken off"),
    })
}

/// Plays Go by searches with playouts, and with an adviser if there is one.
fn by_playouts<'a>(options: &'a SelfPlay, adviser: Option<&Arc<Network>>) -> Teacher<'a, go::Position> {
    let share = Arc::new(Share::new(1));
    let search = match adviser {
        None => Mcts::new(share, TEACHER_MEMORY),
        Some(network) => {
            Mcts::with_judge(share, TEACHER_MEMORY, Arc::new(NetworkEvaluator::new(Arc::clone(network), ())))
        }
    };
    by_search(options, search, go_opening)
}

/// Plays by unbounded best-first minimax over a classical evaluator.
fn by_minimax<G: Stepping + Planes>(options: &SelfPlay, evaluator: impl Evaluator<G> + 'static) -> Teacher<'_, G> {
    let search = Ubfm::new(Arc::new(Share::new(1)), TEACHER_MEMORY, Arc::new(evaluator));
    by_search(options, search, stepping_opening)
}

/// Plays by a search.
fn by_search<'a, G: Planes>(
    options: &'a SelfPlay,
    mut search: impl Searcher<G> + 'a,
    opening: fn(&[usize], &mut Rng) -> G,
) -> Teacher<'a, G> {
    let settings = policy_settings(options);
    Box::new(move |rng| Ok(teacher::searched(&mut search, opening(&options.sizes, rng), &settings, rng)))
}

/// Plays by teachers of which each thread makes one of its own.
fn taught<'a, G: Planes>(options: &'a SelfPlay, make: &(dyn Fn() -> Teacher<'a, G> + Sync)) -> anyhow::Result<()> {
    fs::create_dir_all(options.dir.join("shards")).with_context(|| options.dir.display().to_string())?;
    let (start, seed) = (Instant::now(), options.seed.unwrap_or_else(fresh_seed));
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
    let (games, positions) = (AtomicU64::new(0), AtomicU64::new(0));
    let over = || options.time.is_some_and(|time| start.elapsed().as_secs_f64() >= time);
    let told = || {
        let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let (games, elapsed) = (count(&games), start.elapsed().as_secs_f64());
        format!("{games} games ({:.1}/s)  {} positions", games as f64 / elapsed, count(&positions))
    };
    let work = |number: usize| -> anyhow::Result<()> {
        let (mut teach, mut rng) = (make(), Rng::stream(seed, number as u64));
        let (mut shards, mut written) = (Vec::new(), 0);
        while !over() {
            teach(&mut rng)?.iter().for_each(|lesson| keep(&mut shards, lesson));
            games.fetch_add(1, Ordering::Relaxed);
            if over() || shards.iter().any(|shard: &Shard| shard.len() >= options.shard) {
                for shard in std::mem::take(&mut shards) {
                    positions.fetch_add(shard.len() as u64, Ordering::Relaxed);
                    let path = shard_path(options, &format!("teacher{number}"), written)?;
                    shard.write(&path).with_context(|| path.display().to_string())?;
                    written += 1;
                }
                bar.set_message(told());
                bar.tick();
            }
        }
        Ok(())
    };
    thread::scope(|scope| -> anyhow::Result<()> {
        let work = &work;
        let workers: Vec<_> = (0..options.threads).map(|number| scope.spawn(move || work(number))).collect();
        for worker in workers {
            worker.join().map_err(|_| anyhow!("a thread broke down"))??;
        }
        Ok(())
    })?;
    bar.finish();
    eprintln!("losange: {} in {:.0} s", told(), start.elapsed().as_secs_f64());
    Ok(())
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
fn stepping<G: Stepping + Planes + MonteCarlo>(options: &SelfPlay, model: &Path) -> anyhow::Result<()> {
    let (_, file) = read(model)?;
    if file.gives(Output::Policy) {
        play(options, &by_policy(G::KIND, stepping_board::<G>, stepping_opening))
    } else {
        play(options, &by_descent(G::KIND, stepping_board::<G>, stepping_opening))
    }
}

/// By descent.
fn by_descent<G: Planes>(kind: Kind, board: fn(usize) -> G, opening: fn(&[usize], &mut Rng) -> G) -> Way<Descent<G>> {
    Way {
        kind,
        needs: &[Output::Actions, Output::Value],
        board,
        opening,
        settings: |options, network, exploitation| DescentSettings {
            descents: options.descents,
            exploitation,
            keep: options.keep,
            maker: options.maker,
            targets: options.targets,
            worth: options.worth,
            selection: options.selection,
            states: !network.model().gives(Output::Actions),
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
        trained: Mutex::new(trained(&options.dir)),
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
                *run.trained.lock() = trained(&options.dir);
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
    fn the_trainer_says_how_much_is_over() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(trained(folder.path()), 0.0);
        for (text, share) in [("0.25\n", 0.25), ("1.5", 1.0), ("-1", 0.0), ("NaN", 0.0), ("soon", 0.0)] {
            fs::write(folder.path().join("share"), text).unwrap();
            assert_eq!(trained(folder.path()), share, "{text}");
        }
    }

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
