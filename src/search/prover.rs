//! Plays what the solver of sums proves, and leaves the rest to another search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::params::Method;
use super::sums::Solver;
use super::{Decision, MoveReport, Report, Searcher, Share, Task};
use crate::game::{Game, Part, Sum};

/// Memory of the solver's table, in MiB: a result takes eight bytes.
const TABLE: usize = 64;
/// Moves, one after the other, that a position may have left for a proof to be looked for: with more of them it takes longer than
/// most moves may (6×4 stones of Clobber, 23 moves, seven seconds).
const LONGEST: usize = 24;

/// A search with the solver before it. The solver has a share of the time ([`Params::proof_share`](super::Params)) where there is
/// a limit of time and all moves may be played. A search that is asked for by name is left to itself.
pub struct Prover<G: Game> {
    share: Arc<Share>,
    solver: Solver,
    search: Box<dyn Searcher<G>>,
}

impl<G: Sum> Prover<G> {
    /// With the search that plays where nothing is proved.
    pub fn new(share: Arc<Share>, search: Box<dyn Searcher<G>>) -> Self {
        Self { share, solver: Solver::new(TABLE), search }
    }

    /// Whether the side to move wins, if that is proved in that time, and the states looked at.
    fn prove(&self, task: &Task<'_, G>, time: Duration) -> (Option<bool>, u64) {
        let time = time.mul_f32(task.params.proof_share.clamp(0.0, 1.0));
        let parts = task.position.parts();
        let by_name = task.params.search != Method::Usual;
        if by_name
            || time.is_zero()
            || !task.restrictions.is_empty()
            || parts.iter().map(Part::length).sum::<usize>() > LONGEST
        {
            return (None, 0);
        }
        let ticket = self.share.enter();
        let threads = task.threads.min(ticket.threads());
        self.solver.solve(&parts, task.position.to_move(), threads, Some(time), task.stop, &mut |_| ())
    }

    /// A move after which the opponent is proved to lose.
    fn winning(&self, position: &G) -> Option<G::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().find(|&mv| {
            let mut child = position.clone();
            child.play(mv);
            self.solver.known(&child.parts(), child.to_move()) == Some(false)
        })
    }
}

impl<G: Sum> Searcher<G> for Prover<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let Some(time) = task.budget.time else { return self.search.run(task, on_report) };
        let start = Instant::now();
        let (won, nodes) = self.prove(task, time);
        let to_move = task.position.to_move();
        if let Some(mv) = won.filter(|&won| won).and_then(|_| self.winning(task.position)) {
            let resolution = Some(to_move);
            let only = MoveReport {
                mv,
                visits: nodes,
                winrate: 1.0,
                lcb: 1.0,
                prior: 1.0,
                score: None,
                resolution,
                pv: vec![mv],
            };
            let (elapsed, memory) = (start.elapsed(), TABLE << 20);
            let (score, score_stdev, ownership) = (None, None, None);
            let (visits, winrate, moves) = (nodes, 1.0, vec![only]);
            let report = Report {
                to_move,
                visits,
                nodes,
                elapsed,
                winrate,
                score,
                score_stdev,
                resolution,
                moves,
                ownership,
                memory,
            };
            if task.report_every.is_some() {
                on_report(&report);
            }
            return Decision { mv, report };
        }
        let mut budget = task.budget;
        budget.time = Some(time.saturating_sub(start.elapsed()));
        let mut decision = self.search.run(&Task { budget, ..*task }, on_report);
        if won == Some(false) {
            (decision.report.winrate, decision.report.resolution) = (0.0, Some(to_move.opponent()));
        }
        decision
    }

    fn advance(&mut self, mv: G::Move) {
        self.search.advance(mv);
    }

    fn clear(&mut self) {
        self.solver = Solver::new(TABLE);
        self.search.clear();
    }

    fn set_memory(&mut self, mib: usize) {
        self.search.set_memory(mib);
    }
}
