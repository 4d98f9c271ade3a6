//! Models in the words of KataGo's commands and queries.

use std::ffi::OsStr;

use serde_json::{Value, json};

use crate::eval::net::Network;

/// The description of a model, in the words of KataGo.
pub(super) fn described(model: &Network) -> Value {
    let text = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    // Where it lies is nobody's business over a network.
    json!({
        "name": text(model.path().file_name()),
        "internalName": text(model.path().file_stem()),
        "game": model.model().game,
        "encoding": model.model().encoding,
        // Sides of the boards that it is made for, from and to.
        "sides": model.model().sizes,
        "maxBatchSize": model.attributes().batch,
        "usesHumanSLProfile": model.model().imitates,
        "version": format_of(model),
        "usingFP16": model.model().precision.name() == "float16",
    })
}

/// Version of the file's format, where the model is a network of KataGo's or KataHex's; 0 otherwise.
fn format_of(model: &Network) -> u32 {
    let told = model
        .model()
        .trained_with
        .as_deref()
        .filter(|text| text.contains(" of Kata"))
        .and_then(|text| text.rsplit_once(", format "));
    told.and_then(|(_, version)| version.parse().ok()).unwrap_or(0)
}
