//! Models that are compiled in.

use std::path::Path;

use super::{ModelError, Network, Options};
use crate::game::Planes;

/// Models that are compiled in: the game, the name that they are shown by, and the file. Each is there because it plays better
/// than the engine's own knowledge in the same time, in the embedded runtime too; `models/README.md` has the matches. Of several models
/// of a game the first is for all boards but those that the others serve, each of which plays better there by as many expansions.
pub(super) const SHIPPED: &[(&str, &str, &[u8])] = &[
    ("hex", "models/hex.onnx", include_bytes!("../../../models/hex.onnx")),
    ("hex", "models/hex-7x7.onnx", include_bytes!("../../../models/hex-7x7.onnx")),
    ("hex", "models/hex-large.onnx", include_bytes!("../../../models/hex-large.onnx")),
    ("go", "models/go.onnx", include_bytes!("../../../models/go.onnx")),
    ("amazons", "models/amazons.onnx", include_bytes!("../../../models/amazons.onnx")),
    ("avalam", "models/avalam.onnx", include_bytes!("../../../models/avalam.onnx")),
    ("breakthrough", "models/breakthrough.onnx", include_bytes!("../../../models/breakthrough.onnx")),
    ("gomoku", "models/gomoku.onnx", include_bytes!("../../../models/gomoku.onnx")),
    ("loa", "models/loa.onnx", include_bytes!("../../../models/loa.onnx")),
    ("santorini", "models/santorini.onnx", include_bytes!("../../../models/santorini.onnx")),
    ("surakarta", "models/surakarta.onnx", include_bytes!("../../../models/surakarta.onnx")),
];

impl Network {
    /// Loads the model of the game that is compiled in, if there is one, and with it those for some boards only.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn shipped<G: Planes>(options: &Options, board: &dyn Fn(usize) -> G) -> Option<Result<Self, ModelError>> {
        let files: Vec<_> = SHIPPED.iter().filter(|(game, _, _)| *game == G::NAME).collect();
        let alone = Options { cache: 0, ..options.clone() };
        let loaded = files.iter().map(|(_, name, bytes)| Self::from_bytes(Path::new(name), bytes, &alone, board));
        let mut first: Option<Self> = None;
        for network in loaded {
            match (network, &mut first) {
                (Err(error), _) => return Some(Err(error)),
                (Ok(network), Some(first)) => first.beside.push(network),
                (Ok(network), None) => first = Some(network),
            }
        }
        first.map(|mut first| {
            first.keep_results(options.cache, board);
            Ok(first)
        })
    }

    /// Whether a model of the game is compiled in.
    pub fn is_shipped<G: Planes>() -> bool {
        SHIPPED.iter().any(|(game, ..)| *game == G::NAME)
    }
}
