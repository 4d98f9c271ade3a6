//! `kata-raw-nn` in KataGo's format: what an evaluator says of a position without a search.

use std::fmt::Write;

use crate::eval::Evaluation;
use crate::game::Side;
use crate::games::Size;

/// Number of something that an evaluator does not know.
const UNKNOWN: f32 = -1.0;

/// An evaluation that is shown.
pub(super) struct Shown {
    /// KataGo's number of the symmetry in which it was made.
    pub(super) symmetry: usize,
    pub(super) size: Size,
    /// Whether it is one of people, who do not know the lead, and of whom KataGo shows the score by another name.
    pub(super) of_people: bool,
}

impl Shown {
    /// Numbers and maps, seen by White: shares of the points that can be played, of a pass, and the rest of the evaluation.
    pub(super) fn text(&self, share: &dyn Fn(usize) -> Option<f32>, pass: f32, evaluation: &Evaluation) -> String {
        let mut text = self.numbers(evaluation);
        self.maps(share, pass, evaluation, &mut text);
        text
    }

    fn numbers(&self, evaluation: &Evaluation) -> String {
        let sign = Side::Second.sign();
        let forecast = evaluation.forecast.unwrap_or_default();
        let (value, void) = (evaluation.value * sign, forecast.no_result);
        let [result_error, score_error] = forecast.errors.unwrap_or([UNKNOWN; 2]);
        let lead = evaluation.score.unwrap_or(0.0) * sign;
        let score = evaluation.forecast.map_or(lead, |forecast| forecast.score * sign);
        let mut text = format!("symmetry {}\n", self.symmetry);
        for (name, chance) in
            [("whiteWin", 1.0 - void + value), ("whiteLoss", 1.0 - void - value), ("noResult", 2.0 * void)]
        {
            _ = writeln!(text, "{name} {:.6}", (chance / 2.0).clamp(0.0, 1.0));
        }
        let squares = score * score + forecast.deviation * forecast.deviation;
        // Networks that do not know their errors do not know this well either: KataGo does not show it.
        let time = forecast.errors.and(forecast.time_left).unwrap_or(UNKNOWN);
        let scores: &[(&str, f32)] = match self.of_people {
            true => &[("whiteScore", score), ("whiteScoreSq", squares)],
            false => &[
                ("whiteLead", lead),
                ("whiteScoreSelfplay", score),
                ("whiteScoreSelfplaySq", squares),
                ("varTimeLeft", time),
            ],
        };
        let errors = [("shorttermWinlossError", result_error), ("shorttermScoreError", score_error)];
        for (name, number) in scores.iter().chain(&errors) {
            _ = writeln!(text, "{name} {number:.3}");
        }
        text
    }

    fn maps(&self, share: &dyn Fn(usize) -> Option<f32>, pass: f32, evaluation: &Evaluation, text: &mut String) {
        let sign = Side::Second.sign();
        let Size { width, height } = self.size;
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
    }
}
