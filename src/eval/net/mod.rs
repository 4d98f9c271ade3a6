//! Networks as evaluators: ONNX files with a contract in their metadata, run by ONNX Runtime or by the embedded runtime.
//!
//! Start reading at [`Network::load`] and [`NetworkEvaluator`]. What a file must say of itself is in [`contract`].

pub mod contract;
mod embedded;
mod onnxruntime;
mod protobuf;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};

use thiserror::Error;

pub use contract::{ContractError, ModelFile, Outputs};

use super::{Attributes, Evaluator};
use crate::game::Planes;

/// Largest model file that is read.
const LARGEST_FILE: u64 = 1 << 30;
/// Positions that are handed over at once. A processor gains little from more.
const BATCH: usize = 32;
/// Values stay inside (-1, 1): only the rules say who has won.
const CERTAIN: f32 = 0.999;

/// Which runtime evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Backend {
    /// The first that works of ONNX Runtime on the processor, and the embedded one.
    #[default]
    Auto,
    /// ONNX Runtime on the processor, from a shared library.
    OrtCpu,
    /// The runtime that is compiled in.
    Embedded,
}

/// Why a model cannot be used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("the model {} cannot be read: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
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
        /// What is wrong.
        why: ContractError,
    },
    /// The runtime that was demanded does not work, or none does.
    #[error("the model {} cannot be run: {reason}", path.display())]
    Runtime {
        /// The file.
        path: PathBuf,
        /// What was tried, and what came of it.
        reason: String,
    },
    /// It runs, but not to what it promises.
    #[error("the model {} gives {found} where {expected} was expected", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// What it promises.
        expected: String,
        /// What it gave.
        found: String,
    },
}

/// Runs a model. Any number of threads may call at once.
trait Runtime: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &str;

    /// Replaces `values` by the named output for a batch of planes of that shape (positions, planes, rows, columns).
    fn run(&self, planes: &[f32], shape: [usize; 4], output: &str, values: &mut Vec<f32>) -> Result<(), String>;
}

/// A model that is loaded and ready to run.
pub struct Network {
    path: PathBuf,
    model: ModelFile,
    runtime: Box<dyn Runtime>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("path", &self.path)
            .field("runtime", &self.runtime.name())
            .finish_non_exhaustive()
    }
}

/// Reads a model file and what it says of itself.
///
/// # Errors
/// [`ModelError`].
pub fn read(path: &Path) -> Result<(Vec<u8>, ModelFile), ModelError> {
    let file = |why| ModelError::File { path: path.to_owned(), why };
    let metadata = fs::metadata(path).map_err(file)?;
    if metadata.is_dir() {
        return Err(file(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    if metadata.len() > LARGEST_FILE {
        return Err(ModelError::TooLarge { path: path.to_owned(), bytes: metadata.len() });
    }
    let bytes = fs::read(path).map_err(file)?;
    let model = ModelFile::parse(&bytes).map_err(|why| ModelError::Contract { path: path.to_owned(), why })?;
    Ok((bytes, model))
}

impl Network {
    /// Loads a model into a runtime. `library` is where to look for ONNX Runtime first.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn load(path: &Path, backend: Backend, library: Option<&Path>) -> Result<Self, ModelError> {
        let (bytes, model) = read(path)?;
        let failed = |reason| ModelError::Runtime { path: path.to_owned(), reason };
        let ort = |bytes: &[u8]| onnxruntime::Ort::load(bytes, library).map(|ort| Box::new(ort) as Box<dyn Runtime>);
        let embedded =
            |bytes| embedded::Embedded::load(bytes, &model).map(|embedded| Box::new(embedded) as Box<dyn Runtime>);
        let runtime = match backend {
            Backend::OrtCpu => ort(&bytes).map_err(failed)?,
            Backend::Embedded => embedded(bytes).map_err(failed)?,
            Backend::Auto => match ort(&bytes) {
                Ok(runtime) => runtime,
                Err(why) => {
                    tracing::info!(%why, "ONNX Runtime is not used");
                    embedded(bytes).map_err(|other| failed(format!("{why}; {other}")))?
                }
            },
        };
        Ok(Self { path: path.to_owned(), model, runtime })
    }

    /// What the file says of itself.
    pub fn model(&self) -> &ModelFile {
        &self.model
    }

    /// What runs it.
    pub fn runtime(&self) -> &str {
        self.runtime.name()
    }

    /// The outputs for positions of one shape, one after the other, as the model gives them.
    ///
    /// # Errors
    /// [`ModelError`], also where outputs are missing or no numbers.
    pub fn run<G: Planes>(&self, positions: &[G], values: &mut Vec<f32>) -> Result<(), ModelError> {
        values.clear();
        let Some(first) = positions.first() else { return Ok(()) };
        let mut planes = Vec::new();
        positions.iter().for_each(|position| position.write_planes(&mut planes));
        let [count, rows, columns] = first.shape();
        let shape = [positions.len(), count, rows, columns];
        self.runtime
            .run(&planes, shape, self.model.outputs.name(), values)
            .map_err(|reason| ModelError::Runtime { path: self.path.clone(), reason })?;
        let each = match self.model.outputs {
            Outputs::StateValue => 1,
            Outputs::ActionValues => first.action_count(),
        };
        let wrong = |expected: String, found: String| ModelError::Output { path: self.path.clone(), expected, found };
        if values.len() != each * positions.len() {
            return Err(wrong(
                format!("{each} values for each of {} positions", positions.len()),
                format!("{} values", values.len()),
            ));
        }
        if let Some(bad) = values.iter().find(|value| !value.is_finite()) {
            return Err(wrong("numbers".to_owned(), bad.to_string()));
        }
        Ok(())
    }
}

/// A network that values positions of a game; where it was not made for the board, another evaluator does.
pub struct NetworkEvaluator<G: Planes> {
    network: Network,
    otherwise: Box<dyn Evaluator<G>>,
    /// Whether it was said that the model failed.
    complained: AtomicBool,
}

impl<G: Planes> NetworkEvaluator<G> {
    /// Makes sure that the model is one for this game by letting it value `sample`, a position of a size that it serves.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn new(network: Network, sample: &G, otherwise: Box<dyn Evaluator<G>>) -> Result<Self, ModelError> {
        let contract = |why| ModelError::Contract { path: network.path.clone(), why };
        network.model.check(G::NAME, G::ENCODING, sample.shape()).map_err(contract)?;
        network.run(std::slice::from_ref(sample), &mut Vec::new())?;
        Ok(Self { network, otherwise, complained: AtomicBool::new(false) })
    }

    /// Whether the network was made for the board of that position.
    pub fn serves(&self, position: &G) -> bool {
        let [_, rows, columns] = position.shape();
        self.network.model.serves(rows - 2, columns - 2)
    }

    /// The model's number as the result that `First` expects.
    fn value(&self, value: f32, mover: &G) -> f32 {
        let (low, high) = self.network.model.range;
        let centred = 2.0 * (value - low) / (high - low) - 1.0;
        (centred * mover.to_move().sign()).clamp(-CERTAIN, CERTAIN)
    }

    /// A model that fails in the middle of a game must not end it: it is said once, and the other evaluator goes on.
    fn complain(&self, error: &ModelError) {
        if !self.complained.swap(true, Ordering::Relaxed) {
            tracing::error!(%error, "going on without it");
        }
    }
}

impl<G: Planes> Evaluator<G> for NetworkEvaluator<G> {
    fn attributes(&self) -> Attributes {
        Attributes { name: self.network.runtime().to_owned(), preferred_batch: BATCH, largest_batch: BATCH }
    }

    fn evaluate(&self, positions: &[G], values: &mut Vec<f32>) {
        let able = self.network.model.outputs == Outputs::StateValue && positions.iter().all(|p| self.serves(p));
        if able {
            match self.network.run(positions, values) {
                Ok(()) => {
                    values.iter_mut().zip(positions).for_each(|(v, position)| *v = self.value(*v, position));
                    return;
                }
                Err(error) => self.complain(&error),
            }
        }
        self.otherwise.evaluate(positions, values);
    }

    fn evaluate_children(&self, position: &G, moves: &[usize], children: &[G], values: &mut Vec<f32>) {
        if self.network.model.outputs != Outputs::ActionValues || !self.serves(position) {
            return self.evaluate(children, values);
        }
        let mut outputs = Vec::new();
        if let Err(error) = self.network.run(std::slice::from_ref(position), &mut outputs) {
            self.complain(&error);
            return self.otherwise.evaluate(children, values);
        }
        values.clear();
        for (&mv, child) in moves.iter().zip(children) {
            match position.action_index(position.move_at(mv)) {
                Some(index) => values.push(self.value(outputs[index], position)),
                // A move that models do not know, such as a swap: by the position that it leads to.
                None => {
                    let mut value = Vec::new();
                    self.otherwise.evaluate(std::slice::from_ref(child), &mut value);
                    values.extend(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
