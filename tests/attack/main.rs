//! Attacks on the real program with fixed seeds: commands of all games, connections and kills. Everything stays on loopback, and ends by itself.
//!
//! The short form runs in every test; `LOSANGE_LONG=1` makes it a soak. `LOSANGE_TEST_SEED` begins with another seed.

#[path = "../support/mod.rs"]
mod support;

mod commands;
mod connections;
#[cfg(unix)]
mod kills;
#[cfg(target_os = "linux")]
mod shares;
use std::time::{Duration, Instant};
use std::{fs, thread};

use losange::rng::Rng;
use support::HANG;

/// How much of an attack is run: so much, or so much with `LOSANGE_LONG`.
fn amount(short: usize, long: usize) -> usize {
    if std::env::var_os("LOSANGE_LONG").is_some() { long } else { short }
}

/// The randomness of one part of an attack.
fn random(part: u64) -> Rng {
    let seed = std::env::var("LOSANGE_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    Rng::stream(seed, part)
}

/// Resources of a process: descriptors, threads, and resident MiB.
#[derive(Clone, Copy, Debug)]
struct Holdings {
    descriptors: usize,
    threads: usize,
    memory: usize,
}

impl Holdings {
    /// Resources of that process; nothing where the system does not tell.
    fn of(process: u32) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let number = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name))?;
            line.split_whitespace().nth(1)?.parse::<usize>().ok()
        };
        let descriptors = fs::read_dir(format!("/proc/{process}/fd")).ok()?.count();
        Some(Self { descriptors, threads: number("Threads:")?, memory: number("VmRSS:")? >> 10 })
    }

    /// The same, once they are no more than `most` in anything, or when waiting does not help. A thread that has been waited for
    /// is still counted for a while, and may yet hold a file of the system's that its allocator reads on giving memory back.
    fn settled(process: u32, most: Self) -> Option<Self> {
        let start = Instant::now();
        loop {
            let now = Self::of(process)?;
            let fits = now.descriptors <= most.descriptors && now.threads <= most.threads && now.memory <= most.memory;
            if fits || start.elapsed() > HANG {
                return Some(now);
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Names of a process's threads, which tell the sessions that go on; nothing where the system does not tell.
fn threads_of(process: u32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| Some(fs::read_to_string(task.path().join("comm")).ok()?.trim().to_owned())).collect()
}

/// Fails if a log tells of a fault of the program's own.
fn check_log(log: &str) {
    for word in ["panic", "a fault", "died", "overflow", "internal error"] {
        if let Some(line) = log.lines().find(|line| line.contains(word)) {
            panic!("the log has: {line}");
        }
    }
}
