//! `losange arena`: two settings of the engine play each other, in pairs of games with the same opening. Of games for one
//! player, each setting plays as many.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use losange::eval::heuristic::Resistance;
use losange::eval::net::{Network, NetworkEvaluator, Output};
use losange::game::{Game, Planes, Side};
use losange::games::{Kind, Size, avalam, clobber, go, hex};
use losange::protocol::stepping;
use losange::protocol::vertex::Notation;
use losange::rng::{Rng, mix};
use losange::search::mcts::Mcts;
use losange::search::{Budget, Params, Searcher, Share, Stop, Task};
use losange::server::on_termination;
use losange::session::hex::by_minimax;
use losange::session::{Played, Settings};

use crate::cli::{GameName, at_least_one, params, seconds, size};
use crate::model::{BackendName, RuntimeOptions, go_board, hex_board, stepping_board};
use crate::out::say;

/// Error rates of the sequential test.
const ERROR: f64 = 0.05;

/// Who plays, and how many games.
#[derive(Clone, Debug, Args)]
pub(crate) struct Arena {
    /// The game.
    #[arg(long, value_enum, default_value_t = GameName::Hex)]
    game: GameName,
    /// Board, such as 9 or 6x5: 11 for Hex and Go, the usual one for other games.
    #[arg(long, value_parser = size)]
    size: Option<Size>,
    /// Model of the first player; without one it plays by the engine's own knowledge.
    #[arg(long, value_name = "PATH")]
    first: Option<PathBuf>,
    /// Model of the second player.
    #[arg(long, value_name = "PATH")]
    second: Option<PathBuf>,
    /// A tunable of the first player (see `losange params`); may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set_first: Vec<String>,
    /// A tunable of the second player.
    #[arg(long, value_name = "NAME=VALUE")]
    set_second: Vec<String>,
    /// Games, in pairs with the same opening and exchanged colours.
    #[arg(long, default_value_t = 100, value_parser = at_least_one)]
    games: usize,
    /// Seconds for a move.
    #[arg(long, default_value_t = 0.5, value_parser = seconds)]
    time: f64,
    /// Playouts (Go) or expansions (Hex) for a move, instead of --time.
    #[arg(long)]
    playouts: Option<u64>,
    /// The same for the second player alone.
    #[arg(long, requires = "playouts", value_parser = clap::value_parser!(u64).range(1..))]
    playouts_second: Option<u64>,
    /// Search threads of each side; the sides think in turns.
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    threads: usize,
    /// Memory of each player's tree or table in MiB.
    #[arg(long, default_value_t = 512, value_parser = at_least_one)]
    memory: usize,
    /// First moves of every game, such as a3, or D4,E5, or A1-A2, instead of random ones.
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    opening: Vec<String>,
    /// End as soon as it is clear whether the first player is nearer to the one or the other lead in Elo, such as 0,40.
    #[arg(long, value_name = "LOW,HIGH", value_delimiter = ',', allow_hyphen_values = true)]
    sprt: Vec<f64>,
    /// What runs the models.
    #[arg(long, value_enum, default_value_t = BackendName::Auto)]
    backend: BackendName,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Seed of the openings and searches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A game of Hex or Go ends as won once both players have thought in so many searches each that this side wins more often than that.
const AGREED: u32 = 3;
const SURE: f32 = 0.97;

/// Board of Hex and Go where none is asked for.
const USUAL_SIZE: Size = Size::square(11);

impl Arena {
    fn board(&self) -> Size {
        self.size.unwrap_or(USUAL_SIZE)
    }
}

/// A player: makes a search for each game.
struct Player<G: Game> {
    make: Box<dyn Fn() -> Box<dyn Searcher<G>>>,
    params: Params,
}

/// Points of the first player, a draw counting half for each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Score {
    fn games(self) -> f64 {
        f64::from(self.wins + self.draws + self.losses)
    }

    fn rate(self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / self.games().max(1.0)
    }

    /// 95 % interval of the rate (Wilson).
    fn interval(self) -> (f64, f64) {
        let (n, p, z) = (self.games().max(1.0), self.rate(), 1.96);
        let centre = p + z * z / (2.0 * n);
        let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let whole = 1.0 + z * z / n;
        (((centre - spread) / whole).max(0.0), ((centre + spread) / whole).min(1.0))
    }

    /// Logarithm of how much likelier these results are with the second lead than with the first.
    fn log_likelihood(self, low: f64, high: f64) -> f64 {
        let (p, q) = (expected(low), expected(high));
        let points = self.rate() * self.games();
        points * (q / p).ln() + (self.games() - points) * ((1.0 - q) / (1.0 - p)).ln()
    }
}

/// The share of points that a lead in Elo lets expect.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The lead in Elo that a share of points shows.
fn elo(rate: f64) -> f64 {
    -400.0 * (1.0 / rate - 1.0).log10()
}

fn load<G: Planes>(options: &Arena, path: &Path, board: &dyn Fn(usize) -> G) -> anyhow::Result<Arc<Network>> {
    let network = Network::load(path, &options.runtime.options(options.backend.into()), board)?;
    let Size { width, height } = options.board();
    if !network.model().serves(height, width) {
        bail!("the model {} does not serve {width}x{height}", path.display());
    }
    Ok(Arc::new(network))
}

fn hex_player(options: &Arena, model: Option<&PathBuf>, set: &[String]) -> anyhow::Result<Player<hex::Position>> {
    let (share, memory) = (Arc::new(Share::new(options.threads)), options.memory);
    let network = model.map(|path| load(options, path, &hex_board)).transpose()?;
    Ok(Player {
        make: Box::new(move || match &network {
            None => Box::new(by_minimax(Arc::clone(&share), memory, Arc::new(Resistance))),
            Some(network) => {
                let evaluator = NetworkEvaluator::new(Arc::clone(network), Resistance);
                Box::new(by_minimax(Arc::clone(&share), memory, Arc::new(evaluator)))
            }
        }),
        params: params(set)?,
    })
}

fn go_player(options: &Arena, model: Option<&PathBuf>, set: &[String]) -> anyhow::Result<Player<go::Position>> {
    let (share, memory) = (Arc::new(Share::new(options.threads)), options.memory);
    let network = model.map(|path| load(options, path, &go_board)).transpose()?;
    if let Some(network) = network.as_ref().filter(|network| !network.model().gives(Output::Policy)) {
        bail!("the model {} gives no policy, which Go needs", network.path().display());
    }
    Ok(Player {
        make: Box::new(move || match &network {
            None => Box::new(Mcts::new(Arc::clone(&share), memory)),
            Some(network) => {
                let judge = NetworkEvaluator::new(Arc::clone(network), ());
                Box::new(Mcts::with_judge(Arc::clone(&share), memory, Arc::new(judge)))
            }
        }),
        params: params(set)?,
    })
}

/// Plays the games and prints the result.
pub(crate) fn run(options: &Arena) -> anyhow::Result<()> {
    if !matches!(options.sprt.as_slice(), [] | [_, _]) {
        bail!("--sprt wants two leads in Elo, such as 0,40");
    }
    let (first, second) = (options.first.as_ref(), options.second.as_ref());
    match Kind::from(options.game) {
        Kind::Hex => {
            let given = given(options, Notation::Htp)?;
            let mut start = hex::Position::new(options.board());
            play_given(&mut start, given.iter().map(|&cell| hex::Move::at(cell)))?;
            let opening = |rng: &mut Rng| {
                let mut board = start.clone();
                if given.is_empty() {
                    board.play(hex::Move::at(rng.below(board.points() as u32) as usize));
                }
                board
            };
            let players =
                [hex_player(options, first, &options.set_first)?, hex_player(options, second, &options.set_second)?];
            series(options, &players, &opening, true)
        }
        Kind::Go => {
            let given = given(options, Notation::Gtp)?;
            let mut start = go::Position::new(options.board(), go::Rules::TROMP_TAYLOR, 7.5);
            play_given(&mut start, given.iter().map(|&point| go::Move::at(point)))?;
            let opening = |rng: &mut Rng| {
                let mut board = start.clone();
                for _ in 0..if given.is_empty() { 2 } else { 0 } {
                    let mv = go::Move::at(rng.below(board.points() as u32) as usize);
                    if board.is_legal(mv) {
                        board.play(mv);
                    }
                }
                board
            };
            let players =
                [go_player(options, first, &options.set_first)?, go_player(options, second, &options.set_second)?];
            series(options, &players, &opening, true)
        }
        Kind::Clobber => for_two::<clobber::Position>(options, 2),
        Kind::Avalam => for_two::<avalam::Position>(options, 4),
        Kind::Solitaire => for_one(options),
    }
}

/// A player of one of the other games, by a model where there is one.
fn player<G: Played>(options: &Arena, network: Option<Arc<Network>>, set: &[String]) -> anyhow::Result<Player<G>> {
    let mut settings = Settings::new(Arc::new(Share::new(options.threads)), 0);
    (settings.memory, settings.network) = (options.memory, network);
    Ok(Player { make: Box::new(move || G::searcher(&settings)), params: params(set)? })
}

fn start<G: Played>(options: &Arena) -> anyhow::Result<G> {
    let start = options.size.map_or_else(|| Some(G::usual()), G::start);
    let mut start = start.with_context(|| format!("{} is not played on that board", G::KIND))?;
    let size = start.size();
    let read =
        |word: &String| stepping::read::<G>(Notation::Gtp, size, word).with_context(|| format!("'{word}' is no move"));
    let given = options.opening.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    play_given(&mut start, given.into_iter())?;
    Ok(start)
}

/// Games of two, each after so many random moves where no opening is given.
fn for_two<G: Played + Planes>(options: &Arena, random: usize) -> anyhow::Result<()> {
    let begin = start::<G>(options)?;
    let side = |path: Option<&PathBuf>, set: &[String]| {
        let options = Arena { size: Some(begin.size()), ..options.clone() };
        let network = path.map(|path| load(&options, path, &stepping_board::<G>)).transpose()?;
        player::<G>(&options, network, set)
    };
    let players =
        [side(options.first.as_ref(), &options.set_first)?, side(options.second.as_ref(), &options.set_second)?];
    let opening = |rng: &mut Rng| {
        let (mut board, mut moves) = (begin.clone(), Vec::new());
        for _ in 0..if options.opening.is_empty() { random } else { 0 } {
            board.legal_moves(&mut moves);
            let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
            board.play(mv);
        }
        // On the smallest boards chance may end the game.
        if board.outcome().is_some() { begin.clone() } else { board }
    };
    series(options, &players, &opening, false)
}

/// Games of one: each player by itself, from the same start.
fn for_one(options: &Arena) -> anyhow::Result<()> {
    let begin = start::<clobber::Solitaire>(options)?;
    let stop = stop_at_a_signal()?;
    for (name, set) in [("first", &options.set_first), ("second", &options.set_second)] {
        let player = player::<clobber::Solitaire>(options, None, set)?;
        let bar = bar(options.games)?;
        let (mut left, mut time) = (Vec::new(), Duration::ZERO);
        for number in 0..options.games {
            let seed = mix(options.seed ^ (number as u64) << 8);
            let Some((end, spent)) = game_of_one(options, &player, begin.clone(), seed, &stop) else { break };
            left.push(end.stones() as f64);
            time += spent;
            let mean = left.iter().sum::<f64>() / left.len() as f64;
            tracing::info!(player = name, mean, of = left.len(), "played");
            bar.set_message(format!("{name}: {mean:.2} stones left"));
            bar.inc(1);
        }
        bar.finish_and_clear();
        let count = left.len() as f64;
        if left.is_empty() {
            bail!("{name}: broken off before the first of {} games was over", options.games);
        }
        let mean = left.iter().sum::<f64>() / count;
        let deviation = (left.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)).sqrt();
        let (best, worst) = left.iter().fold((f64::MAX, 0.0_f64), |(low, high), &n| (low.min(n), high.max(n)));
        say!(
            "{name}: {mean:.2} ± {deviation:.2} stones left in {count} games (mean to ± {:.2}), from {best} to {worst}; \
             thinking time {:.1} s in all",
            1.96 * deviation / count.sqrt(),
            time.as_secs_f64()
        );
        if left.len() < options.games {
            bail!("{name}: broken off after {count} of {} games", options.games);
        }
    }
    Ok(())
}

/// A flag that SIGTERM and SIGINT set instead of ending the process, so that what was played until then is told.
fn stop_at_a_signal() -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let set = stop.clone();
    on_termination(move |_| set.set()).context("signals cannot be waited for")?;
    Ok(stop)
}

/// Plays one game of one player to its end, or nowhere if it is stopped.
fn game_of_one<G: Game>(
    options: &Arena,
    player: &Player<G>,
    mut position: G,
    seed: u64,
    stop: &Stop,
) -> Option<(G, Duration)> {
    let (mut searcher, mut spent) = ((player.make)(), Duration::ZERO);
    while position.outcome().is_none() {
        let task = task(options, player, &position, budget(options, options.playouts), seed, stop);
        let decision = searcher.run(&task, &mut |_| ());
        if stop.is_set() {
            return None;
        }
        spent += decision.report.elapsed;
        searcher.advance(decision.mv);
        position.play(decision.mv);
    }
    Some((position, spent))
}

fn bar(games: usize) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}  {msg}  {eta} left")?;
    Ok(ProgressBar::new(games as u64).with_style(style))
}

fn budget(options: &Arena, playouts: Option<u64>) -> Budget {
    match playouts {
        Some(nodes) => Budget { nodes: Some(nodes), ..Budget::default() },
        None => Budget { time: Some(Duration::from_secs_f64(options.time)), ..Budget::default() },
    }
}

fn task<'a, G: Game>(
    options: &Arena,
    player: &'a Player<G>,
    position: &'a G,
    budget: Budget,
    seed: u64,
    stop: &'a Stop,
) -> Task<'a, G> {
    Task {
        threads: options.threads,
        seed: mix(seed ^ position.plies() as u64),
        ..Task::new(position, budget, &player.params, stop)
    }
}

/// The points of the first moves that the options name.
fn given(options: &Arena, notation: Notation) -> anyhow::Result<Vec<usize>> {
    let size = options.board();
    let read = |word: &String| {
        let Size { width, height } = size;
        notation.read(size, word).with_context(|| format!("'{word}' is no point of {width}x{height}"))
    };
    options.opening.iter().map(read).collect()
}

fn play_given<G: Game>(start: &mut G, moves: impl Iterator<Item = G::Move>) -> anyhow::Result<()> {
    for mv in moves {
        if !start.is_legal(mv) {
            bail!("--opening has a move that cannot be played");
        }
        start.play(mv);
    }
    Ok(())
}

/// With `agreement`, games end where both players are sure of the same winner.
fn series<G: Game>(
    options: &Arena,
    players: &[Player<G>; 2],
    opening: &dyn Fn(&mut Rng) -> G,
    agreement: bool,
) -> anyhow::Result<()> {
    let (bar, stop) = (bar(options.games)?, stop_at_a_signal()?);
    let (mut score, mut start, mut time, mut broken_off) = (Score::default(), None, [Duration::ZERO; 2], false);
    for number in 0..options.games {
        let seed = mix(options.seed ^ (number as u64 / 2) << 8);
        if number % 2 == 0 {
            start = None;
        }
        let begin = start.get_or_insert_with(|| opening(&mut Rng::stream(seed, 0))).clone();
        let first_side = Side::BOTH[number % 2];
        let played = game(options, players, begin, first_side, seed, agreement, &stop);
        let Some((winner, spent)) = played else {
            broken_off = true;
            break;
        };
        match winner {
            None => score.draws += 1,
            Some(side) if side == first_side => score.wins += 1,
            Some(_) => score.losses += 1,
        }
        time.iter_mut().zip(spent).for_each(|(sum, spent)| *sum += spent);
        tracing::info!(won = score.wins, drawn = score.draws, of = number + 1, "played");
        bar.set_message(format!("{:.1} %", 100.0 * score.rate()));
        bar.inc(1);
        if let [low, high] = options.sprt[..] {
            let bound = ((1.0 - ERROR) / ERROR).ln();
            if score.log_likelihood(low, high).abs() >= bound {
                break;
            }
        }
    }
    bar.finish_and_clear();
    if score.games() == 0.0 {
        bail!("broken off before the first of {} games was over", options.games);
    }
    let (low, high) = score.interval();
    say!(
        "{} won, {} drawn, {} lost of {}: {:.1} % [{:.1}, {:.1}], {:+.0} Elo [{:+.0}, {:+.0}]",
        score.wins,
        score.draws,
        score.losses,
        score.games(),
        100.0 * score.rate(),
        100.0 * low,
        100.0 * high,
        elo(score.rate()),
        elo(low),
        elo(high)
    );
    say!("thinking time: first {:.1} s, second {:.1} s in all", time[0].as_secs_f64(), time[1].as_secs_f64());
    if let [low, high] = options.sprt[..] {
        let likelihood = score.log_likelihood(low, high);
        let bound = ((1.0 - ERROR) / ERROR).ln();
        say!(
            "{}",
            if likelihood >= bound {
                format!("accepted: nearer to {high:+} Elo than to {low:+}")
            } else if likelihood <= -bound {
                format!("refused: nearer to {low:+} Elo than to {high:+}")
            } else {
                format!("undecided between {low:+} and {high:+} Elo")
            }
        );
    }
    if broken_off {
        bail!("broken off after {} of {} games", score.games(), options.games);
    }
    Ok(())
}

/// Plays one game; the first player has `first_side`. Returns the winner and what each player thought, or nothing if it is
/// stopped.
fn game<G: Game>(
    options: &Arena,
    players: &[Player<G>; 2],
    mut position: G,
    first_side: Side,
    seed: u64,
    agreement: bool,
    stop: &Stop,
) -> Option<(Option<Side>, [Duration; 2])> {
    let mut searchers = [(players[0].make)(), (players[1].make)()];
    let mut spent = [Duration::ZERO; 2];
    let second = options.playouts_second.or(options.playouts);
    let budgets = [budget(options, options.playouts), budget(options, second)];
    // How many searches of each player in a row were sure of the same winner.
    let (mut sure, mut leader) = ([0_u32; 2], None);
    // Games that last for ever, by rules that let positions come back, count as drawn.
    let longest = 3 * position.points() + 100;
    while position.outcome().is_none() && position.plies() < longest {
        let player = usize::from(position.to_move() != first_side);
        let task = task(options, &players[player], &position, budgets[player], seed, stop);
        let decision = searchers[player].run(&task, &mut |_| ());
        if stop.is_set() {
            return None;
        }
        spent[player] += decision.report.elapsed;
        let mover = position.to_move();
        let expected = match decision.report.winrate {
            rate if rate > SURE => Some(mover),
            rate if rate < 1.0 - SURE => Some(mover.opponent()),
            _ => None,
        };
        if expected != leader {
            (sure, leader) = ([0; 2], expected);
        }
        sure[player] += 1;
        if agreement && leader.is_some() && sure.iter().all(|&times| times >= AGREED) {
            return Some((leader, spent));
        }
        searchers.iter_mut().for_each(|searcher| searcher.advance(decision.mv));
        position.play(decision.mv);
    }
    Some((position.outcome().and_then(|outcome| outcome.winner), spent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_and_elo_are_the_usual_ones() {
        let score = Score { wins: 60, draws: 0, losses: 40 };
        let (low, high) = score.interval();
        assert!((low - 0.502).abs() < 1e-3 && (high - 0.691).abs() < 1e-3, "{low} {high}");
        assert!((elo(0.75) - 190.85).abs() < 0.01 && elo(0.5) == 0.0);
        assert!((expected(190.85) - 0.75).abs() < 1e-4);
    }

    #[test]
    fn the_sequential_test_decides_both_ways() {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        let of = |wins, losses| Score { wins, draws: 0, losses }.log_likelihood(0.0, 100.0);
        assert!(of(70, 30) > bound && of(40, 60) < -bound && of(12, 10).abs() < bound);
        assert_eq!(of(0, 0), 0.0);
    }
}
