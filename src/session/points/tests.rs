use super::*;
use crate::games::toys::{Burning, Placing, Toy};
use crate::games::{Size, avalam, clobber, santorini};
use crate::players::{Kind, MovesLeft, Recipe};
use crate::search::Share;
use crate::search::methods::FOR_TWO;

/// A borrowed entry of the list of games, in which toys are not.
impl<const POINTS: usize> Played for Toy<POINTS> {
    const KIND: Kind = Kind::Clobber;
    const USUAL: Size = Size { width: 4, height: 3 };
    const BENCH: &'static [(usize, u64)] = &[];
    const RANDOM_MOVES: usize = 0;

    fn moves_left(&self) -> MovesLeft {
        MovesLeft::about(4.0)
    }

    fn recipe() -> Recipe<Self> {
        Recipe::by_playouts(FOR_TWO)
    }
}

fn session<G: Played>(size: Option<Size>) -> PointsSession<G> {
    let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
    settings.playouts = Some(50);
    settings.memory = 16;
    settings.setup.size = size;
    PointsSession::new(settings, Arc::new(Control::new()))
}

fn choose<G: Played>(session: &mut PointsSession<G>, side: Side) -> Choice<G::Move> {
    session.choose(side, Asked::Play, &SearchOptions::default(), &mut |_| ()).choice
}

/// State of a session as it is seen from outside.
fn state<G: Played>(session: &PointsSession<G>) -> (u64, Vec<usize>, usize) {
    (session.core.position().key(), session.clicked().to_vec(), session.core.history().moves().len())
}

fn game_to_its_end<G: Played>(by_points: bool) {
    let mut session = session::<G>(None);
    if by_points {
        session.answer_by_points();
    }
    let mut states = vec![state(&session)];
    loop {
        let side = session.core.position().to_move();
        let choice = choose(&mut session, side);
        states.push(state(&session));
        if choice == Choice::Nothing {
            break;
        }
        assert!(session.clicked().is_empty() || by_points);
    }
    assert!(session.core.position().outcome().is_some());
    let points = if by_points { G::POINTS } else { 1 };
    let (moves, passes) = (session.core.history().moves().len(), passes(&session));
    // The answer at the end is a step of the client's.
    assert_eq!(states.len() - 2, (moves - passes) * points + passes);
    // All of it can be taken back, step by step.
    assert!(!session.undo(states.len()));
    while let Some(before) = states.pop() {
        assert_eq!(state(&session), before);
        assert_eq!(session.undo(1), !states.is_empty());
    }
}

fn passes<G: Played>(session: &PointsSession<G>) -> usize {
    let size = session.core.position().size();
    session.core.history().moves().iter().filter(|&&(_, mv)| G::spell(size, mv) == Spelling::PASS).count()
}

#[test]
fn games_are_played_to_their_end_whole_and_by_points() {
    for by_points in [false, true] {
        game_to_its_end::<clobber::Position>(by_points);
        game_to_its_end::<clobber::Solitaire>(by_points);
        game_to_its_end::<avalam::Position>(by_points);
        game_to_its_end::<Placing>(by_points);
        game_to_its_end::<Burning>(by_points);
    }
}

#[test]
fn a_piece_is_picked_up_and_put_down() {
    let mut session = session::<clobber::Position>(Some(Size { width: 3, height: 1 }));
    assert_eq!(session.playable(), (vec![0, 2], vec![]));
    assert!(session.play_point(Side::First, 1).is_err());
    session.play_point(Side::First, 0).unwrap();
    assert_eq!((session.playable().0, session.clicked()), (vec![1], &[0][..]));
    assert!(session.play_point(Side::First, 2).is_err());
    session.play_point(Side::First, 1).unwrap();
    assert_eq!(session.core.position().owner(1), Some(Side::First));
    // Undo goes back by halves.
    assert!(session.undo(1) && session.clicked() == [0]);
    assert!(session.undo(1) && session.clicked().is_empty() && !session.undo(1));
    // What the user has picked up, the engine puts down.
    session.play_point(Side::First, 2).unwrap();
    let mv = clobber::Position::unspell(session.core.position().size(), &[2, 1].into()).unwrap();
    assert_eq!(choose(&mut session, Side::First), Choice::Move(mv));
    assert_eq!(choose(&mut session, Side::Second), Choice::Nothing);
}

#[test]
fn a_move_of_three_points_is_clicked_in_three() {
    // X . . over . . O: the piece steps, and burns a cell.
    let mut session = session::<Burning>(Some(Size { width: 3, height: 2 }));
    assert_eq!(session.playable().0, [0]);
    session.play_point(Side::First, 0).unwrap();
    assert_eq!(session.playable().0, [1, 3, 4]);
    session.play_point(Side::First, 1).unwrap();
    // Where it has come from is empty.
    assert_eq!(session.playable().0, [0, 2, 3, 4]);
    assert!(session.play_point(Side::First, 5).is_err() && session.clicked() == [0, 1]);
    assert!(session.undo(1) && session.clicked() == [0]);
    session.play_point(Side::First, 1).unwrap();
    session.play_point(Side::First, 4).unwrap();
    assert!(session.clicked().is_empty() && !session.core.position().is_cell(4));
    // The last click is taken back alone, then the whole move.
    assert!(session.undo(1) && session.clicked() == [0, 1] && session.core.position().is_cell(4));
    session.play_point(Side::First, 2).unwrap();
    assert!(session.undo(3) && session.clicked().is_empty() && !session.undo(1));
}

#[test]
fn two_workers_are_put_down_in_either_order() {
    let mut session = session::<santorini::Position>(None);
    session.answer_by_points();
    assert_eq!(session.playable().0, (0..25).collect::<Vec<_>>());
    session.play_point(Side::First, 7).unwrap();
    assert_eq!(session.playable().0, (0..25).filter(|&point| point != 7).collect::<Vec<_>>());
    session.play_point(Side::First, 3).unwrap();
    let own = |session: &PointsSession<santorini::Position>| -> Vec<usize> {
        (0..25).filter(|&point| session.core.position().owner(point) == Some(Side::First)).collect()
    };
    assert_eq!(own(&session), [3, 7]);
    // The first click stays the first one.
    assert!(session.undo(1) && session.clicked() == [7] && own(&session).is_empty());
    // What the user has begun with either of them, the engine ends.
    let Choice::Move(_) = choose(&mut session, Side::First) else { panic!("no move") };
    let other = session.answer().unwrap();
    let mut both = [7, other];
    both.sort_unstable();
    assert_eq!(own(&session), both);
    assert!(session.undo(2) && session.clicked().is_empty() && !session.undo(1));
    // The engine's own workers come point by point too.
    assert!(matches!(choose(&mut session, Side::First), Choice::Move(_)) && own(&session).is_empty());
    let first = session.answer().unwrap();
    assert_eq!(session.clicked(), [first]);
    assert!(matches!(choose(&mut session, Side::First), Choice::Move(_)) && own(&session).contains(&first));
}

#[test]
fn the_engine_ends_what_the_user_has_begun() {
    for by_points in [false, true] {
        for clicks in 1..=2 {
            let mut session = session::<Burning>(None);
            if by_points {
                session.answer_by_points();
            }
            let before = state(&session);
            [0, 1].iter().take(clicks).for_each(|&point| session.play_point(Side::First, point).unwrap());
            let mut steps = clicks;
            while session.core.history().moves().is_empty() {
                let Choice::Move(mv) = choose(&mut session, Side::First) else { panic!("no move") };
                steps += 1;
                let spelling = Burning::spell(session.core.position().size(), mv);
                assert_eq!(&spelling.points()[..clicks], &[0, 1][..clicks]);
                let told = by_points.then(|| spelling.points()[steps - 1]);
                assert_eq!(session.answer(), told);
            }
            assert_eq!(steps, if by_points { 3 } else { clicks + 1 });
            assert!(!session.undo(steps + 1) && session.undo(steps) && state(&session) == before);
        }
    }
}

#[test]
fn a_whole_move_takes_the_place_of_one_that_was_begun() {
    let mut session = session::<Burning>(None);
    session.play_point(Side::First, 0).unwrap();
    session.play(Side::First, [0, 1, 2]).unwrap();
    assert!(session.clicked().is_empty() && session.undo(1) && !session.undo(1));
    // One that the other side begins is not the engine's.
    session.play_point(Side::First, 0).unwrap();
    assert!(matches!(choose(&mut session, Side::Second), Choice::Move([11, ..])));
    assert!(session.undo(1) && !session.undo(1));
    // A question leaves it.
    session.play_point(Side::First, 0).unwrap();
    let asked = session.choose(Side::First, Asked::Only, &SearchOptions::default(), &mut |_| ()).choice;
    assert!(matches!(asked, Choice::Move([0, ..])) && session.clicked() == [0]);
}

#[test]
fn moves_of_one_point_are_played_in_one_and_passes_too() {
    let mut session = session::<Placing>(Some(Size { width: 3, height: 1 }));
    session.answer_by_points();
    session.play_point(Side::First, 1).unwrap();
    assert_eq!(session.playable(), (vec![], vec!["pass"]));
    let Choice::Move(pass) = choose(&mut session, Side::Second) else { panic!("no pass") };
    assert_eq!((Placing::spell(Size::square(3), pass), session.answer()), (Spelling::PASS, None));
    assert!(session.undo(2) && !session.undo(1));
}

#[test]
fn pieces_are_set_up_and_games_taken_over() {
    let mut session = session::<Burning>(None);
    session.play_point(Side::First, 0).unwrap();
    session.set_up(&[(Side::Second, 5), (Side::First, 6)]).unwrap();
    assert!(session.clicked().is_empty() && session.core.position().owner(5) == Some(Side::Second));
    assert_eq!((session.core.position().owner(0), session.playable().0), (None, vec![6]));
    let start = Burning::new(Size::square(3));
    session.load(start, &[(Side::First, [0, 1, 0]), (Side::Second, [8, 7, 8])]);
    assert!(session.undo(2) && !session.undo(1) && session.core.position().key() == start.key());
    assert!(!session.set_size(Size::square(5)) && session.set_size(Size::square(4)));
    session.clear();
    assert_eq!(session.core.position().size(), Size::square(4));
}

#[test]
fn the_engine_thinks_on_once_its_move_is_whole() {
    let mut session = session::<clobber::Position>(None);
    session.core.settings.ponder = true;
    session.answer_by_points();
    for pondering in [false, true, false, true] {
        let side = session.core.position().to_move();
        assert!(matches!(choose(&mut session, side), Choice::Move(_)));
        assert_eq!(session.core.pondering, pondering);
    }
}
