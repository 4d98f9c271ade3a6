//! `kata-raw-nn` in KataGo's format: what an evaluator says of a position without a search.

use std::fmt::Write;

use crate::eval::Evaluation;
use crate::game::Side;
use crate::games::Size;

/// Number of something that an evaluator does not know.
const UNKNOWN: f32 = -1.0;

/// Numbers and maps, seen by White: shares of the points that can be played, of a pass, and the rest of the evaluation.
pub(super) fn show(
    symmetry: usize,
    size: Size,
    share: &dyn Fn(usize) -> Option<f32>,
    pass: f32,
    evaluation: &Evaluation,
) -> String {
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
    let Size { width, height } = size;
    text.push_str("policy\n");
    for row in 0..height {
        for column in 0..width {
            _ = match share(row * width + column) {
                Some(share) => write!(text, "{share:8.6} "),
                None => write!(text, "    NAN "),
            };
        }
        text.push('\n');
    }
    _ = writeln!(text, "policyPass {pass:8.6} ");
    text.push_str("whiteOwnership\n");
    for row in 0..height {
        for column in 0..width {
            let owner = evaluation.ownership.get(row * width + column).map_or(0.0, |owner| owner * sign);
            _ = write!(text, "{owner:9.7} ");
        }
        text.push('\n');
    }
    text
}
