//! Knowledge of a position of Hex that needs no search of its moves: chains of bridges, inferior cells, virtual connections.
//! Nothing here knows of the swap.

use super::board::Board;
use super::connection::{self, Cells, Edges, Findings, Until, with_words};
use super::inferior;
use super::moves::Move;
use crate::game::{Side, Verdict};

/// Most stones that a side may be short of joining its edges for its connections to be searched, if it is to move and if
/// it is not: with more, hardly one search in a thousand finds that it can, and one in twenty-five that it threatens to
/// (docs/log/solving.md).
const NEAR_TO_MOVE: u32 = 3;
const NEAR: u32 = 4;

/// The side that wins whoever moves, and in how many moves at most: a chain of bridges from edge to edge takes at most the
/// empty cells. The side to move, which is named, is asked last.
pub(super) fn proven(board: &Board, to_move: Side) -> Option<(Side, u32)> {
    if let Some(winner) = board.winner() {
        return Some((winner, 0));
    }
    let mut roots = Vec::new();
    [to_move.opponent(), to_move]
        .into_iter()
        .find(|&side| board.may_be_bridged(side) && board.bridge_chains(side, &mut roots))
        .map(|side| (side, (board.points() - board.stones()) as u32))
}

/// Marks the moves of `side` after which [`proven`] may say something.
///
/// With bridges and ziggurats that may share cells, more is joined than with those that may not. The move adds those of its
/// own stone, and takes some of the opponent's away.
pub(super) fn decisive(board: &Board, side: Side, moves: &[Move], decisive: &mut Vec<bool>) {
    decisive.clear();
    let mut roots = Vec::new();
    let suffices = |cell| board.may_be_bridged_with(side, 1 << board.line(cell, side));
    let other = side.opponent();
    if board.may_be_bridged(other) && board.bridge(other, false, &mut roots) {
        decisive.resize(moves.len(), true);
    } else if moves.iter().all(|mv| mv.cell().is_some_and(|cell| !suffices(cell))) {
        decisive.resize(moves.len(), false);
    } else {
        let any = board.bridge(side, false, &mut roots);
        let may = |cell| suffices(cell) && (any || board.would_join(cell, side, &roots));
        decisive.extend(moves.iter().map(|mv| mv.cell().is_none_or(may)));
    }
}

/// Verdicts on the moves of `side`, all of them open before: it wins with a threat of its own, and loses outside the cells
/// that all of its opponent's threats have in common.
pub(super) fn solved(board: &Board, side: Side, findings: &Findings, moves: &[Move], verdicts: &mut [Verdict]) {
    if let Some(number) = moves.iter().position(|mv| mv.cell().is_some_and(|cell| board.connects(cell, side))) {
        verdicts[number] = Verdict::Decided(side, 0);
        return;
    }
    with_words!(board.points(), W => solved_within::<W>(board, side, findings, moves, verdicts));
}

/// [`solved`] with sets of `W` words, where no single move ends the game.
fn solved_within<const W: usize>(
    board: &Board,
    side: Side,
    findings: &Findings,
    moves: &[Move],
    verdicts: &mut [Verdict],
) {
    let mut board = board.clone();
    let filled = inferior::fill_in::<W>(&mut board);
    if let Some(winner) = board.winner() {
        let length = filled.len();
        verdicts.fill(Verdict::Decided(winner, length));
        return;
    }
    let search = |side, until, most| {
        let near = connection::distance(&board, side).is_some_and(|stones| stones <= most);
        if near { connection::edges::<W>(findings, &board, side, until) } else { Edges::default() }
    };
    let own = search(side, Until::Threat, NEAR_TO_MOVE);
    if let Some(carrier) = own.joined {
        // Every move wins; those within the carrier get on with it.
        for (mv, verdict) in moves.iter().zip(verdicts.iter_mut()) {
            let aside = mv.cell().is_none_or(|cell| !carrier.has(cell));
            *verdict = Verdict::Decided(side, carrier.len() + filled.len() + u32::from(aside));
        }
        return;
    }
    if let Some((key, carrier)) = own.threats.first() {
        if let Some(number) = moves.iter().position(|mv| mv.cell() == Some(*key)) {
            verdicts[number] = Verdict::Decided(side, carrier.len() + filled.len() - 1);
        }
        return;
    }
    let theirs = search(side.opponent(), Until::Joined, NEAR);
    let dominated = if theirs.joined.is_some() { Cells::default() } else { inferior::dominated::<W>(&board, side) };
    let must_play = theirs.joined.map(|_| Cells::default()).or_else(|| theirs.must_play());
    for (mv, verdict) in moves.iter().zip(verdicts.iter_mut()) {
        let Some(cell) = mv.cell() else { continue };
        // A stone in a filled cell may still take two moves to answer, so that it only wins if another does.
        let aside = theirs.joined.is_none() && filled.has(cell);
        if aside || must_play.is_none_or(|must_play| must_play.has(cell)) {
            if aside || dominated.has(cell) {
                *verdict = Verdict::Needless;
            }
            continue;
        }
        let threats = theirs.threats.iter().filter(|threat| !threat.1.has(cell)).map(|threat| threat.1.len());
        let joined = theirs.joined.map(|carrier| carrier.len());
        if let Some(length) = threats.chain(joined).min() {
            *verdict = Verdict::Decided(side.opponent(), length + filled.len());
        }
    }
}
