use proptest::prelude::*;

use super::*;
use crate::game::{Game, MonteCarlo, Planes, PlayoutPolicy, Side, Verdict};
use crate::games::testing::{after, keys_tell_apart, legal, perft};
use crate::games::{Size, Spelled};
use crate::rng::Rng;

/// Two outer lines of 15×15 have 104 points, and then any of those that are left: 104 · 224 · 223.
#[test]
fn the_first_stone_lies_on_an_outer_line() {
    let start = Position::new(Size::square(15));
    assert_eq!([1, 2, 3].map(|depth| perft(&start, depth)), [104, 23_296, 5_195_008]);
    assert_eq!(start.objection(Move::at(2 * 15 + 2)).unwrap(), "the first stone lies on an outer line");
    assert!([0, 14, 16, 15 * 13 + 7].iter().all(|&point| start.is_legal(Move::at(point))));
    // On 5×5 all points but the middle one are outer ones.
    assert_eq!(legal(&Position::new(Size::square(5))).len(), 24);
    // Whoever begins, and with stones that were set up no longer.
    let mut turned = start;
    turned.set_to_move(Side::Second);
    assert_eq!(legal(&turned).len(), 104);
    assert_eq!(legal(&start.with_pieces(&[(Side::Second, 3)]).unwrap()).len(), 224);
}

/// The side that has five or more in a row, by the words of the rules.
fn winner_by_the_rules(position: &Position) -> Option<Side> {
    let size = position.size();
    let owner =
        |x: usize, y: usize| if x < size.width && y < size.height { position.owner(size.index(x, y)) } else { None };
    for point in 0..size.points() {
        let (x, y) = size.xy(point);
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let row = (0..5).map(|far| owner(x.wrapping_add_signed(far * right), y.wrapping_add_signed(far * down)));
            let row: Vec<_> = row.collect();
            if row[0].is_some() && row.iter().all(|owner| *owner == row[0]) {
                return row[0];
            }
        }
    }
    None
}

/// Points that win at once for a side, by trying them all.
fn wins_by_the_rules(position: &Position, side: Side) -> Vec<usize> {
    let mut seen = *position;
    seen.set_to_move(side);
    let wins = |mv: &Move| winner_by_the_rules(&after(&seen, *mv)) == Some(side);
    legal(&seen).into_iter().filter(wins).map(|mv| mv.point()).collect()
}

fn check(position: &Position) {
    let size = position.size();
    let (winner, empty) =
        (winner_by_the_rules(position), (0..size.points()).filter(|&at| position.owner(at).is_none()));
    let empty: Vec<usize> = empty.collect();
    let moves = legal(position);
    let over = winner.is_some() || empty.is_empty();
    assert_eq!(position.outcome().map(|end| end.winner), over.then_some(winner));
    let bare = empty.len() == size.points();
    let outer = |point: usize| {
        let (x, y) = size.xy(point);
        x < 2 || y < 2 || x + 2 >= size.width || y + 2 >= size.height
    };
    let expected = empty.iter().copied().filter(|&point| !over && (!bare || outer(point)));
    assert_eq!(moves, expected.map(Move::at).collect::<Vec<_>>());
    assert_eq!((0..position.move_count()).filter(|&mv| position.is_legal(position.move_at(mv))).count(), moves.len());
    if over {
        return;
    }
    let wins = Side::BOTH.map(|side| wins_by_the_rules(position, side));
    assert_eq!(Side::BOTH.map(|side| position.completions(side)), wins);
    let mut sensible = Vec::new();
    position.sensible_moves(&mut sensible);
    let own = position.to_move().index();
    let forced = [&wins[own], &wins[1 - own]].into_iter().find(|points| !points.is_empty());
    assert_eq!(
        sensible.iter().map(|mv| mv.point()).collect::<Vec<_>>(),
        match forced {
            Some(points) => points.clone(),
            None => moves.iter().map(|mv| mv.point()).collect(),
        }
    );
}

/// Plays on by moves that lie near others mostly, so that rows come about.
fn random_game(mut position: Position, seed: u64, mut check: impl FnMut(&Position)) {
    let mut rng = Rng::new(seed);
    loop {
        check(&position);
        let mut moves = legal(&position);
        if moves.is_empty() {
            return;
        }
        let (size, start) = (position.size(), moves.clone());
        let near = |mv: &Move| {
            let (x, y) = size.xy(mv.point());
            (0..size.points()).any(|other| {
                let (to_x, to_y) = size.xy(other);
                to_x.abs_diff(x).max(to_y.abs_diff(y)) == 1 && position.owner(other) == Some(position.to_move())
            })
        };
        moves.retain(near);
        let among = if moves.is_empty() { start } else { moves };
        position.play(among[rng.below(among.len() as u32) as usize]);
    }
}

fn boards() -> impl Strategy<Value = Size> {
    (5..=20_usize, 5..=20_usize).prop_map(|(width, height)| Size { width, height })
}

fn small_boards() -> impl Strategy<Value = Size> {
    (5..=8_usize, 5..=8_usize).prop_map(|(width, height)| Size { width, height })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn games_go_by_the_rules(seed: u64, size in small_boards()) {
        random_game(Position::new(size), seed, check);
    }

    #[test]
    fn games_end_as_they_should_on_all_boards(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, |position| {
            let winner = winner_by_the_rules(position);
            assert_eq!(position.outcome().and_then(|end| end.winner), winner);
        });
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64, size in boards(), knowledge in 1..3_u32) {
        let start = Position::new(size);
        let (mut policy, mut trace) = (start.playout_policy(knowledge), Vec::new());
        let mut rng = Rng::new(seed);
        for _ in 0..2 {
            let end = policy.run(&start, &mut rng, &mut trace);
            let mut position = start;
            for &mv in &trace {
                prop_assert!(position.is_legal(mv));
                let mut sensible = Vec::new();
                position.sensible_moves(&mut sensible);
                prop_assert!(knowledge == 1 || sensible.contains(&mv), "a row was overlooked");
                position.play(mv);
            }
            prop_assert_eq!((Some(end.outcome), end.length as usize), (position.outcome(), trace.len()));
        }
    }

    #[test]
    fn keys_tell_positions_apart(seed: u64) {
        let owners = |position: &Position| (0..position.points()).map(|point| position.owner(point)).collect::<Vec<_>>();
        keys_tell_apart(&Position::new(Size::square(5)), seed, owners);
    }

    /// Colours exchanged and the board turned, the side to move sees the same.
    #[test]
    fn planes_know_no_colours(seed: u64, size in small_boards()) {
        random_game(Position::new(size), seed, |position| {
            let stones: Vec<_> = (0..position.points())
                .filter_map(|point| Some((position.owner(point)?.opponent(), size.seen(point, 2))))
                .collect();
            let mut twin = position.with_pieces(&stones).unwrap();
            twin.set_to_move(position.to_move().opponent());
            let [mut own, mut other] = [Vec::new(), Vec::new()];
            position.write_planes(2, &mut own);
            twin.write_planes(0, &mut other);
            assert_eq!(own, other);
        });
    }
}

/// Whether a side wins within so many plies, whatever the other does.
fn wins_within(position: &Position, side: Side, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(side);
    }
    let wins = |mv: &Move| wins_within(&after(position, *mv), side, plies - 1);
    plies > 0
        && if position.to_move() == side { legal(position).iter().any(wins) } else { legal(position).iter().all(wins) }
}

fn verdicts(position: &Position) -> Vec<(Move, Verdict)> {
    let (moves, mut verdicts) = (legal(position), Vec::new());
    position.solved(&(), &moves, &mut verdicts);
    moves.into_iter().zip(verdicts).collect()
}

/// Whether a side wins within so many plies by the moves of which verdicts say so, whatever the other does.
fn forces(position: &Position, side: Side, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(side);
    }
    let forces = |mv: &Move| forces(&after(position, *mv), side, plies - 1);
    let wins =
        |verdict: &Verdict| matches!(*verdict, Verdict::Decided(winner, after) if winner == side && after < plies);
    plies > 0
        && match position.to_move() == side {
            true => verdicts(position).iter().find(|(_, verdict)| wins(verdict)).is_some_and(|(mv, _)| forces(mv)),
            false => legal(position).iter().all(forces),
        }
}

/// Wins by fours and the moves that let the opponent have one: whatever is replied, the verdicts lead on to five in a row.
#[test]
fn wins_by_fours_are_played_to_the_end() {
    let mut longest = [0; 2];
    for seed in 0..40 {
        random_game(Position::new(Size::square(9)), seed, |position| {
            let side = position.to_move();
            for (mv, verdict) in verdicts(position) {
                let Verdict::Decided(winner, plies) = verdict else { continue };
                assert!(plies < 3 || forces(&after(position, mv), winner, plies), "{mv:?} {verdict:?} {side:?}");
                let longest = &mut longest[usize::from(winner == side)];
                *longest = plies.max(*longest);
            }
        });
    }
    assert!(longest[0] > 4 && longest[1] > 3, "{longest:?}");
}

/// Verdicts are right, by looking at all replies, and there are some of each kind.
#[test]
fn verdicts_are_never_wrong() {
    let mut decided = [0; 3];
    for seed in 0..8 {
        let size = Size { width: 5 + seed as usize % 4, height: 8 - seed as usize / 2 };
        random_game(Position::new(size), seed, |position| {
            let side = position.to_move();
            for (mv, verdict) in verdicts(position) {
                let Verdict::Decided(winner, plies @ ..3) = verdict else { continue };
                assert!(wins_within(&after(position, mv), winner, plies), "{mv:?} {verdict:?} {side:?}");
                decided[plies as usize] += 1;
            }
        });
    }
    assert!(decided.iter().all(|&count| count > 0), "{decided:?}");
}

#[test]
fn five_or_more_in_a_row_win() {
    let start = Position::new(Size::square(9));
    let [a, b] = Side::BOTH;
    let winner = |points: &[usize]| {
        let stones: Vec<_> = points.iter().map(|&point| (b, point)).collect();
        start.with_pieces(&stones).unwrap().outcome().and_then(|end| end.winner)
    };
    assert_eq!(winner(&[0, 10, 20, 30]), None);
    // Across, down, on both diagonals, and six.
    for row in [[4, 5, 6, 7, 8], [8, 17, 26, 35, 44], [36, 46, 56, 66, 76], [8, 16, 24, 32, 40]] {
        assert_eq!(winner(&row), Some(b));
    }
    assert_eq!(winner(&[0, 1, 2, 4, 5, 3]), Some(b));
    // A row does not go on in the next one.
    assert_eq!(winner(&[5, 6, 7, 8, 9, 10]), None);
    let mut position = start.with_pieces(&[(a, 0), (a, 1), (a, 2), (a, 4), (a, 5)]).unwrap();
    assert_eq!(position.completions(a), [3]);
    position.play(Move::at(3));
    assert_eq!(position.outcome().and_then(|end| end.winner), Some(a));
    assert_eq!(position.objection(Move::at(8)).unwrap(), "the game is over");
}

#[test]
fn stones_that_cannot_lie_so_are_refused() {
    let start = Position::new(Size::square(5));
    let [a, b] = Side::BOTH;
    assert!(start.with_pieces(&[(a, 12), (b, 12)]).is_err());
    assert!(start.with_pieces(&[(a, 25)]).is_err());
    let rows: Vec<_> = (0..5).map(|point| (a, point)).chain((5..10).map(|point| (b, point))).collect();
    assert!(start.with_pieces(&rows).is_err());
    assert!(start.with_pieces(&rows[..5]).unwrap().outcome().is_some());
    let full: Vec<_> = (0..25).map(|point| (if (point % 5 / 2 + point / 5) % 2 == 0 { a } else { b }, point)).collect();
    let drawn = start.with_pieces(&full).unwrap();
    assert_eq!((winner_by_the_rules(&drawn), drawn.outcome().map(|end| end.winner)), (None, Some(None)));
}
