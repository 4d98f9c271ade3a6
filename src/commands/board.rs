//! `losange board`: a server for this machine's browser, which is opened.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

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
/// Time without input after which one of them ends.
const IDLE: Duration = Duration::from_secs(365 * 86_400);
const USUAL_PORT: u16 = 8553;

/// Board to show, and how its engine plays.
#[derive(Debug, Args)]
pub(crate) struct ShowBoard {
    /// The game; the last one that the browser showed where none is named.
    #[arg(value_parser = kind())]
    game: Option<Kind>,
    /// Port on 127.0.0.1; 0 takes a free one [default: 8553, or a free one where that is taken].
    #[arg(long)]
    port: Option<u16>,
    /// Print the address and open no browser.
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    play: Play,
}

/// Serves until it is told to end.
pub(crate) fn run(options: &ShowBoard) -> anyhow::Result<()> {
    // A browser keeps the last game by the port.
    let port = options.port.unwrap_or_else(|| if is_free(USUAL_PORT) { USUAL_PORT } else { 0 });
    let web = WebAddress { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)), hosts: Vec::new(), token: None };
    // The user's own analyses may go on as long as he likes.
    let limits = Limits { sessions: SESSIONS, idle: IDLE, ..Limits::default() };
    let kind = options.game.unwrap_or(Kind::ALL[0]);
    let (word, asked) = (options.game.map_or("", Kind::word), options.play.address(options.game)?);
    let place = if word.is_empty() && asked.is_empty() { String::new() } else { format!("#{word}{asked}") };
    let settings = options.play.settings_of_all(kind)?;
    serve_sessions(kind, settings, &options.play, limits, (None, Some(web)), |listening| {
        if let Listening::Http(address) = listening {
            let page = format!("http://{address}/{place}");
            say!("{page}");
            if !options.no_open {
                open(page);
            }
        }
    })
}

fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
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
