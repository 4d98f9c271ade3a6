//! A slow referee beside the program: random commands, legal and not, go to both, and after each the boards must be the
//! same. The referee's rules are written again, in the plainest way, from the rules of the games.
//!
//! `LOSANGE_LONG=1` sends 100 000 commands a game instead of 3 000.

#[path = "../support/mod.rs"]
mod support;

mod rules;

use losange::rng::Rng;
use rules::{Avalam, Clobber, Go, Hex, Rules};
use support::Program;

/// Commands of a game.
fn commands() -> usize {
    if std::env::var_os("LOSANGE_LONG").is_some() { 100_000 } else { 3_000 }
}

/// The program, and the referee with all earlier positions.
struct Match<R: Rules> {
    program: Program,
    rng: Rng,
    size: (usize, usize),
    past: Vec<R>,
    now: R,
    /// The last commands, told where the two differ.
    told: Vec<String>,
}

const COLOURS: [&str; 2] = ["b", "w"];

impl<R: Rules> Match<R> {
    fn new(seed: u64) -> Self {
        let program = Program::start(&[R::GAME, "--no-model", "--threads", "1", "--memory", "16"]);
        let size = R::SIZES[0];
        let mut new =
            Self { program, rng: Rng::new(seed), size, past: Vec::new(), now: R::start(size), told: Vec::new() };
        new.board_size(size);
        new
    }

    fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound as u32) as usize
    }

    /// Asks the program, and returns its answer without the mark, or `None` where it refuses.
    fn ask(&mut self, command: &str) -> Option<String> {
        if self.told.len() > 60 {
            self.told.drain(..20);
        }
        self.told.push(command.to_owned());
        let answer = self.program.ask(command);
        answer.strip_prefix("= ").map(str::to_owned)
    }

    fn fail(&self, what: &str) -> ! {
        panic!("{}: {what}\nthe last commands:\n{}", R::GAME, self.told.join("\n"))
    }

    /// Sends a command that the referee accepts or not, and compares.
    fn expect(&mut self, command: &str, accepted: bool) {
        let answer = self.ask(command);
        if answer.is_some() != accepted {
            self.fail(&format!("'{command}': the referee says {accepted}, the program {answer:?}"));
        }
    }

    fn board_size(&mut self, size: (usize, usize)) {
        let accepted = R::SIZES.contains(&size);
        self.expect(&format!("boardsize {} {}", size.0, size.1), accepted);
        if accepted {
            self.begin(size, R::cleared(size, &self.now));
        }
    }

    fn begin(&mut self, size: (usize, usize), start: R) {
        (self.size, self.now) = (size, start);
        self.past.clear();
    }

    fn step(&mut self, mv: &R::Move, side: usize) -> bool {
        let Some(next) = self.now.after(side, mv) else { return false };
        self.past.push(std::mem::replace(&mut self.now, next));
        true
    }

    fn side(&mut self) -> usize {
        let to_move = self.now.to_move();
        if self.below(12) == 0 { 1 - to_move } else { to_move }
    }

    fn play(&mut self) {
        let side = self.side();
        let mut legal = self.now.legal(side);
        let mv = match self.below(5) {
            0 => self.now.any_move(&mut |bound| self.rng.below(bound as u32) as usize),
            _ if legal.is_empty() => return,
            _ => legal.swap_remove(self.below(legal.len())),
        };
        let accepted = self.step(&mv, side);
        self.expect(&format!("play {} {}", COLOURS[side], self.now.name(&mv)), accepted);
    }

    /// Plays some moves, all of them or none.
    fn sequence(&mut self) {
        let (before, moves) = (self.past.len(), 1 + self.below(4));
        let (mut text, mut accepted) = (String::new(), true);
        for _ in 0..moves {
            let side = self.side();
            let legal = self.now.legal(side);
            let mv = if legal.is_empty() || self.below(12) == 0 {
                self.now.any_move(&mut |bound| self.rng.below(bound as u32) as usize)
            } else {
                legal[self.below(legal.len())].clone()
            };
            text += &format!(" {} {}", COLOURS[side], self.now.name(&mv));
            accepted &= accepted && self.step(&mv, side);
        }
        if !accepted {
            self.take_back(self.past.len() - before);
        }
        self.expect(&format!("gogui-play_sequence{text}"), accepted);
    }

    fn take_back(&mut self, count: usize) {
        for _ in 0..count {
            self.now = self.past.pop().unwrap();
        }
    }

    fn undo(&mut self) {
        let single = self.below(2) == 0;
        let count = if single { 1 } else { self.below(6) };
        let accepted = count <= self.past.len();
        let command = if single { "undo".to_owned() } else { format!("gg-undo {count}") };
        self.expect(&command, accepted);
        if accepted {
            self.take_back(count);
        }
    }

    fn set_up(&mut self) {
        let Some(command) = R::SET_UP else { return };
        let (mut text, mut stones) = (String::new(), Vec::new());
        let points = self.size.0 * self.size.1;
        for _ in 0..self.below(points.min(12)) {
            let (side, point) = (self.below(2), self.below(points));
            text += &format!(" {} {}", COLOURS[side], self.now.point(point));
            stones.push((side, point));
        }
        let start = R::set_up(self.size, &stones, &self.now);
        self.expect(&format!("{command}{text}"), start.is_some());
        if let Some(start) = start {
            self.begin(self.size, start);
        }
    }

    /// Compares all that the program tells of the position.
    fn compare(&mut self) {
        let board = self.ask("gogui-rules_board");
        let rows: Vec<String> = board.iter().flat_map(|text| text.lines().map(|row| row.trim().to_owned())).collect();
        if rows != self.now.rows() {
            self.fail(&format!(
                "the referee's board:\n{}\nthe program's:\n{}",
                self.now.rows().join("\n"),
                rows.join("\n")
            ));
        }
        let to_move = self.ask("gogui-rules_side_to_move");
        if to_move.as_deref() != Some(["black", "white"][self.now.to_move()]) {
            self.fail(&format!("the referee has {} to move, the program {to_move:?}", self.now.to_move()));
        }
        if self.below(4) == 0 {
            let told = self.ask(R::LEGAL).unwrap_or_default();
            let mut told: Vec<String> = told
                .split_whitespace()
                .filter(|word| !["pass", "resign", "PASS"].contains(word))
                .map(str::to_uppercase)
                .collect();
            let side = self.now.to_move();
            let legal = if self.now.is_over() { Vec::new() } else { self.now.legal(side) };
            let mut legal: Vec<String> =
                legal.iter().map(|mv| self.now.name(mv).to_uppercase()).filter(|name| name != "PASS").collect();
            told.sort();
            legal.sort();
            if told != legal {
                self.fail(&format!("legal moves: the referee's {legal:?}, the program's {told:?}"));
            }
        }
        if let Some((command, expected)) = self.now.question() {
            let answer = self.ask(command);
            if answer.as_deref() != Some(expected.as_str()) {
                self.fail(&format!("{command}: the referee says {expected}, the program {answer:?}"));
            }
        }
    }

    fn run(&mut self, commands: usize) {
        for _ in 0..commands {
            match self.below(100) {
                0 => {
                    let size = R::SIZES[self.below(R::SIZES.len())];
                    self.board_size(size);
                }
                1 => {
                    let size = (self.below(28), self.below(28));
                    if R::SIZES.contains(&size) || !R::may_have(size) {
                        self.board_size(size);
                    }
                }
                2 => {
                    self.expect("clear_board", true);
                    let start = R::cleared(self.size, &self.now);
                    self.begin(self.size, start);
                }
                3 | 4 => self.set_up(),
                5..15 => self.undo(),
                15..22 => self.sequence(),
                22 => {
                    let number = self.below(1000);
                    if let Some(command) = self.now.change(number) {
                        self.expect(&command, true);
                        // A change of the rules holds for the moves before as well.
                        for past in &mut self.past {
                            past.change(number);
                        }
                    }
                }
                23 => {
                    let words = ["play", "play b", "play x a1", "boardsize a", "frobnicate", "play w Z99", "gg-undo x"];
                    let command = words[self.below(words.len())];
                    self.expect(command, false);
                }
                _ => self.play(),
            }
            self.compare();
        }
    }
}

#[test]
fn go() {
    Match::<Go>::new(1).run(commands());
}

#[test]
fn hex() {
    Match::<Hex>::new(2).run(commands());
}

#[test]
fn clobber() {
    Match::<Clobber<2>>::new(3).run(commands());
}

#[test]
fn solitaire() {
    Match::<Clobber<1>>::new(4).run(commands());
}

#[test]
fn avalam() {
    Match::<Avalam>::new(5).run(commands());
}
