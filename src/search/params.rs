//! Every tunable: one row each. `--set`, the commands that read and set it, and the documentation come from the row.

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

macro_rules! params {
    ($($name:ident: $kind:ident = $default:literal, $low:literal..=$high:literal, $doc:literal;)*) => {
        /// Values of all tunables. `Default` gives the defaults of the table.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Params {
            $(#[doc = $doc] pub $name: $kind,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Params {
            /// The table, in the order of its rows.
            pub const ROWS: &'static [Row] = &[$(Row {
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
    rave_equivalence: f32 = 3500.0, 0.0..=1e9, "MCTS: visits at which a move's own mean and its all-moves-as-first mean weigh the same; 0 switches RAVE off.";
    uct_constant: f32 = 0.0, 0.0..=10.0, "MCTS: weight of the UCT exploration term; 0 where RAVE and priors explore.";
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
    fn bad_values_say_what_was_expected() {
        let mut params = Params::default();
        assert_eq!(params.set("nonsense", "1"), Err(ParamError::Unknown("nonsense".into())));
        for bad in ["", "x", "nan", "-1", "1e99"] {
            assert!(matches!(params.set("uct_constant", bad), Err(ParamError::Value { .. })), "{bad}");
        }
        assert_eq!(params, Params::default());
    }
}
