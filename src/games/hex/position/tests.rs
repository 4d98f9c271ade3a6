use proptest::prelude::*;

use super::super::symmetry::{reflect, reflected, rotate};
use super::*;
use crate::game::Bounded;

/// Connection by plain flood fill over coordinates.
fn connected(position: &Position, side: Side) -> bool {
    let size = position.size();
    let axis = |index: usize| if side == Side::First { size.xy(index).1 } else { size.xy(index).0 };
    let last = if side == Side::First { size.height } else { size.width } - 1;
    let mine = |index: usize| position.stone(index) == Some(side);
    let mut seen: Vec<usize> = (0..size.points()).filter(|&i| mine(i) && axis(i) == 0).collect();
    let mut next = 0;
    while next < seen.len() {
        let (x, y) = size.xy(seen[next]);
        next += 1;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let (nx, ny) = (x as i32 + dx, y as i32 + dy);
            if nx < 0 || ny < 0 || nx >= size.width as i32 || ny >= size.height as i32 {
                continue;
            }
            let n = size.index(nx as usize, ny as usize);
            if mine(n) && !seen.contains(&n) {
                seen.push(n);
            }
        }
    }
    seen.into_iter().any(|i| axis(i) == last)
}

/// Plays cells in the order of `choices` until the game is over, calling `check` after each move.
pub(crate) fn play(size: Size, choices: &[u16], mut check: impl FnMut(&Position)) -> Position {
    let mut position = Position::new(size);
    let mut moves = Vec::new();
    for &choice in choices {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
        check(&position);
    }
    position
}

/// Best play by trying everything: who wins with `position`'s side to move.
pub(crate) fn solve(position: &Position) -> Side {
    if let Some(winner) = position.winner() {
        return winner;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let side = position.to_move();
    let wins = moves.into_iter().any(|mv| {
        let mut next = position.clone();
        next.play(mv);
        solve(&next) == side
    });
    if wins { side } else { side.opponent() }
}

fn sizes() -> impl Strategy<Value = Size> {
    (1usize..=9, 1usize..=9).prop_map(|(width, height)| Size { width, height })
}

proptest! {
    #[test]
    fn union_find_agrees_with_flood_fill(size in sizes(), choices in prop::collection::vec(any::<u16>(), 81)) {
        let end = play(size, &choices, |position| {
            for side in [Side::First, Side::Second] {
                assert_eq!(position.winner() == Some(side), connected(position, side));
            }
        });
        // A full board always has a winner, so a game of as many moves as cells has ended.
        prop_assert!(end.winner().is_some());
    }

    #[test]
    fn symmetries_keep_legality_and_outcome(size in sizes(), choices in prop::collection::vec(any::<u16>(), 0..81)) {
        let position = play(size, &choices, |_| {});
        let mut turned = Position::new(size);
        let mut mirrored = Position::new(reflected(size));
        let stones: Vec<_> = (0..size.points()).filter_map(|i| position.stone(i).map(|side| (side, i))).collect();
        let by = |f: &dyn Fn(Side, usize) -> (Side, usize)| stones.iter().map(|&(s, i)| f(s, i)).collect::<Vec<_>>();
        turned.set_up(&by(&|s, i| (s, rotate(size, i)))).unwrap();
        mirrored.set_up(&by(&|s, i| (s.opponent(), reflect(size, i)))).unwrap();
        prop_assert_eq!(turned.winner(), position.winner());
        prop_assert_eq!(mirrored.winner(), position.winner().map(Side::opponent));
        let legal = |p: &Position| { let mut m = Vec::new(); p.legal_moves(&mut m); m.len() };
        prop_assert_eq!(legal(&turned), legal(&position));
        prop_assert_eq!(legal(&mirrored), legal(&position));
    }

    /// The look at the lines that comes before never denies a connection.
    #[test]
    fn no_bridge_chain_is_overlooked(
        width in 1usize..=11, height in 1usize..=11, choices in prop::collection::vec(any::<u16>(), 2..60)
    ) {
        let mut overlooked = Vec::new();
        play(Size { width, height }, &choices, |position| {
            for side in Side::BOTH {
                if position.board.bridge_chains(side, &mut Vec::new()) && !position.board.may_be_bridged(side) {
                    overlooked.push(format!("{position:?} {side:?}"));
                }
            }
        });
        prop_assert!(overlooked.is_empty(), "{}", overlooked.join("\n"));
    }

    /// No move is passed over after which something is proven or the game is over.
    #[test]
    fn no_decisive_move_is_overlooked(
        width in 1usize..=11, height in 1usize..=11, choices in prop::collection::vec(any::<u16>(), 2..60)
    ) {
        let mut overlooked = Vec::new();
        play(Size { width, height }, &choices, |position| {
            let (mut moves, mut decisive) = (Vec::new(), Vec::new());
            position.legal_moves(&mut moves);
            position.decisive(&moves, &mut decisive);
            for (&mv, _) in moves.iter().zip(&decisive).filter(|(_, decisive)| !**decisive) {
                let mut child = position.clone();
                child.play(mv);
                if child.proven().is_some() || child.outcome().is_some() {
                    overlooked.push(format!("{position:?} {mv:?}"));
                }
            }
        });
        prop_assert!(overlooked.is_empty(), "{}", overlooked.join("\n"));
    }

    /// A position that is claimed as proven is won against every defence, also with the opponent to move.
    #[test]
    fn bridge_chains_cannot_be_broken(
        width in 2usize..=4, height in 2usize..=4, choices in prop::collection::vec(any::<u16>(), 2..12)
    ) {
        let mut faults = Vec::new();
        play(Size { width, height }, &choices, |position| {
            let empty = position.points() - position.stones();
            if let Some((side, _)) = position.proven()
                && empty <= 10
            {
                for to_move in [side, side.opponent()] {
                    let mut turned = position.clone();
                    turned.set_to_move(to_move);
                    if solve(&turned) != side {
                        faults.push(position.clone());
                    }
                }
            }
        });
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }

    /// Every verdict on a move is true, also with what was found in the positions before.
    #[test]
    fn solved_moves_are_right(width in 2usize..=6, height in 2usize..=6, choices in prop::collection::vec(any::<u16>(), 2..34)) {
        let mut faults = Vec::new();
        let findings = crate::game::Bounded::within(64);
        play(Size { width, height }, &choices, |position| {
            let (mut moves, mut verdicts) = (Vec::new(), Vec::new());
            position.legal_moves(&mut moves);
            position.solved(&findings, &moves, &mut verdicts);
            if moves.len() > 10 {
                return;
            }
            let winner = solve(position);
            let mut needed = false;
            for (&mv, verdict) in moves.iter().zip(&verdicts) {
                let mut child = position.clone();
                child.play(mv);
                let after = solve(&child);
                needed |= after == position.to_move() && *verdict != Verdict::Needless;
                if matches!(verdict, Verdict::Decided(claimed, _) if after != *claimed) {
                    faults.push((position.clone(), mv));
                }
            }
            // Of the winning moves one is always left.
            if winner == position.to_move() && !needed {
                faults.push((position.clone(), moves[0]));
            }
        });
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }

    #[test]
    fn keys_tell_positions_apart_and_forget_the_order(a in 0usize..25, b in 0usize..25, c in 0usize..25) {
        prop_assume!(a != b && b != c && a != c);
        let after = |cells: [usize; 3]| {
            let mut position = Position::new(Size::square(5));
            cells.into_iter().for_each(|i| position.play(Move::at(i)));
            position.key()
        };
        prop_assert_eq!(after([a, b, c]), after([c, b, a]));
        prop_assert_ne!(after([a, b, c]), after([b, a, c]));
    }
}

/// A stone on the third row with nothing but the cells of a ziggurat, of every edge and both hands: the rest of the
/// board belongs to the opponent but for the way to the other edge.
#[test]
fn ziggurats_hold() {
    let size = Size { width: 7, height: 4 };
    // The stone stands on the third row from the bottom, below a stone of its own on the top row.
    let right = [(3, 1), (1, 2), (2, 2), (3, 2), (0, 3), (1, 3), (2, 3), (3, 3)];
    let left = [(3, 1), (3, 2), (4, 2), (2, 2), (1, 3), (2, 3), (3, 3), (4, 3)];
    for (stone, free) in [(2, right), (4, left)] {
        for missing in std::iter::once(None).chain((0..8).map(Some)) {
            let mut stones = vec![(Side::First, size.index(stone, 0)), (Side::First, size.index(stone, 1))];
            for index in 0..size.points() {
                let taken = stones.iter().any(|s| s.1 == index);
                let open = free.iter().enumerate().any(|(i, &(x, y))| Some(i) != missing && size.index(x, y) == index);
                if !taken && !open {
                    stones.push((Side::Second, index));
                }
            }
            let mut position = Position::new(size);
            position.set_up(&stones).unwrap();
            position.set_to_move(Side::Second);
            // With a cell missing it would not hold: each of them is needed.
            let holds = missing.is_none();
            if position.winner().is_none() {
                assert_eq!(solve(&position) == Side::First, holds, "{stone} {missing:?}");
            }
            assert_eq!(position.proven().is_some_and(|(side, _)| side == Side::First), holds);
            // Half a turn, and the reflection that exchanges the colours.
            for (turn, mirror) in [(true, false), (false, true), (true, true)] {
                let moved = |index: usize| {
                    let (x, y) = size.xy(index);
                    let (x, y) = if turn { (size.width - 1 - x, size.height - 1 - y) } else { (x, y) };
                    if mirror { Size { width: 4, height: 7 }.index(y, x) } else { size.index(x, y) }
                };
                let mut other = Position::new(if mirror { Size { width: 4, height: 7 } } else { size });
                let side = |s: Side| if mirror { s.opponent() } else { s };
                let stones: Vec<_> = stones.iter().map(|&(s, i)| (side(s), moved(i))).collect();
                other.set_up(&stones).unwrap();
                other.set_to_move(side(Side::Second));
                assert_eq!(other.proven().is_some_and(|(s, _)| s == side(Side::First)), holds);
            }
        }
    }
}

/// Winning first moves by exhaustive search, against the published lists (acute corner first).
#[test]
fn openings_of_tiny_boards() {
    for (n, expected) in [(1, vec![0]), (2, vec![1, 2]), (3, vec![2, 3, 4, 5, 6])] {
        let winning: Vec<usize> = (0..n * n)
            .filter(|&cell| {
                let mut position = Position::new(Size::square(n));
                position.play(Move::at(cell));
                solve(&position) == Side::First
            })
            .collect();
        assert_eq!(winning, expected, "{n}x{n}");
    }
}

/// On a board that is shorter for one side, that side wins whoever begins.
#[test]
fn the_shorter_side_wins_on_rectangles() {
    let narrow = |width, height| solve(&Position::new(Size { width, height }));
    assert_eq!(narrow(3, 2), Side::First);
    assert_eq!(narrow(4, 3), Side::First);
    assert_eq!(narrow(2, 3), Side::Second);
    assert_eq!(narrow(3, 4), Side::Second);
}

#[test]
fn swap_mirrors_the_stone_and_changes_its_colour() {
    let mut position = Position::new(Size::square(5));
    assert_eq!(position.check(Side::First, Move::SWAP), Err(Illegal::NoSwap));
    position.play(Move::at(5));
    assert_eq!(position.check(Side::Second, Move::SWAP), Err(Illegal::NoSwap));
    position.set_swap_allowed(true);
    assert_eq!(position.check(Side::First, Move::SWAP), Err(Illegal::Swap));
    assert!(position.is_legal(Move::SWAP));
    position.play(Move::SWAP);
    assert_eq!((position.stone(5), position.stone(1)), (None, Some(Side::Second)));
    assert_eq!((position.to_move(), position.plies()), (Side::First, 2));
    assert!(!position.is_legal(Move::SWAP));
    // No long diagonal, no swap.
    let mut position = Position::new(Size { width: 5, height: 4 });
    position.set_swap_allowed(true);
    position.play(Move::at(5));
    assert!(!position.is_legal(Move::SWAP));
}

/// A first stone that the opponent may take over proves nothing.
#[test]
fn nothing_is_decided_while_the_first_stone_may_be_swapped() {
    for size in 2..=5 {
        let solved = |allowed: bool, stones: &[usize]| {
            let mut position = Position::new(Size::square(size));
            position.set_swap_allowed(allowed);
            stones.iter().for_each(|&cell| position.play(Move::at(cell)));
            let (mut moves, mut verdicts) = (Vec::new(), Vec::new());
            position.legal_moves(&mut moves);
            position.solved(&Findings::within(8), &moves, &mut verdicts);
            verdicts.iter().any(|verdict| matches!(verdict, Verdict::Decided(..)))
        };
        assert_eq!((solved(false, &[]), solved(true, &[]), solved(true, &[0])), (true, false, false), "{size}");
    }
    // Rectangles have no swap.
    let mut position = Position::new(Size { width: 3, height: 2 });
    position.set_swap_allowed(true);
    assert!(!position.may_be_swapped());
}

#[test]
fn faults_are_named() {
    let mut position = Position::new(Size::square(2));
    position.play(Move::at(1));
    assert_eq!(position.check(Side::Second, Move::at(1)), Err(Illegal::Occupied));
    assert_eq!(position.check(Side::Second, Move::at(4)), Err(Illegal::Outside));
    position.play(Move::at(0));
    position.play(Move::at(2));
    assert_eq!(position.winner(), Some(Side::First));
    assert_eq!(position.check(Side::Second, Move::at(3)), Err(Illegal::GameOver));
    assert_eq!(position.set_up(&[(Side::First, 4)]), Err(SetUpError::Outside(4)));
    assert_eq!(position.set_up(&[(Side::First, 1), (Side::Second, 1)]), Err(SetUpError::Twice(1)));
    assert_eq!(position.stones(), 3);
}
