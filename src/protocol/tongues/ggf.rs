//! GGF, the records of Othello that NBoard sends: `(;GM[Othello]...BO[8 ---...--- *]B[F5]W[F6];)`.

use nom::bytes::complete::{take_till, take_while1};
use nom::character::complete::char;
use nom::sequence::delimited;
use nom::{IResult, Parser};

use crate::game::Side;
use crate::games::Size;

/// A record: the first position and the moves.
#[derive(Debug, PartialEq)]
pub(super) struct GgfRecord {
    /// The board.
    pub(super) size: Size,
    /// Points with a disc, row by row from the upper left.
    pub(super) discs: Vec<(usize, Side)>,
    /// Side that moves first.
    pub(super) to_move: Side,
    /// Moves such as F5, or PA for a pass.
    pub(super) moves: Vec<(Side, String)>,
}

/// One property: its name and its value.
fn property(input: &str) -> IResult<&str, (&str, &str)> {
    let name = take_while1(|c: char| c.is_ascii_uppercase());
    (name, delimited(char('['), take_till(|c| c == ']'), char(']'))).parse(input)
}

/// The properties of a record, in their order.
fn properties(text: &str) -> Vec<(&str, &str)> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(begin) = rest.find(|c: char| c.is_ascii_uppercase()) {
        rest = &rest[begin..];
        rest = match property(rest) {
            Ok((behind, read)) => {
                found.push(read);
                behind
            }
            Err(_) => &rest[1..],
        };
    }
    found
}

/// A square of a board: nobody's, or a side's.
fn square(letter: char) -> Option<Option<Side>> {
    match letter {
        '*' => Some(Some(Side::First)),
        'O' => Some(Some(Side::Second)),
        '-' => Some(None),
        _ => None,
    }
}

/// Reads the value of `BO`: lines, squares row by row, and who is to move. The record has no moves yet.
fn board(text: &str) -> Option<GgfRecord> {
    let (lines, squares) = text.trim().split_once(' ')?;
    let lines: usize = lines.parse().ok()?;
    let squares: Vec<Option<Side>> =
        squares.split_whitespace().flat_map(str::chars).map(square).collect::<Option<_>>()?;
    let (last, squares) = squares.split_last()?;
    if lines.checked_mul(lines) != Some(squares.len()) {
        return None;
    }
    let discs = squares.iter().enumerate().filter_map(|(point, side)| Some((point, (*side)?))).collect();
    Some(GgfRecord { size: Size::square(lines), discs, to_move: (*last)?, moves: Vec::new() })
}

impl GgfRecord {
    /// Reads a record.
    ///
    /// # Errors
    /// A board that is missing or cannot be read.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let properties = properties(text);
        let told = properties.iter().find(|(name, _)| *name == "BO");
        let start = told.and_then(|(_, value)| board(value)).ok_or("the record has no board")?;
        let moves = properties.iter().filter_map(|(name, value)| {
            let side = match *name {
                "B" => Side::First,
                "W" => Side::Second,
                _ => return None,
            };
            // Behind slashes come the move's value and time.
            Some((side, value.split('/').next().unwrap_or_default().trim().to_owned()))
        });
        Ok(Self { moves: moves.collect(), ..start })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read() {
        let text = "(;GM[Othello]PC[NBoard]PB[a W[b] c]RE[?]TI[15:00]TY[8]BO[8 \
                    ---------------------------O*------*O--------------------------- *]B[F5/0.5/1.2]W[PA];)";
        let record = GgfRecord::read(text).unwrap();
        assert_eq!(record.size, Size::square(8));
        let [black, white] = Side::BOTH;
        assert_eq!(record.discs, [(27, white), (28, black), (35, black), (36, white)]);
        assert_eq!(record.to_move, black);
        assert_eq!(record.moves, [(black, "F5".to_owned()), (white, "PA".to_owned())]);
    }

    #[test]
    fn records_without_a_whole_board_are_refused() {
        for text in
            ["", "(;GM[Othello];)", "BO[8 *]", "BO[8", "BO[3 --------* *]x", "BO[99999999999 - *]", "BO[2 --x- *]"]
        {
            let read = GgfRecord::read(text);
            assert_eq!(read.is_ok(), text.ends_with('x'), "{text}: {read:?}");
        }
    }
}
