//! A session of any game whose moves are points: whole moves, or point by point for GoGui.

use std::sync::Arc;
use std::time::Instant;

use super::choice::{Asked, Choice, Chosen, OnReport, SearchOptions};
use super::control::{Control, EndsOn};
use super::core::{Core, Session};
use super::history::History;
use super::settings::Settings;
use crate::game::{Game, Side};
use crate::games::{Spelled, Spelling};
use crate::players::Played;
use crate::search::Restriction;

/// Steps of a game at most, when passes at its end are counted no more.
const MOST_STEPS: usize = 1 << 20;

/// A step of the game as the client sees it, which undo takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// This point of a move was clicked, and others follow.
    Click(usize),
    /// A move was completed: in one, or after the clicks before it.
    Move,
    /// A pass at the end of a game that has none.
    Pass,
}

/// A move that is being clicked, and the steps of the game so far.
#[derive(Clone, Debug)]
pub struct Clicks<G: Game> {
    /// Points of the move so far; the last steps are as many clicks.
    points: Vec<usize>,
    /// The move that the engine is clicking.
    planned: Option<G::Move>,
    steps: Vec<Step>,
}

impl<G: Spelled> Clicks<G> {
    fn new() -> Self {
        Self { points: Vec::new(), planned: None, steps: Vec::new() }
    }

    fn click(&mut self, point: usize) {
        self.points.push(point);
        self.steps.push(Step::Click(point));
    }

    /// Forgets the move that was begun.
    fn give_up(&mut self) {
        self.steps.truncate(self.steps.len() - self.points.len());
        self.points.clear();
        self.planned = None;
    }

    /// The move that was begun, or another one, is played.
    fn complete(&mut self) {
        self.points.clear();
        self.planned = None;
        self.steps.push(Step::Move);
    }

    /// The points of a move in the order in which they are clicked, and in another one where that means the same move, as with two
    /// pieces that are put down at once; as far as they begin with what was clicked.
    fn ways(&self, position: &G, mv: G::Move) -> impl Iterator<Item = Spelling> {
        let spelling = G::spell(position.size(), mv);
        let turned = match *spelling.points() {
            [first, second] => Some(Spelling::from([second, first])),
            _ => None,
        };
        let means = |way: &Spelling| G::unspell(position.size(), way).map(|other| position.in_order(other)) == Some(mv);
        let ways = std::iter::once(spelling).chain(turned.filter(means));
        ways.filter(|way| way.points().starts_with(&self.points))
    }

    /// Takes up the clicks that come last of all steps.
    fn restore(&mut self) {
        let clicked = |step: &Step| if let Step::Click(point) = *step { Some(point) } else { None };
        self.points = self.steps.iter().rev().map_while(clicked).collect();
        self.points.reverse();
    }
}

/// A session of such a game.
pub struct PointsSession<G: Played> {
    core: Core<G>,
    clicks: Clicks<G>,
    /// Whether moves are answered point by point.
    by_points: bool,
    /// The point that the last choice answers where it answers one.
    answered: Option<usize>,
}

impl<G: Played> PointsSession<G> {
    /// The start on the board of the settings, or on the game's usual one.
    pub fn new(settings: Settings, control: Arc<Control>) -> Self {
        let start = G::first_game(&settings.setup);
        let core = Core::new(settings, control, start);
        Self { core, clicks: Clicks::new(), by_points: false, answered: None }
    }

    /// From now on moves are answered point by point.
    pub fn answer_by_points(&mut self) {
        self.by_points = true;
    }

    /// Whether moves are answered point by point.
    pub fn is_by_points(&self) -> bool {
        self.by_points
    }

    /// The points of a move that were clicked so far.
    pub fn clicked(&self) -> &[usize] {
        &self.clicks.points
    }

    /// The point that answers the last choice, where clients are answered by points and it has any.
    pub fn answer(&self) -> Option<usize> {
        self.answered.filter(|_| self.by_points)
    }

    /// The legal moves of the side to move in `position` that begin with what was clicked.
    fn possible(&self, position: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&mv| self.clicks.ways(position, mv).next().is_some());
        moves
    }

    /// Points and words that the side to move can play: points that go on with the move that was begun or begin one, in
    /// ascending order, and words that are moves.
    pub fn playable(&self) -> (Vec<usize>, Vec<&'static str>) {
        let position = self.core.position();
        let (mut points, mut words) = (Vec::new(), Vec::new());
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for way in moves.into_iter().flat_map(|mv| self.clicks.ways(position, mv)) {
            match way {
                Spelling::Points(all) => points.extend(all.get(self.clicks.points.len())),
                Spelling::Word(word) => words.push(word),
            }
        }
        points.sort_unstable();
        points.dedup();
        (points, words)
    }

    /// Clicks a point: begins a move of `side`, goes on with it or completes it.
    ///
    /// # Errors
    /// The rule that it breaks; nothing is changed.
    pub fn play_point(&mut self, side: Side, point: usize) -> Result<(), String> {
        let position = self.core.seen_by(side);
        let mut clicks = self.clicks.clone();
        clicks.click(point);
        let begins = |clicks: &Clicks<G>, mv| clicks.ways(&position, mv).next().is_some();
        let possible = self.possible(&position).into_iter().find(|&mv| begins(&clicks, mv));
        let Some(mv) = possible else {
            return Err(match self.clicks.points.len() {
                0 => "nothing that can move is there",
                _ => "the piece in hand cannot go there",
            }
            .to_owned());
        };
        if G::spell(position.size(), mv).points().len() > clicks.points.len() {
            clicks.planned = clicks.planned.filter(|&mv| begins(&clicks, mv));
            self.clicks = clicks;
        } else {
            self.core.play(side, mv);
            self.clicks.complete();
        }
        Ok(())
    }

    /// A pass at the end is none of the game's moves, but one of the client's, who may take it back.
    pub fn pass_at_end(&mut self) {
        if self.clicks.steps.len() < MOST_STEPS {
            self.clicks.steps.push(Step::Pass);
        }
    }

    /// Answers the next point of the engine's move, and clicks it for a client of points; `false` if the move is to be completed instead.
    fn click_next(&mut self, position: &G, mv: G::Move) -> bool {
        self.answer_next(position, mv);
        let last = G::spell(position.size(), mv).points().len() <= self.clicks.points.len() + 1;
        let Some(point) = self.answer().filter(|_| !last) else { return false };
        self.clicks.click(point);
        self.clicks.planned = Some(mv);
        true
    }

    /// Answers the point of a move that follows those that were clicked.
    fn answer_next(&mut self, position: &G, mv: G::Move) {
        let way = self.clicks.ways(position, mv).next();
        self.answered = way.and_then(|way| way.points().get(self.clicks.points.len()).copied());
    }
}

impl<G: Played> Session for PointsSession<G> {
    type G = G;
    type Mark = (History<G>, Clicks<G>);

    fn core(&self) -> &Core<G> {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core<G> {
        &mut self.core
    }

    fn choose(
        &mut self,
        side: Side,
        asked: Asked,
        options: &SearchOptions<G::Move>,
        on_report: OnReport<'_, G::Move>,
    ) -> Chosen<G::Move> {
        let start = Instant::now();
        let position = self.core.seen_by(side);
        if position.outcome().is_some() {
            if asked != Asked::Only {
                self.pass_at_end();
            }
            return Chosen { choice: Choice::Nothing, report: None };
        }
        if let Some(mv) = self.clicks.planned.filter(|&mv| asked != Asked::Only && position.is_legal(mv)) {
            if !self.click_next(&position, mv) {
                self.core.play(side, mv);
                self.core.wait();
                self.clicks.complete();
            }
            return Chosen { choice: Choice::Move(mv), report: None };
        }
        let mut options = options.clone();
        let possible = self.possible(&position);
        match (self.clicks.points.is_empty(), possible.is_empty()) {
            (true, _) => {}
            (false, false) => {
                options.restrictions = vec![Restriction::new(side, possible, true, 1)];
            }
            // The other side has begun a move, which is not to be.
            (false, true) => self.clicks.give_up(),
        }
        let budget = self.core.budget(side, position.moves_left());
        let decision = self.core.think(&position, budget, EndsOn::Interrupt, &options, on_report);
        let chosen = self.core.answer(side, asked, decision.mv, decision.report, true, start.elapsed());
        match chosen.choice {
            Choice::Move(mv) if asked == Asked::Only => self.answer_next(&position, mv),
            Choice::Move(mv) if self.click_next(&position, mv) => _ = self.core.take_back(1),
            Choice::Move(_) => self.clicks.complete(),
            Choice::Nothing | Choice::Resign => {}
        }
        chosen
    }

    fn restart(&mut self, start: G) {
        self.core.restart(start);
        self.clicks = Clicks::new();
    }

    fn load(&mut self, start: G, moves: &[(Side, G::Move)]) {
        self.restart(start);
        for &(side, mv) in moves {
            self.core.play(side, mv);
            self.clicks.complete();
        }
    }

    fn play(&mut self, side: Side, mv: G::Move) -> Result<(), String> {
        if let Some(why) = self.core.objection(side, mv) {
            return Err(why);
        }
        self.clicks.give_up();
        self.core.play(side, mv);
        self.clicks.complete();
        Ok(())
    }

    /// Steps are taken back: clicks one by one, and moves in one where they were played so.
    fn undo(&mut self, count: usize) -> bool {
        let Some(kept) = self.clicks.steps.len().checked_sub(count) else { return false };
        let undone = self.clicks.steps.split_off(kept);
        if !undone.is_empty() {
            self.clicks.planned = None;
        }
        let moves = undone.iter().filter(|&&step| step == Step::Move).count();
        if moves > 0 {
            self.core.undo(moves);
        }
        // Points of the move that is no longer played stay clicked as far as they had been.
        self.clicks.restore();
        true
    }

    fn mark(&self) -> Self::Mark {
        (self.core.history().clone(), self.clicks.clone())
    }

    fn return_to(&mut self, (history, clicks): Self::Mark) {
        self.core.replace(history);
        self.clicks = clicks;
    }

    fn recover(&mut self) {
        self.core.recover();
        let moves = self.core.history().moves().len();
        self.clicks = Clicks { steps: vec![Step::Move; moves], ..Clicks::new() };
    }

    fn analyze(&mut self, side: Side, options: &SearchOptions<G::Move>, on_report: OnReport<'_, G::Move>) {
        let position = self.core.seen_by(side);
        if position.outcome().is_none() {
            self.core.think(&position, Default::default(), EndsOn::NextLine, options, on_report);
        }
    }
}

#[cfg(test)]
mod tests;
