//! Life and death of chains, each asked about by searches of its own.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::super::verdict::{ChainReading, DoubtfulGroup, LifeAndDeath, doubtful};
use super::GoSession;
use crate::game::{Game, Side};
use crate::games::go::Position;
use crate::search::{Budget, Searcher};
use crate::session::SearchOptions;

/// Groups that are read one by one at most.
const READINGS: usize = 40;
/// Playouts behind each half of a reading at first, and of one that is not clear then.
const LOOKS: [u64; 3] = [100, 1_000, 8_000];
/// Playouts behind all readings of a board, times its points; when they are used up, first looks have to do. A move that is
/// given fewer gives its own number to them.
const LIMIT: u64 = 1_500_000;

/// Wall time for the readings of a board.
#[derive(Clone, Copy, Debug)]
pub(super) enum ReadingTime {
    /// All readings together; each gets an equal part.
    Shared(Duration),
    /// Each reading may go on until then.
    Until(Instant),
}

impl ReadingTime {
    /// Time for each of so many.
    fn each(self, count: u32) -> Duration {
        match self {
            Self::Shared(time) => time / count,
            Self::Until(deadline) => deadline.saturating_duration_since(Instant::now()),
        }
    }
}

impl GoSession {
    /// A verdict for which the groups that do not certainly live are read one by one, with about so many playouts and
    /// within `time`.
    pub(super) fn read(
        &mut self,
        position: &Position,
        ownership: &[f32],
        most: u64,
        time: Option<ReadingTime>,
    ) -> LifeAndDeath {
        let mut groups: VecDeque<DoubtfulGroup> = doubtful(position, ownership).into();
        groups.truncate(READINGS);
        // A group that does not live as a whole is read chain by chain.
        let chains: usize = groups.iter().map(|group| group.chains.len()).sum();
        let parts = (2 * LOOKS.len() * chains.max(1)) as u32;
        let mut left = most.min(LIMIT / position.points() as u64);
        let mut readings = Vec::new();
        while let Some(mut group) = groups.pop_front() {
            let mut reading = ChainReading { chain: group.chains[0].clone(), expected: [0.0; 2] };
            for (look, playouts) in LOOKS.into_iter().enumerate() {
                if look > 0 && (2 * playouts > left || reading.is_clear(ownership)) {
                    break;
                }
                let sides = [position.to_move(), position.to_move().opponent()];
                reading.expected = sides.map(|side| {
                    let time = time.map(|time| time.each(parts));
                    let budget = Budget { nodes: Some(playouts), time, early_stop: false };
                    self.expected_owner(position, side, reading.chain[0], budget)
                });
                left = left.saturating_sub(2 * playouts);
            }
            if group.chains.len() > 1 && reading.lives(group.side) {
                reading.chain = group.chains.concat();
            } else {
                // Without its weakest chain, the rest may fare otherwise.
                let others = group.chains.split_off(1).into_iter();
                groups.extend(others.map(|chain| DoubtfulGroup { side: group.side, chains: vec![chain] }));
            }
            // Without time for both halves playouts know more.
            if reading.expected.iter().all(|&value| value != 0.0) {
                readings.push(reading);
            }
        }
        self.reader.clear();
        LifeAndDeath::new(position, ownership, &readings)
    }

    /// Expected owner of a point, +1 = `First`, if `side` begins and nothing else counts; 0 if there was no time.
    fn expected_owner(&mut self, position: &Position, side: Side, point: usize, budget: Budget) -> f32 {
        let mut question = position.clone();
        question.resume();
        question.set_to_move(side);
        question.set_stake(point);
        self.reader.clear();
        let report = self.core.think_aside(&mut self.reader, &question, budget, &SearchOptions::default()).report;
        if report.nodes > 0 { (2.0 * report.winrate - 1.0) * side.sign() } else { 0.0 }
    }
}
