//! Planes of a Go position: encoding `go-2`.
//!
//! The side to move is "own", whatever its colour. Numbers that hold for the whole position fill a plane.
//!
//! | plane | holds |
//! | --- | --- |
//! | 0 | 1 on the board |
//! | 1, 2 | 1 for an own stone, a stone of the opponent |
//! | 3, 4, 5 | 1 for a stone whose chain has 1, 2, 3 liberties |
//! | 6 | 1 where a ko or superko forbids the side to move to play |
//! | 7 to 11 | 1 for the last move, the one before it, and so on |
//! | 12 | 1 everywhere, if the last move was a pass: another one ends the game |
//! | 13 | points that the rules give to the side to move (komi and handicap; negative if to the opponent), divided by 15 |
//! | 14 | 1 everywhere, if territory is counted and not area |
//! | 15 | 1 everywhere, if a chain of several stones may be given up by suicide |
//! | 16 | 1 everywhere, if no earlier position may come back (superko) |
//! | 17 | 1 for a stone that a ladder catches, or can catch if the opponent of the stone begins |
//! | 18 | 1 for an own move that begins to catch a chain of two liberties |
//! | 19, 20 | 1 for an own point, a point of the opponent, as area is counted where nothing is agreed on ([`katago`]) |
//!
//! A policy has one number for each point, and the last one for the pass.

use super::katago::{Page, ReadPlanes, Reading};
use super::position::{Move, Position, RECENT};
use super::rules::{Ko, Scoring};
use super::{katago, score};
use crate::game::{Foreign, Game, Planes, Side};
use crate::games::{Size, Spelled};

const PLANES: usize = 21;
/// Komi is told in this unit, so that usual values are of the size of the other numbers.
const KOMI_UNIT: f32 = 15.0;

impl Planes for Position {
    const NAME: &'static str = "go";
    const ENCODING: &'static str = "go-2";
    const FOREIGN: &'static [Foreign] = &[katago::ENCODING, katago::UNDER_SUICIDE];
    const SCORED: bool = true;

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.size().height, self.size().width]
    }

    fn write_planes(&self, symmetry: usize, planes: &mut Vec<f32>) {
        let mut page = Page::new(self, symmetry, PLANES, planes);
        page.fill(0, 1.0);
        let areas = Some(19);
        Reading::of(self).write(self, &ReadPlanes { caught: 17, catching: 18, areas, under_suicide: false }, &mut page);
        for index in self.forbidden() {
            page.set(6, index);
        }
        for (age, mv) in self.recent_moves().iter().enumerate().take(self.plies().min(RECENT)) {
            if let Some(index) = mv.point() {
                page.set(7 + age, index);
            }
        }
        let given = self.compensation() * -self.to_move().sign();
        let whole = |yes: bool| f32::from(u8::from(yes));
        let numbers = [
            whole(self.passes() > 0),
            given / KOMI_UNIT,
            whole(self.rules().scoring == Scoring::Territory),
            whole(self.rules().suicide),
            whole(self.rules().ko != Ko::Simple),
        ];
        for (plane, number) in (12..).zip(numbers) {
            page.fill(plane, number);
        }
    }

    fn write_foreign(&self, number: usize, symmetry: usize, planes: &mut Vec<f32>) {
        assert!(number < Self::FOREIGN.len(), "no such encoding");
        katago::write(self, symmetry, Self::FOREIGN[number] == katago::UNDER_SUICIDE, planes);
    }

    fn action_index(&self, mv: Move, symmetry: usize) -> Option<usize> {
        Some(mv.point().map_or(self.points(), |point| self.point_index(point, symmetry)))
    }

    fn scoring(&self) -> Option<&'static str> {
        Some(match self.rules().scoring {
            Scoring::Area => "area",
            Scoring::Territory => "territory",
        })
    }

    /// The two ways differ by the stones that one side has placed more than the other; dead stones on the board cost
    /// neither side anything while they need not be taken.
    fn counted_by(&self, scoring: &str) -> Option<Self> {
        let scoring = Scoring::by_name(scoring).ok()?;
        let mut other = self.clone();
        if scoring != self.rules().scoring {
            other.recount(scoring);
        }
        Some(other)
    }

    /// By rules that let positions come back, and by those that count territory, which KataGo lets end so.
    fn may_be_void(&self) -> bool {
        self.rules().ko == Ko::Simple || self.rules().scoring == Scoring::Territory
    }

    fn owners(&self) -> Vec<f32> {
        score::owners(self, &[]).into_iter().map(|owner| owner.map_or(0.0, Side::sign)).collect()
    }
}

/// A position that is seen as those planes (of the symmetry 0): the side to move as `First`, its stones and the opponent's, the last moves.
/// Rules and komi are the usual ones, and what a ko forbids is not taken over. `None` if they are the planes of no position.
pub(super) fn position(shape: [usize; 3], planes: &[f32]) -> Option<Position> {
    let [number, height, width] = shape;
    let (size, area) = (Size { width, height }, width.checked_mul(height)?);
    let on_board = |lines: usize| Position::SIZES.contains(&lines);
    if number != PLANES || !on_board(width) || !on_board(height) || planes.len() != PLANES * area {
        return None;
    }
    let plane = |number: usize| &planes[number * area..(number + 1) * area];
    let stones = |side, number| {
        plane(number).iter().enumerate().filter(|(_, seen)| **seen > 0.0).map(move |(index, _)| (side, index))
    };
    let mut position = Position::on(size);
    position.set_up(&stones(Side::First, 1).chain(stones(Side::Second, 2)).collect::<Vec<_>>()).ok()?;
    let last: [_; RECENT] = std::array::from_fn(|age| plane(7 + age).iter().position(|&seen| seen > 0.0).map(Move::at));
    position.remember_moves(last.map(|mv| mv.unwrap_or(Move::PASS)), plane(12)[0] > 0.0);
    Some(position)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::rules::Rules;
    use super::*;
    use crate::games::Size;

    fn planes(position: &Position, symmetry: usize) -> Vec<f32> {
        let mut planes = Vec::new();
        position.write_planes(symmetry, &mut planes);
        planes
    }

    /// Points of a plane that are not 0.
    fn points(planes: &[f32], plane: usize, area: usize) -> Vec<usize> {
        (0..area).filter(|i| planes[plane * area + i] != 0.0).collect()
    }

    /// After the moves below, with White's stone at (1, 1) having just taken Black's at (2, 1):
    ///
    /// ```text
    /// . X O .
    /// X O . O
    /// . X O .
    /// ```
    #[test]
    fn a_ko_written_out() {
        let mut position = Position::new(Size { width: 4, height: 3 }, Rules::CHINESE, 7.5);
        let at = |x: usize, y: usize| Move::at(y * 4 + x);
        // Black around (1, 1), White around (2, 1); Black plays (2, 1), White takes it from (1, 1).
        for (black, white) in [((1, 0), (2, 0)), ((0, 1), (3, 1)), ((1, 2), (2, 2)), ((2, 1), (1, 1))] {
            position.play(at(black.0, black.1));
            position.play(at(white.0, white.1));
        }
        assert_eq!(position.stone(6), None);
        let seen = planes(&position, 0);
        assert_eq!(position.shape(), [21, 3, 4]);
        assert_eq!(seen.len(), 21 * 12);
        let plane = |number| points(&seen, number, 12);
        assert_eq!(plane(0).len(), 12);
        assert_eq!(plane(1), [1, 4, 9]);
        assert_eq!(plane(2), [2, 5, 7, 10]);
        // The taking stone has one liberty, Black's beside it and White's at the right edge one, two or three.
        assert_eq!(plane(3), [1, 5, 9]);
        assert_eq!(plane(4), [2, 4, 10]);
        assert_eq!(plane(5), [7]);
        assert_eq!(plane(6), [6]);
        assert_eq!([plane(7), plane(8), plane(9), plane(10), plane(11)], [[5], [6], [10], [9], [7]]);
        assert!(plane(12).is_empty());
        assert!(seen[13 * 12..14 * 12].iter().all(|&v| v == -0.5));
        assert!([14, 15, 16].into_iter().all(|number| plane(number).is_empty()));
        position.play(Move::PASS);
        let seen = planes(&position, 0);
        assert_eq!(points(&seen, 12, 12).len(), 12);
        assert!(seen[13 * 12..14 * 12].iter().all(|&v| v == 0.5));
        assert!(points(&seen, 6, 12).is_empty());
        assert_eq!(points(&seen, 1, 12), [2, 5, 7, 10]);
        assert!(points(&seen, 7, 12).is_empty());
        assert_eq!(points(&seen, 8, 12), [5]);
    }

    #[test]
    fn rules_are_seen() {
        let see = |rules| {
            let seen = planes(&Position::new(Size::square(2), rules, 0.5), 0);
            [14, 15, 16].map(|plane| seen[plane * 4])
        };
        assert_eq!(see(Rules::CHINESE), [0.0, 0.0, 0.0]);
        assert_eq!(see(Rules::JAPANESE), [1.0, 0.0, 0.0]);
        assert_eq!(see(Rules::TROMP_TAYLOR), [0.0, 1.0, 1.0]);
    }

    /// A stone in a ladder that works, the move that begins it, and areas, for each side; a stone in the way breaks the ladder.
    #[test]
    fn ladders_and_areas_are_seen() {
        let play = |moves: &[(usize, usize)]| {
            let size = Size::square(9);
            let mut position = Position::new(size, Rules::CHINESE, 7.5);
            moves.iter().for_each(|&(x, y)| position.play(Move::at(size.index(x, y))));
            position
        };
        let read = |position: &Position| {
            let seen = planes(position, 0);
            [17, 18, 19, 20].map(|plane| points(&seen, plane, 81))
        };
        let ladder = [(2, 3), (3, 3), (3, 2), (7, 8), (2, 4)];
        let far = play(&[&ladder[..], &[(1, 8)]].concat());
        let places = |points: &[(usize, usize)]| points.iter().map(|&(x, y)| y * 9 + x).collect::<Vec<_>>();
        let own = places(&[(3, 2), (2, 3), (2, 4)]);
        assert_eq!(read(&far), [places(&[(3, 3)]), places(&[(4, 3)]), own.clone(), places(&[(3, 3), (1, 8), (7, 8)])]);
        let broken = play(&[&ladder[..], &[(6, 6)]].concat());
        assert_eq!(read(&broken), [vec![], vec![], own, places(&[(3, 3), (6, 6), (7, 8)])]);
        // Two eyes in a corner are an area; a single stone makes none of what is around it.
        let alive = [(1, 0), (8, 8), (0, 1), (7, 7), (1, 1), (8, 6), (2, 0), (6, 8), (2, 1)];
        let mut moves = alive.to_vec();
        moves.extend([(6, 7), (3, 1), (5, 8), (4, 0), (7, 5), (4, 1), (8, 4)]);
        let eyes = read(&play(&moves));
        let wall = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1)];
        assert_eq!(eyes[2], places(&wall));
    }

    #[test]
    fn the_pass_is_the_last_action() {
        let position = Position::new(Size { width: 5, height: 3 }, Rules::CHINESE, 7.5);
        assert_eq!((position.action_count(), position.symmetries()), (16, 4));
        for symmetry in 0..4 {
            assert_eq!(position.action_index(Move::PASS, symmetry), Some(15));
        }
    }

    proptest! {
        /// A game played on the turned board looks as the game itself does after that symmetry.
        #[test]
        fn symmetries_are_those_of_the_board(
            square in any::<bool>(), picks in prop::collection::vec(any::<u32>(), 0..40), superko in any::<bool>()
        ) {
            let size = Size { width: 4, height: if square { 4 } else { 3 } };
            let rules = if superko { Rules::TROMP_TAYLOR } else { Rules::CHINESE };
            let start = Position::new(size, rules, 6.5);
            for symmetry in 0..start.symmetries() {
                let (mut position, mut turned) = (start.clone(), start.clone());
                let mut moves = Vec::new();
                for pick in &picks {
                    position.legal_moves(&mut moves);
                    // Passes are rare, so that games last.
                    if moves.len() > 1 && pick % 16 != 0 {
                        moves.pop();
                    }
                    if moves.is_empty() {
                        break;
                    }
                    let mv = moves[*pick as usize % moves.len()];
                    turned.play(mv.point().map_or(mv, |p| Move::at(position.point_index(p, symmetry))));
                    position.play(mv);
                }
                prop_assert_eq!(planes(&position, symmetry), planes(&turned, 0));
                position.legal_moves(&mut moves);
                for &mv in &moves {
                    let there = mv.point().map_or(mv, |p| Move::at(position.point_index(p, symmetry)));
                    prop_assert_eq!(position.action_index(mv, symmetry), turned.action_index(there, 0));
                }
            }
        }

        /// No two points go to one.
        #[test]
        fn symmetries_are_one_to_one(width in 2usize..8, height in 2usize..8) {
            let position = Position::new(Size { width, height }, Rules::CHINESE, 0.0);
            for symmetry in 0..position.symmetries() {
                let mut seen: Vec<_> = (0..position.points()).map(|p| position.point_index(p, symmetry)).collect();
                seen.sort_unstable();
                prop_assert!(seen.iter().copied().eq(0..position.points()));
            }
        }
    }
}
