//! One thread that owns a runtime and makes batches of what many searchers ask for, and several of them for several devices.
//!
//! Batches pay on a GPU only; on a processor every search thread runs the model by itself.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::Wanted;
use super::runtime::{Batch, RunError, Runtime};

/// How long a batch waits for the requests that the last one had.
const DEADLINE: Duration = Duration::from_micros(200);
/// How often a waiting searcher asks whether it still wants its result.
const PATIENCE: Duration = Duration::from_millis(1);
/// Requests that may wait for a batcher; more wait at its door.
const QUEUE: usize = 1024;

/// Request of a searcher.
struct Job {
    planes: Vec<f32>,
    shape: [usize; 4],
    wanted: Arc<AtomicBool>,
    reply: Sender<Result<Vec<Vec<f32>>, RunError>>,
}

/// A runtime behind a thread that batches.
pub(super) struct Batcher {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    /// Positions that wait or are being worked on.
    load: AtomicUsize,
    name: String,
    provider: String,
    batches: (usize, usize),
}

impl Batcher {
    pub(super) fn new(runtime: Box<dyn Runtime>) -> std::io::Result<Self> {
        let (jobs, queue) = bounded(QUEUE);
        let (name, provider, batches) = (runtime.name(), runtime.provider(), runtime.batches());
        let thread =
            thread::Builder::new().name(name.clone()).spawn(move || serve(&queue, runtime.as_ref(), batches.0))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread), load: AtomicUsize::new(0), name, provider, batches })
    }

    fn ask(&self, batch: Batch<'_>, wanted: Wanted<'_>) -> Result<Vec<Vec<f32>>, RunError> {
        let ended = || RunError::Failed("its thread has ended".to_owned());
        let (reply, answer) = bounded(1);
        let flag = Arc::new(AtomicBool::new(true));
        let mut job = Job { planes: batch.planes.to_vec(), shape: batch.shape, wanted: Arc::clone(&flag), reply };
        let jobs = self.jobs.as_ref().ok_or_else(ended)?;
        loop {
            match jobs.send_timeout(job, PATIENCE) {
                Ok(()) => break,
                Err(crossbeam_channel::SendTimeoutError::Timeout(_)) if !wanted() => return Err(RunError::Cancelled),
                Err(crossbeam_channel::SendTimeoutError::Timeout(back)) => job = back,
                Err(crossbeam_channel::SendTimeoutError::Disconnected(_)) => return Err(ended()),
            }
        }
        loop {
            match answer.recv_timeout(PATIENCE) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) if wanted() => {}
                Err(RecvTimeoutError::Timeout) => {
                    flag.store(false, Ordering::Relaxed);
                    return Err(RunError::Cancelled);
                }
            }
        }
    }
}

impl Drop for Batcher {
    fn drop(&mut self) {
        // Without senders the thread ends; whatever it was doing is finished first.
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Runtime for Batcher {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn provider(&self) -> String {
        self.provider.clone()
    }

    fn batches(&self) -> (usize, usize) {
        self.batches
    }

    fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, wanted: Wanted<'_>) -> Result<(), RunError> {
        self.load.fetch_add(batch.shape[0], Ordering::Relaxed);
        let result = self.ask(batch, wanted);
        self.load.fetch_sub(batch.shape[0], Ordering::Relaxed);
        *outputs = result?;
        Ok(())
    }
}

/// Several devices with the same model: each call goes to the one with the fewest positions waiting.
pub(super) struct Devices(pub(super) Vec<Batcher>);

impl Runtime for Devices {
    fn name(&self) -> String {
        self.0.iter().map(Batcher::name).collect::<Vec<_>>().join("+")
    }

    fn provider(&self) -> String {
        self.0.iter().map(Batcher::provider).collect::<Vec<_>>().join("; ")
    }

    fn batches(&self) -> (usize, usize) {
        let (batch, lines) = self.0.first().map_or((1, 1), Batcher::batches);
        (batch, lines * self.0.len())
    }

    fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, wanted: Wanted<'_>) -> Result<(), RunError> {
        let idlest = self.0.iter().min_by_key(|batcher| batcher.load.load(Ordering::Relaxed));
        idlest.ok_or_else(|| RunError::Failed("there is no device".to_owned()))?.run(batch, outputs, wanted)
    }
}

/// The batcher's thread. A batch closes when it is full, when as many requests wait as when the last one closed (then all
/// who usually ask are waiting), or at the deadline. It takes the oldest request and those of its shape.
fn serve(queue: &Receiver<Job>, runtime: &dyn Runtime, most: usize) {
    let (mut usual, mut waiting) = (1, VecDeque::<Job>::new());
    loop {
        if waiting.is_empty() {
            match queue.recv() {
                Ok(job) => waiting.push_back(job),
                Err(_) => return,
            }
        }
        let deadline = Instant::now() + DEADLINE;
        waiting.extend(queue.try_iter());
        while waiting.len() < usual
            && waiting.iter().map(|job| job.shape[0]).sum::<usize>() < most
            && let Ok(job) = queue.recv_deadline(deadline)
        {
            waiting.push_back(job);
            waiting.extend(queue.try_iter());
        }
        usual = waiting.len();
        waiting.retain(|job| job.wanted.load(Ordering::Relaxed));
        let (mut batch, mut size) = (Vec::<Job>::new(), 0);
        for job in std::mem::take(&mut waiting) {
            let first = batch.first().map_or(job.shape, |first| first.shape);
            if job.shape[1..] == first[1..] && (batch.is_empty() || size + job.shape[0] <= most) {
                size += job.shape[0];
                batch.push(job);
            } else {
                waiting.push_back(job);
            }
        }
        if !batch.is_empty() {
            work(&batch, runtime);
        }
    }
}

/// The next size at which batches are run: a runtime prepares itself for every size that it sees.
fn padded(size: usize) -> usize {
    size.next_power_of_two()
}

fn work(jobs: &[Job], runtime: &dyn Runtime) {
    let size: usize = jobs.iter().map(|job| job.shape[0]).sum();
    let shape = [padded(size), jobs[0].shape[1], jobs[0].shape[2], jobs[0].shape[3]];
    let mut planes = Vec::with_capacity(shape.iter().product());
    jobs.iter().for_each(|job| planes.extend_from_slice(&job.planes));
    planes.resize(shape.iter().product(), 0.0);
    let mut outputs = Vec::new();
    let batch = Batch { planes: &planes, shape };
    let run = catch_unwind(AssertUnwindSafe(|| runtime.run(batch, &mut outputs, &|| true)));
    let result = run.unwrap_or_else(|_| Err(RunError::Failed("the runtime has panicked".to_owned())));
    let mut done = 0;
    for job in jobs {
        let part = done..done + job.shape[0];
        done = part.end;
        let share = |output: &Vec<f32>| {
            let width = output.len() / shape[0];
            output[part.start * width..part.end * width].to_vec()
        };
        // Whoever does not wait any more has dropped the other end.
        let _ = job.reply.send(result.clone().map(|()| outputs.iter().map(share).collect()));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use parking_lot::Mutex;

    use super::*;

    /// Gives the sum of each position's planes, slowly, and notes the sizes of its batches.
    struct Sums {
        sizes: Arc<Mutex<Vec<usize>>>,
        pause: Duration,
    }

    impl Runtime for Sums {
        fn name(&self) -> String {
            "sums".to_owned()
        }

        fn provider(&self) -> String {
            "a test".to_owned()
        }

        fn batches(&self) -> (usize, usize) {
            (16, 4)
        }

        fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, _: Wanted<'_>) -> Result<(), RunError> {
            self.sizes.lock().push(batch.shape[0]);
            thread::sleep(self.pause);
            assert!(batch.planes.iter().all(|&v| v < 1e6), "as asked");
            if batch.planes[0] < 0.0 {
                return Err(RunError::Failed("negative".to_owned()));
            }
            let each = batch.shape[1..].iter().product();
            let sums = batch.planes.chunks(each).map(|planes| planes.iter().sum::<f32>());
            *outputs = vec![sums.clone().collect(), sums.flat_map(|sum| [sum, -sum]).collect()];
            Ok(())
        }
    }

    fn sums(pause: Duration) -> (Batcher, Arc<Mutex<Vec<usize>>>) {
        let sizes = Arc::new(Mutex::new(Vec::new()));
        (Batcher::new(Box::new(Sums { sizes: Arc::clone(&sizes), pause })).unwrap(), sizes)
    }

    /// Positions of `area` equal numbers, beginning with `first`.
    fn ask(runtime: &dyn Runtime, first: f32, count: usize, area: usize) -> Result<Vec<Vec<f32>>, RunError> {
        let planes: Vec<f32> = (0..count * area).map(|i| first + (i / area) as f32).collect();
        let mut outputs = Vec::new();
        let batch = Batch { planes: &planes, shape: [count, 1, area, 1] };
        runtime.run(batch, &mut outputs, &|| true).map(|()| outputs)
    }

    #[test]
    fn everybody_gets_the_own_part_of_a_batch() {
        let (batcher, sizes) = sums(Duration::from_millis(2));
        thread::scope(|scope| {
            for searcher in 0..8 {
                let batcher = &batcher;
                scope.spawn(move || {
                    for round in 0..20 {
                        // Two shapes, and one, two or three positions a call.
                        let (count, area) = (1 + (searcher + round) % 3, 2 + searcher % 2);
                        let first = (searcher * 100 + round) as f32;
                        let found = ask(batcher, first, count, area).unwrap();
                        let expected: Vec<_> = (0..count).map(|i| (first + i as f32) * area as f32).collect();
                        assert_eq!(found[0], expected);
                        assert_eq!(found[1], expected.iter().flat_map(|v| [*v, -v]).collect::<Vec<_>>());
                    }
                });
            }
        });
        let sizes = sizes.lock();
        assert!(sizes.iter().all(|&n| n <= 16 && n.is_power_of_two()), "{sizes:?}");
        // Eight searchers with two positions each on average: the batches fill.
        let mean = sizes.iter().sum::<usize>() as f32 / sizes.len() as f32;
        assert!(mean > 4.0, "{mean} {sizes:?}");
    }

    #[test]
    fn a_call_that_is_larger_than_a_batch_is_run_whole() {
        let (batcher, sizes) = sums(Duration::ZERO);
        assert_eq!(ask(&batcher, 0.0, 40, 1).unwrap()[0].len(), 40);
        assert_eq!(*sizes.lock(), [64]);
    }

    #[test]
    fn who_is_stopped_does_not_wait() {
        let (batcher, _) = sums(Duration::from_millis(300));
        thread::scope(|scope| {
            scope.spawn(|| ask(&batcher, 0.0, 1, 1).unwrap());
            thread::sleep(Duration::from_millis(20));
            let start = Instant::now();
            let given_up = || start.elapsed() < Duration::from_millis(30);
            let batch = Batch { planes: &[1.0], shape: [1, 1, 1, 1] };
            assert_eq!(batcher.run(batch, &mut Vec::new(), &given_up), Err(RunError::Cancelled));
            assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
        });
        assert_eq!(batcher.load.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn failures_and_panics_reach_who_asked_and_nobody_else() {
        let (batcher, _) = sums(Duration::ZERO);
        assert_eq!(ask(&batcher, -1.0, 1, 1), Err(RunError::Failed("negative".to_owned())));
        assert_eq!(ask(&batcher, 1e9, 1, 1), Err(RunError::Failed("the runtime has panicked".to_owned())));
        assert_eq!(ask(&batcher, 3.0, 1, 1).unwrap()[0], [3.0]);
    }

    #[test]
    fn work_goes_to_the_idlest_device() {
        let (one, sizes_one) = sums(Duration::from_millis(5));
        let (two, sizes_two) = sums(Duration::from_millis(5));
        let devices = Devices(vec![one, two]);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..20).for_each(|i| assert!(ask(&devices, i as f32, 4, 1).is_ok())));
            }
        });
        let calls: BTreeMap<_, _> = [("one", sizes_one.lock().len()), ("two", sizes_two.lock().len())].into();
        assert!(calls.values().all(|&n| n >= 5), "{calls:?}");
    }
}
