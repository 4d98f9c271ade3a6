//! Signals that end the program in good order.

use std::io;
use std::thread;

/// From now on SIGTERM, SIGINT and SIGHUP do not end the process; the future waits for one and says which came. SIGHUP stays
/// ignored where it was (`nohup`). To be called within a runtime.
pub(crate) fn termination() -> io::Result<impl Future<Output = io::Result<&'static str>>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let mut hup = if hangup_is_ignored() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(async move {
            let hung_up = async {
                match &mut hup {
                    Some(hup) => hup.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = term.recv() => Ok("SIGTERM"),
                _ = int.recv() => Ok("SIGINT"),
                _ = hung_up => Ok("SIGHUP"),
            }
        })
    }
    #[cfg(not(unix))]
    {
        Ok(async { tokio::signal::ctrl_c().await.map(|()| "Ctrl-C") })
    }
}

/// Whether the process was started with SIGHUP ignored, as far as the system tells.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signal 1 is the lowest bit.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// From now on SIGTERM, SIGINT and SIGHUP do not end the process; the first of them calls `then`, in a thread of its own, with
/// its name.
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
