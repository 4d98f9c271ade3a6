//! Text to meaning and back: command lines, replies, points, analysis formats, SGF, and the command tables of GTP and
//! HTP. Knows a session, not a search.
//!
//! Start reading at [`Engine`]: a line goes in, an answer comes out. Commands stand in one table per game
//! ([`call::Command`]), from which listings, help and the documentation come.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod administration;
pub mod analysis;
pub mod board;
pub mod call;
pub mod engine;
pub mod go;
pub mod hex;
pub mod line;
pub mod play;
pub mod points;
pub mod record;
pub mod replay;
pub mod reply;
pub mod sgf;
pub mod vertex;

pub use call::Output;
pub use engine::{Engine, Flow, Identity};

use call::Dialect;

/// The commands of all games as tables in Markdown, for the documentation: first those that are the same in all of them.
pub fn commands_as_markdown() -> String {
    fn rows<S: Dialect>() -> Vec<String> {
        let cell = |text: &str| text.replace('|', "\\|");
        let row = |c: &call::Command<S>| format!("| `{}` | {} | {} |\n", c.name, cell(c.args), cell(c.doc));
        engine::table::<S>().iter().map(row).collect()
    }
    let games = [
        ("Go", "", rows::<crate::session::GoSession>()),
        ("Hex", "", rows::<crate::session::HexSession>()),
        (
            "Clobber, Solitaire, Avalam",
            "A move is written `A1-B1`, from and to; `A1B1` is read too. GoGui plays it in two, one point after the other, \
             and is answered so.\n\n",
            rows::<crate::session::PointsSession<crate::games::avalam::Position>>(),
        ),
    ];
    let common = |row: &String| games.iter().all(|(_, _, rows)| rows.contains(row));
    let head = "| command | arguments | effect |\n| --- | --- | --- |\n";
    let mut text = format!(
        "# Commands\n\nMade by `losange commands`. The wire formats are those of GTP 2 and of the extensions that the names \
         begin with. The streams of the analysis commands are told in [analysis.md](analysis.md).\n\n## All games\n\n{head}"
    );
    text.extend(games[0].2.iter().filter(|row| common(row)).map(String::as_str));
    for (title, note, rows) in &games {
        text += &format!("\n## {title}\n\n{note}{head}");
        text.extend(rows.iter().filter(|row| !common(row)).map(String::as_str));
    }
    text
}
