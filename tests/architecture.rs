//! The floors of the house: a room may use what lies below it, never what lies above; games do not use each other. The compiler cannot check this inside one package, so this test reads the `crate::` paths.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms from the lowest floor up. `main` is the program: it may use everything.
const FLOORS: &[&str] = &["rng", "game", "games", "eval", "search", "learn", "session", "protocol", "server"];

/// The one room in which a library may be named.
const HOMES: &[(&str, &[&str])] = &[
    ("tokio", &["server"]),
    ("nom", &["protocol"]),
    ("zip", &["learn"]),
    ("indicatif", &["arena", "selfplay", "shapes", "solve"]),
    ("ort", &["eval"]),
    ("rten", &["eval"]),
    ("rten_simd", &["eval"]),
    ("rten_tensor", &["eval"]),
    ("clap", &["main", "arena", "cli", "measure", "model", "selfplay", "shapes", "solve"]),
    ("anyhow", &["main", "arena", "bench", "cli", "logging", "measure", "model", "selfplay", "shapes", "solve"]),
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// Every source file as (room, path below `src`, its code without comments and without its unit tests).
fn rooms() -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    assert!(paths.len() > 10, "the sources were not found");
    paths
        .iter()
        .map(|path| {
            let below = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let room = below.split(['/', '.']).next().unwrap().to_owned();
            let text = fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
            let code = code.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
            (room, below, code)
        })
        .collect()
}

/// The rooms that a piece of code names: the word after each `crate::`, with `use crate::{a::x, b}` taken apart.
fn used_rooms(code: &str) -> Vec<String> {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut used = Vec::new();
    for (_, rest) in code.match_indices("crate::").map(|(i, m)| (i, &code[i + m.len()..])) {
        if let Some(group) = rest.strip_prefix('{') {
            let (mut depth, mut start) = (0, 0);
            for (i, c) in group.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => {
                        used.push(word(group[start..i].trim()));
                        break;
                    }
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        used.push(word(group[start..i].trim()));
                        start = i + 1;
                    }
                    _ => {}
                }
            }
        } else {
            used.push(word(rest));
        }
    }
    used.retain(|w| !w.is_empty());
    used
}

#[test]
fn rooms_use_only_lower_rooms() {
    let floor = |room: &str| FLOORS.iter().position(|f| *f == room);
    let mut faults = Vec::new();
    for (room, file, code) in rooms() {
        let Some(own) = floor(&room) else { continue };
        for used in used_rooms(&code) {
            match floor(&used) {
                Some(other) if other > own => faults.push(format!("{file} ({room}) uses {used}, which lies above it")),
                None => faults.push(format!("{file} ({room}) uses crate::{used}, which is on no floor")),
                _ => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn games_do_not_know_each_other_and_searches_know_none() {
    let mut faults = Vec::new();
    for (room, file, code) in rooms() {
        const GAMES: [&str; 4] = ["go", "hex", "clobber", "avalam"];
        for (game, other) in GAMES.iter().flat_map(|game| GAMES.iter().map(move |other| (game, other))) {
            let named = code.contains(&format!("games::{other}"));
            if game != other && file.starts_with(&format!("games/{game}/")) && named {
                faults.push(format!("{file} names {other}"));
            }
        }
        let generic =
            matches!(room.as_str(), "search" | "learn") || room == "eval" && !file.starts_with("eval/heuristic");
        if generic && used_rooms(&code).iter().any(|used| used == "games") {
            faults.push(format!("{file} uses games, but knows only the traits in game"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn libraries_stay_in_their_rooms() {
    let mut faults = Vec::new();
    for (room, file, code) in rooms() {
        for (library, homes) in HOMES {
            let path = format!("{library}::");
            let whole = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let named = code.match_indices(&path).any(|(at, _)| whole(at));
            if named && !homes.contains(&room.as_str()) {
                faults.push(format!("{file} names {library}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Standard output belongs to the protocol: only the program's own listings may print.
#[test]
fn the_library_never_prints() {
    let mut faults = Vec::new();
    for (room, file, code) in rooms() {
        let prints = ["println!", "print!(", "dbg!("].iter().any(|p| code.contains(p));
        if prints
            && !matches!(
                room.as_str(),
                "main" | "arena" | "cli" | "bench" | "measure" | "model" | "out" | "selfplay" | "solve"
            )
        {
            faults.push(file);
        }
    }
    assert!(faults.is_empty(), "these print: {}", faults.join(", "));
}

#[test]
fn the_reader_of_use_lines_sees_groups() {
    let code = "use crate::{game::{Game, Side}, rng::Rng,\n search};\nfn f() { crate::eval::x() }";
    assert_eq!(used_rooms(code), ["game", "rng", "search", "eval"]);
}
