//! Sessions over TCP: one for each connection, within limits, sharing the machine fairly.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::time::timeout;

use super::input::{Piece, Splitter};
use super::limits::{Limits, Rate};
use super::queue::{Input, Lines, queue};
use super::worker::{self, Sink, close, receive};
use crate::players::Kind;
use crate::protocol::{Engine, Identity, Output};
use crate::rng::mix;
use crate::session::{Control, Settings};

/// Answers that may wait to be read, for each session.
const ANSWERS: usize = 16;
/// Bytes of lines that may wait to be answered, for each session.
const MOST_WAITING: usize = 1 << 20;
/// So many times the idle limit may pass over a silent client that waits for an answer, with nothing answered meanwhile.
const MOST_WAITS: u32 = 10;
/// A silent connection is asked whether its other end is still there after so long, then so often, and given up after so
/// many questions without an answer: within two minutes.
const ASK_AFTER: Duration = Duration::from_secs(60);
const ASK_EVERY: Duration = Duration::from_secs(15);
const ASK_TIMES: u32 = 4;
/// How long a shutdown waits for sessions to finish what they are doing.
const DRAIN: Duration = Duration::from_secs(5);

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The game of a session that does not choose one.
    pub kind: Kind,
    /// Settings of each session. The memory is that of all sessions together.
    pub settings: Settings,
    /// Limits of each session.
    pub limits: Limits,
    /// Answer to `name`.
    pub name: String,
}

/// State that all connections see.
struct Shared {
    config: Config,
    /// One permit for each session that may still begin.
    permits: Arc<Semaphore>,
    /// Sessions that run now.
    running: AtomicUsize,
    /// Sessions since the start: numbers and seeds.
    begun: AtomicU64,
    start: Instant,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Quit,
    Disconnected,
    Shutdown,
    LineTooLong,
    TooManyLines,
    Idle,
    NotReading,
}

impl End {
    /// `None` for ordinary ends, and the reason where the client was cut off.
    fn reason(self) -> Option<&'static str> {
        match self {
            Self::Quit | Self::Disconnected | Self::Shutdown => None,
            Self::LineTooLong => Some("a line was too long"),
            Self::TooManyLines => Some("too many lines"),
            Self::Idle => Some("nothing was sent for too long"),
            Self::NotReading => Some("answers were not read"),
        }
    }
}

/// From now on SIGTERM and SIGINT do not end the process; the future waits for one and says which came. To be called
/// within a runtime.
pub(crate) fn termination() -> io::Result<impl Future<Output = io::Result<&'static str>>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(async move {
            tokio::select! {
                _ = term.recv() => Ok("SIGTERM"),
                _ = int.recv() => Ok("SIGINT"),
            }
        })
    }
    #[cfg(not(unix))]
    {
        Ok(async { tokio::signal::ctrl_c().await.map(|()| "Ctrl-C") })
    }
}

/// From now on SIGTERM and SIGINT do not end the process; the first of them calls `then`, in a thread of its own, with its name.
///
/// # Errors
/// If signals cannot be taken or there can be no thread for them.
pub fn on_termination(then: impl FnOnce(&'static str) + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let termination = {
        let _entered = runtime.enter();
        termination()?
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || match runtime.block_on(termination) {
        Ok(signal) => then(signal),
        Err(error) => tracing::warn!(%error, "signals are not heard"),
    })?;
    Ok(())
}

/// Serves until SIGTERM or SIGINT. `ready` hears the address once connections are accepted.
///
/// # Errors
/// If the address cannot be bound.
pub fn serve(config: Config, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let result = runtime.block_on(accept(config, ready));
    // Sessions that are still stuck in a write have had their time.
    runtime.shutdown_background();
    result
}

async fn accept(mut config: Config, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let listener = TcpListener::bind(config.listen).await?;
    // Each session gets its part of the memory, so that all of them together stay below what was allowed.
    config.settings.memory = (config.settings.memory / config.limits.sessions.max(1)).max(1);
    let sessions = config.limits.sessions;
    let shared = Arc::new(Shared {
        permits: Arc::new(Semaphore::new(sessions)),
        running: AtomicUsize::new(0),
        begun: AtomicU64::new(0),
        start: Instant::now(),
        config,
    });
    let (stop, stopped) = watch::channel(false);
    let termination = termination()?;
    ready(listener.local_addr()?);
    tokio::pin!(termination);
    loop {
        tokio::select! {
            signal = &mut termination => {
                tracing::info!(signal = signal?, "shutting down");
                break;
            }
            connection = listener.accept() => match connection {
                Ok((stream, peer)) => admit(&shared, stream, peer, stopped.clone()),
                Err(error) => {
                    // Too many open files, usually: others must close first.
                    tracing::warn!(%error, "a connection cannot be accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
        }
    }
    drop(listener);
    // Nobody is listening if there are no sessions.
    let _ = stop.send(true);
    let all = u32::try_from(sessions).unwrap_or(u32::MAX);
    if timeout(DRAIN, shared.permits.acquire_many(all)).await.is_err() {
        tracing::warn!("some sessions did not end in time");
    }
    Ok(())
}

fn admit(shared: &Arc<Shared>, stream: TcpStream, peer: SocketAddr, stopped: watch::Receiver<bool>) {
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        let Ok(permit) = Arc::clone(&shared.permits).try_acquire_owned() else {
            tracing::warn!(%peer, "refused: all sessions are taken");
            let text = format!("? the server is full: {} sessions\n\n", shared.config.limits.sessions);
            // Whether it hears of it is its own affair; what it has said must be read, or the system takes back what it was told.
            let _ = timeout(Duration::from_secs(1), refuse(stream, &text)).await;
            return;
        };
        let running = shared.running.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::info!(%peer, running, "session begins");
        let end = session(&shared, stream, peer, stopped).await;
        shared.running.fetch_sub(1, Ordering::Relaxed);
        // Its place is free before anybody reads of it.
        drop(permit);
        match end {
            Ok(end) => match end.reason() {
                Some(reason) => tracing::warn!(%peer, reason, "session cut off"),
                None => tracing::info!(%peer, end = ?end, "session ended"),
            },
            Err(error) => tracing::warn!(%peer, %error, "session failed"),
        }
    });
}

/// Tells a client why there is no session for it, and waits until it has hung up.
async fn refuse(mut stream: TcpStream, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    Ok(())
}

/// The session's end of its answers.
struct Answers {
    answers: mpsc::Sender<String>,
    control: Arc<Control>,
}

impl Output for Answers {
    fn send(&mut self, text: &str) {
        if self.answers.blocking_send(text.to_owned()).is_err() {
            self.control.close();
        }
    }

    /// They travel on standard error, which a connection has not.
    fn graphics(&mut self, _: &str) {}
}

impl Sink for Answers {
    fn is_closed(&self) -> bool {
        self.answers.is_closed()
    }
}

/// Answers are short and awaited; a client whose machine has gone says no goodbye.
fn set_up(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let asking = TcpKeepalive::new().with_time(ASK_AFTER).with_interval(ASK_EVERY).with_retries(ASK_TIMES);
    SockRef::from(stream).set_tcp_keepalive(&asking)
}

async fn session(
    shared: &Arc<Shared>,
    stream: TcpStream,
    peer: SocketAddr,
    mut stopped: watch::Receiver<bool>,
) -> io::Result<End> {
    set_up(&stream)?;
    let (from_peer, to_peer) = stream.into_split();
    let control = Arc::new(Control::new());
    let (lines, queue) = queue();
    let (answers, outgoing) = mpsc::channel(ANSWERS);
    let (ended, session_ended) = oneshot::channel();
    let number = shared.begun.fetch_add(1, Ordering::Relaxed);

    let engine = engine(shared, number, &control);
    let mut out = Answers { answers, control: Arc::clone(&control) };
    thread::Builder::new().name(format!("session {peer}")).spawn(move || {
        worker::run(engine, queue, &mut out);
        drop(out);
        // Nobody waits any more if the connection has gone.
        let _ = ended.send(());
    })?;

    let limits = shared.config.limits;
    let writer = tokio::spawn(write(to_peer, outgoing, limits.write));
    let mut reading = tokio::spawn(read(from_peer, Arc::clone(&control), lines.clone(), limits));
    let mut end = tokio::select! {
        end = &mut reading => end.unwrap_or(End::Disconnected),
        _ = session_ended => End::Disconnected,
        _ = stopped.wait_for(|&stop| stop) => End::Shutdown,
    };
    reading.abort();
    close(&control).await;
    lines.send(Input::End);
    if let Ok(false) = writer.await {
        end = End::NotReading;
    }
    Ok(end)
}

fn engine(shared: &Arc<Shared>, number: u64, control: &Arc<Control>) -> Engine {
    let config = &shared.config;
    let settings = Settings { seed: mix(config.settings.seed ^ number), ..config.settings.clone() };
    let counted = Arc::downgrade(shared);
    let status = Arc::new(move || counted.upgrade().map_or_else(String::new, |shared| shared.status()));
    let identity = Identity { name: config.name.clone(), files: false, status };
    Engine::new(config.kind, settings, Arc::clone(control), identity)
}

impl Shared {
    fn status(&self) -> String {
        let share = &self.config.settings.share;
        format!(
            "sessions {} of {}\nsearches {}\nthreads {}\nsessions since start {}\nseconds since start {}",
            self.running.load(Ordering::Relaxed),
            self.config.limits.sessions,
            share.running(),
            share.threads(),
            self.begun.load(Ordering::Relaxed),
            self.start.elapsed().as_secs(),
        )
    }
}

/// Reads lines until the client quits, leaves or passes a limit.
async fn read(mut stream: OwnedReadHalf, control: Arc<Control>, lines: Lines, limits: Limits) -> End {
    let mut splitter = Splitter::default();
    let mut rate = Rate::new(limits, Instant::now());
    let mut buffer = vec![0; 16 * 1024];
    let mut pieces = Vec::new();
    let (mut waits, mut waiting) = (0, 0);
    loop {
        let count = match timeout(limits.idle, stream.read(&mut buffer)).await {
            // Who waits for an answer is not idle, unless it takes too long for anybody; who looks at an analysis may be.
            Err(_) if lines.waiting() > 0 && !control.is_analysing() && waits < MOST_WAITS => {
                let left = lines.waiting();
                waits = if left < waiting { 0 } else { waits + 1 };
                waiting = left;
                continue;
            }
            Err(_) => return End::Idle,
            Ok(Err(_)) => return End::Disconnected,
            Ok(Ok(count)) => count,
        };
        waits = 0;
        if count == 0 {
            splitter.finish(|piece| pieces.push(piece));
        } else {
            splitter.feed(&buffer[..count], |piece| pieces.push(piece));
        }
        for piece in pieces.drain(..) {
            if !rate.take(Instant::now()) {
                return End::TooManyLines;
            }
            let too_long = piece == Piece::TooLong;
            let (input, quit) = receive(&control, piece);
            if quit {
                control.close();
            }
            if let Some(input) = input
                && !lines.send(input)
            {
                return End::Disconnected;
            }
            if lines.waiting() > MOST_WAITING {
                return End::TooManyLines;
            }
            if quit {
                return End::Quit;
            }
            if too_long {
                return End::LineTooLong;
            }
        }
        if count == 0 {
            return End::Disconnected;
        }
    }
}

/// Sends answers until there are no more; `false` if the peer did not read them.
async fn write(mut stream: OwnedWriteHalf, mut answers: mpsc::Receiver<String>, limit: Duration) -> bool {
    while let Some(text) = answers.recv().await {
        match timeout(limit, stream.write_all(text.as_bytes())).await {
            Err(_) => return false,
            Ok(Err(_)) => return true,
            Ok(Ok(())) => {}
        }
    }
    // The peer may have gone already.
    let _ = timeout(limit, stream.shutdown()).await;
    true
}

/// Asks a server how busy it is.
///
/// # Errors
/// If there is none, or it does not answer.
pub fn status(server: SocketAddr) -> io::Result<String> {
    const PATIENCE: Duration = Duration::from_secs(5);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let ask = async {
            let mut stream = TcpStream::connect(server).await?;
            stream.write_all(b"losange-status\nquit\n").await?;
            let mut text = String::new();
            stream.take(64 * 1024).read_to_string(&mut text).await?;
            Ok::<_, io::Error>(text)
        };
        let text = timeout(PATIENCE, ask).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        let answer = text.split("\n\n").next().unwrap_or_default();
        match answer.strip_prefix("= ") {
            Some(status) => Ok(status.to_owned()),
            None => Err(io::Error::other(answer.trim_start_matches("? ").to_owned())),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn silent_connections_are_asked_whether_they_stand() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        assert!(!SockRef::from(&stream).keepalive().unwrap());
        set_up(&stream).unwrap();
        let socket = SockRef::from(&stream);
        assert!(socket.keepalive().unwrap() && socket.tcp_nodelay().unwrap());
        #[cfg(target_os = "linux")]
        assert_eq!(
            (
                socket.tcp_keepalive_time().unwrap(),
                socket.tcp_keepalive_interval().unwrap(),
                socket.tcp_keepalive_retries().unwrap()
            ),
            (ASK_AFTER, ASK_EVERY, ASK_TIMES)
        );
        drop(client);
    }
}
