//! The real program at the end of a pipe or a connection, for whole-program tests and latency measurements.

// Each user needs a part of it.
#![allow(dead_code, unreachable_pub)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// An answer that takes longer means a hang; generous, for slow machines.
pub const HANG: Duration = Duration::from_secs(120);

/// The program with its input, its lines of output and what it wrote to standard error.
pub struct Program {
    pub child: Child,
    pub stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_losange"));
    // Settings of whoever runs the tests shall not matter.
    command.env("LOSANGE_NO_CONFIG", "true");
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program to its end: whether it succeeded, its output and its errors.
pub fn run(args: &[&str]) -> (bool, String, String) {
    let output = command(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Waits until something holds; longer than a moment, it is a hang.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < HANG, "waited too long: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

impl Program {
    pub fn start(args: &[&str]) -> Self {
        Self::spawn(&mut command(args))
    }

    pub fn spawn(command: &mut Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let lines = lines_of(child.stdout.take().unwrap());
        let errors = lines_of(child.stderr.take().unwrap());
        Self { stdin: child.stdin.take(), child, lines, errors }
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("its input is still open");
        stdin.write_all(bytes).expect("the program reads");
        stdin.flush().unwrap();
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line of standard output.
    pub fn line(&self) -> String {
        self.lines.recv_timeout(HANG).unwrap_or_else(|error| {
            let log: Vec<String> = self.errors.try_iter().collect();
            panic!("no line of output: {error}; the log: {log:#?}")
        })
    }

    /// The next line of standard output, or the end of it.
    pub fn line_or_end(&self) -> Option<String> {
        match self.lines.recv_timeout(HANG) {
            Ok(line) => Some(line),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(error) => panic!("no line: {error}"),
        }
    }

    /// The next whole answer, its lines joined, without the empty line at its end.
    pub fn answer(&self) -> String {
        let mut text = self.line();
        assert!(text.starts_with(['=', '?']), "no answer begins like {text:?}");
        loop {
            match self.line() {
                line if line.is_empty() => return text,
                line => text = text + "\n" + &line,
            }
        }
    }

    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.answer()
    }

    /// Closes standard input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Waits for the program to end.
    pub fn wait(&mut self) -> ExitStatus {
        wait(&mut self.child)
    }

    /// All that standard error holds; the program must have ended.
    pub fn errors(&self) -> String {
        self.errors.iter().collect::<Vec<_>>().join("\n")
    }

    /// Waits for a line on standard error that contains `text`.
    pub fn error_with(&self, text: &str) -> String {
        self.errors_to(text).pop().unwrap()
    }

    /// The lines on standard error up to one that contains `text`, with it.
    pub fn errors_to(&self, text: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let next = self.errors.recv_timeout(HANG);
            seen.push(next.unwrap_or_else(|error| panic!("no '{text}' in the log: {error}; there were {seen:#?}")));
            if seen.last().is_some_and(|line| line.contains(text)) {
                return seen;
            }
        }
    }

    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(status.expect("kill runs").success());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It has ended already, or a test has failed: nothing may stay behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn wait(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(start.elapsed() < HANG, "the program does not end");
        thread::sleep(Duration::from_millis(2));
    }
}

/// A server on a free port of loopback.
pub fn serve(args: &[&str]) -> (Program, SocketAddr) {
    let mut all = vec!["serve", "--listen", "127.0.0.1:0", "-v"];
    all.extend(args);
    let server = Program::start(&all);
    let line = server.line();
    let address = line.strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).parse().unwrap();
    (server, address)
}

/// A server of WebSockets on a free port of loopback.
pub fn serve_http(args: &[&str]) -> (Program, SocketAddr) {
    let server = Program::start(&[&["serve", "--http", "127.0.0.1:0", "-v", "--no-model"], args].concat());
    let address = http_address(&server);
    (server, address)
}

/// The address of the next line of a server that has begun.
pub fn http_address(server: &Program) -> SocketAddr {
    let line = server.line();
    let address = line.strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix('/'));
    address.unwrap_or_else(|| panic!("{line}")).parse().unwrap()
}

/// A client of a server.
pub struct Client {
    pub stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Client {
    pub fn connect(server: SocketAddr) -> Self {
        let stream = TcpStream::connect(server).expect("the server accepts");
        stream.set_read_timeout(Some(HANG)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    pub fn send(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\n").as_bytes()).expect("the server reads");
    }

    /// The next line; `None` once the server has closed the connection.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(line.trim_end_matches('\n').to_owned()),
            // What was still unread when it closed makes a reset of it.
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(error) => panic!("no line: {error}"),
        }
    }

    pub fn answer(&mut self) -> String {
        let mut text = self.line().expect("an answer");
        while let Some(line) = self.line().filter(|line| !line.is_empty()) {
            text = text + "\n" + &line;
        }
        text
    }

    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.answer()
    }
}
