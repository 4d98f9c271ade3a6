use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::game::{Game, Planes, Side};
use crate::games::testing::{after, keys_tell_apart, legal, perft, playout, random_game};
use crate::games::{Size, Spelled};

/// OpenSpiel and Fairy-Stockfish count these; OpenSpiel's boards below six rows begin with one row of pieces.
#[test]
fn as_many_sequences_of_moves_as_other_programs_count() {
    let counts = |lines: usize, known: &[u64]| {
        for (depth, &count) in (1..).zip(known) {
            assert_eq!(perft(&Position::new(Size::square(lines)), depth), count, "{lines} lines, depth {depth}");
        }
    };
    counts(8, &[22, 484, 11_132, 256_036]);
    counts(6, &[16, 256, 4_308, 71_478, 1_248_290]);
}

/// Points of pieces by the words of the rules: where each may go from there, from and to.
fn moves_by_the_rules(position: &Position) -> Vec<[usize; 2]> {
    let (size, side) = (position.size(), position.to_move());
    let mut moves = Vec::new();
    for from in (0..size.points()).filter(|&point| position.owner(point) == Some(side)) {
        for to in 0..size.points() {
            let ((x, y), (to_x, to_y)) = (size.xy(from), size.xy(to));
            let ahead = if side == Side::First { to_y + 1 == y } else { to_y == y + 1 };
            let free = match to_x.abs_diff(x) {
                0 => position.owner(to).is_none(),
                1 => position.owner(to) != Some(side),
                _ => false,
            };
            if ahead && free {
                moves.push([from, to]);
            }
        }
    }
    moves
}

/// The winner, by the words of the rules.
fn winner_by_the_rules(position: &Position) -> Option<Side> {
    let size = position.size();
    let owned = |side: Side| (0..size.points()).filter(move |&point| position.owner(point) == Some(side));
    Side::BOTH.into_iter().find(|&side| {
        let last = if side == Side::First { 0 } else { size.height - 1 };
        owned(side).any(|point| size.xy(point).1 == last) || owned(side.opponent()).next().is_none()
    })
}

fn check(position: &Position) {
    let size = position.size();
    let winner = winner_by_the_rules(position);
    assert_eq!(position.outcome().map(|outcome| outcome.winner), winner.map(Some));
    let moves = legal(position);
    if winner.is_some() {
        assert!(moves.is_empty());
        return;
    }
    let touched: Vec<_> = moves.iter().map(|&mv| Position::spell(size, mv).points().to_vec()).collect();
    assert_eq!(touched, moves_by_the_rules(position));
    assert!(!moves.is_empty() && moves.is_sorted());
    assert_eq!((0..position.move_count()).filter(|&mv| position.is_legal(position.move_at(mv))).count(), moves.len());
    for mv in moves {
        let child = after(position, mv);
        let points = Position::spell(size, mv);
        let [from, to] = *points.points() else { panic!("two points") };
        assert_eq!((child.owner(from), child.owner(to)), (None, Some(position.to_move())));
        let taken = u32::from(position.owner(to).is_some());
        let other = position.to_move().opponent();
        assert_eq!(child.count(other) + taken, position.count(other));
        assert_eq!(child.count(position.to_move()), position.count(position.to_move()));
    }
}

fn boards() -> impl Strategy<Value = Size> {
    (2..=8_usize, 4..=8_usize).prop_map(|(width, height)| Size { width, height })
}

proptest! {
    #[test]
    fn games_go_by_the_rules(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, check);
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64, size in boards(), knowledge in 1..3_u32) {
        let arrives = |mv: &Move| {
            let to = Position::spell(size, *mv).points()[1];
            [0, size.height - 1].contains(&size.xy(to).1)
        };
        let (end, last) = playout(&Position::new(size), knowledge, seed, |position, mv| {
            assert!(knowledge == 1 || arrives(&mv) || !legal(position).iter().any(arrives), "a win was left out");
        });
        prop_assert_eq!(Some(end), last.outcome());
    }

    #[test]
    fn keys_tell_positions_apart(seed: u64) {
        let owners = |position: &Position| (0..position.points()).map(|point| position.owner(point)).collect::<Vec<_>>();
        keys_tell_apart(&Position::new(Size { width: 3, height: 5 }), seed, owners);
    }

    /// Each side sees its own pieces below, and its moves go up.
    #[test]
    fn the_side_to_move_sees_itself_below(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, |position| {
            let mut mirrored: Vec<_> =
                (0..position.points()).filter_map(|point| Some((position.owner(point)?.opponent(), point))).collect();
            for (_, point) in &mut mirrored {
                let (x, y) = size.xy(*point);
                *point = size.index(x, size.height - 1 - y);
            }
            let Ok(mut twin) = position.with_pieces(&mirrored) else { panic!("a mirrored position") };
            twin.set_to_move(position.to_move().opponent());
            for symmetry in 0..2 {
                let [mut own, mut other] = [Vec::new(), Vec::new()];
                position.write_planes(symmetry, &mut own);
                twin.write_planes(symmetry, &mut other);
                assert_eq!(own, other);
                let mut actions = [*position, twin].map(|position| -> Vec<_> {
                    legal(&position).into_iter().map(|mv| position.action_index(mv, symmetry)).collect()
                });
                actions.iter_mut().for_each(|actions| actions.sort_unstable());
                assert_eq!(actions[0], actions[1]);
                assert!(actions[0].iter().all(Option::is_some));
            }
        });
    }
}

/// The winner with the best moves, by looking at everything.
fn best(position: &Position, known: &mut HashMap<u64, Side>) -> Side {
    if let Some(outcome) = position.outcome() {
        return outcome.winner.unwrap();
    }
    if let Some(&winner) = known.get(&position.key()) {
        return winner;
    }
    let side = position.to_move();
    let wins = legal(position).into_iter().any(|mv| best(&after(position, mv), known) == side);
    let winner = if wins { side } else { side.opponent() };
    known.insert(position.key(), winner);
    winner
}

#[test]
fn small_boards_are_won_by_whom_they_are_known_to_be() {
    let boards = [(2, 4), (3, 4), (4, 4), (5, 4), (2, 5), (3, 5)];
    let winners = boards.map(|(width, height)| best(&Position::new(Size { width, height }), &mut HashMap::new()));
    assert_eq!(winners.map(Side::index), [1; 6]);
    let winners = [2, 3].map(|width| best(&Position::new(Size { width, height: 6 }), &mut HashMap::new()));
    assert_eq!(winners, [Side::First; 2]);
}

/// A side that is said to win has won: in every position of small boards that can be reached, and with either side to move.
#[test]
fn free_runs_are_never_wrong() {
    let mut said = [0_u32; 2];
    for (width, height) in [(3, 4), (4, 4), (2, 5), (3, 5), (2, 6)] {
        let mut known = HashMap::new();
        best(&Position::new(Size { width, height }), &mut known);
        for seed in 0..300 {
            random_game(Position::new(Size { width, height }), seed, |position| {
                for side in Side::BOTH {
                    let mut position = *position;
                    position.set_to_move(side);
                    if let Some((winner, _)) = position.proven() {
                        assert_eq!(best(&position, &mut known), winner);
                        said[usize::from(position.outcome().is_none())] += 1;
                    }
                }
            });
        }
    }
    assert!(said[1] > 500, "{said:?}");
}

#[test]
fn pieces_that_cannot_stand_so_are_refused() {
    let start = Position::new(Size::square(5));
    let [a, b] = Side::BOTH;
    assert!(start.with_pieces(&[(a, 12), (b, 12)]).is_err());
    assert!(start.with_pieces(&[(a, 25)]).is_err());
    assert!(start.with_pieces(&[]).is_err());
    assert!(start.with_pieces(&[(a, 2), (b, 22)]).is_err());
    assert_eq!(start.with_pieces(&[(a, 2), (b, 12)]).unwrap().outcome().unwrap().winner, Some(a));
    assert_eq!(start.with_pieces(&[(b, 12)]).unwrap().outcome().unwrap().winner, Some(b));
    assert!(start.with_pieces(&[(a, 12), (b, 7)]).unwrap().outcome().is_none());
}
