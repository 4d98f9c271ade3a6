//! Subcommands and options.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use losange::games::go::Rules;
use losange::games::{Kind, Size, Stepping, avalam, clobber};
use losange::protocol::{Engine, Identity, commands_as_markdown};
use losange::search::{Params, Share};
use losange::server::tcp::{Config, serve, status};
use losange::server::{Limits, stdio};
use losange::session::{Control, Resign, Settings};

use crate::arena::{self, Arena};
use crate::measure::{self, Benchmark, EvalBench};
use crate::model::{self, Model, ModelOptions};
use crate::out::say;
use crate::selfplay::{self, SelfPlay};
use crate::shapes::{self, Shapes};
use crate::solve::{self, Solve};
use crate::{bench, logging};

const EXAMPLES: &str = "\
Examples:
  losange go                                 play Go over GTP on standard input and output
  losange hex --size 11 --time 10            play Hex over HTP, 10 seconds a move
  losange clobber --size 6x5                 play Clobber over GTP; solitaire and avalam likewise
  losange go --rules japanese --komi 6.5 --resign 0.05
  losange serve --listen 127.0.0.1:8551      one session for each connection
  losange status 127.0.0.1:8551              sessions and load of that server
  losange solve --size 7 --play d4,b5        who wins Hex from there, and by what moves
  losange solve --size 6 --moves             which first moves win
  losange model inspect FILE                 what an ONNX model is made for
  losange hex --model FILE                   play Hex with it
  losange selfplay DIR --sizes 5             play games for training with DIR/model.onnx
  losange shapes DIR --out FILE              learn what moves of Go look like from games of `selfplay --teacher go`
  losange arena --first FILE --time 0.5      that model against the engine's own knowledge
  losange bench eval FILE                    how fast this machine runs it, by batch size and back end
  losange benchmark                          how many threads pay on this machine
  losange bench                              a signature to compare builds by, and the speed of this machine";

/// A game engine for Hex and Go, and for Clobber and Avalam.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Log more: -v information, -vv details, -vvv everything (or LOSANGE_LOG=filter).
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    /// Append the log to a file instead of standard error.
    #[arg(long = "logfile-name", value_name = "FILE", global = true)]
    log: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play Go over GTP on standard input and output.
    Go(Play),
    /// Play Hex over HTP on standard input and output.
    Hex(Play),
    /// Play Clobber for two over GTP on standard input and output.
    Clobber(Play),
    /// Play Clobber for one player over GTP on standard input and output.
    Solitaire(Play),
    /// Play Avalam over GTP on standard input and output.
    Avalam(Play),
    /// Serve sessions over TCP.
    Serve(Serve),
    /// Ask a server how busy it is.
    Status {
        /// Its address, such as 127.0.0.1:8551.
        server: SocketAddr,
    },
    /// Look at a model file, or see whether it runs.
    #[command(subcommand)]
    Model(Model),
    /// Find out who wins a Hex position.
    Solve(Solve),
    /// Let two models, or two settings of the engine, play each other.
    ///
    /// A game of Hex or Go ends as won once the last three searches of both players agree that one side wins more than 97 % of the time.
    Arena(Arena),
    /// Play games with a model for training, and keep what is learned from them.
    #[command(name = "selfplay")]
    SelfPlay(SelfPlay),
    /// Fit the weights of what moves of Go look like to the choices of searches, as `selfplay` has kept them.
    Shapes(Shapes),
    /// List the parameters of the searches, for --set.
    Params {
        /// Print them as a page in Markdown.
        #[arg(long)]
        markdown: bool,
    },
    /// Print the tables of GTP and HTP commands, in Markdown.
    Commands,
    /// Run fixed searches: a signature to compare builds by, and the speed of this machine.
    #[command(args_conflicts_with_subcommands = true)]
    Bench {
        /// Threads of the second part.
        #[arg(long, default_value_t = cores())]
        threads: usize,
        #[command(subcommand)]
        what: Option<BenchOf>,
    },
    /// Find out how many search threads, and with a model what batch size, pay on this machine.
    Benchmark(Benchmark),
}

#[derive(Debug, Subcommand)]
enum BenchOf {
    /// Measure a model: positions a second by batch size and back end, alone and inside a search.
    Eval(EvalBench),
}

#[derive(Debug, Args)]
struct Play {
    /// Board of a new game: 19, or 13x9. Go 2 to 25, Hex 1 to 25, Clobber 1 to 10, Solitaire 1 to 20, Avalam 9.
    #[arg(long, value_parser = size)]
    size: Option<Size>,
    /// Search threads.
    #[arg(long, default_value_t = cores(), value_parser = at_least_one)]
    threads: usize,
    /// Memory of the program in MiB, with its tree or table, of which what matters least is forgotten when it is full. Libraries
    /// that run models need more, and half of it is for trees and tables in any case.
    #[arg(long, default_value_t = 1024, value_parser = at_least_one)]
    memory: usize,
    /// Seconds for a move where no clock is set.
    #[arg(long, default_value_t = 5.0, value_parser = seconds)]
    time: f64,
    /// Most playouts (Go), expansions (Hex) or other units of the search for a move; without a clock, instead of --time.
    #[arg(long)]
    playouts: Option<u64>,
    /// Seed of all randomness; another one at each start where it is not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Think on the opponent's time.
    #[arg(long)]
    ponder: bool,
    /// Resign when the expected result stays below this (0 to 1) for three moves; 0 never does.
    #[arg(long, default_value_t = 0.0, value_parser = probability)]
    resign: f32,
    /// Seconds kept back from each move's time for the way between controller and engine.
    #[arg(long, default_value_t = 0.1, value_parser = seconds)]
    lag: f64,
    /// Go: rules of a new game.
    #[arg(long, default_value = "chinese", value_parser = Rules::by_name)]
    rules: Rules,
    /// Go: komi of a new game.
    #[arg(long, default_value_t = 7.5, allow_negative_numbers = true, value_parser = komi)]
    komi: f32,
    #[command(flatten)]
    model: ModelOptions,
    /// Set a tunable (see `losange params`); may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// What to answer to `name`; Lizzie speaks KataGo's dialect to an engine of that name.
    #[arg(long, default_value = "Losange")]
    name: String,
}

#[derive(Debug, Args)]
struct Serve {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:8551")]
    listen: SocketAddr,
    /// Allow addresses that other machines can reach. There is no password: everybody may play.
    #[arg(long)]
    allow_remote: bool,
    /// Game of sessions that do not begin with losange-game.
    #[arg(long, value_enum, default_value_t = GameName::Go)]
    game: GameName,
    /// Sessions at once; each gets an equal part of --memory.
    #[arg(long, default_value_t = Limits::default().sessions, value_parser = at_least_one)]
    sessions: usize,
    /// Seconds without input after which a session ends.
    #[arg(long, default_value_t = Limits::default().idle.as_secs())]
    idle: u64,
    /// Lines of input that a session may send in a second, in the long run.
    #[arg(long, default_value_t = Limits::default().lines_per_second)]
    rate: u32,
    /// Seconds that a client may take to read an answer.
    #[arg(long, default_value_t = Limits::default().write.as_secs())]
    write_timeout: u64,
    #[command(flatten)]
    play: Play,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum GameName {
    Go,
    Hex,
    Clobber,
    Solitaire,
    Avalam,
}

impl From<GameName> for Kind {
    fn from(name: GameName) -> Self {
        match name {
            GameName::Go => Self::Go,
            GameName::Hex => Self::Hex,
            GameName::Clobber => Self::Clobber,
            GameName::Solitaire => Self::Solitaire,
            GameName::Avalam => Self::Avalam,
        }
    }
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    const MOST: usize = 1 << 20;
    text.parse().ok().filter(|n| (1..=MOST).contains(n)).ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|s| (0.0..=1e7).contains(s)).ok_or_else(|| "expected a number of seconds".to_owned())
}

fn probability(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|p| (0.0..=1.0).contains(p)).ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn komi(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|k| (-1e3..=1e3).contains(k)).ok_or_else(|| "expected a number of points".to_owned())
}

pub(crate) fn size(text: &str) -> Result<Size, String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let parse = |s: &str| s.parse().ok().filter(|n| (1..=25).contains(n));
    match (parse(width), parse(height)) {
        (Some(width), Some(height)) => Ok(Size { width, height }),
        _ => Err("expected 1 to 25 lines, such as 19 or 13x9".to_owned()),
    }
}

/// The tunables, with those that are set by `NAME=VALUE`.
pub(crate) fn params(set: &[String]) -> anyhow::Result<Params> {
    let mut params = Params::default();
    for pair in set {
        let (name, value) = pair.split_once('=').with_context(|| format!("--set wants NAME=VALUE, found '{pair}'"))?;
        params.set(name, value)?;
    }
    Ok(params)
}

impl Play {
    /// For sessions of that game, or of either where none is given.
    fn settings(&self, game: Option<Kind>) -> anyhow::Result<Settings> {
        let seed = self.seed.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64)
                ^ u64::from(std::process::id())
        });
        let mut settings = Settings::new(Arc::new(Share::new(self.threads)), seed);
        settings.memory = self.memory;
        settings.time_per_move = Duration::from_secs_f64(self.time);
        settings.playouts = self.playouts;
        settings.ponder = self.ponder;
        settings.resign = Resign { below: self.resign, ..settings.resign };
        settings.lag = Duration::from_secs_f64(self.lag);
        (settings.size, settings.rules, settings.komi) = (self.size, self.rules, self.komi);
        self.model.apply(game, &mut settings)?;
        settings.memory = for_searches(self.memory, settings.memory);
        settings.params = params(&self.set)?;
        Ok(settings)
    }
}

/// What the program takes without a search, with a model that is compiled in, in MiB (29 to 35 were measured), and the share
/// of a search's memory that the allocator needs beside it (a seventeenth was measured).
const PROGRAM: usize = 40;
const ALLOCATOR_SHARE: usize = 16;

/// MiB for trees and tables, of so many for the program, of which so many are left beside what models keep.
fn for_searches(all: usize, left: usize) -> usize {
    let room = left.saturating_sub(PROGRAM).max(all / 2);
    (room - room / ALLOCATOR_SHARE).max(1)
}

fn check_size(kind: Kind, size: Option<Size>) -> anyhow::Result<()> {
    let Some(size) = size else { return Ok(()) };
    let sizes = match kind {
        Kind::Go if size.width < 2 || size.height < 2 => "boards from 2 lines",
        Kind::Clobber if clobber::Position::start(size).is_none() => "boards of at most 10x10",
        Kind::Solitaire if clobber::Solitaire::start(size).is_none() => "boards of at most 20x20",
        Kind::Avalam if avalam::Position::start(size).is_none() => "its own board of 9x9",
        _ => return Ok(()),
    };
    bail!("{kind} is played on {sizes}")
}

/// Does what the command line says.
pub(crate) fn run() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let _log = logging::start(cli.verbose, cli.log.as_deref())?;
    match cli.command {
        Command::Go(play) => run_stdio(Kind::Go, &play),
        Command::Hex(play) => run_stdio(Kind::Hex, &play),
        Command::Clobber(play) => run_stdio(Kind::Clobber, &play),
        Command::Solitaire(play) => run_stdio(Kind::Solitaire, &play),
        Command::Avalam(play) => run_stdio(Kind::Avalam, &play),
        Command::Serve(options) => run_server(&options),
        Command::Status { server } => {
            say!("{}", status(server).with_context(|| format!("the server at {server} does not answer"))?);
            Ok(())
        }
        Command::Model(command) => model::run(&command),
        Command::Solve(options) => solve::run(&options),
        Command::Arena(options) => arena::run(&options),
        Command::SelfPlay(options) => selfplay::run(&options),
        Command::Shapes(options) => shapes::run(&options),
        Command::Params { markdown: true } => {
            say!("{}", params_as_markdown().trim_end());
            Ok(())
        }
        Command::Params { markdown: false } => {
            for row in Params::ROWS {
                say!("{} = {}   {} in {}\n    {}", row.name, row.default, row.kind, row.range, row.doc);
            }
            Ok(())
        }
        Command::Commands => {
            say!("{}", commands_as_markdown().trim_end());
            Ok(())
        }
        Command::Bench { threads, what: None } => bench::run(threads),
        Command::Bench { what: Some(BenchOf::Eval(options)), .. } => measure::eval(&options),
        Command::Benchmark(options) => measure::benchmark(&options),
    }
}

/// The parameters of the searches as a table in Markdown, for the documentation.
fn params_as_markdown() -> String {
    let mut text = "# Parameters\n\nMade by `losange params --markdown`. A parameter is set with `--set NAME=VALUE` or with the \
                    command `losange-set NAME VALUE`, and read with `losange-get NAME`. The first words of a description name the \
                    search, or the setting, that reads it.\n\n| parameter | default | type | range | meaning |\n\
                    | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let cell = |text: &str| text.replace('|', "\\|");
    for row in Params::ROWS {
        text += &format!("| `{}` | `{}` | {} | {} | {} |\n", row.name, row.default, row.kind, row.range, cell(row.doc));
    }
    text
}

fn run_stdio(kind: Kind, play: &Play) -> anyhow::Result<()> {
    check_size(kind, play.size)?;
    let settings = play.settings(Some(kind))?;
    let control = Arc::new(Control::new());
    let share = Arc::clone(&settings.share);
    let status =
        Arc::new(move || format!("sessions 1 of 1\nsearches {}\nthreads {}", share.running(), share.threads()));
    let identity = Identity { name: play.name.clone(), files: true, status };
    let engine = Engine::new(kind, settings, Arc::clone(&control), identity);
    stdio::run(engine, control).context("answers cannot be written")
}

fn run_server(options: &Serve) -> anyhow::Result<()> {
    let kind = options.game.into();
    check_size(kind, options.play.size)?;
    if !options.listen.ip().is_loopback() && !options.allow_remote {
        bail!(
            "{} can be reached from other machines, and there is no password; add --allow-remote if that is meant",
            options.listen
        );
    }
    let limits = Limits {
        sessions: options.sessions,
        idle: Duration::from_secs(options.idle),
        lines_per_second: options.rate,
        write: Duration::from_secs(options.write_timeout),
        ..Limits::default()
    };
    let settings = options.play.settings(None)?;
    let config = Config { listen: options.listen, kind, settings, limits, name: options.play.name.clone() };
    // Whoever starts the server reads from here which port it took.
    serve(config, |address| say!("listening on {address}"))
        .with_context(|| format!("cannot serve on {}", options.listen))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn searches_get_what_is_left_and_half_at_least() {
        assert_eq!(for_searches(512, 448), 383);
        assert_eq!(for_searches(64, 56), 30);
        assert_eq!(for_searches(1, 1), 1);
    }

    #[test]
    fn sizes() {
        assert_eq!(size("19"), Ok(Size::square(19)));
        assert_eq!(size("13x9"), Ok(Size { width: 13, height: 9 }));
        for bad in ["0", "26", "x", "9x", "-1", "9x9x9"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
