use proptest::prelude::*;

use super::super::hsearch::Search;
use super::Cells;
use crate::game::{Game, Side};
use crate::games::Size;
use crate::games::hex::board::Board;
use crate::games::hex::position::tests::{play, solve};
use crate::games::hex::{Move, Position};

fn enclosed(board: &Board, side: Side) -> Option<Cells<1>> {
    let mut search = Search::<1>::default();
    search.begin(board, side);
    search.exhaust(&|| false);
    search.web.enclosed(board)
}

/// The position with those cells given to a side.
fn given(position: &Position, side: Side, cells: &Cells<1>) -> Position {
    let mut given = position.clone();
    (0..position.points()).filter(|&cell| cells.has(cell)).for_each(|cell| given.board.put(cell, side));
    given
}

fn winner(position: &Position) -> Side {
    position.winner().unwrap_or_else(|| solve(position))
}

proptest! {
    /// Winners are the same once cells are filled in, whoever moves, and after any move elsewhere.
    #[test]
    fn filling_in_keeps_the_winner(
        width in 2usize..=6, height in 2usize..=6, choices in prop::collection::vec(any::<u16>(), 2..30)
    ) {
        let mut faults = Vec::new();
        play(Size { width, height }, &choices, |position| {
            if position.winner().is_some() || position.points() - position.stones() > 9 {
                return;
            }
            for side in Side::BOTH {
                let Some(cells) = enclosed(&position.board, side) else { continue };
                for to_move in Side::BOTH {
                    let mut position = position.clone();
                    position.set_to_move(to_move);
                    if winner(&position) != winner(&given(&position, side, &cells)) {
                        faults.push(position.clone());
                    }
                    for cell in (0..position.points()).filter(|&cell| position.stone(cell).is_none() && !cells.has(cell)) {
                        let mut child = position.clone();
                        child.play(Move::at(cell));
                        if winner(&child) != winner(&given(&child, side, &cells)) {
                            faults.push(child);
                        }
                    }
                }
            }
        });
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }
}

/// The two cells below a stone of the second row; the cells of a bridge, if the opponent stands on both of its sides.
#[test]
fn known_examples() {
    let size = Size::square(7);
    let cells =
        |cells: &[(usize, usize)]| cells.iter().fold(Cells::default(), |all, &(x, y)| all.with(size.index(x, y)));
    let put = |board: &mut Board, side, cells: &[(usize, usize)]| {
        cells.iter().for_each(|&(x, y)| board.put(size.index(x, y), side));
    };
    let mut board = Board::new(size);
    put(&mut board, Side::First, &[(3, 5)]);
    assert_eq!(enclosed(&board, Side::First), Some(cells(&[(2, 6), (3, 6)])));
    let mut board = Board::new(size);
    put(&mut board, Side::First, &[(3, 2), (2, 4)]);
    assert_eq!(enclosed(&board, Side::First), None);
    put(&mut board, Side::Second, &[(1, 3)]);
    assert_eq!(enclosed(&board, Side::First), None);
    put(&mut board, Side::Second, &[(4, 3)]);
    assert_eq!(enclosed(&board, Side::First), Some(cells(&[(2, 3), (3, 3)])));
}
