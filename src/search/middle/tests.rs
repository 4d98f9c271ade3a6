use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::game::Game;
use crate::games::othello::{Move, Position};
use crate::games::{Size, Spelled};
use crate::rng::Rng;
use crate::search::random::Random;
use crate::search::{Budget, Params, Restriction, Stop};

type Board = <Position as Endgame>::Board;

/// Values boards by the places to play, and is never sure of a shallow search.
#[derive(Debug)]
struct Mobility;

impl Appraiser<Board> for Mobility {
    const UNIT: i32 = 4;

    fn knows(&self, _: &Board) -> bool {
        true
    }

    fn value(&self, board: &Board) -> i32 {
        board.placements().count_ones() as i32 - board.passed().placements().count_ones() as i32
    }

    fn spread(&self, _: &Board, _: u32, _: u32) -> f32 {
        1e3
    }

    fn chance(&self, _: &Board, lead: f32) -> f32 {
        (0.5 + lead / 128.0).clamp(0.0, 1.0)
    }
}

/// A position after random moves with so many points empty, or one before its game ended.
fn late(size: Size, empty: u32, rng: &mut Rng) -> Position {
    let (mut position, mut moves) = (Position::new(size), Vec::new());
    loop {
        position.legal_moves(&mut moves);
        let mut next = position;
        next.play(moves[rng.below(moves.len() as u32) as usize]);
        if next.outcome().is_some() || position.empties() <= empty && next.filling().unwrap().placements() != 0 {
            return position;
        }
        position = next;
    }
}

/// The value by minimax without anything else.
fn plain(board: &Board, depth: u32) -> i32 {
    if depth == 0 {
        return worker::glance(&Mobility, board);
    }
    let (board, sign) = match to_play(*board) {
        (board, true) => (board, -1),
        (board, false) => (board, 1),
    };
    let after = points(board.placements()).filter_map(|at| board.placed(at));
    sign * after.map(|after| -plain(&after, depth - 1)).max().unwrap_or_else(|| board.lead() * Mobility::UNIT)
}

/// A budget that ends of itself at that many nodes.
fn of_nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

fn run(position: &Position, threads: usize, budget: Budget, restrictions: &[Restriction<Move>]) -> Report<Move> {
    let share = Arc::new(Share::new(threads));
    let mut pvs = Pvs::new(share, 2, Arc::new(Mobility), |_| Box::new(Random));
    let (params, stop) = (Params::default(), Stop::new());
    let task = Task { threads, restrictions, ..Task::new(position, budget, &params, &stop) };
    let decision = pvs.run(&task, &mut |_| ());
    assert_eq!(decision.mv, decision.report.moves[0].mv);
    decision.report
}

#[test]
fn values_are_those_of_plain_minimax() {
    let mut rng = Rng::new(3);
    let stop = Stop::new();
    for (width, height, empty) in [(8, 8, 50), (8, 8, 30), (6, 6, 12), (8, 8, 5), (5, 7, 9)] {
        let mut table = DepthTable::new(1);
        for _ in 0..12 {
            let position = late(Size { width, height }, empty, &mut rng);
            let (board, _) = to_play(position.filling().unwrap());
            table.begin();
            let run = DepthRun::alone(&stop);
            let mut worker = MiddleWorker::new(&table, &Mobility, NodeCount::new(&run, 0), u64::MAX);
            for depth in 1..=5 {
                let exact = plain(&board, depth);
                assert_eq!(worker.search(&board, depth, -INFINITE, INFINITE), Some(exact), "{depth} {position:?}");
                for low in [exact - 3, exact - 1, exact, exact + 2] {
                    let value = worker.search(&board, depth, low, low + 1).unwrap();
                    assert!(if exact > low { value > low && value <= exact } else { value <= low && value >= exact });
                }
            }
        }
    }
}

#[test]
fn ends_are_exact() {
    let mut rng = Rng::new(4);
    for threads in [1, 3] {
        for _ in 0..30 {
            let position = late(Size::square(6), 8, &mut rng);
            let board = position.filling().unwrap();
            if board.placements() == 0 {
                continue;
            }
            let lead = plain(&board, 64) / Mobility::UNIT;
            let report = run(&position, threads, Budget::default(), &[]);
            let side = position.to_move();
            let winner = (lead != 0).then(|| if lead > 0 { side } else { side.opponent() });
            assert_eq!((report.score, report.resolution), (Some(lead as f32), winner), "{position:?}");
            assert_eq!(report.winrate, [0.0, 0.5, 1.0][(lead.signum() + 1) as usize]);
            // Where all moves are asked for, none shows a value that it does not have.
            let wide = run(&position, threads, of_nodes(u64::MAX), &[]);
            assert_eq!((wide.score, wide.moves.len()), (report.score, board.placements().count_ones() as usize));
            for shown in &wide.moves {
                let mut child = position;
                child.play(shown.mv);
                let exact = match child.outcome() {
                    Some(outcome) => (outcome.score * side.sign()) as i32,
                    None if child.to_move() == side => unreachable!("passes are moves"),
                    None => -plain(&child.filling().unwrap(), 64) / Mobility::UNIT,
                };
                let value = shown.score.unwrap() as i32;
                assert!(if lead - value < SHOWN { value == exact } else { value >= exact }, "{shown:?} {exact}");
            }
        }
    }
}

#[test]
fn budgets_and_restrictions_are_kept() {
    let start = Position::new(Size::square(8));
    for nodes in [1, 10, 100, 3_000] {
        let report = run(&start, 1, of_nodes(nodes), &[]);
        // A board whose moves are put in order is looked at whole.
        assert!(report.nodes <= nodes + 60, "{} of {nodes}", report.nodes);
    }
    let mut moves = Vec::new();
    start.legal_moves(&mut moves);
    let only = [Restriction::new(start.to_move(), vec![moves[2]], true, 1)];
    let report = run(&start, 1, of_nodes(1_000), &only);
    assert_eq!(report.moves.iter().map(|shown| shown.mv).collect::<Vec<_>>(), [moves[2]]);
    let timed = run(&start, 2, Budget { time: Some(Duration::from_millis(50)), ..Budget::default() }, &[]);
    assert!(timed.nodes > 0 && start.is_legal(timed.moves[0].mv) && timed.moves[0].pv.len() > 1);
    // Moves of the variation are legal one after the other.
    let mut position = start;
    for &mv in &timed.moves[0].pv {
        assert!(position.is_legal(mv), "{timed:?}");
        position.play(mv);
    }
}

#[test]
fn a_forced_move_costs_no_time_on_a_clock() {
    let mut rng = Rng::new(5);
    let is_forced = |position: &Position| position.filling().unwrap().placements().is_power_of_two();
    let forced = (0..10_000).map(|_| late(Size::square(8), 10, &mut rng)).find(is_forced).unwrap();
    let hour = Budget { time: Some(Duration::from_secs(3_600)), early_stop: true, ..Budget::default() };
    let report = run(&forced, 1, hour, &[]);
    assert_eq!((report.moves.len(), report.nodes), (1, 0));
}

#[test]
fn a_move_that_ends_the_game_is_worth_its_end_at_once() {
    // The last disc of the row takes all of the opponent's.
    let row: Vec<_> = (1..7).map(|x| (Side::Second, x)).chain([(Side::First, 7)]).collect();
    let position = Position::new(Size::square(8)).with_pieces(&row).unwrap();
    for nodes in [1, 16, 300] {
        let report = run(&position, 1, of_nodes(nodes), &[]);
        let first = &report.moves[0];
        assert_eq!((position.index(first.mv), first.score, first.winrate), (0, Some(8.0), 1.0), "{nodes}");
        assert_eq!((first.resolution, report.resolution), (Some(Side::First), Some(Side::First)));
    }
}
