//! 200 sessions at once play 9x9 against themselves at 100 playouts a move, while one peer never reads, one sends an
//! endless line and one leaves in the middle of a command.

#[path = "../tests/support/mod.rs"]
mod support;

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use support::{Client, serve};

const SESSIONS: usize = 200;
const MEMORY_MIB: usize = 1024;
const LONGEST_GAME: usize = 200;

/// Resident memory of a process now and at most, in MiB.
fn memory(process: u32) -> (usize, usize) {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()
    };
    (field("VmRSS:").unwrap_or(0) >> 10, field("VmHWM:").unwrap_or(0) >> 10)
}

fn main() {
    let memory_option = MEMORY_MIB.to_string();
    let options = ["--size", "9", "--threads", "2", "--playouts", "100", "--sessions", "256", "--write-timeout", "5"];
    let (mut server, address) = serve(&[&options[..], &["--memory", &memory_option]].concat());
    println!("before: {} MiB", memory(server.child.id()).0);

    let never_reads = thread::spawn(move || {
        let mut client = Client::connect(address);
        // Long answers until the server hangs up: a burst, then as many as the limit on lines lets pass.
        let mut open = client.stream.write_all(&b"help\n".repeat(4000)).is_ok();
        while open {
            open = client.stream.write_all(b"help\n").is_ok();
            thread::sleep(Duration::from_micros(1200));
        }
    });
    let endless = thread::spawn(move || {
        let mut client = Client::connect(address);
        while client.stream.write_all(&[b'x'; 4096]).is_ok() {}
    });
    let mut leaves = Client::connect(address);
    leaves.send("genmove b");
    leaves.stream.write_all(b"play w ").unwrap();
    drop(leaves);

    let start = Instant::now();
    let games: Vec<_> = (0..SESSIONS)
        .map(|_| {
            thread::spawn(move || {
                let mut client = Client::connect(address);
                let (mut moves, mut passes, mut longest) = (0, 0, Duration::ZERO);
                while passes < 2 && moves < LONGEST_GAME {
                    let asked = Instant::now();
                    let answer = client.ask(&format!("genmove {}", ["b", "w"][moves % 2]));
                    longest = longest.max(asked.elapsed());
                    assert!(answer.starts_with("= "), "{answer}");
                    passes = if answer == "= pass" { passes + 1 } else { 0 };
                    moves += 1;
                }
                client.ask("quit");
                (moves, longest)
            })
        })
        .collect();
    let results: Vec<_> = games.into_iter().map(|game| game.join().expect("a session finished")).collect();
    let time = start.elapsed().as_secs_f64();
    let moves: usize = results.iter().map(|r| r.0).sum();
    let longest = results.iter().map(|r| r.1).max().unwrap_or_default();
    endless.join().unwrap();
    never_reads.join().unwrap();
    let (now, most) = memory(server.child.id());
    println!("{SESSIONS} games, {moves} moves in {time:.1} s, {:.0} playouts/s", moves as f64 * 100.0 / time);
    println!("longest wait for a move {:.2} s", longest.as_secs_f64());
    println!("memory: {now} MiB at the end, {most} MiB at most; trees were allowed {MEMORY_MIB} MiB");
    server.signal("TERM");
    assert!(server.wait().success());
    for line in server.errors().lines().filter(|line| line.contains("cut off")) {
        println!("{line}");
    }
}
