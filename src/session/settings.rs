//! Settings of a session: machine, budget, manners.

use std::sync::Arc;
use std::time::Duration;

use crate::eval::net::HumanProfile;
use crate::players::{Models, Resources, Setup};
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
    /// Most time for a move, with a clock or without one; in the place of `time_per_move` where it is given.
    pub most_time: Option<Duration>,
    /// Most time for a move by a clock, however much that has.
    pub longest_move: Duration,
    /// Noise at the root of analyses, in the place of that of the parameters.
    pub analysis_noise: Option<f32>,
    /// Whether to search while the opponent thinks.
    pub ponder: bool,
    /// When to resign.
    pub resign: Resign,
    /// Expected lag of a move until the controller's clock tells it, and the least that is kept back of a clock.
    pub lag: Duration,
    /// Time for an answer beside the game: a score, the fate of stones, a proof.
    pub answer_time: Duration,
    /// Shortest interval between the reports of an analysis. Zero leaves it to the client.
    pub report_every: Duration,
    /// Tunables of the searches.
    pub params: Params,
    /// Board, rules and komi of new games.
    pub setup: Setup,
    /// Models to play with.
    pub models: Models,
    /// Whether they are played with.
    pub plays_with_models: bool,
    /// People whom a model that can do so imitates, in the moves of the engine.
    pub people: Option<HumanProfile>,
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
            most_time: None,
            longest_move: Duration::from_secs(300),
            analysis_noise: None,
            ponder: false,
            resign: Resign { below: 0.0, moves: 3 },
            lag: Duration::from_millis(100),
            answer_time: Duration::from_secs(20),
            report_every: Duration::ZERO,
            params: Params::default(),
            setup: Setup::default(),
            models: Models::default(),
            plays_with_models: true,
            people: None,
        }
    }

    /// Parameters of a search: with the noise of analyses where it is `noisy`, and of a level only where it plays `at_level`.
    pub(super) fn params_of(&self, noisy: bool, at_level: bool) -> Params {
        let mut params = self.params.clone();
        params.wide_root_noise = self.analysis_noise.filter(|_| noisy).unwrap_or(params.wide_root_noise);
        params.level = if at_level { params.level } else { 0 };
        params
    }

    /// Threads, memory and models of the session's searches.
    pub fn resources(&self) -> Resources {
        let models = if self.plays_with_models { self.models.clone() } else { Models::default() };
        Resources { share: Arc::clone(&self.share), memory: self.memory, models }
    }
}
