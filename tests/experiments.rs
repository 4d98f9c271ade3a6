//! The scripts that play the papers' experiments run to their end, and go on where they were killed.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs a script with two games a match and says what it printed.
fn script(name: &str, arguments: &[&str], settings: &[(&str, &str)], results: &Path) -> String {
    let output = Command::new("bash")
        .arg(format!("scripts/experiments/{name}.sh"))
        .args(["--games", "2"])
        .args(arguments)
        .env("LOSANGE", env!("CARGO_BIN_EXE_losange"))
        .env("LOSANGE_NO_CONFIG", "true")
        .env("RESULTS", results)
        .envs(settings.iter().copied())
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn experiments_go_on_where_they_were_killed() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results.tsv");
    let family = || script("family", &[], &[("SIZE", "3"), ("SECONDS_A_MOVE", "0.001")], &results);
    let yopt = || script("yopt", &["shapes"], &[("SIZE", "3"), ("OPENING", "a3"), ("DESCENTS", "8")], &results);
    let bhrf = || script("bhrf", &["depth"], &[("SIZES", "3"), ("PLAYOUTS", "8")], &results);
    let strategies = || script("strategies", &["8"], &[("SIZE", "3")], &results);
    let alone = [("SIZES", "3"), ("PLAYOUTS", "4"), ("MEMORY", "16")];
    let solitaire = || script("solitaire-clobber", &["sizes"], &alone, &results);
    let features = || script("search-features", &[], &[("SIZE", "7"), ("PLAYOUTS", "2")], &results);
    let levels = || script("levels", &["13"], &[("SIZE", "7")], &results);
    // What was learned stays, and is not made again.
    let runs = folder.path().join("runs");
    for worth in ["classic", "depth", "multiplicative"] {
        let state = runs.join(format!("hex/descent-tree-{worth}-1"));
        fs::create_dir_all(&state).unwrap();
        fs::copy("models/hex-7x7.onnx", state.join("model.onnx")).unwrap();
        fs::write(state.join("done"), "").unwrap();
    }
    let settings = [("RUNS", runs.to_str().unwrap()), ("SECONDS_A_MOVE", "0.001")];
    let nine = || script("nine-games", &["heuristics", "players", "hex"], &settings, &results);
    let scripts: [(&dyn Fn() -> String, usize); 8] = [
        (&family, 10),
        (&yopt, 3),
        (&bhrf, 2),
        (&strategies, 1),
        (&solitaire, 1),
        (&features, 14),
        (&levels, 2),
        (&nine, 9),
    ];
    let mut played = 0;
    for (run, matches) in scripts {
        let told = run();
        played += matches;
        let lines = fs::read_to_string(&results).unwrap();
        assert_eq!(lines.lines().count(), played, "{told}");
        // All of it stands there, and nothing is played again.
        assert_eq!(run(), told);
        // What was killed before its end is no line; it is played anew, and what stands there is not.
        let kept: String = lines.lines().take(played - 1).map(|line| format!("{line}\n")).collect();
        fs::write(&results, kept).unwrap();
        run();
        assert_eq!(fs::read_to_string(&results).unwrap().lines().count(), played);
    }
}

/// Levels are judged by a model; games that were played are not played again.
#[test]
fn losses_of_levels_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = |game: &str, size: &str| {
        let output = Command::new("python3")
            .args(["scripts/experiments/level-losses.py", "--games", "1", "--levels", "1,20", "--visits", "4"])
            .args(["--game", game, "--size", size, "--worst", "2", "--out"])
            .arg(folder.path())
            .env("LOSANGE", env!("CARGO_BIN_EXE_losange"))
            .env("LOSANGE_NO_CONFIG", "true")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for (game, size) in [("go", "5"), ("hex", "4")] {
        let told = run(game, size);
        assert_eq!(told.lines().filter(|line| line.starts_with("| 1 |") || line.starts_with("| 20 |")).count(), 6);
        let games = |level: u32| fs::read_to_string(folder.path().join(format!("{game}-{size}-level-{level}.jsonl")));
        let played = [games(1).unwrap(), games(20).unwrap()];
        run(game, size);
        assert_eq!([games(1).unwrap(), games(20).unwrap()], played);
    }
}
