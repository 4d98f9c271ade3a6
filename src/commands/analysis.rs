//! `losange analysis`: KataGo's JSON analysis protocol on standard input and output.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::players::{Kind, Resources};
use crate::protocol::json::settings::Tuning;
use crate::protocol::json::{JsonDefaults, usual_game};
use crate::search::Share;
use crate::server::queries::{QueryOptions, run as serve};
use crate::session::analysis::Analyst;
use anyhow::{Context, bail};
use clap::Args;

use super::options::{at_least_one, cores, kind, pairs, seconds, seed, threads};
use super::play::search_memory;
use super::resources;
use super::runtime::{ModelOptions, PeopleOptions};

const EXAMPLES: &str = "\
Examples:
  losange analysis                           as many positions at once as there are cores
  losange analysis --visits 500 --threads 4
  losange analysis -model NET -config analysis.cfg -override-config reportAnalysisWinratesAs=BLACK -quit-without-waiting
  echo '{\"id\":\"1\",\"moves\":[[\"B\",\"D4\"]],\"rules\":\"chinese\",\"komi\":7.5,\"boardXSize\":9,\"boardYSize\":9,\"maxVisits\":100}' | losange analysis
  echo '{\"id\":\"1\",\"game\":\"hex\",\"moves\":[[\"B\",\"c3\"]],\"boardXSize\":7,\"boardYSize\":7,\"maxVisits\":50}' | losange analysis

docs/analysis.md tells the fields of queries and answers.";

/// Options that KataGo's clients write with a single dash, and ours.
const SINGLE_DASHED: [(&str, &str); 7] = [
    ("-model", "--model"),
    ("-human-model", "--human-model"),
    ("-config", "--config"),
    ("-override-config", "--override-config"),
    ("-analysis-threads", "--positions"),
    ("-quit-without-waiting", "--quit-without-waiting"),
    ("-override-version", "--override-version"),
];

/// How queries are answered.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Analysis {
    /// Search threads of all positions together; so many positions are analysed at once, each by one thread. Where fewer wait,
    /// those that run share the threads.
    #[arg(long, default_value_t = cores(), value_parser = threads)]
    threads: usize,
    /// Memory of the program in MiB; positions that are analysed at once have equal parts of it.
    #[arg(long, default_value_t = resources::usual_memory(1024), value_parser = at_least_one)]
    memory: usize,
    /// Most seconds for a position, where a query says nothing else [default: 5, and no limit where there is one of visits].
    #[arg(long, value_parser = seconds)]
    time: Option<f64>,
    /// Most visits of a position, where a query says nothing else.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    visits: Option<u64>,
    /// Seed of all randomness; another one at each start where it is not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Game of queries that name none.
    #[arg(long, value_parser = kind(), default_value = usual_game().word())]
    game: Kind,
    /// Set a parameter of the search (see `losange params`); may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Read settings by the names of KataGo's configuration, such as numAnalysisThreads, maxVisits and reportAnalysisWinratesAs.
    /// docs/analysis.md has them all; those that mean nothing here are named on standard error.
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Settings as those of --config, which stand above them.
    #[arg(long, value_name = "NAME=VALUE,...")]
    override_config: Vec<String>,
    /// Most positions at once; numAnalysisThreads of --config, which this stands above.
    #[arg(long, value_name = "NUMBER", value_parser = at_least_one)]
    positions: Option<usize>,
    /// At the end of input, leave what was asked unanswered.
    #[arg(long)]
    quit_without_waiting: bool,
    /// Not used: another program's version.
    #[arg(long, value_name = "VERSION", hide = true)]
    override_version: Option<String>,
    #[command(flatten)]
    model: ModelOptions,
    #[command(flatten)]
    people: PeopleOptions,
}

/// The command line with two dashes where KataGo's clients write one.
pub(crate) fn with_two_dashes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut analysis = false;
    let read = |(place, argument): (usize, OsString)| {
        let word = argument.to_str().unwrap_or_default();
        analysis |= place > 0 && word == "analysis";
        match SINGLE_DASHED.into_iter().find(|(single, _)| *single == word) {
            Some((_, ours)) if analysis => ours.into(),
            _ => argument,
        }
    };
    arguments.enumerate().map(read).collect()
}

/// Names and values of a configuration file; an error names the line that is neither empty nor a setting.
fn settings_of(text: &str) -> impl Iterator<Item = anyhow::Result<(&str, &str)>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.enumerate().filter(|(_, line)| !line.is_empty()).map(|(before, line)| {
        let (name, value) =
            line.split_once('=').with_context(|| format!("line {}, '{line}', is not NAME = VALUE", before + 1))?;
        Ok((name.trim(), value.trim()))
    })
}

/// Settings that configurations make, and those of the whole program.
struct Configured {
    tuning: Tuning,
    /// Most positions at once.
    positions: usize,
    /// Names that mean nothing here.
    unknown: Vec<String>,
}

impl Configured {
    fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        if name == "numAnalysisThreads" {
            self.positions = at_least_one(value).map_err(anyhow::Error::msg).context(name.to_owned())?;
        } else if !self.tuning.set(name, value).map_err(anyhow::Error::msg)? {
            self.unknown.push(name.to_owned());
        }
        Ok(())
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let set = |setting: anyhow::Result<(&str, &str)>| setting.and_then(|(name, value)| self.set(name, value));
        settings_of(&text).try_for_each(set).with_context(|| path.display().to_string())
    }
}

impl Analysis {
    /// Settings of queries, and the most positions at once.
    fn configured(&self) -> anyhow::Result<(Tuning, usize)> {
        let mut configured = Configured { tuning: Tuning::default(), positions: self.threads, unknown: Vec::new() };
        self.config.iter().try_for_each(|path| configured.read(path))?;
        for pair in self.override_config.iter().flat_map(|list| list.split(',')).filter(|pair| !pair.trim().is_empty())
        {
            let Some((name, value)) = pair.split_once('=') else {
                bail!("-override-config wants NAME=VALUE, found '{pair}'")
            };
            configured.set(name.trim(), value.trim())?;
        }
        let Configured { mut tuning, positions, unknown } = configured;
        if !unknown.is_empty() {
            eprintln!("losange: settings that mean nothing here: {}", unknown.join(", "));
        }
        let positions = self.positions.unwrap_or(positions);
        tuning.people = self.people.profile().cloned().or(tuning.people);
        tuning.visits = self.visits.or(tuning.visits);
        tuning.time = self.time.map(Duration::from_secs_f64).or(tuning.time);
        for (name, value) in pairs(&self.set)? {
            tuning.params.set(name, value)?;
        }
        Ok((tuning, positions.min(self.threads)))
    }
}

/// Answers queries until the input ends.
pub(crate) fn run(options: &Analysis) -> anyhow::Result<()> {
    let (tuning, positions) = options.configured()?;
    resources::memory(options.threads, options.memory)?;
    let (mut models, caches) = options.model.load(None, Some(options.game), options.memory)?;
    options.people.load(&options.model, &mut models)?;
    let memory = search_memory(options.memory, options.memory.saturating_sub(caches)) / positions;
    let resources = Resources { share: Arc::new(Share::new(options.threads)), memory: memory.max(1), models };
    let defaults = JsonDefaults { game: options.game, tuning, limits: None };
    let analyst = Analyst::new(resources, seed(options.seed));
    // Some programs send nothing before they have read these words.
    eprintln!("losange: ready to begin handling requests");
    Ok(serve(QueryOptions { defaults, analyst, positions, quit_without_waiting: options.quit_without_waiting })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_write_one_dash() {
        let line = |text: &str| with_two_dashes(text.split(' ').map(OsString::from));
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let katrain = "/usr/bin/losange analysis -model a.onnx -config /x/-config -override-config homeDataDir=/h";
        let read = "/usr/bin/losange analysis --model a.onnx --config /x/-config --override-config homeDataDir=/h";
        assert_eq!(line(katrain), words(read));
        assert_eq!(
            line("losange -v analysis -quit-without-waiting"),
            words("losange -v analysis --quit-without-waiting")
        );
        assert_eq!(line("losange analysis -analysis-threads 2"), words("losange analysis --positions 2"));
        assert_eq!(line("losange go -model x"), words("losange go -model x"));
    }

    #[test]
    fn configurations_are_read() {
        let text =
            "# numAnalysisThreads = 9\nmaxVisits = 500 # many\n\nreportAnalysisWinratesAs=BLACK\nnnRandomize = true\n";
        let mut configured = Configured { tuning: Tuning::default(), positions: 4, unknown: Vec::new() };
        for setting in settings_of(text) {
            let (name, value) = setting.unwrap();
            configured.set(name, value).unwrap();
        }
        let wrong = settings_of("a = b\n\nmaxVisits 10").last().unwrap().unwrap_err().to_string();
        assert_eq!(wrong, "line 3, 'maxVisits 10', is not NAME = VALUE");
        assert_eq!((configured.tuning.visits, configured.positions), (Some(500), 4));
        assert_eq!(configured.unknown, ["nnRandomize"]);
        configured.set("numAnalysisThreads", "12").unwrap();
        assert_eq!(configured.positions, 12);
        assert!(configured.set("numAnalysisThreads", "none").is_err() && configured.set("maxTime", "soon").is_err());
    }
}
