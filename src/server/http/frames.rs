//! A WebSocket as the two ways between a client and its session: each text message is one line or several, each answer is one
//! text message.
//!
//! The library joins fragments and answers pings. Binary messages, long ones and broken frames end the session.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::{Sink, Stream};
use parking_lot::Mutex;
use std::future::poll_fn;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::server::intake::SessionEnd;
use crate::server::wire::{Heard, Incoming, Outgoing};

/// Bytes of a message.
const MOST_MESSAGE: usize = 1 << 20;
/// Bytes from the network for one message, with the heads of its frames: pieces of nothing would never come to an end.
const MOST_RAW: usize = 2 * MOST_MESSAGE;
/// Bytes that are read at once.
const BUFFER: usize = 16 * 1024;
/// Time for a peer to hang up once it was told of the end, and the bytes that it may still send.
const FAREWELL: Duration = Duration::from_millis(500);
const MOST_LATE: usize = 2 << 20;

/// Connection whose bytes are counted.
struct Metered<S> {
    stream: S,
    /// Bytes read since the last message.
    read: usize,
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.read > MOST_RAW {
            return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
        }
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.read += buffer.filled().len() - before;
        result
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

type Socket<S> = Arc<Mutex<WebSocketStream<Metered<S>>>>;

/// Lines from a client.
pub(crate) struct FramesIn<S> {
    socket: Socket<S>,
    lines: Vec<u8>,
}

/// Answers to a client.
pub(crate) struct FramesOut<S>(Socket<S>);

/// Both ways of a connection that has changed to WebSocket.
pub(crate) async fn frames<S: AsyncRead + AsyncWrite + Unpin>(stream: S) -> (FramesIn<S>, FramesOut<S>) {
    let config = WebSocketConfig::default()
        .read_buffer_size(BUFFER)
        .write_buffer_size(0)
        .max_message_size(Some(MOST_MESSAGE))
        .max_frame_size(Some(MOST_MESSAGE));
    let metered = Metered { stream, read: 0 };
    let socket = WebSocketStream::from_raw_socket(metered, Role::Server, Some(config)).await;
    let socket = Arc::new(Mutex::new(socket));
    (FramesIn { socket: Arc::clone(&socket), lines: Vec::new() }, FramesOut(socket))
}

/// End of a session by what cannot be read.
fn end_of(error: &Error) -> SessionEnd {
    match error {
        Error::Capacity(_) => SessionEnd::MessageTooLong,
        Error::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => SessionEnd::MessageTooLong,
        Error::Utf8(_) => SessionEnd::Binary,
        Error::Protocol(error) if *error != HUNG_UP => SessionEnd::BadFrame,
        _ => SessionEnd::Disconnected,
    }
}

const HUNG_UP: tokio_tungstenite::tungstenite::error::ProtocolError =
    tokio_tungstenite::tungstenite::error::ProtocolError::ResetWithoutClosingHandshake;

/// Code that tells a client why its session ended.
fn code_of(end: SessionEnd) -> CloseCode {
    match end {
        SessionEnd::Quit | SessionEnd::Disconnected => CloseCode::Normal,
        SessionEnd::Shutdown => CloseCode::Away,
        SessionEnd::BadFrame => CloseCode::Protocol,
        SessionEnd::Binary => CloseCode::Unsupported,
        SessionEnd::LineTooLong | SessionEnd::MessageTooLong => CloseCode::Size,
        SessionEnd::TooManyLines | SessionEnd::Idle | SessionEnd::NotReading | SessionEnd::Foreign(_) => {
            CloseCode::Policy
        }
        SessionEnd::Died => CloseCode::Error,
        SessionEnd::Refused => CloseCode::Again,
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Unpin + 'static> Incoming for FramesIn<S> {
    async fn next(&mut self) -> Result<Heard<'_>, SessionEnd> {
        loop {
            let message = poll_fn(|cx| {
                let mut socket = self.socket.lock();
                let message = ready!(Pin::new(&mut *socket).poll_next(cx));
                socket.get_mut().read = 0;
                Poll::Ready(message)
            });
            match message.await {
                Some(Ok(Message::Text(text))) => {
                    self.lines.clear();
                    self.lines.extend_from_slice(text.as_bytes());
                    if !self.lines.ends_with(b"\n") {
                        self.lines.push(b'\n');
                    }
                    return Ok(Heard::Bytes(&self.lines));
                }
                Some(Ok(Message::Binary(_))) => return Err(SessionEnd::Binary),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => return Ok(Heard::Sign),
                // The library answers it; then there is nothing more.
                Some(Ok(Message::Close(_) | Message::Frame(_))) => {}
                Some(Err(error)) => return Err(end_of(&error)),
                None => return Ok(Heard::End),
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> FramesOut<S> {
    async fn message(&self, message: Message) -> io::Result<()> {
        let mut message = Some(message);
        let sent = poll_fn(|cx| {
            let mut socket = self.0.lock();
            let mut socket = Pin::new(&mut *socket);
            if message.is_some() {
                ready!(socket.as_mut().poll_ready(cx))?;
                message.take().map_or(Ok(()), |message| socket.as_mut().start_send(message))?;
            }
            socket.poll_flush(cx)
        });
        sent.await.map_err(io::Error::other)
    }

    /// Reads what the peer still sends: with unread bytes the system would take back what it was told.
    async fn hear_out(&self) {
        let (mut buffer, mut rest) = (vec![0; BUFFER], 0);
        while rest < MOST_LATE {
            let read = poll_fn(|cx| {
                let mut socket = self.0.lock();
                let mut buffer = ReadBuf::new(&mut buffer);
                let result = Pin::new(&mut socket.get_mut().stream).poll_read(cx, &mut buffer);
                result.map_ok(|()| buffer.filled().len())
            });
            match read.await {
                Ok(count @ 1..) => rest += count,
                _ => return,
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Unpin + 'static> Outgoing for FramesOut<S> {
    async fn send(&mut self, text: String) -> io::Result<()> {
        if text.is_empty() { Ok(()) } else { self.message(Message::text(text)).await }
    }

    async fn close(&mut self, end: SessionEnd) {
        let frame = CloseFrame { code: code_of(end), reason: end.reason().unwrap_or_default().into() };
        // A client that has closed the connection itself hears no more.
        let _ = self.message(Message::Close(Some(frame))).await;
        let _ = poll_fn(|cx| Pin::new(&mut self.0.lock().get_mut().stream).poll_shutdown(cx)).await;
        let _ = timeout(FAREWELL, self.hear_out()).await;
    }
}
