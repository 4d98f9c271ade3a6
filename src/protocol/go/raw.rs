//! `kata-raw-nn`: what a model alone says of a position, in KataGo's words and format.

use std::fmt::Write;

use super::super::call::Call;
use super::super::reply::{Answer, Refusal};
use super::super::vertex;
use crate::eval::Evaluation;
use crate::game::{Planes, Side};
use crate::games::go::{Move, Position};
use crate::session::{GoSession, Session};

/// Share of the optimistic policy that KataGo shows if nothing is said.
const OPTIMISM: f32 = 0.2;
/// Number of something that a model does not know.
const UNKNOWN: f32 = -1.0;

/// The answer to `kata-raw-nn`: `[COLOUR] SYMMETRY|all [OPTIMISM]`.
pub(super) fn raw_evaluation(call: &mut Call<'_, GoSession>) -> Answer {
    let count = call.session.core().position().symmetries();
    let side = call.line.args.first().and_then(|word| vertex::colour(word).ok());
    let first = usize::from(side.is_some());
    let which = call.arg(first, "a symmetry or 'all'")?;
    let symmetries: Vec<usize> = match which.parse() {
        _ if which == "all" => (0..count).collect(),
        Ok(symmetry) if symmetry < count => vec![symmetry],
        _ => return Err(Refusal::new(format!("expected 'all' or a symmetry from 0 to {}", count - 1))),
    };
    if let Some(more) = call.line.args.get(first + 2) {
        return Err(Refusal::new(format_args!(
            "unexpected argument '{more}': expected [COLOUR] SYMMETRY|all [OPTIMISM]"
        )));
    }
    let optimism = match call.line.args.get(first + 1).map(|text| text.parse::<f32>()) {
        None => OPTIMISM,
        Some(Ok(share)) if (0.0..=1.0).contains(&share) => share,
        Some(_) => return Err(Refusal::new("expected an optimism from 0 to 1")),
    };
    let mut shown = Vec::new();
    for symmetry in symmetries {
        let said = call.session.raw_evaluation(side, own_symmetry(symmetry), optimism);
        let (moves, evaluation) = said.ok_or_else(|| Refusal::new("there is no model for this board"))?;
        shown.push(show(symmetry, call.session.core().position(), &moves, &evaluation));
    }
    Ok(shown.join("\n"))
}

/// Our number of a symmetry of KataGo's, which flips rows by bit 0 and columns by bit 1.
fn own_symmetry(number: usize) -> usize {
    number & 4 | (number & 1) << 1 | (number & 2) >> 1
}

/// Numbers and maps, seen by White.
fn show(symmetry: usize, position: &Position, moves: &[Move], evaluation: &Evaluation) -> String {
    let sign = Side::Second.sign();
    let forecast = evaluation.forecast.unwrap_or_default();
    let (value, void) = (evaluation.value * sign, forecast.no_result);
    let [result_error, score_error] = forecast.errors.unwrap_or([UNKNOWN; 2]);
    let lead = evaluation.score.unwrap_or(0.0) * sign;
    let score = evaluation.forecast.map_or(lead, |forecast| forecast.score * sign);
    let mut text = format!("symmetry {symmetry}\n");
    for (name, chance) in
        [("whiteWin", 1.0 - void + value), ("whiteLoss", 1.0 - void - value), ("noResult", 2.0 * void)]
    {
        _ = writeln!(text, "{name} {:.6}", (chance / 2.0).clamp(0.0, 1.0));
    }
    let numbers = [
        ("whiteLead", lead),
        ("whiteScoreSelfplay", score),
        ("whiteScoreSelfplaySq", score * score + forecast.deviation * forecast.deviation),
        // Networks that do not know their errors do not know this well either: KataGo does not show it.
        ("varTimeLeft", forecast.errors.and(forecast.time_left).unwrap_or(UNKNOWN)),
        ("shorttermWinlossError", result_error),
        ("shorttermScoreError", score_error),
    ];
    for (name, number) in numbers {
        _ = writeln!(text, "{name} {number:.3}");
    }
    let share = |mv: Move| moves.iter().position(|&other| other == mv).map(|place| evaluation.policy[place]);
    let width = position.size().width;
    text.push_str("policy\n");
    for row in 0..position.size().height {
        for column in 0..width {
            _ = match share(Move::at(row * width + column)) {
                Some(share) => write!(text, "{share:8.6} "),
                None => write!(text, "     NAN "),
            };
        }
        text.push('\n');
    }
    _ = writeln!(text, "policyPass {:8.6} ", share(Move::PASS).unwrap_or(0.0));
    text.push_str("whiteOwnership\n");
    for row in 0..position.size().height {
        for column in 0..width {
            let owner = evaluation.ownership.get(row * width + column).map_or(0.0, |owner| owner * sign);
            _ = write!(text, "{owner:9.7} ");
        }
        text.push('\n');
    }
    text
}
