//! Networks in the format of KataGo: read, described, and written as ONNX.

pub(super) mod net;
pub(super) mod onnx;
pub(super) mod reader;
mod tokens;

use self::net::Net;
use super::contract::{ModelFile, Output, Port, Precision};

/// Name of the encoding of positions that these networks take.
const ENCODING: &str = "katago-7";
/// Boards that they serve. They have learned from 7 to 19, and their layers take others.
const SIZES: (usize, usize) = (2, 25);

/// Description of a network in a file of so many bytes, as of one in ONNX.
pub(super) fn description(net: &Net, bytes: usize) -> ModelFile {
    let mut outputs = vec![Output::Outcomes, Output::Scores, Output::Policy];
    if net.policy.out.outputs > 1 {
        outputs.push(Output::Optimistic);
    }
    outputs.push(Output::Ownership);
    let port = |name: &str, shape: &[Option<i64>]| Port { name: name.to_owned(), shape: shape.to_vec() };
    let row = |output: &Output| match output {
        Output::Outcomes => Some(3),
        Output::Scores => Some(6),
        _ => None,
    };
    let planes = (Net::PLANES + Net::NUMBERS) as i64;
    ModelFile {
        game: "go".to_owned(),
        sizes: vec![SIZES],
        encoding: ENCODING.to_owned(),
        inputs: vec![port("input", &[None, Some(planes), None, None])],
        ports: outputs.iter().map(|output| port(output.name(), &[None, row(output)])).collect(),
        outputs,
        precision: Precision::Float32,
        range: (-1.0, 1.0),
        advice: 0,
        scoring: None,
        trained_with: Some(format!("network {} of KataGo, format {}", net.name, net.version)),
        licence: None,
        parameters: net.parameters,
        bytes,
    }
}
