//! The embedded runtime by instructions that every processor has.

use super::Loading;
use super::embedded::{Embedded, Instructions, Residual};
use crate::eval::net::files::Content;
use crate::eval::net::runtime::Runtime;

/// Loads a model that our own code calculates all of: a library chooses its instructions itself.
pub(super) fn load(model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
    let bytes = match model.content {
        Content::Onnx(bytes) => bytes,
        Content::KataGo(net) => return Ok(Box::new(Residual::new(net, &model.file.outputs, Instructions::Portable)?)),
    };
    match Embedded::new(bytes, model.file, Instructions::Portable)? {
        own if own.is_own() => Ok(Box::new(own)),
        _ => Err("its results depend on the processor".to_owned()),
    }
}
