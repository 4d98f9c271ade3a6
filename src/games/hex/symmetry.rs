//! The symmetries of a Hex board: half a turn, and the reflection across the long diagonal that exchanges the colours.

use crate::games::Size;

/// Where half a turn takes a cell. Colours stay: each edge goes to the opposite one.
pub fn rotate(size: Size, index: usize) -> usize {
    size.points() - 1 - index
}

/// Where the reflection across the long diagonal takes a cell, on the board [`reflected`]. It takes each side's edges to
/// the other's, so stones change their colour with it.
pub fn reflect(size: Size, index: usize) -> usize {
    let (x, y) = size.xy(index);
    reflected(size).index(y, x)
}

/// The board after [`reflect`]: width and height exchanged.
pub fn reflected(size: Size) -> Size {
    Size { width: size.height, height: size.width }
}
