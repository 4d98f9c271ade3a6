//! `losange bench eval`: how fast this machine runs a model, alone and inside the search that plays with it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::eval::net::{Backend, Network, Options};
use crate::players::models::game_of;
use crate::players::{Kind, Models, Played, Visitor};
use crate::search::Params;
use anyhow::bail;
use clap::Args;

use super::measure::{SAMPLES, Searches, bar, board, lines, rate, samples};
use super::options::{at_least_one, kind, params, seconds, threads};
use super::out::say;
use super::runtime::{RuntimeOptions, back_end};

/// Search time, in times of a measurement of a batch size.
const SEARCH_TIME: f64 = 4.0;

/// Measurements of a model.
#[derive(Debug, Args)]
pub(crate) struct EvalBench {
    /// The ONNX file, or a folder with variants.
    model: PathBuf,
    /// The game of a network in KataGo's format, which does not say it [default: go].
    #[arg(long, value_name = "GAME", value_parser = kind())]
    game: Option<Kind>,
    /// One back end only.
    #[arg(long, value_parser = back_end())]
    backend: Option<Backend>,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Batch sizes.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,8,32,128", value_parser = at_least_one)]
    batches: Vec<usize>,
    /// Threads that ask at once.
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Searches that run at once in the second part.
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    sessions: usize,
    /// Board size; otherwise the largest that the model serves, up to the one that its game is measured on.
    #[arg(long, value_parser = at_least_one)]
    size: Option<usize>,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// Set a parameter of the search (see `losange params`); may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

/// Prints positions a second by batch size for each back end, and how much of that a search reaches.
pub(crate) fn run(options: &EvalBench) -> anyhow::Result<()> {
    options.game.map_or_else(|| game_of(&options.model, None), Ok)?.visit(Eval(options))
}

struct Eval<'a>(&'a EvalBench);

impl Visitor for Eval<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Played>(self) -> Self::Output {
        let options = self.0;
        let mut params = params::<G>(None, &options.set)?;
        // Also of a model that plays as an adviser: what is measured is how well a search keeps it busy.
        params.advice_visits = params.advice_visits.max(0);
        let backends = options.backend.map_or_else(|| Backend::ALL[1..].to_vec(), |only| vec![only]);
        let mut some = false;
        for backend in backends {
            // Without a cache: what is asked is computed.
            let runtime = Options { cache: 0, ..options.runtime.options(backend) };
            match Network::load(&options.model, &runtime, &G::square) {
                Ok(network) => self.back_end::<G>(&Arc::new(network), &params)?,
                Err(error) if options.backend.is_some() => return Err(error.into()),
                Err(error) => {
                    say!("{error:#}\n");
                    continue;
                }
            }
            some = true;
        }
        if !some {
            bail!("no back end runs this model");
        }
        Ok(())
    }
}

impl Eval<'_> {
    /// Prints the speed of one back end.
    fn back_end<G: Played>(&self, network: &Arc<Network>, params: &Params) -> anyhow::Result<()> {
        let options = self.0;
        if options.seconds == 0.0 {
            bail!("--seconds 0 leaves no time to measure");
        }
        let time = Duration::from_secs_f64(options.seconds);
        let size = lines::<G>(options.size, Some(network))?;
        let samples = samples(&board::<G>(size), SAMPLES);
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
            rate(network, &samples, batch, options.threads, time / 10)?;
            let (positions, latency) = rate(network, &samples, batch, options.threads, time)?;
            most = positions.max(most);
            let latency = latency.as_secs_f64() * 1e3;
            say!("  {batch:5} {positions:12.0} {latency:10.2}  {}", bar(positions, most));
        }
        if G::recipe().plays_with(network.model()) {
            self.inside::<G>(network, size, &samples, params)?;
        }
        say!("");
        Ok(())
    }

    /// Prints the speed inside the search that plays with the model.
    fn inside<G: Played>(
        &self,
        network: &Arc<Network>,
        size: usize,
        samples: &[G],
        params: &Params,
    ) -> anyhow::Result<()> {
        let options = self.0;
        let before = network.work();
        let time = Duration::from_secs_f64(options.seconds).mul_f64(SEARCH_TIME);
        let models = &Models::one(Arc::clone(network));
        let searches = Searches { models, params, threads: options.threads, sessions: options.sessions };
        let (nodes, seconds) = searches.run(&board::<G>(size), time);
        let (evaluations, calls) = (network.work().0 - before.0, network.work().1 - before.1);
        let (each, inside) = (evaluations as f64 / calls.max(1) as f64, evaluations as f64 / seconds);
        let batch = (each.round() as usize).max(1);
        let (alone, _) = rate(network, samples, batch, options.threads, time)?;
        say!(
            "  {}, {} at once: {:.0} nodes/s, {inside:.0} evaluations/s in batches of {each:.1}: \
             {:.1} % of the {alone:.0} of batches of {batch}",
            G::recipe().usual(Some(network.model())),
            options.sessions,
            nodes as f64 / seconds,
            100.0 * inside / alone
        );
        Ok(())
    }
}
