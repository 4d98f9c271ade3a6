//! Demands that a machine cannot meet: an error that says what to do, never an abort or a panic.

mod support;

use std::fs;
use std::process::{Command, Output, Stdio};

use support::{Client, serve, wait_until};

/// Runs the program by a shell that has set limits.
fn limited(limits: &str, arguments: &str) -> Output {
    let line =
        format!("{limits}; printf 'genmove b\\ngenmove w\\n' | exec {} {arguments}", env!("CARGO_BIN_EXE_losange"));
    Command::new("sh").env("LOSANGE_NO_CONFIG", "true").args(["-c", &line]).stdin(Stdio::null()).output().unwrap()
}

/// The program must end with code `code` and name each of the words on standard error.
fn assert_refused(limits: &str, arguments: &str, code: i32, words: &[&str]) {
    let output = limited(limits, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{limits} {arguments}: {stderr}");
    assert!(words.iter().all(|word| stderr.contains(word)), "{limits} {arguments}: {stderr}");
    assert!(!stderr.contains("panic") && !stderr.contains("allocation") && output.stdout.is_empty(), "{output:?}");
}

fn assert_plays(limits: &str, arguments: &str) {
    let output = limited(limits, arguments);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && stdout.matches("= ").count() == 2, "{limits} {arguments}: {output:?}");
}

const QUICK: &str = "go --size 9 --playouts 200";

#[test]
fn a_cache_beyond_the_memory_is_refused() {
    assert_refused(":", "hex --eval-cache 99999999", 1, &["--eval-cache 99999999", "--memory 1024", "lower it"]);
    assert_refused(":", "hex --eval-cache 18446744073709551615", 2, &["--eval-cache", "a number of MiB"]);
    assert_refused(":", "serve --listen 127.0.0.1:0 --eval-cache 600", 1, &["each of 9 games", "--memory"]);
    assert_refused(":", "hex --memory 1048576", 1, &["--memory 1048576", "this machine has"]);
}

#[test]
fn a_million_threads_are_refused() {
    for command in ["go", "arena", "benchmark", "solve"] {
        assert_refused(":", &format!("{command} --threads 1048576"), 2, &["--threads", "1 to 1024"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_addresses_is_kept() {
    let limits = "ulimit -v 400000";
    assert_refused(limits, "go --threads 64 --memory 64", 1, &["--threads 64", "--memory 64", "390 MiB", "ulimit -v"]);
    assert_refused(limits, "go --threads 1", 1, &["--memory 1024"]);
    assert_plays(
        "MALLOC_ARENA_MAX=1; export MALLOC_ARENA_MAX; ulimit -v 400000",
        &format!("{QUICK} --threads 8 --memory 64"),
    );
    assert_plays("ulimit -v 2000000", &format!("{QUICK} --threads 64 --memory 64"));
}

#[cfg(target_os = "linux")]
#[test]
fn too_few_descriptors_are_refused() {
    for command in ["go", "serve --listen 127.0.0.1:0", "model inspect models/hex.onnx"] {
        assert_refused("ulimit -n 6", command, 1, &["open files is 6", "16 are needed", "ulimit -n"]);
    }
    assert_plays("ulimit -n 16", &format!("{QUICK} --threads 2"));
}

#[test]
fn sessions_without_room_are_refused() {
    assert_refused(
        ":",
        "serve --listen 127.0.0.1:0 --memory 64 --sessions 64",
        1,
        &["--sessions 64", "enough for", "--memory"],
    );
}

/// The resident memory of a process at its most, in MiB.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<usize>().unwrap() >> 10
}

/// As many sessions as a small memory has room for think at once, and the program stays within it.
#[cfg(target_os = "linux")]
#[test]
fn many_sessions_keep_to_the_memory() {
    let arguments = ["--size", "9", "--threads", "2", "--time", "600", "--memory", "64", "--no-model"];
    let (server, address) = serve(&arguments);
    let most = {
        let mut client = Client::connect(address);
        let told = client.ask("losange-status");
        let sessions = told.lines().find_map(|line| line.trim_start_matches("= ").strip_prefix("sessions "));
        sessions.unwrap().rsplit(' ').next().unwrap().parse::<usize>().unwrap()
    };
    assert!((4..64).contains(&most), "{most}");
    let clients: Vec<Client> = (0..most - 1)
        .map(|_| {
            let mut client = Client::connect(address);
            client.send("lz-analyze 100");
            assert_eq!(client.line().as_deref(), Some("= "));
            client
        })
        .collect();
    let all = format!("searches {}\n", clients.len());
    wait_until("all searches run", || (Client::connect(address).ask("losange-status") + "\n").contains(&all));
    std::thread::sleep(std::time::Duration::from_secs(8));
    let found = most_memory(server.child.id());
    assert!(found <= 64, "{found} MiB with {} sessions", clients.len());
}
