use std::collections::HashMap;

use super::*;
use crate::game::Game;
use crate::games::Size;
use crate::games::hex::{Move, Position};
use crate::rng::mix;

const SETTINGS: OutcomeSettings = OutcomeSettings {
    explored: 3,
    branches: 4,
    temperature: 4.0,
    cooling: 0.5,
    plies: 100,
    keep: 1.0,
    known: 1000,
    looks: 1,
    weight: 3.0,
    trace: 1.0,
};

fn board(n: usize) -> Position {
    Position::new(Size::square(n))
}

/// Plays a game by what is said of each place of a position, and gives its lessons.
fn play(
    start: Position,
    settings: &OutcomeSettings,
    seed: u64,
    mut value: impl FnMut(&Position, usize) -> f32,
) -> Vec<Lesson<Position>> {
    let (mut game, mut rng) = (Outcomes::new(start), Rng::stream(1, seed));
    while game.advance(settings, &mut rng) == Wants::Values {
        let mut values =
            |position: &Position| (0..position.action_count()).map(|place| value(position, place)).collect();
        game.values = game.asked.iter().map(&mut values).collect();
    }
    game.lessons(settings, &mut rng)
}

/// Values without sense.
fn noise(position: &Position, place: usize) -> f32 {
    (mix(position.key() ^ place as u64) >> 40) as f32 / 8_400_000.0 - 0.99
}

/// Whether the side to move wins.
fn wins(position: &Position, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(winner) = position.winner() {
        return winner == position.to_move();
    }
    if let Some(&wins) = known.get(&position.key()) {
        return wins;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let result = moves.iter().any(|&mv| !wins(&after(position, mv), known));
    known.insert(position.key(), result);
    result
}

fn after(position: &Position, mv: Move) -> Position {
    let mut child = position.clone();
    child.play(mv);
    child
}

/// The move whose number stands at a place.
fn at(position: &Position, place: usize) -> Move {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().find(|&mv| position.action_index(mv, 0) == Some(place)).unwrap()
}

/// Where the model plays without a fault, the result of a move is its value.
#[test]
fn the_result_is_the_value_under_best_play() {
    let mut known = HashMap::new();
    let mut results = [0; 2];
    for seed in 0..40 {
        let value = |position: &Position, place: usize| {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let mv = moves.into_iter().find(|&mv| position.action_index(mv, 0) == Some(place));
            mv.map_or(0.0, |mv| if wins(&after(position, mv), &mut known) { -0.5 } else { 0.5 })
        };
        let lessons = play(board(3), &SETTINGS, seed, value);
        for lesson in &lessons {
            for &(place, value, weight) in &lesson.actions {
                let won = !wins(&after(&lesson.position, at(&lesson.position, place)), &mut known);
                assert_eq!((value, weight), (if won { 1.0 } else { -1.0 }, 3.0));
                results[usize::from(won)] += 1;
            }
        }
    }
    assert!(results[0] > 20 && results[1] > 20, "{results:?}");
}

#[test]
fn branches_begin_where_the_exploration_ends() {
    let mut explored = [0; 3];
    for seed in 0..60 {
        let lessons = play(board(5), &SETTINGS, seed, noise);
        let root = &lessons[0];
        explored[root.position.plies()] += 1;
        let mut places: Vec<usize> = root.actions.iter().map(|action| action.0).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 4, "four moves");
        // All others come later, and one move of each was played.
        assert!(lessons[1..].iter().all(|l| l.position.plies() > root.position.plies() && l.actions.len() == 1));
        assert!(lessons.iter().flat_map(|lesson| &lesson.actions).all(|action| action.1.abs() == 1.0));
        // From one branch the sides take turns to have won and lost.
        let first = lessons[1].position.to_move();
        assert_eq!(first, root.position.to_move().opponent());
    }
    assert!(explored.iter().all(|&count| count > 8), "{explored:?}");
}

#[test]
fn late_moves_are_not_learned_and_of_the_others_a_share() {
    let count = |settings: &OutcomeSettings| {
        let lessons = (0..20).flat_map(|seed| play(board(6), settings, seed, noise));
        let plies: Vec<usize> = lessons.map(|lesson| lesson.position.plies()).collect();
        (plies.len(), *plies.iter().max().unwrap())
    };
    let (all, latest) = count(&SETTINGS);
    let (early, earlier) = count(&OutcomeSettings { plies: 9, ..SETTINGS });
    let (kept, _) = count(&OutcomeSettings { keep: 0.25, ..SETTINGS });
    let (roots, _) = count(&OutcomeSettings { keep: 0.0, ..SETTINGS });
    assert!(latest > 12 && earlier == 8 && early < all, "{latest} {earlier} {early} {all}");
    assert!((all / 5..all / 3).contains(&kept) && roots == 20, "{kept} of {all}, {roots}");
}

/// Where values are a glance at who wins after a move, the best of two that are looked at is the one whose replies are worst.
#[test]
fn moves_are_looked_at_before_one_is_played() {
    let mut known = HashMap::new();
    let settings = OutcomeSettings { looks: 3, explored: 2, ..SETTINGS };
    let mut played = [0; 2];
    for seed in 0..30 {
        // On the whole board the model knows nothing; of positions with a stone more it knows who wins.
        let mut depth = 0;
        let lessons = play(board(3), &settings, seed, |position, place| {
            depth = depth.max(position.plies());
            if position.plies() % 2 == 0 {
                return noise(position, place);
            }
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let mv = moves.into_iter().find(|&mv| position.action_index(mv, 0) == Some(place));
            mv.map_or(-1.0, |mv| if wins(&after(position, mv), &mut known) { -0.5 } else { 0.5 })
        });
        for lesson in lessons.iter().filter(|lesson| lesson.position.plies() > 1 && lesson.position.plies() % 2 == 0) {
            // Of the three best by noise it plays one that wins, where there is one.
            let values = |place: usize| noise(&lesson.position, place);
            let mut places: Vec<usize> = (0..9).filter(|&place| lesson.position.stone(place).is_none()).collect();
            places.sort_by(|&a, &b| values(b).total_cmp(&values(a)));
            places.truncate(3);
            let won = |place: usize, known: &mut _| !wins(&after(&lesson.position, at(&lesson.position, place)), known);
            let any = places.iter().any(|&place| won(place, &mut known));
            for &(place, _, _) in &lesson.actions {
                assert!(places.contains(&place));
                assert_eq!(won(place, &mut known), any);
                played[usize::from(any)] += 1;
            }
        }
    }
    assert!(played[0] > 5 && played[1] > 5, "{played:?}");
}

/// With a trace of 0 a move is worth what the model says of the best answer, and only the last one what the result is.
#[test]
fn a_trace_mixes_what_the_model_said_later() {
    let line = Line { seen: vec![0.5, -0.25], moves: 3, end: Some(1.0), ..Line::new(board(3)) };
    assert_eq!(line.worths(1.0, 1.0), [1.0; 3]);
    assert_eq!(line.worths(1.0, 0.0), [0.5, -0.25, 1.0]);
    assert_eq!(line.worths(1.0, 0.5), [0.4375, 0.375, 1.0]);
    // What is said is told from the side to move.
    let settings = OutcomeSettings { trace: 0.0, explored: 1, ..SETTINGS };
    for lesson in play(board(4), &settings, 1, |position, _| 0.25 * position.to_move().sign()) {
        for (_, value, _) in lesson.actions {
            assert!(value.abs() == 1.0 || value == 0.25 * lesson.position.to_move().sign(), "{value}");
        }
    }
}

#[test]
fn moves_are_drawn_by_temperature() {
    let moves: Vec<(usize, f32)> = [0.9, 0.5, 0.4, -0.9].into_iter().enumerate().collect();
    let mut rng = Rng::new(5);
    let mut firsts = |temperature: f32| {
        let mut counts = [0; 4];
        (0..4000).for_each(|_| counts[draw(&moves, 1, temperature, &mut rng)[0]] += 1);
        counts
    };
    assert_eq!(firsts(0.0), [4000, 0, 0, 0]);
    assert!(firsts(1e3).iter().all(|count| (850..1150).contains(count)));
    // At temperature 1 the shares are the odds of winning: 19, 3, 7/3 and 1/19.
    let fair = firsts(1.0);
    assert!((2980..3240).contains(&fair[0]) && (410..570).contains(&fair[1]) && fair[3] < 30, "{fair:?}");
    assert_eq!(draw(&moves, 3, 0.0, &mut Rng::new(1)), [0, 1, 2]);
    assert_eq!(draw(&moves, 9, 1.0, &mut Rng::new(1)).len(), 4);
}

/// Knowledge is never wrong, ends lines before the board does, and keeps the sides from lost moves.
#[test]
fn knowledge_is_played_by_and_learned() {
    let mut known = HashMap::new();
    let settings = OutcomeSettings { known: 0, explored: 5, ..SETTINGS };
    let (mut verdicts, mut shorter) = (0, 0);
    for seed in 0..30 {
        let lessons = play(board(4), &settings, seed, noise);
        let plain = play(board(4), &SETTINGS, seed, noise);
        shorter += usize::from(lessons.len() < plain.len());
        for lesson in &lessons[1..] {
            let weight: f32 = lesson.actions.iter().map(|action| action.2).sum();
            assert!(weight <= (EXACT + 1.0) * settings.weight + 1e-3, "{weight}");
            let value = |place| {
                if wins(&after(&lesson.position, at(&lesson.position, place)), &mut known) { -1.0 } else { 1.0 }
            };
            let told: Vec<f32> = lesson.actions.iter().map(|action| action.1).collect();
            let true_values: Vec<f32> = lesson.actions.iter().map(|action| action.0).map(value).collect();
            // The last is the move that was played, where knowledge did not end the line.
            let count = if lesson.actions.len() > 1 { lesson.actions.len() - 1 } else { 0 };
            assert_eq!(told[..count], true_values[..count]);
            verdicts += count;
        }
    }
    assert!(verdicts > 50 && shorter > 15, "{verdicts} {shorter}");
}

/// Where the last explored position is behind the plies that are kept, lines have no lesson in common: a line whose end is known at once
/// leaves its verdicts, too.
#[test]
fn lines_that_begin_behind_the_plies_share_no_lesson() {
    let settings = OutcomeSettings { plies: 2, explored: 4, known: 0, ..SETTINGS };
    let lessons: Vec<usize> = (0..30).map(|seed| play(board(4), &settings, seed, noise).len()).collect();
    let branched = lessons.iter().filter(|&&count| count >= settings.branches).count();
    assert!(branched > 20, "{lessons:?}");
}
