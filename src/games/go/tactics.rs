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

/// Reads single ladders in place, on a board of its own, as fast as playouts want it: where the chaser has two ataris, the one after
/// which the runner has fewer liberties is read alone, and a chaser's chain in atari beside the runner's breaks the ladder. So it
/// errs for the runner, but for chains that the runner joins: it overlooks what those could take.
#[derive(Debug)]
pub(crate) struct LadderReader {
    board: Board,
}

impl LadderReader {
    /// A reader of boards like that one.
    pub(crate) fn new(board: &Board) -> Self {
        Self { board: board.clone() }
    }

    /// Whether the chain in atari at `point`, whose owner is to move and has nothing to take, is caught if it runs. What a ko forbids now
    /// may be taken later: then it is not.
    pub(crate) fn catches(&mut self, board: &Board, point: Point, side: Side) -> bool {
        if board.ko() != NOWHERE {
            return false;
        }
        self.board.clone_from(board);
        self.runs_in_vain(board.last_liberty(point), side)
    }

    /// The atari that catches the chain of `side` with two liberties at `point`.
    pub(crate) fn atari(&mut self, board: &Board, point: Point, side: Side) -> Option<Point> {
        let (liberties, count) = board.liberties::<3>(point);
        if count != 2 {
            return None;
        }
        let (atari, exit) = chase(board, point, side, [liberties[0], liberties[1]])?;
        self.board.clone_from(board);
        self.board.play(atari, side.opponent());
        let safe = !self.board.in_atari(atari) && saving_capture(&self.board, point, side).is_none();
        (safe && self.runs_in_vain(exit, side)).then_some(atari)
    }

    /// Whether a chain of `side` in atari is caught if it runs to `exit`, its last liberty.
    fn runs_in_vain(&mut self, mut exit: Point, side: Side) -> bool {
        let (board, enemy) = (&mut self.board, Stone::of(side.opponent()));
        for _ in 0..LADDER_LENGTH {
            board.play(exit, side);
            if board.is_empty(exit) {
                return true;
            }
            let (liberties, count) = board.liberties::<3>(exit);
            if count != 2 {
                return count < 2;
            }
            if board.neighbours(exit).into_iter().any(|n| board.stone(n) == enemy && board.in_atari(n)) {
                return false;
            }
            let Some((atari, next)) = chase(board, exit, side, [liberties[0], liberties[1]]) else { return false };
            board.play(atari, side.opponent());
            if board.in_atari(atari) {
                return false;
            }
            exit = next;
        }
        false
    }
}

/// The better atari against the chain of `side` at `point` with those two liberties, and where it runs then, if it does not get three
/// liberties either way.
fn chase(board: &Board, point: Point, side: Side, liberties: [Point; 2]) -> Option<(Point, Point)> {
    let [a, b] = liberties;
    let room = |atari: Point, exit: Point| {
        board.is_playable(atari, side.opponent()).then(|| exits(board, point, side, atari, exit))
    };
    let (by_a, by_b) = (room(a, b).unwrap_or(3), room(b, a).unwrap_or(3));
    if by_a.min(by_b) > 2 {
        return None;
    }
    Some(if by_a <= by_b { (a, b) } else { (b, a) })
}

/// Liberties, counted up to 3, that the chain of `side` at `point` has after it was put into atari at `atari` and has run to `exit`.
fn exits(board: &Board, point: Point, side: Side, atari: Point, exit: Point) -> usize {
    let (own, chain) = (Stone::of(side), board.chain(point));
    let mut found = [NOWHERE; 3];
    let mut count = 0;
    let mut add = |p: Point| {
        if count < 3 && p != atari && p != exit && p != NOWHERE && !found[..count].contains(&p) {
            found[count] = p;
            count += 1;
        }
    };
    for n in board.neighbours(exit) {
        if board.is_empty(n) {
            add(n);
        } else if board.stone(n) == own && board.chain(n) != chain {
            board.liberties::<5>(n).0.into_iter().for_each(&mut add);
        }
    }
    count
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

    /// Chains in atari, and those with two liberties: nearly all that the fast reader catches the thorough one does too.
    #[test]
    fn fast_reading_errs_for_the_runner() {
        use super::super::playout::{Playout, Style};
        use crate::game::{Game, PlayoutPolicy};
        use crate::games::Size;
        use crate::rng::Rng;
        let (mut rng, mut trace) = (Rng::new(3), Vec::new());
        let mut counts = [[0; 3]; 2];
        for size in [Size::square(7), Size::square(13)] {
            for _ in 0..60 {
                let mut go = super::super::Position::new(size, Rules::CHINESE, 0.0);
                let mut reader = LadderReader::new(go.board());
                Playout::new(&go, Style::Uniform).run(&go, &mut rng, &mut trace);
                for mv in trace.drain(..).take_while(|mv| mv.point().is_some()) {
                    if !go.is_legal(mv) {
                        continue;
                    }
                    go.play(mv);
                    let board = go.board();
                    let point = board.point(mv.point().unwrap());
                    let near = board.neighbours(point).into_iter().chain([point]);
                    for (chain, side) in near.filter_map(|p| board.stone(p).side().map(|side| (p, side))) {
                        if !board.in_atari(chain) {
                            let atari = reader.atari(board, chain, side);
                            let thorough = ladder_attack(board, chain, side);
                            counts[0][2] += usize::from(atari.is_some() && thorough.is_none());
                            counts[0][0] += usize::from(atari.is_some());
                            counts[0][1] += usize::from(thorough.is_some());
                        } else if saving_capture(board, chain, side).is_none()
                            && board.is_playable(board.last_liberty(chain), side)
                        {
                            let (fast, thorough) =
                                (reader.catches(board, chain, side), dies_in_ladder(board, chain, side));
                            counts[1][2] += usize::from(fast && !thorough);
                            counts[1][0] += usize::from(fast);
                            counts[1][1] += usize::from(thorough);
                        }
                    }
                }
            }
        }
        // Little is missed, and less is said in error.
        let right = |[fast, thorough, wrong]: &[usize; 3]| fast * 5 > thorough * 4 && wrong * 50 < *fast;
        assert!(counts.iter().all(|count| count[1] > 100 && right(count)), "{counts:?}");
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
