use std::collections::BTreeSet;

use super::*;
use crate::game::Game;
use crate::games::Size;
use crate::games::hex::{Move, Position};
use crate::rng::mix;
use crate::search::ubfm::table::back;

fn board(n: usize, moves: &[usize]) -> Position {
    let mut position = Position::new(Size::square(n));
    moves.iter().for_each(|&m| position.play(Move::at(m)));
    position
}

fn resolution(tree: &GameTree<Position>) -> Option<i8> {
    tree.resolved()?.resolution
}

/// The states of a tree with their positions.
fn known(tree: &GameTree<Position>) -> Vec<(&Position, Vec<Action>)> {
    let state = |position| (position, tree.state(position).unwrap().actions.lock().to_vec());
    tree.positions.values().map(state).collect()
}

/// Values without sense, so that what is right was found by the descents.
fn supply(tree: &mut GameTree<Position>) {
    let key = tree.search.position().key();
    tree.look(&DescentSettings::default());
    tree.supply(|index, _| (mix(key ^ index as u64) >> 40) as f32 / 8_400_000.0 - 0.99);
}

fn descend(descent: &mut GameTree<Position>, count: usize, rng: &mut Rng) {
    for _ in 0..count {
        descent.begin();
        while descent.advance(Maker::Descent, rng) == Wants::Values {
            supply(descent);
        }
    }
}

#[test]
fn weights_grow_with_the_logarithm() {
    // The worked example of the paper: 0, 1 and 3 updates count once, twice and three times.
    assert_eq!([0, 1, 3].map(weight), [1.0, 2.0, 3.0]);
}

#[test]
fn descents_resolve_small_boards() {
    let mut rng = Rng::stream(1, 0);
    // Winning first moves of 3x3, published.
    for opening in 0..9 {
        let mut descent = GameTree::new(board(3, &[opening]));
        descend(&mut descent, 200, &mut rng);
        let expected = if (2..=6).contains(&opening) { Side::First } else { Side::Second };
        assert_eq!(resolution(&descent), Some(expected.sign() as i8), "{opening}");
    }
}

#[test]
fn a_descent_goes_to_the_end_of_the_game() {
    let mut rng = Rng::stream(2, 0);
    let mut descent = GameTree::new(board(7, &[]));
    descend(&mut descent, 1, &mut rng);
    let depth = descent.positions.values().map(Position::plies).max().unwrap();
    assert!(depth >= 1);
    // One state at each depth, and the action that led to each of them was updated once. The last one is resolved.
    assert_eq!(descent.positions.len(), depth + 1);
    let visits: Vec<_> = known(&descent).iter().flat_map(|(_, actions)| actions).map(|a| a.visits).collect();
    assert_eq!((visits.iter().sum::<u32>() as usize, visits.iter().max()), (depth, Some(&1)));
}

#[test]
fn lessons_are_exact_where_the_game_is_resolved() {
    let mut rng = Rng::stream(3, 0);
    let mut descent = GameTree::new(board(3, &[4]));
    descend(&mut descent, 300, &mut rng);
    let lessons: Vec<_> = descent.lessons(Targets::Weighted, false).into_iter().map(|(_, lesson)| lesson).collect();
    let root = lessons.iter().find(|lesson| lesson.position.plies() == 1).unwrap();
    // White has lost in the middle of 3x3 whatever it plays.
    assert_eq!(root.actions.len(), 8);
    assert!(root.actions.iter().all(|&(_, value, _)| value == -1.0), "{root:?}");
    for lesson in &lessons {
        assert!(lesson.actions.iter().all(|a| a.0 < 9 && (-1.0..=1.0).contains(&a.1) && a.2 >= 1.0));
    }
}

#[test]
fn wins_are_played_and_losses_avoided() {
    for seed in 0..20 {
        let mut rng = Rng::stream(4, seed);
        let mut descent = GameTree::new(board(3, &[]));
        descend(&mut descent, 400, &mut rng);
        assert_eq!(resolution(&descent), Some(1));
        descent.play(Selection::Ordinal, 0.0, &mut rng);
        let cell = (0..9).find(|&i| descent.root().stone(i).is_some()).unwrap();
        assert!((2..=6).contains(&cell), "{cell}");
    }
}

#[test]
fn without_exploitation_open_moves_are_equally_likely() {
    let mut counts = [0; 36];
    for seed in 0..3600 {
        let mut rng = Rng::stream(5, seed);
        let mut descent = GameTree::new(board(6, &[]));
        descend(&mut descent, 1, &mut rng);
        descent.play(Selection::Ordinal, 0.0, &mut rng);
        counts[(0..36).find(|&i| descent.root().stone(i).is_some()).unwrap()] += 1;
    }
    assert!(counts.iter().all(|&n| (60..=145).contains(&n)), "{counts:?}");
}

#[test]
fn iterations_of_ubfm_end_at_a_new_state() {
    let mut rng = Rng::stream(6, 0);
    let mut tree = GameTree::new(board(7, &[]));
    for count in 1..20 {
        tree.begin();
        while tree.advance(Maker::Ubfm, &mut rng) == Wants::Values {
            supply(&mut tree);
        }
        assert_eq!(tree.positions.len(), count);
    }
}

/// A game on 4x4 from the middle of it, played by descents to its end.
fn played(seed: u64) -> GameTree<Position> {
    let mut rng = Rng::stream(7, seed);
    let mut tree = GameTree::new(board(4, &[0, 3]));
    while resolution(&tree).is_none() {
        descend(&mut tree, 1, &mut rng);
        if resolution(&tree).is_none() {
            tree.play(Selection::Ordinal, 0.5, &mut rng);
        }
    }
    tree
}

#[test]
fn targets_are_of_the_tree_or_of_the_game() {
    let mut moves = 0;
    for seed in 0..10 {
        let (all, line) = (played(seed).positions.len(), played(seed).line.len());
        moves += line;
        let lessons = |targets| played(seed).lessons(targets, false);
        let (tree, weighted) = (lessons(Targets::Tree), lessons(Targets::Weighted));
        assert!(tree.len() == weighted.len() && tree.len() <= all && tree.len() > line);
        assert!(tree.iter().all(|(_, lesson)| lesson.actions.iter().all(|action| action.2 == 1.0)));
        assert!(weighted.iter().any(|(_, lesson)| lesson.actions.iter().any(|action| action.2 > 1.0)));
        assert!(lessons(Targets::Root).len() <= line);
        // Of each state the move that was played, as the game ended.
        let end = f32::from(resolution(&played(seed)).unwrap());
        let terminal = lessons(Targets::Terminal);
        assert_eq!(terminal.len(), line);
        for (_, lesson) in terminal {
            let [(_, value, _)] = lesson.actions[..] else { panic!("{lesson:?}") };
            assert_eq!(value, end * lesson.position.to_move().sign());
        }
    }
    assert!(moves > 10);
}

/// Value of a game's end in a tree that knows all of it, for each resolved action, with its position.
fn ends<G: Planes>(start: G, worth: Worth) -> Vec<(Lesson<G>, f32)> {
    let mut rng = Rng::stream(3, 0);
    let mut tree = GameTree::new(start);
    for _ in 0..400 {
        tree.begin();
        while tree.advance(Maker::Descent, &mut rng) == Wants::Values {
            tree.look(&DescentSettings { worth, ..DescentSettings::default() });
            tree.supply(|_, _| 0.0);
        }
    }
    assert!(tree.resolved().is_some());
    let lessons = tree.lessons(Targets::Tree, false).into_iter().map(|(_, lesson)| lesson);
    lessons
        .flat_map(|lesson| lesson.actions.clone().into_iter().map(move |action| (lesson.clone(), action.1)))
        .collect()
}

/// The better of two results is never worth less than the worse one, whatever an end is worth.
#[test]
fn whatever_an_end_is_worth_who_wins_is_the_same() {
    let classic = ends(board(3, &[4]), Worth::Classic);
    assert!(classic.iter().all(|(_, value)| value.abs() == 1.0));
    for worth in [Worth::Depth, Worth::Multiplicative, Worth::Mobility, Worth::Presence] {
        for (lesson, value) in ends(board(3, &[4]), worth) {
            assert!(value != 0.0 && value.abs() <= 1.0, "{worth}: {value}");
            let known = classic.iter().filter(|(other, _)| other.position.key() == lesson.position.key());
            let best = |best: f32, (_, value): &(Lesson<Position>, f32)| best.max(*value);
            // Where the side to move can win it can, and its best move is among those that win.
            let can_win = known.fold(-1.0, best) == 1.0;
            assert!(can_win || value < 0.0, "{worth}: {value}");
        }
    }
}

#[test]
fn sooner_ends_are_worth_more_by_depth() {
    // Of ten plies, one more than the longest game has: what is left of them, and by what part of them they are more.
    let depth = |plies: usize| (10 - plies) as f32 / 10.0;
    let multiplicative = |plies: usize| (10.0 / (4.0 * plies as f32)).min(1.0);
    for (worth, of) in [(Worth::Depth, &depth as &dyn Fn(usize) -> f32), (Worth::Multiplicative, &multiplicative)] {
        let mut values = Vec::new();
        for (lesson, value) in ends(board(3, &[4]), worth) {
            // The end is known one ply later at the soonest, and after nine at the latest.
            let (soonest, plies) = (lesson.position.plies() + 1, 1..=9);
            assert!(plies.clone().any(|plies| (of(plies) - value.abs()).abs() < 1e-6), "{worth} {value}");
            assert!(value.abs() <= of(soonest) + 1e-6, "{worth} {value}");
            values.push(value.abs());
        }
        values.sort_by(f32::total_cmp);
        values.dedup();
        assert!(values.len() >= 2, "{values:?}");
    }
}

/// Four stones in a row: the first to move takes either neighbour and has won, or goes on with two pairs.
#[test]
fn mobility_and_presence_are_counted_at_the_end() {
    let start = crate::games::clobber::Position::new(Size { width: 4, height: 1 });
    let mut moves = Vec::new();
    start.legal_moves(&mut moves);
    assert_eq!(start.pieces(), Some([2, 2]));
    let root = |worth| {
        let ends = ends(start, worth);
        let of_root = ends.into_iter().filter(|(lesson, _)| lesson.position.key() == start.key());
        of_root.map(|(_, value)| value).collect::<Vec<_>>()
    };
    // Won at once: all moves of the game are the winner's, and it has one stone more of four points.
    let ends_at_once = |&&mv: &&crate::games::clobber::Move| {
        let mut after = start;
        after.play(mv);
        after.outcome().is_some()
    };
    let at_once = moves.iter().filter(ends_at_once).count();
    let (mobility, presence) = (root(Worth::Mobility), root(Worth::Presence));
    assert!(at_once > 0);
    assert_eq!(mobility.iter().filter(|&&value| value == 1.0).count(), at_once);
    assert_eq!(presence.iter().filter(|&&value| value == 0.25).count(), at_once);
}

/// A tree that is told the values of children learns from each state the better of them.
#[test]
fn states_are_worth_their_best_action() {
    let mut rng = Rng::stream(8, 0);
    let mut tree = GameTree::new(board(6, &[5]));
    let told = |child: &Position| (mix(child.key()) >> 40) as f32 / 8_400_000.0 - 0.99;
    for _ in 0..10 {
        tree.begin();
        while tree.advance(Maker::Descent, &mut rng) == Wants::Values {
            tree.look(&DescentSettings { states: true, ..DescentSettings::default() });
            let values: Vec<f32> = tree.search.open().0.iter().map(told).collect();
            tree.supply(|_, number| values[number]);
        }
    }
    let states = tree.positions.len();
    for (position, actions) in known(&tree) {
        for action in actions.iter().filter(|action| action.visits == 0 && action.resolution.is_none()) {
            let mut child = position.clone();
            child.play(child.move_at(action.index as usize));
            // Unless it was reached in another way, and searched.
            assert!(action.value == told(&child) || tree.positions.contains_key(&child.key()));
        }
    }
    let best: HashMap<u64, f32> = known(&tree)
        .iter()
        .map(|(position, actions)| (position.key(), back(position.to_move(), actions).value))
        .collect();
    let lessons = tree.lessons(Targets::Weighted, true);
    assert!(lessons.len() == states && states > 20, "{} of {states}", lessons.len());
    for (updates, lesson) in lessons {
        let value = best[&lesson.position.key()] * lesson.position.to_move().sign();
        assert_eq!((lesson.value, lesson.weight), (Some(value), Some(weight(updates))));
        assert!(lesson.actions.is_empty());
    }
}

#[test]
fn ends_by_chance_are_ends() {
    let mut rng = Rng::stream(9, 0);
    let ends: Vec<_> =
        (0..50).map(|_| ended(board(4, &[5, 6]), Worth::Classic, ChoiceCount::default(), &mut rng)).collect();
    for end in &ends {
        let winner = end.position.outcome().unwrap().value;
        assert_eq!(end.value, Some(winner * end.position.to_move().sign()));
    }
    let won = ends.iter().filter(|end| end.position.to_move() == Side::Second).count();
    assert!((5..45).contains(&won), "{won}");
}

#[test]
fn selections_go_from_equal_shares_to_the_best() {
    let values = [0.9, 0.5, 0.5, -0.8];
    let mut rng = Rng::new(3);
    for selection in [Selection::Ordinal, Selection::Greedy, Selection::Softmax] {
        let mut counts = |exploitation| {
            let mut counts = [0; 4];
            (0..4000).for_each(|_| counts[place(&values, selection, exploitation, &mut rng)] += 1);
            counts
        };
        assert!(counts(0.0).iter().all(|count| (850..1150).contains(count)), "{selection}");
        assert_eq!(counts(1.0)[0], 4000, "{selection}");
        let half = counts(0.5);
        assert!(half[0] > 1300 && half[0] < 3500 && half[3] > 100, "{selection} {half:?}");
    }
}

/// Plays one game by a net that knows nothing and tells its states, and whether each was the game's own.
fn game(settings: &DescentSettings, start: Position, seed: u64) -> Descent<Position> {
    let (mut rng, mut game) = (Rng::stream(10, seed), Descent::<Position>::new(start));
    while game.advance(settings, &mut rng) == Wants::Values {
        let key = game.tree.search.position().key();
        game.tree.supply(|index, _| (mix(key ^ index as u64) >> 40) as f32 / 8_400_000.0 - 0.99);
    }
    game
}

/// Where the game's own states are learned, and where it is asked for, a game goes on to its end; elsewhere until it is resolved.
#[test]
fn games_are_played_to_their_end_where_that_is_learned() {
    let settings = DescentSettings { descents: 20, exploitation: 0.5, by_rules: true, ..DescentSettings::default() };
    for (targets, play_on) in
        [(Targets::Root, false), (Targets::Terminal, false), (Targets::Tree, true), (Targets::Tree, false)]
    {
        let settings = DescentSettings { targets, play_on, ..settings };
        let games: Vec<_> = (0..6).map(|seed| game(&settings, board(4, &[0]), seed)).collect();
        let over = games.iter().filter(|game| game.tree.root().outcome().is_some()).count();
        if settings.plays_on() {
            assert_eq!(over, 6, "{targets}");
            // Of each ply one lesson at most, and each has the result of the game.
            let mut rng = Rng::new(1);
            for game in games {
                let plies = game.tree.line.len();
                let won = game.tree.root().outcome().unwrap().value;
                let lessons = game.lessons(&settings, &mut rng);
                if targets == Targets::Terminal {
                    assert_eq!(lessons.len(), plies);
                    let ends = |l: &Lesson<Position>| l.actions[0].1 == won * l.position.to_move().sign();
                    assert!(lessons.iter().all(ends));
                }
            }
        } else {
            assert!(over < 6);
        }
    }
}

/// By the rules alone a bridge to the edge is no end yet; else it is one, at the ply at which it is seen.
#[test]
fn bridges_end_games_unless_the_rules_alone_do() {
    let ends = |by_rules: bool| {
        let settings = DescentSettings { by_rules, worth: Worth::Depth, ..DescentSettings::default() };
        // White to move; Black's stones are joined to both edges of 4x4 by bridges once a middle cell is taken.
        let mut tree = GameTree::new(board(4, &[5, 0, 9]));
        tree.begin();
        assert_eq!(tree.advance(Maker::Ubfm, &mut Rng::new(1)), Wants::Values);
        tree.look(&settings);
        tree.supply(|_, _| 0.0);
        let actions = known(&tree)[0].1.clone();
        actions.iter().filter(|action| action.resolution.is_some()).map(|action| action.value).collect::<Vec<_>>()
    };
    assert_eq!(ends(true), [0.0_f32; 0]);
    let certain = ends(false);
    assert!(!certain.is_empty() && certain.iter().all(|value| *value == 13.0 / 17.0), "{certain:?}");
}

/// Every worth has ends by chance, which are worth what an end of the tree would be.
#[test]
fn ends_by_chance_are_worth_what_ends_are() {
    let (start, mut rng) = (board(4, &[5, 6]), Rng::stream(11, 0));
    for worth in [Worth::Depth, Worth::Multiplicative, Worth::Mobility] {
        for _ in 0..20 {
            let mut before = ChoiceCount::default();
            before.add(Side::First, 16);
            before.add(Side::Second, 15);
            let end = ended(start.clone(), worth, before, &mut rng);
            let (plies, winner) = (end.position.plies() as f32, end.position.winner().unwrap());
            // First chooses among 16, 14, 12, ..., and Second among 15, 13, ...
            let turns = |side: Side| (0..end.position.plies()).filter(move |ply| ply % 2 == side.index());
            let choices = |side: Side| turns(side).map(|ply| 16.0 - ply as f32).sum::<f32>();
            let (first, second) = (choices(Side::First), choices(Side::Second));
            let expected = match worth {
                Worth::Depth => (17.0 - plies) / 17.0,
                Worth::Multiplicative => (17.0 / (4.0 * plies)).min(1.0),
                _ => ((first - second) * winner.sign()).max(1.0) / (first + second),
            };
            let value = end.value.unwrap() * end.position.to_move().sign() * winner.sign();
            assert!((value - expected).abs() < 1e-5, "{worth}: {value} {expected}");
        }
    }
    check_scored(&crate::games::avalam::Position::default(), &mut rng);
    check_scored(&crate::games::surakarta::Position::default(), &mut rng);
    check_scored(&crate::games::othello::Position::new(Size::square(6)), &mut rng);
    check_scored(&crate::games::amazons::Position::new(Size::square(6)), &mut rng);
}

/// Where games end with points, the winner's lead is what a win is worth, as a share of all points.
fn check_scored<G: Planes>(start: &G, rng: &mut Rng) {
    assert!(G::SCORED);
    let mut worths = BTreeSet::new();
    for _ in 0..20 {
        let end = random_end(start.clone(), Worth::Scoring, rng);
        let outcome = end.position.outcome().unwrap();
        let lead = (outcome.score * outcome.value).max(1.0) / end.position.points() as f32;
        assert_eq!(end.value.unwrap() * end.position.to_move().sign(), lead * outcome.value);
        if outcome.value != 0.0 {
            worths.insert(lead.to_bits());
        }
    }
    assert!(worths.len() > 1, "all wins are worth the same");
}

/// States that one game has resolved are resolved in the next one before it has begun, with their best action.
#[test]
fn resolved_states_are_kept_from_game_to_game() {
    let settings = DescentSettings { descents: 60, exploitation: 0.5, by_rules: true, ..DescentSettings::default() };
    let first = game(&settings, board(4, &[5, 0]), 1);
    let resolved: Vec<_> = known(&first.tree)
        .into_iter()
        .filter_map(|(position, actions)| Some((position.clone(), back(position.to_move(), &actions).resolution?)))
        .collect();
    assert!(resolved.len() > 3);
    for keep_resolved in [false, true] {
        let mut next = Descent::<Position>::new(board(4, &[5, 0]));
        next.follow(&first, &DescentSettings { keep_resolved, ..settings });
        for (position, resolution) in &resolved {
            let kept = next.tree.state(position).map(|state| next.tree.search.backed(&state).resolution);
            assert_eq!(kept, keep_resolved.then_some(Some(*resolution)));
        }
    }
}

/// Value of a position for its side to move by alpha-beta's minimax of values by hash, to a depth.
fn minimax(position: &Position, depth: u32) -> f32 {
    let (mut moves, sign) = (Vec::new(), position.to_move().sign());
    position.legal_moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut child = position.clone();
        child.play(mv);
        match child.winner() {
            Some(winner) => winner.sign() * sign,
            None if depth == 1 => hashed(position, position.index(mv)) * sign,
            None => -minimax(&child, depth - 1),
        }
    });
    values.fold(f32::MIN, f32::max)
}

/// Value of a move by a net that knows nothing, seen by `First`.
fn hashed(position: &Position, index: usize) -> f32 {
    (mix(position.key() ^ index as u64) >> 40) as f32 / 8_400_000.0 - 0.99
}

/// Each depth that alpha-beta has come through gives minimax's value of the root, after as many new states as it wanted.
#[test]
fn deepening_is_minimax_to_each_depth() {
    let settings = DescentSettings { by_rules: true, ..DescentSettings::default() };
    let position = board(4, &[5, 6]);
    let (mut tree, mut rng, mut states, mut found) = (GameTree::new(position.clone()), Rng::new(1), 0, Vec::new());
    while states < 200 {
        tree.begin();
        // A new state ends an iteration, and is known after it.
        assert_eq!(tree.advance(Maker::Deepening, &mut rng), Wants::Values);
        tree.look(&settings);
        let at = tree.search.position().clone();
        tree.supply(|index, _| hashed(&at, index));
        states += 1;
        assert_eq!(tree.advance(Maker::Deepening, &mut rng), Wants::Nothing);
        let state = tree.state(&position).unwrap();
        found.push(tree.search.backed(&state).value * position.to_move().sign());
    }
    found.dedup();
    let expected = [1, 2, 3].map(|depth| minimax(&position, depth));
    assert_eq!(found[..2], expected[..2], "{found:?}");
    assert!(found.len() < 3 || found[2] == expected[2]);
}

/// UCT in its plainest form (Kocsis and Szepesvari 2006) over the values of children: each one once, then the best mean with the
/// square root of 2 times the term, beside values in 0..=1. A state that another line has led to begins with its mean.
#[derive(Default)]
struct PlainUct(HashMap<u64, Vec<(f32, u32)>>);

impl PlainUct {
    fn expand(&self, position: &Position, moves: &[Move]) -> Vec<(f32, u32)> {
        let value = |&mv: &Move| {
            let mut child = position.clone();
            child.play(mv);
            match (child.winner(), self.0.get(&child.key())) {
                (Some(winner), _) => winner.sign(),
                (None, Some(known)) => {
                    let visits: u32 = known.iter().map(|action| action.1).sum();
                    known.iter().map(|&(mean, n)| mean * n as f32).sum::<f32>() / visits as f32
                }
                (None, None) => hashed(position, position.index(mv)),
            }
        };
        moves.iter().map(|mv| (value(mv), 0)).collect()
    }

    fn iterate(&mut self, position: &Position, rng: &mut Rng) -> f32 {
        let (mut moves, sign) = (Vec::new(), position.to_move().sign());
        position.legal_moves(&mut moves);
        if !self.0.contains_key(&position.key()) {
            let actions = self.expand(position, &moves);
            self.0.insert(position.key(), actions);
        }
        let actions = &self.0[&position.key()];
        let all: u32 = actions.iter().map(|action| action.1).sum();
        let urgency = |&(mean, n): &(f32, u32)| match n {
            0 => f32::INFINITY,
            n => mean * sign + 2.0 * SQRT_2 * ((all as f32).ln() / n as f32).sqrt(),
        };
        let most = actions.iter().map(urgency).fold(f32::MIN, f32::max);
        // Of equal ones any, drawn as the program draws: each one that is met may take the place of those before it.
        let (mut number, mut best, mut equal) = (0, f32::NEG_INFINITY, 0);
        for (other, urgency) in actions.iter().map(urgency).enumerate() {
            if urgency < best {
                continue;
            }
            equal = if urgency > best { 1 } else { equal + 1 };
            if equal == 1 || rng.below(equal) == 0 {
                (number, best) = (other, urgency);
            }
        }
        assert_eq!(best, most);
        let (value, visits) = actions[number];
        let mut next = position.clone();
        next.play(moves[number]);
        let reward = if visits == 0 || next.winner().is_some() { value } else { self.iterate(&next, rng) };
        let action = &mut self.0.get_mut(&position.key()).unwrap()[number];
        action.1 += 1;
        action.0 += (reward - action.0) / action.1 as f32;
        reward
    }
}

#[test]
fn means_are_those_of_uct() {
    let settings = DescentSettings { by_rules: true, ..DescentSettings::default() };
    for stones in [[1, 8, 6, 0], [0, 5, 7, 8], [3, 2, 8, 1]] {
        let position = board(3, &stones);
        let (mut tree, mut plain) = (GameTree::new(position.clone()), PlainUct::default());
        let (mut ours, mut theirs) = (Rng::new(1), Rng::new(1));
        for _ in 0..200 {
            tree.begin();
            while tree.advance(Maker::Mcts, &mut ours) == Wants::Values {
                tree.look(&settings);
                let at = tree.search.position().clone();
                tree.supply(|index, _| hashed(&at, index));
            }
            plain.iterate(&position, &mut theirs);
        }
        for (position, actions) in known(&tree) {
            let told: Vec<_> = actions.iter().map(|action| (action.value, action.visits)).collect();
            assert_eq!(told, plain.0[&position.key()]);
        }
        let state = tree.state(&position).unwrap();
        assert_eq!(state.actions.lock().iter().map(|action| action.visits).sum::<u32>(), 200);
    }
}
