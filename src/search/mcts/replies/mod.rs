//! Learned replies of playouts, tried before the game's own policy.

mod bhrf;
mod lgrf;
mod nst;

use self::bhrf::{Draw, Forest, PatternId, ROOT};
use self::lgrf::{LastGoodReplies, MOST_OF_PAIRS, Ply};
use self::nst::NGrams;
use super::node::Node;
use super::tree::Children;
use crate::game::Side;
use crate::rng::Rng;
use crate::search::params::{Params, Replies};

/// Share of the search's memory that patterns may take.
pub(super) const SHARE: usize = 8;
/// A state of so many visits has a pool of moves, and so many of them.
const POOL_VISITS: u32 = 50;
const POOL: usize = 10;

/// Replies learned by the method of the parameters. Threads share them.
#[derive(Debug)]
pub(crate) enum Memory {
    Bhrf(Forest),
    BhrfVolatile(Forest),
    Lgrf(LastGoodReplies),
    Nst(NGrams),
    /// The tree's own all-moves-as-first means are all it needs.
    PoolRave,
}

/// Where a simulation stands in that. One for each thread.
#[derive(Debug, Default)]
pub(crate) struct Guide {
    context: PatternId,
    last: [Option<Ply>; 2],
    pools: [Vec<u32>; 2],
    candidates: Vec<(u32, f32, u32)>,
    rave: Vec<(f32, u32)>,
}

impl Memory {
    /// Nothing learned yet, in its share of a search's memory of so many bytes. `None` if the parameters want no replies, or want a forest
    /// in a game with too many moves for one, or for so little memory.
    pub(crate) fn new(params: &Params, moves: usize, bytes: usize) -> Option<Self> {
        let longest = if params.reply_depth == 0 { u32::from(u16::MAX) - 1 } else { params.reply_depth };
        let (bytes, most) = (bytes / SHARE, params.reply_patterns as usize);
        // Ageing makes a second one for a moment.
        let forest = |volatile| Forest::new(moves, bytes / 2, most, longest, volatile);
        match params.replies {
            Replies::None | Replies::Usual => None,
            // A forest has a place for each pair of moves, too.
            Replies::Bhrf | Replies::BhrfVolatile if moves > MOST_OF_PAIRS => None,
            Replies::Bhrf => forest(false).map(Self::Bhrf),
            Replies::BhrfVolatile => forest(true).map(Self::BhrfVolatile),
            Replies::Lgrf => Some(Self::Lgrf(LastGoodReplies::new(moves, bytes))),
            Replies::Nst => Some(Self::Nst(NGrams::new(moves, bytes))),
            Replies::PoolRave => Some(Self::PoolRave),
        }
    }

    /// A simulation has come down a path of the tree by those moves. `children` are those of a node.
    pub(crate) fn begin<'a>(
        &self,
        guide: &mut Guide,
        path: &[&'a Node],
        descent: &[Ply],
        children: impl Fn(&'a Node) -> Children<'a>,
    ) {
        guide.last = [None; 2];
        guide.context = ROOT;
        match self {
            Self::PoolRave => {
                guide.pools.iter_mut().for_each(Vec::clear);
                for (node, &(side, _)) in path.iter().zip(descent).rev() {
                    let pool = &mut guide.pools[side.index()];
                    if pool.is_empty() && node.visits() >= POOL_VISITS {
                        fill_pool(pool, &mut guide.rave, children(node));
                    }
                }
            }
            _ => descent.iter().for_each(|&(side, index)| self.played(guide, side, index)),
        }
    }

    /// The game went on with that move.
    #[inline]
    pub(crate) fn played(&self, guide: &mut Guide, side: Side, index: u32) {
        match self {
            Self::Bhrf(forest) | Self::BhrfVolatile(forest) => {
                guide.context = forest.progress(guide.context, side, index);
            }
            Self::Lgrf(_) | Self::Nst(_) => guide.last = [Some((side, index)), guide.last[0]],
            Self::PoolRave => {}
        }
    }

    /// The index of a move for a side, which suits.
    #[inline]
    pub(crate) fn reply(
        &self,
        guide: &mut Guide,
        side: Side,
        params: &Params,
        rng: &mut Rng,
        suits: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        match self {
            Self::Bhrf(forest) => {
                let how = Draw {
                    exploration: params.reply_uct_constant,
                    from_root: params.reply_root == 1,
                    by_estimate: params.reply_estimate == 1,
                };
                forest.draw(guide.context, side, how, &mut guide.candidates, rng, suits)
            }
            Self::BhrfVolatile(forest) => forest.last_reply(guide.context).filter(|&index| suits(index)),
            Self::Lgrf(replies) => replies.reply(guide.last, suits),
            Self::Nst(grams) => grams.best(guide.last[0], side, suits),
            Self::PoolRave => {
                let pool = &guide.pools[side.index()];
                let index = *pool.get(rng.below(pool.len().max(1) as u32) as usize)? as usize;
                suits(index).then_some(index)
            }
        }
    }

    /// A simulation, of which so many moves were chosen by the tree, came back with a result in 0..=1 for `First`.
    pub(crate) fn learn(&self, simulation: &[Ply], descent: usize, result: f32) {
        match self {
            Self::Bhrf(forest) | Self::BhrfVolatile(forest) => forest.learn(&simulation[..descent], result),
            Self::Lgrf(replies) if result != 0.5 => {
                replies.learn(simulation, if result > 0.5 { Side::First } else { Side::Second });
            }
            Self::Nst(grams) => grams.learn(simulation, result),
            Self::Lgrf(_) | Self::PoolRave => {}
        }
    }

    /// The game goes on: what was learned before counts less.
    pub(crate) fn age(&mut self) {
        match self {
            Self::Bhrf(forest) | Self::BhrfVolatile(forest) => forest.age(),
            Self::Nst(grams) => grams.age(),
            Self::Lgrf(_) | Self::PoolRave => {}
        }
    }
}

/// The moves that do best when played at any time (A. Rimmel, F. Teytaud and O. Teytaud, *Biasing Monte-Carlo simulations
/// through RAVE values*, 2010).
fn fill_pool(pool: &mut Vec<u32>, means: &mut Vec<(f32, u32)>, children: Children<'_>) {
    means.clear();
    for child in children.iter() {
        let stats = child.stats();
        if stats.rave_visits > 0.0 {
            means.push((stats.rave_value / stats.rave_visits, child.index() as u32));
        }
    }
    if means.len() > POOL {
        means.select_nth_unstable_by(POOL, |a, b| b.0.total_cmp(&a.0));
        means.truncate(POOL);
    }
    pool.extend(means.iter().map(|&(_, index)| index));
}

#[cfg(test)]
mod tests {
    use super::lgrf::pairs;
    use super::*;

    #[test]
    fn replies_keep_to_their_memory() {
        let memory = |replies, moves, mib: usize| {
            let params = Params { replies, ..Params::default() };
            Memory::new(&params, moves, mib << 20)
        };
        // Pairs of 1 296 moves take 13 MB, their means 27.
        let pairs =
            |mib: usize| [pairs::<u32>(1_296, mib << 20), pairs::<u64>(1_296, mib << 20)].map(|pairs| pairs > 0);
        assert_eq!([8, 16, 32].map(pairs), [[false; 2], [true, false], [true; 2]]);
        for replies in [Replies::Bhrf, Replies::BhrfVolatile] {
            assert!(memory(replies, 1_296, 64).is_none() && memory(replies, 1_296, 512).is_some());
            assert!(memory(replies, 81, 0).is_none() && memory(replies, 81, 8).is_some());
        }
    }
}
