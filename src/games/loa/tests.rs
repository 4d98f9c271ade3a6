use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;

use super::*;
use crate::game::{Game, Outcome, Planes, Side};
use crate::games::testing::{after, legal, perft, playout};
use crate::games::{Size, Spelled, Spelling};
use crate::rng::Rng;

/// OpenSpiel counts these.
#[test]
fn as_many_sequences_of_moves_as_another_program_counts() {
    let deepest = if std::env::var_os("LOSANGE_LONG").is_some() { 4 } else { 3 };
    for (depth, count) in (1..=deepest).zip([36, 1_244, 44_952, 1_563_208]) {
        assert_eq!(perft(&Position::new(Size::square(8)), depth), count, "depth {depth}");
    }
}

/// The rules in their words, over a board of owners.
struct Plain {
    size: Size,
    owners: Vec<Option<Side>>,
    side: Side,
    /// Boards that were there before, captures or not.
    before: Vec<(Vec<Option<Side>>, Side)>,
}

impl Plain {
    fn of(position: &Position) -> Self {
        let owners = (0..position.points()).map(|point| position.owner(point)).collect();
        Self { size: position.size(), owners, side: position.to_move(), before: Vec::new() }
    }

    fn at(&self, x: isize, y: isize) -> Option<usize> {
        let fits = |line: isize, lines: usize| line >= 0 && line < lines as isize;
        (fits(x, self.size.width) && fits(y, self.size.height)).then(|| self.size.index(x as usize, y as usize))
    }

    /// Points on the way from one, itself left out.
    fn walk(&self, from: usize, (right, down): (isize, isize)) -> Vec<usize> {
        let (x, y) = self.size.xy(from);
        let place = |steps: isize| self.at(x as isize + right * steps, y as isize + down * steps);
        (1..).map_while(place).collect()
    }

    fn moves(&self) -> Vec<[usize; 2]> {
        let mut moves = Vec::new();
        for from in (0..self.owners.len()).filter(|&point| self.owners[point] == Some(self.side)) {
            for (right, down) in (-1..=1).flat_map(|right| (-1..=1).map(move |down| (right, down))) {
                if (right, down) == (0, 0) {
                    continue;
                }
                let (ahead, behind) = (self.walk(from, (right, down)), self.walk(from, (-right, -down)));
                let standing = ahead.iter().chain(&behind).filter(|&&point| self.owners[point].is_some()).count();
                let Some(&to) = ahead.get(standing) else { continue };
                let blocked = ahead[..standing].iter().any(|&point| self.owners[point] == Some(self.side.opponent()));
                if !blocked && self.owners[to] != Some(self.side) {
                    moves.push([from, to]);
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    fn is_joined(&self, side: Side) -> bool {
        let own = |point: &usize| self.owners[*point] == Some(side);
        let all: BTreeSet<usize> = (0..self.owners.len()).filter(own).collect();
        let mut reached: BTreeSet<usize> = all.first().copied().into_iter().collect();
        let mut open: Vec<usize> = reached.iter().copied().collect();
        while let Some(point) = open.pop() {
            let (x, y) = self.size.xy(point);
            for (right, down) in (-1..=1).flat_map(|right| (-1..=1).map(move |down| (right, down))) {
                if let Some(next) = self.at(x as isize + right, y as isize + down).filter(own)
                    && reached.insert(next)
                {
                    open.push(next);
                }
            }
        }
        reached == all
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = match Side::BOTH.map(|side| self.is_joined(side)) {
            [true, true] => None,
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ if self.before.contains(&(self.owners.clone(), self.side)) => None,
            _ if self.moves().is_empty() => Some(self.side.opponent()),
            _ => return None,
        };
        Some(Outcome::of(winner, 0.0))
    }

    fn play(&mut self, [from, to]: [usize; 2]) {
        self.before.push((self.owners.clone(), self.side));
        self.owners[to] = self.owners[from].take();
        self.side = self.side.opponent();
    }

    /// State that the rest of the game depends on: the board, and those before it with as many pieces.
    fn state(&self) -> (Vec<Option<Side>>, Side, BTreeSet<Vec<u8>>) {
        let count = |owners: &[Option<Side>]| owners.iter().flatten().count();
        let letters = |(owners, side): &(Vec<Option<Side>>, Side)| {
            let letter = |owner: &Option<Side>| owner.map_or(b'.', |side| b'0' + side.index() as u8);
            owners.iter().map(letter).chain([side.index() as u8]).collect()
        };
        let same = self.before.iter().filter(|(owners, _)| count(owners) == count(&self.owners));
        (self.owners.clone(), self.side, same.map(letters).collect())
    }
}

fn random_game(mut position: Position, seed: u64, mut check: impl FnMut(&Position, &Plain)) {
    let (mut rng, mut plain) = (Rng::new(seed), Plain::of(&position));
    for _ in 0..300 {
        check(&position, &plain);
        let moves = legal(&position);
        if moves.is_empty() {
            return;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        position.play(mv);
        plain.play(mv.ends(position.size()));
    }
}

fn boards() -> impl Strategy<Value = Size> {
    (4..=8_usize, 4..=8_usize).prop_map(|(width, height)| Size { width, height })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn games_go_by_the_rules(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, |position, plain| {
            let moves = legal(position);
            assert_eq!(position.outcome(), plain.outcome());
            assert!((0..position.points()).all(|point| position.owner(point) == plain.owners[point]));
            if position.outcome().is_some() {
                assert!(moves.is_empty());
                return;
            }
            assert_eq!(moves.iter().map(|mv| mv.ends(size)).collect::<Vec<_>>(), plain.moves());
            assert_eq!(position.mobility(position.to_move()) as usize, moves.len());
            let able = (0..position.move_count()).filter(|&mv| position.is_legal(position.move_at(mv)));
            assert_eq!(able.count(), moves.len());
        });
    }

    /// Two positions have one key where the board, the side to move and the repetitions that lie ahead are the same, and only there.
    #[test]
    fn keys_tell_apart_what_the_rules_tell_apart(seed: u64) {
        let (mut states, mut keys) = (HashMap::new(), HashMap::new());
        for game in 0..10 {
            random_game(Position::new(Size::square(4)), seed.wrapping_add(game), |position, plain| {
                if position.outcome().is_none() {
                    assert_eq!(states.entry(position.key()).or_insert_with(|| plain.state()), &plain.state());
                    assert_eq!(*keys.entry(plain.state()).or_insert(position.key()), position.key());
                }
            });
        }
    }

    #[test]
    fn playouts_go_by_the_rules(seed: u64, size in boards(), knowledge in 1..3_u32) {
        let (end, last) = playout(&Position::new(size), knowledge, seed, |_, _| ());
        prop_assert_eq!(end, last.outcome().unwrap_or(Outcome::DRAW));
    }

    #[test]
    fn both_sides_see_their_own_pieces_first(seed: u64, size in boards()) {
        random_game(Position::new(size), seed, |position, _| {
            let pieces: Vec<_> =
                (0..position.points()).filter_map(|point| Some((position.owner(point)?.opponent(), point))).collect();
            let mut twin = position.with_pieces(&pieces).unwrap();
            twin.set_to_move(position.to_move().opponent());
            let [mut own, mut other] = [Vec::new(), Vec::new()];
            position.write_planes(1, &mut own);
            twin.write_planes(1, &mut other);
            assert_eq!(own, other);
        });
    }
}

/// A position by the letters of its points from the top left: `x` for `First`, `o` for `Second`.
fn set_up(rows: &[&str]) -> Position {
    let size = Size { width: rows[0].len(), height: rows.len() };
    let side = |letter: char| match letter {
        'x' => Some(Side::First),
        'o' => Some(Side::Second),
        _ => None,
    };
    let pieces: Vec<_> =
        rows.concat().chars().enumerate().filter_map(|(point, letter)| Some((side(letter)?, point))).collect();
    Position::new(size).with_pieces(&pieces).unwrap()
}

fn play(position: &Position, from: [usize; 2], to: [usize; 2]) -> Position {
    let size = position.size();
    let points = [from, to].map(|[x, y]| size.index(x, y));
    let mv = Position::unspell(size, &Spelling::from(points)).expect("a move");
    assert!(position.is_legal(mv), "{from:?} {to:?}");
    after(position, mv)
}

#[test]
fn joining_both_sides_at_once_is_a_draw_and_joining_the_other_side_loses() {
    // Taking the odd piece of the other side joins what is left of it.
    for (rows, winner) in [
        ([".....", "x.o..", "..xx.", "...oo", "....."], None),
        ([".....", "x.o..", ".....", "x..oo", "x...."], Some(Side::Second)),
        (["..o..", "x.o..", "..xx.", "....o", "....."], Some(Side::First)),
    ] {
        let begin = set_up(&rows);
        assert_eq!(begin.outcome(), None, "{rows:?}");
        let end = play(&begin, [0, 1], [2, 1]);
        assert_eq!(end.outcome(), Some(Outcome::of(winner, 0.0)), "{rows:?}");
        assert!(legal(&end).is_empty());
    }
}

#[test]
fn a_position_that_comes_again_is_a_draw() {
    // Back and forth: the fourth move brings the start about.
    let begin = set_up(&["x....", ".....", "..o..", ".....", "x.o.o"]);
    let round = [([0, 0], [1, 0]), ([4, 4], [4, 3]), ([1, 0], [0, 0]), ([4, 3], [4, 4])];
    let mut position = begin.clone();
    for (from, to) in round {
        assert_eq!(position.outcome(), None);
        position = play(&position, from, to);
    }
    assert_eq!(position.outcome(), Some(Outcome::DRAW));
    assert!(position.key() != begin.key() && legal(&position).is_empty());
    // With the other side to move it is another position.
    position.set_to_move(Side::Second);
    assert_eq!(position.outcome(), None);
}

#[test]
fn who_cannot_move_loses() {
    // Each way leads over pieces of the other side.
    let mut stuck = set_up(&["xo...", "oo...", ".....", "...oo", "...ox"]);
    assert_eq!(stuck.outcome(), Some(Outcome::of(Some(Side::Second), 0.0)));
    assert!(legal(&stuck).is_empty());
    stuck.set_to_move(Side::Second);
    assert!(stuck.outcome().is_none() && !legal(&stuck).is_empty());
}

#[test]
fn pieces_that_cannot_stand_so_are_refused() {
    let start = Position::new(Size::square(5));
    let [a, b] = Side::BOTH;
    assert!(start.with_pieces(&[(a, 12), (b, 12)]).is_err());
    assert!(start.with_pieces(&[(a, 25), (b, 0)]).is_err());
    assert!(start.with_pieces(&[(a, 3)]).is_err());
    assert_eq!(start.with_pieces(&[(a, 3), (b, 5), (b, 20)]).unwrap().outcome().unwrap().winner, Some(a));
}
