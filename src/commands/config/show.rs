//! `losange config`: where the file of settings is, which options can stand in it, and what holds.

use std::ffi::{OsStr, OsString};

use anyhow::anyhow;
use clap::{Arg, ArgAction, Args, Command};

use super::file::File;
use super::typed::{Typed, options};
use super::{Setting, completed, joined, settings, with_file};
use crate::commands::out::say;

const ABOUT: &str = "\
The output is such a file, with each option that nothing sets as a comment. Options of all subcommands may stand before the tables.

An option is also read from the environment: LOSANGE_GO_TIME for `losange go`, LOSANGE_TIME for each subcommand with --time. The command
line stands above the environment, and that above the file. There, a subcommand's own setting stands above one for all. A flag can be
switched off again by --FLAG=false. Options of the form NAME=VALUE add up; the last one of a name holds.

Examples:
  losange config                             the options of all subcommands
  losange config go                          those of one
  losange --config FILE go --no-model=false  another file, and one of its flags switched off";

/// Show which file of settings is read, what can stand in it, and what holds.
#[derive(Debug, Args)]
#[command(after_help = ABOUT)]
pub(crate) struct ConfigOptions {
    /// Subcommand whose options are shown; all of them where none is given.
    command: Vec<String>,
}

/// Prints the settings that hold for a command and those below it.
pub(crate) fn run(options: &ConfigOptions, program: Command, arguments: &[OsString]) -> anyhow::Result<()> {
    let looked_up = with_file(program.clone());
    let parsed = completed(program);
    let file = File::chosen(&Typed::new(&looked_up, arguments))?;
    let mut path = vec![OsString::from(looked_up.get_name())];
    let mut command = &looked_up;
    for name in &options.command {
        let below = command.find_subcommand(name);
        command = below.ok_or_else(|| anyhow!("there is no subcommand '{name}'; `losange --help` lists them"))?;
        path.push(command.get_name().into());
    }
    say!("# File: {}", file.told());
    show(&looked_up, &parsed, command, &path, &file)
}

fn show(program: &Command, parsed: &Command, command: &Command, path: &[OsString], file: &File) -> anyhow::Result<()> {
    let line = Typed::new(program, path);
    let found = settings(&line, file)?;
    // Wrong values are an error here too.
    let _ = joined(parsed, &line, &found)?;
    let own: Vec<&Arg> = options(command).filter(|arg| !arg.is_hide_set()).collect();
    if !own.is_empty() {
        let name = path[1..].iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join(".");
        say!("{}", if name.is_empty() { String::new() } else { format!("\n[{name}]") });
    }
    for arg in own {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        say!("# {}", help.split_whitespace().collect::<Vec<_>>().join(" "));
        let set: Vec<&Setting<'_>> = found.iter().filter(|setting| setting.arg.get_id() == arg.get_id()).collect();
        let long = arg.get_long().unwrap_or_default();
        let Some(last) = set.last() else {
            say!("#{long} = {}", literal(arg, arg.get_default_values().iter().map(AsRef::as_ref)));
            continue;
        };
        let places: Vec<String> = set.iter().map(|setting| setting.origin.to_string()).collect();
        let values = set.iter().flat_map(|setting| &setting.values).map(AsRef::as_ref);
        say!("{long} = {}  # {}", literal(last.arg, values), places.join(", "));
    }
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        show(program, parsed, below, &[path, &[below.get_name().into()]].concat(), file)?;
    }
    Ok(())
}

/// Whether a text is a number as TOML writes them: 7, -0.5.
fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let size = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = size.split_once('.').unwrap_or((size, "0"));
    digits(whole) && digits(fraction) && (whole == "0" || !whole.starts_with('0')) && text.len() < 18
}

/// Values as TOML.
fn literal<'a>(arg: &Arg, values: impl Iterator<Item = &'a OsStr>) -> String {
    let one = |value: &OsStr| match value.to_string_lossy() {
        text if is_number(&text) || matches!(text.as_ref(), "true" | "false") => text.into_owned(),
        text => serde_json::json!(text).to_string(),
    };
    let delimiter = arg.get_value_delimiter();
    let all: Vec<String> = values
        .flat_map(|value| match (delimiter, value.to_str()) {
            (Some(delimiter), Some(text)) => text.split(delimiter).map(|part| one(OsStr::new(part))).collect(),
            _ => vec![one(value)],
        })
        .collect();
    let list = delimiter.is_some() || matches!(arg.get_action(), ArgAction::Append);
    match all.as_slice() {
        [] if matches!(arg.get_action(), ArgAction::SetTrue) => "false".to_owned(),
        [] if matches!(arg.get_action(), ArgAction::Count) => "0".to_owned(),
        [] if list => "[]".to_owned(),
        [] => String::new(),
        [one] if !list => one.clone(),
        _ => format!("[{}]", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_without_quotes() {
        for number in ["0", "7", "-7", "0.5", "-6.5", "10.25"] {
            assert!(is_number(number) && number.parse::<f64>().is_ok(), "{number}");
        }
        for text in ["", "-", "--7", ".5", "5.", "+5", "1e3", "007", "0x7", "7,9", "nan", "1.2.3"] {
            assert!(!is_number(text), "{text}");
        }
    }
}
