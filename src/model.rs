//! Models on the command line: `--model` and its options, and `losange model`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use losange::eval::heuristic::Resistance;
use losange::eval::net::{
    Answers, Backend, ModelFile, Network, NetworkEvaluator, Options, Output, Precision, read, variants,
};
use losange::game::{Game, Planes};
use losange::games::{Kind, Size, Stepping, avalam, clobber, go, hex};
use losange::rng::Rng;
use losange::session::{GoJudge, HexEvaluator, Settings};

use crate::out::say;

/// Largest difference between two runtimes on the processor that is put down to rounding.
const ROUNDING: f32 = 1e-3;
/// The same on a GPU, whose products have a tenth of the digits, and with 16-bit floats.
const GPU_ROUNDING: f32 = 1e-2;
const FLOAT16_ROUNDING: f32 = 3e-2;
/// The same of 8-bit integers: where a runtime rounds in the middle of a network, a step is a 256th of a layer's range, and
/// steps add up (0.053 was measured between two runtimes on a net of four blocks).
const INT8_ROUNDING: f32 = 0.1;
/// Positions that a check compares.
const SAMPLES: usize = 64;

/// What to do with a model file.
#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// Show what the file says of itself.
    Inspect {
        /// The ONNX file.
        file: PathBuf,
    },
    /// Run it on each back end and compare what comes out; of a folder, compare the variants too.
    Check {
        /// The ONNX file, or a folder with variants of one model (float32, float16, int8).
        file: PathBuf,
        #[command(flatten)]
        runtime: RuntimeOptions,
    },
}

/// Where and how models are run.
#[derive(Clone, Debug, Args)]
pub(crate) struct RuntimeOptions {
    /// The ONNX Runtime library, where it is not in a usual place.
    #[arg(long, value_name = "FILE")]
    ort_lib: Option<PathBuf>,
    /// Numbers of the GPUs to use, such as 0,1.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "0")]
    devices: Vec<u32>,
    /// Memory that a model may use on each GPU, in MiB.
    #[arg(long, value_name = "MIB")]
    device_memory: Option<usize>,
}

impl RuntimeOptions {
    pub(crate) fn options(&self, backend: Backend) -> Options {
        Options {
            backend,
            library: self.ort_lib.clone(),
            devices: self.devices.clone(),
            device_memory: self.device_memory.map(|mib| mib << 20),
            ..Options::default()
        }
    }
}

/// Most MiB for results that are kept, and the share of all memory, where nothing else is asked for.
const MOST_CACHE: usize = 64;
const CACHE_SHARE: usize = 8;

/// Options of commands that play with a model.
#[derive(Debug, Args)]
pub(crate) struct ModelOptions {
    /// Value positions with this ONNX model, or with the fastest of the variants in this folder, instead of the engine's own
    /// model of the game.
    #[arg(long, value_name = "PATH")]
    model: Option<PathBuf>,
    /// Play without any model.
    #[arg(long, conflicts_with = "model")]
    no_model: bool,
    /// What runs the model.
    #[arg(long, value_enum, default_value_t = BackendName::Auto)]
    backend: BackendName,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Of --memory, so many MiB for the model's results in positions that come again [default: an eighth, at most 64].
    #[arg(long, value_name = "MIB")]
    eval_cache: Option<usize>,
    /// Show the model each position in one of its symmetries, chosen by chance.
    #[arg(long)]
    random_symmetry: bool,
}

/// Names of back ends on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum BackendName {
    /// The first that works of ort-cuda, embedded where it has code of its own for all of the model (faster than ort-cpu), ort-cpu and
    /// embedded.
    Auto,
    /// ONNX Runtime on NVIDIA GPUs.
    OrtCuda,
    /// ONNX Runtime on NVIDIA GPUs, through TensorRT.
    OrtTensorrt,
    /// ONNX Runtime on the processor.
    OrtCpu,
    /// The runtime that is compiled in.
    Embedded,
}

impl From<BackendName> for Backend {
    fn from(name: BackendName) -> Self {
        match name {
            BackendName::Auto => Self::Auto,
            BackendName::OrtCuda => Self::OrtCuda,
            BackendName::OrtTensorrt => Self::OrtTensorRt,
            BackendName::OrtCpu => Self::OrtCpu,
            BackendName::Embedded => Self::Embedded,
        }
    }
}

/// The game of a model file or folder.
pub(crate) fn game_of(path: &Path) -> anyhow::Result<Kind> {
    let files = variants(path)?;
    let (_, model) = read(&files[0])?;
    match model.game.as_str() {
        go::Position::NAME => Ok(Kind::Go),
        hex::Position::NAME => Ok(Kind::Hex),
        clobber::Position::NAME => Ok(Kind::Clobber),
        avalam::Position::NAME => Ok(Kind::Avalam),
        game => bail!("the model {} is for {game}; known are go, hex, clobber and avalam", path.display()),
    }
}

/// An empty square board, as models are tried on.
pub(crate) fn go_board(n: usize) -> go::Position {
    go::Position::new(Size::square(n), go::Rules::CHINESE, 7.5)
}

/// As [`go_board`].
pub(crate) fn hex_board(n: usize) -> hex::Position {
    hex::Position::new(Size::square(n))
}

/// As [`go_board`]; the usual board of games that have no such one.
pub(crate) fn stepping_board<G: Stepping>(n: usize) -> G {
    G::start(Size::square(n)).unwrap_or_else(G::usual)
}

impl ModelOptions {
    /// Gives sessions of that game a model, or of the model's own game where none is given: the one that was asked for, or
    /// those that are compiled in, whose results take a part of their memory. Says on standard error what runs them.
    pub(crate) fn apply(&self, game: Option<Kind>, settings: &mut Settings) -> anyhow::Result<()> {
        let options = Options {
            cache: self.eval_cache.unwrap_or(MOST_CACHE.min(settings.memory / CACHE_SHARE)) << 20,
            random_symmetry: self.random_symmetry,
            ..self.runtime.options(self.backend.into())
        };
        let Some(path) = &self.model else {
            if !self.no_model {
                shipped(game, &options, settings)?;
            }
            return Ok(());
        };
        let game = match game {
            Some(game) => game,
            None => game_of(path)?,
        };
        let network = match game {
            Kind::Go => Network::load(path, &options, &go_board)?,
            Kind::Hex => Network::load(path, &options, &hex_board)?,
            Kind::Clobber => Network::load(path, &options, &stepping_board::<clobber::Position>)?,
            Kind::Avalam => Network::load(path, &options, &stepping_board::<avalam::Position>)?,
            Kind::Solitaire => bail!("Solitaire is played without models"),
        };
        if game == Kind::Go && !network.model().gives(Output::Policy) {
            bail!("the model {} gives {}; Go needs a policy too", path.display(), gives(network.model()));
        }
        play_by(game, network, &options, settings);
        Ok(())
    }
}

/// Gives sessions of that game, or of all games where none is given, the models that are compiled in.
fn shipped(game: Option<Kind>, options: &Options, settings: &mut Settings) -> anyhow::Result<()> {
    for kind in [Kind::Hex, Kind::Go, Kind::Avalam] {
        let network = match kind {
            _ if game.is_some_and(|game| game != kind) => None,
            Kind::Hex => Network::shipped(options, &hex_board),
            Kind::Avalam => Network::shipped(options, &stepping_board::<avalam::Position>),
            _ => Network::shipped(options, &go_board),
        };
        if let Some(network) = network {
            play_by(kind, network?, options, settings);
        }
    }
    Ok(())
}

fn play_by(game: Kind, network: Network, options: &Options, settings: &mut Settings) {
    settings.memory = settings.memory.saturating_sub(options.cache >> 20);
    eprintln!("losange: {} runs on {} ({})", network.path().display(), network.runtime(), network.provider());
    let network = Arc::new(network);
    match game {
        Kind::Go => settings.go_judge = Some(GoJudge(Arc::new(NetworkEvaluator::new(network, ())))),
        Kind::Hex => settings.hex_evaluator = HexEvaluator(Arc::new(NetworkEvaluator::new(network, Resistance))),
        Kind::Clobber | Kind::Solitaire | Kind::Avalam => settings.network = Some(network),
    }
}

/// Does what was asked.
pub(crate) fn run(command: &Model) -> anyhow::Result<()> {
    match command {
        Model::Inspect { file } => inspect(file),
        Model::Check { file, runtime } => match game_of(file)? {
            Kind::Go => check(file, runtime, &go_board),
            Kind::Hex => check(file, runtime, &hex_board),
            Kind::Clobber => check(file, runtime, &stepping_board::<clobber::Position>),
            Kind::Avalam | Kind::Solitaire => check(file, runtime, &stepping_board::<avalam::Position>),
        },
    }
}

/// What a model gives, as its metadata say it.
fn gives(model: &ModelFile) -> String {
    model.outputs.iter().map(|output| output.name()).collect::<Vec<_>>().join(", ")
}

fn inspect(path: &Path) -> anyhow::Result<()> {
    let (_, model) = read(path)?;
    let row = |name: &str, value: &dyn std::fmt::Display| say!("{name:12} {value}");
    let list = |ports: &[losange::eval::net::contract::Port]| {
        ports.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let sizes = model.sizes.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    row("game", &model.game);
    row("sizes", &sizes.collect::<Vec<_>>().join(", "));
    row("encoding", &model.encoding);
    row("gives", &gives(&model));
    row("range", &format!("{} to {}, for the side to move", model.range.0, model.range.1));
    row("precision", &model.precision.name());
    if model.advice > 0 {
        row("advises", &format!("a search by playouts on positions with {} visits", model.advice));
    }
    if let Some(scoring) = &model.scoring {
        row("learned", &format!("from games in which {scoring} is counted; others are shown to it as such"));
    }
    row("inputs", &list(&model.inputs));
    row("outputs", &list(&model.ports));
    row("parameters", &model.parameters);
    row("file", &format!("{} bytes", model.bytes));
    row("trained with", &model.trained_with.as_deref().unwrap_or("not said"));
    row("licence", &model.licence.as_deref().unwrap_or("not said"));
    row("works with", &works_with(&model));
    Ok(())
}

/// The command that plays with a model, or why none does.
fn works_with(model: &ModelFile) -> String {
    let check = |name, encoding, shape| match model.check(name, encoding, shape) {
        Ok(()) if name == go::Position::NAME && !model.gives(Output::Policy) => {
            "nothing here: Go needs a policy too".to_owned()
        }
        Ok(()) => format!("losange {name} --model"),
        Err(why) => format!("nothing here: {why}"),
    };
    fn shown<G: Planes>(board: &G) -> (&'static str, &'static str, [usize; 3]) {
        (G::NAME, G::ENCODING, board.shape())
    }
    let size = model.smallest_size();
    let (name, encoding, shape) = match model.game.as_str() {
        go::Position::NAME => shown(&go_board(size)),
        clobber::Position::NAME => shown(&stepping_board::<clobber::Position>(size)),
        avalam::Position::NAME => shown(&stepping_board::<avalam::Position>(size)),
        _ => shown(&hex_board(size)),
    };
    check(name, encoding, shape)
}

/// Positions of random games from an empty board.
pub(crate) fn samples<G: Game>(board: &G, count: usize) -> Vec<G> {
    let (mut rng, mut moves, mut samples) = (Rng::stream(1, 0), Vec::new(), Vec::new());
    while samples.len() < count {
        let mut position = board.clone();
        for _ in 0..samples.len() % (board.points() / 2).max(1) {
            position.legal_moves(&mut moves);
            let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
            let before = position.clone();
            position.play(mv);
            if position.outcome().is_some() {
                position = before;
                break;
            }
        }
        samples.push(position);
    }
    samples
}

/// What calculates, and all numbers of all outputs for the positions.
fn numbers<G: Planes>(
    path: &Path,
    options: &Options,
    board: &dyn Fn(usize) -> G,
    samples: &[G],
) -> anyhow::Result<(String, Vec<f32>)> {
    let network = Network::load(path, options, board)?;
    let (mut numbers, mut answers) = (Vec::new(), Answers::default());
    for samples in samples.chunks(8) {
        network.compute(&samples.iter().collect::<Vec<_>>(), &mut answers, &|| true)?;
        numbers.extend_from_slice(answers.numbers());
    }
    Ok((network.provider(), numbers))
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Root of the mean square of the differences, as a share of the spread of the first.
fn relative_difference(a: &[f32], b: &[f32]) -> f32 {
    let count = a.len().max(1) as f32;
    let mean = a.iter().sum::<f32>() / count;
    let spread = a.iter().map(|a| (a - mean).powi(2)).sum::<f32>();
    let error = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
    (error / spread.max(f32::MIN_POSITIVE)).sqrt()
}

fn check<G: Planes>(path: &Path, runtime: &RuntimeOptions, board: &dyn Fn(usize) -> G) -> anyhow::Result<()> {
    let files = variants(path)?;
    let (mut agree, mut failed, mut references) = (true, 0, Vec::new());
    for file in &files {
        let (_, model) = read(file)?;
        let samples = samples(&board(model.largest_size()), SAMPLES);
        say!("{} ({})", file.display(), model.precision.name());
        let mut first: Option<Vec<f32>> = None;
        for backend in [BackendName::OrtCpu, BackendName::Embedded, BackendName::OrtCuda] {
            let name = backend.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            match numbers(file, &runtime.options(backend.into()), board, &samples) {
                Ok((provider, values)) => {
                    let (low, high) = values.iter().fold((f32::MAX, f32::MIN), |r, &v| (r.0.min(v), r.1.max(v)));
                    let count = values.len();
                    let difference = first.as_ref().map(|first| largest_difference(first, &values));
                    let told = difference.map(|d| format!(", at most {d:.1e} beside the first")).unwrap_or_default();
                    say!("  {name} ({provider}): {count} numbers from {low:.4} to {high:.4}{told}");
                    let allowed = match (model.precision, backend) {
                        (Precision::Float16, _) => FLOAT16_ROUNDING,
                        (Precision::Int8, _) => INT8_ROUNDING,
                        (_, BackendName::OrtCuda) => GPU_ROUNDING,
                        _ => ROUNDING,
                    };
                    agree &= difference.is_none_or(|difference| difference <= allowed);
                    first.get_or_insert(values);
                }
                Err(error) => {
                    failed += 1;
                    say!("  {name}: {error:#}");
                }
            }
        }
        references.push((file, first));
    }
    let float = files.iter().position(|file| read(file).is_ok_and(|(_, model)| model.precision == Precision::Float32));
    if let Some((original, Some(expected))) = float.map(|number| &references[number]) {
        for (file, values) in references.iter().filter(|(file, _)| file != original) {
            let Some(values) = values else { continue };
            say!(
                "{} beside {}: at most {:.3}, {:.1} % of the spread",
                file.display(),
                original.display(),
                largest_difference(expected, values),
                100.0 * relative_difference(expected, values)
            );
        }
    }
    if references.iter().all(|(_, values)| values.is_none()) {
        bail!("no back end runs this model");
    }
    if !agree {
        bail!("the back ends do not agree");
    }
    say!("{}", if failed == 0 { "all back ends agree" } else { "what runs agrees; see above for the rest" });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_positions_that_are_not_over() {
        let (hex, go) = (samples(&hex_board(5), SAMPLES), samples(&go_board(5), SAMPLES));
        assert_eq!((hex.len(), go.len()), (SAMPLES, SAMPLES));
        assert!(hex.iter().all(|s| s.outcome().is_none()) && go.iter().all(|s| s.outcome().is_none()));
        assert!(go.iter().any(|s| s.plies() > 5));
    }

    #[test]
    fn differences_are_told_in_units_of_the_spread() {
        assert_eq!(largest_difference(&[1.0, 2.0], &[1.5, 2.0]), 0.5);
        assert!((relative_difference(&[0.0, 2.0], &[0.1, 1.9]) - 0.1).abs() < 1e-6);
    }
}
