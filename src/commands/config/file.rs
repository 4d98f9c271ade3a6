//! The file of settings: TOML, with a table for each subcommand and options of all subcommands before them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Arg, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::typed::{Typed, options};
use super::{FILE, Origin, PREFIX, Setting, adds_up, is_false};

/// Name of the file in the folder of settings.
const NAME: &str = "losange.toml";
/// Most bytes of it.
const LONGEST: u64 = 1 << 20;

/// An option in the file.
#[derive(Debug)]
struct Entry {
    /// Its table: names of subcommands with blanks between them, or nothing.
    table: String,
    name: String,
    values: Vec<OsString>,
    line: usize,
}

/// A file of settings.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Its path, unless there shall be none.
    path: Option<PathBuf>,
    /// Whether it is there.
    found: bool,
    entries: Vec<Entry>,
}

/// Path of the file where none is named.
fn usual() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let own = || if cfg!(windows) { folder("APPDATA") } else { None };
    let home = || env::home_dir().filter(|path| path.is_absolute()).map(|home| home.join(".config"));
    folder("XDG_CONFIG_HOME").or_else(own).or_else(home).map(|folder| folder.join(NAME))
}

/// Reads a text of bounded length, of a file, a pipe or a device.
fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = fs::File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if read as u64 > LONGEST { Err(io::Error::other("more than 1 MiB")) } else { Ok(text) }
}

impl File {
    /// The file that the command line or the environment names, or the one in its usual place.
    ///
    /// # Errors
    /// A named file that is not there, a file that cannot be read, or that has something else than options.
    pub(super) fn chosen(line: &Typed<'_>) -> anyhow::Result<Self> {
        let variable = |name| env::var_os(format!("{PREFIX}{name}")).filter(|value| !value.is_empty());
        let (typed, none) = line.file();
        let refused = || variable("NO_CONFIG").is_some_and(|value| value.to_str().is_none_or(|value| !is_false(value)));
        if none || typed.is_none() && refused() {
            return Ok(Self::default());
        }
        let named = typed.or_else(|| variable("CONFIG")).map(PathBuf::from);
        let Some(path) = named.clone().or_else(usual) else { return Ok(Self::default()) };
        match read(&path) {
            Ok(text) => Self::parse(&path, &text, line.program()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && named.is_none() => {
                Ok(Self { path: Some(path), ..Self::default() })
            }
            Err(error) => Err(error).with_context(|| format!("the file of settings {} cannot be read", path.display())),
        }
    }

    /// Reads a file's text, for a program with these subcommands.
    ///
    /// # Errors
    /// Text that is not TOML, keys that are no options, and values that no option can have, each with its line.
    pub(super) fn parse(path: &Path, text: &str, program: &Command) -> anyhow::Result<Self> {
        let at = |place: usize| format!("{}:{}", path.display(), line_of(text, place));
        let table = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            anyhow::anyhow!("{}: {}", at(place), error.message())
        })?;
        let mut reading = Reading { text, at: &at, program, entries: Vec::new() };
        reading.table(table.get_ref(), &[program])?;
        Ok(Self { path: Some(path.to_owned()), found: true, entries: reading.entries })
    }

    /// Its setting of an option in a table.
    pub(super) fn setting<'a>(&self, table: &str, arg: &'a Arg) -> Option<Setting<'a>> {
        let long = arg.get_long()?;
        // KataGo's file is that of its own subcommand.
        if table.is_empty() && long == FILE {
            return None;
        }
        let entry = self.entries.iter().find(|entry| entry.table == table && entry.name == long)?;
        let origin = Origin::Line(self.path.clone()?, entry.line);
        Some(Setting { arg, values: entry.values.clone(), origin })
    }

    /// Says in words which file it is.
    pub(super) fn told(&self) -> String {
        match &self.path {
            Some(path) if self.found => path.display().to_string(),
            Some(path) => format!("{}, which is not there", path.display()),
            None => "none is read".to_owned(),
        }
    }
}

/// Number of the line with a byte.
fn line_of(text: &str, place: usize) -> usize {
    text.as_bytes().iter().take(place).filter(|byte| **byte == b'\n').count() + 1
}

/// Whether a subcommand has an option of that name.
fn somewhere(command: &Command, name: &str) -> bool {
    command.get_subcommands().any(|below| options(below).any(|arg| is(arg, name)) || somewhere(below, name))
}

fn is(arg: &Arg, name: &str) -> bool {
    arg.get_long() == Some(name)
}

/// A file that is being read.
struct Reading<'a> {
    text: &'a str,
    /// Tells a place in the file.
    at: &'a dyn Fn(usize) -> String,
    program: &'a Command,
    entries: Vec<Entry>,
}

impl<'a> Reading<'a> {
    /// Reads the table of the last of these commands, each a subcommand of the one before.
    fn table(&mut self, table: &DeTable<'_>, commands: &[&'a Command]) -> anyhow::Result<()> {
        let command = commands[commands.len() - 1];
        let path = commands[1..].iter().map(|command| command.get_name()).collect::<Vec<_>>().join(" ");
        for (key, value) in table {
            let place = key.span().start;
            let below = command.find_subcommand(key.get_ref().as_ref());
            if let (DeValue::Table(inner), Some(below)) = (value.get_ref(), below) {
                self.table(inner, &[commands, &[below]].concat())?;
                continue;
            }
            let name = key.get_ref().replace('_', "-");
            let mut own = options(command).chain(options(self.program).filter(|arg| arg.is_global_set()));
            let arg = own.find(|arg| is(arg, &name));
            let known = arg.is_some() || path.is_empty() && name != FILE && somewhere(command, &name);
            if !known {
                let kind = if below.is_some() { "a subcommand, whose options stand in a table" } else { "no option" };
                let of = if path.is_empty() { String::new() } else { format!(" {path}") };
                bail!(
                    "{}: '{}' is {kind}; `losange config{of} --no-config` lists what can stand there",
                    (self.at)(place),
                    key.get_ref()
                );
            }
            if self.entries.iter().any(|entry| entry.table == path && entry.name == name) {
                bail!("{}: '{name}' stands there twice", (self.at)(place));
            }
            let values = self.values(value, arg.is_none_or(adds_up))?;
            self.entries.push(Entry { table: path.clone(), name, values, line: line_of(self.text, place) });
        }
        Ok(())
    }

    /// The values of an option; those with names can stand in a table.
    fn values(&self, value: &Spanned<DeValue<'_>>, named: bool) -> anyhow::Result<Vec<OsString>> {
        match value.get_ref() {
            DeValue::Array(list) => list.iter().map(|value| self.scalar(value).map(OsString::from)).collect(),
            DeValue::Table(table) if named => table
                .iter()
                .map(|(name, value)| Ok(format!("{}={}", name.get_ref(), self.scalar(value)?).into()))
                .collect(),
            _ => Ok(vec![self.scalar(value)?.into()]),
        }
    }

    /// A value as it is written on the command line.
    fn scalar(&self, value: &Spanned<DeValue<'_>>) -> anyhow::Result<String> {
        Ok(match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Boolean(truth) => truth.to_string(),
            other => bail!(
                "{}: an option takes a text, a decimal number, true or false, or a list of these; found: {}",
                (self.at)(value.span().start),
                other.type_str()
            ),
        })
    }
}
