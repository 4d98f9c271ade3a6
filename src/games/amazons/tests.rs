use std::collections::HashMap;

use proptest::prelude::*;

use super::moves::{Move, Numbering};
use super::*;
use crate::game::{Game, Outcome, Planes, Side};
use crate::games::testing::{legal, perft, playout};
use crate::games::{Occupant, Size, Spelled, Spelling};
use crate::rng::Rng;

/// Two other programs count these.
#[test]
fn as_many_sequences_of_moves_as_other_programs_count() {
    let long = std::env::var_os("LOSANGE_LONG").is_some();
    for (lines, known) in [(6, [544, 238_532]), (8, [1_232, 1_331_198]), (10, [2_176, 4_307_152])] {
        let deepest = if long { 2 } else { 1 };
        for (depth, count) in (1..=deepest).zip(known) {
            assert_eq!(perft(&Position::new(Size::square(lines)), depth), count, "{lines} lines, depth {depth}");
        }
    }
    assert_eq!(perft(&Position::new(Size::square(6)), 2), 238_532);
}

/// The rules in their words, over points with what stands there.
#[derive(Clone)]
struct Plain {
    size: Size,
    amazons: Vec<Option<Side>>,
    arrows: Vec<bool>,
    side: Side,
}

impl Plain {
    fn of(position: &Position) -> Self {
        let points = 0..position.points();
        Self {
            size: position.size(),
            amazons: points.clone().map(|point| position.owner(point)).collect(),
            arrows: points.map(|point| !position.is_cell(point)).collect(),
            side: position.to_move(),
        }
    }

    fn queen(&self, from: usize) -> Vec<usize> {
        let (mut found, (x, y)) = (Vec::new(), self.size.xy(from));
        for (right, down) in (-1..=1).flat_map(|right| (-1..=1).map(move |down| (right, down))) {
            if (right, down) == (0, 0) {
                continue;
            }
            for steps in 1.. {
                let place = x.checked_add_signed(right * steps).zip(y.checked_add_signed(down * steps));
                let Some((x, y)) = place.filter(|&(x, y)| x < self.size.width && y < self.size.height) else { break };
                let point = self.size.index(x, y);
                if self.amazons[point].is_some() || self.arrows[point] {
                    break;
                }
                found.push(point);
            }
        }
        found.sort_unstable();
        found
    }

    fn moves(&self) -> Vec<[usize; 3]> {
        let mut moves = Vec::new();
        for from in (0..self.amazons.len()).filter(|&point| self.amazons[point] == Some(self.side)) {
            for to in self.queen(from) {
                let mut moved = self.clone();
                moved.amazons[to] = moved.amazons[from].take();
                moves.extend(moved.queen(to).into_iter().map(|arrow| [from, to, arrow]));
            }
        }
        moves
    }

    fn play(&mut self, [from, to, arrow]: [usize; 3]) {
        self.amazons[to] = self.amazons[from].take();
        self.arrows[arrow] = true;
        self.side = self.side.opponent();
    }

    /// Moves of a queen to each point, over points that are free now, and steps of a king.
    fn distances(&self, side: Side, steps: usize) -> Vec<Option<u32>> {
        let own = |point: &usize| self.amazons[*point] == Some(side);
        let mut distances = vec![None; self.amazons.len()];
        let mut front: Vec<usize> = (0..self.amazons.len()).filter(own).collect();
        for distance in 1.. {
            let near = |from: usize, to: usize| {
                let ((x, y), (to_x, to_y)) = (self.size.xy(from), self.size.xy(to));
                x.abs_diff(to_x).max(y.abs_diff(to_y)) <= steps
            };
            let all = front.iter().flat_map(|&from| self.queen(from).into_iter().filter(move |&to| near(from, to)));
            let next: Vec<usize> = all.filter(|&point| distances[point].is_none()).collect();
            if next.is_empty() {
                break;
            }
            next.iter().for_each(|&point| distances[point] = Some(distance));
            front = next;
        }
        distances
    }
}

fn random_game(mut position: Position, seed: u64, mut check: impl FnMut(&Position, &Plain)) {
    let (mut rng, mut plain) = (Rng::new(seed), Plain::of(&position));
    loop {
        check(&position, &plain);
        let moves = legal(&position);
        if moves.is_empty() {
            return;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        position.play(mv);
        plain.play(mv.points());
    }
}

fn boards() -> impl Strategy<Value = Size> {
    (4..=10_usize, 4..=10_usize).prop_map(|(width, height)| Size { width, height })
}

fn small() -> impl Strategy<Value = Size> {
    (4..=6_usize, 4..=6_usize).prop_map(|(width, height)| Size { width, height })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn games_go_by_the_rules(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, |position, plain| {
            let moves = legal(position);
            assert_eq!(moves.iter().map(|mv| mv.points()).collect::<Vec<_>>(), plain.moves());
            let winner = moves.is_empty().then(|| plain.side.opponent());
            assert_eq!(position.outcome().map(|end| end.winner), winner.map(Some));
            assert!(moves.iter().all(|&mv| position.is_legal(mv)) && moves.is_sorted());
        });
    }

    #[test]
    fn legal_is_what_is_listed(seed: u64, size in small()) {
        random_game(Position::new(size), seed, |position, _| {
            let able = (0..position.move_count()).filter(|&mv| position.is_legal(position.move_at(mv)));
            assert_eq!(able.count(), legal(position).len());
        });
    }

    #[test]
    fn territory_is_counted_by_distances(seed: u64, size in small()) {
        random_game(Position::new(size), seed, |position, plain| {
            for (steps, counted) in [(size.width + size.height, position.by_queens()), (1, position.by_kings())] {
                let [first, second] = Side::BOTH.map(|side| plain.distances(side, steps));
                let both = || first.iter().zip(&second);
                let nearer = |one: &Option<u32>, other: &Option<u32>| one.is_some_and(|one| other.is_none_or(|other| one < other));
                let own = [
                    both().filter(|(a, b)| nearer(a, b)).count() as u32,
                    both().filter(|(a, b)| nearer(b, a)).count() as u32,
                ];
                assert_eq!(counted.own, own);
                assert_eq!(counted.shared as usize, both().filter(|(a, b)| a.is_some() && a == b).count());
                assert_eq!(position.reach(Side::First) as usize, first.iter().flatten().count());
            }
        });
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64, size in boards(), knowledge in 1..3_u32) {
        let (end, last) = playout(&Position::new(size), knowledge, seed, |_, _| ());
        match last.outcome() {
            Some(outcome) => prop_assert_eq!(end, outcome),
            None => prop_assert!(knowledge > 1 && end.winner.is_some()),
        }
    }

    #[test]
    fn keys_tell_positions_apart(seed: u64) {
        let mut known = HashMap::new();
        for game in 0..5 {
            random_game(Position::new(Size::square(4)), seed.wrapping_add(game), |position, plain| {
                let seen = (plain.amazons.clone(), plain.arrows.clone(), plain.side);
                assert_eq!(known.entry(position.key()).or_insert_with(|| seen.clone()), &seen);
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A policy's entries tell moves apart, turn with the board, and mean the same step wherever it begins.
    #[test]
    fn priors_are_sums_of_a_step_and_an_arrow(seed: u64, size in boards()) {
        let layers = |entry: usize| entry / size.points();
        let step = |from: usize, to: usize| {
            let ((x, y), (there, below)) = (size.xy(from), size.xy(to));
            (there as isize - x as isize, below as isize - y as isize)
        };
        let (mut steps, mut known) = (HashMap::new(), HashMap::new());
        random_game(Position::new(size), seed, |position, _| {
            for mv in legal(position) {
                let entries = position.policy_entries(mv, 0);
                assert_eq!(*known.entry(entries).or_insert(mv), mv);
                let (first, Some(second)) = entries.unwrap() else { panic!("{mv:?} has one entry") };
                let [from, to, arrow] = mv.points();
                assert!(first < position.policy_count() / 2 && first % size.points() == from);
                assert!((position.policy_count() / 2..position.policy_count()).contains(&second));
                assert_eq!(second % size.points(), to);
                assert_eq!(*steps.entry(layers(first)).or_insert(step(from, to)), step(from, to));
                assert_eq!(*steps.entry(layers(second)).or_insert(step(to, arrow)), step(to, arrow));
                for symmetry in 0..position.symmetries() {
                    let [from, to, arrow] = mv.points().map(|point| size.seen(point, symmetry));
                    let turned = Move::new(from, to, arrow);
                    assert_eq!(position.policy_entries(mv, symmetry), position.policy_entries(turned, 0));
                }
            }
        });
    }
}

#[test]
fn turns_are_numbered_without_gaps() {
    for size in [Size::square(10), Size { width: 4, height: 7 }, Size::square(4)] {
        let numbering = Numbering::of(size);
        let turns: Vec<Move> = (0..numbering.count()).map(|number| numbering.turn(number)).collect();
        assert!(turns.is_sorted() && turns.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(turns.iter().enumerate().all(|(number, &mv)| numbering.number(mv) == Some(number)));
    }
    // The sum of the squares of the moves of a queen from each point.
    assert_eq!(Numbering::of(Size::square(10)).count(), 86_980);
}

#[test]
fn who_cannot_move_loses_and_the_winner_scores_what_it_reaches() {
    let size = Size::square(4);
    let mut position = Position::new(size).with_pieces(&[(Side::First, 12), (Side::Second, 3)]).unwrap();
    // Each one shoots where it came from, and the one below once shuts itself in.
    let turns = [
        [12, 8, 12],
        [3, 7, 3],
        [8, 9, 8],
        [7, 6, 7],
        [9, 13, 9],
        [6, 5, 6],
        [13, 14, 10],
        [5, 4, 5],
        [14, 15, 14],
        [4, 0, 4],
        [15, 11, 15],
        [0, 1, 0],
    ];
    for points in turns {
        assert!(position.outcome().is_none());
        let mv = Position::unspell(size, &Spelling::from(points)).unwrap();
        assert!(position.is_legal(mv), "{points:?}");
        position.play(mv);
    }
    assert!(legal(&position).is_empty());
    assert_eq!(position.outcome(), Some(Outcome::of(Some(Side::Second), -1.0)));
}

#[test]
fn amazons_that_cannot_stand_so_are_refused() {
    let start = Position::new(Size::square(5));
    let [a, b] = Side::BOTH;
    assert!(start.with_pieces(&[(a, 12), (b, 12)]).is_err());
    assert!(start.with_pieces(&[(a, 25), (b, 0)]).is_err());
    assert!(start.with_pieces(&[(a, 3)]).is_err());
    assert!(start.with_pieces(&[(a, 3), (b, 12)]).is_ok_and(|position| position.outcome().is_none()));
}

#[test]
fn burnt_squares_are_set_up() {
    let start = Position::new(Size::square(4));
    let [a, b] = Side::BOTH.map(Occupant::from);
    let burnt = Occupant::Burnt;
    let position = start.with_occupants(&[(a, 0), (burnt, 1), (b, 15), (burnt, 4), (burnt, 4)]).unwrap();
    assert_eq!(position.occupants(), [(a, 0), (burnt, 1), (burnt, 4), (b, 15)]);
    assert!(legal(&position).iter().all(|mv| mv.points()[1] % 5 == 0), "along the diagonal");
    for (wrong, why) in [
        (vec![(a, 0), (b, 15), (burnt, 0)], "an amazon on a burnt square"),
        (vec![(a, 0), (b, 15), (burnt, 16)], "a burnt square is not on the board"),
        (vec![(a, 0), (burnt, 15)], "a side without amazons"),
        (vec![(a, 0), (b, 15), (Occupant::Levels(1), 3)], "this game has no buildings"),
    ] {
        assert_eq!(start.with_occupants(&wrong), Err(why.to_owned()));
    }
    // A position of a game comes back from what stands on it.
    let mut played = start;
    played.play(legal(&start)[0]);
    let again = start.with_occupants(&played.occupants()).unwrap();
    assert_eq!((again.occupants(), again.free()), (played.occupants(), played.free()));
}
