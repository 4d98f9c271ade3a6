use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::game::{Game, Planes, Side};
use crate::games::testing::{after, legal, perft, playout};
use crate::games::{Occupant, Size, Spelled, Spelling};
use crate::rng::Rng;

/// Workers of the one side on b2 and d4, of the other on d2 and b4.
fn placed() -> Position {
    let [a, b] = Side::BOTH;
    Position::new(Size::square(5)).with_pieces(&[(a, 16), (a, 8), (b, 18), (b, 6)]).unwrap()
}

/// Two other programs count these.
#[test]
fn as_many_sequences_of_moves_as_other_programs_count() {
    let start = Position::new(Size::square(5));
    assert_eq!([1, 2].map(|depth| perft(&start, depth)), [300, 75_900]);
    let deepest = if std::env::var_os("LOSANGE_LONG").is_some() { 4 } else { 2 };
    for (depth, count) in (1..=deepest).zip([80, 6_176, 426_384, 29_096_316]) {
        assert_eq!(perft(&placed(), depth), count, "depth {depth}");
    }
}

/// The rules in their words, over points with levels and workers.
#[derive(Clone)]
struct Plain {
    size: Size,
    levels: Vec<usize>,
    workers: Vec<Option<Side>>,
    side: Side,
    climbed: bool,
}

impl Plain {
    fn of(position: &Position) -> Self {
        let points = position.points();
        Self {
            size: position.size(),
            levels: (0..points).map(|point| position.levels(point)).collect(),
            workers: (0..points).map(|point| position.owner(point)).collect(),
            side: position.to_move(),
            climbed: false,
        }
    }

    fn near(&self, point: usize) -> impl Iterator<Item = usize> + use<'_> {
        let (x, y) = self.size.xy(point);
        (0..self.levels.len()).filter(move |&other| {
            let (to_x, to_y) = self.size.xy(other);
            other != point && x.abs_diff(to_x) <= 1 && y.abs_diff(to_y) <= 1
        })
    }

    fn is_free(&self, point: usize) -> bool {
        self.workers[point].is_none() && self.levels[point] < 4
    }

    fn moves(&self) -> Vec<Vec<usize>> {
        let own: Vec<usize> = (0..self.levels.len()).filter(|&point| self.workers[point] == Some(self.side)).collect();
        let all = || (0..self.levels.len()).filter(|&point| self.is_free(point));
        if own.is_empty() {
            return all()
                .flat_map(|first| all().filter(move |&second| second > first).map(move |second| vec![first, second]))
                .collect();
        }
        let mut moves = Vec::new();
        for from in own {
            for to in self.near(from).filter(|&to| self.is_free(to) && self.levels[to] <= self.levels[from] + 1) {
                if self.levels[to] == 3 {
                    moves.push(vec![from, to]);
                    continue;
                }
                let mut moved = self.clone();
                moved.workers[to] = moved.workers[from].take();
                moves.extend(self.near(to).filter(|&site| moved.is_free(site)).map(|site| vec![from, to, site]));
            }
        }
        moves.sort();
        moves
    }

    fn winner(&self) -> Option<Side> {
        if self.climbed {
            return Some(self.side.opponent());
        }
        self.moves().is_empty().then(|| self.side.opponent())
    }

    fn play(&mut self, points: &[usize]) {
        match *points {
            [from, to] if self.workers[from].is_some() => {
                self.workers[to] = self.workers[from].take();
                self.climbed = true;
            }
            [first, second] => [first, second].iter().for_each(|&point| self.workers[point] = Some(self.side)),
            [from, to, site] => {
                self.workers[to] = self.workers[from].take();
                self.levels[site] += 1;
            }
            _ => panic!("no move"),
        }
        self.side = self.side.opponent();
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
        plain.play(Position::spell(position.size(), mv).points());
    }
}

fn boards() -> impl Strategy<Value = Size> {
    (3..=5_usize, 3..=5_usize).prop_map(|(width, height)| Size { width, height })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn games_go_by_the_rules(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, |position, plain| {
            assert_eq!(position.outcome().map(|end| end.winner), plain.winner().map(Some));
            let moves = legal(position);
            for point in 0..position.points() {
                assert_eq!((position.owner(point), position.levels(point)), (plain.workers[point], plain.levels[point]));
            }
            if position.outcome().is_some() {
                assert!(moves.is_empty());
                return;
            }
            let mut touched: Vec<_> = moves.iter().map(|&mv| Position::spell(size, mv).points().to_vec()).collect();
            touched.sort();
            assert_eq!(touched, plain.moves());
            assert!(moves.is_sorted());
            let able = (0..position.move_count()).filter(|&mv| position.is_legal(position.move_at(mv)));
            assert_eq!(able.count(), moves.len());
            let wins = |mv: &Move| after(position, *mv).outcome().is_some_and(|end| end.winner == Some(position.to_move()));
            if position.proven().is_some() {
                assert!(moves.iter().any(wins));
            }
        });
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64, size in boards(), knowledge in 1..3_u32) {
        let (end, last) = playout(&Position::new(size), knowledge, seed, |position, mv| {
            let won = after(position, mv).outcome().is_some_and(|end| end.winner == Some(position.to_move()));
            assert!(knowledge == 1 || position.proven().is_none() || won, "a win was left out");
        });
        prop_assert_eq!(Some(end), last.outcome());
    }

    #[test]
    fn keys_tell_positions_apart(seed: u64) {
        let mut known = HashMap::new();
        for game in 0..5 {
            random_game(Position::new(Size::square(3)), seed.wrapping_add(game), |position, plain| {
                let seen = (plain.workers.clone(), plain.levels.clone(), plain.side);
                assert_eq!(known.entry(position.key()).or_insert_with(|| seen.clone()), &seen);
            });
        }
    }

    #[test]
    fn both_sides_see_their_own_workers_first(seed: u64, size in boards()) {
        let [a, b] = Side::BOTH;
        let points: Vec<usize> = (0..size.points()).collect();
        let mut chosen = points.clone();
        let mut rng = Rng::new(seed);
        chosen.sort_by_cached_key(|_| rng.below(1000));
        let set_up = |one: Side, other: Side| {
            let pieces = [(one, chosen[0]), (one, chosen[1]), (other, chosen[2]), (other, chosen[3])];
            let mut position = Position::new(size).with_pieces(&pieces).unwrap();
            position.set_to_move(one);
            position
        };
        let planes = [set_up(a, b), set_up(b, a)].map(|position| {
            let mut planes = Vec::new();
            position.write_planes(1, &mut planes);
            planes
        });
        prop_assert_eq!(&planes[0], &planes[1]);
    }
}

fn play(position: &Position, points: [usize; 3]) -> Position {
    let mv = Position::unspell(position.size(), &Spelling::from(points)).expect("a turn");
    assert!(position.is_legal(mv), "{points:?}");
    after(position, mv)
}

#[test]
fn three_levels_are_climbed_one_by_one_and_four_are_a_dome() {
    let [a, b] = Side::BOTH;
    let mut position = Position::new(Size::square(5)).with_pieces(&[(a, 0), (a, 24), (b, 4), (b, 20)]).unwrap();
    // The one side builds a stair of 1, 2 and 7; the other one walks about below.
    let turns = [
        ([0, 5, 1], [20, 15, 20]),
        ([5, 6, 2], [15, 16, 15]),
        ([6, 1, 2], [16, 17, 16]),
        ([1, 6, 7], [17, 22, 21]),
        ([6, 1, 7], [22, 23, 22]),
        ([1, 2, 7], [23, 18, 23]),
    ];
    for (points, reply) in turns {
        assert!(position.outcome().is_none() && position.proven().is_none());
        position = play(&play(&position, points), reply);
    }
    assert_eq!(([1, 2, 7].map(|point| position.levels(point)), position.to_move()), ([1, 2, 3], a));
    assert_eq!(position.proven(), Some((a, 1)));
    let climb = Position::unspell(position.size(), &Spelling::from([2, 7])).unwrap();
    assert!(legal(&position).contains(&climb));
    let end = after(&position, climb);
    assert_eq!(end.outcome().and_then(|end| end.winner), Some(a));
    assert!(legal(&end).is_empty());
    // The other side would put a dome there, if it came near.
    let near = [[24, 19, 24], [18, 13, 18], [19, 24, 19]].into_iter().fold(position, |at, points| play(&at, points));
    assert_eq!((near.outcome(), near.proven()), (None, None));
    let domed = play(&near, [13, 12, 7]);
    assert_eq!(domed.levels(7), 4);
    assert!(!domed.is_legal(climb));
}

#[test]
fn workers_that_cannot_stand_so_are_refused() {
    let start = Position::new(Size::square(5));
    let [a, b] = Side::BOTH;
    assert!(start.with_pieces(&[(a, 12), (a, 12)]).is_err());
    assert!(start.with_pieces(&[(a, 25), (a, 0)]).is_err());
    assert!(start.with_pieces(&[(a, 3)]).is_err());
    assert!(start.with_pieces(&[]).is_ok_and(|position| position == start));
    // The other side still has to put its workers down.
    let mut half = start.with_pieces(&[(a, 3), (a, 4)]).unwrap();
    half.set_to_move(b);
    assert_eq!(legal(&half).len(), 23 * 22 / 2);
}

#[test]
fn buildings_are_set_up() {
    let start = Position::new(Size::square(3));
    let [a, b] = Side::BOTH.map(Occupant::from);
    let levels = Occupant::Levels;
    let workers = [(a, 0), (a, 1), (b, 7), (b, 8)];
    let with = |others: &[(Occupant, usize)]| start.with_occupants(&[&workers[..], others].concat());
    let mut position = with(&[(levels(2), 0), (levels(3), 3), (levels(4), 4), (levels(1), 8)]).unwrap();
    assert_eq!(
        position.occupants(),
        [(levels(2), 0), (a, 0), (a, 1), (levels(3), 3), (levels(4), 4), (b, 7), (levels(1), 8), (b, 8)]
    );
    assert_eq!(position.proven(), Some((Side::First, 1)));
    position.set_to_move(Side::Second);
    assert_eq!(position.outcome(), None);
    let climbed = with(&[(levels(3), 1)]).unwrap();
    assert_eq!(climbed.outcome().and_then(|end| end.winner), Some(Side::First));
    for (wrong, why) in [
        (vec![(levels(4), 0)], "a worker on a dome"),
        (vec![(levels(3), 0), (levels(3), 8)], "two workers on the third level"),
        (vec![(levels(1), 3), (levels(2), 3)], "two buildings on one point"),
        (vec![(levels(1), 9)], "a building is not on the board"),
        (vec![(levels(5), 3)], "a building has 1 to 4 levels"),
        (vec![(Occupant::Burnt, 3)], "this game has no burnt squares"),
    ] {
        assert_eq!(with(&wrong), Err(why.to_owned()));
    }
    let half = start.with_occupants(&[(a, 0), (a, 1), (levels(1), 5)]);
    assert_eq!(half, Err("a building before all workers stand".to_owned()));
}

/// A side that moves again and again builds before the other side's workers stand.
#[test]
fn a_game_out_of_turn_has_moves_or_an_end() {
    let mut ended = 0;
    for seed in 0..200 {
        let (mut rng, mut position) = (Rng::new(seed), Position::new(Size::square(3)));
        for _ in 0..40 {
            position.set_to_move(Side::First);
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            let mut other = position;
            other.set_to_move(Side::Second);
            let moves = legal(&other);
            assert_eq!(moves.is_empty(), other.outcome().is_some());
            ended += usize::from(moves.is_empty());
            for mv in moves {
                let mut after = other;
                after.play(mv);
                let heights = after.occupants().into_iter().filter(|it| matches!(it.0, Occupant::Levels(3)));
                let on_top = heights.filter(|&(_, point)| after.owner(point) == Some(Side::Second)).count();
                assert_eq!(on_top, 0, "nobody is put down where he would have won");
            }
        }
    }
    assert!(ended > 0);
}

#[test]
fn workers_are_put_down_in_any_order() {
    let (start, size) = (Position::new(Size::square(3)), Size::square(3));
    let [one, other] = [[0, 8], [8, 0]].map(|points| Position::unspell(size, &points.into()).unwrap());
    assert_eq!((start.in_order(one), start.in_order(other)), (one, one));
    let mut placed = start;
    placed.play(one);
    placed.set_to_move(Side::First);
    assert_eq!(placed.in_order(other), other, "one goes up");
}
