use super::super::connection::{ConnectionEnd, Strength};
use super::*;
use crate::game::{Bounded, Game, Insight, Solvable};
use crate::games::Size;
use crate::games::hex::Move;
use crate::rng::Rng;

const NEVER: &dyn Fn() -> bool = &|| false;

/// A board with stones at columns and rows, counted from 0.
fn board(n: usize, black: &[(usize, usize)], white: &[(usize, usize)]) -> Position {
    let mut position = Position::new(Size::square(n));
    let sides = [(Side::First, black), (Side::Second, white)];
    let stones: Vec<(Side, usize)> =
        sides.iter().flat_map(|(side, cells)| cells.iter().map(|&(x, y)| (*side, y * n + x))).collect();
    position.set_up(&stones).unwrap();
    position
}

#[test]
fn a_bridge_needs_its_two_cells_and_a_gap_its_key() {
    let position = board(11, &[(3, 3), (4, 4), (6, 4)], &[]);
    let chart = position.connections(Side::First, NEVER).unwrap();
    let cell = |x: usize, y: usize| ConnectionEnd::Cell(y * 11 + x);
    let bridge = chart.between(Strength::Full, [cell(3, 3), cell(4, 4)]).unwrap();
    assert_eq!((bridge[0].carrier.as_slice(), bridge[0].key), (&[3 * 11 + 4, 4 * 11 + 3][..], None));
    let gap = chart.between(Strength::Semi, [cell(4, 4), cell(6, 4)]).unwrap();
    assert_eq!((gap[0].carrier.as_slice(), gap[0].key), (&[4 * 11 + 5][..], Some(4 * 11 + 5)));
    assert!(chart.connected(Strength::Full, cell(3, 3)).unwrap().contains(&ConnectionEnd::FirstEdge));
    // White has nothing there.
    let white = position.connections(Side::Second, NEVER).unwrap();
    assert_eq!(white.between(Strength::Full, [cell(3, 3), ConnectionEnd::FirstEdge]), None);
    assert_eq!(position.connections(Side::First, &|| true).err(), Some(NoChart::Halted));
    let won = board(2, &[(0, 0), (0, 1)], &[]);
    assert_eq!(won.connections(Side::First, NEVER).err(), Some(NoChart::Decided));
}

#[test]
fn connections_are_looked_for_beyond_a_win() {
    // The centre stone joins both edges of 3x3 by bridges; the corners are connected with it too.
    let chart = chart(&board(3, &[(1, 1)], &[]).board, Side::First, NEVER).unwrap();
    assert!(chart.joined());
    let edges = [ConnectionEnd::FirstEdge, ConnectionEnd::LastEdge];
    assert!(!chart.between(Strength::Full, edges).unwrap().is_empty());
    assert!(chart.connected(Strength::Full, ConnectionEnd::Cell(4)).unwrap().len() > 6);
}

/// Moves that the solver looks at are the cells that are left.
#[test]
fn the_solver_looks_at_the_cells_that_are_not_needless() {
    let (mut rng, mut open, mut regions) = (Rng::new(5), 0, 0);
    for _ in 0..120 {
        let mut position = Position::new(Size { width: 6, height: 7 });
        for _ in 0..1 + rng.below(12) {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if !moves.is_empty() {
                position.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
        if position.winner().is_some() {
            continue;
        }
        let side = position.to_move();
        let needless = position.needless_cells(side, true, NEVER).unwrap();
        let Insight::Open { moves, .. } = position.insight(&Bounded::within(0)) else { continue };
        let mut looked: Vec<usize> = moves.into_iter().filter_map(|(mv, _)| Move::cell(mv)).collect();
        looked.sort_unstable();
        let left = |&cell: &usize| position.stone(cell).is_none() && !needless.iter().any(|&(other, _)| other == cell);
        assert_eq!(looked, (0..42).filter(left).collect::<Vec<_>>());
        open += 1;
        let outside = |&(_, why): &(usize, Inferior)| why == Inferior::OutsideMustPlay;
        regions += usize::from(needless.iter().any(outside));
        let all = position.needless_cells(side, false, NEVER).unwrap();
        assert!(!all.iter().any(|(_, why)| matches!(why, Inferior::Dominated(_))));
    }
    assert!(open > 20 && regions > 5, "{open} {regions}");
}

#[test]
fn inferior_cells_say_why() {
    // The acute corner behind a stone on the second row is captured by it.
    let position = board(5, &[(2, 3)], &[(0, 1)]);
    let fill_ins = position.fill_ins();
    assert!(fill_ins.iter().any(|&(_, why)| why == Inferior::Filled(FillIn::Captured, Side::First)), "{fill_ins:?}");
    let dominations = position.dominations(Side::First);
    assert!(!dominations.is_empty());
    // From cell to better cell one comes to an end, where to play.
    for &(cell, _) in &dominations {
        let (mut at, mut steps) = (cell, 0);
        while let Some(&(_, why)) = dominations.iter().find(|&&(other, _)| other == at) {
            let Inferior::Dominated(better) = why else { panic!("{why:?}") };
            assert!(position.stone(better).is_none());
            (at, steps) = (better, steps + 1);
            assert!(steps <= dominations.len());
        }
    }
    let all = position.inferior_cells(Side::First);
    assert_eq!(all[..fill_ins.len()], fill_ins);
}

#[test]
fn a_chain_is_its_cells() {
    let position = board(5, &[(1, 1), (1, 2), (4, 0)], &[(2, 1)]);
    assert_eq!(position.chain(11), [11, 6]);
    assert!(position.chain(0).is_empty());
}
