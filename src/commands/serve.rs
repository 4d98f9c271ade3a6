//! `losange serve` and `losange status`: sessions over TCP and WebSocket.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use crate::players::Kind;
use crate::protocol::json::settings::Tuning;
use crate::server::Limits;
use crate::server::engines::Sessions;
use crate::server::http::WebAddress;
use crate::server::tcp::{Config, Listening, serve, status};
use crate::session::Settings;
use anyhow::{Context, bail};
use clap::{Args, value_parser};

use super::options::{address, at_least_one, kind};
use super::out::say;
use super::play::Play;
use super::resources;

const EXAMPLES: &str = "\
Examples:
  losange serve                                     lines: nc 127.0.0.1 8551
  losange serve --http 127.0.0.1:8552               KaTrain: ws://127.0.0.1:8552/analysis
  losange serve --http 127.0.0.1:8552 --listen 127.0.0.1:8551 --sessions 4
  losange serve --http 0.0.0.0:8552 --allow-remote --token 0b5e7c1f94a2d386

docs/serving.md tells who is let in, and the limits.";

/// Seconds that no limit goes beyond.
const YEAR: u64 = 365 * 86_400;
/// Usual address for lines.
const USUAL: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8551);

/// How to serve. Sessions of other games than `--game` take those of its settings that they have.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Address and port to listen on for lines; port 0 takes a free one [default: 127.0.0.1:8551 where there is no --http].
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    listen: Option<SocketAddr>,
    /// Address and port to listen on for browsers, which find a board there, and for WebSockets: /gtp for commands, /analysis for queries in JSON.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    http: Option<SocketAddr>,
    /// Word that a client of --http must know, as ?token=WORD or in `Authorization: Bearer WORD`.
    #[arg(long, value_name = "WORD", requires = "http")]
    token: Option<String>,
    /// Name, with the port as clients write it, by which --http is reached besides its addresses; may be given again.
    #[arg(long, value_name = "NAME[:PORT]", requires = "http")]
    host: Vec<String>,
    /// Allow addresses that other machines can reach. With --listen there is no password: everybody may play.
    #[arg(long)]
    allow_remote: bool,
    /// Game of sessions that do not begin with losange-game.
    #[arg(long, value_parser = kind(), default_value = "go")]
    game: Kind,
    /// Sessions at once; each gets an equal part of --memory [default: 64, or as many as have room].
    #[arg(long, value_parser = at_least_one)]
    sessions: Option<usize>,
    /// Sessions at once from one address. Clients on this machine share one and have no such limit.
    #[arg(long, default_value_t = Limits::default().per_address, value_parser = at_least_one)]
    per_address: usize,
    /// Connections that one address may make in a second, in the long run; ten times as many at once.
    #[arg(long, default_value_t = Limits::default().connections_per_second, value_parser = value_parser!(u32).range(1..))]
    connection_rate: u32,
    /// Seconds without a whole line of input after which a session ends.
    #[arg(long, default_value_t = Limits::default().idle.as_secs(), value_parser = value_parser!(u64).range(1..=YEAR))]
    idle: u64,
    /// Lines of input that a session may send in a second, in the long run.
    #[arg(long, default_value_t = Limits::default().lines_per_second, value_parser = value_parser!(u32).range(1..))]
    rate: u32,
    /// Seconds that a client may take to read an answer.
    #[arg(long, default_value_t = Limits::default().write.as_secs(), value_parser = value_parser!(u64).range(1..=YEAR))]
    write_timeout: u64,
    #[command(flatten)]
    play: Play,
}

impl Serve {
    /// Addresses to listen on, for lines and for HTTP.
    ///
    /// # Errors
    /// If others could come that are not wanted.
    fn addresses(&self) -> anyhow::Result<(Option<SocketAddr>, Option<WebAddress>)> {
        let listen = self.listen.or(self.http.is_none().then_some(USUAL));
        let remote = |address: &SocketAddr| !address.ip().is_loopback();
        if let Some(address) = listen.filter(remote).filter(|_| !self.allow_remote) {
            bail!(
                "{address} can be reached from other machines, and there is no password; add --allow-remote if that is meant"
            );
        }
        if let Some(address) = self.http.filter(remote) {
            if !self.allow_remote {
                bail!("{address} can be reached from other machines; add --allow-remote if that is meant, and --token");
            }
            if self.token.is_none() {
                bail!(
                    "{address} can be reached from other machines; add --token with a word that only your clients know"
                );
            }
        }
        if let Some(fault) = self.token.as_deref().and_then(WebAddress::fault_of) {
            bail!("--token: {fault}");
        }
        let web = |listen| WebAddress { listen, hosts: self.host.clone(), token: self.token.clone() };
        Ok((listen, self.http.map(web)))
    }
}

/// Serves until it is told to end.
pub(crate) fn run(options: &Serve) -> anyhow::Result<()> {
    let (listen, web) = options.addresses()?;
    let settings = options.play.settings_of_all(options.game)?;
    let limits = Limits {
        sessions: resources::sessions(options.sessions, Limits::default().sessions, settings.memory)?,
        per_address: options.per_address,
        connections_per_second: options.connection_rate,
        connection_burst: options.connection_rate.saturating_mul(10),
        idle: Duration::from_secs(options.idle),
        lines_per_second: options.rate,
        write: Duration::from_secs(options.write_timeout),
        ..Limits::default()
    };
    // Whoever starts the server reads from here which ports it took.
    let ready = |listening| match listening {
        Listening::Lines(address) => say!("listening on {address}"),
        Listening::Http(address) => say!("listening on http://{address}/"),
    };
    serve_sessions(options.game, settings, &options.play, limits, (listen, web), ready)
}

/// Serves sessions of a game at those addresses, for lines and for HTTP, until it is told to end.
pub(super) fn serve_sessions(
    kind: Kind,
    settings: Settings,
    play: &Play,
    limits: Limits,
    (listen, web): (Option<SocketAddr>, Option<WebAddress>),
    ready: impl FnMut(Listening),
) -> anyhow::Result<()> {
    let tuning = Tuning {
        playouts: settings.playouts,
        usual_time: settings.time_per_move,
        people: settings.people.clone(),
        params: settings.params.clone(),
        ..Tuning::default()
    };
    let (name, version) = (play.name.clone(), play.version_name.clone());
    let sessions = Sessions { kind, settings, name, version, tuning };
    serve(Config { listen, web, limits, sessions }, ready).context("cannot serve")
}

/// Prints how busy a server is.
pub(crate) fn status_of(server: SocketAddr) -> anyhow::Result<()> {
    match status(server) {
        Ok(status) => say!("{status}"),
        Err(error) if error.kind() == io::ErrorKind::Other => bail!("{server}: {error}"),
        Err(error) => return Err(error).with_context(|| format!("the server at {server} does not answer")),
    }
    Ok(())
}
