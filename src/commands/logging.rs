//! Logs: to standard error or a file, never to standard output, and never in the way of the engine.
//!
//! Some controllers read standard error only now and then, so lines go through a thread of their own and are dropped
//! while nobody reads. Lines begin with a time, never with what a controller could take for an answer.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use crossbeam_channel::{Receiver, Sender, bounded};
use tracing_subscriber::fmt::MakeWriter;

/// Lines that may wait to be written.
const QUEUE: usize = 1024;
/// How long the end of the program waits for the last lines.
const FLUSH: Duration = Duration::from_millis(200);

/// Hands whole lines to the writing thread.
#[derive(Clone)]
struct Lines(Sender<Vec<u8>>);

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // A full queue means that nobody reads: better to lose a line than to wait.
        let _ = self.0.try_send(line.to_vec());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Waits for the last lines when it is dropped.
pub(crate) struct LogGuard(Receiver<Vec<u8>>);

impl Drop for LogGuard {
    fn drop(&mut self) {
        let step = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        while !self.0.is_empty() && waited < FLUSH {
            thread::sleep(step);
            waited += step;
        }
    }
}

/// Starts logging, `verbose` times more than warnings, and sends panics there too.
pub(crate) fn start(verbose: u8, file: Option<&Path>) -> anyhow::Result<LogGuard> {
    let level = match verbose {
        0 => "warn",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let mut target: Box<dyn Write + Send> = match file {
        None => Box::new(io::stderr()),
        Some(path) => {
            let open = OpenOptions::new().create(true).append(true).open(path);
            Box::new(open.with_context(|| format!("the log file {} cannot be opened", path.display()))?)
        }
    };
    let (sender, lines) = bounded::<Vec<u8>>(QUEUE);
    let guard = LogGuard(lines.clone());
    thread::Builder::new().name("log".to_owned()).spawn(move || {
        for line in lines {
            // A full disk costs the log, not the game.
            let _ = target.write_all(&line).and_then(|()| target.flush());
        }
    })?;
    let filter = tracing_subscriber::EnvFilter::try_from_env("LOSANGE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(level));
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(Lines(sender)).init();
    std::panic::set_hook(Box::new(|panic| {
        let backtrace = std::backtrace::Backtrace::force_capture();
        tracing::error!("panic: {}", panic.to_string().replace('\n', " | "));
        tracing::error!("backtrace: {}", backtrace.to_string().replace('\n', " | "));
    }));
    Ok(guard)
}
