//! How many stones a side is short of joining its edges: a glance that tells where a search for connections finds
//! nothing.

use crate::game::{Game, Side};
use crate::games::hex::position::{Cell, Position};

/// Fewest stones with which `side` joins its edges if each lies next to the one before, or a bridge away from it, and the
/// opponent only ever intrudes into bridges; `None` if there are none. Bridges may share cells, so that 0 proves nothing.
pub(crate) fn distance(position: &Position, side: Side) -> Option<u32> {
    let (one, other) = position.edges(side);
    let (start, goal) = (position.chain(one), position.chain(other));
    if start == goal {
        return Some(0);
    }
    let begins = |place: Cell| position.side_at(place) == Some(side) && position.chain(place) == start;
    let mut seen = vec![false; position.places()];
    // Places at the distance that is looked at, and cells one stone further.
    let (mut here, mut next) = (Vec::new(), Vec::new());
    for place in (0..position.points()).map(|cell| position.place(cell)) {
        let list = match position.side_at(place) {
            None => &mut next,
            Some(owner) if owner == side => &mut here,
            _ => continue,
        };
        if begins(place) || steps(position, place).any(begins) {
            seen[usize::from(place)] = true;
            list.push(place);
        }
    }
    for stones in 0.. {
        while let Some(place) = here.pop() {
            for to in steps(position, place) {
                let list = match position.side_at(to) {
                    None => &mut next,
                    Some(owner) if owner != side => continue,
                    Some(_) if position.chain(to) == goal => return Some(stones),
                    // The edge itself, or a stone of its chain, which has been looked at.
                    Some(_) if position.chain(to) == start => continue,
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
fn steps(position: &Position, place: Cell) -> impl Iterator<Item = Cell> {
    let around = position.neighbours(place);
    let across = (0..6).map(move |k| [around[k], around[(k + 1) % 6]]).filter_map(move |pair| {
        let empty = pair.iter().all(|&cell| position.side_at(cell).is_none());
        // The other neighbour that two cells side by side have in common.
        empty.then(|| pair[0] + pair[1] - place)
    });
    around.into_iter().chain(across)
}
