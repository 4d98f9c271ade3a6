//! Networks as evaluators: ONNX files with a contract in their metadata, run by ONNX Runtime or by the embedded runtime.
//!
//! Start reading at [`Network::load`], then [`NetworkEvaluator`]. What a file must say of itself is in [`contract`].

mod backends;
mod batcher;
mod cache;
mod checked;
pub mod contract;
mod evaluator;
mod files;
mod katago;
mod protobuf;
mod runtime;
mod shipped;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

pub use backends::Backend;
pub(crate) use backends::forbid_telemetry;
pub use contract::{ContractError, ModelFile, Output, Precision};
pub(crate) use evaluator::logit;
pub use evaluator::{NetworkEvaluator, Statement};
pub use files::{as_onnx, convert, describe, read, read_for, variants};
pub use katago::people::{HumanProfile, UnknownProfile};

use self::backends::Loading;
use self::cache::Cache;
use self::checked::Checked;
use self::contract::Encoding;
use self::files::{Content, LARGEST_FILE, Opened};
use self::runtime::{Batch, RunError, Runtime};
use super::{Attributes, Wanted};
use crate::game::Planes;
use crate::rng::mix;

/// Time that a variant of a model has to show its speed.
const TRIAL: Duration = Duration::from_millis(30);
/// Positions of a batch in that time.
const TRIAL_BATCH: usize = 4;
/// Lines of the board on which a model is tried, or the nearest that it serves.
const TRIED: usize = 19;

/// How a model is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Back end that runs it.
    pub backend: Backend,
    /// Where to look for ONNX Runtime first.
    pub library: Option<PathBuf>,
    /// Numbers of the GPUs.
    pub devices: Vec<u32>,
    /// Limit of the memory on each of them, in bytes.
    pub device_memory: Option<usize>,
    /// Bytes of results that are kept for positions that come again; 0 keeps none.
    pub cache: usize,
    /// Whether each position is shown in one of its symmetries, chosen by its hash. Networks of KataGo always see them so.
    pub random_symmetry: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            backend: Backend::Auto,
            library: None,
            devices: vec![0],
            device_memory: None,
            cache: 64 << 20,
            random_symmetry: false,
        }
    }
}

/// Why a model cannot be used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("the model {} cannot be read: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        why: io::Error,
    },
    /// It is larger than any model for this engine.
    #[error("the model {} has {bytes} bytes; at most {LARGEST_FILE} are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// It says too little or the wrong things of itself.
    #[error("the model {} does not fit: {why}", path.display())]
    Contract {
        /// The file.
        path: PathBuf,
        /// Fault of the contract.
        why: ContractError,
    },
    /// It demands what no model may, or more than is calculated.
    #[error("the model {} is refused: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Demand that is refused.
        reason: String,
    },
    /// A format that cannot hold the model.
    #[error("the model {} cannot be converted: {reason}", path.display())]
    Conversion {
        /// The file.
        path: PathBuf,
        /// Obstacle to it.
        reason: String,
    },
    /// A folder has no models, or different ones.
    #[error("the folder {} holds {found}, where variants of one model (*.onnx) were expected", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Content of the folder.
        found: String,
    },
    /// The runtime that was demanded does not work, or none does.
    #[error("the model {} cannot be run: {reason}", path.display())]
    Runtime {
        /// The file.
        path: PathBuf,
        /// Back ends that were tried, and why each failed.
        reason: String,
    },
    /// It runs, but not to what it promises.
    #[error("the model {} gives {found} where {expected} was expected", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Outputs that it promises.
        expected: String,
        /// Outputs that it gave.
        found: String,
    },
    /// Nobody waited for its result any more.
    #[error("the model {} was stopped", path.display())]
    Cancelled {
        /// The file.
        path: PathBuf,
    },
}

/// Outputs of a model for positions of one board size: a row of numbers each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    rows: Vec<f32>,
    width: usize,
    /// Where each output stands in a row.
    outputs: Vec<(Output, std::ops::Range<usize>)>,
}

impl Answers {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.rows.len().checked_div(self.width).unwrap_or(0)
    }

    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// An output for position number `index`, as the model gives it; empty if it does not.
    pub fn get(&self, index: usize, output: Output) -> &[f32] {
        let row = &self.rows[index * self.width..(index + 1) * self.width];
        self.outputs.iter().find(|o| o.0 == output).map_or(&[], |(_, range)| &row[range.clone()])
    }

    /// All numbers of all outputs, position after position.
    pub fn numbers(&self) -> &[f32] {
        &self.rows
    }

    /// Makes room for `count` rows of a model on the board of `position`.
    fn prepare<G: Planes>(&mut self, (model, encoding): (&ModelFile, Encoding), position: &G, count: usize) {
        self.outputs.clear();
        self.width = 0;
        for &output in &model.outputs {
            let size = match output {
                Output::Value | Output::Score => 1,
                Output::Outcomes => 3,
                Output::Scores => 6,
                Output::Actions => position.action_count(),
                Output::Policy | Output::Optimistic => encoding.policy(position),
                Output::Ownership => position.points(),
            };
            self.outputs.push((output, self.width..self.width + size));
            self.width += size;
        }
        self.rows.clear();
        self.rows.resize(count * self.width, 0.0);
    }
}

/// A model that is loaded and ready to run.
pub struct Network {
    path: PathBuf,
    model: ModelFile,
    encoding: Encoding,
    /// Bounds of an ONNX file; other formats are checked as they are read.
    checked: Option<Checked>,
    runtime: Box<dyn Runtime>,
    /// Results that are kept, also those of the networks beside it: each board is of one of them.
    cache: Option<Arc<Cache>>,
    random_symmetry: bool,
    /// Positions that the model has been run on, and in how many batches.
    evaluations: AtomicU64,
    runs: AtomicU64,
    /// Networks that are run in its place on boards that they serve; they give the same outputs.
    beside: Vec<Self>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("path", &self.path)
            .field("runtime", &self.runtime.name())
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Loads a model, or that of a folder's variants which the device runs fastest. `board` makes a position on a square
    /// board of a size, on which the model is tried.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn load<G: Planes>(path: &Path, options: &Options, board: &dyn Fn(usize) -> G) -> Result<Self, ModelError> {
        let files = variants(path)?;
        if let [file] = files.as_slice() {
            return Self::load_file(file, options, board);
        }
        let mut best: Option<(Duration, Self)> = None;
        let mut last = None;
        for file in &files {
            match Self::load_file(file, options, board).and_then(|network| Ok((network.trial(board)?, network))) {
                Ok((time, network)) => {
                    tracing::info!(file = %file.display(), ?time, "variant");
                    if best.as_ref().is_none_or(|(least, _)| time < *least) {
                        best = Some((time, network));
                    }
                }
                Err(error) => {
                    tracing::info!(%error, "variant");
                    last = Some(error);
                }
            }
        }
        match (best, last) {
            (Some((_, network)), _) => Ok(network),
            (None, Some(error)) => Err(error),
            (None, None) => Err(ModelError::Folder { path: path.to_owned(), found: "no models".to_owned() }),
        }
    }

    fn load_file<G: Planes>(path: &Path, options: &Options, board: &dyn Fn(usize) -> G) -> Result<Self, ModelError> {
        let bytes = files::bytes(path)?;
        Self::from_bytes(path, &bytes, options, board)
    }

    /// Loads a model from the bytes of a file; `path` names it in errors.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn from_bytes<G: Planes>(
        path: &Path,
        bytes: &[u8],
        options: &Options,
        board: &dyn Fn(usize) -> G,
    ) -> Result<Self, ModelError> {
        let opened =
            Opened::of_game(bytes, G::NAME).map_err(|why| ModelError::Contract { path: path.to_owned(), why })?;
        Self::start(path, opened, options, board)
    }

    /// Itself and the networks that are run in its place on some boards.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.beside)
    }

    /// Whether it, or a network in its place, was made for such a board.
    pub fn serves(&self, rows: usize, columns: usize) -> bool {
        self.all().any(|network| network.model.serves(rows, columns))
    }

    /// The largest board that it, or a network in its place, serves.
    pub fn largest_size(&self) -> usize {
        self.all().map(|network| network.model.largest_size()).max().unwrap_or(1)
    }

    /// The network that is run for a position.
    fn of<G: Planes>(&self, position: &G) -> &Self {
        let [rows, columns] = position.board();
        self.beside.iter().find(|network| network.model.serves(rows, columns)).unwrap_or(self)
    }

    fn start<G: Planes>(
        path: &Path,
        opened: Opened<'_>,
        options: &Options,
        board: &dyn Fn(usize) -> G,
    ) -> Result<Self, ModelError> {
        let Opened { content, file: model } = opened;
        let sample = board(model.smallest_size());
        let contract = |why| ModelError::Contract { path: path.to_owned(), why };
        let encoding = model.check::<G>().map_err(contract)?;
        let [planes, rows, columns] = encoding.shape(&sample);
        model.check_ports([planes, rows, columns]).map_err(contract)?;
        let refused = |reason| ModelError::Refused { path: path.to_owned(), reason };
        let checked = match &content {
            Content::Onnx(bytes) => Some(Checked::new(bytes).map_err(refused)?),
            Content::KataGo(_) => None,
        };
        checked.iter().try_for_each(|checked| checked.allow([1, planes, rows, columns])).map_err(refused)?;
        let loaded = options.backend.load(Loading { content: &content, file: &model, options });
        let runtime = loaded.map_err(|reason| ModelError::Runtime { path: path.to_owned(), reason })?;
        let mut network = Self {
            path: path.to_owned(),
            cache: None,
            // As their own search does; errors of neighbouring positions are less alike so.
            random_symmetry: options.random_symmetry || matches!(content, Content::KataGo(_)),
            evaluations: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            model,
            encoding,
            checked,
            runtime,
            beside: Vec::new(),
        };
        // Where it is played with: some back ends keep weights in a form of their own for boards of other sides.
        let usual = board(TRIED.clamp(network.model.smallest_size(), network.model.largest_size()));
        network.run(&[&usual], &mut Answers::default(), &|| true)?;
        network.keep_results(options.cache, board);
        Ok(network)
    }

    /// Keeps results from now on, in so many bytes for itself and the networks beside it; none in 0 bytes.
    fn keep_results<G: Planes>(&mut self, bytes: usize, board: &dyn Fn(usize) -> G) {
        let width = |network: &Self| {
            let mut longest = Answers::default();
            longest.prepare((&network.model, network.encoding), &board(network.model.largest_size()), 0);
            longest.width
        };
        let longest = self.all().map(width).max().unwrap_or_default();
        self.cache = (bytes > 0).then(|| Arc::new(Cache::new(bytes, longest)));
        for network in &mut self.beside {
            network.cache.clone_from(&self.cache);
        }
    }

    /// The least time of a batch on the largest board.
    fn trial<G: Planes>(&self, board: &dyn Fn(usize) -> G) -> Result<Duration, ModelError> {
        let position = board(self.model.largest_size());
        let (start, mut least) = (Instant::now(), Duration::MAX);
        while least == Duration::MAX || start.elapsed() < TRIAL {
            let begun = Instant::now();
            self.compute(&[&position; TRIAL_BATCH], &mut Answers::default(), &|| true)?;
            least = least.min(begun.elapsed());
        }
        Ok(least)
    }

    /// Where it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Contract of the file.
    pub fn model(&self) -> &ModelFile {
        &self.model
    }

    /// Back end that runs it, such as `ort-cpu` or `ort-cuda:0`.
    pub fn runtime(&self) -> String {
        self.runtime.name()
    }

    /// Device that calculates, in the words of the runtime.
    pub fn provider(&self) -> String {
        self.runtime.provider()
    }

    /// Name and batches.
    pub fn attributes(&self) -> Attributes {
        let (batch, lines) = self.runtime.batches();
        Attributes { name: self.runtime(), batch, lines }
    }

    /// One of the model's values, in the range that its file tells, as one from -1 (lost) to 1 (won).
    pub fn centred(&self, value: f32) -> f32 {
        let (low, high) = self.model.range;
        2.0 * (value - low) / (high - low) - 1.0
    }

    /// Positions that the model has been run on, and in how many calls; those that the cache knew are not counted.
    pub fn work(&self) -> (u64, u64) {
        self.all().fold((0, 0), |(evaluations, runs), network| {
            (evaluations + network.evaluations.load(Ordering::Relaxed), runs + network.runs.load(Ordering::Relaxed))
        })
    }

    /// Forgets the results that were kept.
    pub fn clear_cache(&self) {
        self.cache.iter().for_each(|cache| cache.clear());
    }

    /// Outputs of the model for positions on boards of one size, from the cache where it is known.
    ///
    /// # Errors
    /// [`ModelError`], also where outputs are missing or no numbers, or where a board would take too much.
    pub fn run<G: Planes>(
        &self,
        positions: &[&G],
        answers: &mut Answers,
        wanted: Wanted<'_>,
    ) -> Result<(), ModelError> {
        let (Some(first), Some(cache)) = (positions.first(), &self.cache) else {
            return self.compute(positions, answers, wanted);
        };
        let network = self.of(*first);
        if !std::ptr::eq(network, self) {
            return network.run(positions, answers, wanted);
        }
        answers.prepare((&self.model, self.encoding), *first, positions.len());
        let shape = self.encoding.shape(*first);
        let each: usize = shape.iter().product();
        let mut planes = Vec::with_capacity(positions.len() * each);
        let (mut missing, mut keys) = (Vec::new(), Vec::new());
        for (number, position) in positions.iter().enumerate() {
            let begin = planes.len();
            self.encoding.write(*position, self.symmetry(*position), &mut planes);
            let key = hash(shape, &planes[begin..]);
            if cache.get(key, &mut answers.rows[number * answers.width..(number + 1) * answers.width]) {
                planes.truncate(begin);
            } else {
                missing.push(number);
                keys.push(key);
            }
        }
        self.forward(shape, &planes, &missing, answers, wanted)?;
        for (number, key) in missing.into_iter().zip(keys) {
            cache.insert(key, &answers.rows[number * answers.width..(number + 1) * answers.width]);
        }
        Ok(())
    }

    /// As [`Network::run`], without the cache.
    ///
    /// # Errors
    /// As [`Network::run`].
    pub fn compute<G: Planes>(
        &self,
        positions: &[&G],
        answers: &mut Answers,
        wanted: Wanted<'_>,
    ) -> Result<(), ModelError> {
        self.compute_in(positions, None, answers, wanted)
    }

    /// Outputs as of [`Network::compute`], with all positions shown in that symmetry, or in the usual one.
    pub(super) fn compute_in<G: Planes>(
        &self,
        positions: &[&G],
        symmetry: Option<usize>,
        answers: &mut Answers,
        wanted: Wanted<'_>,
    ) -> Result<(), ModelError> {
        let Some(first) = positions.first() else {
            *answers = Answers::default();
            return Ok(());
        };
        let network = self.of(*first);
        if !std::ptr::eq(network, self) {
            return network.compute_in(positions, symmetry, answers, wanted);
        }
        answers.prepare((&self.model, self.encoding), *first, positions.len());
        let shape = self.encoding.shape(*first);
        let mut planes = Vec::with_capacity(positions.len() * shape.iter().product::<usize>());
        for &position in positions {
            self.encoding.write(position, symmetry.unwrap_or(self.symmetry(position)), &mut planes);
        }
        let numbers: Vec<usize> = (0..positions.len()).collect();
        self.forward(shape, &planes, &numbers, answers, wanted)
    }

    /// Outputs for one position, shown in that symmetry, of a network that imitates such people.
    ///
    /// # Errors
    /// [`ModelError`], where [`Network::run`] has one.
    pub(super) fn imitate<G: Planes>(
        &self,
        position: &G,
        profile: &HumanProfile,
        symmetry: usize,
        answers: &mut Answers,
    ) -> Result<(), ModelError> {
        answers.prepare((&self.model, self.encoding), position, 1);
        let [count, rows, columns] = self.encoding.shape(position);
        let numbers = profile.numbers(position.to_move(), position.points());
        let mut planes = Vec::with_capacity((count + numbers.len()) * rows * columns);
        self.encoding.write(position, symmetry, &mut planes);
        // Each of them fills a plane, as the numbers of a position do.
        planes.extend(numbers.iter().flat_map(|&number| std::iter::repeat_n(number, rows * columns)));
        self.forward([count + numbers.len(), rows, columns], &planes, &[0], answers, &|| true)
    }

    /// The symmetry in which a position is shown.
    fn symmetry<G: Planes>(&self, position: &G) -> usize {
        if self.random_symmetry { (mix(position.key()) % position.symmetries() as u64) as usize } else { 0 }
    }

    /// Runs the model on the planes of some positions and writes their rows.
    fn forward(
        &self,
        [count, rows, columns]: [usize; 3],
        planes: &[f32],
        numbers: &[usize],
        answers: &mut Answers,
        wanted: Wanted<'_>,
    ) -> Result<(), ModelError> {
        if numbers.is_empty() {
            return Ok(());
        }
        let mut outputs = Vec::new();
        let batch = Batch { planes, shape: [numbers.len(), count, rows, columns] };
        let refused = |reason| ModelError::Refused { path: self.path.clone(), reason };
        self.checked.iter().try_for_each(|checked| checked.allow(batch.shape)).map_err(refused)?;
        self.runtime.run(batch, &mut outputs, wanted).map_err(|why| match why {
            RunError::Cancelled => ModelError::Cancelled { path: self.path.clone() },
            RunError::Failed(reason) => ModelError::Runtime { path: self.path.clone(), reason },
        })?;
        self.evaluations.fetch_add(numbers.len() as u64, Ordering::Relaxed);
        self.runs.fetch_add(1, Ordering::Relaxed);
        let wrong = |expected: String, found: String| ModelError::Output { path: self.path.clone(), expected, found };
        for ((output, range), values) in answers.outputs.iter().zip(&outputs) {
            if values.len() != range.len() * numbers.len() {
                return Err(wrong(
                    format!("'{}' with {} numbers for each of {} positions", output.name(), range.len(), numbers.len()),
                    format!("{} numbers", values.len()),
                ));
            }
            if let Some(bad) = values.iter().find(|value| !value.is_finite()) {
                return Err(wrong(format!("'{}' with numbers", output.name()), bad.to_string()));
            }
            for (&number, row) in numbers.iter().zip(values.chunks(range.len())) {
                let begin = number * answers.width;
                answers.rows[begin + range.start..begin + range.end].copy_from_slice(row);
            }
        }
        Ok(())
    }
}

/// A hash of a position's planes and of their shape, without which boards of 9×13 and 13×9 may be the same: four sums of products at once, since a position has thousands of numbers.
fn hash(shape: [usize; 3], planes: &[f32]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let pair = |[a, b]: [f32; 2]| u64::from(a.to_bits()) << 32 | u64::from(b.to_bits());
    let step = |sum: u64, word: u64| (sum.rotate_left(29) ^ word).wrapping_mul(FACTOR);
    let (whole, rest) = planes.as_chunks::<8>();
    let mut sums = [1, 2, 3, 4].map(mix);
    for eight in whole {
        sums = std::array::from_fn(|lane| step(sums[lane], pair([eight[2 * lane], eight[2 * lane + 1]])));
    }
    let rest = rest.iter().fold((shape[1] << 32 | rest.len()) as u64, |sum, &number| step(sum, pair([number, 0.0])));
    sums.into_iter().fold(rest, |sum, lane| mix(step(sum, lane)))
}

#[cfg(test)]
mod tests;
