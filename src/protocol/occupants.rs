//! Occupants of points as words of set-ups: `B`, a tower `B3`, levels `2`, `burnt`.

use super::vertex;
use crate::games::{Occupant, Piece};

/// Word of a point without anything on it.
pub(super) const NOTHING: &str = ".";
const BURNT: &str = "burnt";

/// The word of an occupant.
pub(super) fn show(occupant: Occupant) -> String {
    match occupant {
        Occupant::Piece(Piece { side, height: 1 }) => vertex::letter(side).to_string(),
        Occupant::Piece(Piece { side, height }) => format!("{}{height}", vertex::letter(side)),
        Occupant::Levels(count) => count.to_string(),
        Occupant::Burnt => BURNT.to_owned(),
    }
}

/// The occupant of a word, in any case; colours are also written out.
pub(super) fn read(word: &str) -> Option<Occupant> {
    if word.eq_ignore_ascii_case(BURNT) {
        return Some(Occupant::Burnt);
    }
    let (colour, digits) = word.split_at(word.find(|c: char| c.is_ascii_digit()).unwrap_or(word.len()));
    let number = || digits.parse().ok().filter(|number| (1..=9).contains(number));
    if colour.is_empty() {
        return number().map(Occupant::Levels);
    }
    let side = vertex::colour(colour).ok()?;
    let height = if digits.is_empty() { 1 } else { number()? };
    Some(Occupant::Piece(Piece { side, height }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;

    #[test]
    fn words_read_back() {
        let towers = (1..=5).flat_map(|height| Side::BOTH.map(|side| Occupant::Piece(Piece { side, height })));
        let words: Vec<_> = towers.chain((1..=4).map(Occupant::Levels)).chain([Occupant::Burnt]).map(show).collect();
        assert_eq!(words.join(" "), "B W B2 W2 B3 W3 B4 W4 B5 W5 1 2 3 4 burnt");
        assert!(words.iter().all(|word| read(word).map(show).as_ref() == Some(word)));
        assert_eq!(
            ["white", "BLACK", "w2", "white3", "Burnt"].map(|word| read(word).map(show).unwrap()),
            ["W", "B", "W2", "W3", "burnt"]
        );
        for word in ["", ".", "x", "b0", "0", "10", "b10", "2b", "b-1", "b3x", "burnt2", "é3", "3é"] {
            assert_eq!(read(word), None, "{word}");
        }
    }
}
