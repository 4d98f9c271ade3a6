//! The TCP server: sessions, limits, and peers that behave badly.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{Client, Program, serve, wait_until};

const QUICK: &[&str] = &["--size", "9", "--threads", "2", "--playouts", "50", "--memory", "512"];

#[test]
fn each_connection_is_a_session_of_its_own() {
    let (_server, address) = serve(QUICK);
    let (mut go, mut hex) = (Client::connect(address), Client::connect(address));
    assert_eq!(hex.ask("losange-game hex"), "= ");
    assert_eq!(hex.ask("boardsize 5"), "= ");
    assert_eq!(go.ask("play b E5"), "= ");
    assert_eq!(hex.ask("play b a1"), "= ");
    assert_eq!(go.ask("undo"), "= ");
    assert_eq!(go.ask("undo"), "? cannot undo");
    assert_eq!(hex.ask("undo"), "= ");
    assert!(go.ask("losange-status").contains("sessions 2 of 64"));
    assert_eq!(go.ask("quit"), "= ");
    assert_eq!(go.line(), None, "the connection closes after quit");
    assert_eq!(hex.ask("name"), "= Losange");
}

#[test]
fn files_are_out_of_reach() {
    let (_server, address) = serve(QUICK);
    let mut client = Client::connect(address);
    assert!(client.ask("loadsgf /etc/passwd").contains("not read over the network"));
    assert!(client.ask("printsgf /tmp/x.sgf").contains("not written over the network"));
    assert!(client.ask("printsgf").starts_with("= (;"));
}

#[test]
fn status_tells_sessions_and_load() {
    let (_server, address) = serve(QUICK);
    let _client = Client::connect(address);
    let mut status = Program::start(&["status", &address.to_string()]);
    let mut text = String::new();
    while let Some(line) = status.line_or_end() {
        text += &(line + "\n");
    }
    assert!(status.wait().success());
    assert!(text.contains(" of 64") && text.contains("threads 2"), "{text}");
    let mut nobody = Program::start(&["status", "127.0.0.1:1"]);
    assert!(!nobody.wait().success());
    assert!(nobody.errors().contains("does not answer"));
}

#[test]
fn one_session_too_many_is_told_so() {
    let (server, address) = serve(&[QUICK, &["--sessions", "2"]].concat());
    let mut clients = [Client::connect(address), Client::connect(address)];
    clients.iter_mut().for_each(|client| assert_eq!(client.ask("name"), "= Losange"));
    // Whether it says something or nothing.
    for line in ["7 name\n", ""] {
        let mut third = Client::connect(address);
        third.stream.write_all(line.as_bytes()).unwrap();
        assert!(third.answer().ends_with(" the server is full: 2 sessions"));
        assert_eq!(third.line(), None);
    }
    server.error_with("refused: the server is full");
    // How busy it is, it says nevertheless.
    let mut status = Program::start(&["status", &address.to_string()]);
    assert!(status.line().contains("sessions 2 of 2"));
    assert!(status.wait().success());
    assert_eq!(clients[0].ask("quit"), "= ");
    server.error_with("session ended");
    // Its place is free again.
    assert_eq!(Client::connect(address).ask("name"), "= Losange");
}

#[test]
fn who_leaves_in_the_middle_of_a_search_leaves_no_session() {
    let (server, address) = serve(&["--game", "hex", "--threads", "1", "--memory", "64", "--sessions", "1"]);
    let mut client = Client::connect(address);
    client.stream.write_all(format!("dfpn-solve-state b\n{}", "name\n".repeat(500)).as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(200));
    drop(client);
    server.error_with("session ended");
    assert_eq!(Client::connect(address).ask("name"), "= Losange");
}

#[test]
fn too_much_to_do_is_cut_off() {
    let (server, address) = serve(&["--game", "hex", "--threads", "1", "--memory", "64"]);
    let mut client = Client::connect(address);
    let long = format!("# {}\n", "x".repeat(60_000)).repeat(40);
    client.stream.write_all(format!("dfpn-solve-state b\n{long}").as_bytes()).unwrap();
    server.error_with("too many lines");
    assert_eq!(Client::connect(address).ask("name"), "= Losange");
}

#[test]
fn who_waits_for_a_move_is_not_idle() {
    let (_server, address) = serve(&["--size", "9", "--threads", "1", "--time", "3", "--memory", "64", "--idle", "1"]);
    let mut client = Client::connect(address);
    let start = Instant::now();
    assert!(client.ask("genmove b").starts_with("= "));
    assert!(start.elapsed() > Duration::from_millis(2500));
    assert_eq!(client.ask("name"), "= Losange");
}

#[test]
fn an_endless_line_is_cut_off() {
    let (server, address) = serve(QUICK);
    let mut client = Client::connect(address);
    // The server may hang up before all is sent.
    let _ = client.stream.write_all(&vec![b'x'; 1 << 20]);
    server.error_with("a line was too long");
    assert_eq!(Client::connect(address).ask("name"), "= Losange");
}

#[test]
fn a_flood_of_lines_is_cut_off() {
    let (server, address) = serve(&[QUICK, &["--rate", "100"]].concat());
    let client = Client::connect(address);
    let mut stream = client.stream.try_clone().unwrap();
    let flood = thread::spawn(move || while stream.write_all(&b"\n".repeat(1000)).is_ok() {});
    server.error_with("too many lines");
    flood.join().unwrap();
    assert_eq!(Client::connect(address).ask("name"), "= Losange");
}

#[test]
fn silence_is_cut_off() {
    let (server, address) = serve(&[QUICK, &["--idle", "1"]].concat());
    let mut client = Client::connect(address);
    server.error_with("nothing was sent for too long");
    assert_eq!(client.line(), None);
}

#[test]
fn a_trickle_is_cut_off() {
    let (server, address) = serve(&[QUICK, &["--idle", "1", "--sessions", "1"]].concat());
    let client = Client::connect(address);
    let mut stream = client.stream.try_clone().unwrap();
    let trickle = thread::spawn(move || {
        while stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(100));
        }
    });
    server.error_with("nothing was sent for too long");
    trickle.join().unwrap();
    assert_eq!(Client::connect(address).ask("name"), "= Losange");
}

#[test]
fn a_web_page_commands_nothing() {
    let (server, address) = serve(QUICK);
    for head in
        ["POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 21\r\n\r\n", "Host: localhost\n", "\x16\x03\x01"]
    {
        let mut client = Client::connect(address);
        let _ = client.stream.write_all(format!("{head}play b E5\nshowboard\n").as_bytes());
        assert_eq!(client.line(), None, "{head}");
        server.error_with("was spoken");
    }
}

#[test]
fn reconnecting_has_a_rate() {
    let (server, address) = serve(&[QUICK, &["--connection-rate", "1"]].concat());
    let (mut served, start) = (0, Instant::now());
    for _ in 0..60 {
        let mut client = Client::connect(address);
        // The server may hang up before.
        let _ = client.stream.write_all(b"name\nquit\n");
        served += u64::from(client.line().as_deref() == Some("= Losange"));
    }
    // Ten at once, and one for each second.
    assert!((10..=11 + start.elapsed().as_secs()).contains(&served), "{served}");
    let line = server.error_with("too many connections from one address");
    assert!(line.contains("refused"), "{line}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_without_descriptors_goes_on_when_there_are_some_again() {
    let program = env!("CARGO_BIN_EXE_losange");
    let serve = format!("ulimit -n 24; exec {program} serve --listen 127.0.0.1:0 --size 9 --no-model --memory 256");
    let mut child = Command::new("sh")
        .env("LOSANGE_NO_CONFIG", "true")
        .args(["-c", &serve])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on ").unwrap().parse().unwrap();
    let clients: Vec<_> = (0..40).map(|_| Client::connect(address)).collect();
    thread::sleep(Duration::from_secs(1));
    drop(clients);
    assert_eq!(Client::connect(address).ask("name"), "= Losange");
    let killed = Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(killed.success() && output.status.success(), "{output:?}");
    let log = String::from_utf8(output.stderr).unwrap();
    let refusals = log.lines().filter(|line| line.contains("a connection cannot be accepted")).count();
    assert!((1..=40).contains(&refusals), "{log}");
}

/// Reports of an analysis come no faster than the server wants, whatever the client asks for.
#[test]
fn reports_have_a_shortest_interval() {
    let (_server, address) = serve(&["--size", "9", "--threads", "1", "--time", "600", "--memory", "64"]);
    let mut client = Client::connect(address);
    client.send("lz-analyze b 0.01");
    assert_eq!(client.line().unwrap(), "= ");
    client.line();
    let start = Instant::now();
    (0..10).for_each(|_| assert!(client.line().unwrap().starts_with("info ")));
    assert!(start.elapsed() > Duration::from_millis(300), "{:?}", start.elapsed());
}

#[test]
fn a_peer_that_does_not_read_is_cut_off() {
    let (server, address) = serve(&[QUICK, &["--write-timeout", "1"]].concat());
    let mut client = Client::connect(address);
    let mut stream = client.stream.try_clone().unwrap();
    let sender = thread::spawn(move || {
        // Long answers: a burst of them, then as many as the limit on lines lets pass, until all buffers are full.
        let mut open = stream.write_all(&b"help\n".repeat(4000)).is_ok();
        while open {
            open = stream.write_all(b"help\n").is_ok();
            thread::sleep(Duration::from_micros(1200));
        }
    });
    server.error_with("answers were not read");
    // What had been sent before can still be read.
    assert!(client.line().is_some());
    let _ = client.stream.shutdown(Shutdown::Both);
    sender.join().unwrap();
    assert_eq!(Client::connect(address).ask("name"), "= Losange");
}

#[test]
fn leaving_in_the_middle_of_a_command_hurts_nobody() {
    let (server, address) = serve(&["--size", "9", "--threads", "2", "--time", "600", "--memory", "64"]);
    let mut leaving = Client::connect(address);
    leaving.send("genmove b");
    leaving.stream.write_all(b"play w ").unwrap();
    drop(leaving);
    server.error_with("session ended");
    // Its search has ended too.
    let mut client = Client::connect(address);
    wait_until("no search goes on", || client.ask("losange-status").contains("searches 0"));
}

#[test]
fn an_analysis_streams_and_stops_at_the_next_line() {
    let (_server, address) = serve(&["--size", "9", "--threads", "2", "--time", "600", "--memory", "64"]);
    let mut client = Client::connect(address);
    client.send("4 lz-analyze b 5");
    assert_eq!(client.line().unwrap(), "=4 ");
    assert!(client.line().unwrap().starts_with("info move "));
    client.send("5 name");
    while client.line().unwrap() != "" {}
    assert_eq!(client.answer(), "=5 Losange");
}

#[cfg(unix)]
#[test]
fn a_shutdown_answers_what_was_asked_and_exits_with_success() {
    let (mut server, address) = serve(&["--size", "9", "--threads", "2", "--time", "600", "--memory", "64"]);
    let mut client = Client::connect(address);
    assert_eq!(client.ask("name"), "= Losange");
    client.send("genmove b");
    wait_until("a search has begun", || Client::connect(address).ask("losange-status").contains("searches 1"));
    server.signal("TERM");
    assert!(client.answer().starts_with("= "), "the move it was thinking about");
    assert_eq!(client.line(), None);
    assert!(server.wait().success());
}

#[test]
fn many_sessions_play_side_by_side() {
    let (_server, address) = serve(&["--size", "9", "--threads", "2", "--playouts", "10", "--memory", "512"]);
    let games: Vec<_> = (0..40)
        .map(|_| {
            thread::spawn(move || {
                let mut client = Client::connect(address);
                for number in 0..10 {
                    let answer = client.ask(&format!("genmove {}", ["b", "w"][number % 2]));
                    assert!(answer.starts_with("= "), "{answer}");
                }
                client.ask("quit");
            })
        })
        .collect();
    for game in games {
        game.join().unwrap();
    }
}
