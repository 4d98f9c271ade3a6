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
    /// Nothing learned yet; `None` if the parameters want no replies, or want a forest in a game with too many moves for one.
    pub(crate) fn new(params: &Params, moves: usize, mib: usize) -> Option<Self> {
        let longest = if params.reply_depth == 0 { u32::from(u16::MAX) - 1 } else { params.reply_depth };
        // Ageing makes a second one for a moment.
        let (bytes, most) = (mib * (1 << 20) / SHARE / 2, params.reply_patterns as usize);
        let forest = |volatile| Forest::new(moves, bytes, most, longest, volatile);
        match params.replies {
            Replies::None | Replies::Usual => None,
            // A forest has a place for each pair of moves, too.
            Replies::Bhrf | Replies::BhrfVolatile if moves > MOST_OF_PAIRS => None,
            Replies::Bhrf => Some(Self::Bhrf(forest(false))),
            Replies::BhrfVolatile => Some(Self::BhrfVolatile(forest(true))),
            Replies::Lgrf => Some(Self::Lgrf(LastGoodReplies::new(moves))),
            Replies::Nst => Some(Self::Nst(NGrams::new(moves))),
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
