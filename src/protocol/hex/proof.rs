//! Commands of the solver, and the picture of its work that HexGui draws.

use std::fmt::Write;

use crate::game::Side;
use crate::games::Size;
use crate::games::hex::{Move, Position};
use crate::protocol::call::{Call, Command, expected, rows};
use crate::protocol::reply::{Answer, Refusal};
use crate::protocol::vertex::{self, Notation};
use crate::session::HexSession;
use crate::session::hex::{ProofState, Unproved};

type Hex<'a> = Call<'a, HexSession>;

/// Longest line that is drawn.
const LONGEST_DRAWN: usize = 12;
/// The picture of a proof that has not begun.
const NO_PICTURE: &str = "gogui-gfx:\ndfpn\nVAR\nLABEL\nTEXT 0 states";
/// Largest proof number that is written out.
const LARGEST_WRITTEN: f32 = 999.0;

/// The rows of these commands.
pub(super) fn commands() -> Vec<Command<HexSession>> {
    rows![
        "dfpn-solve-state" "COLOUR" "Who wins with COLOUR to move, without a swap; not longer than --answer-time or until '# interrupt'." solve_state;
        "dfpn-solver-find-winning" "COLOUR" "All moves that win for COLOUR." find_winning;
        "dfpn-clear-tt" "" "Forgets what the solver has proved."
            |call| {
                call.session.clear_proofs();
                Ok(String::new())
            };
        "param_dfpn" "[use_guifx 0|1]" "Whether dfpn-solve-state draws what it does in HexGui, or says so." param;
    ]
}

fn param(call: &mut Hex<'_>) -> Answer {
    if call.count() == 0 {
        return Ok(format!("[bool] use_guifx {}", u8::from(call.session.shows_proofs())));
    }
    let shown = match (call.arg(0, "use_guifx")?, call.arg(1, "its value")?) {
        ("use_guifx", "0") => false,
        ("use_guifx", "1") => true,
        ("use_guifx", other) => return Err(expected("0 or 1", other)),
        (other, _) => return Err(Refusal::new(format_args!("unknown parameter '{other}'"))),
    };
    call.session.show_proofs(shown);
    Ok(String::new())
}

fn solve_state(call: &mut Hex<'_>) -> Answer {
    let side = call.side(0)?;
    let (notation, size, shown) = (call.desk.notation, call.size(), call.session.shows_proofs());
    let (out, mut last) = (&mut *call.out, NO_PICTURE.to_owned());
    let proved = call.session.solve(side, &mut |state| {
        if shown {
            last = picture(notation, size, side, state);
            out.send(&last);
        }
    });
    match proved {
        Ok(winner) => Ok(vertex::word(winner).to_owned()),
        // A refusal makes HexGui's calculator analyse the position instead, which is not for somebody who has just stopped it.
        Err(Unproved::Interrupted) if shown => Ok("not known: interrupted".to_owned()),
        // *Solve Position* asks for pictures too once the calculator has, and shows no refusal.
        Err(why) if shown => {
            let told = refusal(why);
            out.send(&format!("{}; {}\n\n", last.trim_end(), told.0));
            Err(told)
        }
        // Without pictures nobody sees a refusal.
        Err(why) if call.session.is_hexgui() => Ok(refusal(why).0),
        Err(why) => Err(refusal(why)),
    }
}

fn refusal(_: Unproved) -> Refusal {
    "not solved: interrupted, or it takes longer than --answer-time or the clock allows".into()
}

fn find_winning(call: &mut Hex<'_>) -> Answer {
    let side = call.side(0)?;
    let moves = call.session.winning_moves(side).map_err(refusal)?;
    Ok(moves.into_iter().map(|mv| call.show(mv)).collect::<Vec<_>>().join(" "))
}

/// A block of live graphics: the line, the moves with their proof numbers, of the side to move and of the other, or with
/// their result, and how far the proof is. HexGui breaks labels at `@`.
fn picture(notation: Notation, size: Size, side: Side, state: &ProofState) -> String {
    let name = |mv: Move| notation.show_move::<Position>(size, mv);
    let mut text = String::from("gogui-gfx:\ndfpn\nVAR");
    let mut mover = side;
    for &mv in state.line.iter().take(LONGEST_DRAWN) {
        let _ = write!(text, " {} {}", vertex::letter(mover), name(mv));
        mover = mover.opponent();
    }
    // A label would hide the number of a move in the line; the first one is known without.
    let follows = |mv: Move| state.line.iter().take(LONGEST_DRAWN).skip(1).any(|&other| other == mv);
    text.push_str("\nLABEL");
    for &(mv, effort) in state.open.iter().filter(|(mv, _)| !follows(*mv)) {
        let [mine, theirs] = [side, side.opponent()].map(|side| shortened(effort[side.index()]));
        let _ = write!(text, " {} {mine}@{theirs}", name(mv));
    }
    let results = state.won.iter().map(|mv| (mv, 'W')).chain(state.lost.iter().map(|mv| (mv, 'L')));
    results.filter(|(mv, _)| !follows(**mv)).for_each(|(&mv, result)| _ = write!(text, " {} {result}", name(mv)));
    let _ = write!(text, "\nTEXT {} states, {:.1} s", state.nodes, state.elapsed.as_secs_f64());
    if let Some([black, white]) = state.effort {
        let _ = write!(text, ", proof numbers: {black:.0} for black, {white:.0} for white");
    }
    text + "\n\n"
}

/// A proof number in a few characters.
fn shortened(number: f32) -> String {
    match number {
        ..=LARGEST_WRITTEN => format!("{number:.0}"),
        _ => format!("{:.0}k", number / 1000.0),
    }
}
