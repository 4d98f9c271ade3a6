//! Shares of the machine: eight clients who ask for as much as they can leave a ninth one what is fair.

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Client, HANG, serve};
use crate::{amount, check_log};

/// Clients who flood the server.
const FLOODS: usize = 8;

/// Floods: what is set up, and what is asked again and again; a standing analysis is asked for once.
const KINDS: &[(&[&str], &str)] = &[
    (&["losange-game go", "boardsize 25"], "kata-analyze b 0.01 ownership true"),
    (&["losange-game go", "boardsize 25"], "final_score"),
    (&["losange-game hex", "boardsize 9"], "dfpn-solver-find-winning"),
    (&["losange-game go"], "help"),
];

/// Ticks of processor time of a process so far, and of its threads by name.
fn ticks(process: u32) -> (u64, HashMap<String, u64>) {
    let read = |path: &str| -> Option<(String, u64)> {
        let text = fs::read_to_string(path).ok()?;
        let (name, rest) = text.split_once('(')?.1.rsplit_once(") ")?;
        let mut fields = rest.split_whitespace().skip(11).map_while(|field| field.parse::<u64>().ok());
        Some((name.to_owned(), fields.next()? + fields.next()?))
    };
    let mut threads = HashMap::new();
    for thread in fs::read_dir(format!("/proc/{process}/task")).expect("the server runs").flatten() {
        if let Some((name, ticks)) = read(&format!("{}/stat", thread.path().display())) {
            *threads.entry(name).or_default() += ticks;
        }
    }
    (read(&format!("/proc/{process}/stat")).expect("the server runs").1, threads)
}

/// Asks one thing until it is over, again from a new connection where the server has ended one.
fn flood(server: SocketAddr, (setup, command): (&[&str], &str), over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        let mut client = Client::connect(server);
        let lines: String = setup.iter().chain([&command]).map(|line| format!("{line}\n")).collect();
        // A server that is still full, or has had too many connections from here, ends this one at once.
        if client.stream.write_all(lines.as_bytes()).is_err() {
            continue;
        }
        client.stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let mut buffer = [0; 1 << 16];
        while !over.load(Ordering::Relaxed) {
            match client.stream.read(&mut buffer) {
                Ok(0) => break,
                // Whoever sends faster than answers come is slowed down by the server, so that this never blocks for long.
                Ok(_) if !command.contains("analyze") => {
                    if client.stream.write_all(format!("{command}\n").as_bytes()).is_err() {
                        break;
                    }
                }
                Ok(_) => {}
                Err(error)
                    if [std::io::ErrorKind::WouldBlock, std::io::ErrorKind::TimedOut].contains(&error.kind()) => {}
                Err(_) => break,
            }
        }
    }
}

/// Times of the usual measurement after which a share that looks too small is one.
const LONGER: u64 = 4;

/// The polite client's part of the server's processor time under a flood, over so many ticks of it; over more of them where it looks like
/// less than `least`, since on a busy machine a few seconds tell little.
fn share_under(kind: (&[&str], &str), enough: u64, least: f64) -> f64 {
    // With room for the tree of a small board no search ends, so that its threads keep their count.
    let (mut server, address) = serve(&["--threads", "2", "--sessions", "10", "--memory", "4096"]);
    let mut polite = Client::connect(address);
    polite.ask("losange-game go");
    polite.ask("boardsize 9");
    let over = AtomicBool::new(false);
    let share = thread::scope(|scope| {
        for _ in 0..FLOODS {
            scope.spawn(|| flood(address, kind, &over));
        }
        thread::sleep(Duration::from_millis(500));
        polite.send("kata-analyze b 100");
        polite.line();
        thread::sleep(Duration::from_millis(500));
        let (all_before, before) = ticks(server.child.id());
        let begun = Instant::now();
        let share = loop {
            thread::sleep(Duration::from_millis(100));
            let (all, after) = ticks(server.child.id());
            // The first session is the polite one's.
            let share = (after["session 0"] - before["session 0"]) as f64 / (all - all_before).max(1) as f64;
            let wanted = if share >= least { enough } else { LONGER * enough };
            if all - all_before >= wanted || begun.elapsed() > HANG {
                break share;
            }
        };
        over.store(true, Ordering::Relaxed);
        share
    });
    drop(polite);
    server.signal("TERM");
    assert!(server.wait().success());
    check_log(&server.errors());
    share
}

#[test]
fn floods_leave_a_polite_client_its_share() {
    // A tick is a hundredth of a second.
    let (enough, least) = (amount(800, 8000) as u64, amount(75, 90) as f64 / 100.0);
    let fair = 1.0 / (FLOODS + 1) as f64;
    for &kind in KINDS {
        let share = share_under(kind, enough, least * fair);
        println!("{}: {:.1} % of the server's time, fair are {:.1} %", kind.1, 100.0 * share, 100.0 * fair);
        assert!(share >= least * fair, "{}: {share:.3} of the time, fair are {fair:.3}", kind.1);
    }
}
