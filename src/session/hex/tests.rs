use super::*;
use crate::games::hex::Illegal;
use crate::search::{Restriction, Share};

fn session(size: usize) -> HexSession {
    let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
    settings.playouts = Some(200);
    settings.memory = 16;
    settings.setup.size = Some(Size::square(size));
    HexSession::new(settings, Arc::new(Control::new()))
}

fn choose(session: &mut HexSession, side: Side) -> Choice<Move> {
    session.choose(side, Asked::Play, &SearchOptions::default(), &mut |_| ()).choice
}

#[test]
fn after_a_swap_the_other_colour_finds_the_stone_mirrored() {
    let mut session = session(5);
    session.set_allow_swap(true);
    session.play(Side::First, Move::at(5)).unwrap();
    session.play(Side::Second, Move::SWAP).unwrap();
    session.play(Side::First, Move::at(12)).unwrap();
    assert_eq!(session.core.position().stone(1), Some(Side::Second));
    assert_eq!(session.core.position().stone(5), None);
    // Taking both back leads to the first move again, with the swap still open.
    assert!(session.undo(2));
    assert_eq!(session.core.position().stone(5), Some(Side::First));
    session.play(Side::Second, Move::SWAP).unwrap();
}

/// Questions of the side that has swapped look at the board on which it will move.
#[test]
fn the_swappers_questions_are_about_its_own_board() {
    let mut session = session(5);
    session.set_allow_swap(true);
    session.play(Side::First, Move::at(5)).unwrap();
    session.play(Side::Second, Move::SWAP).unwrap();
    for (side, at, owner) in
        [(Some(Side::Second), 5, Side::First), (Some(Side::First), 1, Side::Second), (None, 1, Side::Second)]
    {
        session.look(side, |position, _| assert_eq!(position.stone(at), Some(owner)));
    }
    let (cells, _) = session.glance(Some(Side::Second), 0);
    assert!(!cells.contains(&5) && cells.contains(&1));
}

/// A record tells whether its game has the swap rule; those after it go by the session's own.
#[test]
fn a_record_brings_its_swap_rule() {
    let mut session = session(5);
    let mut start = Position::new(Size::square(5));
    start.set_swap_allowed(true);
    session.load(start, &[(Side::First, Move::at(12))]);
    assert!(session.core.position().can_swap());
    session.play(Side::Second, Move::SWAP).unwrap();
    assert!(session.undo(1));
    session.play(Side::Second, Move::SWAP).unwrap();
    assert!(session.undo(2) && session.core.position().swap_allowed());
    session.clear();
    assert!(!session.core.position().swap_allowed());
    session.set_allow_swap(true);
    session.load(Position::new(Size::square(5)), &[(Side::First, Move::at(12))]);
    assert!(session.core.position().can_swap());
}

#[test]
fn what_a_search_was_not_allowed_does_not_bind_the_next_one() {
    let mut session = session(5);
    let corner = Restriction::new(Side::First, vec![Move::at(0)], true, 1);
    let only = SearchOptions { restrictions: vec![corner], ..SearchOptions::default() };
    let forced = session.choose(Side::First, Asked::Only, &only, &mut |_| ());
    assert_eq!(forced.choice, Choice::Move(Move::at(0)));
    let free = session.choose(Side::First, Asked::Only, &SearchOptions::default(), &mut |_| ());
    assert_ne!(free.choice, Choice::Move(Move::at(0)));
}

#[test]
fn after_a_swap_the_swappers_colour_finds_the_stone_where_it_was() {
    let mut session = session(5);
    session.set_allow_swap(true);
    session.play(Side::First, Move::at(5)).unwrap();
    session.play(Side::Second, Move::SWAP).unwrap();
    // Refused, and what the swap meant is still open.
    assert_eq!(session.play(Side::Second, Move::at(5)), Err(Illegal::Occupied.to_string()));
    assert_eq!(session.core.position().stone(1), Some(Side::Second));
    session.play(Side::Second, Move::at(1)).unwrap();
    assert_eq!(session.core.position().stone(5), Some(Side::First));
    // One swap a game.
    assert!(session.undo(1));
    assert_eq!(session.play(Side::Second, Move::SWAP), Err(Illegal::Swap.to_string()));
    session.clear();
    session.play(Side::First, Move::at(5)).unwrap();
    session.play(Side::Second, Move::SWAP).unwrap();
}

#[test]
fn a_swap_that_exchanged_colours_is_taken_back_as_it_was_played() {
    let mut session = session(5);
    session.set_allow_swap(true);
    session.play(Side::First, Move::at(5)).unwrap();
    session.play(Side::Second, Move::SWAP).unwrap();
    session.play(Side::Second, Move::at(12)).unwrap();
    session.play(Side::First, Move::at(13)).unwrap();
    assert!(session.undo(1));
    assert_eq!(session.core.history().moves().len(), 2);
    assert!(!session.undo(9), "refused, and nothing is forgotten");
    // The swap is there again, and may mean either.
    assert!(session.undo(1));
    session.play(Side::Second, Move::at(12)).unwrap();
    assert_eq!(session.core.position().stone(5), Some(Side::First));
    assert!(session.undo(2));
    assert_eq!(session.core.position().stones(), 1);
    session.play(Side::Second, Move::SWAP).unwrap();
    session.play(Side::Second, Move::at(12)).unwrap();
    assert!(session.undo(3));
    assert_eq!(session.core.position().stones(), 0);
}

#[test]
fn both_sides_play_a_game_to_its_end_and_the_loser_resigns() {
    let mut session = session(4);
    let mut side = Side::First;
    for _ in 0..17 {
        match choose(&mut session, side) {
            Choice::Resign | Choice::Nothing => break,
            Choice::Move(_) => side = side.opponent(),
        }
    }
    assert_eq!(session.winner(), Some(Side::First));
    assert_eq!(choose(&mut session, Side::First), Choice::Resign);
}

#[test]
fn a_proof_that_takes_too_long_is_given_up() {
    let mut session = session(11);
    session.core.settings.answer_time = std::time::Duration::from_millis(20);
    let start = Instant::now();
    assert_eq!(session.solve(Side::First, &mut |_| ()), Err(Unproved::OutOfTime));
    assert_eq!(session.winning_moves(Side::First), Err(Unproved::OutOfTime));
    assert!(start.elapsed().as_secs() < 5);
    session.set_size(Size::square(3));
    session.core.settings.answer_time = std::time::Duration::from_secs(60);
    assert_eq!(session.solve(Side::First, &mut |_| ()), Ok(Side::First));
}

#[test]
fn a_proof_is_shown_while_it_grows_and_at_its_end() {
    let mut session = session(5);
    session.play(Side::First, Move::at(1)).unwrap();
    let mut states = Vec::new();
    let winner = session.solve(Side::Second, &mut |state| states.push(state.clone())).unwrap();
    let last = states.pop().unwrap();
    assert_eq!((winner, last.effort, last.open.len()), (Side::Second, None, 0));
    let won = last.won.expect("the winner is to move");
    assert_eq!((last.line.first(), last.lost.len()), (Some(&won), 0));
    // After the winning move all moves lose, and none wins.
    session.play(Side::Second, won).unwrap();
    session.solve(Side::First, &mut |state| states = vec![state.clone()]).unwrap();
    assert_eq!(states[0].won, None);
    let mut session = self::session(9);
    session.core.settings.answer_time = Duration::from_millis(1200);
    states.clear();
    let result = session.solve(Side::First, &mut |state| states.push(state.clone()));
    assert_eq!(result, Err(Unproved::OutOfTime));
    let first = states.first().expect("a report after half a second");
    assert!(first.open.len() > 10 && !first.line.is_empty() && first.effort.is_some());
}

/// HexGui tells of "swap sides" by asking for the board.
#[test]
fn sides_exchanged_in_hexgui_are_no_swap_of_the_engines() {
    for (hexgui, shown, swaps) in [(true, true, false), (true, false, true), (false, true, true)] {
        let mut session = session(5);
        session.set_allow_swap(true);
        if hexgui {
            session.meet_hexgui();
        }
        // The centre, which is worth a swap.
        let only = Restriction::new(Side::First, vec![Move::at(12)], true, 1);
        let options = SearchOptions { restrictions: vec![only], ..SearchOptions::default() };
        session.choose(Side::First, Asked::Play, &options, &mut |_| ());
        if shown {
            session.board_was_shown();
        }
        assert_eq!(choose(&mut session, Side::Second) == Choice::Move(Move::SWAP), swaps);
    }
}

#[test]
fn hopeless_moves_in_a_row_lead_to_resignation_only_where_it_is_switched_on() {
    for (below, resigns) in [(0.0, false), (0.2, true)] {
        let mut session = session(3);
        session.core.settings.resign = crate::session::Resign { below, moves: 1 };
        session.play(Side::First, Move::at(4)).unwrap();
        let choice = choose(&mut session, Side::Second);
        assert_eq!(choice == Choice::Resign, resigns);
        // A resignation is no move.
        assert_eq!(session.core.history().moves().len(), if resigns { 1 } else { 2 });
    }
}

#[test]
fn each_side_counts_its_own_hopeless_moves_and_none_that_were_taken_back() {
    let mut session = session(5);
    session.core.settings.resign = crate::session::Resign { below: 0.4, moves: 2 };
    let winning = [2, 12, 22].map(Move::at);
    winning.iter().for_each(|&mv| session.play(Side::First, mv).unwrap());
    for _ in 0..3 {
        assert!(matches!(choose(&mut session, Side::Second), Choice::Move(_)));
        assert!(session.undo(1));
    }
    assert!(matches!(choose(&mut session, Side::Second), Choice::Move(_)));
    // The winner's own move between them changes nothing.
    assert!(matches!(choose(&mut session, Side::First), Choice::Move(_)));
    assert_eq!(choose(&mut session, Side::Second), Choice::Resign);
}
