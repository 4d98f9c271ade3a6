//! Parts of the searches that go depth first: the run that their threads share, what a thread counts, and principal variation search
//! over the moves of a board.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::crew::{self, Crew};
use super::watch::{Halt, Timer, Watch, Watched};
use super::{Budget, Stop};
use crate::rng::mix;

/// How often the caller of a solver is told how far it is.
const REPORT_EVERY: Duration = Duration::from_millis(500);
/// Positions after which a thread tells the others how many it has looked at.
const COUNTED: u64 = 1024;
/// Promise of the move that was best when the board was searched before.
pub(crate) const FOUND: i32 = i32::MAX;
/// Bit of the best move where none has been found; tables keep it in a byte.
pub(crate) const UNKNOWN: u32 = u8::MAX as u32;

/// How far a solver has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions looked at.
    pub nodes: u64,
    /// Since the start.
    pub elapsed: Duration,
}

/// A run, shared by its threads.
#[derive(Debug)]
pub(crate) struct DepthRun<'a> {
    /// Positions looked at, as far as the threads have told.
    pub(crate) nodes: AtomicU64,
    pub(crate) halt: Halt<'a>,
    pub(crate) crew: Crew<'a>,
    pub(crate) clock: Timer,
}

impl<'a> DepthRun<'a> {
    pub(crate) fn new(stop: &'a Stop, crew: Crew<'a>, clock: Timer) -> Self {
        Self { nodes: AtomicU64::new(0), halt: Halt::new(stop), crew, clock }
    }

    /// A run of the caller's thread.
    pub(crate) fn alone(stop: &'a Stop) -> Self {
        Self::new(stop, 1.into(), Watch::new(Budget::default(), None).clock())
    }
}

impl Watched for DepthRun<'_> {
    type Report = Progress;

    fn report(&self) -> Option<Progress> {
        Some(Progress { nodes: self.nodes.load(Relaxed), elapsed: self.clock.elapsed() })
    }
}

/// Lets the threads of a solver work until one of them is done, or they are stopped, or it takes too long: what they found, and the
/// number of positions looked at.
pub(crate) fn solve<T: Send>(
    crew: Crew<'_>,
    time: Option<Duration>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(Progress),
    work: &(dyn Fn(NodeCount<'_>) -> T + Sync),
) -> (Vec<T>, u64) {
    let mut watch = Watch::new(Budget { time, ..Budget::default() }, Some(REPORT_EVERY));
    let run = &DepthRun::new(stop, crew, watch.clock());
    let work = |number| {
        let found = work(NodeCount::new(run, number));
        run.halt.end();
        found
    };
    let report = &mut |progress: &Progress| on_progress(*progress);
    let found = crew::run(&run.halt, run.crew.most(), &work, || _ = watch.wait(&run.halt, run, report));
    (found, run.nodes.load(Relaxed))
}

/// Positions that a thread of a run has looked at.
#[derive(Debug)]
pub(crate) struct NodeCount<'a> {
    run: &'a DepthRun<'a>,
    number: usize,
    told: u64,
    untold: u64,
}

impl<'a> NodeCount<'a> {
    /// The count of thread `number`.
    pub(crate) fn new(run: &'a DepthRun<'a>, number: usize) -> Self {
        Self { run, number, told: 0, untold: 0 }
    }

    /// Counts a position.
    #[inline]
    pub(crate) fn add(&mut self) {
        self.untold += 1;
    }

    /// Counts a position, and says whether the search is to end.
    #[inline]
    pub(crate) fn is_over(&mut self) -> bool {
        self.untold += 1;
        if self.untold >= COUNTED {
            self.tell();
            self.run.crew.rest(self.number, &self.run.halt);
        }
        self.run.halt.is_over()
    }

    /// Tells the others how many positions were looked at.
    pub(crate) fn tell(&mut self) {
        self.told += self.untold;
        self.run.nodes.fetch_add(mem::take(&mut self.untold), Relaxed);
    }

    /// Positions that this thread has looked at.
    pub(crate) const fn own(&self) -> u64 {
        self.told + self.untold
    }

    /// Positions that all threads have looked at, as far as this one knows.
    #[inline]
    pub(crate) fn all(&self) -> u64 {
        self.run.nodes.load(Relaxed) + self.untold
    }

    /// Noise below `most` in the order of moves, by the key of what a move leaves: threads go different ways, so that what one has
    /// found helps the others. The first has none.
    #[inline]
    pub(crate) fn noise(&self, key: impl FnOnce() -> u64, most: u64) -> u64 {
        if self.number == 0 { 0 } else { mix(key() ^ self.number as u64) % most }
    }
}

/// A move, the board that it leaves, and how good it looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tried<B> {
    pub(crate) promise: i32,
    pub(crate) bit: u32,
    pub(crate) after: B,
}

/// The best value by the moves of a board, and the bit of its move: exact between the two bounds, and at most `low` or at least `high`
/// where it is no more or no less. The most promising move comes first, and all others are only shown to be no better. `None` if
/// `search`, which values a board for its side to move, was stopped.
///
/// The moves are those from there on of all that the worker has written down for the boards on the way.
#[inline]
pub(crate) fn best<W, B: Copy>(
    worker: &mut W,
    moves: impl Fn(&mut W) -> &mut Vec<Tried<B>>,
    from: usize,
    (mut low, high): (i32, i32),
    search: impl Fn(&mut W, &B, i32, i32) -> Option<i32>,
) -> Option<(i32, u32)> {
    let (mut best, mut bit) = (-i32::MAX, UNKNOWN);
    for next in from..moves(worker).len() {
        let rest = &mut moves(worker)[next..];
        let most = rest.iter().enumerate().max_by_key(|(place, tried)| (tried.promise, -(*place as i32)))?.0;
        rest.swap(0, most);
        let tried = rest[0];
        let mut value = -search(worker, &tried.after, if next == from { -high } else { -low - 1 }, -low)?;
        if next > from && low < value && value < high {
            value = -search(worker, &tried.after, -high, -value)?;
        }
        if value > best {
            (best, bit, low) = (value, tried.bit, low.max(value));
        }
        if value >= high {
            break;
        }
    }
    Some((best, bit))
}
