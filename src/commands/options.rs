//! Options that several subcommands have: their parsers and defaults.

use std::net::SocketAddr;
use std::num::NonZero;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::games::{MOST_LINES, Size};
use crate::players::{Kind, Played};
use crate::rng::mix;
use crate::search::Params;
use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Threads of this machine.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Reads a number from 1 on.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    const MOST: usize = 1 << 20;
    text.parse().ok().filter(|n| (1..=MOST).contains(n)).ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

/// Reads a number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    at_least_one(text).ok().filter(|n| *n <= MOST).ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

/// Reads a time.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|s| (0.0..=1e7).contains(s)).ok_or_else(|| "expected a number of seconds".to_owned())
}

/// Reads MiB whose bytes can be counted.
pub(crate) fn mib(text: &str) -> Result<usize, String> {
    let fits = |&mib: &usize| mib.checked_mul(1 << 20).is_some();
    text.parse().ok().filter(fits).ok_or_else(|| "expected a number of MiB".to_owned())
}

/// Reads a factor: a number above 0.
pub(crate) fn factor(text: &str) -> Result<f32, String> {
    let fits = |factor: &f32| *factor > 0.0 && *factor <= 1e3;
    text.parse().ok().filter(fits).ok_or_else(|| "expected a number above 0, of at most 1000".to_owned())
}

/// Reads a number from 0 to 1.
pub(crate) fn probability(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|p| (0.0..=1.0).contains(p)).ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Reads a komi.
pub(crate) fn komi(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|k| (-1e3..=1e3).contains(k)).ok_or_else(|| "expected a number of points".to_owned())
}

/// Reads an address with its port.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let numbers = text.replacen("localhost:", "127.0.0.1:", 1);
    numbers
        .parse()
        .map_err(|_| "expected an address in numbers, or localhost, and a port, such as 127.0.0.1:8551".to_owned())
}

/// Reads a whole number.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number".to_owned())
}

/// Reads a board size.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let parse = |s: &str| s.parse().ok().filter(|n| (1..=MOST_LINES).contains(n));
    match (parse(width), parse(height)) {
        (Some(width), Some(height)) => Ok(Size { width, height }),
        _ => Err(format!(
            "expected a board such as 9 or 13x9, of at most {MOST_LINES} lines; each game has limits of its own"
        )),
    }
}

/// Reads the word of a game.
pub(crate) fn kind() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.iter().map(|kind| kind.word()))
        .try_map(|word| Kind::of_word(&word).ok_or("unknown"))
}

/// The seed that was given, or another one at each start of each process.
pub(crate) fn seed(given: Option<u64>) -> u64 {
    given.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        mix(now ^ u64::from(std::process::id()))
    })
}

/// Reads one of those names.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [(T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let chosen = |name: String| all.iter().find(|(_, other)| *other == name).map(|(choice, _)| *choice);
    PossibleValuesParser::new(all.iter().map(|(_, name)| *name)).try_map(move |name| chosen(name).ok_or("unknown"))
}

/// Name and value of each `NAME=VALUE`.
pub(crate) fn pairs(set: &[String]) -> anyhow::Result<Vec<(&str, &str)>> {
    let split = |pair| str::split_once(pair, '=').with_context(|| format!("--set wants NAME=VALUE, found '{pair}'"));
    set.iter().map(|pair| split(pair)).collect()
}

/// Parameters of a game's searches: those of the preset that is named, with those that are set by `NAME=VALUE`.
pub(crate) fn params<G: Played>(preset: Option<&str>, set: &[String]) -> anyhow::Result<Params> {
    let recipe = G::recipe();
    let mut params = preset.map(|name| recipe.preset(name)).transpose()?.unwrap_or_default();
    for (name, value) in pairs(set)? {
        recipe.set(&mut params, name, value)?;
    }
    Ok(params)
}
