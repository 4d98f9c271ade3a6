//! The command line: subcommands and their options, one file each.

mod analysis;
mod arena;
mod bench;
mod bench_eval;
mod benchmark;
mod board;
mod config;
mod describe;
mod fit_patterns;
mod generate;
mod learn_patterns;
mod listing;
mod logging;
mod measure;
mod model;
mod openings;
mod options;
mod out;
mod play;
mod resources;
mod review;
mod runtime;
mod score;
mod selfplay;
mod serve;
mod solve;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::eval::net::forbid_telemetry;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  losange go                                 play Go over GTP on standard input and output
  losange hex --size 11 --time 10            play Hex over HTP, 10 seconds a move
  losange clobber --size 6x5                 play Clobber over GTP; othello, amazons, ... likewise
  losange go --rules japanese --komi 6.5 --resign 0.05
  losange analysis                           answer KataGo's JSON queries
  losange review game.sgf                    what each move of a recorded game lost
  losange serve --listen 127.0.0.1:8551      one session for each connection
  losange board hex                          a board in the browser, with analysis
  losange status 127.0.0.1:8551              sessions and load of that server
  losange solve --size 7 --play d4,b5        who wins Hex from there, and by what moves
  losange solve --size 6 --moves             which first moves win
  losange openings hex 11                    what each first move is worth
  losange model inspect FILE                 what a model is made for
  losange model convert FILE OUT             a network of KataGo's as an ONNX model
  losange hex --model FILE                   play Hex with it
  losange selfplay DIR --sizes 5             play games for training with DIR/model.onnx
  losange fit-patterns DIR --out FILE        fit Go's move patterns to games of `selfplay --teacher go`
  losange arena --first FILE --time 0.5      that model against the engine's own knowledge
  losange describe avalam --json             boards, planes, symmetries and moves of a game, for programs
  losange bench eval FILE                    how fast this machine runs it, by batch size and back end
  losange config go                          which file of settings is read, and what holds for `losange go`
  losange completions bash                   a script for this shell; `losange man` prints the manual page
  losange benchmark                          how many threads pay on this machine
  losange bench                              a signature to compare builds by, and the speed of this machine";

/// A game engine for Hex and Go, and for ten smaller games.
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
    #[command(flatten)]
    Play(play::PlayGame),
    /// Answer queries of KataGo's JSON analysis protocol on standard input and output.
    Analysis(analysis::Analysis),
    /// Review recorded games: what each move lost, and better lines.
    Review(review::Review),
    /// Serve sessions over TCP and WebSocket.
    Serve(serve::Serve),
    /// Show a board in the browser: play, analyse, review.
    Board(board::ShowBoard),
    /// Ask a server how busy it is.
    Status {
        /// The address on which it listens for lines, such as 127.0.0.1:8551.
        #[arg(value_parser = options::address)]
        server: SocketAddr,
    },
    /// Look at a model file, or see whether it runs.
    #[command(subcommand)]
    Model(model::Model),
    /// Find out who wins a position of Hex, Clobber or Othello.
    Solve(solve::Solve),
    Openings(openings::Openings),
    /// Let two models, or two settings of the engine, play each other.
    ///
    /// A game of Hex or Go ends as won once the last three searches of both players agree that one side wins more than 97 % of the time.
    Arena(arena::Arena),
    /// Play games with a model for training, and keep what is learned from them.
    #[command(name = "selfplay")]
    SelfPlay(selfplay::SelfPlay),
    /// Fit the weights of Go's move patterns to the visit counts that `selfplay` has recorded.
    FitPatterns(fit_patterns::FitPatterns),
    /// Learn the weights of Othello's patterns from games that the engine plays against itself.
    LearnPatterns(learn_patterns::LearnPatterns),
    /// Describe a game: boards, planes, symmetries, moves.
    Describe(describe::Describe),
    /// List the parameters of the searches, for --set.
    Params {
        /// Print them as a page in Markdown.
        #[arg(long)]
        markdown: bool,
    },
    /// List the presets: the searches of the papers as they are published, for --preset.
    Presets,
    /// Print the tables of GTP and HTP commands, in Markdown.
    Commands,
    /// Run fixed searches: a signature to compare builds by, and the speed of this machine.
    #[command(args_conflicts_with_subcommands = true)]
    Bench {
        /// Threads of the second part.
        #[arg(long, default_value_t = options::cores(), value_parser = options::threads)]
        threads: usize,
        #[command(subcommand)]
        what: Option<BenchOf>,
    },
    /// Find out how many search threads, and with a model what batch size, pay on this machine.
    Benchmark(benchmark::Benchmark),
    Config(config::ConfigOptions),
    Completions(generate::Completions),
    Man(generate::Man),
}

#[derive(Debug, Subcommand)]
enum BenchOf {
    /// Measure a model: positions a second by batch size and back end, alone and inside a search.
    Eval(bench_eval::EvalBench),
}

/// The whole program: does what the command line of this process says, and turns the result into an exit code.
pub fn main() -> ExitCode {
    forbid_telemetry();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is::<play::Told>() {
                eprintln!("losange: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Does what the command line says.
fn run() -> anyhow::Result<()> {
    let arguments = analysis::with_two_dashes(std::env::args_os());
    let (matches, elsewhere) = config::parse(Cli::command(), &arguments)?;
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    resources::files()?;
    let _log = logging::start(cli.verbose, cli.log.as_deref())?;
    let told = |error: &anyhow::Error| error.is::<play::Told>();
    do_command(cli.command, &arguments).map_err(|error| if told(&error) { error } else { elsewhere.beside(error) })
}

/// Does what a command says; `arguments` are those of this process.
fn do_command(command: Command, arguments: &[OsString]) -> anyhow::Result<()> {
    match command {
        Command::Play(game) => play::run(game),
        Command::Analysis(options) => analysis::run(&options),
        Command::Review(options) => review::run(&options),
        Command::Serve(options) => serve::run(&options),
        Command::Board(options) => board::run(&options),
        Command::Status { server } => serve::status_of(server),
        Command::Model(command) => model::run(&command),
        Command::Solve(options) => solve::run(&options),
        Command::Openings(options) => openings::run(&options),
        Command::Arena(options) => arena::run(&options),
        Command::SelfPlay(options) => selfplay::run(&options),
        Command::FitPatterns(options) => fit_patterns::run(&options),
        Command::LearnPatterns(options) => learn_patterns::run(&options),
        Command::Describe(options) => describe::run(&options),
        Command::Params { markdown } => listing::params(markdown),
        Command::Presets => listing::presets(),
        Command::Commands => listing::commands(),
        Command::Bench { threads, what: None } => bench::run(threads),
        Command::Bench { what: Some(BenchOf::Eval(options)), .. } => bench_eval::run(&options),
        Command::Benchmark(options) => benchmark::run(&options),
        Command::Config(options) => config::run(&options, Cli::command(), arguments),
        Command::Completions(options) => generate::completions(&options, config::completed(Cli::command())),
        Command::Man(options) => generate::man(&options, config::completed(Cli::command())),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Names of all options of a command and those below it, and of variables for one subcommand alone.
    fn names(command: &clap::Command, path: &str, options: &mut BTreeSet<String>, special: &mut BTreeSet<String>) {
        for long in command.get_opts().filter_map(clap::Arg::get_long) {
            options.insert(long.to_owned());
            special.insert(format!("{path}{long}"));
        }
        for below in command.get_subcommands() {
            names(below, &format!("{path}{}-", below.get_name()), options, special);
        }
    }

    #[test]
    fn the_command_line_is_sound_and_variables_are_of_one_option_each() {
        let command = config::completed(Cli::command());
        command.clone().debug_assert();
        let (mut options, mut special) = (BTreeSet::new(), BTreeSet::new());
        for below in command.get_subcommands() {
            names(below, &format!("{}-", below.get_name()), &mut options, &mut special);
        }
        assert!(options.len() > 50 && special.len() > 150, "{options:?}");
        assert!(options.is_disjoint(&special), "{:?}", options.intersection(&special));
    }
}
