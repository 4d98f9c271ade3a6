//! Stones and legal moves as GNU Go tells them, and positions as KataGo takes them.

use super::super::call::Call;
use super::super::play;
use super::super::reply::{Answer, Refusal};
use crate::game::{Game, Side};
use crate::games::Spelled;
use crate::games::go::{Move, Position};
use crate::session::{GoSession, Session};

type Go<'a> = Call<'a, GoSession>;

/// The position with the colour of the first argument to move.
fn seen_by(call: &Go<'_>, side: Side) -> Position {
    let mut position = call.session.core().position().clone();
    position.set_to_move(side);
    position
}

/// The answer to `is_legal`.
pub(super) fn is_legal(call: &mut Go<'_>) -> Answer {
    let (side, mv) = (call.side(0)?, call.read(call.arg(1, "a move")?)?);
    Ok(u8::from(seen_by(call, side).objection(mv).is_none()).to_string())
}

/// The answer to `all_legal`: all moves but the pass.
pub(super) fn all_legal(call: &mut Go<'_>) -> Answer {
    let position = seen_by(call, call.side(0)?);
    let moves = (0..position.points()).map(Move::at).filter(|&mv| position.objection(mv).is_none());
    Ok(moves.map(|mv| call.show(mv)).collect::<Vec<_>>().join(" "))
}

/// The answer to `list_stones`.
pub(super) fn list_stones(call: &mut Go<'_>) -> Answer {
    let (side, position) = (call.side(0)?, call.session.core().position());
    let stones = (0..position.points()).filter(|&point| position.stone(point) == Some(side));
    Ok(stones.map(|point| call.show_point(point)).collect::<Vec<_>>().join(" "))
}

/// The answer to `set_position`: without stones the board is empty.
pub(super) fn set_position(call: &mut Go<'_>) -> Answer {
    let stones = play::occupants(call, 0)?;
    call.session.set_up(&stones).map_err(Refusal::new)?;
    Ok(String::new())
}
