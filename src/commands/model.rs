//! `losange model`: looks at a model file, or compares what each back end makes of it.

use std::path::{Path, PathBuf};

use crate::eval::net::contract::Encoding;
use crate::eval::net::{
    Answers, Backend, ContractError, ModelFile, Network, Options, Precision, convert, read, read_for, variants,
};
use crate::games::Size;
use crate::players::models::{game_of, outputs};
use crate::players::{BoardError, Kind, Played, Visitor};
use crate::protocol::files::write_whole;
use anyhow::{Context, bail};
use clap::Subcommand;

use super::measure::samples;
use super::options::{at_least_one, kind};
use super::out::say;
use super::runtime::RuntimeOptions;

/// Largest difference between two back ends that is put down to rounding with 16-bit floats.
const FLOAT16_ROUNDING: f32 = 3e-2;
/// Largest such difference of 8-bit integers: where a runtime rounds in the middle of a network, a step is a 256th of a layer's range, and
/// steps add up (0.053 was measured between two runtimes on a net of four blocks).
const INT8_ROUNDING: f32 = 0.1;
/// Positions that a check compares.
const SAMPLES: usize = 64;

/// Work on a model file.
#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// Show what the file says of itself.
    Inspect {
        /// The file.
        file: PathBuf,
        /// The game of a network in KataGo's format, which does not say it [default: go].
        #[arg(long, value_name = "GAME", value_parser = kind())]
        game: Option<Kind>,
    },
    /// Run it on each back end and compare what comes out; of a folder, compare the variants too.
    Check {
        /// The file, or a folder with variants of one ONNX model (float32, float16, int8).
        file: PathBuf,
        /// The game of a network in KataGo's format, which does not say it [default: go].
        #[arg(long, value_name = "GAME", value_parser = kind())]
        game: Option<Kind>,
        #[command(flatten)]
        runtime: RuntimeOptions,
    },
    /// Write a network of KataGo or KataHex as an ONNX file that says what it is for.
    Convert {
        /// The network, such as NAME.bin.gz.
        file: PathBuf,
        /// The ONNX file.
        out: PathBuf,
        /// The game of a network in KataGo's format, which does not say it [default: go].
        #[arg(long, value_name = "GAME", value_parser = kind())]
        game: Option<Kind>,
        /// Lines of the one board that it is to serve, such as 19, in the place of all.
        #[arg(long, value_name = "LINES", value_parser = at_least_one)]
        size: Option<usize>,
    },
}

/// Does what was asked.
pub(crate) fn run(command: &Model) -> anyhow::Result<()> {
    match command {
        Model::Inspect { file, game } => inspect(file, *game),
        Model::Check { file, game, runtime } => {
            game.map_or_else(|| game_of(file, None), Ok)?.visit(Check { path: file, runtime })
        }
        Model::Convert { file, out, game, size } => {
            write(file, out, game.map_or_else(|| game_of(file, None), Ok)?, *size)
        }
    }
}

/// Converts a file; another that is there stays until all of it is written. There is no way back, so none takes the place of its source.
fn write(path: &Path, out: &Path, game: Kind, lines: Option<usize>) -> anyhow::Result<()> {
    if out.exists() && out.canonicalize()? == path.canonicalize()? {
        bail!("{} is the network that is converted; name another file", out.display());
    }
    let boards = game.boards();
    if lines.is_some_and(|lines| !boards.contains(Size::square(lines))) {
        return Err(BoardError { kind: game, boards }.into());
    }
    let bytes = convert(path, game.word(), lines)?;
    let read = read_for(path, game.word())?;
    if Kind::of_models(&read.game) != Some(game) {
        bail!("{} is a network of another game than {game}: of {}", path.display(), read.game);
    }
    write_whole(out, &bytes).with_context(|| out.display().to_string())
}

fn inspect(path: &Path, game: Option<Kind>) -> anyhow::Result<()> {
    let model = game.map_or_else(|| read(path), |game| read_for(path, game.word()))?;
    let row = |name: &str, value: &dyn std::fmt::Display| say!("{name:12} {value}");
    let list = |ports: &[crate::eval::net::contract::Port]| {
        ports.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let sizes = model.sizes.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    row("game", &model.game);
    row("sizes", &sizes.collect::<Vec<_>>().join(", "));
    row("encoding", &model.encoding);
    row("gives", &outputs(&model));
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
    if let Some(teacher) = &model.taught_by {
        row("taught by", teacher);
    }
    row("licence", &model.licence.as_deref().unwrap_or("not said"));
    row("works with", &works_with(&model));
    Ok(())
}

/// Checks whether a game can be played with a model.
struct Fits<'a>(&'a ModelFile);

impl Visitor for Fits<'_> {
    type Output = Result<(), String>;

    fn visit<G: Played>(self) -> Self::Output {
        let position = G::square(self.0.smallest_size());
        let fits = |encoding: Encoding| self.0.check_ports(encoding.shape(&position));
        self.0.check::<G>().and_then(fits).map_err(|why: ContractError| why.to_string())?;
        if G::recipe().plays_with(self.0) { Ok(()) } else { Err(format!("{} needs a policy too", G::KIND)) }
    }
}

/// The command that plays with a model, or why none does.
fn works_with(model: &ModelFile) -> String {
    let Some(kind) = Kind::of_models(&model.game) else {
        return format!("nothing here: its game is {}, and known are {}", model.game, Kind::words());
    };
    match kind.visit(Fits(model)) {
        Ok(()) => format!("losange {} --model", kind.word()),
        Err(why) => format!("nothing here: {why}"),
    }
}

/// The provider that calculates, and all numbers of all outputs for the positions.
fn numbers<G: Played>(path: &Path, options: &Options, samples: &[G]) -> anyhow::Result<(String, Vec<f32>)> {
    let network = Network::load(path, options, &G::square)?;
    let (mut numbers, mut answers) = (Vec::new(), Answers::default());
    for samples in samples.chunks(8) {
        network.compute(&samples.iter().collect::<Vec<_>>(), &mut answers, &|| true)?;
        numbers.extend_from_slice(answers.numbers());
    }
    Ok((network.provider(), numbers))
}

/// Largest difference of two back ends' numbers, large ones of which are measured by a tenth of their size: logits and scores in points.
fn largest_rounding(one: &[f32], other: &[f32]) -> f32 {
    let pairs = one.iter().zip(other);
    pairs.map(|(a, b)| (a - b).abs() / (a.abs() / 10.0).max(1.0)).fold(0.0, f32::max)
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

/// Compares the back ends, and the variants of a folder.
struct Check<'a> {
    path: &'a Path,
    runtime: &'a RuntimeOptions,
}

impl Visitor for Check<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Played>(self) -> Self::Output {
        let files = variants(self.path)?;
        let (mut agree, mut failed, mut references) = (true, 0, Vec::new());
        for file in &files {
            let first = self.back_ends::<G>(file, &mut agree, &mut failed)?;
            references.push((file.as_path(), first));
        }
        compare_variants(&references);
        if references.iter().all(|(_, values)| values.is_none()) {
            bail!("no back end runs this model");
        }
        if !agree {
            bail!("the back ends do not agree");
        }
        say!("{}", if failed == 0 { "all back ends agree" } else { "what runs agrees; see above for the rest" });
        Ok(())
    }
}

impl Check<'_> {
    /// Numbers of the first back end that runs a file; the others are compared with it.
    fn back_ends<G: Played>(
        &self,
        file: &Path,
        agree: &mut bool,
        failed: &mut u32,
    ) -> anyhow::Result<Option<Vec<f32>>> {
        let model = read_for(file, G::NAME)?;
        let samples = samples(&G::square(model.largest_size()), SAMPLES);
        say!("{} ({})", file.display(), model.precision.name());
        let mut first: Option<Vec<f32>> = None;
        let mut compared: Vec<(Backend, f32)> =
            Backend::ALL.iter().filter_map(|backend| Some((*backend, backend.rounding()?))).collect();
        // The most exact one first: the others are compared with it.
        compared.sort_by(|a, b| a.1.total_cmp(&b.1));
        for (backend, rounding) in compared {
            let name = backend.name();
            match numbers(file, &self.runtime.options(backend), &samples) {
                Ok((provider, values)) => {
                    let (low, high) = values.iter().fold((f32::MAX, f32::MIN), |r, &v| (r.0.min(v), r.1.max(v)));
                    let count = values.len();
                    let difference = first.as_ref().map(|first| largest_difference(first, &values));
                    let told = difference.map(|d| format!(", at most {d:.1e} beside the first")).unwrap_or_default();
                    say!("  {name} ({provider}): {count} numbers from {low:.4} to {high:.4}{told}");
                    let allowed = match model.precision {
                        Precision::Float16 => FLOAT16_ROUNDING,
                        Precision::Int8 => INT8_ROUNDING,
                        Precision::Float32 => rounding,
                    };
                    *agree &= first.as_ref().is_none_or(|first| largest_rounding(first, &values) <= allowed);
                    first.get_or_insert(values);
                }
                Err(error) => {
                    *failed += 1;
                    say!("  {name}: {error:#}");
                }
            }
        }
        Ok(first)
    }
}

/// Prints how far the variants of a model are from the one of 32-bit floats.
fn compare_variants(references: &[(&Path, Option<Vec<f32>>)]) {
    let is_float = |file: &Path| read(file).is_ok_and(|model| model.precision == Precision::Float32);
    let Some((original, Some(expected))) = references.iter().find(|(file, _)| is_float(file)) else { return };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_in_units_of_the_spread() {
        assert_eq!(largest_difference(&[1.0, 2.0], &[1.5, 2.0]), 0.5);
        assert!((relative_difference(&[0.0, 2.0], &[0.1, 1.9]) - 0.1).abs() < 1e-6);
    }
}
