//! Links to HexWorld's board: `https://hexworld.org/board/#SIZE FLAGS,PLAYED,AHEAD` without the spaces.
//!
//! SIZE is `N` or `WxH`. Flags say how the picture looks and are skipped. The moves before and after the cursor are tokens without a
//! break between them: cells, `:p` for a pass, `:s` for a swap of pieces; they alternate from Black, who is red there. `:S` exchanges
//! names of players, `:rb` and `:fw` say who has lost and how: none of these moves a stone or takes a turn.

use crate::game::{Game, Side};
use crate::games::hex::symmetry::reflect;
use crate::games::hex::{Illegal, Move, Position};
use crate::games::{Size, Spelled};
use crate::protocol::record::Record;
use crate::protocol::vertex::Notation;
use crate::session::history::History;

const HEAD: &str = "https://hexworld.org/board/#";
/// Ends of the part of an address that stands before the board.
const PLACES: [&str; 2] = ["hexworld.org/board/", "hexworld.org/board"];
/// Tokens that take no turn.
const NO_TURNS: [&str; 5] = [":S", ":rb", ":rw", ":fb", ":fw"];

/// A token that takes a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Pass,
    Play(Move),
}

/// Whether a text is an address of HexWorld's board, with a board or a bad one.
pub(super) fn is_link(text: &str) -> bool {
    let text = text.trim();
    text.lines().count() == 1 && text.split_once('#').is_some_and(|(place, _)| is_place(place))
}

/// Whether an address is that of HexWorld's board.
fn is_place(address: &str) -> bool {
    PLACES.iter().any(|end| address.to_ascii_lowercase().ends_with(end))
}

/// Reads a link, or the part of it that stands after `#`: the game up to the cursor, or so many moves of all, ahead of the cursor too.
///
/// # Errors
/// The fault of the link, in words.
pub(super) fn read(text: &str, most: Option<usize>) -> Result<Record<Position>, String> {
    let text = text.trim().replace("%2C", ",").replace("%2c", ",");
    let board = match text.split_once('#') {
        Some((place, board)) if is_place(place) => board,
        Some(_) => return Err("it is no link to hexworld.org/board".to_owned()),
        None => &text,
    };
    let mut lists = board.split(',');
    let size = head(lists.next().unwrap_or_default())?;
    let lists: Vec<Vec<Token>> = lists.map(|list| tokens(list, size)).collect::<Result<_, _>>()?;
    if lists.len() > 2 {
        return Err("the link has too many commas".to_owned());
    }
    let cursor = lists.first().map_or(0, Vec::len);
    let all = lists.concat();
    let whole = game(size, &all)?;
    match most {
        None if cursor == all.len() => Ok(whole),
        None => game(size, &all[..cursor]),
        Some(most) => {
            let moves = all.iter().enumerate().filter(|(_, token)| **token != Token::Pass);
            let end = moves.map(|(place, _)| place).nth(most).unwrap_or(all.len());
            game(size, &all[..end])
        }
    }
}

/// Size of the board, from what stands before the first comma.
fn head(text: &str) -> Result<Size, String> {
    let wrong = || format!("'{text}' is no size of a board and flags of HexWorld's");
    let mut rest = text;
    let width = number(&mut rest).ok_or_else(wrong)?;
    let height = match rest.strip_prefix('x') {
        Some(after) => {
            rest = after;
            number(&mut rest).ok_or_else(wrong)?
        }
        None => width,
    };
    while let Some(flag) = rest.chars().next() {
        rest = &rest[flag.len_utf8()..];
        let known = match flag {
            'n' | 'm' => true,
            'r' | 'c' => number(&mut rest).is_some(),
            _ => false,
        };
        if !known {
            return Err(wrong());
        }
    }
    let (boards, size) = (Position::BOARDS, Size { width, height });
    match boards.contains(size) {
        true => Ok(size),
        false => Err(format!("Hex is played on boards from {} to {}", boards.fewest, boards.most)),
    }
}

/// Takes the digits that a text begins with off it.
fn number(text: &mut &str) -> Option<usize> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text[..text.len() - rest.len()].parse().ok();
    *text = rest;
    number
}

fn tokens(list: &str, size: Size) -> Result<Vec<Token>, String> {
    let (mut rest, mut tokens) = (list, Vec::new());
    while !rest.is_empty() {
        if let Some(after) = NO_TURNS.iter().find_map(|word| rest.strip_prefix(word)) {
            rest = after;
            continue;
        }
        let token = match (rest.strip_prefix(":p"), rest.strip_prefix(":s")) {
            (Some(after), _) => (after, Token::Pass),
            (_, Some(after)) => (after, Token::Play(Move::SWAP)),
            _ => {
                let digits = rest.trim_start_matches(|c: char| c.is_ascii_lowercase());
                let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
                let name = &rest[..rest.len() - after.len()];
                let cell = if digits.starts_with('0') { None } else { Notation::Htp.read(size, name) };
                let shown: String = if name.is_empty() { rest.chars().take(8).collect() } else { name.to_owned() };
                let cell = cell.ok_or_else(|| format!("'{shown}' in the link is no cell of the board"))?;
                (after, Token::Play(Move::at(cell)))
            }
        };
        rest = token.0;
        tokens.push(token.1);
    }
    Ok(tokens)
}

/// The game of those tokens. Stones that are set after its end stand on the board where the game begins, as it does in SGF.
fn game(size: Size, tokens: &[Token]) -> Result<Record<Position>, String> {
    let mut start = Position::new(size);
    start.set_swap_allowed(true);
    let (mut now, mut moves, mut side) = (start.clone(), Vec::new(), Side::First);
    for (turn, &token) in tokens.iter().enumerate() {
        if let Token::Play(mv) = token {
            if mv == Move::SWAP && turn != 1 {
                return Err("the link swaps at a move other than the second".to_owned());
            }
            now.set_to_move(side);
            match now.check(side, mv) {
                Ok(()) => {
                    now.play(mv);
                    moves.push((side, mv));
                }
                Err(why) => {
                    let forced = if why == Illegal::GameOver { now.forced(mv) } else { None };
                    let cell = mv.cell().map_or_else(|| ":s".to_owned(), |cell| Notation::Htp.show(size, cell));
                    now = forced.ok_or_else(|| format!("{cell} in the link cannot be played: {why}"))?;
                    start = now.clone();
                    moves.clear();
                }
            }
        }
        side = side.opponent();
    }
    let turn = Some(side).filter(|_| moves.last().map_or(start.to_move(), |(last, _)| last.opponent()) != side);
    Ok(Record { start, moves, turn })
}

/// The link of a game, with the cursor after its last move. Stones that it begins with are written as moves with passes between.
pub(super) fn write(history: &History<Position>) -> String {
    let size = history.start().size();
    let mut tokens = Tokens { size, text: String::new(), turn: Side::First, count: 0 };
    let mut stones = Side::BOTH.map(|side| {
        let own = move |&cell: &usize| history.start().stone(cell) == Some(side);
        (0..size.points()).filter(own).collect::<Vec<_>>().into_iter().peekable()
    });
    while stones.iter_mut().any(|own| own.peek().is_some()) {
        for side in Side::BOTH {
            if let Some(cell) = stones[side.index()].next() {
                tokens.play(side, cell);
            }
        }
    }
    for (number, &(side, mv)) in history.moves().iter().enumerate() {
        match (mv.cell(), number.checked_sub(1).and_then(|before| history.moves()[before].1.cell())) {
            (Some(cell), _) => tokens.play(side, cell),
            (None, _) if tokens.count == 1 => tokens.add(side, ":s"),
            (None, first) => {
                // A swap that is not the second turn there: the stone where it is now.
                tokens = Tokens { size, text: String::new(), turn: Side::First, count: 0 };
                first.into_iter().for_each(|cell| tokens.play(side, reflect(size, cell)));
            }
        }
    }
    let position = history.position();
    if position.winner().is_none() && position.to_move() != tokens.turn {
        tokens.add(position.to_move().opponent(), ":p");
    }
    let lines = size.lines('x');
    format!("{HEAD}{lines}c1,{}", tokens.text)
}

/// Tokens being written.
struct Tokens {
    size: Size,
    text: String,
    /// Side of the next turn.
    turn: Side,
    /// Turns so far.
    count: usize,
}

impl Tokens {
    fn play(&mut self, side: Side, cell: usize) {
        self.add(side, &Notation::Htp.show(self.size, cell));
    }

    /// Adds a token of that side, after a pass of the other one if it is not its turn.
    fn add(&mut self, side: Side, token: &str) {
        if side != self.turn {
            self.text.push_str(":p");
            self.count += 1;
        }
        self.text.push_str(token);
        self.count += 1;
        self.turn = side.opponent();
    }
}

#[cfg(test)]
mod tests;
