//! Boards drawn in text, for the tests of this game.

use super::super::Rules;
use super::*;

/// The position of a drawing: rows separated by line ends or runs of two or more spaces, `X` Black, `O` White, `.` empty.
pub(crate) fn position(diagram: &str, rules: Rules, komi: f32) -> Position {
    let rows: Vec<&str> = diagram
        .split('\n')
        .flat_map(|line| line.trim().split("  "))
        .map(str::trim)
        .filter(|row| !row.is_empty())
        .collect();
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.split_whitespace().collect()).collect();
    let size = Size { width: cells[0].len(), height: cells.len() };
    let mut stones = Vec::new();
    for (y, row) in cells.iter().enumerate() {
        assert_eq!(row.len(), size.width, "{row:?}");
        for (x, cell) in row.iter().enumerate() {
            match *cell {
                "X" => stones.push((Side::First, size.index(x, y))),
                "O" => stones.push((Side::Second, size.index(x, y))),
                _ => {}
            }
        }
    }
    let mut position = Position::new(size, rules, komi);
    position.set_up(&stones).unwrap();
    position
}

/// The drawing of a position.
pub(crate) fn drawing(position: &Position) -> String {
    let size = position.size();
    let cell = |i| match position.stone(i) {
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => '.',
    };
    (0..size.height).map(|y| (0..size.width).map(|x| cell(size.index(x, y))).collect::<String>() + "\n").collect()
}
