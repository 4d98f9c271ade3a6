//! Questions to a session for a move, and its answers.

use std::time::Duration;

use crate::search::{Report, Restriction};

/// Reports wanted of a search, and moves excluded near its root.
#[derive(Clone, Debug)]
pub struct SearchOptions<M> {
    /// Interval between reports.
    pub report_every: Option<Duration>,
    /// Whether reports carry an ownership map.
    pub ownership: bool,
    /// Whether they carry one after each move of the root too.
    pub moves_ownership: bool,
    /// Moves excluded near the root.
    pub restrictions: Vec<Restriction<M>>,
    /// Whether the search is at full strength, whatever the level: no move is chosen by it.
    pub full_strength: bool,
    /// Whether it is thought on the opponent's time, and no analysis that was asked for.
    pub ponders: bool,
}

impl<M> Default for SearchOptions<M> {
    fn default() -> Self {
        let (ownership, moves_ownership, full_strength, ponders) = Default::default();
        Self { report_every: None, ownership, moves_ownership, restrictions: Vec::new(), full_strength, ponders }
    }
}

/// Receives reports while a search runs.
pub type OnReport<'a, M> = &'a mut dyn FnMut(&Report<M>);

/// The engine's answer to "your move".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<M> {
    /// A move, played on the session's board if it was asked to be.
    Move(M),
    /// The engine gives up; nothing was played.
    Resign,
    /// The game is over, so that nothing can be played.
    Nothing,
}

/// A choice and what the search knew.
#[derive(Clone, Debug)]
pub struct Chosen<M> {
    /// Answer to give.
    pub choice: Choice<M>,
    /// The root at the end; `None` where no search was needed.
    pub report: Option<Report<M>>,
}

/// How a move is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Choose and play it.
    Play,
    /// Choose only (`reg_genmove`).
    Only,
    /// Choose and play, and do not pass while dead stones of the opponent stand (`kgs-genmove_cleanup`).
    CleanUp,
}
