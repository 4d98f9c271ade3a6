//! `losange solve`: who wins a position of Hex, Clobber or Othello, and by what.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::game::{Game, Side, Sum};
use crate::games::hex::symmetry::rotate;
use crate::games::hex::{Move, Position};
use crate::games::{Size, Spelled, clobber, othello};
use crate::protocol::board;
use crate::protocol::vertex::{Notation, word};
use crate::search::Stop;
use crate::search::endgame::EndgameSolver;
use crate::search::solver::Solver;
use crate::search::sums;
use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::options;
use super::out::say;
use super::resources;

const EXAMPLES: &str = "\
Examples:
  losange solve --size 6 --moves               who wins after each first move of Hex
  losange solve --game clobber --size 5x4      who wins Clobber, whoever begins
  losange solve --game othello                 the score of Othello on 4x4, and best play
  losange solve --game othello --position \\
    '-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X'";

/// Games that have a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Solved {
    Hex,
    Clobber,
    Othello,
}

/// Position to solve.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Solve {
    /// The game.
    #[arg(long, value_enum, default_value_t = Solved::Hex)]
    game: Solved,
    /// Board: 7, or 7x6. Hex 6, Clobber 5x4 and Othello 4 where it is not said.
    #[arg(long, value_parser = options::size)]
    size: Option<Size>,
    /// Moves played so far, Black first: a3,c2,b4, or A4-B4,A3-B3. Row 1 is at the top in Hex and Othello, at the bottom in Clobber.
    #[arg(long, value_name = "MOVES", default_value = "")]
    play: String,
    /// Othello on 8x8: the position that the moves begin with, row by row from the top: X, O and - for each point, then the side to move.
    #[arg(long, value_name = "POINTS SIDE", conflicts_with = "size", allow_hyphen_values = true)]
    position: Option<String>,
    /// Hex: solve the position after each move that can be played, instead of the position itself.
    #[arg(long)]
    moves: bool,
    /// Search threads.
    #[arg(long, default_value_t = options::cores(), value_parser = options::threads)]
    threads: usize,
    /// Memory of the table in MiB.
    #[arg(long, default_value_t = resources::usual_memory(4096), value_parser = options::at_least_one)]
    memory: usize,
    /// Seconds after which a position is given up.
    #[arg(long, default_value_t = 3600.0, value_parser = options::seconds)]
    limit: f64,
}

/// Result, and the states looked at.
struct Found {
    winner: Option<Side>,
    mv: Option<Move>,
    nodes: u64,
}

/// The solver of Hex, from position to position with the same table.
struct Solving<'a> {
    options: &'a Solve,
    solver: Solver<Position>,
}

fn spinner() -> anyhow::Result<ProgressBar> {
    Ok(ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?))
}

impl<'a> Solving<'a> {
    fn new(options: &'a Solve) -> Self {
        Self { options, solver: Solver::new(options.memory) }
    }

    fn solve(&self, position: &Position) -> anyhow::Result<Found> {
        let options = self.options;
        let bar = spinner()?;
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
        Ok(Found { winner: proof.as_ref().map(|proof| proof.winner), mv: proof.and_then(|proof| proof.mv), nodes })
    }
}

/// Solves and prints.
pub(crate) fn run(options: &Solve) -> anyhow::Result<()> {
    resources::memory(options.threads, options.memory)?;
    if options.position.is_some() && options.game != Solved::Othello {
        bail!("--position is for Othello; add --game othello");
    }
    if options.moves && options.game != Solved::Hex {
        bail!("--moves is for Hex");
    }
    match options.game {
        Solved::Hex => hex(options),
        Solved::Clobber => clobber(options),
        Solved::Othello => othello(options),
    }
}

impl Solve {
    /// The words of `--play`.
    fn played(&self) -> impl Iterator<Item = &str> {
        self.play.split([',', ' ']).filter(|name| !name.is_empty())
    }
}

fn hex(options: &Solve) -> anyhow::Result<()> {
    let size = options.size.unwrap_or(Size::square(6));
    let mut position = Position::new(size);
    for name in options.played() {
        let cell = Notation::Htp.read(size, name).ok_or_else(|| anyhow!("there is no cell '{name}'"))?;
        let mv = Move::at(cell);
        position.check(position.to_move(), mv).with_context(|| format!("'{name}' cannot be played"))?;
        position.play(mv);
    }
    if let Some(winner) = position.winner() {
        bail!("the game is over: {} has won", word(winner));
    }
    let solving = Solving::new(options);
    if options.moves { each_move(&solving, &position) } else { one(&solving, &position) }
}

fn one(solving: &Solving<'_>, position: &Position) -> anyhow::Result<()> {
    let start = Instant::now();
    let solved = solving.solve(position)?;
    let size = position.size();
    say!("{}", board::hex(Notation::Htp, size, &|i| position.stone(i), None, &[]));
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

/// Prints the winner of a position of Clobber, with either side to move.
fn clobber(options: &Solve) -> anyhow::Result<()> {
    let size = options.size.unwrap_or(Size { width: 5, height: 4 });
    let mut position = clobber::Position::BOARDS
        .contains(size)
        .then(|| clobber::Position::new(size))
        .context("Clobber is played on boards of at most 10x10")?;
    for name in options.played() {
        let mv = Notation::Gtp.read_move::<clobber::Position>(size, name);
        let mv = mv.filter(|&mv| position.is_legal(mv)).with_context(|| format!("'{name}' cannot be played"))?;
        position.play(mv);
    }
    let solver = sums::SumSolver::new(options.memory);
    let cell = |point| format!(" {}", board::mark(position.owner(point)));
    say!("{}", board::towers(Notation::Gtp, size, &cell, &format!("{} to move", word(position.to_move()))));
    let groups = position.parts();
    let mut winners = Vec::new();
    for side in [position.to_move(), position.to_move().opponent()] {
        let start = Instant::now();
        let bar = spinner()?;
        let limit = Duration::from_secs_f64(options.limit);
        let (won, nodes) = solver.solve(&groups, side, options.threads, Some(limit), &Stop::new(), &mut |progress| {
            let seconds = progress.elapsed.as_secs_f64();
            let rate = progress.nodes as f64 / seconds;
            bar.set_message(format!("{} positions in {seconds:.0} s, {rate:.0} a second", progress.nodes));
            bar.tick();
        });
        bar.finish_and_clear();
        let cost = format!("{nodes} positions, {:.2} s", start.elapsed().as_secs_f64());
        let Some(won) = won else {
            bail!("not solved ({cost}); give it more time with --limit, or threads or memory");
        };
        let winner = if won { side } else { side.opponent() };
        position.set_to_move(side);
        let by = solver
            .winning_move(&position)
            .map(|mv| format!(" by {}", Notation::Gtp.show_move::<clobber::Position>(size, mv)));
        say!("{} to move: {} wins{} ({cost})", word(side), word(winner), by.unwrap_or_default());
        winners.push(won);
    }
    say!(
        "{}",
        match winners[..] {
            [true, true] => "whoever is to move wins",
            [false, false] => "whoever is to move loses",
            [true, _] => "the side to move wins even if the other one begins",
            _ => "the side that is not to move wins even if it begins",
        }
    );
    Ok(())
}

/// Reads the points of an 8x8 board of Othello and the side to move.
fn read_othello(text: &str) -> Option<othello::Position> {
    let marks: Vec<char> = text.chars().filter(|mark| !mark.is_whitespace() && *mark != ';').collect();
    let (&to_move, points) = marks.split_last()?;
    let start = othello::Position::new(Size::square(8));
    let side = |mark| match mark {
        'X' | 'x' | '*' => Some(Some(Side::First)),
        'O' | 'o' => Some(Some(Side::Second)),
        '-' | '.' => Some(None),
        _ => None,
    };
    let sides: Vec<Option<Side>> = points.iter().map(|&mark| side(mark)).collect::<Option<_>>()?;
    let discs: Vec<_> = sides.iter().enumerate().filter_map(|(point, side)| Some(((*side)?, point))).collect();
    let mut position = (sides.len() == start.points()).then(|| start.with_pieces(&discs).ok())??;
    position.set_to_move(side(to_move)??);
    Some(position)
}

/// Prints the score of a position of Othello in the end, and the best play of both sides.
fn othello(options: &Solve) -> anyhow::Result<()> {
    let size = options.size.unwrap_or(Size::square(4));
    let mut position = match &options.position {
        Some(text) => read_othello(text).with_context(|| {
            format!("'{text}' is no position: 64 points (X, O or -) and the side to move (X or O) are expected")
        })?,
        None => othello::Position::BOARDS
            .contains(size)
            .then(|| othello::Position::new(size))
            .filter(|_| size.width.max(size.height) <= 8)
            .context("Othello is solved on boards from 4x4 to 8x8")?,
    };
    let size = position.size();
    for name in options.played() {
        let mv = Notation::Htp.read_move::<othello::Position>(size, name);
        let mv = mv.filter(|&mv| position.is_legal(mv)).with_context(|| format!("'{name}' cannot be played"))?;
        position.play(mv);
    }
    let cell = |point| format!(" {}", board::mark(position.owner(point)));
    say!("{}", board::towers(Notation::Htp, size, &cell, &format!("{} to move", word(position.to_move()))));
    if let Some(outcome) = position.outcome() {
        bail!("the game is over: {}", result(outcome.score as i32, Side::First));
    }
    let solver = EndgameSolver::new(options.memory);
    let (start, bar) = (Instant::now(), spinner()?);
    let limit = Duration::from_secs_f64(options.limit);
    let (found, nodes) = solver.solve(&position, options.threads, Some(limit), &Stop::new(), &mut |progress| {
        let seconds = progress.elapsed.as_secs_f64();
        bar.set_message(format!("{} positions in {seconds:.0} s, {} points empty", progress.nodes, position.empties()));
        bar.tick();
    });
    bar.finish_and_clear();
    let cost = format!("{nodes} positions, {:.2} s", start.elapsed().as_secs_f64());
    let Some(found) = found else {
        bail!("not solved ({cost}); give it more time with --limit, or threads or memory");
    };
    let at_least = if found.least == found.most { "" } else { " or more" };
    let lead = if found.least > 0 { found.least } else { found.most };
    say!("{}{at_least} ({cost})", result(lead, position.to_move()));
    let line: Vec<_> = found.line.iter().map(|&mv| Notation::Htp.show_move::<othello::Position>(size, mv)).collect();
    if !line.is_empty() {
        say!("with {}", line.join(" "));
    }
    Ok(())
}

/// The end of a game of Othello in which a side is ahead by so much.
fn result(lead: i32, side: Side) -> String {
    match lead {
        0 => "drawn".to_owned(),
        _ => {
            let winner = if lead > 0 { side } else { side.opponent() };
            format!("{} wins by {} discs", word(winner), lead.abs())
        }
    }
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
    say!("\n{}", board::hex(Notation::Htp, size, &|i| winners[i], None, &[]));
    let won = winners.iter().filter(|&&w| w == Some(mover)).count();
    let time = start.elapsed().as_secs_f64();
    say!("{won} of {} moves win for {} ({nodes} positions, {time:.2} s)", moves.len(), word(mover));
    if unsolved > 0 {
        bail!("{unsolved} moves were not solved; give them more time with --limit, or threads or memory");
    }
    Ok(())
}
