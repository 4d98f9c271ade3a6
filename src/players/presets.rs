//! Presets: the searches of the papers as they are published, each a name for settings that are set together.
//!
//! A preset switches off what the papers do not have: the solver before the search, proofs, knowledge, priors, learned policies. Its
//! numbers are in the paper's units. Settings that follow it change it further.

use thiserror::Error;

use super::{Kind, Played, Recipe, SettingError};
use crate::search::Params;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Paper and section.
    pub paper: &'static str,
    /// Games that it is for.
    pub games: &'static [Kind],
    /// Parameters of the search and their values; all others have their defaults.
    pub params: &'static [(&'static str, &'static str)],
    /// Options of self-play and their values.
    pub learning: &'static [(&'static str, &'static str)],
}

/// Why a preset is not set.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PresetError {
    /// There is no such name.
    #[error("unknown preset '{0}': expected one of {known}", known = names())]
    Unknown(String),
    /// The preset is for other games.
    #[error("the preset '{name}' is for {games}, and not for {kind}")]
    Game {
        /// The preset.
        name: &'static str,
        /// Games that it is for.
        games: String,
        /// The game.
        kind: Kind,
    },
    /// The game does not take one of its settings.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// Games that are searched by states: those of the paper of 2020, and Avalam.
const BY_STATES: &[Kind] = &[
    Kind::Hex,
    Kind::Clobber,
    Kind::Avalam,
    Kind::Breakthrough,
    Kind::Loa,
    Kind::Amazons,
    Kind::Santorini,
    Kind::Othello,
    Kind::Gomoku,
    Kind::Surakarta,
];

/// Rows of best-first minimax: the search and what differs, without proofs and knowledge.
macro_rules! by_states {
    ($($name:literal = $value:literal),*) => {
        &[$(($name, $value),)* ("proofs", "0"), ("knowledge", "0"), ("proof_share", "0")]
    };
}

/// Rows of tree search in Go: what differs, by playouts without a learned policy and without history.
macro_rules! by_playouts {
    ($($name:literal = $value:literal),*) => {
        &[("search", "mcts"), $(($name, $value),)* ("history_weight", "0"), ("advice_constant", "0"), ("advice_visits", "-2")]
    };
}

/// Options of learning from descent: all of the tree, however often it was searched, and games to their end.
macro_rules! by_descent {
    ($($name:literal = $value:literal),*) => {
        &[("worth", "depth"), ("selection", "ordinal"), ("keep", "1"), ("play-on", "true"), ("by-rules", "true"), $(($name, $value)),*]
    };
}

/// The table.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "ubfm-2019",
        paper: "Cohen-Solal 2019, 2.1 and 3.3: unbounded best-first minimax with completion, which plays the best value",
        games: BY_STATES,
        params: by_states!("search" = "ubfm"),
        learning: &[],
    },
    Preset {
        name: "ubfm_s-2019",
        paper: "Cohen-Solal 2019, 3.6: the same, which plays what was selected most often",
        games: BY_STATES,
        params: by_states!("search" = "ubfm_s"),
        learning: &[],
    },
    Preset {
        name: "ubfm_s-uncompleted-2019",
        paper: "Cohen-Solal 2019, table 2: UBFM_s without completion",
        games: BY_STATES,
        params: by_states!("search" = "ubfm_s", "completion" = "0"),
        learning: &[],
    },
    Preset {
        name: "ubfm_uct-2019",
        paper: "Cohen-Solal 2019, table 2: UBFM_s with UCT's term of the square root of 2",
        games: BY_STATES,
        params: by_states!("search" = "ubfm_uct", "ubfm_uct_constant" = "1.4142135"),
        learning: &[],
    },
    Preset {
        name: "alphabeta-2019",
        paper: "Cohen-Solal 2019, table 2: alpha-beta to depth 2",
        games: BY_STATES,
        params: by_states!("search" = "alphabeta", "depth" = "2"),
        learning: &[],
    },
    Preset {
        name: "descent-2019",
        paper: "Cohen-Solal 2019, 3.1 to 3.5 and 4.1: descent, the tree weighted by updates, ends by chance, resolved states kept",
        games: BY_STATES,
        params: by_states!("search" = "descent"),
        learning: by_descent!("targets" = "weighted", "random-ends" = "true", "keep-resolved" = "true"),
    },
    Preset {
        name: "descent-2020",
        paper: "Cohen-Solal 2020, 4, 5 and 7: descent, the tree as it is, depth, ordinal selection",
        games: BY_STATES,
        params: by_states!("search" = "descent"),
        learning: by_descent!("targets" = "tree", "random-ends" = "false"),
    },
    Preset {
        name: "yopt",
        paper: "Cazenave and Saffidine 2009, table 1: UCT and RAVE with playouts that know bridges and edge template II",
        games: &[Kind::Hex],
        params: &[
            ("search", "yopt"),
            ("yopt_equivalence", "16000"),
            ("yopt_uct_constant", "0.3"),
            ("yopt_schedule", "2"),
            ("playout_knowledge", "3"),
            ("leaf_mean", "1"),
            ("every_child", "1"),
            ("final_choice", "uct"),
            ("expand_visits", "1"),
            ("prior_weight", "0"),
            ("history_weight", "0"),
            ("score_weight", "0"),
            ("replies", "none"),
            ("advice_constant", "0"),
            ("proofs", "0"),
        ],
        learning: &[],
    },
    Preset {
        name: "avalam-2021",
        paper: "Maestrati 2021: a model's policy by PUCT, 20 searches a move in self-play",
        games: &[Kind::Avalam],
        params: &[
            ("search", "mcts"),
            // The paper's 1 is for values in -1..=1.
            ("puct_constant", "0.5"),
            ("unvisited_even", "1"),
            ("advice_visits", "0"),
            ("score_weight", "0"),
            ("proofs", "0"),
        ],
        learning: &[("searches", "20"), ("learned", "1"), ("varied", "1000")],
    },
    Preset {
        name: "bhrf-mean",
        paper: "Fabbri 2015, table 5.1: mean replies to every move of uniform playouts",
        games: &[Kind::Go],
        params: by_playouts!(
            "replies" = "bhrf",
            "reply_share" = "1",
            "reply_root" = "1",
            "reply_estimate" = "1",
            "playout_knowledge" = "1"
        ),
        learning: &[],
    },
    Preset {
        name: "bhrf-expert",
        paper: "Fabbri 2015, 5.5.3: mean replies to 15 % of the moves of expert playouts",
        games: &[Kind::Go],
        params: by_playouts!("replies" = "bhrf", "reply_share" = "0.15", "reply_root" = "1", "reply_estimate" = "1"),
        learning: &[],
    },
    Preset {
        name: "bhrf-volatile",
        paper: "Fabbri 2015, 5.4 and 5.5.3: the last reply of the tree to 25 % of the moves of expert playouts",
        games: &[Kind::Go],
        params: by_playouts!("replies" = "bhrf_volatile", "reply_share" = "0.25"),
        learning: &[],
    },
    Preset {
        name: "strategies-2015",
        paper: "Fabbri 2015, 6.3.2: parts of the board as goals, plain means in one tree",
        games: &[Kind::Go],
        params: by_playouts!(
            "replies" = "none",
            "strategy_weight" = "0.3",
            "strategy_exploration" = "1.4",
            "strategy_expected" = "0"
        ),
        learning: &[],
    },
    Preset {
        name: "strategies-alone-2015",
        paper: "Fabbri 2015, 6.3.3: parts of the board as goals, a tree for each, UCT without priors",
        games: &[Kind::Solitaire],
        params: &[
            ("search", "mcts"),
            ("strategy_weight", "0.5"),
            ("strategy_exploration", "0"),
            ("strategy_trees", "1"),
            ("every_child", "1"),
            ("expand_visits", "1"),
            ("rave_equivalence", "0"),
            ("score_weight", "0"),
        ],
        learning: &[],
    },
];

/// Names of all presets, separated by commas.
fn names() -> String {
    PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

impl Preset {
    /// The preset of that name.
    ///
    /// # Errors
    /// [`PresetError::Unknown`].
    pub fn of_name(name: &str) -> Result<&'static Self, PresetError> {
        PRESETS.iter().find(|preset| preset.name == name).ok_or_else(|| PresetError::Unknown(name.to_owned()))
    }

    /// Names of the games that it is for, separated by commas.
    pub fn game_names(&self) -> String {
        self.games.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
    }

    /// The value of an option of self-play, if it has one.
    pub fn option(&self, name: &str) -> Option<&'static str> {
        self.learning.iter().find(|(option, _)| *option == name).map(|&(_, value)| value)
    }
}

impl<G: Played> Recipe<G> {
    /// Presets that are for the game.
    pub fn presets(&self) -> impl Iterator<Item = &'static Preset> + use<G> {
        PRESETS.iter().filter(|preset| preset.games.contains(&G::KIND))
    }

    /// Parameters of a preset.
    ///
    /// # Errors
    /// [`PresetError`].
    pub fn preset(&self, name: &str) -> Result<Params, PresetError> {
        let preset = Preset::of_name(name)?;
        if !preset.games.contains(&G::KIND) {
            return Err(PresetError::Game { name: preset.name, games: preset.game_names(), kind: G::KIND });
        }
        let mut params = Params::default();
        for (name, value) in preset.params {
            self.set(&mut params, name, value)?;
        }
        Ok(params)
    }
}

#[cfg(test)]
mod tests;
