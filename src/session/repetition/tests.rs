use std::time::Duration;

use super::*;
use crate::game::Side;
use crate::games::Size;
use crate::games::go::Rules;

/// White sends two stones and returns one: it adds A1 to B1, Black takes both from C1, White takes C1 from B1, and Black passes.
const WHITE: &str = "
    . X . . O
    X X O O O
    . X X O .
    X X O O O
    . O . O .";
const SEND: Move = Move::at(20);
const TAKE: Move = Move::at(22);
const RETURN: Move = Move::at(21);

fn game(rounds: usize) -> History<Position> {
    let stones = WHITE.split_whitespace().enumerate().filter_map(|(point, stone)| match stone {
        "X" => Some((Side::First, point)),
        "O" => Some((Side::Second, point)),
        _ => None,
    });
    let mut start = Position::new(Size::square(5), Rules::CHINESE, 0.5);
    start.set_up(&stones.collect::<Vec<_>>()).unwrap();
    start.set_to_move(Side::Second);
    let mut history = History::new(start);
    for _ in 0..rounds {
        for mv in [SEND, TAKE, RETURN, Move::PASS] {
            let side = history.position().to_move();
            history.play(side, mv);
        }
    }
    history
}

/// A report on moves with their values, in the order of their visits.
fn report(moves: &[(Move, u64, f32)]) -> Report<Move> {
    let entry = |&(mv, visits, mean)| MoveReport { prior: 0.1, ..MoveReport::plain(mv, visits, mean) };
    Report::plain(Side::Second, 1_000, Duration::ZERO, moves[0].2, moves.iter().map(entry).collect())
}

fn instead(rounds: usize, moves: &[(Move, u64, f32)]) -> Move {
    let history = game(rounds);
    Arrangements::of(&history).instead(history.position(), moves[0].0, &report(moves), |_| true)
}

#[test]
fn a_position_is_not_brought_about_for_the_third_time_for_nothing() {
    let like = [(SEND, 600, 0.30), (Move::at(24), 2, 0.9), (TAKE, 300, 0.28)];
    for rounds in [0, 1] {
        assert_eq!(instead(rounds, &like), SEND);
    }
    // A move that was hardly looked at is none to choose.
    assert_eq!(instead(2, &like), TAKE);
    // Where all else is worse the repetition saves the game, once.
    let worse = [(SEND, 600, 0.50), (TAKE, 300, 0.2)];
    assert_eq!([instead(2, &worse), instead(3, &worse)], [SEND, TAKE]);
    // In a lost game a pass is as good.
    let lost = [(SEND, 900, 0.04)];
    assert_eq!([instead(1, &lost), instead(2, &lost)], [SEND, Move::PASS]);
    // Black's pass has come back as often, and is played all the same.
    let mut history = game(2);
    for mv in [SEND, TAKE, RETURN] {
        let side = history.position().to_move();
        history.play(side, mv);
    }
    let passes = report(&[(Move::PASS, 900, 0.9), (Move::at(4), 100, 0.9)]);
    let mv = Arrangements::of(&history).instead(history.position(), Move::PASS, &passes, |_| true);
    assert_eq!(mv, Move::PASS);
}

#[test]
fn what_is_not_allowed_is_no_way_out() {
    let (history, moves) = (game(2), [(SEND, 600, 0.3), (TAKE, 300, 0.3), (RETURN, 0, 0.3)]);
    let mv = Arrangements::of(&history).instead(history.position(), SEND, &report(&moves), |mv| mv != TAKE);
    assert_eq!(mv, SEND);
}
