//! `losange review` through the real program: folders, a run that is killed and goes on, bad files, standard input.

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{HANG, Program, command};

const GO: &str = "(;GM[1]SZ[5]KM[0.5];B[cc];W[cb](;B[bb];W[bc])(;B[dd]))";
const HEX: &str = "(;GM[11]SZ[4];B[b2];W[c3];B[b3])";
/// One thread, the same each time.
const ONE: &[&str] = &["--threads", "1", "--seed", "1", "--memory", "64", "--no-model"];

fn review(arguments: &[&str], input: &str) -> Output {
    let mut child = command(&[&["review"], arguments, ONE].concat()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with these files, and its path as an argument.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn argument(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_killed_review_of_a_folder_goes_on() {
    let games = folder(&[("a.sgf", GO), ("b/c.SGF", HEX), ("d.sgf", GO), ("notes.txt", "no game")]);
    let out = games.path().join("reviewed");
    let arguments = [argument(games.path()), "--out", argument(&out), "--time", "0.15"];
    let mut program = command(&[&["review"], &arguments[..], ONE].concat()).stderr(Stdio::null()).spawn().unwrap();
    let (first, since) = (out.join("a.sgf"), Instant::now());
    while !first.exists() {
        assert!(since.elapsed() < HANG);
        sleep(Duration::from_millis(5));
    }
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(!out.join("d.sgf").exists(), "it was killed too late");
    // The second one may have been finished by then.
    let done = ["a.sgf", "b/c.sgf"].iter().filter(|name| out.join(name).exists()).count();
    let before = fs::read_to_string(&first).unwrap();
    assert!(before.contains("SBKV[") && before.ends_with(")\n"));
    let result = review(&arguments, "");
    assert!(result.status.success(), "{}", text(&result.stderr));
    let told = format!("{done} of 3 files are reviewed already");
    assert!(text(&result.stderr).contains(&told), "{}", text(&result.stderr));
    assert!(result.stdout.is_empty());
    assert_eq!(fs::read_to_string(&first).unwrap(), before);
    assert!(fs::read_to_string(out.join("b/c.sgf")).unwrap().contains("GM[11]"));
    assert!(out.join("d.sgf").exists() && !out.join("d.sgf.part").exists());
    // A third time there is nothing to do.
    assert!(text(&review(&arguments, "").stderr).contains("3 of 3 files"));
}

#[test]
fn what_is_written_is_read_by_the_engine_and_keeps_variations() {
    let result = review(&["--visits", "20", "--least", "0"], GO);
    assert!(result.status.success(), "{}", text(&result.stderr));
    let written = text(&result.stdout);
    assert!(written.contains("(;B[bb]") && written.contains("(;B[dd])"), "{written}");
    let games = folder(&[("game.sgf", &written)]);
    let path = games.path().join("game.sgf");
    let mut engine = Program::start(&["go", "--threads", "1", "--no-model", "--memory", "64"]);
    assert!(engine.ask(&format!("loadsgf {}", path.display())).starts_with("= "));
    assert!(engine.ask("printsgf").contains(";B[bb]\n;W[bc])"));
    // The review of the review says the same once.
    let again = text(&review(&["--visits", "20", "--least", "0", argument(&path)], "").stdout);
    let count = |text: &str| text.matches("Losange: ").count();
    assert_eq!(count(&again), count(&written), "{again}");
}

#[test]
fn json_and_tables_go_to_standard_output_in_the_order_of_the_files() {
    let games = folder(&[("a.sgf", GO), ("b.sgf", HEX)]);
    let result = review(&[argument(games.path()), "--visits", "20", "--format", "json"], "");
    let told = text(&result.stdout);
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let files: Vec<bool> = lines.iter().map(|line| line["file"].as_str().unwrap().ends_with("a.sgf")).collect();
    assert_eq!(files, [true, true, true, true, true, true, false, false, false, false, false]);
    assert_eq!((&lines[5]["kind"], &lines[10]["kind"]), (&"go".into(), &"hex".into()));
    let result = review(&[argument(games.path()), "--visits", "20", "--format", "table", "--all"], "");
    let told = text(&result.stdout);
    assert!(told.contains("a.sgf: Go, 5x5, 4 moves\n") && told.contains("b.sgf: Hex, 4x4, 3 moves\n"), "{told}");
    assert!(told.contains("   1 black C3 ") && told.contains("   2 white c3 "), "{told}");
}

/// A link is reviewed as the game in it, alone or in a file.
#[test]
fn links_to_hexworld_are_games() {
    let link = "https://hexworld.org/board/#4c1,b2c2,c1";
    let games = folder(&[("link.sgf", link)]);
    for from in [link, argument(games.path())] {
        let result = review(&[from, "--visits", "10", "--format", "json"], "");
        let told = text(&result.stdout);
        let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let moves: Vec<_> = lines.iter().filter_map(|line| line["move"].as_str()).collect();
        assert_eq!(moves, ["b2", "c2", "c1"], "{told}{}", text(&result.stderr));
        assert_eq!(lines.last().unwrap()["kind"], "hex");
    }
}

#[test]
fn files_that_cannot_be_reviewed_are_told_and_the_others_are_reviewed() {
    let games = folder(&[("a.sgf", "(;GM[1]SZ[5];B[aa]"), ("b.sgf", HEX), ("c.sgf", "(;GM[3];B[aa])"), ("d.sgf", "")]);
    let out = games.path().join("out");
    let result = review(&[argument(games.path()), "--out", argument(&out), "--visits", "10"], "");
    let errors = text(&result.stderr);
    assert_eq!(result.status.code(), Some(1), "{errors}");
    assert!(errors.contains("a.sgf: it ends in the middle of the game"), "{errors}");
    assert!(errors.contains("c.sgf: it is of a game that is not played here, its GM is 3"), "{errors}");
    assert!(errors.contains("d.sgf: it is no SGF file") && errors.contains("3 of 4 files could not be reviewed"));
    assert!(out.join("b.sgf").exists() && !out.join("a.sgf").exists());
    for (arguments, wrong) in [
        (&["none.sgf"][..], "none.sgf: "),
        (&[argument(games.path()), "--out", argument(games.path())], "would be written over"),
        (&[argument(&out.join("b.sgf")), argument(&games.path().join("b.sgf")), "--out", "x"], "two files would be"),
        (&["https://hexworld.org/board/#11,a1a1"], "a1"),
        (&["https://playhex.org/games/1"], "a link is read if it is one to HexWorld's board"),
        (&["https://hexworld.org/board/#5,a1", "--out", "x"], "has no name"),
        (&["--out", "x"], "standard input has no name"),
        (&["--set", "nothing=1", argument(&out)], "nothing"),
        (&["--time", "0", argument(&out)], "no time to search"),
    ] {
        let result = review(&[arguments, &["--visits", "10"]].concat(), "");
        let errors = text(&result.stderr);
        assert!(result.status.code() == Some(1) && errors.contains(wrong), "{arguments:?}: {errors}");
        assert!(result.stdout.is_empty());
    }
    // A record is no answer, and is not lost.
    let records = folder(&[("b.sgf", GO)]);
    let arguments =
        [argument(&games.path().join("b.sgf")), "--out", argument(records.path()), "--visits", "10"].map(str::to_owned);
    for again in [&[][..], &["--again"]] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(again.iter().copied()).collect();
        let result = review(&arguments, "");
        assert!(!result.status.success() && text(&result.stderr).contains("is no answer of a review"));
    }
    assert_eq!(fs::read_to_string(records.path().join("b.sgf")).unwrap(), GO);
    let result = review(&["--set", "search=pvs", "--visits", "10"], GO);
    let errors = text(&result.stderr);
    assert!(!result.status.success() && errors.contains("Go has no search 'pvs'"), "{errors}");
    assert_eq!(review(&["--visits", "0"], GO).status.code(), Some(2));
    assert_eq!(review(&["--format", "pdf"], GO).status.code(), Some(2));
}
