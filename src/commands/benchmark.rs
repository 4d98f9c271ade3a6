//! `losange benchmark`: how many threads, and with a model what batch size, pay on this machine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::eval::net::{Backend, Network, Options};
use crate::players::models::{game_of, load};
use crate::players::{Kind, Models, Played, Visitor};
use crate::search::Params;
use clap::Args;

use super::measure::{SAMPLES, Searches, bar, board, lines, rate, samples};
use super::options::{at_least_one, cores, kind, seconds, threads};
use super::out::say;
use super::runtime::{RuntimeOptions, back_end};

/// More threads are worth having if they give at least this much.
const WORTH: f64 = 1.05;
/// A smaller batch is preferred if it is nearly as fast as the best.
const NEARLY: f64 = 0.97;

/// Measurements of this machine.
#[derive(Debug, Args)]
pub(crate) struct Benchmark {
    /// The game to search, where no model tells.
    #[arg(long, value_parser = kind(), default_value = "go")]
    game: Kind,
    /// Search with this model.
    #[arg(long, value_name = "PATH")]
    model: Option<PathBuf>,
    /// Back end that runs the model.
    #[arg(long, value_parser = back_end(), default_value = Backend::Auto.name())]
    backend: Backend,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Board size.
    #[arg(long, value_parser = at_least_one)]
    size: Option<usize>,
    /// Most threads to try.
    #[arg(long, default_value_t = cores(), value_parser = threads)]
    threads: usize,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,
}

/// Prints the speed of a search by the number of threads, and with a model by batch size, with a recommendation.
pub(crate) fn run(options: &Benchmark) -> anyhow::Result<()> {
    let kind = match &options.model {
        Some(path) => game_of(path, Some(options.game))?,
        None => options.game,
    };
    kind.visit(Measure(options))
}

struct Measure<'a>(&'a Benchmark);

impl Visitor for Measure<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Played>(self) -> Self::Output {
        let options = self.0;
        let Some(path) = &options.model else {
            let board = board::<G>(lines::<G>(options.size, None)?);
            return self.threads(&board, &Models::default());
        };
        // Without a cache: what is asked is computed.
        let runtime = Options { cache: 0, ..options.runtime.options(options.backend) };
        let network = Arc::new(load::<G>(path, &runtime)?);
        let board = board::<G>(lines::<G>(options.size, Some(&network))?);
        self.threads(&board, &Models::one(Arc::clone(&network)))?;
        self.batches(&network, &board)
    }
}

impl Measure<'_> {
    fn time(&self) -> Duration {
        Duration::from_secs_f64(self.0.seconds)
    }

    /// Nodes a second by number of threads.
    fn threads<G: Played>(&self, board: &G, models: &Models) -> anyhow::Result<()> {
        let most_threads = self.0.threads;
        let mut counts: Vec<usize> = (0..).map(|n| 1 << n).take_while(|&n| n < most_threads).collect();
        counts.push(most_threads);
        say!("threads  nodes/s");
        let (mut best, mut most) = (1, 0.0);
        for threads in counts {
            let searches = Searches { models, params: &Params::default(), threads, sessions: 1 };
            let (nodes, seconds) = searches.run(board, self.time());
            let nodes = nodes as f64 / seconds;
            if nodes > most * WORTH {
                best = threads;
            }
            most = nodes.max(most);
            say!("{threads:7} {nodes:8.0}  {}", bar(nodes, most));
        }
        say!("recommended: --threads {best} (this machine runs {} at once)", cores());
        Ok(())
    }

    /// Positions a second by batch size.
    fn batches<G: Played>(&self, network: &Network, board: &G) -> anyhow::Result<()> {
        let samples = samples(board, SAMPLES);
        let mut rates = Vec::new();
        say!("\nbatch  positions/s on {}", network.runtime());
        for batch in (0..9).map(|n| 1 << n) {
            rate(network, &samples, batch, 1, self.time() / 10)?;
            let (positions, _) = rate(network, &samples, batch, 1, self.time() / 2)?;
            rates.push((batch, positions));
            let most = rates.iter().map(|r| r.1).fold(0.0, f64::max);
            say!("{batch:5} {positions:12.0}  {}", bar(positions, most));
        }
        let most = rates.iter().map(|r| r.1).fold(0.0, f64::max);
        let enough = rates.iter().find(|r| r.1 >= most * NEARLY).map_or(1, |r| r.0);
        say!(
            "batches of {enough} are enough; the engine makes them by itself, of at most {}",
            network.attributes().batch
        );
        Ok(())
    }
}
