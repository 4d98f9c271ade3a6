use proptest::prelude::*;

use crate::game::{Bounded, Game, Insight, Side, Solvable, Zone};
use crate::games::Size;
use crate::games::hex::position::tests::{play, solve};
use crate::games::hex::{Move, Position};

/// The position with all empty cells outside of a zone given to a side.
fn given(position: &Position, side: Side, zone: &<Position as Solvable>::Zone) -> Position {
    let stones: Vec<(Side, usize)> = (0..position.points())
        .filter_map(|cell| match position.stone(cell) {
            Some(owner) => Some((owner, cell)),
            None => (!zone.contains(cell)).then_some((side, cell)),
        })
        .collect();
    let mut given = Position::new(position.size());
    given.set_up(&stones).unwrap();
    given.set_to_move(position.to_move());
    given
}

fn winner(position: &Position) -> Side {
    position.winner().unwrap_or_else(|| solve(position))
}

fn after(position: &Position, mv: Move) -> Side {
    let mut child = position.clone();
    child.play(mv);
    winner(&child)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4 * 3, ..ProptestConfig::default() })]

    /// A winner is the right one, also where the loser has all cells that his win does not rest on; his move wins. If a move of an
    /// open position wins, one of those that are left does.
    #[test]
    fn insights_are_right(
        width in 2usize..=6, height in 2usize..=6, choices in prop::collection::vec(any::<u16>(), 2..30), turn in any::<bool>()
    ) {
        let mut faults = Vec::new();
        let findings = Bounded::within(64);
        play(Size { width, height }, &choices, |position| {
            let mut position = position.clone();
            position.set_to_move(if turn { position.to_move() } else { position.to_move().opponent() });
            let insight = position.insight(&findings);
            if position.winner().is_some() || position.points() - position.stones() > 9 {
                return;
            }
            let right = match insight {
                Insight::Decided(side, zone, mv) => {
                    winner(&position) == side
                        && winner(&given(&position, side.opponent(), &zone)) == side
                        && mv.is_some() == (side == position.to_move())
                        && mv.is_none_or(|mv| after(&position, mv) == side)
                }
                Insight::Open { moves, .. } => {
                    let side = position.to_move();
                    winner(&position) != side || moves.iter().any(|&(mv, _)| after(&position, mv) == side)
                }
            };
            if !right {
                faults.push(position);
            }
        });
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }
}
