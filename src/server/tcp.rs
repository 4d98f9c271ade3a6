//! Sessions over TCP: one for each connection, within limits, sharing the machine fairly.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::account::Account;
use super::limits::Limits;
use super::link::{Host, House, Seat};
use super::signals::termination;
use super::throttle::Throttle;
use super::worker::{self, Sink};
use crate::players::Kind;
use crate::protocol::{Engine, Identity, Output};
use crate::rng::mix;
use crate::search::Share;
use crate::session::{Control, Settings};

/// A silent connection is asked whether its other end is still there after so long, then so often, and given up after so
/// many questions without an answer: within two minutes.
const ASK_AFTER: Duration = Duration::from_secs(60);
const ASK_EVERY: Duration = Duration::from_secs(15);
const ASK_TIMES: u32 = 4;
/// How long a shutdown waits for sessions to finish what they are doing.
const DRAIN: Duration = Duration::from_secs(5);
/// Pause after a connection that could not be accepted: others must close first.
const PAUSE: Duration = Duration::from_millis(100);
/// Steps in which a session rests, between looks at whether it is closing.
const NAP: Duration = Duration::from_millis(10);

/// Options of a server.
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

/// Serves until SIGTERM, SIGINT or SIGHUP. `ready` hears the address once connections are accepted.
///
/// # Errors
/// If the address cannot be bound, or if the thread of a session has died.
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
    config.settings.report_every = config.limits.report_every;
    let limits = config.limits;
    let house =
        Arc::new_cyclic(|house| House::new(Engines { config, house: house.clone(), working: Arc::default() }, limits));
    let (stop, stopped) = watch::channel(false);
    // Every connection holds an end of it, so that the last one to go is heard of.
    let (alive, mut all_gone) = mpsc::channel::<()>(1);
    let termination = termination()?;
    ready(listener.local_addr()?);
    tokio::pin!(termination);
    let mut failures = Throttle::new(Instant::now());
    loop {
        tokio::select! {
            signal = &mut termination => {
                tracing::info!(signal = signal?, "shutting down");
                break;
            }
            connection = listener.accept() => match connection {
                Ok((stream, peer)) => {
                    let (house, stopped, alive) = (Arc::clone(&house), stopped.clone(), alive.clone());
                    tokio::spawn(async move {
                        match set_up(&stream) {
                            Ok(()) => _ = house.receive(stream, peer, stopped).await,
                            Err(error) => tracing::debug!(%peer, %error, "a connection that has gone"),
                        }
                        drop(alive);
                    });
                }
                Err(error) => {
                    // Too many open files, usually.
                    if let Some(left_out) = failures.pass(Instant::now()) {
                        tracing::warn!(%error, left_out, "a connection cannot be accepted");
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            },
        }
    }
    drop((listener, alive));
    // Nobody is listening if there are no sessions.
    let _ = stop.send(true);
    if timeout(DRAIN, all_gone.recv()).await.is_err() {
        tracing::warn!("some sessions did not end in time");
    }
    match house.died() {
        0 => Ok(()),
        died => Err(io::Error::other(format!("threads of {died} sessions have died; the log says more"))),
    }
}

/// Sessions of the engine, each in a thread of its own.
struct Engines {
    config: Config,
    house: Weak<House<Engines>>,
    /// Sessions that execute a command now.
    working: Arc<AtomicUsize>,
}

impl Host for Engines {
    fn seat(&self, seat: Seat) -> io::Result<()> {
        let Seat { number, control, lines, answers, ended } = seat;
        let config = &self.config;
        let settings = Settings { seed: mix(config.settings.seed ^ number), ..config.settings.clone() };
        let (kind, name, house) = (config.kind, config.name.clone(), self.house.clone());
        let status = Arc::new(move || house.upgrade().map_or_else(String::new, |house| house.status()));
        let mut out = Answers {
            answers,
            control: Arc::clone(&control),
            waited: Duration::ZERO,
            account: Account::new(Instant::now()),
            working: Arc::clone(&self.working),
            share: Arc::clone(&settings.share),
        };
        // The system shows 15 letters of a thread's name; threads of a search have that of their session.
        thread::Builder::new().name(format!("session {number}")).spawn(move || {
            let engine = Engine::new(kind, settings, control, Identity { name, files: false, status });
            worker::run(engine, lines, &mut out);
            drop(out);
            // Nobody waits any more if the server is ending.
            let _ = ended.send(());
        })?;
        Ok(())
    }

    fn load(&self) -> String {
        let share = &self.config.settings.share;
        format!("searches {}\nthreads {}", share.running(), share.threads())
    }
}

/// The session's end of its answers, and its account.
struct Answers {
    answers: mpsc::Sender<String>,
    control: Arc<Control>,
    /// Time that the client let the session wait since the command began.
    waited: Duration,
    account: Account,
    working: Arc<AtomicUsize>,
    share: Arc<Share>,
}

impl Output for Answers {
    fn send(&mut self, text: &str) {
        let start = Instant::now();
        if self.answers.blocking_send(text.to_owned()).is_err() {
            self.control.close();
        }
        self.waited += start.elapsed();
    }

    /// They travel on standard error, which a connection has not.
    fn graphics(&mut self, _: &str) {}
}

impl Sink for Answers {
    fn is_closed(&self) -> bool {
        self.answers.is_closed()
    }

    fn begin(&mut self) {
        self.waited = Duration::ZERO;
        self.working.fetch_add(1, Relaxed);
    }

    fn end(&mut self, work: Duration) {
        let others = self.working.fetch_sub(1, Relaxed) > 1 || self.share.running() > 0;
        let now = Instant::now();
        let rested = now + self.account.charge(work.saturating_sub(self.waited), now, others);
        while Instant::now() < rested && !self.control.is_closing() {
            thread::sleep(NAP.min(rested.saturating_duration_since(Instant::now())));
        }
    }
}

/// Answers are short and awaited; a client whose machine has gone says no goodbye.
fn set_up(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let asking = TcpKeepalive::new().with_time(ASK_AFTER).with_interval(ASK_EVERY).with_retries(ASK_TIMES);
    SockRef::from(stream).set_tcp_keepalive(&asking)
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
