//! `losange solve`: who wins a Hex position, and by what.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use losange::game::{Game, Side};
use losange::games::Size;
use losange::games::hex::symmetry::rotate;
use losange::games::hex::{Move, Position};
use losange::protocol::board;
use losange::protocol::vertex::{Notation, word};
use losange::search::Stop;
use losange::search::solver::Solver;

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

/// What came out, and the states looked at.
struct Solved {
    winner: Option<Side>,
    mv: Option<Move>,
    nodes: u64,
}

/// The solver, from position to position with the same table.
struct Solving<'a> {
    options: &'a Solve,
    solver: Solver<Position>,
}

impl Solving<'_> {
    fn solve(&self, position: &Position) -> anyhow::Result<Solved> {
        let options = self.options;
        let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
        let limit = Duration::from_secs_f64(options.limit);
        let (proof, nodes) =
            self.solver.solve(position, options.threads, Some(limit), None, &Stop::new(), &mut |progress| {
                let [first, second] = progress.effort;
                bar.set_message(format!(
                    "{} positions in {:.0} s; to be done for Black's win {first:.0}, for White's {second:.0}",
                    progress.nodes,
                    progress.elapsed.as_secs_f64()
                ));
                bar.tick();
            });
        bar.finish_and_clear();
        Ok(Solved { winner: proof.map(|proof| proof.winner), mv: proof.and_then(|proof| proof.mv), nodes })
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
    let solving = Solving { options, solver: Solver::new(options.memory) };
    if options.moves { each_move(&solving, &position) } else { one(&solving, &position) }
}

fn one(solving: &Solving<'_>, position: &Position) -> anyhow::Result<()> {
    let start = Instant::now();
    let solved = solving.solve(position)?;
    let size = position.size();
    say!("{}", board::hex(Notation::Htp, size, |i| position.stone(i), None, &[]));
    let cost = format!("{} positions, {:.2} s", solved.nodes, start.elapsed().as_secs_f64());
    let Some(winner) = solved.winner else {
        bail!("not solved ({cost}); give it more time with --limit, or threads or memory");
    };
    say!("{} wins ({cost})", word(winner));
    if solved.mv.is_some() {
        let line = solving.solver.line(position);
        let line: Vec<_> = line.iter().filter_map(|mv| mv.cell()).map(|i| Notation::Htp.show(size, i)).collect();
        say!("with {}", line.join(" "));
    }
    Ok(())
}

/// The winners after each move, as a board of them. Half a turn makes two of an empty board's cells the same.
fn each_move(solving: &Solving<'_>, position: &Position) -> anyhow::Result<()> {
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
                let solved = solving.solve(&child)?;
                (solved.winner, solved.nodes)
            }
        };
        winners[cell] = winner;
        nodes += count;
        unsolved += usize::from(winner.is_none());
        let verdict = winner.map_or("not solved", word);
        let time = begun.elapsed().as_secs_f64();
        say!("{:4} {verdict:10} {count:9} positions {time:8.2} s", Notation::Htp.show(size, cell));
        io::stdout().flush()?;
    }
    say!("\n{}", board::hex(Notation::Htp, size, |i| winners[i], None, &[]));
    let won = winners.iter().filter(|&&w| w == Some(mover)).count();
    let time = start.elapsed().as_secs_f64();
    say!("{won} of {} moves win for {} ({nodes} positions, {time:.2} s)", moves.len(), word(mover));
    if unsolved > 0 {
        bail!("{unsolved} moves were not solved; give them more time with --limit, or threads or memory");
    }
    Ok(())
}
