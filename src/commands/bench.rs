//! `losange bench`: fixed searches of every game, whose signatures every build must reproduce, and how fast this machine does them.
//!
//! The signatures are the checksum of behaviour: they stand in `tests/fixtures/bench.txt`, and a change that is meant to change
//! what searches do changes that file too. Models run on instructions that every processor has, so that they are the same everywhere.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::eval::net::{Backend, Options};
use crate::games::Size;
use crate::players::models::shipped;
use crate::players::{Kind, Models, Played, Resources, Visitor};
use crate::rng::mix;
use crate::search::{Budget, Params, Share, Stop, Task};
use anyhow::{Context, bail};

use super::out::say;

const SEED: u64 = 1;
/// Memory in MiB, of which a solver of positions leaves 512 to the search: what is kept of a search depends on it.
const MEMORY: usize = 682;
/// Length of the searches with more threads, in times of those with one.
const LONGER: u64 = 3;

/// The signatures as they are meant to be, a line for each search; lines that begin with `#` are comments.
const RECORDED: &str = include_str!("../../tests/fixtures/bench.txt");

/// A search that was run.
struct Row {
    what: String,
    nodes: u64,
    time: Duration,
    signature: u64,
}

impl Row {
    /// As it is recorded.
    fn line(&self) -> String {
        format!("{:18} {:6} nodes  {:016x}", self.what, self.nodes, self.signature)
    }
}

/// A search with a number of iterations and nothing else to end it.
struct Search {
    models: Models,
    threads: usize,
    nodes: u64,
}

impl Search {
    /// Searches the start of a board; returns the time and a hash of all visits.
    fn run<G: Played>(&self, size: Size) -> (Duration, u64) {
        let Self { models, threads, nodes } = self;
        let position = G::on(size);
        let share = Arc::new(Share::new(*threads));
        let resources = Resources { share, memory: MEMORY, models: models.clone() };
        let (params, stop) = (Params::default(), Stop::new());
        let budget = Budget { nodes: Some(*nodes), ..Budget::default() };
        let task = Task { threads: *threads, seed: SEED, ..Task::new(&position, budget, &params, &stop) };
        let mut searcher = G::recipe().searcher(&resources);
        let start = Instant::now();
        let decision = searcher.run(&task, &mut |_| ());
        let moves = decision.report.moves.iter();
        let signature =
            moves.fold(0, |hash, m| mix(hash ^ m.visits.wrapping_mul(1 << 20) ^ position.index(m.mv) as u64));
        (start.elapsed(), signature)
    }
}

/// The searches of a game, with its model or without one.
struct Rows {
    with_model: bool,
}

impl Visitor for Rows {
    type Output = anyhow::Result<Vec<Row>>;

    fn visit<G: Played>(self) -> Self::Output {
        let mut models = Models::default();
        let (searches, suffix) = if self.with_model { (G::BENCH_WITH_MODEL, ", model") } else { (G::BENCH, "") };
        if self.with_model && !searches.is_empty() {
            let options = Options { backend: Backend::Portable, ..Options::default() };
            let network = shipped::<G>(&options).with_context(|| format!("there is no model of {}", G::KIND))?;
            models.add(Arc::new(network?));
        }
        let row = |&(lines, nodes)| {
            let search = Search { models: models.clone(), threads: 1, nodes };
            let (time, signature) = search.run::<G>(Size::square(lines));
            Row { what: format!("{} {lines}x{lines}{suffix}", G::KIND), nodes, time, signature }
        };
        Ok(searches.iter().map(row).collect())
    }
}

/// All searches with one thread, without models and then with them.
fn all_rows() -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for with_model in [false, true] {
        for kind in Kind::ALL {
            rows.extend(kind.visit(Rows { with_model })?);
        }
    }
    Ok(rows)
}

/// Prints how much faster the first search of a game is with more threads than with one.
struct Faster {
    threads: usize,
}

impl Visitor for Faster {
    type Output = ();

    fn visit<G: Played>(self) {
        let (lines, nodes) = G::BENCH[0];
        let time = |threads| {
            let search = Search { models: Models::default(), threads, nodes: LONGER * nodes };
            search.run::<G>(Size::square(lines)).0.as_secs_f64()
        };
        let (one, many) = (time(1), time(self.threads));
        say!("{:14} {:5.2} times the speed of one thread", format!("{} {lines}x{lines}", G::KIND), one / many);
    }
}

/// Prints one line for each search, the signature of all, and the speed with more threads.
///
/// # Errors
/// Signatures that are not the recorded ones.
pub(crate) fn run(threads: usize) -> anyhow::Result<()> {
    let rows = all_rows()?;
    for row in &rows {
        let speed = row.nodes as f64 / row.time.as_secs_f64();
        say!("{}  {:6.2} s  {speed:9.0} nodes/s", row.line(), row.time.as_secs_f64());
    }
    say!("signature {:016x}", rows.iter().fold(0, |total, row| mix(total ^ row.signature)));
    let recorded: Vec<&str> = RECORDED.lines().filter(|line| !line.starts_with('#')).collect();
    let found: Vec<String> = rows.iter().map(Row::line).collect();
    let same = found == recorded;
    say!("{}", if same { "as recorded" } else { "not as recorded in tests/fixtures/bench.txt" });
    if threads > 1 {
        say!("\nwith {threads} threads (results differ from run to run)");
        Kind::ALL.iter().for_each(|kind| kind.visit(Faster { threads }));
    }
    if same {
        return Ok(());
    }
    let (missing, new) = (
        recorded.iter().filter(|line| !found.iter().any(|other| other == *line)),
        found.iter().filter(|line| !recorded.contains(&line.as_str())),
    );
    let lines: Vec<String> =
        missing.map(|line| format!("- {line}")).chain(new.map(|line| format!("+ {line}"))).collect();
    bail!("searches do not do what is recorded of them:\n{}", lines.join("\n"))
}
