//! The embedded runtime by instructions that every processor has.

use super::Loading;
use super::embedded::{Embedded, Instructions};
use crate::eval::net::runtime::Runtime;

/// Loads a model that our own code calculates all of: a library chooses its instructions itself.
pub(super) fn load(model: Loading<'_>) -> Result<Box<dyn Runtime>, String> {
    match Embedded::new(model.bytes, model.file, Instructions::Portable)? {
        own if own.is_own() => Ok(Box::new(own)),
        _ => Err("its results depend on the processor".to_owned()),
    }
}
