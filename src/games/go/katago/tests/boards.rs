//! Chains, ladders and areas, compared with plainer ways to find them.

use proptest::prelude::*;

use super::super::super::board::{Board, NOWHERE};
use super::*;

fn chains_of(position: &Position) -> Chains {
    let board = position.board();
    let stones: Vec<_> = (0..position.points()).map(|index| board.stone(board.point(index))).collect();
    let mut chains = Chains::new(position.size());
    chains.set(&stones, board.ko());
    chains
}

/// Owners of all points: `X` Black, `O` White.
fn owners(diagram: &str, suicide: bool, tax: bool) -> String {
    let position = drawn(diagram, Rules::TROMP_TAYLOR, 0.0);
    let chains = chains_of(&position);
    let owners = areas::areas(&chains, suicide, tax);
    let name = |&point: &Point| match owners[usize::from(point)] {
        Stone::First => 'X',
        Stone::Second => 'O',
        _ => '.',
    };
    chains.points().iter().map(name).collect()
}

fn joined(diagram: &str) -> String {
    diagram.split_whitespace().collect()
}

#[test]
fn stones_and_what_one_side_surrounds_are_its_own() {
    assert_eq!(owners(". . . . . .", false, false), "......");
    let found = owners(". X . O .  X X . O O  X X X O O", false, false);
    assert_eq!(found, joined("X X . O O  X X . O O  X X X O O"));
    // What is dead by Benson's rule belongs to who has surrounded it, even where it surrounds something itself.
    let found = owners(". O X . X . X  O X X X X X X  X X . . . . .  . . . . . . .", false, false);
    assert_eq!(found, joined("X X X X X X X  X X X X X X X  X X X X X X X  X X X X X X X"));
    let found = owners("X X X X X  X O . X .  X X X X X  . . . . .  . . O . .", false, false);
    assert_eq!(found, joined("X X X X X  X X X X X  X X X X X  . . . . .  . . O . ."));
}

/// The corner is no eye where White may fill it from within by giving stones up.
#[test]
fn eyes_count_all_points_where_suicide_is_legal() {
    let diagram = "O . X X X  . X X . X  X X X X X  . . . . .  . . . . .";
    assert_eq!(owners(diagram, false, false), "X".repeat(25));
    let found = owners(diagram, true, false);
    assert_eq!(found, joined("O . X X X  . X X X X  X X X X X  X X X X X  X X X X X"));
}

#[test]
fn points_in_seki_are_taxed() {
    let seki = ". X . O .  X X . O O  X X X O O";
    assert_eq!(owners(seki, false, true), joined(". X . O .  X X . O O  X X X O O"));
    // Without neutral points there is no seki, but with a stone in atari.
    let divided = ". X O . .  X X O O O  . X O . .  X X O O O  . X O . .";
    assert_eq!(owners(divided, false, true), joined("X X O O O  X X O O O  X X O O O  X X O O O  X X O O O"));
    assert_eq!(owners(". X O O .", false, true), ".XOO.");
    assert_eq!(owners(". X O O .", false, false), "XXOOO");
}

/// Chains that ladders catch, by their first points, and the moves that do.
fn caught(position: &Position) -> Vec<(usize, Vec<usize>)> {
    let mut chains = chains_of(position);
    let mut caught = Vec::new();
    ladders(&mut chains, &mut caught);
    let index = |point: Point| position.board().index(point);
    let moves = |ladder: &ladders::Caught| {
        let mut moves: Vec<_> = ladder.moves.into_iter().flatten().map(index).collect();
        moves.sort_unstable();
        moves
    };
    caught.iter().map(|ladder| (index(ladder.chain), moves(ladder))).collect()
}

/// As [`caught`], read without shortcuts, on whole boards. `None` where a ladder has no end, or may come to two kos.
fn plainly_caught(position: &Position) -> Option<Vec<(usize, Vec<usize>)>> {
    let board = position.board();
    let mut found = Vec::new();
    let mut seen = Vec::new();
    for index in 0..position.points() {
        let point = board.point(index);
        let Some(side) = board.stone(point).side().filter(|_| !seen.contains(&board.chain(point))) else { continue };
        seen.push(board.chain(point));
        let (liberties, count) = board.liberties::<3>(point);
        let mut start = board.clone();
        start.clear_ko();
        match count {
            1 if runs(&start, point, side, 0)? => found.push((index, Vec::new())),
            2 => {
                let mut moves = Vec::new();
                for liberty in &liberties[..2] {
                    if board.is_playable(*liberty, side.opponent()) {
                        let mut next = board.clone();
                        next.play(*liberty, side.opponent());
                        next.clear_ko();
                        moves.extend(runs(&next, point, side, 0)?.then(|| board.index(*liberty)));
                    }
                }
                moves.sort_unstable();
                if !moves.is_empty() {
                    found.push((index, moves));
                }
            }
            _ => {}
        }
    }
    Some(found)
}

fn runs(board: &Board, point: Point, side: Side, depth: usize) -> Option<bool> {
    if depth > 40 {
        return None;
    }
    if !board.in_atari(point) || board.ko() != NOWHERE {
        return Some(false);
    }
    let mut moves = vec![board.last_liberty(point)];
    board.for_each_stone(point, |stone| {
        let enemies = board.neighbours(stone).into_iter().filter(|&n| board.stone(n) == Stone::of(side.opponent()));
        moves.extend(enemies.filter(|&n| board.in_atari(n)).map(|n| board.last_liberty(n)));
    });
    for mv in moves.into_iter().filter(|&mv| board.is_playable(mv, side)) {
        let mut next = board.clone();
        next.play(mv, side);
        if !chases(&next, point, side, depth + 1)? {
            return Some(false);
        }
    }
    Some(true)
}

fn chases(board: &Board, point: Point, side: Side, depth: usize) -> Option<bool> {
    let (liberties, count) = board.liberties::<3>(point);
    if count != 2 {
        return Some(count < 2);
    }
    let ko = |&liberty: &Point| board.empty_around(liberty) == 0 && board.captures_at(liberty, side.opponent());
    if liberties[..2].iter().all(ko) {
        return None;
    }
    for &mv in liberties[..2].iter().filter(|&&mv| board.is_playable(mv, side.opponent())) {
        let mut next = board.clone();
        next.play(mv, side.opponent());
        if runs(&next, point, side, depth + 1)? {
            return Some(true);
        }
    }
    Some(false)
}

/// One of two kos is always open: the chain is taken to be lost, though each chase ends with a ko.
#[test]
fn a_chain_between_two_kos_is_caught() {
    let diagram = "
        O . O X X . X O .
        . O X X X X O . .
        . . O O O O . . .
        . . . . . . . . .";
    let go = drawn(diagram, Rules::CHINESE, 0.0);
    assert_eq!(caught(&go), [(3, vec![]), (6, vec![])]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn ladders_are_those_found_plainly(
        width in 3usize..7, height in 3usize..7, picks in prop::collection::vec(any::<u32>(), 1..40)
    ) {
        let mut go = Position::new(Size { width, height }, Rules::CHINESE, 0.0);
        for pick in picks {
            let Some(mv) = picked(&go, pick) else { break };
            go.play(mv);
        }
        if let Some(expected) = plainly_caught(&go) {
            prop_assert_eq!(caught(&go), expected);
        }
    }

    /// Liberties and kos are those of the board, after moves and after these were taken back.
    #[test]
    fn chains_follow_the_moves(picks in prop::collection::vec(any::<u32>(), 1..80)) {
        let mut go = Position::new(Size { width: 5, height: 4 }, Rules::CHINESE, 0.0);
        let mut chains = chains_of(&go);
        let start = chains.mark();
        let compare = |chains: &Chains, go: &Position| {
            let board = go.board();
            for &point in chains.points() {
                prop_assert_eq!(chains.stone(point), board.stone(point));
                if board.stone(point) != Stone::Empty {
                    prop_assert_eq!(chains.liberties(point), board.liberties::<20>(point).1);
                    prop_assert_eq!(chains.stones(point), board.chain_stones(point));
                }
            }
            prop_assert_eq!(chains.ko(), board.ko());
            Ok(())
        };
        for pick in picks {
            let Some(mv) = picked(&go, pick).filter(|mv| mv.point().is_some()) else { continue };
            chains.play(go.board().point(mv.point().unwrap_or_default()), go.to_move());
            go.play(mv);
            compare(&chains, &go)?;
        }
        chains.take_back(start);
        compare(&chains, &Position::new(go.size(), go.rules(), 0.0))?;
    }
}
