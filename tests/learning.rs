//! Self-play and matches through the real program.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use losange::players::Kind;
use support::command;

/// The folder of a run with a model to begin with.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy("tests/fixtures/hex-actions.onnx", folder.path().join("model.onnx")).unwrap();
    folder
}

fn play(folder: &Path, more: &[&str]) -> Child {
    command(&["selfplay"])
        .arg(folder)
        .args(["--sizes", "5,6", "--threads", "2", "--games", "4", "--descents", "5", "--keep", "1", "--shard", "100"])
        .args(["--backend", "embedded"])
        .args(more)
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Positions in the shards of a run; each of them must be whole.
fn positions(folder: &Path) -> usize {
    let mut count = 0;
    for entry in fs::read_dir(folder.join("shards")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "npz") {
            continue;
        }
        let mut archive = zip::ZipArchive::new(fs::File::open(&path).unwrap()).unwrap();
        let mut lengths = Vec::new();
        for name in ["planes.npy", "targets.npy", "weights.npy"] {
            let mut bytes = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
            assert!(bytes.starts_with(b"\x93NUMPY"), "{}", path.display());
            lengths.push((bytes.len() - 128) / 4);
        }
        // Boards of 4x4 to 6x6: planes with a border, and a number for each cell.
        let n = [(4 * 36, 16), (4 * 49, 25), (4 * 64, 36)].iter().find_map(|&(planes, actions)| {
            (lengths[0] / planes * planes == lengths[0] && lengths[0] / planes * actions == lengths[1])
                .then_some(lengths[1] / actions)
        });
        assert_eq!(lengths[1], lengths[2]);
        count += n.unwrap_or_else(|| panic!("{} {lengths:?}", path.display()));
    }
    count
}

fn games(folder: &Path) -> u64 {
    fs::read_to_string(folder.join("0.games")).map_or(0, |text| text.trim().parse().unwrap())
}

#[test]
fn games_are_played_and_what_is_learned_is_written() {
    let folder = folder();
    assert!(play(folder.path(), &["--time", "3", "--seed", "1"]).wait().unwrap().success());
    let (first, positions_then) = (games(folder.path()), positions(folder.path()));
    assert!(first > 10 && positions_then >= 200, "{first} games, {positions_then} positions");
    // Another process goes on counting.
    assert!(play(folder.path(), &["--time", "2"]).wait().unwrap().success());
    assert!(games(folder.path()) > first && positions(folder.path()) > positions_then);
}

/// A trainer that is behind has the games wait, and games by the bare model may be played alone.
#[test]
fn games_wait_for_the_trainer() {
    let folder = folder();
    let wait = folder.path().join("wait");
    fs::write(&wait, "").unwrap();
    let mut child = play(folder.path(), &["--outcome-share", "1", "--outcome-keep", "1", "--time", "60"]);
    thread::sleep(Duration::from_secs(2));
    assert_eq!((games(folder.path()), positions(folder.path())), (0, 0));
    fs::remove_file(&wait).unwrap();
    let begun = Instant::now();
    while games(folder.path()) < 20 || positions(folder.path()) < 200 {
        assert!(begun.elapsed() < Duration::from_secs(50), "nothing is played");
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_player_that_is_killed_leaves_whole_shards() {
    let folder = folder();
    let mut before = 0;
    for round in 0..6 {
        let mut child = play(folder.path(), &[]);
        // Long enough to be in the middle of something, at another moment each time.
        thread::sleep(Duration::from_millis(700 + 137 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = positions(folder.path());
        assert!(now >= before);
        before = now;
    }
    assert!(before >= 100, "{before}");
}

/// Names in the shards of a run that end like that.
fn shards(folder: &Path, end: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.join("shards")).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(end)).collect()
}

#[cfg(unix)]
#[test]
fn what_was_learned_is_written_when_a_signal_ends_it() {
    let teacher = tempfile::tempdir().unwrap();
    let taught = ["--teacher", "clobber", "--sizes", "4"];
    let played = folder();
    for (folder, more) in [(teacher.path(), &taught[..]), (played.path(), &["--sizes", "5"])] {
        fs::create_dir(folder.join("shards")).unwrap();
        // What one of that name has left, and what another one is writing.
        fs::write(folder.join("shards/000000000000001-0-1-1.part"), "half").unwrap();
        fs::write(folder.join("shards/000000000000001-9-1-1.part"), "half").unwrap();
        let mut child = command(&["selfplay"])
            .arg(folder)
            .args(["--shard", "1000000", "--threads", "1", "--games", "4", "--descents", "2", "--backend", "embedded"])
            .args(more)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(2500));
        assert!(shards(folder, ".npz").is_empty(), "nothing is written before");
        let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        assert!(killed.success() && child.wait().unwrap().success());
        assert_eq!(shards(folder, ".npz").len(), 1);
        assert_eq!(shards(folder, ".part"), ["000000000000001-9-1-1.part"]);
    }
}

#[test]
fn a_new_model_is_taken_while_playing() {
    let folder = folder();
    let mut child = command(&["-v", "selfplay"])
        .arg(folder.path())
        .args(["--sizes", "5", "--threads", "1", "--backend", "embedded", "--time", "6"])
        .spawn()
        .unwrap();
    let put = |write: &dyn Fn(&Path)| {
        let partial = folder.path().join("model.part");
        write(&partial);
        fs::rename(partial, folder.path().join("model.onnx")).unwrap();
    };
    thread::sleep(Duration::from_millis(1500));
    put(&|path| assert!(fs::copy("tests/fixtures/hex-variants/float32.onnx", path).is_ok()));
    thread::sleep(Duration::from_millis(2000));
    // Something that is no model is not taken, and the games go on.
    put(&|path| fs::write(path, "half of a model").unwrap());
    let start = Instant::now();
    let status = child.wait().unwrap();
    assert!(status.success() && start.elapsed() > Duration::from_secs(1));
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(
        log.contains("a new model") && log.contains("the new model is not taken") && log.contains("games,"),
        "{log}"
    );
}

#[test]
fn what_is_missing_for_self_play_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| support::run(&[&["selfplay", folder.path().to_str().unwrap()], more].concat());
    let (success, _, stderr) = run(&[]);
    assert!(!success && stderr.contains("train.py makes the first one"), "{stderr}");
    for (model, sizes, reason) in [
        ("hex-actions", "5,14", "does not serve 14x14"),
        ("hex-value", "5,14", "does not serve 14x14"),
        ("go-value", "5", "Go needs a policy too"),
    ] {
        fs::copy(format!("tests/fixtures/{model}.onnx"), folder.path().join("model.onnx")).unwrap();
        let (success, _, stderr) = run(&["--sizes", sizes, "--backend", "embedded"]);
        assert!(!success && stderr.contains(reason), "{stderr}");
    }
    fs::copy("tests/fixtures/hex-value.onnx", folder.path().join("model.onnx")).unwrap();
    let (success, _, stderr) = run(&["--sizes", "5", "--backend", "embedded", "--outcome-share", "0.3"]);
    assert!(!success && stderr.contains("--outcome-share plays by values of moves"), "{stderr}");
}

#[test]
fn a_teacher_needs_no_model() {
    for kind in Kind::ALL {
        let sizes = if *kind == Kind::Hex { "5,6".to_owned() } else { kind.boards().nearest(4).to_string() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let arguments =
            ["selfplay", path, "--teacher", kind.word(), "--sizes", &sizes, "--time", "0.5", "--shard", "200"];
        let (success, _, stderr) = support::run(&arguments);
        assert!(success && stderr.contains("positions in"), "{stderr}");
        assert!(fs::read_dir(folder.path().join("shards")).unwrap().count() > 0);
    }
}

/// Models of states begin with ends of games by chance, as many as are asked for; a worth that the game does not have is refused.
#[test]
fn ends_by_chance_begin_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let ends =
        ["selfplay", path, "--teacher", "hex", "--sizes", "5", "--threads", "1", "--ends", "50", "--shard", "20"];
    let (success, _, stderr) = support::run(&[&ends[..], &["--worth", "depth"]].concat());
    assert!(success && stderr.contains("50 games") && stderr.contains("50 positions"), "{stderr}");
    for (more, reason) in [
        (["--worth", "scoring"], "Hex has no points"),
        (["--worth", "presence"], "no more pieces"),
        (["--preset", "avalam-2021"], "the preset 'avalam-2021' is for Avalam"),
        (["--preset", "descent"], "unknown preset 'descent': expected one of ubfm-2019"),
    ] {
        let (success, _, stderr) = support::run(&[&ends[..], &more[..]].concat());
        assert!(!success && stderr.contains(reason), "{stderr}");
    }
}

/// A preset plays in a match and in self-play, and what is given beside it goes before it.
#[test]
fn presets_play() {
    let arena = ["arena", "--game", "hex", "--size", "3", "--games", "2", "--playouts", "5", "--preset-first", "yopt"];
    let (success, stdout, stderr) =
        support::run(&[&arena[..], &["--preset-second", "ubfm-2019", "--set-second", "search=ubfm_s"]].concat());
    assert!(success && stdout.contains("of 2"), "{stdout}{stderr}");
    let (success, _, stderr) = support::run(&[&arena[..], &["--preset-second", "bhrf-mean"]].concat());
    assert!(!success && stderr.contains("the preset 'bhrf-mean' is for Go, and not for Hex"), "{stderr}");
    for preset in ["descent-2019", "descent-2020"] {
        let folder = folder();
        let path = folder.path().to_str().unwrap();
        let play =
            ["selfplay", path, "--sizes", "4", "--threads", "1", "--games", "1", "--descents", "1", "--time", "0.7"];
        let (success, _, stderr) =
            support::run(&[&play[..], &["--backend", "embedded", "--swap", "0.5", "--preset", preset]].concat());
        assert!(success && positions(folder.path()) > 0, "{stderr}");
    }
}

/// Two rounds of games write weights, and say what comes of them.
#[test]
fn patterns_of_othello_are_learned_from_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("patterns.bin");
    let learn = |out: &str| {
        support::run(&["learn-patterns", "--rounds", "2", "--seconds", "1", "--threads", "2", "--out", out])
    };
    let (success, stdout, stderr) = learn(out.to_str().unwrap());
    assert!(success && stdout.lines().count() == 2 && stdout.contains("round 2: "), "{stdout} {stderr}");
    let size = fs::metadata(&out).unwrap().len();
    assert!(size > 1_000 && size < 500_000, "{size}");
    let (success, _, stderr) = learn("/nowhere/at/all.bin");
    assert!(!success && stderr.contains("/nowhere/at/all.bin cannot be written"), "{stderr}");
}

/// The choices of searches of Go are learned from their shards, and nothing is written where there are none.
#[test]
fn looks_of_moves_are_learned_from_shards() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().to_str().unwrap(), folder.path().join("shapes.bin"));
    let fit = |runs: &[&str], out: &Path| {
        support::run(&[&["fit-patterns"], runs, &["--out", out.to_str().unwrap()]].concat())
    };
    let (success, _, stderr) = fit(&[path], &out);
    assert!(!success && stderr.contains("shards cannot be read") && !out.exists(), "{stderr}");
    fs::create_dir(folder.path().join("shards")).unwrap();
    let (success, _, stderr) = fit(&[path], &out);
    assert!(!success && stderr.contains("losange selfplay DIR --teacher go") && !out.exists(), "{stderr}");
    let teach = ["selfplay", path, "--teacher", "go", "--sizes", "5", "--searches", "50", "--learned", "1"];
    let (success, _, stderr) =
        support::run(&[&teach[..], &["--time", "2", "--shard", "100", "--threads", "1"]].concat());
    assert!(success, "{stderr}");
    let (success, stdout, stderr) = fit(&[path, path], &out);
    assert!(success && stdout.contains("positions to learn from") && stdout.lines().count() == 3, "{stdout} {stderr}");
    assert_eq!(fs::metadata(&out).unwrap().len(), fs::metadata("models/go-shapes.bin").unwrap().len());
    let (success, _, stderr) = fit(&[path], Path::new("/nowhere/at/all.bin"));
    assert!(!success && stderr.contains("/nowhere/at/all.bin cannot be written"), "{stderr}");
    fs::write(folder.path().join("shards/broken.npz"), b"no archive").unwrap();
    let (success, _, stderr) = fit(&[path], &out);
    assert!(!success && stderr.contains("broken.npz cannot be read"), "{stderr}");
}

/// The teacher of Go may ask a model, which must be one of Go with a policy.
#[test]
fn a_teacher_takes_advice() {
    let folder = tempfile::tempdir().unwrap();
    let taught = |game: &str, model: &str| {
        let (path, model) = (folder.path().to_str().unwrap(), format!("tests/fixtures/{model}.onnx"));
        let fixed = ["--sizes", "5", "--searches", "20", "--time", "1", "--shard", "50", "--backend", "embedded"];
        support::run(&[&["selfplay", path, "--teacher", game, "--adviser", &model], &fixed[..]].concat())
    };
    let (success, _, stderr) = taught("go", "go-policy");
    assert!(success && fs::read_dir(folder.path().join("shards")).unwrap().count() > 0, "{stderr}");
    for (game, model, reason) in [
        ("go", "go-value", "Go needs a policy too"),
        ("go", "hex-policy", "the run is for Go"),
        ("hex", "go-policy", "the teacher of Hex asks no adviser"),
    ] {
        let (success, _, stderr) = taught(game, model);
        assert!(!success && stderr.contains(reason), "{stderr}");
    }
}

/// Go by the model's policy: owners and leads are learned too.
#[test]
fn go_is_played_by_policy() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy("tests/fixtures/go-policy.onnx", folder.path().join("model.onnx")).unwrap();
    let path = folder.path().to_str().unwrap();
    let fixed = ["--sizes", "5", "--threads", "1", "--games", "4", "--searches", "10", "--learned", "1"];
    let (success, _, stderr) = support::run(
        &[&["selfplay", path], &fixed[..], &["--time", "5", "--shard", "100", "--backend", "embedded"]].concat(),
    );
    assert!(success, "{stderr}");
    // The last one has what was left.
    let shards = fs::read_dir(folder.path().join("shards")).unwrap().map(|entry| entry.unwrap());
    let shard = shards.max_by_key(|entry| entry.metadata().unwrap().len()).unwrap().path();
    let mut archive = zip::ZipArchive::new(fs::File::open(shard).unwrap()).unwrap();
    let mut numbers = |name: &str| {
        let mut bytes = Vec::new();
        archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
        let floats = bytes[128..].as_chunks::<4>().0;
        floats.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect::<Vec<_>>()
    };
    let (targets, scores, owners) = (numbers("targets.npy"), numbers("scores.npy"), numbers("owners.npy"));
    let count = scores.len();
    assert!(count >= 100 && targets.len() == 26 * count && owners.len() == 25 * count, "{count}");
    assert!(owners.iter().all(|owner| [-1.0, 0.0, 1.0].contains(owner)));
    // The lead is that of the owners, komi aside, which the planes tell.
    let planes = numbers("planes.npy");
    for number in 0..count {
        let given = 15.0 * planes[(number * 21 + 13) * 25];
        let lead: f32 = owners[25 * number..25 * (number + 1)].iter().sum();
        assert!((lead + given - scores[number]).abs() < 1e-3, "{lead} {given} {}", scores[number]);
    }
}

/// A network in another format and encoding teaches models of the engine's own.
#[test]
fn what_another_model_says_is_learned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let fixed =
        ["--sizes", "5", "--threads", "1", "--games", "8", "--time", "3", "--shard", "50", "--backend", "embedded"];
    let label = |by: &str| support::run(&[&["selfplay", path, "--labels", by], &fixed[..]].concat());
    let (success, _, stderr) = label("tests/fixtures/katago/v11.bin.gz");
    assert!(success, "{stderr}");
    let shard = fs::read_dir(folder.path().join("shards")).unwrap().next().unwrap().unwrap().path();
    // By that the trainer counts it among the lessons of a teacher.
    assert!(shard.to_str().unwrap().contains("-teacher"), "{}", shard.display());
    let shard = losange::learn::shard::Shard::read(&shard).unwrap();
    let count = shard.len();
    assert!(count > 0 && shard.shape == [21, 5, 5] && shard.actions == 26, "{count} {:?}", shard.shape);
    assert_eq!((shard.values.len(), shard.scores.len(), shard.owners.len()), (count, count, 25 * count));
    // Its own numbers, not those of an end.
    assert!(shard.owners.iter().any(|owner| owner.fract() != 0.0));
    for (by, reason) in [("tests/fixtures/hex-value.onnx", "policy"), ("/nowhere.onnx", "/nowhere.onnx")] {
        let (success, _, stderr) = label(by);
        assert!(!success && stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn matches_of_the_other_games() {
    let fixed = ["--games", "4", "--playouts", "1000", "--backend", "embedded"];
    let arena = |more: &[&str]| support::run(&[&["arena"], more, &fixed[..]].concat());
    let (success, stdout, stderr) = arena(&["--game", "clobber", "--size", "4x3", "--set-second", "search=random"]);
    assert!(success && stdout.contains(" of 4: "), "{stdout}{stderr}");
    // The greedy player beats chance.
    let greedy = ["--set-first", "search=alphabeta", "--set-first", "depth=1", "--set-second", "search=random"];
    let (success, stdout, stderr) = arena(&[&["--game", "avalam"], &greedy[..]].concat());
    assert!(success && stdout.contains("4 won, 0 drawn, 0 lost of 4"), "{stdout}{stderr}");
    let (success, stdout, stderr) = arena(&["--game", "solitaire", "--size", "4", "--set-second", "search=random"]);
    assert!(success && stdout.contains("first: 1.00 ± 0.00 stones left in 4 games"), "{stdout}{stderr}");
    let (success, _, stderr) = arena(&["--game", "avalam", "--size", "8"]);
    assert!(!success && stderr.contains("Avalam is played on its own board of 9x9"), "{stderr}");
    // A search or a parameter that the game does not have compares nothing.
    let (success, _, stderr) = arena(&["--game", "go", "--set-first", "search=ubfm"]);
    assert!(!success && stderr.contains("Go has no search 'ubfm'; it has usual, yopt, mcts, puct, random"), "{stderr}");
    let (success, _, stderr) = arena(&["--game", "avalam", "--set-second", "solver_share=0"]);
    assert!(!success && stderr.contains("Avalam has no parameter 'solver_share'; it has search, "), "{stderr}");
    let (success, stdout, stderr) = arena(&["--game", "go", "--size", "5", "--set-second", "search=random"]);
    assert!(success && stdout.contains("4 won, 0 drawn, 0 lost of 4"), "{stdout}{stderr}");
    let (success, _, stderr) = arena(&["--game", "clobber", "--opening", "A1-C3"]);
    assert!(!success && stderr.contains("'A1-C3' is no move"), "{stderr}");
}

/// A match that is broken off tells how it stood.
#[cfg(unix)]
#[test]
fn a_match_that_is_broken_off_tells_how_it_stood() {
    let mut arena =
        command(&["-v", "arena", "--game", "clobber", "--games", "1000000", "--playouts", "100"]).spawn().unwrap();
    let mut log = BufReader::new(arena.stderr.take().unwrap()).lines();
    let played = log.by_ref().map(Result::unwrap).filter(|line| line.contains("played")).nth(2);
    assert!(played.unwrap().contains("of=3"));
    let kill = Command::new("kill").args(["-TERM", &arena.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let last = log.map(Result::unwrap).last().unwrap();
    let output = arena.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let games: u32 =
        last.strip_prefix("losange: broken off after ").unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(!output.status.success() && games >= 3, "{last}");
    assert!(stdout.contains(&format!(" lost of {games}: ")), "{stdout}{last}");
}

#[test]
fn small_boards_of_clobber_are_solved() {
    let solve = |more: &[&str]| support::run(&[&["solve", "--game", "clobber", "--threads", "1"], more].concat());
    for (size, verdict) in
        [("2x3", "whoever is to move loses"), ("4x3", "whoever is to move loses"), ("5x3", "is to move wins")]
    {
        let (success, stdout, stderr) = solve(&["--size", size]);
        assert!(success && stdout.contains(verdict), "{size}: {stdout}{stderr}");
    }
    let (success, stdout, stderr) = solve(&["--size", "3x1", "--play", "A1-B1"]);
    assert!(success && stdout.contains("white to move: black wins"), "{stdout}{stderr}");
    let (success, _, stderr) = solve(&["--size", "11"]);
    assert!(!success && stderr.contains("at most 10x10"), "{stderr}");
}

#[test]
fn ends_of_othello_are_solved() {
    let solve = |more: &[&str]| support::run(&[&["solve", "--game", "othello", "--threads", "1"], more].concat());
    let (success, stdout, stderr) = solve(&[]);
    assert!(success && stdout.contains("white wins by 8 discs ("), "{stdout}{stderr}");
    // The left half is full, and White has the last column.
    let late = format!("{} X", "XXXX---O".repeat(8));
    let (success, _, stderr) = solve(&["--position", &late]);
    assert!(!success && stderr.contains("the game is over: black wins by 24 discs"), "{stderr}");
    let nearly = format!("{}{}; X", "XXXXXXXX".repeat(7), "XXXXXOO-");
    let (success, stdout, stderr) = solve(&["--position", &nearly]);
    assert!(success && stdout.contains("black wins by 64 discs (") && stdout.contains("with h8"), "{stdout}{stderr}");
    // Four corners are all that is left, none of which anyone can take.
    let empty = format!("-OOOOOO-{}-OOOOOO- O", "OOOOOOOO".repeat(6));
    let (success, _, stderr) = solve(&["--position", &empty]);
    assert!(!success && stderr.contains("white wins by 60 discs"), "{stderr}");
    for (more, expected) in [
        (&["--position", "XXO- X"][..], "'XXO- X' is no position"),
        (&["--size", "10"], "from 4x4 to 8x8"),
        (&["--play", "a1"], "'a1' cannot be played"),
        (&["--size", "8", "--limit", "0.1"], "not solved"),
    ] {
        let (success, _, stderr) = solve(more);
        assert!(!success && stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn matches_are_counted_from_both_sides() {
    let fixed = ["arena", "--size", "4", "--games", "6", "--playouts", "40", "--backend", "embedded"];
    let (success, stdout, stderr) = support::run(&fixed);
    // Against itself, each opening is won once from either side.
    assert!(success && stdout.contains("3 won, 0 drawn, 3 lost of 6: 50.0 %"), "{stdout}{stderr}");
    let model = ["--first", "tests/fixtures/hex-policy.onnx", "--sprt", "-400,400"];
    let (success, stdout, stderr) = support::run(&[&fixed[..], &model].concat());
    assert!(success && stdout.contains("thinking time"), "{stdout}{stderr}");
    let go = ["arena", "--game", "go", "--size", "5", "--games", "2", "--playouts", "30", "--backend", "embedded"];
    let (success, stdout, stderr) = support::run(&[&go[..], &["--first", "tests/fixtures/go-policy.onnx"]].concat());
    assert!(success && stdout.contains(" of 2: "), "{stdout}{stderr}");
    let (success, _, stderr) = support::run(&["arena", "--size", "14", "--first", "tests/fixtures/hex-value.onnx"]);
    assert!(!success && stderr.contains("does not serve 14x14"), "{stderr}");
    let (success, _, stderr) = support::run(&["arena", "--sprt", "3"]);
    assert!(!success && stderr.contains("two leads in Elo"), "{stderr}");
}

/// Options of a trainer of a tiny net. No shard leaves its window, so that all can be counted.
const TINY: [&str; 10] =
    ["--channels", "4", "--blocks", "1", "--batch", "32", "--publish", "1", "--window", "1000000000"];

/// The trainer, which asks this program about games.
fn train() -> Command {
    let mut command = Command::new("scripts/train/train.py");
    command.env("LOSANGE", env!("CARGO_BIN_EXE_losange"));
    command
}

/// The loop of self-play and training, on a tiny net.
fn learn(folder: &Path, minutes: &str) -> Command {
    let mut command = Command::new("scripts/learn.sh");
    command.arg("--state").arg(folder).args(["--game", "hex", "--sizes", "4", "--minutes", minutes]);
    command.args(["--play", "--descents 5 --keep 0.2 --shard 200 --backend embedded", "--"]).args(TINY);
    command.env("LOSANGE", env!("CARGO_BIN_EXE_losange")).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

/// The last counts of the trainer: steps and positions.
fn told(output: &str) -> (u64, u64) {
    let words: Vec<&str> =
        output.lines().rev().find(|line| line.contains(" steps ")).unwrap().split_whitespace().collect();
    let before = |unit: &str| words[words.iter().position(|&word| word == unit).unwrap() - 1].parse().unwrap();
    (before("steps"), before("positions"))
}

#[test]
#[ignore = "needs PyTorch"]
fn the_loop_learns() {
    let folder = tempfile::tempdir().unwrap();
    let output = learn(folder.path(), "0.25").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let (steps, positions) = told(&stdout);
    // Some positions are held out, and the run can be looked at.
    let held_out = stdout.lines().next_back().unwrap().rsplit(' ').next().unwrap();
    assert!(held_out.parse::<f32>().is_ok_and(|loss| loss > 0.0), "{stdout}");
    assert_eq!(fs::read_dir(folder.path().join("tensorboard")).unwrap().count(), 1);
    assert!(games(folder.path()) >= 20 && steps > 10 && positions > 200, "{steps} {positions}");
    // What it made plays.
    let model = folder.path().join("model.onnx");
    let fixed = ["--games", "2", "--playouts", "20", "--backend", "embedded"];
    let (success, stdout, stderr) =
        support::run(&[&["arena", "--size", "4", "--first", model.to_str().unwrap()], &fixed[..]].concat());
    assert!(success && stdout.contains(" of 2: "), "{stdout}{stderr}");
    // Another run that goes on from it begins with the same values, and goes on; so does one with a larger net. One with a smaller is refused.
    let twins = tempfile::tempdir().unwrap();
    let from = |run: &Path, minutes: &str, shape: &[&str]| {
        let mut trainer = train();
        trainer.arg(run).args(["--sizes", "4", "--minutes", minutes, "--start"]).arg(&model);
        trainer.args(TINY).args(shape).output().unwrap()
    };
    let run = twins.path().join("run");
    assert!(from(&run, "0", &[]).status.success());
    let larger = twins.path().join("larger");
    assert!(from(&larger, "0", &["--channels", "24", "--blocks", "3"]).status.success());
    fs::copy(&model, twins.path().join("one.onnx")).unwrap();
    fs::copy(run.join("model.onnx"), twins.path().join("other.onnx")).unwrap();
    let small = fs::metadata(&model).unwrap().len();
    fs::copy(larger.join("model.onnx"), twins.path().join("larger.onnx")).unwrap();
    assert!(fs::metadata(twins.path().join("larger.onnx")).unwrap().len() > 2 * small);
    let (success, stdout, stderr) = support::run(&["model", "check", twins.path().to_str().unwrap()]);
    assert!(success && stdout.matches("at most 0.000,").count() >= 2, "{stdout}{stderr}");
    let shards = folder.path().join("shards");
    for (run, shape) in [(&run, &[][..]), (&larger, &["--channels", "24", "--blocks", "3"])] {
        for shard in fs::read_dir(&shards).unwrap() {
            let shard = shard.unwrap();
            fs::copy(shard.path(), run.join("shards").join(shard.file_name())).unwrap();
        }
        let (before, after) = (fs::read(run.join("model.onnx")).unwrap(), from(run, "0.05", shape));
        assert!(after.status.success() && told(&String::from_utf8(after.stdout).unwrap()).0 > 0);
        assert_ne!(before, fs::read(run.join("model.onnx")).unwrap());
    }
    let other = from(&twins.path().join("wrong"), "0", &["--channels", "3"]);
    assert!(!other.status.success() && String::from_utf8_lossy(&other.stderr).contains("is another network"));
}

/// The net of the paper, which values states: the loop makes one that plays; several boards at once it does not serve.
#[test]
#[ignore = "needs PyTorch"]
fn the_loop_learns_values_of_states() {
    let folder = tempfile::tempdir().unwrap();
    let output = learn(folder.path(), "0.25").args(["--learn", "states", "--channels", "8"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let (steps, positions) = told(&stdout);
    assert!(games(folder.path()) >= 20 && steps > 5 && positions > 100, "{stdout}");
    let model = folder.path().join("model.onnx");
    let (success, stdout, stderr) = support::run(&["model", "inspect", model.to_str().unwrap()]);
    assert!(success && stdout.contains("value") && !stdout.contains("actions"), "{stdout}{stderr}");
    let fixed = ["--games", "2", "--playouts", "20", "--backend", "embedded"];
    let (success, stdout, stderr) =
        support::run(&[&["arena", "--size", "4", "--first", model.to_str().unwrap()], &fixed[..]].concat());
    assert!(success && stdout.contains(" of 2: "), "{stdout}{stderr}");
    let refused =
        learn(folder.path(), "0.1").args(["--sizes", "4,5", "--learn", "states"]).stderr(Stdio::piped()).output();
    let refused = refused.unwrap();
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("one size of board"));
}

/// A trainer that is behind says so, and no longer once it has caught up.
#[test]
#[ignore = "needs PyTorch"]
fn a_trainer_that_is_behind_has_the_games_wait() {
    let folder = folder();
    assert!(play(folder.path(), &["--time", "3", "--seed", "1"]).wait().unwrap().success());
    let wait = folder.path().join("wait");
    for (reuse, waits) in [("1000000", true), ("0.01", false)] {
        fs::write(&wait, "").unwrap();
        let mut trainer = train();
        trainer
            .arg(folder.path())
            .args(["--sizes", "4", "--ahead", "100", "--reuse", reuse, "--minutes", "1"])
            .args(TINY);
        let mut trainer = trainer.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(trainer.stdout.take().unwrap()).lines().map(Result::unwrap);
        let reported = lines.filter(|line| line.contains(" steps ")).nth(2).unwrap();
        assert!(told(&reported).1 > 100 && wait.exists() == waits, "{reuse}: {reported}");
        trainer.kill().unwrap();
        trainer.wait().unwrap();
    }
}

/// A candidate becomes the model only if its games say so.
#[test]
#[ignore = "needs PyTorch"]
fn the_gate_lets_in_what_is_better() {
    for (leads, opens) in [("-400,-300", true), ("900,1000", false)] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let gate = [("GATE_ELO", leads), ("GATE_GAMES", "40"), ("GATE_PLAYOUTS", "5")];
        // Its options come before those of the trainer.
        let plain = learn(folder.path(), "0.3");
        let mut command = Command::new(plain.get_program());
        command.arg("--gate").args(plain.get_args()).envs(gate).env("LOSANGE", env!("CARGO_BIN_EXE_losange"));
        assert!(command.stdout(Stdio::null()).status().unwrap().success());
        let told = fs::read_to_string(at("gate.tsv")).unwrap();
        let accepted = told.lines().filter(|line| line.contains("accepted")).count();
        assert_eq!((accepted > 0, told.contains("refused")), (opens, !opens), "{leads}: {told}");
        // The models before stay, each another one.
        assert_eq!(at(&format!("before-{accepted}.onnx")).exists(), opens, "{leads}: {told}");
        assert!(!at(&format!("before-{}.onnx", accepted + 1)).exists());
        let read = |name: &str| fs::read(at(name)).unwrap();
        // The last candidate was tried too.
        assert!(read("candidate.onnx") == read(if opens { "model.onnx" } else { "tried.onnx" }), "{leads}: {told}");
        if opens {
            assert_ne!(read("model.onnx"), read("before-1.onnx"));
        }
    }
}

/// A process may be killed at any moment: another start goes on, all files are whole, and no position counts twice.
#[test]
#[ignore = "needs PyTorch"]
fn the_loop_survives_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = losange::rng::Rng::new(1);
    let rounds = if std::env::var_os("LOSANGE_LONG").is_some() { 20 } else { 6 };
    for round in 0..rounds {
        let mut child = learn(folder.path(), "60").stdout(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        // Until its processes are there, and then for some time more.
        let find = |name: &str| {
            let found = Command::new("pgrep").args(["-f", &format!("{name} {}", folder.path().display())]).output();
            String::from_utf8(found.unwrap().stdout).unwrap().lines().next().map(str::to_owned)
        };
        while find("selfplay").is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none(), "round {round}");
            thread::sleep(Duration::from_millis(50));
        }
        thread::sleep(Duration::from_millis(u64::from(rng.below(3000))));
        let victim = match round % 3 {
            0 => child.id().to_string(),
            1 => find("selfplay").unwrap(),
            _ => find("train.py").unwrap(),
        };
        assert!(Command::new("kill").args(["-9", &victim]).status().unwrap().success());
        // The others end with it.
        let status = child.wait().unwrap();
        assert!(!status.success());
        while find("selfplay").is_some() || find("train.py").is_some() {
            assert!(begun.elapsed() < Duration::from_secs(90), "round {round}: something stayed");
            thread::sleep(Duration::from_millis(50));
        }
        positions(folder.path());
    }
    // A trainer alone soon knows all that lies there.
    let mut trainer =
        train().arg(folder.path()).args(["--sizes", "4"]).args(TINY).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(trainer.stdout.take().unwrap()).lines().map(Result::unwrap);
    let second = lines.filter(|line| line.contains(" steps ")).nth(1).unwrap();
    trainer.kill().unwrap();
    trainer.wait().unwrap();
    let (steps, known) = told(&second);
    assert!(steps > 0 && known == positions(folder.path()) as u64, "{second}: {} lie there", positions(folder.path()));
}
