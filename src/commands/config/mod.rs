//! Settings beside the command line: the environment and a file become options in front of those that were typed.
//!
//! An option of the command line stands above the environment, and that above the file. In both, what is said for a subcommand
//! (`LOSANGE_GO_TIME`, `[go] time`) stands above what is said for all (`LOSANGE_TIME`, `time`).

mod file;
mod show;
mod typed;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::builder::BoolishValueParser;
use clap::error::ContextKind;
use clap::{Arg, ArgAction, ArgMatches, Command, Error};

use self::file::File;
use self::typed::Typed;

pub(crate) use self::show::{ConfigOptions, run};

/// Names of the options that choose the file.
const FILE: &str = "config";
const NO_FILE: &str = "no-config";
/// Subcommands where `--time` is not the time for a move of play: what is said of it for all is not said of them.
const OTHER_TIMES: [&str; 3] = ["openings", "review", "selfplay"];
/// Beginning of all variables.
const PREFIX: &str = "LOSANGE_";

/// A place where a setting was found.
#[derive(Clone, Debug, PartialEq)]
enum Origin {
    Variable(String),
    Line(PathBuf, usize),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::Line(path, line) => write!(f, "{}:{line}", path.display()),
        }
    }
}

/// An option that the environment or the file sets.
#[derive(Clone, Debug)]
struct Setting<'a> {
    arg: &'a Arg,
    values: Vec<OsString>,
    origin: Origin,
}

impl Setting<'_> {
    /// Whether it is a flag that is switched off, which is the same as no flag.
    fn is_off(&self) -> bool {
        let off = |value: &OsString| value.to_str().is_some_and(is_false);
        matches!(self.arg.get_action(), ArgAction::SetTrue) && self.values.iter().all(off)
    }

    /// Words of the command line that say the same.
    ///
    /// # Errors
    /// Another number of values than the option takes.
    fn words(&self) -> anyhow::Result<Vec<OsString>> {
        let (arg, values) = (self.arg, &self.values);
        let long = OsString::from(format!("--{}", arg.get_long().unwrap_or_default()));
        let with = |value: &OsStr| [&long, OsStr::new("="), value].into_iter().collect::<OsString>();
        if self.is_off() {
            return Ok(Vec::new());
        }
        if let Some(delimiter) = arg.get_value_delimiter() {
            return Ok(vec![with(&values.join(OsStr::new(&delimiter.to_string())))]);
        }
        if matches!(arg.get_action(), ArgAction::Append) {
            return Ok(values.iter().map(|value| with(value)).collect());
        }
        let [value] = values.as_slice() else {
            bail!("{}: {} takes one value, and there are {}", self.origin, long.display(), values.len())
        };
        if !matches!(arg.get_action(), ArgAction::Count) {
            return Ok(vec![with(value)]);
        }
        let times = value.to_str().and_then(|times| times.parse::<u8>().ok());
        let times = times.ok_or_else(|| {
            anyhow!("{}: {} takes a number from 0 to 255, found '{}'", self.origin, long.display(), value.display())
        })?;
        Ok(vec![long; times.into()])
    }
}

/// Whether a flag with that value is switched off.
fn is_false(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "false" | "f" | "no" | "n" | "off" | "0")
}

/// Whether values add up, since each of them is of a name of its own.
fn adds_up(arg: &Arg) -> bool {
    arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains('=')))
}

/// The command line as it is read: with the options for the file, and flags that can be switched off.
pub(crate) fn completed(command: Command) -> Command {
    with_values(with_file(command))
}

/// The options that choose the file, for each subcommand; `analysis` has KataGo's `--config` in their place.
fn with_file(command: Command) -> Command {
    let file = Arg::new("settings_file").long(FILE).value_name("FILE").value_parser(clap::value_parser!(PathBuf));
    let no_file = Arg::new("no_settings_file").long(NO_FILE).action(ArgAction::SetTrue);
    let file = file.help("Read options from this file instead of ~/.config/losange.toml (see `losange config`)");
    let mut command = command.arg(no_file.help("Read no options from a file"));
    if !command.get_opts().any(|arg| arg.get_long() == Some(FILE)) {
        command = command.arg(file).mut_arg("no_settings_file", |no_file| no_file.conflicts_with("settings_file"));
    }
    command.mut_subcommands(with_file)
}

/// Flags that take `=false` too, against a variable or the file that sets them.
fn with_values(command: Command) -> Command {
    let valued = |arg: Arg| match arg.get_action() {
        ArgAction::SetTrue => arg
            .action(ArgAction::Set)
            .num_args(0..=1)
            .require_equals(true)
            .default_value("false")
            .default_missing_value("true")
            .value_parser(BoolishValueParser::new())
            .value_name("BOOL")
            .hide_default_value(true)
            .hide_possible_values(true),
        _ => arg,
    };
    command.mut_args(valued).mut_subcommands(with_values)
}

/// Options that do not stand in the command line, with their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere(Vec<String>);

impl Elsewhere {
    fn of(settings: &[Setting<'_>]) -> Self {
        let told = |one: &Setting<'_>| Some(format!("--{} by {}", one.arg.get_long()?, one.origin));
        Self(settings.iter().filter_map(told).collect())
    }

    /// An error of a command, which one of these options may be the reason of.
    pub(crate) fn beside(&self, error: anyhow::Error) -> anyhow::Error {
        if self.0.is_empty() { error } else { anyhow!("{error:#} (set elsewhere: {})", self.0.join(", ")) }
    }
}

/// Reads the command line, with what environment and file say besides, which is told apart too. Ends the program where the command
/// line is wrong or asks for help.
///
/// # Errors
/// A file that cannot be read, and settings in it or in the environment that are wrong, with their place.
pub(crate) fn parse(command: Command, arguments: &[OsString]) -> anyhow::Result<(ArgMatches, Elsewhere)> {
    let looked_up = with_file(command);
    let parsed = with_values(looked_up.clone());
    let line = Typed::new(&looked_up, arguments);
    let read = File::chosen(&line).and_then(|file| {
        let settings = settings(&line, &file)?;
        Ok((joined(&parsed, &line, &settings)?, Elsewhere::of(&settings)))
    });
    // Help is given whatever the settings are.
    if read.is_err()
        && let Err(help) = parsed.try_get_matches_from(arguments)
        && !help.use_stderr()
    {
        help.exit()
    }
    match read? {
        (Ok(matches), elsewhere) => Ok((matches, elsewhere)),
        (Err(error), _) => error.exit(),
    }
}

/// Settings of a command that the command line leaves room for, those that stand above others last.
fn settings<'a>(line: &Typed<'a>, file: &File) -> anyhow::Result<Vec<Setting<'a>>> {
    let sources = [(true, line.path("_")), (true, String::new()), (false, line.path(" ")), (false, String::new())];
    let all = line.options();
    let mut decided: Vec<&Arg> = all.iter().copied().filter(|arg| line.gives(arg)).collect();
    // Of these, the ones that exclude others.
    let mut active = decided.clone();
    let mut found = Vec::new();
    let means_another = OTHER_TIMES.contains(&line.path(" ").as_str());
    for (variable, place) in sources {
        let mut here = Vec::new();
        for &arg in &all {
            if place.is_empty() && means_another && arg.get_long() == Some("time") {
                continue;
            }
            let setting = if variable { of_variable(&place, arg) } else { file.setting(&place, arg) };
            let Some(setting) = setting else { continue };
            let excluded = active.iter().any(|other| line.conflict(arg, other));
            if !adds_up(arg) && (decided.contains(&arg) || excluded) {
                continue;
            }
            here.push(setting);
        }
        decided.extend(here.iter().map(|setting| setting.arg));
        active.extend(here.iter().filter(|setting| !setting.is_off()).map(|setting| setting.arg));
        found.push(here);
    }
    Ok(found.into_iter().rev().flatten().collect())
}

/// A setting by the environment. A variable without a value is none.
fn of_variable<'a>(subcommand: &str, arg: &'a Arg) -> Option<Setting<'a>> {
    let long = arg.get_long()?;
    if subcommand.is_empty() && long == FILE {
        return None;
    }
    let name: String = [subcommand, long].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
    let name = format!("{PREFIX}{}", name.replace('-', "_").to_uppercase());
    let value = env::var_os(&name).filter(|value| !value.is_empty())?;
    let several = matches!(arg.get_action(), ArgAction::Append) && arg.get_value_delimiter().is_none();
    let values = match value.to_str() {
        Some(text) if several => text.split(',').map(OsString::from).collect(),
        _ => vec![value],
    };
    Some(Setting { arg, values, origin: Origin::Variable(name) })
}

/// Kind of an error and the option that it is about.
fn essence(error: &Error) -> (clap::error::ErrorKind, Option<String>, Option<String>) {
    let told = |kind| error.get(kind).map(ToString::to_string);
    (error.kind(), told(ContextKind::InvalidArg), told(ContextKind::InvalidValue))
}

/// Matches of the command line with the settings, or clap's error where the command line is at fault.
///
/// # Errors
/// A setting that is wrong, with its place.
fn joined(parsed: &Command, line: &Typed<'_>, settings: &[Setting<'_>]) -> anyhow::Result<Result<ArgMatches, Error>> {
    // Where a subcommand is missing, that is the mistake.
    let settings = if line.wants_subcommand() { &[] } else { settings };
    let words = settings.iter().map(Setting::words).collect::<anyhow::Result<Vec<_>>>()?;
    let with = |first: usize| parsed.clone().try_get_matches_from(line.with(words[..first].concat()));
    let whole = match with(words.len()) {
        Err(error) if error.use_stderr() => error,
        other => return Ok(other),
    };
    let same = |first: &usize| with(*first).is_err_and(|error| essence(&error) == essence(&whole));
    match (0..=words.len()).find(same) {
        Some(0) | None => Ok(with(0)),
        Some(first) => {
            let rendered = whole.render().to_string();
            let told = rendered.trim_start_matches("error: ").split("\n\n").next().unwrap_or_default();
            let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
            bail!(
                "{}: {told}; `losange config {} --no-config` tells of the option",
                settings[first - 1].origin,
                line.path(" ")
            )
        }
    }
}
