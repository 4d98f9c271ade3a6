//! Benson's unconditional life (1976): chains that cannot be taken even if their owner always passes.

use super::Position;
use super::score::{Regions, chains, neighbours};
use crate::game::{Game, Side};

/// The side that owns each point for good: stones of pass-alive chains, and the regions they enclose in which the
/// opponent cannot live. `None` elsewhere.
pub fn pass_alive(position: &Position) -> Vec<Option<Side>> {
    let stones: Vec<_> = (0..position.points()).map(|i| position.stone(i)).collect();
    let mut alive = vec![None; stones.len()];
    for side in [Side::First, Side::Second] {
        mark(position, &stones, side, &mut alive);
    }
    alive
}

fn mark(position: &Position, stones: &[Option<Side>], side: Side, alive: &mut [Option<Side>]) {
    let size = position.size();
    // Chains of `side` against everything else: a region is a connected set of points that are not its stones.
    let masked: Vec<_> = stones.iter().map(|&s| if s == Some(side) { s } else { None }).collect();
    let regions: Regions = chains(size, &masked);
    let is_chain = |r: usize| regions.owner(r) == Some(side);
    let adjacent = |r: usize| {
        let mut found: Vec<usize> = regions
            .points(r)
            .iter()
            .flat_map(|&p| neighbours(size, p))
            .map(|n| regions.of(n))
            .filter(|&o| o != r)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let around: Vec<Vec<usize>> = (0..regions.len()).map(adjacent).collect();
    // A region is vital to a chain if each of its empty points is a liberty of the chain.
    let vital = |region: usize, chain: usize| {
        regions
            .points(region)
            .iter()
            .filter(|&&p| stones[p].is_none())
            .all(|&p| neighbours(size, p).any(|n| regions.of(n) == chain))
    };
    let mut live: Vec<bool> = (0..regions.len()).map(is_chain).collect();
    // Regions with no empty point (none on a legal board) and the whole empty board enclose nothing.
    let mut enclosed: Vec<bool> = (0..regions.len()).map(|r| !is_chain(r) && !around[r].is_empty()).collect();
    loop {
        let mut changed = false;
        for chain in 0..regions.len() {
            if live[chain] {
                let eyes = around[chain].iter().filter(|&&r| enclosed[r] && vital(r, chain)).count();
                if eyes < 2 {
                    live[chain] = false;
                    changed = true;
                }
            }
        }
        for region in 0..regions.len() {
            if enclosed[region] && around[region].iter().any(|&c| !live[c]) {
                enclosed[region] = false;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for region in 0..regions.len() {
        // The opponent needs two eyes away from living chains: in a region with less room than that he cannot live.
        let away = |p: &&usize| !neighbours(size, **p).any(|n| live[regions.of(n)]);
        let owned = live[region] || enclosed[region] && regions.points(region).iter().filter(away).count() < 2;
        if owned {
            for &point in regions.points(region) {
                alive[point] = Some(side);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::super::position::testing::position;
    use super::*;

    fn check(diagram: &str, expected: &str) {
        let alive = pass_alive(&position(diagram, Rules::TROMP_TAYLOR, 0.0));
        let found: String = alive
            .iter()
            .map(|o| match o {
                Some(Side::First) => 'X',
                Some(Side::Second) => 'O',
                None => '.',
            })
            .collect();
        assert_eq!(found, expected.split_whitespace().collect::<String>());
    }

    #[test]
    fn two_eyes_live() {
        check(
            ". X . X O .   X X X X O .   . . . . O .   . . . . . .",
            "X X X X . .   X X X X . .   . . . . . .   . . . . . .",
        );
    }

    #[test]
    fn one_eye_does_not() {
        check(". X O O .   X X O . .   O O O . .", ". . . . .   . . . . .   . . . . .");
    }

    #[test]
    fn chains_that_share_two_eyes_live_together() {
        check(". X . O .   X . X O .   . X X O .   X X O O .", "X X . . .   X X X . .   X X X . .   X X . . .");
    }

    #[test]
    fn enemy_stones_inside_an_eye_are_lost() {
        check(
            "X X X X X   X O . X .   X X X X X   . . . . .   . . . . .",
            "X X X X X   X X X X X   X X X X X   . . . . .   . . . . .",
        );
    }

    #[test]
    fn an_empty_board_belongs_to_nobody() {
        check(". . . . . .", ". . . . . .");
    }

    #[test]
    fn a_large_empty_region_is_no_vital_eye() {
        check(". . . X   . . . X   . . . X   X X X X", ". . . .   . . . .   . . . .   . . . .");
    }
}
