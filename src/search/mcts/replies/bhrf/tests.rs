use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::rng::Rng;

/// More patterns than any test makes.
const MOST: usize = 1 << 19;

/// Index of a cell of the board of 3x3, by its name.
fn cell(name: &str) -> u32 {
    let name = name.as_bytes();
    u32::from(name[0] - b'A') * 3 + u32::from(name[1] - b'1')
}

/// Moves in turn, `First` beginning.
fn line(moves: &[u32]) -> Vec<(Side, u32)> {
    moves.iter().zip(Side::BOTH.into_iter().cycle()).map(|(&index, side)| (side, index)).collect()
}

fn named(moves: &str) -> Vec<(Side, u32)> {
    line(&moves.split(' ').map(cell).collect::<Vec<_>>())
}

/// All patterns of two moves and more, with their visits and the sums of their results.
type Patterns = BTreeMap<Vec<Code>, (u32, f32)>;

fn patterns(forest: &Forest) -> Patterns {
    let fathers = fathers(forest);
    let all = (1..fathers.len() as u32).map(|id| (moves(forest, &fathers, id), forest.get(id)));
    all.filter(|(moves, _)| moves.len() > 1)
        .map(|(moves, pattern)| {
            let (mean, visits) = pattern.results.get();
            (moves, (visits, mean * visits as f32))
        })
        .collect()
}

/// The father of each pattern, by the lists of children.
fn fathers(forest: &Forest) -> Vec<PatternId> {
    let used = forest.used.load(Relaxed);
    let mut fathers = vec![NONE; used as usize];
    for father in 1..used {
        let mut child = forest.get(father).first_child.load(Relaxed);
        while child != NONE {
            fathers[child as usize] = father;
            child = forest.get(child).next.load(Relaxed);
        }
    }
    fathers
}

fn moves(forest: &Forest, fathers: &[PatternId], mut id: PatternId) -> Vec<Code> {
    let (mut moves, size) = (Vec::new(), forest.get(id).size() as usize);
    while id != NONE {
        moves.push(forest.get(id).code());
        id = fathers[id as usize];
    }
    assert_eq!(moves.len(), size);
    moves.reverse();
    moves
}

/// The retrograde forest of the thesis (annex A.4): for each reply the contexts that led to it, backwards, one longer each
/// time. In its plainest form.
#[derive(Default)]
struct Retrograde(Patterns);

impl Retrograde {
    fn learn(&mut self, forest: &Forest, descent: &[(Side, u32)], result: f32) {
        let codes: Vec<Code> = descent.iter().map(|&(side, index)| forest.code(side, index)).collect();
        for last in (0..codes.len()).rev() {
            let value = if descent[last].0 == Side::First { result } else { 1.0 - result };
            for first in (0..last).rev() {
                let known = self.0.contains_key(&codes[first..=last]);
                let entry = self.0.entry(codes[first..=last].to_vec()).or_default();
                *entry = (entry.0 + 1, entry.1 + value);
                if !known {
                    break;
                }
            }
        }
    }
}

const EPISODES: [&str; 4] = [
    "A1 B3 B2 A3 C1 B1 C2 C3 A2",
    "C3 C2 C1 B1 A3 A2 A1 B3 B2",
    "C3 A2 A1 B3 B2 A3 B1 C2 C1",
    "B2 A3 C1 B1 C3 A2 A1 B3 C2",
];

/// Figures 5.4 and 5.7 of the thesis.
#[test]
fn four_episodes_make_the_published_patterns() {
    let forest = Forest::new(9, 1 << 20, MOST, 100, false).unwrap();
    let mut oracle = Retrograde::default();
    let code = |side: Side, name: &str| forest.code(side, cell(name));
    let (black, white) = (Side::First, Side::Second);
    let mut below_b1 = Vec::new();
    for (number, episode) in EPISODES.iter().enumerate() {
        forest.learn(&named(episode), 1.0);
        oracle.learn(&forest, &named(episode), 1.0);
        let stored = patterns(&forest);
        assert_eq!(stored, oracle.0, "after episode {}", number + 1);
        below_b1.push(stored.keys().filter(|moves| moves[0] == code(white, "B1")).count());
        if number == 0 {
            // Each two moves in a row, and nothing else.
            assert_eq!(stored.len(), 8);
            assert!(stored.keys().all(|moves| moves.len() == 2));
        }
        if number == 1 {
            let short = [code(black, "A1"), code(white, "B3"), code(black, "B2")];
            let long = [code(white, "A2"), code(black, "A1"), code(white, "B3"), code(black, "B2")];
            assert!(stored.contains_key(&short[..]) && !stored.contains_key(&long[..]));
        }
    }
    assert_eq!(below_b1[3] - below_b1[2], 4);
}

/// Lines of different moves.
fn descents() -> impl Strategy<Value = Vec<(Vec<u32>, f32)>> {
    let line = (Just((0..6).collect::<Vec<u32>>()).prop_shuffle(), 1_usize..=6, 0_u8..=2);
    let line = line.prop_map(|(mut moves, length, result)| {
        moves.truncate(length);
        (moves, f32::from(result) / 2.0)
    });
    prop::collection::vec(line, 1..60)
}

proptest! {
    /// Both structures know the same patterns, as often and with the same results, and what is stored keeps properties 5.1
    /// and 5.2: every end of a pattern is stored, and every part of it.
    #[test]
    fn the_direct_tree_is_the_retrograde_forest(descents in descents()) {
        let forest = Forest::new(6, 1 << 20, MOST, 100, false).unwrap();
        let mut oracle = Retrograde::default();
        for (moves, result) in &descents {
            forest.learn(&line(moves), *result);
            oracle.learn(&forest, &line(moves), *result);
        }
        let stored = patterns(&forest);
        // Sums are kept as means, which round; results are halves.
        let halves = |sum: f32| (2.0 * sum).round();
        prop_assert!(stored.keys().eq(oracle.0.keys()));
        for ((pattern, found), expected) in stored.iter().zip(oracle.0.values()) {
            prop_assert_eq!((found.0, halves(found.1)), (expected.0, halves(expected.1)), "{:?}", pattern);
            prop_assert!((found.1 - expected.1).abs() < 1e-4);
        }
        for pattern in stored.keys() {
            for part in (2..pattern.len()).flat_map(|n| pattern.windows(n)) {
                prop_assert!(stored.contains_key(part));
            }
        }
    }

    /// Following a game comes to the longest pattern that ends it, with moves that repeat as well, and whatever bounds
    /// length and memory.
    #[test]
    fn progress_finds_the_longest_suffix(
        descents in prop::collection::vec(prop::collection::vec(0_u32..4, 1..12), 1..60),
        game in prop::collection::vec(0_u32..4, 1..30),
        longest in 1_u32..6,
        bytes in prop::sample::select(vec![1200, 4000, 1 << 20]),
        volatile: bool,
    ) {
        let mut forest = Forest::new(4, bytes, MOST, longest, volatile).unwrap();
        for moves in &descents {
            forest.learn(&line(moves), 1.0);
        }
        for aged in [false, true] {
            if aged {
                forest.age();
            }
            let stored = patterns(&forest);
            prop_assert!(stored.keys().all(|pattern| pattern.len() <= longest as usize + 1));
            let codes: Vec<Code> = line(&game).iter().map(|&(side, index)| forest.code(side, index)).collect();
            let mut context = ROOT;
            for (ply, &(side, index)) in line(&game).iter().enumerate() {
                context = forest.progress(context, side, index);
                let suffixes = (0..=ply).map(|first| &codes[first..=ply]);
                let expected = suffixes.into_iter().find(|suffix| suffix.len() == 1 || stored.contains_key(*suffix));
                prop_assert_eq!(Some(&moves(&forest, &fathers(&forest), context)[..]), expected);
            }
        }
    }

    /// The volatile form answers with what followed the longest known context last, whoever won.
    #[test]
    fn the_last_reply_is_remembered(descents in descents()) {
        let forest = Forest::new(6, 1 << 20, MOST, 100, true).unwrap();
        let mut last: BTreeMap<Vec<Code>, u32> = BTreeMap::new();
        let mut oracle = Retrograde::default();
        for (moves, result) in &descents {
            let plies = line(moves);
            forest.learn(&plies, *result);
            oracle.learn(&forest, &plies, 0.0);
            let codes: Vec<Code> = plies.iter().map(|&(side, index)| forest.code(side, index)).collect();
            for end in 1..codes.len() {
                for first in (0..end).filter(|&first| oracle.0.contains_key(&codes[first..=end])) {
                    last.insert(codes[first..end].to_vec(), plies[end].1);
                }
            }
        }
        for (context, reply) in last {
            let id = context.iter().fold(ROOT, |id, &code| {
                let side = Side::BOTH[usize::from(code >= 6)];
                forest.progress(id, side, code % 6)
            });
            prop_assert_eq!(forest.last_reply(id), Some(reply as usize));
        }
    }
}

#[test]
fn replies_are_drawn_and_played_in_proportion() {
    let forest = Forest::new(4, 1 << 20, MOST, 100, false).unwrap();
    let context = forest.progress(ROOT, Side::First, 0);
    let (mut rng, mut candidates) = (Rng::new(1), Vec::new());
    assert_eq!(forest.draw(context, Side::Second, Draw::default(), &mut candidates, &mut rng, |_| true), None);
    // Replies 1 and 2 with means of 3/4 and 1/4 for the second player.
    for (reply, won) in [(1, true), (1, true), (1, true), (1, false), (2, true), (2, false), (2, false), (2, false)] {
        forest.learn(&[(Side::First, 0), (Side::Second, reply)], if won { 0.0 } else { 1.0 });
    }
    let mut counts = [0_i32; 4];
    for _ in 0..16_000 {
        match forest.draw(context, Side::Second, Draw::default(), &mut candidates, &mut rng, |_| true) {
            Some(index) => counts[index] += 1,
            None => counts[3] += 1,
        }
    }
    // 9/16, 1/16 and the rest; five standard deviations are 314, 153 and 306.
    assert!((counts[1] - 9_000).abs() < 314 && (counts[2] - 1_000).abs() < 153, "{counts:?}");
    assert!((counts[3] - 6_000).abs() < 306, "{counts:?}");
    // A reply that does not suit leaves the other one, which is certain then.
    assert_eq!(
        forest.draw(context, Side::Second, Draw::default(), &mut candidates, &mut rng, |index| index == 2),
        Some(2)
    );
    // With exploration means matter less: ln 8 / 4 = 0.52, so (0.75 + 10 * 0.72) / (1 + 20 * 0.72) = 0.516 of the draws.
    let explored = Draw { exploration: 10.0, ..Draw::default() };
    let drawn = (0..16_000)
        .filter(|_| forest.draw(context, Side::Second, explored, &mut candidates, &mut rng, |_| true) == Some(1))
        .count();
    assert!((drawn as f32 / 16_000.0 - 0.516 * 0.516).abs() < 0.02, "{drawn}");
}

/// Algorithm 5 of the thesis: the longest context with a legal reply, back to the empty one; of its replies one in proportion to
/// `S + b sqrt(ln(sum of n) / n)`, which is played with that number as its chance.
#[test]
fn the_published_draw_goes_back_to_the_empty_context() {
    let forest = Forest::new(5, 1 << 20, MOST, 100, false).unwrap();
    let learn = |reply: u32, won: u32, of: u32| {
        for game in 0..of {
            forest.learn(&[(Side::First, 0), (Side::Second, reply)], f32::from(u8::from(game >= won)));
        }
    };
    learn(1, 6, 8);
    learn(2, 1, 4);
    learn(3, 2, 20);
    let context = forest.progress(ROOT, Side::First, 4);
    let (mut rng, mut candidates) = (Rng::new(2), Vec::new());
    // After a move that nothing followed only the empty context answers, and only for the side to move.
    for exploration in [0.0, 0.3] {
        let published = Draw { exploration, from_root: true, by_estimate: true };
        // Without the second reply, which is not legal.
        let replies = [(1, 0.75_f32, 8.0_f32), (3, 0.1, 20.0)];
        let estimates = replies.map(|(_, mean, n)| mean + exploration * (28.0_f32.ln() / n).sqrt());
        let mut counts = [0; 5];
        for _ in 0..20_000 {
            let reply = forest.draw(context, Side::Second, published, &mut candidates, &mut rng, |index| index != 2);
            if let Some(reply) = reply {
                counts[reply] += 1;
            }
        }
        let sum: f32 = estimates.iter().sum();
        for ((reply, ..), estimate) in replies.into_iter().zip(estimates) {
            let expected = 20_000.0 * estimate / sum * estimate.min(1.0);
            // Five standard deviations.
            assert!((counts[reply] as f32 - expected).abs() < 354.0, "{exploration} {counts:?} {expected}");
        }
        assert_eq!(counts[1] + counts[3], counts.iter().sum::<i32>());
        let left_out = Draw { from_root: false, ..published };
        assert_eq!(forest.draw(context, Side::Second, left_out, &mut candidates, &mut rng, |_| true), None);
    }
    // A longer context comes first, and its only reply is accepted by its mean.
    let (known, how) =
        (forest.progress(ROOT, Side::First, 0), Draw { by_estimate: true, from_root: true, ..Draw::default() });
    let played = (0..20_000)
        .filter(|_| forest.draw(known, Side::Second, how, &mut candidates, &mut rng, |index| index == 1).is_some());
    assert!((played.count() as f32 - 15_000.0).abs() < 310.0);
}

#[test]
fn threads_share_the_patterns() {
    let forest = Forest::new(8, 1 << 22, MOST, 100, false).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let forest = &forest;
            scope.spawn(move || {
                let mut rng = Rng::stream(1, thread);
                for _ in 0..5_000 {
                    let moves: Vec<u32> = (0..8).map(|_| rng.below(8)).collect();
                    forest.learn(&line(&moves), 0.5);
                }
            });
        }
    });
    let visits: u32 = (1..=16).map(|single| forest.get(single).results.get().1).sum();
    assert_eq!(visits, 4 * 5_000 * 8);
    // Nobody made the same pattern twice in the same place.
    let used = (forest.used.load(Relaxed) as usize).min(forest.patterns.len());
    for parent in 1..used as u32 {
        let mut codes = Vec::new();
        let mut child = forest.get(parent).first_child.load(Relaxed);
        while child != NONE {
            codes.push(forest.get(child).code());
            child = forest.get(child).next.load(Relaxed);
        }
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }
}
