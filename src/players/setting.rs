//! Settings of searches by name: a game takes those that it has, and names them where it is asked for another one.

use thiserror::Error;

use super::levels::{self, LevelError};
use super::{Kind, Played, Recipe};
use crate::search::Params;
use crate::search::params::{Method, ParamError};

/// Why a game does not take a setting.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SettingError {
    /// No game takes it.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The game has no such search.
    #[error("{kind} has no search '{search}'; it has {has}")]
    Search {
        /// The game.
        kind: Kind,
        /// Name of the search.
        search: String,
        /// Names of the searches of the game.
        has: String,
    },
    /// The game has no such level.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// No search of the game has such a parameter.
    #[error("{kind} has no parameter '{name}'; it has {has}")]
    Missing {
        /// The game.
        kind: Kind,
        /// Name of the parameter.
        name: String,
        /// Names of the parameters of the game.
        has: String,
    },
}

impl<G: Played> Recipe<G> {
    /// Names of the parameters that the game's searches have.
    pub fn params(&self) -> Vec<&'static str> {
        Params::names(&|part| self.has(part))
    }

    /// Names of the searches that the game has.
    pub fn searches(&self) -> String {
        let has = |method: &&(Method, &str)| self.has_method(method.0);
        let names = Method::ALL.iter().filter(has).map(|method| method.1);
        names.collect::<Vec<_>>().join(", ")
    }

    /// Checks settings of many games for this one: those that it has must have a value that it knows.
    ///
    /// # Errors
    /// [`SettingError`].
    pub fn check(&self, params: &Params) -> Result<(), SettingError> {
        let mut own = Params::default();
        self.params().into_iter().try_for_each(|name| self.set(&mut own, name, &params.get(name).unwrap_or_default()))
    }

    /// The settings that the game has; defaults in the place of the others.
    pub fn own(&self, params: &Params) -> Params {
        let mut own = Params::default();
        for name in self.params() {
            let value = params.get(name).unwrap_or_default();
            if let Err(error) = self.set(&mut own, name, &value) {
                tracing::warn!(%error, "not set");
            }
        }
        own
    }

    /// Sets a parameter from text.
    ///
    /// # Errors
    /// [`SettingError`], and nothing is changed.
    pub fn set(&self, params: &mut Params, name: &str, value: &str) -> Result<(), SettingError> {
        let mut changed = params.clone();
        changed.set(name, value)?;
        let own = self.params();
        if !own.contains(&name) {
            return Err(SettingError::Missing { kind: G::KIND, name: name.to_owned(), has: own.join(", ") });
        }
        if !self.has_method(changed.search) {
            let (search, has) = (changed.search.to_string(), self.searches());
            return Err(SettingError::Search { kind: G::KIND, search, has });
        }
        levels::check::<G>(changed.level)?;
        *params = changed;
        Ok(())
    }
}
