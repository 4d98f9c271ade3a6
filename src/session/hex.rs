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
mod tests {
    use super::*;
    use crate::games::hex::Illegal;
    use crate::search::{Restriction, Share};

    fn session(size: usize) -> HexSession {
        let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
        settings.playouts = Some(200);
        settings.memory = 16;
        settings.setup.size = Some(Size::square(size));
        HexSession::new(settings, Arc::new(Control::new()))
    }

    fn choose(session: &mut HexSession, side: Side) -> Choice<Move> {
        session.choose(side, Asked::Play, &SearchOptions::default(), &mut |_| ()).choice
    }

    #[test]
    fn after_a_swap_the_other_colour_finds_the_stone_mirrored() {
        let mut session = session(5);
        session.set_allow_swap(true);
        session.play(Side::First, Move::at(5)).unwrap();
        session.play(Side::Second, Move::SWAP).unwrap();
        session.play(Side::First, Move::at(12)).unwrap();
        assert_eq!(session.core.position().stone(1), Some(Side::Second));
        assert_eq!(session.core.position().stone(5), None);
        // Taking both back leads to the first move again, with the swap still open.
        assert!(session.undo(2));
        assert_eq!(session.core.position().stone(5), Some(Side::First));
        session.play(Side::Second, Move::SWAP).unwrap();
    }

    /// What asks about the side that has swapped looks at the board on which it will move.
    #[test]
    fn the_swappers_questions_are_about_its_own_board() {
        let mut session = session(5);
        session.set_allow_swap(true);
        session.play(Side::First, Move::at(5)).unwrap();
        session.play(Side::Second, Move::SWAP).unwrap();
        for (side, at, owner) in
            [(Some(Side::Second), 5, Side::First), (Some(Side::First), 1, Side::Second), (None, 1, Side::Second)]
        {
            session.look(side, |position, _| assert_eq!(position.stone(at), Some(owner)));
        }
        let (cells, _) = session.glance(Some(Side::Second), 0);
        assert!(!cells.contains(&5) && cells.contains(&1));
    }

    /// A record tells whether its game has the swap rule; those after it go by the session's own.
    #[test]
    fn a_record_brings_its_swap_rule() {
        let mut session = session(5);
        let mut start = Position::new(Size::square(5));
        start.set_swap_allowed(true);
        session.load(start, &[(Side::First, Move::at(12))]);
        assert!(session.core.position().can_swap());
        session.play(Side::Second, Move::SWAP).unwrap();
        assert!(session.undo(1));
        session.play(Side::Second, Move::SWAP).unwrap();
        assert!(session.undo(2) && session.core.position().swap_allowed());
        session.clear();
        assert!(!session.core.position().swap_allowed());
        session.set_allow_swap(true);
        session.load(Position::new(Size::square(5)), &[(Side::First, Move::at(12))]);
        assert!(session.core.position().can_swap());
    }

    #[test]
    fn what_a_search_was_not_allowed_does_not_bind_the_next_one() {
        let mut session = session(5);
        let corner = Restriction::new(Side::First, vec![Move::at(0)], true, 1);
        let only = SearchOptions { restrictions: vec![corner], ..SearchOptions::default() };
        let forced = session.choose(Side::First, Asked::Only, &only, &mut |_| ());
        assert_eq!(forced.choice, Choice::Move(Move::at(0)));
        let free = session.choose(Side::First, Asked::Only, &SearchOptions::default(), &mut |_| ());
        assert_ne!(free.choice, Choice::Move(Move::at(0)));
    }

    #[test]
    fn after_a_swap_the_swappers_colour_finds_the_stone_where_it_was() {
        let mut session = session(5);
        session.set_allow_swap(true);
        session.play(Side::First, Move::at(5)).unwrap();
        session.play(Side::Second, Move::SWAP).unwrap();
        // Refused, and what the swap meant is still open.
        assert_eq!(session.play(Side::Second, Move::at(5)), Err(Illegal::Occupied.to_string()));
        assert_eq!(session.core.position().stone(1), Some(Side::Second));
        session.play(Side::Second, Move::at(1)).unwrap();
        assert_eq!(session.core.position().stone(5), Some(Side::First));
        // One swap a game.
        assert!(session.undo(1));
        assert_eq!(session.play(Side::Second, Move::SWAP), Err(Illegal::Swap.to_string()));
        session.clear();
        session.play(Side::First, Move::at(5)).unwrap();
        session.play(Side::Second, Move::SWAP).unwrap();
    }

    #[test]
    fn a_swap_that_exchanged_colours_is_taken_back_as_it_was_played() {
        let mut session = session(5);
        session.set_allow_swap(true);
        session.play(Side::First, Move::at(5)).unwrap();
        session.play(Side::Second, Move::SWAP).unwrap();
        session.play(Side::Second, Move::at(12)).unwrap();
        session.play(Side::First, Move::at(13)).unwrap();
        assert!(session.undo(1));
        assert_eq!(session.core.history().moves().len(), 2);
        assert!(!session.undo(9), "refused, and nothing is forgotten");
        // The swap is there again, and may mean either.
        assert!(session.undo(1));
        session.play(Side::Second, Move::at(12)).unwrap();
        assert_eq!(session.core.position().stone(5), Some(Side::First));
        assert!(session.undo(2));
        assert_eq!(session.core.position().stones(), 1);
        session.play(Side::Second, Move::SWAP).unwrap();
        session.play(Side::Second, Move::at(12)).unwrap();
        assert!(session.undo(3));
        assert_eq!(session.core.position().stones(), 0);
    }

    #[test]
    fn both_sides_play_a_game_to_its_end_and_the_loser_resigns() {
        let mut session = session(4);
        let mut side = Side::First;
        for _ in 0..17 {
            match choose(&mut session, side) {
                Choice::Resign | Choice::Nothing => break,
                Choice::Move(_) => side = side.opponent(),
            }
        }
        assert_eq!(session.winner(), Some(Side::First));
        assert_eq!(choose(&mut session, Side::First), Choice::Resign);
    }

    #[test]
    fn a_proof_that_takes_too_long_is_given_up() {
        let mut session = session(11);
        session.core.settings.answer_time = std::time::Duration::from_millis(20);
        let start = Instant::now();
        assert_eq!(session.solve(Side::First, &mut |_| ()), Err(Unproved::OutOfTime));
        assert_eq!(session.winning_moves(Side::First), Err(Unproved::OutOfTime));
        assert!(start.elapsed().as_secs() < 5);
        session.set_size(Size::square(3));
        session.core.settings.answer_time = std::time::Duration::from_secs(60);
        assert_eq!(session.solve(Side::First, &mut |_| ()), Ok(Side::First));
    }

    #[test]
    fn a_proof_is_shown_while_it_grows_and_at_its_end() {
        let mut session = session(5);
        session.play(Side::First, Move::at(1)).unwrap();
        let mut states = Vec::new();
        let winner = session.solve(Side::Second, &mut |state| states.push(state.clone())).unwrap();
        let last = states.pop().unwrap();
        assert_eq!((winner, last.effort, last.open.len()), (Side::Second, None, 0));
        let won = last.won.expect("the winner is to move");
        assert_eq!((last.line.first(), last.lost.len()), (Some(&won), 0));
        // After the winning move all moves lose, and none wins.
        session.play(Side::Second, won).unwrap();
        session.solve(Side::First, &mut |state| states = vec![state.clone()]).unwrap();
        assert_eq!(states[0].won, None);
        let mut session = self::session(9);
        session.core.settings.answer_time = Duration::from_millis(1200);
        states.clear();
        let result = session.solve(Side::First, &mut |state| states.push(state.clone()));
        assert_eq!(result, Err(Unproved::OutOfTime));
        let first = states.first().expect("a report after half a second");
        assert!(first.open.len() > 10 && !first.line.is_empty() && first.effort.is_some());
    }

    /// HexGui tells of "swap sides" by asking for the board.
    #[test]
    fn sides_exchanged_in_hexgui_are_no_swap_of_the_engines() {
        for (hexgui, shown, swaps) in [(true, true, false), (true, false, true), (false, true, true)] {
            let mut session = session(5);
            session.set_allow_swap(true);
            if hexgui {
                session.meet_hexgui();
            }
            // The centre, which is worth a swap.
            let only = Restriction::new(Side::First, vec![Move::at(12)], true, 1);
            let options = SearchOptions { restrictions: vec![only], ..SearchOptions::default() };
            session.choose(Side::First, Asked::Play, &options, &mut |_| ());
            if shown {
                session.board_was_shown();
            }
            assert_eq!(choose(&mut session, Side::Second) == Choice::Move(Move::SWAP), swaps);
        }
    }

    #[test]
    fn hopeless_moves_in_a_row_lead_to_resignation_only_where_it_is_switched_on() {
        for (below, resigns) in [(0.0, false), (0.2, true)] {
            let mut session = session(3);
            session.core.settings.resign = crate::session::Resign { below, moves: 1 };
            session.play(Side::First, Move::at(4)).unwrap();
            let choice = choose(&mut session, Side::Second);
            assert_eq!(choice == Choice::Resign, resigns);
            // A resignation is no move.
            assert_eq!(session.core.history().moves().len(), if resigns { 1 } else { 2 });
        }
    }

    #[test]
    fn each_side_counts_its_own_hopeless_moves_and_none_that_were_taken_back() {
        let mut session = session(5);
        session.core.settings.resign = crate::session::Resign { below: 0.4, moves: 2 };
        let winning = [2, 12, 22].map(Move::at);
        winning.iter().for_each(|&mv| session.play(Side::First, mv).unwrap());
        for _ in 0..3 {
            assert!(matches!(choose(&mut session, Side::Second), Choice::Move(_)));
            assert!(session.undo(1));
        }
        assert!(matches!(choose(&mut session, Side::Second), Choice::Move(_)));
        // The winner's own move between them changes nothing.
        assert!(matches!(choose(&mut session, Side::First), Choice::Move(_)));
        assert_eq!(choose(&mut session, Side::Second), Choice::Resign);
    }
}
