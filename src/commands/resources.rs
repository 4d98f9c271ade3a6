//! Resources that the system grants, against those that the command line asks for: what does not fit is an error with a remedy, before
//! an allocation or a thread fails in the middle of a game.

use std::{env, fs};

use anyhow::bail;

use super::options::cores;

/// Descriptors without which nothing runs: standard streams, signals, the runtime of the server, a model.
const LEAST_FILES: u64 = 16;
/// MiB of addresses that the program takes besides trees and tables, those of a thread, and what the allocator reserves for each of
/// its arenas, of which it makes at most this many for a processor.
const PROGRAM_ADDRESSES: u64 = 120;
const THREAD_ADDRESSES: u64 = 4;
const ARENA_ADDRESSES: u64 = 64;
const ARENAS_OF_A_PROCESSOR: u64 = 8;
/// Threads besides those of searches: input, session, signals, log.
const OTHER_THREADS: u64 = 4;
/// MiB of searches that a session needs at least. Threads, boards and tables beside its tree take some 3 more, for which about half of
/// `--memory` is kept.
const LEAST_OF_SESSION: usize = 4;

/// A soft limit of this process, where there is one and the system tells.
fn limit(name: &str) -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    soft(&limits, name)
}

fn soft(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// MiB of memory that the machine has, swap counted, where the system tells.
fn machine() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let row = |name: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some((row("MemTotal:")? + row("SwapTotal:").unwrap_or(0)) >> 10)
}

/// MiB that a command takes where nothing is said of them: so many, or half of a smaller machine's.
pub(crate) fn usual_memory(most: usize) -> usize {
    let half = machine().map(|machine| usize::try_from(machine / 2).unwrap_or(most).max(1));
    half.map_or(most, |half| half.min(most))
}

/// Checks the limit of open files.
///
/// # Errors
/// If it is too low to run.
pub(crate) fn files() -> anyhow::Result<()> {
    match limit("Max open files") {
        Some(files) if files < LEAST_FILES => {
            bail!(
                "the limit of open files is {files}, and {LEAST_FILES} are needed; raise it (ulimit -n {LEAST_FILES})"
            )
        }
        _ => Ok(()),
    }
}

/// Checks that so many threads and MiB can be had.
///
/// # Errors
/// If the machine has less, or the process may have less.
pub(crate) fn memory(threads: usize, memory: usize) -> anyhow::Result<()> {
    let (threads, memory) = (threads as u64, memory as u64);
    if let Some(machine) = machine().filter(|machine| memory > *machine) {
        bail!("--memory {memory} is more than this machine has, which is {machine} MiB; lower it");
    }
    let Some(limit) = limit("Max address space").map(|bytes| bytes >> 20) else { return Ok(()) };
    let arenas = env::var("MALLOC_ARENA_MAX").ok().and_then(|most| most.parse().ok());
    let arenas = arenas.unwrap_or(ARENAS_OF_A_PROCESSOR * cores() as u64).min(threads + OTHER_THREADS);
    let beside = PROGRAM_ADDRESSES + threads * THREAD_ADDRESSES + arenas * ARENA_ADDRESSES;
    if beside + memory > limit {
        bail!(
            "--threads {threads} and --memory {memory} take up to {} MiB of addresses, and the limit is {limit} MiB; lower them, \
             set MALLOC_ARENA_MAX=1, or raise the limit (ulimit -v)",
            beside + memory
        );
    }
    Ok(())
}

/// Checks that models' caches are no more than the program's memory.
///
/// # Errors
/// If they are.
pub(crate) fn caches(cache: usize, games: usize, memory: usize) -> anyhow::Result<()> {
    if cache.checked_mul(games).is_none_or(|all| all > memory) {
        let of = if games == 1 { String::new() } else { format!(" for the models of each of {games} games") };
        bail!(
            "--eval-cache {cache}{of} is more than --memory {memory}, of which it is a part; lower it, or raise --memory"
        );
    }
    Ok(())
}

/// The sessions that share so many MiB of searches: as many as are asked for, or `usual` where that is not too many.
///
/// # Errors
/// If more are asked for than have room.
pub(crate) fn sessions(asked: Option<usize>, usual: usize, memory: usize) -> anyhow::Result<usize> {
    let most = (memory / LEAST_OF_SESSION).max(1);
    match asked {
        Some(asked) if asked > most => bail!(
            "--sessions {asked} would share {memory} MiB of --memory, which is enough for {most}; raise --memory, or lower --sessions"
        ),
        asked => Ok(asked.unwrap_or(usual.min(most))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max open files            1024                 20000                files     \n\
                      Max address space         unlimited            unlimited            bytes     \n";
        assert_eq!(soft(limits, "Max open files"), Some(1024));
        assert_eq!(soft(limits, "Max address space"), None);
        assert_eq!(soft(limits, "Max of nothing"), None);
    }

    #[test]
    fn sessions_are_as_many_as_have_room() {
        assert_eq!(sessions(None, 64, 900).unwrap(), 64);
        assert_eq!(sessions(None, 64, 30).unwrap(), 7);
        assert_eq!(sessions(None, 64, 1).unwrap(), 1);
        assert_eq!(sessions(Some(7), 64, 30).unwrap(), 7);
        assert!(sessions(Some(8), 64, 30).is_err());
    }

    #[test]
    fn caches_are_a_part_of_the_memory() {
        assert!(caches(64, 3, 1024).is_ok() && caches(400, 3, 1024).is_err());
        assert!(caches(usize::MAX, 3, 1024).is_err() && caches(5, 0, 1).is_ok());
    }
}
