//! `losange bench`: fixed searches whose signature every build must reproduce, and how fast this machine does them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use losange::eval::heuristic::Resistance;
use losange::game::Game;
use losange::games::{Size, go, hex};
use losange::rng::mix;
use losange::search::mcts::Mcts;
use losange::search::ubfm::Ubfm;
use losange::search::{Budget, Params, Searcher, Share, Stop, Task};

use crate::out::say;

const SEED: u64 = 1;
const MEMORY: usize = 512;

/// Searches `position` with one thread and `nodes` iterations; returns the time and a hash of all visits.
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

/// Prints one line for each search, the signature of all, and the speed with more threads.
pub(crate) fn run(threads: usize) {
    let mut total = 0;
    for (n, nodes) in [(9, 20_000), (13, 8_000), (19, 4_000)] {
        let (time, signature) = signed(&mut mcts(1), &go_board(n), nodes, 1);
        line(&format!("Go {n}x{n}"), nodes, time, signature);
        total = mix(total ^ signature);
    }
    for (n, nodes) in [(7, 3_000), (11, 500)] {
        let (time, signature) = signed(&mut ubfm(1), &hex::Position::new(Size::square(n)), nodes, 1);
        line(&format!("Hex {n}x{n}"), nodes, time, signature);
        total = mix(total ^ signature);
    }
    say!("signature {total:016x}");
    if threads > 1 {
        say!("\nwith {threads} threads (results differ from run to run)");
        let (nodes, board) = (60_000, go_board(9));
        let one = signed(&mut mcts(1), &board, nodes, 1).0;
        let many = signed(&mut mcts(threads), &board, nodes, threads).0;
        say!("Go 9x9    {:5.2} times the speed of one thread", one.as_secs_f64() / many.as_secs_f64());
        let (nodes, board) = (1_500, hex::Position::new(Size::square(11)));
        let one = signed(&mut ubfm(1), &board, nodes, 1).0;
        let many = signed(&mut ubfm(threads), &board, nodes, threads).0;
        say!("Hex 11x11 {:5.2} times the speed of one thread", one.as_secs_f64() / many.as_secs_f64());
    }
}

fn line(what: &str, nodes: u64, time: Duration, signature: u64) {
    let speed = nodes as f64 / time.as_secs_f64();
    say!("{what:10} {nodes:6} nodes  {:6.2} s  {speed:9.0} nodes/s  {signature:016x}", time.as_secs_f64());
}
