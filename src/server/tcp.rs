//! Sessions over TCP and WebSocket: one for each connection, within limits, sharing the machine fairly.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::engines::{Engines, Sessions};
use super::http::{Door, WebAddress, Website};
use super::limits::Limits;
use super::link::House;
use super::signals::termination;
use super::throttle::Throttle;

/// A silent connection is asked whether its other end is still there after so long, then so often, and given up after so
/// many questions without an answer: within two minutes.
const ASK_AFTER: Duration = Duration::from_secs(60);
const ASK_EVERY: Duration = Duration::from_secs(15);
const ASK_TIMES: u32 = 4;
/// How long a shutdown waits for sessions to finish what they are doing.
const DRAIN: Duration = Duration::from_secs(5);
/// Pause after a connection that could not be accepted: others must close first.
const PAUSE: Duration = Duration::from_millis(100);

/// Options of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on for connections that carry lines; port 0 takes a free one.
    pub listen: Option<SocketAddr>,
    /// Where to listen for HTTP.
    pub web: Option<WebAddress>,
    /// Limits of each session.
    pub limits: Limits,
    /// Sessions and their settings. The memory is that of all sessions together.
    pub sessions: Sessions,
}

/// Address that a server listens on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listening {
    /// For connections that carry lines.
    Lines(SocketAddr),
    /// For HTTP.
    Http(SocketAddr),
}

/// Serves until SIGTERM, SIGINT or SIGHUP. `ready` hears the addresses once connections are accepted.
///
/// # Errors
/// If an address cannot be bound, or if the thread of a session has died.
pub fn serve(config: Config, ready: impl FnMut(Listening)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let result = runtime.block_on(accept(config, ready));
    // Sessions that are still stuck in a write have had their time.
    runtime.shutdown_background();
    result
}

async fn bind(address: Option<SocketAddr>) -> io::Result<Option<TcpListener>> {
    let Some(address) = address else { return Ok(None) };
    let refused = |error: io::Error| io::Error::new(error.kind(), format!("{address}: {error}"));
    TcpListener::bind(address).await.map(Some).map_err(refused)
}

async fn accept(config: Config, mut ready: impl FnMut(Listening)) -> io::Result<()> {
    let Config { listen, web, limits, sessions } = config;
    let (lines, http) = (bind(listen).await?, bind(web.as_ref().map(|web| web.listen)).await?);
    let house = Arc::new_cyclic(|house| House::new(Engines::new(sessions, limits, house.clone()), limits));
    let (stop, stopped) = watch::channel(false);
    // Every connection holds an end of it, so that the last one to go is heard of.
    let (alive, mut all_gone) = mpsc::channel::<()>(1);
    let termination = termination()?;
    let mut doors = tokio::task::JoinSet::new();
    if let Some(listener) = lines {
        ready(Listening::Lines(listener.local_addr()?));
        let (house, stopped, alive) = (Arc::clone(&house), stopped.clone(), alive.clone());
        doors.spawn(door(listener, alive, move |stream, peer| {
            let (house, stopped) = (Arc::clone(&house), stopped.clone());
            async move { _ = house.receive(stream, peer, stopped).await }
        }));
    }
    if let (Some(listener), Some(web)) = (http, web) {
        let address = listener.local_addr()?;
        ready(Listening::Http(address));
        let website = Arc::new(Website::new(Arc::clone(&house), Door::new(web, address)));
        let (stopped, alive) = (stopped.clone(), alive.clone());
        doors.spawn(door(listener, alive, move |stream, peer| {
            Arc::clone(&website).receive(stream, peer, stopped.clone())
        }));
    }
    let signal = termination.await?;
    tracing::info!(signal, "shutting down");
    doors.shutdown().await;
    drop(alive);
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

/// Accepts connections, each of which is served by itself.
async fn door<F>(listener: TcpListener, alive: mpsc::Sender<()>, serve: impl Fn(TcpStream, SocketAddr) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut failures = Throttle::new(Instant::now());
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => match set_up(&stream) {
                Ok(()) => {
                    let (serving, alive) = (serve(stream, peer), alive.clone());
                    tokio::spawn(async move {
                        serving.await;
                        drop(alive);
                    });
                }
                Err(error) => tracing::debug!(%peer, %error, "a connection that has gone"),
            },
            Err(error) => {
                // Too many open files, usually.
                if let Some(left_out) = failures.pass(Instant::now()) {
                    tracing::warn!(%error, left_out, "a connection cannot be accepted");
                }
                tokio::time::sleep(PAUSE).await;
            }
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
        if answer.starts_with("HTTP/") {
            return Err(io::Error::other("that port is for browsers (--http); ask the one of --listen"));
        }
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
