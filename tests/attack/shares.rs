//! Shares of the machine: what is left to a client that analyses while others take what they can.
//!
//! Threads of a search have the name of their session, so the system tells how much each session has worked. Only the ratio
//! counts, and so it does not matter what else the machine does.

use std::fs;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::amount;
use crate::support::{Client, serve};

const ATTACKERS: usize = 8;
/// Part of its fair share that a client must have.
const FAIR: f64 = 0.9;

/// Processor time of a process by its threads' names, in ticks.
fn work(process: u32) -> Vec<(String, u64)> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let stat = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("stat")).ok());
    let parse = |text: String| {
        let (name, rest) = text.split_once('(')?.1.rsplit_once(')')?;
        // User and system time are the 14th and 15th field, the state is the third.
        let ticks = rest.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().unwrap_or(0)).sum();
        Some((name.to_owned(), ticks))
    };
    stat.filter_map(parse).collect()
}

/// Sends lines again and again, reads whatever is answered, and connects anew where that ends.
fn flood(server: SocketAddr, setup: &'static str, lines: &'static str, over: Arc<AtomicBool>) {
    while !over.load(Relaxed) {
        let client = Client::connect(server);
        let (mut from, mut to) = (client.stream.try_clone().unwrap(), client.stream);
        from.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        to.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (ended, done) = (Arc::clone(&stop), Arc::clone(&over));
        let reader = thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while !done.load(Relaxed) {
                match from.read(&mut buffer) {
                    Ok(0) => break,
                    Err(error)
                        if !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
                    {
                        break;
                    }
                    _ => {}
                }
            }
            ended.store(true, Relaxed);
        });
        let mut alive = to.write_all(setup.as_bytes()).is_ok();
        while alive && !stop.load(Relaxed) && !over.load(Relaxed) {
            alive = lines.is_empty() || to.write_all(lines.as_bytes()).is_ok();
            thread::sleep(Duration::from_millis(20));
        }
        let _ = to.shutdown(std::net::Shutdown::Both);
        reader.join().unwrap();
    }
}

/// The part of the server's work that a client has had among attackers, in fair shares.
fn share(setup: &'static str, lines: &'static str) -> f64 {
    let (server, address) =
        serve(&["--size", "9", "--threads", "2", "--time", "600", "--memory", "512", "--no-model", "--idle", "600"]);
    let mut polite = Client::connect(address);
    polite.send("kata-analyze b 50");
    assert_eq!(polite.line().unwrap(), "= ");
    let over = Arc::new(AtomicBool::new(false));
    let attackers: Vec<_> = (0..ATTACKERS)
        .map(|_| {
            let over = Arc::clone(&over);
            thread::spawn(move || flood(address, setup, lines, over))
        })
        .collect();
    thread::sleep(Duration::from_secs(1));
    let process = server.child.id();
    let of = |wanted: &dyn Fn(&str) -> bool| {
        work(process).iter().filter(|(name, _)| wanted(name)).map(|(_, ticks)| ticks).sum::<u64>()
    };
    let total = || {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let rest = text.rsplit_once(')').unwrap().1.to_owned();
        rest.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum::<u64>()
    };
    let own = || of(&|name| name == "session 0");
    let (own_before, before) = (own(), total());
    thread::sleep(Duration::from_secs(amount(3, 20) as u64));
    let (own_after, after) = (own(), total());
    over.store(true, Relaxed);
    attackers.into_iter().for_each(|attacker| attacker.join().unwrap());
    let part = (own_after - own_before) as f64 / (after - before) as f64;
    part * (ATTACKERS + 1) as f64
}

#[test]
fn nobody_takes_more_than_a_fair_share() {
    let mut unfair = Vec::new();
    for (setup, lines) in [
        ("boardsize 25\nkata-analyze b 0.01 ownership true\n", ""),
        ("", "help\nhelp\nhelp\nhelp\nhelp\nhelp\nhelp\nhelp\nhelp\nhelp\n"),
        ("boardsize 19\nplace_free_handicap 9\n", "final_score\n"),
        ("losange-game hex\nboardsize 9\n", "dfpn-solve-state b\n"),
        ("name\nquit\n", ""),
    ] {
        let share = share(setup, lines);
        eprintln!("{setup:?} {lines:?}: {share:.2} of a fair share");
        if share < FAIR {
            unfair.push((setup, lines, share));
        }
    }
    assert!(unfair.is_empty(), "{unfair:?}");
}
