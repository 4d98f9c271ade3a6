//! `losange openings`: what each first move is worth.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::games::Size;
use crate::players::{Kind, Models, Played, Resources, Setup, Visitor};
use crate::protocol::openings::{FirstMove, alike, drawn, read, row, shipped, sizes};
use crate::search::{Budget, Params, Share, Stop, Task};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::options::{at_least_one, kind, seconds, size, threads};
use super::out::say;
use super::resources;
use super::runtime::ModelOptions;

/// Show what each first move is worth: from the tables that the program has, or searched now.
///
/// Numbers are the first player's chances in per cent.
#[derive(Debug, Args)]
pub(crate) struct Openings {
    /// The game.
    #[arg(value_parser = kind())]
    game: Kind,
    /// Board, such as 11 or 13x9; the usual one where it is not said.
    #[arg(value_parser = size)]
    size: Option<Size>,
    /// Search now, each move for so many seconds; moves that a symmetry makes the same once.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Write the table to this file too, move by move. A file of the same board, time and model is gone on with.
    #[arg(long, value_name = "FILE", requires = "time")]
    out: Option<PathBuf>,
    /// Search threads.
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Memory of the search in MiB.
    #[arg(long, default_value_t = resources::usual_memory(512), value_parser = at_least_one)]
    memory: usize,
    #[command(flatten)]
    model: ModelOptions,
}

/// Prints the values.
pub(crate) fn run(options: &Openings) -> anyhow::Result<()> {
    options.game.visit(Show(options))
}

struct Show<'a>(&'a Openings);

impl Visitor for Show<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Played>(self) -> Self::Output {
        let options = self.0;
        let start = G::new_game(&Setup { size: options.size, ..Setup::default() })?;
        let table = match options.time {
            Some(time) => search(options, &start, Duration::from_secs_f64(time))?,
            None if options.model.is_chosen() => {
                bail!("--model and --no-model want --time: the tables are there already")
            }
            None => shipped(&start).with_context(|| {
                let boards: Vec<String> = sizes(G::KIND.word()).iter().map(|n| format!("{n}x{n}")).collect();
                let tables = if boards.is_empty() {
                    format!("no tables of {}", G::KIND)
                } else {
                    format!("tables of {} for {}", G::KIND, boards.join(", "))
                };
                format!("no table for this board: the program has {tables}; --time 1 searches each move for a second")
            })?,
        };
        say!("{}", drawn(&start, &table));
        Ok(())
    }
}

/// Searches the position after each first move, and keeps what the file has already.
fn search<G: Played>(options: &Openings, start: &G, time: Duration) -> anyhow::Result<Vec<FirstMove<G::Move>>> {
    resources::memory(options.threads, options.memory)?;
    let (models, taken) = options.model.load(Some(G::KIND), None, options.memory)?;
    let memory = options.memory.saturating_sub(taken).max(1);
    let classes = alike(start);
    let head = options.head(start);
    let mut table = match options.out.as_deref() {
        Some(path) => known(start, path, &head)?,
        None => Vec::new(),
    };
    let bar = ProgressBar::new(classes.len() as u64)
        .with_style(ProgressStyle::with_template("{bar:30} {pos}/{len} moves, {eta} left  {msg}")?);
    for moves in classes {
        if !table.iter().any(|entry: &FirstMove<G::Move>| entry.moves == moves) {
            let entry = value(options.threads, (memory, &models), start, (moves, time));
            bar.set_message(row(start, &entry).replace('\t', "  "));
            if let Some(path) = options.out.as_deref() {
                append(path, &row(start, &entry)).with_context(|| format!("{}", path.display()))?;
            }
            table.push(entry);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    table.sort_by(|a, b| b.winrate.total_cmp(&a.winrate));
    Ok(table)
}

/// The value of the first of some moves that are the same.
fn value<G: Played>(
    threads: usize,
    (memory, models): (usize, &Models),
    start: &G,
    (moves, time): (Vec<G::Move>, Duration),
) -> FirstMove<G::Move> {
    let mut position = start.clone();
    position.play(moves[0]);
    let first = start.to_move();
    if let Some(end) = position.outcome() {
        return FirstMove { moves, winrate: f32::midpoint(end.value * first.sign(), 1.0), visits: 1 };
    }
    let resources = Resources { share: Arc::new(Share::new(threads)), memory, models: models.clone() };
    let (params, stop) = (Params::default(), Stop::new());
    let budget = Budget { time: Some(time), ..Budget::default() };
    let task = Task { threads, ..Task::new(&position, budget, &params, &stop) };
    let report = G::recipe().searcher(&resources).run(&task, &mut |_| ()).report;
    let seen = if position.to_move() == first { report.winrate } else { 1.0 - report.winrate };
    let winrate = report.resolution.map_or(seen, |winner| f32::from(u8::from(winner == first)));
    FirstMove { moves, winrate, visits: report.visits.max(1) }
}

impl Openings {
    /// The first line of a file: all that its numbers depend on.
    fn head<G: Played>(&self, start: &G) -> String {
        let (game, lines, time) = (G::KIND.word(), start.size().lines('x'), self.time.unwrap_or_default());
        format!("# {game} {lines}, {time} s a move, {}", self.model.told())
    }
}

/// Entries that a file has already. One that there is not gets its first line; one that has another first line is refused.
fn known<G: Played>(start: &G, path: &Path, head: &str) -> anyhow::Result<Vec<FirstMove<G::Move>>> {
    let shown = path.display();
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| shown.to_string())?,
    };
    // A full disk may have taken half of a line.
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let is_own = if whole.is_empty() { head.starts_with(&text) } else { whole.lines().next() == Some(head) };
    if !is_own {
        bail!("{shown} was not made by '{}'; name another file", &head[2..]);
    }
    let table = match whole {
        "" => Vec::new(),
        whole => read(start, whole).map_err(|why| anyhow!("{shown} is no table of this board: {why}"))?,
    };
    let mend = || {
        if whole.len() < text.len() {
            OpenOptions::new().write(true).open(path)?.set_len(whole.len() as u64)?;
        }
        if whole.is_empty() { append(path, head) } else { Ok(()) }
    };
    mend().with_context(|| shown.to_string())?;
    Ok(table)
}

/// Adds a line to a file, all of it or nothing.
fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let before = file.metadata()?.len();
    let written = file.write_all(format!("{line}\n").as_bytes());
    if written.is_err() {
        // A reader passes over half of a line too.
        let _ = file.set_len(before);
    }
    written
}
