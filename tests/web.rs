//! WebSockets of the server: commands and queries, who is let in, limits, and peers that behave badly.

mod support;

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Client, HANG, Program, http_address, serve_http, wait_until};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::{Error, Message, WebSocket, client};

const QUICK: &[&str] = &["--size", "7", "--threads", "2", "--playouts", "50", "--memory", "512"];
/// Searches that nobody waits for.
const LONG: &[&str] = &["--size", "7", "--threads", "2", "--time", "600", "--memory", "128"];
/// Visits that nobody waits for.
const ENDLESS: u64 = 1 << 40;

fn stream(server: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(server).expect("the server accepts");
    stream.set_read_timeout(Some(HANG)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// A WebSocket of a client.
struct Peer(WebSocket<TcpStream>);

impl Peer {
    /// Connects with these header fields; the status and text of the answer where it is refused.
    fn try_connect(server: SocketAddr, path: &str, fields: &[(&'static str, &str)]) -> Result<Self, (u16, String)> {
        let mut request = format!("ws://{server}{path}").into_client_request().unwrap();
        for (name, value) in fields {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match client(request, stream(server)) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(HandshakeError::Failure(Error::Http(answer))) => {
                let text = String::from_utf8(answer.body().clone().unwrap_or_default()).unwrap();
                Err((answer.status().as_u16(), text))
            }
            Err(error) => panic!("no handshake: {error}"),
        }
    }

    fn connect(server: SocketAddr, path: &str) -> Self {
        Self::try_connect(server, path, &[]).expect("a session")
    }

    fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("the server reads");
    }

    /// The next text message, or the code of the end and its reason; 1006 where the connection ended without.
    fn next(&mut self) -> Result<String, (u16, String)> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Ok(text.to_string()),
                Ok(Message::Close(Some(frame))) => return Err((frame.code.into(), frame.reason.to_string())),
                Ok(Message::Close(None)) => return Err((1005, String::new())),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(other) => panic!("{other:?}"),
                Err(Error::Io(error)) if matches!(error.kind(), std::io::ErrorKind::WouldBlock) => panic!("no message"),
                Err(_) => return Err((1006, String::new())),
            }
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.next().expect("an answer")
    }

    fn json(&mut self) -> Value {
        let text = self.next().expect("an answer");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Code of the end, whatever is said before.
    fn end(&mut self) -> u16 {
        loop {
            if let Err((code, _)) = self.next() {
                return code;
            }
        }
    }
}

/// A query on 5×5 with more fields.
fn query(id: &str, more: &Value) -> String {
    let mut query = json!({"id": id, "boardXSize": 5, "boardYSize": 5, "rules": "chinese", "komi": 0.5,
        "moves": [["B", "C3"], ["W", "B2"], ["B", "D4"]], "maxVisits": 30});
    query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    query.to_string()
}

/// Waits until nothing is searched any more.
fn quiet(server: SocketAddr) {
    let mut peer = Peer::connect(server, "/gtp");
    wait_until("no search goes on", || peer.ask("losange-status").contains("searches 0"));
}

/// Sends a request as it is; the whole answer.
fn request(server: SocketAddr, text: &str) -> String {
    let mut stream = stream(server);
    let _ = stream.write_all(text.as_bytes());
    let mut answer = Vec::new();
    // What was not read when it closed makes a reset of it.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

#[test]
fn each_message_is_lines_and_each_answer_a_message() {
    let (_server, address) = serve_http(QUICK);
    let mut go = Peer::connect(address, "/gtp");
    let mut hex = Peer::connect(address, "/gtp");
    go.send("1 name\n2 play b D4\r\n\n3 genmove w\n");
    assert_eq!(go.next().unwrap(), "=1 Losange\n\n");
    assert_eq!(go.next().unwrap(), "=2 \n\n");
    assert!(go.next().unwrap().starts_with("=3 "));
    assert_eq!(hex.ask("losange-game hex"), "= \n\n");
    assert_eq!(hex.ask("play b a1"), "= \n\n");
    assert!(go.ask("losange-status").contains("sessions 2 of 64"));
    for line in ["loadsgf /etc/passwd", "printsgf /tmp/x.sgf"] {
        assert!(go.ask(line).contains("over the network"), "{line}");
    }
    assert_eq!(hex.ask("quit"), "= \n\n");
    assert_eq!(hex.next(), Err((1000, String::new())));
    go.0.close(None).unwrap();
    assert_eq!(go.end(), 1005, "a goodbye without a code is answered alike");
}

#[test]
fn an_analysis_streams_and_stops_at_the_next_message() {
    let (_server, address) = serve_http(LONG);
    let mut peer = Peer::connect(address, "/gtp");
    assert_eq!(peer.ask("4 lz-analyze b 5"), "=4 \n");
    for _ in 0..3 {
        let report = peer.next().unwrap();
        assert!(report.starts_with("info move ") && report.ends_with('\n'), "{report}");
    }
    peer.send("5 name");
    while peer.next().unwrap() != "\n" {}
    assert_eq!(peer.next().unwrap(), "=5 Losange\n\n");
}

#[test]
fn queries_are_answered_each_by_a_message() {
    let (_server, address) = serve_http(QUICK);
    let mut peer = Peer::connect(address, "/analysis");
    peer.send(&format!(
        "{}\n{}",
        query("a", &json!({"analyzeTurns": [0, 1, 2, 3]})),
        query("b", &json!({"maxVisits": 5}))
    ));
    let mut seen: Vec<String> =
        (0..5).map(|_| peer.json()).map(|a| format!("{}{}", a["id"], a["turnNumber"])).collect();
    seen.sort();
    assert_eq!(seen, ["\"a\"0", "\"a\"1", "\"a\"2", "\"a\"3", "\"b\"3"]);
    peer.send(r#"{"id":"v","action":"query_version"}"#);
    assert_eq!(peer.json()["version"], env!("CARGO_PKG_VERSION"));
    peer.send("nonsense");
    assert!(peer.json()["error"].as_str().unwrap().contains("could not parse"));
    peer.send(&query("hex", &json!({"game": "hex", "rules": "standard", "komi": 0, "moves": [["B", "c3"]]})));
    assert_eq!(peer.json()["id"], "hex");
    peer.send(&query("bad", &json!({"boardXSize": 29})));
    let answer = peer.json();
    assert_eq!((&answer["id"], &answer["field"]), (&json!("bad"), &json!("boardXSize")));
}

#[test]
fn clients_have_ids_and_searches_of_their_own() {
    let (_server, address) = serve_http(LONG);
    let mut peers = [(); 2].map(|()| Peer::connect(address, "/analysis"));
    let endless = query("q", &json!({"maxVisits": ENDLESS, "reportDuringSearchEvery": 0.01}));
    for peer in &mut peers {
        peer.send(&endless);
        assert_eq!(peer.json()["isDuringSearch"], true);
    }
    // Reports come every 50 ms at most.
    let since = Instant::now();
    (0..6).for_each(|_| _ = peers[0].json());
    assert!(since.elapsed() > Duration::from_millis(150), "{:?}", since.elapsed());
    peers[0].send(r#"{"id":"all","action":"terminate_all"}"#);
    while peers[0].json()["isDuringSearch"] != false {}
    for _ in 0..5 {
        assert_eq!(peers[1].json()["isDuringSearch"], true);
    }
}

#[test]
fn only_programs_and_own_pages_are_let_in() {
    let (server, address) = serve_http(QUICK);
    let port = address.port();
    let own = format!("http://localhost:{port}");
    for path in ["/gtp", "/analysis"] {
        assert!(Peer::try_connect(address, path, &[("origin", &own)]).is_ok());
        for origin in ["http://evil.example", "null", "http://localhost:1"] {
            let refused = Peer::try_connect(address, path, &[("origin", origin)]).err().unwrap();
            assert_eq!(refused, (403, "the Origin is foreign\n".to_owned()), "{path} {origin}");
        }
        for host in ["evil.example", &format!("evil.example:{port}"), "localhost"] {
            assert_eq!(Peer::try_connect(address, path, &[("host", host)]).err().unwrap().0, 403, "{path} {host}");
        }
        let local = format!("localhost:{port}");
        assert!(Peer::try_connect(address, path, &[("host", &local)]).is_ok());
    }
    server.error_with("refused: the Origin is foreign");
    // Not even the page is shown under another name.
    let answer = request(address, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 403 ") && !answer.contains("Losange"), "{answer}");
}

#[test]
fn a_token_is_asked_for() {
    let token = "0123456789abcdef";
    let (server, address) = serve_http(&[QUICK, &["--token", token]].concat());
    let by_query = Peer::try_connect(address, &format!("/gtp?token={token}"), &[]);
    assert!(by_query.unwrap().ask("name").contains("Losange"));
    assert!(Peer::try_connect(address, "/analysis", &[("authorization", &format!("Bearer {token}"))]).is_ok());
    for path in ["/gtp", "/gtp?token=0123456789abcdeX", "/analysis?token="] {
        assert_eq!(Peer::try_connect(address, path, &[]).err().unwrap().0, 401, "{path}");
    }
    server.error_with("refused: it does not know the token");
}

#[test]
fn others_are_let_in_only_where_that_is_meant() {
    for (arguments, wanted) in [
        (&["--http", "0.0.0.0:0"][..], "--allow-remote"),
        (&["--http", "0.0.0.0:0", "--allow-remote"], "--token"),
        (&["--http", "[::]:0", "--allow-remote", "--token", "short"], "16 letters"),
        (&["--http", "127.0.0.1:0", "--listen", "0.0.0.0:0"], "--allow-remote"),
        (&["--token", "0123456789abcdef"], "--http"),
    ] {
        let mut server = Program::start(&[&["serve", "--no-model"], arguments].concat());
        assert!(!server.wait().success(), "{arguments:?}");
        assert!(server.errors().contains(wanted), "{arguments:?}");
    }
    let token = "0123456789abcdef";
    let remote = ["serve", "--no-model", "--http", "0.0.0.0:0", "--allow-remote", "--token", token, "--memory", "64"];
    let server = Program::start(&remote);
    let address = SocketAddr::from(([127, 0, 0, 1], http_address(&server).port()));
    assert_eq!(Peer::try_connect(address, "/gtp", &[]).err().unwrap().0, 401);
    assert!(Peer::try_connect(address, &format!("/gtp?token={token}"), &[]).is_ok());
}

#[test]
fn requests_that_are_none_for_a_session_have_their_answers() {
    let (server, address) = serve_http(QUICK);
    let ask = |head: &str| request(address, &head.replace("HOST", &format!("Host: {address}")));
    let page = ask("GET / HTTP/1.1\r\nHOST\r\n\r\n");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<!doctype html>"), "{page}");
    for field in
        ["content-type: text/html", "x-content-type-options: nosniff", "content-security-policy: default-src 'none'"]
    {
        assert!(page.contains(field), "{page}");
    }
    assert!(!page.contains("unsafe-inline"), "{page}");
    let script = ask("GET /page.js?token=any HTTP/1.1\r\nHOST\r\n\r\n");
    assert!(script.starts_with("HTTP/1.1 200 OK\r\n") && script.contains("content-type: text/javascript"), "{script}");
    let long = "x".repeat(40_000);
    let many: String = (0..100).map(|n| format!("X-{n}: y\r\n")).collect();
    for (head, status) in [
        ("GET /other HTTP/1.1\r\nHOST\r\n\r\n".to_owned(), "404"),
        ("GET /../etc/passwd HTTP/1.1\r\nHOST\r\n\r\n".to_owned(), "404"),
        ("POST /gtp HTTP/1.1\r\nHOST\r\nContent-Length: 5\r\n\r\nname\n".to_owned(), "405"),
        ("GET /gtp HTTP/1.1\r\nHOST\r\n\r\n".to_owned(), "426"),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), "403"),
        (format!("GET / HTTP/1.1\r\nHOST\r\nX: {long}\r\n\r\n"), "431"),
        (format!("GET / HTTP/1.1\r\nHOST\r\n{many}\r\n"), "431"),
        ("name\r\n\r\n".to_owned(), "400"),
    ] {
        let answer = ask(&head);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{status}: {answer}");
    }
    // One request a connection: what stands behind it is not answered.
    let twice = "GET / HTTP/1.1\r\nHOST\r\n\r\n".repeat(2);
    assert_eq!(ask(&twice).matches("HTTP/1.1").count(), 1);
    assert!(Peer::connect(address, "/gtp").ask("losange-status").contains("sessions since start 1\n"));
    drop(server);
}

#[test]
fn a_request_that_does_not_end_is_hung_up() {
    let (server, address) = serve_http(QUICK);
    let start = Instant::now();
    let silent = thread::spawn(move || request(address, ""));
    let mut trickle = stream(address);
    while trickle.write_all(b"GET / HTTP/1.1\r\n"[..1].as_ref()).is_ok() && start.elapsed() < HANG {
        thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(silent.join().unwrap(), "");
    assert!((4..30).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    server.error_with("no whole request in time");
    assert!(Peer::connect(address, "/gtp").ask("name").contains("Losange"));
}

#[test]
fn what_is_no_text_message_ends_the_session() {
    let (server, address) = serve_http(QUICK);
    let long_line = format!("# {}", "x".repeat(70_000));
    let cases: [(&str, Message, u16); 3] = [
        ("too long", Message::text("#".repeat((1 << 20) + 1)), 1009),
        ("a line was too long", Message::text(long_line), 1009),
        ("not text", Message::binary(&b"name\n"[..]), 1003),
    ];
    for (reason, message, code) in cases {
        let mut peer = Peer::connect(address, "/gtp");
        // The server may hang up before all is sent.
        let _ = peer.0.send(message);
        assert_eq!(peer.end(), code, "{reason}");
        server.error_with(reason);
    }
    // An unmasked frame, one with reserved bits, text that is not UTF-8, a frame of unknown kind.
    for (bytes, code) in [
        (&b"\x81\x04name"[..], 1002),
        (b"\xf1\x80\0\0\0\0", 1002),
        (b"\x81\x82\0\0\0\0\xff\xfe", 1003),
        (b"\x83\x80\0\0\0\0", 1002),
    ] {
        let mut peer = Peer::connect(address, "/gtp");
        peer.0.get_mut().write_all(bytes).unwrap();
        assert_eq!(peer.end(), code, "{bytes:?}");
    }
    assert!(Peer::connect(address, "/gtp").ask("name").contains("Losange"));
}

#[test]
fn fragments_are_joined_and_pings_answered() {
    let (server, address) = serve_http(QUICK);
    let mut peer = Peer::connect(address, "/gtp");
    let part =
        |text: &'static str, kind, last| Message::Frame(Frame::message(text.as_bytes(), OpCode::Data(kind), last));
    peer.0.send(part("na", Data::Text, false)).unwrap();
    peer.0.send(Message::Ping("hello".into())).unwrap();
    peer.0.send(part("", Data::Continue, false)).unwrap();
    peer.0.send(part("me", Data::Continue, true)).unwrap();
    assert_eq!(peer.0.read().unwrap(), Message::Pong("hello".into()));
    assert_eq!(peer.next().unwrap(), "= Losange\n\n");
    // Pieces of nothing come to an end too.
    let raw = [&b"\x01\x80\0\0\0\0"[..], &b"\0\x80\0\0\0\0".repeat(400_000)].concat();
    let _ = peer.0.get_mut().write_all(&raw);
    assert_eq!(peer.end(), 1009);
    server.error_with("a message was too long");
}

#[test]
fn floods_and_silence_are_cut_off() {
    let (server, address) = serve_http(&[QUICK, &["--rate", "100", "--idle", "2"]].concat());
    for message in [Message::text("\n".repeat(1000)), Message::Ping("x".into())] {
        let mut peer = Peer::connect(address, "/gtp");
        while peer.0.send(message.clone()).is_ok() {}
        server.error_with("too many lines");
        assert!([1008, 1006].contains(&peer.end()));
    }
    let mut queries = Peer::connect(address, "/analysis");
    while queries.0.send(Message::text(r#"{"id":"v","action":"query_version"}"#)).is_ok() {}
    server.error_with("too many lines");
    let mut silent = Peer::connect(address, "/analysis");
    assert_eq!(silent.next(), Err((1008, "nothing was sent for too long".to_owned())));
    // Who waits for an answer is not idle.
    let mut waits = Peer::connect(address, "/analysis");
    waits.send(&query("long", &json!({"maxVisits": ENDLESS, "overrideSettings": {"maxTime": 5}})));
    assert_eq!(waits.json()["id"], "long");
}

#[test]
fn a_full_server_says_so_and_how_busy_it_is() {
    let (server, address) = serve_http(&[QUICK, &["--sessions", "2"]].concat());
    let mut peers = [Peer::connect(address, "/gtp"), Peer::connect(address, "/analysis")];
    assert!(peers[0].ask("name").contains("Losange"));
    // Who asks too late hears the reason only.
    let mut third = Peer::connect(address, "/gtp");
    assert!(third.ask("7 name").ends_with(" the server is full: 2 sessions\n\n"));
    assert_eq!(third.end(), 1013);
    let busy = |_| Peer::connect(address, "/gtp").ask("losange-status").contains("sessions 2 of 2");
    assert!((0..20).any(busy), "how busy it is");
    let refused = Peer::try_connect(address, "/analysis", &[]).err().unwrap();
    assert_eq!(refused, (503, "the server is full: 2 sessions\n".to_owned()));
    server.error_with("refused: the server is full");
    drop(peers);
    server.error_with("session ended");
    server.error_with("session ended");
    assert!(Peer::connect(address, "/analysis").0.close(None).is_ok());
}

#[test]
fn what_was_asked_by_a_client_that_goes_is_given_up() {
    let (_server, address) = serve_http(LONG);
    let endless: Vec<String> = (0..20).map(|n| query(&format!("q{n}"), &json!({"maxVisits": ENDLESS}))).collect();
    for (path, text) in [("/analysis", endless.join("\n")), ("/gtp", "genmove b\nplay w".to_owned())] {
        // Hangs up, closes one half, says goodbye.
        for manner in 0..3 {
            let mut peer = Peer::connect(address, path);
            peer.send(&text);
            let mut other = Peer::connect(address, "/gtp");
            wait_until("a search has begun", || !other.ask("losange-status").contains("searches 0"));
            match manner {
                0 => drop(peer),
                1 => peer.0.get_mut().shutdown(Shutdown::Write).unwrap(),
                _ => peer.0.close(None).unwrap(),
            }
            quiet(address);
        }
    }
}

#[test]
fn two_hundred_clients_of_which_two_are_bad() {
    let many = ["--sessions", "220", "--memory", "1400", "--threads", "2", "--playouts", "5", "--size", "5"];
    let (server, address) = serve_http(&[&many[..], &["--write-timeout", "2", "--rate", "200"]].concat());
    let mut deaf = Peer::connect(address, "/gtp");
    deaf.send(&"help\n".repeat(4000));
    let mut flood = Peer::connect(address, "/analysis");
    let flooding = thread::spawn(move || while flood.0.send(Message::text("{}\n".repeat(1000))).is_ok() {});
    let mut peers: Vec<Peer> =
        (0..198).map(|n| Peer::connect(address, if n % 2 == 0 { "/gtp" } else { "/analysis" })).collect();
    for round in 0..3 {
        for (number, peer) in peers.iter_mut().enumerate() {
            let line = if number % 2 == 0 { "genmove b".to_owned() } else { query("q", &json!({"maxVisits": 5})) };
            peer.send(&line);
        }
        for (number, peer) in peers.iter_mut().enumerate() {
            let answer = peer.next().unwrap_or_else(|end| panic!("round {round}, client {number}: {end:?}"));
            assert!(answer.starts_with("= ") || answer.contains("\"isDuringSearch\":false"), "{answer}");
        }
    }
    flooding.join().unwrap();
    server.error_with("session cut off");
    // Once for the one that floods, once for the one that does not read.
    server.error_with("session cut off");
    peers.truncate(10);
    for peer in &mut peers {
        assert!(peer.0.close(None).is_ok() && peer.end() == 1005);
    }
}

#[cfg(unix)]
#[test]
fn a_shutdown_answers_what_was_asked_and_says_goodbye() {
    let (mut server, address) = serve_http(LONG);
    let mut queries = Peer::connect(address, "/analysis");
    queries.send(&query("q", &json!({"maxVisits": ENDLESS, "reportDuringSearchEvery": 0.05})));
    assert_eq!(queries.json()["isDuringSearch"], true);
    let mut commands = Peer::connect(address, "/gtp");
    commands.send("genmove b");
    let running = || Peer::connect(address, "/gtp").ask("losange-status");
    wait_until("two searches run", || running().contains("searches 2"));
    let mut idle = Peer::connect(address, "/gtp");
    let _silent = stream(address);
    server.signal("TERM");
    assert!(commands.next().unwrap().starts_with("= "), "the move it was thinking about");
    assert_eq!(commands.next(), Err((1001, String::new())));
    while queries.json()["isDuringSearch"] != false {}
    assert_eq!(queries.next(), Err((1001, String::new())));
    assert_eq!(idle.next(), Err((1001, String::new())));
    assert!(server.wait().success());
}

#[test]
fn lines_and_messages_have_limits_in_common() {
    let both = [&["serve", "--no-model", "-v", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"], QUICK].concat();
    let server = Program::start(&[&both[..], &["--sessions", "1"]].concat());
    let lines: SocketAddr = server.line().strip_prefix("listening on ").unwrap().parse().unwrap();
    let address = http_address(&server);
    let mut client = Client::connect(lines);
    assert_eq!(client.ask("name"), "= Losange");
    assert_eq!(Peer::try_connect(address, "/analysis", &[]).err().unwrap().0, 503);
    assert_eq!(client.ask("quit"), "= ");
    server.error_with("session ended");
    let mut peer = Peer::connect(address, "/gtp");
    assert!(peer.ask("name").contains("Losange"));
    assert!(Client::connect(lines).ask("name").contains("the server is full"));
    drop(peer);
    server.error_with("session ended");
    // The port of lines speaks no HTTP.
    let mut http = stream(lines);
    http.write_all(format!("GET /gtp HTTP/1.1\r\nHost: {lines}\r\n\r\n").as_bytes()).unwrap();
    let mut answer = String::new();
    let _ = http.read_to_string(&mut answer);
    assert_eq!(answer, "");
    server.error_with("HTTP was spoken");
}

#[test]
fn a_board_is_on_a_port_of_its_own() {
    let server = Program::start(&[
        "board",
        "hex",
        "--no-open",
        "--threads",
        "1",
        "--memory",
        "64",
        "--size",
        "7x6",
        "--time",
        "1",
        "--level",
        "5",
    ]);
    let line = server.line();
    let asked = "/#hex?size=7x6&time=1&level=5";
    let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix(asked)).expect(&line);
    let address: SocketAddr = address.parse().unwrap();
    assert!(address.ip().is_loopback());
    let page = request(address, &format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n"));
    assert!(page.contains("<!doctype html>"), "{page}");
    assert!(Peer::connect(address, "/gtp").ask("losange-state").contains(r#""game":"hex""#));
}
