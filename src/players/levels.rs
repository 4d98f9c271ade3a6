//! Levels of weaker play by name: ranks in Go, numbers in other games. `search::level` says how they are played.

use thiserror::Error;

use super::{Kind, Played, Visitor};
use crate::search::level::{Levels, Ratings};

/// Ranks of Go: so many kyu, the lowest first, and so many dan.
const KYU: u32 = 30;
const DAN: u32 = 9;
/// Levels of games without ranks.
const NUMBERS: u32 = 20;
/// Word for play without a level.
const FULL: &str = "full";

/// A level that a game does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{found}' is no level of {kind}: expected {expected}, or {FULL}")]
pub struct LevelError {
    kind: Kind,
    found: String,
    expected: String,
}

/// Levels of a game. Ratings are those of Go on 9×9, where a rank is some 70 units. On 19×19 the lower ranks lie nearer to one another,
/// since more moves tell more of a difference. Those of other games begin higher and lie further apart, in the lower half most, where
/// Hex measures less between them than Go (`docs/log/levels.md`).
pub(super) const fn of<G: Played>() -> Levels {
    if G::RANKS {
        const HIGHEST: (u32, f32) = (KYU + DAN, 829.0);
        const LARGE: Ratings =
            &[(1, -1473.0), (16, -702.0), (17, -650.0), (18, -622.0), (19, -572.0), (20, -521.0), HIGHEST];
        Levels(&[(81, &[(1, -1869.0), HIGHEST]), (361, LARGE)])
    } else {
        Levels(&[(121, &[(1, -1030.0), (6, -345.0), (NUMBERS, 829.0)])])
    }
}

const fn count<G: Played>() -> u32 {
    of::<G>().count()
}

/// Checks the number of a level; 0 is full strength.
pub(super) fn check<G: Played>(level: u32) -> Result<(), LevelError> {
    if level <= count::<G>() { Ok(()) } else { Err(error::<G>(&level.to_string())) }
}

fn error<G: Played>(found: &str) -> LevelError {
    let ranks = if G::RANKS { format!("{KYU}k to 1k, 1d to {DAN}d, ") } else { String::new() };
    LevelError { kind: G::KIND, found: found.to_owned(), expected: format!("{ranks}1 to {}", count::<G>()) }
}

/// The number of a level from its name: a rank, a number, or `full`, which is 0 too.
///
/// # Errors
/// [`LevelError`].
pub fn read<G: Played>(word: &str) -> Result<u32, LevelError> {
    let word = word.to_ascii_lowercase();
    let number = |digits: &str, most| digits.parse().ok().filter(|number| (1..=most).contains(number));
    let rank = || match (word.strip_suffix('k'), word.strip_suffix('d')) {
        (Some(kyu), _) => number(kyu, KYU).map(|kyu| KYU + 1 - kyu),
        (_, Some(dan)) => number(dan, DAN).map(|dan| KYU + dan),
        _ => None,
    };
    let level = if word == FULL || word == "0" { Some(0) } else { number(&word, count::<G>()) };
    level.or_else(|| rank().filter(|_| G::RANKS)).ok_or_else(|| error::<G>(&word))
}

/// Name of a level: a rank in Go.
pub fn show<G: Played>(level: u32) -> String {
    match level {
        0 => FULL.to_owned(),
        _ if !G::RANKS => level.to_string(),
        1..=KYU => format!("{}k", KYU + 1 - level),
        _ => format!("{}d", level - KYU),
    }
}

/// Names of all levels, the lowest first.
pub(crate) fn names<G: Played>() -> Vec<String> {
    (1..=count::<G>()).map(show::<G>).collect()
}

impl Kind {
    /// As [`read`], of the game.
    ///
    /// # Errors
    /// [`LevelError`].
    pub fn level(self, word: &str) -> Result<u32, LevelError> {
        struct Read<'a>(&'a str);
        impl Visitor for Read<'_> {
            type Output = Result<u32, LevelError>;

            fn visit<G: Played>(self) -> Self::Output {
                read::<G>(self.0)
            }
        }
        self.visit(Read(word))
    }

    /// The name of a level from any of its names.
    ///
    /// # Errors
    /// [`LevelError`].
    pub(crate) fn level_name(self, word: &str) -> Result<String, LevelError> {
        struct Show(u32);
        impl Visitor for Show {
            type Output = String;

            fn visit<G: Played>(self) -> Self::Output {
                show::<G>(self.0)
            }
        }
        Ok(self.visit(Show(self.level(word)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{go, hex};

    #[test]
    fn every_level_has_a_name_that_reads_back() {
        for level in 0..=39 {
            assert_eq!(read::<go::Position>(&show::<go::Position>(level)), Ok(level));
            assert_eq!(read::<go::Position>(&level.to_string()), Ok(level));
        }
        for level in 0..=20 {
            assert_eq!(read::<hex::Position>(&show::<hex::Position>(level)), Ok(level));
        }
        assert_eq!((Kind::Go.level("30K"), Kind::Go.level("9d"), Kind::Hex.level("20")), (Ok(1), Ok(39), Ok(20)));
        assert_eq!(
            (Kind::Go.level_name("5K"), Kind::Hex.level_name("0")),
            (Ok("5k".to_owned()), Ok("full".to_owned()))
        );
        assert_eq!((names::<go::Position>().len(), names::<hex::Position>().len()), (39, 20));
    }

    #[test]
    fn levels_that_are_none() {
        for word in ["", "40", "31k", "0k", "10d", "k", "-1", "1.5", "strong"] {
            assert!(Kind::Go.level(word).is_err(), "{word}");
        }
        let error = Kind::Hex.level("5k").unwrap_err().to_string();
        assert_eq!(error, "'5k' is no level of Hex: expected 1 to 20, or full");
        let error = go::Position::recipe().set(&mut Default::default(), "level", "40").unwrap_err().to_string();
        assert!(error.contains("level"), "{error}");
        assert!(hex::Position::recipe().set(&mut Default::default(), "level", "21").is_err());
    }
}
