//! Review of whole games: every position of a main line is valued, and each move is judged by what it lost.
//!
//! Start reading at [`jobs`]: a game becomes one job of a schedule for each of its positions. The last one that is done sends the whole
//! [`Reviewed`] game, which is written as annotated SGF ([`annotate`]), as JSON lines or as a table ([`told`]).

pub mod annotate;
pub mod told;
pub mod values;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::AcqRel};
use std::sync::mpsc::Sender;

use parking_lot::Mutex;

use self::values::{Judgement, Worth, judge};
use super::dialects::notation;
use super::record::{Reader, Stage, kind_of, move_property};
use super::sgf::{MOST_NODES, SgfError, SgfNode, SgfTree};
use crate::game::Side;
use crate::games::Size;
use crate::players::{Kind, Played, Setup, Visitor};
use crate::search::{Budget, Params, Stop};
use crate::session::SearchOptions;
use crate::session::analysis::schedule::Job;
use crate::session::analysis::{Analyst, Inquiry};

/// How games are reviewed.
#[derive(Clone, Debug)]
pub struct ReviewOptions {
    /// Limits of each position's search.
    pub budget: Budget,
    /// Tunables of the searches.
    pub params: Params,
    /// Least loss of win rate, in 0..=1, of a move that is listed and has a better variation beside it.
    pub least: f32,
}

/// Event of a review.
#[derive(Debug)]
pub enum ReviewEvent {
    /// A position of the game of that number was valued.
    Valued(usize),
    /// All positions of the game of that number were.
    Done(usize, Box<Reviewed>),
}

/// A move of a reviewed game as it stands in the record.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnMove {
    /// The player.
    pub side: Side,
    /// The move in the game's notation.
    pub word: String,
}

/// A node of a reviewed main line.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Number of the node in the tree.
    pub node: usize,
    /// Moves up to there.
    pub number: usize,
    /// Whether the position is another one than before it, which was to be valued then.
    pub is_new: bool,
    /// The move that led there, where there is one that can be judged.
    pub played: Option<TurnMove>,
    /// Worth of the position, where it was searched; without one there was a fault, or the position is not new.
    pub values: Option<Worth>,
}

/// A game whose positions are valued.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// Which game it is.
    pub kind: Kind,
    /// The board.
    pub size: Size,
    /// The record as it was read.
    pub tree: SgfTree,
    /// Nodes of its main line.
    pub turns: Vec<Turn>,
    /// Least loss of a move that counts as a fault, in 0..=1.
    pub least: f32,
}

impl Reviewed {
    /// Turns whose moves can be judged, with the values of the position before.
    pub fn judged(&self) -> impl Iterator<Item = (&Turn, &TurnMove, &Worth, Judgement)> {
        let mut before: Option<&Worth> = None;
        self.turns.iter().filter_map(move |turn| {
            let (last, now) = (before, turn.values.as_ref());
            before = if turn.is_new { now } else { before };
            let (played, last) = (turn.played.as_ref()?, last?);
            Some((turn, played, last, judge(last, now, played.side, &played.word)?))
        })
    }

    /// Number of the first position that was not valued, because of a fault inside the engine.
    pub fn fault(&self) -> Option<usize> {
        self.turns.iter().find(|turn| turn.is_new && turn.values.is_none()).map(|turn| turn.number)
    }

    /// Moves judged, and the mean of their losses, of a side.
    pub fn mean_loss(&self, side: Side) -> Option<(usize, f32)> {
        let losses = self.judged().filter(|(_, played, ..)| played.side == side).map(|(.., judgement)| judgement.loss);
        let (count, sum) = losses.fold((0, 0.0), |(count, sum), loss| (count + 1, sum + loss));
        (count > 0).then(|| (count, sum / count as f32))
    }
}

/// A game of which positions are being valued.
struct Work<G: Played> {
    number: usize,
    stages: Vec<Stage<G>>,
    /// Turns as far as they are valued; empty once they were sent.
    reviewed: Mutex<Option<Reviewed>>,
    /// Positions that are not valued yet.
    left: AtomicUsize,
    options: Arc<ReviewOptions>,
    analyst: Arc<Analyst>,
    out: Sender<ReviewEvent>,
}

/// Search of one position.
struct Search<G: Played> {
    work: Arc<Work<G>>,
    id: String,
    turn: usize,
}

impl<G: Played> Search<G> {
    fn values(&self, stop: &Stop, threads: usize) -> Worth {
        let Work { stages, options, analyst, .. } = &*self.work;
        let position = stages[self.turn].position.clone().resumed();
        let inquiry = Inquiry {
            position: position.clone(),
            budget: options.budget,
            options: SearchOptions::default(),
            first_report: None,
            params: G::recipe().own(&options.params),
            threads,
        };
        let report = analyst.analyse(&inquiry, stop, &mut |_| ());
        let word = |mv| notation(G::KIND).show_move::<G>(position.size(), mv);
        let told = |side: Side| if stages[self.turn].turned { side.opponent() } else { side };
        Worth::of(&position, &report, &word, &|side, mv| move_property::<G>(position.size(), told(side), mv))
    }
}

impl<G: Played> Job for Search<G> {
    fn id(&self) -> &str {
        &self.id
    }

    fn turn(&self) -> usize {
        self.turn
    }

    fn run(&self, stop: &Stop, threads: usize) {
        let work = &self.work;
        let values = catch_unwind(AssertUnwindSafe(|| self.values(stop, threads)));
        if values.is_err() {
            tracing::error!(game = self.id, turn = self.turn, "a fault inside the engine during a search");
        }
        let mut reviewed = work.reviewed.lock();
        if let Some(turn) = reviewed.as_mut().and_then(|reviewed| reviewed.turns.get_mut(self.turn)) {
            turn.values = values.ok();
        }
        // Nobody listens any more only if the program is ending.
        _ = work.out.send(ReviewEvent::Valued(work.number));
        if work.left.fetch_sub(1, AcqRel) == 1
            && let Some(reviewed) = reviewed.take()
        {
            _ = work.out.send(ReviewEvent::Done(work.number, Box::new(reviewed)));
        }
    }
}

/// Makes jobs of a game that is called by a number: one for each position of its main line.
///
/// # Errors
/// The reason why it cannot be reviewed.
pub fn jobs(
    number: usize,
    tree: SgfTree,
    options: &Arc<ReviewOptions>,
    analyst: &Arc<Analyst>,
    out: &Sender<ReviewEvent>,
) -> Result<Vec<Box<dyn Job>>, String> {
    let root = tree.node(0);
    let kind = kind_of(root).ok_or_else(|| {
        let number = root.value("GM").unwrap_or("1").trim();
        format!("it is of a game that is not played here, its GM is {number}; known are {}", Kind::words())
    })?;
    kind.visit(Plan { number, tree, options, analyst, out })
}

/// Plan of a game's jobs.
struct Plan<'a> {
    number: usize,
    tree: SgfTree,
    options: &'a Arc<ReviewOptions>,
    analyst: &'a Arc<Analyst>,
    out: &'a Sender<ReviewEvent>,
}

impl Visitor for Plan<'_> {
    type Output = Result<Vec<Box<dyn Job>>, String>;

    fn visit<G: Played>(self) -> Self::Output {
        let Self { number, tree, options, analyst, out } = self;
        G::recipe().check(&options.params).map_err(|error| error.to_string())?;
        let line = tree.main_line();
        if line.len() > MOST_NODES {
            return Err(SgfError::TooLong.to_string());
        }
        let nodes: Vec<SgfNode> = line.iter().map(|&node| tree.node(node).clone()).collect();
        let current = &G::first_game(&Setup::default());
        let stages = Reader { kind: G::KIND, usual: G::USUAL, current }.stages(&nodes)?;
        let size = stages.first().map_or(G::USUAL, |stage| stage.position.size());
        let mut moves = 0;
        let turn = |(&node, stage): (&usize, &Stage<G>)| {
            moves += usize::from(stage.is_new && node > 0);
            let word = |mv| notation(G::KIND).show_move::<G>(size, mv);
            let played = stage.played.map(|(side, mv)| TurnMove { side, word: word(mv) });
            Turn { node, number: moves, is_new: stage.is_new, played, values: None }
        };
        let turns: Vec<Turn> = line.iter().zip(&stages).map(turn).collect();
        let new: Vec<usize> = (0..stages.len()).filter(|&turn| stages[turn].is_new).collect();
        let work = Arc::new(Work {
            number,
            reviewed: Mutex::new(Some(Reviewed { kind: G::KIND, size, tree, turns, least: options.least })),
            left: AtomicUsize::new(new.len()),
            stages,
            options: Arc::clone(options),
            analyst: Arc::clone(analyst),
            out: out.clone(),
        });
        let job = |turn| -> Box<dyn Job> { Box::new(Search { work: Arc::clone(&work), id: number.to_string(), turn }) };
        Ok(new.into_iter().map(job).collect())
    }
}

#[cfg(test)]
mod tests;
