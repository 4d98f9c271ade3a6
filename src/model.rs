//! `losange model`: what a model file says of itself, and whether it runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use losange::eval::heuristic::Resistance;
use losange::eval::net::{Backend, ModelFile, Network, NetworkEvaluator, Outputs, read};
use losange::game::{Game, Planes};
use losange::games::Size;
use losange::games::hex;
use losange::rng::Rng;
use losange::session::HexEvaluator;

/// Largest difference between two runtimes that is put down to rounding.
const ROUNDING: f32 = 1e-3;
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
    /// Run it on each back end and compare what comes out.
    Check {
        /// The ONNX file.
        file: PathBuf,
        /// The ONNX Runtime library, where it is not in a usual place.
        #[arg(long, value_name = "FILE")]
        ort_lib: Option<PathBuf>,
    },
}

/// Options of commands that play with a model.
#[derive(Debug, Args)]
pub(crate) struct ModelOptions {
    /// Hex: value positions with this ONNX model (see `losange model inspect`).
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// What runs the model.
    #[arg(long, value_enum, default_value_t = BackendName::Auto)]
    backend: BackendName,
    /// The ONNX Runtime library, where it is not in a usual place.
    #[arg(long, value_name = "FILE")]
    ort_lib: Option<PathBuf>,
}

/// Names of back ends on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BackendName {
    /// The first that works of the others.
    Auto,
    /// ONNX Runtime on the processor.
    OrtCpu,
    /// The runtime that is compiled in.
    Embedded,
}

impl From<BackendName> for Backend {
    fn from(name: BackendName) -> Self {
        match name {
            BackendName::Auto => Self::Auto,
            BackendName::OrtCpu => Self::OrtCpu,
            BackendName::Embedded => Self::Embedded,
        }
    }
}

impl ModelOptions {
    /// Whether a model was given.
    pub(crate) fn is_given(&self) -> bool {
        self.model.is_some()
    }

    /// The evaluator of Hex, if a model was given. Says on standard error what runs it.
    pub(crate) fn hex_evaluator(&self) -> anyhow::Result<Option<HexEvaluator>> {
        let Some(path) = &self.model else { return Ok(None) };
        let network = Network::load(path, self.backend.into(), self.ort_lib.as_deref())?;
        eprintln!("losange: {} runs on {}", path.display(), network.runtime());
        let sample = hex::Position::new(Size::square(network.model().smallest_size()));
        let evaluator = NetworkEvaluator::new(network, &sample, Box::new(Resistance))?;
        Ok(Some(HexEvaluator(Arc::new(evaluator))))
    }
}

/// Does what was asked.
pub(crate) fn run(command: &Model) -> anyhow::Result<()> {
    match command {
        Model::Inspect { file } => inspect(file),
        Model::Check { file, ort_lib } => check(file, ort_lib.as_deref()),
    }
}

fn inspect(path: &Path) -> anyhow::Result<()> {
    let (_, model) = read(path)?;
    let row = |name: &str, value: &dyn std::fmt::Display| println!("{name:12} {value}");
    let list = |ports: &[losange::eval::net::contract::Port]| {
        ports.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let sizes = model.sizes.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    row("game", &model.game);
    row("sizes", &sizes.collect::<Vec<_>>().join(", "));
    row("encoding", &model.encoding);
    row(
        "gives",
        &match model.outputs {
            Outputs::StateValue => "the value of a position",
            Outputs::ActionValues => "a value for each move",
        },
    );
    row("range", &format!("{} to {}, for the side to move", model.range.0, model.range.1));
    row("inputs", &list(&model.inputs));
    row("outputs", &list(&model.ports));
    row("parameters", &model.parameters);
    row("file", &format!("{} bytes", model.bytes));
    row("trained with", &model.trained_with.as_deref().unwrap_or("not said"));
    row("licence", &model.licence.as_deref().unwrap_or("not said"));
    row(
        "works with",
        &match fits(&model) {
            Ok(()) => "losange hex --model".to_owned(),
            Err(why) => format!("nothing here: {why}"),
        },
    );
    Ok(())
}

fn fits(model: &ModelFile) -> anyhow::Result<()> {
    let sample = hex::Position::new(Size::square(model.smallest_size()));
    Ok(model.check(hex::Position::NAME, hex::Position::ENCODING, sample.shape())?)
}

/// Positions of random games on a board that the model serves.
fn samples(model: &ModelFile) -> Vec<hex::Position> {
    let size = Size::square(model.sizes.iter().map(|s| s.1).max().unwrap_or(1));
    let (mut rng, mut moves, mut samples) = (Rng::stream(1, 0), Vec::new(), Vec::new());
    while samples.len() < SAMPLES {
        let mut position = hex::Position::new(size);
        for _ in 0..samples.len() % (size.points() / 2).max(1) {
            position.legal_moves(&mut moves);
            let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
            position.play(mv);
        }
        samples.push(position);
    }
    samples
}

fn check(path: &Path, library: Option<&Path>) -> anyhow::Result<()> {
    let (_, model) = read(path)?;
    fits(&model)?;
    let samples = samples(&model);
    let mut first: Option<Vec<f32>> = None;
    let (mut failed, mut largest) = (0, 0.0_f32);
    for (name, backend) in [("ort-cpu", Backend::OrtCpu), ("embedded", Backend::Embedded)] {
        let run = || -> anyhow::Result<Vec<f32>> {
            let network = Network::load(path, backend, library)?;
            let mut values = Vec::new();
            for sample in samples.chunks(8) {
                let mut part = Vec::new();
                network.run(sample, &mut part)?;
                values.extend(part);
            }
            Ok(values)
        };
        match run() {
            Ok(values) => {
                let (low, high) = values.iter().fold((f32::MAX, f32::MIN), |r, &v| (r.0.min(v), r.1.max(v)));
                println!("{name}: {} values from {low:.4} to {high:.4}", values.len());
                if let Some(first) = &first {
                    largest = first.iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                    println!("largest difference {largest:.1e}");
                }
                first.get_or_insert(values);
            }
            Err(error) => {
                failed += 1;
                println!("{name}: {error:#}");
            }
        }
    }
    first.context("no back end runs this model")?;
    if largest > ROUNDING {
        bail!("the back ends do not agree");
    }
    println!("{}", if failed == 0 { "all back ends agree" } else { "what runs is right; see above for the rest" });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_positions_of_the_largest_board() {
        let (_, model) = read(Path::new("tests/fixtures/hex-value.onnx")).unwrap();
        let samples = samples(&model);
        assert_eq!(samples.len(), SAMPLES);
        assert!(samples.iter().all(|s| s.size() == Size::square(13) && s.outcome().is_none()));
    }
}
