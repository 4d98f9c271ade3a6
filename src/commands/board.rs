//! `losange board`: a server for this machine's browser, which is opened.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::thread;

use crate::players::Kind;
use crate::server::Limits;
use crate::server::http::WebAddress;
use crate::server::tcp::Listening;
use clap::Args;

use super::options::kind;
use super::out::say;
use super::play::Play;
use super::serve::serve_sessions;

/// Sessions of a browser: some boards, each with a review. More of them would leave each with less memory.
const SESSIONS: usize = 6;

/// Board to show, and how its engine plays.
#[derive(Debug, Args)]
pub(crate) struct ShowBoard {
    /// The game; the last one that the browser showed where none is named.
    #[arg(value_parser = kind())]
    game: Option<Kind>,
    /// Port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Print the address and open no browser.
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    play: Play,
}

/// Serves until it is told to end.
pub(crate) fn run(options: &ShowBoard) -> anyhow::Result<()> {
    let web =
        WebAddress { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, options.port)), hosts: Vec::new(), token: None };
    let limits = Limits { sessions: SESSIONS, ..Limits::default() };
    let word = options.game.map_or_else(String::new, |game| format!("#{}", game.word()));
    let kind = options.game.unwrap_or(Kind::ALL[0]);
    let settings = options.play.settings_of_all(kind)?;
    serve_sessions(kind, settings, &options.play, limits, (None, Some(web)), |listening| {
        if let Listening::Http(address) = listening {
            let page = format!("http://{address}/{word}");
            say!("{page}");
            if !options.no_open {
                open(page);
            }
        }
    })
}

/// Opens a page in the browser that the user has chosen. Where that fails its address stands on the screen.
fn open(page: String) {
    let (program, arguments): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    thread::spawn(move || {
        let mut command = Command::new(program);
        command.args(arguments).arg(&page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if !command.status().is_ok_and(|status| status.success()) {
            tracing::warn!(page, "no browser could be opened: open the address in one");
        }
    });
}
