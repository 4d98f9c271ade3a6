//! The algorithms behind one trait, and what they share: budget, stop, share of the machine, report, parameters.
//!
//! Names no game, prints nothing, opens nothing.

pub mod alphabeta;
pub mod beam;
pub mod budget;
pub mod crew;
pub mod depth_first;
pub mod endgame;
pub mod level;
mod map;
pub mod mcts;
pub mod methods;
pub mod middle;
pub mod params;
pub mod prover;
pub mod puct;
pub mod random;
pub mod report;
pub mod share;
pub mod solver;
pub mod sums;
pub mod ubfm;
mod watch;
mod words;

pub use budget::{Budget, Stop};
pub use params::Params;
pub use report::{MoveReport, Report};
pub use share::Share;

use std::time::Duration;

use crate::game::{Game, MonteCarlo, Side};

/// Moves that a search may not consider near the root (`avoid` and `allow` of the analysis commands).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction<M> {
    /// Side whose moves are restricted.
    pub side: Side,
    /// The moves meant, in ascending order: every node near the root asks for them.
    moves: Vec<M>,
    /// `true`: only these moves; `false`: all but these.
    pub allow: bool,
    /// Holds for the first `depth` plies below the root (1 = the root's own moves).
    pub depth: usize,
}

impl<M: Ord> Restriction<M> {
    /// Restriction of those moves, which may come in any order.
    pub fn new(side: Side, mut moves: Vec<M>, allow: bool, depth: usize) -> Self {
        moves.sort_unstable();
        moves.dedup();
        Self { side, moves, allow, depth }
    }

    /// The moves meant, in ascending order.
    pub fn moves(&self) -> &[M] {
        &self.moves
    }
}

/// Whether the restrictions let `side` play the move with that index, `depth` plies below the root.
pub(crate) fn permitted<G: Game>(
    restrictions: &[Restriction<G::Move>],
    position: &G,
    side: Side,
    index: usize,
    depth: usize,
) -> bool {
    let mut near = restrictions.iter().filter(|r| r.side == side && depth < r.depth);
    near.all(|r| r.moves.binary_search(&position.move_at(index)).is_ok() == r.allow)
}

/// Keeps the items whose moves the restrictions let the side to move play at the root, or all of them if they permit none.
/// `index` is the index of an item's move.
pub(crate) fn keep_permitted<G: Game, T>(
    restrictions: &[Restriction<G::Move>],
    position: &G,
    items: &mut Vec<T>,
    index: impl Fn(&T) -> usize,
) {
    let may = |item: &T| permitted(restrictions, position, position.to_move(), index(item), 0);
    if items.iter().any(may) {
        items.retain(may);
    }
}

/// Replaces `moves` by those that a search looks at: the ones that make sense, or all legal ones in a game with proofs where the parameters
/// want none, since what is left out there is proved to be needless.
pub(crate) fn moves_of<G: MonteCarlo>(position: &G, params: &Params, moves: &mut Vec<G::Move>) {
    if G::SOLVES && params.proofs == 0 { position.legal_moves(moves) } else { position.sensible_moves(moves) }
}

/// Replaces `moves` by those of the root: as [`moves_of`], or all legal ones where the restrictions permit none of those.
pub(crate) fn root_moves<G: MonteCarlo>(
    restrictions: &[Restriction<G::Move>],
    position: &G,
    params: &Params,
    moves: &mut Vec<G::Move>,
) {
    let may = |mv: &G::Move| permitted(restrictions, position, position.to_move(), position.index(*mv), 0);
    moves_of(position, params, moves);
    if !restrictions.is_empty() && !moves.iter().any(may) {
        position.legal_moves(moves);
        if !moves.iter().any(may) {
            moves_of(position, params, moves);
        }
    }
}

/// The first move that the root has, of those that are permitted; a game that is over has its last one, such as a pass.
pub(crate) fn any_move<G: Game>(task: &Task<'_, G>) -> G::Move {
    let (position, mut moves) = (task.position, Vec::new());
    position.legal_moves(&mut moves);
    keep_permitted(task.restrictions, position, &mut moves, |&mv| position.index(mv));
    moves.first().copied().unwrap_or_else(|| position.move_at(position.move_count() - 1))
}

/// A search that is asked for.
pub struct Task<'a, G: Game> {
    /// The root; not over.
    pub position: &'a G,
    /// When to stop of itself.
    pub budget: Budget,
    /// Number of threads wanted (at least 1); the [`Share`] may grant fewer.
    pub threads: usize,
    /// Seed of all randomness: same seed, one thread, node budget give the same result.
    pub seed: u64,
    /// Values of the tunables for this run.
    pub params: &'a Params,
    /// Moves excluded near the root.
    pub restrictions: &'a [Restriction<G::Move>],
    /// Interval between reports; `None`: no report before the end.
    pub report_every: Option<Duration>,
    /// Whether reports carry an ownership map.
    pub ownership: bool,
    /// Whether they carry one after each move of the root too.
    pub moves_ownership: bool,
    /// Looked at once an iteration; when set, `run` returns within milliseconds with the best move so far.
    pub stop: &'a Stop,
}

impl<'a, G: Game> Task<'a, G> {
    /// A search by one thread in which every move is allowed, and which reports at its end only, without owners.
    pub fn new(position: &'a G, budget: Budget, params: &'a Params, stop: &'a Stop) -> Self {
        Self {
            position,
            budget,
            threads: 1,
            seed: 1,
            params,
            restrictions: &[],
            report_every: None,
            ownership: false,
            moves_ownership: false,
            stop,
        }
    }
}

/// The choice of a search.
#[derive(Clone, Debug)]
pub struct Decision<M> {
    /// The move to play: legal, whatever happened, also in a lost position and when stopped at once.
    pub mv: M,
    /// The root as it was at the end.
    pub report: Report<M>,
}

/// A search algorithm with its memory (tree or table), which lives from move to move.
pub trait Searcher<G: Game>: Send {
    /// Searches `task.position` until budget or stop. Blocks the caller, who receives reports on its own thread.
    ///
    /// Keeps what it knows if the position is the one it was led to by [`Searcher::advance`]
    /// (checked by key), and starts afresh otherwise.
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move>;

    /// The game went on with `mv`: keep what lies below it.
    fn advance(&mut self, mv: G::Move);

    /// Forget everything and give memory back.
    fn clear(&mut self);

    /// Caps the memory of tree or table, in MiB; when reached it stops growing and goes on searching.
    fn set_memory(&mut self, mib: usize);
}
