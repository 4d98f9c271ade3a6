//! `losange review`: values every move of recorded games, and writes what was lost where, as annotated SGF, JSON or a table.

mod inputs;

use std::collections::VecDeque;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::players::Resources;
use crate::protocol::administration::VERSION;
use crate::protocol::files::write_whole;
use crate::protocol::review::annotate::annotated;
use crate::protocol::review::told::{json_lines, table};
use crate::protocol::review::{ReviewEvent, ReviewOptions, Reviewed, jobs};
use crate::protocol::sgf;
use crate::search::{Budget, Params, Share};
use crate::session::analysis::Analyst;
use crate::session::analysis::schedule::Schedule;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use self::inputs::RecordFile;
use super::options::{at_least_one, cores, pairs, seconds, seed, threads};
use super::out::say;
use super::play::search_memory;
use super::resources;
use super::runtime::ModelOptions;

const EXAMPLES: &str = "\
Examples:
  losange review game.sgf                    a graph and the moves that lost most, in the terminal
  losange review game.sgf --visits 1000 --all
  losange review game.sgf > reviewed.sgf     the game with comments, better lines and values
  losange review games --out reviewed        a folder of records; once broken off, the same line goes on
  losange review - --format json < game.sgf  an object for each position
  losange review game.sgf --model NET.bin.gz --time 2

docs/review.md tells what is written.";

/// Visits of a position where nothing is said.
const VISITS: u64 = 200;

/// Records, and how they are reviewed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Review {
    /// Records in SGF, and folders of them; `-` is standard input, which is read too where nothing is named.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Most visits of each position [default: 200, and no limit where there is one of time].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    visits: Option<u64>,
    /// Most seconds of each position.
    #[arg(long, value_parser = seconds)]
    time: Option<f64>,
    /// Search threads of all positions together; so many positions are valued at once, each by one thread.
    #[arg(long, default_value_t = cores(), value_parser = threads)]
    threads: usize,
    /// Memory of the program in MiB; positions that are valued at once have equal parts of it.
    #[arg(long, default_value_t = resources::usual_memory(1024), value_parser = at_least_one)]
    memory: usize,
    /// Seed of all randomness; another one at each start where it is not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Set a parameter of the search (see `losange params`); may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Form of the answer [default: table on a terminal, and otherwise sgf].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Folder for the answers, one for each file, with its name and the ending of the form: .sgf, .jsonl or .txt. Files whose answers are there are left out.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Review files again whose answers are there.
    #[arg(long, requires = "out")]
    again: bool,
    /// Per cent of win rate that a move has to lose to be listed in the table, or to have a better line in SGF.
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, value_parser = per_cent)]
    least: f32,
    /// List all moves in the table.
    #[arg(long)]
    all: bool,
    /// Columns of the table's graph.
    #[arg(long, default_value_t = 80, value_parser = at_least_one)]
    width: usize,
    #[command(flatten)]
    model: ModelOptions,
}

/// Form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The game with comments, annotations, values, and better lines as variations.
    Sgf,
    /// An object a line for each position, and one for the game.
    Json,
    /// A graph of the win rate, and the moves that lost most.
    Table,
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Self::Sgf => "sgf",
            Self::Json => "jsonl",
            Self::Table => "txt",
        }
    }
}

/// Reads a percentage.
fn per_cent(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|p| (0.0..=100.0).contains(p)).ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

/// A file whose games are being reviewed.
struct Open {
    input: RecordFile,
    /// Games in the order of the file.
    games: Vec<Option<Reviewed>>,
}

/// Games on their way from the schedule to their answers.
struct Desk<'a> {
    options: &'a Review,
    format: Format,
    bar: ProgressBar,
    events: Receiver<ReviewEvent>,
    /// Files that are not answered, in order.
    open: VecDeque<Open>,
    /// Number of the first game of those files.
    first: usize,
    /// Number of games so far.
    count: usize,
    /// Faults of files, and files in all.
    faults: Vec<String>,
    files: usize,
}

impl Desk<'_> {
    /// Waits until a position is valued, and answers files that are whole then.
    fn wait(&mut self) -> anyhow::Result<()> {
        match self.events.recv().context("the search has ended before the review")? {
            ReviewEvent::Valued(_) => self.bar.inc(1),
            ReviewEvent::Done(number, reviewed) => {
                let mut place = number - self.first;
                for file in &mut self.open {
                    match file.games.get_mut(place) {
                        Some(game) => {
                            *game = Some(*reviewed);
                            break;
                        }
                        None => place -= file.games.len(),
                    }
                }
                self.answer()?;
            }
        }
        Ok(())
    }

    /// Answers the files whose games are all reviewed, in their order.
    fn answer(&mut self) -> anyhow::Result<()> {
        while self.open.front().is_some_and(|file| file.games.iter().all(Option::is_some)) {
            let Some(Open { input, games }) = self.open.pop_front() else { break };
            self.first += games.len();
            let games: Vec<Reviewed> = games.into_iter().flatten().collect();
            if let Some(number) = games.iter().find_map(Reviewed::fault) {
                let why = format!(
                    "the position after move {number} was not valued: a fault inside the engine, which the log has"
                );
                self.refuse(&input, &why);
                continue;
            }
            let text = self.text(&input.name, &games);
            match &input.output {
                Some(path) => write(path, &text)?,
                None => self.bar.suspend(|| say!("{}", text.trim_end())),
            }
            tracing::info!(file = input.name, games = games.len(), "reviewed");
        }
        Ok(())
    }

    /// Answer of a file.
    fn text(&self, name: &str, games: &[Reviewed]) -> String {
        let Review { width, all, .. } = *self.options;
        let one = |(place, game): (usize, &Reviewed)| match self.format {
            Format::Sgf => annotated(game, VERSION),
            Format::Json => json_lines(game, name, place + 1),
            Format::Table if games.len() == 1 => table(game, name, width, all),
            Format::Table => table(game, &format!("{name}, game {}", place + 1), width, all),
        };
        games.iter().enumerate().map(one).collect()
    }

    /// Notes a file that cannot be reviewed; where there are others, it is told at once.
    fn refuse(&mut self, input: &RecordFile, why: &str) {
        let fault = format!("{}: {why}", input.name);
        if self.files > 1 {
            self.bar.suspend(|| eprintln!("losange: {fault}"));
        }
        self.faults.push(fault);
    }
}

/// Writes an answer, in a folder that is made where there is none.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| write_whole(path, text)).with_context(|| format!("{} cannot be written", path.display()))
}

impl Review {
    fn review_options(&self) -> anyhow::Result<ReviewOptions> {
        let mut params = Params::default();
        for (name, value) in pairs(&self.set)? {
            params.set(name, value)?;
        }
        if self.time == Some(0.0) {
            bail!("--time 0 leaves no time to search");
        }
        let time = self.time.map(Duration::from_secs_f64);
        let nodes = self.visits.or(time.is_none().then_some(VISITS));
        let budget = Budget { time, nodes, early_stop: false };
        Ok(ReviewOptions { budget, params, least: self.least / 100.0 })
    }

    /// Searcher of positions, with models and its part of the memory.
    fn analyst(&self) -> anyhow::Result<Analyst> {
        resources::memory(self.threads, self.memory)?;
        let (models, caches) = self.model.load(None, None, self.memory)?;
        let memory = search_memory(self.memory, self.memory.saturating_sub(caches)) / self.threads;
        let share = Arc::new(Share::new(self.threads));
        Ok(Analyst::new(Resources { share, memory: memory.max(1), models }, seed(self.seed)))
    }
}

/// Reviews all files.
pub(crate) fn run(options: &Review) -> anyhow::Result<()> {
    let usual = if io::stdout().is_terminal() && options.out.is_none() { Format::Table } else { Format::Sgf };
    let format = options.format.unwrap_or(usual);
    let (inputs, left) = inputs::all(&options.files, options.out.as_deref(), format.extension(), options.again)?;
    if left > 0 {
        eprintln!("losange: {left} of {} files are reviewed already; --again reviews them again", left + inputs.len());
    }
    if inputs.is_empty() {
        return Ok(());
    }
    let how = Arc::new(options.review_options()?);
    let analyst = Arc::new(options.analyst()?);
    let schedule = Arc::new(Schedule::new(options.threads));
    for number in 0..options.threads {
        let schedule = Arc::clone(&schedule);
        thread::Builder::new().name(format!("review {number}")).spawn(move || schedule.work())?;
    }
    let (sender, events) = channel();
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions  {msg}  {eta} left")?;
    let bar = ProgressBar::new(0).with_style(style);
    let files = inputs.len();
    let open = VecDeque::new();
    let mut desk = Desk { options, format, bar, events, open, first: 0, count: 0, faults: Vec::new(), files };
    for input in inputs {
        // Of later files no more is held than keeps the threads at work.
        while schedule.waiting() > 2 * options.threads {
            desk.wait()?;
        }
        desk.bar.set_message(input.name.clone());
        // What is passed over in a record is told with its name.
        let span = tracing::warn_span!("record", file = input.name).entered();
        let read = input.text().and_then(|text| sgf::games(&text).map_err(|error| error.to_string()));
        let plan = read.and_then(|trees| {
            let job = |(place, tree)| jobs(desk.count + place, tree, &how, &analyst, &sender);
            trees.into_iter().enumerate().map(job).collect::<Result<Vec<_>, _>>()
        });
        drop(span);
        match plan {
            Ok(games) => {
                desk.count += games.len();
                desk.open.push_back(Open { input, games: games.iter().map(|_| None).collect() });
                for jobs in games {
                    desk.bar.inc_length(jobs.len() as u64);
                    schedule.add(jobs.into_iter().map(|job| (0, job)));
                }
            }
            Err(why) => desk.refuse(&input, &why),
        }
    }
    schedule.finish();
    while !desk.open.is_empty() {
        desk.wait()?;
    }
    desk.bar.finish_and_clear();
    match desk.faults.as_slice() {
        [] => Ok(()),
        [fault] if files == 1 => bail!("{fault}"),
        faults => bail!("{} of {files} files could not be reviewed", faults.len()),
    }
}
