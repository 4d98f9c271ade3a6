//! The dialects: games with commands of their own, and one for all others, whose moves are points.

use std::sync::Arc;

use super::talk::{OwnDialect, Talk, rows, talker};
use super::vertex::Notation;
use super::{go, hex};
use crate::players::{Kind, Played, Visitor};
use crate::session::{Control, PointsSession, Settings};

/// The games that have a dialect of their own.
const OWN: &[OwnDialect] = &[go::DIALECT, hex::DIALECT];

fn own(kind: Kind) -> Option<&'static OwnDialect> {
    OWN.iter().find(|dialect| dialect.kind == kind)
}

/// How the points of a game are written, unless the client is GoGui.
pub fn notation(kind: Kind) -> Notation {
    own(kind).map_or(Notation::Gtp, |dialect| dialect.notation)
}

/// Begins a session of a game.
pub(super) fn begin(kind: Kind, settings: Settings, control: Arc<Control>) -> Box<dyn Talk> {
    match own(kind) {
        Some(dialect) => (dialect.begin)(settings, control),
        None => kind.visit(Begin { settings, control }),
    }
}

/// Begins a session of a game whose moves are points.
struct Begin {
    settings: Settings,
    control: Arc<Control>,
}

impl Visitor for Begin {
    type Output = Box<dyn Talk>;

    fn visit<G: Played>(self) -> Box<dyn Talk> {
        talker(PointsSession::<G>::new(self.settings, self.control))
    }
}

/// Commands of a game whose moves are points.
struct Rows;

impl Visitor for Rows {
    type Output = Vec<String>;

    fn visit<G: Played>(self) -> Vec<String> {
        rows::<PointsSession<G>>()
    }
}

/// The commands of all games as tables in Markdown, for the documentation: first those that are the same in all of them.
pub fn commands_as_markdown() -> String {
    let mut games: Vec<_> = OWN.iter().map(|own| (own.kind.to_string(), "", (own.rows)())).collect();
    let others: Vec<Kind> = Kind::ALL.iter().copied().filter(|&kind| own(kind).is_none()).collect();
    if let Some(kind) = others.first() {
        let names: Vec<String> = others.iter().map(Kind::to_string).collect();
        let note = "A move is written as the points that it touches, `A1` or `A1-B1`, from and to; `A1B1` is read too. A third point is \
                    what the piece does from there: an arrow's, or a level's. GoGui plays it point by point, and is answered so.\n\n";
        games.push((names.join(", "), note, kind.visit(Rows)));
    }
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
