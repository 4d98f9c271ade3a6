//! Weights of patterns, learned from games that a search by them plays against itself.
//!
//! A game begins with moves by chance, and half of the games have some more of them later. Where few points are left it is solved:
//! so a lesson is a board, after the last move by chance, with the lead that good play came to.

use crate::game::filling::{Endgame, Filling, Patterned, to_play};
use crate::rng::Rng;
use crate::search::endgame::EndgameSolver;
use crate::search::middle::Plies;

/// Moves by chance at the beginning of a game: at least, and how many more at most.
const CHANCE: (u32, u32) = (2, 12);
/// Moves after those among which some are by chance, in every second game, and one in how many is.
const MIXED: u32 = 40;
const ONE_IN: u32 = 8;
/// Empty points with which a board is solved, and down to which solved boards are lessons too, with one move in three by chance.
const SOLVED: u32 = 12;
const LAST: u32 = 7;
const LATE_ONE_IN: u32 = 3;

/// A board, and the lead of its side to move that play came to.
#[derive(Clone, Copy, Debug)]
pub struct PatternLesson<B> {
    board: B,
    lead: i8,
}

/// A set's point by chance.
fn any(mut set: u64, rng: &mut Rng) -> u64 {
    for _ in 0..rng.below(set.count_ones()) {
        set &= set - 1;
    }
    set & set.wrapping_neg()
}

/// Plays games against itself.
#[derive(Debug)]
pub struct PatternPlayer<'a, G: Patterned> {
    patterns: &'a G::Patterns,
    solver: &'a EndgameSolver,
    plies: u32,
    search: Plies,
    rng: Rng,
}

impl<'a, G: Patterned> PatternPlayer<'a, G> {
    /// By searches of so many plies with those patterns, and that table of solved boards.
    pub fn new(patterns: &'a G::Patterns, solver: &'a EndgameSolver, plies: u32, rng: Rng) -> Self {
        Self { patterns, solver, plies, search: Plies::new(16), rng }
    }

    /// Plays a game from that board, and appends its lessons.
    pub fn play(&mut self, start: &<G as Endgame>::Board, lessons: &mut Vec<PatternLesson<G::Board>>) {
        let opening = CHANCE.0 + self.rng.below(CHANCE.1 + 1);
        let mixed = opening + if self.rng.below(2) == 0 { 0 } else { self.rng.below(MIXED) };
        // Boards after the last move by chance, each with the side to move: 1 is that of the start.
        let (mut line, mut board, mut side) = (Vec::new(), *start, 1);
        let mut lead = None;
        for ply in 0.. {
            let passes;
            (board, passes) = to_play(board);
            side = if passes { -side } else { side };
            if board.placements() == 0 {
                lead = Some(side * board.lead());
                break;
            }
            line.push((board, side));
            if board.empty().count_ones() <= SOLVED {
                lead = self.solver.best(&board).map(|(_, lead)| side * lead);
                self.end(board, lessons);
                break;
            }
            let by_chance = ply < opening || ply < mixed && self.rng.below(ONE_IN) == 0;
            let found = if by_chance { None } else { self.search.best(self.patterns, &board, self.plies) };
            let at = found.unwrap_or_else(|| {
                line.clear();
                any(board.placements(), &mut self.rng)
            });
            let Some(after) = board.placed(at) else { break };
            (board, side) = (after, -side);
        }
        let Some(lead) = lead else { return };
        lessons.extend(line.into_iter().map(|(board, side)| PatternLesson { board, lead: (side * lead) as i8 }));
    }

    /// Plays on from a solved board, and appends the boards that come.
    fn end(&mut self, mut board: G::Board, lessons: &mut Vec<PatternLesson<G::Board>>) {
        loop {
            (board, _) = to_play(board);
            if board.placements() == 0 || board.empty().count_ones() < LAST {
                return;
            }
            let Some((best, lead)) = self.solver.best(&board) else { return };
            if board.empty().count_ones() < SOLVED {
                lessons.push(PatternLesson { board, lead: lead as i8 });
            }
            let by_chance = self.rng.below(LATE_ONE_IN) == 0;
            let at = if by_chance { any(board.placements(), &mut self.rng) } else { best };
            let Some(after) = board.placed(at) else { return };
            board = after;
        }
    }
}

/// Weights that are being learned, by gradient descent on squared errors.
#[derive(Clone, Debug)]
pub struct PatternFit {
    /// In points.
    weights: Vec<f32>,
    /// Parts of a point that the weights of files count.
    unit: f32,
}

impl PatternFit {
    /// Weights that say nothing, for so many parts of a point in files.
    pub fn new(weights: usize, unit: i32) -> Self {
        Self { weights: vec![0.0; weights], unit: unit as f32 }
    }

    /// Error of the value of a lesson, in points.
    pub fn error<G: Patterned>(&self, lesson: &PatternLesson<G::Board>) -> f32 {
        let numbers = G::numbers(&lesson.board);
        let value: f32 = numbers.as_ref().iter().map(|&number| self.weights[number as usize]).sum();
        f32::from(lesson.lead) - value
    }

    /// Takes back that part of the error of a lesson.
    pub fn learn<G: Patterned>(&mut self, lesson: &PatternLesson<G::Board>, rate: f32) {
        let (numbers, error) = (G::numbers(&lesson.board), self.error::<G>(lesson));
        let step = rate * error / numbers.as_ref().len().max(1) as f32;
        numbers.as_ref().iter().for_each(|&number| self.weights[number as usize] += step);
    }

    /// The weights as a file has them, a byte with a sign each.
    pub fn rounded(&self) -> Vec<i8> {
        // A number beyond the range becomes its bound.
        self.weights.iter().map(|weight| (weight * self.unit).round() as i8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::filling::Appraiser;
    use crate::games::Size;
    use crate::games::othello::{Patterns, Position};

    #[test]
    fn what_was_played_is_learned() {
        let unit = <Patterns as Appraiser<<Position as Endgame>::Board>>::UNIT;
        let mut fit = PatternFit::new(Position::weights(), unit);
        let (nothing, solver) = (Position::patterns(&fit.rounded()).unwrap(), EndgameSolver::new(1));
        let start = Position::new(Size::square(8)).filling().unwrap();
        let mut lessons = Vec::new();
        let mut player = PatternPlayer::<Position>::new(&nothing, &solver, 2, Rng::new(1));
        for _ in 0..20 {
            player.play(&start, &mut lessons);
        }
        assert!(lessons.len() > 300, "{}", lessons.len());
        for lesson in lessons.iter().filter(|lesson| lesson.board.empty().count_ones() <= SOLVED).take(40) {
            assert_eq!(solver.best(&lesson.board).unwrap().1, i32::from(lesson.lead));
        }
        let squares = |fit: &PatternFit| lessons.iter().map(|l| fit.error::<Position>(l).powi(2)).sum::<f32>();
        let before = squares(&fit);
        for _ in 0..10 {
            lessons.iter().for_each(|lesson| fit.learn::<Position>(lesson, 0.3));
        }
        assert!(squares(&fit) < 0.3 * before, "{} {before}", squares(&fit));
        assert!(Position::patterns(&fit.rounded()).is_some() && start.empty() != 0);
    }
}
