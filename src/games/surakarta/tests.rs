use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::game::{Game, Planes, Side};
use crate::games::testing::{after, legal, playout};
use crate::games::{Ending, Spelled};
use crate::rng::Rng;

/// Lines of the board, as the words of the rules have them.
const LINES: isize = 6;

/// The position without what was before it.
fn without_past(position: &Position) -> Position {
    let pieces: Vec<_> = (0..36).filter_map(|point| Some((position.owner(point)?, point))).collect();
    let mut position_now = position.with_pieces(&pieces).unwrap();
    position_now.set_to_move(position.to_move());
    position_now
}

/// Sequences of so many moves without the rule of repetition.
fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => legal(position).len() as u64,
        _ => legal(position).iter().map(|&mv| perft(&without_past(&after(position, mv)), depth - 1)).sum(),
    }
}

/// Polygames counts the same.
#[test]
fn as_many_sequences_of_moves_as_another_program_counts() {
    let known = [16, 256, 5_382, 111_122, 2_572_484];
    let quick = if std::env::var_os("LOSANGE_LONG").is_some() { known.len() } else { 4 };
    for (depth, &count) in (1..).zip(&known[..quick]) {
        assert_eq!(perft(&Position::new(), depth), count, "depth {depth}");
    }
}

/// The point behind an arc, and the direction there, where a line along that direction leaves the board.
fn around([x, y]: [isize; 2], [right, _]: [isize; 2]) -> Option<([isize; 2], [isize; 2])> {
    let last = LINES - 1;
    let line = if right != 0 { y } else { x };
    if line == 0 || line == last {
        return None;
    }
    // An arc joins lines that are as far from the corner around which it runs.
    let (near, turned) = (line.min(last - line), line > last - line);
    if right != 0 {
        let column = if x == 0 { near } else { last - near };
        Some(if turned { ([column, last], [0, -1]) } else { ([column, 0], [0, 1]) })
    } else {
        let row = if y == 0 { near } else { last - near };
        Some(if turned { ([last, row], [-1, 0]) } else { ([0, row], [1, 0]) })
    }
}

/// Moves by the words of the rules: from and to, in ascending order.
fn moves_by_the_rules(position: &Position) -> Vec<[usize; 2]> {
    let side = position.to_move();
    let owner = |[x, y]: [isize; 2]| position.owner((y * LINES + x) as usize);
    let inside = |[x, y]: [isize; 2]| (0..LINES).contains(&x) && (0..LINES).contains(&y);
    let mut moves = Vec::new();
    for from in (0..36).filter(|&point| position.owner(point) == Some(side)) {
        let start = [from as isize % LINES, from as isize / LINES];
        for step in (-1..=1).flat_map(|right| (-1..=1).map(move |down| [right, down])) {
            let to = [start[0] + step[0], start[1] + step[1]];
            if inside(to) && owner(to).is_none() {
                moves.push([from, (to[1] * LINES + to[0]) as usize]);
            }
        }
        for way in [[1, 0], [-1, 0], [0, 1], [0, -1]] {
            let (mut at, mut way, mut arcs) = (start, way, 0);
            for _ in 0..24 {
                let next = [at[0] + way[0], at[1] + way[1]];
                if inside(next) {
                    at = next;
                } else {
                    let Some(beyond) = around(at, way) else { break };
                    (at, way) = beyond;
                    arcs += 1;
                }
                let met = if at == start { None } else { owner(at) };
                if met.is_some() {
                    if arcs > 0 && met != Some(side) {
                        moves.push([from, (at[1] * LINES + at[0]) as usize]);
                    }
                    break;
                }
            }
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// A game by the words of the rules: what stood where, since the start.
#[derive(Default)]
struct Course {
    seen: Vec<(Vec<Option<Side>>, Side)>,
    pieces: usize,
    quiet: usize,
}

impl Course {
    /// Whether the game is over now, and who has won then.
    fn end(&mut self, position: &Position) -> Option<Option<Side>> {
        let owners: Vec<_> = (0..36).map(|point| position.owner(point)).collect();
        let counts = Side::BOTH.map(|side| owners.iter().filter(|&&owner| owner == Some(side)).count());
        let pieces = counts.iter().sum();
        self.quiet = if self.pieces == pieces { self.quiet + 1 } else { 0 };
        self.pieces = pieces;
        let here = (owners, position.to_move());
        let repeated = self.seen.contains(&here);
        self.seen.push(here);
        let more = match counts[0].cmp(&counts[1]) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        if counts.contains(&0) || repeated || self.quiet == 50 {
            Some(more)
        } else {
            moves_by_the_rules(position).is_empty().then_some(Some(position.to_move().opponent()))
        }
    }
}

/// A random game, of quiet moves mostly where `quiet` is set.
fn random_game(mut position: Position, seed: u64, quiet: bool, mut check: impl FnMut(&Position)) {
    let mut rng = Rng::new(seed);
    loop {
        check(&position);
        let mut moves = legal(&position);
        if moves.is_empty() {
            return;
        }
        let any = moves.clone();
        moves.retain(|&mv| position.owner(mv.ends()[1]).is_none());
        let among = if quiet && !moves.is_empty() { moves } else { any };
        position.play(among[rng.below(among.len() as u32) as usize]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn games_go_by_the_rules(seed: u64, quiet: bool) {
        let mut course = Course::default();
        random_game(Position::new(), seed, quiet, |position| {
            let end = course.end(position);
            assert_eq!(position.outcome().map(|end| end.winner), end);
            let moves = legal(position);
            if end.is_some() {
                assert!(moves.is_empty());
                return;
            }
            assert_eq!(moves.iter().map(|mv| mv.ends()).collect::<Vec<_>>(), moves_by_the_rules(position));
            let legal = |index: &usize| position.is_legal(position.move_at(*index));
            assert_eq!((0..position.move_count()).filter(legal).count(), moves.len());
            for mv in moves {
                assert_eq!(Move::between(mv.ends()[0], mv.ends()[1]), Some(mv));
                let (child, [from, to]) = (after(position, mv), mv.ends());
                assert_eq!((child.owner(from), child.owner(to)), (None, Some(position.to_move())));
                let taken = u32::from(position.owner(to).is_some());
                let other = position.to_move().opponent();
                assert_eq!(child.count(other) + taken, position.count(other));
                assert_eq!(child.quiet(), if taken == 1 { 0 } else { position.quiet() + 1 });
            }
        });
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64, knowledge in 1..3_u32) {
        let (end, last) = playout(&Position::new(), knowledge, seed, |position, mv| {
            let takes = |mv: &Move| position.owner(mv.ends()[1]).is_some();
            assert!(knowledge == 1 || takes(&mv) || !legal(position).iter().any(takes), "nothing was taken");
        });
        prop_assert_eq!(Some(end), last.outcome());
    }

    /// Positions with the same key have the same pieces, side to move, plies since the last capture and positions since then.
    #[test]
    fn keys_tell_positions_and_their_past_apart(seed: u64) {
        let few = [(Side::First, 7), (Side::First, 28), (Side::Second, 14), (Side::Second, 20)];
        let start = Position::new().with_pieces(&few).unwrap();
        let mut known = HashMap::new();
        for game in 0..20 {
            let mut past: Vec<(Vec<Option<Side>>, Side)> = Vec::new();
            random_game(start, seed.wrapping_add(game), true, |position| {
                let owners: Vec<_> = (0..36).map(|point| position.owner(point)).collect();
                if position.quiet() == 0 {
                    past.clear();
                }
                let here = (owners, position.to_move());
                let mut before = past.clone();
                before.sort_unstable();
                let seen = (here.clone(), before);
                assert_eq!(known.entry(position.key()).or_insert_with(|| seen.clone()), &seen);
                past.push(here);
            });
        }
    }

    /// Colours exchanged and the board turned, the side to move sees the same, and so do its moves.
    #[test]
    fn planes_know_no_colours(seed: u64, symmetry in 0..8_usize) {
        random_game(Position::new(), seed, false, |position| {
            let position = without_past(position);
            let turned = |point| position.size().seen(point, symmetry);
            let pieces: Vec<_> =
                (0..36).filter_map(|point| Some((position.owner(point)?.opponent(), turned(point)))).collect();
            let mut twin = position.with_pieces(&pieces).unwrap();
            twin.set_to_move(position.to_move().opponent());
            let [mut own, mut other] = [Vec::new(), Vec::new()];
            position.write_planes(symmetry, &mut own);
            twin.write_planes(0, &mut other);
            assert_eq!(own, other);
            let actions = |position: &Position, symmetry| -> Vec<_> {
                let mut all: Vec<_> =
                    legal(position).into_iter().map(|mv| position.action_index(mv, symmetry)).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(actions(&position, symmetry), actions(&twin, 0));
        });
    }
}

/// Point of a name, rows counted from below.
fn point(name: &str) -> usize {
    let &[column, row] = name.as_bytes() else { panic!("{name}") };
    usize::from(column - b'a') + 6 * usize::from(b'6' - row)
}

fn set_up(first: &[&str], second: &[&str]) -> Position {
    let both = [(Side::First, first), (Side::Second, second)];
    let pieces: Vec<_> =
        both.iter().flat_map(|(side, names)| names.iter().map(move |name| (*side, point(name)))).collect();
    Position::new().with_pieces(&pieces).unwrap()
}

fn played(position: &mut Position, moves: &[[&str; 2]]) {
    for ends in moves {
        let mv = Move::between(point(ends[0]), point(ends[1])).unwrap();
        assert!(position.is_legal(mv), "{ends:?}");
        position.play(mv);
    }
}

#[test]
fn captures_go_around_corners() {
    let takes = |position: &Position, from: &str, to: &str| {
        Move::between(point(from), point(to)).is_some_and(|mv| position.is_legal(mv))
    };
    // Up the e line, around the corner, and along the fifth row.
    assert!(takes(&set_up(&["e2"], &["a5"]), "e2", "a5"));
    assert!(takes(&set_up(&["e2", "d5"], &["a5"]), "e2", "a5"), "the other way around");
    assert!(!takes(&set_up(&["e2", "d5", "b3"], &["a5"]), "e2", "a5"));
    // Without an arc nothing is taken.
    assert!(!takes(&set_up(&["e2", "f2", "d2"], &["e4"]), "e2", "e4"));
    assert!(!takes(&set_up(&["a1"], &["b2"]), "a1", "b2"));
    // Over several arcs; the point that it comes from is no hindrance.
    assert!(takes(&set_up(&["b5"], &["b1"]), "b5", "b1"));
    assert!(takes(&set_up(&["c3"], &["c4"]), "c3", "c4"));
    // The tracks do not meet.
    assert!(!takes(&set_up(&["c1"], &["b1"]), "c1", "b1"));
}

/// The first repetition ends the game, and more pieces win.
#[test]
fn a_repetition_ends_the_game() {
    let mut position = set_up(&["a1", "f1"], &["a6"]);
    played(&mut position, &[["a1", "a2"], ["a6", "b6"], ["a2", "a1"]]);
    assert_eq!(position.outcome(), None);
    played(&mut position, &[["b6", "a6"]]);
    assert_eq!(position.outcome().map(|end| (end.winner, end.score)), Some((Some(Side::First), 1.0)));
    assert!(legal(&position).is_empty() && position.objection(Move::between(30, 24).unwrap()).is_some());
    assert_eq!(
        position.ending(),
        Some(Ending::Two { winner: Some(Side::First), lead: 1, detail: ", 2 pieces to 1".to_owned() })
    );
    // The same pieces with the other side to move are another position.
    let mut other = set_up(&["a1"], &["f6"]);
    played(&mut other, &[["a1", "b2"], ["f6", "f5"], ["b2", "b1"], ["f5", "f6"], ["b1", "a1"]]);
    assert_eq!(other.outcome(), None);
    // Equal pieces are a draw.
    let mut even = set_up(&["a1"], &["f6"]);
    played(&mut even, &[["a1", "a2"], ["f6", "f5"], ["a2", "a1"], ["f5", "f6"]]);
    assert_eq!(even.outcome().map(|end| end.winner), Some(None));
}

/// Positions that differ in what was before differ in their key, until the next capture.
#[test]
fn keys_hold_the_past() {
    let start = set_up(&["a1", "f1"], &["a6", "f6"]);
    let by = |moves: &[[&str; 2]]| {
        let mut position = start;
        played(&mut position, moves);
        position
    };
    // Black's piece came to a3 by different ways.
    let one = by(&[["a1", "a2"], ["a6", "b6"], ["a2", "a3"]]);
    let other = by(&[["a1", "b2"], ["a6", "b6"], ["b2", "a3"]]);
    assert_eq!(without_past(&one).key(), without_past(&other).key());
    assert_ne!(one.key(), other.key());
    // After a capture nothing of before can come again.
    let few = set_up(&["e2", "a1"], &["a5", "f6"]);
    let take = |first: [&str; 2], second: [&str; 2]| {
        let mut position = few;
        played(&mut position, &[first, ["f6", "f5"], second, ["f5", "f6"], ["e2", "a5"]]);
        position
    };
    let (one, other) = (take(["a1", "a2"], ["a2", "b2"]), take(["a1", "b1"], ["b1", "b2"]));
    assert_eq!((one.key(), one.quiet()), (other.key(), 0));
}

/// Fifty plies without a capture, none of them a repetition, end the game too.
#[test]
fn fifty_plies_without_a_capture_end_the_game() {
    let ways = (0..200).map(|seed| {
        let (mut last, mut longest) = (Position::new(), 0);
        random_game(set_up(&["a1", "b1"], &["a6"]), seed, true, |position| {
            longest = longest.max(position.quiet());
            last = *position;
        });
        (last, longest)
    });
    let ended: Vec<_> = ways.filter(|&(_, longest)| longest == 50).collect();
    assert!(!ended.is_empty() && ended.iter().all(|(last, _)| last.outcome().is_some()), "{}", ended.len());
}

#[test]
fn who_has_no_pieces_or_no_move_has_lost() {
    assert_eq!(set_up(&["a1"], &[]).outcome().map(|end| end.winner), Some(Some(Side::First)));
    assert_eq!(set_up(&[], &[]).outcome().map(|end| end.winner), Some(None));
    // In the corner behind three others, which are more.
    let shut = set_up(&["a1"], &["a2", "b1", "b2"]);
    assert_eq!(shut.outcome().map(|end| (end.winner, end.score)), Some((Some(Side::Second), -2.0)));
    let fewer = set_up(&["a1", "a2", "b1", "b2"], &["a3", "b3", "c3", "c2", "c1"]);
    assert_eq!(moves_by_the_rules(&fewer).is_empty(), fewer.outcome().is_some());
    assert!(Position::new().with_pieces(&[(Side::First, 36)]).is_err());
    assert!(Position::new().with_pieces(&[(Side::First, 3), (Side::Second, 3)]).is_err());
}

#[test]
fn the_other_side_to_move_is_another_position() {
    let mut position = Position::new();
    let moved = |position: &Position, from: usize, to: usize| {
        let there = |mv: &Move| Position::spell(position.size(), *mv) == [from, to].into();
        legal(position).into_iter().find(there).unwrap()
    };
    // Rows of 6 points from the top; pieces go out and back.
    let (own, free): (Vec<usize>, Vec<usize>) = {
        let moves = legal(&position);
        let ends = moves.iter().map(|mv| Position::spell(position.size(), *mv).points().to_vec());
        ends.map(|ends| (ends[0], ends[1])).unzip()
    };
    let first = (own[0], free[0]);
    position.play(moved(&position, first.0, first.1));
    let reply = Position::spell(position.size(), legal(&position)[0]).points().to_vec();
    position.play(moved(&position, reply[0], reply[1]));
    position.play(moved(&position, first.1, first.0));
    position.play(moved(&position, reply[1], reply[0]));
    assert!(position.outcome().is_some());
    position.set_to_move(Side::Second);
    assert!(position.outcome().is_none() && !legal(&position).is_empty());
    position.set_to_move(Side::First);
    assert!(position.outcome().is_some());
}
