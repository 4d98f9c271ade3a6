//! Which stones are dead and what each point is worth at the end, from Benson's theorem first and playouts after it.

use std::collections::BTreeMap;

use crate::game::{Game, Side};
use crate::games::go::{Position, benson, score};

/// Least certainty of a settled point's owner, 0..=1.
const SETTLED: f32 = 0.7;
/// No new group can live in a region of at most this many points.
const SMALLEST_LIVING: usize = 4;
/// Least certainty of a reading that needs no second look, 0..=1.
const CLEAR: f32 = 0.9;
/// Certainty of an owner about whom playouts nearly always agree, 0..=1.
const SURE: f32 = 0.95;
/// Points of one's own, without own stones, in which nobody can be kept from two eyes.
const ROOM: usize = 16;

/// The fate of one stone or point, in the words of `final_status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A living stone.
    Alive,
    /// A stone to be taken off.
    Dead,
    /// A stone that lives by seki.
    Seki,
    /// An empty or dead-stone point of that side.
    Territory(Side),
    /// A point of nobody.
    Dame,
}

/// A reading of one board.
#[derive(Clone, Debug, PartialEq)]
pub struct LifeAndDeath {
    /// Stones and turn of the board that was read, so that another one is told apart.
    board: u64,
    /// Points of dead stones, ascending.
    dead: Vec<usize>,
    /// Whether each point's fate is certain.
    settled: Vec<bool>,
}

/// A key of the stones and of the turn, which may decide what lives.
fn board_key(position: &Position) -> u64 {
    let (mut position, side) = (position.clone(), position.to_move());
    position.resume();
    // A ko is forgotten when the turn changes hands.
    position.set_to_move(side.opponent());
    position.set_to_move(side);
    position.key()
}

/// Fate of one chain, as searches for its life and for its death found.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainReading {
    /// Points of the chain, ascending.
    pub chain: Vec<usize>,
    /// Expected owner, +1 = `First`, if the side to move begins and if the other one does.
    pub expected: [f32; 2],
}

impl ChainReading {
    /// Whether it leaves little to ask, and says the same as playouts do.
    pub fn is_clear(&self, ownership: &[f32]) -> bool {
        let guess = mean(&self.chain, ownership);
        self.expected.iter().all(|value| value.abs() > CLEAR && value * guess > 0.0)
    }

    /// Whether it says that the chain of that side lives, whoever begins.
    pub fn lives(&self, side: Side) -> bool {
        self.expected.iter().all(|value| value * side.sign() > SETTLED)
    }

    /// Expected owner of the chain, +1 = `First`: certain only where it does not matter who begins.
    fn value(&self) -> f32 {
        let [now, later] = self.expected;
        if now * later > 0.0 {
            now.signum() * now.abs().min(later.abs())
        } else {
            now.clamp(-SETTLED / 2.0, SETTLED / 2.0)
        }
    }
}

/// Chains of one side that the opponent cannot separate, so that they live together.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubtfulGroup {
    /// Their side.
    pub side: Side,
    /// Points of each, the chain first whose fate playouts leave most in doubt.
    pub chains: Vec<Vec<usize>>,
}

/// The groups that neither Benson's theorem nor a large area says live, those first whose fate playouts leave most in doubt.
/// `ownership` as in [`LifeAndDeath::new`].
pub fn doubtful(position: &Position, ownership: &[f32]) -> Vec<DoubtfulGroup> {
    let certain = benson::pass_alive(position);
    let spacious = spacious(position, ownership);
    let certainty = |chain: &[usize]| mean(chain, ownership).abs();
    let mut groups = Vec::new();
    for mut chains in joined(position) {
        let Some(side) = position.stone(chains[0][0]) else { continue };
        if chains.iter().any(|chain| certain[chain[0]].is_some()) {
            // Chains that cannot be separated from one that lives are in no more doubt than playouts say.
            chains.retain(|chain| certain[chain[0]].is_none() && mean(chain, ownership) * side.sign() < CLEAR);
        }
        chains.retain(|chain| chain.iter().any(|&point| spacious[point] != Some(side)));
        chains.sort_by(|a, b| certainty(a).total_cmp(&certainty(b)));
        groups.extend((!chains.is_empty()).then_some(DoubtfulGroup { side, chains }));
    }
    groups.sort_by(|a, b| certainty(&a.chains[0]).total_cmp(&certainty(&b.chains[0])));
    groups
}

/// All chains, those together that share two liberties, or one that is surrounded by their side alone.
fn joined(position: &Position) -> Vec<Vec<Vec<usize>>> {
    let stones: Vec<_> = (0..position.points()).map(|i| position.stone(i)).collect();
    let regions = score::chains(position.size(), &stones);
    let mut shared: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    for point in (0..stones.len()).filter(|&point| stones[point].is_none()) {
        let beside = || score::neighbours(position.size(), point);
        for side in Side::BOTH {
            let mut chains: Vec<_> = beside().filter(|&n| stones[n] == Some(side)).map(|n| regions.of(n)).collect();
            chains.sort_unstable();
            chains.dedup();
            let own = beside().all(|n| stones[n] == Some(side));
            for pair in chains.windows(2) {
                *shared.entry([pair[0], pair[1]]).or_default() += if own { 2 } else { 1 };
            }
        }
    }
    let mut group: Vec<usize> = (0..regions.len()).collect();
    for (&[a, b], _) in shared.iter().filter(|(_, count)| **count >= 2) {
        let (a, b) = (score::root(&mut group, a), score::root(&mut group, b));
        group[a] = b;
    }
    let mut groups: BTreeMap<usize, Vec<Vec<usize>>> = BTreeMap::new();
    for region in (0..regions.len()).filter(|&region| regions.owner(region).is_some()) {
        let mut points = regions.points(region).to_vec();
        points.sort_unstable();
        groups.entry(score::root(&mut group, region)).or_default().push(points);
    }
    groups.into_values().collect()
}

/// The side that has an area around each point by all playouts, with room for more than two eyes.
fn spacious(position: &Position, ownership: &[f32]) -> Vec<Option<Side>> {
    let sure = |point: usize| match ownership[point] {
        value if value >= SURE => Some(Side::First),
        value if value <= -SURE => Some(Side::Second),
        _ => None,
    };
    let owners: Vec<_> = (0..position.points()).map(sure).collect();
    let areas = score::chains(position.size(), &owners);
    let room = |area: usize| {
        let side = areas.owner(area);
        areas.points(area).iter().filter(|&&point| position.stone(point) != side).count()
    };
    let wide: Vec<bool> = (0..areas.len()).map(|area| areas.owner(area).is_some() && room(area) >= ROOM).collect();
    (0..owners.len()).map(|point| owners[point].filter(|_| wide[areas.of(point)])).collect()
}

fn mean(chain: &[usize], ownership: &[f32]) -> f32 {
    chain.iter().map(|&p| ownership[p]).sum::<f32>() / chain.len() as f32
}

impl LifeAndDeath {
    /// Reads a board. `ownership` is what playouts expect of each point, +1 = `First`; `readings` are better known.
    pub fn new(position: &Position, ownership: &[f32], readings: &[ChainReading]) -> Self {
        let certain = benson::pass_alive(position);
        let mut expected: Vec<f32> = ownership.to_vec();
        for reading in readings {
            for &point in &reading.chain {
                expected[point] = reading.value();
            }
        }
        for (value, owner) in expected.iter_mut().zip(&certain) {
            if let Some(side) = owner {
                *value = side.sign();
            }
        }
        let mut dead = Vec::new();
        let mut settled: Vec<bool> = expected.iter().map(|v| v.abs() >= SETTLED).collect();
        for (index, settled) in settled.iter_mut().enumerate() {
            let Some(side) = position.stone(index) else { continue };
            let chain = score::chain(position, index);
            // A chain lives or dies as one.
            let mean = mean(&chain, &expected);
            *settled = mean.abs() >= SETTLED;
            if mean * side.sign() < 0.0 {
                dead.push(index);
            }
        }
        let mut stones: Vec<_> = (0..position.points()).map(|i| position.stone(i)).collect();
        for &index in &dead {
            stones[index] = None;
        }
        // A small region that living chains of one side alone surround is theirs, also the eye of a chain in seki.
        let regions = score::chains(position.size(), &stones);
        for region in (0..regions.len()).filter(|&region| regions.owner(region).is_none()) {
            let points = regions.points(region);
            let around = || points.iter().flat_map(|&point| score::neighbours(position.size(), point));
            let safe = |point: usize| settled[point] || position.stone(point).is_none();
            let closed = regions.surrounded_by(region).is_some() && around().chain(points.iter().copied()).all(safe);
            if closed && points.len() <= SMALLEST_LIVING {
                points.iter().for_each(|&point| settled[point] = true);
            }
        }
        Self { board: board_key(position), dead, settled }
    }

    /// Whether this is a reading of that board.
    pub fn is_of(&self, position: &Position) -> bool {
        self.board == board_key(position)
    }

    /// Points of the stones that are dead under the position's rules: none where everything on the board counts as alive.
    pub fn dead(&self, position: &Position) -> &[usize] {
        if position.rules().agrees_on_dead() { &self.dead } else { &[] }
    }

    /// Points of the stones that would be taken if the game were played on, whatever the rules say of agreement.
    pub fn doomed(&self) -> &[usize] {
        &self.dead
    }

    /// Whether the fate of a point is certain.
    pub fn is_settled(&self, index: usize) -> bool {
        self.settled[index]
    }

    /// Whether the fate of every point is certain but for the neutral ones, which both sides touch.
    pub fn all_settled(&self, position: &Position) -> bool {
        let owners = score::owners(position, &self.dead);
        (0..position.points()).all(|i| self.settled[i] || owners[i].is_none())
    }

    /// Whether a point belongs to nobody.
    pub fn is_neutral(&self, position: &Position, index: usize) -> bool {
        score::owners(position, &self.dead)[index].is_none()
    }

    /// Points by which `First` leads if the game ends now.
    pub fn score(&self, position: &Position) -> f32 {
        score::score(position, self.dead(position))
    }

    /// Whether `side` has won if the game ends now, beyond reasonable argument about dead stones.
    pub fn is_won(&self, position: &Position, side: Side) -> bool {
        let wins = |dead: &[usize]| score::score(position, dead) * side.sign() > 0.0;
        if !position.rules().agrees_on_dead() {
            return wins(&[]);
        }
        // Nobody would agree on a board that is not divided yet.
        wins(&self.dead) && self.all_settled(position)
    }

    /// The fate of the point or stone at `index`.
    pub fn status(&self, position: &Position, index: usize) -> Status {
        let dead = self.dead(position);
        match position.stone(index) {
            Some(_) if dead.contains(&index) => Status::Dead,
            Some(_) if score::in_seki(position, dead).contains(&index) => Status::Seki,
            Some(_) => Status::Alive,
            None => score::owners(position, dead)[index].map_or(Status::Dame, Status::Territory),
        }
    }

    /// The chains of that fate, each with its points ascending.
    pub fn chains(&self, position: &Position, status: Status) -> Vec<Vec<usize>> {
        let mut seen = vec![false; position.points()];
        let mut chains = Vec::new();
        for index in 0..position.points() {
            if position.stone(index).is_some() && !seen[index] {
                let chain = score::chain(position, index);
                for &point in &chain {
                    seen[point] = true;
                }
                if self.status(position, index) == status {
                    chains.push(chain);
                }
            }
        }
        chains
    }
}
