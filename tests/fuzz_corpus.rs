//! Replays what fuzzing has found, and a little fresh noise made from it; with `LOSANGE_LONG=1` twenty times as much.

use std::fs;
use std::path::Path;

use losange::protocol::replay;
use losange::rng::Rng;
use losange::server;

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut paths: Vec<_> = fs::read_dir(&directory)
        .unwrap_or_else(|e| panic!("{}: {e}", directory.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no corpus in {}", directory.display());
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// An input with some bytes changed: a whole one, or a piece of one in front of a piece of another.
fn mutated(inputs: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let pick = |rng: &mut Rng| &inputs[rng.below(inputs.len() as u32) as usize];
    let cut = |bytes: &[u8], rng: &mut Rng| rng.below(bytes.len() as u32 + 1) as usize;
    let mut bytes = pick(rng).clone();
    if rng.below(2) == 0 {
        let other = pick(rng);
        bytes.truncate(cut(&bytes, rng));
        bytes.extend_from_slice(&other[cut(other, rng)..]);
    }
    for _ in 0..rng.below(4) {
        if !bytes.is_empty() {
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] = rng.below(256) as u8;
        }
    }
    bytes
}

fn replay(target: &str, mut run: impl FnMut(&[u8]), fresh: usize) {
    let inputs = corpus(target);
    inputs.iter().for_each(|input| run(input));
    let mut rng = Rng::new(3);
    let times = if std::env::var_os("LOSANGE_LONG").is_some() { 20 } else { 1 };
    for _ in 0..fresh * times {
        run(&mutated(&inputs, &mut rng));
    }
}

#[test]
fn line() {
    replay("line", replay::line, 5_000);
}

#[test]
fn sgf() {
    replay("sgf", replay::sgf, 5_000);
}

#[test]
fn session() {
    replay("session", replay::session, 500);
}

#[test]
fn model() {
    let mut ran = 0;
    replay("model", |bytes| ran += u32::from(replay::model(bytes)), 2_000);
    assert!(ran >= 200, "only {ran} files came to a runtime");
}

#[test]
fn shard() {
    replay("shard", replay::shard, 20_000);
}

#[test]
fn set_up_session() {
    replay("set_up_session", replay::set_up_session, 200);
}

#[test]
fn queries() {
    replay("queries", replay::queries, 300);
}

#[test]
fn splitter() {
    replay("splitter", server::replay::splitter, 20_000);
}
