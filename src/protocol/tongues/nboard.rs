//! NBoard's protocol, of a GUI of Othello: the position as a record in GGF, `hint`, `go`, `ping`.
//!
//! Values of moves are expected results for the side to move, from -64 (lost) to 64 (won). `set depth` counts doublings of the
//! search.

use super::ggf::GgfRecord;
use super::{Candidate, Tongue, Translation, chosen, expansions};
use crate::game::Side;
use crate::games::Size;
use crate::protocol::engine::Flow;
use crate::protocol::vertex::{self, Notation};

/// Value of a won game.
const WON: f32 = 64.0;
/// Between reports of a hint, in hundredths of a second.
const INTERVAL: u32 = 20;

/// The board that NBoard shows.
#[derive(Debug)]
pub(super) struct NBoard {
    name: String,
    size: Size,
    depth: Option<u32>,
    /// Whether the last record was refused, so that there is no position to search.
    refused: bool,
}

/// Why a move cannot be played: without the engine's name of it, which counts rows from the other side.
fn in_own_words(mv: &str, why: &str) -> String {
    let reason = why.find(" (").map_or("", |at| &why[at..]);
    format!("{} cannot be played{reason}", mv.split('/').next().unwrap_or_default().trim())
}

impl NBoard {
    /// The start of a game.
    pub(super) fn new(name: String) -> Self {
        Self { name, size: Size::square(8), depth: None, refused: false }
    }

    /// A move in GTP's words.
    fn to_gtp(&self, mv: &str) -> Result<String, String> {
        if mv.eq_ignore_ascii_case("pa") || mv.eq_ignore_ascii_case("pass") {
            return Ok("pass".to_owned());
        }
        let point = Notation::Htp.read(self.size, mv).ok_or_else(|| format!("{mv} is no move"))?;
        Ok(Notation::Gtp.show(self.size, point))
    }

    /// A move of GTP's in NBoard's words.
    fn shown(&self, mv: &str) -> String {
        match Notation::Gtp.read(self.size, mv) {
            Some(point) => Notation::Htp.show(self.size, point).to_ascii_uppercase(),
            None => "PA".to_owned(),
        }
    }

    /// Sets the position at the end of a record up.
    fn set_game(&mut self, text: &str, talk: &mut Translation<'_>) -> Result<(), String> {
        self.refused = true;
        let record = GgfRecord::read(text)?;
        talk.ask(&format!("boardsize {}", record.size.width))?;
        self.size = record.size;
        let mut setup = format!("losange-setup {}", vertex::word(record.to_move));
        for &(point, side) in &record.discs {
            setup += &format!(" {} {}", vertex::word(side), Notation::Gtp.show(self.size, point));
        }
        talk.ask(&setup)?;
        for (side, mv) in &record.moves {
            let played = talk.ask(&format!("play {} {}", vertex::word(*side), self.to_gtp(mv)?));
            played.map_err(|why| in_own_words(mv, &why))?;
        }
        self.refused = false;
        Ok(())
    }

    /// Sets the effort of a search, and tells the name that it goes by.
    fn set_depth(&mut self, word: &str, talk: &mut Translation<'_>) -> Result<(), String> {
        let depth: u32 = word.trim().parse().map_err(|_| "a depth is a number")?;
        self.depth = Some(depth);
        talk.ask(&format!("losange-option playouts {}", expansions(depth)))?;
        talk.say(&format!("set myname {}{depth}", self.name));
        Ok(())
    }

    fn side(talk: &mut Translation<'_>) -> Result<Side, String> {
        let side = talk.ask("gogui-rules_side_to_move")?;
        vertex::colour(&side).map_err(|refusal| refusal.0)
    }

    /// Plays a move of whoever is to move.
    fn play(&self, words: &str, talk: &mut Translation<'_>) -> Result<(), String> {
        let mv = self.to_gtp(words.split('/').next().unwrap_or_default().trim())?;
        let side = Self::side(talk)?;
        let played = talk.ask(&format!("play {} {mv}", vertex::word(side)));
        played.map(drop).map_err(|why| in_own_words(words, &why))
    }

    /// The lines about the best `most` moves of a report.
    fn hints(&self, report: &[Candidate], most: usize) -> String {
        let depth = self.depth.unwrap_or_default();
        let line = |candidate: &Candidate| {
            let line: Vec<String> = candidate.line.iter().map(|mv| self.shown(mv)).collect();
            let value = WON * candidate.value();
            format!("search {} {value:.2} 0 {depth} {} visits\n", line.join("-"), candidate.visits)
        };
        report.iter().filter(|candidate| !candidate.line.is_empty()).take(most).map(line).collect()
    }

    /// Searches, tells of the best `most` moves on the way, and then the move with its value.
    fn search(&self, most: usize, talk: &mut Translation<'_>) -> Result<String, String> {
        if self.refused {
            return Err("the last position was refused".to_owned());
        }
        let command = format!("kata-search_analyze {} {INTERVAL}", vertex::word(Self::side(talk)?));
        let mut value = None;
        let answer = talk.ask_with_reports(&command, &mut |report| {
            value = report.first().map(|best| WON * best.value());
            Some(self.hints(report, most))
        })?;
        let mv = chosen(&answer).ok_or("no move was chosen")?;
        let value = value.map(|value| format!("/{value:.2}")).unwrap_or_default();
        Ok(format!("{}{value}", self.shown(mv)))
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str, talk: &mut Translation<'_>) -> Result<(), String> {
        let (name, words) = line.split_once(' ').unwrap_or((line, ""));
        match name {
            "nboard" => talk.say(&format!("set myname {}", self.name)),
            "set" => match words.split_once(' ') {
                Some(("game", record)) => self.set_game(record, talk)?,
                Some(("depth", depth)) => self.set_depth(depth, talk)?,
                _ => {}
            },
            "move" => self.play(words, talk)?,
            "hint" => {
                talk.say("status thinking");
                self.search(words.trim().parse().unwrap_or(1), talk)?;
                talk.say("status");
            }
            "go" => {
                talk.say("status thinking");
                let chosen = self.search(1, talk)?;
                talk.say(&format!("=== {chosen}"));
                talk.say("status");
            }
            "ping" => talk.say(&format!("pong {}", words.trim())),
            "learn" => talk.say("learned"),
            // Older programs send the bare move.
            mv if mv.len() == 2 => self.play(mv, talk)?,
            // More than is known is to be passed over.
            _ => {}
        }
        Ok(())
    }
}

impl Tongue for NBoard {
    fn hear(&mut self, line: &str, talk: &mut Translation<'_>) -> Flow {
        if line == "quit" {
            return Flow::Quit;
        }
        if let Err(error) = self.obey(line, talk) {
            talk.say(&format!("status {error}"));
        }
        Flow::Continue
    }
}
