//! The embedded runtime with products of 16 bits by the processor's matrix unit.

use super::Loading;
use super::embedded::{Embedded, Instructions, Residual, has_tiles};
use crate::eval::net::Options;
use crate::eval::net::files::Content;
use crate::eval::net::runtime::Runtime;

/// Whether this processor has the unit.
pub(super) fn is_here(_: &Options) -> bool {
    has_tiles()
}

/// Loads a model that our own code calculates all of.
pub(super) fn load(model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
    if !has_tiles() {
        return Err(
            "this processor has no matrix unit for numbers of 16 bits (Intel AMX), or the system does not allow it"
                .to_owned(),
        );
    }
    let bytes = match model.content {
        Content::Onnx(bytes) => bytes,
        Content::KataGo(net) => return Ok(Box::new(Residual::new(net, &model.file.outputs, Instructions::Tiles)?)),
    };
    match Embedded::new(bytes, model.file, Instructions::Tiles)? {
        own if own.is_own() => Ok(Box::new(own)),
        _ => Err("the model has parts that are left to a library".to_owned()),
    }
}
