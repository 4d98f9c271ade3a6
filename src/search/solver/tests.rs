use std::collections::HashMap;
use std::thread;
use std::time::Instant;

use super::*;
use crate::game::{Game, Outcome};
use crate::games::Size;
use crate::games::hex::symmetry::rotate;
use crate::games::hex::{Move, Position};
use crate::rng::Rng;

fn after(size: Size, moves: &[usize]) -> Position {
    let mut position = Position::new(size);
    moves.iter().for_each(|&m| position.play(Move::at(m)));
    position
}

/// The winner, by trying everything.
fn winner(position: &Position, known: &mut HashMap<u64, Side>) -> Side {
    if let Some(winner) = position.winner() {
        return winner;
    }
    if let Some(&winner) = known.get(&position.key()) {
        return winner;
    }
    let side = position.to_move();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let wins = moves.into_iter().any(|mv| {
        let mut child = position.clone();
        child.play(mv);
        winner(&child, known) == side
    });
    let found = if wins { side } else { side.opponent() };
    known.insert(position.key(), found);
    found
}

fn solve<G: Solvable>(solver: &Solver<G>, position: &G, threads: usize) -> Proof<G::Move, G::Zone> {
    let (proof, nodes) = solver.solve(position, threads, None, Some(200_000), &Stop::new(), &mut |_| ());
    proof.unwrap_or_else(|| panic!("not solved after {nodes} states: {position:?}"))
}

/// The winner is the right one, the move wins, and so it does with everything outside of the zone given to the loser.
fn check(position: &Position, proof: &Proof<Move, <Position as Solvable>::Zone>, known: &mut HashMap<u64, Side>) {
    assert_eq!(proof.winner, winner(position, known), "{position:?}");
    assert_eq!(proof.mv.is_some(), proof.winner == position.to_move(), "{position:?}");
    if let Some(mv) = proof.mv {
        let mut child = position.clone();
        child.play(mv);
        assert_eq!(winner(&child, known), proof.winner, "{mv:?} in {position:?}");
    }
    let stones: Vec<_> = (0..position.points())
        .filter_map(|cell| match position.stone(cell) {
            Some(side) => Some((side, cell)),
            None => (!proof.zone.contains(cell)).then_some((proof.winner.opponent(), cell)),
        })
        .collect();
    let mut given = Position::new(position.size());
    given.set_up(&stones).unwrap();
    given.set_to_move(position.to_move());
    assert_eq!(winner(&given, known), proof.winner, "{position:?} within {:?}", proof.zone);
}

/// Random positions of small boards against brute force: winner, move and zone, of the root and of every state that was
/// solved on the way.
#[test]
fn proofs_and_their_zones_are_right() {
    let mut rng = Rng::new(11);
    for (size, rounds) in [(Size::square(3), 200), (Size { width: 4, height: 3 }, 200), (Size::square(4), 120)] {
        let mut known = HashMap::new();
        for round in 0..rounds {
            let solver = Solver::new(64);
            let mut position = Position::new(size);
            for _ in 0..rng.below(size.points() as u32 / 2) {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                if let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) {
                    position.play(mv);
                }
            }
            if position.winner().is_some() {
                continue;
            }
            let proof = solve(&solver, &position, 1 + round % 3);
            check(&position, &proof, &mut known);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for mv in moves {
                let mut child = position.clone();
                child.play(mv);
                if let Some(proof) = solver.proof(&child) {
                    check(&child, &proof, &mut known);
                }
            }
        }
    }
}

/// Wins of earlier positions in others: winner, zone and move are right, and moves outside of a threat lose, also where the side
/// to move has everything outside.
#[test]
fn wins_hold_in_other_positions() {
    let mut rng = Rng::new(3);
    let (mut decided, mut threatened) = (0, 0);
    for (size, rounds) in [(Size::square(3), 300), (Size { width: 4, height: 3 }, 300), (Size::square(4), 400)] {
        let (solver, mut known) = (Solver::new(64), HashMap::new());
        for round in 0..rounds {
            let mut position = Position::new(size);
            for _ in 0..rng.below(size.points() as u32 * 2 / 3) {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                if let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) {
                    position.play(mv);
                }
            }
            position.set_to_move(Side::BOTH[rng.below(2) as usize]);
            if position.winner().is_some() {
                continue;
            }
            match position.recall(&solver.wins) {
                Recalled::Decided(winner, zone, mv) => {
                    check(&position, &Proof { winner, zone, mv }, &mut known);
                    decided += 1;
                }
                Recalled::Threats(zones) => {
                    for zone in zones {
                        let mut passed = position.clone();
                        passed.set_to_move(position.to_move().opponent());
                        let winner = passed.to_move();
                        let mv = solve(&Solver::new(8), &passed, 1).mv;
                        check(&passed, &Proof { winner, zone: zone.clone(), mv }, &mut known);
                        threatened += 1;
                    }
                }
            }
            solve(&solver, &position, 1 + round % 2);
        }
    }
    assert!(decided > 150 && threatened > 20, "{decided} {threatened}");
}

/// Where half a turn changes nothing, one of each two moves that it exchanges is left out.
#[test]
fn positions_that_are_their_own_half_turn_are_right() {
    let mut rng = Rng::new(5);
    let (mut lost, mut left_out) = (0, 0);
    for (size, rounds) in [(Size::square(3), 100), (Size { width: 4, height: 3 }, 200), (Size::square(4), 400)] {
        let mut known = HashMap::new();
        for round in 0..rounds {
            let mut stones = Vec::new();
            for cell in 0..size.points() / 2 {
                if rng.below(4) == 0 {
                    let side = Side::BOTH[rng.below(2) as usize];
                    stones.extend([(side, cell), (side, rotate(size, cell))]);
                }
            }
            let mut position = Position::new(size);
            position.set_up(&stones).unwrap();
            position.set_to_move(Side::BOTH[round % 2]);
            if position.winner().is_some() {
                continue;
            }
            if let Insight::Open { moves, .. } = position.insight(&Bounded::within(8)) {
                let cells: Vec<usize> = moves.iter().map(|&(mv, _)| position.index(mv)).collect();
                assert!(cells.iter().all(|&cell| rotate(size, cell) == cell || !cells.contains(&rotate(size, cell))));
                left_out += 1;
            }
            let proof = solve(&Solver::new(8), &position, 1);
            check(&position, &proof, &mut known);
            lost += usize::from(proof.winner != position.to_move());
        }
    }
    assert!(lost > 20 && left_out > 20, "{lost} {left_out}");
}

/// Winning first moves, published: 5x5.
#[test]
fn every_opening_of_five_by_five_is_right() {
    let losing = [0, 1, 2, 3, 5, 10, 14, 19, 21, 22, 23, 24];
    let solver = Solver::new(64);
    for opening in 0..25 {
        let position = after(Size::square(5), &[opening]);
        let expected = if losing.contains(&opening) { Side::Second } else { Side::First };
        assert_eq!(solve(&solver, &position, 2).winner, expected, "{opening}");
    }
}

#[test]
fn a_proof_comes_with_a_line_that_wins() {
    let solver = Solver::new(64);
    let position = after(Size::square(5), &[0]);
    let proof = solve(&solver, &position, 1);
    let line = solver.line(&position);
    assert_eq!((proof.winner, Some(line[0])), (Side::Second, proof.mv));
    let mut position = position;
    for (ply, mv) in line.into_iter().enumerate() {
        assert!(position.is_legal(mv), "{ply}");
        position.play(mv);
    }
}

#[test]
fn budgets_stops_and_memory_hold() {
    let position = Position::new(Size::square(9));
    let solver = Solver::new(1);
    let stop = Stop::new();
    let (proof, nodes) = solver.solve(&position, 2, None, Some(1500), &stop, &mut |_| ());
    // Each thread may have one more under way.
    assert!(proof.is_none() && (1500..1502).contains(&nodes), "{nodes}");
    assert!(solver.bytes() <= 1 << 20, "{}", solver.bytes());
    let time = Some(Duration::from_millis(50));
    let start = Instant::now();
    assert!(solver.solve(&position, 1, time, None, &stop, &mut |_| ()).0.is_none());
    assert!(start.elapsed() < Duration::from_millis(500));
    stop.set();
    assert_eq!(solver.solve(&position, 1, None, None, &stop, &mut |_| ()).1, 0);
}

/// A game without end that knows nothing of its fourth position but fails there.
#[derive(Clone, Debug)]
struct Broken(usize);

impl Game for Broken {
    type Move = u8;
    type Findings = ();

    fn to_move(&self) -> Side {
        Side::BOTH[self.0 % 2]
    }

    fn set_to_move(&mut self, _side: Side) {}

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        moves.push(0);
    }

    fn is_legal(&self, mv: u8) -> bool {
        mv == 0
    }

    fn play(&mut self, _mv: u8) {
        self.0 += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn key(&self) -> u64 {
        self.0 as u64
    }

    fn move_count(&self) -> usize {
        1
    }

    fn index(&self, mv: u8) -> usize {
        usize::from(mv)
    }

    fn move_at(&self, index: usize) -> u8 {
        index as u8
    }

    fn points(&self) -> usize {
        1
    }

    fn plies(&self) -> usize {
        self.0
    }
}

impl Solvable for Broken {
    type Zone = <Position as Solvable>::Zone;
    type Wins = ();

    fn is_solvable(&self) -> bool {
        true
    }

    fn insight(&self, (): &()) -> Insight<u8, Self::Zone> {
        assert!(self.0 < 4, "a fault on purpose");
        Insight::Open { rest: Self::Zone::default(), moves: vec![(0, [1.0; 2])] }
    }

    fn keep(&self, (): &(), _winner: Side, _zone: &Self::Zone, _mv: Option<u8>) {}

    fn recall(&self, (): &()) -> Recalled<u8, Self::Zone> {
        Recalled::Threats(Vec::new())
    }
}

/// The caller hears of a thread that fails, and does not wait for it for ever: it would otherwise have all the time there is.
#[test]
fn a_failing_thread_does_not_hang_the_others() {
    for threads in [1, 3] {
        let run = move || Solver::new(1).solve(&Broken(0), threads, None, None, &Stop::new(), &mut |_| ());
        let waiting = thread::spawn(move || std::panic::catch_unwind(run).is_err());
        let deadline = Instant::now() + Duration::from_secs(20);
        while !waiting.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(waiting.is_finished(), "{threads} threads hang");
        assert!(waiting.join().unwrap());
    }
}
