//! Two ways between a client and its session, whatever carries them: bytes of a connection here, frames of a WebSocket in `http`.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf, split};

use super::intake::SessionEnd;

/// Input from a client.
#[derive(Debug)]
pub(crate) enum Heard<'a> {
    /// Bytes of lines, not necessarily whole ones.
    Bytes(&'a [u8]),
    /// A sign of life that says nothing.
    Sign,
    /// Nothing follows.
    End,
}

/// Way from a client.
pub(crate) trait Incoming: Send + 'static {
    /// Waits for input. Nothing is lost where the wait is given up.
    ///
    /// # Errors
    /// If the session must end.
    fn next(&mut self) -> impl Future<Output = Result<Heard<'_>, SessionEnd>> + Send;
}

/// Way to a client.
pub(crate) trait Outgoing: Send + 'static {
    /// Sends an answer, or a part of one that makes sense by itself.
    ///
    /// # Errors
    /// If the client has gone.
    fn send(&mut self, text: String) -> impl Future<Output = io::Result<()>> + Send;

    /// Says that nothing follows, and why as far as that can be said.
    fn close(&mut self, end: SessionEnd) -> impl Future<Output = ()> + Send;
}

/// Bytes at once.
const BUFFER: usize = 16 * 1024;

/// Bytes of lines from a client.
pub(crate) struct BytesIn<S> {
    stream: ReadHalf<S>,
    buffer: Vec<u8>,
}

/// Answers to a client as they are.
pub(crate) struct BytesOut<S>(WriteHalf<S>);

/// Both ways of a connection that carries lines.
pub(crate) fn bytes<S: AsyncRead + AsyncWrite>(stream: S) -> (BytesIn<S>, BytesOut<S>) {
    let (from_peer, to_peer) = split(stream);
    (BytesIn { stream: from_peer, buffer: vec![0; BUFFER] }, BytesOut(to_peer))
}

impl<S: AsyncRead + Send + 'static> Incoming for BytesIn<S> {
    async fn next(&mut self) -> Result<Heard<'_>, SessionEnd> {
        match self.stream.read(&mut self.buffer).await {
            Err(_) => Err(SessionEnd::Disconnected),
            Ok(0) => Ok(Heard::End),
            Ok(count) => Ok(Heard::Bytes(&self.buffer[..count])),
        }
    }
}

impl<S: AsyncWrite + Send + 'static> Outgoing for BytesOut<S> {
    async fn send(&mut self, text: String) -> io::Result<()> {
        self.0.write_all(text.as_bytes()).await
    }

    async fn close(&mut self, _: SessionEnd) {
        // The peer may have gone already.
        let _ = self.0.shutdown().await;
    }
}
