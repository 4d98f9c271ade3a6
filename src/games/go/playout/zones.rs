//! Zones of the board, which are the intermediate goals of playouts.

use crate::games::Size;

/// Lines of a zone.
const ZONE: usize = 3;

/// Number of zones along so many lines: the last one is wider where they do not divide evenly.
fn zones_along(lines: usize) -> usize {
    (lines / ZONE).max(1)
}

/// Number of zones of a board.
pub(in crate::games::go) fn zones(size: Size) -> usize {
    zones_along(size.width) * zones_along(size.height)
}

/// The points of a zone.
pub(super) fn zone(size: Size, number: usize) -> impl Iterator<Item = usize> {
    let range = |number: usize, lines: usize| {
        let last = number + 1 == zones_along(lines);
        number * ZONE..if last { lines } else { (number + 1) * ZONE }
    };
    let columns = range(number % zones_along(size.width), size.width);
    let rows = range(number / zones_along(size.width), size.height);
    rows.flat_map(move |row| columns.clone().map(move |column| size.index(column, row)))
}
