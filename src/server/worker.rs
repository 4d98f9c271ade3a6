//! The thread of one session: takes lines in order, has them executed, thinks on the opponent's time in between.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::input::RawLine;
use super::queue::{Input, Queue};
use crate::protocol::{Flow, Listener, Output, Reflexes, line};
use crate::session::Control;

/// Turns a piece of input into work: an interrupt is acted on here and now, everything else is numbered.
/// The second value says that nothing may be read after it.
///
/// A line that interrupts and is no comment is executed too, when its turn comes.
pub(crate) fn receive(control: &Control, piece: RawLine, reflexes: Reflexes) -> (Option<Input>, bool) {
    if let RawLine::Line(bytes) = &piece
        && (reflexes.interrupts)(bytes)
    {
        control.interrupt();
    }
    match piece {
        RawLine::Line(bytes) if line::is_interrupt(&bytes) => (None, false),
        RawLine::Line(bytes) => {
            let number = control.line_read();
            let quit = (reflexes.quits)(&bytes);
            (Some(Input::Line(bytes, number)), quit)
        }
        RawLine::TooLong => {
            control.line_read();
            (Some(Input::TooLong), false)
        }
    }
}

/// An output that knows when nobody listens any more.
pub(crate) trait Sink: Output {
    /// Whether sending is pointless from now on.
    fn is_closed(&self) -> bool;

    /// A line begins to be executed.
    fn begin(&mut self) {}

    /// It has been executed, with so much work outside searches.
    fn end(&mut self, _work: Duration) {}
}

/// Executes lines until the session ends.
pub(crate) fn run(engine: &mut dyn Listener, mut lines: Queue, out: &mut dyn Sink) {
    loop {
        let input = match lines.try_next() {
            Ok(Some(input)) => Some(input),
            Err(_) => None,
            Ok(None) => {
                engine.idle();
                lines.next()
            }
        };
        match input {
            Some(Input::Line(bytes, number)) => {
                let (start, searched) = (Instant::now(), engine.search_time());
                out.begin();
                let flow = engine.execute(&bytes, number, out);
                let searched = engine.search_time().saturating_sub(searched);
                out.end(start.elapsed().saturating_sub(searched));
                if flow == Flow::Quit {
                    return;
                }
            }
            Some(Input::TooLong) => engine.refuse_long_line(out),
            Some(Input::End) | None => {
                engine.end_of_input();
                return;
            }
        }
        if out.is_closed() {
            return;
        }
    }
}

/// Ends a session's searches: analyses at once, the others within the grace that the control gives.
pub(crate) async fn close(control: &Arc<Control>) {
    let now = || tokio::time::Instant::now().into_std();
    control.close_at(now());
    tokio::time::sleep(crate::session::control::CLOSING_GRACE).await;
    control.close_at(now());
}
