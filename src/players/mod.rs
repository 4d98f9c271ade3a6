//! How each game is played: the one list of games, and for each of them its usual board, openings and recipe.
//!
//! A new game is its rules under `games/`, one file here, and one line of the list below.

mod amazons;
mod avalam;
mod breakthrough;
mod clobber;
pub(crate) mod go;
mod gomoku;
pub(crate) mod hex;
mod length;
pub mod levels;
mod loa;
pub mod models;
mod openings;
mod othello;
mod people;
mod presets;
mod recipe;
mod santorini;
mod setting;
mod setup;
mod solitaire;
mod surakarta;

use std::fmt;

pub use length::MovesLeft;
pub use models::{LoadError, Models};
pub use people::{Imitation, Imitator};
pub use presets::{PRESETS, Preset, PresetError};
pub use recipe::{Recipe, Resources};
pub use setting::SettingError;
pub use setup::{BoardError, Setup};

pub use crate::games::go::Rules as GoRules;

use crate::game::{MonteCarlo, Planes};
use crate::games::{self, Boards, Size, Spelled};
use crate::rng::Rng;

/// A game as sessions, matches, self-play and measurements see it.
pub trait Played: Spelled + MonteCarlo + Planes {
    /// Its entry in the list of games.
    const KIND: Kind;
    /// Board of a new game.
    const USUAL: Size;
    /// Board that speed and strength are measured on where none is asked for.
    const MEASURED: Size = Self::USUAL;
    /// Searches of `losange bench` without a model: lines of the square board, and iterations. The first one also measures threads.
    const BENCH: &'static [(usize, u64)];
    /// Searches of `losange bench` with the model that is compiled in; none where there is no such model.
    const BENCH_WITH_MODEL: &'static [(usize, u64)] = &[];
    /// Random moves at the start of a game of a match.
    const RANDOM_MOVES: usize;
    /// Whether a game can end without a winner.
    const DRAWS: bool = false;
    /// Whether a match may end a game as won once both players are sure of the winner.
    const ADJUDICATED: bool = false;

    /// Whether the second move may exchange sides, where that is agreed on.
    const SWAPS: bool = false;

    /// Agrees on a swap, in games that have one.
    fn allow_swap(&mut self) {}

    /// Whether levels of weaker play are called by ranks, from 30k to 9d.
    const RANKS: bool = false;

    /// Options of play that other games do not have.
    const OWN_OPTIONS: &'static [&'static str] = &[];

    /// The start on one of [`Spelled::BOARDS`] as `setup` says.
    fn start_on(size: Size, _setup: &Setup) -> Self {
        Self::on(size)
    }

    /// Moves that the side to move may still have to make.
    fn moves_left(&self) -> MovesLeft;

    /// Searches, evaluators and solver of the game.
    fn recipe() -> Recipe<Self>;

    /// The position from which play goes on although the game is over: where players would have to agree on the end. Another one
    /// stays as it is.
    #[must_use]
    fn resumed(self) -> Self {
        self
    }

    /// A position that a game of self-play begins with, on a board of that size, not over.
    fn opening(size: Size, rng: &mut Rng) -> Self {
        openings::random(&Self::on(size), rng.below(5) as usize, rng)
    }

    /// A start of a match: after [`Played::RANDOM_MOVES`] random moves, where the game is not over then.
    fn match_opening(start: &Self, rng: &mut Rng) -> Self {
        openings::random(start, Self::RANDOM_MOVES, rng)
    }

    /// A new game as `setup` says, on the usual board where it names none.
    ///
    /// # Errors
    /// [`BoardError`]: the game is not played on that board.
    fn new_game(setup: &Setup) -> Result<Self, BoardError> {
        let size = setup.size.unwrap_or(Self::USUAL);
        if !Self::BOARDS.contains(size) {
            return Err(BoardError { kind: Self::KIND, boards: Self::BOARDS });
        }
        Ok(Self::start_on(size, setup))
    }

    /// A new game as `setup` says, on the usual board where the game is not played on its board.
    fn first_game(setup: &Setup) -> Self {
        Self::start_on(setup.size.filter(|&size| Self::BOARDS.contains(size)).unwrap_or(Self::USUAL), setup)
    }

    /// The start on a square board with `lines` lines, or on the nearest board that the game is played on.
    fn square(lines: usize) -> Self {
        Self::on(Size::square(Self::BOARDS.nearest(lines)))
    }
}

/// Work that is done for one game, whichever it is: see [`Kind::visit`].
pub trait Visitor {
    /// Result of the work.
    type Output;

    /// Does the work for that game.
    fn visit<G: Played>(self) -> Self::Output;
}

macro_rules! players {
    ($($(#[$doc:meta])* $kind:ident = $game:ty, $word:literal, $name:literal;)*) => {
        /// The games that this engine plays.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// All games.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Word of the game in commands.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$kind => $word,)*
                }
            }

            /// Name of the game for people.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// Lets `visitor` work for this game.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(Self::$kind => visitor.visit::<$game>(),)*
                }
            }

            /// The game whose models have that name in their metadata.
            pub fn of_models(name: &str) -> Option<Self> {
                $(if <$game as Planes>::NAME == name {
                    return Some(Self::$kind);
                })*
                None
            }
        }
    };
}

players! {
    /// Go.
    Go = games::go::Position, "go", "Go";
    /// Hex.
    Hex = games::hex::Position, "hex", "Hex";
    /// Clobber for two.
    Clobber = games::clobber::Position, "clobber", "Clobber";
    /// Clobber for one player.
    Solitaire = games::clobber::Solitaire, "solitaire", "Solitaire";
    /// Avalam.
    Avalam = games::avalam::Position, "avalam", "Avalam";
    /// Breakthrough.
    Breakthrough = games::breakthrough::Position, "breakthrough", "Breakthrough";
    /// Lines of Action.
    Loa = games::loa::Position, "loa", "Lines of Action";
    /// Amazons.
    Amazons = games::amazons::Position, "amazons", "Amazons";
    /// Santorini.
    Santorini = games::santorini::Position, "santorini", "Santorini";
    /// Othello.
    Othello = games::othello::Position, "othello", "Othello";
    /// Outer Open Gomoku.
    Gomoku = games::gomoku::Position, "gomoku", "Gomoku";
    /// Surakarta.
    Surakarta = games::surakarta::Position, "surakarta", "Surakarta";
}

impl Kind {
    /// The game of that word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.word() == word)
    }

    /// Words of all games, separated by commas.
    pub fn words() -> String {
        Self::ALL.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(", ")
    }

    /// Boards that the game is played on.
    pub fn boards(self) -> Boards {
        struct Ask;
        impl Visitor for Ask {
            type Output = Boards;

            fn visit<G: Played>(self) -> Boards {
                G::BOARDS
            }
        }
        self.visit(Ask)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
