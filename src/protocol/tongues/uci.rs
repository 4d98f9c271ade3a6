//! UCI, as GUIs and managers of chess variants speak it, with moves as Fairy-Stockfish writes them: `a2a3` in Breakthrough,
//! `d1d7,d7g7` in Amazons, where the first player is White and has the lower side.
//!
//! Positions are the start or one in FEN, and moves from there. A search that `stop` ends tells its best move.

use std::time::Instant;

use serde_json::Value;

use super::{Candidate, Tongue, Translation, chosen, expansions, thinking_time};
use crate::game::Side;
use crate::games::{MOST_LINES, Size};
use crate::players::Kind;
use crate::protocol::administration::VERSION;
use crate::protocol::engine::Flow;
use crate::protocol::vertex::{Notation, word};

/// The engine's choice where a search was broken off.
const CANCELLED: &str = "cancelled";
/// Seconds of a search without a limit.
const ENDLESS: f64 = 1e6;
/// Moves that a clock must serve where nothing is said of them, and the part of the increment that is counted on.
const MOVES: f64 = 25.0;
const INCREMENT: f64 = 0.8;
/// Between reports, in hundredths of a second.
const INTERVAL: u32 = 50;
/// The win rate that is told as sure, and centipawns of its logit.
const SURE: f32 = 0.999;
const CENTIPAWNS: f32 = 100.0;

/// A piece in FEN, by game: small for the second player. A burnt square is a star in any.
const PIECES: [(Kind, char); 2] = [(Kind::Breakthrough, 'p'), (Kind::Amazons, 'q')];
const BURNT: char = '*';

/// A position as its GUI told it.
#[derive(Debug)]
pub(super) struct Uci {
    name: String,
    kind: Kind,
    /// Most threads of a search.
    threads: usize,
    /// Placement of its first position and side to move there, in FEN's words, where that is not the start.
    fen: Option<String>,
    /// The side to move in its first position.
    begins: Side,
    /// The moves, in UCI's words.
    moves: Vec<String>,
    /// Whether the last position was refused, so that there is none to search.
    refused: bool,
}

/// The first word of a line.
pub(super) fn first_word(line: &[u8]) -> &[u8] {
    line.trim_ascii().split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

/// The answer to a line that comes before a search has ended and lets it go on: none to one that changes nothing.
pub(super) fn answer_beside_search(line: &[u8]) -> Option<&'static str> {
    match first_word(line) {
        b"isready" => Some("readyok"),
        b"uci" | b"ucinewgame" | b"setoption" | b"position" | b"go" | b"stop" | b"quit" => None,
        _ => Some(""),
    }
}

/// A move of UCI's in GTP's: the points of its steps, each once. The letters of points leave none out.
fn to_gtp(mv: &str) -> Option<String> {
    let mut points: Vec<&str> = Vec::new();
    let mut rest = mv;
    while !rest.is_empty() {
        let letters = rest.strip_prefix(',').unwrap_or(rest);
        let digits = letters.get(1..)?;
        let length = 1 + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (point, behind) = letters.split_at_checked(length)?;
        // A step begins where the one before it has ended.
        if points.last() != Some(&point) {
            points.push(point);
        }
        rest = behind;
    }
    let size = Size::square(MOST_LINES);
    let shown = points.iter().map(|point| {
        let (x, y) = size.xy(Notation::Htp.read(size, point)?);
        Some(format!("{}{}", Notation::Gtp.column(x), y + 1))
    });
    Some(shown.collect::<Option<Vec<_>>>()?.join("-"))
}

/// A move of GTP's in UCI's.
fn shown(mv: &str) -> String {
    let point = |word: &str| {
        let size = Size::square(MOST_LINES);
        let (x, y) = size.xy(Notation::Gtp.read(size, word)?);
        Some(format!("{}{}", Notation::Htp.column(x), size.height - y))
    };
    let points: Option<Vec<String>> = mv.split('-').map(point).collect();
    match points.as_deref() {
        Some([from, to]) => format!("{from}{to}"),
        Some([from, to, arrow]) => format!("{from}{to},{to}{arrow}"),
        _ => "0000".to_owned(),
    }
}

/// The numbers of `go`, by name.
struct Limits<'a>(Vec<&'a str>);

impl Limits<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.contains(&name)
    }

    fn get<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        let place = self.0.iter().position(|word| *word == name)?;
        self.0.get(place + 1)?.parse().ok()
    }

    /// Seconds for the move of a side, where time is limited.
    fn seconds(&self, side: Side) -> Option<f64> {
        let milliseconds = |name: &str| self.get::<f64>(name).map(|told| told.max(0.0) / 1000.0);
        let names = if side == Side::First { ["wtime", "winc"] } else { ["btime", "binc"] };
        let share = milliseconds(names[0]).map(|left| {
            let moves = self.get::<f64>("movestogo").unwrap_or(MOVES).max(1.0);
            (left / moves + INCREMENT * milliseconds(names[1]).unwrap_or(0.0)).min(left)
        });
        milliseconds("movetime").or(share).map(thinking_time)
    }

    /// Most expansions, where they are limited.
    fn expansions(&self) -> Option<u64> {
        self.get("nodes").filter(|&nodes| nodes > 0).or_else(|| self.get("depth").map(expansions))
    }
}

/// Occupants of the points of a placement in FEN, as `losange-setup` takes them.
fn occupants(placement: &str, piece: char, size: Size) -> Result<String, String> {
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != size.height {
        return Err(format!("the placement has {} ranks, and the board {}", ranks.len(), size.height));
    }
    let mut told = String::new();
    for (y, rank) in ranks.into_iter().enumerate() {
        let (mut x, mut empty) = (0_usize, 0_usize);
        for mark in rank.chars() {
            if let Some(digit) = mark.to_digit(10) {
                empty = (10 * empty + digit as usize).min(99);
                continue;
            }
            x += empty;
            let occupant = match mark {
                BURNT => "burnt",
                _ if mark == piece.to_ascii_uppercase() => word(Side::First),
                _ if mark == piece => word(Side::Second),
                _ => return Err(format!("'{mark}' is no piece of this game")),
            };
            if x < size.width {
                told += &format!(" {occupant} {}", Notation::Gtp.show(size, size.index(x, y)));
            }
            (x, empty) = (x + 1, 0);
        }
        if x + empty != size.width {
            return Err(format!("rank {} has {} squares, and the board {}", size.height - y, x + empty, size.width));
        }
    }
    Ok(told)
}

/// A report in UCI's words, of which `best` is the first move, after so many milliseconds.
fn report(best: &Candidate, candidates: &[Candidate], milliseconds: u128) -> String {
    let nodes: u64 = candidates.iter().map(|candidate| candidate.visits).sum();
    let rate = best.win_rate.clamp(1.0 - SURE, SURE);
    let score = CENTIPAWNS * (rate / (1.0 - rate)).ln();
    let moves: Vec<String> = best.line.iter().map(|mv| shown(mv)).collect();
    let depth = moves.len().max(1);
    format!("info depth {depth} time {milliseconds} nodes {nodes} score cp {score:.0} pv {}\n", moves.join(" "))
}

/// The board.
fn size(talk: &mut Translation<'_>) -> Result<Size, String> {
    let state: Value = serde_json::from_str(&talk.ask("losange-state")?).map_err(|error| error.to_string())?;
    let lines = |place: usize| state["size"][place].as_u64().unwrap_or_default() as usize;
    Ok(Size { width: lines(0), height: lines(1) })
}

impl Uci {
    /// The start of a game.
    pub(super) fn new(name: String, kind: Kind, threads: usize) -> Self {
        Self { name, kind, threads, fen: None, begins: Side::First, moves: Vec::new(), refused: false }
    }

    /// The side to move.
    fn side(&self) -> Side {
        if self.moves.len().is_multiple_of(2) { self.begins } else { self.begins.opponent() }
    }

    /// Begins a game at its start, or at a placement with a side to move.
    fn begin(&mut self, fen: Option<&str>, talk: &mut Translation<'_>) -> Result<(), String> {
        let begins = match fen.map(|fen| fen.split_once(' ').unwrap_or((fen, ""))) {
            None => {
                talk.ask("clear_board")?;
                Side::First
            }
            Some((placement, turn)) => {
                let side = match turn {
                    "w" => Side::First,
                    "b" => Side::Second,
                    _ => return Err("the side to move is w or b".to_owned()),
                };
                let size = size(talk)?;
                let piece = PIECES.iter().find(|(game, _)| *game == self.kind).map_or('p', |(_, piece)| *piece);
                talk.ask(&format!("losange-setup {}{}", word(side), occupants(placement, piece, size)?))?;
                side
            }
        };
        (self.fen, self.begins) = (fen.map(str::to_owned), begins);
        self.moves.clear();
        Ok(())
    }

    /// Takes a position: the moves alone where it goes on from the last one.
    fn position(&mut self, words: &[&str], talk: &mut Translation<'_>) -> Result<(), String> {
        let place = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let moves = words.get(place + 1..).unwrap_or_default();
        let fen = match &words[..place] {
            ["startpos"] => None,
            // Castling and the like mean nothing here.
            ["fen", placement, turn, ..] => Some(format!("{placement} {turn}")),
            _ => return Err("positions are startpos or fen, with moves or without".to_owned()),
        };
        let goes_on = moves.starts_with(&self.moves.iter().map(String::as_str).collect::<Vec<_>>());
        if self.moves.is_empty() || !goes_on || fen != self.fen {
            self.begin(fen.as_deref(), talk)?;
        }
        for mv in &moves[self.moves.len()..] {
            let colour = word(self.side());
            let played = to_gtp(mv).ok_or_else(|| format!("{mv} is no move"))?;
            talk.ask(&format!("play {colour} {played}")).map_err(|refusal| format!("{mv}: {refusal}"))?;
            self.moves.push((*mv).to_owned());
        }
        Ok(())
    }

    /// Sets an option that was told of.
    fn set_option(&self, name: &str, value: &str, talk: &mut Translation<'_>) -> Result<(), String> {
        let kind = self.kind.word();
        if name.eq_ignore_ascii_case("Threads") {
            talk.ask(&format!("losange-option threads {value}"))?;
        } else if name.eq_ignore_ascii_case("UCI_Variant") && value != kind {
            return Err(format!("this is a game of {kind}, not of {value}"));
        }
        Ok(())
    }

    /// Searches, and tells the move.
    fn go(&self, words: &[&str], talk: &mut Translation<'_>) -> Result<(), String> {
        if self.refused {
            return Err("the position was refused".to_owned());
        }
        let (limits, side) = (Limits(words.to_vec()), self.side());
        let (seconds, most) = (limits.seconds(side), limits.expansions());
        talk.ask(&format!("kata-set-param maxTime {}", seconds.unwrap_or(ENDLESS)))?;
        talk.ask(&format!("losange-option playouts {}", most.unwrap_or(0)))?;
        // A search without an end goes on until the next line, and chooses nothing.
        let endless = limits.has("infinite") || (seconds.is_none() && most.is_none());
        let command = if endless { "kata-analyze" } else { "kata-search_analyze" };
        let (begun, mut last) = (Instant::now(), String::new());
        let answer = talk.ask_with_reports(&format!("{command} {} {INTERVAL}", word(side)), &mut |candidates| {
            let best = candidates.first()?;
            best.mv.clone_into(&mut last);
            Some(report(best, candidates, begun.elapsed().as_millis()))
        })?;
        let mut mv = chosen(&answer).filter(|mv| *mv != CANCELLED).unwrap_or(&last).to_owned();
        if mv.is_empty() {
            // It was ended before its first report.
            talk.ask("losange-option playouts 1")?;
            mv = talk.ask(&format!("kata-search {}", word(side)))?;
        }
        talk.say(&format!("bestmove {}", shown(&mv)));
        Ok(())
    }

    /// Does what a line says. What is not known is passed over.
    fn obey(&mut self, words: &[&str], talk: &mut Translation<'_>) -> Result<(), String> {
        match words {
            ["uci"] => {
                talk.say(&format!("id name {} {VERSION}", self.name));
                talk.say(&format!("id author {}", env!("CARGO_PKG_NAME")));
                let (threads, kind) = (self.threads, self.kind);
                talk.say(&format!("option name Threads type spin default {threads} min 1 max {threads}"));
                talk.say(&format!("option name UCI_Variant type combo default {kind} var {kind}", kind = kind.word()));
                talk.say("uciok");
            }
            ["isready"] => {
                // Where a model is still being read, it waits for that.
                talk.ask("gogui-rules_side_to_move")?;
                talk.say("readyok");
            }
            ["setoption", "name", name, "value", value] => self.set_option(name, value, talk)?,
            ["ucinewgame"] => {
                self.refused = false;
                self.begin(None, talk)?;
            }
            ["position", words @ ..] => {
                let taken = self.position(words, talk);
                self.refused = taken.is_err();
                taken?;
            }
            ["go", words @ ..] => self.go(words, talk)?,
            _ => {}
        }
        Ok(())
    }
}

impl Tongue for Uci {
    fn hear(&mut self, line: &str, talk: &mut Translation<'_>) -> Flow {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words == ["quit"] {
            return Flow::Quit;
        }
        if let Err(error) = self.obey(&words, talk) {
            talk.say(&format!("info string {error}"));
            if words[0] == "go" {
                talk.say("bestmove 0000");
            }
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_are_read_from_the_upper_left() {
        let size = Size::square(3);
        assert_eq!(occupants("p1P/3/1P1", 'p', size).unwrap(), " white A3 black C3 black B1");
        assert_eq!(occupants("q*1/2Q/*2", 'q', size).unwrap(), " white A3 burnt B3 black C2 burnt A1");
        assert_eq!(
            occupants("10/55/10/10/10/10/10/10/10/9P", 'p', Size::square(10)).unwrap_err(),
            "rank 9 has 55 squares, and the board 10"
        );
        for bad in
            ["", "3/3", "3/3/3/3", "3/4/3", "ppp/pp/3", "pppp/3/3", "k2/3/3", "é2/3/3", "3/99999999999999999999/3"]
        {
            assert!(occupants(bad, 'p', size).is_err(), "{bad}");
        }
    }

    #[test]
    fn moves_are_translated_both_ways() {
        for (uci, gtp) in [("a2a3", "A2-A3"), ("h7g8", "H7-G8"), ("d1d7,d7g7", "D1-D7-G7"), ("j10i9,i9a1", "K10-J9-A1")]
        {
            assert_eq!(to_gtp(uci).as_deref(), Some(gtp));
            assert_eq!(shown(gtp), uci);
        }
        // An arrow back to where the piece came from.
        assert_eq!(to_gtp("d1d7,d7d1").as_deref(), Some("D1-D7-D1"));
        for bad in ["", "a", "a2é", "2a3", "a2,", "a2a", "a0a1", "a99a1"] {
            assert!(to_gtp(bad).is_none_or(|mv| mv.is_empty()), "{bad}");
        }
    }

    #[test]
    fn limits_are_read() {
        let read = |text: &'static str| Limits(text.split(' ').collect());
        for (text, side, seconds) in [
            ("movetime 1000", Side::First, Some(0.92)),
            ("wtime 25000 btime 1 winc 1000", Side::First, Some(1.68)),
            ("wtime 25000 btime 1 winc 1000", Side::Second, Some(0.001)),
            ("movetime 10", Side::First, Some(0.005)),
            ("wtime 10000 btime 10000 movestogo 1", Side::Second, Some(9.47)),
            ("infinite", Side::First, None),
            ("movetime", Side::First, None),
        ] {
            let read = read(text).seconds(side);
            let same = read.zip(seconds).map_or(read == seconds, |(read, told)| (read - told).abs() < 1e-9);
            assert!(same, "{text}: {read:?}, not {seconds:?}");
        }
        assert_eq!(read("depth 3").expansions(), Some(128));
        assert_eq!(read("nodes 7").expansions(), Some(7));
    }
}
