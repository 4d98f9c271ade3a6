//! Networks in the format of KataGo, of Go and of Hex: read, described, and written as ONNX.

pub(super) mod net;
pub(super) mod onnx;
pub(super) mod people;
pub(super) mod reader;
mod tokens;

use self::net::Net;
use super::contract::{ModelFile, Output, Port, Precision};

/// A game whose networks come in this format, of which no file says what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FormatUse {
    game: &'static str,
    /// Encoding of positions, and that of networks whose areas are alive as if suicide were legal.
    encodings: [&'static str; 2],
    /// Program that trains them.
    program: &'static str,
    /// Boards that they serve, fewest and most lines. They have learned from 7 to 19, and their layers take others.
    sizes: (usize, usize),
    /// Whether games end with a score and owners of points.
    scored: bool,
    /// Whether norms without a bias have one of 0, as here, and not one of 1.
    plain_norms: bool,
}

/// The first is meant where nothing else is said.
const USES: [FormatUse; 2] = [
    FormatUse {
        game: "go",
        encodings: ["katago-7", "katago-7-suicide"],
        program: "KataGo",
        sizes: (2, 25),
        scored: true,
        plain_norms: true,
    },
    FormatUse {
        game: "hex",
        encodings: ["katahex-7"; 2],
        program: "KataHex",
        sizes: (2, 32),
        scored: false,
        plain_norms: false,
    },
];

impl FormatUse {
    /// The use in that game; the usual one in games that have none.
    pub(super) fn of(game: &str) -> &'static Self {
        USES.iter().find(|it| it.game == game).unwrap_or(&USES[0])
    }
}

/// Outputs of a network, in the order in which it is calculated.
pub(super) fn outputs(net: &Net) -> Vec<Output> {
    let optimistic = (net.policy.out.outputs > 1).then_some(Output::Optimistic);
    let first = [Output::Outcomes, Output::Scores, Output::Policy];
    first.into_iter().chain(optimistic).chain([Output::Ownership]).collect()
}

/// Description of a network in a file of so many bytes, as of one in ONNX, or why it cannot be used so.
pub(super) fn description(net: &Net, bytes: usize, meant: &FormatUse) -> Result<ModelFile, String> {
    if net.norm_without_bias && !meant.plain_norms {
        return Err(format!("a norm has no bias, which means another thing to {} than to KataGo", meant.program));
    }
    let mut outputs = outputs(net);
    if !meant.scored {
        outputs.retain(|output| [Output::Outcomes, Output::Policy].contains(output));
    }
    let port = |name: &str, shape: &[Option<i64>]| Port { name: name.to_owned(), shape: shape.to_vec() };
    let row = |output: &Output| match output {
        Output::Outcomes => Some(3),
        Output::Scores => Some(6),
        _ => None,
    };
    let planes = (Net::PLANES + Net::NUMBERS) as i64;
    Ok(ModelFile {
        game: meant.game.to_owned(),
        sizes: vec![meant.sizes],
        encoding: meant.encodings[usize::from(net.alive_under_suicide)].to_owned(),
        inputs: vec![port("input", &[None, Some(planes), None, None])],
        ports: outputs.iter().map(|output| port(output.name(), &[None, row(output)])).collect(),
        outputs,
        precision: Precision::Float32,
        range: (-1.0, 1.0),
        advice: 0,
        scoring: None,
        trained_with: Some(format!("network {} of {}, format {}", net.name, meant.program, net.version)),
        taught_by: None,
        licence: None,
        imitates: net.trunk.player.is_some(),
        parameters: net.parameters,
        bytes,
    })
}
