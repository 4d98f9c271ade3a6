//! Reading a few moves ahead: liberties after a move, self-atari, escapes from atari, ladders, and all of it for every chain.
//! Knows nothing of probabilities: who plays these moves, and how often, is the policy's.

use super::board::{Board, NOWHERE, Point, Rest, Stone};
use crate::game::Side;

/// Chain that a stone at an empty point would belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct After {
    /// Liberties of the chain it joins, counted up to 3; stones it takes count as one liberty each chain.
    pub(crate) liberties: usize,
    /// Stones of that chain.
    pub(crate) stones: usize,
}

/// Liberties and size of the chain that a stone of `side` at the empty point would belong to.
pub(crate) fn after(board: &Board, point: Point, side: Side) -> After {
    let own = Stone::of(side);
    let mut found = [NOWHERE; 3];
    let mut count = 0;
    let mut add = |p: Point, count: &mut usize| {
        if *count < 3 && p != point && !found[..*count].contains(&p) {
            found[*count] = p;
            *count += 1;
        }
    };
    let mut stones = 1;
    let mut joined = [NOWHERE; 4];
    let mut joins = 0;
    for n in board.neighbours(point) {
        match board.stone(n) {
            Stone::Empty => add(n, &mut count),
            Stone::Border => {}
            stone if stone == own => {
                let chain = board.chain(n);
                if !joined[..joins].contains(&chain) {
                    joined[joins] = chain;
                    joins += 1;
                    stones += board.chain_stones(n);
                    if !board.in_atari(n) && count < 3 {
                        let (liberties, number) = board.liberties::<4>(n);
                        for &l in &liberties[..number] {
                            add(l, &mut count);
                        }
                    }
                }
            }
            _ => {
                if board.in_atari(n) {
                    add(n, &mut count);
                    // Taking two or more stones leaves room to extend.
                    if board.chain_stones(n) > 1 {
                        let mut second = NOWHERE;
                        board.for_each_stone(n, |s| {
                            if s != n {
                                second = s;
                            }
                        });
                        add(second, &mut count);
                    }
                }
            }
        }
    }
    After { liberties: count, stones }
}

/// Whether a stone of `side` at the empty point would belong to a chain of two liberties at least: whether
/// [`After::liberties`] is above 1, without a walk along chains.
#[inline]
pub(crate) fn breathes(board: &Board, point: Point, side: Side) -> bool {
    if board.empty_around(point) > 1 {
        return true;
    }
    let own = Stone::of(side);
    let mut first = NOWHERE;
    let mut second = |p: Point| {
        let another = first != NOWHERE && first != p;
        first = p;
        another
    };
    board.neighbours(point).into_iter().any(|n| match board.stone(n) {
        Stone::Empty => second(n),
        Stone::Border => false,
        stone if stone == own => match board.liberties_without(n, point) {
            Rest::None => false,
            Rest::One(liberty) => second(liberty),
            Rest::More => true,
        },
        _ => board.in_atari(n) && (board.chain_stones(n) > 1 || second(n)),
    })
}

/// The point where the enemy chain in atari that can be taken to save the chain at `point` has its last liberty:
/// the largest such chain.
pub(crate) fn saving_capture(board: &Board, point: Point, side: Side) -> Option<Point> {
    let enemy = Stone::of(side.opponent());
    let mut best = None;
    let mut most = 0;
    board.for_each_stone(point, |stone| {
        if board.around(stone, side.opponent()) > 0 {
            for n in board.neighbours(stone) {
                if board.stone(n) == enemy && board.in_atari(n) && board.chain_stones(n) > most {
                    let liberty = board.last_liberty(n);
                    if board.is_playable(liberty, side) {
                        most = board.chain_stones(n);
                        best = Some(liberty);
                    }
                }
            }
        }
    });
    best
}

/// Longest ladder that is read, in stones of the chaser; beyond it the chain is taken to escape.
const LADDER_LENGTH: usize = 60;

/// Whether the chain at `point`, which is in atari and whose owner is to move, is lost by a ladder if it runs.
pub(crate) fn dies_in_ladder(board: &Board, point: Point, side: Side) -> bool {
    let mut board = board.clone();
    runner_dies(&mut board, point, side, LADDER_LENGTH)
}

fn runner_dies(board: &mut Board, point: Point, side: Side, depth: usize) -> bool {
    if depth == 0 || saving_capture(board, point, side).is_some() {
        return false;
    }
    let exit = board.last_liberty(point);
    if board.is_suicide(exit, side) {
        return true;
    }
    board.play(exit, side);
    if !matches!(board.stone(point).side(), Some(s) if s == side) {
        return true;
    }
    chaser_wins(board, point, side, depth)
}

fn chaser_wins(board: &mut Board, point: Point, side: Side, depth: usize) -> bool {
    let (liberties, count) = board.liberties::<3>(point);
    match count {
        1 => true,
        2 => liberties[..2].iter().any(|&l| {
            if !board.is_playable(l, side.opponent()) {
                return false;
            }
            let mut next = board.clone();
            next.play(l, side.opponent());
            // The chaser's own stone must not be taken for nothing.
            next.in_atari(point) && runner_dies(&mut next, point, side, depth - 1)
        }),
        _ => false,
    }
}

/// A move that puts the chain at `point`, which has two liberties, into a ladder that works.
pub(crate) fn ladder_attack(board: &Board, point: Point, side: Side) -> Option<Point> {
    let (liberties, count) = board.liberties::<3>(point);
    if count != 2 {
        return None;
    }
    liberties[..2].iter().copied().find(|&l| {
        if !board.is_playable(l, side.opponent()) {
            return false;
        }
        let mut next = board.clone();
        next.play(l, side.opponent());
        next.stone(point) == Stone::of(side)
            && next.in_atari(point)
            && runner_dies(&mut next, point, side, LADDER_LENGTH)
    })
}

/// Effect of a move for or against a chain with few liberties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Deed {
    /// Takes it.
    Capture,
    /// Saves it from atari by taking a chain beside it.
    CaptureAround,
    /// Runs from atari and gets away.
    Escape,
    /// Runs from atari and dies in a ladder.
    FutileEscape,
    /// Puts it into a ladder that works.
    Attack,
    /// Gives it liberties before it is put into one.
    Defence,
}

/// A move that matters to a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tactic {
    pub(crate) deed: Deed,
    pub(crate) point: Point,
    pub(crate) chain: Point,
}

/// Replaces `tactics` by what `side` can do about the chains with one or two liberties, anywhere on the board.
pub(crate) fn tactics(board: &Board, side: Side, tactics: &mut Vec<Tactic>) {
    tactics.clear();
    for index in 0..board.size().points() {
        let chain = board.point(index);
        let Some(owner) = board.stone(chain).side() else { continue };
        if board.chain(chain) != chain {
            continue;
        }
        let mut add = |deed, point| tactics.push(Tactic { deed, point, chain });
        if board.in_atari(chain) {
            let liberty = board.last_liberty(chain);
            if owner != side {
                add(Deed::Capture, liberty);
                continue;
            }
            if let Some(capture) = saving_capture(board, chain, side) {
                add(Deed::CaptureAround, capture);
            }
            add(if dies_in_ladder(board, chain, side) { Deed::FutileEscape } else { Deed::Escape }, liberty);
            continue;
        }
        let Some(attack) = ladder_attack(board, chain, owner) else { continue };
        if owner != side {
            add(Deed::Attack, attack);
            continue;
        }
        let (liberties, _) = board.liberties::<3>(chain);
        for &liberty in &liberties[..2] {
            if after(board, liberty, side).liberties > 2 {
                add(Deed::Defence, liberty);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::super::position::testing::position;
    use super::*;

    fn board(diagram: &str) -> Board {
        position(diagram, Rules::CHINESE, 0.0).board().clone()
    }

    #[test]
    fn a_ladder_runs_into_the_edge() {
        let b = board(
            ". . . . . . .
             . X . . . . .
             X O X . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        let stone = b.point(15);
        assert!(b.in_atari(stone));
        // Down it goes to three liberties and is free.
        assert!(!dies_in_ladder(&b, stone, Side::Second));
        let b = board(
            ". . . . . . .
             . X . . . . .
             X O X . . . .
             X . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        assert!(dies_in_ladder(&b, b.point(15), Side::Second));
    }

    #[test]
    fn a_stone_in_the_way_breaks_the_ladder() {
        let b = board(
            ". . . . . . .
             . X . . . . .
             X O X . . . .
             X . . . . . .
             . . . . O . .
             . . . . . . .
             . . . . . . .",
        );
        assert!(!dies_in_ladder(&b, b.point(15), Side::Second));
    }

    #[test]
    fn liberties_after_a_move() {
        let b = board(". O . . .  O . . . .  . . . . .  . . . . .  . . . . .");
        assert!(b.is_suicide(b.point(0), Side::First));
        assert_eq!(after(&b, b.point(6), Side::First), After { liberties: 2, stones: 1 });
        assert_eq!(after(&b, b.point(6), Side::Second), After { liberties: 3, stones: 3 });
    }

    #[test]
    fn to_breathe_is_to_have_two_liberties() {
        use super::super::playout::{Playout, Style};
        use crate::game::{Game, PlayoutPolicy};
        use crate::games::Size;
        use crate::rng::Rng;
        let mut rng = Rng::new(1);
        for size in [Size::square(5), Size::square(9)] {
            for _ in 0..50 {
                let mut go = super::super::Position::new(size, Rules::CHINESE, 0.0);
                let mut trace = Vec::new();
                Playout::new(&go, Style::Uniform).run(&go, &mut rng, &mut trace);
                for mv in trace.into_iter().filter(|mv| mv.point().is_some()) {
                    for side in Side::BOTH {
                        for &point in go.board().empty_points() {
                            let expected = after(go.board(), point, side).liberties > 1;
                            assert_eq!(breathes(go.board(), point, side), expected);
                        }
                    }
                    if go.is_legal(mv) {
                        go.play(mv);
                    }
                }
            }
        }
    }

    #[test]
    fn an_attacker_in_atari_is_taken() {
        let b = board(
            ". O . . .
             O X X O .
             . O X O .
             . X O . .
             . . . . .",
        );
        // Black's three stones have one liberty, and so has White's stone below them.
        assert!(b.in_atari(b.point(6)));
        assert_eq!(saving_capture(&b, b.point(6), Side::First), Some(b.point(10)));
        assert!(!dies_in_ladder(&b, b.point(6), Side::First));
        assert_eq!(after(&b, b.point(10), Side::First), After { liberties: 2, stones: 1 });
    }
}
