//! Beam search for games of one player: the best states of each depth go on, wider and wider beams while there is time.
//!
//! One thread does it, however many there are. The line that ended best is kept from move to move and played on, so that a later search can only improve it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::report::winrate;
use super::watch::{Timer, Watch, stand};
use super::{Decision, MoveReport, Report, Searcher, Share, Task, keep_permitted};
use crate::game::{Promise, Solitary};
use crate::rng::Rng;

/// Width of the first beam.
const NARROWEST: usize = 4;
/// Memory that the promises of a state's children take for each point of the board: some four moves.
const BYTES_OF_CHILDREN: usize = 256;
/// Most that chance adds to a hope, so that wider beams are not only the narrow ones again.
const CHANCE: f32 = 2.0;

/// A line to the end of the game.
#[derive(Clone, Debug)]
struct Line<M> {
    moves: Vec<M>,
    value: f32,
}

/// Beam search with the best line it knows.
pub struct Beam<G: Solitary> {
    share: Arc<Share>,
    mib: usize,
    /// A position and the best line from there.
    best: Option<(G, Line<G::Move>)>,
}

/// A state of a beam: the position and how it was come to.
struct State<G: Solitary> {
    position: G,
    /// Place in the list of steps.
    step: usize,
}

/// A child that may go on.
struct Child<M> {
    order: (f32, f32),
    key: u64,
    parent: usize,
    mv: M,
}

/// The rest of a run's budget.
struct Left<'a> {
    nodes: u64,
    clock: Timer,
    stopped: &'a dyn Fn() -> bool,
}

impl Left<'_> {
    fn is_over(&self) -> bool {
        self.nodes == 0 || (self.stopped)() || self.clock.is_over()
    }
}

/// The beam of that width from `root`, which begins with one of `firsts`, and whether it has left out what a wider one would follow; `None`
/// if it was broken off. Counts the states looked at.
fn sweep<G: Solitary>(
    root: &G,
    firsts: &[G::Move],
    width: usize,
    rng: &mut Rng,
    left: &mut Left<'_>,
) -> Option<(Line<G::Move>, bool)> {
    let mut cut = false;
    let mut beam = vec![State { position: root.clone(), step: usize::MAX }];
    let mut steps: Vec<(usize, G::Move)> = Vec::new();
    let mut best: Option<(f32, usize)> = None;
    let (mut moves, mut children, mut seen) = (Vec::new(), Vec::<Child<G::Move>>::new(), HashSet::new());
    let mut scratch = root.clone();
    while !beam.is_empty() {
        children.clear();
        seen.clear();
        for (parent, state) in beam.iter().enumerate() {
            if let Some(outcome) = state.position.outcome() {
                if best.is_none_or(|(value, _)| outcome.value > value) {
                    best = Some((outcome.value, state.step));
                }
                continue;
            }
            if left.is_over() {
                return None;
            }
            if state.step == usize::MAX {
                moves.clear();
                moves.extend_from_slice(firsts);
            } else {
                state.position.legal_moves(&mut moves);
            }
            left.nodes = left.nodes.saturating_sub(moves.len() as u64);
            for &mv in &moves {
                scratch.clone_from(&state.position);
                scratch.play(mv);
                let key = scratch.key();
                if seen.insert(key) {
                    let Promise { bound, hope } = scratch.promise();
                    // What cannot end better than a line that is known need not be followed.
                    if best.is_none_or(|(value, _)| bound > value) {
                        let order = (bound, hope + CHANCE * rng.unit());
                        children.push(Child { order, key, parent, mv });
                    }
                }
            }
        }
        let better = |a: &Child<G::Move>, b: &Child<G::Move>| {
            b.order.0.total_cmp(&a.order.0).then(b.order.1.total_cmp(&a.order.1)).then(a.key.cmp(&b.key))
        };
        if children.len() > width {
            children.select_nth_unstable_by(width - 1, better);
            children.truncate(width);
            cut = true;
        }
        beam = children
            .iter()
            .map(|child| {
                let from = &beam[child.parent];
                let mut position = from.position.clone();
                position.play(child.mv);
                steps.push((from.step, child.mv));
                State { position, step: steps.len() - 1 }
            })
            .collect();
    }
    let (value, mut step) = best?;
    let mut line = Vec::new();
    while let Some(&(before, mv)) = steps.get(step) {
        line.push(mv);
        step = before;
    }
    line.reverse();
    Some((Line { moves: line, value }, cut))
}

/// Any way to the end that begins with one of `firsts`.
fn any_line<G: Solitary>(root: &G, firsts: &[G::Move], rng: &mut Rng) -> Line<G::Move> {
    let (mut position, mut moves, mut line) = (root.clone(), firsts.to_vec(), Vec::new());
    while let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) {
        position.play(mv);
        line.push(mv);
        position.legal_moves(&mut moves);
    }
    Line { moves: line, value: position.outcome().map_or(-1.0, |outcome| outcome.value) }
}

impl<G: Solitary> Beam<G> {
    /// A search whose beams take at most `memory_mib` MiB.
    pub fn new(share: Arc<Share>, memory_mib: usize) -> Self {
        Self { share, mib: memory_mib, best: None }
    }

    fn widest(&self, position: &G) -> usize {
        let bytes = size_of::<G>() + BYTES_OF_CHILDREN * position.points();
        ((self.mib << 20) / bytes).max(NARROWEST)
    }

    fn report(position: &G, line: &Line<G::Move>, nodes: u64, elapsed: Duration) -> Report<G::Move> {
        let mv = line.moves.first().copied().unwrap_or_else(|| position.move_at(0));
        let (visits, winrate) = (nodes.max(1), winrate(line.value));
        let (pv, pv_visits) = (line.moves.clone(), vec![visits; line.moves.len()]);
        let known = MoveReport { pv, pv_visits, ..MoveReport::plain(mv, visits, winrate) };
        Report::plain(position.to_move(), nodes, elapsed, winrate, vec![known])
    }
}

impl<G: Solitary> Searcher<G> for Beam<G> {
    fn run(&mut self, task: &Task<'_, G>, on_report: &mut dyn FnMut(&Report<G::Move>)) -> Decision<G::Move> {
        let mut watch = Watch::new(task.budget, task.report_every).among(&self.share);
        let clock = watch.clock();
        let _ticket = self.share.enter();
        let root = task.position;
        let all = task.budget.nodes.unwrap_or(u64::MAX);
        let mut left = Left { nodes: all, clock, stopped: &|| task.stop.is_set() };
        let mut firsts = Vec::new();
        root.legal_moves(&mut firsts);
        keep_permitted(task.restrictions, root, &mut firsts, |&mv| root.index(mv));
        let begins = |line: &Line<G::Move>| line.moves.first().is_some_and(|first| firsts.contains(first));
        let known = self.best.take().filter(|(position, line)| position.key() == root.key() && begins(line));
        let mut rng = Rng::new(task.seed);
        // There is a line however little time there is.
        let mut line = match known {
            Some((_, line)) => line,
            None => sweep(root, &firsts, 1, &mut rng, &mut left)
                .map_or_else(|| any_line(root, &firsts, &mut rng), |it| it.0),
        };
        let (bound, widest) = (root.promise().bound, self.widest(root));
        let mut width = NARROWEST;
        let report =
            |line: &Line<G::Move>, left: &Left<'_>| Self::report(root, line, all - left.nodes, clock.elapsed());
        while line.value < bound && !left.is_over() {
            if let Some((found, cut)) = sweep(root, &firsts, width, &mut rng, &mut left) {
                if found.value > line.value {
                    line = found;
                }
                // All lines were seen.
                if !cut {
                    break;
                }
            }
            width = (2 * width).min(widest);
            watch.report(|| on_report(&report(&line, &left)));
        }
        let report = report(&line, &left);
        stand(task, &report, on_report);
        let mv = line.moves.first().copied().unwrap_or_else(|| root.move_at(0));
        self.best = Some((root.clone(), line));
        Decision { mv, report }
    }

    fn advance(&mut self, mv: G::Move) {
        self.best =
            self.best.take().filter(|(_, line)| line.moves.first() == Some(&mv)).map(|(mut position, mut line)| {
                position.play(mv);
                line.moves.remove(0);
                (position, line)
            });
    }

    fn clear(&mut self) {
        self.best = None;
    }

    fn set_memory(&mut self, mib: usize) {
        self.mib = mib;
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::game::Game;
    use crate::games::Size;
    use crate::games::clobber::Solitaire;
    use crate::search::{Budget, Params, Restriction, Stop};

    fn run(beam: &mut Beam<Solitaire>, position: &Solitaire, budget: Budget) -> Decision<<Solitaire as Game>::Move> {
        let (params, stop) = (Params::default(), Stop::new());
        let task = Task { seed: 5, ..Task::new(position, budget, &params, &stop) };
        beam.run(&task, &mut |_| ())
    }

    fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }

    fn fresh() -> Beam<Solitaire> {
        Beam::new(Arc::new(Share::new(1)), 64)
    }

    /// Plays a game to its end; returns the stones that are left.
    fn game(size: Size, budget: u64) -> usize {
        let (mut beam, mut position) = (fresh(), Solitaire::new(size));
        while position.outcome().is_none() {
            let mv = run(&mut beam, &position, nodes(budget)).mv;
            assert!(position.is_legal(mv));
            beam.advance(mv);
            position.play(mv);
        }
        position.stones()
    }

    /// One stone is left, or two of a multiple of three points: proved to be the best (Demaine, Demaine and Fleischer 2004).
    #[test]
    fn boards_are_cleared_as_far_as_they_can_be() {
        for (width, height) in [(2, 2), (3, 2), (4, 4), (5, 4), (6, 5), (6, 6), (7, 7), (8, 8)] {
            let least = if (width * height) % 3 == 0 { 2 } else { 1 };
            assert_eq!(game(Size { width, height }, 100_000), least, "{width}x{height}");
        }
    }

    #[test]
    fn a_line_begins_with_a_move_that_is_permitted() {
        let (mut beam, position) = (fresh(), Solitaire::new(Size::square(4)));
        let (params, stop) = (Params::default(), Stop::new());
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for &mv in &moves {
            for most in [0, 1_000] {
                let only = [Restriction::new(position.to_move(), vec![mv], true, 1)];
                let task = Task { restrictions: &only, ..Task::new(&position, nodes(most), &params, &stop) };
                assert_eq!(beam.run(&task, &mut |_| ()).mv, mv);
            }
        }
    }

    #[test]
    fn a_line_is_kept_and_only_improved() {
        let (mut beam, mut position) = (fresh(), Solitaire::new(Size::square(6)));
        let first = run(&mut beam, &position, nodes(0));
        assert!(!first.report.moves[0].pv.is_empty() && position.is_legal(first.mv));
        let mut promised = first.report.winrate;
        let mut mv = first.mv;
        while position.outcome().is_none() {
            beam.advance(mv);
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
            let next = run(&mut beam, &position, nodes(0));
            assert!(next.report.winrate >= promised);
            (promised, mv) = (next.report.winrate, next.mv);
        }
        assert_eq!(position.outcome().map(|outcome| 0.5 + 0.5 * outcome.value), Some(promised));
        // Another move than the planned one: a new plan.
        let start = Solitaire::new(Size::square(4));
        let planned = run(&mut beam, &start, nodes(0)).mv;
        let mut moves = Vec::new();
        start.legal_moves(&mut moves);
        let other = moves.into_iter().find(|&mv| mv != planned).unwrap();
        beam.advance(other);
        let mut position = start;
        position.play(other);
        assert!(position.is_legal(run(&mut beam, &position, nodes(1_000)).mv));
    }

    #[test]
    fn the_same_seed_gives_the_same_line() {
        let position = Solitaire::new(Size { width: 9, height: 5 });
        let line = || run(&mut fresh(), &position, nodes(20_000)).report.moves[0].pv.clone();
        assert_eq!(line(), line());
    }

    #[test]
    fn time_ends_a_search() {
        let (position, start) = (Solitaire::new(Size::square(20)), Instant::now());
        let budget = Budget { time: Some(Duration::from_millis(50)), ..Budget::default() };
        let line = run(&mut fresh(), &position, budget).report.moves[0].pv.clone();
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        // However little that was, it leads to the end.
        let end = line.into_iter().fold(position, |mut position, mv| {
            assert!(position.is_legal(mv));
            position.play(mv);
            position
        });
        assert!(end.outcome().is_some());
    }
}
