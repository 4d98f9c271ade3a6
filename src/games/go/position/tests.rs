use std::collections::HashMap;

use proptest::prelude::*;

use super::super::rules::{Rules, Scoring, Tax};
use super::super::score::{neighbours, score};
use super::testing::{drawing, position};
use super::*;
use crate::game::PlayoutPolicy;
use crate::game::{MonteCarlo, Planes};
use crate::rng::Rng;

/// The rules once more, in the plainest form: flood fill, whole boards compared, no incremental anything.
#[derive(Clone)]
struct Plain {
    size: Size,
    rules: Rules,
    stones: Vec<Option<Side>>,
    to_move: Side,
    passes: u8,
    past: Vec<(Vec<Option<Side>>, Side)>,
    ko: Option<usize>,
}

impl Plain {
    fn new(size: Size, rules: Rules) -> Self {
        let stones = vec![None; size.points()];
        let past = vec![(stones.clone(), Side::First)];
        Self { size, rules, stones, to_move: Side::First, passes: 0, past, ko: None }
    }

    fn chain(&self, stones: &[Option<Side>], start: usize) -> (Vec<usize>, bool) {
        let (mut chain, mut free) = (vec![start], false);
        let mut next = 0;
        while next < chain.len() {
            for n in neighbours(self.size, chain[next]) {
                if stones[n].is_none() {
                    free = true;
                } else if stones[n] == stones[start] && !chain.contains(&n) {
                    chain.push(n);
                }
            }
            next += 1;
        }
        (chain, free)
    }

    /// The board after a move and the simple-ko point, or `None` where the move is not legal.
    fn after(&self, point: usize) -> Option<(Vec<Option<Side>>, Option<usize>)> {
        if self.stones[point].is_some() || (self.rules.ko == Ko::Simple && self.ko == Some(point)) {
            return None;
        }
        let mut stones = self.stones.clone();
        stones[point] = Some(self.to_move);
        let mut taken = Vec::new();
        for n in neighbours(self.size, point) {
            if stones[n] == Some(self.to_move.opponent()) {
                let (chain, free) = self.chain(&stones, n);
                if !free {
                    for c in chain {
                        stones[c] = None;
                        taken.push(c);
                    }
                }
            }
        }
        let (own, free) = self.chain(&stones, point);
        if !free {
            if own.len() == 1 || !self.rules.suicide {
                return None;
            }
            for &c in &own {
                stones[c] = None;
            }
        }
        let liberties = neighbours(self.size, point).filter(|&n| stones[n].is_none()).count();
        let ko = (taken.len() == 1 && own.len() == 1 && free && liberties == 1).then(|| taken[0]);
        let repeats = self.past.iter().any(|(old, turn)| {
            *old == stones
                && match self.rules.ko {
                    Ko::Simple => false,
                    Ko::Positional => true,
                    Ko::Situational => *turn == self.to_move.opponent(),
                }
        });
        (!repeats).then_some((stones, ko))
    }

    fn legal(&self) -> Vec<Move> {
        if self.passes >= 2 {
            return Vec::new();
        }
        let points = (0..self.stones.len()).filter(|&p| self.after(p).is_some()).map(Move::at);
        points.chain([Move::PASS]).collect()
    }

    fn play(&mut self, mv: Move) {
        match mv.point() {
            Some(point) => {
                let (stones, ko) = self.after(point).unwrap();
                (self.stones, self.ko, self.passes) = (stones, ko, 0);
            }
            None => (self.ko, self.passes) = (None, self.passes + 1),
        }
        self.to_move = self.to_move.opponent();
        self.past.push((self.stones.clone(), self.to_move));
    }

    fn area(&self) -> f32 {
        let mut lead = 0.0;
        for point in 0..self.stones.len() {
            let reaches = |side| {
                let (mut seen, mut next) = (vec![point], 0);
                while next < seen.len() {
                    if self.stones[seen[next]] == Some(side) {
                        return true;
                    }
                    if self.stones[seen[next]].is_none() {
                        for n in neighbours(self.size, seen[next]) {
                            if !seen.contains(&n) {
                                seen.push(n);
                            }
                        }
                    }
                    next += 1;
                }
                false
            };
            lead += match (reaches(Side::First), reaches(Side::Second)) {
                (true, false) => 1.0,
                (false, true) => -1.0,
                _ => 0.0,
            };
        }
        lead
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(Rules::NAMES.to_vec()).prop_map(|name| Rules::by_name(name).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn agrees_with_the_plain_rules(
        width in 1usize..7, height in 1usize..7, rules in any_rules(), choices in prop::collection::vec(any::<u16>(), 1..160)
    ) {
        let size = Size { width, height };
        let (mut fast, mut plain) = (Position::new(size, rules, 0.0), Plain::new(size, rules));
        let mut moves = Vec::new();
        for choice in choices {
            fast.legal_moves(&mut moves);
            prop_assert_eq!(&moves, &plain.legal(), "\n{}", drawing(&fast));
            if moves.is_empty() {
                break;
            }
            // Few passes, so that boards fill up and captures happen.
            let mv = moves[usize::from(choice) % (moves.len() + if choice % 16 == 0 { 0 } else { 15 }) % moves.len()];
            fast.play(mv);
            plain.play(mv);
            for point in 0..size.points() {
                prop_assert_eq!(fast.stone(point), plain.stones[point]);
            }
            if rules.scoring == Scoring::Area && rules.tax == Tax::None {
                prop_assert_eq!(score(&fast, &[]), plain.area());
            }
        }
    }

    #[test]
    fn playouts_are_legal_and_end(seed in any::<u64>(), width in 2usize..10, height in 2usize..10) {
        let go = Position::new(Size { width, height }, Rules::CHINESE, 0.5);
        let mut playout = go.playout_policy(2);
        let mut rng = Rng::new(seed);
        let mut check = go.clone();
        playout.start(&go);
        while let Some(mv) = playout.step(&mut rng) {
            prop_assert!(check.check(check.to_move(), mv).is_ok(), "{:?}\n{}", mv, drawing(&check));
            check.play(mv);
            prop_assert_eq!(playout.to_move(), check.to_move());
        }
        let end = playout.end();
        prop_assert_eq!(end.length as usize, check.plies());
        let mut owners = vec![0.0; go.points()];
        playout.add_ownership(&mut owners);
        let owned = owners.iter().sum::<f32>() - 0.5;
        if check.passes() == 2 {
            prop_assert_eq!(owned, end.outcome.score);
        } else {
            // What is won by far is not played to the end: then its owners are those of a count by area.
            prop_assert!([end.outcome.score, crate::games::go::score::score(&check, &[])].contains(&owned));
        }
    }

    #[test]
    fn clones_and_set_up_boards_are_equal(choices in prop::collection::vec(any::<u16>(), 1..60)) {
        let mut go = Position::new(Size::square(5), Rules::CHINESE, 0.0);
        let mut moves = Vec::new();
        for choice in choices {
            go.legal_moves(&mut moves);
            moves.retain(|&mv| mv != Move::PASS);
            if moves.is_empty() {
                break;
            }
            go.play(moves[usize::from(choice) % moves.len()]);
        }
        let mut copy = Position::new(Size::square(9), Rules::AGA, 1.0);
        copy.clone_from(&go);
        prop_assert_eq!(copy.board(), go.board());
        prop_assert_eq!(copy.key(), go.key());
        let stones: Vec<_> = (0..25).filter_map(|i| go.stone(i).map(|side| (side, i))).collect();
        let mut again = Position::new(Size::square(5), Rules::CHINESE, 0.0);
        again.set_up(&stones).unwrap();
        prop_assert_eq!(drawing(&again), drawing(&go));
        prop_assert_eq!(again.board().hash(), go.board().hash());
    }
}

/// Boards in which every chain has a liberty, counted by trying all (Tromp: 1, 57, 12 675).
fn legal_boards(n: usize) -> usize {
    let size = Size::square(n);
    (0..3usize.pow((n * n) as u32))
        .filter(|&code| {
            let mut rest = code;
            let mut stones = Vec::new();
            for index in 0..n * n {
                match rest % 3 {
                    1 => stones.push((Side::First, index)),
                    2 => stones.push((Side::Second, index)),
                    _ => {}
                }
                rest /= 3;
            }
            Position::new(size, Rules::CHINESE, 0.0).set_up(&stones).is_ok()
        })
        .count()
}

#[test]
fn legal_positions_are_as_many_as_published() {
    assert_eq!(legal_boards(1), 1);
    assert_eq!(legal_boards(2), 57);
    assert_eq!(legal_boards(3), 12_675);
}

/// Tromp: 24 318 165. Takes minutes: `cargo test --release -- --ignored four_by_four`.
#[test]
#[ignore = "takes minutes"]
fn legal_positions_of_four_by_four() {
    assert_eq!(legal_boards(4), 24_318_165);
}

/// Whether Black (`First`) owns the whole board within `plies`, whatever White does.
fn black_takes_all(go: &Position, plies: usize) -> bool {
    if let Some(outcome) = go.outcome() {
        return outcome.score == go.points() as f32;
    }
    if super::super::benson::pass_alive(go).iter().all(|owner| *owner == Some(Side::First)) {
        return true;
    }
    if plies == 0 {
        return false;
    }
    let mut moves = Vec::new();
    go.legal_moves(&mut moves);
    let mut after = moves.into_iter().map(|mv| {
        let mut next = go.clone();
        next.play(mv);
        next
    });
    match go.to_move() {
        Side::First => after.any(|next| black_takes_all(&next, plies - 1)),
        Side::Second => after.all(|next| black_takes_all(&next, plies - 1)),
    }
}

/// The value of 3x3 is +9: Black takes everything, from the middle.
#[test]
fn three_by_three_is_worth_nine() {
    let mut go = Position::new(Size::square(3), Rules::TROMP_TAYLOR, 0.0);
    go.play(Move::at(4));
    assert!((1..=13).any(|plies| black_takes_all(&go, plies)));
    // A corner does not do it so soon, which shows that the search can fail.
    let mut go = Position::new(Size::square(3), Rules::TROMP_TAYLOR, 0.0);
    go.play(Move::at(0));
    assert!(!black_takes_all(&go, 5));
}

/// Legal boards that play itself can reach, by walking all games: the same numbers, from the other end.
#[test]
fn play_reaches_every_legal_position() {
    for (n, expected) in [(2, 57), (3, 12_675)] {
        let mut seen = HashMap::new();
        let mut open = vec![Position::new(Size::square(n), Rules::CHINESE, 0.0)];
        seen.insert(open[0].board().hash(), ());
        while let Some(position) = open.pop() {
            for side in [Side::First, Side::Second] {
                for index in 0..n * n {
                    let mut next = position.clone();
                    next.board.clear_ko();
                    next.to_move = side;
                    if next.check(side, Move::at(index)).is_ok() {
                        next.play(Move::at(index));
                        if seen.insert(next.board().hash(), ()).is_none() {
                            open.push(next);
                        }
                    }
                }
            }
        }
        assert_eq!(seen.len(), expected);
    }
}

/// Best score by exhaustive search with the whole past, area scoring, positional superko, Black first.
fn solve(position: &Position, mut low: f32, mut high: f32) -> f32 {
    if let Some(outcome) = position.outcome() {
        return outcome.score;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    // A pass that ends the game first, any other last.
    if position.passes() == 1 {
        moves.rotate_right(1);
    }
    let first = position.to_move() == Side::First;
    let mut best = if first { f32::MIN } else { f32::MAX };
    for mv in moves {
        let mut next = position.clone();
        next.play(mv);
        let value = solve(&next, low, high);
        if first {
            best = best.max(value);
            low = low.max(best);
        } else {
            best = best.min(value);
            high = high.min(best);
        }
        if low >= high {
            break;
        }
    }
    best
}

#[test]
fn tiny_boards_have_their_known_values() {
    let boards = [((1, 1), 0.0), ((2, 1), 0.0), ((3, 1), 3.0), ((4, 1), 4.0), ((5, 1), 0.0), ((2, 2), 1.0)];
    for ((width, height), expected) in boards {
        for rules in [Rules::TROMP_TAYLOR, Rules { suicide: false, ..Rules::TROMP_TAYLOR }] {
            let go = Position::new(Size { width, height }, rules, 0.0);
            // All scores are whole: a value strictly inside this window is exact, and a narrow window is searched fast.
            assert_eq!(solve(&go, expected - 0.5, expected + 0.5), expected, "{width}x{height}");
        }
    }
}

#[test]
fn simple_ko_forbids_taking_back_at_once() {
    let mut go = position(". X O .  X . X O  . X O .", Rules::CHINESE, 0.0);
    go.set_to_move(Side::Second);
    go.play(Move::at(5));
    assert_eq!(go.check(Side::First, Move::at(6)), Err(Illegal::Ko));
    go.play(Move::at(3));
    go.play(Move::at(11));
    assert_eq!(go.check(Side::First, Move::at(6)), Ok(()));
}

fn after_moves(start: &str, rules: Rules, to_move: Side, points: &[usize]) -> Position {
    let mut go = position(start, rules, 0.0);
    go.to_move = to_move;
    go.set_rules(rules);
    for &point in points {
        assert!(go.is_legal(Move::at(point)), "{point}");
        go.play(Move::at(point));
    }
    go
}

/// On one line: White sends two stones, takes two, and Black's retaking brings back the first board with White to move.
#[test]
fn superko_forbids_longer_cycles() {
    for (rules, expected) in
        [(Rules::TROMP_TAYLOR, Err(Illegal::Superko)), (Rules::AGA, Err(Illegal::Superko)), (Rules::CHINESE, Ok(()))]
    {
        let go = after_moves(". . X .", rules, Side::Second, &[0, 3, 1]);
        assert_eq!(drawing(&go), "OO..\n");
        assert_eq!(go.check(Side::First, Move::at(2)), expected);
    }
}

/// A board that comes back with the other side to move: forbidden by position, allowed by situation.
#[test]
fn situational_superko_looks_at_the_turn() {
    for (rules, expected) in [(Rules::TROMP_TAYLOR, Err(Illegal::Superko)), (Rules::AGA, Ok(()))] {
        let go = after_moves(". X . X .", rules, Side::First, &[0, 2]);
        assert_eq!(drawing(&go), "..OX.\n");
        assert_eq!(go.check(Side::First, Move::at(1)), expected);
    }
}

#[test]
fn suicide_is_told_apart() {
    let drawing = ". . O . .  . O . . .  O . . . .";
    let mut go = position(drawing, Rules::NEW_ZEALAND, 0.0);
    go.play(Move::at(0));
    go.set_to_move(Side::First);
    go.play(Move::at(1));
    assert_eq!(go.check(Side::First, Move::at(5)), Ok(()));
    assert_eq!(go.check(Side::Second, Move::at(5)), Ok(()));
    go.set_rules(Rules::CHINESE);
    assert_eq!(go.check(Side::First, Move::at(5)), Err(Illegal::Suicide));
    // A single stone may never.
    let go = position(". O .  O . .", Rules::NEW_ZEALAND, 0.0);
    assert_eq!(go.check(Side::First, Move::at(0)), Err(Illegal::Suicide));
}

#[test]
fn set_up_is_refused_whole() {
    let mut go = Position::new(Size::square(3), Rules::CHINESE, 0.0);
    go.play(Move::at(4));
    let before = go.key();
    assert_eq!(go.set_up(&[(Side::First, 9)]), Err(SetUpError::Outside(9)));
    assert_eq!(go.set_up(&[(Side::First, 1), (Side::Second, 1)]), Err(SetUpError::Twice(1)));
    let corner = [(Side::First, 0), (Side::Second, 1), (Side::Second, 3)];
    assert_eq!(go.set_up(&corner), Err(SetUpError::NoLiberty(0)));
    assert_eq!(go.key(), before);
}

#[test]
fn two_passes_end_the_game_and_it_can_go_on() {
    let mut go = Position::new(Size::square(3), Rules::CHINESE, 0.5);
    go.play(Move::PASS);
    assert_eq!(go.outcome(), None);
    go.play(Move::PASS);
    assert_eq!(go.outcome().map(|o| o.winner), Some(Some(Side::Second)));
    let mut moves = vec![Move::PASS];
    go.legal_moves(&mut moves);
    assert!(moves.is_empty());
    go.resume();
    go.legal_moves(&mut moves);
    assert_eq!(moves.len(), 10);
}

/// Area is territory and prisoners, and what one side has placed more: whatever stands there, the lead is the same by both.
#[test]
fn both_ways_to_count_agree_on_the_lead() {
    let mut rng = Rng::new(3);
    let rules = Rules { scoring: Scoring::Territory, ..Rules::TROMP_TAYLOR };
    let (mut taken, mut moves) = (0, Vec::new());
    for _ in 0..20 {
        let mut go = Position::new(Size { width: 5, height: 4 }, rules, 3.5);
        go.set_up(&[(Side::First, 7), (Side::First, 11)]).unwrap();
        for _ in 0..60 {
            go.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            go.play(moves[rng.below(moves.len() as u32) as usize]);
            let other = go.counted_by("area").unwrap();
            assert_eq!((other.rules().scoring, other.passes()), (Scoring::Area, 0));
            assert_eq!(score(&other, &[]), score(&go, &[]));
            let mut back = other.counted_by("territory").unwrap();
            assert_eq!((back.komi(), back.rules()), (go.komi(), rules));
            back.recount(Scoring::Area);
            assert_eq!(back.komi(), other.komi());
            taken += go.lost(Side::First) + go.lost(Side::Second);
        }
    }
    assert!(taken > 100, "{taken}");
}

/// Three kos below each other: Black to move can take in the first and the third one, White in the second.
const THREE_KOS: &str = "
    . X O .
    X O . O
    . X O .
    . X O .
    X . X O
    . X O .
    . X O .
    X O . O
    . X O .";

#[test]
fn a_way_round_three_kos_is_seen() {
    let take = [6, 17, 30, 5, 18, 29].map(Move::at);
    for rules in [Rules::CHINESE, Rules::JAPANESE, Rules::AGA] {
        let mut go = position(THREE_KOS, rules, 0.5);
        let (start, mut keys) = (go.arrangement(), Vec::new());
        for (ply, &mv) in take.iter().enumerate() {
            assert!(!go.is_round(), "{ply}");
            if rules == Rules::AGA && ply == 5 {
                assert_eq!(go.check(go.to_move(), mv), Err(Illegal::Superko));
                break;
            }
            go.play(mv);
            keys.push(go.way_key());
        }
        if rules == Rules::AGA {
            continue;
        }
        assert!(go.is_round() && go.arrangement() == start);
        // It goes on, and each position comes back, with another way behind it.
        let mut again = go.clone();
        again.play(take[0]);
        assert!(again.is_round() && again.key() == keys_of(&take[..1]) && again.way_key() != keys[0]);
        // A pass is no part of a cycle, nor is a stone that nobody can take off.
        let mut passed = go.clone();
        passed.play(Move::PASS);
        assert!(!passed.is_round() && passed.way_key() == passed.key());
        let mut aside = go.clone();
        aside.set_stake(0);
        assert!(!aside.is_round());
        go.play(Move::at(3));
        assert!(!go.is_round());
    }
}

/// Key of the three kos after these moves.
fn keys_of(moves: &[Move]) -> u64 {
    let mut go = position(THREE_KOS, Rules::CHINESE, 0.5);
    moves.iter().for_each(|&mv| go.play(mv));
    go.key()
}
