//! Worth of a position as they are kept, and how a move is judged by those before and after it.

use crate::game::Side;
use crate::players::Played;
use crate::search::Report;

/// Most candidates that are kept of a position, and most moves of their variations.
const CANDIDATES: usize = 12;
const LINE: usize = 12;
/// Visits after which the value of a position counts against that which its move had before.
const ENOUGH: u64 = 10;

/// A move of a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The move in the game's notation.
    pub word: String,
    /// Property of SGF that it stands in, such as `B`.
    pub property: &'static str,
    /// Value of that property.
    pub value: String,
}

/// A move that was searched. Worth are seen by Black.
#[derive(Clone, Debug, PartialEq)]
pub struct ValuedMove {
    /// Expected result in 0..=1, 1 a win of Black's.
    pub winrate: f32,
    /// Expected lead of Black's in points, where the game has points.
    pub score: Option<f32>,
    /// Times it was searched.
    pub visits: u64,
    /// Prior probability, in 0..=1.
    pub prior: f32,
    /// The proven winner after it.
    pub proven: Option<Side>,
    /// Principal variation, which begins with the move.
    pub line: Vec<LineMove>,
}

/// Worth of a position: that of its best move, or of the end of the game. Worth are seen by Black.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// Side to move.
    pub to_move: Side,
    /// Expected result in 0..=1, 1 a win of Black's.
    pub winrate: f32,
    /// Expected lead of Black's in points, where the game has points.
    pub score: Option<f32>,
    /// Visits of the search.
    pub visits: u64,
    /// The proven winner.
    pub proven: Option<Side>,
    /// Moves that were searched, best first; none where the game is over.
    pub moves: Vec<ValuedMove>,
}

/// Class of a move by what it lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The best move, or one that is as good.
    Best,
    /// A move that lost little.
    Good,
    /// A move that lost 5 % of win rate or more.
    Inaccuracy,
    /// A move that lost 10 % or more.
    Mistake,
    /// A move that lost 20 % or more, or a proven win.
    Blunder,
}

/// Least losses of win rate, worst first.
const GRADES: [(Grade, f32); 4] =
    [(Grade::Blunder, 0.2), (Grade::Mistake, 0.1), (Grade::Inaccuracy, 0.05), (Grade::Good, 0.005)];

impl Grade {
    /// Word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// Judgement of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Class of the move.
    pub grade: Grade,
    /// Win rate that it lost, in 0..=1; 1 where a proven win was given away.
    pub loss: f32,
    /// Win rate that its player had more after it than any move promised before, in 0..=1.
    pub gain: f32,
    /// Points that it lost, where the game has points; less than 0 where the score rose.
    pub points: Option<f32>,
    /// Win rate between the best move and the next one, where the best was played.
    pub lead: f32,
}

impl Worth {
    /// Worth that a report has. `word` writes a move for people, `property` for SGF.
    pub(super) fn of<G: Played>(
        position: &G,
        report: &Report<G::Move>,
        word: &dyn Fn(G::Move) -> String,
        property: &dyn Fn(Side, G::Move) -> (&'static str, String),
    ) -> Self {
        let turned = report.to_move == Side::Second;
        let share = |value: f32| if turned { 1.0 - value } else { value };
        let lead = |value: f32| if turned { -value } else { value };
        let line = |moves: &[G::Move]| {
            let mut now = position.clone();
            let mut steps = Vec::new();
            for &mv in moves.iter().take(LINE) {
                if now.outcome().is_some() || !now.is_legal(mv) {
                    break;
                }
                let (property, value) = property(now.to_move(), mv);
                steps.push(LineMove { word: word(mv), property, value });
                now.play(mv);
            }
            steps
        };
        let shown = report.moves.iter().enumerate().filter(|(place, mv)| *place == 0 || mv.visits > 0);
        let candidate = |mv: &crate::search::MoveReport<G::Move>| ValuedMove {
            winrate: share(mv.winrate),
            score: mv.score.map(lead),
            visits: mv.visits,
            prior: mv.prior,
            proven: mv.resolution,
            line: line(&mv.pv),
        };
        let moves: Vec<ValuedMove> = shown.take(CANDIDATES).map(|(_, mv)| candidate(mv)).collect();
        let best = moves.first();
        Self {
            to_move: report.to_move,
            winrate: best.map_or(share(report.winrate), |best| best.winrate),
            score: best.and_then(|best| best.score).or(report.score.map(lead)),
            visits: report.visits,
            proven: report.resolution.or(best.and_then(|best| best.proven).filter(|&side| side == report.to_move)),
            moves,
        }
    }

    /// Expected result for a side, in 0..=1.
    pub fn chance(&self, side: Side) -> f32 {
        chance(self.winrate, side)
    }
}

impl ValuedMove {
    /// The move in the game's notation.
    pub fn word(&self) -> &str {
        self.line.first().map_or("", |step| &step.word)
    }

    /// Expected result for a side, in 0..=1.
    pub fn chance(&self, side: Side) -> f32 {
        chance(self.winrate, side)
    }
}

fn chance(winrate: f32, side: Side) -> f32 {
    if side == Side::First { winrate } else { 1.0 - winrate }
}

/// Judges a move of `side` by the values of the position before it and, where they are known well enough, of the one after it; `None`
/// where too little is known.
pub(super) fn judge(before: &Worth, after: Option<&Worth>, side: Side, word: &str) -> Option<Judgement> {
    let best = before.moves.first()?;
    let own = before.moves.iter().find(|candidate| candidate.word() == word);
    let needed = own.map_or(0, |own| own.visits).min(ENOUGH);
    let after = after.filter(|after| after.visits >= needed).map(|after| (after.winrate, after.score, after.proven));
    let (winrate, score, proven) = after.or(own.map(|own| (own.winrate, own.score, own.proven)))?;
    let difference = best.chance(side) - chance(winrate, side);
    let thrown = (before.proven == Some(side) || best.proven == Some(side)) && proven == Some(side.opponent());
    let points = best.score.zip(score).map(|(best, now)| (best - now) * side.sign());
    if best.word() == word && !thrown {
        let next = before.moves.get(1).map_or(0.0, |next| best.chance(side) - next.chance(side));
        let (loss, gain, points) = (0.0, (-difference).max(0.0), points.map(|_| 0.0));
        return Some(Judgement { grade: Grade::Best, loss, gain, points, lead: next });
    }
    let loss = if thrown { 1.0 } else { difference.max(0.0) };
    let grade = GRADES.iter().find(|(_, least)| loss >= *least).map_or(Grade::Best, |(grade, _)| *grade);
    Some(Judgement { grade, loss, gain: (-difference).max(0.0), points, lead: 0.0 })
}
