//! The command line as it was typed: its subcommand, and which options it gives.

use std::borrow::Cow;
use std::ffi::OsString;

use clap::{Arg, Command};

use super::{FILE, NO_FILE, is_false};

/// A command line, and the commands that it names.
pub(super) struct Typed<'a> {
    arguments: &'a [OsString],
    /// From the program to the subcommand of a subcommand.
    commands: Vec<&'a Command>,
    /// Number of the word after the last of their names.
    after: usize,
}

/// Options of a command that can be set beside the command line.
pub(super) fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    let own = |arg: &&Arg| !matches!(arg.get_id().as_str(), "settings_file" | "no_settings_file");
    command.get_opts().filter(|arg| arg.get_long().is_some()).filter(own)
}

impl<'a> Typed<'a> {
    pub(super) fn new(program: &'a Command, arguments: &'a [OsString]) -> Self {
        let (mut commands, mut after, mut next) = (vec![program], 1, 1);
        while let Some(word) = arguments.get(next).and_then(|word| word.to_str()) {
            let command = commands[commands.len() - 1];
            next += 1;
            if let Some(long) = word.strip_prefix("--") {
                let takes_next = |arg: &Arg| arg.get_long() == Some(long) && arg.get_action().takes_values();
                next += usize::from(command.get_opts().any(takes_next));
            } else if !word.starts_with('-') {
                let Some(below) = command.find_subcommand(word) else { break };
                commands.push(below);
                after = next;
            }
        }
        Self { arguments, commands, after }
    }

    /// Names of the subcommands, joined.
    pub(super) fn path(&self, by: &str) -> String {
        self.commands[1..].iter().map(|command| command.get_name()).collect::<Vec<_>>().join(by)
    }

    pub(super) fn program(&self) -> &'a Command {
        self.commands[0]
    }

    fn command(&self) -> &'a Command {
        self.commands[self.commands.len() - 1]
    }

    /// Whether a subcommand is missing.
    pub(super) fn wants_subcommand(&self) -> bool {
        self.command().is_subcommand_required_set()
    }

    /// All options that can be set for its command.
    pub(super) fn options(&self) -> Vec<&'a Arg> {
        let all = options(self.program()).filter(|arg| arg.is_global_set());
        if self.commands.len() == 1 { all.collect() } else { all.chain(options(self.command())).collect() }
    }

    /// Whether two of its options exclude each other.
    pub(super) fn conflict(&self, one: &Arg, other: &Arg) -> bool {
        let excludes = |one: &Arg, other: &Arg| {
            !one.is_global_set()
                && self.command().get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
        };
        excludes(one, other) || excludes(other, one)
    }

    /// Words from a number to another, and to two dashes.
    fn words(&self, from: usize, end: usize) -> impl Iterator<Item = Cow<'a, str>> {
        let words = self.arguments[..end.min(self.arguments.len())].iter().skip(from);
        words.map(|word| word.to_string_lossy()).take_while(|word| word != "--")
    }

    /// Whether it gives that option.
    pub(super) fn gives(&self, arg: &Arg) -> bool {
        let is_long = |name: &str| {
            arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
        };
        // Before a subcommand with an option of the same name as that for the file, it is the one for the file.
        let from = if arg.get_long() == Some(FILE) { self.after } else { 1 };
        self.words(from, usize::MAX).any(|word| match (word.strip_prefix("--"), word.strip_prefix('-')) {
            (Some(long), _) => is_long(long.split('=').next().unwrap_or_default()),
            (None, Some(short)) => arg.get_short().is_some_and(|own| short.contains(own)),
            (None, None) => false,
        })
    }

    /// The file of options that it names, and whether it wants none.
    pub(super) fn file(&self) -> (Option<OsString>, bool) {
        let own = options(self.command()).any(|arg| arg.get_long() == Some(FILE));
        let end = if own { self.after } else { self.arguments.len() };
        let (mut file, mut none) = (None, false);
        for (place, word) in self.words(1, end).enumerate() {
            match word.strip_prefix("--").map(|long| long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)))) {
                Some((FILE, Some(value))) => file = Some(value.into()),
                // Words are counted from the first after the program's name.
                Some((FILE, None)) => file = self.arguments.get(place + 2).cloned(),
                Some((NO_FILE, value)) => none = value.is_none_or(|value| !is_false(value)),
                _ => {}
            }
        }
        (file, none)
    }

    /// Its words, with others before the options of the subcommand.
    pub(super) fn with(&self, words: Vec<OsString>) -> Vec<OsString> {
        let after = self.after.min(self.arguments.len());
        [&self.arguments[..after], &words, &self.arguments[after..]].concat()
    }
}
