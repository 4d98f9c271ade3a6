//! Lessons to begin with, from what the engine knows without a model: what a classical evaluator thinks of each move at a
//! glance, or what a search with playouts makes of it.

use super::puct::{CERTAIN, FEWER, LONGEST, PuctSettings, Searched};
use super::selfplay::{End, Lesson};
use crate::eval::{Cancelled, Evaluator};
use crate::game::Planes;
use crate::rng::Rng;
use crate::search::{Budget, Params, Searcher, Stop, Task};

/// Share of the moves of a game that are made by chance, so that games differ.
const CHANCE: f32 = 0.4;

/// Plays a game by the evaluator from a position that is not over. Every position on the way is a lesson: the value of each
/// move, exact where the result is certain.
///
/// # Errors
/// [`Cancelled`] once the stop is set.
pub fn game<G: Planes>(
    evaluator: &dyn Evaluator<G>,
    start: G,
    rng: &mut Rng,
    stop: &Stop,
) -> Result<Vec<Lesson<G>>, Cancelled> {
    let (mut position, mut moves, mut values) = (start, Vec::new(), Vec::new());
    let mut lessons = Vec::new();
    while position.outcome().is_none() {
        if stop.is_set() {
            return Err(Cancelled);
        }
        position.legal_moves(&mut moves);
        let sign = position.to_move().sign();
        let children: Vec<G> = moves
            .iter()
            .map(|&mv| {
                let mut child = position.clone();
                child.play(mv);
                child
            })
            .collect();
        // Evaluators are never asked about positions whose result is certain.
        let certain = |child: &G| match child.proven() {
            Some((winner, _)) => Some(winner.sign()),
            None => child.outcome().map(|outcome| outcome.value),
        };
        let known: Vec<Option<f32>> = children.iter().map(certain).collect();
        let open: Vec<usize> = (0..children.len()).filter(|&i| known[i].is_none()).collect();
        let asked: Vec<G> = open.iter().map(|&i| children[i].clone()).collect();
        let indices: Vec<usize> = open.iter().map(|&i| position.index(moves[i])).collect();
        values.clear();
        if !asked.is_empty() {
            evaluator.evaluate_children(&position, &indices, &asked, &mut values, &|| !stop.is_set())?;
        }
        let mut worth: Vec<f32> = known.iter().map(|value| value.unwrap_or(0.0)).collect();
        open.iter().zip(&values).for_each(|(&i, &value)| worth[i] = value);
        let actions = moves.iter().zip(&worth);
        let actions = actions.filter_map(|(&mv, value)| Some((position.action_index(mv, 0)?, value * sign, 1.0)));
        lessons.push(Lesson {
            actions: actions.collect(),
            value: None,
            weight: None,
            end: None,
            position: position.clone(),
        });
        let best = (0..moves.len()).max_by(|&a, &b| (worth[a] * sign).total_cmp(&(worth[b] * sign)));
        let chosen = match best {
            Some(best) if rng.unit() >= CHANCE => best,
            _ => rng.below(moves.len() as u32) as usize,
        };
        position.play(moves[chosen]);
    }
    Ok(lessons)
}

/// Orders shares by the indices of their moves.
fn in_order(policy: &mut [(usize, f32)]) {
    policy.sort_unstable_by_key(|&(index, _)| index);
}

/// Plays a game by a search from a position that is not over: lessons as those of self-play with a policy, but without noise;
/// where the search is certain, the policy is its move. A game that goes in circles teaches nothing, nor does one that is
/// stopped.
pub fn searched<G: Planes>(
    search: &mut dyn Searcher<G>,
    start: G,
    settings: &PuctSettings,
    rng: &mut Rng,
    stop: &Stop,
) -> Vec<Lesson<G>> {
    let (mut position, mut searched, mut certain) = (start, Vec::new(), false);
    let params = Params::default();
    search.clear();
    while position.outcome().is_none() {
        if stop.is_set() || position.plies() > LONGEST * position.move_count() {
            return Vec::new();
        }
        let learns = rng.unit() < settings.learned;
        let searches = if learns && !certain { settings.searches } else { settings.searches / FEWER };
        let task = Task {
            seed: rng.next_u64(),
            ..Task::new(
                &position,
                Budget { nodes: Some(u64::from(searches.max(2))), ..Budget::default() },
                &params,
                stop,
            )
        };
        let report = search.run(&task, &mut |_| ()).report;
        let visits: u64 = report.moves.iter().map(|mv| mv.visits).sum();
        let settled = visits == 0 || report.resolution.is_some();
        let share = |place: usize, visited: u64| match settled {
            true => f32::from(u8::from(place == 0)),
            false => visited as f32 / visits as f32,
        };
        let moves = report.moves.iter().enumerate();
        let mut policy: Vec<(usize, f32)> =
            moves.map(|(place, mv)| (position.index(mv.mv), share(place, mv.visits))).collect();
        in_order(&mut policy);
        let expected = 2.0 * report.winrate - 1.0;
        certain = expected.abs() > CERTAIN;
        let mv = position.move_at(settings.draw(&position, &policy, rng));
        if learns {
            searched.push(Searched { position: position.clone(), policy, expected });
        }
        search.advance(mv);
        position.play(mv);
    }
    let (end, outcome) = (End::of(&position), position.outcome());
    let lessons = outcome.map(|outcome| searched.into_iter().map(move |s| s.lesson(outcome, end.as_ref())).collect());
    lessons.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::heuristic::Towers;
    use crate::game::Game;
    use crate::games::avalam::Position;
    use crate::games::{Size, go};
    use crate::learn::selfplay::keep;
    use crate::search::Share;
    use crate::search::mcts::Mcts;
    use crate::search::ubfm::Ubfm;

    /// Lessons of a search know the visits, and how the game ended for the side to move.
    #[test]
    fn lessons_of_a_search_tell_the_end() {
        let mut search = Mcts::new(Arc::new(Share::new(1)), 16);
        let settings = PuctSettings { searches: 60, learned: 1.0, varied: 4, exploration: 1.0 };
        let start = go::Position::new(Size::square(5), go::Rules::CHINESE, 0.5);
        let lessons = searched(&mut search, start, &settings, &mut Rng::new(5), &Stop::new());
        assert!(lessons.len() > 12, "{}", lessons.len());
        let last = lessons[0].end.clone().unwrap();
        for lesson in &lessons {
            assert_eq!(lesson.end.as_ref(), Some(&last));
            assert!((lesson.actions.iter().map(|action| action.1).sum::<f32>() - 1.0).abs() < 1e-4);
            // Half of the value is how the game ended, so that no search can turn it round.
            let won = last.score.signum() * lesson.position.to_move().sign();
            assert!(lesson.value.unwrap() * won >= -1e-3);
        }
        assert_eq!(last.owners.iter().sum::<f32>() - 0.5, last.score);
        let mut shards = Vec::new();
        lessons.iter().for_each(|lesson| keep(&mut shards, lesson));
        let [shard] = &shards[..] else { panic!("one board") };
        assert_eq!((shard.scores.len(), shard.owners.len()), (lessons.len(), 25 * lessons.len()));
        // Seen by Black and by White.
        assert!(shard.scores[0] == last.score && shard.scores[1] == -last.score);
        assert!(shard.owners[..25].iter().zip(&shard.owners[25..50]).all(|(black, white)| *black == -white));
    }

    /// Minimax teaches too. It is certain near the end: there the move that it plays is all of the policy.
    #[test]
    fn lessons_of_minimax_end_with_its_moves() {
        let mut search = Ubfm::new(Arc::new(Share::new(1)), 16, Arc::new(Towers));
        let settings = PuctSettings { searches: 50, learned: 1.0, varied: 4, exploration: 1.0 };
        let lessons = searched(&mut search, Position::new(), &settings, &mut Rng::new(4), &Stop::new());
        assert!(lessons.len() > 20, "{}", lessons.len());
        let shares = |lesson: &Lesson<Position>| lesson.actions.iter().map(|action| action.1).collect::<Vec<f32>>();
        for lesson in &lessons {
            assert!((shares(lesson).iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(lesson.actions.iter().all(|&(index, ..)| index < lesson.position.action_count()));
            assert!((-1.0..=1.0).contains(&lesson.value.unwrap()));
        }
        assert!(shares(&lessons[0]).iter().filter(|share| **share > 0.0).count() > 1);
        let [.., last] = &lessons[..] else { panic!("no lessons") };
        assert!(shares(last).contains(&1.0) && last.value.unwrap().abs() > 0.99 || last.value == Some(0.0), "{last:?}");
    }

    #[test]
    fn a_stop_ends_a_game() {
        let (stop, mut rng) = (Stop::new(), Rng::new(1));
        stop.set();
        assert_eq!(game(&Towers, Position::new(), &mut rng, &stop), Err(Cancelled));
        let mut search = Ubfm::new(Arc::new(Share::new(1)), 16, Arc::new(Towers));
        let settings = PuctSettings { searches: 1 << 30, learned: 1.0, varied: 4, exploration: 1.0 };
        assert!(searched(&mut search, Position::new(), &settings, &mut rng, &stop).is_empty());
    }

    #[test]
    fn lessons_are_what_the_evaluator_says_of_each_move() {
        let lessons = game(&Towers, Position::new(), &mut Rng::new(3), &Stop::new()).unwrap();
        assert!(lessons.len() > 20 && lessons[0].position == Position::new());
        for lesson in &lessons {
            let (mut moves, mut value) = (Vec::new(), Vec::new());
            lesson.position.legal_moves(&mut moves);
            assert_eq!(lesson.actions.len(), moves.len());
            for (&mv, &(index, told, weight)) in moves.iter().zip(&lesson.actions) {
                let mut child = lesson.position;
                child.play(mv);
                let expected = match child.outcome() {
                    Some(outcome) => outcome.value,
                    None => {
                        Towers.evaluate(&[child], &mut value, &|| true).unwrap();
                        value[0]
                    }
                };
                let sign = lesson.position.to_move().sign();
                assert_eq!((index, told, weight), (lesson.position.action_index(mv, 0).unwrap(), expected * sign, 1.0));
            }
        }
        // The last move of all leads to the end, so something is exact.
        assert!(lessons.last().unwrap().actions.iter().all(|action| action.1.abs() == 1.0 || action.1 == 0.0));
    }
}
