//! A session of Go: rules, handicap, passing, scoring, moves by the engine.

mod handicap;
mod reading;

use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

pub use self::handicap::HandicapError;
use self::reading::ReadingTime;
use super::choice::{Asked, Chosen, OnReport, SearchOptions};
use super::control::{Control, EndsOn};
use super::core::{Core, Session};
use super::history::History;
use super::passing::{Candidate, Passing, passing};
use super::repetition::Arrangements;
use super::settings::Settings;
use super::verdict::LifeAndDeath;
use crate::eval::net::NetworkEvaluator;
use crate::eval::{Evaluation, PolicyQuery};
use crate::game::{Game, MonteCarlo, Outcome, Side};
use crate::games::go::{Move, Position, Rules, score};
use crate::games::{Ending, Spelled};
use crate::players::{Imitation, Played};
use crate::rng::{Rng, mix};
use crate::search::mcts::Mcts;
use crate::search::{Budget, Decision, Report, Restriction, Searcher};

/// Playouts behind a verdict that no search has given.
const VERDICT_PLAYOUTS: u64 = 1_000;
/// Most memory of the tree behind verdicts and readings, in MiB.
const READER_MEMORY: usize = 32;
/// Share of a move's time that such a verdict may take.
const READER_SHARE: u32 = 8;
/// Share of the clock that the search leaves to the questions after it once a pass may be due.
const QUESTIONS_SHARE: f32 = 0.25;
/// Most nodes of the search beside a move that is drawn as people play: it tells when to pass and to resign.
const PEOPLE_NODES: u64 = 40;
/// Visits by which a move is known, or a tenth of all where there are fewer.
const KNOWN_VISITS: u64 = 100;
/// Playouts behind the question whether a pass costs anything.
const PASS_PLAYOUTS: u64 = 2_000;

/// A session of Go.
pub struct GoSession {
    core: Core<Position>,
    /// The reading of the board that the last question about it rested on.
    verdict: Option<LifeAndDeath>,
    /// Playouts for questions beside the game.
    reader: Mcts<Position>,
    /// Handicap stones that were sent as plays.
    played_handicap: usize,
    /// Stones of a free handicap, with which the game has begun.
    free_handicap: usize,
}

/// Why a question about the board has no answer.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Unanswered {
    /// An interrupt or a signal ended the reading.
    #[error("cannot score: the reading was interrupted")]
    Interrupted,
    /// The reading takes longer than the settings or the clock allow.
    #[error("cannot score: the reading takes longer than --answer-time or the clock allows")]
    OutOfTime,
}

impl GoSession {
    /// An empty board.
    pub fn new(settings: Settings, control: Arc<Control>) -> Self {
        let start = Position::first_game(&settings.setup);
        let beside = reader_memory(&settings);
        let reader = Mcts::new(Arc::clone(&settings.share), beside);
        let settings = Settings { memory: settings.memory.saturating_sub(beside).max(1), ..settings };
        Self { core: Core::new(settings, control, start), verdict: None, reader, played_handicap: 0, free_handicap: 0 }
    }

    /// The evaluation of the position by the model alone, with `side` to move if one is given, shown in that symmetry, with that share
    /// of its optimistic policy; and the moves that the policy is of. `None` without a model for this board.
    pub fn raw_evaluation(
        &self,
        side: Option<Side>,
        symmetry: usize,
        optimism: f32,
    ) -> Option<(Vec<Move>, Evaluation)> {
        let position = self.core.position();
        let position = &side.map_or_else(|| position.clone(), |side| self.core.seen_by(side));
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let query = PolicyQuery { position, moves: &moves, optimism };
        let evaluation = self.evaluator()?.look(&query, symmetry)?;
        Some((moves, evaluation))
    }

    /// Moves of the people who are imitated, with `side` to move if one is given, as a network sees it in that symmetry.
    /// `None` where nobody is imitated.
    pub fn imitation(&self, side: Option<Side>, symmetry: usize) -> Option<Imitation<Move>> {
        let position = side.map_or_else(|| self.core.position().clone(), |side| self.core.seen_by(side));
        let Settings { models, people, .. } = self.core.settings();
        models.people()?.look(&position, people.as_ref()?, symmetry)
    }

    /// Whether moves are drawn as people play.
    fn imitates(&self) -> bool {
        self.core.settings().people.is_some() && self.core.settings().models.people().is_some()
    }

    /// A move that may be played, drawn as the people play who are imitated; `None` where nobody is.
    fn as_people(&self, position: &Position, may: impl Fn(Move) -> bool) -> Option<Move> {
        let Settings { models, people, seed, .. } = self.core.settings();
        let imitation = models.people()?.look(position, people.as_ref()?, 0)?;
        let mut rng = Rng::stream(mix(*seed ^ position.key()), position.plies() as u64);
        let sensible = |mv: Move| may(mv) && position.is_sensible(mv);
        imitation.draw(position.plies(), position.points(), sensible, &mut rng)
    }

    /// The position from which `side` plays on, and whether the opponent has passed.
    fn to_play_on(&self, side: Side) -> (Position, bool) {
        let mut position = self.core.seen_by(side);
        let last = self.core.history().moves().last();
        let opponent_passed = position.passes() > 0 && last.is_none_or(|&(passer, _)| passer != side);
        if position.passes() >= 2 || !opponent_passed {
            position.resume();
        }
        (position, opponent_passed)
    }

    /// Evaluator of the game's own searches, on boards that it serves; `None` where they play without a model.
    fn evaluator(&self) -> Option<NetworkEvaluator<Position, ()>> {
        let models = self.core.settings().resources().models;
        models.of::<Position>().map(|network| NetworkEvaluator::new(Arc::clone(network), ()))
    }

    /// Whether that position is searched by a model.
    fn is_judged(&self, position: &Position) -> bool {
        self.evaluator().is_some_and(|evaluator| evaluator.serves(position))
    }

    /// Changes komi.
    pub fn set_komi(&mut self, komi: f32) {
        self.verdict = None;
        self.core.change(|position| position.set_komi(komi));
    }

    /// Changes the rules of this game and those after it.
    pub fn set_rules(&mut self, rules: Rules) {
        self.verdict = None;
        self.core.change_history(|history| history.change_past(|position| position.set_rules(rules)));
    }

    /// The reading of the board now, made once as long as the board is the same.
    ///
    /// # Errors
    /// [`Unanswered`], and nothing is kept of it.
    pub fn verdict(&mut self) -> Result<LifeAndDeath, Unanswered> {
        let position = self.core.position().clone();
        if let Some(verdict) = self.known_verdict(&position) {
            return Ok(verdict);
        }
        let deadline = Instant::now() + self.core.answer_time();
        let ownership = self.ownership_until(deadline)?;
        let verdict = self.read(&position, &ownership, u64::MAX, Some(ReadingTime::Until(deadline)));
        self.check_whole(deadline)?;
        self.verdict = Some(verdict.clone());
        Ok(verdict)
    }

    fn known_verdict(&self, position: &Position) -> Option<LifeAndDeath> {
        self.verdict.clone().filter(|verdict| verdict.is_of(position))
    }

    /// A verdict within about that time; the full one if it is known or nothing presses.
    fn verdict_within(&mut self, time: Option<Duration>) -> Result<LifeAndDeath, Unanswered> {
        let position = self.core.position().clone();
        match (time, self.known_verdict(&position)) {
            (_, Some(verdict)) => Ok(verdict),
            (None, None) => self.verdict(),
            (Some(time), None) => {
                let ownership = self.ownership_of(&position, Some(time / 2));
                Ok(self.read(&position, &ownership, u64::MAX, Some(ReadingTime::Shared(time / 2))))
            }
        }
    }

    /// Expected owner of each point at the end, from -1 for `Second` to 1 for `First`.
    ///
    /// # Errors
    /// [`Unanswered`].
    pub fn ownership(&mut self) -> Result<Vec<f32>, Unanswered> {
        self.ownership_until(Instant::now() + self.core.answer_time())
    }

    fn ownership_until(&mut self, deadline: Instant) -> Result<Vec<f32>, Unanswered> {
        self.core.cut_short = false;
        let time = deadline.saturating_duration_since(Instant::now());
        let owners = self.ownership_of(&self.core.position().clone(), Some(time));
        self.check_whole(deadline).map(|()| owners)
    }

    /// Refuses the result of searches of which one had fewer nodes than it was given.
    fn check_whole(&self, deadline: Instant) -> Result<(), Unanswered> {
        match self.core.cut_short {
            false => Ok(()),
            true if Instant::now() >= deadline => Err(Unanswered::OutOfTime),
            true => Err(Unanswered::Interrupted),
        }
    }

    fn ownership_of(&mut self, position: &Position, time: Option<Duration>) -> Vec<f32> {
        let mut root = position.clone();
        root.resume();
        root.play_to_the_end();
        let budget = Budget { nodes: Some(VERDICT_PLAYOUTS), time, early_stop: false };
        let options = SearchOptions { ownership: true, full_strength: true, ..SearchOptions::default() };
        let decision = self.core.think_aside(&mut self.reader, &root, budget, &options);
        self.reader.clear();
        owners(&root, &decision.report)
    }

    /// Searches for a move: for `first`, and for the rest of the budget's time only where no question about a pass
    /// follows.
    fn search(
        &mut self,
        position: &Position,
        budget: Budget,
        first: Option<Duration>,
        options: &SearchOptions<Move>,
        on_report: OnReport<'_, Move>,
    ) -> Decision<Move> {
        let start = Instant::now();
        let likes_pass =
            |decision: &Decision<Move>| decision.report.moves.first().is_none_or(|best| best.mv == Move::PASS);
        let decision =
            self.core.think(position, Budget { time: first, ..budget }, EndsOn::Interrupt, options, on_report);
        let Some((first, whole)) = first.zip(budget.time).filter(|(first, whole)| first < whole) else {
            return decision;
        };
        if likes_pass(&decision) || decision.report.elapsed < first {
            return decision;
        }
        let nodes = budget.nodes.map(|nodes| nodes.saturating_sub(decision.report.nodes));
        let time = Some(whole.saturating_sub(start.elapsed()));
        let rest = Budget { time, nodes, ..budget };
        let mut longer = self.core.think(position, rest, EndsOn::Interrupt, options, on_report);
        // There is no time left to ask whether a pass is right.
        if likes_pass(&longer) {
            return decision;
        }
        longer.report.nodes += decision.report.nodes;
        longer.report.elapsed += decision.report.elapsed;
        longer
    }

    /// A search by playouts, whatever the game is searched by.
    fn play_out(&mut self, root: &Position, budget: Budget, options: &SearchOptions<Move>) -> Decision<Move> {
        if self.is_judged(root) {
            let decision = self.core.think_aside(&mut self.reader, root, budget, options);
            self.reader.clear();
            decision
        } else {
            self.core.think(root, budget, EndsOn::Interrupt, options, &mut |_| ())
        }
    }

    /// Points by which `First` leads if the game ends now.
    ///
    /// # Errors
    /// [`Unanswered`].
    pub fn final_score(&mut self) -> Result<f32, Unanswered> {
        if !self.core.position().rules().agrees_on_dead() {
            return Ok(score::score(self.core.position(), &[]));
        }
        Ok(self.verdict()?.score(self.core.position()))
    }

    /// Whether `side` keeps what it has if it passes and the opponent makes the best of two moves in a row.
    fn pass_is_free(&mut self, position: &Position, play: Candidate, given: Budget, time: Duration) -> bool {
        let mut passed = position.clone();
        passed.play(Move::PASS);
        play.is_like_pass(&self.without_pass(&passed, given, time, &[]))
    }

    /// The best move that is no pass. Where the search looked at the pass and at little else, one of its own finds it.
    fn beside_pass(
        &mut self,
        position: &Position,
        report: &Report<Move>,
        given: Budget,
        time: Duration,
        restrictions: &[Restriction<Move>],
    ) -> Option<Candidate> {
        let best = Candidate::best(position, report)?;
        let likes_pass = report.moves.first().is_some_and(|first| first.mv == Move::PASS);
        if !likes_pass || best.visits >= KNOWN_VISITS.min(report.nodes / 10) {
            return Some(best);
        }
        let alone = self.without_pass(position, given, time, restrictions);
        Candidate::best(position, &alone).filter(|_| alone.nodes > 0).or(Some(best))
    }

    /// Report of a search of its own where the side to move may not pass, beside other restrictions.
    fn without_pass(
        &mut self,
        position: &Position,
        given: Budget,
        time: Duration,
        others: &[Restriction<Move>],
    ) -> Report<Move> {
        let avoid = Restriction::new(position.to_move(), vec![Move::PASS], false, 1);
        let restrictions = others.iter().cloned().chain([avoid]).collect();
        let options = SearchOptions { restrictions, full_strength: true, ..SearchOptions::default() };
        // Half of the playouts that the move itself was given; time counts only where it did there, so that a budget of
        // playouts gives the same game again.
        let nodes = given.nodes.map_or(PASS_PLAYOUTS, |nodes| PASS_PLAYOUTS.min(nodes / 2 + 1));
        let budget = Budget { nodes: Some(nodes), time: given.time.map(|_| time), early_stop: false };
        self.core.think(position, budget, EndsOn::Interrupt, &options, &mut |_| ()).report
    }

    /// Moves that take dead stones of the opponent off the board, or lead there.
    fn clean_up(&self, position: &Position, verdict: &LifeAndDeath) -> Vec<Move> {
        let side = position.to_move();
        let doomed: Vec<_> =
            verdict.doomed().iter().copied().filter(|&p| position.stone(p) == Some(side.opponent())).collect();
        let legal = |&p: &usize| position.is_legal(Move::at(p));
        let capturing = doomed.iter().find_map(|&stone| {
            let liberties = score::liberties(position, &score::chain(position, stone));
            liberties.first().copied().filter(|p| liberties.len() == 1 && legal(p))
        });
        match capturing {
            Some(point) => vec![Move::at(point)],
            None => score::liberties(position, &doomed)
                .into_iter()
                .filter(legal)
                .map(Move::at)
                .filter(|&mv| position.is_sensible(mv))
                .collect(),
        }
    }
}

/// Whether one side has so many stones more that playouts may end before they have told what lives.
fn is_one_sided(position: &Position) -> bool {
    4 * position.stones(Side::First).abs_diff(position.stones(Side::Second)) > position.points()
}

/// Share of the session's memory for questions beside the game, in MiB.
fn reader_memory(settings: &Settings) -> usize {
    READER_MEMORY.min(settings.memory / 4).max(1)
}

/// A report's ownership, from -1 for `Second` to 1 for `First`.
fn owners(position: &Position, report: &Report<Move>) -> Vec<f32> {
    match &report.ownership {
        Some(owners) => owners.iter().map(|v| v * report.to_move.sign()).collect(),
        // Interrupted before the first playout: every stone is taken to live.
        None => (0..position.points()).map(|i| position.stone(i).map_or(0.0, Side::sign)).collect(),
    }
}

impl Session for GoSession {
    type G = Position;
    /// The game, and the handicaps that were sent as plays and by a command.
    type Mark = (History<Position>, [usize; 2]);

    fn core(&self) -> &Core<Position> {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core<Position> {
        &mut self.core
    }

    fn choose(
        &mut self,
        side: Side,
        asked: Asked,
        options: &SearchOptions<Move>,
        on_report: OnReport<'_, Move>,
    ) -> Chosen<Move> {
        let start = Instant::now();
        let (position, opponent_passed) = self.to_play_on(side);
        let (mut budget, hard_limit) = self.core.plan(side, position.moves_left());
        if self.imitates() {
            budget.nodes = Some(budget.nodes.map_or(PEOPLE_NODES, |nodes| nodes.min(PEOPLE_NODES)));
        }
        // The answer to a pass is nearly always known at once.
        budget.early_stop |= opponent_passed && hard_limit.is_some();
        // All that belongs to the move has to fit what the clock has.
        let within = |time: Duration| hard_limit.map_or(time, |limit| time.min(limit.saturating_sub(start.elapsed())));
        let mut options = SearchOptions { ownership: true, ..options.clone() };
        let targets = if asked == Asked::CleanUp {
            let verdict =
                self.verdict_within(budget.time.filter(|_| hard_limit.is_some()).map(|time| time / READER_SHARE));
            verdict.map_or(Vec::new(), |verdict| self.clean_up(&position, &verdict))
        } else {
            Vec::new()
        };
        if !targets.is_empty() {
            options.restrictions.push(Restriction::new(side, targets.clone(), true, 1));
        }
        let nears_end = opponent_passed || 2 * position.plies() > position.points();
        let questions = hard_limit.filter(|_| nears_end).map_or(Duration::ZERO, |limit| limit.mul_f32(QUESTIONS_SHARE));
        // By the clock what was asked before the search counts too.
        let asked_for = hard_limit.map_or(Duration::ZERO, |_| start.elapsed());
        budget.time = budget.time.map(|time| time.saturating_sub(asked_for));
        let first = budget.time.map(|time| within(time + questions).saturating_sub(questions));
        if opponent_passed || questions.is_zero() {
            budget.time = first;
        }
        let decision = self.search(&position, budget, first, &options, on_report);
        let near_pass = opponent_passed || decision.report.moves.first().is_none_or(|m| m.mv == Move::PASS);
        let owners = match &decision.report.ownership {
            // A model that knows no owners leaves the question to playouts, and so does a search whose playouts end early.
            owners if near_pass && is_one_sided(&position) || owners.is_none() && self.is_judged(&position) => {
                self.ownership_of(&position, budget.time.map(|_| within(start.elapsed() / READER_SHARE)))
            }
            _ => owners(&position, &decision.report),
        };
        let verdict = if near_pass {
            let playouts = budget.nodes.unwrap_or(u64::MAX);
            let time = budget.time.map(|_| ReadingTime::Shared(within(start.elapsed() / READER_SHARE)));
            self.read(&position, &owners, playouts, time)
        } else {
            LifeAndDeath::new(&position, &owners, &[])
        };
        let excluded = |mv| options.restrictions.iter().any(|r| r.side == side && r.moves().contains(&mv) != r.allow);
        let mut mv = if targets.is_empty() {
            let time = within(start.elapsed() / 4);
            let play = || self.beside_pass(&position, &decision.report, budget, time, &options.restrictions);
            match passing(&position, &decision.report, play, &verdict, opponent_passed) {
                Passing::Settled(mv) => mv,
                Passing::IfFree(play) if self.pass_is_free(&position, play, budget, within(start.elapsed() / 2)) => {
                    Move::PASS
                }
                Passing::IfFree(play) => play.mv,
            }
        } else {
            decision.report.moves.iter().map(|m| m.mv).find(|mv| targets.contains(mv)).unwrap_or(decision.mv)
        };
        if excluded(mv) {
            mv = decision.mv;
        }
        if targets.is_empty() && mv != Move::PASS {
            mv = self.as_people(&position, |mv| mv != Move::PASS && !excluded(mv)).unwrap_or(mv);
        }
        mv = Arrangements::of(self.core.history()).instead(&position, mv, &decision.report, |mv| !excluded(mv));
        // White has more to win in the first half of a game with a handicap than searches see.
        let early = 2 * position.plies() < position.points();
        let may_resign = side == Side::First || position.handicap() == 0 || !early;
        let chosen = self.core.answer(side, asked, mv, decision.report, may_resign, start.elapsed());
        if asked != Asked::Only {
            self.count_handicap();
        }
        chosen
    }

    /// Where players agree on dead stones nobody has won before they were read.
    fn ending(&self) -> Option<(Ending, Option<Outcome>)> {
        let position = self.core.position();
        let ending = position.ending()?;
        if !position.rules().agrees_on_dead() {
            return Some((ending, position.outcome()));
        }
        let Some(verdict) = self.known_verdict(position) else { return Some((Ending::Passed, None)) };
        let lead = verdict.score(position);
        let outcome = Outcome::of(score::winner(lead), lead);
        Some((Ending::Two { winner: outcome.winner, lead: 0, detail: String::new() }, Some(outcome)))
    }

    fn restart(&mut self, mut start: Position) {
        if self.played_handicap > 0 {
            // An edited board comes with what its stones meant.
            start.set_handicap(0);
        }
        (self.verdict, self.played_handicap, self.free_handicap) = (None, 0, 0);
        self.core.restart(start);
    }

    fn load(&mut self, start: Position, moves: &[(Side, Move)]) {
        // A record tells its own handicap.
        self.played_handicap = 0;
        self.restart(start);
        moves.iter().for_each(|&(side, mv)| self.core.play(side, mv));
        self.count_handicap();
    }

    fn play(&mut self, side: Side, mv: Move) -> Result<(), String> {
        self.core.objection(side, mv).map_or(Ok(()), Err)?;
        self.core.play(side, mv);
        self.count_handicap();
        Ok(())
    }

    fn undo(&mut self, count: usize) -> bool {
        let done = self.core.undo(count);
        self.count_handicap();
        done
    }

    fn mark(&self) -> Self::Mark {
        (self.core.history().clone(), [self.played_handicap, self.free_handicap])
    }

    fn return_to(&mut self, (history, handicaps): Self::Mark) {
        self.core.replace(history);
        [self.played_handicap, self.free_handicap] = handicaps;
    }

    fn analyze(&mut self, side: Side, options: &SearchOptions<Move>, on_report: OnReport<'_, Move>) {
        let mut position = self.core.position().clone();
        position.set_to_move(side);
        let position = position.resumed();
        self.core.think(&position, Budget::default(), EndsOn::NextLine, options, on_report);
    }
}

#[cfg(test)]
mod tests;
