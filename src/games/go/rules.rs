//! Rule sets as data, by the names that KGS and KataGo use. Knows no board.

use std::fmt;

use thiserror::Error;

/// Which repetitions are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// Taking back a single stone at once.
    Simple,
    /// Any earlier arrangement of stones.
    Positional,
    /// Any earlier arrangement of stones with the same side to move.
    Situational,
}

/// Way of counting at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones and the empty points they surround.
    Area,
    /// Empty points surrounded, and prisoners.
    Territory,
}

/// Which surrounded points are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tax {
    /// All are counted.
    None,
    /// Points in seki are not.
    Seki,
    /// Points in seki are not, and each living group pays two points ("stone scoring").
    All,
}

/// Points that White gets for Black's handicap stones, besides komi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandicapBonus {
    /// Nothing.
    Zero,
    /// One point for each stone but the first (AGA).
    NMinusOne,
    /// One point for each stone (Chinese).
    N,
}

/// A rule set. The fields are those of `kata-get-rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Repetition.
    pub ko: Ko,
    /// Counting.
    pub scoring: Scoring,
    /// Exceptions to counting.
    pub tax: Tax,
    /// Whether a move may remove its own chain of two or more stones.
    pub suicide: bool,
    /// Compensation for handicap.
    pub handicap_bonus: HandicapBonus,
    /// Whether a player may pass and have the opponent agree on dead stones.
    pub friendly_pass: bool,
}

/// There is no rule set of that name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("unknown rules '{0}'; known are {names}", names = Rules::NAMES.join(", "))]
pub struct UnknownRules(pub String);

/// A value is none that the field of the rule set can have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("expected one of {expected}, found '{found}'")]
pub struct BadRule {
    /// The values that are known.
    pub expected: &'static str,
    /// The text that was given.
    pub found: String,
}

macro_rules! named {
    ($type:ident: $($variant:ident = $text:literal),*) => {
        impl $type {
            /// The value with that name, as in the rules of KataGo, in any case.
            ///
            /// # Errors
            /// [`BadRule`] lists the names.
            pub fn by_name(name: &str) -> Result<Self, BadRule> {
                match name.to_ascii_uppercase().as_str() {
                    $($text => Ok(Self::$variant),)*
                    _ => Err(BadRule { expected: concat!($($text, " "),*), found: name.to_owned() }),
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$variant => $text,)*
                })
            }
        }
    };
}

named!(Ko: Simple = "SIMPLE", Positional = "POSITIONAL", Situational = "SITUATIONAL");
named!(Scoring: Area = "AREA", Territory = "TERRITORY");
named!(Tax: None = "NONE", Seki = "SEKI", All = "ALL");
named!(HandicapBonus: Zero = "0", NMinusOne = "N-1", N = "N");

impl Rules {
    /// Tromp and Taylor's "logical rules": everything on the board counts as alive.
    pub const TROMP_TAYLOR: Self = Self {
        ko: Ko::Positional,
        scoring: Scoring::Area,
        tax: Tax::None,
        suicide: true,
        handicap_bonus: HandicapBonus::Zero,
        friendly_pass: false,
    };
    /// Chinese rules as they are played: simple ko.
    pub const CHINESE: Self = Self {
        ko: Ko::Simple,
        suicide: false,
        handicap_bonus: HandicapBonus::N,
        friendly_pass: true,
        ..Self::TROMP_TAYLOR
    };
    /// Japanese and Korean rules.
    pub const JAPANESE: Self = Self {
        scoring: Scoring::Territory,
        tax: Tax::Seki,
        handicap_bonus: HandicapBonus::Zero,
        friendly_pass: false,
        ..Self::CHINESE
    };
    /// Ing's rules, with superko in the place of his own rule of ko, as KataGo has them.
    pub const ING: Self = Self { friendly_pass: true, ..Self::TROMP_TAYLOR };
    /// As [`Rules::TROMP_TAYLOR`], but nobody may take own stones off: so the CGOS server has it.
    pub const CGOS: Self = Self { suicide: false, ..Self::TROMP_TAYLOR };
    /// American rules.
    pub const AGA: Self = Self { ko: Ko::Situational, handicap_bonus: HandicapBonus::NMinusOne, ..Self::CHINESE };
    /// New Zealand rules.
    pub const NEW_ZEALAND: Self =
        Self { ko: Ko::Situational, suicide: true, handicap_bonus: HandicapBonus::Zero, ..Self::CHINESE };
    /// Ancient Chinese counting of stones alone.
    pub const STONE_SCORING: Self = Self { tax: Tax::All, handicap_bonus: HandicapBonus::Zero, ..Self::CHINESE };

    /// All names that [`Rules::by_name`] knows, but for other spellings of them.
    pub const NAMES: [&'static str; 12] = [
        "tromp-taylor",
        "chinese",
        "chinese-ogs",
        "chinese-kgs",
        "japanese",
        "korean",
        "stone-scoring",
        "aga",
        "bga",
        "new-zealand",
        "cgos",
        "goe",
    ];

    /// The rule set of that name, in any case, with spaces, `_`, `-` or nothing between its words; also by the short names of SGF and
    /// of other programs, and as [`Rules::spelled_out`].
    ///
    /// # Errors
    /// [`UnknownRules`] lists the names.
    pub fn by_name(name: &str) -> Result<Self, UnknownRules> {
        let letters: String = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).collect();
        Ok(match letters.to_ascii_lowercase().as_str() {
            "tromptaylor" => Self::TROMP_TAYLOR,
            "chinese" => Self::CHINESE,
            "chineseogs" | "chinesekgs" => Self { ko: Ko::Positional, ..Self::CHINESE },
            "japanese" | "korean" => Self::JAPANESE,
            "stonescoring" | "ancientarea" => Self::STONE_SCORING,
            "aga" | "bga" | "french" => Self::AGA,
            "newzealand" | "nz" => Self::NEW_ZEALAND,
            "cgos" => Self::CGOS,
            "goe" | "ing" => Self::ING,
            _ => return Self::of_fields(name.trim()).ok_or_else(|| UnknownRules(name.to_owned())),
        })
    }

    /// The fields one after the other, as KataGo writes them in records: `koSIMPLEscoreAREAtaxNONEsui0whbN`.
    pub fn spelled_out(&self) -> String {
        let Self { ko, scoring, tax, suicide, handicap_bonus, friendly_pass } = self;
        let bonus = match handicap_bonus {
            HandicapBonus::Zero => String::new(),
            other => format!("whb{other}"),
        };
        let passes = if *friendly_pass { "fpok1" } else { "" };
        format!("ko{ko}score{scoring}tax{tax}sui{}{bonus}{passes}", u8::from(*suicide))
    }

    /// Rules of such fields. Those that are not named are as Tromp and Taylor have them; the tax is the usual one of the scoring.
    fn of_fields(mut text: &str) -> Option<Self> {
        let (mut rules, mut tax) = (Self::TROMP_TAYLOR, None);
        let flag = |value: &str| ["0", "1"].iter().position(|word| *word == value).map(|place| place == 1);
        if text.is_empty() {
            return None;
        }
        while !text.is_empty() {
            let (key, rest) = text.split_at(text.find(|c: char| !c.is_ascii_lowercase())?);
            let (value, behind) = rest.split_at(rest.find(|c: char| c.is_ascii_lowercase()).unwrap_or(rest.len()));
            match key {
                "ko" => rules.ko = Ko::by_name(value).ok()?,
                "score" => rules.scoring = Scoring::by_name(value).ok()?,
                "tax" => tax = Some(Tax::by_name(value).ok()?),
                "sui" => rules.suicide = flag(value)?,
                "whb" => rules.handicap_bonus = HandicapBonus::by_name(value).ok()?,
                "fpok" => rules.friendly_pass = flag(value)?,
                // There is no button here.
                "button" if value == "0" => {}
                _ => return None,
            }
            text = behind;
        }
        rules.tax = tax.unwrap_or(if rules.scoring == Scoring::Territory { Tax::Seki } else { Tax::None });
        Some(rules)
    }

    /// The first of [`Rules::NAMES`] that means this rule set, if there is one.
    pub fn name(&self) -> Option<&'static str> {
        Self::NAMES.into_iter().find(|name| Self::by_name(name).as_ref() == Ok(self))
    }

    /// Komi of an even game where none is named, in points.
    pub fn usual_komi(&self) -> f32 {
        match self.scoring {
            Scoring::Area => 7.5,
            Scoring::Territory => 6.5,
        }
    }

    /// The rule set that the KGS server means by that name, which plays Chinese rules with superko.
    ///
    /// # Errors
    /// As [`Rules::by_name`].
    pub fn of_kgs(name: &str) -> Result<Self, UnknownRules> {
        let rules = Self::by_name(name)?;
        if rules == Self::CHINESE { Self::by_name("chinese-kgs") } else { Ok(rules) }
    }

    /// Whether dead stones are taken off before the count, as the players agree on them. Counting territory needs it.
    pub fn agrees_on_dead(&self) -> bool {
        self.friendly_pass || self.scoring == Scoring::Territory
    }

    /// Points that White gets for `stones` handicap stones.
    pub fn handicap_compensation(&self, stones: usize) -> f32 {
        let points = match self.handicap_bonus {
            HandicapBonus::Zero => 0,
            HandicapBonus::NMinusOne => stones.saturating_sub(1),
            HandicapBonus::N => stones,
        };
        points as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known_in_all_spellings() {
        for name in Rules::NAMES {
            for other in ["_", " ", ""] {
                assert_eq!(Rules::by_name(name), Rules::by_name(&name.replace('-', other).to_uppercase()));
            }
        }
        for (short, name) in
            [("NZ", "new-zealand"), ("ancient area", "stone-scoring"), ("French", "aga"), ("Ing", "goe")]
        {
            assert_eq!(Rules::by_name(short), Rules::by_name(name));
        }
        assert_eq!(Rules::by_name("chess"), Err(UnknownRules("chess".into())));
    }

    #[test]
    fn rules_without_a_name_are_spelled_out() {
        for rules in Rules::NAMES.map(|name| Rules::by_name(name).unwrap()) {
            for suicide in [false, true] {
                let rules = Rules { suicide, ..rules };
                assert_eq!(Rules::by_name(&rules.spelled_out()), Ok(rules));
            }
        }
        let japanese = Rules { tax: Tax::Seki, ..Rules::JAPANESE };
        assert_eq!(Rules::by_name("koSIMPLEscoreTERRITORYtaxSEKIsui0"), Ok(japanese));
        assert_eq!(Rules::by_name(" koSIMPLEscoreTERRITORYsui0button0 "), Ok(japanese));
        assert_eq!(
            Rules::by_name("koPOSITIONALscoreAREAtaxNONEsui1whbN-1fpok1").unwrap().handicap_bonus,
            HandicapBonus::NMinusOne
        );
        for wrong in ["", "ko", "koMAGIC", "koSIMPLEbutton1", "koSIMPLEsui2", "SIMPLE", "koSIMPLE score", "komi7.5"] {
            assert!(Rules::by_name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn compensation_follows_the_rule_set() {
        assert_eq!(Rules::CHINESE.handicap_compensation(4), 4.0);
        assert_eq!(Rules::AGA.handicap_compensation(4), 3.0);
        assert_eq!(Rules::AGA.handicap_compensation(0), 0.0);
        assert_eq!(Rules::JAPANESE.handicap_compensation(4), 0.0);
    }

    #[test]
    fn values_read_back_what_they_print() {
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            assert_eq!(Ko::by_name(&ko.to_string().to_lowercase()), Ok(ko));
        }
        assert!(Ko::by_name("MAGIC").unwrap_err().to_string().contains("SITUATIONAL"));
    }
}
