//! Back ends, which run models. Each is one file here and one row of the table; the command line, `losange model check` and
//! `losange bench eval` follow from the rows.

mod bfloat16;
mod embedded;
mod onnxruntime;
mod portable;

use std::borrow::Cow;

use super::Options;
use super::contract::ModelFile;
use super::files::Content;
use super::katago;
use super::runtime::Runtime;
#[cfg(test)]
pub(super) use embedded::{Embedded, Instructions};
pub(crate) use onnxruntime::forbid_telemetry;

/// Positions that are handed over at once on a processor: it gains nothing from more, and a stop waits for them.
const PROCESSOR_BATCH: usize = 8;
/// Largest difference between two runtimes on the processor that is put down to rounding.
const ROUNDING: f32 = 1e-3;
/// Largest such difference on a GPU, whose products have a mantissa of 10 bits: 0.056 was measured on numbers up to 43.
const GPU_ROUNDING: f32 = 0.06;
/// Largest such difference of products of 16 bits, which is that of logits: some reach 100.
const SHORT_ROUNDING: f32 = 0.3;

/// A model that is to be loaded.
#[derive(Clone, Copy)]
pub(super) struct Loading<'a> {
    pub(super) content: &'a Content<'a>,
    pub(super) file: &'a ModelFile,
    pub(super) options: &'a Options,
}

impl Loading<'_> {
    /// The model as an ONNX file, for runtimes that know nothing else.
    fn onnx(&self) -> Result<Cow<'_, [u8]>, String> {
        match self.content {
            Content::Onnx(bytes) => Ok(Cow::Borrowed(bytes)),
            Content::KataGo(net) => {
                katago::onnx::onnx(net, self.file, None).map(Cow::Owned).map_err(|why| why.to_string())
            }
        }
    }
}

/// How a back end is named, loaded and compared.
struct Row {
    /// Word on the command line.
    name: &'static str,
    /// Makes it run a model, or says why it cannot.
    load: fn(Loading<'_>) -> Result<Box<dyn Runtime>, String>,
    /// Whether `auto` tries it here.
    tried: fn(&Options) -> bool,
    /// Largest difference from another back end that is put down to rounding; `None` where they are not compared.
    rounding: Option<f32>,
}

macro_rules! backends {
    ($(#[doc = $about:literal] $backend:ident = $row:expr;)*) => {
        /// A way to run a model.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum Backend {
            #[default]
            $(#[doc = $about] $backend,)*
        }

        impl Backend {
            /// All of them, the choice among them first.
            pub const ALL: &'static [Self] = &[$(Self::$backend),*];

            /// One sentence on it.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$backend => $about,)*
                }
            }

            const fn row(self) -> &'static Row {
                match self {
                    $(Self::$backend => &$row,)*
                }
            }
        }
    };
}

// `auto` takes the rows in order.
backends! {
    /// The first of the others that works, embedded only where it has code of its own for all of the model.
    Auto = Row { name: "auto", load: first, tried: |_| false, rounding: None };
    /// ONNX Runtime on NVIDIA GPUs.
    OrtCuda = Row { name: "ort-cuda", load: onnxruntime::cuda, tried: onnxruntime::has_cuda, rounding: Some(GPU_ROUNDING) };
    /// The embedded runtime with products of 16 bits, on processors with a matrix unit (Intel AMX).
    Bfloat16 = Row { name: "bfloat16", load: bfloat16::load, tried: bfloat16::is_here, rounding: Some(SHORT_ROUNDING) };
    /// The runtime that is compiled in.
    Embedded = Row { name: "embedded", load: embedded::load, tried: |_| true, rounding: Some(ROUNDING) };
    /// ONNX Runtime on the processor.
    OrtCpu = Row { name: "ort-cpu", load: onnxruntime::processor, tried: |_| true, rounding: Some(ROUNDING) };
    /// ONNX Runtime on NVIDIA GPUs, through TensorRT.
    OrtTensorRt = Row { name: "ort-tensorrt", load: onnxruntime::tensorrt, tried: |_| false, rounding: None };
    /// The embedded runtime by instructions of every processor: slower, and the same numbers everywhere.
    Portable = Row { name: "portable", load: portable::load, tried: |_| false, rounding: None };
}

impl Backend {
    /// Its word on the command line.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Largest difference from another one that is put down to rounding; `None` where they are not compared.
    pub const fn rounding(self) -> Option<f32> {
        self.row().rounding
    }

    /// Makes it run a model, or says why it cannot.
    pub(super) fn load(self, model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
        (self.row().load)(model)
    }
}

/// The first of the table that works and suits the model; the first that works where none suits it.
fn first(model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
    let (mut failed, mut other) = (Vec::new(), None);
    for backend in Backend::ALL.iter().filter(|backend| (backend.row().tried)(model.options)) {
        match backend.load(model) {
            Ok(runtime) if runtime.suits() => return Ok(runtime),
            Ok(runtime) => other = other.or(Some(runtime)),
            Err(why) => {
                tracing::info!(%why, "not used");
                failed.push(why);
            }
        }
    }
    other.ok_or_else(|| failed.join("; "))
}
