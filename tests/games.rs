//! One battery over every game of the list: rules, spelling, planes and symmetries, a whole game over standard input and output,
//! a teacher's lessons, a match.

mod support;

use std::fs;

use losange::any::{AnySearch, AnyState, Begin, Terms};
use losange::games::Size;
use losange::players::{Kind, Played, Setup, Visitor};
use losange::rng::Rng;
use losange::search::{Budget, Stop};
use serde_json::Value;
use support::{Program, run};

/// Moves of a random game after which it is broken off.
const LONGEST: usize = 200;

fn for_all(check: impl Visitor<Output = ()> + Copy) {
    Kind::ALL.iter().for_each(|kind| kind.visit(check));
}

/// The points that a move touches, in order; none of a word and of a move that would leave the board.
fn points_of<G: Played>(size: Size, mv: G::Move) -> Vec<usize> {
    let spelling = G::spell(size, mv);
    G::unspell(size, &spelling).map_or(Vec::new(), |_| spelling.points().to_vec())
}

fn legal<G: Played>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The positions of a random game on a small board, the start first, and the moves between them.
fn random_game<G: Played>(rng: &mut Rng) -> (Vec<G>, Vec<G::Move>) {
    let (mut positions, mut played) = (vec![G::square(5)], Vec::new());
    while played.len() < LONGEST {
        let mut position = positions[positions.len() - 1].clone();
        let moves = legal(&position);
        if position.outcome().is_some() {
            break;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        position.play(mv);
        played.push(mv);
        positions.push(position);
    }
    (positions, played)
}

#[derive(Clone, Copy)]
struct Rules;

impl Visitor for Rules {
    type Output = ();

    fn visit<G: Played>(self) {
        let mut rng = Rng::new(7);
        for _ in 0..10 {
            let (positions, played) = random_game::<G>(&mut rng);
            for (plies, position) in positions.iter().enumerate() {
                assert_eq!(position.plies(), plies, "{}", G::KIND);
                let (moves, count) = (legal(position), position.move_count());
                let (size, over) = (position.size(), position.outcome().is_some());
                assert!(over || !moves.is_empty(), "{}: nothing to play", G::KIND);
                for mv in (0..count).map(|index| position.move_at(index)) {
                    assert_eq!(position.move_at(position.index(mv)), mv, "{}", G::KIND);
                    // Whether there are moves after the end is the game's own affair.
                    assert!(over || position.is_legal(mv) == moves.contains(&mv), "{}: {mv:?}", G::KIND);
                    let points = points_of::<G>(size, mv);
                    assert!(points.iter().all(|&point| point < position.points()));
                    assert!(
                        points.is_empty() || G::unspell(size, &G::spell(size, mv)) == Some(mv),
                        "{}: {mv:?}",
                        G::KIND
                    );
                }
            }
            // The same moves lead to the same positions.
            for count in 0..positions.len() {
                let mut position = positions[0].clone();
                played[..count].iter().for_each(|&mv| position.play(mv));
                assert_eq!(position.key(), positions[count].key(), "{}", G::KIND);
                assert_eq!(position.outcome(), positions[count].outcome(), "{}", G::KIND);
            }
        }
    }
}

#[test]
fn moves_have_numbers_points_and_consequences() {
    for_all(Rules);
}

/// A list of numbers of a description.
fn numbers(value: &Value) -> Vec<usize> {
    let list = value.as_array().expect("a list");
    list.iter().map(|number| number.as_u64().expect("a number") as usize).collect()
}

#[derive(Clone, Copy)]
struct Symmetries;

impl Visitor for Symmetries {
    type Output = ();

    fn visit<G: Played>(self) {
        let size = G::square(5).size();
        let board = format!("{}x{}", size.width, size.height);
        let (success, text, why) = run(&["describe", G::KIND.word(), "--json", "--size", &board]);
        assert!(success, "{why}");
        let game: Value = serde_json::from_str(&text).unwrap();
        let symmetries = game["symmetries"].as_array().unwrap();
        let mut rng = Rng::new(3);
        let (positions, _) = random_game::<G>(&mut rng);
        assert_eq!(numbers(&game["shape"]), positions[0].shape());
        assert_eq!(numbers(&game["size"]), [size.width, size.height]);
        assert_eq!(game["outputs"]["policy"], positions[0].policy_count());
        for position in positions.iter().take(30) {
            assert_eq!(symmetries.len(), position.symmetries());
            let (mut plain, mut turned) = (Vec::new(), Vec::new());
            position.write_planes(0, &mut plain);
            for (number, symmetry) in symmetries.iter().enumerate() {
                turned.clear();
                position.write_planes(number, &mut turned);
                let cells = numbers(&symmetry["planes"]);
                let expected =
                    (0..plain.len()).map(|at| (at / cells.len() * cells.len() + cells[at % cells.len()], plain[at]));
                for (to, value) in expected {
                    assert_eq!(turned[to], value, "{}: planes of symmetry {number}", G::KIND);
                }
                let actions = numbers(&symmetry["actions"]);
                for mv in legal(position) {
                    let [plain, turned] = [0, number].map(|symmetry| position.action_index(mv, symmetry));
                    assert_eq!(plain.map(|at| actions[at]), turned, "{}: {mv:?} in symmetry {number}", G::KIND);
                }
                let points = numbers(&symmetry["points"]);
                for point in 0..position.points() {
                    let [plain, turned] = [0, number].map(|symmetry| position.point_index(point, symmetry));
                    assert_eq!(points[plain], turned, "{}: point {point} in symmetry {number}", G::KIND);
                }
            }
        }
        // Actions touch the cells where the first player sees the points of the move.
        let start = &positions[0];
        for mv in (0..start.move_count()).map(|index| start.move_at(index)) {
            let Some(action) = start.action_index(mv, 0) else { continue };
            let cells: Vec<usize> = points_of::<G>(size, mv).iter().map(|&point| start.point_index(point, 0)).collect();
            assert_eq!(numbers(&game["actions"][action]), cells, "{}: {mv:?}", G::KIND);
            assert_eq!(numbers(&game["moves"][start.index(mv)]), points_of::<G>(size, mv));
            // Where a move's prior is a sum, its entries are told.
            match start.policy_entries(mv, 0).unwrap() {
                (first, Some(second)) => assert_eq!(numbers(&game["policy"][action]), [first, second]),
                (only, None) => assert!(game["policy"].is_null() && only == action),
            }
        }
    }
}

#[test]
fn descriptions_tell_what_symmetries_do() {
    for_all(Symmetries);
}

#[derive(Clone, Copy)]
struct Whole;

impl Visitor for Whole {
    type Output = ();

    /// A game over standard input and output, to its end and back.
    fn visit<G: Played>(self) {
        let size = G::square(4).size();
        let board = format!("{}x{}", size.width, size.height);
        let mut program = Program::start(&[G::KIND.word(), "--size", &board, "--playouts", "20", "--threads", "1"]);
        let start = program.ask("showboard");
        let (mut moves, mut passes) = (0, 0);
        for number in 0..LONGEST {
            let side = if number % 2 == 0 || G::PLAYERS == 1 { "b" } else { "w" };
            let answer = program.ask(&format!("genmove {side}"));
            let word = answer.strip_prefix("= ").unwrap_or_else(|| panic!("{}: {answer}", G::KIND));
            if word == "resign" {
                break;
            }
            // Where nothing can be played, the answer is to pass, and nothing is played.
            passes = if word.eq_ignore_ascii_case("pass") { passes + 1 } else { 0 };
            moves += 1;
            if passes == 2 {
                break;
            }
        }
        assert!(moves > 2, "{}", G::KIND);
        if program.ask("known_command final_score") == "= true" {
            assert!(program.ask("final_score").starts_with("= "), "{}", G::KIND);
        }
        while program.ask("undo").starts_with('=') {}
        assert_eq!(program.ask("showboard"), start, "{}", G::KIND);
    }
}

#[test]
fn whole_games_are_played_and_taken_back() {
    for_all(Whole);
}

/// Monte-Carlo tree search, which every game has, does the same twice.
#[test]
fn searches_do_the_same_twice() {
    for &kind in Kind::ALL {
        let setup = Setup { size: Some(Size::square(kind.boards().nearest(5))), ..Setup::default() };
        let start = AnyState::new(kind, &Begin { setup, swap: false }).unwrap();
        let run = || {
            let budget = Budget { nodes: Some(200), ..Budget::default() };
            let mut search = AnySearch::new(kind, None, 1, 16);
            search.set("search", "mcts").unwrap();
            let terms = Terms { budget, ..Terms::default() };
            let report = search.run(&start, &terms, &Stop::new(), &mut |_| ()).unwrap().report;
            report.moves.into_iter().map(|mv| (mv.mv, mv.visits)).collect::<Vec<_>>()
        };
        assert_eq!(run(), run(), "{kind}");
    }
}

#[test]
fn teachers_leave_lessons_and_matches_have_results() {
    for kind in Kind::ALL {
        let lines = kind.boards().nearest(4).to_string();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let fixed = ["--sizes", &lines, "--time", "0.3", "--threads", "1", "--searches", "20"];
        let (success, _, why) = run(&[&["selfplay", path, "--teacher", kind.word()], &fixed[..]].concat());
        assert!(success, "{kind}: {why}");
        assert!(fs::read_dir(folder.path().join("shards")).unwrap().count() > 0, "{kind}: no lessons");
        let fixed = ["--size", &lines, "--games", "2", "--playouts", "20"];
        let (success, told, why) = run(&[&["arena", "--game", kind.word()], &fixed[..]].concat());
        assert!(success && (told.contains(" of 2: ") || told.contains(" in 2 games")), "{kind}: {told}{why}");
    }
}

#[test]
fn values_of_first_moves_are_added_to_those_of_the_same_board_and_search() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values.tsv");
    let openings = |size: &str, time: &str| {
        run(&["openings", "hex", size, "--time", time, "--no-model", "--out", file.to_str().unwrap()])
    };
    let (success, told, why) = openings("2", "0.01");
    assert!(success && told.contains("100"), "{told}{why}");
    let whole = fs::read_to_string(&file).unwrap();
    assert!(whole.starts_with("# hex 2, 0.01 s a move, no model\n") && whole.lines().count() == 3, "{whole}");
    for (size, time) in [("3", "0.01"), ("2", "0.02")] {
        let (success, _, why) = openings(size, time);
        assert!(!success && why.contains("was not made by"), "{why}");
    }
    // What was broken off is gone on with.
    fs::write(&file, whole.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    assert!(openings("2", "0.01").0);
    let again = fs::read_to_string(&file).unwrap();
    let moves = |text: &str| text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(moves(&again), moves(&whole));
    // So is a file whose last line a full disk has cut, or its first.
    let second = whole.lines().take(2).map(|line| line.len() + 1).sum::<usize>();
    for cut in [0, 3, second - 2, second - 1, second, second + 1] {
        fs::write(&file, &whole[..cut]).unwrap();
        let (success, _, why) = openings("2", "0.01");
        assert!(success, "{cut}: {why}");
        assert_eq!(moves(&fs::read_to_string(&file).unwrap()), moves(&whole), "{cut}");
    }
    fs::write(&file, "something else").unwrap();
    assert!(openings("2", "0.01").2.contains("was not made by"));
}
