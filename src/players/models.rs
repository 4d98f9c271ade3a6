//! Models by game: which game a file is for, and whether that game can be played with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::{Imitator, Kind, Played};
use crate::eval::net::{ModelError, ModelFile, Network, Options, read, read_for, variants};
use crate::game::Planes;

/// Why a game cannot be played with a model.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file does not fit or does not run.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// It is for no game of this engine.
    #[error("the model {} is for {game}; known are {}", path.display(), Kind::words())]
    Game {
        /// The file.
        path: PathBuf,
        /// The game of its metadata.
        game: String,
    },
    /// Network of `--human-model` that does not imitate people.
    #[error("the model {} does not imitate people: what --human-model wants is a network of KataGo's whose name has 'human'", path.display())]
    NoPeople {
        /// The file.
        path: PathBuf,
    },
    /// It lacks an output without which the game is not played.
    #[error("the model {} gives {gives}; {kind} needs a policy too", path.display())]
    Policy {
        /// The file.
        path: PathBuf,
        /// Outputs of its metadata.
        gives: String,
        /// The game.
        kind: Kind,
    },
}

/// The game of a model file, or of a folder of variants. Files in KataGo's format do not say whether they are for Go or for Hex: they are
/// for the game that is meant, where there is such a network of it.
///
/// # Errors
/// [`LoadError`].
pub fn game_of(path: &Path, meant: Option<Kind>) -> Result<Kind, LoadError> {
    let files = variants(path)?;
    let as_meant = meant.and_then(|kind| read_for(&files[0], kind.word()).ok());
    let model = as_meant.map_or_else(|| read(&files[0]), Ok)?;
    Kind::of_models(&model.game).ok_or_else(|| LoadError::Game { path: path.to_owned(), game: model.game })
}

/// Outputs of a model, separated by commas.
pub fn outputs(model: &ModelFile) -> String {
    model.outputs.iter().map(|output| output.name()).collect::<Vec<_>>().join(", ")
}

/// Loads a model to play a game with.
///
/// # Errors
/// [`LoadError`].
pub fn load<G: Played>(path: &Path, options: &Options) -> Result<Network, LoadError> {
    checked::<G>(Network::load(path, options, &G::square)?)
}

/// Loads the model of the game that is compiled in, if there is one.
///
/// # Errors
/// [`LoadError`].
pub fn shipped<G: Played>(options: &Options) -> Option<Result<Network, LoadError>> {
    Network::shipped(options, &G::square).map(|network| checked::<G>(network?))
}

fn checked<G: Played>(network: Network) -> Result<Network, LoadError> {
    if G::recipe().plays_with(network.model()) {
        return Ok(network);
    }
    let (path, gives) = (network.path().to_owned(), outputs(network.model()));
    Err(LoadError::Policy { path, gives, kind: G::KIND })
}

/// Models to play with, at most one for each game, and one that imitates people.
#[derive(Clone, Debug, Default)]
pub struct Models {
    own: Vec<Arc<Network>>,
    people: Option<Imitator>,
}

impl Models {
    /// With one model.
    pub fn one(network: Arc<Network>) -> Self {
        Self { own: vec![network], people: None }
    }

    /// Adds a model, in the place of another one of the same game.
    pub fn add(&mut self, network: Arc<Network>) {
        self.own.retain(|other| other.model().game != network.model().game);
        self.own.push(network);
    }

    /// Adds a network that imitates people, in the place of another one.
    pub fn add_people(&mut self, people: Imitator) {
        self.people = Some(people);
    }

    /// The network that imitates people.
    pub fn people(&self) -> Option<&Imitator> {
        self.people.as_ref()
    }

    /// Models to play with.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Network>> {
        self.own.iter()
    }

    /// The model of that game.
    pub fn of<G: Planes>(&self) -> Option<&Arc<Network>> {
        self.own.iter().find(|network| network.model().game == G::NAME)
    }
}
