use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::super::choice::Choice;
use super::super::clock::System;
use super::super::passing::PASS_COST;
use super::super::verdict::{Status, doubtful};
use super::*;
use crate::games::Size;
use crate::games::go::Illegal;
use crate::search::{Share, Task};

/// A board from a diagram, `X` First, with that side to move.
pub(super) fn session(diagram: &str, rules: Rules, komi: f32, to_move: Side) -> GoSession {
    session_under(Arc::new(Control::new()), diagram, rules, komi, to_move)
}

fn session_under(control: Arc<Control>, diagram: &str, rules: Rules, komi: f32, to_move: Side) -> GoSession {
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
    settings.answer_time = Duration::from_secs(600);
    (settings.setup.rules, settings.setup.komi) = (rules, komi);
    let mut session = GoSession::new(settings, control);
    session.set_size(size);
    session.set_up(&stones).unwrap();
    session.set_to_move(to_move);
    session
}

pub(super) fn choose(session: &mut GoSession, side: Side, asked: Asked) -> Choice<Move> {
    session.choose(side, asked, &SearchOptions::default(), &mut |_| ()).choice
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
        assert!(session.final_score().unwrap() > 0.0, "{rules:?}");
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
    assert!(session.final_score().unwrap() < 0.0);
    let mut won = false;
    for _ in 0..6 {
        if choose(&mut session, Side::First, Asked::Play) == Choice::Move(Move::PASS) {
            won = session.final_score().unwrap() > 0.0;
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
        let verdict = session.verdict().unwrap();
        let position = session.core.position().clone();
        assert_eq!(verdict.chains(&position, Status::Dead), [[0]]);
        assert_eq!(verdict.status(&position, 1), Status::Territory(Side::First));
        assert_eq!(verdict.status(&position, 2), Status::Alive);
    }
    let mut session = session(INVADED, Rules::TROMP_TAYLOR, 0.5, Side::First);
    let verdict = session.verdict().unwrap();
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
        assert_eq!(session.final_score(), Ok(73.5));
        let position = session.core.position().clone();
        let verdict = session.verdict().unwrap();
        assert_eq!(verdict.chains(&position, Status::Alive).len(), 4);
        assert!(verdict.chains(&position, Status::Dead).contains(&vec![70, 71, 78, 79]));
    }
}

#[test]
fn what_was_interrupted_is_neither_answered_nor_kept() {
    let control = Arc::new(Control::new());
    let mut session = session_under(Arc::clone(&control), FIVE_POINTS, Rules::CHINESE, 7.5, Side::First);
    session.core.begin_line(control.line_read());
    control.interrupt();
    assert_eq!(
        (session.final_score(), session.ownership()),
        (Err(Unanswered::Interrupted), Err(Unanswered::Interrupted))
    );
    session.core.begin_line(control.line_read());
    assert_eq!(session.final_score(), Ok(73.5));
}

#[test]
fn a_score_that_takes_too_long_is_refused_and_not_guessed() {
    // Its playouts take a hundred times longer than a millisecond, however late whoever looks at the time wakes up.
    let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
    (settings.setup.size, settings.memory) = (Some(Size::square(25)), 32);
    let mut session = GoSession::new(settings, Arc::new(Control::new()));
    session.core.settings.answer_time = Duration::from_millis(1);
    assert_eq!((session.final_score(), session.ownership()), (Err(Unanswered::OutOfTime), Err(Unanswered::OutOfTime)));
    // Nor does it take more than the clock of the side to move has, while the game goes on.
    session.core.settings.answer_time = Duration::from_secs(600);
    session.core.set_time(System::Absolute { main: Duration::from_millis(2) });
    assert_eq!(session.final_score(), Err(Unanswered::OutOfTime));
    session.core.set_time(System::None);
    assert!(session.final_score().is_ok());
}

/// Clocks of which no second was used before, since the lag of 135 moves to come is longer than their main time.
#[test]
fn the_moves_of_a_long_game_get_time() {
    let seconds = Duration::from_secs;
    for (system, lag, least) in [
        (System::Canadian { main: seconds(10), period: seconds(60), stones: 10 }, 100, 10_000),
        (System::Fischer { main: seconds(30), increment: seconds(10), fullest: None, longest: None }, 1_000, 8_500),
        (System::Absolute { main: seconds(120) }, 1_000, 300),
    ] {
        let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
        (settings.setup.size, settings.memory) = (Some(Size::square(19)), 32);
        settings.lag = Duration::from_millis(lag);
        let mut session = GoSession::new(settings, Arc::new(Control::new()));
        session.core.set_time(system);
        let (budget, limit) = session.core.plan(Side::First, session.core.position().moves_left());
        assert!(budget.time >= Some(Duration::from_millis(least)) && limit >= budget.time, "{system:?}: {budget:?}");
    }
}

#[test]
fn all_that_belongs_to_a_move_fits_its_period() {
    let period = Duration::from_secs(1);
    for asked in [Asked::Play, Asked::CleanUp] {
        let mut session = session(FIVE_POINTS, Rules::CHINESE, 80.5, Side::Second);
        session.core.settings.playouts = None;
        session.core.set_time(System::ByoYomi { main: Duration::ZERO, period, periods: 1 });
        session.play(Side::Second, Move::PASS).unwrap();
        let start = Instant::now();
        choose(&mut session, Side::First, asked);
        assert!(start.elapsed() <= period, "{asked:?}: {:?}", start.elapsed());
    }
}

/// A searcher whose runs are counted.
struct Counted {
    searcher: Box<dyn Searcher<Position>>,
    runs: Arc<AtomicUsize>,
}

impl Searcher<Position> for Counted {
    fn run(&mut self, task: &Task<'_, Position>, on_report: &mut dyn FnMut(&Report<Move>)) -> Decision<Move> {
        self.runs.fetch_add(1, Relaxed);
        self.searcher.run(task, on_report)
    }

    fn advance(&mut self, mv: Move) {
        self.searcher.advance(mv);
    }

    fn clear(&mut self) {
        self.searcher.clear();
    }

    fn set_memory(&mut self, mib: usize) {
        self.searcher.set_memory(mib);
    }
}

/// A second search for the microseconds that are left would go through all of a large tree first.
#[test]
fn the_last_move_of_a_period_is_searched_for_once() {
    let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
    (settings.setup.size, settings.memory) = (Some(Size::square(9)), 32);
    let mut session = GoSession::new(settings, Arc::new(Control::new()));
    let runs = Arc::new(AtomicUsize::new(0));
    let searcher = session.core.recipe().searcher(&session.core.settings().resources());
    session.core.searcher = Box::new(Counted { searcher, runs: Arc::clone(&runs) });
    session.core.set_time(System::Canadian { main: Duration::ZERO, period: Duration::from_secs(1), stones: 1 });
    choose(&mut session, Side::First, Asked::Play);
    assert_eq!(runs.load(Relaxed), 1);
}

#[test]
fn what_a_search_was_not_allowed_does_not_bind_the_next_one() {
    let mut session = session(EMPTY, Rules::CHINESE, 0.5, Side::First);
    let corner = Restriction::new(Side::First, vec![Move::at(0)], true, 1);
    let only = SearchOptions { restrictions: vec![corner], ..SearchOptions::default() };
    let forced = session.choose(Side::First, Asked::Only, &only, &mut |_| ());
    assert_eq!(forced.choice, Choice::Move(Move::at(0)));
    let free = session.choose(Side::First, Asked::Only, &SearchOptions::default(), &mut |_| ());
    assert_ne!(free.choice, Choice::Move(Move::at(0)));
    let visits = |report: &Report<Move>| report.moves.iter().find(|m| m.mv == Move::at(0)).map(|m| m.visits);
    assert!(visits(&free.report.unwrap()).unwrap() < 60);
    // Nor does the tree below a move that was forced stay for what follows it.
    session.choose(Side::First, Asked::Play, &only, &mut |_| ());
    assert!(session.core.position().stone(0).is_some());
}

const EMPTY: &str = "
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . .";

/// A seki in which both sides have an eye, and living groups below: whoever plays in it loses it.
const SEKI: &str = "
    . X . O .
    X X X O O
    O O O X X
    . O X X .
    O O O X X
    . O X X .
    O O O X X";

#[test]
fn a_seki_is_left_alone() {
    for seed in 1..=3 {
        let mut session = session(SEKI, Rules::CHINESE, -6.5, Side::First);
        session.core.settings.seed = seed;
        assert!(session.final_score().unwrap() > 0.0);
        assert_eq!(choose(&mut session, Side::First, Asked::Play), Choice::Move(Move::PASS), "seed {seed}");
    }
}

/// The best other move is looked for, at the cost of a search, only where the answer hangs on it.
#[test]
fn a_count_that_is_won_asks_for_no_other_move() {
    let mut session = session(DIVIDED, Rules::CHINESE, 0.5, Side::First);
    let position = session.core.position().clone();
    let owners: Vec<f32> = (0..position.points()).map(|point| if point % 5 < 3 { 1.0 } else { -1.0 }).collect();
    let verdict = LifeAndDeath::new(&position, &owners, &[]);
    let budget = Budget { nodes: Some(20), time: None, early_stop: false };
    let report =
        session.core.think(&position, budget, EndsOn::Interrupt, &SearchOptions::default(), &mut |_| ()).report;
    assert!(verdict.is_won(&position, Side::First));
    let answer = passing(&position, &report, || panic!("the answer is known"), &verdict, true);
    assert_eq!(answer, Passing::Settled(Move::PASS));
    let mut asked = false;
    passing(
        &position,
        &report,
        || {
            asked = true;
            None
        },
        &verdict,
        false,
    );
    assert!(asked);
}

/// Two stones of each side are in atari above: whoever moves takes the other's. By komi Black has lost in either case.
const BURNING: &str = "
    . X . O X O .
    . X X O X . O
    . X X X O O .
    . X O O O . O
    . X O . O . .
    . X O O O O .";

/// A model's owners of a board are those of best play, where the stones are saved at once.
#[test]
fn a_lost_game_is_not_given_up_while_points_are_left_to_play_for() {
    let mut session = session(BURNING, Rules::CHINESE, 20.5, Side::First);
    let budget = Budget { nodes: Some(600), time: None, early_stop: false };
    let asked = |session: &mut GoSession| {
        let position = session.core.position().clone();
        let owners: Vec<f32> =
            (0..position.points()).map(|p| if p % 7 < [5, 5, 4, 2, 2, 2][p / 7] { 1.0 } else { -1.0 }).collect();
        let verdict = LifeAndDeath::new(&position, &owners, &[]);
        let options = SearchOptions { full_strength: true, ..SearchOptions::default() };
        let report = session.core.think(&position, budget, EndsOn::Interrupt, &options, &mut |_| ()).report;
        assert!(report.winrate < 0.1, "{}", report.winrate);
        let best = report.moves.iter().position(|m| m.mv != Move::PASS && position.is_sensible(m.mv)).unwrap();
        let report = Report { moves: report.moves[best..].to_vec(), ..report };
        let play = Candidate::best(&position, &report).unwrap();
        let answer = passing(&position, &report, || Some(play), &verdict, false);
        assert_eq!(answer, Passing::IfFree(play));
        (play, session.pass_is_free(&position, play, budget, Duration::MAX))
    };
    let (play, free) = asked(&mut session);
    assert_eq!((play.mv, free), (Move::at(2), false));
    session.play(Side::First, play.mv).unwrap();
    session.play(Side::Second, Move::at(7 + 5)).unwrap();
    let (play, free) = asked(&mut session);
    assert!(free, "{play:?}");
}

#[test]
fn a_move_that_was_hardly_looked_at_is_not_taken_for_as_good_as_a_pass() {
    let mut session = session(SEKI, Rules::CHINESE, -6.5, Side::First);
    let position = session.core.position().clone();
    let budget = Budget { nodes: Some(600), time: None, early_stop: false };
    let options = SearchOptions { full_strength: true, ..SearchOptions::default() };
    let mut report = session.core.think(&position, budget, EndsOn::Interrupt, &options, &mut |_| ()).report;
    let pass = report.moves.iter().position(|m| m.mv == Move::PASS).unwrap();
    report.moves.swap(0, pass);
    // All visits but one went to the pass, and by that one the move is no worse.
    let expected = report.moves[0].mean;
    for (number, mv) in report.moves.iter_mut().enumerate() {
        (mv.visits, mv.mean) = (if number == 0 { report.nodes - 1 } else { 1 }, expected);
    }
    assert_eq!(Candidate::best(&position, &report).unwrap().winrate, expected);
    let play = session.beside_pass(&position, &report, budget, Duration::MAX, &[]).unwrap();
    assert!(play.visits > 1 && play.winrate < expected - PASS_COST, "{play:?}, {expected}");
    // A move that was looked at is not asked about again.
    let other = report.moves.iter().position(|m| m.mv == play.mv).unwrap();
    report.moves[other].visits = KNOWN_VISITS;
    report.moves.swap(1, other);
    let play = session.beside_pass(&position, &report, budget, Duration::MAX, &[]).unwrap();
    assert_eq!((play.mv, play.winrate), (report.moves[1].mv, expected));
}

#[test]
fn a_drawn_count_is_accepted_where_every_move_costs() {
    let mut session = session(DIVIDED, Rules::JAPANESE, 3.0, Side::Second);
    assert_eq!(session.final_score(), Ok(0.0));
    session.play(Side::Second, Move::PASS).unwrap();
    assert_eq!(choose(&mut session, Side::First, Asked::Play), Choice::Move(Move::PASS));
}

#[test]
fn a_ko_outlives_a_change_of_rules() {
    let mut session = session(EMPTY, Rules::CHINESE, 0.5, Side::First);
    // First takes the ko at 2 last.
    for (side, point) in [
        (Side::First, 1),
        (Side::Second, 2),
        (Side::First, 5),
        (Side::Second, 8),
        (Side::First, 11),
        (Side::Second, 12),
        (Side::First, 7),
        (Side::Second, 6),
    ] {
        session.play(side, Move::at(point)).unwrap();
    }
    assert_eq!(session.play(Side::First, Move::at(7)), Err(Illegal::Ko.to_string()));
    for rules in [Rules::AGA, Rules::CHINESE, Rules::TROMP_TAYLOR] {
        session.set_rules(rules);
        assert_eq!(session.play(Side::First, Move::at(7)), Err(Illegal::Ko.to_string()), "{rules:?}");
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
        let verdict = session.verdict().unwrap();
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

/// Black leads by so much that no playout of a game would go on, and White's corner is dead whoever moves.
const ONE_SIDED: &str = "
    . X X X X X X X .
    X X X X X X X X X
    X X X X X X X X X
    X X X X X X X X X
    X X X X X X X X X
    X . X X X X X X X
    O O O X X X X X X
    . . O X X X X X X
    . . O X X X X X X";

#[test]
fn the_dead_are_dead_however_far_a_side_leads() {
    for side in Side::BOTH {
        let mut session = session(ONE_SIDED, Rules::CHINESE, 7.5, side);
        let owners = session.ownership().unwrap();
        assert!(owners[54] > 0.0, "{}", owners[54]);
        assert_eq!(session.final_score(), Ok(73.5));
        assert!(matches!(choose(&mut session, side, Asked::Only), Choice::Move(_)));
    }
}

#[test]
fn chains_are_read_together_that_cannot_be_separated() {
    let diagram = "
        X X . O .
        . . . O .
        X X . O .
        . . . . .
        . . . . X";
    let board = session(diagram, Rules::CHINESE, 0.5, Side::First).core.position().clone();
    let groups = |owners: &[f32]| doubtful(&board, owners).into_iter().map(|group| group.chains).collect::<Vec<_>>();
    let mut owners = [0.0; 25];
    (owners[3], owners[8], owners[13], owners[24]) = (-0.3, -0.3, -0.3, 0.2);
    (owners[10], owners[11]) = (0.1, 0.1);
    let (above, below) = (vec![0, 1], vec![10, 11]);
    assert_eq!(groups(&owners), [vec![above, below], vec![vec![24]], vec![vec![3, 8, 13]]]);
    // A wide area of one's own needs no reading.
    assert!(groups(&[1.0; 25]).iter().all(|chains| chains == &[vec![3, 8, 13]]));
}

#[test]
fn territory_is_counted_without_dead_stones_whatever_a_pass_may_be() {
    let rules = Rules { friendly_pass: false, ..Rules::JAPANESE };
    let score = |rules| session(INVADED, rules, 0.5, Side::First).final_score();
    assert_eq!(score(rules), score(Rules::JAPANESE));
    let alive = Rules { friendly_pass: false, ..Rules::CHINESE };
    assert_ne!(score(alive), score(Rules::CHINESE));
}

/// Both sides pass on the board of [`INVADED`]: its stone counts as it stands until it is read.
#[test]
fn a_game_that_was_passed_out_has_a_winner_once_its_stones_were_read() {
    let mut session = session(INVADED, Rules::CHINESE, 0.5, Side::First);
    assert_eq!(session.ending(), None);
    session.play(Side::First, Move::PASS).unwrap();
    session.play(Side::Second, Move::PASS).unwrap();
    assert_eq!(session.ending(), Some((Ending::Passed, None)));
    let lead = session.final_score().unwrap();
    let Some((Ending::Two { winner, .. }, Some(outcome))) = session.ending() else { panic!("no end") };
    assert_eq!((winner, outcome.winner, outcome.score), (Some(Side::First), Some(Side::First), lead));
    session.set_rules(Rules::TROMP_TAYLOR);
    let position = session.core().position();
    assert_eq!(session.ending(), Some((position.ending().unwrap(), position.outcome())));
}

#[test]
fn a_pass_of_ones_own_is_none_of_the_opponents() {
    let mut session = session(&". . . . .\n".repeat(5), Rules::TROMP_TAYLOR, -0.5, Side::First);
    session.play(Side::First, Move::PASS).unwrap();
    let Choice::Move(mv) = choose(&mut session, Side::First, Asked::Only) else { panic!("no move") };
    assert_ne!(mv, Move::PASS);
    // The opponent's is: Black is ahead and ends the game.
    session.undo(1);
    session.play(Side::Second, Move::PASS).unwrap();
    assert_eq!(choose(&mut session, Side::First, Asked::Only), Choice::Move(Move::PASS));
}

/// A searcher that looks at what it is asked, and counts its passes.
struct Passed(Arc<AtomicUsize>, Box<dyn Searcher<Position>>);

impl Searcher<Position> for Passed {
    fn run(&mut self, task: &Task<'_, Position>, on_report: &mut dyn FnMut(&Report<Move>)) -> Decision<Move> {
        self.0.store(task.position.passes() as usize, Relaxed);
        let budget = Budget { nodes: Some(10), ..task.budget };
        self.1.run(&Task::new(task.position, budget, task.params, task.stop), on_report)
    }

    fn advance(&mut self, mv: Move) {
        self.1.advance(mv);
    }

    fn clear(&mut self) {
        self.1.clear();
    }

    fn set_memory(&mut self, mib: usize) {
        self.1.set_memory(mib);
    }
}

#[test]
fn an_analysis_knows_that_the_opponent_has_passed() {
    let passes_seen = |rules| {
        let mut session = session(DIVIDED, rules, 0.5, Side::Second);
        session.play(Side::Second, Move::PASS).unwrap();
        let seen = Arc::new(AtomicUsize::new(9));
        let searcher = session.core.recipe().searcher(&session.core.settings().resources());
        session.core.searcher = Box::new(Passed(Arc::clone(&seen), searcher));
        session.analyze(Side::First, &SearchOptions::default(), &mut |_| ());
        seen.load(Relaxed)
    };
    assert_eq!(passes_seen(Rules::TROMP_TAYLOR), 1);
    assert_eq!(passes_seen(Rules::CHINESE), 0);
}

#[test]
fn a_turn_that_is_given_asks_anew_who_lives() {
    let mut session = session(DIVIDED, Rules::CHINESE, 0.5, Side::First);
    session.verdict().unwrap();
    assert!(session.known_verdict(session.core().position()).is_some());
    session.set_to_move(Side::Second);
    assert!(session.known_verdict(session.core().position()).is_none());
    // So does a pass. After two of them the turn is the same again.
    session.set_to_move(Side::First);
    assert!(session.known_verdict(session.core().position()).is_some());
    session.play(Side::First, Move::PASS).unwrap();
    assert!(session.known_verdict(session.core().position()).is_none());
    session.play(Side::Second, Move::PASS).unwrap();
    assert!(session.known_verdict(session.core().position()).is_some());
}
