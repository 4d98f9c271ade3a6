//! One connection from its admission to its end: who reads, who executes, who writes. Generic over what carries it and over who
//! executes lines, so that a simulation runs this code with neither a network nor a machine under it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::admission::{Admission, Entry};
use super::input::{RawLine, Splitter};
use super::intake::{Intake, MOST_WAITING, SessionEnd};
use super::limits::Limits;
use super::queue::{Queue, queue};
use super::throttle::Throttle;
use super::wire::{Heard, Incoming, Outgoing, bytes};
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

/// Bytes that it may go on to send once it has its answer.
const DESK_REST: usize = 1 << 20;

/// Language of a session's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    /// Commands of GTP or HTP.
    Commands,
    /// Queries in JSON.
    Queries,
}

impl Service {
    /// Bytes of lines that may wait: a program that has a game reviewed sends a query for each move at once.
    fn most_waiting(self) -> usize {
        match self {
            Self::Commands => MOST_WAITING,
            Self::Queries => 8 * MOST_WAITING,
        }
    }
}

/// Channels of one session, for the executor of its lines.
pub(crate) struct Seat {
    pub(crate) service: Service,
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

    /// Serves a connection that carries bytes to its end; says how its session ended, if it had one. `stopped` says that the server
    /// shuts down.
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
        let (incoming, outgoing) = bytes(stream);
        Reserved { house: self, peer, entry }.serve(incoming, outgoing, Service::Commands, stopped).await
    }

    /// Lets a connection in whose request has not been read; `None`, which the log tells, if there are too many. It goes when the
    /// guest is dropped.
    pub(crate) fn knock(self: &Arc<Self>, peer: SocketAddr) -> Option<Guest<H>> {
        let known = self.admission.lock().knock(peer.ip(), Instant::now().into_std());
        match known {
            Ok(()) => Some(Guest { house: Arc::clone(self), peer }),
            Err(reason) => {
                self.refuse(peer, reason);
                None
            }
        }
    }

    /// Tells the log why somebody was refused.
    pub(crate) fn refuse(&self, peer: SocketAddr, reason: &str) {
        if let Some(left_out) = self.refused.lock().pass(Instant::now().into_std()) {
            tracing::warn!(%peer, left_out, "refused: {reason}");
        }
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

    async fn session<I: Incoming, O: Outgoing>(
        &self,
        incoming: I,
        outgoing: O,
        service: Service,
        mut stopped: watch::Receiver<bool>,
    ) -> io::Result<SessionEnd> {
        let control = Arc::new(Control::new());
        let (lines, queue) = queue();
        let (answers, texts) = mpsc::channel(ANSWERS);
        let (ended, session_ended) = oneshot::channel();
        let number = self.begun.fetch_add(1, Relaxed);
        let (say_why, why) = oneshot::channel();
        let mut writing = tokio::spawn(write(outgoing, texts, self.limits.write, why));
        let first = answers.clone();
        let seat = Seat { service, number, control: Arc::clone(&control), lines: queue, answers, ended };
        if let Err(error) = self.host.seat(seat) {
            // The client is told, as far as it listens.
            let _ = first.try_send(format(None, &Err(Refusal::new("the server cannot begin a session now"))));
            drop((first, say_why));
            let _ = writing.await;
            return Err(error);
        }
        drop(first);
        let intake = Intake::new(Arc::clone(&control), lines, self.limits, Instant::now().into_std())
            .with_room(service.most_waiting());
        let mut reading = tokio::spawn(read(incoming, intake));
        let mut session_ended = Word { receiver: session_ended, said: None };
        let mut written = None;
        let mut end = tokio::select! {
            biased;
            // The session hears of the end when the intake goes, so that it cannot end before the reason is known.
            read = &mut reading => read.map_or(SessionEnd::Disconnected, |(end, _intake)| end),
            _ = session_ended.wait() => SessionEnd::Disconnected,
            _ = stopped.wait_for(|&stop| stop) => SessionEnd::Shutdown,
            // Nobody takes answers any more, which the session might not notice while it has none.
            end = &mut writing => {
                written = Some(end);
                SessionEnd::Disconnected
            }
        };
        reading.abort();
        let _ = say_why.send(end);
        close(&control).await;
        let sent = match written {
            Some(sent) => sent.unwrap_or(true),
            None => self.sent(writing, end, &mut stopped).await,
        };
        if !sent {
            end = SessionEnd::NotReading;
        }
        // A place is free only when nothing works there any more.
        Ok(if session_ended.wait().await { end } else { SessionEnd::Died })
    }

    /// Waits until all answers are sent; `false` if the peer did not read them. Whoever is cut off, and everybody once the server shuts
    /// down, has the time of one answer for all that wait.
    async fn sent(&self, mut writing: JoinHandle<bool>, end: SessionEnd, stopped: &mut watch::Receiver<bool>) -> bool {
        let hurry = async {
            if matches!(end, SessionEnd::Quit | SessionEnd::Disconnected) {
                let _ = stopped.wait_for(|&stop| stop).await;
            }
            sleep(self.limits.write).await;
        };
        tokio::select! {
            biased;
            sent = &mut writing => sent.unwrap_or(true),
            () = hurry => {
                writing.abort();
                false
            }
        }
    }

    /// Answers the one question of a client that has no session, or tells it why.
    async fn desk<I: Incoming, O: Outgoing>(&self, mut incoming: I, mut outgoing: O, reason: &str) -> io::Result<()> {
        let line = timeout(DESK_TIME, first_line(&mut incoming)).await.ok().flatten();
        let line = line.and_then(|bytes| Line::parse(&bytes));
        let asked = line.as_ref().is_some_and(|line| line.name == "losange-status");
        let answer = if asked { Ok(self.status()) } else { Err(Refusal::new(reason)) };
        let text = format(line.and_then(|line| line.id).as_deref(), &answer);
        let tell = async {
            outgoing.send(text).await?;
            outgoing.close(SessionEnd::Refused).await;
            // What it has said must be read, or the system takes back what it was told.
            let mut rest = 0;
            while rest < DESK_REST {
                match incoming.next().await {
                    Ok(Heard::Bytes(bytes)) => rest += bytes.len(),
                    Ok(Heard::Sign) => rest += 1,
                    Ok(Heard::End) | Err(_) => break,
                }
            }
            Ok(())
        };
        timeout(DESK_TIME, tell).await?
    }
}

/// Presence of a connection whose request has not been read.
pub(crate) struct Guest<H: Host> {
    house: Arc<House<H>>,
    peer: SocketAddr,
}

impl<H: Host> Guest<H> {
    /// A place for it, or the reason why there is none.
    pub(crate) fn enter(&self) -> Reserved<H> {
        let entry = self.house.admission.lock().place(self.peer.ip());
        Reserved { house: Arc::clone(&self.house), peer: self.peer, entry }
    }
}

impl<H: Host> Drop for Guest<H> {
    fn drop(&mut self) {
        self.house.admission.lock().go(self.peer.ip());
    }
}

/// Entry of a connection, given back when it goes.
pub(crate) struct Reserved<H: Host> {
    house: Arc<House<H>>,
    peer: SocketAddr,
    entry: Entry,
}

impl<H: Host> Reserved<H> {
    /// The entry.
    pub(crate) fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Serves a connection to its end; says how its session ended, if it had one.
    pub(crate) async fn serve<I: Incoming, O: Outgoing>(
        self,
        incoming: I,
        outgoing: O,
        service: Service,
        stopped: watch::Receiver<bool>,
    ) -> Option<SessionEnd> {
        let (house, peer) = (Arc::clone(&self.house), self.peer);
        match &self.entry {
            Entry::Session => {
                tracing::info!(%peer, running = house.admission.lock().sessions(), "session begins");
                let end = house.session(incoming, outgoing, service, stopped).await;
                // Its place is free before anybody reads of it.
                drop(self);
                house.tell(peer, &end);
                return end.ok();
            }
            Entry::Desk(reason) => {
                house.refuse(peer, reason);
                // Whether it hears of it is its own affair.
                let _ = house.desk(incoming, outgoing, reason).await;
            }
            Entry::Closed(reason) => house.refuse(peer, reason),
        }
        None
    }
}

impl<H: Host> Drop for Reserved<H> {
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
async fn first_line<I: Incoming>(incoming: &mut I) -> Option<Vec<u8>> {
    let (mut splitter, mut first, mut read) = (Splitter::default(), None, 0);
    while first.is_none() && read < DESK_BYTES {
        let mut note = |piece| {
            if let RawLine::Line(line) = piece {
                first.get_or_insert(line);
            }
        };
        match incoming.next().await.ok()? {
            Heard::Bytes(bytes) => {
                read += bytes.len();
                splitter.feed(bytes, &mut note);
            }
            Heard::Sign => read += 1,
            Heard::End => {
                splitter.finish(note);
                break;
            }
        }
    }
    first
}

/// Reads lines until the client quits, leaves or passes a limit. The intake comes back, whose end the session waits for.
async fn read<I: Incoming>(mut incoming: I, mut intake: Intake) -> (SessionEnd, Intake) {
    loop {
        let heard = timeout_at(Instant::from_std(intake.deadline()), incoming.next()).await;
        let now = Instant::now().into_std();
        let end = match heard {
            Err(_) => intake.silent(now),
            Ok(Err(end)) => Some(end),
            Ok(Ok(Heard::End)) => Some(intake.finish(now)),
            Ok(Ok(Heard::Sign)) => intake.sign(now),
            Ok(Ok(Heard::Bytes(bytes))) => intake.take(bytes, now),
        };
        if let Some(end) = end {
            return (end, intake);
        }
    }
}

/// Sends answers until there are no more, and then why; `false` if the peer did not read them.
async fn write<O: Outgoing>(
    mut outgoing: O,
    mut answers: mpsc::Receiver<String>,
    limit: Duration,
    why: oneshot::Receiver<SessionEnd>,
) -> bool {
    while let Some(text) = answers.recv().await {
        match timeout(limit, outgoing.send(text)).await {
            Err(_) => return false,
            Ok(Err(_)) => return true,
            Ok(Ok(())) => {}
        }
    }
    let end = why.await.unwrap_or(SessionEnd::Died);
    let _ = timeout(limit, outgoing.close(end)).await;
    true
}
