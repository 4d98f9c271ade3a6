//! One session on standard input and output.
//!
//! Input is read by a thread of its own that never waits for a search. `quit` and the end of input end the search that is
//! under way; what was asked before is still answered, with the searches that it takes. SIGTERM and SIGINT end searches
//! at once. An output that nobody reads ends the program.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::input::{RawLine, Splitter};
use super::queue::{Input, Lines, queue};
use super::worker::{self, Sink, close, receive};
use crate::protocol::{Listener, Output, Reflexes};
use crate::session::Control;

/// Once the session is ending, how long its thread may write one answer before it is left behind: it waits for somebody
/// to read.
const STUCK: Duration = Duration::from_secs(2);
/// How long it may take after a signal, however much was asked before.
const DRAIN: Duration = Duration::from_secs(5);
/// Bytes of lines that may wait; then no more are read until some are answered.
const MOST_WAITING: usize = 16 << 20;
/// Pictures that may wait for somebody to read them. Others are left out.
const PICTURES: usize = 64;

/// How long a remark may take until somebody has read what stands before it on standard error.
const REMARK: Duration = Duration::from_millis(200);

/// How far the writing of answers has come.
#[derive(Debug, Default)]
struct Writing {
    begun: AtomicU64,
    done: AtomicU64,
}

impl Writing {
    /// The number of the answer that is being written, if there is one.
    fn current(&self) -> Option<u64> {
        let done = self.done.load(Ordering::Relaxed);
        (self.begun.load(Ordering::Relaxed) > done).then_some(done)
    }
}

/// Standard output, written whole answer by whole answer.
struct Stdout {
    control: Arc<Control>,
    failed: Option<io::Error>,
    writing: Arc<Writing>,
    /// Where pictures go on, once there was one: a search must not wait for standard error.
    pictures: Option<SyncSender<Picture>>,
}

/// Text for standard error, and who waits for it to be written.
struct Picture {
    text: String,
    written: Option<SyncSender<()>>,
}

/// A thread that writes pictures, and the way to it.
fn pictures() -> Option<SyncSender<Picture>> {
    let (pictures, queue) = sync_channel::<Picture>(PICTURES);
    let write = move || {
        for Picture { text, written } in queue {
            // Nothing depends on it.
            _ = io::stderr().lock().write_all(text.as_bytes());
            if let Some(written) = written {
                _ = written.try_send(());
            }
        }
    };
    thread::Builder::new().name("pictures".to_owned()).spawn(write).ok().map(|_| pictures)
}

impl Stdout {
    fn draw(&mut self, picture: Picture) {
        self.pictures = self.pictures.take().or_else(pictures);
        if let Some(pictures) = &self.pictures {
            _ = pictures.try_send(picture);
        }
    }
}

impl Output for Stdout {
    fn send(&mut self, text: &str) {
        if self.failed.is_some() {
            // The grace that searches have may be over now.
            self.control.close();
            return;
        }
        self.writing.begun.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = write_whole(text) {
            self.failed = Some(error);
            self.control.close();
        }
        self.writing.done.fetch_add(1, Ordering::Relaxed);
    }

    fn graphics(&mut self, text: &str) {
        self.draw(Picture { text: text.to_owned(), written: None });
    }

    fn remark(&mut self, text: &str) {
        let (written, done) = sync_channel(1);
        self.draw(Picture { text: format!("{text}\n"), written: Some(written) });
        _ = done.recv_timeout(REMARK);
    }
}

impl Sink for Stdout {
    fn is_closed(&self) -> bool {
        self.failed.is_some()
    }
}

/// Writes text that no other stands in the middle of.
fn write_whole(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
}

/// Runs a session until it ends.
///
/// # Errors
/// If answers could not be written, other than because the reader has gone; if the system refuses threads; or if the session's
/// thread has died.
pub fn run(mut engine: Box<dyn Listener>, control: Arc<Control>) -> io::Result<()> {
    // Signals are taken before the first command can be answered.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let termination = {
        let _entered = runtime.enter();
        super::signals::termination()?
    };
    let reflexes = engine.reflexes();
    let (lines, receiver) = queue();
    let (ended, session_ended) = oneshot::channel();
    let (closed, input_closed) = oneshot::channel();
    let writing = Arc::<Writing>::default();

    let mut out = Stdout { control: Arc::clone(&control), failed: None, writing: Arc::clone(&writing), pictures: None };
    thread::Builder::new().name("session".to_owned()).spawn(move || {
        worker::run(&mut *engine, receiver, &mut out);
        // The other end has gone only if the program is ending anyway.
        let _ = ended.send(out.failed);
    })?;

    let reader = (Arc::clone(&control), lines.clone());
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        let (control, lines) = reader;
        read(&control, &lines, reflexes);
        lines.send(Input::End);
        let _ = closed.send(());
    })?;

    let failed = runtime.block_on(supervise(&control, &lines, termination, session_ended, input_closed, &writing))?;
    match failed {
        Some(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(io::Error::new(error.kind(), format!("answers cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Reads lines until `quit` or the end of input.
fn read(control: &Control, lines: &Lines, reflexes: Reflexes) {
    let mut stdin = io::stdin().lock();
    let mut splitter = Splitter::default();
    let mut buffer = vec![0; 64 * 1024];
    // Whether the line that was handed over last begins a search.
    let mut searches = false;
    loop {
        let count = match stdin.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                tracing::warn!(%error, "standard input cannot be read");
                0
            }
        };
        let mut over = count == 0;
        let mut handle = |piece| {
            // What stands behind `quit` is not read.
            if over && count > 0 {
                return;
            }
            if let RawLine::Line(line) = &piece {
                let beside = searches && lines.waiting() > 0;
                if let Some(answer) = (reflexes.answers)(line).filter(|_| beside) {
                    if !answer.is_empty() {
                        // One that cannot be written is missed by nobody.
                        let _ = write_whole(&format!("{answer}\n"));
                    }
                    return;
                }
                searches = (reflexes.searches)(line);
            }
            let (input, quit) = receive(control, piece, reflexes);
            over |= quit;
            if quit {
                control.finish();
            }
            if let Some(input) = input {
                over |= !lines.send(input);
            }
        };
        if count == 0 {
            splitter.finish(&mut handle);
            control.finish();
            return;
        }
        splitter.feed(&buffer[..count], &mut handle);
        // After a signal nothing more is answered.
        if over || control.is_closing() {
            return;
        }
        while lines.waiting() > MOST_WAITING && !control.is_closing() {
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Waits for the session to end, and sees to it that it does once its input has closed or a signal has come.
async fn supervise(
    control: &Arc<Control>,
    lines: &Lines,
    termination: impl Future<Output = io::Result<&'static str>>,
    mut session_ended: oneshot::Receiver<Option<io::Error>>,
    mut input_closed: oneshot::Receiver<()>,
    writing: &Writing,
) -> io::Result<Option<io::Error>> {
    tokio::pin!(termination);
    let (mut reading, mut stuck) = (true, None);
    loop {
        tokio::select! {
            ended = &mut session_ended => return ended.map_err(died),
            _ = &mut input_closed, if reading => reading = false,
            signal = &mut termination => {
                tracing::info!(signal = signal?, "ending");
                break;
            }
            () = tokio::time::sleep(STUCK), if !reading => {
                let before = std::mem::replace(&mut stuck, writing.current());
                if stuck.is_some() && stuck == before {
                    tracing::warn!("answers are not being read; leaving");
                    return Ok(None);
                }
            }
        }
    }
    let until = Instant::now() + DRAIN;
    close(control).await;
    // What comes after this is not answered.
    lines.send(Input::End);
    loop {
        let before = writing.current();
        match tokio::time::timeout(STUCK, &mut session_ended).await {
            Ok(ended) => return ended.map_err(died),
            Err(_) if before.is_some() && writing.current() == before => {
                tracing::warn!("answers are not being read; leaving");
                return Ok(None);
            }
            Err(_) if Instant::now() >= until => {
                tracing::warn!("not all that was asked before could be answered in time; leaving");
                return Ok(None);
            }
            Err(_) => {}
        }
    }
}

/// The session's thread has ended without a word.
fn died(_: oneshot::error::RecvError) -> io::Error {
    io::Error::other("the thread of the session has died; the log says more")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_dies_is_an_error() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for input_closes in [false, true] {
            let (control, (lines, _queue)) = (Arc::new(Control::new()), queue());
            let (ended, session_ended) = oneshot::channel();
            let (closed, input_closed) = oneshot::channel();
            if input_closes {
                closed.send(()).unwrap();
            }
            drop(ended);
            let writing = Writing::default();
            let supervised = supervise(&control, &lines, std::future::pending(), session_ended, input_closed, &writing);
            let error = runtime.block_on(supervised).unwrap_err();
            assert!(error.to_string().contains("has died"), "{error}");
        }
    }
}
