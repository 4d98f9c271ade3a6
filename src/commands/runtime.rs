//! Models on the command line: which one plays, and what runs it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::options::mib;
use super::resources;
use crate::eval::net::{Backend, HumanProfile, Network, Options};
use crate::players::models::{game_of, load, shipped};
use crate::players::{Imitator, Kind, LoadError, Models, Played, Visitor};
use crate::protocol::json::usual_game;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Where and how models are run.
#[derive(Clone, Debug, Args)]
pub(crate) struct RuntimeOptions {
    /// The ONNX Runtime library, where it is not in a usual place.
    #[arg(long, value_name = "FILE")]
    ort_lib: Option<PathBuf>,
    /// Numbers of the GPUs to use, such as 0,1.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "0")]
    devices: Vec<u32>,
    /// Memory that a model may use on each GPU, in MiB.
    #[arg(long, value_name = "MIB", value_parser = mib)]
    device_memory: Option<usize>,
}

impl RuntimeOptions {
    pub(crate) fn options(&self, backend: Backend) -> Options {
        Options {
            backend,
            library: self.ort_lib.clone(),
            devices: self.devices.clone(),
            device_memory: self.device_memory.map(|mib| mib << 20),
            ..Options::default()
        }
    }
}

/// Most MiB for results of a model that are kept, where nothing else is asked for; and its share of all memory, of which all models
/// together have at most three.
const MOST_CACHE: usize = 64;
const CACHE_SHARE: usize = 8;
const ALL_CACHES: usize = 3;

/// Options of commands that play with a model.
#[derive(Debug, Args)]
pub(crate) struct ModelOptions {
    /// Value positions with this ONNX model, network of KataGo (Go) or network of KataHex (Hex), or with the fastest of the variants
    /// in this folder, instead of the engine's own model of the game.
    #[arg(long, value_name = "PATH")]
    model: Option<PathBuf>,
    /// Play without any model.
    #[arg(long, conflicts_with = "model")]
    no_model: bool,
    /// Back end that runs the model.
    #[arg(long, value_parser = back_end(), default_value = Backend::Auto.name())]
    backend: Backend,
    #[command(flatten)]
    runtime: RuntimeOptions,
    /// MiB of --memory for the evaluation cache [default: 1/8, at most 64; 3/8 for all models together].
    #[arg(long, value_name = "MIB", value_parser = mib)]
    eval_cache: Option<usize>,
    /// Show the model each position in one of its symmetries, chosen by chance.
    #[arg(long)]
    random_symmetry: bool,
}

/// Options of commands that imitate people.
#[derive(Debug, Args)]
pub(crate) struct PeopleOptions {
    /// A network of KataGo's that imitates people (Go): JSON analyses and kata-raw-human-nn tell what they would play.
    #[arg(long, value_name = "FILE")]
    human_model: Option<PathBuf>,
    /// People whom it imitates, whose moves are played then: rank_5k, rank_5k_3d (Black's and White's), preaz_5k or proyear_1980.
    #[arg(long, value_name = "NAME", requires = "human_model")]
    human_profile: Option<HumanProfile>,
}

/// Reads the name of a back end.
pub(crate) fn back_end() -> impl TypedValueParser<Value = Backend> {
    let value =
        |back_end: &Backend| PossibleValue::new(back_end.name()).help(back_end.about().trim().trim_end_matches('.'));
    let named = |name: String| Backend::ALL.iter().copied().find(|back_end| back_end.name() == name);
    PossibleValuesParser::new(Backend::ALL.iter().map(value)).try_map(move |name| named(name).ok_or("unknown"))
}

/// Loads the model of a game: the one of that path, or the one that is compiled in.
pub(crate) struct Load<'a> {
    /// The model's path; the one that is compiled in where it is not given.
    pub(crate) path: Option<&'a Path>,
    /// How to run it.
    pub(crate) options: &'a Options,
}

impl Visitor for Load<'_> {
    type Output = Result<Option<Network>, LoadError>;

    fn visit<G: Played>(self) -> Self::Output {
        match self.path {
            Some(path) => load::<G>(path, self.options).map(Some),
            None => shipped::<G>(self.options).transpose(),
        }
    }
}

/// Asks whether a model of the game is compiled in.
struct HasModel;

impl Visitor for HasModel {
    type Output = bool;

    fn visit<G: Played>(self) -> bool {
        Network::is_shipped::<G>()
    }
}

impl PeopleOptions {
    /// People who are imitated.
    pub(crate) fn profile(&self) -> Option<&HumanProfile> {
        self.human_profile.as_ref()
    }

    /// Adds the network that imitates them, run as the models that play. Says on standard error what runs it.
    ///
    /// # Errors
    /// A network that cannot be used.
    pub(crate) fn load(&self, by: &ModelOptions, models: &mut Models) -> anyhow::Result<()> {
        let Some(path) = &self.human_model else { return Ok(()) };
        let options = Options { cache: 0, ..by.runtime.options(by.backend) };
        let people = usual_game().visit(LoadPeople(path, &options))?;
        eprintln!("losange: {} imitates people on {}", path.display(), people.network().runtime());
        models.add_people(people);
        Ok(())
    }
}

/// Loads the network that imitates people.
struct LoadPeople<'a>(&'a Path, &'a Options);

impl Visitor for LoadPeople<'_> {
    type Output = Result<Imitator, LoadError>;

    fn visit<G: Played>(self) -> Self::Output {
        Imitator::load::<G>(self.0, self.1)
    }
}

impl ModelOptions {
    /// The model that is played with, for people.
    pub(crate) fn told(&self) -> String {
        match &self.model {
            Some(path) => format!("model {}", path.display()),
            None if self.no_model => "no model".to_owned(),
            None => "the engine's own model".to_owned(),
        }
    }

    /// Whether it is said with which model to play, or that none is wanted.
    pub(crate) fn is_chosen(&self) -> bool {
        self.is_file() || self.no_model
    }

    /// Whether a model is to be read from a file.
    pub(crate) fn is_file(&self) -> bool {
        self.model.is_some()
    }

    /// The models that sessions of that game, or of any game where none is given, play with, and the MiB that their caches take of
    /// `memory`. A file that does not say its game is for that one, or else for `meant`. Says on standard error what runs them.
    ///
    /// # Errors
    /// A model that cannot be used.
    pub(crate) fn load(
        &self,
        game: Option<Kind>,
        meant: Option<Kind>,
        memory: usize,
    ) -> anyhow::Result<(Models, usize)> {
        let path = self.model.as_deref();
        // The game whose model is in the file.
        let named = path.map(|path| game.map_or_else(|| game_of(path, meant), Ok)).transpose()?;
        let kinds = match game {
            _ if self.no_model => Vec::new(),
            Some(game) => vec![game],
            None => Kind::ALL.iter().copied().filter(|&kind| named == Some(kind) || kind.visit(HasModel)).collect(),
        };
        let share = memory / CACHE_SHARE;
        let usual = MOST_CACHE.min(share).min(ALL_CACHES * share / kinds.len().max(1));
        let cache = self.eval_cache.unwrap_or(usual);
        let options =
            Options { cache: cache << 20, random_symmetry: self.random_symmetry, ..self.runtime.options(self.backend) };
        resources::caches(cache, kinds.len(), memory)?;
        let (mut models, mut taken) = (Models::default(), 0);
        for kind in kinds {
            let path = path.filter(|_| named == Some(kind));
            if let Some(network) = kind.visit(Load { path, options: &options })? {
                let others: Vec<_> =
                    network.all().skip(1).map(|network| network.path().display().to_string()).collect();
                let others =
                    if others.is_empty() { String::new() } else { format!("; for some boards {}", others.join(", ")) };
                let path = network.path().display();
                eprintln!("losange: {path} runs on {} ({}){others}", network.runtime(), network.provider());
                models.add(Arc::new(network));
                taken += cache;
            }
        }
        Ok((models, taken))
    }
}
