//! 3x3 patterns around an empty point: the well-known set of Gelly, Wang, Munos and Teytaud (MoGo, 2006),
//! as one table over the codes of the eight neighbours. Knows nothing of when to play them.

use std::sync::LazyLock;

use super::board::{Board, Point, Stone};

/// Each pattern is drawn top to bottom; `X` and `O` are the two colours either way round, `.` empty, `x` not X,
/// `o` not O (both may be off the board), `?` anything, ` ` off the board. All rotations, reflections and colour swaps are meant.
const PATTERNS: [&str; 13] = [
    // Hane: enclosing, non-cutting, magari, with support.
    "XOX...???",
    "XO....?.?",
    "XO?X..x.?",
    ".O.X.....",
    // Cut: unprotected, peeped, de.
    "XO?O.o?o?",
    "XO?O.X???",
    "?X?O.Oooo",
    "OX?o.O???",
    // Side: chase, block, cut, sagari, cut of sagari.
    "X.?O.?   ",
    "OX?X.O   ",
    "?X?x.O   ",
    "?XOx.x   ",
    "?OXX.O   ",
];

/// Bit `code`: whether the eight neighbours with that code form a pattern.
static TABLE: LazyLock<Vec<u64>> = LazyLock::new(build);

/// Code of the eight neighbours: two bits each ([`Stone`]'s number), row by row from the top-left.
#[inline]
fn code(board: &Board, point: Point) -> usize {
    let [up, left, right, down] = board.neighbours(point);
    let around = [up - 1, up, up + 1, left, right, down - 1, down, down + 1];
    let mut code = 0;
    for n in around {
        code = code << 2 | board.stone(n) as usize;
    }
    code
}

/// Whether a stone at the empty point `point` makes one of the patterns, for either side.
#[inline]
pub(crate) fn matches(board: &Board, table: &PatternTable, point: Point) -> bool {
    let code = code(board, point);
    table.0[code / 64] >> (code % 64) & 1 != 0
}

/// The table, fetched once per thread so that the hot path does not look at the lazy cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatternTable(&'static [u64]);

impl PatternTable {
    pub(crate) fn get() -> Self {
        Self(&TABLE)
    }
}

fn accepts(pattern: u8, stone: Stone, swapped: bool) -> bool {
    let (x, o) = if swapped { (Stone::Second, Stone::First) } else { (Stone::First, Stone::Second) };
    match pattern {
        b'X' => stone == x,
        b'O' => stone == o,
        b'.' => stone == Stone::Empty,
        b'x' => stone != x,
        b'o' => stone != o,
        b' ' => stone == Stone::Border,
        _ => true,
    }
}

/// The eight symmetries of a 3x3 square as index lists.
fn symmetries() -> Vec<[usize; 9]> {
    let mut all = Vec::new();
    for s in 0..8 {
        let mut map = [0; 9];
        for (i, target) in map.iter_mut().enumerate() {
            let (mut x, mut y) = (i % 3, i / 3);
            if s & 1 != 0 {
                x = 2 - x;
            }
            if s & 2 != 0 {
                y = 2 - y;
            }
            if s & 4 != 0 {
                std::mem::swap(&mut x, &mut y);
            }
            *target = y * 3 + x;
        }
        all.push(map);
    }
    all
}

const STONES: [Stone; 4] = [Stone::First, Stone::Second, Stone::Empty, Stone::Border];

fn build() -> Vec<u64> {
    let mut table = vec![0u64; 65_536 / 64];
    for pattern in PATTERNS.map(str::as_bytes) {
        for map in symmetries() {
            let mut turned = [0; 9];
            map.iter().zip(pattern).for_each(|(&place, &kind)| turned[place] = kind);
            for swapped in [false, true] {
                let mut codes = vec![0usize];
                for place in (0..9).filter(|&place| place != 4) {
                    let stones = STONES.into_iter().filter(|&stone| accepts(turned[place], stone, swapped));
                    codes = stones.flat_map(|stone| codes.iter().map(move |code| code << 2 | stone as usize)).collect();
                }
                codes.into_iter().for_each(|code| table[code / 64] |= 1 << (code % 64));
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::super::position::testing::position;
    use super::*;

    /// Each code by itself, against every drawing.
    #[test]
    fn the_table_says_what_is_drawn() {
        let symmetries = symmetries();
        for code in 0..65_536usize {
            let neighbour = |i: usize| STONES[code >> (2 * (7 - i)) & 3];
            // Index in the 3x3 square, the middle left out.
            let square = |i: usize| if i < 4 { neighbour(i) } else { neighbour(i - 1) };
            let found = PATTERNS.map(str::as_bytes).iter().any(|pattern| {
                symmetries.iter().any(|map| {
                    let fits = |swapped| (0..9).all(|i| i == 4 || accepts(pattern[i], square(map[i]), swapped));
                    fits(false) || fits(true)
                })
            });
            assert_eq!(TABLE[code / 64] >> (code % 64) & 1 != 0, found, "{code:016b}");
        }
    }

    fn at_centre(diagram: &str) -> bool {
        let go = position(diagram, Rules::CHINESE, 0.0);
        let size = go.size();
        let centre = go.board().point(size.index(size.width / 2, size.height / 2));
        matches(go.board(), &PatternTable::get(), centre)
    }

    #[test]
    fn hane_and_cut() {
        assert!(at_centre(". . . . .  . X O X .  . . . . .  . . . . .  . . . . ."));
        assert!(at_centre(". . . . .  . X O . .  . O . . .  . . . . .  . . . . ."));
        // The same, turned and with colours swapped.
        assert!(at_centre(". . . . .  . . . . .  . . . X .  . . X O .  . . . . ."));
    }

    #[test]
    fn lonely_points_do_not_match() {
        assert!(!at_centre(". . . . .  . . . . .  . . . . .  . . . . .  . . . . ."));
        assert!(!at_centre(". . . . .  . X X X .  . X . X .  . X X X .  . . . . ."));
    }

    #[test]
    fn block_on_the_side() {
        let go = position(". . .  O X .  X . O", Rules::CHINESE, 0.0);
        let point = go.board().point(7);
        assert!(matches(go.board(), &PatternTable::get(), point));
    }
}
