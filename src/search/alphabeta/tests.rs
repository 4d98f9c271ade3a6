use std::time::Instant;

use super::*;
use crate::eval::Attributes;
use crate::eval::heuristic::Threats;
use crate::games::hex::{Move, Position};
use crate::games::{Size, gomoku};
use crate::rng::{Rng, mix};
use crate::search::{Budget, Params, Stop};

/// Values by hash.
struct ByHash(u64);

impl ByHash {
    fn value(&self, position: &Position) -> f32 {
        (mix(position.key() ^ self.0) >> 40) as f32 / 8_400_000.0 - 0.9985
    }
}

impl Evaluator<Position> for ByHash {
    fn attributes(&self) -> Attributes {
        Attributes { name: "hash".into(), batch: 7, lines: 1 }
    }

    fn evaluate(&self, positions: &[Position], values: &mut Vec<f32>, _: Wanted<'_>) -> Result<(), Cancelled> {
        values.clear();
        values.extend(positions.iter().map(|p| self.value(p)));
        Ok(())
    }
}

fn after(n: usize, moves: &[usize]) -> Position {
    let mut position = Position::new(Size::square(n));
    moves.iter().for_each(|&m| position.play(Move::at(m)));
    position
}

fn run(position: &Position, seed: u64, params: &Params, nodes: Option<u64>, stop: &Stop) -> Decision<Move> {
    let mut search = AlphaBeta::new(Arc::new(Share::new(1)), 64, Arc::new(ByHash(seed)));
    let task = Task { seed: 3, ..Task::new(position, Budget { nodes, ..Budget::default() }, params, stop) };
    search.run(&task, &mut |_| {})
}

/// Minimax without any pruning, for the side to move of a position that is not over.
fn plain(position: &Position, evaluator: &ByHash, depth: u32) -> f32 {
    let side = position.to_move();
    if depth == 0 {
        let proven = position.proven().map(|(winner, _)| winner.sign());
        return proven.unwrap_or_else(|| evaluator.value(position)) * side.sign();
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let below = |mv| {
        let mut child = position.clone();
        child.play(mv);
        let over = child.proven().is_some();
        -plain(&child, evaluator, if over { 0 } else { depth - 1 })
    };
    moves.into_iter().map(below).fold(f32::NEG_INFINITY, f32::max)
}

/// Pruning changes neither the value nor the move.
#[test]
fn a_fixed_depth_gives_the_value_of_plain_minimax() {
    for seed in 0..8 {
        let position = after(5, &[[0, 12], [7, 3], [20, 24], [2, 10]][seed as usize % 4]);
        for depth in 1..=3 {
            let params = Params { depth, knowledge: 0, ..Params::default() };
            let report = run(&position, seed, &params, None, &Stop::new()).report;
            let expected = plain(&position, &ByHash(seed), depth);
            // Wins count by their length, which plain minimax does not know.
            assert!((report.winrate - winrate(expected)).abs() < 1e-6, "{seed}, {depth}");
            let mut child = position.clone();
            child.play(report.moves[0].mv);
            let left = if child.proven().is_some() { 0 } else { depth - 1 };
            assert_eq!(-plain(&child, &ByHash(seed), left), expected, "{seed}, {depth}");
        }
    }
}

#[test]
fn going_deeper_proves_every_opening_of_three_by_three() {
    for opening in 0..9 {
        let position = after(3, &[opening]);
        let expected = if (2..=6).contains(&opening) { Side::First } else { Side::Second };
        for knowledge in [0, 1] {
            let params = Params { knowledge, ..Params::default() };
            let report = run(&position, opening as u64, &params, None, &Stop::new()).report;
            assert_eq!(report.resolution, Some(expected), "{opening}");
        }
    }
}

#[test]
fn a_stop_or_a_budget_still_gives_a_legal_move() {
    let position = after(9, &[4]);
    let stop = Stop::new();
    for nodes in [1, 50] {
        let decision = run(&position, 1, &Params::default(), Some(nodes), &stop);
        assert!(position.is_legal(decision.mv) && decision.report.nodes <= nodes);
    }
    stop.set();
    assert!(position.is_legal(run(&position, 1, &Params::default(), None, &stop).mv));
}

/// A board of 5×5 with so many empty points and no row of five.
fn crowded(empty: usize, rng: &mut Rng) -> gomoku::Position {
    loop {
        let mut position = gomoku::Position::new(Size::square(5));
        while position.outcome().is_none() && position.plies() + empty < 25 {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

#[test]
fn a_game_that_nobody_wins_is_searched_to_its_end_and_not_beyond_its_time() {
    let (mut rng, params, stop) = (Rng::new(6), Params::default(), Stop::new());
    let search = || AlphaBeta::new(Arc::new(Share::new(1)), 16, Arc::new(Threats));
    for _ in 0..5 {
        // Without a limit it ends where there is nothing more to be found.
        let position = crowded(5, &mut rng);
        let decision = search().run(&Task::new(&position, Budget::default(), &params, &stop), &mut |_| ());
        assert!(position.is_legal(decision.mv));
        let (position, mut search) = (crowded(14, &mut rng), search());
        let budget = Budget { time: Some(Duration::from_millis(50)), ..Budget::default() };
        // The second time all positions are known.
        for _ in 0..2 {
            let start = Instant::now();
            assert!(position.is_legal(search.run(&Task::new(&position, budget, &params, &stop), &mut |_| ()).mv));
            assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        }
    }
}

#[test]
fn what_is_said_to_win_or_lose_does() {
    let mut resolved = [0, 0];
    for seed in 0..30 {
        let mut cells: Vec<usize> = (0..9).collect();
        cells.sort_by_key(|&cell| mix(16 * seed + cell as u64));
        let position = after(3, &cells[..3]);
        if position.outcome().is_some() {
            continue;
        }
        let params = Params { knowledge: 0, ..Params::default() };
        let report = run(&position, seed, &params, None, &Stop::new()).report;
        for entry in &report.moves {
            let mut child = position.clone();
            child.play(entry.mv);
            let wins = -plain(&child, &ByHash(seed), 9) > 0.0;
            if let Some(winner) = entry.resolution {
                resolved[usize::from(wins)] += 1;
                assert_eq!(winner == report.to_move, wins, "{:?} after {cells:?}", entry.mv);
            }
        }
    }
    assert!(resolved[0] > 10 && resolved[1] > 10, "{resolved:?}");
}
