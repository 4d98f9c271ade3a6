//! `losange bench`: fixed searches of every game, whose signatures every build must reproduce, and how fast this machine does them.
//!
//! The signatures are the checksum of behaviour: they stand in `tests/fixtures/bench.txt`, and a change that is meant to change
//! what searches do changes that file too. Models run on instructions that every processor has, so that they are the same everywhere.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use losange::eval::heuristic::Resistance;
use losange::eval::net::{Backend, Network, NetworkEvaluator, Options};
use losange::game::{Game, Planes};
use losange::games::{Size, avalam, clobber, go, hex};
use losange::rng::mix;
use losange::search::mcts::Mcts;
use losange::search::ubfm::Ubfm;
use losange::search::{Budget, Params, Searcher, Share, Stop, Task};
use losange::session::{Played, Settings};

use crate::model::{go_board as model_go_board, hex_board, stepping_board};
use crate::out::say;

const SEED: u64 = 1;
const MEMORY: usize = 512;

/// The signatures as they are meant to be, a line for each search; lines that begin with `#` are comments.
const RECORDED: &str = include_str!("../tests/fixtures/bench.txt");

/// A search that was run.
struct Row {
    what: String,
    nodes: u64,
    time: Duration,
    signature: u64,
}

impl Row {
    fn run<G: Game>(what: &str, searcher: &mut dyn Searcher<G>, position: &G, nodes: u64) -> Self {
        let (time, signature) = signed(searcher, position, nodes, 1);
        Self { what: what.to_owned(), nodes, time, signature }
    }

    /// As it is recorded.
    fn line(&self) -> String {
        format!("{:18} {:6} nodes  {:016x}", self.what, self.nodes, self.signature)
    }
}

/// Searches `position` with `nodes` iterations; returns the time and a hash of all visits.
fn signed<G: Game>(searcher: &mut dyn Searcher<G>, position: &G, nodes: u64, threads: usize) -> (Duration, u64) {
    let (params, stop) = (Params::default(), Stop::new());
    let task = Task {
        threads,
        seed: SEED,
        ..Task::new(position, Budget { nodes: Some(nodes), ..Budget::default() }, &params, &stop)
    };
    let start = Instant::now();
    let decision = searcher.run(&task, &mut |_| ());
    let signature = decision
        .report
        .moves
        .iter()
        .fold(0, |hash, m| mix(hash ^ m.visits.wrapping_mul(1 << 20) ^ position.index(m.mv) as u64));
    (start.elapsed(), signature)
}

fn go_board(n: usize) -> go::Position {
    go::Position::new(Size::square(n), go::Rules::CHINESE, 7.5)
}

fn mcts(threads: usize) -> Mcts<go::Position> {
    Mcts::new(Arc::new(Share::new(threads)), MEMORY)
}

fn ubfm(threads: usize) -> Ubfm<hex::Position> {
    Ubfm::new(Arc::new(Share::new(threads)), MEMORY, Arc::new(Resistance))
}

/// The search that plays that game, with one thread.
fn usual<G: Played>(network: Option<Arc<Network>>) -> Box<dyn Searcher<G>> {
    let mut settings = Settings::new(Arc::new(Share::new(1)), SEED);
    (settings.memory, settings.network) = (MEMORY, network);
    G::searcher(&settings)
}

/// The model of the game that is compiled in.
fn shipped<G: Planes>(board: &dyn Fn(usize) -> G) -> anyhow::Result<Arc<Network>> {
    let options = Options { backend: Backend::Portable, ..Options::default() };
    let network = Network::shipped(&options, board).context("there is no such model")?;
    Ok(Arc::new(network?))
}

/// All searches with one thread, without models and then with them.
fn rows() -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (n, nodes) in [(9, 20_000), (13, 8_000), (19, 4_000)] {
        rows.push(Row::run(&format!("Go {n}x{n}"), &mut mcts(1), &go_board(n), nodes));
    }
    for (n, nodes) in [(7, 3_000), (11, 500)] {
        rows.push(Row::run(&format!("Hex {n}x{n}"), &mut ubfm(1), &hex_board(n), nodes));
    }
    let board = stepping_board::<clobber::Position>(6);
    rows.push(Row::run("Clobber 6x6", &mut *usual(None), &board, 20_000));
    let board = stepping_board::<clobber::Solitaire>(8);
    rows.push(Row::run("Solitaire 8x8", &mut *usual(None), &board, 20_000));
    let board = stepping_board::<avalam::Position>(9);
    rows.push(Row::run("Avalam 9x9", &mut *usual(None), &board, 500));

    let judge = NetworkEvaluator::new(shipped(&model_go_board)?, ());
    let mut by_policy = Mcts::with_judge(Arc::new(Share::new(1)), MEMORY, Arc::new(judge));
    rows.push(Row::run("Go 9x9, model", &mut by_policy, &go_board(9), 400));
    let evaluator = NetworkEvaluator::new(shipped(&hex_board)?, Resistance);
    let mut by_actions = Ubfm::new(Arc::new(Share::new(1)), MEMORY, Arc::new(evaluator));
    rows.push(Row::run("Hex 11x11, model", &mut by_actions, &hex_board(11), 200));
    let network = shipped(&stepping_board::<avalam::Position>)?;
    rows.push(Row::run("Avalam 9x9, model", &mut *usual(Some(network)), &board, 400));
    Ok(rows)
}

/// Prints one line for each search, the signature of all, and the speed with more threads.
///
/// # Errors
/// Signatures that are not the recorded ones.
pub(crate) fn run(threads: usize) -> anyhow::Result<()> {
    let rows = rows()?;
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
        let (nodes, board) = (60_000, go_board(9));
        let one = signed(&mut mcts(1), &board, nodes, 1).0;
        let many = signed(&mut mcts(threads), &board, nodes, threads).0;
        say!("Go 9x9    {:5.2} times the speed of one thread", one.as_secs_f64() / many.as_secs_f64());
        let (nodes, board) = (1_500, hex_board(11));
        let one = signed(&mut ubfm(1), &board, nodes, 1).0;
        let many = signed(&mut ubfm(threads), &board, nodes, threads).0;
        say!("Hex 11x11 {:5.2} times the speed of one thread", one.as_secs_f64() / many.as_secs_f64());
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
