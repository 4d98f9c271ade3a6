//! Priors of moves by Go knowledge, and the moves that are not searched.

use super::board::{NOWHERE, Point, Stone};
use super::patterns::{self, PatternTable};
use super::playout::{Playout, Style, zones};
use super::position::{Move, Position};
use super::rules::Scoring;
use super::shapes;
use super::tactics::{Deed, Tactic, breathes, tactics};
use crate::game::{Game, MonteCarlo, Prior, Side};
use crate::rng::mix;

/// Equivalent visits of each piece of knowledge.
const EVEN: f32 = 5.0;
const CAPTURE_ONE: f32 = 7.5;
const CAPTURE_MANY: f32 = 15.0;
/// Most times that a ladder counts as the capture of many, by half of its stones.
const MOST_ATTACK: f32 = 5.0;
const SELF_ATARI: f32 = 5.0;
/// For each stone that a ladder catches, up to so many stones: playouts are not to overrule what was read to its end. A lone stone may
/// be given up.
const CAUGHT: f32 = 100.0;
const MANY_CAUGHT: usize = 20;
const CAUGHT_ONE: f32 = 30.0;
/// Factor of the learned policy of running out of atari in vain, which was learned from searches that did so.
const IN_VAIN: f32 = 0.05;
const PATTERN: f32 = 5.0;
/// By distance 1, 2, 3 from the last move along chains.
const NEAR: [f32; 3] = [12.0, 11.0, 4.0];
/// Priors of an opening.
struct Opening {
    /// Against the first two lines where nothing is near.
    low: f32,
    /// For the third there, and on large boards the fourth.
    high: f32,
    /// For the usual points of a corner without stones, on large boards.
    corner: f32,
    /// Factor of the learned policy of those.
    favour: f32,
}

const OPENING: Opening = Opening { low: 5.0, high: 5.0, corner: 20.0, favour: 1.0 };
/// On the largest boards. What the opening is worth shows so little in playouts that chance would choose: these are to outweigh
/// thousands of visits as all-moves-as-first.
const LONG_OPENING: Opening = Opening { low: 200.0, high: 50.0, corner: 200.0, favour: 20.0 };
/// Boards of so many lines are large, and of so many among the largest.
const LARGE: usize = 13;
const LARGEST: usize = 17;
/// A pass is bad until the board is full.
const PASS: f32 = 15.0;
/// Steps along chains from a move that are counted.
const FAR: u8 = 5;

/// Good and bad visits of one move.
#[derive(Clone, Copy)]
struct Tally {
    visits: f32,
    wins: f32,
}

impl Tally {
    fn good(&mut self, weight: f32) {
        self.visits += weight;
        self.wins += weight;
    }

    fn bad(&mut self, weight: f32) {
        self.visits += weight;
    }
}

impl MonteCarlo for Position {
    const SOLVES: bool = false;

    type Playout = Playout;

    fn playout_policy(&self, knowledge: u32) -> Playout {
        let style = match knowledge {
            0 | 1 => Style::Uniform,
            2 | 3 => Style::Sequence,
            4 => Style::Nakade,
            _ => Style::Fighter,
        };
        Playout::new(self, style)
    }

    /// By territory: taking dead stones first would cost moves that the rules do not ask for.
    fn ends_by_agreement(&self) -> bool {
        self.rules().scoring == Scoring::Territory
    }

    /// The last two moves, the ko, and the stones around the last move with their ataris.
    fn local_shape(&self) -> Option<u64> {
        const REACH: usize = 2;
        let [last, before] = self.last_moves();
        let (board, size) = (self.board(), self.size());
        let (x, y) = size.xy(last.point()?);
        let turn = self.to_move().index() as u64;
        let mut hash = [self.index(last) as u64, self.index(before) as u64, u64::from(board.ko())]
            .into_iter()
            .fold(turn, |hash, number| mix(hash.rotate_left(16) ^ number));
        for row in y.saturating_sub(REACH)..(y + REACH + 1).min(size.height) {
            for column in x.saturating_sub(REACH)..(x + REACH + 1).min(size.width) {
                let point = board.point(size.index(column, row));
                let stone = board.stone(point);
                let atari = stone.side().is_some() && board.in_atari(point);
                hash = mix(hash ^ (2 * stone as u64 + u64::from(atari)));
            }
        }
        Some(hash)
    }

    fn priors(&self, moves: &[Move], priors: &mut Vec<Prior>) {
        let board = self.board();
        let side = self.to_move();
        let table = PatternTable::get();
        let (tactics, steps) = self.surroundings();
        let mut tallies = vec![Tally { visits: EVEN, wins: EVEN / 2.0 }; board.places()];
        for tactic in &tactics {
            let stones = board.chain_stones(tactic.chain);
            let weight = if stones > 1 { CAPTURE_MANY } else { CAPTURE_ONE };
            let tally = &mut tallies[usize::from(tactic.point)];
            match tactic.deed {
                Deed::Capture | Deed::CaptureAround | Deed::Escape => tally.good(weight),
                Deed::Attack => tally.good(weight * (stones as f32 / 2.0).clamp(1.0, MOST_ATTACK)),
                Deed::FutileEscape if stones == 1 => tally.bad(CAUGHT_ONE),
                Deed::FutileEscape => tally.bad(CAUGHT * stones.min(MANY_CAUGHT) as f32),
                Deed::Defence => tally.good(weight / 2.0),
            }
        }
        let (mut features, mut policy) = (Vec::new(), Vec::new());
        shapes::features(self, moves, &tactics, [&steps[0], &steps[1]], &mut features);
        shapes::policy(&features, &mut policy);
        self.disfavour_vain(moves, &tactics, &mut policy);
        let opening = if self.lines() >= LARGEST { LONG_OPENING } else { OPENING };
        let corners: Vec<bool> =
            moves.iter().map(|mv| mv.point().is_some_and(|index| self.opens_corner(index))).collect();
        if corners.contains(&true) {
            favour(&mut policy, &corners, opening.favour);
        }
        priors.clear();
        for ((&mv, policy), opens) in moves.iter().zip(policy).zip(corners) {
            let Some(index) = mv.point() else {
                priors.push(Prior { weight: EVEN + PASS, mean: EVEN / 2.0 / (EVEN + PASS), policy });
                continue;
            };
            let point = board.point(index);
            let mut tally = tallies[usize::from(point)];
            if let Some(&weight) = NEAR.get(usize::from(steps[0][usize::from(point)]).wrapping_sub(1)) {
                tally.good(weight);
            }
            if patterns::matches(board, &table, point) {
                tally.good(PATTERN);
            }
            if !breathes(board, point, side) {
                tally.bad(SELF_ATARI);
            }
            match self.empty_area_line(index) {
                Some(0 | 1) => tally.bad(opening.low),
                Some(2) => tally.good(opening.high),
                Some(3) if self.is_large() => tally.good(opening.high),
                _ => {}
            }
            if opens {
                tally.good(opening.corner);
            }
            priors.push(Prior { weight: tally.visits, mean: tally.wins / tally.visits, policy });
        }
    }

    fn point_of(&self, mv: Move) -> Option<usize> {
        mv.point()
    }

    /// Ten won 59 % of 230 games against none on 9×9 (53 to 65 %) and 44 % of 50 on 13×13 (31 to 58 %).
    fn history(&self) -> f32 {
        if self.points() <= 81 { 10.0 } else { 0.0 }
    }

    /// At one second a move on 9×9 it won 56 of 91 games against none, 62 % (51 to 71 %).
    fn learns_replies(&self) -> bool {
        self.points() <= 81
    }

    fn steps(&self, from: usize, to: usize) -> Option<usize> {
        let on_board = |index: usize| (index < self.points()).then(|| self.size().xy(index));
        let ((x, y), (column, row)) = (on_board(from)?, on_board(to)?);
        Some(x.abs_diff(column) + y.abs_diff(row))
    }

    fn correct_policy(&self, moves: &[Move], policy: &mut [f32]) {
        let mut found = Vec::new();
        tactics(self.board(), self.to_move(), &mut found);
        self.disfavour_vain(moves, &found, policy);
    }

    fn goals(&self) -> usize {
        zones(self.size())
    }

    /// Seven of nine points of a zone on average are enough (Fabbri 2015, section 6.3.2).
    fn goal_met(&self, _: usize, _: Side, mean: f32) -> bool {
        mean > 7.0 / 9.0
    }

    fn is_sensible(&self, mv: Move) -> bool {
        mv.point().is_none_or(|index| {
            let point = self.board().point(index);
            !self.board().is_eye(point, self.to_move()) || self.saves_neighbour(point)
        })
    }
}

/// Multiplies some of the shares of a policy by a factor, and has them sum to 1 again.
fn favour(policy: &mut [f32], which: &[bool], factor: f32) {
    policy.iter_mut().zip(which).filter(|(_, which)| **which).for_each(|(share, _)| *share *= factor);
    let sum: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|share| *share /= sum);
}

impl Position {
    /// Lowers the policy of moves whose deeds are all to run out of atari in vain with several stones.
    fn disfavour_vain(&self, moves: &[Move], tactics: &[Tactic], policy: &mut [f32]) {
        let vain = |tactic: &Tactic| tactic.deed == Deed::FutileEscape && self.board().chain_stones(tactic.chain) > 1;
        let is_vain = |mv: &Move| {
            let Some(point) = mv.point().map(|index| self.board().point(index)) else { return false };
            let mut deeds = tactics.iter().filter(|tactic| tactic.point == point).peekable();
            deeds.peek().is_some() && deeds.all(vain)
        };
        if tactics.iter().any(vain) {
            favour(policy, &moves.iter().map(is_vain).collect::<Vec<bool>>(), IN_VAIN);
        }
    }

    /// Filling an eye may still save a chain in atari beside it.
    fn saves_neighbour(&self, point: Point) -> bool {
        let own = Stone::of(self.to_move());
        self.board().neighbours(point).iter().any(|&n| self.board().stone(n) == own && self.board().in_atari(n))
    }

    /// Tactics of the side to move, and the steps to each place from the last move and from the one before.
    pub(super) fn surroundings(&self) -> (Vec<Tactic>, [Vec<u8>; 2]) {
        let mut found = Vec::new();
        tactics(self.board(), self.to_move(), &mut found);
        (found, self.last_moves().map(|mv| self.steps_along_chains(mv)))
    }

    /// Steps from a move to each place, one along a chain costing nothing: 1 to 4, [`FAR`] for what is further; 0 for the
    /// move itself, and everywhere if it is a pass.
    fn steps_along_chains(&self, mv: Move) -> Vec<u8> {
        let board = self.board();
        let Some(start) = mv.point().map(|index| board.point(index)) else { return vec![0; board.places()] };
        const UNSEEN: u8 = u8::MAX;
        let mut steps = vec![UNSEEN; board.places()];
        let mut front: Vec<Point> = Vec::new();
        let mut reach = |p: Point, distance: u8, front: &mut Vec<Point>| {
            if p == NOWHERE || board.stone(p) == Stone::Border || steps[usize::from(p)] != UNSEEN {
                return;
            }
            let mut visit = |s: Point| {
                steps[usize::from(s)] = distance;
                front.push(s);
            };
            if board.stone(p) == Stone::Empty { visit(p) } else { board.for_each_stone(p, visit) }
        };
        reach(start, 0, &mut front);
        let mut begin = 0;
        for distance in 1..FAR {
            let end = front.len();
            for place in begin..end {
                for n in board.neighbours(front[place]) {
                    reach(n, distance, &mut front);
                }
            }
            begin = end;
        }
        steps.iter_mut().filter(|steps| **steps == UNSEEN).for_each(|steps| *steps = FAR);
        steps
    }

    fn lines(&self) -> usize {
        self.size().width.min(self.size().height)
    }

    /// Whether there is room for an opening.
    fn is_large(&self) -> bool {
        self.lines() >= LARGE
    }

    /// Whether the move is one of the usual first ones in a corner of a large board that has no stones yet.
    fn opens_corner(&self, index: usize) -> bool {
        const REACH: usize = 7;
        let size = self.size();
        let (x, y) = size.xy(index);
        let lines = (x.min(size.width - 1 - x), y.min(size.height - 1 - y));
        if !self.is_large() || !matches!(lines, (3, 3) | (2, 3) | (3, 2)) {
            return false;
        }
        let half = |at: usize, length: usize| if at < length / 2 { 0..REACH } else { length - REACH..length };
        let (columns, mut rows) = (half(x, size.width), half(y, size.height));
        rows.all(|row| columns.clone().all(|column| self.stone(size.index(column, row)).is_none()))
    }

    /// The line (0 = edge) of a point that has no stone within three steps.
    fn empty_area_line(&self, index: usize) -> Option<usize> {
        const REACH: usize = 3;
        let size = self.size();
        let (x, y) = size.xy(index);
        let line = x.min(y).min(size.width - 1 - x).min(size.height - 1 - y);
        if line > 3 {
            return None;
        }
        let rows = y.saturating_sub(REACH)..=(y + REACH).min(size.height - 1);
        let empty = rows.into_iter().all(|row| {
            let width = REACH - row.abs_diff(y);
            (x.saturating_sub(width)..=(x + width).min(size.width - 1))
                .all(|column| self.stone(size.index(column, row)).is_none())
        });
        empty.then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::super::position::testing::position;
    use super::*;
    use crate::games::Size;

    fn best(diagram: &str, to_move: Side) -> usize {
        let mut go = position(diagram, Rules::CHINESE, 0.0);
        go.set_to_move(to_move);
        best_of(&go)
    }

    fn best_of(go: &Position) -> usize {
        let (mut moves, mut priors) = (Vec::new(), Vec::new());
        go.legal_moves(&mut moves);
        go.priors(&moves, &mut priors);
        assert!((priors.iter().map(|prior| prior.policy).sum::<f32>() - 1.0).abs() < 1e-4);
        let lower = |i: usize| priors[i].mean - 1.0 / priors[i].weight;
        let best = (0..moves.len()).max_by(|&a, &b| lower(a).total_cmp(&lower(b))).unwrap();
        go.index(moves[best])
    }

    #[test]
    fn takes_the_big_chain() {
        let diagram = "
            . . O . . .
            . O X O . .
            . O X O . .
            . O X O . .
            . . . . . .
            . . . . . .";
        assert_eq!(best(diagram, Side::Second), 26);
    }

    #[test]
    fn games_begin_in_the_corners() {
        let mut go = Position::new(Size::square(19), Rules::CHINESE, 7.5);
        let mut corners = Vec::new();
        for _ in 0..4 {
            let (x, y) = go.size().xy(best_of(&go));
            assert!([x, y].iter().all(|&line| (2..=3).contains(&line.min(18 - line))), "{x} {y}");
            corners.push((x < 9, y < 9));
            go.play(Move::at(go.size().index(x, y)));
        }
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(corners.len(), 4);
        assert!(
            !go.opens_corner(go.size().index(3, 3))
                && !Position::new(Size::square(9), Rules::CHINESE, 7.5).opens_corner(30)
        );
    }

    /// Running in vain is bad for longer than thousands of visits last, and a model's policy is told so; where the ladder is broken it
    /// is good.
    #[test]
    fn running_in_vain_is_bad_for_long() {
        let run = |breaker: &str| {
            let empty = ". . . . . . . . .";
            let ladder = ". . X X . . . . .  . X O O X . . . .  . . X . . . . . .";
            let broken = format!(". . . . . . {breaker} . .");
            let diagram = [ladder, empty, &broken, empty, empty, empty, empty].join("  ");
            let mut go = position(&diagram, Rules::CHINESE, 0.0);
            go.set_to_move(Side::Second);
            let (mut moves, mut priors) = (Vec::new(), Vec::new());
            go.legal_moves(&mut moves);
            go.priors(&moves, &mut priors);
            let place = moves.iter().position(|mv| mv.point() == Some(21)).unwrap();
            let mut policy = vec![1.0 / moves.len() as f32; moves.len()];
            go.correct_policy(&moves, &mut policy);
            assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            (priors[place], policy[place] * moves.len() as f32)
        };
        let (works, policy) = run(".");
        assert!(works.weight >= 2.0 * CAUGHT && works.mean < 0.15 && works.policy < 0.05 && policy < 0.1, "{works:?}");
        let (broken, policy) = run("O");
        assert!(broken.mean > 0.6 && broken.policy > works.policy && policy == 1.0, "{broken:?}");
    }

    #[test]
    fn steps_along_chains_cost_nothing() {
        let mut go = position("X X X X X .  . . . . . .  . . . . . .", Rules::CHINESE, 0.0);
        let steps = |go: &Position, mv| {
            let steps = go.steps_along_chains(mv);
            (0..18).map(|index| steps[usize::from(go.board().point(index))]).collect::<Vec<_>>()
        };
        assert_eq!(steps(&go, Move::at(0)), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3]);
        assert_eq!(steps(&go, Move::PASS), [0; 18]);
        go.set_to_move(Side::Second);
        go.play(Move::at(12));
        assert_eq!(steps(&go, Move::at(12)), [2, 2, 2, 2, 2, 3, 1, 2, 3, 3, 3, 4, 0, 1, 2, 3, 4, FAR]);
    }

    #[test]
    fn steps_go_along_the_lines() {
        let go = position(". . . .  . . . .  . . . .", Rules::CHINESE, 0.0);
        assert_eq!((go.steps(0, 0), go.steps(0, 11), go.steps(7, 4)), (Some(0), Some(5), Some(3)));
        assert_eq!(go.steps(0, go.index(Move::PASS)), None);
    }

    #[test]
    fn eyes_are_not_sensible() {
        let mut go = position(". X . X  X X X X  . . . .", Rules::CHINESE, 0.0);
        assert!(!go.is_sensible(Move::at(0)));
        assert!(!go.is_sensible(Move::at(2)));
        assert!(go.is_sensible(Move::at(9)));
        assert!(go.is_sensible(Move::PASS));
        go.set_to_move(Side::Second);
        assert!(go.is_sensible(Move::at(9)));
    }
}
