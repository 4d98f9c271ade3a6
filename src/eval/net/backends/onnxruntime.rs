//! ONNX Runtime (`ort`), from a shared library that is looked for when the first model is loaded.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::ffi::{CStr, OsString};
use std::path::{Path, PathBuf};
use std::ptr;

use ort::environment::Environment;
use ort::ep::cuda::ConvAlgorithmSearch;
use ort::ep::{self, ExecutionProvider, ExecutionProviderDispatch};
use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;
use ort::value::TensorRef;
use ort::{AsPointer, LoadDynamicError};
use parking_lot::Mutex;

use super::{Loading, PROCESSOR_BATCH};
use crate::eval::Wanted;
use crate::eval::net::Options;
use crate::eval::net::batcher::{Batcher, Devices};
use crate::eval::net::runtime::{Batch, RunError, Runtime};

/// Positions that a GPU is given at once, at most.
const GPU_BATCH: usize = 256;
/// Calls that each thread should have under way where a GPU works through batches.
const GPU_LINES: usize = 16;
/// Sessions of a model on a GPU, at most: batches of nine sizes come up on each of some boards.
const GPU_SESSIONS: usize = 32;
/// Memory in bytes that each of these sessions has where memory is limited, at least: fewer are kept then.
const SESSION_MEMORY: usize = 512 << 20;

/// Execution provider of ONNX Runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Provider {
    Cpu,
    /// A GPU by its number, with a limit of its memory in bytes.
    Cuda {
        device: u32,
        memory: Option<usize>,
    },
    TensorRt {
        device: u32,
        memory: Option<usize>,
    },
}

/// A model in ONNX Runtime.
struct Ort {
    environment: Environment,
    bytes: Vec<u8>,
    provider: Provider,
    /// Providers that really have the model's nodes, with the number of nodes.
    assigned: String,
    outputs: Vec<&'static str>,
    /// Sessions of one thread each that no call uses now: a session serves one call at a time.
    sessions: Mutex<Idle<Session>>,
}

/// Shape of a batch: positions, planes, rows, columns.
type Shape = [usize; 4];

/// Sessions that no call uses now, the one that was used last behind the others. On a GPU a session serves one shape: when it is
/// given another one it prepares its convolutions anew, which takes several times as long as a batch.
struct Idle<S> {
    /// Each with the shape that it has served.
    kept: Vec<(Option<Shape>, S)>,
    /// Most that are kept where shapes matter; `None` where they do not.
    most: Option<usize>,
}

impl<S> Idle<S> {
    /// Keeps a session that has served no shape yet.
    fn new(session: S, most: Option<usize>) -> Self {
        Self { kept: vec![(None, session)], most }
    }

    /// A session for the shape. `None` where another one is to be made.
    fn take(&mut self, shape: Shape) -> Option<S> {
        let Some(most) = self.most else { return self.kept.pop().map(|(_, session)| session) };
        let of = |wanted| self.kept.iter().position(|(kept, _)| *kept == wanted);
        let number = of(Some(shape)).or_else(|| of(None)).or_else(|| (self.kept.len() >= most).then_some(0))?;
        Some(self.kept.remove(number).1)
    }

    /// Keeps the session of a call that has ended.
    fn put(&mut self, shape: Shape, session: S) {
        self.kept.push((Some(shape), session));
    }

    /// Gives up the memory of all sessions, where each serves one shape. Returns whether there were any.
    fn clear(&mut self) -> bool {
        let any = self.most.is_some() && !self.kept.is_empty();
        if any {
            self.kept.clear();
        }
        any
    }
}

/// A process has one environment, of one library.
static ENVIRONMENT: Mutex<Option<(Environment, PathBuf)>> = Mutex::new(None);

#[cfg(target_os = "windows")]
const LIBRARY: &str = "onnxruntime.dll";
#[cfg(target_os = "macos")]
const LIBRARY: &str = "libonnxruntime.dylib";
#[cfg(not(any(target_os = "windows", target_os = "macos")))]
const LIBRARY: &str = "libonnxruntime.so";

/// Where the library may be, best first.
fn places(library: Option<&Path>) -> Vec<PathBuf> {
    if let Some(library) = library {
        return vec![library.to_owned()];
    }
    let set = |name| env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    if let Some(library) = set("ORT_DYLIB_PATH") {
        return vec![library];
    }
    let data = set("XDG_DATA_HOME").or_else(|| env::home_dir().map(|home| home.join(".local/share")));
    let beside = env::current_exe().ok().and_then(|program| program.parent().map(|folder| folder.join(LIBRARY)));
    let found =
        beside.into_iter().chain(data.map(|data| data.join("losange").join(LIBRARY))).filter(|path| path.exists());
    found.chain([PathBuf::from(LIBRARY)]).collect()
}

/// Forbids ONNX Runtime to send its makers what it notes of this machine, as it does from 1.31 on whatever it is told later. `main`
/// calls it first, since nothing else may read the environment meanwhile.
#[allow(unsafe_code, reason = "the library reads the environment and nothing else before it begins")]
pub(crate) fn forbid_telemetry() {
    // SAFETY: there is no other thread yet.
    unsafe { env::set_var("ORT_DISABLE_TELEMETRY", "1") };
}

/// An error with its causes: the message alone hides what the system's loader says.
fn told(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    // Some of the runtime's messages end with a line break.
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reason why the library was not loaded. The crate's error does not name its cause as one.
fn unloaded(error: &LoadDynamicError) -> String {
    let cause = match error {
        LoadDynamicError::Dlopen { error, .. } => error.source(),
        _ => None,
    };
    cause.map_or_else(|| told(error), |cause| format!("{}: {}", told(error), told(cause)))
}

fn environment(library: Option<&Path>) -> Result<(Environment, PathBuf), String> {
    let mut environment = ENVIRONMENT.lock();
    if let Some(known) = environment.as_ref() {
        return Ok(known.clone());
    }
    let mut tried = Vec::new();
    for place in places(library) {
        let made = ort::init_from(&place)
            .map_err(|why| unloaded(&why))
            .and_then(|builder| builder.with_telemetry(false).build().map_err(|why| told(&why)));
        match made {
            Ok(made) => return Ok(environment.insert((made, place)).clone()),
            Err(why) => tried.push(why),
        }
    }
    Err(format!(
        "ONNX Runtime was not found ({}); scripts/get-onnxruntime.sh installs it, --ort-lib says where it is",
        tried.join("; ")
    ))
}

impl Provider {
    /// Its name on the command line, with the number of the device.
    fn name(self) -> String {
        match self {
            Self::Cpu => "ort-cpu".to_owned(),
            Self::Cuda { device, .. } => format!("ort-cuda:{device}"),
            Self::TensorRt { device, .. } => format!("ort-tensorrt:{device}"),
        }
    }

    /// Advice where it does not work.
    fn needs(self) -> &'static str {
        match self {
            Self::Cpu => "scripts/get-onnxruntime.sh cpu installs what it needs",
            Self::Cuda { .. } => {
                "it needs an NVIDIA driver for CUDA 13 and what scripts/get-onnxruntime.sh cuda installs"
            }
            Self::TensorRt { .. } => {
                "it needs an NVIDIA driver for CUDA 13, TensorRT 10 and what scripts/get-onnxruntime.sh cuda installs"
            }
        }
    }

    /// Most sessions, where each serves one shape.
    fn sessions(self) -> Option<usize> {
        let (Self::Cuda { memory, .. } | Self::TensorRt { memory, .. }) = self else { return None };
        Some(memory.map_or(GPU_SESSIONS, |bytes| (bytes / SESSION_MEMORY).clamp(1, GPU_SESSIONS)))
    }

    fn dispatch(self) -> Option<ExecutionProviderDispatch> {
        // Batches come in few sizes, but finding the best algorithm for each takes seconds: the heuristic takes none.
        let (search, sessions) = (ConvAlgorithmSearch::Heuristic, self.sessions().unwrap_or(1));
        match self {
            Self::Cpu => None,
            Self::Cuda { device, memory } => {
                let cuda = ep::CUDA::default().with_device_id(device as i32).with_conv_algorithm_search(search);
                // A tenth of the mantissa of float32, several times its speed; differences stay below a hundredth.
                let cuda = cuda.with_tf32(true);
                let cuda = memory.map_or(cuda.clone(), |bytes| cuda.with_memory_limit(bytes / sessions));
                Some(cuda.build().error_on_failure())
            }
            Self::TensorRt { device, memory } => {
                let rt = ep::TensorRT::default().with_device_id(device as i32).with_fp16(true);
                let rt = memory.map_or(rt.clone(), |bytes| rt.with_max_workspace_size(bytes));
                Some(rt.build().error_on_failure())
            }
        }
    }
}

impl Ort {
    fn new(model: Loading<'_>, provider: Provider) -> Result<Self, String> {
        let (environment, place) = environment(model.options.library.as_deref())?;
        if provider != Provider::Cpu {
            preload(&place);
        }
        let bytes = model.onnx()?.into_owned();
        let session = session(&environment, &bytes, provider)?;
        let assigned = assigned(&session)?;
        tracing::info!(library = %place.display(), %assigned, "ONNX Runtime");
        Ok(Self {
            environment,
            bytes,
            provider,
            assigned,
            outputs: model.file.outputs.iter().map(|output| output.name()).collect(),
            sessions: Mutex::new(Idle::new(session, provider.sessions())),
        })
    }
}

/// Loads a model on the processor.
pub(super) fn processor(model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
    Ok(Box::new(Ort::new(model, Provider::Cpu)?))
}

/// Loads a model on GPUs.
pub(super) fn cuda(model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
    let memory = model.options.device_memory;
    on_devices(model, &|device| Provider::Cuda { device, memory })
}

/// Loads a model on GPUs and compiles it for them.
pub(super) fn tensorrt(model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
    let memory = model.options.device_memory;
    on_devices(model, &|device| Provider::TensorRt { device, memory })
}

/// Each device behind a thread that batches.
fn on_devices(model: Loading<'_>, provider: &dyn Fn(u32) -> Provider) -> Result<Box<dyn Runtime>, String> {
    let batcher = |&device: &u32| {
        let ort = Ort::new(model, provider(device))?;
        Batcher::new(Box::new(ort)).map_err(|why| why.to_string())
    };
    let devices = model.options.devices.iter().map(batcher).collect::<Result<Vec<_>, String>>()?;
    Ok(Box::new(Devices(devices)))
}

/// Whether the library that is found was built for GPUs; says nothing of whether there is one.
pub(super) fn has_cuda(options: &Options) -> bool {
    environment(options.library.as_deref()).is_ok() && ep::CUDA::is_available().unwrap_or(false)
}

/// The libraries of CUDA and cuDNN, where they lie beside the runtime: the system's loader does not look there.
fn preload(library: &Path) {
    let folder = library.parent().filter(|folder| folder.join("libcudart.so.13").exists());
    if let Some(folder) = folder
        && let Err(why) = ep::cuda::preload_dylibs(Some(folder), Some(folder))
    {
        tracing::info!(%why, "CUDA's libraries beside ONNX Runtime");
    }
}

fn session(environment: &Environment, bytes: &[u8], provider: Provider) -> Result<Session, String> {
    let failed = |why: &dyn Error| format!("ONNX Runtime cannot load it: {}", told(why));
    let builder = Session::builder(environment).map_err(|why| failed(&why))?;
    let builder = builder.with_optimization_level(GraphOptimizationLevel::Level3).map_err(|why| failed(&why))?;
    let builder = builder.with_intra_threads(1).map_err(|why| failed(&why))?;
    let builder = builder.with_intra_op_spinning(false).map_err(|why| failed(&why))?;
    let builder =
        builder.with_config_entry("session.record_ep_graph_assignment_info", "1").map_err(|why| failed(&why))?;
    let mut builder = match provider.dispatch() {
        None => builder,
        Some(dispatch) => builder
            .with_execution_providers([dispatch])
            .map_err(|why| format!("{}: {}; {}", provider.name(), told(&why), provider.needs()))?,
    };
    builder.commit_from_memory(bytes).map_err(|why| failed(&why))
}

/// Execution providers that have the nodes of a model: asked of the runtime, since one that fails to take part is
/// otherwise passed over in silence.
#[allow(unsafe_code, reason = "ort has no safe call that tells which provider has which node")]
fn assigned(session: &Session) -> Result<String, String> {
    let check = |status| {
        // SAFETY: the status was just made by the runtime, and is given up here.
        unsafe { ort::Error::result_from_status(status) }.map_err(|why| told(&why))
    };
    let api = ort::api();
    let mut nodes = BTreeMap::<String, usize>::new();
    let (mut parts, mut count) = (ptr::null(), 0);
    // SAFETY: the session lives; the runtime fills in the two places, and what it points to lives as long as the session.
    check(unsafe { (api.Session_GetEpGraphAssignmentInfo)(session.ptr(), &raw mut parts, &raw mut count) })?;
    for number in 0..count {
        // SAFETY: the runtime has said that there are so many.
        let part = unsafe { *parts.add(number) };
        let (mut name, mut its_nodes, mut size) = (ptr::null(), ptr::null(), 0);
        // SAFETY: as above; the name is a string that ends with 0.
        check(unsafe { (api.EpAssignedSubgraph_GetEpName)(part, &raw mut name) })?;
        // SAFETY: as above.
        check(unsafe { (api.EpAssignedSubgraph_GetNodes)(part, &raw mut its_nodes, &raw mut size) })?;
        // SAFETY: the runtime has set the name, since it reported no error.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        *nodes.entry(name).or_default() += size;
    }
    let listed: Vec<_> = nodes.iter().map(|(name, count)| format!("{name} ({count} nodes)")).collect();
    Ok(listed.join(", "))
}

impl Runtime for Ort {
    fn name(&self) -> String {
        self.provider.name()
    }

    fn provider(&self) -> String {
        self.assigned.clone()
    }

    fn batches(&self) -> (usize, usize) {
        match self.provider {
            Provider::Cpu => (PROCESSOR_BATCH, 1),
            Provider::Cuda { .. } | Provider::TensorRt { .. } => (GPU_BATCH, GPU_LINES),
        }
    }

    fn run(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>, _: Wanted<'_>) -> Result<(), RunError> {
        // The memory of a GPU may be full of the sessions of other shapes.
        self.attempt(batch, outputs).or_else(|why| {
            let more = self.sessions.lock().clear();
            if more { self.attempt(batch, outputs) } else { Err(why) }
        })
    }
}

impl Ort {
    /// Runs a batch in a session that is free, or in another one.
    fn attempt(&self, batch: Batch<'_>, outputs: &mut Vec<Vec<f32>>) -> Result<(), RunError> {
        let failed = |why: &dyn Error| RunError::Failed(told(why));
        let idle = self.sessions.lock().take(batch.shape);
        let mut session = match idle {
            Some(session) => session,
            None => session(&self.environment, &self.bytes, self.provider).map_err(RunError::Failed)?,
        };
        let shape = batch.shape.map(|n| n as i64);
        let input = TensorRef::from_array_view((shape, batch.planes)).map_err(|why| failed(&why))?;
        let found = session.run(ort::inputs!["input" => input]).map_err(|why| failed(&why))?;
        outputs.clear();
        for name in &self.outputs {
            let output = found.get(name).ok_or_else(|| RunError::Failed(format!("no output '{name}'")))?;
            let (_, numbers) = output.try_extract_tensor::<f32>().map_err(|why| failed(&why))?;
            outputs.push(numbers.to_vec());
        }
        drop(found);
        self.sessions.lock().put(batch.shape, session);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_of_a_gpu_serve_one_shape_each() {
        let (small, large, other) = ([1, 4, 9, 9], [256, 4, 9, 9], [8, 4, 9, 9]);
        let mut idle = Idle::new("first", Some(2));
        assert_eq!(idle.take(small), Some("first"));
        assert_eq!(idle.take(large), None);
        idle.put(large, "second");
        idle.put(small, "first");
        assert_eq!(idle.take(large), Some("second"));
        idle.put(large, "second");
        // There is room for two: a third shape takes the one that was used longest ago.
        assert_eq!(idle.take(other), Some("first"));
        idle.put(other, "first");
        assert_eq!((idle.take(other), idle.take(small)), (Some("first"), None));
        assert!(idle.clear() && !idle.clear());
        assert_eq!(idle.take(small), None);
    }

    #[test]
    fn sessions_of_a_processor_serve_any_shape() {
        let mut idle = Idle::new("first", None);
        assert_eq!(idle.take([1, 4, 9, 9]), Some("first"));
        assert_eq!(idle.take([1, 4, 9, 9]), None);
        idle.put([1, 4, 9, 9], "second");
        assert!(!idle.clear());
        assert_eq!(idle.take([8, 4, 9, 9]), Some("second"));
    }

    #[test]
    fn limited_memory_is_shared_by_fewer_sessions() {
        let sessions = |memory| Provider::Cuda { device: 0, memory }.sessions();
        assert_eq!(sessions(None), Some(GPU_SESSIONS));
        assert_eq!((sessions(Some(1 << 20)), sessions(Some(4 << 30))), (Some(1), Some(8)));
        assert_eq!(Provider::Cpu.sessions(), None);
    }
}
