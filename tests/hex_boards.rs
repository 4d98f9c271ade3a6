//! Hex on every board: each search plays, the solver looks, and what the game's knowledge claims is played out.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use losange::game::{Bounded, Game, Insight, MonteCarlo, Side, Solvable, Verdict, Zone};
use losange::games::hex::{Move, Position};
use losange::games::{Boards, Size, Spelled};
use losange::players::{Models, Played, Resources};
use losange::rng::Rng;
use losange::search::params::Method;
use losange::search::solver::Solver;
use losange::search::{Budget, Params, Searcher, Share, Stop, Task};

type Findings = <Position as Game>::Findings;

const MEMORY: usize = 64;

/// Square boards, all of them up to 19×19, and rectangles whose cells fill sets to the last or go beyond.
fn sizes() -> impl Iterator<Item = Size> {
    let Boards { fewest, most: largest } = Position::BOARDS;
    let rectangles =
        [(16, 17), (20, 13), (25, 11), (1, largest), (largest, 1), (largest - 1, largest), (19, 20), (2, 25)];
    let squares = (fewest..=19).chain([22, 25, 28, largest]);
    squares.map(Size::square).chain(rectangles.map(|(width, height)| Size { width, height }))
}

/// Stones of random moves until so many are on the board, or as many as there can be without a winner.
fn scattered(size: Size, stones: usize, rng: &mut Rng) -> Position {
    let mut position = Position::new(size);
    let mut cells: Vec<usize> = (0..size.points()).collect();
    for count in 0..stones.min(cells.len()) {
        let other = count + rng.below((cells.len() - count) as u32) as usize;
        cells.swap(count, other);
        let mut next = position.clone();
        next.play(Move::at(cells[count]));
        if next.winner().is_some() {
            break;
        }
        position = next;
    }
    position
}

fn searcher() -> Box<dyn Searcher<Position>> {
    let resources = Resources { share: Arc::new(Share::new(1)), memory: MEMORY, models: Models::default() };
    Position::recipe().searcher(&resources)
}

/// A move on every board, with so many tenths of the cells filled.
fn moves_by(method: Method, budget: Budget, tenths: &[usize]) {
    let mut rng = Rng::new(1);
    for size in sizes() {
        let mut searcher = searcher();
        let (params, stop) = (Params { search: method, ..Params::default() }, Stop::new());
        for filled in tenths {
            let position = scattered(size, size.points() * filled / 10, &mut rng);
            if position.winner().is_some() {
                continue;
            }
            let task = Task { threads: 1, seed: 1, ..Task::new(&position, budget, &params, &stop) };
            let decision = searcher.run(&task, &mut |_| ());
            assert!(position.is_legal(decision.mv), "{method} {size:?}");
        }
    }
}

fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

#[test]
fn the_usual_search_plays_on_every_board() {
    moves_by(Method::Usual, Budget { time: Some(Duration::from_millis(20)), ..Budget::default() }, &[0, 5]);
}

#[test]
fn best_first_minimax_plays_on_every_board() {
    moves_by(Method::UbfmS, nodes(2), &[0, 5]);
    moves_by(Method::Ubfm, nodes(2), &[5]);
    moves_by(Method::UbfmUct, nodes(2), &[5]);
}

/// A line of descent ends with the game, so most of it is over.
#[test]
fn descent_plays_on_every_board() {
    moves_by(Method::Descent, nodes(1), &[7]);
}

#[test]
fn alphabeta_plays_on_every_board() {
    moves_by(Method::AlphaBeta, nodes(2), &[0, 5]);
}

#[test]
fn playouts_play_on_every_board() {
    // States are asked for their connections once they have some visits.
    moves_by(Method::Mcts, nodes(500), &[0, 5]);
    moves_by(Method::Yopt, nodes(500), &[0, 5]);
    moves_by(Method::Random, nodes(1), &[0, 5]);
}

#[test]
fn the_solver_looks_at_every_board() {
    let mut rng = Rng::new(2);
    for size in sizes() {
        for stones in [0, size.points() / 2, size.points()] {
            let position = scattered(size, stones, &mut rng);
            if position.winner().is_none() {
                let solver = Solver::new(MEMORY);
                let (proof, nodes) = solver.solve(&position, 1, None, Some(3), &Stop::new(), &mut |_| ());
                assert!(nodes > 0, "{size:?}");
                if let Some(proof) = proof {
                    assert!(proof.mv.is_none_or(|mv| position.is_legal(mv)), "{size:?}");
                }
            }
        }
    }
}

/// Each question to the game's knowledge, at several stages of a game.
#[test]
fn knowledge_answers_on_every_board() {
    let mut rng = Rng::new(3);
    let (mut moves, mut verdicts, mut decisive) = (Vec::new(), Vec::new(), Vec::new());
    for size in sizes() {
        let findings = Findings::within(MEMORY);
        for tenths in [0, 3, 6] {
            let position = scattered(size, size.points() * tenths / 10, &mut rng);
            position.legal_moves(&mut moves);
            position.solved(&findings, &moves, &mut verdicts);
            assert_eq!(verdicts.len(), moves.len(), "{size:?}");
            position.decisive(&moves, &mut decisive);
            let _ = position.proven();
            if let Insight::Open { moves: open, .. } = position.insight(&findings) {
                assert!(!open.is_empty() && open.iter().all(|(mv, _)| position.is_legal(*mv)), "{size:?}");
            }
            position.sensible_moves(&mut moves);
            assert!(!moves.is_empty() && moves.iter().all(|&mv| position.is_legal(mv)), "{size:?}");
        }
    }
}

/// The winner with best play.
fn winner(position: &Position, known: &mut HashMap<u64, Side>) -> Side {
    if let Some(winner) = position.winner() {
        return winner;
    }
    if let Some(&winner) = known.get(&position.key()) {
        return winner;
    }
    let (side, mut moves) = (position.to_move(), Vec::new());
    position.legal_moves(&mut moves);
    let wins = moves.into_iter().any(|mv| {
        let mut child = position.clone();
        child.play(mv);
        winner(&child, known) == side
    });
    let winner = if wins { side } else { side.opponent() };
    known.insert(position.key(), winner);
    winner
}

/// Most cells of a zone that is played out in every way.
const SMALL: usize = 12;

/// A claimed win is a win with everything outside of its zone given to the loser: by all games where the zone is small.
#[test]
fn wins_rest_on_their_zones_on_wide_boards() {
    let mut rng = Rng::new(4);
    let mut checked = 0;
    for size in [
        Size::square(17),
        Size::square(19),
        Size { width: 20, height: 18 },
        Size { width: 25, height: 13 },
        Size::square(25),
    ] {
        let findings = Findings::within(MEMORY);
        for _ in 0..40 {
            let stones = size.points() / 2 + rng.below(size.points() as u32 / 2) as usize;
            let position = scattered(size, stones, &mut rng);
            let Insight::Decided(claimed, zone, mv) = position.insight(&findings) else { continue };
            let open: Vec<usize> = (0..size.points()).filter(|&cell| position.stone(cell).is_none()).collect();
            if open.iter().filter(|&&cell| zone.contains(cell)).count() > SMALL {
                continue;
            }
            let mut stones: Vec<_> =
                (0..size.points()).filter_map(|cell| Some((position.stone(cell)?, cell))).collect();
            stones.extend(open.iter().filter(|&&cell| !zone.contains(cell)).map(|&cell| (claimed.opponent(), cell)));
            let mut given = Position::new(size);
            given.set_up(&stones).unwrap();
            given.set_to_move(position.to_move());
            if let Some(mv) = mv.filter(|mv| given.is_legal(*mv)) {
                given.play(mv);
            }
            assert_eq!(winner(&given, &mut HashMap::new()), claimed, "{position:?}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

/// A win that is claimed on a wide board is carried through against random opposition: the winner plays what knowledge says.
#[test]
fn claimed_wins_are_won_on_wide_boards() {
    let mut rng = Rng::new(5);
    let (mut won, mut moves, mut verdicts) = (0, Vec::new(), Vec::new());
    for size in [Size::square(17), Size::square(19), Size { width: 20, height: 13 }] {
        let findings = Findings::within(MEMORY);
        let mut position = scattered(size, size.points() / 2, &mut rng);
        let mut claimed = None;
        while position.winner().is_none() {
            position.legal_moves(&mut moves);
            position.solved(&findings, &moves, &mut verdicts);
            let side = position.to_move();
            let winning =
                moves.iter().zip(&verdicts).find(|(_, v)| matches!(v, Verdict::Decided(winner, _) if *winner == side));
            let lost = verdicts.iter().all(|v| matches!(v, Verdict::Decided(winner, _) if *winner != side));
            let insight = match position.insight(&findings) {
                Insight::Decided(winner, _, mv) => Some((winner, mv)),
                Insight::Open { .. } => None,
            };
            // What was claimed once is never taken back.
            for winner in [winning.map(|_| side), lost.then(|| side.opponent()), insight.map(|insight| insight.0)]
                .into_iter()
                .flatten()
            {
                assert_eq!(*claimed.get_or_insert(winner), winner, "{position:?}");
            }
            let mv = match insight {
                Some((winner, Some(mv))) if winner == side => mv,
                _ if claimed == Some(side) => {
                    *winning.unwrap_or_else(|| panic!("a win was lost sight of: {position:?}")).0
                }
                _ => moves[rng.below(moves.len() as u32) as usize],
            };
            position.play(mv);
        }
        if let Some(claimed) = claimed {
            assert_eq!(position.winner(), Some(claimed), "{size:?}");
            won += 1;
        }
    }
    assert_eq!(won, 3);
}
