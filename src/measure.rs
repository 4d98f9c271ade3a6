//! `losange bench eval` and `losange benchmark`: how fast this machine runs a model and the searches.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args, ValueEnum};
use losange::eval::heuristic::Resistance;
use losange::eval::net::{Answers, Backend, Network, NetworkEvaluator, Options, Output};
use losange::game::{Game, Planes};
use losange::games::{Kind, Size, avalam, clobber, go, hex};
use losange::search::mcts::Mcts;
use losange::search::ubfm::Ubfm;
use losange::search::{Budget, Params, Searcher, Share, Stop, Task};
use losange::session::{Played, Settings};

use crate::cli::{GameName, at_least_one, cores, params, seconds};
use crate::model::{BackendName, RuntimeOptions, game_of, hex_board, samples, stepping_board};
use crate::out::say;

/// Positions that are evaluated in turn.
const SAMPLES: usize = 512;
/// Memory of each search's tree or table, in MiB.
const MEMORY: usize = 256;
/// Search time, in times of a measurement of a batch size.
const SEARCH_TIME: f64 = 4.0;
/// More threads are worth having if they give at least this much.
const WORTH: f64 = 1.05;
/// A smaller batch is preferred if it is nearly as fast as the best.
const NEARLY: f64 = 0.97;
/// Width of a bar.
const BAR: usize = 32;

/// What to measure of a model.
#[derive(Debug, Args)]
pub(crate) struct EvalBench {
    /// The ONNX file, or a folder with variants.
    model: PathBuf,
    /// One back end only.
    #[arg(long, value_enum)]
    backend: Option<BackendName>,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Batch sizes.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,8,32,128", value_parser = at_least_one)]
    batches: Vec<usize>,
    /// Threads that ask at once.
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    threads: usize,
    /// Searches that run at once in the second part.
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    sessions: usize,
    /// Board size; otherwise the largest that the model serves up to 11 (Hex) or 9 (Go).
    #[arg(long)]
    size: Option<usize>,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// Set a tunable of the search (see `losange params`); may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

/// What to find out about this machine.
#[derive(Debug, Args)]
pub(crate) struct Benchmark {
    /// The game to search, where no model tells.
    #[arg(long, value_enum, default_value_t = GameName::Go)]
    game: GameName,
    /// Search with this model.
    #[arg(long, value_name = "PATH")]
    model: Option<PathBuf>,
    /// What runs the model.
    #[arg(long, value_enum, default_value_t = BackendName::Auto)]
    backend: BackendName,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Board size.
    #[arg(long)]
    size: Option<usize>,
    /// Most threads to try.
    #[arg(long, default_value_t = cores(), value_parser = at_least_one)]
    threads: usize,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,
}

/// The board on which Go is measured: without komi, so that passing at once, which needs no evaluation, wins nothing.
fn go_board(n: usize) -> go::Position {
    go::Position::new(Size::square(n), go::Rules::CHINESE, 0.0)
}

/// A bar of a plot in which `most` fills the width.
fn bar(value: f64, most: f64) -> String {
    "█".repeat(((value / most * BAR as f64).round() as usize).min(BAR))
}

/// Positions a second, and the mean time of a call, with so many threads that ask for batches of that size.
fn rate<G: Planes>(
    network: &Network,
    samples: &[G],
    batch: usize,
    threads: usize,
    time: Duration,
) -> anyhow::Result<(f64, Duration)> {
    let ask = &|number: usize| -> anyhow::Result<u32> {
        let (start, mut answers, mut calls) = (Instant::now(), Answers::default(), 0);
        while start.elapsed() < time {
            let from = (calls as usize * threads + number) * batch;
            let positions: Vec<&G> = (from..from + batch).map(|i| &samples[i % samples.len()]).collect();
            network.compute(&positions, &mut answers, &|| true)?;
            calls += 1;
        }
        Ok(calls)
    };
    let start = Instant::now();
    let calls = thread::scope(|scope| {
        let asking: Vec<_> = (0..threads).map(|number| scope.spawn(move || ask(number))).collect();
        asking
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| bail!("a thread ended")))
            .sum::<anyhow::Result<u32>>()
    })?;
    let elapsed = start.elapsed();
    let positions = f64::from(calls) * batch as f64 / elapsed.as_secs_f64();
    Ok((positions, elapsed * threads as u32 / calls.max(1)))
}

/// Runs `sessions` searches at once, with so many threads together, and returns the nodes of all and the time they took.
fn search_rate<G: Game>(
    make: &(dyn Fn(Arc<Share>) -> Box<dyn Searcher<G>> + Sync),
    position: &G,
    threads: usize,
    sessions: usize,
    time: Duration,
    params: &Params,
) -> (u64, f64) {
    let (share, start) = (Arc::new(Share::new(threads)), Instant::now());
    let nodes: u64 = thread::scope(|scope| {
        let running: Vec<_> = (0..sessions)
            .map(|number| {
                let share = Arc::clone(&share);
                scope.spawn(move || {
                    let stop = Stop::new();
                    let task = Task {
                        threads,
                        seed: number as u64,
                        ..Task::new(position, Budget { time: Some(time), ..Budget::default() }, params, &stop)
                    };
                    make(share).run(&task, &mut |_| ()).report.nodes
                })
            })
            .collect();
        running.into_iter().map(|search| search.join().unwrap_or(0)).sum()
    });
    (nodes, start.elapsed().as_secs_f64())
}

/// Loads a model for one game, without a cache: what is asked is computed.
fn load<G: Planes>(
    path: &std::path::Path,
    runtime: &RuntimeOptions,
    backend: Backend,
    board: &dyn Fn(usize) -> G,
) -> anyhow::Result<Network> {
    Ok(Network::load(path, &Options { cache: 0, ..runtime.options(backend) }, board)?)
}

fn hex_searcher(network: &Arc<Network>) -> impl Fn(Arc<Share>) -> Box<dyn Searcher<hex::Position>> + Sync + use<> {
    let network = Arc::clone(network);
    move |share| Box::new(Ubfm::new(share, MEMORY, Arc::new(NetworkEvaluator::new(Arc::clone(&network), Resistance))))
}

fn go_searcher(network: &Arc<Network>) -> impl Fn(Arc<Share>) -> Box<dyn Searcher<go::Position>> + Sync + use<> {
    let network = Arc::clone(network);
    move |share| Box::new(Mcts::with_judge(share, MEMORY, Arc::new(NetworkEvaluator::new(Arc::clone(&network), ()))))
}

/// The usual search of the other games, by a model where there is one.
fn searcher_of<G: Played>(network: Option<&Arc<Network>>) -> MakeSearcher<G> {
    let network = network.cloned();
    Box::new(move |share| {
        let mut settings = Settings::new(share, 0);
        (settings.memory, settings.network) = (MEMORY, network.clone());
        G::searcher(&settings)
    })
}

/// Prints positions a second by batch size for each back end, and how much of that a search reaches.
pub(crate) fn eval(options: &EvalBench) -> anyhow::Result<()> {
    match game_of(&options.model)? {
        Kind::Go => eval_of(options, 9, &go_board, &|network| {
            network.model().gives(Output::Policy).then(|| ("MCTS", Box::new(go_searcher(network)) as MakeSearcher<_>))
        }),
        Kind::Hex => eval_of(options, 11, &hex_board, &|network| {
            Some(("UBFM_s", Box::new(hex_searcher(network)) as MakeSearcher<_>))
        }),
        Kind::Clobber => eval_of(options, 6, &stepping_board, &|network| {
            Some(("UBFM_s", searcher_of::<clobber::Position>(Some(network))))
        }),
        Kind::Avalam | Kind::Solitaire => eval_of(options, 9, &stepping_board, &|network| {
            Some(("MCTS", searcher_of::<avalam::Position>(Some(network))))
        }),
    }
}

/// The name of a search, and what makes one.
type NamedSearcher<G> = (&'static str, MakeSearcher<G>);
type MakeSearcher<G> = Box<dyn Fn(Arc<Share>) -> Box<dyn Searcher<G>> + Sync>;

fn eval_of<G: Planes>(
    options: &EvalBench,
    usual: usize,
    board: &dyn Fn(usize) -> G,
    searcher: &dyn Fn(&Arc<Network>) -> Option<NamedSearcher<G>>,
) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(options.seconds);
    let mut params = params(&options.set)?;
    // Also of a model that plays as an adviser: what is measured is how well a search keeps it busy.
    params.advice_visits = params.advice_visits.max(0);
    let backends = options.backend.map_or_else(|| BackendName::value_variants()[1..].to_vec(), |only| vec![only]);
    let mut some = false;
    for backend in backends {
        let network = match load(&options.model, &options.runtime, backend.into(), board) {
            Ok(network) => Arc::new(network),
            Err(error) if options.backend.is_some() => return Err(error),
            Err(error) => {
                say!("{error:#}\n");
                continue;
            }
        };
        some = true;
        let size = options.size.unwrap_or(network.model().largest_size().min(usual));
        let samples = samples(&board(size), SAMPLES);
        say!(
            "{} on {} ({}), {size}x{size}, {} thread{}",
            network.path().display(),
            network.runtime(),
            network.provider(),
            options.threads,
            if options.threads == 1 { "" } else { "s" }
        );
        say!("  batch  positions/s  ms a call");
        let mut most = 0.0;
        for &batch in &options.batches {
            rate(&network, &samples, batch, options.threads, time / 10)?;
            let (positions, latency) = rate(&network, &samples, batch, options.threads, time)?;
            most = positions.max(most);
            let latency = latency.as_secs_f64() * 1e3;
            say!("  {batch:5} {positions:12.0} {latency:10.2}  {}", bar(positions, most));
        }
        if let Some((name, make)) = searcher(&network) {
            let before = network.work();
            let time = time.mul_f64(SEARCH_TIME);
            let (nodes, seconds) = search_rate(&*make, &board(size), options.threads, options.sessions, time, &params);
            let (evaluations, calls) = (network.work().0 - before.0, network.work().1 - before.1);
            let (each, inside) = (evaluations as f64 / calls.max(1) as f64, evaluations as f64 / seconds);
            let batch = (each.round() as usize).max(1);
            let (alone, _) = rate(&network, &samples, batch, options.threads, time)?;
            say!(
                "  {name}, {} at once: {:.0} nodes/s, {inside:.0} evaluations/s in batches of {each:.1}: \
                 {:.1} % of the {alone:.0} of batches of {batch}",
                options.sessions,
                nodes as f64 / seconds,
                100.0 * inside / alone
            );
        }
        say!("");
    }
    if !some {
        bail!("no back end runs this model");
    }
    Ok(())
}

/// Prints the speed of a search by the number of threads, and with a model by batch size, with a recommendation.
pub(crate) fn benchmark(options: &Benchmark) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(options.seconds);
    let Some(path) = &options.model else {
        return match Kind::from(options.game) {
            Kind::Go => {
                let board = go_board(options.size.unwrap_or(9));
                threads_of(options, &board, &|share| Box::new(Mcts::new(share, MEMORY)))
            }
            Kind::Hex => {
                let board = hex_board(options.size.unwrap_or(11));
                threads_of(options, &board, &|share| Box::new(Ubfm::new(share, MEMORY, Arc::new(Resistance))))
            }
            Kind::Clobber => threads_of_game::<clobber::Position>(options, 6),
            Kind::Solitaire => threads_of_game::<clobber::Solitaire>(options, 16),
            Kind::Avalam => threads_of_game::<avalam::Position>(options, 9),
        };
    };
    let backend = options.backend.into();
    match game_of(path)? {
        Kind::Go => {
            let network = Arc::new(load(path, &options.runtime, backend, &go_board)?);
            let board = go_board(options.size.unwrap_or(network.model().largest_size().min(9)));
            threads_of(options, &board, &go_searcher(&network))?;
            batches_of(&network, &board, time)
        }
        Kind::Hex => {
            let network = Arc::new(load(path, &options.runtime, backend, &hex_board)?);
            let board = hex_board(options.size.unwrap_or(network.model().largest_size().min(11)));
            threads_of(options, &board, &hex_searcher(&network))?;
            batches_of(&network, &board, time)
        }
        Kind::Clobber => with_model::<clobber::Position>(options, path),
        Kind::Avalam | Kind::Solitaire => with_model::<avalam::Position>(options, path),
    }
}

fn threads_of_game<G: Played>(options: &Benchmark, usual: usize) -> anyhow::Result<()> {
    threads_of(options, &stepping_board::<G>(options.size.unwrap_or(usual)), &*searcher_of(None))
}

fn with_model<G: Played + Planes>(options: &Benchmark, path: &std::path::Path) -> anyhow::Result<()> {
    let network = Arc::new(load(path, &options.runtime, options.backend.into(), &stepping_board::<G>)?);
    let board = stepping_board::<G>(options.size.unwrap_or(network.model().largest_size()));
    threads_of(options, &board, &*searcher_of(Some(&network)))?;
    batches_of(&network, &board, Duration::from_secs_f64(options.seconds))
}

fn threads_of<G: Game>(
    options: &Benchmark,
    board: &G,
    make: &(dyn Fn(Arc<Share>) -> Box<dyn Searcher<G>> + Sync),
) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(options.seconds);
    let mut counts: Vec<usize> = (0..).map(|n| 1 << n).take_while(|&n| n < options.threads).collect();
    counts.push(options.threads);
    say!("threads  nodes/s");
    let (mut best, mut most) = (1, 0.0);
    for threads in counts {
        let (nodes, seconds) = search_rate(make, board, threads, 1, time, &Params::default());
        let nodes = nodes as f64 / seconds;
        if nodes > most * WORTH {
            best = threads;
        }
        most = nodes.max(most);
        say!("{threads:7} {nodes:8.0}  {}", bar(nodes, most));
    }
    let machine = thread::available_parallelism().map_or(1, NonZero::get);
    say!("recommended: --threads {best} (this machine runs {machine} at once)");
    Ok(())
}

fn batches_of<G: Planes>(network: &Network, board: &G, time: Duration) -> anyhow::Result<()> {
    let samples = samples(board, SAMPLES);
    let mut rates = Vec::new();
    say!("\nbatch  positions/s on {}", network.runtime());
    for batch in (0..9).map(|n| 1 << n) {
        rate(network, &samples, batch, 1, time / 10)?;
        let (positions, _) = rate(network, &samples, batch, 1, time / 2)?;
        rates.push((batch, positions));
        let most = rates.iter().map(|r| r.1).fold(0.0, f64::max);
        say!("{batch:5} {positions:12.0}  {}", bar(positions, most));
    }
    let most = rates.iter().map(|r| r.1).fold(0.0, f64::max);
    let enough = rates.iter().find(|r| r.1 >= most * NEARLY).map_or(1, |r| r.0);
    say!("batches of {enough} are enough; the engine makes them by itself, of at most {}", network.attributes().batch);
    Ok(())
}
