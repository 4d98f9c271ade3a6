//! The core that sessions of every game share: history, clock, searcher, and thinking under somebody's control.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::choice::{Asked, Choice, Chosen, OnReport, SearchOptions};
use super::clock::{Allotment, Clock, System};
use super::control::{Control, EndsOn};
use super::history::History;
use super::settings::Settings;
use crate::game::{Game, Outcome, Side};
use crate::games::{Ending, Occupant, Size, Spelled};
use crate::players::{MovesLeft, Played, Recipe, SettingError};
use crate::rng::mix;
use crate::search::crew::Crew;
use crate::search::params::{Params, Replies};
use crate::search::{Budget, Decision, Report, Restriction, Searcher, Stop, Task};

/// One session of any game.
pub trait Session {
    /// Its game.
    type G: Played;
    /// State that moves change.
    type Mark;

    /// The common part.
    fn core(&self) -> &Core<Self::G>;

    /// The common part.
    fn core_mut(&mut self) -> &mut Core<Self::G>;

    /// Chooses a move for `side` with what its clock gives.
    fn choose(
        &mut self,
        side: Side,
        asked: Asked,
        options: &SearchOptions<<Self::G as Game>::Move>,
        on_report: OnReport<'_, <Self::G as Game>::Move>,
    ) -> Chosen<<Self::G as Game>::Move>;

    /// Begins a game at `start`; time settings stay.
    fn restart(&mut self, start: Self::G);

    /// Begins a game on a board of that size under the same rules; `false`, and nothing changes, if the game is not played
    /// on it.
    fn set_size(&mut self, size: Size) -> bool {
        let start = self.core().position().fresh(size);
        start.map(|start| self.restart(start)).is_some()
    }

    /// Begins a game on the same board with those occupants and no others.
    ///
    /// # Errors
    /// Why there is no such position; nothing is changed.
    fn set_up<C: Into<Occupant> + Copy>(&mut self, occupants: &[(C, usize)]) -> Result<(), String> {
        let now = self.core().position();
        let fresh = now.fresh(Spelled::size(now)).ok_or("there is no such board")?;
        let occupants: Vec<_> = occupants.iter().map(|&(occupant, point)| (occupant.into(), point)).collect();
        self.restart(fresh.with_occupants(&occupants)?);
        Ok(())
    }

    /// Takes over a game: a start, and moves that are legal from there.
    fn load(&mut self, start: Self::G, moves: &[(Side, <Self::G as Game>::Move)]) {
        self.restart(start);
        for &(side, mv) in moves {
            self.core_mut().play(side, mv);
        }
    }

    /// How the game has ended, once it has; its outcome where that is known.
    fn ending(&self) -> Option<(Ending, Option<Outcome>)> {
        let position = self.core().position();
        position.ending().map(|ending| (ending, position.outcome()))
    }

    /// Gives the turn to `side`.
    fn set_to_move(&mut self, side: Side) {
        self.core_mut().change_history(|history| history.give_turn(side));
    }

    /// Plays a move for `side`, whoever's turn it is.
    ///
    /// # Errors
    /// The rule that it breaks; nothing is changed.
    fn play(&mut self, side: Side, mv: <Self::G as Game>::Move) -> Result<(), String> {
        match self.core().objection(side, mv) {
            Some(why) => Err(why),
            None => {
                self.core_mut().play(side, mv);
                Ok(())
            }
        }
    }

    /// Takes moves back; `false`, and nothing changes, if there are not so many.
    fn undo(&mut self, count: usize) -> bool {
        self.core_mut().undo(count)
    }

    /// Remembers where the game stands.
    fn mark(&self) -> Self::Mark;

    /// Goes back to where the game stood, whatever was played since.
    fn return_to(&mut self, mark: Self::Mark);

    /// Forgets the game and begins a new one on the same board with the same rules, komi and time settings.
    fn clear(&mut self) {
        self.set_size(Spelled::size(self.core().position()));
    }

    /// Searches the position from the view of `side` until the next input line.
    fn analyze(
        &mut self,
        side: Side,
        options: &SearchOptions<<Self::G as Game>::Move>,
        on_report: OnReport<'_, <Self::G as Game>::Move>,
    );

    /// Searches while the opponent thinks, until the next input line, if that was asked for and makes sense now.
    fn ponder(&mut self) {
        let core = self.core_mut();
        if core.pondering && core.history.position().outcome().is_none() {
            let position = core.history.position().clone();
            let options = SearchOptions { ponders: true, ..SearchOptions::default() };
            core.think(&position, Budget::default(), EndsOn::NextLine, &options, &mut |_| ());
        }
    }

    /// After something went wrong in the middle of a command: the position is made again, the search starts afresh.
    fn recover(&mut self) {
        self.core_mut().recover();
    }
}

/// The common part of a session.
pub struct Core<G: Played> {
    /// Settings of this session.
    pub(super) settings: Settings,
    control: Arc<Control>,
    recipe: Recipe<G>,
    pub(super) searcher: Box<dyn Searcher<G>>,
    /// Restrictions of the search that the searcher's memory comes from.
    restrictions: Vec<Restriction<G::Move>>,
    history: History<G>,
    clock: Clock,
    /// Wall time that the last budget gave, by the clock.
    planned: Duration,
    /// Number of the input line that is being worked on.
    line: u64,
    /// Whether the opponent is thinking about an answer to the engine's move.
    pub(super) pondering: bool,
    /// Search time so far, all threads together.
    thread_time: Duration,
    /// Search time so far, by the clock on the wall.
    search_time: Duration,
    /// Hopeless moves of each side in a row.
    pub(super) hopeless: [u32; 2],
    /// Whether a search had fewer nodes than it was given since this was last set to `false`.
    pub(super) cut_short: bool,
    /// Whether the next line of input ends every search.
    cancellable: bool,
}

impl<G: Played> Core<G> {
    /// Why `side` may not play `mv` now, whoever's turn it is; `None` if it may.
    pub(super) fn objection(&self, side: Side, mv: G::Move) -> Option<String> {
        let objection = |position: &G| position.objection(mv).filter(|_| !position.tolerates(mv));
        match self.position() {
            position if position.to_move() == side => objection(position),
            _ => objection(&self.seen_by(side)),
        }
    }

    /// Move that `mv` means with `side` to move ([`Spelled::in_order`]).
    pub fn in_order(&self, side: Side, mv: G::Move) -> G::Move {
        match self.position() {
            position if position.to_move() == side => position.in_order(mv),
            _ => self.seen_by(side).in_order(mv),
        }
    }

    /// A game from `start`, searched as its recipe says.
    pub(super) fn new(settings: Settings, control: Arc<Control>, start: G) -> Self {
        let recipe = G::recipe();
        // Of settings that hold for several games, those of this one.
        let settings = Settings { params: recipe.own(&settings.params), ..settings };
        let clock = Clock::new(System::None, settings.lag);
        Self {
            searcher: recipe.searcher(&settings.resources()),
            settings,
            control,
            recipe,
            restrictions: Vec::new(),
            history: History::new(start),
            clock,
            planned: Duration::MAX,
            // Lines count from 1, and none has been interrupted yet.
            line: 1,
            pondering: false,
            thread_time: Duration::ZERO,
            search_time: Duration::ZERO,
            hopeless: [0; 2],
            cut_short: false,
            cancellable: false,
        }
    }

    /// Settings of this session.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Searches and parameters of the game.
    pub fn recipe(&self) -> &Recipe<G> {
        &self.recipe
    }

    /// Sets a parameter of the searches.
    ///
    /// # Errors
    /// As [`Recipe::set`].
    pub fn set_param(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        self.recipe.set(&mut self.settings.params, name, value)
    }

    /// Changes settings: all that `change` does, or nothing where it fails.
    ///
    /// # Errors
    /// Errors of `change`.
    pub fn change_settings<E>(
        &mut self,
        change: impl FnOnce(&Recipe<G>, &mut Settings) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut settings = self.settings.clone();
        change(&self.recipe, &mut settings)?;
        self.settings = settings;
        Ok(())
    }

    /// Says whether the next line of input ends the searches that follow.
    pub fn set_cancellable(&mut self, cancellable: bool) {
        self.cancellable = cancellable;
    }

    /// Whether something came after the line that is worked on.
    pub fn is_superseded(&self) -> bool {
        self.control.is_superseded(self.line)
    }

    /// The position now.
    pub fn position(&self) -> &G {
        self.history.position()
    }

    /// The game so far.
    pub fn history(&self) -> &History<G> {
        &self.history
    }

    /// The clocks.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Sets the time system for this game and those after it.
    pub fn set_time(&mut self, system: System) {
        self.clock.set_system(system);
    }

    /// The controller's word on a side's clock.
    pub fn set_time_left(&mut self, side: Side, time: Duration, count: u32) {
        self.clock.set(side, time, count);
    }

    /// Says which input line is worked on from now.
    pub fn begin_line(&mut self, line: u64) {
        self.line = line;
    }

    /// Ends thinking on the opponent's time.
    pub fn stop_pondering(&mut self) {
        self.pondering = false;
    }

    /// Time that search threads have worked in this session.
    pub fn thread_time(&self) -> Duration {
        self.thread_time
    }

    /// The position with that side to move.
    pub(super) fn seen_by(&self, side: Side) -> G {
        let mut position = self.position().clone();
        position.set_to_move(side);
        position
    }

    /// Wall time of searches in this session.
    pub fn search_time(&self) -> Duration {
        self.search_time
    }

    fn count_time(&mut self, spent: Duration, threads: usize) {
        self.search_time += spent;
        self.thread_time += spent * threads as u32;
    }

    /// Plays a legal move and keeps what the search knows of what follows.
    pub(super) fn play(&mut self, side: Side, mv: G::Move) {
        self.pondering = false;
        if side == self.position().to_move() && self.restrictions.is_empty() {
            self.searcher.advance(mv);
        } else {
            self.forget();
        }
        self.history.play(side, mv);
    }

    pub(super) fn undo(&mut self, count: usize) -> bool {
        self.hopeless = [0; 2];
        self.take_back(count)
    }

    /// Takes back what the client has not seen, or not whole.
    pub(super) fn take_back(&mut self, count: usize) -> bool {
        self.pondering = false;
        self.clock.disturb();
        self.history.undo(count)
    }

    /// The engine has moved: it thinks on the opponent's time, if it may.
    pub(super) fn wait(&mut self) {
        self.pondering = self.settings.ponder;
    }

    /// Puts another game in the place of this one, with the same clocks.
    pub(super) fn replace(&mut self, history: History<G>) {
        self.pondering = false;
        self.clock.disturb();
        self.history = history;
        self.forget();
    }

    /// Changes something that holds for the whole game.
    pub(super) fn change(&mut self, change: impl Fn(&mut G)) {
        self.change_history(|history| history.change(change));
    }

    /// Changes what the game is made of: the turn, or rules that what was played before is judged by as well.
    pub(super) fn change_history(&mut self, change: impl FnOnce(&mut History<G>)) {
        self.pondering = false;
        change(&mut self.history);
        self.forget();
    }

    /// Begins a game at `start`.
    pub(super) fn restart(&mut self, start: G) {
        self.pondering = false;
        self.hopeless = [0; 2];
        self.history = History::new(start);
        self.forget();
        self.clock.restart();
    }

    /// Budget of a move of `side`, which may have to make `moves`.
    pub(super) fn budget(&mut self, side: Side, moves: MovesLeft) -> Budget {
        self.plan(side, moves).0
    }

    /// Budget as [`Core::budget`], and the hard limit: an upper bound on the move's wall time, questions around the
    /// search included; `None` without a clock.
    pub(super) fn plan(&mut self, side: Side, moves: MovesLeft) -> (Budget, Option<Duration>) {
        let most = self.settings.most_time;
        let longest = most.unwrap_or(Duration::MAX).min(self.settings.longest_move);
        let allotment = self.clock.allot(side, moves).map(|allotment| allotment.within(longest));
        self.planned = allotment.map_or(Duration::MAX, |Allotment { time, .. }| time);
        let nodes = self.settings.playouts;
        let without_clock = most.or(nodes.is_none().then_some(self.settings.time_per_move));
        let time = allotment.map_or(without_clock, |Allotment { time, .. }| Some(time));
        // Where the rest of the time is lost the tree may as well grow for the moves to come.
        let early_stop = allotment.is_some_and(|Allotment { lost_if_unused, .. }| !lost_if_unused);
        (Budget { time, nodes, early_stop }, allotment.map(|Allotment { limit, .. }| limit))
    }

    /// Time for an answer beside the game: as the settings say, and no more than the clock leaves to the side to move.
    pub(super) fn answer_time(&self) -> Duration {
        let running = self.position().outcome().is_none();
        let left = self.clock.most(self.position().to_move()).filter(|_| running);
        left.map_or(self.settings.answer_time, |left| left.min(self.settings.answer_time))
    }

    /// Searches `position`, which is not over. Visits of moves that were the only ones allowed say nothing of them, so that a
    /// search under other restrictions starts afresh.
    pub(super) fn think(
        &mut self,
        position: &G,
        budget: Budget,
        ends_on: EndsOn,
        options: &SearchOptions<G::Move>,
        on_report: OnReport<'_, G::Move>,
    ) -> Decision<G::Move> {
        let analyses = ends_on == EndsOn::NextLine && !options.ponders;
        // An analysis on the engine's own time is no lag.
        if analyses {
            self.clock.disturb();
        }
        if self.restrictions != options.restrictions {
            self.forget();
            self.restrictions.clone_from(&options.restrictions);
        }
        let at_level = ends_on != EndsOn::NextLine && !options.full_strength;
        let params = self.settings.params_of(analyses, at_level);
        let ends_on = self.ends_on(ends_on);
        let Self { settings, control, searcher, line, .. } = self;
        let question = Question { position, budget, ends_on, options, params: &params };
        let (decision, spent) = question.put(searcher.as_mut(), settings, control, *line, on_report);
        self.cut_short |= budget.nodes.is_some_and(|nodes| decision.report.nodes < nodes);
        self.count_time(spent, self.settings.threads);
        decision
    }

    /// As [`Core::think`], by a searcher of the caller's and silently: a question beside the game, too short to learn replies for.
    pub(super) fn think_aside(
        &mut self,
        searcher: &mut dyn Searcher<G>,
        position: &G,
        budget: Budget,
        options: &SearchOptions<G::Move>,
    ) -> Decision<G::Move> {
        let params = &Params { replies: Replies::None, ..self.settings.params.clone() };
        let question = Question { position, budget, ends_on: self.ends_on(EndsOn::Interrupt), options, params };
        let (decision, spent) = question.put(searcher, &self.settings, &self.control, self.line, &mut |_| ());
        self.cut_short |= budget.nodes.is_some_and(|nodes| decision.report.nodes < nodes);
        self.count_time(spent, self.settings.threads);
        decision
    }

    /// The event that ends a search which that one ends otherwise.
    fn ends_on(&self, usual: EndsOn) -> EndsOn {
        if self.cancellable { EndsOn::NextLine } else { usual }
    }

    /// The position is made again from the moves, and the search starts afresh.
    pub(super) fn recover(&mut self) {
        self.cancellable = false;
        self.history.replay();
        self.restrictions.clear();
        self.searcher = self.recipe.searcher(&self.settings.resources());
    }

    /// Gives the memory of the search back.
    pub fn forget(&mut self) {
        self.restrictions.clear();
        self.searcher.clear();
    }

    /// Lets something else than a search work under the control of the input: with the stop it has to heed, the time it has
    /// once the input is closing, and its threads.
    pub(super) fn work_aside<R>(&mut self, work: impl FnOnce(&Stop, Option<Duration>, Crew<'_>) -> R) -> R {
        let guard = self.control.begin(self.line, self.ends_on(EndsOn::Interrupt));
        let ticket = self.settings.share.enter();
        let threads = ticket.threads().min(self.settings.threads);
        let start = Instant::now();
        let result = work(guard.stop(), guard.time_left(), Crew::sharing(self.settings.threads, &ticket));
        drop((ticket, guard));
        self.count_time(start.elapsed(), threads);
        result
    }

    /// The end of choosing a move: the clock runs, hopeless moves are counted, the move is played if it was asked to be.
    pub(super) fn answer(
        &mut self,
        side: Side,
        asked: Asked,
        mv: G::Move,
        report: Report<G::Move>,
        may_resign: bool,
        spent: Duration,
    ) -> Chosen<G::Move> {
        let resign = self.settings.resign;
        let hopeless = report.winrate < resign.below;
        if asked == Asked::Only {
            self.clock.disturb();
            return Chosen { choice: Choice::Move(mv), report: Some(report) };
        }
        self.clock.spend(side, spent, self.planned);
        let in_a_row = &mut self.hopeless[side.index()];
        *in_a_row = if hopeless { *in_a_row + 1 } else { 0 };
        if may_resign && hopeless && *in_a_row >= resign.moves {
            return Chosen { choice: Choice::Resign, report: Some(report) };
        }
        self.play(side, mv);
        self.wait();
        Chosen { choice: Choice::Move(mv), report: Some(report) }
    }
}

/// Question to a searcher.
struct Question<'a, G: Game> {
    position: &'a G,
    budget: Budget,
    ends_on: EndsOn,
    options: &'a SearchOptions<G::Move>,
    params: &'a Params,
}

impl<G: Game> Question<'_, G> {
    /// Runs the search under the control of the input, and tells how long it took.
    fn put(
        self,
        searcher: &mut dyn Searcher<G>,
        settings: &Settings,
        control: &Control,
        line: u64,
        on_report: OnReport<'_, G::Move>,
    ) -> (Decision<G::Move>, Duration) {
        let Self { position, mut budget, ends_on, options, params } = self;
        let guard = control.begin(line, ends_on);
        if let Some(left) = guard.time_left() {
            budget.time = Some(budget.time.map_or(left, |time| time.min(left)));
        }
        let task = Task {
            position,
            budget,
            threads: settings.threads,
            seed: mix(settings.seed ^ position.plies() as u64),
            params,
            restrictions: &options.restrictions,
            report_every: options.report_every.map(|every| every.max(settings.report_every)),
            ownership: options.ownership,
            moves_ownership: options.moves_ownership,
            stop: guard.stop(),
        };
        let start = Instant::now();
        let decision = searcher.run(&task, on_report);
        tracing::info!(
            nodes = decision.report.nodes,
            seconds = decision.report.elapsed.as_secs_f64(),
            winrate = decision.report.winrate,
            memory = decision.report.memory,
            "searched"
        );
        (decision, start.elapsed())
    }
}
