use proptest::prelude::*;

use super::*;
use crate::game::Game;
use crate::games::Size;
use crate::games::hex::Move;
use crate::games::hex::position::tests::{play, solve};

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4 * 3, ..ProptestConfig::default() })]

    /// Filling in changes nothing: not who wins, and not after any move elsewhere.
    #[test]
    fn filling_in_keeps_the_winner(
        width in 2usize..=6, height in 2usize..=6, choices in prop::collection::vec(any::<u16>(), 2..30)
    ) {
        let mut faults = Vec::new();
        play(Size { width, height }, &choices, |position| {
            let empty = position.points() - position.stones();
            if position.winner().is_some() || empty > 9 {
                return;
            }
            let mut full = position.clone();
            let filled = fill_in::<1>(&mut full.board);
            if full.winner().unwrap_or_else(|| solve(&full)) != solve(position) {
                faults.push(position.clone());
            }
            for cell in (0..position.points()).filter(|&c| full.stone(c).is_none()) {
                assert!(!filled.has(cell));
                let (mut a, mut b) = (position.clone(), full.clone());
                a.play(Move::at(cell));
                if b.winner().is_none() {
                    b.play(Move::at(cell));
                }
                if solve(&a) != solve(&b) {
                    faults.push(position.clone());
                }
            }
        });
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }

    /// If any move wins, one that is neither filled in nor dominated does.
    #[test]
    fn dominated_cells_are_not_needed(
        width in 2usize..=6, height in 2usize..=6, choices in prop::collection::vec(any::<u16>(), 2..30), turn in any::<bool>()
    ) {
        let mut faults = Vec::new();
        play(Size { width, height }, &choices, |position| {
            let mut position = position.clone();
            position.set_to_move(if turn { position.to_move() } else { position.to_move().opponent() });
            let side = position.to_move();
            let empty = position.points() - position.stones();
            if position.winner().is_some() || empty > 9 {
                return;
            }
            let mut full = position.clone();
            let filled = fill_in::<1>(&mut full.board);
            if full.winner().is_some() {
                return;
            }
            let dominated = dominated::<1>(&full.board, side);
            let wins = |cell: usize| {
                let mut child = position.clone();
                child.play(Move::at(cell));
                solve(&child) == side
            };
            let legal = || (0..position.points()).filter(|&c| position.stone(c).is_none());
            if legal().any(wins) && !legal().filter(|&c| !filled.has(c) && !dominated.has(c)).any(wins) {
                faults.push(position.clone());
            }
        });
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }

    /// Once the killer stands, it is all one whose stone is in the vulnerable cell; without it, it was not always.
    #[test]
    fn killers_leave_nothing_to_decide(
        width in 2usize..=6, height in 2usize..=6, choices in prop::collection::vec(any::<u16>(), 2..30)
    ) {
        let mut faults = Vec::new();
        play(Size { width, height }, &choices, |position| {
            let empty = position.points() - position.stones();
            if position.winner().is_some() || empty > 9 {
                return;
            }
            for (side, cell) in Side::BOTH.into_iter().flat_map(|side| (0..position.points()).map(move |cell| (side, cell))) {
                for killer in killers(&position.board, cell, side) {
                    let ends = Side::BOTH.map(|owner| {
                        let mut end = position.clone();
                        end.board.put(killer, side.opponent());
                        if end.winner().is_none() {
                            end.board.put(cell, owner);
                        }
                        end.winner().unwrap_or_else(|| solve(&end))
                    });
                    if ends[0] != ends[1] {
                        faults.push((position.clone(), cell, killer));
                    }
                }
            }
        });
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }
}

/// The published examples: a cell whose two opposite neighbours are of one colour and whose others are not separated,
/// and the pair of cells below a stone on the second row.
#[test]
fn known_examples() {
    let size = Size::square(6);
    let mut board = Board::new(size);
    // Black on the second row from the bottom: the two cells below it are captured.
    board.put(size.index(2, 4), Side::First);
    let filled = fill_in::<1>(&mut board);
    assert_eq!(filled, Cells::default().with(size.index(2, 5)).with(size.index(1, 5)));
    assert_eq!(board.stone(size.index(1, 5)), Some(Side::First));
    // Four stones of one colour in a row around a cell leave nothing to cut.
    let mut board = Board::new(size);
    let around = [(2, 1), (3, 1), (3, 2), (2, 3)];
    around.into_iter().for_each(|(x, y)| board.put(size.index(x, y), Side::First));
    assert!(dead(&board, board.place(size.index(2, 2)), &[]));
}
