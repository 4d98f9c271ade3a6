//! How many stones a side is short of joining its edges: a glance that tells where a search for connections finds
//! nothing.

use crate::game::Side;
use crate::games::hex::board::{Board, Cell};

/// Fewest stones with which `side` joins its edges if each lies next to the one before, or a bridge away from it, and the
/// opponent only ever intrudes into bridges; `None` if there are none. Bridges may share cells, so that 0 proves nothing.
pub(crate) fn distance(board: &Board, side: Side) -> Option<u32> {
    let (one, other) = board.edges(side);
    let (start, goal) = (board.chain(one), board.chain(other));
    if start == goal {
        return Some(0);
    }
    let begins = |place: Cell| board.side_at(place) == Some(side) && board.chain(place) == start;
    let mut seen = vec![false; board.places()];
    // Places at the distance that is looked at, and cells one stone further.
    let (mut here, mut next) = (Vec::new(), Vec::new());
    for place in (0..board.points()).map(|cell| board.place(cell)) {
        let list = match board.side_at(place) {
            None => &mut next,
            Some(owner) if owner == side => &mut here,
            _ => continue,
        };
        if begins(place) || steps(board, place).any(begins) {
            seen[usize::from(place)] = true;
            list.push(place);
        }
    }
    for stones in 0.. {
        while let Some(place) = here.pop() {
            for to in steps(board, place) {
                let list = match board.side_at(to) {
                    None => &mut next,
                    Some(owner) if owner != side => continue,
                    Some(_) if board.chain(to) == goal => return Some(stones),
                    // The edge itself, or a stone of its chain, which has been looked at.
                    Some(_) if board.chain(to) == start => continue,
                    Some(_) => &mut here,
                };
                if !std::mem::replace(&mut seen[usize::from(to)], true) {
                    list.push(to);
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        std::mem::swap(&mut here, &mut next);
    }
    None
}

/// The neighbours of a place that is not border, and the places across its bridges.
fn steps(board: &Board, place: Cell) -> impl Iterator<Item = Cell> {
    let around = board.neighbours(place);
    let across = (0..6).map(move |k| [around[k], around[(k + 1) % 6]]).filter_map(move |pair| {
        let empty = pair.iter().all(|&cell| board.side_at(cell).is_none());
        // The other neighbour that two cells side by side have in common.
        empty.then(|| pair[0] + pair[1] - place)
    });
    around.into_iter().chain(across)
}
