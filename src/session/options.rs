//! Options that a client changes while a session runs: budget of a move, threads, resigning, model.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::core::Core;
use super::settings::Settings;
use crate::players::Played;
use crate::players::levels::{self, LevelError};

/// Longest time for a move, in seconds.
const LONGEST: f64 = 1e7;

/// Why an option is not changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OptionError {
    /// There is none of that name.
    #[error("unknown option '{name}': expected one of {}", names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// Level that the game does not have.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// Value that the option cannot have.
    #[error("{name} cannot be '{value}': expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// Values that it can have.
        expected: String,
    },
}

/// An option and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionValue {
    /// Its name.
    pub name: &'static str,
    /// The words that it may be, where it is one of a few.
    pub words: &'static [&'static str],
    /// Its value now.
    pub value: String,
}

/// An option.
struct EngineOption {
    name: &'static str,
    words: &'static [&'static str],
    get: fn(&Settings) -> String,
    /// Changes it, or says what was expected.
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

/// Option whose values are those of the game.
const LEVEL: &str = "level";
const MODEL: [&str; 2] = ["given", "none"];

const OPTIONS: [EngineOption; 5] = [
    EngineOption {
        name: "time_per_move",
        words: &[],
        get: |settings| settings.time_per_move.as_secs_f64().to_string(),
        set: |settings, value| {
            let seconds = within(value, 0.0, LONGEST)?;
            settings.time_per_move = Duration::from_secs_f64(seconds);
            Ok(())
        },
    },
    EngineOption {
        name: "playouts",
        words: &[],
        get: |settings| settings.playouts.unwrap_or(0).to_string(),
        set: |settings, value| {
            settings.playouts = Some(within(value, 0, u64::MAX)?).filter(|&playouts| playouts > 0);
            Ok(())
        },
    },
    EngineOption {
        name: "threads",
        words: &[],
        get: |settings| settings.threads.to_string(),
        set: |settings, value| {
            settings.threads = within(value, 1, settings.share.threads())?;
            Ok(())
        },
    },
    EngineOption {
        name: "resign_below",
        words: &[],
        get: |settings| settings.resign.below.to_string(),
        set: |settings, value| {
            settings.resign.below = within(value, 0.0, 1.0)?;
            Ok(())
        },
    },
    EngineOption {
        name: "model",
        words: &MODEL,
        get: |settings| MODEL[usize::from(!settings.plays_with_models)].to_owned(),
        set: |settings, value| {
            let number = MODEL.iter().position(|&word| word == value).ok_or_else(|| MODEL.join(" or "))?;
            settings.plays_with_models = number == 0;
            Ok(())
        },
    },
];

fn names() -> String {
    OPTIONS.iter().map(|option| option.name).chain([LEVEL]).collect::<Vec<_>>().join(", ")
}

fn within<T: FromStr + PartialOrd + Display>(value: &str, least: T, most: T) -> Result<T, String> {
    let number = value.parse().ok().filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| format!("a number from {least} to {most}"))
}

impl<G: Played> Core<G> {
    /// The options.
    pub fn options(&self) -> Vec<OptionValue> {
        let value = |option: &EngineOption| OptionValue {
            name: option.name,
            words: option.words,
            value: (option.get)(self.settings()),
        };
        let level = levels::show::<G>(self.settings().params.level);
        OPTIONS.iter().map(value).chain([OptionValue { name: LEVEL, words: &[], value: level }]).collect()
    }

    /// Changes an option. Another model, or none, begins the search afresh.
    ///
    /// # Errors
    /// [`OptionError`]; nothing is changed.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name == LEVEL {
            self.settings.params.level = levels::read::<G>(value)?;
            return Ok(());
        }
        let option = OPTIONS.iter().find(|option| option.name == name);
        let option = option.ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
        let had_models = self.settings.plays_with_models;
        (option.set)(&mut self.settings, value).map_err(|expected| OptionError::Value {
            name: option.name,
            value: value.to_owned(),
            expected,
        })?;
        if self.settings.plays_with_models != had_models {
            self.recover();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::games::hex::Position;
    use crate::search::Share;
    use crate::session::{Control, HexSession, Session};

    fn session() -> HexSession {
        HexSession::new(Settings::new(Arc::new(Share::new(2)), 1), Arc::new(Control::new()))
    }

    #[test]
    fn an_option_reads_as_it_was_set_and_keeps_its_value_where_the_new_one_is_none() {
        let mut session = session();
        let core: &mut Core<Position> = session.core_mut();
        let good = ["2.5", "300", "1", "0.05", "none", "7"];
        let bad = ["-1", "1.5", "3", "nan", "best", "21"];
        for ((option, good), bad) in core.options().into_iter().zip(good).zip(bad) {
            assert_eq!(core.set_option(option.name, good), Ok(()));
            let error = core.set_option(option.name, bad).unwrap_err();
            assert!(error.to_string().contains(option.name), "{error}");
            let now = core.options().into_iter().find(|now| now.name == option.name).unwrap();
            assert_eq!(now.value, good);
        }
        assert!(matches!(core.set_option("speed", "1"), Err(OptionError::Unknown { .. })));
        assert_eq!((core.settings().threads, core.settings().playouts), (1, Some(300)));
        assert_eq!(core.settings().resources().models.iter().count(), 0);
    }
}
