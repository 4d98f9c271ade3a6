//! Ends at any moment: signals and kills of servers, engines and self-play.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use losange::players::Kind;

use crate::support::{Client, Program, serve};
use crate::{amount, check_log, random};

/// Time within which a program that is asked to end does so, on a machine that is busy too.
const ORDERLY: Duration = Duration::from_secs(15);

fn end(program: &mut Program, signal: &str) {
    program.signal(signal);
    let asked = Instant::now();
    let status = program.wait();
    if signal == "KILL" {
        assert!(!status.success());
        return;
    }
    assert!(status.success(), "{signal}: {status:?}");
    assert!(asked.elapsed() < ORDERLY, "{signal}: {:?}", asked.elapsed());
    check_log(&program.errors());
}

#[test]
fn servers_end_at_any_moment() {
    let mut rng = random(100);
    for _ in 0..amount(4, 25) {
        let (mut server, address) = serve(&["--size", "9", "--threads", "2", "--memory", "256", "--no-model"]);
        let clients: Vec<_> = (0..4)
            .map(|_| {
                let mut client = Client::connect(address);
                let command =
                    ["genmove b", "kata-analyze b 1 ownership true", "name", "final_score"][rng.below(4) as usize];
                client.send(command);
                if rng.below(2) == 0 {
                    client.send("showboard");
                }
                client
            })
            .collect();
        thread::sleep(Duration::from_millis(u64::from(rng.below(300))));
        end(&mut server, ["TERM", "HUP", "INT", "KILL"][rng.below(4) as usize]);
        drop(clients);
    }
}

#[test]
fn engines_end_at_any_moment() {
    let mut rng = random(101);
    for _ in 0..amount(4, 25) {
        let game = Kind::ALL[rng.below(Kind::ALL.len() as u32) as usize].word();
        let mut engine = Program::start(&[game, "--threads", "2", "--memory", "128", "--no-model"]);
        engine.ask("name");
        engine.send(["genmove b", "lz-analyze b 1", "showboard", "reg_genmove w"][rng.below(4) as usize]);
        thread::sleep(Duration::from_millis(u64::from(rng.below(300))));
        end(&mut engine, ["TERM", "HUP", "INT", "KILL"][rng.below(4) as usize]);
    }
}

/// Shards of a run by extension.
fn files(folder: &Path, extension: &str) -> usize {
    let entries = fs::read_dir(folder.join("shards")).into_iter().flatten();
    entries.filter(|entry| entry.as_ref().is_ok_and(|e| e.path().extension().is_some_and(|e| e == extension))).count()
}

#[test]
fn a_teacher_that_is_killed_leaves_whole_files_and_no_others() {
    let mut rng = random(102);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    let arguments = ["selfplay", &path, "--teacher", "clobber", "--sizes", "4", "--threads", "2", "--shard", "50"];
    for _ in 0..amount(3, 20) {
        let mut teacher = Program::start(&arguments);
        thread::sleep(Duration::from_millis(200 + u64::from(rng.below(500))));
        let signal = ["TERM", "KILL"][rng.below(2) as usize];
        end(&mut teacher, signal);
        if signal == "TERM" {
            assert_eq!(files(folder.path(), "part"), 0);
        }
    }
    let mut teacher = Program::start(&[&arguments[..], &["--time", "0.1"]].concat());
    assert!(teacher.wait().success());
    assert_eq!(files(folder.path(), "part"), 0);
    for entry in fs::read_dir(folder.path().join("shards")).unwrap() {
        let path = entry.unwrap().path();
        assert!(!losange::learn::shard::Shard::read(&path).unwrap().is_empty(), "{}", path.display());
    }
}
