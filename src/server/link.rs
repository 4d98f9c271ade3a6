//! One connection from its admission to its end: who reads, who executes, who writes. Generic over the socket and over who
//! executes lines, so that a simulation runs this code with neither a network nor a machine under it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout, timeout_at};

use super::admission::{Admission, Entry};
use super::input::{RawLine, Splitter};
use super::intake::{Intake, SessionEnd};
use super::limits::Limits;
use super::queue::{Queue, queue};
use super::throttle::Throttle;
use super::worker::close;
use crate::protocol::line::Line;
use crate::protocol::reply::{Refusal, format};
use crate::session::Control;

/// Answers that may wait to be read, for each session.
const ANSWERS: usize = 16;
/// Time for a client without a session to ask for the status, and to hear of it.
const DESK_TIME: Duration = Duration::from_millis(500);
/// Bytes that such a client may send.
const DESK_BYTES: usize = 4096;

/// Channels of one session, for the executor of its lines.
pub(crate) struct Seat {
    /// Number of the session since the start.
    pub(crate) number: u64,
    pub(crate) control: Arc<Control>,
    pub(crate) lines: Queue,
    pub(crate) answers: mpsc::Sender<String>,
    /// Told when the session has ended. Dropped without a word it says that something broke.
    pub(crate) ended: oneshot::Sender<()>,
}

/// Executes the lines of sessions.
pub(crate) trait Host: Send + Sync + 'static {
    /// Begins to execute the lines of a session.
    ///
    /// # Errors
    /// If the system refuses what that takes.
    fn seat(&self, seat: Seat) -> io::Result<()>;

    /// Further lines of the status.
    fn load(&self) -> String;
}

/// State that all connections see.
pub(crate) struct House<H> {
    host: H,
    limits: Limits,
    admission: Mutex<Admission>,
    begun: AtomicU64,
    died: AtomicU64,
    start: Instant,
    refused: Mutex<Throttle>,
    cut_off: Mutex<Throttle>,
}

impl<H: Host> House<H> {
    /// An empty house. To be called within a runtime.
    pub(crate) fn new(host: H, limits: Limits) -> Self {
        let start = Instant::now();
        let throttle = || Mutex::new(Throttle::new(start.into_std()));
        Self {
            host,
            limits,
            admission: Mutex::new(Admission::new(limits)),
            begun: AtomicU64::new(0),
            died: AtomicU64::new(0),
            start,
            refused: throttle(),
            cut_off: throttle(),
        }
    }

    /// The book of who is there.
    #[cfg(test)]
    pub(crate) fn admission(&self) -> &Mutex<Admission> {
        &self.admission
    }

    /// Sessions whose threads have died.
    pub(crate) fn died(&self) -> u64 {
        self.died.load(Relaxed)
    }

    /// Answer to `losange-status`.
    pub(crate) fn status(&self) -> String {
        format!(
            "sessions {} of {}\n{}\nsessions since start {}\nseconds since start {}",
            self.admission.lock().sessions(),
            self.limits.sessions,
            self.host.load(),
            self.begun.load(Relaxed),
            self.start.elapsed().as_secs(),
        )
    }

    /// Serves a connection to its end; says how its session ended, if it had one. `stopped` says that the server shuts down.
    pub(crate) async fn receive<S>(
        self: Arc<Self>,
        stream: S,
        peer: SocketAddr,
        stopped: watch::Receiver<bool>,
    ) -> Option<SessionEnd>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let entry = self.admission.lock().enter(peer.ip(), Instant::now().into_std());
        let place = Place { house: &self, peer, entry };
        let reason = match &place.entry {
            Entry::Session => {
                tracing::info!(%peer, running = self.admission.lock().sessions(), "session begins");
                let end = self.session(stream, stopped).await;
                // Its place is free before anybody reads of it.
                drop(place);
                self.tell(peer, &end);
                return end.ok();
            }
            Entry::Desk(reason) => reason.clone(),
            Entry::Closed(reason) => (*reason).to_owned(),
        };
        if let Some(left_out) = self.refused.lock().pass(Instant::now().into_std()) {
            tracing::warn!(%peer, left_out, "refused: {reason}");
        }
        if matches!(place.entry, Entry::Desk(_)) {
            // Whether it hears of it is its own affair.
            let _ = self.desk(stream, &reason).await;
        }
        None
    }

    fn tell(&self, peer: SocketAddr, end: &io::Result<SessionEnd>) {
        let reason = match end {
            Ok(SessionEnd::Died) => {
                self.died.fetch_add(1, Relaxed);
                return tracing::error!(%peer, "the thread of a session has died");
            }
            Ok(SessionEnd::Foreign(protocol)) => format!("{protocol} was spoken"),
            Ok(end) => match end.reason() {
                Some(reason) => reason.to_owned(),
                None => return tracing::info!(%peer, ?end, "session ended"),
            },
            Err(error) => error.to_string(),
        };
        if let Some(left_out) = self.cut_off.lock().pass(Instant::now().into_std()) {
            tracing::warn!(%peer, reason, left_out, "session cut off");
        }
    }

    async fn session<S>(&self, stream: S, mut stopped: watch::Receiver<bool>) -> io::Result<SessionEnd>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let control = Arc::new(Control::new());
        let (lines, queue) = queue();
        let (answers, outgoing) = mpsc::channel(ANSWERS);
        let (ended, session_ended) = oneshot::channel();
        let number = self.begun.fetch_add(1, Relaxed);
        let (from_peer, to_peer) = split(stream);
        let writer = tokio::spawn(write(to_peer, outgoing, self.limits.write));
        let first = answers.clone();
        let seat = Seat { number, control: Arc::clone(&control), lines: queue, answers, ended };
        if let Err(error) = self.host.seat(seat) {
            // The client is told, as far as it listens.
            let _ = first.try_send(format(None, &Err(Refusal::new("the server cannot begin a session now"))));
            drop(first);
            let _ = writer.await;
            return Err(error);
        }
        drop(first);
        let intake = Intake::new(Arc::clone(&control), lines, self.limits, Instant::now().into_std());
        let mut reading = tokio::spawn(read(from_peer, intake));
        let mut session_ended = Word { receiver: session_ended, said: None };
        let mut end = tokio::select! {
            biased;
            // The session hears of the end when the intake goes, so that it cannot end before the reason is known.
            read = &mut reading => read.map_or(SessionEnd::Disconnected, |(end, _intake)| end),
            _ = session_ended.wait() => SessionEnd::Disconnected,
            _ = stopped.wait_for(|&stop| stop) => SessionEnd::Shutdown,
        };
        reading.abort();
        close(&control).await;
        if let Ok(false) = writer.await {
            end = SessionEnd::NotReading;
        }
        // A place is free only when nothing works there any more.
        Ok(if session_ended.wait().await { end } else { SessionEnd::Died })
    }

    /// Answers the one question of a client that has no session, or tells it why.
    async fn desk<S: AsyncRead + AsyncWrite>(&self, stream: S, reason: &str) -> io::Result<()> {
        let (mut from_peer, mut to_peer) = split(stream);
        let line = timeout(DESK_TIME, first_line(&mut from_peer)).await.ok().flatten();
        let line = line.and_then(|bytes| Line::parse(&bytes));
        let asked = line.as_ref().is_some_and(|line| line.name == "losange-status");
        let answer = if asked { Ok(self.status()) } else { Err(Refusal::new(reason)) };
        let text = format(line.and_then(|line| line.id).as_deref(), &answer);
        let tell = async {
            to_peer.write_all(text.as_bytes()).await?;
            to_peer.shutdown().await?;
            // What it has said must be read, or the system takes back what it was told.
            tokio::io::copy(&mut from_peer.take(1 << 20), &mut tokio::io::sink()).await
        };
        timeout(DESK_TIME, tell).await??;
        Ok(())
    }
}

/// Entry of a connection, given back when it goes.
struct Place<'a, H> {
    house: &'a House<H>,
    peer: SocketAddr,
    entry: Entry,
}

impl<H> Drop for Place<'_, H> {
    fn drop(&mut self) {
        self.house.admission.lock().leave(self.peer.ip(), &self.entry);
    }
}

/// Word of a session's end, which may be waited for again.
struct Word {
    receiver: oneshot::Receiver<()>,
    said: Option<bool>,
}

impl Word {
    /// Waits for the end; `false` if it came without a word.
    async fn wait(&mut self) -> bool {
        if self.said.is_none() {
            self.said = Some((&mut self.receiver).await.is_ok());
        }
        self.said == Some(true)
    }
}

/// First line of a client, if it sends one that is short enough.
async fn first_line<S: AsyncRead>(stream: &mut ReadHalf<S>) -> Option<Vec<u8>> {
    let (mut splitter, mut first, mut read) = (Splitter::default(), None, 0);
    let mut buffer = [0; 512];
    while first.is_none() && read < DESK_BYTES {
        let count = stream.read(&mut buffer).await.ok()?;
        read += count;
        let mut note = |piece| {
            if let RawLine::Line(line) = piece {
                first.get_or_insert(line);
            }
        };
        if count == 0 {
            splitter.finish(note);
            break;
        }
        splitter.feed(&buffer[..count], &mut note);
    }
    first
}

/// Reads lines until the client quits, leaves or passes a limit. The intake comes back, whose end the session waits for.
async fn read<S: AsyncRead>(mut stream: ReadHalf<S>, mut intake: Intake) -> (SessionEnd, Intake) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = timeout_at(Instant::from_std(intake.deadline()), stream.read(&mut buffer)).await;
        let now = Instant::now().into_std();
        let end = match read {
            Err(_) => intake.silent(now),
            Ok(Err(_)) => Some(SessionEnd::Disconnected),
            Ok(Ok(0)) => Some(intake.finish(now)),
            Ok(Ok(count)) => intake.take(&buffer[..count], now),
        };
        if let Some(end) = end {
            return (end, intake);
        }
    }
}

/// Sends answers until there are no more; `false` if the peer did not read them.
async fn write<S: AsyncWrite>(mut stream: WriteHalf<S>, mut answers: mpsc::Receiver<String>, limit: Duration) -> bool {
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
