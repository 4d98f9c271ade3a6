//! Game records: what SGF properties mean in Go and in Hex, both ways.

use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::reply::Refusal;
use super::sgf::{self, Node};
use super::vertex::{self, Notation};
use crate::game::{Game, Side};
use crate::games::{Size, go, hex};
use crate::session::core::Core;

/// Largest komi, for either side.
pub const LARGEST_KOMI: f32 = 1000.0;

/// A game read from a file: a start and legal moves.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    /// The position before the first move.
    pub start: G,
    /// The moves, each with its side.
    pub moves: Vec<(Side, G::Move)>,
}

/// Reads a file's main line.
///
/// # Errors
/// `cannot load file: ...` with the reason.
pub fn load(path: &str) -> Result<Vec<Node>, Refusal> {
    let refused = |why: &dyn std::fmt::Display| Refusal::new(format_args!("cannot load file: {path}: {why}"));
    // A pipe or a device could keep the session waiting for ever.
    let metadata = Path::new(path).metadata().map_err(|e| refused(&e))?;
    if !metadata.is_file() {
        return Err(refused(&"it is no ordinary file"));
    }
    let mut bytes = Vec::new();
    let limit = sgf::LARGEST as u64 + 1;
    File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)).map_err(|e| refused(&e))?;
    if bytes.len() > sgf::LARGEST {
        return Err(refused(&format_args!("it is larger than {} MiB", sgf::LARGEST >> 20)));
    }
    sgf::main_line(&String::from_utf8_lossy(&bytes)).map_err(|e| refused(&e))
}

/// Width and height from `SZ`.
fn size(node: &Node, usual: usize, most: usize) -> Result<Size, String> {
    let Some(text) = node.value("SZ") else { return Ok(Size::square(usual)) };
    let bad = || format!("board size '{text}' is not supported");
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    let parse = |s: &str| s.trim().parse().ok().filter(|n| (1..=most).contains(n)).ok_or_else(bad);
    Ok(Size { width: parse(width)?, height: parse(height)? })
}

fn check_game(node: &Node, number: &str, name: &str) -> Result<(), String> {
    match node.value("GM").unwrap_or("1").trim() {
        found if found == number => Ok(()),
        found => Err(format!("it is no game of {name}, its GM is {found}")),
    }
}

/// `B` and `W` of a node, in its order.
fn plays(node: &Node) -> impl Iterator<Item = (Side, &str)> {
    node.properties().filter_map(|(key, values)| {
        let side = match key {
            "B" => Side::First,
            "W" => Side::Second,
            _ => return None,
        };
        Some((side, values.first()?.as_str()))
    })
}

/// The stones after a node's `AB`, `AW` and `AE`; `None` if it has none of them.
fn stones_after(
    node: &Node,
    points: usize,
    stone: impl Fn(usize) -> Option<Side>,
    read: impl Fn(&str) -> Result<Vec<usize>, String>,
) -> Result<Option<Vec<(Side, usize)>>, String> {
    let mut stones: Vec<Option<Side>> = (0..points).map(stone).collect();
    let mut changed = false;
    for (key, side) in [("AE", None), ("AB", Some(Side::First)), ("AW", Some(Side::Second))] {
        for value in node.values(key) {
            for point in read(value)? {
                stones[point] = side;
            }
            changed = true;
        }
    }
    let list = stones.into_iter().enumerate().filter_map(|(i, side)| side.map(|side| (side, i))).collect();
    Ok(changed.then_some(list))
}

fn to_move(node: &Node) -> Option<Side> {
    node.value("PL").and_then(|v| vertex::colour(v.trim()).ok())
}

/// Reads a game of Go up to before move number `until`. Komi and rules are those of `current` where the file is silent.
///
/// # Errors
/// What the file has that Go has not.
pub fn read_go(nodes: &[Node], until: Option<usize>, current: &go::Position) -> Result<Record<go::Position>, String> {
    let root = nodes.first().ok_or("it has no nodes")?;
    check_game(root, "1", "Go")?;
    let size = size(root, 19, 25)?;
    if size.width < 2 || size.height < 2 {
        return Err("board size 1 is not supported".to_owned());
    }
    let rules = root.value("RU").and_then(|name| go::Rules::by_name(&name.trim().replace(' ', "-")).ok());
    let komi = match root.value("KM").map(str::trim).filter(|text| !text.is_empty()) {
        None => current.komi(),
        Some(text) => {
            let komi = text.parse().ok().filter(|komi: &f32| komi.abs() <= LARGEST_KOMI);
            komi.ok_or_else(|| format!("komi '{text}' is no number of points up to {LARGEST_KOMI}"))?
        }
    };
    let mut start = go::Position::new(size, rules.unwrap_or(current.rules()), komi);
    start.set_handicap(root.value("HA").and_then(|v| v.trim().parse().ok()).unwrap_or(0).min(size.points()));
    let mut now = start.clone();
    let mut moves: Vec<(Side, go::Move)> = Vec::new();
    let (mut seen, last) = (0, until.map_or(usize::MAX, |n| n.saturating_sub(1)));
    for node in nodes {
        if let Some(stones) = stones_after(node, size.points(), |i| now.stone(i), |v| go_points(size, v))? {
            if seen > 0 && seen >= last {
                break;
            }
            start.set_up(&stones).map_err(|e| e.to_string())?;
            if start.handicap() > 0 {
                start.set_to_move(Side::Second);
            }
            now = start.clone();
            moves.clear();
        }
        if let Some(side) = to_move(node) {
            now.set_to_move(side);
            if moves.is_empty() {
                start.set_to_move(side);
            }
        }
        for (side, text) in plays(node) {
            if seen >= last {
                return Ok(Record { start, moves });
            }
            seen += 1;
            let mv = match go_points(size, text) {
                Ok(points) if points.len() == 1 => go::Move::at(points[0]),
                _ if text.is_empty() || (text == "tt" && size.width <= 19 && size.height <= 19) => go::Move::PASS,
                _ => return Err(format!("move {}, {text}, is no point of the board", seen)),
            };
            now.set_to_move(side);
            now.check(side, mv).map_err(|why| format!("move {}, {text}, is illegal: {why}", seen))?;
            now.play(mv);
            moves.push((side, mv));
        }
    }
    // Before the first move it is the turn of whoever makes it.
    if let (Some(&(side, _)), None) = (moves.first(), to_move(root)) {
        start.set_to_move(side);
    }
    Ok(Record { start, moves })
}

/// One point `dd`, or a rectangle of points `aa:cc`.
fn go_points(size: Size, text: &str) -> Result<Vec<usize>, String> {
    let bad = || format!("'{text}' is no point of the board");
    let point = |s: &str| {
        let &[x, y] = s.trim().as_bytes() else { return None };
        let (x, y) = (usize::from(x.wrapping_sub(b'a')), usize::from(y.wrapping_sub(b'a')));
        (x < size.width && y < size.height).then_some((x, y))
    };
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let ((x0, y0), (x1, y1)) = point(from).zip(point(to)).ok_or_else(bad)?;
    Ok((y0..=y1).flat_map(|y| (x0..=x1).map(move |x| size.index(x, y))).collect())
}

/// Reads a game of Hex up to and including move number `until`, as other Hex programs count.
///
/// # Errors
/// What the file has that Hex has not.
pub fn read_hex(nodes: &[Node], until: Option<usize>) -> Result<Record<hex::Position>, String> {
    let root = nodes.first().ok_or("it has no nodes")?;
    check_game(root, "11", "Hex")?;
    let size = size(root, 11, 25)?;
    let mut start = hex::Position::new(size);
    // Whoever wrote a swap into the file played with the rule.
    start.set_swap_allowed(true);
    let mut now = start.clone();
    let mut moves = Vec::new();
    let (mut seen, last) = (0, until.unwrap_or(usize::MAX));
    let cells = |text: &str| {
        let bad = || format!("'{text}' is no cell of the board");
        Notation::Htp.read(size, text.trim()).map(|cell| vec![cell]).ok_or_else(bad)
    };
    for node in nodes {
        if let Some(stones) = stones_after(node, size.points(), |i| now.stone(i), cells)? {
            if seen > 0 && seen >= last {
                break;
            }
            start.set_up(&stones).map_err(|e| e.to_string())?;
            now = start.clone();
            moves.clear();
        }
        if let Some(side) = to_move(node) {
            now.set_to_move(side);
            if moves.is_empty() {
                start.set_to_move(side);
            }
        }
        for (side, text) in plays(node) {
            if seen >= last {
                return Ok(Record { start, moves });
            }
            let number = seen + 1;
            let word = text.trim().to_ascii_lowercase();
            let mv = match word.as_str() {
                "resign" | "forfeit" | "pass" | "" => continue,
                "swap-pieces" => hex::Move::SWAP,
                _ => hex::Move::at(cells(&word).map_err(|why| format!("move {number}: {why}"))?[0]),
            };
            now.set_to_move(side);
            now.check(side, mv).map_err(|why| format!("move {number}, {text}, is illegal: {why}"))?;
            now.play(mv);
            moves.push((side, mv));
            seen = number;
        }
    }
    Ok(Record { start, moves })
}

fn head(game: u32, size: Size, version: &str) -> String {
    let size =
        if size.width == size.height { size.width.to_string() } else { format!("{}:{}", size.width, size.height) };
    format!("(;FF[4]GM[{game}]CA[UTF-8]AP[Losange:{version}]SZ[{size}]")
}

fn set_up(text: &mut String, points: usize, stone: impl Fn(usize) -> Option<Side>, show: impl Fn(usize) -> String) {
    for (key, side) in [("AB", Side::First), ("AW", Side::Second)] {
        let list: String = (0..points).filter(|&i| stone(i) == Some(side)).map(|i| format!("[{}]", show(i))).collect();
        if !list.is_empty() {
            let _ = write!(text, "{key}{list}");
        }
    }
}

/// The game so far as SGF.
pub fn write_go(core: &Core<go::Position>, version: &str) -> String {
    let start = core.history().start();
    let size = start.size();
    let show = |i: usize| {
        let (x, y) = size.xy(i);
        format!("{}{}", (b'a' + x as u8) as char, (b'a' + y as u8) as char)
    };
    let mut text = head(1, size, version);
    let name = go::Rules::NAMES.iter().find(|n| go::Rules::by_name(n).ok() == Some(start.rules()));
    let _ = write!(text, "KM[{}]", start.komi());
    if let Some(name) = name {
        let _ = write!(text, "RU[{}]", sgf::escape(name));
    }
    if start.handicap() > 0 {
        let _ = write!(text, "HA[{}]", start.handicap());
    }
    set_up(&mut text, size.points(), |i| start.stone(i), show);
    let _ = write!(text, "PL[{}]", vertex::letter(start.to_move()));
    for &(side, mv) in core.history().moves() {
        let _ = write!(text, "\n;{}[{}]", vertex::letter(side), mv.point().map(show).unwrap_or_default());
    }
    text + ")"
}

/// The game so far as SGF, in HexGui's coordinates.
pub fn write_hex(core: &Core<hex::Position>, version: &str) -> String {
    let start = core.history().start();
    let size = start.size();
    let show = |i: usize| Notation::Htp.show(size, i);
    let mut text = head(11, size, version);
    set_up(&mut text, size.points(), |i| start.stone(i), show);
    let _ = write!(text, "PL[{}]", vertex::letter(start.to_move()));
    for &(side, mv) in core.history().moves() {
        let word = mv.cell().map_or_else(|| "swap-pieces".to_owned(), show);
        let _ = write!(text, "\n;{}[{word}]", vertex::letter(side));
    }
    text + ")"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn current() -> go::Position {
        go::Position::new(Size::square(9), go::Rules::CHINESE, 7.5)
    }

    fn go_game(text: &str, until: Option<usize>) -> Result<Record<go::Position>, String> {
        read_go(&sgf::main_line(text).unwrap(), until, &current())
    }

    fn hex_game(text: &str, until: Option<usize>) -> Result<Record<hex::Position>, String> {
        read_hex(&sgf::main_line(text).unwrap(), until)
    }

    #[test]
    fn go_properties() {
        let game = go_game("(;SZ[9]KM[5.5]RU[Japanese]HA[2]AB[cc][gg];W[ee];B[];W[tt])", None).unwrap();
        assert_eq!((game.start.komi(), game.start.handicap()), (5.5, 2));
        assert_eq!(game.start.rules(), go::Rules::JAPANESE);
        assert_eq!(game.start.to_move(), Side::Second);
        assert_eq!(game.moves.len(), 3);
        assert_eq!(game.moves[1], (Side::First, go::Move::PASS));
        let silent = go_game("(;SZ[13:9];B[mi])", None).unwrap();
        assert_eq!((silent.start.komi(), silent.start.size()), (7.5, Size { width: 13, height: 9 }));
    }

    #[test]
    fn go_move_numbers_stop_before_the_move() {
        for (until, count) in [(None, 3), (Some(1), 0), (Some(3), 2), (Some(9), 3), (Some(0), 0)] {
            assert_eq!(go_game("(;SZ[9];B[aa];W[bb];B[cc])", until).unwrap().moves.len(), count);
            // What is set up before the first move belongs to all of them.
            let game = go_game("(;SZ[9]HA[2]AB[gc][cg];W[aa];B[bb];W[cc])", until).unwrap();
            assert_eq!((game.start.stones(Side::First), game.start.to_move()), (2, Side::Second));
            assert_eq!(game.moves.len(), count);
        }
        // Moves before stones that are set up later count too.
        let late = "(;SZ[9];B[aa];W[bb];AB[cc];W[dd];B[ee];W[ff])";
        for (until, count, stones) in [(2, 1, 0), (3, 2, 0), (4, 1, 3), (5, 2, 3)] {
            let game = go_game(late, Some(until)).unwrap();
            let set_up = game.start.stones(Side::First) + game.start.stones(Side::Second);
            assert_eq!((game.moves.len(), set_up), (count, stones), "{until}");
        }
        let late = "(;GM[11]SZ[5];B[a1];W[b2];AB[c3];W[d4];B[e5])";
        for (until, count, stones) in [(1, 1, 0), (2, 2, 0), (3, 1, 3), (4, 2, 3)] {
            let game = hex_game(late, Some(until)).unwrap();
            assert_eq!((game.moves.len(), game.start.stones()), (count, stones), "{until}");
        }
    }

    #[test]
    fn stones_may_be_set_up_in_the_middle() {
        let game = go_game("(;SZ[9];B[aa];W[bb];AB[cc]AE[aa]PL[W];W[dd])", None).unwrap();
        assert_eq!(game.moves.len(), 1);
        assert_eq!(game.start.stone(0), None);
        assert_eq!(game.start.stone(20), Some(Side::First));
        assert_eq!(game.start.stone(10), Some(Side::Second));
    }

    #[test]
    fn what_does_not_fit_the_game_is_said() {
        let error = |text| go_game(text, None).unwrap_err();
        assert!(error("(;GM[11]SZ[9])").contains("GM is 11"));
        assert!(error("(;SZ[26])").contains("26"));
        assert!(error("(;SZ[1])").contains('1'));
        assert!(error("(;SZ[9];B[aa];W[aa])").contains("move 2, aa, is illegal: occupied"));
        assert!(error("(;SZ[9];B[jj])").contains("move 1"));
        for komi in ["x", "nan", "inf", "1e30", "-1000.5"] {
            let text = format!("(;SZ[9]KM[{komi}])");
            assert!(go_game(&text, None).unwrap_err().contains(&format!("komi '{komi}'")));
        }
        assert!(error("(;SZ[9]AB[zz])").contains("zz"));
        assert!(hex_game("(;GM[1])", None).unwrap_err().contains("no game of Hex"));
        assert!(hex_game("(;GM[11]SZ[5];B[a1];W[z9])", None).unwrap_err().contains("move 2"));
    }

    #[test]
    fn hex_games_with_swap_and_resignation() {
        let game = hex_game("(;GM[11]SZ[5];B[a2];W[swap-pieces];B[c3];W[resign])", None).unwrap();
        assert_eq!(game.moves[1], (Side::Second, hex::Move::SWAP));
        assert_eq!(game.moves.len(), 3);
        assert_eq!(hex_game("(;GM[11]SZ[5];B[a2];W[c3];B[d4])", Some(2)).unwrap().moves.len(), 2);
    }
}
