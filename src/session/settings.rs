//! What a session is told before it plays: machine, budget, manners.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::eval::heuristic::Resistance;
use crate::eval::net::Network;
use crate::eval::{Evaluator, Judge};
use crate::games::go::Rules;
use crate::games::{Size, go, hex};
use crate::search::{Params, Share};

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resign {
    /// Expected result (0..=1, for the engine) below which a move counts as hopeless; 0 never resigns.
    pub below: f32,
    /// Hopeless moves in a row after which the engine resigns.
    pub moves: u32,
}

/// Settings of one session. A server gives each connection its own copy; the share is common to all.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The process's search threads, shared by all sessions.
    pub share: Arc<Share>,
    /// Threads that one search may use.
    pub threads: usize,
    /// Memory of tree or table, in MiB.
    pub memory: usize,
    /// Seed of all randomness.
    pub seed: u64,
    /// Time for a move where no clock runs.
    pub time_per_move: Duration,
    /// Most playouts (Go) or expansions (Hex) of a move. With it and without a clock, time does not matter.
    pub playouts: Option<u64>,
    /// Whether to search while the opponent thinks.
    pub ponder: bool,
    /// When to resign.
    pub resign: Resign,
    /// Time kept back from every allotment for the way between controller and engine.
    pub lag: Duration,
    /// Tunables of the searches.
    pub params: Params,
    /// Board of a new game; each game has its own where none is given.
    pub size: Option<Size>,
    /// Rules of a new game of Go.
    pub rules: Rules,
    /// Komi of a new game of Go.
    pub komi: f32,
    /// What values positions of Hex.
    pub hex_evaluator: HexEvaluator,
    /// What values positions and moves of Go in the place of playouts.
    pub go_judge: Option<GoJudge>,
    /// A model of one of the other games.
    pub network: Option<Arc<Network>>,
}

/// The judge of all Go sessions.
#[derive(Clone)]
pub struct GoJudge(pub Arc<dyn Judge<go::Position>>);

impl fmt::Debug for GoJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.attributes().name)
    }
}

/// The evaluator of all Hex sessions.
#[derive(Clone)]
pub struct HexEvaluator(pub Arc<dyn Evaluator<hex::Position>>);

impl fmt::Debug for HexEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.attributes().name)
    }
}

impl Settings {
    /// The defaults, for a machine with that many search threads.
    pub fn new(share: Arc<Share>, seed: u64) -> Self {
        Self {
            threads: share.threads(),
            share,
            memory: 1024,
            seed,
            time_per_move: Duration::from_secs(5),
            playouts: None,
            ponder: false,
            resign: Resign { below: 0.0, moves: 3 },
            lag: Duration::from_millis(100),
            params: Params::default(),
            size: None,
            rules: Rules::CHINESE,
            komi: 7.5,
            hex_evaluator: HexEvaluator(Arc::new(Resistance)),
            go_judge: None,
            network: None,
        }
    }
}
