//! ONNX Runtime (`ort`), from a shared library that is looked for when the first model is loaded.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ort::environment::Environment;
use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;
use ort::value::TensorRef;
use parking_lot::Mutex;

use super::Runtime;

/// A model in ONNX Runtime.
pub(super) struct Ort {
    environment: Environment,
    bytes: Vec<u8>,
    /// Sessions of one thread each that no call uses now: a session serves one call at a time.
    sessions: Mutex<Vec<Session>>,
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
    let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
    let beside = env::current_exe().ok().and_then(|program| program.parent().map(|folder| folder.join(LIBRARY)));
    let found =
        beside.into_iter().chain(data.map(|data| data.join("losange").join(LIBRARY))).filter(|path| path.exists());
    found.chain([PathBuf::from(LIBRARY)]).collect()
}

/// An error with its causes: the message alone hides what the system's loader says.
fn told(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

fn environment(library: Option<&Path>) -> Result<(Environment, PathBuf), String> {
    let mut environment = ENVIRONMENT.lock();
    if let Some(known) = environment.as_ref() {
        return Ok(known.clone());
    }
    let mut tried = Vec::new();
    for place in places(library) {
        let made = ort::init_from(&place)
            .map_err(|why| format!("{} ({why:?})", told(&why)))
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

impl Ort {
    pub(super) fn load(bytes: &[u8], library: Option<&Path>) -> Result<Self, String> {
        let (environment, place) = environment(library)?;
        let session = session(&environment, bytes)?;
        tracing::info!(library = %place.display(), "ONNX Runtime");
        Ok(Self { environment, bytes: bytes.to_owned(), sessions: Mutex::new(vec![session]) })
    }
}

/// One thread, and none that spins: the search's own threads are what works at once.
fn session(environment: &Environment, bytes: &[u8]) -> Result<Session, String> {
    let failed = |why: &dyn Error| format!("ONNX Runtime cannot load it: {}", told(why));
    Session::builder(environment)
        .map_err(|why| failed(&why))?
        .with_optimization_level(GraphOptimizationLevel::Level3)
        .map_err(|why| failed(&why))?
        .with_intra_threads(1)
        .map_err(|why| failed(&why))?
        .with_intra_op_spinning(false)
        .map_err(|why| failed(&why))?
        .commit_from_memory(bytes)
        .map_err(|why| failed(&why))
}

impl Runtime for Ort {
    fn name(&self) -> &str {
        "ort-cpu"
    }

    fn run(&self, planes: &[f32], shape: [usize; 4], output: &str, values: &mut Vec<f32>) -> Result<(), String> {
        let idle = self.sessions.lock().pop();
        let mut session = match idle {
            Some(session) => session,
            None => session(&self.environment, &self.bytes)?,
        };
        let input = TensorRef::from_array_view((shape.map(|n| n as i64), planes)).map_err(|why| told(&why))?;
        let result = session.run(ort::inputs!["input" => input]).map_err(|why| told(&why)).and_then(|outputs| {
            let output = outputs.get(output).ok_or_else(|| format!("no output '{output}'"))?;
            let (_, numbers) = output.try_extract_tensor::<f32>().map_err(|why| told(&why))?;
            values.clear();
            values.extend_from_slice(numbers);
            Ok(())
        });
        self.sessions.lock().push(session);
        result
    }
}
