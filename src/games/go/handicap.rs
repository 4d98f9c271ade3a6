//! Where fixed handicap stones stand (GTP 2, section 4.1.1), and a good order for free ones.

use crate::games::Size;

/// Point numbers of a fixed handicap of 2 to 9 stones, in the standard order; `None` where GTP does not allow it:
/// boards below 7, more than four stones on even or 7-line boards, rectangles.
pub fn fixed(size: Size, stones: usize) -> Option<Vec<usize>> {
    let n = size.width;
    if size.width != size.height || n < 7 || !(2..=most_fixed(size)).contains(&stones) {
        return None;
    }
    let near = if n < 13 { 2 } else { 3 };
    let (far, middle) = (n - 1 - near, n / 2);
    // Rows count from the top: `far` is the lower edge.
    let (left, right, top, bottom) = (near, far, near, far);
    let corners = [(left, bottom), (right, top), (left, top), (right, bottom)];
    let mut points: Vec<(usize, usize)> = corners[..stones.min(4)].to_vec();
    if stones >= 6 {
        points.extend([(left, middle), (right, middle)]);
    }
    if stones >= 8 {
        points.extend([(middle, top), (middle, bottom)]);
    }
    if stones % 2 == 1 && stones >= 5 {
        points.push((middle, middle));
    }
    Some(points.into_iter().map(|(x, y)| size.index(x, y)).collect())
}

/// Largest fixed handicap of a board; 0 where there is none.
pub fn most_fixed(size: Size) -> usize {
    match (size.width, size.height) {
        (w, h) if w != h || w < 7 => 0,
        (7, _) => 4,
        (w, _) if w % 2 == 0 => 4,
        _ => 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(n: usize, stones: usize) -> Vec<String> {
        let size = Size::square(n);
        let letters = b"ABCDEFGHJKLMNOPQRST";
        fixed(size, stones)
            .unwrap()
            .into_iter()
            .map(|p| format!("{}{}", letters[size.xy(p).0] as char, n - size.xy(p).1))
            .collect()
    }

    #[test]
    fn nineteen() {
        assert_eq!(names(19, 2), ["D4", "Q16"]);
        assert_eq!(names(19, 5), ["D4", "Q16", "D16", "Q4", "K10"]);
        assert_eq!(names(19, 7), ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K10"]);
        assert_eq!(names(19, 9).len(), 9);
    }

    #[test]
    fn small_boards() {
        assert_eq!(names(9, 4), ["C3", "G7", "C7", "G3"]);
        assert_eq!(fixed(Size::square(6), 2), None);
        assert_eq!(fixed(Size::square(8), 5), None);
        assert_eq!(fixed(Size::square(7), 5), None);
        assert_eq!(fixed(Size::square(9), 1), None);
        assert_eq!(fixed(Size::square(9), 10), None);
        assert_eq!(fixed(Size { width: 9, height: 13 }, 2), None);
    }
}
