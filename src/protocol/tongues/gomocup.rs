//! Gomocup's protocol, of Gomoku's managers: `START 15`, `TURN 7,7` and so on, answered by the engine's stone as `x,y`, counted from 0
//! at the upper left.
//!
//! Rules other than freestyle (five or more win) are refused once a move is asked for. Positions that the engine's own rules do not
//! lead to, such as a first stone in the middle of the board, are set up.

use super::{Tongue, Translation, thinking_time};
use crate::game::Side;
use crate::games::Size;
use crate::protocol::administration::VERSION;
use crate::protocol::engine::Flow;
use crate::protocol::vertex::{Notation, word};

/// The time that a manager calls none.
const ENDLESS: f64 = i32::MAX as f64;

/// A game as its manager tells it.
#[derive(Debug)]
pub(super) struct Gomocup {
    name: String,
    size: Option<Size>,
    /// Points in the order in which they were told, and whether the stone is the engine's.
    stones: Vec<(usize, bool)>,
    /// Stones of a board that is being told, up to the first line that is none.
    told: Option<Result<Vec<(usize, bool)>, String>>,
    /// Whether the engine's position has these stones.
    agrees: bool,
    /// A rule that is not played here.
    rule: Option<String>,
    /// Seconds of the clock, told since the last move.
    left: Option<f64>,
}

impl Gomocup {
    /// No game yet.
    pub(super) fn new(name: String) -> Self {
        Self { name, size: None, stones: Vec::new(), told: None, agrees: true, rule: None, left: None }
    }

    /// Begins a game on a board.
    fn start(&mut self, size: Option<Size>, talk: &mut Translation<'_>) -> Result<String, String> {
        let size = size.ok_or("a board has one or two numbers of lines")?;
        talk.ask(&format!("boardsize {}", size.lines(' ')))?;
        (self.size, self.agrees) = (Some(size), true);
        self.stones.clear();
        Ok("OK".to_owned())
    }

    /// The point that `words` name, on the board and not taken.
    fn point(&self, stones: &[(usize, bool)], words: &str) -> Result<usize, String> {
        let size = self.size.ok_or("no game has been started")?;
        let numbers = words.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
        let (x, y): (usize, usize) = numbers.ok_or("a point is written x,y")?;
        if x >= size.width || y >= size.height {
            return Err(format!("{x},{y} is not on the board"));
        }
        let point = y * size.width + x;
        if stones.iter().any(|stone| stone.0 == point) {
            return Err(format!("{x},{y} is taken"));
        }
        Ok(point)
    }

    /// Takes a line of a board.
    fn take_in(&self, stones: &mut Vec<(usize, bool)>, line: &str) -> Result<(), String> {
        let (point, field) = line.rsplit_once(',').ok_or("a stone is written x,y,whose")?;
        let own = match field.trim() {
            "1" => true,
            "2" => false,
            _ => return Err("a stone is one's own (1) or the opponent's (2)".to_owned()),
        };
        stones.push((self.point(stones, point)?, own));
        Ok(())
    }

    /// Numbers of own stones and of the opponent's.
    fn counts(&self) -> [usize; 2] {
        let own = self.stones.iter().filter(|stone| stone.1).count();
        [own, self.stones.len() - own]
    }

    /// Takes the opponent's stone and answers it.
    fn turn(&mut self, words: &str, talk: &mut Translation<'_>) -> Result<String, String> {
        let size = self.size.ok_or("no game has been started")?;
        let point = self.point(&self.stones, words)?;
        let [own, other] = self.counts();
        let colour = word(if own == other { Side::First } else { Side::Second });
        self.stones.push((point, false));
        let played = talk.ask(&format!("play {colour} {}", Notation::Gtp.show(size, point)));
        self.agrees &= played.is_ok();
        self.think(talk)
    }

    /// Chooses a point and plays there.
    fn think(&mut self, talk: &mut Translation<'_>) -> Result<String, String> {
        let size = self.size.ok_or("no game has been started")?;
        if let Some(rule) = &self.rule {
            return Err(format!("rule {rule} is not played here, freestyle (0) is"));
        }
        let [own, other] = self.counts();
        let side = if own >= other { Side::First } else { Side::Second };
        let colours = [word(side), word(side.opponent())];
        if !self.agrees {
            let mut setup = format!("losange-setup {}", colours[0]);
            for &(point, own) in &self.stones {
                setup += &format!(" {} {}", colours[usize::from(!own)], Notation::Gtp.show(size, point));
            }
            talk.ask(&setup)?;
            self.agrees = true;
        }
        if let Some(seconds) = self.left.take() {
            talk.ask(&format!("time_left {} {} 0", colours[0], seconds.max(0.0)))?;
        }
        let chosen = talk.ask(&format!("genmove {}", colours[0]))?;
        let point = Notation::Gtp.read(size, &chosen).ok_or_else(|| format!("no stone to play: {chosen}"))?;
        self.stones.push((point, true));
        let (x, y) = size.xy(point);
        Ok(format!("{x},{y}"))
    }

    /// Takes the last stone back.
    fn take_back(&mut self, words: &str) -> Result<String, String> {
        let last = self.stones.pop().ok_or("there is no stone")?;
        if self.point(&self.stones, words) != Ok(last.0) {
            self.stones.push(last);
            return Err("the last stone alone can be taken back".to_owned());
        }
        self.agrees = false;
        Ok("OK".to_owned())
    }

    /// Heeds what the manager says of the game. Nothing is answered.
    fn heed(&mut self, words: &str, talk: &mut Translation<'_>) {
        let Some((key, value)) = words.split_once(' ') else { return };
        let seconds = value.trim().parse::<f64>().ok().map(|milliseconds| milliseconds / 1000.0);
        let command = match (key.to_ascii_lowercase().as_str(), seconds) {
            ("timeout_turn", Some(seconds)) => {
                format!("kata-set-param maxTime {}", thinking_time(seconds))
            }
            ("timeout_match", Some(seconds)) if seconds > 0.0 => format!("time_settings {seconds} 0 0"),
            ("timeout_match", Some(_)) => "kata-time_settings none".to_owned(),
            // Whose clock it is, the next move tells.
            ("time_left", Some(seconds)) => {
                self.left = Some(seconds).filter(|seconds| seconds * 1000.0 < ENDLESS);
                return;
            }
            ("rule", _) => {
                self.rule = (value.trim() != "0").then(|| value.trim().to_owned());
                return;
            }
            _ => return,
        };
        if let Err(refusal) = talk.ask(&command) {
            tracing::warn!(refusal, words, "not heeded");
        }
    }

    fn about(&self) -> String {
        format!("name=\"{}\", version=\"{VERSION}\", author=\"{}\", country=\"\"", self.name, env!("CARGO_PKG_NAME"))
    }
}

impl Tongue for Gomocup {
    fn hear(&mut self, line: &str, talk: &mut Translation<'_>) -> Flow {
        if let Some(mut told) = self.told.take() {
            if !line.eq_ignore_ascii_case("done") {
                if let Ok(stones) = &mut told
                    && let Err(error) = self.take_in(stones, line)
                {
                    told = Err(error);
                }
                self.told = Some(told);
                return Flow::Continue;
            }
            let answer = told.and_then(|stones| {
                (self.stones, self.agrees) = (stones, false);
                self.think(talk)
            });
            talk.say(&answer.unwrap_or_else(|error| format!("ERROR {error}")));
            return Flow::Continue;
        }
        let (name, words) = line.split_once(' ').unwrap_or((line, ""));
        let two = |words: &str| {
            let (width, height) = words.split_once(',')?;
            Some(Size { width: width.trim().parse().ok()?, height: height.trim().parse().ok()? })
        };
        let answer = match name.to_ascii_uppercase().as_str() {
            "" => return Flow::Continue,
            "END" => return Flow::Quit,
            "INFO" => {
                self.heed(words, talk);
                return Flow::Continue;
            }
            "BOARD" => {
                self.told = Some(Ok(Vec::new()));
                return Flow::Continue;
            }
            "START" => self.start(words.trim().parse().ok().map(Size::square), talk),
            "RECTSTART" => self.start(two(words), talk),
            "RESTART" => self.start(self.size, talk),
            "BEGIN" => self.think(talk),
            "TURN" => self.turn(words, talk),
            "TAKEBACK" => self.take_back(words),
            "ABOUT" => Ok(self.about()),
            _ => {
                talk.say(&format!("UNKNOWN {name}"));
                return Flow::Continue;
            }
        };
        talk.say(&answer.unwrap_or_else(|error| format!("ERROR {error}")));
        Flow::Continue
    }
}
