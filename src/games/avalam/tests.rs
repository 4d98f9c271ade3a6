use std::collections::HashMap;

use proptest::prelude::*;

use super::position::{CELLS, LINES, SHAPE, ends};
use super::*;
use crate::game::{Game, Planes, Side};
use crate::games::testing::{keys_tell_apart, legal, playout, random_game};
use crate::games::{Occupant, Piece, Size, Spelled};

/// Pieces on the board.
fn pieces(position: &Position) -> usize {
    (0..position.points()).map(|point| position.height(point)).sum()
}

/// The moves by the words of the rules, from the board alone.
fn moves_by_the_rules(position: &Position) -> Vec<[usize; 2]> {
    let size = Size::square(LINES);
    let mut moves = Vec::new();
    for from in 0..size.points() {
        for to in (0..size.points()).filter(|&to| to != from) {
            let ((x, y), (to_x, to_y)) = (size.xy(from), size.xy(to));
            let (own, other) = (position.height(from), position.height(to));
            if x.abs_diff(to_x) <= 1 && y.abs_diff(to_y) <= 1 && own > 0 && other > 0 && own + other <= 5 {
                moves.push([from, to]);
            }
        }
    }
    moves
}

/// A part of the board: the towers of the start on those cells.
fn cut_down(cells: &[usize]) -> Position {
    let start = Position::new();
    Position::with(cells.iter().map(|&cell| {
        let (height, side) = start.tower(cell).unwrap();
        (side, cell, height)
    }))
}

#[test]
fn the_start_is_that_of_the_game() {
    let start = Position::new();
    assert_eq!((start.points_of(Side::First), start.points_of(Side::Second), pieces(&start)), (24, 24, 48));
    assert_eq!((start.move_count(), legal(&start).len(), start.to_move()), (292, 292, Side::First));
    assert!(!start.is_cell(LINES * LINES / 2) && (0..81).filter(|&point| start.is_cell(point)).count() == CELLS);
    // Neighbours in a row or column differ in colour, and half a turn leaves every tower as it is.
    for point in (0..81).filter(|&point| start.is_cell(point)) {
        assert_eq!(start.owner(point), start.owner(80 - point));
        if point % LINES + 1 < LINES && start.is_cell(point + 1) {
            assert_ne!(start.owner(point), start.owner(point + 1));
        }
        if point + LINES < 81 && start.is_cell(point + LINES) {
            assert_ne!(start.owner(point), start.owner(point + LINES));
        }
    }
}

#[test]
fn towers_of_five_decide_what_is_even() {
    let end = |towers: &[(Side, usize, u8)]| Position::with(towers.iter().copied()).outcome().unwrap();
    let [a, b] = Side::BOTH;
    // The corners of the board are far from each other.
    assert_eq!(end(&[(a, 0, 5), (b, 47, 4)]).winner, Some(a));
    assert_eq!(end(&[(a, 0, 3), (b, 47, 5)]).winner, Some(b));
    assert_eq!(end(&[(a, 0, 5), (b, 47, 5)]).winner, None);
    assert_eq!(end(&[(a, 0, 1), (a, 25, 1), (b, 47, 5)]).winner, Some(a));
    let ahead = end(&[(a, 0, 1), (a, 25, 1), (b, 47, 5)]);
    assert_eq!((ahead.score, ahead.value), (1.0, 1.0));
}

fn check(position: &Position) {
    let moves = legal(position);
    let touched: Vec<_> = moves.iter().map(|&mv| ends(mv)).collect();
    assert_eq!(touched, moves_by_the_rules(position));
    assert!(moves.is_sorted() && moves.iter().all(|&mv| position.is_legal(mv)));
    assert_eq!((0..position.move_count()).filter(|&mv| position.is_legal(position.move_at(mv))).count(), moves.len());
    assert_eq!(position.outcome().is_some(), moves.is_empty());
    let towers = position.points_of(Side::First) + position.points_of(Side::Second);
    for &mv in &moves {
        let ([from, to], mut child) = (ends(mv), *position);
        let spelling = Position::spell(position.size(), mv);
        assert_eq!((spelling.points(), Position::unspell(position.size(), &spelling)), (&[from, to][..], Some(mv)));
        assert_eq!(position.move_at(position.index(mv)), mv);
        child.play(mv);
        // One tower less, and as many pieces as before; the one that moves is on top.
        assert_eq!(child.points_of(Side::First) + child.points_of(Side::Second), towers - 1);
        assert_eq!((pieces(&child), child.owner(to)), (pieces(position), position.owner(from)));
        assert_eq!((child.height(from), child.height(to)), (0, position.height(from) + position.height(to)));
        // What cannot move stays for ever.
        for cell in (0..CELLS).filter(|&cell| position.tower(cell).is_some() && position.is_settled(cell)) {
            assert_eq!(child.tower(cell), position.tower(cell));
        }
    }
}

proptest! {
    #[test]
    fn games_go_by_the_rules(seed: u64) {
        random_game(Position::new(), seed, check);
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64) {
        let (end, last) = playout(&Position::new(), 1, seed, |_, _| ());
        prop_assert_eq!(Some(end), last.outcome());
    }

    /// On a part of the board equal positions have equal keys, and others not.
    #[test]
    fn keys_tell_positions_apart(seed: u64, corner in 0..40_usize) {
        let start = cut_down(&(corner..corner + 7).collect::<Vec<_>>());
        let towers = |position: &Position| {
            (0..81).map(|point| (position.height(point), position.owner(point))).collect::<Vec<_>>()
        };
        keys_tell_apart(&start, seed, towers);
    }

    #[test]
    fn planes_and_moves_turn_together(seed: u64) {
        random_game(Position::new(), seed, |position| {
            let mut planes = [Vec::new(), Vec::new()];
            for (symmetry, planes) in planes.iter_mut().enumerate() {
                position.write_planes(symmetry, planes);
            }
            let area = LINES * LINES;
            for plane in 0..11 {
                let turned: Vec<f32> = planes[0][plane * area..][..area].iter().rev().copied().collect();
                assert_eq!(turned, planes[1][plane * area..][..area]);
            }
            for mv in legal(position) {
                let (from, to) = SHAPE.moves[position.action_index(mv, 1).unwrap()];
                let points = [from, to].map(|cell| 80 - usize::from(SHAPE.points[usize::from(cell)]));
                assert_eq!(points, ends(mv));
            }
        });
    }
}

/// The best that the side to move can reach, +1, 0 or -1, by looking at everything.
fn minimax(position: &Position, known: &mut HashMap<u64, i8>) -> i8 {
    if let Some(outcome) = position.outcome() {
        return (outcome.value * position.to_move().sign()) as i8;
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let values = legal(position).into_iter().map(|mv| {
        let mut child = *position;
        child.play(mv);
        child
    });
    let children: Vec<_> = values.collect();
    let value = children.iter().map(|child| -minimax(child, known)).max().unwrap();
    known.insert(position.key(), value);
    value
}

/// The searches find what looking at everything finds, draws too.
#[test]
fn searches_find_the_best_result_on_parts_of_the_board() {
    use std::sync::Arc;

    use crate::players::{Models, Played, Resources};
    use crate::search::params::Method;
    use crate::search::{Budget, Params, Share, Stop, Task};

    let mut seen = [0; 3];
    for corner in 0..41 {
        let position = cut_down(&(corner..corner + 7).collect::<Vec<_>>());
        if position.outcome().is_some() {
            continue;
        }
        let mut known = HashMap::new();
        let best = minimax(&position, &mut known);
        seen[(best + 1) as usize] += 1;
        for search in [Method::UbfmS, Method::Mcts, Method::AlphaBeta, Method::Descent] {
            let params = Params { search, ..Params::default() };
            let (budget, stop) = (Budget { nodes: Some(4_000), ..Budget::default() }, Stop::new());
            let task = Task::new(&position, budget, &params, &stop);
            let resources = Resources { share: Arc::new(Share::new(1)), memory: 64, models: Models::default() };
            let decision = Position::recipe().searcher(&resources).run(&task, &mut |_| ());
            let mut child = position;
            child.play(decision.mv);
            assert_eq!(-minimax(&child, &mut known), best, "{search} from {corner}");
            if let Some(winner) = decision.report.resolution {
                assert_eq!(best, if winner == Side::First { 1 } else { -1 }, "{search} from {corner}");
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn towers_are_set_up() {
    let start = Position::new();
    let tower = |side, height| Occupant::Piece(Piece { side, height });
    let [a, b] = Side::BOTH;
    let (left, right) = (2, 3);
    let position = start.with_occupants(&[(tower(a, 4), left), (tower(b, 1), right)]).unwrap();
    assert_eq!(position.occupants(), [(tower(a, 4), left), (tower(b, 1), right)]);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves.iter().map(|&mv| ends(mv)).collect::<Vec<_>>(), [[left, right], [right, left]]);
    assert_eq!(start.with_occupants(&start.occupants()), Ok(start));
    let everywhere = |side, height| start.occupants().into_iter().map(move |(_, point)| (tower(side, height), point));
    for (wrong, why) in [
        (vec![(tower(a, 6), left)], "a tower has 1 to 5 pieces"),
        (vec![(tower(a, 1), left), (tower(b, 1), left)], "two towers on one point"),
        (vec![(tower(a, 1), 0)], "a tower is not on the board"),
        (vec![(tower(a, 1), 81)], "a tower is not on the board"),
        (everywhere(a, 5).take(10).collect(), "more than 48 pieces"),
        (everywhere(b, 1).take(25).collect(), "more than 24 towers of one colour"),
        (vec![(Occupant::Burnt, left)], "this game has no burnt squares"),
    ] {
        assert_eq!(start.with_occupants(&wrong), Err(why.to_owned()));
    }
    assert!(start.with_pieces(&[(a, left)]).is_ok_and(|position| position.outcome().is_some()));
}
