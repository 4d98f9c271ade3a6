use super::*;
use crate::rng::Rng;

/// The moves, the side to move, and where the stones are.
fn told(text: &str) -> (String, Side, Vec<Option<Side>>) {
    let record = read(text, None).unwrap_or_else(|why| panic!("{text}: {why}"));
    let history = history(&record);
    let size = record.start.size();
    let word = |&(side, mv): &(Side, Move)| {
        let letter = if side == Side::First { 'B' } else { 'W' };
        format!("{letter} {}", mv.cell().map_or("swap".to_owned(), |cell| Notation::Htp.show(size, cell)))
    };
    let moves: Vec<String> = record.moves.iter().map(word).collect();
    let position = history.position();
    (moves.join(", "), position.to_move(), (0..size.points()).map(|cell| position.stone(cell)).collect())
}

fn history(record: &Record<Position>) -> History<Position> {
    let mut history = History::new(record.start.clone());
    record.moves.iter().for_each(|&(side, mv)| history.play(side, mv));
    if let Some(turn) = record.turn {
        history.change(|position| position.set_to_move(turn));
    }
    history
}

#[test]
fn links_that_were_seen() {
    for (text, moves, turn) in [
        ("11", "", Side::First),
        ("9r9c1,e5g6c6i9b3", "B e5, W g6, B c6, W i9, B b3", Side::Second),
        ("9r9c1,b3:sc6i9c4", "B b3, W swap, B c6, W i9, B c4", Side::Second),
        ("9r9c1,b3:sc6i9:p", "B b3, W swap, B c6, W i9", Side::Second),
        ("9r9c1,b3:sc6:rw", "B b3, W swap, B c6", Side::Second),
        ("11r9c1,b3c11:fb", "B b3, W c11", Side::First),
        ("9r9c1,e5:sc6:pb3", "B e5, W swap, B c6, B b3", Side::Second),
        ("11c1,h4e7f9,b9c3", "B h4, W e7, B f9", Side::Second),
        ("13,,d10j9d5", "", Side::First),
        ("19c1,i9:ph11:pk9", "B i9, B h11, B k9", Side::Second),
        ("6x5r9c1,:pf1:pe1c2c3b3a5e3", "W f1, W e1, B c2, W c3, B b3, W a5, B e3", Side::Second),
        ("5,:pa1:pb1", "W a1, W b1", Side::First),
        ("13r3mc1n,d10:Sj9:rb", "B d10, W j9", Side::First),
        ("32,af32aa1", "B af32, W aa1", Side::First),
        ("HTTPS://HexWorld.org/board/#11c1%2Ca1b2", "B a1, W b2", Side::First),
        ("https://www.hexworld.org/board#5", "", Side::First),
    ] {
        let (shown, to_move, _) = told(text);
        assert_eq!((shown.as_str(), to_move), (moves, turn), "{text}");
    }
    let all = |most| read("11c1,h4:pf9,b9c3", Some(most)).unwrap().moves.len();
    assert_eq!([0, 2, 4, 9].map(all), [0, 2, 4, 4]);
}

#[test]
fn what_is_no_link_is_refused_with_a_reason() {
    for (text, why) in [
        ("", "no size"),
        (",a1", "no size"),
        ("11q,a1", "no size"),
        ("33,a1", "from 1 to 32"),
        ("13,z9", "'z9'"),
        ("13,d10,j9,d5", "commas"),
        ("5,a1a1", "a1 in the link cannot be played: occupied"),
        ("5,a01", "a01"),
        ("5,a1b2:s", "other than the second"),
        ("5,:p:s", ":s in the link"),
        ("6x5,a1:s", ":s in the link"),
        ("5,a1é", "'é'"),
        ("5,:x", "':x'"),
        ("https://example.org/board/#5,a1", "hexworld.org"),
    ] {
        let error = read(text, None).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
}

/// Games at random, with swaps and with sides that move twice, are the same after they were written and read.
#[test]
fn games_come_back_from_their_links() {
    let mut rng = Rng::new(7);
    let mut swaps = 0;
    for _ in 0..10_000 {
        let lines = |rng: &mut Rng| 1 + rng.below(6) as usize + 26 * usize::from(rng.below(50) == 0);
        let width = lines(&mut rng);
        let size = Size { width, height: if rng.below(2) == 0 { width } else { lines(&mut rng) } };
        let mut start = Position::new(size);
        start.set_swap_allowed(true);
        let mut history = History::new(start);
        let mut moves = Vec::new();
        for _ in 0..rng.below(30) {
            let position = history.position();
            let side = if rng.below(8) == 0 { position.to_move().opponent() } else { position.to_move() };
            position.legal_moves(&mut moves);
            moves.retain(|&mv| position.check(side, mv).is_ok());
            let Some(last) = moves.len().checked_sub(1) else { break };
            let swap = moves.contains(&Move::SWAP) && rng.below(2) == 0;
            let mv = if swap { Move::SWAP } else { moves[rng.below(moves.len() as u32) as usize % (last + 1)] };
            history.play(side, mv);
            swaps += u32::from(mv == Move::SWAP);
        }
        let link = write(&history);
        let back = self::history(&read(&link, None).unwrap_or_else(|why| panic!("{link}: {why}")));
        let stones = |history: &History<Position>| -> Vec<_> {
            (0..size.points()).map(|cell| history.position().stone(cell)).collect()
        };
        assert_eq!(stones(&back), stones(&history), "{link}");
        // Where White's stone was swapped by Black there is no such game on HexWorld, only its position.
        if history.moves().first().is_none_or(|first| first.0 == Side::First) {
            assert_eq!(back.moves(), history.moves(), "{link}");
        }
        if history.position().winner().is_none() {
            assert_eq!(back.position().to_move(), history.position().to_move(), "{link}");
        }
        assert_eq!(write(&back), link);
    }
    assert!(swaps > 500, "{swaps}");
}

#[test]
fn stones_that_were_set_up_are_written_with_passes() {
    let mut start = Position::new(Size::square(5));
    start.set_up(&[(Side::Second, 0), (Side::Second, 1)]).unwrap();
    assert_eq!(write(&History::new(start)), "https://hexworld.org/board/#5c1,:pa1:pb1");
    assert_eq!(write(&History::new(Position::new(Size { width: 6, height: 5 }))), "https://hexworld.org/board/#6x5c1,");
    let mut start = Position::new(Size::square(5));
    start.set_to_move(Side::Second);
    let mut history = History::new(start);
    assert_eq!(write(&history), "https://hexworld.org/board/#5c1,:p");
    history.play(Side::First, Move::at(0));
    history.play(Side::First, Move::at(1));
    assert_eq!(write(&history), "https://hexworld.org/board/#5c1,a1:pb1");
}
