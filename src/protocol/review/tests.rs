use std::sync::mpsc::channel;

use super::annotate::annotated;
use super::told::{json_lines, table};
use super::values::{Grade, LineMove, ValuedMove};
use super::*;
use crate::game::Game;
use crate::games::{go, hex};
use crate::players::{Models, Resources};
use crate::protocol::sgf::{games, main_line};
use crate::search::Share;
use crate::session::analysis::schedule::Schedule;

const VISITS: u64 = 60;

fn analyst() -> Arc<Analyst> {
    let resources = Resources { share: Arc::new(Share::new(1)), memory: 16, models: Models::default() };
    Arc::new(Analyst::new(resources, 1))
}

fn options(least: f32) -> Arc<ReviewOptions> {
    let budget = Budget { nodes: Some(VISITS), ..Budget::default() };
    Arc::new(ReviewOptions { budget, params: Params::default(), least })
}

fn reviewed(text: &str, least: f32) -> Result<Reviewed, String> {
    let (sender, events) = channel();
    let tree = games(text).unwrap().remove(0);
    let jobs = jobs(7, tree, &options(least), &analyst(), &sender)?;
    let (schedule, count) = (Schedule::new(1), jobs.len());
    schedule.add(jobs.into_iter().map(|job| (0, job)));
    schedule.finish();
    schedule.work();
    drop(sender);
    let mut events: Vec<_> = events.iter().collect();
    let Some(ReviewEvent::Done(7, reviewed)) = events.pop() else { panic!("{events:?}") };
    assert_eq!(events.len(), count);
    Ok(*reviewed)
}

/// A game of Go with a variation, comments and an annotation of its author's; White's second move fills an own liberty.
const GO: &str = "(;GM[1]SZ[5]KM[0.5]RU[Chinese]PB[Anna]C[first];B[cc];W[cb]C[second];B[bb]TE[2];W[bc](;B[ab];W[bd];B[])(;B[bd];W[ab]))";

fn values(to_move: Side, moves: &[(&str, f32, u64)]) -> Worth {
    let candidate = |&(word, winrate, visits): &(&str, f32, u64)| {
        let step = LineMove { word: word.to_owned(), property: "B", value: String::new() };
        ValuedMove { winrate, score: Some(10.0 * winrate), visits, prior: 0.5, proven: None, line: vec![step] }
    };
    let moves: Vec<ValuedMove> = moves.iter().map(candidate).collect();
    Worth { to_move, winrate: moves[0].winrate, score: moves[0].score, visits: 100, proven: None, moves }
}

#[test]
fn moves_are_judged_by_what_they_lost() {
    let (first, second) = (Side::First, Side::Second);
    let before = values(first, &[("A1", 0.6, 80), ("B1", 0.45, 15), ("C1", 0.3, 1)]);
    let after = |winrate| values(second, &[("D1", winrate, 50)]);
    let grade = |word, after: Option<&Worth>| judge(&before, after, first, word).map(|it| (it.grade, it.loss));
    assert_eq!(grade("A1", Some(&after(0.2))), Some((Grade::Best, 0.0)));
    assert_eq!(grade("B1", Some(&after(0.597))).unwrap().0, Grade::Best);
    assert_eq!(grade("B1", Some(&after(0.58))).unwrap().0, Grade::Good);
    assert_eq!(grade("B1", Some(&after(0.54))).unwrap().0, Grade::Inaccuracy);
    assert_eq!(grade("B1", Some(&after(0.49))).unwrap().0, Grade::Mistake);
    assert_eq!(grade("Z9", Some(&after(0.3))).unwrap().0, Grade::Blunder);
    // Without a search of what follows the value that the move had before holds.
    assert!((grade("B1", None).unwrap().1 - 0.15).abs() < 1e-6);
    assert_eq!(grade("Z9", None), None);
    let judgement = judge(&before, Some(&after(0.9)), first, "C1").unwrap();
    assert!(judgement.loss == 0.0 && (judgement.gain - 0.3).abs() < 1e-6 && judgement.points.unwrap() < 0.0);
    assert!((judge(&before, None, first, "A1").unwrap().lead - 0.15).abs() < 1e-6);
    // White wants Black's win rate low.
    let before = values(second, &[("A1", 0.3, 80), ("B1", 0.6, 15)]);
    let judgement = judge(&before, Some(&values(first, &[("D1", 0.45, 50)])), second, "B1").unwrap();
    assert!((judgement.loss - 0.15).abs() < 1e-6 && (judgement.points.unwrap() - 1.5).abs() < 1e-5);
    // A proven win that is given away loses all.
    let (mut before, mut after) = (before, values(first, &[("D1", 0.31, 50)]));
    (before.proven, after.proven) = (Some(second), Some(first));
    assert_eq!(judge(&before, Some(&after), second, "B1").map(|it| (it.grade, it.loss)), Some((Grade::Blunder, 1.0)));
}

#[test]
fn best_moves_are_those_of_an_analysis_at_equal_visits() {
    let reviewed = reviewed(GO, 0.05).unwrap();
    let start = go::Position::new(Size::square(5), go::Rules::CHINESE, 0.5);
    let mut position = start;
    for (place, turn) in reviewed.turns.iter().enumerate() {
        if let Some(TurnMove { word, .. }) = &turn.played {
            position.play(notation(Kind::Go).read_move::<go::Position>(Size::square(5), word).unwrap());
        }
        let inquiry = Inquiry {
            position: position.clone(),
            budget: Budget { nodes: Some(VISITS), ..Budget::default() },
            options: SearchOptions::default(),
            first_report: None,
            params: Params::default(),
            threads: 1,
        };
        let report = analyst().analyse(&inquiry, &Stop::new(), &mut |_| ());
        let values = turn.values.as_ref().unwrap();
        let best = notation(Kind::Go).show_move::<go::Position>(position.size(), report.moves[0].mv);
        assert_eq!((values.moves[0].word(), values.visits), (best.as_str(), report.visits), "{place}");
    }
    assert_eq!(reviewed.turns.len(), 8);
}

#[test]
fn reviewed_games_keep_all_that_they_had() {
    let reviewed = reviewed(GO, 0.0).unwrap();
    let text = annotated(&reviewed, "1.0");
    let tree = games(&text).unwrap().remove(0);
    let old = games(GO).unwrap().remove(0);
    // The main line is the same, and the author's variation is still the second one.
    let moves = |nodes: &[SgfNode]| {
        nodes
            .iter()
            .map(|node| (node.value("B").map(str::to_owned), node.value("W").map(str::to_owned)))
            .collect::<Vec<_>>()
    };
    assert_eq!(moves(&main_line(&text).unwrap()), moves(&main_line(GO).unwrap()));
    let fork = |tree: &SgfTree| {
        tree.main_line().iter().position(|&node| {
            tree.children(node).len() > 1 && tree.node(tree.children(node)[1]).value("B") == Some("bd")
        })
    };
    assert_eq!(fork(&tree), fork(&old));
    let nodes = main_line(&text).unwrap();
    assert_eq!(nodes[0].value("PB"), Some("Anna"));
    assert!(nodes[0].value("C").unwrap().starts_with("first\n\nLosange: "));
    assert!(nodes[2].value("C").unwrap().starts_with("second\n\nLosange: "));
    assert_eq!((nodes[3].value("TE"), nodes[3].value("BM")), (Some("2"), None));
    for node in &nodes {
        let rate: f32 = node.value("SBKV").unwrap().parse().unwrap();
        assert!((0.0..=100.0).contains(&rate) && node.value("V").unwrap().parse::<f32>().is_ok());
        let saved: serde_json::Value = serde_json::from_str(node.value("LOSANGE").unwrap()).unwrap();
        assert!((saved["winrate"].as_f64().unwrap() as f32 * 100.0 - rate).abs() < 0.02);
        assert!(saved["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
    }
    assert!(nodes[0].value("LZOP").is_some() && nodes[0].value("LZ").is_none());
    let lizzie = nodes[1].value("LZ").unwrap();
    let (head, moves) = lizzie.split_once('\n').unwrap();
    let head: Vec<&str> = head.split(' ').collect();
    // Black has just moved, so that Lizzie's number is Black's.
    assert_eq!((head[0], head[2]), ("1.0", "60"));
    assert!((head[1].parse::<f32>().unwrap() - nodes[1].value("SBKV").unwrap().parse::<f32>().unwrap()).abs() < 0.06);
    assert!(moves.starts_with("move ") && moves.contains(" winrate ") && moves.contains(" pv "));
    // Better lines are variations, and a second review writes no line again.
    assert!(text.contains("Losange: better, "));
    let again = super::Reviewed { tree, turns: again_turns(&reviewed, &text), ..reviewed };
    assert_eq!(annotated(&again, "1.0"), text);
}

/// The turns of a review, by the nodes of the text that was written of it.
fn again_turns(reviewed: &Reviewed, text: &str) -> Vec<Turn> {
    let line = games(text).unwrap()[0].main_line();
    reviewed.turns.iter().zip(line).map(|(turn, node)| Turn { node, ..turn.clone() }).collect()
}

#[test]
fn other_games_and_boards_set_up_are_reviewed() {
    let hex = reviewed("(;FF[4]GM[11]SZ[4];B[b2];W[swap-pieces];B[c3];W[b3];B[a4])", 0.05).unwrap();
    assert_eq!((hex.kind, hex.size), (Kind::Hex, Size::square(4)));
    let words: Vec<&str> = hex.turns.iter().filter_map(|turn| Some(turn.played.as_ref()?.word.as_str())).collect();
    assert_eq!(words, ["b2", "swap-pieces", "c3", "b3", "a4"]);
    let swaps = |record: &str| {
        let turns = reviewed(record, 0.05).unwrap().turns;
        let moves = &turns[1].values.as_ref().unwrap().moves;
        moves.iter().any(|mv| mv.line[0].word == "swap-pieces")
    };
    assert!(swaps("(;GM[11]SZ[4]RU[swap];B[b3];W[c3])") && !swaps("(;GM[11]SZ[4];B[b3];W[c3])"));
    let text = annotated(&hex, "1.0");
    assert!(!text.contains("LZ[") && (text.contains("V[1.00]") || text.contains("V[-1.00]")), "{text}");
    let current = hex::Position::new(Size::square(4));
    let record = Reader { kind: Kind::Hex, usual: Size::square(11), current: &current };
    assert_eq!(record.read(&main_line(&text).unwrap(), None).unwrap().moves.len(), 5);
    // A board that is set up in the middle begins anew there; a comment alone is no position.
    let go = reviewed("(;GM[1]SZ[5];B[cc];AB[aa]AW[bb]PL[W];C[well];W[dd])", 0.05).unwrap();
    let valued: Vec<bool> = go.turns.iter().map(|turn| turn.values.is_some()).collect();
    assert_eq!(valued, [true, true, true, false, true]);
    assert_eq!(go.judged().map(|(_, played, ..)| played.word.as_str()).collect::<Vec<_>>(), ["C3", "D2"]);
    let clobber = reviewed("(;FF[4]LG[clobber]SZ[3];LB[A3-A2])", 0.05).unwrap();
    assert_eq!(clobber.turns.len(), 2);
    assert!(annotated(&clobber, "1.0").contains("LB[A3-A2]"));
}

/// LittleGolem names the game by the event alone, and calls the first player White.
#[test]
fn little_golems_hex_is_reviewed_with_its_own_colours() {
    let text = "(;FF[4]EV[hex5.ch.32]SZ[5]SO[https://www.littlegolem.net];W[aa];B[cc];W[ae];B[ea];W[bb];B[dd])";
    let reviewed = reviewed(text, 0.0).unwrap();
    assert_eq!(reviewed.kind, Kind::Hex);
    assert_eq!(reviewed.turns[1].played.as_ref().map(|played| played.side), Some(Side::First));
    let tree = games(&annotated(&reviewed, "1.0")).unwrap().remove(0);
    let colour = |node: usize| ["B", "W"].into_iter().find(|&key| tree.node(node).value(key).is_some());
    let (mut open, mut variations) = (vec![0], 0);
    while let Some(node) = open.pop() {
        variations += tree.children(node).len().saturating_sub(1);
        for &child in tree.children(node) {
            assert_ne!(colour(child), colour(node), "{}", tree.write());
            open.push(child);
        }
    }
    assert!(variations > 0);
}

#[test]
fn the_program_of_a_record_stays_since_its_habits_are_understood_by_it() {
    let of_fox = reviewed("(;GM[1]AP[foxwq]SZ[5]KM[375];B[cc];W[bb])", 0.0).unwrap();
    let text = annotated(&of_fox, "1.0");
    assert_eq!(main_line(&text).unwrap()[0].value("AP"), Some("foxwq"));
    let plain = reviewed("(;GM[1]SZ[5];B[cc];W[bb])", 0.0).unwrap();
    assert_eq!(main_line(&annotated(&plain, "1.0")).unwrap()[0].value("AP"), Some("Losange:1.0"));
}

#[test]
fn records_that_are_of_no_game_are_refused() {
    assert!(
        reviewed("(;GM[3]SZ[8];B[aa])", 0.0)
            .unwrap_err()
            .starts_with("it is of a game that is not played here, its GM is 3")
    );
    assert!(reviewed("(;GM[1]SZ[99];B[aa])", 0.0).unwrap_err().contains("board size '99' is not supported"));
    assert_eq!(
        reviewed(&format!("(;GM[1]SZ[5]{})", ";".repeat(20_000)), 0.0).unwrap_err(),
        "it has more than 20000 moves"
    );
    assert_eq!(reviewed("(;GM[1]SZ[5];B[zz])", 0.0).unwrap_err(), "move 1, zz, is no move on this board");
}

#[test]
fn moves_beside_a_position_that_was_not_valued_are_not_judged_by_another() {
    let mut reviewed = reviewed(GO, 0.0).unwrap();
    let words = |reviewed: &Reviewed| reviewed.judged().map(|it| it.1.word.clone()).collect::<Vec<_>>();
    assert_eq!((reviewed.fault(), words(&reviewed).len()), (None, 7));
    let all = words(&reviewed);
    let place = reviewed.turns.iter().position(|turn| turn.number == 3 && turn.is_new).unwrap();
    reviewed.turns[place].values = None;
    assert_eq!(reviewed.fault(), Some(3));
    assert!(!words(&reviewed).contains(&all[3]), "{:?}", words(&reviewed));
}

#[test]
fn tables_and_lines_tell_the_same() {
    let reviewed = reviewed(GO, 0.0).unwrap();
    let lines: Vec<serde_json::Value> =
        json_lines(&reviewed, "a.sgf", 1).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 9);
    assert_eq!((&lines[1]["player"], &lines[1]["move"], &lines[1]["turn"]), (&"B".into(), &"C3".into(), &1.into()));
    assert_eq!((&lines[8]["kind"], &lines[8]["summary"]["B"]["moves"]), (&"go".into(), &4.into()));
    let text = table(&reviewed, "a.sgf", 40, true);
    let is_row = |line: &&str| line.contains('%') && (line.contains(" black ") || line.contains(" white "));
    let rows: Vec<&str> = text.lines().filter(is_row).collect();
    assert_eq!(rows.len(), 7, "{text}");
    for (row, line) in rows.iter().zip(&lines[1..]) {
        assert!(row.contains(&format!(" {} ", line["move"].as_str().unwrap())), "{row}");
        assert!(row.contains(line["grade"].as_str().unwrap()), "{row}");
    }
    assert!(text.starts_with("a.sgf: Go, 5x5, 7 moves\n100 % |") && text.contains("black lost "));
    assert!(text.lines().all(|line| line.chars().count() < 90), "{text}");
}
