use super::*;
use crate::games::toys::{Burning, Placing};
use crate::games::{Piece, amazons, avalam, clobber, go, hex, santorini};
use crate::rng::Rng;

fn current() -> go::Position {
    go::Position::new(Size::square(9), go::Rules::CHINESE, 7.5)
}

fn go_game(text: &str, until: Option<usize>) -> Result<Record<go::Position>, String> {
    let most = until.map(|number| number.saturating_sub(1));
    Reader { kind: Kind::Go, usual: Size::square(19), current: &current() }.read(&sgf::main_line(text).unwrap(), most)
}

fn hex_game(text: &str, until: Option<usize>) -> Result<Record<hex::Position>, String> {
    let current = hex::Position::new(Size::square(11));
    Reader { kind: Kind::Hex, usual: Size::square(11), current: &current }.read(&sgf::main_line(text).unwrap(), until)
}

#[test]
fn go_properties() {
    let game = go_game("(;SZ[9]KM[5.5]RU[Japanese]HA[2]AB[cc][gg];W[ee];B[];W[tt])", None).unwrap();
    assert_eq!((game.start.komi(), game.start.handicap()), (5.5, 2));
    assert_eq!(game.start.rules(), go::Rules::JAPANESE);
    assert_eq!(game.start.to_move(), Side::Second);
    assert_eq!(game.moves.len(), 3);
    assert_eq!(game.moves[1], (Side::First, go::Move::PASS));
    let silent = go_game("(;SZ[13:9];B[mi])", None).unwrap();
    assert_eq!((silent.start.komi(), silent.start.size()), (7.5, Size { width: 13, height: 9 }));
}

#[test]
fn go_move_numbers_stop_before_the_move() {
    for (until, count) in [(None, 3), (Some(1), 0), (Some(3), 2), (Some(9), 3), (Some(0), 0)] {
        assert_eq!(go_game("(;SZ[9];B[aa];W[bb];B[cc])", until).unwrap().moves.len(), count);
        // What is set up before the first move belongs to all of them.
        let game = go_game("(;SZ[9]HA[2]AB[gc][cg];W[aa];B[bb];W[cc])", until).unwrap();
        assert_eq!((game.start.stones(Side::First), game.start.to_move()), (2, Side::Second));
        assert_eq!(game.moves.len(), count);
    }
    // Moves before stones that are set up later count too.
    let late = "(;SZ[9];B[aa];W[bb];AB[cc];W[dd];B[ee];W[ff])";
    for (until, count, stones) in [(2, 1, 0), (3, 2, 0), (4, 1, 3), (5, 2, 3)] {
        let game = go_game(late, Some(until)).unwrap();
        let set_up = game.start.stones(Side::First) + game.start.stones(Side::Second);
        assert_eq!((game.moves.len(), set_up), (count, stones), "{until}");
    }
    let late = "(;GM[11]SZ[5];B[a1];W[b2];AB[c3];W[d4];B[e5])";
    for (until, count, stones) in [(1, 1, 0), (2, 2, 0), (3, 1, 3), (4, 2, 3)] {
        let game = hex_game(late, Some(until)).unwrap();
        assert_eq!((game.moves.len(), game.start.stones()), (count, stones), "{until}");
    }
}

#[test]
fn stones_may_be_set_up_in_the_middle() {
    let game = go_game("(;SZ[9];B[aa];W[bb];AB[cc]AE[aa]PL[W];W[dd])", None).unwrap();
    assert_eq!(game.moves.len(), 1);
    assert_eq!(game.start.stone(0), None);
    assert_eq!(game.start.stone(20), Some(Side::First));
    assert_eq!(game.start.stone(10), Some(Side::Second));
}

#[test]
fn what_does_not_fit_the_game_is_said() {
    let error = |text| go_game(text, None).unwrap_err();
    assert!(error("(;GM[11]SZ[9])").contains("GM is 11"));
    assert!(error("(;SZ[26])").contains("26"));
    assert!(error("(;SZ[1])").contains('1'));
    assert!(error("(;SZ[9];B[jj])").contains("move 1"));
    for komi in ["x", "nan", "inf", "1e30", "-1000.5"] {
        // It is passed over.
        assert_eq!(go_game(&format!("(;SZ[9]KM[{komi}])"), None).unwrap().start.komi(), 7.5);
    }
    assert!(error("(;SZ[9]AB[zz])").contains("zz"));
    assert!(hex_game("(;GM[1])", None).unwrap_err().contains("no game of Hex"));
    assert!(hex_game("(;GM[11]SZ[5];B[a1];W[z9])", None).unwrap_err().contains("move 2"));
}

#[test]
fn hex_games_with_swap_and_resignation() {
    let game = hex_game("(;GM[11]SZ[5];B[a2];W[swap-pieces];B[c3];W[resign])", None).unwrap();
    assert_eq!(game.moves[1], (Side::Second, hex::Move::SWAP));
    assert_eq!(game.moves.len(), 3);
    assert_eq!(hex_game("(;GM[11]SZ[5];B[a2];W[c3];B[d4])", Some(2)).unwrap().moves.len(), 2);
    // The rule is on where the record has a swap or names it.
    let allowed = |record: &str| hex_game(record, None).unwrap().start.swap_allowed();
    assert!(game.start.swap_allowed() && allowed("(;GM[11]SZ[5]RU[Swap];B[a2])"));
    assert!(!allowed("(;GM[11]SZ[5];B[a2];W[c3])") && !allowed("(;GM[11]SZ[5]RU[other];B[a2])"));
    let written = write(Kind::Hex, &History::new(game.start), "1");
    assert!(written.contains("RU[swap]"), "{written}");
}

#[test]
fn illegal_moves_are_set_up_as_they_are_drawn() {
    // White takes B2's place, and the game begins from there.
    let game = go_game("(;SZ[9];B[bh];W[bh];B[aa])", None).unwrap();
    assert_eq!((game.start.stones(Side::First), game.start.stone(9 * 7 + 1)), (0, Some(Side::Second)));
    assert_eq!(game.moves, [(Side::First, go::Move::at(0))]);
    // A stone that has no liberty takes what has none, the ko notwithstanding, and prisoners stay counted.
    let ko = "(;SZ[9]AB[ba][ab][bc]AW[ca][cc][db];W[bb];B[cb];W[bb])";
    let game = go_game(ko, None).unwrap();
    assert_eq!((game.moves.len(), game.start.to_move()), (0, Side::First));
    assert_eq!((game.start.stone(10), game.start.stone(11)), (Some(Side::Second), None));
    assert_eq!((game.start.lost(Side::First), game.start.lost(Side::Second)), (1, 1));
    // Suicide leaves nothing.
    let game = go_game("(;SZ[3]AB[ba][ab];W[aa];B[cc])", None).unwrap();
    assert_eq!((game.start.stones(Side::Second), game.moves.len()), (0, 1));
    // Of several stones it is a move by other rules.
    let game = go_game("(;SZ[3]RU[Chinese]AB[ca][ab][bb]AW[aa];W[ba];B[cc])", None).unwrap();
    assert_eq!((game.start.stones(Side::Second), game.moves.len()), (1, 2));
    // Moves before a set-up of that kind count.
    assert_eq!(go_game("(;SZ[9];B[bh];W[bh];B[aa];W[cc])", Some(4)).unwrap().moves.len(), 1);
    // A stone beyond the end of a game of Hex, and one on another.
    let game = hex_game("(;GM[11]SZ[2];B[a1];B[a2];W[b1];B[b1])", None).unwrap();
    assert_eq!((game.start.stones(), game.start.stone(1), game.moves.len()), (3, Some(Side::First), 0));
    // What cannot be drawn is refused.
    assert!(
        hex_game("(;GM[11]SZ[5];B[a1];W[b1];B[swap-pieces])", None)
            .unwrap_err()
            .contains("move 3, swap-pieces, is illegal")
    );
}

fn clobber_game(text: &str) -> Result<Record<clobber::Position>, String> {
    let current = clobber::Position::new(Size { width: 6, height: 5 });
    Reader { kind: Kind::Clobber, usual: current.size(), current: &current }.read(&sgf::main_line(text).unwrap(), None)
}

#[test]
fn games_without_a_number_have_a_name() {
    let game = clobber_game("(;LG[clobber]SZ[4:1];LB[A1-B1];LW[d1c1])").unwrap();
    assert_eq!((game.start.size(), game.moves.len()), (Size { width: 4, height: 1 }, 2));
    // What the root sets up stands alone.
    let game = clobber_game("(;LG[clobber]AB[aa]AW[ab])").unwrap();
    assert_eq!((game.start.moves(), game.start.size()), (1, Size { width: 6, height: 5 }));
    let error = |text| clobber_game(text).unwrap_err();
    assert!(error("(;SZ[3:1];B[aa])").contains("no game of Clobber, its GM is 1"));
    assert!(error("(;LG[avalam])").contains("its LG is avalam"));
    assert!(error("(;LG[clobber]SZ[11])").contains("board size '11'"));
    assert!(error("(;LG[clobber];LB[A1])").contains("move 1"));
    assert!(go_game("(;LG[clobber])", None).unwrap_err().contains("no game of Go"));
    // A piece is carried, whether it may or not, if there is one.
    let drawn = clobber_game("(;LG[clobber]SZ[3:1];LB[A1-B1];LW[B1-A1])").unwrap();
    assert_eq!((drawn.start.owner(0), drawn.start.owner(1)), (Some(Side::First), None));
    assert!(error("(;LG[clobber]SZ[3:1];LB[A1-B1];LW[A1-B1])").contains("illegal"));
}

/// Reads back what was written of a game, and writes the same again.
fn check_round_trip<G: Spelled>(kind: Kind, history: &History<G>) -> String {
    let text = write(kind, history, "1");
    // The board is named in the record, so the usual one is not asked for; rules are those of another game.
    let current = history.start().fresh(history.start().size()).unwrap();
    let reader = Reader { kind, usual: Size::square(1), current: &current };
    let record = reader.read(&sgf::main_line(&text).unwrap(), None).unwrap_or_else(|why| panic!("{why}: {text}"));
    assert_eq!(record.moves, history.moves(), "{text}");
    let mut again = History::new(record.start);
    record.moves.iter().for_each(|&(side, mv)| again.play(side, mv));
    assert_eq!(again.start().key(), history.start().key(), "{text}");
    assert_eq!(again.position().key(), history.position().key(), "{text}");
    assert_eq!(write(kind, &again, "1"), text);
    text
}

/// Random moves, now and then of the side whose turn it is not.
fn check_random_games<G: Spelled>(kind: Kind, start: &G) {
    for seed in 0..20 {
        let (mut rng, mut history, mut moves) = (Rng::new(seed), History::new(start.clone()), Vec::new());
        for _ in 0..120 {
            let mut position = history.position().clone();
            if G::PLAYERS == 2 && rng.below(10) == 0 {
                position.set_to_move(position.to_move().opponent());
            }
            position.legal_moves(&mut moves);
            let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
            history.play(position.to_move(), mv);
        }
        assert!(!history.moves().is_empty());
        check_round_trip(kind, &history);
    }
}

#[test]
fn every_game_reads_back_what_it_wrote() {
    let rectangle = Size { width: 7, height: 4 };
    check_random_games(Kind::Go, &go::Position::new(rectangle, go::Rules::CHINESE, 7.5));
    check_random_games(Kind::Go, &go::Position::new(Size::square(25), go::Rules::JAPANESE, -0.5));
    let mut swapped = hex::Position::new(Size::square(5));
    swapped.set_swap_allowed(true);
    check_random_games(Kind::Hex, &swapped);
    check_random_games(Kind::Clobber, &clobber::Position::new(rectangle));
    check_random_games(Kind::Solitaire, &clobber::Solitaire::new(rectangle));
    check_random_games(Kind::Avalam, &avalam::Position::new());
    check_random_games(Kind::Clobber, &Placing::new(Size { width: 5, height: 3 }));
    check_random_games(Kind::Clobber, &Burning::new(Size::square(4)));
}

#[test]
fn towers_buildings_and_burnt_squares_read_back() {
    let tower = |side, height| Occupant::Piece(Piece { side, height });
    let [a, b] = Side::BOTH.map(Occupant::from);
    let towers = [(tower(Side::First, 5), 2), (b, 3), (tower(Side::Second, 2), 80 - 3)];
    let avalam = avalam::Position::new().with_occupants(&towers).unwrap();
    let text = check_round_trip(Kind::Avalam, &History::new(avalam));
    assert!(text.ends_with("SZ[9]AW[da]LA[ca:B5][fi:W2]PL[B])"), "{text}");
    let squares = [(a, 0), (Occupant::Burnt, 1), (b, 6), (Occupant::Burnt, 15)];
    let amazons = amazons::Position::new(Size::square(4)).with_occupants(&squares).unwrap();
    let text = check_round_trip(Kind::Amazons, &History::new(amazons));
    assert!(text.ends_with("SZ[4]AB[aa]AW[cb]LA[ba:burnt][dd:burnt]PL[B])"), "{text}");
    let buildings = [(a, 0), (a, 1), (b, 2), (b, 3), (Occupant::Levels(2), 0), (Occupant::Levels(4), 8)];
    let santorini = santorini::Position::new(Size::square(3)).with_occupants(&buildings).unwrap();
    let text = check_round_trip(Kind::Santorini, &History::new(santorini));
    assert!(text.ends_with("SZ[3]AB[aa][ba]AW[ca][ab]LA[aa:2][cc:4]PL[B])"), "{text}");
    check_random_games(Kind::Santorini, &santorini);
    // Workers are put down in any order.
    let reader = Reader { kind: Kind::Santorini, usual: Size::square(3), current: &santorini };
    let placed = reader.read(&sgf::main_line("(;LG[santorini]SZ[3];LB[A1-C3])").unwrap(), None).unwrap();
    assert_eq!(placed.moves.len(), 1);
}

#[test]
fn points_change_within_a_game() {
    fn read(text: &str) -> Result<Record<santorini::Position>, String> {
        let nodes = sgf::main_line(text).unwrap();
        let current = santorini::Position::new(Size::square(3));
        Reader { kind: Kind::Santorini, usual: Size::square(3), current: &current }.read(&nodes, None)
    }
    let game = "(;LG[santorini]SZ[3];LB[A1-B1];LW[A3-B3];LB[A1-A2-A1]";
    let record = read(&format!("{game};AE[ac]LA[ab:3][cc:1]AW[cc]PL[B])")).unwrap_err();
    assert_eq!(record, "a side has two workers, or none yet");
    let record = read(&format!("{game};AE[ac][aa]LA[ab:1][cc:1]AW[cc]PL[B];LB[A2-A1-A2])")).unwrap();
    let levels: Vec<_> = (0..9).map(|point| record.start.levels(point)).collect();
    assert_eq!(levels, [0, 0, 0, 1, 0, 0, 0, 0, 1]);
    assert_eq!((record.start.owner(0), record.start.owner(8), record.moves.len()), (None, Some(Side::Second), 1));
    for wrong in ["LA[ab]", "LA[ab:x]", "LA[zz:1]", "LA[ab:burnt]", "LA[ab:B2]"] {
        assert!(read(&format!("{game};{wrong})")).is_err(), "{wrong}");
    }
    // Elsewhere the property is another program's.
    let nodes = sgf::main_line("(;GM[1]SZ[9]LA[English];B[aa])").unwrap();
    assert!(Reader { kind: Kind::Go, usual: Size::square(9), current: &current() }.read(&nodes, None).is_ok());
}

#[test]
fn starts_that_were_set_up_read_back_too() {
    let pieces = [(Side::First, 0), (Side::Second, 1), (Side::Second, 9)];
    let clobber = clobber::Position::new(Size::square(4));
    for start in [clobber.with_pieces(&pieces).unwrap(), clobber.with_pieces(&[]).unwrap()] {
        check_round_trip(Kind::Clobber, &History::new(start));
    }
    let mut go = current();
    go.set_handicap(2);
    go = go.with_pieces(&pieces[..1]).unwrap();
    assert_eq!(go.to_move(), Side::Second);
    let text = check_round_trip(Kind::Go, &History::new(go));
    assert_eq!(text, "(;FF[4]GM[1]CA[UTF-8]AP[Losange:1]SZ[9]KM[7.5]RU[chinese]HA[2]AB[aa]PL[W])");
    let burning = History::new(Burning::new(Size::square(4)).with_pieces(&pieces).unwrap());
    assert!(
        check_round_trip(Kind::Clobber, &burning)
            .contains("LG[clobber]CA[UTF-8]AP[Losange:1]SZ[4]AB[aa]AW[ba][bc]PL[B]")
    );
}

#[test]
fn records_are_read_in_their_own_character_set() {
    // Their second bytes are those of backslashes and brackets.
    let sets = [
        ("Shift_JIS", "右の表"),
        ("GBK", "閉幕戰"),
        ("gb2312", "柯洁"),
        ("EUC-KR", "이세돌"),
        ("ISO-2022-JP", "本因坊の右"),
    ];
    for (set, text) in sets {
        let record = format!("(;GM[1]FF[4]CA[{set}]SZ[9];B[cc]C[{text}];W[gg])");
        let (bytes, ..) = Encoding::for_label(set.as_bytes()).unwrap().encode(&record);
        assert_eq!(text_from(&*bytes).as_ref(), Ok(&record));
    }
    assert_eq!(text_from(&b"(;PB[M\xfcller])"[..]).unwrap(), "(;PB[Müller])");
    assert_eq!(text_from(&b"(;CA[no such set]PB[M\xfcller])"[..]).unwrap(), "(;CA[no such set]PB[Müller])");
    assert_eq!(text_from("(;PB[柯洁])".as_bytes()).unwrap(), "(;PB[柯洁])");
}

#[test]
fn stones_behind_the_end_of_a_game_of_hex_are_moves() {
    let game = hex_game("(;GM[11]SZ[3];B[b1];W[a1];B[b2];W[a2];B[b3];W[a3];B[c3])", None).unwrap();
    assert_eq!((game.moves.len(), game.start.stones()), (7, 0));
}
