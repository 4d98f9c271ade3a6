//! A position of any game together with the moves that led to it.

use std::any::Any;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};

use thiserror::Error;

use crate::game::{Game, Outcome, Side};
use crate::games::{Grid, Size};
use crate::players::{BoardError, Kind, Played, Setup, Visitor};
use crate::protocol::record::{self, Reader, kind_of};
use crate::protocol::{board, notation, sgf};
use crate::session::history::History;

/// Why there is no such state, or no such action.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StateError {
    /// The game is not played on that board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The game has no swap.
    #[error("{0} has no swap")]
    NoSwap(Kind),
    /// The action is none of the game's on this board.
    #[error("action {action} is none of the {count} actions of this board")]
    NoAction {
        /// Its number.
        action: usize,
        /// Number of actions.
        count: usize,
    },
    /// The action would leave the board, so it is never legal.
    #[error("action {0} leaves the board")]
    OffBoard(usize),
    /// The move is not legal.
    #[error("illegal move {name}: {why}")]
    Illegal {
        /// Its text.
        name: String,
        /// The rule that forbids it.
        why: String,
    },
    /// No move has that text.
    #[error("'{0}' is no move of this game")]
    NoMove(String),
    /// The record cannot be read.
    #[error("the record cannot be read: {0}")]
    Record(String),
}

/// Start of a new game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Begin {
    /// Board, rules and komi.
    pub setup: Setup,
    /// Whether the second player may exchange sides, in games that have it.
    pub swap: bool,
}

/// A position of any game together with the moves that led to it. It is asked and played by what [`GameState`] has.
#[derive(Debug)]
pub struct AnyState(Box<dyn GameState>);

/// Questions and moves that a position of any game takes.
pub trait GameState: Any + Debug + Send + Sync {
    /// The game.
    fn kind(&self) -> Kind;

    /// A copy of it.
    fn copied(&self) -> Box<dyn GameState>;

    /// Number of players.
    fn players(&self) -> usize;

    /// The board.
    fn size(&self) -> Size;

    /// The side to move; at the end the one whose turn it would be.
    fn to_move(&self) -> Side;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of board and side to move ([`Game::key`]).
    fn key(&self) -> u64;

    /// Number of actions of this board.
    fn action_count(&self) -> usize;

    /// All legal actions, ascending; none at the end.
    fn legal_actions(&self) -> Vec<usize>;

    /// The actions so far.
    fn actions(&self) -> Vec<usize>;

    /// Plays an action.
    ///
    /// # Errors
    /// [`StateError::NoAction`], [`StateError::OffBoard`], [`StateError::Illegal`], and nothing is changed.
    fn play(&mut self, action: usize) -> Result<(), StateError>;

    /// Takes actions back; `false`, and nothing changes, if there are not so many.
    fn undo(&mut self, count: usize) -> bool;

    /// Text of an action as the engine's protocols write it, such as `D4`, `A2-A3` or `pass`.
    ///
    /// # Errors
    /// [`StateError::NoAction`], [`StateError::OffBoard`].
    fn name(&self, action: usize) -> Result<String, StateError>;

    /// The action of that text; it need not be legal.
    ///
    /// # Errors
    /// [`StateError::NoMove`].
    fn named(&self, name: &str) -> Result<usize, StateError>;

    /// Pieces of each point, row by row from the top left: positive numbers are those of `First`, negative ones of `Second`.
    fn stones(&self) -> Vec<i8>;

    /// The board as text for people.
    fn drawn(&self) -> String;

    /// The game as SGF.
    fn sgf(&self) -> String;

    /// Number of planes, rows and columns of what models see.
    fn shape(&self) -> [usize; 3];

    /// Number of symmetries of the board.
    fn symmetries(&self) -> usize;

    /// Appends the planes that models see, after that symmetry, one of [`GameState::symmetries`].
    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>);
}

impl AnyState {
    /// The start of a game.
    ///
    /// # Errors
    /// [`StateError::Board`], [`StateError::NoSwap`].
    pub fn new(kind: Kind, begin: &Begin) -> Result<Self, StateError> {
        struct Start<'a>(&'a Begin);
        impl Visitor for Start<'_> {
            type Output = Result<AnyState, StateError>;

            fn visit<G: Played>(self) -> Self::Output {
                let mut start = G::new_game(&self.0.setup)?;
                if self.0.swap {
                    if !G::SWAPS {
                        return Err(StateError::NoSwap(G::KIND));
                    }
                    start.allow_swap();
                }
                Ok(AnyState(Box::new(History::new(start))))
            }
        }
        kind.visit(Start(begin))
    }

    /// The end of the main line of a record in SGF. Illegal moves are executed as they were drawn, and the board after them is the start.
    ///
    /// # Errors
    /// [`StateError::Record`].
    pub fn from_sgf(text: &str) -> Result<Self, StateError> {
        struct Read(Vec<sgf::SgfNode>);
        impl Visitor for Read {
            type Output = Result<AnyState, String>;

            fn visit<G: Played>(self) -> Self::Output {
                let start = G::first_game(&Setup::default());
                let reader = Reader { kind: G::KIND, usual: G::USUAL, current: &start };
                let record = reader.read(&self.0, None)?;
                let mut history = History::new(record.start);
                record.moves.into_iter().for_each(|(side, mv)| history.play(side, mv));
                if let Some(turn) = record.turn {
                    history.give_turn(turn);
                }
                Ok(AnyState(Box::new(history)))
            }
        }
        let nodes = sgf::main_line(text).map_err(|why| StateError::Record(why.to_string()))?;
        let kind = nodes.first().and_then(kind_of);
        let kind = kind.ok_or_else(|| StateError::Record("it is of no game of this engine".to_owned()))?;
        kind.visit(Read(nodes)).map_err(StateError::Record)
    }

    /// The history, by a caller who knows the game.
    pub(super) fn history<G: Game>(&self) -> Option<&History<G>> {
        let state: &dyn Any = &*self.0;
        state.downcast_ref()
    }
}

impl Deref for AnyState {
    type Target = dyn GameState;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for AnyState {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        Self(self.0.copied())
    }
}

impl<G: Played> GameState for History<G> {
    fn kind(&self) -> Kind {
        G::KIND
    }

    fn copied(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn players(&self) -> usize {
        G::PLAYERS as usize
    }

    fn size(&self) -> Size {
        self.position().size()
    }

    fn to_move(&self) -> Side {
        self.position().to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().outcome()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn action_count(&self) -> usize {
        self.position().move_count()
    }

    fn legal_actions(&self) -> Vec<usize> {
        let mut moves = Vec::new();
        self.position().legal_moves(&mut moves);
        moves.into_iter().map(|mv| self.position().index(mv)).collect()
    }

    fn actions(&self) -> Vec<usize> {
        self.moves().iter().map(|&(_, mv)| self.position().index(mv)).collect()
    }

    fn play(&mut self, action: usize) -> Result<(), StateError> {
        let mv = known(self.position(), action)?;
        match self.position().objection(mv) {
            None => {
                self.play(self.position().to_move(), mv);
                Ok(())
            }
            Some(why) => Err(StateError::Illegal { name: GameState::name(self, action)?, why }),
        }
    }

    fn undo(&mut self, count: usize) -> bool {
        self.undo(count)
    }

    fn name(&self, action: usize) -> Result<String, StateError> {
        let (mv, size) = (known(self.position(), action)?, self.position().size());
        G::unspell(size, &G::spell(size, mv)).ok_or(StateError::OffBoard(action))?;
        Ok(notation(G::KIND).show_move::<G>(size, mv))
    }

    fn named(&self, name: &str) -> Result<usize, StateError> {
        let mv = notation(G::KIND).read_move::<G>(self.position().size(), name);
        mv.map(|mv| self.position().index(mv)).ok_or_else(|| StateError::NoMove(name.to_owned()))
    }

    fn stones(&self) -> Vec<i8> {
        let stones = |point| {
            let height = self.position().height(point) as i8;
            self.position().owner(point).map_or(0, |side| if side == Side::First { height } else { -height })
        };
        (0..self.position().points()).map(stones).collect()
    }

    fn drawn(&self) -> String {
        let position = self.position();
        let (size, owner) = (position.size(), |point| position.owner(point));
        let last = self.moves().last().and_then(|&(_, mv)| match *G::spell(size, mv).points() {
            [point] => Some(point),
            _ => None,
        });
        let text = match G::GRID {
            Grid::Lines => board::go(size, &owner, last, &[]),
            Grid::Hexagons => board::hex(notation(G::KIND), size, &owner, last, &[]),
            Grid::Cells => board::cells(position, ""),
        };
        text.trim_matches('\n').to_owned()
    }

    fn sgf(&self) -> String {
        record::write(G::KIND, self, env!("CARGO_PKG_VERSION"))
    }

    fn shape(&self) -> [usize; 3] {
        self.position().shape()
    }

    fn symmetries(&self) -> usize {
        self.position().symmetries()
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        self.position().write_planes(symmetry, planes);
    }
}

/// The move of that number.
fn known<G: Game>(position: &G, action: usize) -> Result<G::Move, StateError> {
    let count = position.move_count();
    if action < count { Ok(position.move_at(action)) } else { Err(StateError::NoAction { action, count }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn start(kind: Kind) -> AnyState {
        AnyState::new(kind, &Begin::default()).unwrap()
    }

    #[test]
    fn legal_actions_are_those_that_can_be_played() {
        let mut rng = Rng::stream(1, 0);
        for &kind in Kind::ALL {
            let mut state = start(kind);
            for ply in 0..12 {
                let legal = state.legal_actions();
                if legal.is_empty() {
                    break;
                }
                // Amazons has 86 980 actions; the others all of them.
                let step = if state.action_count() > 5_000 { 97 } else { 1 };
                for action in (ply..state.action_count()).step_by(step).chain(legal.iter().copied()) {
                    let mut child = state.clone();
                    let played = child.play(action);
                    assert_eq!(played.is_ok(), legal.contains(&action), "{kind} {action}: {played:?}");
                    if played.is_ok() {
                        assert_eq!(state.named(&state.name(action).unwrap()), Ok(action), "{kind}");
                        assert!(child.undo(1) && child.key() == state.key(), "{kind}");
                    } else {
                        assert_eq!(child.actions(), state.actions());
                    }
                }
                state.play(legal[rng.below(legal.len() as u32) as usize]).unwrap();
            }
            let plies = state.actions().len();
            assert!(!state.undo(13) && state.undo(plies));
            assert_eq!(state.key(), start(kind).key(), "{kind}");
        }
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let mut rng = Rng::stream(2, 0);
        for &kind in Kind::ALL {
            let mut state = start(kind);
            for _ in 0..20 {
                let legal = state.legal_actions();
                if legal.is_empty() {
                    break;
                }
                state.play(legal[rng.below(legal.len() as u32) as usize]).unwrap();
            }
            let read = AnyState::from_sgf(&state.sgf()).unwrap();
            assert_eq!((read.kind(), read.key(), read.actions()), (kind, state.key(), state.actions()));
            assert_eq!(read.drawn(), state.drawn());
        }
        assert!(matches!(AnyState::from_sgf("nothing"), Err(StateError::Record(_))));
        // A pass at the end changes who moves, and not who began.
        let mut passed = AnyState::from_sgf("(;GM[11]SZ[3];B[a1];W[b2];B[pass])").unwrap();
        assert_eq!(passed.to_move(), Side::Second);
        assert!(passed.undo(2) && passed.to_move() == Side::First);
    }

    #[test]
    fn games_refuse_what_they_have_not() {
        let begin = Begin { swap: true, ..Begin::default() };
        assert_eq!(AnyState::new(Kind::Go, &begin).unwrap_err(), StateError::NoSwap(Kind::Go));
        let begin = Begin { setup: Setup { size: Some(Size::square(99)), ..Setup::default() }, swap: false };
        assert!(matches!(AnyState::new(Kind::Hex, &begin), Err(StateError::Board(_))));
        let state = start(Kind::Hex);
        assert!(matches!(state.clone().play(1_000_000), Err(StateError::NoAction { .. })));
        assert_eq!(state.named("z9"), Err(StateError::NoMove("z9".into())));
    }
}
