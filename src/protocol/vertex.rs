//! Points and colours as text, in the two notations.

use nom::character::complete::{alpha1, char, digit1};
use nom::combinator::{all_consuming, opt, recognize};
use nom::multi::many0;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::reply::Refusal;
use crate::game::Side;
use crate::games::{Grid, Points, Size, Spelled, Spelling};

/// How points are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Upper case without the letter I, row 1 at the bottom.
    Gtp,
    /// Lower case with the letter i, row 1 at the top.
    Htp,
}

impl Notation {
    /// The notation of games on that grid.
    pub const fn on(grid: Grid) -> Self {
        match grid {
            Grid::Hexagons => Self::Htp,
            Grid::Lines | Grid::Cells => Self::Gtp,
        }
    }

    /// The name of point number `index`.
    pub fn show(self, size: Size, index: usize) -> String {
        let (x, y) = size.xy(index);
        match self {
            Self::Gtp => format!("{}{}", self.column(x), size.height - y),
            Self::Htp => format!("{}{}", self.column(x), y + 1),
        }
    }

    /// The letters of columns.
    const fn letters(self) -> &'static [u8] {
        match self {
            Self::Gtp => b"ABCDEFGHJKLMNOPQRSTUVWXYZ",
            Self::Htp => b"abcdefghijklmnopqrstuvwxyz",
        }
    }

    /// The letters of a column, counted from 0: after the last letter come two of them, `aa`, `ab` and so on.
    pub fn column(self, x: usize) -> String {
        let letters = self.letters();
        let letter = |number: usize| char::from(letters[number % letters.len()]);
        let before = (x / letters.len()).checked_sub(1).map(letter);
        before.into_iter().chain([letter(x)]).collect()
    }

    /// The column of those letters, in any case.
    fn column_of(self, name: &str) -> Option<usize> {
        let letters = self.letters();
        let number = |byte: u8| letters.iter().position(|letter| letter.eq_ignore_ascii_case(&byte));
        match *name.as_bytes() {
            [only] => number(only),
            [first, second] => Some((number(first)? + 1) * letters.len() + number(second)?),
            _ => None,
        }
    }

    /// The number of the row `y` from the top.
    pub fn row(self, size: Size, y: usize) -> usize {
        match self {
            Self::Gtp => size.height - y,
            Self::Htp => y + 1,
        }
    }

    /// The number of the point of that name, in any case; `None` if the board has none.
    pub fn read(self, size: Size, word: &str) -> Option<usize> {
        let (letters, digits) = split(word).ok()?.1;
        let x = self.column_of(letters)?;
        let row: usize = digits.parse().ok()?;
        let y = match self {
            Self::Gtp => size.height.checked_sub(row)?,
            Self::Htp => row.checked_sub(1)?,
        };
        (x < size.width && y < size.height).then(|| size.index(x, y))
    }

    /// A move: its points with hyphens between, `A1-B2`, or its word.
    pub fn show_move<G: Spelled>(self, size: Size, mv: G::Move) -> String {
        self.show_spelling(size, &G::spell(size, mv))
    }

    fn show_spelling(self, size: Size, spelling: &Spelling) -> String {
        match spelling {
            Spelling::Points(points) => {
                points.iter().map(|&point| self.show(size, point)).collect::<Vec<_>>().join("-")
            }
            Spelling::Word(word) => (*word).to_owned(),
        }
    }

    /// The move of that name, in any case, with or without hyphens; `None` if the game has none.
    pub fn read_move<G: Spelled>(self, size: Size, word: &str) -> Option<G::Move> {
        G::unspell(size, &self.spelling(size, word)?)
    }

    /// A move's name as what it names.
    fn spelling(self, size: Size, word: &str) -> Option<Spelling> {
        if let Some(spelling) = Spelling::of_word(word) {
            return Some(spelling);
        }
        Some(Spelling::Points(Points::new(&self.read_points(size, word)?)?))
    }

    /// The points that a move names, whether the game has such a move or not.
    pub fn read_points(self, size: Size, word: &str) -> Option<Vec<usize>> {
        let (first, others) = names(word).ok()?.1;
        [first].into_iter().chain(others).map(|name| self.read(size, name)).collect()
    }
}

/// The names of the points of a move.
fn names(word: &str) -> IResult<&str, (&str, Vec<&str>)> {
    let point = || recognize((alpha1, digit1));
    all_consuming((point(), many0(preceded(opt(char('-')), point())))).parse(word)
}

fn split(word: &str) -> IResult<&str, (&str, &str)> {
    all_consuming((alpha1, digit1)).parse(word)
}

/// A colour.
///
/// # Errors
/// Says what was found instead.
pub fn colour(word: &str) -> Result<Side, Refusal> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => Err(Refusal::new(format_args!("'{word}' is no colour: expected b, black, w or white"))),
    }
}

/// `B` or `W`.
pub fn letter(side: Side) -> char {
    match side {
        Side::First => 'B',
        Side::Second => 'W',
    }
}

/// `black` or `white`.
pub fn word(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_reads_back() {
        for notation in [Notation::Gtp, Notation::Htp] {
            for size in [Size::square(1), Size::square(32), Size { width: 60, height: 3 }] {
                for index in 0..size.points() {
                    let name = notation.show(size, index);
                    assert_eq!(notation.read(size, &name), Some(index));
                    assert_eq!(notation.read(size, &name.to_lowercase()), Some(index));
                    assert_eq!(notation.read(size, &name.to_uppercase()), Some(index));
                }
            }
        }
    }

    #[test]
    fn corners() {
        let size = Size::square(19);
        assert_eq!(Notation::Gtp.show(size, 0), "A19");
        assert_eq!(Notation::Gtp.read(size, "t1"), Some(360));
        assert_eq!(Notation::Gtp.read(size, "J1"), Some(350));
        assert_eq!(Notation::Htp.show(size, 0), "a1");
        assert_eq!(Notation::Htp.read(size, "I2"), Some(27));
        let (size, columns) = (Size::square(32), [24, 25, 26, 31]);
        assert_eq!(columns.map(|x| Notation::Htp.show(size, x)), ["y1", "z1", "aa1", "af1"]);
        assert_eq!(columns.map(|x| Notation::Gtp.show(size, x)), ["Z32", "AA32", "AB32", "AG32"]);
        assert_eq!(Notation::Htp.read(size, "ag1"), None);
    }

    #[test]
    fn what_is_no_point() {
        let size = Size::square(9);
        for word in
            ["", "A", "1", "A0", "A10", "I5", "K1", "AA1", "A1x", "1A", "A-1", "A99999999999999999999", "Ä1", "AAAA1"]
        {
            assert_eq!(Notation::Gtp.read(size, word), None, "{word}");
        }
        assert_eq!(Notation::Htp.read(size, "j1"), None);
    }
}
