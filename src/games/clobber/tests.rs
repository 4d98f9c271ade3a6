use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::game::{Game, MonteCarlo, Part, Planes, PlayoutPolicy, Side, Solitary, Sum};
use crate::games::testing::{legal, playout, random_game};
use crate::games::{Size, Spelled};
use crate::rng::Rng;
use crate::search::mcts::Mcts;
use crate::search::params::Method;
use crate::search::prover::Prover;
use crate::search::sums::SumSolver;
use crate::search::{Budget, Params, Searcher, Share, Stop, Task};

fn board(width: usize, height: usize) -> Position {
    Position::new(Size { width, height })
}

/// A position from rows of `X`, `O` and `.`.
fn read<G: Spelled>(rows: &[&str]) -> G {
    let size = Size { width: rows[0].len(), height: rows.len() };
    let letters = rows.iter().flat_map(|row| row.bytes()).enumerate();
    let stones: Vec<_> = letters
        .filter_map(|(point, letter)| match letter {
            b'X' => Some((Side::First, point)),
            b'O' => Some((Side::Second, point)),
            _ => None,
        })
        .collect();
    G::on(size).with_pieces(&stones).unwrap()
}

/// The moves by the words of the rules, from the board alone.
fn moves_by_the_rules<G: Spelled>(position: &G, may_move: impl Fn(Side) -> bool) -> Vec<[usize; 2]> {
    let size = position.size();
    let mut moves = Vec::new();
    for from in 0..size.points() {
        for to in 0..size.points() {
            let ((x, y), (to_x, to_y)) = (size.xy(from), size.xy(to));
            let near = x.abs_diff(to_x) + y.abs_diff(to_y) == 1;
            let owners = position.owner(from).zip(position.owner(to));
            if near && owners.is_some_and(|(own, other)| own != other && may_move(own)) {
                moves.push([from, to]);
            }
        }
    }
    moves
}

#[test]
fn the_start_is_chequered_and_black_begins() {
    let start = board(6, 5);
    assert_eq!(
        (start.owner(0), start.owner(1), start.owner(6)),
        (Some(Side::First), Some(Side::Second), Some(Side::Second))
    );
    assert_eq!((start.to_move(), start.moves()), (Side::First, 6 * 4 + 5 * 5));
    assert!(start.outcome().is_none() && start == read(&["XOXOXO", "OXOXOX", "XOXOXO", "OXOXOX", "XOXOXO"]));
}

#[test]
fn sizes_and_set_ups_that_there_are_not() {
    let size = |width, height| Size { width, height };
    let (two, one) = (Position::new(size(2, 2)), Solitaire::new(size(2, 2)));
    assert!(two.fresh(size(10, 10)).is_some() && two.fresh(size(11, 1)).is_none());
    assert!(one.fresh(size(20, 20)).is_some() && one.fresh(size(1, 21)).is_none());
    for stones in [&[(Side::First, 4)][..], &[(Side::First, 0), (Side::Second, 0)]] {
        assert!(two.with_pieces(stones).is_err() && one.with_pieces(stones).is_err());
    }
}

fn check_duel(position: &Position) {
    let moves = legal(position);
    let mut ends: Vec<_> = moves.iter().map(|&mv| mv.ends(position.size())).collect();
    ends.sort_unstable();
    assert_eq!(ends, moves_by_the_rules(position, |side| side == position.to_move()));
    assert!(moves.is_sorted() && moves.iter().all(|&mv| position.is_legal(mv)));
    assert_eq!(moves.len() as u32, position.moves());
    for &mv in &moves {
        let (spelling, [from, to]) = (Position::spell(position.size(), mv), mv.ends(position.size()));
        assert_eq!(spelling.points(), [from, to]);
        assert_eq!(Position::unspell(position.size(), &spelling), Some(mv));
        assert_eq!(position.move_at(position.index(mv)), mv);
        let mut child = *position;
        child.play(mv);
        assert_eq!((child.owner(from), child.owner(to)), (None, Some(position.to_move())));
    }
    let winner = position.outcome().map(|outcome| outcome.winner);
    assert_eq!(winner, moves.is_empty().then(|| Some(position.to_move().opponent())));
    assert_eq!((0..position.move_count()).filter(|&mv| position.is_legal(position.move_at(mv))).count(), moves.len());
}

fn check_solitaire(position: &Solitaire) {
    let moves = legal(position);
    let mut ends: Vec<_> = moves.iter().map(|&mv| mv.ends(position.size())).collect();
    ends.sort_unstable();
    assert_eq!(ends, moves_by_the_rules(position, |_| true));
    assert!(moves.is_sorted() && moves.iter().all(|&mv| position.is_legal(mv)));
    let stones = (0..position.points()).filter(|&point| position.owner(point).is_some()).count();
    assert_eq!((position.stones(), position.outcome().is_some()), (stones, moves.is_empty()));
    // As it would be if it were set up.
    let pieces: Vec<_> = (0..position.points()).filter_map(|p| position.owner(p).map(|side| (side, p))).collect();
    let again = position.with_pieces(&pieces).unwrap();
    assert_eq!((again.key(), again.promise()), (position.key(), position.promise()));
}

proptest! {
    #[test]
    fn games_go_by_the_rules(seed: u64, width in 1..=10_usize, height in 1..=10_usize) {
        random_game(board(width, height), seed, check_duel);
        random_game(Solitaire::new(Size { width, height }), seed, check_solitaire);
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64, width in 1..=7_usize, height in 1..=7_usize) {
        fn check<G: MonteCarlo>(start: &G, seed: u64) {
            let (end, last) = playout(start, 1, seed, |_, _| ());
            assert_eq!(Some(end), last.outcome());
        }
        check(&board(width, height), seed);
        check(&Solitaire::new(Size { width, height }), seed);
    }

    /// Symmetries show the same game: the moves of what is shown are those that are shown.
    #[test]
    fn planes_and_moves_turn_together(seed: u64, plies in 0..8_usize, square: bool) {
        let mut position = if square { board(4, 4) } else { board(5, 3) };
        let mut rng = Rng::new(seed);
        for _ in 0..plies {
            let moves = legal(&position);
            if let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) {
                position.play(mv);
            }
        }
        prop_assert_eq!(position.symmetries(), if square { 8 } else { 4 });
        let area = position.points();
        for symmetry in 0..position.symmetries() {
            let mut planes = Vec::new();
            position.write_planes(symmetry, &mut planes);
            let pieces: Vec<_> = (0..2 * area).filter(|&i| planes[i] == 1.0).map(|i| (Side::BOTH[i / area], i % area)).collect();
            let shown = position.with_pieces(&pieces).unwrap();
            let mut seen: Vec<_> = legal(&position).iter().map(|&mv| position.action_index(mv, symmetry).unwrap()).collect();
            let mut own: Vec<_> = legal(&shown).iter().map(|&mv| shown.action_index(mv, 0).unwrap()).collect();
            seen.sort_unstable();
            own.sort_unstable();
            prop_assert_eq!(seen, own);
        }
    }

    /// The sum of the groups has the winner that looking at everything finds.
    #[test]
    fn groups_keep_the_winner(seed: u64, width in 1..=5_usize, height in 1..=4_usize) {
        let mut known = HashMap::new();
        let end = random_game(board(width, height), seed, |position| {
            if position.moves() <= 12 {
                for side in Side::BOTH {
                    let mut position = *position;
                    position.set_to_move(side);
                    assert_eq!(wins(&position, &mut HashMap::new()), solved(&position, side));
                }
            }
        });
        prop_assert!(!wins(&end, &mut known));
    }

    /// A bound is never too small: brute force finds nothing better.
    #[test]
    fn promises_are_kept(seed: u64, width in 1..=4_usize, height in 1..=4_usize) {
        random_game(Solitaire::new(Size { width, height }), seed, |position| {
            if position.stones() <= 9 {
                assert!(best(position, &mut HashMap::new()) <= position.promise().bound + 1e-6);
            }
        });
    }
}

/// Whether the side to move wins, by looking at everything.
fn wins<G: Game>(position: &G, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&won) = known.get(&position.key()) {
        return won;
    }
    let won = legal(position).into_iter().any(|mv| {
        let mut child = position.clone();
        child.play(mv);
        !wins(&child, known)
    });
    known.insert(position.key(), won);
    won
}

/// Whether a side wins if it is to move, by the solver.
fn solved(position: &Position, side: Side) -> bool {
    let groups = position.parts();
    SumSolver::new(1).solve(&groups, side, 1, None, &Stop::new(), &mut |_| ()).0.unwrap()
}

/// The best value of a game for one, by looking at everything.
fn best(position: &Solitaire, known: &mut HashMap<u64, f32>) -> f32 {
    if let Some(outcome) = position.outcome() {
        return outcome.value;
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let values = legal(position).into_iter().map(|mv| {
        let mut child = position.clone();
        child.play(mv);
        best(&child, known)
    });
    let value = values.collect::<Vec<_>>().into_iter().fold(-1.0, f32::max);
    known.insert(position.key(), value);
    value
}

/// Small boards: N who begins wins, P the other one, L and R the owner of even or of odd points whoever begins.
const TABLE: &[(usize, usize, char)] = &[
    (1, 2, 'N'),
    (1, 3, 'N'),
    (1, 4, 'N'),
    (1, 5, 'R'),
    (1, 6, 'P'),
    (1, 7, 'R'),
    (1, 8, 'N'),
    (1, 9, 'N'),
    (1, 10, 'N'),
    (2, 2, 'N'),
    (2, 3, 'P'),
    (2, 4, 'N'),
    (2, 5, 'N'),
    (2, 6, 'P'),
    (2, 7, 'N'),
    (2, 8, 'N'),
    (2, 9, 'P'),
    (3, 3, 'N'),
    (3, 4, 'P'),
    (3, 5, 'N'),
    (3, 6, 'P'),
    (4, 4, 'N'),
    (4, 5, 'N'),
];

fn class(winners: [Side; 2]) -> char {
    match winners {
        [Side::First, Side::Second] => 'N',
        [Side::Second, Side::First] => 'P',
        [Side::First, Side::First] => 'L',
        [Side::Second, Side::Second] => 'R',
    }
}

#[test]
fn small_boards_have_their_known_winners() {
    for &(height, width, expected) in TABLE {
        let winners = Side::BOTH.map(|side| {
            let start = board(width, height);
            if solved(&start, side) { side } else { side.opponent() }
        });
        assert_eq!(class(winners), expected, "{height}x{width}");
        // The same by looking at everything.
        if width * height <= 12 {
            let winners = Side::BOTH.map(|side| {
                let mut start = board(width, height);
                start.set_to_move(side);
                if wins(&start, &mut HashMap::new()) { side } else { side.opponent() }
            });
            assert_eq!(class(winners), expected, "{height}x{width}");
        }
    }
}

/// One stone is left if the number of points is no multiple of three, and else two (Demaine, Demaine and Fleischer 2004).
#[test]
fn what_is_left_of_small_boards_is_what_is_proved() {
    for (width, height) in [(2, 2), (3, 2), (4, 2), (5, 2), (3, 3), (4, 3)] {
        let start = Solitaire::new(Size { width, height });
        let least = if (width * height) % 3 == 0 { 2 } else { 1 };
        let value = 1.0 - 2.0 * least as f32 / start.points() as f32;
        assert_eq!((best(&start, &mut HashMap::new()), start.promise().bound), (value, value), "{width}x{height}");
    }
    // A row by itself leaves more than the promise says, which is a bound only.
    assert!(best(&Solitaire::new(Size { width: 8, height: 1 }), &mut HashMap::new()) < 1.0 - 2.0 / 8.0);
}

#[test]
fn stones_that_cannot_move_do_not_matter_to_the_key() {
    let with: Position = read(&["XO..X", "....X", "OO..X"]);
    let without: Position = read(&["XO...", ".....", "....."]);
    assert_eq!(with.key(), without.key());
    assert_ne!(with.key(), read::<Position>(&[".XO..", ".....", "....."]).key());
}

#[test]
fn a_board_that_is_too_large_is_given_up_in_time() {
    let groups = board(8, 8).parts();
    let (start, limit) = (Instant::now(), Some(Duration::from_millis(50)));
    let (won, _) = SumSolver::new(16).solve(&groups, Side::First, 2, limit, &Stop::new(), &mut |_| ());
    assert_eq!(won, None);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn groups_are_named_by_their_form() {
    let names = |rows: &[&str]| read::<Position>(rows).parts().iter().map(Part::names).collect::<Vec<_>>();
    // The same twice, turned, beside stones that cannot move again; and with colours exchanged.
    let [same, turned] = names(&["XXO.X", ".O...", "...O.", "...XO", "...X."])[..] else { panic!("two groups") };
    assert_eq!(same, turned);
    let [exchanged] = names(&["...O.", "..XO.", "...X."])[..] else { panic!("one group") };
    assert_eq!(exchanged, [same[1], same[0]]);
    let [other] = names(&["XXO", "..O"])[..] else { panic!("one group") };
    assert!(!same.contains(&other[0]));
    // One that is its own opposite.
    let [own] = names(&["OX"])[..] else { panic!("one group") };
    assert_eq!(own[0], own[1]);
}

#[test]
fn goals_are_the_parts_of_the_board() {
    let start = Solitaire::new(Size::square(10));
    assert_eq!(start.goals(), 4);
    assert_eq!(Solitaire::new(Size { width: 3, height: 9 }).goals(), 2);
    let mut policy = start.playout_policy(1);
    policy.start(&start);
    assert!((0..4).all(|goal| policy.goal(goal) == 0.0));
    assert!(start.goal_met(0, Side::First, 0.0) && !start.goal_met(0, Side::First, 0.5));
    // Half a stone is a thirty-second of 16 points, and a seventy-second of 36.
    assert!(start.goal_met(0, Side::First, 0.03) && !start.goal_met(0, Side::First, 0.033));
    assert!(start.goal_met(3, Side::First, 0.013) && !start.goal_met(3, Side::First, 0.015));
    // Four by four, and what is left over at the edges: of 6 by 6 points 9 have stones.
    let corner: Solitaire = read(&["....XX", "....XX", "....XX", "....XX", ".....X", "......"]);
    assert_eq!(corner.goals(), 1);
    policy.start(&corner);
    assert_eq!(policy.goal(0), 0.75);
}

/// Where few moves are left the engine wins what is won, and knows it.
#[test]
fn what_is_proved_is_played() {
    let share = Arc::new(Share::new(2));
    let search = |position: &Position, solver_share: f32, search: Method| {
        let params = Params { solver_share, search, ..Params::default() };
        let budget = Budget { time: Some(Duration::from_secs(5)), nodes: Some(1), early_stop: true };
        let stop = Stop::new();
        let task = Task { threads: 2, ..Task::new(position, budget, &params, &stop) };
        Prover::new(Arc::clone(&share), 16, SumSolver::new, |mib| Box::new(Mcts::new(Arc::clone(&share), mib)))
            .run(&task, &mut |_| ())
    };
    let run = |position: &Position, solver_share: f32| search(position, solver_share, Method::Usual);
    let mut position = board(5, 4);
    position.play(run(&position, 0.5).mv);
    assert!(solved(&board(5, 4), Side::First) && !solved(&position, Side::Second));
    let lost = run(&position, 0.5);
    assert_eq!((lost.report.resolution, lost.report.winrate), (Some(Side::First), 0.0));
    // Without a share of the time it is left to the search, which has one simulation here; so is what is asked of it by name.
    assert_eq!(run(&position, 0.0).report.resolution, None);
    assert_eq!(search(&position, 0.5, Method::Mcts).report.resolution, None);
    let won = run(&board(5, 4), 0.5).report;
    assert_eq!((won.resolution, won.moves[0].mv, won.winrate), (Some(Side::First), run(&board(5, 4), 0.5).mv, 1.0));
}
