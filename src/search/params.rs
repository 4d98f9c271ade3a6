//! Every tunable: one row each. `--set`, the commands that read and set it, and the documentation come from the row.

use thiserror::Error;

/// One row of the table, for listings and documentation.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in `--set name=value`.
    pub name: &'static str,
    /// Type as shown to people.
    pub kind: &'static str,
    /// Component of the engine that reads it.
    pub part: Component,
    /// Default, as text.
    pub default: &'static str,
    /// Range, as text.
    pub range: &'static str,
    /// One sentence.
    pub doc: &'static str,
}

impl Row {
    /// Range of a parameter that is 0 for no and 1 for yes.
    pub const SWITCH: &'static str = "0..=1";
}

/// Component of the engine that a parameter belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// The choice of the search, which every game has.
    All,
    /// Unbounded best-first minimax in all its forms.
    Ubfm,
    /// Alpha-beta.
    AlphaBeta,
    /// Monte-Carlo tree search by parameters of its own.
    Yopt,
    /// Monte-Carlo tree search, its playouts and what they learn.
    Mcts,
    /// Search by a model's policy and values.
    Puct,
    /// A solver before the search.
    Solver,
    /// Proofs within a search, by the game's knowledge.
    Proofs,
}

/// Why a parameter was not set.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParamError {
    /// There is no such name.
    #[error("unknown parameter '{0}'; `losange params` lists them, and losange-get in a session")]
    Unknown(String),
    /// The text is no value of the type, or out of range.
    #[error("parameter '{name}' wants {}, found '{found}'", wanted(kind, range))]
    Value {
        /// Name of the parameter.
        name: &'static str,
        /// Its type.
        kind: &'static str,
        /// Its range.
        range: &'static str,
        /// The text given.
        found: String,
    },
}

/// The values of a type and range in words.
fn wanted(kind: &str, range: &str) -> String {
    match range.split_once("..=") {
        None => format!("one of {range}"),
        Some((low, high)) if kind == "f32" => format!("a number from {low} to {high}"),
        Some((low, high)) => format!("a whole number from {low} to {high}"),
    }
}

/// A choice among names, which it reads and prints.
macro_rules! choices {
    (
        $(#[$doc:meta])* $name:ident;
        $(#[$variant_doc:meta] $(#[$default:meta])? $variant:ident = $text:literal,)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            $(#[$variant_doc] $(#[$default])? $variant,)*
        }

        impl $name {
            /// Each choice and its name.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $text)),*];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let name = Self::ALL.iter().find(|(choice, _)| choice == self).map_or("", |(_, name)| name);
                f.write_str(name)
            }
        }

        impl std::str::FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                Self::ALL.iter().find(|(_, name)| *name == text).map(|(choice, _)| *choice).ok_or(())
            }
        }
    };
}

pub(crate) use choices;

choices! {
    /// The search of games that have several.
    Method;
    /// The one that the game is usually played with.
    #[default]
    Usual = "usual",
    /// Unbounded best-first minimax; plays the best value.
    Ubfm = "ubfm",
    /// Unbounded best-first minimax; plays the action selected most often.
    UbfmS = "ubfm_s",
    /// `UbfmS` with an exploration term in the selection.
    UbfmUct = "ubfm_uct",
    /// `UbfmS` with iterations that go on to the end of the game.
    Descent = "descent",
    /// Alpha-beta to a fixed depth, or deeper and deeper.
    AlphaBeta = "alphabeta",
    /// Principal variation search over patterns.
    Pvs = "pvs",
    /// Monte-Carlo tree search with playouts, by parameters of its own.
    Yopt = "yopt",
    /// Monte-Carlo tree search, with playouts or a model's policy.
    Mcts = "mcts",
    /// Search by a model's policy and values as KataGo does it.
    Puct = "puct",
    /// Beam search, in games of one player.
    Beam = "beam",
    /// Any legal move.
    Random = "random",
}

choices! {
    /// The move of a tree search.
    FinalChoice;
    /// The most visited one.
    #[default]
    Visits = "visits",
    /// The one of the highest mean with UCT's exploration term.
    Uct = "uct",
}

choices! {
    /// Learned replies of playouts.
    Replies;
    /// The usual ones of the game.
    #[default]
    Usual = "usual",
    /// Nothing: the game's policy plays alone.
    None = "none",
    /// Background history reply forest: replies in proportion to their mean results.
    Bhrf = "bhrf",
    /// Background history reply forest: the reply that the tree chose last in the longest context.
    BhrfVolatile = "bhrf_volatile",
    /// Last good replies to one and two moves, with forgetting.
    Lgrf = "lgrf",
    /// N-gram selection technique.
    Nst = "nst",
    /// Moves of the best all-moves-as-first means.
    PoolRave = "pool_rave",
}

impl Method {
    /// Whether every move of a position is valued once that is expanded, before any of them is searched.
    pub const fn values_all(self) -> bool {
        matches!(self, Self::Ubfm | Self::UbfmS | Self::UbfmUct | Self::Descent | Self::Pvs)
    }
}

macro_rules! params {
    (
        $($choice:ident: $choice_kind:ident = $choice_default:literal, $choices:literal, $choice_part:ident, $choice_doc:literal;)*
        ---
        $($name:ident: $kind:ident = $default:literal, $low:literal..=$high:literal, $part:ident, $doc:literal;)*
    ) => {
        /// Values of all tunables. `Default` gives the defaults of the table.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Params {
            $(#[doc = $choice_doc] pub $choice: $choice_kind,)*
            $(#[doc = $doc] pub $name: $kind,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($choice: $choice_kind::default(),)* $($name: $default,)* }
            }
        }

        impl Params {
            /// The table, in the order of its rows.
            pub const ROWS: &'static [Row] = &[$(Row {
                name: stringify!($choice),
                kind: "name",
                part: Component::$choice_part,
                default: $choice_default,
                range: $choices,
                doc: $choice_doc,
            },)* $(Row {
                name: stringify!($name),
                kind: stringify!($kind),
                part: Component::$part,
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
                    $(stringify!($choice) => Ok(self.$choice.to_string()),)*
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
                    $(stringify!($choice) => match value.parse::<$choice_kind>() {
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
                    },)*
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
    search: Method = "usual", "usual, ubfm, ubfm_s, ubfm_uct, descent, alphabeta, pvs, yopt, mcts, puct, beam, random", All, "The search, of those that the game has. usual: mcts for Go, ubfm_s for Hex and for Avalam without a model, mcts for Clobber, pvs for Othello and mcts with models that have a policy, puct for Go with a model and with networks of KataGo's and KataHex's, beam for Solitaire. ubfm plays the best value and ubfm_s the action selected most often; ubfm_uct adds exploration, descent goes to the end of the game each time; alphabeta (with depth=1: greedy) and yopt (MCTS with playouts and RAVE by sqrt(k / (3 n + k))) are what they are compared with; pvs is principal variation search over learned patterns, in Othello on 8×8; mcts has playouts or a model's policy; puct wants a model with a policy and shares nodes between ways to a position; beam is for one player; random plays anything.";
    replies: Replies = "usual", "usual, none, bhrf, bhrf_volatile, lgrf, nst, pool_rave", Mcts, "MCTS: what playouts answer by what the search has learned, before their own policy: usual is bhrf_volatile for Go on boards up to 9x9 and none for others; bhrf draws among the tree's replies to the longest known context by their mean results, bhrf_volatile plays the one that it chose last; lgrf plays the last good reply, nst the move of the best n-gram means, pool_rave one of the best all-moves-as-first means. In games with more than 2048 moves bhrf learns nothing, and lgrf and nst look at single moves.";
    final_choice: FinalChoice = "visits", "visits, uct", Mcts, "MCTS: the move that is played: the most visited one, or the one of the highest mean with UCT's exploration term.";
    ---
    completion: u32 = 1, 0..=1, Ubfm, "UBFM: whether proven results are kept apart from values and proven states left alone; 0: they are values like others.";
    proofs: u32 = 1, 0..=1, Proofs, "Whether the game's knowledge (chains of bridges, connections, inferior cells, races) proves results within a search and leaves moves out; 0: the rules alone end games and every legal move is looked at.";
    ubfm_uct_constant: f32 = 0.355, 0.0..=10.0, Ubfm, "ubfm_uct: weight of the exploration term beside values that are brought to 0..=1; the square root of 2 is UCT's.";
    deepest_ties: u32 = 0, 0..=1, Ubfm, "UBFM: whether of actions of the same value the one is followed whose line was searched deepest; 0: any of them.";
    depth: u32 = 0, 0..=100, AlphaBeta, "alphabeta: plies, or 0 for deeper and deeper.";
    yopt_equivalence: f32 = 1000.0, 0.0..=1e9, Yopt, "yopt: as rave_equivalence, in the place of it.";
    yopt_uct_constant: f32 = 0.0, -1.0..=10.0, Yopt, "yopt: as uct_constant, in the place of it, beside results of -1 and 1, so that it explores half as much as the same uct_constant.";
    yopt_schedule: u32 = 1, 1..=2, Yopt, "yopt: as rave_schedule, in the place of it.";
    playout_knowledge: u32 = 3, 1..=5, Mcts, "Playouts. Go: 1 uniform, 2 and 3 answers to the last moves (chains in atari, 3x3 patterns), 4 also vital points of small eye spaces, 5 also fights of two liberties. Hex: 1 uniform, 2 answers to intrusions into bridges, 3 also between a stone and its edge, 4 also into ziggurats.";
    reply_share: f32 = 0.25, 0.0..=1.0, Mcts, "replies: chance at each move of a playout that a learned reply is looked for.";
    reply_depth: u32 = 0, 0..=1000, Mcts, "replies=bhrf and bhrf_volatile: most moves of a context; 0 is no limit.";
    reply_uct_constant: f32 = 0.0, 0.0..=10.0, Mcts, "replies=bhrf: weight of the exploration term in the draw.";
    reply_root: u32 = 0, 0..=1, Mcts, "replies=bhrf: whether the empty context answers where no longer one has a reply.";
    reply_estimate: u32 = 0, 0..=1, Mcts, "replies=bhrf: how a reply that was drawn is accepted: 0 by its share among those it was drawn from, 1 by its mean and exploration term.";
    reply_patterns: u32 = 524_288, 1024..=8_388_608, Mcts, "replies=bhrf and bhrf_volatile: most patterns, of 48 bytes each, in at most a sixteenth of the memory.";
    reply_shared: u32 = 1, 0..=1, Mcts, "replies: whether all threads learn together; 0: each one by itself.";
    strategy_weight: f32 = 0.0, 0.0..=1.0, Mcts, "MCTS: weight of an intermediate goal's values against those for the game, in games that have goals (Go: parts of the board); 0 pursues none.";
    strategy_exploration: f32 = 1.4, 0.0..=10.0, Mcts, "MCTS with strategy_weight: weight of exploration in the choice of a goal.";
    strategy_expected: f32 = 10.0, 0.0..=1000.0, Mcts, "MCTS with strategy_weight, in one tree for all goals: visits that the goal's value of a position counts as in that of a move from there.";
    strategy_trees: u32 = 0, 0..=1, Mcts, "MCTS with strategy_weight: 0 one tree for all goals, 1 a tree for each.";
    leaf_playouts: u32 = 1, 1..=1000, Mcts, "MCTS: playouts from each leaf that is reached.";
    leaf_mean: u32 = 0, 0..=1, Mcts, "MCTS: whether the playouts from a leaf are one visit with their mean result; 0: each one is a visit.";
    every_child: u32 = 0, 0..=1, Mcts, "MCTS by playouts: whether every move is tried once, in any order, before one is tried twice, and visits are counted as in UCT's formula; 0: means without visits are those of priors, and counts begin at 1.";
    rave_equivalence: f32 = 3500.0, 0.0..=1e9, Mcts, "MCTS: visits at which a move's own mean and its all-moves-as-first mean weigh the same; 0 switches RAVE off.";
    solved_visits: u32 = 200, 0..=1_000_000_000, Mcts, "MCTS: visits of a state before the game's knowledge (connections, inferior cells) is asked of it, in games where proofs count.";
    rave_schedule: u32 = 0, 0..=2, Mcts, "MCTS: how the all-moves-as-first mean fades: 0 by minimal squared error, 1 by sqrt(k / (3 n + k)) with the exploration term added to both means, 2 the same with that term in what is left to the move's own mean.";
    rave_weighting: u32 = 0, 0..=1, Mcts, "MCTS: whether moves count twice as all-moves-as-first when they are played at once, and less the later they are; 0: all count once.";
    rave_colour: u32 = 1, 0..=1, Mcts, "MCTS: whether a move counts as all-moves-as-first for the side only that plays it; 0: for both.";
    uct_constant: f32 = 0.0, -1.0..=10.0, Mcts, "MCTS: weight of the UCT exploration term, to which games add: 0.05 in Solitaire, none in Go, Hex and Gomoku, 0.3 in all others.";
    history_weight: f32 = -1.0, -1.0..=1000.0, Mcts, "MCTS: visits that the mean result of a move anywhere in the tree counts as where it is met anew (history heuristic), at most as many as there were; below 0: as the game has it, which is 10 for Go on boards up to 9x9 and 0 for others.";
    criticality_weight: f32 = 0.0, 0.0..=1000.0, Mcts, "MCTS: visits won that a point of the board counts as where it is met anew, times by how much more often its owner wins than by chance (criticality; Go and Hex).";
    bias_constant: f32 = 0.0, 0.0..=10.0, Mcts, "MCTS: weight of a bias towards what the game's knowledge likes, which fades with visits (progressive bias).";
    expand_visits: u32 = 4, 0..=1_000_000, Mcts, "MCTS: visits of a leaf before its children are made.";
    score_weight: f32 = 0.04, 0.0..=1.0, Mcts, "MCTS: share of a playout's value that depends on the margin and not on the winner alone.";
    proof_share: f32 = 0.5, 0.0..=1.0, Ubfm, "UBFM: share of the iterations that look for a proof instead of the best value, where at most 50 moves can be played; less where there are more. 0 is the published algorithm.";
    solver_share: f32 = 0.5, 0.0..=1.0, Solver, "Hex, Clobber and Othello, where no search is named: share of the time in which a solver may look for a proof before the search. Hex: where at most 50 moves can be played, and less where there are more; Clobber: where few moves are left; Othello, up to 8×8: the exact score where at most 20 points are empty, and half of it for each one more.";
    puct_constant: f32 = 0.7, 0.0..=10.0, Mcts, "MCTS with a model: weight of exploration by the policy (values are in 0..=1); that of puct is exploration.";
    fpu_reduction: f32 = 0.1, 0.0..=1.0, Mcts, "MCTS with a model: a move without visits counts as its parent, less this times the root of the policy of its visited siblings.";
    wide_root_noise: f32 = 0.0, 0.0..=5.0, Mcts, "MCTS: noise by which analysis looks at more moves of the root, as KataGo's wideRootNoise: priors are flatter, and half of the time a move counts as better by the size of a normal number.";
    root_temperature: f32 = 1.0, 0.01..=100.0, Mcts, "MCTS: temperature of the priors of the root's moves: above 1 they are flatter.";
    root_fpu_reduction: f32 = -1.0, -1.0..=1.0, Mcts, "MCTS with a model: as fpu_reduction, for the root's moves, in puct in the place of root_unvisited_reduction; below 0: the same.";
    unvisited_even: u32 = 0, 0..=1, Mcts, "MCTS with a model: whether a move without visits counts as even, and exploration grows with the visits of the moves alone; 0: as fpu_reduction says, and with those of the position.";
    advice_visits: i32 = -1, -2..=1_000_000, Mcts, "MCTS with a model: visits of a node before the model is asked of it, in a search by playouts that takes its advice; 0: the model values all leaves in the place of playouts; -1: as the model's metadata say; -2: it is never asked.";
    advice_constant: f32 = 0.6, 0.0..=10.0, Mcts, "MCTS by playouts: weight of exploration by a learned policy, beside RAVE: that of the shapes of moves in Go, or of a model that advises (advice_visits); 0 explores by none.";
    advice_weight: u32 = 10, 0..=1000, Mcts, "advice_visits: visits that the model's value of a node counts as.";
    exploration: f32 = 1.0, 0.0..=10.0, Puct, "puct: weight of exploration by the policy (utilities are in -1.4..=1.4).";
    exploration_log: f32 = 0.45, 0.0..=10.0, Puct, "puct: growth of exploration with the logarithm of the visits.";
    volatility_scale: f32 = 0.85, 0.0..=1.0, Puct, "puct: how far exploration follows the spread of the utilities below a node; 0: not at all.";
    unvisited_reduction: f32 = 0.2, 0.0..=2.0, Puct, "puct: a move without visits counts as its parent, less this times the root of the policy of its visited siblings.";
    root_unvisited_reduction: f32 = 0.1, 0.0..=2.0, Puct, "puct: the same at the root.";
    unvisited_mean: i32 = -1, -1..=1, Puct, "puct: whether that parent counts by the mean of its visits alone; 0: by its own evaluation too, while little of its policy was visited; -1: 0 with KataGo's networks, 1 with other models.";
    policy_temperature: f32 = 1.0, 0.01..=100.0, Puct, "puct: temperature of the priors: above 1 they are flatter.";
    static_score_utility: f32 = 0.1, 0.0..=1.0, Puct, "puct: weight of the score beside the result.";
    dynamic_score_utility: f32 = 0.3, 0.0..=1.0, Puct, "puct: weight of the score around what is expected at the root.";
    noise_pruning: u32 = 1, 0..=1, Puct, "puct: whether visits of moves that turned out bad and had no prior for so many are cut from means.";
    value_weight_exponent: f32 = 0.25, 0.0..=1.0, Puct, "puct: how much more better moves count in the mean of a node; 0: by visits alone.";
    subtree_bias: f32 = 0.45, 0.0..=1.0, Puct, "puct: part of the error of evaluations, as the search has found it where the board looks the same around the last move, by which others are corrected.";
    uncertainty_weights: u32 = 1, 0..=1, Puct, "puct: whether evaluations count less the larger an error the model expects of them.";
    bound_deviations: f32 = 5.0, 0.0..=20.0, Puct, "puct: standard errors of the bound by which a less visited move is chosen; 0: the most visited one is.";
    graph_search: u32 = 1, 0..=1, Puct, "puct: whether all ways to a position share a node.";
    policy_optimism: f32 = 1.0, 0.0..=1.0, Puct, "puct: share of the optimistic policy, where a model has one.";
    root_policy_optimism: f32 = 0.2, 0.0..=1.0, Puct, "puct: the same at the root.";
    playout_share: f32 = 0.0, 0.0..=1.0, Mcts, "MCTS with a model: share of a playout in the value of a leaf; 0 plays none.";
    knowledge: u32 = 1, 0..=1, Ubfm, "UBFM: whether the game's knowledge (connections, inferior cells) is asked of states; 0: only what is seen at a glance.";
    knowledge_visits: u32 = 8, 0..=1_000_000, Ubfm, "UBFM with a model that values all moves at once: iterations that come through a state before the game's knowledge is asked of it.";
    level: u32 = 0, 0..=39, All, "Level of weaker play, from 1 to 39 in Go and to 20 in other games; 0: full strength.";
    prior_weight: f32 = 1.0, 0.0..=100.0, Mcts, "MCTS: factor on the equivalent visits of the game's prior knowledge.";
}

impl Params {
    /// Names of the parameters of such parts of the search.
    pub(crate) fn names(of: &dyn Fn(Component) -> bool) -> Vec<&'static str> {
        Self::ROWS.iter().filter(|row| of(row.part)).map(|row| row.name).collect()
    }
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
    fn choices_have_names() {
        let mut params = Params::default();
        for row in Params::ROWS.iter().filter(|row| row.kind == "name") {
            assert_eq!(params.get(row.name).as_deref(), Ok(row.default));
            for name in row.range.split(", ") {
                params.set(row.name, name).unwrap();
                assert_eq!(params.get(row.name).as_deref(), Ok(name));
            }
            assert!(params.set(row.name, "best").is_err());
        }
        let names = |all: &[&str]| all.join(", ");
        assert_eq!(Params::ROWS[0].range, names(&Method::ALL.iter().map(|m| m.1).collect::<Vec<_>>()));
        assert_eq!(Params::ROWS[1].range, names(&Replies::ALL.iter().map(|r| r.1).collect::<Vec<_>>()));
        assert_eq!(Params::ROWS[2].range, names(&FinalChoice::ALL.iter().map(|f| f.1).collect::<Vec<_>>()));
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
