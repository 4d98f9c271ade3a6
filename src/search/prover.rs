//! A solver before a search: plays proven wins, and leaves the rest to the search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::crew::Crew;
use super::params::Method;
use super::{Decision, MoveReport, Report, Restriction, Searcher, Share, Stop, Task, endgame, solver, sums};
use crate::game::filling::{Endgame, Filling};
use crate::game::{Game, Part, Side, Solvable, Sum};

/// Most memory of the table of a solver of sums, in MiB: a result takes eight bytes.
const LARGEST_TABLE: usize = 64;
/// Moves, one after the other, that a sum may have left for a proof to be looked for: with more of them it takes longer than
/// most moves may (6×4 stones of Clobber, 23 moves, seven seconds).
const LONGEST: usize = 24;
/// Moves up to which proof-number search has its whole share of the time (7×7 cells of Hex); with more of them its part falls as
/// their fourth power.
const MOVES_IN_REACH: f32 = 50.0;
/// Least time of a proof: on large boards a single look takes longer.
const LEAST: Duration = Duration::from_millis(1);
/// Empty points up to which a search to the end has its whole share of the time; each one more halves it: 20 take some seconds.
const EMPTY_IN_REACH: i32 = 20;

/// A result that is proved.
#[derive(Clone, Debug, PartialEq)]
pub struct Proved<M> {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// Points by which the side to move is ahead in the end, where the solver knows.
    pub lead: Option<f32>,
    /// Moves to that result, from the side to move on; empty where none is known, or any move is as good.
    pub line: Vec<M>,
}

impl<M> Proved<M> {
    /// A game without points that the side to move wins by a move, if it is known, or loses whatever it does.
    fn won_or_lost(side: Side, winner: Side, mv: Option<M>) -> Self {
        Self { winner: Some(winner), lead: None, line: mv.filter(|_| winner == side).into_iter().collect() }
    }

    /// Result to a side in 0..=1, 1 = win.
    fn winrate(&self, side: Side) -> f32 {
        self.winner.map_or(0.5, |winner| f32::from(u8::from(winner == side)))
    }
}

/// A solver: finds out who wins.
pub trait PositionSolver<G: Game>: Send {
    /// Part of its share of the time that it may use in a position, in 0..=1.
    fn reach(&self, position: &G) -> f32;

    /// Solves a position that is not over: the result, if it is found in that time, and the number of states looked at.
    fn prove(&self, position: &G, crew: Crew<'_>, time: Duration, stop: &Stop) -> (Option<Proved<G::Move>>, u64);

    /// The moves that may still win in a position that it was asked about in vain, if it knows of others that do not.
    fn open_moves(&self, _: &G) -> Option<Vec<G::Move>> {
        None
    }

    /// MiB that such a solver has of the `total` it shares with the search.
    fn memory_share(total: usize) -> usize
    where
        Self: Sized,
    {
        (total / 4).max(1).min(total)
    }

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

impl<G: Sum> PositionSolver<G> for sums::SumSolver {
    fn reach(&self, position: &G) -> f32 {
        f32::from(u8::from(position.parts().iter().map(Part::length).sum::<usize>() <= LONGEST))
    }

    fn prove(&self, position: &G, crew: Crew<'_>, time: Duration, stop: &Stop) -> (Option<Proved<G::Move>>, u64) {
        let side = position.to_move();
        let (won, nodes) = self.solve(&position.parts(), side, crew, Some(time), stop, &mut |_| ());
        let proved = match won {
            Some(true) => self.winning_move(position).map(|mv| Proved::won_or_lost(side, side, Some(mv))),
            Some(false) => Some(Proved::won_or_lost(side, side.opponent(), None)),
            None => None,
        };
        (proved, nodes)
    }

    fn memory_share(total: usize) -> usize {
        (total / 4).clamp(1, LARGEST_TABLE).min(total)
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

impl<G: Solvable> PositionSolver<G> for solver::Solver<G> {
    fn reach(&self, position: &G) -> f32 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if position.is_solvable() { (MOVES_IN_REACH / moves.len().max(1) as f32).min(1.0).powi(4) } else { 0.0 }
    }

    fn prove(&self, position: &G, crew: Crew<'_>, time: Duration, stop: &Stop) -> (Option<Proved<G::Move>>, u64) {
        let (proof, nodes) = self.solve(position, crew, Some(time), None, stop, &mut |_| ());
        (proof.map(|proof| Proved::won_or_lost(position.to_move(), proof.winner, proof.mv)), nodes)
    }

    fn open_moves(&self, position: &G) -> Option<Vec<G::Move>> {
        Self::open_moves(self, position)
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

impl<G: Endgame> PositionSolver<G> for endgame::EndgameSolver {
    fn reach(&self, position: &G) -> f32 {
        let empty = position.filling().map(|board| board.empty().count_ones() as i32);
        empty.map_or(0.0, |empty| 0.5_f32.powi((empty - EMPTY_IN_REACH).max(0)))
    }

    fn prove(&self, position: &G, crew: Crew<'_>, time: Duration, stop: &Stop) -> (Option<Proved<G::Move>>, u64) {
        let (found, nodes) = self.solve(position, crew, Some(time), stop, &mut |_| ());
        let side = position.to_move();
        let proved = found.map(|found| {
            let winner = match (found.least, found.most) {
                (1.., _) => Some(side),
                (_, ..=-1) => Some(side.opponent()),
                _ => None,
            };
            let lead = (found.least == found.most).then_some(found.least as f32);
            Proved { winner, lead, line: found.line }
        });
        (proved, nodes)
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

/// Whether there is a single move.
fn is_forced<G: Game>(position: &G) -> bool {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.len() == 1
}

/// A search with a solver before it. The solver has a share of the time ([`Params::solver_share`](super::Params)) where there is
/// a limit of time and all moves may be played. A search that is asked for by name is left to itself.
pub struct Prover<G: Game> {
    share: Arc<Share>,
    solver: Box<dyn PositionSolver<G>>,
    /// Makes a solver that has that many MiB.
    make: Box<dyn Fn(usize) -> Box<dyn PositionSolver<G>> + Send>,
    /// MiB that a solver has of those of solver and search together.
    memory_share: fn(usize) -> usize,
    /// MiB that the solver has now.
    solver_mib: usize,
    search: Box<dyn Searcher<G>>,
}

impl<G: Game> Prover<G> {
    /// With at most `memory_mib` MiB, of which the search that plays where nothing is proved has what the solver leaves.
    pub fn new<S: PositionSolver<G> + 'static>(
        share: Arc<Share>,
        memory_mib: usize,
        solver: fn(usize) -> S,
        search: impl FnOnce(usize) -> Box<dyn Searcher<G>>,
    ) -> Self {
        let make = Box::new(move |mib| -> Box<dyn PositionSolver<G>> { Box::new(solver(mib)) });
        let solver_mib = S::memory_share(memory_mib);
        let search = search(memory_mib - solver_mib);
        Self { share, solver: make(solver_mib), make, memory_share: S::memory_share, solver_mib, search }
    }

    /// Solves the position in the solver's share of that time, if it may: the result, if it is found, and the states looked at.
    fn prove(&self, task: &Task<'_, G>, time: Duration) -> (Option<Proved<G::Move>>, u64) {
        let by_name = task.params.search != Method::Usual;
        if by_name || !task.restrictions.is_empty() {
            return (None, 0);
        }
        if task.budget.early_stop && is_forced(task.position) {
            return (None, 0);
        }
        let share = task.params.solver_share * self.solver.reach(task.position);
        let time = time.mul_f32(share.clamp(0.0, 1.0));
        if time < LEAST {
            return (None, 0);
        }
        let ticket = self.share.enter();
        self.solver.prove(task.position, Crew::sharing(task.threads, &ticket), time, task.stop)
    }

    /// A report of the one line that a proof has.
    fn report(&self, proved: &Proved<G::Move>, to_move: Side, nodes: u64, elapsed: Duration) -> Report<G::Move> {
        let (winrate, score, resolution) = (proved.winrate(to_move), proved.lead, proved.winner);
        let (pv, pv_visits) = (proved.line.clone(), vec![nodes; proved.line.len()]);
        let known = |&mv| MoveReport { score, resolution, pv, pv_visits, ..MoveReport::plain(mv, nodes, winrate) };
        let moves = proved.line.first().map(known).into_iter().collect();
        let plain = Report::plain(to_move, nodes, elapsed, winrate, moves);
        Report { score, resolution, memory: self.solver.bytes(), ..plain }
    }
}

impl<G: Game> Searcher<G> for Prover<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let Some(time) = task.budget.time else { return self.search.run(task, on_report) };
        let start = Instant::now();
        let (proved, nodes) = self.prove(task, time);
        let to_move = task.position.to_move();
        if let Some(proved) = &proved
            && let Some(&mv) = proved.line.first()
        {
            let report = self.report(proved, to_move, nodes, start.elapsed());
            if task.report_every.is_some() {
                on_report(&report);
            }
            return Decision { mv, report };
        }
        let mut budget = task.budget;
        budget.time = Some(time.saturating_sub(start.elapsed()));
        let open = match proved {
            None if nodes > 0 => self.solver.open_moves(task.position),
            _ => None,
        };
        let only: Vec<Restriction<G::Move>> =
            open.into_iter().map(|moves| Restriction::new(to_move, moves, true, 1)).collect();
        let restrictions = if only.is_empty() { task.restrictions } else { &only };
        let mut decision = self.search.run(&Task { budget, restrictions, ..*task }, on_report);
        decision.report.memory += self.solver.bytes();
        if let Some(proved) = proved {
            (decision.report.winrate, decision.report.resolution) = (proved.winrate(to_move), proved.winner);
        }
        decision
    }

    fn advance(&mut self, mv: G::Move) {
        self.search.advance(mv);
    }

    fn clear(&mut self) {
        self.solver = (self.make)(self.solver_mib);
        self.search.clear();
    }

    fn set_memory(&mut self, mib: usize) {
        self.solver_mib = (self.memory_share)(mib);
        self.solver = (self.make)(self.solver_mib);
        self.search.set_memory(mib - self.solver_mib);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Size;
    use crate::games::hex::{Move, Position};
    use crate::search::random::Random;
    use crate::search::{Budget, Params};

    fn board(n: usize, moves: &[&str]) -> Position {
        let mut position = Position::new(Size::square(n));
        moves.iter().for_each(|mv| position.play(Move::at(cell(n, mv))));
        position
    }

    fn cell(n: usize, name: &str) -> usize {
        let (column, row) = name.split_at(1);
        (row.parse::<usize>().unwrap() - 1) * n + usize::from(column.as_bytes()[0] - b'a')
    }

    /// The decision of a search that proves nothing itself, with a solver before it.
    fn decide(position: &Position, change: impl FnOnce(&mut Params, &mut Budget)) -> Decision<Move> {
        let share = Arc::new(Share::new(1));
        let mut prover = Prover::new(share, 64, solver::Solver::<Position>::new, |_| Box::new(Random));
        let (mut params, stop) = (Params { solver_share: 1.0, ..Params::default() }, Stop::new());
        let mut budget = Budget { time: Some(Duration::from_secs(60)), ..Budget::default() };
        change(&mut params, &mut budget);
        prover.run(&Task::new(position, budget, &params, &stop), &mut |_| ())
    }

    #[test]
    fn a_single_move_is_played_unproved_where_time_is_saved() {
        let position = board(1, &[]);
        assert_eq!(decide(&position, |_, _| ()).report.resolution, Some(Side::First));
        let forced = decide(&position, |_, budget| budget.early_stop = true);
        assert_eq!((forced.report.resolution, forced.mv), (None, Move::at(0)));
    }

    #[test]
    fn what_the_solver_proves_is_played() {
        // Published: a1 loses and d4 wins on 7x7.
        let won = board(7, &["a1"]);
        let decision = decide(&won, |_, _| ());
        assert_eq!(decision.report.resolution, Some(Side::Second));
        assert_eq!((decision.report.winrate, decision.report.moves[0].mv), (1.0, decision.mv));
        let mut child = won.clone();
        child.play(decision.mv);
        assert_eq!(decide(&child, |_, _| ()).report.resolution, Some(Side::Second));
        let lost = decide(&board(7, &["d4"]), |_, _| ());
        assert_eq!((lost.report.resolution, lost.report.winrate), (Some(Side::First), 0.0));
    }

    #[test]
    fn a_solver_keeps_out_of_what_is_not_its_own() {
        let resolution = |position: &Position, change: &dyn Fn(&mut Params, &mut Budget)| {
            decide(position, |params, budget| change(params, budget)).report.resolution
        };
        let position = board(7, &["d4"]);
        assert_eq!(resolution(&position, &|_, _| ()), Some(Side::First));
        assert_eq!(resolution(&position, &|params, _| params.search = Method::UbfmS), None);
        assert_eq!(resolution(&position, &|params, _| params.solver_share = 0.0), None);
        assert_eq!(resolution(&position, &|_, budget| budget.time = None), None);
        // A first move that wins is one that is swapped.
        assert_eq!(resolution(&board(4, &[]), &|_, _| ()), Some(Side::First));
        let mut swappable = Position::new(Size::square(4));
        swappable.set_swap_allowed(true);
        assert_eq!(resolution(&swappable, &|_, _| ()), None);
        swappable.play(Move::at(cell(4, "b3")));
        assert!(swappable.can_swap());
        assert_eq!(resolution(&swappable, &|_, _| ()), None);
        swappable.play(Move::at(cell(4, "c2")));
        assert!(resolution(&swappable, &|_, _| ()).is_some());
    }

    /// The moves left of a won position have a winning one among them, however little was looked at.
    #[test]
    fn a_winning_move_stays_open() {
        let (whole, stop) = (solver::Solver::<Position>::new(64), Stop::new());
        let (mut open, mut fewer) = (0, 0);
        for opening in 0..36 {
            let mut position = Position::new(Size::square(6));
            position.play(Move::at(opening));
            let proof =
                |position: &Position| whole.solve(position, 1, None, None, &stop, &mut |_| ()).0.unwrap().winner;
            let winner = proof(&position);
            for nodes in [1, 10, 60] {
                let solver = solver::Solver::<Position>::new(16);
                solver.solve(&position, 1, None, Some(nodes), &stop, &mut |_| ());
                let Some(moves) = solver.open_moves(&position) else { continue };
                let wins = |&mv: &Move| {
                    let mut child = position.clone();
                    child.play(mv);
                    child.winner().unwrap_or_else(|| proof(&child)) == Side::Second
                };
                open += 1;
                fewer += usize::from(moves.len() < 20);
                assert!(!moves.is_empty());
                assert!(winner != Side::Second || moves.iter().any(wins), "{opening} {nodes}");
            }
        }
        assert!(open > 20 && fewer > 10, "{fewer} of {open}");
    }
}
