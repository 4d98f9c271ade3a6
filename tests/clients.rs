//! Habits of single clients, beside the commands and answers of `protocol-tests/`.

mod support;

use std::time::Duration;

use regex::Regex;
use support::{HANG, Program, command};

const FEW: &[&str] =
    &["--size", "9", "--threads", "1", "--playouts", "60", "--seed", "1", "--memory", "64", "--no-model"];

fn go(more: &[&str]) -> Program {
    Program::start(&[&["go"], FEW, more].concat())
}

/// A search that lasts until somebody ends it.
fn slow() -> Program {
    Program::start(&["go", "--size", "9", "--threads", "1", "--time", "600", "--memory", "64", "--no-model"])
}

/// gtp2ogs 9.0.1 knows the form of the lines by a line with KataGo's name, reads the numbers by this pattern, and wants the line
/// before the answer to `genmove`.
#[test]
fn the_bridge_of_ogs_reads_what_the_engine_thinks() {
    let pattern = r"(CHAT|MALKOVICH):Visits (\d*) Winrate (\d+\.\d\d)% ScoreLead (-?\d+\.\d) ScoreStdev (-?\d+\.\d) (\(PDA (-?\d+.\d\d)\) )?PV (.*)";
    let pattern = Regex::new(pattern).unwrap();
    let mut go = go(&["--ogs-chat"]);
    go.error_with("KataGo");
    for command in ["genmove b", "kata-genmove_analyze w", "reg_genmove b"] {
        let answer = go.ask(command);
        let mv = answer.split_whitespace().last().unwrap();
        let line = go.error_with("MALKOVICH");
        let found = pattern.captures(&line).unwrap_or_else(|| panic!("{line}"));
        assert!(found[2].parse::<u32>().unwrap() > 0, "{line}");
        let (winrate, pv) = (found[3].parse::<f32>().unwrap(), &found[8]);
        assert!((0.0..=100.0).contains(&winrate), "{line}");
        assert!(pv.starts_with(mv), "{line} for {answer}");
        assert!(pv.split(' ').all(|mv| mv == "pass" || mv.as_bytes()[0].is_ascii_uppercase()), "{line}");
    }
}

/// A line of input ends a search that may be cancelled, and not another one.
#[test]
fn searches_are_cancelled() {
    let mut go = slow();
    for (search, cancelled) in
        [("7 kata-search_cancellable b", "cancelled"), ("7 kata-search_analyze_cancellable b 5", "play cancelled")]
    {
        for next in ["", "8 name"] {
            go.send(search);
            std::thread::sleep(Duration::from_millis(100));
            go.send(next);
            let answer = go.answer();
            assert!(answer.starts_with("=7 ") && answer.ends_with(cancelled), "{answer}");
            assert!(next.is_empty() || go.answer() == "=8 Losange");
        }
    }
    assert_eq!(go.ask("undo"), "? cannot undo");
    // What follows is ended by an interrupt alone.
    go.send("genmove b\nname\n# interrupt");
    assert!(go.answer().starts_with("= ") && go.answer() == "= Losange");
    assert_eq!(go.ask("undo"), "= ");
}

/// A limit of time holds with a clock and without one, and beside one of visits.
#[test]
fn the_most_time_for_a_move_holds() {
    let mut go = slow();
    let start = std::time::Instant::now();
    assert_eq!(go.ask("kata-set-param maxTime 0.3"), "= ");
    assert!(go.ask("genmove b").starts_with("= "));
    assert_eq!(go.ask("time_settings 7200 0 0"), "= ");
    assert!(go.ask("genmove w").starts_with("= "));
    assert_eq!(go.ask("kata-set-param maxVisits 1000000000"), "= ");
    assert!(go.ask("genmove b").starts_with("= "));
    assert!(start.elapsed() < HANG / 4, "{:?}", start.elapsed());
}

/// LizzieYzy asks for owners after each move only where the version is above 1.10.
#[test]
fn name_and_version_are_told_as_asked_for() {
    let mut go = go(&["--name", "KataGo", "--version-name", "1.17"]);
    assert_eq!(go.ask("name"), "= KataGo");
    assert_eq!(go.ask("version"), "= 1.17");
}

/// Name and commands are answered before a model has been read. One that cannot be used is told at once on standard error, and by the first
/// command that needs it; then the program ends with 1.
#[test]
fn a_model_that_cannot_be_used_is_told_in_the_answer_too() {
    let mut go = Program::start(&["go", "--threads", "1", "--model", "tests/fixtures/katago/README.md"]);
    assert_eq!(go.ask("name"), "= Losange");
    assert!(go.ask("list_commands").contains("kata-analyze"));
    let told = go.error_with("README.md does not fit");
    assert_eq!(format!("losange: {}", &go.ask("boardsize 9")[2..]), told);
    assert_eq!(go.wait().code(), Some(1));
    assert_eq!(go.errors(), "");
}

/// Standard error tells of moves that the rules forbid, the first of them and how many there are.
#[test]
fn a_record_with_an_illegal_move_is_loaded_with_a_warning() {
    let mut go = go(&[]);
    assert_eq!(go.ask("loadsgf protocol-tests/go/files/illegal.sgf"), "= ");
    assert!(go.error_with("illegal").contains("set up as drawn"));
}

/// Only a person is greeted: a program may read standard error as well.
#[cfg(target_os = "linux")]
#[test]
fn a_person_at_a_terminal_is_told_where_to_begin() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    let line = format!("{} go --no-model --memory 64", env!("CARGO_BIN_EXE_losange"));
    let mut terminal = std::process::Command::new("script");
    terminal.env("LOSANGE_NO_CONFIG", "true").args(["--quiet", "--return", "--command", &line]).arg(&told);
    let mut child = terminal.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.as_ref().unwrap(), b"quit\n").unwrap();
    assert!(support::wait(&mut child).success());
    let told = std::fs::read_to_string(told).unwrap();
    assert!(told.contains("Type help"), "{told}");
    let output = command(&["go", "--no-model"]).stdin(std::process::Stdio::null()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
