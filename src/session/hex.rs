//! A session of Hex: the swap and its two meanings, a decided board, moves by the engine.

mod glance;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::choice::{Asked, Choice, Chosen, OnReport, SearchOptions};
use super::control::{Control, EndsOn};
use super::core::{Core, Session};
use super::history::History;
use super::settings::Settings;
use crate::game::{Bounded, Game, Insight, Side, Solvable};
use crate::games::hex::{Move, Position};
use crate::games::{Size, Spelled};
use crate::players::Played;
use crate::search::solver::{ProofProgress, Solver};

/// How far a proof has come, for people to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofState {
    /// States looked at.
    pub nodes: u64,
    /// Since the start.
    pub elapsed: Duration,
    /// Proof numbers of a win of `First` and of `Second`; nothing once there is a winner.
    pub effort: Option<[f32; 2]>,
    /// The line that is looked at, or that wins.
    pub line: Vec<Move>,
    /// Moves that may still win for the side to move, and their proof numbers.
    pub open: Vec<(Move, [f32; 2])>,
    /// Moves that lose.
    pub lost: Vec<Move>,
    /// A move that wins.
    pub won: Option<Move>,
}

/// Why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// The client wanted no more.
    Interrupted,
    /// Longer than an answer or the clock may take.
    OutOfTime,
}

/// First stone of a game in HexGui.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstStone {
    /// Not the engine's, or there is none or more of them.
    Other,
    /// The engine's, and nothing has happened since.
    Own,
    /// The engine's, and the sides were exchanged.
    Exchanged,
}

/// A session of Hex.
///
/// Controllers disagree on `swap-pieces`. HexGui mirrors the stone and Black is next; benzene's scripts leave the stone
/// and let the programs exchange colours, so that the swapper's colour moves next. A swap is taken in HexGui's sense,
/// and read in benzene's as soon as the swapper's own colour moves.
pub struct HexSession {
    core: Core<Position>,
    /// The side that has swapped, until the next move tells what was meant.
    swapped: Option<Side>,
    /// The game before the swap was read as an exchange of colours, which took it out of the history.
    exchanged: Option<History<Position>>,
    /// Whether games begin with the swap rule, and whether this one has: records tell their own.
    allow_swap: bool,
    began_with_swap: bool,
    /// Solver with the proofs on boards of this size since the last search.
    solver: Option<(Size, Solver<Position>)>,
    /// Whether the client is HexGui.
    hexgui: bool,
    /// Whether a proof is shown while it is looked for.
    shows_proofs: bool,
    first_stone: FirstStone,
    /// Memory of the search that the session was given, in MiB.
    memory: usize,
    /// Whether a search goes on from what the ones before it have found.
    reuses: bool,
}

impl HexSession {
    /// An empty board.
    pub fn new(settings: Settings, control: Arc<Control>) -> Self {
        let (mut start, allow_swap) = (Position::first_game(&settings.setup), settings.setup.swap);
        start.set_swap_allowed(allow_swap);
        Self {
            memory: settings.memory,
            reuses: true,
            core: Core::new(settings, control, start),
            swapped: None,
            exchanged: None,
            allow_swap,
            began_with_swap: allow_swap,
            solver: None,
            hexgui: false,
            shows_proofs: false,
            first_stone: FirstStone::Other,
        }
    }

    /// The client is HexGui.
    pub fn meet_hexgui(&mut self) {
        self.hexgui = true;
    }

    /// Whether the client is HexGui.
    pub fn is_hexgui(&self) -> bool {
        self.hexgui
    }

    /// The board was shown. HexGui asks for that after each action of its user. After the engine's first stone the action
    /// was "swap sides", of which HexGui tells nothing else: no stone moves, and White is next.
    pub fn board_was_shown(&mut self) {
        if self.hexgui && self.first_stone == FirstStone::Own {
            self.first_stone = FirstStone::Exchanged;
        }
    }

    /// Switches on or off that a search goes on from what the ones before it have found.
    pub fn set_reuse(&mut self, reuses: bool) {
        self.reuses = reuses;
    }

    /// Limits the memory of the search to so many bytes, at least a MiB; never beyond what the session was given. What was found is
    /// forgotten where that changes anything.
    pub fn limit_memory(&mut self, bytes: usize) {
        let memory = (bytes >> 20).clamp(1, self.memory.max(1));
        if memory != self.core.settings.memory {
            self.core.settings.memory = memory;
            self.core.recover();
            self.solver = None;
        }
    }

    /// Whether a proof is shown while it is looked for.
    pub fn shows_proofs(&self) -> bool {
        self.shows_proofs
    }

    /// Switches that on or off.
    pub fn show_proofs(&mut self, shown: bool) {
        self.shows_proofs = shown;
    }

    /// Whether games are played with the swap rule.
    pub fn allow_swap(&self) -> bool {
        self.allow_swap
    }

    /// Switches the swap rule on or off, for this game too.
    pub fn set_allow_swap(&mut self, allowed: bool) {
        (self.allow_swap, self.began_with_swap) = (allowed, allowed);
        self.core.change(|position| position.set_swap_allowed(allowed));
    }

    /// If `side` has just swapped, its moving again says that the swap exchanged colours and left the stone.
    fn exchange_colours(&mut self, side: Side) {
        if self.swapped.take() == Some(side) {
            self.exchanged = Some(self.core.history().clone());
            self.core.undo(1);
            self.core.change(Position::end_swap);
        }
    }

    /// Winner of the position, no swap allowed, with `side` to move; tells twice a second how far it is, and at the end.
    ///
    /// # Errors
    /// Why it was not proved.
    pub fn solve(&mut self, side: Side, on_proof: &mut dyn FnMut(&ProofState)) -> Result<Side, Unproved> {
        let deadline = Instant::now() + self.core.answer_time();
        let position = self.without_swap(side);
        if let Some(winner) = position.winner() {
            return Ok(winner);
        }
        let all = match position.insight(&Bounded::within(0)) {
            Insight::Open { moves, .. } => moves.into_iter().map(|(mv, _)| mv).collect(),
            Insight::Decided(..) => Vec::new(),
        };
        let start = Instant::now();
        let (winner, nodes) = self.prove(&position, deadline, &mut |solver, progress| {
            let Some(outlook) = solver.outlook(&position) else { return };
            let is_open = |mv: &Move| outlook.open.iter().any(|(open, _)| open == mv);
            on_proof(&ProofState {
                nodes: progress.nodes,
                elapsed: progress.elapsed,
                effort: Some(outlook.effort),
                lost: all.iter().copied().filter(|mv| !is_open(mv)).collect(),
                line: outlook.line,
                open: outlook.open,
                won: None,
            });
        })?;
        let solver = self.solver.as_ref().map(|(_, solver)| solver);
        let won = solver.and_then(|solver| solver.proof(&position)).and_then(|proof| proof.mv);
        on_proof(&ProofState {
            nodes,
            elapsed: start.elapsed(),
            effort: None,
            line: solver.map(|solver| solver.line(&position)).unwrap_or_default(),
            open: Vec::new(),
            lost: if won.is_none() { all } else { Vec::new() },
            won,
        });
        Ok(winner)
    }

    /// All moves that win for `side`.
    ///
    /// # Errors
    /// [`Unproved`].
    pub fn winning_moves(&mut self, side: Side) -> Result<Vec<Move>, Unproved> {
        let deadline = Instant::now() + self.core.answer_time();
        let position = self.without_swap(side);
        let (mut moves, mut winning) = (Vec::new(), Vec::new());
        position.legal_moves(&mut moves);
        for mv in moves {
            let mut child = position.clone();
            child.play(mv);
            if self.prove(&child, deadline, &mut |_, _| ())?.0 == side {
                winning.push(mv);
            }
        }
        Ok(winning)
    }

    /// The position that `side` means when it is to move: where it has just swapped, its stone has stayed where it was.
    pub fn meant_by(&self, side: Side) -> Position {
        let mut position = self.board_of(side);
        position.set_to_move(side);
        position
    }

    /// The board as in [`HexSession::meant_by`], whoever's turn it is there.
    fn board_of(&self, side: Side) -> Position {
        if self.swapped == Some(side) {
            let mut before = self.core.history().clone();
            before.undo(1);
            before.change(Position::end_swap);
            before.position().clone()
        } else {
            self.core.position().clone()
        }
    }

    /// Position as in [`HexSession::meant_by`], with no swap allowed.
    fn without_swap(&self, side: Side) -> Position {
        let mut position = self.meant_by(side);
        position.set_swap_allowed(false);
        position
    }

    /// Forgets what was proved.
    pub fn clear_proofs(&mut self) {
        self.solver = None;
    }

    /// Looks at the position beside the game, as a side means it if one asks. What looks is told when to halt: at an interrupt, or at the end of the time for
    /// an answer.
    pub fn look<R>(&mut self, side: Option<Side>, look: impl FnOnce(&Position, &dyn Fn() -> bool) -> R) -> R {
        let deadline = Instant::now() + self.core.answer_time();
        let position = side.map_or_else(|| self.core.position().clone(), |side| self.board_of(side));
        self.core.work_aside(|stop, closing, _| {
            let deadline = closing.map_or(deadline, |left| deadline.min(Instant::now() + left));
            look(&position, &|| stop.is_set() || Instant::now() >= deadline)
        })
    }

    /// The winner, and the number of states looked at.
    fn prove(
        &mut self,
        position: &Position,
        deadline: Instant,
        on_progress: &mut dyn FnMut(&Solver<Position>, ProofProgress),
    ) -> Result<(Side, u64), Unproved> {
        if let Some(winner) = position.winner() {
            return Ok((winner, 0));
        }
        // Search and solver take turns with the session's memory.
        self.core.forget();
        let memory = self.core.settings().memory;
        let known = self.solver.take().filter(|(size, _)| *size == position.size());
        let (size, solver) = known.unwrap_or_else(|| (position.size(), Solver::new(memory)));
        let ((proof, nodes), interrupted) = self.core.work_aside(|stop, closing, crew| {
            let left = deadline.saturating_duration_since(Instant::now());
            let time = closing.map_or(left, |closing| closing.min(left));
            let tell = &mut |progress| on_progress(&solver, progress);
            (solver.solve(position, crew, Some(time), None, stop, tell), stop.is_set())
        });
        self.solver = Some((size, solver));
        let why = if interrupted { Unproved::Interrupted } else { Unproved::OutOfTime };
        proof.map(|proof| (proof.winner, nodes)).ok_or(why)
    }

    /// The winner once the edges of one side are joined.
    pub fn winner(&self) -> Option<Side> {
        self.core.position().winner()
    }
}

impl Session for HexSession {
    type G = Position;
    type Mark = (History<Position>, Option<Side>, Option<History<Position>>);

    fn core(&self) -> &Core<Position> {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core<Position> {
        &mut self.core
    }

    /// On a decided board the answer is to resign, which is how controllers learn of the end.
    fn choose(
        &mut self,
        side: Side,
        asked: Asked,
        options: &SearchOptions<Move>,
        on_report: OnReport<'_, Move>,
    ) -> Chosen<Move> {
        let start = Instant::now();
        self.solver = None;
        if !self.reuses {
            self.core.forget();
        }
        // A question leaves open what a swap before it meant.
        let before = (asked == Asked::Only && self.swapped.is_some()).then(|| self.mark());
        self.exchange_colours(side);
        if asked != Asked::Only && self.first_stone == FirstStone::Exchanged {
            self.core.change(Position::end_swap);
        }
        let mut position = self.core.position().clone();
        position.set_to_move(side);
        let chosen = if position.winner().is_some() {
            Chosen { choice: Choice::Resign, report: None }
        } else {
            let budget = self.core.budget(side, position.moves_left());
            let decision = self.core.think(&position, budget, EndsOn::Interrupt, options, on_report);
            self.core.answer(side, asked, decision.mv, decision.report, true, start.elapsed())
        };
        match before {
            Some(before) => self.return_to(before),
            None => {
                let played = asked != Asked::Only && chosen.choice == Choice::Move(Move::SWAP);
                self.swapped = played.then_some(side);
                if asked != Asked::Only {
                    let first = self.core.history().moves().len() == 1 && self.core.position().stones() == 1;
                    self.first_stone = if first { FirstStone::Own } else { FirstStone::Other };
                }
            }
        }
        chosen
    }

    fn restart(&mut self, mut start: Position) {
        start.set_swap_allowed(self.allow_swap);
        self.began_with_swap = self.allow_swap;
        (self.swapped, self.exchanged, self.first_stone) = (None, None, FirstStone::Other);
        self.core.restart(start);
    }

    fn load(&mut self, start: Position, moves: &[(Side, Move)]) {
        let allowed = self.allow_swap || start.swap_allowed();
        self.restart(start);
        self.began_with_swap = allowed;
        self.core.change(|position| position.set_swap_allowed(allowed));
        moves.iter().for_each(|&(side, mv)| self.core.play(side, mv));
    }

    fn play(&mut self, side: Side, mv: Move) -> Result<(), String> {
        let objection =
            if self.swapped == Some(side) { self.meant_by(side).objection(mv) } else { self.core.objection(side, mv) };
        if let Some(why) = objection {
            return Err(why);
        }
        self.exchange_colours(side);
        self.first_stone = FirstStone::Other;
        self.core.play(side, mv);
        self.swapped = (mv == Move::SWAP).then_some(side);
        Ok(())
    }

    fn undo(&mut self, count: usize) -> bool {
        // The controller counts the swap too.
        let left = (self.core.history().moves().len() + 1).checked_sub(count);
        if let Some(left @ ..=2) = left
            && let Some(before) = self.exchanged.take_if(|_| count > 0)
        {
            let swapper = before.moves().last().map(|&(side, _)| side);
            self.core.replace(before);
            (self.swapped, self.first_stone) = (swapper.filter(|_| left == 2), FirstStone::Other);
            return self.core.undo(2 - left);
        }
        let done = self.core.undo(count);
        if done && count > 0 {
            (self.swapped, self.first_stone) = (None, FirstStone::Other);
            if self.core.history().moves().is_empty() {
                let allowed = self.began_with_swap;
                self.core.change(|position| position.set_swap_allowed(allowed));
            }
        }
        done
    }

    fn mark(&self) -> Self::Mark {
        (self.core.history().clone(), self.swapped, self.exchanged.clone())
    }

    fn return_to(&mut self, (history, swapped, exchanged): Self::Mark) {
        self.core.replace(history);
        (self.swapped, self.exchanged, self.first_stone) = (swapped, exchanged, FirstStone::Other);
    }

    fn analyze(&mut self, side: Side, options: &SearchOptions<Move>, on_report: OnReport<'_, Move>) {
        self.solver = None;
        let position = self.meant_by(side);
        if position.winner().is_none() {
            self.core.think(&position, Default::default(), EndsOn::NextLine, options, on_report);
        }
    }
}

#[cfg(test)]
mod tests;
