//! Measurements that `bench eval` and `benchmark` share: positions a second of a model, nodes a second of a search.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::eval::net::{Answers, Network};
use crate::game::{Game, Planes};
use crate::games::Size;
use crate::players::{BoardError, Models, Played, Resources, Setup};
use crate::rng::Rng;
use crate::search::{Budget, Params, Share, Stop, Task};
use anyhow::bail;

/// Positions that are evaluated in turn.
pub(crate) const SAMPLES: usize = 512;
/// Memory of each search's tree or table, in MiB.
const MEMORY: usize = 256;
/// Width of a bar.
const BAR: usize = 32;

/// The board on which a game is measured. Go is without komi there, so that passing at once, which needs no evaluation, wins
/// nothing.
pub(crate) fn board<G: Played>(lines: usize) -> G {
    G::start_on(Size::square(G::BOARDS.nearest(lines)), &Setup { komi: 0.0, ..Setup::default() })
}

/// Lines of the board on which a game is measured: those that are asked for, or at most those of [`Played::MEASURED`].
///
/// # Errors
/// A board that the game or the model does not have.
pub(crate) fn lines<G: Played>(asked: Option<usize>, network: Option<&Network>) -> anyhow::Result<usize> {
    let largest = network.map_or(G::MEASURED.width, Network::largest_size);
    let lines = asked.unwrap_or(largest.min(G::MEASURED.width));
    if !G::BOARDS.contains(Size::square(lines)) {
        return Err(BoardError { kind: G::KIND, boards: G::BOARDS }.into());
    }
    if let Some(network) = network.filter(|network| !network.serves(lines, lines)) {
        bail!("the model {} does not serve {lines}x{lines}", network.path().display());
    }
    Ok(lines)
}

/// A bar of a plot in which `most` fills the width.
pub(crate) fn bar(value: f64, most: f64) -> String {
    "█".repeat(((value / most * BAR as f64).round() as usize).min(BAR))
}

/// Positions of random games from a start.
pub(crate) fn samples<G: Game>(start: &G, count: usize) -> Vec<G> {
    let (mut rng, mut moves, mut samples) = (Rng::stream(1, 0), Vec::new(), Vec::new());
    while samples.len() < count {
        let mut position = start.clone();
        for _ in 0..samples.len() % (start.points() / 2).max(1) {
            position.legal_moves(&mut moves);
            let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
            let before = position.clone();
            position.play(mv);
            if position.outcome().is_some() {
                position = before;
                break;
            }
        }
        samples.push(position);
    }
    samples
}

/// Positions a second, and the mean time of a call, with so many threads that ask for batches of that size.
pub(crate) fn rate<G: Planes>(
    network: &Network,
    samples: &[G],
    batch: usize,
    threads: usize,
    time: Duration,
) -> anyhow::Result<(f64, Duration)> {
    let ask = &|number: usize| -> anyhow::Result<u32> {
        let (start, mut answers, mut calls) = (Instant::now(), Answers::default(), 0);
        while start.elapsed() < time {
            let from = (calls as usize * threads + number) * batch;
            let positions: Vec<&G> = (from..from + batch).map(|i| &samples[i % samples.len()]).collect();
            network.compute(&positions, &mut answers, &|| true)?;
            calls += 1;
        }
        Ok(calls)
    };
    let start = Instant::now();
    let calls = thread::scope(|scope| {
        let asking: Vec<_> = (0..threads).map(|number| scope.spawn(move || ask(number))).collect();
        asking
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| bail!("a thread ended")))
            .sum::<anyhow::Result<u32>>()
    })?;
    let elapsed = start.elapsed();
    let positions = f64::from(calls) * batch as f64 / elapsed.as_secs_f64();
    Ok((positions, elapsed * threads as u32 / calls.max(1)))
}

/// Searches at once that play the game, and their threads together.
pub(crate) struct Searches<'a> {
    pub(crate) models: &'a Models,
    pub(crate) params: &'a Params,
    pub(crate) threads: usize,
    pub(crate) sessions: usize,
}

impl Searches<'_> {
    /// Runs them on `position` for that time, without the solver before them, whose states are no nodes. Returns the nodes of all and
    /// the seconds that they took.
    pub(crate) fn run<G: Played>(&self, position: &G, time: Duration) -> (u64, f64) {
        let Self { models, threads, sessions, .. } = *self;
        let (share, start) = (Arc::new(Share::new(threads)), Instant::now());
        let params = Params { solver_share: 0.0, ..self.params.clone() };
        let search = |number: usize| {
            let resources = Resources { share: Arc::clone(&share), memory: MEMORY, models: models.clone() };
            let (budget, stop) = (Budget { time: Some(time), ..Budget::default() }, Stop::new());
            let task = Task { threads, seed: number as u64, ..Task::new(position, budget, &params, &stop) };
            G::recipe().searcher(&resources).run(&task, &mut |_| ()).report.nodes
        };
        let nodes: u64 = thread::scope(|scope| {
            let search = &search;
            let running: Vec<_> = (0..sessions).map(|number| scope.spawn(move || search(number))).collect();
            running.into_iter().map(|search| search.join().unwrap_or(0)).sum()
        });
        (nodes, start.elapsed().as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use crate::games::{go, hex};

    use super::*;

    #[test]
    fn samples_are_positions_that_are_not_over() {
        let (hex, go) = (samples(&hex::Position::square(5), SAMPLES), samples(&board::<go::Position>(5), SAMPLES));
        assert_eq!((hex.len(), go.len()), (SAMPLES, SAMPLES));
        assert!(hex.iter().all(|s| s.outcome().is_none()) && go.iter().all(|s| s.outcome().is_none()));
        assert!(go.iter().any(|s| s.plies() > 5));
    }
}
