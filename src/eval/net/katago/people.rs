//! Players whom a network imitates, and the 192 numbers that tell it of them.

use std::str::FromStr;

use thiserror::Error;

use super::net::Net;
use crate::game::Side;

/// Ranks that a network knows, 9d first.
const RANKS: [&str; 29] = [
    "9d", "8d", "7d", "6d", "5d", "4d", "3d", "2d", "1d", "1k", "2k", "3k", "4k", "5k", "6k", "7k", "8k", "9k", "10k",
    "11k", "12k", "13k", "14k", "15k", "16k", "17k", "18k", "19k", "20k",
];
/// Years of games of professionals, and the first of those that come from another collection.
const YEARS: std::ops::RangeInclusive<i64> = 1800..=2023;
const NEWER: i64 = 2021;

/// Places of what is known in the list of numbers.
const OWN_RANK: usize = 6;
const OTHER_RANK: usize = 40;
const RATED: usize = 74;
const CLOCK: usize = 75;
const TIMES: usize = 82;
const BOARD: usize = 86;
const DATE: usize = 87;
const SOURCE: usize = 151;
/// Numbers of a rank.
const RANK_LENGTH: usize = 34;
/// Waves of the date, in pairs, and their longest period as a multiple of the shortest one.
const WAVES: usize = 32;
const LONGEST: f64 = 80_000.0;
/// Clocks and collections by their numbers.
const UNKNOWN_CLOCK: usize = 0;
const BYO_YOMI: usize = 4;

/// Players that a network is to imitate, as KataGo names them: `rank_5k`, `rank_5k_3d` (Black's and White's), `preaz_5k` (as before 2017),
/// `proyear_1980`.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanProfile {
    name: String,
    /// Black's and White's rank, 1 for 9d.
    ranks: [usize; 2],
    /// Days from the beginning of 1970.
    day: i64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A game on a server, 20 minutes and five periods of 30 seconds.
    Server,
    Professional,
    NewerProfessional,
}

/// There is no such profile.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "unknown profile '{0}': expected rank_5k, rank_5k_3d, preaz_5k or proyear_1980, with ranks from 20k to 9d and years from 1800 to 2023"
)]
pub struct UnknownProfile(pub String);

impl FromStr for HumanProfile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        let unknown = || UnknownProfile(name.to_owned());
        let (era, which) = name.split_once('_').ok_or_else(unknown)?;
        let rank = |word: &str| RANKS.iter().position(|&rank| rank == word).map(|place| place + 1);
        let made = |ranks, day, kind| Self { name: name.to_owned(), ranks, day, kind };
        match era {
            "rank" | "preaz" => {
                let (black, white) = which.split_once('_').unwrap_or((which, which));
                let ranks = [rank(black).ok_or_else(unknown)?, rank(white).ok_or_else(unknown)?];
                let day = if era == "rank" { day_of(2020, 3, 1) } else { day_of(2016, 9, 1) };
                Ok(made(ranks, day, Kind::Server))
            }
            "proyear" => {
                let year = which.parse().ok().filter(|year| YEARS.contains(year)).ok_or_else(unknown)?;
                let kind = if year < NEWER { Kind::Professional } else { Kind::NewerProfessional };
                Ok(made([1, 1], day_of(year, 6, 1), kind))
            }
            _ => Err(unknown()),
        }
    }
}

impl HumanProfile {
    /// The profile of that name; none for an empty one, or one of the words that KataGo's clients write for it.
    ///
    /// # Errors
    /// [`UnknownProfile`].
    pub fn read(name: &str) -> Result<Option<Self>, UnknownProfile> {
        match name {
            "" | "_" | "\"\"" => Ok(None),
            name => name.parse().map(Some),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Numbers for a position with that side to move on a board of so many points.
    pub(in crate::eval::net) fn numbers(&self, to_move: Side, points: usize) -> [f32; Net::PLAYER_NUMBERS] {
        let mut numbers = [0.0; Net::PLAYER_NUMBERS];
        // Both are people.
        numbers[..2].fill(1.0);
        let own = self.ranks[to_move.index()];
        let other = self.ranks[to_move.opponent().index()];
        numbers[OWN_RANK..][..own.min(RANK_LENGTH)].fill(1.0);
        numbers[OTHER_RANK..][..other.min(RANK_LENGTH)].fill(1.0);
        let server = self.kind == Kind::Server;
        // Whether a game on a server was rated is not known.
        numbers[RATED] = if server { 0.5 } else { 0.0 };
        numbers[CLOCK + if server { BYO_YOMI } else { UNKNOWN_CLOCK }] = 1.0;
        let [main, period, periods] = if server { [1200.0, 30.0, 5.0] } else { [0.0; 3] };
        let times = [
            0.4 * (f64::ln(main + 60.0) - 6.5),
            0.3 * (f64::ln(period + 1.0) - 3.0),
            0.5 * (f64::ln(periods + 2.0) - 1.5),
            0.25 * (f64::ln(2.0) - 1.5),
        ];
        for (number, time) in numbers[TIMES..].iter_mut().zip(times) {
            *number = time as f32;
        }
        numbers[BOARD] = (0.5 * f64::ln(points as f64 / 361.0)) as f32;
        let factor = LONGEST.powf(1.0 / (WAVES - 1) as f64);
        let mut period = 7.0;
        for pair in numbers[DATE..SOURCE].chunks_exact_mut(2) {
            let angle = self.day as f64 / period * std::f64::consts::TAU;
            pair.copy_from_slice(&[angle.cos() as f32, angle.sin() as f32]);
            period *= factor;
        }
        numbers[SOURCE + self.kind.source()] = 1.0;
        numbers
    }
}

impl Kind {
    /// Number of the collection that such games come from: KGS, GoGoD, Go4Go.
    const fn source(self) -> usize {
        match self {
            Self::Server => 2,
            Self::Professional => 5,
            Self::NewerProfessional => 6,
        }
    }
}

/// Days of a date from the beginning of 1970, in the Gregorian calendar.
const fn day_of(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March end with the day that some of them have more.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    before + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted() {
        assert_eq!(
            [day_of(1970, 1, 1), day_of(1970, 3, 1), day_of(2000, 2, 29), day_of(2020, 3, 1)],
            [0, 59, 11_016, 18_322]
        );
        assert_eq!([day_of(1800, 6, 1), day_of(1969, 12, 31)], [-61_940, -1]);
    }

    #[test]
    fn profiles_have_names() {
        for good in ["rank_9d", "rank_20k", "preaz_1k", "rank_5k_3d", "proyear_1800", "proyear_2023"] {
            assert_eq!(good.parse::<HumanProfile>().unwrap().name(), good);
        }
        for none in ["", "_", "\"\""] {
            assert_eq!(HumanProfile::read(none), Ok(None));
        }
        for bad in
            ["", "rank_", "rank_21k", "rank_5k_", "rank_5k_3d_1d", "proyear_1799", "proyear_2024", "5k", "pro_5k"]
        {
            assert_eq!(bad.parse::<HumanProfile>(), Err(UnknownProfile(bad.to_owned())), "{bad}");
        }
    }

    #[test]
    fn both_sides_have_their_ranks() {
        let profile: HumanProfile = "rank_7d_20k".parse().unwrap();
        let count = |numbers: &[f32]| numbers.iter().filter(|&&number| number == 1.0).count();
        for (side, own, other) in [(Side::First, 3, 29), (Side::Second, 29, 3)] {
            let numbers = profile.numbers(side, 361);
            assert_eq!((count(&numbers[6..40]), count(&numbers[40..74])), (own, other));
            assert_eq!((numbers[74], numbers[79], numbers[86], numbers[153]), (0.5, 1.0, 0.0, 1.0));
            assert_eq!(numbers[167..], [0.0; 25]);
        }
        let professional = "proyear_1950".parse::<HumanProfile>().unwrap().numbers(Side::First, 81);
        assert_eq!((professional[74], professional[75], professional[156]), (0.0, 1.0, 1.0));
        assert!((professional[86] - -0.747_214).abs() < 1e-4);
    }
}
