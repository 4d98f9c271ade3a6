//! Plays `protocol-tests/*/*.tst` through the real program.
//!
//! The files are in the regression format of the Go world: a numbered command, then `#? [regex]`, which must match the
//! whole answer; `[!regex]` must not match; a `*` behind the bracket marks a failure that is known. One addition, a
//! comment to other tools: `#! [regex]` says that the command is refused, with that text. A numbered command without
//! an expectation must succeed, an unnumbered one too. An open analysis is ended by an empty line after its first report,
//! and what draws in HexGui or GoGui by an interrupt, as they do.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use losange::players::Kind;
use regex::Regex;

/// Time for pictures on standard error, which is not read.
const DRAWING: Duration = Duration::from_millis(1200);
/// An answer that takes longer means a hang; generous, for slow machines.
const HANG: Duration = Duration::from_secs(120);

struct Engine {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

struct Answer {
    ok: bool,
    text: String,
}

impl Engine {
    fn start(game: &str, directory: &Path) -> Self {
        let mut child = support::command(&[game, "--threads", "1", "--seed", "1", "--playouts", "300"])
            .current_dir(directory)
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.expect("the program writes text")).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("the program reads");
    }

    fn line(&self, command: &str) -> String {
        self.lines.recv_timeout(HANG).unwrap_or_else(|e| panic!("no answer to '{command}': {e}"))
    }

    /// Sends a command and reads its answer, less the mark and the id.
    fn ask(&mut self, id: Option<u32>, command: &str) -> Answer {
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        self.send(&format!("{id} {command}"));
        let name = command.split_whitespace().next().unwrap_or("");
        let draws = name == "losange-analyze";
        let streams = name.ends_with("-analyze") && !name.contains("genmove") && !draws;
        if draws {
            thread::sleep(DRAWING);
            self.send("# interrupt");
        }
        // HexGui's graphics come before the answer, in blocks that end with an empty line of their own.
        let mut text = Vec::new();
        let mut first = self.line(command);
        let mut ended = false;
        while first.starts_with("gogui-gfx:") {
            while !first.is_empty() {
                text.push(std::mem::replace(&mut first, self.line(command)));
            }
            if !std::mem::replace(&mut ended, true) {
                self.send("# interrupt");
            }
            first = self.line(command);
        }
        let ok = first.starts_with('=');
        assert!(ok || first.starts_with('?'), "'{command}' answered by {first:?}");
        let rest = first[1..].strip_prefix(&id).unwrap_or_else(|| panic!("'{command}' with id {id}: {first:?}"));
        text.push(rest.strip_prefix(' ').unwrap_or(rest).to_owned());
        loop {
            let line = self.line(command);
            if line.is_empty() {
                break;
            }
            let reported = line.starts_with("info ");
            text.push(line);
            if ok && streams && reported && !ended {
                ended = true;
                self.send("");
            }
        }
        Answer { ok, text: text.join("\n") }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Already ended by `quit`, or a test has failed: either way nothing must stay behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Case {
    line: usize,
    id: Option<u32>,
    command: String,
    /// Pattern, must it match, is the command refused, is failure known.
    expect: Option<(Regex, bool, bool, bool)>,
}

fn parse(path: &Path) -> Vec<Case> {
    let expectation = Regex::new(r"^#([?!]) \[(!?)(.*)\](\*?)\s*$").unwrap();
    let numbered = Regex::new(r"^(\d+) +(.*)$").unwrap();
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
        let place = format!("{}:{}", path.display(), number + 1);
        if let Some(found) = expectation.captures(line) {
            let last = cases.last_mut().unwrap_or_else(|| panic!("{place}: nothing to expect of"));
            assert!(
                last.expect.is_none() && last.id.is_some(),
                "{place}: the command before it has no number, or two expectations"
            );
            let regex = Regex::new(&format!("(?s)^(?:{})$", &found[3])).unwrap_or_else(|e| panic!("{place}: {e}"));
            last.expect = Some((regex, found[2].is_empty(), &found[1] == "!", !found[4].is_empty()));
        } else if line.starts_with("#?") || line.starts_with("#!") {
            panic!("{place}: malformed expectation");
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            let (id, command) = match numbered.captures(line) {
                Some(found) => (Some(found[1].parse().unwrap()), found[2].to_owned()),
                None => (None, line.to_owned()),
            };
            cases.push(Case { line: number + 1, id, command, expect: None });
        }
    }
    cases
}

fn files(game: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests").join(game);
    let mut files: Vec<_> = fs::read_dir(&directory)
        .unwrap_or_else(|e| panic!("{}: {e}", directory.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "tst"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .tst files in {}", directory.display());
    files
}

/// Runs one file against a fresh program; returns what went wrong.
fn run(game: &str, path: &Path) -> Vec<String> {
    let mut engine = Engine::start(game, path.parent().unwrap());
    let mut faults = Vec::new();
    for case in parse(path) {
        let answer = engine.ask(case.id, &case.command);
        let passed = match &case.expect {
            None => answer.ok,
            Some((regex, must_match, refused, _)) => {
                answer.ok != *refused && regex.is_match(&answer.text) == *must_match
            }
        };
        let known = case.expect.as_ref().is_some_and(|e| e.3);
        if passed == known {
            let what = if known { "passes, but is marked as a known failure" } else { "" };
            let mark = if answer.ok { '=' } else { '?' };
            faults.push(format!(
                "{}:{}: '{}' answered '{mark} {}', expected {} {what}",
                path.file_name().unwrap().display(),
                case.line,
                case.command,
                answer.text,
                case.expect.as_ref().map_or("success".to_owned(), |e| format!(
                    "{}{}{}",
                    if e.2 { "? " } else { "= " },
                    if e.1 { "" } else { "not " },
                    e.0
                )),
            ));
        }
    }
    engine.send("quit");
    let goodbye = engine.line("quit");
    if !goodbye.starts_with('=') {
        faults.push(format!("{}: quit answered {goodbye:?}", path.display()));
    }
    faults
}

fn run_all(game: &str) {
    let faults: Vec<String> = files(game).iter().flat_map(|path| run(game, path)).collect();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// Two games at a time, so that limits of time hold on small machines.
#[test]
fn every_game_answers_as_written() {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(kind) = Kind::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run_all(kind.word());
                }
            });
        }
    });
}
