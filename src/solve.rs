//! `losange solve`: who wins a Hex position, and by what.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use losange::eval::heuristic::Resistance;
use losange::game::{Game, Side};
use losange::games::Size;
use losange::games::hex::symmetry::rotate;
use losange::games::hex::{Move, Position};
use losange::protocol::board;
use losange::protocol::vertex::{Notation, word};
use losange::search::ubfm::Ubfm;
use losange::search::{Budget, Decision, Params, Searcher, Share, Stop, Task};

use crate::cli;
use crate::out::say;

/// What to solve.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// Board: 7, or 7x6.
    #[arg(long, default_value = "6", value_parser = cli::size)]
    size: Size,
    /// Moves played so far, Black first: a3,c2,b4.
    #[arg(long, value_name = "MOVES", default_value = "")]
    play: String,
    /// Solve the position after each move that can be played, instead of the position itself.
    #[arg(long)]
    moves: bool,
    /// Search threads.
    #[arg(long, default_value_t = cli::cores(), value_parser = cli::at_least_one)]
    threads: usize,
    /// Memory of the table in MiB.
    #[arg(long, default_value_t = 4096, value_parser = cli::at_least_one)]
    memory: usize,
    /// Seconds after which a position is given up.
    #[arg(long, default_value_t = 3600.0, value_parser = cli::seconds)]
    limit: f64,
}

/// The search that looks for nothing but proofs, from position to position with the same table.
struct Solver {
    searcher: Ubfm<Position>,
    params: Params,
    stop: Stop,
    threads: usize,
    limit: Duration,
}

impl Solver {
    fn new(options: &Solve) -> Self {
        let share = Arc::new(Share::new(options.threads));
        Self {
            searcher: Ubfm::new(share, options.memory, Arc::new(Resistance)),
            params: Params { proof_share: 1.0, ..Params::default() },
            stop: Stop::new(),
            threads: options.threads,
            limit: Duration::from_secs_f64(options.limit),
        }
    }

    fn solve(&mut self, position: &Position) -> Decision<Move> {
        let task = Task {
            position,
            budget: Budget { time: Some(self.limit), ..Budget::default() },
            threads: self.threads,
            seed: 1,
            params: &self.params,
            restrictions: &[],
            report_every: None,
            ownership: false,
            stop: &self.stop,
        };
        self.searcher.run(&task, &mut |_| ())
    }
}

/// Solves and prints.
pub(crate) fn run(options: &Solve) -> anyhow::Result<()> {
    let mut position = Position::new(options.size);
    for name in options.play.split([',', ' ']).filter(|name| !name.is_empty()) {
        let cell = Notation::Htp.read(options.size, name).ok_or_else(|| anyhow!("there is no cell '{name}'"))?;
        let mv = Move::at(cell);
        position.check(position.to_move(), mv).with_context(|| format!("'{name}' cannot be played"))?;
        position.play(mv);
    }
    if let Some(winner) = position.winner() {
        bail!("the game is over: {} has won", word(winner));
    }
    let mut solver = Solver::new(options);
    if options.moves { each_move(&mut solver, &position) } else { one(&mut solver, &position) }
}

fn one(solver: &mut Solver, position: &Position) -> anyhow::Result<()> {
    let start = Instant::now();
    let decision = solver.solve(position);
    let (size, report) = (position.size(), &decision.report);
    say!("{}", board::hex(Notation::Htp, size, |i| position.stone(i), None, &[]));
    let cost = format!("{} nodes, {:.2} s", report.nodes, start.elapsed().as_secs_f64());
    let Some(winner) = report.resolution else {
        bail!("not solved ({cost}); give it more time with --limit, or threads or memory");
    };
    say!("{} wins ({cost})", word(winner));
    if winner == position.to_move()
        && let Some(best) = report.moves.first()
    {
        let line: Vec<_> = best.pv.iter().filter_map(|mv| mv.cell()).map(|i| Notation::Htp.show(size, i)).collect();
        say!("with {}", line.join(" "));
    }
    Ok(())
}

/// The winners after each move, as a board of them. Half a turn makes two of an empty board's cells the same.
fn each_move(solver: &mut Solver, position: &Position) -> anyhow::Result<()> {
    let (size, mover) = (position.size(), position.to_move());
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut winners: Vec<Option<Side>> = vec![None; size.points()];
    let (start, mut nodes, mut unsolved) = (Instant::now(), 0, 0);
    for mv in &moves {
        let Some(cell) = mv.cell() else { continue };
        if position.stones() == 0 && winners[rotate(size, cell)].is_some() {
            winners[cell] = winners[rotate(size, cell)];
            continue;
        }
        let mut child = position.clone();
        child.play(*mv);
        let begun = Instant::now();
        let (winner, count) = match child.winner() {
            Some(winner) => (Some(winner), 0),
            None => {
                let report = solver.solve(&child).report;
                (report.resolution, report.nodes)
            }
        };
        winners[cell] = winner;
        nodes += count;
        unsolved += usize::from(winner.is_none());
        let verdict = winner.map_or("not solved", word);
        let time = begun.elapsed().as_secs_f64();
        say!("{:4} {verdict:10} {count:9} nodes {time:8.2} s", Notation::Htp.show(size, cell));
        io::stdout().flush()?;
    }
    say!("\n{}", board::hex(Notation::Htp, size, |i| winners[i], None, &[]));
    let won = winners.iter().filter(|&&w| w == Some(mover)).count();
    let time = start.elapsed().as_secs_f64();
    say!("{won} of {} moves win for {} ({nodes} nodes, {time:.2} s)", moves.len(), word(mover));
    if unsolved > 0 {
        bail!("{unsolved} moves were not solved; give them more time with --limit, or threads or memory");
    }
    Ok(())
}
