//! Commands that show what is inside: virtual connections, inferior cells and must-play regions, in the forms that HexGui
//! draws.

use crate::game::Side;
use crate::games::hex::{
    Chart, ConnectionEnd, FillIn, Inferior, InferiorCells, NoChart, Position, Strength, VirtualConnection,
};
use crate::protocol::call::{Call, Command, off_board, rows};
use crate::protocol::reply::{Answer, Refusal};
use crate::protocol::vertex;
use crate::session::HexSession;

type Hex<'a> = Call<'a, HexSession>;

/// Smallest share of a cell in the power of all, in percent, that is shown.
const LEAST_SHOWN: f32 = 0.5;

/// The rows of these commands.
pub(super) fn commands() -> Vec<Command<HexSession>> {
    rows![
        "compute-fillin" "COLOUR" "Cells that can be filled in: dead ones (fd) and captured ones (fc), with their colour (b, w)."
            |call| inferior(call, |position, _, _| Some(position.fill_ins()));
        "compute-dominated" "COLOUR" "Cells where COLOUR need not play, each with one that is as good: id[POINT]."
            |call| inferior(call, |position, side, _| Some(position.dominations(side)));
        "compute-vulnerable" "COLOUR"
            "Cells where one answer makes a stone of COLOUR dead, each with those answers: iv[POINT-POINT]."
            vulnerable;
        "compute-inferior" "COLOUR" "Cells of compute-fillin, and those of compute-dominated once they are filled in."
            |call| inferior(call, |position, side, _| Some(position.inferior_cells(side)));
        "vc-build" "COLOUR" "Cells of compute-inferior, and those that stop no threat of the opponent to win: x."
            |call| inferior(call, |position, side, halted| position.needless_cells(side, true, halted));
        "vc-get-mustplay" "COLOUR" "As vc-build, without dominated cells."
            |call| inferior(call, |position, side, halted| position.needless_cells(side, false, halted));
        "vc-between-cells-full" "COLOUR END END"
            "Virtual connections of two ends that hold if the opponent moves first. Ends are points, or north, south, west, east."
            |call| between(call, Strength::Full);
        "vc-between-cells-semi" "COLOUR END END" "Virtual connections of two ends that need a move, which comes last."
            |call| between(call, Strength::Semi);
        "vc-connected-to-full" "COLOUR END" "Ends that have a connection of vc-between-cells-full with that one."
            |call| connected(call, Strength::Full);
        "vc-connected-to-semi" "COLOUR END" "Ends that have a connection of vc-between-cells-semi with that one."
            |call| connected(call, Strength::Semi);
        "vc-intersection-full" "COLOUR END END" "Cells that all connections of vc-between-cells-full need."
            |call| cells(call, Strength::Full, true);
        "vc-intersection-semi" "COLOUR END END" "Cells that all connections of vc-between-cells-semi need."
            |call| cells(call, Strength::Semi, true);
        "vc-union-full" "COLOUR END END" "Cells that some connection of vc-between-cells-full needs."
            |call| cells(call, Strength::Full, false);
        "vc-union-semi" "COLOUR END END" "Cells that some connection of vc-between-cells-semi needs."
            |call| cells(call, Strength::Semi, false);
        "eval-resist-cells" "COLOUR"
            "Power that cells take in the circuit of COLOUR's connections, in percent of all; from half a percent on." energy;
        "group-get" "POINT" "The chain of the stone there." chain;
    ]
}

/// HexGui's menu of these commands.
pub(super) const MENU: &str = "inferior/Consider Set/vc-build %m\n\
    inferior/Must-play Region/vc-get-mustplay %m\n\
    inferior/Inferior Cells/compute-inferior %m\n\
    inferior/Fill-in/compute-fillin %m\n\
    inferior/Dominated Cells/compute-dominated %m\n\
    inferior/Vulnerable Cells/compute-vulnerable %m\n\
    vc/Connections of Two Cells/vc-between-cells-full %c %P\n\
    vc/Connections of Two Cells by a Move/vc-between-cells-semi %c %P\n\
    vc/Black's Edges/vc-between-cells-full black north south\n\
    vc/Black's Edges by a Move/vc-between-cells-semi black north south\n\
    vc/White's Edges/vc-between-cells-full white west east\n\
    vc/White's Edges by a Move/vc-between-cells-semi white west east\n\
    plist/Connected with a Cell/vc-connected-to-full %c %p\n\
    plist/Connected with a Cell by a Move/vc-connected-to-semi %c %p\n\
    plist/Cells of All Connections/vc-intersection-full %c %P\n\
    plist/Cells of All Connections by a Move/vc-intersection-semi %c %P\n\
    plist/Cells of Any Connection/vc-union-full %c %P\n\
    plist/Cells of Any Connection by a Move/vc-union-semi %c %P\n\
    pspairs/Energy of Cells/eval-resist-cells %c\n\
    group/Chain/group-get %p";

fn unfinished() -> Refusal {
    "not all connections were found: interrupted, too many, or it takes longer than --answer-time or the clock allows"
        .into()
}

/// Pairs of a cell and a word for what it is.
fn inferior(call: &mut Hex<'_>, look: fn(&Position, Side, &dyn Fn() -> bool) -> Option<InferiorCells>) -> Answer {
    let side = call.side(0)?;
    let cells =
        call.session.look(Some(side), |position, halted| look(position, side, halted)).ok_or_else(unfinished)?;
    let colour = |side| vertex::letter(side).to_ascii_lowercase();
    let word = |why| match why {
        Inferior::Filled(FillIn::Dead, owner) => format!("fd{}", colour(owner)),
        Inferior::Filled(FillIn::Captured, owner) => format!("fc{}", colour(owner)),
        Inferior::Dominated(by) => format!("id[{}]", call.show_point(by)),
        Inferior::OutsideMustPlay => "x".to_owned(),
    };
    let pairs = cells.into_iter().map(|(cell, why)| format!("{} {}", call.show_point(cell), word(why)));
    Ok(pairs.collect::<Vec<_>>().join(" "))
}

fn vulnerable(call: &mut Hex<'_>) -> Answer {
    let side = call.side(0)?;
    let cells = call.session.look(Some(side), |position, _| position.vulnerable_cells(side));
    let pairs = cells.into_iter().map(|(cell, killers)| {
        let killers: Vec<_> = killers.into_iter().map(|killer| call.show_point(killer)).collect();
        format!("{} iv[{}]", call.show_point(cell), killers.join("-"))
    });
    Ok(pairs.collect::<Vec<_>>().join(" "))
}

/// An end of a connection of `side`.
fn end(call: &Hex<'_>, side: Side, number: usize) -> Result<ConnectionEnd, Refusal> {
    let word = call.arg(number, "a point of the board, north, south, west or east")?;
    let edge = EDGES.iter().find(|edge| edge.0.eq_ignore_ascii_case(word));
    match edge {
        Some(&(_, owner, end)) if owner == side => Ok(end),
        Some((name, ..)) => Err(Refusal::new(format_args!("{name} is no edge of {}", vertex::word(side)))),
        None => {
            let cell = call.desk.notation.read(call.size(), word).ok_or_else(|| off_board(word))?;
            Ok(ConnectionEnd::Cell(cell))
        }
    }
}

const EDGES: [(&str, Side, ConnectionEnd); 4] = [
    ("north", Side::First, ConnectionEnd::FirstEdge),
    ("south", Side::First, ConnectionEnd::LastEdge),
    ("west", Side::Second, ConnectionEnd::FirstEdge),
    ("east", Side::Second, ConnectionEnd::LastEdge),
];

fn show_end(call: &Hex<'_>, side: Side, end: ConnectionEnd) -> String {
    let edge = EDGES.iter().find(|edge| (edge.1, edge.2) == (side, end));
    match end {
        ConnectionEnd::Cell(cell) => call.show_point(cell),
        _ => edge.map_or_else(String::new, |edge| edge.0.to_owned()),
    }
}

/// The ends of a connection as it is drawn. HexGui has no field for an edge, and draws nothing where it finds one: for it
/// the nearest cell of the carrier, or the other end, stands for the edge.
fn drawn_ends(call: &Hex<'_>, side: Side, ends: [ConnectionEnd; 2], carrier: &[usize]) -> [ConnectionEnd; 2] {
    let others = ends.iter().filter_map(|&end| if let ConnectionEnd::Cell(cell) = end { Some(cell) } else { None });
    let cells = || carrier.iter().copied().chain(others.clone());
    let line = |&cell: &usize| if side == Side::First { call.size().xy(cell).1 } else { call.size().xy(cell).0 };
    let nearest = |end: ConnectionEnd| match end {
        ConnectionEnd::Cell(_) => None,
        ConnectionEnd::FirstEdge => cells().min_by_key(line),
        ConnectionEnd::LastEdge => cells().max_by_key(line),
    };
    ends.map(|end| nearest(end).filter(|_| call.session.is_hexgui()).map_or(end, ConnectionEnd::Cell))
}

/// Looks at the connections of `side`.
fn look<R>(call: &mut Hex<'_>, side: Side, question: impl FnOnce(&dyn Chart) -> Option<R>) -> Result<R, Refusal> {
    let found = call
        .session
        .look(Some(side), |position, halted| position.connections(side, halted).map(|chart| question(&*chart)));
    let chart = found.map_err(|why| match why {
        NoChart::Halted => unfinished(),
        NoChart::Decided => {
            "the game is decided once inferior cells are filled in: nothing is left to be connected".into()
        }
    })?;
    let whose = vertex::word(side);
    chart.ok_or_else(|| {
        Refusal::new(format_args!("an end is not {whose}'s: an opponent's stone is there, or filled in"))
    })
}

/// The side, two ends, and their connections.
fn connections(
    call: &mut Hex<'_>,
    strength: Strength,
) -> Result<(Side, [ConnectionEnd; 2], Vec<VirtualConnection>), Refusal> {
    let side = call.side(0)?;
    let ends = [end(call, side, 1)?, end(call, side, 2)?];
    let found = look(call, side, |chart| chart.between(strength, ends))?;
    Ok((side, ends, found))
}

fn between(call: &mut Hex<'_>, strength: Strength) -> Answer {
    let (side, ends, found) = connections(call, strength)?;
    let kind = if strength == Strength::Full { "full" } else { "semi" };
    let line = |VirtualConnection { carrier, key }: &VirtualConnection| {
        let cells: String = carrier.iter().map(|&cell| format!(" {}", call.show_point(cell))).collect();
        let key = key.map_or_else(String::new, |key| format!(" {}", call.show_point(key)));
        let [from, to] = drawn_ends(call, side, ends, carrier).map(|end| show_end(call, side, end));
        format!("{} {from} {to} {kind} h-search [{cells} ] [ ]{key}", vertex::word(side))
    };
    Ok(found.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn connected(call: &mut Hex<'_>, strength: Strength) -> Answer {
    let side = call.side(0)?;
    let from = end(call, side, 1)?;
    let ends = look(call, side, |chart| chart.connected(strength, from))?;
    let drawn = |end: &ConnectionEnd| !call.session.is_hexgui() || matches!(end, ConnectionEnd::Cell(_));
    let shown = ends.into_iter().filter(drawn).map(|end| show_end(call, side, end));
    Ok(shown.collect::<Vec<_>>().join(" "))
}

fn cells(call: &mut Hex<'_>, strength: Strength, common: bool) -> Answer {
    let (_, _, found) = connections(call, strength)?;
    let needed = |cell: &usize| {
        let mut carriers = found.iter().map(|connection| connection.carrier.contains(cell));
        if common { !found.is_empty() && carriers.all(|has| has) } else { carriers.any(|has| has) }
    };
    let cells = (0..call.size().points()).filter(needed);
    Ok(cells.map(|cell| call.show_point(cell)).collect::<Vec<_>>().join(" "))
}

fn energy(call: &mut Hex<'_>) -> Answer {
    let side = call.side(0)?;
    let powers = look(call, side, |chart| Some(chart.powers()))?;
    let shares = powers.into_iter().map(|power| 100.0 * power).enumerate().filter(|&(_, share)| share >= LEAST_SHOWN);
    Ok(shares.map(|(cell, share)| format!("{} {share:.1}", call.show_point(cell))).collect::<Vec<_>>().join(" "))
}

fn chain(call: &mut Hex<'_>) -> Answer {
    let cell = call.point(0)?;
    let cells = call.session.look(None, |position, _| position.chain(cell));
    Ok(cells.into_iter().map(|cell| call.show_point(cell)).collect::<Vec<_>>().join(" "))
}
