mod boards;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::board::Point;
use super::super::position::testing::position as drawn;
use super::super::{Move, Rules};
use super::*;
use crate::game::Side;
use crate::games::Size;

fn planes(position: &Position, symmetry: usize) -> Vec<f32> {
    let mut planes = Vec::new();
    position.write_foreign(0, symmetry, &mut planes);
    assert_eq!(planes.len(), 41 * position.points());
    planes
}

/// Points of a plane that are not 0, as players write them: columns without I, rows from below.
fn points(position: &Position, planes: &[f32], plane: usize) -> Vec<String> {
    let (size, area) = (position.size(), position.points());
    let name = |index| {
        let (x, y) = size.xy(index);
        format!("{}{}", char::from(b"ABCDEFGHJKLMNOPQRST"[x]), size.height - y)
    };
    (0..area).filter(|index| planes[plane * area + index] != 0.0).map(name).collect()
}

fn play(position: &mut Position, moves: &str) {
    let size = position.size();
    for text in moves.split_whitespace() {
        let (column, row) = text.split_at(1);
        let mv = match row.parse::<usize>() {
            Ok(row) => {
                let x = "ABCDEFGHJKLMNOPQRST".find(column).unwrap();
                Move::at(size.index(x, size.height - row))
            }
            Err(_) => Move::PASS,
        };
        assert!(position.is_legal(mv), "{text}");
        position.play(mv);
    }
}

fn game(lines: usize, rules: &str, komi: f32, moves: &str) -> Position {
    let mut position = Position::new(Size::square(lines), Rules::by_name(rules).unwrap(), komi);
    play(&mut position, moves);
    position
}

/// Compares the planes that are not empty, each as `plane:number of points` or `plane:point,point`, and the numbers that are not 0.
fn check(position: &Position, expected: &str, numbers: &[(usize, f32)]) {
    let (area, seen) = (position.points(), planes(position, 0));
    let mut expected: BTreeMap<usize, &str> = expected
        .split_whitespace()
        .map(|plane| plane.split_once(':').unwrap())
        .map(|(n, p)| (n.parse().unwrap(), p))
        .collect();
    let all = area.to_string();
    expected.insert(0, &all);
    for plane in 0..SPATIAL {
        let found = points(position, &seen, plane);
        let wanted = expected.get(&plane).copied().unwrap_or("0");
        match wanted.parse::<usize>() {
            Ok(count) => assert_eq!(found.len(), count, "plane {plane}: {found:?}"),
            Err(_) => assert_eq!(found.join(","), wanted, "plane {plane}"),
        }
    }
    let numbers: BTreeMap<usize, f32> = numbers.iter().copied().collect();
    for number in 0..NUMBERS {
        let plane = &seen[(SPATIAL + number) * area..(SPATIAL + number + 1) * area];
        let wanted = numbers.get(&number).copied().unwrap_or(0.0);
        assert!(plane.iter().all(|value| (value - wanted).abs() < 1e-6), "number {number}: {} for {wanted}", plane[0]);
    }
}

const SUPERKO: [(usize, f32); 3] = [(6, 1.0), (7, 0.5), (8, 1.0)];
const LAST_FIVE: &str = "9:1 10:1 11:1 12:1 13:1";

/// Black's only chain has two eyes of nine points, each with a white stone that can be filled around only where suicide is legal.
#[test]
fn areas_may_be_alive_as_if_suicide_were_legal() {
    let ring = (0..45).filter(|point| point / 9 % 4 == 0 || point % 9 % 4 == 0).map(|point| (Side::First, point));
    let stones: Vec<_> = ring.chain([20, 24].map(|point| (Side::Second, point))).collect();
    let planes = |rules: Rules, number: usize| {
        let mut position = Position::new(Size { width: 9, height: 5 }, rules, 7.5);
        position.set_up(&stones).unwrap();
        let mut planes = Vec::new();
        position.write_foreign(number, 0, &mut planes);
        planes[18 * 45..20 * 45].to_vec()
    };
    let suicidal = planes(Rules { suicide: true, ..Rules::CHINESE }, 0);
    assert_ne!(planes(Rules::CHINESE, 0), suicidal);
    assert_eq!(planes(Rules::CHINESE, 1), suicidal);
}

/// Boards of nine lines, and the planes that KataGo 1.17.2 makes of them.
#[test]
fn small_boards_are_seen_as_katago_sees_them() {
    check(&game(9, "chinese", 7.5, ""), "", &[(5, -0.375), (18, -0.5)]);
    let go = game(9, "tromp-taylor", 7.0, "E5 C3 C7 G7 G3 F6");
    check(&go, &format!("1:3 2:3 {LAST_FIVE} 18:3 19:3"), &[&[(5, -0.35)], &SUPERKO[..]].concat());
    let go = game(9, "chinese", 7.0, "C3 D4 D3 C4 E4 B3 D5 B2 C5");
    check(&go, &format!("1:4 2:5 3:C4,D4 5:3 {LAST_FIVE} 18:4 19:5"), &[(5, 0.35)]);
    let go = game(9, "aga", 5.5, "E5 E6 D6 pass F6 G6 E7 F5 D5 E4");
    let aga = [(5, -0.275), (6, 1.0), (7, -0.5), (18, -0.5)];
    check(&go, &format!("1:5 2:3 4:F6,F5 5:2 {LAST_FIVE} 18:6 19:3"), &aga);
    let go = game(9, "tromp-taylor", 7.0, "D5 E5 E6 F6 E4 F4 A1 G5 F5");
    let seen = format!("1:3 2:5 3:F5 4:F6,F4,A1 5:3 6:E5 {LAST_FIVE} 14:A1 15:A1 16:A1 17:A2,B1 18:3 19:6");
    check(&go, &seen, &[&[(5, 0.35)], &SUPERKO[..]].concat());
}

#[test]
fn ladders_of_now_and_before_are_seen_as_katago_sees_them() {
    let komi = [(5, -0.375), (18, -0.5)];
    let go = game(19, "chinese", 7.5, "Q16 D4 D16 Q4 R14 C17 D17 C16");
    check(&go, &format!("1:4 2:4 {LAST_FIVE} 18:4 19:4"), &komi);
    let go = game(19, "chinese", 7.5, "C4 D4 D3 Q4 C5 R9");
    check(&go, &format!("1:3 2:3 4:D4 5:1 {LAST_FIVE} 14:D4 15:D4 17:E4 18:3 19:3"), &komi);
    let go = game(19, "chinese", 7.5, "C4 D4 D3 Q16 C5 R9");
    check(&go, &format!("1:3 2:3 4:D4 5:1 {LAST_FIVE} 18:3 19:3"), &komi);
}

#[test]
fn passes_are_seen_as_katago_sees_them() {
    let alone = "1:1 2:1 18:1 19:1";
    // The opponent need not mean to end the game: what it passed on is hidden.
    check(&game(9, "chinese", 7.0, "E5 C5 pass"), alone, &[(5, 0.35)]);
    let go = game(9, "tromp-taylor", 7.0, "E5 C5 pass");
    let passed = [&[(0, 1.0), (5, 0.35), (14, 1.0)], &SUPERKO[..]].concat();
    check(&go, &format!("{alone} 10:C5 11:E5"), &passed);
    check(&game(9, "chinese", 7.0, "E5 C5 pass pass"), alone, &[(0, 1.0), (5, -0.35), (14, 1.0)]);
    let go = game(9, "tromp-taylor", 7.0, "E5 C5 pass pass");
    check(&go, alone, &[&[(0, 1.0), (5, -0.35), (14, 1.0)], &SUPERKO[..]].concat());
    // Territory is counted otherwise: the pass is shown.
    let seen = "1:1 2:1 10:C5 11:E5";
    check(&game(9, "japanese", 7.0, "E5 C5 pass"), seen, &[(0, 1.0), (5, 0.35), (9, 1.0), (10, 1.0), (14, 1.0)]);
}

#[test]
fn moves_out_of_turn_hide_those_before_them() {
    let mut go = game(9, "tromp-taylor", 7.0, "E5 C5 G5");
    let seen = |go: &Position| {
        let all = planes(go, 0);
        (9..14).flat_map(|plane| points(go, &all, plane)).collect::<Vec<_>>()
    };
    assert_eq!(seen(&go), ["G5", "C5", "E5"]);
    go.set_to_move(Side::First);
    assert!(seen(&go).is_empty());
    play(&mut go, "G6 C6");
    assert_eq!(seen(&go), ["C6", "G6"]);
    // After its end a game goes on from the last pass.
    play(&mut go, "pass pass");
    go.resume();
    play(&mut go, "D5");
    assert_eq!(seen(&go), ["D5"]);
    assert_eq!(planes(&go, 0)[(SPATIAL + 1) * 81], 1.0);
    go.set_up(&[(Side::First, 40)]).unwrap();
    assert!(seen(&go).is_empty());
}

/// Each stone played costs its owner a point where territory is counted.
#[test]
fn komi_is_that_of_territory_and_handicap() {
    let komi = |go: &Position| planes(go, 0)[(SPATIAL + 5) * go.points()] * KOMI_UNIT;
    let mut go = game(9, "japanese", 6.5, "A1");
    assert_eq!(komi(&go), 7.5);
    play(&mut go, "A2 pass");
    assert_eq!(komi(&go), 6.5);
    // White takes the stone: it was played all the same.
    play(&mut go, "B1");
    assert_eq!((go.lost(Side::First), komi(&go)), (1, -5.5));
    let mut go = game(9, "chinese", 0.5, "");
    go.set_handicap(3);
    assert_eq!(komi(&go), -3.5);
    go.set_komi(1000.0);
    assert_eq!(komi(&go), -101.0);
}

/// How much half a point is worth, on a board with an even and one with an odd number of points.
#[test]
fn the_wave_of_komi_has_steps_of_two() {
    let komis = [-2.0, -1.5, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 1.75, 2.0];
    let even = [0.0, 0.5, 0.0, -0.5, 0.0, 0.25, 0.5, 0.0, -0.5, -0.25, 0.0];
    assert_eq!(komis.map(|komi| wave(komi, 36)), even);
    assert_eq!(komis.map(|komi| wave(komi + 1.0, 81)), even);
}

#[test]
fn superko_bans_points_that_are_no_ko() {
    for (rules, banned) in [(Rules::TROMP_TAYLOR, &["C1"][..]), (Rules::AGA, &["C1"]), (Rules::CHINESE, &[])] {
        let mut go = drawn(". . X .", rules, 0.0);
        go.set_to_move(Side::Second);
        go.set_rules(rules);
        // White takes two stones. Black would take two, and bring the first board back.
        play(&mut go, "A1 D1 B1");
        assert_eq!(points(&go, &planes(&go, 0), 6), banned);
    }
    let mut go = drawn(". X . X .", Rules::AGA, 0.0);
    play(&mut go, "A1 C1");
    // The same board with the other side to move.
    assert!(points(&go, &planes(&go, 0), 6).is_empty());
    go = drawn(". X . X .", Rules::TROMP_TAYLOR, 0.0);
    play(&mut go, "A1 C1");
    assert_eq!(points(&go, &planes(&go, 0), 6), ["B1"]);
}

fn picked(position: &Position, pick: u32) -> Option<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    // Passes are rare, so that games last.
    if moves.len() > 1 && !pick.is_multiple_of(16) {
        moves.pop();
    }
    moves.get(pick as usize % moves.len().max(1)).copied()
}

proptest! {
    /// A game played on the turned board looks as the game itself does after that symmetry.
    #[test]
    fn symmetries_are_those_of_the_board(
        square in any::<bool>(), picks in prop::collection::vec(any::<u32>(), 0..60), rules in 0usize..4
    ) {
        let size = Size { width: 5, height: if square { 5 } else { 4 } };
        let rules = [Rules::TROMP_TAYLOR, Rules::CHINESE, Rules::STONE_SCORING, Rules::JAPANESE][rules];
        let start = Position::new(size, rules, 6.5);
        for symmetry in 0..start.symmetries() {
            let (mut position, mut turned) = (start.clone(), start.clone());
            for &pick in &picks {
                let Some(mv) = picked(&position, pick) else { break };
                turned.play(mv.point().map_or(mv, |p| Move::at(position.point_index(p, symmetry))));
                position.play(mv);
            }
            prop_assert_eq!(planes(&position, symmetry), planes(&turned, 0));
        }
    }

    /// The boards before the last two moves are made again, stones taken and given up and kos among them.
    #[test]
    fn moves_are_taken_back(picks in prop::collection::vec(any::<u32>(), 2..80), suicide in any::<bool>()) {
        let rules = if suicide { Rules::TROMP_TAYLOR } else { Rules::CHINESE };
        let mut go = Position::new(Size { width: 4, height: 3 }, rules, 0.0);
        let board = |go: &Position| -> (Vec<Stone>, Point) {
            let board = go.board();
            ((0..12).map(|index| board.stone(board.point(index))).collect(), board.ko())
        };
        let (mut boards, mut copy) = (vec![board(&go)], go.clone());
        for pick in picks {
            let Some(mv) = picked(&go, pick) else { break };
            go.play(mv);
            boards.push(board(&go));
            copy.clone_from(&go);
            let (mut stones, _) = board(&go);
            for age in 0..copy.moves_in_turn().min(2) {
                let ko = copy.take_back(age, &mut stones);
                prop_assert_eq!(&(stones.clone(), ko), &boards[boards.len() - 2 - age]);
            }
        }
    }

    /// All points that [`Position::check`] calls forbidden by ko or superko, and no others.
    #[test]
    fn forbidden_points_are_found(picks in prop::collection::vec(any::<u32>(), 0..120), rules in 0usize..3) {
        let rules = [Rules::TROMP_TAYLOR, Rules::CHINESE, Rules::AGA][rules];
        let mut go = Position::new(Size { width: 3, height: 3 }, rules, 0.0);
        for pick in picks {
            let Some(mv) = picked(&go, pick) else { break };
            go.play(mv);
            let mut found = go.forbidden();
            found.sort_unstable();
            let check = |&index: &usize| {
                matches!(go.check(go.to_move(), Move::at(index)), Err(super::super::Illegal::Ko | super::super::Illegal::Superko))
            };
            prop_assert_eq!(found, (0..9).filter(check).collect::<Vec<_>>());
        }
    }
}
