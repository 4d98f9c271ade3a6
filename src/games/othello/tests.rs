use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::game::{Game, Planes, Side};
use crate::games::testing::{after, keys_tell_apart, legal, perft, playout, random_game};
use crate::games::{Ending, Size, Spelled, Spelling};

/// The numbers on 8×8 are those of A. Bik; OpenSpiel and Fairy-Stockfish count the same. After nine moves 228 games are over; he lets them
/// go on with two passes. Those of the smaller boards were counted by a program that shares nothing with this one.
#[test]
fn as_many_sequences_of_moves_as_other_programs_count() {
    let long = std::env::var_os("LOSANGE_LONG").is_some();
    let counts = |lines: usize, quick: usize, known: &[u64]| {
        for (depth, &count) in (1..).zip(known).take(if long { known.len() } else { quick }) {
            assert_eq!(perft(&Position::new(Size::square(lines)), depth), count, "{lines} lines, depth {depth}");
        }
    };
    counts(8, 7, &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284 - 228]);
    counts(6, 7, &[4, 12, 56, 244, 1_364, 7_604, 47_740, 308_716]);
    counts(4, 10, &[4, 12, 44, 128, 424, 1_256, 3_624, 9_112, 20_032, 36_412, 50_268, 55_112]);
}

/// The discs that a disc of `side` on a point turns, by the words of the rules.
fn turned_by_the_rules(position: &Position, side: Side, point: usize) -> Vec<usize> {
    let size = position.size();
    let (x, y) = size.xy(point);
    let mut turned = Vec::new();
    if position.owner(point).is_some() {
        return turned;
    }
    for (right, down) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        let mut run = Vec::new();
        for far in 1.. {
            let place = x.checked_add_signed(far * right).zip(y.checked_add_signed(far * down));
            let Some((x, y)) = place.filter(|&(x, y)| x < size.width && y < size.height) else { break };
            match position.owner(size.index(x, y)) {
                None => break,
                Some(owner) if owner == side => {
                    turned.append(&mut run);
                    break;
                }
                Some(_) => run.push(size.index(x, y)),
            }
        }
    }
    turned
}

fn check(position: &Position) {
    let (size, side) = (position.size(), position.to_move());
    let by_the_rules = |side| -> Vec<_> {
        (0..size.points()).filter(|&point| !turned_by_the_rules(position, side, point).is_empty()).collect()
    };
    let (own, others) = (by_the_rules(side), by_the_rules(side.opponent()));
    assert_eq!([side, side.opponent()].map(|side| position.mobility(side) as usize), [own.len(), others.len()]);
    let moves = legal(position);
    assert_eq!((0..position.move_count()).filter(|&mv| position.is_legal(position.move_at(mv))).count(), moves.len());
    assert_eq!(position.outcome().is_some(), own.is_empty() && others.is_empty());
    if let Some(end) = position.outcome() {
        let lead = position.count(Side::First) as f32 - position.count(Side::Second) as f32;
        assert_eq!((end.score, end.value), (lead, if lead == 0.0 { 0.0 } else { lead.signum() }));
        assert!(moves.is_empty());
    } else if own.is_empty() {
        assert_eq!(moves, [Move::PASS]);
        let child = after(position, Move::PASS);
        assert!((0..size.points()).all(|point| child.owner(point) == position.owner(point)));
        assert_eq!(child.to_move(), side.opponent());
    } else {
        assert_eq!(moves, own.iter().map(|&point| Move::at(point)).collect::<Vec<_>>());
        for &placed in &own {
            let (child, turned) = (after(position, Move::at(placed)), turned_by_the_rules(position, side, placed));
            for point in 0..size.points() {
                let changed = point == placed || turned.contains(&point);
                assert_eq!(child.owner(point), if changed { Some(side) } else { position.owner(point) });
            }
        }
    }
}

fn boards() -> impl Strategy<Value = Size> {
    (4..=10_usize, 4..=10_usize).prop_map(|(width, height)| Size { width, height })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn games_go_by_the_rules(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, check);
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64, size in boards(), knowledge in 1..3_u32) {
        let is_corner = |mv: &Move| mv.point().is_some_and(|point| {
            let (x, y) = size.xy(point);
            [0, size.width - 1].contains(&x) && [0, size.height - 1].contains(&y)
        });
        let (end, last) = playout(&Position::new(size), knowledge, seed, |position, mv| {
            assert!(knowledge == 1 || is_corner(&mv) || !legal(position).iter().any(is_corner));
        });
        prop_assert_eq!(Some(end), last.outcome());
    }

    /// Discs that count as stable keep their colour to the end, and frontiers are what has an empty point beside it.
    #[test]
    fn stable_discs_are_never_turned(seed: u64, size in boards()) {
        let mut least = [0; 2];
        random_game(Position::new(size), seed, |position| {
            for side in Side::BOTH {
                let stable = position.stable(side);
                assert!(stable >= least[side.index()], "a stable disc was turned");
                least[side.index()] = stable;
                let beside = |point: usize| {
                    let (x, y) = size.xy(point);
                    (0..size.points()).any(|other| {
                        let (to_x, to_y) = size.xy(other);
                        to_x.abs_diff(x) <= 1 && to_y.abs_diff(y) <= 1 && position.owner(other).is_none()
                    })
                };
                let frontier =
                    (0..size.points()).filter(|&point| position.owner(point) == Some(side) && beside(point)).count();
                assert_eq!(position.frontier(side) as usize, frontier);
            }
        });
    }

    #[test]
    fn keys_tell_positions_apart(seed: u64) {
        let owners = |position: &Position| (0..position.points()).map(|point| position.owner(point)).collect::<Vec<_>>();
        keys_tell_apart(&Position::new(Size { width: 4, height: 5 }), seed, owners);
    }

    /// Colours exchanged and the board turned, the side to move sees the same.
    #[test]
    fn planes_know_no_colours(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, |position| {
            let discs: Vec<_> = (0..position.points())
                .filter_map(|point| Some((position.owner(point)?.opponent(), size.seen(point, 1))))
                .collect();
            let mut twin = position.with_pieces(&discs).unwrap();
            twin.set_to_move(position.to_move().opponent());
            let [mut own, mut other] = [Vec::new(), Vec::new()];
            position.write_planes(1, &mut own);
            twin.write_planes(0, &mut other);
            assert_eq!(own, other);
        });
    }
}

/// The lead of `First` at the end with the best moves of both, by looking at everything.
fn best(position: &Position, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.score as i32;
    }
    if let Some(&score) = known.get(&position.key()) {
        return score;
    }
    let sign = position.to_move().sign() as i32;
    let scores = legal(position).into_iter().map(|mv| sign * best(&after(position, mv), known));
    let score = sign * scores.max().unwrap();
    known.insert(position.key(), score);
    score
}

/// On 4×4 the second player wins by eight discs, three to eleven.
#[test]
fn the_smallest_board_is_won_by_the_second_player() {
    assert_eq!(best(&Position::new(Size::square(4)), &mut HashMap::new()), -8);
}

/// Point of a name with rows counted from the top, as players of Othello write.
fn named(size: Size, name: &str) -> Move {
    let &[column, row] = name.as_bytes() else { panic!("{name}") };
    Move::at(size.index(usize::from(column.to_ascii_lowercase() - b'a'), usize::from(row - b'1')))
}

/// A game without a fault by either side, as Takizawa (2023) gives it, is drawn; so begins the line of Feinstein (1993) on 6×6, whose
/// points are those in the middle of 8×8.
#[test]
fn known_lines_are_legal() {
    let line = "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6";
    let size = Size::square(8);
    let mut position = Position::new(size);
    for name in line.as_bytes().chunks(2) {
        let mv = named(size, str::from_utf8(name).unwrap());
        assert!(position.is_legal(mv), "{name:?}");
        position.play(mv);
    }
    assert_eq!(position.outcome().map(|end| (end.winner, end.score)), Some((None, 0.0)));
    assert_eq!((position.count(Side::First), position.plies()), (32, 60));
    let mut position = Position::new(Size::square(6));
    for name in ["d3", "c5", "d6", "e3", "f5", "f4", "e2", "d2", "c2", "e6", "e7", "g5"] {
        let (x, y) = size.xy(named(size, name).point().unwrap());
        let mv = Move::at(Size::square(6).index(x - 1, y - 1));
        assert!(position.is_legal(mv), "{name}");
        position.play(mv);
    }
}

/// A side that cannot flank passes, and only then; once neither can, the game is over, though points are empty.
#[test]
fn passes_are_forced() {
    let start = Position::new(Size::square(4));
    assert_eq!(start.objection(Move::PASS).unwrap(), "there is a disc to place");
    assert_eq!(start.objection(Move::at(0)).unwrap(), "it flanks no disc");
    let [a, b] = Side::BOTH;
    // White flanks on c4; Black nowhere.
    let mut position = start.with_pieces(&[(b, 0), (a, 1)]).unwrap();
    assert_eq!(legal(&position), [Move::PASS]);
    assert!(position.objection(Move::PASS).is_none() && position.objection(Move::at(2)).is_some());
    position.play(Move::PASS);
    assert_eq!(legal(&position), [Move::at(2)]);
    position.play(Move::at(2));
    assert_eq!(position.outcome().map(|end| (end.winner, end.score)), Some((Some(b), -3.0)));
    assert_eq!(position.ending(), Some(Ending::Two { winner: Some(b), lead: 3, detail: ", 3 discs to 0".to_owned() }));
    assert_eq!(position.objection(Move::PASS).unwrap(), "the game is over");
    assert_eq!(start.with_pieces(&[]).unwrap().outcome().unwrap().winner, None);
    assert!(start.with_pieces(&[(a, 3), (b, 3)]).is_err() && start.with_pieces(&[(a, 16)]).is_err());
    assert_eq!(Position::unspell(Size::square(4), &Spelling::SWAP), None);
}
