//! `losange arena`: two settings of the engine play each other, in pairs of games with the same opening. Of games for one
//! player, each setting plays as many.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::eval::net::Backend;
use crate::game::Side;
use crate::games::Size;
use crate::players::models::load;
use crate::players::{GoRules, Kind, Models, Played, Resources, Setup, Visitor};
use crate::protocol::notation;
use crate::rng::{Rng, mix};
use crate::search::{Budget, Params, Searcher, Share, Stop, Task};
use crate::server::on_termination;
use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::options::{at_least_one, kind, params, seconds, size, threads};
use super::out::say;
use super::resources;
use super::runtime::{RuntimeOptions, back_end};
use super::score::Score;

/// Players, and number of games.
#[derive(Clone, Debug, Args)]
pub(crate) struct Arena {
    /// The game.
    #[arg(long, value_parser = kind(), default_value = "hex")]
    game: Kind,
    /// Board, such as 9 or 6x5: where it is not said 9 for Go and the usual one for other games.
    #[arg(long, value_parser = size)]
    size: Option<Size>,
    /// Model of the first player; without one it plays by the engine's own knowledge.
    #[arg(long, value_name = "PATH")]
    first: Option<PathBuf>,
    /// Model of the second player.
    #[arg(long, value_name = "PATH")]
    second: Option<PathBuf>,
    /// Preset of the first player: the search of a paper as it is published (see `losange presets`).
    #[arg(long, value_name = "NAME")]
    preset_first: Option<String>,
    /// Preset of the second player.
    #[arg(long, value_name = "NAME")]
    preset_second: Option<String>,
    /// A parameter of the first player, also in the place of the preset's (see `losange params`); may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set_first: Vec<String>,
    /// A parameter of the second player.
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
    /// Playouts or expansions of the second player alone.
    #[arg(long, requires = "playouts", value_parser = clap::value_parser!(u64).range(1..))]
    playouts_second: Option<u64>,
    /// Search threads of each side; the sides think in turns.
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Memory of each player's tree or table in MiB.
    #[arg(long, default_value_t = resources::usual_memory(1024) / 2, value_parser = at_least_one)]
    memory: usize,
    /// First moves of every game, such as a3, or D4,E5, or A1-A2, instead of random ones.
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    opening: Vec<String>,
    /// End as soon as it is clear whether the first player is nearer to the one or the other lead in Elo, such as 0,40.
    #[arg(long, value_name = "LOW,HIGH", value_delimiter = ',', allow_hyphen_values = true)]
    sprt: Vec<f64>,
    /// Back end that runs the models.
    #[arg(long, value_parser = back_end(), default_value = Backend::Auto.name())]
    backend: Backend,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// Seed of the openings and searches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A game of Hex or Go ends as won once both players have thought in so many searches each that this side wins more often than that.
const AGREED: u32 = 3;
const SURE: f32 = 0.97;

/// A player: makes a search for each game.
struct Player {
    resources: Resources,
    params: Params,
}

impl Player {
    fn searcher<G: Played>(&self) -> Box<dyn Searcher<G>> {
        G::recipe().searcher(&self.resources)
    }
}

/// Plays the games and prints the result.
pub(crate) fn run(options: &Arena) -> anyhow::Result<()> {
    if !matches!(options.sprt.as_slice(), [])
        && !matches!(options.sprt.as_slice(), [low, high] if low < high && low.is_finite() && high.is_finite())
    {
        bail!("--sprt wants two leads in Elo, the lower one first, such as 0,40");
    }
    resources::memory(options.threads, options.memory.saturating_mul(2))?;
    options.game.visit(Match(options))
}

/// The match of a game, or of one player after the other.
struct Match<'a>(&'a Arena);

impl Visitor for Match<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Played>(self) -> Self::Output {
        let options = self.0;
        let begin = start::<G>(options)?;
        let player = |model: Option<&PathBuf>, preset: Option<&String>, set: &[String]| {
            player::<G>(options, begin.size(), model, params::<G>(preset.map(String::as_str), set)?)
        };
        let players = [
            player(options.first.as_ref(), options.preset_first.as_ref(), &options.set_first)?,
            player(options.second.as_ref(), options.preset_second.as_ref(), &options.set_second)?,
        ];
        if G::PLAYERS == 1 { each_alone(options, &players, &begin) } else { series(options, &players, &begin) }
    }
}

/// A player by a model where there is one, which has to serve the board.
fn player<G: Played>(
    options: &Arena,
    Size { width, height }: Size,
    model: Option<&PathBuf>,
    params: Params,
) -> anyhow::Result<Player> {
    let load = |path: &Path| {
        let network = load::<G>(path, &options.runtime.options(options.backend))?;
        if !network.model().serves(height, width) {
            bail!("the model {} does not serve {width}x{height}", path.display());
        }
        Ok(Models::one(Arc::new(network)))
    };
    let models = model.map(|path| load(path)).transpose()?.unwrap_or_default();
    let resources = Resources { share: Arc::new(Share::new(options.threads)), memory: options.memory, models };
    Ok(Player { resources, params })
}

/// The start of all games: after the moves that the options name.
fn start<G: Played>(options: &Arena) -> anyhow::Result<G> {
    let size = options.size.unwrap_or(G::MEASURED);
    let mut start = G::new_game(&Setup { size: Some(size), rules: GoRules::TROMP_TAYLOR, ..Setup::default() })?;
    for word in &options.opening {
        let Size { width, height } = size;
        let mv = read::<G>(size, word).with_context(|| format!("'{word}' is no move on {width}x{height}"))?;
        if !start.is_legal(mv) {
            bail!("--opening has a move that cannot be played");
        }
        start.play(mv);
    }
    Ok(start)
}

/// A move from text.
fn read<G: Played>(size: Size, word: &str) -> Option<G::Move> {
    notation(G::KIND).read_move::<G>(size, word)
}

/// Games of one: each player by itself, from the same start.
fn each_alone<G: Played>(options: &Arena, players: &[Player; 2], begin: &G) -> anyhow::Result<()> {
    let stop = stop_at_a_signal()?;
    for (name, player) in ["first", "second"].into_iter().zip(players) {
        let bar = bar(options.games)?;
        let (mut left, mut time) = (Vec::new(), Duration::ZERO);
        for number in 0..options.games {
            let seed = mix(options.seed ^ (number as u64) << 8);
            let Some((end, spent)) = game_of_one(options, player, begin.clone(), seed, &stop) else { break };
            left.push(f64::from(end.outcome().map_or(0.0, |outcome| -outcome.score)));
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
fn game_of_one<G: Played>(
    options: &Arena,
    player: &Player,
    mut position: G,
    seed: u64,
    stop: &Stop,
) -> Option<(G, Duration)> {
    let (mut searcher, mut spent) = (player.searcher(), Duration::ZERO);
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

fn task<'a, G: Played>(
    options: &Arena,
    player: &'a Player,
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

/// Games of two, in pairs with the same opening.
fn series<G: Played>(options: &Arena, players: &[Player; 2], begin: &G) -> anyhow::Result<()> {
    let (bar, stop) = (bar(options.games)?, stop_at_a_signal()?);
    let (mut score, mut start, mut time, mut broken_off) = (Score::default(), None, [Duration::ZERO; 2], false);
    for number in 0..options.games {
        let seed = mix(options.seed ^ (number as u64 / 2) << 8);
        if number % 2 == 0 {
            start = None;
        }
        let opening = || match options.opening.as_slice() {
            [] => G::match_opening(begin, &mut Rng::stream(seed, 0)),
            _ => begin.clone(),
        };
        let begin = start.get_or_insert_with(opening).clone();
        let first_side = Side::BOTH[number % 2];
        let Some((winner, spent)) = game(options, players, begin, first_side, seed, &stop) else {
            broken_off = true;
            break;
        };
        score.count(winner, first_side);
        time.iter_mut().zip(spent).for_each(|(sum, spent)| *sum += spent);
        tracing::info!(won = score.wins, drawn = score.draws, of = number + 1, "played");
        bar.set_message(format!("{:.1} %", 100.0 * score.rate()));
        bar.inc(1);
        if let [low, high] = options.sprt[..]
            && score.decision(low, high).is_some()
        {
            break;
        }
    }
    bar.finish_and_clear();
    if score.games() == 0.0 {
        bail!("broken off before the first of {} games was over", options.games);
    }
    say!("{score}");
    say!("thinking time: first {:.1} s, second {:.1} s in all", time[0].as_secs_f64(), time[1].as_secs_f64());
    if let [low, high] = options.sprt[..] {
        match score.decision(low, high) {
            Some(true) => say!("accepted: nearer to {high:+} Elo than to {low:+}"),
            Some(false) => say!("refused: nearer to {low:+} Elo than to {high:+}"),
            None => say!("undecided between {low:+} and {high:+} Elo"),
        }
    }
    if broken_off {
        bail!("broken off after {} of {} games", score.games(), options.games);
    }
    Ok(())
}

/// Plays one game; the first player has `first_side`. Returns the winner and what each player thought, or nothing if it is
/// stopped.
fn game<G: Played>(
    options: &Arena,
    players: &[Player; 2],
    mut position: G,
    first_side: Side,
    seed: u64,
    stop: &Stop,
) -> Option<(Option<Side>, [Duration; 2])> {
    let mut searchers = [players[0].searcher(), players[1].searcher()];
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
        if G::ADJUDICATED && leader.is_some() && sure.iter().all(|&times| times >= AGREED) {
            return Some((leader, spent));
        }
        searchers.iter_mut().for_each(|searcher| searcher.advance(decision.mv));
        position.play(decision.mv);
    }
    Some((position.outcome().and_then(|outcome| outcome.winner), spent))
}
