//! `kata-raw-nn`: what a model alone says of a position, in KataGo's words and format.

use super::super::call::Call;
use super::super::reply::{Answer, Refusal};
use super::super::{raw, vertex};
use crate::game::{Planes, Side};
use crate::games::go::Move;
use crate::session::{GoSession, Session};

/// Share of the optimistic policy that KataGo shows if nothing is said.
const OPTIMISM: f32 = 0.2;

/// The answer to `kata-raw-nn`: `[COLOUR] SYMMETRY|all [OPTIMISM]`.
pub(super) fn raw_evaluation(call: &mut Call<'_, GoSession>) -> Answer {
    let (side, first, symmetries) = symmetries(call)?;
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
        let share = |mv: Move| moves.iter().position(|&other| other == mv).map(|place| evaluation.policy[place]);
        let (size, pass) = (call.size(), share(Move::PASS).unwrap_or(0.0));
        let view = raw::Shown { symmetry, size, of_people: false };
        shown.push(view.text(&|point| share(Move::at(point)), pass, &evaluation));
    }
    Ok(shown.join("\n"))
}

/// The answer to `kata-raw-human-nn`: `[COLOUR] SYMMETRY|all`.
pub(super) fn raw_imitation(call: &mut Call<'_, GoSession>) -> Answer {
    let (side, first, symmetries) = symmetries(call)?;
    if let Some(more) = call.line.args.get(first + 1) {
        return Err(Refusal::new(format_args!("unexpected argument '{more}': expected [COLOUR] SYMMETRY|all")));
    }
    let settings = call.session.core().settings();
    if settings.models.people().is_none() {
        return Err("Cannot run kata-raw-human-nn, --human-model was not given".into());
    }
    if settings.people.is_none() {
        return Err(
            "Cannot run kata-raw-human-nn, humanSLProfile is not set: kata-set-param humanSLProfile rank_5k".into()
        );
    }
    let mut shown = Vec::new();
    for symmetry in symmetries {
        let said = call.session.imitation(side, own_symmetry(symmetry));
        let said = said.ok_or_else(|| Refusal::new("the model of people does not serve this board"))?;
        let view = raw::Shown { symmetry, size: call.size(), of_people: true };
        let pass = said.prior(Move::PASS).unwrap_or(0.0);
        shown.push(view.text(&|point| said.prior(Move::at(point)), pass, &said.evaluation));
    }
    Ok(shown.join("\n"))
}

/// The side of `[COLOUR] SYMMETRY|all`, the number of the argument of the symmetry, and KataGo's numbers of the symmetries.
fn symmetries(call: &Call<'_, GoSession>) -> Result<(Option<Side>, usize, Vec<usize>), Refusal> {
    let count = call.session.core().position().symmetries();
    let side = call.line.args.first().and_then(|word| vertex::colour(word).ok());
    let first = usize::from(side.is_some());
    let which = call.arg(first, "a symmetry or 'all'")?;
    let symmetries = match which.parse() {
        _ if which == "all" => (0..count).collect(),
        Ok(symmetry) if symmetry < count => vec![symmetry],
        _ => return Err(Refusal::new(format!("expected 'all' or a symmetry from 0 to {}", count - 1))),
    };
    Ok((side, first, symmetries))
}

/// Our number of a symmetry of KataGo's, which flips rows by bit 0 and columns by bit 1.
fn own_symmetry(number: usize) -> usize {
    number & 4 | (number & 1) << 1 | (number & 2) >> 1
}
