use std::sync::Arc;

use super::*;
use crate::game::{Game, Side};
use crate::games::othello::{Move, Position};
use crate::games::{Size, Spelled};
use crate::rng::Rng;
use crate::search::prover::Prover;
use crate::search::random::Random;
use crate::search::{Budget, Params, Searcher, Share, Task};

/// A position after random moves with so many points empty, or the end of that game where it comes before.
fn late(size: Size, empty: u32, rng: &mut Rng) -> Position {
    let (mut position, mut moves) = (Position::new(size), Vec::new());
    while position.outcome().is_none() && position.empties() > empty {
        position.legal_moves(&mut moves);
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    position
}

/// The lead of the side to move by minimax without anything else.
fn plain(position: &Position) -> i32 {
    if let Some(outcome) = position.outcome() {
        return (outcome.score * position.to_move().sign()) as i32;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let after = |mv| {
        let mut child = *position;
        child.play(mv);
        -plain(&child)
    };
    moves.into_iter().map(after).max().unwrap()
}

fn solve(solver: &EndgameSolver, position: &Position, threads: usize) -> FinalLead<Move> {
    solver.solve(position, threads, None, &Stop::new(), &mut |_| ()).0.unwrap()
}

/// The line is legal, ends the game, and ends it with that lead.
fn check(position: &Position, found: &FinalLead<Move>) {
    let mut end = *position;
    for &mv in &found.line {
        assert!(end.is_legal(mv), "{found:?} in {position:?}");
        end.play(mv);
    }
    let lead = end.outcome().unwrap().score * position.to_move().sign();
    assert_eq!((found.least, found.most), (lead as i32, lead as i32), "{found:?} in {position:?}");
}

#[test]
fn leads_and_lines_are_those_of_plain_minimax() {
    let mut rng = Rng::new(35);
    let mut passes = 0;
    for (width, height, empty) in [(4, 4, 9), (5, 4, 9), (5, 7, 8), (6, 6, 8), (8, 4, 8), (8, 8, 8), (8, 8, 3)] {
        // One table for all positions of a size, as in play.
        let solver = EndgameSolver::new(1);
        for _ in 0..40 {
            let position = late(Size { width, height }, empty, &mut rng);
            if position.outcome().is_some() {
                continue;
            }
            let found = solve(&solver, &position, 1);
            assert_eq!(found.least, plain(&position), "{position:?}");
            check(&position, &found);
            passes += usize::from(found.line.contains(&Move::PASS));
        }
    }
    assert!(passes > 10, "{passes}");
}

#[test]
fn the_board_of_four_by_four_is_lost_by_eight() {
    let position = Position::new(Size::square(4));
    for threads in [1, 2] {
        let found = solve(&EndgameSolver::new(16), &position, threads);
        check(&position, &found);
        assert_eq!(found.least, -8);
    }
}

/// Both sides play for the score, whoever is going to win.
#[test]
fn a_player_with_a_solver_plays_for_the_score() {
    let share = Arc::new(Share::new(2));
    let mut player = Prover::new(Arc::clone(&share), 64, EndgameSolver::new, |_| Box::new(Random));
    let (mut rng, stop) = (Rng::new(11), Stop::new());
    let params = Params { solver_share: 1.0, ..Params::default() };
    let budget = Budget { time: Some(Duration::from_secs(60)), ..Budget::default() };
    for _ in 0..6 {
        let mut position = late(Size::square(8), 11, &mut rng);
        let lead = solve(&EndgameSolver::new(16), &position, 1).least as f32 * position.to_move().sign();
        while position.outcome().is_none() {
            let decision = player.run(&Task::new(&position, budget, &params, &stop), &mut |_| ());
            assert_eq!(decision.report.score, Some(lead * position.to_move().sign()));
            assert_eq!(decision.report.moves[0].mv, decision.mv);
            position.play(decision.mv);
        }
        assert_eq!(position.outcome().unwrap().score, lead);
    }
}

#[test]
fn threads_agree_with_one() {
    let mut rng = Rng::new(7);
    for _ in 0..10 {
        let position = late(Size::square(8), 12, &mut rng);
        let found = solve(&EndgameSolver::new(16), &position, 3);
        check(&position, &found);
        assert_eq!(found.least, solve(&EndgameSolver::new(16), &position, 1).least);
    }
}

#[test]
fn a_table_that_forgets_changes_nothing() {
    let position = late(Size::square(8), 15, &mut Rng::new(3));
    let [small, large] = [1, 64].map(|mib| solve(&EndgameSolver::new(mib), &position, 1));
    check(&position, &large);
    assert_eq!((small.least, small.most), (large.least, large.most));
}

#[test]
fn a_search_without_time_knows_nothing() {
    let (position, stop) = (Position::new(Size::square(8)), Stop::new());
    let solve = |time, stop: &Stop| EndgameSolver::new(1).solve(&position, 2, time, stop, &mut |_| ());
    let start = std::time::Instant::now();
    assert_eq!(solve(Some(Duration::from_millis(50)), &stop).0, None);
    stop.set();
    assert_eq!(solve(None, &stop).0, None);
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// Points row by row, the side to move, its lead, and columns and rows of the best moves.
type Known = (&'static str, Side, i32, &'static [(usize, usize)]);

/// Positions 40 to 44 of the endgame suite of the French federation with their leads and best moves, as Edax gives them.
#[test]
fn the_suite_of_endgames_is_solved() {
    const SUITE: [Known; 5] = [
        ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------", Side::First, 38, &[(0, 1)]),
        ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-", Side::First, 0, &[(7, 3)]),
        ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO--", Side::First, 6, &[(6, 1)]),
        ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX-", Side::Second, -12, &[(6, 2), (2, 6)]),
        ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX--", Side::Second, -14, &[(3, 1), (1, 7)]),
    ];
    let size = Size::square(8);
    let count = if std::env::var_os("LOSANGE_LONG").is_some() { SUITE.len() } else { 1 };
    for (points, side, lead, best) in &SUITE[..count] {
        let owner = |mark| [('X', Side::First), ('O', Side::Second)].into_iter().find(|&(own, _)| own == mark);
        let discs: Vec<_> =
            points.chars().enumerate().filter_map(|(point, mark)| Some((owner(mark)?.1, point))).collect();
        let mut position = Position::new(size).with_pieces(&discs).unwrap();
        position.set_to_move(*side);
        let found = solve(&EndgameSolver::new(256), &position, 1);
        check(&position, &found);
        assert_eq!(found.least, *lead, "{points}");
        let points: Vec<_> = best.iter().map(|&(x, y)| size.index(x, y)).collect();
        assert!(points.contains(&position.index(found.line[0])), "{found:?}");
    }
}
