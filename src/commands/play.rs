//! `losange go`, `losange hex` and so on: plays a game on standard input and output.

use std::io::{self, IsTerminal};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use crate::eval::net::Output;
use crate::games::Size;
use crate::players::levels::LevelError;
use crate::players::{BoardError, GoRules, Kind, Models, Played, Setup, Visitor};
use crate::protocol::administration::VERSION;
use crate::protocol::{Delivery, Engine, Identity, Interpreter, Listener, Protocol, Provision};
use crate::search::params::Method;
use crate::search::{Params, Share};
use crate::server::stdio;
use crate::session::{Control, Resign, Settings};
use anyhow::bail;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use thiserror::Error;

use super::options::{at_least_one, cores, komi, params, probability, seconds, seed, size, threads, whole};
use super::resources;
use super::runtime::{ModelOptions, PeopleOptions};

/// Tells the options of play that a game alone has.
struct OwnOptions;

impl Visitor for OwnOptions {
    type Output = &'static [&'static str];

    fn visit<G: Played>(self) -> Self::Output {
        G::OWN_OPTIONS
    }
}

/// Options that the help of a game does not show: what other games alone have. A session may go over to those.
fn hidden(kind: Kind) -> Vec<&'static str> {
    let others = Kind::ALL.iter().filter(|&&other| other != kind);
    let speaks = Protocol::ALL.iter().any(|protocol| protocol.games().contains(&kind));
    others.flat_map(|other| other.visit(OwnOptions)).copied().chain((!speaks).then_some("protocol")).collect()
}

/// A game, and how to play it: a subcommand for each game of the list.
#[derive(Debug)]
pub(crate) struct PlayGame {
    kind: Kind,
    play: Play,
    speech: Speech,
}

impl Subcommand for PlayGame {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        Kind::ALL.iter().fold(command, |command, kind| {
            let word = kind.word();
            let about = format!("Play {kind} on standard input and output, on {}.", kind.boards());
            let after = format!(
                "Examples:\n  losange {word} --time 2 --threads 2\n  printf 'genmove b\\nshowboard\\nquit\\n' | losange {word} --time 1\n\n\
                 Type `help` to see the commands."
            );
            let subcommand = Speech::augment_args(Play::augment_args(clap::Command::new(word)));
            let hide = |all: clap::Command, option| all.mut_arg(option, |arg| arg.hide(true));
            let subcommand = hidden(*kind).into_iter().fold(subcommand, hide);
            command.subcommand(subcommand.about(about).after_help(after))
        })
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Kind::of_word(name).is_some()
    }
}

impl FromArgMatches for PlayGame {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (word, matches) = matches.subcommand().ok_or_else(missing)?;
        let kind = Kind::of_word(word).ok_or_else(|| clap::Error::new(ErrorKind::InvalidSubcommand))?;
        Ok(Self { kind, play: Play::from_arg_matches(matches)?, speech: Speech::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Seconds for a move where nothing is said.
const USUAL_TIME: f64 = 5.0;

/// How sessions play.
#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Board of a new game, such as 9 or 13x9; the usual one of the game where it is not said.
    #[arg(long, value_parser = size)]
    size: Option<Size>,
    /// Search threads.
    #[arg(long, default_value_t = cores(), value_parser = threads)]
    threads: usize,
    /// Memory of the program in MiB, with its tree or table, of which what matters least is forgotten when it is full. Libraries
    /// that run models need more, and half of it is for trees and tables in any case.
    #[arg(long, default_value_t = resources::usual_memory(1024), value_parser = at_least_one)]
    memory: usize,
    /// Seconds for a move where no clock is set [default: 5].
    #[arg(long, value_parser = seconds)]
    time: Option<f64>,
    /// Most playouts (Go), expansions (Hex) or other units of the search for a move; without a clock, instead of --time.
    #[arg(long, value_parser = whole)]
    playouts: Option<u64>,
    /// Level of weaker play: in Go 30k to 9d, in other games 1 to 20 [default: full strength].
    #[arg(long)]
    level: Option<String>,
    /// Seed of all randomness; another one at each start where it is not given.
    #[arg(long, value_parser = whole)]
    seed: Option<u64>,
    /// Think on the opponent's time.
    #[arg(long)]
    ponder: bool,
    /// Resign when the expected result stays below this (0 to 1) for three moves; 0 never does. White does not in the first half of a game
    /// of Go with a handicap.
    #[arg(long, default_value_t = 0.0, value_parser = probability)]
    resign: f32,
    /// Seconds of a clock that are kept back for the way between controller and engine, and what is expected of it for a
    /// move until the controller tells the time that is left.
    #[arg(long, default_value_t = 0.1, value_parser = seconds)]
    lag: f64,
    /// Seconds for a score, the fate of stones, or a proof (dfpn-solve-state), and never more than the clock leaves.
    #[arg(long, default_value_t = 20.0, value_parser = seconds)]
    answer_time: f64,
    /// Most seconds for a move by a clock, however much that has: where a move may take days, as in games by correspondence.
    #[arg(long, default_value_t = 300.0, value_parser = seconds)]
    longest_move: f64,
    /// Go: rules of a new game [default: chinese].
    #[arg(long, value_parser = GoRules::by_name)]
    rules: Option<GoRules>,
    /// Go: komi of a new game [default: 7.5, and 6.5 where territory is counted].
    #[arg(long, allow_negative_numbers = true, value_parser = komi)]
    komi: Option<f32>,
    /// Hex: play with the swap rule.
    #[arg(long)]
    swap: bool,
    #[command(flatten)]
    model: ModelOptions,
    #[command(flatten)]
    people: PeopleOptions,
    /// Search as a paper has it (see `losange presets`).
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Set a parameter of the search, also in the place of the preset's (see `losange params`); may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Answer to `name`; Lizzie speaks KataGo's dialect to an engine of that name.
    #[arg(long, default_value = "Losange")]
    pub(crate) name: String,
    /// Answer to `version`; LizzieYzy asks for owners after each move where it is above 1.10.
    #[arg(long, value_name = "VERSION", default_value = VERSION)]
    pub(crate) version_name: String,
}

/// How a session on standard input and output speaks.
#[derive(Debug, Args)]
struct Speech {
    /// Speak another protocol than GTP, in games that have one: gomocup, nboard, uci.
    #[arg(long, value_name = "PROTOCOL", value_parser = Protocol::of_word)]
    protocol: Option<Protocol>,
    /// Write a line on standard error for each move that is chosen, as gtp2ogs reads it for the chat of OGS.
    #[arg(long)]
    ogs_chat: bool,
}

/// Memory of the program without a search, with a model that is compiled in, in MiB (29 to 35 were measured), and the share of a
/// search's memory that the allocator needs beside it (a seventeenth was measured).
const PROGRAM: usize = 40;
const ALLOCATOR_SHARE: usize = 16;

/// MiB for trees and tables once models' caches are taken off `--memory`: `left` of `total`; at least about half.
pub(crate) fn search_memory(total: usize, left: usize) -> usize {
    let room = left.saturating_sub(PROGRAM).max(total / 2);
    (room - room / ALLOCATOR_SHARE).max(1)
}

/// Says on standard error where a model is there and does not play: on a board that it does not serve, by a search that it does not suit.
struct TellUnserved<'a> {
    size: Option<Size>,
    search: Method,
    models: &'a Models,
}

impl Visitor for TellUnserved<'_> {
    type Output = ();

    fn visit<G: Played>(self) {
        let Some(network) = self.models.of::<G>() else { return };
        let Size { width, height } = self.size.unwrap_or(G::USUAL);
        let (model, path) = (network.model(), network.path().display());
        if !network.serves(height, width) {
            eprintln!("losange: {path} does not serve {width}x{height}, which is searched without it");
        } else if [Method::Mcts, Method::Puct].contains(&self.search) && !model.gives(Output::Policy) {
            eprintln!("losange: {path} has no policy, so search={} goes without it", self.search);
        }
    }
}

impl Play {
    /// Settings of a new game for the board in the browser, as its address has them: those that are given. Without a game the level is
    /// told as it was given, for whatever the browser goes on with.
    ///
    /// # Errors
    /// A level that the game, or else the first one, does not have.
    pub(crate) fn address(&self, game: Option<Kind>) -> Result<String, LevelError> {
        let name = |level: &str| match game {
            Some(kind) => kind.level_name(level),
            None => Kind::ALL[0].level_name(level).map(|_| level.to_owned()),
        };
        let level = self.level.as_deref().map(name).transpose()?;
        let settings = [
            ("size", self.size.map(|size| format!("{}x{}", size.width, size.height))),
            ("rules", self.rules.and_then(|rules| rules.name()).map(str::to_owned)),
            ("komi", self.komi.or_else(|| Some(self.rules?.usual_komi())).map(|komi| komi.to_string())),
            ("time", self.time.map(|time| time.to_string())),
            ("level", level),
        ];
        let told: Vec<_> = settings.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?))).collect();
        Ok(if told.is_empty() { String::new() } else { format!("?{}", told.join("&")) })
    }

    /// Settings of sessions, without models.
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings::new(Arc::new(Share::new(self.threads)), seed(self.seed));
        settings.time_per_move = Duration::from_secs_f64(self.time.unwrap_or(USUAL_TIME));
        settings.playouts = self.playouts;
        settings.ponder = self.ponder;
        settings.resign = Resign { below: self.resign, ..settings.resign };
        settings.lag = Duration::from_secs_f64(self.lag);
        settings.answer_time = Duration::from_secs_f64(self.answer_time);
        settings.longest_move = Duration::from_secs_f64(self.longest_move);
        settings.people = self.people.profile().cloned();
        let rules = self.rules.unwrap_or(GoRules::CHINESE);
        let komi = self.komi.unwrap_or_else(|| rules.usual_komi());
        settings.setup = Setup { size: self.size, rules, komi, swap: self.swap };
        resources::memory(self.threads, self.memory)?;
        Ok(settings)
    }

    /// Models of that game, or of any where none is given and one is `meant`, and the memory that they leave.
    fn provision(&self, game: Option<Kind>, meant: Option<Kind>) -> anyhow::Result<Provision> {
        let (mut models, caches) = self.model.load(game, meant, self.memory)?;
        if let Some(kind) = game {
            let search = self.params_of(kind)?.search;
            kind.visit(TellUnserved { size: self.size, search, models: &models });
        }
        self.people.load(&self.model, &mut models)?;
        Ok(Provision { models, memory: search_memory(self.memory, self.memory.saturating_sub(caches)) })
    }

    /// Parameters of the searches of a game.
    fn params_of(&self, kind: Kind) -> anyhow::Result<Params> {
        struct Read<'a>(Option<&'a str>, &'a [String]);
        impl Visitor for Read<'_> {
            type Output = anyhow::Result<Params>;

            fn visit<G: Played>(self) -> Self::Output {
                params::<G>(self.0, self.1)
            }
        }
        kind.visit(Read(self.preset.as_deref(), &self.set))
    }

    /// Settings of sessions that begin with that game and may go on with any other, with the models of all.
    ///
    /// # Errors
    /// A board or a parameter that the game does not have; a model that cannot be used.
    pub(crate) fn settings_of_all(&self, kind: Kind) -> anyhow::Result<Settings> {
        let settings = self.settings_of(kind)?;
        let Provision { models, memory } = self.provision(None, Some(kind))?;
        Ok(Settings { models, memory, ..settings })
    }

    /// Settings of sessions that begin with that game, whose boards and parameters they have to be, without models.
    fn settings_of(&self, kind: Kind) -> anyhow::Result<Settings> {
        if let Some(size) = self.size
            && !kind.boards().contains(size)
        {
            return Err(BoardError { kind, boards: kind.boards() }.into());
        }
        let mut params = self.params_of(kind)?;
        if let Some(level) = &self.level {
            params.level = kind.level(level)?;
        }
        Ok(Settings { params, ..self.settings()? })
    }
}

/// A failure that standard error has been told of.
#[derive(Debug, Error)]
#[error("said before")]
pub(crate) struct Told;

/// Reads the models of a game beside the session, which is told of them, and standard error where they cannot be used. Says whether
/// they can once that is known.
fn read_beside(kind: Kind, play: Arc<Play>) -> anyhow::Result<(Delivery, Arc<OnceLock<bool>>)> {
    let ((sender, delivery), usable) = (channel(), Arc::<OnceLock<bool>>::default());
    let known = Arc::clone(&usable);
    thread::Builder::new().name("model".to_owned()).spawn(move || {
        let read = play.provision(Some(kind), None);
        // One that has ended meanwhile does not listen.
        let _ = known.set(read.is_ok());
        let told = read.map_err(|error| {
            eprintln!("losange: {error:#}");
            format!("{error:#}")
        });
        let _ = sender.send(told);
    })?;
    Ok((delivery, usable))
}

/// Plays until the input ends.
pub(crate) fn run(PlayGame { kind, play, speech }: PlayGame) -> anyhow::Result<()> {
    if let Some(protocol) = speech.protocol.filter(|protocol| !protocol.games().contains(&kind)) {
        let games: Vec<&str> = protocol.games().iter().map(|game| game.word()).collect();
        bail!("--protocol {} is for {}, not for {}", protocol.word(), games.join(" and "), kind.word());
    }
    let mut settings = play.settings_of(kind)?;
    let play = Arc::new(play);
    // A session that has not begun needs no memory. A model that is compiled in is read at once.
    let reading = match play.model.is_file() {
        true => {
            settings.memory = 1;
            Some(read_beside(kind, Arc::clone(&play))?)
        }
        false => {
            Provision { models: settings.models, memory: settings.memory } = play.provision(Some(kind), None)?;
            None
        }
    };
    let control = Arc::new(Control::new());
    let share = Arc::clone(&settings.share);
    let status =
        Arc::new(move || format!("sessions 1 of 1\nsearches {}\nthreads {}", share.running(), share.threads()));
    let (name, version) = (play.name.clone(), play.version_name.clone());
    let identity = Identity { name, version, remarks: speech.ogs_chat, files: true, status };
    if speech.ogs_chat {
        // By that name the bridge knows the form of the lines.
        eprintln!("losange: moves are told in the words of KataGo");
    }
    if speech.protocol.is_none() && io::stdin().is_terminal() && io::stderr().is_terminal() {
        eprintln!("Type help for the commands, genmove b for a move, quit to leave.");
    }
    let mut engine = Engine::new(kind, settings, Arc::clone(&control), identity);
    let mut usable = Arc::<OnceLock<bool>>::default();
    if let Some((delivery, known)) = reading {
        (engine, usable) = (engine.awaiting(delivery), known);
    }
    let listener: Box<dyn Listener> = match speech.protocol {
        Some(protocol) => Box::new(Interpreter::new(engine, protocol, &play.name, kind, play.threads)),
        None => Box::new(engine),
    };
    stdio::run(listener, control)?;
    if usable.get() == Some(&false) { Err(Told.into()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_get_what_is_left_and_half_at_least() {
        assert_eq!(search_memory(512, 448), 383);
        assert_eq!(search_memory(64, 56), 30);
        assert_eq!(search_memory(1, 1), 1);
    }
}
