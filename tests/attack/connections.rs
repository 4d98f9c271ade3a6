//! Connections that behave as badly as they can, many at once.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use losange::rng::Rng;
use socket2::SockRef;

use crate::support::{Client, HANG, Program};
use crate::{Holdings, amount, check_log, random, threads_of};

/// Clients that attack at the same time.
const ATTACKERS: u64 = 8;
/// Memory of the server, and what it may take beside it, in MiB.
const MEMORY: usize = 256;
const BESIDE: usize = 64;

/// Ways to end a connection.
#[derive(Clone, Copy)]
enum Kind {
    Leave,
    Junk,
    HalfALine,
    Http,
    Tls,
    Quit,
    CloseAndRead,
    Reset,
    Flood,
    LeaveASearch,
    Deaf,
}

const KINDS: [Kind; 11] = [
    Kind::Leave,
    Kind::Junk,
    Kind::HalfALine,
    Kind::Http,
    Kind::Tls,
    Kind::Quit,
    Kind::CloseAndRead,
    Kind::Reset,
    Kind::Flood,
    Kind::LeaveASearch,
    Kind::Deaf,
];

/// Sends commands and reads their answers, which must be whole and in order unless the server was full; how often it was either is counted.
fn converse(mut stream: TcpStream, rng: &mut Rng, quits: bool, heard_of: &Answers) {
    const COMMANDS: [&str; 8] =
        ["name", "play b E5", "undo", "genmove b", "showboard", "kata-get-rules", "losange-game hex", "final_score"];
    let count = 1 + rng.below(6);
    let mut text: String = (0..count).map(|id| format!("{id} {}\n", COMMANDS[rng.below(8) as usize])).collect();
    if quits {
        text += &format!("{count} quit\n");
    }
    if stream.write_all(text.as_bytes()).is_err() {
        heard_of.refused.fetch_add(1, Relaxed);
        return;
    }
    if !quits {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut heard = String::new();
    let read = BufReader::new(stream).read_to_string(&mut heard);
    // Where even those who are told so are too many, the server hangs up.
    let is_hung_up = read.as_ref().is_err_and(|error| error.kind() == ErrorKind::ConnectionReset) && heard.is_empty();
    if heard.contains("the server is full") || is_hung_up {
        heard_of.refused.fetch_add(1, Relaxed);
        return;
    }
    heard_of.whole.fetch_add(1, Relaxed);
    read.unwrap_or_else(|error| panic!("{error} after {heard:?} for {text:?}"));
    let ids: Vec<u32> =
        heard.lines().filter_map(|line| line.strip_prefix(['=', '?'])?.split(' ').next()?.parse().ok()).collect();
    let expected: Vec<u32> = (0..count + u32::from(quits)).collect();
    assert_eq!(ids, expected, "{text:?} was answered {heard:?}");
    assert!(!heard.contains("internal error"), "{heard}");
}

/// Conversations that were answered, and those that a full server refused.
#[derive(Default)]
struct Answers {
    whole: AtomicUsize,
    refused: AtomicUsize,
}

/// One connection of an attack.
fn attack(server: SocketAddr, rng: &mut Rng, heard_of: &Answers) {
    let mut stream = TcpStream::connect(server).expect("the server accepts");
    stream.set_read_timeout(Some(HANG)).unwrap();
    // The server may hang up at any moment.
    let mut send = |bytes: &[u8]| _ = stream.write_all(bytes);
    match KINDS[rng.below(KINDS.len() as u32) as usize] {
        Kind::Leave => {}
        Kind::Junk => send(&(0..2000).map(|_| rng.below(256) as u8).collect::<Vec<_>>()),
        Kind::HalfALine => send(b"name\nplay b "),
        Kind::Http => send(b"POST / HTTP/1.1\r\nHost: x\r\n\r\nclear_board\n"),
        Kind::Tls => send(b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03"),
        Kind::Quit => converse(stream, rng, true, heard_of),
        Kind::CloseAndRead => converse(stream, rng, false, heard_of),
        Kind::Reset => {
            send(b"genmove b\nshowboard\n");
            SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
        }
        Kind::Flood => send(&b"\n".repeat(8000)),
        Kind::LeaveASearch => send(b"kata-analyze b 1 ownership true\n"),
        Kind::Deaf => {
            send(&b"help\n".repeat(100));
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn connections_that_break_off_leave_nothing_behind() {
    let memory = MEMORY.to_string();
    let mut server = Program::start(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--size",
        "9",
        "--threads",
        "2",
        "--playouts",
        "20",
        "--sessions",
        "16",
        "--memory",
        &memory,
        "--no-model",
        "--connection-rate",
        "100000",
    ]);
    let address = server.line().strip_prefix("listening on ").expect("an address").parse().unwrap();
    Client::connect(address).ask("name");
    let connections = amount(400, 10_000);
    let heard_of = Answers::default();
    thread::scope(|scope| {
        for part in 0..ATTACKERS {
            let heard_of = &heard_of;
            scope.spawn(move || {
                let mut rng = random(200 + part);
                (0..connections / ATTACKERS as usize).for_each(|_| attack(address, &mut rng, heard_of));
            });
        }
    });
    let (whole, refused) = (heard_of.whole.into_inner(), heard_of.refused.into_inner());
    // Most are refused: the sessions of those who have gone take their time to end.
    assert!(whole > 0, "no conversation was answered, {refused} refused");
    // All that is left is the one who asks.
    let (start, mut pause) = (Instant::now(), Duration::from_millis(50));
    let mut client = loop {
        let mut client = Client::connect(address);
        let status = client.ask("losange-status");
        if status.contains("sessions 1 of") && status.contains("searches 0") {
            break client;
        }
        assert!(start.elapsed() < HANG, "{status}; threads {:?}", threads_of(server.child.id()));
        // Its own session must have ended before the next one asks, which takes a slow machine longer than the grace of a search.
        drop(client);
        thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_secs(2));
    };
    // Of the program, and of that client.
    let most = Holdings { descriptors: 20, threads: 8, memory: MEMORY + BESIDE };
    if let Some(after) = Holdings::settled(server.child.id(), most) {
        assert!(after.descriptors <= most.descriptors, "{after:?}");
        assert!(after.threads <= most.threads, "{after:?}");
        assert!(after.memory <= most.memory, "{after:?}");
    }
    assert_eq!(client.ask("name"), "= Losange");
    server.signal("TERM");
    assert!(server.wait().success());
    check_log(&server.errors());
}

/// Sends all that text and `quit`, and returns all lines of the answers.
fn converse_whole(address: SocketAddr, text: &[u8]) -> Vec<String> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    // A server that is full hangs up.
    let _ = stream.write_all(text).and_then(|()| stream.write_all(b"5 quit\n"));
    BufReader::new(stream).lines().map_while(Result::ok).collect()
}

/// A session for each of many connections, one after the other, with commands of every game.
#[test]
fn sessions_come_and_go() {
    let mut server = Program::start(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--size",
        "9",
        "--threads",
        "2",
        "--playouts",
        "20",
        "--memory",
        "256",
        "--sessions",
        "8",
        "--no-model",
        "--connection-rate",
        "100000",
    ]);
    let address: SocketAddr = server.line().strip_prefix("listening on ").expect("an address").parse().unwrap();
    let mut rng = random(300);
    for _ in 0..amount(20, 1000) {
        let (text, expected) = crate::commands::batch(&mut rng, 1_000_000_000);
        // Sessions whose clients have gone may take a moment to end. Until then a full server answers nothing but a question for its
        // status, which may be the first of the batch.
        let is_full = |answers: &[String]| {
            let first = answers.first().map_or("", String::as_str);
            let alone = answers.iter().filter(|line| line.starts_with(['=', '?'])).count() == 1;
            first.contains("the server is full") || alone && first.contains(" sessions 8 of 8")
        };
        let mut answers = converse_whole(address, &text);
        while is_full(&answers) {
            thread::sleep(Duration::from_millis(50));
            answers = converse_whole(address, &text);
        }
        let shown = String::from_utf8_lossy(&text);
        assert!(answers.iter().all(|line| !line.contains("internal error")), "{answers:?} after\n{shown}");
        let id = |line: &String| line.strip_prefix(['=', '?'])?.split(' ').next()?.parse::<usize>().ok();
        let answered: Vec<usize> = answers.iter().filter_map(id).filter(|&id| id >= 1_000_000_000).collect();
        assert_eq!(answered, expected, "{answers:?} after\n{shown}");
    }
    server.signal("TERM");
    assert!(server.wait().success());
    check_log(&server.errors());
}
