//! Features of moves, and how likely a search is to choose a move for them: a softmax over sums of learned weights, one for
//! each feature of a move (the generalised Bradley-Terry form of R. Coulom, *Computing "Elo ratings" of move patterns in the game of
//! Go*, 2007). Features are seen by the side to move and are the same in all symmetries of the board.
//!
//! | feature | kinds |
//! | --- | --- |
//! | stones around the point: the square of 3×3 with its chains in atari, also apart for moves beside the last one; the points within 2 and within 3 steps | hashed |
//! | the line from the edge, by the stage of the game and the size of the board; with the steps to the nearest stone of either side | 702 |
//! | steps to the last move and to the one before, along chains; distance to the last move | 33 |
//! | chains that the move takes, saves, chases or gives air, by their size and whether the last move touched them | 33 |
//! | own liberties and size afterwards; chains put into atari | 10 |
//! | a pass | 6 |
//!
//! The weights are fitted to what searches choose by `losange shapes`.

use std::sync::LazyLock;

use super::board::{Board, NOWHERE, Point, Stone};
use super::position::{Move, Position};
use super::tactics::{Deed, Tactic, after, breathes};
use crate::game::{Featured, Game, Side};
use crate::rng::mix;

/// Number of features that a move has at most.
const FEATURES: usize = 15;
/// The features of a move, as numbers of weights; 0 where there is none.
type Features = [u32; FEATURES];

/// Boards up to 9×9, up to 13×13, and larger ones.
const CLASSES: u32 = 3;
/// The first sixth of the points, half of them, and more.
const STAGES: u32 = 3;
/// Lines from the edge, all further ones together.
const LINES: u32 = 6;
/// Steps to the nearest stone: up to 2, 3, 4, 5, 6, and more.
const SPANS: u32 = 6;
/// Steps along chains, where the last are those that are further.
const STEPS: u32 = 6;
/// Distances by columns and rows and the larger of the two.
const DISTANCES: u32 = 21;
/// Bits of the numbers that shapes are hashed to.
const SQUARE_BITS: u32 = 14;
const DIAMOND_BITS: u32 = 16;
const LARGE_BITS: u32 = 17;

/// Where the numbers of each kind of feature begin. 0 is no feature.
const PASS: u32 = 1;
const LINE: u32 = PASS + 2 * CLASSES;
const PLACE: u32 = LINE + LINES * CLASSES * STAGES;
const NEAR: u32 = PLACE + LINES * SPANS * SPANS * CLASSES;
const BEFORE: u32 = NEAR + STEPS;
const DISTANCE: u32 = BEFORE + STEPS;
const CAPTURE: u32 = DISTANCE + DISTANCES;
const ESCAPE: u32 = CAPTURE + 6;
const ATTACK: u32 = ESCAPE + 18;
const DEFENCE: u32 = ATTACK + 6;
const AIR: u32 = DEFENCE + 3;
const ATARI: u32 = AIR + 6;
const SQUARE: u32 = ATARI + 4;
const REPLY: u32 = SQUARE + (1 << SQUARE_BITS);
const DIAMOND: u32 = REPLY + (1 << SQUARE_BITS);
const LARGE: u32 = DIAMOND + (1 << DIAMOND_BITS);
/// Number of weights, that of no feature among them.
const WEIGHTS: usize = (LARGE + (1 << LARGE_BITS)) as usize;

/// Reach of the largest shape.
const REACH: usize = 3;
/// Points of the square, of the diamond of two steps, and of that of three.
const RINGS: [usize; 3] = [8, 12, 24];
/// Contents of a point that shapes tell apart: nothing, own, the opponent's, the outside; own and the opponent's in atari.
const KINDS: usize = 6;
const OUTSIDE: u8 = 3;
const IN_ATARI: u8 = 3;

/// The points of shapes as steps from the middle, nearest first.
static POINTS: LazyLock<Vec<(isize, isize)>> = LazyLock::new(|| {
    let reach = REACH as isize;
    let all = || (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x, y)));
    let straight = |&(x, y): &(isize, isize)| x == 0 || y == 0;
    let steps = |&(x, y): &(isize, isize)| x.abs() + y.abs();
    let square = all().filter(|p| p.0.abs().max(p.1.abs()) == 1);
    let diamond = all().filter(|p| steps(p) == 2 && straight(p));
    square.chain(diamond).chain(all().filter(|p| steps(p) == 3)).collect()
});

/// The keys of each point and kind of stone, one for each symmetry of the shape.
static KEYS: LazyLock<Vec<[u32; 8]>> = LazyLock::new(|| {
    let turned = |(x, y): (isize, isize), symmetry: usize| {
        let (x, y) = (if symmetry & 1 != 0 { -x } else { x }, if symmetry & 2 != 0 { -y } else { y });
        if symmetry & 4 != 0 { (y, x) } else { (x, y) }
    };
    let key = |(x, y): (isize, isize), kind: usize| {
        mix((((x + 8) << 16 | (y + 8) << 8) as u64 | kind as u64) + 0x7368_6170_6573_0000) as u32
    };
    let kinds = POINTS.iter().flat_map(|&point| (0..KINDS).map(move |kind| (point, kind)));
    kinds.map(|(point, kind)| std::array::from_fn(|symmetry| key(turned(point, symmetry), kind))).collect()
});

/// View of a position, and its buffers.
struct Seen<'a> {
    position: &'a Position,
    board: &'a Board,
    side: Side,
    /// Kinds of stones, with a margin of [`REACH`].
    kinds: Vec<u8>,
    stride: usize,
    /// All points of [`POINTS`], as differences of places.
    offsets: Vec<isize>,
    /// By place, feature numbers of what a move does about chains.
    deeds: Vec<[u32; 4]>,
    /// By place, steps from the last move and the one before, along chains.
    steps: [&'a [u8]; 2],
    /// By index, spans to the nearest stone of the side to move and of the other.
    spans: [Vec<u8>; 2],
    class: u32,
    stage: u32,
}

/// Whether a chain is small, middling or large: 0, 1 or 2.
fn bulk(board: &Board, chain: Point) -> u32 {
    match board.chain_stones(chain) {
        1 => 0,
        2..=4 => 1,
        _ => 2,
    }
}

/// Features of the moves of `tactics`, by place.
fn deeds(board: &Board, last: Point, tactics: &[Tactic]) -> Vec<[u32; 4]> {
    let mut deeds = vec![[0; 4]; board.places()];
    let played = |point: Point| last != NOWHERE && board.stone(point).side().is_some();
    let is_last = |chain: Point| played(last) && board.chain(last) == chain;
    let beside_last = |chain: Point| {
        last != NOWHERE && board.neighbours(last).into_iter().any(|n| played(n) && board.chain(n) == chain)
    };
    for tactic in tactics {
        let (chain, bulk) = (tactic.chain, bulk(board, tactic.chain));
        let recent = |yes: bool, kinds: u32| if yes { kinds } else { 0 };
        let (slot, feature) = match tactic.deed {
            Deed::Capture => (0, CAPTURE + bulk + recent(is_last(chain), 3)),
            Deed::CaptureAround => (1, ESCAPE + bulk + recent(beside_last(chain), 9)),
            Deed::FutileEscape => (1, ESCAPE + 3 + bulk + recent(beside_last(chain), 9)),
            Deed::Escape => (1, ESCAPE + 6 + bulk + recent(beside_last(chain), 9)),
            Deed::Attack => (2, ATTACK + bulk + recent(is_last(chain), 3)),
            Deed::Defence => (3, DEFENCE + bulk),
        };
        let known = &mut deeds[usize::from(tactic.point)][slot];
        *known = feature.max(*known);
    }
    deeds
}

/// Span of each point, by index, to the nearest stone of a side.
fn spans(position: &Position, side: Side) -> Vec<u8> {
    const FAR: u8 = 99;
    let size = position.size();
    let mut steps: Vec<u8> =
        (0..size.points()).map(|index| if position.stone(index) == Some(side) { 0 } else { FAR }).collect();
    let mut closer = |index: usize, than: usize| steps[index] = steps[index].min(steps[than] + 1);
    for index in 0..size.points() {
        let (x, y) = size.xy(index);
        if x > 0 {
            closer(index, index - 1);
        }
        if y > 0 {
            closer(index, index - size.width);
        }
    }
    for index in (0..size.points()).rev() {
        let (x, y) = size.xy(index);
        if x + 1 < size.width {
            closer(index, index + 1);
        }
        if y + 1 < size.height {
            closer(index, index + size.width);
        }
    }
    steps.iter().map(|&steps| steps.saturating_sub(2).min(SPANS as u8 - 1)).collect()
}

impl<'a> Seen<'a> {
    fn new(position: &'a Position, tactics: &[Tactic], steps: [&'a [u8]; 2]) -> Self {
        let (board, side, size) = (position.board(), position.to_move(), position.size());
        let stride = size.width + 2 * REACH;
        let mut kinds = vec![OUTSIDE; stride * (size.height + 2 * REACH)];
        for index in 0..size.points() {
            let (x, y) = size.xy(index);
            let point = board.point(index);
            kinds[(y + REACH) * stride + x + REACH] = match board.stone(point).side() {
                None => 0,
                Some(owner) => {
                    let kind = 1 + u8::from(owner != side);
                    if board.in_atari(point) { kind + IN_ATARI } else { kind }
                }
            };
        }
        let last = position.last_moves()[0].point().map_or(NOWHERE, |index| board.point(index));
        let (stones, points) = (size.points() - board.empty_points().len(), size.points());
        Self {
            position,
            board,
            side,
            kinds,
            stride,
            offsets: POINTS.iter().map(|&(x, y)| y * stride as isize + x).collect(),
            deeds: deeds(board, last, tactics),
            steps,
            spans: [side, side.opponent()].map(|side| spans(position, side)),
            class: match size.width.max(size.height) {
                0..=9 => 0,
                10..=13 => 1,
                _ => 2,
            },
            stage: u32::from(stones * 6 >= points) + u32::from(stones * 2 >= points),
        }
    }

    /// Hashes of the shapes around a point: for each, the least of its eight symmetries.
    #[inline]
    fn shapes(&self, index: usize, keys: &[[u32; 8]]) -> [u32; 3] {
        let (x, y) = self.position.size().xy(index);
        let centre = ((y + REACH) * self.stride + x + REACH) as isize;
        let mut hash = [0u32; 8];
        let mut done = 0;
        RINGS.map(|ring| {
            for number in done..ring {
                let kind = self.kinds[(centre + self.offsets[number]) as usize];
                // Further away than the square all stones of a side are alike.
                let kind = if number >= RINGS[0] && kind > OUTSIDE { kind - IN_ATARI } else { kind };
                let keys = &keys[number * KINDS + usize::from(kind)];
                hash.iter_mut().zip(keys).for_each(|(hash, key)| *hash ^= key);
            }
            done = ring;
            hash.into_iter().min().unwrap_or_default()
        })
    }

    fn features(&self, mv: Move, keys: &[[u32; 8]]) -> Features {
        let mut features = [0; FEATURES];
        let Some(index) = mv.point() else {
            features[0] = PASS + u32::from(self.position.passes() > 0) + 2 * self.class;
            return features;
        };
        // Other constants for each table, so that what meets in one does not meet in another.
        let hashed = |hash: u32, factor: u32, bits: u32| hash.wrapping_mul(factor) >> (32 - bits);
        let (board, point) = (self.board, self.board.point(index));
        let [square, diamond, large] = self.shapes(index, keys);
        features[0] = SQUARE + hashed(square, 0x9e37_79b1, SQUARE_BITS);
        features[1] = DIAMOND + hashed(diamond, 0x9e37_79b1, DIAMOND_BITS);
        features[2] = LARGE + hashed(large, 0x85eb_ca6b, LARGE_BITS);
        let size = self.position.size();
        let (x, y) = size.xy(index);
        let line = (x.min(y).min(size.width - 1 - x).min(size.height - 1 - y) as u32).min(LINES - 1);
        features[3] = LINE + (line * CLASSES + self.class) * STAGES + self.stage;
        let [own, other] = [0, 1].map(|of: usize| u32::from(self.spans[of][index]));
        features[4] = PLACE + ((line * SPANS + own) * SPANS + other) * CLASSES + self.class;
        features[5] = NEAR + u32::from(self.steps[0][usize::from(point)]);
        features[6] = BEFORE + u32::from(self.steps[1][usize::from(point)]);
        if let Some(last) = self.position.last_moves()[0].point() {
            let (column, row) = size.xy(last);
            let (dx, dy) = (x.abs_diff(column), y.abs_diff(row));
            features[7] = DISTANCE + ((dx + dy + dx.max(dy)) as u32).min(DISTANCES - 1);
            if dx.max(dy) == 1 {
                features[8] = REPLY + hashed(square, 0xc2b2_ae35, SQUARE_BITS);
            }
        }
        features[9..13].copy_from_slice(&self.deeds[usize::from(point)]);
        let breathes = breathes(board, point, self.side);
        if board.empty_around(point) < 3 {
            let after = after(board, point, self.side);
            features[13] = AIR
                + match after.liberties {
                    _ if !breathes => after.stones.min(4) as u32 - 1,
                    0..=2 => 4,
                    _ => 5,
                };
        }
        let enemy = Stone::of(self.side.opponent());
        let chased = |n: &Point| board.stone(*n) == enemy && !board.in_atari(*n) && board.liberties::<3>(*n).1 == 2;
        let chased = board.neighbours(point).into_iter().filter(chased).map(|n| u32::from(board.chain_stones(n) > 1));
        features[14] = chased.max().map_or(0, |several| ATARI + several + if breathes { 0 } else { 2 });
        features
    }
}

impl Featured for Position {
    type Features = Features;

    const WEIGHTS: usize = WEIGHTS;
    const UNIT: f32 = 1.0 / 32.0;

    fn features(&self, moves: &[Move], found: &mut Vec<Features>) {
        let (tactics, steps) = self.surroundings();
        features(self, moves, &tactics, [&steps[0], &steps[1]], found);
    }

    fn from_planes(shape: [usize; 3], planes: &[f32]) -> Option<Self> {
        super::planes::position(shape, planes)
    }
}

/// Replaces `features` by those of each of `moves`, all legal. `tactics` is what the side to move can do about chains, `steps` the steps
/// from the last two moves to every place.
pub(super) fn features(
    position: &Position,
    moves: &[Move],
    tactics: &[Tactic],
    steps: [&[u8]; 2],
    features: &mut Vec<Features>,
) {
    let (seen, keys) = (Seen::new(position, tactics, steps), &*KEYS);
    features.clear();
    features.extend(moves.iter().map(|&mv| seen.features(mv, keys)));
}

/// The weights that are compiled in: a byte with a sign each.
static LEARNED: &[u8; WEIGHTS] = include_bytes!("../../../models/go-shapes.bin");

/// Powers of e, downwards from 1 by [`Featured::UNIT`], until there is nothing worth counting. They are made by multiplication, which comes to
/// the same on every machine, as a library's exponential function does not.
static POWERS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    const NOTHING: f64 = 1e-9;
    // e to the power of -1/32.
    const STEP: f64 = 0.969_233_234_476_344_1;
    std::iter::successors(Some(1.0), |power| Some(power * STEP))
        .take_while(|&power| power > NOTHING)
        .map(|p| p as f32)
        .collect()
});

/// Replaces `policy` by the share of each move, by the weights that are compiled in.
pub(super) fn policy(features: &[Features], policy: &mut Vec<f32>) {
    let weight = |&number: &u32| i32::from(LEARNED[number as usize] as i8);
    let sum = |of: &Features| of.iter().map(weight).sum::<i32>();
    let most = features.iter().map(sum).max().unwrap_or_default();
    let power = |of| POWERS.get((most - sum(of)) as usize).copied().unwrap_or_default();
    policy.clear();
    policy.extend(features.iter().map(power));
    let all: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|share| *share /= all);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Rules;
    use super::super::position::testing::position;
    use super::*;
    use crate::game::{MonteCarlo, Planes, softmax};
    use crate::games::Size;

    fn of(position: &Position, moves: &[Move]) -> Vec<Features> {
        let mut features = Vec::new();
        position.features(moves, &mut features);
        features
    }

    fn at(diagram: &str, to_move: Side, index: usize) -> Features {
        let mut go = position(diagram, Rules::CHINESE, 0.0);
        go.set_to_move(to_move);
        of(&go, &[Move::at(index)])[0]
    }

    /// The likeliest move.
    fn likeliest(position: &Position) -> Move {
        let (mut moves, mut shares) = (Vec::new(), Vec::new());
        position.sensible_moves(&mut moves);
        policy(&of(position, &moves), &mut shares);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        let best = (0..moves.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap();
        moves[best]
    }

    #[test]
    fn kinds_do_not_overlap() {
        let begins = [
            PASS, LINE, PLACE, NEAR, BEFORE, DISTANCE, CAPTURE, ESCAPE, ATTACK, DEFENCE, AIR, ATARI, SQUARE, REPLY,
            DIAMOND, LARGE,
        ];
        assert!(begins.is_sorted() && LEARNED[0] == 0);
        // Each shape's points come before those that the next larger one adds.
        assert_eq!(POINTS.len(), RINGS[2]);
        assert!(POINTS[..RINGS[0]].iter().all(|p| p.0.abs().max(p.1.abs()) == 1));
        assert!(POINTS[..RINGS[1]].iter().all(|p| p.0.abs().max(p.1.abs()) == 1 || p.0 * p.1 == 0));
    }

    #[test]
    fn chains_in_danger_are_seen() {
        let taken = "
            . O . . . .
            O X . . . .
            . O . . O .
            . . . . . .
            . . . . . .
            . . . . . .";
        // White takes one stone, which the last move did not touch; Black runs, and is not caught.
        assert_eq!(at(taken, Side::Second, 8)[9..13], [CAPTURE, 0, 0, 0]);
        assert_eq!(at(taken, Side::First, 8)[9..13], [0, ESCAPE + 6, 0, 0]);
        assert_eq!(at(taken, Side::First, 20)[9..13], [0; 4]);
        // A stone in the corner has one liberty, beside it two; in the open nothing is said.
        let corner = |index| at(". . O .  O . . .  . . . .  . . . .", Side::First, index)[13];
        assert_eq!([corner(0), corner(1), corner(5)], [AIR, AIR + 4, 0]);
        // White puts two stones into atari.
        let pair = at("X X . .  O . O .  . . . .  . . . .", Side::Second, 5);
        assert_eq!(pair[14], ATARI + 1);
    }

    #[test]
    fn far_stones_of_one_colour_are_alike_but_near_ones_in_atari_are_not() {
        let calm = ". . . . .  . . X . .  . . . . .  . . . . .  . . . . .";
        let atari = ". . O . .  . O X . .  . . . . .  . . . . .  . . . . .";
        let of = |diagram| at(diagram, Side::First, 12);
        assert_ne!(of(calm)[0], of(atari)[0]);
        // Turned by a quarter, it is the same shape.
        let turned = ". . . . .  . . . . .  . X . . .  . . . . .  . . . . .";
        assert_eq!(of(calm)[..4], of(turned)[..4]);
        // The other colour's stone is another shape.
        let other = ". . . . .  . . O . .  . . . . .  . . . . .  . . . . .";
        assert_ne!(of(calm)[0], of(other)[0]);
    }

    #[test]
    fn shares_are_a_softmax() {
        let mut go = Position::new(Size::square(9), Rules::CHINESE, 7.5);
        go.play(Move::at(40));
        let (mut moves, mut shares) = (Vec::new(), Vec::new());
        go.legal_moves(&mut moves);
        let features = of(&go, &moves);
        policy(&features, &mut shares);
        let weight = |&number: &u32| f32::from(LEARNED[number as usize] as i8);
        let mut expected: Vec<f32> =
            features.iter().map(|of| Position::UNIT * of.iter().map(weight).sum::<f32>()).collect();
        softmax(&mut expected);
        assert!(shares.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5), "{shares:?} {expected:?}");
        assert!((f64::from(POWERS[32]) - (-1f64).exp()).abs() < 1e-7 && POWERS.len() > 600);
    }

    #[test]
    fn captures_and_corners_are_likely() {
        let big = "
            . . O . . .
            . O X O . .
            . O X O . .
            . O X O . .
            . . . . . .
            . . . . . .";
        let mut go = position(big, Rules::CHINESE, 0.0);
        go.set_to_move(Side::Second);
        assert_eq!(likeliest(&go).point(), Some(26));
        let go = Position::new(Size::square(19), Rules::CHINESE, 7.5);
        let (x, y) = go.size().xy(likeliest(&go).point().unwrap());
        let lines = [x.min(18 - x), y.min(18 - y)];
        assert!(lines.iter().all(|line| (2..=4).contains(line)), "{lines:?}");
    }

    proptest! {
        /// Moves look the same however the board is turned.
        #[test]
        fn looks_do_not_depend_on_symmetries(picks in prop::collection::vec(any::<u32>(), 0..60), symmetry in 0..8usize) {
            let start = Position::new(Size::square(7), Rules::CHINESE, 6.5);
            let (mut go, mut turned, mut moves) = (start.clone(), start, Vec::new());
            let there = |go: &Position, mv: Move| mv.point().map_or(mv, |p| Move::at(go.point_index(p, symmetry)));
            for pick in picks {
                go.sensible_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[pick as usize % moves.len()];
                turned.play(there(&go, mv));
                go.play(mv);
            }
            go.legal_moves(&mut moves);
            let turned_moves: Vec<Move> = moves.iter().map(|&mv| there(&go, mv)).collect();
            let (mut seen, mut again) = (of(&go, &moves), of(&turned, &turned_moves));
            // Where several moves save a chain, which one is named depends on the order of points.
            for features in seen.iter_mut().chain(&mut again) {
                features[9..13].fill(0);
            }
            prop_assert_eq!(seen, again);
        }
    }
}
