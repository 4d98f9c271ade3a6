//! Lines on their way from whoever reads the input to the thread of its session. Handing a line over never waits, so that the
//! reader goes on hearing of interrupts and of the end; who hands over too much is told how much there is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Bytes that a line takes besides its own.
const OVERHEAD: usize = 128;

/// Input that a reader hands to the session's thread.
#[derive(Debug)]
pub(crate) enum Input {
    /// A line and its number for the control.
    Line(Vec<u8>, u64),
    /// A line that was too long to be read.
    TooLong,
    /// Nothing follows.
    End,
}

impl Input {
    fn bytes(&self) -> usize {
        OVERHEAD + if let Self::Line(bytes, _) = self { bytes.capacity() } else { 0 }
    }
}

/// The two ends of an empty queue.
pub(crate) fn queue() -> (Lines, Queue) {
    let (sender, receiver) = unbounded_channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    (Lines { sender, waiting: Arc::clone(&waiting) }, Queue { receiver, waiting, taken: 0 })
}

/// The reader's end.
#[derive(Clone)]
pub(crate) struct Lines {
    sender: UnboundedSender<Input>,
    waiting: Arc<AtomicUsize>,
}

impl Lines {
    /// Hands a line over; `false` if nobody takes lines any more.
    pub(crate) fn send(&self, input: Input) -> bool {
        let bytes = input.bytes();
        self.waiting.fetch_add(bytes, Relaxed);
        self.sender.send(input).is_ok()
    }

    /// Bytes that wait, or are being worked on.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }
}

/// The session's end.
pub(crate) struct Queue {
    receiver: UnboundedReceiver<Input>,
    waiting: Arc<AtomicUsize>,
    /// Bytes of the line that was taken last.
    taken: usize,
}

impl Queue {
    /// The next line if there is one, an error if there will be none. The one before is done with.
    pub(crate) fn try_next(&mut self) -> Result<Option<Input>, TryRecvError> {
        self.waiting.fetch_sub(std::mem::take(&mut self.taken), Relaxed);
        match self.receiver.try_recv() {
            Ok(input) => Ok(Some(self.take(input))),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(TryRecvError::Disconnected),
        }
    }

    /// Waits for the next line; `None` if there will be none. The one before is done with.
    pub(crate) fn next(&mut self) -> Option<Input> {
        self.waiting.fetch_sub(std::mem::take(&mut self.taken), Relaxed);
        let input = self.receiver.blocking_recv()?;
        Some(self.take(input))
    }

    /// As [`Queue::next`], for a session that is no thread.
    #[cfg(test)]
    pub(crate) async fn next_async(&mut self) -> Option<Input> {
        self.waiting.fetch_sub(std::mem::take(&mut self.taken), Relaxed);
        let input = self.receiver.recv().await?;
        Some(self.take(input))
    }

    /// Bytes that wait, or are being worked on.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Bytes that wait, where whoever works on something else for the client may add that it is not done.
    pub(crate) fn unfinished(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.waiting)
    }

    fn take(&mut self, input: Input) -> Input {
        self.taken = input.bytes();
        input
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_counted_until_it_is_done() {
        let (lines, mut queue) = queue();
        assert!(lines.send(Input::Line(vec![b'x'; 1000], 1)) && lines.send(Input::TooLong) && lines.send(Input::End));
        assert_eq!(lines.waiting(), 1000 + 3 * OVERHEAD);
        assert!(matches!(queue.next(), Some(Input::Line(..))));
        assert_eq!(lines.waiting(), 1000 + 3 * OVERHEAD);
        assert!(matches!(queue.try_next(), Ok(Some(Input::TooLong))));
        assert!(matches!(queue.try_next(), Ok(Some(Input::End))));
        assert!(matches!(queue.try_next(), Ok(None)));
        assert_eq!(lines.waiting(), 0);
        drop(queue);
        assert!(!lines.send(Input::End));
    }
}
