//! Patterns of an 8×8 board: what the discs on corners, edges, rows and diagonals are worth, by weights that were learned.
//!
//! A pattern is a set of at most ten points. Its state is a number to the base of three, with a digit for each point: 0 is empty, 1 a
//! disc of the side to move, 2 one of the opponent. Patterns that a turn of the board makes the same share their weights, and so do two
//! states of one pattern that are mirror images.

use std::io::{Read, Write};
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::discs::Discs;
use super::position::Position;
use crate::game::filling::{Appraiser, Patterned};

/// Points of the patterns, one of each kind, as numbers row by row.
const KINDS: [&[u32]; 11] = [
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];
/// Patterns of a board: those of each kind, turned to every side.
const PATTERNS: usize = 46;
/// Patterns, filled up to whole vectors.
const LANES: usize = 48;
/// Stages of the game, by the number of empty points: each has weights of its own.
const STAGES: usize = 12;
/// Empty points of a stage.
const STAGE: u32 = 5;
/// Weights of a lead of one point.
const UNIT: i32 = 8;
/// Bound of values: a lead that is nearly the largest.
const MOST: i32 = 63 * UNIT;
/// Standard deviation between the values of searches of some plies and of four to six more, in points, at the mean of 150 positions.
const SPREAD: f32 = 4.7;
/// Points of a board.
const POINTS: u32 = 64;

/// Where the points of a board stand in its patterns.
struct Layout {
    /// Worth of a disc on each point in the number of each pattern's state.
    powers: [[u16; LANES]; POINTS as usize],
    /// Where the states of each pattern begin among those of a stage.
    begins: [u32; PATTERNS],
    /// Weight of each state among those of a stage.
    shared: Vec<u32>,
    /// Weights of a stage.
    weights: usize,
}

/// The point that a turn of the board, one of eight, takes it to.
fn turn(number: u32, point: u32) -> u32 {
    let (mut row, mut column) = (point / 8, point % 8);
    if number & 4 != 0 {
        (row, column) = (column, row);
    }
    let mirrored = |line, is_mirrored| if is_mirrored { 7 - line } else { line };
    8 * mirrored(row, number & 2 != 0) + mirrored(column, number & 1 != 0)
}

impl Layout {
    fn new() -> Self {
        let mut layout = Self { powers: [[0; LANES]; 64], begins: [0; PATTERNS], shared: Vec::new(), weights: 0 };
        let (mut pattern, mut seen) = (0, Vec::new());
        for points in KINDS {
            let begin = layout.shared.len() as u32;
            for number in 0..8 {
                let turned: Vec<u32> = points.iter().map(|&point| turn(number, point)).collect();
                let set: u64 = turned.iter().map(|point| 1 << point).sum();
                if seen.contains(&set) {
                    continue;
                }
                seen.push(set);
                let mut power = 1;
                for point in turned {
                    layout.powers[point as usize][pattern] = power;
                    power = power.wrapping_mul(3);
                }
                layout.begins[pattern] = begin;
                pattern += 1;
            }
            layout.share(points);
        }
        layout
    }

    /// Gives weights to the states of a kind of pattern.
    fn share(&mut self, points: &[u32]) {
        let begin = self.shared.len();
        let mirrored = (1..8).find_map(|number| {
            let places: Option<Vec<usize>> =
                points.iter().map(|&point| points.iter().position(|&other| other == turn(number, point))).collect();
            places
        });
        for state in 0..3_usize.pow(points.len() as u32) {
            let digits: Vec<usize> = (0..points.len()).map(|place| state / 3_usize.pow(place as u32) % 3).collect();
            let image = mirrored.as_ref().map_or(state, |places| {
                places.iter().zip(&digits).map(|(&place, digit)| digit * 3_usize.pow(place as u32)).sum()
            });
            let weight = if image < state { self.shared[begin + image] } else { self.weights as u32 };
            self.weights += usize::from(image >= state);
            self.shared.push(weight);
        }
    }

    /// The state of each pattern, among those of a stage.
    fn states(&self, board: &Discs<u64>) -> [u32; PATTERNS] {
        let sum = |mut set: u64| {
            let mut sum = [0_u16; LANES];
            while set != 0 {
                let powers = &self.powers[set.trailing_zeros() as usize];
                sum.iter_mut().zip(powers).for_each(|(sum, power)| *sum += power);
                set &= set - 1;
            }
            sum
        };
        let (own, other) = (sum(board.own), sum(board.other));
        std::array::from_fn(|n| self.begins[n] + u32::from(own[n] + 2 * other[n]))
    }
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(Layout::new);

fn stage(board: &Discs<u64>) -> usize {
    ((board.empty().count_ones() / STAGE) as usize).min(STAGES - 1)
}

/// The weights of all stages.
fn count() -> usize {
    STAGES * LAYOUT.weights
}

/// The weight of each pattern of a board of 8×8.
fn numbers(board: &Discs<u64>) -> [u32; PATTERNS] {
    let (layout, begin) = (&*LAYOUT, (stage(board) * LAYOUT.weights) as u32);
    layout.states(board).map(|state| begin + layout.shared[state as usize])
}

/// Weights that are compiled in: a byte with a sign each, deflated.
static LEARNED: &[u8] = include_bytes!("../../../models/othello-patterns.bin");

/// Weights of patterns.
#[derive(Debug)]
pub struct Patterns {
    /// A weight for each state, stage after stage.
    weights: Vec<i8>,
}

impl Patterns {
    /// With the weights that are compiled in, read when they are first asked for.
    pub fn learned() -> Arc<Self> {
        static READ: LazyLock<Arc<Patterns>> = LazyLock::new(|| {
            Arc::new(
                Patterns::read(LEARNED).unwrap_or_else(|| unreachable!("the program's own file, which a test reads")),
            )
        });
        Arc::clone(&READ)
    }

    /// With the weights of a file; `None` where it holds anything else.
    fn read(deflated: &[u8]) -> Option<Self> {
        let mut bytes = Vec::new();
        ZlibDecoder::new(deflated).take(count() as u64 + 1).read_to_end(&mut bytes).ok()?;
        Self::new(&bytes.iter().map(|&byte| byte as i8).collect::<Vec<_>>())
    }

    /// With these weights, [`count`] of them; `None` if there are more or fewer.
    fn new(weights: &[i8]) -> Option<Self> {
        let expanded = |weights: &[i8]| LAYOUT.shared.iter().map(|&at| weights[at as usize]).collect::<Vec<_>>();
        let is_whole = weights.len() == count();
        is_whole.then(|| Self { weights: weights.chunks(LAYOUT.weights).flat_map(expanded).collect() })
    }
}

impl Appraiser<Discs<u64>> for Patterns {
    const UNIT: i32 = UNIT;

    fn knows(&self, board: &Discs<u64>) -> bool {
        board.board == u64::MAX
    }

    fn value(&self, board: &Discs<u64>) -> i32 {
        let states = LAYOUT.shared.len();
        let weights = &self.weights[stage(board) * states..][..states];
        let sum: i32 = LAYOUT.states(board).iter().map(|&state| i32::from(weights[state as usize])).sum();
        sum.clamp(-MOST, MOST)
    }

    fn spread(&self, _board: &Discs<u64>, _shallow: u32, _deep: u32) -> f32 {
        SPREAD
    }

    fn chance(&self, board: &Discs<u64>, lead: f32) -> f32 {
        // A logistic curve, steeper towards the end. Its constants were chosen, not fitted.
        let spread = 4.0 + 0.1 * board.empty().count_ones() as f32;
        1.0 / (1.0 + (-1.7 * lead / spread).exp())
    }
}

impl Patterned for Position {
    type Patterns = Patterns;

    fn weights() -> usize {
        count()
    }

    fn numbers(board: &Discs<u64>) -> impl AsRef<[u32]> {
        numbers(board)
    }

    fn patterns(weights: &[i8]) -> Option<Patterns> {
        Patterns::new(weights)
    }

    fn file(weights: &[i8]) -> std::io::Result<Vec<u8>> {
        let mut file = ZlibEncoder::new(Vec::new(), Compression::best());
        file.write_all(&weights.iter().map(|&weight| weight as u8).collect::<Vec<_>>())?;
        file.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::Size;
    use crate::rng::Rng;

    /// A turned board has the same patterns, and each is where its points are.
    #[test]
    fn turned_boards_have_the_same_weights() {
        let mut rng = Rng::new(6);
        for _ in 0..200 {
            let (own, mask) = (rng.next_u64(), rng.next_u64());
            let (own, other) = (own & mask, rng.next_u64() & !own & mask);
            let turned = |number| {
                let set = |set: u64| (0..64).filter(|at| set >> at & 1 != 0).map(|at| 1 << turn(number, at)).sum();
                Discs { own: set(own), other: set(other), board: u64::MAX, inner: 0, middle: 0 }
            };
            let sorted = |board: Discs<u64>| {
                let mut numbers = numbers(&board);
                numbers.sort_unstable();
                numbers
            };
            assert!((1..8).all(|number| sorted(turned(number)) == sorted(turned(0))));
        }
        assert!(LAYOUT.powers.iter().all(|powers| powers.iter().any(|&power| power > 0)));
    }

    #[test]
    fn a_value_is_the_sum_of_its_weights() {
        let mut rng = Rng::new(7);
        let weights: Vec<i8> = (0..count()).map(|_| rng.below(5) as i8 - 2).collect();
        let patterns = Patterns::new(&weights).unwrap();
        let (mut position, mut moves) = (Position::new(Size::square(8)), Vec::new());
        while position.outcome().is_none() {
            let board = position.seen_by(position.to_move());
            let sum: i32 = numbers(&board).iter().map(|&number| i32::from(weights[number as usize])).sum();
            assert!(patterns.knows(&board) && patterns.value(&board) == sum);
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        assert!(Patterns::new(&weights[1..]).is_none());
        let file = Position::file(&weights).unwrap();
        assert_eq!(Patterns::read(&file).unwrap().weights, patterns.weights);
        assert!(Patterns::read(&file[..file.len() / 2]).is_none() && Patterns::read(b"no file").is_none());
        assert!(Patterns::read(&Position::file(&weights[1..]).unwrap()).is_none());
        let small = Position::new(Size::square(6));
        assert!(!patterns.knows(&small.seen_by(small.to_move())));
    }

    /// On the average a disc in a corner is worth points, and one diagonally beside an empty corner costs some.
    #[test]
    fn learned_patterns_know_corners() {
        let (learned, mut rng, mut moves) = (Patterns::learned(), Rng::new(8), Vec::new());
        let (mut gained, mut lost, mut count) = (0, 0, 0);
        for _ in 0..300 {
            let mut position = Position::new(Size::square(8));
            while position.outcome().is_none() && position.empties() > 28 {
                position.legal_moves(&mut moves);
                position.play(moves[rng.below(moves.len() as u32) as usize]);
            }
            let board: Discs<u64> = position.seen_by(position.to_move());
            if board.empty() & 1 != 0 && board.empty() & 1 << 9 != 0 {
                let with = |bit: u64| learned.value(&Discs { own: board.own | bit, ..board }) - learned.value(&board);
                (gained, lost, count) = (gained + with(1), lost - with(1 << 9), count + 1);
            }
        }
        assert!(count > 30 && gained > 4 * UNIT * count && lost > UNIT * count, "{gained} {lost} {count}");
    }
}
