//! Boards as text for people.

use std::fmt::Write;

use super::vertex::Notation;
use crate::game::Side;
use crate::games::{Size, Spelled};

/// The mark of a stone.
pub fn mark(stone: Option<Side>) -> char {
    match stone {
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => '.',
    }
}

/// Star points of a Go board, by the places of its fixed handicap.
fn is_star(size: Size, index: usize) -> bool {
    let line = |n: usize, at: usize| {
        let near = if n < 13 { 2 } else { 3 };
        n >= 7 && (at == near || at == n - 1 - near || (n % 2 == 1 && at == n / 2))
    };
    let (x, y) = size.xy(index);
    let middle = |n: usize, at: usize| n % 2 == 1 && at == n / 2;
    // On boards below 13 the sides have no stars, only corners and centre.
    let edge = middle(size.width, x) != middle(size.height, y);
    line(size.width, x) && line(size.height, y) && !(edge && size.width.min(size.height) < 13)
}

/// A Go board, the last move in brackets. `notes` stand to the right, from the top.
pub fn go(size: Size, stone: &dyn Fn(usize) -> Option<Side>, last: Option<usize>, notes: &[String]) -> String {
    let letters: String = (0..size.width).map(|x| format!(" {}", Notation::Gtp.column(x))).collect();
    let mut text = format!("\n  {letters}");
    for y in 0..size.height {
        let row = size.height - y;
        let _ = write!(text, "\n{row:2}");
        for x in 0..size.width {
            let index = size.index(x, y);
            let before = match last {
                Some(at) if at == index => '(',
                Some(at) if x > 0 && at == index - 1 => ')',
                _ => ' ',
            };
            let mark = match stone(index) {
                None if is_star(size, index) => '+',
                stone => mark(stone),
            };
            text.push(before);
            text.push(mark);
        }
        let end = if last == Some(size.index(size.width - 1, y)) { ')' } else { ' ' };
        let _ = write!(text, "{end}{row}");
        if let Some(note) = notes.get(y) {
            let _ = write!(text, "{:pad$}{note}", "", pad = 4 - row.to_string().len());
        }
    }
    let _ = write!(text, "\n  {letters}");
    notes.iter().skip(size.height).for_each(|note| _ = write!(text, "\n   {note}"));
    text
}

/// A Hex board: each row stands half a cell further to the right than the one above. The last move is in brackets.
pub fn hex(
    notation: Notation,
    size: Size,
    stone: &dyn Fn(usize) -> Option<Side>,
    last: Option<usize>,
    notes: &[String],
) -> String {
    let names: Vec<String> = (0..size.width).map(|x| notation.column(x)).collect();
    // Names of two letters stand one letter above the other.
    let line = |letter: fn(&str) -> Option<char>| -> String {
        names.iter().map(|name| format!("{:>2}", letter(name).unwrap_or(' '))).collect()
    };
    let letters = line(|name| name.chars().last());
    let mut text = String::new();
    let above = (size.width > 26).then(|| line(|name| name.chars().rev().nth(1)));
    if let Some(above) = &above {
        let _ = write!(text, "\n {}", above.trim_end());
    }
    let _ = write!(text, "\n {letters}   X joins top and bottom");
    for y in 0..size.height {
        let row = notation.row(size, y);
        let _ = write!(text, "\n{:y$}{row:2}", "");
        for x in 0..size.width {
            let index = size.index(x, y);
            let before = match last {
                Some(at) if at == index => '(',
                Some(at) if x > 0 && at == index - 1 => ')',
                _ => ' ',
            };
            text.push(before);
            text.push(mark(stone(index)));
        }
        let end = if last == Some(size.index(size.width - 1, y)) { ')' } else { ' ' };
        let _ = write!(text, "{end}{row}");
        if let Some(note) = notes.get(y) {
            let _ = write!(text, "   {note}");
        }
    }
    if let Some(above) = &above {
        let _ = write!(text, "\n{:pad$} {}", "", above.trim_end(), pad = size.height);
    }
    let _ = write!(text, "\n{:pad$} {letters}   O joins left and right", "", pad = size.height);
    notes.iter().skip(size.height).for_each(|note| _ = write!(text, "\n   {note}"));
    text
}

/// The number that a point is shown with: pieces of a tower, or levels that are built there.
pub fn number_on<G: Spelled>(position: &G, point: usize) -> Option<usize> {
    let (height, levels) = (position.height(point), position.levels(point));
    if height > 1 { Some(height) } else { Some(levels).filter(|&levels| levels > 0) }
}

/// The board of a position whose pieces stand on cells, and the state below.
pub fn cells<G: Spelled>(position: &G, state: &str) -> String {
    let cell = |point: usize| match (position.is_cell(point), position.owner(point), number_on(position, point)) {
        (false, ..) => "  ".to_owned(),
        (_, owner, None) => format!(" {}", mark(owner)),
        (_, owner, Some(number)) => format!("{number}{}", mark(owner)),
    };
    towers(Notation::Gtp, position.size(), &cell, state)
}

/// A board of towers, two characters to each, and the state below.
pub fn towers(notation: Notation, size: Size, cell: &dyn Fn(usize) -> String, state: &str) -> String {
    let letters: String = (0..size.width).map(|x| format!("  {}", notation.column(x))).collect();
    let mut text = format!("\n  {letters}");
    for y in 0..size.height {
        let row = notation.row(size, y);
        let cells: String = (0..size.width).map(|x| format!(" {}", cell(size.index(x, y)))).collect();
        let _ = write!(text, "\n{row:2}{cells} {row}");
    }
    let _ = write!(text, "\n  {letters}\n   {state}");
    text
}

/// The rows of GoGui's board commands, top to bottom.
pub fn rows(size: Size, cell: &dyn Fn(usize) -> String) -> String {
    (0..size.height)
        .map(|y| (0..size.width).map(|x| cell(size.index(x, y))).collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_go_board() {
        let stone = |i| match i {
            4 => Some(Side::First),
            2 => Some(Side::Second),
            _ => None,
        };
        let text = go(Size::square(3), &stone, Some(2), &["note".into()]);
        assert_eq!(text, "\n   A B C\n 3 . .(O)3   note\n 2 . X . 2\n 1 . . . 1\n   A B C");
        assert!(go(Size::square(9), &|_| None, None, &[]).contains("\n 7 . . + . . . + . . 7"));
    }

    #[test]
    fn a_hex_board() {
        let stone = |i| (i == 3).then_some(Side::First);
        let text = hex(Notation::Htp, Size { width: 3, height: 2 }, &stone, Some(3), &[]);
        let rows: Vec<_> = text.lines().skip(1).collect();
        assert_eq!(rows[1], " 1 . . . 1");
        assert_eq!(rows[2], "  2(X). . 2");
    }
}
