use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::tests::{choose, session};
use super::*;
use crate::games::Size;
use crate::games::go::{Position, Rules};
use crate::search::Share;
use crate::session::choice::Choice;
use crate::session::{Asked, Control, Settings};

#[test]
fn a_large_free_handicap_is_placed_within_the_time_of_an_answer() {
    let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
    (settings.setup.size, settings.memory) = (Some(Size::square(19)), 32);
    settings.answer_time = Duration::from_millis(200);
    let mut session = GoSession::new(settings, Arc::new(Control::new()));
    let start = Instant::now();
    assert_eq!(session.place_free_handicap(60).unwrap().len(), 60);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn free_handicap_is_placed_on_every_board() {
    for (n, stones) in [(5, 3), (9, 4), (9, 11), (6, 2)] {
        let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
        settings.setup.size = Some(Size::square(n));
        let mut session = GoSession::new(settings, Arc::new(Control::new()));
        let points = session.place_free_handicap(stones).unwrap();
        assert_eq!(points.len(), stones);
        assert_eq!(session.core.position().stones(Side::First), stones);
        assert_eq!(session.core.position().to_move(), Side::Second);
        assert_eq!(session.place_free_handicap(2), Err(HandicapError::BoardNotEmpty));
    }
}

#[test]
fn stones_that_black_plays_alone_are_a_handicap() {
    let mut session = session(&". . . . .\n".repeat(5), Rules::CHINESE, 0.5, Side::First);
    let handicap = |session: &GoSession| session.core().position().handicap();
    session.play(Side::First, Move::at(6)).unwrap();
    assert_eq!(handicap(&session), 0);
    session.play(Side::First, Move::at(18)).unwrap();
    let mark = session.mark();
    session.play(Side::First, Move::at(8)).unwrap();
    assert_eq!(handicap(&session), 3);
    session.play(Side::Second, Move::at(12)).unwrap();
    session.play(Side::First, Move::at(13)).unwrap();
    assert_eq!(handicap(&session), 3);
    assert!(session.undo(1));
    session.play(Side::Second, Move::at(13)).unwrap();
    assert_eq!(handicap(&session), 0, "a position is set up");
    assert!(session.undo(4));
    assert_eq!(handicap(&session), 0);
    session.return_to(mark);
    assert_eq!(handicap(&session), 2);
    let moves = session.core().history().moves().to_vec();
    let mut start = session.core().history().start().clone();
    start.set_handicap(0);
    session.load(start, &moves);
    assert_eq!(handicap(&session), 2);
    // A record's own handicap stays, and one that was played goes when the board is edited.
    let mut record = Position::new(Size::square(5), Rules::CHINESE, 0.5);
    record.set_handicap(3);
    session.load(record, &[]);
    assert_eq!(handicap(&session), 3);
    session.clear();
    for point in [6, 18] {
        session.play(Side::First, Move::at(point)).unwrap();
    }
    assert_eq!(handicap(&session), 2);
    session.restart(session.core().position().clone());
    assert_eq!(handicap(&session), 0);
}

/// Sabaki sets a position up by a free handicap and plays of White alone: its stones are worth nothing.
#[test]
fn a_set_up_position_has_no_handicap() {
    for (plays, counted) in [(1, 3), (2, 0)] {
        let mut session = session(&". . . . . .\n".repeat(6), Rules::CHINESE, 0.5, Side::First);
        session.set_free_handicap(&[0, 1, 2]).unwrap();
        assert_eq!(session.core().position().handicap(), 3);
        (0..plays).for_each(|play| session.play(Side::Second, Move::at(30 + play)).unwrap());
        assert_eq!(session.core().position().handicap(), counted);
        assert!(session.undo(plays) && session.core().position().handicap() == 3);
    }
    // A position that is set up in any order.
    let mut session = session(&". . . . . .\n".repeat(6), Rules::CHINESE, 0.5, Side::First);
    for (side, point) in [(Side::First, 0), (Side::First, 1), (Side::Second, 5), (Side::First, 9), (Side::First, 11)] {
        session.play(side, Move::at(point)).unwrap();
    }
    assert_eq!(session.core().position().handicap(), 0);
}

#[test]
fn stones_that_the_engine_plays_alone_are_a_handicap_too() {
    let mut session = session(&". . . . .\n".repeat(5), Rules::CHINESE, 0.5, Side::First);
    for stones in [0, 2] {
        assert!(matches!(choose(&mut session, Side::First, Asked::Play), Choice::Move(_)));
        assert_eq!(session.core().position().handicap(), stones);
    }
    assert!(session.undo(1) && session.core().position().handicap() == 0);
}
