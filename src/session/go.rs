//! A session of Go: rules, handicap, passing, scoring, moves by the engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::control::{Control, EndsOn};
use super::core::{Asked, Chosen, Core, OnReport, Session, Wish};
use super::passing::{Candidate, PASS_COST, Passing, passing};
use super::settings::{GoJudge, Settings};
use super::verdict::{Reading, Verdict, doubtful};
use crate::game::{Game, MonteCarlo, Side};
use crate::games::Size;
use crate::games::go::{Illegal, Move, Position, Rules, SetUpError, score};
use crate::search::mcts::Mcts;
use crate::search::{Budget, Decision, Report, Restriction, Searcher};

/// Board of a new game.
const USUAL_SIZE: Size = Size::square(19);
/// Playouts behind a verdict that no search has given.
const VERDICT_PLAYOUTS: u64 = 1_000;
/// Playouts behind each free handicap stone that has no usual place.
const HANDICAP_PLAYOUTS: u64 = 300;
/// Chains that are read one by one at most.
const READINGS: usize = 40;
/// Playouts behind each half of a reading at first, and of one that is not clear then.
const READING_PLAYOUTS: [u64; 2] = [300, 8_000];
/// Playouts behind all readings of a board, times its points; when they are used up, first looks have to do. A move that is
/// given fewer gives its own number to them.
const READING_LIMIT: u64 = 5_000_000;
/// Memory of the tree behind verdicts and readings, in MiB.
const READER_MEMORY: usize = 32;
/// Share of a move's time that such a verdict may take.
const READER_SHARE: u32 = 8;
/// Playouts behind the question whether a pass costs anything.
const PASS_PLAYOUTS: u64 = 2_000;

/// A session of Go.
pub struct GoSession {
    core: Core<Position>,
    /// The reading of the board that the last question about it rested on.
    verdict: Option<Verdict>,
    /// Playouts for questions beside the game.
    reader: Mcts<Position>,
    /// What the game itself is searched by where it serves.
    judge: Option<GoJudge>,
}

/// Why a handicap is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapError {
    /// Stones have been played.
    BoardNotEmpty,
    /// So many stones cannot be placed.
    Number,
    /// A point is named twice or does not exist.
    Points,
}

impl GoSession {
    /// An empty board.
    pub fn new(settings: Settings, control: Arc<Control>) -> Self {
        let start = Position::new(settings.size.unwrap_or(USUAL_SIZE), settings.rules, settings.komi);
        let reader = Mcts::new(Arc::clone(&settings.share), READER_MEMORY);
        let judge = settings.go_judge.clone();
        Self { core: Core::new(settings, control, start, searcher), verdict: None, reader, judge }
    }

    /// Whether that position is searched by a model.
    fn is_judged(&self, position: &Position) -> bool {
        self.judge.as_ref().is_some_and(|GoJudge(judge)| judge.serves(position))
    }

    fn start(&mut self, start: Position) {
        self.verdict = None;
        self.core.restart(start);
    }

    /// Begins a game on a board of that size, with the same rules and komi.
    pub fn set_size(&mut self, size: Size) {
        let position = self.core.position();
        self.start(Position::new(size, position.rules(), position.komi()));
    }

    /// Begins a game with those stones, `First` to move.
    ///
    /// # Errors
    /// [`SetUpError`], and nothing is changed.
    pub fn set_up(&mut self, size: Size, stones: &[(Side, usize)]) -> Result<(), SetUpError> {
        let position = self.core.position();
        let mut start = Position::new(size, position.rules(), position.komi());
        start.set_up(stones)?;
        self.start(start);
        Ok(())
    }

    /// Takes over a game: a start, and moves that are legal from there.
    pub fn load(&mut self, start: Position, moves: &[(Side, Move)]) {
        self.start(start);
        for &(side, mv) in moves {
            self.core.play(side, mv);
        }
    }

    /// Gives the turn to `side`.
    pub fn set_to_move(&mut self, side: Side) {
        self.core.change(|position| position.set_to_move(side));
    }

    /// Changes komi.
    pub fn set_komi(&mut self, komi: f32) {
        self.verdict = None;
        self.core.change(|position| position.set_komi(komi));
    }

    /// Changes the rules of this game and those after it.
    pub fn set_rules(&mut self, rules: Rules) {
        self.verdict = None;
        self.core.change(|position| position.set_rules(rules));
    }

    /// Says how many stones of the set-up are handicap.
    pub fn set_handicap(&mut self, stones: usize) {
        self.core.change(|position| position.set_handicap(stones));
    }

    /// Plays a move for `side`, whoever's turn it is, also after the game has ended.
    ///
    /// # Errors
    /// The rule that it breaks, and nothing is changed.
    pub fn play(&mut self, side: Side, mv: Move) -> Result<(), Illegal> {
        let position = self.core.position();
        if position.to_move() == side {
            position.check(side, mv)?;
        } else {
            // A ko does not bind the side that has just taken.
            let mut position = position.clone();
            position.set_to_move(side);
            position.check(side, mv)?;
        }
        self.core.play(side, mv);
        Ok(())
    }

    /// Places the usual handicap.
    ///
    /// # Errors
    /// [`HandicapError`], and nothing is changed.
    pub fn fixed_handicap(&mut self, stones: usize) -> Result<Vec<usize>, HandicapError> {
        self.check_empty()?;
        let points = self.core.position().fixed_handicap(stones).ok_or(HandicapError::Number)?;
        self.set_free_handicap(&points)?;
        Ok(points)
    }

    /// Places a handicap of the engine's choice.
    ///
    /// # Errors
    /// [`HandicapError`], and nothing is changed.
    pub fn place_free_handicap(&mut self, stones: usize) -> Result<Vec<usize>, HandicapError> {
        self.check_empty()?;
        let position = self.core.position().clone();
        if stones < 2 || stones >= position.points() / 2 {
            return Err(HandicapError::Number);
        }
        let usual = (2..=stones).rev().find_map(|n| position.fixed_handicap(n)).unwrap_or_default();
        let mut points = usual;
        while points.len() < stones {
            let mut now = position.clone();
            let placed: Vec<_> = points.iter().map(|&p| (Side::First, p)).collect();
            now.set_up(&placed).map_err(|_| HandicapError::Number)?;
            let budget = Budget { nodes: Some(HANDICAP_PLAYOUTS), ..Budget::default() };
            let decision = self.play_out(&now, budget, &Wish::default());
            let next = decision.report.moves.iter().find_map(|m| m.mv.point());
            points.push(next.ok_or(HandicapError::Number)?);
        }
        self.set_free_handicap(&points)?;
        Ok(points)
    }

    /// Places a handicap of the controller's choice.
    ///
    /// # Errors
    /// [`HandicapError`], and nothing is changed.
    pub fn set_free_handicap(&mut self, points: &[usize]) -> Result<(), HandicapError> {
        self.check_empty()?;
        if points.len() < 2 {
            return Err(HandicapError::Number);
        }
        let stones: Vec<_> = points.iter().map(|&p| (Side::First, p)).collect();
        self.set_up(self.core.position().size(), &stones).map_err(|_| HandicapError::Points)?;
        self.set_handicap(points.len());
        self.set_to_move(Side::Second);
        Ok(())
    }

    fn check_empty(&self) -> Result<(), HandicapError> {
        let position = self.core.position();
        let empty = [Side::First, Side::Second].into_iter().all(|side| position.stones(side) == 0);
        if empty && self.core.history().moves().is_empty() { Ok(()) } else { Err(HandicapError::BoardNotEmpty) }
    }

    /// The reading of the board now, made once as long as the board is the same.
    pub fn verdict(&mut self) -> Verdict {
        let position = self.core.position().clone();
        if let Some(verdict) = self.verdict.as_ref().filter(|v| v.is_of(&position)) {
            return verdict.clone();
        }
        let ownership = self.ownership();
        let verdict = self.read(&position, &ownership, u64::MAX, None);
        self.verdict = Some(verdict.clone());
        verdict
    }

    /// Who is expected to own each point at the end, from -1 for `Second` to 1 for `First`.
    pub fn ownership(&mut self) -> Vec<f32> {
        let mut root = self.core.position().clone();
        root.resume();
        self.ownership_of(&root, None)
    }

    fn ownership_of(&mut self, root: &Position, time: Option<Duration>) -> Vec<f32> {
        let budget = Budget { nodes: Some(VERDICT_PLAYOUTS), time, early_stop: false };
        let wish = Wish { ownership: true, ..Wish::default() };
        let decision = self.play_out(root, budget, &wish);
        owners(root, &decision.report)
    }

    /// A verdict for which the chains that do not certainly live are read one by one, with about so many playouts and
    /// within `time`.
    fn read(&mut self, position: &Position, ownership: &[f32], most: u64, time: Option<Duration>) -> Verdict {
        let mut chains = doubtful(position, ownership);
        chains.truncate(READINGS);
        let each = time.map(|time| time / (2 * READING_PLAYOUTS.len() * chains.len().max(1)) as u32);
        let most = most.min(READING_LIMIT / position.points() as u64);
        let (mut readings, mut used) = (Vec::new(), 0);
        for chain in chains {
            let mut reading = Reading { chain, expected: [0.0; 2] };
            for playouts in READING_PLAYOUTS {
                let budget = Budget { nodes: Some(playouts), time: each, early_stop: false };
                let sides = [position.to_move(), position.to_move().opponent()];
                reading.expected = sides.map(|side| self.expected_owner(position, side, reading.chain[0], budget));
                used += 2 * playouts;
                if reading.is_clear(ownership) || used > most {
                    break;
                }
            }
            // Without time for both halves playouts know more.
            if reading.expected.iter().all(|&value| value != 0.0) {
                readings.push(reading);
            }
        }
        Verdict::new(position, ownership, &readings)
    }

    /// Who is expected to own a point, +1 = `First`, if `side` begins and nothing else counts; 0 if there was no time.
    fn expected_owner(&mut self, position: &Position, side: Side, point: usize, budget: Budget) -> f32 {
        let mut question = position.clone();
        question.resume();
        question.set_to_move(side);
        question.set_stake(point);
        self.reader.clear();
        let report = self.core.think_aside(&mut self.reader, &question, budget, &Wish::default()).report;
        if report.nodes > 0 { (2.0 * report.winrate - 1.0) * side.sign() } else { 0.0 }
    }

    /// A search by playouts, whatever the game is searched by.
    fn play_out(&mut self, root: &Position, budget: Budget, wish: &Wish<Move>) -> Decision<Move> {
        if self.is_judged(root) {
            self.reader.clear();
            self.core.think_aside(&mut self.reader, root, budget, wish)
        } else {
            self.core.think(root, budget, EndsOn::Interrupt, wish, &mut |_| ())
        }
    }

    /// Points by which `First` leads if the game ends now.
    pub fn final_score(&mut self) -> f32 {
        if !self.core.position().rules().friendly_pass {
            return score::score(self.core.position(), &[]);
        }
        self.verdict().score(self.core.position())
    }

    /// Whether `side` keeps what it has if it passes and the opponent makes the best of two moves in a row.
    fn pass_is_free(&mut self, position: &Position, play: Candidate, given: Budget, spent: Duration) -> bool {
        let mut passed = position.clone();
        passed.play(Move::PASS);
        let opponent = passed.to_move();
        let avoid = Restriction { side: opponent, moves: vec![Move::PASS], allow: false, depth: 1 };
        let wish = Wish { restrictions: vec![avoid], ..Wish::default() };
        // Half of what the move itself was given; time counts only where it did there, so that a budget of playouts gives
        // the same game again.
        let nodes = given.nodes.map_or(PASS_PLAYOUTS, |nodes| PASS_PLAYOUTS.min(nodes / 2 + 1));
        let budget = Budget { nodes: Some(nodes), time: given.time.map(|_| spent / 2), early_stop: false };
        let decision = self.core.think(&passed, budget, EndsOn::Interrupt, &wish, &mut |_| ());
        let best = decision.report.moves.first().map_or(1.0, |m| m.winrate);
        decision.report.nodes > 0 && 1.0 - best >= play.winrate - PASS_COST
    }

    /// Moves that take dead stones of the opponent off the board, or lead there.
    fn clean_up(&self, position: &Position, verdict: &Verdict) -> Vec<Move> {
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

fn searcher(settings: &Settings) -> Box<dyn Searcher<Position>> {
    let share = Arc::clone(&settings.share);
    Box::new(match &settings.go_judge {
        None => Mcts::new(share, settings.memory),
        Some(GoJudge(judge)) => Mcts::with_judge(share, settings.memory, Arc::clone(judge)),
    })
}

/// A report's ownership, from -1 for `Second` to 1 for `First`.
fn owners(position: &Position, report: &Report<Move>) -> Vec<f32> {
    match &report.ownership {
        Some(owners) => owners.iter().map(|v| v * report.to_move.sign()).collect(),
        // Interrupted before the first playout: every stone is taken to live.
        None => (0..position.points()).map(|i| position.stone(i).map_or(0.0, Side::sign)).collect(),
    }
}

/// Moves that the side to move may still have to make.
fn moves_left(position: &Position) -> f32 {
    let points = position.points() as f32;
    ((points * 0.75 - position.plies() as f32) / 2.0).max(points / 8.0)
}

impl Session for GoSession {
    type G = Position;

    fn core(&self) -> &Core<Position> {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core<Position> {
        &mut self.core
    }

    fn choose(&mut self, side: Side, asked: Asked, wish: &Wish<Move>, on_report: OnReport<'_, Move>) -> Chosen<Move> {
        let start = Instant::now();
        let mut position = self.core.position().clone();
        position.set_to_move(side);
        let opponent_passed = position.passes() > 0;
        if position.passes() >= 2 {
            position.resume();
        }
        let mut wish = Wish { ownership: true, ..wish.clone() };
        let targets = if asked == Asked::CleanUp {
            let verdict = self.verdict();
            self.clean_up(&position, &verdict)
        } else {
            Vec::new()
        };
        if !targets.is_empty() {
            wish.restrictions.push(Restriction { side, moves: targets.clone(), allow: true, depth: 1 });
        }
        let budget = self.core.budget(side, moves_left(&position));
        let decision = self.core.think(&position, budget, EndsOn::Interrupt, &wish, on_report);
        let owners = match &decision.report.ownership {
            // A model that knows no owners leaves the question to playouts.
            None if self.is_judged(&position) => {
                self.ownership_of(&position, budget.time.map(|_| start.elapsed() / READER_SHARE))
            }
            _ => owners(&position, &decision.report),
        };
        let likes_pass = decision.report.moves.first().is_none_or(|m| m.mv == Move::PASS);
        let verdict = if opponent_passed || likes_pass {
            let most = budget.nodes.unwrap_or(u64::MAX);
            self.read(&position, &owners, most, budget.time.map(|_| start.elapsed() / READER_SHARE))
        } else {
            Verdict::new(&position, &owners, &[])
        };
        let excluded = |mv| wish.restrictions.iter().any(|r| r.side == side && r.moves.contains(&mv) != r.allow);
        let mut mv = if targets.is_empty() {
            match passing(&position, &decision.report, &verdict, opponent_passed) {
                Passing::Settled(mv) => mv,
                Passing::IfFree(play) if self.pass_is_free(&position, play, budget, start.elapsed()) => Move::PASS,
                Passing::IfFree(play) => play.mv,
            }
        } else {
            decision.report.moves.iter().map(|m| m.mv).find(|mv| targets.contains(mv)).unwrap_or(decision.mv)
        };
        if excluded(mv) {
            mv = decision.mv;
        }
        let may_resign = position.handicap() == 0;
        self.core.answer(side, asked, mv, decision.report, may_resign, start.elapsed())
    }

    fn undo(&mut self, count: usize) -> bool {
        self.core.undo(count)
    }

    fn clear(&mut self) {
        self.set_size(self.core.position().size());
    }

    fn analyze(&mut self, side: Side, wish: &Wish<Move>, on_report: OnReport<'_, Move>) {
        let mut position = self.core.position().clone();
        position.set_to_move(side);
        position.resume();
        self.core.think(&position, Budget::default(), EndsOn::NextLine, wish, on_report);
    }
}

#[cfg(test)]
mod tests {
    use super::super::core::Choice;
    use super::super::verdict::Status;
    use super::*;
    use crate::search::Share;

    /// A board from a diagram, `X` First, with that side to move.
    fn session(diagram: &str, rules: Rules, komi: f32, to_move: Side) -> GoSession {
        let rows: Vec<Vec<char>> =
            diagram.trim().lines().map(|l| l.chars().filter(|c| !c.is_whitespace()).collect()).collect();
        let size = Size { width: rows[0].len(), height: rows.len() };
        let stones: Vec<_> = (0..size.points())
            .filter_map(|i| match rows[size.xy(i).1][size.xy(i).0] {
                'X' => Some((Side::First, i)),
                'O' => Some((Side::Second, i)),
                _ => None,
            })
            .collect();
        let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
        (settings.playouts, settings.memory) = (Some(600), 32);
        (settings.rules, settings.komi) = (rules, komi);
        let mut session = GoSession::new(settings, Arc::new(Control::new()));
        session.set_up(size, &stones).unwrap();
        session.set_to_move(to_move);
        session
    }

    fn choose(session: &mut GoSession, side: Side, asked: Asked) -> Choice<Move> {
        session.choose(side, asked, &Wish::default(), &mut |_| ()).choice
    }

    /// Two living sides; Black leads by one point of area, level but for komi by territory.
    const DIVIDED: &str = "
        . . X O .
        X X X O O
        . . X O .
        X X X O O
        . . X O .";

    /// As [`DIVIDED`], with a dead white stone in Black's area and the black wall one stone short of nothing.
    const INVADED: &str = "
        O . X O .
        . X X O O
        X X X O .
        X . X O O
        . X X O .";

    #[test]
    fn a_won_count_is_accepted_when_the_opponent_passes() {
        for rules in Rules::NAMES {
            let rules = Rules::by_name(rules).unwrap();
            let mut session = session(DIVIDED, rules, 0.5, Side::Second);
            session.play(Side::Second, Move::PASS).unwrap();
            assert_eq!(choose(&mut session, Side::First, Asked::Play), Choice::Move(Move::PASS), "{rules:?}");
            assert!(session.final_score() > 0.0, "{rules:?}");
        }
    }

    #[test]
    fn a_lost_count_is_not_accepted_while_anything_can_be_played() {
        let mut session = session(DIVIDED, Rules::TROMP_TAYLOR, 0.5, Side::First);
        session.play(Side::First, Move::PASS).unwrap();
        let Choice::Move(mv) = choose(&mut session, Side::Second, Asked::Play) else { panic!("resigned") };
        assert_ne!(mv, Move::PASS);
    }

    #[test]
    fn dead_stones_are_taken_before_passing_where_nothing_is_agreed() {
        // By Tromp-Taylor the stone at the corner lives and spoils two points: as it stands Black loses by komi.
        let mut session = session(INVADED, Rules::TROMP_TAYLOR, 3.5, Side::Second);
        session.play(Side::Second, Move::PASS).unwrap();
        assert!(session.final_score() < 0.0);
        let mut won = false;
        for _ in 0..6 {
            if choose(&mut session, Side::First, Asked::Play) == Choice::Move(Move::PASS) {
                won = session.final_score() > 0.0;
                break;
            }
            session.play(Side::Second, Move::PASS).unwrap();
        }
        assert!(won);
    }

    #[test]
    fn the_dead_stone_is_dead_by_agreement_and_the_score_says_the_same() {
        for rules in [Rules::CHINESE, Rules::JAPANESE] {
            let mut session = session(INVADED, rules, 0.5, Side::First);
            let verdict = session.verdict();
            let position = session.core.position().clone();
            assert_eq!(verdict.chains(&position, Status::Dead), [[0]]);
            assert_eq!(verdict.status(&position, 1), Status::Territory(Side::First));
            assert_eq!(verdict.status(&position, 2), Status::Alive);
        }
        let mut session = session(INVADED, Rules::TROMP_TAYLOR, 0.5, Side::First);
        let verdict = session.verdict();
        assert!(verdict.chains(session.core.position(), Status::Dead).is_empty());
    }

    /// The end of a game that Black has won by far. The four white stones in the corner stand in atari; playouts, in
    /// which Black fills up the five points that he gets, let White live there nine times out of ten.
    const FIVE_POINTS: &str = "
        X X X X X . X X X
        X X X X X X . X .
        . X X X X . . X X
        X X . X . . X X .
        O X O X X . . X O
        . X X X . . X X O
        X . X X X X . X X
        O X X . X X X O O
        O O . X . X O O .";

    #[test]
    fn chains_in_doubt_are_read_and_not_guessed() {
        for side in Side::BOTH {
            let mut session = session(FIVE_POINTS, Rules::CHINESE, 7.5, side);
            assert_eq!(session.final_score(), 73.5);
            let position = session.core.position().clone();
            let verdict = session.verdict();
            assert_eq!(verdict.chains(&position, Status::Alive).len(), 4);
            assert!(verdict.chains(&position, Status::Dead).contains(&vec![70, 71, 78, 79]));
        }
    }

    /// White's nakade decides: three points in a row with the middle one free belong to whoever plays there first.
    const THREE_IN_A_ROW: &str = "
        . . . X O . .
        X X X X O . .
        O O O O O . .
        . . . . . . .
        X X X X X X X
        . . . . . . .
        . . . . . . .";

    #[test]
    fn an_unsettled_chain_belongs_to_whoever_moves_first() {
        for (side, dead) in [(Side::First, false), (Side::Second, true)] {
            let mut session = session(THREE_IN_A_ROW, Rules::CHINESE, 0.5, side);
            let verdict = session.verdict();
            assert_eq!(verdict.doomed().contains(&3), dead, "{side:?} to move");
            assert!(!verdict.is_settled(3));
        }
    }

    #[test]
    fn cleaning_up_takes_the_dead_stone_at_once() {
        let mut session = session(INVADED, Rules::CHINESE, 0.5, Side::First);
        let Choice::Move(mv) = choose(&mut session, Side::First, Asked::CleanUp) else { panic!("resigned") };
        assert!([1, 5].contains(&mv.point().unwrap()));
        let mut session = self::session(DIVIDED, Rules::CHINESE, 0.5, Side::First);
        assert_eq!(choose(&mut session, Side::First, Asked::CleanUp), Choice::Move(Move::PASS));
    }

    #[test]
    fn undo_brings_back_what_was_before() {
        let mut session = session(DIVIDED, Rules::CHINESE, 0.5, Side::First);
        let key = session.core.position().key();
        choose(&mut session, Side::First, Asked::Play);
        assert!(session.undo(1));
        assert_eq!(session.core.position().key(), key);
        choose(&mut session, Side::First, Asked::Only);
        assert_eq!(session.core.position().key(), key);
        assert!(!session.undo(1));
    }

    #[test]
    fn free_handicap_is_placed_on_every_board() {
        for (n, stones) in [(5, 3), (9, 4), (9, 11), (6, 2)] {
            let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
            settings.size = Some(Size::square(n));
            let mut session = GoSession::new(settings, Arc::new(Control::new()));
            let points = session.place_free_handicap(stones).unwrap();
            assert_eq!(points.len(), stones);
            assert_eq!(session.core.position().stones(Side::First), stones);
            assert_eq!(session.core.position().to_move(), Side::Second);
            assert_eq!(session.place_free_handicap(2), Err(HandicapError::BoardNotEmpty));
        }
    }
}
