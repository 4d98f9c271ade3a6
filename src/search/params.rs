//! Every tunable: one row each. `--set`, the commands that read and set it, and the documentation come from the row.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One row of the table, for listings and documentation.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in `--set name=value`.
    pub name: &'static str,
    /// Type as shown to people.
    pub kind: &'static str,
    /// Default, as text.
    pub default: &'static str,
    /// Range, as text.
    pub range: &'static str,
    /// One sentence.
    pub doc: &'static str,
}

/// Why a parameter was not set.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParamError {
    /// There is no such name.
    #[error("unknown parameter '{0}'")]
    Unknown(String),
    /// The text is no value of the type, or out of range.
    #[error("parameter '{name}' wants {kind} in {range}, found '{found}'")]
    Value {
        /// Name of the parameter.
        name: &'static str,
        /// Its type.
        kind: &'static str,
        /// Its range.
        range: &'static str,
        /// What was given.
        found: String,
    },
}

/// The search that plays Hex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Unbounded best-first minimax; plays the best value.
    Ubfm,
    /// The same; plays what was selected most often.
    #[default]
    UbfmS,
    /// As `UbfmS`, with an exploration term in the selection.
    UbfmUct,
    /// As `UbfmS`, where each iteration goes on to the end of the game.
    Descent,
    /// Alpha-beta to a fixed depth, or deeper and deeper.
    AlphaBeta,
    /// Monte-Carlo tree search with playouts.
    Yopt,
}

impl Method {
    pub(crate) const ALL: [(Self, &'static str); 6] = [
        (Self::Ubfm, "ubfm"),
        (Self::UbfmS, "ubfm_s"),
        (Self::UbfmUct, "ubfm_uct"),
        (Self::Descent, "descent"),
        (Self::AlphaBeta, "alphabeta"),
        (Self::Yopt, "yopt"),
    ];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(method, _)| method == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for Method {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(_, name)| *name == text).map(|(method, _)| *method).ok_or(())
    }
}

macro_rules! params {
    (
        $choice:ident: $choice_kind:ident = $choice_default:literal, $choices:literal, $choice_doc:literal;
        $($name:ident: $kind:ident = $default:literal, $low:literal..=$high:literal, $doc:literal;)*
    ) => {
        /// Values of all tunables. `Default` gives the defaults of the table.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Params {
            #[doc = $choice_doc] pub $choice: $choice_kind,
            $(#[doc = $doc] pub $name: $kind,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $choice: $choice_kind::default(), $($name: $default,)* }
            }
        }

        impl Params {
            /// The table, in the order of its rows.
            pub const ROWS: &'static [Row] = &[Row {
                name: stringify!($choice),
                kind: "name",
                default: $choice_default,
                range: $choices,
                doc: $choice_doc,
            }, $(Row {
                name: stringify!($name),
                kind: stringify!($kind),
                default: stringify!($default),
                range: concat!(stringify!($low), "..=", stringify!($high)),
                doc: $doc,
            },)*];

            /// The value of `name` as text.
            ///
            /// # Errors
            /// [`ParamError::Unknown`].
            pub fn get(&self, name: &str) -> Result<String, ParamError> {
                match name {
                    stringify!($choice) => Ok(self.$choice.to_string()),
                    $(stringify!($name) => Ok(self.$name.to_string()),)*
                    _ => Err(ParamError::Unknown(name.to_owned())),
                }
            }

            /// Sets `name` from text.
            ///
            /// # Errors
            /// [`ParamError`], and nothing is changed.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
                match name {
                    stringify!($choice) => match value.parse::<$choice_kind>() {
                        Ok(v) => {
                            self.$choice = v;
                            Ok(())
                        }
                        Err(()) => Err(ParamError::Value {
                            name: stringify!($choice),
                            kind: "a name",
                            range: $choices,
                            found: value.to_owned(),
                        }),
                    },
                    $(stringify!($name) => match value.parse::<$kind>() {
                        Ok(v) if ($low..=$high).contains(&v) => {
                            self.$name = v;
                            Ok(())
                        }
                        _ => Err(ParamError::Value {
                            name: stringify!($name),
                            kind: stringify!($kind),
                            range: concat!(stringify!($low), "..=", stringify!($high)),
                            found: value.to_owned(),
                        }),
                    },)*
                    _ => Err(ParamError::Unknown(name.to_owned())),
                }
            }
        }
    };
}

params! {
    search: Method = "ubfm_s", "ubfm, ubfm_s, ubfm_uct, descent, alphabeta, yopt", "Hex: the search. ubfm plays the best value and ubfm_s the action selected most often; ubfm_uct adds exploration, descent goes to the end of the game each time; alphabeta and yopt (MCTS with playouts) are what they are compared with.";
    completion: u32 = 1, 0..=1, "UBFM: whether proven results are kept apart from values and proven states left alone; 0: they are values like others.";
    ubfm_uct_constant: f32 = 0.71, 0.0..=10.0, "ubfm_uct: weight of the exploration term (values are in -1..=1).";
    depth: u32 = 0, 0..=100, "alphabeta: plies, or 0 for deeper and deeper.";
    yopt_equivalence: f32 = 1000.0, 0.0..=1e9, "yopt: as rave_equivalence, in the place of it.";
    yopt_uct_constant: f32 = 0.0, -1.0..=10.0, "yopt: as uct_constant, in the place of it.";
    playout_knowledge: u32 = 3, 1..=4, "Playouts. Go: 1 uniform, else the whole policy. Hex: 1 uniform, 2 answers to intrusions into bridges, 3 also between a stone and its edge, 4 also into ziggurats.";
    leaf_playouts: u32 = 1, 1..=1000, "MCTS: playouts from each leaf that is reached.";
    rave_equivalence: f32 = 3500.0, 0.0..=1e9, "MCTS: visits at which a move's own mean and its all-moves-as-first mean weigh the same; 0 switches RAVE off.";
    solved_visits: u32 = 200, 0..=1_000_000_000, "MCTS: visits of a state before the game's knowledge (connections, inferior cells) is asked of it, in games where proofs count.";
    rave_schedule: u32 = 0, 0..=1, "MCTS: how the all-moves-as-first mean fades: 0 by minimal squared error, 1 by sqrt(k / (3 n + k)).";
    uct_constant: f32 = 0.0, -1.0..=10.0, "MCTS: weight of the UCT exploration term; 0 where RAVE and priors explore.";
    expand_visits: u32 = 4, 0..=1_000_000, "MCTS: visits of a leaf before its children are made.";
    score_weight: f32 = 0.04, 0.0..=1.0, "MCTS: share of a playout's value that depends on the margin and not on the winner alone.";
    proof_share: f32 = 0.5, 0.0..=1.0, "UBFM: share of the iterations that look for a proof instead of the best value, where at most 50 moves can be played; less where there are more. 0 is the published algorithm.";
    puct_constant: f32 = 0.7, 0.0..=10.0, "MCTS with a model: weight of exploration by the policy (values are in 0..=1).";
    fpu_reduction: f32 = 0.1, 0.0..=1.0, "MCTS with a model: a move without visits counts as its parent, less this times the root of the policy of its visited siblings.";
    playout_share: f32 = 0.0, 0.0..=1.0, "MCTS with a model: share of a playout in the value of a leaf; 0 plays none.";
    knowledge: u32 = 1, 0..=1, "UBFM: whether the game's knowledge (connections, inferior cells) is asked of states; 0: only what is seen at a glance.";
    knowledge_visits: u32 = 8, 0..=1_000_000, "UBFM with a model that values all moves at once: iterations that come through a state before the game's knowledge is asked of it.";
    prior_weight: f32 = 1.0, 0.0..=100.0, "MCTS: factor on the equivalent visits of the game's prior knowledge.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_reads_and_sets_its_default() {
        let mut params = Params::default();
        for row in Params::ROWS {
            let text = params.get(row.name).unwrap();
            params.set(row.name, &text).unwrap();
        }
        assert_eq!(params, Params::default());
    }

    #[test]
    fn searches_have_names() {
        let names: Vec<_> = Method::ALL.iter().map(|(_, name)| *name).collect();
        assert_eq!(Params::ROWS[0].range, names.join(", "));
        assert_eq!(Params::ROWS[0].default, Method::default().to_string());
        for (method, name) in Method::ALL {
            let mut params = Params::default();
            params.set("search", name).unwrap();
            assert_eq!((params.search, params.get("search")), (method, Ok(name.to_owned())));
        }
        assert!(Params::default().set("search", "best").is_err());
    }

    #[test]
    fn bad_values_say_what_was_expected() {
        let mut params = Params::default();
        assert_eq!(params.set("nonsense", "1"), Err(ParamError::Unknown("nonsense".into())));
        for bad in ["", "x", "nan", "-2", "1e99"] {
            assert!(matches!(params.set("uct_constant", bad), Err(ParamError::Value { .. })), "{bad}");
        }
        assert_eq!(params, Params::default());
    }
}
