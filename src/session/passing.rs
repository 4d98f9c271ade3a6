//! When to pass: the rule alone. Knows no search but its report.

use super::verdict::LifeAndDeath;
use crate::game::Game;
use crate::game::MonteCarlo;
use crate::games::go::{Move, Position};
use crate::search::Report;

/// A pass that costs less than this of the expected result gives nothing away.
pub(super) const PASS_COST: f32 = 0.05;
/// A pass that costs fewer points than this gives nothing away either: so far apart are two searches of one position.
const PASS_POINTS: f32 = 1.5;
/// An expected result below this is a lost game.
const LOST: f32 = 0.1;

/// Decision about passing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Passing {
    /// Answer this.
    Settled(Move),
    /// Pass if the opponent cannot profit from two moves in a row, else play this.
    IfFree(Candidate),
}

/// The best move that is no pass, with what the search expects of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The move.
    pub(super) mv: Move,
    /// Expected result of it, in 0..=1.
    pub(super) winrate: f32,
    /// Visits that say so.
    pub(super) visits: u64,
    /// Expected lead in points after it, if the search knows one.
    pub(super) lead: Option<f32>,
}

impl Candidate {
    /// The best move of a search that is no pass and no senseless one.
    pub(super) fn best(position: &Position, report: &Report<Move>) -> Option<Self> {
        let playable = report.moves.iter().find(|m| m.mv != Move::PASS && position.is_sensible(m.mv));
        playable.map(|m| Self { mv: m.mv, winrate: m.mean, visits: m.visits, lead: m.score })
    }

    /// Whether a pass is as good, by a search of what the opponent makes of it.
    pub(super) fn is_like_pass(&self, passed: &Report<Move>) -> bool {
        let reply = passed.moves.first();
        let loss = self.winrate - (1.0 - reply.map_or(1.0, |m| m.mean));
        let points = self.lead.zip(reply.and_then(|m| m.score)).map_or(0.0, |(lead, theirs)| lead + theirs);
        passed.nodes > 0 && loss <= PASS_COST && points <= PASS_POINTS
    }
}

/// Thinks about passing. `play` finds the best move that is no pass; it is asked only where the answer hangs on that.
///
/// A pass never loses a game that is won: it ends the game only if the count now is a win, and it gives the opponent
/// the move only where the board is divided, nothing is left to play for, and a search has shown that it costs nothing,
/// or where every other move throws something away.
pub(super) fn passing(
    position: &Position,
    report: &Report<Move>,
    play: impl FnOnce() -> Option<Candidate>,
    verdict: &LifeAndDeath,
    opponent_passed: bool,
) -> Passing {
    let side = position.to_move();
    let won = verdict.is_won(position, side);
    if opponent_passed && won {
        return Passing::Settled(Move::PASS);
    }
    let first = report.moves.first().map_or(Move::PASS, |m| m.mv);
    let Some(play) = play() else { return Passing::Settled(Move::PASS) };
    let fills = play.mv.point().is_some_and(|p| verdict.is_settled(p) && !verdict.is_neutral(position, p));
    if position.rules().agrees_on_dead() && fills && verdict.all_settled(position) {
        // In a lost game points alone show whether anything is left to play for.
        if won || report.winrate < LOST {
            return Passing::IfFree(play);
        }
    }
    if first != Move::PASS {
        return Passing::Settled(first);
    }
    // The search likes the pass best, as in a seki. While another move keeps what there is, it is as good.
    if play.winrate >= report.winrate - PASS_COST {
        return Passing::Settled(play.mv);
    }
    if won {
        return Passing::IfFree(play);
    }
    // Every move throws something away. Only a pass that would end the game as lost is worse.
    let ends_as_lost = opponent_passed && verdict.score(position) * side.sign() < 0.0;
    Passing::Settled(if ends_as_lost { play.mv } else { Move::PASS })
}
