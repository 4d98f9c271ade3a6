//! Files from hostile hands: models that are changed or made to harm, shards, and paths that are no files. Each is met with an error,
//! in bounded memory. The seeds are fixed; `LOSANGE_LONG=1` tries a thousand models and five hundred shards.

mod mutations;
mod onnx;
mod shards;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use losange::protocol::replay;
use losange::rng::Rng;

/// KiB of addresses that the program may have: a model of some kilobytes needs a part of it. The library of ONNX Runtime needs more.
const ADDRESSES: u64 = 700 << 10;
const ADDRESSES_WITH_LIBRARY: u64 = 2 << 20;
/// Time in which a file is refused or played with; generous, for slow machines.
const HANG: Duration = Duration::from_secs(60);

fn is_long() -> bool {
    std::env::var_os("LOSANGE_LONG").is_some()
}

/// Plays a few moves with a model, with bounded memory and time.
fn play(game: &str, model: &Path, back_end: &str) -> Output {
    let addresses = if back_end == "embedded" { ADDRESSES } else { ADDRESSES_WITH_LIBRARY };
    let mut child = Command::new("sh")
        .env("LOSANGE_NO_CONFIG", "true")
        .args([
            "-c",
            "ulimit -v $0; ulimit -c 0; echo genmove b | exec \"$@\"",
            &addresses.to_string(),
            env!("CARGO_BIN_EXE_losange"),
            game,
        ])
        .args([
            "--size",
            "5",
            "--playouts",
            "8",
            "--threads",
            "1",
            "--memory",
            "32",
            "--eval-cache",
            "1",
            "--backend",
            back_end,
        ])
        .arg("--model")
        .arg(model)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > HANG {
            child.kill().unwrap();
            panic!("no answer to {} after {HANG:?}", model.display());
        }
        thread::sleep(Duration::from_millis(3));
    }
    child.wait_with_output().unwrap()
}

/// Whether it was played with; refused, it must be named. Panics on anything else.
fn is_played(output: &Output, model: &Path) -> bool {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let told = format!("{:?}, {stderr}", output.status);
    assert!(!stderr.contains("panic") && !stderr.contains("memory allocation"), "{}: {told}", model.display());
    match output.status.code() {
        Some(0) => true,
        Some(1) => {
            assert!(stderr.contains(&model.display().to_string()), "{told}");
            false
        }
        _ => panic!("{}: {told}", model.display()),
    }
}

const MODELS: &[(&str, &str)] = &[
    ("hex", "hex-policy.onnx"),
    ("hex", "hex-actions.onnx"),
    ("go", "go-all.onnx"),
    ("hex", "hex-variants/int8.onnx"),
    ("go", "katago/v10.bin"),
    ("go", "katago/v12.txt"),
];

/// A file of that name, changed by chance.
fn changed(name: &str, good: &[u8], rng: &mut Rng) -> Vec<u8> {
    if name.starts_with("katago/") { mutations::mutated_network(good, rng) } else { mutations::mutated(good, rng) }
}

/// Plays with so many mutations of models on a back end; a file that does harm is kept for a look.
fn mutations_do_no_harm(back_end: &str, count: u64) {
    let folder = tempfile::tempdir().unwrap();
    let (mut refused, mut played) = (0, 0);
    for number in 0..count {
        let mut rng = Rng::stream(35, number);
        let (game, name) = MODELS[number as usize % MODELS.len()];
        let file = folder.path().join(format!("{number}.onnx"));
        fs::write(&file, changed(name, &fs::read(format!("tests/fixtures/{name}")).unwrap(), &mut rng)).unwrap();
        let output = play(game, &file, back_end);
        let survived = std::panic::catch_unwind(|| is_played(&output, &file));
        match survived {
            Ok(true) => played += 1,
            Ok(false) => refused += 1,
            Err(_) => {
                panic!("{} (mutation {number} of {name})", folder.keep().join(format!("{number}.onnx")).display())
            }
        }
    }
    println!("{back_end}: {refused} refused, {played} played");
    assert!(refused > count / 4 && played > 0, "{refused} refused, {played} played");
}

/// Makes each bomb and looks for what must be said of it.
fn bombs_are_refused(back_end: &str) {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read("tests/fixtures/hex-policy.onnx").unwrap();
    for (name, bytes, expected) in mutations::bombs(&good) {
        let file = folder.path().join("bomb.onnx");
        fs::write(&file, bytes).unwrap();
        let begun = Instant::now();
        let output = play("hex", &file, back_end);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!is_played(&output, &file), "{name} was played with");
        assert!(stderr.contains("is refused") && stderr.contains(expected), "{name}: {stderr}");
        assert!(begun.elapsed() < HANG / 4, "{name} took {:?}", begun.elapsed());
    }
    // The good file itself, taken apart and put together again, plays.
    let file = folder.path().join("good.onnx");
    fs::write(&file, onnx::crafted(&good, Vec::new())).unwrap();
    assert!(is_played(&play("hex", &file, back_end), &file));
}

#[test]
fn bombs_are_refused_before_a_runtime_sees_them() {
    bombs_are_refused("embedded");
}

#[test]
fn mutated_models_are_refused_or_played() {
    mutations_do_no_harm("embedded", if is_long() { 1000 } else { 120 });
}

/// Many more, in this process: what passes the check must not make the embedded runtime panic.
#[test]
fn models_that_pass_do_not_panic() {
    let read = |name| fs::read(format!("tests/fixtures/{name}")).unwrap();
    let good: Vec<(&str, Vec<u8>)> = MODELS.iter().map(|&(_, name)| (name, read(name))).collect();
    let (count, mut ran) = (if is_long() { 300_000 } else { 3_000 }, 0);
    for number in 0..count {
        let (name, bytes) = &good[number as usize % good.len()];
        let bytes = changed(name, bytes, &mut Rng::stream(37, number));
        let Ok(passed) = std::panic::catch_unwind(|| replay::model(&bytes)) else {
            let kept = std::env::temp_dir().join(format!("losange-model-{number}.onnx"));
            fs::write(&kept, bytes).unwrap();
            panic!("mutation {number}, kept as {}", kept.display());
        };
        ran += u64::from(passed);
    }
    assert!(ran > count / 10, "only {ran} of {count} came to a runtime");
}

/// Needs the library that `scripts/get-onnxruntime.sh` installs.
#[test]
#[ignore = "needs ONNX Runtime; scripts/test.sh installs it and runs this"]
fn mutated_models_do_no_harm_to_onnx_runtime() {
    bombs_are_refused("ort-cpu");
    mutations_do_no_harm("ort-cpu", if is_long() { 1000 } else { 120 });
}

/// Devices, pipes, folders and files that cannot be read are refused at once.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir_all(inside.join("folder.onnx")).unwrap();
    let locked = folder.path().join("locked.onnx");
    fs::write(&locked, "").unwrap();
    Command::new("chmod").arg("0").arg(&locked).status().unwrap();
    for (path, expected) in [
        (Path::new("/dev/zero"), "a device or a pipe"),
        (&pipe, "a device or a pipe"),
        (&empty, "no models"),
        (&inside, "cannot be read"),
        (&locked, if fs::read(&locked).is_ok() { "no ONNX file" } else { "cannot be read" }),
    ] {
        let begun = Instant::now();
        let output = play("hex", path, "embedded");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && stderr.contains(expected), "{}: {stderr}", path.display());
        for command in ["inspect", "check"] {
            let output = support::command(&["model", command]).arg(path).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{output:?}");
        }
        assert!(begun.elapsed() < HANG / 4, "{} took {:?}", path.display(), begun.elapsed());
    }
}
