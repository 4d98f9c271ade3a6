//! Gomocup's protocol, NBoard's and UCI, as their managers and GUIs speak them.

mod support;

use std::thread;
use std::time::{Duration, Instant};

use support::{Program, command};

/// The program in a protocol.
fn speaking(game: &str, protocol: &str) -> Program {
    let settings = ["--threads", "1", "--seed", "1", "--memory", "64", "--playouts", "60"];
    Program::start(&[&[game, "--protocol", protocol], settings.as_slice()].concat())
}

/// The next line, once `line` has been sent.
fn ask(program: &mut Program, line: &str) -> String {
    program.send(line);
    program.line()
}

/// Lines up to one that begins so, which is the last one.
fn until(program: &Program, begin: &str) -> Vec<String> {
    let mut lines = vec![program.line()];
    while !lines[lines.len() - 1].starts_with(begin) {
        lines.push(program.line());
    }
    lines
}

/// A point of Gomocup's on a board of 15 lines.
fn point(line: &str) -> (usize, usize) {
    let read = line.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
    let (x, y) = read.unwrap_or_else(|| panic!("{line} is no point"));
    assert!(x < 15 && y < 15, "{line}");
    (x, y)
}

#[test]
fn gomocup_plays_games_and_positions() {
    let mut gomoku = speaking("gomoku", "gomocup");
    assert_eq!(ask(&mut gomoku, "START 15"), "OK");
    gomoku
        .send("INFO timeout_turn 400\nINFO timeout_match 0\nINFO time_left 2147483647\nINFO rule 0\nINFO folder /tmp");
    let first = point(&ask(&mut gomoku, "BEGIN"));
    assert!(first.0.min(first.1) < 2 || first.0.max(first.1) > 12, "Black begins on the outer lines: {first:?}");
    let second = point(&ask(&mut gomoku, "TURN 7,7"));
    assert!(second != first && second != (7, 7));
    // A game that its rules do not begin so: the stone lies in the middle.
    assert_eq!(ask(&mut gomoku, "RESTART"), "OK");
    let answer = ask(&mut gomoku, "TURN 7,7");
    assert_ne!(point(&answer), (7, 7));
    assert_eq!(ask(&mut gomoku, &format!("TAKEBACK {answer}")), "OK");
    assert!(ask(&mut gomoku, "TAKEBACK 0,0").starts_with("ERROR the last stone"));
    // Four in a row are five with the next stone; White has as many and is too late.
    gomoku.send("BOARD\n3,7,1\n3,8,2\n4,7,1\n4,8,2\n5,7,1\n5,8,2\n6,7,1\n6,8,2\nDONE");
    assert!(["2,7", "7,7"].contains(&gomoku.line().as_str()));
    // The opponent's four are stopped, at the only point that does.
    gomoku.send("BOARD\n2,7,1\n3,7,2\n4,7,2\n9,9,1\n5,7,2\n9,3,1\n6,7,2\nDONE");
    assert_eq!(gomoku.line(), "7,7");
    assert!(ask(&mut gomoku, "ABOUT").starts_with("name=\"Losange\", version=\""));
    gomoku.send("END");
    assert!(gomoku.wait().success());
}

#[test]
fn gomocup_is_told_what_is_wrong() {
    let mut gomoku = speaking("gomoku", "gomocup");
    for line in ["BEGIN", "TURN 1,1", "RESTART", "TAKEBACK 1,1"] {
        assert!(ask(&mut gomoku, line).starts_with("ERROR "), "{line}");
    }
    for line in ["START", "START 2", "START 1000000000000", "START x", "RECTSTART 3", "RECTSTART 400,3"] {
        assert!(ask(&mut gomoku, line).starts_with("ERROR "), "{line}");
    }
    assert_eq!(ask(&mut gomoku, "START 15"), "OK");
    for line in ["TURN", "TURN 15,0", "TURN -1,0", "TURN a,b", "TURN 3"] {
        assert!(ask(&mut gomoku, line).starts_with("ERROR "), "{line}");
    }
    for stones in ["1,1,3", "1,1", "1,1,1\n1,1,2", "99,1,1", "é,1,1"] {
        assert!(ask(&mut gomoku, &format!("BOARD\n{stones}\nDONE")).starts_with("ERROR "), "{stones}");
    }
    assert_eq!(ask(&mut gomoku, "SWAP2BOARD"), "UNKNOWN SWAP2BOARD");
    gomoku.send("INFO rule 1");
    assert!(ask(&mut gomoku, "BEGIN").starts_with("ERROR rule 1"));
    // It goes on after all that.
    gomoku.send("INFO rule 0");
    point(&ask(&mut gomoku, "BEGIN"));
    gomoku.close();
    assert!(gomoku.wait().success());
}

#[test]
fn gomocup_keeps_to_the_time_of_a_move() {
    let mut gomoku = Program::start(&["gomoku", "--protocol", "gomocup", "--threads", "1", "--memory", "64"]);
    assert_eq!(ask(&mut gomoku, "START 15"), "OK");
    gomoku.send("INFO timeout_turn 300\nINFO timeout_match 100000\nINFO time_left 100000");
    let start = Instant::now();
    point(&ask(&mut gomoku, "TURN 7,7"));
    assert!(start.elapsed() < Duration::from_secs(3), "the default would be five seconds: {:?}", start.elapsed());
}

/// After F5, D6 and C3: six moves, D3 among them.
const GAME: &str = "set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 \
                    ---------------------------O*------*O--------------------------- *]B[F5//1.2]W[D6]B[C3];)";

#[test]
fn nboard_analyses_and_plays() {
    let mut othello = speaking("othello", "nboard");
    assert_eq!(ask(&mut othello, "nboard 2"), "set myname Losange");
    assert_eq!(ask(&mut othello, "set depth 3"), "set myname Losange3");
    othello.send(GAME);
    othello.send("hint 2");
    let lines = until(&othello, "status");
    assert_eq!(lines, ["status thinking"]);
    let lines = until(&othello, "status");
    let hints: Vec<Vec<&str>> =
        lines.iter().filter(|l| l.starts_with("search ")).map(|l| l.split(' ').collect()).collect();
    assert!(hints.len() >= 2, "{lines:?}");
    for hint in &hints {
        let value: f32 = hint[2].parse().unwrap();
        assert!((-64.0..=64.0).contains(&value) && hint[3] == "0" && hint[4] == "3", "{hint:?}");
    }
    othello.send("go");
    let told = until(&othello, "=== ").pop().unwrap();
    let (mv, value) = told[4..].split_once('/').unwrap();
    assert!(value.parse::<f32>().is_ok() && mv.len() == 2, "{told}");
    assert_eq!(othello.line(), "status");
    // The engine leaves the move to the GUI.
    othello.send(&format!("move {mv}/0.00/0.1"));
    assert_eq!(ask(&mut othello, "ping 7"), "pong 7");
    assert!(ask(&mut othello, &format!("move {mv}")).starts_with("status "), "it has been played");
    for bad in ["move A1", "move Z9", "set game (;GM[Othello];)", "set depth x", "move"] {
        assert!(ask(&mut othello, bad).starts_with("status "), "{bad}");
    }
    // What is not known is passed over.
    othello.send("set contempt 3\nsing\n");
    assert_eq!(ask(&mut othello, "learn"), "learned");
    othello.send("quit");
    assert!(othello.wait().success());
}

#[test]
fn nboard_passes_where_there_is_no_move() {
    let mut othello = speaking("othello", "nboard");
    // White has no disc beside a black line that it could flank.
    let board = format!("*O------{}", "-".repeat(56));
    othello.send(&format!("set game (;GM[Othello]BO[8 {board} O];)"));
    othello.send("go");
    let told = until(&othello, "=== ").pop().unwrap();
    assert!(told.starts_with("=== PA"), "{told}");
}

#[test]
fn ping_ends_what_nboard_asked_for() {
    let mut othello =
        Program::start(&["othello", "--protocol", "nboard", "--threads", "1", "--memory", "64", "--time", "600"]);
    othello.send(GAME);
    othello.send("hint 1");
    assert_eq!(othello.line(), "status thinking");
    assert!(othello.line().starts_with("search "));
    othello.send("ping 1");
    let lines = until(&othello, "pong");
    assert_eq!(lines[lines.len() - 2..], ["status", "pong 1"]);
}

#[test]
fn uci_plays_breakthrough_and_amazons() {
    for (game, first) in [("breakthrough", "a2a3"), ("amazons", "d1d7,d7g7")] {
        let mut program = speaking(game, "uci");
        program.send("uci");
        let lines = until(&program, "uciok");
        assert!(lines[0].starts_with("id name Losange"));
        assert_eq!(ask(&mut program, "isready"), "readyok");
        program.send(&format!("ucinewgame\nposition startpos moves {first}\ngo nodes 40"));
        let lines = until(&program, "bestmove");
        assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info depth ")), "{lines:?}");
        let reply = lines[lines.len() - 1].split(' ').nth(1).unwrap().to_owned();
        // The move is one that can be played, and the game goes on from it.
        program.send(&format!("position startpos moves {first} {reply}\ngo movetime 100"));
        let lines = until(&program, "bestmove");
        assert!(!lines.iter().any(|line| line.starts_with("info string") || line == "bestmove 0000"), "{lines:?}");
        // Another game.
        program.send("position startpos\ngo depth 2");
        assert_ne!(until(&program, "bestmove").pop().unwrap(), "bestmove 0000");
        for bad in
            ["position startpos moves a9a9", "position fen 8/8 w - - 0 1", "position startpos moves xyzzy", "position"]
        {
            assert!(ask(&mut program, bad).starts_with("info string "), "{bad}");
        }
        program.send("quit");
        assert!(program.wait().success());
    }
}

/// A model is read before the engine is ready, and its name is told before that.
#[test]
fn uci_is_ready_once_its_model_is() {
    let arguments =
        ["breakthrough", "--protocol", "uci", "--model", "/etc/hostname", "--threads", "1", "--memory", "64"];
    let mut program = Program::start(&arguments);
    program.send("uci");
    until(&program, "uciok");
    program.send("isready");
    assert!(program.line().starts_with("info string "));
    assert!(!program.wait().success());
}

/// Positions in FEN, as GUIs set them up and books begin games.
#[test]
fn uci_reads_fen() {
    for (game, start, first, fen, best) in [
        (
            "breakthrough",
            "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1",
            "a2a3",
            // White wins by the one step to the last rank.
            "8/4P3/pp6/8/8/8/PP6/8 w - - 0 1",
            ["e7d8", "e7e8", "e7f8"].as_slice(),
        ),
        (
            "amazons",
            "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1",
            "d1d7,d7g7",
            // Black has one move: the piece in the corner goes out, and shoots back.
            "q1********/**********/**********/**********/**********/**********/**********/**********/**********/QQQQ**qqq* b - - 0 1",
            &["a10b10,b10a10"],
        ),
    ] {
        let mut program = speaking(game, "uci");
        program.send("uci");
        let lines = until(&program, "uciok");
        assert!(lines.contains(&format!("option name UCI_Variant type combo default {game} var {game}")), "{lines:?}");
        assert!(lines.contains(&"option name Threads type spin default 1 min 1 max 1".to_owned()), "{lines:?}");
        program.send(&format!(
            "setoption name UCI_Variant value {game}\nsetoption name threads value 1\nposition fen {fen}\ngo nodes 100"
        ));
        let answers = until(&program, "bestmove");
        let told = answers.last().unwrap().strip_prefix("bestmove ").unwrap();
        assert!(best.contains(&told), "{answers:?}");
        assert!(answers.iter().all(|line| !line.starts_with("info string")), "{answers:?}");
        // The start by its placement is the start, with moves behind it, and each is left for the other.
        for position in [format!("fen {start}"), "startpos".to_owned(), format!("fen {start}")] {
            program.send(&format!("position {position} moves {first}\ngo nodes 20"));
            let answers = until(&program, "bestmove");
            let reply = answers.last().unwrap().strip_prefix("bestmove ").unwrap();
            assert!(reply != "0000" && answers.iter().all(|line| !line.starts_with("info string")), "{answers:?}");
        }
        for bad in [
            "position fen 8/8 w",
            "position fen 8/8/8/8/8/8/8/8 x - - 0 1",
            "position fen",
            "setoption name UCI_Variant value chess",
        ] {
            assert!(ask(&mut program, bad).starts_with("info string "), "{bad}");
        }
    }
}

#[test]
fn stop_ends_a_search_of_uci() {
    for go in ["go", "go infinite", "go movetime 600000"] {
        let mut program = speaking("breakthrough", "uci");
        program.send(&format!("position startpos\n{go}"));
        assert!(program.line().starts_with("info depth "));
        program.send("stop");
        let best = until(&program, "bestmove").pop().unwrap();
        assert_ne!(best, "bestmove 0000", "{go}");
        assert_eq!(ask(&mut program, "isready"), "readyok");
    }
    // Before its first report.
    for (go, end) in [("go infinite", "stop"), ("go", "position startpos"), ("go infinite\nstop", "isready")] {
        let mut program = speaking("breakthrough", "uci");
        program.send("position startpos\nisready");
        until(&program, "readyok");
        program.send(go);
        thread::sleep(Duration::from_millis(100));
        program.send(end);
        assert_ne!(until(&program, "bestmove").pop().unwrap(), "bestmove 0000", "{go}, {end}");
    }
    // A game that is decided waits for the stop too.
    let mut program = speaking("breakthrough", "uci");
    program.send("position startpos moves a2a3 h7h6 a3a4 h6h5 a4a5 h5h4 a5b6 a7a6 b6c7 a6a5\ngo infinite");
    thread::sleep(Duration::from_millis(500));
    program.send("isready");
    assert!(until(&program, "readyok").iter().all(|line| !line.starts_with("bestmove")));
    program.send("stop");
    assert_ne!(until(&program, "bestmove").pop().unwrap(), "bestmove 0000");
    // An option that comes before the move is not lost, and no nodes are no limit.
    let mut program = speaking("breakthrough", "uci");
    program.send("position startpos\ngo movetime 300\nsetoption name UCI_Variant value chess");
    until(&program, "bestmove");
    assert!(program.line().starts_with("info string this is a game of breakthrough"));
    program.send("go nodes 0");
    assert!(program.line().starts_with("info depth "));
    program.send("position startpos\ngo nodes 20");
    until(&program, "bestmove");
    until(&program, "bestmove");
    // A limit of an earlier search does not count for one without a limit, and the end of the input ends that.
    let mut program = speaking("breakthrough", "uci");
    program.send("go movetime 100");
    until(&program, "bestmove");
    program.send("go");
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(1) {
        assert!(program.line().starts_with("info depth "));
    }
    program.close();
    assert!(program.wait().success());
}

#[test]
fn protocols_are_those_of_their_games() {
    for (game, protocol, told) in [
        ("go", "uci", "--protocol uci is for breakthrough and amazons, not for go"),
        ("gomoku", "nboard", "--protocol nboard is for othello, not for gomoku"),
        ("gomoku", "xboard", "protocols are gomocup, nboard, uci"),
    ] {
        let output = command(&[game, "--protocol", protocol]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(told), "{errors}");
    }
    // A server speaks its own protocols.
    for subcommand in [&["board", "gomoku"][..], &["serve"]] {
        let output = command(&[subcommand, &["--protocol", "gomocup"]].concat()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains("unexpected argument '--protocol'"), "{errors}");
    }
}

#[test]
fn uci_is_ready_in_the_middle_of_a_search() {
    for go in ["go infinite", "go movetime 600000"] {
        let mut program = speaking("breakthrough", "uci");
        program.send(&format!("position startpos\n{go}"));
        assert!(program.line().starts_with("info depth "));
        program.send("isready");
        assert!(until(&program, "readyok").iter().all(|line| !line.starts_with("bestmove")), "{go}");
        // The search goes on, and at lines that mean nothing.
        assert!(program.line().starts_with("info depth "), "{go}");
        program.send("debug on\n\nisready");
        assert!(until(&program, "readyok").iter().all(|line| !line.starts_with("bestmove")), "{go}");
        assert!(program.line().starts_with("info depth "), "{go}");
        program.send("stop");
        until(&program, "bestmove");
        // It need not have begun.
        program.send(&format!("{go}\nisready"));
        assert!(until(&program, "readyok").iter().all(|line| !line.starts_with("bestmove")), "{go}");
        program.send("stop");
        assert_ne!(until(&program, "bestmove").pop().unwrap(), "bestmove 0000");
    }
}

#[test]
fn uci_searches_no_position_that_it_was_not_told() {
    let mut program = speaking("breakthrough", "uci");
    program.send("position startpos moves a2a3\nposition fen 8/8/8/8/8/8/8/8 b - - 0 1\ngo nodes 20");
    assert_eq!(until(&program, "bestmove").pop().unwrap(), "bestmove 0000");
    program.send("position startpos moves a2a3\ngo nodes 20");
    assert_ne!(until(&program, "bestmove").pop().unwrap(), "bestmove 0000");
}

#[test]
fn gomocup_ends_in_the_middle_of_a_search() {
    let mut gomoku = Program::start(&["gomoku", "--protocol", "gomocup", "--threads", "1", "--memory", "64"]);
    assert_eq!(ask(&mut gomoku, "START 15"), "OK");
    gomoku.send("INFO timeout_turn 600000\nTURN 7,7");
    std::thread::sleep(Duration::from_millis(500));
    let start = Instant::now();
    gomoku.send("END");
    assert!(gomoku.wait().success() && start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
