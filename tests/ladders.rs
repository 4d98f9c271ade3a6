//! Positions in which a ladder decides (`protocol-tests/ladders/`), each with what is right to answer; `scripts/ladders.py` made them and
//! has read them to their end.
//!
//! The short form searches little; with `LOSANGE_LONG=1` the boards have as many playouts as a core makes in about a second.

mod support;

use std::fs;
use std::path::Path;

use regex::Regex;
use support::Program;

/// Files, by the question that they ask.
const QUESTIONS: [&str; 4] = ["catch", "net", "run", "leave"];
/// Positions of all files.
const POSITIONS: usize = 50;
/// Least share of right answers, in per cent.
const WANTED: usize = 95;

/// Playouts for a move on a board of so many lines.
fn playouts(lines: usize) -> usize {
    let second = match lines {
        0..=9 => 16_000,
        10..=13 => 8_000,
        _ => 4_000,
    };
    if std::env::var_os("LOSANGE_LONG").is_some() { second } else { second / 8 }
}

/// The program, for boards of so many lines.
fn start(lines: usize) -> Program {
    Program::start(&["go", "--no-model", "--threads", "1", "--seed", "1", "--playouts", &playouts(lines).to_string()])
}

/// Asks the questions of one file; returns how many there were, and what was wrong.
fn ask(question: &str) -> (usize, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("protocol-tests/ladders/{question}.tst"));
    let expected = Regex::new(r"^#\? \[(!?)(.*)\]$").unwrap();
    let text = fs::read_to_string(path).unwrap();
    let (mut asked, mut wrong, mut answer) = (0, Vec::new(), String::new());
    let (mut program, mut size) = (start(9), "9");
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(found) = expected.captures(line) {
            asked += 1;
            let pattern = Regex::new(&format!("^(?:{})$", &found[2])).unwrap();
            if pattern.is_match(&answer) != found[1].is_empty() {
                wrong.push(format!("{question} {asked}: {answer}, not as in {line}"));
            }
        } else if !line.starts_with('#') {
            if let Some(lines) = line.strip_prefix("boardsize ").filter(|lines| *lines != size) {
                (program, size) = (start(lines.parse().unwrap()), lines);
            }
            let told = program.ask(line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start());
            answer = told.trim_start_matches('=').trim().to_owned();
            assert!(told.starts_with('='), "'{line}' answered {told}");
        }
    }
    (asked, wrong)
}

#[test]
fn ladders_are_played_right() {
    let answers = QUESTIONS.map(ask);
    let asked: usize = answers.iter().map(|(asked, _)| asked).sum();
    let wrong: Vec<&String> = answers.iter().flat_map(|(_, wrong)| wrong).collect();
    assert_eq!(asked, POSITIONS);
    assert!((asked - wrong.len()) * 100 >= WANTED * asked, "{} of {asked} wrong: {wrong:#?}", wrong.len());
}
