//! Local strategies: simulations that first pursue an intermediate goal, such as a part of the board, with values of its
//! own, and then go on for the game. (A. Fabbri, *Dynamique d'apprentissage pour Monte Carlo Tree Search*, 2015, chapter 6.)
//!
//! Each simulation picks the goal whose simulations were the best for the game, no goal being one of them. Values for the
//! game are common to all, as the thesis has them in Go, or each goal has a tree of its own, as in Clobber for one player;
//! values of the goals stand in a bounded table beside the trees.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::mean::Mean;
use crate::game::{MonteCarlo, Side};
use crate::rng::{Rng, mix};
use crate::search::Params;

/// One part of so many of the memory is for the local values of moves.
pub(crate) const SHARE: usize = 16;
/// Places that are looked at for a move.
const REACH: usize = 8;
/// Low bits of the names of moves, which tell when they were made last.
const TIMES: u64 = 0xff;
/// Stands for the position itself among the indices of its moves.
const HERE: usize = u32::MAX as usize;

/// Values of goals, learned by all simulations.
#[derive(Debug)]
pub(crate) struct Strategies {
    /// Results for the game by goal, that of no goal last.
    chosen: Vec<Mean>,
    /// How often each was pursued since the game went on.
    pursued: Vec<AtomicU64>,
    /// Progress with a goal after a move, by [`name`] and the time when it was made last.
    local: Box<[(AtomicU64, Mean)]>,
    /// Moves of the game so far, as far as names have room for it.
    time: u8,
    /// Places of `local` that are taken.
    taken: AtomicUsize,
}

impl Strategies {
    /// Nothing learned yet of so many goals, with the share of a memory of so many MiB.
    pub(crate) fn new(goals: usize, mib: usize) -> Self {
        let slots = (mib << 20) / SHARE / size_of::<(AtomicU64, Mean)>();
        let (chosen, pursued) = (0..=goals).map(|_| Default::default()).unzip();
        Self { chosen, pursued, local: empty(slots.max(REACH)), time: 0, taken: AtomicUsize::new(0) }
    }

    /// Number of goals.
    pub(crate) fn goals(&self) -> usize {
        self.chosen.len() - 1
    }

    /// The goal for a simulation (UCB over the goals and none); `None` is the game itself.
    pub(crate) fn choose(&self, exploration: f32, rng: &mut Rng) -> Option<usize> {
        let all: f32 = self.chosen.iter().map(|mean| mean.get().1 as f32).sum();
        // From anywhere on, so that goals that were never tried have the same chance.
        let first = rng.below(self.chosen.len() as u32) as usize;
        let mut best = (f32::NEG_INFINITY, 0);
        for goal in (first..self.chosen.len()).chain(0..first) {
            let (mean, visits) = self.chosen[goal].get();
            let urgency = if visits == 0 { f32::MAX } else { mean + exploration * (all.ln() / visits as f32).sqrt() };
            if urgency > best.0 {
                best = (urgency, goal);
            }
        }
        (best.1 < self.goals()).then_some(best.1)
    }

    /// Begins a simulation from a root with the goal chosen for it, if it is one.
    pub(crate) fn pursue<G: MonteCarlo>(&self, root: &G, params: &Params, rng: &mut Rng) -> Option<Pursuit<'_>> {
        let goal = self.choose(params.strategy_exploration, rng)?;
        let open = !self.met(goal, root);
        Some(Pursuit { open, ..Pursuit::new(self, goal, root.key(), root.to_move(), params) })
    }

    /// The goal that was pursued most since the game went on; `None` is the game itself.
    pub(crate) fn leading(&self) -> Option<usize> {
        let most = (0..self.pursued.len()).max_by_key(|&goal| self.pursued[goal].load(Relaxed));
        most.filter(|&goal| goal < self.goals())
    }

    /// A simulation with that goal has brought the side to move at the root that result for the game, in 0..=1.
    pub(crate) fn learn(&self, goal: Option<usize>, result: f32) {
        let goal = goal.unwrap_or(self.goals());
        self.chosen[goal].add(result);
        self.pursued[goal].fetch_add(1, Relaxed);
    }

    /// Goals are chosen anew, as from another position.
    pub(crate) fn choose_anew(&mut self) {
        self.chosen.iter_mut().for_each(|mean| *mean = Mean::default());
        self.pursued.iter_mut().for_each(|count| *count.get_mut() = 0);
    }

    /// Whether a goal needs no more moves from that position on, the root of the search. What has been met there is the game
    /// itself.
    pub(crate) fn met<G: MonteCarlo>(&self, goal: usize, root: &G) -> bool {
        let known = self.progress(name(goal, root.key(), HERE));
        known.is_some_and(|(mean, _)| root.goal_met(goal, root.to_move(), mean))
    }

    /// The mean progress after a move and how often it was made for that goal, if it ever was.
    fn progress(&self, key: u64) -> Option<(f32, u32)> {
        self.places(key).find_map(|(owner, mean)| (owner.load(Relaxed) & !TIMES == key).then(|| mean.get()))
    }

    /// Where a move may stand.
    fn places(&self, key: u64) -> impl Iterator<Item = &(AtomicU64, Mean)> {
        let slots = self.local.len();
        let first = (key / (TIMES + 1)) as usize % slots;
        (first..first + REACH).map(move |place| &self.local[place % slots])
    }

    /// The place of a move that is made now, a new one if it has none; `None` if there is no room.
    fn place(&self, key: u64) -> Option<&Mean> {
        let owned = key | u64::from(self.time);
        self.places(key).find_map(|(owner, mean)| {
            let before = match owner.load(Relaxed) {
                0 => owner.compare_exchange(0, owned, Relaxed, Relaxed).err(),
                before => Some(before),
            };
            match before {
                None => _ = self.taken.fetch_add(1, Relaxed),
                Some(before) if before & !TIMES != key => return None,
                Some(before) if before != owned => owner.store(owned, Relaxed),
                Some(_) => {}
            }
            Some(mean)
        })
    }

    /// Counts the progress of a simulation through a move. Where the table is full nothing is kept.
    fn add(&self, key: u64, progress: f32) {
        if let Some(mean) = self.place(key) {
            mean.add(progress);
        }
    }

    /// The game goes on: goals are chosen anew. What was learned of moves stays, as it is known by position; where that takes more
    /// than half of the room, what was not made for longest is forgotten, until a quarter is taken.
    pub(crate) fn age(&mut self) {
        self.choose_anew();
        let (now, slots) = (self.time, self.local.len());
        self.time = now.wrapping_add(1);
        if *self.taken.get_mut() <= slots / 2 {
            return;
        }
        let age = |owner: u64| usize::from(now.wrapping_sub((owner & TIMES) as u8));
        let old = std::mem::replace(&mut self.local, empty(slots));
        *self.taken.get_mut() = 0;
        let old = || old.iter().map(|(owner, mean)| (owner.load(Relaxed), mean)).filter(|(owner, _)| *owner != 0);
        let mut counts = [0; TIMES as usize + 1];
        old().for_each(|(owner, _)| counts[age(owner)] += 1);
        let mut kept = 0;
        let young = counts.iter().take_while(|&&count| {
            kept += count;
            kept <= slots / 4
        });
        // Of the last search nothing is.
        let young = young.count().max(1);
        for (owner, mean) in old().filter(|&(owner, _)| age(owner) < young) {
            let free = self.places(owner & !TIMES).find(|(place, _)| place.load(Relaxed) == 0);
            if let Some((place, known)) = free {
                place.store(owner, Relaxed);
                known.set(mean);
                self.taken.fetch_add(1, Relaxed);
            }
        }
    }
}

/// Room for so many moves.
fn empty(slots: usize) -> Box<[(AtomicU64, Mean)]> {
    (0..slots).map(|_| Default::default()).collect()
}

/// Names a move from a position with that hash, for a goal. Never 0, and without [`TIMES`].
fn name(goal: usize, position: u64, index: usize) -> u64 {
    (mix(position ^ mix((goal as u64) << 32 | index as u64)) | (TIMES + 1)) & !TIMES
}

/// One simulation's pursuit of a goal.
#[derive(Debug)]
pub(crate) struct Pursuit<'s> {
    strategies: &'s Strategies,
    /// The goal.
    pub(crate) goal: usize,
    weight: f32,
    /// How many visits what is expected counts as.
    expected: f32,
    /// The position where it began and the moves that were made for it.
    keys: Vec<u64>,
    /// Key of the position that the simulation has come to.
    position: u64,
    /// Mean progress as far as it is known, and that after the last move, if it was made before.
    mean: f32,
    followed: Option<f32>,
    /// The side whose goal it is.
    player: Side,
    /// Whether moves are still chosen for it.
    open: bool,
}

impl<'s> Pursuit<'s> {
    /// Begins with a goal of `player` at the position with that hash.
    pub(crate) fn new(strategies: &'s Strategies, goal: usize, position: u64, player: Side, params: &Params) -> Self {
        // Where goals share a tree: the owner of a part of the board is a coarse number, which would lead at once to whatever brought it
        // once.
        let expected = if params.strategy_trees == 1 { 0.0 } else { params.strategy_expected };
        let (weight, keys) = (params.strategy_weight, vec![name(goal, position, HERE)]);
        let (mean, followed, open) = (0.5, None, true);
        Self { strategies, goal, weight, expected, keys, position, mean, followed, player, open }
    }

    /// Whether moves are still chosen for the goal.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// The last move has led to a position, in which the goal may be met.
    pub(crate) fn arrive<G: MonteCarlo>(&mut self, position: &G) {
        if let Some(mean) = self.followed.take()
            && position.goal_met(self.goal, self.player, mean)
        {
            self.open = false;
        }
    }

    /// Names a move from here, for this goal.
    fn key(&self, index: usize) -> u64 {
        name(self.goal, self.position, index)
    }

    /// The simulation stands at the position with that hash.
    pub(crate) fn stand_at(&mut self, position: u64) {
        self.position = position;
    }

    /// The value of a move for selection, without exploration: that for the game and that for the goal, which begins as that
    /// of the position, or without a visit as that for the game.
    #[inline]
    pub(crate) fn blend(&self, index: usize, value: f32, visited: bool) -> f32 {
        let known = if visited { self.strategies.progress(self.key(index)) } else { None };
        let (sum, visits) = known.map_or((0.0, 0.0), |(mean, visits)| {
            let visits = visits as f32;
            (mean * visits, visits)
        });
        let weight = visits + self.expected;
        let local = if weight > 0.0 { (sum + self.expected * self.mean) / weight } else { value };
        self.weight * local + (1.0 - self.weight) * value
    }

    /// Follows a move that was selected from here.
    pub(crate) fn follow(&mut self, index: usize) {
        let key = self.key(index);
        self.keys.push(key);
        self.followed = self.strategies.progress(key).map(|(mean, _)| mean);
        self.mean = self.followed.unwrap_or(self.mean);
    }

    /// The playout has ended with that progress of `First`.
    pub(crate) fn learn(&self, progress: f32) {
        let progress = if self.player == Side::First { progress } else { 1.0 - progress };
        self.keys.iter().for_each(|&key| self.strategies.add(key, progress));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_that_serves_the_game_is_chosen() {
        let (strategies, mut rng) = (Strategies::new(3, 1), Rng::new(1));
        let mut counts = [0; 4];
        for _ in 0..2_000 {
            let goal = strategies.choose(0.2, &mut rng);
            counts[goal.unwrap_or(3)] += 1;
            // Simulations for the second goal win three times of four, the others one of four.
            let win = rng.below(4) < if goal == Some(1) { 3 } else { 1 };
            strategies.learn(goal, f32::from(u8::from(win)));
        }
        assert!(counts.iter().all(|&count| count > 0) && counts[1] > 1_500, "{counts:?}");
    }

    #[test]
    fn values_of_the_goal_lead_to_it() {
        let strategies = Strategies::new(1, 1);
        let params = Params { strategy_weight: 0.3, ..Params::default() };
        let pursue = |index: usize, progress: f32| {
            let mut pursuit = Pursuit::new(&strategies, 0, 7, Side::First, &params);
            pursuit.follow(index);
            pursuit.learn(progress);
            pursuit.followed
        };
        assert_eq!((pursue(1, 1.0), pursue(2, 0.0), pursue(1, 0.5)), (None, None, Some(1.0)));
        let mut pursuit = Pursuit::new(&strategies, 0, 7, Side::First, &params);
        let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
        // Ten visits of the 0.5 that is expected of the position, and its own: 1.0 and 0.5, or 0.0.
        assert!(near(pursuit.blend(1, 0.5, true), 0.3 * 6.5 / 12.0 + 0.7 * 0.5));
        assert!(near(pursuit.blend(2, 0.5, true), 0.3 * 5.0 / 11.0 + 0.7 * 0.5));
        // Nothing is known of it, so what the position promises counts.
        assert!(near(pursuit.blend(3, 0.5, true), 0.5));
        // Plain means know nothing of the position.
        let params = Params { strategy_expected: 0.0, ..params };
        let plain = Pursuit::new(&strategies, 0, 7, Side::First, &params);
        assert!(near(plain.blend(2, 0.5, true), 0.7 * 0.5) && near(plain.blend(3, 0.5, true), 0.5));
        // Elsewhere, and for another goal, nothing is known either.
        pursuit.stand_at(8);
        assert!(near(pursuit.blend(1, 0.5, true), 0.5));
    }

    #[test]
    fn of_a_full_table_the_oldest_is_forgotten() {
        let mut strategies = Strategies::new(1, 1);
        let names = |from: u64, count: usize| (from..from + count as u64).map(|number| name(0, number, 0));
        let eighth = strategies.local.len() / 8;
        let add = |strategies: &Strategies, from, count| names(from, count).for_each(|key| strategies.add(key, 0.75));
        let known = |strategies: &Strategies, from, count| {
            names(from, count).filter(|&key| strategies.progress(key) == Some((0.75, 1))).count()
        };
        let (again, never, later) = (0, 1_000_000, 2_000_000);
        add(&strategies, again, eighth);
        add(&strategies, never, eighth);
        strategies.age();
        let both = [again, never].map(|from| known(&strategies, from, eighth));
        assert_eq!(
            both.iter().sum::<usize>(),
            strategies.taken.load(Relaxed),
            "where there is room nothing is forgotten"
        );
        names(again, eighth).for_each(|key| _ = strategies.place(key));
        // Here and there more have the same places than there is room for.
        add(&strategies, later, 3 * eighth);
        assert!(strategies.taken.load(Relaxed) > 4 * eighth && known(&strategies, never, eighth) > eighth * 9 / 10);
        strategies.age();
        assert_eq!(known(&strategies, never, eighth), 0);
        assert!(known(&strategies, again, eighth) > eighth * 9 / 10);
        assert!(known(&strategies, later, 3 * eighth) > 3 * eighth * 9 / 10);
    }
}
