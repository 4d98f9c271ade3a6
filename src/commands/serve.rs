//! `losange serve` and `losange status`: sessions over TCP.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use losange::players::Kind;
use losange::server::Limits;
use losange::server::tcp::{Config, serve, status};

use super::options::{at_least_one, kind};
use super::out::say;
use super::play::Play;
use super::resources;

/// How to serve. Sessions of other games than `--game` take those of its settings that they have.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:8551")]
    listen: SocketAddr,
    /// Allow addresses that other machines can reach. There is no password: everybody may play.
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
    #[arg(long, default_value_t = Limits::default().connections_per_second)]
    connection_rate: u32,
    /// Seconds without a whole line of input after which a session ends.
    #[arg(long, default_value_t = Limits::default().idle.as_secs())]
    idle: u64,
    /// Lines of input that a session may send in a second, in the long run.
    #[arg(long, default_value_t = Limits::default().lines_per_second)]
    rate: u32,
    /// Seconds that a client may take to read an answer.
    #[arg(long, default_value_t = Limits::default().write.as_secs())]
    write_timeout: u64,
    #[command(flatten)]
    play: Play,
}

/// Serves until it is told to end.
pub(crate) fn run(options: &Serve) -> anyhow::Result<()> {
    let settings = options.play.settings_of(options.game, true)?;
    if !options.listen.ip().is_loopback() && !options.allow_remote {
        bail!(
            "{} can be reached from other machines, and there is no password; add --allow-remote if that is meant",
            options.listen
        );
    }
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
    let (kind, name) = (options.game, options.play.name.clone());
    let config = Config { listen: options.listen, kind, settings, limits, name };
    // Whoever starts the server reads from here which port it took.
    serve(config, |address| say!("listening on {address}"))
        .with_context(|| format!("cannot serve on {}", options.listen))
}

/// Prints how busy a server is.
pub(crate) fn status_of(server: SocketAddr) -> anyhow::Result<()> {
    say!("{}", status(server).with_context(|| format!("the server at {server} does not answer"))?);
    Ok(())
}
