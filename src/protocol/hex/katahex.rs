//! Commands of KataHex's: stones set up, what a model says of them without a search, and searches with a report on standard error.

use std::fmt::Write;

use crate::game::Side;
use crate::games::hex::Move;
use crate::protocol::call::{Call, Command, expected, rows};
use crate::protocol::reply::{Answer, Refusal};
use crate::protocol::{play, raw, vertex};
use crate::search::Report;
use crate::session::{Asked, Choice, HexSession, SearchOptions, Session};

type Hex<'a> = Call<'a, HexSession>;

/// Number of KataHex's symmetries, of which the bit 2 is half a turn and the others are nothing.
const SYMMETRIES: usize = 8;
const HALF_TURN: usize = 2;
/// Most moves of a report.
const MOST_SHOWN: usize = 10;

/// The rows of these commands.
pub(super) fn commands() -> Vec<Command<HexSession>> {
    rows![
        "set_position" "[COLOUR POINT ...]" "Begins a game with those stones and no others, Black to move; 'pass' in the place of a point is none."
            set_position;
        "kata-raw-nn" "[COLOUR] SYMMETRY|all" "What a model says of the position without a search: its policy, or shares by its values of the moves."
            raw_evaluation;
        "genmove_debug" "COLOUR" "As genmove, but never resigns while there is an empty cell; reports on standard error."
            |call| debug(call, Asked::Play);
        "search_debug" "COLOUR" "As genmove_debug, and does not play the move." |call| debug(call, Asked::Only);
    ]
}

fn set_position(call: &mut Hex<'_>) -> Answer {
    if !call.count().is_multiple_of(2) {
        return Err("syntax error: expected colours and points in turn".into());
    }
    let mut stones = Vec::new();
    for number in (0..call.count()).step_by(2) {
        let side = call.side(number)?;
        if !call.line.args[number + 1].eq_ignore_ascii_case("pass") {
            stones.push((side, call.point(number + 1)?));
        }
    }
    let stones = play::each_once(call, stones)?;
    call.session.set_up(&stones).map_err(Refusal::new)?;
    Ok(String::new())
}

fn raw_evaluation(call: &mut Hex<'_>) -> Answer {
    let side = call.line.args.first().and_then(|word| vertex::colour(word).ok());
    let which = call.arg(usize::from(side.is_some()), "a symmetry or 'all'")?;
    let symmetries = match which.parse() {
        _ if which == "all" => 0..SYMMETRIES,
        Ok(symmetry) if symmetry < SYMMETRIES => symmetry..symmetry + 1,
        _ => return Err(expected("'all' or a symmetry from 0 to 7", which)),
    };
    // There are two of them at most, whatever the symmetry is called.
    let mut glances = [const { None }; 2];
    let shown = symmetries.map(|symmetry| {
        let turned = usize::from(symmetry & HALF_TURN != 0);
        let (cells, evaluation) = glances[turned].get_or_insert_with(|| call.session.glance(side, turned));
        let left = 1.0 - evaluation.elsewhere;
        let share = |point: usize| cells.binary_search(&point).ok().map(|place| left * evaluation.policy[place]);
        let view = raw::Shown { symmetry, size: call.size(), of_people: false };
        view.text(&share, evaluation.elsewhere, evaluation)
    });
    Ok(shown.collect::<Vec<_>>().join("\n"))
}

fn debug(call: &mut Hex<'_>, asked: Asked) -> Answer {
    let side = call.side(0)?;
    if call.session.winner().is_some() {
        let (cells, evaluation) = call.session.glance(Some(side), 0);
        let best = (0..cells.len()).max_by(|&a, &b| evaluation.policy[a].total_cmp(&evaluation.policy[b]));
        let Some(best) = best else { return Ok("pass".to_owned()) };
        if asked == Asked::Play {
            play::check_length(call)?;
            call.session.play(side, Move::at(cells[best])).map_err(Refusal::new)?;
        }
        return Ok(call.show_point(cells[best]));
    }
    play::check_length(call)?;
    let chosen = call.session.choose(side, asked, &SearchOptions::default(), &mut |_| ());
    if let Some(report) = &chosen.report {
        call.out.remark(&told(call, report));
    }
    let best = chosen.report.as_ref().and_then(|report| report.moves.first()).map(|best| best.mv);
    match (chosen.choice, best) {
        (Choice::Resign, Some(mv)) => {
            call.session.play(side, mv).map_err(Refusal::new)?;
            Ok(call.show(mv))
        }
        _ => Ok(play::show_choice(call, &chosen)),
    }
}

/// A report of a search in the form of KataHex's.
fn told(call: &Hex<'_>, report: &Report<Move>) -> String {
    let percent = |winrate: f32| 200.0 * winrate - 100.0;
    let mut text = format!(
        "Time taken: {:.6}\nRoot visits: {}\nNew playouts: {}\nTree:\n: W {:6.2}c N {:7}\n---{}---",
        report.elapsed.as_secs_f64(),
        report.visits,
        report.nodes,
        percent(report.winrate),
        report.visits,
        if report.to_move == Side::First { "Black" } else { "White" },
    );
    for entry in report.moves.iter().take(MOST_SHOWN) {
        let line: Vec<String> = entry.pv.iter().map(|&mv| call.show(mv)).collect();
        let (name, share) = (call.show(entry.mv), 100.0 * entry.prior);
        let winrate = percent(entry.winrate);
        _ = write!(text, "\n{name:4}: W {winrate:6.2}c P {share:5.2}% N {:7}  --  {}", entry.visits, line.join(" "));
    }
    text
}
