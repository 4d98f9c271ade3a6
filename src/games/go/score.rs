//! Counting a finished game by area or by territory, dead stones taken off first.

use super::Position;
use super::rules::{Scoring, Tax};
use crate::game::{Game, Side};
use crate::games::Size;

/// Connected regions of a board: chains of one colour, and connected empty regions.
pub(crate) struct Regions {
    size: Size,
    owners: Vec<Option<Side>>,
    /// Region of each point, numbered from 0.
    region: Vec<usize>,
    /// Points of each region.
    points: Vec<Vec<usize>>,
}

/// Neighbours of a point of a board.
pub(crate) fn neighbours(size: Size, index: usize) -> impl Iterator<Item = usize> {
    let (x, y) = size.xy(index);
    let left = (x > 0).then(|| index - 1);
    let right = (x + 1 < size.width).then(|| index + 1);
    let up = (y > 0).then(|| index - size.width);
    let down = (y + 1 < size.height).then(|| index + size.width);
    [left, right, up, down].into_iter().flatten()
}

/// Takes a board apart into its regions.
pub(crate) fn chains(size: Size, owners: &[Option<Side>]) -> Regions {
    const NONE: usize = usize::MAX;
    let mut region = vec![NONE; owners.len()];
    let mut points = Vec::new();
    for start in 0..owners.len() {
        if region[start] != NONE {
            continue;
        }
        let number = points.len();
        let mut members = vec![start];
        region[start] = number;
        let mut done = 0;
        while let Some(&point) = members.get(done) {
            done += 1;
            for n in neighbours(size, point) {
                if region[n] == NONE && owners[n] == owners[start] {
                    region[n] = number;
                    members.push(n);
                }
            }
        }
        points.push(members);
    }
    Regions { size, owners: owners.to_vec(), region, points }
}

impl Regions {
    /// Number of regions.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// Points of a region.
    pub(crate) fn points(&self, region: usize) -> &[usize] {
        &self.points[region]
    }

    /// Region of a point.
    pub(crate) fn of(&self, index: usize) -> usize {
        self.region[index]
    }

    /// Colour of a region.
    pub(crate) fn owner(&self, region: usize) -> Option<Side> {
        self.owners[self.points[region][0]]
    }

    /// Whether the region of `index` touches an empty point.
    pub(crate) fn has_liberty(&self, index: usize) -> bool {
        self.points[self.region[index]].iter().any(|&p| neighbours(self.size, p).any(|n| self.owners[n].is_none()))
    }

    /// Whether a region touches a stone of `side`.
    pub(crate) fn touches(&self, region: usize, side: Side) -> bool {
        self.points[region].iter().any(|&p| neighbours(self.size, p).any(|n| self.owners[n] == Some(side)))
    }

    /// The one side whose stones surround an empty region; `None` for both or neither.
    pub(crate) fn surrounded_by(&self, region: usize) -> Option<Side> {
        match (self.touches(region, Side::First), self.touches(region, Side::Second)) {
            (true, false) => Some(Side::First),
            (false, true) => Some(Side::Second),
            _ => None,
        }
    }
}

/// Owner of each point once the stones of `dead` are off: stones their colour, empty regions the one colour around them.
pub fn owners(position: &Position, dead: &[usize]) -> Vec<Option<Side>> {
    let mut stones: Vec<_> = (0..position.points()).map(|i| position.stone(i)).collect();
    for &index in dead {
        stones[index] = None;
    }
    let regions = chains(position.size(), &stones);
    let mut owners = stones;
    for region in 0..regions.len() {
        if regions.owner(region).is_none() {
            let owner = regions.surrounded_by(region);
            for &point in regions.points(region) {
                owners[point] = owner;
            }
        }
    }
    owners
}

/// Points by which `First` leads under the position's rules, komi and handicap compensation included.
///
/// `dead` holds the points of stones that are taken off first; dead stones cost their owner a point each under
/// territory scoring. A group is taken to be in seki if it touches neutral points and has at most one small eye, which
/// is what the rules mean once the players have filled what is worth filling.
pub fn score(position: &Position, dead: &[usize]) -> f32 {
    let rules = position.rules();
    let mut stones: Vec<_> = (0..position.points()).map(|i| position.stone(i)).collect();
    let mut prisoners = [position.lost(Side::First) as f32, position.lost(Side::Second) as f32];
    for &index in dead {
        if let Some(side) = stones[index].take() {
            prisoners[side.index()] += 1.0;
        }
    }
    let regions = chains(position.size(), &stones);
    let groups = Groups::of(&regions);
    let mut points = [0.0f32; 2];
    for region in 0..regions.len() {
        let count = regions.points(region).len() as f32;
        match regions.owner(region) {
            Some(side) if rules.scoring == Scoring::Area => points[side.index()] += count,
            Some(_) => {}
            None => {
                if let Some(side) = regions.surrounded_by(region)
                    && (rules.tax == Tax::None || !groups.in_seki(region))
                {
                    points[side.index()] += count;
                }
            }
        }
    }
    if rules.tax == Tax::All {
        for side in [Side::First, Side::Second] {
            points[side.index()] -= groups.eye_tax(&regions, side);
        }
    }
    if rules.scoring == Scoring::Territory {
        points[0] += prisoners[1];
        points[1] += prisoners[0];
    }
    points[0] - points[1] - position.compensation()
}

/// The winner with that score, seen by `First`.
pub(crate) fn winner(score: f32) -> Option<Side> {
    match score {
        s if s > 0.0 => Some(Side::First),
        s if s < 0.0 => Some(Side::Second),
        _ => None,
    }
}

/// Points of the stones that live in seki once the stones of `dead` are off, by the reading of [`score`].
pub fn in_seki(position: &Position, dead: &[usize]) -> Vec<usize> {
    let mut stones: Vec<_> = (0..position.points()).map(|i| position.stone(i)).collect();
    for &index in dead {
        stones[index] = None;
    }
    let regions = chains(position.size(), &stones);
    let groups = Groups::of(&regions);
    (0..stones.len()).filter(|&i| stones[i].is_some() && groups.in_seki(regions.of(i))).collect()
}

/// The chain of stones at a point, in ascending order; empty for an empty point.
pub fn chain(position: &Position, index: usize) -> Vec<usize> {
    let stones: Vec<_> = (0..position.points()).map(|i| position.stone(i)).collect();
    if stones[index].is_none() {
        return Vec::new();
    }
    let regions = chains(position.size(), &stones);
    let mut points = regions.points(regions.of(index)).to_vec();
    points.sort_unstable();
    points
}

/// The empty points beside the chains of those stones, in ascending order.
pub fn liberties(position: &Position, stones: &[usize]) -> Vec<usize> {
    let mut points: Vec<_> = stones
        .iter()
        .flat_map(|&stone| neighbours(position.size(), stone))
        .filter(|&point| position.stone(point).is_none())
        .collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// Groups: chains of one side joined by the regions that side alone surrounds.
struct Groups {
    /// Group of each region (chains and surrounded regions; other empty regions stand alone).
    group: Vec<usize>,
    /// Whether a chain of the group touches a neutral point that a group of the other side touches too which does not live by its own
    /// eyes.
    neutral: Vec<bool>,
    /// Number of regions that the group surrounds.
    eyes: Vec<usize>,
    /// Number of points that it surrounds.
    territory: Vec<usize>,
}

/// A group that surrounds so many points can always make two eyes, or need not.
const LIVING_TERRITORY: usize = 7;

impl Groups {
    fn of(regions: &Regions) -> Self {
        let mut parent: Vec<usize> = (0..regions.len()).collect();
        let surrounded = |r: usize| regions.owner(r).is_none() && regions.surrounded_by(r).is_some();
        for region in (0..regions.len()).filter(|&r| surrounded(r)) {
            for &point in regions.points(region) {
                for n in neighbours(regions.size, point) {
                    let (a, b) = (root(&mut parent, region), root(&mut parent, regions.of(n)));
                    parent[a] = b;
                }
            }
        }
        let group: Vec<usize> = (0..regions.len()).map(|region| root(&mut parent, region)).collect();
        let (mut neutral, mut eyes, mut territory) =
            (vec![false; regions.len()], vec![0; regions.len()], vec![0; regions.len()]);
        for region in 0..regions.len() {
            if surrounded(region) {
                eyes[group[region]] += 1;
                territory[group[region]] += regions.points(region).len();
            }
        }
        let lives = |group: usize| eyes[group] >= 2 || territory[group] >= LIVING_TERRITORY;
        for region in (0..regions.len()).filter(|&r| regions.owner(r).is_none() && !surrounded(r)) {
            let points = regions.points(region).iter();
            let beside: Vec<usize> = points.flat_map(|&p| neighbours(regions.size, p)).map(|n| regions.of(n)).collect();
            for side in Side::BOTH {
                let of = |side: Side| beside.iter().copied().filter(move |&r| regions.owner(r) == Some(side));
                if of(side.opponent()).any(|other| !lives(group[other])) {
                    of(side).for_each(|own| neutral[group[own]] = true);
                }
            }
        }
        Self { group, neutral, eyes, territory }
    }

    /// A surrounded region lies in a seki if its group does not live by its own eyes, and touches neutral points with such a group of the
    /// other side.
    fn in_seki(&self, region: usize) -> bool {
        let group = self.group[region];
        self.neutral[group] && self.eyes[group] < 2 && self.territory[group] < LIVING_TERRITORY
    }

    /// Two points for each living group of `side`, never more than it surrounds.
    fn eye_tax(&self, regions: &Regions, side: Side) -> f32 {
        let mut taxed = vec![0usize; regions.len()];
        for region in 0..regions.len() {
            let counted =
                regions.owner(region).is_none() && regions.surrounded_by(region) == Some(side) && !self.in_seki(region);
            if counted {
                taxed[self.group[region]] += regions.points(region).len();
            }
        }
        taxed.iter().map(|&t| t.min(2) as f32).sum()
    }
}

/// The first of the regions that were joined with one.
pub(crate) fn root(group: &mut [usize], mut region: usize) -> usize {
    while group[region] != region {
        group[region] = group[group[region]];
        region = group[region];
    }
    region
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::super::position::testing::position;
    use super::*;

    #[test]
    fn area_and_territory_of_a_divided_board() {
        let diagram = "
            . X O . .
            X X O O O
            . X O . .
            X X O O O
            . X O . .";
        // Area: 10 to 15. Territory: 3 to 6, no prisoners.
        let mut go = position(diagram, Rules::CHINESE, 0.0);
        assert_eq!(score(&go, &[]), -5.0);
        go.set_rules(Rules::JAPANESE);
        assert_eq!(score(&go, &[]), -3.0);
        go.set_komi(-6.5);
        assert_eq!(score(&go, &[]), 3.5);
    }

    /// White's straight four lives beside dame, since what is around it lives as well.
    #[test]
    fn one_eye_is_no_seki_where_the_other_side_lives() {
        let diagram = "
            . . . . X O . . .
            . . . . X O . . .
            . . . . X O O . .
            . . . . X X O . .
            . . . . . X O O O
            X X X X X X X O .
            O O O O O . X O O
            O O O O O . X X O
            . . . . O X X . X";
        let go = position(diagram, Rules::JAPANESE, 0.5);
        assert_eq!((score(&go, &[]), in_seki(&go, &[])), (6.5, Vec::new()));
    }

    #[test]
    fn dead_stones_are_territory_and_prisoners() {
        let diagram = "
            O X . . .
            . X . . .
            X X . . .
            . . . . .
            . . . . .";
        let go = position(diagram, Rules::JAPANESE, 0.0);
        // 21 points once the dead stone is off, and the prisoner.
        assert_eq!(score(&go, &[0]), 22.0);
        let go = position(diagram, Rules::CHINESE, 0.0);
        assert_eq!(score(&go, &[0]), 25.0);
        // Alive, it makes its neighbour neutral.
        assert_eq!(score(&go, &[]), 25.0 - 1.0 - 1.0 - 1.0);
    }

    #[test]
    fn eyes_in_seki_do_not_count_as_territory() {
        // Black (left) and White (right) each have one eye in the corners and share the two neutral points between them.
        let diagram = "
            . X . O .
            X X . O O
            X X X O O";
        let area = position(diagram, Rules::CHINESE, 0.0);
        let territory = position(diagram, Rules::JAPANESE, 0.0);
        assert_eq!(score(&area, &[]), 1.0);
        assert_eq!(score(&territory, &[]), 0.0);
        // One eye each and uneven: Black's counts for nothing either.
        let diagram = "
            . X . O O
            X X . O O
            X X X O O";
        assert_eq!(score(&position(diagram, Rules::JAPANESE, 0.0), &[]), 0.0);
        assert_eq!(score(&position(diagram, Rules::CHINESE, 0.0), &[]), 7.0 - 6.0);
    }

    #[test]
    fn stone_scoring_takes_two_points_a_group() {
        let diagram = "
            . X O . .
            X X O O O
            . X O . .
            X X O O O
            . X O . .";
        assert_eq!(score(&position(diagram, Rules::STONE_SCORING, 0.0), &[]), -5.0);
        let diagram = "
            . X X O O
            X X X O O
            . X X O .";
        // White has one point only, so pays one.
        assert_eq!(score(&position(diagram, Rules::STONE_SCORING, 0.0), &[]), 9.0 - 2.0 - (6.0 - 1.0));
    }

    #[test]
    fn handicap_compensation_is_counted() {
        let mut go = position(". X .", Rules::CHINESE, 0.5);
        go.set_handicap(3);
        assert_eq!(score(&go, &[]), 3.0 - 0.5 - 3.0);
    }
}
