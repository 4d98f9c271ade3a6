//! A game as every search sees it: sides, moves, playing, the end, a hash, playouts.
//!
//! Knows no particular game and no search. Searches are generic over [`Game`], so that the
//! compiler makes one copy per game and nothing is dispatched in a hot loop.

pub mod filling;
mod solvable;

use std::fmt::Debug;
use std::hash::Hash;

pub use self::solvable::{Insight, Recalled, Solvable, Zone};
use crate::rng::Rng;

/// One of the two players. `First` is Black in Go and in Hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The player who begins an ordinary game.
    First,
    /// The other one.
    Second,
}

/// Verdict of a game's knowledge on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Open,
    /// That side wins after it, within about so many plies.
    Decided(Side, u32),
    /// If any move wins, another one does that is not called needless.
    Needless,
}

impl Side {
    /// Both, in the order of their index.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other player.
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for `First`, -1 for `Second`: turns a value seen by `First` into one seen by `self`, and back.
    #[inline]
    pub const fn sign(self) -> f32 {
        match self {
            Self::First => 1.0,
            Self::Second => -1.0,
        }
    }
}

/// How a game ended. Winner, score and length are separate, so that a learner can choose what it values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The winner; `None` is a draw, or the end of a game for one player.
    pub winner: Option<Side>,
    /// Points by which `First` is ahead (komi included); 0 in games without points.
    pub score: f32,
    /// Value to `First`, in -1..=1: +1 won, -1 lost, 0 drawn; for one player, how well it went.
    pub value: f32,
}

impl Outcome {
    /// Nobody won, and nobody is ahead.
    pub const DRAW: Self = Self { winner: None, score: 0.0, value: 0.0 };

    /// The end of a game for two.
    #[inline]
    pub fn of(winner: Option<Side>, score: f32) -> Self {
        Self { winner, score, value: winner.map_or(0.0, Side::sign) }
    }

    /// The end of a game for one player, that went so well.
    #[inline]
    pub fn alone(value: f32, score: f32) -> Self {
        Self { winner: None, score, value }
    }
}

/// A structure that takes a part of a search's memory.
pub trait Bounded: Debug + Send + Sync + 'static {
    /// An empty one for a search with `mib` MiB in all.
    fn within(mib: usize) -> Self;

    /// How many of these it may come to take; the others are left to the search.
    fn mib(&self) -> usize;
}

/// Nothing.
impl Bounded for () {
    fn within(_: usize) {}

    fn mib(&self) -> usize {
        0
    }
}

/// A position of a game together with whatever of its past the rules need.
///
/// Implementations write `clone_from` by hand where they own buffers: a search copies the root
/// into a scratch position once per iteration.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A move; small and `Copy`.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Results of the game's knowledge in positions that a search asked about, kept so that others are answered sooner.
    type Findings: Bounded;

    /// Number of players: of one, `First` makes all moves, for as high a [`Outcome::value`] as possible.
    const PLAYERS: u32 = 2;

    /// The side that moves after `side`.
    #[inline]
    fn after(side: Side) -> Side {
        if Self::PLAYERS == 1 { side } else { side.opponent() }
    }

    /// The side to move.
    fn to_move(&self) -> Side;

    /// Gives the turn to `side` (controllers may play twice in a row). Keeps stones and history.
    fn set_to_move(&mut self, side: Side);

    /// Replaces the contents of `moves` by all legal moves, in ascending index order; empty if and only if the game is over.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Whether `mv` may be played now by the side to move.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Plays `mv`, which must be legal, and passes the turn.
    fn play(&mut self, mv: Self::Move);

    /// The result if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The side that certainly wins from here by knowledge of the game, whoever moves, and a bound on the plies until
    /// the end if both play for it. Never wrong; `None` where nothing cheap proves it. Used by searches that resolve.
    fn proven(&self) -> Option<(Side, u32)> {
        self.outcome().and_then(|outcome| outcome.winner).map(|winner| (winner, 0))
    }

    /// Replaces `decisive` by one entry for each of `moves`, all legal: `false` only for those after which the game is not over and
    /// [`Game::proven`] knows nothing, so that nobody need ask.
    fn decisive(&self, moves: &[Self::Move], decisive: &mut Vec<bool>) {
        decisive.clear();
        decisive.resize(moves.len(), true);
    }

    /// Replaces `verdicts` by one entry for each of `moves`, all legal, by knowledge of the game. Never wrong. It may
    /// take as long as valuing the position. Used by searches that resolve.
    fn solved(&self, _findings: &Self::Findings, moves: &[Self::Move], verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        verdicts.resize(moves.len(), Verdict::Open);
    }

    /// A 64-bit hash of stones and side to move, kept incrementally. Positions that a search may merge have equal keys.
    fn key(&self) -> u64;

    /// [`Game::key`] with what came before, as far as moves could lead back there: the keys of positions on different ways round differ.
    fn way_key(&self) -> u64 {
        self.key()
    }

    /// Whether the moves have led back to where they were, so that the game may go on without end and has no result then.
    fn is_round(&self) -> bool {
        false
    }

    /// Number of move indices of this board, the length of a policy.
    fn move_count(&self) -> usize;

    /// Index of `mv`, in `0..move_count()`.
    fn index(&self, mv: Self::Move) -> usize;

    /// The move with that index (inverse of [`Game::index`]); it need not be legal.
    fn move_at(&self, index: usize) -> Self::Move;

    /// Number of board points, the length of an ownership map (row-major, top-left first).
    fn points(&self) -> usize;

    /// Number of moves played since the start, passes included.
    fn plies(&self) -> usize;
}

/// Result of one finished playout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutEnd {
    /// The result on the final board.
    pub outcome: Outcome,
    /// Number of moves of the playout itself.
    pub length: u32,
}

/// Plays games out to their end, quickly: one instance per thread, reused for ever.
///
/// The steps are separate so that a learned reply (BHRF, LGRF) can be tried before the game's own policy.
pub trait PlayoutPolicy<G: Game>: Send {
    /// Begins a playout from `position`, whose last moves may guide the first replies.
    fn start(&mut self, position: &G);

    /// The side to move in the playout.
    fn to_move(&self) -> Side;

    /// Chooses a move, plays it and returns it; `None` when the playout is over.
    fn step(&mut self, rng: &mut Rng) -> Option<G::Move>;

    /// Whether `mv` is a legal and sensible move now.
    fn suits(&self, mv: G::Move) -> bool;

    /// Plays `mv`, which must suit, instead of the policy's choice.
    fn play(&mut self, mv: G::Move);

    /// The result, once [`PlayoutPolicy::step`] returned `None`.
    fn end(&self) -> PlayoutEnd;

    /// Adds to `owners` (length [`Game::points`]) +1 for each point owned by `First` at the end, -1 for `Second`.
    fn add_ownership(&self, owners: &mut [f32]);

    /// How far [`PlayoutPolicy::step`] has come, once it returned `None`, with that intermediate goal of `First`, in 0..=1;
    /// `Second` has the rest. Games without goals ([`MonteCarlo::goals`]) are not asked.
    fn goal(&self, _goal: usize) -> f32 {
        0.5
    }

    /// Plays out from `position`, appending the moves to `trace` (cleared first).
    #[inline]
    fn run(&mut self, position: &G, rng: &mut Rng, trace: &mut Vec<G::Move>) -> PlayoutEnd {
        trace.clear();
        self.start(position);
        while let Some(mv) = self.step(rng) {
            trace.push(mv);
        }
        self.end()
    }
}

/// Knowledge of a move before any search: as if `weight` visits had returned `mean`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Prior {
    /// Equivalent number of visits, 0 for "knows nothing".
    pub weight: f32,
    /// Expected result for the side to move, in 0..=1.
    pub mean: f32,
    /// Prior probability among the moves of the position, where the game has learned that; 0 for all of them where not.
    pub policy: f32,
}

/// A game with everything Monte-Carlo tree search wants from it.
pub trait MonteCarlo: Game {
    /// Whether [`MonteCarlo::sensible_moves`] leaves out only moves that change no result, so that a search that has
    /// refuted all of the others has proved something.
    const SOLVES: bool;

    /// Weight of UCT's exploration term that the game wants beyond what the parameters say: some where moves have no
    /// priors.
    const EXPLORATION: f32 = 0.0;

    /// The playout policy.
    type Playout: PlayoutPolicy<Self>;

    /// A fresh policy for one thread that knows so much: from 1, which plays any sensible move, to the most that the
    /// game has, which every larger number means too.
    fn playout_policy(&self, knowledge: u32) -> Self::Playout;

    /// Fills `priors` (one per move of `moves`, in that order) with what knowledge says of them: nothing, if there is none.
    fn priors(&self, moves: &[Self::Move], priors: &mut Vec<Prior>) {
        priors.clear();
        priors.resize(moves.len(), Prior::default());
    }

    /// Whether a search should consider `mv` at all (fills no own eye, ...).
    fn is_sensible(&self, _mv: Self::Move) -> bool {
        true
    }

    /// The point of the board on which `mv` puts a stone, if it does nothing else.
    fn point_of(&self, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// Hash of the last moves and of the board around the last one, for searches that learn how far evaluations go wrong where
    /// positions look alike. `None` where the last move was on no point.
    fn local_shape(&self) -> Option<u64> {
        None
    }

    /// Visits that the mean result of a move elsewhere counts as where it is met anew, if the parameters leave that to the game.
    fn history(&self) -> f32 {
        0.0
    }

    /// Whether playouts answer by a background history reply forest, if the parameters leave that to the game.
    fn learns_replies(&self) -> bool {
        false
    }

    /// Steps along the lines of the board from one move to another, by their indices, where that means anything.
    fn steps(&self, _from: usize, _to: usize) -> Option<usize> {
        None
    }

    /// Whether the game ends where players agree on what is dead, which its [`Game::outcome`] knows nothing of: then a model
    /// knows more of what the end is worth.
    fn ends_by_agreement(&self) -> bool {
        false
    }

    /// Corrects the `policy` of a model for `moves` where the game reads what models overlook.
    fn correct_policy(&self, _moves: &[Self::Move], _policy: &mut [f32]) {}

    /// Number of intermediate goals that a search may pursue for a while, such as to own a part of the board.
    fn goals(&self) -> usize {
        0
    }

    /// Whether a goal needs no more moves for a side that has come so far with it on average, in 0..=1.
    fn goal_met(&self, _goal: usize, _side: Side, _mean: f32) -> bool {
        true
    }

    /// Replaces `moves` by those that a search looks at, in ascending index order: the legal ones that make sense, or all
    /// of them if none does.
    fn sensible_moves(&self, moves: &mut Vec<Self::Move>) {
        self.legal_moves(moves);
        if moves.iter().any(|&mv| self.is_sensible(mv)) {
            moves.retain(|&mv| self.is_sensible(mv));
        }
    }
}

/// How well a game for one player can still end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promise {
    /// No way on has a [`Outcome::value`] above this.
    pub bound: f32,
    /// Orders positions of the same bound: the more, the better they look.
    pub hope: f32,
}

/// A game for one player with knowledge of what is lost already.
pub trait Solitary: Game {
    /// Bound on the result of a position, which need not be over.
    fn promise(&self) -> Promise;
}

/// A part of a position in a game that is lost by who cannot move: a move changes one part only, so that the position is the
/// sum of its parts (Conway 1976).
pub trait Part: Clone + Send + Sync {
    /// A name that all parts of the same play have and no other one, whatever their places, and that of the same with sides
    /// exchanged. Of 128 bits that look random.
    fn names(&self) -> [u128; 2];

    /// The most moves, of both sides, that can still be made in it one after the other.
    fn length(&self) -> usize;

    /// Number of moves that a side has in it.
    fn moves(&self, side: Side) -> u32;

    /// Appends, for each move of a side, the parts that it leaves.
    fn options(&self, side: Side, options: &mut PartOptions<Self>);
}

/// A game that is the sum of its parts.
pub trait Sum: Game {
    /// Parts that its positions fall into.
    type Part: Part;

    /// The parts of a position, those without moves left out.
    fn parts(&self) -> Vec<Self::Part>;
}

/// Parts that each of some moves leaves of a part.
#[derive(Clone, Debug)]
pub struct PartOptions<P> {
    parts: Vec<P>,
    ends: Vec<usize>,
}

impl<P> Default for PartOptions<P> {
    fn default() -> Self {
        Self { parts: Vec::new(), ends: Vec::new() }
    }
}

impl<P> PartOptions<P> {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.ends.clear();
    }

    /// Adds a move that leaves those parts.
    pub fn push(&mut self, left: impl IntoIterator<Item = P>) {
        self.parts.extend(left);
        self.ends.push(self.parts.len());
    }

    /// The parts that each move leaves.
    pub fn iter(&self) -> impl Iterator<Item = &[P]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(from, &to)| &self.parts[from..to])
    }
}

/// An encoding of positions for another program's networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Its name in model files.
    pub name: &'static str,
    /// Number of planes.
    pub planes: usize,
    /// Numbers of a policy behind those of the game's own moves, such as that of a pass in a game without passes.
    pub other_moves: usize,
}

/// A point of a board of so many rows and columns as a symmetry shows it: columns reversed (1), rows reversed (2), and on square boards
/// exchanged (4).
#[inline]
pub const fn seen([rows, columns]: [usize; 2], point: usize, symmetry: usize) -> usize {
    let (x, y) = (point % columns, point / columns);
    let x = if symmetry & 1 == 0 { x } else { columns - 1 - x };
    let y = if symmetry & 2 == 0 { y } else { rows - 1 - y };
    if symmetry & 4 == 0 { y * columns + x } else { x * columns + y }
}

/// A game whose positions can be shown to a neural network: as planes of numbers, seen by the side to move.
///
/// Everything is canonical: a symmetry of the game makes the side to move the same in each position, so that a network
/// never learns the same thing for two colours. What is left are the symmetries that a network need not know of:
/// numbers below [`Planes::symmetries`], of which 0 changes nothing.
pub trait Planes: Game {
    /// Name of the game in model files.
    const NAME: &'static str;
    /// Version of the encoding, such as `hex-1`. A model works with the one that it was trained with only.
    const ENCODING: &'static str;
    /// Encodings of other programs' networks in which this game can be shown too.
    const FOREIGN: &'static [Foreign] = &[];

    /// Rows and columns of the board, seen by the side to move: those of the encoding, unless it has a border.
    fn board(&self) -> [usize; 2] {
        let [_, rows, columns] = self.shape();
        [rows, columns]
    }

    /// Number of planes, rows and columns of the encoding, the same for every symmetry.
    fn shape(&self) -> [usize; 3];

    /// Number of symmetries of this board: all of [`seen`], unless the game knows directions.
    fn symmetries(&self) -> usize {
        let [rows, columns] = self.board();
        if rows == columns { 8 } else { 4 }
    }

    /// Appends the planes of the board after that symmetry, row by row.
    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>);

    /// Appends planes as [`Planes::write_planes`] does, in the encoding of that number in [`Planes::FOREIGN`], on [`Planes::board`].
    ///
    /// # Panics
    /// If there is no such encoding.
    fn write_foreign(&self, number: usize, _symmetry: usize, _planes: &mut Vec<f32>) {
        panic!("{} has no foreign encoding {number}", Self::NAME);
    }

    /// Number of action values that a model gives for this board.
    fn action_count(&self) -> usize {
        self.move_count()
    }

    /// Where a model that sees that symmetry has its value of a move; `None` for moves that models do not know.
    fn action_index(&self, mv: Self::Move, symmetry: usize) -> Option<usize>;

    /// Number of entries of a policy that a model gives for this board.
    fn policy_count(&self) -> usize {
        self.action_count()
    }

    /// Where a model that sees that symmetry has the logarithm of a move's prior: in one entry of a policy, or as the sum of two.
    fn policy_entries(&self, mv: Self::Move, symmetry: usize) -> Option<(usize, Option<usize>)> {
        Some((self.action_index(mv, symmetry)?, None))
    }

    /// Where a model that sees that symmetry has its number for a point.
    fn point_index(&self, point: usize, symmetry: usize) -> usize {
        seen(self.board(), point, symmetry)
    }

    /// Name in model files of what is counted at the end, in games that know several ways.
    fn scoring(&self) -> Option<&'static str> {
        None
    }

    /// This board as one of a game that is counted in that way, given so that the lead is the same: for models that have
    /// learned no other. `None` if the game does not know that way.
    fn counted_by(&self, _scoring: &str) -> Option<Self> {
        None
    }

    /// Whether the game may end without a result by its rules.
    fn may_be_void(&self) -> bool {
        false
    }

    /// Whether games end with points, so that one win can be larger than another.
    const SCORED: bool = false;

    /// Pieces of either side, `First`'s first, in games where more of them are better.
    fn pieces(&self) -> Option<[u16; 2]> {
        None
    }

    /// Owner of each point of a board that is played out: +1 = `First`, -1 = `Second`, 0 = nobody. Empty without owners.
    fn owners(&self) -> Vec<f32> {
        Vec::new()
    }
}

/// A game whose moves have features: what they look like, each with a weight that can be learned from what searches choose. The likelier
/// a move, the larger the sum of the weights of its features ([`softmax`]).
pub trait Featured: Planes + MonteCarlo {
    /// Features that are kept of a move: numbers of weights, 0 where a feature is missing.
    type Features: AsRef<[u32]> + Clone + Debug + PartialEq + Send;

    /// Number of weights, that of a missing feature among them, which stays 0.
    const WEIGHTS: usize;
    /// Weights are kept as whole numbers of this, in bytes with a sign.
    const UNIT: f32;

    /// Replaces `features` by those of each of `moves`, all legal.
    fn features(&self, moves: &[Self::Move], features: &mut Vec<Self::Features>);

    /// A position whose moves have the same features as the one that these planes ([`Planes::write_planes`], symmetry 0) were
    /// written of. What else it is need not be the same. `None` if they are the planes of no position.
    fn from_planes(shape: [usize; 3], planes: &[f32]) -> Option<Self>;
}

/// Turns logarithms of shares, known up to a constant, into shares.
pub fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - most).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}
