//! `losange fit-patterns`: weights of Go's move patterns, fitted to the visit counts of searches.

use std::fs;
use std::path::{Path, PathBuf};

use crate::games::go::Position;
use crate::learn::features::{FeatureSample, Fit, samples};
use crate::learn::shard::Shard;
use crate::protocol::files::{check_writable, write_whole};
use crate::rng::Rng;
use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::options::at_least_one;
use super::out::mention;

/// One in so many positions of each shard is not learned but predicted.
const HELD_OUT: usize = 20;

/// Shards to learn from.
#[derive(Debug, Args)]
pub(crate) struct FitPatterns {
    /// Folders of runs of `losange selfplay --teacher go`; one that is named twice counts twice. All of their positions are held in
    /// memory, a quarter of a million of them in 1 GiB.
    #[arg(required = true, value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// File for the weights, to be compiled in as models/go-shapes.bin.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Times that each position is learned from.
    #[arg(long, default_value_t = 2, value_parser = at_least_one)]
    epochs: usize,
    /// Length of the steps.
    #[arg(long, default_value_t = 0.05, value_parser = rate)]
    rate: f32,
    /// Seed of the order of positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn rate(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|rate| (1e-6..=10.0).contains(rate)).ok_or_else(|| "expected a number up to 10".to_owned())
}

fn bar(length: usize) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len}, {eta} left")?;
    Ok(ProgressBar::new(length as u64).with_style(style))
}

/// All shards of a run, in the order of their names.
fn shards(run: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let folder = run.join("shards");
    let entries = fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "npz"));
    paths.sort();
    Ok(paths)
}

/// Reads, fits, and writes.
pub(crate) fn run(options: &FitPatterns) -> anyhow::Result<()> {
    check_writable(&options.out).with_context(|| format!("{} cannot be written", options.out.display()))?;
    let mut runs: Vec<(&PathBuf, usize)> = Vec::new();
    for run in &options.runs {
        match runs.iter_mut().find(|(known, _)| *known == run) {
            Some((_, times)) => *times += 1,
            None => runs.push((run, 1)),
        }
    }
    let mut rng = Rng::new(options.seed);
    let (mut learned, mut others, mut order) = (Vec::new(), Vec::new(), Vec::new());
    for (run, times) in runs {
        let (from, paths) = (learned.len(), shards(run)?);
        let bar = bar(paths.len())?.with_message(format!("{}", run.display()));
        for path in paths {
            let shard = Shard::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            let mut read =
                samples::<Position>(&shard).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
            // Neighbours are of the same game, so that what is held out is in one piece. Shards begin with a game: any piece.
            let held_out = read.len() / HELD_OUT;
            let begin = rng.below((read.len() - held_out) as u32 + 1) as usize;
            others.extend(read.drain(begin..begin + held_out));
            learned.extend(read);
            bar.inc(1);
        }
        bar.finish_and_clear();
        order.extend((0..times).flat_map(|_| from..learned.len()));
    }
    if learned.is_empty() {
        bail!("there are no lessons in these folders; `losange selfplay DIR --teacher go` makes some");
    }
    fit(options, &learned, &others, order, &mut rng)
}

fn fit(
    options: &FitPatterns,
    learned: &[FeatureSample<Position>],
    others: &[FeatureSample<Position>],
    mut order: Vec<usize>,
    rng: &mut Rng,
) -> anyhow::Result<()> {
    let mut fit = Fit::<Position>::default();
    mention!("{} positions to learn from, {} held out", learned.len(), others.len());
    for epoch in 1..=options.epochs {
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last as u32 + 1) as usize);
        }
        let bar = bar(order.len())?.with_message(format!("time {epoch} of {}", options.epochs));
        for chunk in order.chunks(1_000) {
            chunk.iter().for_each(|&number| fit.learn(&learned[number], options.rate));
            bar.inc(chunk.len() as u64);
        }
        bar.finish_and_clear();
        let quality = fit.quality(others);
        mention!(
            "time {epoch}: held out {:.3}, where {:.3} is the least; the move searched most is the likeliest in {:.1} %",
            quality.loss,
            quality.least,
            100.0 * quality.first
        );
        let written = write_whole(&options.out, fit.bytes());
        written.with_context(|| format!("{} cannot be written", options.out.display()))?;
    }
    Ok(())
}
