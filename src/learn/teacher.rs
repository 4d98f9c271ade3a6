//! Lessons from a classical evaluator, to begin with: what each move is worth at a glance.

use super::selfplay::Lesson;
use crate::eval::{Cancelled, Evaluator};
use crate::game::Planes;
use crate::rng::Rng;

/// Share of the moves of a game that are made by chance, so that games differ.
const CHANCE: f32 = 0.4;

/// Plays a game by the evaluator from a position that is not over. Every position on the way is a lesson: the value of each
/// move, exact where the result is certain.
///
/// # Errors
/// [`Cancelled`], which an evaluator that nobody stops never is.
pub fn game<G: Planes>(evaluator: &dyn Evaluator<G>, start: G, rng: &mut Rng) -> Result<Vec<Lesson<G>>, Cancelled> {
    let (mut position, mut moves, mut values) = (start, Vec::new(), Vec::new());
    let mut lessons = Vec::new();
    while position.outcome().is_none() {
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
            evaluator.evaluate_children(&position, &indices, &asked, &mut values, &|| true)?;
        }
        let mut worth: Vec<f32> = known.iter().map(|value| value.unwrap_or(0.0)).collect();
        open.iter().zip(&values).for_each(|(&i, &value)| worth[i] = value);
        let actions = moves.iter().zip(&worth);
        let actions = actions.filter_map(|(&mv, value)| Some((position.action_index(mv, 0)?, value * sign, 1.0)));
        lessons.push(Lesson { actions: actions.collect(), value: None, position: position.clone() });
        let best = (0..moves.len()).max_by(|&a, &b| (worth[a] * sign).total_cmp(&(worth[b] * sign)));
        let chosen = match best {
            Some(best) if rng.unit() >= CHANCE => best,
            _ => rng.below(moves.len() as u32) as usize,
        };
        position.play(moves[chosen]);
    }
    Ok(lessons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::heuristic::Towers;
    use crate::game::Game;
    use crate::games::avalam::Position;

    #[test]
    fn lessons_are_what_the_evaluator_says_of_each_move() {
        let lessons = game(&Towers, Position::new(), &mut Rng::new(3)).unwrap();
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
