//! Reports as JSON, with the names of KataGo's analysis engine.

use serde_json::{Map, Value, json};

use super::settings::Perspective;
use crate::eval::Evaluation;
use crate::game::{Game, Side};
use crate::players::{Imitation, Played};
use crate::protocol::vertex::{self, Notation};
use crate::rng::mix;
use crate::search::report::Detail;
use crate::search::{MoveReport, Report};

/// Parts of a report that are told, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerForm {
    pub(super) notation: Notation,
    pub(super) perspective: Perspective,
    /// Most moves of a variation after the first.
    pub(super) variation: usize,
    pub(super) ownership: bool,
    pub(super) ownership_stdev: bool,
    pub(super) moves_ownership: bool,
    pub(super) moves_ownership_stdev: bool,
    pub(super) policy: bool,
    pub(super) pv_visits: bool,
    pub(super) no_result: bool,
}

/// A number with about as many digits as it has.
fn number(value: f32) -> Value {
    let value = f64::from(value);
    if value == 0.0 || !value.is_finite() {
        return json!(0.0);
    }
    let scale = 10_f64.powi(6 - value.abs().log10().floor() as i32);
    json!((value * scale).round() / scale)
}

/// An owner, to a millionth.
fn owner(value: f32) -> Value {
    json!((f64::from(value) * 1e6).round() / 1e6)
}

/// Values seen by a side of a report that is seen by another one.
#[derive(Clone, Copy)]
struct Seen {
    turned: bool,
}

impl Seen {
    /// A share, such as of wins.
    fn share(self, value: f32) -> f32 {
        if self.turned { 1.0 - value } else { value }
    }

    /// A number that is the opposite for the other side.
    fn sign(self, value: f32) -> f32 {
        if self.turned { -value } else { value }
    }

    fn owners(self, owners: &[f32]) -> Value {
        owners.iter().map(|&value| owner(self.sign(value))).collect()
    }
}

/// Standard deviations of owners.
fn deviations(deviations: &[f32]) -> Value {
    deviations.iter().map(|&deviation| owner(deviation)).collect()
}

impl AnswerForm {
    pub(super) fn wants_ownership(&self) -> bool {
        self.ownership || self.ownership_stdev
    }

    pub(super) fn wants_moves_ownership(&self) -> bool {
        self.moves_ownership || self.moves_ownership_stdev
    }

    /// The answer for a turn of a query: a whole line without its end.
    pub(super) fn line<G: Played>(
        &self,
        (id, turn, during): (&str, usize, bool),
        position: &G,
        report: &Report<G::Move>,
        imitation: Option<&Imitation<G::Move>>,
    ) -> String {
        let side = self.perspective.side(report.to_move);
        let seen = Seen { turned: side != report.to_move };
        // Moves that are proved to lose stand behind those without visits.
        let shown = report.moves.iter().enumerate().filter(|(place, mv)| *place == 0 || mv.visits > 0);
        let moves: Vec<&MoveReport<G::Move>> = shown.map(|(_, mv)| mv).collect();
        let info = |(order, mv): (usize, &&MoveReport<G::Move>)| {
            let mut info = self.move_info::<G>(order, position, report, mv, seen);
            // The order is by more than visits, and nothing behind counts for more by this.
            let selection = moves[order..].iter().map(|mv| mv.visits).max().unwrap_or(mv.visits);
            info.insert("playSelectionValue".to_owned(), json!(selection as f64));
            if let Some(prior) = imitation.and_then(|imitation| imitation.prior(mv.mv)) {
                info.insert("humanPrior".to_owned(), number(prior));
            }
            Value::Object(info)
        };
        let infos: Vec<Value> = moves.iter().enumerate().map(info).collect();
        let mut answer = Map::new();
        let mut put = |name: &str, value| _ = answer.insert(name.to_owned(), value);
        put("id", json!(id));
        put("turnNumber", json!(turn));
        put("isDuringSearch", json!(during));
        put("moveInfos", Value::Array(infos));
        let mut root = root_info(position, report, seen);
        if let Some(imitation) = imitation {
            root.extend(judgement(position.to_move(), &imitation.evaluation, seen));
        }
        put("rootInfo", Value::Object(root));
        if let Some(owners) = report.ownership.as_deref().filter(|_| self.ownership) {
            put("ownership", seen.owners(owners));
        }
        if let Some(numbers) = report.full().ownership_stdev.as_deref().filter(|_| self.ownership_stdev) {
            put("ownershipStdev", deviations(numbers));
        }
        if self.policy {
            put("policy", policy(position, report.moves.iter().map(|mv| (mv.mv, mv.prior))));
            if let Some(Imitation { moves, evaluation }) = imitation {
                let priors = moves.iter().copied().zip(evaluation.policy.iter().copied());
                put("humanPolicy", policy(position, priors));
            }
        }
        Value::Object(answer).to_string()
    }

    fn move_info<G: Played>(
        &self,
        order: usize,
        position: &G,
        report: &Report<G::Move>,
        mv: &MoveReport<G::Move>,
        seen: Seen,
    ) -> Map<String, Value> {
        let write = |mv: G::Move| self.notation.show_move::<G>(position.size(), mv);
        let length = mv.pv.len().min(self.variation + 1);
        let it = mv.full(report.score_stdev);
        let mut info = Map::new();
        let mut put = |name: &str, value| _ = info.insert(name.to_owned(), value);
        put("move", json!(write(mv.mv)));
        put("order", json!(order));
        put("visits", json!(it.visits));
        put("edgeVisits", json!(mv.visits));
        put("weight", number(it.weight));
        put("edgeWeight", json!(mv.visits as f64));
        put("winrate", number(seen.share(mv.winrate)));
        put("lcb", number(seen.share(mv.lcb)));
        put("utility", number(seen.sign(it.utility)));
        put("utilityLcb", number(seen.sign(it.utility_bound)));
        put("prior", number(mv.prior));
        scores::<G>(mv.score.or(report.score), mv.detail.as_ref(), it.score_stdev, seen, true, &mut put);
        put("pv", mv.pv[..length].iter().map(|&mv| write(mv)).collect());
        if self.pv_visits {
            for (name, visits) in [("pvVisits", &it.pv_visits), ("pvEdgeVisits", &mv.pv_visits)] {
                put(name, json!(&visits[..length.min(visits.len())]));
            }
        }
        if self.no_result {
            put("noResultValue", number(it.no_result));
        }
        if let Some(winner) = mv.resolution {
            put("provenWinner", json!(vertex::letter(winner)));
        }
        if let Some(owners) = mv.ownership.as_deref().filter(|_| self.moves_ownership) {
            put("ownership", seen.owners(owners));
        }
        if let Some(numbers) = it.ownership_stdev.as_deref().filter(|_| self.moves_ownership_stdev) {
            put("ownershipStdev", deviations(numbers));
        }
        info
    }
}

/// The scores, in games that have some. Clients of Go rely on them, so there they are told before anything is known.
fn scores<G: Played>(
    lead: Option<f32>,
    detail: Option<&Detail>,
    stdev: f32,
    seen: Seen,
    of_move: bool,
    put: &mut impl FnMut(&str, Value),
) {
    let Some(lead) = lead.or(super::go::has_rules(G::KIND).then_some(0.0)) else { return };
    put("scoreLead", number(seen.sign(lead)));
    put("scoreSelfplay", number(seen.sign(detail.map_or(lead, |detail| detail.score))));
    if of_move {
        put("scoreMean", number(seen.sign(lead)));
    }
    put("scoreStdev", number(stdev));
}

/// How a game ends by the judgement of people, seen by a side of a position with that side to move.
fn judgement(to_move: Side, evaluation: &Evaluation, seen: Seen) -> Map<String, Value> {
    let sign = to_move.sign();
    let forecast = evaluation.forecast.unwrap_or_default();
    let [result, score] = forecast.errors.unwrap_or_default();
    let numbers = [
        ("humanWinrate", seen.share(0.5 + 0.5 * evaluation.value * sign)),
        ("humanScoreMean", seen.sign(forecast.score * sign)),
        ("humanScoreStdev", forecast.deviation),
        // Of a share of wins, where the network has that of the difference of wins and losses.
        ("humanStWrError", 0.5 * result),
        ("humanStScoreError", score),
    ];
    numbers.into_iter().map(|(name, value)| (name.to_owned(), number(value))).collect()
}

fn root_info<G: Played>(position: &G, report: &Report<G::Move>, seen: Seen) -> Map<String, Value> {
    let mut info = Map::new();
    let mut put = |name: &str, value| _ = info.insert(name.to_owned(), value);
    let it = report.full();
    put("visits", json!(it.visits));
    put("weight", number(it.weight));
    put("winrate", number(seen.share(report.winrate)));
    put("utility", number(seen.sign(it.utility)));
    scores::<G>(report.score, report.detail.as_ref(), it.score_stdev, seen, false, &mut put);
    let hashes = hashes(position);
    put("thisHash", json!(format!("{:032X}", hashes[0])));
    put("symHash", json!(format!("{:032X}", hashes.iter().min().unwrap_or(&0))));
    put("currentPlayer", json!(vertex::letter(report.to_move)));
    if let Some(winner) = report.resolution {
        put("provenWinner", json!(vertex::letter(winner)));
    }
    info
}

/// Prior probabilities of all moves, row by row, and last of the move without a point: -1 where a move is not legal, 0 where the
/// search does not look at it.
fn policy<G: Played>(position: &G, priors: impl Iterator<Item = (G::Move, f32)>) -> Value {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let mut shares = vec![-1.0; position.move_count()];
    legal.iter().for_each(|&mv| shares[position.index(mv)] = 0.0);
    priors.for_each(|(mv, prior)| shares[position.index(mv)] = prior);
    shares.into_iter().map(number).collect()
}

/// Hashes of stones, empty points that may not be played, and side to move: as the board stands first, then as its symmetries
/// have it.
fn hashes<G: Played>(position: &G) -> Vec<u128> {
    let size = position.size();
    let kind = |point: usize| -> u64 {
        match position.piece(point) {
            Some(piece) => 2 + 2 * piece.height as u64 + (piece.side == Side::Second) as u64,
            None => {
                let mv = G::unspell(size, &[point].into());
                u64::from(mv.is_some_and(|mv| position.objection(mv).is_some()))
            }
        }
    };
    let kinds: Vec<u64> = (0..Game::points(position)).map(kind).collect();
    let turn = (position.to_move() == Side::Second) as u64;
    let hash = |symmetry: usize, seed: u64| {
        let points = kinds.iter().enumerate();
        let each = points.map(|(point, kind)| mix(mix(seed + position.point_index(point, symmetry) as u64) ^ kind));
        each.fold(mix(seed ^ size.width as u64) ^ turn, u64::wrapping_add)
    };
    let both = |symmetry| u128::from(hash(symmetry, 1 << 32)) << 64 | u128::from(hash(symmetry, 3 << 32));
    (0..position.symmetries().max(1)).map(both).collect()
}

/// The answer for a turn that was terminated before it began.
pub(super) fn without_results(id: &str, turn: usize) -> String {
    json!({"id": id, "turnNumber": turn, "isDuringSearch": false, "noResults": true}).to_string()
}

#[cfg(test)]
mod tests;
