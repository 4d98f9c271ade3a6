//! The HTTP address: sessions over WebSocket, and a page that shows a board and speaks with them.
//!
//! A connection is a guest until its request is read, for a few seconds at most. It has one request. `guard` decides whether it
//! is meant for this server; a request for a session then takes a place like a connection that carries lines, and `frames` makes its
//! messages lines.

mod bundle;
mod frames;
mod guard;
mod page;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    RETRY_AFTER, SEC_WEBSOCKET_VERSION, UPGRADE, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;

use super::admission::Entry;
use super::link::{Guest, Host, House, Reserved, Service};

pub(crate) use guard::Door;
pub use guard::WebAddress;

/// Time for a request and its answer.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Bytes of a request's head, and its header fields.
const HEAD: usize = 16 * 1024;
const FIELDS: usize = 64;

/// The HTTP address of a server.
pub(crate) struct Website<H: Host> {
    house: Arc<House<H>>,
    door: Door,
}

/// Request for a session that was granted.
struct Granted<H: Host> {
    place: Reserved<H>,
    service: Service,
    upgrade: OnUpgrade,
}

impl<H: Host> Website<H> {
    /// The address behind that door.
    pub(crate) fn new(house: Arc<House<H>>, door: Door) -> Self {
        Self { house, door }
    }

    /// Serves a connection to its end.
    pub(crate) async fn receive(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        mut stopped: watch::Receiver<bool>,
    ) {
        let Some(guest) = self.house.knock(peer) else { return };
        let granted = Mutex::new(None);
        let answer = service_fn(|mut request| {
            let answer = self.answer(&mut request, &guest, peer, &granted);
            async { Ok::<_, Infallible>(answer) }
        });
        let mut http = http1::Builder::new();
        http.header_read_timeout(None).max_buf_size(HEAD).max_headers(FIELDS);
        let talk = http.serve_connection(TokioIo::new(stream), answer).with_upgrades();
        tokio::select! {
            _ = stopped.wait_for(|&stop| stop) => return,
            talked = timeout(HANDSHAKE, talk) => match talked {
                Ok(Ok(())) => {}
                Ok(Err(error)) => self.house.refuse(peer, &format!("no request: {error}")),
                Err(_) => self.house.refuse(peer, "there was no whole request in time"),
            }
        }
        drop(guest);
        let Some(Granted { place, service, upgrade }) = granted.into_inner() else { return };
        if let Ok(Ok(stream)) = timeout(HANDSHAKE, upgrade).await {
            let (incoming, outgoing) = frames::frames(TokioIo::new(stream)).await;
            place.serve(incoming, outgoing, service, stopped).await;
        }
    }

    fn answer(
        &self,
        request: &mut Request<Incoming>,
        guest: &Guest<H>,
        peer: SocketAddr,
        granted: &Mutex<Option<Granted<H>>>,
    ) -> Response<String> {
        if let Err(reason) = self.door.check(request.headers()) {
            self.house.refuse(peer, reason);
            return text(StatusCode::FORBIDDEN, reason);
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let answer = text(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered");
            return with(answer, ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        match request.uri().path() {
            "/gtp" => self.session(request, guest, peer, Service::Commands, granted),
            "/analysis" => self.session(request, guest, peer, Service::Queries, granted),
            path => page::file(path).map_or_else(|| text(StatusCode::NOT_FOUND, "there is nothing here"), shown),
        }
    }

    /// Answers a request for a session.
    fn session(
        &self,
        request: &mut Request<Incoming>,
        guest: &Guest<H>,
        peer: SocketAddr,
        service: Service,
        granted: &Mutex<Option<Granted<H>>>,
    ) -> Response<String> {
        if !self.door.admits(request.uri(), request.headers()) {
            self.house.refuse(peer, "it does not know the token");
            let answer = text(StatusCode::UNAUTHORIZED, "a token is needed: ?token=... or Authorization: Bearer ...");
            return with(answer, WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        let Ok(answer) = create_response_with_body(request, String::new) else {
            let answer = text(StatusCode::UPGRADE_REQUIRED, "WebSocket is spoken here, version 13");
            let answer = with(answer, UPGRADE, HeaderValue::from_static("websocket"));
            return with(answer, SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        };
        let place = guest.enter();
        let refused = match place.entry() {
            Entry::Session => None,
            // How busy the server is can be asked by a command.
            Entry::Desk(_) if service == Service::Commands => None,
            Entry::Desk(reason) => Some(reason.clone()),
            Entry::Closed(reason) => Some((*reason).to_owned()),
        };
        if let Some(reason) = refused {
            self.house.refuse(peer, &reason);
            let answer = text(StatusCode::SERVICE_UNAVAILABLE, &reason);
            return with(answer, RETRY_AFTER, HeaderValue::from_static("10"));
        }
        *granted.lock() = Some(Granted { place, service, upgrade: hyper::upgrade::on(request) });
        answer
    }
}

fn with(mut answer: Response<String>, name: HeaderName, value: HeaderValue) -> Response<String> {
    answer.headers_mut().insert(name, value);
    answer
}

/// A file of the page. Browsers ask for it anew each time: another version of the program has another one.
fn shown((kind, text): (&'static str, &'static str)) -> Response<String> {
    let fields = [
        (CONTENT_TYPE, kind),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, page::POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
        (CONNECTION, "close"),
    ];
    let answer = Response::new(text.to_owned());
    fields.into_iter().fold(answer, |answer, (name, value)| with(answer, name, HeaderValue::from_static(value)))
}

/// A short text, which no browser takes for anything else, and the end of the connection.
fn text(status: StatusCode, text: &str) -> Response<String> {
    let mut answer = Response::new(format!("{text}\n"));
    *answer.status_mut() = status;
    // Without keep-alive the library would write `close` beside `Upgrade`, which strict clients do not take.
    let fields = [
        (CONNECTION, "close"),
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'"),
        (CACHE_CONTROL, "no-store"),
    ];
    fields.into_iter().fold(answer, |answer, (name, value)| with(answer, name, HeaderValue::from_static(value)))
}
